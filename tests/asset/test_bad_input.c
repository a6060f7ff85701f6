// SPDX-License-Identifier: MIT
// Files that must be refused, each with the place and the value in the message, and files that are
// damaged at random: each gives an error or a sound asset.
#include "tests/asset/rod.h"
#include "tests/asset/sound.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refused(const char* file, int line, tlw_rod* rod, const char* part) {
    tlw_asset* asset;
    tlw_asset_error error;
    tlw_asset_code code = tlw_rod_load(rod, &asset, &error);
    tlw_check_string(file, line, "code", tlw_asset_code_name(code), "TLW_ASSET_BAD");
    tlw_check_contains(file, line, error.message, part);
    tlw_check_pointer(file, line, "asset", asset, NULL);
    tlw_rod_free(rod);
}

static void edit_refused(const char* file, int line, const char* from, const char* to,
                         const char* part) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, from, to);
    refused(file, line, &rod, part);
}

#define CHECK_REFUSED(rod, part)           refused(__FILE__, __LINE__, rod, part)
#define CHECK_EDIT_REFUSED(from, to, part) edit_refused(__FILE__, __LINE__, from, to, part)

static void bytes_refused(const char* file, int line, const void* bytes, size_t size,
                          const char* part) {
    tlw_asset* asset;
    tlw_asset_error error;
    tlw_asset_code code = tlw_asset_load_memory(bytes, size, NULL, NULL, &asset, &error);
    tlw_check_string(file, line, "code", tlw_asset_code_name(code), "TLW_ASSET_BAD");
    tlw_check_contains(file, line, error.message, part);
}

#define CHECK_BYTES_REFUSED(bytes, size, part) bytes_refused(__FILE__, __LINE__, bytes, size, part)
#define CHECK_TEXT_REFUSED(text, part)         CHECK_BYTES_REFUSED(text, strlen(text), part)

// The container
// ------------------------------------------------------------------------------------------------

TLW_TEST(glb_truncated_at_every_length_is_refused) {
    tlw_rod rod = tlw_rod_make();
    size_t size;
    uint8_t* glb = tlw_make_glb(rod.json, rod.bin, TLW_ROD_BYTES, &size);
    for (size_t length = 0; length < size; ++length) {
        // A heap block of exactly that size, so that a sanitizer sees a read beyond it.
        uint8_t* cut = malloc(length + 1);
        memcpy(cut, glb, length);
        cut = realloc(cut, length > 0 ? length : 1);
        CHECK_BYTES_REFUSED(cut, length,
                            length == 0   ? "the file is empty"
                            : length < 4  ? "no glTF: the file starts with byte 0x67"
                            : length < 12 ? "GLB header: the file ends after"
                                          : "GLB header: its length is");
        if (length >= 12) { // once more with a header that states the new length
            for (int i = 0; i < 4; ++i) {
                cut[8 + i] = (uint8_t)(length >> 8 * i);
            }
            CHECK_BYTES_REFUSED(cut, length, "");
        }
        free(cut);
    }
    free(glb);
    tlw_rod_free(&rod);
}

TLW_TEST(text_truncated_at_every_length_is_refused) {
    tlw_rod rod = tlw_rod_make();
    char* text = tlw_rod_as_text(&rod);
    size_t size = strlen(text);
    for (size_t length = 0; length < size; ++length) {
        char* cut = malloc(length > 0 ? length : 1);
        memcpy(cut, text, length);
        CHECK_BYTES_REFUSED(cut, length, length == 0 ? "the file is empty" : "JSON line 1, column");
        free(cut);
    }
    free(text);
    tlw_rod_free(&rod);
}

TLW_TEST(wrong_magic_is_named) {
    CHECK_TEXT_REFUSED("FTlg\2\0\0\0", "no glTF: the file starts with byte 0x46");
    CHECK_TEXT_REFUSED("  \n x", "no glTF: the file starts with byte 0x78");
    CHECK_TEXT_REFUSED("[1]", "no glTF: the file starts with byte 0x5B");
}

static void header_refused(size_t byte, uint8_t value, const char* part) {
    tlw_rod rod = tlw_rod_make();
    size_t size;
    uint8_t* glb = tlw_make_glb(rod.json, rod.bin, TLW_ROD_BYTES, &size);
    glb[byte] = value;
    CHECK_BYTES_REFUSED(glb, size, part);
    free(glb);
    tlw_rod_free(&rod);
}

