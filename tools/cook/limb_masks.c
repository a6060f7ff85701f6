// SPDX-License-Identifier: MIT
// Part of the stage limbs (RULES 9.11): which voxels a limb may touch. A limb touches no voxel that
// lies near its own segments along the skeleton, because flesh there blends into the limb, and none
// that it already touches at rest. Ways along the skeleton are measured once for each limb and
// joint, not for each voxel.
#include "tools/cook/limbs.h"

#include <math.h>

#define WAY_OVER_REACH 1.5
#define CLEARANCE      1.0 // voxels

typedef struct limb_ways {
    // The shortest way from a joint to an end of a segment that the limb owns, in voxels: element
    // limb * joint_count + joint.
    double* length;
    uint32_t joint_count;
} limb_ways;

// Ways to one limb. A way from below a kept child of the limb's joint has to pass that child, which
// ends one of the limb's segments; from anywhere else it has to pass the limb's joint itself.
// `gates` has room for the joint that ways from each joint pass.
static void measure_ways(const tlw_cook* cook, const tlw_ways* ways, uint32_t limb, uint32_t* gates,
                         double* length) {
    const tlw_cook_skeleton_joint* joints = cook->skeleton.joints;
    for (uint32_t i = 0; i < cook->skeleton.joint_count; ++i) {
        const uint32_t j = cook->firm.order[i], parent = joints[j].parent;
        gates[j] = parent == limb ? j : parent == TLW_NO_JOINT || j == limb ? limb : gates[parent];
        if (joints[j].is_kept) {
            length[j] = tlw_way_between(ways, j, gates[j]) / cook->grid.voxel;
        }
    }
}

static tlw_result make_limb_ways(tlw_cook* cook, const uint32_t* limbs, uint32_t count,
                                 limb_ways* out) {
    const uint32_t joints = cook->skeleton.joint_count;
    tlw_ways* ways = tlw_cook_make_ways(cook);
    uint32_t* gates = tlw_cook_allocate(cook, joints, sizeof *gates);
    out->joint_count = joints;
    out->length = tlw_cook_allocate(cook, (uint64_t)count * joints, sizeof *out->length);
    for (uint32_t i = 0; i < count && cook->error.result == TLW_OK; ++i) {
        measure_ways(cook, ways, limbs[i], gates, out->length + (size_t)i * joints);
    }
    tlw_cook_free(cook, gates);
    tlw_cook_free_ways(cook, ways);
    return cook->error.result;
}

// Where a voxel is, in voxels, and what its place on the skeleton is.
typedef struct voxel_place {
    tlw_double3 centre;
    uint32_t joints[2]; // ends of its anchor's segment; the far end of a leaf is TLW_NO_JOINT
    double to_joint[2]; // how far the anchor is from them
    double away;        // how far the voxel is from its anchor
} voxel_place;

static double distance(tlw_double3 a, tlw_double3 b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

// False where the voxel's joint owns no segment.
static bool find_place(const tlw_cook* cook, uint32_t voxel, voxel_place* out) {
    const tlw_anchor anchor = tlw_cook_find_anchor(cook, voxel);
    if (anchor.segment == UINT32_MAX) {
        return false;
    }
    const tlw_cook_segment* segment = &cook->skeleton.segments[anchor.segment];
    const double metres = cook->grid.voxel;
    *out = (voxel_place){.centre = tlw_centre_in_voxels(cook, voxel),
                         .joints = {segment->owner, segment->child},
                         .to_joint = {distance(anchor.point, segment->start) / metres,
                                      distance(anchor.point, segment->end) / metres},
                         .away = anchor.away / metres};
    return true;
}

static bool is_far_along(const limb_ways* ways, uint32_t limb, double radius,
                         const voxel_place* place) {
    const double* length = ways->length + (size_t)limb * ways->joint_count;
    double way = place->to_joint[0] + length[place->joints[0]];
    if (place->joints[1] != TLW_NO_JOINT) {
        const double other = place->to_joint[1] + length[place->joints[1]];
        way = other < way ? other : way;
    }
    return way >= WAY_OVER_REACH * (radius + place->away) - TLW_SLACK;
}

static bool is_clear(const tlw_joint_capsule* limb, tlw_double3 centre) {
    const tlw_axis_point nearest = tlw_nearest_on_axis(limb->ends, centre);
    const double radius = limb->radius[0] + nearest.parameter * (limb->radius[1] - limb->radius[0]);
    return nearest.distance - radius >= CLEARANCE - TLW_SLACK;
}

tlw_result tlw_cook_touch_limbs(tlw_cook* cook, const tlw_joint_capsule* capsules,
                                const uint32_t* limbs, uint32_t count,
                                tlw_blob_slot_limbs* of_slot) {
    limb_ways ways = {0};
    const tlw_result result = make_limb_ways(cook, limbs, count, &ways);
    for (uint32_t v = 0; v < cook->voxels.count && result == TLW_OK; ++v) {
        const uint32_t own = cook->weights[v].joint[0];
        tlw_blob_slot_limbs* of = &of_slot[cook->order.slot_of_voxel[v]];
        voxel_place place;
        if (cook->anatomy.layer[v] == 0 || !find_place(cook, v, &place)) {
            continue;
        }
        for (uint32_t i = 0; i < count; ++i) {
            const tlw_joint_capsule* limb = &capsules[limbs[i]];
            if (limbs[i] != own && limb->largest <= capsules[own].largest &&
                is_far_along(&ways, i, limb->largest, &place) && is_clear(limb, place.centre)) {
                of->touches |= 1u << i;
                of->halves |= (limb->largest == capsules[own].largest ? 1u : 0u) << i;
            }
        }
    }
    tlw_cook_free(cook, ways.length);
    return result;
}
