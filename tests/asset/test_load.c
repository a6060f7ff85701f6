// SPDX-License-Identifier: MIT
// What a valid glTF file gives: the container, attributes of every type, sparse and interleaved
// data, strips and fans, notes, and limits that valid files may reach.
#include "tests/asset/load_rod.h"
#include "tests/asset/sound.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tlw_asset* load_sound(tlw_rod* rod) {
    tlw_asset* asset = load(rod);
    const char* why = tlw_asset_unsoundness(asset);
    if (why) {
        tlw_test_fail(__FILE__, __LINE__, "%s", why);
    }
    return asset;
}

static const tlw_asset_primitive* primitive_of(const tlw_asset* asset) {
    return &asset->meshes[0].primitives[0];
}

TLW_TEST(a_small_glb_gives_its_nodes_mesh_skin_and_clip) {
    tlw_rod rod = tlw_rod_make();
    tlw_asset* asset = load_sound(&rod);
    CHECK_EQ(asset->node_count, 3u);
    CHECK_STRING(asset->nodes[1].name, "hip");
    CHECK_EQ(asset->nodes[2].parent, 1u);
    CHECK_EQ(asset->nodes[0].parent, TLW_ASSET_NONE);
    CHECK_EQ(asset->nodes[1].children[0], 2u);
    CHECK_EQ(asset->nodes[0].mesh, 0u);
    CHECK_EQ(asset->nodes[0].skin, 0u);
    const tlw_asset_primitive* p = primitive_of(asset);
    CHECK_EQ(p->vertex_count, 4u);
    CHECK_EQ(p->triangle_count, 2u);
    CHECK_EQ(p->positions[7], 3.0f);
    CHECK_EQ(p->indices[5], 3u);
    CHECK_EQ(p->influence_count, 4u);
    CHECK_EQ(p->joints[13], 1u);
    CHECK_EQ(p->weights[13], 0.75f);
    CHECK_EQ(asset->skins[0].joint_count, 2u);
    CHECK_EQ(asset->skins[0].inverse_binds[16 + 13], -2.0);
    CHECK_EQ(asset->clip_count, 1u);
    CHECK_EQ(asset->clips[0].duration_seconds, 1.0);
    CHECK_EQ(asset->note_count, 0u);
    CHECK_EQ(asset->file_count, 0u);
    CHECK_LT(asset->memory_bytes, 100000);
    tlw_asset_free(asset);
}

TLW_TEST(text_with_a_data_uri_gives_the_same) {
    tlw_rod rod = tlw_rod_make();
    char* text = tlw_rod_as_text(&rod);
    tlw_asset *asset, *expected = load_sound(&rod);
    tlw_asset_error error;
    CHECK_EQ(tlw_asset_load_memory(text, strlen(text), NULL, NULL, &asset, &error), TLW_ASSET_OK);
    CHECK_BYTES(primitive_of(asset)->positions, primitive_of(expected)->positions, 48);
    CHECK_BYTES(primitive_of(asset)->weights, primitive_of(expected)->weights, 64);
    tlw_asset_free(asset);
    tlw_asset_free(expected);
    free(text);
}

TLW_TEST(weights_of_bytes_and_shorts_are_normalised_as_the_standard_says) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'bufferView':2,'componentType':5126",
                 "'bufferView':2,'normalized':true,'componentType':5121");
    memset(rod.bin + TLW_ROD_WEIGHTS, 0, 64);
    rod.bin[TLW_ROD_WEIGHTS] = 255;
    rod.bin[TLW_ROD_WEIGHTS + 4] = 1;
    tlw_asset* asset = load_sound(&rod);
    CHECK_EQ(primitive_of(asset)->weights[0], 1.0f);
    CHECK_EQ(primitive_of(asset)->weights[4], 1.0f / 255.0f);
    tlw_asset_free(asset);

    rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'bufferView':2,'componentType':5126",
                 "'bufferView':2,'normalized':true,'componentType':5123");
    memset(rod.bin + TLW_ROD_WEIGHTS, 0, 64);
    rod.bin[TLW_ROD_WEIGHTS + 1] = 0x80; // 32768
    asset = load_sound(&rod);
    CHECK_EQ(primitive_of(asset)->weights[0], 32768.0f / 65535.0f);
    tlw_asset_free(asset);
}

