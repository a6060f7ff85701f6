// SPDX-License-Identifier: MIT
// Compares the runtime with the oracle where colliders and own limbs touch tissue (MODEL 3.15,
// 3.16): every kind of collider, still, moving and turning, at any frame rate, across jumps and
// teleports; what touched; and overlaps. Lengths in voxels.
#include "tests/runtime/support/joint_poses.h"
#include "tests/runtime/support/oracle_pair_contact.h"
#include "tests/runtime/support/sample_pair.h"
#include "tests/runtime/support/shapes.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#define AFTER_ONE      1e-4
#define AFTER_MANY     1e-3
#define FRAMES         (PAIR_IS_SLOW ? 8 : 60)
#define MOVERS_MAX     6
#define BLOCK_CONTACTS 4 // that a block hands on

static const oracle_pair_def touchable = {.preset = TLW_PRESET_DEFAULT,
                                          .has_oracle = true,
                                          .collider_capacity = MOVERS_MAX,
                                          .contact_capacity = 16};

// A collider and how it moves, relative to the middle of the body at rest on its first root.
typedef struct mover {
    const char* name;
    tlw_collider_kind kind;
    double ends[2][3], radii[2], half_extents[3], rounding, friction;
    double at[3], sway[3]; // at + sway sin(4 t)
    double start[3];       // rotation at the beginning, radians
    double turn[3];        // radians per second
} mover;

typedef struct scene_of_contact {
    oracle_pair* pair;
    tlw_root base;     // what colliders are placed by
    double liveliness; // of the body's dance; 0: it stands
    double seconds;    // so far
    uint32_t count;
    const mover* movers;
    uint32_t colliders[MOVERS_MAX];
    uint32_t touched_frames, contact_count, other_voxels;
    double one, many, velocity;
    oracle_pair_contacts contacts; // largest gaps
} scene_of_contact;

// The middle of the voxels at rest, from the model's origin.
static oracle_vec middle_of(const oracle_pair* pair) {
    oracle_vec sum = {0, 0, 0};
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const tlw_blob_cell* cell = &pair->cells[i];
        sum = vec_add(sum, vec(cell->x + 0.5, cell->y + 0.5, cell->z + 0.5));
    }
    const oracle_vec origin = vec(pair->info.origin[0], pair->info.origin[1], pair->info.origin[2]);
    return vec_add_scaled(vec_scale(sum, 1.0 / pair->info.voxel_count), 1 / pair->info.voxel_metres,
                          origin);
}

static double metres_of(const scene_of_contact* s) {
    return s->pair->info.voxel_metres * (double)s->base.scale;
}

static tlw_collider_pose pose_at(const scene_of_contact* s, const mover* m, double t) {
    const oracle_vec at = vec_add_scaled(vec_of(m->at), sin(4 * t), vec_of(m->sway));
    const oracle_vec place =
        vec_add_scaled(vec_of(s->base.position), metres_of(s), vec_add(middle_of(s->pair), at));
    const oracle_quat r =
        quat_mul(quat_exp(vec_scale(vec_of(m->turn), t)), quat_exp(vec_of(m->start)));
    return (tlw_collider_pose){{place.x, place.y, place.z},
                               {(float)r.x, (float)r.y, (float)r.z, (float)r.w}};
}

static tlw_collider_def def_of(const mover* m, double metres) {
    tlw_collider_def def = tlw_default_collider_def();
    def.kind = m->kind;
    def.friction = (float)m->friction;
    def.rounding = (float)(m->rounding * metres);
    for (int k = 0; k < 3; ++k) {
        def.half_extents[k] = (float)(m->half_extents[k] * metres);
        for (int end = 0; end < 2; ++end) {
            def.ends[end][k] = (float)(m->ends[end][k] * metres);
            def.radii[end] = (float)(m->radii[end] * metres);
        }
    }
    return def;
}

static void pose_body(scene_of_contact* s) {
    if (s->liveliness > 0) {
        pair_dance(s->pair, s->seconds, s->liveliness);
    } else {
        pair_rest_pose(s->pair);
    }
    const float scale = s->base.scale;
    s->pair->root.scale = scale;
    for (int k = 0; k < 3; ++k) {
        s->pair->root.position[k] = s->base.position[k] + s->pair->root.position[k] * (double)scale;
    }
}

