// SPDX-License-Identifier: MIT
// Saving: works out what every part and layer shall have, and then gives numbers in the text until
// the recipe that it is read as has just that. So a number that a part takes from its layer, or a
// Lame layer from the one inside it, is given where it would otherwise change along.
#include "tools/recipe/save.h"

#include "platform/file.h"
#include "tools/cook/stages.h"
#include "tools/recipe/reader.h"
#include "tools/recipe/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS_MOST 64u // each gives the innermost wrong number of every part and key
#define WHY_BYTES   512

// The numbers of a layer in a part, by the names of their keys.
static const char* const keys[] = {
#define MATERIAL_NAME(field, most, meaning)            #field,
#define LAME_NAME(field, low, high, standard, meaning) #field,
    TLW_RECIPE_MATERIALS(MATERIAL_NAME) TLW_RECIPE_LAME(LAME_NAME)
#undef MATERIAL_NAME
#undef LAME_NAME
};
#define COUNT_MATERIAL(field, most, meaning) +1
enum {
    KEYS = TLW_COUNT_OF(keys),
    FIRST_LAME = 0 TLW_RECIPE_MATERIALS(COUNT_MATERIAL), // the last one, density, is 0 in others
    LAYERS = TLW_COOK_LAYERS_MAX
};
#undef COUNT_MATERIAL

// What a part shall have.
typedef struct target {
    const char* joint; // null: the whole character
    bool is_firm;      // it is one by itself, and not in the recipe yet
    float numbers[KEYS][LAYERS];
} target;

typedef struct saving {
    const tlw_recipe_save_def* def;
    tlw_recipe_error* error;
    tlw_recipe recipe; // as it was
    target* targets;   // first the whole character, then the recipe's parts, then firm ones
    uint32_t target_count;
    tlw_recipe_text text;
} saving;

static tlw_result fail(saving* s, tlw_result result, const char* format, ...) TLW_PRINTF(3, 4);

static tlw_result fail(saving* s, tlw_result result, const char* format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(s->error->message, sizeof s->error->message, format, values);
    va_end(values);
    s->error->result = result;
    return result;
}

static tlw_result fail_memory(saving* s) {
    return fail(s, TLW_ERROR_OUT_OF_MEMORY, "out of memory");
}

// ---- Numbers

static float number_of(const tlw_cook_recipe* cook, uint32_t part, uint32_t layer, uint32_t key) {
    const tlw_cook_part* own = part > 0 ? &cook->parts[part - 1] : NULL;
    uint32_t k = 0;
#define MATERIAL(field, most, meaning)                                                        \
    if (k++ == key) {                                                                         \
        return own && own->field[layer] >= 0 ? own->field[layer] : cook->layers[layer].field; \
    }
    TLW_RECIPE_MATERIALS(MATERIAL)
#undef MATERIAL
    const tlw_blob_lame lame = tlw_cook_lame_of(cook, part, layer);
#define LAME(field, low, high, standard, meaning) \
    if (k++ == key) {                             \
        return lame.field;                        \
    }
    TLW_RECIPE_LAME(LAME)
#undef LAME
    return 0;
}

// What a part has that is firm by itself: the same in every layer, and no layer of it is Lame.
static float firm_number(uint32_t key) {
    uint32_t k = 0;
#define MATERIAL(field, most, meaning)       \
    if (k++ == key) {                        \
        return tlw_cook_firm_material.field; \
    }
    TLW_RECIPE_MATERIALS(MATERIAL)
#undef MATERIAL
    return 0;
}

// The shortest digits that the reader makes the same float of.
static void write_float(float value, char text[TLW_JSON_QUOTE_BYTES]) {
    for (int digits = 1; digits <= 9; ++digits) {
        snprintf(text, TLW_JSON_QUOTE_BYTES, "%.*g", digits, (double)value);
        if ((float)strtod(text, NULL) == value) {
            return;
        }
    }
}

// ---- Changes

static void leave_out(const saving* s, const tlw_recipe_change* c, const char* format, ...)
    TLW_PRINTF(3, 4);

// "belly, fat, young_kpa: ...", after the profile's name if there is one.
static void leave_out(const saving* s, const tlw_recipe_change* c, const char* format, ...) {
    const char* const names[] = {c->profile, c->part, c->layer, c->key, c->muscle};
    char why[WHY_BYTES];
    size_t used = 0;
    if (!s->def->leave_out) {
        return;
    }
    for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
        if (names[i]) {
            used =
                tlw_json_append(why, sizeof why, used, "%s%.80s", used > 0 ? ", " : "", names[i]);
        }
    }
    used = tlw_json_append(why, sizeof why, used, ": ");
    va_list values;
    va_start(values, format);
    vsnprintf(why + used, sizeof why - used, format, values);
    va_end(values);
    s->def->leave_out(c, why, s->def->user);
}

