// SPDX-License-Identifier: MIT
// Private to the passes skin and bends: the joints of a window's voxels, and the signs of their
// rotations (MODEL 3.2).
#ifndef TLW_RUNTIME_PASSES_JOINT_LIST_H
#define TLW_RUNTIME_PASSES_JOINT_LIST_H

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

#endif
