// SPDX-License-Identifier: MIT
// What must hold of every asset that the reader accepts, whatever the file was.
#ifndef TLW_TESTS_ASSET_SOUND_H
#define TLW_TESTS_ASSET_SOUND_H

#include "tools/asset/asset.h"

// Follows every index, reads every number, poses the asset by every clip and converts it to cook
// input. Returns null if the asset is sound, otherwise what is wrong.
const char* tlw_asset_unsoundness(const tlw_asset* asset);

#endif
