// SPDX-License-Identifier: MIT
// What bellies promise on tissue and on the surface (MODEL 3.19, 10), on the arm of tools/motion.
#include "tests/runtime/support/arm_study.h"
#include "tools/motion/surface.h"

#include <math.h>
#include <stdio.h>

enum { BICEPS };

static void skip_where_slow(void) {
    if (TLW_UNDER_SANITIZER) {
        tlw_test_skip(__FILE__, __LINE__, "minutes under a sanitizer");
    }
}

// ---- Tissue

// Share of m that outer voxels follow, against the same arm without muscles: sum of dp.m over sum
// of m.m.
static double share_of_rise(const arm_study* s, const arm_study* bare, double* most) {
    double followed = 0.0, asked = 0.0;
    *most = 0.0;
    tlw_motion_read(s->motion);
    tlw_motion_read(bare->motion);
    for (uint32_t v = 0; v < s->motion->voxel_count; ++v) {
        const tlw_voxel_state *a = &s->motion->voxels[v], *b = &bare->motion->voxels[v];
        double m2 = 0.0;
        for (int i = 0; i < 3 && s->motion->layers[v] == s->actor.info.layer_count - 1; ++i) {
            const double m = (double)a->skinned[i] - (double)b->skinned[i];
            m2 += m * m;
            followed += m * ((double)a->position[i] - (double)b->position[i]);
        }
        asked += m2;
        *most = fmax(*most, sqrt(m2));
    }
    return followed / asked;
}

TLW_TEST(skin_rises_by_all_of_what_bellies_displace) {
    skip_where_slow();
    static const tlw_preset presets[] = {TLW_PRESET_COOKED, TLW_PRESET_BUNNY};
    for (int k = 0; k < 4; ++k) {
        arm_study_def def = {.muscles = TLW_ARM_BOTH, .preset = presets[k % 2], .is_lame = k >= 2};
        arm_study s, bare;
        arm_study_make(&s, &def);
        def.muscles = TLW_ARM_BARE;
        arm_study_make(&bare, &def);
        CHECK_EQ(s.actor.info.has_lame, k >= 2);
        for (int degrees = 60; degrees <= 90; degrees += 30) {
            double most;
            arm_study* const both[2] = {&s, &bare};
            for (int i = 0; i < 2; ++i) {
                arm_study_reset(both[i], 0.0);
                arm_study_bend(both[i], 0.0, degrees, 30);
                arm_study_hold(both[i], 180);
            }
            const double share = share_of_rise(&s, &bare, &most);
            printf("    %s%s, %d degrees: %.2f%% of up to %.2f\n", tlw_preset_name(presets[k % 2]),
                   k >= 2 ? ", lame" : "", degrees, 100 * share, most);
            CHECK_LT(0.1, most);
            CHECK_NEAR(share, 1.0, 0.02);
        }
        arm_study_free(&s);
        arm_study_free(&bare);
    }
}

// ---- The surface

// Circumference of the upper arm at a share of its length, and the volume inside the whole surface,
// in voxels.
typedef struct girth {
    double around, volume;
} girth;

// Where a triangle's edges cross the plane x = cut: 2 places, or none.
static bool cross(const double p[3][3], double cut, double ends[2][3]) {
    int count = 0;
    for (int i = 0; i < 3 && count < 2; ++i) {
        const double *from = p[i], *to = p[(i + 1) % 3];
        if ((from[0] < cut) != (to[0] < cut)) {
            const double f = (cut - from[0]) / (to[0] - from[0]);
            for (int a = 0; a < 3; ++a) {
                ends[count][a] = from[a] + f * (to[a] - from[a]);
            }
            ++count;
        }
    }
    return count == 2;
}

static double determinant(const double p[3][3]) {
    return p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
           p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
           p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
}

static girth measure(arm_study* s, double share) {
    const tlw_surface_look look = {TLW_EMBED_FIT, 0.0f, TLW_NORMALS_BY_GRADIENT};
    const double voxel = TLW_ARM_VOXEL_METRES, cut = (share - 1.0) * TLW_ARM_UPPER_METRES;
    tlw_surface surface;
    uint64_t count;
    const uint32_t* indices = tlw_actor_indices(&s->actor, &count);
    CHECK_EQ(tlw_surface_open(&surface, &s->actor, NULL), TLW_SCENE_OK);
    CHECK(tlw_surface_embed(&surface, s->motion, &look));
    girth sum = {0.0, 0.0};
    for (uint64_t t = 0; t < count; t += 3) {
        double p[3][3], ends[2][3];
        bool is_upper = true;
        for (int i = 0; i < 3; ++i) {
            const uint32_t vertex = indices[t + (uint64_t)i];
            is_upper = is_upper && surface.joint_of[surface.welded_of[vertex]] == 0;
            for (int a = 0; a < 3; ++a) {
                p[i][a] = (double)surface.positions[(size_t)vertex * 3 + (size_t)a];
            }
        }
        sum.around += is_upper && cross(p, cut, ends) ? arm_study_distance(ends[0], ends[1]) : 0.0;
        sum.volume += determinant(p) / 6.0;
    }
    tlw_surface_close(&surface);
    return (girth){sum.around / voxel, fabs(sum.volume) / (voxel * voxel * voxel)};
}

