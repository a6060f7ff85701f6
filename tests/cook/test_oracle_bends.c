// SPDX-License-Identifier: MIT
// The oracle cooker's bends, shares and field (RULES 9.8 to 9.10) against facts worked out by hand
// on bars, plates and slabs of cells.
#include "tests/cook/support/bend_body.h"
#include "tests/cook/support/oracle_checks.h"
#include "tests/test.h"

#include <math.h>

// Shares and fields are floats.
#define UNIT_SLACK 1e-4 // units of shares and fields, some of them summed up

static const double halves[2] = {0.5, 0.5};

TLW_TEST(single_voxel_has_no_field_and_its_bend_is_left_out) {
    bend_body* b = bend_body_new(1, 1, 1, 2);
    bend_body_weigh_all(b, halves);
    oracle_make_bends(&b->work);
    CHECK_EQ(b->result.bend_count, 0);
    CHECK_EQ(b->result.left_out_bend_count, 1);
    CHECK_EQ(b->result.voxels[0].bends[0], ORACLE_NONE);
    CHECK_EQ(b->result.voxels[0].shares[0], 0.0);
    bend_body_free(b);
}

// Ends point outwards, the middle nowhere: -1 0 0 0 0 1, after a pass -1/2 -1/3 0 0 1/3 1/2.
TLW_TEST(bar_of_two_joints_has_the_field_slope_and_reach_worked_out_by_hand) {
    static const double field[6] = {-5.0 / 12, -5.0 / 18, -1.0 / 9, 1.0 / 9, 5.0 / 18, 5.0 / 12};
    bend_body* b = bend_body_new(6, 1, 1, 2);
    bend_body_weigh_all(b, halves); // pi is 1/4 everywhere, and B is 1
    oracle_make_bends(&b->work);
    const oracle_result* r = &b->result;
    CHECK_EQ(r->bend_count, 1);
    CHECK_EQ(r->left_out_bend_count, 0);
    CHECK_EQ(r->bend_pair_count, 0);
    for (uint32_t v = 0; v < 6; ++v) {
        CHECK_EQ(r->voxels[v].bends[0], 0);
        CHECK_EQ(r->voxels[v].bends[1], ORACLE_NONE);
        CHECK_EQ(r->voxels[v].shares[0], 1.0);
        CHECK_NEAR(r->voxels[v].field[0], field[v], UNIT_SLACK);
        CHECK_EQ(r->voxels[v].field[1], 0.0);
        CHECK_EQ(r->voxels[v].field[2], 0.0);
    }
    CHECK_EQ(r->bends[0].joint, 1);
    CHECK_EQ(r->bends[0].voxel_count, 6);
    CHECK_EQ(r->bends[0].volume, 6.0);
    // One-sided at the ends, 5/36, then half of 11/36 and half of 14/36; both halves alike.
    CHECK_NEAR(r->bends[0].slope, 35.0 / 36, UNIT_SLACK);
    CHECK_NEAR(r->bends[0].reach, 0.5, UNIT_SLACK); // no cell is deeper than the shell
    bend_body_free(b);
}

TLW_TEST(reach_of_0_cooks_no_bend_and_reach_scales_with_the_recipe) {
    bend_body* b = bend_body_new(6, 1, 1, 2);
    bend_body_weigh_all(b, halves);
    b->recipe.volume_reach = 0;
    oracle_make_bends(&b->work);
    CHECK_EQ(b->result.bend_count, 0);
    CHECK_EQ(b->result.left_out_bend_count, 0);
    CHECK_EQ(b->result.voxels[3].bends[0], ORACLE_NONE);
    CHECK_EQ(b->result.voxels[5].field[0], 0.0);
    bend_body_free(b);
    // A cube of 3 cells has one cell of depth 1: 1 + 1.
    b = bend_body_new(3, 3, 3, 2);
    bend_body_weigh_all(b, halves);
    b->recipe.volume_reach = 0.75f;
    oracle_make_bends(&b->work);
    CHECK_EQ(b->result.bend_count, 1);
    CHECK_NEAR(b->result.bends[0].reach, 1.5, UNIT_SLACK);
    bend_body_free(b);
}

