// SPDX-License-Identifier: MIT
// What must hold of every asset that the reader lets through, whatever the file was.
#ifndef TLW_TESTS_ASSET_SOUND_H
#define TLW_TESTS_ASSET_SOUND_H

#include "tools/asset/asset.h"

// Follows every index and reads every number, poses it by every clip and converts it to cook input.
// Null, or what is wrong.
const char* tlw_asset_unsoundness(const tlw_asset* asset);

#endif
