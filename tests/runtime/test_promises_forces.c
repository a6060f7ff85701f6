// SPDX-License-Identifier: MIT
// What forces promise (MODEL 3.17, 4.9, 4.10, 10), on the runtime alone: they move tissue as far as
// they should, fade, and never beyond what drives them. Lengths are in voxels.
#include "tests/runtime/support/touch_scene.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void skip_where_slow(void) {
    if (TLW_UNDER_SANITIZER) {
        tlw_test_skip(__FILE__, __LINE__, "minutes under a sanitizer");
    }
}

static touch_scene stout(uint32_t resolution, tlw_preset preset) {
    return touch_make(&(touch_def){.blob = sample_blob(sample_get(TLW_SAMPLE_STOUT, resolution, 3)),
                                   .preset = preset});
}

static touch_scene sculpted(void) { // under gravity, with limbs
    return touch_make(&(touch_def){.blob = sample_blob(sample_get_limbed(TLW_SAMPLE_STOUT, 24, 3)),
                                   .preset = TLW_PRESET_DEFAULT});
}

static uint32_t belly(const touch_scene* s) {
    const touch_vec front = {0, 0, 1};
    return touch_furthest(s, front);
}

static void set_gravity(touch_scene* s, double y) {
    tlw_settings settings = touch_get_settings(s);
    settings.gravity[1] = (float)y;
    touch_settings(s, &settings);
}

// ---- Gravity

TLW_TEST(gravity_sags_tissue_by_as_much_as_it_is_soft) {
    skip_where_slow();
    static const struct {
        tlw_preset preset;
        double low, high;
    } rows[] = {{TLW_PRESET_DEFAULT, 0.38, 0.57}, {TLW_PRESET_BUNNY, 2.2, 3.35}};
    for (size_t r = 0; r < TLW_COUNT_OF(rows); ++r) {
        touch_scene s = stout(32, rows[r].preset);
        set_gravity(&s, -9.81);
        touch_run(&s, 240);
        const double sag = touch_largest_deviation(&s);
        printf("    %-7s sags by %.2f under 1 g; %.5f d_max, |v| %.1e\n",
               tlw_preset_name(rows[r].preset), sag, touch_largest_of_limit(&s),
               touch_largest_speed(&s));
        CHECK_LT(rows[r].low, sag);
        CHECK_LT(sag, rows[r].high);
        CHECK_LT(touch_largest_of_limit(&s), 1 + 1e-4);
        CHECK_LT(touch_largest_speed(&s), 0.01);
        touch_free(&s);
    }
}

TLW_TEST(a_sculpt_under_its_own_gravity_is_still) {
    skip_where_slow();
    touch_scene s = sculpted();
    set_gravity(&s, -9.81);
    double most = 0;
    for (int i = 0; i < 30; ++i) {
        touch_step(&s, TOUCH_SUBSTEP);
        most = fmax(most, touch_largest_deviation(&s));
    }
    printf("    as modelled: off by %.1e\n", most);
    CHECK_LT(most, 1e-5);
    set_gravity(&s, 0); // without the gravity that it was modelled under it rises
    touch_run(&s, 180);
    const double up = touch_largest_deviation(&s);
    set_gravity(&s, 9.81);
    touch_run(&s, 180);
    printf("    weightless: off by %.2f; upside down %.2f\n", up, touch_largest_deviation(&s));
    CHECK_LT(0.1, up);
    CHECK_LT(1.5 * up, touch_largest_deviation(&s));
    touch_free(&s);
}

// ---- Drags

typedef struct drag_way {
    double reached, speed, released_step, left;
} drag_way;

static drag_way drag_belly(double hz) {
    touch_scene s = stout(32, TLW_PRESET_DEFAULT);
    const uint32_t pick = belly(&s);
    const touch_vec at = touch_place(&s, pick);
    const tlw_drag drag = {.voxel = pick,
                           .target = {at.x * s.metres, at.y * s.metres, (at.z + 2) * s.metres},
                           .radius = (float)(4 * s.metres),
                           .hz = (float)hz};
    CHECK_OK(tlw_character_set_drag(s.world, s.id, 0, &drag));
    touch_run(&s, 240);
    drag_way way = {.reached = touch_deviation(&s, pick).z, .speed = touch_largest_speed(&s)};
    CHECK_OK(tlw_character_end_drag(s.world, s.id, 0));
    for (int i = 0; i < 30; ++i) {
        touch_step(&s, TOUCH_SUBSTEP);
        way.released_step = fmax(way.released_step, touch_largest_step(&s));
    }
    way.left = touch_largest_deviation(&s);
    touch_free(&s);
    return way;
}

