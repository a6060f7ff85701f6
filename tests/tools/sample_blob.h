// SPDX-License-Identifier: MIT
// A sample character, cooked in memory.
#ifndef TLW_TESTS_TOOLS_SAMPLE_BLOB_H
#define TLW_TESTS_TOOLS_SAMPLE_BLOB_H

#include "tools/cook/cook.h"

// Null if it went well, otherwise what is wrong (kept until the next call). The output is to be
// freed in either case.
const char* sample_blob_cook(const char* variant, const tlw_cook_recipe* recipe,
                             tlw_cook_output* output);

#endif
