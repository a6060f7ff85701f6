// SPDX-License-Identifier: MIT
// The blob (.tlw): what the cooker writes and the runtime uses as it lies. Little-endian, no
// pointers, structure of arrays, every section on a multiple of 64 bytes.
//
//     header | table of sections | section | section | ...
//
// Rows of voxels along the lane axis are cut into windows of 8 lanes. A voxel has two places:
//
//   its slot, 8 * window + lane: where the blob and a character's state keep what belongs to it;
//   its site: where it lies in the arrays that neighbours read during a step. A row's windows lie
//   there one after the other, and so many empty sites between two rows that the neighbours of 8
//   lanes are plain loads at nine offsets, and what a voxel does not have beside it reads as 0.
//
// Lanes beyond a row's end, or in a gap that was not worth closing, are empty: their weights are 0.
// Axes are turned so that the lane axis comes first (x: xyz, y: yzx, z: zxy); they are called
// lane, p, q.
#ifndef TLW_RUNTIME_BLOB_H
#define TLW_RUNTIME_BLOB_H

#include "platform/base.h"
#include "platform/result.h"
#include "runtime/lattice.h"

TLW_EXTERN_C_BEGIN

#define TLW_BLOB_MAGIC          "TALLOW\r\n" // a transfer that changes line ends shows at once
#define TLW_BLOB_FORMAT_VERSION 4u
#define TLW_BLOB_BYTE_ORDER     0x01020304u
#define TLW_BLOB_ALIGNMENT      64u

#define TLW_BLOB_LANES           ((uint32_t)TLW_LANES)
#define TLW_BLOB_JOINTS_A_VOXEL  4u
#define TLW_BLOB_JOINTS_A_WINDOW (TLW_BLOB_LANES * TLW_BLOB_JOINTS_A_VOXEL)
#define TLW_BLOB_LAYERS_MAX      8u
#define TLW_BLOB_NO_INDEX        UINT32_MAX
#define TLW_BLOB_EMPTY_LAYER     255u // of an empty slot

typedef struct tlw_blob_header {
    uint8_t magic[8];
    uint32_t format_version;
    uint32_t byte_order;
    uint64_t layout_hash; // of the names and sizes of all sections: tlw_blob_layout_hash()
    uint64_t total_bytes;
    uint64_t content_hash; // XXH64, seed 0, of every byte behind this header
    uint32_t section_count;
    uint32_t lattice_count;
    uint8_t reserved[16];
} tlw_blob_header;
TLW_STATIC_ASSERT(sizeof(tlw_blob_header) == 64, "header");

typedef struct tlw_blob_section {
    uint32_t kind; // tlw_blob_section_kind
    uint32_t lattice;
    uint64_t offset; // from the start of the blob
    uint64_t count;  // elements
    uint32_t element_bytes;
    uint32_t reserved;
} tlw_blob_section;
TLW_STATIC_ASSERT(sizeof(tlw_blob_section) == 32, "section");

// One a lattice.
typedef struct tlw_blob_lattice {
    double voxel_metres;
    double origin[3]; // model space, metres: lowest corner of cell (0, 0, 0)
    double extent_voxels;
    uint32_t size[3];   // cells of the grid
    uint32_t lane_axis; // 0, 1 or 2: rows run along it
    uint32_t voxel_count;
    uint32_t slot_count;
    uint32_t window_count;
    uint32_t joint_count;
    uint32_t layer_count;
    uint32_t part_count;
    uint32_t region_width; // 2 or 3
    uint32_t neighbours;   // 6, 14, 18, 20 or 26
    uint32_t vertex_count;
    uint32_t max_d_skin;
    float anchor_hz;
    float stiffness_scale; // (resolution / 32)^2
    float cost;            // windows a substep: what the scheduler goes by
    uint32_t has_artist_weights;
    uint32_t site_count;
    uint32_t pair_count;
    uint32_t region_count;    // of width 2; 0 for width 3, where every voxel has one of its own
    uint32_t influence_count; // of all windows
} tlw_blob_lattice;
TLW_STATIC_ASSERT(sizeof(tlw_blob_lattice) == 128, "lattice");

typedef struct tlw_blob_joint {
    double bind[16]; // joint to model space, metres, column-major
    uint32_t parent; // TLW_BLOB_NO_INDEX: a root
    uint32_t name;   // byte of the strings section
    uint32_t part;
    uint32_t is_kept; // has weights, and so segments
} tlw_blob_joint;
TLW_STATIC_ASSERT(sizeof(tlw_blob_joint) == 144, "joint");

