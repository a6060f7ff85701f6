// SPDX-License-Identifier: MIT
// From a glTF skin to a pose, as runtime/INTEGRATING.md says (tools/example/gltf_pose.h): on a
// character with a transform above its skeleton, a skin whose joints are not in the order of nodes
// and a joint without a name, the runtime's vertices at rest are those of glTF's own skinning. The
// product of a joint and the file's inverse bind, which engines have at hand, is shown to be wrong.
#include "runtime/tallow.h"
#include "tests/asset/load_rod.h"
#include "tests/test.h"
#include "tools/asset/matrix.h"
#include "tools/asset/to_cook.h"
#include "tools/example/gltf_pose.h"

#include <math.h>

enum { JOINTS = 2, VERTICES = 4, NODES = 4, HIP = 1, KNEE = 2 };

// The rod below an armature that is rotated, scaled and placed elsewhere. The skin lists the knee,
// which has no name, before the hip.
static tlw_asset* load_character(void) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'nodes':[0,1]", "'nodes':[0,3]");
    tlw_rod_edit(&rod, "{'name':'knee','translation':[0,1,0]}]",
                 "{'translation':[0,1,0]},{'name':'armature','children':[1],"
                 "'translation':[1.2,0.5,0.75],'scale':[0.5,0.5,0.5],"
                 "'rotation':[-0.70710678,0,0,0.70710678]}]");
    tlw_rod_edit(&rod, "'joints':[1,2]", "'joints':[2,1]");
    for (size_t v = 0; v < VERTICES; ++v) { // unused influences may name any joint
        for (size_t k = 0; k < 2; ++k) {
            uint8_t* joint = rod.bin + TLW_ROD_JOINTS + v * 4 + k;
            *joint = (uint8_t)(1 - *joint);
        }
    }
    tlw_rod_float(&rod, TLW_ROD_BINDS + 52, -2.0f); // the knee's inverse bind comes first now
    tlw_rod_float(&rod, TLW_ROD_BINDS + 116, -1.0f);
    return load(&rod);
}

typedef struct posed_character {
    tlw_asset* asset;
    tlw_cook_output cooked;
    double metres_per_unit;
    double globals[NODES * 16];
    gltf_skeleton skeleton;
    uint32_t map[JOINTS];
} posed_character;

