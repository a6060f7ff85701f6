// SPDX-License-Identifier: MIT
// Compares the runtime with the oracle under forces (MODEL 3.17), time scales (MODEL 4.9) and the
// filter of poses (MODEL 4.10), and what a ray picks. Lengths in voxels.
#include "tests/runtime/support/oracle_pair_contact.h"
#include "tests/runtime/support/sample_pair.h"
#include "tests/runtime/support/shapes.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#define AFTER_ONE  1e-4
#define AFTER_MANY 1e-3
#define FRAMES     (PAIR_IS_SLOW ? 8 : 60)

static const oracle_pair_def pulled = {.preset = TLW_PRESET_DEFAULT,
                                       .has_oracle = true,
                                       .collider_capacity = 2,
                                       .contact_capacity = 4,
                                       .drag_capacity = 3,
                                       .has_pose_filter = true};

typedef struct gaps {
    double one, many, velocity, off;
} gaps;

static void compare(oracle_pair* pair, gaps* g, bool is_first) {
    const oracle_pair_gap gap = pair_compare(pair);
    g->one = is_first ? gap.p : g->one;
    g->many = fmax(g->many, gap.p);
    g->velocity = fmax(g->velocity, gap.velocity);
    g->off = fmax(g->off, oracle_largest_deviation(pair->o));
}

static void check_gaps(const char* name, const gaps* g, double least_off) {
    printf("    %-30s %.1e after 1, %.1e after all, v %.1e; off by up to %.2f\n", name, g->one,
           g->many, g->velocity, g->off);
    CHECK_LT(g->one, AFTER_ONE);
    CHECK_LT(g->many, AFTER_MANY);
    CHECK_LT(least_off, g->off); // otherwise nothing was compared
}

static tlw_settings settings_of(const oracle_pair* pair) {
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(pair->world, pair->id, &settings));
    return settings;
}

// A body whose shape was modelled under this gravity.
static oracle_pair* pair_under(double x, double y, double z) {
    scene* s = scene_make(SCENE_lump, 3);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 11;
    recipe.rest_gravity[0] = (float)x;
    recipe.rest_gravity[1] = (float)y;
    recipe.rest_gravity[2] = (float)z;
    oracle_pair* pair = pair_make(scene_input(s), &recipe, &pulled);
    scene_free(s);
    return pair;
}

TLW_TEST(gravity_agrees_with_the_oracle_in_rotated_poses_and_shapes_that_were_modelled_under_it) {
    static const double scales[] = {1, 0.5, 2};
    for (size_t k = 0; k < TLW_COUNT_OF(scales); ++k) {
        oracle_pair* pair = pair_under(1.5, -9.81, 0.7);
        tlw_settings settings = settings_of(pair);
        settings.gravity[0] = 0.3f;
        settings.gravity[1] = -9.81f;
        pair_set_settings(pair, &settings);
        gaps g = {0};
        for (int n = 1; n <= FRAMES; ++n) {
            pair_dance(pair, n * PAIR_SUBSTEP, shape_liveliness(pair));
            pair_rotate_root(pair, quat_exp(vec(2.5 * n / 60.0, 0, 0.3)));
            pair->root.scale = (float)scales[k];
            pair_step(pair, PAIR_SUBSTEP, n == 1);
            compare(pair, &g, n == 1);
        }
        char name[32];
        snprintf(name, sizeof name, "scale %.1f", scales[k]);
        check_gaps(name, &g, 0.1);
        pair_free(pair);
    }
}

// Under the gravity that it was modelled under, the bind pose is still.
TLW_TEST(a_body_under_its_own_gravity_is_still_in_its_bind_pose) {
    oracle_pair* pair = pair_under(0, -9.81, 0);
    tlw_settings settings = settings_of(pair);
    settings.gravity[1] = -9.81f;
    pair_set_settings(pair, &settings);
    for (int n = 0; n < 60; ++n) {
        pair_step(pair, PAIR_SUBSTEP, false);
    }
    CHECK_LT(pair_largest_deviation(pair), 1e-5);
    pair_free(pair);
}

// ---- Drags

// The soft voxel nearest to a place among cells, as shares of the grid.
static uint32_t voxel_near(const oracle_pair* pair, double x, double y, double z) {
    double high[3] = {1, 1, 1}, least = 1e9;
    uint32_t nearest = 0;
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        high[0] = fmax(high[0], pair->cells[i].x);
        high[1] = fmax(high[1], pair->cells[i].y);
        high[2] = fmax(high[2], pair->cells[i].z);
    }
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const oracle_vec at = vec(pair->cells[i].x, pair->cells[i].y, pair->cells[i].z);
        const double off = vec_length(vec_sub(at, vec(x * high[0], y * high[1], z * high[2])));
        if (pair_layer(pair, i) != 0 && off < least) {
            least = off;
            nearest = i;
        }
    }
    return nearest;
}

