// SPDX-License-Identifier: MIT
// The oracle cooker's weights from closest points and its cuts (RULES 3.4, 5.2 to 5.4, 6) against
// facts worked out by hand. Scenes are sized so that s is 1 (see test_oracle.c).
#include "tests/cook/oracle/oracle_private.h"
#include "tests/cook/support/oracle_checks.h"
#include "tests/test.h"

// Two rods of eight voxels side by side, one joint per rod. With `has_hip` both joints hang on a
// third.
static scene* make_rods(bool has_hip) {
    scene* s = scene_new();
    uint32_t hip = TLW_NO_JOINT;
    if (has_hip) {
        hip = scene_add_joint(s, TLW_NO_JOINT, 0, 0, 3.5);
    }
    uint32_t left = scene_add_joint(s, hip, -0.5, 0, 3.5);
    uint32_t right = scene_add_joint(s, hip, 0.5, 0, 3.5);
    scene_add_box(s, (double[3]){-0.75, -0.25, -3.75}, (double[3]){-0.25, 0.25, 3.75});
    scene_weigh_rigidly(s, 0, left);
    scene_add_box(s, (double[3]){0.25, -0.25, -3.75}, (double[3]){0.75, 0.25, 3.75});
    scene_weigh_rigidly(s, 8, right);
    for (uint32_t v = 0; has_hip && v < 16;
         ++v) { // a quarter of the weight at the top is the hip's
        if (s->meshes[0].positions[v * 3 + 2] > 0) {
            s->meshes[0].weights[v * 4] = 0.75f;
            s->meshes[0].weights[v * 4 + 1] = 0.25f;
            s->meshes[0].joints[v * 4 + 1] = hip;
        }
    }
    return s;
}

// Both joints are roots, which count as children of one: the straight line between them is 1. A
// level link d voxels below has direct = 1 and path = 1 + 2 d: it is cut for d >= 1. A slanted link
// from d to d + 1 has direct = 1.41 and path = 2 + 2 d > 1.77. So 7 + 14 links are cut, and the one
// at the very top stays.
TLW_TEST(two_parallel_rods_do_not_fuse) {
    scene* s = make_rods(false);
    oracle_result r = cook_at(s, 8);
    CHECK_EQ(r.voxel_count, 16);
    CHECK_EQ(r.counts[0], 2);
    CHECK_EQ(r.cut_count, 1);
    CHECK_EQ(r.cuts[0].joint_a, 0);
    CHECK_EQ(r.cuts[0].joint_b, 1);
    CHECK_EQ(r.cuts[0].count, 21);
    CHECK_EQ(r.component_count, 1);
    for (uint32_t v = 0; v < 16; ++v) {
        const oracle_voxel* voxel = &r.voxels[v];
        const uint32_t across = voxel->links & ~(1u << 4 | 1u << 21); // not up or down
        CHECK_EQ(bit_count(across), voxel->cell[2] == 7);
        CHECK_EQ(voxel->joint, (uint32_t)voxel->cell[0]);
    }
    // A vertex on the inner side has the other rod in its cube, and does not take it.
    for (uint32_t k = 0; k < 16; ++k) {
        for (uint32_t i = 0; k % 8 < 4 && i < r.bindings[k].count; ++i) {
            CHECK_EQ(r.voxels[r.bindings[k].voxels[i]].cell[0], k < 8 ? 0 : 1);
        }
    }
    oracle_free(&r);

    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 8;
    tlw_cook_cut cut = {"joint1", "joint0", TLW_CUT_NEVER};
    recipe.cuts = &cut;
    recipe.cut_count = 1;
    r = cook_checked(s, &recipe);
    CHECK_EQ(r.cut_count, 0);
    CHECK_EQ(r.component_count, 1);
    oracle_free(&r);
    recipe.cut_count = 0;
    // 18 corners per side; those in the middle give two regions each, but for the four at the top
    // that hold the link.
    recipe.region_width = 2;
    r = cook_checked(s, &recipe);
    CHECK_EQ(r.cube_count, 9 * 2 * 4 - 4);
    oracle_free(&r);
    scene_free(s);
}

