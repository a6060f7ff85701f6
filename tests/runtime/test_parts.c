// SPDX-License-Identifier: MIT
// Materials of one part and one layer (tlw_material, RULES 8), cooked from a recipe or set at run
// time: they must act on that part's voxels exactly as the oracle says, and on no others. Lengths
// are in voxels.
#include "tests/runtime/oracle/cooked_input.h"
#include "tests/runtime/support/shapes.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A bar along a chain of four joints. The first belongs to part 0, the character's own; the second
// has a part; the third, its child, has another, which the fourth shares.
enum { PARTS = 3, LAYERS = 4 };

static oracle_pair* make_bar(const tlw_cook_part parts[2], uint32_t part_count, tlw_preset preset) {
    scene* s = scene_new();
    scene_add_box(s, (double[3]){-1, -0.4, -0.3}, (double[3]){1, 0.4, 0.3});
    for (uint32_t j = 0; j < 4; ++j) {
        scene_add_joint(s, j == 0 ? TLW_NO_JOINT : j - 1, -0.9 + 0.6 * j, 0, 0);
    }
    tlw_cook_recipe recipe = scene_recipe();
    recipe.weights = TLW_WEIGHTS_GEODESIC;
    recipe.resolution = 17;
    recipe.parts = parts;
    recipe.part_count = part_count;
    const oracle_pair_def def = {.preset = preset, .has_oracle = true};
    oracle_pair* pair = pair_make(scene_input(s), &recipe, &def);
    scene_free(s);
    CHECK_EQ(pair->info.part_count, part_count + 1);
    CHECK_EQ(pair->info.layer_count, LAYERS);
    return pair;
}

static oracle_pair* make_plain_bar(void) {
    const tlw_cook_part parts[2] = {tlw_default_cook_part("joint1"),
                                    tlw_default_cook_part("joint2")};
    return make_bar(parts, 2, TLW_PRESET_DEFAULT);
}

// Whether the voxel blends with that part.
static bool is_beside(const oracle_pair* pair, uint32_t voxel, uint32_t part) {
    const uint32_t k = pair->oracle_voxel[voxel];
    return pair->second_share[k] > 0 && part == pair->second[k] / LAYERS;
}

static bool is_blended(const oracle_pair* pair, uint32_t voxel) {
    return pair->second_share[pair->oracle_voxel[voxel]] > 0;
}

// Whether a voxel is of the part, or blends with it (RULES 8.5) and has a share of its materials.
static bool is_of(const oracle_pair* pair, uint32_t voxel, uint32_t part, uint32_t layer) {
    return pair_layer(pair, voxel) > 0 &&
           (part == TLW_ALL || part == pair_part(pair, voxel) || is_beside(pair, voxel, part)) &&
           (layer == TLW_ALL || layer == pair_layer(pair, voxel));
}

static double random_between(uint64_t* state, double low, double high) {
    return low + (high - low) * ((double)(tlw_test_random(state) >> 11) * 0x1p-53);
}

// From rest, pushes every voxel, runs one substep and reads the state.
static void push_and_step(oracle_pair* pair) {
    uint64_t seed = 23;
    pair_settle(pair);
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const double x = random_between(&seed, 0.1, 0.3), y = random_between(&seed, -0.3, -0.1),
                     z = random_between(&seed, 0.1, 0.3);
        pair_push(pair, i, vec(x, y, z));
    }
    pair_step(pair, PAIR_SUBSTEP, false);
    pair_read(pair);
}

static tlw_material material_of(const oracle_pair* pair, uint32_t part, uint32_t layer) {
    tlw_material material;
    CHECK_OK(tlw_character_get_material(pair->world, pair->id, part == TLW_ALL ? 0 : part,
                                        layer == TLW_ALL ? 1 : layer, &material));
    return material;
}