TLW_TEST(joints_of_shorts_are_read) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'bufferView':1,'componentType':5121",
                 "'bufferView':8,'componentType':5123");
    rod.bin[TLW_ROD_SPARE + 4] = 1;
    tlw_asset* asset = load_sound(&rod);
    CHECK_EQ(primitive_of(asset)->joints[0], 1u);
    CHECK_EQ(primitive_of(asset)->joints[1], 0u);
    tlw_asset_free(asset);
}

TLW_TEST(a_second_set_of_joints_gives_eight_influences) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'WEIGHTS_0':2", "'WEIGHTS_0':2,'JOINTS_1':1,'WEIGHTS_1':2");
    tlw_asset* asset = load_sound(&rod);
    const tlw_asset_primitive* p = primitive_of(asset);
    CHECK_EQ(p->influence_count, 8u);
    CHECK_EQ(p->joints[3 * 8 + 5], 1u);
    CHECK_EQ(p->weights[3 * 8 + 5], 0.75f);
    CHECK_EQ(p->weights[3 * 8 + 1], 0.75f);
    tlw_asset_free(asset);
}

TLW_TEST(indices_of_bytes_and_ints_are_read) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'bufferView':3,'componentType':5123",
                 "'bufferView':8,'componentType':5121");
    memcpy(rod.bin + TLW_ROD_SPARE + 4, "\0\1\2\0\2\3", 6);
    tlw_asset* asset = load_sound(&rod);
    CHECK_EQ(primitive_of(asset)->indices[5], 3u);
    tlw_asset_free(asset);
    rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'bufferView':3,'componentType':5123",
                 "'bufferView':8,'componentType':5125");
    rod.bin[TLW_ROD_SPARE + 4 + 4 * 5] = 2;
    asset = load_sound(&rod);
    CHECK_EQ(primitive_of(asset)->indices[5], 2u);
    tlw_asset_free(asset);
}

TLW_TEST(sparse_elements_replace_those_of_the_accessor) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'count':4,'type':'VEC3'",
                 "'count':4,'type':'VEC3','sparse':{'count':2,'indices':{'bufferView':7,"
                 "'componentType':5121},'values':{'bufferView':8}}");
    rod.bin[TLW_ROD_SPARE] = 1;
    rod.bin[TLW_ROD_SPARE + 1] = 3;
    tlw_rod_float(&rod, TLW_ROD_SPARE + 4, 5);
    tlw_rod_float(&rod, TLW_ROD_SPARE + 4 + 12, 7);
    tlw_asset* asset = load_sound(&rod);
    const float* positions = primitive_of(asset)->positions;
    CHECK_EQ(positions[0], -1.0f);
    CHECK_EQ(positions[3], 5.0f);
    CHECK_EQ(positions[9], 7.0f);
    tlw_asset_free(asset);
}

TLW_TEST(an_accessor_without_a_view_is_zeros_with_sparse_elements_in_it) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'",
                 "'componentType':5126,'count':4,'type':'VEC3','sparse':{'count':1,'indices':{"
                 "'bufferView':7,'componentType':5123},'values':{'bufferView':8,'byteOffset':4}}");
    rod.bin[TLW_ROD_SPARE] = 2;
    tlw_rod_float(&rod, TLW_ROD_SPARE + 8, 9);
    tlw_asset* asset = load_sound(&rod);
    const float* positions = primitive_of(asset)->positions;
    CHECK_EQ(positions[0], 0.0f);
    CHECK_EQ(positions[6], 9.0f);
    tlw_asset_free(asset);
}

