// SPDX-License-Identifier: MIT
// Pass stretch: distances to neighbours (design.md, substep 2).
//
//     q += G(2) mean over neighbours j of  -w (l - l0) d / l,   d = q_i - q_j,  l = |d|
//     w = 1/2, 1 where j is bone
//
// The factor w (l - l0)/l is the same for both ends: with u = 1, bone 2, nothing 0 it is
//     u_j (u_i/2 - u_i/2 l0/l)
// which has 1/2 between soft ones and 1 beside bone, and a bone's own sum is not used. So a window
// computes the factors of its 13 pairs forward, keeps them, and reads those of the 13 backward from
// windows that went before: half the square roots and divisions. Where those belong to another
// task's blocks it computes them too, to the same bits: u is a power of 2.
//
// What is added up is factors, and factors times the other end: sum f d = q sum f - sum f q_j. So
// no d is kept while its root and its division are under way, and the pairs can follow each other
// closely: while one is added up the next is divided, the root of the third is taken, and the
// fourth measured. In this order in the source, since no CPU looks so far ahead.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

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

// A pair forward: the row and the step along the lane to its other end, and its length at rest.
typedef enum rest_length { REST_1, REST_ROOT_2, REST_ROOT_3, RESTS } rest_length;

typedef struct pair_step {
    int row, along;
    rest_length rest;
} pair_step;

#define PAIRS 13
static const pair_step forward[PAIRS] = {
    {4, 1, REST_1},       {5, -1, REST_ROOT_2}, {5, 0, REST_1},       {5, 1, REST_ROOT_2},
    {6, -1, REST_ROOT_3}, {6, 0, REST_ROOT_2},  {6, 1, REST_ROOT_3},  {7, -1, REST_ROOT_2},
    {7, 0, REST_1},       {7, 1, REST_ROOT_2},  {8, -1, REST_ROOT_3}, {8, 0, REST_ROOT_2},
    {8, 1, REST_ROOT_3},
};

// How many pairs a pair is ahead of those that are added up, when it is measured and so on.
enum { MEASURE_AHEAD = 4, ROOT_AHEAD = 3, DIVIDE_AHEAD = 1 };

// What a window's pairs have in common.
typedef struct window_of_pairs {
    const tlw_blob_window* window;
    size_t stride;
    f8x3 self;
    f8 half, half_rest[RESTS]; // u/2, and that times the lengths at rest
    bool has_cuts;
} window_of_pairs;

// Squared. Ends that all but meet pull as if this far apart: factors without a bound, times ends
// that are far from the origin, would leave nothing of their differences.
#define NEAREST2 1e-6f
TLW_FORCE_INLINE f8 measure_pair(const window_of_pairs* of, const float* row, int along) {
    const f8x3 d = sub3(of->self, load_along3(row, of->stride, along));
    return tlw_f8_max(dot3(d, d), all(NEAREST2));
}

// Of u_i/2 l0/l; 0 where an end is empty.
TLW_FORCE_INLINE f8 factor_of(const window_of_pairs* of, f8 rest, const float* blob, int link) {
    const f8 factor = mul(tlw_f8_load(blob), sub(of->half, rest));
    return of->has_cuts ? tlw_f8_keep(tlw_m8_from_bits(of->window->links[link]), factor) : factor;
}

// The sums of one window.
typedef struct pair_sums {
    f8 factors;
    f8x3 ends; // factors times other ends
} pair_sums;

TLW_FORCE_INLINE void add_pair(pair_sums* sums, f8 factor, f8x3 end) {
    sums->factors = add(sums->factors, factor);
    sums->ends = mad3(end, factor, sums->ends);
}

// What of pairs forward and of those opposite is near: rows of q, kinds, and factors.
typedef struct pair_rows {
    const float *to, *from, *body_to, *body_from;
    ptrdiff_t opposite; // from a window's own factors to those of the row opposite
} pair_rows;

TLW_FORCE_INLINE pair_rows find_rows(const tlw_substep* s, const uint32_t* rows, int row) {
    const float* blob = s->blob->site_kind;
    return (pair_rows){hold_row(s->q, rows[row]), hold_row(s->q, rows[8 - row]),
                       hold_row(blob, rows[row]), hold_row(blob, rows[8 - row]),
                       (ptrdiff_t)rows[8 - row] - (ptrdiff_t)rows[4]};
}