// Whether a voxel of the part and layer is within two steps over faces: volume, which comes after
// stiffness and anchor, moves the faces of a stencil when one of them has moved.
static bool is_in_reach(const oracle_pair* pair, uint32_t voxel, uint32_t part, uint32_t layer) {
    const tlw_blob_cell* at = &pair->cells[voxel];
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        const tlw_blob_cell* cell = &pair->cells[i];
        if (abs(cell->x - at->x) + abs(cell->y - at->y) + abs(cell->z - at->z) <= 2 &&
            is_of(pair, i, part, layer)) {
            return true;
        }
    }
    return false;
}

// One substep only: in it a gain moves the voxel that has it and what volume passes on from there.
TLW_TEST(stiffness_damping_and_anchor_of_a_part_and_layer_move_its_voxels_and_none_out_of_reach) {
    oracle_pair* pair = make_plain_bar();
    tlw_voxel_state* before = calloc(pair->info.voxel_count, sizeof *before);
    CHECK(before != NULL);
    static const uint32_t whole[][2] = {{TLW_ALL, 2}, {1, TLW_ALL}, {TLW_ALL, TLW_ALL}};
    for (uint32_t n = 0; n < PARTS * (LAYERS - 1) + TLW_COUNT_OF(whole); ++n) {
        const bool is_one = n < PARTS * (LAYERS - 1);
        const uint32_t* row = is_one ? NULL : whole[n - PARTS * (LAYERS - 1)];
        const uint32_t part = is_one ? n / (LAYERS - 1) : row[0];
        const uint32_t layer = is_one ? n % (LAYERS - 1) + 1 : row[1];
        uint32_t held = 0, out_of_reach = 0;
        for (int parameter = 0; parameter < 3; ++parameter) {
            CHECK_OK(tlw_character_apply_preset(pair->world, pair->id, TLW_PRESET_DEFAULT));
            tlw_material material = material_of(pair, part, layer);
            CHECK_OK(tlw_character_set_material(pair->world, pair->id, part, layer, &material));
            push_and_step(pair);
            memcpy(before, pair->state, pair->info.voxel_count * sizeof *before);
            *(parameter == 0   ? &material.stiffness
              : parameter == 1 ? &material.damping
                               : &material.anchor_hz) *= 0.5f;
            CHECK_OK(tlw_character_set_material(pair->world, pair->id, part, layer, &material));
            push_and_step(pair);
            held = 0;
            for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
                const bool is_own = is_of(pair, i, part, layer);
                const tlw_voxel_state *a = &before[i], *b = &pair->state[i];
                const bool is_moved = memcmp(a->position, b->position, sizeof a->position) != 0;
                const bool is_faster = memcmp(a->velocity, b->velocity, sizeof a->velocity) != 0;
                held += is_own;
                if (parameter == 1) { // damping acts in the last stage and on the velocity alone
                    CHECK(!is_moved);
                    CHECK_EQ(is_faster, is_own);
                } else if (is_own) {
                    CHECK(is_moved && is_faster);
                } else if (!is_in_reach(pair, i, part, layer)) {
                    CHECK(!is_moved && !is_faster);
                    out_of_reach += 1;
                }
            }
        }
        if (is_one) {
            printf("    part %u, layer %u: %u voxels of %u\n", part, layer, held,
                   pair->info.voxel_count);
        }
        CHECK_LT(3u, held);
        CHECK(part == TLW_ALL || out_of_reach > 3u);
    }
    free(before);
    pair_free(pair);
}

