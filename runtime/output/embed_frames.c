// SPDX-License-Identifier: MIT
// Pass embed, stage frames (MODEL 5.4): gradients, which carry normals and tangents. Reads m p and
// m delta of a voxel and its linked neighbours (27 sites), and this frame's pose; writes slopes D
// and frame slopes F - R.
//
//     F = A A0^-1,  A = sum m (p - c)(p0 - c0)^T,  A0 = sum m (p0 - c0)(p0 - c0)^T
//     D = the same with delta for p
//
// A and A0 are those of Mueller, Heidelberger, Teschner, Gross 2005, "Meshless deformations based
// on shape matching", Eq. 7, over a voxel and its linked neighbours.
//
// Why F and not R: R does not stretch, and a normal on stretched tissue needs the cofactors of the
// whole gradient. Why D beside F: D is exactly 0 where no voxel deviates from its skinned place,
// and normals are then exactly the skinned ones. Where the neighbours do not span space, det A0 <=
// 1e-3 (tr A0 / 3)^3, A0 has no useful inverse and R stands for F.
#include "runtime/output/embed_window.h"

// The rest shapes of eight voxels with their linked neighbours.
typedef struct rest_shape {
    f8 share; // 1 / sum m
    f8x3 c0;
    f8x9 inverse; // of A0 / sum m; symmetric
    m8 is_solid;  // the neighbours span space, and the inverse exists
} rest_shape;

TLW_FORCE_INLINE f8 load_moment(const tlw_blob_arrays* blob, uint32_t w, tlw_blob_moment which) {
    return tlw_f8_from_i8(tlw_i8_load_s16(blob->slot_moment + (size_t)which * blob->slot_count +
                                          (size_t)w * TLW_LANES));
}

TLW_FORCE_INLINE rest_shape rest_shape_of(const tlw_blob_arrays* blob, uint32_t w) {
    rest_shape s;
    s.share = tlw_f8_div(all(1.0f), tlw_f8_max(load_moment(blob, w, TLW_MOMENT_MASS), all(1.0f)));
    s.c0 = (f8x3){mul(s.share, load_moment(blob, w, TLW_MOMENT_LANE)),
                  mul(s.share, load_moment(blob, w, TLW_MOMENT_ROW)),
                  mul(s.share, load_moment(blob, w, TLW_MOMENT_PLANE))};
    const f8 k00 =
        sub(mul(s.share, load_moment(blob, w, TLW_MOMENT_LANE_LANE)), mul(s.c0.x, s.c0.x));
    const f8 k11 = sub(mul(s.share, load_moment(blob, w, TLW_MOMENT_ROW_ROW)), mul(s.c0.y, s.c0.y));
    const f8 k22 =
        sub(mul(s.share, load_moment(blob, w, TLW_MOMENT_PLANE_PLANE)), mul(s.c0.z, s.c0.z));
    const f8 k01 =
        sub(mul(s.share, load_moment(blob, w, TLW_MOMENT_LANE_ROW)), mul(s.c0.x, s.c0.y));
    const f8 k02 =
        sub(mul(s.share, load_moment(blob, w, TLW_MOMENT_LANE_PLANE)), mul(s.c0.x, s.c0.z));
    const f8 k12 =
        sub(mul(s.share, load_moment(blob, w, TLW_MOMENT_ROW_PLANE)), mul(s.c0.y, s.c0.z));
    const f8 c00 = sub(mul(k11, k22), mul(k12, k12)), c11 = sub(mul(k00, k22), mul(k02, k02));
    const f8 c22 = sub(mul(k00, k11), mul(k01, k01)), c01 = sub(mul(k02, k12), mul(k01, k22));
    const f8 c02 = sub(mul(k01, k12), mul(k02, k11)), c12 = sub(mul(k01, k02), mul(k00, k12));
    const f8 determinant = mad(k02, c02, mad(k01, c01, mul(k00, c00)));
    const f8 trace = add(add(k00, k11), k22); // det / (trace / 3)^3 is 1 for a full cube
    s.is_solid = tlw_f8_gt(determinant, mul(mul(mul(trace, trace), trace), all(1e-3f / 27.0f)));
    const f8 by = tlw_f8_div(all(1.0f), tlw_f8_select(s.is_solid, determinant, all(1.0f)));
    s.inverse.c[0] = (f8x3){mul(c00, by), mul(c01, by), mul(c02, by)};
    s.inverse.c[1] = (f8x3){s.inverse.c[0].y, mul(c11, by), mul(c12, by)};
    s.inverse.c[2] = (f8x3){s.inverse.c[0].z, s.inverse.c[1].z, mul(c22, by)};
    return s;
}

// Sums over three cells in a row, plain and times the offset along the lane.
typedef struct row_sums {
    f8x3 sum, difference;
} row_sums;

TLW_FORCE_INLINE row_sums sum_row(float* const sites[3], const tlw_blob_window* window,
                                  bool has_cuts, int row) {
    const size_t at = window->rows[row];
    f8x3 a = load_sites(sites, at - 1), b = load_sites(sites, at), c = load_sites(sites, at + 1);
    if (has_cuts) {
        const int cell = row * 3;
        a = keep3(tlw_m8_from_bits(window->links[tlw_step_of_cell(cell)]), a);
        if (cell + 1 != TLW_CELL_SELF) {
            b = keep3(tlw_m8_from_bits(window->links[tlw_step_of_cell(cell + 1)]), b);
        }
        c = keep3(tlw_m8_from_bits(window->links[tlw_step_of_cell(cell + 2)]), c);
    }
    return (row_sums){add3(add3(a, c), b), sub3(c, a)};
}

