// SPDX-License-Identifier: MIT
// Private to the stages lattice and frames of embed: what both do with a window of eight voxels.
#ifndef TLW_RUNTIME_OUTPUT_EMBED_WINDOW_H
#define TLW_RUNTIME_OUTPUT_EMBED_WINDOW_H

#include "runtime/output/embed.h"
#include "runtime/passes/wide.h"

// Which lattice axis (0 lane, 1 row, 2 plane) rest axis 0, 1 or 2 of the asset is.
TLW_FORCE_INLINE uint32_t lattice_axis(const tlw_embed* e, uint32_t rest_axis) {
    return (rest_axis + 3 - e->blob->lattice->lane_axis) % 3;
}

TLW_FORCE_INLINE f8x4 all4(const float a[4]) {
    return (f8x4){all(a[0]), all(a[1]), all(a[2]), all(a[3])};
}

// A world rotation as one of model space.
TLW_FORCE_INLINE f8x4 rotation_in_model(const tlw_embed* e, f8x4 rotation) {
    return multiply4(conjugate4(all4(e->root_rotation)), rotation);
}

// Q at this frame's time: nlerp between the last two substeps, signs aligned.
TLW_FORCE_INLINE f8x4 blend_relative_rotation(const tlw_embed* e, uint32_t w) {
    const f8x4 from = load_window4(e->from[w].rotation), to = load_window4(e->to[w].rotation);
    const f8 side = dot4(from, to), share = all(e->blend);
    return normalise4((f8x4){mad(share, sub(tlw_f8_xor_sign(to.x, side), from.x), from.x),
                             mad(share, sub(tlw_f8_xor_sign(to.y, side), from.y), from.y),
                             mad(share, sub(tlw_f8_xor_sign(to.z, side), from.z), from.z),
                             mad(share, sub(tlw_f8_xor_sign(to.w, side), from.w), from.w)});
}

// Rest centres of a window's cells: model space, metres.
TLW_FORCE_INLINE f8x3 rest_centre(const tlw_embed* e, const tlw_blob_window* window) {
    const tlw_blob_lattice* lattice = e->blob->lattice;
    const f8 centre[3] = {add(tlw_f8_iota(), all((float)window->cell[0] + 0.5f)),
                          all((float)window->cell[1] + 0.5f), all((float)window->cell[2] + 0.5f)};
    const f8 metres = all((float)lattice->voxel_metres);
    return (f8x3){mad(centre[lattice_axis(e, 0)], metres, all((float)lattice->origin[0])),
                  mad(centre[lattice_axis(e, 1)], metres, all((float)lattice->origin[1])),
                  mad(centre[lattice_axis(e, 2)], metres, all((float)lattice->origin[2]))};
}

// R p0. R has a column per lattice axis; p0 is in rest axes.
TLW_FORCE_INLINE f8x3 rotate_point(const tlw_embed* e, const f8x9* r, f8x3 p) {
    const f8x3 x = r->c[lattice_axis(e, 0)], y = r->c[lattice_axis(e, 1)],
               z = r->c[lattice_axis(e, 2)];
    return mad3(z, p.z, mad3(y, p.y, scale3(x, p.x)));
}

// Stores the columns of a 3x3 matrix by rows that are `apart` numbers apart. There is a column per
// lattice axis; they are stored in the order of the rest axes.
TLW_FORCE_INLINE void store_columns(const tlw_embed* e, float (*to)[TLW_LANES], size_t apart,
                                    const f8x9* columns) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
        const f8x3 column = columns->c[lattice_axis(e, axis)];
        tlw_f8_store_aligned(to[axis], column.x);
        tlw_f8_store_aligned(to[apart + axis], column.y);
        tlw_f8_store_aligned(to[2 * apart + axis], column.z);
    }
}

// [columns | last] as the rows of a 3x4 matrix.
TLW_FORCE_INLINE void store_rows(const tlw_embed* e, tlw_window_rows* to, const f8x9* columns,
                                 f8x3 last) {
    store_columns(e, to->number, 4, columns);
    tlw_f8_store_aligned(to->number[3], last.x);
    tlw_f8_store_aligned(to->number[7], last.y);
    tlw_f8_store_aligned(to->number[11], last.z);
}

TLW_FORCE_INLINE void store_slopes(const tlw_embed* e, tlw_window_slopes* to, const f8x9* columns,
                                   f8x3 last) {
    store_columns(e, to->number, 3, columns);
    store_window3(to->number + TLW_SLOPE_LAST, last);
}

// Mass of eight sites in the gradients' sums. A select, not mass_of_kind (wide.h), which gives -0
// for an empty site: signs of zeros could reach the output.
TLW_FORCE_INLINE f8 mass_at(const tlw_blob_arrays* blob, size_t site) {
    const f8 kind = tlw_f8_load_aligned(blob->site_kind + site);
    return tlw_f8_select(tlw_f8_eq(kind, all(TLW_SITE_BONE)), all((float)TLW_BONE_MASS), kind);
}

#endif
