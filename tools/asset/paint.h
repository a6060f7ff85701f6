// SPDX-License-Identifier: MIT
// Private to tools/asset: paint for the cook input, from a vertex attribute of a primitive.
#ifndef TLW_TOOLS_ASSET_PAINT_H
#define TLW_TOOLS_ASSET_PAINT_H

#include "tools/asset/asset.h"

// What reading one primitive came to. The message names the attribute and the vertex.
typedef struct tlw_paint_report {
    tlw_asset_code code;
    bool is_found;          // the primitive has the attribute
    uint32_t clamped_count; // values outside 0 to 1, which became 0 or 1
    char message[256];
} tlw_paint_report;

// `source` is the name of an attribute, with an optional component: "_FAT", "COLOR_0.g" (r, g, b, a
// or x, y, z, w). Without one it is the first. Writes one float per vertex, 0 to 1. False after an
// error; `out` is not written if the primitive does not have the attribute.
bool tlw_paint_read(const tlw_asset_primitive* p, const char* source, float* out,
                    tlw_paint_report* report);

// The names of attributes that could be used, for a message: "COLOR_0, _FAT", or "none".
void tlw_paint_list(const tlw_asset* asset, char* text, size_t bytes);

#endif
