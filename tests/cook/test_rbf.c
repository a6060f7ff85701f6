// SPDX-License-Identifier: MIT
// Radial basis functions (RULES 10.10): where centres lie, what the systems reproduce, and where
// domains meet.
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/rbf_fixture.h"
#include "tests/cook/support/sample_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Cooks every sample character and calls a check.
typedef void check_cook(const tlw_cook* cook);

// One character of each resolution, kept until the process ends, because making it takes longer
// than the checks.
typedef struct cooked_sample {
    uint32_t resolution; // 0: not cooked yet
    sample_input* input;
    open_cook cook;
} cooked_sample;

static const tlw_cook* cooked_sample_of(tlw_sample_variant variant, uint32_t resolution) {
    static cooked_sample made[TLW_SAMPLE_VARIANT_COUNT][8];
    cooked_sample* sample = made[variant];
    while (sample->resolution != 0 && sample->resolution != resolution) {
        sample += 1;
        CHECK(sample < made[variant] + TLW_COUNT_OF(made[variant]));
    }
    if (sample->resolution == 0) {
        sample->resolution = resolution;
        sample->input =
            made[variant][0].input ? made[variant][0].input : sample_input_make(variant);
        sample->cook = rbf_cook(resolution);
        CHECK_OK(open_cook_run(&sample->cook, sample_input_get(sample->input)));
    }
    return &sample->cook.cook;
}

static void for_samples(check_cook* check, uint32_t resolution) {
    for (int v = 0; v < (TLW_UNDER_SANITIZER ? 1 : TLW_SAMPLE_PAPER_COUNT); ++v) {
        check(cooked_sample_of((tlw_sample_variant)v, resolution));
    }
}

static void for_scenes(check_cook* check, uint32_t resolution) {
    static const scene_kind kinds[] = {SCENE_box,  SCENE_torus,  SCENE_plate,   SCENE_split_lump,
                                       SCENE_legs, SCENE_figure, SCENE_triangle};
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        scene* s = scene_make(kinds[i], i);
        open_cook c = rbf_cook(resolution);
        CHECK_OK(open_cook_run(&c, scene_input(s)));
        check(&c.cook);
        open_cook_close(&c);
        scene_free(s);
    }
}

// The exponential

TLW_TEST(rbf_exp_is_that_of_the_library_to_the_last_bits) {
    for (int i = 0; i <= 90000; ++i) {
        const double x = i * 1e-4, want = exp(-x);
        CHECK_LE(fabs(tlw_rbf_exp_minus(x) - want), 1e-15 * want);
    }
    CHECK_EQ(tlw_rbf_exp_minus(0.0), 1.0);
    CHECK_EQ(tlw_rbf_phi(0.0), 1.0);
    CHECK_EQ(tlw_rbf_phi(9.0), 0.0);
    CHECK_LT(0.0, tlw_rbf_phi(8.999));
    CHECK_NEAR(tlw_rbf_phi(1.44), exp(-1.44) * (1 - 0.16) * (1 - 0.16), 1e-15);
}

// Centres

static void check_distances(const tlw_cook* cook) {
    const tlw_cook_rbf* rbf = &cook->rbf;
    const double voxel = cook->grid.voxel, least = rbf->radius * rbf->radius;
    for (uint32_t d = 0; d < rbf->head.domain_count; ++d) {
        const tlw_blob_rbf_domain* domain = &rbf->domains[d];
        const tlw_double3* own = rbf->positions + domain->first_centre;
        for (uint32_t i = 0; i < domain->centre_count; ++i) {
            for (uint32_t k = 0; k < i; ++k) {
                CHECK_LE(least - 1e-9 * voxel * voxel, tlw_rbf_squared(own[i], own[k]));
            }
        }
    }
}

TLW_TEST(rbf_centres_of_a_domain_are_at_least_r_apart) {
    for_samples(check_distances, 32);
    for_scenes(check_distances, 12);
}