static tlw_drag drag_of(const oracle_pair* pair, uint32_t voxel, oracle_vec by, double radius,
                        double hz) {
    const double metres = pair->info.voxel_metres * (double)pair->root.scale;
    tlw_voxel_state state;
    CHECK_OK(tlw_character_get_voxel(pair->world, pair->id, voxel, &state));
    const oracle_vec p =
        vec((double)state.skinned[0], (double)state.skinned[1], (double)state.skinned[2]);
    const oracle_vec target = vec_add_scaled(vec_of(pair->root.position), metres, vec_add(p, by));
    return (tlw_drag){voxel, {target.x, target.y, target.z}, (float)(radius * metres), (float)hz};
}

static gaps run_drags(oracle_pair* pair, double liveliness, double scale) {
    gaps g = {0};
    pair_rest_pose(pair);
    pair->root.scale = (float)scale;
    pair_settle(pair);
    const uint32_t first = voxel_near(pair, 1, 1, 0.5), second = voxel_near(pair, 0.6, 0, 1);
    for (int n = 1; n <= FRAMES; ++n) {
        const double t = n * PAIR_SUBSTEP;
        pair_dance(pair, t, liveliness);
        pair->root.scale = (float)scale;
        if (n == 1) { // two at once, whose weights overlap
            const tlw_drag a = drag_of(pair, first, vec(0.5, 1.5, 0), 4.3, 10);
            const tlw_drag b = drag_of(pair, second, vec(0.4, -1, 0.7), 6.1, 6);
            pair_set_drag(pair, 0, &a);
            pair_set_drag(pair, 2, &b);
        } else if (n > 20 && n < 40) { // the first target moves
            const tlw_drag a = drag_of(pair, first, vec(0.5 + 0.1 * n, 1.5, 0.02 * n), 4.3, 10);
            pair_set_drag(pair, 0, &a);
        } else if (n == 40) { // another voxel and radius
            const tlw_drag a = drag_of(pair, second, vec(0, 1, 1), 2.5, 30);
            pair_set_drag(pair, 0, &a);
        } else if (n == 50) {
            pair_end_drag(pair, 2);
        }
        pair_step(pair, PAIR_SUBSTEP, n == 30);
        compare(pair, &g, n == 1);
    }
    return g;
}

TLW_TEST(drags_agree_with_the_oracle_also_beside_cuts_on_scaled_roots_and_across_jumps) {
    static const struct {
        shape which;
        double liveliness, scale;
    } rows[] = {{SHAPE_box_along_x, 0, 1},
                {SHAPE_ell_with_cuts, 0, 1},
                {SHAPE_legs_with_cuts, 0.5, 1},
                {SHAPE_lump, 0.6, 2},
                {SHAPE_lump, 0.3, 0.5}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        oracle_pair* pair = shape_pair(rows[k].which, 3, 26, &pulled);
        const gaps g = run_drags(pair, rows[k].liveliness * shape_liveliness(pair), rows[k].scale);
        check_gaps(shape_name(rows[k].which), &g, 0.3);
        pair_free(pair);
    }
}

// A jump before the first substep: the pick's own v_skin counts.
TLW_TEST(a_drag_that_starts_after_a_jump_agrees_with_the_oracle) {
    oracle_pair* pair = shape_pair(SHAPE_box_along_x, 3, 26, &pulled);
    const uint32_t voxel = voxel_near(pair, 1, 1, 0);
    gaps g = {0};
    for (int n = 1; n <= 12; ++n) {
        pair_rest_pose(pair);
        pair_move_root(pair, vec(0.7 * n, 0, 0.3 * n));
        if (n == 3 || n == 8) {
            const tlw_drag drag = drag_of(pair, voxel, vec(1, 1, 0), 4, 12);
            pair_set_drag(pair, 1, &drag);
        }
        pair_step(pair, PAIR_SUBSTEP, n % 5 == 2);
        compare(pair, &g, n == 1);
    }
    check_gaps("after jumps", &g, 0.2);
    pair_free(pair);
}

// ---- Wind and pushes

