// SPDX-License-Identifier: MIT
// The blob (.tlw): the file that the cooker writes and the runtime uses in place, without copying
// or converting (MODEL 9). Little-endian, no pointers, structure of arrays; every section begins on
// a multiple of 64 bytes. Cookers and tools include this; an engine needs runtime/asset.h only.
//
//     header | table of sections | section | section | ...
//
// The lattice's rows of voxels are cut into windows of 8 lanes. A voxel has two places:
//
//   its slot, 8 * window + lane: where the blob and a character's state keep the voxel's own data;
//   its site: where it lies in the arrays that neighbours read during a substep. The windows of one
//   row lie there one after another. Between two rows there are enough empty sites that the
//   neighbours of 8 lanes are plain loads at nine offsets, and a cell without a voxel reads as 0.
//
// A lane is empty if it lies after the end of its row, or in a gap of the row that was too short to
// start a new window. All weights of an empty lane are 0.
//
// The lattice's axes are called lane, row and plane. They are the axes x, y, z, permuted
// cyclically so that the lane axis comes first (lane axis x: xyz, y: yzx, z: zxy).
#ifndef TLW_RUNTIME_BLOB_H
#define TLW_RUNTIME_BLOB_H

#include "platform/base.h"
#include "platform/result.h"
#include "runtime/asset.h"
#include "runtime/lattice.h"

TLW_EXTERN_C_BEGIN

#define TLW_BLOB_MAGIC          "TALLOW\r\n" // shows at once if a transfer changed the line ends
#define TLW_BLOB_FORMAT_VERSION 10u
#define TLW_BLOB_BYTE_ORDER     0x01020304u
#define TLW_BLOB_ALIGNMENT      ((uint32_t)TLW_MEMORY_ALIGNMENT)

#define TLW_BLOB_LANES             ((uint32_t)TLW_LANES)
#define TLW_BLOB_JOINTS_PER_VOXEL  4u
#define TLW_BLOB_JOINTS_PER_WINDOW (TLW_BLOB_LANES * TLW_BLOB_JOINTS_PER_VOXEL)
#define TLW_BLOB_REGION_MEMBERS    8u     // places of a region of width 2
#define TLW_BLOB_GROUP_VOXELS      64u    // most voxels, and most joints, of a group of 8 vertices
#define TLW_BLOB_WEIGHT_ONE        32768u // the sum of a vertex's weights, for voxels and for joints
#define TLW_BLOB_RING_NEIGHBOURS   6u
#define TLW_BLOB_LAYERS_MAX        8u
#define TLW_BLOB_PROFILES_MAX      256u // the first included
#define TLW_BLOB_NO_INDEX          TLW_NO_INDEX
#define TLW_BLOB_EMPTY_LAYER       255u // SLOT_LAYER of an empty slot

typedef struct tlw_blob_header {
    uint8_t magic[8]; // TLW_BLOB_MAGIC
    uint32_t format_version;
    uint32_t byte_order;  // TLW_BLOB_BYTE_ORDER as the writer's machine stores it
    uint64_t layout_hash; // tlw_blob_layout_hash(): names and element sizes of all sections
    uint64_t total_bytes;
    uint64_t content_hash; // XXH64, seed 0, of every byte after this header
    uint32_t section_count;
    uint32_t lattice_count; // 1
    uint8_t reserved[16];   // 0
} tlw_blob_header;
TLW_STATIC_ASSERT(sizeof(tlw_blob_header) == 64, "header");

// An entry of the table of sections.
typedef struct tlw_blob_section {
    uint32_t kind;    // tlw_blob_section_kind
    uint32_t lattice; // which lattice it belongs to; 0, there is only one
    uint64_t offset;  // from the start of the blob, bytes
    uint64_t count;   // elements
    uint32_t element_bytes;
    uint32_t reserved; // 0
} tlw_blob_section;
TLW_STATIC_ASSERT(sizeof(tlw_blob_section) == 32, "section");

// The voxel lattice: the grid, and the counts that most sections follow.
typedef struct tlw_blob_lattice {
    double voxel_metres;  // edge of a cell
    double origin[3];     // lowest corner of cell (0, 0, 0), model space, metres
    double extent_voxels; // longest extent of the mesh
    uint32_t size[3];     // cells of the grid along x, y, z
    uint32_t lane_axis;   // 0, 1 or 2: rows run along x, y or z
    uint32_t voxel_count;
    uint32_t slot_count; // 8 * window_count
    uint32_t window_count;
    uint32_t joint_count;
    uint32_t layer_count;
    uint32_t part_count;
    uint32_t region_width; // 2 or 3 voxels
    uint32_t neighbours;   // neighbour set of stretch: 6, 14, 18, 20 or 26 (runtime/lattice.h)
    uint32_t vertex_count; // of all meshes
    uint32_t max_d_skin;   // largest d_skin of a voxel (tlw_blob_cell)
    float stiffness_scale; // (resolution / 32)^2
    float cost;            // of a substep, in windows: the scheduler sorts characters by it
    uint32_t has_artist_weights; // 0: weights are geodesic
    uint32_t site_count;
    uint32_t pair_count;      // elements of JOINT_PAIRS
    uint32_t region_count;    // width 2; 0 for width 3, where every voxel has a region of its own
    uint32_t influence_count; // elements of INFLUENCE_JOINT: the lists of all windows
    uint32_t group_count;     // of 8 vertices each, mesh by mesh
    uint32_t skinning;        // tlw_skinning
    uint32_t profile_count;   // elements of PROFILES, and one more: profile 0, the MATERIALS
    float rest_gravity[3];    // g0: what the shape was modelled under, model space, m/s^2
    uint32_t limb_count;      // elements of LIMBS
    uint32_t muscle_count;    // elements of MUSCLES
    uint32_t lame_windows;    // windows with a Lame voxel
} tlw_blob_lattice;
TLW_STATIC_ASSERT(sizeof(tlw_blob_lattice) == 160, "lattice");
#define TLW_BLOB_GRAVITY_MAX 1e6f // of each component of rest_gravity

