// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 9 and 10: reads voxels with links, layers and depths, writes regions,
// neighbours, limits, volume weights and bindings.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>

// RULES 9
// -------------------------------------------------------------------------------------------

// The voxels of a cube that `start` reaches through links inside it.
static uint32_t reach_in_cube(const oracle_result* result, const uint32_t cube[8], uint32_t start) {
    uint32_t reached = 1u << start;
    for (uint32_t before = 0; before != reached;) {
        before = reached;
        for (uint32_t i = 0; i < 8; ++i) {
            for (uint32_t bit = 0; (reached >> i & 1) != 0 && bit < 26; ++bit) {
                uint32_t other = oracle_linked(result, cube[i], bit);
                for (uint32_t k = 0; k < 8; ++k) {
                    if (other != ORACLE_NONE && cube[k] == other) {
                        reached |= 1u << k;
                    }
                }
            }
        }
    }
    return reached;
}

static void read_cube(const oracle_result* result, const int32_t cell[3], uint32_t cube[8]) {
    for (int k = 0; k < 8; ++k) {
        cube[k] = oracle_voxel_at(result, cell[0] + (k & 1), cell[1] + (k >> 1 & 1),
                                  cell[2] + (k >> 2 & 1));
    }
}

static void make_cubes(oracle_result* result) {
    // A voxel is in eight cubes.
    result->cubes = oracle_allocate((size_t)result->voxel_count * 8, sizeof *result->cubes);
    int32_t cell[3];
    for (cell[2] = -1; cell[2] < (int32_t)result->counts[2]; ++cell[2]) {
        for (cell[1] = -1; cell[1] < (int32_t)result->counts[1]; ++cell[1]) {
            for (cell[0] = -1; cell[0] < (int32_t)result->counts[0]; ++cell[0]) {
                uint32_t cube[8];
                read_cube(result, cell, cube);
                uint32_t done = 0;
                for (uint32_t k = 0; k < 8; ++k) {
                    if (cube[k] == ORACLE_NONE || (done >> k & 1) != 0) {
                        continue;
                    }
                    oracle_cube* piece = &result->cubes[result->cube_count++];
                    *piece = (oracle_cube){
                        {cell[0], cell[1], cell[2]}, reach_in_cube(result, cube, k), cube[k]};
                    done |= piece->mask;
                }
            }
        }
    }
}

static void make_limits(oracle_work* work) {
    oracle_result* result = work->result;
    uint32_t deepest = 1;
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        deepest = result->voxels[v].d_skin > deepest ? result->voxels[v].d_skin : deepest;
    }
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        const oracle_part* part = &result->parts[voxel->part];
        voxel->d_max = fmin(part->limit_extent * result->length,
                            part->limit_thickness * ((double)voxel->h + 1));
        voxel->eq13 = 1 - (double)voxel->d_skin / deepest;
    }
}

void oracle_make_regions(oracle_work* work) {
    oracle_result* result = work->result;
    const uint32_t n = result->voxel_count;
    make_limits(work);
    if (work->recipe->region_width == 2) {
        make_cubes(result);
    }
    result->region_first = oracle_allocate((size_t)n + 1, sizeof(uint32_t));
    result->region_voxels = oracle_allocate((size_t)n * 27, sizeof(uint32_t));
    result->neighbour_first = oracle_allocate((size_t)n + 1, sizeof(uint32_t));
    result->neighbour_voxels = oracle_allocate((size_t)n * 26, sizeof(uint32_t));
    for (uint32_t v = 0; v < n; ++v) {
        uint32_t list[26];
        uint32_t count = oracle_neighbours(result, work->recipe->neighbours, v, list);
        uint32_t to = result->neighbour_first[v];
        for (uint32_t k = 0; k < count; ++k) {
            result->neighbour_voxels[to++] = list[k];
        }
        result->neighbour_first[v + 1] = to;

        to = result->region_first[v];
        if (work->recipe->region_width == 3) {
            count = oracle_neighbours(result, 26, v, list);
            uint32_t k = 0;
            for (; k < count && list[k] < v; ++k) {
                result->region_voxels[to++] = list[k];
            }
            result->region_voxels[to++] = v;
            for (; k < count; ++k) {
                result->region_voxels[to++] = list[k];
            }
        }
        result->region_first[v + 1] = to;
    }
}

