// SPDX-License-Identifier: MIT
// What users of soft bodies complain of, each as a promise that it does not happen here (MODEL
// 3.15, 4.7, 4.9, 10): kicks, twitches, catching up, dents that stay, tunnelling, and results that
// depend on the frame rate or on the scale. Lengths are in voxels.
#include "tests/runtime/support/touch_scene.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALF_PI 1.57079632679489661923

static void skip_where_slow(void) {
    if (TLW_UNDER_SANITIZER) {
        tlw_test_skip(__FILE__, __LINE__, "minutes under a sanitizer");
    }
}

static touch_scene stout(bool may_sleep) {
    return touch_make(&(touch_def){.blob = sample_blob(sample_get(TLW_SAMPLE_STOUT, 24, 3)),
                                   .preset = TLW_PRESET_DEFAULT,
                                   .may_sleep = may_sleep,
                                   .wants_positions = true});
}

static touch_vec belly(const touch_scene* s) {
    const touch_vec front = {0, 0, 1};
    return touch_place(s, touch_furthest(s, front));
}

// Where the centre of something of that radius is when it is so deep in the belly.
static touch_vec deep(touch_vec belly, double radius, double depth) {
    return (touch_vec){belly.x, belly.y, belly.z + 0.25 + radius - depth};
}

// A capsule that is pressed 1.9 deep within half a second.
static uint32_t press(touch_scene* s) {
    const touch_vec at = belly(s);
    touch_shape capsule = touch_capsule_x(2.5, 6);
    capsule.friction = 0.5;
    const uint32_t rod = touch_add(s, &capsule, deep(at, 2.5, 0));
    for (int i = 1; i <= 30; ++i) {
        touch_move(s, rod, deep(at, 2.5, 1.9 * i / 30));
        touch_run(s, 1);
    }
    return rod;
}

static touch_vec* copy_deviations(const touch_scene* s) {
    touch_vec* copy = malloc(s->voxel_count * sizeof *copy);
    CHECK(copy != NULL);
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        copy[v] = touch_deviation(s, v);
    }
    return copy;
}

static double apart(const touch_scene* s, const touch_vec* deviations) {
    double most = 0;
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        most = fmax(most, touch_length(touch_sub3(touch_deviation(s, v), deviations[v])));
    }
    return most;
}

// By how much any deviation changes its length: the same in every frame of reference.
static double lengths_apart(const touch_scene* s, const touch_vec* deviations) {
    double most = 0;
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        most = fmax(most, fabs(touch_length(touch_deviation(s, v)) - touch_length(deviations[v])));
    }
    return most;
}

// ---- Kicks

// A quarter turn about y and a long way off.
static void teleport_character(touch_scene* s, touch_vec to) {
    const float rotation[4] = {0, (float)sin(HALF_PI / 2), 0, (float)cos(HALF_PI / 2)};
    touch_move_root(s, to);
    memcpy(s->root.rotation, rotation, sizeof rotation);
    CHECK_OK(tlw_character_teleport(s->world, s->id, s->root.position, rotation));
}

TLW_TEST(no_kick_after_a_teleport_with_what_is_touched) {
    skip_where_slow();
    touch_scene s = stout(false);
    const uint32_t rod = press(&s);
    touch_run(&s, 180);
    touch_vec* before = copy_deviations(&s);
    const touch_vec to = {300, -40, 70}, from = s.colliders[rod].at, y = {0, 1, 0};
    teleport_character(&s, to);
    touch_place_turned(&s, rod, (touch_vec){to.x + from.z, to.y + from.y, to.z - from.x}, y,
                       HALF_PI);
    double most = 0;
    for (int i = 0; i < 30; ++i) {
        CHECK_EQ(touch_step(&s, TOUCH_SUBSTEP) & TLW_STEP_JUMPED, 0u);
        most = fmax(most, lengths_apart(&s, before));
    }
    printf("    teleported with what presses it: a deviation changes by %.1e\n", most);
    CHECK_LT(most, 1e-3);
    free(before);
    touch_free(&s);
}

