// SPDX-License-Identifier: MIT
// Facts about the oracle's forces, time scale and filter of poses (MODEL 3.17, 4.9, 4.10) that were
// worked out by hand.
#include "tests/runtime/oracle/oracle_fixture.h"

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

// What predict moved a voxel by in the last substep, less h v, for a voxel that was at rest.
static oracle_vec predicted(const fixture* f, uint32_t voxel) {
    return vec_sub(f->o->stage[ORACLE_STAGE_PREDICT][voxel], f->o->p_skin_prev[voxel]);
}

static void check_vec(oracle_vec a, oracle_vec b, double tolerance) {
    CHECK_NEAR(a.x, b.x, tolerance);
    CHECK_NEAR(a.y, b.y, tolerance);
    CHECK_NEAR(a.z, b.z, tolerance);
}

static void world_of(const fixture* f, oracle_vec voxels, double world[3]) {
    const double metres = f->small->input.voxel_metres;
    world[0] = metres * voxels.x, world[1] = metres * voxels.y, world[2] = metres * voxels.z;
}

TLW_TEST(a_body_modelled_under_gravity_is_still_in_the_bind_pose) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    f.small->input.rest_gravity[1] = f.o->settings.gravity[1] = -9.81;
    for (int k = 0; k < 60; ++k) {
        fixture_step(&f, H);
    }
    CHECK_EQ(oracle_largest_deviation(f.o), 0.0);
    f.small->input.rest_gravity[1] = 0;
    for (int k = 0; k < 60; ++k) {
        fixture_step(&f, H);
    }
    CHECK_LT(0.01, oracle_largest_deviation(f.o));
    fixture_free(&f);
}

TLW_TEST(upside_down_a_body_feels_twice_its_gravity_and_on_its_side_both) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    const uint32_t voxel = small_input_voxel_at(f.small, 0, 2, 3);
    f.small->input.rest_gravity[1] = f.o->settings.gravity[1] = -10;
    f.pose.root_scale = 2;
    f.pose.root_rotation = quat_exp(vec(0, 0, PI));
    fixture_settle(&f);
    fixture_step(&f, H);
    check_vec(predicted(&f, voxel), vec(0, -20 * H * H / 0.1, 0), 1e-9); // 0.05 m times the scale
    f.pose.root_rotation = quat_exp(vec(0, 0, 0.5 * PI));                // Rb g0 = (10, 0, 0)
    fixture_settle(&f);
    fixture_step(&f, H);
    check_vec(predicted(&f, voxel), vec(-10 * H * H / 0.1, -10 * H * H / 0.1, 0), 1e-9);
    fixture_free(&f);
}

// The links from (2, y, 2) to all cells with x = 3 are cut.
TLW_TEST(a_drag_reaches_along_links_and_around_a_cut) {
    fixture f = fixture_make(SMALL_INPUT_ell, 3, 26, ORACLE_PRESET_DEFAULT);
    const uint32_t pick = small_input_voxel_at(f.small, 2, 1, 2);
    static const struct {
        int cell[3];
        double way;
    } rows[] = {{{2, 1, 2}, 0},
                {{2, 1, 3}, 1},
                {{1, 2, 3}, 1.7320508075688772},
                {{1, 1, 1}, 1.4142135623730951},
                {{3, 1, 2}, 2.4142135623730951},
                {{3, 1, 1}, 2},
                {{4, 1, 2}, 3.4142135623730951}};
    double* ways = calloc(f.small->input.voxel_count, sizeof *ways);
    CHECK(ways != NULL);
    oracle_ways_from(f.o, pick, ways);
    const double target[3] = {0, 0, 0};
    oracle_set_drag(f.o, 3, pick, target, 3 * f.small->input.voxel_metres, 10);
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        const int* c = rows[k].cell;
        const uint32_t i = small_input_voxel_at(f.small, c[0], c[1], c[2]);
        CHECK_NEAR(ways[i], rows[k].way, 1e-12);
        const double w = pow(fmax(0, 1 - pow(rows[k].way / 3, 2)), 2);
        CHECK_NEAR(f.o->drags[3].weight[i], w, 1e-12);
    }
    free(ways);
    fixture_free(&f);
}

