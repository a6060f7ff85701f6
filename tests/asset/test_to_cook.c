// SPDX-License-Identifier: MIT
// From asset to cook input: model space, joints of several skins, weights, roles, rigid meshes,
// against values that were worked out by hand.
#include "tests/asset/load_rod.h"
#include "tests/test.h"
#include "tools/asset/matrix.h"
#include "tools/asset/to_cook.h"

#include <stdlib.h>
#include <string.h>

static tlw_asset_cook convert(tlw_rod* rod, const tlw_asset_cook_options* options) {
    tlw_asset* asset = load(rod);
    tlw_asset_cook cook;
    tlw_asset_error error;
    if (tlw_asset_to_cook(asset, options, &cook, &error) != TLW_ASSET_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    tlw_asset_free(asset); // the cook input owns everything that it refers to
    return cook;
}

static void refused(int line, tlw_rod* rod, const tlw_asset_cook_options* options,
                    tlw_asset_code expected, const char* part) {
    tlw_asset* asset = load(rod);
    tlw_asset_cook cook;
    tlw_asset_error error;
    tlw_asset_code code = tlw_asset_to_cook(asset, options, &cook, &error);
    tlw_check_string(__FILE__, line, "code", tlw_asset_code_name(code),
                     tlw_asset_code_name(expected));
    tlw_check_contains(__FILE__, line, error.message, part);
    tlw_check_pointer(__FILE__, line, "memory", cook.memory, NULL);
    tlw_asset_free(asset);
}

#define CHECK_BAD(rod, part) refused(__LINE__, rod, NULL, TLW_ASSET_BAD, part)

static void check_point(int line, const float* at, double x, double y, double z) {
    tlw_check_near(__FILE__, line, "x", (double)at[0], x, 1e-6);
    tlw_check_near(__FILE__, line, "y", (double)at[1], y, 1e-6);
    tlw_check_near(__FILE__, line, "z", (double)at[2], z, 1e-6);
}

#define CHECK_POINT(at, x, y, z) check_point(__LINE__, at, x, y, z)

// Adds an armature node with this transform above the hip.
static void add_armature(tlw_rod* rod, const char* transform) {
    char text[256] = "{'name':'knee','translation':[0,1,0]},{'name':'armature','children':[1],";
    strcat(strcat(text, transform), "}]");
    tlw_rod_edit(rod, "'nodes':[0,1]", "'nodes':[0,3]");
    tlw_rod_edit(rod, "{'name':'knee','translation':[0,1,0]}]", text);
}

// Adds a second mesh with positions only, on a node of its own.
static void add_hat(tlw_rod* rod) {
    tlw_rod_edit(rod, "'indices':3}]}]",
                 "'indices':3}]},{'name':'hat_mesh','primitives':[{'attributes':{'POSITION':0},"
                 "'indices':3}]}]");
}

TLW_TEST(bind_pose_in_scene_space_is_taken_as_it_is) {
    tlw_rod rod = tlw_rod_make();
    tlw_asset_cook cook = convert(&rod, NULL);
    const tlw_cook_input* input = &cook.input;
    CHECK_EQ(input->joint_count, 2u);
    CHECK_STRING(input->joints[0].name, "hip");
    CHECK_EQ(input->joints[0].parent, TLW_NO_JOINT);
    CHECK_EQ(input->joints[1].parent, 0u);
    CHECK_EQ(input->joints[1].bind[13], 2.0);
    CHECK_EQ(input->mesh_count, 1u);
    CHECK_STRING(input->meshes[0].name, "body");
    CHECK_EQ(input->meshes[0].role, TLW_ROLE_VOXELISE);
    CHECK_POINT(input->meshes[0].positions + 6, 1, 3, 0);
    CHECK_EQ(input->meshes[0].joints[13], 1u);
    CHECK_EQ(input->meshes[0].weights[13], 0.75f);
    CHECK_EQ(input->meshes[0].indices[2], 2u);
    CHECK(input->meshes[0].normals == NULL);
    CHECK_EQ(cook.report.vertex_count, 4u);
    CHECK_EQ(cook.report.normalised_count, 0u);
    CHECK_EQ(cook.report.note_count, 0u);
    tlw_asset_cook_free(&cook);
}

TLW_TEST(a_z_up_armature_in_centimetres_comes_out_y_up_in_metres) {
    tlw_rod rod = tlw_rod_make();
    add_armature(&rod, "'rotation':[-0.70710678,0,0,0.70710678],'scale':[0.01,0.01,0.01]");
    tlw_asset_cook cook = convert(&rod, NULL);
    // (x, y, z) -> (x, z, -y) / 100
    CHECK_POINT(cook.input.meshes[0].positions + 6, 0.01, 0, -0.03);
    CHECK_NEAR(cook.input.joints[1].bind[14], -0.02, 1e-9);
    CHECK_EQ(cook.input.joints[0].parent, TLW_NO_JOINT); // the armature is no joint
    tlw_asset_cook_free(&cook);
}

TLW_TEST(units_scale_positions_and_translations_and_nothing_else) {
    tlw_rod rod = tlw_rod_make();
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    options.metres_per_unit = 0.01;
    tlw_asset_cook cook = convert(&rod, &options);
    CHECK_POINT(cook.input.meshes[0].positions + 6, 0.01, 0.03, 0);
    CHECK_NEAR(cook.input.joints[1].bind[13], 0.02, 1e-12);
    CHECK_NEAR(cook.input.joints[1].bind[0], 1, 1e-12);
    double globals[3 * 16], joints[2 * 16];
    for (int i = 0; i < 3; ++i) {
        tlw_matrix_identity(globals + i * 16);
        globals[i * 16 + 13] = i; // hip at 1, knee at 2: rest
    }
    tlw_asset_cook_pose(&cook, globals, joints);
    for (int i = 0; i < 32; ++i) {
        CHECK_NEAR(joints[i], cook.input.joints[i / 16].bind[i % 16], 1e-12);
    }
    tlw_asset_cook_free(&cook);
}

TLW_TEST(bind_stays_bind_where_rest_differs) {
    tlw_rod rod = tlw_rod_make();
    // At rest the knee is bent by 90 degrees; the inverse binds are those of the straight leg.
    tlw_rod_edit(&rod, "'name':'knee',", "'name':'knee','rotation':[0,0,0.70710678,0.70710678],");
    tlw_asset_cook cook = convert(&rod, NULL);
    CHECK_POINT(cook.input.meshes[0].positions + 6, 1, 3, 0);
    CHECK_NEAR(cook.input.joints[1].bind[0], 1, 1e-12);
    tlw_asset_cook_free(&cook);
}

TLW_TEST(a_mirrored_armature_reverses_triangles) {
    tlw_rod rod = tlw_rod_make();
    add_armature(&rod, "'scale':[-1,2,1]");
    tlw_rod_edit(&rod, "'POSITION':0", "'POSITION':0,'NORMAL':7,'TANGENT':8");
    // Spare bytes: one normal (1,1,0) and tangent (1,-1,0,1) would do, but counts must agree.
    tlw_rod_edit(&rod, "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'}",
                 "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'},"
                 "{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3'},"
                 "{'componentType':5126,'count':4,'type':'VEC4','sparse':{'count':1,'indices':{"
                 "'bufferView':7,'componentType':5121},'values':{'bufferView':6}}}");
    tlw_rod_edit(&rod, "'animations':", "'extras':");
    tlw_rod_float(&rod, TLW_ROD_SPARE + 4, 0.70710678f);
    tlw_rod_float(&rod, TLW_ROD_SPARE + 8, 0.70710678f);
    tlw_rod_float(&rod, TLW_ROD_ROTATIONS, 0.70710678f);
    tlw_rod_float(&rod, TLW_ROD_ROTATIONS + 4, -0.70710678f);
    tlw_rod_float(&rod, TLW_ROD_ROTATIONS + 8, 0);
    tlw_rod_float(&rod, TLW_ROD_ROTATIONS + 12, 1);
    tlw_asset_cook cook = convert(&rod, NULL);
    const tlw_cook_mesh* mesh = &cook.input.meshes[0];
    CHECK(cook.sources[0].is_mirrored);
    CHECK_EQ(mesh->indices[0], 0u);
    CHECK_EQ(mesh->indices[1], 2u);
    CHECK_EQ(mesh->indices[2], 1u);
    CHECK_POINT(mesh->positions + 6, -1, 6, 0);
    // Normal (1,1,0) by the inverse transpose: (-1, 1/2, 0). Tangent (1,-1,0) as a direction:
    // (-1,-2,0). They stay perpendicular; the handedness changes.
    CHECK_POINT(mesh->normals, -0.89442719, 0.44721360, 0);
    CHECK_POINT(mesh->tangents, -0.44721360, -0.89442719, 0);
    CHECK_EQ(mesh->tangents[3], -1.0f);
    tlw_asset_cook_free(&cook);
}

TLW_TEST(joints_of_several_skins_unite_by_node) {
    tlw_rod rod = tlw_rod_make();
    // A second mesh whose skin lists the same joints in reverse order, without inverse binds.
    tlw_rod_edit(&rod, "{'name':'knee','translation':[0,1,0]}]",
                 "{'name':'knee','translation':[0,1,0]},{'name':'coat','mesh':0,'skin':1}]");
    tlw_rod_edit(&rod, "'nodes':[0,1]", "'nodes':[0,1,3]");
    tlw_rod_edit(&rod, "'inverseBindMatrices':4}", "'inverseBindMatrices':4},{'joints':[2,1]}");
    tlw_asset_cook cook = convert(&rod, NULL);
    CHECK_EQ(cook.input.joint_count, 2u);
    CHECK_EQ(cook.input.mesh_count, 2u);
    CHECK_EQ(cook.joint_nodes[0], 1u);
    CHECK_EQ(cook.joint_nodes[1], 2u);
    CHECK_EQ(cook.input.meshes[0].joints[0], 0u); // joint 0 of skin 0 is the hip
    CHECK_EQ(cook.input.meshes[1].joints[0], 1u); // joint 0 of skin 1 the knee
    // M of skin 1 is the hip's rest transform: both its binds are at (0, 1, 0), the knee's is not.
    CHECK_POINT(cook.input.meshes[1].positions + 6, 1, 4, 0);
    CHECK_EQ(cook.input.joints[1].bind[13], 2.0);
    CHECK_EQ(cook.report.disagreeing_bind_count, 1u);
    CHECK_EQ(cook.report.note_count, 1u);
    CHECK_CONTAINS(
        cook.report.notes[0],
        "skins[1].joints[0]: the bind of 'knee' differs from that of skins[0] by 0.25 of "
        "the extent and is not taken");
    tlw_asset_cook_free(&cook);
}

// Three inverse binds in a row: skin 0 has the first two, of the straight knee and the hip, and
// skin 1 the last two, of the hip and of the knee where it is turned by a quarter about z.
// The third bind is the first one, turned.
static void check_turned_bind(const float turned[16]) {
    static const float binds[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1};
    tlw_rod rod = tlw_rod_make();
    memcpy(rod.bin + TLW_ROD_BINDS, binds, sizeof binds);
    // Over the clip, which is removed.
    memcpy(rod.bin + TLW_ROD_BINDS + sizeof binds, turned, 16 * sizeof *turned);
    tlw_rod_edit(&rod, "'animations':", "'extras':");
    tlw_rod_edit(&rod, "'byteOffset':140,'byteLength':128", "'byteOffset':140,'byteLength':192");
    tlw_rod_edit(&rod, "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'}",
                 "{'bufferView':4,'byteOffset':64,'componentType':5126,'count':2,'type':'MAT4'}");
    tlw_rod_edit(&rod, "{'joints':[1,2],'inverseBindMatrices':4}",
                 "{'joints':[2,1],'inverseBindMatrices':4},"
                 "{'joints':[1,2],'inverseBindMatrices':6}");
    tlw_rod_edit(&rod, "{'name':'knee','translation':[0,1,0]}]",
                 "{'name':'knee','translation':[0,1,0]},{'name':'coat','mesh':0,'skin':1}]");
    tlw_rod_edit(&rod, "'nodes':[0,1]", "'nodes':[0,1,3]");
    tlw_asset_cook cook = convert(&rod, NULL);
    CHECK_EQ(cook.report.disagreeing_bind_count, 1u);
    CHECK_EQ(cook.report.note_count, 1u);
    CHECK_CONTAINS(cook.report.notes[0],
                   "skins[1].joints[1]: the bind of 'knee' differs from that of skins[0] by 1.41 "
                   "of the extent and is not taken");
    CHECK_NEAR(cook.input.joints[1].bind[0], 1, 1e-12);
    tlw_asset_cook_free(&cook);
}

TLW_TEST(binds_that_differ_only_by_a_rotation_disagree) {
    // About each axis of three, which stays as it is.
    check_turned_bind((const float[]){1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, -2, 1});
    check_turned_bind((const float[]){0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, -2, 0, 1});
    check_turned_bind((const float[]){0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, -2, 0, 0, 1});
}

// A second skin of two joints below the knee, which is bent at rest and straight in the bind pose.
// Its matrices are the last two of three: the hip's, the knee's, and one more like the knee's.
static void add_coat(tlw_rod* rod, const char* skin) {
    static const float binds[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1};
    memcpy(rod->bin + TLW_ROD_BINDS, binds, sizeof binds); // over the clip, which is removed
    tlw_rod_edit(rod, "'animations':", "'extras':");
    tlw_rod_edit(rod, "'byteOffset':140,'byteLength':128", "'byteOffset':140,'byteLength':192");
    tlw_rod_edit(rod, "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'}",
                 "{'bufferView':4,'byteOffset':64,'componentType':5126,'count':2,'type':'MAT4'}");
    tlw_rod_edit(rod, "'inverseBindMatrices':4}", skin);
    tlw_rod_edit(rod, "{'name':'knee','translation':[0,1,0]}]",
                 "{'name':'knee','translation':[0,1,0],'rotation':[0,0,0.70710678,0.70710678],"
                 "'children':[3]},{'name':'foot','children':[4]},{'name':'toe'},"
                 "{'name':'coat','mesh':0,'skin':1}]");
    tlw_rod_edit(rod, "'nodes':[0,1]", "'nodes':[0,1,5]");
}

static void check_one_pose(tlw_rod* rod) {
    tlw_asset_cook cook = convert(rod, NULL);
    CHECK_EQ(cook.report.disagreeing_bind_count, 0u);
    for (int i = 0; i < 12; ++i) {
        CHECK_NEAR(cook.input.meshes[1].positions[i], cook.input.meshes[0].positions[i], 1e-6);
    }
    tlw_asset_cook_free(&cook);
}

TLW_TEST(skins_that_share_a_joint_stand_in_one_bind_pose) {
    tlw_rod rod = tlw_rod_make();
    add_coat(&rod, "'inverseBindMatrices':4},{'joints':[2,3],'inverseBindMatrices':6}");
    check_one_pose(&rod);
}

TLW_TEST(a_skin_that_hangs_on_a_joint_of_another_stands_in_its_bind_pose) {
    tlw_rod rod = tlw_rod_make();
    add_coat(&rod, "'inverseBindMatrices':4},{'joints':[3,4],'inverseBindMatrices':6}");
    check_one_pose(&rod);
}

TLW_TEST(the_parent_of_a_joint_is_the_nearest_ancestor_that_is_one) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'name':'hip','children':[2]", "'name':'hip','children':[3]");
    tlw_rod_edit(&rod, "{'name':'knee','translation':[0,1,0]}]",
                 "{'name':'knee'},{'name':'thigh','children':[2],'translation':[0,1,0]}]");
    tlw_rod_edit(&rod, "'joints':[1,2]", "'joints':[2,1]");
    tlw_rod_float(&rod, TLW_ROD_BINDS + 52, -2);
    tlw_rod_float(&rod, TLW_ROD_BINDS + 116, -1);
    tlw_asset_cook cook = convert(&rod, NULL);
    CHECK_EQ(cook.input.joints[1].parent, 0u);
    CHECK_NEAR(cook.input.joints[1].bind[13], 2, 1e-12);
    tlw_asset_cook_free(&cook);
}

