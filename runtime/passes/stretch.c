// SPDX-License-Identifier: MIT
// Pass stretch: holds distances to neighbours (MODEL 3.4). Reads q and the factors of pairs
// backward; writes the factors of pairs forward (work) and mq. Eq. 7 to 9 of Iwamoto, Shum, Yang,
// Morishima 2015, "Multi-layer lattice model for real-time dynamic character deformation", which
// are the distance constraint of Mueller, Heidelberger, Hennix, Ratcliff 2007, "Position based
// dynamics", averaged over the neighbours:
//
//     q_i += G(2) mean over neighbours j of  -w (l - l0) d / l,    d = q_i - q_j
//     l = |d|, but at least 1e-3 (NEAREST2 below);   l0: the length at rest, 1, root 2 or root 3
//     w = 1/2 between soft voxels, 1 where j is bone, which does not move
//
// Why pairs and not neighbours: the factor w (l - l0) / l is the same for both ends of a pair. With
// u = 1 for soft tissue, 2 for bone and 0 for nothing, it is
//
//     u_j (u_i/2 - u_i/2 l0/l)
//
// which has w = 1/2 between soft voxels and w = 1 beside bone (a bone's own sum is not used). So a
// window computes the factors of its 13 pairs forward, stores them, and reads the 13 backward from
// windows before it, which halves the roots and divisions. Where the windows before belong to
// another task, it computes those factors too, to the same bits, because u is a power of 2.
//
// Why sums of factors and not of pulls: sum f d = q_i sum f - sum f q_j, so no d has to wait in a
// register for its root and its division. The pairs can then follow each other closely: while one
// is added up, the next is divided, the root of the third is taken and the fourth is measured. They
// stand in the source in this order, because no CPU looks ahead far enough to find it. On Zen 3
// this took 187 instead of 217 cycles per window; with the differences kept it took 207 to 215 in
// any order.
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

#define ROOT_2 1.41421354f
#define ROOT_3 1.73205078f

// Pairs forward lead to the cells after the voxel itself (runtime/lattice.h): pair k to cell 14 + k
// by step 13 + k, and the pair opposite to cell 12 - k by step 12 - k.
#define PAIRS     (TLW_STEPS / 2)
#define ALL_PAIRS ((1u << PAIRS) - 1)

typedef struct pair {
    int row;   // which of the nine rows around the voxel holds the other end
    int along; // how many lanes further the other end is
    int rest;  // length at rest: 0 for 1, to a face; 1 for root 2, to an edge; 2 for root 3
} pair;

#define RESTS 3
// As tlw_cell_distance, as a constant.
#define REST(cell) (((cell) % 3 != 1) + ((cell) / 3 % 3 != 1) + ((cell) / 9 != 1) - 1)
#define PAIR(cell) \
    { (cell) / 3, (cell) % 3 - 1, REST(cell) }

static const pair forward[PAIRS] = {PAIR(14), PAIR(15), PAIR(16), PAIR(17), PAIR(18),
                                    PAIR(19), PAIR(20), PAIR(21), PAIR(22), PAIR(23),
                                    PAIR(24), PAIR(25), PAIR(26)};

// Sets of pairs, bit k for pair k: those across a face, an edge, a corner.
#define PAIR_TO(cell) (1u << ((cell)-TLW_CELL_SELF - 1))
#define FACES         (TLW_FACE_STEPS >> PAIRS) // pair k is step 13 + k
#define CORNERS       (PAIR_TO(18) | PAIR_TO(20) | PAIR_TO(24) | PAIR_TO(26))
#define EDGES         (ALL_PAIRS & ~(FACES | CORNERS))

// The pairs of a neighbour set. A switch with constant masks becomes one lookup; masks made in a
// loop with tlw_neighbour_set_has took registers from the loop over windows.
static uint32_t pairs_of_set(uint32_t neighbours) {
    switch (neighbours) {
#define SET(number, faces, edges, corners) \
    case number:                           \
        return ((faces) ? FACES : 0) | ((edges) ? EDGES : 0) | ((corners) ? CORNERS : 0);
        TLW_NEIGHBOUR_SETS(SET)
#undef SET
    default:
        return ALL_PAIRS;
    }
}

