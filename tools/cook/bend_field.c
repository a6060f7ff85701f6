// SPDX-License-Identifier: MIT
// Part of the stage bends (RULES 9.9): the field along which bends give volume back (Eq. 8 and 9 of
// Chen et al. 2013 use surface normals). It points outwards, fades towards the medial axis and away
// from bends, and is 0 on bone. Reads cook->links, cook->anatomy and the lane axis.
#include "tools/cook/bends.h"

#include <math.h>

// What is smoothed per voxel: F along the axes of the grid, then B.
enum { FIELD_X, FIELD_Y, FIELD_Z, FIELD_B, FIELD_NUMBERS };
typedef double field_numbers[FIELD_NUMBERS];

// On the shell: away from the linked neighbours.
static void point_outwards(const tlw_cook* cook, uint32_t voxel, double u[3]) {
    int sum[3] = {0, 0, 0};
    for (uint32_t left = cook->links.masks[voxel]; left != 0; left &= left - 1) {
        const tlw_int3 step = tlw_link_steps[__builtin_ctz(left)];
        sum[0] += step.x;
        sum[1] += step.y;
        sum[2] += step.z;
    }
    const int squared = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
    for (int a = 0; a < 3; ++a) {
        u[a] = squared > 0 ? (double)-sum[a] / sqrt((double)squared) : 0.0;
    }
}

// Inside: the mean over the neighbours through which the shortest paths to the shell lead. Where
// sides meet they cancel; a nearest point of the surface would jump there.
static void follow_outer(const tlw_cook* cook, uint32_t voxel, field_numbers* field) {
    const uint32_t* d_skin = cook->anatomy.d_skin;
    double* u = field[voxel];
    double count = 0.0;
    u[0] = u[1] = u[2] = 0.0;
    for (uint32_t left = cook->links.masks[voxel]; left != 0; left &= left - 1) {
        const int step = __builtin_ctz(left);
        const uint32_t to = tlw_linked_voxel(cook, voxel, step);
        if (d_skin[to] + tlw_link_lengths[step] == d_skin[voxel]) {
            for (int a = 0; a < 3; ++a) {
                u[a] += field[to][a];
            }
            count += 1.0;
        }
    }
    for (int a = 0; a < 3; ++a) {
        u[a] /= count; // a shortest path to the shell begins with a link, so there is one
    }
}

// u of all voxels, by ascending d_skin.
static void find_directions(const tlw_cook* cook, const uint32_t* by_d_skin, field_numbers* field) {
    for (uint32_t i = 0; i < cook->voxels.count; ++i) {
        const uint32_t v = by_d_skin[i];
        if (cook->anatomy.d_skin[v] == 0) {
            point_outwards(cook, v, field[v]);
        } else {
            follow_outer(cook, v, field);
        }
    }
}

static bool is_bone(const tlw_cook* cook, uint32_t voxel) {
    return cook->anatomy.layer[voxel] == 0;
}

// F and B before they are smoothed, from u and the sum of pi.
static void scale(const tlw_cook* cook, const double* pi_sum, field_numbers* field) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        for (int a = 0; a < 3; ++a) {
            field[v][a] =
                is_bone(cook, v) ? 0.0 : field[v][a] / (1.0 + (double)cook->anatomy.d_skin[v]);
        }
        const double b = 2.0 * sqrt(pi_sum[v]);
        field[v][FIELD_B] = b < 1.0 ? b : 1.0;
    }
}

static void smooth(const tlw_cook* cook, const field_numbers* from, field_numbers* to) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        uint32_t faces[6];
        const uint32_t count = tlw_cook_linked_faces(cook, v, faces);
        for (int a = 0; a < FIELD_NUMBERS; ++a) {
            double sum = from[v][a];
            for (uint32_t k = 0; k < count; ++k) {
                sum += from[faces[k]][a];
            }
            to[v][a] = a != FIELD_B && is_bone(cook, v) ? 0.0 : sum / (double)(count + 1);
        }
    }
}

// Along the lattice axes, with B in it.
// To the nearest multiple of the unit, halves away from 0, so that mirrored bodies stay mirrored.
static float rounded(double value) {
    const double units = floor(fabs(value) / (double)TLW_BLOB_FIELD_UNIT + 0.5);
    return (float)(value < 0.0 ? -units : units) * TLW_BLOB_FIELD_UNIT;
}

static void round_field(const tlw_cook* cook, const field_numbers* from, float (*field)[3]) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        for (uint32_t a = 0; a < 3; ++a) {
            const uint32_t axis = (cook->order.lane_axis + a) % 3; // of the grid
            field[v][a] = rounded(from[v][FIELD_B] * from[v][axis]);
        }
    }
}

tlw_result tlw_cook_make_field(tlw_cook* cook, const double* pi_sum, float (*field)[3]) {
    const uint32_t count = cook->voxels.count;
    uint32_t* by_d_skin = tlw_cook_sort_by_d_skin(cook);
    field_numbers* numbers = tlw_cook_allocate(cook, count, sizeof *numbers);
    field_numbers* smoothed = tlw_cook_allocate(cook, count, sizeof *smoothed);
    if (cook->error.result == TLW_OK) {
        find_directions(cook, by_d_skin, numbers);
        scale(cook, pi_sum, numbers);
        smooth(cook, numbers, smoothed);
        smooth(cook, smoothed, numbers);
        round_field(cook, numbers, field);
    }
    tlw_cook_free(cook, by_d_skin);
    tlw_cook_free(cook, numbers);
    tlw_cook_free(cook, smoothed);
    return cook->error.result;
}
