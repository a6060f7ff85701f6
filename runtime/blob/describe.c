// SPDX-License-Identifier: MIT
// What an open blob holds, for engines (runtime/asset.h): joints, meshes, layers, parts, muscles
// and profiles by index and by name. Reads a validated blob, writes only what the caller passed
// (MODEL 9). Vertices are in vertices.c.
#include "platform/handlers.h"
#include "runtime/blob/arrays.h"
#include "runtime/blob/open.h"
#include "runtime/blob/text.h"
#include "runtime/step/matrix.h"

// TLW_OK with the blob's arrays and the number of elements, if `index` is one of them.
static tlw_result open_at(const tlw_blob* blob, tlw_blob_section_kind kind, uint32_t index,
                          tlw_blob_arrays* out) {
    TLW_ASSERT(blob != NULL);
    if (!tlw_blob_is_open(blob)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    uint64_t count;
    (void)tlw_blob_find(blob->bytes, kind, &count);
    if (index >= count) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    tlw_blob_arrays_open(blob->bytes, out);
    return TLW_OK;
}

// The name of element `index`, whose type has its name at `name_offset`.
typedef struct name_list {
    const uint8_t* first;
    size_t element_bytes, name_offset;
    uint64_t count;
    const char* strings;
} name_list;

static const char* name_at(const name_list* list, uint64_t index) {
    const void* at = list->first + index * list->element_bytes + list->name_offset;
    return list->strings + *(const uint32_t*)at;
}

static tlw_result list_names(const tlw_blob* blob, tlw_blob_section_kind kind, size_t name_offset,
                             name_list* out) {
    TLW_ASSERT(blob != NULL);
    if (!tlw_blob_is_open(blob)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    uint64_t bytes;
    out->first = tlw_blob_find(blob->bytes, kind, &out->count);
    out->element_bytes = tlw_blob_element_bytes(kind);
    out->name_offset = name_offset;
    out->strings = tlw_blob_find(blob->bytes, TLW_SECTION_STRINGS, &bytes);
    return TLW_OK;
}

static tlw_result find_name(const tlw_blob* blob, tlw_blob_section_kind kind, size_t name_offset,
                            const char* name, uint32_t* out) {
    TLW_ASSERT(name != NULL && out != NULL);
    name_list list;
    const tlw_result result = list_names(blob, kind, name_offset, &list);
    if (result != TLW_OK) {
        return result;
    }
    for (uint64_t i = 0; i < list.count; ++i) {
        if (tlw_is_same_text(name_at(&list, i), name)) {
            *out = (uint32_t)i;
            return TLW_OK;
        }
    }
    return TLW_ERROR_NOT_FOUND;
}

static const char* name_or_nothing(const tlw_blob* blob, tlw_blob_section_kind kind,
                                   size_t name_offset, uint32_t index) {
    name_list list;
    return list_names(blob, kind, name_offset, &list) == TLW_OK && index < list.count
               ? name_at(&list, index)
               : "";
}

// ---- Skeleton

tlw_result tlw_blob_get_joint(const tlw_blob* blob, uint32_t joint, tlw_joint_info* out) {
    TLW_ASSERT(out != NULL);
    tlw_blob_arrays arrays;
    const tlw_result result = open_at(blob, TLW_SECTION_JOINTS, joint, &arrays);
    if (result != TLW_OK) {
        return result;
    }
    const tlw_blob_joint* j = &arrays.joints[joint];
    *out = (tlw_joint_info){.name = arrays.strings + j->name,
                            .parent = j->parent,
                            .part = j->part,
                            .has_voxels = j->is_kept != 0};
    double rows[3][4], inverse[3][4];
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            rows[row][column] = j->bind[column * 4 + row];
        }
    }
    tlw_invert_affine(rows, inverse);
    for (int i = 0; i < 16; ++i) {
        out->bind[i] = j->bind[i];
        out->inverse_bind[i] = i % 4 < 3 ? inverse[i % 4][i / 4] : i == 15 ? 1.0 : 0.0;
    }
    return TLW_OK;
}

tlw_result tlw_blob_find_joint(const tlw_blob* blob, const char* name, uint32_t* out) {
    return find_name(blob, TLW_SECTION_JOINTS, offsetof(tlw_blob_joint, name), name, out);
}

const char* tlw_blob_joint_name(const tlw_blob* blob, uint32_t joint) {
    return name_or_nothing(blob, TLW_SECTION_JOINTS, offsetof(tlw_blob_joint, name), joint);
}

tlw_result tlw_blob_map_joints(const tlw_blob* blob, const char* const* names, uint32_t name_count,
                               uint32_t* map, uint32_t* missing) {
    TLW_ASSERT(map != NULL && (names != NULL || name_count == 0));
    name_list list;
    tlw_result result = list_names(blob, TLW_SECTION_JOINTS, offsetof(tlw_blob_joint, name), &list);
    if (result != TLW_OK) {
        return result;
    }
    for (uint64_t j = 0; j < list.count; ++j) {
        map[j] = TLW_NO_INDEX;
        for (uint32_t i = 0; i < name_count && map[j] == TLW_NO_INDEX; ++i) {
            if (names[i] != NULL && tlw_is_same_text(name_at(&list, j), names[i])) {
                map[j] = i;
            }
        }
        if (map[j] == TLW_NO_INDEX && result == TLW_OK) {
            result = TLW_ERROR_NOT_FOUND;
            if (missing != NULL) {
                *missing = (uint32_t)j;
            }
        }
    }
    return result;
}

