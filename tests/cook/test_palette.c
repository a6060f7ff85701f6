// SPDX-License-Identifier: MIT
// Pairs of joints: each once, in order, found again, and no more than 16 bits can number.
#include "tests/test.h"
#include "tools/cook/stages.h"

#include <stdlib.h>
#include <string.h>

enum { JOINTS = 257, REFERENCES = 255 }; // 255 * 257 pairs are 65535

typedef struct bed {
    tlw_cook_input input;
    tlw_cook_recipe recipe;
    tlw_cook cook;
} bed;

// Voxels whose largest joint is `reference`, and that have every other joint, three a voxel.
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

static void open_bed(bed* b) {
    *b = (bed){.recipe = tlw_default_cook_recipe()};
    b->input.joint_count = JOINTS;
    b->cook.input = &b->input;
    b->cook.recipe = &b->recipe;
    b->cook.weights = calloc((size_t)JOINTS * JOINTS, sizeof *b->cook.weights);
    CHECK(b->cook.weights != NULL);
    for (uint32_t r = REFERENCES; r > 0; --r) {
        b->cook.voxels.count = add_voxels(b->cook.weights, b->cook.voxels.count, r - 1, JOINTS - 1);
    }
}

static void close_bed(bed* b) {
    free(b->cook.weights);
    free(b->cook.palette.entries);
}

TLW_TEST(palette_has_each_pair_once_and_in_order_up_to_65535) {
    bed b;
    open_bed(&b);
    CHECK_OK(tlw_cook_make_palette(&b.cook));
    const tlw_cook_palette* palette = &b.cook.palette;
    CHECK_EQ(palette->count, UINT16_MAX);
    for (uint32_t i = 1; i < palette->count; ++i) {
        CHECK_LT(palette->entries[i - 1], palette->entries[i]);
    }
    for (uint32_t reference = 0; reference < REFERENCES; ++reference) {
        for (uint32_t joint = 0; joint < JOINTS; ++joint) {
            const uint32_t at = tlw_palette_entry(palette, joint, reference);
            CHECK_LT(at, palette->count);
            CHECK_EQ(palette->entries[at], reference << 16 | joint);
        }
    }
    close_bed(&b);
}

TLW_TEST(palette_of_65536_pairs_is_too_large_by_name) {
    bed b;
    open_bed(&b);
    b.cook.weights[b.cook.voxels.count++] = (tlw_voxel_weights){{REFERENCES}, {1.0}};
    CHECK_RESULT(tlw_cook_make_palette(&b.cook), TLW_ERROR_TOO_LARGE);
    CHECK(strstr(b.cook.error.message, "65536 pairs of joints") != NULL);
    CHECK(b.cook.palette.entries == NULL);
    close_bed(&b);
}

TLW_TEST(palette_leaves_out_weights_that_are_0_as_floats) {
    bed b;
    open_bed(&b);
    b.cook.voxels.count = 2;
    b.cook.weights[0] = (tlw_voxel_weights){{7, 3}, {1.0, 1e-50}};
    b.cook.weights[1] = (tlw_voxel_weights){{2, 7}, {0.5, 0.5}};
    CHECK_EQ(tlw_influence_count(&b.cook, 0), 1);
    CHECK_EQ(tlw_influence_count(&b.cook, 1), 2);
    CHECK_OK(tlw_cook_make_palette(&b.cook));
    CHECK_EQ(b.cook.palette.count, 3);
    CHECK_EQ(tlw_palette_entry(&b.cook.palette, 2, 2), 0);
    CHECK_EQ(tlw_palette_entry(&b.cook.palette, 7, 2), 1);
    CHECK_EQ(tlw_palette_entry(&b.cook.palette, 7, 7), 2);
    close_bed(&b);
}
