// SPDX-License-Identifier: MIT
// Facts about the oracle's contact (MODEL 3.15, 3.16) that were worked out by hand, most of them on
// a single voxel that nothing else moves.
#include "tests/runtime/oracle/oracle_fixture.h"

static const double no_ks[ORACLE_LAYERS] = {0}, no_anchors[ORACLE_LAYERS] = {0};
static const double no_damping[ORACLE_LAYERS] = {1, 1, 1, 1};

// A voxel that keeps its velocity, without a limit: contact alone moves it.
static fixture free_voxel(void) {
    fixture f = fixture_make(SMALL_INPUT_single, 3, 26, ORACLE_PRESET_DEFAULT);
    f.o->settings.ks = no_ks;
    f.o->settings.kd = no_damping;
    f.o->settings.anchors = no_anchors;
    f.o->settings.is_limit_off = true;
    fixture_step(&f, H); // velocities that are set later count with these materials
    return f;
}

// Where the voxel is at rest, in voxels from the root, which is the world's origin.
static oracle_vec home(const fixture* f) {
    return f->o->out_p_skin[0];
}

static oracle_place at(const fixture* f, oracle_vec voxels) {
    const double metres = f->small->input.voxel_metres;
    return (oracle_place){{metres * voxels.x, metres * voxels.y, metres * voxels.z}, QUAT_IDENTITY};
}

// Lengths in voxels.
static oracle_collider_def sphere_def(const fixture* f, double radius, double friction) {
    oracle_collider_def def = oracle_default_collider();
    def.radii[0] = def.radii[1] = radius * f->small->input.voxel_metres;
    def.friction = friction;
    return def;
}

static oracle_collider_def plane_def(double friction) {
    oracle_collider_def def = oracle_default_collider();
    def.kind = ORACLE_SHAPE_PLANE;
    def.friction = friction;
    return def;
}

static void put(fixture* f, uint32_t collider, const oracle_collider_def* def, oracle_vec voxels) {
    const oracle_place place = at(f, voxels);
    oracle_set_collider(f->o, collider, def, &place);
}

static void move_to(fixture* f, uint32_t collider, oracle_vec voxels) {
    const oracle_place place = at(f, voxels);
    oracle_move_collider(f->o, collider, &place);
}

// What the voxel moves by in a substep, from home, when it is sent with `sent` voxels a substep.
static oracle_vec run_once(fixture* f, oracle_vec sent) {
    f->o->v[0] = vec_scale(sent, 1 / H);
    const oracle_vec from = f->o->p[0];
    fixture_step(f, H);
    return vec_sub(f->o->p[0], from);
}

static void check_vec(oracle_vec a, oracle_vec b, double tolerance) {
    CHECK_NEAR(a.x, b.x, tolerance);
    CHECK_NEAR(a.y, b.y, tolerance);
    CHECK_NEAR(a.z, b.z, tolerance);
}

TLW_TEST(a_capsule_has_the_radius_of_the_nearest_point_of_its_axis) {
    const oracle_shape capsule = {.kind = ORACLE_SHAPE_CAPSULE,
                                  .rotation = QUAT_IDENTITY,
                                  .ends = {{0, 0, 0}, {4, 0, 0}},
                                  .radii = {1, 2},
                                  .across = {0, 1, 0}};
    oracle_nearness near = oracle_nearness_of(&capsule, vec(2, 0, 5)); // r = 1.5
    CHECK_NEAR(near.distance, 3.5, 1e-12);
    check_vec(near.n, vec(0, 0, 1), 1e-12);
    near = oracle_nearness_of(&capsule, vec(1, 0, 0.25)); // r = 1.25, inside
    CHECK_NEAR(near.distance, -1, 1e-12);
    near = oracle_nearness_of(&capsule, vec(-3, 0, 4)); // beyond the first end
    CHECK_NEAR(near.distance, 4, 1e-12);
    check_vec(near.n, vec(-0.6, 0, 0.8), 1e-12);
    near = oracle_nearness_of(&capsule, vec(3, 5e-7, 0)); // on its axis
    CHECK_NEAR(near.distance, -1.75, 1e-6);
    check_vec(near.n, vec(0, 1, 0), 1e-12);
}

