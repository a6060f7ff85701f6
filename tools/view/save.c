// SPDX-License-Identifier: MIT
// Saves the recipe with the values that were changed, so that the character that it is opened with
// again has the same values and moves the same way: numbers of layers where the cooker finds them,
// all else in the recipe's `view`. The character on the screen goes on as it is.
#include "tools/recipe/save.h"
#include "platform/clock.h"
#include "tools/command/memory.h"
#include "tools/view/panels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct changes {
    tlw_recipe_change* list;
    uint32_t count, capacity;
} changes;

// ---- The file as it is

static tlw_result load_file(const char* path, const void** bytes, size_t* size,
                            char why[TLW_RECIPE_WHY_BYTES], void* user) {
    tlw_file_read_def def = tlw_default_file_read_def();
    uint8_t* read;
    tlw_file_error error;
    (void)user;
    def.path = path;
    def.limit_bytes = TLW_RECIPE_BYTES_MAX;
    def.grow = tlw_heap_grow;
    const tlw_result result = tlw_file_read(&def, &read, size, &error);
    *bytes = result == TLW_OK ? read : NULL;
    snprintf(why, TLW_RECIPE_WHY_BYTES, "%s", result == TLW_OK ? "" : error.message);
    return result;
}

static void release_file(const void* bytes, size_t size, void* user) {
    tlw_heap_grow((void*)bytes, size, 0, user);
}

static const tlw_recipe_loader loader = {load_file, release_file, NULL};

// ---- What was changed

// There is room for every change, because make_changes has counted them.
static void add(changes* c, tlw_recipe_change change) {
    c->list[c->count++] = change;
}

static bool differs(const float* a, const float* b) {
    return memcmp(a, b, sizeof *a) != 0;
}

// Adds the changed numbers of a row of layers. `base` has the same profile.
static void add_materials(const tlw_view_side* side, const tlw_view_values* base, changes* c) {
    const tlw_blob* blob = &side->character.model->actor.blob;
    const tlw_view_values* v = &side->values;
    for (uint32_t i = 0; i < v->part_count * v->layer_count; ++i) {
        const uint32_t part = i / v->layer_count, layer = i % v->layer_count;
        const tlw_material *m = tlw_view_material(v, part, layer),
                           *m0 = tlw_view_material(base, part, layer);
        const tlw_lame *lame = tlw_view_lame(v, part, layer),
                       *lame0 = tlw_view_lame(&side->cooked, part, layer);
        tlw_recipe_change change = {
            .profile = v->profile > 0 ? tlw_blob_profile_name(blob, v->profile) : NULL,
            .part = part > 0 ? tlw_view_part_name(side->character.model, part) : NULL,
            .layer = tlw_blob_layer_name(blob, layer)};
        const struct {
            const char* key;
            const float *now, *before;
        } numbers[] = {{"stiffness", &m->stiffness, &m0->stiffness},
                       {"damping", &m->damping, &m0->damping},
                       {"anchor_hz", &m->anchor_hz, &m0->anchor_hz},
                       {"limit", &m->limit_scale, &m0->limit_scale},
                       {"young_kpa", &lame->young_kpa, &lame0->young_kpa},
                       {"poisson", &lame->poisson, &lame0->poisson},
                       {"density", &lame->density, &lame0->density}};
        for (size_t k = 0; k < TLW_COUNT_OF(numbers) && layer > 0; ++k) {
            change.key = numbers[k].key;
            change.number = (double)*numbers[k].now;
            change.profile = k < 4 ? change.profile : NULL; // profiles do not change lame layers
            if (differs(numbers[k].now, numbers[k].before)) {
                add(c, change);
            }
        }
    }
}

static bool setting_differs(const tlw_view_setting* s, const void* a, const void* b) {
    return s->kind == TLW_VIEW_VECTOR   ? memcmp(a, b, 3 * sizeof(float)) != 0
           : s->kind == TLW_VIEW_SWITCH ? *(const bool*)a != *(const bool*)b
                                        : memcmp(a, b, sizeof(float)) != 0;
}

