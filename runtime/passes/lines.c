// SPDX-License-Identifier: MIT
// Action lines of muscles (MODEL 3.18) and what they come to at their vertices (MODEL 3.19). No
// stage: step/muscles.c calls it once per substep, for all lines of a character. Reads the joints,
// the lines of the last substep and tensions; writes the lines, and for stage bellies B and c of
// every vertex. After Aubel and Thalmann 2000, "Realistic Deformation of Human Body Shapes".
//
//     D dy = r, D block tridiagonal: I + K + W + H_(i-1) + H_i, beside it -H_i
//
// Eight muscles are solved at once, one per lane, vertex by vertex: one sweep towards the last
// vertex eliminates, one back solves. A vertex that is not dynamic, or not there, has D = I, r = 0
// and no neighbours. H = across I + along n n^T, so products with H need no 3x3 matrix: with P the
// inverse of the block before,
//
//     H P H = along^2 (n.Pn) n n^T + along across (Pn n^T + n (Pn)^T) + across^2 P
#include "runtime/passes/lines.h"
#include "runtime/passes/wide.h"

#include <stddef.h>

#define SHORT_SEGMENT  1e-6f
#define NEAR_CENTRE    1e-3f // phi below this has no direction
#define SIDE_REACH     2.0f  // phi up to which a field keeps lines on their side
#define LEAST_PHI      1e-6f
#define STILL          2e-5f // voxels: a line that is solved for rest has found it
#define ELONGATION_MIN 0.65f
#define ELONGATION_MAX 1.5f
#define FLEX_SHARE     0.3f
#define THINNEST       0.6f // of r

// A symmetric 3x3 matrix.
typedef struct f8x6 {
    f8 xx, yy, zz, xy, xz, yz;
} f8x6;

TLW_WIDE_HELPER f8x6 diagonal6(f8 a) {
    const f8 zero = tlw_f8_zero();
    return (f8x6){a, a, a, zero, zero, zero};
}

// a + k n n^T
TLW_WIDE_HELPER f8x6 add_outer(f8x6 a, f8 k, f8x3 n) {
    const f8x3 kn = scale3(n, k);
    return (f8x6){mad(kn.x, n.x, a.xx), mad(kn.y, n.y, a.yy), mad(kn.z, n.z, a.zz),
                  mad(kn.x, n.y, a.xy), mad(kn.x, n.z, a.xz), mad(kn.y, n.z, a.yz)};
}

TLW_WIDE_HELPER f8x6 add_diagonal(f8x6 a, f8 k) {
    a.xx = add(a.xx, k);
    a.yy = add(a.yy, k);
    a.zz = add(a.zz, k);
    return a;
}

TLW_WIDE_HELPER f8x3 times6(f8x6 a, f8x3 v) {
    return (f8x3){mad(a.xz, v.z, mad(a.xy, v.y, mul(a.xx, v.x))),
                  mad(a.yz, v.z, mad(a.yy, v.y, mul(a.xy, v.x))),
                  mad(a.zz, v.z, mad(a.yz, v.y, mul(a.xz, v.x)))};
}

// By cofactors; a is positive definite.
TLW_WIDE_HELPER f8x6 inverse6(f8x6 a) {
    const f8x6 c = {sub(mul(a.yy, a.zz), mul(a.yz, a.yz)), sub(mul(a.xx, a.zz), mul(a.xz, a.xz)),
                    sub(mul(a.xx, a.yy), mul(a.xy, a.xy)), sub(mul(a.xz, a.yz), mul(a.xy, a.zz)),
                    sub(mul(a.xy, a.yz), mul(a.xz, a.yy)), sub(mul(a.xy, a.xz), mul(a.xx, a.yz))};
    const f8 determinant = mad(a.xz, c.xz, mad(a.xy, c.xy, mul(a.xx, c.xx)));
    const f8 by = tlw_f8_div(all(1.0f), determinant);
    return (f8x6){mul(c.xx, by), mul(c.yy, by), mul(c.zz, by),
                  mul(c.xy, by), mul(c.xz, by), mul(c.yz, by)};
}