// The own axis that is across: y has the least part along (2, 0, 1), and is turned to -x by a
// quarter about z. A sphere takes x.
TLW_TEST(n_on_the_axis_of_a_collider_is_its_first_axis_across) {
    fixture f = free_voxel();
    oracle_collider_def def = sphere_def(&f, 1, 0);
    oracle_place place = at(&f, vec(0, 0, 0));
    place.rotation = quat_exp(vec(0, 0, 2 * atan(1)));
    const double root[3] = {0, 0, 0};
    oracle_shape shape = oracle_place_collider(f.o, &def, &place, root, 1);
    check_vec(oracle_nearness_of(&shape, vec(0, 0, 0)).n, vec(0, 1, 0), 1e-12);
    def.ends[1][0] = 0.2;
    def.ends[1][2] = 0.1;
    shape = oracle_place_collider(f.o, &def, &place, root, 1);
    check_vec(shape.ends[1], vec(0, 4, 2), 1e-12);
    check_vec(oracle_nearness_of(&shape, shape.ends[0]).n, vec(-1, 0, 0), 1e-12);
    fixture_free(&f);
}

TLW_TEST(a_box_is_nearest_at_a_face_an_edge_a_corner_or_the_least_deep_face) {
    const oracle_shape box = {.kind = ORACLE_SHAPE_BOX,
                              .rotation = QUAT_IDENTITY,
                              .centre = {1, 0, 0},
                              .half_extents = {2, 1, 3},
                              .rounding = 0.5};
    oracle_nearness near = oracle_nearness_of(&box, vec(1.5, 3, 1)); // face
    CHECK_NEAR(near.distance, 1.5, 1e-12);
    check_vec(near.n, vec(0, 1, 0), 1e-12);
    near = oracle_nearness_of(&box, vec(6, -5, 0)); // edge: 3 and 4 away
    CHECK_NEAR(near.distance, 4.5, 1e-12);
    check_vec(near.n, vec(0.6, -0.8, 0), 1e-12);
    near = oracle_nearness_of(&box, vec(4, 3, 5)); // corner: 1, 2, 2
    CHECK_NEAR(near.distance, 2.5, 1e-12);
    check_vec(near.n, vec(1.0 / 3, 2.0 / 3, 2.0 / 3), 1e-12);
    near = oracle_nearness_of(&box, vec(1.5, -0.25, 0)); // inside: 1.5, 0.75 and 3 deep
    CHECK_NEAR(near.distance, -1.25, 1e-12);
    check_vec(near.n, vec(0, -1, 0), 1e-12);
    near = oracle_nearness_of(&box, vec(2, 0, 2)); // 1 deep along each axis: x
    CHECK_NEAR(near.distance, -1.5, 1e-12);
    check_vec(near.n, vec(1, 0, 0), 1e-12);
    near = oracle_nearness_of(&box, vec(1, 0, 0)); // in the middle: y, the positive face
    CHECK_NEAR(near.distance, -1.5, 1e-12);
    check_vec(near.n, vec(0, 1, 0), 1e-12);
    near = oracle_nearness_of(&box, vec(1, 1 + 5e-7, 0)); // as good as inside
    check_vec(near.n, vec(0, 1, 0), 1e-12);
}

TLW_TEST(a_small_collider_counts_as_half_a_voxel_and_lengths_are_divided_by_the_scale) {
    fixture f = free_voxel();
    const oracle_collider_def def = sphere_def(&f, 3, 0), none = sphere_def(&f, 0, 0);
    const oracle_place place = at(&f, vec(6, 0, -2));
    const double root[3] = {0.1, 0, 0}; // 2 voxels, 1 at scale 2
    const oracle_shape half = oracle_place_collider(f.o, &def, &place, root, 2);
    check_vec(half.centre, vec(2, 0, -1), 1e-12);
    CHECK_NEAR(half.radii[0], 1.5, 1e-12);
    CHECK_EQ(oracle_place_collider(f.o, &none, &place, root, 1).radii[1], 0.5);
    fixture_free(&f);
}

