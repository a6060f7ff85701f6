// SPDX-License-Identifier: MIT
// Paint from vertex attributes (RULES 8.7): which attribute and component a name means, in floats
// and normalised integers, on some meshes or on none, and every mistake by name.
#include "tests/asset/load_rod.h"
#include "tests/test.h"
#include "tools/asset/to_cook.h"

#include <math.h>
#include <string.h>

// Bytes of bufferView 8, which the rod has spare.
enum { SPARE = TLW_ROD_SPARE + 4 };

#define ACCESSORS_END "'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'}"

// The rod with one more accessor, number 7, on the spare bytes, and `attributes` beside the others.
static tlw_rod make_painted(const char* accessor, const char* attributes) {
    tlw_rod rod = tlw_rod_make();
    char text[256] = ACCESSORS_END ",";
    strcat(text, accessor);
    tlw_rod_edit(&rod, ACCESSORS_END, text);
    text[0] = 0;
    strcat(strcat(text, "'WEIGHTS_0':2,"), attributes);
    tlw_rod_edit(&rod, "'WEIGHTS_0':2", text);
    return rod;
}

#define FLOATS3 "{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3'}"
#define FLOATS1 "{'bufferView':8,'componentType':5126,'count':4,'type':'SCALAR'}"
#define BYTES4  "{'bufferView':8,'componentType':5121,'count':4,'type':'VEC4','normalized':true}"
#define SHORTS2 "{'bufferView':8,'componentType':5123,'count':4,'type':'VEC2','normalized':true}"

static tlw_rod make_floats(void) {
    tlw_rod rod = make_painted(FLOATS3, "'COLOR_0':7,'_FAT':7");
    for (size_t i = 0; i < 12; ++i) {
        tlw_rod_float(&rod, SPARE + i * 4, (float)i / 16.0f);
    }
    return rod;
}

static tlw_asset_code convert(tlw_rod* rod, const char* fat, const char* stiffness,
                              tlw_asset_cook* cook, tlw_asset_error* error) {
    tlw_asset* asset = load(rod);
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    options.paint[TLW_PAINT_FAT] = fat;
    options.paint[TLW_PAINT_STIFFNESS] = stiffness;
    const tlw_asset_code code = tlw_asset_to_cook(asset, &options, cook, error);
    tlw_asset_free(asset);
    return code;
}

static void check_refused(int line, tlw_rod rod, const char* fat, tlw_asset_code expected,
                          const char* message) {
    tlw_asset_cook cook;
    tlw_asset_error error;
    const tlw_asset_code code = convert(&rod, fat, NULL, &cook, &error);
    tlw_check_string(__FILE__, line, "code", tlw_asset_code_name(code),
                     tlw_asset_code_name(expected));
    tlw_check_string(__FILE__, line, "message", error.message, message);
}

TLW_TEST(paint_takes_a_component_of_an_attribute_by_its_letter) {
    static const struct {
        const char* source;
        int component;
    } rows[] = {{"COLOR_0", 0}, {"COLOR_0.r", 0}, {"COLOR_0.g", 1}, {"COLOR_0.b", 2},
                {"_FAT", 0},    {"_FAT.x", 0},    {"_FAT.y", 1},    {"_FAT.z", 2}};
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        tlw_rod rod = make_floats();
        tlw_asset_cook cook;
        tlw_asset_error error;
        convert(&rod, rows[n].source, "COLOR_0.g", &cook, &error);
        CHECK_STRING(error.message, "");
        const tlw_cook_mesh* mesh = &cook.input.meshes[0];
        for (int v = 0; v < 4; ++v) {
            CHECK_EQ(mesh->paint[TLW_PAINT_FAT][v], (float)(v * 3 + rows[n].component) / 16.0f);
            CHECK_EQ(mesh->paint[TLW_PAINT_STIFFNESS][v], (float)(v * 3 + 1) / 16.0f);
        }
        CHECK_EQ(cook.report.note_count, 0u);
        tlw_asset_cook_free(&cook);
    }
}

