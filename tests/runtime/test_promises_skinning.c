// SPDX-License-Identifier: MIT
// What MODEL 3.13 and 3.14 promise: dual quaternions keep the volume of a limb that bends or
// twists, their vertices are those of a plain dual-quaternion skinning, and a fade is no jolt.
// Lengths in voxels.
#include "tests/runtime/oracle/cooked_input.h"
#include "tests/runtime/support/joint_poses.h"
#include "tests/runtime/support/sample_pair.h"
#include "tests/runtime/support/shapes.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count ? count : 1, bytes);
    CHECK(memory != NULL);
    return memory;
}

#define LIMB_LENGTH 40
#define LIMB_SIDES  32

// A round bar along x of radius 4 and two bones of half of its length, without artist weights:
// heat. Skinned volume is not cooked.
static oracle_pair* limb_pair(tlw_skinning skinning) {
    scene* s = scene_new();
    const double length = LIMB_LENGTH - 0.5; // voxels of 1 m
    for (int ring = 0; ring <= LIMB_LENGTH; ++ring) {
        for (int side = 0; side < LIMB_SIDES; ++side) {
            const double angle = 2 * pi * side / LIMB_SIDES;
            scene_add_vertex(s, length * ring / LIMB_LENGTH, 4 * cos(angle), 4 * sin(angle));
        }
    }
    const uint32_t low = scene_add_vertex(s, 0, 0, 0), high = scene_add_vertex(s, length, 0, 0);
    for (uint32_t ring = 0; ring <= LIMB_LENGTH; ++ring) {
        for (uint32_t side = 0; side < LIMB_SIDES; ++side) {
            const uint32_t a = ring * LIMB_SIDES + side;
            const uint32_t b = ring * LIMB_SIDES + (side + 1) % LIMB_SIDES;
            if (ring == 0) {
                scene_add_triangle(s, low, b, a);
            } else {
                scene_add_triangle(s, a - LIMB_SIDES, b - LIMB_SIDES, b);
                scene_add_triangle(s, a - LIMB_SIDES, b, a);
            }
            if (ring == LIMB_LENGTH) {
                scene_add_triangle(s, high, a, b);
            }
        }
    }
    scene_add_joint(s, TLW_NO_JOINT, 0, 0, 0);
    scene_add_joint(s, 0, 0.5 * length, 0, 0);
    scene_add_joint(s, 1, length, 0, 0); // the end of the second bone, which follows it
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = LIMB_LENGTH;
    recipe.skinning = skinning;
    recipe.volume_reach = 0;
    const oracle_pair_def def = {.preset = TLW_PRESET_DEFAULT, .has_oracle = true};
    oracle_pair* pair = pair_make(scene_input(s), &recipe, &def);
    scene_free(s);
    return pair;
}

// The volume that p_skin has lost in the halves of both bones beside the elbow, in percent.
static double elbow_loss(oracle_pair* pair) {
    oracle_vec* p = allocate(pair->info.voxel_count, sizeof *p);
    double volume = 0;
    uint32_t count = 0;
    pair_read(pair);
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const float* at = pair->state[i].skinned;
        p[pair->oracle_voxel[i]] = vec((double)at[0], (double)at[1], (double)at[2]);
    }
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        if (pair->cells[i].x >= LIMB_LENGTH / 4 && pair->cells[i].x < 3 * LIMB_LENGTH / 4) {
            volume += oracle_stencil_volume(pair->o, p, pair->oracle_voxel[i]);
            count += 1;
        }
    }
    free(p);
    CHECK_LT(500u, count);
    return 100 * (volume / count - 1);
}

TLW_TEST(dual_quaternions_keep_the_volume_of_a_limb_bent_or_twisted_by_150_degrees) {
    double loss[2][2];
    for (int dual = 0; dual < 2; ++dual) {
        oracle_pair* pair = limb_pair(dual ? TLW_SKINNING_DUAL : TLW_SKINNING_LINEAR);
        for (int twist = 0; twist < 2; ++twist) {
            pair_turn_joint(pair, 1, twist ? PAIR_TWIST : 2, 150);
            pair_settle(pair);
            loss[dual][twist] = elbow_loss(pair);
        }
        printf("    %s: bend %.2f%%, twist %.3f%%, %u voxels\n", dual ? "dual" : "linear",
               loss[dual][0], loss[dual][1], pair->info.voxel_count);
        pair_free(pair);
    }
    CHECK_LT(fabs(loss[1][0]), 1.5);
    CHECK_LT(fabs(loss[1][1]), 0.1);
    CHECK_LT(loss[0][0], -5.0);
    CHECK_LT(loss[0][1], -10.0);
}

