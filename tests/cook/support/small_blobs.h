// SPDX-License-Identifier: MIT
// A few small cooked blobs that together have everything a blob can have: regions of both widths,
// texture coordinates, bound points, a second part, blended and painted materials, cuts, artist and
// geodesic weights, ring normals, several blocks, bends, profiles, dual skinning, own limbs,
// muscles; all but radial basis functions, which need 256 centres and so would make no small blob.
// For tests, and as seeds of the fuzzer.
#ifndef TLW_TESTS_COOK_SUPPORT_SMALL_BLOBS_H
#define TLW_TESTS_COOK_SUPPORT_SMALL_BLOBS_H

#include "tools/cook/cook.h"

#define SMALL_BLOB_COUNT 9

const char* small_blob_name(uint32_t which);
// Free the output with tlw_cook_output_free. Aborts with the cooking library's message if it fails.
void small_blob_cook(uint32_t which, tlw_cook_output* out);

#endif
