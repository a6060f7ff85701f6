// SPDX-License-Identifier: MIT
// Private to tools/asset: joins the equal vertices of a primitive.
#ifndef TLW_TOOLS_ASSET_JOIN_H
#define TLW_TOOLS_ASSET_JOIN_H

#include "tools/asset/gltf.h"

// As many attributes of a primitive are compared. Assimp has no more colours.
#define TLW_JOIN_ATTRIBUTES_MAX 8

// Vertices keep the order of the first of each. The arrays of the primitive are written, so they
// must not be shared with another one. False, with an error, if the memory limit does not allow it.
bool tlw_join_vertices(tlw_gltf* g, tlw_asset_primitive* p);

#endif
