// SPDX-License-Identifier: MIT
// Stage limbs (RULES 9.11): capsules of the character's own joints, and which voxels each may touch
// (MODEL 3.16). Here are the capsules and the choice of limbs; limb_masks.c finds what they may
// touch. Reads the recipe's has_limbs, cook->weights, the skeleton, anatomy and order; writes
// cook->limbs.
#include "tools/cook/limbs.h"

#include <math.h>
#include <stdlib.h>

#define VOXELS_LEAST 8
#define RADIUS_SHARE 0.85
#define LEAF_REACH   1.5
// A limb's ends are within so many voxels of the grid's corner along each axis, so that its radii
// stay below 2^14 voxels, where floats hold every multiple of TLW_BLOB_LIMB_UNIT.
#define FARTHEST 8192.0

// Sums over the voxels of a joint.
typedef struct joint_sums {
    tlw_double3 centre;
    double distance;          // from the axis
    double shell_distance[2]; // of shell voxels, by half of the axis
    uint32_t shell_voxels[2];
} joint_sums;

typedef struct limb_stage {
    tlw_joint_capsule* capsules; // per joint
    joint_sums* sums;            // per joint
    uint32_t* limbs;             // joints that are limbs, ascending
    uint32_t count;
} limb_stage;

tlw_double3 tlw_centre_in_voxels(const tlw_cook* cook, uint32_t voxel) {
    const tlw_int3 cell = cook->voxels.coordinates[voxel];
    return (tlw_double3){(double)cell.x + 0.5, (double)cell.y + 0.5, (double)cell.z + 0.5};
}

tlw_axis_point tlw_nearest_on_axis(const tlw_double3 ends[2], tlw_double3 point) {
    const tlw_double3 a = ends[0];
    const tlw_double3 along = {ends[1].x - a.x, ends[1].y - a.y, ends[1].z - a.z};
    const double squared = along.x * along.x + along.y * along.y + along.z * along.z;
    double t = 0.0;
    if (squared >= TLW_SLACK * TLW_SLACK) {
        t = ((point.x - a.x) * along.x + (point.y - a.y) * along.y + (point.z - a.z) * along.z) /
            squared;
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    }
    const tlw_double3 away = {point.x - (a.x + along.x * t), point.y - (a.y + along.y * t),
                              point.z - (a.z + along.z * t)};
    return (tlw_axis_point){t, sqrt(away.x * away.x + away.y * away.y + away.z * away.z)};
}

static void count_voxels(const tlw_cook* cook, limb_stage* stage) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const uint32_t joint = cook->weights[v].joint[0];
        const tlw_double3 centre = tlw_centre_in_voxels(cook, v);
        tlw_double3* sum = &stage->sums[joint].centre;
        *sum = (tlw_double3){sum->x + centre.x, sum->y + centre.y, sum->z + centre.z};
        stage->capsules[joint].voxels += 1;
    }
}

static tlw_double3 place_of(const tlw_cook* cook, uint32_t joint) {
    return tlw_cook_in_voxels(&cook->grid, cook->skeleton.joints[joint].position);
}

// The kept child with the most voxels, the lowest of several; TLW_NO_JOINT if none has any. A
// joint's segments go to its kept children, in ascending order.
static uint32_t largest_child(const tlw_cook* cook, const limb_stage* stage, uint32_t joint) {
    const tlw_cook_skeleton_joint* owner = &cook->skeleton.joints[joint];
    uint32_t best = TLW_NO_JOINT, most = 0;
    for (uint32_t s = owner->segment_begin; s < owner->segment_end; ++s) {
        const uint32_t child = cook->skeleton.segments[s].child;
        if (child != TLW_NO_JOINT && stage->capsules[child].voxels > most) {
            most = stage->capsules[child].voxels;
            best = child;
        }
    }
    return best;
}

static void place_axis(const tlw_cook* cook, limb_stage* stage, uint32_t joint) {
    tlw_joint_capsule* capsule = &stage->capsules[joint];
    const uint32_t child = largest_child(cook, stage, joint);
    const tlw_double3 start = place_of(cook, joint), sum = stage->sums[joint].centre;
    const double count = (double)capsule->voxels;
    capsule->ends[0] = start;
    capsule->ends[1] = child != TLW_NO_JOINT
                           ? place_of(cook, child)
                           : (tlw_double3){start.x + LEAF_REACH * (sum.x / count - start.x),
                                           start.y + LEAF_REACH * (sum.y / count - start.y),
                                           start.z + LEAF_REACH * (sum.z / count - start.z)};
}

