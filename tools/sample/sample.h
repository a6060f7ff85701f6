// SPDX-License-Identifier: MIT
// Builds sample characters from code: an implicit surface on a skeleton is polygonised, skinned,
// animated and written as a GLB file in memory, so that tests, demo and bench need neither assets
// nor another process. The same def gives the same bytes with every compiler, build type and CPU,
// because only + - * / and square roots of doubles are used.
//
//     bunny  round belly, arms, legs, two long thin ears; about 3,671 voxels at resolution 32
//     stout  mostly belly; about 4,798 voxels at resolution 32, 922 at 16
//     thin   long thin arms and legs; about 4,312 voxels at resolution 64
//     athletic  a broad chest, thick arms and thighs, no ears; 3,473 voxels at resolution 48. Its
//               recipe (tlw_sample_recipe) has muscles: biceps, triceps, pectoralis and quadriceps
//               of both sides
//
// Units are metres, y is up, the character faces +z and its soles are at y = 0. It has nineteen
// joints; no vertex follows `root`, as in artists' rigs, nor athletic's ears. Clips: idle, walk (in
// place), dance, jump_and_land, sudden_stop; athletic also has flex, in which its elbows bend by
// 110 degrees. Most channels are LINEAR with 32 keys per second. So that readers
// meet all three kinds of interpolation, idle also has a STEP and a CUBICSPLINE rotation, and the
// jump has a CUBICSPLINE translation.
#ifndef TLW_TOOLS_SAMPLE_SAMPLE_H
#define TLW_TOOLS_SAMPLE_SAMPLE_H

#include "platform/base.h"
#include "platform/file.h"
#include "platform/result.h"

TLW_EXTERN_C_BEGIN

#define TLW_SAMPLE_VARIANTS(X) \
    X(BUNNY, "bunny") X(STOUT, "stout") X(THIN, "thin") X(ATHLETIC, "athletic")

typedef enum tlw_sample_variant {
#define TLW_SAMPLE_VARIANT_ENUM(id, name) TLW_SAMPLE_##id,
    TLW_SAMPLE_VARIANTS(TLW_SAMPLE_VARIANT_ENUM)
#undef TLW_SAMPLE_VARIANT_ENUM
        TLW_SAMPLE_VARIANT_COUNT
} tlw_sample_variant;

// bunny, stout and thin, which resemble characters of Iwamoto et al. 2015. Long tests go over
// these only.
#define TLW_SAMPLE_PAPER_COUNT 3

// "bunny", "stout" and so on; null for a number outside the table.
const char* tlw_sample_variant_name(tlw_sample_variant variant);

#define TLW_SAMPLE_RESOLUTION_MIN 48
#define TLW_SAMPLE_RESOLUTION_MAX 256

typedef struct tlw_sample_def {
    tlw_sample_variant variant;
    // Cells of the polygonisation along the longest extent. 0 takes the variant's own resolution,
    // at which the voxels above were counted. Too few cells tear thin parts such as ears, which
    // gives TLW_ERROR_UNSUPPORTED.
    uint32_t resolution;
    tlw_file_grow* grow; // allocates the result; realloc and free by default
    void* user;
    uint32_t cookie;
} tlw_sample_def;

tlw_sample_def tlw_default_sample_def(tlw_sample_variant variant);

// On TLW_OK the caller owns *bytes and releases it with def.grow and new_bytes 0 (with the default
// grow also with free). On failure nothing stays allocated.
tlw_result tlw_sample_build(const tlw_sample_def* def, uint8_t** bytes, size_t* size);

// The recipe that a variant should be cooked with, as JSON text: muscles. Null for a variant
// without one, which needs none: all but athletic.
const char* tlw_sample_recipe(tlw_sample_variant variant);

TLW_EXTERN_C_END

#endif
