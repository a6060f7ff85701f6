// SPDX-License-Identifier: MIT
// Holds the runtime to the promises of MODEL 10 on the sample characters, without an oracle: a
// belly that stops, frame rates, resolutions, rest, runs, garbage, clips that jump. Prints its
// figures, in voxels.
#include "tests/runtime/support/ringing.h"
#include "tests/runtime/support/sample_pair.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void skip_where_slow(void) {
    if (PAIR_IS_SLOW) {
        tlw_test_skip(__FILE__, __LINE__, "minutes under a sanitizer; small bodies are tested");
    }
}

static double random_between(uint64_t* state, double low, double high) {
    return low + (high - low) * ((double)(tlw_test_random(state) >> 11) * 0x1p-53);
}

static void hold(oracle_pair* pair, double seconds) {
    for (int k = 0; k < (int)(seconds * 60); ++k) {
        pair_step(pair, PAIR_SUBSTEP, false);
    }
}

// Stops

enum { RING = 90 };

// How the belly's mean rings after a stop.
static ringing stop(sample_pair* s, double voxels_per_second) {
    double means[RING];
    for (int k = 0; k < 120; ++k) {
        pair_move_root(s->pair, vec(0, 0, voxels_per_second * PAIR_SUBSTEP));
        CHECK_EQ(pair_step(s->pair, PAIR_SUBSTEP, false) & TLW_STEP_JUMPED, 0u);
    }
    for (int k = 0; k < RING; ++k) {
        pair_step(s->pair, PAIR_SUBSTEP, false);
        means[k] = sample_pair_belly_deviation(s).z;
    }
    return measure_ringing(means, RING, PAIR_SUBSTEP);
}

TLW_TEST(a_stout_belly_stopped_from_30_voxels_per_second_overshoots_as_designed) {
    skip_where_slow();
    const oracle_pair_def def = {.preset = TLW_PRESET_BUNNY, .is_limit_off = true};
    sample_pair s = sample_pair_make("stout", NULL, 32, 3, &def);
    const ringing f = stop(&s, 30);
    printf("    bunny, limit off: overshoot %.2f, below 10%% after %.2f s, %.2f Hz\n", f.overshoot,
           f.seconds_to_tenth, f.hertz);
    CHECK_LT(1.0, f.overshoot);
    CHECK_LT(f.overshoot, 2.5);
    CHECK_LT(f.seconds_to_tenth, 0.8);
    sample_pair_free(&s);
}

TLW_TEST(a_stop_looks_the_same_at_every_resolution) {
    skip_where_slow();
    double least = HUGE_VAL, most = 0;
    for (uint32_t resolution = 32; resolution <= 64; resolution += 16) {
        const oracle_pair_def def = {.preset = TLW_PRESET_DEFAULT};
        sample_pair s = sample_pair_make("stout", NULL, resolution, 3, &def);
        const ringing f = stop(&s, 30.0 * resolution / 32);
        const double share = f.overshoot / s.pair->info.extent_voxels;
        printf("    default, res %u, %u voxels: overshoot %.2f, %.2f%% of L, below 10%% after "
               "%.2f s, %.2f Hz\n",
               resolution, s.pair->info.voxel_count, f.overshoot, 100 * share, f.seconds_to_tenth,
               f.hertz);
        least = fmin(least, share);
        most = fmax(most, share);
        sample_pair_free(&s);
    }
    printf("    largest %.2f times the smallest\n", most / least);
    CHECK_LE(most, 1.6 * least);
}

// Rest, runs and garbage