// Puts the body and its colliders where they begin.
static scene_of_contact begin_scene(oracle_pair* pair, const mover* movers, uint32_t count,
                                    double liveliness) {
    scene_of_contact s = {.pair = pair,
                          .movers = movers,
                          .count = count,
                          .liveliness = liveliness * shape_liveliness(pair)};
    s.base = (tlw_root){{0, 0, 0}, {0, 0, 0, 1}, 1};
    return s;
}

static void add_colliders(scene_of_contact* s) {
    pose_body(s);
    pair_settle(s->pair);
    for (uint32_t i = 0; i < s->count; ++i) {
        const tlw_collider_def def = def_of(&s->movers[i], metres_of(s));
        const tlw_collider_pose pose = pose_at(s, &s->movers[i], s->seconds);
        s->colliders[i] = pair_add_collider(s->pair, &def, &pose);
    }
}

static void compare_touch(scene_of_contact* s) {
    const oracle_pair_contacts c = pair_compare_contacts(s->pair);
    s->touched_frames += c.count > 0;
    s->contact_count += c.count;
    s->other_voxels += c.other_voxels;
    s->contacts.depth = fmax(s->contacts.depth, c.depth);
    s->contacts.place = fmax(s->contacts.place, c.place);
    s->contacts.normal = fmax(s->contacts.normal, c.normal);
    s->contacts.speed = fmax(s->contacts.speed, c.speed);
}

static uint32_t count_touching(const oracle* o) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < ORACLE_SHAPES_MAX; ++k) {
        count += o->deepest[k].is_touched;
    }
    return count;
}

// What touched is known of single substeps, and exactly while no block has to leave one out.
static void compare(scene_of_contact* s, bool is_first) {
    const oracle_pair_gap gap = pair_compare(s->pair);
    s->one = is_first ? gap.p : s->one;
    s->many = fmax(s->many, gap.p);
    s->velocity = fmax(s->velocity, gap.velocity);
    if (s->pair->o->substep_count == 1 && count_touching(s->pair->o) <= BLOCK_CONTACTS) {
        compare_touch(s);
    }
}

static tlw_step_flags step_scene(scene_of_contact* s, double dt, bool is_jump) {
    s->seconds += dt;
    pose_body(s);
    for (uint32_t i = 0; i < s->count; ++i) {
        const tlw_collider_pose pose = pose_at(s, &s->movers[i], s->seconds);
        pair_move_collider(s->pair, s->colliders[i], &pose);
    }
    return pair_step(s->pair, dt, is_jump);
}

static void run_scene(scene_of_contact* s, int frames, double dt) {
    for (int k = 1; k <= frames; ++k) {
        step_scene(s, dt, false);
        compare(s, k == 1);
    }
}

static void check_scene(const char* name, const scene_of_contact* s) {
    printf("    %-34s %.1e after 1, %.1e after all, v %.1e; touched in %u frames, %u contacts, %u "
           "of other voxels: depth %.1e, place %.1e, normal %.1e, speed %.1e\n",
           name, s->one, s->many, s->velocity, s->touched_frames, s->contact_count, s->other_voxels,
           s->contacts.depth, s->contacts.place, s->contacts.normal, s->contacts.speed);
    CHECK_LT(s->one, AFTER_ONE);
    CHECK_LT(s->many, AFTER_MANY);
    CHECK_LT(s->contacts.depth, AFTER_MANY);
    CHECK_LT(s->contacts.place, AFTER_MANY);
    CHECK_LT(s->contacts.speed, 5 * AFTER_MANY);
    CHECK_LT(s->contacts.normal, 5 * AFTER_MANY);
    CHECK_LE(4 * s->other_voxels, s->contact_count);
    CHECK_LT(0u, s->contact_count);
}

static void run_and_check(const char* name, shape which, const mover* movers, uint32_t count,
                          double liveliness) {
    oracle_pair* pair = shape_pair(which, 3, 26, &touchable);
    scene_of_contact s = begin_scene(pair, movers, count, liveliness);
    add_colliders(&s);
    run_scene(&s, FRAMES, PAIR_SUBSTEP);
    check_scene(name, &s);
    pair_free(pair);
}

// ---- Each kind, still, moving and turning; box_along_x is 9 x 5 x 4 voxels