TLW_TEST(wrong_glb_headers_are_named) {
    header_refused(4, 1, "GLB header: version 1, only 2 is known");
    header_refused(12, 1, "is no multiple of 4");
    header_refused(15, 0x7F, "end beyond the file");
    header_refused(16, 'X', "GLB chunk 0: its type is 0x4E4F5358; JSON must be the first");
}

// JSON
// ------------------------------------------------------------------------------------------------

TLW_TEST(a_depth_bomb_is_refused_before_it_is_parsed) {
    enum { DEPTH = 1000000 };
    char* text = malloc(DEPTH + 5);
    memcpy(text, "{\"a\":", 5);
    memset(text + 5, '[', DEPTH);
    CHECK_BYTES_REFUSED(text, DEPTH + 5, "JSON byte 68: nested deeper than 64");
    free(text);
}

TLW_TEST(a_duplicate_key_is_refused) {
    CHECK_EDIT_REFUSED("'scene':0", "'scene':0,'scene':0", "duplicate object key");
    CHECK_EDIT_REFUSED("'mesh':0", "'mesh':0,'mesh':0", "JSON line 1, column");
}

TLW_TEST(numbers_that_no_float_holds_are_refused) {
    CHECK_EDIT_REFUSED("[0,1,0]", "[0,1e999,0]", "real number overflow");
    CHECK_EDIT_REFUSED("[0,1,0]", "[0,1e200,0]",
                       "nodes[1].translation[1]: 1e+200 is more than a float holds");
    CHECK_EDIT_REFUSED("'count':4", "'count':99999999999999999999", "too big integer");
    CHECK_EDIT_REFUSED("[0,1,0]", "[0,NaN,0]", "JSON line 1");
}

TLW_TEST(values_of_the_wrong_type_are_named) {
    CHECK_EDIT_REFUSED("'count':4", "'count':4.5",
                       "accessors[0].count: an integer of 0 or more was expected, not 4.5");
    CHECK_EDIT_REFUSED("'count':4", "'count':-1", "was expected, not -1");
    CHECK_EDIT_REFUSED("'mesh':0", "'mesh':'strip'", "nodes[0].mesh");
    CHECK_EDIT_REFUSED("'name':'hip'", "'name':[]",
                       "nodes[1].name: a string was expected, not an "
                       "array");
    CHECK_EDIT_REFUSED("{'name':'knee','translation':[0,1,0]}", "null",
                       "nodes[2]: an object was expected, not null");
    CHECK_EDIT_REFUSED("[0,1,0]", "[0,1]", "nodes[1].translation: 3 numbers were expected, not 2");
    CHECK_EDIT_REFUSED("'children':[2]", "'children':2", "nodes[1].children: an array");
}

TLW_TEST(json_that_would_not_fit_the_memory_limit_is_refused_before_it_is_parsed) {
    tlw_rod rod = tlw_rod_make();
    char* text = tlw_rod_as_text(&rod);
    tlw_asset_limits limits = tlw_default_asset_limits();
    tlw_asset* asset;
    tlw_asset_error error;
    limits.memory_bytes = 10000;
    CHECK_EQ(tlw_asset_load_memory(text, strlen(text), NULL, &limits, &asset, &error),
             TLW_ASSET_BAD);
    CHECK_CONTAINS(error.message, "beyond the memory limit of 10000");
    free(text);
    tlw_rod_free(&rod);
}

TLW_TEST(limits_that_did_not_come_from_the_default_are_refused) {
    tlw_asset_limits limits = {.memory_bytes = 1000000};
    tlw_asset* asset;
    tlw_asset_error error;
    CHECK_EQ(tlw_asset_load_memory("{}", 2, NULL, &limits, &asset, &error), TLW_ASSET_BAD_OPTION);
}

// Versions and extensions
// ------------------------------------------------------------------------------------------------

