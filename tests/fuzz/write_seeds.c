// SPDX-License-Identifier: MIT
// asset_seeds FOLDER: writes FOLDER/fuzz_gltf/*.gltf and FOLDER/fuzz_glb/*.glb, the rod with one
// feature of the format each, for the fuzzers to start from, and FOLDER/hostile_gltf/*.gltf, the
// same with their buffers as text.
#include "platform/file.h"
#include "tests/asset/rod.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct seed {
    const char* name;
    const char* edits[8]; // from, to pairs
} seed;

static const seed seeds[] = {
    {"plain", {NULL}},
    {"sparse",
     {"'count':4,'type':'VEC3'",
      "'count':4,'type':'VEC3','sparse':{'count':1,'indices':{'bufferView':7,'componentType':5121},"
      "'values':{'bufferView':8}}"}},
    {"unbacked",
     {"'bufferView':0,'componentType':5126,'count':4", "'componentType':5126,'count':4"}},
    {"normalised",
     {"'bufferView':2,'componentType':5126",
      "'bufferView':2,'normalized':true,'componentType':5121"}},
    {"eight", {"'WEIGHTS_0':2", "'WEIGHTS_0':2,'JOINTS_1':1,'WEIGHTS_1':2"}},
    {"strip", {"'indices':3", "'indices':3,'mode':5"}},
    {"fan", {"'indices':3", "'mode':6"}},
    {"quantized",
     {"{'asset':", "{'extensionsRequired':['KHR_mesh_quantization'],'asset':",
      "'bufferView':0,'componentType':5126", "'bufferView':0,'componentType':5122",
      "'byteLength':48", "'byteLength':48,'byteStride':8"}},
    {"cubic",
     {",'inverseBindMatrices':4", "", "'componentType':5126,'count':2,'type':'MAT4'",
      "'componentType':5126,'count':6,'type':'VEC3'", "'input':5,'output':6",
      "'input':5,'output':4,'interpolation':'CUBICSPLINE'", "'rotation'", "'translation'"}},
    {"step", {"'input':5,", "'input':5,'interpolation':'STEP',"}},
    {"matrix",
     {"'name':'hip','children':[2],'translation':[0,1,0]",
      "'name':'hip','children':[2],'matrix':[-1,0,0,0,0,0,2,0,0,-1,0,0,4,5,6,1]"}},
    {"two_skins",
     {"'nodes':[0,1]", "'nodes':[0,1,3]", "{'name':'knee','translation':[0,1,0]}]",
      "{'name':'knee','translation':[0,1,0],'rotation':[0,0,1,0],'scale':[1,2,1]},{'mesh':0,"
      "'skin':1}]",
      "'inverseBindMatrices':4}", "'inverseBindMatrices':4},{'joints':[2,1],'skeleton':1}"}},
    {"rigid",
     {"'indices':3}]}]", "'indices':3}]},{'primitives':[{'attributes':{'POSITION':0}, 'mode':5}]}]",
      "{'name':'knee','translation':[0,1,0]}]",
      "{'name':'knee','translation':[0,1,0],'children':[3]},{'mesh':1,'translation':[0,5,0]}]"}},
};

static void write_file(const char* folder, const char* below, const char* kind, const char* name,
                       const void* bytes, size_t size) {
    char path[TLW_PATH_MAX];
    tlw_file_error error;
    snprintf(path, sizeof path, "%s/%s/%s.%s", folder, below, name, kind);
    if (tlw_file_replace(path, bytes, size, &error) != TLW_OK) {
        fprintf(stderr, "asset_seeds: %s\n", error.message);
        exit(1);
    }
}

static void write_seed(const char* folder, const char* kind, const char* name, const void* bytes,
                       size_t size) {
    char below[64];
    snprintf(below, sizeof below, "fuzz_%s", kind);
    write_file(folder, below, kind, name, bytes, size);
}

int main(int count, char** arguments) {
    if (count != 2) {
        fprintf(stderr,
                "usage: asset_seeds FOLDER (with fuzz_gltf/, fuzz_glb/ and hostile_gltf/ in it)\n");
        return 2;
    }
    for (size_t i = 0; i < TLW_COUNT_OF(seeds); ++i) {
        tlw_rod rod = tlw_rod_make();
        for (size_t k = 0; k + 1 < TLW_COUNT_OF(seeds[i].edits) && seeds[i].edits[k]; k += 2) {
            tlw_rod_edit(&rod, seeds[i].edits[k], seeds[i].edits[k + 1]);
        }
        tlw_asset* asset;
        tlw_asset_error error;
        if (tlw_rod_load(&rod, &asset, &error) != TLW_ASSET_OK) {
            fprintf(stderr, "asset_seeds: %s is no valid file: %s\n", seeds[i].name, error.message);
            return 1;
        }
        tlw_asset_free(asset);
        size_t size;
        uint8_t* glb = tlw_make_glb(rod.json, rod.bin, TLW_ROD_BYTES, &size);
        write_seed(arguments[1], "glb", seeds[i].name, glb, size);
        write_seed(arguments[1], "gltf", seeds[i].name, rod.json, strlen(rod.json));
        free(glb);
        char* text = tlw_rod_as_text(&rod);
        write_file(arguments[1], "hostile_gltf", "gltf", seeds[i].name, text, strlen(text));
        free(text);
        tlw_rod_free(&rod);
    }
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "{'asset':", " {'asset':"); // so that fuzz_gltf loads the text as it stands
    char* text = tlw_rod_as_text(&rod);
    tlw_asset* asset;
    tlw_asset_error error;
    if (tlw_asset_load_memory(text, strlen(text), NULL, NULL, &asset, &error) != TLW_ASSET_OK) {
        fprintf(stderr, "asset_seeds: data_uri is no valid file: %s\n", error.message);
        return 1;
    }
    tlw_asset_free(asset);
    write_seed(arguments[1], "gltf", "data_uri", text, strlen(text));
    free(text);
    tlw_rod_free(&rod);
    return 0;
}
