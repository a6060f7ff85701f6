// SPDX-License-Identifier: MIT
// The oracle cooker's muscles, bellies and Lame layers (RULES 8.9, 9.12 to 9.14) against facts
// worked out by hand. A cell is a metre wide and the grid's corner is 0, so joints stand in voxels.
#include "tests/cook/support/bend_body.h"
#include "tests/cook/support/oracle_checks.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

// ---- Lines

// A muscle with vertices at these places along x, radius 1 inside and 0 at the ends, no tendons.
static oracle_cooked_muscle line_along_x(const double* x, uint32_t count) {
    oracle_cooked_muscle m = {.vertex_count = count};
    for (uint32_t i = 0; i < count; ++i) {
        m.vertices[i].place[0] = x[i];
        m.vertices[i].radius = i > 0 && i + 1 < count ? 1 : 0;
        m.vertices[i].is_belly = i + 1 < count;
    }
    return m;
}

TLW_TEST(springs_of_a_straight_line_pull_with_half_the_mean_length) {
    static const double x[3] = {1, 3, 7};
    for (int has_tendon = 0; has_tendon < 2; ++has_tendon) {
        oracle_cooked_muscle m = line_along_x(x, 3);
        m.vertices[1].is_belly = has_tendon == 0;
        CHECK(oracle_finish_muscle(&m) == NULL);
        const double ratio = has_tendon ? 20 : 1;
        CHECK_NEAR(m.vertices[0].length, 2, 1e-12);
        CHECK_NEAR(m.vertices[1].length, 4, 1e-12);
        CHECK_NEAR(m.vertices[2].arc, 6, 1e-12);
        CHECK_NEAR(m.vertices[0].ratio, 1.5, 1e-12);
        CHECK_NEAR(m.vertices[1].ratio, ratio * 0.75, 1e-12);
        CHECK_NEAR(m.vertices[1].slack, 4 * (1 - 0.5 / ratio), 1e-12);
        CHECK_NEAR(m.vertices[0].balance[0], -1.5, 1e-12);
        CHECK_NEAR(m.vertices[1].balance[0], 0, 1e-12);
        CHECK_NEAR(m.vertices[2].balance[0], 1.5, 1e-12);
    }
}

TLW_TEST(tangent_halves_a_corner_and_a_line_that_turns_back_takes_the_second_direction) {
    static const double x[3] = {0, 2, 2};
    oracle_cooked_muscle m = line_along_x(x, 3);
    m.vertices[2].place[1] = 2;
    CHECK(oracle_finish_muscle(&m) == NULL);
    CHECK_NEAR(m.vertices[1].tangent[0], sqrt(0.5), 1e-12);
    CHECK_NEAR(m.vertices[1].tangent[1], sqrt(0.5), 1e-12);
    CHECK_NEAR(m.vertices[2].tangent[1], 1, 1e-12);
    m.vertices[2].place[0] = 0.5;
    m.vertices[2].place[1] = 0;
    CHECK(oracle_finish_muscle(&m) == NULL);
    CHECK_NEAR(m.vertices[1].tangent[0], -1, 1e-12);
}

TLW_TEST(flex_shares_take_from_the_ends_what_they_give_to_the_middle) {
    static const double x[5] = {0, 1, 2, 3, 4}, shares[5] = {-1, -0.5, 1, -0.5, -1};
    oracle_cooked_muscle m = line_along_x(x, 5);
    CHECK(oracle_finish_muscle(&m) == NULL);
    for (int i = 0; i < 5; ++i) {
        CHECK_NEAR(m.vertices[i].flex, shares[i], 1e-12);
    }
    m = line_along_x(x, 3); // all of it is in the middle already
    CHECK(oracle_finish_muscle(&m) == NULL);
    CHECK_NEAR(m.vertices[0].flex, 0, 0);
    CHECK_NEAR(m.vertices[1].flex, 0, 0);
}