TLW_TEST(interleaved_attributes_are_read_at_their_stride) {
    // Positions and uvs, 20 bytes apart, over the 48 + 16 + 64 bytes at the start of the buffer.
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "{'buffer':0,'byteOffset':0,'byteLength':48}",
                 "{'buffer':0,'byteOffset':276,'byteLength':84,'byteStride':20}");
    tlw_rod_edit(&rod, "'POSITION':0", "'POSITION':0,'TEXCOORD_0':7");
    tlw_rod_edit(&rod, "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'}",
                 "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'},"
                 "{'bufferView':0,'byteOffset':12,'componentType':5126,'count':4,'type':'VEC2'}");
    tlw_rod_edit(&rod, "'animations':", "'extras':");
    for (size_t i = 0; i < 20; ++i) {
        tlw_rod_float(&rod, 276 + i * 4, (float)i);
    }
    tlw_asset* asset = load_sound(&rod);
    const tlw_asset_primitive* p = primitive_of(asset);
    for (uint32_t v = 0; v < 4; ++v) {
        for (uint32_t k = 0; k < 3; ++k) {
            CHECK_EQ(p->positions[v * 3 + k], (float)(v * 5 + k));
        }
        CHECK_EQ(p->uvs[v * 2], (float)(v * 5 + 3));
        CHECK_EQ(p->uvs[v * 2 + 1], (float)(v * 5 + 4));
    }
    tlw_asset_free(asset);
}

TLW_TEST(required_extensions_that_do_not_touch_geometry_are_accepted) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "{'asset':",
                 "{'extensionsRequired':['VRM','VRMC_vrm','VRMC_springBone','KHR_xmp_json_ld',"
                 "'KHR_materials_unlit','KHR_materials_diffuse_transmission',"
                 "'KHR_texture_transform','KHR_texture_basisu','KHR_lights_punctual',"
                 "'EXT_lights_ies','MSFT_texture_dds','KHR_animation_pointer'],'asset':");
    tlw_asset_free(load_sound(&rod));
}

TLW_TEST(quantized_positions_are_read_where_the_extension_is_required) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "{'asset':", "{'extensionsRequired':['KHR_mesh_quantization'],'asset':");
    tlw_rod_edit(&rod, "'bufferView':0,'componentType':5126,'count':4",
                 "'bufferView':0,'componentType':5122,'normalized':true,'count':4");
    tlw_rod_edit(&rod, "'byteOffset':0,'byteLength':48",
                 "'byteOffset':0,'byteLength':48,'byteStride':8");
    memset(rod.bin, 0, 48);
    rod.bin[1] = 0x80; // -32768, which would be below -1 and becomes -1
    rod.bin[2] = 0x01; // 1
    rod.bin[4] = 0xFF, rod.bin[5] = 0x7F;
    tlw_asset* asset = load_sound(&rod);
    const float* positions = primitive_of(asset)->positions;
    CHECK_EQ(positions[0], -1.0f);
    CHECK_EQ(positions[1], 1.0f / 32767.0f);
    CHECK_EQ(positions[2], 1.0f);
    tlw_asset_free(asset);
}

TLW_TEST(strips_and_fans_become_triangles_that_face_the_same_way) {
    static const uint32_t strip[] = {0, 1, 2, 1, 0, 2, 2, 0, 2, 0, 3, 2};
    static const uint32_t fan[] = {1, 2, 0, 2, 0, 0, 0, 2, 0, 2, 3, 0};
    for (int is_fan = 0; is_fan < 2; ++is_fan) {
        tlw_rod rod = tlw_rod_make();
        tlw_rod_edit(&rod, "'indices':3", is_fan ? "'indices':3,'mode':6" : "'indices':3,'mode':5");
        tlw_asset* asset = load_sound(&rod);
        CHECK_EQ(primitive_of(asset)->triangle_count, 4u);
        CHECK_BYTES(primitive_of(asset)->indices, is_fan ? fan : strip, sizeof fan);
        tlw_asset_free(asset);
    }
}

TLW_TEST(primitives_without_indices_count_up) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, ",'indices':3", ",'mode':5");
    tlw_asset* asset = load_sound(&rod);
    CHECK_EQ(primitive_of(asset)->triangle_count, 2u);
    CHECK_EQ(primitive_of(asset)->indices[3], 1u);
    CHECK_EQ(primitive_of(asset)->indices[4], 3u);
    tlw_asset_free(asset);
}

