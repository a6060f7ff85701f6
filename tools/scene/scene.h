// SPDX-License-Identifier: MIT
// A scene: a world with one or many characters of an actor, all playing a clip, in memory of the
// heap, with output where it was asked for. What tallow-sim, bench, demo and tests step.
//
//     tlw_actor actor;
//     tlw_actor_make(&actor, "stout", NULL, &error);
//     tlw_scene_def def = tlw_default_scene_def();
//     def.actor = &actor;
//     def.clip = "dance";
//     tlw_scene_open(&def, &scene, &error);
//     for (tlw_scene_start(scene); frame < 600; ++frame) tlw_scene_advance(scene, 1.0 / 60.0);
#ifndef TLW_TOOLS_SCENE_SCENE_H
#define TLW_TOOLS_SCENE_SCENE_H

#include "tools/scene/actor.h"

#include <stdio.h>

TLW_EXTERN_C_BEGIN

typedef struct tlw_scene_def {
    uint32_t cookie;
    const tlw_actor* actor;   // outlives the scene
    const char* clip;         // null: the first
    uint32_t character_count; // 1
    double apart_seconds;     // each character is so much further in the clip than the one before
    bool mixes_clips;         // each character plays the clip behind that of the one before
    bool is_still;            // all hold the first pose
    // So often each character is teleported to and fro, and turned; or there is a cut: the motion
    // goes on half a clip later. 0: never.
    double teleport_seconds, cut_seconds;
    tlw_preset preset; // cooked
    // Capacity and scratch are the scene's business; everything else is passed on. Its clock is the
    // platform's.
    tlw_world_def world;
    uint32_t worker_count; // threads of a scheduler of jobs/; 0: world.tasks as it is
    tlw_embedding embedding;
    bool has_positions, has_normals, has_deltas, has_lattice; // false
} tlw_scene_def;

tlw_scene_def tlw_default_scene_def(void);

// Packed floats, null where not asked for.
typedef struct tlw_scene_character {
    tlw_character_id id;
    float *positions, *normals, *deltas; // 3 a vertex
    float* lattice;                      // 12 a voxel
    void* memory;
    size_t memory_bytes;
    char name[72]; // the actor's and its number: what its zones are called
} tlw_scene_character;

typedef struct tlw_scene {
    tlw_scene_def def;
    uint32_t clip;
    double seconds; // since the start
    tlw_world* world;
    size_t world_bytes;
    uint32_t character_count;
    tlw_scene_character* characters;
    tlw_step_flags flags_seen; // of all steps since the start
    uint64_t substeps;         // the same, of all characters
    uint64_t first_step;       // the world's number of the step at the start
    struct tlw_scene_private* own;
} tlw_scene;

tlw_scene_code tlw_scene_open(const tlw_scene_def* def, tlw_scene** out, tlw_scene_error* error);
void tlw_scene_close(tlw_scene* scene);

// The clip's first pose, at rest in it, and output of that: frame 0.
void tlw_scene_start(tlw_scene* scene);
// The poses dt later, and a step of dt.
tlw_step_flags tlw_scene_advance(tlw_scene* scene, double dt);
// The poses alone, of that time; who calls it steps the world too.
void tlw_scene_pose(tlw_scene* scene, double seconds);

// Pass by pass: milliseconds a frame, share, and share of the budget; the worst frames.
void tlw_scene_print_passes(const tlw_scene* scene, FILE* out);
// "jumped, asleep"; "none". Cut where it does not fit.
void tlw_scene_flag_names(tlw_step_flags flags, char* text, size_t room);

TLW_EXTERN_C_END

#endif
