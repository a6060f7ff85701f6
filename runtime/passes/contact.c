// SPDX-License-Identifier: MIT
// Pass contact (MODEL 3.15, 3.16). Reads q, the last p, the pose and the substep's shapes; writes q
// and, for velocity, which way tissue was pushed and how fast it may go that way. Not in the paper.
//
//     x = p + s (q - p), s = 1/k .. 1;  the first with e = r + 0.25 - distance(x, C(s)) > 0 gives n
//     d = min(max(0, e + n.(x - q) + (1 - s) n.u), |q - p - u| + 0.25)
//     q += d n - min(1, mu d/|t|) t,   t: q - p - u without its part along n
//     after the last shape  |q - p_skin| <= 1.5 d_max
//
// Why it costs little where nothing touches: colliders that are too far from the character are not
// among the shapes. A block's bounds are compared with those of the shapes, then only blocks near
// one look at their windows, and windows at the bounds of their lanes. None of these tests changes
// a bit: what they leave out has d = 0. A window that was pushed may be anywhere, so from then on
// every shape looks at its lanes.
#include "runtime/passes/shapes.h"

#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

#define ON_AXIS   1e-6f // nearer than this to an axis, a voxel has no direction away from it
#define LOOKS_MAX 16.0f
#define SLACK     1e-3f // of bounds: more than rounding can do

// How deep a voxel is inside of a shape, and the way out.
typedef struct probe {
    f8 depth; // e
    f8x3 n;
} probe;

TLW_WIDE_HELPER f8x3 along3(const float from[3], const float way[3], f8 s) {
    return mad3(all3(way), s, all3(from));
}

TLW_WIDE_HELPER f8x4 between4(const float a[4], const float b[4], f8 s) {
    const f8 rest = sub(all(1.0f), s);
    return normalise4(
        (f8x4){mad(all(b[0]), s, mul(all(a[0]), rest)), mad(all(b[1]), s, mul(all(a[1]), rest)),
               mad(all(b[2]), s, mul(all(a[2]), rest)), mad(all(b[3]), s, mul(all(a[3]), rest))});
}

static TLW_NOINLINE probe probe_capsule(const tlw_shape* shape, f8 s, f8x3 x) {
    const f8x3 a = along3(shape->from[0], shape->way[0], s);
    const f8x3 axis = sub3(along3(shape->from[1], shape->way[1], s), a), from_a = sub3(x, a);
    const f8 length2 = tlw_f8_max(dot3(axis, axis), all(1e-12f));
    f8 t = tlw_f8_div(dot3(from_a, axis), length2);
    t = tlw_f8_min(tlw_f8_max(t, tlw_f8_zero()), all(1.0f));
    const f8x3 away = sub3(from_a, scale3(axis, t));
    const f8 distance = tlw_f8_sqrt(dot3(away, away));
    const f8 radius = mad(t, all(shape->radius[1] - shape->radius[0]), all(shape->radius[0]));
    const m8 has_way = tlw_f8_ge(distance, all(ON_AXIS));
    const f8 inverse = tlw_f8_div(all(1.0f), tlw_f8_max(distance, all(ON_AXIS)));
    return (probe){sub(add(radius, all(TLW_VOXEL_RADIUS)), distance),
                   select3(has_way, scale3(away, inverse), all3(shape->across))};
}

static TLW_NOINLINE probe probe_plane(const tlw_shape* shape, f8 s, f8x3 x) {
    const f8 rest = sub(all(1.0f), s);
    f8x3 n = mad3(all3(shape->normal[1]), s, scale3(all3(shape->normal[0]), rest));
    n = scale3(n, inverse_length(dot3(n, n)));
    const f8x3 from = sub3(x, along3(shape->from[0], shape->way[0], s));
    return (probe){sub(all(TLW_VOXEL_RADIUS), dot3(n, from)), n};
}

// 1 or -1: the face of a box that is on the side of `a`.
TLW_WIDE_HELPER f8 side_of(f8 a) {
    return tlw_f8_select(tlw_f8_ge(a, tlw_f8_zero()), all(1.0f), all(-1.0f));
}

