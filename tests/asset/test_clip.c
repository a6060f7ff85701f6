// SPDX-License-Identifier: MIT
// Clips at a time, against values that were worked out by hand, and nodes composed to the scene.
#include "tests/asset/load_rod.h"
#include "tests/test.h"
#include "tools/asset/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 3, KNEE = 2 };

static void check_rotation(const tlw_asset* asset, double seconds, double degrees) {
    tlw_asset_transform pose[NODES];
    double half = degrees * 3.14159265358979323846 / 360;
    tlw_asset_evaluate_clip(asset, 0, seconds, pose);
    CHECK_NEAR(pose[KNEE].rotation[0], 0, 1e-7);
    CHECK_NEAR(pose[KNEE].rotation[1], 0, 1e-7);
    CHECK_NEAR(pose[KNEE].rotation[2], sin(half), 1e-7);
    CHECK_NEAR(pose[KNEE].rotation[3], cos(half), 1e-7);
    CHECK_EQ(pose[KNEE].translation[1], 1.0); // the rest pose where the clip has no channel
}

TLW_TEST(linear_rotations_go_along_the_arc_and_hold_at_the_ends) {
    tlw_rod rod = tlw_rod_make();
    tlw_asset* asset = load(&rod);
    check_rotation(asset, -1, 0);
    check_rotation(asset, 0, 0);
    check_rotation(asset, 0.25, 22.5);
    check_rotation(asset, 0.5, 45);
    check_rotation(asset, 1, 90);
    check_rotation(asset, 99, 90);
    check_rotation(asset, (double)NAN, 0);
    check_rotation(asset, (double)INFINITY, 90);
    tlw_asset_free(asset);
}

TLW_TEST(linear_rotations_take_the_shorter_way) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_ROTATIONS + 24, -0.70710678f); // the same rotation, negated
    tlw_rod_float(&rod, TLW_ROD_ROTATIONS + 28, -0.70710678f);
    tlw_asset* asset = load(&rod);
    check_rotation(asset, 1.0 / 3, 30);
    tlw_asset_free(asset);
}

TLW_TEST(rotations_of_shorts_are_normalised_and_unit) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'bufferView':6,'componentType':5126",
                 "'bufferView':6,'normalized':true,'componentType':5122");
    static const int16_t rotations[] = {0, 0, 0, 32767, 0, 0, 23170, 23170};
    memcpy(rod.bin + TLW_ROD_ROTATIONS, rotations, sizeof rotations);
    tlw_asset* asset = load(&rod);
    check_rotation(asset, 0.5, 45);
    tlw_asset_free(asset);
}

TLW_TEST(step_holds_a_key_until_the_next) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'input':5,", "'input':5,'interpolation':'STEP',");
    tlw_asset* asset = load(&rod);
    check_rotation(asset, 0, 0);
    check_rotation(asset, 0.999, 0);
    check_rotation(asset, 1, 90);
    tlw_asset_free(asset);
}

// Writes cubic keys over the bytes of the inverse binds, which then default to the identity.
static tlw_rod cubic_rod(const char* type, const char* path) {
    tlw_rod rod = tlw_rod_make();
    char text[128] = "'componentType':5126,'count':6,'type':'";
    strcat(strcat(text, type), "'");
    tlw_rod_edit(&rod, ",'inverseBindMatrices':4", "");
    tlw_rod_edit(&rod, "'componentType':5126,'count':2,'type':'MAT4'", text);
    tlw_rod_edit(&rod, "'input':5,'output':6",
                 "'input':5,'output':4,'interpolation':'CUBICSPLINE'");
    tlw_rod_edit(&rod, "'rotation'", path);
    memset(rod.bin + TLW_ROD_BINDS, 0, 128);
    return rod;
}

TLW_TEST(cubic_translations_scale_their_tangents_with_the_time_between_keys) {
    tlw_rod rod = cubic_rod("VEC3", "'translation'");
    const size_t key = 36, in = 0, value = 12, out = 24;
    tlw_rod_float(&rod, TLW_ROD_TIMES + 4, 2);
    tlw_rod_float(&rod, TLW_ROD_BINDS + in, 100); // before the first key: never read
    tlw_rod_float(&rod, TLW_ROD_BINDS + out, 1);
    tlw_rod_float(&rod, TLW_ROD_BINDS + key + in, 3);
    tlw_rod_float(&rod, TLW_ROD_BINDS + key + value, 4);
    tlw_rod_float(&rod, TLW_ROD_BINDS + key + out, 100);
    tlw_asset* asset = load(&rod);
    tlw_asset_transform pose[NODES];
    CHECK_EQ(asset->clips[0].duration_seconds, 2.0);
    tlw_asset_evaluate_clip(asset, 0, 0, pose);
    CHECK_EQ(pose[KNEE].translation[0], 0.0);
    // t = 1/2: 0/2 + 1/8 * 2 * 1 + 4/2 - 1/8 * 2 * 3
    tlw_asset_evaluate_clip(asset, 0, 1, pose);
    CHECK_NEAR(pose[KNEE].translation[0], 1.5, 1e-12);
    // t = 1/4: 9/64 * 2 * 1 + 10/64 * 4 - 3/64 * 2 * 3
    tlw_asset_evaluate_clip(asset, 0, 0.5, pose);
    CHECK_NEAR(pose[KNEE].translation[0], 0.28125 + 0.625 - 0.28125, 1e-12);
    tlw_asset_evaluate_clip(asset, 0, 2, pose);
    CHECK_EQ(pose[KNEE].translation[0], 4.0);
    tlw_asset_free(asset);
}

