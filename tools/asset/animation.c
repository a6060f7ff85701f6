// SPDX-License-Identifier: MIT
// Reads animations of a glTF file: channels with their keys. Reads accessors and nodes, writes
// asset->clips.
#include "tools/asset/gltf.h"

#include <math.h>
#include <string.h>

static const char* const path_names[] = {"translation", "rotation", "scale"};
static const char* const interpolation_names[] = {"LINEAR", "STEP", "CUBICSPLINE"};

static bool find_name(const char* const* names, uint32_t count, const char* name, uint32_t* out) {
    for (uint32_t i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

static bool read_times(tlw_gltf* g, const tlw_json* at, tlw_asset_channel* channel) {
    uint32_t accessor;
    if (!tlw_json_index(g, at, TLW_REQUIRED, g->accessor_count, &accessor)) {
        return false;
    }
    tlw_gltf_accessor* a = &g->accessors[accessor];
    if (strcmp(a->type, "SCALAR") != 0 || a->component != TLW_F32) {
        return tlw_gltf_fail(g, at, "accessor %u is %s of %s, not SCALAR of FLOAT", accessor,
                             a->type, tlw_component_name(a->component));
    }
    if (!tlw_accessor_floats(g, at, accessor, &channel->times)) {
        return false;
    }
    channel->key_count = a->count;
    if (a->checks & TLW_CHECKED_TIMES) {
        return true;
    }
    if (channel->times[0] < 0) {
        return tlw_gltf_fail(g, at, "key 0 is at the negative time %g", (double)channel->times[0]);
    }
    for (uint32_t i = 1; i < a->count; ++i) {
        if (!(channel->times[i] > channel->times[i - 1])) {
            return tlw_gltf_fail(g, at, "key %u at %.9g s is not after key %u at %.9g s", i,
                                 (double)channel->times[i], i - 1, (double)channel->times[i - 1]);
        }
    }
    a->checks |= TLW_CHECKED_TIMES;
    return true;
}

static bool check_rotations(tlw_gltf* g, const tlw_json* at, tlw_gltf_accessor* a,
                            const tlw_asset_channel* channel) {
    bool is_cubic = channel->interpolation == TLW_INTERPOLATE_CUBICSPLINE;
    uint32_t check = is_cubic ? TLW_CHECKED_CUBIC_ROTATIONS : TLW_CHECKED_ROTATIONS;
    if (a->checks & check) {
        return true;
    }
    for (uint32_t i = 0; i < channel->key_count; ++i) {
        const float* rotation = channel->values + (is_cubic ? (size_t)i * 12 + 4 : (size_t)i * 4);
        double squared = 0;
        for (int k = 0; k < 4; ++k) {
            squared += (double)rotation[k] * (double)rotation[k];
        }
        if (!(fabs(sqrt(squared) - 1) <= TLW_GLTF_ROTATION_TOLERANCE)) {
            return tlw_gltf_fail(g, at, "key %u is a quaternion of length %g, not 1", i,
                                 sqrt(squared));
        }
    }
    a->checks |= check;
    return true;
}

static bool read_values(tlw_gltf* g, const tlw_json* at, tlw_asset_channel* channel) {
    uint32_t accessor;
    if (!tlw_json_index(g, at, TLW_REQUIRED, g->accessor_count, &accessor)) {
        return false;
    }
    tlw_gltf_accessor* a = &g->accessors[accessor];
    bool is_rotation = channel->path == TLW_PATH_ROTATION;
    bool is_cubic = channel->interpolation == TLW_INTERPOLATE_CUBICSPLINE;
    if (strcmp(a->type, is_rotation ? "VEC4" : "VEC3") != 0 ||
        !(a->component == TLW_F32 || (is_rotation && a->is_normalised))) {
        return tlw_gltf_fail(g, at, "accessor %u is %s of %s%s, which a %s may not be", accessor,
                             a->type, a->is_normalised ? "normalised " : "",
                             tlw_component_name(a->component), path_names[channel->path]);
    }
    uint64_t expected = (uint64_t)channel->key_count * (is_cubic ? 3 : 1);
    if (a->count != expected) {
        return tlw_gltf_fail(g, at, "accessor %u has %u elements, and %u keys of %s need %llu",
                             accessor, a->count, channel->key_count,
                             interpolation_names[channel->interpolation],
                             (unsigned long long)expected);
    }
    if (is_cubic && channel->key_count < 2) {
        return tlw_gltf_fail(g, at, "CUBICSPLINE needs 2 keys, and there is 1");
    }
    return tlw_accessor_floats(g, at, accessor, &channel->values) &&
           (!is_rotation || check_rotations(g, at, a, channel));
}

static bool read_sampler(tlw_gltf* g, const tlw_json* at, tlw_asset_channel* channel) {
    tlw_json mode_at = tlw_json_member(at, "interpolation");
    tlw_json input_at = tlw_json_member(at, "input"), output_at = tlw_json_member(at, "output");
    const char* name = "LINEAR";
    uint32_t interpolation;
    if (!tlw_json_string(g, &mode_at, TLW_OPTIONAL, &name)) {
        return false;
    }
    if (!find_name(interpolation_names, TLW_COUNT_OF(interpolation_names), name, &interpolation)) {
        return tlw_gltf_fail(g, &mode_at, "'%.40s' is no interpolation", name);
    }
    channel->interpolation = (tlw_asset_interpolation)interpolation;
    return read_times(g, &input_at, channel) && read_values(g, &output_at, channel);
}

// *is_used is false for a channel that is left out: morph weights, pointers, channels without a
// node.
static bool read_channel(tlw_gltf* g, const tlw_json* at, const tlw_json* samplers,
                         uint32_t sampler_count, tlw_asset_channel* channel, bool* is_used) {
    tlw_json target = tlw_json_member(at, "target"), sampler_at = tlw_json_member(at, "sampler");
    tlw_json node_at = tlw_json_member(&target, "node"), path_at = tlw_json_member(&target, "path");
    uint32_t sampler, path;
    const char* path_name;
    *is_used = false;
    channel->node = TLW_ASSET_NONE;
    if (!tlw_json_object(g, &target, TLW_REQUIRED) ||
        !tlw_json_index(g, &sampler_at, TLW_REQUIRED, sampler_count, &sampler) ||
        !tlw_json_index(g, &node_at, TLW_OPTIONAL, g->asset->node_count, &channel->node) ||
        !tlw_json_string(g, &path_at, TLW_REQUIRED, &path_name)) {
        return false;
    }
    if (strcmp(path_name, "weights") == 0 || strcmp(path_name, "pointer") == 0) {
        tlw_gltf_note(g, &path_at, "'%s' is left out", path_name);
        return true;
    }
    if (!find_name(path_names, TLW_COUNT_OF(path_names), path_name, &path)) {
        return tlw_gltf_fail(g, &path_at, "'%.40s' is no path", path_name);
    }
    if (channel->node == TLW_ASSET_NONE) {
        tlw_gltf_note(g, &target, "a channel without a node is left out");
        return true;
    }
    if (g->nodes[channel->node].has_matrix) {
        return tlw_gltf_fail(g, &node_at, "node %u has a matrix, which cannot be animated",
                             channel->node);
    }
    channel->path = (tlw_asset_path)path;
    *is_used = true;
    tlw_json at_sampler = tlw_json_element(samplers, sampler);
    return read_sampler(g, &at_sampler, channel);
}

// `last_clip` has for each node and path the last clip, plus 1, that moves it.
static bool read_clip(tlw_gltf* g, const tlw_json* at, uint32_t index, uint32_t* last_clip,
                      tlw_asset_clip* clip) {
    tlw_json samplers = tlw_json_member(at, "samplers"), list = tlw_json_member(at, "channels");
    uint32_t sampler_count, count;
    if (!tlw_json_name(g, at, &clip->name) || !tlw_json_objects(g, &samplers, 1, &sampler_count) ||
        !tlw_json_objects(g, &list, 1, &count)) {
        return false;
    }
    tlw_asset_channel* channels = tlw_gltf_allocate(g, &list, TLW_KEPT, count, sizeof *channels);
    if (!channels) {
        return false;
    }
    clip->channels = channels;
    for (uint32_t i = 0; i < count; ++i) {
        tlw_json channel_at = tlw_json_element(&list, i);
        tlw_asset_channel* channel = &channels[clip->channel_count];
        bool is_used = false;
        if (!read_channel(g, &channel_at, &samplers, sampler_count, channel, &is_used)) {
            return false;
        }
        if (!is_used) {
            continue;
        }
        uint32_t* last = &last_clip[(size_t)channel->node * 3 + channel->path];
        if (*last == index + 1) {
            return tlw_gltf_fail(g, &channel_at, "the %s of node %u has a channel already",
                                 path_names[channel->path], channel->node);
        }
        *last = index + 1;
        double end = (double)channel->times[channel->key_count - 1];
        clip->duration_seconds = end > clip->duration_seconds ? end : clip->duration_seconds;
        clip->channel_count += 1;
    }
    return true;
}

bool tlw_gltf_read_animations(tlw_gltf* g) {
    tlw_json root = tlw_json_root(g);
    tlw_json list = tlw_json_member(&root, "animations");
    uint32_t count;
    if (!tlw_json_objects(g, &list, 0, &count)) {
        return false;
    }
    tlw_asset_clip* clips = tlw_gltf_allocate(g, &list, TLW_KEPT, count, sizeof *clips);
    uint32_t* last_clip = tlw_gltf_allocate(g, &list, TLW_SCRATCH,
                                            (uint64_t)g->asset->node_count * 3, sizeof *last_clip);
    if (!clips || !last_clip) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        tlw_json at = tlw_json_element(&list, i);
        if (!read_clip(g, &at, i, last_clip, &clips[i])) {
            return false;
        }
    }
    g->asset->clips = clips;
    g->asset->clip_count = count;
    return true;
}