typedef struct tlw_blob_joint {
    double bind[16]; // joint to model space, metres, column-major
    uint32_t parent; // joint, or TLW_BLOB_NO_INDEX for a root
    uint32_t name;   // offset in STRINGS
    uint32_t part;
    uint32_t is_kept; // 1: it has weights, and therefore segments
} tlw_blob_joint;
TLW_STATIC_ASSERT(sizeof(tlw_blob_joint) == 144, "joint");

// Whether a matrix can be a bind. It must be affine, and its rotation must be separable from its
// stretch, as for a pose: each column has a length, the second is not parallel to the first, the
// third is not in the plane of the other two. Its translation must be at most 1e18 m. False for a
// NaN.
bool tlw_blob_is_bind(const double m[16]);

typedef struct tlw_blob_layer {
    uint32_t name; // offset in STRINGS
    uint32_t voxel_count;
} tlw_blob_layer;

// Part 0 is the whole character; each other part is a joint and what is below it, less the parts
// that lie inside. A part that is mirrored also has the joint on the other side, with what is below
// that (RULES 8.5, 8.6).
typedef struct tlw_blob_part {
    uint32_t joint; // TLW_BLOB_NO_INDEX for part 0
    uint32_t voxel_count;
    uint32_t kind; // tlw_part_kind; TLW_PART_WHOLE for part 0 and for no other
} tlw_blob_part;
TLW_STATIC_ASSERT(sizeof(tlw_blob_part) == 12, "part");

typedef struct tlw_blob_material {
    float stiffness; // ks at resolution 32
    float damping;   // kd
    float anchor_hz; // f_a: frequency of the pull back to the pose (MODEL 3.8)
} tlw_blob_material;
TLW_STATIC_ASSERT(sizeof(tlw_blob_material) == 12, "material");

// A profile after the first (RULES 8.8).
typedef struct tlw_blob_profile {
    uint32_t name; // offset in STRINGS
} tlw_blob_profile;

typedef struct tlw_blob_profile_material {
    float stiffness; // as in tlw_blob_material
    float damping;
    float anchor_hz;
    float limit_scale; // of d_max
} tlw_blob_profile_material;
TLW_STATIC_ASSERT(sizeof(tlw_blob_profile_material) == 16, "profile material");

// The second material of a slot at the border of two parts (RULES 8.5, MODEL 3.10).
typedef struct tlw_blob_blend {
    uint16_t material; // element of MATERIALS: the same layer in another part; 0 without a share
    uint16_t share;    // of the second material, in 65,536ths, at most a half; 0: it has none
} tlw_blob_blend;
TLW_STATIC_ASSERT(sizeof(tlw_blob_blend) == 4, "blend");
#define TLW_BLOB_SHARE_ONE 65536u
#define TLW_BLOB_SHARE_MAX 32768u // the slot's own material has at least as much

// A joint that some voxel has, and that voxel's reference: the joint whose rotation decides the
// signs with which the voxel's other rotations are blended. The reference is the first joint of the
// window's list with the voxel's largest weight. If no pair's rotations point apart, blending needs
// no sign tests.
typedef struct tlw_blob_joint_pair {
    uint16_t joint, reference;
} tlw_blob_joint_pair;

// The box of cells, in lattice axes, that holds the voxels which a joint moves; bounds included. A
// joint without voxels has low 0, 0, 0 and high -1, -1, -1. The runtime compares two poses at the
// corners of the boxes instead of at every voxel.
typedef struct tlw_blob_joint_box {
    int16_t low[3], high[3];
} tlw_blob_joint_box;

// Eight lanes in a row of the lattice.
typedef struct tlw_blob_window {
    // The nine rows around the window: entry (drow + 1) + 3 (dplane + 1) is the site of the cell
    // that is beside lane 0 in that row. rows[4] is the window's own. TLW_BLOB_EMPTY_ROW if the row
    // has no voxel beside the window.
    uint32_t rows[9];
    uint32_t first_influence; // its list of joints in INFLUENCE_JOINT begins here
    int16_t cell[3];          // of lane 0, in lattice axes
    uint8_t occupied;         // bit i: lane i holds a voxel
    uint8_t links[26];        // bit i of links[step]: lane i is linked along the step; the steps of
                              // runtime/lattice.h in lattice axes
    uint8_t influences;       // length of its list of joints, 1 to TLW_BLOB_JOINTS_PER_WINDOW
    uint8_t flags;            // tlw_blob_window_flags
    uint8_t reserved[5];      // 0
} tlw_blob_window;
TLW_STATIC_ASSERT(sizeof(tlw_blob_window) == 80, "window");

typedef enum tlw_blob_window_flags {
    TLW_WINDOW_HAS_CUTS = 1, // a voxel is not linked to a voxel in one of its neighbouring cells
    TLW_WINDOW_IS_THIN = 2,  // a voxel has, along some axis, no linked neighbour on either side
    // The regions of this window must be readable one by one, because a window beside it has cuts
    // and cannot use sums of three regions along a row. Required if a window has cuts along the
    // steps into one of its nine rows, and this window has a voxel among the cells that those steps
    // reach. Where no window needs it, the flag costs time only.
    TLW_WINDOW_IS_TOLD_APART = 4,
    // A vertex hangs on one of its voxels. Where none does, the flag costs time only.
    TLW_WINDOW_IS_BOUND = 8
} tlw_blob_window_flags;

// Empty sites before the first row and after the last: a load of rows[k] - 1 to rows[k] + 8 never
// leaves the arrays.
#define TLW_BLOB_PADDING   16u
#define TLW_BLOB_EMPTY_ROW 4u // all loads from here stay in the padding

// Least number of empty sites between the voxels of two blocks. A block sums three sites in a row
// from eight sites before its first voxel on; with this gap those sums hold no voxel of the block
// before.
#define TLW_BLOB_GAP 9u

