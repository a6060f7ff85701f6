// SPDX-License-Identifier: MIT
// A GLB reader for tests of the samples, written from the glTF specification and not from our
// writer: a JSON tree, accessors, and only what the tests need.
#ifndef TLW_TESTS_SAMPLE_READ_GLB_H
#define TLW_TESTS_SAMPLE_READ_GLB_H

#include "platform/base.h"

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json {
    json_kind kind;
    double number; // 0 or 1 for a bool
    char key[32];  // in an object
    char text[64];
    uint32_t child_count;
    struct json* child; // the first
    struct json* next;
} json;

typedef struct glb {
    json* root;
    json* nodes; // all of them, for freeing
    const uint8_t* binary;
    size_t binary_size;
} glb;

// Fails the running test if the bytes are not a GLB.
void tlw_read_glb(const uint8_t* bytes, size_t size, glb* out);
void tlw_free_glb(glb* g);

// Null if there is none.
const json* tlw_json_get(const json* object, const char* key);
const json* tlw_json_at(const json* array, uint32_t index);
// These fail the running test if there is none.
const json* tlw_json_need(const json* object, const char* key);
uint32_t tlw_json_index(const json* object, const char* key);

typedef struct accessor {
    uint32_t count, width, component;
    bool is_normalised;
    const uint8_t* bytes;
    size_t stride;
} accessor;

accessor tlw_glb_accessor(const glb* g, uint32_t index);
double tlw_accessor_value(const accessor* a, uint32_t element, uint32_t component);

#endif
