// SPDX-License-Identifier: MIT
// Private to stage vertices of embed: writing eight vertices to the output's streams (MODEL 5.7,
// 5.8). Each element is written once and never read.
#ifndef TLW_RUNTIME_OUTPUT_EMBED_STREAMS_H
#define TLW_RUNTIME_OUTPUT_EMBED_STREAMS_H

#include "platform/simd_math.h"
#include "runtime/output/embed.h"
#include "runtime/passes/wide.h"

// Eight vertices of the output.
typedef struct embedded {
    f8x3 position, normal, tangent, deviation;
} embedded;

// Which elements of the streams the lanes of a group are.
typedef struct group_places {
    uint32_t written;             // bit i: lane i is in the output's range
    bool is_run;                  // all eight are written, to elements that follow each other
    uint32_t element[TLW_LANES];  // where it is written
} group_places;

TLW_FORCE_INLINE group_places places_of(const tlw_embed* e, const tlw_blob_group* group) {
    const uint32_t count = e->end_vertex - e->first_vertex;
    group_places out = {.is_run = e->output.order == TLW_ORDER_COOKED};
    for (uint32_t i = 0; i < group->vertex_count; ++i) {
        const uint32_t cooked = group->first_vertex + i;
        const uint32_t vertex = out.is_run ? cooked : e->blob->vertex_source[cooked];
        out.element[i] = vertex - e->first_vertex; // wraps around below the range
        out.written |= (uint32_t)(out.element[i] < count) << i;
    }
    out.is_run = out.is_run && out.written == 0xffu;
    return out;
}

// One stream's elements of eight vertices that are not written in one go.
typedef struct elements {
    unsigned char* to;
    size_t stride, bytes; // per element; bytes is 6 or 12
    TLW_ALIGNAS(32) float floats[24];
    TLW_ALIGNAS(32) uint16_t halves[24];
} elements;

// True if all elements are written, false if `rest` is to be copied element by element.
TLW_FORCE_INLINE bool write_packed(const tlw_stream* stream, f8x3 value, const group_places* places,
                                   elements* rest) {
    rest->bytes = stream->format == TLW_FORMAT_FLOAT32 ? 12 : 6;
    rest->stride = stream->stride_bytes ? stream->stride_bytes : rest->bytes;
    rest->to = stream->data;
    const bool is_packed = rest->stride == rest->bytes && places->is_run;
    unsigned char* first = rest->to + (size_t)places->element[0] * rest->stride;
    if (is_packed && rest->bytes == 12) {
        tlw_f8x3_store((float*)(void*)first, value);
        return true;
    }
    tlw_f8x3_store(rest->floats, value);
    if (rest->bytes == 6) {
        for (int i = 0; i < 24; i += TLW_LANES) {
            tlw_i8_store_u16(rest->halves + i,
                             tlw_i8_half_from_f8(tlw_f8_load_aligned(rest->floats + i)));
        }
        if (is_packed) {
            __builtin_memcpy(first, rest->halves, sizeof rest->halves);
        }
    }
    return is_packed;
}

// Vertex by vertex, so that interleaved streams are written in order as well.
TLW_FORCE_INLINE void write_elements(const elements* streams, uint32_t stream_count,
                                     const group_places* places) {
    for (uint32_t i = 0; i < TLW_LANES; ++i) {
        if (!(places->written >> i & 1u)) {
            continue;
        }
        for (uint32_t s = 0; s < stream_count; ++s) {
            unsigned char* to = streams[s].to + (size_t)places->element[i] * streams[s].stride;
            if (streams[s].bytes == 12) {
                __builtin_memcpy(to, streams[s].floats + 3 * i, 12);
            } else {
                __builtin_memcpy(to, streams[s].halves + 3 * i, 6);
            }
        }
    }
}

// `has_base` and `has_normals` are compile-time constants: what `group` holds beside deviations.
TLW_FORCE_INLINE void write_vertices(const tlw_embed* e, const embedded* group, bool has_base,
                                     bool has_normals, const group_places* places) {
    const tlw_output* output = &e->output;
    elements rest[4];
    uint32_t left = 0;
    if (has_base && output->positions.data) {
        left += !write_packed(&output->positions, group->position, places, &rest[left]);
    }
    if (has_normals && output->normals.data) {
        left += !write_packed(&output->normals, group->normal, places, &rest[left]);
    }
    if (has_normals && output->tangents.data) {
        left += !write_packed(&output->tangents, group->tangent, places, &rest[left]);
    }
    if (output->deltas.data) {
        left += !write_packed(&output->deltas, group->deviation, places, &rest[left]);
    }
    if (left) {
        write_elements(rest, left, places);
    }
}

// One element of a stream of 3x4 matrices.
TLW_FORCE_INLINE void write_matrix(const tlw_stream* stream, uint64_t element, const float* from) {
    const size_t bytes = stream->format == TLW_FORMAT_FLOAT32 ? 48 : 24;
    unsigned char* to = (unsigned char*)stream->data +
                        element * (stream->stride_bytes ? stream->stride_bytes : bytes);
    if (bytes == 48) {
        __builtin_memcpy(to, from, 48);
    } else {
        uint16_t halves[16]; // rows 0 and 1, then row 2
        tlw_i8_store_u16(halves, tlw_i8_half_from_f8(tlw_f8_load(from)));
        tlw_i8_store_u16(halves + 4, tlw_i8_half_from_f8(tlw_f8_load(from + 4)));
        __builtin_memcpy(to, halves, 24);
    }
}

// One element of a stream of three numbers.
TLW_FORCE_INLINE void write_triple(const tlw_stream* stream, uint64_t element, const float* from) {
    const size_t bytes = stream->format == TLW_FORMAT_FLOAT32 ? 12 : 6;
    unsigned char* to = (unsigned char*)stream->data +
                        element * (stream->stride_bytes ? stream->stride_bytes : bytes);
    if (bytes == 12) {
        __builtin_memcpy(to, from, 12);
    } else {
        uint16_t halves[TLW_LANES];
        tlw_i8_store_u16(halves, tlw_i8_half_from_f8(tlw_f8_load_first(from, 3)));
        __builtin_memcpy(to, halves, 6);
    }
}

#endif
