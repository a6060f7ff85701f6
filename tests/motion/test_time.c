// SPDX-License-Identifier: MIT
// Motion and time (MODEL 3.9, 4.2, 4.4, 5.1): the same half-life for every length of a substep, the
// same motion for frames of any length, captured poses that jitter less on tissue than on the
// skeleton.
#include "tests/motion/motion_fixture.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TLW_TEST(half_life_does_not_depend_on_the_length_of_a_substep) {
    motion_skip_where_slow();
    static const int rates[] = {30, 60, 120};
    tlw_actor actor = motion_make_sample("stout", 32);
    double least = HUGE_VAL, most = 0;
    for (size_t k = 0; k < TLW_COUNT_OF(rates); ++k) {
        tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_DEFAULT);
        def.substep_seconds = 1.0 / rates[k];
        const tlw_motion_place_numbers belly =
            motion_run_once(&def, TLW_MOTION_STOP).places[TLW_MOTION_BELLY];
        printf("    h = 1/%d s: half-life %.3f s, %.2f Hz, overshoot %.2f%% of L\n", rates[k],
               belly.half_life_seconds, belly.hertz, 100 * belly.overshoot);
        least = fmin(least, belly.half_life_seconds);
        most = fmax(most, belly.half_life_seconds);
    }
    CHECK_LT(0, least);
    CHECK_LE(most, 1.25 * least);
    tlw_actor_free(&actor);
}

// ---- Frames of any length

// Rigid joints as the runtime interpolates them (MODEL 4.1): linear in translation, normalised
// linear in rotation.
static void to_quaternion(const float* m, double q[4]) {
    const double t = (double)m[0] + (double)m[5] + (double)m[10];
    if (t > 0) {
        const double s = 2 * sqrt(t + 1);
        q[3] = s / 4;
        q[0] = ((double)m[6] - (double)m[9]) / s;
        q[1] = ((double)m[8] - (double)m[2]) / s;
        q[2] = ((double)m[1] - (double)m[4]) / s;
        return;
    }
    const int i = m[0] > m[5] ? (m[0] > m[10] ? 0 : 2) : (m[5] > m[10] ? 1 : 2), j = (i + 1) % 3,
              k = (i + 2) % 3;
    const double s = 2 * sqrt(1 + (double)m[5 * i] - (double)m[5 * j] - (double)m[5 * k]);
    q[i] = s / 4;
    q[j] = ((double)m[4 * i + j] + (double)m[4 * j + i]) / s;
    q[k] = ((double)m[4 * i + k] + (double)m[4 * k + i]) / s;
    q[3] = ((double)m[4 * j + k] - (double)m[4 * k + j]) / s;
}

static void to_matrix(const double q[4], float* m) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    m[0] = (float)(1 - 2 * (y * y + z * z));
    m[1] = (float)(2 * (x * y + w * z));
    m[2] = (float)(2 * (x * z - w * y));
    m[4] = (float)(2 * (x * y - w * z));
    m[5] = (float)(1 - 2 * (x * x + z * z));
    m[6] = (float)(2 * (y * z + w * x));
    m[8] = (float)(2 * (x * z + w * y));
    m[9] = (float)(2 * (y * z - w * x));
    m[10] = (float)(1 - 2 * (x * x + y * y));
    m[3] = m[7] = m[11] = 0;
    m[15] = 1;
}

static void mix_joint(const float* from, const float* to, double share, float* out) {
    double a[4], b[4], dot = 0, length = 0;
    to_quaternion(from, a);
    to_quaternion(to, b);
    for (int k = 0; k < 4; ++k) {
        dot += a[k] * b[k];
    }
    for (int k = 0; k < 4; ++k) {
        a[k] += share * ((dot < 0 ? -b[k] : b[k]) - a[k]);
        length += a[k] * a[k];
    }
    for (int k = 0; k < 4; ++k) {
        a[k] /= sqrt(length);
    }
    to_matrix(a, out);
    for (int k = 12; k < 15; ++k) {
        out[k] = (float)((double)from[k] + share * ((double)to[k] - (double)from[k]));
    }
}

typedef struct moment {
    float* joints;
    double root[3];
} moment;

static void take_moment(tlw_motion* motion, uint32_t clip, double t, moment* out) {
    const double metres = motion->extent_voxels * motion->voxel_metres;
    tlw_motion_pose(motion, clip, t);
    memcpy(out->joints, motion->pose_joints,
           (size_t)motion->def.actor->info.joint_count * 16 * sizeof(float));
    out->root[0] = metres * 0.05 * sin(4 * t);
    out->root[1] = metres * 0.04 * sin(9 * t);
    out->root[2] = metres * 0.06 * sin(6 * t);
}

static void put_moment(tlw_motion* motion, const moment* from, const moment* to, double share) {
    for (size_t j = 0; j < motion->def.actor->info.joint_count; ++j) {
        mix_joint(from->joints + 16 * j, to->joints + 16 * j, share, motion->pose_joints + 16 * j);
    }
    for (int a = 0; a < 3; ++a) {
        motion->root.position[a] = from->root[a] + share * (to->root[a] - from->root[a]);
    }
}

