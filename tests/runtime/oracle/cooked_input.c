// SPDX-License-Identifier: MIT
// Copies the result of the cooking oracle into the arrays that the runtime's oracle reads.
#include "tests/runtime/oracle/cooked_input.h"

#include "tests/cook/oracle/oracle_mesh.h"
#include "tests/runtime/oracle/voxel_arrays.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

struct cooked_arrays {
    oracle_result result;
    voxel_arrays voxels;
    uint32_t (*region)[8];
    double (*bind)[16];
    uint32_t* parent;
    oracle_bend_rest* bends;
    oracle_limb_rest* limbs;
};

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count ? count : 1, bytes);
    CHECK(memory != NULL);
    return memory;
}

static void copy_voxels(cooked_input* c, struct cooked_arrays* arrays,
                        const tlw_cook_recipe* recipe) {
    const oracle_result* r = &arrays->result;
    const uint32_t n = r->voxel_count;
    voxel_arrays* a = &arrays->voxels;
    *a = voxel_arrays_make(n);
    for (uint32_t i = 0; i < n; ++i) {
        const oracle_voxel* v = &r->voxels[i];
        memcpy(a->cell[i], v->cell, sizeof a->cell[i]);
        memcpy(a->joint[i], v->joints, sizeof a->joint[i]);
        memcpy(a->weight[i], v->weights, sizeof a->weight[i]);
        a->layer[i] = (uint8_t)v->layer;
        a->material[i] = (uint16_t)(v->part * recipe->layer_count + v->layer);
        a->links[i] = v->links;
        a->limit[i] = v->d_max;
        a->volume_weight[i] = v->layer == 0 ? 0 : v->eq13;
        memcpy(a->bend[i], v->bends, sizeof a->bend[i]);
        memcpy(a->bend_share[i], v->shares, sizeof a->bend_share[i]);
        memcpy(a->field[i], v->field, sizeof a->field[i]);
        a->limb_touches[i] = v->limbs;
        a->limb_halves[i] = v->half_limbs;
    }
    c->input.voxel_count = n;
    voxel_arrays_show(a, &c->input);
}

static void copy_bends(cooked_input* c, struct cooked_arrays* a) {
    const oracle_result* r = &a->result;
    a->bends = allocate(r->bend_count, sizeof *a->bends);
    for (uint32_t k = 0; k < r->bend_count; ++k) {
        a->bends[k] = (oracle_bend_rest){r->bends[k].volume, r->bends[k].slope, r->bends[k].reach};
    }
    c->input.bend_count = r->bend_count;
    c->input.bends = a->bends;
}

static void copy_limbs(cooked_input* c, struct cooked_arrays* a) {
    const oracle_result* r = &a->result;
    a->limbs = allocate(r->limb_count, sizeof *a->limbs);
    for (uint32_t k = 0; k < r->limb_count; ++k) {
        const oracle_limb* limb = &r->limbs[k];
        a->limbs[k].joint = limb->joint;
        memcpy(a->limbs[k].ends, limb->ends, sizeof limb->ends);
        memcpy(a->limbs[k].radii, limb->radius, sizeof limb->radius);
    }
    c->input.limb_count = r->limb_count;
    c->input.limbs = a->limbs;
}

static void copy_regions(cooked_input* c, struct cooked_arrays* a) {
    const oracle_result* r = &a->result;
    a->region = allocate(r->cube_count, sizeof *a->region);
    for (uint32_t i = 0; i < r->cube_count; ++i) {
        const oracle_cube* cube = &r->cubes[i];
        for (int k = 0; k < 8; ++k) {
            const bool is_in = (cube->mask >> k & 1) != 0;
            a->region[i][k] =
                !is_in ? ORACLE_NO_VOXEL
                       : oracle_voxel_at(r, cube->cell[0] + (k & 1), cube->cell[1] + (k >> 1 & 1),
                                         cube->cell[2] + (k >> 2));
        }
    }
    c->input.region_count = r->cube_count;
    c->input.region = (const uint32_t(*)[8])a->region;
}