static TLW_NOINLINE probe probe_box(const tlw_shape* shape, f8 s, f8x3 x) {
    const f8 zero = tlw_f8_zero();
    const f8x4 rotation = between4(shape->rotation[0], shape->rotation[1], s);
    const f8x3 at = unrotate3(rotation, sub3(x, along3(shape->from[0], shape->way[0], s)));
    // How far beyond each pair of faces; inside of a pair it is negative.
    const f8x3 over = {sub(tlw_f8_abs(at.x), all(shape->half[0])),
                       sub(tlw_f8_abs(at.y), all(shape->half[1])),
                       sub(tlw_f8_abs(at.z), all(shape->half[2]))};
    const f8x3 side = {side_of(at.x), side_of(at.y), side_of(at.z)};
    const f8x3 out = {mul(tlw_f8_max(over.x, zero), side.x), mul(tlw_f8_max(over.y, zero), side.y),
                      mul(tlw_f8_max(over.z, zero), side.z)};
    const f8 length = tlw_f8_sqrt(dot3(out, out));
    const m8 is_outside = tlw_f8_gt(length, all(ON_AXIS));
    // The face of least depth is that of largest `over`; ties x, y, z.
    const m8 is_x = tlw_m8_and(tlw_f8_ge(over.x, over.y), tlw_f8_ge(over.x, over.z));
    const m8 is_y = tlw_m8_and_not(tlw_f8_ge(over.y, over.z), is_x);
    const m8 is_xy = tlw_m8_or(is_x, is_y);
    const f8x3 face = {tlw_f8_keep(is_x, side.x), tlw_f8_keep(is_y, side.y),
                       tlw_f8_drop(is_xy, side.z)};
    const f8 inside = tlw_f8_select(is_x, over.x, tlw_f8_select(is_y, over.y, over.z));
    const f8 distance = tlw_f8_select(is_outside, length, inside);
    const f8 inverse = tlw_f8_div(all(1.0f), tlw_f8_max(length, all(ON_AXIS)));
    const f8x3 n = select3(is_outside, scale3(out, inverse), face);
    return (probe){sub(all(shape->radius[0] + TLW_VOXEL_RADIUS), distance), rotate3(rotation, n)};
}

TLW_FORCE_INLINE probe probe_shape(const tlw_shape* shape, f8 s, f8x3 x) {
    return shape->kind == TLW_COLLIDER_CAPSULE ? probe_capsule(shape, s, x)
           : shape->kind == TLW_COLLIDER_PLANE ? probe_plane(shape, s, x)
                                               : probe_box(shape, s, x);
}

// Eight voxels on their way through a substep.
typedef struct lanes {
    f8x3 p, q;      // where they started, and where they are
    f8x3 low, high; // bounds of their way from p to q
    f8x3 pushed, u; // the sum of all d n; u of the last shape that pushed
    m8 touched;
    // What the last shape did.
    m8 hit;
    f8x3 n;
} lanes;

// How far the surface under each voxel goes in the substep.
TLW_FORCE_INLINE f8x3 surface_moves(const tlw_shape* shape, f8x3 p) {
    const f8x3 moved = all3(shape->moved);
    if (!shape->turns) {
        return moved;
    }
    const probe start = probe_shape(shape, tlw_f8_zero(), p);
    const f8x3 y = mad3(start.n, sub(start.depth, all(TLW_VOXEL_RADIUS)), p);
    const f8x3 arm = sub3(y, all3(shape->pivot));
    return mad3(all3(shape->turn[2]), arm.z,
                mad3(all3(shape->turn[1]), arm.y, mad3(all3(shape->turn[0]), arm.x, moved)));
}

// What a shape does to eight voxels.
typedef struct push {
    f8 depth; // of q, along n; above 0 where it is inside, or was on its way
    f8x3 n;
} push;

// The first look at which a voxel is inside, for voxels that have gone far.
static TLW_NOINLINE push look_along(const tlw_shape* shape, m8 may, f8x3 u, f8 length,
                                    const lanes* l) {
    const f8 zero = tlw_f8_zero(), one = all(1.0f);
    const f8x3 along = sub3(l->q, l->p);
    f8 looks = tlw_f8_neg(tlw_f8_floor(tlw_f8_neg(tlw_f8_div(length, all(shape->look)))));
    looks = tlw_f8_min(tlw_f8_max(looks, one), all(LOOKS_MAX));
    push out = {zero, zero3()};
    for (f8 look = one; tlw_m8_any(may); look = add(look, one)) {
        const f8 s = tlw_f8_min(tlw_f8_div(look, looks), one);
        const f8x3 x = mad3(along, s, l->p);
        const probe at = probe_shape(shape, s, x);
        const m8 found = tlw_m8_and(may, tlw_f8_gt(at.depth, zero));
        const f8 deep =
            add(add(at.depth, dot3(at.n, sub3(x, l->q))), mul(sub(one, s), dot3(at.n, u)));
        out.depth = tlw_f8_select(found, deep, out.depth);
        out.n = select3(found, at.n, out.n);
        may = tlw_m8_and(tlw_m8_and_not(may, found), tlw_f8_lt(look, looks));
    }
    return out;
}

