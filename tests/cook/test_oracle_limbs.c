// SPDX-License-Identifier: MIT
// The oracle cooker's limbs and what they may touch (RULES 9.11) against facts worked out by hand
// on bars of cells. A cell is a metre wide and the grid's corner is 0, so joints stand in voxels.
#include "tests/cook/support/bend_body.h"
#include "tests/cook/support/oracle_checks.h"
#include "tests/test.h"

#include <math.h>

static bend_body* body_new(uint32_t x, uint32_t y, uint32_t z, uint32_t joint_count,
                           bool (*is_solid)(const int32_t cell[3])) {
    bend_body* b = bend_body_carved(x, y, z, joint_count, is_solid);
    b->result.s = 1;
    b->recipe.has_limbs = true;
    b->result.segments = oracle_allocate((size_t)joint_count * 2, sizeof *b->result.segments);
    for (uint32_t j = 0; j < joint_count; ++j) {
        b->joints[j].parent = TLW_NO_JOINT;
        b->result.parent[j] = ORACLE_NONE;
    }
    return b;
}

static void place(bend_body* b, uint32_t joint, double x, double y, double z) {
    b->joints[joint].bind[12] = x;
    b->joints[joint].bind[13] = y;
    b->joints[joint].bind[14] = z;
}

static void hang(bend_body* b, uint32_t joint, uint32_t parent) {
    b->joints[joint].parent = parent;
    b->result.parent[joint] = parent;
}

// A joint's segment: to a child, or of a leaf, `length` along x.
static void add_segment(bend_body* b, uint32_t owner, uint32_t child, double length) {
    oracle_segment* segment = &b->result.segments[b->result.segment_count++];
    *segment = (oracle_segment){.owner = owner, .child = child};
    for (int a = 0; a < 3; ++a) {
        const double at = b->joints[owner].bind[12 + a];
        segment->ends[0][a] = at;
        segment->ends[1][a] =
            child == ORACLE_NONE ? at + (a == 0 ? length : 0) : b->joints[child].bind[12 + a];
    }
}

// Gives every voxel to a joint, by its cell.
static void give_all(bend_body* b, uint32_t (*joint_of)(const int32_t cell[3])) {
    for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
        b->result.voxels[v].joint = joint_of(b->result.voxels[v].cell);
    }
}

static double units(double radius) {
    return radius * 1024;
}

// How many voxels of a joint a limb may touch, and how many of them it pushes by half.
static void count_touched(const bend_body* b, uint32_t joint, uint32_t limb, uint32_t* touched,
                          uint32_t* halves) {
    *touched = *halves = 0;
    for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
        const oracle_voxel* voxel = &b->result.voxels[v];
        *touched += voxel->joint == joint && (voxel->limbs >> limb & 1);
        *halves += voxel->joint == joint && (voxel->half_limbs >> limb & 1);
        CHECK_EQ(voxel->half_limbs & ~voxel->limbs, 0);
        CHECK_EQ((uint64_t)voxel->limbs >> b->result.limb_count, 0);
    }
}

#define CHECK_TOUCHED(b, joint, limb, all, by_half)         \
    do {                                                    \
        uint32_t touched_, halves_;                         \
        count_touched(b, joint, limb, &touched_, &halves_); \
        CHECK_EQ(touched_, all);                            \
        CHECK_EQ(halves_, by_half);                         \
    } while (0)

// Bars 2 x 2 cells thick along x

static bool is_bar(const int32_t cell[3]) {
    (void)cell;
    return true;
}

static uint32_t third_of_bar(const int32_t cell[3]) {
    return (uint32_t)(cell[0] / 8);
}

// Joints at 0, 8 and 16 along the middle of a bar of 24. All centres are sqrt(1/2) from the axis,
// but those beyond the last axis, which ends at 16 + 1.5 * 4 = 22, are sqrt(3/4) and sqrt(11/4)
// away. The last limb is thicker than the others, so that it touches nothing and is dropped.
static bend_body* chain_of_three(void) {
    bend_body* b = body_new(24, 2, 2, 3, is_bar);
    for (uint32_t j = 0; j < 3; ++j) {
        place(b, j, 8 * j, 1, 1);
        if (j > 0) {
            hang(b, j, j - 1);
            add_segment(b, j - 1, j, 0);
        }
    }
    add_segment(b, 2, ORACLE_NONE, 8);
    give_all(b, third_of_bar);
    return b;
}

