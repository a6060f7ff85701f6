// SPDX-License-Identifier: MIT
// The sample characters for tests of the runtime: cooked at any resolution, posed by their clips.
// Straight from the stages that make them and with nothing of libm but square roots, so that cross
// builds have them too and every build has the same poses to the bit.
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

// Made once for each variant, resolution and width, and kept until the process ends.
const sample_character* sample_get(tlw_sample_variant variant, uint32_t resolution,
                                   uint32_t region_width);
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

// The same for a tissue of any joints: its bind pose, every joint moved by `offset`.
void bind_pose(const tlw_blob* blob, tlw_pose_kind kind, const double offset[3],
               sample_joints* out);

// Zeroed, on TLW_MEMORY_ALIGNMENT; aborts without memory.
void* sample_allocate(size_t bytes);
void sample_free(void* memory);

#endif