// Whether a voxel of `may` is inside of a capsule at C(1), without a root or a division: most that
// are near one are not.
TLW_FORCE_INLINE bool is_in_capsule(const tlw_shape* shape, m8 may, f8x3 q) {
    const f8x3 axis = all3(shape->axis), from = sub3(q, all3(shape->end));
    f8 t = mul(dot3(from, axis), all(shape->inverse_length2));
    t = tlw_f8_min(tlw_f8_max(t, tlw_f8_zero()), all(1.0f));
    const f8x3 away = sub3(from, scale3(axis, t));
    const f8 radius = mad(t, all(shape->radius[1] - shape->radius[0]),
                          all(shape->radius[0] + TLW_VOXEL_RADIUS + SLACK));
    return tlw_m8_any(tlw_m8_and(may, tlw_f8_lt(dot3(away, away), mul(radius, radius))));
}

// One shape pushes the voxels of `may` out, those of `halves` half the way.
static TLW_NOINLINE void touch(const tlw_shape* shape, m8 may, m8 halves, lanes* l) {
    const f8 zero = tlw_f8_zero(), one = all(1.0f);
    const f8x3 u = surface_moves(shape, l->p), way = sub3(sub3(l->q, l->p), u);
    const f8 length2 = dot3(way, way);
    const bool is_short =
        tlw_m8_none(tlw_m8_and(may, tlw_f8_gt(length2, all(shape->look * shape->look))));
    l->hit = tlw_m8_from_bits(0);
    if (is_short && shape->kind == TLW_COLLIDER_CAPSULE && !is_in_capsule(shape, may, l->q)) {
        return;
    }
    const f8 length = tlw_f8_sqrt(length2);
    push out;
    if (is_short) { // one look, at the end
        const probe at = probe_shape(shape, one, l->q);
        out = (push){tlw_f8_keep(may, at.depth), at.n};
    } else {
        out = look_along(shape, may, u, length, l);
    }
    f8 d = tlw_f8_min(tlw_f8_max(out.depth, zero), add(length, all(TLW_VOXEL_RADIUS)));
    d = mul(d, tlw_f8_select(halves, all(0.5f), one));
    const m8 hit = tlw_f8_gt(d, zero);
    if (tlw_m8_none(hit)) {
        return;
    }
    const f8x3 n = out.n, t = sub3(way, scale3(n, dot3(n, way)));
    const f8 slide = tlw_f8_max(tlw_f8_sqrt(dot3(t, t)), all(1e-20f));
    const f8 held = tlw_f8_min(tlw_f8_div(mul(all(shape->friction), d), slide), one);
    l->hit = hit;
    l->n = n;
    l->q = select3(hit, mad3(n, d, sub3(l->q, scale3(t, held))), l->q);
    l->pushed = mad3(keep3(hit, n), d, l->pushed);
    l->u = select3(hit, u, l->u);
    l->touched = tlw_m8_or(l->touched, hit);
}

// Keeps the deepest hit of each shape, and of those the deepest few.
static void keep_hit(tlw_block_hits* hits, const tlw_hit* hit) {
    uint32_t at = 0, shallowest = 0;
    while (at < hits->count &&
           (hits->list[at].shape != hit->shape || hits->list[at].is_limb != hit->is_limb)) {
        shallowest = hits->list[at].depth < hits->list[shallowest].depth ? at : shallowest;
        at += 1;
    }
    if (at == hits->count && at == TLW_BLOCK_HITS) {
        at = shallowest;
    }
    if (at == hits->count || hit->depth > hits->list[at].depth) {
        hits->list[at] = *hit;
        hits->count += at == hits->count;
    }
}

