// SPDX-License-Identifier: MIT
// A cooked character in a random pose with random state, for the tests of pass embed; and the
// output that it must give, in double precision and plain loops, written from MODEL 5 and RULES 10
// alone.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_EMBED_FIXTURE_H
#define TLW_TESTS_RUNTIME_SUPPORT_EMBED_FIXTURE_H

#include "runtime/output/embed.h"
#include "tools/cook/cook.h"
#include "tools/sample/sample.h"

typedef struct embed_fixture {
    tlw_cook_output cooked;
    tlw_blob_arrays blob;
    tlw_vertex* vertices; // these three in source order
    tlw_vertex_skinning* skinning;
    tlw_vertex_binding* bindings;
    tlw_embed embed;             // blob, state, pose, joints, results and scratch are set
    tlw_window_state* states[2]; // of the last substep but one, and of the last one
    tlw_window_pose* poses[2];
    tlw_window_pose* pose;
    tlw_affine* joints;
    tlw_block_result* results;
    void* scratch;
    uint64_t random;
} embed_fixture;

typedef struct embed_fixture_def {
    tlw_sample_variant variant;
    uint32_t resolution, region_width;
    bool has_points;      // three points without artist weights, bound between the mesh's vertices
    bool has_tangents;    // made up
    bool forgets_weights; // cooked without artist weights
    bool has_eight_weights; // per vertex: the artist's four, and four more joints
    const tlw_cook_cut* cuts;
    uint32_t cut_count;
} embed_fixture_def;

// The bind pose, at rest, root not rotated.
embed_fixture* embed_fixture_make(const embed_fixture_def* def);
void embed_fixture_free(embed_fixture* fixture);

double embed_fixture_number(embed_fixture* fixture, double low, double high);
// Rotates every joint by up to `angle` around where it is and scales it by up to `stretch`, rotates
// the root by up to `root_angle`, and skins the voxels by them.
void embed_fixture_pose(embed_fixture* fixture, double angle, double stretch, double root_angle);
// Sets poses of the last two substeps that differ from this frame's, and deviations of up to
// `distance` voxels and `angle` radians from them.
void embed_fixture_disturb(embed_fixture* fixture, double distance, double angle);

// Runs all stages with the kernels of one instruction set, `grain` blocks or groups per call.
void embed_fixture_run(embed_fixture* fixture, const tlw_output* output, tlw_isa isa,
                       uint32_t grain);

// What it must write: 3 doubles per vertex, 12 per voxel.
typedef struct embed_expected {
    double (*positions)[3];
    double (*normals)[3];
    double (*tangents)[3];
    double (*deltas)[3];
    double (*lattice)[12];
    double low[3], high[3];
} embed_expected;

embed_expected* embed_fixture_expect(const embed_fixture* fixture, tlw_embedding embedding);
void embed_expected_free(embed_expected* expected);

#endif