TLW_TEST(limbs_of_a_chain_have_the_axes_and_radii_worked_out_by_hand) {
    bend_body* b = chain_of_three();
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 2);
    for (uint32_t i = 0; i < 2; ++i) {
        const oracle_limb* limb = &b->result.limbs[i];
        CHECK_EQ(limb->joint, i);
        for (int k = 0; k < 2; ++k) {
            CHECK_EQ(limb->ends[k][0], 8.0 * (i + (uint32_t)k));
            CHECK_EQ(limb->ends[k][1], 1.0);
            CHECK_EQ(limb->ends[k][2], 1.0);
            CHECK_EQ(units(limb->radius[k]), 615.0); // 0.85 sqrt(1/2) 1024 = 615.5 - 0.04
        }
    }
    bend_body_free(b);
}

// Along the bone the way from x to the next segment's end is a difference of x. It must be at
// least 1.5 (615/1024 + sqrt(1/2)) = 1.96, so the first two layers of cells behind a joint are out.
TLW_TEST(limbs_touch_what_is_far_enough_along_the_skeleton_and_not_thinner) {
    bend_body* b = chain_of_three();
    oracle_make_limbs(&b->work);
    CHECK_TOUCHED(b, 0, 0, 0, 0);
    CHECK_TOUCHED(b, 1, 0, 24, 24); // as thick: both press
    CHECK_TOUCHED(b, 2, 0, 32, 0);  // 809/1024 at its end
    CHECK_TOUCHED(b, 0, 1, 24, 24);
    CHECK_TOUCHED(b, 1, 1, 0, 0);
    CHECK_TOUCHED(b, 2, 1, 24, 0);
    CHECK_EQ(b->result.limbs[0].voxel_count, 56);
    CHECK_EQ(b->result.limbs[1].voxel_count, 48);
    CHECK_EQ(voxel_in(&b->result, 9, 0, 0)->limbs, 0);
    CHECK_EQ(voxel_in(&b->result, 10, 0, 0)->limbs, 1);
    CHECK_EQ(voxel_in(&b->result, 5, 1, 0)->limbs, 2);
    CHECK_EQ(voxel_in(&b->result, 6, 1, 0)->limbs, 0);
    CHECK_EQ(voxel_in(&b->result, 17, 1, 1)->limbs, 1);
    CHECK_EQ(voxel_in(&b->result, 18, 1, 1)->limbs, 3);
    bend_body_free(b);
}

TLW_TEST(bone_is_touched_by_no_limb_and_a_limb_that_touches_only_bone_is_dropped) {
    bend_body* b = chain_of_three();
    for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
        oracle_voxel* voxel = &b->result.voxels[v];
        voxel->layer = voxel->joint == 2 ? 1 : 0;
    }
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 2);
    CHECK_TOUCHED(b, 1, 0, 0, 0);
    CHECK_TOUCHED(b, 2, 0, 32, 0);
    CHECK_TOUCHED(b, 2, 1, 24, 0);
    bend_body_free(b);
    b = chain_of_three();
    for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
        oracle_voxel* voxel = &b->result.voxels[v];
        voxel->layer = voxel->joint == 0 ? 3 : 0;
    }
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 1);
    CHECK_EQ(b->result.limbs[0].joint, 1); // and bit 0 is its own
    CHECK_TOUCHED(b, 0, 0, 24, 24);
    bend_body_free(b);
}

TLW_TEST(recipe_without_limbs_has_none) {
    bend_body* b = chain_of_three();
    b->recipe.has_limbs = false;
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 0);
    CHECK_TOUCHED(b, 1, 0, 0, 0);
    bend_body_free(b);
}

static bool is_one_of_two_bars(const int32_t cell[3]) {
    return cell[1] < 2 || cell[1] >= 6;
}

static uint32_t lower_bar_second(const int32_t cell[3]) {
    return cell[1] < 2;
}