TLW_TEST(a_drag_pulls_its_pick_by_the_share_of_its_frequency_and_drags_add_up) {
    fixture f = fixture_make(SMALL_INPUT_pair, 3, 26, ORACLE_PRESET_DEFAULT);
    CHECK_EQ(f.small->input.layer[0], 0);
    fixture_step(&f, H);
    double target[3];
    world_of(&f, vec_add(f.o->p[1], vec(1, 0, 0)), target);
    oracle_set_drag(f.o, 0, 1, target, 0.5, 10);
    f.o->v[1] = vec(0.3 / H, 0, 0); // v as it is stored
    fixture_step(&f, H);
    const double share = 1 - exp(-pow(2 * PI * 10 * H, 2));
    check_vec(predicted(&f, 1), vec(0.3 + 0.7 * share, 0, 0), 1e-9);
    CHECK_EQ(vec_length(predicted(&f, 0)), 0.0); // bone

    oracle_reset(f.o);
    oracle_set_drag(f.o, 7, 1, target, 0.5, 2);
    fixture_step(&f, H);
    check_vec(predicted(&f, 1), vec(share + 1 - exp(-pow(2 * PI * 2 * H, 2)), 0, 0), 1e-9);
    oracle_end_drag(f.o, 0);
    oracle_end_drag(f.o, 7);
    oracle_reset(f.o);
    fixture_step(&f, H);
    CHECK_EQ(vec_length(predicted(&f, 1)), 0.0);
    fixture_free(&f);
}

// After a reset v_pick is the first substep's v_skin: a target that moves with the root leaves the
// pick where it is.
TLW_TEST(a_drag_looks_ahead_by_the_velocity_that_predict_uses) {
    fixture f = fixture_make(SMALL_INPUT_rod, 3, 26, ORACLE_PRESET_DEFAULT);
    double target[3];
    const uint32_t pick = 5;
    fixture_move(&f, vec(0.5, 0, 0)); // the next call's root
    world_of(&f, vec_add(f.o->p[pick], vec(0.5, 0, 0)), target);
    oracle_set_drag(f.o, 0, pick, target, 0.5, 10);
    fixture_step(&f, H);
    check_vec(predicted(&f, pick), vec(0, 0, 0), 1e-9);
    fixture_free(&f);
}

TLW_TEST(wind_moves_only_voxels_with_open_faces_towards_it) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    f.o->settings.wind[0] = 6;
    f.o->settings.wind_drag = 0.5;
    const uint32_t before = small_input_voxel_at(f.small, 0, 2, 3),
                   behind = small_input_voxel_at(f.small, 4, 2, 3),
                   inside = small_input_voxel_at(f.small, 1, 2, 3),
                   corner = small_input_voxel_at(f.small, 0, 0, 0);
    check_vec(f.o->open_faces[corner], vec(-1, -1, -1), 0);
    check_vec(f.o->open_faces[behind], vec(1, 0, 0), 0);
    fixture_step(&f, H);
    const double share = H * 0.5 * 6;
    check_vec(predicted(&f, before), vec(H * share * 6 / 0.05, 0, 0), 1e-9);
    check_vec(predicted(&f, corner), vec(H * share * 6 / 0.05, 0, 0), 1e-9);
    CHECK_EQ(vec_length(predicted(&f, behind)), 0.0);
    CHECK_EQ(vec_length(predicted(&f, inside)), 0.0);

    // Turned by a quarter about y the open face looks along +z, away from a wind along +z.
    f.o->settings.wind[0] = 0;
    f.o->settings.wind[2] = 6;
    f.pose.root_rotation = quat_exp(vec(0, 0.5 * PI, 0));
    fixture_settle(&f);
    fixture_step(&f, H);
    check_vec(predicted(&f, before), vec(0, 0, 0), 1e-9);
    check_vec(predicted(&f, behind), vec(0, 0, H * share * 6 / 0.05), 1e-9);
    fixture_free(&f);
}

