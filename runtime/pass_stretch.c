// SPDX-License-Identifier: MIT
// Pass stretch: distances to neighbours (design.md, substep 2).
//
//     q += G(2) mean over neighbours j of  -w (l - l0) d / l,   d = q_i - q_j,  l = |d|
//     w = 1/2, 1 where j is bone
//
// (l - l0)/l is the same for both ends, and w can be: u_i u_j / 2 with u = 1, bone 2, nothing 0 is
// 1/2 between soft ones and 1 beside bone, and a bone's own sum is not used. So a window computes
// this factor for its 13 pairs forward, keeps it, and reads those of the 13 backward from windows
// that went before: half the square roots and divisions. Where those belong to another task's
// blocks it computes them too.
#include "runtime/kernels.h"
#include "runtime/wide.h"

#define ROOT_2 1.41421354f
#define ROOT_3 1.73205078f

#define FACES     (1u << 0 | 1u << 2 | 1u << 8)
#define EDGES     (1u << 1 | 1u << 3 | 1u << 5 | 1u << 7 | 1u << 9 | 1u << 11)
#define CORNERS   (1u << 4 | 1u << 6 | 1u << 10 | 1u << 12)
#define ALL_STEPS (FACES | EDGES | CORNERS)

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

// What a window's pairs have in common.
typedef struct window_of_pairs {
    const tlw_blob_window* window;
    size_t stride;
    f8x3 q;
    f8 half_kind;
    bool has_cuts;
} window_of_pairs;

// Sums of one window: forward of factor times d; backward of factor times the other end, and of the
// factors themselves, which comes to the same with fewer operations.
typedef struct pair_sums {
    f8x3 forward, ends_backward;
    f8 backward;
} pair_sums;

typedef struct pair {
    f8x3 d; // from its other end
    f8 factor;
} pair;

// Ends that all but meet pull as if a little apart, and so by next to nothing; empty ones not at
// all.
TLW_FORCE_INLINE pair measure_pair(const window_of_pairs* of, const float* q, const float* body,
                                   float rest, uint32_t link) {
    const f8x3 d = sub3(of->q, load3(q, of->stride));
    const f8 length2 = tlw_f8_max(dot3(d, d), all(1e-12f));
    const f8 pull = sub(all(1.0f), tlw_f8_div(all(rest), tlw_f8_sqrt(length2)));
    f8 weight = mul(of->half_kind, tlw_f8_load(body));
    if (of->has_cuts) {
        weight = tlw_f8_keep(tlw_m8_from_bits(of->window->links[link]), weight);
    }
    return (pair){d, mul(pull, weight)};
}

TLW_FORCE_INLINE void add_back(pair_sums* sums, const float* q, size_t stride, f8 factor) {
    sums->ends_backward = mad3(load3(q, stride), factor, sums->ends_backward);
    sums->backward = add(sums->backward, factor);
}

// The three pairs of a window with a row forward, and with the row that lies opposite. Factors
// `number` to `number` + 2 are stored for the one row and read for the other or, without
// `has_back`, computed: to the same bits, as both ends of a pair see the same numbers.
TLW_FORCE_INLINE void add_rows(const tlw_substep* s, const window_of_pairs* of, pair_sums* sums,
                               bool has_back, uint32_t steps, int row, uint32_t number,
                               float rest_beside, float rest_between) {
    const size_t stride = of->stride, to = of->window->rows[row], from = of->window->rows[8 - row];
    const float *q_to = s->q + to, *q_from = s->q + from;
    const float *body_to = s->body->site_body + to, *body_from = s->body->site_body + from;
    float* factors = s->work + number * stride;
    float *own = factors + of->window->rows[4], *other = factors + from;
    TLW_UNROLL for (int i = 0; i < 3; ++i, own += stride, other += stride) {
        const int along = i - 1;
        if (!(steps >> (number + (uint32_t)i) & 1)) {
            continue;
        }
        const float rest = i == 1 ? rest_between : rest_beside;
        const uint32_t link = 3 * (uint32_t)row - 1 + (uint32_t)i; // of the 26 without the cell
        const pair p = measure_pair(of, q_to + along, body_to + along, rest, link);
        tlw_f8_store_aligned(own, p.factor);
        if (has_back) {
            add_back(sums, q_from - along, stride, tlw_f8_load(other - along));
        } else {
            const pair b = measure_pair(of, q_from - along, body_from - along, rest, 25 - link);
            add_back(sums, q_from - along, stride, b.factor);
        }
        sums->forward = mad3(p.d, p.factor, sums->forward);
    }
}

