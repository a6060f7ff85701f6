// SPDX-License-Identifier: MIT
// Reads accessors of a glTF file (glTF 2.0, section 3.6.2): checks the ranges in bufferViews
// against the bytes that exist, then loads the numbers, normalised where the accessor says so and
// with sparse elements replaced. Reads g->views, writes g->accessors. min and max are ignored,
// because nothing here depends on them.
#include "platform/checked.h"
#include "tools/asset/gltf.h"

#include <math.h>
#include <string.h>

uint32_t tlw_component_bytes(tlw_gltf_component component) {
    switch (component) {
    case TLW_I8:
    case TLW_U8:
        return 1;
    case TLW_I16:
    case TLW_U16:
        return 2;
    default:
        return 4;
    }
}

const char* tlw_component_name(tlw_gltf_component component) {
    switch (component) {
    case TLW_I8:
        return "BYTE";
    case TLW_U8:
        return "UNSIGNED_BYTE";
    case TLW_I16:
        return "SHORT";
    case TLW_U16:
        return "UNSIGNED_SHORT";
    case TLW_U32:
        return "UNSIGNED_INT";
    default:
        return "FLOAT";
    }
}

// What an accessor says
// ------------------------------------------------------------------------------------------------

static bool read_component(tlw_gltf* g, const tlw_json* at, tlw_gltf_component* out) {
    uint64_t number;
    if (!tlw_json_uint(g, at, TLW_REQUIRED, &number)) {
        return false;
    }
    if (number < TLW_I8 || number > TLW_F32 || number == 5124) {
        return tlw_gltf_fail(g, at, "%llu is no component type", (unsigned long long)number);
    }
    *out = (tlw_gltf_component)number;
    return true;
}

