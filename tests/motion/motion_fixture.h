// SPDX-License-Identifier: MIT
// Characters of the tests of motion: the samples, and real models where a folder has them
// (TLW_MODELS, or the one that tests/CMakeLists.txt names).
#ifndef TLW_TESTS_MOTION_MOTION_FIXTURE_H
#define TLW_TESTS_MOTION_MOTION_FIXTURE_H

#include "tools/motion/motion.h"

// Samples first, then models: name, whether it is a file in the folder of models.
#define MOTION_CHARACTERS(X) \
    X("stout", false)        \
    X("bunny", false)        \
    X("CesiumMan.glb", true) \
    X("Fox.glb", true)

typedef struct motion_character {
    const char* name;
    bool is_file;
} motion_character;

extern const motion_character motion_characters[];
extern const size_t motion_character_count;

// Ends the test as skipped in builds with a sanitizer, where it would take minutes.
void motion_skip_where_slow(void);
// True where the variable TLW_TEST_FULL asks for the long sweeps (tools/dev full).
bool motion_is_full(void);

// False if it is a file that is not there. Fails the test for any other mistake.
bool motion_make_actor(tlw_actor* actor, const motion_character* character, uint32_t resolution);
// A sample.
tlw_actor motion_make_sample(const char* name, uint32_t resolution);
// With an actor and a preset, the other fields by default.
tlw_motion_def motion_def_of(const tlw_actor* actor, tlw_preset preset);
// Fails the test where it cannot be opened.
tlw_motion* motion_open(const tlw_motion_def* def);
tlw_motion_numbers motion_run(tlw_motion* motion, const tlw_motion_experiment* experiment);
// Opens, runs the default experiment of that kind, closes.
tlw_motion_numbers motion_run_once(const tlw_motion_def* def, tlw_motion_kind kind);

// Even, in [low, high).
double motion_random(uint64_t* state, double low, double high);

#endif
