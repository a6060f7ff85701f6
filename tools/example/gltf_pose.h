// SPDX-License-Identifier: MIT
// From a glTF skin to a pose: what runtime/INTEGRATING.md shows under that heading, word for word.
// Reads the global transforms of a file's nodes; makes the joints of a tlw_pose. Copy it into your
// engine. tests/asset/test_gltf_pose.c holds it against glTF's own skinning.
#ifndef TLW_TOOLS_EXAMPLE_GLTF_POSE_H
#define TLW_TOOLS_EXAMPLE_GLTF_POSE_H

#include "runtime/tallow.h"

typedef struct gltf_skeleton {
    tlw_blob blob;
    uint32_t joint_count;   // tlw_blob_info.joint_count
    const uint32_t* map;    // joint of the blob to node of the file, from tlw_blob_map_joints
    const double* globals;  // 16 per node, column-major: from the node to the scene, this frame
    double metres_per_unit; // of the recipe that the blob was cooked with; 1 unless it says more
} gltf_skeleton;

// out = a b, where both are affine. `out` must not be a or b.
static inline void gltf_multiply(double out[16], const double a[16], const double b[16]) {
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            double sum = column == 3 ? a[12 + row] : 0.0;
            for (int k = 0; k < 3; ++k) {
                sum += a[k * 4 + row] * b[column * 4 + k];
            }
            out[column * 4 + row] = sum;
        }
    }
}

// From a joint to model space: the transform of its node in the scene, in metres. A joint that the
// engine does not have keeps its place relative to its parent.
static inline tlw_result gltf_joint(const gltf_skeleton* s, uint32_t joint, double out[16]) {
    if (s->map[joint] != TLW_NO_INDEX) {
        for (int i = 0; i < 16; ++i) {
            const bool is_translation = i >= 12 && i < 15;
            const double value = s->globals[(size_t)s->map[joint] * 16 + (size_t)i];
            out[i] = is_translation ? value * s->metres_per_unit : value;
        }
        return TLW_OK;
    }
    tlw_joint_info info, parent_info;
    tlw_result result = tlw_blob_get_joint(&s->blob, joint, &info);
    if (result != TLW_OK) {
        return result;
    }
    if (info.parent == TLW_NO_INDEX) {
        for (int i = 0; i < 16; ++i) {
            out[i] = info.bind[i];
        }
        return TLW_OK;
    }
    double parent[16], from_parent[16];
    result = gltf_joint(s, info.parent, parent);
    if (result == TLW_OK) {
        result = tlw_blob_get_joint(&s->blob, info.parent, &parent_info);
    }
    if (result == TLW_OK) {
        gltf_multiply(from_parent, parent_info.inverse_bind, info.bind);
        gltf_multiply(out, parent, from_parent);
    }
    return result;
}

// Fills joints of the kind TLW_POSE_MATRICES, 16 floats per joint of the blob.
static inline tlw_result gltf_pose_matrices(const gltf_skeleton* s, float* joints) {
    for (uint32_t j = 0; j < s->joint_count; ++j) {
        double joint[16];
        const tlw_result result = gltf_joint(s, j, joint);
        if (result != TLW_OK) {
            return result;
        }
        for (int i = 0; i < 16; ++i) {
            joints[(size_t)j * 16 + (size_t)i] = (float)joint[i];
        }
    }
    return TLW_OK;
}

// The same for TLW_POSE_SKINNING: the blob's inverse bind, not the file's.
static inline tlw_result gltf_pose_skinning(const gltf_skeleton* s, float* joints) {
    for (uint32_t j = 0; j < s->joint_count; ++j) {
        double joint[16], skinning[16];
        tlw_joint_info info;
        tlw_result result = tlw_blob_get_joint(&s->blob, j, &info);
        if (result == TLW_OK) {
            result = gltf_joint(s, j, joint);
        }
        if (result != TLW_OK) {
            return result;
        }
        gltf_multiply(skinning, joint, info.inverse_bind);
        for (int i = 0; i < 16; ++i) {
            joints[(size_t)j * 16 + (size_t)i] = (float)skinning[i];
        }
    }
    return TLW_OK;
}

#endif
