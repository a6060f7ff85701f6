// SPDX-License-Identifier: MIT
// Muscles of a recipe: what the example becomes, how files that extend others unite them, and every
// mistake that they make possible.
#include "tests/recipe/mistakes.h"

TLW_TEST(recipe_example_has_automatic_and_given_muscles) {
    size_t size;
    char* text = fixture_load("example.json", &size);
    tlw_recipe recipe = fixture_read(text);
    free(text);
    const tlw_cook_muscle* m = recipe.cook.muscles;
    CHECK_EQ(recipe.cook.muscle_count, 3);
    CHECK_EQ(m[0].name, NULL);
    CHECK_EQ(m[0].bulge, 2.0f);
    CHECK_STRING(m[1].name, "biceps.L");
    CHECK_EQ(m[1].bulge, 1.5f);
    CHECK_EQ(m[1].radius, 0.022f);
    CHECK(m[1].is_mirrored && !m[2].is_mirrored);
    CHECK_EQ(m[1].tendon_count, 2);
    CHECK_EQ(m[1].tendons[1], 5);
    CHECK_EQ(m[1].vertex_count, 7);
    CHECK_EQ(m[1].field_count, 0);
    CHECK_STRING(m[1].line[0].place.joint, "upper_arm.L");
    CHECK_EQ(m[1].line[0].place.along, 0.0f);
    CHECK_EQ(m[1].line[1].place.along, 0.2f);
    CHECK_EQ(m[1].line[1].place.offset[2], 0.03f);
    CHECK_EQ(m[1].line[0].radius, -1.0f);
    CHECK_EQ(m[1].line[1].radius, 0.8f);
    CHECK_EQ(m[1].line[1].is_dynamic, -1);
    CHECK_EQ(m[1].line[5].is_dynamic, 0);
    CHECK_STRING(m[1].line[6].place.joint, "forearm.L");
    CHECK_STRING(m[1].flex_joint, "forearm.L");
    CHECK_EQ(m[1].flex_from, 20.0f);
    CHECK_EQ(m[1].flex_to, 120.0f);
    CHECK_STRING(m[2].name, "pectoralis.L");
    CHECK_EQ(m[2].bulge, 1.0f);
    CHECK_EQ(m[2].flex_joint, NULL);
    CHECK_EQ(m[2].vertex_count, 4);
    const tlw_cook_place* place = &m[2].line[2].place;
    CHECK_EQ(place->joint, NULL);
    CHECK_STRING(place->joints[0], "chest");
    CHECK_STRING(place->joints[1], "upper_arm.L");
    CHECK_EQ(place->joints[2], NULL);
    CHECK_EQ(place->weights[1], 0.5f);
    CHECK_EQ(place->at[1], 1.36f);
    CHECK_EQ(m[2].field_count, 2);
    CHECK_STRING(m[2].fields[0].place.joint, "chest");
    CHECK_EQ(m[2].fields[0].place.along, 0.5f);
    CHECK_EQ(m[2].fields[0].place.offset[1], 0.01f);
    CHECK_EQ(m[2].fields[0].radii[2], 0.09f);
    CHECK_EQ(m[2].fields[0].gain, 20.0f);
    CHECK(!m[2].fields[0].attracts && m[2].fields[1].attracts);
    CHECK_EQ(m[2].fields[1].gain, 10.0f);
    CHECK_EQ(m[2].fields[1].reach, 3.0f);
    CHECK_STRING(m[2].fields[1].place.joints[0], "upper_arm.L");
    CHECK_EQ(m[2].fields[1].place.at[0], 0.2f);
    CHECK_CONTAINS(tlw_recipe_place(&recipe, "muscles[1].line[4].joint"),
                   "muscles[1].line[4].joint");
    CHECK_CONTAINS(tlw_recipe_place(&recipe, "muscles[1].line[4]"), "muscles[1].line[4]");
    CHECK_CONTAINS(tlw_recipe_place(&recipe, "muscles[2].fields[0].gain"), "fields[0].gain");
    CHECK_CONTAINS(tlw_recipe_place(&recipe, "muscles[1].flex"), "muscles[1].flex");
    CHECK_CONTAINS(tlw_recipe_place(&recipe, "muscles[0]"), "muscles[0]");
    CHECK_CONTAINS(tlw_recipe_place(&recipe, "muscles"), "muscles");
    tlw_recipe_free(&recipe);
}

