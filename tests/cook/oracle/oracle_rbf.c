// SPDX-License-Identifier: MIT
// Oracle cooker, radial basis functions: domains, centres, merging and the radius (RULES 10.10, 1
// to 4). Every distance is tried: nothing is sorted into cells.
#include "tests/cook/oracle/oracle_mesh.h"
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST_CENTRES 16 // of a domain that is not merged
#define MOST_CENTRES   512
#define LEAST_CENTRES  256
#define RADII_MAX      32
#define CANDIDATES_MAX 1048576.0

// A centre while it is sampled: its domain is the lowest of the merged joints.
typedef struct sample {
    uint32_t joint;
    double x[3];
} sample;

typedef struct sampling {
    const oracle_mesh* mesh;
    uint32_t joint_count;
    double (*x)[3];     // [welded vertex], metres
    uint32_t* weight;   // [welded vertex * joint_count + joint], 0 for all: not skinned
    uint32_t* merged;   // [joint]: the lowest joint of its domain
    uint32_t* triangle; // those whose corners are all skinned
    double* running;    // the sum of their areas up to and with each
    uint32_t triangle_count;
    double area;
    sample* centres;
    uint32_t count;
} sampling;

static bool is_skinned(const oracle_mesh* mesh, uint32_t welded) {
    return mesh->vertices[mesh->graph.first_of[welded]].joints.count > 0;
}

