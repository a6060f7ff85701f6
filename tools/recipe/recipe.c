// SPDX-License-Identifier: MIT
// The recipe's schema: one table of keys per object, and the rules that hold between keys. Reads
// the JSON tree and writes a tlw_recipe, starting from tlw_default_cook_recipe. README.md documents
// every key; test_recipe compares it with these tables.
#include "tools/recipe/recipe.h"

#include "runtime/lattice.h"
#include "runtime/presets.h"
#include "tools/recipe/reader.h"

#include <stdio.h>
#include <string.h>

#define STIFFNESS_MAX 1e6 // the cooking library takes no more
#define ANCHOR_MAX    1000
#define NOT_GIVEN     (-1.0f)

// What a layer has and a part may override: field of tlw_cook_layer and tlw_cook_part, which is
// also the key, and the largest value. All are floats of 0 or more.
#define MATERIAL_TABLE(X)       \
    X(stiffness, STIFFNESS_MAX) \
    X(damping, 1)               \
    X(anchor_hz, ANCHOR_MAX)

typedef struct material {
#define MATERIAL_FIELD(field, limit) float field;
    MATERIAL_TABLE(MATERIAL_FIELD)
#undef MATERIAL_FIELD
} material;

static const tlw_preset_values presets[] = {TLW_PRESET_TABLE(TLW_PRESET_VALUES)};

static const char* const preset_words[] = {
#define PRESET_WORD(enumerator, name, k0, k1, k2, d0, d1, d2, a0, a1, a2) name,
    TLW_PRESET_TABLE(PRESET_WORD)
#undef PRESET_WORD
        NULL};

// Rows of tables of keys: in a layer, and in a part's layer.
#define MATERIAL_KEY(type, field, limit)                                                \
    {                                                                                   \
        .name = #field, .read = tlw_recipe_read_float, .offset = offsetof(type, field), \
        .takes = "number", .most = (limit)                                              \
    }
#define LAYER_KEY(field, limit)      MATERIAL_KEY(tlw_cook_layer, field, limit),
#define PART_LAYER_KEY(field, limit) MATERIAL_KEY(material, field, limit),

static bool are_equal(const char* a, const char* b) {
    return strcmp(a, b) == 0;
}

// Resolution, preset
// ------------------------------------------------------------------------------------------------

static TLW_RECIPE_READ(read_voxel_size) {
    tlw_recipe* recipe = object;
    recipe->cook.resolution = 0;
    return tlw_recipe_read_double(r, at, key, object);
}

static TLW_RECIPE_READ(read_preset) {
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

static TLW_RECIPE_READ(read_anchor) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    if (!tlw_recipe_read_float(r, at, key, &r->anchor_hz)) {
        return false;
    }
    for (uint32_t i = 0; i < cook->layer_count; ++i) {
        cook->layers[i].anchor_hz = r->anchor_hz;
    }
    return true;
}

// Layers
// ------------------------------------------------------------------------------------------------

