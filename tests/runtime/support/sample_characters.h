// SPDX-License-Identifier: MIT
// The sample characters for tests of the runtime, cooked at any resolution and posed by their
// clips. They come straight from the stages of tools/sample, without a file, so that cross builds
// have them too. Poses use no function of libm but sqrt, so that every build has the same poses bit
// for bit.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_SAMPLE_CHARACTERS_H
#define TLW_TESTS_RUNTIME_SUPPORT_SAMPLE_CHARACTERS_H

#include "runtime/tallow.h"
#include "tools/sample/sample.h"

typedef enum sample_motion {
    SAMPLE_IDLE,
    SAMPLE_WALK,
    SAMPLE_DANCE,
    SAMPLE_JUMP,
    SAMPLE_STOP
} sample_motion;

#define SAMPLE_JOINTS_MAX 32

typedef struct sample_character sample_character;

// Cooked once for each variant, resolution and width, and kept until the process ends.
const sample_character* sample_get(tlw_sample_variant variant, uint32_t resolution,
                                   uint32_t region_width);
// The same with everything that a recipe can ask the embedding for: rbf and ring normals.
const sample_character* sample_get_embedded(tlw_sample_variant variant, uint32_t resolution,
                                            uint32_t region_width);
// The same, skinned by dual quaternions, with the profiles "tense" and "loose".
const sample_character* sample_get_dual(tlw_sample_variant variant, uint32_t resolution,
                                        uint32_t region_width);
// The same with own limbs, and modelled under gravity; linear and without profiles.
const sample_character* sample_get_limbed(tlw_sample_variant variant, uint32_t resolution,
                                          uint32_t region_width);
// The thin sample with everything of the embedding, with muscles (automatic ones and one down the
// belly) and with Lame layers on the belly; linear, and without profiles and limbs.
const sample_character* sample_get_muscled(uint32_t resolution, uint32_t region_width);
const tlw_blob* sample_blob(const sample_character* sample);
const tlw_blob_info* sample_info(const sample_character* sample);

// Room for a pose of any kind.
typedef union sample_joints {
    float matrices[SAMPLE_JOINTS_MAX][16];
    tlw_transform transforms[SAMPLE_JOINTS_MAX];
} sample_joints;

// The clip loops.
void sample_pose(const sample_character* sample, sample_motion clip, double seconds,
                 tlw_pose_kind kind, sample_joints* out);

// For any blob: its bind pose, every joint moved by `offset`.
void bind_pose(const tlw_blob* blob, tlw_pose_kind kind, const double offset[3],
               sample_joints* out);

// Zeroed memory, aligned to TLW_MEMORY_ALIGNMENT; aborts if there is none.
void* sample_allocate(size_t bytes);
void sample_free(void* memory);

#endif