// Whether the key takes the number; says so if it does not.
static bool check_one(const saving* s, const tlw_recipe_change* c, const tlw_recipe_key* key,
                      double number) {
    const bool has_range = key->most != 0.0;
    // Not isfinite, which some C libraries implement for floats only.
    const bool is_finite = number - number == 0.0;
    if (!is_finite || (has_range && (number < key->least || number > key->most))) {
        leave_out(s, c, "a recipe takes %g to %g, not %g", key->least, key->most, number);
        return false;
    }
    return true;
}

static bool check_number(const saving* s, const tlw_recipe_change* c, const tlw_recipe_key* key) {
    return check_one(s, c, key, c->layer || c->muscle ? (double)(float)c->number : c->number);
}

static bool find_layer(const saving* s, const tlw_recipe_change* c, uint32_t* layer) {
    for (uint32_t i = 0; i < s->recipe.cook.layer_count; ++i) {
        if (strcmp(s->recipe.cook.layers[i].name, c->layer) == 0) {
            *layer = i;
            return true;
        }
    }
    leave_out(s, c, "the recipe has no such layer");
    return false;
}

static const tlw_recipe_key* member_of(const tlw_recipe_key* table, const char* name) {
    return table ? tlw_recipe_find_key(table, name) : NULL;
}

// What the part's joint, or another joint of it, is called in the recipe. A part that a mirrored
// one stands for is found by the blob alone.
static target* find_target(saving* s, const char* joint) {
    uint32_t wanted = 0, part = 0;
    for (uint32_t i = 0; i < s->target_count; ++i) {
        if (joint ? s->targets[i].joint && strcmp(s->targets[i].joint, joint) == 0
                  : !s->targets[i].joint) {
            return &s->targets[i];
        }
    }
    if (!joint || !s->def->blob || tlw_blob_find_part(s->def->blob, joint, &wanted) != TLW_OK) {
        return NULL;
    }
    for (uint32_t i = 1; i < s->target_count; ++i) {
        if (tlw_blob_find_part(s->def->blob, s->targets[i].joint, &part) == TLW_OK &&
            part == wanted) {
            return &s->targets[i];
        }
    }
    return NULL;
}

// A joint below the part's that a part on it would take along: null if there is none.
static const char* stray_joint(const tlw_blob* blob, const tlw_blob_info* info, uint32_t part,
                               uint32_t top) {
    for (uint32_t j = 0; j < info->joint_count; ++j) {
        tlw_joint_info joint, above;
        tlw_part_info other;
        bool is_below = false, is_own = false;
        if (tlw_blob_get_joint(blob, j, &joint) != TLW_OK || joint.part == part ||
            tlw_blob_get_part(blob, joint.part, &other) != TLW_OK) {
            continue;
        }
        above = joint;
        is_own = other.kind == TLW_PART_RECIPE && other.joint == j;
        for (uint32_t steps = 0; above.parent != TLW_NO_INDEX && steps < info->joint_count;
             ++steps) {
            is_below = is_below || above.parent == top;
            is_own = is_own ||
                     (!is_below && other.kind == TLW_PART_RECIPE && other.joint == above.parent);
            if (tlw_blob_get_joint(blob, above.parent, &above) != TLW_OK) {
                break;
            }
        }
        if (is_below && !is_own) {
            return joint.name;
        }
    }
    return NULL;
}

// Makes a part that is firm by itself a target.
static target* push_firm(saving* s, const char* joint) {
    target* grown = realloc(s->targets, (s->target_count + 1u) * sizeof *grown);
    if (!grown) {
        (void)fail_memory(s);
        return NULL;
    }
    s->targets = grown;
    target* t = &grown[s->target_count++];
    *t = (target){.joint = joint, .is_firm = true};
    for (uint32_t k = 0; k < KEYS; ++k) {
        for (uint32_t l = 0; l < s->recipe.cook.layer_count; ++l) {
            t->numbers[k][l] = firm_number(k);
        }
    }
    return t;
}

