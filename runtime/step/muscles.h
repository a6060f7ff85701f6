// SPDX-License-Identifier: MIT
// Private to runtime: muscles on the character's side (MODEL 3.18, 3.19).
#ifndef TLW_RUNTIME_STEP_MUSCLES_H
#define TLW_RUNTIME_STEP_MUSCLES_H

#include "runtime/step/scratch.h"
#include "runtime/step/substep.h"
#include "runtime/world/character.h"

TLW_EXTERN_C_BEGIN

// What a blob's muscles take: groups of eight, rows of vertices and fields in all groups, and in
// the group that has the most of them. All 0 without muscles.
typedef struct tlw_muscle_sizes {
    uint32_t groups, rows;
    uint32_t most_rows, most_fields; // of a group
} tlw_muscle_sizes;

tlw_muscle_sizes tlw_muscle_sizes_of(const tlw_blob_arrays* blob);

// Moves the lines to the joints of the view, at `root`; in a carried substep it puts them where
// they come to rest. Leaves belly_rows for the stages of bellies. Does nothing without muscles. The
// substep's rebase must be that of this substep.
void tlw_muscles_move(tlw_character* c, const tlw_runner* runner, const tlw_scratch_view* view,
                      const tlw_root* root, const tlw_substep* substep, bool is_carried);
// Whether a line moved faster than `most` voxels in the last substep, relative to where it is
// drawn.
bool tlw_muscles_moved(const tlw_character* c, float most);
// How far muscles displace a voxel at most, at this moment and at the one before, in voxels.
float tlw_muscles_reach(const tlw_character* c);

TLW_EXTERN_C_END

#endif
