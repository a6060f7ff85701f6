// SPDX-License-Identifier: MIT
// The second cooker: RULES 1 to 10 as plain loops over a dense grid. It was written from the rules
// alone, shares no line with the library and takes no short cut, so that tests can compare the two.
// Meant for resolutions up to 64.
#ifndef TLW_TESTS_COOK_ORACLE_ORACLE_H
#define TLW_TESTS_COOK_ORACLE_ORACLE_H

#include "tools/cook/cook.h"

#define ORACLE_NONE      UINT32_MAX // no voxel, no joint
#define ORACLE_FAR       UINT32_MAX // a path length: not reachable
#define ORACLE_PAINT_ONE 65536      // paint of 1 (RULES 8.7)

// Canonical orders, used everywhere below:
//   voxels    by z, then y, then x; a voxel's index is its place in that order
//   offsets   the 26 around a voxel, by dz, then dy, then dx, the voxel itself left out: bit 0 is
//             (-1, -1, -1), bit 25 is (1, 1, 1), bits b and 25 - b are opposite
//   faces     -x, +x, -y, +y, -z, +z
//   cubes     bit dx + 2 dy + 4 dz of the 8 cells of a 2x2x2 cube
typedef struct oracle_voxel {
    int32_t cell[3];
    bool is_touched;           // by a triangle: voxel by case 1 (RULES 3)
    bool is_inside;            // its centre is (RULES 3.4)
    uint32_t closest_triangle; // of the welded mesh (RULES 5.2)
    bool is_shell;             // has a missing or cut face neighbour (RULES 7)
    uint32_t joints[4];        // largest weight first, ties to the lower joint; ORACLE_NONE: unused
    double weights[4];         // sum 1; 0 where unused (RULES 5)
    uint32_t joint;            // joints[0]: the voxel's joint (RULES 8.4)
    uint32_t part;             // of that joint (RULES 8.5)
    uint32_t other_part;       // that its material blends with, or ORACLE_NONE (RULES 8.5)
    double other_share;        // 0 without one
    uint32_t paint[TLW_COOK_PAINTS]; // in steps of 1 / ORACLE_PAINT_ONE (RULES 8.7)
    double stiffness_factor;         // 4^(2 v - 1)
    uint32_t all_links;              // before cuts: which of the 26 are voxels
    uint32_t links;                  // after cuts (RULES 6)
    uint32_t d_skin;                 // path length to the shell; 0 on it (RULES 7)
    uint32_t d_seg;      // to a touched voxel; ORACLE_FAR if there is none in its component
    uint32_t d_bone;     // to the bone layer; 0 in it
    uint32_t component;  // of links after cuts, numbered by first voxel
    uint32_t layer;      // index into the recipe's layers (RULES 8)
    bool is_filled_bone; // bone only because its component had none
    uint32_t h;          // largest d_skin up links that strictly increase it (RULES 9.6)
    double d_max;        // in voxels (RULES 9)
    double eq13;         // 1 - d_skin / max d_skin; not yet 0 on bone
    uint32_t faces[6];   // linked face neighbours: the volume stencil; ORACLE_NONE: missing or cut
    uint32_t bends[2];   // elements of oracle_result.bends, larger share first; ORACLE_NONE: unused
    double shares[2];    // C, rounded to float (RULES 9.8)
    double field[3];     // F along the grid's axes, rounded to float (RULES 9.9)
    uint32_t limbs;      // bit i: oracle_result.limbs[i] may touch it (RULES 9.11)
    uint32_t half_limbs; // those of them that push it by half
    bool is_lame;        // its own material is (RULES 8.9)
} oracle_voxel;

// One of the skeleton's segments (RULES 4), by owner, then by child.
typedef struct oracle_segment {
    uint32_t owner;    // joint
    uint32_t child;    // joint, or ORACLE_NONE: a leaf's extension, perhaps of length 0
    double ends[2][3]; // in voxels from the origin, as given
    int64_t snapped[2][3];
} oracle_segment;

// What made a part (RULES 8.5 and 8.6), in the order of the blob's tlw_part_kind.
typedef enum oracle_part_kind {
    ORACLE_PART_WHOLE,
    ORACLE_PART_RECIPE,
    ORACLE_PART_FIRM_RECIPE, // the recipe's list of firm joints
    ORACLE_PART_FIRM_NAME,
    ORACLE_PART_FIRM_SHAPE
} oracle_part_kind;

