// SPDX-License-Identifier: MIT
// Stage groups (RULES 10.7): sorts the vertices of each mesh by the block of voxels around them,
// and gives eight that follow each other one list of voxels and one of joints. Reads cook->sources
// and cook->bindings; writes cook->groups, and marks windows that a vertex hangs on.
#include "tools/cook/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A vertex on its way to its place.
typedef struct sorted_vertex {
    uint64_t block; // Morton code
    uint32_t source;
} sorted_vertex;

// Bits of the lower 21 bits of x, two zeros after each.
static uint64_t spread_bits(uint64_t x) {
    uint64_t out = 0;
    for (int bit = 0; bit < 21; ++bit) {
        out |= (x >> bit & 1) << 3 * bit;
    }
    return out;
}

// Which cell's block, along one axis, counted from 0.
static uint64_t block_along(double x, double origin, double voxel, int32_t size) {
    const double cell = floor((x - origin) / voxel - 0.5);
    return cell < -1.0 ? 0 : cell > (double)size ? (uint64_t)size + 1 : (uint64_t)(cell + 1.0);
}

static uint64_t block_of(const tlw_cook_grid* grid, const float* at) {
    const uint64_t x = block_along((double)at[0], grid->origin.x, grid->voxel, grid->size.x);
    const uint64_t y = block_along((double)at[1], grid->origin.y, grid->voxel, grid->size.y);
    const uint64_t z = block_along((double)at[2], grid->origin.z, grid->voxel, grid->size.z);
    return spread_bits(x) | spread_bits(y) << 1 | spread_bits(z) << 2;
}

static int compare_vertices(const void* a, const void* b) {
    const sorted_vertex *x = a, *y = b;
    if (x->block != y->block) {
        return x->block < y->block ? -1 : 1;
    }
    return x->source < y->source ? -1 : x->source > y->source;
}

// Both orders of vertices.
static void sort_vertices(tlw_cook* cook) {
    const tlw_cook_sources* sources = &cook->sources;
    tlw_cook_groups* groups = &cook->groups;
    sorted_vertex* sorted = tlw_cook_allocate(cook, sources->vertex_count, sizeof *sorted);
    groups->source_of = tlw_cook_allocate(cook, sources->vertex_count, sizeof *groups->source_of);
    groups->cooked_of = tlw_cook_allocate(cook, sources->vertex_count, sizeof *groups->cooked_of);
    for (uint32_t i = 0; cook->error.result == TLW_OK && i < sources->count; ++i) {
        const tlw_cook_source* source = &sources->list[i];
        const uint32_t first = source->first_vertex, count = source->mesh.vertex_count;
        for (uint32_t v = 0; v < count; ++v) {
            sorted[first + v] = (sorted_vertex){
                block_of(&cook->grid, source->mesh.positions + (size_t)v * 3), first + v};
        }
        qsort(sorted + first, count, sizeof *sorted, compare_vertices);
        for (uint32_t v = first; v < first + count; ++v) {
            groups->source_of[v] = sorted[v].source;
            groups->cooked_of[sorted[v].source] = v;
        }
    }
    tlw_cook_free(cook, sorted);
}

// What one of eight vertices follows, ascending, with a weight per lane.
typedef struct shared_list {
    uint32_t count;
    uint32_t index[TLW_BLOB_GROUP_VOXELS];
    uint16_t weight[TLW_BLOB_GROUP_VOXELS][TLW_BLOB_LANES];
} shared_list;

static void add_to_list(shared_list* list, uint32_t index, uint16_t weight, uint32_t lane) {
    uint32_t at = 0;
    while (at < list->count && list->index[at] < index) {
        at += 1;
    }
    if (at == list->count || list->index[at] != index) {
        const size_t after = list->count - at;
        memmove(&list->index[at + 1], &list->index[at], after * sizeof *list->index);
        memmove(&list->weight[at + 1], &list->weight[at], after * sizeof *list->weight);
        list->index[at] = index;
        memset(list->weight[at], 0, sizeof list->weight[at]);
        list->count += 1;
    }
    list->weight[at][lane] = weight;
}

// The source's vertex in a lane of a group; lanes after the last vertex repeat it.
static uint32_t vertex_in_lane(const tlw_cook_groups* groups, const tlw_blob_group* group,
                               uint32_t lane) {
    const uint32_t last = group->vertex_count - 1u;
    return groups->source_of[group->first_vertex + (lane < last ? lane : last)];
}

static void list_voxels(const tlw_cook* cook, const tlw_blob_group* group, shared_list* out) {
    out->count = 0;
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        const tlw_cook_followed* voxels =
            &cook->bindings[vertex_in_lane(&cook->groups, group, lane)];
        for (uint32_t i = 0; i < voxels->count; ++i) {
            add_to_list(out, voxels->index[i], voxels->weight[i], lane);
        }
    }
}