// The gradient along the lattice axes of what the sites hold (times mass), by sums and differences
// as in runtime/passes/regions.c.
TLW_FORCE_INLINE f8x9 sum_gradient(float* const sites[3], const tlw_blob_window* window,
                                   bool has_cuts, const rest_shape* shape) {
    f8x9 a = {{zero3(), zero3(), zero3()}};
    f8x3 planes[3];
#pragma GCC unroll 3
    for (int plane = 0; plane < 3; ++plane) {
        const row_sums low = sum_row(sites, window, has_cuts, 3 * plane),
                       mid = sum_row(sites, window, has_cuts, 3 * plane + 1),
                       high = sum_row(sites, window, has_cuts, 3 * plane + 2);
        planes[plane] = add3(add3(low.sum, high.sum), mid.sum);
        a.c[0] = add3(a.c[0], add3(add3(low.difference, high.difference), mid.difference));
        a.c[1] = add3(a.c[1], sub3(high.sum, low.sum));
    }
    a.c[2] = sub3(planes[2], planes[0]);
    const f8x3 sum = add3(add3(planes[0], planes[2]), planes[1]);
    a.c[0] = scale3(sub3(a.c[0], scale3(sum, shape->c0.x)), shape->share);
    a.c[1] = scale3(sub3(a.c[1], scale3(sum, shape->c0.y)), shape->share);
    a.c[2] = scale3(sub3(a.c[2], scale3(sum, shape->c0.z)), shape->share);
    f8x9 out;
    for (int i = 0; i < 3; ++i) {
        const f8x3 by = shape->inverse.c[i];
        out.c[i] = mad3(a.c[2], by.z, mad3(a.c[1], by.y, scale3(a.c[0], by.x)));
    }
    return out;
}

// Not inlined: with dozens of masks inlined, compilers take minutes for the function.
TLW_NOINLINE static void sum_linked_gradient(float* const sites[3], const tlw_blob_window* window,
                                             const rest_shape* shape, f8x9* out) {
    *out = sum_gradient(sites, window, true, shape);
}

TLW_FORCE_INLINE f8x9 gradient_of(float* const sites[3], const tlw_blob_window* window,
                                  bool has_cuts, const rest_shape* shape) {
    f8x9 out;
    if (has_cuts) {
        sum_linked_gradient(sites, window, shape, &out);
    } else {
        out = sum_gradient(sites, window, false, shape);
    }
    return out;
}

TLW_FORCE_INLINE void frames_window(const tlw_embed* e, uint32_t w, bool has_cuts) {
    const tlw_blob_arrays* blob = e->blob;
    const tlw_blob_window* window = &blob->windows[w];
    const rest_shape shape = rest_shape_of(blob, w);
    const m8 is_voxel = tlw_m8_from_bits(window->occupied);
    const bool is_all_solid = tlw_m8_none(tlw_m8_and_not(is_voxel, shape.is_solid));
    const size_t slot = (size_t)w * TLW_LANES, site = window->rows[4];
    f8x3 delta = zero3();
    if (e->wants_site_deltas) { // bone's is 0, so its mass rounds nothing off
        const f8 metres = all((float)blob->lattice->voxel_metres);
        delta = scale3(load_sites(e->md, site), tlw_f8_div(metres, mass_at(blob, site)));
        delta = keep3(is_voxel, delta);
    }
    f8x9 r = {{zero3(), zero3(), zero3()}}, rb = r;
    if (e->wants_frame_slopes || !is_all_solid) {
        const f8x4 skinned = rotation_in_model(e, load_window4(e->pose[w].rb));
        rb = matrix_of(skinned);
        r = matrix_of(multiply4(skinned, blend_relative_rotation(e, w)));
    }
    if (e->wants_slopes) {
        f8x9 slope = gradient_of(e->md, window, has_cuts, &shape);
        if (!is_all_solid) {
            for (int i = 0; i < 3; ++i) {
                slope.c[i] = select3(shape.is_solid, slope.c[i], sub3(r.c[i], rb.c[i]));
            }
        }
        store_rows(e, e->slopes + slot, &slope, delta);
    }
    if (e->wants_frame_slopes) {
        f8x9 slope = gradient_of(e->mp, window, has_cuts, &shape);
        for (int i = 0; i < 3; ++i) {
            slope.c[i] = keep3(shape.is_solid, sub3(slope.c[i], r.c[i]));
        }
        store_rows(e, e->frame_slopes + slot, &slope, delta);
    }
}

void TLW_KERNEL(tlw_embed_frames)(const tlw_embed* e, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = e->blob;
    if (!e->wants_gradients) {
        return;
    }
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        if (blob->windows[w].flags & TLW_WINDOW_HAS_CUTS) {
            frames_window(e, w, true);
        } else {
            frames_window(e, w, false);
        }
    }
}
