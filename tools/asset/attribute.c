// SPDX-License-Identifier: MIT
// Reads the vertex attributes that only a recipe may ask for: colours, further texture coordinates
// and the file's own (_NAME), of whatever name, for paint. Reads accessors, writes
// tlw_asset_primitive.attributes. What is wrong with an attribute that nobody may ever use is a
// note; the file stays readable.
#include "tools/asset/gltf.h"

#include <string.h>

#define COMPONENTS_MAX 4

// Attributes that mesh.c reads and that nothing can be painted with.
static bool is_taken(const char* name) {
    static const char* const prefixes[] = {"POSITION", "NORMAL", "TANGENT", "JOINTS_", "WEIGHTS_"};
    for (size_t i = 0; i < TLW_COUNT_OF(prefixes); ++i) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

// The accessor of an attribute, TLW_ASSET_NONE after a note if it cannot be one value per vertex.
static uint32_t find_accessor(tlw_gltf* g, const tlw_json* at, uint32_t vertex_count) {
    const json_int_t index = json_is_integer(at->value) ? json_integer_value(at->value) : -1;
    if (index < 0 || (uint64_t)index >= g->accessor_count) {
        tlw_gltf_note(g, at, "names no accessor, left out");
        return TLW_ASSET_NONE;
    }
    const tlw_gltf_accessor* a = &g->accessors[index];
    if (a->count != vertex_count || a->element_components > COMPONENTS_MAX) {
        tlw_gltf_note(g, at, "accessor %u has %u elements of %s for %u vertices, left out",
                      (unsigned)index, a->count, a->type, vertex_count);
        return TLW_ASSET_NONE;
    }
    return (uint32_t)index;
}

static bool read_attribute(tlw_gltf* g, const tlw_json* at, uint32_t accessor,
                           tlw_asset_attribute* out) {
    const tlw_gltf_accessor* a = &g->accessors[accessor];
    out->name = tlw_asset_copy_string(g->memory, at->key);
    out->component_count = a->element_components;
    out->is_plain_integer = a->component != TLW_F32 && !a->is_normalised;
    return out->name ? tlw_accessor_raw_floats(g, at, accessor, &out->values)
                     : tlw_gltf_no_memory(g, at, strlen(at->key), 1);
}

bool tlw_gltf_read_attributes(tlw_gltf* g, const tlw_json* attributes, tlw_asset_primitive* p) {
    uint64_t count = 0;
    for (void* i = json_object_iter(attributes->value); i;
         i = json_object_iter_next(attributes->value, i)) {
        count += !is_taken(json_object_iter_key(i));
    }
    if (count == 0) {
        return true;
    }
    tlw_asset_attribute* list = tlw_gltf_allocate(g, attributes, TLW_KEPT, count, sizeof *list);
    if (!list) {
        return false;
    }
    p->attributes = list;
    for (void* i = json_object_iter(attributes->value); i;
         i = json_object_iter_next(attributes->value, i)) {
        const char* name = json_object_iter_key(i);
        const tlw_json at = tlw_json_member(attributes, name);
        const uint32_t accessor =
            is_taken(name) ? TLW_ASSET_NONE : find_accessor(g, &at, p->vertex_count);
        if (accessor != TLW_ASSET_NONE) {
            if (!read_attribute(g, &at, accessor, &list[p->attribute_count])) {
                return false;
            }
            p->attribute_count += 1;
        }
    }
    return true;
}
