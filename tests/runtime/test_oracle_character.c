// SPDX-License-Identifier: MIT
// Holds the oracle to the figures of MODEL 10 on the stout sample, cooked by the cooking oracle:
// how far a belly overshoots that stops, and how it rests, runs and recovers. Prints its figures.
#include "tests/cook/support/sample_input.h"
#include "tests/runtime/oracle/cooked_input.h"
#include "tests/runtime/support/ringing.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

#define H             (1.0 / 60.0)
#define JOINTS_MAX    32
#define MATERIALS_MAX 128 // parts times layers

typedef struct character {
    cooked_input* cooked;
    oracle* o;
    oracle_trs joints[JOINTS_MAX];
    oracle_pose pose;
    double ks[MATERIALS_MAX], kd[MATERIALS_MAX], anchors[MATERIALS_MAX];
    bool* is_belly; // [voxel] soft, in the front half of the belly's ellipsoid
} character;

// The ellipsoid of the stout's belly, as tools/sample makes it, in metres.
static bool is_in_belly(const oracle_input* input, uint32_t voxel) {
    static const double centre[3] = {0, 0.496, 0.0488}, radii[3] = {0.384, 0.32, 0.3652};
    double sum = 0, x[3];
    for (int a = 0; a < 3; ++a) {
        x[a] = input->origin[a] + input->voxel_metres * (input->cell[voxel][a] + 0.5) - centre[a];
        sum += x[a] * x[a] / (radii[a] * radii[a]);
    }
    return input->layer[voxel] != 0 && sum < 1.1 && x[2] > 0.4 * radii[2];
}

// The preset's materials, and those of firm parts in every part but the first (RULES 8.6); the
// recipe makes no others.
static oracle_settings make_settings(character* c, oracle_preset preset) {
    const oracle_input* input = &c->cooked->input;
    oracle_settings settings = oracle_preset_settings(preset);
    for (uint32_t i = 0; i < input->voxel_count; ++i) {
        const uint32_t needed = input->material[i] + 1u;
        settings.material_count =
            needed > settings.material_count ? needed : settings.material_count;
    }
    CHECK_LE(settings.material_count, MATERIALS_MAX);
    for (uint32_t m = 0; m < settings.material_count; ++m) {
        const bool is_firm = m >= ORACLE_LAYERS;
        c->ks[m] = is_firm ? 2 : settings.ks[m];
        c->kd[m] = is_firm ? 0.1 : settings.kd[m];
        c->anchors[m] = is_firm ? 12 : settings.anchors[m];
    }
    settings.ks = c->ks;
    settings.kd = c->kd;
    settings.anchors = c->anchors;
    return settings;
}

static character* make_character(uint32_t resolution, oracle_preset preset) {
    character* c = calloc(1, sizeof *c); // settings and pose point into it
    CHECK(c != NULL);
    sample_input* sample = sample_input_make(TLW_SAMPLE_STOUT);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    c->cooked = cooked_input_make(sample_input_get(sample), &recipe);
    sample_input_free(sample);
    const oracle_input* input = &c->cooked->input;
    CHECK_LE(input->joint_count, JOINTS_MAX);
    for (uint32_t j = 0; j < input->joint_count; ++j) {
        const double* m = input->bind[j];
        const oracle_mat r = mat_of_columns(vec_of(m), vec_of(m + 4), vec_of(m + 8));
        c->joints[j] = (oracle_trs){vec_of(m + 12), quat_of_mat(&r), vec(1, 1, 1), vec(0, 0, 0)};
    }
    c->pose = (oracle_pose){.root_rotation = {0, 0, 0, 1}, .root_scale = 1};
    const oracle_settings settings = make_settings(c, preset);
    c->pose.trs = c->joints;
    c->o = oracle_create(input, &settings, &c->pose);
    c->is_belly = calloc(input->voxel_count, sizeof *c->is_belly);
    CHECK(c->o && c->is_belly);
    for (uint32_t i = 0; i < input->voxel_count; ++i) {
        c->is_belly[i] = is_in_belly(input, i);
    }
    return c;
}

static void free_character(character* c) {
    oracle_destroy(c->o);
    cooked_input_free(c->cooked);
    free(c->is_belly);
    free(c);
}

