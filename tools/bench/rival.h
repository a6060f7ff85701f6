// SPDX-License-Identifier: MIT
// The scalar reference (reference.h), driven by the same clip as a scene.
#ifndef TLW_TOOLS_BENCH_RIVAL_H
#define TLW_TOOLS_BENCH_RIVAL_H

#include "tools/bench/measure.h"
#include "tools/bench/reference.h"

typedef struct tlw_rival {
    tlw_reference* reference;
    const tlw_actor* actor;
    uint32_t clip;
    double seconds;
    float* joints;
    tlw_reference_joint* pose;
} tlw_rival;

// Whether this CPU has the instruction set that the reference was compiled for.
bool tlw_rival_can_run(void);
// Takes the scene's actor. False: no memory, another kind of blob, or colliders in the scene, which
// the reference does not know. Close it in either case.
bool tlw_rival_open(tlw_rival* rival, const tlw_scene* scene);
void tlw_rival_close(tlw_rival* rival);

// Measures a round of frames and keeps it if it is better; fills `step` and `frame_ms`.
void tlw_rival_measure(tlw_rival* rival, size_t frames, tlw_bench_measured* best);
// Steps both for a number of substeps. Returns the largest distance, in voxels, between a voxel of
// the one and the same voxel of the other. The scene must have just been started.
double tlw_rival_farthest_apart(tlw_rival* rival, tlw_scene* scene, uint32_t substeps);

#endif
