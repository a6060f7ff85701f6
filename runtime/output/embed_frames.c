// SPDX-License-Identifier: MIT
// Pass embed, stage frames (MODEL 5.2, 5.5): gradients, which carry normals and tangents, and the
// planes of fit. Reads m p and m delta of a voxel and its linked neighbours (27 sites), and this
// frame's pose; writes slopes D with delta or e, and frame slopes F - R.
//
//     F = A A0^-1,  A = sum m (p - c)(p0 - c0)^T,  A0 = sum m (p0 - c0)(p0 - c0)^T
//     D = the same with delta for p
//     fit = (sum m delta)/(sum m) - D c0,  d = delta + beta (fit - delta),  e = d - D p0/2
//
// A and A0 are those of Mueller, Heidelberger, Teschner, Gross 2005, "Meshless deformations based
// on shape matching", Eq. 7, over a voxel and its linked neighbours.
//
// Why F and not R: R does not stretch, and a normal on stretched tissue needs the cofactors of the
// whole gradient. Why D beside F: D is exactly 0 where no voxel deviates from its skinned place,
// and normals are then exactly the skinned ones. Where the neighbours do not span space, A0 has no
// useful inverse (SLOT_REST is 0) and R stands for F.
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

TLW_FORCE_INLINE f8 load_rest(const tlw_blob_arrays* blob, uint32_t w, tlw_blob_rest which) {
    return tlw_f8_load_aligned(blob->slot_rest + (size_t)which * blob->slot_count +
                               (size_t)w * TLW_LANES);
}

TLW_FORCE_INLINE rest_shape rest_shape_of(const tlw_blob_arrays* blob, uint32_t w) {
    rest_shape s;
    s.share = tlw_f8_div(all(1.0f), tlw_f8_max(load_moment(blob, w, TLW_MOMENT_MASS), all(1.0f)));
    s.c0 = (f8x3){mul(s.share, load_moment(blob, w, TLW_MOMENT_LANE)),
                  mul(s.share, load_moment(blob, w, TLW_MOMENT_ROW)),
                  mul(s.share, load_moment(blob, w, TLW_MOMENT_PLANE))};
    const f8 xy = load_rest(blob, w, TLW_REST_LANE_ROW),
             xz = load_rest(blob, w, TLW_REST_LANE_PLANE),
             yz = load_rest(blob, w, TLW_REST_ROW_PLANE);
    s.inverse.c[0] = (f8x3){load_rest(blob, w, TLW_REST_LANE_LANE), xy, xz};
    s.inverse.c[1] = (f8x3){xy, load_rest(blob, w, TLW_REST_ROW_ROW), yz};
    s.inverse.c[2] = (f8x3){xz, yz, load_rest(blob, w, TLW_REST_PLANE_PLANE)};
    s.is_solid = tlw_f8_gt(s.inverse.c[0].x, tlw_f8_zero());
    return s;
}

// Sums over three cells in a row, plain and times the offset along the lane.
typedef struct row_sums {
    f8x3 sum, difference;
} row_sums;

// How a row is summed, a compile-time constant. The bits are the same.
typedef enum row_kind {
    ROW_SUMMED, // stage lattice did it
    ROW_WHOLE,  // all cells: those that are not linked hold no voxel
    ROW_CUT     // masks of links
} row_kind;

TLW_FORCE_INLINE row_sums sum_row(const tlw_embed_sites* sites, const tlw_blob_window* window,
                                  row_kind kind, int row) {
    const size_t at = window->rows[row];
    if (kind == ROW_SUMMED) {
        return (row_sums){load_sites(sites->sum, at), load_sites(sites->difference, at)};
    }
    const int cell = row * 3;
    f8x3 a = load_sites(sites->value, at - 1), b = load_sites(sites->value, at),
         c = load_sites(sites->value, at + 1);
    if (kind == ROW_CUT) {
        a = keep3(tlw_m8_from_bits(window->links[tlw_step_of_cell(cell)]), a);
        if (cell + 1 != TLW_CELL_SELF) {
            b = keep3(tlw_m8_from_bits(window->links[tlw_step_of_cell(cell + 1)]), b);
        }
        c = keep3(tlw_m8_from_bits(window->links[tlw_step_of_cell(cell + 2)]), c);
    }
    return (row_sums){add3(add3(a, c), b), sub3(c, a)};
}

// What the sums over a voxel and its neighbours say.
typedef struct local_plane {
    f8x9 gradient; // along the lattice axes
    f8x3 mean;     // (sum m delta)/(sum m)
} local_plane;

// The plane through what the sites hold (times mass), by sums and differences as in
// runtime/passes/regions.c.
TLW_FORCE_INLINE local_plane sum_plane(const tlw_embed_sites* sites, const tlw_blob_window* window,
                                       row_kind kind, const rest_shape* shape) {
    f8x9 a = {{zero3(), zero3(), zero3()}};
    f8x3 planes[3];
#pragma GCC unroll 3
    for (int plane = 0; plane < 3; ++plane) {
        const row_sums low = sum_row(sites, window, kind, 3 * plane),
                       mid = sum_row(sites, window, kind, 3 * plane + 1),
                       high = sum_row(sites, window, kind, 3 * plane + 2);
        planes[plane] = add3(add3(low.sum, high.sum), mid.sum);
        a.c[0] = add3(a.c[0], add3(add3(low.difference, high.difference), mid.difference));
        a.c[1] = add3(a.c[1], sub3(high.sum, low.sum));
    }
    a.c[2] = sub3(planes[2], planes[0]);
    local_plane out;
    out.mean = scale3(add3(add3(planes[0], planes[2]), planes[1]), shape->share);
    a.c[0] = sub3(scale3(a.c[0], shape->share), scale3(out.mean, shape->c0.x));
    a.c[1] = sub3(scale3(a.c[1], shape->share), scale3(out.mean, shape->c0.y));
    a.c[2] = sub3(scale3(a.c[2], shape->share), scale3(out.mean, shape->c0.z));
    for (int i = 0; i < 3; ++i) {
        const f8x3 by = shape->inverse.c[i];
        out.gradient.c[i] = mad3(a.c[2], by.z, mad3(a.c[1], by.y, scale3(a.c[0], by.x)));
    }
    return out;
}

