// SPDX-License-Identifier: MIT
// Shared by both glTF fuzzers: loads an input under a small memory limit. An asset that is accepted
// must be sound in every number, also when its clips pose it and when it is converted to cook
// input.
#ifndef TLW_TESTS_FUZZ_ASSET_TARGET_H
#define TLW_TESTS_FUZZ_ASSET_TARGET_H

#include "tests/asset/sound.h"

#include <stdio.h>
#include <stdlib.h>

static inline void tlw_fuzz_load(const uint8_t* bytes, size_t size) {
    tlw_asset* asset;
    tlw_asset_error error;
    tlw_asset_limits limits = tlw_default_asset_limits();
    limits.memory_bytes = (uint64_t)32 << 20;
    limits.unbacked_bytes = (uint64_t)256 << 10;
    if (tlw_asset_load_memory(bytes, size, NULL, &limits, &asset, &error) != TLW_ASSET_OK) {
        if (asset || error.message[0] == 0) {
            abort();
        }
        return;
    }
    const char* why = tlw_asset_unsoundness(asset);
    if (why || asset->memory_bytes > limits.memory_bytes) {
        fprintf(stderr, "unsound: %s\n", why ? why : "beyond the memory limit");
        abort();
    }
    tlw_asset_free(asset);
}

#endif
