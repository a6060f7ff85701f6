// SPDX-License-Identifier: MIT
// What contact promises (MODEL 3.15, 10), on the runtime alone: tissue is out of what presses it,
// comes to rest there, and is neither torn nor kicked. Lengths are in voxels.
#include "tests/runtime/support/touch_scene.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>

#define HALF_PI 1.57079632679489661923

static void skip_where_slow(void) {
    if (TLW_UNDER_SANITIZER) {
        tlw_test_skip(__FILE__, __LINE__, "minutes under a sanitizer");
    }
}

static touch_scene stout(uint32_t resolution, tlw_preset preset, double substep_seconds) {
    return touch_make(&(touch_def){.blob = sample_blob(sample_get(TLW_SAMPLE_STOUT, resolution, 3)),
                                   .preset = preset,
                                   .substep_seconds = substep_seconds});
}

static touch_vec belly(const touch_scene* s) {
    const touch_vec front = {0, 0, 1};
    return touch_place(s, touch_furthest(s, front));
}

typedef enum presser_kind { PRESS_PLANE, PRESS_CAPSULE, PRESS_BOX, PRESS_COUNT } presser_kind;

static const char* const presser_names[PRESS_COUNT] = {"plane", "capsule", "box"};

// Something in front of the belly, and the place where it begins to touch.
typedef struct presser {
    uint32_t collider;
    touch_vec touching;
} presser;

static presser add_presser(touch_scene* s, presser_kind kind, double friction) {
    const double radius = kind == PRESS_PLANE ? 0 : 2.5; // from its centre to its face
    touch_shape shape = kind == PRESS_PLANE     ? touch_plane()
                        : kind == PRESS_CAPSULE ? touch_capsule_x(2.5, 6)
                                                : touch_box(2, 0.25); // which counts as 0.5
    const touch_vec at = belly(s), x = {1, 0, 0};
    presser p = {.touching = {at.x, at.y, at.z + 0.25 + radius}};
    const touch_vec start = {at.x, at.y, p.touching.z + 0.25};
    shape.friction = friction;
    p.collider = touch_add_turned(s, &shape, start, x, kind == PRESS_PLANE ? -HALF_PI : 0);
    return p;
}

// Puts it so deep into the belly, moved along x.
static void press_to(touch_scene* s, const presser* p, double depth, double aside) {
    const touch_vec at = {p->touching.x + aside, p->touching.y, p->touching.z - depth};
    touch_move(s, p->collider, at);
}

static void press_slowly(touch_scene* s, const presser* p, double depth, int frames) {
    for (int i = 1; i <= frames; ++i) {
        press_to(s, p, depth * i / frames, 0);
        touch_run(s, 1);
    }
}

TLW_TEST(pressed_tissue_is_nowhere_inside) {
    skip_where_slow();
    for (int kind = 0; kind < PRESS_COUNT; ++kind) {
        for (int deep = 0; deep < 2; ++deep) {
            for (int rough = 0; rough < 2; ++rough) {
                touch_scene s = stout(32, TLW_PRESET_DEFAULT, 0);
                const presser p = add_presser(&s, (presser_kind)kind, 0.5 * rough);
                const double depth = deep ? 2.5 : 1;
                double inside = -1;
                for (int i = 1; i <= 60; ++i) {
                    press_to(&s, &p, depth * fmin(1, i / 30.0), i <= 40 ? 0 : 0.1 * (i - 40));
                    touch_step(&s, TOUCH_SUBSTEP);
                    inside = fmax(inside, touch_inside(&s));
                }
                printf("    %-7s %.1f deep, mu %.1f: %.6f inside\n", presser_names[kind], depth,
                       0.5 * rough, inside);
                CHECK_LT(-0.01, inside); // it does touch
                CHECK_LT(inside, 0.001);
                CHECK_LT(touch_largest_of_limit(&s), 1.5);
                touch_free(&s);
            }
        }
    }
}