// Cell 1 is bone: it is 0 after each pass, but counts in the means around it.
TLW_TEST(bone_has_no_field_and_counts_in_the_means_of_its_neighbours) {
    bend_body* b = bend_body_new(6, 1, 1, 2);
    bend_body_weigh_all(b, halves);
    b->result.voxels[1].layer = 0;
    oracle_make_bends(&b->work);
    static const double field[6] = {-0.25, 0, 0, 1.0 / 9, 5.0 / 18, 5.0 / 12};
    for (uint32_t v = 0; v < 6; ++v) {
        CHECK_NEAR(b->result.voxels[v].field[0], field[v], UNIT_SLACK);
    }
    CHECK_EQ(b->result.voxels[1].field[0], 0.0);
    CHECK_EQ(b->result.voxels[1].shares[0], 1.0); // it is measured, though it does not move
    bend_body_free(b);
}

// Only cell 5 has both joints, 1/4 and 3/4: pi = 3/16 there, B = sqrt(3)/2.
TLW_TEST(share_and_field_reach_two_cells_beyond_the_weights_that_make_them) {
    static const double first[2] = {1, 0}, both[2] = {0.25, 0.75};
    bend_body* b = bend_body_new(6, 1, 1, 2);
    bend_body_weigh_all(b, first);
    bend_body_weigh(b, 5, both);
    oracle_make_bends(&b->work);
    const oracle_result* r = &b->result;
    // B of the last three cells: 1/2, 1/3, 0 of it, then 5/12, 5/18, 1/9.
    const double most = sqrt(3) / 2;
    static const double mean[6] = {0, 0, 0, 1.0 / 9, 5.0 / 18, 5.0 / 12};
    for (uint32_t v = 0; v < 6; ++v) {
        CHECK_EQ(r->voxels[v].bends[0], v < 3 ? ORACLE_NONE : 0);
        CHECK_EQ(r->voxels[v].shares[0], v < 3 ? 0.0 : 1.0);
        CHECK_NEAR(r->voxels[v].field[0], most * mean[v] * mean[v], UNIT_SLACK);
    }
    CHECK_EQ(r->bends[0].volume, 3.0);
    CHECK_EQ(r->bends[0].voxel_count, 3);
    bend_body_free(b);
}

TLW_TEST(equal_products_go_to_the_lower_joints_and_tiny_ones_to_nobody) {
    static const double three[4] = {0.4, 0.2, 0.2, 0.2};
    bend_body* b = bend_body_new(6, 1, 1, 4);
    bend_body_weigh_all(b, three);
    oracle_make_bends(&b->work);
    const oracle_result* r = &b->result;
    // The third is nobody's second, so it is no bend, and not one that was left out either.
    CHECK_EQ(r->bend_count, 2);
    CHECK_EQ(r->left_out_bend_count, 0);
    for (uint32_t k = 0; k < 2; ++k) {
        CHECK_EQ(r->bends[k].joint, k + 1);
        CHECK_NEAR(r->bends[k].volume, 3, UNIT_SLACK);
        // Shares are squared, and B is twice the root of three times 0.08.
        CHECK_NEAR(r->bends[k].slope, 35.0 / 36 / 4 * 2 * sqrt(0.24), UNIT_SLACK);
        CHECK_EQ(r->voxels[2].bends[k], k);
        CHECK_EQ(r->voxels[2].shares[k], 0.5);
    }
    CHECK_EQ(r->bend_pair_count, 1);
    CHECK_EQ(r->bend_pairs[0].first, 0);
    CHECK_EQ(r->bend_pairs[0].second, 1);
    bend_body_free(b);

    // A difference below half a step of 1e-8 does not decide; a larger one does.
    for (int is_larger = 0; is_larger < 2; ++is_larger) {
        const double more = is_larger ? 1e-6 : 1e-9;
        const double uneven[4] = {0.4, 0.2, 0.2 - more, 0.2 + more};
        b = bend_body_new(6, 1, 1, 4);
        bend_body_weigh_all(b, uneven);
        oracle_make_bends(&b->work);
        const uint32_t first = b->result.voxels[2].bends[0];
        const uint32_t second = b->result.voxels[2].bends[1];
        CHECK_EQ(b->result.bends[first].joint, is_larger ? 3 : 1);
        CHECK_EQ(b->result.bends[second].joint, is_larger ? 1 : 2);
        bend_body_free(b);
    }

    // Half a step counts as one, and then the bend has the whole voxel; but its slope is far too
    // small.
    for (int is_enough = 0; is_enough < 2; ++is_enough) {
        const double tiny = is_enough ? 0.6e-8 : 0.4e-8; // pi, nearly
        b = bend_body_new(6, 1, 1, 2);
        for (uint32_t v = 0; v < 6; ++v) { // not rounded away, as weights of RULES 5.5 are
            b->result.voxels[v].joints[0] = 0;
            b->result.voxels[v].joints[1] = 1;
            b->result.voxels[v].weights[0] = 1 - tiny;
            b->result.voxels[v].weights[1] = tiny;
        }
        oracle_make_bends(&b->work);
        CHECK_EQ(b->result.voxels[2].bends[0], ORACLE_NONE);
        CHECK_EQ(b->result.left_out_bend_count, (uint32_t)is_enough);
        bend_body_free(b);
    }
}

