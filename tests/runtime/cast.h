// SPDX-License-Identifier: MIT
// The sample characters for tests of the runtime: cooked at any resolution, posed by their clips.
// Straight from the stages that make them and with nothing of libm but square roots, so that cross
// builds have them too and every build has the same poses to the bit.
#ifndef TLW_TESTS_RUNTIME_CAST_H
#define TLW_TESTS_RUNTIME_CAST_H

#include "runtime/tallow.h"
#include "tools/sample/sample.h"

typedef enum cast_clip { CAST_IDLE, CAST_WALK, CAST_DANCE, CAST_JUMP, CAST_STOP } cast_clip;

#define CAST_JOINTS_MAX 32

typedef struct performer performer;

// Made once for each variant, resolution and width, and kept until the process ends.
const performer* performer_get(tlw_sample_variant variant, uint32_t resolution,
                               uint32_t region_width);
const tlw_tissue* performer_tissue(const performer* p);
const tlw_tissue_info* performer_info(const performer* p);

// Room for a pose of any kind.
typedef union cast_joints {
    float matrices[CAST_JOINTS_MAX][16];
    tlw_transform transforms[CAST_JOINTS_MAX];
} cast_joints;

// The clip loops.
void performer_pose(const performer* p, cast_clip clip, double seconds, tlw_pose_kind kind,
                    cast_joints* out);

// The same for a tissue of any joints: its bind pose, every joint moved by `offset`.
void bind_pose(const tlw_tissue* tissue, tlw_pose_kind kind, const double offset[3],
               cast_joints* out);

// Zeroed, on TLW_MEMORY_ALIGNMENT; aborts without memory.
void* cast_allocate(size_t bytes);
void cast_free(void* memory);

#endif
