// SPDX-License-Identifier: MIT
// The blob's validator: regions of width 2. A region lies in a cube of 2x2x2 cells. Each voxel is
// in eight regions, and has a different place in the cube of each (MODEL 3.6, 9.3). Freestanding;
// reads the blob, writes only the report.
#include "runtime/blob/validator.h"

#define MEMBERS TLW_BLOB_REGION_MEMBERS

// Where a region's first voxel lies in its cube, seen from another voxel of the region: along each
// axis its distance from the voxel plus the voxel's own place is 0 or 1. REGION_FIRST was found to
// be right, so that every other voxel has its place relative to that one.
static tlw_result check_in_block(const blob_view* view, uint32_t slot, uint32_t member) {
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint32_t* region_of = first_of(view, TLW_SECTION_SLOT_REGION);
    const uint32_t* firsts = first_of(view, TLW_SECTION_REGION_FIRST);
    const uint64_t at = (uint64_t)member * view->lattice->slot_count + slot;
    const uint32_t region = region_of[at], first = firsts[region];
    const int16_t* here = windows[slot / LANES].cell;
    const int16_t* there = windows[first / LANES].cell;
    uint32_t place = 0;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        int32_t by = there[axis] - here[axis] + (int32_t)(member >> axis & 1);
        by += axis == 0 ? (int32_t)(first % LANES) - (int32_t)(slot % LANES) : 0;
        if (by < 0 || by > 1) {
            return fail_component(view, TLW_SECTION_SLOT_REGION, at, axis,
                                  "a voxel in its place of the block", by > 1, (uint32_t)by);
        }
        place |= (uint32_t)by << axis;
    }
    const uint32_t of_first = region_of[(uint64_t)place * view->lattice->slot_count + first];
    if (of_first != region) {
        return fail_at(view, TLW_SECTION_SLOT_REGION, at, "a region that its first voxel has",
                       of_first, region);
    }
    return TLW_OK;
}

// Number of different regions among a slot's eight.
static uint32_t count_regions(const blob_view* view, uint32_t slot) {
    const uint32_t* region_of = (const uint32_t*)first_of(view, TLW_SECTION_SLOT_REGION) + slot;
    const uint64_t slots = view->lattice->slot_count;
    uint32_t count = 0;
    for (uint32_t k = 0; k < MEMBERS; ++k) {
        uint32_t other = 0;
        while (region_of[other * slots] != region_of[k * slots]) {
            other += 1;
        }
        count += other == k;
    }
    return count;
}

// Every voxel is each of the eight members exactly once, and REGION_SITE has it there. Regions are
// numbered in the order of their first slots, so that counting them finds them all; `next` is the
// first region that no slot has had yet.
static tlw_result check_regions_of_slot(const blob_view* view, uint32_t s, uint32_t* next) {
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_window* window =
        (const tlw_blob_window*)first_of(view, TLW_SECTION_WINDOWS) + s / LANES;
    const uint32_t* region_of = first_of(view, TLW_SECTION_SLOT_REGION);
    const uint32_t* sites = first_of(view, TLW_SECTION_REGION_SITE);
    const uint32_t* firsts = first_of(view, TLW_SECTION_REGION_FIRST);
    const uint64_t stride = tlw_blob_region_stride(l);
    const bool is_empty = !is_occupied(window, s % LANES);
    const uint32_t site = window->rows[TLW_ROW_SELF] + s % LANES;
    for (uint32_t k = 0; k < MEMBERS; ++k) {
        const uint64_t at = (uint64_t)k * l->slot_count + s;
        const uint32_t r = region_of[at];
        if (is_empty ? r != 0 : r >= l->region_count) {
            return fail_at(view, TLW_SECTION_SLOT_REGION, at, "region; 0 where empty",
                           is_empty ? 0 : last_index(l->region_count), r);
        }
        if (is_empty) {
            continue;
        }
        for (uint32_t other = 0; other < k; ++other) {
            if (region_of[(uint64_t)other * l->slot_count + s] == r) {
                return fail_at(view, TLW_SECTION_SLOT_REGION, at, "eight regions", MEMBERS,
                               count_regions(view, s));
            }
        }
        if (sites[k * stride + r] != site) {
            return fail_at(view, TLW_SECTION_SLOT_REGION, at, "a region that has its site", site,
                           sites[k * stride + r]);
        }
        if (firsts[r] > s || (r == *next && firsts[r] != s)) {
            return fail_at(view, TLW_SECTION_REGION_FIRST, r, "first slot, in order", s, firsts[r]);
        }
        if (r != *next && firsts[r] == s) {
            return fail_at(view, TLW_SECTION_SLOT_REGION, at, "regions in order", *next, r);
        }
        *next += r == *next;
    }
    return TLW_OK;
}

tlw_result tlw_blob_check_regions(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    if (l->region_width != 2) {
        return TLW_OK;
    }
    uint32_t next = 0;
    for (uint32_t s = 0; s < l->slot_count; ++s) {
        const tlw_result result = check_regions_of_slot(view, s, &next);
        if (result != TLW_OK) {
            return result;
        }
    }
    if (next != l->region_count) {
        return fail_at(view, TLW_SECTION_REGION_FIRST, next, "regions with voxels", next,
                       l->region_count);
    }
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    for (uint32_t s = 0; s < l->slot_count; ++s) {
        for (uint32_t k = 0; k < MEMBERS && is_occupied(&windows[s / LANES], s % LANES); ++k) {
            const tlw_result result = check_in_block(view, s, k);
            if (result != TLW_OK) {
                return result;
            }
        }
    }
    // Each voxel has its eight sites; REGION_SITE has no others.
    const uint32_t* sites = first_of(view, TLW_SECTION_REGION_SITE);
    const uint64_t stride = tlw_blob_region_stride(l), count = stride * MEMBERS;
    uint64_t members = 0;
    for (uint64_t i = 0; i < count; ++i) {
        members += sites[i] != 0;
        if (i % stride >= l->region_count && sites[i] != 0) {
            return fail_at(view, TLW_SECTION_REGION_SITE, i, "0 after the last region", 0,
                           sites[i]);
        }
    }
    if (members != (uint64_t)l->voxel_count * MEMBERS) {
        return fail_at(view, TLW_SECTION_REGION_SITE, 0, "sites of voxels only",
                       (uint64_t)l->voxel_count * MEMBERS, members);
    }
    return TLW_OK;
}
