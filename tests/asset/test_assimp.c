// SPDX-License-Identifier: MIT
// FBX, Collada and BVH: the rod as Assimp writes it must be the rod again when it is read back.
// Files written by hand test the clips that Assimp cannot write.
#include "platform/file.h"
#include "tests/asset/rod.h"
#include "tests/asset/sound.h"
#include "tests/test.h"
#include "tools/asset/matrix.h"
#include "tools/asset/to_cook.h"

#include <assimp/cexport.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_file(const char* path, const void* bytes, size_t size) {
    tlw_file_error error;
    if (tlw_file_replace(path, bytes, size, &error) != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
}

static tlw_asset* load(const char* path) {
    tlw_asset* asset;
    tlw_asset_error error;
    if (tlw_asset_load(path, NULL, &asset, &error) != TLW_ASSET_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    const char* why = tlw_asset_unsoundness(asset);
    if (why) {
        tlw_test_fail(__FILE__, __LINE__, "%s", why);
    }
    return asset;
}

static tlw_asset* round_trip_of(tlw_rod rod, const char* format, const char* ending) {
    char from[600], to[600];
    size_t size;
    // Without the clip: Assimp 5.2 writes clips that it cannot read, or without their times.
    tlw_rod_edit(&rod, "'animations':", "'extras':");
    uint8_t* glb = tlw_make_glb(rod.json, rod.bin, TLW_ROD_BYTES, &size);
    snprintf(from, sizeof from, "%s/rod.glb", tlw_test_folder());
    snprintf(to, sizeof to, "%s/rod%s", tlw_test_folder(), ending);
    write_file(from, glb, size);
    free(glb);
    tlw_rod_free(&rod);
    const struct aiScene* scene = aiImportFile(from, 0);
    if (!scene || aiExportScene(scene, format, to, 0) != aiReturn_SUCCESS) {
        tlw_test_skip(__FILE__, __LINE__, "this Assimp does not write the format");
    }
    aiReleaseImport(scene);
    return load(to);
}

static tlw_asset* round_trip(const char* format, const char* ending) {
    return round_trip_of(tlw_rod_make(), format, ending);
}

// The order of vertices may change: every corner of every triangle is at the place of one of the
// rod's.
static void check_rod(const tlw_asset* asset, double unit) {
    tlw_asset_cook cook;
    tlw_asset_error error;
    if (tlw_asset_to_cook(asset, NULL, &cook, &error) != TLW_ASSET_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    const tlw_cook_mesh* mesh = &cook.input.meshes[0];
    CHECK_EQ(cook.input.joint_count, 2u);
    CHECK_EQ(mesh->triangle_count, 2u);
    CHECK_STRING(cook.input.joints[0].name, "hip");
    CHECK_STRING(cook.input.joints[1].name, "knee");
    CHECK_EQ(cook.input.joints[1].parent, 0u);
    CHECK_NEAR(cook.input.joints[0].bind[13], 1 * unit, 1e-5 * unit);
    CHECK_NEAR(cook.input.joints[1].bind[13], 2 * unit, 1e-5 * unit);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const float* at = mesh->positions + (size_t)i * 3;
        CHECK_NEAR(fabsf(at[0]), 1 * unit, 1e-5 * unit);
        CHECK(fabs((double)at[1]) < 1e-5 || fabs((double)at[1] - 3 * unit) < 1e-5);
        double knee = 0;
        for (uint32_t k = 0; k < mesh->influence_count; ++k) {
            size_t pair = (size_t)i * mesh->influence_count + k;
            knee += mesh->joints[pair] == 1 ? (double)mesh->weights[pair] : 0;
        }
        CHECK_NEAR(knee, at[1] < 1e-5f ? 0 : at[0] > 0 ? 1 : 0.75, 1e-5);
    }
    tlw_asset_cook_free(&cook);
}

TLW_TEST(collada_gives_the_rod_back) {
    tlw_asset* asset = round_trip("collada", ".dae");
    check_rod(asset, 1);
    CHECK_EQ(asset->file_count, 1u);
    tlw_asset_free(asset);
}

TLW_TEST(fbx_gives_the_rod_back) {
    // Assimp writes the rod in centimetres. As text, because it cannot read its own binary files.
    tlw_asset* asset = round_trip("fbxa", ".fbx");
    check_rod(asset, 0.01);
    tlw_asset_free(asset);
}

// The rod by hand, with a clip: in one second the hip moves from (0, 1, 0) to (2, 1, 0) and the
// knee rotates about z from 0 to 90 degrees.

// A copy of the text with the first `from` replaced, which must be there.
static char* edited(const char* text, const char* from, const char* to) {
    const char* at = strstr(text, from);
    const size_t bytes = strlen(text) + strlen(to) + 1;
    char* copy = malloc(bytes);
    CHECK(at != NULL && copy != NULL);
    snprintf(copy, bytes, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return copy;
}

static tlw_asset* load_text(const char* name, const char* text) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", tlw_test_folder(), name);
    write_file(path, text, strlen(text));
    return load(path);
}

static void check_bending(const tlw_asset* asset, double unit) {
    CHECK_EQ(asset->clip_count, 1u);
    CHECK_NEAR(asset->clips[0].duration_seconds, 1.0, 1e-5);
    tlw_asset_cook cook;
    CHECK_EQ(tlw_asset_to_cook(asset, NULL, &cook, NULL), TLW_ASSET_OK);
    tlw_asset_transform* pose = calloc(asset->node_count, sizeof *pose);
    double* globals = calloc(asset->node_count * (size_t)16, sizeof *globals);
    double now[2 * 16];
    CHECK(pose != NULL && globals != NULL);
    CHECK_EQ(cook.input.joint_count, 2u);
    for (int i = -1; i <= 5; ++i) { // before the first key and after the last the value is held
        const double t = i < 0 ? 0.0 : i > 4 ? 1.0 : i / 4.0;
        const double angle = t * 1.57079632679489662, *hip = now, *knee = now + 16;
        tlw_asset_evaluate_clip(asset, 0, i / 4.0, pose);
        tlw_asset_global_matrices(asset, pose, globals);
        tlw_asset_cook_pose(&cook, globals, now);
        CHECK_NEAR(hip[12], 2 * t * unit, 1e-5 * unit);
        CHECK_NEAR(hip[13], 1 * unit, 1e-5 * unit);
        CHECK_NEAR(hip[14], 0, 1e-5 * unit);
        CHECK_NEAR(knee[12], 2 * t * unit, 1e-5 * unit);
        CHECK_NEAR(knee[13], 2 * unit, 1e-5 * unit);
        // The motion from bind to now, which does not depend on the axes and units of the file.
        for (int j = 0; j < 2; ++j) {
            double inverse[16], skin[16];
            CHECK(tlw_matrix_invert(inverse, cook.input.joints[j].bind));
            tlw_matrix_multiply(skin, now + j * 16, inverse);
            const double rotated[9] = {
                cos(j * angle), sin(j * angle), 0, -sin(j * angle), cos(j * angle), 0, 0, 0, 1};
            for (int k = 0; k < 9; ++k) {
                CHECK_NEAR(skin[k / 3 * 4 + k % 3], rotated[k], 1e-5);
            }
        }
    }
    free(pose);
    free(globals);
    tlw_asset_cook_free(&cook);
}

#define XYZ \
    "<param name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/>"
#define FLOATS(id, count, values, elements, stride, params)                             \
    "<source id='" id "'><float_array id='" id "-array' count='" count "'>" values      \
    "</float_array><technique_common><accessor source='#" id "-array' count='" elements \
    "' stride='" stride "'>" params "</accessor></technique_common></source>\n"
#define NAMES(id, count, values)                                                    \
    "<source id='" id "'><Name_array id='" id "-array' count='" count "'>" values   \
    "</Name_array><technique_common><accessor source='#" id "-array' count='" count \
    "' stride='1'><param name='NAME' type='name'/></accessor></technique_common></source>\n"
#define ANIMATION(id, times, values, elements, stride, params, target)                             \
    "<animation id='" id                                                                           \
    "'>\n" FLOATS(id "-in", "2", times, "2", "1", "<param name='TIME' type='float'/>")             \
        FLOATS(id "-out", elements, values, "2", stride, params) NAMES(                            \
            id "-how", "2", "LINEAR LINEAR") "<sampler id='" id                                    \
                                             "-sampler'><input semantic='INPUT' source='#" id      \
                                             "-in'/><input semantic='OUTPUT' "                     \
                                             "source='#" id                                        \
                                             "-out'/><input semantic='INTERPOLATION' source='#" id \
                                             "-how'/></sampler>"                                   \
                                             "<channel source='#" id "-sampler' target='" target   \
                                             "'/></animation>\n"

// unit and up describe the asset; the other arguments are values in that unit and with that axis
// up.
#define COLLADA(unit, up, hip_at, knee_at, rotation, corners, inverse_binds, hip_moves)             \
    "<?xml version='1.0' encoding='utf-8'?>\n"                                                      \
    "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>\n"              \
    "<asset><unit name='unit' meter='" unit "'/><up_axis>" up "</up_axis></asset>\n"                \
    "<library_geometries><geometry id='rod' name='rod'><mesh>\n" FLOATS(                            \
        "places", "12", corners, "4", "3",                                                          \
        XYZ) "<vertices id='corners'><input semantic='POSITION' source='#places'/></vertices>\n"    \
             "<triangles count='2'><input semantic='VERTEX' source='#corners' offset='0'/>"         \
             "<p>0 1 2 0 2 3</p></triangles></mesh></geometry></library_geometries>\n"              \
             "<library_controllers><controller id='skin'><skin source='#rod'>\n"                    \
             "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>\n" NAMES(      \
                 "joints", "2", "hip knee") FLOATS("binds", "32", inverse_binds, "2", "16",         \
                                                   "<param name='M' type='float4x4'/>")             \
                 FLOATS(                                                                            \
                     "shares", "3", "1 0.25 0.75", "3", "1",                                        \
                     "<param name='WEIGHT' type='float'/>") "<joints><input semantic='JOINT' "      \
                                                            "source='#joints'/><input "             \
                                                            "semantic='INV_BIND_MATRIX' "           \
                                                            "source='#binds'/></joints>\n"          \
                                                            "<vertex_weights count='4'><input "     \
                                                            "semantic='JOINT' source='#joints' "    \
                                                            "offset='0'/>"                          \
                                                            "<input semantic='WEIGHT' "             \
                                                            "source='#shares' "                     \
                                                            "offset='1'/><vcount>1 1 1 2</vcount>"  \
                                                            "<v>0 0 0 0 1 0 0 1 1 "                 \
                                                            "2</v></vertex_weights></skin></"       \
                                                            "controller></library_controllers>\n"   \
                                                            "<library_animations>\n" ANIMATION(     \
                                                                "move", "0 1", hip_moves, "6",      \
                                                                "3", XYZ, "hip/at")                 \
                                                                ANIMATION(                          \
                                                                    "turn", "0 1", "0 90", "2",     \
                                                                    "1",                            \
                                                                    "<param name='ANGLE' "          \
                                                                    "type='float'/>",               \
                                                                    "knee/turn.ANGLE") "</"         \
                                                                                       "library_"   \
                                                                                       "animation"  \
                                                                                       "s>\n<"      \
                                                                                       "library_"   \
                                                                                       "visual_"    \
                                                                                       "scenes><"   \
                                                                                       "visual_"    \
                                                                                       "scene "     \
                                                                                       "id='"       \
                                                                                       "scene'>\n"  \
                                                                                       "<node "     \
                                                                                       "id='hip' "  \
                                                                                       "name='"     \
                                                                                       "hip' "      \
                                                                                       "sid='hip'"  \
                                                                                       " type='"    \
                                                                                       "JOINT'><"   \
                                                                                       "translate"  \
                                                                                       " sid='at'"  \
                                                                                       ">" hip_at   \
                                                                                       "</"         \
                                                                                       "translate"  \
                                                                                       "><node "    \
                                                                                       "id='knee'"  \
                                                                                       " name='"    \
                                                                                       "knee' "     \
                                                                                       "sid='"      \
                                                                                       "knee' "     \
                                                                                       "type='"     \
                                                                                       "JOINT'><"   \
                                                                                       "translate"  \
                                                                                       " sid='at'"  \
                                                                                       ">" knee_at  \
                                                                                       "</"         \
                                                                                       "translate"  \
                                                                                       "><rotate "  \
                                                                                       "sid='"      \
                                                                                       "turn'"      \
                                                                                       ">" rotation \
                                                                                       " 0</"       \
                                                                                       "rotate></"  \
                                                                                       "node></"    \
                                                                                       "node>\n"    \
                                                                                       "<node "     \
                                                                                       "id='body'"  \
                                                                                       " name='"    \
                                                                                       "body'><"    \
                                                                                       "instance_"  \
                                                                                       "controlle"  \
                                                                                       "r "         \
                                                                                       "url='#"     \
                                                                                       "skin'><"    \
                                                                                       "skeleton>"  \
                                                                                       "#hip</"     \
                                                                                       "skeleton>"  \
                                                                                       "</"         \
                                                                                       "instance_"  \
                                                                                       "controlle"  \
                                                                                       "r></"       \
                                                                                       "node>\n"    \
                                                                                       "</"         \
                                                                                       "visual_"    \
                                                                                       "scene></"   \
                                                                                       "library_"   \
                                                                                       "visual_"    \
                                                                                       "scenes>"    \
                                                                                       "<scene><"   \
                                                                                       "instance_"  \
                                                                                       "visual_"    \
                                                                                       "scene "     \
                                                                                       "url='#"     \
                                                                                       "scene'/"    \
                                                                                       "></"        \
                                                                                       "scene>\n<"  \
                                                                                       "/COLLADA>"  \
                                                                                       "\n"

#define UPRIGHT_COLLADA                                                          \
    COLLADA("1", "Y_UP", "0 1 0", "0 1 0", "0 0 1", "-1 0 0 1 0 0 1 3 0 -1 3 0", \
            "1 0 0 0 0 1 0 -1 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 -2 0 0 1 0 0 0 0 1", "0 1 0 2 1 0")

TLW_TEST(collada_by_hand_gives_joints_weights_and_a_clip) {
    tlw_asset* asset = load_text("bend.dae", UPRIGHT_COLLADA);
    check_rod(asset, 1);
    check_bending(asset, 1);
    tlw_asset_free(asset);
}

// The same rod in a file in centimetres with z up, where (x, y, z) is written as (x, -z, y).
TLW_TEST(collada_in_centimetres_with_z_up_is_rotated_and_scaled) {
    tlw_asset* asset = load_text(
        "up.dae", COLLADA("0.01", "Z_UP", "0 0 100", "0 0 100", "0 -1 0",
                          "-100 0 0 100 0 0 100 0 300 -100 0 300",
                          "1 0 0 0 0 1 0 0 0 0 1 -100 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 -200 0 0 0 1",
                          "0 0 100 200 0 100"));
    check_rod(asset, 1);
    check_bending(asset, 1);
    tlw_asset_free(asset);
}

// Assimp gives every corner of every triangle a vertex of its own.
TLW_TEST(corners_that_are_equal_in_everything_are_one_vertex) {
    tlw_asset* asset = load_text("joined.dae", UPRIGHT_COLLADA);
    check_rod(asset, 1);
    CHECK_EQ(asset->meshes[0].primitives[0].vertex_count, 4u);
    tlw_asset_free(asset);
}

// Corners 0 and 4 are at one place, without normals, but 4 follows the knee.
TLW_TEST(corners_that_differ_in_weight_stay_apart) {
    char* places = edited(UPRIGHT_COLLADA, "1 3 0 -1 3 0<", "1 3 0 -1 3 0 -1 0 0<");
    char* counted = edited(places, "count='12'", "count='15'");
    char* strided = edited(counted, "count='4' stride='3'", "count='5' stride='3'");
    char* faces = edited(strided, "0 2 3</p>", "4 2 3</p>");
    char* weighted = edited(faces, "<vertex_weights count='4'>", "<vertex_weights count='5'>");
    char* shares = edited(weighted, "<vcount>1 1 1 2<", "<vcount>1 1 1 2 1<");
    char* text = edited(shares, "0 1 1 2</v>", "0 1 1 2 1 0</v>");
    tlw_asset* asset = load_text("apart.dae", text);
    const tlw_asset_primitive* p = &asset->meshes[0].primitives[0];
    CHECK_EQ(p->vertex_count, 5u);
    CHECK_NEAR(p->positions[p->indices[3] * 3], p->positions[p->indices[0] * 3], 1e-6);
    CHECK(p->indices[3] != p->indices[0]);
    tlw_asset_free(asset);
    char* const texts[] = {places, counted, strided, faces, weighted, shares, text};
    for (size_t i = 0; i < TLW_COUNT_OF(texts); ++i) {
        free(texts[i]);
    }
}

TLW_TEST(polygons_of_collada_are_cut_into_triangles) {
    char* open = edited(UPRIGHT_COLLADA, "<triangles count='2'>", "<polylist count='1'>");
    char* listed = edited(open, "<p>0 1 2 0 2 3</p></triangles>",
                          "<vcount>4</vcount><p>0 1 2 3</p></polylist>");
    tlw_asset* asset = load_text("polygon.dae", listed);
    check_rod(asset, 1);
    tlw_asset_free(asset);
    free(open);
    free(listed);
}

TLW_TEST(a_file_without_geometry_is_refused_in_words) {
    char* cut = edited(UPRIGHT_COLLADA, "<library_geometries>", "<library_geometries><!--");
    char* uncontrolled = edited(cut, "</library_geometries>", "--></library_geometries>");
    char* skinless = edited(uncontrolled, "<library_controllers>", "<library_controllers><!--");
    char* commented = edited(skinless, "</library_controllers>", "--></library_controllers>");
    char* shown = edited(commented, "<instance_controller", "<!--<instance_controller");
    char* text = edited(shown, "</instance_controller>", "</instance_controller>-->");
    tlw_asset* asset = load_text("skeleton.dae", text);
    tlw_asset_cook cook;
    tlw_asset_error error;
    CHECK_EQ(tlw_asset_to_cook(asset, NULL, &cook, &error), TLW_ASSET_BAD);
    CHECK_CONTAINS(error.message, "meshes: the file has no geometry, only ");
    tlw_asset_free(asset);
    char* const texts[] = {cut, uncontrolled, skinless, commented, shown, text};
    for (size_t i = 0; i < TLW_COUNT_OF(texts); ++i) {
        free(texts[i]);
    }
}

#define IDENTITY_AT(at) "*16 {\na: 1,0,0,0,0,1,0,0,0,0,1,0," at ",1\n}\n"
#define LIMB(id, name, at, type)                                                          \
    "Model: " id ", \"Model::" name "\", \"" type "\" {\nVersion: 232\nProperties70: {\n" \
    "P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\"," at "\n}\n}\n"
// A cluster's Transform is the mesh's transform relative to the joint; TransformLink is the joint's
// own.
#define CLUSTER(id, name, vertices, weights, at, minus_at, count)                           \
    "Deformer: " id ", \"SubDeformer::" name "\", \"Cluster\" {\nVersion: 100\n"            \
    "Indexes: *" count " {\na: " vertices "\n}\nWeights: *" count " {\na: " weights "\n}\n" \
    "Transform: " IDENTITY_AT(minus_at) "TransformLink: " IDENTITY_AT(at) "}\n"
#define CURVE(id, from, to)                                                            \
    "AnimationCurve: " id ", \"AnimCurve::\", \"\" {\nDefault: 0\nKeyVer: 4008\n"      \
    "KeyTime: *2 {\na: 0,46186158000\n}\nKeyValueFloat: *2 {\na: " from "," to "\n}\n" \
    "KeyAttrFlags: *1 {\na: 24836\n}\nKeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\n"         \
    "KeyAttrRefCount: *1 {\na: 2\n}\n}\n"
#define CURVE_NODE(id, name, x, y, z)                                                    \
    "AnimationCurveNode: " id ", \"AnimCurveNode::" name "\", \"\" {\nProperties70: {\n" \
    "P: \"d|X\", \"Number\", \"\", \"A\"," x "\nP: \"d|Y\", \"Number\", \"\", \"A\"," y  \
    "\nP: \"d|Z\", \"Number\", \"\", \"A\"," z "\n}\n}\n"
#define WITH(from, to)           "C: \"OO\"," from "," to "\n"
#define WITH_AS(from, to, where) "C: \"OP\"," from "," to ", \"" where "\"\n"
#define INTEGER(name, value)     "P: \"" name "\", \"int\", \"Integer\", \"\"," value "\n"
#define FBX(up, front, front_sign, scale, corners, at_1, minus_1, at_2, minus_2, y, z, rotation,   \
            degrees, far)                                                                          \
    "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXHeaderVersion: 1003\n"                    \
    "FBXVersion: 7400\n}\nGlobalSettings: {\nVersion: 1000\nProperties70: {\n" INTEGER(            \
        "UpAxis", up) INTEGER("UpAxisSign", "1") INTEGER("FrontAxis", front)                       \
        INTEGER("FrontAxisSign", front_sign) INTEGER("CoordAxis", "0") INTEGER(                    \
            "CoordAxisSign",                                                                       \
            "1") "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\"," scale                     \
                 "\n}\n}\nObjects: {\n"                                                            \
                 "Geometry: 10, \"Geometry::rod\", \"Mesh\" {\nVertices: *12 {\na: " corners       \
                 "\n}\nPolygonVertexIndex: *6 {\na: 0,1,-3,0,2,-4\n}\nGeometryVersion: "           \
                 "124\n}\n" LIMB("20", "body", "0,0,0", "Mesh")                                    \
                     LIMB("21", "hip", at_1, "LimbNode") LIMB(                                     \
                         "22", "knee", at_1,                                                       \
                         "LimbNode") "Deformer: 30, \"Deformer::skin\", \"Skin\" {\nVersion: "     \
                                     "101\n"                                                       \
                                     "Link_DeformAcuracy: 50\n}\n" CLUSTER(                        \
                                         "31", "hip", "0,1,3", "1,1,0.25", at_1, minus_1, "3")     \
                                         CLUSTER(                                                  \
                                             "32", "knee", "2,3", "1,0.75", at_2, minus_2,         \
                                             "2") "AnimationStack: 40, \"AnimStack::bend\", \"\" " \
                                                  "{\n}\n"                                         \
                                                  "AnimationLayer: 41, \"AnimLayer::base\", \"\" " \
                                                  "{\n}\n" CURVE_NODE("42", "T", "0", y,           \
                                                                      z) CURVE_NODE("43", "R",     \
                                                                                    "0", "0", "0") \
                                                      CURVE("44", "0", far) CURVE(                 \
                                                          "45", "0",                               \
                                                          degrees) "}\nConnections: {\n" WITH("2"  \
                                                                                              "0", \
                                                                                              "0") \
                                                          WITH("21", "0") WITH("22", "21") WITH(   \
                                                              "10", "20") WITH("30",               \
                                                                               "10") WITH("31",    \
                                                                                          "30")    \
                                                              WITH("32", "30") WITH(               \
                                                                  "21",                            \
                                                                  "31") WITH("22",                 \
                                                                             "32") WITH("41",      \
                                                                                        "40")      \
                                                                  WITH("42", "41") WITH(           \
                                                                      "43",                        \
                                                                      "41") WITH_AS("42", "21",    \
                                                                                    "Lcl "         \
                                                                                    "Translation") \
                                                                      WITH_AS("43", "22",          \
                                                                              "Lcl Rotation")      \
                                                                          WITH_AS("44", "42",      \
                                                                                  "d|X")           \
                                                                              WITH_AS(             \
                                                                                  "45", "43",      \
                                                                                  rotation) "}\n"

