// SPDX-License-Identifier: MIT
// Pass embed: what is drawn, in three stages (runtime/embed.h has the equations). Reads the state
// of the last two substeps and this frame's pose; writes the output streams, each element once and
// in order.
//
//     lattice    d = lerp(d0, Rb^T (p - p_skin), a),  Q = nlerp(Q0, Q, a)
//                p = p_skin(now) + Rb(now) d,         R = Rb(now) Q
//     frames     F = A A0^-1,  A = sum m (p - c)(p0 - c0)^T  over a voxel and its linked neighbours
//     vertices   sums over up to 8 joints and 8 voxels
//
// A vertex gathers whole rows of what it hangs on, weights broadcast; eight vertices are transposed
// once. Two halves of two sums share a register where each has one to spare.
#include "runtime/output/embed.h"
#include "platform/simd_math.h"
#include "runtime/passes/wide.h"

// Rest axis a is turned axis turned_axis(e, a).
TLW_FORCE_INLINE uint32_t turned_axis(const tlw_embed* e, uint32_t axis) {
    return (axis + 3 - e->blob->lattice->lane_axis) % 3;
}

TLW_FORCE_INLINE f8x4 all4(const float a[4]) {
    return (f8x4){all(a[0]), all(a[1]), all(a[2]), all(a[3])};
}

// A turn of the world as one of model space.
TLW_FORCE_INLINE f8x4 model_turn(const tlw_embed* e, f8x4 turn) {
    const f8x4 root = all4(e->root_rotation);
    return multiply4((f8x4){tlw_f8_neg(root.x), tlw_f8_neg(root.y), tlw_f8_neg(root.z), root.w},
                     turn);
}

// Q at this frame's time.
TLW_FORCE_INLINE f8x4 blend_turn(const tlw_embed* e, uint32_t w) {
    const f8x4 from = load_window4(e->from[w].rotation), to = load_window4(e->to[w].rotation);
    const f8 side = dot4(from, to), share = all(e->blend);
    return normalise4((f8x4){mad(share, sub(tlw_f8_xor_sign(to.x, side), from.x), from.x),
                             mad(share, sub(tlw_f8_xor_sign(to.y, side), from.y), from.y),
                             mad(share, sub(tlw_f8_xor_sign(to.z, side), from.z), from.z),
                             mad(share, sub(tlw_f8_xor_sign(to.w, side), from.w), from.w)});
}

// ---- Lattice

// [columns | last] of eight slots, columns turned.
TLW_FORCE_INLINE void store_rows(const tlw_embed* e, tlw_voxel_rows* to, const f8x9* columns,
                                 f8x3 last) {
    const f8x3 x = columns->c[turned_axis(e, 0)], y = columns->c[turned_axis(e, 1)],
               z = columns->c[turned_axis(e, 2)];
    const f8 zero = tlw_f8_zero();
    const tlw_f8x8 low =
        tlw_f8x8_transpose((tlw_f8x8){{x.x, y.x, z.x, last.x, x.y, y.y, z.y, last.y}});
    const tlw_f8x8 high =
        tlw_f8x8_transpose((tlw_f8x8){{x.z, y.z, z.z, last.z, zero, zero, zero, zero}});
    for (int i = 0; i < TLW_LANES; ++i) {
        tlw_f8_store(to[i].row[0], low.row[i]);
        tlw_f8_store_first(to[i].row[2], high.row[i], 4);
    }
}

TLW_FORCE_INLINE void store_deltas(float (*to)[8], f8x3 delta) {
    const f8 zero = tlw_f8_zero();
    const tlw_f8x8 rows =
        tlw_f8x8_transpose((tlw_f8x8){{delta.x, delta.y, delta.z, zero, zero, zero, zero, zero}});
    for (int i = 0; i < TLW_LANES; ++i) {
        tlw_f8_store_aligned(to[i], rows.row[i]);
    }
}

TLW_FORCE_INLINE f8x3 rest_centre(const tlw_embed* e, const tlw_blob_window* window) {
    const tlw_blob_lattice* lattice = e->blob->lattice;
    const f8 turned[3] = {add(tlw_f8_iota(), all((float)window->cell[0] + 0.5f)),
                          all((float)window->cell[1] + 0.5f), all((float)window->cell[2] + 0.5f)};
    const f8 metres = all((float)lattice->voxel_metres);
    return (f8x3){mad(turned[turned_axis(e, 0)], metres, all((float)lattice->origin[0])),
                  mad(turned[turned_axis(e, 1)], metres, all((float)lattice->origin[1])),
                  mad(turned[turned_axis(e, 2)], metres, all((float)lattice->origin[2]))};
}

