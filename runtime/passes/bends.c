// SPDX-License-Identifier: MIT
// Pass bends: skinned volume (MODEL 3.12), in three stages, after Eq. 6 to 12 of Chen, Tsai, Lin,
// Lu 2013, "Skeleton-driven surface deformation through lattices for real-time character
// animation".
//
// Stage field reads the pose, the joints and the cooked field F; writes p_skin and v at the sites.
// Stage measure reads both at a voxel and its faces; writes what the voxels of a window add to each
// of its bends. From these the lengths l follow (step/bends.c). Stage correct reads l and v; writes
// p_skin, and the correction for the output.
//
//     v = f Rb F,   f = min(1, 4 min_j |r_0 . r_j|)
//     V(p_skin + l v) = a_0 + a_1 l + a_2 l^2 + a_3 l^3
//     A_m = sum C^(m+1) a_m,   J = sum C_k C_l a_1
//     p_skin += (sum C l) v
//
// Why sums by window and not by voxel: the voxels of a window have few bends, so the window lists
// each with a share per lane, and eight lanes are multiplied at once. Adding each lane to its two
// bends one by one would take longer than the volumes.
#include "runtime/passes/joint_list.h"
#include "runtime/passes/stencil.h"

TLW_FORCE_INLINE bool has_bends(const tlw_blob_arrays* blob, uint32_t w) {
    return blob->bend_windows[w].first_entry != blob->bend_windows[w + 1].first_entry;
}

// C of eight lanes.
TLW_FORCE_INLINE f8 load_share(const uint16_t* shares) {
    return mul(tlw_f8_from_i8(tlw_i8_load_u16(shares)), all(TLW_BLOB_BEND_UNIT));
}

// ---- Field

// One component of F of eight lanes, in its units.
TLW_FORCE_INLINE f8 load_units(const int16_t* field) {
    return tlw_f8_from_i8(tlw_i8_load_s16(field));
}

// f of eight lanes: how far the field is taken back because joints are turned against each other.
static TLW_NOINLINE f8 turned_share(const tlw_substep* s, const tlw_blob_window* window) {
    const joint_list list = list_of(s, window);
    const f8x4 reference = find_references(s, list);
    f8 least = all(0.25f);
    for (uint32_t i = 0; i < list.count; ++i) {
        const f8 weight = tlw_f8_load_aligned(list.weights + i * TLW_LANES);
        const f8 same = tlw_f8_abs(dot4(rotation_of(&s->joints[list.joints[i]]), reference));
        const m8 has_joint = tlw_f8_gt(weight, tlw_f8_zero());
        least = tlw_f8_select(has_joint, tlw_f8_min(same, least), least);
    }
    return mul(least, all(4.0f));
}

void TLW_KERNEL(tlw_stage_field)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const tlw_blob_window* window = &blob->windows[w];
        const size_t site = window->rows[4];
        store3(s->q + site, s->stride, load_window3(s->pose[w].skin));
        if (!has_bends(blob, w)) { // F is 0
            store3(s->mq + site, s->stride, zero3());
            continue;
        }
        const int16_t* at = blob->field + (size_t)w * (3 * TLW_LANES);
        const f8 unit = all(TLW_BLOB_FIELD_UNIT);
        f8x3 field = {load_units(at), load_units(at + TLW_LANES), load_units(at + 2 * TLW_LANES)};
        field = scale3(field, s->has_turned_pairs ? mul(turned_share(s, window), unit) : unit);
        store3(s->mq + site, s->stride, rotate3(load_window4(s->pose[w].rb), field));
    }
}

// ---- Measure

// One axis of p_skin and of v.
typedef struct moving_axis {
    axis at; // X
    f8x3 by; // X' / coefficient
} moving_axis;

TLW_FORCE_INLINE moving_axis measure_moving(const tlw_substep* s, const tlw_blob_window* window,
                                            bool has_cuts, f8x3 self, f8x3 self_by,
                                            const int8_t* own, size_t minus, size_t plus,
                                            int minus_step, int plus_step) {
    return (moving_axis){measure_axis(s->q, s->stride, window, has_cuts, self, own, minus, plus,
                                      minus_step, plus_step),
                         measure_axis(s->mq, s->stride, window, has_cuts, self_by, own, minus, plus,
                                      minus_step, plus_step)
                             .edge};
}

// a_0 to a_3 of eight voxels.
typedef struct cubic {
    f8 a[4];
} cubic;

// The triple product of X + l X', Y + l Y', Z + l Z'.
TLW_FORCE_INLINE cubic volume_along(const moving_axis* x, const moving_axis* y,
                                    const moving_axis* z) {
    const f8x3 none = cross3(y->at.edge, z->at.edge), both = cross3(y->by, z->by);
    const f8x3 one = add3(cross3(y->by, z->at.edge), cross3(y->at.edge, z->by));
    const f8 coefficient = mul(mul(x->at.coefficient, y->at.coefficient), z->at.coefficient);
    return (cubic){{mul(coefficient, dot3(x->at.edge, none)),
                    mul(coefficient, add(dot3(x->by, none), dot3(x->at.edge, one))),
                    mul(coefficient, add(dot3(x->by, one), dot3(x->at.edge, both))),
                    mul(coefficient, dot3(x->by, both))}};
}

