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
    uint32_t written;            // bit i: lane i is in the output's range
    bool is_run;                 // all eight are written, to elements that follow each other
    uint32_t element[TLW_LANES]; // where it is written; of a run only the first is set
} group_places;

// Lanes of a group that is not a run of eight. Not inlined, as most groups of the cooked order are.
TLW_NOINLINE static void find_places(const tlw_embed* e, const tlw_blob_group* group,
                                     group_places* out) {
    const bool is_cooked = e->output.order == TLW_ORDER_COOKED;
    const uint32_t count = e->end_vertex - e->first_vertex;
    const uint32_t* source_of = e->blob->vertex_source + group->first_vertex;
    out->written = 0;
    for (uint32_t i = 0; i < group->vertex_count; ++i) {
        const uint32_t vertex = is_cooked ? group->first_vertex + i : source_of[i];
        const uint32_t element = vertex - e->first_vertex; // wraps around below the range
        out->element[i] = element;
        out->written |= (uint32_t)(element < count) << i;
    }
}

TLW_FORCE_INLINE void places_of(const tlw_embed* e, const tlw_blob_group* group,
                                group_places* out) {
    const uint32_t first = group->first_vertex - e->first_vertex;
    const uint32_t count = e->end_vertex - e->first_vertex;
    out->is_run = e->output.order == TLW_ORDER_COOKED && group->vertex_count == TLW_LANES &&
                  group->first_vertex >= e->first_vertex && count - first >= TLW_LANES &&
                  first < count;
    out->written = 0xffu;
    out->element[0] = first;
    if (out->is_run) {
        return;
    }
    if (e->output.order == TLW_ORDER_SOURCE && group->vertex_count == TLW_LANES &&
        count == e->blob->lattice->vertex_count) { // all vertices of the source
        __builtin_memcpy(out->element, e->blob->vertex_source + group->first_vertex,
                         sizeof out->element);
    } else {
        find_places(e, group, out);
    }
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

TLW_FORCE_INLINE void write_element(const elements* stream, uint32_t lane, size_t element) {
    unsigned char* to = stream->to + element * stream->stride;
    if (stream->bytes == 12) {
        __builtin_memcpy(to, stream->floats + 3 * lane, 12);
    } else {
        __builtin_memcpy(to, stream->halves + 3 * lane, 6);
    }
}

// Vertex by vertex, so that interleaved streams are written in order as well.
TLW_NOINLINE static void write_elements(const elements* streams, uint32_t stream_count,
                                        const group_places* places) {
    for (uint32_t i = 0; i < TLW_LANES; ++i) {
        if (!(places->written >> i & 1u)) {
            continue;
        }
        const size_t element = places->is_run ? places->element[0] + i : places->element[i];
        for (uint32_t s = 0; s < stream_count; ++s) {
            write_element(&streams[s], i, element);
        }
    }
}

// The same for one or two streams of floats and eight vertices of the source's order.
TLW_FORCE_INLINE void scatter_elements(const elements* streams, uint32_t stream_count,
                                       const group_places* places) {
#pragma GCC unroll 8
    for (uint32_t i = 0; i < TLW_LANES; ++i) {
        const size_t element = places->element[i];
        __builtin_memcpy(streams[0].to + element * streams[0].stride, streams[0].floats + 3 * i,
                         12);
        if (stream_count == 2) {
            __builtin_memcpy(streams[1].to + element * streams[1].stride, streams[1].floats + 3 * i,
                             12);
        }
    }
}

TLW_FORCE_INLINE void write_rest(const elements* streams, uint32_t stream_count,
                                 const group_places* places) {
    const bool is_plain = !places->is_run && places->written == 0xffu && stream_count <= 2 &&
                          streams[0].bytes == 12 && streams[stream_count - 1].bytes == 12;
    if (is_plain && stream_count == 1) {
        scatter_elements(streams, 1, places);
    } else if (is_plain) {
        scatter_elements(streams, 2, places);
    } else {
        write_elements(streams, stream_count, places);
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
        write_rest(rest, left, places);
    }
}

// Where an element of a stream lies, if elements of a packed stream have so many bytes.
TLW_FORCE_INLINE unsigned char* element_at(const tlw_stream* stream, uint64_t element,
                                           size_t bytes) {
    const size_t stride = stream->stride_bytes ? stream->stride_bytes : bytes;
    return (unsigned char*)stream->data + element * stride;
}

// One element of a stream of 3x4 matrices.
TLW_FORCE_INLINE void write_matrix(const tlw_stream* stream, uint64_t element, const float* from) {
    if (stream->format == TLW_FORMAT_FLOAT32) {
        __builtin_memcpy(element_at(stream, element, 48), from, 48);
    } else {
        uint16_t halves[16]; // rows 0 and 1, then row 2
        tlw_i8_store_u16(halves, tlw_i8_half_from_f8(tlw_f8_load(from)));
        tlw_i8_store_u16(halves + 4, tlw_i8_half_from_f8(tlw_f8_load(from + 4)));
        __builtin_memcpy(element_at(stream, element, 24), halves, 24);
    }
}

// One element of a stream of three numbers.
TLW_FORCE_INLINE void write_triple(const tlw_stream* stream, uint64_t element, const float* from) {
    if (stream->format == TLW_FORMAT_FLOAT32) {
        __builtin_memcpy(element_at(stream, element, 12), from, 12);
    } else {
        uint16_t halves[TLW_LANES];
        tlw_i8_store_u16(halves, tlw_i8_half_from_f8(tlw_f8_load_first(from, 3)));
        __builtin_memcpy(element_at(stream, element, 6), halves, 6);
    }
}

#endif
