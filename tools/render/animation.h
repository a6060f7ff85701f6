// SPDX-License-Identifier: MIT
// A picture that moves, or one that does not, as PNG with a palette: a few times smaller than the
// PNG of tlw_picture_write. More than one frame makes an animated PNG (acTL, fcTL, fdAT), which
// every browser plays and which viewers that do not know it show as its first frame. Frames after
// the first hold the smallest rectangle that changed; in it, pixels that stay are transparent.
//
//     tlw_animation* a = tlw_animation_begin(&def);
//     for (each frame) tlw_animation_add(a, &picture);
//     tlw_animation_write(a, sink, user);
//     tlw_animation_free(a);
#ifndef TLW_TOOLS_RENDER_ANIMATION_H
#define TLW_TOOLS_RENDER_ANIMATION_H

#include "tools/render/picture.h"

typedef struct tlw_animation_def {
    uint32_t width, height;
    uint32_t frame_capacity;
    uint16_t frames_per_second;
    uint32_t plays; // 0: for ever
    // At most this many, 2 to 255; 0 is 255. Fewer make the file smaller: runs of one colour grow.
    uint32_t colours;
    // A pixel of a later frame may stay as it is if no channel is farther off than this, 0 to 255.
    uint32_t tolerance;
} tlw_animation_def;

typedef struct tlw_animation tlw_animation;

// Null if out of memory, or if a number is 0 (but plays, colours and tolerance) or too large.
tlw_animation* tlw_animation_begin(const tlw_animation_def* def);
void tlw_animation_free(tlw_animation* animation);
// Keeps a copy. False if the picture has another size or the animation is full.
bool tlw_animation_add(tlw_animation* animation, const tlw_picture* picture);
// TLW_OK, TLW_ERROR_BAD_ARGUMENT without a frame, TLW_ERROR_OUT_OF_MEMORY, or
// TLW_ERROR_CANNOT_WRITE if the sink returned false.
tlw_result tlw_animation_write(tlw_animation* animation, tlw_picture_sink* sink, void* user);
// Writes to a file that was begun, and commits it. Without memory the file is abandoned.
tlw_result tlw_animation_commit(tlw_animation* animation, tlw_file_writer* writer);

// One picture with a palette, to a file that was begun.
tlw_result tlw_picture_commit_small(const tlw_picture* picture, tlw_file_writer* writer);

#endif