// The plane is 0.35 below; the voxel falls by 0.5 and stops 0.25 above it. It falls on with what is
// left of its speed.
TLW_TEST(a_plane_stops_a_voxel_a_quarter_above_it) {
    fixture f = free_voxel();
    const oracle_collider_def def = plane_def(0);
    put(&f, 0, &def, vec_add(home(&f), vec(7, -0.35, 3)));
    check_vec(run_once(&f, vec(0.2, -0.5, 0)), vec(0.2, -0.1, 0), 1e-12);
    check_vec(f.o->v[0], vec(0.2 / H, -0.1 / H, 0), 1e-9);
    CHECK_NEAR(f.o->stage[ORACLE_STAGE_LIMIT][0].y - home(&f).y, -0.5, 1e-12);
    CHECK(f.o->touches[0].is_touched);
    CHECK_NEAR(oracle_collider_depth(f.o, 0, 0), 0, 1e-12);
    CHECK_NEAR(oracle_deepest_inside(f.o, NULL), 0, 1e-12);
    const oracle_deepest* deepest = &f.o->deepest[ORACLE_LIMBS_MAX];
    CHECK(deepest->is_touched);
    CHECK_NEAR(deepest->depth, -0.1, 1e-12);
    CHECK_NEAR(deepest->speed, 0.5 / H, 1e-9);
    fixture_free(&f);
}

TLW_TEST(a_tilted_plane_pushes_along_its_y_axis) {
    fixture f = free_voxel();
    const oracle_collider_def def = plane_def(0);
    oracle_place place = at(&f, home(&f)); // through the centre: 0.25 too deep
    place.rotation = quat_exp(vec(0, 0, -atan2(3, 4)));
    oracle_set_collider(f.o, 0, &def, &place);
    check_vec(run_once(&f, vec(0, 0, 0)), vec(0.25 * 0.6, 0.25 * 0.8, 0), 1e-12);
    fixture_free(&f);
}

TLW_TEST(colliders_touch_by_masks_and_only_while_they_are_there) {
    for (int way = 0; way < 3; ++way) {
        fixture f = free_voxel();
        oracle_collider_def def = plane_def(0);
        def.mask = 6;
        f.o->settings.collider_mask = way == 0 ? 4 : 1;
        put(&f, 5, &def, home(&f));
        if (way == 2) {
            f.o->settings.collider_mask = 2;
            oracle_remove_collider(f.o, 5);
        }
        check_vec(run_once(&f, vec(0, 0, 0)), vec(0, way == 0 ? 0.25 : 0, 0), 1e-12);
        CHECK_EQ(f.o->touches[0].is_touched, way == 0);
        fixture_free(&f);
    }
}

// A sphere of 0.5 that goes by 6 in a substep: k = 12, first met at s = 5/12 with e = 0.25. Either
// the sphere or the voxel moves.
TLW_TEST(a_sweep_through_a_thin_shape_is_caught) {
    for (int way = 0; way < 2; ++way) {
        fixture f = free_voxel();
        const oracle_collider_def def = sphere_def(&f, 0.5, 0);
        put(&f, 0, &def, vec_add(home(&f), vec(way == 0 ? -3 : 3, 0, 0)));
        if (way == 0) {
            move_to(&f, 0, vec_add(home(&f), vec(3, 0, 0)));
            check_vec(run_once(&f, vec(0, 0, 0)), vec(3.75, 0, 0), 1e-9);
            CHECK_NEAR(f.o->v[0].x, 3.75 / H, 1e-6);
            CHECK_NEAR(f.o->touches[0].most, 6 / H, 1e-6);
        } else {
            check_vec(run_once(&f, vec(6, 0, 0)), vec(2.25, 0, 0), 1e-9);
        }
        fixture_free(&f);
    }
}

// With 16 samples at most, 40 voxels a substep pass the same sphere by: they are 2.5 apart.
TLW_TEST(a_sweep_has_sixteen_samples_at_most) {
    fixture f = free_voxel();
    const oracle_collider_def def = sphere_def(&f, 0.5, 0);
    put(&f, 0, &def, vec_add(home(&f), vec(-18.9, 0, 0))); // -1.4 and 1.1; of 17, one at -0.08
    move_to(&f, 0, vec_add(home(&f), vec(21.1, 0, 0)));
    check_vec(run_once(&f, vec(0, 0, 0)), vec(0, 0, 0), 0);
    fixture_free(&f);
}