static void step(character* c, oracle_vec voxels, double dt) {
    const double metres = c->cooked->input.voxel_metres;
    c->pose.trs = c->joints;
    c->pose.root_position[0] += metres * voxels.x;
    c->pose.root_position[1] += metres * voxels.y;
    c->pose.root_position[2] += metres * voxels.z;
    CHECK(oracle_set_pose(c->o, &c->pose));
    CHECK_EQ(oracle_step(c->o, dt, false), 0u);
}

// Mean deviation of the belly, and the largest along z.
static oracle_vec belly_mean(const character* c, double* largest) {
    oracle_vec sum = {0, 0, 0};
    uint32_t count = 0;
    *largest = -HUGE_VAL;
    for (uint32_t i = 0; i < c->cooked->input.voxel_count; ++i) {
        if (c->is_belly[i]) {
            const oracle_vec d = vec_sub(c->o->p[i], c->o->p_skin_prev[i]);
            sum = vec_add(sum, d);
            *largest = fmax(*largest, d.z);
            count += 1;
        }
    }
    CHECK_LT(50u, count);
    return vec_scale(sum, 1.0 / count);
}

typedef struct stop_figures {
    ringing mean;             // of the belly's mean
    double largest_overshoot; // of any voxel of the belly
    double largest_of_all;    // deviation of any voxel
    double volume_error[2]; // mean |V - 1| while the belly rings: before volume, after the substep
} stop_figures;

static stop_figures stop(character* c, double voxels_per_second, oracle_vec along) {
    stop_figures f = {0};
    for (int k = 0; k < 120; ++k) {
        step(c, vec_scale(along, voxels_per_second * H), H);
    }
    enum { RING = 90 };
    double largest, means[RING];
    for (int k = 0; k < RING; ++k) {
        step(c, vec(0, 0, 0), H);
        means[k] = vec_dot(belly_mean(c, &largest), along);
        f.largest_overshoot = fmax(f.largest_overshoot, largest);
        f.largest_of_all = fmax(f.largest_of_all, oracle_largest_deviation(c->o));
        for (uint32_t i = 0; i < c->cooked->input.voxel_count && k < 30; ++i) {
            const double share = 1.0 / (30.0 * c->cooked->input.voxel_count);
            const double after = oracle_stencil_volume(c->o, c->o->p, i);
            f.volume_error[0] += share * fabs(c->o->volume[i] - 1);
            f.volume_error[1] += share * fabs(after - 1);
        }
    }
    f.mean = measure_ringing(means, RING, H);
    return f;
}

static void print_stop(const char* what, const character* c, stop_figures f) {
    const double L = c->cooked->input.extent_voxels;
    printf(
        "    %s: %u voxels, overshoot mean %.2f (%.1f%% of L) largest %.2f, all %.2f, below 10%% "
        "after %.2f s, %.2f Hz, mean |V-1| %.3f, after volume %.3f\n",
        what, c->cooked->input.voxel_count, f.mean.overshoot, 100 * f.mean.overshoot / L,
        f.largest_overshoot, f.largest_of_all, f.mean.seconds_to_tenth, f.mean.hertz,
        f.volume_error[0], f.volume_error[1]);
}

TLW_TEST(a_stout_belly_stopped_from_30_voxels_per_second_overshoots_as_designed) {
    character* c = make_character(32, ORACLE_PRESET_BUNNY);
    c->o->settings.is_limit_off = true;
    const stop_figures f = stop(c, 30, vec(0, 0, 1));
    print_stop("bunny, res 32, limit off", c, f);
    CHECK_LT(1.0, f.mean.overshoot);
    CHECK_LT(f.mean.overshoot, 2.5);
    CHECK_LT(f.mean.seconds_to_tenth, 0.8);
    free_character(c);
}

