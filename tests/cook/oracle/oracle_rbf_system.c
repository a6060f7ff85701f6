// SPDX-License-Identifier: MIT
// Oracle cooker, radial basis functions: systems, rows and seams (RULES 10.10, 5 to 7).
#include "tests/cook/oracle/oracle_mesh.h"
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double oracle_basis(double q) {
    const double rest = 1 - q * q / 9;
    return q < 3 ? exp(-q * q) * rest * rest : 0;
}

static int compare_reals(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

static double distance(const double a[3], const double b[3]) {
    return sqrt(oracle_squared_distance(a, b));
}

static double width_of(const oracle_cooked_rbf* rbf, const oracle_domain* domain) {
    const oracle_centre* centres = &rbf->centres[domain->first_centre];
    const uint32_t n = domain->centre_count, nearest = n - 1 < 6 ? n - 1 : 6;
    if (n == 1) {
        return rbf->radius;
    }
    double* distances = oracle_allocate(n, sizeof *distances);
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i) {
        double own = 0;
        for (uint32_t k = 0; k < n; ++k) {
            distances[k] = distance(centres[i].position, centres[k].position);
        }
        distances[i] = INFINITY;
        qsort(distances, n, sizeof *distances, compare_reals);
        for (uint32_t k = 0; k < nearest; ++k) {
            own += distances[k];
        }
        sum += own / nearest;
    }
    free(distances);
    return sum / n;
}

// Eigenvalues of a symmetric 3x3 by rotations that set one element after another to 0.
static void eigenvalues(double A[3][3], double out[3]) {
    for (int sweep = 0; sweep < 50; ++sweep) {
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                const double angle = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]);
                const double c = cos(angle), s = sin(angle);
                for (int k = 0; k < 3; ++k) { // A J
                    const double x = A[k][p], y = A[k][q];
                    A[k][p] = c * x - s * y;
                    A[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 3; ++k) { // J^T A
                    const double x = A[p][k], y = A[q][k];
                    A[p][k] = c * x - s * y;
                    A[q][k] = s * x + c * y;
                }
            }
        }
    }
    for (int k = 0; k < 3; ++k) {
        out[k] = A[k][k];
    }
    qsort(out, 3, sizeof *out, compare_reals);
}

static uint32_t terms_of(const oracle_cooked_rbf* rbf, const oracle_domain* domain) {
    double A[3][3] = {{0}}, values[3];
    for (uint32_t c = 0; c < domain->centre_count; ++c) {
        const double* x = rbf->centres[domain->first_centre + c].position;
        for (int k = 0; k < 9; ++k) {
            A[k / 3][k % 3] += (x[k / 3] - domain->mean[k / 3]) * (x[k % 3] - domain->mean[k % 3]);
        }
    }
    eigenvalues(A, values);
    return domain->centre_count < 6 || values[0] <= 1e-3 * values[2] ? 1 : 4;
}

// Gauss-Jordan with partial pivoting: turns the n x n matrix into its inverse.
static void invert(double* m, uint32_t n) {
    double* right = oracle_allocate((size_t)n * n, sizeof *right);
    for (uint32_t i = 0; i < n; ++i) {
        right[(size_t)i * n + i] = 1;
    }
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t pivot = i;
        for (uint32_t k = i + 1; k < n; ++k) {
            pivot = fabs(m[(size_t)k * n + i]) > fabs(m[(size_t)pivot * n + i]) ? k : pivot;
        }
        for (uint32_t k = 0; k < n; ++k) {
            const double a = m[(size_t)i * n + k], b = right[(size_t)i * n + k];
            m[(size_t)i * n + k] = m[(size_t)pivot * n + k];
            right[(size_t)i * n + k] = right[(size_t)pivot * n + k];
            m[(size_t)pivot * n + k] = a;
            right[(size_t)pivot * n + k] = b;
        }
        const double scale = 1 / m[(size_t)i * n + i];
        for (uint32_t k = 0; k < n; ++k) {
            m[(size_t)i * n + k] *= scale;
            right[(size_t)i * n + k] *= scale;
        }
        for (uint32_t row = 0; row < n; ++row) {
            const double factor = m[(size_t)row * n + i];
            for (uint32_t k = 0; k < n && row != i && factor != 0; ++k) {
                m[(size_t)row * n + k] -= factor * m[(size_t)i * n + k];
                right[(size_t)row * n + k] -= factor * right[(size_t)i * n + k];
            }
        }
    }
    memcpy(m, right, (size_t)n * n * sizeof *m);
    free(right);
}