TLW_TEST(short_segments_and_lines_of_tendons_alone_are_refused) {
    static const double near[3] = {0, 0.24, 2}, far[3] = {0, 0.25, 2};
    oracle_cooked_muscle m = line_along_x(near, 3);
    CHECK(oracle_finish_muscle(&m) != NULL);
    m = line_along_x(far, 3);
    CHECK(oracle_finish_muscle(&m) == NULL);
    m.vertices[0].is_belly = m.vertices[1].is_belly = false;
    CHECK(oracle_finish_muscle(&m) != NULL);
    m = line_along_x(far, 3);
    m.vertices[1].radius = 0;
    CHECK(oracle_finish_muscle(&m) != NULL);
}

// ---- Bodies

static void place(bend_body* b, uint32_t joint, const char* name, double x, double y, double z) {
    b->joints[joint].name = name;
    b->joints[joint].bind[12] = x;
    b->joints[joint].bind[13] = y;
    b->joints[joint].bind[14] = z;
}

// A segment from the joint's place, `length` along x; of a leaf, or to a child that is there.
static void add_segment(bend_body* b, uint32_t owner, uint32_t child, double length) {
    oracle_segment* segment = &b->result.segments[b->result.segment_count++];
    *segment = (oracle_segment){.owner = owner, .child = child};
    for (int a = 0; a < 3; ++a) {
        segment->ends[0][a] = segment->ends[1][a] = b->joints[owner].bind[12 + a];
    }
    segment->ends[1][0] += length;
}

static bend_body* body_of(bend_body* b) {
    b->result.s = 1;
    b->result.segments =
        oracle_allocate((size_t)b->result.joint_count * 2, sizeof *b->result.segments);
    return b;
}

static tlw_cook_place place_on(const char* joint, float along, float x, float y, float z) {
    return (tlw_cook_place){.joint = joint, .along = along, .offset = {x, y, z}};
}

TLW_TEST(mirrored_muscle_is_on_the_partners_with_offsets_and_places_turned) {
    bend_body* b = body_of(bend_body_new(4, 4, 4, 3));
    place(b, 0, "arm.L", 1, 2, 3);
    place(b, 1, "arm.R", 1, 10, 3);
    place(b, 2, "spine", 5, 6, 7);
    add_segment(b, 0, ORACLE_NONE, 4);
    add_segment(b, 1, ORACLE_NONE, 4);
    add_segment(b, 2, ORACLE_NONE, 4);
    tlw_cook_line_vertex line[3] = {{.place = place_on("spine", 0.5f, 1, 2, 3)},
                                    {.place = place_on("arm.L", 0.25f, 0, 0.5f, 1)},
                                    {.radius = -1, .is_dynamic = -1}};
    line[0].radius = line[1].radius = TLW_COOK_KEEP;
    line[0].is_dynamic = line[1].is_dynamic = TLW_COOK_KEEP;
    line[2].place =
        (tlw_cook_place){.joints = {"spine", "arm.L"}, .weights = {1, 3}, .at = {8, 3, 5}};
    const tlw_cook_muscle muscle = {.name = "lat.L",
                                    .radius = 2,
                                    .bulge = 1,
                                    .line = line,
                                    .vertex_count = 3,
                                    .flex_joint = "arm.L",
                                    .flex_to = 90,
                                    .is_mirrored = true};
    b->recipe.muscles = &muscle;
    b->recipe.muscle_count = 1;
    CHECK(oracle_make_muscles(&b->work) == NULL);
    CHECK_EQ(b->result.muscle_count, 2);
    static const double given[3][3] = {{8, 8, 10}, {2, 2.5, 4}, {8, 3, 5}};
    // The plane is y = 6; the offset of the spine's vertex turns, and its joint does not.
    static const double turned[3][3] = {{8, 4, 10}, {2, 9.5, 4}, {8, 9, 5}};
    const oracle_cooked_muscle* m = b->result.muscles;
    CHECK_STRING(m[0].name, "lat.L");
    CHECK_STRING(m[1].name, "lat.R");
    for (int i = 0; i < 9; ++i) {
        CHECK_NEAR(m[0].vertices[i / 3].place[i % 3], given[i / 3][i % 3], 1e-12);
        CHECK_NEAR(m[1].vertices[i / 3].place[i % 3], turned[i / 3][i % 3], 1e-12);
    }
    CHECK_EQ(m[1].vertices[0].joints[0], 2);
    CHECK_EQ(m[1].vertices[1].joints[0], 1);
    CHECK_EQ(m[1].vertices[2].joint_count, 2);
    CHECK_EQ(m[1].vertices[2].joints[0], 1); // ascending: the arm before the spine
    CHECK_NEAR(m[1].vertices[2].weights[0], 0.75, 1e-12);
    CHECK_EQ(m[1].flex_joint, 1);
    CHECK_NEAR(m[0].vertices[1].radius, 2, 1e-12);
    CHECK_NEAR(m[0].vertices[0].radius, 0, 0);
    CHECK(m[0].vertices[1].is_dynamic && !m[0].vertices[0].is_dynamic);
    bend_body_free(b);
}