static TLW_RECIPE_READ(read_layer_name) {
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

static const tlw_recipe_key layer_keys[] = {
    {.name = "name", .read = read_layer_name, .takes = "name"},
    {.name = "ratio",
     .read = tlw_recipe_read_fraction,
     .offset = offsetof(tlw_cook_layer, ratio),
     .takes = "fraction"},
    MATERIAL_TABLE(LAYER_KEY)};

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
    if (!place.value) {
        return tlw_recipe_unexpected(r, &place, "a name");
    }
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

static bool check_ratio(tlw_recipe_reader* r, const tlw_json* at, tlw_cook_layer* layers,
                        size_t index, size_t count, const tlw_cook_layer* base) {
    tlw_cook_layer* layer = &layers[index];
    const tlw_json place = tlw_json_member(at, "ratio");
    const bool is_end = index == 0 || index == count - 1, is_rest = index + 2 == count;
    if (is_end && place.value) {
        return tlw_recipe_fail(r, &place, "the %s has no ratio; only layers between have one",
                               index == 0 ? "first layer, bone," : "last layer, skin,");
    }
    if (is_rest && !is_end && place.value && !is_whole(layer->ratio)) {
        return tlw_recipe_fail(r, &place,
                               "the layer below the skin takes what is left: leave its ratio out, "
                               "or write 1, not %u/%u",
                               layer->ratio.numerator, layer->ratio.denominator);
    }
    if (is_end || is_rest) {
        layer->ratio = (tlw_cook_fraction){1, 1};
        return true;
    }
    if (!place.value && (!base || is_whole(base->ratio))) {
        return tlw_recipe_unexpected(r, &place,
                                     "a number from 0 to 1, or [numerator, denominator],");
    }
    layer->ratio = place.value ? layer->ratio : base->ratio;
    const tlw_cook_fraction a = layers[index - 1].ratio, b = layer->ratio;
    if (index > 1 &&
        (uint64_t)a.numerator * b.denominator >= (uint64_t)b.numerator * a.denominator) {
        char quoted[TLW_JSON_QUOTE_BYTES];
        return tlw_recipe_fail(r, &place,
                               "layers out of order: %u/%u does not come after the %u/%u of %s",
                               b.numerator, b.denominator, a.numerator, a.denominator,
                               tlw_json_quote(layers[index - 1].name, quoted));
    }
    return true;
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
    if (!check_ratio(r, at, layers, index, count, base)) {
        return false;
    }
#define COMPLETE(field, limit)                                                       \
    if (!complete_value(r, at, #field, &layer->field, base ? &base->field : NULL)) { \
        return false;                                                                \
    }
    MATERIAL_TABLE(COMPLETE)
#undef COMPLETE
    return true;
}

static TLW_RECIPE_READ(read_layers) {
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
#define LEAVE_OUT(field, limit) layers[i].field = NOT_GIVEN;
        MATERIAL_TABLE(LEAVE_OUT)
#undef LEAVE_OUT
        layers[i].anchor_hz = r->anchor_hz;
        if (!tlw_recipe_read_object(r, &element, key, &layers[i]) ||
            !complete_layer(r, &element, layers, i, count, cook->layers)) {
            return false;
        }
    }
    memcpy(cook->layers, layers, sizeof layers);
    cook->layer_count = (uint32_t)count;
    return true;
}

// Bone
// ------------------------------------------------------------------------------------------------

static TLW_RECIPE_READ(read_radius) {
    tlw_recipe* recipe = object;
    uint32_t radius;
    if (!tlw_recipe_integer(r, at, key->least, key->most, &radius)) {
        return false;
    }
    recipe->cook.bone_radius_voxels = (int32_t)radius;
    return true;
}

static const tlw_recipe_key bone_keys[] = {
    {.name = "share",
     .read = tlw_recipe_read_fraction,
     .offset = offsetof(tlw_recipe, cook.bone_share),
     .takes = "fraction"},
    {.name = "radius",
     .read = read_radius,
     .takes = "integer",
     .most = 1024,
     .instead_of = "share"},
};

// Parts and cuts
// ------------------------------------------------------------------------------------------------

static const tlw_recipe_key material_keys[] = {MATERIAL_TABLE(PART_LAYER_KEY)};

static const tlw_recipe_key part_layer_keys[] = {
    {.name = "*", .read = tlw_recipe_read_object, TLW_RECIPE_MEMBERS(material_keys)},
};

static TLW_RECIPE_READ(read_part_layers) {
    tlw_cook_part* part = object;
    const tlw_cook_recipe* cook = &r->out->cook;
    const char* names[TLW_COOK_LAYERS_MAX];
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object with names of layers");
    }
    for (uint32_t i = 0; i < cook->layer_count; ++i) {
        names[i] = cook->layers[i].name;
    }
    for (void* i = json_object_iter(at->value); i; i = json_object_iter_next(at->value, i)) {
        const char* name = json_object_iter_key(i);
        const tlw_json member = tlw_json_member(at, name);
#define LEAVE_OUT(field, limit) NOT_GIVEN,
        material values = {MATERIAL_TABLE(LEAVE_OUT)};
#undef LEAVE_OUT
        uint32_t layer = 0;
        while (layer < cook->layer_count && !are_equal(names[layer], name)) {
            layer += 1;
        }
        if (layer == cook->layer_count) {
            return tlw_recipe_unknown(r, &member, "there is no such layer", name, names,
                                      cook->layer_count);
        }
        if (!tlw_recipe_read_object(r, &member, key->members, &values)) {
            return false;
        }
#define TAKE(field, limit) part->field[layer] = values.field;
        MATERIAL_TABLE(TAKE)
#undef TAKE
    }
    return true;
}

