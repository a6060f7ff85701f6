// SPDX-License-Identifier: MIT
// The oracle cooker against numbers worked out by hand, and invariants that hold for every cooked
// character. Scenes built here are sized so that s is 1: an extent of n - 0.5 gives n voxels, and
// the mesh ends a quarter of a voxel inside the grid (RULES 2).
#include "tests/cook/oracle/oracle.h"

#include "tests/cook/oracle/oracle_private.h"
#include "tests/cook/support/oracle_checks.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// By hand
// -----------------------------------------------------------------------------------------

// Resolution 1: s = 1 / 0.5 = 2, one cell from -1 to 1, the cube from 1/4 to 3/4 of it.
TLW_TEST(single_cube_is_one_bone_voxel) {
    scene* s = make_box(0.5, 0.5, 0.5, 0);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 1;
    recipe.region_width = 2;
    oracle_result r = cook_checked(s, &recipe);
    CHECK_EQ(r.s, 2.0);
    CHECK_EQ(r.origin[0], -1.0);
    CHECK_EQ(r.voxel_count, 1);
    CHECK_EQ(r.conservative_count, 1);
    CHECK_EQ(r.welded_vertex_count, 8);
    CHECK_EQ(r.triangle_count, 12);
    CHECK_EQ(r.open_edge_count, 0);
    CHECK_EQ(r.non_manifold_edge_count, 0);
    CHECK_EQ(r.voxels[0].layer, 0);
    CHECK_EQ(r.voxels[0].links, 0);
    CHECK_EQ(r.voxels[0].weights[0], 1.0);
    CHECK_EQ(r.voxels[0].eq13, 1.0);
    CHECK_NEAR(r.voxels[0].d_max, 0.05, 1e-8); // 0.10 of an extent of half a voxel
    CHECK_EQ(r.boneless_component_count, 0);
    CHECK_EQ(r.cube_count, 8); // one per corner, each with the one voxel
    for (uint32_t k = 0; k < r.binding_count; ++k) {
        CHECK_EQ(r.bindings[k].count, 1);
    }
    oracle_free(&r);
    scene_free(s);
}

