// SPDX-License-Identifier: MIT
// Table 1 of Luo et al.: what 50 to 350 centres cost in one system and in six, on a body with as
// many vertices, triangles and domains as the paper's. Systems are built by the cooker's own
// functions; the run time is a plain loop over the same sums (MODEL 5.4).
#include "tools/figures/embedding.h"

#include "platform/clock.h"
#include "tools/motion/systems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEGMENTS = 50,
    RINGS = 102,
    VERTICES = RINGS * SEGMENTS + 3, // two poles, and one vertex inside a triangle: 5,103
    TRIANGLES = 2 * VERTICES - 4,    // of a closed surface without holes: 10,202
    DOMAINS = 6,
    COUNTS = 7,
    PASSES = 5,
    SEAMS = VERTICES / 4,
    REPEATS = 9
};

static const uint32_t counts[COUNTS] = {50, 100, 150, 200, 250, 300, 350};

// Milliseconds of the paper, Table 1.
static const double paper[4][COUNTS] = {{1.02, 3.92, 13.63, 27.98, 52.34, 91.48, 144.99},
                                        {0.18, 0.43, 1.08, 1.90, 3.26, 5.53, 8.51},
                                        {19.54, 30.51, 44.94, 57.81, 72.56, 86.56, 103.09},
                                        {28.17, 42.52, 58.77, 74.11, 89.81, 105.73, 119.82}};

// ---- The body: a trunk with a head, two arms and two legs, as a ball whose radius grows towards
// five directions. Domain 0 is the trunk, the others are the limbs.

typedef struct body {
    double points[VERTICES][3];
    uint32_t domains[VERTICES];
    uint32_t triangles[TRIANGLES][3];
    uint32_t triangle_count;
    // Neighbours of each vertex, and the quarter of the vertices that is nearest to seams.
    uint32_t first[VERTICES + 1], neighbours[6 * VERTICES];
    uint32_t seams[SEAMS];
    float values[VERTICES][3], passes[2][VERTICES][3];
} body;

static void place(body* b, uint32_t vertex, double height, double angle) {
    static const double limbs[DOMAINS - 1][3] = {{0.0, 1.0, 0.0},
                                                 {0.94, 0.34, 0.0},
                                                 {-0.94, 0.34, 0.0},
                                                 {0.45, -0.89, 0.0},
                                                 {-0.45, -0.89, 0.0}};
    const double ring = sqrt(1.0 - height * height);
    const double way[3] = {ring * cos(angle), height, ring * sin(angle)};
    double radius = 0.35,
           nearest = 0.74; // a limb within 42 degrees of its axis, so that domains are about equal
    for (uint32_t k = 0; k < DOMAINS - 1; ++k) {
        const double along = way[0] * limbs[k][0] + way[1] * limbs[k][1] + way[2] * limbs[k][2];
        radius += 0.65 * exp(-8.0 * (1.0 - along));
        if (along > nearest) {
            nearest = along;
            b->domains[vertex] = k + 1;
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        b->points[vertex][axis] = radius * way[axis];
    }
}

static void add_triangle(body* b, uint32_t i, uint32_t j, uint32_t k) {
    uint32_t* t = b->triangles[b->triangle_count++];
    t[0] = i;
    t[1] = j;
    t[2] = k;
}

static void make_mesh(body* b) {
    const uint32_t top = RINGS * SEGMENTS, bottom = top + 1, inner = top + 2;
    for (uint32_t r = 0; r < RINGS; ++r) {
        for (uint32_t s = 0; s < SEGMENTS; ++s) {
            place(b, r * SEGMENTS + s, cos(3.14159265358979 * (r + 1) / (RINGS + 1)),
                  6.28318530717959 * (s + 0.5 * (r % 2)) / SEGMENTS);
        }
    }
    place(b, top, 1.0, 0.0);
    place(b, bottom, -1.0, 0.0);
    for (uint32_t s = 0; s < SEGMENTS; ++s) {
        const uint32_t next = (s + 1) % SEGMENTS, last = (RINGS - 1) * SEGMENTS;
        add_triangle(b, top, next, s);
        add_triangle(b, bottom, last + s, last + next);
        for (uint32_t r = 0; r + 1 < RINGS; ++r) {
            const uint32_t i = r * SEGMENTS, j = i + SEGMENTS;
            add_triangle(b, i + s, i + next, j + s);
            add_triangle(b, i + next, j + next, j + s);
        }
    }
    // The first triangle becomes three.
    uint32_t* t = b->triangles[0];
    const uint32_t corners[3] = {t[0], t[1], t[2]};
    for (int axis = 0; axis < 3; ++axis) {
        b->points[inner][axis] = (b->points[corners[0]][axis] + b->points[corners[1]][axis] +
                                  b->points[corners[2]][axis]) /
                                 3.0;
    }
    b->domains[inner] = b->domains[corners[0]];
    t[2] = inner;
    add_triangle(b, corners[1], corners[2], inner);
    add_triangle(b, corners[2], corners[0], inner);
}

// Each side of a triangle leads from one vertex to the next; on a closed surface that is every
// neighbour once.
static void find_neighbours(body* b) {
    for (uint32_t pass = 0; pass < 2; ++pass) {
        for (uint32_t t = 0; t < TRIANGLES; ++t) {
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t from = b->triangles[t][k], to = b->triangles[t][(k + 1) % 3];
                if (pass == 0) {
                    b->first[from + 1] += 1;
                } else {
                    b->neighbours[b->first[from]++] = to;
                }
            }
        }
        for (uint32_t v = 0; pass == 0 && v < VERTICES; ++v) {
            b->first[v + 1] += b->first[v];
        }
    }
    for (uint32_t v = VERTICES; v > 0; --v) { // each was moved to the start of the next
        b->first[v] = b->first[v - 1];
    }
    b->first[0] = 0;
}