TLW_TEST(a_shape_is_half_turned_half_way) {
    oracle_shape from = {.kind = ORACLE_SHAPE_BOX,
                         .rotation = QUAT_IDENTITY,
                         .ends = {{1, 0, 0}, {3, 0, 0}},
                         .radii = {1, 2},
                         .normal = {0, 1, 0},
                         .half_extents = {2, 1, 1},
                         .rounding = 0.5};
    oracle_shape to = from;
    to.centre = vec(4, 0, 2);
    to.rotation = quat_exp(vec(0, 0, 2 * atan(1)));
    to.ends[1] = vec(1, 2, 0);
    to.normal = vec(-1, 0, 0);
    const oracle_shape half = oracle_shape_between(&from, &to, 0.5);
    const double diagonal = sqrt(0.5);
    check_vec(half.centre, vec(2, 0, 1), 1e-12);
    check_vec(half.ends[1], vec(2, 1, 0), 1e-12); // straight: shorter than at both ends
    check_vec(half.normal, vec(-diagonal, diagonal, 0), 1e-12);
    const oracle_vec tip = vec(2 + 4 * diagonal, 4 * diagonal, 1); // 4 along its turned x
    const oracle_nearness near = oracle_nearness_of(&half, tip);
    CHECK_NEAR(near.distance, 1.5, 1e-12);
    check_vec(near.n, vec(diagonal, diagonal, 0), 1e-12);
}

// Teleported, or across a jump, a collider does not sweep.
TLW_TEST(there_is_no_sweep_across_teleports_jumps_and_resets) {
    for (int way = 0; way < 3; ++way) {
        fixture f = free_voxel();
        const oracle_collider_def def = sphere_def(&f, 0.5, 0);
        const oracle_place to = at(&f, vec_add(home(&f), vec(3, 0, 0)));
        put(&f, 0, &def, vec_add(home(&f), vec(-3, 0, 0)));
        if (way == 0) {
            oracle_teleport_collider(f.o, 0, &to);
        } else {
            oracle_move_collider(f.o, 0, &to);
        }
        if (way == 1) {
            const oracle_pose pose = small_input_oracle_pose(&f.pose);
            CHECK(oracle_set_pose(f.o, &pose));
            CHECK_EQ(oracle_step(f.o, H, true), ORACLE_JUMPED);
            CHECK_NEAR(f.o->colliders[0].before.position[0], to.position[0], 1e-15);
            fixture_step(&f, H); // the substep that is owed
        } else if (way == 2) {   // a call without a substep, then a reset
            fixture_step(&f, 0.5 * H);
            oracle_reset(f.o);
        }
        check_vec(run_once(&f, vec(0, 0, 0)), vec(0, 0, 0), 0);
        fixture_free(&f);
    }
}

// 1.5 h: one substep, half a substep before the call's end, at 2/3 of the way.
// A sphere that goes through the voxel while time stands still is beyond it when time goes on.
TLW_TEST(there_is_no_sweep_across_a_pause) {
    fixture f = free_voxel();
    const oracle_collider_def def = sphere_def(&f, 1, 0);
    put(&f, 0, &def, vec_add(home(&f), vec(-5, 0.5, 0)));
    f.o->settings.time_scale = 0;
    move_to(&f, 0, vec_add(home(&f), vec(5, 0.5, 0)));
    fixture_step(&f, H);
    f.o->settings.time_scale = 1;
    check_vec(run_once(&f, vec(0, 0, 0)), vec(0, 0, 0), 1e-12);
    CHECK(!f.o->touches[0].is_touched);
    fixture_free(&f);
}

TLW_TEST(colliders_are_between_their_poses_as_the_root_is) {
    fixture f = free_voxel();
    const oracle_collider_def def = sphere_def(&f, 1, 0);
    put(&f, 3, &def, vec(40, 0, 0));
    move_to(&f, 3, vec(40, 6, 0));
    fixture_step(&f, 1.5 * H);
    CHECK_NEAR(f.o->colliders[3].before.position[1], 4 * f.small->input.voxel_metres, 1e-12);
    fixture_step(&f, 0.5 * H); // it has stopped
    CHECK_NEAR(f.o->colliders[3].before.position[1], 6 * f.small->input.voxel_metres, 1e-12);
    CHECK_NEAR(f.o->sweeps[0].from.centre.y, 4, 1e-12);
    fixture_free(&f);
}

// The root goes on by 0.1 voxel: a collider that stays is 0.1 behind at both moments.
TLW_TEST(a_still_collider_has_no_motion_for_a_character_that_moves) {
    fixture f = free_voxel();
    const oracle_collider_def def = plane_def(1);
    put(&f, 0, &def, vec(3, -9, 0));
    fixture_step(&f, H);
    fixture_move(&f, vec(0.1, 0, 0));
    fixture_step(&f, H);
    CHECK_NEAR(f.o->sweeps[0].from.centre.x, 2.9, 1e-12);
    CHECK_NEAR(f.o->sweeps[0].to.centre.x, 2.9, 1e-12);
    fixture_free(&f);
}

