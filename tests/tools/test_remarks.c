// SPDX-License-Identifier: MIT
// The remarks of a cook, in the words that are printed: from a run that is made by hand.
#include "tests/test.h"
#include "tools/cook/remarks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXTS_MAX 16

typedef struct heard {
    char texts[TEXTS_MAX][2048];
    uint32_t count;
} heard;

static void hear(const char* text, void* user) {
    heard* to = user;
    CHECK_LT(to->count, TEXTS_MAX);
    snprintf(to->texts[to->count++], sizeof to->texts[0], "%s", text);
}

typedef struct subject {
    tlw_cook_run run;
    tlw_asset asset;
    tlw_asset_node nodes[16];
    tlw_asset_mesh asset_meshes[16];
    tlw_cook_mesh meshes[16];
    tlw_asset_cook_source sources[16];
    tlw_cook_mesh_report reports[16];
    tlw_cook_joint joints[2000];
    uint32_t numbers[2000];
    char names[2000][8];
    heard heard;
} subject;

// A character of one mesh on node 0.
static subject* make(void) {
    subject* s = calloc(1, sizeof *s);
    CHECK(s != NULL);
    for (uint32_t j = 0; j < TLW_COUNT_OF(s->joints); ++j) {
        snprintf(s->names[j], sizeof s->names[j], "j%u", j);
        s->joints[j].name = s->names[j];
        s->numbers[j] = j;
    }
    for (uint32_t i = 0; i < TLW_COUNT_OF(s->nodes); ++i) {
        s->nodes[i].name = "";
        s->nodes[i].mesh = TLW_ASSET_NONE;
        s->asset_meshes[i].name = "";
    }
    s->nodes[0].mesh = 0;
    s->meshes[0] = (tlw_cook_mesh){.name = "body", .role = TLW_ROLE_VOXELISE, .vertex_count = 100};
    s->asset.nodes = s->nodes;
    s->asset.node_count = 1;
    s->asset.meshes = s->asset_meshes;
    s->run.asset = &s->asset;
    s->run.from.input.joints = s->joints;
    s->run.from.input.meshes = s->meshes;
    s->run.from.input.mesh_count = 1;
    s->run.from.sources = s->sources;
    s->run.output.report.meshes = s->reports;
    s->run.output.report.mesh_count = 1;
    return s;
}

static void tell(subject* s) {
    tlw_cook_tell_remarks(&s->run, hear, &s->heard);
}

static void add_mesh(subject* s, const char* name, tlw_cook_role role) {
    const uint32_t i = s->run.from.input.mesh_count++;
    const uint32_t node = s->asset.node_count++;
    s->nodes[node].mesh = node;
    s->nodes[node].name = name;
    s->sources[i].node = node;
    s->meshes[i] = (tlw_cook_mesh){.name = name, .role = role, .vertex_count = 100};
    s->run.output.report.mesh_count += 1;
}

TLW_TEST(one_mesh_that_is_the_body_needs_no_words) {
    subject* s = make();
    tell(s);
    CHECK_EQ(s->heard.count, 0u);
    free(s);
}

TLW_TEST(meshes_are_told_by_role) {
    subject* s = make();
    add_mesh(s, "eye", TLW_ROLE_RIDE);
    s->nodes[s->asset.node_count++] = (tlw_asset_node){.name = "table", .mesh = 2};
    s->asset_meshes[3].name = "chair_mesh";
    s->nodes[s->asset.node_count++] = (tlw_asset_node){.name = "", .mesh = 3};
    add_mesh(s, "hat", TLW_ROLE_VOXELISE);
    tell(s);
    CHECK_EQ(s->heard.count, 1u);
    CHECK_STRING(s->heard.texts[0], "meshes: 2 shape the body ('body', 'hat'); 1 rides on it "
                                    "('eye'); 2 ignored ('table', 'chair_mesh')");
    free(s);
}

