// SPDX-License-Identifier: MIT
// Loads glTF 2.0 from a file or from memory: runs the stages of gltf.h in order and returns the
// asset or the first error. Also checks the version.
#include "tools/asset/gltf.h"
#include "platform/handlers.h"
#include "tools/asset/assimp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMITS_COOKIE 0x4C494D54u

const char* tlw_asset_code_name(tlw_asset_code code) {
#define TLW_ASSET_CODE_NAME(name, exit_code, meaning) \
    if (code == name) {                               \
        return #name;                                 \
    }
    TLW_ASSET_CODE_TABLE(TLW_ASSET_CODE_NAME)
#undef TLW_ASSET_CODE_NAME
    return "TLW_ASSET_UNKNOWN";
}

tlw_exit_code tlw_asset_exit_code(tlw_asset_code code) {
#define TLW_ASSET_CODE_EXIT(name, exit_code, meaning) \
    if (code == name) {                               \
        return exit_code;                             \
    }
    TLW_ASSET_CODE_TABLE(TLW_ASSET_CODE_EXIT)
#undef TLW_ASSET_CODE_EXIT
    return TLW_EXIT_FAILED;
}

tlw_asset_limits tlw_default_asset_limits(void) {
    return (tlw_asset_limits){.memory_bytes = (uint64_t)1 << 30,
                              .unbacked_bytes = (uint64_t)16 << 20,
                              .json_depth = 64,
                              .import_seconds = 60,
                              .import_bytes = (uint64_t)2 << 30,
                              .cookie = LIMITS_COOKIE};
}

// The file as a whole
// ------------------------------------------------------------------------------------------------

// "2.0"; digits only, and few enough not to overflow.
static bool read_version(tlw_gltf* g, const tlw_json* at, tlw_json_need need, uint32_t version[2]) {
    const char* text = NULL;
    if (!tlw_json_string(g, at, need, &text) || !text) {
        return !at->value && need == TLW_OPTIONAL;
    }
    uint32_t part = 0, digits = 0;
    version[0] = version[1] = 0;
    for (const char* c = text; *c; ++c) {
        if (*c == '.' && part == 0 && digits > 0) {
            part = 1;
            digits = 0;
        } else if (*c >= '0' && *c <= '9' && digits < 6) {
            version[part] = version[part] * 10 + (uint32_t)(*c - '0');
            digits += 1;
        } else {
            digits = 0;
            break;
        }
    }
    return (part == 1 && digits > 0) || tlw_gltf_fail(g, at, "'%.40s' is no version", text);
}

static bool check_version(tlw_gltf* g) {
    tlw_json root = tlw_json_root(g);
    tlw_json at = tlw_json_member(&root, "asset");
    tlw_json version_at = tlw_json_member(&at, "version");
    tlw_json least_at = tlw_json_member(&at, "minVersion");
    uint32_t version[2], least[2] = {2, 0};
    if (!tlw_json_object(g, &at, TLW_REQUIRED) ||
        !read_version(g, &version_at, TLW_REQUIRED, version) ||
        !read_version(g, &least_at, TLW_OPTIONAL, least)) {
        return false;
    }
    if (version[0] != 2) {
        return tlw_gltf_fail(g, &version_at, "%u.%u, only 2.x is known", version[0], version[1]);
    }
    if (least[0] != 2 || least[1] != 0) {
        return tlw_gltf_fail(g, &least_at, "%u.%u, and this reader knows 2.0", least[0], least[1]);
    }
    return true;
}

static bool read_all(tlw_gltf* g, const uint8_t* bytes, size_t size) {
    const char* text = (const char*)bytes;
    size_t text_size = size;
    if (size == 0) {
        return tlw_gltf_fail(g, NULL, "the file is empty");
    }
    if (tlw_glb_is_glb(bytes, size)) {
        if (!tlw_glb_split(g, bytes, size, &text, &text_size)) {
            return false;
        }
    } else {
        size_t first = 0;
        while (first + 1 < size && strchr(" \t\r\n", text[first]) && text[first]) {
            first += 1;
        }
        if (text[first] != '{') {
            return tlw_gltf_fail(
                g, NULL,
                "no glTF: the file starts with byte 0x%02X, neither with the magic "
                "'glTF' nor with a JSON object",
                bytes[first]);
        }
    }
    return tlw_json_parse(g, text, text_size) && check_version(g) && tlw_gltf_check_extensions(g) &&
           tlw_gltf_read_buffers(g) && tlw_gltf_list_pictures(g) && tlw_gltf_read_accessors(g) &&
           tlw_gltf_find_morphs(g) && tlw_gltf_read_meshes(g) && tlw_gltf_read_nodes(g) &&
           tlw_gltf_check_morphs(g) && tlw_gltf_read_skins(g) && tlw_gltf_check_skinned_nodes(g) &&
           tlw_gltf_read_animations(g);
}

