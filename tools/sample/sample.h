// SPDX-License-Identifier: MIT
// Sample characters of our own, made from nothing: an implicit surface on a skeleton is
// polygonised, skinned, animated and written as a GLB, in memory, so that tests, demo, bench and
// viewer need no process and no file. The same def gives the same bytes with every compiler, build
// type and CPU: only + - * / and square roots of doubles reach them.
//
//     bunny  round belly, arms, legs, two long thin ears; about 3,671 voxels at resolution 32
//     stout  hardly anything but belly; about 4,798 voxels at 32, 922 at 16
//     thin   long thin arms and legs; about 4,312 voxels at 64
//
// Metres, y up, facing +z, soles on y = 0; nineteen joints, of which `root` carries no vertex, as
// artists' rigs have it. Clips: idle, walk (in place), dance, jump_and_land, sudden_stop. Most
// channels are LINEAR at 32 keys a second; idle has a STEP and a CUBICSPLINE rotation, the jump a
// CUBICSPLINE translation, so that readers meet all three.
#ifndef TLW_TOOLS_SAMPLE_SAMPLE_H
#define TLW_TOOLS_SAMPLE_SAMPLE_H

#include "platform/base.h"
#include "platform/file.h"
#include "platform/result.h"

TLW_EXTERN_C_BEGIN

#define TLW_SAMPLE_VARIANTS(X) X(BUNNY, "bunny") X(STOUT, "stout") X(THIN, "thin")

typedef enum tlw_sample_variant {
#define TLW_SAMPLE_VARIANT_ENUM(id, name) TLW_SAMPLE_##id,
    TLW_SAMPLE_VARIANTS(TLW_SAMPLE_VARIANT_ENUM)
#undef TLW_SAMPLE_VARIANT_ENUM
        TLW_SAMPLE_VARIANT_COUNT
} tlw_sample_variant;

// "bunny", "stout", "thin"; null for a number outside the table.
const char* tlw_sample_variant_name(tlw_sample_variant variant);

#define TLW_SAMPLE_RESOLUTION_MIN 48
#define TLW_SAMPLE_RESOLUTION_MAX 256

typedef struct tlw_sample_def {
    tlw_sample_variant variant;
    // Cells of the polygonisation along the longest extent; 0 is the variant's own, at which its
    // voxels were counted. Fewer cells than an ear or a finger needs tear it:
    // TLW_ERROR_UNSUPPORTED.
    uint32_t resolution;
    tlw_file_grow* grow; // for the result; malloc's family by default
    void* user;
    uint32_t cookie;
} tlw_sample_def;

tlw_sample_def tlw_default_sample_def(tlw_sample_variant variant);

// On TLW_OK *bytes is the caller's (given back by def.grow with new_bytes 0, or free by default);
// on failure nothing is kept.
tlw_result tlw_sample_build(const tlw_sample_def* def, uint8_t** bytes, size_t* size);

TLW_EXTERN_C_END

#endif