// 26 voxels on the surface, one inside; the joint is a point in the middle.
TLW_TEST(cube_of_three_has_the_neighbours_regions_and_limits_counted_by_hand) {
    scene* s = make_box(1.25, 1.25, 1.25, 0);
    scene_add_socket(s, 0.25, 0, 0);
    scene_add_socket(s, 40, 0, 0);
    scene_add_socket(s, 1.6, 0, 0);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 3;
    recipe.limit_extent = 1;
    oracle_result r = cook_checked(s, &recipe);
    CHECK_EQ(r.conservative_count, 26);
    CHECK_EQ(r.solid_count, 1);
    const oracle_voxel *middle = voxel_in(&r, 1, 1, 1), *face = voxel_in(&r, 2, 1, 1),
                       *edge = voxel_in(&r, 2, 2, 1), *corner = voxel_in(&r, 0, 0, 0);
    CHECK_EQ(middle->links, (1u << 26) - 1);
    CHECK_EQ(middle->d_seg, 0);
    CHECK_EQ(face->d_seg, 1);
    CHECK_EQ(edge->d_seg, 2);
    CHECK_EQ(corner->d_seg, 3);
    CHECK_EQ(middle->d_skin, 1);
    CHECK_EQ(count_layer(&r, 0), 1);
    CHECK_EQ(count_layer(&r, 3), 26);
    CHECK_EQ(middle->h, 1);
    CHECK_EQ(face->h, 1); // one step in
    CHECK_EQ(edge->h, 1); // across an edge; its face neighbours are as shallow as it is
    CHECK_EQ(corner->h, 1);
    CHECK_NEAR(face->d_max, 1.2, 1e-6);
    CHECK_NEAR(corner->d_max, 1.2, 1e-6);
    CHECK_EQ(middle->eq13, 0.0);
    CHECK_EQ(corner->eq13, 1.0);
    // A corner has 3 face, 3 edge and 1 corner neighbours; the middle has all.
    static const uint32_t sets[5] = {6, 14, 18, 20, 26};
    static const uint32_t at_corner[5] = {3, 4, 6, 4, 7};
    for (int k = 0; k < 5; ++k) {
        uint32_t list[26];
        CHECK_EQ(oracle_neighbours(&r, sets[k], 0, list), at_corner[k]);
        CHECK_EQ(oracle_neighbours(&r, sets[k], 13, list), sets[k]);
    }
    // Regions: 8 corners of 8, 12 edges of 12, 6 faces of 18, one of 27.
    CHECK_EQ(r.region_first[27], 8 * 8 + 12 * 12 + 6 * 18 + 27);
    CHECK_EQ(corner->faces[0], ORACLE_NONE);
    CHECK_EQ(corner->faces[1], 1);
    CHECK_EQ(corner->faces[3], 3);
    CHECK_EQ(corner->faces[5], 9);
    // Vertices are at 2.75 (or 0.25) on all axes: the cube holds one voxel of the set.
    for (uint32_t k = 0; k < 8; ++k) {
        CHECK_EQ(r.bindings[k].count, 1);
    }
    // 1.75, 1.5, 1.5: a quarter of the way from the middle to the +x face.
    const oracle_binding* socket = &r.bindings[8];
    CHECK_EQ(socket->count, 2);
    CHECK_EQ(socket->voxels[0], 13);
    CHECK_EQ(socket->voxels[1], 14);
    CHECK_EQ(socket->weights[0], 0.75);
    CHECK(!socket->is_outside);
    for (int k = 9; k < 11; ++k) { // far away, and just outside
        CHECK(r.bindings[k].is_outside);
        CHECK_EQ(r.bindings[k].own, 14);
        CHECK_EQ(r.bindings[k].count, 1);
        CHECK_EQ(r.bindings[k].voxels[0], 14);
    }
    oracle_free(&r);
    recipe.region_width = 2;
    r = cook_checked(s, &recipe);
    CHECK_EQ(r.cube_count, 4 * 4 * 4);
    oracle_free(&r);
    scene_free(s);
}

// The leaf starts at 1.5; the mean vertex is ahead at 2.5, the furthest at 4.75: it touches cells 1
// to 4 of the middle row. Bone is what it touches: elsewhere d_seg <= floor(0.34 d_seg) fails.
TLW_TEST(box_of_five_by_three_by_three_has_a_row_of_bone) {
    scene* s = make_box(2.25, 1.25, 1.25, -1);
    oracle_result r = cook_at(s, 5);
    CHECK_EQ(r.counts[0], 5);
    CHECK_EQ(r.counts[1], 3);
    CHECK_EQ(r.counts[2], 3);
    CHECK_EQ(r.conservative_count, 42);
    CHECK_EQ(r.solid_count, 3);
    CHECK_EQ(r.segment_count, 1);
    CHECK_NEAR(r.segments[0].ends[0][0], 1.5, 1e-12);
    CHECK_NEAR(r.segments[0].ends[1][0], 4.75, 1e-12);
    for (int32_t x = 0; x < 5; ++x) {
        const oracle_voxel* voxel = voxel_in(&r, x, 1, 1);
        CHECK_EQ(r.touched[voxel - r.voxels], x >= 1);
        CHECK_EQ(voxel->layer, x >= 1 ? 0 : 3);
        CHECK_EQ(voxel->d_skin, x >= 1 && x <= 3);
    }
    CHECK_EQ(count_layer(&r, 0), 4);
    CHECK_EQ(count_layer(&r, 3), 41);
    CHECK_EQ(voxel_in(&r, 0, 0, 0)->d_bone, 3);
    CHECK_EQ(voxel_in(&r, 0, 0, 1)->d_bone, 2);
    CHECK_EQ(voxel_in(&r, 4, 0, 1)->d_bone, 1);
    CHECK_EQ(r.cut_count, 0);
    oracle_free(&r);
    scene_free(s);
}

