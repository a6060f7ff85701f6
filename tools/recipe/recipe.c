// SPDX-License-Identifier: MIT
// The recipe's schema: one table of keys an object, and the rules between keys. Reads JSON, writes
// a tlw_recipe on top of tlw_default_cook_recipe.
#include "tools/recipe/recipe.h"

#include "runtime/presets.h"
#include "tools/recipe/reader.h"

#include <stdio.h>
#include <string.h>

#define STIFFNESS_MAX 1e6 // what the cooking library takes
#define NOT_GIVEN     (-1.0f)

typedef struct material {
    float stiffness, damping;
} material;

static const tlw_preset_values presets[] = {TLW_PRESET_TABLE(TLW_PRESET_VALUES)};

static bool are_equal(const char* a, const char* b) {
    return strcmp(a, b) == 0;
}

// Resolution, preset
// ------------------------------------------------------------------------------------------------

static TLW_RECIPE_READ(read_voxel_size) {
    tlw_recipe* recipe = object;
    if (json_object_get(at->parent->value, "resolution")) {
        return tlw_recipe_fail(r, at, "resolution is given as well; one of the two decides");
    }
    recipe->cook.resolution = 0;
    return tlw_recipe_read_double(r, at, key, object);
}

static void set_material(tlw_cook_layer* layer, material values) {
    layer->stiffness = values.stiffness;
    layer->damping = values.damping;
}

static TLW_RECIPE_READ(read_preset) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    const char* words[TLW_COUNT_OF(presets) + 1] = {NULL};
    int chosen = 0;
    for (size_t i = 0; i < TLW_COUNT_OF(presets); ++i) {
        words[i] = presets[i].name;
    }
    const tlw_recipe_key word = {.name = key->name, .words = words};
    if (!tlw_recipe_read_word(r, at, &word, &chosen)) {
        return false;
    }
    const tlw_preset_values* preset = &presets[chosen];
    for (int i = 0; i < TLW_PRESET_LAYERS; ++i) { // layer 0 is bone
        set_material(&cook->layers[1 + i], (material){preset->stiffness[i], preset->damping[i]});
    }
    cook->anchor_hz = preset->anchor_hz;
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
    {.name = "name", .read = read_layer_name},
    {.name = "ratio", .read = tlw_recipe_read_fraction, .offset = offsetof(tlw_cook_layer, ratio)},
    {.name = "stiffness",
     .read = tlw_recipe_read_float,
     .offset = offsetof(tlw_cook_layer, stiffness),
     .most = STIFFNESS_MAX},
    {.name = "damping",
     .read = tlw_recipe_read_float,
     .offset = offsetof(tlw_cook_layer, damping),
     .most = 1},
};

// Whose values a layer takes where the recipe gives none: the ends by what they are, those between
// by name. Null: it has to give them.
static const tlw_cook_layer* base_layer(const tlw_cook_layer base[4], const char* name,
                                        size_t index, size_t count) {
    if (index == 0 || index == count - 1) {
        return &base[index == 0 ? 0 : 3];
    }
    return are_equal(name, base[1].name)   ? &base[1]
           : are_equal(name, base[2].name) ? &base[2]
                                           : NULL;
}

static bool check_layer_name(tlw_recipe_reader* r, const tlw_place* at,
                             const tlw_cook_layer* layers, size_t index, size_t count) {
    const char* name = layers[index].name;
    const tlw_place place = tlw_recipe_member(at, "name");
    char quoted[TLW_QUOTE_BYTES];
    if (!place.value) {
        return tlw_recipe_unexpected(r, &place, "a name");
    }
    for (size_t i = 0; i < index; ++i) {
        if (are_equal(layers[i].name, name)) {
            return tlw_recipe_fail(r, &place, "%s is the name of layers[%zu] already",
                                   tlw_recipe_quote(name, quoted), i);
        }
    }
    // The ends may have any name, but these two names are promises.
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

static bool check_ratio(tlw_recipe_reader* r, const tlw_place* at, tlw_cook_layer* layers,
                        size_t index, size_t count, const tlw_cook_layer* base) {
    tlw_cook_layer* layer = &layers[index];
    const tlw_place place = tlw_recipe_member(at, "ratio");
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
        char quoted[TLW_QUOTE_BYTES];
        return tlw_recipe_fail(r, &place,
                               "layers out of order: %u/%u does not come after the %u/%u of %s",
                               b.numerator, b.denominator, a.numerator, a.denominator,
                               tlw_recipe_quote(layers[index - 1].name, quoted));
    }
    return true;
}