TLW_TEST(fbx_by_hand_gives_joints_weights_and_a_clip) {
    tlw_asset* asset =
        load_text("bend.fbx", FBX("1", "2", "1", "100", "-1,0,0,1,0,0,1,3,0,-1,3,0", "0,1,0",
                                  "0,-1,0", "0,2,0", "0,-2,0", "1", "0", "d|Z", "90", "2"));
    check_rod(asset, 1);
    CHECK_STRING(asset->clips[0].name, "bend");
    check_bending(asset, 1);
    tlw_asset_free(asset);
}

TLW_TEST(polygons_of_fbx_are_cut_into_triangles) {
    char* text = edited(FBX("1", "2", "1", "100", "-1,0,0,1,0,0,1,3,0,-1,3,0", "0,1,0", "0,-1,0",
                            "0,2,0", "0,-2,0", "1", "0", "d|Z", "90", "2"),
                        "PolygonVertexIndex: *6 {\na: 0,1,-3,0,2,-4",
                        "PolygonVertexIndex: *4 {\na: 0,1,2,-4");
    tlw_asset* asset = load_text("polygon.fbx", text);
    check_rod(asset, 1);
    CHECK_EQ(asset->meshes[0].primitives[0].vertex_count, 4u);
    tlw_asset_free(asset);
    free(text);
}