TLW_TEST(no_kick_after_a_teleport_out_of_contact_or_into_it) {
    skip_where_slow();
    touch_scene s = stout(false), other = stout(false);
    const uint32_t rod = press(&s);
    press(&other);
    touch_run(&s, 180);
    touch_run(&other, 180);
    const double before = touch_largest_deviation(&s);
    teleport_character(&s, (touch_vec){300, -40, 70});
    touch_remove(&other, 0);
    double most = 0, differs = 0;
    for (int i = 0; i < 60; ++i) { // it springs back as if the capsule had gone
        touch_step(&s, TOUCH_SUBSTEP);
        touch_step(&other, TOUCH_SUBSTEP);
        most = fmax(most, touch_largest_deviation(&s));
        differs =
            fmax(differs, fabs(touch_largest_deviation(&s) - touch_largest_deviation(&other)));
    }
    printf("    teleported away: deviations of %.3f at most, %.3f before; %.1e from one whose "
           "collider went\n",
           most, before, differs);
    CHECK_LT(most, before + 1e-3);
    CHECK_LT(differs, 2e-3);
    touch_run(&s, 240);
    CHECK_LT(touch_largest_deviation(&s), 1e-3);

    const touch_vec at = s.colliders[rod].at; // and back again, so that the capsule is in the belly
    const float upright[4] = {0, 0, 0, 1};
    touch_move_root(&s, (touch_vec){0, 0, 0});
    memcpy(s.root.rotation, upright, sizeof upright);
    CHECK_OK(tlw_character_teleport(s.world, s.id, s.root.position, upright));
    touch_read(&s);
    touch_read(&s); // the way of the teleport is no step
    double step = 0;
    for (int i = 0; i < 30; ++i) {
        touch_step(&s, TOUCH_SUBSTEP);
        step = fmax(step, touch_largest_step(&s));
    }
    printf("    teleported into it: steps of %.3f at most\n", step);
    CHECK_LT(step, 0.35);
    CHECK_LT(touch_inside(&s), 0.001);
    CHECK_NEAR(s.colliders[rod].at.z, at.z, 0);
    touch_free(&s);
    touch_free(&other);
}

TLW_TEST(no_kick_when_a_setting_is_set_in_contact) {
    skip_where_slow();
    touch_scene s = stout(true);
    const touch_vec at = belly(&s);
    const touch_shape sphere = touch_sphere(4);
    touch_add(&s, &sphere, deep(at, 4, 3.2)); // beyond d_max, within 1.5 d_max
    touch_run(&s, 240);
    CHECK_LT(1.05, touch_largest_of_limit(&s));
    touch_vec* before = copy_deviations(&s);
    for (int i = 0; i < 10; ++i) {
        tlw_settings settings = touch_get_settings(&s);
        settings.time_scale = i % 2 == 0 ? 0.99f : 1.0f;
        touch_settings(&s, &settings);
        touch_run(&s, 1);
    }
    printf("    settings set in contact: a deviation changes by %.1e\n", apart(&s, before));
    CHECK_LT(apart(&s, before), 1e-3);
    CHECK_LT(touch_inside(&s), 0.001);
    free(before);
    touch_free(&s);
}

// ---- Twitches

