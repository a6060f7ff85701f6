// SPDX-License-Identifier: MIT
// Passes regions and goal for regions of width 2: 2x2x2 blocks around corners, for characters of
// few voxels (design.md, cooking rule 9; Iwamoto et al. 2015, "bloat low"). Eight regions at a time
// gather their members; eight voxels gather the fits of the eight regions that hold each.
#include "runtime/kernels.h"
#include "runtime/rotation.h"

// Work on windows of eight regions.
void TLW_KERNEL(tlw_stage_regions2)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_body* body = s->body;
    const size_t stride = body->region_stride;
    for (uint32_t w = first; w < end; ++w) {
        const size_t at = (size_t)w * TLW_LANES;
        f8 mass = tlw_f8_zero();
        f8x3 sum = zero3(), rest = zero3();
        f8x9 a = {{zero3(), zero3(), zero3()}};
        for (size_t k = 0; k < 8; ++k) {
            const tlw_i8 site = tlw_i8_load((const int32_t*)body->region_site + k * stride + at);
            const f8 kind = tlw_f8_gather(body->site_body, site);
            const f8 m = mul(kind, mad(kind, all(4.0f), all(-3.0f)));
            const f8x3 mq = {tlw_f8_gather(s->mq[0], site), tlw_f8_gather(s->mq[1], site),
                             tlw_f8_gather(s->mq[2], site)};
            mass = add(mass, m);
            sum = add3(sum, mq);
            // Offsets 0 and 1 of the block's corner.
            if (k & 1) {
                rest.x = add(rest.x, m);
                a.c[0] = add3(a.c[0], mq);
            }
            if (k & 2) {
                rest.y = add(rest.y, m);
                a.c[1] = add3(a.c[1], mq);
            }
            if (k & 4) {
                rest.z = add(rest.z, m);
                a.c[2] = add3(a.c[2], mq);
            }
        }
        const f8 share = tlw_f8_div(all(1.0f), tlw_f8_max(mass, all(1.0f)));
        const f8x3 c0 = scale3(rest, share);
        a.c[0] = sub3(a.c[0], scale3(sum, c0.x));
        a.c[1] = sub3(a.c[1], scale3(sum, c0.y));
        a.c[2] = sub3(a.c[2], scale3(sum, c0.z));

        // Rb of the first voxel, which lies in a window of the pose.
        float rb_lanes[4][TLW_LANES] = {{0}};
        for (size_t lane = 0; lane < TLW_LANES && at + lane < body->lattice->region_count; ++lane) {
            const uint32_t slot = body->region_first[at + lane];
            for (int i = 0; i < 4; ++i) {
                rb_lanes[i][lane] = s->pose[slot / TLW_LANES].rb[i][slot % TLW_LANES];
            }
        }
        const f8x4 rb = {tlw_f8_load(rb_lanes[0]), tlw_f8_load(rb_lanes[1]),
                         tlw_f8_load(rb_lanes[2]), tlw_f8_load(rb_lanes[3])};
        f8x4 q = {
            tlw_f8_load_aligned(s->region_q[0] + at), tlw_f8_load_aligned(s->region_q[1] + at),
            tlw_f8_load_aligned(s->region_q[2] + at), tlw_f8_load_aligned(s->region_q[3] + at)};
        if (s->is_first_repeat) {
            q = start_rotation(q);
        }
        q = multiply4(q, rotation_from(multiply4(rb, q), a, s->rotation_iterations));
        tlw_f8_store_aligned(s->region_q[0] + at, q.x);
        tlw_f8_store_aligned(s->region_q[1] + at, q.y);
        tlw_f8_store_aligned(s->region_q[2] + at, q.z);
        tlw_f8_store_aligned(s->region_q[3] + at, q.w);
        const f8x4 rotation = multiply4(rb, q);
        const f8x9 r = matrix_of(rotation);
        f8x3 t = scale3(sum, share);
        t = sub3(t, scale3(r.c[0], c0.x));
        t = sub3(t, scale3(r.c[1], c0.y));
        t = sub3(t, scale3(r.c[2], c0.z));
        store_sites(s->region_work, at, t);
        store_sites(s->region_work + 3, at, r.c[0]);
        store_sites(s->region_work + 6, at, r.c[1]);
        store_sites(s->region_work + 9, at, r.c[2]);
        store_sites(s->region_work + 12, at, (f8x3){rotation.x, rotation.y, rotation.z});
        tlw_f8_store_aligned(s->region_work[15] + at, rotation.w);
    }
}

TLW_FORCE_INLINE f8x3 gather3(float* const a[3], tlw_i8 at) {
    return (f8x3){tlw_f8_gather(a[0], at), tlw_f8_gather(a[1], at), tlw_f8_gather(a[2], at)};
}

void TLW_KERNEL(tlw_stage_goal2)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_body* body = s->body;
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        const size_t slot = (size_t)w * TLW_LANES, site = body->windows[w].rows[4];
        const m8 is_voxel = tlw_m8_from_bits(body->windows[w].occupied);
        f8x3 sum = zero3();
        f8x4 mean = {tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero()};
        for (size_t k = 0; k < 8; ++k) {
            const tlw_i8 region =
                tlw_i8_load((const int32_t*)body->slot_region + k * body->slot_count + slot);
            sum = add3(sum, gather3(s->region_work, region));
            if (k & 1) {
                sum = add3(sum, gather3(s->region_work + 3, region));
            }
            if (k & 2) {
                sum = add3(sum, gather3(s->region_work + 6, region));
            }
            if (k & 4) {
                sum = add3(sum, gather3(s->region_work + 9, region));
            }
            const f8x3 xyz = gather3(s->region_work + 12, region);
            const f8x4 r = {xyz.x, xyz.y, xyz.z, tlw_f8_gather(s->region_work[15], region)};
            // Signs as the first one's: q and -q are one rotation.
            const f8 sign = k == 0 ? all(1.0f) : tlw_f8_copysign(all(1.0f), dot4(mean, r));
            mean = (f8x4){mad(r.x, sign, mean.x), mad(r.y, sign, mean.y), mad(r.z, sign, mean.z),
                          mad(r.w, sign, mean.w)};
        }
        const f8 gain = tlw_f8_gather(
            &s->gains[0].goal, tlw_i8_shift_left(tlw_i8_load_u16(body->slot_material + slot), 2));
        const f8x3 q = load_sites(s->q, site);
        const f8x3 off = keep3(is_voxel, sub3(scale3(sum, all(0.125f)), q));
        store_sites(s->q, site, mad3(off, gain, q));

        tlw_window_state* state = &s->state[w];
        if (s->is_first_repeat) {
            store_window4(state->q0, load_window4(state->q));
        }
        const f8x4 rb = load_window4(s->pose[w].rb);
        const f8x4 back = {tlw_f8_neg(rb.x), tlw_f8_neg(rb.y), tlw_f8_neg(rb.z), rb.w};
        const f8x4 turn = multiply4(back, normalise4(mean));
        store_window4(state->q,
                      (f8x4){tlw_f8_keep(is_voxel, turn.x), tlw_f8_keep(is_voxel, turn.y),
                             tlw_f8_keep(is_voxel, turn.z), tlw_f8_keep(is_voxel, turn.w)});
    }
}
