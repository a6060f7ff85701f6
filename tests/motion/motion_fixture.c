// SPDX-License-Identifier: MIT
// Makes the characters of the tests of motion and runs experiments that must not fail.
#include "tests/motion/motion_fixture.h"

#include "tests/test.h"

#include <stdlib.h>

const motion_character motion_characters[] = {
#define CHARACTER(name, is_file) {name, is_file},
    MOTION_CHARACTERS(CHARACTER)
#undef CHARACTER
};
const size_t motion_character_count = TLW_COUNT_OF(motion_characters);

void motion_skip_where_slow(void) {
    if (TLW_UNDER_SANITIZER) {
        tlw_test_skip(__FILE__, __LINE__, "minutes under a sanitizer; small bodies are tested");
    }
}

bool motion_is_full(void) {
    const char* full = getenv("TLW_TEST_FULL");
    return full && full[0] == '1';
}

bool motion_make_actor(tlw_actor* actor, const motion_character* character, uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    tlw_scene_error error;
    tlw_scene_code code;
    if (character->is_file) {
        char path[1024];
        const char* folder = getenv("TLW_MODELS");
        snprintf(path, sizeof path, "%s/%s", folder ? folder : TLW_TEST_MODELS, character->name);
        code = tlw_actor_cook(actor, path, &recipe, &error);
        if (code == TLW_SCENE_CANNOT_READ) {
            return false;
        }
    } else {
        code = tlw_actor_make(actor, character->name, &recipe, &error);
    }
    if (code != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    return true;
}

tlw_actor motion_make_sample(const char* name, uint32_t resolution) {
    tlw_actor actor;
    const motion_character character = {name, false};
    CHECK(motion_make_actor(&actor, &character, resolution));
    return actor;
}

tlw_motion_def motion_def_of(const tlw_actor* actor, tlw_preset preset) {
    tlw_motion_def def = tlw_default_motion_def();
    def.actor = actor;
    def.preset = preset;
    return def;
}

tlw_motion* motion_open(const tlw_motion_def* def) {
    tlw_motion* motion;
    tlw_scene_error error;
    if (tlw_motion_open(def, &motion, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    return motion;
}

tlw_motion_numbers motion_run(tlw_motion* motion, const tlw_motion_experiment* experiment) {
    tlw_motion_numbers numbers;
    tlw_scene_error error;
    if (tlw_motion_run(motion, experiment, NULL, &numbers, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    return numbers;
}

tlw_motion_numbers motion_run_once(const tlw_motion_def* def, tlw_motion_kind kind) {
    const tlw_motion_experiment experiment = tlw_default_motion_experiment(kind);
    tlw_motion* motion = motion_open(def);
    const tlw_motion_numbers numbers = motion_run(motion, &experiment);
    tlw_motion_close(motion);
    return numbers;
}

double motion_random(uint64_t* state, double low, double high) {
    return low + (high - low) * ((double)(tlw_test_random(state) >> 11) * 0x1p-53);
}
