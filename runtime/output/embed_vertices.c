// SPDX-License-Identifier: MIT
// Pass embed, stages deviations and vertices (MODEL 5.2 to 5.8, RULES 10.7): the output's vertices.
// Reads what the stages before wrote, the joints, and the blob's groups; writes deviations of
// vertices, and the output streams. runtime/output/embed.h has the equations.
//
// Eight vertices of a group share a list of voxels and one of joints, with a weight per lane. So a
// number of a voxel is broadcast to eight lanes and multiplied by eight weights: nothing is
// gathered, nothing transposed. Weights are integers in units of 2^-15, and sums are scaled by that
// once, at the end, which is exact.
#include "runtime/output/embed_streams.h"

#define WEIGHT_UNIT (1.0f / (float)TLW_BLOB_WEIGHT_ONE)

// What one list adds up to, in units of 2^-15: [matrix | last], the matrix by rows.
typedef struct list_sums {
    f8 matrix[3][3];
    f8x3 last;
} list_sums;

TLW_FORCE_INLINE f8 load_weights(const uint16_t* weights, size_t element) {
    return tlw_f8_from_i8(tlw_i8_load_u16(weights + element * TLW_LANES));
}

// ---- Sums over lists

TLW_FORCE_INLINE void add_number(f8* sum, const float* number, f8 weight) {
    *sum = mad(all(*number), weight, *sum);
}

// Rows of a 3x4 matrix whose numbers lie `apart` floats apart, a constant.
TLW_FORCE_INLINE void add_rows(list_sums* sums, const float* number, size_t apart, f8 weight) {
    add_number(&sums->matrix[0][0], number, weight);
    add_number(&sums->matrix[0][1], number + apart, weight);
    add_number(&sums->matrix[0][2], number + 2 * apart, weight);
    add_number(&sums->last.x, number + 3 * apart, weight);
    add_number(&sums->matrix[1][0], number + 4 * apart, weight);
    add_number(&sums->matrix[1][1], number + 5 * apart, weight);
    add_number(&sums->matrix[1][2], number + 6 * apart, weight);
    add_number(&sums->last.y, number + 7 * apart, weight);
    add_number(&sums->matrix[2][0], number + 8 * apart, weight);
    add_number(&sums->matrix[2][1], number + 9 * apart, weight);
    add_number(&sums->matrix[2][2], number + 10 * apart, weight);
    add_number(&sums->last.z, number + 11 * apart, weight);
}

// Three numbers of a slot.
TLW_FORCE_INLINE void add_three(f8x3* sum, const float* number, f8 weight) {
    add_number(&sum->x, number, weight);
    add_number(&sum->y, number + TLW_LANES, weight);
    add_number(&sum->z, number + 2 * TLW_LANES, weight);
}

TLW_FORCE_INLINE void add_slope(list_sums* sums, const float* number, f8 weight) {
    for (int i = 0; i < 3; ++i) {
        add_number(&sums->matrix[i][0], number + 3 * i * TLW_LANES, weight);
        add_number(&sums->matrix[i][1], number + (3 * i + 1) * TLW_LANES, weight);
        add_number(&sums->matrix[i][2], number + (3 * i + 2) * TLW_LANES, weight);
    }
    add_three(&sums->last, number + TLW_SLOPE_LAST * TLW_LANES, weight);
}

TLW_FORCE_INLINE list_sums no_sums(void) {
    const f8 zero = tlw_f8_zero();
    return (list_sums){{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}}, zero3()};
}

TLW_FORCE_INLINE const uint32_t* slots_of(const tlw_embed* e, const tlw_blob_group* group) {
    return e->blob->group_voxel + group->first_voxel;
}

TLW_FORCE_INLINE const uint16_t* weights_of(const tlw_embed* e, const tlw_blob_group* group) {
    return e->blob->group_voxel_weight + (size_t)group->first_voxel * TLW_LANES;
}

TLW_FORCE_INLINE f8x4 real_of(const tlw_embed* e, uint32_t joint) {
    const float* r = e->joint_duals[joint].real;
    return (f8x4){all(r[0]), all(r[1]), all(r[2]), all(r[3])};
}

