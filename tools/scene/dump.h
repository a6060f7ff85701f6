// SPDX-License-Identifier: MIT
// A scene's first character, frame by frame, for anyone's own code to check:
//
//     "TLWDUMP1", u32 frames, voxels, vertices
//     a frame: float32 x, y, z of every voxel (tallow-inspect's order), then of every vertex (the
//     order of the source)
//
// Little-endian, metres, relative to the root. A voxel is where it is drawn: the lattice's 3x4 of
// that frame applied to its centre at rest.
#ifndef TLW_TOOLS_SCENE_DUMP_H
#define TLW_TOOLS_SCENE_DUMP_H

#include "platform/file.h"
#include "tools/scene/scene.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_dump {
    const tlw_actor* actor;
    tlw_file_writer* writer; // begun, and committed or abandoned by the caller: that tells errors
    double* centres;         // 3 a voxel, at rest
    float* frame;
} tlw_dump;

// Writes the header. False: out of memory; free the dump in either case.
bool tlw_dump_begin(tlw_dump* dump, const tlw_actor* actor, uint32_t frames,
                    tlw_file_writer* writer);
// What the scene's last step wrote: it has positions and lattice.
void tlw_dump_frame(tlw_dump* dump, const tlw_scene* scene);
void tlw_dump_free(tlw_dump* dump);

// The four bytes of a number, lowest first.
void tlw_dump_word(uint32_t word, uint8_t out[4]);

TLW_EXTERN_C_END

#endif