// A point joint in the middle of 9 x 9 x 9. With |x|, |y|, |z| from the middle, sorted to
// a >= b >= c: d_skin = 4 - a, d_seg = a + b + c. Bone where a + b + c <= floor(0.34 (4 + b + c)):
// the middle and its six faces (1 <= floor(1.36); 2 > floor(1.7)). So d_bone = a + b + c - 1.
// Muscle where d_bone / (d_bone + d_skin) <= 6/10. A step that lowers all of the largest
// coordinates goes deeper, and there is always one: h = 4. (Steps through faces lower one
// coordinate, and would end where two are largest.)
TLW_TEST(cube_of_nine_has_layers_and_depths_of_closed_form) {
    scene* s = make_box(4.25, 4.25, 4.25, 0);
    oracle_result r = cook_at(s, 9);
    CHECK_EQ(r.voxel_count, 729);
    CHECK_EQ(r.solid_count, 343);
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        const oracle_voxel* voxel = &r.voxels[v];
        int d[3];
        for (int k = 0; k < 3; ++k) {
            d[k] = abs(voxel->cell[k] - 4);
        }
        int sum = d[0] + d[1] + d[2];
        int a = d[0] > d[1] ? d[0] : d[1];
        a = a > d[2] ? a : d[2];
        CHECK_EQ((int)voxel->d_skin, 4 - a);
        CHECK_EQ((int)voxel->d_seg, sum);
        CHECK_EQ(voxel->h, 4);
        CHECK_EQ((int)voxel->d_bone, sum <= 1 ? 0 : sum - 1);
        uint32_t layer = sum <= 1                                  ? 0
                         : a == 4                                  ? 3
                         : 10 * (sum - 1) <= 6 * (sum - 1 + 4 - a) ? 1
                                                                   : 2;
        CHECK_EQ(voxel->layer, layer);
    }
    CHECK_EQ(count_layer(&r, 0), 7);
    oracle_free(&r);

    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 9;
    recipe.bone_radius_voxels = 2; // 1 + 6 + 12 + 6 voxels within two steps
    recipe.layer_count = 2;
    r = cook_checked(s, &recipe);
    CHECK_EQ(count_layer(&r, 0), 25);
    CHECK_EQ(count_layer(&r, 1), 729 - 25);
    oracle_free(&r);
    scene_free(s);
}

// A cube of nine with a bar of 3 x 3 x 4 cells on the middle of its +x face. Inside the bar d_skin
// is 1; behind its foot it is 2, 3, 4 at x = 8, 7, 6, since the nearest shell is the cube's face
// beside the bar. So the first of the bar's inner voxels goes up to 4, the next finds none deeper
// than itself. The bar's surface beside that one reaches the first over an edge: 4, where steps
// through faces would give 1.
TLW_TEST(depth_goes_up_links_in_all_directions) {
    scene* s = make_box(4.25, 4.25, 4.25, 0);
    scene_add_box(s, (double[3]){0, -1.25, -1.25}, (double[3]){8.25, 1.25, 1.25});
    scene_weigh_rigidly(s, 8, 0);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 13;
    recipe.limit_extent = 1;
    oracle_result r = cook_checked(s, &recipe);
    CHECK_EQ(r.voxel_count, 729 + 36);
    CHECK_EQ(r.cut_count, 0);
    static const uint32_t d_skin[13] = {0, 1, 2, 3, 4, 4, 4, 3, 2, 1, 1, 1, 0};
    static const uint32_t inner[13] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 1, 1};
    for (int32_t x = 0; x < 13; ++x) {
        CHECK_EQ(voxel_in(&r, x, 4, 4)->d_skin, d_skin[x]);
        CHECK_EQ(voxel_in(&r, x, 4, 4)->h, inner[x]);
    }
    for (int32_t x = 9; x < 13; ++x) {
        CHECK_EQ(voxel_in(&r, x, 3, 4)->d_skin, 0);
        CHECK_EQ(voxel_in(&r, x, 3, 4)->h, x <= 10 ? 4 : 1); // over an edge
        CHECK_EQ(voxel_in(&r, x, 5, 3)->h, x <= 10 ? 4 : 1); // over a corner
    }
    CHECK_NEAR(voxel_in(&r, 10, 3, 4)->d_max, 0.6 * 5, 1e-6);
    CHECK_NEAR(voxel_in(&r, 11, 3, 4)->d_max, 0.6 * 2, 1e-6);
    oracle_free(&r);
    scene_free(s);
}

