// SPDX-License-Identifier: MIT
// Stage bends (RULES 9.8 to 9.10): what skinned volume (MODEL 3.12) needs: joints whose bending
// loses volume, the voxels' shares of them, and the field along which voxels move. Shares, field
// and lists are made in bend_shares.c, bend_field.c and bend_lists.c; here are the rest values,
// which decide what is left out, and the order. Reads the recipe's reach, cook->weights, the
// skeleton, links, anatomy and order; writes cook->bends.
#include "tools/cook/bends.h"

// Below this share of its rest volume, the slope of a bend says too little about l.
#define SLOPE_MIN 0.01
// Half of a voxel's shares, with room for two that symmetry makes equal.
#define SHARE_HALF 0.499

// Sums over the voxels of a joint's bend.
typedef struct bend_rest {
    double volume;  // V0
    double slope;   // A_1rest
    uint32_t depth; // largest d_skin of voxels that have half of their shares from it
    uint32_t voxels;
} bend_rest;

// Everything that the stage works with.
typedef struct bend_stage {
    tlw_voxel_bends* of_voxel;
    float (*field)[3];       // per voxel, lattice axes
    bend_rest* rest;         // per joint
    uint32_t* bend_of_joint; // TLW_NO_JOINT: none
} bend_stage;

// a_1 of MODEL 3.12 at rest. X, Y and Z are the unit axes there, whatever the ends, so only the
// difference of F along each axis is left. An axis without either end is constant.
static double slope_of(const tlw_cook* cook, float (*const field)[3], uint32_t voxel) {
    static const int minus[3] = {TLW_STEP_LANE_MINUS, TLW_STEP_ROW_MINUS, TLW_STEP_PLANE_MINUS},
                     plus[3] = {TLW_STEP_LANE_PLUS, TLW_STEP_ROW_PLUS, TLW_STEP_PLANE_PLUS};
    const uint32_t mask = cook->links.masks[voxel];
    double sum = 0.0;
    for (uint32_t a = 0; a < 3; ++a) {
        const uint32_t axis = (cook->order.lane_axis + a) % 3; // of the grid
        const bool has_minus = mask >> minus[axis] & 1, has_plus = mask >> plus[axis] & 1;
        const uint32_t low = has_minus ? tlw_linked_voxel(cook, voxel, minus[axis]) : voxel;
        const uint32_t high = has_plus ? tlw_linked_voxel(cook, voxel, plus[axis]) : voxel;
        const double apart = (double)field[high][a] - (double)field[low][a];
        sum += has_minus && has_plus ? 0.5 * apart : apart;
    }
    return sum;
}

static void measure_rest(const tlw_cook* cook, bend_stage* stage) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const tlw_voxel_bends* bends = &stage->of_voxel[v];
        for (uint32_t i = 0; i < TLW_BLOB_BENDS_PER_VOXEL && bends->joint[i] != TLW_NO_JOINT; ++i) {
            bend_rest* rest = &stage->rest[bends->joint[i]];
            const double share = (double)bends->share[i];
            rest->volume += share;
            rest->slope += share * share * slope_of(cook, stage->field, v);
            if (share >= SHARE_HALF && cook->anatomy.d_skin[v] > rest->depth) {
                rest->depth = cook->anatomy.d_skin[v];
            }
            rest->voxels += 1;
        }
    }
}

static bool is_left_out(const bend_rest* rest) {
    return rest->slope < SLOPE_MIN * rest->volume;
}

static void clear_field(bend_stage* stage, uint32_t voxel) {
    stage->field[voxel][0] = stage->field[voxel][1] = stage->field[voxel][2] = 0.0f;
}

// Takes bends that are left out from their voxels, and the field from voxels without a share.
static void drop_shares(const tlw_cook* cook, bend_stage* stage) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        tlw_voxel_bends left = {.joint = {TLW_NO_JOINT, TLW_NO_JOINT}};
        uint32_t count = 0;
        for (uint32_t i = 0; i < TLW_BLOB_BENDS_PER_VOXEL; ++i) {
            const uint32_t joint = stage->of_voxel[v].joint[i];
            if (joint != TLW_NO_JOINT && !is_left_out(&stage->rest[joint])) {
                left.joint[count] = joint;
                left.share[count++] = stage->of_voxel[v].share[i];
            }
        }
        stage->of_voxel[v] = left;
        if (count == 0) {
            clear_field(stage, v);
        }
    }
}

static void store_bend(tlw_cook* cook, bend_stage* stage, uint32_t joint) {
    const bend_rest* rest = &stage->rest[joint];
    tlw_cook_bends* bends = &cook->bends;
    const double reach = (double)cook->recipe->volume_reach * ((double)rest->depth + 1.0);
    bends->list[bends->count] = (tlw_blob_bend){.joint = joint,
                                                .rest_volume = (float)rest->volume,
                                                .rest_slope = (float)rest->slope,
                                                .reach = (float)reach};
    bends->voxels[bends->count] = rest->voxels;
    stage->bend_of_joint[joint] = bends->count++;
}

