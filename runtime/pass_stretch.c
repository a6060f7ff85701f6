// SPDX-License-Identifier: MIT
// Pass stretch, in two stages: distances to neighbours (design.md, substep 2).
//
//     q += G(2) mean over neighbours j of  -w (l - l0) d / l,   d = q_i - q_j,  l = |d|
//     w = 1/2, 1 where j is bone
//
// (l - l0)/l is the same for both ends, and w can be: u_i u_j / 2 with u = 1, bone 2, nothing 0 is
// 1/2 between soft ones and 1 beside bone, and a bone's own sum is not used. So the first stage
// computes it for the 13 steps forward and keeps it; the second reads it from the neighbours
// backward. Half the square roots and divisions, which are what this pass is made of.
#include "runtime/kernels.h"
#include "runtime/wide.h"

#define ROOT_2 1.41421354f
#define ROOT_3 1.73205078f

// factor number, row, step along the lane, rest length, step of tlw_blob_window.links
#define FORWARD_STEPS(X)     \
    X(0, 4, 1, 1.0f, 13)     \
    X(1, 5, -1, ROOT_2, 14)  \
    X(2, 5, 0, 1.0f, 15)     \
    X(3, 5, 1, ROOT_2, 16)   \
    X(4, 6, -1, ROOT_3, 17)  \
    X(5, 6, 0, ROOT_2, 18)   \
    X(6, 6, 1, ROOT_3, 19)   \
    X(7, 7, -1, ROOT_2, 20)  \
    X(8, 7, 0, 1.0f, 21)     \
    X(9, 7, 1, ROOT_2, 22)   \
    X(10, 8, -1, ROOT_3, 23) \
    X(11, 8, 0, ROOT_2, 24)  \
    X(12, 8, 1, ROOT_3, 25)

#define FACES   (1u << 0 | 1u << 2 | 1u << 8)
#define EDGES   (1u << 1 | 1u << 3 | 1u << 5 | 1u << 7 | 1u << 9 | 1u << 11)
#define CORNERS (1u << 4 | 1u << 6 | 1u << 10 | 1u << 12)

static uint32_t steps_of(uint32_t neighbours) {
    switch (neighbours) {
    case 6:
        return FACES;
    case 14:
        return FACES | CORNERS;
    case 18:
        return FACES | EDGES;
    case 20:
        return EDGES | CORNERS;
    default:
        return FACES | EDGES | CORNERS;
    }
}

TLW_FORCE_INLINE f8x3 add_forward(const tlw_substep* s, const tlw_blob_window* window,
                                  bool has_cuts, size_t site, f8x3 q, f8 half_kind, f8x3 sum,
                                  uint32_t factor, size_t at, float rest, uint32_t link) {
    const f8x3 d = sub3(q, load3(s->q + at, s->stride));
    const f8 length = tlw_f8_sqrt(dot3(d, d));
    const f8 pull = sub(all(1.0f), tlw_f8_div(all(rest), length));
    m8 counts = tlw_f8_ge(length, all(1e-6f));
    if (has_cuts) {
        counts = tlw_m8_and(counts, tlw_m8_from_bits(window->links[link]));
    }
    const f8 weight = mul(half_kind, tlw_f8_load(s->body->site_body + at));
    const f8 kept = mul(tlw_f8_keep(counts, pull), weight);
    tlw_f8_store_aligned(s->work + factor * s->stride + site, kept);
    return mad3(d, kept, sum);
}

TLW_FORCE_INLINE void window_pairs(const tlw_substep* s, const tlw_blob_window* window,
                                   bool has_cuts, uint32_t steps) {
    const size_t site = window->rows[4];
    const f8x3 q = load3(s->q + site, s->stride);
    const f8 half_kind = mul(tlw_f8_load_aligned(s->body->site_body + site), all(0.5f));
    f8x3 sum = zero3();
#define ADD_FORWARD(factor, row, along, rest, link)                                            \
    if (steps >> factor & 1) {                                                                 \
        sum = add_forward(s, window, has_cuts, site, q, half_kind, sum, factor,                \
                          (size_t)window->rows[row] + (size_t)(ptrdiff_t)(along), rest, link); \
    }
    FORWARD_STEPS(ADD_FORWARD)
#undef ADD_FORWARD
    store3(s->q2 + site, s->stride, sum);
}

void TLW_KERNEL(tlw_stage_stretch_pairs)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_body* body = s->body;
    const uint32_t steps = steps_of(body->lattice->neighbours);
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        const tlw_blob_window* window = &body->windows[w];
        if (window->flags & TLW_WINDOW_HAS_CUTS) {
            window_pairs(s, window, true, steps);
        } else if (steps == (FACES | EDGES | CORNERS)) {
            window_pairs(s, window, false, FACES | EDGES | CORNERS);
        } else {
            window_pairs(s, window, false, steps);
        }
    }
}

TLW_FORCE_INLINE f8x3 add_backward(const tlw_substep* s, f8x3 q, f8x3 sum, uint32_t factor,
                                   size_t at) {
    return mad3(sub3(q, load3(s->q + at, s->stride)),
                tlw_f8_load(s->work + factor * s->stride + at), sum);
}

// No masks: a pair that is cut has a factor of 0 at its other end, and so has an empty site.
TLW_FORCE_INLINE void window_sum(const tlw_substep* s, const tlw_blob_window* window, uint32_t w,
                                 uint32_t steps, f8 gain) {
    const tlw_body* body = s->body;
    const size_t site = window->rows[4];
    const f8x3 q = load3(s->q + site, s->stride);
    f8x3 sum = load3(s->q2 + site, s->stride);
#define ADD_BACKWARD(factor, row, along, rest, link)                                    \
    if (steps >> factor & 1) {                                                          \
        sum = add_backward(s, q, sum, factor,                                           \
                           (size_t)window->rows[8 - row] - (size_t)(ptrdiff_t)(along)); \
    }
    FORWARD_STEPS(ADD_BACKWARD)
#undef ADD_BACKWARD
    const f8 count = tlw_f8_from_i8(tlw_i8_load_u8(body->slot_neighbours + (size_t)w * TLW_LANES));
    const m8 is_soft = tlw_f8_eq(tlw_f8_load_aligned(body->site_body + site), all(TLW_BODY_SOFT));
    const f8 share = tlw_f8_keep(is_soft, tlw_f8_div(gain, tlw_f8_max(count, all(1.0f))));
    store3(s->q2 + site, s->stride, sub3(q, scale3(sum, share)));
}

void TLW_KERNEL(tlw_stage_stretch)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_body* body = s->body;
    const uint32_t steps = steps_of(body->lattice->neighbours);
    const f8 gain = all(s->stretch_gain);
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        if (steps == (FACES | EDGES | CORNERS)) {
            window_sum(s, &body->windows[w], w, FACES | EDGES | CORNERS, gain);
        } else {
            window_sum(s, &body->windows[w], w, steps, gain);
        }
    }
}
