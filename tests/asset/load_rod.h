// SPDX-License-Identifier: MIT
// Loads a rod for a test.
#ifndef TLW_TESTS_ASSET_LOAD_ROD_H
#define TLW_TESTS_ASSET_LOAD_ROD_H

#include "tests/asset/rod.h"
#include "tests/test.h"

// Fails the running test if it does not load. Frees the rod; the caller frees the asset.
TLW_INLINE tlw_asset* load(tlw_rod* rod) {
    tlw_asset* asset;
    tlw_asset_error error;
    if (tlw_rod_load(rod, &asset, &error) != TLW_ASSET_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    tlw_rod_free(rod);
    return asset;
}

#endif
