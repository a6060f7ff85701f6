// SPDX-License-Identifier: MIT
// Numbers of one moment: mean and largest deviation, volume error (MODEL 3.5), unevenness of the
// surface against the regions' fits (MODEL 3.6). Reads the voxels that tlw_motion_read left.
#include "tools/motion/private.h"

#include <math.h>

void tlw_motion_mean_deviation(const tlw_motion* motion, tlw_motion_place place, double mean[3]) {
    uint32_t count;
    const uint32_t* voxels = tlw_motion_place_voxels(motion, place, &count);
    mean[0] = mean[1] = mean[2] = 0;
    for (uint32_t i = 0; i < count; ++i) {
        double d[3];
        tlw_motion_deviation(motion, voxels[i], d);
        for (int a = 0; a < 3; ++a) {
            mean[a] += d[a] / count;
        }
    }
}

double tlw_motion_largest_deviation(const tlw_motion* motion) {
    double largest = 0;
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        double d[3];
        tlw_motion_deviation(motion, v, d);
        largest = fmax(largest, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    return largest;
}

void tlw_motion_rotate(const float q[4], const double v[3], double out[3]) {
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    const double c[3] = {y * v[2] - z * v[1] + w * v[0], z * v[0] - x * v[2] + w * v[1],
                         x * v[1] - y * v[0] + w * v[2]};
    out[0] = v[0] + 2 * (y * c[2] - z * c[1]);
    out[1] = v[1] + 2 * (z * c[0] - x * c[2]);
    out[2] = v[2] + 2 * (x * c[1] - y * c[0]);
}

// Half the difference of the ends along an axis; the voxel itself stands for a missing end, with
// the coefficient 1, and its rotated rest axis for two.
static void axis_of(const tlw_motion* motion, uint32_t voxel, bool is_skinned, int axis,
                    double out[3]) {
    static const int steps[3] = {1, 3, 9};
    const uint32_t* around = motion->own->around + (size_t)voxel * TLW_CELLS_AROUND;
    uint32_t plus = around[TLW_CELL_SELF + steps[axis]],
             minus = around[TLW_CELL_SELF - steps[axis]];
    if (plus == TLW_NO_INDEX && minus == TLW_NO_INDEX) {
        const double rest[3] = {axis == 0, axis == 1, axis == 2};
        const tlw_voxel_state* state = &motion->voxels[voxel];
        tlw_motion_rotate(is_skinned ? state->skinned_rotation : state->rotation, rest, out);
        return;
    }
    const double factor = plus == TLW_NO_INDEX || minus == TLW_NO_INDEX ? 1.0 : 0.5;
    plus = plus == TLW_NO_INDEX ? voxel : plus;
    minus = minus == TLW_NO_INDEX ? voxel : minus;
    const tlw_voxel_state *high = &motion->voxels[plus], *low = &motion->voxels[minus];
    for (int a = 0; a < 3; ++a) {
        out[a] = factor * (is_skinned ? (double)high->skinned[a] - (double)low->skinned[a]
                                      : (double)high->position[a] - (double)low->position[a]);
    }
}

double tlw_motion_voxel_volume(const tlw_motion* motion, uint32_t voxel, bool is_skinned) {
    double x[3], y[3], z[3];
    axis_of(motion, voxel, is_skinned, 0, x);
    axis_of(motion, voxel, is_skinned, 1, y);
    axis_of(motion, voxel, is_skinned, 2, z);
    return x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) +
           x[2] * (y[0] * z[1] - y[1] * z[0]);
}

double tlw_motion_volume_error(const tlw_motion* motion) {
    double sum = 0, count = 0;
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        if (motion->layers[v] == 0) {
            continue;
        }
        sum += fabs(tlw_motion_voxel_volume(motion, v, false) - 1);
        count += 1;
    }
    return count > 0 ? sum / count : 0;
}

// Squared distance of a voxel to its place in the fit of its own region: R (0 - c0) + c.
static double squared_residual(const tlw_motion* motion, uint32_t voxel) {
    const uint32_t* around = motion->own->around + (size_t)voxel * TLW_CELLS_AROUND;
    double mass = 0, c[3] = {0, 0, 0}, c0[3] = {0, 0, 0}, turned[3], sum = 0;
    for (int cell = 0; cell < TLW_CELLS_AROUND; ++cell) {
        const uint32_t j = around[cell];
        if (j == TLW_NO_INDEX) {
            continue;
        }
        const double m = motion->layers[j] == 0 ? TLW_BONE_MASS : 1;
        const int offset[3] = {cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
        mass += m;
        for (int a = 0; a < 3; ++a) {
            c[a] += m * (double)motion->voxels[j].position[a];
            c0[a] += m * offset[a];
        }
    }
    for (int a = 0; a < 3; ++a) {
        c[a] /= mass;
        c0[a] /= mass;
    }
    tlw_motion_rotate(motion->voxels[voxel].rotation, c0, turned);
    for (int a = 0; a < 3; ++a) {
        const double gap = (double)motion->voxels[voxel].position[a] - (c[a] - turned[a]);
        sum += gap * gap;
    }
    return sum;
}

double tlw_motion_residual(const tlw_motion* motion) {
    double sum = 0, count = 0;
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        if (motion->layers[v] != 0 && motion->layers[v] == motion->own->layer_count - 1) {
            sum += squared_residual(motion, v);
            count += 1;
        }
    }
    return count > 0 ? sqrt(sum / count) : 0;
}
