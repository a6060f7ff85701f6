// SPDX-License-Identifier: MIT
// Radial basis functions that the cooker does not make, built from its own functions: one system
// for the whole body, or a given number of centres. For Table 1 and Figure 2 of Luo et al., which
// compare a single system with several.
#ifndef TLW_TOOLS_MOTION_SYSTEMS_H
#define TLW_TOOLS_MOTION_SYSTEMS_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_systems_def {
    uint32_t point_count;
    const double (*points)[3];
    const uint32_t* domains; // of each point, below domain_count; null: a single system
    uint32_t domain_count;
    uint32_t centre_count; // at least 1; chosen among the points
    // True: a row has all centres of its domain, as the paper's sums do. False: those that are not
    // 0, as the cooker's do.
    bool is_dense;
} tlw_systems_def;

typedef struct tlw_systems tlw_systems;

// Each centre is the point farthest from those before it; the first is point 0. Points of a domain
// without centres do not move. Null if out of memory, or if a system has no solution.
tlw_systems* tlw_systems_make(const tlw_systems_def* def);
void tlw_systems_free(tlw_systems* systems);

// The points that are centres, by domain.
const uint32_t* tlw_systems_centres(const tlw_systems* systems);
// How long the systems took to invert, without choosing centres and making rows.
double tlw_systems_invert_ms(const tlw_systems* systems);
// Mean number of terms of a row.
double tlw_systems_row_length(const tlw_systems* systems);
// Points from values at the centres, in their order: coefficients, then rows.
void tlw_systems_apply(tlw_systems* systems, const float (*values)[3], float (*out)[3]);

TLW_EXTERN_C_END

#endif