TLW_TEST(meshes_without_skin_shape_the_body_of_their_joint) {
    tlw_rod rod = tlw_rod_make();
    add_hat(&rod);
    // The knee is bent at rest and straight in the bind pose: the hat is placed by the bind pose.
    tlw_rod_edit(&rod, "{'name':'knee','translation':[0,1,0]}]",
                 "{'name':'knee','translation':[0,1,0],'rotation':[0,0,0.70710678,0.70710678],"
                 "'children':[3]},{'name':'hat','mesh':1,'translation':[0,5,0]}]");
    tlw_asset_cook cook = convert(&rod, NULL);
    CHECK_EQ(cook.input.mesh_count, 2u);
    const tlw_cook_mesh* hat = &cook.input.meshes[1];
    CHECK_STRING(hat->name, "hat");
    CHECK_EQ(hat->role, TLW_ROLE_VOXELISE);
    CHECK_EQ(cook.report.note_count, 1u);
    CHECK_CONTAINS(cook.report.notes[0], "1 meshes without a skin follow the joint");
    CHECK_EQ(hat->influence_count, 1u);
    CHECK_EQ(hat->joints[3], 1u);
    CHECK_EQ(hat->weights[3], 1.0f);
    CHECK_POINT(hat->positions, -1, 7, 0);
    CHECK(cook.sources[1].is_rigid);
    CHECK_EQ(cook.sources[1].node, 3u);
    tlw_asset_cook_free(&cook);
}