// Two leaves of 12 cells, joint 0 at y = 7 and joint 1 at y = 1.
static bend_body* two_bars(void) {
    bend_body* b = body_new(12, 8, 2, 2, is_one_of_two_bars);
    place(b, 0, 0, 7, 1);
    place(b, 1, 0, 1, 1);
    add_segment(b, 0, ORACLE_NONE, 11.75);
    add_segment(b, 1, ORACLE_NONE, 11.75);
    give_all(b, lower_bar_second);
    return b;
}

// Leaves of 12 at y = 1 and y = 7, whose axes end at 1.5 * 6 = 9: centres up to 4 are in the first
// half and 4.5 is in the second. Beyond the end the distances are the roots of 3/4, 11/4, 27/4.
TLW_TEST(leaf_reaches_half_again_as_far_as_the_middle_of_its_voxels) {
    bend_body* b = two_bars();
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 2);
    const double far = (5 * sqrt(0.5) + sqrt(0.75) + sqrt(2.75) + sqrt(6.75)) / 8;
    for (uint32_t i = 0; i < 2; ++i) {
        const oracle_limb* limb = &b->result.limbs[i];
        CHECK_EQ(limb->joint, i);
        CHECK_EQ(limb->ends[0][0], 0.0);
        CHECK_EQ(limb->ends[1][0], 9.0);
        CHECK_EQ(limb->ends[1][1], i == 0 ? 7.0 : 1.0);
        CHECK_EQ(units(limb->radius[0]), 615.0);
        CHECK_EQ(units(limb->radius[1]), floor(0.85 * far * 1024 + 0.5));
        CHECK_EQ(units(limb->radius[1]), 942.0);
        CHECK_TOUCHED(b, 1 - i, i, 48, 48); // twins, both roots: the way is 6 and more
        CHECK_TOUCHED(b, i, i, 0, 0);
    }
    bend_body_free(b);
}

// Voxels inside do not count for radii, and a half without shell takes the other's.
TLW_TEST(radii_are_those_of_the_shell_and_a_half_without_any_takes_the_others) {
    bend_body* b = two_bars();
    for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
        oracle_voxel* voxel = &b->result.voxels[v];
        voxel->is_shell = voxel->joint == 0 ? voxel->cell[0] < 2 : voxel->cell[0] >= 10;
    }
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 1); // the thicker one touches nothing
    CHECK_EQ(b->result.limbs[0].joint, 0);
    CHECK_EQ(units(b->result.limbs[0].radius[0]), 615.0);
    CHECK_EQ(units(b->result.limbs[0].radius[1]), 615.0);
    CHECK_TOUCHED(b, 1, 0, 48, 0);
    bend_body_free(b);

    // Nothing of the upper bar is on the shell: it is no limb, and its voxels' mean distance,
    // sqrt(1/2) for nine layers and more for three, is less than the other's thick end.
    b = two_bars();
    for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
        oracle_voxel* voxel = &b->result.voxels[v];
        voxel->is_shell = voxel->joint == 1 && (voxel->cell[0] == 0 || voxel->cell[0] == 11);
    }
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 0);
    bend_body_free(b);
}

// The upper four layers of cells lie on the lower two. The lowest of them is about 1.7 from the
// lower axis, which rises by 0.3: far enough to be touched at the thin end only.
TLW_TEST(radius_between_the_ends_of_a_limb_is_interpolated) {
    bend_body* b = body_new(12, 6, 2, 2, is_bar);
    place(b, 0, 0, 4, 1);
    place(b, 1, 0, 0.8, 1);
    add_segment(b, 0, ORACLE_NONE, 11.75);
    add_segment(b, 1, ORACLE_NONE, 11.75);
    give_all(b, lower_bar_second);
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 1);
    const oracle_limb* limb = &b->result.limbs[0];
    CHECK_EQ(limb->joint, 1);
    CHECK_EQ(limb->ends[1][0], 9.0);
    CHECK_NEAR(limb->ends[1][1], 0.8 + 1.5 * 0.2, 1e-6);
    uint32_t touched = 0;
    for (int32_t x = 1; x < 12; ++x) { // at 0 the way is too short
        const double at = x + 0.5;
        const double t = fmin(1, (at * 9 + 1.7 * 0.3) / (81 + 0.09)), rise = 1.7 - t * 0.3;
        const double across = sqrt((at - 9 * t) * (at - 9 * t) + rise * rise + 0.25);
        const double outside = across - limb->radius[0] - t * (limb->radius[1] - limb->radius[0]);
        CHECK_LT(1e-3, fabs(outside - 1));
        CHECK_EQ(voxel_in(&b->result, x, 2, 0)->limbs, outside > 1);
        CHECK_EQ(voxel_in(&b->result, x, 2, 1)->limbs, outside > 1);
        touched += outside > 1;
    }
    CHECK_LT(0, touched);
    CHECK_LT(touched, 11);
    bend_body_free(b);
}