// Joints 0 and 1 end chains: 3 - 2 - 0, and 3 - 1.
TLW_TEST(bends_follow_the_order_of_joints_but_parents_come_first) {
    static const double chain[4] = {0.3, 0, 0.3, 0.4}, other[4] = {0, 0.5, 0, 0.5};
    static const uint32_t parents[4] = {2, 3, 3, ORACLE_NONE}, order[3] = {2, 0, 1};
    bend_body* b = bend_body_new(12, 1, 1, 4);
    for (uint32_t v = 0; v < 12; ++v) {
        bend_body_weigh(b, v, v < 6 ? chain : other);
    }
    for (uint32_t j = 0; j < 4; ++j) {
        b->result.parent[j] = parents[j];
    }
    oracle_make_bends(&b->work);
    CHECK_EQ(b->result.bend_count, 3);
    for (uint32_t k = 0; k < 3; ++k) {
        CHECK_EQ(b->result.bends[k].joint, order[k]);
    }
    // The two bends of cell 1 have products of 0.12 and 0.09, which are shares of their sum, 0.21.
    // Cells 4 to 7 may have any two of the three bends.
    CHECK_EQ(b->result.voxels[1].bends[0], 0);
    CHECK_EQ(b->result.voxels[1].bends[1], 1);
    CHECK_NEAR(b->result.voxels[1].shares[0], 4.0 / 7, UNIT_SLACK);
    CHECK_EQ(b->result.voxels[10].bends[0], 2);
    CHECK_EQ(b->result.bend_pair_count, 2);
    CHECK_EQ(b->result.bend_pairs[0].second, 1);
    CHECK_EQ(b->result.bend_pairs[1].first, 0); // at cell 6, where joint 0 is third
    CHECK_EQ(b->result.bend_pairs[1].second, 2);
    bend_body_free(b);
}