TLW_TEST(no_twitch_at_rest) {
    skip_where_slow();
    for (int rough = 0; rough < 2; ++rough) {
        touch_scene s = stout(true);
        const touch_vec at = belly(&s), x = {1, 0, 0};
        touch_shape shapes[3] = {touch_plane(), touch_capsule_x(2.5, 6), touch_box(2, 0.25)};
        for (int i = 0; i < 3; ++i) {
            shapes[i].friction = 0.5 * rough;
        }
        touch_add_turned(&s, &shapes[0], deep(at, 0, 1), x, -HALF_PI);
        touch_add(&s, &shapes[1], deep(at, 2.5, 1.9));
        touch_add(&s, &shapes[2], (touch_vec){at.x + 4, at.y + 2, at.z + 0.25 + 2.5 - 1.5});
        int frames = 0;
        while (frames < 480 && (touch_step(&s, TOUCH_SUBSTEP) & TLW_STEP_ASLEEP) == 0) {
            frames += 1;
        }
        printf("    mu %.1f: asleep in contact after %.2f s\n", 0.5 * rough, frames / 60.0);
        CHECK_LT(frames, 480);
        const size_t bytes = s.info.vertex_count * 3 * sizeof(float);
        float* vertices = malloc(bytes);
        CHECK(vertices != NULL);
        memcpy(vertices, s.positions, bytes);
        const uint64_t hash = touch_hash(&s);
        for (int i = 0; i < 60; ++i) {
            CHECK_EQ(touch_step(&s, TOUCH_SUBSTEP), (tlw_step_flags)TLW_STEP_ASLEEP);
            CHECK_EQ(touch_largest_step(&s), 0.0);
            CHECK_BYTES(s.positions, vertices, bytes);
        }
        CHECK_EQ(touch_hash(&s), hash);
        free(vertices);
        touch_free(&s);
    }
}

// ---- Catching up

static void pause(touch_scene* s, bool is_on) {
    tlw_settings settings = touch_get_settings(s);
    settings.time_scale = is_on ? 0.0f : 1.0f;
    touch_settings(s, &settings);
}

// A capsule goes right through the belly while time stands still. Back in time, nothing has
// happened; and where it has stopped inside, tissue grows out of it as if it had appeared there.
TLW_TEST(no_catch_up_after_a_pause) {
    skip_where_slow();
    for (int way = 0; way < 4; ++way) {
        const bool stops = way % 2 == 1, sleeps = way / 2 == 1;
        touch_scene s = stout(true);
        const touch_vec at = belly(&s);
        const touch_shape ball = touch_sphere(2.5);
        const touch_vec from = {at.x - 30, at.y, deep(at, 2.5, 1.5).z};
        const uint32_t rod = touch_add(&s, &ball, from);
        touch_run(&s, sleeps ? 90 : 5);
        pause(&s, true);
        for (int i = 1; i <= 20; ++i) {
            touch_move(&s, rod, (touch_vec){from.x + (stops ? 1.5 : 3) * i, from.y, from.z});
            CHECK_EQ(touch_step(&s, TOUCH_SUBSTEP), 0u);
            CHECK_EQ(touch_largest_step(&s), 0.0);
        }
        pause(&s, false);
        double step = 0;
        for (int i = 0; i < 60; ++i) {
            touch_step(&s, TOUCH_SUBSTEP);
            step = fmax(step, touch_largest_step(&s));
        }
        printf("    paused %s while a sphere %s: steps of %.4f afterwards\n",
               sleeps ? "asleep" : "awake", stops ? "came into the belly" : "went through", step);
        CHECK_LT(step, stops ? 0.35 : 1e-5);
        CHECK_LT(touch_inside(&s), 0.001);
        touch_free(&s);
    }
}

TLW_TEST(no_catch_up_after_a_call_of_ten_seconds) {
    skip_where_slow();
    for (int stops = 0; stops < 2; ++stops) {
        touch_scene s = stout(false);
        const touch_vec at = belly(&s);
        const touch_shape ball = touch_sphere(2.5);
        const touch_vec from = {at.x - 30, at.y, deep(at, 2.5, 1.5).z};
        const uint32_t rod = touch_add(&s, &ball, from);
        touch_run(&s, 10);
        touch_move(&s, rod, (touch_vec){from.x + (stops ? 30 : 60), from.y, from.z});
        CHECK_EQ(touch_step(&s, 10), (tlw_step_flags)TLW_STEP_DROPPED_TIME);
        const double now = touch_largest_deviation(&s), inside = touch_inside(&s);
        double step = 0;
        for (int i = 0; i < 60; ++i) {
            touch_step(&s, TOUCH_SUBSTEP);
            step = fmax(step, touch_largest_step(&s));
        }
        printf("    10 s in which a sphere %s: off by %.3f, %.3f inside; steps of %.4f "
               "afterwards\n",
               stops ? "came into the belly" : "went through", now, inside, step);
        CHECK_LT(now, stops ? 2 : 1e-5);
        CHECK_LT(step, stops ? 0.35 : 1e-5);
        CHECK_LT(touch_inside(&s), 0.001);
        touch_free(&s);
    }
}