TLW_TEST(the_limit_of_a_part_and_layer_holds_its_voxels_and_no_others) {
    oracle_pair* pair = make_plain_bar();
    const float scale = 0.05f;
    for (uint32_t part = 0; part < PARTS; ++part) {
        for (uint32_t layer = 1; layer < LAYERS; ++layer) {
            double own = 0, others_least = HUGE_VAL; // as a share of each voxel's new limit
            tlw_material material = material_of(pair, part, layer);
            const tlw_material first = material;
            material.limit_scale = scale;
            CHECK_OK(tlw_character_set_material(pair->world, pair->id, part, layer, &material));
            push_and_step(pair);
            for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
                const double most =
                    (double)scale * pair->cooked_input->input.limit[pair->oracle_voxel[i]];
                const double share = vec_length(pair_deviation(pair, i)) / most;
                if (is_blended(pair, i)) { // between the two: mixtures have tests of their own
                    continue;
                }
                if (is_of(pair, i, part, layer)) {
                    own = fmax(own, share);
                } else if (is_of(pair, i, TLW_ALL, layer)) { // the same layer of other parts
                    others_least = fmin(others_least, share);
                }
            }
            printf("    part %u, layer %u: at most %.4f of the limit, elsewhere from %.2f of it\n",
                   part, layer, own, others_least);
            CHECK_NEAR(own, 1, 1e-4);
            CHECK_LT(1.2, others_least);
            CHECK_OK(tlw_character_set_material(pair->world, pair->id, part, layer, &first));
        }
    }
    pair_free(pair);
}

// The largest difference between runtime and oracle in a dance from rest; `places` receives where
// the voxels ended.
static double dance(oracle_pair* pair, int first, int frames, oracle_vec* places) {
    double worst = 0;
    for (int k = first + 1; k <= first + frames; ++k) {
        pair_dance(pair, k * PAIR_SUBSTEP, shape_liveliness(pair));
        CHECK_EQ(pair_step(pair, PAIR_SUBSTEP, false), 0u);
        worst = fmax(worst, pair_compare(pair).p);
    }
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        places[i] = pair_p(pair, i);
    }
    return worst;
}

static double largest_apart(const oracle_pair* pair, const oracle_vec* a, const oracle_vec* b,
                            uint32_t part) {
    double largest = 0;
    for (uint32_t i = 0; i < pair->info.voxel_count; ++i) {
        if (part == TLW_ALL || pair_part(pair, i) == part) {
            largest = fmax(largest, vec_length(vec_sub(a[i], b[i])));
        }
    }
    return largest;
}

TLW_TEST(runtime_and_oracle_agree_on_parts_with_materials_set_at_run_time) {
    static const struct {
        uint32_t part, layer;
        tlw_material material;
    } rows[] = {
        {1, 3, {.stiffness = 3, .damping = 0.7f, .anchor_hz = 2, .limit_scale = 1}},
        {2, 1, {.stiffness = 0.4f, .damping = 0.1f, .anchor_hz = 2, .limit_scale = 1}},
        {0, 2, {.stiffness = 0.1f, .damping = 0.7f, .anchor_hz = 9, .limit_scale = 1}},
        {2, 3, {.stiffness = 0.35f, .damping = 0.7f, .anchor_hz = 2, .limit_scale = 0.1f}},
        {1, TLW_ALL, {.stiffness = 0, .damping = 0.95f, .anchor_hz = 0, .limit_scale = 3}},
        {TLW_ALL, 2, {.stiffness = 2, .damping = 0.3f, .anchor_hz = 6, .limit_scale = 0.5f}},
    };
    oracle_pair* pair = make_plain_bar();
    oracle_vec* places = calloc((size_t)pair->info.voxel_count * 2, sizeof *places);
    CHECK(places != NULL);
    oracle_vec* plain = places + pair->info.voxel_count;
    const int frames = PAIR_IS_SLOW ? 8 : 20;
    double worst = dance(pair, 0, 2 * frames, plain);
    printf("    all parts alike: %.1e\n", worst);
    CHECK_LT(worst, 1e-3);
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        tlw_material first[PARTS][LAYERS];
        for (uint32_t i = 0; i < PARTS * LAYERS; ++i) {
            first[i / LAYERS][i % LAYERS] = material_of(pair, i / LAYERS, i % LAYERS);
        }
        pair_rest_pose(pair);
        pair_settle(pair);
        worst = dance(pair, 0, frames, places);
        pair_set_material(pair, rows[n].part, rows[n].layer, &rows[n].material);
        worst = fmax(worst, dance(pair, frames, frames, places));
        const double changed = largest_apart(pair, places, plain, rows[n].part);
        printf("    part %2d, layer %2d: %.1e; it changed the part by %.3f\n", (int)rows[n].part,
               (int)rows[n].layer, worst, changed);
        CHECK_LT(worst, 1e-3);
        CHECK_LT(0.01, changed);
        for (uint32_t i = 0; i < PARTS * LAYERS; ++i) {
            pair_set_material(pair, i / LAYERS, i % LAYERS, &first[i / LAYERS][i % LAYERS]);
        }
    }
    free(places);
    pair_free(pair);
}