// RULES 10
// -------------------------------------------------------------------------------------------

oracle_binding oracle_bind_point(const oracle_result* result, const double position[3]) {
    oracle_binding binding = {ORACLE_NONE, false, 0, {0}, {0}};
    double p[3], fraction[3];
    int32_t cell[3], low[3];
    // Far points are brought near first, because only their cell matters.
    for (int a = 0; a < 3; ++a) {
        p[a] = oracle_to_voxels(result, position[a], a);
        double near = fmin(fmax(p[a], -16.0), (double)result->counts[a] + 16.0);
        cell[a] = (int32_t)floor(near);
        low[a] = (int32_t)floor(near - 0.5);
        fraction[a] = near - 0.5 - low[a];
    }
    binding.own = oracle_voxel_at(result, cell[0], cell[1], cell[2]);
    if (binding.own == ORACLE_NONE) {
        binding.is_outside = true;
        double least = INFINITY;
        for (int pass = 0; pass < 2; ++pass) {
            for (uint32_t v = 0; v < result->voxel_count && binding.own == ORACLE_NONE; ++v) {
                double d = 0;
                for (int a = 0; a < 3; ++a) {
                    double gap = (double)result->voxels[v].cell[a] + 0.5 - p[a];
                    d += gap * gap;
                }
                if (pass == 0) {
                    least = fmin(least, d);
                } else if (d <= least + ORACLE_SLACK) {
                    binding.own = v;
                }
            }
        }
    }
    uint32_t cube[8];
    read_cube(result, low, cube);
    uint32_t mask = 0;
    for (uint32_t k = 0; k < 8; ++k) {
        if (cube[k] == binding.own) {
            mask = reach_in_cube(result, cube, k);
        }
    }
    double sum = 0;
    for (uint32_t k = 0; k < 8; ++k) {
        double w = ((k & 1) != 0 ? fraction[0] : 1 - fraction[0]) *
                   ((k >> 1 & 1) != 0 ? fraction[1] : 1 - fraction[1]) *
                   ((k >> 2 & 1) != 0 ? fraction[2] : 1 - fraction[2]);
        if ((mask >> k & 1) != 0 && w > 0) {
            binding.voxels[binding.count] = cube[k];
            binding.weights[binding.count++] = w;
            sum += w;
        }
    }
    if (binding.count == 0) { // the nearest voxel is not beside the point (RULES 10.3)
        binding.voxels[0] = binding.own;
        binding.weights[0] = sum = 1;
        binding.count = 1;
    }
    for (uint32_t k = 0; k < binding.count; ++k) {
        binding.weights[k] /= sum;
    }
    return binding;
}

static oracle_binding bind_float(const oracle_result* result, const float* position) {
    const double wide[3] = {(double)position[0], (double)position[1], (double)position[2]};
    return oracle_bind_point(result, wide);
}

void oracle_bind(oracle_work* work) {
    oracle_result* result = work->result;
    const tlw_cook_input* input = work->input;
    size_t count = 0;
    for (uint32_t m = 0; m < input->mesh_count; ++m) {
        count += input->meshes[m].role == TLW_ROLE_IGNORE ? 0 : input->meshes[m].vertex_count;
    }
    for (uint32_t g = 0; g < input->points_count; ++g) {
        count += input->points[g].count;
    }
    result->bindings = oracle_allocate(count, sizeof *result->bindings);
    for (uint32_t m = 0; m < input->mesh_count; ++m) {
        const tlw_cook_mesh* mesh = &input->meshes[m];
        for (uint32_t v = 0; mesh->role != TLW_ROLE_IGNORE && v < mesh->vertex_count; ++v) {
            result->bindings[result->binding_count++] =
                bind_float(result, &mesh->positions[(size_t)v * 3]);
        }
    }
    for (uint32_t g = 0; g < input->points_count; ++g) {
        for (uint32_t k = 0; k < input->points[g].count; ++k) {
            result->bindings[result->binding_count++] =
                bind_float(result, &input->points[g].positions[(size_t)k * 3]);
        }
    }
}
