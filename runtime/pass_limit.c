// SPDX-License-Identifier: MIT
// Pass limit: the weak anchor, then the limit. Reads q and the pose; writes q (design.md, substeps
// 5 and 6).
//
//     q += (1 - exp(-(2 pi f h)^2)) (p_skin - q),    |q - p_skin| <= d_max
#include "runtime/kernels.h"
#include "runtime/wide.h"

void TLW_KERNEL(tlw_stage_limit)(const tlw_substep* s, uint32_t first, uint32_t end) {
    const tlw_body* body = s->body;
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        const size_t slot = (size_t)w * TLW_LANES, site = body->windows[w].rows[4];
        const tlw_i8 material = tlw_i8_shift_left(tlw_i8_load_u16(body->slot_material + slot), 2);
        const f8x3 skin = load_window3(s->pose[w].skin);
        f8x3 off = sub3(load_sites(s->q, site), skin);
        const f8 anchor = tlw_f8_gather(&s->gains[0].anchor, material);
        off = sub3(off, scale3(off, anchor));
        const f8 limit = mul(tlw_f8_load_aligned(body->slot_limit + slot),
                             tlw_f8_gather(&s->gains[0].limit, material));
        const f8 length2 = dot3(off, off);
        const m8 is_far = tlw_f8_gt(length2, mul(limit, limit));
        if (tlw_m8_any(is_far)) {
            off = select3(is_far, scale3(off, tlw_f8_div(limit, tlw_f8_sqrt(length2))), off);
        }
        store_sites(s->q, site, add3(skin, off));
    }
}
