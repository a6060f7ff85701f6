// SPDX-License-Identifier: MIT
// Private to the cooking library: the table of stages, and the data that stages hand to each other.
// A stage is one file and one function (weights.c holds two): it reads what earlier stages left in
// tlw_cook and adds arrays of its own. Its rule is a section of RULES.md. Real numbers are IEEE
// double in a fixed order of operations, without contraction, so that the bytes do not depend on
// the machine.
#ifndef TLW_TOOLS_COOK_STAGES_H
#define TLW_TOOLS_COOK_STAGES_H

#include "runtime/blob.h"
#include "tools/cook/cook.h"
#include "tools/cook/names.h"

#include <stddef.h>

// Stages in the order in which they run: name (and file), function, text that progress shows,
// section of RULES.md. Stages with the same text are one step of progress: the text is announced
// before the first of them. The last number is how long the stage takes, in parts of what the
// others take, as measured with voxels of 1/300; progress moves by it. weights.c holds two stages:
// weights by which links are cut, and the weights that stay.
#define TLW_COOK_STAGES(X)                                          \
    X(check, tlw_cook_check, "check", 12, 1)                        \
    X(weld, tlw_cook_weld, "weld", 1, 1)                            \
    X(grid, tlw_cook_make_grid, "grid", 2, 1)                       \
    X(voxelise, tlw_cook_voxelise, "voxelise", 3, 2)                \
    X(weight_mode, tlw_cook_choose_weights, "choose weights", 5, 1) \
    X(segments, tlw_cook_make_segments, "segments", 4, 1)           \
    X(links, tlw_cook_link, "weights and links", 6, 1)              \
    X(surface, tlw_cook_find_surface, "weights and links", 5, 6)    \
    X(weights, tlw_cook_weigh, "weights and links", 5, 1)           \
    X(cuts, tlw_cook_cut_links, "weights and links", 6, 2)          \
    X(reweigh, tlw_cook_reweigh, "weights and links", 5, 4)         \
    X(paint, tlw_cook_read_paint, "weights and links", 8, 1)        \
    X(distances, tlw_cook_measure, "distances", 7, 2)               \
    X(depth, tlw_cook_measure_depth, "distances", 9, 1)             \
    X(firm, tlw_cook_find_firm, "layers", 8, 1)                     \
    X(parts, tlw_cook_make_parts, "layers", 8, 1)                   \
    X(limits, tlw_cook_make_limits, "layers", 9, 1)                 \
    X(layers, tlw_cook_make_layers, "layers", 8, 2)                 \
    X(borders, tlw_cook_blend_borders, "layers", 8, 1)              \
    X(order, tlw_cook_make_order, "order", 11, 2)                   \
    X(regions, tlw_cook_make_regions, "regions", 9, 1)              \
    X(volume, tlw_cook_make_volume, "regions", 9, 1)                \
    X(moments, tlw_cook_make_moments, "regions", 9, 1)              \
    X(pairs, tlw_cook_make_pairs, "pairs", 11, 1)                   \
    X(boxes, tlw_cook_make_boxes, "pairs", 11, 1)                   \
    X(influences, tlw_cook_make_influences, "influences", 11, 1)    \
    X(bends, tlw_cook_make_bends, "bends", 9, 3)                    \
    X(profiles, tlw_cook_make_profiles, "bends", 8, 1)              \
    X(limbs, tlw_cook_make_limbs, "bends", 9, 1)                    \
    X(muscles, tlw_cook_make_muscles, "bends", 9, 1)                \
    X(bellies, tlw_cook_make_bellies, "bends", 9, 1)                \
    X(lame, tlw_cook_make_lame, "bends", 9, 1)                      \
    X(sources, tlw_cook_list_sources, "write", 10, 1)               \
    X(bind, tlw_cook_bind, "write", 10, 1)                          \
    X(groups, tlw_cook_group_vertices, "write", 10, 1)              \
    X(graph, tlw_cook_make_graph, "write", 10, 1)                   \
    X(rings, tlw_cook_make_rings, "write", 10, 1)                   \
    X(rbf, tlw_cook_make_rbf, "write", 10, 1)                       \
    X(write, tlw_cook_write, "write", 11, 1)

