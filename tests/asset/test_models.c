// SPDX-License-Identifier: MIT
// Real characters, where a folder has them: TLW_MODELS, or the one that tests/CMakeLists.txt names;
// otherwise the tests skip. Expected positions come from a separate script written from the glTF
// specification.
#include "tests/asset/sound.h"
#include "tests/test.h"
#include "tools/asset/matrix.h"
#include "tools/asset/to_cook.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static tlw_asset* load(const char* name) {
    char path[1024];
    const char* folder = getenv("TLW_MODELS");
    tlw_asset* asset;
    tlw_asset_error error;
    snprintf(path, sizeof path, "%s/%s", folder ? folder : TLW_TEST_MODELS, name);
    tlw_asset_code code = tlw_asset_load(path, NULL, &asset, &error);
    if (code == TLW_ASSET_CANNOT_READ) {
        tlw_test_skip(__FILE__, __LINE__, error.message);
    }
    if (code != TLW_ASSET_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    return asset;
}

// Joints times inverse binds, for the skin and for the cook input, of a clip at a time or at rest.
typedef struct posed {
    tlw_asset* asset;
    tlw_asset_cook cook;
    double* globals;
    double* joints; // of the cook input
    double extent;
} posed;

static posed pose_model(const char* name, uint32_t clip, double seconds) {
    posed p = {.asset = load(name)};
    tlw_asset_error error;
    tlw_asset_transform* pose = calloc(p.asset->node_count, sizeof *pose);
    if (tlw_asset_to_cook(p.asset, NULL, &p.cook, &error) != TLW_ASSET_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    p.globals = calloc(p.asset->node_count, 16 * sizeof(double));
    p.joints = calloc(p.cook.input.joint_count, 16 * sizeof(double));
    if (clip == TLW_ASSET_NONE) {
        tlw_asset_rest_pose(p.asset, pose);
    } else {
        tlw_asset_evaluate_clip(p.asset, clip, seconds, pose);
    }
    tlw_asset_global_matrices(p.asset, pose, p.globals);
    tlw_asset_cook_pose(&p.cook, p.globals, p.joints);
    free(pose);
    const tlw_cook_mesh* mesh = &p.cook.input.meshes[0];
    for (uint32_t axis = 0; axis < 3; ++axis) {
        float low = mesh->positions[axis], high = low;
        for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
            low = fminf(low, mesh->positions[i * 3 + axis]);
            high = fmaxf(high, mesh->positions[i * 3 + axis]);
        }
        p.extent = fmax(p.extent, (double)(high - low));
    }
    return p;
}

static void free_posed(posed* p) {
    tlw_asset_cook_free(&p->cook);
    tlw_asset_free(p->asset);
    free(p->globals);
    free(p->joints);
}

static void add_weighted(double sum[3], double weight, const double m[16], const float* position) {
    double point[3] = {(double)position[0], (double)position[1], (double)position[2]};
    tlw_matrix_point(point, m, point);
    for (int i = 0; i < 3; ++i) {
        sum[i] += weight * point[i];
    }
}

// As a glTF viewer does it: sum of w G_j IBM_j v.
static void skin_source(const posed* p, uint32_t vertex, double out[3]) {
    const tlw_asset_primitive* mesh = &p->asset->meshes[0].primitives[0];
    const tlw_asset_skin* skin = &p->asset->skins[0];
    out[0] = out[1] = out[2] = 0;
    for (uint32_t k = 0; k < 4; ++k) {
        double m[16];
        uint32_t joint = mesh->joints[vertex * 4 + k];
        tlw_matrix_multiply(m, p->globals + (size_t)skin->joints[joint] * 16,
                            skin->inverse_binds + (size_t)joint * 16);
        add_weighted(out, (double)mesh->weights[vertex * 4 + k], m, mesh->positions + vertex * 3);
    }
}

// As the runtime does it: sum of w pose_j bind_j^-1 v', v' in model space.
static void skin_cooked(const posed* p, uint32_t vertex, double out[3]) {
    const tlw_cook_mesh* mesh = &p->cook.input.meshes[0];
    out[0] = out[1] = out[2] = 0;
    for (uint32_t k = 0; k < 4; ++k) {
        double m[16];
        uint32_t joint = mesh->joints[vertex * 4 + k];
        CHECK(tlw_matrix_invert(m, p->cook.input.joints[joint].bind));
        tlw_matrix_multiply(m, p->joints + (size_t)joint * 16, m);
        add_weighted(out, (double)mesh->weights[vertex * 4 + k], m, mesh->positions + vertex * 3);
    }
}