static const tlw_recipe_key part_keys[] = {
    {.name = "joint",
     .read = tlw_recipe_read_name,
     .offset = offsetof(tlw_cook_part, joint),
     .takes = "joint name"},
    {.name = "layers", .read = read_part_layers, TLW_RECIPE_MEMBERS(part_layer_keys)},
};

static TLW_RECIPE_READ(read_parts) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    char quoted[TLW_JSON_QUOTE_BYTES];
    size_t count;
    if (!tlw_recipe_array(r, at, "an array of parts", &count)) {
        return false;
    }
    tlw_cook_part* parts = tlw_recipe_allocate(r, count, sizeof *parts);
    for (size_t i = 0; parts && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        parts[i] = tlw_default_cook_part(NULL);
        if (!tlw_recipe_read_object(r, &element, key, &parts[i])) {
            return false;
        }
        const tlw_json joint = tlw_json_member(&element, "joint");
        const tlw_json layers = tlw_json_member(&element, "layers");
        if (!joint.value) {
            return tlw_recipe_unexpected(r, &joint, "a name");
        }
        if (!layers.value) {
            return tlw_recipe_unexpected(r, &layers, "an object with names of layers");
        }
        for (size_t k = 0; k < i; ++k) {
            if (are_equal(parts[k].joint, parts[i].joint)) {
                return tlw_recipe_fail(r, &joint, "%s has a part already, parts[%zu]",
                                       tlw_json_quote(parts[i].joint, quoted), k);
            }
        }
    }
    cook->parts = parts;
    cook->part_count = (uint32_t)count;
    return parts != NULL;
}

static TLW_RECIPE_READ(read_firm) {
    static const char* const words[] = {"auto", NULL};
    static const tlw_recipe_key word = {.words = words};
    tlw_recipe* recipe = object;
    int chosen;
    recipe->cook.is_firm_auto = json_is_string(at->value);
    if (recipe->cook.is_firm_auto) {
        return tlw_recipe_read_word(r, at, &word, &chosen);
    }
    if (!json_is_array(at->value)) {
        return tlw_recipe_unexpected(r, at, "\"auto\" or an array of names");
    }
    return tlw_recipe_read_names(r, at, key, object);
}

static TLW_RECIPE_READ(read_cut_joints) {
    static const tlw_recipe_key keys[2] = {{.offset = offsetof(tlw_cook_cut, joint_a)},
                                           {.offset = offsetof(tlw_cook_cut, joint_b)}};
    const tlw_cook_cut* cut = object;
    (void)key;
    if (!json_is_array(at->value)) {
        return tlw_recipe_unexpected(r, at, "an array of two names");
    }
    if (json_array_size(at->value) != 2) {
        return tlw_recipe_fail(r, at, "two names are expected, not %zu",
                               json_array_size(at->value));
    }
    for (size_t i = 0; i < 2; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        if (!tlw_recipe_read_name(r, &element, &keys[i], object)) {
            return false;
        }
    }
    if (are_equal(cut->joint_a, cut->joint_b)) {
        char quoted[TLW_JSON_QUOTE_BYTES];
        return tlw_recipe_fail(r, at, "two joints are expected, not %s twice",
                               tlw_json_quote(cut->joint_a, quoted));
    }
    return true;
}

static TLW_RECIPE_READ(read_cut_kind) {
    tlw_cook_cut* cut = object;
    (void)key;
    if (!json_is_boolean(at->value)) {
        return tlw_recipe_unexpected(r, at, "true or false");
    }
    cut->kind = json_is_true(at->value) ? TLW_CUT_FORCED : TLW_CUT_NEVER;
    return true;
}