// R p0 with columns turned.
TLW_FORCE_INLINE f8x3 turn_point(const tlw_embed* e, const f8x9* r, f8x3 p) {
    const f8x3 x = r->c[turned_axis(e, 0)], y = r->c[turned_axis(e, 1)],
               z = r->c[turned_axis(e, 2)];
    return mad3(z, p.z, mad3(y, p.y, scale3(x, p.x)));
}

// What blocks need of the root and the lattice, once.
typedef struct model_space {
    f8x9 from_world; // columns
    f8 metres;       // a voxel
    f8 blend;
} model_space;

TLW_FORCE_INLINE model_space model_space_of(const tlw_embed* e) {
    const float* q = e->root_rotation;
    const f8x4 back = {all(-q[0]), all(-q[1]), all(-q[2]), all(q[3])};
    return (model_space){matrix_of(back), all((float)e->blob->lattice->voxel_metres),
                         all(e->blend)};
}

TLW_FORCE_INLINE f8x3 to_model(const model_space* model, f8x3 a) {
    const f8x9* m = &model->from_world;
    return mad3(m->c[2], a.z, mad3(m->c[1], a.y, scale3(m->c[0], a.x)));
}

typedef struct bounds8 {
    f8x3 low, high;
    f8 sums; // not finite, if a place is not
} bounds8;

// Lanes that are no voxels become NaN, which neither bound takes: min and max answer with their
// second argument.
TLW_FORCE_INLINE f8 or_nan(f8 a, tlw_i8 is_none) {
    return tlw_f8_from_bits_of(tlw_i8_or(tlw_i8_from_bits_of(a), is_none));
}

TLW_FORCE_INLINE void grow(bounds8* bounds, f8x3 p, uint32_t occupied) {
    const tlw_i8 is_none = tlw_i8_from_mask(tlw_m8_from_bits(~occupied & 0xffu));
    const f8x3 at = {or_nan(p.x, is_none), or_nan(p.y, is_none), or_nan(p.z, is_none)};
    bounds->low = (f8x3){tlw_f8_min(at.x, bounds->low.x), tlw_f8_min(at.y, bounds->low.y),
                         tlw_f8_min(at.z, bounds->low.z)};
    bounds->high = (f8x3){tlw_f8_max(at.x, bounds->high.x), tlw_f8_max(at.y, bounds->high.y),
                          tlw_f8_max(at.z, bounds->high.z)};
}

// Stage frames needs the mass of a site: 1, bone 10, empty 0.
TLW_FORCE_INLINE f8 mass_of(const tlw_blob_arrays* blob, size_t site) {
    const f8 kind = tlw_f8_load_aligned(blob->site_kind + site);
    return tlw_f8_select(tlw_f8_eq(kind, all(TLW_SITE_BONE)), all((float)TLW_BONE_MASS), kind);
}

// Rb^T (p - p_skin)
TLW_FORCE_INLINE f8x3 deviation(const tlw_window_state* state, const tlw_window_pose* pose) {
    return unrotate3(load_window4(pose->rb),
                     sub3(load_window3(state->p), load_window3(pose->skin)));
}

TLW_FORCE_INLINE void lattice_window(const tlw_embed* e, const model_space* model, uint32_t w,
                                     bounds8* bounds) {
    const tlw_blob_arrays* blob = e->blob;
    const tlw_blob_window* window = &blob->windows[w];
    const f8x3 d0 = deviation(&e->from[w], &e->pose_from[w]);
    const f8x3 d1 = deviation(&e->to[w], &e->pose_to[w]);
    const f8x3 d = mad3(sub3(d1, d0), model->blend, d0);
    const f8x4 rb = load_window4(e->pose[w].rb);
    const f8x3 delta = to_model(model, rotate3(rb, d));
    const f8x3 p = add3(to_model(model, load_window3(e->pose[w].skin)), delta);
    grow(bounds, p, window->occupied);
    bounds->sums = add(bounds->sums, add(add(p.x, p.y), p.z));

    const size_t slot = (size_t)w * TLW_LANES, site = window->rows[4];
    if (e->wants_deltas) {
        store_deltas(e->deltas + slot, scale3(delta, model->metres));
    }
    if (e->wants_frames) {
        const f8x9 r = matrix_of(multiply4(model_turn(e, rb), blend_turn(e, w)));
        const f8x3 place =
            sub3(scale3(p, model->metres), turn_point(e, &r, rest_centre(e, window)));
        store_rows(e, e->frames + slot, &r, place);
    }
    if (e->wants_frame_slopes) {
        store_sites(e->mp, site, scale3(p, mass_of(blob, site)));
    }
    if (e->wants_site_deltas) {
        store_sites(e->md, site, scale3(delta, mass_of(blob, site)));
    }
}