TLW_TEST(fbx_in_centimetres_with_z_up_is_rotated_and_scaled) {
    tlw_asset* asset = load_text(
        "up.fbx", FBX("2", "1", "-1", "1", "-100,0,0,100,0,0,100,0,300,-100,0,300", "0,0,100",
                      "0,0,-100", "0,0,200", "0,0,-200", "0", "100", "d|Y", "-90", "200"));
    check_rod(asset, 1);
    check_bending(asset, 1);
    tlw_asset_free(asset);
}

// The rod at half its size and 5 below, which the geometric transform makes good. It is not part of
// the node that children hang on, and the clusters do not have it.
TLW_TEST(geometric_transforms_of_fbx_bring_a_skinned_mesh_to_its_joints) {
    char* text = edited(FBX("1", "2", "1", "100", "-0.5,-2.5,0,0.5,-2.5,0,0.5,-1,0,-0.5,-1,0",
                            "0,1,0", "0,-1,0", "0,2,0", "0,-2,0", "1", "0", "d|Z", "90", "2"),
                        "\"A\",0,0,0\n",
                        "\"A\",0,0,0\n"
                        "P: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",0,5,0\n"
                        "P: \"GeometricScaling\", \"Vector3D\", \"Vector\", \"\",2,2,2\n");
    tlw_asset* asset = load_text("geometric.fbx", text);
    check_rod(asset, 1);
    check_bending(asset, 1);
    tlw_asset_free(asset);
    // Assimp has "Inverse" in the names of transforms that are not to be taken.
    char* other_name = edited(text, "Model::body", "Model::Inverse");
    asset = load_text("inverse.fbx", other_name);
    check_rod(asset, 1);
    tlw_asset_free(asset);
    free(other_name);
    free(text);
}

