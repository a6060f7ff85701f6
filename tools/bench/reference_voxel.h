// SPDX-License-Identifier: MIT
// Private to the scalar reference of the substep: what it keeps, one struct per voxel.
#ifndef TLW_TOOLS_BENCH_REFERENCE_VOXEL_H
#define TLW_TOOLS_BENCH_REFERENCE_VOXEL_H

#include "tools/bench/reference.h"
#include "tools/bench/reference_math.h"

#define NONE UINT32_MAX

typedef struct voxel {
    vec3 q; // predicted position, which neighbours read
    float mass;
    vec3 q2;    // q after stretch, while neighbours still read q
    float pull; // w of stretch for the other end of a pair: 1/2, 1 for bone
    mat3 r;     // the region's fit: the goal of a voxel at offset o is r o + t
    vec3 t;
    uint32_t neighbour_count;
    uint32_t neighbours[TLW_STEPS];
    uint8_t steps[TLW_STEPS]; // the step that leads to each
    uint8_t is_bone;
    uint32_t faces[6]; // x-, x+, y-, y+, z-, z+; NONE
    vec3 push[3], own; // lambda grad of its volume, for the plus end of each axis and for itself
    float volume_weight;
    float volume_floor; // 2/3 of the volume's denominator at rest
    vec3 c0;            // the region's rest centre, relative to the voxel
    float inverse_mass;
    quat rb, relative; // Rb, and Q
    vec3 field;        // F: the direction of skinned volume, with the axes of the rest pose
    vec3 outwards;     // v of bends: the field in this pose; then by how much it corrected `skin`
    vec3 p, v, skin, skin_last;
    vec3 rest;
    float weights[4];
    uint16_t joints[4];
    uint32_t joint_count;
    float goal, damping, anchor, limit;
} voxel;

// A voxel that has shares in one or two bends (MODEL 3.12).
typedef struct bent_voxel {
    uint32_t voxel;
    uint32_t count;
    uint32_t bends[2];
    float shares[2]; // C
    uint32_t pair;   // of its two bends, if it has two
} bent_voxel;

// A pair of bends that share voxels.
typedef struct bend_pair {
    uint32_t first, second;
    double j; // change of the one's volume with the other's length
} bend_pair;

typedef struct bend {
    double rest_volume, rest_slope, reach;
    double a[4]; // A_0 to A_3
    double length;
} bend;

// All counts are 0 if the blob has no bends.
typedef struct bends {
    uint32_t count, pair_count, voxel_count;
    bend* bends;
    bend_pair* pairs;
    bent_voxel* voxels;
} bends;

struct tlw_reference {
    uint32_t count;
    uint32_t iterations;
    float h, stretch_gain, volume_gain;
    bool is_start;
    voxel* voxels;
    bends bends;
};

// Skinned volume (MODEL 3.12). Makes the bends of the blob; false: no memory. Free them in either
// case.
bool tlw_reference_make_bends(tlw_reference* reference, const void* blob);
void tlw_reference_free_bends(tlw_reference* reference);
// Corrects `skin` of all voxels, whose `skin`, `rb` and `outwards` are those of the pose, and
// leaves the correction in `outwards`.
void tlw_reference_correct(tlw_reference* reference);

#endif
