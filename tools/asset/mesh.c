// SPDX-License-Identifier: MIT
// Reads meshes of a glTF file: attributes as floats, indices as a list of triangles, and one or two
// sets of joints and weights. Reads accessors, writes asset->meshes.
#include "tools/asset/gltf.h"

#include <string.h>

// The component types that an attribute may have (glTF 2.0, section 3.7.2.1), as bits. The last two
// fields are the types that KHR_mesh_quantization adds.
enum {
    BIT_F32 = 1,
    BIT_I8 = 2,
    BIT_U8 = 4,
    BIT_I16 = 8,
    BIT_U16 = 16,
    SIGNED = BIT_I8 | BIT_I16,
    UNSIGNED = BIT_U8 | BIT_U16
};

typedef struct tlw_attribute_rule {
    const char* name;
    const char* type;
    int plain, normalised;
    int quantized_plain, quantized_normalised;
} tlw_attribute_rule;

static const tlw_attribute_rule position_rule = {"POSITION",        "VEC3",           BIT_F32, 0,
                                                 SIGNED | UNSIGNED, SIGNED | UNSIGNED};
static const tlw_attribute_rule normal_rule = {"NORMAL", "VEC3", BIT_F32, 0, 0, SIGNED};
static const tlw_attribute_rule tangent_rule = {"TANGENT", "VEC4", BIT_F32, 0, 0, SIGNED};
static const tlw_attribute_rule morph_rules[3] = {{"POSITION", "VEC3", BIT_F32, 0, SIGNED, SIGNED},
                                                  {"NORMAL", "VEC3", BIT_F32, 0, 0, SIGNED},
                                                  {"TANGENT", "VEC3", BIT_F32, 0, 0, SIGNED}};
static const tlw_attribute_rule uv_rule = {"TEXCOORD_0",      "VEC2", BIT_F32, UNSIGNED,
                                           SIGNED | UNSIGNED, SIGNED};
static const tlw_attribute_rule joints_rules[2] = {{"JOINTS_0", "VEC4", UNSIGNED, 0, 0, 0},
                                                   {"JOINTS_1", "VEC4", UNSIGNED, 0, 0, 0}};
static const tlw_attribute_rule weights_rules[2] = {{"WEIGHTS_0", "VEC4", BIT_F32, UNSIGNED, 0, 0},
                                                    {"WEIGHTS_1", "VEC4", BIT_F32, UNSIGNED, 0, 0}};

static int component_bit(tlw_gltf_component component) {
    switch (component) {
    case TLW_F32:
        return BIT_F32;
    case TLW_I8:
        return BIT_I8;
    case TLW_U8:
        return BIT_U8;
    case TLW_I16:
        return BIT_I16;
    case TLW_U16:
        return BIT_U16;
    default:
        return 0;
    }
}

// Finds the accessor of an attribute and checks its type and count. TLW_ASSET_NONE if the attribute
// is absent.
static bool find_attribute(tlw_gltf* g, const tlw_json* at, const tlw_attribute_rule* rule,
                           uint32_t vertex_count, uint32_t* out) {
    *out = TLW_ASSET_NONE;
    if (!tlw_json_index(g, at, TLW_OPTIONAL, g->accessor_count, out) || *out == TLW_ASSET_NONE) {
        return !at->value;
    }
    const tlw_gltf_accessor* a = &g->accessors[*out];
    int bit = component_bit(a->component);
    int allowed = a->is_normalised ? rule->normalised : rule->plain;
    int quantized = a->is_normalised ? rule->quantized_normalised : rule->quantized_plain;
    if (strcmp(a->type, rule->type) != 0 ||
        !((allowed | (g->is_quantized ? quantized : 0)) & bit)) {
        return tlw_gltf_fail(g, at, "accessor %u is %s of %s%s%s", *out, a->type,
                             a->is_normalised ? "normalised " : "",
                             tlw_component_name(a->component),
                             strcmp(a->type, rule->type) == 0 && (quantized & bit)
                                 ? ", and KHR_mesh_quantization is not required"
                                 : ", which this attribute may not be");
    }
    if (vertex_count != 0 && a->count != vertex_count) {
        return tlw_gltf_fail(g, at, "accessor %u has %u elements, POSITION has %u", *out, a->count,
                             vertex_count);
    }
    return tlw_accessor_check_vertices(g, at, *out);
}