// Whether a matrix can be a bind: affine, and such that its rotation can be told from its stretch,
// as that of a pose must be: columns that have a length, the second not along the first, the third
// not in their plane; and a place that is not out of this world. False for a NaN.
TLW_INLINE bool tlw_blob_is_bind(const double m[16]) {
    const double *x = m, *y = m + 4, *z = m + 8;
    const double n[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2],
                         x[0] * y[1] - x[1] * y[0]};
    const double x2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    const double y2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    const double z2 = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
    const double n2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    const double volume = n[0] * z[0] + n[1] * z[1] + n[2] * z[2];
    return m[3] == 0.0 && m[7] == 0.0 && m[11] == 0.0 && m[15] == 1.0 && x2 > 1e-24 && x2 < 1e36 &&
           y2 > 1e-24 && y2 < 1e36 && z2 > 1e-24 && z2 < 1e36 && n2 > 1.01e-8 * (x2 * y2) &&
           volume * volume > 1.01e-8 * (n2 * z2) && m[12] >= -1e18 && m[12] <= 1e18 &&
           m[13] >= -1e18 && m[13] <= 1e18 && m[14] >= -1e18 && m[14] <= 1e18;
}

typedef struct tlw_blob_layer {
    uint32_t name;
    uint32_t voxel_count;
} tlw_blob_layer;

// Part 0 is the character; others are a joint and its subtree.
typedef struct tlw_blob_part {
    uint32_t joint; // TLW_BLOB_NO_INDEX: part 0
    uint32_t voxel_count;
} tlw_blob_part;

// Of part p and layer l: element p * layer_count + l.
typedef struct tlw_blob_material {
    float stiffness; // ks at resolution 32
    float damping;   // kd
} tlw_blob_material;

// A joint of a voxel, and the joint that the voxel's rotations are blended nearest to: its
// reference, the first of the window's list with the largest weight. Where no pair's rotations
// point apart, blending needs no tests.
typedef struct tlw_blob_joint_pair {
    uint16_t joint, reference;
} tlw_blob_joint_pair;

// Cells (turned) of the voxels that a joint moves; empty where low > high. A pose that moves the
// corners little moves no voxel far.
typedef struct tlw_blob_joint_box {
    int16_t low[3], high[3];
} tlw_blob_joint_box;

// Eight lanes in a row; cells are turned.
typedef struct tlw_blob_window {
    uint32_t rows[9]; // site of lane 0's cell in the rows at (dp, dq), p fastest, from (-1, -1);
                      // rows[4] is its own. Of a row without voxels there: TLW_BLOB_EMPTY_ROW
    uint32_t first_influence; // where its list of joints begins
    int16_t cell[3];
    uint8_t occupied;   // bit i: lane i is a voxel
    uint8_t links[26];  // bit i of links[k]: lane i is linked along step k. Steps as the rows, each
                        // with -1, 0, +1 along the lane axis, fastest; the cell itself is left out
    uint8_t influences; // joints of its list, 1 to TLW_BLOB_JOINTS_A_WINDOW
    uint8_t flags;      // tlw_blob_window_flags
    uint8_t reserved[5];
} tlw_blob_window;
TLW_STATIC_ASSERT(sizeof(tlw_blob_window) == 80, "window");

typedef enum tlw_blob_window_flags {
    TLW_WINDOW_HAS_CUTS = 1, // a voxel's neighbouring cell is a voxel that it is not linked to
    TLW_WINDOW_IS_THIN = 2,  // a voxel has no linked neighbour on either side along some axis
    // A window that has cuts along the steps of one of its rows has a voxel of this window in that
    // row: it must tell this window's regions apart. (Where none does, the flag costs time only.)
    TLW_WINDOW_IS_TOLD_APART = 4
} tlw_blob_window_flags;

// The first sites are empty, and so are as many behind the last row: a load at rows[k] - 1 to
// rows[k] + 8 never leaves the arrays.
#define TLW_BLOB_PADDING   16u
#define TLW_BLOB_EMPTY_ROW 4u // all loads from here stay in the padding

// Empty sites between two blocks' voxels, at least: of the eight before a block none is beside a
// voxel of the block before.
#define TLW_BLOB_GAP 9u

// What tasks are cut at: windows [first_window, that of the next block), whole rows. One more
// stands behind the last: {window_count, site_count - TLW_BLOB_PADDING}.
typedef struct tlw_blob_block {
    uint32_t first_window;
    uint32_t first_site; // sites from here to the next block's are this block's, gaps too
} tlw_blob_block;