// Adds the settings, filter values and tensions that differ from `said`, which is what the file
// says.
static void add_settings(const tlw_view_side* side, const tlw_view_values* said, changes* c) {
    const tlw_view_values* v = &side->values;
    for (size_t i = 0; i < TLW_VIEW_SETTING_COUNT; ++i) {
        const tlw_view_setting* s = &tlw_view_settings[i];
        const void *now = (const char*)v + s->value, *before = (const char*)said + s->value;
        tlw_recipe_change change = {.key = s->key};
        if (!setting_differs(s, now, before)) {
            continue;
        }
        switch (s->kind) {
        case TLW_VIEW_VECTOR:
            change.vector = now;
            break;
        case TLW_VIEW_FLOAT:
            change.number = (double)*(const float*)now;
            break;
        case TLW_VIEW_INTEGER:
            change.number = (double)*(const uint32_t*)now;
            break;
        default:
            change.number = *(const bool*)now;
            break;
        }
        add(c, change);
    }
    for (uint32_t m = 0; m < v->muscle_count; ++m) {
        tlw_muscle_info info;
        if (differs(&v->tensions[m], &said->tensions[m]) &&
            tlw_blob_get_muscle(&side->character.model->actor.blob, m, &info) == TLW_OK) {
            add(c, (tlw_recipe_change){.muscle = info.name, .number = (double)v->tensions[m]});
        }
    }
}

// Adds what plays. The first clip is not written, because it is the default.
static void add_play(const tlw_view_app* app, const tlw_view_side* side, const tlw_recipe* now,
                     changes* c) {
    const tlw_actor* actor = &side->character.model->actor;
    const tlw_recipe_view* view = &now->view;
    const bool has_root = !tlw_recipe_place(now, "view.root_motion") || view->root_motion;
    if (side->way.clip != TLW_ASSET_NONE && actor->asset) {
        const char* clip = tlw_actor_clip_name(actor, side->way.clip);
        const char* said = view->clip ? view->clip : tlw_actor_clip_name(actor, 0);
        if (clip[0] && strcmp(clip, said) != 0) {
            add(c, (tlw_recipe_change){.key = "view.clip", .text = clip});
        }
    }
    if (has_root == app->play.is_in_place) {
        add(c, (tlw_recipe_change){.key = "view.root_motion", .number = !app->play.is_in_place});
    }
    if (differs(&app->play.noise_mm, &view->noise_mm)) {
        add(c, (tlw_recipe_change){.key = "view.noise_mm", .number = (double)app->play.noise_mm});
    }
}

static void add_profile(const tlw_view_side* side, const tlw_recipe* now, changes* c) {
    const char* said = now->view.profile ? now->view.profile : "cooked";
    const char* name =
        tlw_blob_profile_name(&side->character.model->actor.blob, side->values.profile);
    if (strcmp(name, said) != 0) {
        add(c, (tlw_recipe_change){.key = "view.profile", .text = name});
    }
}

// Adds every value in which the character differs from the file, `now`. `base` and `said` are
// working memory. Returns false when out of memory.
static bool make_changes(const tlw_view_app* app, const tlw_view_side* side, const tlw_recipe* now,
                         tlw_view_values* base, tlw_view_values* said, changes* c) {
    const tlw_view_model* model = side->character.model;
    const tlw_view_values* v = &side->values;
    char ignored[TLW_VIEW_MESSAGE_BYTES];
    c->capacity = v->part_count * v->layer_count * 7 + TLW_VIEW_SETTING_COUNT + v->muscle_count + 4;
    c->list = calloc(c->capacity, sizeof *c->list);
    if (!c->list || !tlw_view_values_copy(base, &side->cooked) ||
        !tlw_view_values_copy(said, &side->cooked)) {
        return false;
    }
    if (base->profile != v->profile) {
        tlw_view_values_set_profile(base, model, v->profile);
    }
    said->settings = side->plain;
    said->has_filter = false;
    said->filter = tlw_default_pose_filter();
    memset(said->tensions, 0, said->muscle_count * sizeof *said->tensions);
    tlw_view_values_take(said, model, now, ignored, sizeof ignored);
    add_materials(side, base, c);
    add_settings(side, said, c);
    add_profile(side, now, c);
    add_play(app, side, now, c);
    return true;
}

// ---- Saving

// The values that a recipe cannot hold, one per line.
typedef struct left_out {
    char* message;
    size_t room;
    uint32_t count;
} left_out;

static void leave_out(const tlw_recipe_change* change, const char* why, void* user) {
    left_out* l = user;
    const size_t used = strlen(l->message);
    (void)change;
    ++l->count;
    snprintf(l->message + used, l->room - used, "\nnot saved: %s", why);
}

