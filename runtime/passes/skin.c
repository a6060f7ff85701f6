// SPDX-License-Identifier: MIT
// Pass skin. Reads the joints and the weights of each window's list; writes the pose: p_skin,
// linear blend skinning of the voxel's centre, and Rb, the blended rotation (design.md, substep 0).
//
//     p_skin = sum_k w_k M_k x0        Rb = normalise(sum_k w_k q_k)
//
// A joint's numbers are the same for all lanes, only weights differ; of x0 only x does. What y and
// z add is computed once a joint, four numbers at a time, and kept in memory: numbers are broadcast
// from there at less cost than out of a register.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

// The joints of a window's voxels.
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

// A joint's share: c is its position at x = 0, `turned` the weight with the rotation's sign.
TLW_FORCE_INLINE blend weigh(const tlw_skin_entry* joint, const float* c, f8 x, f8 w, f8 turned) {
    const float *along = joint->column[0], *q = joint->rotation;
    return (blend){{mul(w, mad(all(along[0]), x, all(c[0]))),
                    mul(w, mad(all(along[1]), x, all(c[1]))),
                    mul(w, mad(all(along[2]), x, all(c[2])))},
                   {mul(turned, all(q[0])), mul(turned, all(q[1])), mul(turned, all(q[2])),
                    mul(turned, all(q[3]))}};
}

TLW_FORCE_INLINE blend add_blends(blend a, blend b) {
    return (blend){add3(a.skin, b.skin),
                   {add(a.rotation.x, b.rotation.x), add(a.rotation.y, b.rotation.y),
                    add(a.rotation.z, b.rotation.z), add(a.rotation.w, b.rotation.w)}};
}

TLW_FORCE_INLINE f8x4 rotation_of(const tlw_skin_entry* joint) {
    const float* q = joint->rotation;
    return (f8x4){all(q[0]), all(q[1]), all(q[2]), all(q[3])};
}

// Rotations of the lanes' references (blob.h, tlw_blob_joint_pair).
TLW_FORCE_INLINE f8x4 find_references(const tlw_substep* s, joint_list list) {
    f8x4 reference = rotation_of(&s->joints[list.joints[0]]);
    f8 largest = tlw_f8_load_aligned(list.weights);
    for (uint32_t i = 1; i < list.count; ++i) {
        const f8 w = tlw_f8_load_aligned(list.weights + i * TLW_LANES);
        const f8x4 q = rotation_of(&s->joints[list.joints[i]]);
        const m8 is_larger = tlw_f8_gt(w, largest);
        largest = tlw_f8_select(is_larger, w, largest);
        reference.x = tlw_f8_select(is_larger, q.x, reference.x);
        reference.y = tlw_f8_select(is_larger, q.y, reference.y);
        reference.z = tlw_f8_select(is_larger, q.z, reference.z);
        reference.w = tlw_f8_select(is_larger, q.w, reference.w);
    }
    return reference;
}

// The weight with the sign that keeps a joint's rotation from pointing away from the reference's:
// the same bits where none does.
TLW_FORCE_INLINE f8 turn_weight(const tlw_skin_entry* joint, f8x4 reference, f8 w) {
    const m8 points_apart = tlw_f8_lt(dot4(rotation_of(joint), reference), tlw_f8_zero());
    return tlw_f8_select(points_apart, tlw_f8_neg(w), w);
}

// `has_turned_pairs` is a constant: what the one has to do for signs, the other is not slowed by.
TLW_FORCE_INLINE void skin_window(const tlw_substep* s, uint32_t w, bool has_turned_pairs) {
    const tlw_blob_window* window = &s->blob->windows[w];
    const joint_list list = list_of(s, window);
    const float y = (float)window->cell[1] + 0.5f, z = (float)window->cell[2] + 0.5f;
    float c[TLW_BLOB_JOINTS_PER_WINDOW][4];
    for (uint32_t i = 0; i < list.count; ++i) {
        const tlw_skin_entry* joint = &s->joints[list.joints[i]];
        for (int r = 0; r < 4; ++r) {
            c[i][r] = joint->column[1][r] * y + joint->column[2][r] * z + joint->column[3][r];
        }
    }
    const tlw_skin_entry* joint = &s->joints[list.joints[0]];
    const f8x4 reference = has_turned_pairs ? find_references(s, list) : rotation_of(joint);
    const f8 x = add(tlw_f8_iota(), all((float)window->cell[0] + 0.5f));
    f8 weight = tlw_f8_load_aligned(list.weights);
    f8 turned = has_turned_pairs ? turn_weight(joint, reference, weight) : weight;
    blend sum = weigh(joint, c[0], x, weight, turned);
    for (uint32_t i = 1; i < list.count; ++i) {
        joint = &s->joints[list.joints[i]];
        weight = tlw_f8_load_aligned(list.weights + i * TLW_LANES);
        turned = has_turned_pairs ? turn_weight(joint, reference, weight) : weight;
        sum = add_blends(sum, weigh(joint, c[i], x, weight, turned));
    }
    tlw_window_pose* pose = &s->pose[w];
    store_window3(pose->skin, sum.skin);
    store_window4(pose->rb, normalise4(sum.rotation));
}

#define FETCH_AHEAD 16 // windows: as long as a line takes to come from memory

// What predict will want, and what is written here.
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
                                   bool has_turned_pairs) {
    for (uint32_t w = first; w < end; ++w) {
        if (s->is_cold) {
            fetch_window(s, w, end);
        }
        skin_window(s, w, has_turned_pairs);
    }
}

void TLW_KERNEL(tlw_stage_skin)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_block* blocks = s->blob->blocks;
    if (s->has_turned_pairs) {
        skin_windows(s, blocks[first].first_window, blocks[end].first_window, true);
    } else {
        skin_windows(s, blocks[first].first_window, blocks[end].first_window, false);
    }
}