// Joint 2 has cells 4 to 43, and all but the last are bone. Only cells 2, 3, 42 and 43 add to its
// slope: 5/36/81 + 1/18/9 + 1/8 + 1/4 = 0.383, and its volume is 40.
TLW_TEST(bend_that_hardly_changes_volume_is_left_out_and_its_shares_are_dropped) {
    static const double near[3] = {0.5, 0.5, 0}, far[3] = {0.5, 0, 0.5};
    bend_body* b = bend_body_new(44, 1, 1, 3);
    for (uint32_t v = 0; v < 44; ++v) {
        bend_body_weigh(b, v, v < 4 ? near : far);
        b->result.voxels[v].layer = v < 4 || v == 43 ? 3 : 0;
    }
    oracle_make_bends(&b->work);
    const oracle_result* r = &b->result;
    CHECK_EQ(r->bend_count, 1);
    CHECK_EQ(r->left_out_bend_count, 1);
    CHECK_EQ(r->bend_pair_count, 0);
    CHECK_EQ(r->bends[0].joint, 1);
    CHECK_EQ(r->bends[0].voxel_count, 6);
    CHECK_NEAR(r->bends[0].volume, 4, UNIT_SLACK);
    CHECK_NEAR(r->bends[0].slope, 5.0 / 36 + 11.0 / 72 + 64.0 / 81 * 5 / 36 + 4.0 / 9 / 18,
               UNIT_SLACK);
    static const double shares[6] = {1, 1, 8.0 / 9, 2.0 / 3, 1.0 / 3, 1.0 / 9};
    for (uint32_t v = 0; v < 44; ++v) {
        CHECK_NEAR(r->voxels[v].shares[0], v < 6 ? shares[v] : 0, UNIT_SLACK);
        CHECK_EQ(r->voxels[v].bends[0], v < 6 ? 0 : ORACLE_NONE);
        CHECK_EQ(r->voxels[v].bends[1], ORACLE_NONE);
    }
    CHECK_EQ(r->voxels[43].field[0], 0.0);
    bend_body_free(b);
    // With a volume of 22 the same slope is enough, and the last cell keeps its field.
    b = bend_body_new(26, 1, 1, 3);
    for (uint32_t v = 0; v < 26; ++v) {
        bend_body_weigh(b, v, v < 4 ? near : far);
        b->result.voxels[v].layer = v < 4 || v == 25 ? 3 : 0;
    }
    oracle_make_bends(&b->work);
    CHECK_EQ(b->result.bend_count, 2);
    CHECK_NEAR(b->result.bends[1].slope, 5.0 / 36 / 81 + 1.0 / 18 / 9 + 0.375, UNIT_SLACK);
    CHECK_NEAR(b->result.voxels[25].field[0], 0.25, UNIT_SLACK);
    bend_body_free(b);
}

// Corners point diagonally, edges straight out, and nothing points out of the plane.
TLW_TEST(plate_of_one_cell_points_outwards_within_its_plane) {
    bend_body* b = bend_body_new(5, 5, 1, 2);
    bend_body_weigh_all(b, halves);
    oracle_make_bends(&b->work);
    const double corner = (10 + 10 * sqrt(0.5)) / 36;
    for (int a = 0; a < 2; ++a) {
        CHECK_NEAR(voxel_in(&b->result, 0, 0, 0)->field[a], -corner, UNIT_SLACK);
        CHECK_NEAR(voxel_in(&b->result, 4, 4, 0)->field[a], corner, UNIT_SLACK);
        CHECK_EQ(voxel_in(&b->result, 2, 2, 0)->field[a], 0.0);
    }
    for (uint32_t v = 0; v < 25; ++v) {
        CHECK_EQ(b->result.voxels[v].field[2], 0.0);
    }
    CHECK_EQ(b->result.bends[0].volume, 25.0);
    CHECK_NEAR(b->result.bends[0].reach, 0.5, UNIT_SLACK);
    bend_body_free(b);
}

// In the middle of a slab of four cells the field is -1 -1/2 1/2 1 before smoothing. With an odd
// number the two sides cancel on the cell between them.
TLW_TEST(slab_has_a_field_that_changes_sign_on_its_medial_axis) {
    bend_body* b = bend_body_new(11, 11, 4, 2);
    bend_body_weigh_all(b, halves);
    oracle_make_bends(&b->work);
    static const double even[4] = {-421.0 / 504, -221.0 / 588, 221.0 / 588, 421.0 / 504};
    for (int32_t z = 0; z < 4; ++z) {
        CHECK_NEAR(voxel_in(&b->result, 5, 5, z)->field[2], even[z], UNIT_SLACK);
        CHECK_EQ(voxel_in(&b->result, 5, 5, z)->field[0], 0.0);
        CHECK_EQ(voxel_in(&b->result, 5, 5, z)->field[1], 0.0);
    }
    bend_body_free(b);
    b = bend_body_new(11, 11, 5, 2);
    bend_body_weigh_all(b, halves);
    oracle_make_bends(&b->work);
    CHECK_EQ(voxel_in(&b->result, 5, 5, 2)->d_skin, 2);
    for (int a = 0; a < 3; ++a) {
        CHECK_NEAR(voxel_in(&b->result, 5, 5, 2)->field[a], 0, 1e-15);
    }
    CHECK_LT(voxel_in(&b->result, 5, 5, 1)->field[2], -0.3);
    bend_body_free(b);
}