TLW_TEST(wind_agrees_with_the_oracle) {
    static const shape few[] = {SHAPE_lump, SHAPE_box_along_z, SHAPE_plate_yz,
                                SHAPE_legs_with_cuts};
    for (size_t k = 0; k < TLW_COUNT_OF(few); ++k) {
        oracle_pair* pair = shape_pair(few[k], 3, 26, &pulled);
        gaps g = {0};
        for (int n = 1; n <= FRAMES; ++n) {
            tlw_settings settings = settings_of(pair);
            const double t = n * PAIR_SUBSTEP;
            settings.wind[0] = (float)(8 + 6 * sin(9 * t)); // gusts
            settings.wind[1] = -2;
            settings.wind[2] = (float)(5 * sin(3 * t));
            settings.wind_drag = n > 45 ? 60 : 1.5f; // the last is more than can be taken on
            if (n % 3 == 1) {
                pair_set_settings(pair, &settings);
            }
            pair_dance(pair, t, 0.6 * shape_liveliness(pair));
            pair->root.scale = k == 0 ? 2 : 1;
            pair_step(pair, PAIR_SUBSTEP, n == 1 || n == 25);
            compare(pair, &g, n == 1);
        }
        check_gaps(shape_name(few[k]), &g, 0.1);
        pair_free(pair);
    }
}

TLW_TEST(pushes_agree_with_the_oracle) {
    static const shape few[] = {SHAPE_lump, SHAPE_box_along_x};
    for (size_t k = 0; k < TLW_COUNT_OF(few); ++k) {
        oracle_pair* pair = shape_pair(few[k], 3, 26, &pulled);
        const uint32_t voxel = voxel_near(pair, 0.9, 0.9, 0.4);
        const double scale = k == 0 ? 1.5 : 1;
        gaps g = {0};
        for (int n = 1; n <= FRAMES; ++n) {
            pair_dance(pair, n * PAIR_SUBSTEP, 0.4 * shape_liveliness(pair));
            pair->root.scale = (float)scale;
            if (n % 15 == 1) { // in the frame after a jump v is relative
                const double metres = pair->info.voxel_metres * scale;
                tlw_voxel_state state;
                CHECK_OK(tlw_character_get_voxel(pair->world, pair->id, voxel, &state));
                const oracle_vec at =
                    pair_in_world(pair, vec((double)state.position[0], (double)state.position[1],
                                            (double)state.position[2]));
                const tlw_push push = {
                    {at.x + (n == 16 ? 0 : 0.7 * metres), at.y, at.z - 0.3 * metres},
                    (float)(4.2 * metres),
                    {(float)(20 * metres), 0, (float)(-7 * metres)},
                    (float)((n > 20 ? -15 : 25) * metres)};
                pair_push_around(pair, &push);
            }
            pair_step(pair, PAIR_SUBSTEP, n == 30);
            compare(pair, &g, n == 1);
        }
        check_gaps(shape_name(few[k]), &g, 0.1);
        pair_free(pair);
    }
}

// ---- Picking

TLW_TEST(a_ray_picks_the_voxel_that_the_oracle_picks) {
    oracle_pair* pair = shape_pair(SHAPE_lump, 3, 26, &pulled);
    uint64_t random = 7;
    uint32_t found_count = 0;
    for (int n = 1; n <= 6; ++n) {
        pair_dance(pair, 0.2 + n * PAIR_SUBSTEP, shape_liveliness(pair));
        pair->root.scale = 1.25f;
        pair_step(pair, PAIR_SUBSTEP, n == 1);
    }
    pair_read(pair);
    const double metres = pair->info.voxel_metres * 1.25;
    for (int n = 0; n < 400; ++n) {
        const uint32_t near = (uint32_t)(tlw_test_random(&random) % pair->info.voxel_count);
        const double off[3] = {(double)(tlw_test_random(&random) % 200) / 10 - 10,
                               (double)(tlw_test_random(&random) % 200) / 10 - 10,
                               (double)(tlw_test_random(&random) % 200) / 10 - 10};
        const oracle_vec from = pair_in_world(pair, vec_add(pair_p(pair, near), vec_of(off)));
        const double origin[3] = {from.x, from.y, from.z};
        const double aim = n % 3 == 0 ? -1.4 : -1; // some miss
        const float direction[3] = {(float)(aim * off[0]), (float)(-off[1] + 0.3),
                                    (float)(-off[2])};
        const oracle_vec along =
            vec((double)direction[0], (double)direction[1], (double)direction[2]);
        double distance;
        const uint32_t expected = oracle_pick(pair->o, origin, along, &distance);
        tlw_pick pick;
        const tlw_result result =
            tlw_character_pick(pair->world, pair->id, origin, direction, &pick);
        if (expected == ORACLE_NO_VOXEL) {
            CHECK_RESULT(result, TLW_ERROR_NOT_FOUND);
            continue;
        }
        CHECK_OK(result);
        found_count += 1;
        CHECK_NEAR((double)pick.distance / metres, distance / metres, 1e-3);
        if (pair->oracle_voxel[pick.voxel] == expected) {
            const oracle_vec at = pair_in_world(pair, pair_p(pair, pick.voxel));
            CHECK_LT(vec_length(vec_sub(vec_of(pick.position), at)) / metres, 1e-5);
        }
    }
    printf("    %u of 400 rays met something\n", found_count);
    CHECK_LT(200u, found_count);
    CHECK_LT(found_count, 400u);
    pair_free(pair);
}