TLW_TEST(points_lines_and_morphs_are_left_out_with_a_note) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'primitives':[", "'primitives':[{'mode':1,'attributes':{'POSITION':0}},");
    tlw_rod_edit(&rod, "'channels':[",
                 "'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}},");
    tlw_asset* asset = load_sound(&rod);
    CHECK_EQ(asset->meshes[0].primitive_count, 1u);
    CHECK_EQ(primitive_of(asset)->file_index, 1u);
    CHECK_EQ(asset->clips[0].channel_count, 1u);
    CHECK_EQ(asset->note_count, 2u);
    CHECK_CONTAINS(asset->notes[0],
                   "meshes[0].primitives[0].mode: points or lines (1) are left out");
    CHECK_CONTAINS(asset->notes[1], "animations[0].channels[0].target.path: 'weights' is left out");
    tlw_asset_free(asset);
}

TLW_TEST(two_thousand_notes_of_a_kind_are_summed_up) {
    tlw_rod rod = tlw_rod_make();
    char* text = malloc(2100 * 40);
    int used = sprintf(text, "'primitives':[");
    for (int i = 0; i < 2000; ++i) {
        used += sprintf(text + used, "{'mode':0,'attributes':{}},");
    }
    tlw_rod_edit(&rod, "'primitives':[", text);
    free(text);
    tlw_rod_edit(&rod, "'channels':[",
                 "'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}},");
    tlw_asset* asset = load_sound(&rod);
    CHECK_EQ(asset->note_count, 5u);
    CHECK_STRING(asset->notes[2], "meshes[0].primitives[2].mode: points or lines (0) are left out");
    CHECK_STRING(asset->notes[3], "meshes[0].primitives[3].mode: points or lines (0) are left out; "
                                  "and 1996 more of these");
    CHECK_CONTAINS(asset->notes[4], "animations[0].channels[0].target.path: 'weights' is left out");
    tlw_asset_free(asset);
}

// Targets 0 and 1 of the rod: the positions, and what bufferView 8 has.
static void add_targets(tlw_rod* rod) {
    tlw_rod_edit(rod, "'indices':3}]", "'indices':3,'targets':[{'POSITION':0},{'POSITION':7}]}]");
    tlw_rod_edit(rod, "{'bufferView':6,",
                 "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'},"
                 "{'bufferView':8,'componentType':5126,'count':4,'type':'VEC3'},{'bufferView':6,");
    tlw_rod_float(rod, TLW_ROD_SPARE + 4 + 12, 2.0f); // x of vertex 1
}

TLW_TEST(morph_targets_are_read_where_one_has_weight_at_rest) {
    for (int way = 0; way < 4; ++way) { // weights of nobody, all 0, of the mesh, of the node
        tlw_rod rod = tlw_rod_make();
        add_targets(&rod);
        if (way == 1 || way == 2) {
            tlw_rod_edit(&rod, "'name':'strip'",
                         way == 1 ? "'name':'strip','weights':[0,0]"
                                  : "'name':'strip','weights':[0,0.5]");
        } else if (way == 3) {
            tlw_rod_edit(&rod, "'skin':0", "'skin':0,'weights':[1,0.25]");
        }
        tlw_asset* asset = load_sound(&rod);
        const tlw_asset_primitive* p = primitive_of(asset);
        CHECK_EQ(p->morph_count, way < 2 ? 0u : 2u);
        CHECK_EQ(asset->note_count, way < 2 ? 1u : 0u);
        if (way < 2) {
            CHECK_STRING(asset->notes[0],
                         "meshes[0].primitives[0].targets: 2 morph targets are left "
                         "out, because none has weight at rest");
        } else {
            CHECK_EQ(p->morphs[1].positions[3], 2.0f);
            CHECK(p->morphs[1].normals == NULL);
        }
        CHECK_EQ(asset->nodes[0].morph_weight_count, way == 3 ? 2u : 0u);
        CHECK_EQ(asset->meshes[0].morph_weight_count, way == 1 || way == 2 ? 2u : 0u);
        tlw_asset_free(asset);
    }
}

TLW_TEST(joints_without_weight_may_be_any_number) {
    tlw_rod rod = tlw_rod_make();
    rod.bin[TLW_ROD_JOINTS + 3] = 77;
    tlw_asset* asset = load_sound(&rod);
    CHECK_EQ(primitive_of(asset)->joints[3], 0u);
    tlw_asset_free(asset);
}

TLW_TEST(unknown_chunks_after_the_first_two_are_skipped) {
    tlw_rod rod = tlw_rod_make();
    size_t size;
    uint8_t* glb = tlw_make_glb(rod.json, rod.bin, TLW_ROD_BYTES, &size);
    uint8_t* longer = calloc(size + 12, 1);
    memcpy(longer, glb, size);
    longer[size] = 4;
    memcpy(longer + size + 4, "XYZW", 4);
    longer[8] = (uint8_t)(size + 12);
    longer[9] = (uint8_t)((size + 12) >> 8);
    tlw_asset* asset;
    tlw_asset_error error;
    CHECK_EQ(tlw_asset_load_memory(longer, size + 12, NULL, NULL, &asset, &error), TLW_ASSET_OK);
    tlw_asset_free(asset);
    free(longer);
    free(glb);
    tlw_rod_free(&rod);
}

TLW_TEST(a_shared_accessor_is_read_once) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'primitives':[",
                 "'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},"
                 "'indices':3},");
    tlw_asset* asset = load_sound(&rod);
    CHECK_EQ(asset->meshes[0].primitive_count, 2u);
    CHECK_EQ((const void*)asset->meshes[0].primitives[0].positions,
             (const void*)asset->meshes[0].primitives[1].positions);
    tlw_asset_free(asset);
}

