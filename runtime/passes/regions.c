// SPDX-License-Identifier: MIT
// Pass regions, width 3: a voxel and its linked neighbours. Reads m q of 27 sites; writes the fits'
// sums along the lane axis, and Q; and, where goal must tell regions apart, the region's fit: T and
// the columns of R (design.md, substep 4; Iwamoto et al. 2015, Eq. 4 to 7).
//
//     A = sum m (q - c)(p0 - c0)^T,   R = rotation of A,   a voxel at step o: goal R o + T,
//     T = c - R c0
//
// Rest offsets are -1, 0, 1, so m q o^T needs no multiplication: sums and differences along each
// axis. Nine rows are summed at the cells before the lanes and at those behind them; what lies
// between is in the one or the other. Differences come before sums where they can: neighbours'
// difference is exact in floats.
//
// Between sums and sums stand a few windows at a time, in buffers of this task's own that stay in
// the first cache: fits in arrays of the whole character took 2% longer.
#include "runtime/passes/kernels.h"
#include "runtime/passes/rotation.h"

// Sums over a region of m q, and of m q times the step along each axis; one component.
typedef struct component_sums {
    f8 sum, lane, p, q;
} component_sums;

// Of nine cells across the lane axis, one a lane: of each plane of rows at -1, 0, 1 along p, and of
// all; all times the steps along p and q.
typedef struct column_sums {
    f8 of_p[3], sum, p, q;
} column_sums;

TLW_FORCE_INLINE column_sums sum_columns(const float* const rows[9], ptrdiff_t at) {
    column_sums s;
    TLW_UNROLL for (int p = 0; p < 3; ++p) {
        const f8 low = tlw_f8_hold(tlw_f8_load(rows[p] + at));
        const f8 high = tlw_f8_hold(tlw_f8_load(rows[6 + p] + at));
        s.of_p[p] = add(add(low, high), tlw_f8_load(rows[3 + p] + at));
        s.q = p == 0 ? sub(high, low) : add(s.q, sub(high, low));
    }
    s.sum = add(add(s.of_p[0], s.of_p[2]), s.of_p[1]);
    s.p = sub(s.of_p[2], s.of_p[0]);
    return s;
}

TLW_FORCE_INLINE f8 sum_with_between(f8 before, f8 behind) {
    return add(add(before, behind), tlw_f8_between(before, behind));
}

TLW_FORCE_INLINE component_sums sum_component(const float* const rows[9], ptrdiff_t at) {
    const column_sums before = sum_columns(rows, at - 1), behind = sum_columns(rows, at + 1);
    const f8 sides = add(sub(behind.of_p[0], before.of_p[0]), sub(behind.of_p[2], before.of_p[2]));
    return (component_sums){.sum = sum_with_between(before.sum, behind.sum),
                            .lane = add(sides, sub(behind.of_p[1], before.of_p[1])),
                            .p = sum_with_between(before.p, behind.p),
                            .q = sum_with_between(before.q, behind.q)};
}

// Only what is linked: a cell that one lane has as its own another may not have beside it.
TLW_FORCE_INLINE component_sums sum_linked(const float* const rows[9], ptrdiff_t at,
                                           const m8 linked[27]) {
    component_sums s = {tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero()};
    TLW_UNROLL for (int r = 0; r < 9; ++r) {
        const f8 a = tlw_f8_keep(linked[r * 3], tlw_f8_load(rows[r] + at - 1));
        const f8 b = tlw_f8_keep(linked[r * 3 + 1], tlw_f8_load(rows[r] + at));
        const f8 c = tlw_f8_keep(linked[r * 3 + 2], tlw_f8_load(rows[r] + at + 1));
        const f8 sum = add(add(a, c), b);
        s.sum = add(s.sum, sum);
        s.lane = add(s.lane, sub(c, a));
        s.p = r % 3 == 0 ? sub(s.p, sum) : r % 3 == 2 ? add(s.p, sum) : s.p;
        s.q = r < 3 ? sub(s.q, sum) : r > 5 ? add(s.q, sum) : s.q;
    }
    return s;
}