// Both hang on a hip between them, at their height: as above. The hip's joint lies on the line
// between them, and would not make it longer if it did not.
TLW_TEST(rods_on_one_hip_stay_joined_at_the_top_only) {
    scene* s = make_rods(true);
    oracle_result r = cook_at(s, 8);
    CHECK_EQ(r.segment_count, 4);
    CHECK_EQ(r.cut_count, 1);
    CHECK_EQ(r.cuts[0].joint_a, 1);
    CHECK_EQ(r.cuts[0].joint_b, 2);
    CHECK_EQ(r.cuts[0].count, 21);
    CHECK_EQ(r.component_count, 1);
    CHECK((voxel_in(&r, 0, 0, 7)->links & 1u << 13) != 0);
    CHECK((voxel_in(&r, 0, 0, 6)->links & 1u << 13) == 0);
    // The voxel at the top, 7.25 / 7.5 of the way up.
    CHECK_NEAR(oracle_weight(voxel_in(&r, 0, 0, 7), 0), 0.25 * 7.25 / 7.5, 1e-7);
    oracle_free(&r);

    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 8;
    tlw_cook_cut cut = {"joint1", "joint2", TLW_CUT_FORCED};
    recipe.cuts = &cut;
    recipe.cut_count = 1;
    r = cook_checked(s, &recipe);
    CHECK_EQ(r.cuts[0].count, 22);
    CHECK_EQ(r.component_count, 2);
    oracle_free(&r);
    // A hip far up would make the way around through it 1 + 2 * 20 longer; the straight line
    // between its children counts, and their depth below it does not.
    s->joints[0].bind[14] = 23.5;
    recipe.cut_count = 0;
    r = cook_checked(s, &recipe);
    CHECK_EQ(r.cuts[0].count, 21);
    oracle_free(&r);
    // Without weights the hip is left out, and the line between its children still counts.
    const char* const excluded[] = {"joint0"};
    recipe.excluded_joints = excluded;
    recipe.excluded_joint_count = 1;
    r = cook_checked(s, &recipe);
    CHECK(!r.is_kept[0]);
    CHECK_EQ(r.parent[1], ORACLE_NONE);
    CHECK_EQ(r.segment_count, 2);
    CHECK_EQ(r.cuts[0].count, 21);
    CHECK_EQ(voxel_in(&r, 0, 0, 7)->weights[0], 1.0);
    oracle_free(&r);
    scene_free(s);
}

// A row of eight: joint 0 owns cells 0 to 2, joint 1, a leaf without weights, is a point in cell 2.
TLW_TEST(geodesic_weights_follow_the_formula) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 0, 0, -3.5);
    scene_add_joint(s, 0, 0, 0, -1.5);
    scene_add_box(s, (double[3]){-0.25, -0.25, -3.75}, (double[3]){0.25, 0.25, 3.75});
    oracle_result r = cook_geodesic(s, 8);
    CHECK_EQ(r.segment_count, 2);
    // d = 0 and 2: d' = 0.5 and 2.5, (d' + d'^2) / 2 = 0.375 and 4.375.
    double w0 = 1 / (0.375 * 0.375), w1 = 1 / (4.375 * 4.375);
    CHECK_NEAR(voxel_in(&r, 0, 0, 0)->weights[0], w0 / (w0 + w1), 1e-12);
    CHECK_EQ(voxel_in(&r, 0, 0, 0)->joints[1], 1);
    CHECK_NEAR(voxel_in(&r, 0, 0, 5)->weights[0], 0.5, 1e-12);
    CHECK_EQ(voxel_in(&r, 0, 0, 5)->joint, 0);
    CHECK_EQ(voxel_in(&r, 0, 0, 5)->d_seg, 3);
    oracle_free(&r);
    scene_free(s);
}