// A part that is firm by itself, as a target; null after it was left out. Those before it in the
// blob become targets too: the recipe's parts come first there, so all keep their order.
static target* add_firm(saving* s, const tlw_recipe_change* c) {
    const tlw_blob* blob = s->def->blob;
    tlw_blob_info info;
    tlw_part_info part;
    uint32_t index = 0;
    if (!blob || tlw_blob_get_info(blob, &info) != TLW_OK ||
        tlw_blob_find_part(blob, c->part, &index) != TLW_OK ||
        tlw_blob_get_part(blob, index, &part) != TLW_OK || part.kind == TLW_PART_WHOLE ||
        part.kind == TLW_PART_RECIPE) {
        leave_out(s, c, "the recipe has no such part");
        return NULL;
    }
    const char* stray = stray_joint(blob, &info, index, part.joint);
    if (stray) {
        leave_out(s, c, "a part on this firm joint would also take %.80s, which is not firm",
                  stray);
        return NULL;
    }
    for (uint32_t before = 0; before < index; ++before) {
        if (tlw_blob_get_part(blob, before, &part) != TLW_OK || part.kind == TLW_PART_WHOLE ||
            part.kind == TLW_PART_RECIPE || stray_joint(blob, &info, before, part.joint)) {
            continue;
        }
        const char* joint = tlw_blob_joint_name(blob, part.joint);
        if (!find_target(s, joint) && !push_firm(s, joint)) {
            return NULL;
        }
    }
    return tlw_blob_get_part(blob, index, &part) == TLW_OK
               ? push_firm(s, tlw_blob_joint_name(blob, part.joint))
               : NULL;
}

static void take_material(saving* s, const tlw_recipe_change* c) {
    const tlw_recipe_key* layer_key = member_of(&tlw_recipe_keys, "layers");
    const tlw_recipe_key* key = member_of(layer_key, c->key);
    uint32_t layer, k = 0;
    while (k < KEYS && strcmp(keys[k], c->key) != 0) {
        ++k;
    }
    if (!key || k == KEYS) {
        leave_out(s, c, "a recipe has no such number outside of its profiles");
        return;
    }
    if (!find_layer(s, c, &layer) || !check_number(s, c, key)) {
        return;
    }
    target* t = find_target(s, c->part);
    t = t ? t : add_firm(s, c);
    if (!t) {
        return;
    }
    if (k >= FIRST_LAME && t->numbers[KEYS - 1][layer] == 0.0f) {
        leave_out(s, c, "the layer is not of solver lame");
        return;
    }
    t->numbers[k][layer] = (float)c->number;
}

// ---- Text

static tlw_recipe_span need_layers(saving* s);

// The object of a layer in a part: parts[joint].layers.NAME, or the entry of layers.
static tlw_recipe_span need_layer(saving* s, const char* joint, const char* layer) {
    tlw_recipe_text* t = &s->text;
    if (!joint) {
        return tlw_recipe_text_need_entry(t, need_layers(s), "name", layer);
    }
    const tlw_recipe_span parts =
        tlw_recipe_text_need_member(t, tlw_recipe_text_root(t), "parts", "[]");
    const tlw_recipe_span part = tlw_recipe_text_need_entry(t, parts, "joint", joint);
    const tlw_recipe_span layers = tlw_recipe_text_need_member(t, part, "layers", "{}");
    return tlw_recipe_text_need_member(t, layers, layer, "{}");
}

// A key that excludes this one in an object is replaced by it.
static void set(saving* s, const tlw_recipe_key* table, tlw_recipe_span object, const char* name,
                const char* value) {
    tlw_recipe_text* t = &s->text;
    const tlw_recipe_key* key = member_of(table, name);
    tlw_recipe_span old;
    for (size_t i = 0; key && i < table->member_count; ++i) {
        const tlw_recipe_key* other = &table->members[i];
        const bool is_rival = (key->instead_of && strcmp(key->instead_of, other->name) == 0) ||
                              (other->instead_of && strcmp(other->instead_of, name) == 0);
        if (is_rival && tlw_recipe_text_member(t, object, other->name, &old)) {
            tlw_recipe_text_rename(t, object, other->name, name);
            object =
                (tlw_recipe_span){object.begin, object.end + strlen(name) - strlen(other->name)};
        }
    }
    const tlw_recipe_span span = tlw_recipe_text_need_member(t, object, name, value);
    if (!t->is_out_of_memory) {
        tlw_recipe_text_replace(t, span, value);
    }
}

// The text of `layers` of a file that the recipe extends, which wins over others before it; null:
// none gives any. The files were read before, so that they are valid and few.
static char* load_layers(const saving* s, const char* path, uint32_t depth);

