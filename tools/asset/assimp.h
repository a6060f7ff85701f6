// SPDX-License-Identifier: MIT
// Private to tools/asset: reads FBX, Collada and BVH through Assimp, where the build found it.
#ifndef TLW_TOOLS_ASSET_ASSIMP_H
#define TLW_TOOLS_ASSET_ASSIMP_H

#include "tools/asset/gltf.h"

// True for names that end in .fbx, .dae or .bvh, in any case. glTF is never read this way, because
// Assimp silently drops interpolation modes and second skins.
bool tlw_assimp_takes(const char* path);
// Fills g->asset or g->error. Assimp runs in a process of its own (import.h), because its memory is
// not counted against the limit and its time not at all.
bool tlw_assimp_load(tlw_gltf* g, const char* path);

#endif