TLW_TEST(without_the_option_nothing_is_painted) {
    tlw_rod rod = make_floats();
    tlw_asset_cook cook;
    tlw_asset_error error;
    convert(&rod, NULL, NULL, &cook, &error);
    CHECK_STRING(error.message, "");
    CHECK(cook.input.meshes[0].paint[TLW_PAINT_FAT] == NULL);
    CHECK(cook.input.meshes[0].paint[TLW_PAINT_STIFFNESS] == NULL);
    tlw_asset_cook_free(&cook);
}

TLW_TEST(paint_reads_normalised_integers) {
    tlw_rod bytes = make_painted(BYTES4, "'COLOR_1':7");
    for (size_t i = 0; i < 16; ++i) {
        bytes.bin[SPARE + i] = (uint8_t)(i * 17);
    }
    tlw_asset_cook cook;
    tlw_asset_error error;
    convert(&bytes, "COLOR_1.a", NULL, &cook, &error);
    CHECK_STRING(error.message, "");
    for (int v = 0; v < 4; ++v) {
        CHECK_EQ(cook.input.meshes[0].paint[TLW_PAINT_FAT][v], (float)((v * 4 + 3) * 17) / 255.0f);
    }
    tlw_asset_cook_free(&cook);
    tlw_rod shorts = make_painted(SHORTS2, "'TEXCOORD_3':7");
    shorts.bin[SPARE + 2] = shorts.bin[SPARE + 3] = 0xFF; // the y of vertex 0
    convert(&shorts, "TEXCOORD_3.y", NULL, &cook, &error);
    CHECK_STRING(error.message, "");
    CHECK_EQ(cook.input.meshes[0].paint[TLW_PAINT_FAT][0], 1.0f);
    CHECK_EQ(cook.input.meshes[0].paint[TLW_PAINT_FAT][1], 0.0f);
    tlw_asset_cook_free(&cook);
}

TLW_TEST(paint_outside_0_to_1_is_clamped_and_noted) {
    tlw_rod rod = make_painted(FLOATS1, "'_FAT':7");
    static const float values[4] = {-0.5f, 0.25f, 1.5f, 1.0f};
    for (size_t i = 0; i < 4; ++i) {
        tlw_rod_float(&rod, SPARE + i * 4, values[i]);
    }
    tlw_asset_cook cook;
    tlw_asset_error error;
    convert(&rod, "_FAT", NULL, &cook, &error);
    CHECK_STRING(error.message, "");
    const float* paint = cook.input.meshes[0].paint[TLW_PAINT_FAT];
    CHECK_EQ(paint[0], 0.0f);
    CHECK_EQ(paint[1], 0.25f);
    CHECK_EQ(paint[2], 1.0f);
    CHECK_EQ(paint[3], 1.0f);
    CHECK_EQ(cook.report.note_count, 1u);
    CHECK_STRING(cook.report.notes[0],
                 "nodes[0] 'body': 2 values of '_FAT' are outside 0 to 1 and were clamped");
    tlw_asset_cook_free(&cook);
}

TLW_TEST(paint_that_cannot_be_read_is_refused_by_name) {
    check_refused(__LINE__, make_floats(), "_MUSCLE", TLW_ASSET_BAD_OPTION,
                  "paint.fat: no mesh that is voxelised has the vertex attribute '_MUSCLE' (the "
                  "asset has: COLOR_0, _FAT)");
    check_refused(__LINE__, make_floats(), "COLOR_0.q", TLW_ASSET_BAD_OPTION,
                  "paint.fat: no mesh that is voxelised has the vertex attribute 'COLOR_0.q' (the "
                  "asset has: COLOR_0, _FAT)");
    check_refused(__LINE__, make_floats(), "", TLW_ASSET_BAD_OPTION,
                  "paint.fat: no mesh that is voxelised has the vertex attribute '' (the asset "
                  "has: COLOR_0, _FAT)");
    check_refused(__LINE__, tlw_rod_make(), "COLOR_0", TLW_ASSET_BAD_OPTION,
                  "paint.fat: no mesh that is voxelised has the vertex attribute 'COLOR_0' (the "
                  "asset has: none)");
    check_refused(__LINE__, make_floats(), "COLOR_0.a", TLW_ASSET_BAD_OPTION,
                  "paint.fat: nodes[0] 'body': 'COLOR_0.a': the attribute has 3 components");
    check_refused(__LINE__, make_painted(FLOATS1, "'_FAT':7"), "_FAT.y", TLW_ASSET_BAD_OPTION,
                  "paint.fat: nodes[0] 'body': '_FAT.y': the attribute has 1 component");
    check_refused(
        __LINE__,
        make_painted("{'bufferView':8,'componentType':5121,'count':4,'type':'VEC4'}", "'_FAT':7"),
        "_FAT", TLW_ASSET_BAD,
        "paint.fat: nodes[0] 'body': '_FAT': paint is 0 to 1, and these are integers that are not "
        "normalised");
    tlw_rod rod = make_floats();
    tlw_rod_float(&rod, SPARE + 4 * 4, NAN); // y of vertex 1
    check_refused(__LINE__, rod, "_FAT.y", TLW_ASSET_BAD,
                  "paint.fat: nodes[0] 'body': '_FAT.y': the value of vertex 1 is NaN");
    rod = make_floats();
    tlw_rod_float(&rod, SPARE, -INFINITY);
    check_refused(__LINE__, rod, "_FAT", TLW_ASSET_BAD,
                  "paint.fat: nodes[0] 'body': '_FAT': the value of vertex 0 is -infinite");
}

