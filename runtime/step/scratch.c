// SPDX-License-Identifier: MIT
// Scratch (scratch.h, MODEL 6.2): how a worker's memory is divided for a blob, and which part of it
// must be 0 before a step.
#include "runtime/step/scratch.h"

#include "runtime/step/bends.h"
#include "runtime/step/muscles.h"
#include "runtime/world/character.h"

#include <string.h>

// An odd number of cache lines: 28 arrays of one length would otherwise meet in the same few sets
// of the cache.
static size_t site_stride(const tlw_blob_arrays* blob) {
    const size_t line = TLW_CACHE_LINE / sizeof(float);
    const size_t lines = (blob->site_count + line - 1) / line;
    return (lines | 1) * line;
}

static void carve_duals(tlw_arena* arena, const tlw_blob_lattice* l, tlw_scratch_view* out) {
    const size_t line = TLW_MEMORY_ALIGNMENT;
    out->duals = NULL;
    out->joint_duals = NULL;
    if (l->skinning == TLW_SKINNING_DUAL) {
        out->duals = tlw_arena_push_array(arena, l->joint_count, sizeof *out->duals, line);
        out->joint_duals =
            tlw_arena_push_array(arena, l->joint_count, sizeof *out->joint_duals, line);
    }
}

static void carve_bends(tlw_arena* arena, const tlw_blob_arrays* blob, tlw_scratch_view* out) {
    const size_t line = TLW_MEMORY_ALIGNMENT;
    if (blob->bend_count == 0) {
        return;
    }
    const tlw_blob_bend_window* end = &blob->bend_windows[blob->window_count];
    out->bend_sums = tlw_arena_push_array(arena, end->first_entry, sizeof *out->bend_sums, line);
    out->couple_sums =
        tlw_arena_push_array(arena, end->first_couple, sizeof *out->couple_sums, line);
    out->lengths = tlw_arena_push_array(arena, blob->bend_count, sizeof *out->lengths, line);
    out->bend_work = tlw_arena_push_array(arena, tlw_bend_work(blob), sizeof *out->bend_work, line);
    out->corrections =
        tlw_arena_push_array(arena, blob->window_count, sizeof *out->corrections, line);
}

static void carve_muscles(tlw_arena* arena, const tlw_blob_arrays* blob, tlw_scratch_view* out) {
    const size_t line = TLW_MEMORY_ALIGNMENT;
    const tlw_muscle_sizes sizes = tlw_muscle_sizes_of(blob);
    out->belly_rows = tlw_arena_push_array(arena, sizes.rows, sizeof *out->belly_rows, line);
    out->line_groups = tlw_arena_push_array(arena, sizes.groups, sizeof *out->line_groups, line);
    out->line_work = tlw_arena_push_array(arena, sizes.most_rows, sizeof *out->line_work, line);
    out->line_fields =
        tlw_arena_push_array(arena, sizes.most_fields, sizeof *out->line_fields, line);
}

void tlw_scratch_carve(tlw_arena* arena, const tlw_blob_arrays* blob, tlw_scratch_view* out) {
    const tlw_blob_lattice* l = blob->lattice;
    const size_t line = TLW_MEMORY_ALIGNMENT;
    out->joints = tlw_arena_push_array(arena, l->joint_count, sizeof *out->joints, line);
    out->joint_affines =
        tlw_arena_push_array(arena, l->joint_count, sizeof *out->joint_affines, line);
    out->pose = tlw_arena_push_array(arena, blob->window_count, sizeof *out->pose, line);
    out->site_stride = site_stride(blob);
    out->sites = tlw_arena_push(arena, tlw_embed_scratch_bytes(blob, out->site_stride), line);
    out->regions = tlw_arena_push_array(arena, (size_t)blob->region_stride * TLW_REGION_WORK_ARRAYS,
                                        sizeof *out->regions, line);
    out->results = tlw_arena_push_array(arena, blob->block_count, sizeof *out->results, line);
    out->limbs = tlw_arena_push_array(arena, l->limb_count, sizeof *out->limbs, line);
    carve_duals(arena, l, out);
    carve_bends(arena, blob, out);
    carve_muscles(arena, blob, out);
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
    // The output's stages lie over these arrays (output/output.c).
    out->q = view->sites;
    out->mq = out->q + 3 * out->stride;
    out->lanes = out->mq + 3 * out->stride;
    out->work = out->lanes + TLW_LANE_ARRAYS * out->stride;
    out->region_rotation = c->region_rotation;
    out->region_work = view->regions;
    out->duals = view->duals;
    out->belly_rows = view->belly_rows;
    if (c->settings.skinned_volume) {
        out->bend_sums = view->bend_sums;
        out->couple_sums = view->couple_sums;
        out->lengths = view->lengths;
        out->bend_work = view->bend_work;
        out->corrections = view->corrections;
    }
}

// Clears sites [begin, end) of `count` arrays. Gaps are whole windows: with a memset whose length
// is not a constant this took longer than a pass.
static void clear_gap(float* array, size_t stride, int count, size_t begin, size_t end) {
    for (int i = 0; i < count; ++i, array += stride) {
        for (size_t at = begin; at < end; at += TLW_LANES) {
            memset(array + at, 0, TLW_LANES * sizeof *array);
        }
    }
}

static void clear_gaps(const tlw_substep* s, size_t begin, size_t end) {
    clear_gap(s->q, s->stride, 3, begin, end);
    clear_gap(s->mq, s->stride, 3, begin, end);
    clear_gap(s->work, s->stride, TLW_WORK_ARRAYS, begin, end);
}

// Gaps between rows read as 0. Passes never write there, so this is done once for the blob, not
// once per step.
static void clear_sites(const tlw_substep* s) {
    const tlw_blob_arrays* blob = s->blob;
    size_t after = 0; // the site after the window before
    for (uint32_t w = 0; w < blob->window_count; ++w) {
        const size_t site = blob->windows[w].rows[4];
        if (site > after) {
            clear_gaps(s, after, site);
        }
        after = site + TLW_LANES;
    }
    clear_gaps(s, after, blob->site_count);
}

void tlw_scratch_clear_lanes(const tlw_substep* substep) {
    for (size_t i = 0; i < TLW_LANE_ARRAYS; ++i) {
        memset(substep->lanes + i * substep->stride, 0, TLW_BLOB_PADDING * sizeof(float));
    }
}

void tlw_scratch_open(tlw_scratch* scratch, const tlw_character* c, tlw_scratch_view* view,
                      tlw_substep* substep) {
    tlw_arena arena;
    (void)tlw_arena_init(&arena, "scratch", scratch->memory, scratch->bytes);
    tlw_scratch_carve(&arena, &c->blob, view);
    tlw_substep_init(c, view, substep);
    substep->hits = scratch->hits;
    substep->is_cold = scratch->stepped != c || c->blob.window_count > TLW_COLD_WINDOWS;
    scratch->stepped = c;
    if (scratch->cleared_for != c->blob.bytes) {
        clear_sites(substep);
        scratch->cleared_for = c->blob.bytes;
    }
    tlw_scratch_clear_lanes(substep);
}
