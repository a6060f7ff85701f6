// SPDX-License-Identifier: MIT
// Pass regions, width 3: a region is a voxel and its linked neighbours (MODEL 3.6). Reads m q of 27
// sites and the last Q; writes Q, the sums of the regions' fits along the lane axis (lanes), and,
// for windows whose regions goal must tell apart, the fits themselves (work): T and the columns of
// R. Lattice shape matching (Rivers and James 2007, "FastLSM: fast lattice shape matching for
// robust real-time deformation") as in Iwamoto, Shum, Yang, Morishima 2015, "Multi-layer lattice
// model for real-time dynamic character deformation", Section 6.1; each fit is Mueller,
// Heidelberger, Teschner, Gross 2005, "Meshless deformations based on shape matching", Eq. 7 and 8:
//
//     A = sum m (q - c)(p0 - c0)^T,   R = rotation of A (rotation.h),
//     a voxel at rest offset o from the region's voxel has the goal R o + T,   T = c - R c0
//
// Why sums without a product: rest offsets are -1, 0 and 1, so sum m q o^T is made of sums and
// differences along each axis. Nine rows are added up at the cells one before the lanes and one
// after them; the sums of the cells in between are contained in these two and are shuffled out of
// them (18 loads instead of 27). Differences are taken before sums where possible, because the
// difference of neighbours is exact in floats.
//
// Why a buffer: the fits of a block stay in a stack buffer that fits L1 between being made and
// being summed along the lane; whole-character arrays were 2% slower.
#include "runtime/passes/kernels.h"
#include "runtime/passes/rotation.h"

// Sums over a region of one component of m q, plain and times the offset along each axis.
typedef struct component_sums {
    f8 sum, lane, row, plane;
} component_sums;

// Sums over the nine cells of each lane in the plane across the lane axis: of the three at each row
// offset, of all, and of all times the offsets along row and plane.
typedef struct column_sums {
    f8 at_row[3], sum, row, plane;
} column_sums;

TLW_FORCE_INLINE column_sums sum_columns(const float* const rows[9], ptrdiff_t at) {
    column_sums s;
    TLW_UNROLL for (int row = 0; row < 3; ++row) {
        const f8 low = tlw_f8_hold(tlw_f8_load(rows[row] + at));
        const f8 high = tlw_f8_hold(tlw_f8_load(rows[6 + row] + at));
        s.at_row[row] = add(add(low, high), tlw_f8_load(rows[3 + row] + at));
        s.plane = row == 0 ? sub(high, low) : add(s.plane, sub(high, low));
    }
    s.sum = add(add(s.at_row[0], s.at_row[2]), s.at_row[1]);
    s.row = sub(s.at_row[2], s.at_row[0]);
    return s;
}

TLW_FORCE_INLINE f8 sum_with_between(f8 before, f8 after) {
    return add(add(before, after), tlw_f8_between(before, after));
}

TLW_FORCE_INLINE component_sums sum_component(const float* const rows[9], ptrdiff_t at) {
    const column_sums before = sum_columns(rows, at - 1), after = sum_columns(rows, at + 1);
    const f8 sides =
        add(sub(after.at_row[0], before.at_row[0]), sub(after.at_row[2], before.at_row[2]));
    return (component_sums){.sum = sum_with_between(before.sum, after.sum),
                            .lane = add(sides, sub(after.at_row[1], before.at_row[1])),
                            .row = sum_with_between(before.row, after.row),
                            .plane = sum_with_between(before.plane, after.plane)};
}

// Only linked cells count, each masked by itself: a cell that is one lane's own may not be linked
// to the lane beside it, so sums cannot be shared between lanes.
TLW_FORCE_INLINE component_sums sum_linked(const float* const rows[9], ptrdiff_t at,
                                           const m8 linked[TLW_CELLS_AROUND]) {
    component_sums s = {tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero()};
    TLW_UNROLL for (int r = 0; r < 9; ++r) {
        const f8 a = tlw_f8_keep(linked[r * 3], tlw_f8_load(rows[r] + at - 1));
        const f8 b = tlw_f8_keep(linked[r * 3 + 1], tlw_f8_load(rows[r] + at));
        const f8 c = tlw_f8_keep(linked[r * 3 + 2], tlw_f8_load(rows[r] + at + 1));
        const f8 sum = add(add(a, c), b);
        s.sum = add(s.sum, sum);
        s.lane = add(s.lane, sub(c, a));
        s.row = r % 3 == 0 ? sub(s.row, sum) : r % 3 == 2 ? add(s.row, sum) : s.row;
        s.plane = r < 3 ? sub(s.plane, sum) : r > 5 ? add(s.plane, sum) : s.plane;
    }
    return s;
}