TLW_WIDE_HELPER f8x6 load6(const float a[6][TLW_LANES]) {
    return (f8x6){tlw_f8_load_aligned(a[0]), tlw_f8_load_aligned(a[1]), tlw_f8_load_aligned(a[2]),
                  tlw_f8_load_aligned(a[3]), tlw_f8_load_aligned(a[4]), tlw_f8_load_aligned(a[5])};
}

TLW_WIDE_HELPER void store6(float a[6][TLW_LANES], f8x6 value) {
    tlw_f8_store_aligned(a[0], value.xx);
    tlw_f8_store_aligned(a[1], value.yy);
    tlw_f8_store_aligned(a[2], value.zz);
    tlw_f8_store_aligned(a[3], value.xy);
    tlw_f8_store_aligned(a[4], value.xz);
    tlw_f8_store_aligned(a[5], value.yz);
}

TLW_WIDE_HELPER f8 clamp8(f8 a, float low, float high) {
    return tlw_f8_min(tlw_f8_max(a, all(low)), all(high));
}

// 1/a, 0 where a is 0, as in lanes without a vertex or segment.
TLW_WIDE_HELPER f8 inverse_or_zero(f8 a) {
    return tlw_f8_keep(tlw_f8_gt(a, tlw_f8_zero()), tlw_f8_div(all(1.0f), a));
}

// ---- Where joints put vertices and fields

// Eight joints, one per lane: where each has its skinning matrix among all floats of the joints.
typedef struct joint8 {
    const float* from;
    tlw_i8 at;
} joint8;

TLW_WIDE_HELPER joint8 joints_at(const tlw_lines* l, tlw_i8 joint) {
    const int32_t floats = (int32_t)(sizeof(tlw_skin_entry) / sizeof(float));
    return (joint8){(const float*)(const void*)l->joints, tlw_i8_mul(joint, tlw_i8_set1(floats))};
}

TLW_WIDE_HELPER f8x4 joint_rotations(joint8 j) {
    const float* r = j.from + offsetof(tlw_skin_entry, rotation) / sizeof(float);
    return (f8x4){tlw_f8_gather(r, j.at), tlw_f8_gather(r + 1, j.at), tlw_f8_gather(r + 2, j.at),
                  tlw_f8_gather(r + 3, j.at)};
}

TLW_WIDE_HELPER f8x3 joint_columns(joint8 j, int k) {
    const float* column = j.from + 4 * k;
    return (f8x3){tlw_f8_gather(column, j.at), tlw_f8_gather(column + 1, j.at),
                  tlw_f8_gather(column + 2, j.at)};
}

// M x
TLW_WIDE_HELPER f8x3 joint_places(joint8 j, f8x3 x) {
    return add3(mad3(joint_columns(j, 2), x.z,
                     mad3(joint_columns(j, 1), x.y, scale3(joint_columns(j, 0), x.x))),
                joint_columns(j, 3));
}

TLW_WIDE_HELPER f8x4 select4(m8 mask, f8x4 a, f8x4 b) {
    return (f8x4){tlw_f8_select(mask, a.x, b.x), tlw_f8_select(mask, a.y, b.y),
                  tlw_f8_select(mask, a.z, b.z), tlw_f8_select(mask, a.w, b.w)};
}

// Rb, with joints brought to the side of the one with the largest weight (MODEL 3.2).
TLW_WIDE_HELPER f8x4 blend_rotations(const f8x4 r[], const f8 weight[], int count) {
    f8x4 reference = r[0], sum = {tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero()};
    f8 largest = weight[0];
    for (int k = 1; k < count; ++k) {
        const m8 is_larger = tlw_f8_gt(weight[k], largest);
        largest = tlw_f8_select(is_larger, weight[k], largest);
        reference = select4(is_larger, r[k], reference);
    }
    for (int k = 0; k < count; ++k) {
        const m8 points_apart = tlw_f8_lt(dot4(r[k], reference), tlw_f8_zero());
        const f8 w = tlw_f8_select(points_apart, tlw_f8_neg(weight[k]), weight[k]);
        sum = (f8x4){mad(r[k].x, w, sum.x), mad(r[k].y, w, sum.y), mad(r[k].z, w, sum.z),
                     mad(r[k].w, w, sum.w)};
    }
    return normalise4(sum);
}

