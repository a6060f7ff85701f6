// SPDX-License-Identifier: MIT
// Pass embed, stage lattice (MODEL 5.1, 5.8): the lattice at this frame's time. Reads the state of
// the last two substeps and three poses, those of the substeps and this frame's; writes deltas,
// frames, m p and m delta of every voxel with the sums of the latter along rows, and the bounds of
// each block.
//
//     d = lerp(d0, d1, a),  d_k = Rb_k^T (p_k - p_skin_k),    Q = nlerp(Q0, Q1, a)
//     p_skin_k without what muscles add to it, so that d has it (MODEL 3.19)
//     p = p_skin(now) + Rb(now) d,                            R = Rb(now) Q
//     delta = p - p_skin(now), p_skin before skinned volume corrected it (MODEL 3.12)
//
// Why the deviation d is interpolated and not p: the output then stands on this frame's own pose,
// and only the deviation from it is up to one substep late, never the character. Why d is rotated
// by Rb^T: a deviation that is constant in the moving part's own frame stays constant between
// substeps.
#include "runtime/output/embed_window.h"

// What every window needs of the root and the lattice.
typedef struct model_space {
    f8x9 from_world; // columns
    f8 metres;       // per voxel
    f8 blend;
} model_space;

TLW_FORCE_INLINE model_space model_space_of(const tlw_embed* e) {
    const float* root = e->root_rotation;
    const f8x4 back = {all(-root[0]), all(-root[1]), all(-root[2]), all(root[3])};
    return (model_space){matrix_of(back), all((float)e->blob->lattice->voxel_metres),
                         all(e->blend)};
}

TLW_FORCE_INLINE f8x3 to_model(const model_space* model, f8x3 a) {
    const f8x9* m = &model->from_world;
    return mad3(m->c[2], a.z, mad3(m->c[1], a.y, scale3(m->c[0], a.x)));
}

typedef struct bounds8 {
    f8x3 low, high;
    f8 sums; // of all coordinates: not finite if one of them is not
} bounds8;

// Lanes without a voxel become NaN, which changes no bound: min and max return their second
// argument then.
TLW_FORCE_INLINE f8 or_nan(f8 a, tlw_i8 is_none) {
    return tlw_f8_from_bits_of(tlw_i8_or(tlw_i8_from_bits_of(a), is_none));
}

TLW_FORCE_INLINE void grow(bounds8* bounds, f8x3 p, uint32_t occupied) {
    const tlw_i8 is_none = tlw_i8_from_mask(tlw_m8_from_bits(~occupied & 0xffu));
    const f8x3 at = {or_nan(p.x, is_none), or_nan(p.y, is_none), or_nan(p.z, is_none)};
    bounds->low = (f8x3){tlw_f8_min(at.x, bounds->low.x), tlw_f8_min(at.y, bounds->low.y),
                         tlw_f8_min(at.z, bounds->low.z)};
    bounds->high = (f8x3){tlw_f8_max(at.x, bounds->high.x), tlw_f8_max(at.y, bounds->high.y),
                          tlw_f8_max(at.z, bounds->high.z)};
}

// Rb^T (p - p_skin). `displacements` is null, or what muscles have added to p_skin.
TLW_FORCE_INLINE f8x3 deviation(const tlw_window_state* state, const tlw_window_pose* pose,
                                const tlw_window_displacement* displacements, uint32_t w) {
    f8x3 off = sub3(load_window3(state->p), load_window3(pose->skin));
    if (displacements) {
        off = add3(off, load_window3(displacements[w].m));
    }
    return unrotate3(load_window4(pose->rb), off);
}