// c0 = sum m o / sum m, relative to the region's voxel. `share` becomes 1 / sum m, 0 in an empty
// lane.
TLW_FORCE_INLINE f8x3 rest_centre(const tlw_blob_arrays* blob, uint32_t w, m8 is_voxel, f8* share) {
    const size_t slots = blob->slot_count;
    const int16_t* moment = blob->slot_moment + (size_t)w * TLW_LANES;
    const f8 mass = tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_MASS * slots));
    *share = tlw_f8_keep(is_voxel, tlw_f8_div(all(1.0f), mass));
    return (f8x3){mul(*share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_LANE * slots))),
                  mul(*share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_ROW * slots))),
                  mul(*share, tlw_f8_from_i8(tlw_i8_load_s16(moment + TLW_MOMENT_PLANE * slots)))};
}

// The sums of eight regions: A about the centre by columns, the centre c, the rest centre c0, and
// 1, or 0 in empty lanes.
typedef struct region_sums {
    float a[9][TLW_LANES], c[3][TLW_LANES], c0[3][TLW_LANES], one[TLW_LANES];
} region_sums;

// `linked` is a mask for each of the 27 cells, or null where there are no cuts.
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
        tlw_f8_store_aligned(out->a[3 + i], sub(sums.row, mul(sums.sum, c0.y)));
        tlw_f8_store_aligned(out->a[6 + i], sub(sums.plane, mul(sums.sum, c0.z)));
    }
}

TLW_NOINLINE static void sum_cut_window(const tlw_substep* s, uint32_t w, region_sums* out) {
    const tlw_blob_window* window = &s->blob->windows[w];
    m8 linked[TLW_CELLS_AROUND];
    TLW_UNROLL for (int cell = 0; cell < TLW_CELLS_AROUND; ++cell) {
        linked[cell] = cell == TLW_CELL_SELF
                           ? tlw_m8_first(TLW_LANES)
                           : tlw_m8_from_bits(window->links[tlw_step_of_cell(cell)]);
    }
    sum_window(s, w, linked, out);
}

// Where the fits of a block lie while they are made and summed: T and the columns of R, 12 arrays
// in the order of the sites.
#define FIT_ARRAYS 12
// Sites of the stack buffer: an odd number of cache lines, so that its arrays spread over all sets
// of the cache.
#define FIT_SITES 240

typedef struct block_fits {
    float* at; // the fit of site `first`
    size_t first, stride;
    size_t next; // in a buffer: sites before this one are written
} block_fits;

TLW_FORCE_INLINE void store_fit(float* at, size_t stride, f8x3 t, const f8x9* r) {
    store3(at, stride, t);
    store3(at + 3 * stride, stride, r->c[0]);
    store3(at + 6 * stride, stride, r->c[1]);
    store3(at + 9 * stride, stride, r->c[2]);
}

// Sets the gaps of a buffer to 0, up to `site`. The gaps of whole-character arrays are always 0.
TLW_FORCE_INLINE void clear_fits(block_fits* fits, size_t site) {
    const f8x9 none = {{zero3(), zero3(), zero3()}};
    for (; fits->next < site; fits->next += TLW_LANES) {
        store_fit(fits->at + (fits->next - fits->first), FIT_SITES, zero3(), &none);
    }
}

// Where the rotations of a few windows start.
typedef struct rotation_starts {
    f8x4 relative[TLW_CORRECTIONS_MAX]; // Q
    f8x4 rotation[TLW_CORRECTIONS_MAX]; // R = Rb Q
} rotation_starts;

