// SPDX-License-Identifier: MIT
// A rigged character as its file describes it: nodes, meshes, skins and clips, read-only, in
// memory. The reader takes untrusted input: every count, index and float is checked before it is
// used, and no allocation is larger than the bytes of the file can fill.
#ifndef TLW_TOOLS_ASSET_ASSET_H
#define TLW_TOOLS_ASSET_ASSET_H

#include "platform/base.h"
#include "tools/command/exit_code.h"

TLW_EXTERN_C_BEGIN

// Errors
// ------------------------------------------------------------------------------------------------

// name, exit code of a command that ends with it, what it means
#define TLW_ASSET_CODE_TABLE(X)                                                                 \
    X(TLW_ASSET_OK, TLW_EXIT_OK, "ok")                                                          \
    X(TLW_ASSET_CANNOT_READ, TLW_EXIT_CANNOT_READ, "the file, or one it names, cannot be read") \
    X(TLW_ASSET_BAD, TLW_EXIT_BAD_ASSET, "the asset is not valid")                              \
    X(TLW_ASSET_BAD_OPTION, TLW_EXIT_BAD_RECIPE, "an option names what the asset does not have")

typedef enum tlw_asset_code {
#define TLW_ASSET_CODE_ENUM(name, exit_code, meaning) name,
    TLW_ASSET_CODE_TABLE(TLW_ASSET_CODE_ENUM)
#undef TLW_ASSET_CODE_ENUM
        TLW_ASSET_CODE_COUNT
} tlw_asset_code;

const char* tlw_asset_code_name(tlw_asset_code code);
tlw_exit_code tlw_asset_exit_code(tlw_asset_code code);

// The message has the place as a JSON path and the value:
// "nodes[2].mesh: 7 is out of range: the file has 1 of them".
typedef struct tlw_asset_error {
    tlw_asset_code code;
    char message[512];
} tlw_asset_error;

// The scene
// ------------------------------------------------------------------------------------------------

#define TLW_ASSET_NONE UINT32_MAX

// Transform from a node to its parent: scale first, then rotate, then translate. The quaternion is
// x, y, z, w.
typedef struct tlw_asset_transform {
    double translation[3];
    double rotation[4];
    double scale[3];
} tlw_asset_transform;

typedef struct tlw_asset_node {
    const char* name; // "" if the file gives none
    uint32_t parent;  // TLW_ASSET_NONE for a root
    const uint32_t* children;
    uint32_t child_count;
    uint32_t mesh; // or TLW_ASSET_NONE
    uint32_t skin; // or TLW_ASSET_NONE
    // Weights of the mesh's morph targets at rest, instead of the mesh's own; or null, 0.
    const double* morph_weights;
    uint32_t morph_weight_count;
    bool is_in_scene;
    // The file gave a 4x4 matrix. Then `matrix` is exact and may shear, `rest` is its nearest
    // transform, and no clip moves the node.
    bool has_matrix;
    tlw_asset_transform rest;
    double matrix[16]; // of the rest pose, column-major
} tlw_asset_node;

// A vertex attribute that a recipe may use for paint: a colour (COLOR_0), texture coordinates, or
// one of the file's own (_NAME).
typedef struct tlw_asset_attribute {
    const char* name;
    uint32_t component_count; // 1 to 4 per vertex
    bool is_plain_integer;    // integers that are not normalised
    const float* values;      // as in the file; a float may be NaN or infinite
} tlw_asset_attribute;

// A morph target: what its weight adds, 3 per vertex, or null.
typedef struct tlw_asset_morph {
    const float* positions;
    const float* normals;
    const float* tangents;
} tlw_asset_morph;

// A list of triangles; strips and fans have been converted.
typedef struct tlw_asset_primitive {
    uint32_t file_index; // index in the file's list, which also has points and lines
    uint32_t vertex_count;
    const float* positions; // 3 per vertex
    const float* normals;   // 3 per vertex, or null
    const float* tangents;  // 4 per vertex, or null
    const float* uvs;       // 2 per vertex, or null
    uint32_t triangle_count;
    const uint32_t* indices;  // 3 per triangle
    uint32_t influence_count; // 0, 4 or 8 per vertex
    const uint32_t* joints;   // indices into the joints of the node's skin
    const float* weights;     // as in the file: finite, not negative, with any sum
    const tlw_asset_attribute* attributes;
    uint32_t attribute_count;
    // Only of glTF files, and only if one of them has weight at rest; otherwise 0.
    const tlw_asset_morph* morphs;
    uint32_t morph_count;
} tlw_asset_primitive;

typedef struct tlw_asset_mesh {
    const char* name;
    const tlw_asset_primitive* primitives;
    uint32_t primitive_count;    // 0 if the mesh has only points and lines
    const double* morph_weights; // at rest; or null, 0
    uint32_t morph_weight_count;
} tlw_asset_mesh;

typedef struct tlw_asset_skin {
    const char* name;
    const uint32_t* joints; // nodes
    uint32_t joint_count;
    const double* inverse_binds; // 16 per joint, column-major, bottom row 0 0 0 1
} tlw_asset_skin;