static bool has_capsule(const tlw_cook* cook, const limb_stage* stage, uint32_t joint) {
    return cook->skeleton.joints[joint].is_kept && stage->capsules[joint].voxels > 0;
}

static void measure_distances(const tlw_cook* cook, limb_stage* stage) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const uint32_t joint = cook->weights[v].joint[0];
        if (!has_capsule(cook, stage, joint)) {
            continue;
        }
        const tlw_axis_point nearest =
            tlw_nearest_on_axis(stage->capsules[joint].ends, tlw_centre_in_voxels(cook, v));
        joint_sums* sums = &stage->sums[joint];
        sums->distance += nearest.distance;
        if (cook->anatomy.d_skin[v] == 0) {
            const int half = nearest.parameter < 0.5 - TLW_SLACK ? 0 : 1;
            sums->shell_distance[half] += nearest.distance;
            sums->shell_voxels[half] += 1;
        }
    }
}

// In units of TLW_BLOB_LIMB_UNIT, so that limbs which mirror each other are equal to the last bit.
// At least one unit: an axis may lead through the centres of all voxels.
static double round_radius(double radius) {
    const double unit = (double)TLW_BLOB_LIMB_UNIT, units = floor(radius / unit + 0.5);
    return (units < 1.0 ? 1.0 : units) * unit;
}

static bool is_within_reach(tlw_double3 end) {
    return fabs(end.x) <= FARTHEST && fabs(end.y) <= FARTHEST && fabs(end.z) <= FARTHEST;
}

static bool may_be_limb(const tlw_cook* cook, const limb_stage* stage, uint32_t joint) {
    const tlw_joint_capsule* capsule = &stage->capsules[joint];
    const uint32_t* shell = stage->sums[joint].shell_voxels;
    return has_capsule(cook, stage, joint) && capsule->voxels >= VOXELS_LEAST &&
           shell[0] + shell[1] > 0 && is_within_reach(capsule->ends[0]) &&
           is_within_reach(capsule->ends[1]);
}

// A joint and its number of voxels, to be sorted: most voxels first, ties to the lower joint.
typedef struct sized_joint {
    uint32_t joint, voxels;
} sized_joint;

static int compare_sizes(const void* a, const void* b) {
    const sized_joint *x = a, *y = b;
    return x->voxels != y->voxels ? (x->voxels < y->voxels) - (x->voxels > y->voxels)
                                  : (x->joint > y->joint) - (x->joint < y->joint);
}

