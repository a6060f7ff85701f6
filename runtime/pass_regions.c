// SPDX-License-Identifier: MIT
// Pass regions, width 3: a voxel and its linked neighbours. Reads m q of 27 sites; writes the
// region's fit, T and the columns of R, the fits' sums along the lane axis, and Q (design.md,
// substep 4; Iwamoto et al. 2015, Eq. 4 to 7).
//
//     A = sum m (q - c)(p0 - c0)^T,   R = rotation of A,   a voxel at step o: goal R o + T,
//     T = c - R c0
//
// Rest offsets are -1, 0, 1, so m q o^T needs no multiplication: sums and differences along each
// axis. Only the lane axis is taken first; summing rows in the same way would need values at empty
// cells. Differences come before sums where they can: neighbours' difference is exact in floats.
#include "runtime/kernels.h"
#include "runtime/rotation.h"

typedef struct row_sums {
    f8 sum, difference;
} row_sums;

// Three sites in a row; `linked`: masks of the 27, null where there are no cuts.
TLW_FORCE_INLINE row_sums sum_row(const float* mq, const tlw_blob_window* window, const m8* linked,
                                  int row) {
    const float* at = mq + window->rows[row];
    f8 a = tlw_f8_load(at - 1), b = tlw_f8_load(at), c = tlw_f8_load(at + 1);
    if (linked) {
        a = tlw_f8_keep(linked[row * 3], a);
        b = tlw_f8_keep(linked[row * 3 + 1], b);
        c = tlw_f8_keep(linked[row * 3 + 2], c);
    }
    return (row_sums){add(add(a, c), b), sub(c, a)};
}

typedef struct component_sums {
    f8 sum, lane, p, q;
} component_sums;

// One component of q at a time, one plane of rows after the other: what is at work then fits the
// registers.
TLW_FORCE_INLINE component_sums sum_component(const float* mq, const tlw_blob_window* window,
                                              const m8* linked) {
    component_sums s = {tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero()};
    f8 below = tlw_f8_zero();
    TLW_UNROLL for (int plane = 0; plane < 3; ++plane) {
        const row_sums low = sum_row(mq, window, linked, plane * 3);
        const row_sums mid = sum_row(mq, window, linked, plane * 3 + 1);
        const row_sums high = sum_row(mq, window, linked, plane * 3 + 2);
        const f8 along = add(add(low.difference, high.difference), mid.difference);
        const f8 across = sub(high.sum, low.sum), sum = add(add(low.sum, high.sum), mid.sum);
        s.lane = plane == 0 ? along : add(s.lane, along);
        s.p = plane == 0 ? across : add(s.p, across);
        s.sum = plane == 0 ? sum : add(s.sum, sum);
        s.q = plane == 2 ? sub(sum, below) : s.q;
        below = plane == 0 ? sum : below;
    }
    return s;
}

// Off the cell's own centre: c0 = sum m o / sum m.
TLW_FORCE_INLINE f8x3 rest_centre(const tlw_body* body, uint32_t w, f8* share) {
    const size_t slots = body->slot_count;
    const int16_t* moment = body->slot_moment + (size_t)w * TLW_LANES;
    const f8 mass = tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_MASS * slots));
    *share = tlw_f8_div(all(1.0f), tlw_f8_max(mass, all(1.0f)));
    return (f8x3){mul(*share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_LANE * slots))),
                  mul(*share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_P * slots))),
                  mul(*share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_Q * slots)))};
}

// A about the centre, and the centre, where the fit will be; returns c0.
TLW_FORCE_INLINE f8x3 sum_window(const tlw_substep* s, uint32_t w, const m8* linked) {
    const tlw_blob_window* window = &s->body->windows[w];
    const float* mq = s->mq;
    float* out = s->work + window->rows[4];
    f8 share;
    const f8x3 c0 = rest_centre(s->body, w, &share);
    TLW_KEEP_LOOP for (int i = 0; i < 3; ++i, mq += s->stride, out += s->stride) {
        const component_sums sums = sum_component(mq, window, linked);
        tlw_f8_store_aligned(out, mul(sums.sum, share));
        tlw_f8_store_aligned(out + 3 * s->stride, sub(sums.lane, mul(sums.sum, c0.x)));
        tlw_f8_store_aligned(out + 6 * s->stride, sub(sums.p, mul(sums.sum, c0.y)));
        tlw_f8_store_aligned(out + 9 * s->stride, sub(sums.q, mul(sums.sum, c0.z)));
    }
    return c0;
}