static double area_of(const tlw_cook_graph* graph) {
    double area = 0;
    for (uint32_t t = 0; t < graph->triangle_count; ++t) {
        const tlw_double3 a = graph->positions[graph->triangles[t][0]],
                          b = graph->positions[graph->triangles[t][1]],
                          c = graph->positions[graph->triangles[t][2]];
        const double u = tlw_rbf_squared(a, b), v = tlw_rbf_squared(a, c),
                     w = tlw_rbf_squared(b, c);
        const double heron = 2 * (u * v + v * w + w * u) - (u * u + v * v + w * w);
        area += heron > 0 ? sqrt(heron) / 4 : 0;
    }
    return area;
}

// How many centres lie on the area of a square with side r.
static void check_density(const tlw_cook* cook) {
    const double r = cook->rbf.radius, count = cook->rbf.head.centre_count;
    // Limbs of the thin character are about r thick, and a centre keeps others away from the far
    // side as well.
    const bool is_thin = strcmp(cook->input->meshes[0].name, "thin") == 0;
    CHECK_LE(is_thin ? 0.54 : 0.58, count * r * r / area_of(&cook->graph));
    CHECK_LE(count * r * r / area_of(&cook->graph), 0.70);
    CHECK_LE(256, cook->rbf.head.centre_count);
    CHECK_LE(cook->rbf.head.centre_count, 512);
}

TLW_TEST(rbf_centres_fill_the_surface_and_are_256_to_512) {
    for_samples(check_density, 16);
    for_samples(check_density, 32);
    for_samples(check_density, 64);
}

static void check_reach(const tlw_cook* cook) {
    const tlw_cook_rbf* rbf = &cook->rbf;
    for (uint32_t v = 0; v < cook->graph.count; ++v) {
        const uint32_t d = rbf_domain_index(rbf, rbf->domain_of[v]);
        CHECK(d != UINT32_MAX);
        double nearest = INFINITY;
        for (uint32_t i = 0; i < rbf->domains[d].centre_count; ++i) {
            const double squared = tlw_rbf_squared(
                cook->graph.positions[v], rbf->positions[rbf->domains[d].first_centre + i]);
            nearest = squared < nearest ? squared : nearest;
        }
        CHECK_LE(sqrt(nearest), 1.5 * rbf->radius);
    }
}

TLW_TEST(rbf_vertices_have_a_centre_of_their_domain_within_one_and_a_half_r) {
    for_samples(check_reach, 24);
    for_samples(check_reach, 32);
}

static void check_merging(const tlw_cook* cook) {
    const tlw_cook_rbf* rbf = &cook->rbf;
    CHECK_LT(1, rbf->head.domain_count);
    CHECK_LT(0, rbf->merged);
    for (uint32_t d = 0; d < rbf->head.domain_count; ++d) { // sampled anew, so a few fewer than 16
        CHECK_LE(12, rbf->domains[d].centre_count);
        CHECK(d == 0 || rbf->domains[d - 1].joint < rbf->domains[d].joint);
    }
}

TLW_TEST(rbf_domains_of_few_centres_are_merged) {
    for_samples(check_merging, 32);
}

static void check_bindings(const tlw_cook* cook) {
    for (uint32_t i = 0; i < cook->rbf.head.centre_count; ++i) {
        const tlw_cook_binding want = tlw_cook_bind_point(cook, cook->rbf.positions[i]);
        for (uint32_t k = 0; k < 8; ++k) {
            const tlw_blob_binding* got = &cook->rbf.centres[i];
            CHECK_EQ(got->slots[k], cook->order.slot_of_voxel[want.voxel[k < want.count ? k : 0]]);
            CHECK_EQ(got->weights[k], k < want.count ? (float)want.weight[k] : 0.0f);
        }
    }
}

TLW_TEST(rbf_centres_follow_voxels_as_vertices_do) {
    for_scenes(check_bindings, 12);
}

// Systems