TLW_TEST(versions_and_extensions_that_are_not_known_are_named) {
    CHECK_EDIT_REFUSED("'version':'2.0'", "'version':'1.0'",
                       "asset.version: 1.0, only 2.x is known");
    CHECK_EDIT_REFUSED("'version':'2.0'", "'version':'2'", "asset.version: '2' is no version");
    CHECK_EDIT_REFUSED("'version':'2.0'", "'version':'2.1','minVersion':'2.1'",
                       "asset.minVersion: 2.1, and this reader knows 2.0");
    CHECK_EDIT_REFUSED("'asset':{'version':'2.0'}", "'asset':{}",
                       "asset.version: a string is missing");
    CHECK_EDIT_REFUSED("{'asset'", "{'extensionsRequired':['EXT_mesh_gpu_instancing'],'asset'",
                       "extensionsRequired[0]: the extension 'EXT_mesh_gpu_instancing' is not "
                       "known");
}

TLW_TEST(packed_geometry_is_refused_with_the_command_that_unpacks_it) {
    CHECK_EDIT_REFUSED("{'asset'",
                       "{'extensionsRequired':['VRM','KHR_draco_mesh_compression'],'asset'",
                       "extensionsRequired[1]: 'KHR_draco_mesh_compression' packs the geometry; "
                       "this unpacks it: gltf-transform copy IN.glb OUT.glb");
    CHECK_EDIT_REFUSED("{'asset'", "{'extensionsRequired':['EXT_meshopt_compression'],'asset'",
                       "'EXT_meshopt_compression' packs the geometry; this unpacks it: "
                       "gltf-transform copy IN.glb OUT.glb");
    CHECK_EDIT_REFUSED("{'asset'", "{'extensionsRequired':['KHR_meshopt_compression'],'asset'",
                       "this unpacks it: gltfpack -noq -kn -i IN.glb -o OUT.glb");
}

// Accessors
// ------------------------------------------------------------------------------------------------

TLW_TEST(accessors_beyond_2_to_the_32_and_64_are_named) {
    CHECK_EDIT_REFUSED("'count':4", "'count':4294967295",
                       "accessors[0].count: 4294967295 elements of 12 bytes end at byte "
                       "51539607540, beyond bufferView 0 (48 bytes)");
    CHECK_EDIT_REFUSED(
        "'count':4", "'count':4611686018427387904",
        "accessors[0].count: 4611686018427387904 elements of 12 bytes from byte 0 on "
        "end beyond 2^64 and bufferView 0 (48 bytes)");
    // 2^60 times 16 is 0 in 64 bits: only a checked product sees it.
    CHECK_EDIT_REFUSED(
        "'bufferView':2,'componentType':5126,'count':4",
        "'bufferView':2,'componentType':5126,'count':1152921504606846977",
        "accessors[2].count: 1152921504606846977 elements of 16 bytes from byte 0 on "
        "end beyond 2^64");
    CHECK_EDIT_REFUSED("'bufferView':0,'componentType':5126,'count':4",
                       "'bufferView':0,'byteOffset':9223372036854775804,'componentType':5126,"
                       "'count':900000000000000000",
                       "end beyond 2^64");
    CHECK_EDIT_REFUSED("'byteOffset':0,'byteLength':48",
                       "'byteOffset':9223372036854775807,'byteLength':9223372036854775807",
                       "bufferViews[0].byteLength: 9223372036854775807 bytes from byte "
                       "9223372036854775807 on end beyond buffer 0 (360 bytes)");
    CHECK_EDIT_REFUSED("'count':4,'type':'VEC3'", "'count':5,'type':'VEC3'",
                       "5 elements of 12 bytes end at byte 60, beyond bufferView 0 (48 bytes)");
}

TLW_TEST(zeros_that_no_buffer_backs_are_capped) {
    CHECK_EDIT_REFUSED(
        "'bufferView':0,'componentType':5126,'count':4", "'componentType':5126,'count':100000000",
        "accessors[0].count: 100000000 elements without a bufferView take 1200000000 "
        "bytes of zeros, and 16777216 of 16777216 are left");
    CHECK_EDIT_REFUSED("'bufferView':0,'componentType':5126,'count':4",
                       "'componentType':5126,'count':4294967295", "are more than 2^32 - 2");
}

TLW_TEST(zeros_are_capped_over_all_uses_together) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'bufferView':3,'componentType':5123,'count':6",
                 "'componentType':5123,'count':3000000");
    tlw_rod_edit(&rod, "'primitives':[",
                 "'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},"
                 "'indices':3},");
    CHECK_REFUSED(&rod, "meshes[0].primitives[1].indices: accessors[3].count: 3000000 elements");
}