// A clip moves the hand, or the node of the mesh, which is no joint.
TLW_TEST(meshes_that_move_against_their_joint_are_noted) {
    static const char* const moved[] = {"'node':3", "'node':4", "'node':2"};
    for (size_t i = 0; i < TLW_COUNT_OF(moved); ++i) {
        tlw_rod rod = tlw_rod_make();
        add_hat(&rod);
        tlw_rod_edit(&rod, "{'name':'knee','translation':[0,1,0]}]",
                     "{'name':'knee','translation':[0,1,0],'children':[3]},{'name':'hand',"
                     "'children':[4]},{'name':'hat','mesh':1}]");
        tlw_rod_edit(&rod, "'node':2", moved[i]);
        tlw_asset_cook cook = convert(&rod, NULL);
        const bool is_joint = i == 2;
        CHECK_EQ(cook.report.note_count, is_joint ? 1u : 2u);
        CHECK_CONTAINS(cook.report.notes[0],
                       is_joint ? "1 meshes without a skin"
                                : "nodes[4] 'hat': clips move this mesh against the joint 'knee'");
        tlw_asset_cook_free(&cook);
    }
}

TLW_TEST(rigid_meshes_are_scaled_by_units_as_skinned_ones_are) {
    tlw_rod rod = tlw_rod_make();
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    options.metres_per_unit = 0.5;
    add_hat(&rod);
    tlw_rod_edit(&rod, "{'name':'knee','translation':[0,1,0]}]",
                 "{'name':'knee','translation':[0,1,0],'children':[3]},"
                 "{'name':'hat','mesh':1,'translation':[0,5,0]}]");
    tlw_asset_cook cook = convert(&rod, &options);
    CHECK_POINT(cook.input.meshes[1].positions, -0.5, 3.5, 0);
    tlw_asset_cook_free(&cook);
}