TLW_TEST(straight_bar_has_four_automatic_muscles_around_its_middle) {
    bend_body* b = body_of(bend_body_new(24, 5, 5, 2));
    place(b, 0, "upper", 0, 2.5, 2.5);
    place(b, 1, "lower", 12, 2.5, 2.5);
    add_segment(b, 0, 1, 12);
    add_segment(b, 1, ORACLE_NONE, 12);
    b->result.length = 24;
    for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
        b->result.voxels[v].joint = b->result.voxels[v].cell[0] >= 12;
    }
    const tlw_cook_muscle automatic = {.bulge = 3};
    b->recipe.muscles = &automatic;
    b->recipe.muscle_count = 1;
    CHECK(oracle_make_muscles(&b->work) == NULL);
    CHECK_EQ(b->result.muscle_count, 4);
    // 16 cells around the axis: 4 at 2, 8 at sqrt 5, 4 at sqrt 8.
    const double radius = (4 * 2 + 8 * sqrt(5) + 4 * sqrt(8)) / 16 + 0.25, out = 0.6 * radius;
    static const double along[9] = {0.96, 3.36, 5.52, 7.68, 9.84, 10.8, 12, 13.2, 14.4};
    static const int around[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (uint32_t k = 0; k < 4; ++k) {
        const oracle_cooked_muscle* m = &b->result.muscles[k];
        CHECK_EQ(m->vertex_count, 9);
        CHECK_NEAR(m->bulge, 3, 0);
        CHECK_NEAR(m->radius, 0.35 * radius, 1e-12);
        for (uint32_t i = 0; i < 9; ++i) {
            const double r = i < 8 ? out : 0.54 * radius;
            CHECK_NEAR(m->vertices[i].place[0], along[i], 1e-9);
            CHECK_NEAR(m->vertices[i].place[1], 2.5 + r * around[k][0], 1e-9);
            CHECK_NEAR(m->vertices[i].place[2], 2.5 + r * around[k][1], 1e-9);
            CHECK_EQ(m->vertices[i].is_belly, i >= 1 && i <= 4);
        }
        CHECK_EQ(m->vertices[6].joint_count, 2);
        CHECK_EQ(m->fields[0].joint, 1);
        CHECK_NEAR(m->fields[0].radii[2], 0.54 * radius, 1e-12);
    }
    CHECK_STRING(b->result.muscles[3].name, "auto.lower.3");
    bend_body_free(b);
}

// ---- Bellies

// Cells that touch along edges only: smoothing leaves what they have.
static bool is_even(const int32_t cell[3]) {
    return (cell[0] + cell[1] + cell[2]) % 2 == 0;
}

