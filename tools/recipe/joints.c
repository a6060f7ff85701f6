// SPDX-License-Identifier: MIT
// Checks a recipe against a character's joints: every joint that it names must exist. Then
// expresses the included joints as a list of excluded joints, which is what the cooking library
// takes.
#include "tools/cook/names.h"
#include "tools/recipe/nearest.h"
#include "tools/recipe/reader.h"

#include <stdlib.h>
#include <string.h>

typedef struct joint_list {
    const tlw_cook_joint* joints;
    const tlw_joint_name* names; // sorted
    uint32_t count;
} joint_list;

static uint32_t find_joint(const joint_list* list, const char* name) {
    return tlw_find_joint_name(list->names, list->count, name);
}

static bool require_joint(tlw_recipe_reader* r, const joint_list* list, const tlw_json* at,
                          const char* name) {
    char quoted[TLW_JSON_QUOTE_BYTES], guess[TLW_JSON_QUOTE_BYTES];
    if (find_joint(list, name) != TLW_NO_JOINT) {
        return true;
    }
    tlw_nearest nearest = {.word = name};
    for (uint32_t j = 0; j < list->count; ++j) {
        tlw_nearest_try(&nearest, list->joints[j].name);
    }
    char path[TLW_RECIPE_PLACE_BYTES];
    tlw_json_write_path(at, path, sizeof path);
    const char* place = tlw_recipe_place(r->out, path);
    place = place ? place : path;
    if (nearest.best) {
        tlw_recipe_fail(r, NULL, "%s: there is no joint %s; did you mean %s?", place,
                        tlw_json_quote(name, quoted), tlw_json_quote(nearest.best, guess));
    } else {
        tlw_recipe_fail(r, NULL, "%s: there is no joint %s among the %u of this character", place,
                        tlw_json_quote(name, quoted), list->count);
    }
    r->error->result = TLW_ERROR_NOT_FOUND;
    return false;
}

// Whether a part of that profile exists, only the cooker knows.
static bool require_profile(tlw_recipe_reader* r, const joint_list* list, uint32_t profile) {
    const tlw_cook_profile* p = &r->out->cook.profiles[profile];
    const tlw_json root = {0};
    const tlw_json profiles = {NULL, &root, "profiles", 0}, own = {NULL, &profiles, NULL, profile};
    const tlw_json parts = {NULL, &own, "parts", 0};
    bool ok = true;
    for (uint32_t i = 0; i < p->part_count && ok; ++i) {
        const tlw_json part = {NULL, &parts, NULL, i}, at = {NULL, &part, "joint", 0};
        ok = !p->parts[i].joint || require_joint(r, list, &at, p->parts[i].joint);
    }
    return ok;
}

// `at` is the vertex or field that the place is of.
static bool require_place(tlw_recipe_reader* r, const joint_list* list, const tlw_json* at,
                          const tlw_cook_place* place) {
    const tlw_json joint = {NULL, at, "joint", 0}, joints = {NULL, at, "joints", 0};
    bool ok = !place->joint || require_joint(r, list, &joint, place->joint);
    for (int k = 0; k < TLW_COOK_PLACE_JOINTS && ok && place->joints[k]; ++k) {
        const tlw_json own = {NULL, &joints, place->joints[k], 0};
        ok = require_joint(r, list, &own, place->joints[k]);
    }
    return ok;
}

static bool require_muscle(tlw_recipe_reader* r, const joint_list* list, uint32_t muscle) {
    const tlw_cook_muscle* m = &r->out->cook.muscles[muscle];
    const tlw_json root = {0};
    const tlw_json muscles = {NULL, &root, "muscles", 0}, own = {NULL, &muscles, NULL, muscle};
    const tlw_json line = {NULL, &own, "line", 0}, fields = {NULL, &own, "fields", 0};
    const tlw_json flex = {NULL, &own, "flex", 0}, flex_joint = {NULL, &flex, "joint", 0};
    bool ok = true;
    for (uint32_t i = 0; i < m->vertex_count && ok; ++i) {
        const tlw_json at = {NULL, &line, NULL, i};
        ok = require_place(r, list, &at, &m->line[i].place);
    }
    for (uint32_t i = 0; i < m->field_count && ok; ++i) {
        const tlw_json at = {NULL, &fields, NULL, i};
        ok = require_place(r, list, &at, &m->fields[i].place);
    }
    return ok && (!m->flex_joint || require_joint(r, list, &flex_joint, m->flex_joint));
}

