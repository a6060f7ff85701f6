// SPDX-License-Identifier: MIT
// The rod, the smallest character, and GLB files made of it; see rod.h.
#include "tests/asset/rod.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char rod_json[] =
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,1]}],"
    "'nodes':[{'name':'body','mesh':0,'skin':0},"
    "{'name':'hip','children':[2],'translation':[0,1,0]},"
    "{'name':'knee','translation':[0,1,0]}],"
    "'meshes':[{'name':'strip','primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,"
    "'WEIGHTS_0':2},'indices':3}]}],"
    "'skins':[{'joints':[1,2],'inverseBindMatrices':4}],"
    "'animations':[{'name':'bend','samplers':[{'input':5,'output':6}],"
    "'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}}]}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'},"
    "{'bufferView':1,'componentType':5121,'count':4,'type':'VEC4'},"
    "{'bufferView':2,'componentType':5126,'count':4,'type':'VEC4'},"
    "{'bufferView':3,'componentType':5123,'count':6,'type':'SCALAR'},"
    "{'bufferView':4,'componentType':5126,'count':2,'type':'MAT4'},"
    "{'bufferView':5,'componentType':5126,'count':2,'type':'SCALAR'},"
    "{'bufferView':6,'componentType':5126,'count':2,'type':'VEC4'}],"
    "'bufferViews':[{'buffer':0,'byteOffset':0,'byteLength':48},"
    "{'buffer':0,'byteOffset':48,'byteLength':16},"
    "{'buffer':0,'byteOffset':64,'byteLength':64},"
    "{'buffer':0,'byteOffset':128,'byteLength':12},"
    "{'buffer':0,'byteOffset':140,'byteLength':128},"
    "{'buffer':0,'byteOffset':268,'byteLength':8},"
    "{'buffer':0,'byteOffset':276,'byteLength':32},"
    "{'buffer':0,'byteOffset':308,'byteLength':4},"
    "{'buffer':0,'byteOffset':312,'byteLength':48}],"
    "'buffers':[{'byteLength':360}]}";

static void quote(char* text) {
    for (; *text; ++text) {
        *text = *text == '\'' ? '"' : *text;
    }
}

static void* allocate(size_t bytes) {
    void* memory = calloc(bytes, 1);
    if (!memory) {
        abort();
    }
    return memory;
}

void tlw_rod_float(tlw_rod* rod, size_t byte, float value) {
    memcpy(rod->bin + byte, &value, sizeof value);
}

static void put_floats(tlw_rod* rod, size_t byte, const float* values, size_t count) {
    memcpy(rod->bin + byte, values, count * sizeof *values);
}

tlw_rod tlw_rod_make(void) {
    static const float positions[] = {-1, 0, 0, 1, 0, 0, 1, 3, 0, -1, 3, 0};
    static const uint8_t joints[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    static const float weights[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.25f, 0.75f, 0, 0};
    static const uint8_t indices[] = {0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 3, 0};
    static const float binds[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1};
    static const float times[] = {0, 1};
    static const float rotations[] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    tlw_rod rod = {.json = allocate(sizeof rod_json)};
    memcpy(rod.json, rod_json, sizeof rod_json);
    quote(rod.json);
    put_floats(&rod, TLW_ROD_POSITIONS, positions, 12);
    memcpy(rod.bin + TLW_ROD_JOINTS, joints, sizeof joints);
    put_floats(&rod, TLW_ROD_WEIGHTS, weights, 16);
    memcpy(rod.bin + TLW_ROD_INDICES, indices, sizeof indices);
    put_floats(&rod, TLW_ROD_BINDS, binds, 32);
    put_floats(&rod, TLW_ROD_TIMES, times, 2);
    put_floats(&rod, TLW_ROD_ROTATIONS, rotations, 8);
    return rod;
}

void tlw_rod_free(tlw_rod* rod) {
    free(rod->json);
    rod->json = NULL;
}

void tlw_rod_edit(tlw_rod* rod, const char* from, const char* to) {
    size_t from_bytes = strlen(from), to_bytes = strlen(to);
    char* wanted = allocate(from_bytes + 1);
    memcpy(wanted, from, from_bytes);
    quote(wanted);
    char* at = strstr(rod->json, wanted);
    free(wanted);
    if (!at) {
        fprintf(stderr, "the rod has no: %s\n", from);
        abort();
    }
    size_t before = (size_t)(at - rod->json);
    char* edited = allocate(strlen(rod->json) + to_bytes + 1);
    memcpy(edited, rod->json, before);
    memcpy(edited + before, to, to_bytes);
    quote(edited + before);
    strcpy(edited + before + to_bytes, at + from_bytes);
    free(rod->json);
    rod->json = edited;
}

static void put_u32(uint8_t* bytes, size_t value) {
    for (int i = 0; i < 4; ++i) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

uint8_t* tlw_make_glb(const char* json, const void* bin, size_t bin_size, size_t* size) {
    size_t text = strlen(json), json_size = (text + 3) & ~(size_t)3;
    size_t padded = (bin_size + 3) & ~(size_t)3;
    *size = 20 + json_size + (bin ? 8 + padded : 0);
    uint8_t* glb = allocate(*size);
    memcpy(glb, "glTF", 4);
    put_u32(glb + 4, 2);
    put_u32(glb + 8, *size);
    put_u32(glb + 12, json_size);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', json_size);
    memcpy(glb + 20, json, text);
    if (bin) {
        put_u32(glb + 20 + json_size, padded);
        memcpy(glb + 24 + json_size, "BIN", 4);
        memcpy(glb + 28 + json_size, bin, bin_size);
    }
    return glb;
}

char* tlw_rod_as_text(const tlw_rod* rod) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char start[] = "'byteLength':360,'uri':'data:application/octet-stream;base64,";
    char uri[sizeof start + TLW_ROD_BYTES / 3 * 4 + 1];
    size_t used = sizeof start - 1;
    memcpy(uri, start, sizeof start);
    for (size_t i = 0; i < TLW_ROD_BYTES; i += 3) {
        uint32_t group = (uint32_t)rod->bin[i] << 16 | (uint32_t)rod->bin[i + 1] << 8 |
                         (uint32_t)rod->bin[i + 2];
        for (int k = 18; k >= 0; k -= 6) {
            uri[used++] = digits[group >> k & 63];
        }
    }
    uri[used++] = '\'';
    uri[used] = 0;
    tlw_rod copy = {.json = allocate(strlen(rod->json) + 1)};
    strcpy(copy.json, rod->json);
    tlw_rod_edit(&copy, "'byteLength':360", uri);
    return copy.json;
}

tlw_asset_code tlw_rod_load(const tlw_rod* rod, tlw_asset** asset, tlw_asset_error* error) {
    size_t size;
    uint8_t* glb = tlw_make_glb(rod->json, rod->bin, TLW_ROD_BYTES, &size);
    tlw_asset_code code = tlw_asset_load_memory(glb, size, NULL, NULL, asset, error);
    free(glb);
    return code;
}
