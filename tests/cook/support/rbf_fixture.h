// SPDX-License-Identifier: MIT
// What the tests of radial basis functions share: a cook that asks for them, and plain code over
// what the blob stores.
#ifndef TLW_TESTS_COOK_SUPPORT_RBF_FIXTURE_H
#define TLW_TESTS_COOK_SUPPORT_RBF_FIXTURE_H

#include "tests/cook/support/open_cook.h"
#include "tools/cook/rbf.h"

TLW_INLINE open_cook rbf_cook(uint32_t resolution) {
    open_cook c = {.recipe = tlw_default_cook_recipe()};
    c.recipe.resolution = resolution;
    c.recipe.embedding = TLW_COOK_EMBED_RBF;
    return c;
}

// The place in the list of domains; UINT32_MAX for a vertex without one.
TLW_INLINE uint32_t rbf_domain_index(const tlw_cook_rbf* rbf, uint32_t joint) {
    for (uint32_t d = 0; d < rbf->head.domain_count; ++d) {
        if (rbf->domains[d].joint == joint) {
            return d;
        }
    }
    return UINT32_MAX;
}

// The row of a welded vertex times the inverse times a value per centre, from the stored floats.
TLW_INLINE double rbf_value(const tlw_cook_rbf* rbf, uint32_t vertex, const double* values) {
    const uint32_t d = rbf_domain_index(rbf, rbf->domain_of[vertex]);
    const tlw_blob_rbf_domain* domain = &rbf->domains[d];
    const uint32_t columns = (domain->centre_count + domain->term_count + 7) / 8 * 8;
    double sum = 0.0;
    for (uint32_t t = rbf->row_first[vertex]; t < rbf->row_first[vertex + 1]; ++t) {
        const uint32_t i = rbf->row_index[t] - domain->first_coefficient;
        CHECK_LT(i, domain->centre_count + domain->term_count);
        for (uint32_t k = 0; k < domain->centre_count; ++k) {
            sum += (double)rbf->row_weight[t] *
                   (double)rbf->inverse[domain->first_inverse + k * columns + i] *
                   values[domain->first_centre + k];
        }
    }
    return sum;
}

#endif
