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
// once, as in pass_skin.c. Two halves of two sums share a register where each has one to spare.
#include "platform/simd_math.h"
#include "runtime/embed.h"
#include "runtime/wide.h"

// Rest axis a is turned axis turned_axis(e, a).
TLW_FORCE_INLINE uint32_t turned_axis(const tlw_embed* e, uint32_t axis) {
    return (axis + 3 - e->body->lattice->lane_axis) % 3;
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
    const f8x4 from = load_window4(e->state[w].q0), to = load_window4(e->state[w].q);
    const f8 side = dot4(from, to), share = all(e->blend);
    return normalise4((f8x4){mad(share, sub(tlw_f8_xor_sign(to.x, side), from.x), from.x),
                             mad(share, sub(tlw_f8_xor_sign(to.y, side), from.y), from.y),
                             mad(share, sub(tlw_f8_xor_sign(to.z, side), from.z), from.z),
                             mad(share, sub(tlw_f8_xor_sign(to.w, side), from.w), from.w)});
}

// ---- Lattice

// [columns | last] of eight slots, columns turned.
TLW_FORCE_INLINE void store_rows(const tlw_embed* e, tlw_rows* to, const f8x9* columns, f8x3 last) {
    const f8x3 x = columns->c[turned_axis(e, 0)], y = columns->c[turned_axis(e, 1)],
               z = columns->c[turned_axis(e, 2)];
    const f8 zero = tlw_f8_zero();
    const tlw_f8x8 low =
        tlw_f8x8_transpose((tlw_f8x8){{x.x, y.x, z.x, last.x, x.y, y.y, z.y, last.y}});
    const tlw_f8x8 high =
        tlw_f8x8_transpose((tlw_f8x8){{x.z, y.z, z.z, last.z, zero, zero, zero, zero}});
    for (int i = 0; i < TLW_LANES; ++i) {
        tlw_f8_store_aligned(to[i].row[0], low.row[i]);
        tlw_f8_store_aligned(to[i].row[2], high.row[i]);
    }
}