// A name as a Chinese version of 3ds Max writes it, in GBK.
TLW_TEST(names_that_are_not_utf8_become_question_marks) {
    char* text = edited(FBX("1", "2", "1", "100", "-1,0,0,1,0,0,1,3,0,-1,3,0", "0,1,0", "0,-1,0",
                            "0,2,0", "0,-2,0", "1", "0", "d|Z", "90", "2"),
                        "Model::knee", "Model::\xD1\xFC\xC3\xA4");
    tlw_asset* asset = load_text("names.fbx", text);
    CHECK_EQ(tlw_asset_find_node(asset, "knee"), TLW_ASSET_NONE);
    CHECK(tlw_asset_find_node(asset, "??\xC3\xA4") != TLW_ASSET_NONE); // the last two are UTF-8
    check_bending(asset, 1);
    tlw_asset_free(asset);
    free(text);
}

TLW_TEST(bvh_gives_joints_and_a_clip) {
    static const char text[] = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition "
                               "Yposition Zposition Zrotation Xrotation Yrotation\n JOINT Chest\n "
                               "{\n  OFFSET 0 2 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  "
                               "End Site\n  {\n   OFFSET 0 1 0\n  }\n }\n}\nMOTION\nFrames: 2\n"
                               "Frame Time: 0.5\n1 2 3 0 0 0 0 0 0\n1 4 3 0 0 0 90 0 0\n";
    char path[600];
    snprintf(path, sizeof path, "%s/walk.bvh", tlw_test_folder());
    write_file(path, text, sizeof text - 1);
    tlw_asset* asset = load(path);
    uint32_t hips = tlw_asset_find_node(asset, "Hips");
    uint32_t chest = tlw_asset_find_node(asset, "Chest");
    CHECK_EQ(asset->nodes[chest].parent, hips);
    CHECK_NEAR(asset->nodes[chest].rest.translation[1], 2, 1e-6);
    tlw_asset_transform* pose = calloc(asset->node_count, sizeof *pose);
    tlw_asset_evaluate_clip(asset, 0, 0.25, pose);
    CHECK_NEAR(pose[hips].translation[1], 3, 1e-5);
    CHECK_NEAR(pose[chest].rotation[2], 0.38268343, 1e-5); // 45 degrees about z
    free(pose);
    // Assimp makes up spikes for the joints, which are no character.
    tlw_asset_cook cook;
    tlw_asset_error error;
    CHECK_EQ(tlw_asset_to_cook(asset, NULL, &cook, &error), TLW_ASSET_BAD);
    CHECK_CONTAINS(error.message, "meshes: the file has no geometry, only 3 nodes and 1 clips");
    tlw_asset_free(asset);
}