typedef struct oracle_part {
    uint32_t joint; // its topmost; ORACLE_NONE for part 0
    oracle_part_kind kind;
    uint32_t voxel_count;
    double stiffness[TLW_COOK_LAYERS_MAX]; // ks
    double damping[TLW_COOK_LAYERS_MAX];   // kd
    double anchor_hz[TLW_COOK_LAYERS_MAX]; // f_a
    tlw_cook_fraction ratio[TLW_COOK_LAYERS_MAX];
    tlw_cook_fraction bone_share;
    int32_t bone_radius_voxels; // negative: by share
    double limit_extent, limit_thickness;
    bool is_lame[TLW_COOK_LAYERS_MAX]; // RULES 8.9
    double young_kpa[TLW_COOK_LAYERS_MAX], poisson[TLW_COOK_LAYERS_MAX];
    double density[TLW_COOK_LAYERS_MAX]; // all three 0 where the layer is not lame
} oracle_part;

// What a profile has in one part (RULES 8.8).
typedef struct oracle_profile_part {
    double stiffness[TLW_COOK_LAYERS_MAX];
    double damping[TLW_COOK_LAYERS_MAX];
    double anchor_hz[TLW_COOK_LAYERS_MAX];
    double limit_scale[TLW_COOK_LAYERS_MAX];
} oracle_profile_part;

typedef struct oracle_cut {
    uint32_t joint_a, joint_b; // joint_a <= joint_b
    uint32_t count;            // links, each counted once
} oracle_cut;

// A region of width 2 (RULES 9.2): those voxels of a 2x2x2 cube of cells that are joined by links
// inside the cube. A cube that cuts have split gives one region per piece.
typedef struct oracle_cube {
    int32_t cell[3]; // its lowest cell; coordinates may be -1
    uint32_t mask;   // which of the 8 cells are in the region
    uint32_t first;  // its lowest voxel
} oracle_cube;

// A joint whose bending loses volume (RULES 9.8 to 9.10). None of the numbers is rounded.
typedef struct oracle_bend {
    uint32_t joint;
    uint32_t voxel_count;
    double volume; // V0
    double slope;  // A_1rest
    double reach;  // in voxels
} oracle_bend;

// Two bends that have a voxel together; first < second.
typedef struct oracle_bend_pair {
    uint32_t first, second;
} oracle_bend_pair;

// A capsule of the character's own (RULES 9.11).
typedef struct oracle_limb {
    uint32_t joint;
    double ends[2][3]; // along the grid's axes, in voxels from its corner, rounded to float
    double radius[2];
    uint32_t voxel_count; // that it may touch
} oracle_limb;

// Numbers of a muscle are in voxels, along the grid's axes from its corner, and not rounded.
#define ORACLE_LINE_VERTICES 32
#define ORACLE_LINE_FIELDS   8
#define ORACLE_LINE_JOINTS   4
#define ORACLE_STATION_ONE   16384 // a station's weight of 1 (RULES 9.14)

// A vertex of an action line (RULES 9.12), with the segment from it to the next, whose numbers are
// 0 for the last.
typedef struct oracle_cooked_vertex {
    double place[3], tangent[3], balance[3];
    double outward[3]; // n0; 0: it has none
    double radius, arc, flex;
    bool is_dynamic;
    uint32_t joint_count;
    uint32_t joints[ORACLE_LINE_JOINTS]; // ascending
    double weights[ORACLE_LINE_JOINTS];
    double length, slack, ratio; // l0, l and rho of the segment
    bool is_belly;               // the segment is no tendon
} oracle_cooked_vertex;

typedef struct oracle_muscle_field {
    uint32_t joint;
    double centre[3], radii[3];
    double gain, reach; // reach 0: it repels
} oracle_muscle_field;

typedef struct oracle_cooked_muscle {
    char name[TLW_COOK_NAME_MAX];
    double bulge;
    double radius;       // largest of its vertices
    uint32_t flex_joint; // ORACLE_NONE: it follows no angle
    double flex_from, flex_to;
    uint32_t vertex_count, field_count;
    oracle_cooked_vertex vertices[ORACLE_LINE_VERTICES];
    oracle_muscle_field fields[ORACLE_LINE_FIELDS];
    uint32_t voxel_count; // that it moves
} oracle_cooked_muscle;

// What a voxel has of a muscle (RULES 9.14).
#define ORACLE_VOXEL_MUSCLES 4
typedef struct oracle_cooked_belly {
    uint32_t muscle; // ORACLE_NONE: nothing
    double d[3], a;
    uint32_t segment; // that is nearest: only the vertices around it may have weights
    int32_t curve[ORACLE_LINE_VERTICES]; // in units of 1 / ORACLE_STATION_ONE
    int32_t linear[ORACLE_LINE_VERTICES];
} oracle_cooked_belly;