static bool is_bend(const bend_stage* stage, uint32_t joint) {
    return stage->rest[joint].voxels > 0 && !is_left_out(&stage->rest[joint]);
}

// In the order of joints, but each after the ones above it. `above` has room for a way up to a
// root. A way ends at a joint that another way has passed, so that no joint is passed twice.
static void order_bends(tlw_cook* cook, bend_stage* stage, uint32_t* above, bool* is_passed) {
    for (uint32_t j = 0; j < cook->skeleton.joint_count; ++j) {
        uint32_t count = 0;
        for (uint32_t up = j; is_bend(stage, j) && up != TLW_NO_JOINT && !is_passed[up];
             up = cook->skeleton.joints[up].parent) {
            is_passed[up] = true;
            above[count++] = up;
        }
        while (count > 0) {
            const uint32_t up = above[--count];
            if (is_bend(stage, up)) {
                store_bend(cook, stage, up);
            }
        }
    }
}

// The bends of all joints, after their shares and the field of all voxels are known.
static tlw_result choose_bends(tlw_cook* cook, bend_stage* stage) {
    const uint32_t joints = cook->skeleton.joint_count;
    tlw_cook_bends* bends = &cook->bends;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        if (stage->of_voxel[v].joint[0] == TLW_NO_JOINT) {
            clear_field(stage, v);
        }
    }
    measure_rest(cook, stage);
    uint32_t kept = 0;
    for (uint32_t j = 0; j < joints; ++j) {
        stage->bend_of_joint[j] = TLW_NO_JOINT;
        kept += is_bend(stage, j);
        bends->left_out += stage->rest[j].voxels > 0 && is_left_out(&stage->rest[j]);
    }
    drop_shares(cook, stage);
    uint32_t* above = tlw_cook_allocate(cook, joints, sizeof *above);
    bool* is_passed = tlw_cook_allocate(cook, joints, sizeof *is_passed);
    bends->list = tlw_cook_allocate(cook, kept, sizeof *bends->list);
    bends->voxels = tlw_cook_allocate(cook, kept, sizeof *bends->voxels);
    if (cook->error.result == TLW_OK) {
        order_bends(cook, stage, above, is_passed);
    }
    tlw_cook_free(cook, above);
    tlw_cook_free(cook, is_passed);
    return cook->error.result;
}

static void store_field(tlw_cook* cook, float (*const field)[3]) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const uint32_t slot = cook->order.slot_of_voxel[v];
        const uint32_t window = slot / TLW_BLOB_LANES, lane = slot % TLW_BLOB_LANES;
        for (uint32_t a = 0; a < 3; ++a) {
            cook->bends.field[((size_t)window * 3 + a) * TLW_BLOB_LANES + lane] =
                (int16_t)(field[v][a] / TLW_BLOB_FIELD_UNIT);
        }
    }
}

static void free_stage(tlw_cook* cook, bend_stage* stage) {
    void* const scratch[] = {stage->of_voxel, stage->field, stage->rest, stage->bend_of_joint};
    for (size_t i = 0; i < TLW_COUNT_OF(scratch); ++i) {
        tlw_cook_free(cook, scratch[i]);
    }
}

tlw_result tlw_cook_make_bends(tlw_cook* cook) {
    if (!(cook->recipe->volume_reach > 0.0f)) {
        return TLW_OK;
    }
    const uint32_t count = cook->voxels.count, joints = cook->skeleton.joint_count;
    bend_stage stage = {.of_voxel = tlw_cook_allocate(cook, count, sizeof *stage.of_voxel),
                        .field = tlw_cook_allocate(cook, count, sizeof *stage.field),
                        .rest = tlw_cook_allocate(cook, joints, sizeof *stage.rest),
                        .bend_of_joint =
                            tlw_cook_allocate(cook, joints, sizeof *stage.bend_of_joint)};
    double* pi_sum = tlw_cook_allocate(cook, count, sizeof *pi_sum);
    tlw_result result = cook->error.result;
    if (result == TLW_OK) {
        result = tlw_cook_share_bends(cook, stage.of_voxel, pi_sum);
    }
    if (result == TLW_OK) {
        result = tlw_cook_make_field(cook, pi_sum, stage.field);
    }
    tlw_cook_free(cook, pi_sum);
    if (result == TLW_OK) {
        result = choose_bends(cook, &stage);
    }
    if (result == TLW_OK && cook->bends.count > 0) {
        cook->bends.field =
            tlw_cook_allocate(cook, (uint64_t)cook->order.slot_count * 3, sizeof(int16_t));
        result = tlw_cook_list_bends(cook, stage.of_voxel, stage.bend_of_joint);
    }
    if (result == TLW_OK && cook->bends.count > 0) {
        store_field(cook, stage.field);
    }
    free_stage(cook, &stage);
    return result;
}