// Two rods without weights, a joint down the whole of each with a point at its end: one from the
// top, the other from the bottom. On all links a voxel also feels the other rod, one step away:
// 1 / 1.875^2 against 1 / 0.375^2, a share of 0.04. They share little weight, and the way from one
// rod to the other goes to a root and 7.07 voxels across: all 22 links are cut, and the share is
// gone.
TLW_TEST(geodesic_weights_are_computed_again_on_the_links_left) {
    scene* s = scene_new();
    for (int side = -1; side <= 1; side += 2) {
        uint32_t root = scene_add_joint(s, TLW_NO_JOINT, side * 0.5, 0, side * -3.5);
        scene_add_joint(s, root, side * 0.5, 0, side * 3.5);
        scene_add_box(s, (double[3]){side * 0.5 - 0.25, -0.25, -3.75},
                      (double[3]){side * 0.5 + 0.25, 0.25, 3.75});
    }
    oracle_result r = cook_geodesic(s, 8);
    CHECK_EQ(r.voxel_count, 16);
    CHECK_EQ(r.cut_count, 1);
    CHECK_EQ(r.cuts[0].joint_a, 0);
    CHECK_EQ(r.cuts[0].joint_b, 2);
    CHECK_EQ(r.cuts[0].count, 22);
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        uint32_t other = r.voxels[v].cell[0] == 0 ? 2 : 0;
        CHECK_EQ(oracle_weight(&r.voxels[v], other), 0.0);
        CHECK_EQ(oracle_weight(&r.voxels[v], other + 1), 0.0);
    }
    CHECK_NEAR(voxel_in(&r, 0, 0, 0)->weights[0], 0.5, 1e-12); // both joints touch the end
    oracle_free(&r);
    scene_free(s);
}

// Side of a joint of the scene: 1 and 2, 0 for hips and chest.
static int leg_of(uint32_t joint) {
    return joint >= 6 ? 2 : joint >= 3 ? 1 : 0;
}

// The gap is less than a voxel at both resolutions, so the legs touch all the way down.
TLW_TEST(legs_that_nearly_touch_keep_no_link) {
    for (uint32_t resolution = 32; resolution <= 64; resolution += 32) {
        scene* s = scene_make(SCENE_legs, 0);
        oracle_result r = cook_at(s, resolution);
        uint32_t links = 0, neighbours = 0;
        for (uint32_t v = 0; v < r.voxel_count; ++v) {
            for (uint32_t bit = 13; bit < 26; ++bit) {
                int32_t offset[3];
                oracle_offset(bit, offset);
                const int32_t* cell = r.voxels[v].cell;
                const uint32_t other = oracle_voxel_at(&r, cell[0] + offset[0], cell[1] + offset[1],
                                                       cell[2] + offset[2]);
                if (other != ORACLE_NONE &&
                    leg_of(r.voxels[v].joint) * leg_of(r.voxels[other].joint) == 2) {
                    neighbours += 1;
                    links += r.voxels[v].links >> bit & 1;
                }
            }
        }
        CHECK_LT(200, neighbours);
        CHECK_EQ(links, 0);
        CHECK_EQ(r.component_count, 1);
        oracle_free(&r);
        scene_free(s);
    }
}

// Inside and facing
// -----------------------------------------------------------------------------------------

// Two boxes of 6 x 5 x 5 cells that overlap in the middle of 9, joint 0 on the left, 1 on the
// right.
static scene* make_overlapping_boxes(void) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, -2, 0, 0);
    scene_add_joint(s, 0, 2, 0, 0);
    scene_add_box(s, (double[3]){-4.25, -2.25, -2.25}, (double[3]){1.25, 2.25, 2.25});
    scene_weigh_rigidly(s, 0, 0);
    scene_add_box(s, (double[3]){-1.25, -2.25, -2.25}, (double[3]){4.25, 2.25, 2.25});
    scene_weigh_rigidly(s, 8, 1);
    return s;
}