TLW_TEST(a_drag_reaches_further_the_stronger_it_is_and_lets_go_gently) {
    skip_where_slow();
    static const struct {
        double hz, reached;
    } rows[] = {{2, 0.26}, {5, 0.89}, {10, 1.37}, {20, 1.55}};
    for (size_t r = 0; r < TLW_COUNT_OF(rows); ++r) {
        const drag_way way = drag_belly(rows[r].hz);
        printf("    %2g Hz: reaches %.2f of 2, |v| %.1e after 4 s; let go: steps of %.2f, %.3f "
               "left after 0.5 s\n",
               rows[r].hz, way.reached, way.speed, way.released_step, way.left);
        CHECK_NEAR(way.reached, rows[r].reached, 0.2 * rows[r].reached);
        CHECK_LT(way.speed, 1e-3);
        CHECK_LT(way.released_step, 0.75);
        CHECK_LT(way.left, 0.3);
    }
}

TLW_TEST(a_ray_picks_what_is_in_front) {
    skip_where_slow();
    touch_scene s = stout(24, TLW_PRESET_DEFAULT);
    uint64_t random = 7;
    uint32_t hits = 0, misses = 0;
    for (int i = 0; i < 200; ++i) {
        const double u = (double)(tlw_test_random(&random) % 1000) / 500 - 1;
        const double v = (double)(tlw_test_random(&random) % 1000) / 1000;
        const double angle = 6.283185307179586 * i / 200;
        const touch_vec out = {sin(angle), 0.3 * u, cos(angle)};
        const touch_vec from = touch_add3(touch_times(out, 60), (touch_vec){0, 24 * v, 0});
        const double origin[3] = {from.x * s.metres, from.y * s.metres, from.z * s.metres};
        const float direction[3] = {(float)-out.x, (float)-out.y, (float)-out.z};
        const double length = touch_length(out);
        uint32_t best = TLW_NO_INDEX;
        double least = 1e9;
        for (uint32_t k = 0; k < s.voxel_count; ++k) { // the rule, by hand
            const touch_vec to = touch_sub3(touch_place(&s, k), from);
            const double along = -touch_dot(to, out) / length;
            const double aside2 = touch_dot(to, to) - along * along;
            if (!s.is_bone[k] && along >= 0 && aside2 <= 1 && along < least - 1e-9) {
                best = k;
                least = along;
            }
        }
        tlw_pick pick;
        const tlw_result result = tlw_character_pick(s.world, s.id, origin, direction, &pick);
        CHECK_EQ(result == TLW_OK, best != TLW_NO_INDEX);
        if (result == TLW_OK) {
            hits += 1;
            CHECK_NEAR((double)pick.distance / s.metres, least, 1e-3);
            const touch_vec at = touch_place(&s, pick.voxel);
            CHECK_NEAR(pick.position[0] / s.metres, at.x, 1e-3);
            CHECK_NEAR(pick.position[2] / s.metres, at.z, 1e-3);
        } else {
            misses += 1;
        }
    }
    printf("    %u rays hit, %u miss\n", hits, misses);
    CHECK_LT(20, hits);
    CHECK_LT(5, misses);
    touch_free(&s);
}

// ---- Wind and pushes

static void blow(touch_scene* s, double speed, double drag) {
    tlw_settings settings = touch_get_settings(s);
    settings.wind[2] = (float)-speed;
    settings.wind_drag = (float)drag;
    touch_settings(s, &settings);
}

// A steady wind from the front presses tissue back, and it rests there; the harder it blows the
// further. Tissue never goes faster than the wind. (Beyond 20 g on a voxel's face, a wind crushes
// the tissue, which then trembles: 80 m/s here.)
TLW_TEST(wind_presses_and_never_outruns_itself) {
    skip_where_slow();
    double last = 0;
    static const double winds[] = {5, 10, 20, 40};
    for (size_t r = 0; r < TLW_COUNT_OF(winds); ++r) {
        touch_scene s = stout(24, TLW_PRESET_DEFAULT);
        blow(&s, winds[r], 0.05);
        double fastest = 0;
        for (int i = 0; i < 60; ++i) {
            touch_step(&s, TOUCH_SUBSTEP);
            fastest = fmax(fastest, touch_largest_speed(&s) * s.metres);
        }
        touch_run(&s, 180);
        const double off = touch_largest_deviation(&s), speed = touch_largest_speed(&s);
        blow(&s, 0, 0);
        touch_run(&s, 240);
        printf("    %4g m/s: off by %.3f, at most %.3f m/s on the way, |v| %.1e after 4 s; %.1e "
               "left 4 s after it\n",
               winds[r], off, fastest, speed, touch_largest_deviation(&s));
        CHECK_LT(last, off);
        CHECK_LT(fastest, winds[r]);
        CHECK_LT(touch_largest_of_limit(&s), 1 + 1e-4);
        CHECK_LT(speed, 0.01);
        CHECK_LT(touch_largest_deviation(&s), 1e-3);
        last = off;
        touch_free(&s);
    }
}

