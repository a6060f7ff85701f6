// SPDX-License-Identifier: MIT
// A cooked character in a random pose with random tissue, for the tests of pass embed, and what is
// to be drawn of it in double precision, plain loops, from design.md (cooking rule 10, "What is
// drawn") alone.
#ifndef TLW_TESTS_RUNTIME_EMBED_BED_H
#define TLW_TESTS_RUNTIME_EMBED_BED_H

#include "runtime/embed.h"
#include "tools/cook/cook.h"
#include "tools/sample/sample.h"

typedef struct embed_bed {
    tlw_cook_output cooked;
    tlw_body body;
    tlw_embed embed;              // body, state, pose, joints, results and scratch are set
    tlw_window_tissue* tissue[2]; // of the substep before, and of the last one
    tlw_window_pose* poses[2];
    tlw_window_pose* pose;
    tlw_rows* joints;
    tlw_block_result* results;
    void* scratch;
    uint64_t random;
} embed_bed;

typedef struct embed_bed_def {
    tlw_sample_variant variant;
    uint32_t resolution, region_width;
    bool has_points;   // three points without artist weights, bound between the mesh's vertices
    bool has_tangents; // made up
    bool forgets_weights;
    bool has_eight_weights; // the artist's four, and those of four more joints
    const tlw_cook_cut* cuts;
    uint32_t cut_count;
} embed_bed_def;

// The bind pose, at rest, root not turned.
embed_bed* embed_bed_make(const embed_bed_def* def);
void embed_bed_free(embed_bed* bed);

double embed_bed_number(embed_bed* bed, double low, double high);
// Every joint turned by up to `angle` around where it is, and scaled by up to `stretch`; then the
// root; what voxels' skinning follows from it.
void embed_bed_pose(embed_bed* bed, double angle, double stretch, double root_angle);
// Skinned places and rotations of the last substep, deviations of the last two (voxels, radians).
void embed_bed_disturb(embed_bed* bed, double distance, double angle);

// All stages with the kernels of one instruction set, blocks and groups in runs of `grain`.
void embed_bed_run(embed_bed* bed, const tlw_output* output, tlw_isa isa, uint32_t grain);

// What it should have written: arrays of 3 doubles a vertex, 12 a voxel; null: not wanted.
typedef struct embed_expected {
    double (*positions)[3];
    double (*normals)[3];
    double (*tangents)[3];
    double (*deltas)[3];
    double (*lattice)[12];
    double low[3], high[3];
} embed_expected;

embed_expected* embed_bed_expect(const embed_bed* bed, tlw_embedding embedding);
void embed_expected_free(embed_expected* expected);

#endif