// ---- Meshes

tlw_result tlw_blob_get_mesh(const tlw_blob* blob, uint32_t mesh, tlw_mesh_info* out) {
    TLW_ASSERT(out != NULL);
    tlw_blob_arrays arrays;
    const tlw_result result = open_at(blob, TLW_SECTION_MESHES, mesh, &arrays);
    if (result == TLW_OK) {
        const tlw_blob_mesh* m = &arrays.meshes[mesh];
        *out = (tlw_mesh_info){.name = arrays.strings + m->name,
                               .first_vertex = m->first_vertex,
                               .vertex_count = m->vertex_count,
                               .first_index = m->first_index,
                               .index_count = m->index_count,
                               .has_normals = m->has_normals != 0,
                               .has_tangents = m->has_tangents != 0,
                               .is_points = m->is_points != 0};
    }
    return result;
}

tlw_result tlw_blob_find_mesh(const tlw_blob* blob, const char* name, uint32_t* out) {
    return find_name(blob, TLW_SECTION_MESHES, offsetof(tlw_blob_mesh, name), name, out);
}

// ---- Layers and parts

tlw_result tlw_blob_get_layer(const tlw_blob* blob, uint32_t layer, tlw_layer_info* out) {
    TLW_ASSERT(out != NULL);
    tlw_blob_arrays arrays;
    const tlw_result result = open_at(blob, TLW_SECTION_LAYERS, layer, &arrays);
    if (result == TLW_OK) {
        *out = (tlw_layer_info){arrays.strings + arrays.layers[layer].name,
                                arrays.layers[layer].voxel_count};
    }
    return result;
}

tlw_result tlw_blob_find_layer(const tlw_blob* blob, const char* name, uint32_t* out) {
    return find_name(blob, TLW_SECTION_LAYERS, offsetof(tlw_blob_layer, name), name, out);
}

const char* tlw_blob_layer_name(const tlw_blob* blob, uint32_t layer) {
    return name_or_nothing(blob, TLW_SECTION_LAYERS, offsetof(tlw_blob_layer, name), layer);
}

const char* tlw_part_kind_text(tlw_part_kind kind) {
    static const char* const texts[] = {
#define PART_KIND_TEXT(enumerator, text) text,
        TLW_PART_KINDS(PART_KIND_TEXT)
#undef PART_KIND_TEXT
    };
    return (uint32_t)kind < TLW_PART_KIND_COUNT ? texts[kind] : "unknown";
}

tlw_result tlw_blob_get_part(const tlw_blob* blob, uint32_t part, tlw_part_info* out) {
    TLW_ASSERT(out != NULL);
    tlw_blob_arrays arrays;
    const tlw_result result = open_at(blob, TLW_SECTION_PARTS, part, &arrays);
    if (result == TLW_OK) {
        const tlw_blob_part* p = &arrays.parts[part];
        *out = (tlw_part_info){p->joint, p->voxel_count, (tlw_part_kind)p->kind};
    }
    return result;
}

tlw_result tlw_blob_find_part(const tlw_blob* blob, const char* joint, uint32_t* out) {
    TLW_ASSERT(out != NULL);
    uint32_t index;
    const tlw_result result = tlw_blob_find_joint(blob, joint, &index);
    if (result == TLW_OK) {
        uint64_t count;
        const tlw_blob_joint* joints = tlw_blob_find(blob->bytes, TLW_SECTION_JOINTS, &count);
        *out = joints[index].part;
    }
    return result;
}

// ---- Muscles

tlw_result tlw_blob_get_muscle(const tlw_blob* blob, uint32_t muscle, tlw_muscle_info* out) {
    TLW_ASSERT(out != NULL);
    tlw_blob_arrays arrays;
    const tlw_result result = open_at(blob, TLW_SECTION_MUSCLES, muscle, &arrays);
    if (result == TLW_OK) {
        const tlw_blob_muscle* from = &arrays.muscles[muscle];
        *out = (tlw_muscle_info){
            .name = (const char*)arrays.strings + from->name,
            .vertex_count = from->vertex_count,
            .flex_joint = from->flex_joint,
            .radius_metres = from->radius * (float)arrays.lattice->voxel_metres,
        };
    }
    return result;
}

tlw_result tlw_blob_find_muscle(const tlw_blob* blob, const char* name, uint32_t* out) {
    return find_name(blob, TLW_SECTION_MUSCLES, offsetof(tlw_blob_muscle, name), name, out);
}

// ---- Profiles

// The blob lists the profiles after this one.
#define FIRST_PROFILE "cooked"

tlw_result tlw_blob_find_profile(const tlw_blob* blob, const char* name, uint32_t* out) {
    TLW_ASSERT(out != NULL);
    uint32_t index;
    const tlw_result result =
        find_name(blob, TLW_SECTION_PROFILES, offsetof(tlw_blob_profile, name), name, &index);
    if (result == TLW_OK) {
        *out = index + 1;
    } else if (result == TLW_ERROR_NOT_FOUND && tlw_is_same_text(name, FIRST_PROFILE)) {
        *out = 0;
        return TLW_OK;
    }
    return result;
}

const char* tlw_blob_profile_name(const tlw_blob* blob, uint32_t profile) {
    TLW_ASSERT(blob != NULL);
    if (profile == 0) {
        return tlw_blob_is_open(blob) ? FIRST_PROFILE : "";
    }
    return name_or_nothing(blob, TLW_SECTION_PROFILES, offsetof(tlw_blob_profile, name),
                           profile - 1);
}