TLW_FORCE_INLINE f8x3 rest_centre(const tlw_embed* e, const tlw_blob_window* window) {
    const tlw_blob_lattice* lattice = e->body->lattice;
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

typedef struct bounds8 {
    f8x3 low, high;
} bounds8;

TLW_FORCE_INLINE f8x3 min3(f8x3 a, f8x3 b) {
    return (f8x3){tlw_f8_min(a.x, b.x), tlw_f8_min(a.y, b.y), tlw_f8_min(a.z, b.z)};
}

TLW_FORCE_INLINE f8x3 max3(f8x3 a, f8x3 b) {
    return (f8x3){tlw_f8_max(a.x, b.x), tlw_f8_max(a.y, b.y), tlw_f8_max(a.z, b.z)};
}

// Stage frames needs the mass of a site: 1, bone 10, empty 0.
TLW_FORCE_INLINE f8 mass_of(const tlw_body* body, size_t site) {
    const f8 kind = tlw_f8_load_aligned(body->site_body + site);
    return tlw_f8_select(tlw_f8_eq(kind, all(TLW_BODY_BONE)), all((float)TLW_BLOB_BONE_MASS), kind);
}

TLW_FORCE_INLINE void lattice_window(const tlw_embed* e, uint32_t w, bounds8* bounds) {
    const tlw_body* body = e->body;
    const tlw_blob_window* window = &body->windows[w];
    const tlw_window_state* state = &e->state[w];
    const f8 metres = all((float)body->lattice->voxel_metres);
    const f8x3 off = sub3(load_window3(state->p), load_window3(state->skin));
    const f8x3 d0 = load_window3(state->d0);
    const f8x3 d1 = unrotate3(load_window4(state->rb), off);
    const f8x3 d = mad3(sub3(d1, d0), all(e->blend), d0);
    const f8x4 rb = model_turn(e, load_window4(e->pose[w].rb));
    const f8x3 delta = rotate3(rb, d);
    const f8x3 skin = unrotate3(all4(e->root_rotation), load_window3(e->pose[w].skin));
    const f8x3 p = add3(skin, delta);
    const f8x3 delta_metres = scale3(delta, metres), p_metres = scale3(p, metres);

    const m8 is_voxel = tlw_m8_from_bits(window->occupied);
    bounds->low = min3(select3(is_voxel, p_metres, bounds->low), bounds->low);
    bounds->high = max3(select3(is_voxel, p_metres, bounds->high), bounds->high);

    const size_t slot = (size_t)w * TLW_LANES, site = window->rows[4];
    if (e->wants_deltas) {
        tlw_f8x4_store(e->deltas[slot],
                       (f8x4){delta_metres.x, delta_metres.y, delta_metres.z, tlw_f8_zero()});
    }
    if (e->wants_frames) {
        const f8x9 r = matrix_of(multiply4(rb, blend_turn(e, w)));
        const f8x3 place = sub3(p_metres, turn_point(e, &r, rest_centre(e, window)));
        store_rows(e, e->frames + slot, &r, place);
    }
    if (e->wants_frame_slopes) {
        store_sites(e->mp, site, scale3(p, mass_of(body, site)));
    }
    if (e->wants_gradients) { // frames' slopes carry deltas too
        store_sites(e->md, site, scale3(delta, mass_of(body, site)));
    }
}

// Sites of the block and of its gaps; the first and the last block have the padding.
static void clear_sites(const tlw_embed* e, uint32_t block, float* const sites[3]) {
    const tlw_body* body = e->body;
    const size_t first = block == 0 ? 0 : body->blocks[block].first_site;
    const size_t end =
        block + 1 == body->block_count ? body->site_count : body->blocks[block + 1].first_site;
    for (int i = 0; i < 3; ++i) {
        __builtin_memset(sites[i] + first, 0, (end - first) * sizeof(float));
    }
}

void TLW_KERNEL(tlw_embed_lattice)(const tlw_embed* e, uint32_t first, uint32_t end) {
    const tlw_body* body = e->body;
    for (uint32_t b = first; b < end; ++b) {
        if (e->wants_frame_slopes) {
            clear_sites(e, b, e->mp);
        }
        if (e->wants_gradients) {
            clear_sites(e, b, e->md);
        }
        const f8 far = all(3.0e38f), near = all(-3.0e38f);
        bounds8 bounds = {{far, far, far}, {near, near, near}};
        for (uint32_t w = body->blocks[b].first_window; w < body->blocks[b + 1].first_window; ++w) {
            lattice_window(e, w, &bounds);
        }
        tlw_block_result* result = &e->results[b];
        result->low[0] = tlw_f8_min_of_lanes(bounds.low.x);
        result->low[1] = tlw_f8_min_of_lanes(bounds.low.y);
        result->low[2] = tlw_f8_min_of_lanes(bounds.low.z);
        result->high[0] = tlw_f8_max_of_lanes(bounds.high.x);
        result->high[1] = tlw_f8_max_of_lanes(bounds.high.y);
        result->high[2] = tlw_f8_max_of_lanes(bounds.high.z);
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

TLW_FORCE_INLINE f8 load_moment(const tlw_body* body, uint32_t w, tlw_blob_moment which) {
    return tlw_f8_from_i8(tlw_i8_load_s16(body->slot_moment + (size_t)which * body->slot_count +
                                          (size_t)w * TLW_LANES));
}

TLW_FORCE_INLINE rest_shape rest_shape_of(const tlw_body* body, uint32_t w) {
    rest_shape s;
    s.share = tlw_f8_div(all(1.0f), tlw_f8_max(load_moment(body, w, TLW_MOMENT_MASS), all(1.0f)));
    s.c0 = (f8x3){mul(s.share, load_moment(body, w, TLW_MOMENT_LANE)),
                  mul(s.share, load_moment(body, w, TLW_MOMENT_P)),
                  mul(s.share, load_moment(body, w, TLW_MOMENT_Q))};
    const f8 k00 =
        sub(mul(s.share, load_moment(body, w, TLW_MOMENT_LANE_LANE)), mul(s.c0.x, s.c0.x));
    const f8 k11 = sub(mul(s.share, load_moment(body, w, TLW_MOMENT_P_P)), mul(s.c0.y, s.c0.y));
    const f8 k22 = sub(mul(s.share, load_moment(body, w, TLW_MOMENT_Q_Q)), mul(s.c0.z, s.c0.z));
    const f8 k01 = sub(mul(s.share, load_moment(body, w, TLW_MOMENT_LANE_P)), mul(s.c0.x, s.c0.y));
    const f8 k02 = sub(mul(s.share, load_moment(body, w, TLW_MOMENT_LANE_Q)), mul(s.c0.x, s.c0.z));
    const f8 k12 = sub(mul(s.share, load_moment(body, w, TLW_MOMENT_P_Q)), mul(s.c0.y, s.c0.z));
    const f8 c00 = sub(mul(k11, k22), mul(k12, k12)), c11 = sub(mul(k00, k22), mul(k02, k02));
    const f8 c22 = sub(mul(k00, k11), mul(k01, k01)), c01 = sub(mul(k02, k12), mul(k01, k22));
    const f8 c02 = sub(mul(k01, k12), mul(k02, k11)), c12 = sub(mul(k01, k02), mul(k00, k12));
    const f8 determinant = mad(k02, c02, mad(k01, c01, mul(k00, c00)));
    s.is_solid = tlw_f8_gt(determinant, all(1e-3f));
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
TLW_FORCE_INLINE f8x9 gradient_of(float* const sites[3], const tlw_blob_window* window,
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

TLW_FORCE_INLINE void frames_window(const tlw_embed* e, uint32_t w, bool has_cuts) {
    const tlw_body* body = e->body;
    const tlw_blob_window* window = &body->windows[w];
    const rest_shape shape = rest_shape_of(body, w);
    const m8 is_voxel = tlw_m8_from_bits(window->occupied);
    const bool is_all_solid = tlw_m8_none(tlw_m8_and_not(is_voxel, shape.is_solid));
    const size_t slot = (size_t)w * TLW_LANES, site = window->rows[4];
    const f8x4 skinned = model_turn(e, load_window4(e->pose[w].rb));
    // Back from what the 27 sites hold: one division, once a voxel.
    const f8 metres = all((float)body->lattice->voxel_metres);
    const f8 by = tlw_f8_div(metres, tlw_f8_max(mass_of(body, site), all(1.0f)));
    const f8x3 delta = scale3(load_sites(e->md, site), by);

    f8x9 r = {{zero3(), zero3(), zero3()}};
    if (e->wants_frame_slopes || !is_all_solid) {
        r = matrix_of(multiply4(skinned, blend_turn(e, w)));
    }
    if (e->wants_slopes) {
        f8x9 slope = gradient_of(e->md, window, has_cuts, &shape);
        if (!is_all_solid) {
            const f8x9 rb = matrix_of(skinned);
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
    const tlw_body* body = e->body;
    if (!e->wants_gradients) {
        return;
    }
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        if (body->windows[w].flags & TLW_WINDOW_HAS_CUTS) {
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
    uint32_t joints, slots; // how many any of them has, 1 to 8
    uint32_t skinned;       // bit i: vertex i has artist weights
} vertex_group;

// Sums over joints or voxels of eight vertices: a vertex a row, still to be transposed.
typedef struct sums {
    tlw_f8x8 low, high; // of rows 0 and 1; of rows 1 and 2
} sums;

// Rows 0 and 1 are loaded together, and rows 1 and 2: the spare half of a sum of rows 1 and 2 takes
// what else there is.
TLW_FORCE_INLINE void blend_joints_of(const tlw_rows* rows, const tlw_blob_skinning* skinning,
                                      uint32_t count, f8* low, f8* high) {
    const float* at = rows[skinning->joints[0]].row[0];
    f8 w = all(skinning->weights[0]);
    *low = mul(tlw_f8_load_aligned(at), w);
    *high = mul(tlw_f8_load(at + 4), w);
    for (uint32_t k = 1; k < count; ++k) {
        at = rows[skinning->joints[k]].row[0];
        w = all(skinning->weights[k]);
        *low = mad(tlw_f8_load_aligned(at), w, *low);
        *high = mad(tlw_f8_load(at + 4), w, *high);
    }
}

TLW_FORCE_INLINE void blend_slots_of(const tlw_rows* rows, const tlw_blob_binding* binding,
                                     uint32_t count, f8* low, f8* high) {
    const float* at = rows[binding->slots[0]].row[0];
    f8 w = all(binding->weights[0]);
    *low = mul(tlw_f8_load_aligned(at), w);
    *high = mul(tlw_f8_load(at + 4), w);
    for (uint32_t k = 1; k < count; ++k) {
        at = rows[binding->slots[k]].row[0];
        w = all(binding->weights[k]);
        *low = mad(tlw_f8_load_aligned(at), w, *low);
        *high = mad(tlw_f8_load(at + 4), w, *high);
    }
}

// The upper half is that of the next slot, of no use.
TLW_FORCE_INLINE f8 blend_deltas_of(const float (*deltas)[4], const tlw_blob_binding* binding,
                                    uint32_t count) {
    f8 sum = mul(tlw_f8_load(deltas[binding->slots[0]]), all(binding->weights[0]));
    for (uint32_t k = 1; k < count; ++k) {
        sum = mad(tlw_f8_load(deltas[binding->slots[k]]), all(binding->weights[k]), sum);
    }
    return sum;
}

// Counts are constants in each case, so that loops unroll; a count that is rounded up meets
// weights of 0.
#define TLW_FOR_COUNT(count, CALL) \
    switch (count) {               \
    case 1:                        \
        CALL(1);                   \
        break;                     \
    case 2:                        \
        CALL(2);                   \
        break;                     \
    case 3:                        \
        CALL(3);                   \
        break;                     \
    case 4:                        \
        CALL(4);                   \
        break;                     \
    case 5:                        \
    case 6:                        \
        CALL(6);                   \
        break;                     \
    default:                       \
        CALL(8);                   \
        break;                     \
    }

static void blend_joints(const tlw_rows* rows, const vertex_group* group, sums* out) {
#define BLEND(count)                                                                            \
    for (int i = 0; i < TLW_LANES; ++i) {                                                       \
        blend_joints_of(rows, &group->skinning[i], count, &out->low.row[i], &out->high.row[i]); \
    }
    TLW_FOR_COUNT(group->joints, BLEND)
#undef BLEND
}

static void blend_slots(const tlw_rows* rows, const vertex_group* group, sums* out) {
#define BLEND(count)                                                                           \
    for (int i = 0; i < TLW_LANES; ++i) {                                                      \
        blend_slots_of(rows, &group->bindings[i], count, &out->low.row[i], &out->high.row[i]); \
    }
    TLW_FOR_COUNT(group->slots, BLEND)
#undef BLEND
}

static void blend_deltas(const float (*deltas)[4], const vertex_group* group, tlw_f8x8* out) {
#define BLEND(count)                                                       \
    for (int i = 0; i < TLW_LANES; ++i) {                                  \
        out->row[i] = blend_deltas_of(deltas, &group->bindings[i], count); \
    }
    TLW_FOR_COUNT(group->slots, BLEND)
#undef BLEND
}

// 1 to 8: the last weight that any of the eight vertices uses.
TLW_FORCE_INLINE uint32_t used_weights(f8 most) {
    const uint32_t bits = tlw_m8_to_bits(tlw_f8_gt(most, tlw_f8_zero()));
    return bits ? 32u - (uint32_t)__builtin_clz(bits) : 1u;
}

TLW_FORCE_INLINE void measure(const tlw_embed* e, vertex_group* group) {
    f8 joints = tlw_f8_zero(), slots = tlw_f8_zero();
    group->skinned = e->is_delta ? 0xffu : 0u;
    for (int i = 0; i < TLW_LANES; ++i) {
        slots = tlw_f8_max(tlw_f8_load(group->bindings[i].weights), slots);
    }
    if (e->is_delta) {
        for (int i = 0; i < TLW_LANES; ++i) {
            joints = tlw_f8_max(tlw_f8_load(group->skinning[i].weights), joints);
        }
    }
    if (e->has_unskinned) {
        for (int i = 0; i < TLW_LANES; ++i) {
            const f8 weights = tlw_f8_load(group->skinning[i].weights);
            if (tlw_m8_none(tlw_f8_gt(weights, tlw_f8_zero()))) {
                group->skinned &= ~(1u << i);
            }
        }
    }
    group->joints = used_weights(joints);
    group->slots = used_weights(slots);
}

// What is asked for of eight vertices.
typedef struct drawn {
    f8x3 position, normal, tangent, delta;
} drawn;

TLW_FORCE_INLINE f8x3 normalise3(f8x3 a) {
    return scale3(a, inverse_length(dot3(a, a)));
}

// Of 3x3 columns.
TLW_FORCE_INLINE f8x3 cofactor_times(const f8x9* a, f8x3 b) {
    return mad3(cross3(a->c[0], a->c[1]), b.z,
                mad3(cross3(a->c[2], a->c[0]), b.y, scale3(cross3(a->c[1], a->c[2]), b.x)));
}

static void draw_deltas(const tlw_embed* e, const vertex_group* group, drawn* out) {
    tlw_f8x8 sum;
    blend_deltas((const float(*)[4])e->deltas, group, &sum);
    sum = tlw_f8x8_transpose(sum);
    out->delta = (f8x3){sum.row[0], sum.row[1], sum.row[2]};
}

// L: of joints, and of frames for vertices that have none.
TLW_FORCE_INLINE void blend_base(const tlw_embed* e, const vertex_group* group, sums* base) {
    if (group->skinned == 0) {
        blend_slots(e->frames, group, base);
        return;
    }
    blend_joints(e->joint_rows, group, base);
    if (TLW_UNLIKELY(group->skinned != 0xffu)) {
        for (int i = 0; i < TLW_LANES; ++i) {
            if (!(group->skinned >> i & 1u)) {
                blend_slots_of(e->frames, &group->bindings[i], 8, &base->low.row[i],
                               &base->high.row[i]);
            }
        }
    }
}

TLW_FORCE_INLINE void blend_slopes(const tlw_embed* e, const vertex_group* group, sums* slope) {
    blend_slots(group->skinned == 0 ? e->frame_slopes : e->slopes, group, slope);
    if (TLW_UNLIKELY(group->skinned != 0xffu && group->skinned != 0)) {
        for (int i = 0; i < TLW_LANES; ++i) {
            if (!(group->skinned >> i & 1u)) {
                blend_slots_of(e->frame_slopes, &group->bindings[i], 8, &slope->low.row[i],
                               &slope->high.row[i]);
            }
        }
    }
}

TLW_FORCE_INLINE f8x3 place_of(const tlw_f8x8* low, const tlw_f8x8* high, f8x3 at) {
    return (f8x3){
        add(mad(low->row[2], at.z, mad(low->row[1], at.y, mul(low->row[0], at.x))), low->row[3]),
        add(mad(low->row[6], at.z, mad(low->row[5], at.y, mul(low->row[4], at.x))), low->row[7]),
        add(mad(high->row[6], at.z, mad(high->row[5], at.y, mul(high->row[4], at.x))),
            high->row[7])};
}

TLW_FORCE_INLINE f8x3 add_delta(const vertex_group* group, f8x3 place, f8x3 delta) {
    return add3(place, keep3(tlw_m8_from_bits(group->skinned), delta));
}

static void draw_positions(const tlw_embed* e, const vertex_group* group, drawn* out) {
    sums base;
    tlw_f8x8 delta, rest;
    const m8 is_lower = tlw_m8_from_bits(0x0fu);
    blend_base(e, group, &base);
    if (e->wants_deltas) {
        blend_deltas((const float(*)[4])e->deltas, group, &delta);
        for (int i = 0; i < TLW_LANES; ++i) {
            base.high.row[i] = tlw_f8_select(is_lower, delta.row[i], base.high.row[i]);
        }
    }
    for (int i = 0; i < TLW_LANES; ++i) {
        rest.row[i] = tlw_f8_load(group->vertices[i].position);
    }
    base.low = tlw_f8x8_transpose(base.low);
    base.high = tlw_f8x8_transpose(base.high);
    rest = tlw_f8x8_transpose(rest);
    out->position = place_of(&base.low, &base.high, (f8x3){rest.row[0], rest.row[1], rest.row[2]});
    if (e->wants_deltas) {
        out->delta = (f8x3){base.high.row[0], base.high.row[1], base.high.row[2]};
        out->position = add_delta(group, out->position, out->delta);
    }
}

static void draw_gradients(const tlw_embed* e, const vertex_group* group, drawn* out) {
    sums base, slope;
    tlw_f8x8 rest;
    const m8 is_lower = tlw_m8_from_bits(0x0fu);
    blend_base(e, group, &base);
    blend_slopes(e, group, &slope);
    for (int i = 0; i < TLW_LANES; ++i) {
        base.high.row[i] = tlw_f8_select(is_lower, slope.low.row[i], base.high.row[i]);
        rest.row[i] = tlw_f8_load(group->vertices[i].position);
    }
    base.low = tlw_f8x8_transpose(base.low);     // rows 0 and 1 of L
    base.high = tlw_f8x8_transpose(base.high);   // row 0 of the slope and 2 of L
    slope.high = tlw_f8x8_transpose(slope.high); // rows 1 and 2
    rest = tlw_f8x8_transpose(rest);
    const tlw_f8x8 *l = &base.low, *m = &base.high, *s = &slope.high;
    out->delta = (f8x3){m->row[3], s->row[3], s->row[7]};
    out->position =
        add_delta(group, place_of(l, m, (f8x3){rest.row[0], rest.row[1], rest.row[2]}), out->delta);
    const f8x9 gradient = {
        {{add(l->row[0], m->row[0]), add(l->row[4], s->row[0]), add(m->row[4], s->row[4])},
         {add(l->row[1], m->row[1]), add(l->row[5], s->row[1]), add(m->row[5], s->row[5])},
         {add(l->row[2], m->row[2]), add(l->row[6], s->row[2]), add(m->row[6], s->row[6])}}};
    out->normal =
        normalise3(cofactor_times(&gradient, (f8x3){rest.row[3], rest.row[4], rest.row[5]}));
    if (e->output.tangents.data) {
        float z[TLW_LANES];
        for (int i = 0; i < TLW_LANES; ++i) {
            z[i] = group->vertices[i].tangent[2];
        }
        const f8x3 tangent = {rest.row[6], rest.row[7], tlw_f8_load(z)};
        out->tangent =
            normalise3(mad3(gradient.c[2], tangent.z,
                            mad3(gradient.c[1], tangent.y, scale3(gradient.c[0], tangent.x))));
    }
}

// ---- Streams

// An element of `bytes` bytes, 6 or 12, and no more.
TLW_FORCE_INLINE void copy_element(unsigned char* to, const unsigned char* from, size_t bytes) {
    if (bytes == 12) {
        __builtin_memcpy(to, from, 12);
    } else {
        __builtin_memcpy(to, from, 6);
    }
}

// The eight vertices, or as many of them as there are, starting with element `first`.
static void write_stream(const tlw_stream* stream, f8x3 value, uint64_t first, uint32_t count) {
    const size_t element = stream->format == TLW_FORMAT_FLOAT32 ? 12 : 6;
    const size_t stride = stream->stride_bytes ? stream->stride_bytes : element;
    unsigned char* to = (unsigned char*)stream->data + first * stride;
    if (element == 12 && stride == 12 && count == TLW_LANES) {
        tlw_f8x3_store((float*)(void*)to, value);
        return;
    }
    TLW_ALIGNAS(32) float floats[24];
    TLW_ALIGNAS(32) uint16_t halves[24];
    const unsigned char* from = (const unsigned char*)floats;
    tlw_f8x3_store(floats, value);
    if (element == 6) {
        for (int i = 0; i < 24; i += TLW_LANES) {
            tlw_i8_store_u16(halves + i, tlw_i8_half_from_f8(tlw_f8_load_aligned(floats + i)));
        }
        from = (const unsigned char*)halves;
        if (stride == 6 && count == TLW_LANES) {
            __builtin_memcpy(to, from, sizeof halves);
            return;
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        copy_element(to + i * stride, from + i * element, element);
    }
}

static void write_vertices(const tlw_embed* e, const drawn* group, uint64_t first, uint32_t count) {
    const tlw_output* output = &e->output;
    if (output->positions.data) {
        write_stream(&output->positions, group->position, first, count);
    }
    if (output->normals.data) {
        write_stream(&output->normals, group->normal, first, count);
    }
    if (output->tangents.data) {
        write_stream(&output->tangents, group->tangent, first, count);
    }
    if (output->deltas.data) {
        write_stream(&output->deltas, group->delta, first, count);
    }
}

static void draw_group(const tlw_embed* e, vertex_group* group, uint64_t first, uint32_t count) {
    drawn out;
    measure(e, group);
    if (e->wants_gradients) {
        draw_gradients(e, group, &out);
    } else if (e->wants_base) {
        draw_positions(e, group, &out);
    } else {
        draw_deltas(e, group, &out);
    }
    write_vertices(e, &out, first, count);
}

// The last vertices, as eight: the last one several times.
TLW_NOINLINE static void draw_rest(const tlw_embed* e, uint64_t first, uint32_t count) {
    const tlw_body* body = e->body;
    tlw_blob_vertex vertices[TLW_LANES + 1]; // one more: rows are read beyond their end
    tlw_blob_skinning skinning[TLW_LANES];
    tlw_blob_binding bindings[TLW_LANES];
    for (uint32_t i = 0; i < TLW_LANES; ++i) {
        const size_t v = e->first_vertex + first + (i < count ? i : count - 1);
        vertices[i] = body->vertices[v];
        skinning[i] = body->skinning[v];
        bindings[i] = body->bindings[v];
    }
    draw_group(e, &(vertex_group){.vertices = vertices, .skinning = skinning, .bindings = bindings},
               first, count);
}

// A 3x4 a voxel, as frames have it.
static void write_lattice(const tlw_embed* e, uint64_t first, uint64_t end) {
    const tlw_stream* stream = &e->output.lattice;
    const size_t element = stream->format == TLW_FORMAT_FLOAT32 ? 48 : 24;
    const size_t stride = stream->stride_bytes ? stream->stride_bytes : element;
    unsigned char* to = (unsigned char*)stream->data + first * stride;
    for (uint64_t v = first; v < end; ++v, to += stride) {
        const float* from = e->frames[e->body->voxel_slot[v]].row[0];
        if (element == 48) {
            __builtin_memcpy(to, from, 48);
        } else {
            uint16_t halves[16];
            tlw_i8_store_u16(halves, tlw_i8_half_from_f8(tlw_f8_load_aligned(from)));
            tlw_i8_store_u16(halves + 8, tlw_i8_half_from_f8(tlw_f8_load_aligned(from + 8)));
            __builtin_memcpy(to, halves, 24);
        }
    }
}

void TLW_KERNEL(tlw_embed_vertices)(const tlw_embed* e, uint32_t first, uint32_t end) {
    const tlw_body* body = e->body;
    const uint32_t full = e->vertex_count / TLW_LANES;
    uint32_t g = first;
    for (; g < end && g < full; ++g) {
        const size_t v = (size_t)e->first_vertex + (size_t)g * TLW_LANES;
        draw_group(e,
                   &(vertex_group){.vertices = body->vertices + v,
                                   .skinning = body->skinning + v,
                                   .bindings = body->bindings + v},
                   (uint64_t)g * TLW_LANES, TLW_LANES);
    }
    if (g < end && g < e->vertex_groups) {
        draw_rest(e, (uint64_t)g * TLW_LANES, e->vertex_count % TLW_LANES);
        g += 1;
    }
    if (g < end) {
        const uint64_t voxel = (uint64_t)(g - e->vertex_groups) * TLW_LANES;
        const uint64_t last = (uint64_t)(end - e->vertex_groups) * TLW_LANES;
        const uint64_t count = body->lattice->voxel_count;
        write_lattice(e, voxel, last < count ? last : count);
    }
}