TLW_TEST(still_air_slows_tissue_and_never_drives_it) {
    skip_where_slow();
    touch_scene s = stout(24, TLW_PRESET_DEFAULT), still = stout(24, TLW_PRESET_DEFAULT);
    blow(&s, 0, 5);
    touch_run(&s, 30);
    CHECK_EQ(touch_largest_deviation(&s), 0.0);
    const touch_vec at = touch_place(&s, belly(&s));
    const tlw_push push = {.centre = {at.x * s.metres, at.y * s.metres, at.z * s.metres},
                           .radius = (float)(5 * s.metres),
                           .velocity = {0, 0, 2}};
    CHECK_OK(tlw_character_push(s.world, s.id, &push));
    CHECK_OK(tlw_character_push(still.world, still.id, &push));
    double most = 0, without = 0;
    for (int i = 0; i < 60; ++i) {
        touch_step(&s, TOUCH_SUBSTEP);
        touch_step(&still, TOUCH_SUBSTEP);
        most = fmax(most, touch_largest_deviation(&s));
        without = fmax(without, touch_largest_deviation(&still));
    }
    printf("    pushed in air %.3f, without %.3f\n", most, without);
    CHECK_LT(most, without);
    touch_free(&s);
    touch_free(&still);
}

TLW_TEST(pushes_move_tissue_at_their_speed_and_fade) {
    skip_where_slow();
    for (int way = 0; way < 4; ++way) {
        const bool is_radial = way % 2 == 1;
        const double speed = way / 2 == 0 ? 1 : 20; // m/s
        touch_scene s = stout(24, TLW_PRESET_DEFAULT);
        const uint32_t pick = belly(&s);
        const touch_vec at = touch_place(&s, pick);
        const double z = is_radial ? at.z - 1 : at.z;
        const tlw_push push = {.centre = {at.x * s.metres, at.y * s.metres, z * s.metres},
                               .radius = (float)(6 * s.metres),
                               .velocity = {0, 0, is_radial ? 0 : (float)speed},
                               .outward = is_radial ? (float)speed : 0};
        CHECK_OK(tlw_character_push(s.world, s.id, &push));
        touch_read(&s);
        const double first = touch_largest_speed(&s) * s.metres;
        double swing[4] = {0}, of_limit = 0, fastest = 0;
        for (int i = 0; i < 240; ++i) {
            touch_step(&s, TOUCH_SUBSTEP);
            swing[i / 60] = fmax(swing[i / 60], touch_largest_deviation(&s));
            of_limit = fmax(of_limit, touch_largest_of_limit(&s));
            fastest = fmax(fastest, touch_largest_speed(&s) * s.metres);
        }
        printf("    %s of %2g m/s: sets %.2f m/s, %.2f at most later; off by %.3f, %.4f, %.5f, "
               "%.6f in each second, %.3f d_max\n",
               is_radial ? "burst " : "impulse", speed, first, fastest, swing[0], swing[1],
               swing[2], swing[3], of_limit);
        CHECK_LT(first, speed * 1.001);
        CHECK_LT(0.9 * speed * (is_radial ? 0.9 : 1), first);
        CHECK_LT(fastest, speed);
        for (int i = 1; i < 4; ++i) {
            CHECK_LT(swing[i], 0.3 * swing[i - 1] + 1e-6);
        }
        CHECK_LT(of_limit, 1 + 1e-4);
        touch_free(&s);
    }
}

// ---- Time scale