// ---- Dents

TLW_TEST(no_dented_sleeper) {
    skip_where_slow();
    static const char* const ways[] = {"moved away", "teleported away", "destroyed", "masked",
                                       "moved away in a pause"};
    for (size_t way = 0; way < TLW_COUNT_OF(ways); ++way) {
        touch_scene s = stout(true);
        const uint32_t rod = press(&s);
        const touch_vec away = {99, 99, 99};
        touch_run(&s, 360);
        CHECK_EQ(touch_step(&s, TOUCH_SUBSTEP), (tlw_step_flags)TLW_STEP_ASLEEP);
        CHECK_LT(1.5, touch_largest_deviation(&s));
        if (way == 0) {
            touch_move(&s, rod, away);
        } else if (way == 1) {
            touch_teleport(&s, rod, away);
        } else if (way == 2) {
            touch_remove(&s, rod);
        } else if (way == 3) {
            tlw_settings settings = touch_get_settings(&s);
            settings.collider_mask = 0;
            touch_settings(&s, &settings);
        } else {
            pause(&s, true);
            touch_run(&s, 1);
            touch_move(&s, rod, away);
            touch_run(&s, 1);
            pause(&s, false);
        }
        touch_run(&s, 240);
        printf("    %s: %.1e left after 4 s\n", ways[way], touch_largest_deviation(&s));
        CHECK_LT(touch_largest_deviation(&s), 1e-3);
        touch_free(&s);
    }
}

// ---- Tunnelling

// From one side to 1.9 deep in one call, awake or asleep, and right across a sleeper.
TLW_TEST(no_tunnelling) {
    skip_where_slow();
    const touch_shape sphere = touch_sphere(1.5);
    for (int asleep = 0; asleep < 2; ++asleep) {
        for (int across = 0; across < 2; ++across) {
            touch_scene s = stout(true);
            const touch_vec at = belly(&s), to = deep(at, 1.5, 1.5);
            const double way = 16; // 8 (r + 0.5)
            const touch_vec from = {to.x - (across ? way / 2 : 0), to.y, to.z + (across ? 0 : way)};
            const uint32_t ball = touch_add(&s, &sphere, across ? from : (touch_vec){0, 0, 99});
            touch_teleport(&s, ball, from);
            touch_run(&s, asleep ? 90 : 1);
            touch_move(&s, ball, across ? (touch_vec){to.x + way / 2, to.y, to.z} : to);
            touch_step(&s, TOUCH_SUBSTEP);
            printf("    %s, %s: pushed by %.2f\n", asleep ? "asleep" : "awake",
                   across ? "across" : "into it", touch_largest_deviation(&s));
            CHECK_LT(touch_inside(&s), 0.05);
            CHECK_LT(across ? 0.5 : 1.4, touch_largest_deviation(&s));
            touch_free(&s);
        }
    }
}

// A sphere that crosses the whole character in one call, far outside of it before and after.
TLW_TEST(no_tunnelling_through_a_sleeper) {
    skip_where_slow();
    touch_scene s = stout(true);
    const touch_shape sphere = touch_sphere(3);
    const touch_vec at = belly(&s);
    const uint32_t ball = touch_add(&s, &sphere, (touch_vec){at.x - 20, at.y, at.z + 1});
    touch_run(&s, 90);
    CHECK_EQ(touch_step(&s, TOUCH_SUBSTEP), (tlw_step_flags)TLW_STEP_ASLEEP);
    touch_move(&s, ball, (touch_vec){at.x + 20, at.y, at.z + 1});
    CHECK_EQ(touch_step(&s, TOUCH_SUBSTEP) & TLW_STEP_ASLEEP, 0u);
    printf("    crossed within a substep: pushed by %.2f\n", touch_largest_deviation(&s));
    CHECK_LT(0.5, touch_largest_deviation(&s));
    touch_free(&s);
}