TLW_FORCE_INLINE void add_four(f8x4* sum, const float* numbers, f8 weight) {
    add_number(&sum->x, numbers, weight);
    add_number(&sum->y, numbers + 1, weight);
    add_number(&sum->z, numbers + 2, weight);
    add_number(&sum->w, numbers + 3, weight);
}

// The rotation of each lane's joint of largest weight, the first of equals.
TLW_FORCE_INLINE f8x4 find_references(const tlw_embed* e, const uint16_t* joints,
                                      const uint16_t* weights, uint32_t count) {
    f8x4 reference = {tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero()};
    f8 largest = tlw_f8_zero();
    for (uint32_t i = 0; i < count; ++i) {
        const f8 weight = load_weights(weights, i);
        const f8x4 r = real_of(e, joints[i]);
        const m8 is_larger = tlw_f8_gt(weight, largest);
        largest = tlw_f8_select(is_larger, weight, largest);
        reference.x = tlw_f8_select(is_larger, r.x, reference.x);
        reference.y = tlw_f8_select(is_larger, r.y, reference.y);
        reference.z = tlw_f8_select(is_larger, r.z, reference.z);
        reference.w = tlw_f8_select(is_larger, r.w, reference.w);
    }
    return reference;
}

TLW_FORCE_INLINE void set_column(list_sums* sums, int k, f8x3 column) {
    sums->matrix[0][k] = column.x;
    sums->matrix[1][k] = column.y;
    sums->matrix[2][k] = column.z;
}

TLW_FORCE_INLINE f8x3 turn_by(const f8x9* r, f8x3 a) {
    return mad3(r->c[2], a.z, mad3(r->c[1], a.y, scale3(r->c[0], a.x)));
}

// L by dual quaternions (MODEL 3.13): B times the sum of the stretches. In units of 2^-15 like
// other sums, so that what follows does not depend on the kind of skinning.
TLW_NOINLINE static void sum_duals(const tlw_embed* e, const tlw_blob_group* group,
                                   list_sums* out) {
    const uint16_t* joints = e->blob->group_joint + group->first_joint;
    const uint16_t* weights = e->blob->group_joint_weight + (size_t)group->first_joint * TLW_LANES;
    const f8 zero = tlw_f8_zero(), one = all((float)TLW_BLOB_WEIGHT_ONE);
    f8x4 real = {zero, zero, zero, zero}, dual = real, reference = real;
    list_sums sums = no_sums();
    if (e->may_point_apart) {
        reference = find_references(e, joints, weights, group->joint_count);
    }
    for (uint32_t i = 0; i < group->joint_count; ++i) {
        f8 weight = load_weights(weights, i);
        if (e->has_stretch) {
            add_rows(&sums, e->joint_affines[joints[i]].row[0], 1, weight);
        }
        if (e->may_point_apart) {
            const m8 is_apart = tlw_f8_lt(dot4(real_of(e, joints[i]), reference), zero);
            weight = tlw_f8_select(is_apart, tlw_f8_neg(weight), weight);
        }
        add_four(&real, e->joint_duals[joints[i]].real, weight);
        add_four(&dual, e->joint_duals[joints[i]].dual, weight);
    }
    const f8 by = inverse_length(dot4(real, real));
    real = scale4(real, by);
    dual = scale4(dual, by);
    const f8x3 u = {real.x, real.y, real.z}, d = {dual.x, dual.y, dual.z};
    const f8x3 half = add3(sub3(scale3(d, real.w), scale3(u, dual.w)), cross3(u, d));
    const f8x9 turn = matrix_of(real);
    for (int k = 0; k < 3; ++k) {
        const f8x3 column = {sums.matrix[0][k], sums.matrix[1][k], sums.matrix[2][k]};
        set_column(&sums, k, e->has_stretch ? turn_by(&turn, column) : scale3(turn.c[k], one));
    }
    const f8x3 last = e->has_stretch ? turn_by(&turn, sums.last) : zero3();
    sums.last = mad3(add3(half, half), one, last);
    *out = sums;
}