TLW_TEST(a_character_at_rest_stays_and_keeps_up_with_a_run) {
    character* c = make_character(32, ORACLE_PRESET_DEFAULT);
    for (int k = 0; k < 10; ++k) {
        step(c, vec(0, 0, 0), H);
        CHECK_LT(oracle_largest_deviation(c->o), 1e-5);
    }
    double after_two = 0;
    for (int k = 1; k <= 180; ++k) {
        step(c, vec(0.2, 0, 0.3), H);
        after_two = k == 120 ? oracle_largest_deviation(c->o) : after_two;
    }
    printf("    default: lag %.1e after 2 s of a run, %.1e after 3 s\n", after_two,
           oracle_largest_deviation(c->o));
    CHECK_LT(after_two, 0.05);
    CHECK_LT(oracle_largest_deviation(c->o), 0.01);
    double after_four = 0, after_five = 0;
    for (int k = 1; k <= 360; ++k) {
        step(c, vec(0, 0, 0), H);
        after_four = k == 240 ? oracle_largest_deviation(c->o) : after_four;
        after_five = k == 300 ? oracle_largest_deviation(c->o) : after_five;
    }
    printf("    default: %.1e left 4 s after its stop, %.1e after 5 s, %.1e after 6 s\n",
           after_four, after_five, oracle_largest_deviation(c->o));
    CHECK_LT(after_four, 1e-3);
    CHECK_LT(oracle_largest_deviation(c->o), 1e-4);
    uint64_t seed = 41;
    for (uint32_t i = 0; i < c->cooked->input.voxel_count; ++i) {
        double sum[3] = {0, 0, 0};
        for (int k = 0; k < 36; ++k) { // about normal, sigma 10
            sum[k % 3] += 10 * ((double)(tlw_test_random(&seed) >> 11) * 0x1p-53 - 0.5);
        }
        c->o->p[i] = vec_add(c->o->p[i], vec_of(sum));
    }
    double after_one = 0;
    for (int k = 0; k < 120; ++k) {
        step(c, vec(0, 0, 0), H);
        after_one = k == 59 ? oracle_largest_deviation(c->o) : after_one;
    }
    printf("    garbage: %.3f after 1 s, %.4f after 2 s\n", after_one,
           oracle_largest_deviation(c->o));
    CHECK_LT(after_one, 0.3);
    CHECK_LT(oracle_largest_deviation(c->o), 0.01);
    free_character(c);
}

TLW_TEST(a_stop_looks_the_same_at_every_resolution) {
    double least = HUGE_VAL, most = 0;
    const uint32_t finest = getenv("TLW_TEST_FULL") ? 48 : 32; // 48: most of a minute
    for (uint32_t resolution = 24; resolution <= finest; resolution += 8) {
        character* c = make_character(resolution, ORACLE_PRESET_DEFAULT);
        const stop_figures f = stop(c, 30.0 * resolution / 32, vec(0, 0, 1));
        char title[32];
        (void)snprintf(title, sizeof title, "default, res %u", resolution);
        print_stop(title, c, f);
        const double share = f.mean.overshoot / c->cooked->input.extent_voxels;
        least = fmin(least, share);
        most = fmax(most, share);
        free_character(c);
    }
    CHECK_LT(most, 1.6 * least);
}

TLW_TEST(embedded_vertices_of_a_character_at_rest_are_where_they_were) {
    character* c = make_character(32, ORACLE_PRESET_DEFAULT);
    const cooked_input* cooked = c->cooked;
    const uint32_t n = 2000 < cooked->point_count ? 2000 : cooked->point_count;
    oracle_vec* x = calloc(n, sizeof *x);
    oracle_vec* normals = calloc(n, sizeof *normals);
    CHECK(x && normals);
    static const oracle_embedding modes[] = {ORACLE_EMBED_DELTA, ORACLE_EMBED_FRAMES,
                                             ORACLE_EMBED_FIT};
    for (size_t mode = 0; mode < TLW_COUNT_OF(modes); ++mode) {
        oracle_embed(c->o, &(oracle_embed_def){.embedding = modes[mode], .smoothing = 0.25},
                     cooked->points, n, &(oracle_embedded){.positions = x, .normals = normals});
        for (uint32_t i = 0; i < n; ++i) {
            const oracle_vec at =
                vec_add_scaled(vec_of(cooked->points[i].rest), 1 / cooked->input.voxel_metres,
                               vec_of(cooked->input.origin));
            CHECK_LT(vec_length(vec_sub(x[i], at)), 1e-6);
            const oracle_vec n0 = vec_of(cooked->points[i].normal);
            CHECK_LT(vec_length(vec_sub(normals[i], n0)), 1e-5);
        }
    }
    free(x);
    free(normals);
    free_character(c);
}