static bool read_layer(tlw_recipe_reader* r, const tlw_place* at, tlw_cook_layer* layers,
                       size_t index, size_t count, const tlw_cook_layer standard[4]) {
    tlw_cook_layer* layer = &layers[index];
    layer->stiffness = layer->damping = NOT_GIVEN;
    if (!tlw_recipe_read_object(r, at, layer_keys, TLW_COUNT_OF(layer_keys), layer) ||
        !check_layer_name(r, at, layers, index, count)) {
        return false;
    }
    const tlw_cook_layer* base = base_layer(standard, layer->name, index, count);
    if (!check_ratio(r, at, layers, index, count, base)) {
        return false;
    }
    if (!base && (layer->stiffness < 0 || layer->damping < 0)) {
        const tlw_place missing =
            tlw_recipe_member(at, layer->stiffness < 0 ? "stiffness" : "damping");
        return tlw_recipe_unexpected(r, &missing,
                                     "a number (only bone, muscle, fat and skin have defaults)");
    }
    layer->stiffness = layer->stiffness < 0 ? base->stiffness : layer->stiffness;
    layer->damping = layer->damping < 0 ? base->damping : layer->damping;
    return true;
}

static TLW_RECIPE_READ(read_layers) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    tlw_cook_layer layers[TLW_COOK_LAYERS_MAX];
    size_t count;
    (void)key;
    memset(layers, 0, sizeof layers);
    if (!tlw_recipe_array(r, at, "an array of layers", &count)) {
        return false;
    }
    if (count < 2 || count > TLW_COOK_LAYERS_MAX) {
        return tlw_recipe_fail(r, at, "2 to %d layers are possible, not %zu", TLW_COOK_LAYERS_MAX,
                               count);
    }
    for (size_t i = 0; i < count; ++i) {
        const tlw_place element = tlw_recipe_element(at, i);
        if (!read_layer(r, &element, layers, i, count, cook->layers)) {
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
    if (json_object_get(at->parent->value, "share")) {
        return tlw_recipe_fail(r, at, "share is given as well; one of the two decides");
    }
    if (!tlw_recipe_integer(r, at, key->least, key->most, &radius)) {
        return false;
    }
    recipe->cook.bone_radius_voxels = (int32_t)radius;
    return true;
}

static const tlw_recipe_key bone_keys[] = {
    {.name = "share",
     .read = tlw_recipe_read_fraction,
     .offset = offsetof(tlw_recipe, cook.bone_share)},
    {.name = "radius", .read = read_radius, .most = 1024},
};

static TLW_RECIPE_READ(read_bone) {
    (void)key;
    return tlw_recipe_read_object(r, at, bone_keys, TLW_COUNT_OF(bone_keys), object);
}

// Parts and cuts
// ------------------------------------------------------------------------------------------------

static const tlw_recipe_key material_keys[] = {
    {.name = "stiffness",
     .read = tlw_recipe_read_float,
     .offset = offsetof(material, stiffness),
     .most = STIFFNESS_MAX},
    {.name = "damping",
     .read = tlw_recipe_read_float,
     .offset = offsetof(material, damping),
     .most = 1},
};

static TLW_RECIPE_READ(read_part_layers) {
    tlw_cook_part* part = object;
    const tlw_cook_recipe* cook = &r->out->cook;
    const char* names[TLW_COOK_LAYERS_MAX];
    (void)key;
    if (!json_is_object(at->value)) {
        return tlw_recipe_unexpected(r, at, "an object with names of layers");
    }
    for (uint32_t i = 0; i < cook->layer_count; ++i) {
        names[i] = cook->layers[i].name;
    }
    for (void* i = json_object_iter(at->value); i; i = json_object_iter_next(at->value, i)) {
        const char* name = json_object_iter_key(i);
        const tlw_place member = tlw_recipe_member(at, name);
        material values = {NOT_GIVEN, NOT_GIVEN};
        uint32_t layer = 0;
        while (layer < cook->layer_count && !are_equal(names[layer], name)) {
            layer += 1;
        }
        if (layer == cook->layer_count) {
            return tlw_recipe_unknown(r, &member, "there is no such layer", name, names,
                                      cook->layer_count);
        }
        if (!tlw_recipe_read_object(r, &member, material_keys, TLW_COUNT_OF(material_keys),
                                    &values)) {
            return false;
        }
        part->stiffness[layer] = values.stiffness;
        part->damping[layer] = values.damping;
    }
    return true;
}

static const tlw_recipe_key part_keys[] = {
    {.name = "joint", .read = tlw_recipe_read_name, .offset = offsetof(tlw_cook_part, joint)},
    {.name = "layers", .read = read_part_layers},
};

static TLW_RECIPE_READ(read_parts) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    char quoted[TLW_QUOTE_BYTES];
    size_t count;
    (void)key;
    if (!tlw_recipe_array(r, at, "an array of parts", &count)) {
        return false;
    }
    tlw_cook_part* parts = tlw_recipe_allocate(r, count, sizeof *parts);
    for (size_t i = 0; parts && i < count; ++i) {
        const tlw_place element = tlw_recipe_element(at, i);
        for (int layer = 0; layer < TLW_COOK_LAYERS_MAX; ++layer) {
            parts[i].stiffness[layer] = parts[i].damping[layer] = NOT_GIVEN;
        }
        if (!tlw_recipe_read_object(r, &element, part_keys, TLW_COUNT_OF(part_keys), &parts[i])) {
            return false;
        }
        const tlw_place joint = tlw_recipe_member(&element, "joint");
        const tlw_place layers = tlw_recipe_member(&element, "layers");
        if (!joint.value) {
            return tlw_recipe_unexpected(r, &joint, "a name");
        }
        if (!layers.value) {
            return tlw_recipe_unexpected(r, &layers, "an object with names of layers");
        }
        for (size_t k = 0; k < i; ++k) {
            if (are_equal(parts[k].joint, parts[i].joint)) {
                return tlw_recipe_fail(r, &joint, "%s has a part already, parts[%zu]",
                                       tlw_recipe_quote(parts[i].joint, quoted), k);
            }
        }
    }
    cook->parts = parts;
    cook->part_count = (uint32_t)count;
    return parts != NULL;
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
        const tlw_place element = tlw_recipe_element(at, i);
        if (!tlw_recipe_read_name(r, &element, &keys[i], object)) {
            return false;
        }
    }
    if (are_equal(cut->joint_a, cut->joint_b)) {
        char quoted[TLW_QUOTE_BYTES];
        return tlw_recipe_fail(r, at, "two joints are expected, not %s twice",
                               tlw_recipe_quote(cut->joint_a, quoted));
    }
    return true;
}