TLW_TEST(tissue_in_contact_comes_to_rest) {
    skip_where_slow();
    static const struct {
        tlw_preset preset;
        double seconds; // until everything is slower than 1e-3
    } rows[] = {{TLW_PRESET_DEFAULT, 3},
                {TLW_PRESET_BUNNY, 2},
                {TLW_PRESET_SMURF, 3},
                {TLW_PRESET_BLOAT, 2},
                {TLW_PRESET_BLOAT_LOW, 2}};
    for (size_t r = 0; r < TLW_COUNT_OF(rows); ++r) {
        for (int kind = 0; kind < PRESS_COUNT; ++kind) {
            for (int rough = 0; rough < 2; ++rough) {
                if (r > 0 && rough != kind % 2) {
                    continue; // other presets: each shape, with or without friction
                }
                touch_scene s = stout(24, rows[r].preset, 0);
                const presser p = add_presser(&s, (presser_kind)kind, 0.5 * rough);
                press_slowly(&s, &p, 1.9, 30);
                int last = 0;
                for (int i = 1; i <= 60 * (int)rows[r].seconds; i += 10) {
                    touch_run(&s, 10);
                    last = touch_largest_speed(&s) < 1e-3 ? last : i + 9;
                }
                printf("    %-9s %-7s mu %.1f: slower than 1e-3 after %.2f s\n",
                       tlw_preset_name(rows[r].preset), presser_names[kind], 0.5 * rough,
                       last / 60.0);
                CHECK_LT(touch_largest_speed(&s), 1e-3);
                touch_free(&s);
            }
        }
    }
}

// Friction projects along the same direction as the push (MODEL 3.15); anything else pumps.
TLW_TEST(friction_pumps_no_energy_at_any_length_of_substeps) {
    skip_where_slow();
    for (int rate = 30; rate <= 240; rate *= 2) {
        for (int rough = 0; rough < 3; rough += rate == 60 ? 1 : 2) {
            touch_scene s = stout(24, TLW_PRESET_DEFAULT, 1.0 / rate);
            const presser p = add_presser(&s, PRESS_CAPSULE, 0.5 * rough);
            press_slowly(&s, &p, 1.9, 30);
            for (int i = 1; i <= 20; ++i) {
                press_to(&s, &p, 1.9, 0.1 * i);
                touch_run(&s, 1);
            }
            double speeds[4];
            for (int i = 0; i < 4; ++i) {
                touch_run(&s, 53);
                speeds[i] = touch_largest_speed(&s);
            }
            printf("    h 1/%-3d mu %.1f: |v| %.4f, %.4f, %.4f, %.4f in 3.5 s\n", rate, 0.5 * rough,
                   speeds[0], speeds[1], speeds[2], speeds[3]);
            for (int i = 1; i < 4; ++i) {
                CHECK_LT(speeds[i], fmax(speeds[i - 1], 1e-3));
            }
            CHECK_LT(speeds[3], 2e-3);
            touch_free(&s);
        }
    }
}

// ---- Several at a time

static double speed_after_3_seconds(touch_scene* s) {
    touch_run(s, 180);
    return touch_largest_speed(s);
}

static void close_two_planes(touch_scene* s, double friction) {
    const touch_vec x = {1, 0, 0}, back = {0, 0, -1};
    const touch_vec front_at = belly(s), back_at = touch_place(s, touch_furthest(s, back));
    touch_shape plane = touch_plane();
    plane.friction = friction;
    const uint32_t a = touch_add_turned(s, &plane, front_at, x, -HALF_PI);
    const uint32_t b = touch_add_turned(s, &plane, back_at, x, HALF_PI);
    for (int i = 1; i <= 30; ++i) {
        const double by = 2.0 * i / 30;
        touch_move(s, a, (touch_vec){front_at.x, front_at.y, front_at.z + 0.25 - by});
        touch_move(s, b, (touch_vec){back_at.x, back_at.y, back_at.z - 0.25 + by});
        touch_run(s, 1);
    }
}