// Off the cell's own centre: c0 = sum m o / sum m. `share` is 1 / sum m, 0 of an empty lane.
TLW_FORCE_INLINE f8x3 rest_centre(const tlw_blob_arrays* blob, uint32_t w, m8 is_voxel, f8* share) {
    const size_t slots = blob->slot_count;
    const int16_t* moment = blob->slot_moment + (size_t)w * TLW_LANES;
    const f8 mass = tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_MASS * slots));
    *share = tlw_f8_keep(is_voxel, tlw_f8_div(all(1.0f), mass));
    return (f8x3){mul(*share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_LANE * slots))),
                  mul(*share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_ROW * slots))),
                  mul(*share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_PLANE * slots)))};
}

// Of eight regions: A about the centre, the centre, c0, and 1, of empty lanes 0.
typedef struct region_sums {
    float a[9][TLW_LANES], c[3][TLW_LANES], c0[3][TLW_LANES], one[TLW_LANES];
} region_sums;

// `linked`: masks of the 27, null where there are no cuts.
TLW_FORCE_INLINE void sum_window(const tlw_substep* s, uint32_t w, const m8* linked,
                                 region_sums* out) {
    const float* rows[9];
    TLW_UNROLL for (int r = 0; r < 9; ++r) {
        rows[r] = s->mq + s->blob->windows[w].rows[r];
    }
    f8 share;
    const m8 is_voxel = tlw_m8_from_bits(s->blob->windows[w].occupied);
    const f8x3 c0 = rest_centre(s->blob, w, is_voxel, &share);
    store_window3(out->c0, c0);
    tlw_f8_store_aligned(out->one, tlw_f8_keep(is_voxel, all(1.0f)));
    ptrdiff_t at = 0;
    TLW_UNROLL for (int i = 0; i < 3; ++i, at += (ptrdiff_t)s->stride) {
        const component_sums sums = linked ? sum_linked(rows, at, linked) : sum_component(rows, at);
        tlw_f8_store_aligned(out->c[i], mul(sums.sum, share));
        tlw_f8_store_aligned(out->a[i], sub(sums.lane, mul(sums.sum, c0.x)));
        tlw_f8_store_aligned(out->a[3 + i], sub(sums.p, mul(sums.sum, c0.y)));
        tlw_f8_store_aligned(out->a[6 + i], sub(sums.q, mul(sums.sum, c0.z)));
    }
}

TLW_NOINLINE static void sum_cut_window(const tlw_substep* s, uint32_t w, region_sums* out) {
    m8 linked[27];
    TLW_UNROLL for (int step = 0; step < 27; ++step) {
        const tlw_blob_window* window = &s->blob->windows[w];
        linked[step] = step == 13 ? tlw_m8_first(TLW_LANES)
                                  : tlw_m8_from_bits(window->links[step - (step > 13)]);
    }
    sum_window(s, w, linked, out);
}

// Where a block's fits lie while they are made and summed: T and R by columns, 12 arrays as the
// sites are.
#define FIT_ARRAYS 12
#define FIT_SITES  240 // of a buffer of this task's own; an odd number of cache lines

typedef struct block_fits {
    float* at; // site `first`
    size_t first, stride;
    size_t next; // of a buffer: what lies before this site is made
} block_fits;

TLW_FORCE_INLINE void store_fit(float* at, size_t stride, f8x3 place, const f8x9* r) {
    store3(at, stride, place);
    store3(at + 3 * stride, stride, r->c[0]);
    store3(at + 6 * stride, stride, r->c[1]);
    store3(at + 9 * stride, stride, r->c[2]);
}

// Gaps in a buffer, up to `site`. Those of the whole character's arrays are 0.
TLW_FORCE_INLINE void clear_fits(block_fits* fits, size_t site) {
    const f8x9 none = {{zero3(), zero3(), zero3()}};
    for (; fits->next < site; fits->next += TLW_LANES) {
        store_fit(fits->at + (fits->next - fits->first), FIT_SITES, zero3(), &none);
    }
}

// Where a window's rotations were, on the new pose: R, from which A turns it further.
typedef struct starts {
    f8x4 q[TLW_TURNS_MAX], r[TLW_TURNS_MAX];
} starts;

// From q: R = Rb q and B = R^T A, of window `begin + i`.
TLW_FORCE_INLINE void start_window(const tlw_substep* s, uint32_t begin, uint32_t i, f8x4 q,
                                   const region_sums* sums, starts* from, tlw_turns* t) {
    const f8x4 r = multiply4(load_window4(s->pose[begin + i].rb), q);
    const f8x9 a = {
        {load_window3(sums[i].a), load_window3(sums[i].a + 3), load_window3(sums[i].a + 6)}};
    from->q[i] = q;
    from->r[i] = r;
    t->counts[i] = s->blob->windows[begin + i].occupied;
    t->start[i] = transposed_times(matrix_of(r), a);
}