static int compare_joints(const void* a, const void* b) {
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static tlw_result choose_limbs(tlw_cook* cook, limb_stage* stage) {
    const uint32_t joints = cook->skeleton.joint_count;
    sized_joint* found = tlw_cook_allocate(cook, joints, sizeof *found);
    uint32_t found_count = 0;
    for (uint32_t j = 0; j < joints && found != NULL; ++j) {
        if (may_be_limb(cook, stage, j)) {
            found[found_count++] = (sized_joint){j, stage->capsules[j].voxels};
        }
    }
    if (found_count > 0) {
        qsort(found, found_count, sizeof *found, compare_sizes);
        stage->count = found_count < TLW_BLOB_LIMBS_MAX ? found_count : TLW_BLOB_LIMBS_MAX;
        for (uint32_t i = 0; i < stage->count; ++i) {
            stage->limbs[i] = found[i].joint;
        }
        qsort(stage->limbs, stage->count, sizeof *stage->limbs, compare_joints);
    }
    tlw_cook_free(cook, found);
    return cook->error.result;
}

// The number as a float has it. Volatile, because gcc 12 vectorises casts to float and back in
// finish_limb, and loses two of the six.
static double as_stored(double x) {
    volatile float stored = (float)x;
    return (double)stored;
}

// The radii of a limb, and its ends as they will be stored.
static void finish_limb(limb_stage* stage, uint32_t joint) {
    tlw_joint_capsule* capsule = &stage->capsules[joint];
    const joint_sums* sums = &stage->sums[joint];
    for (int end = 0; end < 2; ++end) {
        const int half = sums->shell_voxels[end] > 0 ? end : 1 - end;
        capsule->radius[end] = round_radius(
            RADIUS_SHARE * (sums->shell_distance[half] / (double)sums->shell_voxels[half]));
        tlw_double3* at = &capsule->ends[end];
        *at = (tlw_double3){as_stored(at->x), as_stored(at->y), as_stored(at->z)};
    }
    capsule->largest =
        capsule->radius[0] > capsule->radius[1] ? capsule->radius[0] : capsule->radius[1];
}

static tlw_result make_capsules(tlw_cook* cook, limb_stage* stage) {
    const uint32_t joints = cook->skeleton.joint_count;
    count_voxels(cook, stage);
    for (uint32_t j = 0; j < joints; ++j) {
        if (has_capsule(cook, stage, j)) {
            place_axis(cook, stage, j);
        }
    }
    measure_distances(cook, stage);
    for (uint32_t j = 0; j < joints; ++j) {
        if (has_capsule(cook, stage, j)) {
            stage->capsules[j].largest =
                round_radius(stage->sums[j].distance / (double)stage->capsules[j].voxels);
        }
    }
    const tlw_result result = choose_limbs(cook, stage);
    for (uint32_t i = 0; i < stage->count; ++i) {
        finish_limb(stage, stage->limbs[i]);
    }
    return result;
}

static void store_limb(tlw_cook* cook, const limb_stage* stage, uint32_t joint, uint32_t voxels) {
    const tlw_joint_capsule* capsule = &stage->capsules[joint];
    const uint32_t at = cook->limbs.count++;
    tlw_blob_limb* limb = &cook->limbs.list[at];
    cook->limbs.voxels[at] = voxels;
    limb->joint = joint;
    for (uint32_t end = 0; end < 2; ++end) {
        const double place[3] = {capsule->ends[end].x, capsule->ends[end].y, capsule->ends[end].z};
        for (uint32_t a = 0; a < 3; ++a) {
            limb->ends[end][a] = (float)place[(cook->order.lane_axis + a) % 3];
        }
        limb->radius[end] = (float)capsule->radius[end];
    }
}

// The bits of `mask` that `kept` has, moved together.
static uint32_t keep_bits(uint32_t mask, uint32_t kept) {
    uint32_t result = 0, to = 0;
    for (; kept != 0; kept &= kept - 1) {
        result |= (mask >> __builtin_ctz(kept) & 1u) << to++;
    }
    return result;
}

// Stores the limbs that may touch a voxel, and drops the others from the masks.
static void store_limbs(tlw_cook* cook, const limb_stage* stage) {
    tlw_cook_limbs* limbs = &cook->limbs;
    uint32_t voxels[TLW_BLOB_LIMBS_MAX] = {0}, kept = 0;
    for (uint32_t slot = 0; slot < cook->order.slot_count; ++slot) {
        kept |= limbs->of_slot[slot].touches;
        for (uint32_t left = limbs->of_slot[slot].touches; left != 0; left &= left - 1) {
            voxels[__builtin_ctz(left)] += 1;
        }
    }
    for (uint32_t i = 0; i < stage->count; ++i) {
        if (kept >> i & 1) {
            store_limb(cook, stage, stage->limbs[i], voxels[i]);
        }
    }
    for (uint32_t slot = 0; slot < cook->order.slot_count; ++slot) {
        tlw_blob_slot_limbs* of = &limbs->of_slot[slot];
        *of = (tlw_blob_slot_limbs){keep_bits(of->touches, kept), keep_bits(of->halves, kept)};
    }
    if (limbs->count == 0) {
        tlw_cook_free(cook, limbs->of_slot);
        limbs->of_slot = NULL;
    }
}

tlw_result tlw_cook_make_limbs(tlw_cook* cook) {
    if (!cook->recipe->has_limbs) {
        return TLW_OK;
    }
    const uint32_t joints = cook->skeleton.joint_count;
    tlw_cook_limbs* limbs = &cook->limbs;
    limb_stage stage = {.capsules = tlw_cook_allocate(cook, joints, sizeof *stage.capsules),
                        .sums = tlw_cook_allocate(cook, joints, sizeof *stage.sums),
                        .limbs = tlw_cook_allocate(cook, TLW_BLOB_LIMBS_MAX, sizeof *stage.limbs)};
    limbs->list = tlw_cook_allocate(cook, TLW_BLOB_LIMBS_MAX, sizeof *limbs->list);
    limbs->voxels = tlw_cook_allocate(cook, TLW_BLOB_LIMBS_MAX, sizeof *limbs->voxels);
    limbs->of_slot = tlw_cook_allocate(cook, cook->order.slot_count, sizeof *limbs->of_slot);
    tlw_result result = cook->error.result;
    if (result == TLW_OK) {
        result = make_capsules(cook, &stage);
    }
    if (result == TLW_OK) {
        result =
            tlw_cook_touch_limbs(cook, stage.capsules, stage.limbs, stage.count, limbs->of_slot);
    }
    if (result == TLW_OK) {
        store_limbs(cook, &stage);
    }
    tlw_cook_free(cook, stage.capsules);
    tlw_cook_free(cook, stage.sums);
    tlw_cook_free(cook, stage.limbs);
    return result;
}
