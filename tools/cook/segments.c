// SPDX-License-Identifier: MIT
// Stage segments (RULES 4): the skeleton as straight segments, and the voxels that each touches.
// Joints without any vertex weight are left out, because armature roots lie outside the mesh; their
// children hang on the nearest ancestor that is kept. Reads the input's joints, cook->welded and
// cook->grid; writes cook->skeleton.
#include "tools/cook/stages.h"

#include <math.h>
#include <string.h>

static tlw_double3 joint_position(const tlw_cook_joint* joint) {
    return (tlw_double3){joint->bind[12], joint->bind[13], joint->bind[14]};
}

#define UNKNOWN_PARENT (TLW_NO_JOINT - 1)

// Finds the nearest kept ancestor of each joint. A walk up sets its result on every joint that it
// passed, so that a long chain is walked once and not once per joint.
static void hang_joints(const tlw_cook_input* input, tlw_cook_skeleton* skeleton) {
    for (uint32_t j = 0; j < input->joint_count; ++j) {
        skeleton->joints[j].parent = UNKNOWN_PARENT;
    }
    for (uint32_t j = 0; j < input->joint_count; ++j) {
        uint32_t top = input->joints[j].parent;
        while (top != TLW_NO_JOINT && !skeleton->joints[top].is_kept &&
               skeleton->joints[top].parent == UNKNOWN_PARENT) {
            top = input->joints[top].parent;
        }
        const bool is_found = top == TLW_NO_JOINT || skeleton->joints[top].is_kept;
        const uint32_t parent = is_found ? top : skeleton->joints[top].parent;
        skeleton->joints[j].parent = parent;
        for (uint32_t up = input->joints[j].parent; up != top; up = input->joints[up].parent) {
            skeleton->joints[up].parent = parent;
        }
    }
}

static tlw_result keep_joints(tlw_cook* cook) {
    const tlw_cook_input* input = cook->input;
    tlw_cook_skeleton* skeleton = &cook->skeleton;
    skeleton->joints = tlw_cook_allocate(cook, input->joint_count, sizeof *skeleton->joints);
    if (skeleton->joints == NULL) {
        return cook->error.result;
    }
    skeleton->joint_count = input->joint_count;
    const uint32_t used = cook->welded.influence_begin[cook->welded.vertex_count];
    for (uint32_t j = 0; j < input->joint_count; ++j) {
        skeleton->joints[j].position = joint_position(&input->joints[j]);
        skeleton->joints[j].is_kept = used == 0 && !cook->is_excluded[j];
    }
    for (uint32_t i = 0; i < used; ++i) {
        skeleton->joints[cook->welded.influences[i].joint].is_kept = true;
    }
    hang_joints(input, skeleton);
    return TLW_OK;
}

// The vertices that have weight for each joint, so that no leaf looks at all vertices.
typedef struct joint_vertices {
    uint32_t* begin; // joint_count + 1 offsets
    uint32_t* vertices;
    double* weights;
} joint_vertices;

static tlw_result list_vertices(tlw_cook* cook, joint_vertices* list) {
    const tlw_cook_welded* welded = &cook->welded;
    const uint32_t joints = cook->skeleton.joint_count;
    const uint32_t count = welded->influence_begin[welded->vertex_count];
    list->begin = tlw_cook_allocate(cook, (uint64_t)joints + 2, sizeof *list->begin);
    list->vertices = tlw_cook_allocate(cook, count, sizeof *list->vertices);
    list->weights = tlw_cook_allocate(cook, count, sizeof *list->weights);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    for (uint32_t i = 0; i < count; ++i) {
        list->begin[welded->influences[i].joint + 2] += 1;
    }
    for (uint32_t j = 0; j < joints; ++j) {
        list->begin[j + 2] += list->begin[j + 1];
    }
    for (uint32_t v = 0; v < welded->vertex_count; ++v) {
        for (uint32_t i = welded->influence_begin[v]; i < welded->influence_begin[v + 1]; ++i) {
            const uint32_t place = list->begin[welded->influences[i].joint + 1]++;
            list->vertices[place] = v;
            list->weights[place] = welded->influences[i].weight;
        }
    }
    return TLW_OK;
}

// The end of a leaf's segment: towards its weighted mean vertex, as far as the farthest vertex that
// has at least half of its weight from the leaf (RULES 4.5).
static tlw_double3 leaf_end(const tlw_cook_welded* welded, const joint_vertices* list,
                            uint32_t joint, tlw_double3 start) {
    const uint32_t begin = list->begin[joint], end = list->begin[joint + 1];
    tlw_double3 sum = {0, 0, 0};
    double total = 0.0;
    for (uint32_t i = begin; i < end; ++i) {
        const double weight = list->weights[i];
        const tlw_double3* p = &welded->positions[list->vertices[i]];
        sum.x += weight * p->x;
        sum.y += weight * p->y;
        sum.z += weight * p->z;
        total += weight;
    }
    if (!(total > 0.0)) {
        return start;
    }
    tlw_double3 to = {sum.x / total - start.x, sum.y / total - start.y, sum.z / total - start.z};
    double length = sqrt(to.x * to.x + to.y * to.y + to.z * to.z);
    if (!(length > 0.0)) {
        return start;
    }
    to = (tlw_double3){to.x / length, to.y / length, to.z / length};
    double reach = 0.0;
    for (uint32_t i = begin; i < end; ++i) {
        if (list->weights[i] >= 0.5 - TLW_SLACK) {
            const tlw_double3* p = &welded->positions[list->vertices[i]];
            double along =
                (p->x - start.x) * to.x + (p->y - start.y) * to.y + (p->z - start.z) * to.z;
            reach = along > reach ? along : reach;
        }
    }
    return (tlw_double3){start.x + to.x * reach, start.y + to.y * reach, start.z + to.z * reach};
}