static const tlw_recipe_key cut_keys[] = {
    {.name = "joints", .read = read_cut_joints},
    {.name = "cut", .read = tlw_recipe_read_bool, .offset = offsetof(tlw_cook_cut, is_forced)},
};

static bool are_same_pair(const tlw_cook_cut* a, const tlw_cook_cut* b) {
    return (are_equal(a->joint_a, b->joint_a) && are_equal(a->joint_b, b->joint_b)) ||
           (are_equal(a->joint_a, b->joint_b) && are_equal(a->joint_b, b->joint_a));
}

static TLW_RECIPE_READ(read_cuts) {
    tlw_cook_recipe* cook = &((tlw_recipe*)object)->cook;
    size_t count;
    (void)key;
    if (!tlw_recipe_array(r, at, "an array of cuts", &count)) {
        return false;
    }
    tlw_cook_cut* cuts = tlw_recipe_allocate(r, count, sizeof *cuts);
    for (size_t i = 0; cuts && i < count; ++i) {
        const tlw_place element = tlw_recipe_element(at, i);
        cuts[i].is_forced = true;
        if (!tlw_recipe_read_object(r, &element, cut_keys, TLW_COUNT_OF(cut_keys), &cuts[i])) {
            return false;
        }
        const tlw_place joints = tlw_recipe_member(&element, "joints");
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

static TLW_RECIPE_READ(read_roles) {
    static const char* const words[] = {[TLW_ROLE_VOXELISE] = "voxelise",
                                        [TLW_ROLE_RIDE] = "ride",
                                        [TLW_ROLE_IGNORE] = "ignore",
                                        NULL};
    static const tlw_recipe_key word = {.words = words};
    tlw_recipe* recipe = object;
    (void)key;
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
        const tlw_place member = tlw_recipe_member(at, json_object_iter_key(i));
        int role = 0;
        if (member.key[0] == 0) {
            return tlw_recipe_fail(r, &member, "a mesh without a name cannot be named");
        }
        if (!tlw_recipe_read_word(r, &member, &word, &role) ||
            !tlw_recipe_copy_name(r, member.key, &roles[next].name)) {
            return false;
        }
        roles[next++].role = (tlw_cook_role)role;
    }
    recipe->roles = roles;
    recipe->role_count = (uint32_t)count;
    return roles != NULL;
}

// A name that is let in and left out at once is a mistake, whichever the importer lets win.
static bool check_apart(tlw_recipe_reader* r, const tlw_place* at, const char* const* included,
                        uint32_t included_count, const char* const* excluded,
                        uint32_t excluded_count) {
    const tlw_place list = tlw_recipe_member(at, "exclude");
    for (uint32_t i = 0; i < excluded_count; ++i) {
        for (uint32_t k = 0; k < included_count; ++k) {
            if (are_equal(excluded[i], included[k])) {
                const tlw_place element = tlw_recipe_element(&list, i);
                char quoted[TLW_QUOTE_BYTES];
                return tlw_recipe_fail(r, &element, "%s is included as well, as include[%u]",
                                       tlw_recipe_quote(excluded[i], quoted), k);
            }
        }
    }
    return true;
}

static const tlw_recipe_key mesh_keys[] = {
    {.name = "roles", .read = read_roles},
    {.name = "include",
     .read = tlw_recipe_read_names,
     .offset = offsetof(tlw_recipe, included_meshes),
     .count_offset = offsetof(tlw_recipe, included_mesh_count)},
    {.name = "exclude",
     .read = tlw_recipe_read_names,
     .offset = offsetof(tlw_recipe, excluded_meshes),
     .count_offset = offsetof(tlw_recipe, excluded_mesh_count)},
};

static TLW_RECIPE_READ(read_meshes) {
    const tlw_recipe* recipe = object;
    (void)key;
    return tlw_recipe_read_object(r, at, mesh_keys, TLW_COUNT_OF(mesh_keys), object) &&
           check_apart(r, at, recipe->included_meshes, recipe->included_mesh_count,
                       recipe->excluded_meshes, recipe->excluded_mesh_count);
}

static const tlw_recipe_key joint_keys[] = {
    {.name = "include",
     .read = tlw_recipe_read_names,
     .offset = offsetof(tlw_recipe, included_joints),
     .count_offset = offsetof(tlw_recipe, included_joint_count)},
    {.name = "exclude",
     .read = tlw_recipe_read_names,
     .offset = offsetof(tlw_recipe, cook.excluded_joints),
     .count_offset = offsetof(tlw_recipe, cook.excluded_joint_count)},
};

static TLW_RECIPE_READ(read_joints) {
    const tlw_recipe* recipe = object;
    (void)key;
    return tlw_recipe_read_object(r, at, joint_keys, TLW_COUNT_OF(joint_keys), object) &&
           check_apart(r, at, recipe->included_joints, recipe->included_joint_count,
                       recipe->cook.excluded_joints, recipe->cook.excluded_joint_count);
}

// Limits
// ------------------------------------------------------------------------------------------------

// 0.001 and not 0: a limit of nothing would be plain skinning at the price of a simulation.
static const tlw_recipe_key limit_keys[] = {
    {.name = "extent",
     .read = tlw_recipe_read_float,
     .offset = offsetof(tlw_recipe, cook.limit_extent),
     .least = 0.001,
     .most = 1000},
    {.name = "thickness",
     .read = tlw_recipe_read_float,
     .offset = offsetof(tlw_recipe, cook.limit_thickness),
     .least = 0.001,
     .most = 1000},
};

static TLW_RECIPE_READ(read_limit) {
    (void)key;
    return tlw_recipe_read_object(r, at, limit_keys, TLW_COUNT_OF(limit_keys), object);
}

static TLW_RECIPE_READ(read_memory) {
    tlw_recipe* recipe = object;
    uint32_t mebibytes;
    if (!tlw_recipe_integer(r, at, key->least, key->most, &mebibytes)) {
        return false;
    }
    recipe->cook.max_memory_bytes = (uint64_t)mebibytes << 20;
    return true;
}

static const tlw_recipe_key cap_keys[] = {
    {.name = "voxels",
     .read = tlw_recipe_read_u32,
     .offset = offsetof(tlw_recipe, cook.max_voxels),
     .least = 1,
     .most = 1e9},
    {.name = "memory_mb", .read = read_memory, .least = 1, .most = 1 << 20},
};

static TLW_RECIPE_READ(read_caps) {
    (void)key;
    return tlw_recipe_read_object(r, at, cap_keys, TLW_COUNT_OF(cap_keys), object);
}

// The whole
// ------------------------------------------------------------------------------------------------

static const char* const weights_words[] = {[TLW_WEIGHTS_AUTO] = "auto",
                                            [TLW_WEIGHTS_ARTIST] = "artist",
                                            [TLW_WEIGHTS_GEODESIC] = "geodesic",
                                            NULL};

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
static const uint32_t neighbour_choices[] = {6, 14, 18, 20, 26, 0};

// In this order: a preset before what goes over it, layers before the parts that name them.
static const tlw_recipe_key recipe_keys[] = {
    {.name = "resolution",
     .read = tlw_recipe_read_u32,
     .offset = offsetof(tlw_recipe, cook.resolution),
     .least = 2,
     .most = 1024},
    {.name = "voxel_size",
     .read = read_voxel_size,
     .offset = offsetof(tlw_recipe, cook.voxel_metres),
     .least = 1e-6,
     .most = 1000},
    {.name = "region_width",
     .read = tlw_recipe_read_choice,
     .offset = offsetof(tlw_recipe, cook.region_width),
     .choices = width_choices},
    {.name = "neighbours",
     .read = tlw_recipe_read_choice,
     .offset = offsetof(tlw_recipe, cook.neighbours),
     .choices = neighbour_choices},
    {.name = "weights", .read = read_weights, .words = weights_words},
    {.name = "smoothing",
     .read = tlw_recipe_read_u32,
     .offset = offsetof(tlw_recipe, cook.smoothing_passes),
     .most = 100},
    {.name = "preset", .read = read_preset},
    {.name = "layers", .read = read_layers},
    {.name = "bone", .read = read_bone},
    {.name = "parts", .read = read_parts},
    {.name = "cuts", .read = read_cuts},
    {.name = "anchor_hz",
     .read = tlw_recipe_read_float,
     .offset = offsetof(tlw_recipe, cook.anchor_hz),
     .most = 1000},
    {.name = "limit", .read = read_limit},
    {.name = "meshes", .read = read_meshes},
    {.name = "joints", .read = read_joints},
    {.name = "limits", .read = read_caps},
    {.name = "metres_per_unit",
     .read = tlw_recipe_read_double,
     .offset = offsetof(tlw_recipe, metres_per_unit),
     .least = 1e-6,
     .most = 1e6},
};

tlw_recipe tlw_default_recipe(void) {
    return (tlw_recipe){.cook = tlw_default_cook_recipe(), .metres_per_unit = 1.0};
}

tlw_result tlw_recipe_read(const void* bytes, size_t size, tlw_recipe* out,
                           tlw_recipe_error* error) {
    tlw_recipe_error unused;
    tlw_recipe_reader r = {out, error ? error : &unused};
    memset(r.error, 0, sizeof *r.error);
    *out = tlw_default_recipe();
    json_t* tree = tlw_recipe_parse(&r, bytes, size);
    const tlw_place root = {.value = tree};
    if (!tree || !tlw_recipe_read_object(&r, &root, recipe_keys, TLW_COUNT_OF(recipe_keys), out)) {
        tlw_recipe_free(out);
    }
    json_decref(tree);
    return r.error->result;
}
