// SPDX-License-Identifier: MIT
// FBX, Collada and BVH through Assimp, where the build found it. Private to tools/asset.
#ifndef TLW_TOOLS_ASSET_ASSIMP_H
#define TLW_TOOLS_ASSET_ASSIMP_H

#include "tools/asset/gltf.h"

// By the end of the name: .fbx, .dae or .bvh in any case. glTF never goes this way: Assimp drops
// interpolation modes and second skins without a word.
bool tlw_assimp_takes(const char* path);
// Fills g->asset, or g->error. Assimp's own memory is not counted: for files that are trusted.
bool tlw_assimp_read(tlw_gltf* g, const char* path);

#endif
