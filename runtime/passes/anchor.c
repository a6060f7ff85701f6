// SPDX-License-Identifier: MIT
// Pass anchor (MODEL 3.8). Reads q and the pose; writes q. Not in the paper.
//
//     q += a (p_skin - q),   a = 1 - exp(-(2 pi f_a h)^2)
//
// Why: stretch and shape matching act between voxels only, and carry what a bone does one voxel
// further per substep. A spring to the pose of its own, harder in muscle than in fat, is what makes
// layers move differently, stops thin parts from trailing or staying bent, and holds firm parts.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

void TLW_KERNEL(tlw_stage_anchor)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const size_t site = blob->windows[w].rows[4];
        const f8x3 skin = load_window3(s->pose[w].skin);
        const f8x3 off = sub3(load3(s->q + site, s->stride), skin);
        const f8 kept = tlw_f8_load_aligned(s->gains[w].anchor);
        store3(s->q + site, s->stride, mad3(off, kept, skin));
    }
}