TLW_TEST(characters_rest_run_and_recover_as_promised) {
    skip_where_slow();
    static const struct {
        const char* sample;
        tlw_preset preset;
        double still_seconds, run_seconds;
    } rows[] = {{"stout", TLW_PRESET_DEFAULT, 6, 3}, {"bunny", TLW_PRESET_DEFAULT, 6, 3},
                {"thin", TLW_PRESET_DEFAULT, 6, 3},  {"stout", TLW_PRESET_BUNNY, 4, 2},
                {"thin", TLW_PRESET_SMURF, 6, 4},    {"bunny", TLW_PRESET_BLOAT, 6, 4}};
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        const oracle_pair_def def = {.preset = rows[n].preset};
        sample_pair s = sample_pair_make(rows[n].sample, "dance", 32, 3, &def);
        oracle_pair* pair = s.pair;
        pair_rotate_root(pair, quat_exp(vec(0.4, 1, -0.3)));
        pair_settle(pair);
        hold(pair, 0.3);
        const double rest = pair_largest_deviation(pair);
        for (int f = 0; f < 60; ++f) {
            sample_pair_pose(&s, f * PAIR_SUBSTEP);
            pair_step(pair, PAIR_SUBSTEP, false);
        }
        pair_rest_pose(pair);
        hold(pair, rows[n].still_seconds);
        const double still = pair_largest_deviation(pair);
        for (int f = 0; f < (int)(rows[n].run_seconds * 60); ++f) {
            pair_move_root(pair, vec(0.2, 0, 0.4));
            pair_step(pair, PAIR_SUBSTEP, false);
        }
        const double lag = pair_largest_deviation(pair);
        hold(pair, 1);
        uint64_t seed = 41;
        for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
            double off[3] = {0, 0, 0};
            for (int r = 0; r < 36; ++r) { // about normal
                off[r % 3] += 10 * random_between(&seed, -0.5, 0.5);
            }
            pair_push(pair, i, vec_of(off));
        }
        hold(pair, 1);
        const double one = pair_largest_deviation(pair);
        hold(pair, 1);
        const double two = pair_largest_deviation(pair);
        printf("    %-7s %-5s rest %.1e, %.1e left after %g s, lag %.1e after %g s, garbage "
               "%.3f after 1 s, %.4f after 2 s\n",
               tlw_preset_name(rows[n].preset), rows[n].sample, rest, still, rows[n].still_seconds,
               lag, rows[n].run_seconds, one, two);
        CHECK_LT(rest, 1e-5);
        CHECK_LT(still, 1e-4);
        CHECK_LT(lag, 0.01);
        CHECK_LT(one, 0.3);
        CHECK_LT(two, rows[n].preset == TLW_PRESET_SMURF ? 0.05 : 0.01);
        sample_pair_free(&s);
    }
}

// The same dance along the same way, once rotated, once 100,000 voxels from the origin.
TLW_TEST(characters_dance_the_same_when_rotated_and_far_from_the_origin) {
    static const char* const samples[] = {"stout", "bunny", "thin"};
    const oracle_quat rotation = quat_exp(vec(0.7, -1.1, 0.4));
    const oracle_vec far = {1e5, -0.7e5, 0.3e5};
    skip_where_slow();
    for (size_t k = 0; k < TLW_COUNT_OF(samples); ++k) {
        sample_pair at_home = sample_pair_make(samples[k], "dance", 20, 3, &(oracle_pair_def){0});
        sample_pair rotated = sample_pair_make(samples[k], "dance", 20, 3, &(oracle_pair_def){0});
        sample_pair away = sample_pair_make(samples[k], "dance", 20, 3, &(oracle_pair_def){0});
        for (int n = 0; n <= 120; ++n) {
            const oracle_vec way = vec(0.11 * n, 0.5 * sin(0.2 * n), -0.07 * n);
            sample_pair_pose(&at_home, n * PAIR_SUBSTEP);
            pair_move_root(at_home.pair, way);
            sample_pair_pose(&rotated, n * PAIR_SUBSTEP);
            pair_rotate_root(rotated.pair, rotation);
            pair_move_root(rotated.pair, quat_rotate(rotation, way));
            sample_pair_pose(&away, n * PAIR_SUBSTEP);
            pair_move_root(away.pair, vec_add(far, way));
            if (n == 0) {
                pair_settle(at_home.pair);
                pair_settle(rotated.pair);
                pair_settle(away.pair);
            }
            pair_step(at_home.pair, PAIR_SUBSTEP, false);
            pair_step(rotated.pair, PAIR_SUBSTEP, false);
            pair_step(away.pair, PAIR_SUBSTEP, false);
        }
        CHECK_LT(
            0.1,
            pair_largest_deviation(at_home.pair)); // there is motion to compare; reads the state
        pair_read(rotated.pair);
        pair_read(away.pair);
        double rotated_gap = 0, away_gap = 0;
        for (uint32_t i = 0; i < at_home.pair->info.voxel_count; ++i) {
            const oracle_vec p = pair_p(at_home.pair, i);
            rotated_gap =
                fmax(rotated_gap,
                     vec_length(vec_sub(quat_rotate(rotation, p), pair_p(rotated.pair, i))));
            away_gap = fmax(away_gap, vec_length(vec_sub(p, pair_p(away.pair, i))));
        }
        printf("    %-5s rotated %.1e, far away %.1e apart\n", samples[k], rotated_gap, away_gap);
        CHECK_LT(rotated_gap, 1e-3);
        CHECK_LT(away_gap, 1e-3);
        sample_pair_free(&at_home);
        sample_pair_free(&rotated);
        sample_pair_free(&away);
    }
}