// At rest by motion.
static girth measure_bent(arm_study* s, double degrees) {
    arm_study_reset(s, 0.0);
    arm_study_bend(s, 0.0, degrees, 30);
    arm_study_hold(s, 90);
    return measure(s, 0.47);
}

// Volume of a muscle at rest, from its radii and places along the bone.
static double belly_volume(const arm_study* s, uint32_t muscle) {
    double sum = 0.0;
    arm_line line;
    const uint32_t count = arm_study_line(s, muscle, line);
    for (uint32_t i = 1; i < count; ++i) {
        for (uint32_t k = i - 1; k <= i; ++k) {
            const double r = (double)s->arm.lines[muscle][k].radius *
                             (double)s->arm.muscles[muscle].radius / TLW_ARM_VOXEL_METRES;
            sum += 0.5 * r * r * arm_study_distance(line[i - 1], line[i]);
        }
    }
    return 3.14159265358979323846 * sum;
}

// Percent of the circumference at rest, at 30, 60, 90 and 120 degrees. It depends much on where it
// is measured, because a muscle that shortens slides towards the shoulder: 1.9% in place of 2.8% at
// 0.51 of the upper arm.
TLW_TEST(upper_arm_thickens_with_the_elbows_angle_and_the_surface_keeps_the_biceps_volume) {
    skip_where_slow();
    static const struct {
        arm_study_def def;
        double thicker[4];
    } cases[] = {
        {{.muscles = TLW_ARM_BARE}, {0.0, 0.0, -0.1, -0.1}},
        {{.muscles = TLW_ARM_BICEPS}, {1.07, 2.14, 2.82, 2.66}},
        {{.muscles = TLW_ARM_BICEPS, .bulge = 2.0f}, {1.74, 3.78, 5.39, 5.42}},
        {{.muscles = TLW_ARM_BOTH}, {-0.23, -0.08, 0.00, -0.65}},
    };
    double bare[4] = {0.0};
    for (size_t k = 0; k < TLW_COUNT_OF(cases); ++k) {
        arm_study s;
        arm_study_make(&s, &cases[k].def);
        const girth rest = measure(&s, 0.47);
        const double belly = k == 1 ? belly_volume(&s, BICEPS) : 0.0;
        for (int i = 0; i < 4; ++i) {
            const girth now = measure_bent(&s, 30.0 * (i + 1));
            const double thicker = 100.0 * (now.around / rest.around - 1.0);
            printf("    %d muscles, bulge %g, %d degrees: %+.2f%%\n", (int)cases[k].def.muscles,
                   (double)cases[k].def.bulge, 30 * (i + 1), thicker);
            CHECK_NEAR(thicker, cases[k].thicker[i], 0.5);
            if (k == 0) {
                bare[i] = now.volume;
            } else if (k == 1) {
                printf("    volume %+.1f%% of the belly's\n", 100 * (now.volume - bare[i]) / belly);
                CHECK_LT(fabs(now.volume - bare[i]), 0.1 * belly);
            }
        }
        arm_study_free(&s);
    }
}

// Tension goes from 0 to 1 in one step. Percent of the circumference.
TLW_TEST(flexed_muscle_rises_at_once_and_rings_little) {
    skip_where_slow();
    static const tlw_preset presets[] = {TLW_PRESET_COOKED, TLW_PRESET_BUNNY};
    for (int k = 0; k < 2; ++k) {
        enum { FRAMES = 60 };
        double rise[FRAMES], peak = 0.0;
        int settled = 0;
        arm_study s;
        arm_study_make(&s, &(arm_study_def){.muscles = TLW_ARM_BICEPS, .preset = presets[k]});
        arm_study_hold(&s, 10);
        const girth rest = measure(&s, 0.47);
        arm_study_set_tension(&s, BICEPS, 1.0f);
        for (int i = 0; i < FRAMES; ++i) {
            arm_study_hold(&s, 1);
            rise[i] = 100.0 * (measure(&s, 0.47).around / rest.around - 1.0);
            peak = fmax(peak, rise[i]);
        }
        const double end = rise[FRAMES - 1];
        for (int i = 0; i < FRAMES; ++i) {
            settled = fabs(rise[i] / end - 1.0) > 0.05 ? i + 1 : settled;
        }
        const double seconds = (settled + 1) * ARM_FRAME;
        printf("    %s: %+.3f%%, peak %.3f%%, within 5%% after %.3f s\n",
               tlw_preset_name(presets[k]), end, peak, seconds);
        CHECK_NEAR(end, 1.17, 0.15);
        CHECK_LT(1.1 * end, peak);
        CHECK_LT(peak, 1.45 * end);
        CHECK_LT(seconds, 0.2);
        arm_study_free(&s);
    }
}
