// SPDX-License-Identifier: MIT
// Reads what concerns layers: the preset, the anchor of all layers, and the list of layers with the
// rules between them; finds layers that other keys name. Writes cook.layers and cook.layer_count.
#include "tools/recipe/reader.h"

#include "runtime/presets.h"

#include <string.h>

static const tlw_preset_values presets[] = {TLW_PRESET_TABLE(TLW_PRESET_VALUES)};

const char* const tlw_recipe_preset_words[] = {
#define PRESET_WORD(enumerator, name, k0, k1, k2, d0, d1, d2, a0, a1, a2) name,
    TLW_PRESET_TABLE(PRESET_WORD)
#undef PRESET_WORD
        NULL};

static bool are_equal(const char* a, const char* b) {
    return strcmp(a, b) == 0;
}

TLW_RECIPE_READ(tlw_recipe_read_preset) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    int chosen = 0;
    if (!tlw_recipe_read_word(r, at, key, &chosen)) {
        return false;
    }
    const tlw_preset_values* preset = &presets[chosen];
    for (int i = 0; i < TLW_PRESET_LAYERS; ++i) { // layer 0 is bone
        cook->layers[1 + i].stiffness = preset->stiffness[i];
        cook->layers[1 + i].damping = preset->damping[i];
        cook->layers[1 + i].anchor_hz = preset->anchor_hz[i];
    }
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_anchor) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    const bool is_read = key->kind == TLW_RECIPE_DELTA
                             ? tlw_recipe_read_delta(r, at, key, &r->anchor_hz)
                             : tlw_recipe_read_float(r, at, key, &r->anchor_hz);
    if (!is_read) {
        return false;
    }
    for (uint32_t i = 0; i < cook->layer_count; ++i) {
        cook->layers[i].anchor_hz = r->anchor_hz;
    }
    return true;
}

bool tlw_recipe_find_layer(tlw_recipe_reader* r, const tlw_json* at, uint32_t* layer) {
    const tlw_cook_recipe* cook = &r->out->cook;
    const char* names[TLW_COOK_LAYERS_MAX];
    for (uint32_t i = 0; i < cook->layer_count; ++i) {
        names[i] = cook->layers[i].name;
        if (are_equal(names[i], at->key)) {
            *layer = i;
            return true;
        }
    }
    return tlw_recipe_unknown(r, at, true, "there is no such layer", at->key, names,
                              cook->layer_count);
}

const char* const tlw_recipe_solver_words[] = {"shape", "lame", NULL};

TLW_RECIPE_READ(tlw_recipe_read_solver) {
    tlw_cook_solver* out = tlw_recipe_field(object, key->offset);
    const tlw_recipe_key word = {.words = key->words};
    int chosen = 0;
    if (!tlw_recipe_read_word(r, at, &word, &chosen)) {
        return false;
    }
    *out = chosen == 0 ? TLW_SOLVER_SHAPE : TLW_SOLVER_LAME;
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_layer_name) {
    char* out = ((tlw_cook_layer*)object)->name;
    const char* text;
    (void)key;
    if (!tlw_recipe_string(r, at, &text)) {
        return false;
    }
    if (strlen(text) >= TLW_COOK_NAME_MAX) {
        return tlw_recipe_fail(r, at, "a name of %zu bytes; %d is the limit", strlen(text),
                               TLW_COOK_NAME_MAX - 1);
    }
    memcpy(out, text, strlen(text) + 1);
    return true;
}

// The default layer whose values a layer takes where the recipe gives none: bone for the first,
// skin for the last, the default layer of the same name for those between. Null where there is
// none, which means that the recipe has to give all values.
static const tlw_cook_layer* base_layer(const tlw_cook_layer base[4], const char* name,
                                        size_t index, size_t count) {
    if (index == 0 || index == count - 1) {
        return &base[index == 0 ? 0 : 3];
    }
    return are_equal(name, base[1].name)   ? &base[1]
           : are_equal(name, base[2].name) ? &base[2]
                                           : NULL;
}

static bool check_layer_name(tlw_recipe_reader* r, const tlw_json* at, const tlw_cook_layer* layers,
                             size_t index, size_t count) {
    const char* name = layers[index].name;
    const tlw_json place = tlw_json_member(at, "name");
    char quoted[TLW_JSON_QUOTE_BYTES];
    for (size_t i = 0; i < index; ++i) {
        if (are_equal(layers[i].name, name)) {
            return tlw_recipe_fail(r, &place, "%s is the name of layers[%zu] already",
                                   tlw_json_quote(name, quoted), i);
        }
    }
    // The first and last layer may have any name, but nothing else may be called bone or skin.
    if (are_equal(name, "bone") && index != 0) {
        return tlw_recipe_fail(r, &place, "bone is the first layer: they go from the inside out");
    }
    if (are_equal(name, "skin") && index != count - 1) {
        return tlw_recipe_fail(r, &place, "skin is the last layer: they go from the inside out");
    }
    return true;
}