static void close_ring(touch_scene* s, double friction) {
    const touch_vec at = belly(s);
    touch_shape shape = touch_sphere(2);
    shape.ends[0].y = -2;
    shape.ends[1].y = 2;
    shape.friction = friction;
    for (int i = 0; i < 8; ++i) {
        touch_add(s, &shape, (touch_vec){0, at.y, 100});
    }
    for (int f = 0; f <= 30; ++f) {
        for (uint32_t i = 0; i < 8; ++i) {
            const double angle = HALF_PI / 2 * i, out = at.z + 2.25 + 0.5 - 2.0 * f / 30;
            const touch_vec to = {out * sin(angle), at.y, out * cos(angle)};
            if (f == 0) {
                touch_teleport(s, i, to);
            }
            touch_move(s, i, to);
        }
        touch_run(s, 1);
    }
}

// The belly goes into the corner of two planes, which are square to each other.
static void close_corner(touch_scene* s, double friction) {
    const touch_vec at = belly(s), x = {1, 0, 0};
    touch_shape plane = touch_plane();
    plane.friction = friction;
    const double first = at.z + 2.5;
    for (int i = 0; i < 2; ++i) {
        touch_add_turned(s, &plane, (touch_vec){at.x, at.y, first}, x, -HALF_PI * (0.5 + i));
    }
    for (int i = 1; i <= 30; ++i) {
        const touch_vec to = {at.x, at.y, first - 3.5 * i / 30};
        touch_move(s, 0, to);
        touch_move(s, 1, to);
        touch_run(s, 1);
    }
}

TLW_TEST(tissue_between_several_comes_to_rest) {
    skip_where_slow();
    static const struct {
        const char* name;
        void (*close)(touch_scene* s, double friction);
    } rows[] = {
        {"two planes", close_two_planes}, {"ring of eight", close_ring}, {"corner", close_corner}};
    for (size_t r = 0; r < TLW_COUNT_OF(rows); ++r) {
        for (int rough = 0; rough < 2; ++rough) {
            touch_scene s = stout(24, TLW_PRESET_DEFAULT, 0);
            rows[r].close(&s, 0.5 * rough);
            const double speed = speed_after_3_seconds(&s), inside = touch_inside(&s);
            printf("    %-13s mu %.1f: |v| %.5f after 3 s, %.4f inside\n", rows[r].name,
                   0.5 * rough, speed, inside);
            CHECK_LT(speed, 6e-3);
            CHECK_LT(inside, 1e-3);
            touch_free(&s);
        }
    }
}

// ---- Beginning and end

TLW_TEST(contact_begins_and_ends_without_a_jerk) {
    skip_where_slow();
    for (int kind = 0; kind < PRESS_BOX; ++kind) {
        for (int fast = 0; fast < 3; ++fast) {
            const double own = 0.1 * (1 << fast);
            touch_scene s = stout(32, TLW_PRESET_DEFAULT, 0);
            const presser p = add_presser(&s, (presser_kind)kind, 0);
            double in = 0, out = 0;
            const int frames = (int)(2.5 / own + 0.5);
            for (int i = 1; i <= frames; ++i) {
                press_to(&s, &p, own * i, 0);
                touch_step(&s, TOUCH_SUBSTEP);
                in = fmax(in, touch_largest_step(&s) / own);
            }
            touch_run(&s, 180);
            for (int i = frames - 1; i >= -5; --i) {
                press_to(&s, &p, own * i, 0);
                touch_step(&s, TOUCH_SUBSTEP);
                out = fmax(out, touch_largest_step(&s) / own);
            }
            printf("    %-7s %.1f a substep: largest step of a voxel %.2f times that pressed, "
                   "%.2f times withdrawn\n",
                   presser_names[kind], own, in, out);
            CHECK_LT(in, 1.2);
            CHECK_LT(out, 1.2);
            touch_free(&s);
        }
    }
}

