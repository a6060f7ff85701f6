// SPDX-License-Identifier: MIT
// Pass embed, stages centres, coefficients, rows and seams (MODEL 5.4, RULES 10.10): deviations of
// welded vertices by radial basis functions in several domains. Reads deltas of voxels and the
// blob's RBF sections; writes deviations by row.
//
// Luo et al. interpolate positions with one system for all; here it is the deviation from the
// artist's skinning, so that rest and skinning stay exact, and a system per domain, so that one
// limb does not move another. Every sum has the order of its list: neither threads nor lanes change
// a bit.
#include "runtime/output/embed.h"
#include "runtime/passes/wide.h"

TLW_FORCE_INLINE void add_deviation(tlw_deviation* sum, const tlw_deviation* a, float weight) {
    sum->x += weight * a->x;
    sum->y += weight * a->y;
    sum->z += weight * a->z;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

void TLW_KERNEL(tlw_embed_centres)(const tlw_embed* e, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = e->blob;
    const uint32_t last = least(end * TLW_EMBED_CENTRES_PER_ITEM, blob->rbf->centre_count);
    for (uint32_t c = first * TLW_EMBED_CENTRES_PER_ITEM; c < last; ++c) {
        const tlw_blob_binding* binding = &blob->rbf_centre[c];
        tlw_deviation sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int k = 0; k < 8; ++k) {
            const float* delta = tlw_embed_of_slot(e->deltas->number, 3, binding->slots[k]);
            const tlw_deviation there = {delta[0], delta[TLW_LANES], delta[2 * TLW_LANES], 0.0f};
            add_deviation(&sum, &there, binding->weights[k]);
        }
        e->centres[c] = sum;
    }
}

// Eight coefficients at a time: row c of the inverse has the factors of centre c.
void TLW_KERNEL(tlw_embed_coefficients)(const tlw_embed* e, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = e->blob;
    for (uint32_t d = first; d < end; ++d) {
        const tlw_blob_rbf_domain* domain = &blob->rbf_domain[d];
        const size_t length = (size_t)domain->centre_count + domain->term_count;
        const size_t stride = (length + TLW_LANES - 1) / TLW_LANES * TLW_LANES;
        for (size_t i = 0; i < stride; i += TLW_LANES) {
            const float* inverse = blob->rbf_inverse + domain->first_inverse + i;
            f8x3 sum = zero3();
            for (uint32_t c = 0; c < domain->centre_count; ++c, inverse += stride) {
                const tlw_deviation* value = &e->centres[domain->first_centre + c];
                const f8 factor = tlw_f8_load(inverse);
                sum = (f8x3){mad(factor, all(value->x), sum.x), mad(factor, all(value->y), sum.y),
                             mad(factor, all(value->z), sum.z)};
            }
            tlw_f8x4_store(&e->coefficients[domain->first_coefficient + i].x,
                           (f8x4){sum.x, sum.y, sum.z, tlw_f8_zero()});
        }
    }
}

// Both arrays, because seam passes go from one to the other and leave the rest alone.
void TLW_KERNEL(tlw_embed_rows)(const tlw_embed* e, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = e->blob;
    const uint32_t last = least(end * TLW_EMBED_ROWS_PER_ITEM, blob->rbf->row_count);
    for (uint32_t r = first * TLW_EMBED_ROWS_PER_ITEM; r < last; ++r) {
        tlw_deviation sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (uint32_t t = blob->rbf_row_first[r]; t < blob->rbf_row_first[r + 1]; ++t) {
            add_deviation(&sum, &e->coefficients[blob->rbf_row_index[t]], blob->rbf_row_weight[t]);
        }
        e->rows[0][r] = e->rows[1][r] = sum;
    }
}

void TLW_KERNEL(tlw_embed_seams)(const tlw_embed* e, uint32_t first, uint32_t end) {
    const tlw_blob_arrays* blob = e->blob;
    const tlw_deviation* from = e->rows[e->seam_pass & 1u];
    tlw_deviation* to = e->rows[~e->seam_pass & 1u];
    const float share = blob->rbf->seam_share;
    const uint32_t last = least(end * TLW_EMBED_ROWS_PER_ITEM, blob->rbf->seam_count);
    for (uint32_t s = first * TLW_EMBED_ROWS_PER_ITEM; s < last; ++s) {
        const tlw_blob_rbf_seam* seam = &blob->rbf_seam[s];
        const tlw_deviation own = from[seam->row];
        tlw_deviation mean = {0.0f, 0.0f, 0.0f, 0.0f};
        for (uint32_t n = seam->first; n < seam[1].first; ++n) {
            add_deviation(&mean, &from[blob->rbf_seam_row[n]], blob->rbf_seam_weight[n]);
        }
        to[seam->row] =
            (tlw_deviation){own.x + share * (mean.x - own.x), own.y + share * (mean.y - own.y),
                            own.z + share * (mean.z - own.z), 0.0f};
    }
}
