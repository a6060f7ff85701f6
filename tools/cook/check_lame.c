// SPDX-License-Identifier: MIT
// Part of the stage check (RULES 8.9, 12): what layers and parts of the recipe say of solvers, and
// what that comes to in each part. Reads the recipe.
#include "tools/cook/stages.h"

#include <stdio.h>
#include <string.h>

// The key of an error has room for names of layers that are not longer.
#define KEY_NAME_MAX 16

// What a part says of a layer, and part 0 where it says nothing.
static tlw_cook_lame words_of(const tlw_cook_recipe* recipe, uint32_t p, uint32_t layer) {
    tlw_cook_lame words = recipe->layers[layer].lame;
    if (p > 0) {
        const tlw_cook_lame* own = &recipe->parts[p - 1].lame[layer];
        words.solver = own->solver != TLW_SOLVER_KEEP ? own->solver : words.solver;
        words.young_kpa = own->young_kpa >= 0.0f ? own->young_kpa : words.young_kpa;
        words.poisson = own->poisson >= 0.0f ? own->poisson : words.poisson;
        words.density = own->density >= 0.0f ? own->density : words.density;
    }
    return words;
}

static bool is_lame(const tlw_cook_recipe* recipe, uint32_t p, uint32_t layer) {
    bool is = false; // of the layer inside, then of the layer itself
    for (uint32_t i = 1; i <= layer; ++i) {
        const tlw_cook_solver solver = words_of(recipe, p, i).solver;
        is = solver == TLW_SOLVER_LAME || (solver == TLW_SOLVER_KEEP && is);
    }
    return is;
}

tlw_blob_lame tlw_cook_lame_of(const tlw_cook_recipe* recipe, uint32_t p, uint32_t layer) {
    static const tlw_blob_lame none = {0}, standard = {3.0f, 0.4975f, 950.0f};
    tlw_blob_lame lame = none; // of the layer inside, then of the layer itself
    for (uint32_t i = 1; i <= layer; ++i) {
        const tlw_cook_lame words = words_of(recipe, p, i);
        const bool is_inside_lame = lame.density > 0.0f;
        if (words.solver == TLW_SOLVER_LAME ||
            (words.solver == TLW_SOLVER_KEEP && is_inside_lame)) {
            const tlw_blob_lame inside = is_inside_lame ? lame : standard;
            lame = (tlw_blob_lame){words.young_kpa >= 0.0f ? words.young_kpa : inside.young_kpa,
                                   words.poisson >= 0.0f ? words.poisson : inside.poisson,
                                   words.density >= 0.0f ? words.density : inside.density};
        } else {
            lame = none;
        }
    }
    return lame;
}

// Which key of a recipe file an error is about: that of the part, or of the layer if `p` is 0.
static void blame(tlw_cook* cook, uint32_t p, uint32_t layer, const char* key) {
    const char* name = cook->recipe->layers[layer].name;
    if (p == 0) {
        tlw_cook_blame(cook, "layers[%u].%s", layer, key);
    } else if (strlen(name) > KEY_NAME_MAX) {
        tlw_cook_blame(cook, "parts[%u].layers", p - 1);
    } else {
        tlw_cook_blame(cook, "parts[%u].layers.%s.%s", p - 1, name, key);
    }
}

// "part 2 'chest', layer 'fat'", or "layer 'fat'" for part 0.
#define PLACE_BYTES 320
static const char* place_of(const tlw_cook* cook, uint32_t p, uint32_t layer,
                            char text[PLACE_BYTES]) {
    const char* name = cook->recipe->layers[layer].name;
    if (p == 0) {
        snprintf(text, PLACE_BYTES, "layer '%s'", name);
    } else {
        snprintf(text, PLACE_BYTES, "part %u '%s', layer '%s'", p - 1,
                 cook->recipe->parts[p - 1].joint, name);
    }
    return text;
}

static tlw_result check_numbers(tlw_cook* cook, const tlw_cook_lame* lame, uint32_t p,
                                uint32_t layer) {
    char place[PLACE_BYTES];
    if ((unsigned)lame->solver > TLW_SOLVER_LAME) {
        blame(cook, p, layer, "solver");
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "%s: there is no solver %d",
                             place_of(cook, p, layer, place), (int)lame->solver);
    }
    // Layers and parts that are all zeros must pass where nothing is lame. A number of a layer may
    // be the one that a Lame layer of a part has.
    const bool is_used = is_lame(cook->recipe, p, layer);
    const tlw_cook_lame words = words_of(cook->recipe, p, layer);
    const float young = is_used && lame->young_kpa < 0.0f ? words.young_kpa : lame->young_kpa;
    const float density = is_used && lame->density < 0.0f ? words.density : lame->density;
    const struct {
        const char* key;
        const char* range;
        float value;
        bool is_good;
    } numbers[] = {
        {"young_kpa", "above 0, at most 1e6", young,
         (young != 0.0f || !is_used) && young <= TLW_LAME_YOUNG_MAX},
        {"poisson", "0 to 0.4999", lame->poisson, lame->poisson <= TLW_LAME_POISSON_MAX},
        {"density", "1 to 1e5", density,
         density < 0.0f || (density == 0.0f && !is_used) ||
             (density >= TLW_LAME_DENSITY_MIN && density <= TLW_LAME_DENSITY_MAX)},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(numbers); ++i) {
        if (!numbers[i].is_good) {
            blame(cook, p, layer, numbers[i].key);
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "%s: %s is %g; it is %s",
                                 place_of(cook, p, layer, place), numbers[i].key,
                                 (double)numbers[i].value, numbers[i].range);
        }
    }
    return TLW_OK;
}

// Bone is never lame, and nothing else is outside a Lame layer.
static tlw_result check_order(tlw_cook* cook, uint32_t p, uint32_t layer) {
    const tlw_cook_recipe* recipe = cook->recipe;
    const tlw_cook_solver solver = words_of(recipe, p, layer).solver;
    // Where part 0 says that the layer is shape-matched, it is the part's Lame layer that is wrong.
    const bool is_own = p == 0 || recipe->parts[p - 1].lame[layer].solver != TLW_SOLVER_KEEP;
    char place[PLACE_BYTES];
    if (layer == 0 && solver == TLW_SOLVER_LAME) {
        blame(cook, p, layer, "solver");
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "%s is bone, which follows the skeleton; it cannot be lame",
                             place_of(cook, p, layer, place));
    }
    if (layer > 0 && solver == TLW_SOLVER_SHAPE &&
        tlw_cook_lame_of(recipe, p, layer - 1).density > 0.0f) {
        blame(cook, p, is_own ? layer : layer - 1, "solver");
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "%s: its solver is shape, but layer '%s' inside it is lame; all "
                             "layers outside a Lame layer are",
                             place_of(cook, p, layer, place), recipe->layers[layer - 1].name);
    }
    return TLW_OK;
}

tlw_result tlw_cook_check_lame(tlw_cook* cook) {
    const tlw_cook_recipe* recipe = cook->recipe;
    for (uint32_t i = 0; i < (recipe->part_count + 1) * recipe->layer_count; ++i) {
        const uint32_t p = i / recipe->layer_count, layer = i % recipe->layer_count;
        const tlw_cook_lame* own =
            p > 0 ? &recipe->parts[p - 1].lame[layer] : &recipe->layers[layer].lame;
        if (check_numbers(cook, own, p, layer) != TLW_OK || check_order(cook, p, layer) != TLW_OK) {
            return cook->error.result;
        }
    }
    return TLW_OK;
}
