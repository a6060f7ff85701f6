// SPDX-License-Identifier: MIT
// Slots with two materials and with painted stiffness (MODEL 3.10, RULES 8.5 and 8.7): their gains
// against the equations in double, and their motion against the oracle. What a character does not
// use, its blob does not have.
#include "runtime/world/world.h"
#include "tests/runtime/oracle/cooked_input.h"
#include "tests/runtime/support/shapes.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LAYERS = 4, CORNERS_MAX = 64 };

// A bar along a chain of three joints, the last two with a part each, painted along its length:
// from soft to stiff, or not at all. Rows of slots run along it, so that they cross the borders.
typedef struct bar {
    bool has_parts, is_painted, is_plain_paint; // plain: 1/2 everywhere, which changes nothing
} bar;

static oracle_pair* make_bar(bar b) {
    float paint[CORNERS_MAX];
    scene* s = scene_new();
    scene_add_box(s, (double[3]){-1, -0.6, -0.3}, (double[3]){1, 0.6, 0.3});
    for (uint32_t j = 0; j < 3; ++j) {
        scene_add_joint(s, j == 0 ? TLW_NO_JOINT : j - 1, -0.9 + 0.7 * j, 0, 0);
    }
    tlw_cook_input input = *scene_input(s);
    tlw_cook_mesh mesh = input.meshes[0];
    CHECK_LE(mesh.vertex_count, CORNERS_MAX);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
        paint[v] = b.is_plain_paint ? 0.5f : 0.5f + 0.5f * mesh.positions[v * 3];
    }
    mesh.paint[TLW_PAINT_STIFFNESS] = b.is_painted ? paint : NULL;
    input.meshes = &mesh;
    CHECK_EQ(input.mesh_count, 1);
    tlw_cook_part parts[2] = {tlw_default_cook_part("joint1"), tlw_default_cook_part("joint2")};
    for (int layer = 1; layer < LAYERS; ++layer) {
        parts[0].stiffness[layer] = 3.0f;
        parts[0].damping[layer] = 0.1f;
        parts[0].anchor_hz[layer] = 8.0f;
        parts[1].stiffness[layer] = 0.05f;
        parts[1].damping[layer] = 0.9f;
        parts[1].anchor_hz[layer] = 1.0f;
    }
    tlw_cook_recipe recipe = scene_recipe();
    recipe.weights = TLW_WEIGHTS_GEODESIC;
    recipe.resolution = 17;
    recipe.is_firm_auto = false;
    recipe.parts = parts;
    recipe.part_count = b.has_parts ? 2 : 0;
    const oracle_pair_def def = {.preset = TLW_PRESET_COOKED, .has_oracle = true};
    oracle_pair* pair = pair_make(&input, &recipe, &def);
    scene_free(s);
    CHECK_EQ(pair->lane_axis, 0);
    return pair;
}

static const void* section(const oracle_pair* pair, tlw_blob_section_kind kind) {
    uint64_t count;
    return tlw_blob_find(pair->cooked.blob, kind, &count);
}

// Every gain of every slot by MODEL 3.10, from the materials that the character reports. Returns
// how many slots blend.
static uint32_t check_gains(const oracle_pair* pair) {
    tlw_character* c;
    CHECK_OK(tlw_world_find(pair->world, pair->id, &c));
    const tlw_blob_arrays* blob = &c->blob;
    const double h = pair->substep_seconds, s = (double)blob->lattice->stiffness_scale;
    uint32_t blended = 0;
    for (uint32_t i = 0; i < blob->slot_count; ++i) {
        const tlw_window_gains* gains = &c->gains[i / TLW_LANES];
        const uint32_t lane = i % TLW_LANES, layer = blob->slot_layer[i];
        if (blob->slot_voxel[i] == TLW_BLOB_NO_INDEX) {
            CHECK_EQ(gains->goal[lane] + gains->damping[lane] + gains->anchor[lane], 0.0f);
            continue;
        }
        const double b = blob->slot_blend ? blob->slot_blend[i].share / 65536.0 : 0;
        const double f = blob->slot_stiffness ? (double)blob->slot_stiffness[i] : 1;
        tlw_material own, second = {0};
        CHECK_OK(tlw_character_get_material(pair->world, pair->id, blob->slot_material[i] / LAYERS,
                                            layer, &own));
        if (b > 0) {
            CHECK_OK(tlw_character_get_material(
                pair->world, pair->id, blob->slot_blend[i].material / LAYERS, layer, &second));
            blended += 1;
        }
        const double ks = (1 - b) * (double)own.stiffness + b * (double)second.stiffness;
        const double kd = (1 - b) * (double)own.damping + b * (double)second.damping;
        const double hz = (1 - b) * (double)own.anchor_hz + b * (double)second.anchor_hz;
        const double scale = (1 - b) * (double)own.limit_scale + b * (double)second.limit_scale;
        const double kept = exp(-pow(2 * 3.14159265358979323846 * hz * h, 2));
        if (layer > 0) {
            CHECK_NEAR((double)gains->goal[lane], 1 - exp(-f * ks * s * pow(h * 60, 2)), 1e-6);
            CHECK_NEAR((double)gains->damping[lane] * h, pow(kd, h / 0.1) / fmax(kept, 0.5), 1e-6);
        }
        CHECK_NEAR((double)gains->anchor[lane], kept, 1e-6);
        CHECK_NEAR((double)gains->limit[lane], scale * (double)blob->slot_limit[i], 1e-5);
    }
    return blended;
}