// The bone runs along x at y = z = 0.5; a line of four vertices, radius 2 all along, at y = 4.5.
static bend_body* body_with_lines(uint32_t count) {
    bend_body* b = body_of(bend_body_carved(13, 12, 5, 1, is_even));
    place(b, 0, "bone", 0, 0.5, 0.5);
    add_segment(b, 0, ORACLE_NONE, 13);
    static const double x[4] = {0.5, 4.5, 8.5, 12.5};
    b->result.muscles = oracle_allocate(count, sizeof *b->result.muscles);
    b->result.muscle_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        b->result.muscles[i] = line_along_x(x, 4);
        for (int v = 0; v < 4; ++v) {
            b->result.muscles[i].vertices[v].place[1] = 4.5;
            b->result.muscles[i].vertices[v].place[2] = 0.5;
            b->result.muscles[i].vertices[v].radius = 2;
        }
        CHECK(oracle_finish_muscle(&b->result.muscles[i]) == NULL);
    }
    oracle_make_bellies(&b->work);
    return b;
}

static const oracle_cooked_belly* belly_at(const bend_body* b, int32_t x, int32_t y, int32_t z) {
    return &b->result.bellies[(size_t)oracle_voxel_at(&b->result, x, y, z) * ORACLE_VOXEL_MUSCLES];
}

TLW_TEST(belly_moves_voxels_away_from_its_inner_side) {
    bend_body* b = body_with_lines(1);
    const oracle_cooked_belly* out = belly_at(b, 5, 5, 0); // o = (0, 3, 0), k = 1
    CHECK_EQ(out->muscle, 0);
    CHECK_NEAR(out->d[1], 3.0 / 8, 1e-12);
    CHECK_NEAR(out->a, 1, 1e-12);
    const oracle_cooked_belly* far = belly_at(b, 5, 7, 0); // o = (0, 5, 0), k = 0.64, k' = 0.6
    CHECK_NEAR(far->d[1], 0.6 * 5 / 8, 1e-12);
    CHECK_NEAR(far->a, 0.6, 1e-12);
    const oracle_cooked_belly* beside = belly_at(b, 6, 4, 2); // o = (0, 2, 2), k = 1
    CHECK_NEAR(beside->d[1], 0.25, 1e-12);
    CHECK_NEAR(beside->d[2], 0.25, 1e-12);
    CHECK_EQ(belly_at(b, 6, 2, 0)->muscle, ORACLE_NONE); // o = 0: the inner side
    CHECK_EQ(belly_at(b, 4, 0, 0)->muscle, ORACLE_NONE); // o points to the bone
    bend_body_free(b);
}

TLW_TEST(stations_are_a_curve_and_a_line_through_the_vertices) {
    bend_body* b = body_with_lines(1);
    static const int32_t inner[4] = {-1152, 14208, 3712, -384}, first[4] = {13056, 3712, -384, 0};
    const oracle_cooked_belly* middle = belly_at(b, 5, 5, 0); // a quarter of segment 1
    const oracle_cooked_belly* begin =
        belly_at(b, 1, 5, 0); // of segment 0: weights of -1 and 0 add up
    for (int v = 0; v < 4; ++v) {
        CHECK_EQ(middle->curve[v], inner[v]);
        CHECK_EQ(begin->curve[v], first[v]);
        CHECK_EQ(middle->linear[v], v == 1 ? 12288 : v == 2 ? 4096 : 0);
    }
    bend_body_free(b);
}

TLW_TEST(voxel_keeps_the_lower_four_of_five_equal_muscles) {
    bend_body* b = body_with_lines(5);
    for (uint32_t k = 0; k < ORACLE_VOXEL_MUSCLES; ++k) {
        CHECK_EQ(belly_at(b, 5, 5, 0)[k].muscle, k);
    }
    CHECK_EQ(b->result.muscles[4].voxel_count, 0);
    CHECK_LT(0u, b->result.muscles[3].voxel_count);
    bend_body_free(b);
}

