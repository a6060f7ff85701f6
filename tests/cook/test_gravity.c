// SPDX-License-Identifier: MIT
// The gravity that a shape was modelled under (MODEL 3.17), as a recipe gives it and a blob has it.
#include "tests/cook/support/bend_view.h"

#include <math.h>

TLW_TEST(rest_gravity_is_stored_as_the_recipe_has_it) {
    static const float gravity[3] = {0.5f, -9.81f, 1e6f};
    tlw_cook_recipe recipe = recipe_of(8);
    memcpy(recipe.rest_gravity, gravity, sizeof gravity);
    character c;
    cook_scene(&c, scene_make(SCENE_box, 0), &recipe);
    const tlw_blob_section section = find_section(c.open.cook.blob, TLW_SECTION_LATTICE);
    const tlw_blob_lattice* lattice =
        (const tlw_blob_lattice*)(const void*)(c.open.cook.blob + section.offset);
    CHECK_BYTES(lattice->rest_gravity, gravity, sizeof gravity);
    free_character(&c);
}

TLW_TEST(rest_gravity_that_is_not_finite_or_too_large_is_an_error_about_its_key) {
    static const struct {
        float value;
        const char* message;
    } rows[] = {{NAN, "rest_gravity[1] is nan; it is -1e+06 to 1e+06"},
                {INFINITY, "rest_gravity[1] is inf; it is -1e+06 to 1e+06"},
                {-1.1e6f, "rest_gravity[1] is -1.1e+06; it is -1e+06 to 1e+06"}};
    scene* s = scene_make(SCENE_box, 0);
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        const tlw_cook_options options = tlw_default_cook_options();
        tlw_cook_recipe recipe = recipe_of(8);
        tlw_cook_output out;
        recipe.rest_gravity[1] = rows[n].value;
        CHECK_RESULT(tlw_cook_character(scene_input(s), &recipe, &options, &out),
                     TLW_ERROR_BAD_ARGUMENT);
        CHECK_STRING(out.error.message, rows[n].message);
        CHECK_STRING(out.error.key, "rest_gravity");
        CHECK(out.error.is_of_recipe);
        tlw_cook_output_free(&out);
    }
    scene_free(s);
}