TLW_TEST(fast_sphere_does_not_pass_through) {
    skip_where_slow();
    const touch_shape sphere = touch_sphere(1.5);
    touch_scene s = stout(32, TLW_PRESET_DEFAULT, 0);
    const touch_vec at = belly(&s);
    const uint32_t ball = touch_add(&s, &sphere, (touch_vec){at.x, at.y, 99});
    const touch_vec deep = {at.x, at.y, at.z + 0.25 + 1.5 - 2};
    for (int own = 4; own <= 16; own += 2) { // 8 (r + 0.5) a substep at most
        CHECK_OK(tlw_character_reset(s.world, s.id));
        const touch_vec from = {deep.x, deep.y, deep.z + own};
        touch_teleport(&s, ball, from);
        touch_run(&s, 1);
        touch_move(&s, ball, deep);
        touch_step(&s, TOUCH_SUBSTEP);
        const double inside = touch_inside(&s), pushed = touch_largest_deviation(&s);
        printf("    2 deep at %2d a substep: %.4f inside, pushed by %.2f\n", own, inside, pushed);
        CHECK_LT(inside, 0.05);
        CHECK_LT(1.9, pushed);
    }
    for (int own = 3; own <= 15; own += 4) { // across, 1 deep
        double inside = -1;
        CHECK_OK(tlw_character_reset(s.world, s.id));
        touch_teleport(&s, ball, (touch_vec){deep.x - 2 * own, deep.y, deep.z + 1});
        touch_run(&s, 1);
        for (int i = -1; i <= 2; ++i) {
            touch_move(&s, ball, (touch_vec){deep.x + own * i, deep.y, deep.z + 1});
            touch_step(&s, TOUCH_SUBSTEP);
            inside = fmax(inside, touch_inside(&s));
        }
        printf("    grazes at %2d a substep: %.4f inside\n", own, inside);
        CHECK_LT(inside, 0.05);
    }
    touch_free(&s);
}

TLW_TEST(what_goes_through_bone_tears_nothing_off) {
    skip_where_slow();
    const touch_shape capsule = touch_capsule_x(2.5, 6);
    touch_scene s = stout(24, TLW_PRESET_DEFAULT, 0);
    const touch_vec at = belly(&s);
    const uint32_t rod = touch_add(&s, &capsule, (touch_vec){0, 0, 99});
    static const double speeds[] = {5, 50, 300, 3000}; // voxels per second
    for (size_t r = 0; r < TLW_COUNT_OF(speeds); ++r) {
        CHECK_OK(tlw_character_reset(s.world, s.id));
        const double from = at.z + 3, to = -at.z - 8, own = speeds[r] / 60;
        double of_limit = 0;
        touch_teleport(&s, rod, (touch_vec){at.x, at.y, from});
        for (double z = from; z > to;) {
            z -= own;
            touch_move(&s, rod, (touch_vec){at.x, at.y, z});
            touch_step(&s, TOUCH_SUBSTEP);
            of_limit = fmax(of_limit, touch_largest_of_limit(&s));
            CHECK(touch_is_finite(&s));
        }
        touch_move(&s, rod, (touch_vec){at.x, at.y, -99});
        int frames = 0;
        while (frames < 120 && (frames == 0 || touch_largest_deviation(&s) > 0.1)) {
            touch_run(&s, 5);
            frames += 5;
        }
        printf("    %4g voxels/s: %.5f d_max at most, back within 0.1 after %.2f s\n", speeds[r],
               of_limit, frames / 60.0);
        CHECK_LT(of_limit, 1.5 + 1e-4);
        CHECK_LE(frames, 90);
    }
    touch_free(&s);
}

