// SPDX-License-Identifier: MIT
// Private to runtime: the action lines of a character's muscles in one substep, as step/muscles.c
// hands them to the kernel in passes/lines.c (MODEL 3.18, 3.19). Eight muscles lie side by side:
// lane m % 8 of group m / 8.
#ifndef TLW_RUNTIME_PASSES_LINES_H
#define TLW_RUNTIME_PASSES_LINES_H

#include "runtime/passes/kernels.h"

TLW_EXTERN_C_BEGIN

// What the vertices of eight lines keep between substeps, by MUSCLE_ROWS: in voxels, world axes,
// relative to the root's position at the last substep. All 0 in lanes without a vertex.
typedef struct tlw_line_row {
    float x[3][TLW_LANES];
    float v[3][TLW_LANES];  // voxels per second; 0 after a carried substep, when nothing reads it
    float b[3][TLW_LANES];  // the place to which it is drawn
    float rb[4][TLW_LANES]; // and the rotation there
} tlw_line_row;

// What the solver needs for a row of the group that it works on.
typedef struct tlw_line_work {
    float b[3][TLW_LANES], rb[4][TLW_LANES]; // of this substep
    float tangent[3][TLW_LANES];             // t
    float free[3][TLW_LANES];                // x*; in a carried substep G
    float balance[3][TLW_LANES];             // Rb f0
    float y[3][TLW_LANES];
    // The segment to the next vertex as the system has it: H = across I + along n n^T, 0 unless
    // both ends are dynamic.
    float n[3][TLW_LANES], along[TLW_LANES], across[TLW_LANES];
    float inverse[6][TLW_LANES]; // of the diagonal block when all before it is eliminated
    float r[3][TLW_LANES];       // right side, likewise
    float section[TLW_LANES];    // M of MODEL 3.19
} tlw_line_work;

// A field of the group that the solver works on.
typedef struct tlw_line_field {
    float centre[3][TLW_LANES];
    float rotation[4][TLW_LANES];
} tlw_line_field;

// Eight muscles: what the caller says of them, and what the kernel finds.
typedef struct tlw_line_group {
    float tension[TLW_LANES]; // T
    float bulge[TLW_LANES];
    float radius[TLW_LANES]; // largest r
    // Written by the kernel.
    float elongation[TLW_LANES]; // length of the belly over that at rest
    float most_b[TLW_LANES];     // largest |B|
    float most_c[TLW_LANES];     // largest |c|
    float moved[TLW_LANES];      // largest component of how far a vertex moved relative to b
} tlw_line_group;

typedef struct tlw_lines {
    const tlw_blob_arrays* blob;
    const tlw_skin_entry* joints;
    uint32_t group_count;
    tlw_line_row* rows;        // state, by MUSCLE_ROWS
    tlw_belly_row* belly_rows; // written, by MUSCLE_ROWS
    tlw_line_group* groups;
    tlw_line_work* work;     // rows of the longest group
    tlw_line_field* fields;  // fields of the group with the most
    float step_seconds;      // h
    float kept;              // 0.3^(h/0.1)
    float spring;            // (2 pi 12 Hz h)^2
    float hold, hold_across; // (2 pi 0.5 Hz h)^2, (2 pi 6 Hz h)^2
    float rebase[3];         // how far the root moved since the last substep, in voxels
    float gravity[3];        // h^2 g, in voxels
    float rest_gravity[3];   // h^2 g0, in voxels, lattice axes
    uint32_t iterations;     // at most, where they are carried
    bool is_carried;         // solves for rest
    bool is_start;           // v is v_b
} tlw_lines;

TLW_EXTERN_C_END

#endif