static const tlw_recipe_key cut_keys[] = {
    {.name = "joints", .read = read_cut_joints, .takes = "two joint names"},
    {.name = "cut", .read = read_cut_kind, .takes = "true or false"},
};

static bool are_same_pair(const tlw_cook_cut* a, const tlw_cook_cut* b) {
    return (are_equal(a->joint_a, b->joint_a) && are_equal(a->joint_b, b->joint_b)) ||
           (are_equal(a->joint_a, b->joint_b) && are_equal(a->joint_b, b->joint_a));
}

static TLW_RECIPE_READ(read_cuts) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    size_t count;
    if (!tlw_recipe_array(r, at, "an array of cuts", &count)) {
        return false;
    }
    tlw_cook_cut* cuts = tlw_recipe_allocate(r, count, sizeof *cuts);
    for (size_t i = 0; cuts && i < count; ++i) {
        const tlw_json element = tlw_json_element(at, i);
        cuts[i].kind = TLW_CUT_FORCED;
        if (!tlw_recipe_read_object(r, &element, key, &cuts[i])) {
            return false;
        }
        const tlw_json joints = tlw_json_member(&element, "joints");
        if (!joints.value) {
            return tlw_recipe_unexpected(r, &joints, "an array of two names");
        }
        for (size_t k = 0; k < i; ++k) {
            if (are_same_pair(&cuts[k], &cuts[i])) {
                return tlw_recipe_fail(r, &joints, "this pair has a cut already, cuts[%zu]", k);
            }
        }
    }
    cook->cuts = cuts;
    cook->cut_count = (uint32_t)count;
    return cuts != NULL;
}

// Meshes and joints
// ------------------------------------------------------------------------------------------------

static const char* const role_words[] = {
    [TLW_ROLE_VOXELISE] = "voxelise", [TLW_ROLE_RIDE] = "ride", [TLW_ROLE_IGNORE] = "ignore", NULL};

static const tlw_recipe_key role_keys[] = {
    {.name = "*", .read = tlw_recipe_read_word, .takes = "word", .words = role_words},
};

static TLW_RECIPE_READ(read_roles) {
    tlw_recipe* recipe = object;
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object with names of meshes");
    }
    const size_t count = json_object_size(at->value);
    if (count > TLW_RECIPE_LIST_MAX) {
        return tlw_recipe_fail(r, at, "%zu meshes; %u is the limit", count, TLW_RECIPE_LIST_MAX);
    }
    tlw_recipe_role* roles = tlw_recipe_allocate(r, count, sizeof *roles);
    size_t next = 0;
    for (void* i = roles ? json_object_iter(at->value) : NULL; i;
         i = json_object_iter_next(at->value, i)) {
        const tlw_json member = tlw_json_member(at, json_object_iter_key(i));
        int role = 0;
        if (member.key[0] == 0) {
            return tlw_recipe_fail(r, &member, "a mesh without a name cannot be named");
        }
        if (!tlw_recipe_read_word(r, &member, key->members, &role) ||
            !tlw_recipe_copy_name(r, member.key, &roles[next].name)) {
            return false;
        }
        roles[next++].role = (tlw_cook_role)role;
    }
    recipe->roles = roles;
    recipe->role_count = (uint32_t)count;
    return roles != NULL;
}

// A name in both lists is a mistake, whichever of the two the importer would let win.
static bool check_apart(tlw_recipe_reader* r, const tlw_json* at, const char* const* included,
                        uint32_t included_count, const char* const* excluded,
                        uint32_t excluded_count) {
    const tlw_json list = tlw_json_member(at, "exclude");
    for (uint32_t i = 0; i < excluded_count; ++i) {
        for (uint32_t k = 0; k < included_count; ++k) {
            if (are_equal(excluded[i], included[k])) {
                const tlw_json element = tlw_json_element(&list, i);
                char quoted[TLW_JSON_QUOTE_BYTES];
                return tlw_recipe_fail(r, &element, "%s is included as well, as include[%u]",
                                       tlw_json_quote(excluded[i], quoted), k);
            }
        }
    }
    return true;
}