static void find_seams(body* b) {
    bool is_seam[VERTICES] = {false};
    uint32_t count = 0;
    for (uint32_t v = 0; v < VERTICES && count < SEAMS; ++v) {
        for (uint32_t n = b->first[v]; n < b->first[v + 1]; ++n) {
            if (!is_seam[v] && count < SEAMS && b->domains[v] != b->domains[b->neighbours[n]]) {
                is_seam[v] = true;
                b->seams[count++] = v;
            }
        }
    }
    for (uint32_t i = 0; i < count && count < SEAMS; ++i) { // ring by ring
        for (uint32_t n = b->first[b->seams[i]]; n < b->first[b->seams[i] + 1]; ++n) {
            const uint32_t to = b->neighbours[n];
            if (!is_seam[to] && count < SEAMS) {
                is_seam[to] = true;
                b->seams[count++] = to;
            }
        }
    }
}

// ---- Times

static void smooth_seams(body* b) {
    memcpy(b->passes[1], b->passes[0], sizeof b->passes[0]);
    for (int pass = 0; pass < PASSES; ++pass) {
        float(*from)[3] = b->passes[pass & 1];
        float(*to)[3] = b->passes[~pass & 1];
        for (uint32_t i = 0; i < SEAMS; ++i) {
            const uint32_t v = b->seams[i];
            const float share = 1.0f / (float)(b->first[v + 1] - b->first[v]);
            float mean[3] = {0.0f, 0.0f, 0.0f};
            for (uint32_t n = b->first[v]; n < b->first[v + 1]; ++n) {
                const float* u = from[b->neighbours[n]];
                mean[0] += share * u[0];
                mean[1] += share * u[1];
                mean[2] += share * u[2];
            }
            for (int axis = 0; axis < 3; ++axis) {
                to[v][axis] = from[v][axis] + 0.75f * (mean[axis] - from[v][axis]);
            }
        }
    }
}

typedef struct times {
    double init, run; // milliseconds, the least of several
    double terms;     // of a row
} times;

static bool measure(body* b, uint32_t centres, bool is_single, bool is_dense, times* out) {
    const tlw_systems_def def = {.point_count = VERTICES,
                                 .points = (const double(*)[3])b->points,
                                 .domains = is_single ? NULL : b->domains,
                                 .domain_count = DOMAINS,
                                 .centre_count = centres,
                                 .is_dense = is_dense};
    *out = (times){.init = HUGE_VAL, .run = HUGE_VAL};
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        tlw_systems* systems = tlw_systems_make(&def);
        if (systems == NULL) {
            return false;
        }
        const uint64_t start = tlw_clock_ns();
        tlw_systems_apply(systems, (const float(*)[3])b->values, b->passes[0]);
        if (!is_single) {
            smooth_seams(b);
        }
        out->run = fmin(out->run, (double)(tlw_clock_ns() - start) * 1e-6);
        out->init = fmin(out->init, tlw_systems_invert_ms(systems));
        out->terms = tlw_systems_row_length(systems);
        tlw_systems_free(systems);
    }
    return true;
}

