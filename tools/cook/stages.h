// SPDX-License-Identifier: MIT
// Private to the cooking library: what the stages hand to each other. A stage is one file and one
// function; it reads what earlier stages left in tlw_cook and adds its own arrays. Real numbers are
// IEEE double in a fixed order of operations, without contraction, so that bytes do not depend on
// the machine.
//
//     weld -> grid, voxelise -> segments -> weights -> links -> distances -> layers -> order
//          -> regions -> pairs -> influences -> bind -> write
#ifndef TLW_TOOLS_COOK_STAGES_H
#define TLW_TOOLS_COOK_STAGES_H

#include "runtime/blob.h"
#include "tools/cook/cook.h"
#include "tools/cook/names.h"

#include <stddef.h>

#define TLW_SUBVOXELS 1024 // integer coordinates a voxel edge
#define TLW_NO_VOXEL  UINT32_MAX
// Reals that decide are compared with this much slack (voxels, squared voxels, shares of weight):
// in a symmetric character ties are common, and the last bit of a sum must not choose a side.
#define TLW_SLACK 1e-9

typedef struct tlw_int3 {
    int32_t x, y, z;
} tlw_int3;

// Coordinates stay within +-2^30 (tlw_cook_snap): products of three differences need more than 64
// bits.
__extension__ typedef __int128 tlw_wide_int;

typedef struct tlw_double3 {
    double x, y, z;
} tlw_double3;

typedef struct tlw_influence {
    uint32_t joint;
    double weight;
} tlw_influence;

// The welded mesh: vertices with one exact position each, triangles that kept three different ones.
typedef struct tlw_cook_welded {
    tlw_double3* positions;
    uint32_t* influence_begin; // vertex_count + 1 offsets into influences
    tlw_influence* influences; // of a vertex: ascending joints, weights that sum to 1
    uint32_t vertex_count;
    uint32_t (*triangles)[3];
    uint32_t triangle_count;
    uint32_t open_edges, non_manifold_edges, collapsed_triangles;
    uint32_t normalised_vertices; // whose weights did not sum to 1
} tlw_cook_welded;

typedef struct tlw_cook_grid {
    double voxel;       // edge, metres
    tlw_double3 origin; // lowest corner
    tlw_int3 size;
    double extent; // the longest, metres
} tlw_cook_grid;

typedef struct tlw_cook_voxels {
    uint32_t count;
    tlw_int3* coordinates; // by z, then y, then x
    uint32_t* index;       // of every cell of the grid, or TLW_NO_VOXEL
    uint32_t from_surface, from_inside, from_vote;
} tlw_cook_voxels;

typedef struct tlw_cook_skeleton_joint {
    tlw_double3 position;
    uint32_t parent; // the nearest kept one above, or TLW_NO_JOINT
    bool is_kept;
    uint32_t segment_begin, segment_end;
    uint32_t touched_begin, touched_end;
} tlw_cook_skeleton_joint;

typedef struct tlw_cook_segment {
    uint32_t owner;
    uint32_t child; // TLW_NO_JOINT: a leaf's
    tlw_double3 start, end;
} tlw_cook_segment;

typedef struct tlw_cook_skeleton {
    tlw_cook_skeleton_joint* joints; // one for each of the input's
    uint32_t joint_count;
    tlw_cook_segment* segments;
    uint32_t segment_count;
    uint32_t* touched; // voxels that a joint's segments touch, joint after joint
    uint32_t touched_count;
} tlw_cook_skeleton;

#define TLW_VOXEL_JOINTS 4

// Largest weight first; ties go to the lower joint. Unused places have weight 0 and joint 0.
typedef struct tlw_voxel_weights {
    uint32_t joint[TLW_VOXEL_JOINTS];
    double weight[TLW_VOXEL_JOINTS];
} tlw_voxel_weights;

// The point of the mesh that is closest to a voxel: corners of its triangle and their shares.
typedef struct tlw_surface_share {
    uint32_t vertex[3];
    double share[3];
} tlw_surface_share;

typedef struct tlw_cook_cut_count {
    uint32_t joint_a, joint_b; // largest-weight joints of the two voxels, a <= b
    uint32_t count;
} tlw_cook_cut_count;

typedef struct tlw_cook_links {
    uint32_t* masks;          // of each voxel: bit i is step i of tlw_link_steps
    tlw_cook_cut_count* cuts; // ascending pairs
    uint32_t cut_pair_count, cut_count;
} tlw_cook_links;