#define TLW_RECIPE_COOKIE 0x52454349u // in every recipe from tlw_default_cook_recipe

#define TLW_SUBVOXELS 1024 // integer coordinates per voxel edge
#define TLW_NO_VOXEL  UINT32_MAX
// Slack of every comparison of reals that decides something (voxels, squared voxels, shares of
// weight): ties are common in a symmetric character, and the last bit of a sum must not choose a
// side (RULES 12.2).
#define TLW_SLACK 1e-9

typedef struct tlw_int3 {
    int32_t x, y, z;
} tlw_int3;

// Coordinates stay within +-2^30 (tlw_cook_snap), and products of three differences of them need
// more than 64 bits.
__extension__ typedef __int128 tlw_wide_int;

typedef struct tlw_double3 {
    double x, y, z;
} tlw_double3;

typedef struct tlw_influence {
    uint32_t joint;
    double weight;
} tlw_influence;

// The welded mesh: no two vertices at one position, no triangle with two equal corners. Its arrays
// are freed after the reweigh stage; the counts stay for the report.
typedef struct tlw_cook_welded {
    tlw_double3* positions;
    tlw_int3* snapped;         // positions as integers (RULES 2.2), within [0, 2^20]
    uint32_t* influence_begin; // vertex_count + 1 offsets into influences
    tlw_influence* influences; // per vertex: ascending joints, weights that sum to 1
    uint32_t vertex_count;
    uint32_t (*triangles)[3];
    uint32_t triangle_count;
    // Side 3 t + i of triangle t runs from corner i to the next. Sides on one edge form a ring:
    // this is the next of them, the side itself on an open edge.
    uint32_t* next_side;
    bool is_inside_out; // its signed volume is negative (RULES 3.4)
    uint32_t open_edges, non_manifold_edges, collapsed_triangles;
    uint32_t normalised_vertices;   // source vertices whose weights did not sum to 1
    double* paint[TLW_COOK_PAINTS]; // per vertex; null: nothing is painted. For the stage paint
} tlw_cook_welded;

typedef struct tlw_cook_grid {
    double voxel;       // edge, metres
    tlw_double3 origin; // lowest corner
    tlw_int3 size;
    double extent; // L: the longest extent of the mesh, metres
} tlw_cook_grid;

typedef struct tlw_cook_voxels {
    uint32_t count;
    tlw_int3* coordinates; // by z, then y, then x
    uint32_t* index;       // per cell of the grid: its voxel, or TLW_NO_VOXEL
    bool* is_touched;      // per voxel: a triangle touches it; freed after the cuts stage
    bool* is_inside;       // per voxel: its centre is inside; freed after the surface stage
    uint32_t from_surface, from_inside, from_vote;
} tlw_cook_voxels;

typedef struct tlw_cook_skeleton_joint {
    tlw_double3 position;
    uint32_t parent; // nearest kept ancestor, or TLW_NO_JOINT
    bool is_kept;    // false: no vertex has weight for it, or the recipe excludes it
    uint32_t segment_begin, segment_end;
    uint32_t touched_begin, touched_end;
} tlw_cook_skeleton_joint;

typedef struct tlw_cook_segment {
    uint32_t owner;
    uint32_t child; // TLW_NO_JOINT: the extension of a leaf
    tlw_double3 start, end;
} tlw_cook_segment;

typedef struct tlw_cook_skeleton {
    tlw_cook_skeleton_joint* joints; // one per joint of the input
    uint32_t joint_count;
    tlw_cook_segment* segments;
    uint32_t segment_count;
    uint32_t* touched; // voxels that a joint's segments touch, joint by joint
    uint32_t touched_count;
} tlw_cook_skeleton;

// The point of the mesh that is closest to a voxel's centre (RULES 5.2).
typedef struct tlw_surface_point {
    uint32_t triangle;
    double share[3]; // of the triangle's corners
} tlw_surface_point;

#define TLW_VOXEL_JOINTS 4

// Largest weight first; ties go to the lower joint. Unused places have weight 0 and joint 0.
typedef struct tlw_voxel_weights {
    uint32_t joint[TLW_VOXEL_JOINTS];
    double weight[TLW_VOXEL_JOINTS];
} tlw_voxel_weights;