// b, Rb and t of a row.
static void place_row(const tlw_lines* l, const tlw_blob_muscle_row* row, tlw_line_work* out) {
    const f8x3 x0 = load_window3(row->place);
    f8x4 r[TLW_BLOB_LINE_JOINTS];
    f8 weight[TLW_BLOB_LINE_JOINTS];
    f8x3 b = zero3();
    int count = 0;
    for (uint32_t k = 0; k < TLW_BLOB_LINE_JOINTS; ++k) {
        const f8 w = tlw_f8_load_aligned(row->weight[k]);
        if (k > 0 && tlw_m8_none(tlw_f8_gt(w, tlw_f8_zero()))) {
            continue;
        }
        const joint8 joints = joints_at(l, tlw_i8_load_u16(row->joint[k]));
        b = mad3(joint_places(joints, x0), w, b);
        r[count] = joint_rotations(joints);
        weight[count++] = w;
    }
    const f8x4 rb = blend_rotations(r, weight, count);
    store_window3(out->b, b);
    store_window4(out->rb, rb);
    store_window3(out->tangent, rotate3(rb, load_window3(row->tangent)));
}

static void place_field(const tlw_lines* l, const tlw_blob_muscle_field* field,
                        tlw_line_field* out) {
    const joint8 joints = joints_at(l, tlw_i8_load_aligned((const int32_t*)field->joint));
    store_window3(out->centre, joint_places(joints, load_window3(field->centre)));
    store_window4(out->rotation, joint_rotations(joints));
}

// ---- A group of eight muscles

typedef struct line_group {
    const tlw_lines* lines;
    const tlw_blob_muscle_row* from; // of the blob
    const tlw_blob_muscle_field* field_from;
    tlw_line_row* rows;
    tlw_belly_row* belly_rows;
    tlw_line_group* about;
    uint32_t row_count, field_count;
} line_group;

TLW_WIDE_HELPER m8 is_dynamic_row(const tlw_blob_muscle_row* row) {
    return tlw_f8_gt(tlw_f8_load_aligned(row->is_dynamic), tlw_f8_zero());
}

// v_b in one substep, the root's motion included: b - b_last.
TLW_WIDE_HELPER f8x3 drawn_by(const tlw_lines* l, const tlw_line_work* work,
                              const tlw_line_row* row) {
    return add3(sub3(load_window3(work->b), load_window3(row->b)), all3(l->rebase));
}

// Where a row would be without springs, and from where the iterations start.
static void begin_row(const line_group* g, uint32_t i) {
    const tlw_lines* l = g->lines;
    tlw_line_work* work = &l->work[i];
    const tlw_line_row* row = &g->rows[i];
    place_row(l, &g->from[i], work);
    const f8x3 b = load_window3(work->b);
    const f8x4 rb = load_window4(work->rb);
    const f8 relaxed = sub(all(1.0f), tlw_f8_load_aligned(g->about->tension));
    const f8x3 gravity =
        scale3(sub3(all3(l->gravity), rotate3(rb, all3(l->rest_gravity))), relaxed);
    const f8x3 balance = rotate3(rb, load_window3(g->from[i].balance));
    store_window3(work->balance, scale3(balance, all(l->spring)));
    if (l->is_carried) {
        store_window3(work->free, gravity);
        store_window3(work->y, b);
        return;
    }
    const f8x3 x = load_window3(row->x);
    const f8x3 step =
        l->is_start ? drawn_by(l, work, row) : scale3(load_window3(row->v), all(l->step_seconds));
    const f8x3 off = sub3(x, load_window3(row->b));
    const f8x3 turned = rotate3(rb, unrotate3(load_window4(row->rb), off));
    store_window3(work->free, add3(add3(sub3(x, all3(l->rebase)), step), gravity));
    store_window3(work->y, add3(b, keep3(is_dynamic_row(&g->from[i]), turned)));
}

// The segment from vertex i to the next one, at y: H, and the force that it puts on vertex i.
typedef struct segment8 {
    f8x3 n;
    f8 along, across;
    f8x3 force;
} segment8;