static void check_constant(const tlw_cook* cook) {
    double ones[TLW_RBF_CENTRES_MAX];
    for (uint32_t i = 0; i < TLW_RBF_CENTRES_MAX; ++i) {
        ones[i] = 1.0;
    }
    for (uint32_t v = 0; v < cook->graph.count; v += 7) {
        if (cook->rbf.domain_of[v] != TLW_RBF_NO_DOMAIN) {
            CHECK_NEAR(rbf_value(&cook->rbf, v, ones), 1.0, 1e-5);
        }
    }
}

TLW_TEST(rbf_rows_times_inverse_sum_to_1) {
    for_samples(check_constant, 32);
    for_scenes(check_constant, 12);
}

static double affine(tlw_double3 at) {
    return 0.3 + 0.2 * at.x - 0.5 * at.y + 0.1 * at.z;
}

static void check_affine(const tlw_cook* cook) {
    double values[TLW_RBF_CENTRES_MAX];
    for (uint32_t i = 0; i < cook->rbf.head.centre_count; ++i) {
        values[i] = affine(cook->rbf.positions[i]);
    }
    for (uint32_t v = 0; v < cook->graph.count; v += 7) {
        CHECK_NEAR(rbf_value(&cook->rbf, v, values), affine(cook->graph.positions[v]), 1e-5);
    }
}

TLW_TEST(rbf_rows_reproduce_affine_values_before_seam_passes) {
    for_samples(check_affine, 32);
}

// In double: rows, inverse and matrix of one domain.
static void check_system(const tlw_cook* cook) {
    const tlw_cook_rbf* rbf = &cook->rbf;
    for (uint32_t d = 0; d < rbf->head.domain_count; ++d) {
        const tlw_blob_rbf_domain* domain = &rbf->domains[d];
        const tlw_double3* centres = rbf->positions + domain->first_centre;
        const tlw_rbf_basis basis = tlw_rbf_make_basis(centres, domain->centre_count, rbf->radius);
        CHECK_EQ(basis.term_count, domain->term_count);
        tlw_cook scratch = {.recipe = cook->recipe};
        const uint32_t n = basis.centre_count, size = n + basis.term_count;
        double* inverse = tlw_rbf_invert(&scratch, &basis);
        CHECK(inverse != NULL);
        for (uint32_t i = 0; i < n; ++i) { // at a centre, the value of the centre and no other
            double terms[TLW_RBF_TERMS_MAX], sum = 0.0;
            tlw_rbf_terms(&basis, centres[i], terms);
            for (uint32_t c = 0; c < n; ++c) {
                double value = 0.0;
                for (uint32_t k = 0; k < size; ++k) {
                    const double squared = k < n ? tlw_rbf_squared(centres[i], centres[k]) : 0.0;
                    value +=
                        inverse[(size_t)k * n + c] *
                        (k < n ? tlw_rbf_phi(squared / (basis.sigma * basis.sigma)) : terms[k - n]);
                }
                CHECK_NEAR(value, i == c ? 1.0 : 0.0, 1e-9);
                sum += value;
            }
            CHECK_NEAR(sum, 1.0, 1e-9);
        }
        for (uint32_t c = 0; c < n; ++c) {
            for (uint32_t k = 0; k < size; ++k) {
                CHECK_EQ(rbf->inverse[domain->first_inverse + (size_t)c * ((size + 7) / 8 * 8) + k],
                         (float)inverse[(size_t)k * n + c]);
            }
        }
        tlw_cook_free_stages(&scratch);
    }
}

TLW_TEST(rbf_values_at_centres_are_reproduced_to_1e_9_in_double) {
    for_samples(check_system, 32);
    for_scenes(check_system, 12);
}