static bool is_whole(tlw_cook_fraction f) {
    return f.numerator == f.denominator;
}

bool tlw_recipe_check_ratio(tlw_recipe_reader* r, const tlw_json* place, size_t index, size_t count,
                            tlw_cook_fraction ratio) {
    const bool is_end = index == 0 || index == count - 1, is_rest = index + 2 == count;
    if (is_end && place->value) {
        return tlw_recipe_fail(r, place, "the %s has no ratio; only layers between have one",
                               index == 0 ? "first layer, bone," : "last layer, skin,");
    }
    if (is_rest && place->value && !is_whole(ratio)) {
        return tlw_recipe_fail(r, place,
                               "the layer below the skin takes what is left: leave its ratio out, "
                               "or write 1, not %u/%u",
                               ratio.numerator, ratio.denominator);
    }
    return true;
}

bool tlw_recipe_check_ascent(tlw_recipe_reader* r, const tlw_json* place, tlw_cook_fraction below,
                             tlw_cook_fraction ratio, const char* below_name) {
    char quoted[TLW_JSON_QUOTE_BYTES];
    return (uint64_t)below.numerator * ratio.denominator <
               (uint64_t)ratio.numerator * below.denominator ||
           tlw_recipe_fail(r, place,
                           "layers out of order: %u/%u does not come after the %u/%u of %s",
                           ratio.numerator, ratio.denominator, below.numerator, below.denominator,
                           tlw_json_quote(below_name, quoted));
}

static bool complete_ratio(tlw_recipe_reader* r, const tlw_json* at, tlw_cook_layer* layers,
                           size_t index, size_t count, const tlw_cook_layer* base) {
    tlw_cook_layer* layer = &layers[index];
    const tlw_json place = tlw_json_member(at, "ratio");
    if (!tlw_recipe_check_ratio(r, &place, index, count, layer->ratio)) {
        return false;
    }
    if (index == 0 || index + 2 >= count) {
        layer->ratio = (tlw_cook_fraction){1, 1};
        return true;
    }
    if (!place.value && (!base || is_whole(base->ratio))) {
        return tlw_recipe_unexpected(r, &place,
                                     "a number from 0 to 1, or [numerator, denominator],");
    }
    layer->ratio = place.value ? layer->ratio : base->ratio;
    return index == 1 || tlw_recipe_check_ascent(r, &place, layers[index - 1].ratio, layer->ratio,
                                                 layers[index - 1].name);
}

// A value that the recipe leaves out is that of the base, which must be there then.
static bool complete_value(tlw_recipe_reader* r, const tlw_json* at, const char* key, float* value,
                           const float* base) {
    if (*value >= 0) {
        return true;
    }
    if (!base) {
        const tlw_json missing = tlw_json_member(at, key);
        return tlw_recipe_unexpected(r, &missing,
                                     "a number (only bone, muscle, fat and skin have defaults)");
    }
    *value = *base;
    return true;
}

// Checks a layer that was read against those before it, and fills in what it leaves out.
static bool complete_layer(tlw_recipe_reader* r, const tlw_json* at, tlw_cook_layer* layers,
                           size_t index, size_t count, const tlw_cook_layer standard[4]) {
    tlw_cook_layer* layer = &layers[index];
    if (!check_layer_name(r, at, layers, index, count)) {
        return false;
    }
    const tlw_cook_layer* base = base_layer(standard, layer->name, index, count);
    if (!complete_ratio(r, at, layers, index, count, base)) {
        return false;
    }
#define COMPLETE(field, most, meaning)                                               \
    if (!complete_value(r, at, #field, &layer->field, base ? &base->field : NULL)) { \
        return false;                                                                \
    }
    TLW_RECIPE_MATERIALS(COMPLETE)
#undef COMPLETE
    return true;
}

TLW_RECIPE_READ(tlw_recipe_read_layers) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    tlw_cook_layer layers[TLW_COOK_LAYERS_MAX];
    size_t count;
    memset(layers, 0, sizeof layers);
    if (!tlw_recipe_array(r, at, "an array of layers", &count)) {
        return false;
    }
    if ((double)count < key->least || (double)count > key->most) {
        return tlw_recipe_fail(r, at, "%.0f to %.0f layers are possible, not %zu", key->least,
                               key->most, count);
    }
    for (size_t i = 0; i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
#define LEAVE_OUT(field, most, meaning) layers[i].field = TLW_RECIPE_NOT_GIVEN;
        TLW_RECIPE_MATERIALS(LEAVE_OUT)
#undef LEAVE_OUT
        layers[i].anchor_hz = r->anchor_hz;
        layers[i].lame = tlw_default_cook_lame();
        if (!tlw_recipe_read_object(r, &element, key, &layers[i]) ||
            !complete_layer(r, &element, layers, i, count, cook->layers)) {
            return false;
        }
    }
    memcpy(cook->layers, layers, sizeof layers);
    cook->layer_count = (uint32_t)count;
    return true;
}
