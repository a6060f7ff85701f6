// SPDX-License-Identifier: MIT
// The kernels of one instruction set, from the stage table; compiled once for each set.
#include "runtime/passes/kernels.h"

extern const tlw_kernels TLW_KERNEL(tlw_kernels);
const tlw_kernels TLW_KERNEL(tlw_kernels) = {
    .stages =
        {
#define STAGE(name, ...) [TLW_STAGE_##name] = TLW_KERNEL(tlw_stage_##name),
            TLW_STAGE_TABLE(STAGE)
#undef STAGE
        },
    .solve_lines = TLW_KERNEL(tlw_solve_lines),
    .embed_lattice = TLW_KERNEL(tlw_embed_lattice),
    .embed_frames = TLW_KERNEL(tlw_embed_frames),
    .embed_centres = TLW_KERNEL(tlw_embed_centres),
    .embed_coefficients = TLW_KERNEL(tlw_embed_coefficients),
    .embed_rows = TLW_KERNEL(tlw_embed_rows),
    .embed_seams = TLW_KERNEL(tlw_embed_seams),
    .embed_deviations = TLW_KERNEL(tlw_embed_deviations),
    .embed_vertices = TLW_KERNEL(tlw_embed_vertices),
};