// 1 beside the centre of a sphere of 5: 4.25 to go, by 0.25 a substep and with no speed.
TLW_TEST(what_appears_inside_grows_out_by_a_quarter_a_substep) {
    fixture f = free_voxel();
    const oracle_collider_def def = sphere_def(&f, 5, 0);
    put(&f, 0, &def, vec_add(home(&f), vec(0, 0, -1)));
    for (int k = 0; k < 20; ++k) {
        fixture_step(&f, H);
        const double grown = fmin(4.25, 0.25 * (k + 1));
        check_vec(f.o->p[0], vec_add(home(&f), vec(0, 0, grown)), 1e-9);
        check_vec(f.o->v[0], vec(0, 0, 0), 1e-9);
    }
    fixture_free(&f);
}

// On the surface of a plane and pressed by 0.4, while it slides by 0.3: friction takes mu 0.4.
TLW_TEST(friction_takes_from_a_slide_what_the_push_allows) {
    static const struct {
        double mu, left;
    } rows[] = {{0, 0.3}, {0.25, 0.2}, {0.5, 0.1}, {0.75, 0}, {1, 0}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        fixture f = free_voxel();
        const oracle_collider_def def = plane_def(rows[k].mu);
        put(&f, 0, &def, vec_add(home(&f), vec(0, -0.25, 0)));
        check_vec(run_once(&f, vec(0.3, -0.4, 0)), vec(rows[k].left, 0, 0), 1e-9);
        CHECK_NEAR(f.o->v[0].x, rows[k].left / H, 1e-6);
        CHECK_NEAR(f.o->v[0].y, 0, 1e-6);
        fixture_free(&f);
    }
}

// Stuck to a plane that slides by 0.3 and turns by 0.1 about y through a point 2 beside the voxel.
TLW_TEST(friction_carries_a_voxel_with_the_point_that_it_touches) {
    fixture f = free_voxel();
    const oracle_collider_def def = plane_def(1);
    const oracle_vec middle = vec_add(home(&f), vec(-2, -0.25, 0));
    put(&f, 0, &def, middle);
    oracle_place place = at(&f, vec_add(middle, vec(0, 0, 0.3)));
    place.rotation = quat_exp(vec(0, 0.1, 0));
    oracle_move_collider(f.o, 0, &place);
    check_vec(run_once(&f, vec(0, -0.6, 0)), vec(2 * cos(0.1) - 2, 0, 0.3 - 2 * sin(0.1)), 1e-9);
    fixture_free(&f);
}

// On the surface, lifted by 0.5 (u), or 0.2 deep and going out by 0.1 by itself, or not at all.
TLW_TEST(speed_out_of_a_shape_is_that_of_its_surface_or_the_voxels_own) {
    static const struct {
        double deep, lifted, own, moves, v;
    } rows[] = {{0, 0.5, 0, 0.5, 0.5},
                {0.2, 0, 0.1, 0.2, 0.1},
                {0.2, 0, 0, 0.2, 0},
                {0.2, 0.3, 0, 0.5, 0.3},
                {0.2, 0, -0.3, 0.2, 0}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        fixture f = free_voxel();
        const oracle_collider_def def = plane_def(0);
        const oracle_vec surface = vec_add(home(&f), vec(0, rows[k].deep - 0.25, 0));
        put(&f, 0, &def, surface);
        move_to(&f, 0, vec_add(surface, vec(0, rows[k].lifted, 0)));
        CHECK_NEAR(run_once(&f, vec(0, rows[k].own, 0)).y, rows[k].moves, 1e-9);
        CHECK_NEAR(f.o->v[0].y, rows[k].v / H, 1e-6);
        fixture_free(&f);
    }
}