TLW_TEST(meshes_that_hang_on_no_joint_are_ignored_with_a_note) {
    tlw_rod rod = tlw_rod_make();
    add_hat(&rod);
    tlw_rod_edit(&rod, "{'name':'knee','translation':[0,1,0]}]",
                 "{'name':'knee','translation':[0,1,0]},{'name':'table','mesh':1}]");
    tlw_rod_edit(&rod, "'nodes':[0,1]", "'nodes':[0,1,3]");
    tlw_asset_cook cook = convert(&rod, NULL);
    CHECK_EQ(cook.input.mesh_count, 1u);
    CHECK_EQ(cook.report.note_count, 1u);
    CHECK_CONTAINS(cook.report.notes[0], "nodes[3] 'table': a mesh without a skin");
    tlw_asset_cook_free(&cook);
}

TLW_TEST(roles_and_lists_choose_by_node_and_mesh_name) {
    static const tlw_asset_role roles[] = {{"body", TLW_ROLE_RIDE}, {"strip", TLW_ROLE_VOXELISE}};
    static const char* const body[] = {"body"};
    static const char* const strip[] = {"strip"};
    static const char* const nobody[] = {"nobody"};
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    options.roles = roles;
    options.role_count = 2;
    tlw_rod rod = tlw_rod_make();
    tlw_asset_cook cook = convert(&rod, &options);
    CHECK_EQ(cook.input.meshes[0].role,
             TLW_ROLE_RIDE); // the node's name takes precedence over the mesh's
    tlw_asset_cook_free(&cook);

    options = tlw_default_asset_cook_options();
    options.included = strip;
    options.included_count = 1;
    rod = tlw_rod_make();
    cook = convert(&rod, &options);
    CHECK_EQ(cook.input.mesh_count, 1u);
    tlw_asset_cook_free(&cook);

    options.excluded = body;
    options.excluded_count = 1;
    rod = tlw_rod_make();
    refused(__LINE__, &rod, &options, TLW_ASSET_BAD,
            "nodes: none that is not ignored shows a mesh");

    options.excluded = nobody;
    rod = tlw_rod_make();
    refused(__LINE__, &rod, &options, TLW_ASSET_BAD_OPTION,
            "excluded[0]: no mesh, nor node that shows one, is called 'nobody'");

    options = tlw_default_asset_cook_options();
    options.metres_per_unit = 0;
    rod = tlw_rod_make();
    refused(__LINE__, &rod, &options, TLW_ASSET_BAD_OPTION, "metres_per_unit: 0 is not above 0");
    options.cookie = 0;
    rod = tlw_rod_make();
    refused(__LINE__, &rod, &options, TLW_ASSET_BAD_OPTION, "did not come from");
}