// L
TLW_FORCE_INLINE list_sums sum_joints(const tlw_embed* e, const tlw_blob_group* group) {
    const uint16_t* joints = e->blob->group_joint + group->first_joint;
    const uint16_t* weights = e->blob->group_joint_weight + (size_t)group->first_joint * TLW_LANES;
    list_sums sums = no_sums();
    if (TLW_UNLIKELY(e->joint_duals != NULL)) {
        sum_duals(e, group, &sums);
        return sums;
    }
    for (uint32_t i = 0; i < group->joint_count; ++i) {
        add_rows(&sums, e->joint_affines[joints[i]].row[0], 1, load_weights(weights, i));
    }
    return sums;
}

// The sum of M over voxels.
TLW_FORCE_INLINE list_sums sum_frames(const tlw_embed* e, const tlw_blob_group* group) {
    const uint32_t* slots = slots_of(e, group);
    const uint16_t* weights = weights_of(e, group);
    list_sums sums = no_sums();
    for (uint32_t i = 0; i < group->voxel_count; ++i) {
        add_rows(&sums, tlw_embed_of_slot(e->frames->number, 12, slots[i]), TLW_LANES,
                 load_weights(weights, i));
    }
    return sums;
}

// Gradients, and what stands beside them.
TLW_FORCE_INLINE list_sums sum_slopes(const tlw_embed* e, const tlw_blob_group* group,
                                      const tlw_window_slopes* slopes) {
    const uint32_t* slots = slots_of(e, group);
    const uint16_t* weights = weights_of(e, group);
    list_sums sums = no_sums();
    for (uint32_t i = 0; i < group->voxel_count; ++i) {
        add_slope(&sums, tlw_embed_of_slot(slopes->number, 12, slots[i]), load_weights(weights, i));
    }
    return sums;
}

// Deviations alone, in the order in which sum_slopes adds them up, so that positions do not depend
// on whether normals are asked for.
TLW_FORCE_INLINE f8x3 sum_deltas(const tlw_embed* e, const tlw_blob_group* group) {
    const uint32_t* slots = slots_of(e, group);
    const uint16_t* weights = weights_of(e, group);
    f8x3 sum = zero3();
    for (uint32_t i = 0; i < group->voxel_count; ++i) {
        add_three(&sum, tlw_embed_of_slot(e->deltas->number, 3, slots[i]),
                  load_weights(weights, i));
    }
    return sum;
}

// ---- One group

TLW_FORCE_INLINE f8x3 load_group3(const float* array, size_t group) {
    const float* at = array + group * (3 * TLW_LANES);
    return (f8x3){tlw_f8_load_aligned(at), tlw_f8_load_aligned(at + TLW_LANES),
                  tlw_f8_load_aligned(at + 2 * TLW_LANES)};
}

TLW_FORCE_INLINE void add_matrix(list_sums* to, const list_sums* from) {
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            to->matrix[i][k] = add(to->matrix[i][k], from->matrix[i][k]);
        }
    }
}

TLW_FORCE_INLINE f8x3 times(const f8 matrix[3][3], f8x3 a) {
    return (f8x3){mad(matrix[0][2], a.z, mad(matrix[0][1], a.y, mul(matrix[0][0], a.x))),
                  mad(matrix[1][2], a.z, mad(matrix[1][1], a.y, mul(matrix[1][0], a.x))),
                  mad(matrix[2][2], a.z, mad(matrix[2][1], a.y, mul(matrix[2][0], a.x)))};
}

// u, from the sums over slopes; not yet scaled.
TLW_FORCE_INLINE f8x3 fitted(const tlw_embed* e, size_t g, const list_sums* sums, f8x3 at) {
    const f8x3 centre = load_group3(e->blob->group_centre, g);
    const f8x3 from = sub3(at, scale3(centre, all(0.5f)));
    return add3(times(sums->matrix, from), sums->last);
}