// Corners at 256 and 3840 of 4096: the long side is x + y = 4096, so of the 16 cells it just
// touches (1,3), (2,2), (3,1) at a corner, and misses (2,3), (3,2), (3,3).
TLW_TEST(single_triangle_touches_cells_that_it_meets_in_one_point) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 0.25, 0.25, 0);
    scene_add_vertex(s, 0, 0, 0);
    scene_add_vertex(s, 3.5, 0, 0);
    scene_add_vertex(s, 0, 3.5, 0);
    scene_add_triangle(s, 0, 1, 2);
    scene_weigh_rigidly(s, 0, 0);
    oracle_result r = cook_at(s, 4);
    CHECK_EQ(r.counts[2], 1);
    CHECK_EQ(r.open_edge_count, 3);
    CHECK_EQ(r.conservative_count, 13);
    CHECK_EQ(r.voxel_count, 13);
    for (int32_t y = 0; y < 4; ++y) {
        for (int32_t x = 0; x < 4; ++x) {
            CHECK_EQ(oracle_voxel_at(&r, x, y, 0) != ORACLE_NONE, x + y <= 4);
        }
    }
    oracle_free(&r);
    scene_free(s);
}

TLW_TEST(box_test_is_closed_and_exact_for_triangles_segments_and_points) {
    const int64_t corner[3] = {1024, 1024, 1024}, inside[3] = {512, 100, 1000};
    const int64_t a[3] = {2048, 0, 512}, b[3] = {0, 2048, 512};
    const int64_t above_a[3] = {2049, 0, 512}, above_b[3] = {0, 2049, 512};
    const int64_t up[3] = {2048, 2048, 512};
    uint32_t touched = 0;
    for (int32_t k = 0; k < 27; ++k) {
        int32_t cell[3] = {k % 3, k / 3 % 3, k / 9};
        touched += oracle_triangle_touches_cell(corner, corner, corner, cell);
    }
    CHECK_EQ(touched, 8); // a point on a corner
    const int32_t zero[3] = {0, 0, 0}, right[3] = {1, 0, 0}, far[3] = {1, 1, 0}, top[3] = {0, 0, 1};
    CHECK(oracle_triangle_touches_cell(inside, inside, inside, zero));
    CHECK(!oracle_triangle_touches_cell(inside, inside, inside, right));
    // x + y = 2048 meets the first cell in its corner; one unit more misses it.
    CHECK(oracle_triangle_touches_cell(a, b, b, zero));
    CHECK(oracle_triangle_touches_cell(a, b, b, far));
    CHECK(!oracle_triangle_touches_cell(above_a, above_b, above_b, zero));
    CHECK(!oracle_triangle_touches_cell(a, b, b, top));
    // The same as triangles: the corner opposite lies further out.
    CHECK(oracle_triangle_touches_cell(a, b, up, zero));
    CHECK(!oracle_triangle_touches_cell(above_a, above_b, up, zero));
    // Three corners on a line, the middle one given last.
    const int64_t middle[3] = {1024, 1024, 512};
    CHECK(oracle_triangle_touches_cell(a, b, middle, zero));
    // No coordinate axis separates, but the plane x + y + z = 3073 does.
    const int64_t x[3] = {3073, 0, 0}, y[3] = {0, 3073, 0}, z[3] = {0, 0, 3073};
    CHECK(!oracle_triangle_touches_cell(x, y, z, zero));
    const int64_t x1[3] = {3072, 0, 0}, y1[3] = {0, 3072, 0}, z1[3] = {0, 0, 3072};
    CHECK(oracle_triangle_touches_cell(x1, y1, z1, zero));
}

