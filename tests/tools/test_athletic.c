// SPDX-License-Identifier: MIT
// The athletic sample with the recipe that it comes with: eight muscles, which thicken the arms
// where elbows bend and leave the skin whole.
#include "tests/test.h"
#include "tools/recipe/recipe.h"
#include "tools/scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HELD = 120 }; // a frame of the clip flex in which the elbows are bent by 110 degrees

enum { LINE_MAX_VERTICES = 32 };

static tlw_recipe read_recipe(void) {
    tlw_recipe recipe;
    tlw_recipe_error error;
    const char* text = tlw_sample_recipe(TLW_SAMPLE_ATHLETIC);
    if (tlw_recipe_read(text, strlen(text), &recipe, &error) != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    return recipe;
}

static void make_athletic(tlw_actor* actor, const tlw_cook_recipe* recipe) {
    tlw_scene_error error;
    if (tlw_actor_make(actor, "athletic", recipe, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
}

// Plays flex to the frame in which the elbows are bent.
static tlw_scene* flexed(const tlw_actor* actor) {
    tlw_scene_def def = tlw_default_scene_def();
    tlw_scene_error error;
    tlw_scene* scene;
    def.actor = actor;
    def.clip = "flex";
    def.has_positions = def.has_deltas = true;
    if (tlw_scene_open(&def, &scene, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    tlw_scene_start(scene);
    for (int frame = 0; frame < HELD; ++frame) {
        tlw_scene_advance(scene, 1.0 / 60.0);
    }
    return scene;
}

TLW_TEST(athletic_recipe_makes_four_muscles_on_each_side_and_the_biceps_tenses_with_its_elbow) {
    static const char* const names[] = {"biceps", "triceps", "pectoralis", "quadriceps"};
    tlw_recipe recipe = read_recipe();
    tlw_actor actor;
    make_athletic(&actor, &recipe.cook);
    tlw_recipe_free(&recipe);
    CHECK_EQ(actor.info.muscle_count, 8u);
    CHECK_EQ(actor.info.voxel_count, 3473u);
    tlw_scene* scene = flexed(&actor);
    for (size_t n = 0; n < 2 * TLW_COUNT_OF(names); ++n) {
        char name[32];
        snprintf(name, sizeof name, "%s_%c", names[n / 2], n % 2 ? 'r' : 'l');
        uint32_t m;
        tlw_muscle muscle;
        CHECK_OK(tlw_blob_find_muscle(&actor.blob, name, &m));
        CHECK_OK(tlw_character_get_muscle(scene->world, scene->characters[0].id, m, &muscle));
        const bool is_biceps = n / 2 == 0;
        // (110 - 90)/(150 - 90), as the recipe says; the biceps is short, the thigh at rest.
        CHECK_NEAR((double)muscle.tension, is_biceps ? 1.0 / 3.0 : 0.0, 0.01);
        CHECK(is_biceps ? muscle.elongation < 0.6f : muscle.elongation > 0.9f);
    }
    tlw_scene_close(scene);
    tlw_actor_free(&actor);
}

// How far the pectoralis' vertices lie in front of the middle of the chest, on average, in metres.
static double line_depth(const tlw_scene* scene) {
    double line[LINE_MAX_VERTICES][3], sum = 0.0;
    uint32_t m;
    tlw_muscle muscle;
    CHECK_OK(tlw_blob_find_muscle(&scene->def.actor->blob, "pectoralis_l", &m));
    CHECK_OK(tlw_character_get_muscle(scene->world, scene->characters[0].id, m, &muscle));
    CHECK_OK(tlw_character_get_line(scene->world, scene->characters[0].id, m, line,
                                    muscle.vertex_count));
    for (uint32_t v = 1; v < muscle.vertex_count - 1; ++v) { // both ends follow their joints
        sum += line[v][2];
    }
    return sum / (muscle.vertex_count - 2);
}

TLW_TEST(pectoralis_of_the_athletic_sample_stays_on_the_ribs_by_its_field_when_arms_are_raised) {
    double depth[2];
    for (int i = 0; i < 2; ++i) {
        tlw_recipe recipe = read_recipe();
        tlw_cook_muscle muscles[16];
        CHECK_LE(recipe.cook.muscle_count, 16u);
        for (uint32_t m = 0; m < recipe.cook.muscle_count; ++m) {
            muscles[m] = recipe.cook.muscles[m];
            if (i == 1 && strcmp(muscles[m].name, "pectoralis_l") == 0) {
                CHECK_EQ(muscles[m].field_count, 1u);
                muscles[m].field_count = 0;
            }
        }
        recipe.cook.muscles = muscles;
        tlw_actor actor;
        make_athletic(&actor, &recipe.cook);
        tlw_scene* scene = flexed(&actor);
        depth[i] = line_depth(scene);
        tlw_scene_close(scene);
        tlw_actor_free(&actor);
        tlw_recipe_free(&recipe);
    }
    printf("the line is %.1f mm in front with its field and %.1f mm without\n", depth[0] * 1e3,
           depth[1] * 1e3);
    CHECK_LT(depth[0], depth[1] - 0.004);
}

static void triangle_normal(const float* const p[3], float n[3]) {
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] =
            (p[1][j] - p[0][j]) * (p[2][k] - p[0][k]) - (p[1][k] - p[0][k]) * (p[2][j] - p[0][j]);
    }
}

// Triangles that face away from where they face by skinning alone.
static uint32_t turned_over(const tlw_scene* scene) {
    const tlw_scene_character* c = &scene->characters[0];
    const uint32_t count = scene->def.actor->info.vertex_count;
    float* skinned = malloc((size_t)count * 3 * sizeof *skinned);
    CHECK(skinned != NULL);
    for (size_t i = 0; i < (size_t)count * 3; ++i) {
        skinned[i] = c->positions[i] - c->deltas[i];
    }
    uint64_t index_count;
    const uint32_t* indices = tlw_actor_indices(scene->def.actor, &index_count);
    uint32_t turned = 0;
    for (uint64_t t = 0; t < index_count; t += 3) {
        const float *soft[3], *hard[3];
        float now[3], before[3];
        for (int k = 0; k < 3; ++k) {
            const size_t at = (size_t)indices[t + (uint64_t)k] * 3;
            soft[k] = c->positions + at;
            hard[k] = skinned + at;
        }
        triangle_normal(soft, now);
        triangle_normal(hard, before);
        turned += now[0] * before[0] + now[1] * before[1] + now[2] * before[2] < 0.0f;
    }
    free(skinned);
    return turned;
}

// The farthest that muscles move a vertex of one side, in metres.
static double farthest(const tlw_scene* with, const tlw_scene* without, bool is_left) {
    const float *a = with->characters[0].positions, *b = without->characters[0].positions;
    double most = 0.0;
    for (uint32_t v = 0; v < with->def.actor->info.vertex_count; ++v, a += 3, b += 3) {
        const double x = (double)(a[0] - b[0]), y = (double)(a[1] - b[1]),
                     z = (double)(a[2] - b[2]);
        most = is_left == (b[0] > 0.0f) ? fmax(most, sqrt(x * x + y * y + z * z)) : most;
    }
    return most;
}

TLW_TEST(muscles_of_the_athletic_sample_move_skin_on_both_sides_alike_and_turn_none_over) {
    tlw_recipe recipe = read_recipe();
    tlw_actor actors[2];
    tlw_scene* scenes[2];
    for (int i = 0; i < 2; ++i) {
        recipe.cook.muscle_count = i == 0 ? recipe.cook.muscle_count : 0;
        make_athletic(&actors[i], &recipe.cook);
        scenes[i] = flexed(&actors[i]);
    }
    tlw_recipe_free(&recipe);
    const double left = farthest(scenes[0], scenes[1], true);
    const double right = farthest(scenes[0], scenes[1], false);
    const uint32_t turned[2] = {turned_over(scenes[0]), turned_over(scenes[1])};
    printf("muscles move skin by %.1f and %.1f mm; of %u vertices' triangles %u are turned over, "
           "%u without muscles\n",
           left * 1e3, right * 1e3, actors[0].info.vertex_count, turned[0], turned[1]);
    CHECK_LT(0.02, left);
    CHECK_LT(left, 0.05);
    CHECK_NEAR(right, left, 0.1 * left);
    CHECK_LE(turned[0], turned[1] + 2);
    for (int i = 0; i < 2; ++i) {
        tlw_scene_close(scenes[i]);
        tlw_actor_free(&actors[i]);
    }
}