// Start and end of a load
// ------------------------------------------------------------------------------------------------

static tlw_asset_code start(tlw_gltf* g, const tlw_asset_limits* limits, tlw_asset_error* error) {
    *error = (tlw_asset_error){.code = TLW_ASSET_OK};
    *g = (tlw_gltf){.error = error, .limits = limits ? *limits : tlw_default_asset_limits()};
    if (g->limits.cookie != LIMITS_COOKIE) {
        error->code = TLW_ASSET_BAD_OPTION;
        snprintf(error->message, sizeof error->message,
                 "the limits did not come from tlw_default_asset_limits");
        return error->code;
    }
    tlw_asset* asset = calloc(1, sizeof *asset);
    tlw_asset_memory* memory = calloc(1, sizeof *memory);
    if (!asset || !memory) {
        free(asset);
        free(memory);
        tlw_gltf_cannot_read(g, NULL, "no memory for the asset");
        return error->code;
    }
    memory->limit_bytes = g->limits.memory_bytes;
    asset->memory = memory;
    g->asset = asset;
    g->memory = memory;
    g->notes = (tlw_notes){
        .memory = memory,
        .texts = tlw_gltf_allocate(g, NULL, TLW_KEPT, TLW_NOTES_MAX, sizeof *g->notes.texts),
        .count = &asset->note_count};
    g->files = tlw_gltf_allocate(g, NULL, TLW_KEPT, 1, sizeof *g->files);
    g->file_hashes = tlw_gltf_allocate(g, NULL, TLW_KEPT, 1, sizeof *g->file_hashes);
    asset->notes = g->notes.texts;
    asset->files = g->files;
    asset->file_hashes = g->file_hashes;
    return error->code;
}

static tlw_asset_code finish(tlw_gltf* g, tlw_asset** out) {
    json_decref(g->root);
    if (g->error->code != TLW_ASSET_OK) {
        tlw_asset_free(g->asset);
        *out = NULL;
    } else {
        tlw_asset_free_scratch(g->memory);
        g->asset->memory_bytes = g->memory->most_bytes;
        *out = g->asset;
    }
    return g->error->code;
}

tlw_asset_code tlw_asset_load_memory(const void* bytes, size_t size, const char* folder,
                                     const tlw_asset_limits* limits, tlw_asset** asset,
                                     tlw_asset_error* error) {
    TLW_ASSERT(asset != NULL && (bytes != NULL || size == 0));
    tlw_asset_error ignored;
    tlw_gltf g;
    if (start(&g, limits, error ? error : &ignored) == TLW_ASSET_OK) {
        g.folder = folder;
        (void)read_all(&g, bytes, size);
    }
    return finish(&g, asset);
}

// "a/b.gltf" -> "a", "b.gltf" -> ".", "/b.gltf" -> "/".
static char* folder_of(const char* path) {
    size_t length = 0;
    for (size_t i = 0; path[i]; ++i) {
        if (path[i] == '/' || (TLW_OS_WINDOWS && path[i] == '\\')) {
            length = i > 0 ? i : 1;
        }
    }
    char* folder = calloc(length + 2, 1);
    if (folder) {
        memcpy(folder, length > 0 ? path : ".", length > 0 ? length : 1);
    }
    return folder;
}

tlw_asset_code tlw_asset_load(const char* path, const tlw_asset_limits* limits, tlw_asset** asset,
                              tlw_asset_error* error) {
    TLW_ASSERT(path != NULL && asset != NULL);
    tlw_asset_error ignored;
    tlw_gltf g;
    tlw_gltf_buffer file;
    char* folder = folder_of(path);
    if (start(&g, limits, error ? error : &ignored) != TLW_ASSET_OK || !folder) {
        // reported below
    } else if (tlw_assimp_takes(path)) {
        (void)tlw_assimp_load(&g, path);
    } else if (tlw_gltf_read_file(&g, NULL, path, &file)) {
        g.folder = folder;
        (void)read_all(&g, file.bytes, (size_t)file.size);
    }
    if (!folder) {
        tlw_gltf_cannot_read(&g, NULL, "no memory for the path");
    }
    free(folder);
    return finish(&g, asset);
}

void tlw_asset_free(tlw_asset* asset) {
    if (asset) {
        tlw_asset_free_all(asset->memory);
        free(asset->memory);
        free(asset);
    }
}