TLW_NOINLINE static f8x3 sum_cut_window(const tlw_substep* s, uint32_t w) {
    m8 linked[27];
    TLW_UNROLL for (int step = 0; step < 27; ++step) {
        const tlw_blob_window* window = &s->body->windows[w];
        linked[step] = step == 13 ? tlw_m8_first(TLW_LANES)
                                  : tlw_m8_from_bits(window->links[step - (step > 13)]);
    }
    return sum_window(s, w, linked);
}

// Where a window's rotations were, on the new pose: R, from which A turns it further.
typedef struct starts {
    f8x4 q[TLW_TURNS_MAX], r[TLW_TURNS_MAX];
} starts;

// From q: R = Rb q and B = R^T A, of window `begin + i`.
TLW_FORCE_INLINE void start_window(const tlw_substep* s, uint32_t begin, uint32_t i, f8x4 q,
                                   starts* from, tlw_turns* t) {
    const float* sums = s->work + s->body->windows[begin + i].rows[4] + 3 * s->stride;
    const f8x4 r = multiply4(load_window4(s->pose[begin + i].rb), q);
    const f8x9 a = {{load3(sums, s->stride), load3(sums + 3 * s->stride, s->stride),
                     load3(sums + 6 * s->stride, s->stride)}};
    from->q[i] = q;
    from->r[i] = r;
    t->counts[i] = s->body->windows[begin + i].occupied;
    t->start[i] = transposed_times(matrix_of(r), a);
}

// A rotation that A does not settle starts a little way back (wide.h, start_rotation). One that it
// does would end at the same place, and is spared the way.
static TLW_NOINLINE void turn_far(const tlw_substep* s, uint32_t begin, uint32_t i, starts* from,
                                  tlw_turns* t) {
    const uint32_t w = begin + i;
    start_window(s, begin, i,
                 s->is_first_repeat ? start_rotation(load_window4(s->last[w].q))
                                    : load_window4(s->now[w].q),
                 from, t);
    t->turn[i] =
        find_far_turn(&t->start[i], tlw_m8_from_bits(t->counts[i]), s->rotation_iterations);
}