// Sites of the block and of its gaps; the first and the last block have the padding.
static void clear_sites(const tlw_embed* e, uint32_t block, float* const sites[3]) {
    const tlw_blob_arrays* blob = e->blob;
    const size_t first = block == 0 ? 0 : blob->blocks[block].first_site;
    const size_t end =
        block + 1 == blob->block_count ? blob->site_count : blob->blocks[block + 1].first_site;
    for (int i = 0; i < 3; ++i) {
        __builtin_memset(sites[i] + first, 0, (end - first) * sizeof(float));
    }
}

void TLW_KERNEL(tlw_embed_lattice)(const tlw_embed* e, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = e->blob;
    const model_space model = model_space_of(e);
    for (uint32_t b = first; b < end; ++b) {
        if (e->wants_frame_slopes) {
            clear_sites(e, b, e->mp);
        }
        if (e->wants_site_deltas) {
            clear_sites(e, b, e->md);
        }
        const f8 far = all(3.0e38f), near = all(-3.0e38f);
        bounds8 bounds = {{far, far, far}, {near, near, near}, tlw_f8_zero()};
        for (uint32_t w = blob->blocks[b].first_window; w < blob->blocks[b + 1].first_window; ++w) {
            lattice_window(e, &model, w, &bounds);
        }
        const float metres = (float)blob->lattice->voxel_metres;
        const f8 difference = sub(bounds.sums, bounds.sums); // as in velocity
        tlw_block_result* result = &e->results[b];
        result->not_finite = !tlw_m8_all(tlw_f8_eq(difference, difference));
        result->low[0] = tlw_f8_min_of_lanes(bounds.low.x) * metres;
        result->low[1] = tlw_f8_min_of_lanes(bounds.low.y) * metres;
        result->low[2] = tlw_f8_min_of_lanes(bounds.low.z) * metres;
        result->high[0] = tlw_f8_max_of_lanes(bounds.high.x) * metres;
        result->high[1] = tlw_f8_max_of_lanes(bounds.high.y) * metres;
        result->high[2] = tlw_f8_max_of_lanes(bounds.high.z) * metres;
    }
}

// ---- Frames

// Of the rest shape around eight voxels.
typedef struct rest_shape {
    f8 share; // 1 / sum m
    f8x3 c0;
    f8x9 inverse; // of A0 / sum m; symmetric
    m8 is_solid;  // it has one
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
    const f8 trace = add(add(k00, k11), k22); // 3 of a full cube, scaled so that det is 1
    s.is_solid = tlw_f8_gt(determinant, mul(mul(mul(trace, trace), trace), all(1e-3f / 27.0f)));
    const f8 by = tlw_f8_div(all(1.0f), tlw_f8_select(s.is_solid, determinant, all(1.0f)));
    s.inverse.c[0] = (f8x3){mul(c00, by), mul(c01, by), mul(c02, by)};
    s.inverse.c[1] = (f8x3){s.inverse.c[0].y, mul(c11, by), mul(c12, by)};
    s.inverse.c[2] = (f8x3){s.inverse.c[0].z, s.inverse.c[1].z, mul(c22, by)};
    return s;
}

typedef struct row_sums {
    f8x3 sum, difference;
} row_sums;

TLW_FORCE_INLINE row_sums sum_row(float* const sites[3], const tlw_blob_window* window,
                                  bool has_cuts, int row) {
    const size_t at = window->rows[row];
    f8x3 a = load_sites(sites, at - 1), b = load_sites(sites, at), c = load_sites(sites, at + 1);
    if (has_cuts) {
        const int step = row * 3 - (row > 4); // of links: the cell itself is left out
        a = keep3(tlw_m8_from_bits(window->links[step]), a);
        if (row == 4) {
            c = keep3(tlw_m8_from_bits(window->links[step + 1]), c);
        } else {
            b = keep3(tlw_m8_from_bits(window->links[step + 1]), b);
            c = keep3(tlw_m8_from_bits(window->links[step + 2]), c);
        }
    }
    return (row_sums){add3(add3(a, c), b), sub3(c, a)};
}

