// SPDX-License-Identifier: MIT
// Oracle, radial basis functions (MODEL 5.4): deviations of the centres, coefficients of the
// domains, rows, and passes over the seams.
#include "tests/runtime/oracle/oracle_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static oracle_vec* allocate(size_t count) {
    oracle_vec* memory = calloc(count ? count : 1, sizeof *memory);
    if (!memory) {
        (void)fputs("oracle: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static void smooth_seams(const oracle_rbf* rbf, oracle_vec* u) {
    oracle_vec* before = allocate(rbf->row_count);
    for (uint32_t pass = 0; pass < rbf->seam_passes; ++pass) {
        memcpy(before, u, rbf->row_count * sizeof *u);
        for (uint32_t s = 0; s < rbf->seam_count; ++s) {
            const uint32_t row = rbf->seam_row[s];
            oracle_vec mean = {0, 0, 0};
            for (uint32_t k = rbf->seam_first[s]; k < rbf->seam_first[s + 1]; ++k) {
                mean = vec_add_scaled(mean, rbf->seam_weight[k], before[rbf->seam_neighbour[k]]);
            }
            u[row] = vec_lerp(before[row], mean, rbf->seam_share);
        }
    }
    free(before);
}

void oracle_rbf_deviations(const oracle* o, const oracle_rbf* rbf, oracle_vec* u) {
    oracle_vec* v = allocate(rbf->centre_count);
    oracle_vec* b = allocate(rbf->coefficient_count);
    for (uint32_t c = 0; c < rbf->centre_count; ++c) {
        for (int k = 0; k < 8; ++k) {
            const double w = rbf->centres[c].weight[k];
            if (w != 0) {
                const uint32_t j = rbf->centres[c].voxel[k];
                v[c] = vec_add_scaled(v[c], w, vec_sub(o->out_p[j], o->out_plain[j]));
            }
        }
    }
    for (uint32_t d = 0; d < rbf->domain_count; ++d) {
        const oracle_rbf_domain* domain = &rbf->domains[d];
        for (uint32_t i = 0; i < domain->coefficient_count; ++i) {
            oracle_vec* sum = &b[domain->first_coefficient + i];
            for (uint32_t c = 0; c < domain->centre_count; ++c) {
                *sum = vec_add_scaled(*sum, domain->inverse[(size_t)i * domain->centre_count + c],
                                      v[domain->first_centre + c]);
            }
        }
    }
    for (uint32_t row = 0; row < rbf->row_count; ++row) {
        u[row] = vec(0, 0, 0);
        for (uint32_t t = rbf->row_first[row]; t < rbf->row_first[row + 1]; ++t) {
            u[row] = vec_add_scaled(u[row], rbf->row_weight[t], b[rbf->row_coefficient[t]]);
        }
    }
    smooth_seams(rbf, u);
    free(v);
    free(b);
}