// Linear term k of a point: 1, then the place relative to the centres' mean.
static double term(const oracle_domain* domain, const double x[3], uint32_t k) {
    return k == 0 ? 1 : (x[k - 1] - domain->mean[k - 1]) / domain->sigma;
}

static void solve(const oracle_cooked_rbf* rbf, oracle_domain* domain) {
    const oracle_centre* centres = &rbf->centres[domain->first_centre];
    const uint32_t n = domain->centre_count, size = n + domain->term_count;
    double* m = oracle_allocate((size_t)size * size, sizeof *m);
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t k = 0; k < n; ++k) {
            m[(size_t)i * size + k] =
                oracle_basis(distance(centres[i].position, centres[k].position) / domain->sigma);
        }
        for (uint32_t k = 0; k < domain->term_count; ++k) {
            m[(size_t)i * size + n + k] = m[(size_t)(n + k) * size + i] =
                term(domain, centres[i].position, k);
        }
    }
    invert(m, size);
    domain->inverse = oracle_allocate((size_t)size * n, sizeof *domain->inverse);
    for (uint32_t i = 0; i < size; ++i) {
        for (uint32_t c = 0; c < n; ++c) {
            domain->inverse[(size_t)i * n + c] = m[(size_t)i * size + c];
        }
    }
    free(m);
}

void oracle_make_systems(oracle_mesh* mesh) {
    oracle_cooked_rbf* rbf = &mesh->rbf;
    for (uint32_t d = 0; d < rbf->domain_count; ++d) {
        oracle_domain* domain = &rbf->domains[d];
        for (uint32_t c = 0; c < domain->centre_count; ++c) {
            for (int a = 0; a < 3; ++a) {
                domain->mean[a] +=
                    rbf->centres[domain->first_centre + c].position[a] / domain->centre_count;
            }
        }
        domain->sigma = width_of(rbf, domain);
        domain->term_count = terms_of(rbf, domain);
        solve(rbf, domain);
    }
}

static void place_of(const oracle_mesh* mesh, uint32_t welded, double x[3]) {
    for (int a = 0; a < 3; ++a) {
        x[a] = (double)mesh->vertices[mesh->graph.first_of[welded]].position[a];
    }
}

void oracle_make_rows(oracle_mesh* mesh) {
    oracle_cooked_rbf* rbf = &mesh->rbf;
    const uint32_t n = mesh->graph.count;
    size_t room = 0;
    uint32_t count = 0;
    for (uint32_t v = 0; v < n; ++v) {
        room +=
            rbf->domain_of[v] == ORACLE_NONE ? 0 : rbf->domains[rbf->domain_of[v]].centre_count + 4;
    }
    rbf->row_first = oracle_allocate((size_t)n + 1, sizeof *rbf->row_first);
    rbf->rows = oracle_allocate(room, sizeof *rbf->rows);
    for (uint32_t v = 0; v < n; ++v) {
        rbf->row_first[v] = count;
        if (rbf->domain_of[v] == ORACLE_NONE) {
            continue;
        }
        const oracle_domain* domain = &rbf->domains[rbf->domain_of[v]];
        double x[3];
        place_of(mesh, v, x);
        for (uint32_t c = 0; c < domain->centre_count; ++c) {
            const double q =
                distance(x, rbf->centres[domain->first_centre + c].position) / domain->sigma;
            if (q < 3) {
                rbf->rows[count++] = (oracle_row_term){c, oracle_basis(q)};
            }
        }
        for (uint32_t k = 0; k < domain->term_count; ++k) {
            rbf->rows[count++] = (oracle_row_term){domain->centre_count + k, term(domain, x, k)};
        }
    }
    rbf->row_first[n] = count;
}

// The cotangent of the angle at c in the triangle a, b, c; 0 where it has no sine.
static double cotangent(const double a[3], const double b[3], const double c[3]) {
    double u[3], v[3], dot = 0;
    for (int k = 0; k < 3; ++k) {
        u[k] = a[k] - c[k];
        v[k] = b[k] - c[k];
        dot += u[k] * v[k];
    }
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
    const double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return area > 1e-12 * distance(a, c) * distance(b, c) ? dot / area : 0;
}