// Frame rates and output

// Time is counted in ticks of 1/240 s, four per substep: at every rate some frames end on a tick.
enum { TICKS_PER_SECOND = 240, TICKS = 2 * TICKS_PER_SECOND };

typedef struct film {
    float* lattice;
    bool has_frame[TICKS + 1];
    oracle_vec belly[TICKS + 1]; // mean output position of its voxels, model space, in voxels
    oracle_vec off[TICKS + 1];   // mean deviation of their state
    double swing;                // the largest of those, at some frames
    double change;               // how much a substep changes it, at the most
} film;

static oracle_vec output_belly(const sample_pair* s, const float* lattice) {
    oracle_vec sum = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->pair->info.voxel_count; ++i) {
        if (!sample_pair_is_belly(s, i)) {
            continue;
        }
        const tlw_blob_cell* cell = &s->pair->cells[i];
        const double at[3] = {cell->x, cell->y, cell->z};
        double x[4] = {0, 0, 0, 1}, y[3];
        for (int a = 0; a < 3; ++a) {
            x[a] = s->pair->info.origin[a] + s->pair->info.voxel_metres * (at[a] + 0.5);
        }
        for (int row = 0; row < 3; ++row) {
            const float* m = lattice + (size_t)i * 12 + (size_t)row * 4;
            y[row] = 0;
            for (int a = 0; a < 4; ++a) {
                y[row] += (double)m[a] * x[a];
            }
        }
        sum = vec_add(sum, vec_of(y));
        count += 1;
    }
    return vec_scale(sum, 1 / (count * s->pair->info.voxel_metres));
}

// The clip, on a root that sways so that the tissue swings.
static void swaying_pose(sample_pair* s, double t) {
    sample_pair_pose(s, t);
    pair_rotate_root(s->pair, quat_exp(vec(0, 0.3 * sin(2 * t), 0.1 * sin(3 * t))));
    pair_move_root(s->pair, vec(3 * sin(5 * t), 2 * sin(4 * t), 3 * sin(3 * t)));
}