// R = Rb Q and B = R^T A of window `begin + i`, from Q.
TLW_FORCE_INLINE void start_window(const tlw_substep* s, uint32_t begin, uint32_t i, f8x4 relative,
                                   const region_sums* sums, rotation_starts* from,
                                   tlw_corrections* t) {
    const f8x4 r = multiply4(load_window4(s->pose[begin + i].rb), relative);
    const f8x9 a = {
        {load_window3(sums[i].a), load_window3(sums[i].a + 3), load_window3(sums[i].a + 6)}};
    from->relative[i] = relative;
    from->rotation[i] = r;
    t->occupied[i] = s->blob->windows[begin + i].occupied;
    t->start[i] = transposed_times(matrix_of(r), a);
}

// A window in which one step is not enough starts again, 5% back (wide.h, start_rotation), because
// its A may leave a rotation undetermined. Where one step is enough, A determines the rotation and
// the result would be the same; not starting back saves half a nanosecond per voxel.
static TLW_NOINLINE void correct_far_window(const tlw_substep* s, uint32_t begin, uint32_t i,
                                            const region_sums* sums, rotation_starts* from,
                                            tlw_corrections* t) {
    const uint32_t w = begin + i;
    start_window(s, begin, i,
                 s->is_first_repeat ? start_rotation(load_window4(s->last[w].rotation))
                                    : load_window4(s->now[w].rotation),
                 sums, from, t);
    t->correction[i] =
        find_far_correction(&t->start[i], tlw_m8_from_bits(t->occupied[i]), s->rotation_iterations);
}

// What goal, limit and velocity will read and write.
TLW_FORCE_INLINE void fetch_window(const tlw_substep* s, uint32_t w) {
    fetch_lines(&s->gains[w], sizeof s->gains[w]);
    fetch_lines(&s->pose[w].skin, sizeof s->pose[w].skin);
    fetch_lines(&s->pose_last[w].skin, sizeof s->pose_last[w].skin);
    fetch_lines(&s->last[w].p, sizeof s->last[w].p);
    fetch_lines(&s->now[w].p, sizeof s->now[w].p);
    fetch_lines(&s->velocity[w], sizeof s->velocity[w]);
}

// Starts and corrections of windows [begin, end), at most TLW_CORRECTIONS_MAX. Every 8th substep
// (starts_back) restarts all rotations 5% back, which renormalises them: they are 1.5e-6 off unit
// length after 20,000 substeps, 1.8e-4 without.
TLW_FORCE_INLINE void correct_windows(const tlw_substep* s, uint32_t begin, uint32_t end,
                                      const region_sums* sums, rotation_starts* from,
                                      tlw_corrections* t) {
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
    uint32_t far[TLW_CORRECTIONS_MAX];
    const uint32_t far_count = find_near_corrections(t, count, s->rotation_iterations, far);
    for (uint32_t i = 0; i < far_count; ++i) {
        correct_far_window(s, begin, far[i], sums, from, t);
    }
}

// Stores T and R of window w: in the buffer, if there is one, and in the whole-character arrays
// where goal reads them. `has_buffer` is a compile-time constant.
TLW_FORCE_INLINE void place_fit(const tlw_substep* s, uint32_t w, const region_sums* sums,
                                f8x4 rotation, block_fits* fits, bool has_buffer) {
    const tlw_blob_window* window = &s->blob->windows[w];
    const size_t site = window->rows[4];
    // In an empty lane Rb is 0, and so is the rotation.
    const f8x9 r = matrix_where(rotation, tlw_f8_load_aligned(sums->one));
    f8x3 t = load_window3(sums->c);
    t = sub3(t, scale3(r.c[0], tlw_f8_load_aligned(sums->c0[0])));
    t = sub3(t, scale3(r.c[1], tlw_f8_load_aligned(sums->c0[1])));
    t = sub3(t, scale3(r.c[2], tlw_f8_load_aligned(sums->c0[2])));
    if (has_buffer) {
        clear_fits(fits, site);
        store_fit(fits->at + (site - fits->first), FIT_SITES, t, &r);
        fits->next += TLW_LANES;
    }
    if (!has_buffer || (window->flags & TLW_WINDOW_IS_TOLD_APART)) {
        store_fit(s->work + site, s->stride, t, &r);
    }
}

