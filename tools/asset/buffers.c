// SPDX-License-Identifier: MIT
// Reads buffers and bufferViews of a glTF file: bytes, and ranges of them. Writes g->buffers and
// g->views. Ranges are checked here once; later stages rely on them.
#include "platform/checked.h"
#include "tools/asset/gltf.h"

#include <string.h>

static bool read_buffer(tlw_gltf* g, const tlw_json* at, uint32_t index, tlw_gltf_buffer* buffer) {
    tlw_json length_at = tlw_json_member(at, "byteLength"), uri_at = tlw_json_member(at, "uri");
    uint64_t length;
    const char* uri = NULL;
    if (!tlw_json_uint(g, &length_at, TLW_REQUIRED, &length) ||
        !tlw_json_string(g, &uri_at, TLW_OPTIONAL, &uri)) {
        return false;
    }
    if (length == 0) {
        return tlw_gltf_fail(g, &length_at, "0 bytes, and it needs at least 1");
    }
    if (uri) {
        if (!tlw_uri_read(g, &uri_at, uri, length, buffer)) {
            return false;
        }
    } else if (index == 0 && g->bin) {
        // The chunk is padded to a multiple of 4.
        if (length > g->bin_size || g->bin_size - length > 3) {
            return tlw_gltf_fail(g, &length_at, "%llu bytes, and the BIN chunk has %llu",
                                 (unsigned long long)length, (unsigned long long)g->bin_size);
        }
        buffer->bytes = g->bin;
    } else {
        return tlw_gltf_fail(g, &uri_at, "a string is missing: the file has no chunk of bytes");
    }
    buffer->size = length;
    return true;
}

static bool read_view(tlw_gltf* g, const tlw_json* at, tlw_gltf_view* view) {
    tlw_json buffer_at = tlw_json_member(at, "buffer"),
             offset_at = tlw_json_member(at, "byteOffset");
    tlw_json length_at = tlw_json_member(at, "byteLength");
    tlw_json stride_at = tlw_json_member(at, "byteStride"),
             target_at = tlw_json_member(at, "target");
    uint32_t buffer;
    uint64_t offset = 0, length, end, stride = 0, target = 0;
    if (!tlw_json_index(g, &buffer_at, TLW_REQUIRED, g->buffer_count, &buffer) ||
        !tlw_json_uint(g, &offset_at, TLW_OPTIONAL, &offset) ||
        !tlw_json_uint(g, &length_at, TLW_REQUIRED, &length) ||
        !tlw_json_uint(g, &stride_at, TLW_OPTIONAL, &stride) ||
        !tlw_json_uint(g, &target_at, TLW_OPTIONAL, &target)) {
        return false;
    }
    uint64_t size = g->buffers[buffer].size;
    if (length == 0) {
        return tlw_gltf_fail(g, &length_at, "0 bytes, and it needs at least 1");
    }
    if (!tlw_add_u64(offset, length, &end) || end > size) {
        return tlw_gltf_fail(g, &length_at,
                             "%llu bytes from byte %llu on end beyond buffer %u (%llu bytes)",
                             (unsigned long long)length, (unsigned long long)offset, buffer,
                             (unsigned long long)size);
    }
    if (stride_at.value && (stride < 4 || stride > 252 || stride % 4 != 0)) {
        return tlw_gltf_fail(g, &stride_at, "%llu is no multiple of 4 from 4 to 252",
                             (unsigned long long)stride);
    }
    if (target_at.value && target != 34962 && target != 34963) {
        return tlw_gltf_fail(g, &target_at, "%llu is neither 34962 nor 34963",
                             (unsigned long long)target);
    }
    *view = (tlw_gltf_view){.bytes = g->buffers[buffer].bytes + offset,
                            .offset = offset,
                            .size = length,
                            .stride = (uint32_t)stride,
                            .has_target = target != 0,
                            .vertex_accessor = TLW_ASSET_NONE};
    return true;
}

bool tlw_gltf_read_buffers(tlw_gltf* g) {
    tlw_json root = tlw_json_root(g);
    tlw_json buffers = tlw_json_member(&root, "buffers");
    tlw_json views = tlw_json_member(&root, "bufferViews");
    if (!tlw_json_objects(g, &buffers, 0, &g->buffer_count) ||
        !tlw_json_objects(g, &views, 0, &g->view_count)) {
        return false;
    }
    g->buffers = tlw_gltf_allocate(g, &buffers, TLW_SCRATCH, g->buffer_count, sizeof *g->buffers);
    g->views = tlw_gltf_allocate(g, &views, TLW_SCRATCH, g->view_count, sizeof *g->views);
    const char** files = tlw_gltf_allocate(
        g, &buffers, TLW_KEPT, (uint64_t)g->asset->file_count + g->buffer_count, sizeof *files);
    uint64_t* hashes = tlw_gltf_allocate(
        g, &buffers, TLW_KEPT, (uint64_t)g->asset->file_count + g->buffer_count, sizeof *hashes);
    if (!g->buffers || !g->views || !files || !hashes) {
        return false;
    }
    if (g->asset->file_count > 0) {
        memcpy(files, g->files, g->asset->file_count * sizeof *files);
        memcpy(hashes, g->file_hashes, g->asset->file_count * sizeof *hashes);
    }
    g->asset->files = g->files = files;
    g->asset->file_hashes = g->file_hashes = hashes;
    for (uint32_t i = 0; i < g->buffer_count; ++i) {
        tlw_json at = tlw_json_element(&buffers, i);
        if (!read_buffer(g, &at, i, &g->buffers[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < g->view_count; ++i) {
        tlw_json at = tlw_json_element(&views, i);
        if (!read_view(g, &at, &g->views[i])) {
            return false;
        }
    }
    return true;
}
