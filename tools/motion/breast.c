// SPDX-License-Identifier: MIT
// Makes the breast: two closed surfaces, half an ellipsoid and a round plate, that overlap a
// little below the border of two layers of voxels, so that a voxel's closest triangle (RULES 5.2)
// is one of its own piece.
#include "tools/motion/breast.h"

#include <math.h>

#define CM      TLW_BREAST_VOXEL_METRES
#define QUARTER 1.5707963267948966

// In voxels. z = 0 is the border between the plate's voxels and those of the breast: the grid is
// centred on the mesh (RULES 2), which is 2 h - 5 high for a breast of the height h, in 9 layers.
#define BREAST_RADIUS (6.87)
#define BREAST_HEIGHT (6.64)
#define BREAST_BASE   (-0.05)
#define PLATE_RADIUS  (8.15)
#define PLATE_TOP     (-0.1)
#define PLATE_BOTTOM  (5 - BREAST_HEIGHT)
enum { AROUND = 64, STEPS = 24, DISC_STEPS = 4 };
enum { BREAST_POINTS = STEPS + DISC_STEPS + 1, PLATE_POINTS = 4 };

static void make_surface(tlw_breast* breast) {
    tlw_revolve_point points[BREAST_POINTS];
    for (int i = 0; i < DISC_STEPS; ++i) { // the disc below it
        points[i] = (tlw_revolve_point){BREAST_BASE * CM, BREAST_RADIUS * CM * i / DISC_STEPS};
    }
    for (int i = 0; i <= STEPS; ++i) {
        const double angle = QUARTER * i / STEPS;
        const double height = i == 0 ? BREAST_BASE : BREAST_HEIGHT * sin(angle);
        points[DISC_STEPS + i] =
            (tlw_revolve_point){height * CM, i == STEPS ? 0 : BREAST_RADIUS * cos(angle) * CM};
    }
    tlw_revolve_add(&breast->surface, points, BREAST_POINTS, AROUND, 2);
    const uint32_t first = breast->surface.vertex_count;
    const tlw_revolve_point plate[PLATE_POINTS] = {{PLATE_BOTTOM * CM, 0},
                                                   {PLATE_BOTTOM * CM, PLATE_RADIUS * CM},
                                                   {PLATE_TOP * CM, PLATE_RADIUS * CM},
                                                   {PLATE_TOP * CM, 0}};
    tlw_revolve_add(&breast->surface, plate, PLATE_POINTS, AROUND, 2);
    for (uint32_t v = first; v < breast->surface.vertex_count; ++v) {
        tlw_revolve_weigh(&breast->surface, v, 1);
    }
}

// The breast's segment runs to the plate's joint, and that of the plate from there through the
// mean of its vertices: both are in the plate, so that no voxel of the breast is touched by one.
static void make_joints(tlw_breast* breast) {
    static const char* const names[TLW_BREAST_JOINTS] = {"breast", "plate"};
    for (uint32_t j = 0; j < TLW_BREAST_JOINTS; ++j) {
        breast->joints[j] =
            (tlw_cook_joint){.name = names[j], .parent = j == 0 ? TLW_NO_JOINT : j - 1};
        for (int i = 0; i < 4; ++i) {
            breast->joints[j].bind[i * 5] = 1;
        }
        breast->joints[j].bind[12] = (j == 0 ? -7 : 7) * CM;
        breast->joints[j].bind[14] = -0.5 * CM;
        breast->parts[j] = tlw_default_cook_part(names[j]);
    }
    breast->cut = (tlw_cook_cut){names[0], names[1], TLW_CUT_NEVER};
}

static void make_recipe(tlw_breast* breast, bool is_lame) {
    tlw_cook_recipe* recipe = &breast->recipe;
    recipe->resolution = 0;
    recipe->voxel_metres = CM;
    recipe->smoothing_passes = 0;
    recipe->is_firm_auto = false;
    recipe->volume_reach = 0;
    recipe->parts = breast->parts;
    recipe->part_count = TLW_BREAST_JOINTS;
    recipe->cuts = &breast->cut;
    recipe->cut_count = 1;
    breast->parts[TLW_BREAST_PLATE].bone_radius_voxels = 100;
    breast->parts[TLW_BREAST_JOINT].bone_radius_voxels = 0;
    // Nothing is below 0: the layer above bone, muscle, has no voxels.
    breast->parts[TLW_BREAST_JOINT].ratio[1] = (tlw_cook_fraction){0, 1};
    for (uint32_t layer = recipe->layer_count - 2; layer < recipe->layer_count && is_lame;
         ++layer) {
        const double poisson = TLW_BREAST_LAMBDA_SHARE / (2 * (TLW_BREAST_LAMBDA_SHARE + 1));
        const double young_kpa = 2 * TLW_BREAST_MU_PASCAL * (1 + poisson) / 1000;
        breast->parts[TLW_BREAST_JOINT].lame[layer] =
            (tlw_cook_lame){.solver = TLW_SOLVER_LAME,
                            .young_kpa = (float)young_kpa,
                            .poisson = (float)poisson,
                            .density = (float)TLW_BREAST_DENSITY};
    }
}

bool tlw_breast_make(tlw_breast* breast, bool is_lame) {
    *breast = (tlw_breast){.recipe = tlw_default_cook_recipe()};
    if (!tlw_revolve_create(&breast->surface,
                            tlw_revolve_vertices(BREAST_POINTS, AROUND) +
                                tlw_revolve_vertices(PLATE_POINTS, AROUND),
                            tlw_revolve_triangles(BREAST_POINTS, AROUND) +
                                tlw_revolve_triangles(PLATE_POINTS, AROUND))) {
        return false;
    }
    make_surface(breast);
    make_joints(breast);
    make_recipe(breast, is_lame);
    breast->mesh = tlw_revolve_mesh(&breast->surface, "breast");
    breast->input = (tlw_cook_input){.joints = breast->joints,
                                     .joint_count = TLW_BREAST_JOINTS,
                                     .meshes = &breast->mesh,
                                     .mesh_count = 1};
    return true;
}

void tlw_breast_free(tlw_breast* breast) {
    tlw_revolve_free(&breast->surface);
}