TLW_TEST(broken_accessors_are_named) {
    CHECK_EDIT_REFUSED("'count':4", "'count':0", "accessors[0].count: 0 elements");
    CHECK_EDIT_REFUSED("'componentType':5126", "'componentType':5124",
                       "accessors[0].componentType: 5124 is no component type");
    CHECK_EDIT_REFUSED("'type':'VEC3'", "'type':'VEC5'", "accessors[0].type: 'VEC5'");
    CHECK_EDIT_REFUSED("'bufferView':0", "'bufferView':9",
                       "accessors[0].bufferView: 9 is out of range: the file has 9 of them");
    CHECK_EDIT_REFUSED("'bufferView':4,", "'bufferView':4,'normalized':true,",
                       "accessors[4].normalized: true, and FLOAT cannot be");
    CHECK_EDIT_REFUSED("'byteOffset':140,'byteLength':128", "'byteOffset':138,'byteLength':128",
                       "is not aligned to components of 4 bytes");
    CHECK_EDIT_REFUSED("'byteOffset':0,'byteLength':48",
                       "'byteOffset':0,'byteLength':48,'byteStride':8",
                       "elements of 12 bytes, and bufferView 0 has a stride of 8");
    CHECK_EDIT_REFUSED("'byteOffset':0,'byteLength':48",
                       "'byteOffset':0,'byteLength':48,'byteStride':13",
                       "bufferViews[0].byteStride: 13 is no multiple of 4 from 4 to 252");
    CHECK_EDIT_REFUSED("'byteOffset':128,'byteLength':12",
                       "'byteOffset':128,'byteLength':12,'byteStride':4",
                       "accessors[3].count: 6 elements of 4 bytes end at byte 22");
    CHECK_EDIT_REFUSED("{'byteLength':360}", "{'byteLength':361}",
                       "buffers[0].byteLength: 361 bytes, and the BIN chunk has 360");
    CHECK_EDIT_REFUSED("'JOINTS_0':1", "'JOINTS_0':1,'NORMAL':7", "attributes.NORMAL: 7 is out of");
}

TLW_TEST(vertex_data_that_shares_a_view_needs_a_stride) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'POSITION':0", "'POSITION':0,'NORMAL':7");
    tlw_rod_edit(&rod, "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'}",
                 "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'},"
                 "{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'}");
    CHECK_REFUSED(&rod, "accessors 0 and 7 share bufferView 0, which has no byteStride");
}

static void sparse_refused(const char* sparse, const char* part) {
    tlw_rod rod = tlw_rod_make();
    char text[512];
    snprintf(text, sizeof text, "'count':4,'type':'VEC3','sparse':%s", sparse);
    tlw_rod_edit(&rod, "'count':4,'type':'VEC3'", text);
    CHECK_REFUSED(&rod, part);
}

TLW_TEST(broken_sparse_accessors_are_named) {
    sparse_refused("{'count':5,'indices':{'bufferView':7,'componentType':5121},'values':{"
                   "'bufferView':8}}",
                   "accessors[0].sparse.count: 5 of the accessor's 4 elements");
    sparse_refused("{'count':2,'indices':{'bufferView':7,'componentType':5121},'values':{"
                   "'bufferView':8}}",
                   "accessors[0].sparse.indices: number 1 is 0; they must increase");
    sparse_refused("{'count':2,'indices':{'bufferView':7,'componentType':5125},'values':{"
                   "'bufferView':8}}",
                   "accessors[0].sparse.count: 2 elements of 4 bytes end at byte 8, beyond "
                   "bufferView 7 (4 bytes)");
    sparse_refused("{'count':1,'indices':{'bufferView':7,'componentType':5126},'values':{"
                   "'bufferView':8}}",
                   "accessors[0].sparse.indices.componentType: FLOAT; indices are unsigned");
    sparse_refused("{'count':1,'indices':{'bufferView':7,'componentType':5121}}",
                   "accessors[0].sparse.values: an object is missing");
    sparse_refused("{'count':4,'indices':{'bufferView':7,'componentType':5121},'values':{"
                   "'bufferView':8,'byteOffset':4}}",
                   "4 elements of 12 bytes end at byte 52, beyond bufferView 8 (48 bytes)");
}