TLW_TEST(what_appears_inside_pushes_tissue_out_slowly) {
    skip_where_slow();
    const touch_shape sphere = touch_sphere(5);
    touch_scene s = stout(32, TLW_PRESET_DEFAULT, 0);
    const touch_vec at = belly(&s);
    touch_add(&s, &sphere, (touch_vec){at.x, at.y, at.z + 0.25 + 5 - 2.5});
    double largest = 0;

    int frames = 0;
    do {
        touch_step(&s, TOUCH_SUBSTEP);
        largest = fmax(largest, touch_largest_step(&s));
        frames += 1;
    } while (frames < 120 && touch_inside(&s) > 0.001);
    printf("    appeared: steps of %.3f at most, out after %d substeps\n", largest, frames);
    CHECK_LT(largest, 0.35);
    CHECK_LT(frames, 120);
    touch_free(&s);
}

// ---- The mesh

TLW_TEST(the_mesh_is_pressed_with_its_tissue) {
    skip_where_slow();
    touch_scene s =
        touch_make(&(touch_def){.blob = sample_blob(sample_get(TLW_SAMPLE_STOUT, 32, 3)),
                                .preset = TLW_PRESET_DEFAULT,
                                .wants_positions = true});
    const presser p = add_presser(&s, PRESS_CAPSULE, 0.5);
    press_slowly(&s, &p, 2.5, 30);
    touch_run(&s, 60);
    double deepest = -1;
    for (uint32_t v = 0; v < s.info.vertex_count; ++v) {
        const float* x = s.positions + 3 * (size_t)v;
        const touch_vec at = {(double)x[0], (double)x[1], (double)x[2]};
        deepest = fmax(deepest, touch_depth_at(&s, p.collider, touch_times(at, 1 / s.metres)));
    }
    printf("    deepest vertex of a capsule's dent: %.3f inside\n", deepest);
    CHECK_LT(deepest, 0.085);
    CHECK_LT(-0.1, deepest);
    touch_free(&s);
}

// ---- Boxes that turn, firm parts, sitting

// A long bar whose end sweeps the belly. What a surface that turns does in a substep is known only
// to first order, so tissue is not outside as exactly as elsewhere.
TLW_TEST(a_bar_that_turns_fast_sweeps_tissue_aside) {
    skip_where_slow();
    touch_shape bar = touch_box(1, 0.5);
    bar.half_extents.x = 8;
    const touch_vec y = {0, 1, 0};
    touch_scene s = stout(32, TLW_PRESET_DEFAULT, 0);
    const touch_vec at = belly(&s);
    const touch_vec pivot = {at.x + 9, at.y, at.z + 7.5};
    touch_add(&s, &bar, pivot);
    for (int rate = 90; rate <= 720; rate *= 2) { // degrees per second
        const double turn = rate / 60.0 * HALF_PI / 90;
        double inside = -1, fastest = 0;
        CHECK_OK(tlw_character_reset(s.world, s.id));
        touch_place_turned(&s, 0, pivot, y, 0);
        touch_run(&s, 1);
        for (int i = 1; i * turn <= 2 * HALF_PI; ++i) {
            touch_turn(&s, 0, y, i * turn);
            touch_step(&s, TOUCH_SUBSTEP);
            inside = fmax(inside, touch_inside(&s));
            fastest = fmax(fastest, touch_largest_step(&s));
        }
        printf("    %3d degrees/s: %.3f inside, steps of %.2f, the bar's end %.2f\n", rate, inside,
               fastest, 8.5 * turn);
        CHECK_LT(inside, 0.075);
        CHECK_LT(0.5, fastest);
        CHECK_LT(fastest, 1.5);
    }
    touch_free(&s);
}