// SITE_KIND: what is there
#define TLW_SITE_EMPTY 0.0f
#define TLW_SITE_SOFT  1.0f
#define TLW_SITE_BONE  2.0f

// SLOT_MOMENT: sums over a voxel and its linked neighbours, mass 1 and bone 10, o the step to it in
// turned axes. Element e of slot s: moment[e * slot_count + s].
typedef enum tlw_blob_moment {
    TLW_MOMENT_LANE, // sum m o
    TLW_MOMENT_ROW,
    TLW_MOMENT_PLANE,
    TLW_MOMENT_MASS,
    TLW_MOMENT_LANE_LANE, // sum m o o^T
    TLW_MOMENT_ROW_ROW,
    TLW_MOMENT_PLANE_PLANE,
    TLW_MOMENT_LANE_ROW,
    TLW_MOMENT_LANE_PLANE,
    TLW_MOMENT_ROW_PLANE,
    TLW_MOMENT_COUNT
} tlw_blob_moment;

// Regions of width 2: member k = dlane + 2 dp + 4 dq of a 2x2x2 block. REGION_SITE is the site of
// member k of region r, element k * stride + r, 0 where there is none; the stride is region_count
// rounded up to 8. REGION_FIRST is the slot of its first voxel, the lowest; regions ascend by it,
// and then by which member that is. SLOT_REGION is the region that holds slot s as member k,
// element k * slot_count + s. Sections without elements for width 3.

typedef struct tlw_blob_mesh {
    uint32_t name;
    uint32_t first_vertex, vertex_count;
    uint32_t first_index, index_count; // of the indices section, where there is one
    uint32_t has_normals, has_tangents;
    uint32_t is_points; // bound points, not a mesh
} tlw_blob_mesh;

typedef struct tlw_blob_vertex {
    float position[3]; // model space, metres
    float normal[3];   // 0 where there is none
    float tangent[4];
} tlw_blob_vertex;

typedef struct tlw_blob_skinning {
    uint16_t joints[8];
    float weights[8]; // sum 1, or all 0: no artist weights
} tlw_blob_skinning;

typedef struct tlw_blob_binding {
    uint32_t slots[8];
    float weights[8]; // sum 1; 0 where unused
} tlw_blob_binding;

typedef struct tlw_blob_cell {
    int16_t x, y, z;
    uint16_t d_skin, d_bone, d_seg; // UINT16_MAX: not reached
    uint16_t thickness;
    uint16_t reserved;
} tlw_blob_cell;
TLW_STATIC_ASSERT(sizeof(tlw_blob_cell) == 16, "cell");

// Section, field of the arrays that opening a blob fills in, type of an element, how many elements:
// once, one for each joint, ..., any number. OPTIONAL: any number, and the section may be absent.
// The order is that of the enum and of the file.
#define TLW_BLOB_SECTIONS(X)                                      \
    X(LATTICE, lattice, tlw_blob_lattice, ONE)                    \
    X(STRINGS, strings, uint8_t, ANY)                             \
    X(JOINTS, joints, tlw_blob_joint, JOINTS)                     \
    X(JOINT_BOX, joint_boxes, tlw_blob_joint_box, JOINTS)         \
    X(JOINT_PAIRS, joint_pairs, tlw_blob_joint_pair, PAIRS)       \
    X(LAYERS, layers, tlw_blob_layer, LAYERS)                     \
    X(PARTS, parts, tlw_blob_part, PARTS)                         \
    X(MATERIALS, materials, tlw_blob_material, MATERIALS)         \
    X(WINDOWS, windows, tlw_blob_window, WINDOWS)                 \
    X(INFLUENCE_JOINT, influence_joint, uint16_t, INFLUENCES)     \
    X(INFLUENCE_WEIGHT, influence_weight, float, INFLUENCE_LANES) \
    X(BLOCKS, blocks, tlw_blob_block, ANY)                        \
    X(SITE_KIND, site_kind, float, SITES)                         \
    X(SLOT_VOXEL, slot_voxel, uint32_t, SLOTS)                    \
    X(SLOT_LAYER, slot_layer, uint8_t, SLOTS)                     \
    X(SLOT_MATERIAL, slot_material, uint16_t, SLOTS)              \
    X(SLOT_LIMIT, slot_limit, float, SLOTS)                       \
    X(SLOT_VOLUME_WEIGHT, slot_volume_weight, float, SLOTS)       \
    X(SLOT_VOLUME_PAIR, slot_volume_pair, float, SLOTS_TIMES_3)   \
    X(SLOT_VOLUME_END, slot_volume_end, int8_t, SLOTS_TIMES_3)    \
    X(SLOT_NEIGHBOURS, slot_neighbours, uint8_t, SLOTS)           \
    X(SLOT_REGIONS, slot_regions, uint8_t, SLOTS)                 \
    X(SLOT_MOMENT, slot_moment, int16_t, MOMENTS)                 \
    X(SLOT_REGION, slot_region, uint32_t, REGIONS_OF_SLOTS)       \
    X(REGION_SITE, region_site, uint32_t, SITES_OF_REGIONS)       \
    X(REGION_FIRST, region_first, uint32_t, REGIONS)              \
    X(VOXEL_SLOT, voxel_slot, uint32_t, VOXELS)                   \
    X(VOXEL_CELL, voxel_cell, tlw_blob_cell, VOXELS)              \
    X(MESHES, meshes, tlw_blob_mesh, ANY)                         \
    X(VERTICES, vertices, tlw_blob_vertex, VERTICES)              \
    X(SKINNING, skinning, tlw_blob_skinning, VERTICES)            \
    X(BINDINGS, bindings, tlw_blob_binding, VERTICES)             \
    X(INDICES, indices, uint32_t, OPTIONAL)                       \
    X(UVS, uvs, float, OPTIONAL)
