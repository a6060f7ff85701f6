// SPDX-License-Identifier: MIT
// Pass predict. Reads the last moment and the pose; writes q at the sites, relative to the new root
// (design.md, substep 1).
//
//     bone:    q = p_skin
//     others:  p within d_max of the last p_skin,  q = p + h v + h^2 g
//
// p is within it since the last substep, but for rounding, unless it or the limit was set since:
// the last p is then put right.
//
// Also `carry`, which stands for a whole substep: what is kept is put on a new pose.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

// Rare, and out of the loop's way: it took a seventh longer with this in it.
static TLW_NOINLINE f8x3 put_right(f8x3 off, f8 limit) {
    return within3(off, limit);
}

void TLW_KERNEL(tlw_stage_predict)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const f8x3 rebase = all3(s->rebase), gravity = all3(s->gravity);
    const f8 h = all(s->step_seconds), inverse_h = all(1.0f / s->step_seconds);
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const uint32_t site = blob->windows[w].rows[4];
        const f8 kind = tlw_f8_load_aligned(blob->site_kind + site);
        const m8 is_soft = tlw_f8_eq(kind, all(TLW_SITE_SOFT));
        const f8x3 skin = load_window3(s->pose[w].skin);
        const f8x3 skin_last = load_window3(s->pose_last[w].skin);
        f8x3 off = sub3(load_window3(s->last[w].p), skin_last);
        if (s->may_be_off) {
            off = put_right(off, tlw_f8_load_aligned(s->gains[w].limit));
            store_window3(s->last[w].p, add3(skin_last, off));
        }
        const f8x3 from = sub3(skin_last, rebase);
        f8x3 v = load_window3(s->velocity[w].v);
        if (s->is_start) {
            v = mad3(sub3(skin, from), inverse_h, v);
        }
        const f8x3 q = mad3(v, h, add3(add3(from, off), gravity));
        // Skin is 0 of an empty lane too.
        store3(s->q + site, s->stride, add3(keep3(is_soft, q), drop3(is_soft, skin)));
    }
}

// d = Rb^T (p - p_skin), Rb^T (v - v_skin) and Q stay; v, which is relative already, is turned
// along, and the start of the next ordinary substep adds that substep's own v_skin.
void TLW_KERNEL(tlw_stage_carry)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const f8x3 skin = load_window3(s->pose[w].skin);
        const f8x3 skin_last = load_window3(s->pose_last[w].skin);
        if (s->is_reset) {
            const f8 one = tlw_f8_keep(tlw_m8_from_bits(blob->windows[w].occupied), all(1.0f));
            const f8x4 q = {tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero(), one};
            store_window3(s->last[w].p, skin_last);
            store_window4(s->last[w].rotation, q);
            store_window3(s->now[w].p, skin);
            store_window4(s->now[w].rotation, q);
            store_window3(s->velocity[w].v, zero3());
            continue;
        }
        const f8x4 rb_last = load_window4(s->pose_last[w].rb), rb = load_window4(s->pose[w].rb);
        const f8x3 d = unrotate3(rb_last, sub3(load_window3(s->last[w].p), skin_last));
        const f8x3 u = unrotate3(rb_last, load_window3(s->velocity[w].v));
        store_window3(s->now[w].p, add3(skin, rotate3(rb, d)));
        store_window4(s->now[w].rotation, load_window4(s->last[w].rotation));
        store_window3(s->velocity[w].v, rotate3(rb, u));
    }
}