static tlw_result make_segments(tlw_cook* cook, const joint_vertices* list) {
    tlw_cook_skeleton* skeleton = &cook->skeleton;
    // Every joint is the child of at most one segment and the leaf of at most one.
    uint64_t room = (uint64_t)skeleton->joint_count * 2;
    skeleton->segments = tlw_cook_allocate(cook, room, sizeof *skeleton->segments);
    if (skeleton->segments == NULL) {
        return cook->error.result;
    }
    // Sorted by owner, then by child. Segments are counted first, so that each has its place.
    tlw_cook_skeleton_joint* joints = skeleton->joints;
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        if (joints[j].is_kept && joints[j].parent != TLW_NO_JOINT) {
            joints[joints[j].parent].segment_end += 1;
        }
    }
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        const bool is_leaf = joints[j].is_kept && joints[j].segment_end == 0;
        const uint32_t count = is_leaf ? 1 : joints[j].segment_end, at = skeleton->segment_count;
        const tlw_double3 start = joints[j].position;
        if (is_leaf) {
            skeleton->segments[at] =
                (tlw_cook_segment){.owner = j,
                                   .child = TLW_NO_JOINT,
                                   .start = start,
                                   .end = leaf_end(&cook->welded, list, j, start)};
        }
        joints[j].segment_begin = at;
        joints[j].segment_end = is_leaf ? at + 1 : at; // raised below, when children add theirs
        skeleton->segment_count += count;
    }
    for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
        if (joints[j].is_kept && joints[j].parent != TLW_NO_JOINT) {
            tlw_cook_skeleton_joint* owner = &joints[joints[j].parent];
            skeleton->segments[owner->segment_end++] =
                (tlw_cook_segment){.owner = joints[j].parent,
                                   .child = j,
                                   .start = owner->position,
                                   .end = joints[j].position};
        }
    }
    return TLW_OK;
}

typedef struct segment_touch {
    tlw_cook* cook;
    uint32_t joint;
    uint32_t* last_joint; // per voxel: the last joint that listed it, + 1
    bool is_counting;
    uint64_t count;
} segment_touch;

static void touch_by_segment(tlw_int3 voxel, void* user) {
    segment_touch* touch = user;
    uint32_t index = touch->cook->voxels.index[tlw_cook_cell(&touch->cook->grid, voxel)];
    if (index == TLW_NO_VOXEL || touch->last_joint[index] == touch->joint + 1) {
        return;
    }
    touch->last_joint[index] = touch->joint + 1;
    if (!touch->is_counting) {
        touch->cook->skeleton.touched[touch->count] = index;
    }
    touch->count += 1;
}

// Lists every joint's touched voxels, each once. Two passes: count, then fill.
static tlw_result touch_voxels(tlw_cook* cook) {
    tlw_cook_skeleton* skeleton = &cook->skeleton;
    segment_touch touch = {.cook = cook, .is_counting = true};
    touch.last_joint = tlw_cook_allocate(cook, cook->voxels.count, sizeof *touch.last_joint);
    if (touch.last_joint == NULL) {
        return cook->error.result;
    }
    for (int pass = 0; pass < 2; ++pass) {
        touch.is_counting = pass == 0;
        touch.count = 0;
        memset(touch.last_joint, 0, cook->voxels.count * sizeof *touch.last_joint);
        for (uint32_t j = 0; j < skeleton->joint_count; ++j) {
            tlw_cook_skeleton_joint* joint = &skeleton->joints[j];
            touch.joint = j;
            joint->touched_begin = (uint32_t)touch.count;
            for (uint32_t s = joint->segment_begin; s < joint->segment_end; ++s) {
                // A segment is a triangle with two corners in one place.
                const tlw_int3 start = tlw_cook_snap(&cook->grid, skeleton->segments[s].start);
                const tlw_int3 end = tlw_cook_snap(&cook->grid, skeleton->segments[s].end);
                const tlw_int3 corners[3] = {start, end, end};
                tlw_for_touched_voxels(&cook->grid, corners, touch_by_segment, &touch);
            }
            joint->touched_end = (uint32_t)touch.count;
        }
        if (pass == 0) {
            skeleton->touched_count = (uint32_t)touch.count;
            skeleton->touched = tlw_cook_allocate(cook, touch.count, sizeof *skeleton->touched);
            if (skeleton->touched == NULL) {
                break;
            }
        }
    }
    tlw_cook_free(cook, touch.last_joint);
    return cook->error.result;
}

tlw_result tlw_cook_make_segments(tlw_cook* cook) {
    joint_vertices list = {0};
    tlw_result result = keep_joints(cook);
    if (result == TLW_OK) {
        result = list_vertices(cook, &list);
    }
    if (result == TLW_OK) {
        result = make_segments(cook, &list);
    }
    tlw_cook_free(cook, list.begin);
    tlw_cook_free(cook, list.vertices);
    tlw_cook_free(cook, list.weights);
    if (result == TLW_OK) {
        result = touch_voxels(cook);
    }
    return result;
}