TLW_TEST(parts_of_a_recipe_take_effect_and_agree_with_the_oracle) {
    tlw_cook_part parts[2] = {tlw_default_cook_part("joint1"), tlw_default_cook_part("joint2")};
    parts[0].stiffness[3] = 2.5f; // the damping stays that of the layer
    parts[0].damping[2] = 0.2f;
    parts[1].stiffness[1] = 1.5f;
    parts[1].stiffness[3] = 0.02f;
    parts[1].damping[3] = 0.95f;
    parts[1].anchor_hz[2] = 1.5f;
    oracle_pair *d = make_bar(parts, 2, TLW_PRESET_COOKED),
                *plain = make_bar(NULL, 0, TLW_PRESET_COOKED);
    const tlw_cook_recipe recipe = scene_recipe();
    oracle_vec* places = calloc((size_t)d->info.voxel_count * 2, sizeof *places);
    CHECK(places != NULL);
    for (int again = 0; again < 2; ++again) {
        for (uint32_t part = 0; part < PARTS; ++part) {
            for (uint32_t layer = 0; layer < LAYERS; ++layer) {
                const tlw_material m = material_of(d, part, layer);
                const float ks = part > 0 ? parts[part - 1].stiffness[layer] : -1;
                const float kd = part > 0 ? parts[part - 1].damping[layer] : -1;
                CHECK_EQ(m.stiffness, ks >= 0 ? ks : recipe.layers[layer].stiffness);
                CHECK_EQ(m.damping, kd >= 0 ? kd : recipe.layers[layer].damping);
                const float hz = part > 0 ? parts[part - 1].anchor_hz[layer] : -1;
                CHECK_EQ(m.anchor_hz, hz >= 0 ? hz : recipe.layers[layer].anchor_hz);
                CHECK_EQ(m.limit_scale, 1.0f);
            }
        }
        // Applies another preset, which leaves the recipe's parts alone, then the cooked one again.
        CHECK_OK(tlw_character_apply_preset(d->world, d->id, TLW_PRESET_SMURF));
        CHECK_EQ(material_of(d, 0, 1).stiffness, 3.2f);
        CHECK_EQ(material_of(d, 2, 1).stiffness, 1.5f);
        CHECK_EQ(material_of(d, 2, 2).anchor_hz, 1.5f);
        CHECK_OK(tlw_character_apply_preset(d->world, d->id, TLW_PRESET_COOKED));
    }
    const int frames = PAIR_IS_SLOW ? 12 : 50;
    const double worst = dance(d, 0, frames, places),
                 same = dance(plain, 0, frames, places + d->info.voxel_count);
    printf("    cooked parts: %.1e, without: %.1e\n", worst, same);
    CHECK_LT(worst, 1e-3);
    CHECK_LT(same, 1e-3);
    for (uint32_t part = 1; part < PARTS; ++part) {
        const double changed = largest_apart(d, places, places + d->info.voxel_count, part);
        printf("    part %u changed by %.3f\n", part, changed);
        CHECK_LT(0.01, changed);
    }
    free(places);
    pair_free(plain);
    pair_free(d);
}
