// SPDX-License-Identifier: MIT
// A cooked character as an engine sees it: opening a blob and asking what it holds. Skeleton,
// meshes, layers and parts can be found by name here, so that no engine has to know how a blob is
// laid out.
//
//     file --tlw_blob_open--> blob --tlw_blob_map_joints--> the engine's joint for each joint
//
// Everything in this header only reads the blob. It may be called from any thread at any time, also
// while worlds step characters of the same blob, and any number of worlds may share one blob.
//
// Model space is the space of the bind pose, in metres: the space of the scene for a glTF file,
// whatever transforms lie above its skeleton. Matrices are 4x4, column-major. Indices out of range
// and blobs that were not opened are answered with TLW_ERROR_BAD_ARGUMENT, unknown names with
// TLW_ERROR_NOT_FOUND; null pointers assert.
#ifndef TLW_RUNTIME_ASSET_H
#define TLW_RUNTIME_ASSET_H

#include "platform/base.h"
#include "platform/result.h"

TLW_EXTERN_C_BEGIN

// Every block of memory that you give to Tallow, and every blob, must be aligned to this.
#define TLW_MEMORY_ALIGNMENT 64

// An index that names nothing: the parent of a root, a joint that was not found.
#define TLW_NO_INDEX UINT32_MAX

// ---- Opening

// A cooked file that was validated. It is used in place and never copied: its bytes must stay where
// they are, unchanged, for as long as a character of it lives. A tlw_blob is a plain value that may
// be copied; only tlw_blob_open makes a valid one.
typedef struct tlw_blob {
    const void* bytes;
    size_t size;
    uint64_t cookie;
} tlw_blob;

// What is wrong with a blob: a place, the rule that is broken there, and two values of the quantity
// that the rule is about. The two always differ. Where a rule allows a range, `expected` is the end
// of the range that was passed, which is itself allowed; for a NaN, the upper end. Where it allows
// a set, `expected` is one member. Floats and doubles are given by their bits, negative integers as
// two's complement of their own width, an index that must not exist as TLW_NO_INDEX.
typedef struct tlw_blob_report {
    tlw_result result;
    uint32_t section;   // a number for tlw_blob_section_name; the header and the table of
                        // sections have a number of their own
    uint64_t element;   // of that section, or of the table
    uint32_t component; // which number of the element the rule is about: an axis, a row, a step, a
                        // lane, a weight; 0 if there is only one
    uint64_t offset;    // first byte of the element, from the start of the blob
    const char* what;   // the rule, a string literal
    uint64_t expected, found;
} tlw_blob_report;

typedef enum tlw_blob_trust {
    TLW_BLOB_CHECK_ALL,
    TLW_BLOB_SKIP_CONTENT_HASH // everything else is still checked
} tlw_blob_trust;

// Name of the section of a report, "SLOT_LIMIT"; "header or table" for the place before all
// sections.
const char* tlw_blob_section_name(uint32_t section);

// Checks the bytes of a cooked file and opens them. They may come from anywhere: damaged and
// hostile bytes are rejected, never followed. Errors: TLW_ERROR_MISALIGNED, TLW_ERROR_BAD_BLOB
// (damaged), TLW_ERROR_OLD_BLOB (cooked for another version of the format: cook again). `report`
// may be null; it says what is wrong, with both versions for an old blob.
TLW_MUST_USE tlw_result tlw_blob_open(const void* bytes, size_t size, tlw_blob_trust trust,
                                      tlw_blob* out, tlw_blob_report* report);

// How joints move voxels and vertices (MODEL 3.2, 3.13): enumerator, and the recipe's word.
#define TLW_SKINNINGS(X) \
    X(LINEAR, "linear")  \
    X(DUAL, "dual")

typedef enum tlw_skinning {
#define TLW_SKINNING_ENUM(enumerator, text) TLW_SKINNING_##enumerator,
    TLW_SKINNINGS(TLW_SKINNING_ENUM)
#undef TLW_SKINNING_ENUM
        TLW_SKINNING_COUNT
} tlw_skinning;

typedef struct tlw_blob_info {
    uint32_t voxel_count;    // soft and bone
    uint32_t vertex_count;   // of all meshes and bound points
    uint32_t joint_count;    // a pose has this many
    uint32_t layer_count;    // bone included
    uint32_t part_count;     // at least 1: part 0 is the whole character
    uint32_t mesh_count;     // sets of bound points included
    uint32_t profile_count;  // at least 1: profile 0 is what the recipe says outside its profiles
    tlw_skinning skinning;   // linear blends, or dual quaternions
    uint32_t region_width;   // of shape matching: 2 or 3 voxels
    uint32_t neighbours;     // that stretch looks at: 6, 14, 18, 20 or 26
    bool has_artist_weights; // voxels have the artist's; else TLW_EMBED_AUTO is frames or rbf
    bool has_ring_normals;   // cooked with ring_normals: TLW_NORMALS_BY_RING can be asked for
    bool has_rbf;            // cooked with embedding rbf: TLW_EMBED_RBF can be asked for
    uint32_t limb_count;     // cooked with limbs: tlw_settings.own_limbs can be asked for
    float rest_gravity[3];   // what the shape was modelled under, model space, m/s^2; 0
    bool has_bends;          // cooked with volume: tlw_settings.skinned_volume can be asked for
    uint32_t muscle_count;   // cooked with muscles: tlw_character_set_tension
    bool has_lame;           // some layer is of solver lame (MODEL 3.20)
    double voxel_metres;     // edge of a voxel
    double extent_voxels;    // longest extent of the mesh
    double origin[3];        // lowest corner of the grid, model space
    size_t scratch_bytes;    // what each worker needs to step a character of this blob
    float cost;              // of one substep, in windows of eight voxels; the scheduler's measure
} tlw_blob_info;