// Windows that a task takes together, always whole rows: from first_window up to the next block's.
// One more entry follows the last block: {window_count, site_count - TLW_BLOB_PADDING}.
typedef struct tlw_blob_block {
    uint32_t first_window;
    uint32_t first_site; // sites from here up to the next block's are this block's, gaps included
} tlw_blob_block;

// Values of SITE_KIND.
#define TLW_SITE_EMPTY 0.0f
#define TLW_SITE_SOFT  1.0f
#define TLW_SITE_BONE  2.0f

// What SLOT_MOMENT sums over a voxel and its linked neighbours: o is the step to the neighbour in
// lattice axes (0 for the voxel itself), m the mass, TLW_BONE_MASS for bone and 1 for all others.
typedef enum tlw_blob_moment {
    TLW_MOMENT_LANE, // sum m o
    TLW_MOMENT_ROW,
    TLW_MOMENT_PLANE,
    TLW_MOMENT_MASS,      // sum m
    TLW_MOMENT_LANE_LANE, // sum m o o^T
    TLW_MOMENT_ROW_ROW,
    TLW_MOMENT_PLANE_PLANE,
    TLW_MOMENT_LANE_ROW,
    TLW_MOMENT_LANE_PLANE,
    TLW_MOMENT_ROW_PLANE,
    TLW_MOMENT_COUNT
} tlw_blob_moment;

// What SLOT_REST holds per slot: the inverse of A0/(sum m) along the lattice axes, symmetric (MODEL
// 5.5). All 0 where a voxel and its linked neighbours do not span space, and if empty.
typedef enum tlw_blob_rest {
    TLW_REST_LANE_LANE,
    TLW_REST_ROW_ROW,
    TLW_REST_PLANE_PLANE,
    TLW_REST_LANE_ROW,
    TLW_REST_LANE_PLANE,
    TLW_REST_ROW_PLANE,
    TLW_REST_COUNT
} tlw_blob_rest;

// Computes it from the moments of a slot, with the same bits everywhere.
void tlw_blob_rest_of(const int16_t moments[TLW_MOMENT_COUNT], float out[TLW_REST_COUNT]);

// A joint whose bending loses volume (RULES 9.8 to 9.10, MODEL 3.12). Joints above it that are
// bends come before it.
typedef struct tlw_blob_bend {
    uint32_t joint;
    float rest_volume; // V0: the sum of the shares
    float rest_slope;  // A_1rest, at least 0.01 V0
    float reach;       // most that l may be, voxels
} tlw_blob_bend;
TLW_STATIC_ASSERT(sizeof(tlw_blob_bend) == 16, "bend");

// Two bends that have a voxel together; first < second.
typedef struct tlw_blob_bend_pair {
    uint16_t first, second;
} tlw_blob_bend_pair;

// Where the lists of a window begin, in BEND_ENTRY and BEND_COUPLE. One more element follows the
// last window: the ends.
typedef struct tlw_blob_bend_window {
    uint32_t first_entry, first_couple;
} tlw_blob_bend_window;

// Two bends of a window that have a voxel in it together.
typedef struct tlw_blob_bend_couple {
    uint16_t pair;         // element of BEND_PAIRS
    uint8_t first, second; // entries of the window, counted from its first; first < second
} tlw_blob_bend_couple;
TLW_STATIC_ASSERT(sizeof(tlw_blob_bend_couple) == 4, "couple");
#define TLW_BLOB_BEND_UNIT        (1.0f / 32768.0f) // of BEND_SHARE
#define TLW_BLOB_FIELD_UNIT       (1.0f / 16384.0f) // of FIELD
#define TLW_BLOB_BENDS_PER_VOXEL  2u
#define TLW_BLOB_BENDS_PER_WINDOW (TLW_BLOB_LANES * TLW_BLOB_BENDS_PER_VOXEL)

// A limb of the character's own (RULES 9.11, MODEL 3.16): a capsule that moves with a joint.
typedef struct tlw_blob_limb {
    uint32_t joint;
    float ends[2][3]; // lattice axes, in voxels from the grid's lowest corner
    float radius[2];  // at each end, voxels: multiples of TLW_BLOB_LIMB_UNIT
} tlw_blob_limb;
TLW_STATIC_ASSERT(sizeof(tlw_blob_limb) == 36, "limb");
#define TLW_BLOB_LIMBS_MAX 32u
#define TLW_BLOB_LIMB_UNIT (1.0f / 1024.0f)

// Which limbs may touch a voxel: bit i is limb i. Those in `halves` push it by half, because its
// own limb pushes back; they are among `touches`. Both are 0 for bone and if empty.
typedef struct tlw_blob_slot_limbs {
    uint32_t touches, halves;
} tlw_blob_slot_limbs;
TLW_STATIC_ASSERT(sizeof(tlw_blob_slot_limbs) == 8, "slot limbs");

// A muscle (RULES 9.12, MODEL 3.18). Muscle m is lane m % 8 of group m / 8.
typedef struct tlw_blob_muscle {
    uint32_t name;         // offset in STRINGS
    uint32_t vertex_count; // 3 to TLW_BLOB_LINE_VERTICES
    float bulge;           // factor of B where it is positive, 0 to 10
    float radius;          // largest r of its vertices, voxels, above 0
    uint32_t flex_joint;   // TLW_BLOB_NO_INDEX: tension follows no angle
    float flex_from;       // degrees; both 0 without flex_joint
    float flex_to;
    float reach; // largest |d| of a voxel's BELLY_SHAPE, for bounds
} tlw_blob_muscle;
TLW_STATIC_ASSERT(sizeof(tlw_blob_muscle) == 32, "muscle");
#define TLW_BLOB_MUSCLES_MAX    1024u
#define TLW_BLOB_LINE_VERTICES  32u
#define TLW_BLOB_LINE_FIELDS    8u    // most fields of a muscle
#define TLW_BLOB_LINE_JOINTS    4u    // most joints of a vertex
#define TLW_BLOB_SEGMENT_LEAST  0.25f // of a segment's length, voxels
#define TLW_BLOB_RATIO_MAX      100.0f
#define TLW_BLOB_FIELD_GAIN_MAX 40.0f
#define TLW_BLOB_VOXEL_MUSCLES  4u                // most muscles of a voxel
#define TLW_BLOB_STATION_UNIT   (1.0f / 16384.0f) // of BELLY_WEIGHT
#define TLW_BLOB_STATION_ONE    16384

