// SPDX-License-Identifier: MIT
// Paint (RULES 8.7) and borders of parts (RULES 8.5): what the stages make of them, voxel by voxel.
#include "tests/cook/support/cook_scenes.h"
#include "tests/test.h"
#include "tools/cook/stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES_MAX = 64 };

// A thick bar along x on two joints. Paint goes to the box's corners.
typedef struct canvas {
    scene* scene;
    tlw_cook_input input;
    tlw_cook_mesh meshes[SCENE_MESHES_MAX];
    float paint[VERTICES_MAX];
    tlw_cook_recipe recipe;
    tlw_cook_output out;
    tlw_task_system tasks;
    tlw_cook cook;
} canvas;

static void make_canvas(canvas* c, bool has_weights) {
    *c = (canvas){.scene = scene_new()};
    scene_add_box(c->scene, (double[3]){-1, -0.5, -0.5}, (double[3]){1, 0.5, 0.5});
    scene_add_joint(c->scene, TLW_NO_JOINT, -0.7, 0, 0);
    scene_add_joint(c->scene, 0, 0.7, 0, 0);
    if (has_weights) {
        scene_weigh_by_distance(c->scene, 0, NULL);
    }
    c->input = *scene_input(c->scene);
    memcpy(c->meshes, c->input.meshes, c->input.mesh_count * sizeof *c->meshes);
    c->input.meshes = c->meshes;
    CHECK_LE(c->meshes[0].vertex_count, VERTICES_MAX);
    c->recipe = tlw_default_cook_recipe();
    c->recipe.resolution = 28;
    c->recipe.is_firm_auto = false;
}

static void run_canvas(canvas* c) {
    c->tasks = tlw_serial_task_system();
    c->cook = (tlw_cook){.input = &c->input, .recipe = &c->recipe, .tasks = &c->tasks};
    (void)tlw_cook_run_stages(&c->cook);
    CHECK_STRING(c->cook.error.message, "");
}

static void free_canvas(canvas* c) {
    tlw_cook_free_stages(&c->cook);
    scene_free(c->scene);
}

// 0 on the left, `right` on the right.
static void paint_right(canvas* c, tlw_cook_paint what, float left, float right) {
    for (uint32_t v = 0; v < c->meshes[0].vertex_count; ++v) {
        c->paint[v] = c->meshes[0].positions[v * 3] < 0 ? left : right;
    }
    c->meshes[0].paint[what] = c->paint;
}

// A box has no vertices in between, so the colour runs evenly from end to end: along its long
// sides, half a voxel off the surface, the closest point is right beside the voxel.
TLW_TEST(paint_comes_from_the_closest_point_of_the_mesh) {
    for (int has_weights = 0; has_weights < 2; ++has_weights) {
        canvas c;
        uint32_t seen = 0;
        make_canvas(&c, has_weights);
        c.recipe.smoothing_passes = 0;
        paint_right(&c, TLW_PAINT_STIFFNESS, 0.25f, 1.0f);
        run_canvas(&c);
        const uint32_t* painted = c.cook.paint.of_voxel[TLW_PAINT_STIFFNESS];
        CHECK(c.cook.paint.of_voxel[TLW_PAINT_FAT] == NULL);
        for (uint32_t v = 0; v < c.cook.voxels.count; ++v) {
            const tlw_double3 at =
                tlw_cook_voxel_centre(&c.cook.grid, c.cook.voxels.coordinates[v]);
            const double off = fmax(fabs(at.y), fabs(at.z));
            if (fabs(at.x) < 0.8 && off > 0.4 && fabs(fabs(at.y) - fabs(at.z)) > 0.1) {
                const double want = 0.25 + 0.75 * (at.x + 1) / 2;
                CHECK_NEAR((double)painted[v] / 65536, want, 1e-5);
                seen += 1;
            }
        }
        CHECK_LT(100u, seen);
        free_canvas(&c);
    }
}

TLW_TEST(paint_is_smoothed_as_weights_are_and_only_inside) {
    canvas raw, smooth;
    make_canvas(&raw, true);
    make_canvas(&smooth, true);
    raw.recipe.smoothing_passes = 0;
    smooth.recipe.smoothing_passes = 1;
    paint_right(&raw, TLW_PAINT_FAT, 0, 1);
    paint_right(&smooth, TLW_PAINT_FAT, 0, 1);
    run_canvas(&raw);
    run_canvas(&smooth);
    const uint32_t *a = raw.cook.paint.of_voxel[TLW_PAINT_FAT],
                   *b = smooth.cook.paint.of_voxel[TLW_PAINT_FAT];
    uint32_t changed = 0;
    for (uint32_t v = 0; v < raw.cook.voxels.count; ++v) {
        const uint32_t links = raw.cook.links.masks[v] & TLW_FACE_STEPS;
        double mean = a[v];
        if (links == TLW_FACE_STEPS) {
            mean = 0;
            for (uint32_t left = links; left != 0; left &= left - 1) {
                mean += a[tlw_linked_voxel(&raw.cook, v, __builtin_ctz(left))] / 6.0;
            }
        }
        CHECK_NEAR(b[v], mean, 1.01); // both are rounded
        changed += b[v] != a[v];
    }
    CHECK_LT(100u, changed);
    free_canvas(&raw);
    free_canvas(&smooth);
}