// A rotation that A does not settle starts a little way back (wide.h, start_rotation). One that it
// does would end at the same place, and is spared the way.
static TLW_NOINLINE void turn_far(const tlw_substep* s, uint32_t begin, uint32_t i,
                                  const region_sums* sums, starts* from, tlw_turns* t) {
    const uint32_t w = begin + i;
    start_window(s, begin, i,
                 s->is_first_repeat ? start_rotation(load_window4(s->last[w].rotation))
                                    : load_window4(s->now[w].rotation),
                 sums, from, t);
    t->turn[i] =
        find_far_turn(&t->start[i], tlw_m8_from_bits(t->counts[i]), s->rotation_iterations);
}

// What goal, limit and velocity will want.
TLW_FORCE_INLINE void fetch_window(const tlw_substep* s, uint32_t w) {
    fetch_lines(&s->gains[w], sizeof s->gains[w]);
    fetch_lines(&s->pose[w].skin, sizeof s->pose[w].skin);
    fetch_lines(&s->pose_last[w].skin, sizeof s->pose_last[w].skin);
    fetch_lines(&s->last[w].p, sizeof s->last[w].p);
    fetch_lines(&s->now[w].p, sizeof s->now[w].p);
    fetch_lines(&s->velocity[w], sizeof s->velocity[w]);
}

// How windows [begin, end), TLW_TURNS_MAX at the most, turn further.
TLW_FORCE_INLINE void turn_windows(const tlw_substep* s, uint32_t begin, uint32_t end,
                                   const region_sums* sums, starts* from, tlw_turns* t) {
    const uint32_t count = end - begin;
    const bool fetches = s->is_cold && s->blob->window_count <= TLW_COLD_WINDOWS;
    if (s->starts_back && s->is_first_repeat) {
        for (uint32_t w = begin; w < end; ++w) {
            store_window4(s->now[w].rotation, start_rotation(load_window4(s->last[w].rotation)));
        }
    }
    const tlw_window_state* state = s->starts_back || !s->is_first_repeat ? s->now : s->last;
    for (uint32_t i = 0; i < count; ++i) {
        start_window(s, begin, i, load_window4(state[begin + i].rotation), sums, from, t);
        if (fetches) {
            fetch_window(s, begin + i);
        }
    }
    uint32_t far[TLW_TURNS_MAX];
    const uint32_t far_count = find_near_turns(t, count, s->rotation_iterations, far);
    for (uint32_t i = 0; i < far_count; ++i) {
        turn_far(s, begin, far[i], sums, from, t);
    }
}

// T and R of window w. `is_own`, a constant: in a buffer.
TLW_FORCE_INLINE void place_fit(const tlw_substep* s, uint32_t w, const region_sums* sums,
                                f8x4 rotation, block_fits* fits, bool is_own) {
    const tlw_blob_window* window = &s->blob->windows[w];
    const size_t site = window->rows[4];
    // Rb of an empty lane is 0, and so is the rotation.
    const f8x9 r = matrix_where(rotation, tlw_f8_load_aligned(sums->one));
    f8x3 place = load_window3(sums->c);
    place = sub3(place, scale3(r.c[0], tlw_f8_load_aligned(sums->c0[0])));
    place = sub3(place, scale3(r.c[1], tlw_f8_load_aligned(sums->c0[1])));
    place = sub3(place, scale3(r.c[2], tlw_f8_load_aligned(sums->c0[2])));
    if (is_own) {
        clear_fits(fits, site);
        store_fit(fits->at + (site - fits->first), FIT_SITES, place, &r);
        fits->next += TLW_LANES;
    }
    if (!is_own || (window->flags & TLW_WINDOW_IS_TOLD_APART)) {
        store_fit(s->work + site, s->stride, place, &r);
    }
}

TLW_FORCE_INLINE f8 sum_three(const float* from, f8 before) {
    return add(add(before, tlw_f8_load(from + 1)), tlw_f8_load_aligned(from));
}