typedef struct tlw_cook_cut_count {
    uint32_t joint_a, joint_b; // largest-weight joints of the two voxels, a <= b
    uint32_t count;
} tlw_cook_cut_count;

typedef struct tlw_cook_links {
    uint32_t* masks;          // per voxel: bit i is step i of tlw_link_steps
    tlw_cook_cut_count* cuts; // ascending pairs
    uint32_t cut_pair_count, cut_count;
} tlw_cook_links;

// Paint per voxel, in 65,536ths; null where nothing is painted.
#define TLW_PAINT_ONE 65536u
typedef struct tlw_cook_painted {
    uint32_t* of_voxel[TLW_COOK_PAINTS];
    uint32_t voxels[TLW_COOK_PAINTS]; // how many it changes
} tlw_cook_painted;

#define TLW_UNREACHED UINT32_MAX

// Distances, layers and thickness, per voxel.
typedef struct tlw_cook_anatomy {
    uint32_t *d_skin, *d_seg, *d_bone; // path lengths; TLW_UNREACHED where there is no path
    uint32_t max_d_skin;
    uint8_t* layer; // 0 is bone
    uint32_t layer_voxels[TLW_COOK_LAYERS_MAX];
    uint32_t boneless_components, boneless_voxels;
    uint32_t* thickness; // the largest d_skin reachable by links that increase it
    float* limit;        // d_max, in voxels
} tlw_cook_anatomy;

// Which joints are firm.
typedef struct tlw_cook_firm {
    uint8_t* kind;   // per joint: what makes it firm (tlw_part_kind), TLW_PART_WHOLE if it is not
    uint32_t* order; // all joints, parents before their children
} tlw_cook_firm;

// What decides the layers and the limits of a part's voxels: the part's own, or the recipe's.
typedef struct tlw_cook_thresholds {
    tlw_cook_fraction bone_share;
    int32_t bone_radius_voxels; // negative: bone_share counts
    tlw_cook_fraction ratio[TLW_COOK_LAYERS_MAX];
    float limit_extent, limit_thickness;
} tlw_cook_thresholds;

// Parts and their materials, as the blob stores them.
typedef struct tlw_cook_parts {
    uint32_t* of_joint; // per joint; 0 is the whole character
    tlw_blob_part* list;
    uint32_t count;
    tlw_blob_material* materials;    // [part * layer_count + layer]
    tlw_cook_thresholds* thresholds; // per part
} tlw_cook_parts;

// Second materials of voxels at borders of parts.
typedef struct tlw_cook_blends {
    tlw_blob_blend* of_voxel;
    uint32_t count; // voxels that have one
} tlw_cook_blends;

// From here on, cells and steps are along the lattice axes: lane, row, plane (x, y, z of tlw_int3).

// Voxels of one row that are stored without gaps of more than 8 cells.
typedef struct tlw_cook_run {
    tlw_int3 start;
    int32_t length;
    int32_t reach_before, reach_after; // cells beyond its ends that windows load
    uint32_t site;
} tlw_cook_run;

typedef struct tlw_cook_window {
    tlw_int3 cell; // of lane 0
    uint32_t run;
    uint32_t rows[9]; // sites of lane 0 in the nine rows around; rows[4] is its own
    uint8_t occupied;
    uint8_t links[TLW_STEPS];
    uint8_t flags;
    uint8_t influences; // joints of its list, which begins at first_influence
    uint32_t first_influence;
} tlw_cook_window;

typedef struct tlw_cook_order {
    uint32_t lane_axis;
    uint32_t slot_count, site_count, window_count, run_count;
    tlw_cook_run* runs;
    tlw_cook_window* windows;
    tlw_blob_block* blocks; // block_count, and one more that ends the last
    uint32_t block_count;
    uint32_t* slot_of_voxel;
    uint32_t* voxel_of_slot; // TLW_NO_VOXEL: empty
} tlw_cook_order;

// A region of width 2: voxels of one 2x2x2 cube of cells that links inside the cube join.
typedef struct tlw_cook_region {
    uint32_t voxels[8]; // dx + 2 dy + 4 dz along the grid's axes; TLW_NO_VOXEL: no member
} tlw_cook_region;