TLW_TEST(cubic_rotations_are_normalised) {
    tlw_rod rod = cubic_rod("VEC4", "'rotation'");
    const size_t key = 48, value = 16;
    tlw_rod_float(&rod, TLW_ROD_BINDS + value + 12, 1);
    tlw_rod_float(&rod, TLW_ROD_BINDS + key + value + 8, 1); // 180 degrees about z
    tlw_asset* asset = load(&rod);
    check_rotation(asset, 0.5, 90); // (0, 0, 1/2, 1/2) normalised
    check_rotation(asset, 1, 180);
    tlw_asset_free(asset);
}

TLW_TEST(a_cubic_rotation_that_passes_through_nothing_stays_at_rest) {
    tlw_rod rod = cubic_rod("VEC4", "'rotation'");
    const size_t key = 48, value = 16;
    tlw_rod_float(&rod, TLW_ROD_BINDS + value + 12, 1);
    tlw_rod_float(&rod, TLW_ROD_BINDS + key + value + 12, -1);
    tlw_asset* asset = load(&rod);
    check_rotation(asset, 0.5, 0);
    tlw_asset_free(asset);
}

TLW_TEST(nodes_are_composed_parents_first) {
    tlw_rod rod = tlw_rod_make();
    tlw_asset* asset = load(&rod);
    tlw_asset_transform pose[NODES];
    double globals[NODES * 16], point[3] = {0, 1, 0};
    tlw_asset_evaluate_clip(asset, 0, 1, pose);
    tlw_asset_global_matrices(asset, pose, globals);
    tlw_matrix_point(point, globals + KNEE * 16, point);
    CHECK_NEAR(point[0], -1, 1e-7);
    CHECK_NEAR(point[1], 2, 1e-7);
    CHECK_NEAR(point[2], 0, 1e-7);
    tlw_asset_free(asset);
}

TLW_TEST(a_matrix_that_shears_is_composed_exactly) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'name':'hip','children':[2],'translation':[0,1,0]",
                 "'name':'hip','children':[2],'matrix':[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,1,0,1]");
    tlw_asset* asset = load(&rod);
    tlw_asset_transform pose[NODES];
    double globals[NODES * 16];
    tlw_asset_rest_pose(asset, pose);
    tlw_asset_global_matrices(asset, pose, globals);
    CHECK_EQ(globals[KNEE * 16 + 4], 0.5);
    CHECK_EQ(globals[KNEE * 16 + 12], 0.5);
    CHECK_EQ(globals[KNEE * 16 + 13], 2.0);
    tlw_asset_free(asset);
}

TLW_TEST(clips_and_nodes_are_found_by_name) {
    tlw_rod rod = tlw_rod_make();
    tlw_asset* asset = load(&rod);
    CHECK_EQ(tlw_asset_find_clip(asset, "bend"), 0u);
    CHECK_EQ(tlw_asset_find_clip(asset, "walk"), TLW_ASSET_NONE);
    CHECK_EQ(tlw_asset_find_node(asset, "knee"), 2u);
    CHECK_EQ(tlw_asset_find_node(asset, "Knee"), TLW_ASSET_NONE);
    tlw_asset_free(asset);
}

TLW_TEST(matrices_of_transforms_come_back_from_decomposition) {
    uint64_t state = 1;
    for (int round = 0; round < 200; ++round) {
        tlw_asset_transform from, to;
        double length = 0;
        for (int i = 0; i < 4; ++i) {
            from.rotation[i] = (double)(int64_t)tlw_test_random(&state) / 9.3e18;
            length += from.rotation[i] * from.rotation[i];
        }
        for (int i = 0; i < 4; ++i) {
            from.rotation[i] /= sqrt(length);
        }
        for (int i = 0; i < 3; ++i) {
            from.translation[i] = (double)(int64_t)tlw_test_random(&state) / 1e18;
            from.scale[i] = 0.1 + (double)(tlw_test_random(&state) >> 40);
        }
        from.scale[0] = round % 2 ? -from.scale[0] : from.scale[0];
        double m[16], again[16], inverse[16], one[16];
        tlw_matrix_from_transform(m, &from);
        tlw_matrix_to_transform(m, &to);
        tlw_matrix_from_transform(again, &to);
        CHECK(tlw_matrix_invert(inverse, m));
        tlw_matrix_multiply(one, inverse, m);
        for (int i = 0; i < 16; ++i) {
            CHECK_NEAR(again[i], m[i], 1e-9 * (1 + fabs(m[i])));
            CHECK_NEAR(one[i], i % 5 == 0 ? 1 : 0, 1e-7);
        }
    }
}