TLW_TEST(painted_fat_takes_the_place_of_muscle) {
    canvas plain, fat;
    make_canvas(&plain, true);
    make_canvas(&fat, true);
    paint_right(&fat, TLW_PAINT_FAT, 0, 1);
    run_canvas(&plain);
    run_canvas(&fat);
    const tlw_cook_anatomy *before = &plain.cook.anatomy, *after = &fat.cook.anatomy;
    for (uint32_t v = 0; v < fat.cook.voxels.count; ++v) {
        const uint32_t painted = fat.cook.paint.of_voxel[TLW_PAINT_FAT][v];
        if (before->layer[v] == 0 || before->d_skin[v] == 0) {
            CHECK_EQ(after->layer[v], before->layer[v]);
            continue;
        }
        const uint64_t left = (uint64_t)before->d_bone[v] * 10 * 65536;
        const uint64_t right =
            (uint64_t)6 * (65536 - painted) * ((uint64_t)before->d_bone[v] + before->d_skin[v]);
        CHECK_EQ(after->layer[v], left <= right ? 1u : 2u);
    }
    printf("    muscle: %u voxels of %u, painted %u\n", before->layer_voxels[1],
           plain.cook.voxels.count, after->layer_voxels[1]);
    CHECK_LT(after->layer_voxels[1], before->layer_voxels[1] * 3 / 4);
    CHECK_LT(0u, after->layer_voxels[1]); // the left is as before
    free_canvas(&plain);
    free_canvas(&fat);
}

TLW_TEST(painted_stiffness_is_a_quarter_to_four) {
    canvas c;
    make_canvas(&c, true);
    paint_right(&c, TLW_PAINT_STIFFNESS, 0, 1);
    run_canvas(&c);
    uint64_t count;
    const float* factor = tlw_blob_find(c.cook.blob, TLW_SECTION_SLOT_STIFFNESS, &count);
    CHECK_EQ(count, c.cook.order.slot_count);
    float least = 4, most = 0;
    for (uint32_t v = 0; v < c.cook.voxels.count; ++v) {
        const double painted = c.cook.paint.of_voxel[TLW_PAINT_STIFFNESS][v] / 65536.0;
        const float is = factor[c.cook.order.slot_of_voxel[v]];
        CHECK_NEAR((double)is, pow(4, 2 * painted - 1), 4e-7);
        least = fminf(least, is);
        most = fmaxf(most, is);
    }
    CHECK_EQ(least, 0.25f);
    CHECK_EQ(most, 4.0f);
    free_canvas(&c);
}

// Two boxes that share a face's corners: the first is painted, the second has no attribute. Corners
// that were welded have the paint of the first.
TLW_TEST(meshes_without_the_attribute_count_as_unpainted) {
    static const struct {
        tlw_cook_paint what;
        double unpainted;
    } rows[] = {{TLW_PAINT_FAT, 0.0}, {TLW_PAINT_STIFFNESS, 0.5}};
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        canvas c;
        uint32_t seen = 0;
        make_canvas(&c, false);
        scene_add_mesh(c.scene, TLW_ROLE_VOXELISE);
        scene_add_box(c.scene, (double[3]){1, -0.5, -0.5}, (double[3]){3, 0.5, 0.5});
        scene_add_mesh(c.scene, TLW_ROLE_RIDE); // its paint is not read
        scene_add_box(c.scene, (double[3]){1, -0.5, -0.5}, (double[3]){3, 0.5, 0.5});
        c.input = *scene_input(c.scene);
        memcpy(c.meshes, c.input.meshes, c.input.mesh_count * sizeof *c.meshes);
        c.input.meshes = c.meshes;
        c.recipe.smoothing_passes = 0;
        for (uint32_t v = 0; v < c.meshes[0].vertex_count; ++v) {
            c.paint[v] = 1.0f;
        }
        c.meshes[0].paint[rows[n].what] = c.meshes[2].paint[rows[n].what] = c.paint;
        run_canvas(&c);
        for (uint32_t v = 0; v < c.cook.voxels.count; ++v) {
            const tlw_double3 at =
                tlw_cook_voxel_centre(&c.cook.grid, c.cook.voxels.coordinates[v]);
            const double off = fmax(fabs(at.y), fabs(at.z));
            const double side = fabs(fabs(at.y) - fabs(at.z));
            if (off < 0.4 || side < 0.15 || fabs(at.x) > 2.7 || fabs(at.x - 1) < 0.2 ||
                at.x < -0.7) {
                continue;
            }
            // 1 in the first box, from there to nothing in the second.
            const double t = fmax(0, (at.x - 1) / 2), want = 1 + (rows[n].unpainted - 1) * t;
            CHECK_NEAR(c.cook.paint.of_voxel[rows[n].what][v] / 65536.0, want, 1e-5);
            seen += 1;
        }
        CHECK_LT(100u, seen);
        free_canvas(&c);
    }
}