static const mover kinds[] = {
    {"sphere", TLW_COLLIDER_CAPSULE, .radii = {2, 2}, .at = {1.3, 4.1, 0.2}},
    {"capsule of one radius", TLW_COLLIDER_CAPSULE, .ends = {{-1, 0.2, -3}, {1, 0, 3}},
     .radii = {1.2, 1.2}, .at = {1.4, 3.3, 0.1}},
    {"capsule of two radii", TLW_COLLIDER_CAPSULE, .ends = {{-2, 0, 0.3}, {2.5, 0.4, 0}},
     .radii = {0.8, 1.9}, .at = {0.6, 3.2, 0.3}},
    {"thin capsule", TLW_COLLIDER_CAPSULE, .ends = {{0.3, 0, -3}, {0, 0, 3}}, .radii = {0.1, 0.2},
     .at = {1.7, 2.6, 0.1}},
    {"plane", TLW_COLLIDER_PLANE, .at = {0.2, 2.1, 0}, .start = {3.1, 0.1, 0.25}},
    {"box", TLW_COLLIDER_BOX, .half_extents = {1.4, 0.8, 2.3}, .rounding = 0.6,
     .at = {1.2, 3.4, 0.3}, .start = {0.1, 0.3, 0.2}},
};

TLW_TEST(every_kind_of_collider_that_is_still_touches_as_in_the_oracle) {
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        mover m = kinds[k];
        m.friction = 0.5;
        run_and_check(m.name, SHAPE_box_along_x, &m, 1, 0);
        run_and_check("  and a body that dances", SHAPE_lump, &m, 1, 0.5);
    }
}

TLW_TEST(every_kind_of_collider_that_moves_touches_as_in_the_oracle_with_any_friction) {
    static const double frictions[] = {0, 0.5, 1};
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        for (size_t f = 0; f < TLW_COUNT_OF(frictions); ++f) {
            mover m = kinds[k];
            m.friction = frictions[f];
            m.sway[0] = 1.5;
            m.sway[1] = -0.8;
            char name[64];
            snprintf(name, sizeof name, "%s, friction %.1f", m.name, m.friction);
            run_and_check(name, f == 1 ? SHAPE_lump : SHAPE_box_along_x, &m, 1, 0);
        }
    }
}

TLW_TEST(every_kind_of_collider_that_turns_touches_as_in_the_oracle) {
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        mover m = kinds[k];
        m.friction = 0.7;
        m.turn[0] = 0.3;
        m.turn[1] = m.kind == TLW_COLLIDER_PLANE ? 0.1 : 2;
        m.turn[2] = -0.2;
        run_and_check(m.name, SHAPE_box_along_x, &m, 1, 0);
    }
}

// 90 degrees in 6 substeps.
TLW_TEST(a_box_and_a_capsule_that_turn_fast_touch_as_in_the_oracle) {
    static const mover fast[] = {
        {"fast box", TLW_COLLIDER_BOX, .half_extents = {3, 0.7, 1.5}, .rounding = 0.4,
         .friction = 0.5, .at = {1.5, 4.2, 0.2}, .sway = {0.5, 0.6, 0}, .turn = {0, 0, 15.708}},
        {"fast capsule", TLW_COLLIDER_CAPSULE, .ends = {{-3, 0, 0}, {3, 0.2, 0.5}},
         .radii = {0.7, 1}, .friction = 0.5, .at = {1.3, 4.4, 0}, .turn = {0, 3, 15.708}},
    };
    for (size_t k = 0; k < TLW_COUNT_OF(fast); ++k) {
        run_and_check(fast[k].name, SHAPE_box_along_x, &fast[k], 1, 0);
        run_and_check("  and a body that dances", SHAPE_lump, &fast[k], 1, 0.5);
    }
}

// ---- Several, which meet at the same voxels

static const mover several[] = {
    {"sphere", TLW_COLLIDER_CAPSULE, .radii = {2, 2}, .friction = 0.5, .at = {1.3, 4.1, 0.2},
     .sway = {0.5, -0.5, 0}},
    {"capsule", TLW_COLLIDER_CAPSULE, .ends = {{-1, 0, -3}, {1, 0, 3}}, .radii = {0.9, 1.4},
     .friction = 0.2, .at = {2.4, -3.2, 0.1}, .sway = {0, 0.7, 0.3}},
    {"plane", TLW_COLLIDER_PLANE, .friction = 0.8, .at = {3.7, 0, 0}, .start = {0.1, 0, 1.45},
     .turn = {0, 0.2, 0}},
    {"box", TLW_COLLIDER_BOX, .half_extents = {1, 2, 0.6}, .rounding = 0.5, .friction = 0,
     .at = {1.63, 0.41, 3.07}, .turn = {0.4, 0.2, 1}},
    {"second box", TLW_COLLIDER_BOX, .half_extents = {2, 0.6, 1}, .rounding = 0.7, .friction = 1,
     .at = {0.3, 3.3, -0.4}, .sway = {1, -0.2, 0.4}},
};