// Slow motion is the same motion, later.
TLW_TEST(time_scale_shows_the_same_motion_slower) {
    skip_where_slow();
    touch_scene s = stout(24, TLW_PRESET_DEFAULT), slow = stout(24, TLW_PRESET_DEFAULT);
    tlw_settings settings = touch_get_settings(&slow);
    settings.time_scale = 0.25f;
    touch_settings(&slow, &settings);
    const touch_vec at = touch_place(&s, belly(&s));
    const tlw_push push = {.centre = {at.x * s.metres, at.y * s.metres, at.z * s.metres},
                           .radius = (float)(5 * s.metres),
                           .velocity = {0, 0, 1}};
    CHECK_OK(tlw_character_push(s.world, s.id, &push));
    CHECK_OK(tlw_character_push(slow.world, slow.id, &push));
    double most = 0;
    for (int i = 0; i < 30; ++i) {
        touch_run(&s, 1);
        touch_run(&slow, 4);
        for (uint32_t v = 0; v < s.voxel_count; ++v) {
            const touch_vec gap = touch_sub3(touch_deviation(&s, v), touch_deviation(&slow, v));
            most = fmax(most, touch_length(gap));
        }
    }
    printf("    at a quarter of the time: %.1e apart, swing %.2f\n", most,
           touch_largest_deviation(&s));
    CHECK_LT(most, 1e-5);
    touch_free(&s);
    touch_free(&slow);
}

// ---- Own limbs

TLW_TEST(own_limbs_move_nothing_in_the_bind_pose) {
    skip_where_slow();
    touch_scene s = sculpted();
    set_gravity(&s, -9.81);
    CHECK(touch_get_settings(&s).own_limbs);
    touch_run(&s, 60);
    printf("    %u limbs: off by %.1e in the bind pose\n", s.info.limb_count,
           touch_largest_deviation(&s));
    CHECK_LT(4, s.info.limb_count);
    CHECK_LT(touch_largest_deviation(&s), 1e-6);
    touch_free(&s);
}

static void use_limbs(touch_scene* s, bool is_on) {
    tlw_settings settings = touch_get_settings(s);
    settings.gravity[1] = -9.81f;
    settings.own_limbs = is_on;
    touch_settings(s, &settings);
}

// How deep limbs are in tissue that they may touch, in a clip.
TLW_TEST(own_limbs_press_tissue_out_of_their_way) {
    skip_where_slow();
    static const tlw_sample_variant variants[] = {TLW_SAMPLE_BUNNY, TLW_SAMPLE_STOUT};
    for (size_t c = 0; c < TLW_COUNT_OF(variants); ++c) {
        const sample_character* sample = sample_get_limbed(variants[c], 24, 3);
        double inside[2] = {-1, -1};
        for (int is_on = 0; is_on < 2; ++is_on) {
            touch_scene s =
                touch_make(&(touch_def){.blob = sample_blob(sample), .preset = TLW_PRESET_DEFAULT});
            use_limbs(&s, is_on);
            for (int i = 0; i < 90; ++i) {
                sample_pose(sample, SAMPLE_JUMP, i / 60.0, TLW_POSE_MATRICES, &s.joints);
                touch_step(&s, TOUCH_SUBSTEP);
                inside[is_on] = i < 10 ? -1 : fmax(inside[is_on], touch_inside_limbs(&s, false));
            }
            touch_free(&s);
        }
        printf("    %s jumps and lands: %.2f inside without limbs, %.3f with them\n",
               c == 0 ? "bunny" : "stout", inside[0], inside[1]);
        CHECK_LT(0.3, inside[0]);
        CHECK_LT(inside[1], 0.02);
    }
}

// An arm that is turned into the trunk and held there.
TLW_TEST(an_arm_held_against_the_trunk_comes_to_rest) {
    skip_where_slow();
    double inside[2];
    for (int is_on = 0; is_on < 2; ++is_on) {
        touch_scene s = sculpted();
        use_limbs(&s, is_on);
        const touch_vec z = {0, 0, 1};
        for (int i = 1; i <= 60; ++i) {
            touch_rest_pose(&s);
            touch_bend(&s, "arm_l", z, -1.4 * i / 60);
            touch_run(&s, 1);
        }
        touch_run(&s, 180);
        inside[is_on] = touch_inside_limbs(&s, false);
        printf("    limbs %s: %.3f inside (skinned %.2f), |v| %.1e after 3 s\n",
               is_on ? "on" : "off", inside[is_on], touch_inside_limbs(&s, true),
               touch_largest_speed(&s));
        CHECK_LT(touch_largest_speed(&s), 0.02);
        touch_free(&s);
    }
    CHECK_LT(0.3, inside[0]);
    CHECK_LT(inside[1], 0.05);
}