typedef enum tlw_asset_path {
    TLW_PATH_TRANSLATION,
    TLW_PATH_ROTATION,
    TLW_PATH_SCALE
} tlw_asset_path;

typedef enum tlw_asset_interpolation {
    TLW_INTERPOLATE_LINEAR,
    TLW_INTERPOLATE_STEP,
    TLW_INTERPOLATE_CUBICSPLINE
} tlw_asset_interpolation;

typedef struct tlw_asset_channel {
    uint32_t node;
    tlw_asset_path path;
    tlw_asset_interpolation interpolation;
    uint32_t key_count;
    const float* times;  // seconds, strictly increasing, not negative
    const float* values; // 3 per key, 4 for rotations; CUBICSPLINE: in-tangent, value, out-tangent
} tlw_asset_channel;

typedef struct tlw_asset_clip {
    const char* name;
    double duration_seconds; // time of the last key of all channels
    const tlw_asset_channel* channels;
    uint32_t channel_count;
} tlw_asset_clip;

typedef struct tlw_asset {
    const tlw_asset_node* nodes;
    uint32_t node_count;
    const uint32_t* order; // all nodes, parents before children
    const tlw_asset_mesh* meshes;
    uint32_t mesh_count;
    const tlw_asset_skin* skins;
    uint32_t skin_count;
    const tlw_asset_clip* clips;
    uint32_t clip_count;
    // All files that were read, the asset first, for a depfile.
    const char* const* files;
    // XXH64 of the bytes of each file as they were read; 0: tlw_asset_importer read it.
    const uint64_t* file_hashes;
    uint32_t file_count;
    // Pictures that the asset names and that were not read: where they are, or would be.
    const char* const* pictures;
    uint32_t picture_count;
    // What was left out or corrected: one sentence each, with the place in the file.
    const char* const* notes;
    uint32_t note_count;
    uint64_t memory_bytes; // peak of what counts against limits.memory_bytes while loading
    struct tlw_asset_memory* memory;
} tlw_asset;

// Loading
// ------------------------------------------------------------------------------------------------

typedef struct tlw_asset_limits {
    uint64_t memory_bytes; // files, JSON and scene together; 1 GiB
    // Zeros of accessors without a bufferView, all uses together. They are the only numbers that a
    // file can ask for without containing them; 16 MiB.
    uint64_t unbacked_bytes;
    uint32_t json_depth; // 64
    // Of the process that reads FBX, Collada and BVH; 60 s, and 2 GiB beyond what this process has.
    uint32_t import_seconds;
    uint64_t import_bytes;
    uint32_t cookie;
} tlw_asset_limits;

tlw_asset_limits tlw_default_asset_limits(void);

// Loads glTF 2.0, JSON or binary, told apart by content. Files that end in .fbx, .dae or .bvh are
// read by Assimp where the build found it. Damaged files can make Assimp hang, crash or take any
// amount of memory: it runs in a child process, which is killed when it passes
// limits.import_seconds or, on Linux, limits.import_bytes. Windows cannot copy a process: there it
// runs in this one, without limits, and a note of the asset says so. The child has this process's
// rights, so such files are not safe if somebody means harm. `limits` may be null for the defaults.
// On failure *asset is null and *error, which may be null, says what is wrong and where.
tlw_asset_code tlw_asset_load(const char* path, const tlw_asset_limits* limits, tlw_asset** asset,
                              tlw_asset_error* error);

// Loads glTF 2.0 from memory, which is not needed afterwards. Buffer URIs are relative to `folder`;
// if that is null, no file is opened.
tlw_asset_code tlw_asset_load_memory(const void* bytes, size_t size, const char* folder,
                                     const tlw_asset_limits* limits, tlw_asset** asset,
                                     tlw_asset_error* error);

void tlw_asset_free(tlw_asset* asset);

// Name and version of the library that reads a file of this name, "Assimp 5.2.5", or null if it is
// our own reader of glTF. What a file becomes may depend on it.
const char* tlw_asset_importer(const char* path);

// Posing. The caller's arrays have one element per node; matrices are column-major, 16 doubles
// each.
// ------------------------------------------------------------------------------------------------

// The first of that name, or TLW_ASSET_NONE.
uint32_t tlw_asset_find_clip(const tlw_asset* asset, const char* name);
uint32_t tlw_asset_find_node(const tlw_asset* asset, const char* name);

void tlw_asset_rest_pose(const tlw_asset* asset, tlw_asset_transform* pose);

// The rest pose, with the clip's channels at `seconds` in place of what they move. Before its first
// key and after its last a channel keeps that key's value. NaN counts as 0.
void tlw_asset_evaluate_clip(const tlw_asset* asset, uint32_t clip, double seconds,
                             tlw_asset_transform* pose);

// From node to scene space, for every node. A node with has_matrix uses its matrix, not its pose.
void tlw_asset_global_matrices(const tlw_asset* asset, const tlw_asset_transform* pose,
                               double* globals);

TLW_EXTERN_C_END

#endif