TLW_FORCE_INLINE void stretch_window(const tlw_substep* s, uint32_t w, bool has_cuts, bool has_back,
                                     uint32_t steps, f8 gain) {
    const tlw_body* body = s->body;
    const tlw_blob_window* window = &body->windows[w];
    const size_t site = window->rows[4];
    const f8 kind = tlw_f8_load_aligned(body->site_body + site);
    const window_of_pairs of = {window, s->stride, load3(s->q + site, s->stride),
                                mul(kind, all(0.5f)), has_cuts};
    pair_sums sums = {zero3(), zero3(), tlw_f8_zero()};
    if (steps & 1) {
        // The factors backward are this window's own, a lane further on: not read back, since a
        // load that spans two fresh stores waits for both.
        const pair p = measure_pair(&of, s->q + site + 1, body->site_body + site + 1, 1.0f, 13);
        tlw_f8_store_aligned(s->work + site, p.factor);
        sums.forward = scale3(p.d, p.factor);
        sums.backward = tlw_f8_shift_in(p.factor, s->work[site - 1]);
        sums.ends_backward = scale3(load3(s->q + site - 1, s->stride), sums.backward);
    }
    add_rows(s, &of, &sums, has_back, steps, 5, 1, ROOT_2, 1.0f);
    add_rows(s, &of, &sums, has_back, steps, 6, 4, ROOT_3, ROOT_2);
    add_rows(s, &of, &sums, has_back, steps, 7, 7, ROOT_2, 1.0f);
    add_rows(s, &of, &sums, has_back, steps, 8, 10, ROOT_3, ROOT_2);
    const f8x3 backward = sub3(scale3(of.q, sums.backward), sums.ends_backward);
    const f8x3 sum = add3(sums.forward, backward);
    const f8 count = tlw_f8_from_i8(tlw_i8_load_u8(body->slot_neighbours + (size_t)w * TLW_LANES));
    const m8 is_soft = tlw_f8_eq(kind, all(TLW_BODY_SOFT));
    const f8 share = tlw_f8_keep(is_soft, tlw_f8_div(gain, tlw_f8_max(count, all(1.0f))));
    store3(s->q2 + site, s->stride, sub3(of.q, scale3(sum, share)));
}

TLW_NOINLINE static void stretch_rare(const tlw_substep* s, uint32_t w, bool has_cuts,
                                      bool has_back, uint32_t steps, f8 gain) {
    stretch_window(s, w, has_cuts, has_back, steps, gain);
}

TLW_NOINLINE static void stretch_cut(const tlw_substep* s, uint32_t w, bool has_back, f8 gain) {
    if (has_back) {
        stretch_window(s, w, true, true, ALL_STEPS, gain);
    } else {
        stretch_window(s, w, true, false, ALL_STEPS, gain);
    }
}

// Whether the rows backward lie behind the first of these sites, so that this call has seen them;
// behind site 0 all do. Loads begin a site before a row, and the eight before a block are nobody's:
// what is read there is 0, not what another task is writing.
TLW_FORCE_INLINE bool has_seen(const tlw_blob_window* window, uint32_t first_site) {
    bool has = true;
    for (int r = 0; r < 4 && first_site > 0; ++r) {
        has = has &&
              (window->rows[r] + TLW_LANES > first_site || window->rows[r] == TLW_BLOB_EMPTY_ROW);
    }
    return has;
}

// What regions will want.
TLW_FORCE_INLINE void fetch_window(const tlw_substep* s, uint32_t w) {
    fetch_lines(&s->last[w].q, sizeof s->last[w].q);
    fetch_lines(&s->now[w].q, sizeof s->now[w].q);
}

void TLW_KERNEL(tlw_stage_stretch)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_body* body = s->body;
    const uint32_t steps = steps_of(body->lattice->neighbours);
    const f8 gain = all(s->stretch_gain);
    const uint32_t first_site = first == 0 ? 0 : body->blocks[first].first_site;
    const uint32_t last = body->blocks[end].first_window;
    for (uint32_t w = body->blocks[first].first_window; w < last; ++w) {
        const tlw_blob_window* window = &body->windows[w];
        const bool has_cuts = (window->flags & TLW_WINDOW_HAS_CUTS) != 0;
        if (s->is_cold) {
            fetch_window(s, w);
        }
        if (steps != ALL_STEPS) {
            stretch_rare(s, w, has_cuts, has_seen(window, first_site), steps, gain);
        } else if (has_cuts) {
            stretch_cut(s, w, has_seen(window, first_site), gain);
        } else if (has_seen(window, first_site)) {
            stretch_window(s, w, false, true, ALL_STEPS, gain);
        } else {
            stretch_window(s, w, false, false, ALL_STEPS, gain);
        }
    }
}
