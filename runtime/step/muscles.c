// SPDX-License-Identifier: MIT
// Muscles on the character's side (muscles.h): tensions, gravity and constants of a substep for the
// kernel that moves the lines (passes/lines.c), and what the character keeps of its results
// (MODEL 3.18, 3.19).
#include "runtime/step/muscles.h"

#include "runtime/passes/lines.h"
#include "runtime/step/matrix.h"

#include <string.h>

#define TWO_PI            6.28318530717958647693
#define DEGREES           57.29577951308232
#define SPRING_HZ         12.0
#define HOLD_HZ           0.5 // along the line
#define HOLD_ACROSS_HZ    6.0
#define KEPT_IN_A_TENTH   0.3 // of the relative velocity, after 0.1 s
#define ITERATIONS        2
#define STATIC_ITERATIONS 32
#define CURVE_MOST        1.25f // sum of |weights| of a Catmull-Rom curve

tlw_muscle_sizes tlw_muscle_sizes_of(const tlw_blob_arrays* blob) {
    tlw_muscle_sizes out = {(blob->lattice->muscle_count + TLW_LANES - 1) / TLW_LANES, 0, 0, 0};
    for (uint32_t i = 0; i < out.groups; ++i) {
        const tlw_blob_muscle_group *group = &blob->muscle_groups[i], *next = group + 1;
        const uint32_t rows = next->first_row - group->first_row;
        const uint32_t fields = next->first_field - group->first_field;
        out.rows += rows;
        out.most_rows = rows > out.most_rows ? rows : out.most_rows;
        out.most_fields = fields > out.most_fields ? fields : out.most_fields;
    }
    return out;
}

// The angle between a joint and its parent, 0 in the bind pose, in degrees. The lattice's axes are
// in both rotations and cancel.
static double angle_of(const tlw_blob_arrays* blob, const tlw_skin_entry* joints, uint32_t joint) {
    double own[4], parent[4];
    for (int i = 0; i < 4; ++i) {
        own[i] = (double)joints[joint].rotation[i];
        parent[i] = (double)joints[blob->joints[joint].parent].rotation[i] * (i < 3 ? -1.0 : 1.0);
    }
    tlw_multiply_rotations(parent, own, own);
    const double sine2 = own[0] * own[0] + own[1] * own[1] + own[2] * own[2];
    const double sine = sine2 > 1e-24 ? sine2 * tlw_inverse_sqrt_of(sine2) : 0.0;
    return 2.0 * DEGREES * tlw_angle_of(sine, own[3] < 0.0 ? -own[3] : own[3]);
}

// T: the larger of what the engine set and what the joint's angle gives.
static float tension_of(const tlw_character* c, const tlw_skin_entry* joints, uint32_t muscle) {
    const tlw_blob_muscle* about = &c->blob.muscles[muscle];
    const float set = c->tensions[muscle];
    if (about->flex_joint == TLW_BLOB_NO_INDEX) {
        return set;
    }
    const double angle = angle_of(&c->blob, joints, about->flex_joint);
    const double share =
        (angle - (double)about->flex_from) / ((double)about->flex_to - (double)about->flex_from);
    const float flexed = share > 0.0 ? share < 1.0 ? (float)share : 1.0f : 0.0f; // 0 for a NaN
    return flexed > set ? flexed : set;
}

static void set_groups(const tlw_character* c, const tlw_lines* lines) {
    const uint32_t count = c->blob.lattice->muscle_count;
    memset(lines->groups, 0, lines->group_count * sizeof *lines->groups);
    for (uint32_t m = 0; m < count; ++m) {
        tlw_line_group* group = &lines->groups[m / TLW_LANES];
        group->tension[m % TLW_LANES] = tension_of(c, lines->joints, m);
        group->bulge[m % TLW_LANES] = c->blob.muscles[m].bulge;
        group->radius[m % TLW_LANES] = c->blob.muscles[m].radius;
    }
}

static float square_of(double hz, double h) {
    const double angle = TWO_PI * hz * h;
    return (float)(angle * angle);
}