static char* load_layers_of(const saving* s, const tlw_recipe_text* t, const char* path,
                            uint32_t depth) {
    tlw_recipe_span found, list, file = {0, 0};
    const tlw_recipe_span root = tlw_recipe_text_root(t);
    char* layers = NULL;
    if (depth > 0 && tlw_recipe_text_member(t, root, "layers", &found)) {
        layers = malloc(found.end - found.begin + 1);
        if (layers) {
            memcpy(layers, t->bytes + found.begin, found.end - found.begin);
            layers[found.end - found.begin] = 0;
        }
        return layers;
    }
    if (depth > TLW_RECIPE_CHAIN_MAX || !tlw_recipe_text_member(t, root, "extend", &list)) {
        return NULL;
    }
    const bool is_one = t->bytes[list.begin] == '"';
    file = is_one ? list : file;
    while (is_one ? layers == NULL : tlw_recipe_text_next(t, list, &file)) {
        char* name = tlw_recipe_text_decode(t, file);
        char base[TLW_PATH_MAX];
        const int length = snprintf(base, sizeof base, "%.*s%s",
                                    (int)tlw_recipe_folder_length(path), path, name ? name : "");
        char* newer = name && length > 0 && (size_t)length < sizeof base
                          ? load_layers(s, base, depth + 1)
                          : NULL;
        free(name);
        if (newer) { // the last file that gives layers counts
            free(layers);
            layers = newer;
        }
        if (is_one) {
            break;
        }
    }
    return layers;
}

static char* load_layers(const saving* s, const char* path, uint32_t depth) {
    char why[TLW_RECIPE_WHY_BYTES];
    const void* bytes;
    size_t size;
    const tlw_recipe_loader* loader = s->def->loader;
    if (loader->load(path, &bytes, &size, why, loader->user) != TLW_OK) {
        return NULL;
    }
    tlw_recipe_text t = tlw_recipe_text_make(bytes, size);
    if (loader->release) {
        loader->release(bytes, size, loader->user);
    }
    char* layers = t.is_out_of_memory ? NULL : load_layers_of(s, &t, path, depth);
    tlw_recipe_text_free(&t);
    return layers;
}

// The list of layers in the recipe itself. A list replaces that of an extended file, so all of that
// is taken over; where no file has one, all layers are listed by name, which gives them what they
// have anyway.
static tlw_recipe_span need_layers(saving* s) {
    tlw_recipe_text* t = &s->text;
    tlw_recipe_span list;
    if (tlw_recipe_text_member(t, tlw_recipe_text_root(t), "layers", &list)) {
        return list;
    }
    char* layers = s->def->from ? load_layers(s, s->def->from, 0) : NULL;
    list =
        tlw_recipe_text_need_member(t, tlw_recipe_text_root(t), "layers", layers ? layers : "[]");
    free(layers);
    const tlw_cook_recipe* cook = &s->recipe.cook;
    for (uint32_t i = 0; i < cook->layer_count; ++i) {
        (void)tlw_recipe_text_need_entry(t, list, "name", cook->layers[i].name);
        (void)tlw_recipe_text_member(t, tlw_recipe_text_root(t), "layers", &list);
    }
    return list;
}

// ---- Settings and profiles, which nothing else follows

// The name that a part has in a list of parts: that of an entry of the same part, or the one that
// was asked for.
static const char* listed_joint(const saving* s, const tlw_cook_profile_part* parts, uint32_t count,
                                const char* joint) {
    uint32_t part, other;
    if (!joint || !s->def->blob || tlw_blob_find_part(s->def->blob, joint, &part) != TLW_OK) {
        return joint;
    }
    for (uint32_t i = 1; i < count; ++i) {
        if (tlw_blob_find_part(s->def->blob, parts[i].joint, &other) == TLW_OK && part == other) {
            return parts[i].joint;
        }
    }
    return joint;
}

// Sets a number of a layer below `at`, which has the table's keys layers and parts: a profile, or
// the view.
static void set_layer(saving* s, const tlw_recipe_change* c, const tlw_recipe_key* table,
                      tlw_recipe_span at, const char* joint) {
    tlw_recipe_text* t = &s->text;
    char value[TLW_JSON_QUOTE_BYTES];
    if (joint) {
        at = tlw_recipe_text_need_member(t, at, "parts", "[]");
        at = tlw_recipe_text_need_entry(t, at, "joint", joint);
    }
    at = tlw_recipe_text_need_member(t, at, "layers", "{}");
    at = tlw_recipe_text_need_member(t, at, c->layer, "{}");
    write_float((float)c->number, value);
    set(s, member_of(member_of(table, "layers"), c->layer), at, c->key, value);
}