// The gradient over turned rest axes of what sites hold times mass, as in pass_regions.c.
TLW_FORCE_INLINE f8x9 sum_gradient(float* const sites[3], const tlw_blob_window* window,
                                   bool has_cuts, const rest_shape* shape) {
    f8x9 a = {{zero3(), zero3(), zero3()}};
    f8x3 plane[3];
#pragma GCC unroll 3
    for (int q = 0; q < 3; ++q) {
        const row_sums low = sum_row(sites, window, has_cuts, 3 * q),
                       mid = sum_row(sites, window, has_cuts, 3 * q + 1),
                       high = sum_row(sites, window, has_cuts, 3 * q + 2);
        plane[q] = add3(add3(low.sum, high.sum), mid.sum);
        a.c[0] = add3(a.c[0], add3(add3(low.difference, high.difference), mid.difference));
        a.c[1] = add3(a.c[1], sub3(high.sum, low.sum));
    }
    a.c[2] = sub3(plane[2], plane[0]);
    const f8x3 sum = add3(add3(plane[0], plane[2]), plane[1]);
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

// Not inlined: masks by the dozen make a function that compilers take minutes for.
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
    if (e->wants_site_deltas) { // bone has none: what its mass rounds off is nothing
        const f8 metres = all((float)blob->lattice->voxel_metres);
        delta = scale3(load_sites(e->md, site), tlw_f8_div(metres, mass_of(blob, site)));
        delta = keep3(is_voxel, delta);
    }
    f8x9 r = {{zero3(), zero3(), zero3()}}, rb = r;
    if (e->wants_frame_slopes || !is_all_solid) {
        const f8x4 skinned = model_turn(e, load_window4(e->pose[w].rb));
        rb = matrix_of(skinned);
        r = matrix_of(multiply4(skinned, blend_turn(e, w)));
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

// ---- Vertices

// Records of eight vertices that follow each other.
typedef struct vertex_group {
    const tlw_blob_vertex* vertices;
    const tlw_blob_skinning* skinning;
    const tlw_blob_binding* bindings;
    uint32_t joints;  // how many any of them has, 1 to 8
    uint32_t skinned; // bit i: vertex i has artist weights, and is drawn by them
} vertex_group;

// Sums over joints and voxels of eight vertices: a vertex a row until they are transposed.
//     low   rows 0 and 1 of L          high  row 0 of the slope, or delta; row 2 of L
//     more  rows 1 and 2 of the slope
typedef struct vertex_sums {
    tlw_f8x8 low, high, more;
} vertex_sums;

// What voxels add beside L.
typedef enum voxel_part { NOTHING, DELTAS, SLOPES } voxel_part;

TLW_FORCE_INLINE f8 keep_lower(f8 a) {
    return tlw_f8_keep(tlw_m8_from_bits(0x0fu), a);
}

TLW_FORCE_INLINE f8 keep_upper(f8 a) {
    return tlw_f8_keep(tlw_m8_from_bits(0xf0u), a);
}

// Rows 0 and 1 are loaded together, and rows 1 and 2, of which only the last is kept in the end.
TLW_FORCE_INLINE void set_rows(const float* rows, float weight, f8* low, f8* high) {
    const f8 w = all(weight);
    *low = mul(tlw_f8_load(rows), w);
    *high = mul(tlw_f8_load(rows + 4), w);
}

TLW_FORCE_INLINE void add_rows(const float* rows, float weight, f8* low, f8* high) {
    const f8 w = all(weight);
    *low = mad(tlw_f8_load(rows), w, *low);
    *high = mad(tlw_f8_load(rows + 4), w, *high);
}

// Indices come several a load: loads are what vertices wait for.
TLW_FORCE_INLINE uint64_t load_indices(const void* from) {
    uint64_t indices;
    __builtin_memcpy(&indices, from, sizeof indices);
    return indices;
}

TLW_FORCE_INLINE void sum_joints(const tlw_affine* rows, const tlw_blob_skinning* skinning,
                                 uint32_t count, f8* low, f8* high) {
    const uint64_t indices = load_indices(skinning->joints);
    set_rows(rows[indices & 0xffffu].row[0], skinning->weights[0], low, high);
    for (uint32_t k = 1; k < count && k < 4; ++k) {
        add_rows(rows[indices >> 16 * k & 0xffffu].row[0], skinning->weights[k], low, high);
    }
    for (uint32_t k = 4; k < count; ++k) {
        add_rows(rows[skinning->joints[k]].row[0], skinning->weights[k], low, high);
    }
    *high = keep_upper(*high);
}

// Even and odd ones apart: one chain of eight additions takes longer than all else of a vertex.
TLW_FORCE_INLINE void sum_slots(const tlw_voxel_rows* rows, const tlw_blob_binding* binding,
                                f8* low, f8* high) {
    const float* weights = binding->weights;
    uint64_t indices = load_indices(binding->slots);
    f8 odd_low, odd_high;
    set_rows(rows[(uint32_t)indices].row[0], weights[0], low, high);
    set_rows(rows[indices >> 32].row[0], weights[1], &odd_low, &odd_high);
    for (int k = 2; k < 8; k += 2) {
        indices = load_indices(&binding->slots[k]);
        add_rows(rows[(uint32_t)indices].row[0], weights[k], low, high);
        add_rows(rows[indices >> 32].row[0], weights[k + 1], &odd_low, &odd_high);
    }
    *low = add(*low, odd_low);
    *high = add(*high, odd_high);
}

TLW_FORCE_INLINE f8 sum_deltas(const float (*deltas)[8], const tlw_blob_binding* binding) {
    const float* weights = binding->weights;
    uint64_t indices = load_indices(binding->slots);
    f8 even = mul(tlw_f8_load_aligned(deltas[(uint32_t)indices]), all(weights[0]));
    f8 odd = mul(tlw_f8_load_aligned(deltas[indices >> 32]), all(weights[1]));
    for (int k = 2; k < 8; k += 2) {
        indices = load_indices(&binding->slots[k]);
        even = mad(tlw_f8_load_aligned(deltas[(uint32_t)indices]), all(weights[k]), even);
        odd = mad(tlw_f8_load_aligned(deltas[indices >> 32]), all(weights[k + 1]), odd);
    }
    return add(even, odd);
}

TLW_FORCE_INLINE void add_voxel_part(const tlw_embed* e, const tlw_voxel_rows* slopes,
                                     const tlw_blob_binding* binding, voxel_part part, int i,
                                     vertex_sums* out) {
    if (part == DELTAS) {
        out->high.row[i] = add(out->high.row[i], sum_deltas((const float(*)[8])e->deltas, binding));
    }
    if (part == SLOPES) {
        f8 first, more;
        sum_slots(slopes, binding, &first, &more);
        out->high.row[i] = add(out->high.row[i], keep_lower(first));
        out->more.row[i] = more;
    }
}

// Riding on voxels alone.
TLW_FORCE_INLINE void sum_riding(const tlw_embed* e, const vertex_group* group, voxel_part part,
                                 int i, vertex_sums* out) {
    sum_slots(e->frames, &group->bindings[i], &out->low.row[i], &out->high.row[i]);
    out->high.row[i] = keep_upper(out->high.row[i]);
    add_voxel_part(e, e->frame_slopes, &group->bindings[i], part, i, out);
}

TLW_FORCE_INLINE void sum_riding_group(const tlw_embed* e, const vertex_group* group,
                                       voxel_part part, vertex_sums* out) {
    for (int i = 0; i < TLW_LANES; ++i) {
        sum_riding(e, group, part, i, out);
    }
}

TLW_FORCE_INLINE void sum_skinned_group(const tlw_embed* e, const vertex_group* group,
                                        uint32_t joints, voxel_part part, vertex_sums* out) {
    for (int i = 0; i < TLW_LANES; ++i) {
        sum_joints(e->joint_affines, &group->skinning[i], joints, &out->low.row[i],
                   &out->high.row[i]);
        add_voxel_part(e, e->slopes, &group->bindings[i], part, i, out);
    }
}

// Those among skinned ones that are not.
TLW_NOINLINE static void sum_unskinned(const tlw_embed* e, const vertex_group* group,
                                       voxel_part part, vertex_sums* out) {
    for (int i = 0; i < TLW_LANES; ++i) {
        if (group->skinned >> i & 1u) {
            continue;
        }
        if (part == DELTAS) {
            sum_riding(e, group, DELTAS, i, out);
        } else {
            sum_riding(e, group, SLOPES, i, out);
        }
    }
}

// Of delta mode.
TLW_FORCE_INLINE void sum_group(const tlw_embed* e, const vertex_group* group, voxel_part part,
                                vertex_sums* out) {
    switch (group->joints) { // constants: loops unrolled; a count rounded up meets weights of 0
    case 1:
    case 2:
        sum_skinned_group(e, group, 2, part, out);
        break;
    case 3:
        sum_skinned_group(e, group, 3, part, out);
        break;
    case 4:
        sum_skinned_group(e, group, 4, part, out);
        break;
    default:
        sum_skinned_group(e, group, 8, part, out);
        break;
    }
    if (TLW_UNLIKELY(group->skinned != 0xffu)) {
        sum_unskinned(e, group, part, out);
    }
}

TLW_FORCE_INLINE void measure(const tlw_embed* e, vertex_group* group) {
    group->skinned = 0;
    group->joints = 1;
    if (!e->is_delta) {
        return;
    }
    f8 weights[TLW_LANES];
    group->skinned = 0xffu;
    for (int i = 0; i < TLW_LANES; ++i) {
        weights[i] = tlw_f8_load(group->skinning[i].weights);
        if (e->has_unskinned && tlw_m8_none(tlw_f8_gt(weights[i], tlw_f8_zero()))) {
            group->skinned &= ~(1u << i);
        }
    }
    const f8 most = tlw_f8_max(
        tlw_f8_max(tlw_f8_max(weights[0], weights[1]), tlw_f8_max(weights[2], weights[3])),
        tlw_f8_max(tlw_f8_max(weights[4], weights[5]), tlw_f8_max(weights[6], weights[7])));
    const uint32_t used = tlw_m8_to_bits(tlw_f8_gt(most, tlw_f8_zero()));
    group->joints = 32u - (uint32_t)__builtin_clz(used | 1u);
}

// What is drawn of eight vertices.
typedef enum drawing { DRAW_DELTAS, DRAW_POSITIONS, DRAW_GRADIENTS } drawing;

typedef struct drawn {
    f8x3 position, normal, tangent, delta;
} drawn;

// Of what has no length: `otherwise`, a rest vector, so that shaders never meet a zero that the
// asset does not have.
TLW_FORCE_INLINE f8x3 normalise3(f8x3 a, f8x3 otherwise) {
    const f8 by = inverse_length(dot3(a, a));
    return select3(tlw_f8_gt(by, tlw_f8_zero()), scale3(a, by), otherwise);
}

// Of 3x3 columns.
TLW_FORCE_INLINE f8x3 cofactor_times(const f8x9* a, f8x3 b) {
    return mad3(cross3(a->c[0], a->c[1]), b.z,
                mad3(cross3(a->c[2], a->c[0]), b.y, scale3(cross3(a->c[1], a->c[2]), b.x)));
}

TLW_FORCE_INLINE f8x3 draw_deltas(const tlw_embed* e, const vertex_group* group) {
    tlw_f8x8 sum;
    for (int i = 0; i < TLW_LANES; ++i) {
        sum.row[i] = sum_deltas((const float(*)[8])e->deltas, &group->bindings[i]);
    }
    sum = tlw_f8x8_transpose(sum);
    return (f8x3){sum.row[0], sum.row[1], sum.row[2]};
}

TLW_FORCE_INLINE f8x3 place_of(const vertex_group* group, const vertex_sums* sums, f8x3 at,
                               f8x3 delta) {
    const tlw_f8x8 *low = &sums->low, *high = &sums->high;
    const f8x3 place = {
        add(mad(low->row[2], at.z, mad(low->row[1], at.y, mul(low->row[0], at.x))), low->row[3]),
        add(mad(low->row[6], at.z, mad(low->row[5], at.y, mul(low->row[4], at.x))), low->row[7]),
        add(mad(high->row[6], at.z, mad(high->row[5], at.y, mul(high->row[4], at.x))),
            high->row[7])};
    return add3(place, keep3(tlw_m8_from_bits(group->skinned), delta));
}

TLW_FORCE_INLINE void draw_positions(const tlw_embed* e, const vertex_group* group, drawn* out) {
    vertex_sums sums;
    tlw_f8x8 rest;
    if (e->is_delta) {
        sum_group(e, group, DELTAS, &sums);
    } else if (e->wants_deltas) {
        sum_riding_group(e, group, DELTAS, &sums);
    } else {
        sum_riding_group(e, group, NOTHING, &sums);
    }
    for (int i = 0; i < TLW_LANES; ++i) {
        rest.row[i] = tlw_f8_load(group->vertices[i].position);
    }
    sums.low = tlw_f8x8_transpose(sums.low);
    sums.high = tlw_f8x8_transpose(sums.high);
    rest = tlw_f8x8_transpose(rest);
    out->delta = (f8x3){sums.high.row[0], sums.high.row[1], sums.high.row[2]};
    out->position =
        place_of(group, &sums, (f8x3){rest.row[0], rest.row[1], rest.row[2]}, out->delta);
}

TLW_FORCE_INLINE void draw_gradients(const tlw_embed* e, const vertex_group* group, drawn* out) {
    vertex_sums sums;
    tlw_f8x8 rest;
    if (e->is_delta) {
        sum_group(e, group, SLOPES, &sums);
    } else {
        sum_riding_group(e, group, SLOPES, &sums);
    }
    for (int i = 0; i < TLW_LANES; ++i) {
        rest.row[i] = tlw_f8_load(group->vertices[i].position);
    }
    sums.low = tlw_f8x8_transpose(sums.low);
    sums.high = tlw_f8x8_transpose(sums.high);
    sums.more = tlw_f8x8_transpose(sums.more);
    rest = tlw_f8x8_transpose(rest);
    const tlw_f8x8 *l = &sums.low, *h = &sums.high, *m = &sums.more;
    out->delta = (f8x3){h->row[3], m->row[3], m->row[7]};
    out->position =
        place_of(group, &sums, (f8x3){rest.row[0], rest.row[1], rest.row[2]}, out->delta);
    const f8x9 gradient = {
        {{add(l->row[0], h->row[0]), add(l->row[4], m->row[0]), add(h->row[4], m->row[4])},
         {add(l->row[1], h->row[1]), add(l->row[5], m->row[1]), add(h->row[5], m->row[5])},
         {add(l->row[2], h->row[2]), add(l->row[6], m->row[2]), add(h->row[6], m->row[6])}}};
    const f8x3 normal = {rest.row[3], rest.row[4], rest.row[5]};
    out->normal = normalise3(cofactor_times(&gradient, normal), normal);
    out->tangent = zero3();
    if (e->output.tangents.data) {
        float z[TLW_LANES];
        for (int i = 0; i < TLW_LANES; ++i) {
            z[i] = group->vertices[i].tangent[2];
        }
        const f8x3 tangent = {rest.row[6], rest.row[7], tlw_f8_load(z)};
        const f8x3 turned = mad3(gradient.c[2], tangent.z,
                                 mad3(gradient.c[1], tangent.y, scale3(gradient.c[0], tangent.x)));
        out->tangent = normalise3(turned, tangent);
    }
}

// ---- Streams

// One stream's share of eight vertices that cannot be written in one go.
typedef struct elements {
    unsigned char* to;
    size_t stride, bytes; // of an element: 6 or 12
    TLW_ALIGNAS(32) float floats[24];
    TLW_ALIGNAS(32) uint16_t halves[24];
} elements;

// True if all is written, false if `rest` is to be copied element by element.
TLW_FORCE_INLINE bool write_packed(const tlw_stream* stream, f8x3 value, uint64_t first,
                                   uint32_t count, elements* rest) {
    rest->bytes = stream->format == TLW_FORMAT_FLOAT32 ? 12 : 6;
    rest->stride = stream->stride_bytes ? stream->stride_bytes : rest->bytes;
    rest->to = (unsigned char*)stream->data + first * rest->stride;
    const bool is_packed = rest->stride == rest->bytes && count == TLW_LANES;
    if (is_packed && rest->bytes == 12) {
        tlw_f8x3_store((float*)(void*)rest->to, value);
        return true;
    }
    tlw_f8x3_store(rest->floats, value);
    if (rest->bytes == 6) {
        for (int i = 0; i < 24; i += TLW_LANES) {
            tlw_i8_store_u16(rest->halves + i,
                             tlw_i8_half_from_f8(tlw_f8_load_aligned(rest->floats + i)));
        }
        if (is_packed) {
            __builtin_memcpy(rest->to, rest->halves, sizeof rest->halves);
        }
    }
    return is_packed;
}

// Vertex by vertex: streams that are interleaved are written in order as well.
static void write_elements(const elements* streams, uint32_t stream_count, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t s = 0; s < stream_count; ++s) {
            unsigned char* to = streams[s].to + i * streams[s].stride;
            if (streams[s].bytes == 12) {
                __builtin_memcpy(to, streams[s].floats + 3 * i, 12);
            } else {
                __builtin_memcpy(to, streams[s].halves + 3 * i, 6);
            }
        }
    }
}