TLW_TEST(gains_of_a_slot_are_those_of_its_two_materials_and_its_paint) {
    oracle_pair* pair = make_bar((bar){.has_parts = true, .is_painted = true});
    const float* factors = section(pair, TLW_SECTION_SLOT_STIFFNESS);
    double least = 4, most = 0;
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        least = fmin(least, (double)factors[pair->voxel_slot[i]]);
        most = fmax(most, (double)factors[pair->voxel_slot[i]]);
    }
    const uint32_t blended = check_gains(pair);
    printf("    %u of %u voxels blend, factors of stiffness %.3f to %.3f\n", blended,
           pair->info.voxel_count, least, most);
    CHECK_LT(20u, blended);
    CHECK_LT(least, 0.3);
    CHECK_LT(3.3, most);
    // A material that is set later changes the slots of other parts that have a share of it.
    const tlw_material material = {
        .stiffness = 1.5f, .damping = 0.5f, .anchor_hz = 4, .limit_scale = 0.5f};
    pair_set_material(pair, 1, TLW_ALL, &material);
    CHECK_EQ(check_gains(pair), blended);
    pair_free(pair);
}

TLW_TEST(runtime_and_oracle_agree_on_blended_and_painted_slots) {
    static const struct {
        const char* name;
        bar bar;
    } rows[] = {{"blended", {.has_parts = true}},
                {"painted", {.is_painted = true}},
                {"both", {.has_parts = true, .is_painted = true}}};
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        oracle_pair* pair = make_bar(rows[n].bar);
        const tlw_material softer = {
            .stiffness = 0.2f, .damping = 0.8f, .anchor_hz = 2, .limit_scale = 0.2f};
        const int frames = PAIR_IS_SLOW ? 12 : 60;
        double worst = 0, moved = 0;
        for (int k = 1; k <= frames; ++k) {
            if (k == frames / 2) {
                pair_set_material(pair, rows[n].bar.has_parts ? 1 : 0, TLW_ALL, &softer);
            }
            pair_dance(pair, k * PAIR_SUBSTEP, shape_liveliness(pair));
            CHECK_EQ(pair_step(pair, PAIR_SUBSTEP, false), 0u);
            worst = fmax(worst, pair_compare(pair).p);
            moved = fmax(moved, pair_largest_deviation(pair));
        }
        printf("    %s: %.1e apart, %.2f off the pose\n", rows[n].name, worst, moved);
        CHECK_LT(worst, 1e-3);
        CHECK_LT(0.2, moved);
        pair_free(pair);
    }
}

TLW_TEST(a_character_without_borders_and_paint_has_no_section_for_them) {
    oracle_pair* plain = make_bar((bar){0});
    oracle_pair* even = make_bar((bar){.is_painted = true, .is_plain_paint = true});
    CHECK(section(plain, TLW_SECTION_SLOT_BLEND) == NULL);
    CHECK(section(plain, TLW_SECTION_SLOT_STIFFNESS) == NULL);
    CHECK_EQ(check_gains(plain), 0u);
    // Paint of 1/2 is the same as none, to the byte.
    CHECK_EQ(even->cooked.blob_bytes, plain->cooked.blob_bytes);
    CHECK_EQ(memcmp(even->cooked.blob, plain->cooked.blob, plain->cooked.blob_bytes), 0);
    pair_free(even);
    pair_free(plain);
    oracle_pair* parted = make_bar((bar){.has_parts = true});
    CHECK(section(parted, TLW_SECTION_SLOT_BLEND) != NULL);
    CHECK(section(parted, TLW_SECTION_SLOT_STIFFNESS) == NULL);
    CHECK_LT(20u, check_gains(parted)); // without paint, slots that differ lie side by side
    pair_free(parted);
}