static void print_row(const char* name, const double* values) {
    printf("| %s |", name);
    for (int i = 0; i < COUNTS; ++i) {
        printf(" %.*f |", values[i] < 10.0 ? 2 : 1, values[i]);
    }
    printf("\n");
}

// Dense rows are the paper's: a vertex sums all centres of its system.
enum { SINGLE_DENSE, SIX_DENSE, SINGLE_CUT, SIX_CUT, KINDS };

static void print(times all[KINDS][COUNTS]) {
    double rows[3 * KINDS][COUNTS];
    for (int k = 0; k < KINDS; ++k) {
        for (int i = 0; i < COUNTS; ++i) {
            rows[k][i] = all[k][i].init;
            rows[KINDS + k][i] = all[k][i].run;
            rows[2 * KINDS + k][i] = all[k][i].terms;
        }
    }
    printf("Milliseconds; %d vertices, %d triangles, %d domains; %d passes over a quarter of the "
           "vertices; the least of %d.\n\n| centres |",
           VERTICES, TRIANGLES, DOMAINS, PASSES, REPEATS);
    for (int i = 0; i < COUNTS; ++i) {
        printf(" %u |", counts[i]);
    }
    printf("\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    print_row("initialise, single, paper", paper[0]);
    print_row("initialise, six, paper", paper[1]);
    print_row("initialise, single", rows[SINGLE_DENSE]);
    print_row("initialise, six", rows[SIX_DENSE]);
    print_row("run, single, paper", paper[2]);
    print_row("run, six, paper", paper[3]);
    print_row("run, single, all centres", rows[KINDS + SINGLE_DENSE]);
    print_row("run, six, all centres of the domain", rows[KINDS + SIX_DENSE]);
    print_row("run, single, centres within 3 sigma", rows[KINDS + SINGLE_CUT]);
    print_row("run, six, centres within 3 sigma", rows[KINDS + SIX_CUT]);
    print_row("terms of a row, single, all centres", rows[2 * KINDS + SINGLE_DENSE]);
    print_row("terms of a row, six, within 3 sigma", rows[2 * KINDS + SIX_CUT]);
    printf(
        "\nAt 350 centres the paper initialises six systems %.0f times as fast as one, and we "
        "%.0f times.\nRun times do not follow the paper's, where six systems are slower because "
        "of their passes: here a vertex sums the centres of its own domain only, so six systems "
        "are faster even with the passes. With functions that end at 3 sigma, as the cooker's do, "
        "a row is about as long in one system as in six, and both cost about the same.\n",
        paper[0][COUNTS - 1] / paper[1][COUNTS - 1],
        rows[SINGLE_DENSE][COUNTS - 1] / rows[SIX_DENSE][COUNTS - 1]);
}

tlw_exit_code tlw_figures_print_systems(tlw_figures* f) {
    static times all[KINDS][COUNTS];
    body* b = calloc(1, sizeof *b);
    bool is_good = b != NULL;
    if (is_good) {
        make_mesh(b);
        find_neighbours(b);
        find_seams(b);
        for (uint32_t v = 0; v < VERTICES; ++v) {
            b->values[v][0] = 0.01f * (float)(v % 7);
            b->values[v][1] = 0.02f;
        }
    }
    for (int k = 0; k < KINDS && is_good; ++k) {
        for (int i = 0; i < COUNTS && is_good; ++i) {
            is_good = measure(b, counts[i], k == SINGLE_DENSE || k == SINGLE_CUT,
                              k == SINGLE_DENSE || k == SIX_DENSE, &all[k][i]);
        }
    }
    free(b);
    if (!is_good) {
        return tlw_figures_fail_memory(f);
    }
    print(all);
    return tlw_output_flush(f->command);
}