// The velocity that the substep began with.
static f8x3 first_velocity(const tlw_substep* s, uint32_t w) {
    const f8x3 v = load_window3(s->velocity[w].v);
    if (!s->is_start) {
        return v;
    }
    const f8x3 from = sub3(load_window3(s->pose_last[w].skin), all3(s->rebase));
    const f8x3 moved = sub3(load_window3(s->pose[w].skin), from);
    return mad3(moved, all(1.0f / s->step_seconds), v);
}

static TLW_NOINLINE void record(const tlw_substep* s, tlw_block_hits* hits, uint32_t shape,
                                bool is_limb, uint32_t window, const lanes* l) {
    const uint32_t bits = tlw_m8_to_bits(l->hit);
    const f8 inverse_h = all(1.0f / s->step_seconds);
    const f8 depth = dot3(l->n, sub3(l->q, load_window3(s->pose[window].skin)));
    const f8 speed = dot3(l->n, sub3(scale3(l->u, inverse_h), first_velocity(s, window)));
    float at[5][TLW_LANES];
    tlw_f8_store(at[0], depth);
    tlw_f8_store(at[1], speed);
    tlw_f8_store(at[2], l->n.x);
    tlw_f8_store(at[3], l->n.y);
    tlw_f8_store(at[4], l->n.z);
    for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
        if (bits >> lane & 1) {
            const tlw_hit hit = {.shape = shape,
                                 .is_limb = is_limb,
                                 .slot = window * TLW_LANES + lane,
                                 .depth = at[0][lane],
                                 .speed = at[1][lane],
                                 .normal = {at[2][lane], at[3][lane], at[4][lane]}};
            keep_hit(hits, &hit);
        }
    }
}

// Bounds of a block, or of what a window's lanes pass through.
typedef struct bounds {
    float low[3], high[3];
} bounds;

static bool is_near_plane(const tlw_shape* shape, const bounds* block) {
    if (shape->turns) {
        return true; // between its two ends it may be anywhere
    }
    for (int end = 0; end < 2; ++end) {
        float least = -TLW_VOXEL_RADIUS - SLACK; // of n.(x - point) - 0.25 over the block's corners
        for (int i = 0; i < 3; ++i) {
            const float n = shape->normal[0][i];
            const float corner = n > 0.0f ? block->low[i] : block->high[i];
            least += n * (corner - shape->from[0][i] - (float)end * shape->way[0][i]);
        }
        if (least < 0.0f) {
            return true;
        }
    }
    return false;
}

static bool is_near(const tlw_shape* shape, const bounds* block) {
    if (shape->kind == TLW_COLLIDER_PLANE) {
        return is_near_plane(shape, block);
    }
    for (int i = 0; i < 3; ++i) {
        if (!(block->high[i] >= shape->low[i] && block->low[i] <= shape->high[i])) {
            return false;
        }
    }
    return true;
}

static uint64_t near_shapes(const tlw_shapes* shapes, const bounds* block) {
    uint64_t near = 0;
    for (uint32_t i = 0; i < shapes->count; ++i) {
        near |= (uint64_t)is_near(&shapes->list[i], block) << i;
    }
    return near;
}

// Where the voxels of a window started and where they are.
TLW_FORCE_INLINE lanes load_lanes(const tlw_substep* s, uint32_t w, f8x3 rebase) {
    const uint32_t site = s->blob->windows[w].rows[4];
    return (lanes){.p = sub3(load_window3(s->last[w].p), rebase),
                   .q = load3(s->q + site, s->stride),
                   .pushed = zero3(),
                   .u = zero3(),
                   .touched = tlw_m8_from_bits(0)};
}

TLW_FORCE_INLINE f8x3 min3(f8x3 a, f8x3 b) {
    return (f8x3){tlw_f8_min(a.x, b.x), tlw_f8_min(a.y, b.y), tlw_f8_min(a.z, b.z)};
}

TLW_FORCE_INLINE f8x3 max3(f8x3 a, f8x3 b) {
    return (f8x3){tlw_f8_max(a.x, b.x), tlw_f8_max(a.y, b.y), tlw_f8_max(a.z, b.z)};
}

TLW_FORCE_INLINE void bound_lanes(lanes* l) {
    l->low = min3(l->p, l->q);
    l->high = max3(l->p, l->q);
}

