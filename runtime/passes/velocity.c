// SPDX-License-Identifier: MIT
// Pass velocity: the end of a substep (MODEL 3.9). Reads q, the last p and both poses; writes p and
// v, and for each block how far anything moved and whether everything is finite. Lines 10 to 12 of
// Algorithm 1 in Iwamoto, Shum, Yang, Morishima 2015, "Multi-layer lattice model for real-time
// dynamic character deformation", with another damping:
//
//     v_skin = (p_skin - p_skin_last) / h,   v = v_skin + g ((q - p)/h - v_skin),   p = q
//     g = kd^(h/0.1) / max(1 - a, 1/2)
//     per component, where |p - p_skin| < 2e-5 and |v - v_skin| < 2e-3 both become the skinned ones
//
// Why damping is relative to the skinned velocity: damping the absolute velocity, as the paper
// does, leaves the belly 17 voxels behind a walking character. Why small values become 0: rest is
// then exactly still, and a character at rest can fall asleep. Why 1 - a: the anchor takes the
// share a of each deviation, and would damp by it, more per second the more substeps there are.
//
// Where contact pushed a voxel along n', v.n' is at most what contact left (MODEL 3.15): plain
// differences would kick out what a collider appeared in.
//
// The start of the substep is not stored: (q - p) - h v_skin is how much further the voxel is from
// p_skin now than it was from the last p_skin, and the root's own movement cancels out of that.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

#define STILL_POSITION 2e-5f
#define STILL_VELOCITY 2e-3f

// Sets both to 0 where the component is at rest. A NaN is not at rest, so that it reaches the check
// at the end of the block.
TLW_FORCE_INLINE void settle(f8* off, f8* relative) {
    const m8 is_still = tlw_m8_and(tlw_f8_lt(tlw_f8_abs(*off), all(STILL_POSITION)),
                                   tlw_f8_lt(tlw_f8_abs(*relative), all(STILL_VELOCITY)));
    *off = tlw_f8_drop(is_still, *off);
    *relative = tlw_f8_drop(is_still, *relative);
}

// The relative velocity of a window that contact may have pushed, shortened along n' where v is
// faster than the push allows. n' is 0 where it was not pushed, and so is the excess. Where it was,
// the anchor's share is not given back: tissue that is crushed along a surface without friction
// would swing for ever.
static TLW_NOINLINE f8x3 hold_back(const tlw_substep* s, size_t site, f8x3 relative, f8x3 v_skin) {
    relative = scale3(relative, tlw_f8_load_aligned(s->lanes + 4 * s->stride + site));
    const f8x3 n = load3(s->lanes + site, s->stride);
    const f8 most = tlw_f8_load_aligned(s->lanes + 3 * s->stride + site);
    const f8 excess = sub(dot3(add3(v_skin, relative), n), most);
    return sub3(relative, scale3(n, tlw_f8_max(excess, tlw_f8_zero())));
}

void TLW_KERNEL(tlw_stage_velocity)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const f8x3 rebase = all3(s->rebase);
    const f8 inverse_h = all(1.0f / s->step_seconds);
    for (uint32_t b = first; b < end; ++b) {
        const uint32_t last = blob->blocks[b + 1].first_window;
        const bool was_touched = s->limbs.count + s->colliders.count > 0 && s->results[b].touched;
        f8 moved = tlw_f8_zero(), sums = tlw_f8_zero();
        for (uint32_t w = blob->blocks[b].first_window; w < last; ++w) {
            const size_t site = blob->windows[w].rows[4];
            const f8 kept = tlw_f8_load_aligned(s->gains[w].damping);
            const f8x3 skin = load_window3(s->pose[w].skin);
            const f8x3 skin_last = load_window3(s->pose_last[w].skin);
            const f8x3 off_last = sub3(load_window3(s->last[w].p), skin_last);
            f8x3 off = sub3(load3(s->q + site, s->stride), skin);
            const f8x3 further = sub3(off, off_last);
            f8x3 relative = scale3(further, kept);
            const f8x3 skin_moved = add3(sub3(skin, skin_last), rebase);
            if (was_touched) {
                relative = hold_back(s, site, relative, scale3(skin_moved, inverse_h));
            }
            settle(&off.x, &relative.x);
            settle(&off.y, &relative.y);
            settle(&off.z, &relative.z);
            const f8x3 v = mad3(skin_moved, inverse_h, relative);
            const f8x3 p = add3(skin, off);
            moved = tlw_f8_max(tlw_f8_abs(further.x), moved);
            moved = tlw_f8_max(tlw_f8_abs(further.y), moved);
            moved = tlw_f8_max(tlw_f8_abs(further.z), moved);
            sums = add(sums, add(add(add(p.x, p.y), add(p.z, v.x)), add(v.y, v.z)));
            store_window3(s->now[w].p, p);
            store_window3(s->velocity[w].v, v);
        }
        const f8 difference = sub(sums, sums); // 0, or NaN if any summand is not finite
        s->results[b].moved = tlw_f8_max_of_lanes(moved);
        s->results[b].not_finite = !tlw_m8_all(tlw_f8_eq(difference, difference));
    }
}
