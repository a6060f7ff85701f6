// SPDX-License-Identifier: MIT
// Reads a results file, and says what is wrong with it.
#include "tools/bench/results_file.h"

#include "platform/file.h"
#include "tools/bench/options.h"
#include "tools/bench/results.h"
#include "tools/command/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t* tlw_results_read(const char* path) {
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.grow = tlw_heap_grow;
    uint8_t* bytes;
    size_t size;
    tlw_file_error file_error;
    if (tlw_file_read(&def, &bytes, &size, &file_error) != TLW_OK) {
        tlw_command_fail(&tlw_bench_command_line, TLW_EXIT_USAGE, "%s", file_error.message);
        return NULL;
    }
    json_error_t error;
    json_t* root = json_loadb((const char*)bytes, size, JSON_REJECT_DUPLICATES, &error);
    free(bytes);
    if (root == NULL) {
        tlw_command_fail(&tlw_bench_command_line, TLW_EXIT_USAGE, "'%s', line %d: %s", path,
                         error.line, error.text);
    } else if (strcmp(tlw_results_string(root, "format"), TLW_RESULTS_FORMAT) != 0 ||
               !json_is_object(json_object_get(root, "sections"))) {
        tlw_command_fail(&tlw_bench_command_line, TLW_EXIT_USAGE,
                         "'%s' is no results file of this version: \"format\" is not "
                         "\"" TLW_RESULTS_FORMAT "\", or there are no \"sections\"",
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