// Pair k and the one opposite, whose factor is read where it was kept or, without `has_back`,
// computed. `own` is where this window keeps its factors of pair k.
TLW_FORCE_INLINE void end_pair(const window_of_pairs* of, const pair_rows* rows, int k, f8 rest,
                               bool has_back, float* own, pair_sums* sums) {
    const int along = forward[k].along, link = k == 0 ? 13 : 3 * forward[k].row + along;
    const f8 factor = factor_of(of, rest, rows->body_to + along, link);
    f8 back;
    tlw_f8_store_aligned(own, factor);
    if (k == 0) {
        // This window's own, a lane further on: not read back, since a load that spans two fresh
        // stores waits for both.
        back = tlw_f8_shift_in(factor, own[-1]);
    } else if (has_back) {
        back = tlw_f8_load(own + rows->opposite - along);
    } else {
        const f8 length = tlw_f8_sqrt(measure_pair(of, rows->from, -along));
        back = factor_of(of, tlw_f8_div(of->half_rest[forward[k].rest], length),
                         rows->body_from - along, 25 - link);
    }
    add_pair(sums, back, load_along3(rows->from, of->stride, -along));
    add_pair(sums, factor, load_along3(rows->to, of->stride, along));
}

TLW_FORCE_INLINE bool has_pair(uint32_t steps, int k) {
    return k >= 0 && k < PAIRS && (steps >> k & 1) != 0;
}

TLW_FORCE_INLINE bool begins_row(int k) {
    return k >= 0 && k < PAIRS && (k == 0 || forward[k].row != forward[k - 1].row);
}

TLW_FORCE_INLINE pair_sums sum_pairs(const tlw_substep* s, const window_of_pairs* of, bool has_back,
                                     uint32_t steps) {
    const uint32_t* rows = of->window->rows;
    pair_sums sums = {tlw_f8_zero(), zero3()};
    f8 under_way[PAIRS]; // squared lengths, then lengths, then u_i/2 l0/l
    const float* ahead = NULL;
    pair_rows near = {0};
    float* own = s->work + rows[4];
    TLW_UNROLL for (int k = -MEASURE_AHEAD; k < PAIRS; ++k) {
        const int measured = k + MEASURE_AHEAD, rooted = k + ROOT_AHEAD, divided = k + DIVIDE_AHEAD;
        if (begins_row(measured)) {
            ahead = hold_row(s->q, rows[forward[measured].row]);
        }
        if (measured < PAIRS) {
            under_way[measured] = has_pair(steps, measured)
                                      ? measure_pair(of, ahead, forward[measured].along)
                                      : tlw_f8_zero();
        }
        if (has_pair(steps, rooted)) {
            under_way[rooted] = tlw_f8_sqrt(under_way[rooted]);
        }
        if (has_pair(steps, divided)) {
            under_way[divided] =
                tlw_f8_div(of->half_rest[forward[divided].rest], under_way[divided]);
        }
        if (begins_row(k)) {
            near = find_rows(s, rows, forward[k].row);
        }
        if (has_pair(steps, k)) {
            end_pair(of, &near, k, under_way[k], has_back, own, &sums);
        }
        if (k >= 0 && k + 1 < PAIRS) {
            own += of->stride;
        }
    }
    return sums;
}

TLW_FORCE_INLINE void stretch_window(const tlw_substep* s, uint32_t w, bool has_cuts, bool has_back,
                                     uint32_t steps, f8 gain) {
    const tlw_blob_arrays* blob = s->blob;
    const tlw_blob_window* window = &blob->windows[w];
    const size_t site = window->rows[4];
    const f8 kind = tlw_f8_load_aligned(blob->site_kind + site), half = mul(kind, all(0.5f));
    const window_of_pairs of = {window,
                                s->stride,
                                load3(s->q + site, s->stride),
                                half,
                                {half, mul(half, all(ROOT_2)), mul(half, all(ROOT_3))},
                                has_cuts};
    const pair_sums sums = sum_pairs(s, &of, has_back, steps);
    const f8x3 sum = sub3(scale3(of.self, sums.factors), sums.ends);
    const f8 count = tlw_f8_from_i8(tlw_i8_load_u8(blob->slot_neighbours + (size_t)w * TLW_LANES));
    const m8 is_soft = tlw_f8_eq(kind, all(TLW_SITE_SOFT));
    const f8 share = tlw_f8_keep(is_soft, tlw_f8_div(gain, tlw_f8_max(count, all(1.0f))));
    store3(s->q2 + site, s->stride, sub3(of.self, scale3(sum, share)));
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

// Whether the rows backward lie behind the first of these sites, so that this thread has seen them;
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
    fetch_lines(&s->last[w].rotation, sizeof s->last[w].rotation);
    fetch_lines(&s->now[w].rotation, sizeof s->now[w].rotation);
}

void TLW_KERNEL(tlw_stage_stretch)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t steps = steps_of(blob->lattice->neighbours);
    const f8 gain = all(s->stretch_gain);
    const uint32_t seen = first - s->seen_blocks;
    const uint32_t first_site = seen == 0 ? 0 : blob->blocks[seen].first_site;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const tlw_blob_window* window = &blob->windows[w];
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