// Eight muscles whose lines are solved together. One more element follows the last group: the ends.
typedef struct tlw_blob_muscle_group {
    uint32_t first_row;   // in MUSCLE_ROWS; as many rows as its longest muscle has vertices
    uint32_t first_field; // in MUSCLE_FIELDS; as many as the muscle with the most fields has
} tlw_blob_muscle_group;

// Vertex v of the eight muscles of a group, v counting from the group's first row. What belongs to
// segment v, from vertex v to v + 1, is 0 for the last vertex of a muscle. All 0 in lanes whose
// muscle has fewer vertices.
typedef struct tlw_blob_muscle_row {
    float place[3][TLW_LANES];   // x0: lattice axes, in voxels from the grid's lowest corner
    float tangent[3][TLW_LANES]; // t0: lattice axes, length 1
    float balance[3][TLW_LANES]; // f0 without the factor (2 pi 12 h)^2: lattice axes
    float outward[3][TLW_LANES]; // n0, away from the bone: lattice axes, length 1 or 0
    float ratio[TLW_LANES];      // r_s mean(l0)/l0_s of the segment
    float length[TLW_LANES];     // l0 of the segment, voxels
    float slack[TLW_LANES];      // l of the segment: l0 (1 - 0.5/r_s)
    float belly[TLW_LANES];      // 1 for a segment of the belly, 0 for a tendon
    float radius[TLW_LANES];     // r, voxels
    float arc[TLW_LANES];        // arc length from the first vertex, voxels
    float flex[TLW_LANES];       // phi
    float is_dynamic[TLW_LANES]; // 1 or 0
    // Unused places have weight 0 and joint 0. The others ascend by joint and sum to 1.
    float weight[TLW_BLOB_LINE_JOINTS][TLW_LANES];
    uint16_t joint[TLW_BLOB_LINE_JOINTS][TLW_LANES];
} tlw_blob_muscle_row;
TLW_STATIC_ASSERT(sizeof(tlw_blob_muscle_row) == 832, "muscle row");

// Field f of the eight muscles of a group. All 0 in lanes whose muscle has fewer. Every array has
// 32 bytes, so that those of the next field are aligned too.
typedef struct tlw_blob_muscle_field {
    float centre[3][TLW_LANES];  // c0: lattice axes, in voxels from the grid's lowest corner
    float inverse[3][TLW_LANES]; // 1/radii along the lattice axes, 1/voxels
    float gain[TLW_LANES];       // k, 0 to TLW_BLOB_FIELD_GAIN_MAX
    float reach[TLW_LANES];      // of one that attracts, above 1; 0: it repels
    uint32_t joint[TLW_LANES];
} tlw_blob_muscle_field;
TLW_STATIC_ASSERT(sizeof(tlw_blob_muscle_field) == 288, "muscle field");

// A muscle in a window (RULES 9.14): d and a of eight voxels in BELLY_SHAPE, and the vertices of
// its line that they are near, with weights in BELLY_WEIGHT.
typedef struct tlw_blob_belly_entry {
    uint32_t first_weight; // element of BELLY_WEIGHT: one per vertex
    uint16_t muscle;
    uint8_t first_vertex;
    uint8_t vertex_count;
} tlw_blob_belly_entry;
TLW_STATIC_ASSERT(sizeof(tlw_blob_belly_entry) == 8, "belly entry");

typedef struct tlw_blob_belly_shape {
    float d[3][TLW_LANES]; // lattice axes, 1/voxels; 0 where the voxel does not have the muscle
    float a[TLW_LANES];    // 0 to 1
} tlw_blob_belly_shape;
TLW_STATIC_ASSERT(sizeof(tlw_blob_belly_shape) == 128, "belly shape");

// In units of TLW_BLOB_STATION_UNIT; both sum to 1 over the vertices of an entry in lanes that
// have the muscle, and are 0 in the others.
typedef struct tlw_blob_belly_weight {
    int16_t curve[TLW_LANES];  // for B
    int16_t linear[TLW_LANES]; // for c
} tlw_blob_belly_weight;
TLW_STATIC_ASSERT(sizeof(tlw_blob_belly_weight) == 32, "belly weight");

// A material in physical units (RULES 8.9, MODEL 3.20). All 0: it is not lame.
typedef struct tlw_blob_lame {
    float young_kpa;
    float poisson;
    float density; // kg/m^3
} tlw_blob_lame;
TLW_STATIC_ASSERT(sizeof(tlw_blob_lame) == 12, "lame");
#define TLW_LAME_YOUNG_MAX   1e6f
#define TLW_LAME_POISSON_MAX 0.4999f
#define TLW_LAME_DENSITY_MIN 1.0f
#define TLW_LAME_DENSITY_MAX 1e5f

typedef struct tlw_blob_lame_window {
    uint32_t place;      // among the windows that have a Lame voxel; 0 without
    uint8_t lanes;       // bit i: lane i holds a Lame voxel
    uint8_t is_near;     // 1: it has one, or a voxel with a linked face to one
    uint8_t reserved[2]; // 0
} tlw_blob_lame_window;
TLW_STATIC_ASSERT(sizeof(tlw_blob_lame_window) == 8, "lame window");

typedef struct tlw_blob_mesh {
    uint32_t name;                       // offset in STRINGS
    uint32_t first_vertex, vertex_count; // in both orders of vertices
    uint32_t first_group;                // in GROUPS; (vertex_count + 7) / 8 of them are its own
    uint32_t first_index, index_count;   // in INDICES
    uint32_t has_normals, has_tangents;  // 0 or 1
    uint32_t is_points;                  // 1: bound points, not a mesh
} tlw_blob_mesh;