// Inputs of the volume pass, per voxel and lattice axis.
typedef struct tlw_cook_volume {
    float* weight;    // Eq. 13; 0 for bone
    float (*pair)[3]; // sum of the weights of the linked faces on both sides
    int8_t (*end)[3]; // 1, -1: the voxel stands for its missing plus, minus neighbour; 0: neither
} tlw_cook_volume;

// Each joint of a voxel, paired with the voxel's reference joint: reference << 16 | joint,
// ascending.
typedef struct tlw_cook_pairs {
    uint32_t* list;
    uint32_t count;
} tlw_cook_pairs;

// The joints of every window's voxels, list after list, as the blob stores them.
typedef struct tlw_cook_influences {
    uint16_t* joints;
    float* weights; // one per lane
    uint32_t count;
} tlw_cook_influences;

// Skinned volume (RULES 9.8 to 9.10), as the blob stores it; empty without.
typedef struct tlw_cook_bends {
    tlw_blob_bend* list;
    uint32_t count;
    uint32_t* voxels; // per bend: how many have it
    tlw_blob_bend_pair* pairs;
    uint32_t pair_count;
    tlw_blob_bend_window* windows; // window_count + 1
    uint16_t* entries;
    uint16_t* shares; // one per lane
    uint32_t entry_count;
    tlw_blob_bend_couple* couples;
    uint32_t couple_count;
    int16_t* field; // by window, lattice axis and lane
    uint32_t left_out;
} tlw_cook_bends;

// Profiles after the first (RULES 8.8), as the blob stores them.
typedef struct tlw_cook_profiles {
    tlw_blob_profile_material* materials;
    uint32_t count;
} tlw_cook_profiles;

// Own limbs (RULES 9.11), as the blob stores them; empty without.
typedef struct tlw_cook_limbs {
    tlw_blob_limb* list;
    uint32_t count;
    uint32_t* voxels;             // per limb: how many it may touch
    tlw_blob_slot_limbs* of_slot; // null without limbs
} tlw_cook_limbs;

// Muscles and their bellies (RULES 9.12 to 9.14), as the blob stores them; empty without.
typedef struct tlw_cook_muscles {
    struct tlw_muscle_line* lines; // freed after the stage bellies
    tlw_blob_muscle* list;         // without names
    char (*names)[TLW_COOK_NAME_MAX];
    uint32_t* voxels; // per muscle: how many it moves
    uint32_t count;
    tlw_blob_muscle_group* groups; // group_count + 1
    uint32_t group_count;
    tlw_blob_muscle_row* rows;
    uint32_t row_count;
    tlw_blob_muscle_field* fields;
    uint32_t field_count;
    uint32_t* windows; // window_count + 1
    tlw_blob_belly_entry* entries;
    tlw_blob_belly_shape* shapes;
    uint32_t entry_count;
    tlw_blob_belly_weight* weights;
    uint32_t weight_count;
    tlw_cook_auto_report automatic;
} tlw_cook_muscles;

// Lame layers (RULES 8.9, 9.15), as the blob stores them; empty without.
typedef struct tlw_cook_lame_layers {
    tlw_blob_lame* materials; // [part * layer_count + layer]; null: no voxel is lame
    tlw_blob_lame_window* windows;
    uint32_t window_count; // with a Lame voxel
    uint32_t voxels;
} tlw_cook_lame_layers;

// Meshes that are not ignored, then point sets: everything with vertices to bind.
typedef struct tlw_cook_source {
    tlw_cook_mesh mesh; // a point set as a mesh without triangles
    uint32_t first_vertex, first_index;
    bool is_points;
    // Vertices more than 2 voxels away from the nearest voxel, those of them that follow the seat
    // of their joint instead (RULES 10.3), and how far the farthest is, in voxels.
    uint32_t far_vertices, seated_vertices;
    double farthest;
} tlw_cook_source;

typedef struct tlw_cook_sources {
    tlw_cook_source* list;
    uint32_t count;
    uint32_t vertex_count, index_count;
    bool has_uvs;
} tlw_cook_sources;

