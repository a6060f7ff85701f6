// SPDX-License-Identifier: MIT
// Pass velocity: the end of a substep. Reads q, pose and state; writes state (design.md, substep
// 7).
//
//     v_skin = (p_skin - p_skin_last)/h,   v = v_skin + kd^(h/0.1) ((q - p)/h - v_skin),   p = q
//     by component, |p - p_skin| < 2e-5 and |v - v_skin| < 2e-3: both become the skinned ones
//
// Also what the character must know of its blocks: how far anything moved, whether all is finite.
#include "runtime/kernels.h"
#include "runtime/wide.h"

#define STILL_POSITION 2e-5f
#define STILL_VELOCITY 2e-3f

// What is not a number is not at rest: it must reach the check below.
TLW_FORCE_INLINE void rest(f8* off, f8* relative) {
    const m8 rests = tlw_m8_and(tlw_f8_lt(tlw_f8_abs(*off), all(STILL_POSITION)),
                                tlw_f8_lt(tlw_f8_abs(*relative), all(STILL_VELOCITY)));
    *off = tlw_f8_select(rests, tlw_f8_zero(), *off);
    *relative = tlw_f8_select(rests, tlw_f8_zero(), *relative);
}

void TLW_KERNEL(tlw_stage_velocity)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_body* body = s->body;
    const f8 inverse_h = all(1.0f / s->step_seconds);
    for (uint32_t b = first; b < end; ++b) {
        const uint32_t last = body->blocks[b + 1].first_window;
        f8 moved = tlw_f8_zero();
        m8 is_finite = tlw_m8_first(TLW_LANES);
        for (uint32_t w = body->blocks[b].first_window; w < last; ++w) {
            tlw_window_state* state = &s->state[w];
            const size_t site = body->windows[w].rows[4];
            const f8 kind = tlw_f8_load_aligned(body->site_body + site);
            const m8 is_voxel = tlw_f8_gt(kind, all(TLW_BODY_EMPTY));
            const m8 is_bone = tlw_f8_eq(kind, all(TLW_BODY_BONE));
            const f8 damping = tlw_f8_load_aligned(s->gains[w].damping);
            const f8x3 skin = load_window3(s->pose[w].skin), p = load_window3(state->p);
            const f8x3 skin_last = load_window3(state->skin), q = load3(s->q + site, s->stride);
            const f8x4 rb = load_window4(s->pose[w].rb);

            // d of the substep that ends here becomes that of the one before.
            const f8x3 off_last = select3(is_bone, zero3(), sub3(p, skin_last));
            const f8x3 d0 = unrotate3(load_window4(state->rb), off_last);
            const f8x3 v_skin = scale3(sub3(skin, skin_last), inverse_h);
            f8x3 relative = sub3(scale3(sub3(q, p), inverse_h), v_skin);
            relative = scale3(relative, damping);
            f8x3 off = sub3(q, skin);
            rest(&off.x, &relative.x);
            rest(&off.y, &relative.y);
            rest(&off.z, &relative.z);
            const f8x3 v = keep3(is_voxel, add3(v_skin, relative));
            const f8x3 p_new = keep3(is_voxel, add3(skin, off));

            // Of the tissue against its skinned place: a character that walks moves, too.
            const f8x3 dp = sub3(p_new, p);
            moved = tlw_f8_max(tlw_f8_abs(dp.x), moved);
            moved = tlw_f8_max(tlw_f8_abs(dp.y), moved);
            moved = tlw_f8_max(tlw_f8_abs(dp.z), moved);
            const f8 sum = add(add(add(p_new.x, p_new.y), add(p_new.z, v.x)), add(v.y, v.z));
            const f8 difference = sub(sum, sum); // not 0 but NaN of what is not finite
            is_finite = tlw_m8_and(is_finite, tlw_f8_eq(difference, difference));

            store_window3(state->p, p_new);
            store_window3(state->v, v);
            store_window3(state->skin, skin);
            store_window3(state->v_skin, keep3(is_voxel, v_skin));
            store_window4(state->rb, rb);
            store_window3(state->d0, d0);
        }
        s->results[b].moved = tlw_f8_max_of_lanes(moved);
        s->results[b].not_finite = !tlw_m8_all(is_finite);
    }
}