// While pair k is added up, pair k + MEASURE_AHEAD is measured, the root of pair k + ROOT_AHEAD is
// taken, and pair k + DIVIDE_AHEAD is divided.
enum { MEASURE_AHEAD = 4, ROOT_AHEAD = 3, DIVIDE_AHEAD = 1 };

// What a window's pairs have in common.
typedef struct window_of_pairs {
    const tlw_blob_window* window;
    size_t stride;
    f8x3 self;
    f8 half, half_rest[RESTS]; // u/2, and that times the lengths at rest
    bool has_cuts;
} window_of_pairs;

// Ends nearer than 1e-3 voxel pull as if they were that far apart. Factors would otherwise grow
// without a bound, and multiplied by ends far from the origin would leave nothing of the ends'
// differences.
#define NEAREST2 1e-6f

// Squared length of a pair, at least NEAREST2.
TLW_FORCE_INLINE f8 measure_pair(const window_of_pairs* of, const float* row, int along) {
    const f8x3 d = sub3(of->self, load_along3(row, of->stride, along));
    return tlw_f8_max(dot3(d, d), all(NEAREST2));
}

// u_j (u_i/2 - rest), rest = u_i/2 l0/l, and `kind` the other end's u_j. 0 where an end is empty or
// the link is cut.
TLW_FORCE_INLINE f8 factor_of(const window_of_pairs* of, f8 rest, const float* kind, int step) {
    const f8 factor = mul(tlw_f8_load(kind), sub(of->half, rest));
    return of->has_cuts ? tlw_f8_keep(tlw_m8_from_bits(of->window->links[step]), factor) : factor;
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

// The row of the pairs forward and the row opposite: q, kinds, and where the factors are.
typedef struct pair_rows {
    const float *to, *from, *kind_to, *kind_from;
    ptrdiff_t opposite; // from a window's own factors to those of the row opposite
} pair_rows;

TLW_FORCE_INLINE pair_rows find_rows(const tlw_substep* s, const uint32_t* rows, int row) {
    const float* kinds = s->blob->site_kind;
    return (pair_rows){hold_row(s->q, rows[row]), hold_row(s->q, rows[8 - row]),
                       hold_row(kinds, rows[row]), hold_row(kinds, rows[8 - row]),
                       (ptrdiff_t)rows[8 - row] - (ptrdiff_t)rows[4]};
}

// Adds up pair k and the pair opposite. The factor of the latter is read where a window before
// stored it or, without `has_back`, computed. `own` is where this window stores its factors of pair
// k.
TLW_FORCE_INLINE void end_pair(const window_of_pairs* of, const pair_rows* rows, int k, f8 rest,
                               bool has_back, float* own, pair_sums* sums) {
    const int along = forward[k].along, step = PAIRS + k;
    const f8 factor = factor_of(of, rest, rows->kind_to + along, step);
    f8 back;
    tlw_f8_store_aligned(own, factor);
    if (k == 0) {
        // These are this window's own factors, one lane further on. They are shifted in registers
        // and not read back, because a load that spans two fresh stores waits for both.
        back = tlw_f8_shift_in(factor, own[-1]);
    } else if (has_back) {
        back = tlw_f8_load(own + rows->opposite - along);
    } else {
        const f8 length = tlw_f8_sqrt(measure_pair(of, rows->from, -along));
        back = factor_of(of, tlw_f8_div(of->half_rest[forward[k].rest], length),
                         rows->kind_from - along, TLW_STEPS - 1 - step);
    }
    add_pair(sums, back, load_along3(rows->from, of->stride, -along));
    add_pair(sums, factor, load_along3(rows->to, of->stride, along));
}

TLW_FORCE_INLINE bool has_pair(uint32_t pairs, int k) {
    return k >= 0 && k < PAIRS && (pairs >> k & 1) != 0;
}

TLW_FORCE_INLINE bool begins_row(int k) {
    return k >= 0 && k < PAIRS && (k == 0 || forward[k].row != forward[k - 1].row);
}

TLW_FORCE_INLINE pair_sums sum_pairs(const tlw_substep* s, const window_of_pairs* of, bool has_back,
                                     uint32_t pairs) {
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
            under_way[measured] = has_pair(pairs, measured)
                                      ? measure_pair(of, ahead, forward[measured].along)
                                      : tlw_f8_zero();
        }
        if (has_pair(pairs, rooted)) {
            under_way[rooted] = tlw_f8_sqrt(under_way[rooted]);
        }
        if (has_pair(pairs, divided)) {
            under_way[divided] =
                tlw_f8_div(of->half_rest[forward[divided].rest], under_way[divided]);
        }
        if (begins_row(k)) {
            near = find_rows(s, rows, forward[k].row);
        }
        if (has_pair(pairs, k)) {
            end_pair(of, &near, k, under_way[k], has_back, own, &sums);
        }
        if (k >= 0 && k + 1 < PAIRS) {
            own += of->stride;
        }
    }
    return sums;
}

