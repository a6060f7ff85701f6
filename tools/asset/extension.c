// SPDX-License-Identifier: MIT
// The extensions that a glTF file requires: those that do not touch nodes, geometry, skins or clips
// are accepted, whatever they do; compression of geometry is refused with the command that undoes
// it; what is not known is refused, because it may change anything.
#include "tools/asset/gltf.h"

#include <string.h>

// It allows more component types for vertices, which the reader knows.
#define QUANTIZATION "KHR_mesh_quantization"

// A name that ends with '*' is the beginning of names.
static const char* const accepted[] = {
    QUANTIZATION,
    "ADOBE_materials_*",
    "EXT_lights_*",
    "EXT_materials_*",
    "EXT_texture_*",
    "KHR_animation_pointer", // channels that do not move nodes are left out
    "KHR_audio_*",
    "KHR_interactivity",
    "KHR_lights_*",
    "KHR_materials_*",
    "KHR_physics_*",
    "KHR_techniques_webgl",
    "KHR_texture_*",
    "KHR_xmp*",
    "MSFT_packing_*",
    "MSFT_texture_*",
    "VRM*", // VRM 0.x, and VRMC_* of 1.0: humanoid, expressions, springs, materials
};

// The commands were read in the documentation and the source of both programs: `gltf-transform
// copy` drops both kinds of compression; gltfpack reads the newer kind too.
#define COPY "gltf-transform copy IN.glb OUT.glb"
static const struct {
    const char *name, *command;
} packed[] = {
    {"KHR_draco_mesh_compression", COPY},
    {"EXT_meshopt_compression", COPY},
    {"KHR_meshopt_compression", "gltfpack -noq -kn -i IN.glb -o OUT.glb"},
};

static bool matches(const char* pattern, const char* name) {
    const size_t length = strlen(pattern);
    return pattern[length - 1] == '*' ? strncmp(pattern, name, length - 1) == 0
                                      : strcmp(pattern, name) == 0;
}

static bool check_extension(tlw_gltf* g, const tlw_json* at, const char* name) {
    for (size_t i = 0; i < TLW_COUNT_OF(accepted); ++i) {
        if (matches(accepted[i], name)) {
            g->is_quantized |= strcmp(name, QUANTIZATION) == 0;
            return true;
        }
    }
    for (size_t i = 0; i < TLW_COUNT_OF(packed); ++i) {
        if (strcmp(packed[i].name, name) == 0) {
            return tlw_gltf_fail(g, at, "'%s' packs the geometry; this unpacks it: %s", name,
                                 packed[i].command);
        }
    }
    return tlw_gltf_fail(g, at, "the extension '%.80s' is not known", name);
}

bool tlw_gltf_check_extensions(tlw_gltf* g) {
    tlw_json root = tlw_json_root(g);
    tlw_json list = tlw_json_member(&root, "extensionsRequired");
    uint32_t count;
    if (!tlw_json_array(g, &list, 0, &count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        tlw_json at = tlw_json_element(&list, i);
        const char* name;
        if (!tlw_json_string(g, &at, TLW_REQUIRED, &name) || !check_extension(g, &at, name)) {
            return false;
        }
    }
    return true;
}