// Meshes
// ------------------------------------------------------------------------------------------------

TLW_TEST(an_index_out_of_range_is_named) {
    tlw_rod rod = tlw_rod_make();
    rod.bin[TLW_ROD_INDICES + 10] = 4;
    CHECK_REFUSED(&rod, "meshes[0].primitives[0].indices: index 5 is 4, and there are 4 vertices");
    rod = tlw_rod_make();
    rod.bin[TLW_ROD_INDICES + 2] = rod.bin[TLW_ROD_INDICES + 3] = 0xFF;
    CHECK_REFUSED(&rod, "index 1 is 65535, the primitive restart value");
}

TLW_TEST(a_joint_out_of_range_is_named) {
    tlw_rod rod = tlw_rod_make();
    rod.bin[TLW_ROD_JOINTS + 8] = 2;
    CHECK_REFUSED(&rod, "meshes[0].primitives[0].attributes.JOINTS_0: vertex 2 refers to joint 2, "
                        "and skins[0] of node 0 has 2");
    // In the second primitive, whose joints are the spare bytes.
    rod = tlw_rod_make();
    rod.bin[TLW_ROD_SPARE + 4 + 12] = 5;
    tlw_rod_edit(&rod, "'indices':3}]",
                 "'indices':3},{'attributes':{'POSITION':0,'JOINTS_0':7,'WEIGHTS_0':2},"
                 "'indices':3}]");
    tlw_rod_edit(&rod, "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'}",
                 "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'},"
                 "{'bufferView':8,'componentType':5121,'count':4,'type':'VEC4'}");
    CHECK_REFUSED(&rod, "meshes[0].primitives[1].attributes.JOINTS_0: vertex 3 refers to joint 5, "
                        "and skins[0] of node 0 has 2");
    // Behind points, which are left out.
    rod = tlw_rod_make();
    rod.bin[TLW_ROD_JOINTS + 8] = 2;
    tlw_rod_edit(&rod, "'primitives':[{", "'primitives':[{'attributes':{'POSITION':0},'mode':0},{");
    CHECK_REFUSED(&rod, "meshes[0].primitives[1].attributes.JOINTS_0: vertex 2 refers to joint 2");
    rod = tlw_rod_make();
    tlw_rod_edit(&rod, ",'JOINTS_0':1,'WEIGHTS_0':2", "");
    tlw_rod_edit(&rod, "'primitives':[{", "'primitives':[{'attributes':{'POSITION':0},'mode':0},{");
    CHECK_REFUSED(&rod, "meshes[0].primitives[1].attributes.JOINTS_0: missing, and node 0 shows");
    CHECK_EDIT_REFUSED("'joints':[1,2]", "'joints':[1,3]",
                       "skins[0].joints[1]: 3 is out of range: the file has 3 of them");
    CHECK_EDIT_REFUSED("'joints':[1,2]", "'joints':[1,1]",
                       "skins[0].joints[1]: node 1 is a joint of this skin already");
}

TLW_TEST(positions_and_weights_that_are_not_finite_are_named) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_POSITIONS + 20, NAN);
    CHECK_REFUSED(&rod, "meshes[0].primitives[0].attributes.POSITION: accessors[0]: element 1, "
                        "component 2 is NaN");
    rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_POSITIONS, -INFINITY);
    CHECK_REFUSED(&rod, "element 0, component 0 is -infinite");
    rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_WEIGHTS, INFINITY);
    CHECK_REFUSED(&rod, "attributes.WEIGHTS_0: accessors[2]: element 0, component 0 is infinite");
    rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_WEIGHTS + 16, -0.5f);
    CHECK_REFUSED(&rod, "attributes.WEIGHTS_0: vertex 1 has the negative weight -0.5");
    rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_BINDS + 64, NAN);
    CHECK_REFUSED(&rod,
                  "skins[0].inverseBindMatrices: accessors[4]: element 1, component 0 is NaN");
}