TLW_TEST(several_colliders_at_once_touch_as_in_the_oracle) {
    run_and_check("five, body still", SHAPE_box_along_x, several, TLW_COUNT_OF(several), 0);
    run_and_check("four, body dances", SHAPE_lump, several, 4, 0.5);
    run_and_check("four, a body with cuts", SHAPE_legs_with_cuts, several, 4, 0.3);
}

// The first pushes tissue up, in one substep, into the second, which was out of reach of every
// voxel on its way.
TLW_TEST(tissue_that_one_collider_pushes_into_another_is_touched_by_both) {
    static const mover above[] = {
        {"box", TLW_COLLIDER_BOX, .half_extents = {4, 0.5, 4}, .rounding = 0.5, .friction = 0.5,
         .at = {0, 3.6, 0.1}, .start = {0.05, 0, 0.07}},
        {"plane", TLW_COLLIDER_PLANE, .friction = 0.5, .at = {0.2, 2.6, 0},
         .start = {3.09, 0, 0.06}},
    };
    for (size_t k = 0; k < TLW_COUNT_OF(above); ++k) {
        const mover movers[] = {{"sphere", TLW_COLLIDER_CAPSULE, .radii = {1.5, 1.5},
                                 .friction = 0.5, .at = {1.83, -0.9, 0.37}, .sway = {0, 30, 0}},
                                above[k]};
        run_and_check(above[k].name, SHAPE_box_along_x, movers, 2, 0);
    }
}

TLW_TEST(a_scaled_or_far_root_is_touched_as_in_the_oracle) {
    static const struct {
        const char* name;
        double scale, voxels_away;
    } rows[] = {{"scale 2", 2, 0}, {"scale 0.5", 0.5, 0}, {"scale 2, 100,000 voxels away", 2, 1e5}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        oracle_pair* pair = shape_pair(SHAPE_box_along_x, 3, 26, &touchable);
        scene_of_contact s = begin_scene(pair, several, TLW_COUNT_OF(several), 0.3);
        s.base.scale = (float)rows[k].scale;
        s.base.position[0] = rows[k].voxels_away * metres_of(&s);
        s.base.position[1] = 0.3 * rows[k].voxels_away * metres_of(&s);
        add_colliders(&s);
        run_scene(&s, FRAMES, PAIR_SUBSTEP);
        check_scene(rows[k].name, &s);
        pair_free(pair);
    }
}

// ---- Time

TLW_TEST(colliders_that_move_at_other_frame_rates_touch_as_in_the_oracle) {
    static const double rates[] = {24, 30, 75, 144};
    for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
        oracle_pair* pair = shape_pair(SHAPE_box_along_x, 3, 26, &touchable);
        scene_of_contact s = begin_scene(pair, several, TLW_COUNT_OF(several), 0.3);
        add_colliders(&s);
        run_scene(&s, (int)(FRAMES * rates[k] / 60), 1 / rates[k]);
        char name[32];
        snprintf(name, sizeof name, "%.0f Hz", rates[k]);
        if (rates[k] < 60) { // what touched is compared in calls of one substep
            const oracle_pair_contacts c = pair_compare_contacts(pair);
            s.contact_count = c.count;
            CHECK_LT(c.depth, AFTER_MANY);
        }
        check_scene(name, &s);
        pair_free(pair);
    }
}

// Another length of a substep: 1/30 s and 1/120 s, with calls of 1/50 s.
TLW_TEST(colliders_touch_as_in_the_oracle_at_any_length_of_a_substep) {
    static const double lengths[] = {1.0 / 30, 1.0 / 120};
    for (size_t k = 0; k < TLW_COUNT_OF(lengths); ++k) {
        oracle_pair_def def = touchable;
        def.substep_seconds = lengths[k];
        oracle_pair* pair = shape_pair(SHAPE_box_along_x, 3, 26, &def);
        scene_of_contact s = begin_scene(pair, several, TLW_COUNT_OF(several), 0.3);
        add_colliders(&s);
        run_scene(&s, FRAMES, 1.0 / 50);
        s.contact_count += pair_compare_contacts(pair).count;
        char name[32];
        snprintf(name, sizeof name, "1/%.0f s", 1 / lengths[k]);
        check_scene(name, &s);
        pair_free(pair);
    }
}