// INFLUENCE_JOINT lists the joints of each window's voxels, one list behind the other in the order
// of windows, each ascending. INFLUENCE_WEIGHT has the weight of influence i in each lane, element
// 8 i + lane, 0 where the voxel does not have the joint or there is none: every joint has a weight
// above 0 in some lane, every voxel 1 to 4, which sum to 1. JOINT_PAIRS are the pairs that voxels
// have, each once, ascending by reference, then joint.
// SLOT_NEIGHBOURS counts a voxel's linked neighbours of the lattice's set.
// SLOT_REGIONS counts the regions that hold it: width 3, its own and those of all linked
// neighbours. SLOT_VOLUME_WEIGHT is Eq. 13, 0 for bone; SLOT_VOLUME_PAIR the sum of it over the
// linked faces on both sides along turned axis a, element a * slot_count + s. SLOT_VOLUME_END is,
// in the same order, which end of that axis the voxel stands for itself because it has no linked
// face there: 1 the plus end, -1 the minus end, 0 neither or, with no face at all, both.

typedef enum tlw_blob_section_kind {
#define TLW_BLOB_SECTION_ENUM(name, field, type, count) TLW_SECTION_##name,
    TLW_BLOB_SECTIONS(TLW_BLOB_SECTION_ENUM)
#undef TLW_BLOB_SECTION_ENUM
        TLW_SECTION_COUNT
} tlw_blob_section_kind;

// "SLOT_LIMIT"; "unknown" for a number outside the table.
const char* tlw_blob_section_name(uint32_t kind);
uint64_t tlw_blob_layout_hash(void);
uint64_t tlw_xxh64(const void* bytes, size_t size, uint64_t seed);

// What is wrong with a blob: a place and two numbers.
typedef struct tlw_blob_report {
    tlw_result result;
    uint32_t section;         // tlw_blob_section_kind; TLW_SECTION_COUNT: the header or the table
    uint64_t element;         // of that section, or of the table
    uint64_t offset;          // byte of the blob
    const char* what;         // which rule, a literal
    uint64_t expected, found; // numbers; floats by their bits
} tlw_blob_report;

// Region count rounded up to whole windows: the stride of REGION_SITE.
TLW_INLINE uint64_t tlw_blob_region_stride(const tlw_blob_lattice* lattice) {
    return ((uint64_t)lattice->region_count + TLW_BLOB_LANES - 1) / TLW_BLOB_LANES * TLW_BLOB_LANES;
}

typedef enum tlw_blob_trust {
    TLW_BLOB_CHECK_ALL,
    TLW_BLOB_SKIP_CONTENT_HASH // everything else is checked all the same
} tlw_blob_trust;

// Safe for untrusted bytes: every count by checked arithmetic, every index and every float before
// anything follows it. Never writes, never allocates. `bytes` must lie on a multiple of 64.
// TLW_OK; TLW_ERROR_MISALIGNED; TLW_ERROR_BAD_BLOB with the report filled (null: not wanted).
tlw_result tlw_blob_validate(const void* bytes, size_t size, tlw_blob_trust trust,
                             tlw_blob_report* report);

// A section of a blob that was validated: its first element and their number; null and 0 if absent.
const void* tlw_blob_find(const void* bytes, tlw_blob_section_kind kind, uint64_t* count);

TLW_EXTERN_C_END

#endif
