// SPDX-License-Identifier: MIT
// What embeddings do to the surface (MODEL 5): creases of a real jiggle, seams of radial basis
// functions, how far one leg moves the other, normals. Creases are root mean square changes of the
// angles between triangles against skinning alone, in degrees.
#include "tests/helpers.h"
#include "tests/motion/motion_fixture.h"
#include "tests/test.h"
#include "tools/motion/surface.h"

#include <stdlib.h>

static const tlw_surface_look look_delta = {.embedding = TLW_EMBED_DELTA};
static const tlw_surface_look look_fit = {.embedding = TLW_EMBED_FIT, .smoothing = 0.25f};
static const tlw_surface_look look_plane = {.embedding = TLW_EMBED_FIT, .smoothing = 1.0f};
static const tlw_surface_look look_rbf = {.embedding = TLW_EMBED_RBF};

static const char* const samples[] = {"bunny", "stout", "thin"};
enum { SAMPLE_COUNT = TLW_UNDER_SANITIZER ? 1 : 3, THIN = 2 };

// A sample cooked for every embedding.
typedef struct subject {
    tlw_actor actor;
    tlw_motion* motion;
    tlw_surface surface;
} subject;

static tlw_cook_recipe recipe_of(uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.embedding = TLW_COOK_EMBED_RBF;
    recipe.has_ring_normals = true;
    return recipe;
}

// Takes an actor whose code says whether it was made.
static void subject_open(subject* s, tlw_scene_code made, tlw_scene_error* error) {
    const tlw_motion_def def = motion_def_of(&s->actor, TLW_PRESET_DEFAULT);
    if (made != TLW_SCENE_OK || tlw_surface_open(&s->surface, &s->actor, error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error->message);
    }
    s->motion = motion_open(&def);
}

static void subject_make(subject* s, const char* sample, uint32_t resolution, uint32_t passes) {
    tlw_cook_recipe recipe = recipe_of(resolution);
    tlw_scene_error error = {0};
    recipe.seam_passes = passes;
    const tlw_scene_code code = tlw_actor_make(&s->actor, sample, &recipe, &error);
    subject_open(s, code, &error);
}

static void subject_free(subject* s) {
    tlw_surface_close(&s->surface);
    tlw_motion_close(s->motion);
    tlw_actor_free(&s->actor);
}

static double crease(subject* s, const tlw_surface_look* look, tlw_surface_edges which) {
    CHECK(tlw_surface_embed(&s->surface, s->motion, look));
    return tlw_surface_crease(&s->surface, which);
}

TLW_TEST(fit_is_smoother_than_delta_and_as_large) {
    static const uint32_t resolutions[] = {24, 32, 48};
    for (size_t n = 0; n < SAMPLE_COUNT; ++n) {
        for (size_t k = 0; k < (TLW_UNDER_SANITIZER ? 1 : TLW_COUNT_OF(resolutions)); ++k) {
            subject s;
            subject_make(&s, samples[n], resolutions[k], 5);
            tlw_surface_jiggle(s.motion);
            const double delta = crease(&s, &look_delta, TLW_SURFACE_ALL_EDGES);
            const double rms = tlw_surface_rms(&s.surface);
            const double fit = crease(&s, &look_fit, TLW_SURFACE_ALL_EDGES);
            const double size = tlw_surface_rms(&s.surface) / rms;
            const double plane = crease(&s, &look_plane, TLW_SURFACE_ALL_EDGES);
            printf("    %s %u: delta %.2f, fit 0.25 %.2f, fit 1 %.2f degrees; rms of fit 0.25 %.3f "
                   "of delta's\n",
                   samples[n], resolutions[k], delta, fit, plane, size);
            CHECK_LT(0.5, delta);
            CHECK_LE(fit, 0.92 * delta);
            CHECK_LE(plane, 0.70 * delta);
            // The thin sample hardly swings, 0.06 voxel rms at 24 and 32, and a fifth of its voxels
            // is bone, an eighth elsewhere. It is the smoothing that takes 5% off at 32: with 0
            // instead of 0.25 the rms is 1.02 of delta's. Planes with bone in them, which stays and
            // has mass 10, probably explain it.
            CHECK_NEAR(size, 1.0, n == THIN ? 0.06 : 0.03);
            subject_free(&s);
        }
    }
}

TLW_TEST(rbf_is_smoother_than_delta_and_its_passes_smooth_seams) {
    for (size_t n = 0; n < SAMPLE_COUNT; ++n) {
        for (uint32_t resolution = 32; resolution <= (TLW_UNDER_SANITIZER ? 32 : 48);
             resolution += 16) {
            subject s, without;
            subject_make(&s, samples[n], resolution, 5);
            subject_make(&without, samples[n], resolution, 0);
            tlw_surface_jiggle(s.motion);
            tlw_surface_jiggle(without.motion);
            const double delta = crease(&s, &look_delta, TLW_SURFACE_ALL_EDGES);
            const double rbf = crease(&s, &look_rbf, TLW_SURFACE_ALL_EDGES);
            const double seams = tlw_surface_crease(&s.surface, TLW_SURFACE_SEAM_EDGES);
            const double rough = crease(&without, &look_rbf, TLW_SURFACE_SEAM_EDGES);
            printf("    %s %u: delta %.2f, rbf %.2f; seams %.2f, without passes %.2f degrees\n",
                   samples[n], resolution, delta, rbf, seams, rough);
            CHECK_LE(rbf, 0.95 * delta);
            CHECK_LE(seams, 0.55 * rough);
            subject_free(&s);
            subject_free(&without);
        }
    }
}