// Up to eight voxels and weights that sum to 1.
typedef struct tlw_cook_binding {
    uint32_t count;
    uint32_t voxel[8];
    double weight[8];
    double squared; // voxels, from the centre of the point's own voxel
} tlw_cook_binding;

// What a vertex follows, voxels by their slots or joints: weights in units of 2^-15 above 0, which
// sum to TLW_BLOB_WEIGHT_ONE (RULES 10.5).
typedef struct tlw_cook_followed {
    uint32_t count; // 0: a vertex that is not skinned
    uint32_t index[8];
    uint16_t weight[8];
} tlw_cook_followed;

// Vertices in groups of eight (RULES 10.7), as the blob stores them.
typedef struct tlw_cook_groups {
    tlw_blob_group* list;
    uint32_t count;
    uint32_t* voxels; // slots
    uint16_t* voxel_weights;
    uint32_t voxel_count; // of all groups
    uint16_t* joints;
    uint16_t* joint_weights;
    uint32_t joint_count;
    uint32_t* source_of;                        // [cooked]
    uint32_t* cooked_of;                        // [source]
    bool has_normals, has_tangents, is_skinned; // in some vertex
} tlw_cook_groups;

// The mesh of all sources, welded (RULES 10.9); empty unless rings or rbf are asked for.
typedef struct tlw_cook_graph {
    uint32_t* welded_of; // per vertex of the sources
    uint32_t* first_of;  // per welded vertex: its first vertex of the sources
    tlw_double3* positions;
    uint32_t count;           // welded vertices
    uint32_t (*triangles)[3]; // of welded vertices, three different ones each; in source order
    uint32_t triangle_count;
    uint32_t* edge_begin; // count + 1 offsets into edge_ends
    uint32_t* edge_ends;  // of each welded vertex: the other ends of its edges, ascending
} tlw_cook_graph;

// Ring normals (RULES 10.9), as the blob stores them; null without.
typedef struct tlw_cook_rings {
    uint32_t* neighbours;
    float* weights;
    uint32_t vertices_without; // coefficients
} tlw_cook_rings;

// Radial basis functions (RULES 10.10), as the blob stores them; empty without.
typedef struct tlw_cook_rbf {
    tlw_blob_rbf head;
    tlw_blob_rbf_domain* domains;
    tlw_blob_binding* centres;
    tlw_double3* positions; // of the centres
    float* inverse;
    uint32_t inverse_count;
    uint32_t* row_first; // row_count + 1
    uint16_t* row_index;
    float* row_weight;
    tlw_blob_rbf_seam* seams; // seam_count + 1
    uint32_t* seam_rows;
    float* seam_weights;
    uint32_t* domain_of; // per welded vertex, UINT32_MAX without; for the report and tests
    double radius;       // r, metres
    uint32_t merged;     // joints whose domain joined another
} tlw_cook_rbf;