// Windows [begin, end), TLW_TURNS_MAX at the most, with c0 of each.
TLW_FORCE_INLINE void fit_windows(const tlw_substep* s, uint32_t begin, uint32_t end,
                                  const f8x3* centres) {
    const tlw_body* body = s->body;
    const uint32_t count = end - begin;
    tlw_turns t;
    starts from;
    if (s->starts_back && s->is_first_repeat) {
        for (uint32_t w = begin; w < end; ++w) {
            store_window4(s->now[w].q, start_rotation(load_window4(s->last[w].q)));
        }
    }
    const tlw_window_tissue* tissue = s->starts_back || !s->is_first_repeat ? s->now : s->last;
    for (uint32_t i = 0; i < count; ++i) {
        start_window(s, begin, i, load_window4(tissue[begin + i].q), &from, &t);
    }
    uint32_t far[TLW_TURNS_MAX];
    const uint32_t far_count = find_near_turns(&t, count, s->rotation_iterations, far);
    for (uint32_t i = 0; i < far_count; ++i) {
        turn_far(s, begin, far[i], &from, &t);
    }
    for (uint32_t i = 0; i < count; ++i) {
        store_window4(s->now[begin + i].q, multiply4(from.q[i], t.turn[i]));
        from.r[i] = multiply4(from.r[i], t.turn[i]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const tlw_blob_window* window = &body->windows[begin + i];
        const m8 is_voxel = tlw_m8_from_bits(window->occupied);
        const f8x9 r = matrix_of(from.r[i]);
        float* fit = s->work + window->rows[4];
        const f8x3 c0 = centres[i];
        f8x3 place = load3(fit, s->stride);
        place = sub3(place, scale3(r.c[0], c0.x));
        place = sub3(place, scale3(r.c[1], c0.y));
        place = sub3(place, scale3(r.c[2], c0.z));
        store3(fit, s->stride, keep3(is_voxel, place));
        store3(fit + 3 * s->stride, s->stride, keep3(is_voxel, r.c[0]));
        store3(fit + 6 * s->stride, s->stride, keep3(is_voxel, r.c[1]));
        store3(fit + 9 * s->stride, s->stride, keep3(is_voxel, r.c[2]));
    }
}

TLW_FORCE_INLINE void sum_three(const float* from, f8 before, float* to) {
    const f8 sides = add(before, tlw_f8_load(from + 1));
    tlw_f8_store_aligned(to, add(sides, tlw_f8_load_aligned(from)));
}

// For the goals: of every site, the sum of the three fits in the row as its voxel feels them. A
// region at +1 along the lane has it at o = -1. `is_first`: nothing lies before these eight.
TLW_FORCE_INLINE void sum_lanes(const tlw_substep* s, size_t at, bool is_first) {
    const size_t stride = s->stride;
    const float* t = s->work + at;
    const float* column = t + 3 * stride; // R's for the lane axis
    float* out = s->lanes + at;
    const f8 zero = tlw_f8_zero();
    TLW_UNROLL for (int i = 0; i < 3; ++i, t += stride, column += stride, out += stride) {
        const f8 before = is_first ? zero : add(tlw_f8_load(t - 1), tlw_f8_load(column - 1));
        const f8 behind = sub(tlw_f8_load(t + 1), tlw_f8_load(column + 1));
        tlw_f8_store_aligned(out, add(add(before, behind), tlw_f8_load_aligned(t)));
    }
    TLW_UNROLL for (int i = 0; i < 6; ++i, column += stride, out += stride) { // for p and q
        sum_three(column, is_first ? zero : tlw_f8_load(column - 1), out);
    }
}

// The gaps between rows too: a row is felt one site beyond its ends. A block's sites begin eight
// before its first row, in the gap: the last of them feels that row, and none the block before.
TLW_FORCE_INLINE void sum_block(const tlw_substep* s, uint32_t block) {
    const tlw_body* body = s->body;
    const size_t begin = body->blocks[block].first_site - TLW_LANES;
    const size_t end = body->blocks[block + 1].first_site;
    sum_lanes(s, begin, true);
    for (size_t at = begin + TLW_LANES; at + TLW_LANES < end; at += TLW_LANES) {
        sum_lanes(s, at, false);
    }
    if (block + 1 == body->block_count) { // nobody's gap
        sum_lanes(s, end - TLW_LANES, false);
        sum_lanes(s, end, false);
    }
}

// A block's windows in equal helpings; most blocks are one.
void TLW_KERNEL(tlw_stage_regions)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    const tlw_body* body = s->body;
    for (uint32_t b = first; b < end; ++b) {
        const uint32_t last = body->blocks[b + 1].first_window;
        uint32_t w = body->blocks[b].first_window;
        for (uint32_t left = (last - w + TLW_TURNS_MAX - 1) / TLW_TURNS_MAX; left > 0; --left) {
            const uint32_t behind = w + (last - w + left - 1) / left;
            f8x3 centres[TLW_TURNS_MAX];
            for (uint32_t i = w; i < behind; ++i) {
                const bool has_cuts = (body->windows[i].flags & TLW_WINDOW_HAS_CUTS) != 0;
                centres[i - w] = has_cuts ? sum_cut_window(s, i) : sum_window(s, i, NULL);
            }
            fit_windows(s, w, behind, centres);
            w = behind;
        }
        sum_block(s, b);
    }
}
