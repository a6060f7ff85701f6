// SPDX-License-Identifier: MIT
// Stage rbf (RULES 10.10, MODEL 5.4): radial basis functions in several domains, after Luo et al.
// Places centres on the surface, inverts each domain's system, and gives every welded vertex a row
// of functions. Only if the recipe asks. Reads cook->graph, cook->sources and the lattice; writes
// cook->rbf.
#include "tools/cook/rbf.h"

#include <string.h>

static uint32_t pad(uint32_t count) {
    return (count + TLW_BLOB_LANES - 1) / TLW_BLOB_LANES * TLW_BLOB_LANES;
}

// The voxels that a centre follows, as any vertex does, with float weights.
static tlw_blob_binding bind_centre(const tlw_cook* cook, tlw_double3 at) {
    const tlw_cook_binding from = tlw_cook_bind_point(cook, at);
    tlw_blob_binding out;
    for (uint32_t i = 0; i < 8; ++i) {
        out.slots[i] = cook->order.slot_of_voxel[from.voxel[i < from.count ? i : 0]];
        out.weights[i] = i < from.count ? (float)from.weight[i] : 0.0f;
    }
    return out;
}

static void store_centres(tlw_cook* cook, const tlw_rbf_centres* centres) {
    tlw_cook_rbf* rbf = &cook->rbf;
    rbf->head.centre_count = centres->count;
    rbf->centres = tlw_cook_allocate(cook, centres->count, sizeof *rbf->centres);
    rbf->positions = tlw_cook_allocate(cook, centres->count, sizeof *rbf->positions);
    for (uint32_t i = 0; cook->error.result == TLW_OK && i < centres->count; ++i) {
        rbf->positions[i] = centres->position[i];
        rbf->centres[i] = bind_centre(cook, centres->position[i]);
    }
}

// The list of domains, and a basis for each. `index` leads from the number of a domain to its place
// in the list.
static void list_domains(tlw_cook* cook, const tlw_rbf_centres* centres, tlw_rbf_basis* bases,
                         uint32_t* index) {
    tlw_cook_rbf* rbf = &cook->rbf;
    for (uint32_t first = 0, end; first < centres->count; first = end) {
        for (end = first + 1; end < centres->count; ++end) {
            if (centres->domain[end] != centres->domain[first]) {
                break;
            }
        }
        const uint32_t count = end - first;
        tlw_rbf_basis* basis = &bases[rbf->head.domain_count];
        *basis = tlw_rbf_make_basis(rbf->positions + first, count, centres->radius);
        rbf->domains[rbf->head.domain_count] =
            (tlw_blob_rbf_domain){.joint = centres->domain[first],
                                  .first_centre = first,
                                  .centre_count = count,
                                  .first_coefficient = rbf->head.coefficient_count,
                                  .term_count = basis->term_count,
                                  .first_inverse = rbf->inverse_count};
        index[centres->domain[first]] = rbf->head.domain_count++;
        rbf->head.coefficient_count += pad(count + basis->term_count);
        rbf->inverse_count += count * pad(count + basis->term_count);
    }
}

static void store_inverse(tlw_cook* cook, const tlw_blob_rbf_domain* domain,
                          const tlw_rbf_basis* basis) {
    const uint32_t n = basis->centre_count, coefficients = n + basis->term_count;
    double* inverse = tlw_rbf_invert(cook, basis);
    for (uint32_t c = 0; inverse != NULL && c < n; ++c) {
        float* row = cook->rbf.inverse + domain->first_inverse + (size_t)c * pad(coefficients);
        for (uint32_t i = 0; i < coefficients; ++i) {
            row[i] = (float)inverse[(size_t)i * n + c];
        }
    }
    tlw_cook_free(cook, inverse);
}

// The functions that are not 0 at a point; returns their number. Writes them if `index` is not
// null.
static uint32_t make_row(const tlw_blob_rbf_domain* domain, const tlw_rbf_basis* basis,
                         tlw_double3 at, uint16_t* index, float* weight) {
    const double scale = basis->sigma * basis->sigma;
    uint32_t count = 0;
    for (uint32_t c = 0; c < basis->centre_count; ++c) {
        const double squared = tlw_rbf_squared(at, basis->centres[c]) / scale;
        if (squared < TLW_RBF_CUT * TLW_RBF_CUT) {
            if (index != NULL) {
                index[count] = (uint16_t)(domain->first_coefficient + c);
                weight[count] = (float)tlw_rbf_phi(squared);
            }
            count += 1;
        }
    }
    double terms[TLW_RBF_TERMS_MAX];
    tlw_rbf_terms(basis, at, terms);
    for (uint32_t t = 0; index != NULL && t < basis->term_count; ++t) {
        index[count + t] = (uint16_t)(domain->first_coefficient + basis->centre_count + t);
        weight[count + t] = (float)terms[t];
    }
    return count + basis->term_count;
}