static void check_counts(const char* name, uint32_t vertices, uint32_t triangles, uint32_t joints,
                         uint32_t clips) {
    tlw_asset* asset = load(name);
    tlw_asset_cook cook;
    tlw_asset_error error;
    CHECK_EQ(asset->meshes[0].primitives[0].vertex_count, vertices);
    CHECK_EQ(asset->meshes[0].primitives[0].triangle_count, triangles);
    CHECK_EQ(asset->skins[0].joint_count, joints);
    CHECK_EQ(asset->clip_count, clips);
    CHECK_EQ(asset->note_count, 0u);
    CHECK(tlw_asset_unsoundness(asset) == NULL);
    CHECK_EQ(tlw_asset_to_cook(asset, NULL, &cook, &error), TLW_ASSET_OK);
    CHECK_EQ(cook.input.joint_count, joints);
    CHECK_EQ(cook.report.vertex_count, vertices);
    CHECK_EQ(cook.report.normalised_count, 0u);
    CHECK_EQ(cook.report.note_count, 0u);
    tlw_asset_cook_free(&cook);
    tlw_asset_free(asset);
}

TLW_TEST(the_fox_has_its_counts_and_clips) {
    check_counts("Fox.glb", 1728, 576, 24, 3);
    tlw_asset* asset = load("Fox.glb");
    CHECK_EQ(tlw_asset_find_clip(asset, "Walk"), 1u);
    CHECK_NEAR(asset->clips[0].duration_seconds, 3.4166667461395264, 0);
    CHECK_NEAR(asset->clips[1].duration_seconds, 0.7083333134651184, 0);
    CHECK_NEAR(asset->clips[2].duration_seconds, 1.1583333015441895, 0);
    tlw_asset_free(asset);
}

TLW_TEST(the_figure_has_its_counts_and_clip) {
    check_counts("RiggedFigure.glb", 370, 256, 19, 1);
    tlw_asset* asset = load("RiggedFigure.glb");
    CHECK_NEAR(asset->clips[0].duration_seconds, 1.25, 0);
    tlw_asset_free(asset);
}

// Both were saved in the bind pose: at rest, skinning gives the model-space mesh again.
static void check_rest(const char* name) {
    posed p = pose_model(name, TLW_ASSET_NONE, 0);
    const tlw_cook_mesh* mesh = &p.cook.input.meshes[0];
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        double source[3];
        skin_source(&p, i, source);
        for (uint32_t k = 0; k < 3; ++k) {
            CHECK_NEAR(source[k], mesh->positions[i * 3 + k], 1e-4 * p.extent);
        }
    }
    free_posed(&p);
}

TLW_TEST(models_at_rest_are_their_bind_pose) {
    check_rest("Fox.glb");
    check_rest("RiggedFigure.glb");
}

static void check_posed(const char* name, uint32_t clip, double seconds) {
    posed p = pose_model(name, clip, seconds);
    for (uint32_t i = 0; i < p.cook.input.meshes[0].vertex_count; ++i) {
        double source[3], cooked[3];
        skin_source(&p, i, source);
        skin_cooked(&p, i, cooked);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(cooked[k], source[k], 1e-6 * p.extent);
        }
    }
    free_posed(&p);
}

TLW_TEST(skinning_the_cook_input_is_skinning_the_source_in_every_pose) {
    for (uint32_t clip = 0; clip < 3; ++clip) {
        check_posed("Fox.glb", clip, 0.1);
        check_posed("Fox.glb", clip, 0.6);
    }
    check_posed("RiggedFigure.glb", 0, 0.7);
}

static void check_vertex(const posed* p, uint32_t vertex, double x, double y, double z) {
    double at[3];
    skin_source(p, vertex, at);
    CHECK_NEAR(at[0], x, 1e-6 * p->extent);
    CHECK_NEAR(at[1], y, 1e-6 * p->extent);
    CHECK_NEAR(at[2], z, 1e-6 * p->extent);
}

TLW_TEST(the_fox_walks_as_a_second_implementation_says) {
    posed p = pose_model("Fox.glb", 1, 0.3);
    const double* foot = p.globals + (size_t)25 * 16;
    CHECK_NEAR(foot[12], -6.968319126490891, 1e-4);
    CHECK_NEAR(foot[13], -0.005180080474442406, 1e-4);
    CHECK_NEAR(foot[14], -27.14424462313267, 1e-4);
    check_vertex(&p, 0, 1.9498801617862185, 33.14065045838005, -21.893863155736042);
    check_vertex(&p, 1000, 7.013321487766181, 27.271578548992405, 22.26284634984146);
    free_posed(&p);
}

TLW_TEST(the_figure_moves_as_a_second_implementation_says) {
    posed p = pose_model("RiggedFigure.glb", 0, 0.7);
    check_vertex(&p, 0, -0.09785734594003787, 1.1245453218806638, -0.09176412793085148);
    check_vertex(&p, 200, -0.11992653257105514, 0.6044157295672153, -0.09122340194671116);
    // z is up in the file: the longest side must be along y after loading.
    const tlw_cook_mesh* mesh = &p.cook.input.meshes[0];
    float high = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        high = fmaxf(high, mesh->positions[i * 3 + 1]);
    }
    CHECK_NEAR(high, 1.45, 0.001);
    free_posed(&p);
}