TLW_TEST(bellies_of_a_solid_body_are_smoothed_over_soft_faces) {
    bend_body* b = body_of(bend_body_new(3, 1, 1, 1));
    place(b, 0, "bone", 0, -3.5, 0.5);
    add_segment(b, 0, ORACLE_NONE, 3);
    static const double x[3] = {1, 1.5, 2};
    b->result.muscles = oracle_allocate(1, sizeof *b->result.muscles);
    b->result.muscle_count = 1;
    b->result.muscles[0] = line_along_x(x, 3);
    for (int v = 0; v < 3; ++v) {
        // Cells 0 and 2 are half a voxel beyond the ends, which is more than r: they have nothing.
        b->result.muscles[0].vertices[v].radius = 0.45;
        b->result.muscles[0].vertices[v].place[1] = 0.5;
        b->result.muscles[0].vertices[v].place[2] = 0.5;
    }
    CHECK(oracle_finish_muscle(&b->result.muscles[0]) == NULL);
    oracle_make_bellies(&b->work);
    // Cell 1 is on the line: o = r n, k = 4 and so 1, d = 1/(2 r), a = 1. The first pass leaves
    // half of that in all three, the second changes nothing.
    for (int cell = 0; cell < 3; ++cell) {
        CHECK_NEAR(belly_at(b, cell, 0, 0)->d[1], 0.5 / 0.9, 1e-12);
        CHECK_NEAR(belly_at(b, cell, 0, 0)->a, 0.5, 1e-12);
    }
    bend_body_free(b);
}

// ---- Lame layers

TLW_TEST(layers_outside_a_lame_layer_take_its_numbers_unless_they_give_their_own) {
    bend_body* b = bend_body_new(1, 1, 1, 1);
    for (uint32_t layer = 0; layer < TLW_COOK_LAYERS_MAX; ++layer) {
        b->recipe.layers[layer].lame = tlw_default_cook_lame();
    }
    tlw_cook_part part = tlw_default_cook_part("joint0");
    b->recipe.parts = &part;
    b->recipe.part_count = 1;
    b->result.parts = oracle_allocate(3, sizeof *b->result.parts);
    b->result.part_count = 3;
    b->result.parts[1].kind = ORACLE_PART_RECIPE;
    b->result.parts[2].kind = ORACLE_PART_FIRM_NAME;
    b->recipe.layers[2].lame.solver = TLW_SOLVER_LAME;
    b->recipe.layers[2].lame.density = 1000;
    part.lame[1].solver = TLW_SOLVER_LAME;
    part.lame[1].young_kpa = 5;
    part.lame[3].poisson = 0.25f;
    CHECK(oracle_make_lame(&b->work) == NULL);
    const oracle_part* p = b->result.parts;
    CHECK(!p[0].is_lame[1] && p[0].is_lame[2] && p[0].is_lame[3]);
    CHECK_NEAR(p[0].young_kpa[2], 3, 0);
    CHECK_NEAR(p[0].poisson[3], 0.4975, 1e-7);
    CHECK_NEAR(p[0].density[3], 1000, 0);
    CHECK(p[1].is_lame[1] && p[1].is_lame[2] && p[1].is_lame[3]);
    CHECK_NEAR(p[1].young_kpa[3], 5, 0);
    CHECK_NEAR(p[1].density[1], 950, 0);
    CHECK_NEAR(p[1].density[2], 1000, 0); // that of part 0, which says it of this layer
    CHECK_NEAR(p[1].poisson[2], 0.4975, 1e-7);
    CHECK_NEAR(p[1].poisson[3], 0.25, 0);
    CHECK(!p[2].is_lame[2] && !p[2].is_lame[3]);
    CHECK(b->result.voxels[0].is_lame); // skin of part 0
    part.lame[3].solver = TLW_SOLVER_SHAPE;
    CHECK(oracle_make_lame(&b->work) != NULL);
    part.lame[3].solver = TLW_SOLVER_KEEP;
    part.lame[0].solver = TLW_SOLVER_LAME;
    CHECK(oracle_make_lame(&b->work) != NULL);
    bend_body_free(b);
}
