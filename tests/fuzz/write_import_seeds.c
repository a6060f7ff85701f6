// SPDX-License-Identifier: MIT
// import_seeds FOLDER: writes FOLDER/hostile_fbx/text.fbx and binary.fbx and
// FOLDER/hostile_dae/rod.dae: the rod as Assimp writes it, the same bytes in every run, for
// cook_hostile.sh to change.
#include "platform/file.h"
#include "tests/asset/rod.h"
#include "tools/command/memory.h"

#include <assimp/cexport.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Assimp writes the time into its files. It takes this function instead of the C library's.
time_t time(time_t* now) {
    if (now) {
        *now = 0;
    }
    return 0;
}

static void check(tlw_result result, const tlw_file_error* error) {
    if (result != TLW_OK) {
        fprintf(stderr, "import_seeds: %s\n", error->message);
        exit(1);
    }
}

static uint8_t* read_file(const char* path, size_t* size) {
    uint8_t* bytes;
    tlw_file_error error;
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.grow = tlw_heap_grow;
    check(tlw_file_read(&def, &bytes, size, &error), &error);
    return bytes;
}

// Binary FBX
// ------------------------------------------------------------------------------------------------
// Assimp 5.2 leaves out the empty record that ends a list of records, without which it does not
// read them. A record: where it ends, how many properties it has and how many bytes they are, each
// of 64 bits; the length of its name in a byte; name, properties, records, and an empty record if
// there are any.

enum { FBX_START = 27, FBX_HEAD = 25 };

typedef struct fbx_copy {
    const uint8_t* from;
    uint8_t* to;
    size_t used;
} fbx_copy;

static void put(fbx_copy* c, const void* bytes, size_t size) {
    memcpy(c->to + c->used, bytes, size);
    c->used += size;
}

static uint64_t number_at(const fbx_copy* c, size_t at) {
    uint64_t number;
    memcpy(&number, c->from + at, sizeof number);
    return number;
}

static void put_empty(fbx_copy* c) {
    static const uint8_t empty[FBX_HEAD];
    put(c, empty, sizeof empty);
}

// Not recursive beyond what Assimp wrote, which is a few deep.
static void copy_records(fbx_copy* c, size_t at, size_t end) {
    while (at + FBX_HEAD <= end && number_at(c, at) != 0) {
        const size_t start = c->used, own = FBX_HEAD + c->from[at + 24] + number_at(c, at + 16);
        const size_t next = number_at(c, at);
        put(c, c->from + at, own);
        if (at + own < next) {
            copy_records(c, at + own, next);
            put_empty(c);
        }
        const uint64_t ends = c->used;
        memcpy(c->to + start, &ends, sizeof ends);
        at = next;
    }
}

static void mend_fbx(const char* path) {
    size_t size;
    tlw_file_error error;
    uint8_t* bytes = read_file(path, &size);
    fbx_copy c = {bytes, calloc(2, size), 0}; // an empty record for each record is less than that
    if (c.to && size > FBX_START) {
        put(&c, bytes, FBX_START);
        copy_records(&c, FBX_START, size);
        put_empty(&c);
        check(tlw_file_replace(path, c.to, c.used, &error), &error);
    }
    free(c.to);
    free(bytes);
}

static void write_as(const struct aiScene* scene, const char* format, const char* folder,
                     const char* name) {
    char path[TLW_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!scene || aiExportScene(scene, format, path, 0) != aiReturn_SUCCESS) {
        fprintf(stderr, "import_seeds: this Assimp does not write '%s'\n", path);
        exit(1);
    }
    if (strcmp(format, "fbx") == 0) {
        mend_fbx(path);
    }
    tlw_asset* asset;
    tlw_asset_error error;
    if (tlw_asset_load(path, NULL, &asset, &error) != TLW_ASSET_OK) {
        fprintf(stderr, "import_seeds: %s: %s\n", path, error.message);
        exit(1);
    }
    tlw_asset_free(asset);
}

int main(int count, char** arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: import_seeds FOLDER (with hostile_fbx/ and hostile_dae/ in it)\n");
        return 2;
    }
    tlw_rod rod = tlw_rod_make();
    size_t size;
    // Without the clip: Assimp 5.2 writes clips that it cannot read, or without their times.
    tlw_rod_edit(&rod, "'animations':", "'extras':");
    uint8_t* glb = tlw_make_glb(rod.json, rod.bin, TLW_ROD_BYTES, &size);
    const struct aiScene* scene = aiImportFileFromMemory((char*)glb, (unsigned)size, 0, "glb");
    write_as(scene, "fbxa", arguments[1], "hostile_fbx/text.fbx");
    write_as(scene, "fbx", arguments[1], "hostile_fbx/binary.fbx");
    write_as(scene, "collada", arguments[1], "hostile_dae/rod.dae");
    aiReleaseImport(scene);
    free(glb);
    tlw_rod_free(&rod);
    return 0;
}