// Makes the text of the file with the changes in it. On TLW_OK the caller frees *text.
static tlw_result make_text(const tlw_view_app* app, const tlw_view_side* side, const char* to,
                            left_out* l, char** text, size_t* size, char* why, size_t room) {
    tlw_recipe now = tlw_default_recipe();
    tlw_recipe_error error = {.result = TLW_OK};
    tlw_view_values base = {0}, said = {0};
    changes c = {0};
    const char* from = side->source.recipe;
    tlw_result result = from ? tlw_recipe_read_file(from, &loader, &now, &error) : TLW_OK;
    if (result == TLW_OK && !make_changes(app, side, &now, &base, &said, &c)) {
        result = TLW_ERROR_OUT_OF_MEMORY;
        snprintf(error.message, sizeof error.message, "out of memory");
    }
    if (result == TLW_OK) {
        const tlw_recipe_save_def def = {.from = from,
                                         .to = to,
                                         .loader = &loader,
                                         .blob = &side->character.model->actor.blob,
                                         .changes = c.list,
                                         .change_count = c.count,
                                         .leave_out = leave_out,
                                         .user = l};
        result = tlw_recipe_save(&def, text, size, &error);
    }
    if (result != TLW_OK) {
        snprintf(why, room, "not saved: %.900s", error.message);
    }
    free(c.list);
    tlw_view_values_free(&base);
    tlw_view_values_free(&said);
    tlw_recipe_free(&now);
    return result;
}

static bool is_same_file(const char* a, const char* b) {
    const tlw_file_identity x = tlw_file_identify(a), y = tlw_file_identify(b);
    return strcmp(a, b) == 0 || tlw_file_is_same(&x, &y);
}

// Says why nothing can be saved there. Another file that is there is only replaced when it is asked
// for twice.
static bool is_possible(tlw_view_side* side, const char* to, char* why, size_t room) {
    const tlw_view_source* source = &side->source;
    const bool is_own = source->recipe && is_same_file(to, source->recipe);
    if (!side->has_character || side->is_loading) {
        snprintf(why, room, "not saved: the character is being loaded; save again after that");
    } else if (!side->character.model->has_recipe) {
        snprintf(why, room,
                 "not saved: a blob has no recipe; open the asset that it was cooked from");
    } else if (to[0] == 0) {
        snprintf(why, room, "not saved: the recipe needs a file name");
    } else if (is_same_file(to, source->file) ||
               (source->motion[0] && is_same_file(to, source->motion))) {
        snprintf(why, room, "not saved: '%.500s' is what is shown, not its recipe", to);
    } else if (!is_own && !side->is_replacing && tlw_file_stamp(to) != 0) {
        side->is_replacing = true;
        snprintf(why, room, "'%.500s' is there already; save once more to replace it", to);
    } else {
        return true;
    }
    return false;
}

// The side goes on with the file that was written: its values are what it says. Where the blob has
// profiles, which follow layers, they have to be cooked anew.
static void go_on_with(tlw_view_side* side, const char* path) {
    const bool has_profiles = side->character.model->actor.info.profile_count > 1;
    const size_t bytes =
        (size_t)side->values.part_count * side->values.layer_count * sizeof *side->values.materials;
    const bool is_other = memcmp(side->values.materials, side->cooked.materials, bytes) != 0;
    if (path != side->source.recipe) {
        snprintf(side->recipe_path, sizeof side->recipe_path, "%s", path);
        side->source.recipe = side->recipe_path;
    }
    if (has_profiles && is_other) {
        side->is_asked = true;
    }
    TLW_IGNORE(tlw_view_values_copy(&side->cooked, &side->values)); // there is room
}

void tlw_view_save_recipe(tlw_view_panels* panels, tlw_view_app* app) {
    tlw_view_side* side = tlw_view_chosen(app);
    char lines[TLW_VIEW_MESSAGE_BYTES / 2] = "";
    left_out l = {.message = lines, .room = sizeof lines};
    char* text = NULL;
    size_t size = 0;
    tlw_file_error error;
    char* said = panels->saved;
    const size_t room = sizeof panels->saved;
    const char* to = side->save_path;
    panels->has_saved = false;
    if (!is_possible(side, to, said, room)) {
        return;
    }
    // However the open recipe is spelled, it stays that file.
    if (side->source.recipe && is_same_file(to, side->source.recipe)) {
        to = side->source.recipe;
    }
    side->is_replacing = false;
    if (make_text(app, side, to, &l, &text, &size, said, room) != TLW_OK) {
        return;
    }
    // A copy of the other side stays one: its files are not watched.
    const tlw_result result = side->loader
                                  ? tlw_view_load_write(side->loader, to, text, size, &error)
                                  : tlw_file_replace(to, text, size, &error);
    free(text);
    if (result != TLW_OK) {
        snprintf(said, room, "not saved: %.900s", error.message);
        return;
    }
    panels->has_saved = l.count == 0;
    panels->saved_ns = tlw_clock_ns();
    snprintf(said, room, "saved '%.400s'%s", to, lines);
    if (side->loader) {
        go_on_with(side, to);
    }
}