static void set_profile(saving* s, const tlw_recipe_change* c) {
    const tlw_recipe_key* table = member_of(member_of(&tlw_recipe_keys, "profiles"), "*");
    const tlw_recipe_key* key = member_of(member_of(member_of(table, "layers"), c->layer), c->key);
    const tlw_cook_recipe* cook = &s->recipe.cook;
    const tlw_cook_profile* profile = NULL;
    uint32_t layer;
    for (uint32_t i = 0; i < cook->profile_count; ++i) {
        profile = strcmp(cook->profiles[i].name, c->profile) == 0 ? &cook->profiles[i] : profile;
    }
    if (!profile || !key) {
        leave_out(s, c,
                  profile ? "a profile has no such number" : "the recipe has no such profile");
        return;
    }
    if (!find_layer(s, c, &layer) || !check_number(s, c, key)) {
        return;
    }
    tlw_recipe_text* t = &s->text;
    tlw_recipe_span at = tlw_recipe_text_need_member(t, tlw_recipe_text_root(t), "profiles", "{}");
    at = tlw_recipe_text_need_member(t, at, c->profile, "{}");
    set_layer(s, c, table, at, listed_joint(s, profile->parts, profile->part_count, c->part));
}

// What no blob has outside of profiles: a limit.
static void set_limit(saving* s, const tlw_recipe_change* c) {
    const tlw_recipe_key* table = member_of(&tlw_recipe_keys, "view");
    const tlw_recipe_key* key = member_of(member_of(member_of(table, "layers"), c->layer), c->key);
    const tlw_recipe_view* view = &s->recipe.view;
    uint32_t layer, part;
    if (!find_layer(s, c, &layer) || !check_number(s, c, key)) {
        return;
    }
    if (c->part && s->def->blob && tlw_blob_find_part(s->def->blob, c->part, &part) != TLW_OK) {
        leave_out(s, c, "there is no such part");
        return;
    }
    const tlw_recipe_span root = tlw_recipe_text_root(&s->text);
    set_layer(s, c, table, tlw_recipe_text_need_member(&s->text, root, "view", "{}"),
              listed_joint(s, view->parts, view->part_count, c->part));
}

static void set_tension(saving* s, const tlw_recipe_change* c) {
    const tlw_recipe_key* table = member_of(member_of(&tlw_recipe_keys, "view"), "tensions");
    char value[TLW_JSON_QUOTE_BYTES];
    if (!check_number(s, c, member_of(table, c->muscle))) {
        return;
    }
    tlw_recipe_text* t = &s->text;
    tlw_recipe_span at = tlw_recipe_text_need_member(t, tlw_recipe_text_root(t), "view", "{}");
    at = tlw_recipe_text_need_member(t, at, "tensions", "{}");
    write_float((float)c->number, value);
    set(s, table, at, c->muscle, value);
}

// The table of the object that the last name of a path is in, which *name then points to; null if
// the path leads through something else.
static const tlw_recipe_key* table_of(const char* path, const char** name) {
    const tlw_recipe_key* table = &tlw_recipe_keys;
    char group[64];
    for (const char* dot; table && (dot = strchr(path, '.')) != NULL; path = dot + 1) {
        snprintf(group, sizeof group, "%.*s", (int)(dot - path), path);
        table = member_of(table, group);
        table = table && table->kind == TLW_RECIPE_OBJECT ? table : NULL;
    }
    *name = path;
    return table;
}

// The object that the last name of a path is in, where every name leads to an object.
static tlw_recipe_span need_object(saving* s, const char* path) {
    tlw_recipe_span at = tlw_recipe_text_root(&s->text);
    char group[64];
    for (const char* dot; (dot = strchr(path, '.')) != NULL; path = dot + 1) {
        snprintf(group, sizeof group, "%.*s", (int)(dot - path), path);
        at = tlw_recipe_text_need_member(&s->text, at, group, "{}");
    }
    return at;
}

// The shortest text of a number that was a float, as many digits as a double needs of another.
static void write_number(double number, char text[TLW_JSON_QUOTE_BYTES]) {
    if ((double)(float)number == number) {
        write_float((float)number, text);
    } else {
        tlw_recipe_show_number(number, text);
    }
}

