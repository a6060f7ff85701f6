// SPDX-License-Identifier: MIT
// Pass skin (MODEL 3.2). Reads the joints and the weights of each window's list of joints; writes
// the pose: p_skin, linear blend skinning of the voxel's centre x0, and Rb, the blended rotation.
//
//     p_skin = sum_k w_k M_k x0        Rb = normalise(sum_k w_k R_k)
//
// M_k is joint times inverse bind in voxels, R_k its rotation as a quaternion. Iwamoto, Shum, Yang,
// Morishima 2015, "Multi-layer lattice model for real-time dynamic character deformation", Section
// 5, moves bone voxels so; here every voxel has a p_skin, because anchor, limit and damping are
// relative to it.
//
// Why joint by joint and not voxel by voxel: the voxels of a window share most of their joints, so
// the window lists each joint once, its numbers are broadcast to all lanes, and only weights differ
// by lane. Four joints per voxel, gathered and transposed, took 4.3 ns instead of 3.1 ns per voxel.
// Within a window only the lane coordinate of x0 varies. What its row and plane coordinates add is
// computed once per joint, four numbers at a time, and kept in memory, because a number is
// broadcast from memory at less cost than out of a register.
//
// The file also has skinning by dual quaternions (MODEL 3.13), which takes the same lists:
//
//     y = sum_k w_k S_k x0        p_skin = B y,  B = normalise(sum_k w_k d_k)
#include "runtime/passes/joint_list.h"

typedef struct blend {
    f8x3 skin;
    f8x4 rotation;
} blend;

// What one joint adds. `at_lane_0` is the joint's image of the window's cells at lane coordinate 0;
// the weight of the rotation differs from that of the position only by its sign.
TLW_FORCE_INLINE blend weigh(const tlw_skin_entry* joint, const float* at_lane_0, f8 lane,
                             f8 weight, f8 signed_weight) {
    const float *column = joint->column[0], *r = joint->rotation;
    return (blend){{mul(weight, mad(all(column[0]), lane, all(at_lane_0[0]))),
                    mul(weight, mad(all(column[1]), lane, all(at_lane_0[1]))),
                    mul(weight, mad(all(column[2]), lane, all(at_lane_0[2])))},
                   {mul(signed_weight, all(r[0])), mul(signed_weight, all(r[1])),
                    mul(signed_weight, all(r[2])), mul(signed_weight, all(r[3]))}};
}

TLW_FORCE_INLINE blend add_blends(blend a, blend b) {
    return (blend){add3(a.skin, b.skin),
                   {add(a.rotation.x, b.rotation.x), add(a.rotation.y, b.rotation.y),
                    add(a.rotation.z, b.rotation.z), add(a.rotation.w, b.rotation.w)}};
}

// `chooses_signs` is a compile-time constant, so that poses without opposed joints do not pay for
// the choice.
TLW_FORCE_INLINE void skin_window(const tlw_substep* s, uint32_t w, bool chooses_signs) {
    const tlw_blob_window* window = &s->blob->windows[w];
    const joint_list list = list_of(s, window);
    const float row = (float)window->cell[1] + 0.5f, plane = (float)window->cell[2] + 0.5f;
    float at_lane_0[TLW_BLOB_JOINTS_PER_WINDOW][4];
    for (uint32_t i = 0; i < list.count; ++i) {
        const tlw_skin_entry* joint = &s->joints[list.joints[i]];
        for (int c = 0; c < 4; ++c) {
            at_lane_0[i][c] =
                joint->column[1][c] * row + joint->column[2][c] * plane + joint->column[3][c];
        }
    }
    const tlw_skin_entry* joint = &s->joints[list.joints[0]];
    const f8x4 reference = chooses_signs ? find_references(s, list) : rotation_of(joint);
    const f8 lane = add(tlw_f8_iota(), all((float)window->cell[0] + 0.5f));
    f8 weight = tlw_f8_load_aligned(list.weights);
    f8 signed_weight = chooses_signs ? sign_weight(joint, reference, weight) : weight;
    blend sum = weigh(joint, at_lane_0[0], lane, weight, signed_weight);
    for (uint32_t i = 1; i < list.count; ++i) {
        joint = &s->joints[list.joints[i]];
        weight = tlw_f8_load_aligned(list.weights + i * TLW_LANES);
        signed_weight = chooses_signs ? sign_weight(joint, reference, weight) : weight;
        sum = add_blends(sum, weigh(joint, at_lane_0[i], lane, weight, signed_weight));
    }
    tlw_window_pose* pose = &s->pose[w];
    store_window3(pose->skin, sum.skin);
    store_window4(pose->rb, normalise4(sum.rotation));
}

// A sum of dual quaternions.
typedef struct dual_blend {
    f8x4 real, dual;
} dual_blend;

TLW_FORCE_INLINE dual_blend weigh_dual(const tlw_dual_entry* joint, f8 weight) {
    const float *r = joint->real, *d = joint->dual;
    return (dual_blend){{mul(weight, all(r[0])), mul(weight, all(r[1])), mul(weight, all(r[2])),
                         mul(weight, all(r[3]))},
                        {mul(weight, all(d[0])), mul(weight, all(d[1])), mul(weight, all(d[2])),
                         mul(weight, all(d[3]))}};
}

TLW_FORCE_INLINE dual_blend add_duals(dual_blend a, dual_blend b) {
    return (dual_blend){{add(a.real.x, b.real.x), add(a.real.y, b.real.y), add(a.real.z, b.real.z),
                         add(a.real.w, b.real.w)},
                        {add(a.dual.x, b.dual.x), add(a.dual.y, b.dual.y), add(a.dual.z, b.dual.z),
                         add(a.dual.w, b.dual.w)}};
}