static TLW_NOINLINE f8x3 rest_direction(const line_group* g, uint32_t i) {
    const f8x3 d = sub3(load_window3(g->from[i + 1].place), load_window3(g->from[i].place));
    return rotate3(load_window4(g->lines->work[i].rb), scale3(d, inverse_length(dot3(d, d))));
}

TLW_WIDE_HELPER segment8 segment_at(const line_group* g, uint32_t i) {
    const f8 zero = tlw_f8_zero();
    if (i + 1 >= g->row_count) {
        return (segment8){zero3(), zero, zero, zero3()};
    }
    const tlw_line_work* work = &g->lines->work[i];
    const f8 k = mul(tlw_f8_load_aligned(g->from[i].ratio), all(g->lines->spring));
    const f8 slack = tlw_f8_load_aligned(g->from[i].slack);
    const f8x3 d = sub3(load_window3(work[1].y), load_window3(work[0].y));
    const f8 length = tlw_f8_sqrt(dot3(d, d));
    const f8 divisor = tlw_f8_max(length, all(SHORT_SEGMENT));
    const m8 is_there = tlw_f8_gt(k, zero);
    const m8 is_short = tlw_m8_and(is_there, tlw_f8_lt(length, all(SHORT_SEGMENT)));
    f8x3 n = keep3(is_there, scale3(d, tlw_f8_div(all(1.0f), divisor)));
    if (tlw_m8_any(is_short)) {
        n = select3(is_short, rest_direction(g, i), n);
    }
    const f8 share = tlw_f8_max(sub(all(1.0f), tlw_f8_div(slack, divisor)), zero);
    const f8 across = mul(k, share);
    return (segment8){n, sub(k, across), across, scale3(n, mul(k, sub(length, slack)))};
}

// What a field does to a vertex: k, n, and x_f - y.
typedef struct push8 {
    f8 k;
    f8x3 n, way;
} push8;

// An ellipsoid in its own axes.
typedef struct ellipsoid8 {
    f8x4 rotation;
    f8x3 inverse; // 1/radii
} ellipsoid8;

TLW_WIDE_HELPER f8x3 scaled(f8x3 a, f8x3 by) {
    return (f8x3){mul(a.x, by.x), mul(a.y, by.y), mul(a.z, by.z)};
}

TLW_WIDE_HELPER f8 phi_at(const ellipsoid8* e, f8x3 z) {
    const f8x3 u = scaled(unrotate3(e->rotation, z), e->inverse);
    return tlw_f8_sqrt(dot3(u, u));
}

// The place relative to the centre at which a field is looked at. A field that repels acts there
// wherever that is, if it was chosen.
typedef struct view8 {
    f8x3 z;
    f8 phi;
    m8 is_chosen;
} view8;

// Too near the centre of a field that repels to have a direction: b - c stands for y - c, or the
// first axis.
static TLW_NOINLINE void leave_centre(const ellipsoid8* e, f8x3 from_b, m8 is_near, view8* at) {
    const m8 is_b_near = tlw_f8_lt(phi_at(e, from_b), all(NEAR_CENTRE));
    const f8 zero = tlw_f8_zero(), radius = tlw_f8_div(all(1.0f), e->inverse.x);
    const f8x3 axis = rotate3(e->rotation, (f8x3){radius, zero, zero});
    at->z = select3(is_near, select3(is_b_near, axis, from_b), at->z);
    at->phi = phi_at(e, at->z);
    at->is_chosen = is_near;
}

// Beyond the centre of a field that repels, seen from where the vertex is at rest: z is mirrored.
static TLW_NOINLINE void change_side(const ellipsoid8* e, f8x3 s, m8 is_behind, view8* at) {
    const f8 by = mul(all(-2.0f), mul(dot3(at->z, s), inverse_or_zero(dot3(s, s))));
    at->z = mad3(s, tlw_f8_keep(is_behind, by), at->z);
    at->phi = phi_at(e, at->z);
    at->is_chosen = tlw_m8_or(at->is_chosen, is_behind);
}

