// SPDX-License-Identifier: MIT
// A cooked sample, tallow-inspect's view of it, and its JSON, parsed by jansson.
#ifndef TLW_TESTS_TOOLS_INSPECT_FIXTURE_H
#define TLW_TESTS_TOOLS_INSPECT_FIXTURE_H

#include "tests/test.h"

#include "tests/tools/sample_blob.h"
#include "tools/inspect/inspect.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char* bytes;
    size_t size, capacity;
} text;

TLW_INLINE bool append(const void* bytes, size_t size, void* user) {
    text* t = user;
    if (t->size + size > t->capacity) {
        t->capacity = (t->size + size) * 2;
        t->bytes = realloc(t->bytes, t->capacity);
        CHECK(t->bytes != NULL);
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    return true;
}

typedef struct fixture {
    tlw_cook_output output;
    tlw_inspect in;
    json_t* root;
    uint8_t* is_linked; // [voxel * voxel_count + voxel], as the windows say
} fixture;

TLW_INLINE void read_json(fixture* b) {
    text t = {0};
    CHECK(tlw_inspect_json(&b->in, append, &t));
    json_error_t error;
    b->root = json_loadb(t.bytes, t.size, JSON_REJECT_DUPLICATES, &error);
    free(t.bytes);
    CHECK_STRING(b->root ? "" : error.text, "");
}

TLW_INLINE void close_fixture(fixture* b) {
    json_decref(b->root);
    free(b->is_linked);
    tlw_inspect_close(&b->in);
    tlw_cook_output_free(&b->output);
}

TLW_INLINE json_t* list_of(const fixture* b, const char* key, size_t count) {
    json_t* list = json_object_get(b->root, key);
    if (!json_is_array(list)) {
        tlw_test_fail(__FILE__, __LINE__, "no list '%s'", key);
    }
    CHECK_EQ(json_array_size(list), count);
    return list;
}

TLW_INLINE json_int_t integer(const json_t* list, size_t i) {
    CHECK(json_is_integer(json_array_get(list, i)));
    return json_integer_value(json_array_get(list, i));
}

TLW_INLINE double real(const json_t* list, size_t i) {
    CHECK(json_is_number(json_array_get(list, i)));
    return json_number_value(json_array_get(list, i));
}

#endif
