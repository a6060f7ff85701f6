// SPDX-License-Identifier: MIT
// Reads FBX, Collada and BVH through Assimp's C interface: checks its scene again and copies it to
// an asset. Parents come before children; a node that shows several meshes gets a child for each of
// them.
#include "tools/asset/assimp.h"
#include "tools/asset/geometric.h"
#include "tools/asset/import.h"
#include "tools/asset/join.h"
#include "tools/asset/matrix.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FBX_ENDING    ".fbx"
#define MOTION_ENDING ".bvh" // files without geometry

// The ending has four characters.
static bool ends_with(const char* path, const char* ending) {
    size_t length = strlen(path);
    bool is_same = length >= 4;
    for (size_t k = 0; is_same && k < 4; ++k) {
        is_same = tolower((unsigned char)path[length - 4 + k]) == ending[k];
    }
    return is_same;
}

bool tlw_assimp_takes(const char* path) {
    static const char* const endings[] = {FBX_ENDING, ".dae", MOTION_ENDING};
    bool is_taken = false;
    for (size_t i = 0; i < TLW_COUNT_OF(endings); ++i) {
        is_taken |= ends_with(path, endings[i]);
    }
    return is_taken;
}

#if !TLW_HAVE_ASSIMP

const char* tlw_asset_importer(const char* path) {
    return tlw_assimp_takes(path) ? "no Assimp" : NULL;
}

bool tlw_assimp_load(tlw_gltf* g, const char* path) {
    return tlw_gltf_cannot_read(g, NULL,
                                "cannot read '%.300s': this build has no Assimp, and only "
                                "that reads FBX, Collada and BVH",
                                path);
}

#else

#    include <assimp/cimport.h>
#    include <assimp/config.h>
#    include <assimp/postprocess.h>
#    include <assimp/scene.h>
#    include <assimp/version.h>
#    include <stb/stb_ds.h>

#    define INFLUENCES 8
#    define NODES_MAX  (1u << 20)

typedef struct tlw_assimp {
    tlw_gltf* g;
    const struct aiScene* scene;
    // The source of each of our nodes; null for the children that were added for meshes.
    const struct aiNode** sources;
    // Per mesh, what the offset matrices of its bones lack; or null.
    const double* geometric;
    // Node by its name in the scene, the first of that name; without the children that were added
    // for meshes.
    struct {
        char* key;
        uint32_t value;
    } * node_of;
} tlw_assimp;

static bool copy_name(tlw_gltf* g, const struct aiString* from, const char** to) {
    char* copy = tlw_asset_copy_string(g->memory, from->data);
    *to = copy;
    if (copy) {
        tlw_asset_make_utf8(copy);
    }
    return copy || tlw_gltf_no_memory(g, NULL, from->length, 1);
}

static bool copy_matrix(tlw_gltf* g, const char* what, const struct aiMatrix4x4* from,
                        double to[16]) {
    tlw_assimp_columns(from, to);
    return tlw_matrix_is_finite(to) ||
           tlw_gltf_fail(g, NULL, "%.80s: its matrix is not finite", what);
}

// Nodes
// ------------------------------------------------------------------------------------------------

// Counts the nodes of the asset. Uses a queue, because recursion over a long chain could overflow
// the stack.
static bool count_nodes(tlw_assimp* a, uint32_t* count) {
    const struct aiNode** queue = NULL;
    uint64_t total = 0;
    arrput(queue, a->scene->mRootNode);
    for (size_t i = 0; i < arrlenu(queue) && total <= NODES_MAX; ++i) {
        const struct aiNode* node = queue[i];
        total += 1 + (node->mNumMeshes > 1 ? node->mNumMeshes : 0);
        for (unsigned k = 0; k < node->mNumChildren; ++k) {
            arrput(queue, node->mChildren[k]);
        }
    }
    arrfree(queue);
    if (total > NODES_MAX) {
        return tlw_gltf_fail(a->g, NULL, "the scene has more than %u nodes", NODES_MAX);
    }
    *count = (uint32_t)total;
    return true;
}

static uint32_t find_source(tlw_assimp* a, const char* name) {
    const ptrdiff_t at = shgeti(a->node_of, name);
    return at >= 0 ? a->node_of[at].value : TLW_ASSET_NONE;
}