// What stage deviations left, as eight lanes.
TLW_FORCE_INLINE f8x3 load_deviations(const tlw_embed* e, const tlw_blob_group* group) {
    const f8x4 rows = tlw_f8x4_load(&e->deviations[group->first_vertex].x);
    return (f8x3){rows.x, rows.y, rows.z};
}

// a / |a|. Where a has no length, `otherwise`, the rest vector, so that shaders never meet a zero
// that the asset does not have.
TLW_FORCE_INLINE f8x3 normalise3(f8x3 a, f8x3 otherwise) {
    const f8 by = inverse_length(dot3(a, a));
    return select3(tlw_f8_gt(by, tlw_f8_zero()), scale3(a, by), otherwise);
}

TLW_FORCE_INLINE f8x3 row_of(const f8 matrix[3][3], int row) {
    return (f8x3){matrix[row][0], matrix[row][1], matrix[row][2]};
}

// cof(matrix) a, whose rows are the cross products of the matrix's rows.
TLW_FORCE_INLINE f8x3 cofactor_times(const f8 matrix[3][3], f8x3 a) {
    const f8x3 x = row_of(matrix, 0), y = row_of(matrix, 1), z = row_of(matrix, 2);
    return (f8x3){dot3(cross3(y, z), a), dot3(cross3(z, x), a), dot3(cross3(x, y), a)};
}

TLW_FORCE_INLINE f8x3 load_normals(const tlw_embed* e, size_t g) {
    return e->blob->group_normal ? load_group3(e->blob->group_normal, g) : zero3();
}

TLW_FORCE_INLINE f8x3 load_tangents(const tlw_embed* e, size_t g) {
    if (!e->blob->group_tangent) {
        return zero3();
    }
    const float* at = e->blob->group_tangent + g * (4 * TLW_LANES);
    return (f8x3){tlw_f8_load_aligned(at), tlw_f8_load_aligned(at + TLW_LANES),
                  tlw_f8_load_aligned(at + 2 * TLW_LANES)};
}

// Normals and tangents by the gradient, given in units of 2^-15.
TLW_FORCE_INLINE void turn_by_gradient(const tlw_embed* e, size_t g, const f8 gradient[3][3],
                                       embedded* out) {
    const f8 unit = all(WEIGHT_UNIT);
    if (e->output.normals.data) {
        const f8x3 normal = load_normals(e, g);
        const f8x3 scaled = scale3(normal, all(WEIGHT_UNIT * WEIGHT_UNIT));
        out->normal = normalise3(cofactor_times(gradient, scaled), normal);
    }
    if (e->output.tangents.data) {
        const f8x3 tangent = load_tangents(e, g);
        out->tangent = normalise3(times(gradient, scale3(tangent, unit)), tangent);
    }
}

// Lanes without artist weights: positions, and normals by frames. Not inlined, as most characters
// have no such lane.
TLW_NOINLINE static void embed_by_frames(const tlw_embed* e, size_t g, m8 lanes, embedded* out) {
    const tlw_blob_group* group = &e->blob->groups[g];
    list_sums sums = sum_frames(e, group);
    const f8x3 at = load_group3(e->blob->group_position, g);
    const f8x3 position = scale3(add3(times(sums.matrix, at), sums.last), all(WEIGHT_UNIT));
    out->position = select3(lanes, position, out->position);
    if (e->wants_gradients || e->wants_rings) {
        if (e->wants_gradients) {
            const list_sums slopes = sum_slopes(e, group, e->frame_slopes);
            add_matrix(&sums, &slopes);
        }
        embedded turned = *out;
        turn_by_gradient(e, g, sums.matrix, &turned);
        out->normal = select3(lanes, turned.normal, out->normal);
        out->tangent = select3(lanes, turned.tangent, out->tangent);
    }
}

// L x0 + u, both in units of 2^-15.
TLW_FORCE_INLINE f8x3 skinned_position(const list_sums* base, f8x3 at, f8x3 deviation) {
    return scale3(add3(add3(times(base->matrix, at), base->last), deviation), all(WEIGHT_UNIT));
}