static bool is_in_crooked_body(const int32_t cell[3]) {
    const int32_t x = cell[0] < 6 ? cell[0] : 11 - cell[0]; // mirrored about x = 6
    return !(cell[1] > 4 && x < 3) && !(cell[2] == 0 && x == 1 + cell[1] % 2);
}

// Both halves of a body that is its own mirror image have the same shares, field and bends.
TLW_TEST(mirrored_bodies_have_mirrored_bends) {
    bend_body* b = bend_body_carved(12, 8, 5, 3, is_in_crooked_body);
    oracle_result* r = &b->result;
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        // Joint 0 in the middle, 1 on the left, 2 on the right, with one row of bone.
        const double x = (r->voxels[v].cell[0] + 0.5 - 6) / 6;
        const double side = fabs(x) * fabs(x), middle = 1 - side;
        const double weights[3] = {middle, x < 0 ? 0.8 * side : 0.2 * side,
                                   x < 0 ? 0.2 * side : 0.8 * side};
        bend_body_weigh(b, v, weights);
        r->voxels[v].layer = r->voxels[v].cell[1] == 3 && r->voxels[v].cell[2] == 2 ? 0 : 3;
    }
    oracle_make_bends(&b->work);
    CHECK_EQ(r->bend_count, 2);
    CHECK_EQ(r->bend_pair_count, 1);
    CHECK_NEAR(r->bends[0].volume, r->bends[1].volume, 1e-4);
    CHECK_NEAR(r->bends[0].slope, r->bends[1].slope, 1e-4);
    CHECK_NEAR(r->bends[0].reach, r->bends[1].reach, 1e-5);
    uint32_t moved = 0;
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        const oracle_voxel* voxel = &r->voxels[v];
        const oracle_voxel* image =
            voxel_in(r, 11 - voxel->cell[0], voxel->cell[1], voxel->cell[2]);
        for (int k = 0; k < 2; ++k) {
            CHECK_EQ(voxel->bends[k] + image->bends[k], 1); // 0 and 1
            CHECK_NEAR(voxel->shares[k], image->shares[k], UNIT_SLACK);
        }
        CHECK_LE(voxel->shares[1], voxel->shares[0]);
        CHECK_NEAR(voxel->field[0], -image->field[0], UNIT_SLACK);
        CHECK_NEAR(voxel->field[1], image->field[1], UNIT_SLACK);
        CHECK_NEAR(voxel->field[2], image->field[2], UNIT_SLACK);
        moved += voxel->field[0] != 0;
    }
    CHECK_LT(r->voxel_count / 2, moved);
    bend_body_free(b);
}

// A joint that is left out is passed over: its child bends with the joint above it.
TLW_TEST(only_kept_joints_with_a_kept_joint_above_them_bend) {
    static const double weights[3] = {0.5, 0, 0.5};
    bend_body* b = bend_body_new(6, 1, 1, 3);
    bend_body_weigh_all(b, weights);
    b->result.is_kept[1] = false;
    oracle_make_bends(&b->work);
    CHECK_EQ(b->result.bend_count, 1);
    CHECK_EQ(b->result.bends[0].joint, 2);
    bend_body_free(b);
    b = bend_body_new(6, 1, 1, 3); // siblings do not bend with each other
    const double siblings[3] = {0, 0.5, 0.5};
    bend_body_weigh_all(b, siblings);
    oracle_make_bends(&b->work);
    CHECK_EQ(b->result.bend_count, 0);
    CHECK_EQ(b->result.left_out_bend_count, 0);
    bend_body_free(b);
}
