// SPDX-License-Identifier: MIT
// Private to tools/asset: a loaded asset as one block of bytes, for handing it to another process
// of the same program on the same machine. No format for files.
#ifndef TLW_TOOLS_ASSET_WIRE_H
#define TLW_TOOLS_ASSET_WIRE_H

#include "tools/asset/gltf.h"

uint64_t tlw_wire_bytes(const tlw_asset* asset);
// `bytes` has room for tlw_wire_bytes and is aligned as malloc aligns.
void tlw_wire_write(const tlw_asset* asset, uint8_t* bytes);
// Fills g->asset with what tlw_wire_write wrote, in place: `bytes` lives as long as the asset.
// False if the lengths do not fit each other; numbers are not checked again.
bool tlw_wire_read(tlw_gltf* g, uint8_t* bytes, uint64_t size);

#endif
