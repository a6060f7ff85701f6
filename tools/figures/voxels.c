// SPDX-License-Identifier: MIT
// Voxels as cubes: each stands where the lattice's matrix of the frame puts it.
#include "tools/figures/draw.h"

#include <stdlib.h>
#include <string.h>

#define EDGE 0.92f // of a voxel, so that neighbours are told apart

// Corner i of a cube: bit 0 is x, bit 1 is y, bit 2 is z. The four corners of each face, outwards.
static const uint8_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static bool is_shown(const tlw_take* take, uint32_t voxel, uint32_t layer, char cut,
                     const double middle[3]) {
    double centre[3];
    tlw_actor_voxel_centre(take->actor, voxel, centre);
    return take->layers[voxel] == layer && !(cut == 'z' && centre[2] > middle[2]) &&
           !(cut == 'x' && centre[0] > middle[0]);
}

static void add_cube(const tlw_take* take, const float* matrix, const float root[3], uint32_t voxel,
                     tlw_draw_cubes* out) {
    double centre[3];
    float corners[8][3];
    tlw_actor_voxel_centre(take->actor, voxel, centre);
    const float half = 0.5f * EDGE * (float)take->actor->info.voxel_metres;
    for (int i = 0; i < 8; ++i) {
        const float at[3] = {(float)centre[0] + (i & 1 ? half : -half),
                             (float)centre[1] + (i & 2 ? half : -half),
                             (float)centre[2] + (i & 4 ? half : -half)};
        for (int row = 0; row < 3; ++row) {
            const float* m = matrix + row * 4;
            corners[i][row] = m[0] * at[0] + m[1] * at[1] + m[2] * at[2] + m[3] + root[row];
        }
    }
    for (int f = 0; f < 6; ++f) {
        static const uint8_t triangles[6] = {0, 1, 2, 0, 2, 3};
        for (int k = 0; k < 6; ++k) {
            out->indices[out->index_count++] = out->vertex_count + triangles[k];
        }
        for (int k = 0; k < 4; ++k) {
            memcpy(out->positions + (size_t)out->vertex_count++ * 3, corners[faces[f][k]],
                   sizeof corners[0]);
        }
    }
}

bool tlw_draw_make_cubes(const tlw_take* take, const tlw_take_shot* shot, uint32_t layer, char cut,
                         tlw_draw_cubes* out) {
    const uint32_t voxels = take->actor->info.voxel_count;
    double middle[3] = {0.0, 0.0, 0.0};
    // Cut through the middle of the bones.
    double sum[3] = {0.0, 0.0, 0.0};
    uint32_t bones = 0;
    for (uint32_t v = 0; v < voxels; ++v) {
        if (take->layers[v] == 0) {
            double centre[3];
            tlw_actor_voxel_centre(take->actor, v, centre);
            bones += 1;
            for (int axis = 0; axis < 3; ++axis) {
                sum[axis] += centre[axis];
            }
        }
    }
    const double half = 0.5 * take->actor->info.voxel_metres;
    for (int axis = 0; axis < 3 && bones > 0; ++axis) {
        middle[axis] = sum[axis] / bones + half;
    }
    uint32_t count = 0;
    for (uint32_t v = 0; v < voxels; ++v) {
        count += is_shown(take, v, layer, cut, middle);
    }
    *out = (tlw_draw_cubes){.positions = malloc(((size_t)count * 24 + 1) * 3 * sizeof(float)),
                            .indices = malloc(((size_t)count * 36 + 1) * sizeof(uint32_t))};
    if (!out->positions || !out->indices) {
        return false;
    }
    for (uint32_t v = 0; v < voxels; ++v) {
        if (is_shown(take, v, layer, cut, middle)) {
            add_cube(take, shot->lattice + (size_t)v * 12, shot->root, v, out);
        }
    }
    return true;
}

void tlw_draw_free_cubes(tlw_draw_cubes* cubes) {
    free(cubes->positions);
    free(cubes->indices);
    *cubes = (tlw_draw_cubes){0};
}