// ---- Ring normals

// t1 and t2 of MODEL 5.6 times `scale`, for a normal n of any length l: with scale = l (l + |nz|)
// the basis needs no division, and the length of a normal does not matter before the end.
typedef struct ring_basis {
    f8x3 first, second;
    f8 scale;
} ring_basis;

TLW_FORCE_INLINE ring_basis ring_basis_of(f8x3 n) {
    const f8 length = tlw_f8_sqrt(dot3(n, n));
    const f8 sum = add(length, tlw_f8_abs(n.z)), scale = mul(length, sum);
    const f8 side = tlw_f8_select(tlw_f8_lt(n.z, tlw_f8_zero()), all(-1.0f), all(1.0f));
    const f8 across = tlw_f8_neg(mul(n.x, n.y));
    return (ring_basis){
        .first = {sub(scale, mul(n.x, n.x)), across, tlw_f8_neg(mul(mul(side, n.x), sum))},
        .second = {mul(side, across), mul(side, sub(scale, mul(n.y, n.y))),
                   tlw_f8_neg(mul(n.y, sum))},
        .scale = scale};
}

// g1 and g2: how the deviation changes along t1 and t2.
typedef struct ring_slopes {
    f8x3 first, second;
} ring_slopes;

TLW_FORCE_INLINE ring_slopes ring_slopes_of(const tlw_embed* e, size_t g, f8x3 own) {
    const uint32_t* neighbours =
        e->blob->ring_neighbour + g * (TLW_BLOB_RING_NEIGHBOURS * TLW_LANES);
    const float* weights = e->blob->ring_weight + g * (2 * TLW_BLOB_RING_NEIGHBOURS * TLW_LANES);
    ring_slopes out = {zero3(), zero3()};
    for (uint32_t k = 0; k < TLW_BLOB_RING_NEIGHBOURS; ++k) {
        TLW_ALIGNAS(32) tlw_deviation rows[TLW_LANES];
        for (uint32_t i = 0; i < TLW_LANES; ++i) {
            __builtin_memcpy(&rows[i], &e->deviations[neighbours[k * TLW_LANES + i]],
                             sizeof rows[i]);
        }
        const f8x4 there = tlw_f8x4_load(&rows[0].x);
        const f8x3 step = sub3((f8x3){there.x, there.y, there.z}, own);
        out.first = mad3(step, tlw_f8_load_aligned(weights + (size_t)2 * k * TLW_LANES), out.first);
        out.second =
            mad3(step, tlw_f8_load_aligned(weights + (size_t)(2 * k + 1) * TLW_LANES), out.second);
    }
    return out;
}

// Normals and tangents from the ring; L is in units of 2^-15, own deviations are not.
TLW_FORCE_INLINE void turn_by_ring(const tlw_embed* e, size_t g, const list_sums* base, f8x3 own,
                                   embedded* out) {
    const f8 unit = all(WEIGHT_UNIT);
    const f8x3 normal = load_normals(e, g);
    const ring_basis basis = ring_basis_of(normal);
    const ring_slopes slopes = ring_slopes_of(e, g, own);
    if (e->output.normals.data) { // without a normal both are 0
        const f8x3 first =
            mad3(slopes.first, basis.scale, scale3(times(base->matrix, basis.first), unit));
        const f8x3 second =
            mad3(slopes.second, basis.scale, scale3(times(base->matrix, basis.second), unit));
        out->normal = normalise3(cross3(first, second), normal);
    }
    if (e->output.tangents.data) {
        const f8x3 tangent = load_tangents(e, g);
        const m8 has_normal = tlw_f8_gt(basis.scale, tlw_f8_zero());
        const f8 by = tlw_f8_keep(has_normal, tlw_f8_div(all(1.0f), basis.scale));
        const f8x3 along = mad3(slopes.second, mul(dot3(tangent, basis.second), by),
                                scale3(slopes.first, mul(dot3(tangent, basis.first), by)));
        out->tangent = normalise3(add3(scale3(times(base->matrix, tangent), unit), along), tangent);
    }
}