TLW_MUST_USE tlw_result tlw_blob_get_info(const tlw_blob* blob, tlw_blob_info* out);

// ---- Skeleton

typedef struct tlw_joint_info {
    const char* name; // lies in the blob; unique
    uint32_t parent;  // TLW_NO_INDEX for a root. A parent may come after its children
    uint32_t part;    // whose parameters its voxels have
    bool has_voxels;  // false: it moves nothing, but its children may
    double bind[16];  // joint to model space in the bind pose
    double inverse_bind[16];
} tlw_joint_info;

// Joints are in the blob's order, which a pose follows. It is the order of nodes in a glTF file,
// not the order of a skin's joints.
TLW_MUST_USE tlw_result tlw_blob_get_joint(const tlw_blob* blob, uint32_t joint,
                                           tlw_joint_info* out);
TLW_MUST_USE tlw_result tlw_blob_find_joint(const tlw_blob* blob, const char* name, uint32_t* out);

// The name alone; "" for an index out of range.
const char* tlw_blob_joint_name(const tlw_blob* blob, uint32_t joint);

// For each joint of the blob, finds the engine's joint of the same name: map[joint] is an index
// into `names`, TLW_NO_INDEX if there is none. `map` has tlw_blob_info.joint_count elements. If
// two names are equal, the first counts; a null name is passed over. TLW_ERROR_NOT_FOUND if a joint
// of the blob is not among the names; the map is filled all the same, and *missing, which may be
// null, is the first such joint. A pose can be made without it from its bind and its parent.
TLW_MUST_USE tlw_result tlw_blob_map_joints(const tlw_blob* blob, const char* const* names,
                                            uint32_t name_count, uint32_t* map, uint32_t* missing);

// ---- Meshes

typedef struct tlw_mesh_info {
    const char* name;                    // lies in the blob; several meshes may share one
    uint32_t first_vertex, vertex_count; // in the output's streams, whatever their order
    uint32_t first_index, index_count;   // in tlw_geometry.indices
    bool has_normals, has_tangents;
    bool is_points; // bound points (sockets, a reordered vertex buffer), not a mesh
} tlw_mesh_info;

// A primitive of a glTF mesh is a mesh here. In source order, vertex i of a mesh is vertex i of the
// source primitive: the cooker joins no vertices.
TLW_MUST_USE tlw_result tlw_blob_get_mesh(const tlw_blob* blob, uint32_t mesh, tlw_mesh_info* out);
// The first mesh of that name.
TLW_MUST_USE tlw_result tlw_blob_find_mesh(const tlw_blob* blob, const char* name, uint32_t* out);

// The order of vertices, in an output and in what is read from a blob. Both have the meshes one
// after another, so a mesh has the same range in either.
typedef enum tlw_vertex_order {
    TLW_ORDER_SOURCE, // that of the source mesh
    TLW_ORDER_COOKED  // vertices that follow the same voxels lie together: faster to write
} tlw_vertex_order;

// What all meshes share, in place. Pointers are null where the blob has nothing. Uvs and indices
// are in source order. To draw in cooked order, fill vertex buffers in that order (uvs of vertex v
// from source_of[v]) and rename the indices: cooked_of[indices[i]].
typedef struct tlw_geometry {
    uint32_t vertex_count;
    const uint32_t* source_of; // per vertex in cooked order: its place in source order
    const uint32_t* cooked_of; // per vertex in source order: its place in cooked order
    const float* uvs;          // 2 per vertex, source order
    uint32_t index_count;
    const uint32_t* indices; // 3 per triangle, source order
} tlw_geometry;

TLW_MUST_USE tlw_result tlw_blob_get_geometry(const tlw_blob* blob, tlw_geometry* out);

// Rest shape of a vertex.
typedef struct tlw_vertex {
    float position[3]; // model space, metres
    float normal[3];   // 0 for meshes without normals
    float tangent[4];  // w: handedness; 0 for meshes without tangents
} tlw_vertex;

// The artist's joints of a vertex. Places that are used come first.
typedef struct tlw_vertex_skinning {
    uint32_t joints[8]; // of the blob, also where the weight is 0
    float weights[8];   // sum 1, or all 0 without artist weights; multiples of 2^-15
} tlw_vertex_skinning;