// The joint is at (1, 3, 0.5): on the border of two cells on x and on y, so both count, and its
// segment to x = 7.75 touches two rows of eight.
TLW_TEST(plate_one_voxel_thick_is_all_shell_and_a_bone_on_a_border_is_two_wide) {
    scene* s = make_box(3.75, 2.75, 0.25, -3);
    oracle_result r = cook_at(s, 8);
    CHECK_EQ(r.counts[0], 8);
    CHECK_EQ(r.counts[1], 6);
    CHECK_EQ(r.counts[2], 1);
    CHECK_EQ(r.voxel_count, 48);
    CHECK_EQ(r.conservative_count, 48);
    CHECK_EQ(count_layer(&r, 0), 16);
    CHECK_EQ(count_layer(&r, 3), 32);
    for (uint32_t v = 0; v < 48; ++v) {
        CHECK_EQ(r.voxels[v].d_skin, 0);
        CHECK_EQ(r.voxels[v].h, 0);
        CHECK_EQ(r.voxels[v].eq13, 1.0);
        CHECK_NEAR(r.voxels[v].d_max, 0.6, 1e-6);
        CHECK_EQ(r.voxels[v].layer == 0, r.voxels[v].cell[1] == 2 || r.voxels[v].cell[1] == 3);
    }
    oracle_free(&r);
    scene_free(s);
}

// A: 5 x 2 x 2 cells; B: 2 x 2 x 4, of which 2 x 2 x 2 are A's: 28. Across the inner corner the
// path is 3 and direct 0.71 + 0.71 + 1.41, so nothing is cut.
TLW_TEST(ell_of_two_boxes_has_twenty_eight_voxels_and_no_cut) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 4, 0.75, 0.75);
    scene_add_joint(s, 0, 0.75, 0.75, 0.75);
    scene_add_box(s, (double[3]){0, 0, 0}, (double[3]){4.5, 1.5, 1.5});
    scene_weigh_rigidly(s, 0, 0);
    scene_add_box(s, (double[3]){0, 0, 0.5}, (double[3]){1.5, 1.5, 3.5});
    scene_weigh_rigidly(s, 8, 1);
    oracle_result r = cook_at(s, 5);
    CHECK_EQ(r.welded_vertex_count, 16);
    CHECK_EQ(r.voxel_count, 28);
    CHECK_EQ(r.component_count, 1);
    CHECK_EQ(r.cut_count, 0);
    CHECK_EQ(r.segment_count, 2);
    CHECK_NEAR(r.segments[1].ends[1][2], 3.75, 1e-9); // the leaf goes up to the top
    CHECK_EQ(voxel_in(&r, 4, 0, 0)->joint, 0);
    CHECK_EQ(voxel_in(&r, 0, 0, 3)->joint, 1);
    CHECK(oracle_voxel_at(&r, 2, 0, 2) == ORACLE_NONE);
    CHECK((voxel_in(&r, 2, 0, 1)->links & 1u << 20) != 0); // (-1, 0, 1): over the inner corner
    oracle_free(&r);
    scene_free(s);
}