static const tlw_recipe_key mesh_keys[] = {
    {.name = "roles", .read = read_roles, TLW_RECIPE_MEMBERS(role_keys)},
    {.name = "include",
     .read = tlw_recipe_read_names,
     .offset = offsetof(tlw_recipe, included_meshes),
     .takes = "list of mesh names",
     .count_offset = offsetof(tlw_recipe, included_mesh_count)},
    {.name = "exclude",
     .read = tlw_recipe_read_names,
     .offset = offsetof(tlw_recipe, excluded_meshes),
     .takes = "list of mesh names",
     .count_offset = offsetof(tlw_recipe, excluded_mesh_count)},
};

static TLW_RECIPE_READ(read_meshes) {
    const tlw_recipe* recipe = object;
    return tlw_recipe_read_object(r, at, key, object) &&
           check_apart(r, at, recipe->included_meshes, recipe->included_mesh_count,
                       recipe->excluded_meshes, recipe->excluded_mesh_count);
}

static const tlw_recipe_key joint_keys[] = {
    {.name = "include",
     .read = tlw_recipe_read_names,
     .offset = offsetof(tlw_recipe, included_joints),
     .takes = "list of joint names",
     .count_offset = offsetof(tlw_recipe, included_joint_count)},
    {.name = "exclude",
     .read = tlw_recipe_read_names,
     .offset = offsetof(tlw_recipe, cook.excluded_joints),
     .takes = "list of joint names",
     .count_offset = offsetof(tlw_recipe, cook.excluded_joint_count)},
};

static TLW_RECIPE_READ(read_joints) {
    const tlw_recipe* recipe = object;
    return tlw_recipe_read_object(r, at, key, object) &&
           check_apart(r, at, recipe->included_joints, recipe->included_joint_count,
                       recipe->cook.excluded_joints, recipe->cook.excluded_joint_count);
}

// Limits
// ------------------------------------------------------------------------------------------------

// At least 0.001, because a limit of 0 would be plain skinning at the cost of a simulation.
static const tlw_recipe_key limit_keys[] = {
    {.name = "extent",
     .read = tlw_recipe_read_float,
     .offset = offsetof(tlw_recipe, cook.limit_extent),
     .takes = "number",
     .least = 0.001,
     .most = 1000},
    {.name = "thickness",
     .read = tlw_recipe_read_float,
     .offset = offsetof(tlw_recipe, cook.limit_thickness),
     .takes = "number",
     .least = 0.001,
     .most = 1000},
};

static TLW_RECIPE_READ(read_memory) {
    tlw_recipe* recipe = object;
    uint32_t mebibytes;
    if (!tlw_recipe_integer(r, at, key->least, key->most, &mebibytes)) {
        return false;
    }
    recipe->cook.max_memory_bytes = (uint64_t)mebibytes << 20;
    return true;
}

static const tlw_recipe_key cook_limit_keys[] = {
    {.name = "voxels",
     .read = tlw_recipe_read_u32,
     .offset = offsetof(tlw_recipe, cook.max_voxels),
     .takes = "integer",
     .least = 1,
     .most = 1e9},
    {.name = "memory_mb", .read = read_memory, .takes = "integer", .least = 1, .most = 1 << 20},
};

// The whole
// ------------------------------------------------------------------------------------------------

static const char* const weights_words[] = {
    [TLW_WEIGHTS_AUTO] = "auto",         [TLW_WEIGHTS_ARTIST] = "artist",
    [TLW_WEIGHTS_HEAT] = "heat",         [TLW_WEIGHTS_DIFFUSION] = "diffusion",
    [TLW_WEIGHTS_GEODESIC] = "geodesic", NULL};

static TLW_RECIPE_READ(read_weights) {
    tlw_recipe* recipe = object;
    int chosen = 0;
    if (!tlw_recipe_read_word(r, at, key, &chosen)) {
        return false;
    }
    recipe->cook.weights = (tlw_cook_weights)chosen;
    return true;
}

static const uint32_t width_choices[] = {2, 3, 0};
static const uint32_t neighbour_choices[] = {
#define NEIGHBOUR_CHOICE(number, faces, edges, corners) number,
    TLW_NEIGHBOUR_SETS(NEIGHBOUR_CHOICE)
#undef NEIGHBOUR_CHOICE
        0};