// What the window's voxels add to its bends and pairs of bends.
TLW_FORCE_INLINE void sum_window(const tlw_substep* s, uint32_t w, const cubic* volume) {
    const tlw_blob_arrays* blob = s->blob;
    const tlw_blob_bend_window *lists = &blob->bend_windows[w], *next = lists + 1;
    const uint16_t* shares = blob->bend_share + (size_t)lists->first_entry * TLW_LANES;
    for (uint32_t i = lists->first_entry; i < next->first_entry; ++i) {
        const f8 share = load_share(blob->bend_share + (size_t)i * TLW_LANES);
        const f8 square = mul(share, share);
        const f8x4 terms = {mul(share, volume->a[0]), mul(square, volume->a[1]),
                            mul(mul(square, share), volume->a[2]),
                            mul(mul(square, square), volume->a[3])};
        tlw_f8x4_store_sums(s->bend_sums[i].a, terms);
    }
    for (uint32_t i = lists->first_couple; i < next->first_couple; ++i) {
        const tlw_blob_bend_couple* couple = &blob->bend_couple[i];
        const f8 first = load_share(shares + couple->first * TLW_LANES);
        const f8 second = load_share(shares + couple->second * TLW_LANES);
        s->couple_sums[i] = tlw_f8_sum_of_lanes(mul(mul(first, second), volume->a[1]));
    }
}

TLW_FORCE_INLINE void measure_window(const tlw_substep* s, uint32_t w, bool has_cuts,
                                     bool is_thin) {
    const tlw_blob_arrays* blob = s->blob;
    const tlw_blob_window* window = &blob->windows[w];
    const uint32_t* rows = window->rows;
    const size_t slots = blob->slot_count, site = rows[4];
    const int8_t* own_x = blob->slot_volume_end + (size_t)w * TLW_LANES;
    const int8_t *own_y = own_x + slots, *own_z = own_y + slots;
    const f8x3 self = load3(s->q + site, s->stride), self_by = load3(s->mq + site, s->stride);
    moving_axis x = measure_moving(s, window, has_cuts, self, self_by, own_x, site - 1, site + 1,
                                   TLW_STEP_LANE_MINUS, TLW_STEP_LANE_PLUS);
    moving_axis y = measure_moving(s, window, has_cuts, self, self_by, own_y, rows[3], rows[5],
                                   TLW_STEP_ROW_MINUS, TLW_STEP_ROW_PLUS);
    moving_axis z = measure_moving(s, window, has_cuts, self, self_by, own_z, rows[1], rows[7],
                                   TLW_STEP_PLANE_MINUS, TLW_STEP_PLANE_PLUS);
    if (is_thin) { // X' is 0 there already, since nothing was read
        const f8x9 r = matrix_of(load_window4(s->pose[w].rb));
        (void)set_constant(&x.at, window, TLW_STEP_LANE_MINUS, TLW_STEP_LANE_PLUS, r.c[0]);
        (void)set_constant(&y.at, window, TLW_STEP_ROW_MINUS, TLW_STEP_ROW_PLUS, r.c[1]);
        (void)set_constant(&z.at, window, TLW_STEP_PLANE_MINUS, TLW_STEP_PLANE_PLUS, r.c[2]);
    }
    const cubic volume = volume_along(&x, &y, &z);
    sum_window(s, w, &volume);
}

// Windows beside a cut or with thin parts, which are rare.
static TLW_NOINLINE void measure_rare(const tlw_substep* s, uint32_t w, uint32_t flags) {
    if (flags == TLW_WINDOW_HAS_CUTS) {
        measure_window(s, w, true, false);
    } else if (flags == TLW_WINDOW_IS_THIN) {
        measure_window(s, w, false, true);
    } else {
        measure_window(s, w, true, true);
    }
}

void TLW_KERNEL(tlw_stage_measure)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        if (!has_bends(blob, w)) {
            continue;
        }
        const uint32_t flags = blob->windows[w].flags & (TLW_WINDOW_HAS_CUTS | TLW_WINDOW_IS_THIN);
        if (flags == 0) {
            measure_window(s, w, false, false);
        } else {
            measure_rare(s, w, flags);
        }
    }
}

// ---- Correct

void TLW_KERNEL(tlw_stage_correct)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        if (!has_bends(blob, w)) {
            store_window3(s->corrections[w].by, zero3());
            continue;
        }
        f8 length = tlw_f8_zero();
        for (uint32_t i = blob->bend_windows[w].first_entry;
             i < blob->bend_windows[w + 1].first_entry; ++i) {
            const f8 share = load_share(blob->bend_share + (size_t)i * TLW_LANES);
            length = mad(share, all(s->lengths[blob->bend_entry[i]]), length);
        }
        const f8x3 v = load3(s->mq + blob->windows[w].rows[4], s->stride);
        const f8x3 by = scale3(v, length);
        store_window3(s->corrections[w].by, by);
        store_window3(s->pose[w].skin, add3(load_window3(s->pose[w].skin), by));
    }
}