// d_max 0.5: a plane that rises by 2 takes the voxel along as far as 0.75. p stays there, until a
// limit is set.
TLW_TEST(contact_pushes_to_one_and_a_half_times_the_limit_and_predict_leaves_it_there) {
    fixture f = free_voxel();
    f.o->settings.is_limit_off = false;
    f.o->settings.limit_scale = 0.5 / f.small->input.limit[0];
    const oracle_collider_def def = plane_def(0);
    const oracle_vec below = vec_add(home(&f), vec(0, -0.25, 0));
    put(&f, 0, &def, below);
    for (int k = 1; k <= 10; ++k) {
        move_to(&f, 0, vec_add(below, vec(0, 0.2 * k, 0)));
        fixture_step(&f, H);
        CHECK_NEAR(f.o->p[0].y - home(&f).y, fmin(0.2 * k, 0.75), 1e-9);
        CHECK_EQ(f.o->touches[0].is_at_limit, k >= 4);
    }
    CHECK_NEAR(oracle_collider_depth(f.o, 0, 0), 1.25, 1e-9);
    CHECK_EQ(oracle_deepest_inside(f.o, NULL), -HUGE_VAL); // the one voxel is at its cap
    f.o->v[0] = vec(0, 0, 0);
    fixture_step(&f, H);
    CHECK_NEAR(f.o->stage[ORACLE_STAGE_PREDICT][0].y - home(&f).y, 0.75, 1e-9);
    CHECK_NEAR(f.o->stage[ORACLE_STAGE_LIMIT][0].y - home(&f).y, 0.5, 1e-9);
    f.o->settings.limit_scale *= 0.5;
    f.o->v[0] = vec(0, 0, 0);
    fixture_step(&f, H);
    CHECK_NEAR(f.o->stage[ORACLE_STAGE_PREDICT][0].y - home(&f).y, 0.375, 1e-9);
    CHECK_NEAR(f.o->p[0].y - home(&f).y, 0.375, 1e-9);
    fixture_free(&f);
}

// 0.25 a substep at most, so 0.2 deep in a floor and 0.15 in a wall: n' is (3, 4)/5.
TLW_TEST(each_shape_reads_what_the_one_before_left_and_directions_add_up) {
    fixture f = free_voxel();
    const oracle_collider_def def = plane_def(0);
    put(&f, 7, &def, vec_add(home(&f), vec(0, -0.05, 0)));
    oracle_place wall = at(&f, vec_add(home(&f), vec(-0.1, 0, 0)));
    wall.rotation = quat_exp(vec(0, 0, -2 * atan(1))); // y to x
    oracle_set_collider(f.o, 2, &def, &wall);
    check_vec(run_once(&f, vec(0, 0, 0)), vec(0.15, 0.2, 0), 1e-9);
    check_vec(f.o->touches[0].n, vec(0.6, 0.8, 0), 1e-9);
    CHECK_EQ(f.o->sweeps[0].index, 2u);
    CHECK_EQ(f.o->sweeps[1].index, 7u);
    fixture_free(&f);
}

// Bone goes where the skeleton puts it, whatever is there.
TLW_TEST(bone_is_not_touched) {
    fixture f = fixture_make(SMALL_INPUT_rod, 3, 26, ORACLE_PRESET_DEFAULT);
    const oracle_collider_def def = sphere_def(&f, 20, 0);
    put(&f, 0, &def, vec(0, 0, 0));
    fixture_step(&f, H);
    for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
        const bool is_bone = f.small->input.layer[i] == 0;
        CHECK_EQ(f.o->touches[i].is_touched, !is_bone);
        CHECK_EQ(vec_length(vec_sub(f.o->p[i], f.o->p_skin_prev[i])) == 0, is_bone);
    }
    fixture_free(&f);
}

// A limb of joint 1 that reaches 0.2 into the voxel, and then moves by 0.2 with its joint.
TLW_TEST(a_limb_presses_where_its_bit_says_so_and_by_half_where_both_press) {
    for (int way = 0; way < 4; ++way) {
        fixture f = free_voxel();
        const oracle_limb_rest limb = {
            .joint = 1, .ends = {{0.5, -0.55, 0.5}, {0.5, -0.55, 3.5}}, .radii = {1, 1}};
        const uint32_t touches = way != 2, halves = way == 1;
        f.small->input.limb_count = 1;
        f.small->input.limbs = &limb;
        f.small->input.limb_touches = &touches;
        f.small->input.limb_halves = &halves;
        f.o->settings.own_limbs = way != 3;
        oracle_reset(f.o);
        const double d = way == 0 ? 0.2 : way == 1 ? 0.1 : 0;
        check_vec(run_once(&f, vec(0, 0, 0)), vec(0, d, 0), 1e-9);
        CHECK_EQ(f.o->deepest[0].is_touched, way < 2);
        CHECK_NEAR(oracle_limb_depth(f.o, 0, 0), 0.2 - d, 1e-9);
        if (way == 0) {
            f.pose.joints[1].translation.y += 0.2 * f.small->input.voxel_metres;
            check_vec(run_once(&f, vec(0, 0, 0)), vec(0, 0.2, 0), 1e-9);
            CHECK_NEAR(f.o->touches[0].most, 0.2 / H, 1e-9);
        }
        fixture_free(&f);
    }
}

