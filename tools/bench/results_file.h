// SPDX-License-Identifier: MIT
// Reads the file that a run wrote with --json.
#ifndef TLW_TOOLS_BENCH_RESULTS_FILE_H
#define TLW_TOOLS_BENCH_RESULTS_FILE_H

#include "platform/base.h"

#include <jansson.h>

// Null: it cannot be read or is no results file, and one line on stderr says so. The caller frees
// it with json_decref.
json_t* tlw_results_read(const char* path);

// A value that is missing, or of another kind, is "" or NaN.
const char* tlw_results_string(const json_t* object, const char* key);
double tlw_results_number(const json_t* object, const char* key);

#endif
