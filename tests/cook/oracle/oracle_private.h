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

__extension__ typedef __int128 oracle_wide; // for sums over a whole mesh

typedef struct oracle_vector {
    int64_t x, y, z;
} oracle_vector;

// The point of the mesh that is closest to a voxel's centre (RULES 5.2).
typedef struct oracle_closest {
    uint32_t triangle;
    double barycentric[3];
} oracle_closest;

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
    double* vertex_paint;  // [vertex * TLW_COOK_PAINTS + paint]
    uint32_t triangle_count;
    uint32_t* triangles;
    int64_t* snapped;        // [vertex * 3]
    double* scaled;          // [vertex * 3] in voxels from the origin
    bool is_inside_out;      // its signed volume is negative (RULES 3.4)
    oracle_closest* closest; // [voxel]
} oracle_work;

// calloc that stops the program: the oracle has no way to go on without memory.
void* oracle_allocate(size_t count, size_t bytes);

const char* oracle_weld(oracle_work* work);          // RULES 1
const char* oracle_make_grid(oracle_work* work);     // RULES 2
void oracle_voxelise(oracle_work* work);             // RULES 3
void oracle_make_segments(oracle_work* work);        // RULES 4
void oracle_find_closest(oracle_work* work);         // RULES 5.2
const char* oracle_make_weights(oracle_work* work);  // RULES 5, for the cut
void oracle_make_links(oracle_work* work);           // RULES 6
void oracle_finish_weights(oracle_work* work);       // RULES 5, on the links that are left
void oracle_make_paint(oracle_work* work);           // RULES 8.7
void oracle_measure_skin(oracle_work* work);         // RULES 7 and 9.6: shell, d_skin, h
const char* oracle_make_parts(oracle_work* work);    // RULES 8.5 and 8.6
const char* oracle_make_profiles(oracle_work* work); // RULES 8.8
void oracle_make_layers(oracle_work* work);          // RULES 7 and 8
void oracle_make_blends(oracle_work* work);          // RULES 8.5, borders
void oracle_make_regions(oracle_work* work);         // RULES 9
void oracle_make_bends(oracle_work* work);           // RULES 9.8 to 9.10
void oracle_make_limbs(oracle_work* work);           // RULES 9.11
const char* oracle_make_muscles(oracle_work* work);  // RULES 9.12 and 9.13
void oracle_make_bellies(oracle_work* work);         // RULES 9.14
const char* oracle_make_lame(oracle_work* work);     // RULES 8.9
void oracle_bind(oracle_work* work);                 // RULES 10

// Binds a point of model space, metres (RULES 10.2 to 10.4).
oracle_binding oracle_bind_point(const oracle_result* result, const double position[3]);
// Sets a voxel's joints and weights to the four largest of a row with a number per joint, which is
// spent (RULES 5.5).
void oracle_take_four_largest(oracle_voxel* voxel, double* row, uint32_t joint_count);
// The joint with the nearest segment, for a voxel that no path joins to a segment (RULES 5.7).
uint32_t oracle_nearest_joint(const oracle_result* result, const oracle_voxel* voxel);
// Weights of the closest points, all joints: [voxel * joint_count + joint]. The caller frees them.
double* oracle_closest_weights(const oracle_work* work);
// Smooths `width` numbers per voxel over the links as they are now (RULES 5.4).
void oracle_smooth(const oracle_work* work, double* rows, size_t width);
// Geodesic weights over the links as they are now (RULES 5).
void oracle_geodesic_weights(oracle_work* work);
// Heat before energies and rounding, over the links as they are now: [voxel * joint_count + joint],
// rows of zeros where no joint reaches (RULES 5.9). Counts the sweeps. The caller frees the array.
double* oracle_heat_field(oracle_work* work);
// The same for diffusion, with energies (RULES 5.10).
double* oracle_diffusion_field(oracle_work* work);
// A joint's entry of the recipe, or null: strength and energy are 1.
const tlw_cook_heat* oracle_heat_of(const oracle_work* work, uint32_t joint);
// Path lengths over links (RULES 7), from every voxel where `distance` is 0 on entry; the others
// hold ORACLE_FAR on entry. `counts_links` gives the number of links instead.
void oracle_path_lengths(const oracle_result* result, uint32_t* distance, bool counts_links);
// The voxel that a link leads to, or ORACLE_NONE.
uint32_t oracle_linked(const oracle_result* result, uint32_t voxel, uint32_t bit);
uint32_t oracle_joint_named(const tlw_cook_input* input, const char* name);

// The nearest point of the skeleton to a voxel's centre, on segments of the voxel's joint (RULES
// 6.1); segment ORACLE_NONE if the joint owns none.
typedef struct oracle_anchor {
    uint32_t segment;
    double point[3];
    double distance; // from the voxel's centre
} oracle_anchor;

oracle_anchor oracle_find_anchor(const oracle_result* result, const oracle_voxel* voxel);
// Shortest ways between all joints, in voxels: [joint * joint_count + joint] (RULES 6.2). The
// caller frees them.
double* oracle_joint_distances(const oracle_work* work);

// Adds the four muscles of every limb that has some (RULES 9.13) to the result.
void oracle_add_auto_muscles(oracle_work* work, double bulge);
// Fills in what follows from places, radii, lengths of tendons and weights: everything that a
// muscle's vertices have (RULES 9.12). Returns what is wrong.
const char* oracle_finish_muscle(oracle_cooked_muscle* muscle);

double oracle_dot(const double a[3], const double b[3]);
// a + t b
void oracle_add_scaled(const double a[3], double t, const double b[3], double out[3]);
// Divides by the length, which it returns; leaves a vector without length.
double oracle_normalise(double v[3]);
// Takes away the part along a direction of length 1.
void oracle_take_part(double v[3], const double direction[3]);

// Exact, in snapped coordinates.
int oracle_sign(int64_t x);
void oracle_snapped_centre(const int32_t cell[3], int64_t centre[3]);
// det(b - a, c - a, x - a): below 0 if the triangle has x behind it.
int64_t oracle_determinant(const int64_t a[3], const int64_t b[3], const int64_t c[3],
                           const int64_t x[3]);
// Whether the closed triangle, which may be degenerate, touches the closed box of the cell.
bool oracle_triangle_touches_cell(const int64_t a[3], const int64_t b[3], const int64_t c[3],
                                  const int32_t cell[3]);
// The same for the box of all cells from low to high.
bool oracle_triangle_touches_cells(const int64_t a[3], const int64_t b[3], const int64_t c[3],
                                   const int32_t low[3], const int32_t high[3]);
// Whether the closed segment meets the closed triangle and is not in its plane (RULES 6.3).
bool oracle_segment_meets_triangle(const int64_t p[3], const int64_t q[3], const int64_t a[3],
                                   const int64_t b[3], const int64_t c[3]);
int64_t oracle_snap(const oracle_result* result, double x, int axis);
double oracle_to_voxels(const oracle_result* result, double x, int axis);

double oracle_squared_distance(const double a[3], const double b[3]);
void oracle_centre_of(const oracle_voxel* voxel, double centre[3]);
// Nearest point to p on the segment; returns the squared distance.
double oracle_nearest_on_segment(const double p[3], const double a[3], const double b[3],
                                 double nearest[3], double* parameter);

#endif