// Eight vertices of one mesh that follow each other in the cooked order, and share lists of voxels
// and joints (RULES 10.7). The arrays GROUP_POSITION to GROUP_CENTRE hold one number of eight
// vertices after another: element (components g + c) 8 + lane.
typedef struct tlw_blob_group {
    uint32_t first_vertex; // cooked order
    uint32_t first_voxel;  // element of GROUP_VOXEL
    uint32_t first_joint;  // element of GROUP_JOINT
    uint8_t vertex_count;  // 1 to 8; the other lanes repeat the last vertex
    uint8_t voxel_count;   // 1 to TLW_BLOB_GROUP_VOXELS
    uint8_t joint_count;   // 0 to TLW_BLOB_GROUP_VOXELS
    uint8_t skinned;       // bit i: lane i has artist weights
} tlw_blob_group;
TLW_STATIC_ASSERT(sizeof(tlw_blob_group) == 16, "group");

// Radial basis functions (RULES 10.10, MODEL 5.4).
typedef struct tlw_blob_rbf {
    float radius;     // r: least distance of two centres of a domain, metres
    float seam_share; // l
    uint32_t seam_passes;
    uint32_t domain_count;
    uint32_t centre_count;
    uint32_t coefficient_count; // of all domains, each a multiple of 8
    uint32_t row_count;         // welded vertices
    uint32_t seam_count;
} tlw_blob_rbf;
TLW_STATIC_ASSERT(sizeof(tlw_blob_rbf) == 32, "rbf");

// The voxels that a centre follows.
typedef struct tlw_blob_binding {
    uint32_t slots[8]; // of voxels, also where the weight is 0
    float weights[8];  // sum 1
} tlw_blob_binding;

typedef struct tlw_blob_rbf_domain {
    uint32_t joint; // the lowest of those that were merged
    uint32_t first_centre, centre_count;
    uint32_t first_coefficient; // a multiple of 8
    uint32_t term_count;        // 1 or 4
    uint32_t first_inverse;     // element of RBF_INVERSE: centre_count rows, each centre_count +
                                // term_count long and padded to a multiple of 8 by 0
} tlw_blob_rbf_domain;
TLW_STATIC_ASSERT(sizeof(tlw_blob_rbf_domain) == 24, "domain");

typedef struct tlw_blob_rbf_seam {
    uint32_t row;   // the welded vertex
    uint32_t first; // its neighbours in RBF_SEAM_ROW and _WEIGHT, up to the next entry's first
} tlw_blob_rbf_seam;

// A voxel's cell (x, y, z, not in lattice axes) and its path lengths in voxels (RULES 7);
// UINT16_MAX where a path does not exist.
typedef struct tlw_blob_cell {
    int16_t x, y, z;
    uint16_t d_skin;    // to the shell of the character
    uint16_t d_bone;    // to bone
    uint16_t d_seg;     // to a voxel that a segment touches
    uint16_t thickness; // largest d_skin that links reach while d_skin increases
    uint16_t reserved;  // 0
} tlw_blob_cell;
TLW_STATIC_ASSERT(sizeof(tlw_blob_cell) == 16, "cell");

