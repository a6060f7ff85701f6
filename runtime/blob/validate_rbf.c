// SPDX-License-Identifier: MIT
// The blob's validator: radial basis functions (MODEL 9.3, RULES 10.10). Freestanding; reads the
// blob, writes only the report.
#include "runtime/blob/validator.h"

#include <float.h>

#define SEAM_PASSES_MAX 16u

static tlw_result check_head(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_RBF;
    const tlw_result result = check_count(view, kind, 1);
    if (result != TLW_OK) {
        return result;
    }
    const tlw_blob_rbf* head = first_of(view, kind);
    if (!is_finite(head->radius) || !(head->radius > 0.0f)) {
        return fail_at(view, kind, 0, "radius above 0",
                       float_bound(head->radius, FLT_TRUE_MIN, FLT_MAX), bits_of(head->radius));
    }
    if (!(head->seam_share >= 0.0f && head->seam_share <= 1.0f)) {
        return fail_at(view, kind, 0, "seam share, 0 to 1",
                       float_bound(head->seam_share, 0.0f, 1.0f), bits_of(head->seam_share));
    }
    if (head->seam_passes > SEAM_PASSES_MAX) {
        return fail_at(view, kind, 0, "seam passes, at most 16", SEAM_PASSES_MAX,
                       head->seam_passes);
    }
    if (head->domain_count == 0) {
        return fail_at(view, kind, 0, "a domain or more", 1, 0);
    }
    const struct {
        tlw_blob_section_kind kind;
        uint64_t count;
    } counts[] = {{TLW_SECTION_RBF_DOMAIN, head->domain_count},
                  {TLW_SECTION_RBF_CENTRE, head->centre_count},
                  {TLW_SECTION_RBF_ROW_FIRST, (uint64_t)head->row_count + 1},
                  {TLW_SECTION_RBF_VERTEX_ROW, view->lattice->vertex_count},
                  {TLW_SECTION_RBF_SEAM, (uint64_t)head->seam_count + 1}};
    for (size_t i = 0; i < TLW_COUNT_OF(counts); ++i) {
        const tlw_result counted = check_count(view, counts[i].kind, counts[i].count);
        if (counted != TLW_OK) {
            return counted;
        }
    }
    return TLW_OK;
}

// What the domains before have taken.
typedef struct domain_ends {
    uint64_t centre, coefficient, inverse;
} domain_ends;

// The inverse has a row per centre: a factor per coefficient, then zeros.
static tlw_result check_inverse(const blob_view* view, const tlw_blob_rbf_domain* domain,
                                uint64_t columns) {
    const float* inverse = first_of(view, TLW_SECTION_RBF_INVERSE);
    const uint64_t used = (uint64_t)domain->centre_count + domain->term_count;
    for (uint64_t c = 0; c < domain->centre_count; ++c) {
        for (uint64_t i = used; i < columns; ++i) {
            const uint64_t at = domain->first_inverse + c * columns + i;
            if (bits_of(inverse[at]) != 0) {
                return fail_at(view, TLW_SECTION_RBF_INVERSE, at, "0 after the last coefficient", 0,
                               bits_of(inverse[at]));
            }
        }
    }
    return TLW_OK;
}

static tlw_result check_domain(const blob_view* view, uint32_t d, domain_ends* ends) {
    const tlw_blob_section_kind kind = TLW_SECTION_RBF_DOMAIN;
    const tlw_blob_rbf* head = first_of(view, TLW_SECTION_RBF);
    const tlw_blob_rbf_domain* domain = (const tlw_blob_rbf_domain*)first_of(view, kind) + d;
    const struct {
        const char* what;
        uint64_t low, high, found;
    } ranges[] = {
        {"joint, ascending", d > 0 ? (uint64_t)domain[-1].joint + 1 : 0,
         last_index(view->lattice->joint_count), domain->joint},
        {"centres one after another", ends->centre, ends->centre, domain->first_centre},
        {"a centre or more", 1, head->centre_count - ends->centre, domain->centre_count},
        {"terms, 1 or 4", 1, 4, domain->term_count},
        {"coefficients one after another", ends->coefficient, ends->coefficient,
         domain->first_coefficient},
        {"inverses one after another", ends->inverse, ends->inverse, domain->first_inverse},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(ranges); ++i) {
        if (ranges[i].found < ranges[i].low || ranges[i].found > ranges[i].high) {
            return fail_at(view, kind, d, ranges[i].what,
                           integer_bound(ranges[i].found, ranges[i].low, ranges[i].high),
                           ranges[i].found);
        }
    }
    if (domain->term_count != 1 && domain->term_count != 4) {
        return fail_at(view, kind, d, "terms, 1 or 4", 4, domain->term_count);
    }
    const uint64_t columns =
        ((uint64_t)domain->centre_count + domain->term_count + LANES - 1) / LANES * LANES;
    const uint64_t room = count_of(view, TLW_SECTION_RBF_INVERSE) - ends->inverse;
    if (columns > head->coefficient_count - ends->coefficient) {
        return fail_at(view, kind, d, "coefficients that the head has",
                       head->coefficient_count - ends->coefficient, columns);
    }
    const uint64_t numbers = domain->centre_count * columns; // at most 65536 columns: no overflow
    if (numbers > room) {
        return fail_at(view, kind, d, "an inverse in RBF_INVERSE", room, numbers);
    }
    ends->centre += domain->centre_count;
    ends->coefficient += columns;
    ends->inverse += numbers;
    return check_inverse(view, domain, columns);
}

