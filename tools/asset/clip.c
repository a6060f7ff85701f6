// SPDX-License-Identifier: MIT
// Evaluates clips at a point in time (glTF 2.0, appendix C: animation interpolation) and composes
// local transforms of nodes to scene space. Reads the asset, writes the caller's pose and matrices.
#include "platform/handlers.h"
#include "tools/asset/matrix.h"

#include <math.h>
#include <string.h>

uint32_t tlw_asset_find_clip(const tlw_asset* asset, const char* name) {
    for (uint32_t i = 0; i < asset->clip_count; ++i) {
        if (strcmp(asset->clips[i].name, name) == 0) {
            return i;
        }
    }
    return TLW_ASSET_NONE;
}

uint32_t tlw_asset_find_node(const tlw_asset* asset, const char* name) {
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        if (strcmp(asset->nodes[i].name, name) == 0) {
            return i;
        }
    }
    return TLW_ASSET_NONE;
}

void tlw_asset_rest_pose(const tlw_asset* asset, tlw_asset_transform* pose) {
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        pose[i] = asset->nodes[i].rest;
    }
}

// The last key at or before `seconds`, or key 0 if there is none.
static uint32_t find_key(const tlw_asset_channel* channel, double seconds) {
    uint32_t low = 0, high = channel->key_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)channel->times[middle] <= seconds) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void to_unit(const float* from, double to[4]) {
    double squared = 0;
    for (int i = 0; i < 4; ++i) {
        to[i] = (double)from[i];
        squared += to[i] * to[i];
    }
    for (int i = 0; i < 4; ++i) {
        to[i] /= sqrt(squared); // not near 0: the reader checks lengths
    }
}

static void slerp(const float* from, const float* to, double t, double out[4]) {
    double a[4], b[4], cosine = 0;
    to_unit(from, a); // keys of 8 and 16 bits are not exactly of length 1
    to_unit(to, b);
    for (int i = 0; i < 4; ++i) {
        cosine += a[i] * b[i];
    }
    double sign = cosine < 0 ? -1.0 : 1.0; // takes the shorter way
    double from_share = 1 - t, to_share = t;
    double angle = acos(fmin(fabs(cosine), 1.0));
    if (angle > 1e-6) { // below that chord and arc are equal, and 0 would be divided by 0
        from_share = sin(angle * (1 - t)) / sin(angle);
        to_share = sin(angle * t) / sin(angle);
    }
    for (int i = 0; i < 4; ++i) {
        out[i] = from_share * a[i] + sign * to_share * b[i];
    }
}

// Hermite between keys k and k + 1, which are `span` seconds apart.
static void spline(const tlw_asset_channel* channel, uint32_t width, uint32_t k, double t,
                   double span, double* out) {
    const float* from = channel->values + (size_t)k * 3 * width;
    const float* to = from + (size_t)3 * width;
    double t2 = t * t, t3 = t2 * t;
    for (uint32_t i = 0; i < width; ++i) {
        double value = (double)from[width + i], out_tangent = span * (double)from[2 * width + i];
        double in_tangent = span * (double)to[i], next = (double)to[width + i];
        out[i] = (2 * t3 - 3 * t2 + 1) * value + (t3 - 2 * t2 + t) * out_tangent +
                 (-2 * t3 + 3 * t2) * next + (t3 - t2) * in_tangent;
    }
}

static void evaluate(const tlw_asset_channel* channel, double seconds, double* out) {
    uint32_t width = channel->path == TLW_PATH_ROTATION ? 4 : 3;
    bool is_cubic = channel->interpolation == TLW_INTERPOLATE_CUBICSPLINE;
    uint32_t k = find_key(channel, seconds);
    double start = (double)channel->times[k];
    const float* value = channel->values + (is_cubic ? (size_t)k * 3 + 1 : k) * width;
    if (seconds <= start || k + 1 == channel->key_count ||
        channel->interpolation == TLW_INTERPOLATE_STEP) {
        for (uint32_t i = 0; i < width; ++i) {
            out[i] = (double)value[i];
        }
        return;
    }
    double span = (double)channel->times[k + 1] - start, t = (seconds - start) / span;
    if (is_cubic) {
        spline(channel, width, k, t, span, out);
    } else if (width == 4) {
        slerp(value, value + 4, t, out);
    } else {
        for (uint32_t i = 0; i < 3; ++i) {
            out[i] = (1 - t) * (double)value[i] + t * (double)value[3 + i];
        }
    }
}

void tlw_asset_evaluate_clip(const tlw_asset* asset, uint32_t clip, double seconds,
                             tlw_asset_transform* pose) {
    TLW_ASSERT(asset != NULL && pose != NULL && clip < asset->clip_count);
    seconds = seconds != seconds ? 0 : seconds;
    tlw_asset_rest_pose(asset, pose);
    for (uint32_t i = 0; i < asset->clips[clip].channel_count; ++i) {
        const tlw_asset_channel* channel = &asset->clips[clip].channels[i];
        tlw_asset_transform* local = &pose[channel->node];
        if (channel->path == TLW_PATH_TRANSLATION) {
            evaluate(channel, seconds, local->translation);
        } else if (channel->path == TLW_PATH_SCALE) {
            evaluate(channel, seconds, local->scale);
        } else {
            double rotation[4];
            evaluate(channel, seconds, rotation);
            double length = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] +
                                 rotation[2] * rotation[2] + rotation[3] * rotation[3]);
            // A spline can pass through 0, which is no rotation. The rest pose stays there.
            for (int k = 0; k < 4 && length > 1e-12 && tlw_is_finite(length); ++k) {
                local->rotation[k] = rotation[k] / length;
            }
        }
    }
}

void tlw_asset_global_matrices(const tlw_asset* asset, const tlw_asset_transform* pose,
                               double* globals) {
    for (uint32_t i = 0; i < asset->node_count; ++i) {
        uint32_t index = asset->order[i];
        const tlw_asset_node* node = &asset->nodes[index];
        double* global = globals + (size_t)index * 16;
        if (node->has_matrix) {
            memcpy(global, node->matrix, sizeof node->matrix);
        } else {
            tlw_matrix_from_transform(global, &pose[index]);
        }
        if (node->parent != TLW_ASSET_NONE) {
            tlw_matrix_multiply(global, globals + (size_t)node->parent * 16, global);
        }
    }
}