// ---- Kinds of output

// What stage vertices computes, each a function of its own: in one function they would share
// registers and spill them.
typedef enum output_kind { OUTPUT_DEVIATIONS, OUTPUT_POSITIONS, OUTPUT_GRADIENTS } output_kind;

// Where stage vertices finds u: the two ways of tlw_deviation_source, or the array of deviations.
typedef enum deviation_kind { BY_DELTAS, BY_FITS, BY_ARRAY } deviation_kind;

// u in units of 2^-15, without gradients.
TLW_FORCE_INLINE f8x3 deviation_of(const tlw_embed* e, size_t g, deviation_kind kind, f8x3 at) {
    const tlw_blob_group* group = &e->blob->groups[g];
    if (kind == BY_DELTAS) {
        return sum_deltas(e, group);
    }
    if (kind == BY_FITS) {
        const list_sums slopes = sum_slopes(e, group, e->slopes);
        return fitted(e, g, &slopes, at);
    }
    return scale3(load_deviations(e, group), all((float)TLW_BLOB_WEIGHT_ONE));
}

// u in units of 2^-15, and the sum of D.
TLW_FORCE_INLINE f8x3 deviation_with_slopes(const tlw_embed* e, size_t g, deviation_kind kind,
                                            f8x3 at, list_sums* slopes) {
    const tlw_blob_group* group = &e->blob->groups[g];
    *slopes = sum_slopes(e, group, e->slopes);
    if (kind == BY_FITS) {
        return fitted(e, g, slopes, at);
    }
    if (kind == BY_DELTAS) {
        return e->wants_deltas ? sum_deltas(e, group) : slopes->last;
    }
    return scale3(load_deviations(e, group), all((float)TLW_BLOB_WEIGHT_ONE));
}

TLW_FORCE_INLINE void embed_group(const tlw_embed* e, size_t g, output_kind output,
                                  deviation_kind kind, embedded* out) {
    const tlw_blob_group* group = &e->blob->groups[g];
    const f8x3 at = load_group3(e->blob->group_position, g);
    list_sums slopes;
    const f8x3 deviation = output == OUTPUT_GRADIENTS
                               ? deviation_with_slopes(e, g, kind, at, &slopes)
                               : deviation_of(e, g, kind, at);
    out->deviation = scale3(deviation, all(WEIGHT_UNIT));
    if (output == OUTPUT_DEVIATIONS) {
        return;
    }
    list_sums base = sum_joints(e, group);
    out->position = skinned_position(&base, at, deviation);
    if (output == OUTPUT_GRADIENTS) {
        add_matrix(&base, &slopes);
        turn_by_gradient(e, g, base.matrix, out);
    }
}

TLW_FORCE_INLINE void embed_groups(const tlw_embed* e, output_kind output, deviation_kind kind,
                                   uint32_t first, uint32_t end) {
    for (size_t g = first; g < end; ++g) {
        const tlw_blob_group* group = &e->blob->groups[g];
        group_places places;
        places_of(e, group, &places);
        if (!places.written) {
            continue;
        }
        embedded out = {zero3(), zero3(), zero3(), zero3()};
        embed_group(e, g, output, kind, &out);
        if (output != OUTPUT_DEVIATIONS && TLW_UNLIKELY(group->skinned != 0xffu)) {
            embed_by_frames(e, g, tlw_m8_from_bits(~(uint32_t)group->skinned & 0xffu), &out);
        }
        write_vertices(e, &out, output != OUTPUT_DEVIATIONS, output == OUTPUT_GRADIENTS, &places);
    }
}

// Every combination of the two constants.
#define EMBED_FUNCTION(name, output, kind)                                            \
    TLW_NOINLINE static void name(const tlw_embed* e, uint32_t first, uint32_t end) { \
        embed_groups(e, output, kind, first, end);                                    \
    }