static void store_rows(tlw_cook* cook, const tlw_rbf_basis* bases, const uint32_t* index) {
    const tlw_cook_graph* graph = &cook->graph;
    tlw_cook_rbf* rbf = &cook->rbf;
    uint64_t used = 0;
    rbf->head.row_count = graph->count;
    rbf->row_first = tlw_cook_allocate(cook, (uint64_t)graph->count + 1, sizeof *rbf->row_first);
    for (uint32_t v = 0; cook->error.result == TLW_OK && v < graph->count; ++v) {
        rbf->row_first[v] = (uint32_t)used;
        if (rbf->domain_of[v] != TLW_RBF_NO_DOMAIN) {
            const uint32_t d = index[rbf->domain_of[v]];
            used += make_row(&rbf->domains[d], &bases[d], graph->positions[v], NULL, NULL);
        }
        if (used > UINT32_MAX) {
            tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE, "%u vertices for radial basis functions",
                          graph->count);
        }
    }
    rbf->row_index = tlw_cook_allocate(cook, used, sizeof *rbf->row_index);
    rbf->row_weight = tlw_cook_allocate(cook, used, sizeof *rbf->row_weight);
    if (cook->error.result != TLW_OK) {
        return;
    }
    rbf->row_first[graph->count] = (uint32_t)used;
    for (uint32_t v = 0; v < graph->count; ++v) {
        if (rbf->domain_of[v] != TLW_RBF_NO_DOMAIN) {
            const uint32_t d = index[rbf->domain_of[v]], first = rbf->row_first[v];
            (void)make_row(&rbf->domains[d], &bases[d], graph->positions[v], rbf->row_index + first,
                           rbf->row_weight + first);
        }
    }
}

// Everything but the seams, from centres that were placed.
static void store_domains(tlw_cook* cook, const tlw_rbf_domains* domains,
                          const tlw_rbf_centres* centres) {
    tlw_cook_rbf* rbf = &cook->rbf;
    rbf->merged = domains->merged;
    rbf->radius = centres->radius;
    rbf->head.radius = (float)centres->radius;
    rbf->head.seam_passes = cook->recipe->seam_passes;
    store_centres(cook, centres);
    rbf->domains = tlw_cook_allocate(cook, centres->count, sizeof *rbf->domains);
    rbf->domain_of = tlw_cook_allocate(cook, cook->graph.count, sizeof *rbf->domain_of);
    tlw_rbf_basis* bases = tlw_cook_allocate(cook, centres->count, sizeof *bases);
    uint32_t* index = tlw_cook_allocate(cook, domains->joint_count, sizeof *index);
    if (cook->error.result == TLW_OK) {
        memcpy(rbf->domain_of, domains->of_vertex, cook->graph.count * sizeof *rbf->domain_of);
        list_domains(cook, centres, bases, index);
        rbf->inverse = tlw_cook_allocate(cook, rbf->inverse_count, sizeof *rbf->inverse);
    }
    for (uint32_t d = 0; cook->error.result == TLW_OK && d < rbf->head.domain_count; ++d) {
        store_inverse(cook, &rbf->domains[d], &bases[d]);
    }
    if (cook->error.result == TLW_OK) {
        store_rows(cook, bases, index);
    }
    tlw_cook_free(cook, index);
    tlw_cook_free(cook, bases);
}

tlw_result tlw_cook_make_rbf(tlw_cook* cook) {
    if (cook->recipe->embedding != TLW_COOK_EMBED_RBF) {
        return TLW_OK;
    }
    if (!cook->groups.is_skinned) {
        cook->is_about_recipe = true;
        tlw_cook_blame(cook, "embedding");
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "radial basis functions need the artist's weights, but no vertex has "
                             "any; skin the mesh, or use \"fit\"");
    }
    tlw_rbf_domains domains;
    tlw_rbf_centres* centres = tlw_cook_allocate(cook, 1, sizeof *centres);
    if (tlw_rbf_open_domains(cook, &domains) == TLW_OK &&
        tlw_rbf_place_centres(cook, &domains, centres) == TLW_OK) {
        store_domains(cook, &domains, centres);
    }
    if (cook->error.result == TLW_OK) {
        (void)tlw_rbf_make_seams(cook, centres->radius);
    }
    tlw_rbf_free_domains(cook, &domains);
    tlw_cook_free(cook, centres);
    return cook->error.result;
}