// For the goals: of every site, the sum of the three fits in the row as its voxel feels them. A
// region at +1 along the lane has it at o = -1. `is_first`: nothing lies before these eight.
TLW_FORCE_INLINE void sum_lanes(const tlw_substep* s, const block_fits* fits, size_t at,
                                bool is_own, bool is_first) {
    const size_t stride = is_own ? FIT_SITES : fits->stride;
    const float* t = fits->at + (at - fits->first);
    const float* column = t + 3 * stride; // R's for the lane axis
    float* out = s->lanes + at;
    const f8 zero = tlw_f8_zero();
    TLW_UNROLL for (int i = 0; i < 3; ++i, t += stride, column += stride, out += s->stride) {
        const f8 before = is_first ? zero : add(tlw_f8_load(t - 1), tlw_f8_load(column - 1));
        const f8 behind = sub(tlw_f8_load(t + 1), tlw_f8_load(column + 1));
        tlw_f8_store_aligned(out, add(add(before, behind), tlw_f8_load_aligned(t)));
    }
    TLW_UNROLL for (int i = 0; i < 6; ++i, column += stride, out += s->stride) { // for p and q
        tlw_f8_store_aligned(out, sum_three(column, is_first ? zero : tlw_f8_load(column - 1)));
    }
}

// The sites whose lanes a block sums, gaps too, since a row is felt one site beyond its ends. They
// begin eight before its first row, in the gap: the last of them feels that row, and none the block
// before. They end where the next block's begin; behind the last block nobody's gap is its own.
typedef struct site_range {
    size_t begin, end;
} site_range;

TLW_FORCE_INLINE site_range sites_of(const tlw_blob_arrays* blob, uint32_t block) {
    const size_t end = blob->blocks[block + 1].first_site;
    return (site_range){blob->blocks[block].first_site - TLW_LANES,
                        block + 1 == blob->block_count ? end + TLW_LANES : end - TLW_LANES};
}

// A block's windows in equal helpings.
TLW_FORCE_INLINE void fit_block(const tlw_substep* s, uint32_t block, site_range sites,
                                block_fits* fits, bool is_own) {
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[block + 1].first_window;
    _Alignas(TLW_CACHE_LINE) region_sums sums[TLW_TURNS_MAX];
    starts from;
    tlw_turns turns;
    uint32_t w = blob->blocks[block].first_window;
    for (uint32_t left = (last - w + TLW_TURNS_MAX - 1) / TLW_TURNS_MAX; left > 0; --left) {
        const uint32_t behind = w + (last - w + left - 1) / left;
        for (uint32_t i = w; i < behind; ++i) {
            if (blob->windows[i].flags & TLW_WINDOW_HAS_CUTS) {
                sum_cut_window(s, i, &sums[i - w]);
            } else {
                sum_window(s, i, NULL, &sums[i - w]);
            }
        }
        turn_windows(s, w, behind, sums, &from, &turns);
        for (uint32_t i = 0; i < behind - w; ++i) {
            store_window4(s->now[w + i].rotation, multiply4(from.q[i], turns.turn[i]));
            place_fit(s, w + i, &sums[i], multiply4(from.r[i], turns.turn[i]), fits, is_own);
        }
        w = behind;
    }
    if (is_own) {
        clear_fits(fits, sites.end + TLW_LANES);
    }
    sum_lanes(s, fits, sites.begin, is_own, true);
    for (size_t at = sites.begin + TLW_LANES; at < sites.end; at += TLW_LANES) {
        sum_lanes(s, fits, at, is_own, false);
    }
}

// One that is too long for a buffer, in the arrays of the whole character.
static TLW_NOINLINE void fit_long_block(const tlw_substep* s, uint32_t block, site_range sites) {
    block_fits fits = {s->work, 0, s->stride, 0};
    fit_block(s, block, sites, &fits, false);
}

void TLW_KERNEL(tlw_stage_regions)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    TLW_STAGE_COPY(substep);
    _Alignas(TLW_CACHE_LINE) float buffer[FIT_ARRAYS * FIT_SITES];
    for (uint32_t b = first; b < end; ++b) {
        const site_range sites = sites_of(s->blob, b);
        if (sites.end + TLW_LANES - sites.begin <= FIT_SITES) {
            block_fits fits = {buffer, sites.begin, FIT_SITES, sites.begin};
            fit_block(s, b, sites, &fits, true);
        } else {
            fit_long_block(s, b, sites);
        }
    }
}
