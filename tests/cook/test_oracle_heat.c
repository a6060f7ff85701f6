// SPDX-License-Identifier: MIT
// The oracle cooker's heat and diffusion weights (RULES 5.8 to 5.10) against facts worked out by
// hand, and against figures that an earlier implementation measured on a limb of voxels.
#include "tests/cook/oracle/oracle_private.h"
#include "tests/cook/support/oracle_checks.h"
#include "tests/cook/support/sample_input.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>

// Cells set by hand, with two joints.
typedef struct body {
    oracle_result result;
    tlw_cook_joint joints[2];
    tlw_cook_input input;
    tlw_cook_heat heat[2];
    tlw_cook_recipe recipe;
    oracle_work work;
} body;

static void set_heat(body* b, float strength, float energy_of_second) {
    b->heat[0] = (tlw_cook_heat){"joint0", strength, 1};
    b->heat[1] = (tlw_cook_heat){"joint1", strength, energy_of_second};
}

// A round bar along x, of cells within `radius` of the middle row. Joint 0 touches the middle row
// up to cell `last`, joint 1 from cell `first`. With a radius of 0 it is a single row.
static body* make_bar(uint32_t length, int32_t radius, uint32_t last, uint32_t first) {
    body* b = oracle_allocate(1, sizeof *b);
    const uint32_t width = 2 * (uint32_t)radius + 1;
    oracle_result* r = &b->result;
    *r = (oracle_result){.counts = {length, width, width}, .joint_count = 2};
    const size_t cells = (size_t)length * width * width;
    r->voxels = oracle_allocate(cells, sizeof *r->voxels);
    r->voxel_of_cell = oracle_allocate(cells, sizeof(uint32_t));
    r->touched = oracle_allocate(cells * 2, sizeof(bool));
    for (uint32_t cell = 0; cell < cells; ++cell) {
        const int32_t at[3] = {(int32_t)(cell % length), (int32_t)(cell / length % width),
                               (int32_t)(cell / length / width)};
        const int32_t y = at[1] - radius, z = at[2] - radius;
        r->voxel_of_cell[cell] = ORACLE_NONE;
        if (y * y + z * z <= radius * radius) {
            const bool is_middle = y == 0 && z == 0;
            r->touched[r->voxel_count * 2] = is_middle && at[0] <= (int32_t)last;
            r->touched[r->voxel_count * 2 + 1] = is_middle && at[0] >= (int32_t)first;
            r->voxel_of_cell[cell] = r->voxel_count;
            for (int a = 0; a < 3; ++a) {
                r->voxels[r->voxel_count].cell[a] = at[a];
            }
            r->voxel_count += 1;
        }
    }
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        oracle_voxel* voxel = &r->voxels[v];
        for (uint32_t bit = 0; bit < 26; ++bit) {
            int32_t offset[3];
            oracle_offset(bit, offset);
            const bool is_linked =
                oracle_voxel_at(r, voxel->cell[0] + offset[0], voxel->cell[1] + offset[1],
                                voxel->cell[2] + offset[2]) != ORACLE_NONE;
            voxel->links |= (uint32_t)is_linked << bit;
        }
    }
    b->joints[0].name = "joint0";
    b->joints[1].name = "joint1";
    b->input = (tlw_cook_input){.joints = b->joints, .joint_count = 2};
    b->recipe = (tlw_cook_recipe){.heat = b->heat, .heat_count = 2};
    set_heat(b, 1, 1);
    b->work = (oracle_work){.input = &b->input, .recipe = &b->recipe, .result = r};
    return b;
}

static void free_bar(body* b) {
    oracle_free(&b->result);
    free(b);
}

// H is 2 / 0.5^2 = 8 in both cells: a = (b + 8) / 9 and b = a / 9, so a = 0.9 and b = 0.1.
TLW_TEST(heat_of_two_cells_is_nine_tenths_and_one_tenth) {
    body* b = make_bar(2, 0, 0, 1);
    double* heat = oracle_heat_field(&b->work);
    const double expected[4] = {0.9, 0.1, 0.1, 0.9};
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(heat[i], expected[i], 1e-8);
    }
    free(heat);
    free_bar(b);
    // Three cells: both joints are one step from the middle and share it; ends are (0.5 + 8) / 9.
    b = make_bar(3, 0, 0, 2);
    heat = oracle_heat_field(&b->work);
    CHECK_NEAR(heat[0], 8.5 / 9, 1e-8);
    CHECK_EQ(heat[2], 0.5);
    CHECK_EQ(heat[3], 0.5);
    free(heat);
    free_bar(b);
    // A single cell has no links and keeps p: a half for each joint that touches it.
    b = make_bar(1, 0, 0, 0);
    heat = oracle_heat_field(&b->work);
    CHECK_EQ(heat[0], 0.5);
    CHECK_EQ(heat[1], 0.5);
    free(heat);
    free_bar(b);
}

