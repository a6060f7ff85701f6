// SPDX-License-Identifier: MIT
// The oracle cooker's profiles (RULES 8.8) against facts worked out by hand.
#include "tests/cook/support/oracle_checks.h"
#include "tests/test.h"

#include <stdio.h>

// Limbs of the figure: joint 5 begins one side and joint 10 the other; 3 is the head.
static scene* make_named_figure(void) {
    scene* s = scene_make(SCENE_figure, 0);
    snprintf(s->joint_names[3], sizeof *s->joint_names, "head");
    snprintf(s->joint_names[5], sizeof *s->joint_names, "limb_l");
    snprintf(s->joint_names[10], sizeof *s->joint_names, "limb_r");
    return s;
}

TLW_TEST(profile_begins_as_the_materials_of_the_recipe_with_limit_scales_of_1) {
    scene* s = make_named_figure();
    const tlw_cook_profile profiles[] = {{"plain", NULL, 0}};
    tlw_cook_part part = tlw_default_cook_part("limb_l");
    part.stiffness[2] = 7;
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 12;
    recipe.parts = &part;
    recipe.part_count = 1;
    recipe.is_firm_auto = true;
    recipe.profiles = profiles;
    recipe.profile_count = 1;
    oracle_result r = cook_checked(s, &recipe);
    CHECK_EQ(r.profile_count, 1);
    CHECK_LT(2u, r.part_count);
    for (uint32_t p = 0; p < r.part_count; ++p) {
        for (uint32_t layer = 0; layer < 4; ++layer) {
            CHECK_EQ(r.profile_parts[p].stiffness[layer], r.parts[p].stiffness[layer]);
            CHECK_EQ(r.profile_parts[p].damping[layer], r.parts[p].damping[layer]);
            CHECK_EQ(r.profile_parts[p].anchor_hz[layer], r.parts[p].anchor_hz[layer]);
            CHECK_EQ(r.profile_parts[p].limit_scale[layer], 1.0);
        }
    }
    CHECK_EQ(r.profile_parts[1].stiffness[2], 7.0);
    oracle_free(&r);
    scene_free(s);
}

TLW_TEST(profile_sets_parts_by_the_joints_that_have_them_and_later_entries_win) {
    scene* s = make_named_figure();
    tlw_cook_profile_part entries[5] = {
        tlw_default_cook_profile_part(NULL), tlw_default_cook_profile_part("limb_r"),
        tlw_default_cook_profile_part("limb_l"), tlw_default_cook_profile_part("head"),
        tlw_default_cook_profile_part(NULL)};
    entries[0].stiffness[1] = 5;
    entries[0].damping[1] = 0;
    entries[1].anchor_hz[3] = 9; // the mirrored joint of part 1
    entries[2].limit_scale[3] = 0.5f;
    entries[3].stiffness[3] = 11; // firm by its name
    entries[4].stiffness[1] = 6;
    const tlw_cook_profile profiles[] = {{"one", entries, 1}, {"all", entries, 5}};
    tlw_cook_part part = tlw_default_cook_part("limb_l");
    part.is_mirrored = true;
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 12;
    recipe.parts = &part;
    recipe.part_count = 1;
    recipe.is_firm_auto = true;
    recipe.profiles = profiles;
    recipe.profile_count = 2;
    oracle_result r = cook_checked(s, &recipe);
    const oracle_profile_part* one = r.profile_parts;
    const oracle_profile_part* all = r.profile_parts + r.part_count;
    CHECK_EQ(one[0].stiffness[1], 5.0);
    CHECK_EQ(one[0].damping[1], 0.0);
    CHECK_EQ(one[1].stiffness[1], 2.0); // part 0 alone was changed, and this is the recipe's
    CHECK_EQ(all[0].stiffness[1], 6.0);
    CHECK_EQ(all[0].damping[1], 0.0);
    CHECK_EQ(all[0].stiffness[2], (double)0.03f);
    CHECK_EQ(all[1].anchor_hz[3], 9.0);
    CHECK_EQ(all[1].limit_scale[3], 0.5);
    CHECK_EQ(all[1].limit_scale[2], 1.0);
    const uint32_t head = r.joint_part[3];
    CHECK_EQ(r.parts[head].kind, ORACLE_PART_FIRM_NAME);
    CHECK_EQ(all[head].stiffness[3], 11.0);
    CHECK_EQ(all[head].stiffness[2], 2.0);
    CHECK_EQ(one[head].stiffness[3], 2.0);
    oracle_free(&r);
    scene_free(s);
}

TLW_TEST(profiles_with_bad_names_or_joints_without_a_part_are_refused) {
    const tlw_cook_profile_part entry = tlw_default_cook_profile_part("joint1");
    const tlw_cook_profile_part firm = tlw_default_cook_profile_part("head");
    const tlw_cook_profile sets[][2] = {{{"a", NULL, 0}, {"cooked", NULL, 0}},
                                        {{"a", NULL, 0}, {"a", NULL, 0}},
                                        {{"a", NULL, 0}, {"b", &entry, 1}},
                                        {{"a", NULL, 0}, {"b", &firm, 1}}};
    scene* s = make_named_figure();
    for (size_t i = 0; i < TLW_COUNT_OF(sets); ++i) {
        for (int is_firm = 0; is_firm < 2; ++is_firm) {
            tlw_cook_recipe recipe = scene_recipe();
            recipe.resolution = 8;
            recipe.is_firm_auto = is_firm;
            recipe.profiles = sets[i];
            recipe.profile_count = 2;
            oracle_result r;
            const char* error = oracle_cook(scene_input(s), &recipe, &r);
            CHECK_EQ(error == NULL, i == 3 && is_firm); // the head has a part if it is firm
            oracle_free(&r);
        }
    }
    scene_free(s);
}