// In the middle of motion: dropped time, a call without time, a jump, a collider that is removed,
// one that takes its place, teleports of a collider and of the character, and a mask.
static void disturb(scene_of_contact* s, int frame) {
    static const mover late = {.kind = TLW_COLLIDER_CAPSULE,
                               .ends = {{-2, 0, 0}, {2, 0, 0.5}},
                               .radii = {1, 0.6},
                               .friction = 0.4,
                               .at = {0.5, 0.5, -2.4},
                               .sway = {0.3, 0.2, 0.5}};
    tlw_settings settings;
    tlw_collider_pose pose;
    switch (frame) {
    case 5:
        step_scene(s, 0.3, false);
        break;
    case 8: {
        const tlw_step_flags flags = tlw_world_step(s->pair->world, 0.0);
        CHECK_EQ(flags & TLW_STEP_NO_TIME, TLW_STEP_NO_TIME);
        break;
    }
    case 10:
        step_scene(s, PAIR_SUBSTEP, true);
        break;
    case 15:
        step_scene(s, 0.004, true); // no substep is due
        break;
    case 20:
        pair_remove_collider(s->pair, s->colliders[0]);
        for (uint32_t i = 1; i < s->count; ++i) {
            s->colliders[i - 1] = s->colliders[i];
        }
        s->movers += 1;
        s->count -= 1;
        break;
    case 24: {
        const tlw_collider_def def = def_of(&late, metres_of(s));
        pose = pose_at(s, &late, 0);
        CHECK_EQ(pair_add_collider(s->pair, &def, &pose), 0u); // the place that is free again
        break;
    }
    case 28: // into the body, without a sweep
        pose = pose_at(s, &late, 0.4);
        pair_teleport_collider(s->pair, 0, &pose);
        break;
    case 32:
    case 40: { // the character alone: a voxel aside, and back
        const double aside = frame == 32 ? 1 : -1;
        s->base.position[1] += aside * metres_of(s);
        const float* r = s->pair->root.rotation;
        pair_teleport(s->pair,
                      vec(s->pair->root.position[0],
                          s->pair->root.position[1] + aside * metres_of(s),
                          s->pair->root.position[2]),
                      (oracle_quat){(double)r[0], (double)r[1], (double)r[2], (double)r[3]});
        break;
    }
    case 44:
    case 48:
        CHECK_OK(tlw_character_get_settings(s->pair->world, s->pair->id, &settings));
        settings.collider_mask = frame == 44 ? 0 : UINT32_MAX;
        pair_set_settings(s->pair, &settings);
        break;
    default:
        break;
    }
}

TLW_TEST(dropped_time_jumps_and_teleports_with_colliders_agree_with_the_oracle) {
    for (int dances = 0; dances < 2; ++dances) {
        oracle_pair* pair = shape_pair(SHAPE_box_along_x, 3, 26, &touchable);
        scene_of_contact s = begin_scene(pair, several, TLW_COUNT_OF(several), dances ? 0.4 : 0);
        add_colliders(&s);
        for (int k = 1; k <= 56; ++k) {
            disturb(&s, k);
            step_scene(&s, PAIR_SUBSTEP, false);
            compare(&s, k == 1);
        }
        check_scene(dances ? "disturbed, body dances" : "disturbed, body still", &s);
        pair_free(pair);
    }
}

// ---- Own limbs

static sample_pair limbed_pair(const char* sample, uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.has_limbs = true;
    sample_pair s = sample_pair_cook(sample, "dance", &recipe, &touchable);
    CHECK_LT(1u, s.pair->info.limb_count);
    return s;
}