typedef struct tlw_cook {
    const tlw_cook_input* input;
    const tlw_cook_recipe* recipe;
    const tlw_task_system* tasks;
    tlw_cook_progress* progress; // null: no progress is reported
    void* progress_user;
    // What progress shows of the stage that runs: its text, and from which share of all to which.
    // Inside it, advance counts from part_from to part_to, 0 to 1 unless the stage says so.
    struct {
        const char* shown;
        double from, to, part_from, part_to;
        double last; // that was reported
    } progress_at;
    tlw_joint_name* names; // joints sorted by name
    bool* is_excluded;     // per joint: the recipe excludes it
    uint32_t* mirrors;     // per part of the recipe: the joint it is mirrored to, or TLW_NO_JOINT
    tlw_cook_welded welded;
    tlw_cook_grid grid;
    tlw_cook_voxels voxels;
    tlw_cook_weights weight_mode; // that the recipe and the mesh lead to, never auto
    bool has_artist_weights;      // the same question as yes or no
    uint32_t weight_sweeps;       // of heat and diffusion weights
    tlw_cook_skeleton skeleton;
    tlw_cook_links links;
    tlw_surface_point* surface; // per voxel; freed after the paint stage
    struct tlw_closest* tree;   // finds `surface`; freed after the cuts stage
    tlw_voxel_weights* weights; // per voxel
    tlw_cook_painted paint;
    tlw_cook_anatomy anatomy;
    tlw_cook_firm firm;
    tlw_cook_parts parts;
    tlw_cook_blends blends;
    tlw_cook_order order;
    tlw_cook_region* regions; // of width 2: by lowest cell (z, y, x), then by first voxel
    uint32_t* region_order;   // [place in the blob] = index into regions
    uint32_t region_count;
    tlw_cook_volume volume;
    int16_t (*moments)[TLW_MOMENT_COUNT]; // per voxel
    tlw_cook_pairs pairs;
    tlw_blob_joint_box* boxes; // per joint
    tlw_cook_influences influences;
    tlw_cook_bends bends;
    tlw_cook_profiles profiles;
    tlw_cook_limbs limbs;
    tlw_cook_muscles muscles;
    tlw_cook_lame_layers lame;
    tlw_cook_sources sources;
    tlw_cook_followed* bindings; // per vertex of the sources: slots
    tlw_cook_groups groups;
    tlw_cook_graph graph;
    tlw_cook_rings rings;
    tlw_cook_rbf rbf;
    uint8_t* blob; // on a multiple of 64 bytes, for tlw_cook_free_blob
    size_t blob_bytes;
    tlw_cook_error error;
    bool is_about_recipe; // an error found now is the recipe's fault, not the asset's
    struct tlw_cook_allocation* allocations;
    uint64_t memory_bytes; // held by all allocations; refused beyond the recipe's limit
    uint64_t peak_memory_bytes;
} tlw_cook;

// Memory and errors

// Zeroed memory for count elements, counted against the recipe's limit; null after setting the
// error. All allocations are one chain: tlw_cook_free_stages frees those that are left, so a stage
// frees only what later stages do not read.
void* tlw_cook_allocate(tlw_cook* cook, uint64_t count, size_t element_bytes);
void tlw_cook_free(tlw_cook* cook, void* memory);
// Sets the error, if it is the first, and returns the first error's result.
tlw_result tlw_cook_fail(tlw_cook* cook, tlw_result result, const char* format, ...)
    TLW_PRINTF(3, 4);
// Before that: says which key of a recipe file the error will be about, "parts[2].mirror".
void tlw_cook_blame(tlw_cook* cook, const char* format, ...) TLW_PRINTF(2, 3);

// Geometry that several stages share

// To integer coordinates, floor((x - o) / s * 1024 + 0.5), held within +-2^30 on each axis.
tlw_int3 tlw_cook_snap(const tlw_cook_grid* grid, tlw_double3 point);
// In voxels from the grid's lowest corner, along the grid's axes.
tlw_double3 tlw_cook_in_voxels(const tlw_cook_grid* grid, tlw_double3 point);
tlw_double3 tlw_cook_voxel_centre(const tlw_cook_grid* grid, tlw_int3 cell);
tlw_int3 tlw_cook_snapped_centre(tlw_int3 cell);
size_t tlw_cook_cell(const tlw_cook_grid* grid, tlw_int3 cell);
bool tlw_cook_inside_grid(const tlw_cook_grid* grid, tlw_int3 cell);
// The voxel of a cell; TLW_NO_VOXEL where there is none and outside the grid.
uint32_t tlw_cook_voxel_at(const tlw_cook* cook, tlw_int3 cell);

// Whether a closed triangle (which may be a segment or a point) and the closed box of voxels [low,
// high] have a point in common. Exact.
bool tlw_triangle_touches_box(const tlw_int3 triangle[3], tlw_int3 low, tlw_int3 high);

// Calls `touch` for every voxel of the grid that the triangle touches.
typedef void tlw_touch_voxel(tlw_int3 voxel, void* user);
void tlw_for_touched_voxels(const tlw_cook_grid* grid, const tlw_int3 triangle[3],
                            tlw_touch_voxel* touch, void* user);

// The same for a segment. Both ends and the box are within [-2^20, 2^21], so that 64 bits suffice.
bool tlw_segment_touches_box(tlw_int3 start, tlw_int3 end, tlw_int3 low, tlw_int3 high);