// The right box ends inside the left one, at x = -1.25, with a wall that faces left. Centres at
// x = -2 are 0.75 from it, and at least 1.25 from the left box' own walls (1.25 at y or z = 1, 2.25
// in the middle). They are in front of that wall, so it does not count. Without that, all nine in
// the middle follow the right box, and so do the nine opposite the left one.
TLW_TEST(voxels_in_a_box_do_not_take_weights_from_the_wall_of_another_that_ends_inside_it) {
    for (int turned = 0; turned < 2; ++turned) {
        scene* s = make_overlapping_boxes();
        if (turned) {
            turn_inside_out(s);
        }
        tlw_cook_recipe recipe = scene_recipe();
        recipe.resolution = 9;
        recipe.smoothing_passes = 0;
        oracle_result r = cook_checked(s, &recipe);
        CHECK_EQ(r.voxel_count, 225);
        CHECK_EQ(r.vote_count, 0);
        for (uint32_t v = 0; v < r.voxel_count; ++v) {
            const oracle_voxel* voxel = &r.voxels[v];
            CHECK(voxel->is_inside); // every centre is at least a quarter inside
            // Cells 3 to 5 are in both boxes, and may follow either.
            if (voxel->cell[0] <= 2 || voxel->cell[0] >= 6) {
                CHECK_EQ(voxel->weights[0], 1.0);
                CHECK_EQ(voxel->joint, voxel->cell[0] >= 6);
            }
        }
        // At x = -1 the left wall of the right box has the centre behind it, 0.25 away.
        CHECK_EQ(voxel_in(&r, 3, 2, 2)->joint, 1);
        CHECK_EQ(voxel_in(&r, 5, 2, 2)->joint, 0);
        oracle_free(&r);
        scene_free(s);
    }
}

// A box whose faces point inwards has a negative volume, -4.5^3; one of two boxes turned inside out
// does not turn the sum, and loses its inside: only rays that meet the other box could save it.
TLW_TEST(mesh_is_inside_out_by_the_sign_of_its_whole_volume) {
    scene* s = make_box(2.25, 2.25, 2.25, 0);
    turn_inside_out(s);
    oracle_result r = cook_at(s, 5);
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        CHECK(r.voxels[v].is_inside);
    }
    oracle_free(&r);
    scene_add_box(s, (double[3]){4.75, -2.75, -2.75}, (double[3]){10.25, 2.75, 2.75});
    scene_weigh_rigidly(s, 8, 0);
    r = cook_at(s, 13);
    uint32_t inside[2] = {0, 0};
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        inside[r.voxels[v].cell[0] > 5] += r.voxels[v].is_inside;
    }
    CHECK_EQ(inside[0], 0);
    CHECK_LT(200, inside[1]); // 6 x 6 x 6
    oracle_free(&r);
    scene_free(s);
}

TLW_TEST(segment_meets_a_triangle_that_is_not_in_a_plane_with_it) {
    const int64_t a[3] = {0, 0, 0}, b[3] = {100, 0, 0}, c[3] = {0, 100, 0};
    static const struct {
        int64_t p[3], q[3];
        bool meets;
    } segments[] = {
        {{20, 20, -5}, {20, 20, 5}, true},   // through the middle
        {{20, 20, 5}, {20, 20, -5}, true},   // the other way round
        {{50, 50, -5}, {50, 50, 5}, true},   // through an edge
        {{50, 51, -5}, {50, 51, 5}, false},  // past it by one unit
        {{0, 0, -5}, {0, 0, 5}, true},       // through a corner
        {{-1, 0, -5}, {-1, 0, 5}, false},    // past it
        {{20, 20, 0}, {20, 20, 5}, true},    // ends on it
        {{20, 20, 1}, {20, 20, 5}, false},   // ends before it
        {{100, 0, 0}, {200, 0, 1}, true},    // ends on a corner
        {{-10, 20, 0}, {200, 20, 0}, false}, // in its plane
        {{0, 0, 0}, {100, 0, 0}, false},     // along an edge
    };
    for (size_t i = 0; i < TLW_COUNT_OF(segments); ++i) {
        const int64_t *p = segments[i].p, *q = segments[i].q;
        CHECK_EQ(oracle_segment_meets_triangle(p, q, a, b, c), segments[i].meets);
        CHECK_EQ(oracle_segment_meets_triangle(p, q, a, c, b), segments[i].meets);
        CHECK_EQ(oracle_segment_meets_triangle(p, q, c, a, b), segments[i].meets);
    }
    // Degenerate: a segment and a point.
    CHECK(!oracle_segment_meets_triangle(segments[0].p, segments[0].q, a, b, b));
    CHECK(!oracle_segment_meets_triangle(segments[4].p, segments[4].q, a, a, a));
}