static bool add_node(tlw_assimp* a, uint32_t index, const struct aiNode* source, uint32_t parent,
                     const struct aiString* name) {
    tlw_asset_node* node = &a->g->nodes[index];
    *node = (tlw_asset_node){.parent = parent,
                             .mesh = TLW_ASSET_NONE,
                             .skin = TLW_ASSET_NONE,
                             .is_in_scene = true,
                             .rest = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
    a->sources[index] = source;
    tlw_matrix_identity(node->matrix);
    if (!copy_name(a->g, name, &node->name) ||
        (source && !copy_matrix(a->g, node->name, &source->mTransformation, node->matrix))) {
        return false;
    }
    if (source && shgeti(a->node_of, source->mName.data) < 0) {
        shput(a->node_of, (char*)source->mName.data, index); // the scene keeps the name
    }
    tlw_matrix_to_transform(node->matrix, &node->rest);
    double again[16];
    tlw_matrix_from_transform(again, &node->rest);
    for (int i = 0; i < 16; ++i) {
        node->has_matrix |= fabs(again[i] - node->matrix[i]) > 1e-5 * (1 + fabs(again[i]));
    }
    return true;
}

// Breadth first, so that the children of a node are adjacent.
static bool read_nodes(tlw_assimp* a) {
    tlw_gltf* g = a->g;
    uint32_t count = 0, used = 1;
    if (!count_nodes(a, &count)) {
        return false;
    }
    g->nodes = tlw_gltf_allocate(g, NULL, TLW_KEPT, count, sizeof *g->nodes);
    a->sources = tlw_gltf_allocate(g, NULL, TLW_SCRATCH, count, sizeof *a->sources);
    uint32_t* order = tlw_gltf_allocate(g, NULL, TLW_KEPT, count, sizeof *order);
    if (!g->nodes || !a->sources || !order ||
        !add_node(a, 0, a->scene->mRootNode, TLW_ASSET_NONE, &a->scene->mRootNode->mName)) {
        return false;
    }
    for (uint32_t i = 0; i < used; ++i) {
        const struct aiNode* source = a->sources[i];
        tlw_asset_node* node = &g->nodes[i];
        uint32_t extra = source && source->mNumMeshes > 1 ? source->mNumMeshes : 0;
        order[i] = i;
        node->child_count = source ? source->mNumChildren + extra : 0;
        uint32_t* children =
            tlw_gltf_allocate(g, NULL, TLW_KEPT, node->child_count, sizeof *children);
        if (!children) {
            return false;
        }
        node->children = children;
        for (uint32_t k = 0; k < node->child_count; ++k) {
            bool is_mesh = k >= source->mNumChildren;
            const struct aiNode* child = is_mesh ? NULL : source->mChildren[k];
            const struct aiString* name =
                is_mesh ? &a->scene->mMeshes[source->mMeshes[k - source->mNumChildren]]->mName
                        : &child->mName;
            children[k] = used;
            if (!add_node(a, used, child, i, name)) {
                return false;
            }
            g->nodes[used].mesh = is_mesh ? source->mMeshes[k - source->mNumChildren]
                                  : child->mNumMeshes == 1 ? child->mMeshes[0]
                                                           : TLW_ASSET_NONE;
            used += 1;
        }
    }
    if (a->scene->mRootNode->mNumMeshes == 1) {
        g->nodes[0].mesh = a->scene->mRootNode->mMeshes[0];
    }
    g->asset->nodes = g->nodes;
    g->asset->order = order;
    g->asset->node_count = used;
    return true;
}

// FBX files with z up: newer versions of Assimp rotate the root themselves, older ones only say so
// in the metadata.
static void rotate_z_up(tlw_assimp* a) {
    const struct aiMetadata* data = a->scene->mMetaData;
    int32_t axis = 1, sign = 1;
    for (unsigned i = 0; data && i < data->mNumProperties; ++i) {
        if (data->mValues[i].mType == AI_INT32 && strcmp(data->mKeys[i].data, "UpAxis") == 0) {
            memcpy(&axis, data->mValues[i].mData, sizeof axis);
        }
        if (data->mValues[i].mType == AI_INT32 && strcmp(data->mKeys[i].data, "UpAxisSign") == 0) {
            memcpy(&sign, data->mValues[i].mData, sizeof sign);
        }
    }
    tlw_asset_node* root = &a->g->nodes[0];
    double identity[16];
    tlw_matrix_identity(identity);
    if (axis == 2 && sign > 0 && memcmp(root->matrix, identity, sizeof identity) == 0) {
        root->rest.rotation[0] = -0.70710678118654752;
        root->rest.rotation[3] = 0.70710678118654752;
        tlw_matrix_from_transform(root->matrix, &root->rest);
        tlw_gltf_note(a->g, NULL, "the file has z up; it was rotated");
    }
}

// Meshes: each mesh of Assimp becomes one mesh, with a skin of its own
// ------------------------------------------------------------------------------------------------

static bool copy_vectors(tlw_gltf* g, const char* mesh, const char* what,
                         const struct aiVector3D* from, uint32_t count, uint32_t width,
                         const float** out) {
    float* to = tlw_gltf_allocate(g, NULL, TLW_KEPT, (uint64_t)count * width, sizeof *to);
    if (!to) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        const float vector[3] = {(float)from[i].x, (float)from[i].y, (float)from[i].z};
        for (uint32_t k = 0; k < width; ++k) {
            if (!tlw_is_finite((double)vector[k])) {
                return tlw_gltf_fail(g, NULL, "mesh '%.80s': the %s of vertex %u is not finite",
                                     mesh, what, i);
            }
            to[(size_t)i * width + k] = vector[k];
        }
    }
    *out = to;
    return true;
}

