// SPDX-License-Identifier: MIT
// The vertices of an open blob, one by one, in either order (runtime/asset.h): rest shape, artist's
// joints, voxels. Reads the groups of a validated blob, writes only what the caller passed (MODEL
// 5.7, RULES 10.7).
#include "platform/handlers.h"
#include "runtime/blob/arrays.h"
#include "runtime/blob/open.h"

tlw_result tlw_blob_get_geometry(const tlw_blob* blob, tlw_geometry* out) {
    TLW_ASSERT(blob != NULL && out != NULL);
    if (!tlw_blob_is_open(blob)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    tlw_blob_contents contents;
    tlw_blob_find_all(blob->bytes, &contents);
    *out = (tlw_geometry){.uvs = contents.first[TLW_SECTION_UVS],
                          .indices = contents.first[TLW_SECTION_INDICES]};
    out->vertex_count = (uint32_t)contents.count[TLW_SECTION_VERTEX_SOURCE];
    out->index_count = (uint32_t)contents.count[TLW_SECTION_INDICES];
    if (out->vertex_count > 0) {
        out->source_of = contents.first[TLW_SECTION_VERTEX_SOURCE];
        out->cooked_of = contents.first[TLW_SECTION_VERTEX_COOKED];
    }
    return TLW_OK;
}

// A walk over vertices that follow each other in one of the orders.
typedef struct vertex_walk {
    tlw_blob_arrays arrays;
    tlw_vertex_order order;
    uint32_t next; // vertex
    uint32_t mesh; // which has it, in both orders; an earlier one before the first step
} vertex_walk;

// Where a vertex lies: its group, and its lane there.
typedef struct vertex_place {
    const tlw_blob_group* group;
    size_t index; // of the group
    uint32_t lane;
} vertex_place;

static tlw_result start_walk(const tlw_blob* blob, tlw_vertex_order order, uint32_t first,
                             uint32_t count, const void* out, vertex_walk* walk) {
    TLW_ASSERT(blob != NULL && (out != NULL || count == 0));
    if (!tlw_blob_is_open(blob) || (order != TLW_ORDER_SOURCE && order != TLW_ORDER_COOKED)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    tlw_blob_arrays_open(blob->bytes, &walk->arrays);
    walk->order = order;
    walk->next = first;
    walk->mesh = 0;
    return (uint64_t)first + count <= walk->arrays.lattice->vertex_count ? TLW_OK
                                                                         : TLW_ERROR_BAD_ARGUMENT;
}

static vertex_place next_place(vertex_walk* walk) {
    const tlw_blob_arrays* a = &walk->arrays;
    const uint32_t vertex = walk->next++;
    while (vertex - a->meshes[walk->mesh].first_vertex >= a->meshes[walk->mesh].vertex_count) {
        walk->mesh += 1;
    }
    const tlw_blob_mesh* mesh = &a->meshes[walk->mesh];
    const uint32_t cooked = walk->order == TLW_ORDER_SOURCE ? a->vertex_cooked[vertex] : vertex;
    const uint32_t at = cooked - mesh->first_vertex;
    const size_t index = (size_t)mesh->first_group + at / TLW_BLOB_LANES;
    return (vertex_place){&a->groups[index], index, at % TLW_BLOB_LANES};
}

// Copies the components of a vertex; 0 where the blob does not have the section.
static void copy_lane(const float* section, const vertex_place* place, uint32_t components,
                      float* out) {
    for (uint32_t c = 0; c < components; ++c) {
        out[c] = section != NULL
                     ? section[(components * place->index + c) * TLW_BLOB_LANES + place->lane]
                     : 0.0f;
    }
}

tlw_result tlw_blob_get_vertices(const tlw_blob* blob, tlw_vertex_order order, uint32_t first,
                                 uint32_t count, tlw_vertex* out) {
    vertex_walk walk;
    const tlw_result result = start_walk(blob, order, first, count, out, &walk);
    for (uint32_t v = 0; result == TLW_OK && v < count; ++v) {
        const vertex_place place = next_place(&walk);
        copy_lane(walk.arrays.group_position, &place, 3, out[v].position);
        copy_lane(walk.arrays.group_normal, &place, 3, out[v].normal);
        copy_lane(walk.arrays.group_tangent, &place, 4, out[v].tangent);
    }
    return result;
}

// The elements of a group's list that a lane has: at most 8, which the validator checks. Returns
// how many there are.
static uint32_t list_lane(const uint16_t* weights, size_t first, uint32_t count, uint32_t lane,
                          size_t elements[8], float out_weights[8]) {
    uint32_t found = 0;
    for (size_t i = first; i < first + count; ++i) {
        const uint16_t weight = weights[i * TLW_BLOB_LANES + lane];
        if (weight > 0) {
            elements[found] = i;
            out_weights[found] = (float)weight / (float)TLW_BLOB_WEIGHT_ONE;
            found += 1;
        }
    }
    for (uint32_t i = found; i < 8; ++i) { // unused places repeat the first one
        elements[i] = found > 0 ? elements[0] : 0;
        out_weights[i] = 0.0f;
    }
    return found;
}

tlw_result tlw_blob_get_skinning(const tlw_blob* blob, tlw_vertex_order order, uint32_t first,
                                 uint32_t count, tlw_vertex_skinning* out) {
    vertex_walk walk;
    const tlw_result result = start_walk(blob, order, first, count, out, &walk);
    for (uint32_t v = 0; result == TLW_OK && v < count; ++v) {
        const vertex_place place = next_place(&walk);
        size_t elements[8];
        const uint32_t found =
            list_lane(walk.arrays.group_joint_weight, place.group->first_joint,
                      place.group->joint_count, place.lane, elements, out[v].weights);
        for (int k = 0; k < 8; ++k) { // without artist weights, joint 0, which every blob has
            out[v].joints[k] = found > 0 ? walk.arrays.group_joint[elements[k]] : 0;
        }
    }
    return result;
}

tlw_result tlw_blob_get_bindings(const tlw_blob* blob, tlw_vertex_order order, uint32_t first,
                                 uint32_t count, tlw_vertex_binding* out) {
    vertex_walk walk;
    const tlw_result result = start_walk(blob, order, first, count, out, &walk);
    for (uint32_t v = 0; result == TLW_OK && v < count; ++v) {
        const vertex_place place = next_place(&walk);
        size_t elements[8];
        (void)list_lane(walk.arrays.group_voxel_weight, place.group->first_voxel,
                        place.group->voxel_count, place.lane, elements, out[v].weights);
        for (int k = 0; k < 8; ++k) {
            out[v].voxels[k] = walk.arrays.slot_voxel[walk.arrays.group_voxel[elements[k]]];
        }
        copy_lane(walk.arrays.group_centre, &place, 3, out[v].centre);
    }
    return result;
}