TLW_TEST(an_asset_without_skin_is_named) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, ",'skin':0", "");
    CHECK_BAD(&rod,
              "nodes: none that is not ignored shows a mesh with a skin (the file has 1 skins)");
    rod = tlw_rod_make();
    tlw_rod_edit(&rod, ",'skin':0", "");
    tlw_rod_edit(&rod, "'skins':", "'extras':");
    CHECK_BAD(&rod, "skins: the file has none, so there are no joints to follow");
}

TLW_TEST(a_mesh_of_nothing_but_lines_is_named) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'indices':3", "'mode':1");
    CHECK_BAD(&rod, "meshes: no triangles in any that is not ignored");
}

TLW_TEST(binds_that_cannot_be_inverted_are_named) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_BINDS + 64, 0);
    CHECK_BAD(&rod, "skins[0].inverseBindMatrices: matrix 1 has determinant 0 and cannot be "
                    "inverted");
    rod = tlw_rod_make();
    add_armature(&rod, "'scale':[1,0,1]");
    CHECK_BAD(&rod, "skins[0]: rest transform times inverse bind of joint 0 (node 1) has "
                    "determinant 0");
}

TLW_TEST(positions_that_overflow_in_model_space_are_named) {
    tlw_rod rod = tlw_rod_make();
    add_armature(&rod, "'scale':[1e30,1e30,1e30]");
    tlw_rod_float(&rod, TLW_ROD_POSITIONS + 24, 1e20f);
    CHECK_BAD(&rod, "nodes[0]: vertex 2 lands at (1e+50, ");
}

