// SPDX-License-Identifier: MIT
// A model at work in a world of its own, with its output in the world, for pictures. Two of them
// may show one model.
#ifndef TLW_TOOLS_VIEW_CHARACTER_H
#define TLW_TOOLS_VIEW_CHARACTER_H

#include "tools/motion/motion.h"
#include "tools/render/render.h"
#include "tools/view/model.h"

#define TLW_VIEW_COLLIDERS 3u // ball, plane, capsule
#define TLW_VIEW_CONTACTS  16u

typedef struct tlw_view_character {
    tlw_view_model* model; // shared
    tlw_motion* motion;
    // 3 per vertex, source order, in the world: as drawn, and by skinning alone.
    float *positions, *normals, *skinned;
    float* deviation; // one per vertex: from one to the other, metres
    float* lattice;   // 12 per voxel (tlw_output), model space
    float farthest;   // largest deviation since the character was put at rest
    float middle[3];  // of the skinned character, in the world
    float low[3], high[3];
    tlw_contact contacts[TLW_VIEW_CONTACTS];
    uint32_t contact_count;
    float *out_positions, *out_normals, *out_deltas; // what the runtime writes, model space
} tlw_view_character;

// Shares the model. `tasks` may be null. False: `message` says why; close it also then.
bool tlw_view_character_open(tlw_view_character* c, tlw_view_model* model,
                             const tlw_task_system* tasks, double budget_ms, char* message,
                             size_t room);
void tlw_view_character_close(tlw_view_character* c);

// Puts it at rest in the pose of its motion, and makes the output.
void tlw_view_character_settle(tlw_view_character* c);
// Steps it into the pose of its motion. A dt of 0 only makes the output anew.
tlw_step_flags tlw_view_character_step(tlw_view_character* c, double dt);
// Reads the voxels of the last substep into motion->voxels, for colours and marks.
void tlw_view_character_read(tlw_view_character* c);
// Where a voxel was then, in the world, metres: itself, or its skinned place.
void tlw_view_character_place(const tlw_view_character* c, uint32_t voxel, bool is_skinned,
                              float place[3]);
uint64_t tlw_view_character_hash(const tlw_view_character* c);

#endif