// Arms and legs are led across the body and each other, and back.
static void cross_limbs(oracle_pair* pair, double t) {
    static const struct {
        const char* name;
        double turn[3]; // radians, at most
    } joints[] = {{"arm_l", {0, -1.2, -0.8}},
                  {"forearm_l", {0, -1.9, 0}},
                  {"arm_r", {0, 0.3, 1.3}},
                  {"leg_l", {-0.4, 0, -0.5}},
                  {"leg_r", {0.4, 0, 0.4}}};
    oracle_vec rotations[PAIR_JOINTS_MAX] = {{0, 0, 0}};
    for (size_t k = 0; k < TLW_COUNT_OF(joints); ++k) {
        rotations[pair_find_joint(pair, joints[k].name)] =
            vec_scale(vec_of(joints[k].turn), sin(3 * t));
    }
    pair_rest_pose(pair);
    pair_rotate_joints(pair, rotations, NULL);
    pair_rotate_root(pair, quat_exp(vec(0, 0.5 * t, 0)));
    pair_move_root(pair, vec(0.5 * sin(4 * t), 0, 2 * t));
}

TLW_TEST(own_limbs_that_cross_agree_with_the_oracle) {
    static const struct {
        const char* sample;
        uint32_t resolution;
        double dt;
    } rows[] = {{"stout", 18, 1.0 / 60}, {"bunny", 14, 1.0 / 60}, {"stout", 14, 1.0 / 40}};
    for (size_t k = 0; k < (PAIR_IS_SLOW ? 1 : TLW_COUNT_OF(rows)); ++k) {
        sample_pair sample = limbed_pair(rows[k].sample, rows[k].resolution);
        oracle_pair* pair = sample.pair;
        scene_of_contact s = begin_scene(pair, NULL, 0, 0);
        cross_limbs(pair, 0);
        pair_settle(pair);
        for (int n = 1; n <= FRAMES; ++n) {
            cross_limbs(pair, n * rows[k].dt);
            if (n == 40) { // limbs are rotated along
                pair_teleport(pair, vec(3, 1, 2), quat_exp(vec(0.3, 1, 0)));
            }
            if (n >= 40) {
                pair->root = (tlw_root){{3, 1, 2}, {0, 0, 0, 1}, 1};
                pair_rotate_root(pair, quat_exp(vec(0.3, 1, 0)));
            }
            pair_step(pair, rows[k].dt, n == 30);
            compare(&s, n == 1);
        }
        printf("    %u limbs: ", pair->info.limb_count);
        if (!PAIR_IS_SLOW) {
            check_scene(rows[k].sample, &s);
        }
        sample_pair_free(&sample);
    }
}

// Limbs where both have them: the ends that debug views get.
TLW_TEST(limbs_are_where_the_oracle_has_them) {
    sample_pair sample = limbed_pair("bunny", 12);
    oracle_pair* pair = sample.pair;
    cross_limbs(pair, 0.4);
    pair->root.scale = 1.5f;
    pair_settle(pair);
    cross_limbs(pair, 0.42);
    pair->root.scale = 1.5f;
    pair_step(pair, PAIR_SUBSTEP, false);
    const double voxel = 1.5 * pair->info.voxel_metres;
    for (uint32_t l = 0; l < pair->info.limb_count; ++l) {
        tlw_limb limb;
        CHECK_OK(tlw_character_get_limb(pair->world, pair->id, l, &limb));
        const oracle_shape* same = &pair->o->limb[l];
        CHECK_EQ(limb.joint, pair->o->input->limbs[l].joint);
        for (int end = 0; end < 2; ++end) {
            const oracle_vec at = pair_in_world(pair, same->ends[end]);
            CHECK_LT(vec_length(vec_sub(vec_of(limb.ends[end]), at)) / voxel, 1e-4);
            CHECK_NEAR((double)limb.radii[end] / voxel, same->radii[end], 1e-5);
        }
    }
    sample_pair_free(&sample);
}

// ---- A sample, a floor, a hand and a box, with limbs