TLW_FORCE_INLINE void lattice_window(const tlw_embed* e, const model_space* model, uint32_t w,
                                     bounds8* bounds) {
    const tlw_blob_arrays* blob = e->blob;
    const tlw_blob_window* window = &blob->windows[w];
    const f8x3 d0 = deviation(&e->from[w], &e->pose_from[w], e->displacement_from, w);
    const f8x3 d1 = deviation(&e->to[w], &e->pose_to[w], e->displacement_to, w);
    const f8x3 d = mad3(sub3(d1, d0), model->blend, d0);
    const f8x4 rb = load_window4(e->pose[w].rb);
    f8x3 off = to_model(model, rotate3(rb, d));
    f8x3 skin = load_window3(e->pose[w].skin);
    if (e->displacement) {
        skin = sub3(skin, load_window3(e->displacement[w].m));
    }
    const f8x3 p = add3(to_model(model, skin), off);
    if (e->corrections) { // what is drawn deviates from the artist's skinning by this too
        off = add3(off, to_model(model, load_window3(e->corrections[w].by)));
    }
    const f8x3 delta = off;
    grow(bounds, p, window->occupied);
    bounds->sums = add(bounds->sums, add(add(p.x, p.y), p.z));

    const size_t site = window->rows[4];
    if (e->wants_deltas) {
        store_window3(e->deltas[w].number, scale3(delta, model->metres));
    }
    if (e->wants_frames) {
        const f8x9 r =
            matrix_of(multiply4(rotation_in_model(e, rb), blend_relative_rotation(e, w)));
        const f8x3 last =
            sub3(scale3(p, model->metres), rotate_point(e, &r, rest_centre(e, window)));
        store_rows(e, e->frames + w, &r, last);
    }
    if (e->wants_frame_slopes) {
        store_sites(e->mp.value, site, scale3(p, mass_at(blob, site)));
    }
    if (e->wants_slopes) {
        store_sites(e->md.value, site, scale3(delta, mass_at(blob, site)));
    }
}

// Sums and differences of three sites in a row, as stage frames needs them: nine windows read each.
// Gaps are included, because a voxel at the end of a row also counts at the site after it. The
// range begins eight sites before the block's first row, in the gap, and ends where the next
// block's begins; the last block's includes the gap after it. Of the first eight sites only the
// last is beside a voxel, and the others are not read: a window of the block before may reach
// there, which another thread may be writing.
TLW_FORCE_INLINE void sum_rows(const tlw_embed* e, uint32_t block) {
    const tlw_blob_arrays* blob = e->blob;
    const tlw_embed_sites* sites = &e->md;
    const size_t first = blob->blocks[block].first_site;
    const size_t next = blob->blocks[block + 1].first_site;
    const bool is_last = block + 1 == blob->block_count;
    const size_t end = is_last ? next + TLW_LANES : next - TLW_LANES;
    const f8 zero = tlw_f8_zero();
    for (int i = 0; i < 3; ++i) {
        const float* value = sites->value[i];
        float *sum = sites->sum[i], *difference = sites->difference[i];
        const f8 edge = tlw_f8_with(zero, TLW_LANES - 1, value[first]);
        tlw_f8_store_aligned(sum + first - TLW_LANES, add(zero, edge));
        tlw_f8_store_aligned(difference + first - TLW_LANES, edge);
        for (size_t at = first; at < end; at += TLW_LANES) {
            // The site before the first is empty; see above for why it is not loaded.
            const f8 own = tlw_f8_load_aligned(value + at);
            const f8 before =
                at == first ? tlw_f8_shift_in(own, 0.0f) : tlw_f8_load(value + at - 1);
            const f8 after = tlw_f8_load(value + at + 1);
            tlw_f8_store_aligned(sum + at, add(add(before, after), own));
            tlw_f8_store_aligned(difference + at, sub(after, before));
        }
        if (is_last) { // loads may reach the end of the arrays
            tlw_f8_store_aligned(sum + end, zero);
            tlw_f8_store_aligned(difference + end, zero);
        }
    }
}

void TLW_KERNEL(tlw_embed_lattice)(const tlw_embed* e, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = e->blob;
    const model_space model = model_space_of(e);
    for (uint32_t b = first; b < end; ++b) {
        const f8 far = all(3.0e38f), near = all(-3.0e38f);
        bounds8 bounds = {{far, far, far}, {near, near, near}, tlw_f8_zero()};
        for (uint32_t w = blob->blocks[b].first_window; w < blob->blocks[b + 1].first_window; ++w) {
            lattice_window(e, &model, w, &bounds);
        }
        if (e->wants_slopes) {
            sum_rows(e, b);
        }
        const float metres = (float)blob->lattice->voxel_metres;
        const f8 difference =
            sub(bounds.sums, bounds.sums); // 0, or NaN if any summand is not finite
        tlw_block_result* result = &e->results[b];
        result->not_finite = !tlw_m8_all(tlw_f8_eq(difference, difference));
        result->low[0] = tlw_f8_min_of_lanes(bounds.low.x) * metres;
        result->low[1] = tlw_f8_min_of_lanes(bounds.low.y) * metres;
        result->low[2] = tlw_f8_min_of_lanes(bounds.low.z) * metres;
        result->high[0] = tlw_f8_max_of_lanes(bounds.high.x) * metres;
        result->high[1] = tlw_f8_max_of_lanes(bounds.high.y) * metres;
        result->high[2] = tlw_f8_max_of_lanes(bounds.high.z) * metres;
    }
}
