// SPDX-License-Identifier: MIT
// Passes regions and goal for regions of width 2: 2x2x2 blocks around corners, for characters of
// few voxels (design.md, cooking rule 9; Iwamoto et al. 2015, "bloat low"). Eight regions at a time
// gather their members; eight voxels gather the fits of the eight regions that hold each.
#include "runtime/passes/kernels.h"
#include "runtime/passes/rotation.h"

TLW_FORCE_INLINE f8x3 gather3(const float* a, size_t stride, tlw_i8 at) {
    return (f8x3){tlw_f8_gather(a, at), tlw_f8_gather(a + stride, at),
                  tlw_f8_gather(a + 2 * stride, at)};
}

// Work on windows of eight regions.
void TLW_KERNEL(tlw_stage_regions2)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = s->blob;
    const size_t stride = blob->region_stride;
    for (uint32_t w = first; w < end; ++w) {
        const size_t at = (size_t)w * TLW_LANES;
        f8 mass = tlw_f8_zero();
        f8x3 sum = zero3(), rest = zero3();
        f8x9 a = {{zero3(), zero3(), zero3()}};
        for (size_t k = 0; k < 8; ++k) {
            const tlw_i8 site = tlw_i8_load((const int32_t*)blob->region_site + k * stride + at);
            const f8 kind = tlw_f8_gather(blob->site_kind, site);
            const f8 m = mul(kind, mad(kind, all(4.0f), all(-3.0f)));
            const f8x3 mq = gather3(s->mq, s->stride, site);
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
        for (size_t lane = 0; lane < TLW_LANES && at + lane < blob->lattice->region_count; ++lane) {
            const uint32_t slot = blob->region_first[at + lane];
            for (int i = 0; i < 4; ++i) {
                rb_lanes[i][lane] = s->pose[slot / TLW_LANES].rb[i][slot % TLW_LANES];
            }
        }
        const f8x4 rb = {tlw_f8_load(rb_lanes[0]), tlw_f8_load(rb_lanes[1]),
                         tlw_f8_load(rb_lanes[2]), tlw_f8_load(rb_lanes[3])};
        float* own = s->region_rotation + at;
        f8x4 q = {tlw_f8_load_aligned(own), tlw_f8_load_aligned(own + stride),
                  tlw_f8_load_aligned(own + 2 * stride), tlw_f8_load_aligned(own + 3 * stride)};
        if (s->is_first_repeat) {
            q = start_rotation(q);
        }
        tlw_turns turns;
        turns.start[0] = transposed_times(matrix_of(multiply4(rb, q)), a);
        turns.counts[0] = (1u << TLW_LANES) - 1; // behind the last region A is 0
        find_turns(&turns, 1, s->rotation_iterations);
        q = multiply4(q, turns.turn[0]);
        store3(own, stride, (f8x3){q.x, q.y, q.z});
        tlw_f8_store_aligned(own + 3 * stride, q.w);
        const f8x4 rotation = multiply4(rb, q);
        const f8x9 r = matrix_of(rotation);
        f8x3 t = scale3(sum, share);
        t = sub3(t, scale3(r.c[0], c0.x));
        t = sub3(t, scale3(r.c[1], c0.y));
        t = sub3(t, scale3(r.c[2], c0.z));
        float* fit = s->region_work + at;
        store3(fit, stride, t);
        store3(fit + 3 * stride, stride, r.c[0]);
        store3(fit + 6 * stride, stride, r.c[1]);
        store3(fit + 9 * stride, stride, r.c[2]);
        store3(fit + 12 * stride, stride, (f8x3){rotation.x, rotation.y, rotation.z});
        tlw_f8_store_aligned(fit + 15 * stride, rotation.w);
    }
}

void TLW_KERNEL(tlw_stage_goal2)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    const size_t stride = blob->region_stride;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const size_t slot = (size_t)w * TLW_LANES, site = blob->windows[w].rows[4];
        const m8 is_voxel = tlw_m8_from_bits(blob->windows[w].occupied);
        f8x3 sum = zero3();
        f8x4 mean = {tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero()};
        for (size_t k = 0; k < 8; ++k) {
            const tlw_i8 region =
                tlw_i8_load((const int32_t*)blob->slot_region + k * blob->slot_count + slot);
            sum = add3(sum, gather3(s->region_work, stride, region));
            if (k & 1) {
                sum = add3(sum, gather3(s->region_work + 3 * stride, stride, region));
            }
            if (k & 2) {
                sum = add3(sum, gather3(s->region_work + 6 * stride, stride, region));
            }
            if (k & 4) {
                sum = add3(sum, gather3(s->region_work + 9 * stride, stride, region));
            }
            const f8x3 xyz = gather3(s->region_work + 12 * stride, stride, region);
            const f8x4 r = {xyz.x, xyz.y, xyz.z,
                            tlw_f8_gather(s->region_work + 15 * stride, region)};
            // Signs as the first one's: q and -q are one rotation.
            const f8 sign = k == 0 ? all(1.0f) : tlw_f8_copysign(all(1.0f), dot4(mean, r));
            mean = (f8x4){mad(r.x, sign, mean.x), mad(r.y, sign, mean.y), mad(r.z, sign, mean.z),
                          mad(r.w, sign, mean.w)};
        }
        const f8 gain = tlw_f8_load_aligned(s->gains[w].goal);
        const f8x3 q = load3(s->q + site, s->stride);
        const f8x3 off = keep3(is_voxel, sub3(scale3(sum, all(0.125f)), q));
        store3(s->q + site, s->stride, mad3(off, gain, q));

        const f8x4 rb = load_window4(s->pose[w].rb);
        const f8x4 back = {tlw_f8_neg(rb.x), tlw_f8_neg(rb.y), tlw_f8_neg(rb.z), rb.w};
        const f8x4 turn = multiply4(back, normalise4(mean));
        store_window4(s->now[w].rotation,
                      (f8x4){tlw_f8_keep(is_voxel, turn.x), tlw_f8_keep(is_voxel, turn.y),
                             tlw_f8_keep(is_voxel, turn.z), tlw_f8_keep(is_voxel, turn.w)});
    }
}
