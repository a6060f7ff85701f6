// SPDX-License-Identifier: MIT
// Hostile muscles through the cooking library's interface, on a tiny body: numbers that are not
// finite, far out of range or not there, names that do not exist, counts that are too small or too
// large. Never a crash; the library either cooks a blob, which it validates, or says which muscle
// is at fault.
#include "tests/cook/support/muscle_arm.h"
#include "tests/helpers.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MUSCLES = 3, VERTICES = 36, FIELDS = 10, TENDONS = 4, CASES = 400 };

typedef struct garbage {
    tlw_cook_muscle list[MUSCLES];
    tlw_cook_line_vertex lines[MUSCLES][VERTICES];
    tlw_cook_muscle_field fields[MUSCLES][FIELDS];
    uint32_t tendons[MUSCLES][TENDONS];
    char names[MUSCLES][80];
    uint64_t random;
    uint32_t odds; // one number in this many is hostile
} garbage;

static uint32_t draw(garbage* g, uint32_t count) {
    return (uint32_t)(tlw_test_random(&g->random) % count);
}

static bool is_hostile(garbage* g) {
    return draw(g, g->odds) == 0;
}

// A number within a range, or a hostile one.
static float number(garbage* g, double low, double high) {
    static const float hostile[] = {NAN,     INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, FLT_MIN,
                                    1e-45f,  0.0f,     -0.0f,     -1.0f,   1e9f,     -1e9f,
                                    1.0001f, 40.01f,   181.0f,    1e-9f};
    if (is_hostile(g)) {
        return hostile[draw(g, TLW_COUNT_OF(hostile))];
    }
    return (float)(low + (high - low) * (double)(tlw_test_random(&g->random) >> 11) * 0x1p-53);
}

static uint32_t count_of(garbage* g, uint32_t low, uint32_t high, uint32_t room) {
    return is_hostile(g) ? draw(g, room + 1) : low + draw(g, high - low + 1);
}

static const char* joint(garbage* g) {
    static const char* const good[] = {"arm.L", "fore.L", "arm.R", "fore.R"};
    static const char* const hostile[] = {"", "nobody", "arm", "ARM.L", "left_right", "trunk"};
    return is_hostile(g) ? hostile[draw(g, TLW_COUNT_OF(hostile))]
                         : good[draw(g, TLW_COUNT_OF(good))];
}

static tlw_cook_place place(garbage* g) {
    tlw_cook_place p = {.joint = draw(g, 4) == 0 ? NULL : joint(g), .along = number(g, 0, 1)};
    for (int a = 0; a < 3; ++a) {
        p.offset[a] = number(g, -0.1, 0.1);
        p.at[a] = number(g, -0.5, 0.5);
    }
    // Sometimes none of them, or the same joint twice.
    for (uint32_t k = 0; k < TLW_COOK_PLACE_JOINTS && !is_hostile(g); ++k) {
        p.joints[k] = k == 0 ? "arm.L" : k == 1 ? "fore.L" : is_hostile(g) ? joint(g) : NULL;
        p.weights[k] = number(g, 0.1, 1);
    }
    return p;
}

static void make_muscle(garbage* g, uint32_t i) {
    static const char* const hostile[] = {
        "", "muscle0", "no side", "L.R",
        "a name of more than sixty-three bytes, which is more than there is room for.L"};
    tlw_cook_muscle* m = &g->list[i];
    snprintf(g->names[i], sizeof g->names[i], "%s%u", "muscle", i);
    if (is_hostile(g)) {
        snprintf(g->names[i], sizeof g->names[i], "%s", hostile[draw(g, TLW_COUNT_OF(hostile))]);
    }
    *m = tlw_default_cook_muscle(draw(g, 12) == 0 ? NULL : g->names[i]);
    m->radius = number(g, 0.01, 0.05);
    m->bulge = number(g, 0, 10);
    m->line = g->lines[i];
    m->vertex_count = count_of(g, 3, 9, VERTICES);
    m->tendons = g->tendons[i];
    m->tendon_count = count_of(g, 0, 1, TENDONS);
    m->fields = g->fields[i];
    m->field_count = count_of(g, 0, 2, FIELDS);
    m->flex_joint = draw(g, 3) == 0 ? joint(g) : NULL;
    m->flex_from = number(g, 0, 60);
    m->flex_to = number(g, 70, 180);
    m->is_mirrored = is_hostile(g);
    for (uint32_t v = 0; v < VERTICES; ++v) {
        const bool is_kept = draw(g, 2) == 0;
        g->lines[i][v] =
            (tlw_cook_line_vertex){.place = place(g),
                                   .radius = is_kept ? TLW_COOK_KEEP : number(g, 0, 1),
                                   .is_dynamic = is_hostile(g) ? 7 : (int32_t)draw(g, 3) - 1};
    }
    for (uint32_t k = 0; k < TENDONS; ++k) {
        g->tendons[i][k] = is_hostile(g) ? UINT32_MAX - draw(g, 3) : k;
    }
    for (uint32_t f = 0; f < FIELDS; ++f) {
        tlw_cook_muscle_field* field = &g->fields[i][f];
        *field = (tlw_cook_muscle_field){.place = place(g),
                                         .gain = number(g, 0, 40),
                                         .attracts = draw(g, 2) == 0,
                                         .reach = number(g, 1.1, 5)};
        field->place.joint = is_hostile(g) ? NULL : joint(g); // a field follows one joint
        for (int a = 0; a < 3; ++a) {
            field->radii[a] = number(g, 0.05, 0.2);
        }
    }
}

// Whether the message says which muscle is at fault: by name, or by number where a name is not fit
// to be shown.
static bool names_a_muscle(const garbage* g, const char* message) {
    for (uint32_t i = 0; i < MUSCLES; ++i) {
        char number_of[32];
        snprintf(number_of, sizeof number_of, "muscle %u", i);
        const char* name = g->list[i].name ? g->list[i].name : "'auto'";
        if (strstr(message, number_of) || (name[0] != 0 && strstr(message, name))) {
            return true;
        }
    }
    return false;
}

TLW_TEST(hostile_muscles_are_cooked_or_refused_by_name) {
    static garbage g;
    uint32_t cooked = 0, refused = 0;
    scene* s = arms_scene();
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 10;
    recipe.volume_reach = 0;
    recipe.muscles = g.list;
    recipe.muscle_count = MUSCLES;
    g.random = 4;
    for (uint32_t i = 0; i < CASES; ++i) {
        g.odds = 20 + 60 * (i % 8);
        for (uint32_t m = 0; m < MUSCLES; ++m) {
            make_muscle(&g, m);
        }
        tlw_cook_output out;
        const tlw_result result = tlw_cook_character(scene_input(s), &recipe, &options, &out);
        CHECK_EQ(out.blob != NULL, result == TLW_OK);
        CHECK_EQ(out.error.result, result);
        if (result != TLW_OK &&
            (!out.error.is_of_recipe || !names_a_muscle(&g, out.error.message))) {
            tlw_test_fail(__FILE__, __LINE__, "case %u: no muscle is named in '%s' (%s)", i,
                          out.error.message, out.error.key);
        }
        cooked += result == TLW_OK;
        refused += result != TLW_OK;
        tlw_cook_output_free(&out);
    }
    CHECK_LT(10u, cooked);
    CHECK_LT(100u, refused);
    scene_free(s);
}