// The mean share of joint 1 on the surface of the bar, slice by slice; where it passes `share`.
static double find_crossing(const body* b, const double* heat, double share) {
    const oracle_result* r = &b->result;
    double last = 0;
    for (uint32_t x = 0; x < r->counts[0]; ++x) {
        double sum = 0;
        uint32_t count = 0;
        for (uint32_t v = 0; v < r->voxel_count; ++v) {
            const uint32_t sides = 1u << 10 | 1u << 15 | 1u << 4 | 1u << 21;
            if (r->voxels[v].cell[0] == (int32_t)x && (r->voxels[v].links & sides) != sides) {
                const double first = heat[v * 2] * (double)b->heat[0].energy;
                const double second = heat[v * 2 + 1] * (double)b->heat[1].energy;
                sum += second / (first + second);
                ++count;
            }
        }
        const double now = sum / count;
        if (last < share && now >= share) {
            return x - 0.5 + (share - last) / (now - last);
        }
        last = now;
    }
    return -1;
}

// Two bones of 20 voxels in a limb of 40: the closed segments share cells 19 and 20.
TLW_TEST(heat_on_a_limb_blends_as_measured_for_every_strength_and_energy) {
    static const struct {
        float strength, energy;
        double half, half_slack, width;
    } settings[] = {{1, 1, 20, 0.001, 5.586},
                    {4, 1, 20, 0.001, 3.953},
                    {0.25f, 1, 20, 0.001, 8.474},
                    {1, 2, 19.103, 0.001, 5.617}};
    body* b = make_bar(40, 4, 20, 19);
    CHECK_EQ(b->result.voxel_count, 40 * 49);
    for (size_t i = 0; i < TLW_COUNT_OF(settings); ++i) {
        set_heat(b, settings[i].strength, settings[i].energy);
        double* heat = oracle_heat_field(&b->work);
        for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
            CHECK_NEAR(heat[v * 2] + heat[v * 2 + 1], 1, 1e-12);
        }
        const double width = find_crossing(b, heat, 0.9) - find_crossing(b, heat, 0.1);
        CHECK_NEAR(find_crossing(b, heat, 0.5), settings[i].half, settings[i].half_slack);
        CHECK_NEAR(width, settings[i].width, 0.001);
        CHECK_LT(b->result.sweep_count, 600);
        CHECK_LT(20, b->result.sweep_count);
        free(heat);
    }
    free_bar(b);
}

// Two sweeps reach the middle of five cells. Joint 0: 1/2, then 1/2 and 1/4; beyond there is none.
TLW_TEST(diffusion_of_five_cells_takes_two_sweeps) {
    body* b = make_bar(5, 0, 0, 4);
    static const double expected[5] = {1, 0.5, 0.25, 0, 0};
    for (int energy = 1; energy <= 2; ++energy) {
        set_heat(b, 1, (float)energy);
        double* field = oracle_diffusion_field(&b->work);
        CHECK_EQ(b->result.sweep_count, 2);
        for (int x = 0; x < 5; ++x) {
            CHECK_EQ(field[x * 2], expected[x]);
            CHECK_EQ(field[x * 2 + 1], energy * expected[4 - x]);
        }
        free(field);
    }
    free_bar(b);
    // A limb: the farthest cells are 4 from the middle row, and edges and corners count as one.
    b = make_bar(40, 4, 20, 19);
    double* field = oracle_diffusion_field(&b->work);
    CHECK_EQ(b->result.sweep_count, 4);
    for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
        CHECK_LT(0, field[v * 2] + field[v * 2 + 1]);
    }
    free(field);
    free_bar(b);
}