// With hz 0: random frame times between those of 24 and 240 Hz, with a frame on every 7th tick.
// (Frames of 60 ms would miss what a clip does between them: 0.12 voxel on jump_and_land.) Substeps
// begin with the first frame, on tick `first`.
static void shoot(sample_pair* s, double hz, int first, uint64_t seed, film* f) {
    tlw_output output = tlw_default_output();
    output.lattice.data = f->lattice;
    CHECK_OK(tlw_character_set_output(s->pair->world, s->pair->id, &output));
    const double begin = first / (double)TICKS_PER_SECOND, end = TICKS / (double)TICKS_PER_SECOND;
    swaying_pose(s, begin);
    pair_settle(s->pair);
    double t = begin;
    for (int k = 1; t < end; ++k) {
        double to = begin + k / hz;
        if (hz <= 0) {
            const double stop = 7 * (floor(t * TICKS_PER_SECOND / 7 + 1e-6) + 1) / TICKS_PER_SECOND;
            to = t + random_between(&seed, 1 / 240.0, 1 / 24.0);
            to = to > stop - 0.001 ? stop : to;
        }
        swaying_pose(s, to);
        CHECK_EQ(pair_step(s->pair, to - t, false) & ~(unsigned)TLW_STEP_ASLEEP, 0u);
        t = to;
        const double tick = floor(t * TICKS_PER_SECOND + 0.5);
        if (tick <= TICKS && fabs(t * TICKS_PER_SECOND - tick) < 1e-6) {
            f->has_frame[(int)tick] = true;
            f->belly[(int)tick] = output_belly(s, f->lattice);
            f->off[(int)tick] = sample_pair_belly_deviation(s);
            f->swing = fmax(f->swing, vec_length(f->off[(int)tick]));
            if (tick > first + 4 && f->has_frame[(int)tick - 4]) {
                const oracle_vec step = vec_sub(f->off[(int)tick], f->off[(int)tick - 4]);
                f->change = fmax(f->change, vec_length(step));
            }
        }
    }
}

// The state is compared where both runs have a substep, the output everywhere: at 24, 48, 144 Hz
// and at random times frames end between substeps, and the last three runs at 60 Hz have their
// substeps where the first run has none. The deviation that is drawn is up to a substep old, how
// old depends on the rate (MODEL 5.1), so outputs also differ by what a substep changes.
TLW_TEST(motion_does_not_depend_on_the_frame_rate_or_on_where_frames_fall_between_substeps) {
    skip_where_slow();
    static const struct {
        double hz;
        int first;
    } takes[] = {{240, 0}, {24, 0}, {30, 0}, {48, 0}, {60, 0}, {90, 0},
                 {144, 0}, {0, 0},  {60, 1}, {60, 2}, {60, 3}};
    static const char* const clips[] = {"dance", "walk", "jump_and_land"};
    static const tlw_preset presets[] = {TLW_PRESET_DEFAULT, TLW_PRESET_BUNNY};
    for (size_t c = 0; c < TLW_COUNT_OF(clips); ++c) {
        const oracle_pair_def def = {.preset = presets[c % 2]};
        sample_pair s = sample_pair_make("stout", clips[c], 24, 3, &def);
        float* lattice = calloc(s.pair->info.voxel_count, 12 * sizeof *lattice);
        CHECK(lattice != NULL);
        film first = {.lattice = lattice};
        shoot(&s, takes[0].hz, takes[0].first, 0, &first);
        for (size_t r = 1; r < TLW_COUNT_OF(takes); ++r) {
            film other = {.lattice = lattice};
            shoot(&s, takes[r].hz, takes[r].first, r, &other);
            double apart = 0, drawn_apart = 0;
            int on = 0, drawn = 0;
            for (int k = 1; k <= TICKS; ++k) {
                if (other.has_frame[k]) {
                    const double gap = vec_length(vec_sub(other.belly[k], first.belly[k]));
                    CHECK(first.has_frame[k]);
                    drawn_apart = fmax(drawn_apart, gap);
                    drawn += 1;
                    if (k % 4 == 0 && takes[r].first == 0) {
                        apart = fmax(apart, vec_length(vec_sub(other.off[k], first.off[k])));
                        on += 1;
                    }
                }
            }
            printf("    %-13s %-7s %3g Hz from tick %d: belly %.3f from 240 Hz on %3d substeps, "
                   "%.3f drawn in %d frames (it swings by %.2f, in a substep by %.2f)\n",
                   clips[c], tlw_preset_name(presets[c % 2]), takes[r].hz, takes[r].first, apart,
                   on, drawn_apart, drawn, first.swing, first.change);
            CHECK_LT(apart, 0.1);
            CHECK_LT(drawn_apart, 0.1 + first.change);
            CHECK_LT(10, drawn);
            CHECK(takes[r].first > 0 || on > 4);
        }
        free(lattice);
        sample_pair_free(&s);
    }
}