// How many of the six rays of each cell say that its centre is inside (RULES 3.4); four are enough.
// Also finds out whether the mesh is inside out.
#define TLW_RAYS_INSIDE 4
tlw_result tlw_cook_cast_rays(tlw_cook* cook, uint8_t* rays_inside);

// Runs a task over [0, count) and waits for it.
void tlw_cook_run_task(tlw_cook* cook, tlw_task* task, uint32_t count, uint32_t min_range,
                       void* context);

// Links

extern const tlw_int3 tlw_link_steps[TLW_STEPS];  // the steps of runtime/lattice.h as offsets
extern const uint8_t tlw_link_lengths[TLW_STEPS]; // 1 face, 2 edge, 3 corner
// The voxel that a set bit of a link mask leads to.
uint32_t tlw_linked_voxel(const tlw_cook* cook, uint32_t voxel, int step);
// The voxels linked through faces, in the order -x, +x, -y, +y, -z, +z; returns their number.
uint32_t tlw_cook_linked_faces(const tlw_cook* cook, uint32_t voxel, uint32_t faces[6]);
// Links before any cut: to every neighbour that is a voxel.
uint32_t tlw_cook_all_links(const tlw_cook* cook, uint32_t voxel);
// Path lengths over links, from the nearest of the sources to every voxel (RULES 7).
tlw_result tlw_cook_path_lengths(tlw_cook* cook, const uint32_t* links, const uint32_t* sources,
                                 uint32_t source_count, uint32_t* distance);
// All voxels by ascending d_skin, to be freed by the caller; null after setting the error.
uint32_t* tlw_cook_sort_by_d_skin(tlw_cook* cook);

// The voxels of the 2x2x2 cube of cells above `lowest`, element dx + 2 dy + 4 dz; returns a mask of
// the elements that are voxels.
unsigned tlw_cook_cube(const tlw_cook* cook, tlw_int3 lowest, uint32_t voxels[8]);
// The elements that element `from` reaches through links inside the cube, as a mask.
unsigned tlw_cook_reach_in_cube(const tlw_cook* cook, const uint32_t voxels[8], int from);
// An element's place in the cube along the lattice axes.
uint32_t tlw_cook_permute_member(uint32_t member, uint32_t lane_axis);

// Cuts

// The straight ways between joints (RULES 6.2), made by tlw_cook_make_ways.
typedef struct tlw_ways tlw_ways;
tlw_ways* tlw_cook_make_ways(tlw_cook* cook); // null after setting the error
void tlw_cook_free_ways(tlw_cook* cook, tlw_ways* ways);
// The shortest way between two kept joints.
double tlw_way_between(const tlw_ways* ways, uint32_t a, uint32_t b);

// What tests 2 and 3 of RULES 6 need, made by tlw_cook_make_skin.
typedef struct tlw_skin tlw_skin;
tlw_skin* tlw_cook_make_skin(tlw_cook* cook); // null after setting the error
void tlw_cook_free_skin(tlw_cook* cook, tlw_skin* skin);
bool tlw_skin_is_between(const tlw_skin* skin, uint32_t i, uint32_t j);
bool tlw_skin_joins(tlw_skin* skin, uint32_t i, uint32_t j);

// Skeleton and weights

// One pass of smoothing of one number per voxel (RULES 5.4).
void tlw_cook_smooth(const tlw_cook* cook, const double* from, double* to);
double tlw_squared_to_segment(const tlw_cook_segment* segment, tlw_double3 point);
// The point of the skeleton that a voxel belongs to (RULES 6.1): the nearest on the segments of its
// largest-weight joint, as weights are now. It has nothing to do with the runtime's anchor, which
// is a pull.
typedef struct tlw_anchor {
    tlw_double3 point;
    double away;      // distance from the voxel's centre
    uint32_t segment; // UINT32_MAX: the joint owns none
} tlw_anchor;
tlw_anchor tlw_cook_find_anchor(const tlw_cook* cook, uint32_t voxel);
// Whether all of a triangle's corners have weights.
bool tlw_has_weights(const tlw_cook_welded* welded, uint32_t triangle);
// Joints of a voxel whose weights are above 0 as floats, 1 to 4. They come first.
uint32_t tlw_influence_count(const tlw_cook* cook, uint32_t voxel);
// Sorts pairs of numbers, keeps each once and returns how many are left.
uint64_t tlw_cook_make_unique(uint32_t* pairs, uint64_t count);