// Returns the lanes that are skinned.
static uint8_t list_joints(const tlw_cook* cook, const tlw_cook_source* source,
                           const tlw_blob_group* group, shared_list* out) {
    uint32_t skinned = 0;
    out->count = 0;
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        const uint32_t vertex = vertex_in_lane(&cook->groups, group, lane);
        const tlw_cook_followed joints =
            tlw_cook_skinning(cook, source, vertex - source->first_vertex);
        for (uint32_t i = 0; i < joints.count; ++i) {
            add_to_list(out, joints.index[i], joints.weight[i], lane);
        }
        skinned |= (joints.count > 0) * 1u << lane;
    }
    return (uint8_t)skinned;
}

// Makes the groups of a mesh, with the lengths of their lists.
static void measure_groups(tlw_cook* cook, const tlw_cook_source* source, uint32_t* next) {
    tlw_cook_groups* groups = &cook->groups;
    shared_list list;
    for (uint32_t v = 0; v < source->mesh.vertex_count; v += TLW_BLOB_LANES) {
        const uint32_t left = source->mesh.vertex_count - v;
        tlw_blob_group* group = &groups->list[(*next)++];
        group->first_vertex = source->first_vertex + v;
        group->vertex_count = (uint8_t)(left < TLW_BLOB_LANES ? left : TLW_BLOB_LANES);
        group->first_voxel = groups->voxel_count;
        list_voxels(cook, group, &list);
        group->voxel_count = (uint8_t)list.count;
        groups->voxel_count += list.count;
        group->first_joint = groups->joint_count;
        group->skinned = list_joints(cook, source, group, &list);
        group->joint_count = (uint8_t)list.count;
        groups->joint_count += list.count;
        groups->is_skinned = groups->is_skinned || group->skinned != 0;
    }
    groups->has_normals = groups->has_normals || source->mesh.normals != NULL;
    groups->has_tangents = groups->has_tangents || source->mesh.tangents != NULL;
}

static void fill_group(tlw_cook* cook, const tlw_cook_source* source, const tlw_blob_group* group) {
    tlw_cook_groups* groups = &cook->groups;
    shared_list list;
    list_voxels(cook, group, &list);
    memcpy(groups->voxels + group->first_voxel, list.index, list.count * sizeof *list.index);
    memcpy(groups->voxel_weights + (size_t)group->first_voxel * TLW_BLOB_LANES, list.weight,
           list.count * sizeof *list.weight);
    for (uint32_t i = 0; i < list.count; ++i) {
        cook->order.windows[list.index[i] / TLW_BLOB_LANES].flags |= TLW_WINDOW_IS_BOUND;
    }
    (void)list_joints(cook, source, group, &list);
    for (uint32_t i = 0; i < list.count; ++i) {
        groups->joints[group->first_joint + i] = (uint16_t)list.index[i];
    }
    memcpy(groups->joint_weights + (size_t)group->first_joint * TLW_BLOB_LANES, list.weight,
           list.count * sizeof *list.weight);
}

tlw_result tlw_cook_group_vertices(tlw_cook* cook) {
    const tlw_cook_sources* sources = &cook->sources;
    tlw_cook_groups* groups = &cook->groups;
    sort_vertices(cook);
    for (uint32_t i = 0; i < sources->count; ++i) {
        groups->count += (sources->list[i].mesh.vertex_count + 7) / TLW_BLOB_LANES;
    }
    groups->list = tlw_cook_allocate(cook, groups->count, sizeof *groups->list);
    uint32_t next = 0;
    for (uint32_t i = 0; cook->error.result == TLW_OK && i < sources->count; ++i) {
        measure_groups(cook, &sources->list[i], &next);
    }
    const size_t lanes = TLW_BLOB_LANES * sizeof(uint16_t);
    groups->voxels = tlw_cook_allocate(cook, groups->voxel_count, sizeof *groups->voxels);
    groups->voxel_weights = tlw_cook_allocate(cook, groups->voxel_count, lanes);
    groups->joints = tlw_cook_allocate(cook, groups->joint_count, sizeof *groups->joints);
    groups->joint_weights = tlw_cook_allocate(cook, groups->joint_count, lanes);
    next = 0;
    for (uint32_t i = 0; cook->error.result == TLW_OK && i < sources->count; ++i) {
        const uint32_t end = next + (sources->list[i].mesh.vertex_count + 7) / TLW_BLOB_LANES;
        for (; next < end; ++next) {
            fill_group(cook, &sources->list[i], &groups->list[next]);
        }
    }
    return cook->error.result;
}
