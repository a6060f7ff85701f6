// SPDX-License-Identifier: MIT
// The oracle cooker: runs RULES 1 to 10 one after another, and answers the tests' questions about
// the result.
#include "tests/cook/oracle/oracle.h"

#include "tests/cook/oracle/oracle_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void* oracle_allocate(size_t count, size_t bytes) {
    void* memory = calloc(count > 0 ? count : 1, bytes);
    if (memory == NULL) {
        fputs("oracle: out of memory\n", stderr);
        abort();
    }
    return memory;
}

uint32_t oracle_voxel_at(const oracle_result* result, int32_t x, int32_t y, int32_t z) {
    if (x < 0 || y < 0 || z < 0 || (uint32_t)x >= result->counts[0] ||
        (uint32_t)y >= result->counts[1] || (uint32_t)z >= result->counts[2]) {
        return ORACLE_NONE;
    }
    return result->voxel_of_cell[((size_t)z * result->counts[1] + (size_t)y) * result->counts[0] +
                                 (size_t)x];
}

void oracle_offset(uint32_t bit, int32_t offset[3]) {
    int32_t at = (int32_t)(bit < 13 ? bit : bit + 1); // cell 13 of the 27 is the voxel itself
    offset[0] = at % 3 - 1;
    offset[1] = at / 3 % 3 - 1;
    offset[2] = at / 9 - 1;
}

uint32_t oracle_neighbour_bits(uint32_t set) {
    uint32_t bits = 0;
    for (uint32_t bit = 0; bit < 26; ++bit) {
        int32_t offset[3];
        oracle_offset(bit, offset);
        int steps = abs(offset[0]) + abs(offset[1]) + abs(offset[2]);
        bool is_in = false;
        switch (set) {
        case 6:
            is_in = steps == 1;
            break;
        case 14: // 6 faces, 8 corners
            is_in = steps == 1 || steps == 3;
            break;
        case 18: // 6 faces, 12 edges
            is_in = steps == 1 || steps == 2;
            break;
        case 20: // 12 edges, 8 corners
            is_in = steps == 2 || steps == 3;
            break;
        case 26:
            is_in = true;
            break;
        default:
            break;
        }
        bits |= (uint32_t)is_in << bit;
    }
    return bits;
}

uint32_t oracle_neighbours(const oracle_result* result, uint32_t set, uint32_t voxel,
                           uint32_t list[26]) {
    const oracle_voxel* v = &result->voxels[voxel];
    uint32_t bits = v->links & oracle_neighbour_bits(set);
    uint32_t count = 0;
    for (uint32_t bit = 0; bit < 26; ++bit) {
        if ((bits >> bit & 1) != 0) {
            int32_t offset[3];
            oracle_offset(bit, offset);
            list[count++] = oracle_voxel_at(result, v->cell[0] + offset[0], v->cell[1] + offset[1],
                                            v->cell[2] + offset[2]);
        }
    }
    return count;
}

double oracle_weight(const oracle_voxel* voxel, uint32_t joint) {
    for (int k = 0; k < 4; ++k) {
        if (voxel->joints[k] == joint && joint != ORACLE_NONE) {
            return voxel->weights[k];
        }
    }
    return 0;
}

static const char* exclude_joints(oracle_work* work) {
    const tlw_cook_input* input = work->input;
    work->is_excluded = oracle_allocate(input->joint_count, sizeof(bool));
    for (uint32_t e = 0; e < work->recipe->excluded_joint_count; ++e) {
        bool is_found = false;
        for (uint32_t j = 0; j < input->joint_count; ++j) {
            if (strcmp(input->joints[j].name, work->recipe->excluded_joints[e]) == 0) {
                work->is_excluded[j] = is_found = true;
            }
        }
        if (!is_found) {
            return "an excluded joint is not in the skeleton";
        }
    }
    return NULL;
}

static void link_all(oracle_result* result) {
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        for (uint32_t bit = 0; bit < 26; ++bit) {
            int32_t offset[3];
            oracle_offset(bit, offset);
            if (oracle_voxel_at(result, voxel->cell[0] + offset[0], voxel->cell[1] + offset[1],
                                voxel->cell[2] + offset[2]) != ORACLE_NONE) {
                voxel->all_links |= 1u << bit;
            }
        }
        voxel->links = voxel->all_links;
    }
}

static const char* cook(oracle_work* work) {
    const tlw_cook_recipe* recipe = work->recipe;
    if (recipe->layer_count < 2 || recipe->layer_count > TLW_COOK_LAYERS_MAX) {
        return "2 to 8 layers";
    }
    if (recipe->region_width != 2 && recipe->region_width != 3) {
        return "regions are 2 or 3 wide";
    }
    if (oracle_neighbour_bits(recipe->neighbours) == 0) {
        return "no such neighbour set";
    }
    const char* error = exclude_joints(work);
    if (error == NULL) {
        error = oracle_weld(work);
    }
    if (error == NULL) {
        error = oracle_make_grid(work);
    }
    if (error != NULL) {
        return error;
    }
    oracle_voxelise(work);
    oracle_make_segments(work);
    link_all(work->result);
    error = oracle_make_weights(work);
    if (error != NULL) {
        return error;
    }
    oracle_make_links(work);
    oracle_finish_weights(work);
    oracle_make_paint(work);
    oracle_measure_skin(work);
    error = oracle_make_parts(work);
    if (error == NULL) {
        error = oracle_make_profiles(work);
    }
    if (error != NULL) {
        return error;
    }
    oracle_make_layers(work);
    oracle_make_blends(work);
    oracle_make_regions(work);
    oracle_make_bends(work);
    oracle_make_limbs(work);
    error = oracle_make_muscles(work);
    if (error == NULL) {
        error = oracle_make_lame(work);
    }
    if (error != NULL) {
        return error;
    }
    oracle_make_bellies(work);
    oracle_bind(work);
    return NULL;
}

const char* oracle_cook(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                        oracle_result* result) {
    memset(result, 0, sizeof *result);
    oracle_work work = {.input = input, .recipe = recipe, .result = result};
    const char* error = cook(&work);
    free(work.is_excluded);
    free(work.positions);
    free(work.vertex_weight);
    free(work.is_weighted);
    free(work.vertex_paint);
    free(work.triangles);
    free(work.snapped);
    free(work.scaled);
    free(work.closest);
    return error;
}

void oracle_free(oracle_result* result) {
    free(result->voxels);
    free(result->voxel_of_cell);
    free(result->is_kept);
    free(result->parent);
    free(result->segments);
    free(result->touched);
    free(result->cuts);
    free(result->parts);
    free(result->joint_part);
    free(result->profile_parts);
    free(result->region_first);
    free(result->region_voxels);
    free(result->cubes);
    free(result->neighbour_first);
    free(result->neighbour_voxels);
    free(result->bends);
    free(result->limbs);
    free(result->bend_pairs);
    free(result->muscles);
    free(result->bellies);
    free(result->bindings);
    memset(result, 0, sizeof *result);
}