TLW_FORCE_INLINE void stretch_window(const tlw_substep* s, uint32_t w, bool has_cuts, bool has_back,
                                     uint32_t pairs, f8 gain) {
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
    const pair_sums sums = sum_pairs(s, &of, has_back, pairs);
    const f8x3 sum = sub3(scale3(of.self, sums.factors), sums.ends);
    const f8 count = tlw_f8_from_i8(tlw_i8_load_u8(blob->slot_neighbours + (size_t)w * TLW_LANES));
    const m8 is_soft = tlw_f8_eq(kind, all(TLW_SITE_SOFT));
    const f8 share = tlw_f8_keep(is_soft, tlw_f8_div(gain, tlw_f8_max(count, all(1.0f))));
    const f8x3 q = sub3(of.self, scale3(sum, share));
    store3(s->mq + site, s->stride, scale3(q, mass_of_kind(kind)));
}

// Neighbour sets other than 26: a test for each pair instead of an instance for each set.
TLW_NOINLINE static void stretch_with_set(const tlw_substep* s, uint32_t w, bool has_cuts,
                                          bool has_back, uint32_t pairs, f8 gain) {
    stretch_window(s, w, has_cuts, has_back, pairs, gain);
}

TLW_NOINLINE static void stretch_with_cuts(const tlw_substep* s, uint32_t w, bool has_back,
                                           f8 gain) {
    if (has_back) {
        stretch_window(s, w, true, true, ALL_PAIRS, gain);
    } else {
        stretch_window(s, w, true, false, ALL_PAIRS, gain);
    }
}

// Whether all rows backward belong to the blocks from `first_site` on, so that this thread has just
// written their factors; with site 0 all do, and nothing is compared: the four comparisons per
// window took 0.5 ns per voxel. Loads begin one site before a row, and the eight sites before a
// block belong to no task: what is read there is 0 and never what another task is writing.
TLW_FORCE_INLINE bool has_seen(const tlw_blob_window* window, uint32_t first_site) {
    bool has = true;
    for (int r = 0; r < 4 && first_site > 0; ++r) {
        has = has &&
              (window->rows[r] + TLW_LANES > first_site || window->rows[r] == TLW_BLOB_EMPTY_ROW);
    }
    return has;
}

// What regions will read and write.
TLW_FORCE_INLINE void fetch_window(const tlw_substep* s, uint32_t w) {
    fetch_lines(&s->last[w].rotation, sizeof s->last[w].rotation);
    fetch_lines(&s->now[w].rotation, sizeof s->now[w].rotation);
}

void TLW_KERNEL(tlw_stage_stretch)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t pairs = pairs_of_set(blob->lattice->neighbours);
    const f8 gain = all(s->stretch_gain);
    const uint32_t first_seen = first - s->seen_blocks;
    const uint32_t first_site = first_seen == 0 ? 0 : blob->blocks[first_seen].first_site;
    const uint32_t last = blob->blocks[end].first_window;
    for (uint32_t w = blob->blocks[first].first_window; w < last; ++w) {
        const tlw_blob_window* window = &blob->windows[w];
        const bool has_cuts = (window->flags & TLW_WINDOW_HAS_CUTS) != 0;
        if (s->is_cold) {
            fetch_window(s, w);
        }
        if (pairs != ALL_PAIRS) {
            stretch_with_set(s, w, has_cuts, has_seen(window, first_site), pairs, gain);
        } else if (has_cuts) {
            stretch_with_cuts(s, w, has_seen(window, first_site), gain);
        } else if (has_seen(window, first_site)) {
            stretch_window(s, w, false, true, ALL_PAIRS, gain);
        } else {
            stretch_window(s, w, false, false, ALL_PAIRS, gain);
        }
    }
}