// With any drag the tissue takes on no more than the wind, and what moves with it feels none.
TLW_TEST(wind_moves_no_faster_than_it_blows) {
    fixture f = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
    f.o->settings.wind[0] = 0.06;
    f.o->settings.wind_drag = 1e6;
    f.small->voxels.limit[0] = 1e9;
    f.o->open_faces[0] = vec(-1, 0, 0); // one open face; a single voxel's cancel
    fixture_step(&f, H);
    check_vec(predicted(&f, 0), vec(H * 0.06 / 0.05, 0, 0), 1e-9);
    oracle_reset(f.o);
    f.o->v[0] = vec(0.06 / 0.05, 0, 0);
    fixture_step(&f, H);
    check_vec(predicted(&f, 0), vec(H * 0.06 / 0.05, 0, 0), 1e-9);
    fixture_free(&f);
}

// The voxel's own velocity takes the push: what is stored, divided by the share of its anchor.
TLW_TEST(a_push_adds_velocity_once_by_distance_and_share) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    fixture_step(&f, H);
    const uint32_t at = small_input_voxel_at(f.small, 0, 2, 3),
                   beside = small_input_voxel_at(f.small, 0, 3, 3),
                   bone = small_input_voxel_at(f.small, 2, 2, 3),
                   far = small_input_voxel_at(f.small, 4, 2, 3);
    double centre[3];
    world_of(&f, f.o->p[at], centre);
    oracle_push(f.o, centre, 3 * 0.05, vec(1, 0, 0), 0.5);
    const double w = pow(1 - 1.0 / 9, 2);
    CHECK_LT(f.o->share[at], 0.95);
    check_vec(oracle_velocity(f.o, at), vec(20, 0, 0), 1e-9); // no direction at the centre
    check_vec(oracle_velocity(f.o, beside), vec(20 * w, 10 * w, 0), 1e-9);
    check_vec(vec_scale(f.o->v[beside], f.o->share[beside]), vec(20 * w, 10 * w, 0), 1e-9);
    CHECK_EQ(vec_length(f.o->v[bone]), 0.0);
    CHECK_NEAR(vec_length(f.o->v[far]), 0, 1e-9);
    CHECK_EQ(f.o->quiet_substeps, 0u);
    fixture_free(&f);
}

TLW_TEST(a_ray_picks_the_first_soft_voxel_within_one_of_it) {
    fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
    const uint32_t middle = small_input_voxel_at(f.small, 0, 2, 3);
    const oracle_vec from = vec_add(f.o->p[middle], vec(-4, 0.2, 0.3));
    double origin[3], distance;
    world_of(&f, from, origin);
    // Equally far along the ray: within 1 are cells (0, 2 and 3, 3 and 4) and (0, 2, 4); the
    // lowest.
    CHECK_EQ(oracle_pick(f.o, origin, vec(3, 0, 0), &distance), middle);
    CHECK_NEAR(distance, 4 * 0.05, 1e-12);
    const uint32_t other = small_input_voxel_at(f.small, 0, 2, 4);
    f.o->p[other].x -= 0.1;
    CHECK_EQ(oracle_pick(f.o, origin, vec(1, 0, 0), &distance), other);
    CHECK_NEAR(distance, 3.9 * 0.05, 1e-12);
    CHECK_EQ(oracle_pick(f.o, origin, vec(-1, 0, 0), NULL), ORACLE_NO_VOXEL); // behind
    CHECK_EQ(oracle_pick(f.o, origin, vec(0, 1, 0), NULL), ORACLE_NO_VOXEL);
    // From inside the bone along the axis: the soft voxel at its end.
    world_of(&f, f.o->p[small_input_voxel_at(f.small, 2, 2, 3)], origin);
    CHECK_EQ(oracle_pick(f.o, origin, vec(0, 0, 1), NULL),
             small_input_voxel_at(f.small, 2, 1, 3)); // way 0, beside the origin
    fixture_free(&f);
    f = fixture_make(SMALL_INPUT_rod, 3, 26, ORACLE_PRESET_DEFAULT);
    world_of(&f, vec_add(f.o->p[0], vec(0, 0, -2)), origin);
    CHECK_EQ(oracle_pick(f.o, origin, vec(0, 0, 1), &distance), 2u); // the first two are bone
    CHECK_NEAR(distance, 4 * 0.05, 1e-12);
    fixture_free(&f);
}

