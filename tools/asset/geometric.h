// SPDX-License-Identifier: MIT
// Private to tools/asset: the geometric transforms of an FBX file, which Assimp loses in bones.
#ifndef TLW_TOOLS_ASSET_GEOMETRIC_H
#define TLW_TOOLS_ASSET_GEOMETRIC_H

#include "tools/asset/gltf.h"

struct aiMatrix4x4;
struct aiScene;

// Copies a matrix of Assimp's into columns. Its last row becomes 0 0 0 1.
void tlw_assimp_columns(const struct aiMatrix4x4* from, double to[16]);

// Makes one matrix per mesh of the scene, column-major, in scratch memory. A bone's offset matrix
// times this matrix is the offset matrix that the file means. *out is null if all of them are the
// identity. Returns false when the memory limit is reached.
bool tlw_geometric_read(tlw_gltf* g, const char* path, const struct aiScene* scene, double** out);

#endif