// The largest absolute eigenvalue of a symmetric matrix, by power iteration on its square.
static double largest_eigenvalue(const double* matrix, uint32_t size) {
    double* x = calloc(size, sizeof *x);
    double* y = calloc(size, sizeof *y);
    double norm = 0.0;
    CHECK(x != NULL && y != NULL);
    for (uint32_t i = 0; i < size; ++i) {
        x[i] = 1.0 + 0.01 * (double)(i * 7 % 13);
    }
    for (int pass = 0; pass < 300; ++pass) {
        norm = 0.0;
        for (uint32_t i = 0; i < size; ++i) {
            y[i] = 0.0;
            for (uint32_t k = 0; k < size; ++k) {
                y[i] += matrix[(size_t)i * size + k] * x[k];
            }
            norm += y[i] * y[i];
        }
        norm = sqrt(norm);
        for (uint32_t i = 0; i < size; ++i) {
            x[i] = y[i] / norm;
        }
    }
    free(x);
    free(y);
    return norm;
}

// The condition of phi alone, whose inverse is computed here by Gauss and Jordan.
static double condition_of(const tlw_rbf_basis* basis) {
    const uint32_t n = basis->centre_count;
    double* a = calloc((size_t)n * n, sizeof *a);
    double* inverse = calloc((size_t)n * n, sizeof *inverse);
    CHECK(a != NULL && inverse != NULL);
    for (uint32_t i = 0; i < n * n; ++i) {
        a[i] = tlw_rbf_phi(tlw_rbf_squared(basis->centres[i / n], basis->centres[i % n]) /
                           (basis->sigma * basis->sigma));
        inverse[i] = i / n == i % n;
    }
    const double largest = largest_eigenvalue(a, n);
    for (uint32_t k = 0; k < n; ++k) { // phi is positive: no pivoting
        const double pivot = a[(size_t)k * n + k];
        CHECK_LT(0.0, pivot);
        for (uint32_t j = 0; j < n; ++j) {
            a[(size_t)k * n + j] /= pivot;
            inverse[(size_t)k * n + j] /= pivot;
        }
        for (uint32_t i = 0; i < n; ++i) {
            const double factor = i == k ? 0.0 : a[(size_t)i * n + k];
            for (uint32_t j = 0; factor != 0.0 && j < n; ++j) {
                a[(size_t)i * n + j] -= factor * a[(size_t)k * n + j];
                inverse[(size_t)i * n + j] -= factor * inverse[(size_t)k * n + j];
            }
        }
    }
    const double condition = largest * largest_eigenvalue(inverse, n);
    free(a);
    free(inverse);
    return condition;
}

static void check_condition(const tlw_cook* cook) {
    const tlw_cook_rbf* rbf = &cook->rbf;
    for (uint32_t d = 0; d < rbf->head.domain_count; ++d) {
        const tlw_rbf_basis basis =
            tlw_rbf_make_basis(rbf->positions + rbf->domains[d].first_centre,
                               rbf->domains[d].centre_count, rbf->radius);
        CHECK_LT(condition_of(&basis), 2000);
    }
}

TLW_TEST(rbf_systems_have_a_condition_below_2000) {
    for_samples(check_condition, 32);
}

static void check_rows(const tlw_cook* cook) {
    const tlw_cook_rbf* rbf = &cook->rbf;
    CHECK_EQ(rbf->head.row_count, cook->graph.count);
    for (uint32_t v = 0; v < cook->graph.count; ++v) {
        if (rbf->domain_of[v] == TLW_RBF_NO_DOMAIN) {
            CHECK_EQ(rbf->row_first[v], rbf->row_first[v + 1]);
            continue;
        }
        const tlw_blob_rbf_domain* domain = &rbf->domains[rbf_domain_index(rbf, rbf->domain_of[v])];
        const tlw_rbf_basis basis = tlw_rbf_make_basis(rbf->positions + domain->first_centre,
                                                       domain->centre_count, rbf->radius);
        uint32_t t = rbf->row_first[v];
        for (uint32_t i = 0; i < domain->centre_count; ++i) {
            const double q =
                sqrt(tlw_rbf_squared(cook->graph.positions[v], basis.centres[i])) / basis.sigma;
            if (q < 3.0) {
                CHECK_EQ(rbf->row_index[t], domain->first_coefficient + i);
                CHECK_NEAR(rbf->row_weight[t], exp(-q * q) * pow(1 - q * q / 9, 2), 1e-7);
                t += 1;
            }
        }
        CHECK_EQ(rbf->row_weight[t], 1.0f);
        CHECK_EQ(rbf->row_index[t], domain->first_coefficient + domain->centre_count);
        CHECK_EQ(rbf->row_first[v + 1], t + domain->term_count);
    }
}