// Firm parts have a stiff anchor and little room; nothing else is different.
TLW_TEST(a_firm_part_is_pressed_like_any_other) {
    skip_where_slow();
    static const struct {
        const char* name;
        touch_vec from;
    } rows[] = {{"head", {0, 1, 0}}, {"hand", {1, 0, 0}}};
    for (size_t r = 0; r < TLW_COUNT_OF(rows); ++r) {
        for (int rough = 0; rough < 2; ++rough) {
            touch_scene s = stout(32, TLW_PRESET_DEFAULT, 0);
            touch_shape sphere = touch_sphere(3);
            sphere.friction = 0.5 * rough;
            const touch_vec at = touch_place(&s, touch_furthest(&s, rows[r].from));
            const touch_vec from = touch_add3(at, touch_times(rows[r].from, 3.25));
            const uint32_t ball = touch_add(&s, &sphere, from);
            double inside = -1, step = 0;
            for (int i = 1; i <= 30; ++i) {
                touch_move(&s, ball, touch_sub3(from, touch_times(rows[r].from, 1.5 * i / 30)));
                touch_step(&s, TOUCH_SUBSTEP);
                inside = fmax(inside, touch_inside(&s));
                step = fmax(step, touch_largest_step(&s) / (1.5 / 30));
            }
            touch_run(&s, 90);
            printf("    %s, mu %.1f: %.5f inside, steps of %.2f of the sphere's, |v| %.1e after "
                   "1.5 s\n",
                   rows[r].name, 0.5 * rough, inside, step, touch_largest_speed(&s));
            CHECK_LT(inside, 0.001);
            CHECK_LT(step, 1.2);
            CHECK_LT(touch_largest_speed(&s), 1e-3);
            touch_free(&s);
        }
    }
}

static void squat(touch_scene* s, double share) {
    const touch_vec x = {1, 0, 0};
    touch_rest_pose(s);
    for (int side = 0; side < 2; ++side) {
        touch_bend(s, side == 0 ? "leg_l" : "leg_r", x, -1.75 * share);
        touch_bend(s, side == 0 ? "shin_l" : "shin_r", x, 1.9 * share);
    }
}

// The lowest place of the rump: soft, and not in front of the trunk, where the feet are.
static touch_vec rump(const touch_scene* s) {
    touch_vec low = {0, HUGE_VAL, 0};
    for (uint32_t v = 0; v < s->voxel_count; ++v) {
        const touch_vec at = touch_place(s, v);
        low = !s->is_bone[v] && at.z < 1 && at.y < low.y ? at : low;
    }
    return low;
}

// Under gravity, lowered onto a seat: nothing is inside of it, and the body falls asleep.
TLW_TEST(a_body_that_sits_down_comes_to_rest_on_its_seat) {
    skip_where_slow();
    for (int on_box = 0; on_box < 2; ++on_box) {
        touch_scene s =
            touch_make(&(touch_def){.blob = sample_blob(sample_get(TLW_SAMPLE_STOUT, 24, 3)),
                                    .preset = TLW_PRESET_DEFAULT,
                                    .may_sleep = true});
        tlw_settings settings = touch_get_settings(&s);
        settings.gravity[1] = -9.81f;
        touch_settings(&s, &settings);
        for (int i = 1; i <= 60; ++i) {
            squat(&s, i / 60.0);
            touch_run(&s, 1);
        }
        touch_run(&s, 60);
        const touch_vec low = rump(&s);
        touch_shape seat = on_box ? touch_box(2, 0.5) : touch_plane();
        seat.half_extents.x = seat.half_extents.z = 4;
        seat.friction = 0.8;
        touch_add(&s, &seat, (touch_vec){0, low.y - 0.5 - (on_box ? 2.5 : 0), low.z - 1});
        double inside = -1;
        int frames = 0;
        do {
            frames += 1;
            touch_move_root(&s, (touch_vec){0, -1.75 * fmin(1, frames / 60.0), 0});
            const tlw_step_flags flags = touch_step(&s, TOUCH_SUBSTEP);
            inside = fmax(inside, touch_inside(&s));
            if ((flags & TLW_STEP_ASLEEP) != 0) {
                break;
            }
        } while (frames < 480);
        printf("    on a %s: %.5f inside, asleep after %.1f s, off by %.2f\n",
               on_box ? "box" : "plane", inside, frames / 60.0, touch_largest_deviation(&s));
        CHECK_LT(-0.01, inside);
        CHECK_LT(inside, 0.001);
        CHECK_LT(frames, 480);
        touch_free(&s);
    }
}