// ---- Frame rate and scale

typedef struct film {
    touch_vec* deviations[4];
} film;

// A sphere comes into the belly, slides and leaves, within two seconds; what is there every half
// second. Its way has corners only where every rate has a frame.
static film shoot(double hz, double substep_seconds, double scale) {
    touch_scene s =
        touch_make(&(touch_def){.blob = sample_blob(sample_get(TLW_SAMPLE_STOUT, 24, 3)),
                                .preset = TLW_PRESET_DEFAULT,
                                .substep_seconds = substep_seconds,
                                .root_scale = scale});
    const touch_vec at = belly(&s);
    touch_shape sphere = touch_sphere(2.5);
    sphere.friction = 0.3;
    const touch_vec corners[5] = {deep(at, 2.5, 0), deep(at, 2.5, 1.9), deep(at, 2.5, 1.9),
                                  touch_add3(deep(at, 2.5, 1.9), (touch_vec){2, 1, 0}),
                                  deep(at, 2.5, -3)};
    const uint32_t ball = touch_add(&s, &sphere, corners[0]);
    film out;
    const int frames = (int)(hz / 2 + 0.5);
    for (int part = 0; part < 4; ++part) {
        for (int i = 1; i <= frames; ++i) {
            const touch_vec way = touch_sub3(corners[part + 1], corners[part]);
            touch_move(&s, ball, touch_add3(corners[part], touch_times(way, (double)i / frames)));
            touch_step(&s, 1 / hz);
        }
        out.deviations[part] = copy_deviations(&s);
    }
    touch_free(&s);
    return out;
}

static double films_apart(const film* a, const film* b, int part) {
    const uint32_t count = sample_info(sample_get(TLW_SAMPLE_STOUT, 24, 3))->voxel_count;
    double most = 0;
    for (uint32_t v = 0; v < count; ++v) {
        most = fmax(most, touch_length(touch_sub3(a->deviations[part][v], b->deviations[part][v])));
    }
    return most;
}

static void free_film(film* f) {
    for (int part = 0; part < 4; ++part) {
        free(f->deviations[part]);
    }
}

TLW_TEST(push_does_not_depend_on_frame_rate) {
    skip_where_slow();
    film first = shoot(60, 0, 1);
    static const double rates[] = {24, 30, 144, 240};
    for (size_t r = 0; r < TLW_COUNT_OF(rates); ++r) {
        film other = shoot(rates[r], 0, 1);
        for (int part = 0; part < 4; ++part) {
            printf("%s %.1e", part == 0 ? "    off from 60 Hz every half second:" : ",",
                   films_apart(&first, &other, part));
            CHECK_LT(films_apart(&first, &other, part), 1e-3);
        }
        printf(" at %g Hz\n", rates[r]);
        free_film(&other);
    }
    free_film(&first);
}

TLW_TEST(push_hardly_depends_on_the_length_of_substeps) {
    skip_where_slow();
    film first = shoot(60, 0, 1);
    for (int rate = 30; rate <= 240; rate *= 2) {
        film other = shoot(60, 1.0 / rate, 1);
        for (int part = 0; part < 4; ++part) {
            printf("%s %.3f", part == 0 ? "    off from h 1/60 every half second:" : ",",
                   films_apart(&first, &other, part));
            CHECK_LT(films_apart(&first, &other, part), 0.67);
        }
        printf(" at h 1/%d\n", rate);
        free_film(&other);
    }
    free_film(&first);
}

TLW_TEST(scale_changes_nothing) {
    skip_where_slow();
    film first = shoot(60, 0, 1);
    for (int large = 0; large < 2; ++large) {
        film other = shoot(60, 0, large ? 10 : 0.1);
        double most = 0;
        for (int part = 0; part < 4; ++part) {
            most = fmax(most, films_apart(&first, &other, part));
        }
        printf("    scale %g: %.1e apart\n", large ? 10 : 0.1, most);
        CHECK_LT(most, 1e-3);
        free_film(&other);
    }
    free_film(&first);
}
