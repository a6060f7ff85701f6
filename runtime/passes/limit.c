// SPDX-License-Identifier: MIT
// Pass limit: the weak anchor, then the limit (MODEL 3.8). Reads q and the pose; writes q. Neither
// is in the paper.
//
//     q += (1 - exp(-(2 pi f_a h)^2)) (p_skin - q),    |q - p_skin| <= d_max
//
// Why an anchor: stretch and shape matching act between voxels only, and a weak pull towards the
// pose stops thin parts from trailing behind their bones or staying bent (with bone mass 10, the
// lag of a hand fell from 0.56 to 0.18 voxel, and the belly kept its jiggle). Why a limit: however
// fast the motion, tissue stays within d_max of the pose, which depends on the local thickness, so
// that an arm cannot smear across the body; predict clamps p by the same bound, which keeps the
// rule continuous.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

void TLW_KERNEL(tlw_stage_limit)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const size_t site = blob->windows[w].rows[4];
        const f8x3 skin = load_window3(s->pose[w].skin);
        f8x3 off = sub3(load3(s->q + site, s->stride), skin);
        off = scale3(off, tlw_f8_load_aligned(s->gains[w].anchor));
        off = within3(off, tlw_f8_load_aligned(s->gains[w].limit));
        store3(s->q + site, s->stride, add3(skin, off));
    }
}
