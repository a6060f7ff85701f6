// SPDX-License-Identifier: MIT
// Fuzzes the GLB container and everything behind it. The header's length is put right, so that
// mutations that insert and delete get past it.
#include "tests/fuzz/asset_target.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    uint8_t* glb = malloc(size > 0 ? size : 1);
    if (!glb) {
        return 0;
    }
    memcpy(glb, data, size);
    // An odd last byte keeps the file's own length: that path is fuzzed too.
    if (size >= 12 && data[size - 1] % 2 == 0) {
        for (int i = 0; i < 4; ++i) {
            glb[8 + i] = (uint8_t)(size >> 8 * i);
        }
    }
    tlw_fuzz_load(glb, size);
    free(glb);
    return 0;
}