static void set_vector(saving* s, const tlw_recipe_change* c, const tlw_recipe_key* table,
                       const tlw_recipe_key* key) {
    char value[4 * TLW_JSON_QUOTE_BYTES], number[TLW_JSON_QUOTE_BYTES];
    size_t used = 0;
    for (int i = 0; i < 3; ++i) {
        if (!check_one(s, c, key, (double)c->vector[i])) {
            return;
        }
        write_float(c->vector[i], number);
        used = tlw_json_append(value, sizeof value, used, "%s%s", i > 0 ? ", " : "[", number);
    }
    tlw_json_append(value, sizeof value, used, "]");
    set(s, table, need_object(s, c->key), key->name, value);
}

static void set_name(saving* s, const tlw_recipe_change* c, const tlw_recipe_key* table,
                     const tlw_recipe_key* key) {
    char* value = tlw_recipe_text_encode(c->text);
    if (!value) {
        (void)fail_memory(s);
        return;
    }
    set(s, table, need_object(s, c->key), key->name, value);
    free(value);
}

static void set_setting(saving* s, const tlw_recipe_change* c) {
    const char* name;
    char value[TLW_JSON_QUOTE_BYTES];
    const tlw_recipe_key* table = table_of(c->key, &name);
    const tlw_recipe_key* key = member_of(table, name);
    const bool is_switch = key && key->kind == TLW_RECIPE_SWITCH;
    const bool is_integer =
        key && (key->kind == TLW_RECIPE_INTEGER || key->kind == TLW_RECIPE_CHOICE);
    if (key && key->kind == TLW_RECIPE_VECTOR && c->vector) {
        set_vector(s, c, table, key);
        return;
    }
    if (key && key->kind == TLW_RECIPE_NAME && c->text) {
        set_name(s, c, table, key);
        return;
    }
    if (!key || (!is_switch && !is_integer && key->kind != TLW_RECIPE_NUMBER)) {
        leave_out(s, c, "a recipe has no such number");
        return;
    }
    if (key->read == tlw_recipe_read_anchor) { // every layer would be given what it had
        leave_out(s, c, "change the anchor of layers");
        return;
    }
    if (!check_number(s, c, key)) {
        return;
    }
    if (is_switch) {
        snprintf(value, sizeof value, "%s", c->number != 0.0 ? "true" : "false");
    } else if (is_integer) {
        snprintf(value, sizeof value, "%.0f", c->number);
    } else {
        write_number(c->number, value);
    }
    set(s, table, need_object(s, c->key), name, value);
}

// ---- Paths in the text

static bool is_slash(char c) {
    return c == '/' || (TLW_OS_WINDOWS && c == '\\');
}

// The way from one folder to a file; both are absolute and resolved, the folder with its last
// slash. False: there is none, or it is too long.
static bool write_way(const char* folder, const char* file, char way[TLW_PATH_MAX]) {
    size_t common = 0, used = 0;
    for (size_t i = 0; folder[i] && folder[i] == file[i]; ++i) {
        common = is_slash(folder[i]) ? i + 1 : common;
    }
    if (common == 0) { // another drive
        return false;
    }
    for (size_t i = common; folder[i]; ++i) {
        if (is_slash(folder[i])) {
            used = tlw_json_append(way, TLW_PATH_MAX, used, "../");
        }
    }
    used = tlw_json_append(way, TLW_PATH_MAX, used, "%s", file + common);
    for (size_t i = 0; i < used; ++i) {
        way[i] = is_slash(way[i]) ? '/' : way[i];
    }
    return used < TLW_PATH_MAX - 1;
}

static bool resolve_folder(const char* path, char folder[TLW_PATH_MAX]) {
    char name[TLW_PATH_MAX];
    const int length =
        snprintf(name, sizeof name, "%.*s.", (int)tlw_recipe_folder_length(path), path);
    if (length < 0 || (size_t)length >= sizeof name || !tlw_file_resolve(name, folder)) {
        return false;
    }
    const size_t end = strlen(folder);
    if (end > 0 && !is_slash(folder[end - 1])) {
        if (end + 2 > TLW_PATH_MAX) {
            return false;
        }
        memcpy(folder + end, TLW_OS_WINDOWS ? "\\" : "/", 2);
    }
    return true;
}