// Clips that jump

TLW_TEST(a_teleport_back_does_not_change_a_walking_clip) {
    skip_where_slow();
    const oracle_pair_def def = {.preset = TLW_PRESET_DEFAULT};
    sample_pair a = sample_pair_make("stout", "walk", 32, 3, &def),
                b = sample_pair_make("stout", "walk", 32, 3, &def);
    const double loop = tlw_actor_clip_seconds(&a.actor, a.clip), speed = 40; // voxels per second
    double worst = 0, swing = 0, back = 0;
    sample_pair_pose(&a, 0);
    sample_pair_pose(&b, 0);
    pair_settle(a.pair);
    pair_settle(b.pair);
    for (int n = 1; n <= 150; ++n) {
        const double t = n * PAIR_SUBSTEP;
        if (floor(t / loop) > floor((t - PAIR_SUBSTEP) / loop)) {
            back = speed * (t - PAIR_SUBSTEP);
            pair_teleport(b.pair, vec(0, 0, 0), (oracle_quat){0, 0, 0, 1});
        }
        sample_pair_pose(&a, t);
        sample_pair_pose(&b, t);
        pair_move_root(a.pair, vec(0, 0, speed * t));
        pair_move_root(b.pair, vec(0, 0, speed * t - back));
        CHECK_EQ(pair_step(a.pair, PAIR_SUBSTEP, false) & TLW_STEP_JUMPED, 0u);
        CHECK_EQ(pair_step(b.pair, PAIR_SUBSTEP, false) & TLW_STEP_JUMPED, 0u);
        pair_read(a.pair);
        pair_read(b.pair);
        for (uint32_t i = 0; i < a.pair->info.voxel_count; ++i) {
            worst = fmax(worst,
                         vec_length(vec_sub(pair_deviation(a.pair, i), pair_deviation(b.pair, i))));
            swing = fmax(swing, vec_length(pair_deviation(a.pair, i)));
        }
    }
    printf("    teleported: %.1e apart, of a swing of %.2f\n", worst, swing);
    CHECK_LT(0, back);
    CHECK_LT(worst, 1e-3);
    sample_pair_free(&a);
    sample_pair_free(&b);
}

TLW_TEST(a_bad_loop_seam_gives_no_kick) {
    skip_where_slow();
    const oracle_pair_def def = {.preset = TLW_PRESET_DEFAULT};
    sample_pair s = sample_pair_make("stout", "dance", 32, 3, &def);
    oracle_pair* pair = s.pair;
    sample_pair_pose(&s, 0.3);
    pair_settle(pair);
    hold(pair, 3);
    const double before = pair_largest_deviation(pair);
    sample_pair_pose(&s, 0.3); // the same pose, rotated by 180 degrees: the belly changes sides
    pair_rotate_root(pair, quat_exp(vec(0, 3, 0)));
    CHECK_EQ(pair_step(pair, PAIR_SUBSTEP, false) & TLW_STEP_JUMPED, (unsigned)TLW_STEP_JUMPED);
    double after = 0;
    for (int n = 0; n < 60; ++n) {
        after = fmax(after, pair_largest_deviation(pair));
        pair_step(pair, PAIR_SUBSTEP, false);
    }
    printf("    a standing dancer is off by %.4f, after a seam by %.4f\n", before, after);
    CHECK_LT(after, before + 1e-3);
    sample_pair_free(&s);
}
