// SPDX-License-Identifier: MIT
// Applying a recipe to a character's joints: which are included, and names that do not exist.
#include "tests/recipe/recipe_fixture.h"

// root - hips - (thigh.L, thigh.R, spine - head), and a second root: prop
static const tlw_cook_joint joints[] = {
    {.name = "head", .parent = 2},           {.name = "hips", .parent = 5},
    {.name = "spine", .parent = 1},          {.name = "thigh.L", .parent = 1},
    {.name = "thigh.R", .parent = 1},        {.name = "root", .parent = TLW_NO_JOINT},
    {.name = "prop", .parent = TLW_NO_JOINT}};

static void check_choice(const char* text, const char* excluded) {
    tlw_recipe recipe = fixture_read(text);
    // Applies the recipe twice: the second time changes nothing.
    for (int time = 0; time < 2; ++time) {
        char all[256] = "";
        tlw_recipe_error error;
        tlw_recipe_choose_joints(&recipe, joints, TLW_COUNT_OF(joints), &error);
        CHECK_STRING(error.message, "");
        for (uint32_t i = 0; i < recipe.cook.excluded_joint_count; ++i) {
            strncat(all, " ", sizeof all - strlen(all) - 1);
            strncat(all, recipe.cook.excluded_joints[i], sizeof all - strlen(all) - 1);
        }
        CHECK_STRING(all, excluded);
    }
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_includes_joints_with_all_that_is_below) {
    check_choice("{}", "");
    check_choice("{\"joints\": {\"exclude\": [\"root\", \"prop\"]}}", " root prop");
    check_choice("{\"joints\": {\"include\": [\"hips\"]}}", " root prop");
    check_choice("{\"joints\": {\"include\": [\"spine\", \"thigh.R\"]}}",
                 " hips thigh.L root prop");
    check_choice("{\"joints\": {\"include\": [\"hips\"], \"exclude\": [\"spine\"]}}",
                 " spine root prop");
    check_choice("{\"joints\": {\"include\": []}}", "");
}

TLW_TEST(recipe_default_takes_any_joints) {
    tlw_recipe recipe = tlw_default_recipe();
    CHECK_OK(tlw_recipe_choose_joints(&recipe, joints, TLW_COUNT_OF(joints), NULL));
    CHECK_OK(tlw_recipe_choose_joints(&recipe, NULL, 0, NULL));
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_names_the_joint_that_is_not_there) {
    static const struct {
        const char *text, *message;
        tlw_result result;
    } cases[] = {
        {"{\"parts\": [{\"joint\": \"hips\", \"layers\": {}}, {\"joint\": \"haed\", \"layers\": "
         "{}}]}",
         "parts[1].joint: there is no joint \"haed\"; did you mean \"head\"?", TLW_ERROR_NOT_FOUND},
        {"{\"view\": {\"parts\": [{\"joint\": \"hips\"}, {\"joint\": \"haed\"}]}}",
         "view.parts[1].joint: there is no joint \"haed\"; did you mean \"head\"?",
         TLW_ERROR_NOT_FOUND},
        {"{\"parts\": [{\"joint\": \"wing\", \"layers\": {}}]}",
         "parts[0].joint: there is no joint \"wing\" among the 7 of this character",
         TLW_ERROR_NOT_FOUND},
        {"{\"cuts\": [{\"joints\": [\"head\", \"thigh_L\"]}]}",
         "cuts[0].joints[1]: there is no joint \"thigh_L\"; did you mean \"thigh.L\"?",
         TLW_ERROR_NOT_FOUND},
        {"{\"cuts\": [{\"joints\": [\"thigh_L\", \"head\"]}]}", "cuts[0].joints[0]: there is",
         TLW_ERROR_NOT_FOUND},
        {"{\"profiles\": {\"a\": {}, \"b c\": {\"parts\": [{\"joint\": \"head\"},"
         " {\"joint\": \"thigh.l\"}]}}}",
         "1:71: profiles[\"b c\"].parts[1].joint: there is no joint \"thigh.l\"; did you mean "
         "\"thigh.L\"?",
         TLW_ERROR_NOT_FOUND},
        {"{\"profiles\": {\"a\": {\"parts\": [{\"joint\": \"head\"}]}}}", "", TLW_OK},
        {"{\"joints\": {\"include\": [\"Hips\"]}}",
         "joints.include[0]: there is no joint \"Hips\"; did you mean \"hips\"?",
         TLW_ERROR_NOT_FOUND},
        {"{\"joints\": {\"exclude\": [\"prop\", \"props\"]}}",
         "joints.exclude[1]: there is no joint \"props\"; did you mean \"prop\"?",
         TLW_ERROR_NOT_FOUND},
        {"{\"joints\": {\"include\": [\"prop\", \"head\"], \"exclude\": [\"spine\"]}}", "", TLW_OK},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        tlw_recipe recipe = fixture_read(cases[i].text);
        tlw_recipe_error error;
        CHECK_EQ(tlw_recipe_choose_joints(&recipe, joints, TLW_COUNT_OF(joints), &error),
                 cases[i].result);
        CHECK_CONTAINS(error.message, cases[i].message);
        tlw_recipe_free(&recipe);
    }
}