// Bars of one cell, whose joints stand beside them: all distances are alike

// Joint 0 has cells 0 to 7 at y = 0 and its axis is `beside`/1024 above their centres; cell 8 is
// that of joint 1, which ends the axis. Joint 2 has cells 0 to 2 at y = 3 and its axis is
// `wide`/1024 beside them; cell 3 is that of joint 3. Joint 2 stands 4 away, so that ways are long.
static bool is_lower_and_at_3(const int32_t cell[3]) {
    return cell[1] == 0 || (cell[1] == 3 && cell[0] < 4);
}

static uint32_t of_two_pairs(const int32_t cell[3]) {
    return cell[1] > 0 ? 2u + (cell[0] == 3) : cell[0] == 8;
}

static bend_body* pressed(double beside, double wide) {
    bend_body* b = body_new(9, 4, 1, 4, is_lower_and_at_3);
    place(b, 0, 0, 0.5 + beside / 1024, 0.5);
    place(b, 1, 8, 0.5 + beside / 1024, 0.5);
    place(b, 2, -4, 3.5, 0.5 + wide / 1024);
    place(b, 3, 8, 3.5, 0.5 + wide / 1024);
    hang(b, 1, 0);
    hang(b, 3, 2);
    add_segment(b, 0, 1, 0);
    add_segment(b, 1, ORACLE_NONE, 0);
    add_segment(b, 2, 3, 0);
    add_segment(b, 3, ORACLE_NONE, 0);
    give_all(b, of_two_pairs);
    return b;
}

// The radius is 0.85 * 1107/1024, rounded to 941/1024, and the cells at y = 3 are 3 - 1107/1024 =
// 1 + 941/1024 away.
TLW_TEST(limb_touches_only_what_is_a_voxel_outside_of_it) {
    static const struct {
        double beside;
        uint32_t touched;
    } cases[] = {{1107, 3}, {1106.999, 3}, {1107.001, 0}};
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        bend_body* b = pressed(cases[i].beside, 2000);
        oracle_make_limbs(&b->work);
        CHECK_EQ(b->result.limb_count, cases[i].touched > 0);
        CHECK_TOUCHED(b, 2, 0, cases[i].touched, 0);
        if (cases[i].touched > 0) {
            CHECK_EQ(b->result.limbs[0].joint, 0);
            CHECK_EQ(units(b->result.limbs[0].radius[0]), 941.0);
            CHECK_EQ(units(b->result.limbs[0].radius[1]), 941.0);
            CHECK_EQ(b->result.limbs[0].ends[1][0], 8.0);
            CHECK_EQ(b->result.limbs[0].ends[1][1], (double)(float)(0.5 + cases[i].beside / 1024));
        }
        bend_body_free(b);
    }
}

// Three voxels make no limb, and count with their mean distance itself.
TLW_TEST(limb_presses_wholly_into_what_is_thicker_and_by_half_into_what_is_as_thick) {
    static const struct {
        double wide;
        uint32_t touched, halves;
    } cases[] = {{940.4, 0, 0}, {940.6, 3, 3}, {941, 3, 3}, {941.4, 3, 3}, {941.6, 3, 0}};
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        bend_body* b = pressed(1107, cases[i].wide);
        oracle_make_limbs(&b->work);
        CHECK_EQ(b->result.limb_count, cases[i].touched > 0);
        CHECK_TOUCHED(b, 2, 0, cases[i].touched, cases[i].halves);
        bend_body_free(b);
    }
}