static tlw_lines lines_of(const tlw_character* c, const tlw_scratch_view* view,
                          const tlw_root* root, const tlw_substep* substep, bool is_carried) {
    const tlw_blob_lattice* l = c->blob.lattice;
    const double h = c->substep_seconds;
    const double per_voxel = 1.0 / (l->voxel_metres * (double)root->scale);
    tlw_lines out = {
        .blob = &c->blob,
        .joints = view->joints,
        .group_count = tlw_muscle_sizes_of(&c->blob).groups,
        .rows = c->line_rows,
        .belly_rows = view->belly_rows,
        .groups = view->line_groups,
        .work = view->line_work,
        .fields = view->line_fields,
        .step_seconds = (float)h,
        .kept = (float)tlw_exp_of(tlw_log_of(KEPT_IN_A_TENTH) * h / 0.1),
        .spring = square_of(SPRING_HZ, h),
        .hold = square_of(HOLD_HZ, h),
        .hold_across = square_of(HOLD_ACROSS_HZ, h),
        .iterations = is_carried ? STATIC_ITERATIONS : ITERATIONS,
        .is_carried = is_carried,
        .is_start = substep->is_start,
    };
    for (uint32_t i = 0; i < 3; ++i) {
        const float g0 = l->rest_gravity[(l->lane_axis + i) % 3];
        out.gravity[i] = (float)(h * h * (double)c->settings.gravity[i] * per_voxel);
        out.rest_gravity[i] = (float)(h * h * (double)g0 * per_voxel);
        out.rebase[i] = is_carried ? 0.0f : substep->rebase[i];
    }
    return out;
}

// Bounds |m| of a voxel, which has a few muscles: the sum of the largest that muscles can do.
static float reach_of(const tlw_blob_arrays* blob, const tlw_line_group* groups) {
    float most[TLW_BLOB_VOXEL_MUSCLES] = {0.0f}, sum = 0.0f;
    for (uint32_t m = 0; m < blob->lattice->muscle_count; ++m) {
        const tlw_line_group* group = &groups[m / TLW_LANES];
        const uint32_t lane = m % TLW_LANES;
        float reach =
            CURVE_MOST * group->most_b[lane] * blob->muscles[m].reach + group->most_c[lane];
        for (uint32_t i = 0; i < TLW_BLOB_VOXEL_MUSCLES; ++i) {
            if (reach > most[i]) { // the others move down
                const float other = most[i];
                most[i] = reach;
                reach = other;
            }
        }
    }
    for (uint32_t i = 0; i < TLW_BLOB_VOXEL_MUSCLES; ++i) {
        sum += most[i];
    }
    return sum;
}

// Keeps what the engine can ask for, and what sleep and contact want to know.
static void keep_results(tlw_character* c, const tlw_line_group* groups) {
    c->line_moved = 0.0f;
    for (uint32_t m = 0; m < c->blob.lattice->muscle_count; ++m) {
        const tlw_line_group* group = &groups[m / TLW_LANES];
        const uint32_t lane = m % TLW_LANES;
        c->muscle_states[m] = (tlw_muscle_state){group->tension[lane], group->elongation[lane]};
        c->line_moved = group->moved[lane] > c->line_moved ? group->moved[lane] : c->line_moved;
    }
    c->belly_reach[1] = c->belly_reach[0];
    c->belly_reach[0] = reach_of(&c->blob, groups);
}

void tlw_muscles_move(tlw_character* c, const tlw_runner* runner, const tlw_scratch_view* view,
                      const tlw_root* root, const tlw_substep* substep, bool is_carried) {
    if (c->line_rows == NULL) {
        return;
    }
    const tlw_lines lines = lines_of(c, view, root, substep, is_carried);
    set_groups(c, &lines);
    tlw_run_lines(runner, &lines);
    keep_results(c, lines.groups);
}

bool tlw_muscles_moved(const tlw_character* c, float most) {
    return c->line_rows != NULL && !(c->line_moved < most);
}

float tlw_muscles_reach(const tlw_character* c) {
    return c->belly_reach[0] > c->belly_reach[1] ? c->belly_reach[0] : c->belly_reach[1];
}