static bool read_floats(tlw_gltf* g, const tlw_json* attributes, const tlw_attribute_rule* rule,
                        uint32_t vertex_count, const float** out) {
    tlw_json at = tlw_json_member(attributes, rule->name);
    uint32_t accessor;
    if (!find_attribute(g, &at, rule, vertex_count, &accessor)) {
        return false;
    }
    return accessor == TLW_ASSET_NONE || tlw_accessor_floats(g, &at, accessor, out);
}

bool tlw_gltf_read_morph(tlw_gltf* g, const tlw_json* at, uint32_t vertex_count,
                         tlw_asset_morph* out) {
    return read_floats(g, at, &morph_rules[0], vertex_count, &out->positions) &&
           read_floats(g, at, &morph_rules[1], vertex_count, &out->normals) &&
           read_floats(g, at, &morph_rules[2], vertex_count, &out->tangents);
}

// Joints and weights
// ------------------------------------------------------------------------------------------------

// Exporters leave any number in the joints that have no weight, even one that the skin has not.
static bool copy_weights(tlw_gltf* g, const tlw_json* at, const float* from, uint32_t set,
                         uint32_t influence_count, uint32_t vertex_count, float* to,
                         uint32_t* joints) {
    for (uint32_t i = 0; i < vertex_count; ++i) {
        for (uint32_t k = 0; k < 4; ++k) {
            float weight = from[(size_t)i * 4 + k];
            if (weight < 0) {
                return tlw_gltf_fail(g, at, "vertex %u has the negative weight %.9g", i,
                                     (double)weight);
            }
            to[(size_t)i * influence_count + set * 4 + k] = weight;
            if (!(weight > 0)) {
                joints[(size_t)i * influence_count + set * 4 + k] = 0;
            }
        }
    }
    return true;
}

static bool read_influences(tlw_gltf* g, const tlw_json* attributes, tlw_asset_primitive* p) {
    uint32_t joints_accessor[2], weights_accessor[2];
    tlw_json joints_at[2], weights_at[2];
    for (uint32_t set = 0; set < 2; ++set) {
        joints_at[set] = tlw_json_member(attributes, joints_rules[set].name);
        weights_at[set] = tlw_json_member(attributes, weights_rules[set].name);
        if (!find_attribute(g, &joints_at[set], &joints_rules[set], p->vertex_count,
                            &joints_accessor[set]) ||
            !find_attribute(g, &weights_at[set], &weights_rules[set], p->vertex_count,
                            &weights_accessor[set])) {
            return false;
        }
        if (!joints_at[set].value != !weights_at[set].value) {
            return tlw_gltf_fail(g, joints_at[set].value ? &weights_at[set] : &joints_at[set],
                                 "missing beside its counterpart");
        }
    }
    if (joints_at[1].value && !joints_at[0].value) {
        return tlw_gltf_fail(g, &joints_at[0], "missing, and there is a set 1");
    }
    tlw_json more_at = tlw_json_member(attributes, "JOINTS_2");
    if (more_at.value) {
        tlw_gltf_note(g, &more_at, "more than 8 influences a vertex: sets 2 and up are left out");
    }
    if (!joints_at[0].value) {
        return true;
    }
    uint32_t influences = joints_at[1].value ? 8 : 4;
    uint64_t count = (uint64_t)p->vertex_count * influences;
    uint32_t* joints = tlw_gltf_allocate(g, &joints_at[0], TLW_KEPT, count, sizeof *joints);
    float* weights = tlw_gltf_allocate(g, &weights_at[0], TLW_KEPT, count, sizeof *weights);
    if (!joints || !weights) {
        return false;
    }
    for (uint32_t set = 0; set < influences / 4; ++set) {
        const float* floats;
        const tlw_gltf_accessor* a = &g->accessors[joints_accessor[set]];
        if (!tlw_accessor_charge_unbacked(g, &joints_at[set], a) ||
            !tlw_accessor_uints(g, &joints_at[set], joints_accessor[set], joints + set * 4,
                                influences) ||
            !tlw_accessor_floats(g, &weights_at[set], weights_accessor[set], &floats) ||
            !copy_weights(g, &weights_at[set], floats, set, influences, p->vertex_count, weights,
                          joints)) {
            return false;
        }
    }
    p->influence_count = influences;
    p->joints = joints;
    p->weights = weights;
    return true;
}