// The walls touch 16 cells on each of five floors, the bottom 9 more: 89. The other 36 can be
// reached through the open top, and get 5 of 6 votes. Rays in the middle run through the diagonals
// of the walls.
TLW_TEST(open_box_is_filled_by_the_vote) {
    scene* s = make_box(2.25, 2.25, 2.25, 0);
    scene_remove_triangles(s, 0, 0, 2.25, 1.2);
    oracle_result r = cook_at(s, 5);
    CHECK_EQ(r.triangle_count, 10);
    CHECK_EQ(r.open_edge_count, 4);
    CHECK_EQ(r.conservative_count, 89);
    CHECK_EQ(r.solid_count, 0);
    CHECK_EQ(r.vote_count, 36);
    CHECK_EQ(r.voxel_count, 125);
    oracle_free(&r);
    // With all triangles reversed the volume is negative, and all count reversed again.
    turn_inside_out(s);
    r = cook_at(s, 5);
    CHECK_EQ(r.conservative_count, 89);
    CHECK_EQ(r.vote_count, 36);
    oracle_free(&r);
    scene_free(s);
}

// Without two walls four rays still hit, so the vote just holds; without three it fails.
TLW_TEST(vote_needs_four_of_six) {
    scene* s = make_box(2.25, 2.25, 2.25, 0);
    scene_remove_triangles(s, 0, 0, 2.25, 1.2);
    scene_remove_triangles(s, 0, 0, -2.25, 1.2);
    oracle_result r = cook_at(s, 5);
    CHECK_EQ(r.conservative_count, 80);
    CHECK_EQ(r.vote_count, 45);
    oracle_free(&r);
    scene_remove_triangles(s, 2.25, 0, 0, 1.2);
    r = cook_at(s, 5);
    CHECK_EQ(r.vote_count, 0);
    oracle_free(&r);
    scene_free(s);
}

TLW_TEST(weld_joins_split_vertices_averages_weights_and_drops_what_collapses) {
    scene* s = make_box(1.25, 1.25, 1.25, 0);
    scene_add_joint(s, 0, 0.5, 0, 0);
    // A fin on the edge from vertex 0 to vertex 1, on copies of both that follow the other joint.
    scene_add_vertex(s, -1.25, -1.25, -1.25);
    scene_add_vertex(s, 1.25, -1.25, -1.25);
    scene_add_vertex(s, 0, -1.25, -1.0);
    scene_weigh_rigidly(s, 8, 1);
    scene_add_triangle(s, 8, 9, 10);
    scene_add_triangle(s, 0, 8, 3);       // collapses
    scene_add_vertex(s, 100, 0, 0);       // in no triangle
    scene_add_vertex(s, -0.0, 0.0, 1.25); // zeros of different sign: one position
    scene_add_vertex(s, 0.0, -0.0, 1.25);
    scene_add_triangle(s, 4, 12, 13); // collapses only if -0 is 0
    oracle_result r = cook_at(s, 3);
    CHECK_EQ(r.welded_vertex_count, 9);
    CHECK_EQ(r.triangle_count, 13);
    CHECK_EQ(r.non_manifold_edge_count, 1);
    CHECK_EQ(r.open_edge_count, 2);
    CHECK_EQ(r.voxel_count, 27);
    // Voxel (0, 0, 0) is nearest to the corner region: on the first triangle, the face x = -1.25,
    // corners 0, 4, 6 at barycentric (0.9, 0, 0.1)... by symmetry of y and z: 0.5 of joint 1 times
    // the share of vertex 0, which is 1 - 0.25 / 2.5.
    CHECK_NEAR(oracle_weight(voxel_in(&r, 0, 0, 0), 1), 0.5 * 0.9, 1e-7);
    oracle_free(&r);
    scene_free(s);
}