// Figure 2 of Luo et al., on legs that are 0.8 to 1 distances of centres apart: turned inwards by 4
// or 5 degrees instead of 6, 1.2 to 1.8 distances, a single system leaks 7 to 11%. On the samples
// as they are legs are 2 to 2.7 distances apart, and the number says nothing: their meshes are so
// fine that eight edges are 2 distances, which the functions at the hip reach, so that it is 4 to
// 8% in a single system and 4 to 14% in several.
TLW_TEST(a_leg_moves_the_other_one_in_a_single_system_but_not_in_several) {
    const double angle = 6.0;
    for (uint32_t resolution = 24; resolution <= (TLW_UNDER_SANITIZER ? 24 : 48);
         resolution += resolution == 24 ? 8 : 16) {
        const tlw_cook_recipe recipe = recipe_of(resolution);
        tlw_sample_def def = tlw_default_sample_def(TLW_SAMPLE_THIN);
        def.resolution = 64;
        tlw_actor sample;
        subject s;
        tlw_scene_error error = {0};
        CHECK_EQ(tlw_actor_make_from(&sample, &def, &recipe, &error), TLW_SCENE_OK);
        const tlw_scene_code code =
            tlw_surface_close_legs(&sample, angle, &recipe, &s.actor, &error);
        subject_open(&s, code, &error);
        tlw_surface_limb leg;
        CHECK(tlw_surface_limb_open(&s.surface, s.motion, "leg_l", &leg));
        tlw_surface_limb_move(&leg, s.motion);
        CHECK(tlw_surface_embed(&s.surface, s.motion, &look_rbf));
        const double several = tlw_surface_limb_leak(&s.surface, &leg, s.surface.deltas);
        CHECK(tlw_surface_embed(&s.surface, s.motion, &look_fit));
        const double fit = tlw_surface_limb_leak(&s.surface, &leg, s.surface.deltas);
        CHECK(tlw_surface_embed_single(&s.surface, s.motion));
        const double single = tlw_surface_limb_leak(&s.surface, &leg, s.surface.deltas);
        printf("    thin %u: single system %.1f%%, domains %.1f%%, fit %.1f%%\n", resolution,
               100 * single, 100 * several, 100 * fit);
        CHECK_LT(0.10, single);
        CHECK_LT(several, 0.04);
        CHECK_LT(fit, 0.04);
        tlw_surface_limb_close(&leg);
        subject_free(&s);
        tlw_actor_free(&sample);
    }
}

typedef struct normal_errors {
    double gradient, ring, geometric;
} normal_errors;

static normal_errors errors_of(subject* s, tlw_surface_look look) {
    normal_errors e;
    look.normals_by = TLW_NORMALS_BY_GRADIENT;
    CHECK(tlw_surface_embed(&s->surface, s->motion, &look));
    e.gradient = tlw_surface_normal_error(&s->surface, s->surface.normals);
    look.normals_by = TLW_NORMALS_BY_RING;
    CHECK(tlw_surface_embed(&s->surface, s->motion, &look));
    e.ring = tlw_surface_normal_error(&s->surface, s->surface.normals);
    CHECK(tlw_surface_geometric_normals(&s->surface, s->surface.positions, s->surface.normals));
    e.geometric = tlw_surface_normal_error(&s->surface, s->surface.normals);
    return e;
}

TLW_TEST(ring_normals_are_nearer_to_the_true_ones_than_gradients) {
    for (size_t n = 0; n < SAMPLE_COUNT; ++n) {
        subject s;
        subject_make(&s, samples[n], 32, 5);
        tlw_surface_impose(s.motion, tlw_surface_sines, NULL, NULL);
        const normal_errors delta = errors_of(&s, look_delta), fit = errors_of(&s, look_fit);
        printf("    %s 32, degrees: gradient %.2f; ring, delta %.2f, fit %.2f; geometric, delta "
               "%.2f, fit %.2f\n",
               samples[n], fit.gradient, delta.ring, fit.ring, delta.geometric, fit.geometric);
        CHECK_LE(delta.ring, 0.95 * delta.gradient);
        CHECK_LE(fit.ring, 0.5 * fit.gradient);
        CHECK_LE(delta.ring, 0.7 * delta.geometric);
        CHECK_LE(fit.ring, 0.5 * fit.geometric);
        CHECK_LE(fit.gradient, 2.0);
        subject_free(&s);
    }
}
