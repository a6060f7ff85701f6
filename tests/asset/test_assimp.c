// SPDX-License-Identifier: MIT
// FBX, Collada and BVH: the rod as Assimp writes it, read back, must be the rod. A BVH by hand.
#include "platform/file.h"
#include "tests/asset/rod.h"
#include "tests/asset/sound.h"
#include "tests/test.h"
#include "tools/asset/matrix.h"
#include "tools/asset/to_cook.h"

#include <assimp/cexport.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_file(const char* path, const void* bytes, size_t size) {
    tlw_file_error error;
    if (tlw_file_replace(path, bytes, size, &error) != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
}

static tlw_asset* load(const char* path) {
    tlw_asset* asset;
    tlw_asset_error error;
    if (tlw_asset_load(path, NULL, &asset, &error) != TLW_ASSET_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    const char* why = tlw_asset_unsoundness(asset);
    if (why) {
        tlw_test_fail(__FILE__, __LINE__, "%s", why);
    }
    return asset;
}

static tlw_asset* round_trip(const char* format, const char* ending) {
    char from[600], to[600];
    tlw_rod rod = tlw_rod_make();
    size_t size;
    // Without the clip: Assimp 5.2 writes clips that it cannot read, or without their times.
    tlw_rod_edit(&rod, "'animations':", "'extras':");
    uint8_t* glb = tlw_make_glb(rod.json, rod.bin, TLW_ROD_BYTES, &size);
    snprintf(from, sizeof from, "%s/rod.glb", tlw_test_folder());
    snprintf(to, sizeof to, "%s/rod%s", tlw_test_folder(), ending);
    write_file(from, glb, size);
    free(glb);
    tlw_rod_free(&rod);
    const struct aiScene* scene = aiImportFile(from, 0);
    if (!scene || aiExportScene(scene, format, to, 0) != aiReturn_SUCCESS) {
        tlw_test_skip(__FILE__, __LINE__, "this Assimp does not write the format");
    }
    aiReleaseImport(scene);
    return load(to);
}

// Vertex order may change: every corner of every triangle is where one of the rod's is.
static void check_rod(const tlw_asset* asset, double unit) {
    tlw_asset_cook cook;
    tlw_asset_error error;
    if (tlw_asset_to_cook(asset, NULL, &cook, &error) != TLW_ASSET_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    const tlw_cook_mesh* mesh = &cook.input.meshes[0];
    CHECK_EQ(cook.input.joint_count, 2u);
    CHECK_EQ(mesh->triangle_count, 2u);
    CHECK_STRING(cook.input.joints[0].name, "hip");
    CHECK_STRING(cook.input.joints[1].name, "knee");
    CHECK_EQ(cook.input.joints[1].parent, 0u);
    CHECK_NEAR(cook.input.joints[0].bind[13], 1 * unit, 1e-5 * unit);
    CHECK_NEAR(cook.input.joints[1].bind[13], 2 * unit, 1e-5 * unit);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const float* at = mesh->positions + (size_t)i * 3;
        CHECK_NEAR(fabsf(at[0]), 1 * unit, 1e-5 * unit);
        CHECK(fabs((double)at[1]) < 1e-5 || fabs((double)at[1] - 3 * unit) < 1e-5);
        double knee = 0;
        for (uint32_t k = 0; k < mesh->influence_count; ++k) {
            size_t pair = (size_t)i * mesh->influence_count + k;
            knee += mesh->joints[pair] == 1 ? (double)mesh->weights[pair] : 0;
        }
        CHECK_NEAR(knee, at[1] < 1e-5f ? 0 : at[0] > 0 ? 1 : 0.75, 1e-5);
    }
    tlw_asset_cook_free(&cook);
}

TLW_TEST(collada_gives_the_rod_back) {
    tlw_asset* asset = round_trip("collada", ".dae");
    check_rod(asset, 1);
    CHECK_EQ(asset->file_count, 1u);
    tlw_asset_free(asset);
}

TLW_TEST(fbx_gives_the_rod_back) {
    // Assimp writes the rod's units as centimetres, and text: its own binary files it cannot read.
    tlw_asset* asset = round_trip("fbxa", ".fbx");
    check_rod(asset, 0.01);
    tlw_asset_free(asset);
}

TLW_TEST(bvh_gives_joints_and_a_clip) {
    static const char text[] = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition "
                               "Yposition Zposition Zrotation Xrotation Yrotation\n JOINT Chest\n "
                               "{\n  OFFSET 0 2 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  "
                               "End Site\n  {\n   OFFSET 0 1 0\n  }\n }\n}\nMOTION\nFrames: 2\n"
                               "Frame Time: 0.5\n1 2 3 0 0 0 0 0 0\n1 4 3 0 0 0 90 0 0\n";
    char path[600];
    snprintf(path, sizeof path, "%s/walk.bvh", tlw_test_folder());
    write_file(path, text, sizeof text - 1);
    tlw_asset* asset = load(path);
    uint32_t hips = tlw_asset_find_node(asset, "Hips");
    uint32_t chest = tlw_asset_find_node(asset, "Chest");
    CHECK_EQ(asset->nodes[chest].parent, hips);
    CHECK_NEAR(asset->nodes[chest].rest.translation[1], 2, 1e-6);
    tlw_asset_transform* pose = calloc(asset->node_count, sizeof *pose);
    tlw_asset_evaluate_clip(asset, 0, 0.25, pose);
    CHECK_NEAR(pose[hips].translation[1], 3, 1e-5);
    CHECK_NEAR(pose[chest].rotation[2], 0.38268343, 1e-5); // half of a quarter turn about z
    free(pose);
    tlw_asset_free(asset);
}

TLW_TEST(a_broken_fbx_is_named) {
    char path[600];
    tlw_asset* asset;
    tlw_asset_error error;
    snprintf(path, sizeof path, "%s/broken.FBX", tlw_test_folder());
    write_file(path, "nothing", 7);
    CHECK_EQ(tlw_asset_load(path, NULL, &asset, &error), TLW_ASSET_CANNOT_READ);
    CHECK_CONTAINS(error.message, "broken.FBX': ");
    CHECK(asset == NULL);
}