static bool read_type(tlw_gltf* g, const tlw_json* at, tlw_gltf_accessor* a) {
    static const struct {
        const char* name;
        uint32_t columns, rows;
    } types[] = {{"SCALAR", 1, 1}, {"VEC2", 1, 2}, {"VEC3", 1, 3}, {"VEC4", 1, 4},
                 {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};
    const char* name;
    if (!tlw_json_string(g, at, TLW_REQUIRED, &name)) {
        return false;
    }
    for (size_t i = 0; i < TLW_COUNT_OF(types); ++i) {
        if (strcmp(types[i].name, name) == 0) {
            uint32_t column_bytes = types[i].rows * tlw_component_bytes(a->component);
            if (types[i].columns > 1) {
                column_bytes = (column_bytes + 3) & ~3u; // columns start at multiples of 4
            }
            a->type = types[i].name;
            a->element_components = types[i].columns * types[i].rows;
            a->element_bytes = types[i].columns * column_bytes;
            return true;
        }
    }
    return tlw_gltf_fail(g, at, "'%.40s' is no accessor type", name);
}

// Checks that `count` elements from `offset` on lie inside the view and are aligned.
static bool check_range(tlw_gltf* g, const tlw_json* count_at, const tlw_json* offset_at,
                        uint64_t count, uint32_t view_index, uint64_t offset, uint32_t stride,
                        uint32_t element_bytes, uint32_t alignment) {
    const tlw_gltf_view* view = &g->views[view_index];
    uint64_t end;
    if (!tlw_mul_u64(count - 1, stride, &end) || !tlw_add_u64(end, element_bytes, &end) ||
        !tlw_add_u64(end, offset, &end)) {
        return tlw_gltf_fail(g, count_at,
                             "%llu elements of %u bytes from byte %llu on end beyond 2^64 and "
                             "bufferView %u (%llu bytes)",
                             (unsigned long long)count, stride, (unsigned long long)offset,
                             view_index, (unsigned long long)view->size);
    }
    if (end > view->size) {
        return tlw_gltf_fail(g, count_at,
                             "%llu elements of %u bytes end at byte %llu, beyond bufferView %u "
                             "(%llu bytes)",
                             (unsigned long long)count, stride, (unsigned long long)end, view_index,
                             (unsigned long long)view->size);
    }
    if (offset % alignment != 0 || (view->offset + offset) % alignment != 0) {
        return tlw_gltf_fail(
            g, offset_at,
            "byte %llu of bufferView %u, which starts at byte %llu, is not aligned "
            "to components of %u bytes",
            (unsigned long long)offset, view_index, (unsigned long long)view->offset, alignment);
    }
    return true;
}

// Reads bufferView and byteOffset of the indices or values of a sparse accessor. Their views may
// have neither target nor stride.
static bool read_sparse_part(tlw_gltf* g, const tlw_json* count_at, const tlw_json* at,
                             uint32_t count, uint32_t element_bytes, uint32_t alignment,
                             const uint8_t** out) {
    tlw_json view_at = tlw_json_member(at, "bufferView");
    tlw_json offset_at = tlw_json_member(at, "byteOffset");
    uint32_t view;
    uint64_t offset = 0;
    if (!tlw_json_index(g, &view_at, TLW_REQUIRED, g->view_count, &view) ||
        !tlw_json_uint(g, &offset_at, TLW_OPTIONAL, &offset)) {
        return false;
    }
    if (g->views[view].stride != 0 || g->views[view].has_target) {
        return tlw_gltf_fail(g, &view_at, "bufferView %u has a target or byteStride", view);
    }
    if (!check_range(g, count_at, &offset_at, count, view, offset, element_bytes, element_bytes,
                     alignment)) {
        return false;
    }
    *out = g->views[view].bytes + offset;
    return true;
}

static uint32_t load_uint(const uint8_t* bytes, tlw_gltf_component component) {
    uint32_t value = bytes[0];
    for (uint32_t i = 1; i < tlw_component_bytes(component); ++i) {
        value |= (uint32_t)bytes[i] << 8 * i;
    }
    return value;
}

static bool read_sparse(tlw_gltf* g, const tlw_json* at, tlw_gltf_accessor* a) {
    tlw_json count_at = tlw_json_member(at, "count");
    tlw_json indices_at = tlw_json_member(at, "indices"), values_at = tlw_json_member(at, "values");
    tlw_json component_at = tlw_json_member(&indices_at, "componentType");
    uint64_t count;
    if (!tlw_json_object(g, at, TLW_REQUIRED) ||
        !tlw_json_uint(g, &count_at, TLW_REQUIRED, &count) ||
        !tlw_json_object(g, &indices_at, TLW_REQUIRED) ||
        !tlw_json_object(g, &values_at, TLW_REQUIRED) ||
        !read_component(g, &component_at, &a->sparse_component)) {
        return false;
    }
    if (count == 0 || count > a->count) {
        return tlw_gltf_fail(g, &count_at, "%llu of the accessor's %u elements",
                             (unsigned long long)count, a->count);
    }
    if (a->sparse_component != TLW_U8 && a->sparse_component != TLW_U16 &&
        a->sparse_component != TLW_U32) {
        return tlw_gltf_fail(g, &component_at, "%s; indices are unsigned",
                             tlw_component_name(a->sparse_component));
    }
    a->sparse_count = (uint32_t)count;
    uint32_t index_bytes = tlw_component_bytes(a->sparse_component);
    if (!read_sparse_part(g, &count_at, &indices_at, a->sparse_count, index_bytes, index_bytes,
                          &a->sparse_indices) ||
        !read_sparse_part(g, &count_at, &values_at, a->sparse_count, a->element_bytes,
                          tlw_component_bytes(a->component), &a->sparse_values)) {
        return false;
    }
    uint32_t last = 0;
    for (uint32_t i = 0; i < a->sparse_count; ++i) {
        uint32_t index =
            load_uint(a->sparse_indices + (size_t)i * index_bytes, a->sparse_component);
        if (index >= a->count || (i > 0 && index <= last)) {
            return tlw_gltf_fail(g, &indices_at,
                                 "number %u is %u; they must increase and stay below %u", i, index,
                                 a->count);
        }
        last = index;
    }
    return true;
}

static bool read_accessor(tlw_gltf* g, const tlw_json* at, tlw_gltf_accessor* a) {
    tlw_json view_at = tlw_json_member(at, "bufferView"),
             offset_at = tlw_json_member(at, "byteOffset");
    tlw_json component_at = tlw_json_member(at, "componentType");
    tlw_json normalized_at = tlw_json_member(at, "normalized");
    tlw_json count_at = tlw_json_member(at, "count"), type_at = tlw_json_member(at, "type");
    tlw_json sparse_at = tlw_json_member(at, "sparse");
    uint64_t count;
    a->view = TLW_ASSET_NONE;
    if (!tlw_json_index(g, &view_at, TLW_OPTIONAL, g->view_count, &a->view) ||
        !tlw_json_uint(g, &offset_at, TLW_OPTIONAL, &a->offset) ||
        !read_component(g, &component_at, &a->component) ||
        !tlw_json_bool(g, &normalized_at, &a->is_normalised) ||
        !tlw_json_uint(g, &count_at, TLW_REQUIRED, &count) || !read_type(g, &type_at, a)) {
        return false;
    }
    if (a->is_normalised && (a->component == TLW_F32 || a->component == TLW_U32)) {
        return tlw_gltf_fail(g, &normalized_at, "true, and %s cannot be",
                             tlw_component_name(a->component));
    }
    if (count == 0) {
        return tlw_gltf_fail(g, &count_at, "0 elements, and it needs at least 1");
    }
    a->stride = a->element_bytes;
    if (a->view != TLW_ASSET_NONE) {
        uint32_t given = g->views[a->view].stride;
        if (given != 0 && given < a->element_bytes) {
            return tlw_gltf_fail(g, &view_at,
                                 "elements of %u bytes, and bufferView %u has a stride of %u",
                                 a->element_bytes, a->view, given);
        }
        a->stride = given != 0 ? given : a->element_bytes;
        if (!check_range(g, &count_at, &offset_at, count, a->view, a->offset, a->stride,
                         a->element_bytes, tlw_component_bytes(a->component))) {
            return false;
        }
    } else if (offset_at.value) {
        return tlw_gltf_fail(g, &offset_at, "given without a bufferView");
    }
    if (!tlw_u32_from_u64(count, &a->count) || a->count == TLW_ASSET_NONE) {
        return tlw_gltf_fail(g, &count_at, "%llu elements are more than 2^32 - 2",
                             (unsigned long long)count);
    }
    return !sparse_at.value || read_sparse(g, &sparse_at, a);
}

bool tlw_gltf_read_accessors(tlw_gltf* g) {
    tlw_json root = tlw_json_root(g);
    tlw_json accessors = tlw_json_member(&root, "accessors");
    if (!tlw_json_objects(g, &accessors, 0, &g->accessor_count)) {
        return false;
    }
    g->accessors =
        tlw_gltf_allocate(g, &accessors, TLW_SCRATCH, g->accessor_count, sizeof *g->accessors);
    if (!g->accessors) {
        return false;
    }
    for (uint32_t i = 0; i < g->accessor_count; ++i) {
        tlw_json at = tlw_json_element(&accessors, i);
        if (!read_accessor(g, &at, &g->accessors[i])) {
            return false;
        }
    }
    return true;
}

bool tlw_accessor_check_vertices(tlw_gltf* g, const tlw_json* at, uint32_t accessor) {
    const tlw_gltf_accessor* a = &g->accessors[accessor];
    if (a->view == TLW_ASSET_NONE) {
        return true;
    }
    tlw_gltf_view* view = &g->views[a->view];
    if (a->offset % 4 != 0 || a->stride % 4 != 0) {
        return tlw_gltf_fail(g, at,
                             "accessor %u starts at byte %llu with a stride of %u; vertex data "
                             "lies at multiples of 4",
                             accessor, (unsigned long long)a->offset, a->stride);
    }
    if (view->stride == 0) {
        if (view->vertex_accessor != TLW_ASSET_NONE && view->vertex_accessor != accessor) {
            return tlw_gltf_fail(g, at,
                                 "accessors %u and %u share bufferView %u, which has no byteStride",
                                 view->vertex_accessor, accessor, a->view);
        }
        view->vertex_accessor = accessor;
    }
    return true;
}

// The numbers
// ------------------------------------------------------------------------------------------------

static float load_float(const uint8_t* bytes, tlw_gltf_component component, bool is_normalised) {
    uint32_t bits = load_uint(bytes, component);
    switch (component) {
    case TLW_I8: {
        float value = (float)(int8_t)(uint8_t)bits;
        return is_normalised ? fmaxf(value / 127.0f, -1.0f) : value;
    }
    case TLW_U8:
        return is_normalised ? (float)bits / 255.0f : (float)bits;
    case TLW_I16: {
        float value = (float)(int16_t)(uint16_t)bits;
        return is_normalised ? fmaxf(value / 32767.0f, -1.0f) : value;
    }
    case TLW_U16:
        return is_normalised ? (float)bits / 65535.0f : (float)bits;
    case TLW_U32:
        return (float)bits;
    default: {
        float value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    }
}

bool tlw_accessor_charge_unbacked(tlw_gltf* g, const tlw_json* at, const tlw_gltf_accessor* a) {
    uint64_t bytes = (uint64_t)a->count * a->element_components * 4;
    if (a->view != TLW_ASSET_NONE) {
        return true;
    }
    if (bytes > g->limits.unbacked_bytes - g->unbacked_bytes) {
        return tlw_gltf_fail(g, at,
                             "accessors[%td].count: %u elements without a bufferView take %llu "
                             "bytes of zeros, and %llu of %llu are left",
                             a - g->accessors, a->count, (unsigned long long)bytes,
                             (unsigned long long)(g->limits.unbacked_bytes - g->unbacked_bytes),
                             (unsigned long long)g->limits.unbacked_bytes);
    }
    g->unbacked_bytes += bytes;
    return true;
}

// Loads the components of one element. It ignores the padding between columns that small MAT types
// have, because no such type is read.
static bool load_element(tlw_gltf* g, const tlw_json* at, uint32_t accessor, uint32_t element,
                         const uint8_t* bytes, bool is_raw, float* out) {
    const tlw_gltf_accessor* a = &g->accessors[accessor];
    uint32_t component_bytes = tlw_component_bytes(a->component);
    for (uint32_t c = 0; c < a->element_components; ++c) {
        out[c] = load_float(bytes + (size_t)c * component_bytes, a->component, a->is_normalised);
        if (!is_raw && !isfinite(out[c])) {
            return tlw_gltf_fail(g, at, "accessors[%u]: element %u, component %u is %s", accessor,
                                 element, c,
                                 isnan(out[c]) ? "NaN" : (out[c] > 0 ? "infinite" : "-infinite"));
        }
    }
    return true;
}

static bool load_floats(tlw_gltf* g, const tlw_json* at, uint32_t accessor, bool is_raw,
                        const float** out) {
    const tlw_gltf_accessor* a = &g->accessors[accessor];
    if (!tlw_accessor_charge_unbacked(g, at, a)) {
        return false;
    }
    float* floats = tlw_gltf_allocate(g, at, TLW_KEPT, (uint64_t)a->count * a->element_components,
                                      sizeof *floats);
    if (!floats) {
        return false;
    }
    if (a->view != TLW_ASSET_NONE) {
        const uint8_t* bytes = g->views[a->view].bytes + a->offset;
        for (uint32_t i = 0; i < a->count; ++i) {
            if (!load_element(g, at, accessor, i, bytes + (size_t)i * a->stride, is_raw,
                              floats + (size_t)i * a->element_components)) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < a->sparse_count; ++i) {
        size_t index_bytes = tlw_component_bytes(a->sparse_component);
        uint32_t index = load_uint(a->sparse_indices + i * index_bytes, a->sparse_component);
        if (!load_element(g, at, accessor, index, a->sparse_values + (size_t)i * a->element_bytes,
                          is_raw, floats + (size_t)index * a->element_components)) {
            return false;
        }
    }
    *out = floats;
    return true;
}

bool tlw_accessor_floats(tlw_gltf* g, const tlw_json* at, uint32_t accessor, const float** out) {
    tlw_gltf_accessor* a = &g->accessors[accessor];
    if (!a->floats && !load_floats(g, at, accessor, false, &a->floats)) {
        return false;
    }
    *out = a->floats;
    return true;
}

bool tlw_accessor_raw_floats(tlw_gltf* g, const tlw_json* at, uint32_t accessor,
                             const float** out) {
    tlw_gltf_accessor* a = &g->accessors[accessor];
    if (!a->raw && a->floats) {
        a->raw = a->floats;
    }
    if (!a->raw && !load_floats(g, at, accessor, true, &a->raw)) {
        return false;
    }
    *out = a->raw;
    return true;
}

static void load_uints(const tlw_gltf_accessor* a, const uint8_t* bytes, uint32_t* out) {
    for (uint32_t c = 0; c < a->element_components; ++c) {
        out[c] = load_uint(bytes + (size_t)c * tlw_component_bytes(a->component), a->component);
    }
}

bool tlw_accessor_uints(tlw_gltf* g, const tlw_json* at, uint32_t accessor, uint32_t* out,
                        uint32_t out_stride) {
    const tlw_gltf_accessor* a = &g->accessors[accessor];
    if (a->component == TLW_F32 || a->component == TLW_I8 || a->component == TLW_I16) {
        return tlw_gltf_fail(g, at, "accessor %u is %s, unsigned integers were expected", accessor,
                             tlw_component_name(a->component));
    }
    if (a->view != TLW_ASSET_NONE) {
        const uint8_t* bytes = g->views[a->view].bytes + a->offset;
        for (uint32_t i = 0; i < a->count; ++i) {
            load_uints(a, bytes + (size_t)i * a->stride, out + (size_t)i * out_stride);
        }
    }
    for (uint32_t i = 0; i < a->sparse_count; ++i) {
        size_t index_bytes = tlw_component_bytes(a->sparse_component);
        uint32_t index = load_uint(a->sparse_indices + i * index_bytes, a->sparse_component);
        load_uints(a, a->sparse_values + (size_t)i * a->element_bytes,
                   out + (size_t)index * out_stride);
    }
    return true;
}