// ---- Captured motion

#define NOISE_FRAMES 90

typedef struct jitter {
    double drawn, skinned; // rms of second differences, voxels
    uint32_t jumps;
} jitter;

static double gaussian(uint64_t* random) { // near enough: the sum of twelve
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
        sum += (double)(tlw_test_random(random) % 65536) / 65536;
    }
    return sum;
}

// The walk as captured at 30 Hz, each joint off by so many metres.
static void capture(const sample_character* sample, int frame, double noise, sample_joints* out) {
    uint64_t random = 1000 + (uint64_t)frame;
    sample_pose(sample, SAMPLE_WALK, frame / 30.0, TLW_POSE_MATRICES, out);
    for (uint32_t j = 0; j < sample_info(sample)->joint_count; ++j) {
        for (int i = 0; i < 3; ++i) {
            out->matrices[j][12 + i] += (float)(noise * gaussian(&random));
        }
    }
}

static void blend(const sample_joints* a, const sample_joints* b, sample_joints* out) {
    for (int j = 0; j < SAMPLE_JOINTS_MAX; ++j) {
        for (int i = 0; i < 16; ++i) {
            out->matrices[j][i] = 0.5f * (a->matrices[j][i] + b->matrices[j][i]);
        }
    }
}

// Frames at 60 Hz: a captured pose is held for two, or blended with the next.
static jitter film_noise(double noise, bool is_held, bool is_filtered) {
    const sample_character* sample = sample_get(TLW_SAMPLE_STOUT, 24, 3);
    touch_scene s = touch_make(&(touch_def){.blob = sample_blob(sample),
                                            .preset = TLW_PRESET_DEFAULT,
                                            .wants_positions = true,
                                            .has_pose_filter = true});
    const tlw_pose_filter filter = tlw_default_pose_filter();
    if (is_filtered) {
        CHECK_OK(tlw_character_set_pose_filter(s.world, s.id, &filter));
    }
    const size_t count = (size_t)s.info.vertex_count * 3;
    float* past = calloc(4 * count, sizeof *past); // drawn and skinned, of the last two frames
    CHECK(past != NULL);
    jitter out = {0, 0, 0};
    double terms = 0;
    for (int i = 0; i < NOISE_FRAMES; ++i) {
        sample_joints a, b;
        capture(sample, i / 2, noise, &a);
        capture(sample, i / 2 + 1, noise, &b);
        s.joints = a;
        if (!is_held && i % 2 == 1) {
            blend(&a, &b, &s.joints);
        }
        const tlw_step_flags flags = touch_step(&s, TOUCH_SUBSTEP);
        out.jumps += i > 0 && (flags & TLW_STEP_JUMPED) != 0;
        for (size_t k = 0; k < count; ++k) {
            const float drawn = s.positions[k], skinned = drawn - s.deltas[k];
            if (i >= 20) {
                const double d = (double)(drawn - 2 * past[k] + past[count + k]) / s.metres;
                const double t =
                    (double)(skinned - 2 * past[2 * count + k] + past[3 * count + k]) / s.metres;
                out.drawn += d * d;
                out.skinned += t * t;
                terms += 1.0 / 3;
            }
            past[count + k] = past[k];
            past[k] = drawn;
            past[3 * count + k] = past[2 * count + k];
            past[2 * count + k] = skinned;
        }
    }
    out.drawn = sqrt(out.drawn / terms);
    out.skinned = sqrt(out.skinned / terms);
    free(past);
    touch_free(&s);
    return out;
}

TLW_TEST(tissue_smooths_noise_in_poses_and_the_filter_takes_most_of_it) {
    skip_where_slow();
    for (int cm = 1; cm <= 3; cm += 2) {
        for (int held = 0; held < 2; ++held) {
            const jitter plain = film_noise(0.01 * cm, held, false);
            const jitter filtered = film_noise(0.01 * cm, held, true);
            printf("    %d cm of noise, %s: drawn %.3f of skinned (%.3f voxels); filtered %.2f "
                   "times less\n",
                   cm, held ? "held" : "blended", plain.drawn / plain.skinned, plain.skinned,
                   plain.drawn / filtered.drawn);
            CHECK_EQ(plain.jumps + filtered.jumps, 0u);
            CHECK_LT(plain.drawn, 0.7 * plain.skinned);
            CHECK_LT(2.6 * filtered.drawn, plain.drawn);
        }
    }
}