TLW_TEST(a_broken_fbx_is_named) {
    char path[600];
    tlw_asset* asset;
    tlw_asset_error error;
    snprintf(path, sizeof path, "%s/broken.FBX", tlw_test_folder());
    write_file(path, "nothing", 7);
    CHECK_EQ(tlw_asset_load(path, NULL, &asset, &error), TLW_ASSET_CANNOT_READ);
    CHECK_CONTAINS(error.message, "broken.FBX': Assimp ");
    CHECK(asset == NULL);
}

// Red follows x, so it can be told whatever order the vertices come back in.
TLW_TEST(collada_colours_can_be_painted_with) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'WEIGHTS_0':2}", "'WEIGHTS_0':2,'COLOR_0':7}");
    tlw_rod_edit(&rod, "'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'}",
                 "'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'},{'bufferView':8,"
                 "'componentType':5126,'count':4,'type':'VEC3'}");
    for (size_t v = 0; v < 4; ++v) {
        tlw_rod_float(&rod, TLW_ROD_SPARE + 4 + v * 12, v == 0 || v == 3 ? 0.25f : 0.75f);
    }
    tlw_asset* asset = round_trip_of(rod, "collada", ".dae");
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    options.paint[TLW_PAINT_STIFFNESS] = "COLOR_0.r";
    tlw_asset_cook cook;
    tlw_asset_error error;
    tlw_asset_to_cook(asset, &options, &cook, &error);
    CHECK_STRING(error.message, "");
    const tlw_cook_mesh* mesh = &cook.input.meshes[0];
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        CHECK_NEAR((double)mesh->paint[TLW_PAINT_STIFFNESS][v],
                   mesh->positions[(size_t)v * 3] < 0 ? 0.25 : 0.75, 1e-5);
    }
    tlw_asset_cook_free(&cook);
    tlw_asset_free(asset);
}