TLW_WIDE_HELPER view8 look_at(const line_group* g, const ellipsoid8* e, uint32_t i, uint32_t f,
                              m8 repels) {
    const tlw_line_work* work = &g->lines->work[i];
    const f8x3 centre = load_window3(g->lines->fields[f].centre);
    view8 at = {.z = sub3(load_window3(work->y), centre), .is_chosen = tlw_m8_from_bits(0)};
    at.phi = phi_at(e, at.z);
    const m8 is_near = tlw_m8_and(repels, tlw_f8_lt(at.phi, all(NEAR_CENTRE)));
    if (tlw_m8_any(is_near)) {
        leave_centre(e, sub3(load_window3(work->b), centre), is_near, &at);
    }
    const f8x3 off = sub3(load_window3(g->from[i].place), load_window3(g->field_from[f].centre));
    const f8x3 s = rotate3(load_window4(work->rb), off);
    const m8 is_behind = tlw_m8_and(tlw_f8_lt(dot3(at.z, s), tlw_f8_zero()),
                                    tlw_m8_and(repels, tlw_f8_lt(at.phi, all(SIDE_REACH))));
    if (tlw_m8_any(is_behind)) {
        change_side(e, s, is_behind, &at);
    }
    return at;
}

static push8 push_of(const line_group* g, uint32_t i, uint32_t f) {
    const tlw_blob_muscle_field* from = &g->field_from[f];
    const tlw_line_field* field = &g->lines->fields[f];
    const f8 gain = tlw_f8_load_aligned(from->gain), reach = tlw_f8_load_aligned(from->reach);
    const f8 zero = tlw_f8_zero(), one = all(1.0f);
    const m8 is_there = tlw_f8_gt(gain, zero); // not in a lane without the field
    const m8 attracts = tlw_f8_gt(reach, zero);
    const ellipsoid8 e = {load_window4(field->rotation),
                          select3(is_there, load_window3(from->inverse), (f8x3){one, one, one})};
    const view8 at = look_at(g, &e, i, f, tlw_m8_and_not(is_there, attracts));
    const f8x3 gradient =
        rotate3(e.rotation, scaled(scaled(unrotate3(e.rotation, at.z), e.inverse), e.inverse));
    const f8 u = tlw_f8_div(sub(at.phi, one), tlw_f8_select(attracts, sub(reach, one), one));
    const f8 fade = sub(one, mul(u, u));
    const m8 is_within = tlw_m8_and(tlw_f8_gt(at.phi, one), tlw_f8_lt(at.phi, reach));
    const m8 pushes = tlw_m8_or(tlw_f8_lt(at.phi, one), at.is_chosen);
    const f8 k = tlw_f8_select(attracts, tlw_f8_keep(is_within, mul(gain, mul(fade, fade))),
                               tlw_f8_keep(pushes, gain));
    const f8 outwards = tlw_f8_div(one, tlw_f8_max(at.phi, all(LEAST_PHI)));
    const f8x3 surface = mad3(at.z, outwards, load_window3(field->centre));
    return (push8){k, scale3(gradient, inverse_length(dot3(gradient, gradient))),
                   sub3(surface, load_window3(g->lines->work[i].y))};
}

// The diagonal block and the right side of vertex i, between two segments.
TLW_WIDE_HELPER f8x6 set_up_row(const line_group* g, uint32_t i, const segment8* before,
                                const segment8* after, f8x3* right) {
    const tlw_lines* l = g->lines;
    const tlw_line_work* work = &l->work[i];
    const f8x3 y = load_window3(work->y), t = load_window3(work->tangent);
    const f8x3 back = sub3(load_window3(work->b), y);
    const f8 across = all(l->hold_across), along = all(l->hold - l->hold_across);
    f8x6 d = add_outer(diagonal6(l->is_carried ? across : add(across, all(1.0f))), along, t);
    f8x3 r = add3(load_window3(work->free), load_window3(work->balance));
    r = l->is_carried ? r : sub3(r, y);
    r = mad3(t, mul(along, dot3(t, back)), mad3(back, across, r));
    for (uint32_t f = 0; f < g->field_count; ++f) {
        const push8 push = push_of(g, i, f);
        d = add_outer(d, push.k, push.n);
        r = mad3(push.n, mul(push.k, dot3(push.n, push.way)), r);
    }
    d = add_outer(add_outer(d, before->along, before->n), after->along, after->n);
    *right = add3(r, sub3(after->force, before->force));
    return add_diagonal(d, add(before->across, after->across));
}