// The rest positions after the stretch of the joints.
TLW_FORCE_INLINE f8x3 stretch_cells(const tlw_substep* s, joint_list list, f8 lane, float row,
                                    float plane) {
    f8x3 sum = zero3();
    for (uint32_t i = 0; i < list.count; ++i) {
        const float(*column)[4] = s->duals[list.joints[i]].stretch;
        float at_lane_0[4];
        for (int c = 0; c < 4; ++c) {
            at_lane_0[c] = column[1][c] * row + column[2][c] * plane + column[3][c];
        }
        const f8 weight = tlw_f8_load_aligned(list.weights + i * TLW_LANES);
        const f8x3 there = {mad(all(column[0][0]), lane, all(at_lane_0[0])),
                            mad(all(column[0][1]), lane, all(at_lane_0[1])),
                            mad(all(column[0][2]), lane, all(at_lane_0[2]))};
        sum = mad3(there, weight, sum);
    }
    return sum;
}

// B y = y + 2 (u x (u x y + w y + e) + w e - d u), with the real part (u, w) and the dual part
// (e, d) of B.
TLW_FORCE_INLINE f8x3 move_by_dual(f8x4 real, f8x4 dual, f8x3 y) {
    const f8x3 u = {real.x, real.y, real.z}, e = {dual.x, dual.y, dual.z};
    const f8x3 inner = add3(mad3(y, real.w, cross3(u, y)), e);
    const f8x3 half = sub3(mad3(e, real.w, cross3(u, inner)), scale3(u, dual.w));
    return add3(add3(half, half), y);
}

// Both flags are compile-time constants.
TLW_FORCE_INLINE void skin_window_by_duals(const tlw_substep* s, uint32_t w, bool chooses_signs,
                                           bool has_stretch) {
    const tlw_blob_window* window = &s->blob->windows[w];
    const joint_list list = list_of(s, window);
    const f8x4 reference =
        chooses_signs ? find_references(s, list) : rotation_of(&s->joints[list.joints[0]]);
    dual_blend sum;
    for (uint32_t i = 0; i < list.count; ++i) {
        f8 weight = tlw_f8_load_aligned(list.weights + i * TLW_LANES);
        if (chooses_signs) {
            weight = sign_weight(&s->joints[list.joints[i]], reference, weight);
        }
        const dual_blend one = weigh_dual(&s->duals[list.joints[i]], weight);
        sum = i == 0 ? one : add_duals(sum, one);
    }
    const f8 by = inverse_length(dot4(sum.real, sum.real));
    const f8x4 real = scale4(sum.real, by), dual = scale4(sum.dual, by);
    const f8 lane = add(tlw_f8_iota(), all((float)window->cell[0] + 0.5f));
    const float row = (float)window->cell[1] + 0.5f, plane = (float)window->cell[2] + 0.5f;
    const f8x3 cells =
        has_stretch ? stretch_cells(s, list, lane, row, plane) : (f8x3){lane, all(row), all(plane)};
    tlw_window_pose* pose = &s->pose[w];
    store_window3(pose->skin,
                  keep3(tlw_m8_from_bits(window->occupied), move_by_dual(real, dual, cells)));
    store_window4(pose->rb, real);
}

// Windows whose skinning takes as long as a line takes to come from memory.
#define FETCH_AHEAD 16

// What predict will read, and what this pass will write.
TLW_FORCE_INLINE void fetch_window(const tlw_substep* s, uint32_t w, uint32_t end) {
    if (w + FETCH_AHEAD < end) {
        fetch_lines(&s->pose[w + FETCH_AHEAD], sizeof s->pose[w + FETCH_AHEAD]);
    }
    fetch_lines(&s->last[w].p, sizeof s->last[w].p);
    fetch_lines(&s->pose_last[w].skin, sizeof s->pose_last[w].skin);
    fetch_lines(&s->velocity[w], sizeof s->velocity[w]);
    fetch_lines(&s->gains[w], sizeof s->gains[w]);
}

// One loop for each kind of window.
#define SKIN_WINDOWS(name, skin_one, ...)                                               \
    static TLW_NOINLINE void name(const tlw_substep* s, uint32_t first, uint32_t end) { \
        for (uint32_t w = first; w < end; ++w) {                                        \
            if (s->is_cold) {                                                           \
                fetch_window(s, w, end);                                                \
            }                                                                           \
            skin_one(s, w, __VA_ARGS__);                                                \
        }                                                                               \
    }
SKIN_WINDOWS(skin_linear, skin_window, false)
SKIN_WINDOWS(skin_linear_signed, skin_window, true)
SKIN_WINDOWS(skin_dual, skin_window_by_duals, false, false)
SKIN_WINDOWS(skin_dual_signed, skin_window_by_duals, true, true)
SKIN_WINDOWS(skin_dual_stretched, skin_window_by_duals, false, true)
#undef SKIN_WINDOWS

void TLW_KERNEL(tlw_stage_skin)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const uint32_t from = s->blob->blocks[first].first_window;
    const uint32_t to = s->blob->blocks[end].first_window;
    if (s->duals == NULL) {
        (s->has_opposed_pairs ? skin_linear_signed : skin_linear)(s, from, to);
    } else if (s->has_opposed_pairs) { // rare: stretched as well
        skin_dual_signed(s, from, to);
    } else {
        (s->has_stretch ? skin_dual_stretched : skin_dual)(s, from, to);
    }
}
