// SPDX-License-Identifier: MIT
// Writes the first character of a scene frame by frame, to be checked by other programs:
//
//     "TLWDUMP1", u32 frames, voxels, vertices
//     per frame: float32 x, y, z of every voxel (in tallow-inspect's order), then of every vertex
//     (in the order of the source)
//
// Little-endian, in metres, relative to the root. A voxel's position is that of the output: the
// lattice's 3x4 matrix of the frame applied to the voxel's centre at rest.
#ifndef TLW_TOOLS_SCENE_DUMP_H
#define TLW_TOOLS_SCENE_DUMP_H

#include "platform/file.h"
#include "tools/scene/scene.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_dump {
    const tlw_actor* actor;
    tlw_file_writer* writer; // the caller begins it and commits it, which reports errors
    double* centres;         // 3 per voxel, at rest
    float* frame;
} tlw_dump;

// Writes the header. False if out of memory; free the dump also then.
bool tlw_dump_begin(tlw_dump* dump, const tlw_actor* actor, uint32_t frames,
                    tlw_file_writer* writer);
// Writes the output of the scene's last frame. The scene must have positions and lattice.
void tlw_dump_frame(tlw_dump* dump, const tlw_scene* scene);
void tlw_dump_free(tlw_dump* dump);

// The four bytes of a number, lowest first.
void tlw_dump_word(uint32_t word, uint8_t out[4]);

TLW_EXTERN_C_END

#endif