// The sections, in the order of the enum and of the file: kind, field, type of an element, number
// of elements (a rule of TLW_BLOB_COUNTS). The field is the kind in lower case: the name of the
// section's pointer in every struct that is generated from this table, the runtime's arrays
// (runtime/blob/arrays.h) and tallow-inspect's among them.
#define TLW_BLOB_SECTIONS(X)                                                                   \
    /* The grid and all counts. */                                                             \
    X(LATTICE, lattice, tlw_blob_lattice, ONE)                                                 \
    /* Names, each ended by a 0. */                                                            \
    X(STRINGS, strings, char, ANY)                                                             \
    /* The skeleton, in the order of the cook's input. */                                      \
    X(JOINTS, joints, tlw_blob_joint, JOINTS)                                                  \
    /* Cells of the voxels that each joint moves. */                                           \
    X(JOINT_BOX, joint_box, tlw_blob_joint_box, JOINTS)                                        \
    /* Every pair that a voxel has, once, ascending by reference, then by joint. */            \
    X(JOINT_PAIRS, joint_pairs, tlw_blob_joint_pair, PAIRS)                                    \
    /* Layers, innermost first; layer 0 is bone. */                                            \
    X(LAYERS, layers, tlw_blob_layer, LAYERS)                                                  \
    /* Parts, for parameters. */                                                               \
    X(PARTS, parts, tlw_blob_part, PARTS)                                                      \
    /* Part p and layer l: element p * layer_count + l. */                                     \
    X(MATERIALS, materials, tlw_blob_material, MATERIALS)                                      \
    /* Profiles after the first. Absent if there is only that one. */                          \
    X(PROFILES, profiles, tlw_blob_profile, OPTIONAL)                                          \
    /* Profile 1 + i, part p, layer l: element (i * part_count + p) * layer_count + l. */      \
    X(PROFILE_MATERIALS, profile_materials, tlw_blob_profile_material, OPTIONAL)               \
    /* Windows, ascending by plane, then row, then lane. */                                    \
    X(WINDOWS, windows, tlw_blob_window, WINDOWS)                                              \
    /* The joints of each window's voxels, ascending: one list after another, in window */     \
    /* order. */                                                                               \
    X(INFLUENCE_JOINT, influence_joint, uint16_t, INFLUENCES)                                  \
    /* Weight of influence i in lane k: element 8 i + k. It is 0 if the voxel does not have */ \
    /* the joint, and in an empty lane. Every joint of a list has a weight above 0 in some */  \
    /* lane; every voxel has 1 to 4 such weights, and they sum to 1. */                        \
    X(INFLUENCE_WEIGHT, influence_weight, float, INFLUENCE_LANES)                              \
    /* Blocks of windows, and the entry after the last. */                                     \
    X(BLOCKS, blocks, tlw_blob_block, ANY)                                                     \
    /* What lies at each site: TLW_SITE_EMPTY, _SOFT or _BONE. */                              \
    X(SITE_KIND, site_kind, float, SITES)                                                      \
    /* The voxel in the slot, TLW_BLOB_NO_INDEX if empty. */                                   \
    X(SLOT_VOXEL, slot_voxel, uint32_t, SLOTS)                                                 \
    /* The voxel's layer, TLW_BLOB_EMPTY_LAYER if empty. */                                    \
    X(SLOT_LAYER, slot_layer, uint8_t, SLOTS)                                                  \
    /* Element of MATERIALS, 0 if empty. */                                                    \
    X(SLOT_MATERIAL, slot_material, uint16_t, SLOTS)                                           \
    /* The slot's second material; nothing for bone and if empty. Absent if parts have no */   \
    /* border. */                                                                              \
    X(SLOT_BLEND, slot_blend, tlw_blob_blend, OPTIONAL_SLOTS)                                  \
    /* Factor of the slot's stiffness, 1/4 to 4; 0 if empty. Absent if none was painted. */    \
    X(SLOT_STIFFNESS, slot_stiffness, float, OPTIONAL_SLOTS)                                   \
    /* d_max: how far the voxel may be from its skinned position, in voxels; 0 if empty. */    \
    X(SLOT_LIMIT, slot_limit, float, SLOTS)                                                    \
    /* Volume weight of the voxel, Eq. 13 (RULES 9); 0 for bone and if empty. */               \
    X(SLOT_VOLUME_WEIGHT, slot_volume_weight, float, SLOTS)                                    \
    /* Sum of the volume weights of the linked faces on both sides along axis a of the */      \
    /* lattice: element a * slot_count + slot. */                                              \
    X(SLOT_VOLUME_PAIR, slot_volume_pair, float, SLOTS_TIMES_3)                                \
    /* In the same order: which end of the axis the voxel itself stands for because it has */  \
    /* no linked face there. 1: the plus end, -1: the minus end, 0: neither or, without any */ \
    /* face, both. */                                                                          \
    X(SLOT_VOLUME_END, slot_volume_end, int8_t, SLOTS_TIMES_3)                                 \
    /* Number of linked neighbours in the lattice's neighbour set. */                          \
    X(SLOT_NEIGHBOURS, slot_neighbours, uint8_t, SLOTS)                                        \
    /* Number of regions that hold the voxel. Width 3: its own and that of every linked */     \
    /* neighbour. Width 2: 8. */                                                               \
    X(SLOT_REGIONS, slot_regions, uint8_t, SLOTS)                                              \
    /* Moment e (tlw_blob_moment) of the voxel's links: element e * slot_count + slot. */      \
    X(SLOT_MOMENT, slot_moment, int16_t, MOMENTS)                                              \
    /* Width 2: the region that holds the voxel as member k, element k * slot_count + slot; */ \
    /* 0 if empty. Member k = dlane + 2 drow + 4 dplane of the 2x2x2 cells. No elements for */ \
    /* width 3. */                                                                             \
    X(SLOT_REGION, slot_region, uint32_t, REGIONS_OF_SLOTS)                                    \
    /* Width 2: the site of member k of region r, element k * stride + r, 0 if the region */   \
    /* has no such member or does not exist. The stride is tlw_blob_region_stride. */          \
    X(REGION_SITE, region_site, uint32_t, SITES_OF_REGIONS)                                    \
    /* Width 2: the lowest slot among the region's voxels. Regions ascend by it, then by */    \
    /* the member that this voxel is. */                                                       \
    X(REGION_FIRST, region_first, uint32_t, REGIONS)                                           \
    /* Skinned volume: absent with all that follow up to FIELD if it was not asked for, or */  \
    /* no bend is left. */                                                                     \
    X(BENDS, bends, tlw_blob_bend, OPTIONAL)                                                   \
    /* Pairs of bends, ascending by first, then second. */                                     \
    X(BEND_PAIRS, bend_pairs, tlw_blob_bend_pair, OPTIONAL)                                    \
    /* The lists of each window, and their ends. */                                            \
    X(BEND_WINDOWS, bend_windows, tlw_blob_bend_window, OPTIONAL)                              \
    /* The bends of each window's voxels, ascending: elements of BENDS. */                     \
    X(BEND_ENTRY, bend_entry, uint16_t, OPTIONAL)                                              \
    /* C of entry i in lane k, in units of 2^-15: element 8 i + k; 0 where the voxel does */   \
    /* not have the bend. */                                                                   \
    X(BEND_SHARE, bend_share, uint16_t, OPTIONAL)                                              \
    /* Pairs of each window's voxels, ascending. */                                            \
    X(BEND_COUPLE, bend_couple, tlw_blob_bend_couple, OPTIONAL)                                \
    /* F along lattice axis a of the voxel in lane k of window w, in units of 2^-14: */        \
    /* element (3 w + a) 8 + k. 0 for bone, and where a voxel has no share. */                 \
    X(FIELD, field, int16_t, OPTIONAL_SLOTS_TIMES_3)                                           \
    /* Own limbs, ascending by joint: absent with SLOT_LIMBS if none was asked for or is */    \
    /* left. */                                                                                \
    X(LIMBS, limbs, tlw_blob_limb, OPTIONAL)                                                   \
    X(SLOT_LIMBS, slot_limbs, tlw_blob_slot_limbs, OPTIONAL_SLOTS)                             \
    /* Muscles: absent with all that follow up to BELLY_WEIGHT if the recipe lists none. */    \
    X(MUSCLES, muscles, tlw_blob_muscle, OPTIONAL)                                             \
    X(MUSCLE_GROUPS, muscle_groups, tlw_blob_muscle_group, OPTIONAL)                           \
    X(MUSCLE_ROWS, muscle_rows, tlw_blob_muscle_row, OPTIONAL)                                 \
    X(MUSCLE_FIELDS, muscle_fields, tlw_blob_muscle_field, OPTIONAL)                           \
    /* Where the list of each window begins in BELLY_ENTRY, and the end of the last. */        \
    X(BELLY_WINDOWS, belly_windows, uint32_t, OPTIONAL)                                        \
    /* The muscles of each window's voxels, ascending. */                                      \
    X(BELLY_ENTRY, belly_entry, tlw_blob_belly_entry, OPTIONAL)                                \
    X(BELLY_SHAPE, belly_shape, tlw_blob_belly_shape, OPTIONAL)                                \
    X(BELLY_WEIGHT, belly_weight, tlw_blob_belly_weight, OPTIONAL)                             \
    /* Materials in physical units, in the order of MATERIALS: absent with LAME_WINDOWS if */  \
    /* no voxel has one. */                                                                    \
    X(LAME, lame, tlw_blob_lame, OPTIONAL_MATERIALS)                                           \
    X(LAME_WINDOWS, lame_windows, tlw_blob_lame_window, OPTIONAL_WINDOWS)                      \
    /* The voxel's slot. Voxels are ordered by z, then y, then x. */                           \
    X(VOXEL_SLOT, voxel_slot, uint32_t, VOXELS)                                                \
    /* The voxel's cell and path lengths. */                                                   \
    X(VOXEL_CELL, voxel_cell, tlw_blob_cell, VOXELS)                                           \
    /* From here on: only for meshes, the voxels do not need it. */                            \
    X(MESHES, meshes, tlw_blob_mesh, ANY)                                                      \
    /* Number e (tlw_blob_rest) of the voxel's rest shape: element e * slot_count + slot. */   \
    X(SLOT_REST, slot_rest, float, RESTS)                                                      \
    /* Groups of 8 vertices, mesh by mesh. */                                                  \
    X(GROUPS, groups, tlw_blob_group, GROUPS)                                                  \
    /* Slots of each group's voxels, ascending, one list after another. */                     \
    X(GROUP_VOXEL, group_voxel, uint32_t, ANY)                                                 \
    /* Weight of element i of GROUP_VOXEL in lane k, in units of 2^-15: element 8 i + k. */    \
    /* Each has a weight above 0 in some lane; in every lane they sum to 2^15. */              \
    X(GROUP_VOXEL_WEIGHT, group_voxel_weight, uint16_t, ANY)                                   \
    /* The same for artist's joints; a lane that is not skinned has none. */                   \
    X(GROUP_JOINT, group_joint, uint16_t, ANY)                                                 \
    X(GROUP_JOINT_WEIGHT, group_joint_weight, uint16_t, ANY)                                   \
    /* Rest shape in model space, metres: 3 components. */                                     \
    X(GROUP_POSITION, group_position, float, GROUPS_TIMES_24)                                  \
    /* 3 components, 0 if the mesh has none; absent if no mesh has any. */                     \
    X(GROUP_NORMAL, group_normal, float, OPTIONAL_GROUPS_TIMES_24)                             \
    /* 4 components, 0 if the mesh has none; absent if no mesh has any. */                     \
    X(GROUP_TANGENT, group_tangent, float, OPTIONAL_GROUPS_TIMES_32)                           \
    /* xb, the weighted mean of the voxels' centres: 3 components; absent if no vertex is */   \
    /* skinned. */                                                                             \
    X(GROUP_CENTRE, group_centre, float, OPTIONAL_GROUPS_TIMES_24)                             \
    /* The vertex of the source for each of the cooked order, and the other way round. */      \
    X(VERTEX_SOURCE, vertex_source, uint32_t, VERTICES)                                        \
    X(VERTEX_COOKED, vertex_cooked, uint32_t, VERTICES)                                        \
    /* Ring normals: neighbour k of the vertex in lane i, in cooked order, element */          \
    /* (6 g + k) 8 + i; and its two coefficients, (12 g + 2 k) 8 + i and 8 further. */         \
    X(RING_NEIGHBOUR, ring_neighbour, uint32_t, OPTIONAL_GROUPS_TIMES_48)                      \
    X(RING_WEIGHT, ring_weight, float, OPTIONAL_GROUPS_TIMES_96)                               \
    /* Radial basis functions: one element, or absent with all that follow. */                 \
    X(RBF, rbf, tlw_blob_rbf, OPTIONAL)                                                        \
    X(RBF_DOMAIN, rbf_domain, tlw_blob_rbf_domain, OPTIONAL)                                   \
    /* The voxels that each centre follows. */                                                 \
    X(RBF_CENTRE, rbf_centre, tlw_blob_binding, OPTIONAL)                                      \
    X(RBF_INVERSE, rbf_inverse, float, OPTIONAL)                                               \
    /* Where the row of each welded vertex begins, and the end of the last. */                 \
    X(RBF_ROW_FIRST, rbf_row_first, uint32_t, OPTIONAL)                                        \
    X(RBF_ROW_INDEX, rbf_row_index, uint16_t, OPTIONAL)                                        \
    X(RBF_ROW_WEIGHT, rbf_row_weight, float, OPTIONAL)                                         \
    /* The row of each vertex, in cooked order. */                                             \
    X(RBF_VERTEX_ROW, rbf_vertex_row, uint32_t, OPTIONAL)                                      \
    /* Seam vertices ascending, and one entry more whose row is row_count. */                  \
    X(RBF_SEAM, rbf_seam, tlw_blob_rbf_seam, OPTIONAL)                                         \
    X(RBF_SEAM_ROW, rbf_seam_row, uint32_t, OPTIONAL)                                          \
    X(RBF_SEAM_WEIGHT, rbf_seam_weight, float, OPTIONAL)                                       \
    /* Triangles, three vertices of the same mesh each, in source order. */                    \
    X(INDICES, indices, uint32_t, OPTIONAL)                                                    \
    /* Texture coordinates, two per vertex; absent if no mesh has any. */                      \
    X(UVS, uvs, float, OPTIONAL)