#define TLW_UNREACHED UINT32_MAX

typedef struct tlw_cook_anatomy {
    uint32_t *d_skin, *d_seg, *d_bone; // TLW_UNREACHED where there is no way
    uint8_t* layer;
    uint32_t* thickness; // h: the largest d_skin reachable by face steps that increase it
    uint32_t max_d_skin;
    uint32_t boneless_components, boneless_voxels;
} tlw_cook_anatomy;

// Voxels of one row that are stored as they lie; x is along the lane axis.
typedef struct tlw_cook_run {
    tlw_int3 start;
    int32_t length;
    int32_t reach_before, reach_behind; // cells beyond its ends that voxels look at
    uint32_t site;
} tlw_cook_run;

typedef struct tlw_cook_window {
    tlw_int3 cell; // of lane 0
    uint32_t run;
    uint32_t rows[9]; // sites; rows[4] is its own
    uint8_t occupied;
    uint8_t links[26];
    uint8_t flags;
    uint8_t influences; // of its list, which begins here
    uint32_t first_influence;
} tlw_cook_window;

typedef struct tlw_cook_order {
    uint32_t lane_axis;
    uint32_t slot_count, site_count, window_count, run_count;
    tlw_cook_run* runs;
    tlw_cook_window* windows;
    tlw_blob_block* blocks; // block_count, and one behind the last
    uint32_t block_count;
    uint32_t* slot_of_voxel;
    uint32_t* voxel_of_slot; // TLW_NO_VOXEL: empty
} tlw_cook_order;

// Of width 2: the voxels of a 2x2x2 block that are linked inside it, TLW_NO_VOXEL where none.
typedef struct tlw_cook_region {
    uint32_t voxels[8]; // dx + 2 dy + 4 dz
} tlw_cook_region;

// Pairs of a joint and the reference of a voxel that has it: reference << 16 | joint, ascending.
typedef struct tlw_cook_pairs {
    uint32_t* list;
    uint32_t count;
} tlw_cook_pairs;

// Joints of windows, list behind list, as the blob has them.
typedef struct tlw_cook_influences {
    uint16_t* joints;
    float* weights; // one a lane
    uint32_t count;
} tlw_cook_influences;

// Up to eight voxels and weights that sum to 1.
typedef struct tlw_cook_binding {
    uint32_t count;
    uint32_t voxel[8];
    double weight[8];
} tlw_cook_binding;

typedef struct tlw_cook {
    const tlw_cook_input* input;
    const tlw_cook_recipe* recipe;
    const tlw_task_system* tasks;
    tlw_cook_progress* progress; // null: nobody watches
    void* progress_user;
    tlw_cook_welded welded;
    tlw_cook_grid grid;
    tlw_cook_voxels voxels;
    tlw_cook_skeleton skeleton;
    tlw_voxel_weights* weights;
    bool has_artist_weights;    // the mode that the recipe and the mesh lead to
    tlw_surface_share* surface; // artist: of each voxel
    tlw_cook_links links;
    tlw_cook_anatomy anatomy;
    tlw_cook_order order;
    tlw_cook_region* regions; // of width 2: by lowest cell (z, y, x), then by first voxel
    uint32_t* region_order;   // [place in the blob] = one of them
    uint32_t region_count;
    tlw_cook_pairs pairs;
    tlw_cook_influences influences;
    tlw_joint_name* names; // of each joint, sorted
    bool* is_excluded;     // of each joint, by the recipe
    tlw_cook_error error;
    bool is_about_recipe;  // whose fault an error would be now
    uint64_t memory_bytes; // what the arrays hold; refused beyond the recipe's limit
    uint64_t peak_memory_bytes;
} tlw_cook;

// Memory

// Zeroed memory for count elements, counted against the recipe's limit; null after setting the
// error.
void* tlw_cook_allocate(tlw_cook* cook, uint64_t count, size_t element_bytes);
void tlw_cook_free(tlw_cook* cook, void* memory, uint64_t count, size_t element_bytes);
// Sets the first error and returns `result`.
tlw_result tlw_cook_fail(tlw_cook* cook, tlw_result result, const char* format, ...)
    TLW_PRINTF(3, 4);

// Geometry that several stages share

