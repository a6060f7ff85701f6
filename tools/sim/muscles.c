// SPDX-License-Identifier: MIT
// Applies --tension through the public interface of the runtime, and lists muscles in the table.
#include "tools/sim/muscles.h"

#include "tools/recipe/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX 256

static const char* name_of(const tlw_actor* actor, uint32_t muscle) {
    tlw_muscle_info info;
    return tlw_blob_get_muscle(&actor->blob, muscle, &info) == TLW_OK ? info.name : "";
}

static tlw_exit_code name_unknown(const tlw_actor* actor, const char* name) {
    char rest[NAME_MAX + 64] = "; tallow-inspect lists those that it has";
    tlw_nearest nearest = {.word = name};
    for (uint32_t m = 0; m < actor->info.muscle_count; ++m) {
        tlw_nearest_try(&nearest, name_of(actor, m));
    }
    if (nearest.best != NULL) {
        snprintf(rest, sizeof rest, "; did you mean '%.*s'?", NAME_MAX, nearest.best);
    }
    return tlw_command_mistake(&tlw_sim_command, "the blob has no muscle", name, rest);
}

static tlw_exit_code set_tension(const sim_tension* tension, tlw_scene* scene) {
    const tlw_actor* actor = scene->def.actor;
    char name[NAME_MAX];
    snprintf(name, sizeof name, "%.*s", tension->name_bytes, tension->name);
    const bool is_all = strcmp(name, "all") == 0 || strcmp(name, "*") == 0;
    uint32_t first = 0;
    if (!is_all && tlw_blob_find_muscle(&actor->blob, name, &first) != TLW_OK) {
        return name_unknown(actor, name);
    }
    const uint32_t end = is_all ? actor->info.muscle_count : first + 1;
    for (uint32_t m = first; m < end; ++m) {
        TLW_IGNORE(tlw_character_set_tension(scene->world, scene->characters[0].id, m,
                                             (float)tension->tension)); // all were checked
    }
    return TLW_EXIT_OK;
}

tlw_exit_code tlw_sim_muscles_begin(const sim_options* o, tlw_scene* scene) {
    const tlw_actor* actor = scene->def.actor;
    if ((o->tension_count > 0 || o->wants_lines) && actor->info.muscle_count == 0) {
        return tlw_command_fail(&tlw_sim_command, TLW_EXIT_USAGE,
                                "'%s' has no muscles, which need \"muscles\" in the recipe",
                                actor->name);
    }
    tlw_exit_code code = TLW_EXIT_OK;
    for (uint32_t i = 0; i < o->tension_count && code == TLW_EXIT_OK; ++i) {
        code = set_tension(&o->tensions[i], scene);
    }
    return code;
}

bool tlw_sim_muscles_create(sim_muscles* muscles, const tlw_actor* actor) {
    muscles->count = actor->info.muscle_count;
    muscles->range = malloc((size_t)muscles->count * sizeof *muscles->range + 1);
    for (uint32_t m = 0; muscles->range && m < muscles->count; ++m) {
        muscles->range[m][0] = INFINITY;
        muscles->range[m][1] = -INFINITY;
    }
    return muscles->range != NULL;
}

void tlw_sim_muscles_free(sim_muscles* muscles) {
    free(muscles->range);
    *muscles = (sim_muscles){0};
}

static tlw_muscle state_of(const tlw_scene* scene, uint32_t muscle) {
    tlw_muscle state = {0};
    TLW_IGNORE(tlw_character_get_muscle(scene->world, scene->characters[0].id, muscle,
                                        &state)); // is there
    return state;
}

void tlw_sim_muscles_watch(sim_muscles* muscles, const tlw_scene* scene) {
    for (uint32_t m = 0; m < muscles->count; ++m) {
        const float elongation = state_of(scene, m).elongation;
        muscles->range[m][0] = fminf(muscles->range[m][0], elongation);
        muscles->range[m][1] = fmaxf(muscles->range[m][1], elongation);
    }
}

void tlw_sim_muscles_print(const sim_muscles* muscles, const tlw_scene* scene) {
    if (muscles->count > 0) {
        printf("  %-10s tension, elongation at the end, least and greatest\n", "muscles");
    }
    for (uint32_t m = 0; m < muscles->count; ++m) {
        const tlw_muscle state = state_of(scene, m);
        printf("    %-24s %5.3f %6.3f %6.3f %6.3f\n", name_of(scene->def.actor, m),
               (double)state.tension, (double)state.elongation, (double)muscles->range[m][0],
               (double)muscles->range[m][1]);
    }
}