TLW_FORCE_INLINE void write_vertices(const tlw_embed* e, const drawn* group, drawing kind,
                                     uint64_t first, uint32_t count) {
    const tlw_output* output = &e->output;
    elements rest[4];
    uint32_t left = 0;
    if (kind != DRAW_DELTAS && output->positions.data) {
        left += !write_packed(&output->positions, group->position, first, count, &rest[left]);
    }
    if (kind == DRAW_GRADIENTS && output->normals.data) {
        left += !write_packed(&output->normals, group->normal, first, count, &rest[left]);
    }
    if (kind == DRAW_GRADIENTS && output->tangents.data) {
        left += !write_packed(&output->tangents, group->tangent, first, count, &rest[left]);
    }
    if (output->deltas.data) {
        left += !write_packed(&output->deltas, group->delta, first, count, &rest[left]);
    }
    if (left) {
        write_elements(rest, left, count);
    }
}

TLW_FORCE_INLINE void draw_group(const tlw_embed* e, vertex_group* group, drawing kind,
                                 uint64_t first, uint32_t count) {
    drawn out;
    if (kind == DRAW_DELTAS) {
        out.delta = draw_deltas(e, group);
    } else if (kind == DRAW_POSITIONS) {
        measure(e, group);
        draw_positions(e, group, &out);
    } else {
        measure(e, group);
        draw_gradients(e, group, &out);
    }
    write_vertices(e, &out, kind, first, count);
}