// Not inlined: with dozens of masks inlined, compilers take minutes for the function.
TLW_NOINLINE static void sum_linked_plane(const tlw_embed_sites* sites,
                                          const tlw_blob_window* window, const rest_shape* shape,
                                          local_plane* out) {
    *out = sum_plane(sites, window, ROW_CUT, shape);
}

// e of eight voxels, metres: delta is in voxels.
TLW_FORCE_INLINE f8x3 fit_of(const tlw_embed* e, const tlw_blob_window* window,
                             const rest_shape* shape, const local_plane* plane, const f8x9* slope,
                             f8x3 delta) {
    const f8 metres = all((float)e->blob->lattice->voxel_metres);
    const f8x9* d = &plane->gradient;
    const f8x3 fit =
        sub3(plane->mean,
             mad3(d->c[2], shape->c0.z, mad3(d->c[1], shape->c0.y, scale3(d->c[0], shape->c0.x))));
    const f8x3 smoothed = mad3(sub3(fit, delta), all(e->output.smoothing), delta);
    const f8x3 at = scale3(select3(shape->is_solid, smoothed, delta), metres);
    const f8x3 half = scale3(rest_centre(e, window), all(0.5f));
    return sub3(at, rotate_point(e, slope, half));
}

TLW_FORCE_INLINE void frames_window(const tlw_embed* e, uint32_t w, bool has_cuts) {
    const tlw_blob_arrays* blob = e->blob;
    const tlw_blob_window* window = &blob->windows[w];
    const rest_shape shape = rest_shape_of(blob, w);
    const m8 is_voxel = tlw_m8_from_bits(window->occupied);
    const bool is_all_solid = tlw_m8_none(tlw_m8_and_not(is_voxel, shape.is_solid));
    const size_t site = window->rows[4];
    f8x9 r = {{zero3(), zero3(), zero3()}}, rb = r;
    if (e->wants_frame_slopes || !is_all_solid) {
        const f8x4 skinned = rotation_in_model(e, load_window4(e->pose[w].rb));
        rb = matrix_of(skinned);
        r = matrix_of(multiply4(skinned, blend_relative_rotation(e, w)));
    }
    local_plane plane;
    if (e->wants_slopes) {
        if (has_cuts) {
            sum_linked_plane(&e->md, window, &shape, &plane);
        } else {
            plane = sum_plane(&e->md, window, ROW_SUMMED, &shape);
        }
        f8x9 slope = plane.gradient;
        if (!is_all_solid) {
            for (int i = 0; i < 3; ++i) {
                slope.c[i] = select3(shape.is_solid, slope.c[i], sub3(r.c[i], rb.c[i]));
            }
        }
        const m8 is_bone =
            tlw_f8_eq(tlw_f8_load_aligned(blob->site_kind + site), all(TLW_SITE_BONE));
        const f8 by = tlw_f8_select(is_bone, all(1.0f / (float)TLW_BONE_MASS), all(1.0f));
        const f8x3 delta = keep3(is_voxel, scale3(load_sites(e->md.value, site), by));
        const f8x3 last = e->wants_fits ? fit_of(e, window, &shape, &plane, &slope, delta)
                                        : scale3(delta, all((float)blob->lattice->voxel_metres));
        store_slopes(e, e->slopes + w, &slope, last);
    }
    if (e->wants_frame_slopes) {
        if (has_cuts) {
            sum_linked_plane(&e->mp, window, &shape, &plane);
        } else {
            plane = sum_plane(&e->mp, window, ROW_WHOLE, &shape);
        }
        f8x9 slope;
        for (int i = 0; i < 3; ++i) {
            slope.c[i] = keep3(shape.is_solid, sub3(plane.gradient.c[i], r.c[i]));
        }
        store_slopes(e, e->frame_slopes + w, &slope, zero3());
    }
}

void TLW_KERNEL(tlw_embed_frames)(const tlw_embed* embed, uint32_t first, uint32_t end) {
    const tlw_blob_arrays arrays = *embed->blob; // own copies: stores may alias anything
    tlw_embed copy = *embed;
    copy.blob = &arrays;
    const tlw_embed* e = &copy;
    const uint32_t last = arrays.blocks[end].first_window;
    for (uint32_t w = arrays.blocks[first].first_window; w < last; ++w) {
        const uint32_t flags = arrays.windows[w].flags;
        if (!(flags & TLW_WINDOW_IS_BOUND) && !e->wants_all_slopes) {
            continue;
        }
        if (flags & TLW_WINDOW_HAS_CUTS) {
            frames_window(e, w, true);
        } else {
            frames_window(e, w, false);
        }
    }
}