TLW_TEST(axis_through_all_voxels_has_a_radius_of_one_unit) {
    bend_body* b = pressed(0, 2000);
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 1);
    CHECK_EQ(units(b->result.limbs[0].radius[0]), 1.0);
    CHECK_EQ(units(b->result.limbs[0].radius[1]), 1.0);
    bend_body_free(b);
}

TLW_TEST(limb_of_seven_voxels_or_with_an_end_far_away_is_none) {
    bend_body* b = pressed(1107, 2000);
    b->result.voxels[voxel_in(&b->result, 4, 0, 0) - b->result.voxels].joint = 1;
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 0);
    bend_body_free(b);
    for (int is_too_far = 0; is_too_far < 2; ++is_too_far) {
        b = pressed(1107, 2000);
        place(b, 0, -8192.0 - is_too_far, 0.5 + 1107 / 1024.0, 0.5);
        b->result.segment_count = 0;
        add_segment(b, 0, 1, 0);
        add_segment(b, 1, ORACLE_NONE, 0);
        add_segment(b, 2, 3, 0);
        add_segment(b, 3, ORACLE_NONE, 0);
        oracle_make_limbs(&b->work);
        CHECK_EQ(b->result.limb_count, !is_too_far);
        bend_body_free(b);
    }
}

TLW_TEST(voxels_whose_joint_owns_no_segment_are_touched_by_no_limb) {
    bend_body* b = pressed(1107, 2000);
    b->result.is_kept[2] = false;
    b->result.segments[2].owner = 3; // no longer joint 2's
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 0);
    bend_body_free(b);
}

// The way from the anchor over cell 0 at y = 4 to joint 0 is 1/2 + 3721/1024 - 1563/1024, and 1.5
// times the radius, 893/1024, with the distance of the voxel, 4608/1024 - 3721/1024, is as long.
// The cells at y = 7 make joint 1 thick.
static bool is_at_0_4_and_7(const int32_t cell[3]) {
    return cell[1] == 0 || ((cell[1] == 4 || cell[1] == 7) && cell[0] < 8);
}

static uint32_t of_three_bars(const int32_t cell[3]) {
    return cell[1] > 0 ? 1u : cell[0] == 8 ? 2u : 0u;
}

TLW_TEST(way_that_is_just_long_enough_is_long_enough) {
    static const double places[] = {3721.0 / 1024, 3721.0 / 1024 + 1e-6, 3721.0 / 1024 - 1e-6};
    for (size_t i = 0; i < TLW_COUNT_OF(places); ++i) {
        bend_body* b = body_new(9, 8, 1, 3, is_at_0_4_and_7);
        place(b, 0, 0, 1563.0 / 1024, 0.5);
        place(b, 1, 0, places[i], 0.5);
        place(b, 2, 8, 1563.0 / 1024, 0.5);
        hang(b, 2, 0);
        add_segment(b, 0, 2, 0);
        add_segment(b, 1, ORACLE_NONE, 8);
        add_segment(b, 2, ORACLE_NONE, 0);
        give_all(b, of_three_bars);
        oracle_make_limbs(&b->work);
        CHECK_EQ(b->result.limb_count, 1);
        CHECK_EQ(b->result.limbs[0].joint, 0);
        CHECK_EQ(units(b->result.limbs[0].radius[0]), 893.0);
        CHECK_EQ(voxel_in(&b->result, 0, 4, 0)->limbs, i < 2);
        CHECK_EQ(voxel_in(&b->result, 1, 4, 0)->limbs, 1);
        bend_body_free(b);
    }
}

// Four joints hang on joint 0, whose axis leads to one of them: the one with the most voxels, the
// lower of two, and none that is not kept. Joints 3 and 4 have two cells each. Where none has any,
// the axis goes half again as far as the middle of the cells at y = 0.
static uint32_t of_a_fan(const int32_t cell[3]) {
    static const uint32_t joints[6] = {2, 3, 3, 4, 4, 1};
    return cell[1] == 0 ? 0u : cell[0] < 6 ? joints[cell[0]] : 5u;
}