TLW_TEST(weights_are_normalised_and_counted) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_WEIGHTS + 48, 0.25f);
    tlw_rod_float(&rod, TLW_ROD_WEIGHTS + 52, 0.25f);
    tlw_rod_float(&rod, TLW_ROD_WEIGHTS + 32, 0); // vertex 2 now has no weight at all
    tlw_asset_cook cook = convert(&rod, NULL);
    const tlw_cook_mesh* mesh = &cook.input.meshes[0];
    CHECK_EQ(mesh->weights[12], 0.5f);
    CHECK_EQ(mesh->weights[13], 0.5f);
    CHECK_EQ(mesh->weights[8], 1.0f);
    CHECK_EQ(mesh->joints[8], 0u); // the root
    CHECK_EQ(cook.report.normalised_count, 1u);
    CHECK_EQ(cook.report.largest_weight_error, 0.5);
    CHECK_EQ(cook.report.unweighted_count, 1u);
    tlw_asset_cook_free(&cook);
}

TLW_TEST(a_joint_named_twice_by_a_vertex_counts_once) {
    tlw_rod rod = tlw_rod_make();
    rod.bin[TLW_ROD_JOINTS + 12] = 1; // vertex 3: knee and knee
    tlw_asset_cook cook = convert(&rod, NULL);
    const tlw_cook_mesh* mesh = &cook.input.meshes[0];
    CHECK_EQ(mesh->joints[12], 1u);
    CHECK_EQ(mesh->weights[12], 1.0f);
    CHECK_EQ(mesh->weights[13], 0.0f);
    CHECK_EQ(cook.report.repeated_count, 1u);
    tlw_asset_cook_free(&cook);
}