EMBED_FUNCTION(deviations_by_deltas, OUTPUT_DEVIATIONS, BY_DELTAS)
EMBED_FUNCTION(deviations_by_fits, OUTPUT_DEVIATIONS, BY_FITS)
EMBED_FUNCTION(deviations_by_array, OUTPUT_DEVIATIONS, BY_ARRAY)
EMBED_FUNCTION(positions_by_deltas, OUTPUT_POSITIONS, BY_DELTAS)
EMBED_FUNCTION(positions_by_fits, OUTPUT_POSITIONS, BY_FITS)
EMBED_FUNCTION(positions_by_array, OUTPUT_POSITIONS, BY_ARRAY)
EMBED_FUNCTION(gradients_by_deltas, OUTPUT_GRADIENTS, BY_DELTAS)
EMBED_FUNCTION(gradients_by_fits, OUTPUT_GRADIENTS, BY_FITS)
EMBED_FUNCTION(gradients_by_array, OUTPUT_GRADIENTS, BY_ARRAY)
#undef EMBED_FUNCTION

// Ring normals always have their deviations in the array, where neighbours find them.
TLW_NOINLINE static void embed_with_rings(const tlw_embed* e, uint32_t first, uint32_t end) {
    for (size_t g = first; g < end; ++g) {
        const tlw_blob_group* group = &e->blob->groups[g];
        group_places places;
        places_of(e, group, &places);
        if (!places.written) {
            continue;
        }
        embedded out = {zero3(), zero3(), zero3(), load_deviations(e, group)};
        const f8x3 at = load_group3(e->blob->group_position, g);
        const list_sums base = sum_joints(e, group);
        out.position =
            skinned_position(&base, at, scale3(out.deviation, all((float)TLW_BLOB_WEIGHT_ONE)));
        turn_by_ring(e, g, &base, out.deviation, &out);
        if (TLW_UNLIKELY(group->skinned != 0xffu)) {
            embed_by_frames(e, g, tlw_m8_from_bits(~(uint32_t)group->skinned & 0xffu), &out);
        }
        write_vertices(e, &out, true, true, &places);
    }
}

// Frames alone, for characters and outputs without the artist's skinning.
TLW_NOINLINE static void embed_with_frames(const tlw_embed* e, uint32_t first, uint32_t end) {
    for (size_t g = first; g < end; ++g) {
        const tlw_blob_group* group = &e->blob->groups[g];
        group_places places;
        places_of(e, group, &places);
        if (!places.written) {
            continue;
        }
        embedded out = {zero3(), zero3(), zero3(), zero3()};
        if (e->output.deltas.data) {
            out.deviation = scale3(sum_deltas(e, group), all(WEIGHT_UNIT));
        }
        embed_by_frames(e, g, tlw_m8_from_bits(0xffu), &out);
        write_vertices(e, &out, true, e->wants_gradients, &places);
    }
}

static void embed_vertices(const tlw_embed* e, uint32_t first, uint32_t end) {
    const deviation_kind kind = e->wants_deviations                     ? BY_ARRAY
                                : e->deviation == TLW_DEVIATION_BY_FITS ? BY_FITS
                                                                        : BY_DELTAS;
    static void (*const functions[3][3])(const tlw_embed*, uint32_t, uint32_t) = {
        [OUTPUT_DEVIATIONS] = {deviations_by_deltas, deviations_by_fits, deviations_by_array},
        [OUTPUT_POSITIONS] = {positions_by_deltas, positions_by_fits, positions_by_array},
        [OUTPUT_GRADIENTS] = {gradients_by_deltas, gradients_by_fits, gradients_by_array}};
    if (e->wants_rings) {
        embed_with_rings(e, first, end);
    } else if (e->wants_base && !e->is_any_skinned) {
        embed_with_frames(e, first, end);
    } else if (e->wants_gradients) {
        functions[OUTPUT_GRADIENTS][kind](e, first, end);
    } else {
        functions[e->wants_base ? OUTPUT_POSITIONS : OUTPUT_DEVIATIONS][kind](e, first, end);
    }
}

// ---- Streams of voxels