static tlw_result check_domains(const blob_view* view) {
    const tlw_blob_rbf* head = first_of(view, TLW_SECTION_RBF);
    if (head->coefficient_count > UINT16_MAX + 1u) { // RBF_ROW_INDEX has 16 bits
        return fail_at(view, TLW_SECTION_RBF, 0, "coefficients, at most 65536", UINT16_MAX + 1u,
                       head->coefficient_count);
    }
    domain_ends ends = {0, 0, 0};
    for (uint32_t d = 0; d < head->domain_count; ++d) {
        const tlw_result result = check_domain(view, d, &ends);
        if (result != TLW_OK) {
            return result;
        }
    }
    if (ends.centre != head->centre_count) {
        return fail_at(view, TLW_SECTION_RBF, 0, "centres of all domains", ends.centre,
                       head->centre_count);
    }
    if (ends.coefficient != head->coefficient_count) {
        return fail_at(view, TLW_SECTION_RBF, 0, "coefficients of all domains", ends.coefficient,
                       head->coefficient_count);
    }
    const tlw_result result = check_count(view, TLW_SECTION_RBF_INVERSE, ends.inverse);
    return result == TLW_OK ? tlw_blob_check_finite(view, TLW_SECTION_RBF_INVERSE) : result;
}

static tlw_result check_centres(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_RBF_CENTRE;
    const tlw_blob_binding* centres = first_of(view, kind);
    for (uint64_t c = 0; c < count_of(view, kind); ++c) {
        float sum = 0.0f;
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t slot = centres[c].slots[i];
            const float weight = centres[c].weights[i];
            if (!tlw_blob_is_voxel_slot(view, slot)) {
                return fail_component(view, kind, c, i, "slot of a voxel",
                                      tlw_blob_nearest_voxel_slot(view, slot), slot);
            }
            if (!(weight >= 0.0f && weight <= 1.0f)) {
                return fail_component(view, kind, c, i, "weight, 0 to 1",
                                      float_bound(weight, 0.0f, 1.0f), bits_of(weight));
            }
            sum += weight;
        }
        if (!(sum > 0.9999f && sum < 1.0001f)) {
            return fail_at(view, kind, c, "weights that sum to 1", bits_of(1.0f), bits_of(sum));
        }
    }
    return TLW_OK;
}

static tlw_result check_rows(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_RBF_ROW_FIRST;
    const tlw_blob_rbf* head = first_of(view, TLW_SECTION_RBF);
    const uint32_t* first = first_of(view, kind);
    const uint16_t* index = first_of(view, TLW_SECTION_RBF_ROW_INDEX);
    const uint32_t* row_of = first_of(view, TLW_SECTION_RBF_VERTEX_ROW);
    const uint64_t terms = count_of(view, TLW_SECTION_RBF_ROW_INDEX);
    for (uint64_t r = 0; r <= head->row_count; ++r) {
        const uint64_t low = r > 0 ? first[r - 1] : 0, high = r > 0 ? terms : 0;
        if (first[r] < low || first[r] > high) {
            return fail_at(view, kind, r, "rows one after another",
                           integer_bound(first[r], low, high), first[r]);
        }
    }
    tlw_result result = check_count(view, TLW_SECTION_RBF_ROW_INDEX, first[head->row_count]);
    if (result == TLW_OK) {
        result = check_count(view, TLW_SECTION_RBF_ROW_WEIGHT, terms);
    }
    for (uint64_t i = 0; result == TLW_OK && i < terms; ++i) {
        if (index[i] >= head->coefficient_count) {
            return fail_at(view, TLW_SECTION_RBF_ROW_INDEX, i, "coefficient",
                           last_index(head->coefficient_count), index[i]);
        }
    }
    for (uint64_t v = 0; result == TLW_OK && v < view->lattice->vertex_count; ++v) {
        if (row_of[v] >= head->row_count) {
            return fail_at(view, TLW_SECTION_RBF_VERTEX_ROW, v, "row", last_index(head->row_count),
                           row_of[v]);
        }
    }
    return result == TLW_OK ? tlw_blob_check_finite(view, TLW_SECTION_RBF_ROW_WEIGHT) : result;
}