typedef struct group_records {
    tlw_blob_vertex vertices[TLW_LANES];
    tlw_blob_skinning skinning[TLW_LANES];
    tlw_blob_binding bindings[TLW_LANES];
} group_records;

// Less than eight vertices as eight: the last one several times.
static void fill_group(const tlw_blob_arrays* blob, size_t first, uint32_t count,
                       group_records* to) {
    for (uint32_t i = 0; i < TLW_LANES; ++i) {
        const size_t v = first + (i < count ? i : count - 1);
        to->vertices[i] = blob->vertices[v];
        to->skinning[i] = blob->skinning[v];
        to->bindings[i] = blob->bindings[v];
    }
}

TLW_FORCE_INLINE void draw(const tlw_embed* e, drawing kind, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = e->blob;
    group_records records;
    const uint32_t last = end < e->vertex_groups ? end : e->vertex_groups;
    for (uint32_t g = first; g < last; ++g) {
        const uint32_t at = g * TLW_LANES, left = e->vertex_count - at;
        const size_t v = (size_t)e->first_vertex + at;
        const uint32_t count = left < TLW_LANES ? left : TLW_LANES;
        vertex_group group = {.vertices = blob->vertices + v,
                              .skinning = blob->skinning + v,
                              .bindings = blob->bindings + v};
        if (count < TLW_LANES) {
            fill_group(blob, v, count, &records);
            group = (vertex_group){.vertices = records.vertices,
                                   .skinning = records.skinning,
                                   .bindings = records.bindings};
        }
        draw_group(e, &group, kind, at, count);
    }
}