TLW_TEST(an_empty_mesh_is_named) {
    CHECK_EDIT_REFUSED("'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},"
                       "'indices':3}]",
                       "'primitives':[]",
                       "meshes[0].primitives: it has 0 elements, and needs at least 1");
    CHECK_EDIT_REFUSED("'POSITION':0,", "",
                       "meshes[0].primitives[0].attributes.POSITION: missing: the mesh has no "
                       "vertices");
    CHECK_EDIT_REFUSED("'count':6", "'count':2",
                       "meshes[0].primitives[0].indices: 2 corners make no triangles of mode 4");
    CHECK_EDIT_REFUSED("'count':6", "'count':5", "5 corners make no triangles of mode 4");
}

TLW_TEST(broken_primitives_are_named) {
    CHECK_EDIT_REFUSED("'indices':3", "'indices':3,'mode':7",
                       "meshes[0].primitives[0].mode: 7 is no primitive mode");
    CHECK_EDIT_REFUSED("'indices':3", "'indices':5",
                       "accessor 5 is SCALAR of FLOAT; indices are unsigned scalars");
    CHECK_EDIT_REFUSED("'POSITION':0", "'POSITION':2",
                       "attributes.POSITION: accessor 2 is VEC4 of FLOAT, which this attribute may "
                       "not be");
    CHECK_EDIT_REFUSED("'bufferView':0,'componentType':5126", "'bufferView':0,'componentType':5120",
                       "VEC3 of BYTE, and KHR_mesh_quantization is not required");
    CHECK_EDIT_REFUSED("'JOINTS_0':1,", "", "attributes.JOINTS_0: missing beside its counterpart");
    CHECK_EDIT_REFUSED("'JOINTS_0':1,'WEIGHTS_0':2", "'JOINTS_1':1,'WEIGHTS_1':2",
                       "attributes.JOINTS_0: missing, and there is a set 1");
    CHECK_EDIT_REFUSED(",'JOINTS_0':1,'WEIGHTS_0':2", "",
                       "attributes.JOINTS_0: missing, and node 0 shows the mesh with skin 0");
    CHECK_EDIT_REFUSED("'bufferView':2,'componentType':5126,'count':4",
                       "'bufferView':2,'componentType':5126,'count':3",
                       "attributes.WEIGHTS_0: accessor 2 has 3 elements, POSITION has 4");
    CHECK_EDIT_REFUSED("'WEIGHTS_0':2", "'WEIGHTS_0':1",
                       "attributes.WEIGHTS_0: accessor 1 is VEC4 of UNSIGNED_BYTE");
}

// Nodes, skins, animations
// ------------------------------------------------------------------------------------------------

TLW_TEST(cyclic_nodes_are_named) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'nodes':[0,1]", "'nodes':[0]");
    tlw_rod_edit(&rod, "{'name':'knee',", "{'name':'knee','children':[1],");
    CHECK_REFUSED(&rod, "nodes[1]: the node is its own ancestor, by way of its parent 2");
    rod = tlw_rod_make();
    tlw_rod_edit(&rod, "{'name':'knee',", "{'name':'knee','children':[2],");
    CHECK_REFUSED(&rod, "nodes[2].children[0]: node 2 is already a child of node 1");
    rod = tlw_rod_make();
    tlw_rod_edit(&rod, "{'name':'body',", "{'name':'body','children':[0],");
    CHECK_REFUSED(&rod, "nodes[0]: the node is its own ancestor, by way of its parent 0");
}

TLW_TEST(a_node_with_two_parents_is_named) {
    CHECK_EDIT_REFUSED("{'name':'body',", "{'name':'body','children':[2],",
                       "nodes[1].children[0]: node 2 is already a child of node 0");
    CHECK_EDIT_REFUSED("'children':[2]", "'children':[2,2]",
                       "nodes[1].children[1]: node 2 is already a child of node 1");
    CHECK_EDIT_REFUSED("'nodes':[0,1]", "'nodes':[0,1,2]",
                       "scenes[0].nodes[2]: node 2 is no root: its parent is node 1");
}

