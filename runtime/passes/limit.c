// SPDX-License-Identifier: MIT
// Pass limit (MODEL 3.8). Reads q and the pose; writes q. Not in the paper.
//
//     |q - p_skin| <= d_max
//
// Why: however fast the motion, tissue stays within d_max of the pose, which depends on the local
// thickness, so that an arm cannot smear across the body; predict clamps p by the same bound, which
// keeps the rule continuous.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

void TLW_KERNEL(tlw_stage_limit)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const size_t site = blob->windows[w].rows[4];
        const f8x3 skin = load_window3(s->pose[w].skin);
        const f8x3 off = sub3(load3(s->q + site, s->stride), skin);
        const f8 limit = tlw_f8_load_aligned(s->gains[w].limit);
        store3(s->q + site, s->stride, add3(skin, within3(off, limit)));
    }
}