// How many elements a section has in a blob with the lattice `l`. ANY and OPTIONAL leave the number
// open; sections whose rule begins with OPTIONAL may be absent.
#define TLW_BLOB_COUNTS(X)                                                          \
    X(ONE, 1)                                                                       \
    X(ANY, TLW_BLOB_ANY_COUNT)                                                      \
    X(OPTIONAL, TLW_BLOB_ANY_COUNT)                                                 \
    X(OPTIONAL_SLOTS, l->slot_count)                                                \
    X(OPTIONAL_MATERIALS, (uint64_t)l->part_count * l->layer_count)                 \
    X(OPTIONAL_WINDOWS, l->window_count)                                            \
    X(OPTIONAL_SLOTS_TIMES_3, (uint64_t)l->slot_count * 3)                          \
    X(JOINTS, l->joint_count)                                                       \
    X(PAIRS, l->pair_count)                                                         \
    X(LAYERS, l->layer_count)                                                       \
    X(PARTS, l->part_count)                                                         \
    X(MATERIALS, (uint64_t)l->part_count * l->layer_count)                          \
    X(WINDOWS, l->window_count)                                                     \
    X(INFLUENCES, l->influence_count)                                               \
    X(INFLUENCE_LANES, (uint64_t)TLW_BLOB_LANES * l->influence_count)               \
    X(SITES, l->site_count)                                                         \
    X(SLOTS, l->slot_count)                                                         \
    X(SLOTS_TIMES_3, (uint64_t)l->slot_count * 3)                                   \
    X(MOMENTS, (uint64_t)TLW_MOMENT_COUNT * l->slot_count)                          \
    X(RESTS, (uint64_t)TLW_REST_COUNT * l->slot_count)                              \
    X(GROUPS, l->group_count)                                                       \
    X(GROUPS_TIMES_24, (uint64_t)24 * l->group_count)                               \
    X(OPTIONAL_GROUPS_TIMES_24, (uint64_t)24 * l->group_count)                      \
    X(OPTIONAL_GROUPS_TIMES_32, (uint64_t)32 * l->group_count)                      \
    X(OPTIONAL_GROUPS_TIMES_48, (uint64_t)48 * l->group_count)                      \
    X(OPTIONAL_GROUPS_TIMES_96, (uint64_t)96 * l->group_count)                      \
    X(REGIONS_OF_SLOTS,                                                             \
      l->region_width == 2 ? (uint64_t)l->slot_count * TLW_BLOB_REGION_MEMBERS : 0) \
    X(SITES_OF_REGIONS, tlw_blob_region_stride(l) * TLW_BLOB_REGION_MEMBERS)        \
    X(REGIONS, l->region_count)                                                     \
    X(VOXELS, l->voxel_count)                                                       \
    X(VERTICES, l->vertex_count)