// The voxels that a vertex follows, for engines that embed on the GPU: see the streams lattice,
// voxel_deltas and voxel_fits of tlw_output. Places that are used come first.
typedef struct tlw_vertex_binding {
    uint32_t voxels[8]; // elements of those streams, also where the weight is 0
    float weights[8];   // sum 1; multiples of 2^-15
    // For voxel_fits: the weighted mean of the voxels' centres at rest, in model space, metres. 0
    // if no vertex of the blob has artist weights.
    float centre[3];
} tlw_vertex_binding;

// Each copies vertices [first, first + count), counted in this order, to `out`, which has `count`
// elements. TLW_ERROR_BAD_ARGUMENT if the blob has fewer, or for an unknown order; then nothing is
// written.
TLW_MUST_USE tlw_result tlw_blob_get_vertices(const tlw_blob* blob, tlw_vertex_order order,
                                              uint32_t first, uint32_t count, tlw_vertex* out);
TLW_MUST_USE tlw_result tlw_blob_get_skinning(const tlw_blob* blob, tlw_vertex_order order,
                                              uint32_t first, uint32_t count,
                                              tlw_vertex_skinning* out);
TLW_MUST_USE tlw_result tlw_blob_get_bindings(const tlw_blob* blob, tlw_vertex_order order,
                                              uint32_t first, uint32_t count,
                                              tlw_vertex_binding* out);

// ---- Layers and parts

typedef struct tlw_layer_info {
    const char* name; // lies in the blob
    uint32_t voxel_count;
} tlw_layer_info;

// Layers are innermost first; layer 0 is bone, the last one skin.
TLW_MUST_USE tlw_result tlw_blob_get_layer(const tlw_blob* blob, uint32_t layer,
                                           tlw_layer_info* out);
TLW_MUST_USE tlw_result tlw_blob_find_layer(const tlw_blob* blob, const char* name, uint32_t* out);

// The name alone; "" for an index out of range.
const char* tlw_blob_layer_name(const tlw_blob* blob, uint32_t layer);

// What made a part: enumerator, and the text that tools print. A firm part hardly moves: heads,
// hands and feet, which the cooker finds by the names of joints or by their shape unless the recipe
// lists them (RULES 8.6).
#define TLW_PART_KINDS(X)            \
    X(WHOLE, "whole character")      \
    X(RECIPE, "by recipe")           \
    X(FIRM_RECIPE, "firm by recipe") \
    X(FIRM_NAME, "firm by name")     \
    X(FIRM_SHAPE, "firm by shape")

typedef enum tlw_part_kind {
#define TLW_PART_KIND_ENUM(enumerator, text) TLW_PART_##enumerator,
    TLW_PART_KINDS(TLW_PART_KIND_ENUM)
#undef TLW_PART_KIND_ENUM
        TLW_PART_KIND_COUNT
} tlw_part_kind;

// Returns "firm by name" and the like; "unknown" for a number that is no kind.
const char* tlw_part_kind_text(tlw_part_kind kind);

typedef struct tlw_part_info {
    uint32_t joint; // the part is this joint and what is below it; TLW_NO_INDEX for part 0
    uint32_t voxel_count;
    tlw_part_kind kind; // TLW_PART_WHOLE for part 0 and for no other; presets change only that one
} tlw_part_info;

// Parts have parameters of their own, by the recipe or because they are firm; part 0 is the rest of
// the character.
TLW_MUST_USE tlw_result tlw_blob_get_part(const tlw_blob* blob, uint32_t part, tlw_part_info* out);
// The part of a joint's voxels: the part that was made for the joint, or the one it lies in.
TLW_MUST_USE tlw_result tlw_blob_find_part(const tlw_blob* blob, const char* joint, uint32_t* out);

// ---- Muscles

typedef struct tlw_muscle_info {
    const char* name;      // lies in the blob; unique
    uint32_t vertex_count; // of its action line, 3 to 32
    uint32_t flex_joint;   // whose angle sets its tension; TLW_NO_INDEX: only the engine does
    float radius_metres;   // of its belly at rest, at the thickest place
} tlw_muscle_info;

// Muscles are in the order of the recipe.
TLW_MUST_USE tlw_result tlw_blob_get_muscle(const tlw_blob* blob, uint32_t muscle,
                                            tlw_muscle_info* out);
TLW_MUST_USE tlw_result tlw_blob_find_muscle(const tlw_blob* blob, const char* name, uint32_t* out);

// ---- Profiles

// Sets of materials by name, for tlw_character_fade_to. Profile 0, "cooked", is what the recipe
// says outside its profiles.
TLW_MUST_USE tlw_result tlw_blob_find_profile(const tlw_blob* blob, const char* name,
                                              uint32_t* out);

// The name; "" for an index out of range. It lies in the blob, or is a literal.
const char* tlw_blob_profile_name(const tlw_blob* blob, uint32_t profile);

TLW_EXTERN_C_END

#endif