// A bound point (RULES 10). Only weights above 0.
typedef struct oracle_binding {
    uint32_t own; // the voxel that the point is in, or the nearest
    bool is_outside;
    uint32_t count;
    uint32_t voxels[8]; // ascending
    double weights[8];  // sum 1
} oracle_binding;

typedef struct oracle_result {
    // RULES 1, over all voxelised meshes together.
    uint32_t welded_vertex_count;
    uint32_t triangle_count; // collapsed ones dropped
    uint32_t open_edge_count;
    uint32_t non_manifold_edge_count;
    // RULES 2. Cell k of an axis is [origin + k s, origin + (k + 1) s].
    double s;
    double origin[3];
    uint32_t counts[3];
    double length; // longest extent in voxels
    // RULES 3.
    uint32_t conservative_count; // voxels that a triangle touches
    uint32_t solid_count;        // further voxels, which cannot be reached from outside
    uint32_t vote_count;         // further voxels, by the six-ray vote
    uint32_t voxel_count;
    oracle_voxel* voxels;
    uint32_t* voxel_of_cell; // [(z counts[1] + y) counts[0] + x], or ORACLE_NONE
    // RULES 4.
    uint32_t joint_count;
    bool* is_kept;    // [joint]
    uint32_t* parent; // [joint] nearest kept ancestor, or ORACLE_NONE
    oracle_segment* segments;
    uint32_t segment_count;
    bool* touched; // [voxel * joint_count + joint]: a segment of the joint touches it
    // RULES 5 and 6.
    tlw_cook_weights mode; // never auto
    uint32_t sweep_count;  // of heat or diffusion
    oracle_cut* cuts;      // by joint_a, then joint_b
    uint32_t cut_count;
    // RULES 8.
    bool is_painted[TLW_COOK_PAINTS]; // a mesh to voxelise has the attribute
    uint32_t component_count;
    uint32_t boneless_component_count;
    oracle_part* parts; // the whole, the recipe's in its order, the firm ones by joint
    uint32_t part_count;
    uint32_t* joint_part;               // [joint]
    uint32_t profile_count;             // without the first, which is the parts' own materials
    oracle_profile_part* profile_parts; // [profile * part_count + part]
    // RULES 9. Voxel v has the elements [first[v], first[v + 1]). Members ascend and include the
    // centre.
    uint32_t* region_first; // region_width 3
    uint32_t* region_voxels;
    oracle_cube* cubes; // region_width 2; by cell z, y, x, then first voxel
    uint32_t cube_count;
    uint32_t* neighbour_first; // the recipe's set; ascending
    uint32_t* neighbour_voxels;
    oracle_bend* bends; // joints above a bend before it, otherwise in the order of joints
    uint32_t bend_count;
    uint32_t left_out_bend_count; // whose field hardly changes their volume
    oracle_bend_pair* bend_pairs; // by first, then second
    uint32_t bend_pair_count;
    oracle_limb* limbs; // ascending by joint
    uint32_t limb_count;
    oracle_cooked_muscle* muscles; // in their order
    uint32_t muscle_count;
    oracle_cooked_belly*
        bellies; // [voxel * ORACLE_VOXEL_MUSCLES], ascending by muscle; null without
    // RULES 10: vertices of every mesh that is not ignored, in order, then all points, in order.
    oracle_binding* bindings;
    uint32_t binding_count;
} oracle_result;

// Returns null, or what is wrong. Free the result in either case.
const char* oracle_cook(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                        oracle_result* result);
void oracle_free(oracle_result* result);

// ORACLE_NONE outside the grid and where there is no voxel.
uint32_t oracle_voxel_at(const oracle_result* result, int32_t x, int32_t y, int32_t z);
void oracle_offset(uint32_t bit, int32_t offset[3]);
// The bits of a neighbour set: 6, 14, 18, 20 or 26; 0 for another number.
uint32_t oracle_neighbour_bits(uint32_t set);
// Lists the linked neighbours of a voxel in a set, ascending; returns their number.
uint32_t oracle_neighbours(const oracle_result* result, uint32_t set, uint32_t voxel,
                           uint32_t list[26]);
// Whether a joint's name is on the first list of RULES 8.6, or on the second.
bool oracle_is_firm_name(const char* name);
bool oracle_is_soft_name(const char* name);
// Exchanges left and right in a name (RULES 8.5); false if it has no word for a side, or several.
bool oracle_mirror_name(const char* name, char* mirrored, size_t room);
// 0 where the voxel does not follow the joint.
double oracle_weight(const oracle_voxel* voxel, uint32_t joint);

#endif
