// SPDX-License-Identifier: MIT
// The blob's validator: windows (their sites, cells and occupied lanes), blocks of windows, and
// what lies at each site (MODEL 9.2, 9.3). Freestanding; reads the blob, writes only the report.
#include "runtime/blob/validator.h"

static uint32_t site_of(const tlw_blob_window* window) {
    return window->rows[TLW_ROW_SELF];
}

// Windows are ordered by plane, then row, then lane, and those of a row do not overlap.
static tlw_result check_order(const blob_view* view, uint32_t w) {
    const tlw_blob_section_kind kind = TLW_SECTION_WINDOWS;
    const tlw_blob_window* last = (const tlw_blob_window*)first_of(view, kind) + (w - 1);
    const tlw_blob_window* window = last + 1;
    if (site_of(window) <= site_of(last)) {
        return fail_at(view, kind, w, "ascending sites", site_of(last) + LANES, site_of(window));
    }
    uint32_t axis = 2; // the first, from plane to lane, along which the two differ; else the lane
    while (axis > 0 && last->cell[axis] == window->cell[axis]) {
        axis -= 1;
    }
    const int32_t least = last->cell[axis] + (axis == 0 ? (int32_t)LANES : 0);
    if (window->cell[axis] < least) {
        return fail_component(view, kind, w, axis, "ascending cells", (uint16_t)least,
                              (uint16_t)window->cell[axis]);
    }
    return TLW_OK;
}

static tlw_result check_window(const blob_view* view, uint32_t w) {
    const tlw_blob_section_kind kind = TLW_SECTION_WINDOWS;
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_window* window = (const tlw_blob_window*)first_of(view, kind) + w;
    const uint32_t* voxel_of = first_of(view, TLW_SECTION_SLOT_VOXEL);
    const tlw_blob_cell* cells = first_of(view, TLW_SECTION_VOXEL_CELL);
    const uint32_t site = site_of(window), end = l->site_count - TLW_BLOB_PADDING - LANES;
    // The first window's site and the last one's are fixed; the others lie between, in steps of 8.
    const uint32_t low = w == l->window_count - 1 ? end : TLW_BLOB_PADDING;
    const uint32_t high = w == 0 ? TLW_BLOB_PADDING : end;
    if (site < low || site > high || site % LANES != 0) {
        return fail_at(view, kind, w, "site",
                       site < low    ? low
                       : site > high ? high
                                     : site - site % LANES,
                       site);
    }
    for (uint32_t i = 0; i < sizeof window->reserved; ++i) {
        if (window->reserved[i] != 0) {
            return fail_component(view, kind, w, i, "reserved byte", 0, window->reserved[i]);
        }
    }
    if (window->occupied == 0) {
        return fail_at(view, kind, w, "a voxel or more", 1, 0);
    }
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        const uint32_t voxel = voxel_of[w * LANES + lane];
        if (is_occupied(window, lane) != (voxel != TLW_BLOB_NO_INDEX)) {
            return fail_component(view, kind, w, lane, "occupied lanes", voxel != TLW_BLOB_NO_INDEX,
                                  is_occupied(window, lane));
        }
        if (voxel == TLW_BLOB_NO_INDEX) {
            continue;
        }
        const int32_t xyz[3] = {cells[voxel].x, cells[voxel].y, cells[voxel].z};
        for (uint32_t i = 0; i < 3; ++i) {
            const int32_t at = xyz[(l->lane_axis + i) % 3] - (i == 0 ? (int32_t)lane : 0);
            if (window->cell[i] != at) {
                return fail_component(view, kind, w, i, "cell", (uint16_t)at,
                                      (uint16_t)window->cell[i]);
            }
        }
    }
    return w > 0 ? check_order(view, w) : TLW_OK;
}

tlw_result tlw_blob_check_windows(const blob_view* view) {
    for (uint32_t w = 0; w < view->lattice->window_count; ++w) {
        const tlw_result result = check_window(view, w);
        if (result != TLW_OK) {
            return result;
        }
    }
    return TLW_OK;
}

static bool is_same_row(const tlw_blob_window* a, const tlw_blob_window* b) {
    return a->cell[1] == b->cell[1] && a->cell[2] == b->cell[2];
}

// The site of the window's last voxel.
static uint32_t last_site(const tlw_blob_window* window) {
    uint32_t lane = LANES - 1;
    while (!is_occupied(window, lane)) {
        lane -= 1;
    }
    return site_of(window) + lane;
}

// Blocks go from the first window to the last, are whole rows, and have a gap between them.
tlw_result tlw_blob_check_blocks(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_BLOCKS;
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const tlw_blob_block* blocks = first_of(view, kind);
    const uint64_t count = count_of(view, kind);
    if (count < 2) {
        return fail_at(view, kind, 0, "two blocks or more", 2, count);
    }
    for (uint64_t b = 0; b < count; ++b) {
        const uint32_t first = blocks[b].first_window;
        const bool is_end = b == count - 1; // the entry after the last block
        const uint64_t least = b == 0 ? 0 : (uint64_t)blocks[b - 1].first_window + 1;
        if (b == 0 ? first != 0 : first < least) {
            return fail_at(view, kind, b, "ascending windows from 0", least, first);
        }
        if (is_end ? first != l->window_count : first >= l->window_count) {
            return fail_at(view, kind, b, "up to the last window",
                           is_end ? l->window_count : last_index(l->window_count), first);
        }
        if (b > 0 && !is_end && is_same_row(&windows[first], &windows[first - 1])) {
            uint32_t row = first - 1; // where the row begins
            while (row > 0 && is_same_row(&windows[first], &windows[row - 1])) {
                row -= 1;
            }
            return fail_at(view, kind, b, "whole rows", row, first);
        }
        const uint32_t site = is_end ? l->site_count - TLW_BLOB_PADDING : site_of(&windows[first]);
        if (blocks[b].first_site != site) {
            return fail_at(view, kind, b, "site of its first window", site, blocks[b].first_site);
        }
        if (b > 0 && !is_end && site - last_site(&windows[first - 1]) <= TLW_BLOB_GAP) {
            return fail_at(view, kind, b, "a gap before it",
                           last_site(&windows[first - 1]) + 1 + TLW_BLOB_GAP, site);
        }
    }
    return TLW_OK;
}

// Compared by bits: a site without a voxel is +0, not -0.
tlw_result tlw_blob_check_sites(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_window* windows = first_of(view, TLW_SECTION_WINDOWS);
    const uint8_t* layers = first_of(view, TLW_SECTION_SLOT_LAYER);
    const float* kinds = first_of(view, TLW_SECTION_SITE_KIND);
    uint32_t w = 0; // the window that the site lies in, or the next one
    for (uint32_t site = 0; site < l->site_count; ++site) {
        w += w < l->window_count && site == site_of(&windows[w]) + LANES;
        float expected = TLW_SITE_EMPTY;
        if (w < l->window_count && site >= site_of(&windows[w]) &&
            is_occupied(&windows[w], site - site_of(&windows[w]))) {
            const uint32_t slot = w * LANES + site - site_of(&windows[w]);
            expected = layers[slot] == 0 ? TLW_SITE_BONE : TLW_SITE_SOFT;
        }
        if (bits_of(kinds[site]) != bits_of(expected)) {
            return fail_at(view, TLW_SECTION_SITE_KIND, site, "what lies there", bits_of(expected),
                           bits_of(kinds[site]));
        }
    }
    return TLW_OK;
}
