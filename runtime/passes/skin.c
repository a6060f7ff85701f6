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
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

// The joints of a window's voxels, and their weights in each lane.
typedef struct joint_list {
    const uint16_t* joints;
    const float* weights;
    uint32_t count;
} joint_list;

TLW_FORCE_INLINE joint_list list_of(const tlw_substep* s, const tlw_blob_window* window) {
    const size_t first = window->first_influence;
    return (joint_list){s->blob->influence_joint + first,
                        s->blob->influence_weight + first * TLW_LANES, window->influences};
}

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

TLW_FORCE_INLINE f8x4 rotation_of(const tlw_skin_entry* joint) {
    const float* r = joint->rotation;
    return (f8x4){all(r[0]), all(r[1]), all(r[2]), all(r[3])};
}

// The rotation of each lane's reference, its joint of largest weight (tlw_blob_joint_pair).
TLW_FORCE_INLINE f8x4 find_references(const tlw_substep* s, joint_list list) {
    f8x4 reference = rotation_of(&s->joints[list.joints[0]]);
    f8 largest = tlw_f8_load_aligned(list.weights);
    for (uint32_t i = 1; i < list.count; ++i) {
        const f8 w = tlw_f8_load_aligned(list.weights + i * TLW_LANES);
        const f8x4 r = rotation_of(&s->joints[list.joints[i]]);
        const m8 is_larger = tlw_f8_gt(w, largest);
        largest = tlw_f8_select(is_larger, w, largest);
        reference.x = tlw_f8_select(is_larger, r.x, reference.x);
        reference.y = tlw_f8_select(is_larger, r.y, reference.y);
        reference.z = tlw_f8_select(is_larger, r.z, reference.z);
        reference.w = tlw_f8_select(is_larger, r.w, reference.w);
    }
    return reference;
}

// The weight, negated where the joint's rotation points away from the reference's, because a
// quaternion and its negative are one rotation. The same bits as the weight where none points away.
TLW_FORCE_INLINE f8 sign_weight(const tlw_skin_entry* joint, f8x4 reference, f8 weight) {
    const m8 points_apart = tlw_f8_lt(dot4(rotation_of(joint), reference), tlw_f8_zero());
    return tlw_f8_select(points_apart, tlw_f8_neg(weight), weight);
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

TLW_FORCE_INLINE void skin_windows(const tlw_substep* s, uint32_t first, uint32_t end,
                                   bool chooses_signs) {
    for (uint32_t w = first; w < end; ++w) {
        if (s->is_cold) {
            fetch_window(s, w, end);
        }
        skin_window(s, w, chooses_signs);
    }
}

void TLW_KERNEL(tlw_stage_skin)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_block* blocks = s->blob->blocks;
    if (s->has_opposed_pairs) {
        skin_windows(s, blocks[first].first_window, blocks[end].first_window, true);
    } else {
        skin_windows(s, blocks[first].first_window, blocks[end].first_window, false);
    }
}
