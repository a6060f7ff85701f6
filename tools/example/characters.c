// SPDX-License-Identifier: MIT
// tallow-characters A.glb A.tlw B.glb B.tlw [CLIP [VERTICES.txt]]: two characters in one world,
// each posed by an animation of the GLB that it was cooked from. Reads the files; prints the bounds
// of each character and the sum of its positions after two seconds, and writes position and normal
// of every vertex to a file, one vertex per line, A's first. runtime/INTEGRATING.md explains every
// call.
#include "runtime/tallow.h"
#include "tools/asset/asset.h"
#include "tools/example/gltf_pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHARACTERS = 2, FRAMES = 121, BLOCKS_MAX = 32, BLOB_BYTES_MAX = 64 << 20 };

#define FRAME_SECONDS (1.0 / 60.0)

// ---- Errors, memory and files, which an engine has already

static void fail(const char* what, const char* why) {
    fprintf(stderr, "tallow-characters: %s: %s\n", what, why);
    exit(1);
}

static void must(tlw_result result, const char* what) {
    if (result != TLW_OK) {
        fail(what, tlw_result_meaning(result));
    }
}

static void* blocks[BLOCKS_MAX];
static int block_count;

// Zeroed memory on a multiple of TLW_MEMORY_ALIGNMENT; main frees all of it.
static void* take(size_t bytes) {
    char* block = block_count < BLOCKS_MAX ? calloc(1, bytes + TLW_MEMORY_ALIGNMENT) : NULL;
    must(block ? TLW_OK : TLW_ERROR_OUT_OF_MEMORY, "memory");
    blocks[block_count++] = block;
    return block + TLW_MEMORY_ALIGNMENT - (uintptr_t)block % TLW_MEMORY_ALIGNMENT;
}

static void* read_file(const char* path, size_t* bytes) {
    FILE* file = fopen(path, "rb");
    must(file ? TLW_OK : TLW_ERROR_CANNOT_READ, path);
    void* memory = take(BLOB_BYTES_MAX);
    *bytes = fread(memory, 1, BLOB_BYTES_MAX, file);
    fclose(file);
    return memory;
}

// ---- A character and its animation

typedef struct character {
    const char* path; // of the blob
    tlw_asset* asset; // the GLB
    uint32_t clip;
    tlw_asset_transform* node_poses; // one per node of the GLB
    double* node_globals;            // 16 per node
    tlw_blob blob;
    tlw_blob_info info;
    tlw_geometry geometry;  // leads from one order of vertices to the other
    gltf_skeleton skeleton; // which node moves which joint
    tlw_character_id id;
    float* joints;              // 16 per joint: the pose
    float *positions, *normals; // 3 per vertex: the output, in cooked order
} character;

// Loads the GLB. An engine has imported it long before, into structures of its own.
static void load_animation(character* c, const char* path, const char* clip) {
    tlw_asset_error error;
    if (tlw_asset_load(path, NULL, &c->asset, &error) != TLW_ASSET_OK) {
        fail(path, error.message);
    }
    c->clip = clip ? tlw_asset_find_clip(c->asset, clip) : 0;
    must(c->clip < c->asset->clip_count ? TLW_OK : TLW_ERROR_NOT_FOUND, clip ? clip : "clip");
    c->node_poses = take(c->asset->node_count * sizeof *c->node_poses);
    c->node_globals = take(c->asset->node_count * 16 * sizeof *c->node_globals);
}

// Opens the blob where it lies, and finds the node of every joint by its name.
static void load_blob(character* c, const char* path) {
    size_t bytes;
    const void* file = read_file(path, &bytes);
    c->path = path;
    must(tlw_blob_open(file, bytes, TLW_BLOB_CHECK_ALL, &c->blob, NULL), path);
    must(tlw_blob_get_info(&c->blob, &c->info), path);
    must(tlw_blob_get_geometry(&c->blob, &c->geometry), path);

    // Only joints of skins get a name here: a mesh may be called like a joint. The importer calls
    // a joint without a name node_N, after its index in the file.
    enum { NAME_BYTES = 32 };
    const char** names = take(c->asset->node_count * sizeof *names);
    char* made_names = take((size_t)c->asset->node_count * NAME_BYTES);
    for (uint32_t s = 0; s < c->asset->skin_count; ++s) {
        for (uint32_t j = 0; j < c->asset->skins[s].joint_count; ++j) {
            const uint32_t node = c->asset->skins[s].joints[j];
            char* made = made_names + (size_t)node * NAME_BYTES;
            snprintf(made, NAME_BYTES, "node_%u", node);
            names[node] = c->asset->nodes[node].name[0] ? c->asset->nodes[node].name : made;
        }
    }
    uint32_t* map = take(c->info.joint_count * sizeof *map);
    uint32_t missing = 0;
    const tlw_result mapped =
        tlw_blob_map_joints(&c->blob, names, c->asset->node_count, map, &missing);
    must(mapped, tlw_blob_joint_name(&c->blob, missing)); // gltf_joint could do without it
    c->skeleton = (gltf_skeleton){.blob = c->blob,
                                  .joint_count = c->info.joint_count,
                                  .map = map,
                                  .globals = c->node_globals,
                                  .metres_per_unit = 1.0};
}