TLW_TEST(strength_does_not_change_diffusion) {
    scene* s = scene_make(SCENE_figure, 0);
    tlw_cook_heat heat[] = {{"joint1", 4, 1}, {"joint6", 0.25f, 1}};
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 20;
    recipe.weights = TLW_WEIGHTS_DIFFUSION;
    oracle_result plain = cook_checked(s, &recipe);
    recipe.heat = heat;
    recipe.heat_count = 2;
    oracle_result other = cook_checked(s, &recipe);
    for (uint32_t v = 0; v < plain.voxel_count; ++v) {
        for (int k = 0; k < 4; ++k) {
            CHECK_EQ(plain.voxels[v].joints[k], other.voxels[v].joints[k]);
            CHECK_EQ(plain.voxels[v].weights[k], other.voxels[v].weights[k]);
        }
    }
    oracle_free(&other);
    // Heat does change.
    recipe.weights = TLW_WEIGHTS_HEAT;
    other = cook_checked(s, &recipe);
    recipe.heat_count = 0;
    oracle_free(&plain);
    plain = cook_checked(s, &recipe);
    uint32_t changed = 0;
    for (uint32_t v = 0; v < plain.voxel_count; ++v) {
        changed += plain.voxels[v].weights[0] != other.voxels[v].weights[0];
    }
    CHECK_LT(100, changed);
    oracle_free(&other);
    oracle_free(&plain);
    // A joint may be named only once.
    heat[1].joint = "joint1";
    recipe.heat_count = 2;
    CHECK(oracle_cook(scene_input(s), &recipe, &other) != NULL);
    oracle_free(&other);
    scene_free(s);
}

// Weights are multiples of 2^-20 before they are divided by their sum, which is 2^20 to within the
// rounding of the joints that take part.
TLW_TEST(heat_is_what_a_mesh_without_weights_gets) {
    scene* s = scene_make(SCENE_unweighted_lump, 0);
    oracle_result r = cook_at(s, 20);
    CHECK_EQ(r.mode, TLW_WEIGHTS_HEAT);
    CHECK_LT(10, r.sweep_count);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 20;
    recipe.weights = TLW_WEIGHTS_HEAT;
    oracle_result asked = cook_checked(s, &recipe);
    CHECK_EQ(asked.sweep_count, r.sweep_count);
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        CHECK_EQ(r.voxels[v].weights[0], asked.voxels[v].weights[0]);
    }
    oracle_free(&asked);
    recipe.weights = TLW_WEIGHTS_ARTIST;
    CHECK(oracle_cook(scene_input(s), &recipe, &asked) != NULL);
    oracle_free(&asked);
    oracle_free(&r);
    scene_free(s);

    s = scene_make(SCENE_lump, 0);
    r = cook_at(s, 12);
    CHECK_EQ(r.mode, TLW_WEIGHTS_ARTIST);
    CHECK_EQ(r.sweep_count, 0);
    oracle_free(&r);
    scene_free(s);
}

// A piece far from the bones, the third lump, follows the owner of the nearest segment alone.
TLW_TEST(piece_that_no_bone_touches_follows_the_nearest_joint_in_every_mode) {
    static const tlw_cook_weights modes[] = {TLW_WEIGHTS_HEAT, TLW_WEIGHTS_DIFFUSION,
                                             TLW_WEIGHTS_GEODESIC};
    scene* s = scene_make(SCENE_split_lump, 0);
    for (size_t m = 0; m < TLW_COUNT_OF(modes); ++m) {
        tlw_cook_recipe recipe = scene_recipe();
        recipe.resolution = 20;
        recipe.weights = modes[m];
        oracle_result r = cook_checked(s, &recipe);
        uint32_t alone = 0;
        for (uint32_t v = 0; v < r.voxel_count; ++v) {
            if (r.voxels[v].is_filled_bone) {
                ++alone;
                CHECK_EQ(r.voxels[v].weights[0], 1.0);
            }
        }
        CHECK_LT(10, alone);
        oracle_free(&r);
    }
    scene_free(s);
}

// As an earlier implementation counted them at resolution 32.
TLW_TEST(diffusion_sweeps_of_the_samples_are_as_many_as_links_to_the_farthest_voxel) {
    static const struct {
        tlw_sample_variant variant;
        uint32_t sweeps;
    } samples[] = {{TLW_SAMPLE_BUNNY, 8}, {TLW_SAMPLE_STOUT, 10}};
    for (size_t i = 0; i < TLW_COUNT_OF(samples); ++i) {
        sample_input* sample = sample_input_make(samples[i].variant);
        tlw_cook_recipe recipe = scene_recipe();
        recipe.resolution = 32;
        recipe.weights = TLW_WEIGHTS_DIFFUSION;
        oracle_result r;
        CHECK(oracle_cook(sample_input_get(sample), &recipe, &r) == NULL);
        CHECK_EQ(r.sweep_count, samples[i].sweeps);
        oracle_free(&r);
        sample_input_free(sample);
    }
}