// The textbook's dual-quaternion skinning (Kavan et al. 2007) of joints that turn and move only, in
// model space, metres.
static oracle_vec blend_dual(const oracle_pair* pair, const oracle_bound_point* point) {
    oracle_quat real = {0, 0, 0, 0}, dual = {0, 0, 0, 0}, first = QUAT_IDENTITY;
    double largest = 0;
    for (int pass = 0; pass < 2; ++pass) { // the joint of largest weight first
        for (int k = 0; k < 8; ++k) {
            if (point->skinning[k] == 0) {
                continue;
            }
            const float* m = pair->joints[point->joint[k]];
            const double* b = pair->bind[point->joint[k]];
            oracle_vec column[4];
            for (int c = 0; c < 4; ++c) {
                column[c] = vec((double)m[4 * c], (double)m[4 * c + 1], (double)m[4 * c + 2]);
            }
            const oracle_mat joint = mat_of_columns(column[0], column[1], column[2]);
            const oracle_mat bind = mat_of_columns(vec_of(b), vec_of(b + 4), vec_of(b + 8));
            const oracle_mat unbind = mat_transpose(&bind), motion = mat_mul(&joint, &unbind);
            const oracle_quat r = quat_of_mat(&motion);
            if (pass == 0) {
                first = point->skinning[k] > largest ? r : first;
                largest = fmax(largest, point->skinning[k]);
                continue;
            }
            const oracle_quat side = quat_align(r, first);
            const oracle_vec t = vec_sub(column[3], quat_rotate(r, vec_of(b + 12)));
            const oracle_quat half = quat_mul((oracle_quat){t.x / 2, t.y / 2, t.z / 2, 0}, side);
            real = quat_add(real, quat_scale(side, point->skinning[k]));
            dual = quat_add(dual, quat_scale(half, point->skinning[k]));
        }
    }
    const double length = sqrt(quat_dot(real, real));
    const oracle_quat c0 = quat_scale(real, 1 / length), ce = quat_scale(dual, 1 / length);
    const oracle_vec u0 = {c0.x, c0.y, c0.z}, ue = {ce.x, ce.y, ce.z};
    const oracle_vec x =
        vec_add_scaled(vec_of(pair->info.origin), pair->info.voxel_metres, vec_of(point->rest));
    // x + 2 u0 x (u0 x x + w0 x) + 2 (w0 ue - we u0 + u0 x ue)
    const oracle_vec turn = vec_cross(u0, vec_add_scaled(vec_cross(u0, x), c0.w, x));
    oracle_vec move = vec_add_scaled(vec_scale(ue, c0.w), -ce.w, u0);
    move = vec_add(move, vec_cross(u0, ue));
    return vec_add(x, vec_scale(vec_add(turn, move), 2));
}

TLW_TEST(vertices_without_jiggle_are_skinned_by_dual_quaternions) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 14;
    recipe.skinning = TLW_SKINNING_DUAL;
    recipe.volume_reach = 0;
    const oracle_pair_def def = {.preset = TLW_PRESET_DEFAULT, .has_oracle = true};
    sample_pair s = sample_pair_cook("bunny", "dance", &recipe, &def);
    oracle_pair* pair = s.pair;
    float* positions = allocate(3 * (size_t)pair->info.vertex_count, sizeof *positions);
    tlw_output output = tlw_default_output();
    output.embedding = TLW_EMBED_DELTA;
    output.positions.data = positions;
    CHECK_OK(tlw_character_set_output(pair->world, pair->id, &output));
    const tlw_material held = {.stiffness = 1, .damping = 0.5f, .anchor_hz = 3, .limit_scale = 0};
    pair_set_material(pair, TLW_ALL, TLW_ALL, &held); // nothing can leave p_skin
    double worst = 0, bent = 0;
    for (int n = 0; n < 8; ++n) {
        sample_pair_pose(&s, 0.2 * n);
        if (n >= 5) { // far beyond what clips do
            pair_turn_joint(pair, pair_find_joint(pair, "forearm_l"), n == 5 ? PAIR_TWIST : 2, 140);
        }
        pair_step(pair, PAIR_SUBSTEP, true);
        for (uint32_t v = 0; v < pair->info.vertex_count; ++v) {
            const oracle_bound_point* point = &pair->cooked_input->points[v];
            const float* x = positions + 3 * (size_t)v;
            const oracle_vec at = vec((double)x[0], (double)x[1], (double)x[2]);
            const oracle_vec expected = blend_dual(pair, point);
            const oracle_vec rest = vec_add_scaled(vec_of(pair->info.origin),
                                                   pair->info.voxel_metres, vec_of(point->rest));
            worst = fmax(worst, vec_length(vec_sub(at, expected)) / pair->info.voxel_metres);
            bent = fmax(bent, vec_length(vec_sub(at, rest)) / pair->info.voxel_metres);
        }
    }
    printf("    %.1e apart, moved by up to %.1f\n", worst, bent);
    CHECK_LT(worst, 1e-4);
    CHECK_LT(1.0, bent);
    free(positions);
    sample_pair_free(&s);
}

