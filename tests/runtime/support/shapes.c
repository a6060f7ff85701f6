// SPDX-License-Identifier: MIT
// Builds the shapes' meshes and cooks each into an oracle_pair.
#include "tests/runtime/support/shapes.h"

#include "tests/test.h"

// Weights for rods and plates: joints at one end only, so that one voxel is bone and the rest is
// soft. The second joint has less than half of the weight of any vertex, so it gets no segment
// (RULES 4).
static void weigh_soft(scene* s, int axis, double low, double high) {
    scene_mesh* mesh = &s->meshes[s->mesh_count - 1];
    mesh->has_weights = true;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        const double at = (double)mesh->positions[3 * v + (uint32_t)axis];
        const double t = fmin(fmax((at - low) / (high - low), 0), 1);
        mesh->joints[4 * v] = 0;
        mesh->joints[4 * v + 1] = 1;
        mesh->weights[4 * v] = (float)(1 - 0.45 * t);
        mesh->weights[4 * v + 1] = (float)(0.45 * t);
    }
}

// A box with sides of x, y and z metres around a point off the origin; all of it is soft except its
// low end along `axis`.
static scene* soft_box(double x, double y, double z, int axis) {
    const double size[3] = {x, y, z}, off[3] = {0.3, -0.2, 0.1};
    double low[3], high[3], joint[3];
    scene* s = scene_new();
    for (int a = 0; a < 3; ++a) {
        low[a] = off[a] - 0.5 * size[a];
        high[a] = off[a] + 0.5 * size[a];
        joint[a] = a == axis ? low[a] + 0.02 * size[a] : off[a];
    }
    scene_add_box(s, low, high);
    scene_add_joint(s, TLW_NO_JOINT, joint[0], joint[1], joint[2]);
    joint[axis] += 0.01 * size[axis];
    scene_add_joint(s, 0, joint[0], joint[1], joint[2]);
    weigh_soft(s, axis, low[axis], high[axis]);
    return s;
}

// Two voxels that touch nothing, not even each other.
static scene* lone_voxels(void) {
    scene* s = scene_new();
    scene_add_box(s, (double[3]){0, 0, 0}, (double[3]){0.05, 0.05, 0.05});
    scene_weigh_rigidly(s, 0, 0);
    scene_add_box(s, (double[3]){0.9, 0, 0}, (double[3]){1, 0.05, 0.05});
    scene_weigh_rigidly(s, 8, 1);
    scene_add_joint(s, TLW_NO_JOINT, 0.02, 0.02, 0.02);
    scene_add_joint(s, 0, 0.95, 0.02, 0.02);
    return s;
}

static const struct {
    const char* name;
    uint32_t resolution;
} shapes[SHAPE_COUNT] = {
#define SHAPE_ROW(name, resolution, make) {#name, resolution},
    SHAPES(SHAPE_ROW)
#undef SHAPE_ROW
};

const char* shape_name(shape which) {
    return shapes[which].name;
}

static scene* make_shape(shape which) {
    switch (which) {
#define SHAPE_MAKE(name, resolution, make) \
    case SHAPE_##name:                     \
        return make;
        SHAPES(SHAPE_MAKE)
#undef SHAPE_MAKE
    default:
        return NULL;
    }
}

oracle_pair* shape_pair(shape which, uint32_t region_width, uint32_t neighbours,
                        const oracle_pair_def* def) {
    static const tlw_cook_cut cuts[] = {{"joint0", "joint2", TLW_CUT_ALL},
                                        {"joint0", "joint1", TLW_CUT_ALL}};
    scene* s = make_shape(which);
    CHECK(s != NULL);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = shapes[which].resolution;
    recipe.region_width = region_width;
    recipe.neighbours = neighbours;
    if (which == SHAPE_ell_with_cuts) {
        recipe.cuts = cuts;
        recipe.cut_count = TLW_COUNT_OF(cuts);
    }
    oracle_pair* pair = pair_make(scene_input(s), &recipe, def);
    scene_free(s);
    return pair;
}

oracle_pair* long_bar_pair(const oracle_pair_def* def) {
    scene* s = soft_box(1, 3.0 / 260, 2.0 / 260, 0);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 260;
    oracle_pair* pair = pair_make(scene_input(s), &recipe, def);
    scene_free(s);
    return pair;
}

double shape_liveliness(const oracle_pair* pair) {
    return fmin(1, pair->info.extent_voxels / 15);
}