TLW_TEST(nodes_outside_the_chosen_scene_are_marked) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'scenes':[{'nodes':[0,1]}]", "'scenes':[{'nodes':[1]},{'nodes':[0]}]");
    tlw_asset* asset = load_sound(&rod);
    CHECK(!asset->nodes[0].is_in_scene);
    CHECK(asset->nodes[1].is_in_scene);
    CHECK(asset->nodes[2].is_in_scene);
    tlw_asset_free(asset);
}

TLW_TEST(a_matrix_is_kept_exactly_and_decomposed) {
    tlw_rod rod = tlw_rod_make();
    // 90 degrees about x, twice as long in y, mirrored.
    tlw_rod_edit(&rod, "'name':'hip','children':[2],'translation':[0,1,0]",
                 "'name':'hip','children':[2],'matrix':[-1,0,0,0, 0,0,2,0, 0,-1,0,0, 4,5,6,1]");
    tlw_asset* asset = load_sound(&rod);
    const tlw_asset_node* node = &asset->nodes[1];
    CHECK(node->has_matrix);
    CHECK_EQ(node->matrix[0], -1.0);
    CHECK_EQ(node->matrix[6], 2.0);
    CHECK_NEAR(node->rest.scale[0], -1.0, 1e-12);
    CHECK_NEAR(node->rest.scale[1], 2.0, 1e-12);
    CHECK_NEAR(node->rest.rotation[0], 0.70710678118654752, 1e-12);
    CHECK_NEAR(node->rest.rotation[3], 0.70710678118654752, 1e-12);
    CHECK_EQ(node->rest.translation[2], 6.0);
    tlw_asset_free(asset);
}

TLW_TEST(a_chain_of_many_nodes_loads) {
    enum { COUNT = 20000 };
    char* text = calloc(COUNT, 40);
    size_t used = (size_t)sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 0; i < COUNT; ++i) {
        used +=
            (size_t)sprintf(text + used, i + 1 < COUNT ? "{\"children\":[%d]}," : "{}]}", i + 1);
    }
    tlw_asset* asset;
    tlw_asset_error error;
    CHECK_EQ(tlw_asset_load_memory(text, used, NULL, NULL, &asset, &error), TLW_ASSET_OK);
    CHECK_EQ(asset->nodes[COUNT - 1].parent, (uint32_t)COUNT - 2);
    tlw_asset_free(asset);
    free(text);
}