static double area_of(const double a[3], const double b[3], const double c[3]) {
    double u[3], v[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
    return 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static sampling start(const oracle_mesh* mesh, uint32_t joint_count) {
    const oracle_graph* graph = &mesh->graph;
    sampling s = {.mesh = mesh, .joint_count = joint_count};
    s.x = oracle_allocate(graph->count, sizeof *s.x);
    s.weight = oracle_allocate((size_t)graph->count * joint_count, sizeof *s.weight);
    s.merged = oracle_allocate(joint_count, sizeof *s.merged);
    s.triangle = oracle_allocate(graph->triangle_count, sizeof *s.triangle);
    s.running = oracle_allocate(graph->triangle_count, sizeof *s.running);
    for (uint32_t v = 0; v < graph->count; ++v) {
        const oracle_vertex* vertex = &mesh->vertices[graph->first_of[v]];
        for (int a = 0; a < 3; ++a) {
            s.x[v][a] = (double)vertex->position[a];
        }
        for (uint32_t k = 0; k < vertex->joints.count; ++k) {
            s.weight[(size_t)v * joint_count + vertex->joints.index[k]] += vertex->joints.weight[k];
        }
    }
    for (uint32_t t = 0; t < graph->triangle_count; ++t) {
        const uint32_t* corner = graph->triangles[t];
        if (is_skinned(mesh, corner[0]) && is_skinned(mesh, corner[1]) &&
            is_skinned(mesh, corner[2])) {
            s.area += area_of(s.x[corner[0]], s.x[corner[1]], s.x[corner[2]]);
            s.triangle[s.triangle_count] = t;
            s.running[s.triangle_count++] = s.area;
        }
    }
    return s;
}

static void finish(sampling* s) {
    free(s->x);
    free(s->weight);
    free(s->merged);
    free(s->triangle);
    free(s->running);
    free(s->centres);
}

// The domain of a point of a triangle, given its corners and shares; for a vertex, one corner. The
// weights of a corner are integers, so that only the shares can round.
static uint32_t domain_of_point(const sampling* s, const uint32_t* corner, const double* share,
                                uint32_t corners) {
    uint32_t best = ORACLE_NONE;
    double most = 0;
    for (uint32_t d = 0; d < s->joint_count; ++d) {
        double mean = 0;
        for (uint32_t c = 0; c < corners; ++c) {
            uint32_t sum = 0;
            for (uint32_t j = 0; j < s->joint_count; ++j) {
                sum += s->merged[j] == d ? s->weight[(size_t)corner[c] * s->joint_count + j] : 0;
            }
            mean += share[c] * sum;
        }
        if (mean > most) {
            most = mean;
            best = d;
        }
    }
    return best;
}

static uint32_t domain_of_vertex(const sampling* s, uint32_t welded) {
    return domain_of_point(s, &welded, (const double[]){1}, 1);
}

// The lowest joint of each vertex's domain.
static void find_domains(const sampling* s, uint32_t* domain_of) {
    for (uint32_t v = 0; v < s->mesh->graph.count; ++v) {
        domain_of[v] = domain_of_vertex(s, v);
    }
}

static double next_share(uint64_t* state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

static void accept(sampling* s, const sample* candidate, double r) {
    for (uint32_t c = 0; c < s->count; ++c) {
        if (s->centres[c].joint == candidate->joint &&
            sqrt(oracle_squared_distance(s->centres[c].x, candidate->x)) < r) {
            return;
        }
    }
    s->centres[s->count++] = *candidate;
}

static void sample_centres(sampling* s, double r) {
    const double wanted = ceil(10 * s->area / (r * r) * (1 - 1e-9));
    const uint64_t M = (uint64_t)fmin(wanted, CANDIDATES_MAX);
    sample* candidates = oracle_allocate(M, sizeof *candidates);
    uint64_t state = 1;
    uint32_t t = 0;
    for (uint64_t k = 0; k < M; ++k) {
        const double u0 = next_share(&state), u1 = next_share(&state), u2 = next_share(&state);
        const double along = ((double)k + u0) / (double)M * s->area;
        while (t + 1 < s->triangle_count && !(s->running[t] > along)) {
            t += 1; // it never has to go back: `along` ascends
        }
        const uint32_t* corner = s->mesh->graph.triangles[s->triangle[t]];
        const double root = sqrt(u1), share[3] = {1 - root, (1 - u2) * root, u2 * root};
        candidates[k].joint = domain_of_point(s, corner, share, 3);
        for (int a = 0; a < 3; ++a) {
            candidates[k].x[a] = share[0] * s->x[corner[0]][a] + share[1] * s->x[corner[1]][a] +
                                 share[2] * s->x[corner[2]][a];
        }
    }
    uint64_t step = (uint64_t)floor(0.6180339887498949 * (double)M) | 1;
    while (M > 0 && common_divisor(step, M) != 1) {
        step += 2;
    }
    free(s->centres);
    s->centres = oracle_allocate(M + s->joint_count, sizeof *s->centres);
    s->count = 0;
    for (uint64_t i = 0; i < M; ++i) {
        accept(s, &candidates[i * step % M], r);
    }
    free(candidates);
}

// Merge (RULES 10.10, 3): counts of centres and of mesh edges are those of single joints, added up.
static void merge(sampling* s) {
    const oracle_graph* graph = &s->mesh->graph;
    const uint32_t n = s->joint_count;
    uint32_t* centres = oracle_allocate(n, sizeof *centres);
    uint32_t* edges = oracle_allocate((size_t)n * n, sizeof *edges); // by domains, both ways
    uint32_t* domain_of = oracle_allocate(graph->count, sizeof *domain_of);
    find_domains(s, domain_of);
    for (uint32_t c = 0; c < s->count; ++c) {
        centres[s->centres[c].joint] += 1;
    }
    for (uint32_t v = 0; v < graph->count; ++v) {
        for (uint32_t k = graph->edge_first[v]; k < graph->edge_first[v + 1]; ++k) {
            const uint32_t a = domain_of[v], b = domain_of[graph->edge_ends[k]];
            if (a != b && a != ORACLE_NONE && b != ORACLE_NONE) {
                edges[(size_t)a * n + b] += 1;
            }
        }
    }
    for (;;) {
        uint32_t least = ORACLE_NONE, to = ORACLE_NONE;
        for (uint32_t d = 0; d < n; ++d) {
            bool has_neighbours = false;
            for (uint32_t e = 0; e < n; ++e) {
                has_neighbours = has_neighbours || edges[(size_t)d * n + e] > 0;
            }
            if (has_neighbours && centres[d] < FEWEST_CENTRES &&
                (least == ORACLE_NONE || centres[d] < centres[least])) {
                least = d;
            }
        }
        if (least == ORACLE_NONE) {
            break;
        }
        for (uint32_t e = 0; e < n; ++e) {
            if (edges[(size_t)least * n + e] > 0 &&
                (to == ORACLE_NONE ||
                 edges[(size_t)least * n + e] > edges[(size_t)least * n + to])) {
                to = e;
            }
        }
        const uint32_t keeps = least < to ? least : to, goes = least < to ? to : least;
        centres[keeps] += centres[goes];
        centres[goes] = 0;
        for (uint32_t e = 0; e < n; ++e) {
            edges[(size_t)keeps * n + e] += edges[(size_t)goes * n + e];
            edges[(size_t)e * n + keeps] += edges[(size_t)e * n + goes];
            edges[(size_t)goes * n + e] = edges[(size_t)e * n + goes] = 0;
        }
        edges[(size_t)keeps * n + keeps] = 0;
        for (uint32_t j = 0; j < n; ++j) {
            s->merged[j] = s->merged[j] == goes ? keeps : s->merged[j];
        }
    }
    free(domain_of);
    free(centres);
    free(edges);
}

// A domain with vertices and without a centre gets one at the vertex nearest to their mean.
static void add_missing_centres(sampling* s, const uint32_t* domain_of) {
    for (uint32_t d = 0; d < s->joint_count; ++d) {
        double mean[3] = {0}, least = INFINITY;
        uint32_t vertices = 0, nearest = ORACLE_NONE;
        bool has_centre = false;
        for (uint32_t c = 0; c < s->count; ++c) {
            has_centre = has_centre || s->centres[c].joint == d;
        }
        for (uint32_t v = 0; v < s->mesh->graph.count; ++v) {
            for (int a = 0; a < 3 && domain_of[v] == d; ++a) {
                mean[a] += s->x[v][a];
            }
            vertices += domain_of[v] == d;
        }
        if (has_centre || vertices == 0) {
            continue;
        }
        for (int a = 0; a < 3; ++a) {
            mean[a] /= vertices;
        }
        for (uint32_t v = 0; v < s->mesh->graph.count; ++v) {
            const double squared = oracle_squared_distance(s->x[v], mean);
            if (domain_of[v] == d && squared < least) {
                least = squared;
                nearest = v;
            }
        }
        s->centres[s->count].joint = d;
        memcpy(s->centres[s->count++].x, s->x[nearest], sizeof mean);
    }
}

// Steps 2 and 3 for one radius; domain_of has the lowest joint of each vertex's domain.
static void sample_radius(sampling* s, double r, uint32_t* domain_of) {
    for (uint32_t j = 0; j < s->joint_count; ++j) {
        s->merged[j] = j;
    }
    sample_centres(s, r);
    merge(s);
    sample_centres(s, r);
    find_domains(s, domain_of);
    add_missing_centres(s, domain_of);
}

// Stores centres by domain and numbers the domains.
static void store(const sampling* s, const oracle_result* result, const uint32_t* domain_of,
                  oracle_cooked_rbf* rbf) {
    rbf->domains = oracle_allocate(s->joint_count, sizeof *rbf->domains);
    rbf->centres = oracle_allocate(s->count, sizeof *rbf->centres);
    for (uint32_t j = 0; j < s->joint_count; ++j) {
        oracle_domain domain = {.joint = j, .first_centre = rbf->centre_count};
        for (uint32_t c = 0; c < s->count; ++c) {
            if (s->centres[c].joint == j) {
                oracle_centre* centre = &rbf->centres[rbf->centre_count++];
                centre->domain = rbf->domain_count;
                memcpy(centre->position, s->centres[c].x, sizeof centre->position);
                centre->binding = oracle_bind_point(result, centre->position);
            }
        }
        domain.centre_count = rbf->centre_count - domain.first_centre;
        if (domain.centre_count > 0) {
            for (uint32_t v = 0; v < s->mesh->graph.count; ++v) {
                rbf->domain_of[v] = domain_of[v] == j ? rbf->domain_count : rbf->domain_of[v];
            }
            rbf->domains[rbf->domain_count++] = domain;
        }
        rbf->merged_count += s->merged[j] != j;
    }
}

const char* oracle_make_rbf(const oracle_result* result, uint32_t joint_count, oracle_mesh* mesh) {
    oracle_cooked_rbf* rbf = &mesh->rbf;
    const uint32_t n = mesh->graph.count;
    sampling s = start(mesh, joint_count);
    uint32_t* domain_of = oracle_allocate(n, sizeof *domain_of);
    double r = result->s;
    sample_radius(&s, r, domain_of);
    rbf->sampling_count = 1;
    if (s.count > MOST_CENTRES) {
        for (int k = 0; k < RADII_MAX && s.count > MOST_CENTRES; ++k) {
            r *= 1.25;
            sample_radius(&s, r, domain_of);
            rbf->sampling_count += 1;
        }
    } else {
        for (int k = 0; k < RADII_MAX && s.count < LEAST_CENTRES; ++k) {
            const double before = r;
            r /= 1.25;
            sample_radius(&s, r, domain_of);
            rbf->sampling_count += 1;
            if (s.count > MOST_CENTRES) {
                r = before;
                sample_radius(&s, r, domain_of);
                break;
            }
        }
    }
    rbf->radius = r;
    rbf->domain_of = oracle_allocate(n, sizeof *rbf->domain_of);
    for (uint32_t v = 0; v < n; ++v) {
        rbf->domain_of[v] = ORACLE_NONE;
    }
    store(&s, result, domain_of, rbf);
    const bool has_too_many = s.count > MOST_CENTRES;
    free(domain_of);
    finish(&s);
    return has_too_many ? "no radius gives at most 512 centres" : NULL;
}
