// SPDX-License-Identifier: MIT
// Fuzzes glTF as JSON text. If the text begins with a brace, the rod's bytes follow it as the
// buffer of a GLB, because a fuzzer cannot usefully change base64. Any other text, for example one
// that begins with a space, is loaded as it stands. Only one of the two, because loading takes all
// the time.
#include "tests/asset/rod.h"
#include "tests/fuzz/asset_target.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size > 0 && data[0] == '{') {
        char* text = calloc(size + 1, 1);
        if (!text) {
            return 0;
        }
        memcpy(text, data, size);
        tlw_rod rod = tlw_rod_make();
        size_t glb_size;
        uint8_t* glb = tlw_make_glb(text, rod.bin, TLW_ROD_BYTES, &glb_size);
        tlw_fuzz_load(glb, glb_size);
        free(glb);
        tlw_rod_free(&rod);
        free(text);
    } else {
        tlw_fuzz_load(data, size);
    }
    return 0;
}