// Vertices and points with their stored weights (RULES 10.5), which the cooking oracle rounds.
static void copy_points(cooked_input* c, const struct cooked_arrays* a, const tlw_cook_input* input,
                        const tlw_cook_recipe* recipe) {
    const oracle_result* r = &a->result;
    tlw_cook_recipe own = *recipe; // rings and rbf are not read
    own.embedding = TLW_COOK_EMBED_FIT;
    own.has_ring_normals = false;
    oracle_mesh mesh;
    const char* wrong = oracle_cook_mesh(input, &own, r, &mesh);
    CHECK_STRING(wrong ? wrong : "", "");
    c->points = allocate(mesh.vertex_count, sizeof *c->points);
    c->point_count = mesh.vertex_count;
    for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
        const oracle_vertex* vertex = &mesh.vertices[v];
        oracle_bound_point* point = &c->points[v];
        for (int axis = 0; axis < 3; ++axis) {
            point->rest[axis] = ((double)vertex->position[axis] - r->origin[axis]) / r->s;
            point->normal[axis] = (double)vertex->normal[axis];
        }
        for (uint32_t k = 0; k < vertex->voxels.count; ++k) {
            point->voxel[k] = vertex->voxels.index[k];
            point->weight[k] = (double)vertex->voxels.weight[k] / ORACLE_WEIGHT_ONE;
        }
        for (uint32_t k = 0; k < vertex->joints.count; ++k) {
            point->joint[k] = vertex->joints.index[k];
            point->skinning[k] = (double)vertex->joints.weight[k] / ORACLE_WEIGHT_ONE;
        }
    }
    oracle_free_mesh(&mesh);
}

cooked_input* cooked_input_make(const tlw_cook_input* input, const tlw_cook_recipe* recipe) {
    cooked_input* c = allocate(1, sizeof *c);
    struct cooked_arrays* a = c->arrays = allocate(1, sizeof *a);
    const char* wrong = oracle_cook(input, recipe, &a->result);
    CHECK_STRING(wrong ? wrong : "", "");
    const oracle_result* r = &a->result;
    copy_voxels(c, a, recipe);
    copy_bends(c, a);
    copy_limbs(c, a);
    if (recipe->region_width == 2) {
        copy_regions(c, a);
    }
    copy_points(c, a, input, recipe);
    a->bind = allocate(input->joint_count, sizeof *a->bind);
    a->parent = allocate(input->joint_count, sizeof *a->parent);
    for (uint32_t j = 0; j < input->joint_count; ++j) {
        const uint32_t parent = input->joints[j].parent;
        memcpy(a->bind[j], input->joints[j].bind, sizeof a->bind[j]);
        a->parent[j] = parent == TLW_NO_JOINT ? ORACLE_NO_PARENT : parent;
    }
    c->input.parent = a->parent;
    for (int axis = 0; axis < 3; ++axis) {
        c->input.rest_gravity[axis] = (double)recipe->rest_gravity[axis];
    }
    c->input.skinning =
        recipe->skinning == TLW_SKINNING_DUAL ? ORACLE_SKINNING_DUAL : ORACLE_SKINNING_LINEAR;
    c->input.neighbours = recipe->neighbours;
    c->input.region_width = recipe->region_width;
    c->input.joint_count = input->joint_count;
    c->input.bind = (const double(*)[16])a->bind;
    c->input.voxel_metres = r->s;
    memcpy(c->input.origin, r->origin, sizeof c->input.origin);
    c->input.extent_voxels = r->length;
    const double resolution = recipe->resolution > 0 ? recipe->resolution : r->length + 0.5;
    c->input.stiffness_scale = pow(resolution / 32, 2); // MODEL 3.10
    return c;
}

void cooked_input_free(cooked_input* c) {
    struct cooked_arrays* a = c->arrays;
    voxel_arrays_free(&a->voxels);
    free(a->region);
    free(a->bind);
    free(a->parent);
    free(a->bends);
    free(a->limbs);
    free(c->points);
    oracle_free(&a->result);
    free(a);
    free(c);
}