// The order matters: the preset comes before the keys that override it, the anchor of all layers
// before that of each, and the layers before the parts that name them.
static const tlw_recipe_key recipe_keys[] = {
    {.name = "resolution",
     .read = tlw_recipe_read_u32,
     .offset = offsetof(tlw_recipe, cook.resolution),
     .takes = "integer",
     .least = 2,
     .most = 1024},
    {.name = "voxel_size",
     .read = read_voxel_size,
     .offset = offsetof(tlw_recipe, cook.voxel_metres),
     .takes = "metres",
     .least = 1e-6,
     .most = 1000,
     .instead_of = "resolution"},
    {.name = "region_width",
     .read = tlw_recipe_read_choice,
     .offset = offsetof(tlw_recipe, cook.region_width),
     .takes = "integer",
     .choices = width_choices},
    {.name = "neighbours",
     .read = tlw_recipe_read_choice,
     .offset = offsetof(tlw_recipe, cook.neighbours),
     .takes = "integer",
     .choices = neighbour_choices},
    {.name = "weights", .read = read_weights, .takes = "word", .words = weights_words},
    {.name = "smoothing",
     .read = tlw_recipe_read_u32,
     .offset = offsetof(tlw_recipe, cook.smoothing_passes),
     .takes = "integer",
     .most = 100},
    {.name = "preset", .read = read_preset, .takes = "word", .words = preset_words},
    {.name = "anchor_hz", .read = read_anchor, .takes = "number", .most = ANCHOR_MAX},
    {.name = "layers",
     .read = read_layers,
     .takes = "list",
     .least = 2,
     .most = TLW_COOK_LAYERS_MAX,
     .is_list = true,
     TLW_RECIPE_MEMBERS(layer_keys)},
    {.name = "bone", .read = tlw_recipe_read_object, TLW_RECIPE_MEMBERS(bone_keys)},
    {.name = "parts", .read = read_parts, .is_list = true, TLW_RECIPE_MEMBERS(part_keys)},
    {.name = "firm",
     .read = read_firm,
     .offset = offsetof(tlw_recipe, cook.firm_joints),
     .takes = "word auto, or list of joint names",
     .count_offset = offsetof(tlw_recipe, cook.firm_joint_count)},
    {.name = "cuts", .read = read_cuts, .is_list = true, TLW_RECIPE_MEMBERS(cut_keys)},
    {.name = "limit", .read = tlw_recipe_read_object, TLW_RECIPE_MEMBERS(limit_keys)},
    {.name = "meshes", .read = read_meshes, TLW_RECIPE_MEMBERS(mesh_keys)},
    {.name = "joints", .read = read_joints, TLW_RECIPE_MEMBERS(joint_keys)},
    {.name = "limits", .read = tlw_recipe_read_object, TLW_RECIPE_MEMBERS(cook_limit_keys)},
    {.name = "metres_per_unit",
     .read = tlw_recipe_read_double,
     .offset = offsetof(tlw_recipe, metres_per_unit),
     .takes = "number",
     .least = 1e-6,
     .most = 1e6},
};

const tlw_recipe_key tlw_recipe_schema = {TLW_RECIPE_MEMBERS(recipe_keys)};

tlw_recipe tlw_default_recipe(void) {
    return (tlw_recipe){.cook = tlw_default_cook_recipe(), .metres_per_unit = 1.0};
}

tlw_result tlw_recipe_read(const void* bytes, size_t size, tlw_recipe* out,
                           tlw_recipe_error* error) {
    tlw_recipe_error unused;
    tlw_recipe_reader r = {out, error ? error : &unused, NOT_GIVEN};
    memset(r.error, 0, sizeof *r.error);
    *out = tlw_default_recipe();
    json_t* tree = tlw_recipe_parse(&r, bytes, size);
    const tlw_json root = {.value = tree};
    if (!tree || !tlw_recipe_read_object(&r, &root, &tlw_recipe_schema, out)) {
        tlw_recipe_free(out);
    }
    json_decref(tree);
    return r.error->result;
}