// A NaN in an attribute, or in a component, that nobody uses is nobody's business.
TLW_TEST(attributes_that_are_not_used_do_not_stop_a_file) {
    tlw_rod rod = make_floats();
    tlw_rod_float(&rod, SPARE + 4, NAN);
    tlw_asset_cook cook;
    tlw_asset_error error;
    convert(&rod, "_FAT.x", NULL, &cook, &error);
    CHECK_STRING(error.message, "");
    tlw_asset_cook_free(&cook);
    static const struct {
        const char *attribute, *note;
    } rows[] = {
        {"'_FAT':99", "meshes[0].primitives[0].attributes._FAT: names no accessor, left out"},
        {"'_FAT':-1", "meshes[0].primitives[0].attributes._FAT: names no accessor, left out"},
        {"'_FAT':'x'", "meshes[0].primitives[0].attributes._FAT: names no accessor, left out"},
        {"'_FAT':3", "meshes[0].primitives[0].attributes._FAT: accessor 3 has 6 elements of SCALAR "
                     "for 4 vertices, left out"},
    };
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        rod = make_painted(FLOATS3, rows[n].attribute);
        tlw_asset* asset = load(&rod);
        CHECK_EQ(asset->note_count, 1u);
        CHECK_STRING(asset->notes[0], rows[n].note);
        CHECK_EQ(asset->meshes[0].primitives[0].attribute_count, 0u);
        tlw_asset_free(asset);
    }
}

TLW_TEST(a_mesh_without_the_attribute_stays_unpainted_beside_one_that_has_it) {
    tlw_rod rod = make_floats();
    tlw_rod_edit(&rod, "'indices':3}]}]",
                 "'indices':3},{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},"
                 "'indices':3}]}]");
    tlw_asset_cook cook;
    tlw_asset_error error;
    convert(&rod, "_FAT", NULL, &cook, &error);
    CHECK_STRING(error.message, "");
    CHECK_EQ(cook.input.mesh_count, 2u);
    CHECK(cook.input.meshes[0].paint[TLW_PAINT_FAT] != NULL);
    CHECK(cook.input.meshes[1].paint[TLW_PAINT_FAT] == NULL);
    tlw_asset_cook_free(&cook);
}

// A mesh that rides gives no voxel its shape, so its paint would be lost.
TLW_TEST(paint_on_a_mesh_that_rides_is_not_enough) {
    tlw_rod rod = make_floats();
    tlw_asset* asset = load(&rod);
    static const tlw_asset_role ride = {"body", TLW_ROLE_RIDE};
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    options.roles = &ride;
    options.role_count = 1;
    options.paint[TLW_PAINT_STIFFNESS] = "_FAT";
    tlw_asset_cook cook;
    tlw_asset_error error;
    CHECK_EQ(tlw_asset_to_cook(asset, &options, &cook, &error), TLW_ASSET_BAD_OPTION);
    CHECK_CONTAINS(error.message, "paint.stiffness: no mesh that is voxelised has the vertex");
    tlw_asset_free(asset);
}
