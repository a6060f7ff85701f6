// SPDX-License-Identifier: MIT
// The kernels of one instruction set as a table; compiled once for each.
#include "runtime/passes/kernels.h"

extern const tlw_kernels TLW_KERNEL(tlw_kernels);
const tlw_kernels TLW_KERNEL(tlw_kernels) = {
    .stages =
        {
#define STAGE(name, pass, reach) [TLW_STAGE_##name] = TLW_KERNEL(tlw_stage_##name),
            TLW_STAGE_TABLE(STAGE)
#undef STAGE
        },
    .carry = TLW_KERNEL(tlw_stage_carry),
    .regions2 = TLW_KERNEL(tlw_stage_regions2),
    .goal2 = TLW_KERNEL(tlw_stage_goal2),
    .embed_lattice = TLW_KERNEL(tlw_embed_lattice),
    .embed_frames = TLW_KERNEL(tlw_embed_frames),
    .embed_vertices = TLW_KERNEL(tlw_embed_vertices),
};
