// SPDX-License-Identifier: MIT
#include "tools/bench/results_file.h"

#include "platform/file.h"
#include "tools/bench/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* grow(void* old, size_t old_bytes, size_t new_bytes, void* user) {
    (void)old_bytes;
    (void)user;
    if (new_bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_bytes);
}

json_t* tlw_results_read(const char* path) {
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.grow = grow;
    uint8_t* bytes;
    size_t size;
    tlw_file_error file_error;
    if (tlw_file_read(&def, &bytes, &size, &file_error) != TLW_OK) {
        fprintf(stderr, "tallow-bench: %s\n", file_error.message);
        return NULL;
    }
    json_error_t error;
    json_t* root = json_loadb((const char*)bytes, size, JSON_REJECT_DUPLICATES, &error);
    free(bytes);
    if (root == NULL) {
        fprintf(stderr, "tallow-bench: '%s', line %d: %s\n", path, error.line, error.text);
    } else if (strcmp(tlw_results_string(root, "format"), TLW_RESULTS_FORMAT) != 0 ||
               !json_is_object(json_object_get(root, "sections"))) {
        fprintf(stderr,
                "tallow-bench: '%s' is no results file of this version: \"format\" is not "
                "\"" TLW_RESULTS_FORMAT "\", or there are no \"sections\"\n",
                path);
        json_decref(root);
        root = NULL;
    }
    return root;
}

const char* tlw_results_string(const json_t* object, const char* key) {
    const char* text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

double tlw_results_number(const json_t* object, const char* key) {
    const json_t* value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}
