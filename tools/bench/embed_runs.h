// SPDX-License-Identifier: MIT
// Ways of writing a character's output, measured in turns: each is a scene of its own and, where
// the scalar reference (reference_embed.h) does the same work, that one beside it. The reference
// takes the states of the scene's voxels, so it embeds the same frames.
#ifndef TLW_TOOLS_BENCH_EMBED_RUNS_H
#define TLW_TOOLS_BENCH_EMBED_RUNS_H

#include "tools/bench/measure.h"
#include "tools/bench/reference_embed.h"

typedef struct tlw_embed_run {
    tlw_scene_def def;
    bool has_reference; // delta or fit, with normals by gradient or none, in the source's order
    tlw_scene* scene;
    tlw_bench_measured best;
    // The reference, and what it works with.
    tlw_reference_embed* embed;
    tlw_reference* substep; // for the corrections of skinned volume
    float *joints, *positions, *normals;
    tlw_reference_joint* pose;
    double apart;                 // in voxels, between a vertex of the reference and of the runtime
    tlw_bench_measured reference; // only frame_ms, and passes[TLW_PASS_EMBED]
} tlw_embed_run;

// Opens the scene of each def, and checks that each reference writes what the runtime writes.
// False: the failure has been reported. Close all of them in either case.
bool tlw_embed_runs_open(tlw_bench* bench, tlw_embed_run* runs, size_t count);
void tlw_embed_runs_close(tlw_embed_run* runs, size_t count);

// Measures all of them in turns, the references too, and keeps the best round of each. Call it with
// the thread pinned.
void tlw_embed_runs_measure(tlw_embed_run* runs, size_t count, size_t rounds, size_t frames);

// The least time that the reference took, in nanoseconds per vertex.
double tlw_embed_reference_ns(const tlw_embed_run* run);
// Turns the embed pass of a measurement into nanoseconds per vertex. Call it once.
double* tlw_embed_ns_per_vertex(const tlw_embed_run* run, tlw_bench_measured* of);

#endif