// Cooks the character, maps its joints by name, and bends it half way.
static void open_character(posed_character* c, double metres_per_unit) {
    *c = (posed_character){.asset = load_character(), .metres_per_unit = metres_per_unit};
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    options.metres_per_unit = metres_per_unit;
    tlw_asset_cook cook;
    tlw_asset_error error;
    if (tlw_asset_to_cook(c->asset, &options, &cook, &error) != TLW_ASSET_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 12;
    recipe.volume_reach = 0.0f; // the poses are compared with skinning alone
    const tlw_cook_options cook_options = tlw_default_cook_options();
    if (tlw_cook_character(&cook.input, &recipe, &cook_options, &c->cooked) != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", c->cooked.error.message);
    }
    tlw_asset_cook_free(&cook);

    tlw_blob blob;
    tlw_blob_info info;
    CHECK_EQ(tlw_blob_open(c->cooked.blob, c->cooked.blob_bytes, TLW_BLOB_CHECK_ALL, &blob, NULL),
             TLW_OK);
    CHECK_EQ(tlw_blob_get_info(&blob, &info), TLW_OK);
    CHECK_EQ(info.joint_count, (uint32_t)JOINTS);
    CHECK_EQ(info.vertex_count, (uint32_t)VERTICES);
    CHECK_EQ(c->asset->node_count, (uint32_t)NODES);
    static const char* const names[NODES] = {NULL, "hip", "node_2", NULL};
    CHECK_EQ(tlw_blob_map_joints(&blob, names, NODES, c->map, NULL), TLW_OK);
    CHECK_EQ(c->map[0], (uint32_t)HIP); // the order of nodes; the skin's is knee, hip
    CHECK_EQ(c->map[1], (uint32_t)KNEE);

    tlw_asset_transform pose[NODES];
    tlw_asset_evaluate_clip(c->asset, 0, 0.5, pose);
    pose[HIP].rotation[0] = sin(0.2); // so that both joints have moved since the bind pose
    pose[HIP].rotation[3] = cos(0.2);
    tlw_asset_global_matrices(c->asset, pose, c->globals);
    c->skeleton = (gltf_skeleton){.blob = blob,
                                  .joint_count = JOINTS,
                                  .map = c->map,
                                  .globals = c->globals,
                                  .metres_per_unit = metres_per_unit};
}

static void close_character(posed_character* c) {
    tlw_cook_output_free(&c->cooked);
    tlw_asset_free(c->asset);
}

// Memory for one world and one character at a time; far more than the rod needs.
static TLW_ALIGNAS(TLW_MEMORY_ALIGNMENT) uint8_t world_memory[8 << 20];
static TLW_ALIGNAS(TLW_MEMORY_ALIGNMENT) uint8_t character_memory[1 << 20];

// What the runtime writes for a character at rest in this pose.
static void run_at_rest(const posed_character* c, tlw_pose_kind kind, const float* joints,
                        float* positions) {
    tlw_blob_info info;
    CHECK_EQ(tlw_blob_get_info(&c->skeleton.blob, &info), TLW_OK);
    tlw_world_def world_def = tlw_default_world_def();
    world_def.scratch_bytes = info.scratch_bytes;
    size_t world_bytes, character_bytes;
    CHECK_EQ(tlw_world_bytes(&world_def, &world_bytes), TLW_OK);
    CHECK(world_bytes <= sizeof world_memory);
    tlw_world* world;
    CHECK_EQ(tlw_world_create(&world_def, world_memory, world_bytes, &world), TLW_OK);
    tlw_character_def def = tlw_default_character_def();
    def.blob = c->skeleton.blob;
    def.pose_kind = kind;
    CHECK_EQ(tlw_character_bytes(&def, &character_bytes), TLW_OK);
    CHECK(character_bytes <= sizeof character_memory);
    tlw_character_id id;
    CHECK_EQ(tlw_character_create(world, &def, character_memory, character_bytes, &id), TLW_OK);
    tlw_output output = tlw_default_output();
    output.embedding = TLW_EMBED_DELTA;
    output.positions.data = positions;
    CHECK_EQ(tlw_character_set_output(world, id, &output), TLW_OK);
    const tlw_pose pose = {
        .joints = joints, .joint_count = JOINTS, .root = {.rotation = {0, 0, 0, 1}, .scale = 1}};
    CHECK_EQ(tlw_character_set_pose(world, id, &pose), TLW_OK);
    CHECK_EQ(tlw_character_reset(world, id), TLW_OK);
    CHECK_EQ(tlw_world_step(world, 0.0), (tlw_step_flags)TLW_STEP_NO_TIME);
    tlw_world_destroy(world);
}

// glTF 2.0, 3.7.3.3: the joint's global transform times its inverse bind, on the file's vertices.
static void skin_as_gltf(const posed_character* c, double* positions) {
    const tlw_asset_skin* skin = &c->asset->skins[0];
    const tlw_asset_primitive* mesh = &c->asset->meshes[0].primitives[0];
    for (uint32_t v = 0; v < VERTICES; ++v) {
        double* out = positions + (size_t)v * 3;
        out[0] = out[1] = out[2] = 0.0;
        double vertex[3];
        for (int axis = 0; axis < 3; ++axis) {
            vertex[axis] = (double)mesh->positions[v * 3 + (uint32_t)axis];
        }
        for (uint32_t k = 0; k < mesh->influence_count; ++k) {
            const uint32_t joint = mesh->joints[v * mesh->influence_count + k];
            const double weight = (double)mesh->weights[v * mesh->influence_count + k];
            double skinning[16], at[3];
            tlw_matrix_multiply(skinning, c->globals + (size_t)skin->joints[joint] * 16,
                                skin->inverse_binds + (size_t)joint * 16);
            tlw_matrix_point(at, skinning, vertex);
            for (int axis = 0; axis < 3; ++axis) {
                out[axis] += weight * at[axis] * c->metres_per_unit;
            }
        }
    }
}

// The largest distance between a vertex of the runtime and of glTF, in metres.
static double distance_to_gltf(const posed_character* c, tlw_pose_kind kind, const float* joints) {
    float positions[VERTICES * 3];
    double expected[VERTICES * 3], farthest = 0.0;
    run_at_rest(c, kind, joints, positions);
    skin_as_gltf(c, expected);
    for (int v = 0; v < VERTICES; ++v) {
        double square = 0.0;
        for (int i = v * 3; i < v * 3 + 3; ++i) {
            square += ((double)positions[i] - expected[i]) * ((double)positions[i] - expected[i]);
        }
        farthest = fmax(farthest, sqrt(square));
    }
    return farthest;
}

TLW_TEST(global_transforms_of_joints_pose_as_gltf_does) {
    posed_character c;
    float joints[JOINTS * 16];
    open_character(&c, 1.0);
    CHECK_EQ(gltf_pose_matrices(&c.skeleton, joints), TLW_OK);
    CHECK_NEAR(distance_to_gltf(&c, TLW_POSE_MATRICES, joints), 0.0, 1e-5);
    close_character(&c);
}

TLW_TEST(skinning_matrices_with_the_inverse_bind_of_the_blob_pose_as_gltf_does) {
    posed_character c;
    float joints[JOINTS * 16];
    open_character(&c, 1.0);
    CHECK_EQ(gltf_pose_skinning(&c.skeleton, joints), TLW_OK);
    CHECK_NEAR(distance_to_gltf(&c, TLW_POSE_SKINNING, joints), 0.0, 1e-5);
    close_character(&c);
}

TLW_TEST(a_file_in_centimetres_is_posed_in_metres) {
    posed_character c;
    float joints[JOINTS * 16];
    open_character(&c, 0.01);
    CHECK_EQ(gltf_pose_matrices(&c.skeleton, joints), TLW_OK);
    CHECK_NEAR(distance_to_gltf(&c, TLW_POSE_MATRICES, joints), 0.0, 1e-7);
    CHECK_EQ(gltf_pose_skinning(&c.skeleton, joints), TLW_OK);
    CHECK_NEAR(distance_to_gltf(&c, TLW_POSE_SKINNING, joints), 0.0, 1e-7);
    close_character(&c);
}

TLW_TEST(skinning_matrices_with_the_inverse_bind_of_the_file_are_off) {
    posed_character c;
    float joints[JOINTS * 16];
    open_character(&c, 1.0);
    static const uint32_t joint_of_skin[JOINTS] = {1, 0}; // of the blob's hip and knee
    for (uint32_t j = 0; j < JOINTS; ++j) {
        double skinning[16];
        tlw_matrix_multiply(skinning, c.globals + (size_t)c.map[j] * 16,
                            c.asset->skins[0].inverse_binds + (size_t)joint_of_skin[j] * 16);
        for (int i = 0; i < 16; ++i) {
            joints[j * 16 + (uint32_t)i] = (float)skinning[i];
        }
    }
    const double off = distance_to_gltf(&c, TLW_POSE_SKINNING, joints);
    CHECK(off > 1.0); // metres, for a character 1.5 m long
    close_character(&c);
}

TLW_TEST(a_joint_that_the_engine_does_not_have_follows_its_parent) {
    posed_character c;
    open_character(&c, 1.0);
    static const char* const names[NODES] = {NULL, "hip", NULL, NULL};
    uint32_t missing = 0;
    CHECK_EQ(tlw_blob_map_joints(&c.skeleton.blob, names, NODES, c.map, &missing),
             TLW_ERROR_NOT_FOUND);
    CHECK_EQ(missing, 1u);
    tlw_asset_transform pose[NODES];
    tlw_asset_rest_pose(c.asset, pose); // the knee's rest is its bind
    pose[HIP].rotation[0] = sin(0.2);
    pose[HIP].rotation[3] = cos(0.2);
    tlw_asset_global_matrices(c.asset, pose, c.globals);
    float joints[JOINTS * 16];
    CHECK_EQ(gltf_pose_matrices(&c.skeleton, joints), TLW_OK);
    CHECK_NEAR(distance_to_gltf(&c, TLW_POSE_MATRICES, joints), 0.0, 1e-5);
    close_character(&c);
}