static bounds bounds_of_lanes(f8x3 low, f8x3 high) {
    return (bounds){
        {tlw_f8_min_of_lanes(low.x), tlw_f8_min_of_lanes(low.y), tlw_f8_min_of_lanes(low.z)},
        {tlw_f8_max_of_lanes(high.x), tlw_f8_max_of_lanes(high.y), tlw_f8_max_of_lanes(high.z)}};
}

// Bounds of a block's voxels over the substep. They start from lane 0 of its first window, which
// begins a row and therefore holds a voxel.
static bounds bound_block(const tlw_substep* s, uint32_t block, f8x3 rebase) {
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t first = blob->blocks[block].first_window;
    const float(*p)[TLW_LANES] = s->last[first].p;
    f8x3 low = sub3((f8x3){all(p[0][0]), all(p[1][0]), all(p[2][0])}, rebase), high = low;
    for (uint32_t w = first; w < blob->blocks[block + 1].first_window; ++w) {
        const m8 is_voxel = tlw_m8_from_bits(blob->windows[w].occupied);
        const lanes l = load_lanes(s, w, rebase);
        low = select3(is_voxel, min3(low, min3(l.p, l.q)), low);
        high = select3(is_voxel, max3(high, max3(l.p, l.q)), high);
    }
    return bounds_of_lanes(low, high);
}

// Lanes whose way through the substep meets a shape's bounds.
TLW_FORCE_INLINE m8 lanes_near(const tlw_shape* shape, f8x3 low, f8x3 high) {
    const m8 x =
        tlw_m8_and(tlw_f8_ge(high.x, all(shape->low[0])), tlw_f8_le(low.x, all(shape->high[0])));
    const m8 y =
        tlw_m8_and(tlw_f8_ge(high.y, all(shape->low[1])), tlw_f8_le(low.y, all(shape->high[1])));
    const m8 z =
        tlw_m8_and(tlw_f8_ge(high.z, all(shape->low[2])), tlw_f8_le(low.z, all(shape->high[2])));
    return tlw_m8_and(x, tlw_m8_and(y, z));
}

// Lanes that meet a plane which does not turn: their distance from it changes evenly on the way.
static m8 lanes_near_plane(const tlw_shape* shape, const lanes* l) {
    const f8 most = all(TLW_VOXEL_RADIUS + SLACK);
    const f8x3 n = all3(shape->normal[0]), from = all3(shape->from[0]);
    const f8x3 to = add3(from, all3(shape->way[0]));
    return tlw_m8_or(tlw_f8_lt(dot3(n, sub3(l->p, from)), most),
                     tlw_f8_lt(dot3(n, sub3(l->q, to)), most));
}

// The lanes of a window that have a limb's bit.
static uint32_t lanes_with(const tlw_blob_slot_limbs* slots, uint32_t limb, bool halves) {
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
        bits |= ((halves ? slots[lane].halves : slots[lane].touches) >> limb & 1) << lane;
    }
    return bits;
}

// Shapes of one list push the voxels of a window: those of `near`, which are near its block, and
// after a push those of `any`.
static void touch_list(const tlw_substep* s, const tlw_shapes* shapes, uint64_t near, uint64_t any,
                       const tlw_blob_slot_limbs* slots, uint32_t w, m8 is_soft, lanes* l,
                       tlw_block_hits* hits) {
    for (near = tlw_m8_any(l->touched) ? any : near; near != 0; near &= near - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(near);
        const tlw_shape* shape = &shapes->list[i];
        m8 may = is_soft, halves = tlw_m8_from_bits(0);
        if (shape->kind != TLW_COLLIDER_PLANE) {
            may = tlw_m8_and(may, lanes_near(shape, l->low, l->high));
        } else if (!shape->turns) {
            may = tlw_m8_and(may, lanes_near_plane(shape, l));
        }
        if (tlw_m8_none(may)) {
            continue;
        }
        if (slots != NULL) {
            may = tlw_m8_and(may, tlw_m8_from_bits(lanes_with(slots, i, false)));
            halves = tlw_m8_from_bits(lanes_with(slots, i, true));
            if (tlw_m8_none(may)) {
                continue;
            }
        }
        touch(shape, may, halves, l);
        if (tlw_m8_none(l->hit)) {
            continue;
        }
        near |= any & ~UINT64_C(1) << i;
        bound_lanes(l);
        if (hits != NULL) {
            record(s, hits, i, slots != NULL, w, l);
        }
    }
}