TLW_WIDE_HELPER f8x6 select6(m8 mask, f8x6 a, f8x6 b) {
    return (f8x6){tlw_f8_select(mask, a.xx, b.xx), tlw_f8_select(mask, a.yy, b.yy),
                  tlw_f8_select(mask, a.zz, b.zz), tlw_f8_select(mask, a.xy, b.xy),
                  tlw_f8_select(mask, a.xz, b.xz), tlw_f8_select(mask, a.yz, b.yz)};
}

// Takes what vertex i - 1 leaves out of the block of vertex i: D - H P H, r + H P r_before.
TLW_WIDE_HELPER f8x6 eliminate(tlw_line_work* before, const segment8* segment, m8 is_coupled,
                               f8x6 d, f8x3* r) {
    const f8 along = tlw_f8_keep(is_coupled, segment->along);
    const f8 across = tlw_f8_keep(is_coupled, segment->across);
    const f8x3 n = segment->n;
    store_window3(before->n, n);
    tlw_f8_store_aligned(before->along, along);
    tlw_f8_store_aligned(before->across, across);
    const f8x6 p = load6(before->inverse);
    const f8x3 pn = times6(p, n), pr = times6(p, load_window3(before->r));
    *r = mad3(n, mul(along, dot3(n, pr)), mad3(pr, across, *r));
    const f8 both = tlw_f8_neg(mul(along, across)), square = tlw_f8_neg(mul(across, across));
    d = add_outer(d, tlw_f8_neg(mul(mul(along, along), dot3(n, pn))), n);
    const f8x3 bn = scale3(n, both), bp = scale3(pn, both);
    const f8x6 mixed = {mad(bp.x, n.x, mul(bn.x, pn.x)), mad(bp.y, n.y, mul(bn.y, pn.y)),
                        mad(bp.z, n.z, mul(bn.z, pn.z)), mad(bp.x, n.y, mul(bn.x, pn.y)),
                        mad(bp.x, n.z, mul(bn.x, pn.z)), mad(bp.y, n.z, mul(bn.y, pn.z))};
    return (f8x6){add(d.xx, mad(p.xx, square, mixed.xx)), add(d.yy, mad(p.yy, square, mixed.yy)),
                  add(d.zz, mad(p.zz, square, mixed.zz)), add(d.xy, mad(p.xy, square, mixed.xy)),
                  add(d.xz, mad(p.xz, square, mixed.xz)), add(d.yz, mad(p.yz, square, mixed.yz))};
}

// One iteration: y += dy. Whether a vertex moved by more than STILL along an axis.
static bool iterate(const line_group* g) {
    tlw_line_work* work = g->lines->work;
    segment8 before = {zero3(), tlw_f8_zero(), tlw_f8_zero(), zero3()};
    m8 was_dynamic = tlw_m8_from_bits(0);
    for (uint32_t i = 0; i < g->row_count; ++i) {
        const m8 is_dynamic = is_dynamic_row(&g->from[i]);
        const segment8 after = segment_at(g, i);
        f8x3 r;
        f8x6 d = set_up_row(g, i, &before, &after, &r);
        r = keep3(is_dynamic, r);
        d = select6(is_dynamic, d, diagonal6(all(1.0f)));
        if (i > 0) {
            d = eliminate(&work[i - 1], &before, tlw_m8_and(is_dynamic, was_dynamic), d, &r);
        }
        store6(work[i].inverse, inverse6(d));
        store_window3(work[i].r, r);
        before = after;
        was_dynamic = is_dynamic;
    }
    f8x3 dy = zero3();
    m8 has_moved = tlw_m8_from_bits(0);
    for (uint32_t i = g->row_count; i-- > 0;) {
        f8x3 r = load_window3(work[i].r);
        if (i + 1 < g->row_count) {
            const f8x3 n = load_window3(work[i].n);
            const f8 along = mul(tlw_f8_load_aligned(work[i].along), dot3(n, dy));
            r = mad3(n, along, mad3(dy, tlw_f8_load_aligned(work[i].across), r));
        }
        dy = times6(load6(work[i].inverse), r);
        store_window3(work[i].y, add3(load_window3(work[i].y), dy));
        has_moved = tlw_m8_or(has_moved, tlw_f8_gt(tlw_f8_abs(dy.x), all(STILL)));
        has_moved = tlw_m8_or(has_moved, tlw_f8_gt(tlw_f8_abs(dy.y), all(STILL)));
        has_moved = tlw_m8_or(has_moved, tlw_f8_gt(tlw_f8_abs(dy.z), all(STILL)));
    }
    return tlw_m8_any(has_moved);
}