// One function a kind: in one they would share registers and spill them.
TLW_NOINLINE static void draw_deltas_of(const tlw_embed* e, uint32_t first, uint32_t end) {
    draw(e, DRAW_DELTAS, first, end);
}

TLW_NOINLINE static void draw_positions_of(const tlw_embed* e, uint32_t first, uint32_t end) {
    draw(e, DRAW_POSITIONS, first, end);
}

TLW_NOINLINE static void draw_gradients_of(const tlw_embed* e, uint32_t first, uint32_t end) {
    draw(e, DRAW_GRADIENTS, first, end);
}

// A 3x4 a voxel, as frames have it.
static void write_lattice(const tlw_embed* e, uint64_t first, uint64_t end) {
    const tlw_stream* stream = &e->output.lattice;
    const size_t element = stream->format == TLW_FORMAT_FLOAT32 ? 48 : 24;
    const size_t stride = stream->stride_bytes ? stream->stride_bytes : element;
    unsigned char* to = (unsigned char*)stream->data + first * stride;
    for (uint64_t v = first; v < end; ++v, to += stride) {
        const float* from = e->frames[e->blob->voxel_slot[v]].row[0];
        if (element == 48) {
            __builtin_memcpy(to, from, 48);
        } else {
            uint16_t halves[16]; // rows 0 and 1, and row 2 behind them
            tlw_i8_store_u16(halves, tlw_i8_half_from_f8(tlw_f8_load(from)));
            tlw_i8_store_u16(halves + 4, tlw_i8_half_from_f8(tlw_f8_load(from + 4)));
            __builtin_memcpy(to, halves, 24);
        }
    }
}

void TLW_KERNEL(tlw_embed_vertices)(const tlw_embed* e, uint32_t first, uint32_t end) {
    if (e->wants_gradients) {
        draw_gradients_of(e, first, end);
    } else if (e->wants_base) {
        draw_positions_of(e, first, end);
    } else if (e->wants_deltas) {
        draw_deltas_of(e, first, end);
    }
    if (end > e->vertex_groups) {
        const uint32_t from = first > e->vertex_groups ? first - e->vertex_groups : 0;
        const uint64_t last = (uint64_t)(end - e->vertex_groups) * TLW_LANES;
        const uint64_t count = e->blob->lattice->voxel_count;
        write_lattice(e, (uint64_t)from * TLW_LANES, last < count ? last : count);
    }
}
