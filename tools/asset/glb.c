// SPDX-License-Identifier: MIT
// Splits a GLB container (glTF 2.0, section 4): a 12-byte header, a JSON chunk, at most one BIN
// chunk directly after it, then chunks of unknown types, which are skipped. Writes g->bin and
// g->bin_size.
#include "tools/asset/gltf.h"

#include <string.h>

enum { HEADER_BYTES = 12, CHUNK_HEADER_BYTES = 8 };
#define CHUNK_JSON 0x4E4F534Au
#define CHUNK_BIN  0x004E4942u

static uint32_t read_u32(const uint8_t* bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

bool tlw_glb_is_glb(const uint8_t* bytes, size_t size) {
    return size >= 4 && memcmp(bytes, "glTF", 4) == 0;
}

bool tlw_glb_split(tlw_gltf* g, const uint8_t* bytes, size_t size, const char** json,
                   size_t* json_size) {
    if (size < HEADER_BYTES) {
        return tlw_gltf_fail(g, NULL, "GLB header: the file ends after %zu of its %d bytes", size,
                             HEADER_BYTES);
    }
    uint32_t version = read_u32(bytes + 4), length = read_u32(bytes + 8);
    if (version != 2) {
        return tlw_gltf_fail(g, NULL, "GLB header: version %u, only 2 is known", version);
    }
    if (length != size) {
        return tlw_gltf_fail(g, NULL, "GLB header: its length is %u bytes, the file has %zu",
                             length, size);
    }
    uint32_t index = 0;
    for (size_t at = HEADER_BYTES; at < size; ++index) {
        if (size - at < CHUNK_HEADER_BYTES) {
            return tlw_gltf_fail(g, NULL, "GLB chunk %u at byte %zu: its header is cut short",
                                 index, at);
        }
        uint32_t chunk_size = read_u32(bytes + at), type = read_u32(bytes + at + 4);
        at += CHUNK_HEADER_BYTES;
        if (chunk_size % 4 != 0) {
            return tlw_gltf_fail(g, NULL, "GLB chunk %u: its length %u is no multiple of 4", index,
                                 chunk_size);
        }
        if (chunk_size > size - at) {
            return tlw_gltf_fail(g, NULL,
                                 "GLB chunk %u: its %u bytes end beyond the file (%zu left)", index,
                                 chunk_size, size - at);
        }
        if ((type == CHUNK_JSON) != (index == 0)) {
            return tlw_gltf_fail(g, NULL,
                                 "GLB chunk %u: its type is 0x%08X; JSON must be the "
                                 "first and only the first",
                                 index, type);
        }
        if (type == CHUNK_BIN && index != 1) {
            return tlw_gltf_fail(g, NULL, "GLB chunk %u: BIN must be the second", index);
        }
        if (type == CHUNK_JSON) {
            *json = (const char*)bytes + at;
            *json_size = chunk_size;
        } else if (type == CHUNK_BIN) {
            g->bin = bytes + at;
            g->bin_size = chunk_size;
        }
        at += chunk_size;
    }
    if (index == 0) {
        return tlw_gltf_fail(g, NULL, "GLB: there is no JSON chunk");
    }
    return true;
}