static bool read_faces(tlw_gltf* g, const struct aiMesh* source, tlw_asset_primitive* p) {
    uint32_t* indices =
        tlw_gltf_allocate(g, NULL, TLW_KEPT, (uint64_t)source->mNumFaces * 3, sizeof *indices);
    if (!indices) {
        return false;
    }
    for (uint32_t i = 0; i < source->mNumFaces; ++i) {
        const struct aiFace* face = &source->mFaces[i];
        for (uint32_t k = 0; k < 3; ++k) {
            if (face->mNumIndices != 3 || face->mIndices[k] >= p->vertex_count) {
                return tlw_gltf_fail(g, NULL,
                                     "mesh '%.80s': face %u is no triangle of its %u "
                                     "vertices",
                                     source->mName.data, i, p->vertex_count);
            }
            indices[(size_t)i * 3 + k] = face->mIndices[k];
        }
    }
    p->indices = indices;
    p->triangle_count = source->mNumFaces;
    return true;
}

// Adds a weight to the vertex's eight; if all are used, it replaces the smallest one.
static void add_weight(uint32_t* joints, float* weights, uint32_t joint, float weight) {
    uint32_t least = 0;
    for (uint32_t k = 1; k < INFLUENCES; ++k) {
        least = weights[k] < weights[least] ? k : least;
    }
    if (weight > weights[least]) {
        weights[least] = weight;
        joints[least] = joint;
    }
}

static bool read_bones(tlw_assimp* a, uint32_t index, tlw_asset_primitive* p,
                       tlw_asset_skin* skin) {
    const struct aiMesh* source = a->scene->mMeshes[index];
    tlw_gltf* g = a->g;
    uint64_t count = (uint64_t)p->vertex_count * INFLUENCES;
    uint32_t* joints = tlw_gltf_allocate(g, NULL, TLW_KEPT, count, sizeof *joints);
    float* weights = tlw_gltf_allocate(g, NULL, TLW_KEPT, count, sizeof *weights);
    uint32_t* nodes = tlw_gltf_allocate(g, NULL, TLW_KEPT, source->mNumBones, sizeof *nodes);
    double* binds =
        tlw_gltf_allocate(g, NULL, TLW_KEPT, (uint64_t)source->mNumBones * 16, sizeof *binds);
    if (!joints || !weights || !nodes || !binds || !copy_name(g, &source->mName, &skin->name)) {
        return false;
    }
    for (uint32_t i = 0; i < source->mNumBones; ++i) {
        const struct aiBone* bone = source->mBones[i];
        nodes[i] = find_source(a, bone->mName.data);
        if (nodes[i] == TLW_ASSET_NONE) {
            return tlw_gltf_fail(g, NULL, "mesh '%.80s': its bone '%.80s' is no node",
                                 source->mName.data, bone->mName.data);
        }
        double* bind = binds + (size_t)i * 16;
        if (!copy_matrix(g, bone->mName.data, &bone->mOffsetMatrix, bind)) {
            return false;
        }
        if (a->geometric) {
            tlw_matrix_multiply(bind, bind, a->geometric + (size_t)index * 16);
        }
        for (uint32_t k = 0; k < bone->mNumWeights; ++k) {
            uint32_t vertex = bone->mWeights[k].mVertexId;
            float weight = (float)bone->mWeights[k].mWeight;
            if (vertex >= p->vertex_count || !(weight >= 0) || !tlw_is_finite((double)weight)) {
                return tlw_gltf_fail(g, NULL,
                                     "mesh '%.80s', bone '%.80s': weight %g on vertex %u "
                                     "of %u",
                                     source->mName.data, bone->mName.data, (double)weight, vertex,
                                     p->vertex_count);
            }
            add_weight(joints + (size_t)vertex * INFLUENCES, weights + (size_t)vertex * INFLUENCES,
                       i, weight);
        }
    }
    skin->joints = nodes;
    skin->joint_count = source->mNumBones;
    skin->inverse_binds = binds;
    p->influence_count = INFLUENCES;
    p->joints = joints;
    p->weights = weights;
    return true;
}