// Makes y the line's new place. A line that is not finite is put on b, at rest.
static void end_lines(const line_group* g) {
    const tlw_lines* l = g->lines;
    f8 sums = tlw_f8_zero(), moved = tlw_f8_zero();
    for (uint32_t i = 0; i < g->row_count; ++i) {
        const f8x3 y = load_window3(l->work[i].y);
        sums = add(sums, add(add(y.x, y.y), y.z));
    }
    const f8 difference = sub(sums, sums); // 0, or NaN if any summand is not finite
    const m8 is_finite = tlw_f8_eq(difference, difference);
    const f8 inverse_h = all(1.0f / l->step_seconds);
    for (uint32_t i = 0; i < g->row_count; ++i) {
        tlw_line_row* row = &g->rows[i];
        const f8x3 b = load_window3(l->work[i].b);
        const f8x3 x = select3(is_finite, load_window3(l->work[i].y), b);
        const f8x3 drawn = drawn_by(l, &l->work[i], row); // h v_b
        // h ((y - x)/h - v_b): what x - b has grown by.
        const f8x3 further =
            keep3(is_finite, sub3(sub3(x, b), sub3(load_window3(row->x), load_window3(row->b))));
        const f8x3 v = scale3(mad3(further, all(l->kept), drawn), inverse_h);
        moved = tlw_f8_max(tlw_f8_abs(further.x), moved);
        moved = tlw_f8_max(tlw_f8_abs(further.y), moved);
        moved = tlw_f8_max(tlw_f8_abs(further.z), moved);
        store_window3(row->v, l->is_carried ? zero3() : v);
        store_window3(row->x, x);
        store_window3(row->b, b);
        store_window4(row->rb, load_window4(l->work[i].rb));
    }
    tlw_f8_store_aligned(g->about->moved, moved);
}

// ---- Bellies

// M of every vertex, and the elongation of the belly.
static void measure_sections(const line_group* g) {
    const f8 zero = tlw_f8_zero(),
             flex = mul(all(FLEX_SHARE), tlw_f8_load_aligned(g->about->tension));
    f8 length_before = zero, rest_before = zero, length_sum = zero, rest_sum = zero;
    for (uint32_t i = 0; i < g->row_count; ++i) {
        const tlw_blob_muscle_row* from = &g->from[i];
        const f8 rest = tlw_f8_load_aligned(from->length), r = tlw_f8_load_aligned(from->radius);
        f8 length = zero;
        if (i + 1 < g->row_count) {
            const f8x3 d = sub3(load_window3(g->rows[i + 1].x), load_window3(g->rows[i].x));
            length = tlw_f8_keep(tlw_f8_gt(rest, zero), tlw_f8_sqrt(dot3(d, d)));
        }
        const f8 both = add(rest_before, rest);
        const f8 share = tlw_f8_div(add(length_before, length), tlw_f8_max(both, all(1e-6f)));
        const f8 e = clamp8(share, ELONGATION_MIN, ELONGATION_MAX);
        const f8 thicker = mad(flex, tlw_f8_load_aligned(from->flex), all(1.0f));
        tlw_f8_store_aligned(g->lines->work[i].section, mul(tlw_f8_div(mul(r, r), e), thicker));
        const f8 belly = tlw_f8_load_aligned(from->belly);
        length_sum = mad(length, belly, length_sum);
        rest_sum = mad(rest, belly, rest_sum);
        length_before = length;
        rest_before = rest;
    }
    const m8 has_belly = tlw_f8_gt(rest_sum, zero);
    tlw_f8_store_aligned(g->about->elongation,
                         tlw_f8_select(has_belly,
                                       tlw_f8_div(length_sum, tlw_f8_max(rest_sum, all(1e-6f))),
                                       all(1.0f)));
}