// Limbs that may touch some voxel of a window.
static uint64_t limbs_of(const tlw_blob_slot_limbs* slots) {
    uint32_t limbs = 0;
    for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
        limbs |= slots[lane].touches;
    }
    return limbs;
}

// For velocity: which way a window was pushed, how fast it may go that way, and what its relative
// velocity is multiplied by: where touched, that which the anchor took is not given back.
static void leave(const tlw_substep* s, uint32_t w, size_t site, const lanes* l, f8x3 q6) {
    const f8x3 n = scale3(l->pushed, inverse_length(dot3(l->pushed, l->pushed)));
    const f8 most = tlw_f8_max(dot3(l->u, n), dot3(sub3(q6, l->p), n));
    store3(s->lanes + site, s->stride, n);
    tlw_f8_store_aligned(s->lanes + 3 * s->stride + site, mul(most, all(1.0f / s->step_seconds)));
    const f8 share = tlw_f8_max(tlw_f8_load_aligned(s->gains[w].anchor), all(0.5f));
    tlw_f8_store_aligned(s->lanes + 4 * s->stride + site,
                         tlw_f8_select(l->touched, share, all(1.0f)));
}

// Whether anything touched a window.
static bool touch_window(const tlw_substep* s, uint32_t w, uint64_t limbs, uint64_t colliders,
                         f8x3 rebase, tlw_block_hits* hits) {
    const tlw_blob_arrays* blob = s->blob;
    const size_t site = blob->windows[w].rows[4];
    const tlw_blob_slot_limbs* slots = limbs != 0 ? blob->slot_limbs + (size_t)w * TLW_LANES : NULL;
    lanes l = load_lanes(s, w, rebase);
    bound_lanes(&l);
    const f8x3 q6 = l.q;
    const m8 is_soft = tlw_f8_eq(tlw_f8_load_aligned(blob->site_kind + site), all(TLW_SITE_SOFT));
    if (slots != NULL) {
        const uint64_t own = limbs_of(slots);
        touch_list(s, &s->limbs, limbs & own, own, slots, w, is_soft, &l, hits);
    }
    const uint64_t others = s->colliders.count > 0 ? ~UINT64_C(0) >> (64 - s->colliders.count) : 0;
    touch_list(s, &s->colliders, colliders, others, NULL, w, is_soft, &l, hits);
    if (tlw_m8_none(l.touched)) {
        return false;
    }
    const f8x3 skin = load_window3(s->pose[w].skin);
    const f8 most = mul(tlw_f8_load_aligned(s->gains[w].limit), all(TLW_CONTACT_CAP));
    const f8x3 capped = add3(skin, within3(sub3(l.q, skin), most));
    store3(s->q + site, s->stride, select3(l.touched, capped, l.q));
    leave(s, w, site, &l, q6);
    return true;
}

static void leave_untouched(const tlw_substep* s, size_t site) {
    store3(s->lanes + site, s->stride, zero3());
    tlw_f8_store_aligned(s->lanes + 3 * s->stride + site, tlw_f8_zero());
    tlw_f8_store_aligned(s->lanes + 4 * s->stride + site, all(1.0f));
}

void TLW_KERNEL(tlw_stage_contact)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const f8x3 rebase = all3(s->rebase);
    for (uint32_t b = first; b < end; ++b) {
        const bounds block = bound_block(s, b, rebase);
        tlw_block_result* result = &s->results[b];
        for (int i = 0; i < 3; ++i) {
            result->low[i] = block.low[i];
            result->high[i] = block.high[i];
        }
        result->touched = 0;
        tlw_block_hits* hits = s->hits != NULL ? &s->hits[b] : NULL;
        if (hits != NULL) {
            hits->count = 0;
        }
        const uint64_t limbs = near_shapes(&s->limbs, &block);
        const uint64_t colliders = near_shapes(&s->colliders, &block);
        if ((limbs | colliders) == 0) {
            continue;
        }
        const uint32_t last = blob->blocks[b + 1].first_window;
        for (uint32_t w = blob->blocks[b].first_window; w < last; ++w) {
            if (touch_window(s, w, limbs, colliders, rebase, hits)) {
                result->touched = 1;
            } else {
                leave_untouched(s, blob->windows[w].rows[4]);
            }
        }
    }
}