// Colours, by the names that glTF has for them.
static bool read_colours(tlw_gltf* g, const struct aiMesh* source, tlw_asset_primitive* p) {
    tlw_asset_attribute* list =
        tlw_gltf_allocate(g, NULL, TLW_KEPT, AI_MAX_NUMBER_OF_COLOR_SETS, sizeof *list);
    for (uint32_t i = 0; list && i < AI_MAX_NUMBER_OF_COLOR_SETS; ++i) {
        if (!source->mColors[i]) {
            continue;
        }
        char name[16];
        snprintf(name, sizeof name, "COLOR_%u", i);
        float* values =
            tlw_gltf_allocate(g, NULL, TLW_KEPT, (uint64_t)p->vertex_count * 4, sizeof *values);
        for (uint32_t v = 0; values && v < p->vertex_count; ++v) {
            const struct aiColor4D* from = &source->mColors[i][v];
            const float colour[4] = {(float)from->r, (float)from->g, (float)from->b,
                                     (float)from->a};
            memcpy(values + (size_t)v * 4, colour, sizeof colour);
        }
        tlw_asset_attribute* to = &list[p->attribute_count];
        *to = (tlw_asset_attribute){tlw_asset_copy_string(g->memory, name), 4, false, values};
        if (!values || !to->name) {
            return tlw_gltf_no_memory(g, NULL, p->vertex_count, 4 * sizeof *values);
        }
        p->attribute_count += 1;
    }
    p->attributes = list;
    return list != NULL;
}

static bool read_mesh(tlw_assimp* a, uint32_t index, tlw_asset_mesh* mesh, tlw_asset_skin* skin) {
    const struct aiMesh* source = a->scene->mMeshes[index];
    tlw_gltf* g = a->g;
    const char* name = source->mName.data;
    if (!copy_name(g, &source->mName, &mesh->name)) {
        return false;
    }
    // Triangles of a polygon carry a flag beside their type, in versions of Assimp that have it.
    const unsigned types = aiPrimitiveType_POINT | aiPrimitiveType_LINE | aiPrimitiveType_TRIANGLE |
                           aiPrimitiveType_POLYGON;
    if ((source->mPrimitiveTypes & types) != aiPrimitiveType_TRIANGLE || source->mNumFaces == 0) {
        tlw_gltf_note(g, NULL, "mesh '%.80s': points or lines are left out", name);
        return true;
    }
    // Assimp 5.2 says weight 1 for all of an FBX file, and reads none of a Collada file with a
    // skin.
    if (source->mNumAnimMeshes > 0) {
        tlw_gltf_note(g, NULL,
                      "mesh '%.80s': %u morph targets are left out, also if they have weight at "
                      "rest, which the importer does not tell; glTF files have them applied",
                      name, source->mNumAnimMeshes);
    }
    tlw_asset_primitive* p = tlw_gltf_allocate(g, NULL, TLW_KEPT, 1, sizeof *p);
    if (!p) {
        return false;
    }
    p->vertex_count = source->mNumVertices;
    mesh->primitives = p;
    mesh->primitive_count = 1;
    return copy_vectors(g, name, "position", source->mVertices, p->vertex_count, 3,
                        &p->positions) &&
           (!source->mNormals ||
            copy_vectors(g, name, "normal", source->mNormals, p->vertex_count, 3, &p->normals)) &&
           (!source->mTextureCoords[0] ||
            copy_vectors(g, name, "uv", source->mTextureCoords[0], p->vertex_count, 2, &p->uvs)) &&
           read_colours(g, source, p) && read_faces(g, source, p) &&
           (source->mNumBones == 0 || read_bones(a, index, p, skin)) && tlw_join_vertices(g, p);
}

