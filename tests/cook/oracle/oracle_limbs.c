// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 9.11: reads voxels with their final weights and layers, and the
// skeleton; writes limbs, and which of them may touch each voxel.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIMBS_MAX    32
#define LIMB_VOXELS  8 // that a limb has at least
#define UNIT         (1.0 / 1024)
#define END_MAX      8192.0 // along each axis
#define RADIUS_SHARE 0.85

// A joint as a limb, or as what a limb may press into.
typedef struct oracle_member {
    uint32_t voxel_count;
    bool is_limb;
    double axis[2][3]; // voxels
    double radius[2];  // of a limb
    double size;       // r_l or r_o
} oracle_member;

static uint32_t count_voxels(const oracle_result* result, uint32_t joint) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        count += result->voxels[v].joint == joint;
    }
    return count;
}

// From the joint to the kept child with the most voxels, or past the middle of its own voxels.
static void make_axis(const oracle_work* work, const oracle_member* members, uint32_t joint,
                      double axis[2][3]) {
    const oracle_result* result = work->result;
    const tlw_cook_joint* joints = work->input->joints;
    uint32_t best = ORACLE_NONE;
    for (uint32_t j = 0; j < result->joint_count; ++j) {
        if (result->is_kept[j] && result->parent[j] == joint && members[j].voxel_count > 0 &&
            (best == ORACLE_NONE || members[j].voxel_count > members[best].voxel_count)) {
            best = j;
        }
    }
    for (int a = 0; a < 3; ++a) {
        axis[0][a] = oracle_to_voxels(result, joints[joint].bind[12 + a], a);
        if (best != ORACLE_NONE) {
            axis[1][a] = oracle_to_voxels(result, joints[best].bind[12 + a], a);
            continue;
        }
        double mean = 0;
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            mean += result->voxels[v].joint == joint ? result->voxels[v].cell[a] + 0.5 : 0;
        }
        mean /= members[joint].voxel_count;
        axis[1][a] = axis[0][a] + 1.5 * (mean - axis[0][a]);
    }
}

// The distance of a voxel's centre from an axis, and where along it the nearest point is.
static double axis_distance(const oracle_voxel* voxel, const double axis[2][3], double* t) {
    double centre[3], nearest[3];
    oracle_centre_of(voxel, centre);
    const double length = sqrt(oracle_squared_distance(axis[0], axis[1]));
    if (length < 1e-9) {
        *t = 0;
        return sqrt(oracle_squared_distance(centre, axis[0]));
    }
    return sqrt(oracle_nearest_on_segment(centre, axis[0], axis[1], nearest, t));
}

static double in_units(double radius) {
    return fmax(1, floor(radius / UNIT + 0.5)) * UNIT;
}

// The radius of each half by its shell voxels. False if none of the joint's voxels is on the shell.
static bool make_radii(const oracle_result* result, uint32_t joint, oracle_member* member) {
    double sum[2] = {0, 0}, t;
    uint32_t count[2] = {0, 0};
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        const oracle_voxel* voxel = &result->voxels[v];
        if (voxel->joint == joint && voxel->is_shell) {
            const double distance = axis_distance(voxel, member->axis, &t);
            const int half = t < 0.5 - ORACLE_SLACK ? 0 : 1;
            sum[half] += distance;
            count[half] += 1;
        }
    }
    if (count[0] + count[1] == 0) {
        return false;
    }
    for (int half = 0; half < 2; ++half) {
        const int from = count[half] > 0 ? half : 1 - half;
        member->radius[half] = in_units(RADIUS_SHARE * (sum[from] / count[from]));
    }
    return true;
}

static bool is_near(const double axis[2][3]) {
    for (int k = 0; k < 6; ++k) {
        if (!(fabs(axis[k / 3][k % 3]) <= END_MAX)) {
            return false;
        }
    }
    return true;
}

static double mean_distance(const oracle_result* result, uint32_t joint,
                            const oracle_member* member) {
    double sum = 0, t;
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        sum += result->voxels[v].joint == joint
                   ? axis_distance(&result->voxels[v], member->axis, &t)
                   : 0;
    }
    return sum / member->voxel_count;
}

// Leaves the limbs with the most voxels.
static void keep_largest(oracle_member* members, uint32_t joint_count) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < joint_count; ++j) {
        count += members[j].is_limb;
    }
    for (; count > LIMBS_MAX; --count) {
        uint32_t least = ORACLE_NONE; // the last of those with the fewest
        for (uint32_t j = 0; j < joint_count; ++j) {
            if (members[j].is_limb &&
                (least == ORACLE_NONE || members[j].voxel_count <= members[least].voxel_count)) {
                least = j;
            }
        }
        members[least].is_limb = false;
    }
}