#define TLW_BLOB_ANY_COUNT UINT64_MAX

typedef enum tlw_blob_section_kind {
#define TLW_BLOB_SECTION_ENUM(name, field, type, count) TLW_SECTION_##name,
    TLW_BLOB_SECTIONS(TLW_BLOB_SECTION_ENUM)
#undef TLW_BLOB_SECTION_ENUM
        TLW_SECTION_COUNT
} tlw_blob_section_kind;

// A typed pointer per section, for a struct: TLW_BLOB_SECTIONS(TLW_BLOB_FIELD).
#define TLW_BLOB_FIELD(kind, field, type, count) const type* field;

// Stride of REGION_SITE: the number of regions, rounded up to whole windows of 8.
TLW_INLINE uint64_t tlw_blob_region_stride(const tlw_blob_lattice* lattice) {
    return ((uint64_t)lattice->region_count + TLW_BLOB_LANES - 1) / TLW_BLOB_LANES * TLW_BLOB_LANES;
}

// Elements that a section has in a blob with this lattice, TLW_BLOB_ANY_COUNT if the lattice does
// not tell.
uint64_t tlw_blob_section_elements(tlw_blob_section_kind kind, const tlw_blob_lattice* lattice);
uint32_t tlw_blob_element_bytes(tlw_blob_section_kind kind);
bool tlw_blob_is_optional(tlw_blob_section_kind kind);

// Where the next section begins, if the one before ends at `end`.
TLW_INLINE uint64_t tlw_blob_align(uint64_t end) {
    return (end + TLW_BLOB_ALIGNMENT - 1) & ~(uint64_t)(TLW_BLOB_ALIGNMENT - 1);
}

// For writers: lays out a blob that has counts[kind] elements of each section, TLW_BLOB_ABSENT for
// a section to leave out. Fills in the table of sections, in their order, and how many there are.
// Returns the size of the blob in bytes.
#define TLW_BLOB_ABSENT UINT64_MAX
uint64_t tlw_blob_lay_out(const uint64_t counts[TLW_SECTION_COUNT],
                          tlw_blob_section table[TLW_SECTION_COUNT], uint32_t* section_count);

// Changes whenever a section's name, place or element size changes.
uint64_t tlw_blob_layout_hash(void);
uint64_t tlw_xxh64(const void* bytes, size_t size, uint64_t seed);

// Safe for untrusted bytes: all arithmetic on counts is checked, and no index or float is used
// before it was checked (MODEL 9.3). Never writes to the blob, never allocates. `bytes` must lie on
// a multiple of 64. Returns TLW_OK, TLW_ERROR_MISALIGNED, TLW_ERROR_BAD_BLOB, or TLW_ERROR_OLD_BLOB
// for another version of the format. The report is filled in every case; it may be null.
tlw_result tlw_blob_validate(const void* bytes, size_t size, tlw_blob_trust trust,
                             tlw_blob_report* report);

// A section of a validated blob: its first element and their number; null and 0 if it is absent.
const void* tlw_blob_find(const void* bytes, tlw_blob_section_kind kind, uint64_t* count);

// All sections of a validated blob, by kind; null and 0 for each that is absent.
typedef struct tlw_blob_contents {
    const void* first[TLW_SECTION_COUNT];
    uint64_t count[TLW_SECTION_COUNT];
} tlw_blob_contents;
void tlw_blob_find_all(const void* bytes, tlw_blob_contents* out);

TLW_EXTERN_C_END

#endif