TLW_TEST(broken_transforms_are_named) {
    CHECK_EDIT_REFUSED("'translation':[0,1,0]}]",
                       "'translation':[0,1,0],'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]",
                       "nodes[2].matrix: given beside translation, rotation or scale");
    CHECK_EDIT_REFUSED("'translation':[0,1,0]}]", "'rotation':[0,0,0,0]}]",
                       "nodes[2].rotation: a quaternion of length 0, not 1");
    CHECK_EDIT_REFUSED("'name':'body',",
                       "'name':'body','matrix':[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1],",
                       "nodes[0].matrix: its bottom row is 1 0 0 1, not 0 0 0 1");
    CHECK_EDIT_REFUSED("'mesh':0,'skin':0", "'mesh':1,'skin':0",
                       "nodes[0].mesh: 1 is out of range: the file has 1 of them");
    CHECK_EDIT_REFUSED("'mesh':0,'skin':0", "'skin':0",
                       "nodes[0].skin: skin 0, and the node has no "
                       "mesh");
}

TLW_TEST(a_skin_without_joints_is_named) {
    CHECK_EDIT_REFUSED("'joints':[1,2]", "'joints':[]",
                       "skins[0].joints: it has 0 elements, and needs at least 1");
    CHECK_EDIT_REFUSED("'joints':[1,2],", "", "skins[0].joints: an array is missing");
    CHECK_EDIT_REFUSED("'bufferView':4,'componentType':5126,'count':2",
                       "'bufferView':4,'componentType':5126,'count':1",
                       "skins[0].inverseBindMatrices: accessor 4 has 1 matrices for 2 joints");
}

TLW_TEST(broken_animations_are_named) {
    tlw_rod rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_TIMES + 4, 0);
    CHECK_REFUSED(&rod, "animations[0].samplers[0].input: key 1 at 0 s is not after key 0 at 0 s");
    rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_TIMES, -1);
    CHECK_REFUSED(&rod, "animations[0].samplers[0].input: key 0 is at the negative time -1");
    rod = tlw_rod_make();
    tlw_rod_float(&rod, TLW_ROD_ROTATIONS + 12, 3);
    CHECK_REFUSED(&rod, "samplers[0].output: key 0 is a quaternion of length 3, not 1");
    CHECK_EDIT_REFUSED("'input':5,'output':6", "'input':5,'output':6,'interpolation':'CUBICSPLINE'",
                       "accessor 6 has 2 elements, and 2 keys of CUBICSPLINE need 6");
    CHECK_EDIT_REFUSED("'input':5,'output':6", "'input':5,'output':6,'interpolation':'BEZIER'",
                       "animations[0].samplers[0].interpolation: 'BEZIER' is no interpolation");
    CHECK_EDIT_REFUSED("'path':'rotation'", "'path':'colour'",
                       "animations[0].channels[0].target.path: 'colour' is no path");
    CHECK_EDIT_REFUSED("'path':'rotation'", "'path':'scale'",
                       "accessor 6 is VEC4 of FLOAT, which a scale may not be");
    CHECK_EDIT_REFUSED("'sampler':0", "'sampler':1", "animations[0].channels[0].sampler: 1 is out");
    CHECK_EDIT_REFUSED("'channels':[",
                       "'channels':[{'sampler':0,'target':{'node':2,'path':"
                       "'rotation'}},",
                       "animations[0].channels[1]: the rotation of node 2 has a channel already");
    CHECK_EDIT_REFUSED(
        "'name':'knee','translation':[0,1,0]",
        "'name':'knee','matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]",
        "animations[0].channels[0].target.node: node 2 has a matrix, which cannot be "
        "animated");
}

// Anything
// ------------------------------------------------------------------------------------------------

TLW_TEST(every_flipped_byte_gives_an_error_or_a_sound_asset) {
    tlw_rod rod = tlw_rod_make();
    size_t size;
    uint8_t* glb = tlw_make_glb(rod.json, rod.bin, TLW_ROD_BYTES, &size);
    static const uint8_t flips[] = {1, 2, 4, 8, 16, 32, 64, 128, 255};
    size_t loaded = 0;
    for (size_t i = 0; i < size; ++i) {
        for (size_t k = 0; k < TLW_COUNT_OF(flips); ++k) {
            tlw_asset* asset;
            tlw_asset_error error;
            glb[i] ^= flips[k];
            if (tlw_asset_load_memory(glb, size, NULL, NULL, &asset, &error) == TLW_ASSET_OK) {
                const char* why = tlw_asset_unsoundness(asset);
                if (why) {
                    tlw_test_fail(__FILE__, __LINE__, "byte %zu ^ %u: %s", i, flips[k], why);
                }
                tlw_asset_free(asset);
                loaded += 1;
            } else {
                CHECK(asset == NULL && error.message[0] != 0);
            }
            glb[i] ^= flips[k];
        }
    }
    CHECK_LT(100, loaded); // flipped low bits of positions load, so the check above did run
    free(glb);
    tlw_rod_free(&rod);
}

