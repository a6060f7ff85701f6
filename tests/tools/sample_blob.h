// SPDX-License-Identifier: MIT
// A sample, cooked in memory.
#ifndef TLW_TESTS_TOOLS_SAMPLE_BLOB_H
#define TLW_TESTS_TOOLS_SAMPLE_BLOB_H

#include "tools/cook/cook.h"

// Null if it went well, otherwise what is wrong; the text is valid until the next call. Free the
// output with tlw_cook_output_free in either case.
const char* sample_blob_cook(const char* variant, const tlw_cook_recipe* recipe,
                             tlw_cook_output* output);

#endif