#define MUSCLES(more) "{\"muscles\": [" more "]}"
#define V             "{\"joint\": \"a\"}"
#define LINE          "\"line\": [" V ", " V ", " V "]"
#define MUSCLE(more)  MUSCLES("{\"name\": \"m\", \"radius\": 0.1, " LINE more "}")
#define VERTEX(vertex) \
    MUSCLES("{\"name\": \"m\", \"radius\": 0.1, \"line\": [" V ", " vertex ", " V "]}")
#define A_FIELD(field) MUSCLE(", \"fields\": [{" field "}]")

TLW_TEST(recipe_names_what_is_wrong_with_muscles) {
    CHECK_MISTAKES(
        {"{\"muscles\": {}}", "muscles: an array of muscles is expected, not an object"},
        {MUSCLES("3"), "muscles[0]: an object is expected, not 3"},
        {MUSCLES("\"auta\""),
         "muscles[0]: \"auta\" is not known; did you mean \"auto\"? allowed: auto"},
        {MUSCLES("\"auto\", \"auto\""), "muscles[1]: \"auto\" is in the list already, muscles[0]"},
        {"{\"auto_bulge\": 11}", "auto_bulge: a number from 0 to 10 is expected, not 11"},
        {MUSCLES("{}"), "muscles[0].name: missing; a name is expected"},
        {MUSCLES("{\"name\": \"m\"}"), "muscles[0].radius: missing; a number is expected"},
        {MUSCLES("{\"name\": \"m\", \"radius\": 1}"),
         "muscles[0].line: missing; an array is expected"},
        {MUSCLES("{\"name\": \"m\", \"radius\": 0}"),
         "muscles[0].radius: a number from 1e-06 to 1000000 is expected, not 0"},
        {MUSCLES("{\"name\": \"m\", \"radius\": 1, \"line\": [" V ", " V "]}"),
         "muscles[0].line: 2 elements; 3 to 32 are possible"},
        {MUSCLE(", \"bulge\": -1"), "muscles[0].bulge: a number from 0 to 10 is expected, not -1"},
        {MUSCLE(", \"tendon\": [0]"),
         "muscles[0].tendon: unknown key; did you mean \"tendons\"? allowed: name, bulge, radius, "
         "tendons, line, fields, flex, mirror"},
        {MUSCLE(", \"tendons\": 1"), "muscles[0].tendons: an array of integers is expected, not 1"},
        {MUSCLE(", \"tendons\": [2]"),
         "muscles[0].tendons[0]: there is no segment 2; a line of 3 vertices has 0 to 1"},
        {MUSCLE(", \"tendons\": [1, 1]"),
         "muscles[0].tendons[1]: 1 is in the list already, as [0]"},
        {MUSCLE(", \"tendons\": [1, 0]"),
         "muscles[0].tendons: all segments are tendons; one at least is the belly"},
        {MUSCLE(", \"flex\": {\"joint\": \"a\"}"),
         "muscles[0].flex.to: missing; a number is expected"},
        {MUSCLE(", \"flex\": {\"joint\": \"a\", \"from\": 5, \"to\": 5.5}"),
         "muscles[0].flex: from and to are at least 1 degree apart"},
        {MUSCLE(", \"flex\": {\"joint\": \"a\", \"to\": 181}"),
         "muscles[0].flex.to: a number from 0 to 180 is expected, not 181"},
        {MUSCLE(", \"mirror\": 1"), "muscles[0].mirror: true or false is expected, not 1"},
        {MUSCLES("{\"name\": \"m\", \"radius\": 1, " LINE "}, \"auto\", "
                 "{\"name\": \"m\", \"radius\": 1, " LINE "}"),
         "muscles[2].name: \"m\" is the name of muscles[0] already"});
}