// Limbs and flesh
// -----------------------------------------------------------------------------------------

// Two bars of 3 x 3 x 8 cells side by side, or one of 6 x 3 x 8. Joint 0 runs down the left half
// from the top, joint 1 up the right half from the bottom, so the path between them is at least 7.6
// and no direct way is longer than 4.6. Across the middle there are 7 pairs of cells along y and 22
// along z.
#define LINKS_ACROSS 154u

static scene* make_bars(bool is_one) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 1.5, 1.5, 7.5);
    scene_add_joint(s, TLW_NO_JOINT, 4.5, 1.5, 0.5);
    const double x[] = {0.25, 2.75, 3.25, 5.75}, y[] = {0.25, 2.75}, z[] = {0.25, 7.75};
    add_blocks(s, (const double* const[3]){x, y, z}, (uint32_t[3]){3, 1, 1},
               is_one ? "###" : "#.#");
    weigh_by_side(s, 0, 3, 0, 1);
    return s;
}

static uint32_t cut_links(const oracle_result* r) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < r->cut_count; ++c) {
        count += r->cuts[c].count;
    }
    return count;
}

// Inside, no surface lies between the halves; outside, one skin covers them.
TLW_TEST(flesh_under_one_skin_is_not_cut_even_if_the_skeleton_is_far_apart) {
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 8;
    static const tlw_cook_cut_kind kinds[] = {TLW_CUT_NEVER, TLW_CUT_FORCED, TLW_CUT_ALL};
    static const uint32_t expected[2][3] = {{0, LINKS_ACROSS, LINKS_ACROSS}, {0, 0, LINKS_ACROSS}};
    for (int is_one = 0; is_one < 2; ++is_one) {
        scene* s = make_bars(is_one);
        recipe.cut_count = 0;
        oracle_result r = cook_checked(s, &recipe);
        CHECK_EQ(r.voxel_count, 144);
        CHECK_EQ(cut_links(&r), is_one ? 0 : LINKS_ACROSS);
        oracle_free(&r);
        for (int k = 0; k < 3; ++k) {
            const tlw_cook_cut cut = {"joint1", "joint0", kinds[k]};
            recipe.cuts = &cut;
            recipe.cut_count = 1;
            r = cook_checked(s, &recipe);
            CHECK_EQ(cut_links(&r), expected[is_one][k]);
            oracle_free(&r);
        }
        scene_free(s);
    }
}

// Voxels beside the cut have voxels all around them, but not links: they keep their weights.
// Without cuts the joints mix across the middle.
TLW_TEST(smoothing_comes_after_the_cut_and_does_not_cross_it) {
    scene* s = make_bars(false);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 8;
    oracle_result r = cook_checked(s, &recipe);
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        CHECK_EQ(r.voxels[v].weights[0], 1.0);
        CHECK_EQ(r.voxels[v].joint, r.voxels[v].cell[0] >= 3);
    }
    oracle_free(&r);
    const tlw_cook_cut cut = {"joint0", "joint1", TLW_CUT_NEVER};
    recipe.cuts = &cut;
    recipe.cut_count = 1;
    recipe.smoothing_passes = 1;
    r = cook_checked(s, &recipe);
    CHECK_NEAR(oracle_weight(voxel_in(&r, 2, 1, 4), 1), 1.0 / 6, 1e-12);
    oracle_free(&r);
    scene_free(s);
}

