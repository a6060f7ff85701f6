// SPDX-License-Identifier: MIT
// The table of passes: order, names and colours (MODEL 3). Profiler zones, report columns and bench
// columns are made from it.
#ifndef TLW_RUNTIME_PASSES_H
#define TLW_RUNTIME_PASSES_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// Enumerator, name, colour (rgb), what it computes.
#define TLW_PASS_TABLE(X)                                                      \
    X(SKIN, "skin", 0x4e79a7, "skinned position and rotation of every voxel")  \
    X(BENDS, "bends", 0x9c755f, "volume that bent joints lose to skinning")    \
    X(MUSCLES, "muscles", 0xb07aa1, "action lines, and what bellies displace") \
    X(PREDICT, "predict", 0xa0cbe8, "where momentum takes each voxel")         \
    X(STRETCH, "stretch", 0xf28e2b, "distances to neighbours")                 \
    X(REGIONS, "regions", 0x59a14f, "sums and rotation of each region")        \
    X(GOAL, "goal", 0x8cd17d, "mean of the goals of its regions")              \
    X(ANCHOR, "anchor", 0xd37295, "the pull back to the pose")                 \
    X(VOLUME, "volume", 0xffbe7d, "volume around each voxel")                  \
    X(LAME, "lame", 0xfabfd2, "elasticity of Lame layers")                     \
    X(LIMIT, "limit", 0xb6992d, "how far tissue may leave the pose")           \
    X(CONTACT, "contact", 0x79706e, "colliders and own limbs")                 \
    X(VELOCITY, "velocity", 0xf1ce63, "new velocity, and rest")                \
    X(EMBED, "embed", 0xe15759, "the output: lattice, vertices, normals")

typedef enum tlw_pass {
#define TLW_PASS_ENUM(name, text, colour, meaning) TLW_PASS_##name,
    TLW_PASS_TABLE(TLW_PASS_ENUM)
#undef TLW_PASS_ENUM
        TLW_PASS_COUNT
} tlw_pass;

// Returns "regions" and the like; "unknown" for a number that is no pass.
const char* tlw_pass_name(tlw_pass pass);
// Returns 0xrrggbb; 0 for a number that is no pass.
uint32_t tlw_pass_colour(tlw_pass pass);

TLW_EXTERN_C_END

#endif