TLW_TEST(recipe_names_what_is_wrong_with_vertices_and_fields) {
    CHECK_MISTAKES(
        {VERTEX("{}"), "muscles[0].line[1]: a place needs joint, or joints and at"},
        {VERTEX("{\"joints\": {\"a\": 1}}"),
         "muscles[0].line[1]: joints and at are given together"},
        {VERTEX("{\"joint\": \"a\", \"at\": [0, 0, 0]}"),
         "muscles[0].line[1]: joints and at are given together"},
        {VERTEX("{\"joint\": \"a\", \"joints\": {\"b\": 1}, \"at\": [0, 0, 0]}"),
         "muscles[0].line[1].joints: joint is given as well; one of the two decides"},
        {VERTEX("{\"joints\": {\"b\": 1}, \"at\": [0, 0, 0], \"along\": 0.5}"),
         "muscles[0].line[1].along: it goes with joint; with joints, at says where"},
        {VERTEX("{\"joints\": {}, \"at\": [0, 0, 0]}"),
         "muscles[0].line[1].joints: 1 to 4 joints are expected, not 0"},
        {VERTEX("{\"joints\": [\"a\"], \"at\": [0, 0, 0]}"),
         "muscles[0].line[1].joints: an object with names of joints is expected, not an array"},
        {VERTEX("{\"joints\": {\"b\": 0}, \"at\": [0, 0, 0]}"),
         "muscles[0].line[1].joints.b: a number from 1e-06 to 1000000 is expected, not 0"},
        {VERTEX("{\"joint\": \"a\", \"radius\": 1.5}"),
         "muscles[0].line[1].radius: a number from 0 to 1 is expected, not 1.5"},
        {VERTEX("{\"joint\": \"a\", \"offset\": [0, 0]}"),
         "muscles[0].line[1].offset: three numbers are expected, not 2"},
        {VERTEX("{\"joint\": \"a\", \"dynamic\": 0}"),
         "muscles[0].line[1].dynamic: true or false is expected, not 0"},
        {A_FIELD("\"joint\": \"a\""),
         "muscles[0].fields[0].radii: missing; an array of three numbers is expected"},
        {A_FIELD("\"joint\": \"a\", \"radii\": [1, 0, 1]"),
         "muscles[0].fields[0].radii[1]: a number from 1e-06 to 1000000 is expected, not 0"},
        {A_FIELD("\"joint\": \"a\", \"radii\": [1, 1, 1], \"gain\": 41"),
         "muscles[0].fields[0].gain: a number from 0 to 40 is expected, not 41"},
        {A_FIELD("\"joint\": \"a\", \"radii\": [1, 1, 1], \"reach\": 3"),
         "muscles[0].fields[0].reach: only a field with \"repel\": false has a reach"},
        {A_FIELD("\"joint\": \"a\", \"radii\": [1, 1, 1], \"repel\": false, \"reach\": 1"),
         "muscles[0].fields[0].reach: a number above 1 is expected, not 1"},
        {A_FIELD("\"joints\": {\"a\": 1, \"b\": 1}, \"at\": [0, 0, 0], \"radii\": [1, 1, 1]"),
         "muscles[0].fields[0].joints: a field follows one joint"},
        {MUSCLE(", \"fields\": [{}, {}, {}, {}, {}, {}, {}, {}, {}]"),
         "muscles[0].fields: 9 elements; 0 to 8 are possible"});
}

TLW_TEST(recipe_names_joints_of_muscles_that_are_not_there) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {VERTEX("{\"joint\": \"upper\"}"),
         "muscles[0].line[1].joint: there is no joint \"upper\"; did you mean \"uppper\"?"},
        {VERTEX("{\"joints\": {\"a\": 1, \"uppe\": 1}, \"at\": [0, 0, 0]}"),
         "muscles[0].line[1].joints.uppe: there is no joint \"uppe\"; did you mean \"uppper\"?"},
        {A_FIELD("\"joint\": \"zzzzz\", \"radii\": [1, 1, 1]"),
         "muscles[0].fields[0].joint: there is no joint \"zzzzz\" among the 2 of this character"},
        {MUSCLE(", \"flex\": {\"joint\": \"q\", \"to\": 9}"),
         "muscles[0].flex.joint: there is no joint \"q\" among the 2 of this character"},
    };
    static const tlw_cook_joint joints[2] = {{.name = "a", .parent = TLW_NO_JOINT},
                                             {.name = "uppper"}};
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        tlw_recipe recipe = fixture_read(cases[i].text);
        tlw_recipe_error error;
        CHECK_RESULT(tlw_recipe_choose_joints(&recipe, joints, 2, &error), TLW_ERROR_NOT_FOUND);
        CHECK_CONTAINS(error.message, cases[i].message);
        tlw_recipe_free(&recipe);
    }
}