static bool read_meshes(tlw_assimp* a) {
    tlw_gltf* g = a->g;
    uint32_t count = a->scene->mNumMeshes, skin_count = 0;
    tlw_asset_mesh* meshes = tlw_gltf_allocate(g, NULL, TLW_KEPT, count, sizeof *meshes);
    tlw_asset_skin* skins = tlw_gltf_allocate(g, NULL, TLW_KEPT, count, sizeof *skins);
    uint32_t* skin_of = tlw_gltf_allocate(g, NULL, TLW_SCRATCH, count, sizeof *skin_of);
    if (!meshes || !skins || !skin_of) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        skin_of[i] = TLW_ASSET_NONE;
        if (!read_mesh(a, i, &meshes[i], &skins[skin_count])) {
            return false;
        }
        if (skins[skin_count].joint_count > 0) {
            skin_of[i] = skin_count++;
        }
    }
    for (uint32_t i = 0; i < g->asset->node_count; ++i) {
        if (g->nodes[i].mesh != TLW_ASSET_NONE) {
            if (g->nodes[i].mesh >= count) {
                return tlw_gltf_fail(g, NULL, "node '%.80s': mesh %u of %u", g->nodes[i].name,
                                     g->nodes[i].mesh, count);
            }
            g->nodes[i].skin = skin_of[g->nodes[i].mesh];
        }
    }
    g->asset->meshes = meshes;
    g->asset->mesh_count = count;
    g->asset->skins = skins;
    g->asset->skin_count = skin_count;
    return true;
}

// For files of which Assimp made up all meshes.
static bool drop_meshes(tlw_assimp* a) {
    for (uint32_t i = 0; i < a->g->asset->node_count; ++i) {
        a->g->nodes[i].mesh = TLW_ASSET_NONE;
    }
    return true;
}

// Clips: each channel of Assimp becomes three channels
// ------------------------------------------------------------------------------------------------

typedef struct tlw_assimp_keys {
    tlw_asset_path path;
    uint32_t count;
    const struct aiVectorKey* vectors; // or null
    const struct aiQuatKey* rotations;
} tlw_assimp_keys;

// Drops keys that are not later than the key before, because exporters repeat the last one.
static bool read_keys(tlw_assimp* a, const char* name, uint32_t node, double ticks_per_second,
                      const tlw_assimp_keys* keys, tlw_asset_clip* clip,
                      tlw_asset_channel* channel) {
    tlw_gltf* g = a->g;
    uint32_t width = keys->path == TLW_PATH_ROTATION ? 4 : 3, used = 0;
    float* times = tlw_gltf_allocate(g, NULL, TLW_KEPT, keys->count, sizeof *times);
    float* values =
        tlw_gltf_allocate(g, NULL, TLW_KEPT, (uint64_t)keys->count * width, sizeof *values);
    if (!times || !values) {
        return false;
    }
    for (uint32_t i = 0; i < keys->count; ++i) {
        double ticks = keys->vectors ? keys->vectors[i].mTime : keys->rotations[i].mTime;
        float time = (float)(ticks / ticks_per_second), *value = values + (size_t)used * width;
        if (keys->vectors) {
            value[0] = (float)keys->vectors[i].mValue.x;
            value[1] = (float)keys->vectors[i].mValue.y;
            value[2] = (float)keys->vectors[i].mValue.z;
        } else {
            value[0] = (float)keys->rotations[i].mValue.x;
            value[1] = (float)keys->rotations[i].mValue.y;
            value[2] = (float)keys->rotations[i].mValue.z;
            value[3] = (float)keys->rotations[i].mValue.w;
        }
        double squared = 0;
        for (uint32_t k = 0; k < width; ++k) {
            squared += (double)value[k] * (double)value[k];
        }
        if (!tlw_is_finite((double)time) || !tlw_is_finite(squared) ||
            (width == 4 && !(fabs(squared - 1) < 0.05))) {
            return tlw_gltf_fail(g, NULL,
                                 "clip '%.80s': key %u of '%.80s' is not finite or no "
                                 "rotation",
                                 name, i, g->nodes[node].name);
        }
        if (time >= 0 && (used == 0 || time > times[used - 1])) {
            times[used++] = time;
        }
    }
    if (used > 0) {
        *channel =
            (tlw_asset_channel){node, keys->path, TLW_INTERPOLATE_LINEAR, used, times, values};
        clip->channel_count += 1;
        clip->duration_seconds = fmax(clip->duration_seconds, (double)times[used - 1]);
    }
    return true;
}

