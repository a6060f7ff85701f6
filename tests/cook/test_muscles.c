// SPDX-License-Identifier: MIT
// Muscles as they are cooked (RULES 9.12 to 9.14), on an arm whose numbers are known.
#include "tests/cook/support/muscle_arm.h"
#include "tests/cook/support/open_cook.h"
#include "tests/test.h"

#include <math.h>

TLW_TEST(muscles_of_a_recipe_and_automatic_ones_are_cooked_into_a_valid_blob) {
    scene* s = arm_scene();
    arm_muscle biceps;
    arm_make_muscle(&biceps, "biceps", "joint0", "joint1");
    const tlw_cook_muscle muscles[2] = {biceps.muscle, tlw_default_cook_muscle(NULL)};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 40;
    recipe.muscles = muscles;
    recipe.muscle_count = 2;
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output out;
    const tlw_result result = tlw_cook_character(scene_input(s), &recipe, &options, &out);
    CHECK_STRING(out.error.message, "");
    CHECK_EQ(result, TLW_OK);
    CHECK_EQ(out.report.muscle_count, 5);
    tlw_cook_output_free(&out);
    scene_free(s);
}