// Weights rise from joint 0 at x = -2.25 to joint 1 at 2.25. The middle row ties between all faces
// at distance 1.25, and the faces at the ends come first in the box: 0, 0.5, 1. The voxels beside
// it have the weight at their own x, x / 4.5.
TLW_TEST(smoothing_averages_the_six_faces_of_inner_voxels) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, -1, 0, 0);
    scene_add_joint(s, 0, 1, 0, 0);
    scene_add_box(s, (double[3]){-2.25, -1.25, -1.25}, (double[3]){2.25, 1.25, 1.25});
    scene_weigh_rigidly(s, 0, 0);
    for (uint32_t v = 1; v < 8; v += 2) {
        s->meshes[0].joints[v * 4] = 1;
    }
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 5;
    recipe.smoothing_passes = 0;
    oracle_result r = cook_checked(s, &recipe);
    CHECK_EQ(r.mode, TLW_WEIGHTS_ARTIST);
    CHECK_EQ(oracle_weight(voxel_in(&r, 1, 1, 1), 1), 0.0);
    CHECK_NEAR(oracle_weight(voxel_in(&r, 2, 1, 1), 1), 0.5, 1e-12);
    CHECK_EQ(voxel_in(&r, 2, 1, 1)->joint, 0); // ties go to the lower joint
    CHECK_NEAR(oracle_weight(voxel_in(&r, 3, 1, 1), 1), 1, 1e-12);
    CHECK_NEAR(oracle_weight(voxel_in(&r, 1, 0, 1), 1), 1.25 / 4.5, 1e-12);
    oracle_free(&r);
    recipe.smoothing_passes = 1;
    r = cook_checked(s, &recipe);
    double first = (0 + 0.5 + 4 * (1.25 / 4.5)) / 6;
    CHECK_NEAR(oracle_weight(voxel_in(&r, 1, 1, 1), 1), first, 1e-12);
    CHECK_NEAR(oracle_weight(voxel_in(&r, 2, 1, 1), 1), 0.5, 1e-12);
    CHECK_NEAR(oracle_weight(voxel_in(&r, 1, 0, 1), 1), 1.25 / 4.5, 1e-12); // shell: as it was
    oracle_free(&r);
    recipe.smoothing_passes = 2;
    r = cook_checked(s, &recipe);
    CHECK_NEAR(oracle_weight(voxel_in(&r, 1, 1, 1), 1), first,
               1e-12); // its neighbours did not change
    CHECK_NEAR(oracle_weight(voxel_in(&r, 2, 1, 1), 1), 0.5, 1e-12);
    oracle_free(&r);
    scene_free(s);
}

// d is the distance from the surface of the true torus; the mesh lies up to 0.12 voxels inside it.
TLW_TEST(torus_keeps_its_hole_and_fills_its_tube) {
    scene* s = scene_make(SCENE_torus, 0);
    oracle_result r = cook_at(s, 24);
    CHECK_EQ(r.welded_vertex_count, 32 * 16);
    CHECK_EQ(r.triangle_count, 32 * 16 * 2);
    CHECK_EQ(r.open_edge_count + r.non_manifold_edge_count, 0);
    CHECK_EQ(r.vote_count, 0);
    uint32_t in = 0, out = 0;
    for (int32_t z = 0; z < (int32_t)r.counts[2]; ++z) {
        for (int32_t y = 0; y < (int32_t)r.counts[1]; ++y) {
            for (int32_t x = 0; x < (int32_t)r.counts[0]; ++x) {
                double px = r.origin[0] + (x + 0.5) * r.s, py = r.origin[1] + (y + 0.5) * r.s;
                double pz = r.origin[2] + (z + 0.5) * r.s;
                double ring = sqrt(px * px + py * py) - 0.8;
                double d = (sqrt(ring * ring + pz * pz) - 0.25) / r.s;
                bool is_voxel = oracle_voxel_at(&r, x, y, z) != ORACLE_NONE;
                CHECK(is_voxel || d > -0.15);
                CHECK(!is_voxel || d < 0.87); // half the diagonal
                in += d < -0.15;
                out += d > 0.87;
            }
        }
    }
    CHECK_LT(1000, in);
    CHECK_LT(1000, out);
    CHECK_EQ(oracle_voxel_at(&r, 12, 12, 3), ORACLE_NONE);
    // The chain does not close, but its weights blend where the ring does: nothing is cut.
    CHECK_EQ(r.component_count, 1);
    CHECK_EQ(r.cut_count, 0);
    oracle_free(&r);
    scene_free(s);
}

