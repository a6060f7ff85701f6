// SPDX-License-Identifier: MIT
// A scene: a world with one or more characters of one actor that play a clip, with memory from the
// heap and the outputs that were asked for. tallow-sim, bench, demo and tests step it.
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
#include "tools/scene/skinning.h"

#include <stdio.h>

TLW_EXTERN_C_BEGIN

typedef struct tlw_scene_def {
    uint32_t cookie;
    const tlw_actor* actor;   // outlives the scene
    const char* clip;         // null: the first
    uint32_t character_count; // 1
    double apart_seconds;     // time in the clip between one character and the next
    bool mixes_clips;         // each character plays the clip after that of the character before
    bool is_still;            // all characters hold the first pose
    // Interval between teleports, which move each character away and back and rotate it, and
    // between cuts, after which the motion goes on half a clip later. 0: none.
    double teleport_seconds, cut_seconds;
    tlw_preset preset;       // cooked
    tlw_scene_volume volume; // cooked
    uint32_t drag_capacity;  // of the characters' defs, as the next one; 0
    bool has_pose_filter;    // false
    // The scene sets capacity and scratch; all other fields are passed on. The default clock is the
    // platform's.
    tlw_world_def world;
    uint32_t worker_count; // threads of a scheduler of jobs/; 0: world.tasks is used as it is
    // How vertices are embedded, their order, and whether bounds are wanted, which need a stream or
    // wants_bounds. The scene sets the streams that are asked for below; all vertices are written.
    tlw_output output;
    bool has_positions, has_normals, has_deltas, has_lattice; // false
    bool has_voxel_deltas, has_voxel_fits;                    // false
} tlw_scene_def;

tlw_scene_def tlw_default_scene_def(void);

// Outputs are packed floats, and null if they were not asked for.
typedef struct tlw_scene_character {
    tlw_character_id id;
    float *positions, *normals, *deltas; // 3 per vertex
    float *lattice, *voxel_fits;         // 12 per voxel
    float* voxel_deltas;                 // 3 per voxel
    void* memory;
    size_t memory_bytes;
    char name[72]; // the actor's name and a number; profiling zones are named by it
} tlw_scene_character;

typedef struct tlw_scene {
    tlw_scene_def def;
    uint32_t clip;
    double seconds; // since tlw_scene_start
    tlw_world* world;
    size_t world_bytes;
    uint32_t character_count;
    tlw_scene_character* characters;
    tlw_step_flags flags_seen; // flags of all frames since the start
    uint64_t substeps;         // of all characters since the start
    uint64_t first_step;       // the world's count of frames at the start
    struct tlw_scene_private* own;
} tlw_scene;

tlw_scene_code tlw_scene_open(const tlw_scene_def* def, tlw_scene** out, tlw_scene_error* error);
void tlw_scene_close(tlw_scene* scene);

// Resets all characters to the clip's first pose and writes their outputs: frame 0.
void tlw_scene_start(tlw_scene* scene);
// Sets the poses dt later and steps the world by dt.
tlw_step_flags tlw_scene_advance(tlw_scene* scene, double dt);
// Sets the poses of that time only; the caller steps the world.
void tlw_scene_pose(tlw_scene* scene, double seconds);

// Prints a table: for each pass the milliseconds per frame, its share of all passes and of the
// budget; then the worst frames.
void tlw_scene_print_passes(const tlw_scene* scene, FILE* out);
// Writes the names of the flags, such as "jumped, asleep", or "none". Cut where the room ends.
void tlw_scene_flag_names(tlw_step_flags flags, char* text, size_t room);

TLW_EXTERN_C_END

#endif