static void set_pose(tlw_world* world, character* c, double seconds) {
    const double duration = c->asset->clips[c->clip].duration_seconds;
    const double at = duration > 0.0 ? fmod(seconds, duration) : 0.0; // the clip loops
    tlw_asset_evaluate_clip(c->asset, c->clip, at, c->node_poses);
    tlw_asset_global_matrices(c->asset, c->node_poses, c->node_globals);
    must(gltf_pose_matrices(&c->skeleton, c->joints), c->path);
    const tlw_pose pose = {.joints = c->joints,
                           .joint_count = c->info.joint_count,
                           .root = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .scale = 1.0f}};
    must(tlw_character_set_pose(world, c->id, &pose), c->path);
}

// An engine would draw the vertices in the order in which they were written, with indices that were
// renamed by cooked_of while loading. Here they are printed in the order of the GLB.
static void print_output(const tlw_world* world, const character* c, FILE* file) {
    tlw_bounds b;
    must(tlw_character_get_bounds(world, c->id, &b), c->path);
    double sum = 0.0;
    for (uint32_t v = 0; v < c->info.vertex_count; ++v) {
        const size_t at = (size_t)c->geometry.cooked_of[v] * 3;
        const float* p = c->positions + at;
        sum += (double)p[0] + (double)p[1] + (double)p[2];
        if (file) {
            const float* n = c->normals + at;
            fprintf(file, "%.9g %.9g %.9g %.9g %.9g %.9g\n", (double)p[0], (double)p[1],
                    (double)p[2], (double)n[0], (double)n[1], (double)n[2]);
        }
    }
    printf("%s: bounds %.4f %.4f %.4f to %.4f %.4f %.4f m, %u vertices, sum %.4f\n", c->path,
           (double)b.low[0], (double)b.low[1], (double)b.low[2], (double)b.high[0],
           (double)b.high[1], (double)b.high[2], c->info.vertex_count, sum);
}

// ---- The integration

static void run(character* characters, FILE* file) {
    // One world for both. Its workers' scratch must serve the larger blob.
    tlw_world_def world_def = tlw_default_world_def(); // runs on this thread alone
    world_def.character_capacity = CHARACTERS;
    for (int i = 0; i < CHARACTERS; ++i) {
        if (characters[i].info.scratch_bytes > world_def.scratch_bytes) {
            world_def.scratch_bytes = characters[i].info.scratch_bytes;
        }
    }
    tlw_world* world;
    size_t bytes;
    must(tlw_world_bytes(&world_def, &bytes), "world");
    must(tlw_world_create(&world_def, take(bytes), bytes, &world), "world");

    for (int i = 0; i < CHARACTERS; ++i) {
        character* c = &characters[i];
        tlw_character_def def = tlw_default_character_def();
        def.blob = c->blob;
        def.pose_kind = TLW_POSE_MATRICES;
        must(tlw_character_bytes(&def, &bytes), c->path);
        must(tlw_character_create(world, &def, take(bytes), bytes, &c->id), c->path);

        c->joints = take(c->info.joint_count * 16 * sizeof(float));
        c->positions = take(c->info.vertex_count * 3 * sizeof(float));
        c->normals = take(c->info.vertex_count * 3 * sizeof(float));
        tlw_output output = tlw_default_output();
        output.order = TLW_ORDER_COOKED; // vertices of the same voxels together: the fast one
        output.positions.data = c->positions;
        output.normals.data = c->normals;
        must(tlw_character_set_output(world, c->id, &output), c->path);

        // Created in the bind pose; this starts it in the clip's first pose instead, at rest.
        set_pose(world, c, 0.0);
        must(tlw_character_reset(world, c->id), c->path);
    }
    tlw_world_step(world, 0.0); // frame 0: writes the outputs, and nothing moves

    double seconds = 0.0;
    for (int frame = 1; frame < FRAMES; ++frame) {
        seconds += FRAME_SECONDS;
        for (int i = 0; i < CHARACTERS; ++i) {
            set_pose(world, &characters[i], seconds); // the pose at the end of the frame
        }
        tlw_world_step(world, FRAME_SECONDS); // writes positions and normals
    }

    for (int i = 0; i < CHARACTERS; ++i) {
        print_output(world, &characters[i], file);
        must(tlw_character_destroy(world, characters[i].id), characters[i].path);
    }
    tlw_world_destroy(world); // all memory is ours again
}

int main(int argc, char** argv) {
    static character characters[CHARACTERS];
    if (argc < 5 || argc > 7) {
        fail("usage", "tallow-characters A.glb A.tlw B.glb B.tlw [CLIP [VERTICES.txt]]");
    }
    for (int i = 0; i < CHARACTERS; ++i) {
        load_animation(&characters[i], argv[1 + i * 2], argc > 5 ? argv[5] : NULL);
        load_blob(&characters[i], argv[2 + i * 2]);
    }
    FILE* file = argc > 6 ? fopen(argv[6], "w") : NULL;
    must(argc <= 6 || file ? TLW_OK : TLW_ERROR_CANNOT_WRITE, "vertices");
    run(characters, file);
    must(!file || fclose(file) == 0 ? TLW_OK : TLW_ERROR_CANNOT_WRITE, "vertices");
    for (int i = 0; i < CHARACTERS; ++i) {
        tlw_asset_free(characters[i].asset);
    }
    while (block_count > 0) {
        free(blocks[--block_count]);
    }
    return 0;
}