// Lets a string of the text, a path seen from the old folder, be one seen from the new folder.
static tlw_result move_path(saving* s, tlw_recipe_span string, const char* from, const char* to) {
    char file[2 * TLW_PATH_MAX], resolved[TLW_PATH_MAX], way[TLW_PATH_MAX];
    char* name = tlw_recipe_text_decode(&s->text, string);
    if (!name) {
        return fail_memory(s);
    }
    const int length = snprintf(file, sizeof file, "%s%s", from, name);
    const bool is_moved = length > 0 && length < TLW_PATH_MAX && tlw_file_resolve(file, resolved) &&
                          write_way(to, resolved, way);
    char* encoded = is_moved ? tlw_recipe_text_encode(way) : NULL;
    if (encoded) {
        tlw_recipe_text_replace(&s->text, string, encoded);
    } else {
        (void)(is_moved ? fail_memory(s)
                        : fail(s, TLW_ERROR_BAD_ARGUMENT,
                               "%s: '%s' has no relative path from there", s->def->to, name));
    }
    free(encoded);
    free(name);
    return s->error->result;
}

static tlw_result move_paths(saving* s) {
    char from[TLW_PATH_MAX], to[TLW_PATH_MAX];
    tlw_recipe_text* t = &s->text;
    tlw_recipe_span at, element = {0, 0};
    if (!s->def->from) {
        return TLW_OK;
    }
    if (!resolve_folder(s->def->from, from) || !resolve_folder(s->def->to, to)) {
        return fail(s, TLW_ERROR_CANNOT_READ, "%s: the folder cannot be looked at", s->def->to);
    }
    if (strcmp(from, to) == 0) {
        return TLW_OK;
    }
    if (tlw_recipe_text_member(t, tlw_recipe_text_root(t), "$schema", &at)) {
        char* name = tlw_recipe_text_decode(t, at);
        const bool is_path = name && !strchr(name, ':') && !is_slash(name[0]);
        free(name);
        if (is_path && move_path(s, at, from, to) != TLW_OK) {
            return s->error->result;
        }
    }
    if (!tlw_recipe_text_member(t, tlw_recipe_text_root(t), "extend", &at)) {
        return TLW_OK;
    }
    if (t->bytes[at.begin] == '"') {
        return move_path(s, at, from, to);
    }
    for (uint32_t i = 0; tlw_recipe_text_next(t, at, &element); ++i) {
        if (move_path(s, element, from, to) != TLW_OK) {
            return s->error->result;
        }
        // The list and the element have other ends now.
        (void)tlw_recipe_text_member(t, tlw_recipe_text_root(t), "extend", &at);
        element = (tlw_recipe_span){0, 0};
        for (uint32_t k = 0; k <= i; ++k) {
            (void)tlw_recipe_text_next(t, at, &element);
        }
    }
    return TLW_OK;
}

// ---- Rounds

// The loader of the new text: at `to` it lies in memory.
static tlw_result load_new(const char* path, const void** bytes, size_t* size,
                           char why[TLW_RECIPE_WHY_BYTES], void* user) {
    const saving* s = user;
    if (strcmp(path, s->def->to) == 0) {
        *bytes = s->text.bytes;
        *size = s->text.size;
        return TLW_OK;
    }
    if (!s->def->loader) {
        snprintf(why, TLW_RECIPE_WHY_BYTES, "cannot read '%.200s'", path);
        return TLW_ERROR_CANNOT_READ;
    }
    return s->def->loader->load(path, bytes, size, why, s->def->loader->user);
}

static void release_new(const void* bytes, size_t size, void* user) {
    const saving* s = user;
    if (bytes != s->text.bytes && s->def->loader->release) {
        s->def->loader->release(bytes, size, s->def->loader->user);
    }
}

// Gives each key of a part its number in the innermost layer where the recipe has another. True if
// there was any.
static bool correct_part(saving* s, const tlw_cook_recipe* cook, const target* t) {
    const tlw_recipe_key* layers = member_of(&tlw_recipe_keys, "layers");
    uint32_t part = 0;
    bool has_changed = false;
    char value[TLW_JSON_QUOTE_BYTES];
    for (uint32_t i = 0; t->joint && i < cook->part_count; ++i) {
        part = strcmp(cook->parts[i].joint, t->joint) == 0 ? i + 1 : part;
    }
    for (uint32_t l = 1; t->is_firm && l < cook->layer_count && !has_changed; ++l) {
        if (tlw_cook_lame_of(cook, part, l).density > 0.0f) {
            const tlw_recipe_span at = need_layer(s, t->joint, cook->layers[l].name);
            set(s, layers, at, "solver", "\"shape\"");
            has_changed = true;
        }
    }
    for (uint32_t k = 0; k < KEYS; ++k) {
        for (uint32_t l = 0; l < cook->layer_count; ++l) {
            const bool is_asked = k < FIRST_LAME || t->numbers[KEYS - 1][l] > 0.0f;
            if (is_asked && number_of(cook, part, l, k) != t->numbers[k][l]) {
                const tlw_recipe_span at = need_layer(s, t->joint, cook->layers[l].name);
                write_float(t->numbers[k][l], value);
                set(s, layers, at, keys[k], value);
                has_changed = true;
                break;
            }
        }
    }
    return has_changed;
}