TLW_TEST(joints_are_told_by_name_and_two_thousand_of_them_are_summed_up) {
    subject* s = make();
    s->run.output.report.left_out = s->numbers;
    s->run.output.report.left_out_joints = 2000;
    s->run.output.report.outside = s->numbers + 7;
    s->run.output.report.outside_joints = 1;
    tell(s);
    CHECK_EQ(s->heard.count, 2u);
    CHECK_STRING(s->heard.texts[0],
                 "2000 joints without weight on the body, left out of it: 'j0', 'j1', 'j2', 'j3', "
                 "'j4', 'j5', 'j6', 'j7' and 1992 more");
    CHECK_STRING(s->heard.texts[1], "1 joint outside the body: 'j7'");
    free(s);
}

TLW_TEST(vertices_bound_from_afar_are_told_mesh_by_mesh) {
    static const tlw_cook_mesh_report reports[] = {
        {0, 0, 0.0}, {60, 60, 12.25}, {60, 20, 3.5}, {60, 0, 2.5}};
    subject* s = make();
    add_mesh(s, "sword", TLW_ROLE_RIDE);
    add_mesh(s, "shield", TLW_ROLE_RIDE);
    add_mesh(s, "bird", TLW_ROLE_RIDE);
    memcpy(s->reports, reports, sizeof reports);
    tell(s);
    CHECK_EQ(s->heard.count, 4u);
    CHECK_STRING(
        s->heard.texts[1],
        "mesh 'sword': 60 of 100 vertices are more than 2 voxels away from the body, up to "
        "12.2; they ride with their joint");
    CHECK_STRING(s->heard.texts[2],
                 "mesh 'shield': 60 of 100 vertices are more than 2 voxels away from the body, up "
                 "to 3.5; 20 ride with their joint, the others have none and follow the nearest "
                 "voxel");
    CHECK_STRING(s->heard.texts[3],
                 "mesh 'bird': 60 of 100 vertices are more than 2 voxels away from the body, up to "
                 "2.5; they have no joint and follow the nearest voxel");
    for (int i = 0; i < 8; ++i) {
        add_mesh(s, "arrow", TLW_ROLE_RIDE);
        s->reports[4 + i] = reports[1];
    }
    s->heard.count = 0;
    tell(s);
    CHECK_EQ(s->heard.count, 10u);
    CHECK_STRING(s->heard.texts[9], "3 more meshes have vertices that far from the body");
    free(s);
}

TLW_TEST(notes_of_the_file_and_of_its_conversion_are_remarks) {
    static const char* const of_file[] = {"from the file"};
    static const char* const of_conversion[] = {"from the conversion"};
    subject* s = make();
    s->asset.notes = of_file;
    s->asset.note_count = 1;
    s->run.from.report.notes = of_conversion;
    s->run.from.report.note_count = 1;
    tell(s);
    CHECK_EQ(s->heard.count, 2u);
    CHECK_STRING(s->heard.texts[0], "from the file");
    CHECK_STRING(s->heard.texts[1], "from the conversion");
    free(s);
}

// A part of a UTF-8 character is no text for JSON, and the report would lack the remark.
TLW_TEST(long_names_are_cut_between_characters_and_no_remark_is_cut) {
    static const char* const name = "x\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8"
                                    "\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8\u9AA8";
    const tlw_cook_mesh_report far_away = {60, 60, 3.0};
    subject* s = make();
    CHECK_EQ(strlen(name), 61u);
    for (uint32_t i = 0; i < 5; ++i) {
        add_mesh(s, name, TLW_ROLE_RIDE);
        add_mesh(s, name, TLW_ROLE_VOXELISE);
        s->nodes[s->asset.node_count++] = (tlw_asset_node){.name = name, .mesh = 2};
    }
    s->reports[1] = far_away;
    tell(s);
    CHECK_EQ(s->heard.count, 2u);
    const char* roles = s->heard.texts[0];
    CHECK_EQ(roles[strlen(roles) - 1], ')');
    CHECK_CONTAINS(roles, "5 ride on it ('x\u9AA8");
    CHECK_CONTAINS(roles, "\u9AA8', 'x\u9AA8");
    CHECK_CONTAINS(s->heard.texts[1], "\u9AA8': 60 of 100 vertices");
    free(s);
}