TLW_TEST(paint_outside_0_to_1_is_refused_by_vertex_and_value) {
    static const struct {
        float value;
        const char* message;
    } rows[] = {{1.5f, "mesh 'mesh0': the painted fat of vertex 2 is 1.5; it is 0 to 1"},
                {-0.25f, "mesh 'mesh0': the painted fat of vertex 2 is -0.25; it is 0 to 1"},
                {NAN, "mesh 'mesh0': the painted fat of vertex 2 is nan; it is 0 to 1"}};
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        canvas c;
        make_canvas(&c, true);
        paint_right(&c, TLW_PAINT_FAT, 0, 1);
        c.meshes[0].name = "mesh0";
        c.paint[2] = rows[n].value;
        const tlw_cook_options options = tlw_default_cook_options();
        CHECK_RESULT(tlw_cook_character(&c.input, &c.recipe, &options, &c.out),
                     TLW_ERROR_BAD_ARGUMENT);
        CHECK_STRING(c.out.error.message, rows[n].message);
        CHECK(!c.out.error.is_of_recipe);
        tlw_cook_output_free(&c.out);
        scene_free(c.scene);
    }
}

// ---- Borders

// A plus of seven voxels; the middle one belongs to joint 0, the others to the joints given, in the
// order -z, -y, -x, +x, +y, +z. Joint j has part j.
static tlw_blob_blend blend_of_middle(const uint32_t around[6], uint8_t layer, uint32_t cut) {
    static const int32_t cells[7][3] = {{1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1},
                                        {2, 1, 1}, {1, 2, 1}, {1, 1, 2}};
    static const int steps[7] = {4, 10, 12, -1, 13, 15, 21};
    tlw_int3 coordinates[7];
    uint32_t index[27], masks[7] = {0}, of_joint[] = {0, 1, 2, 3};
    uint8_t layers[7] = {1, 1, 1, layer, 1, 1, 1};
    tlw_voxel_weights weights[7];
    memset(index, 0xFF, sizeof index);
    for (uint32_t v = 0; v < 7; ++v) {
        const int32_t* cell = cells[v];
        const uint32_t joint = v == 3 ? 0 : around[v < 3 ? v : v - 1];
        coordinates[v] = (tlw_int3){cell[0], cell[1], cell[2]};
        index[cell[0] + 3 * cell[1] + 9 * cell[2]] = v;
        weights[v] = (tlw_voxel_weights){{joint}, {1.0}};
        if (v != 3 && (cut >> (v < 3 ? v : v - 1) & 1) == 0) {
            masks[3] |= 1u << steps[v];
        }
    }
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    tlw_cook cook = {.recipe = &recipe,
                     .grid = {.size = {3, 3, 3}},
                     .voxels = {.count = 7, .coordinates = coordinates, .index = index},
                     .links = {.masks = masks},
                     .weights = weights,
                     .parts = {.of_joint = of_joint, .count = 4}};
    cook.anatomy.layer = layers;
    CHECK_OK(tlw_cook_blend_borders(&cook));
    const tlw_blob_blend blend = cook.blends.of_voxel[3];
    CHECK_EQ(cook.blends.count, blend.share > 0 ? 1u : 0u); // the others have no links
    tlw_cook_free_stages(&cook);
    return blend;
}

TLW_TEST(a_voxel_blends_with_the_part_behind_most_of_its_linked_faces) {
    static const struct {
        uint32_t around[6];
        uint8_t layer;
        uint32_t cut;
        uint32_t material; // part * 4 + layer; 0: none
    } rows[] = {
        {{0, 0, 0, 0, 0, 0}, 1, 0, 0},        {{0, 0, 0, 0, 0, 2}, 1, 0, 9},
        {{0, 0, 3, 0, 0, 2}, 2, 0, 10},       // of equally many the lowest
        {{3, 1, 3, 0, 2, 0}, 3, 0, 15},       // most faces
        {{3, 1, 3, 2, 2, 0}, 3, 0, 11},       // 2 and 3 have two each
        {{3, 1, 3, 2, 2, 0}, 3, 1u << 3, 15}, // one of them is cut
        {{3, 3, 3, 3, 3, 3}, 0, 0, 0},        // bone
        {{1, 1, 1, 1, 1, 1}, 1, 0x3F, 0},     // all cut
        {{0, 0, 0, 0, 0, 1}, 3, 0, 7},
    };
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        const tlw_blob_blend blend = blend_of_middle(rows[n].around, rows[n].layer, rows[n].cut);
        CHECK_EQ(blend.material, rows[n].material);
        CHECK_EQ(blend.share, rows[n].material > 0 ? 16384 : 0);
    }
}