// A head of 9 x 3 x 4 cells with a mouth: a slit of 0.1 voxel in the middle of its height, from
// x = 4.25 to the front. The skin goes around the end of the slit inside cell 4. Upper and lower
// side share 7 pairs of cells along y; along x 25 in all, 10 of which have the slit and not its
// end.
TLW_TEST(forced_cut_opens_lips_and_leaves_cheeks_closed) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 1, 1.5, 3);
    scene_add_joint(s, 0, 1, 1.5, 1);
    const double x[] = {0.25, 4.25, 8.75}, y[] = {0.25, 2.75}, z[] = {0.25, 1.95, 2.05, 3.75};
    add_blocks(s, (const double* const[3]){x, y, z}, (uint32_t[3]){2, 1, 3},
               "##"
               "#."
               "##");
    weigh_by_side(s, 2, 2, 1, 0);
    tlw_cook_cut cut = {"joint0", "joint1", TLW_CUT_FORCED};
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 9;
    recipe.cuts = &cut;
    recipe.cut_count = 1;
    oracle_result r = cook_checked(s, &recipe);
    CHECK_EQ(r.open_edge_count + r.non_manifold_edge_count, 0);
    CHECK_EQ(r.voxel_count, 108);
    CHECK_EQ(cut_links(&r), 70);
    CHECK_EQ(r.component_count, 1);
    for (int32_t front = 0; front < 9; ++front) {
        for (int32_t side = 0; side < 3; ++side) {
            const uint32_t up = voxel_in(&r, front, side, 1)->links >> 21 & 1;
            CHECK_EQ(up, front <= 4);
        }
    }
    oracle_free(&r);
    cut.kind = TLW_CUT_ALL;
    r = cook_checked(s, &recipe);
    CHECK_EQ(cut_links(&r), 175);
    CHECK_EQ(r.component_count, 2);
    oracle_free(&r);
    // The last entry for a pair counts.
    const tlw_cook_cut cuts[] = {cut, {"joint1", "joint0", TLW_CUT_NEVER}};
    recipe.cuts = cuts;
    recipe.cut_count = 2;
    r = cook_checked(s, &recipe);
    CHECK_EQ(r.cut_count, 0);
    oracle_free(&r);
    scene_free(s);
}

// Each rod hangs on a joint two voxels above it that has no weights, and these on a third. The way
// over them is 2 + 1 + 2, and the link at the very top is cut too; as children of one joint the
// rods keep it.
TLW_TEST(path_goes_over_joints_that_are_left_out) {
    scene* s = scene_new();
    const uint32_t root = scene_add_joint(s, TLW_NO_JOINT, 0, 0, 9);
    for (int side = -1; side <= 1; side += 2) {
        const uint32_t above = scene_add_joint(s, root, side * 0.5, 0, 5.5);
        const uint32_t rod = scene_add_joint(s, above, side * 0.5, 0, 3.5);
        const uint32_t first = s->meshes[0].vertex_count;
        scene_add_box(s, (double[3]){side * 0.5 - 0.25, -0.25, -3.75},
                      (double[3]){side * 0.5 + 0.25, 0.25, 3.75});
        scene_weigh_rigidly(s, first, rod);
    }
    oracle_result r = cook_at(s, 8);
    CHECK_EQ(r.segment_count, 2);
    CHECK_EQ(cut_links(&r), 22);
    oracle_free(&r);
    // With these at the rods' own tops the way is 1: they are on it, and have no segments.
    s->joints[1].bind[14] = s->joints[3].bind[14] = 3.5;
    r = cook_at(s, 8);
    CHECK_EQ(r.segment_count, 2);
    CHECK_EQ(cut_links(&r), 21);
    oracle_free(&r);
    s->joints[1].bind[14] = s->joints[3].bind[14] = 5.5;
    s->joints[2].parent = s->joints[4].parent = root;
    r = cook_at(s, 8);
    CHECK_EQ(r.segment_count, 2);
    CHECK_EQ(cut_links(&r), 21);
    oracle_free(&r);
    scene_free(s);
}