// `count` numbers of a slot, beside each other.
static void gather_numbers(const float* from, uint32_t count, float* to) {
    for (uint32_t i = 0; i < count; ++i) {
        to[i] = from[(size_t)i * TLW_LANES];
    }
}

static void write_voxels(const tlw_embed* e, uint64_t first, uint64_t end) {
    const tlw_output* output = &e->output;
    float numbers[12];
    for (uint64_t v = first; v < end; ++v) {
        const uint32_t slot = e->blob->voxel_slot[v];
        if (output->lattice.data) {
            gather_numbers(tlw_embed_of_slot(e->frames->number, 12, slot), 12, numbers);
            write_matrix(&output->lattice, v, numbers);
        }
        if (output->voxel_deltas.data) {
            gather_numbers(tlw_embed_of_slot(e->deltas->number, 3, slot), 3, numbers);
            write_triple(&output->voxel_deltas, v, numbers);
        }
        if (output->voxel_fits.data) {
            gather_numbers(tlw_embed_of_slot(e->slopes->number, 12, slot), 12, numbers);
            const float* n = numbers;
            const float* last = numbers + TLW_SLOPE_LAST;
            const float rows[12] = {n[0], n[1],    n[2], last[0], n[3], n[4],
                                    n[5], last[1], n[6], n[7],    n[8], last[2]};
            write_matrix(&output->voxel_fits, v, rows);
        }
    }
}

// ---- Stages

// Own copies of what stages read, because a store of eight lanes may alias anything.
#define EMBED_COPY(embed)                               \
    const tlw_blob_arrays arrays_copy = *(embed)->blob; \
    tlw_embed embed_copy = *(embed);                    \
    embed_copy.blob = &arrays_copy;                     \
    const tlw_embed* const e = &embed_copy

// Deviations of all vertices of groups [first, end), to the array.
void TLW_KERNEL(tlw_embed_deviations)(const tlw_embed* embed, uint32_t first, uint32_t end) {
    EMBED_COPY(embed);
    for (size_t g = first; g < end; ++g) {
        const tlw_blob_group* group = &e->blob->groups[g];
        TLW_ALIGNAS(32) tlw_deviation rows[TLW_LANES];
        if (e->deviation == TLW_DEVIATION_BY_ROWS) {
            const uint32_t* row = e->blob->rbf_vertex_row + group->first_vertex;
            const tlw_deviation* from = e->rows[e->blob->rbf->seam_passes & 1u];
            for (uint32_t i = 0; i < group->vertex_count; ++i) {
                e->deviations[group->first_vertex + i] = from[row[i]];
            }
            continue;
        }
        const f8x3 at = load_group3(e->blob->group_position, g);
        const f8x3 u = e->deviation == TLW_DEVIATION_BY_FITS ? deviation_of(e, g, BY_FITS, at)
                                                             : deviation_of(e, g, BY_DELTAS, at);
        const f8x3 scaled = scale3(u, all(WEIGHT_UNIT));
        const f8x4 four = {scaled.x, scaled.y, scaled.z, tlw_f8_zero()};
        if (group->vertex_count == TLW_LANES) {
            tlw_f8x4_store(&e->deviations[group->first_vertex].x, four);
        } else { // the next mesh's vertices follow, which another thread may write
            tlw_f8x4_store(&rows[0].x, four);
            __builtin_memcpy(e->deviations + group->first_vertex, rows,
                             group->vertex_count * sizeof *rows);
        }
    }
}

void TLW_KERNEL(tlw_embed_vertices)(const tlw_embed* embed, uint32_t first, uint32_t end) {
    EMBED_COPY(embed);
    if (first < e->group_count) {
        embed_vertices(e, e->first_group + first,
                       e->first_group + (end < e->group_count ? end : e->group_count));
    }
    if (end > e->group_count) {
        const uint32_t from = first > e->group_count ? first - e->group_count : 0;
        const uint64_t last = (uint64_t)(end - e->group_count) * TLW_LANES;
        const uint64_t count = e->blob->lattice->voxel_count;
        write_voxels(e, (uint64_t)from * TLW_LANES, last < count ? last : count);
    }
}
