// SPDX-License-Identifier: MIT
// Radial basis functions over points (RULES 10.10, points 5 and 6; MODEL 5.4, coefficients and
// rows) with centres of our own choice. Basis and inverse are the cooker's functions.
#include "tools/motion/systems.h"

#include "platform/clock.h"
#include "tools/cook/rbf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct domain {
    uint32_t first_centre, centre_count, first_coefficient, coefficient_count;
    tlw_rbf_basis basis;
    float* inverse; // element [centre * coefficient_count + coefficient]
} domain;

struct tlw_systems {
    uint32_t point_count, centre_count, domain_count, coefficient_count;
    uint32_t* centres;      // points, by domain
    tlw_double3* positions; // of the centres
    domain* domains;
    uint32_t* row_first; // point_count + 1
    uint32_t* row_index;
    float* row_weight;
    float (*coefficients)[3];
    double invert_ms;
};

static uint32_t domain_of(const tlw_systems_def* def, uint32_t point) {
    return def->domains ? def->domains[point] : 0;
}

static tlw_double3 point_at(const tlw_systems_def* def, uint32_t point) {
    return (tlw_double3){def->points[point][0], def->points[point][1], def->points[point][2]};
}

// ---- Centres

static bool choose_centres(tlw_systems* s, const tlw_systems_def* def) {
    double* nearest = malloc(((size_t)def->point_count + 1) * sizeof *nearest);
    bool* is_centre = calloc((size_t)def->point_count + 1, sizeof *is_centre);
    const bool has_memory = nearest && is_centre;
    for (uint32_t p = 0; has_memory && p < def->point_count; ++p) {
        nearest[p] = HUGE_VAL;
    }
    for (uint32_t c = 0, next = 0; has_memory && c < def->centre_count; ++c) {
        is_centre[next] = true;
        const tlw_double3 at = point_at(def, next);
        double farthest = -1.0;
        for (uint32_t p = 0; p < def->point_count; ++p) {
            nearest[p] = fmin(nearest[p], tlw_rbf_squared(at, point_at(def, p)));
            if (nearest[p] > farthest && !is_centre[p]) {
                farthest = nearest[p];
                next = p;
            }
        }
    }
    uint32_t count = 0;
    for (uint32_t d = 0; has_memory && d < s->domain_count; ++d) {
        s->domains[d].first_centre = count;
        for (uint32_t p = 0; p < def->point_count; ++p) {
            if (is_centre[p] && domain_of(def, p) == d) {
                s->centres[count] = p;
                s->positions[count++] = point_at(def, p);
            }
        }
        s->domains[d].centre_count = count - s->domains[d].first_centre;
    }
    free(nearest);
    free(is_centre);
    return has_memory;
}

// ---- Systems

// A cook that does nothing but hold memory.
static bool invert_all(tlw_systems* s) {
    const tlw_cook_recipe recipe = tlw_default_cook_recipe();
    tlw_cook cook = {.recipe = &recipe};
    const uint64_t start = tlw_clock_ns();
    double** inverses = tlw_cook_allocate(&cook, s->domain_count, sizeof *inverses);
    for (uint32_t d = 0; inverses && d < s->domain_count && cook.error.result == TLW_OK; ++d) {
        domain* own = &s->domains[d];
        if (own->centre_count > 0) {
            own->basis = tlw_rbf_make_basis(s->positions + own->first_centre, own->centre_count, 1);
            own->first_coefficient = s->coefficient_count;
            own->coefficient_count = own->centre_count + own->basis.term_count;
            s->coefficient_count += own->coefficient_count;
            inverses[d] = tlw_rbf_invert(&cook, &own->basis);
        }
    }
    s->invert_ms = (double)(tlw_clock_ns() - start) * 1e-6;
    bool is_good = inverses && cook.error.result == TLW_OK;
    for (uint32_t d = 0; d < s->domain_count && is_good; ++d) {
        domain* own = &s->domains[d];
        const size_t n = own->centre_count;
        own->inverse = malloc((n * own->coefficient_count + 1) * sizeof(float));
        is_good = own->inverse != NULL;
        for (size_t c = 0; is_good && c < n; ++c) {
            for (size_t i = 0; i < own->coefficient_count; ++i) {
                own->inverse[c * own->coefficient_count + i] = (float)inverses[d][i * n + c];
            }
        }
    }
    tlw_cook_free_stages(&cook);
    return is_good;
}

// ---- Rows