// Triangles
// ------------------------------------------------------------------------------------------------

enum { MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };

// The corners of all triangles in the order of the file: its indices, or 0, 1, 2, ... without any.
static uint32_t* read_corners(tlw_gltf* g, const tlw_json* at, uint32_t vertex_count,
                              uint32_t* count) {
    uint32_t accessor = TLW_ASSET_NONE;
    if (!tlw_json_index(g, at, TLW_OPTIONAL, g->accessor_count, &accessor)) {
        return NULL;
    }
    if (accessor == TLW_ASSET_NONE) {
        uint32_t* corners = tlw_gltf_allocate(g, at, TLW_SCRATCH, vertex_count, sizeof *corners);
        for (uint32_t i = 0; corners && i < vertex_count; ++i) {
            corners[i] = i;
        }
        *count = vertex_count;
        return corners;
    }
    const tlw_gltf_accessor* a = &g->accessors[accessor];
    if (strcmp(a->type, "SCALAR") != 0 || a->is_normalised ||
        (a->component != TLW_U8 && a->component != TLW_U16 && a->component != TLW_U32)) {
        tlw_gltf_fail(g, at, "accessor %u is %s of %s%s; indices are unsigned scalars", accessor,
                      a->type, a->is_normalised ? "normalised " : "",
                      tlw_component_name(a->component));
        return NULL;
    }
    if (a->view != TLW_ASSET_NONE && g->views[a->view].stride != 0) {
        tlw_gltf_fail(g, at, "bufferView %u of the indices has a byteStride", a->view);
        return NULL;
    }
    *count = a->count;
    if (!tlw_accessor_charge_unbacked(g, at, a)) {
        return NULL;
    }
    uint32_t* corners = tlw_gltf_allocate(g, at, TLW_SCRATCH, a->count, sizeof *corners);
    if (!corners || !tlw_accessor_uints(g, at, accessor, corners, 1)) {
        return NULL;
    }
    uint32_t restart = a->component == TLW_U8    ? UINT8_MAX
                       : a->component == TLW_U16 ? UINT16_MAX
                                                 : UINT32_MAX;
    for (uint32_t i = 0; i < a->count; ++i) {
        if (corners[i] == restart) {
            tlw_gltf_fail(g, at, "index %u is %u, the primitive restart value", i, restart);
            return NULL;
        }
        if (corners[i] >= vertex_count) {
            tlw_gltf_fail(g, at, "index %u is %u, and there are %u vertices", i, corners[i],
                          vertex_count);
            return NULL;
        }
    }
    return corners;
}

static bool read_triangles(tlw_gltf* g, const tlw_json* at, uint64_t mode, tlw_asset_primitive* p) {
    uint32_t count;
    const uint32_t* corners = read_corners(g, at, p->vertex_count, &count);
    if (!corners) {
        return false;
    }
    if (count < 3 || (mode == MODE_TRIANGLES && count % 3 != 0)) {
        return tlw_gltf_fail(g, at, "%u corners make no triangles of mode %u", count,
                             (unsigned)mode);
    }
    p->triangle_count = mode == MODE_TRIANGLES ? count / 3 : count - 2;
    uint32_t* indices =
        tlw_gltf_allocate(g, at, TLW_KEPT, (uint64_t)p->triangle_count * 3, sizeof *indices);
    if (!indices) {
        return false;
    }
    for (uint32_t i = 0; i < p->triangle_count; ++i) {
        uint32_t* triangle = indices + (size_t)i * 3;
        if (mode == MODE_TRIANGLES) {
            memcpy(triangle, corners + (size_t)i * 3, 3 * sizeof *triangle);
        } else {
            // glTF 2.0, section 3.7.2.1: every second triangle of a strip swaps two corners; the
            // triangles of a fan share their last corner.
            triangle[0] = mode == MODE_STRIP ? corners[i] : corners[i + 1];
            triangle[1] = mode == MODE_STRIP ? corners[i + 1 + i % 2] : corners[i + 2];
            triangle[2] = mode == MODE_STRIP ? corners[i + 2 - i % 2] : corners[0];
        }
    }
    p->indices = indices;
    return true;
}

