// SPDX-License-Identifier: MIT
// Fuzzes the GLB container and everything in it. The length in the header is corrected first, so
// that mutations that insert and delete bytes get past it.
#include "tests/fuzz/asset_target.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    uint8_t* glb = malloc(size > 0 ? size : 1);
    if (!glb) {
        return 0;
    }
    memcpy(glb, data, size);
    // If the last byte is odd the length stays as it is, so that its check is fuzzed too.
    if (size >= 12 && data[size - 1] % 2 == 0) {
        for (int i = 0; i < 4; ++i) {
            glb[8 + i] = (uint8_t)(size >> 8 * i);
        }
    }
    tlw_fuzz_load(glb, size);
    free(glb);
    return 0;
}
