// SPDX-License-Identifier: MIT
// The one table of passes: their order, names and colours. Profiler zones, report columns and bench
// columns are made of it.
#ifndef TLW_RUNTIME_PASSES_H
#define TLW_RUNTIME_PASSES_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

// enumerator, name, colour (rgb), what it computes
#define TLW_PASS_TABLE(X)                                                  \
    X(SKIN, "skin", 0x4e79a7, "skinned place and rotation of every voxel") \
    X(PREDICT, "predict", 0xa0cbe8, "where momentum takes it")             \
    X(STRETCH, "stretch", 0xf28e2b, "distances to neighbours")             \
    X(VOLUME, "volume", 0xffbe7d, "volume of its surroundings")            \
    X(REGIONS, "regions", 0x59a14f, "sums and rotation of its region")     \
    X(GOAL, "goal", 0x8cd17d, "mean of where regions want it")             \
    X(LIMIT, "limit", 0xb6992d, "anchor and limit")                        \
    X(VELOCITY, "velocity", 0xf1ce63, "new velocity, and rest")            \
    X(EMBED, "embed", 0xe15759, "what is drawn: lattice, vertices, normals")

typedef enum tlw_pass {
#define TLW_PASS_ENUM(name, text, colour, meaning) TLW_PASS_##name,
    TLW_PASS_TABLE(TLW_PASS_ENUM)
#undef TLW_PASS_ENUM
        TLW_PASS_COUNT
} tlw_pass;

// "regions"; "unknown" for a number outside the table.
const char* tlw_pass_name(tlw_pass pass);
uint32_t tlw_pass_colour(tlw_pass pass);

TLW_EXTERN_C_END

#endif
