// SPDX-License-Identifier: MIT
// The oracle cooker's second half: what the embedding needs of the render meshes (RULES 10.5 to
// 10.10). Written from the rules alone, with plain loops and libm; it shares no line with the
// library. It has no slots, so voxels are named by their index, and lists of voxels ascend by that.
#ifndef TLW_TESTS_COOK_ORACLE_ORACLE_MESH_H
#define TLW_TESTS_COOK_ORACLE_ORACLE_MESH_H

#include "tests/cook/oracle/oracle.h"

#define ORACLE_WEIGHT_ONE 32768 // the sum of a vertex's weights
#define ORACLE_RING       6     // neighbours of a ring

// Voxels or joints that a vertex follows (RULES 10.5). Only weights above 0.
typedef struct oracle_followed {
    uint32_t count;
    uint32_t index[8];
    uint32_t weight[8];
    // A rounding or a tie was so close that the last bit of a sum may decide it another way.
    bool is_close;
} oracle_followed;

// A vertex of a mesh that is not ignored, or a point.
typedef struct oracle_vertex {
    uint32_t source;    // meshes that are not ignored, then point sets
    bool has_triangles; // its source has
    float position[3];  // as given: two vertices are welded if these are equal
    float normal[3];    // 0 without
    oracle_followed voxels, joints;
    double xb[3]; // model space, metres (RULES 10.8)
    // Ring (RULES 10.9): first vertices of the source, with two coefficients each.
    uint32_t ring_count;
    uint32_t ring[ORACLE_RING];
    double ring_weight[ORACLE_RING][2];
} oracle_vertex;

// Eight vertices (RULES 10.7); lists ascend.
typedef struct oracle_group {
    uint32_t vertices[8]; // the last one is repeated
    uint32_t vertex_count;
    uint32_t voxel_count, voxels[64], voxel_weights[64][8];
    uint32_t joint_count, joints[64], joint_weights[64][8];
} oracle_group;

// The mesh graph (RULES 10.9).
typedef struct oracle_graph {
    uint32_t* welded_of; // [vertex]
    uint32_t* first_of;  // [welded vertex]: its first vertex
    uint32_t count;
    uint32_t (*triangles)[3]; // of welded vertices, all three different
    uint32_t triangle_count;
    uint32_t* edge_first; // [welded vertex + 1] into edge_ends
    uint32_t* edge_ends;  // ascending
} oracle_graph;

typedef struct oracle_domain {
    uint32_t joint; // the lowest of those that were merged
    uint32_t first_centre, centre_count;
    uint32_t term_count; // 1 or 4
    double sigma;
    double mean[3];  // of the centres
    double* inverse; // [(row) * centre_count + c]: centre_count + term_count rows
} oracle_domain;

typedef struct oracle_centre {
    uint32_t domain; // index into domains
    double position[3];
    oracle_binding binding;
} oracle_centre;

typedef struct oracle_row_term {
    uint32_t coefficient; // of its domain: centres, then linear terms
    double weight;
} oracle_row_term;

// Radial basis functions (RULES 10.10), in metres.
typedef struct oracle_cooked_rbf {
    double radius;
    double seam_share;       // l
    uint32_t sampling_count; // radii that were tried
    uint32_t merged_count;   // joints whose domain joined another
    oracle_domain* domains;
    uint32_t domain_count;
    oracle_centre* centres; // by domain, then in the order of acceptance
    uint32_t centre_count;
    uint32_t* domain_of; // [welded vertex], index into domains or ORACLE_NONE
    uint32_t* row_first; // [welded vertex + 1]
    oracle_row_term* rows;
    uint32_t seam_count;
    uint32_t* seams;           // welded vertices, ascending
    uint32_t* seam_first;      // [seam + 1] into the two after it
    uint32_t* seam_neighbours; // ascending
    double* seam_weights;
} oracle_cooked_rbf;

typedef struct oracle_mesh {
    oracle_vertex* vertices; // source order
    uint32_t vertex_count;
    uint32_t source_count;
    uint32_t* cooked; // [place in the cooked order] = vertex
    oracle_group* groups;
    uint32_t group_count;
    bool* is_bound;    // [voxel]: a group lists it
    double (*rest)[6]; // [voxel] SLOT_REST along x, y, z: xx, yy, zz, xy, xz, yz
    bool has_rings, has_rbf;
    oracle_graph graph; // empty unless rings or rbf are asked for
    oracle_cooked_rbf rbf;
} oracle_mesh;

// Takes what oracle_cook made of the same input and recipe. Returns null, or what is wrong. Free
// the mesh in either case.
const char* oracle_cook_mesh(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                             const oracle_result* result, oracle_mesh* mesh);
void oracle_free_mesh(oracle_mesh* mesh);

// Rounds weights that sum to 1 (RULES 10.5).
oracle_followed oracle_round_weights(const uint32_t* index, const double* weight, uint32_t count);
// The basis function of q = |x - c|/sigma (RULES 10.10, 5).
double oracle_basis(double q);

// Stages of oracle_cook_mesh.
void oracle_make_vertices(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                          const oracle_result* result, oracle_mesh* mesh); // RULES 10.5, 10.6, 10.8
void oracle_make_groups(const oracle_result* result, oracle_mesh* mesh);   // RULES 10.7
void oracle_make_rest(const oracle_result* result, oracle_mesh* mesh);     // RULES 10.8
void oracle_make_graph(const tlw_cook_input* input, oracle_mesh* mesh);    // RULES 10.9
void oracle_make_rings(oracle_mesh* mesh);                                 // RULES 10.9
// Steps 1 to 4 of RULES 10.10. Returns null, or what is wrong.
const char* oracle_make_rbf(const oracle_result* result, uint32_t joint_count, oracle_mesh* mesh);
// Steps 5 to 7 of RULES 10.10, once the domains and centres are known.
void oracle_make_systems(oracle_mesh* mesh);
void oracle_make_rows(oracle_mesh* mesh);
void oracle_make_seams(oracle_mesh* mesh);

#endif