TLW_TEST(a_sample_that_dances_among_colliders_agrees_with_the_oracle) {
    sample_pair sample = limbed_pair("stout", PAIR_IS_SLOW ? 12 : 18);
    oracle_pair* pair = sample.pair;
    const double r = pair->info.extent_voxels;
    const mover movers[] = {
        {"hand", TLW_COLLIDER_CAPSULE, .ends = {{-1, 0, 0}, {1, 0, 0.3}}, .radii = {1, 1.4},
         .friction = 0.5, .at = {0.3, -0.05 * r, 0.24 * r}, .sway = {1, 0.5, -0.8}},
        {"floor", TLW_COLLIDER_PLANE, .friction = 0.8, .at = {0, -0.46 * r, 0}},
        {"box", TLW_COLLIDER_BOX, .half_extents = {0.8, 3, 1.2}, .rounding = 0.5, .friction = 0.3,
         .at = {0.25 * r, 0, -0.03 * r}, .turn = {0.5, 2, 0}},
    };
    scene_of_contact s = begin_scene(pair, movers, TLW_COUNT_OF(movers), 0);
    add_colliders(&s);
    for (int n = 1; n <= FRAMES; ++n) {
        s.seconds = n * PAIR_SUBSTEP;
        sample_pair_pose(&sample, s.seconds);
        for (uint32_t i = 0; i < s.count; ++i) {
            const tlw_collider_pose pose = pose_at(&s, &movers[i], s.seconds);
            pair_move_collider(pair, s.colliders[i], &pose);
        }
        pair_step(pair, PAIR_SUBSTEP, n == 1);
        compare(&s, n == 1);
    }
    check_scene("stout", &s);
    sample_pair_free(&sample);
}

// ---- Overlap

static tlw_overlap overlap_in_double(const oracle_pair* pair, const tlw_collider_def* def,
                                     const tlw_collider_pose* pose, uint32_t* doubtful) {
    const oracle_collider_def same = pair_shape_of(def);
    const oracle_place place = pair_place_of(pose);
    const double scale = pair->o->last.root_scale;
    const oracle_shape at =
        oracle_place_collider(pair->o, &same, &place, pair->o->root_at_substep, scale);
    tlw_overlap out = {0};
    double deepest = 0;
    *doubtful = 0;
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const oracle_nearness near = oracle_nearness_of(&at, pair_p(pair, i));
        const double e = 0.25 - near.distance;
        if (pair_layer(pair, i) == 0) {
            continue;
        }
        *doubtful += fabs(e) < 1e-5;
        out.voxel_count += e > 0;
        if (e > deepest) {
            deepest = e;
            const oracle_vec centre = pair_in_world(pair, pair_p(pair, i));
            out.voxel = i;
            out.depth = (float)(e * pair->info.voxel_metres * scale);
            out.normal[0] = (float)near.n.x;
            out.normal[1] = (float)near.n.y;
            out.normal[2] = (float)near.n.z;
            out.position[0] = centre.x;
            out.position[1] = centre.y;
            out.position[2] = centre.z;
        }
    }
    return out;
}

TLW_TEST(overlaps_are_those_of_a_plain_computation_in_double) {
    uint64_t random = 21;
    uint32_t hits = 0;
    oracle_pair* pair = shape_pair(SHAPE_lump, 3, 26, &touchable);
    scene_of_contact s = begin_scene(pair, NULL, 0, 1);
    s.base.scale = 1.5f;
    s.seconds = 0.5;
    pose_body(&s);
    pair_settle(pair);
    for (int n = 0; n < 5; ++n) {
        step_scene(&s, PAIR_SUBSTEP, false);
    }
    pair_read(pair);
    const double metres = metres_of(&s);
    for (int n = 0; n < 300; ++n) {
        mover m = kinds[tlw_test_random(&random) % TLW_COUNT_OF(kinds)];
        for (int k = 0; k < 3; ++k) {
            m.at[k] = (double)(tlw_test_random(&random) % 1000) / 71 - 7;
            m.start[k] = (double)(tlw_test_random(&random) % 1000) / 300;
        }
        const tlw_collider_def def = def_of(&m, metres);
        const tlw_collider_pose pose = pose_at(&s, &m, 0);
        uint32_t doubtful;
        const tlw_overlap expected = overlap_in_double(pair, &def, &pose, &doubtful);
        tlw_overlap found;
        CHECK_OK(tlw_character_overlap(pair->world, pair->id, &def, &pose, &found));
        CHECK_NEAR(found.voxel_count, expected.voxel_count, doubtful);
        hits += found.voxel_count > 0;
        CHECK_NEAR(found.depth, expected.depth, 1e-4 * metres);
        if (found.voxel == expected.voxel && found.voxel_count > 0) {
            for (int k = 0; k < 3; ++k) {
                CHECK_NEAR(found.normal[k], expected.normal[k], 1e-3);
                CHECK_NEAR(found.position[k], expected.position[k], 1e-5 * metres);
            }
        }
    }
    printf("    %u of 300 overlap\n", hits);
    CHECK_LT(100u, hits);
    pair_free(pair);
}