// Reads the text and corrects it, until there is nothing to correct.
static tlw_result correct(saving* s) {
    const tlw_recipe_loader loader = {load_new, release_new, s};
    bool has_changed = true;
    for (uint32_t round = 0; round < ROUNDS_MOST && has_changed; ++round) {
        tlw_recipe now;
        if (s->text.is_out_of_memory) {
            return fail_memory(s);
        }
        if (tlw_recipe_read_file(s->def->to, &loader, &now, s->error) != TLW_OK) {
            return s->error->result;
        }
        has_changed = false;
        for (uint32_t i = 0; i < s->target_count; ++i) {
            has_changed = correct_part(s, &now.cook, &s->targets[i]) || has_changed;
        }
        tlw_recipe_free(&now);
    }
    return !has_changed
               ? TLW_OK
               : fail(s, TLW_ERROR_UNSUPPORTED, "%s: no recipe has these numbers", s->def->to);
}

// ---- The front

static tlw_result begin(saving* s) {
    static const char empty[] = "{\n}\n";
    const tlw_recipe_save_def* def = s->def;
    char why[TLW_RECIPE_WHY_BYTES] = "";
    const void* bytes = empty;
    size_t size = sizeof empty - 1;
    if (def->from) {
        const tlw_result read = tlw_recipe_read_file(def->from, def->loader, &s->recipe, s->error);
        if (read != TLW_OK) {
            return read;
        }
        const tlw_result loaded =
            def->loader->load(def->from, &bytes, &size, why, def->loader->user);
        if (loaded != TLW_OK) {
            return fail(s, loaded, "%s: %s", def->from, why);
        }
    } else {
        s->recipe = tlw_default_recipe();
    }
    s->text = tlw_recipe_text_make(bytes, size);
    if (def->from && def->loader->release) {
        def->loader->release(bytes, size, def->loader->user);
    }
    const tlw_cook_recipe* cook = &s->recipe.cook;
    s->target_count = 1 + cook->part_count;
    s->targets = calloc(s->target_count, sizeof *s->targets);
    if (s->text.is_out_of_memory || !s->targets) {
        return fail_memory(s);
    }
    for (uint32_t p = 0; p < s->target_count; ++p) {
        s->targets[p].joint = p > 0 ? cook->parts[p - 1].joint : NULL;
        for (uint32_t k = 0; k < KEYS; ++k) {
            for (uint32_t l = 0; l < cook->layer_count; ++l) {
                s->targets[p].numbers[k][l] = number_of(cook, p, l, k);
            }
        }
    }
    return TLW_OK;
}

static tlw_result save(saving* s) {
    tlw_result result = begin(s);
    if (result != TLW_OK) {
        return result;
    }
    result = move_paths(s);
    for (uint32_t i = 0; result == TLW_OK && i < s->def->change_count; ++i) {
        const tlw_recipe_change* c = &s->def->changes[i];
        if (c->muscle) {
            set_tension(s, c);
        } else if (!c->layer) {
            set_setting(s, c);
        } else if (c->profile) {
            set_profile(s, c);
        } else if (strcmp(c->key, "limit") == 0) {
            set_limit(s, c);
        } else {
            take_material(s, c);
        }
        result = s->error->result;
    }
    return result == TLW_OK ? correct(s) : result;
}

tlw_result tlw_recipe_save(const tlw_recipe_save_def* def, char** text, size_t* size,
                           tlw_recipe_error* error) {
    tlw_recipe_error unused;
    saving s = {.def = def, .error = error ? error : &unused};
    memset(s.error, 0, sizeof *s.error);
    const tlw_result result = save(&s);
    *text = result == TLW_OK ? s.text.bytes : NULL;
    *size = result == TLW_OK ? s.text.size : 0;
    if (result != TLW_OK) {
        tlw_recipe_text_free(&s.text);
    }
    free(s.targets);
    tlw_recipe_free(&s.recipe);
    return result;
}