TLW_TEST(codes_have_names_and_exit_codes) {
    CHECK_STRING(tlw_asset_code_name(TLW_ASSET_CANNOT_READ), "TLW_ASSET_CANNOT_READ");
    CHECK_EQ(tlw_asset_exit_code(TLW_ASSET_OK), 0);
    CHECK_EQ(tlw_asset_exit_code(TLW_ASSET_CANNOT_READ), 3);
    CHECK_EQ(tlw_asset_exit_code(TLW_ASSET_BAD), 4);
    CHECK_EQ(tlw_asset_exit_code(TLW_ASSET_BAD_OPTION), 5);
}

TLW_TEST(mistakes_of_views_accessors_and_keys_that_few_files_have_are_named) {
    CHECK_EDIT_REFUSED("'byteLength':360", "'byteLength':0",
                       "buffers[0].byteLength: 0 bytes, and it needs at least 1");
    CHECK_EDIT_REFUSED("'byteLength':48}", "'byteLength':48,'target':7}",
                       "bufferViews[0].target: 7 is neither 34962 nor 34963");
    CHECK_EDIT_REFUSED("'bufferView':0,'componentType':5126", "'byteOffset':4,'componentType':5126",
                       "accessors[0].byteOffset: given without a bufferView");
    CHECK_EDIT_REFUSED("'bufferView':1,'componentType':5121",
                       "'bufferView':8,'byteOffset':1,'componentType':5121",
                       "accessor 1 starts at byte 1 with a stride of 4; vertex data lies at "
                       "multiples of 4");
    tlw_rod rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'byteOffset':308,'byteLength':4",
                 "'byteOffset':308,'byteLength':4,'target':34962");
    tlw_rod_edit(&rod, "'count':4,'type':'VEC3'",
                 "'count':4,'type':'VEC3','sparse':{'count':1,'indices':{'bufferView':7,"
                 "'componentType':5121},'values':{'bufferView':8}}");
    CHECK_REFUSED(&rod, "sparse.indices.bufferView: bufferView 7 has a target or byteStride");
    rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'byteLength':12", "'byteLength':12,'byteStride':4");
    tlw_rod_edit(&rod, "'count':6,'type':'SCALAR'", "'count':3,'type':'SCALAR'");
    CHECK_REFUSED(&rod, "bufferView 3 of the indices has a byteStride");
    rod = tlw_rod_make();
    tlw_rod_edit(&rod, "'bufferView':5,'componentType':5126,'count':2",
                 "'bufferView':5,'componentType':5126,'count':1");
    tlw_rod_edit(&rod, "'bufferView':6,'componentType':5126,'count':2",
                 "'bufferView':8,'componentType':5126,'count':3");
    tlw_rod_edit(&rod, "'input':5,", "'input':5,'interpolation':'CUBICSPLINE',");
    CHECK_REFUSED(&rod, "CUBICSPLINE needs 2 keys, and there is 1");
    size_t size;
    uint8_t* glb = tlw_make_glb("[]", NULL, 0, &size);
    CHECK_BYTES_REFUSED(glb, size, "JSON: an object was expected, not an array");
    free(glb);
}

TLW_TEST(glb_with_bytes_behind_the_second_chunk_is_refused) {
    tlw_rod rod = tlw_rod_make();
    size_t size;
    uint8_t* glb = tlw_make_glb(rod.json, rod.bin, TLW_ROD_BYTES, &size);
    uint8_t* longer = calloc(size + 8, 1);
    CHECK(longer != NULL);
    memcpy(longer, glb, size);
    memcpy(longer + size + 4, "BIN", 3);
    const uint32_t total = (uint32_t)size + 8;
    memcpy(longer + 8, &total, sizeof total);
    CHECK_BYTES_REFUSED(longer, size + 8, "GLB chunk 2: BIN must be the second");
    free(longer);
    free(glb);
    tlw_rod_free(&rod);
}
