// SPDX-License-Identifier: MIT
// Private to the oracle cooker: the data that its files hand to each other, and one function per
// rule.
#ifndef TLW_TESTS_COOK_ORACLE_ORACLE_PRIVATE_H
#define TLW_TESTS_COOK_ORACLE_ORACLE_PRIVATE_H

#include "tests/cook/oracle/oracle.h"

// Units of the integer grid per voxel (RULES 2.2).
#define ORACLE_UNITS 1024
// Slack of every comparison of reals that decides something discrete (RULES 12.2), so that rounding
// never decides what is a tie by geometry.
#define ORACLE_SLACK 1e-9

typedef struct oracle_work {
    const tlw_cook_input* input;
    const tlw_cook_recipe* recipe;
    oracle_result* result;
    bool* is_excluded; // [joint]: the recipe excludes it
    // Welded mesh.
    uint32_t vertex_count;
    double* positions;     // model space
    double* vertex_weight; // [vertex * joint_count + joint]; a row of zeros: no weights
    bool* is_weighted;     // [vertex]
    uint32_t triangle_count;
    uint32_t* triangles;
    int64_t* snapped; // [vertex * 3]
    double* scaled;   // [vertex * 3] in voxels from the origin
} oracle_work;

// calloc that stops the program: the oracle has no way to go on without memory.
void* oracle_allocate(size_t count, size_t bytes);

const char* oracle_weld(oracle_work* work);         // RULES 1
const char* oracle_make_grid(oracle_work* work);    // RULES 2
void oracle_voxelise(oracle_work* work);            // RULES 3
void oracle_make_segments(oracle_work* work);       // RULES 4
const char* oracle_make_weights(oracle_work* work); // RULES 5
void oracle_make_links(oracle_work* work);          // RULES 6
void oracle_make_layers(oracle_work* work);         // RULES 7 and 8
void oracle_make_parts(oracle_work* work);          // RULES 8.5 and 8.6
void oracle_make_regions(oracle_work* work);        // RULES 9
void oracle_bind(oracle_work* work);                // RULES 10

// Geodesic weights over the links as they are now (RULES 5).
void oracle_geodesic_weights(oracle_work* work);
// Path lengths over links (RULES 7), from every voxel where `distance` is 0 on entry; the others
// hold ORACLE_FAR on entry.
void oracle_path_lengths(const oracle_result* result, uint32_t* distance);
// Whether the closed triangle, which may be degenerate, touches the closed box of the cell. Exact.
bool oracle_triangle_touches_cell(const int64_t a[3], const int64_t b[3], const int64_t c[3],
                                  const int32_t cell[3]);
int64_t oracle_snap(const oracle_result* result, double x, int axis);
double oracle_to_voxels(const oracle_result* result, double x, int axis);
// Nearest point to p on the segment; returns the squared distance.
double oracle_nearest_on_segment(const double p[3], const double a[3], const double b[3],
                                 double nearest[3], double* parameter);

#endif
