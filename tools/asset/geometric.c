// SPDX-License-Identifier: MIT
// An FBX mesh may stand off the pivot of its node by a geometric transform, as characters from 3ds
// Max do. Assimp (5.2 and 5.4) has it in the node of the mesh, but not in the offset matrices of
// bones, so that a skinned mesh stood half a body below its joints. It tells the transform only if
// the file is read with all pivots as nodes of their own. That is done here, a second time and
// without post-processing, and only if a mesh is seen not to stand where its bones say.
#include "tools/asset/geometric.h"

#if TLW_HAVE_ASSIMP

#    include "tools/asset/matrix.h"

#    include <assimp/cimport.h>
#    include <assimp/config.h>
#    include <assimp/postprocess.h>
#    include <assimp/scene.h>
#    include <math.h>
#    include <stb/stb_ds.h>
#    include <string.h>

#    define PIVOT     "_$AssimpFbx$_"
#    define GEOMETRIC PIVOT "Geometric"
#    define INVERSE   "Inverse"
#    define TOLERANCE 1e-3

void tlw_assimp_columns(const struct aiMatrix4x4* from, double to[16]) {
    const ai_real rows[16] = {from->a1, from->a2, from->a3, from->a4, from->b1, from->b2,
                              from->b3, from->b4, from->c1, from->c2, from->c3, from->c4,
                              from->d1, from->d2, from->d3, from->d4};
    for (int i = 0; i < 16; ++i) {
        to[i % 4 * 4 + i / 4] = (double)rows[i];
    }
    to[3] = to[7] = to[11] = 0;
    to[15] = 1;
}

static void global_of(const struct aiNode* node, double global[16]) {
    tlw_matrix_identity(global);
    for (; node; node = node->mParent) {
        double local[16];
        tlw_assimp_columns(&node->mTransformation, local);
        tlw_matrix_multiply(global, local, global);
    }
}

// All nodes of a scene, breadth first, because recursion over a long chain could overflow the
// stack. The caller frees it.
static const struct aiNode** list_nodes(const struct aiScene* scene) {
    const struct aiNode** list = NULL;
    arrput(list, scene->mRootNode);
    for (size_t i = 0; i < arrlenu(list); ++i) {
        for (unsigned k = 0; k < list[i]->mNumChildren; ++k) {
            const struct aiNode* child = list[i]->mChildren[k];
            arrput(list, child);
        }
    }
    return list;
}

typedef struct tlw_named_node {
    char* key;
    const struct aiNode* value;
} tlw_named_node;

// Maps each name to the first node that has it. The scene owns the names.
static tlw_named_node* name_nodes(const struct aiNode** list) {
    tlw_named_node* named = NULL;
    for (size_t i = 0; i < arrlenu(list); ++i) {
        if (shgeti(named, list[i]->mName.data) < 0) {
            shput(named, (char*)list[i]->mName.data, list[i]);
        }
    }
    return named;
}

// Whether the first bone of the mesh, at rest, brings it to another place than its node does.
static bool stands_off(const struct aiMesh* mesh, const struct aiNode* node,
                       tlw_named_node* named) {
    double bone[16], offset[16], global[16], size = 0, apart = 0;
    const ptrdiff_t at = shgeti(named, mesh->mBones[0]->mName.data);
    if (at < 0) {
        return false;
    }
    global_of(named[at].value, bone);
    tlw_assimp_columns(&mesh->mBones[0]->mOffsetMatrix, offset);
    tlw_matrix_multiply(bone, bone, offset);
    global_of(node, global);
    for (int i = 0; i < 16; ++i) {
        size = fmax(size, fabs(global[i]));
        apart = fmax(apart, fabs(global[i] - bone[i]));
    }
    return apart > TOLERANCE * size;
}

// The product of the geometric nodes above the node, and whether it has any. They are named after
// it: "body_$AssimpFbx$_GeometricScaling".
static bool find_geometric(const struct aiNode* node, double geometric[16]) {
    const size_t length = strlen(node->mName.data);
    bool has_any = false;
    tlw_matrix_identity(geometric);
    for (const struct aiNode* up = node->mParent; up; up = up->mParent) {
        const char* name = up->mName.data;
        if (strncmp(name, node->mName.data, length) != 0 ||
            strncmp(name + length, PIVOT, strlen(PIVOT)) != 0) {
            break;
        }
        if (strncmp(name + length, GEOMETRIC, strlen(GEOMETRIC)) == 0 &&
            !strstr(name + length, INVERSE)) {
            double local[16];
            tlw_assimp_columns(&up->mTransformation, local);
            tlw_matrix_multiply(geometric, local, geometric);
            has_any = true;
        }
    }
    return has_any && tlw_matrix_is_finite(geometric);
}

static bool read_again(tlw_gltf* g, const char* path, const struct aiNode** node_of, unsigned count,
                       double** out) {
    const struct aiScene* pivots =
        aiImportFile(path, aiProcess_GlobalScale); // preserved pivots are the default
    if (!pivots || !pivots->mRootNode) {
        aiReleaseImport(pivots);
        return true; // it was read before, so this is lack of memory
    }
    const struct aiNode** list = list_nodes(pivots);
    tlw_named_node* named = name_nodes(list);
    double* matrices =
        tlw_gltf_allocate(g, NULL, TLW_SCRATCH, (uint64_t)count * 16, sizeof(double));
    for (unsigned i = 0; matrices && i < count; ++i) {
        double* matrix = matrices + (size_t)i * 16;
        const ptrdiff_t at = node_of[i] ? shgeti(named, node_of[i]->mName.data) : -1;
        if (at >= 0 && find_geometric(named[at].value, matrix)) {
            *out = matrices;
        } else {
            tlw_matrix_identity(matrix);
        }
    }
    shfree(named);
    arrfree(list);
    aiReleaseImport(pivots);
    return matrices != NULL;
}

bool tlw_geometric_read(tlw_gltf* g, const char* path, const struct aiScene* scene, double** out) {
    const unsigned count = scene->mNumMeshes;
    const struct aiNode** node_of =
        tlw_gltf_allocate(g, NULL, TLW_SCRATCH, count, sizeof *node_of); // null: fits already
    *out = NULL;
    if (!node_of) {
        return false;
    }
    const struct aiNode** list = list_nodes(scene);
    tlw_named_node* named = name_nodes(list);
    bool is_off = false;
    for (size_t i = 0; i < arrlenu(list); ++i) {
        for (unsigned k = 0; k < list[i]->mNumMeshes; ++k) {
            const unsigned mesh = list[i]->mMeshes[k];
            if (mesh < count && scene->mMeshes[mesh]->mNumBones > 0 && !node_of[mesh] &&
                stands_off(scene->mMeshes[mesh], list[i], named)) {
                node_of[mesh] = list[i];
                is_off = true;
            }
        }
    }
    shfree(named);
    arrfree(list);
    return !is_off || read_again(g, path, node_of, count, out);
}

#endif