// The JSON tree no longer exists here. Paths are rebuilt from the recipe, which keeps the lists in
// the tree's order, and its marks know where those stand.
static bool require_named(tlw_recipe_reader* r, const joint_list* list) {
    const tlw_cook_recipe* cook = &r->out->cook;
    const tlw_json root = {0};
    const tlw_json parts = {NULL, &root, "parts", 0}, cuts = {NULL, &root, "cuts", 0};
    const tlw_json firm = {NULL, &root, "firm", 0}, joints = {NULL, &root, "joints", 0};
    const tlw_json heat = {NULL, &root, "heat", 0}, view = {NULL, &root, "view", 0};
    const tlw_json view_parts = {NULL, &view, "parts", 0};
    const tlw_json include = {NULL, &joints, "include", 0}, exclude = {NULL, &joints, "exclude", 0};
    bool ok = true;
    for (uint32_t i = 0; i < cook->part_count && ok; ++i) {
        const tlw_json part = {NULL, &parts, NULL, i}, at = {NULL, &part, "joint", 0};
        ok = require_joint(r, list, &at, cook->parts[i].joint);
    }
    for (uint32_t i = 0; i < cook->heat_count && ok; ++i) {
        const tlw_json entry = {NULL, &heat, NULL, i}, at = {NULL, &entry, "joint", 0};
        ok = require_joint(r, list, &at, cook->heat[i].joint);
    }
    for (uint32_t i = 0; i < cook->profile_count && ok; ++i) {
        ok = require_profile(r, list, i);
    }
    for (uint32_t i = 0; i < cook->muscle_count && ok; ++i) {
        ok = require_muscle(r, list, i);
    }
    for (uint32_t i = 1; i < r->out->view.part_count && ok; ++i) {
        const tlw_json part = {NULL, &view_parts, NULL, i - 1}, at = {NULL, &part, "joint", 0};
        ok = require_joint(r, list, &at, r->out->view.parts[i].joint);
    }
    for (uint32_t i = 0; i < cook->firm_joint_count && ok; ++i) {
        const tlw_json at = {NULL, &firm, NULL, i};
        ok = require_joint(r, list, &at, cook->firm_joints[i]);
    }
    for (uint32_t i = 0; i < cook->cut_count && ok; ++i) {
        const tlw_json cut = {NULL, &cuts, NULL, i}, pair = {NULL, &cut, "joints", 0};
        const tlw_json a = {NULL, &pair, NULL, 0}, b = {NULL, &pair, NULL, 1};
        ok = require_joint(r, list, &a, cook->cuts[i].joint_a) &&
             require_joint(r, list, &b, cook->cuts[i].joint_b);
    }
    for (uint32_t i = 0; i < r->out->included_joint_count && ok; ++i) {
        const tlw_json at = {NULL, &include, NULL, i};
        ok = require_joint(r, list, &at, r->out->included_joints[i]);
    }
    for (uint32_t i = 0; i < cook->excluded_joint_count && ok; ++i) {
        const tlw_json at = {NULL, &exclude, NULL, i};
        ok = require_joint(r, list, &at, cook->excluded_joints[i]);
    }
    return ok;
}

// Whether a joint, or a joint above it, is included. MARK_WALKED is set only during a search.
typedef enum joint_mark { MARK_UNKNOWN, MARK_INCLUDED, MARK_NOT, MARK_WALKED } joint_mark;

// Parents come from the caller unchecked, so the search upwards ends at an index that is no joint,
// and where it meets itself. Its answer holds for every joint on the way and is kept for all of
// them, so that each joint is walked once.
static bool is_at_or_below(const joint_list* list, uint32_t joint, uint8_t* marks) {
    uint32_t top = joint;
    while (top < list->count && marks[top] == MARK_UNKNOWN) {
        marks[top] = MARK_WALKED;
        top = list->joints[top].parent;
    }
    const bool is_included = top < list->count && marks[top] == MARK_INCLUDED;
    for (uint32_t up = joint; up < list->count && marks[up] == MARK_WALKED;
         up = list->joints[up].parent) {
        marks[up] = is_included ? MARK_INCLUDED : MARK_NOT;
    }
    return is_included;
}

static bool exclude_the_rest(tlw_recipe_reader* r, const joint_list* list, uint8_t* marks,
                             bool* is_excluded) {
    tlw_cook_recipe* cook = &r->out->cook;
    const tlw_json joints = {NULL, &(tlw_json){0}, "joints", 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->out->included_joint_count; ++i) {
        marks[find_joint(list, r->out->included_joints[i])] = MARK_INCLUDED;
    }
    for (uint32_t i = 0; i < cook->excluded_joint_count; ++i) {
        is_excluded[find_joint(list, cook->excluded_joints[i])] = true;
    }
    for (uint32_t j = 0; j < list->count; ++j) {
        is_excluded[j] = is_excluded[j] || !is_at_or_below(list, j, marks);
        count += is_excluded[j];
    }
    if (count == list->count) {
        return tlw_recipe_fail(r, &joints, "include and exclude leave none of the %u joints",
                               list->count);
    }
    const char** names = tlw_recipe_allocate(r, count, sizeof *names);
    uint32_t next = 0;
    for (uint32_t j = 0; names && j < list->count; ++j) {
        if (is_excluded[j] && !tlw_recipe_copy_name(r, list->joints[j].name, &names[next++])) {
            return false;
        }
    }
    if (!names) {
        return false;
    }
    cook->excluded_joints = names;
    cook->excluded_joint_count = count;
    return true;
}

tlw_result tlw_recipe_choose_joints(tlw_recipe* recipe, const tlw_cook_joint* joints,
                                    uint32_t joint_count, tlw_recipe_error* error) {
    tlw_recipe_error unused;
    tlw_recipe_reader r = {.out = recipe, .error = error ? error : &unused};
    memset(r.error, 0, sizeof *r.error);
    // One element more than needed, because there may be no joints and malloc(0) may be null.
    tlw_joint_name* names = malloc(((size_t)joint_count + 1) * sizeof *names);
    uint8_t* marks = calloc((size_t)joint_count + 1, sizeof *marks);
    bool* is_excluded = calloc((size_t)joint_count + 1, sizeof *is_excluded);
    if (names && marks && is_excluded) {
        tlw_sort_joint_names(joints, joint_count, names);
        const joint_list list = {joints, names, joint_count};
        if (require_named(&r, &list) && recipe->included_joint_count > 0) {
            exclude_the_rest(&r, &list, marks, is_excluded);
        }
    } else {
        tlw_recipe_no_memory(&r);
    }
    free(names);
    free(marks);
    free(is_excluded);
    return r.error->result;
}