TLW_TEST(recipe_follows_parents_that_nobody_checked) {
    // a and b are each other's parent, the parent of d is no joint.
    const tlw_cook_joint loose[] = {{.name = "a", .parent = 1},
                                    {.name = "b", .parent = 0},
                                    {.name = "c", .parent = TLW_NO_JOINT},
                                    {.name = "d", .parent = 7700}};
    tlw_recipe recipe = fixture_read("{\"joints\": {\"include\": [\"c\"]}}");
    CHECK_OK(tlw_recipe_choose_joints(&recipe, loose, TLW_COUNT_OF(loose), NULL));
    CHECK_EQ(recipe.cook.excluded_joint_count, 3);
    CHECK_STRING(recipe.cook.excluded_joints[0], "a");
    CHECK_STRING(recipe.cook.excluded_joints[1], "b");
    CHECK_STRING(recipe.cook.excluded_joints[2], "d");
    tlw_recipe_free(&recipe);
}

TLW_TEST(recipe_refuses_to_leave_no_joint) {
    // A file cannot say this; a caller that adds to the lists can.
    static const char* const left_out[] = {"prop"};
    tlw_recipe recipe = fixture_read("{\"joints\": {\"include\": [\"prop\"]}}");
    tlw_recipe_error error;
    recipe.cook.excluded_joints = left_out;
    recipe.cook.excluded_joint_count = 1;
    CHECK_RESULT(tlw_recipe_choose_joints(&recipe, joints, TLW_COUNT_OF(joints), &error),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK_STRING(error.message, "joints: include and exclude leave none of the 7 joints");
    CHECK_EQ(recipe.cook.excluded_joint_count, 1);
    tlw_recipe_free(&recipe);
}

// Code that visits all joints for each name, or climbs to the root from each joint, would take a
// minute.
TLW_TEST(recipe_names_thousands_of_joints_on_a_chain_of_sixty_thousand) {
    enum { MANY = 60000, NAMED = 4096 };
    tlw_cook_joint* chain = calloc(MANY, sizeof *chain);
    char(*names)[12] = calloc(MANY, sizeof *names);
    char* text = calloc(NAMED * 2 + 8, 16);
    CHECK(chain != NULL && names != NULL && text != NULL);
    for (uint32_t j = 0; j < MANY; ++j) {
        snprintf(names[j], sizeof names[j], "j%u", j * 7919u % MANY);
        chain[j].name = names[j];
        chain[j].parent = j + 1 < MANY ? j + 1 : TLW_NO_JOINT;
    }
    char* at = text + sprintf(text, "{\"joints\": {\"include\": [\"%s\"", names[0]);
    for (uint32_t i = 1; i < NAMED; ++i) {
        at += sprintf(at, ",\"%s\"", names[i]);
    }
    at += sprintf(at, "], \"exclude\": [\"%s\"", names[MANY - 1]);
    for (uint32_t i = 1; i < NAMED; ++i) {
        at += sprintf(at, ",\"%s\"", names[MANY - 1 - i]);
    }
    sprintf(at, "]}}");
    tlw_recipe recipe = fixture_read(text);
    CHECK_OK(tlw_recipe_choose_joints(&recipe, chain, MANY, NULL));
    CHECK_EQ(recipe.cook.excluded_joint_count, MANY - NAMED);
    CHECK_STRING(recipe.cook.excluded_joints[0], names[NAMED]);
    tlw_recipe_free(&recipe);
    // Parents in a cycle: the joint itself is included, nothing above or below it, and the call
    // returns.
    chain[MANY - 1].parent = 1;
    recipe = fixture_read("{\"joints\": {\"include\": [\"j0\"]}}");
    CHECK_OK(tlw_recipe_choose_joints(&recipe, chain, MANY, NULL));
    CHECK_EQ(recipe.cook.excluded_joint_count, MANY - 1);
    tlw_recipe_free(&recipe);
    free(text);
    free(names);
    free(chain);
}