// M at an arc length: M_0 + sum of (M_(j+1) - M_j) within 0 and 1 of the way along segment j.
TLW_WIDE_HELPER f8 section_at(const line_group* g, f8 arc) {
    const tlw_line_work* work = g->lines->work;
    f8 last = tlw_f8_load_aligned(work[0].section), sum = last;
    for (uint32_t j = 0; j + 1 < g->row_count; ++j) {
        const f8 next = tlw_f8_load_aligned(work[j + 1].section);
        const f8 by = inverse_or_zero(tlw_f8_load_aligned(g->from[j].length));
        const f8 way = mul(sub(arc, tlw_f8_load_aligned(g->from[j].arc)), by);
        sum = mad(sub(next, last), clamp8(way, 0.0f, 1.0f), sum);
        last = next;
    }
    return sum;
}

// B and c of every vertex.
static void measure_bellies(const line_group* g) {
    const f8 zero = tlw_f8_zero(), bulge = tlw_f8_load_aligned(g->about->bulge);
    const f8 most = mul(all(0.5f), tlw_f8_load_aligned(g->about->radius));
    f8 most_b = zero, most_c = zero;
    for (uint32_t i = 0; i < g->row_count; ++i) {
        const tlw_blob_muscle_row* from = &g->from[i];
        const f8x3 t = load_window3(g->lines->work[i].tangent);
        const f8x3 off = sub3(load_window3(g->rows[i].x), load_window3(g->rows[i].b));
        const f8 s = dot3(off, t), r = tlw_f8_load_aligned(from->radius);
        const f8 section = section_at(g, sub(tlw_f8_load_aligned(from->arc), s));
        const f8 thick = tlw_f8_max(tlw_f8_sqrt(tlw_f8_max(section, zero)), mul(all(THINNEST), r));
        f8 b = mul(mul(all(2.0f), r), sub(thick, r));
        b = tlw_f8_select(tlw_f8_gt(b, zero), mul(b, bulge), b);
        const f8x3 n = rotate3(load_window4(g->lines->work[i].rb), load_window3(from->outward));
        const f8x3 across = sub3(off, scale3(t, s));
        const f8 inwards = tlw_f8_min(dot3(across, n), zero);
        const f8x3 c = within3(sub3(across, scale3(n, inwards)), most);
        tlw_f8_store_aligned(g->belly_rows[i].b, b);
        store_window3(g->belly_rows[i].c, c);
        most_b = tlw_f8_max(tlw_f8_abs(b), most_b);
        most_c = tlw_f8_max(tlw_f8_sqrt(dot3(c, c)), most_c);
    }
    tlw_f8_store_aligned(g->about->most_b, most_b);
    tlw_f8_store_aligned(g->about->most_c, most_c);
}

void TLW_KERNEL(tlw_solve_lines)(const tlw_lines* lines) {
    const tlw_blob_arrays* blob = lines->blob;
    for (uint32_t at = 0; at < lines->group_count; ++at) {
        const tlw_blob_muscle_group *first = &blob->muscle_groups[at], *end = first + 1;
        line_group g = {.lines = lines,
                        .from = blob->muscle_rows + first->first_row,
                        .rows = lines->rows + first->first_row,
                        .belly_rows = lines->belly_rows + first->first_row,
                        .about = &lines->groups[at],
                        .row_count = end->first_row - first->first_row,
                        .field_count = end->first_field - first->first_field};
        if (g.field_count > 0) { // the section is absent where no muscle has fields
            g.field_from = blob->muscle_fields + first->first_field;
        }
        for (uint32_t f = 0; f < g.field_count; ++f) {
            place_field(lines, &g.field_from[f], &lines->fields[f]);
        }
        for (uint32_t i = 0; i < g.row_count; ++i) {
            begin_row(&g, i);
        }
        for (uint32_t i = 0; i < lines->iterations; ++i) {
            if (!iterate(&g) && lines->is_carried) {
                break;
            }
        }
        end_lines(&g);
        measure_sections(&g);
        measure_bellies(&g);
    }
}