TLW_TEST(time_scale_multiplies_the_time_of_substeps) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    f.o->settings.time_scale = 0.5;
    fixture_move(&f, vec(1, 0, 0));
    CHECK_EQ(fixture_step(&f, H), 0u);
    CHECK_EQ(f.o->substep_count, 0u);
    CHECK_NEAR(f.o->accumulator, 0.5 * H, 1e-12);
    fixture_move(&f, vec(1, 0, 0));
    fixture_step(&f, H);
    CHECK_EQ(f.o->substep_count, 1u);
    CHECK_NEAR(f.o->root_at_substep[0], 2 * 0.05, 1e-12);
    f.o->settings.time_scale = 2;
    fixture_move(&f, vec(1, 0, 0));
    fixture_step(&f, H);
    CHECK_EQ(f.o->substep_count, 2u);
    CHECK_NEAR(f.o->v_skin[0].x, 0.5 / H, 1e-9); // the pose's way in two substeps
    f.o->settings.time_scale = 10;
    CHECK_EQ(fixture_step(&f, 1.5 * H), ORACLE_DROPPED_TIME);
    fixture_free(&f);
}

// L = 13.5; at 30 Hz the root may move by 0.5 L between calls, whatever the scale.
TLW_TEST(jumps_look_at_the_callers_time) {
    for (int way = 0; way < 2; ++way) {
        fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
        f.o->settings.time_scale = way == 0 ? 0.1 : 5;
        fixture_move(&f, vec(way == 0 ? 6.7 : 6.8, 0, 0));
        CHECK_EQ(fixture_step(&f, 2 * H), way == 0 ? 0u : ORACLE_DROPPED_TIME | ORACLE_JUMPED);
        fixture_free(&f);
    }
}

TLW_TEST(time_scale_0_keeps_the_state_and_draws_it_on_the_new_pose) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    for (int k = 1; k < 20; ++k) {
        fixture_dance(&f, k * H);
        fixture_step(&f, 1.1 * H);
    }
    const uint32_t n = f.small->input.voxel_count;
    const double accumulator = f.o->accumulator, lag = f.o->lag;
    oracle_vec* p = calloc(n, sizeof *p);
    CHECK(p != NULL);
    memcpy(p, f.o->p, n * sizeof *p);
    CHECK_LT(0.02, largest_output_deviation(f.o));
    f.o->settings.time_scale = 0;
    CHECK_EQ(fixture_step(&f, H), 0u);
    CHECK(!f.o->carries_next); // the same pose
    fixture_dance(&f, 0.5);
    CHECK_EQ(fixture_step(&f, H), 0u);
    CHECK_EQ(f.o->substep_count, 0u);
    CHECK_EQ(memcmp(p, f.o->p, n * sizeof *p), 0);
    CHECK_EQ(f.o->accumulator, accumulator);
    CHECK_EQ(f.o->lag, lag);
    CHECK_LT(0.02, largest_output_deviation(f.o));
    oracle_kept_pose* now = &f.o->last;
    CHECK_NEAR(now->root_position[0], f.pose.root_position.x, 1e-15);
    f.o->settings.time_scale = 1;
    CHECK_EQ(fixture_step(&f, H), 0u);
    CHECK_EQ(f.o->carried_count, 1u);
    f.o->settings.time_scale = 0;
    fixture_move(&f, vec(50, 0, 0));
    CHECK_EQ(fixture_step(&f, H), ORACLE_JUMPED);
    CHECK(f.o->carries_next);
    free(p);
    fixture_free(&f);
}

static double share_of(double f, double dt) {
    return 1 / (1 + 1 / (2 * PI * f * dt));
}

static const uint32_t parents[SMALL_INPUT_JOINTS] = {ORACLE_NO_PARENT, 0};

static fixture filtered(void) {
    fixture f = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    static const oracle_filter_def def = {1.5, 3, 3};
    f.small->input.parent = parents;
    oracle_set_filter(f.o, &def);
    fixture_step(&f, H); // starts it
    return f;
}