// To integer coordinates, floor((x - o) / s * 1024 + 0.5), held within +-2^30 on each axis.
tlw_int3 tlw_cook_snap(const tlw_cook_grid* grid, tlw_double3 point);
tlw_double3 tlw_cook_voxel_centre(const tlw_cook_grid* grid, tlw_int3 voxel);
size_t tlw_cook_cell(const tlw_cook_grid* grid, tlw_int3 voxel);
bool tlw_cook_inside_grid(const tlw_cook_grid* grid, tlw_int3 voxel);

// Whether a closed triangle (which may be a segment or a point) and the closed box of voxels [low,
// high] have a point in common. Exact.
bool tlw_triangle_touches_box(const tlw_int3 triangle[3], tlw_int3 low, tlw_int3 high);

// Calls `touch` for every voxel of the grid that the triangle touches.
typedef void tlw_touch_voxel(tlw_int3 voxel, void* user);
void tlw_for_touched_voxels(const tlw_cook_grid* grid, const tlw_int3 triangle[3],
                            tlw_touch_voxel* touch, void* user);

// Links

extern const tlw_int3 tlw_link_steps[26];
extern const uint8_t tlw_link_lengths[26]; // 1 face, 2 edge, 3 corner
#define TLW_FACE_LINKS ((1u << 4) | (1u << 10) | (1u << 12) | (1u << 13) | (1u << 15) | (1u << 21))
bool tlw_is_face_step(int step);
// The voxel that a set bit of a link mask leads to.
uint32_t tlw_linked_voxel(const tlw_cook* cook, uint32_t voxel, int step);
// Path lengths from the sources to every voxel.
tlw_result tlw_cook_path_lengths(tlw_cook* cook, const uint32_t* links, const uint32_t* sources,
                                 uint32_t source_count, uint32_t* distance);

// The voxels of a 2x2x2 block, bit and element dx + 2 dy + 4 dz; returns which there are.
unsigned tlw_cook_block(const tlw_cook* cook, tlw_int3 lowest, uint32_t voxels[8]);
// Its place with the lane axis first.
uint32_t tlw_turned_member(uint32_t member, uint32_t lane_axis);
// Those of them that one reaches through links inside the block.
unsigned tlw_cook_reach_in_block(const tlw_cook* cook, const uint32_t voxels[8], int from);
double tlw_squared_to_segment(const tlw_cook_segment* segment, tlw_double3 point);
// Whether all of a triangle's corners have weights.
bool tlw_has_weights(const tlw_cook_welded* welded, uint32_t triangle);
// Joints that a voxel has, 1 to 4: weights that are above 0 as floats. They come first.
uint32_t tlw_influence_count(const tlw_cook* cook, uint32_t voxel);
// A cell's coordinates with the lane axis first, then the two others in order.
tlw_int3 tlw_cook_turn(tlw_int3 cell, uint32_t lane_axis);
uint32_t tlw_cook_site(const tlw_cook_order* order, uint32_t slot);
double tlw_welded_weight(const tlw_cook_welded* welded, uint32_t vertex, uint32_t joint);

// Stages

tlw_result tlw_cook_weld(tlw_cook* cook);
tlw_result tlw_cook_make_grid(tlw_cook* cook);
tlw_result tlw_cook_voxelise(tlw_cook* cook);
tlw_result tlw_cook_make_segments(tlw_cook* cook);
tlw_result tlw_cook_weigh(tlw_cook* cook); // over cook->links as they are
tlw_result tlw_cook_link(tlw_cook* cook);
tlw_result tlw_cook_measure(tlw_cook* cook);
tlw_result tlw_cook_make_layers(tlw_cook* cook);
tlw_result tlw_cook_make_order(tlw_cook* cook);
tlw_result tlw_cook_make_regions(tlw_cook* cook);
tlw_result tlw_cook_make_pairs(tlw_cook* cook);
tlw_result tlw_cook_make_influences(tlw_cook* cook);
// A blob on a multiple of 64 bytes, for tlw_cook_free_blob.
tlw_result tlw_cook_write(tlw_cook* cook, uint8_t** bytes, size_t* size);
void tlw_cook_free_blob(uint8_t* bytes);
// All of them in order, and what they allocated.
tlw_result tlw_cook_run_stages(tlw_cook* cook);
void tlw_cook_free_stages(tlw_cook* cook);

tlw_cook_binding tlw_cook_bind_point(const tlw_cook* cook, tlw_double3 point);

#endif