// The neighbours of a seam vertex are below `end`, which was compared with the sections' counts.
static tlw_result check_seam(const blob_view* view, uint64_t s, uint64_t end) {
    const tlw_blob_rbf* head = first_of(view, TLW_SECTION_RBF);
    const tlw_blob_rbf_seam* seam =
        (const tlw_blob_rbf_seam*)first_of(view, TLW_SECTION_RBF_SEAM) + s;
    const uint32_t* rows = first_of(view, TLW_SECTION_RBF_SEAM_ROW);
    const float* weights = first_of(view, TLW_SECTION_RBF_SEAM_WEIGHT);
    float sum = 0.0f;
    for (uint64_t i = seam->first; i < end; ++i) {
        if (rows[i] >= head->row_count) {
            return fail_at(view, TLW_SECTION_RBF_SEAM_ROW, i, "row", last_index(head->row_count),
                           rows[i]);
        }
        sum += weights[i];
    }
    if (!(sum > 0.9999f && sum < 1.0001f)) {
        return fail_at(view, TLW_SECTION_RBF_SEAM, s, "weights that sum to 1", bits_of(1.0f),
                       bits_of(sum));
    }
    return TLW_OK;
}

static tlw_result check_seams(const blob_view* view) {
    const tlw_blob_section_kind kind = TLW_SECTION_RBF_SEAM;
    const tlw_blob_rbf* head = first_of(view, TLW_SECTION_RBF);
    const tlw_blob_rbf_seam* seams = first_of(view, kind);
    const uint64_t neighbours = count_of(view, TLW_SECTION_RBF_SEAM_ROW);
    tlw_result result = check_count(view, TLW_SECTION_RBF_SEAM_WEIGHT, neighbours);
    if (result == TLW_OK) {
        result = tlw_blob_check_finite(view, TLW_SECTION_RBF_SEAM_WEIGHT);
    }
    if (result == TLW_OK && seams[0].first != 0) {
        return fail_at(view, kind, 0, "neighbours one after another", 0, seams[0].first);
    }
    for (uint64_t s = 0; result == TLW_OK && s < head->seam_count; ++s) {
        const uint64_t low = s > 0 ? (uint64_t)seams[s - 1].row + 1 : 0;
        const uint64_t end = seams[s + 1].first;
        if (seams[s].row < low || seams[s].row >= head->row_count) {
            return fail_at(view, kind, s, "row, ascending",
                           integer_bound(seams[s].row, low, last_index(head->row_count)),
                           seams[s].row);
        }
        if (end < seams[s].first || end > neighbours) {
            return fail_at(view, kind, s + 1, "neighbours one after another",
                           integer_bound(end, seams[s].first, neighbours), end);
        }
        result = check_seam(view, s, end);
    }
    if (result == TLW_OK && seams[head->seam_count].row != head->row_count) {
        return fail_at(view, kind, head->seam_count, "number of rows after the last seam",
                       head->row_count, seams[head->seam_count].row);
    }
    return result == TLW_OK
               ? check_count(view, TLW_SECTION_RBF_SEAM_ROW, seams[head->seam_count].first)
               : result;
}

tlw_result tlw_blob_check_rbf(const blob_view* view) {
    if (view->sections[TLW_SECTION_RBF] == NULL) {
        for (uint32_t kind = TLW_SECTION_RBF; kind <= TLW_SECTION_RBF_SEAM_WEIGHT; ++kind) {
            if (view->sections[kind] != NULL) {
                return fail(view, kind, 0, 0, "absent without RBF", 0, 1);
            }
        }
        return TLW_OK;
    }
    static blob_check* const checks[] = {check_head, check_domains, check_centres, check_rows,
                                         check_seams};
    tlw_result result = TLW_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(checks) && result == TLW_OK; ++i) {
        result = checks[i](view);
    }
    return result;
}