// Joints
// -----------------------------------------------------------------------------------------

TLW_TEST(joints_without_weights_are_left_out_and_their_children_move_up) {
    scene* s = scene_make(SCENE_figure, 0);
    oracle_result r = cook_at(s, 24);
    CHECK(!r.is_kept[0]); // the root, outside the mesh
    CHECK(r.is_kept[1]);
    CHECK_EQ(r.parent[1], ORACLE_NONE);
    CHECK(!r.is_kept[4]); // an end joint: the neck is a leaf, and extends
    uint32_t neck_segments = 0;
    for (uint32_t k = 0; k < r.segment_count; ++k) {
        CHECK(r.is_kept[r.segments[k].owner]);
        CHECK(r.segments[k].child == ORACLE_NONE || r.is_kept[r.segments[k].child]);
        if (r.segments[k].owner == 3) {
            neck_segments += 1;
            CHECK_EQ(r.segments[k].child, ORACLE_NONE);
            CHECK_LT(r.segments[k].ends[0][2] + 1, r.segments[k].ends[1][2]);
        }
    }
    CHECK_EQ(neck_segments, 1);
    oracle_free(&r);
    scene_free(s);
}

TLW_TEST(component_without_bone_becomes_bone) {
    scene* s = scene_make(SCENE_split_lump, 0);
    oracle_result r = cook_at(s, 24);
    CHECK_EQ(r.boneless_component_count, 1);
    uint32_t filled = 0;
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        filled += r.voxels[v].is_filled_bone;
        CHECK(!r.voxels[v].is_filled_bone || r.voxels[v].layer == 0);
    }
    CHECK_LT(10, filled);
    oracle_free(&r);
    scene_free(s);
}

// Every scene
// -----------------------------------------------------------------------------------------

TLW_TEST(invariants_hold_on_every_scene) {
    static const uint32_t sets[5] = {6, 14, 18, 20, 26};
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        for (uint64_t seed = 0; seed < 3; ++seed) {
            scene* s = scene_make((scene_kind)kind, seed);
            tlw_cook_recipe recipe = scene_recipe();
            recipe.resolution = 12 + 4 * (uint32_t)seed;
            recipe.region_width = seed == 1 ? 2 : 3;
            recipe.is_firm_auto = seed != 1;
            recipe.neighbours = sets[(kind + (int)seed) % 5];
            recipe.weights = seed == 2 ? TLW_WEIGHTS_GEODESIC : TLW_WEIGHTS_AUTO;
            oracle_result r = cook_checked(s, &recipe);
            CHECK_EQ(r.counts[0] == recipe.resolution || r.counts[1] == recipe.resolution ||
                         r.counts[2] == recipe.resolution,
                     true);
            oracle_free(&r);
            scene_free(s);
        }
    }
}

// Every triangle of a lump has vertices of its own; welded, an octahedron that was split four times
// has 2 + 4^5 vertices.
TLW_TEST(lumps_are_closed_once_welded_and_open_ones_fill_up_again) {
    for (uint64_t seed = 0; seed < 3; ++seed) {
        scene* s = scene_make(SCENE_lump, seed);
        oracle_result r = cook_at(s, 20);
        CHECK_EQ(r.open_edge_count + r.non_manifold_edge_count, 0);
        CHECK_EQ(r.welded_vertex_count, 2 + 4 * 256);
        CHECK_EQ(r.triangle_count, 8 * 256);
        scene* open = scene_make(SCENE_open_lump, seed);
        oracle_result o = cook_at(open, 20);
        CHECK_LT(0, o.open_edge_count);
        CHECK_LT(0, o.vote_count);
        CHECK_LT(0.8 * r.voxel_count, o.voxel_count);
        oracle_free(&o);
        scene_free(open);
        oracle_free(&r);
        scene_free(s);
    }
}
