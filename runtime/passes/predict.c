// SPDX-License-Identifier: MIT
// Pass predict (MODEL 3.3). Reads p, v and both poses; writes q at the sites, relative to the root
// where it is now, and the last p where that lay beyond its limit. Line 2 of Algorithm 1 in
// Iwamoto, Shum, Yang, Morishima 2015, "Multi-layer lattice model for real-time dynamic character
// deformation":
//
//     bone:    q = p_skin
//     others:  p within d_max of the last p_skin,  q = p + h v + h^2 g + what forces add
//     (MODEL 3.17)
//
// Why p is seldom tested against its limit: limit, at the end of the last substep, has left it
// within d_max but for rounding. Only where p or the limit was set since then can p be further
// away, and only then (may_be_off) does predict look and move the last p back; this took it
// from 2.1 to 1.4 ns per voxel. Where something can touch, p may be as far away as contact pushes.
//
// The file also has `carry`, which stands for a whole substep after a jump (MODEL 4.3): it puts
// what a voxel keeps on a new pose.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

// A function of its own because it is rare: with this inlined the loop took a seventh longer.
static TLW_NOINLINE f8x3 bring_within(f8x3 off, f8 limit) {
    return within3(off, limit);
}

// 1 where no voxel is behind a face, by what is at the site beside each voxel.
TLW_FORCE_INLINE f8 open_face(const float* kind) {
    return tlw_f8_keep(tlw_f8_eq(tlw_f8_load(kind), all(TLW_SITE_EMPTY)), all(1.0f));
}

// What the wind adds to q: h min(1, h c max(0, -A.w')) w', A the sum of the open faces' normals.
static TLW_NOINLINE f8x3 blow(const tlw_substep* s, uint32_t w, f8x3 v) {
    const uint32_t* rows = s->blob->windows[w].rows;
    const float* kind = s->blob->site_kind;
    const f8x3 faces = {sub(open_face(kind + rows[4] + 1), open_face(kind + rows[4] - 1)),
                        sub(open_face(kind + rows[5]), open_face(kind + rows[3])),
                        sub(open_face(kind + rows[7]), open_face(kind + rows[1]))};
    const f8x3 relative = sub3(all3(s->wind), v);
    const f8 against = dot3(rotate3(load_window4(s->pose[w].rb), faces), relative);
    const f8 share = mul(tlw_f8_max(tlw_f8_neg(against), tlw_f8_zero()), all(s->wind_share));
    return scale3(relative, mul(tlw_f8_min(share, all(1.0f)), all(s->step_seconds)));
}

// What forces add to q, gravity apart.
static TLW_NOINLINE f8x3 force(const tlw_substep* s, uint32_t w, f8x3 v) {
    f8x3 sum = sub3(zero3(), rotate3(load_window4(s->pose[w].rb), all3(s->rest_gravity)));
    if (s->wind_share > 0.0f) {
        sum = add3(sum, blow(s, w, v));
    }
    for (uint32_t i = 0; i < s->pull_count; ++i) {
        const tlw_pull* pull = &s->pulls[i];
        if (w >= pull->first_window && w < pull->end_window) {
            const f8 weight = tlw_f8_load_aligned(pull->weights + (size_t)w * TLW_LANES);
            sum = mad3(all3(pull->by), weight, sum);
        }
    }
    return sum;
}

void TLW_KERNEL(tlw_stage_predict)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const f8x3 rebase = all3(s->rebase), gravity = all3(s->gravity);
    const f8 h = all(s->step_seconds), inverse_h = all(1.0f / s->step_seconds);
    const f8 reach = all(s->limbs.count + s->colliders.count > 0 ? TLW_CONTACT_CAP : 1.0f);
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const uint32_t site = blob->windows[w].rows[4];
        const f8 kind = tlw_f8_load_aligned(blob->site_kind + site);
        const m8 is_soft = tlw_f8_eq(kind, all(TLW_SITE_SOFT));
        const f8x3 skin = load_window3(s->pose[w].skin);
        const f8x3 skin_last = load_window3(s->pose_last[w].skin);
        f8x3 off = sub3(load_window3(s->last[w].p), skin_last);
        if (s->may_be_off) {
            off = bring_within(off, mul(tlw_f8_load_aligned(s->gains[w].limit), reach));
            store_window3(s->last[w].p, add3(skin_last, off));
        }
        const f8x3 from = sub3(skin_last, rebase);
        f8x3 v = load_window3(s->velocity[w].v);
        if (s->is_start) {
            v = mad3(sub3(skin, from), inverse_h, v);
        }
        f8x3 q = mad3(v, h, add3(add3(from, off), gravity));
        if (s->has_forces) {
            q = add3(q, force(s, w, v));
        }
        // In an empty lane, which is not soft, this stores p_skin, which is 0 there.
        store3(s->q + site, s->stride, add3(keep3(is_soft, q), drop3(is_soft, skin)));
    }
}

// Keeps d = Rb^T (p - p_skin), Rb^T (v - v_skin) and Q and puts them on the new pose, so that
// tissue neither lags behind a jump nor loses its motion. v is relative to v_skin here: it is
// rotated along with the pose, and the next ordinary substep starts by adding its own v_skin
// (is_start). A reset keeps nothing.
void TLW_KERNEL(tlw_stage_carry)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const f8x3 skin = load_window3(s->pose[w].skin);
        const f8x3 skin_last = load_window3(s->pose_last[w].skin);
        if (s->is_reset) {
            const f8 one = tlw_f8_keep(tlw_m8_from_bits(blob->windows[w].occupied), all(1.0f));
            const f8x4 identity = {tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero(), one};
            store_window3(s->last[w].p, skin_last);
            store_window4(s->last[w].rotation, identity);
            store_window3(s->now[w].p, skin);
            store_window4(s->now[w].rotation, identity);
            store_window3(s->velocity[w].v, zero3());
            continue;
        }
        const f8x4 rb_last = load_window4(s->pose_last[w].rb), rb = load_window4(s->pose[w].rb);
        const f8x3 d = unrotate3(rb_last, sub3(load_window3(s->last[w].p), skin_last));
        const f8x3 relative = unrotate3(rb_last, load_window3(s->velocity[w].v));
        store_window3(s->now[w].p, add3(skin, rotate3(rb, d)));
        store_window4(s->now[w].rotation, load_window4(s->last[w].rotation));
        store_window3(s->velocity[w].v, rotate3(rb, relative));
    }
}
