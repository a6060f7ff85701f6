// SPDX-License-Identifier: MIT
// Private to tools/asset: the geometric transforms of an FBX file, which Assimp loses in bones.
#ifndef TLW_TOOLS_ASSET_GEOMETRIC_H
#define TLW_TOOLS_ASSET_GEOMETRIC_H

#include "tools/asset/gltf.h"

struct aiScene;

// One matrix per mesh of the scene, column-major, in scratch memory; *out is null if all are the
// identity. What is multiplied with a bone's offset matrix, on its right. False: the memory limit.
bool tlw_geometric_read(tlw_gltf* g, const char* path, const struct aiScene* scene, double** out);

#endif