static bool is_at_0_and_9(const int32_t cell[3]) {
    return cell[1] == 0 || cell[1] == 9;
}

TLW_TEST(axis_leads_to_the_kept_child_with_the_most_voxels) {
    static const struct {
        uint32_t left_out;
        bool is_bare;
        double end;
    } cases[] = {{ORACLE_NONE, false, 13}, {3, false, 14}, {ORACLE_NONE, true, 15}};
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        bend_body* b = body_new(20, 10, 1, 6, is_at_0_and_9);
        place(b, 0, 0, 0.5, 0.5);
        for (uint32_t j = 1; j < 5; ++j) {
            place(b, j, 10 + j, 0.5, 0.5);
            hang(b, j, 0);
            add_segment(b, 0, j, 0);
        }
        // Joint 5 is far, and its axis far from its cells.
        place(b, 5, 40, 30, 0.5);
        add_segment(b, 5, ORACLE_NONE, 0);
        if (cases[i].left_out != ORACLE_NONE) {
            b->result.is_kept[cases[i].left_out] = false;
        }
        give_all(b, of_a_fan);
        for (uint32_t v = 0; v < b->result.voxel_count && cases[i].is_bare; ++v) {
            b->result.voxels[v].joint = b->result.voxels[v].joint == 0 ? 0 : 5;
        }
        oracle_make_limbs(&b->work);
        CHECK_EQ(b->result.limb_count, 1);
        CHECK_EQ(b->result.limbs[0].joint, 0);
        CHECK_EQ(b->result.limbs[0].ends[1][0], cases[i].end);
        bend_body_free(b);
    }
}

// More than 32

#define BARS 34u

static bool is_every_twelfth(const int32_t cell[3]) {
    const int32_t bar = cell[1] / 12;
    return cell[1] % 12 == 0 && (cell[0] < 8 || (bar != 5 && bar != 7 && bar != 20));
}

static uint32_t of_its_bar(const int32_t cell[3]) {
    return (uint32_t)cell[1] / 12;
}

// Roots in the middle of their bars, which are 9 cells long, three of them 8. The axes are points:
// the mean distances are 20/9, or 2, and all is in the first half. Of the short bars only the
// first is a limb.
TLW_TEST(of_more_than_32_limbs_those_with_the_most_voxels_stay) {
    bend_body* b = body_new(9, BARS * 12, 1, BARS, is_every_twelfth);
    for (uint32_t j = 0; j < BARS; ++j) {
        place(b, j, j == 5 || j == 7 || j == 20 ? 4 : 4.5, 12 * j + 0.5, 0.5);
        add_segment(b, j, ORACLE_NONE, 0);
    }
    give_all(b, of_its_bar);
    oracle_make_limbs(&b->work);
    CHECK_EQ(b->result.limb_count, 32);
    for (uint32_t i = 0, joint = 0; i < 32; ++i, ++joint) {
        joint += joint == 7 || joint == 20;
        const oracle_limb* limb = &b->result.limbs[i];
        CHECK_EQ(limb->joint, joint);
        for (int k = 0; k < 2; ++k) {
            CHECK_EQ(limb->ends[k][1], 12 * joint + 0.5);
            CHECK_EQ(units(limb->radius[k]), joint == 5 ? 1741.0 : 1934.0);
        }
    }
    for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
        const oracle_voxel* voxel = &b->result.voxels[v];
        const uint32_t joint = voxel->joint;
        if (joint == 5) { // thinner than all others
            CHECK_EQ(voxel->limbs, 0);
        } else if (joint == 7 || joint == 20) { // the mean itself is thicker than limbs
            CHECK_EQ(voxel->limbs, UINT32_MAX);
            CHECK_EQ(voxel->half_limbs, 0);
        } else {
            const uint32_t own = 1u << (joint - (joint > 7) - (joint > 20));
            CHECK_EQ(voxel->limbs, ~own);
            CHECK_EQ(voxel->half_limbs, ~own & ~(1u << 5));
        }
    }
    bend_body_free(b);
}