static bool read_primitive(tlw_gltf* g, const tlw_json* at, bool is_morphed, tlw_asset_primitive* p,
                           bool* is_triangles) {
    tlw_json mode_at = tlw_json_member(at, "mode"), indices_at = tlw_json_member(at, "indices");
    tlw_json attributes = tlw_json_member(at, "attributes");
    tlw_json position_at = tlw_json_member(&attributes, position_rule.name);
    tlw_json targets_at = tlw_json_member(at, "targets");
    uint64_t mode = MODE_TRIANGLES;
    uint32_t accessor;
    if (!tlw_json_uint(g, &mode_at, TLW_OPTIONAL, &mode) ||
        !tlw_json_object(g, &attributes, TLW_REQUIRED)) {
        return false;
    }
    if (mode > MODE_FAN) {
        return tlw_gltf_fail(g, &mode_at, "%llu is no primitive mode", (unsigned long long)mode);
    }
    *is_triangles = mode >= MODE_TRIANGLES;
    if (!*is_triangles) {
        tlw_gltf_note(g, &mode_at, "points or lines (%llu) are left out", (unsigned long long)mode);
        return true;
    }
    if (!position_at.value) {
        return tlw_gltf_fail(g, &position_at, "missing: the mesh has no vertices");
    }
    if (!find_attribute(g, &position_at, &position_rule, 0, &accessor) ||
        !tlw_accessor_floats(g, &position_at, accessor, &p->positions)) {
        return false;
    }
    p->vertex_count = g->accessors[accessor].count;
    return read_floats(g, &attributes, &normal_rule, p->vertex_count, &p->normals) &&
           read_floats(g, &attributes, &tangent_rule, p->vertex_count, &p->tangents) &&
           read_floats(g, &attributes, &uv_rule, p->vertex_count, &p->uvs) &&
           tlw_gltf_read_morphs(g, &targets_at, is_morphed, p) &&
           read_influences(g, &attributes, p) && tlw_gltf_read_attributes(g, &attributes, p) &&
           read_triangles(g, &indices_at, mode, p);
}

static bool read_mesh(tlw_gltf* g, const tlw_json* at, bool is_morphed, tlw_asset_mesh* mesh) {
    tlw_json list = tlw_json_member(at, "primitives"), weights_at = tlw_json_member(at, "weights");
    uint32_t count;
    if (!tlw_json_name(g, at, &mesh->name) || !tlw_json_objects(g, &list, 1, &count) ||
        !tlw_gltf_read_morph_weights(g, &weights_at, &mesh->morph_weights,
                                     &mesh->morph_weight_count)) {
        return false;
    }
    tlw_asset_primitive* primitives =
        tlw_gltf_allocate(g, &list, TLW_KEPT, count, sizeof *primitives);
    if (!primitives) {
        return false;
    }
    mesh->primitives = primitives;
    for (uint32_t i = 0; i < count; ++i) {
        tlw_json primitive_at = tlw_json_element(&list, i);
        tlw_asset_primitive* p = &primitives[mesh->primitive_count];
        bool is_triangles = false;
        p->file_index = i;
        if (!read_primitive(g, &primitive_at, is_morphed, p, &is_triangles)) {
            return false;
        }
        mesh->primitive_count += is_triangles ? 1 : 0;
    }
    return true;
}

bool tlw_gltf_read_meshes(tlw_gltf* g) {
    tlw_json root = tlw_json_root(g);
    tlw_json list = tlw_json_member(&root, "meshes");
    uint32_t count;
    if (!tlw_json_objects(g, &list, 0, &count)) {
        return false;
    }
    tlw_asset_mesh* meshes = tlw_gltf_allocate(g, &list, TLW_KEPT, count, sizeof *meshes);
    if (!meshes) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        tlw_json at = tlw_json_element(&list, i);
        if (!read_mesh(g, &at, g->is_morphed[i], &meshes[i])) {
            return false;
        }
    }
    g->asset->meshes = meshes;
    g->asset->mesh_count = count;
    return true;
}