static void make_row(tlw_systems* s, const tlw_systems_def* def, uint32_t point, uint32_t* used) {
    const domain* own = &s->domains[domain_of(def, point)];
    const tlw_double3 at = point_at(def, point);
    const double scale = own->basis.sigma * own->basis.sigma;
    for (uint32_t c = 0; c < own->centre_count; ++c) {
        const double phi = tlw_rbf_phi(tlw_rbf_squared(at, own->basis.centres[c]) / scale);
        if (phi > 0.0 || def->is_dense) {
            s->row_index[*used] = own->first_coefficient + c;
            s->row_weight[(*used)++] = (float)phi;
        }
    }
    double terms[TLW_RBF_TERMS_MAX];
    tlw_rbf_terms(&own->basis, at, terms);
    for (uint32_t t = 0; t < own->basis.term_count && own->centre_count > 0; ++t) {
        s->row_index[*used] = own->first_coefficient + own->centre_count + t;
        s->row_weight[(*used)++] = (float)terms[t];
    }
}

static bool make_rows(tlw_systems* s, const tlw_systems_def* def) {
    size_t room = 1;
    for (uint32_t p = 0; p < def->point_count; ++p) {
        room += s->domains[domain_of(def, p)].coefficient_count;
    }
    s->row_first = malloc(((size_t)def->point_count + 1) * sizeof *s->row_first);
    s->row_index = malloc(room * sizeof *s->row_index);
    s->row_weight = malloc(room * sizeof *s->row_weight);
    s->coefficients = calloc((size_t)s->coefficient_count + 1, sizeof *s->coefficients);
    if (!s->row_first || !s->row_index || !s->row_weight || !s->coefficients) {
        return false;
    }
    uint32_t used = 0;
    for (uint32_t p = 0; p < def->point_count; ++p) {
        s->row_first[p] = used;
        make_row(s, def, p, &used);
    }
    s->row_first[def->point_count] = used;
    return true;
}

tlw_systems* tlw_systems_make(const tlw_systems_def* def) {
    tlw_systems* s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->point_count = def->point_count;
    s->centre_count = def->centre_count;
    s->domain_count = def->domains ? def->domain_count : 1;
    s->centres = calloc((size_t)def->centre_count + 1, sizeof *s->centres);
    s->positions = calloc((size_t)def->centre_count + 1, sizeof *s->positions);
    s->domains = calloc((size_t)s->domain_count + 1, sizeof *s->domains);
    if (!s->centres || !s->positions || !s->domains || !choose_centres(s, def) || !invert_all(s) ||
        !make_rows(s, def)) {
        tlw_systems_free(s);
        return NULL;
    }
    return s;
}

void tlw_systems_free(tlw_systems* s) {
    if (s == NULL) {
        return;
    }
    for (uint32_t d = 0; s->domains && d < s->domain_count; ++d) {
        free(s->domains[d].inverse);
    }
    free(s->centres);
    free(s->positions);
    free(s->domains);
    free(s->row_first);
    free(s->row_index);
    free(s->row_weight);
    free(s->coefficients);
    free(s);
}

const uint32_t* tlw_systems_centres(const tlw_systems* s) {
    return s->centres;
}

double tlw_systems_invert_ms(const tlw_systems* s) {
    return s->invert_ms;
}

double tlw_systems_row_length(const tlw_systems* s) {
    return s->point_count > 0 ? (double)s->row_first[s->point_count] / s->point_count : 0.0;
}

// ---- Run time

static void find_coefficients(tlw_systems* s, const float (*values)[3]) {
    memset(s->coefficients, 0, s->coefficient_count * sizeof *s->coefficients);
    for (uint32_t d = 0; d < s->domain_count; ++d) {
        const domain* own = &s->domains[d];
        for (uint32_t c = 0; c < own->centre_count; ++c) {
            const float* row = own->inverse + (size_t)c * own->coefficient_count;
            const float* value = values[own->first_centre + c];
            for (uint32_t i = 0; i < own->coefficient_count; ++i) {
                float* sum = s->coefficients[own->first_coefficient + i];
                sum[0] += row[i] * value[0];
                sum[1] += row[i] * value[1];
                sum[2] += row[i] * value[2];
            }
        }
    }
}

void tlw_systems_apply(tlw_systems* s, const float (*values)[3], float (*out)[3]) {
    find_coefficients(s, values);
    for (uint32_t p = 0; p < s->point_count; ++p) {
        float sum[3] = {0.0f, 0.0f, 0.0f};
        for (uint32_t t = s->row_first[p]; t < s->row_first[p + 1]; ++t) {
            const float* coefficient = s->coefficients[s->row_index[t]];
            const float weight = s->row_weight[t];
            sum[0] += weight * coefficient[0];
            sum[1] += weight * coefficient[1];
            sum[2] += weight * coefficient[2];
        }
        memcpy(out[p], sum, sizeof sum);
    }
}
