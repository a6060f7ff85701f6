// SPDX-License-Identifier: MIT
// The public side of a blob: opening one (validation, then a cookie that marks it as open), what it
// holds, and the names in it (MODEL 9).
#include "runtime/blob/arrays.h"
#include "runtime/world/character.h"

#include <string.h>

#define OPEN_COOKIE 0x5455535349540001u

tlw_result tlw_blob_open(const void* bytes, size_t size, tlw_blob_trust trust, tlw_blob* out,
                         tlw_blob_report* report) {
    TLW_ASSERT(out != NULL);
    *out = (tlw_blob){0};
    const tlw_result result = tlw_blob_validate(bytes, size, trust, report);
    if (result == TLW_OK) {
        *out = (tlw_blob){bytes, size, OPEN_COOKIE};
    }
    return result;
}

static bool is_open(const tlw_blob* blob) {
    return blob->cookie == OPEN_COOKIE && blob->bytes != NULL;
}

#define SITE_ARRAYS   (3 + 3 + TLW_WORK_ARRAYS + TLW_LANE_ARRAYS)
#define REGION_ARRAYS 16

// An odd number of cache lines: 28 arrays of one length would otherwise meet in the same few sets
// of the cache.
static size_t site_stride(const tlw_blob_arrays* blob) {
    const size_t line = TLW_CACHE_LINE / sizeof(float);
    const size_t lines = (blob->site_count + line - 1) / line;
    return (lines | 1) * line;
}

void tlw_scratch_carve(tlw_arena* arena, const tlw_blob_arrays* blob, tlw_scratch_view* out) {
    const tlw_blob_lattice* l = blob->lattice;
    const size_t line = TLW_MEMORY_ALIGNMENT;
    out->joints = tlw_arena_push_array(arena, l->joint_count, sizeof *out->joints, line);
    out->joint_affines =
        tlw_arena_push_array(arena, l->joint_count, sizeof *out->joint_affines, line);
    out->pose = tlw_arena_push_array(arena, blob->window_count, sizeof *out->pose, line);
    out->site_stride = site_stride(blob);
    const size_t sites = out->site_stride * SITE_ARRAYS * sizeof(float);
    const size_t drawn = tlw_embed_scratch_bytes(blob, out->site_stride);
    out->sites = tlw_arena_push(arena, sites > drawn ? sites : drawn, line);
    out->regions = tlw_arena_push_array(arena, (size_t)blob->region_stride * REGION_ARRAYS,
                                        sizeof *out->regions, line);
    out->results = tlw_arena_push_array(arena, blob->block_count, sizeof *out->results, line);
}

size_t tlw_scratch_bytes(const tlw_blob_arrays* blob) {
    tlw_arena arena;
    tlw_scratch_view view;
    tlw_arena_init_measuring(&arena, "scratch");
    tlw_scratch_carve(&arena, blob, &view);
    return (arena.high_water_bytes + TLW_MEMORY_ALIGNMENT - 1) / TLW_MEMORY_ALIGNMENT *
           TLW_MEMORY_ALIGNMENT;
}

void tlw_substep_init(const tlw_character* c, const tlw_scratch_view* view, tlw_substep* out) {
    *out = (tlw_substep){
        .blob = &c->blob,
        .velocity = c->velocity,
        .joints = view->joints,
        .gains = c->gains,
        .results = view->results,
        .step_seconds = (float)c->substep_seconds,
        .rotation_iterations = c->settings.rotation_iterations,
    };
    out->stride = view->site_stride;
    // What is drawn uses the first two as they are, then what it needs from the lanes on.
    out->q = view->sites;
    out->mq = out->q + 3 * out->stride;
    out->lanes = out->mq + 3 * out->stride;
    out->q2 = out->mq;
    out->work = out->lanes + TLW_LANE_ARRAYS * out->stride;
    out->region_rotation = c->region_rotation;
    out->region_work = view->regions;
}

tlw_result tlw_blob_get_info(const tlw_blob* blob, tlw_blob_info* out) {
    TLW_ASSERT(blob != NULL && out != NULL);
    if (!is_open(blob)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    tlw_blob_arrays arrays;
    tlw_blob_arrays_open(blob->bytes, &arrays);
    const tlw_blob_lattice* l = arrays.lattice;
    *out = (tlw_blob_info){
        .voxel_count = l->voxel_count,
        .vertex_count = l->vertex_count,
        .joint_count = l->joint_count,
        .layer_count = l->layer_count,
        .part_count = l->part_count,
        .mesh_count = (uint32_t)arrays.mesh_count,
        .region_width = l->region_width,
        .neighbours = l->neighbours,
        .has_artist_weights = l->has_artist_weights != 0,
        .voxel_metres = l->voxel_metres,
        .extent_voxels = l->extent_voxels,
        .origin = {l->origin[0], l->origin[1], l->origin[2]},
        .scratch_bytes = tlw_scratch_bytes(&arrays),
        .cost = l->cost,
    };
    return TLW_OK;
}

static const char* name_of(const tlw_blob* blob, tlw_blob_section_kind kind, uint32_t index) {
    uint64_t count, bytes;
    if (!is_open(blob)) {
        return "";
    }
    const char* strings = tlw_blob_find(blob->bytes, TLW_SECTION_STRINGS, &bytes);
    const void* list = tlw_blob_find(blob->bytes, kind, &count);
    if (index >= count) {
        return "";
    }
    return strings + (kind == TLW_SECTION_JOINTS ? ((const tlw_blob_joint*)list)[index].name
                                                 : ((const tlw_blob_layer*)list)[index].name);
}

const char* tlw_blob_joint_name(const tlw_blob* blob, uint32_t joint) {
    TLW_ASSERT(blob != NULL);
    return name_of(blob, TLW_SECTION_JOINTS, joint);
}

const char* tlw_blob_layer_name(const tlw_blob* blob, uint32_t layer) {
    TLW_ASSERT(blob != NULL);
    return name_of(blob, TLW_SECTION_LAYERS, layer);
}