static bool read_clip(tlw_assimp* a, const struct aiAnimation* source, tlw_asset_clip* clip) {
    tlw_gltf* g = a->g;
    double rate = source->mTicksPerSecond > 0 ? source->mTicksPerSecond : 25.0;
    tlw_asset_channel* channels =
        tlw_gltf_allocate(g, NULL, TLW_KEPT, (uint64_t)source->mNumChannels * 3, sizeof *channels);
    if (!channels || !copy_name(g, &source->mName, &clip->name)) {
        return false;
    }
    clip->channels = channels;
    for (uint32_t i = 0; i < source->mNumChannels; ++i) {
        const struct aiNodeAnim* from = source->mChannels[i];
        uint32_t node = find_source(a, from->mNodeName.data);
        if (node == TLW_ASSET_NONE) {
            tlw_gltf_note(g, NULL, "clip '%.80s': '%.80s' is no node, left out", clip->name,
                          from->mNodeName.data);
            continue;
        }
        g->nodes[node].has_matrix = false; // the clip gives all of it
        const tlw_assimp_keys keys[] = {
            {TLW_PATH_TRANSLATION, from->mNumPositionKeys, from->mPositionKeys, NULL},
            {TLW_PATH_ROTATION, from->mNumRotationKeys, NULL, from->mRotationKeys},
            {TLW_PATH_SCALE, from->mNumScalingKeys, from->mScalingKeys, NULL}};
        for (size_t k = 0; k < TLW_COUNT_OF(keys); ++k) {
            if (keys[k].count > 0 && !read_keys(a, clip->name, node, rate, &keys[k], clip,
                                                &channels[clip->channel_count])) {
                return false;
            }
        }
    }
    return true;
}

static bool read_clips(tlw_assimp* a) {
    tlw_asset_clip* clips =
        tlw_gltf_allocate(a->g, NULL, TLW_KEPT, a->scene->mNumAnimations, sizeof *clips);
    if (!clips) {
        return false;
    }
    for (uint32_t i = 0; i < a->scene->mNumAnimations; ++i) {
        if (!read_clip(a, a->scene->mAnimations[i], &clips[i])) {
            return false;
        }
    }
    a->g->asset->clips = clips;
    a->g->asset->clip_count = a->scene->mNumAnimations;
    return true;
}

const char* tlw_asset_importer(const char* path) {
    static char text[48];
    if (!tlw_assimp_takes(path)) {
        return NULL;
    }
    snprintf(text, sizeof text, "Assimp %u.%u.%u", aiGetVersionMajor(), aiGetVersionMinor(),
             aiGetVersionPatch());
    return text;
}

static bool read_file(tlw_gltf* g, const char* path) {
    struct aiPropertyStore* properties = aiCreatePropertyStore();
    // Preserved pivots would become extra nodes, which the clips do not name.
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_LBW_MAX_WEIGHTS, INFLUENCES);
    // Where a file has no geometry, Assimp would make a spike for each of its nodes. It does not
    // accept motion files without them.
    const bool is_motion = ends_with(path, MOTION_ENDING);
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, !is_motion);
    unsigned steps = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_LimitBoneWeights |
                     aiProcess_GlobalScale | aiProcess_ValidateDataStructure;
    tlw_assimp a = {.g = g, .scene = aiImportFileExWithProperties(path, steps, NULL, properties)};
    aiReleasePropertyStore(properties);
    if (!a.scene || !a.scene->mRootNode) {
        // Whose words these are: some files are sound, and only this version cannot read them.
        tlw_gltf_cannot_read(g, NULL, "cannot read '%.200s': %s: %.200s", path,
                             tlw_asset_importer(path), aiGetErrorString());
    } else {
        g->files[0] = tlw_asset_copy_string(g->memory, path);
        g->asset->file_count = g->files[0] ? 1 : 0;
        double* geometric = NULL;
        const bool may_stand_off = ends_with(path, FBX_ENDING);
        if (may_stand_off && !tlw_geometric_read(g, path, a.scene, &geometric)) {
            aiReleaseImport(a.scene);
            return false;
        }
        a.geometric = geometric;
        if (read_nodes(&a) && (is_motion ? drop_meshes(&a) : read_meshes(&a)) && read_clips(&a)) {
            rotate_z_up(&a);
        }
    }
    shfree(a.node_of);
    aiReleaseImport(a.scene);
    return g->error->code == TLW_ASSET_OK;
}

bool tlw_assimp_load(tlw_gltf* g, const char* path) {
    return tlw_import(g, path, read_file);
}

#endif
