// SPDX-License-Identifier: MIT
// Private to tools/asset: where skins stand in model space (to_cook.h has the formulas).
#ifndef TLW_TOOLS_ASSET_PLACE_H
#define TLW_TOOLS_ASSET_PLACE_H

#include "tools/asset/asset.h"
#include "tools/asset/memory.h"

typedef struct tlw_skin_place {
    bool is_used;  // given; the others are left alone
    uint32_t root; // index in the skin's list: its first joint without an ancestor in the skin
    double to_model[16]; // M; not always finite or invertible
} tlw_skin_place;

typedef struct tlw_placed {
    tlw_skin_place* skins; // one per skin of the asset
    // For each node that is a joint: the skin, plus 1, whose M gives its bind, and the place of the
    // joint in that skin's list. 0 for other nodes.
    uint32_t* bound_by;
    uint32_t* bound_at;
} tlw_placed;

// `globals` are the nodes' transforms at rest. The arrays of *placed are allocated and scratch;
// skins[i].is_used is copied from `is_used`. False: the memory limit.
bool tlw_place_skins(tlw_asset_memory* memory, const tlw_asset* asset, const double* globals,
                     double metres_per_unit, const bool* is_used, tlw_placed* placed);

#endif