enum { LOOSE = 1, STIFF = 2 };

// The largest change of p - p_skin in a substep of two rounds of the walk. `at` is when materials
// change from loose to stiff, in substeps of the second round, over so many seconds.
static double largest_change(sample_pair* s, uint32_t from, uint32_t to, int at, double seconds) {
    oracle_pair* pair = s->pair;
    const int round = (int)(60 * tlw_actor_clip_seconds(&s->actor, s->clip));
    const uint32_t n = pair->info.voxel_count;
    oracle_vec* last = allocate(n, sizeof *last);
    double largest = 0;
    CHECK_OK(tlw_character_fade_to(pair->world, pair->id, from, 0));
    sample_pair_pose(s, 0);
    pair_settle(pair);
    for (int k = 1; k <= 3 * round; ++k) {
        if (k == round + at) {
            CHECK_OK(tlw_character_fade_to(pair->world, pair->id, to, (float)seconds));
        }
        sample_pair_pose(s, k * PAIR_SUBSTEP);
        pair_step(pair, PAIR_SUBSTEP, false);
        pair_read(pair);
        for (uint32_t i = 0; i < n; ++i) {
            const oracle_vec now = pair_deviation(pair, i);
            largest = k > round ? fmax(largest, vec_length(vec_sub(now, last[i]))) : largest;
            last[i] = now;
        }
    }
    free(last);
    return largest;
}

TLW_TEST(a_fade_from_2_to_40_hz_in_a_walk_is_no_jolt) {
    static tlw_cook_profile_part parts[2];
    parts[0] = parts[1] = tlw_default_cook_profile_part(NULL);
    for (int layer = 1; layer < ORACLE_LAYERS; ++layer) {
        parts[0].anchor_hz[layer] = 2;
        parts[1].anchor_hz[layer] = 40;
    }
    const tlw_cook_profile profiles[] = {{.name = "loose", .parts = &parts[0], .part_count = 1},
                                         {.name = "stiff", .parts = &parts[1], .part_count = 1}};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = PAIR_IS_SLOW ? 12 : 24;
    recipe.profiles = profiles;
    recipe.profile_count = TLW_COUNT_OF(profiles);
    const oracle_pair_def def = {.preset = TLW_PRESET_COOKED};
    static const char* const samples[] = {"bunny", "stout"};
    for (size_t k = 0; k < (PAIR_IS_SLOW ? 1 : TLW_COUNT_OF(samples)); ++k) {
        sample_pair s = sample_pair_cook(samples[k], "walk", &recipe, &def);
        const double loose = largest_change(&s, LOOSE, LOOSE, 0, 0),
                     stiff = largest_change(&s, STIFF, STIFF, 0, 0), steady = fmax(loose, stiff);
        double at_once = 0, faded = 0, back = 0;
        for (int at = 0; at < 60; at += PAIR_IS_SLOW ? 30 : 10) {
            at_once = fmax(at_once, largest_change(&s, LOOSE, STIFF, at, 0));
            faded = fmax(faded, largest_change(&s, LOOSE, STIFF, at, 0.6));
            back = fmax(back, largest_change(&s, STIFF, LOOSE, at, 0.6));
        }
        printf("    %s: loose %.3f, stiff %.3f; at once %.3f, faded %.3f, back %.3f\n", samples[k],
               loose, stiff, at_once, faded, back);
        CHECK_LT(faded, 2.2 * steady);
        CHECK_LT(faded, 0.4 * at_once);
        CHECK_LT(back, 1.2 * steady);
        sample_pair_free(&s);
    }
}
