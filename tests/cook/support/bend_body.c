// SPDX-License-Identifier: MIT
// Bodies of cells set by hand, cooked from links on.
#include "tests/cook/support/bend_body.h"

#include "tests/cook/support/cook_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_always_solid(const int32_t cell[3]) {
    (void)cell;
    return true;
}

static void link_voxels(oracle_result* r) {
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        oracle_voxel* voxel = &r->voxels[v];
        for (uint32_t bit = 0; bit < 26; ++bit) {
            int32_t offset[3];
            oracle_offset(bit, offset);
            const bool is_linked =
                oracle_voxel_at(r, voxel->cell[0] + offset[0], voxel->cell[1] + offset[1],
                                voxel->cell[2] + offset[2]) != ORACLE_NONE;
            voxel->links |= (uint32_t)is_linked << bit;
        }
    }
}

bend_body* bend_body_carved(uint32_t x, uint32_t y, uint32_t z, uint32_t joint_count,
                            bool (*is_solid)(const int32_t cell[3])) {
    bend_body* b = oracle_allocate(1, sizeof *b);
    oracle_result* r = &b->result;
    const size_t cells = (size_t)x * y * z;
    *r = (oracle_result){.counts = {x, y, z}, .joint_count = joint_count};
    r->voxels = oracle_allocate(cells, sizeof *r->voxels);
    r->voxel_of_cell = oracle_allocate(cells, sizeof(uint32_t));
    r->touched = oracle_allocate(cells * joint_count, sizeof(bool));
    r->is_kept = oracle_allocate(joint_count, sizeof(bool));
    r->parent = oracle_allocate(joint_count, sizeof(uint32_t));
    for (uint32_t cell = 0; cell < cells; ++cell) {
        const int32_t at[3] = {(int32_t)(cell % x), (int32_t)(cell / x % y),
                               (int32_t)(cell / x / y)};
        r->voxel_of_cell[cell] = is_solid(at) ? r->voxel_count : ORACLE_NONE;
        if (is_solid(at)) {
            oracle_voxel* voxel = &r->voxels[r->voxel_count++];
            memcpy(voxel->cell, at, sizeof at);
            voxel->layer = 3;
        }
    }
    link_voxels(r);
    for (uint32_t j = 0; j < joint_count; ++j) {
        snprintf(b->names[j], sizeof b->names[j], "joint%u", j);
        b->joints[j].name = b->names[j];
        r->is_kept[j] = true;
        r->parent[j] = j == 0 ? ORACLE_NONE : 0;
    }
    b->input = (tlw_cook_input){.joints = b->joints, .joint_count = joint_count};
    b->recipe = scene_recipe();
    b->work = (oracle_work){.input = &b->input, .recipe = &b->recipe, .result = r};
    oracle_measure_skin(&b->work);
    return b;
}

bend_body* bend_body_new(uint32_t x, uint32_t y, uint32_t z, uint32_t joint_count) {
    return bend_body_carved(x, y, z, joint_count, is_always_solid);
}

void bend_body_free(bend_body* body) {
    oracle_free(&body->result);
    free(body);
}

void bend_body_weigh(bend_body* body, uint32_t voxel, const double* weights) {
    double row[BEND_BODY_JOINTS];
    memcpy(row, weights, body->result.joint_count * sizeof *row);
    oracle_take_four_largest(&body->result.voxels[voxel], row, body->result.joint_count);
}

void bend_body_weigh_all(bend_body* body, const double* weights) {
    for (uint32_t v = 0; v < body->result.voxel_count; ++v) {
        bend_body_weigh(body, v, weights);
    }
}

static bool is_in_limb(const int32_t cell[3]) {
    const int32_t y = cell[1] - 4, z = cell[2] - 4;
    return y * y + z * z <= 16;
}

bend_body* bend_body_limb(void) {
    bend_body* b = bend_body_carved(40, 9, 9, 2, is_in_limb);
    oracle_result* r = &b->result;
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        const int32_t* cell = r->voxels[v].cell;
        const bool is_middle = cell[1] == 4 && cell[2] == 4;
        // The bones meet at x = 20, and closed segments touch the cells on both sides of it.
        r->touched[v * 2] = is_middle && cell[0] <= 20;
        r->touched[v * 2 + 1] = is_middle && cell[0] >= 19;
    }
    r->mode = TLW_WEIGHTS_HEAT;
    oracle_finish_weights(&b->work);
    r->parts = oracle_allocate(1, sizeof *r->parts);
    r->part_count = 1;
    r->parts[0] = (oracle_part){.joint = ORACLE_NONE,
                                .bone_share = b->recipe.bone_share,
                                .bone_radius_voxels = b->recipe.bone_radius_voxels};
    for (uint32_t layer = 0; layer < b->recipe.layer_count; ++layer) {
        r->parts[0].ratio[layer] = b->recipe.layers[layer].ratio;
    }
    oracle_make_layers(&b->work);
    return b;
}