// ---- Time scale

// Time is stretched, squeezed and stopped in the middle of a dance, with a jump and dropped time,
// while a collider moves.
TLW_TEST(time_scales_that_change_in_motion_agree_with_the_oracle) {
    static const struct {
        int frame;
        float scale;
    } events[] = {{5, 0.3f}, {15, 2}, {22, 0}, {26, 1}, {30, 10}, {34, 0}, {38, 0.3f}, {50, 1}};
    for (int with_collider = 0; with_collider < 2; ++with_collider) {
        oracle_pair* pair = shape_pair(SHAPE_box_along_x, 3, 26, &pulled);
        const double metres = pair->info.voxel_metres;
        tlw_collider_def def = tlw_default_collider_def();
        def.radii[0] = def.radii[1] = (float)(2 * metres);
        tlw_collider_pose pose = tlw_default_collider_pose();
        uint32_t collider = 0;
        gaps g = {0};
        if (with_collider) {
            pose.position[1] = 1e3;
            collider = pair_add_collider(pair, &def, &pose);
        }
        for (int n = 1; n <= 60; ++n) {
            for (size_t k = 0; k < TLW_COUNT_OF(events); ++k) {
                tlw_settings settings = settings_of(pair);
                if (events[k].frame == n) {
                    settings.time_scale = events[k].scale;
                    pair_set_settings(pair, &settings);
                }
            }
            // From frame 36 on the pose stands while time does.
            const double t = (n > 34 && n < 38 ? 34 : n) * PAIR_SUBSTEP;
            pair_dance(pair, t, 0.5 * shape_liveliness(pair));
            if (with_collider) {
                pose.position[0] = 0.35 + 0.2 * sin(3 * t);
                pose.position[1] = -0.2 + 4.2 * metres + 0.1 * sin(5 * t + 0.1 * n);
                pose.position[2] = 0.1;
                pair_move_collider(pair, collider, &pose);
            }
            pair_step(pair, n == 31 ? 0.05 : PAIR_SUBSTEP, n == 24);
            compare(pair, &g, n == 1);
        }
        check_gaps(with_collider ? "with a collider" : "alone", &g, 0.1);
        pair_free(pair);
    }
}

// ---- The filter of poses

// Joints tremble. A jump, a reset, and the filter off and on again with other numbers.
TLW_TEST(filtered_poses_agree_with_the_oracle) {
    static const double rates[] = {60, 144};
    for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
        sample_pair s = sample_pair_make("bunny", "dance", 12, 3, &pulled);
        oracle_pair* pair = s.pair;
        uint64_t random = 5;
        gaps g = {0};
        double skin = 0;
        tlw_pose_filter filter = tlw_default_pose_filter();
        sample_pair_pose(&s, 0);
        pair_settle(pair);
        pair_set_filter(pair, &filter);
        for (int n = 1; n <= 2 * FRAMES; ++n) {
            const double dt = n == 40 ? 0.3 : 1 / rates[k];
            sample_pair_pose(&s, n / rates[k]);
            for (uint32_t j = 0; j < pair->joint_count; ++j) {
                for (int axis = 0; axis < 3; ++axis) {
                    pair->joints[j][12 + axis] +=
                        (float)((double)(tlw_test_random(&random) % 100) - 50) * 1e-4f;
                }
            }
            pair_rotate_root(pair, quat_exp(vec(0, 0.02 * n, 0)));
            if (n == 60) {
                pair_set_filter(pair, NULL);
            } else if (n == 70) {
                filter.cutoff_hz = 0.7f;
                filter.hz_per_turn = 0.5f;
                pair_set_filter(pair, &filter);
            }
            pair_step(pair, dt, n == 30);
            if (n == 80) {
                pair_settle(pair);
            }
            compare(pair, &g, n == 1);
            skin = fmax(skin, pair_compare(pair).skin);
        }
        char name[32];
        snprintf(name, sizeof name, "%.0f Hz", rates[k]);
        check_gaps(name, &g, 0.02);
        CHECK_LT(skin, AFTER_ONE);
        sample_pair_free(&s);
    }
}