TLW_FORCE_INLINE f8 sum_three(const float* from, f8 before) {
    return add(add(before, tlw_f8_load(from + 1)), tlw_f8_load_aligned(from));
}

// For goal: adds up, for each site, the fits of the three regions in its row that hold its voxel.
// In the region at +1 along the lane the voxel has the offset -1, so the lane column is subtracted
// there and added at -1. `is_first`: no site before these eight holds a fit.
TLW_FORCE_INLINE void sum_lanes(const tlw_substep* s, const block_fits* fits, size_t at,
                                bool has_buffer, bool is_first) {
    const size_t stride = has_buffer ? FIT_SITES : fits->stride;
    const float* t = fits->at + (at - fits->first);
    const float* column = t + 3 * stride; // first the lane column of R
    float* out = s->lanes + at;
    const f8 zero = tlw_f8_zero();
    TLW_UNROLL for (int i = 0; i < 3; ++i, t += stride, column += stride, out += s->stride) {
        const f8 before = is_first ? zero : add(tlw_f8_load(t - 1), tlw_f8_load(column - 1));
        const f8 after = sub(tlw_f8_load(t + 1), tlw_f8_load(column + 1));
        tlw_f8_store_aligned(out, add(add(before, after), tlw_f8_load_aligned(t)));
    }
    // The columns for row and plane.
    TLW_UNROLL for (int i = 0; i < 6; ++i, column += stride, out += s->stride) {
        tlw_f8_store_aligned(out, sum_three(column, is_first ? zero : tlw_f8_load(column - 1)));
    }
}

// The sites for which a block adds up fits. Gaps are included, because a region at the end of a row
// also counts at the site after it. The range begins eight sites before the block's first row, in
// the gap: the last of these eight is beside that row, and none is beside the block before. It ends
// where the next block's range begins; the last block's includes the gap after it.
typedef struct site_range {
    size_t begin, end;
} site_range;

TLW_FORCE_INLINE site_range sites_of(const tlw_blob_arrays* blob, uint32_t block) {
    const size_t end = blob->blocks[block + 1].first_site;
    return (site_range){blob->blocks[block].first_site - TLW_LANES,
                        block + 1 == blob->block_count ? end + TLW_LANES : end - TLW_LANES};
}

// Fits all windows of a block, in groups of equal size, and adds up the fits along the lane.
TLW_FORCE_INLINE void fit_block(const tlw_substep* s, uint32_t block, site_range sites,
                                block_fits* fits, bool has_buffer) {
    const tlw_blob_arrays* blob = s->blob;
    const uint32_t last = blob->blocks[block + 1].first_window;
    _Alignas(TLW_CACHE_LINE) region_sums sums[TLW_CORRECTIONS_MAX];
    rotation_starts from;
    tlw_corrections corrections;
    uint32_t w = blob->blocks[block].first_window;
    for (uint32_t groups = (last - w + TLW_CORRECTIONS_MAX - 1) / TLW_CORRECTIONS_MAX; groups > 0;
         --groups) {
        const uint32_t end = w + (last - w + groups - 1) / groups;
        for (uint32_t i = w; i < end; ++i) {
            if (blob->windows[i].flags & TLW_WINDOW_HAS_CUTS) {
                sum_cut_window(s, i, &sums[i - w]);
            } else {
                sum_window(s, i, NULL, &sums[i - w]);
            }
        }
        correct_windows(s, w, end, sums, &from, &corrections);
        for (uint32_t i = 0; i < end - w; ++i) {
            store_window4(s->now[w + i].rotation,
                          multiply4(from.relative[i], corrections.correction[i]));
            place_fit(s, w + i, &sums[i], multiply4(from.rotation[i], corrections.correction[i]),
                      fits, has_buffer);
        }
        w = end;
    }
    if (has_buffer) {
        clear_fits(fits, sites.end + TLW_LANES);
    }
    sum_lanes(s, fits, sites.begin, has_buffer, true);
    for (size_t at = sites.begin + TLW_LANES; at < sites.end; at += TLW_LANES) {
        sum_lanes(s, fits, at, has_buffer, false);
    }
}

// A block that is too long for the buffer keeps its fits in the whole-character arrays.
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
