// SPDX-License-Identifier: MIT
// Stage pairs alone (RULES 11.5): each pair of joints once, in order, at most 65,535 of them, by
// the weights as floats.
#include "tests/test.h"
#include "tools/cook/stages.h"

#include <stdlib.h>
#include <string.h>

enum { JOINTS = 257, REFERENCES = 255 }; // 255 * 257 pairs are 65535

typedef struct fixture {
    tlw_cook_input input;
    tlw_cook_recipe recipe;
    tlw_cook cook;
} fixture;

// Adds voxels whose largest joint is `reference` and which together have all other joints, three
// per voxel.
static uint32_t add_voxels(tlw_voxel_weights* weights, uint32_t count, uint32_t reference,
                           uint32_t others) {
    uint32_t used = TLW_VOXEL_JOINTS;
    for (uint32_t i = 1; i <= others; ++i) {
        if (used == TLW_VOXEL_JOINTS) {
            weights[count++] = (tlw_voxel_weights){{reference}, {1.0}};
            used = 1;
        }
        weights[count - 1].joint[used] = (reference + i) % JOINTS;
        weights[count - 1].weight[used] = 0.25;
        used += 1;
    }
    return count;
}

static void open_fixture(fixture* b) {
    *b = (fixture){.recipe = tlw_default_cook_recipe()};
    b->input.joint_count = JOINTS;
    b->cook.input = &b->input;
    b->cook.recipe = &b->recipe;
    b->cook.weights = calloc((size_t)JOINTS * JOINTS, sizeof *b->cook.weights);
    CHECK(b->cook.weights != NULL);
    for (uint32_t r = REFERENCES; r > 0; --r) {
        b->cook.voxels.count = add_voxels(b->cook.weights, b->cook.voxels.count, r - 1, JOINTS - 1);
    }
}

static void close_fixture(fixture* b) {
    free(b->cook.weights);
    tlw_cook_free_stages(&b->cook);
}

TLW_TEST(pairs_are_each_there_once_and_in_order_up_to_65535) {
    fixture b;
    open_fixture(&b);
    CHECK_OK(tlw_cook_make_pairs(&b.cook));
    CHECK_EQ(b.cook.pairs.count, UINT16_MAX);
    for (uint32_t i = 0; i < b.cook.pairs.count;
         ++i) { // all pairs exist, so each has a known place
        CHECK_EQ(b.cook.pairs.list[i], i / JOINTS << 16 | i % JOINTS);
    }
    close_fixture(&b);
}

TLW_TEST(pairs_that_are_65536_are_too_many_by_name) {
    fixture b;
    open_fixture(&b);
    b.cook.weights[b.cook.voxels.count++] = (tlw_voxel_weights){{REFERENCES}, {1.0}};
    CHECK_RESULT(tlw_cook_make_pairs(&b.cook), TLW_ERROR_TOO_LARGE);
    CHECK(strstr(b.cook.error.message, "65536 pairs of joints") != NULL);
    CHECK(b.cook.pairs.list == NULL);
    close_fixture(&b);
}

TLW_TEST(pairs_leave_out_weights_that_are_0_as_floats) {
    fixture b;
    open_fixture(&b);
    b.cook.voxels.count = 2;
    b.cook.weights[0] = (tlw_voxel_weights){{7, 3}, {1.0, 1e-50}};
    b.cook.weights[1] = (tlw_voxel_weights){{2, 7}, {0.5, 0.5}};
    CHECK_EQ(tlw_influence_count(&b.cook, 0), 1);
    CHECK_EQ(tlw_influence_count(&b.cook, 1), 2);
    CHECK_OK(tlw_cook_make_pairs(&b.cook));
    CHECK_EQ(b.cook.pairs.count, 3);
    CHECK_EQ(b.cook.pairs.list[0], 2u << 16 | 2);
    CHECK_EQ(b.cook.pairs.list[1], 2u << 16 | 7);
    CHECK_EQ(b.cook.pairs.list[2], 7u << 16 | 7);
    close_fixture(&b);
}

// The reference is the lower of two joints with equal floats, whichever is larger as a double.
TLW_TEST(pairs_go_by_the_weights_that_the_blob_has) {
    fixture b;
    open_fixture(&b);
    b.cook.voxels.count = 2;
    b.cook.weights[0] = (tlw_voxel_weights){{7, 3}, {0.5 + 1e-12, 0.5 - 1e-12}};
    b.cook.weights[1] = (tlw_voxel_weights){{9, 4}, {0.5 + 1e-4, 0.5 - 1e-4}};
    CHECK_OK(tlw_cook_make_pairs(&b.cook));
    CHECK_EQ(b.cook.pairs.count, 4);
    CHECK_EQ(b.cook.pairs.list[0], 3u << 16 | 3);
    CHECK_EQ(b.cook.pairs.list[1], 3u << 16 | 7);
    CHECK_EQ(b.cook.pairs.list[2], 9u << 16 | 4);
    CHECK_EQ(b.cook.pairs.list[3], 9u << 16 | 9);
    close_fixture(&b);
}