// A joint that steps by 0.05 m and stays, by the formula.
TLW_TEST(the_filter_follows_a_step_of_a_joint_by_its_speed) {
    fixture f = filtered();
    const double from = f.pose.joints[0].translation.x;
    f.pose.joints[0].translation.x += 0.05;
    f.pose.joints[1].translation.x += 0.05; // it goes along: its relative place stays
    double t = 0, w = 0;
    for (int k = 0; k < 30; ++k) {
        fixture_step(&f, H);
        w += share_of(1, H) * ((0.05 - t) / H - w);
        t += share_of(1.5 + 3 * fabs(w), H) * (0.05 - t);
        CHECK_NEAR(f.o->last.joints[0].translation.x - from, t, 1e-12);
        CHECK_NEAR(f.o->last.joints[1].translation.x - from, t, 1e-12);
    }
    CHECK_LT(t, 0.05);
    CHECK_LT(0.045, t);
    fixture_free(&f);
}

// Joint 0 turns by 0.12 about y, and joint 1 with it, whose place follows the filtered turn.
TLW_TEST(the_filter_turns_joints_relative_to_their_parents) {
    fixture f = filtered();
    const small_input_pose rest = f.pose;
    const oracle_quat turn = quat_exp(vec(0, 0.12, 0));
    const oracle_vec between =
        vec_sub(rest.joints[1].translation, rest.joints[0].translation); // joint 0 is not turned
    f.pose.joints[0].rotation = quat_mul(turn, rest.joints[0].rotation);
    f.pose.joints[1].rotation = quat_mul(turn, rest.joints[1].rotation);
    f.pose.joints[1].translation = vec_add(rest.joints[0].translation, quat_rotate(turn, between));
    fixture_step(&f, H);
    const double w = share_of(1, H) * 2 * sin(0.06) / H, a = share_of(1.5 + 3 * w, H);
    // The angle of nlerp of the identity and the turn: tan of its half.
    const double angle = 2 * atan2(a * sin(0.06), 1 - a + a * cos(0.06));
    const oracle_quat part = quat_exp(vec(0, angle, 0));
    CHECK_LT(quat_angle(f.o->last.joints[0].rotation, part), 1e-7);
    CHECK_LT(quat_angle(f.o->last.joints[1].rotation, quat_mul(part, rest.joints[1].rotation)),
             1e-7);
    check_vec(f.o->last.joints[1].translation,
              vec_add(rest.joints[0].translation, quat_rotate(part, between)), 1e-12);
    fixture_free(&f);
}

// The sign of a quaternion changes nothing.
TLW_TEST(the_filter_takes_the_short_way_round) {
    fixture f = filtered();
    f.pose.joints[1].rotation = quat_scale(f.pose.joints[1].rotation, -1);
    const oracle_quat before = f.o->last.joints[1].rotation;
    for (int k = 0; k < 10; ++k) {
        fixture_step(&f, H);
        CHECK_LT(quat_angle(f.o->last.joints[1].rotation, before), 1e-7);
    }
    fixture_free(&f);
}

// The root is not filtered. A jump is found between the filtered pose and the one that was set, and
// starts the filter anew, as do a reset and switching it off and on.
TLW_TEST(jumps_and_resets_start_the_filter_on_the_pose_itself) {
    for (int way = 0; way < 3; ++way) {
        fixture f = filtered();
        f.pose.joints[0].translation.y += 0.05;
        fixture_move(&f, vec(1, 0, 0));
        fixture_step(&f, H);
        CHECK_NEAR(f.o->last.root_position[0], 0.05, 1e-15);
        CHECK_LT(f.o->last.joints[0].translation.y, f.pose.joints[0].translation.y - 0.01);
        if (way == 0) {
            f.pose.joints[0].translation.y += 0.2; // 4 voxels; 0.2 L is 2.7
            CHECK_EQ(fixture_step(&f, H), ORACLE_JUMPED);
        } else if (way == 1) {
            oracle_reset(f.o);
        } else {
            oracle_set_filter(f.o, NULL);
            fixture_step(&f, H);
        }
        CHECK_EQ(f.o->last.joints[0].translation.y, f.pose.joints[0].translation.y);
        fixture_step(&f, H);
        CHECK_NEAR(f.o->last.joints[0].translation.y, f.pose.joints[0].translation.y, 1e-15);
        fixture_free(&f);
    }
}