// mu is 0.3. A limb whose joint turns about its own axis carries what it presses by the turn of its
// surface, 0.05 in a radius of 1.
TLW_TEST(a_limb_that_turns_carries_tissue_by_friction) {
    fixture f = free_voxel();
    const oracle_limb_rest limb = {
        .joint = 1, .ends = {{0.5, -0.75, 0.5}, {0.5, -0.75, 3.5}}, .radii = {1, 1}};
    const uint32_t touches = 1, halves = 0;
    f.small->input.limb_count = 1;
    f.small->input.limbs = &limb;
    f.small->input.limb_touches = &touches;
    f.small->input.limb_halves = &halves;
    oracle_reset(f.o);
    oracle_trs* joint = &f.pose.joints[1];
    const oracle_vec axis = vec_scale(vec_add(home(&f), vec(0, -1.25, 0)), 0.05); // metres
    const oracle_quat turn = quat_exp(vec(0, 0, -0.05));
    joint->rotation = quat_mul(turn, joint->rotation);
    joint->translation = vec_add(axis, quat_rotate(turn, vec_sub(joint->translation, axis)));
    const oracle_vec moved = run_once(&f, vec(0, -0.5, 0)); // 0.3 d is more than the slide
    check_vec(moved, vec(sin(0.05), 0, 0), 2e-3);
    CHECK_LT(0.049, moved.x);
    fixture_free(&f);
}

// Everything at once on a body, and the same turned and moved as one: nothing depends on axes.
TLW_TEST(contact_is_the_same_for_a_turned_world) {
    oracle_vec first[175];
    for (int way = 0; way < 2; ++way) {
        fixture f = fixture_make(SMALL_INPUT_box, 3, 26, ORACLE_PRESET_DEFAULT);
        const uint32_t n = f.small->input.voxel_count;
        CHECK_EQ(n, TLW_COUNT_OF(first));
        const oracle_quat turn = way == 0 ? QUAT_IDENTITY : quat_exp(vec(0.4, -1.1, 0.7));
        f.pose.root_rotation = turn;
        fixture_settle(&f);
        const oracle_vec middle = quat_unrotate(turn, f.o->out_p_skin[n / 2]);
        oracle_collider_def capsule = sphere_def(&f, 1.5, 0.5), box = sphere_def(&f, 0, 0.2);
        capsule.ends[1][2] = 0.1;
        box.kind = ORACLE_SHAPE_BOX;
        box.half_extents[0] = box.half_extents[1] = box.half_extents[2] = 0.05;
        for (int k = 0; k < 40; ++k) {
            const double deep = 0.05 * (k < 20 ? k : 20);
            const oracle_vec places[2] = {vec_add(middle, vec(4 - deep, 0.3, 0)),
                                          vec_add(middle, vec(0.4 * deep, -5 + deep, 0))};
            for (uint32_t c = 0; c < 2; ++c) {
                oracle_place place = at(&f, quat_rotate(turn, places[c]));
                place.rotation = quat_mul(turn, quat_exp(vec(0.2 * deep, 0.3, 0)));
                if (k == 0) {
                    oracle_set_collider(f.o, c, c == 0 ? &capsule : &box, &place);
                } else {
                    oracle_move_collider(f.o, c, &place);
                }
            }
            fixture_step(&f, H);
        }
        CHECK_LT(0.3, oracle_largest_deviation(f.o));
        CHECK_LT(oracle_deepest_inside(f.o, NULL), 1e-3);
        for (uint32_t i = 0; i < n; ++i) {
            const oracle_vec p = quat_unrotate(turn, f.o->p[i]);
            if (way == 0) {
                first[i] = p;
            } else {
                CHECK_LT(vec_length(vec_sub(p, first[i])), 1e-4); // the rest rule of MODEL 3.9
            }
        }
        fixture_free(&f);
    }
}