TLW_TEST(rbf_rows_have_the_centres_within_three_sigma_and_the_linear_terms) {
    for_scenes(check_rows, 12);
}

// Seams

// Edges from a vertex to the nearest end of an edge between domains, by plain search.
static uint32_t edges_to_border(const tlw_cook* cook, uint32_t from, uint32_t left) {
    const tlw_cook_graph* graph = &cook->graph;
    const uint32_t* domain = cook->rbf.domain_of;
    uint32_t best = left + 1;
    for (uint32_t e = graph->edge_begin[from]; e < graph->edge_begin[from + 1]; ++e) {
        const uint32_t end = graph->edge_ends[e];
        if (domain[from] != domain[end] && domain[from] != TLW_RBF_NO_DOMAIN &&
            domain[end] != TLW_RBF_NO_DOMAIN) {
            return 0;
        }
    }
    for (uint32_t e = graph->edge_begin[from]; left > 0 && e < graph->edge_begin[from + 1]; ++e) {
        const uint32_t further = 1 + edges_to_border(cook, graph->edge_ends[e], left - 1);
        best = further < best ? further : best;
    }
    return best;
}

static void check_seams(const tlw_cook* cook) {
    const tlw_cook_rbf* rbf = &cook->rbf;
    uint32_t seam = 0;
    for (uint32_t v = 0; v < cook->graph.count; ++v) {
        const bool is_seam = rbf->seams[seam].row == v;
        CHECK_EQ(is_seam, edges_to_border(cook, v, 2) <= 2);
        double sum = 0.0;
        for (uint32_t i = rbf->seams[seam].first; is_seam && i < rbf->seams[seam + 1].first; ++i) {
            CHECK_LT(0.0f, rbf->seam_weights[i]);
            CHECK(i == rbf->seams[seam].first || rbf->seam_rows[i - 1] < rbf->seam_rows[i]);
            sum += (double)rbf->seam_weights[i];
        }
        CHECK_NEAR(sum, is_seam ? 1.0 : 0.0, 1e-6);
        seam += is_seam;
    }
    CHECK_EQ(seam, rbf->head.seam_count);
    CHECK_EQ(rbf->seams[seam].row, cook->graph.count);
    CHECK_EQ(rbf->head.seam_passes, cook->recipe->seam_passes);
}

TLW_TEST(rbf_seams_are_the_vertices_within_two_edges_of_a_border_of_domains) {
    for_scenes(check_seams, 12);
    for_samples(check_seams, 24);
}

static void check_share(const tlw_cook* cook) {
    const tlw_cook_graph* graph = &cook->graph;
    double sum = 0.0;
    for (uint32_t v = 0; v < graph->count; ++v) {
        for (uint32_t e = graph->edge_begin[v]; e < graph->edge_begin[v + 1]; ++e) {
            sum +=
                sqrt(tlw_rbf_squared(graph->positions[v], graph->positions[graph->edge_ends[e]]));
        }
    }
    const double share = cook->rbf.radius / (2.0 * sum / graph->edge_begin[graph->count]);
    CHECK_NEAR(cook->rbf.head.seam_share, share * share < 0.75 ? share * share : 0.75, 1e-6);
}

TLW_TEST(rbf_seam_passes_move_a_share_that_follows_from_radius_and_edges) {
    for_scenes(check_share, 12);
}
