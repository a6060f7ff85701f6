// SPDX-License-Identifier: MIT
// An actor: a cooked character in memory, opened, and the file with the clips that move it. Read
// from files, or made from a sample by name and cooked on the spot. Joints of the blob are matched
// to nodes of the file by name.
#ifndef TLW_TOOLS_SCENE_ACTOR_H
#define TLW_TOOLS_SCENE_ACTOR_H

#include "runtime/blob.h"
#include "runtime/tallow.h"
#include "tools/asset/asset.h"
#include "tools/command/exit_code.h"
#include "tools/cook/cook.h"
#include "tools/sample/sample.h"

TLW_EXTERN_C_BEGIN

// name, exit code of a command that ends with it, what it means
#define TLW_SCENE_CODE_TABLE(X)                                                    \
    X(TLW_SCENE_OK, TLW_EXIT_OK, "ok")                                             \
    X(TLW_SCENE_NO_SUCH, TLW_EXIT_USAGE, "a name that was asked for is not there") \
    X(TLW_SCENE_UNSUPPORTED, TLW_EXIT_USAGE,                                       \
      "this machine, build or blob cannot do what was asked for")                  \
    X(TLW_SCENE_CANNOT_READ, TLW_EXIT_CANNOT_READ,                                 \
      "a file cannot be read, or there is no memory for it")                       \
    X(TLW_SCENE_BAD, TLW_EXIT_BAD_ASSET,                                           \
      "a blob or an asset is not valid, or they do not belong together")

typedef enum tlw_scene_code {
#define TLW_SCENE_CODE_ENUM(name, exit_code, meaning) name,
    TLW_SCENE_CODE_TABLE(TLW_SCENE_CODE_ENUM)
#undef TLW_SCENE_CODE_ENUM
        TLW_SCENE_CODE_COUNT
} tlw_scene_code;

tlw_exit_code tlw_scene_exit_code(tlw_scene_code code);

typedef struct tlw_scene_error {
    tlw_scene_code code;
    char message[768]; // one line: which file, what, and the value
} tlw_scene_error;

typedef struct tlw_actor {
    char name[64];        // the sample's name, or the blob's file name without folder and ending
    uint8_t* blob_memory; // on a multiple of 64 bytes
    size_t blob_bytes;
    tlw_blob blob;
    tlw_blob_info info;
    tlw_vertex* vertices;  // rest shape, source order
    tlw_asset* asset;      // null: no motion
    uint32_t* joint_nodes; // node of the asset for each joint of the blob
    // Factor for lengths of the asset: the metres_per_unit with which the blob was cooked, found by
    // comparing the lengths of bones. 1 if they are about equal.
    double metres_per_unit;
    // Memory for one pose.
    tlw_asset_transform* node_pose;
    double* node_globals;
} tlw_actor;

// `motion` and `error` may be null. Free the actor also after a failure.
tlw_scene_code tlw_actor_read(tlw_actor* actor, const char* blob, const char* motion,
                              tlw_scene_error* error);
// A sample by name: "bunny", "stout" or "thin" (tools/sample). A null `recipe` means the default.
tlw_scene_code tlw_actor_make(tlw_actor* actor, const char* sample, const tlw_cook_recipe* recipe,
                              tlw_scene_error* error);
// The same, with a mesh of the def's resolution.
tlw_scene_code tlw_actor_make_from(tlw_actor* actor, const tlw_sample_def* sample,
                                   const tlw_cook_recipe* recipe, tlw_scene_error* error);
// A character of a file (glTF, or what tools/asset reads), cooked on the spot; its clips move it.
tlw_scene_code tlw_actor_cook(tlw_actor* actor, const char* file, const tlw_cook_recipe* recipe,
                              tlw_scene_error* error);
// A character that was made in code. No clips move it.
tlw_scene_code tlw_actor_cook_input(tlw_actor* actor, const char* name, const tlw_cook_input* input,
                                    const tlw_cook_recipe* recipe, tlw_scene_error* error);
// A blob in memory, which is copied. No clips move it.
tlw_scene_code tlw_actor_open(tlw_actor* actor, const char* name, const void* blob, size_t bytes,
                              tlw_scene_error* error);
// Gives an actor without motion the clips of an asset, which it owns from then on, also after a
// failure. `path` is for messages.
tlw_scene_code tlw_actor_set_motion(tlw_actor* actor, tlw_asset* asset, const char* path,
                                    tlw_scene_error* error);
void tlw_actor_free(tlw_actor* actor);

// A null or empty name finds the first clip, or TLW_ASSET_NONE (the rest pose) if there are none.
tlw_scene_code tlw_actor_find_clip(const tlw_actor* actor, const char* name, uint32_t* clip,
                                   tlw_scene_error* error);
// 0 for TLW_ASSET_NONE.
double tlw_actor_clip_seconds(const tlw_actor* actor, uint32_t clip);
const char* tlw_actor_clip_name(const tlw_actor* actor, uint32_t clip);

// Matrices from joint to model space, 16 floats per joint of the blob, column-major
// (TLW_POSE_MATRICES). The clip loops. Without an asset this is the bind pose. Not thread-safe per
// actor, because the actor holds the memory for a pose.
void tlw_actor_pose(const tlw_actor* actor, uint32_t clip, double seconds, float* joints);

// Triangles for drawing, in source order. Null and 0 if the blob has none.
const uint32_t* tlw_actor_indices(const tlw_actor* actor, uint64_t* count);
// The rest shape of all vertices, in the same order.
const tlw_vertex* tlw_actor_vertices(const tlw_actor* actor);
// Centre of a voxel at rest, in model space and metres. Voxels are in the blob's order.
void tlw_actor_voxel_centre(const tlw_actor* actor, uint32_t voxel, double centre[3]);
// Bytes of the blob per vertex: sections GROUPS to VERTEX_COOKED, which every output reads. Rings,
// radial basis functions and what only tools read do not count.
double tlw_actor_vertex_bytes(const tlw_actor* actor);

TLW_EXTERN_C_END

#endif