// The largest distance between the belly's means of a run with random frames up to 100 ms and one
// at 60 Hz that sees the same poses, in voxels.
static double run_apart(const tlw_actor* actor, const char* clip_name, uint64_t seed,
                        double seconds, double* swing) {
    const double h = 1 / 60.0;
    const tlw_motion_def def = motion_def_of(actor, TLW_PRESET_DEFAULT);
    tlw_motion *random = motion_open(&def), *steady = motion_open(&def);
    const size_t joints_bytes = (size_t)actor->info.joint_count * 16 * sizeof(float);
    moment moments[2] = {{.joints = malloc(joints_bytes)}, {.joints = malloc(joints_bytes)}};
    moment *last = &moments[0], *now = &moments[1];
    uint32_t clip;
    tlw_scene_error error;
    CHECK(last->joints && now->joints);
    CHECK_EQ(tlw_actor_find_clip(actor, clip_name, &clip, &error), TLW_SCENE_OK);
    take_moment(random, clip, 0, last);
    tlw_motion* both[] = {random, steady};
    for (int k = 0; k < 2; ++k) {
        put_moment(both[k], last, last, 0);
        tlw_motion_settle(both[k]);
    }
    double t = 0, worst = 0;
    uint32_t substeps = 0;
    *swing = 0;
    while (t < seconds) {
        const double dt = motion_random(&seed, 0.001, 0.1);
        take_moment(random, clip, t + dt, now);
        put_moment(random, last, now, 1);
        tlw_motion_step(random, dt);
        tlw_character_report report;
        CHECK_OK(tlw_character_get_report(random->world, random->id, &report));
        for (uint32_t k = 0; k < report.substeps; ++k) {
            substeps += 1;
            put_moment(steady, last, now, fmin(fmax((substeps * h - t) / dt, 0), 1));
            tlw_motion_step(steady, h);
        }
        tlw_motion_read(random);
        tlw_motion_read(steady);
        double a[3], b[3], gap = 0, length = 0;
        tlw_motion_mean_deviation(random, TLW_MOTION_BELLY, a);
        tlw_motion_mean_deviation(steady, TLW_MOTION_BELLY, b);
        for (int k = 0; k < 3; ++k) {
            gap += (a[k] - b[k]) * (a[k] - b[k]);
            length += b[k] * b[k];
        }
        worst = fmax(worst, sqrt(gap));
        *swing = fmax(*swing, sqrt(length));
        t += dt;
        moment* other = last;
        last = now;
        now = other;
    }
    CHECK_EQ(random->flags_seen | steady->flags_seen, 0u);
    free(last->joints);
    free(now->joints);
    tlw_motion_close(random);
    tlw_motion_close(steady);
    return worst;
}

TLW_TEST(frames_of_up_to_100_ms_move_tissue_as_60_hz_with_the_same_poses) {
    motion_skip_where_slow();
    static const char* const runs[][2] = {
        {"stout", "dance"}, {"stout", "walk"}, {"bunny", "dance"}, {"bunny", "walk"}};
    for (size_t k = 0; k < TLW_COUNT_OF(runs); ++k) {
        tlw_actor actor = motion_make_sample(runs[k][0], 32);
        for (uint64_t seed = 1; seed <= (motion_is_full() ? 20 : 2); ++seed) {
            double swing;
            const double apart = run_apart(&actor, runs[k][1], seed, 4, &swing);
            printf("    %s %s: belly %.1e voxel apart, of a swing of %.2f\n", runs[k][0],
                   runs[k][1], apart, swing);
            CHECK_LT(0.1, swing);
            CHECK_LT(apart, 1e-3);
        }
        tlw_actor_free(&actor);
    }
}

// ---- Captured poses

TLW_TEST(captured_poses_jitter_less_on_tissue_than_on_the_skeleton) {
    motion_skip_where_slow();
    static const double noises_mm[] = {0, 10, 20, 30};
    for (size_t c = 0; c < 2; ++c) {
        tlw_actor actor = motion_make_sample(motion_characters[c].name, 32);
        const tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_DEFAULT);
        tlw_motion* motion = motion_open(&def);
        for (size_t k = 0; k < TLW_COUNT_OF(noises_mm); ++k) {
            tlw_motion_jitter_def jitter = tlw_default_motion_jitter_def();
            tlw_scene_error error;
            double share;
            jitter.noise = noises_mm[k] / TLW_MOTION_HEIGHT_MM;
            jitter.clip = tlw_motion_clip_experiment(&actor).clip;
            CHECK_EQ(tlw_motion_jitter(motion, &jitter, &share, &error), TLW_SCENE_OK);
            printf("    %s, held 30 Hz poses, %2.0f mm of noise: jitter %.2f of plain skinning\n",
                   actor.name, noises_mm[k], share);
            CHECK_LT(0, share);
            CHECK_LT(share, 0.7);
        }
        tlw_motion_close(motion);
        tlw_actor_free(&actor);
    }
}

TLW_TEST(captured_poses_jitter_alike_by_root_and_joints_and_least_with_the_filter) {
    motion_skip_where_slow();
    tlw_actor actor = motion_make_sample("bunny", 32);
    double shares[3]; // in the root; in the joints; in the joints, with the filter
    for (size_t k = 0; k < TLW_COUNT_OF(shares); ++k) {
        tlw_motion_def def = motion_def_of(&actor, TLW_PRESET_DEFAULT);
        def.has_pose_filter = k == 2;
        tlw_motion* motion = motion_open(&def);
        tlw_motion_jitter_def jitter = tlw_default_motion_jitter_def();
        jitter.clip = tlw_motion_clip_experiment(&actor).clip;
        jitter.is_in_joints = k > 0;
        tlw_scene_error error;
        CHECK_EQ(tlw_motion_jitter(motion, &jitter, &shares[k], &error), TLW_SCENE_OK);
        tlw_motion_close(motion);
    }
    printf("    20 mm of noise in the root: %.3f of plain skinning; in the joints: %.3f, with the "
           "filter %.3f\n",
           shares[0], shares[1], shares[2]);
    CHECK_NEAR(shares[1], shares[0], 0.02);
    CHECK_LT(shares[2], 0.5 * shares[1]);
    tlw_actor_free(&actor);
}