static oracle_member* make_members(const oracle_work* work) {
    const oracle_result* result = work->result;
    const uint32_t n = result->joint_count;
    oracle_member* members = oracle_allocate(n, sizeof *members);
    for (uint32_t j = 0; j < n; ++j) {
        members[j].voxel_count = count_voxels(result, j);
    }
    for (uint32_t j = 0; j < n; ++j) {
        oracle_member* member = &members[j];
        if (member->voxel_count > 0) {
            make_axis(work, members, j, member->axis);
            member->is_limb = result->is_kept[j] && member->voxel_count >= LIMB_VOXELS &&
                              is_near(member->axis) && make_radii(result, j, member);
        }
    }
    keep_largest(members, n);
    for (uint32_t j = 0; j < n; ++j) {
        oracle_member* member = &members[j];
        if (member->is_limb) {
            member->size = fmax(member->radius[0], member->radius[1]);
        } else if (member->voxel_count > 0) {
            member->size = in_units(mean_distance(result, j, member));
        }
    }
    return members;
}

// The shortest way from an anchor to an end of a segment that the joint owns; infinite if it owns
// none. An anchor leaves its segment by either end, but not by the far end of a leaf, and the way
// to such an end leads through the leaf itself.
static double way_to(const oracle_result* result, const double* between,
                     const oracle_anchor* anchor, uint32_t joint) {
    const oracle_segment* from = &result->segments[anchor->segment];
    const uint32_t exits[2] = {from->owner, from->child};
    double way = INFINITY;
    for (uint32_t k = 0; k < result->segment_count; ++k) {
        if (result->segments[k].owner != joint) {
            continue;
        }
        const uint32_t entries[2] = {joint, result->segments[k].child};
        for (int i = 0; i < 4; ++i) {
            const uint32_t out = exits[i / 2], in = entries[i % 2];
            if (out != ORACLE_NONE && in != ORACLE_NONE) {
                way = fmin(way, sqrt(oracle_squared_distance(anchor->point, from->ends[i / 2])) +
                                    between[(size_t)out * result->joint_count + in]);
            }
        }
    }
    return way;
}

static bool owns_segment(const oracle_result* result, uint32_t joint) {
    for (uint32_t k = 0; k < result->segment_count; ++k) {
        if (result->segments[k].owner == joint) {
            return true;
        }
    }
    return false;
}

// How far a voxel's centre is outside the capsule as it is stored.
static double clearance(const oracle_voxel* voxel, const oracle_limb* limb) {
    double t;
    const double distance = axis_distance(voxel, limb->ends, &t);
    return distance - (limb->radius[0] + t * (limb->radius[1] - limb->radius[0]));
}

// The four conditions, for a voxel that is not bone.
static bool may_touch(const oracle_result* result, const oracle_member* members,
                      const double* between, const oracle_voxel* voxel, const oracle_limb* limb) {
    if (voxel->joint == limb->joint || !owns_segment(result, voxel->joint) ||
        !owns_segment(result, limb->joint)) {
        return false;
    }
    const double size = members[limb->joint].size;
    const oracle_anchor anchor = oracle_find_anchor(result, voxel);
    return way_to(result, between, &anchor, limb->joint) >=
               1.5 * (size + anchor.distance) - ORACLE_SLACK &&
           clearance(voxel, limb) >= 1 - ORACLE_SLACK && size <= members[voxel->joint].size;
}

// As the blob stores it. Volatile: in the loop below, gcc 12 vectorises a cast to float and back
// and loses it for two of the six numbers.
static double as_stored(double x) {
    volatile float stored = (float)x;
    return (double)stored;
}

static oracle_limb store_limb(const oracle_member* member, uint32_t joint) {
    oracle_limb limb = {.joint = joint, .radius = {member->radius[0], member->radius[1]}};
    for (int k = 0; k < 6; ++k) {
        limb.ends[k / 3][k % 3] = as_stored(member->axis[k / 3][k % 3]);
    }
    return limb;
}

void oracle_make_limbs(oracle_work* work) {
    oracle_result* result = work->result;
    if (!work->recipe->has_limbs) {
        return;
    }
    oracle_member* members = make_members(work);
    double* between = oracle_joint_distances(work);
    result->limbs = oracle_allocate(LIMBS_MAX, sizeof *result->limbs);
    for (uint32_t j = 0; j < result->joint_count; ++j) {
        if (!members[j].is_limb) {
            continue;
        }
        oracle_limb limb = store_limb(&members[j], j);
        const uint32_t bit = 1u << result->limb_count;
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            oracle_voxel* voxel = &result->voxels[v];
            if (voxel->layer > 0 && may_touch(result, members, between, voxel, &limb)) {
                limb.voxel_count += 1;
                voxel->limbs |= bit;
                voxel->half_limbs |= members[j].size == members[voxel->joint].size ? bit : 0;
            }
        }
        if (limb.voxel_count > 0) { // otherwise its bit is the next limb's
            result->limbs[result->limb_count++] = limb;
        }
    }
    free(between);
    free(members);
}
