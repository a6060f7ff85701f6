// SPDX-License-Identifier: MIT
// Pass goal, in two stages, width 3. Reads the fits of the 27 regions that hold a voxel; writes q
// (design.md, substep 4).
//
//     g = mean over regions of  R (p0 - c0) + c  =  mean of  R o + T,    q += G(ks) (g - q)
//
// The adjoint of the sums in pass_regions.c. First along the lane axis, for every site, the gaps
// between rows too: a row is felt one site beyond its ends. Then over nine rows.
#include "runtime/kernels.h"
#include "runtime/wide.h"

// A region at +1 along the lane has this voxel at o = -1. A block's sites for this stage begin
// eight before its first row, in the gap: the site just before a row feels that row, and nothing
// else of those eight is felt by the block before.
void TLW_KERNEL(tlw_stage_goal_lanes)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_body* body = s->body;
    const size_t last = end == body->block_count ? body->blocks[end].first_site + TLW_LANES
                                                 : body->blocks[end].first_site - TLW_LANES;
    float *const *t = s->work, *const *lane = s->work + 3;
    float* const* turn = s->work + 6; // columns p and q
    for (size_t at = body->blocks[first].first_site - TLW_LANES; at < last; at += TLW_LANES) {
        for (int i = 0; i < 3; ++i) {
            const f8 before = add(tlw_f8_load(t[i] + at - 1), tlw_f8_load(lane[i] + at - 1));
            const f8 behind = sub(tlw_f8_load(t[i] + at + 1), tlw_f8_load(lane[i] + at + 1));
            tlw_f8_store_aligned(s->lanes[i] + at,
                                 add(add(before, behind), tlw_f8_load_aligned(t[i] + at)));
        }
        for (int i = 0; i < 6; ++i) {
            const f8 sides = add(tlw_f8_load(turn[i] + at - 1), tlw_f8_load(turn[i] + at + 1));
            tlw_f8_store_aligned(s->lanes[3 + i] + at,
                                 add(sides, tlw_f8_load_aligned(turn[i] + at)));
        }
    }
}

// Sum over one row of regions at (dp, dq), dp and dq constants: -dp and -dq of the voxel in them.
TLW_FORCE_INLINE f8x3 add_row(const tlw_substep* s, size_t at, int dp, int dq, f8x3 sum) {
    f8x3 row = load_sites(s->lanes, at);
    if (dp != 0) {
        const f8x3 p = load_sites(s->lanes + 3, at);
        row = dp < 0 ? add3(row, p) : sub3(row, p);
    }
    if (dq != 0) {
        const f8x3 q = load_sites(s->lanes + 6, at);
        row = dq < 0 ? add3(row, q) : sub3(row, q);
    }
    return add3(sum, row);
}

// One region after the other, where some are not linked.
static f8x3 sum_linked(const tlw_substep* s, const tlw_blob_window* window) {
    f8x3 sum = load_sites(s->work, window->rows[4]);
    for (int k = 0; k < 26; ++k) {
        const int step = k < 13 ? k : k + 1;
        const size_t at = window->rows[step / 3] + (size_t)(step % 3) - 1;
        const f8 lane = all((float)(1 - step % 3)), p = all((float)(1 - step / 3 % 3)),
                 q = all((float)(1 - step / 9));
        f8x3 goal = load_sites(s->work, at);
        goal = mad3(load_sites(s->work + 3, at), lane, goal);
        goal = mad3(load_sites(s->work + 6, at), p, goal);
        goal = mad3(load_sites(s->work + 9, at), q, goal);
        sum = add3(sum, keep3(tlw_m8_from_bits(window->links[k]), goal));
    }
    return sum;
}

void TLW_KERNEL(tlw_stage_goal)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_body* body = s->body;
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        const tlw_blob_window* window = &body->windows[w];
        const uint32_t* rows = window->rows;
        f8x3 sum;
        if (window->flags & TLW_WINDOW_HAS_CUTS) {
            sum = sum_linked(s, window);
        } else {
            sum = load_sites(s->lanes, rows[4]);
            sum = add_row(s, rows[0], -1, -1, sum);
            sum = add_row(s, rows[1], 0, -1, sum);
            sum = add_row(s, rows[2], 1, -1, sum);
            sum = add_row(s, rows[3], -1, 0, sum);
            sum = add_row(s, rows[5], 1, 0, sum);
            sum = add_row(s, rows[6], -1, 1, sum);
            sum = add_row(s, rows[7], 0, 1, sum);
            sum = add_row(s, rows[8], 1, 1, sum);
        }
        const size_t slot = (size_t)w * TLW_LANES;
        const f8 count = tlw_f8_from_i8(tlw_i8_load_u8(body->slot_regions + slot));
        const f8 share = tlw_f8_div(all(1.0f), tlw_f8_max(count, all(1.0f)));
        const f8 gain = tlw_f8_gather(
            &s->gains[0].goal, tlw_i8_shift_left(tlw_i8_load_u16(body->slot_material + slot), 2));
        const f8x3 q = load_sites(s->q, rows[4]);
        const m8 is_voxel = tlw_m8_from_bits(window->occupied);
        const f8x3 off = keep3(is_voxel, sub3(scale3(sum, share), q));
        store_sites(s->q, rows[4], mad3(off, gain, q));
    }
}