// Parts

// Checks part i of the recipe, and finds the joint that it is mirrored to (RULES 8.5).
tlw_result tlw_cook_check_part(tlw_cook* cook, uint32_t i);
// Checks the profiles of the recipe (RULES 8.8), and blames an entry of one for the error that
// follows.
#define TLW_COOK_PROFILES_MAX 255u
#define TLW_COOKED_PROFILE    "cooked" // profile 0, what the recipe says outside its profiles
tlw_result tlw_cook_check_profiles(tlw_cook* cook);
void tlw_cook_blame_profile(tlw_cook* cook, const tlw_cook_profile* profile, uint32_t part);
// Checks what layers and parts say of solvers (RULES 8.9).
tlw_result tlw_cook_check_lame(tlw_cook* cook);
// What the recipe makes of a layer in part 0 or in a part of its own, p - 1 of its list (RULES
// 8.9). All 0: not lame.
tlw_blob_lame tlw_cook_lame_of(const tlw_cook_recipe* recipe, uint32_t p, uint32_t layer);
// What a firm part has in every layer, whatever the recipe's preset (RULES 8.6).
extern const tlw_blob_material tlw_cook_firm_material;
// The part of a voxel: that of its joint (RULES 8.4).
TLW_INLINE uint32_t tlw_cook_part_of(const tlw_cook* cook, uint32_t voxel) {
    return cook->parts.of_joint[cook->weights[voxel].joint[0]];
}

// Muscles

#define TLW_MUSCLE_GAIN 10.0f // of a field, where the recipe says nothing
// The joint whose name has the other side (RULES 8.5), the joint itself where its name has none,
// TLW_NO_JOINT where there is no such joint or its name has two sides.
uint32_t tlw_cook_partner_of(tlw_cook* cook, uint32_t joint);
// Checks the muscles of the recipe (RULES 9.12).
tlw_result tlw_cook_check_muscles(tlw_cook* cook);

// Lattice axes

// A cell or step along the lattice axes: the lane axis first, then the two others in cyclic order.
tlw_int3 tlw_cook_permute(tlw_int3 cell, uint32_t lane_axis);
uint32_t tlw_cook_site(const tlw_cook_order* order, uint32_t slot);

// Vertices

// The artist's joints of a vertex of a source (RULES 10.6).
tlw_cook_followed tlw_cook_skinning(const tlw_cook* cook, const tlw_cook_source* source,
                                    uint32_t vertex);
// Rounds weights that sum to 1 (RULES 10.5).
tlw_cook_followed tlw_cook_round_weights(const uint32_t* index, const double* weight,
                                         uint32_t count);
tlw_cook_binding tlw_cook_bind_point(const tlw_cook* cook, tlw_double3 point);
// Returns true if no voxel is in the point's cell or in a cell beside it.
bool tlw_cook_is_off_body(const tlw_cook* cook, tlw_double3 point);
// Whether ring normals are asked for and some vertex is skinned.
bool tlw_cook_makes_rings(const tlw_cook* cook);

// Stages

#define TLW_COOK_STAGE_FUNCTION(name, function, shown, rule, cost) \
    tlw_result function(tlw_cook* cook);
TLW_COOK_STAGES(TLW_COOK_STAGE_FUNCTION)
#undef TLW_COOK_STAGE_FUNCTION
// All of them in order, up to the first error.
tlw_result tlw_cook_run_stages(tlw_cook* cook);
// Reports how much of a long stage is done, 0 to 1. Called on the thread that called the cooker.
void tlw_cook_advance(tlw_cook* cook, double done);
// Says that the progress reported from now on runs from one share of the stage to another.
void tlw_cook_begin_part(tlw_cook* cook, double from, double to);
// Frees every allocation and the blob.
void tlw_cook_free_stages(tlw_cook* cook);
void tlw_cook_free_blob(uint8_t* bytes);

#endif