TLW_TEST(morph_targets_with_weight_at_rest_are_applied) {
    for (int way = 0; way < 2; ++way) { // weights of the mesh, and of the node instead
        tlw_rod rod = tlw_rod_make();
        tlw_rod_edit(&rod, "'indices':3}]",
                     "'indices':3,'targets':[{'POSITION':0},{'POSITION':7},{'POSITION':7}]}]");
        tlw_rod_edit(&rod, "{'bufferView':6,",
                     "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'},"
                     "{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3'},"
                     "{'bufferView':6,");
        tlw_rod_float(&rod, TLW_ROD_SPARE + 4 + 12, 2.0f); // x of vertex 1
        tlw_rod_edit(&rod, "'name':'strip'", "'name':'strip','weights':[0,1,0.25]");
        if (way == 1) {
            tlw_rod_edit(&rod, "'skin':0", "'skin':0,'weights':[1,0,-1]");
        }
        tlw_asset_cook cook = convert(&rod, NULL);
        CHECK_POINT(cook.input.meshes[0].positions + 3, way == 0 ? 3.5 : 0, 0, 0);
        CHECK_POINT(cook.input.meshes[0].positions + 6, way == 0 ? 1 : 2, way == 0 ? 3 : 6, 0);
        CHECK_EQ(cook.report.note_count, 1u);
        CHECK_STRING(cook.report.notes[0], "nodes[0] 'body': 2 of 3 morph targets have weight at "
                                           "rest and are applied for good; no target moves at run "
                                           "time");
        tlw_asset_cook_free(&cook);
    }
}

// The triangles face +z; the normals first +z, then -z.
TLW_TEST(triangles_that_face_against_their_normals_are_noted) {
    for (int way = 0; way < 2; ++way) {
        tlw_rod rod = tlw_rod_make();
        tlw_rod_edit(&rod, "'POSITION':0", "'POSITION':0,'NORMAL':7");
        tlw_rod_edit(&rod, "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'}",
                     "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'},"
                     "{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3'}");
        for (size_t v = 0; v < 4; ++v) {
            tlw_rod_float(&rod, TLW_ROD_SPARE + 4 + v * 12 + 8, way == 0 ? 1 : -1);
        }
        tlw_asset_cook cook = convert(&rod, NULL);
        CHECK_EQ(cook.report.note_count, way == 0 ? 0u : 1u);
        if (way == 1) {
            CHECK_STRING(cook.report.notes[0],
                         "nodes[0] 'body': 2 of 2 triangles face against their vertices' normals; "
                         "one or the other is inside out in the file");
        }
        tlw_asset_cook_free(&cook);
    }
}

TLW_TEST(joint_names_become_unique) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'name':'knee'", "'name':'hip'");
    tlw_asset_cook cook = convert(&rod, NULL);
    CHECK_STRING(cook.input.joints[0].name, "hip");
    CHECK_STRING(cook.input.joints[1].name, "hip#2");
    CHECK_EQ(cook.report.renamed_joint_count, 1u);
    CHECK_CONTAINS(cook.report.notes[0], "'hip' is not unique, it becomes 'hip#2'");
    tlw_asset_cook_free(&cook);
    rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'name':'knee',", "");
    cook = convert(&rod, NULL);
    CHECK_STRING(cook.input.joints[1].name, "node_2");
    tlw_asset_cook_free(&cook);
}

TLW_TEST(several_primitives_become_meshes_with_their_number) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'primitives':[",
                 "'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},"
                 "'indices':3},");
    tlw_asset_cook cook = convert(&rod, NULL);
    CHECK_EQ(cook.input.mesh_count, 2u);
    CHECK_STRING(cook.input.meshes[1].name, "body[1]");
    CHECK_EQ(cook.sources[1].primitive, 1u);
    tlw_asset_cook_free(&cook);
}