static double edge_weight(const oracle_mesh* mesh, uint32_t a, uint32_t b) {
    double sum = 0;
    for (uint32_t t = 0; t < mesh->graph.triangle_count; ++t) {
        const uint32_t* corner = mesh->graph.triangles[t];
        for (int k = 0; k < 3; ++k) {
            const uint32_t from = corner[k], to = corner[(k + 1) % 3], over = corner[(k + 2) % 3];
            if ((from == a && to == b) || (from == b && to == a)) {
                double x[3][3];
                place_of(mesh, a, x[0]);
                place_of(mesh, b, x[1]);
                place_of(mesh, over, x[2]);
                sum += cotangent(x[0], x[1], x[2]);
            }
        }
    }
    return fmax(sum, 1e-6);
}

// Marks the ends of edges between domains, then twice what is an edge away.
static uint8_t* mark_seams(const oracle_mesh* mesh) {
    const oracle_graph* graph = &mesh->graph;
    const uint32_t* domain_of = mesh->rbf.domain_of;
    uint8_t* ring = oracle_allocate(graph->count, sizeof *ring); // 0 outside, 1 to 3
    for (uint8_t pass = 0; pass < 3; ++pass) {
        for (uint32_t v = 0; v < graph->count; ++v) {
            for (uint32_t k = graph->edge_first[v]; k < graph->edge_first[v + 1]; ++k) {
                const uint32_t to = graph->edge_ends[k];
                const bool is_border = domain_of[v] != domain_of[to] &&
                                       domain_of[v] != ORACLE_NONE && domain_of[to] != ORACLE_NONE;
                if (ring[v] == 0 && (pass == 0 ? is_border : ring[to] == pass)) {
                    ring[v] = (uint8_t)(pass + 1);
                }
            }
        }
    }
    return ring;
}

static double mean_edge(const oracle_mesh* mesh) {
    const oracle_graph* graph = &mesh->graph;
    double sum = 0;
    for (uint32_t v = 0; v < graph->count; ++v) {
        for (uint32_t k = graph->edge_first[v]; k < graph->edge_first[v + 1]; ++k) {
            double a[3], b[3];
            place_of(mesh, v, a);
            place_of(mesh, graph->edge_ends[k], b);
            sum += distance(a, b);
        }
    }
    return sum / graph->edge_first[graph->count]; // every edge counts twice on both sides
}

void oracle_make_seams(oracle_mesh* mesh) {
    oracle_cooked_rbf* rbf = &mesh->rbf;
    const oracle_graph* graph = &mesh->graph;
    uint8_t* ring = mark_seams(mesh);
    const double share = rbf->radius / (2 * mean_edge(mesh));
    rbf->seam_share = fmin(0.75, share * share);
    rbf->seams = oracle_allocate(graph->count, sizeof *rbf->seams);
    rbf->seam_first = oracle_allocate((size_t)graph->count + 1, sizeof *rbf->seam_first);
    rbf->seam_neighbours =
        oracle_allocate(graph->edge_first[graph->count], sizeof *rbf->seam_neighbours);
    rbf->seam_weights = oracle_allocate(graph->edge_first[graph->count], sizeof *rbf->seam_weights);
    uint32_t count = 0;
    for (uint32_t v = 0; v < graph->count; ++v) {
        if (ring[v] == 0 || rbf->domain_of[v] == ORACLE_NONE) {
            continue;
        }
        const uint32_t first = count;
        double sum = 0;
        for (uint32_t k = graph->edge_first[v]; k < graph->edge_first[v + 1]; ++k) {
            if (rbf->domain_of[graph->edge_ends[k]] != ORACLE_NONE) {
                rbf->seam_neighbours[count] = graph->edge_ends[k];
                rbf->seam_weights[count] = edge_weight(mesh, v, graph->edge_ends[k]);
                sum += rbf->seam_weights[count++];
            }
        }
        if (count == first) { // no neighbour has a domain
            continue;
        }
        for (uint32_t k = first; k < count; ++k) {
            rbf->seam_weights[k] /= sum;
        }
        rbf->seams[rbf->seam_count] = v;
        rbf->seam_first[rbf->seam_count++] = first;
    }
    rbf->seam_first[rbf->seam_count] = count;
    free(ring);
}
