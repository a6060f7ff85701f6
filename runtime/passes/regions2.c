// SPDX-License-Identifier: MIT
// Passes regions and goal for regions of width 2: cubes of 2x2x2 voxels around a corner, for
// characters of few voxels (MODEL 3.6 and 3.7, RULES 9; "bloat low" in Iwamoto, Shum, Yang,
// Morishima 2015, "Multi-layer lattice model for real-time dynamic character deformation").
// regions2 reads m q of eight members, and Q of the region; writes Q, and the fit T, R
// (region_work). goal2 reads the fits of the eight regions that hold a voxel; writes q, and the
// voxel's Q.
//
//     A = sum m (q - c)(p0 - c0)^T,   R = rotation of A,   T = c - R c0   (as in regions.c)
//     q += G(ks) (mean of R o + T - q),   the voxel's R = normalised mean of the regions'
//
// Why gathers here, which no other pass has: a region belongs to a corner and not to a voxel, so
// the members of eight regions are not eight neighbours in a row.
#include "runtime/passes/kernels.h"
#include "runtime/passes/rotation.h"

TLW_FORCE_INLINE f8x3 gather3(const float* a, size_t stride, tlw_i8 at) {
    return (f8x3){tlw_f8_gather(a, at), tlw_f8_gather(a + stride, at),
                  tlw_f8_gather(a + 2 * stride, at)};
}

// The place of member k in its cube: bits 0, 1 and 2 of k are its offsets along lane, row and
// plane.
#define MEMBERS 8

// [first, end) are windows of eight regions.
void TLW_KERNEL(tlw_stage_regions2)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = s->blob;
    const size_t stride = blob->region_stride;
    for (uint32_t w = first; w < end; ++w) {
        const size_t at = (size_t)w * TLW_LANES;
        f8 mass = tlw_f8_zero();
        f8x3 sum = zero3(), rest = zero3();
        f8x9 a = {{zero3(), zero3(), zero3()}};
        for (size_t k = 0; k < MEMBERS; ++k) {
            const tlw_i8 site = tlw_i8_load((const int32_t*)blob->region_site + k * stride + at);
            const f8 m = mass_of_kind(tlw_f8_gather(blob->site_kind, site));
            const f8x3 mq = gather3(s->mq, s->stride, site);
            mass = add(mass, m);
            sum = add3(sum, mq);
            // Offsets are 0 or 1, so they choose what is added.
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

        // Rb of the region's first voxel, from the window of the pose that holds it.
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
        f8x4 relative = {tlw_f8_load_aligned(own), tlw_f8_load_aligned(own + stride),
                         tlw_f8_load_aligned(own + 2 * stride),
                         tlw_f8_load_aligned(own + 3 * stride)};
        if (s->is_first_repeat) {
            relative = start_rotation(relative);
        }
        tlw_corrections corrections;
        corrections.start[0] = transposed_times(matrix_of(multiply4(rb, relative)), a);
        corrections.occupied[0] = (1u << TLW_LANES) - 1; // A is 0 after the last region
        find_corrections(&corrections, 1, s->rotation_iterations);
        relative = multiply4(relative, corrections.correction[0]);
        store3(own, stride, (f8x3){relative.x, relative.y, relative.z});
        tlw_f8_store_aligned(own + 3 * stride, relative.w);
        const f8x4 rotation = multiply4(rb, relative);
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
        for (size_t k = 0; k < MEMBERS; ++k) {
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
            // On the side of the sum so far, because r and -r are one rotation.
            const f8 sign = k == 0 ? all(1.0f) : tlw_f8_copysign(all(1.0f), dot4(mean, r));
            mean = (f8x4){mad(r.x, sign, mean.x), mad(r.y, sign, mean.y), mad(r.z, sign, mean.z),
                          mad(r.w, sign, mean.w)};
        }
        const f8 gain = tlw_f8_load_aligned(s->gains[w].goal);
        const f8x3 q = stretched3(s->mq + site, s->q + site, s->stride, blob->site_kind + site);
        const f8x3 off = keep3(is_voxel, sub3(scale3(sum, all(0.125f)), q));
        store3(s->q + site, s->stride, mad3(off, gain, q));

        const f8x4 rb = load_window4(s->pose[w].rb);
        const f8x4 relative = multiply4(conjugate4(rb), normalise4(mean));
        store_window4(s->now[w].rotation,
                      (f8x4){tlw_f8_keep(is_voxel, relative.x), tlw_f8_keep(is_voxel, relative.y),
                             tlw_f8_keep(is_voxel, relative.z), tlw_f8_keep(is_voxel, relative.w)});
    }
}
