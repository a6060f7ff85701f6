// SPDX-License-Identifier: MIT
// Outputs (MODEL 5). Reads what the engine asked for (tlw_output) and the blob; decides whether it
// can be written, which arrays its embedding needs, and where they lie in scratch. Checking and
// planning run when an output is set, never in a step.
#include "runtime/output/embed.h"

#define OUTPUT_COOKIE 0x6f757470u

enum { VECTOR_COMPONENTS = 3, LATTICE_COMPONENTS = 12 };

tlw_output tlw_default_output(void) {
    return (tlw_output){.cookie = OUTPUT_COOKIE,
                        .embedding = TLW_EMBED_AUTO,
                        .first_vertex = 0,
                        .vertex_count = UINT32_MAX};
}

static tlw_result check_stream(const tlw_stream* stream, uint32_t components) {
    if (stream->data == NULL) {
        return TLW_OK;
    }
    if (stream->format != TLW_FORMAT_FLOAT32 && stream->format != TLW_FORMAT_FLOAT16) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const uint32_t bytes = stream->format == TLW_FORMAT_FLOAT32 ? 4 : 2;
    if (stream->stride_bytes != 0 &&
        (stream->stride_bytes % bytes != 0 || stream->stride_bytes < components * bytes)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    return (uintptr_t)stream->data % bytes == 0 ? TLW_OK : TLW_ERROR_MISALIGNED;
}

// Number of vertices in the output's range.
static uint32_t vertices_of(const tlw_blob_arrays* blob, const tlw_output* output) {
    return output->vertex_count == UINT32_MAX ? blob->lattice->vertex_count - output->first_vertex
                                              : output->vertex_count;
}

tlw_result tlw_output_check(const tlw_blob_arrays* blob, const tlw_output* output) {
    if (output->cookie != OUTPUT_COOKIE) {
        return TLW_ERROR_BAD_DEF;
    }
    if (output->embedding != TLW_EMBED_AUTO && output->embedding != TLW_EMBED_DELTA &&
        output->embedding != TLW_EMBED_FRAMES) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const uint32_t all = blob->lattice->vertex_count;
    if (output->first_vertex > all || vertices_of(blob, output) > all - output->first_vertex) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const tlw_stream* const vectors[] = {&output->positions, &output->normals, &output->tangents,
                                         &output->deltas};
    for (size_t i = 0; i < TLW_COUNT_OF(vectors); ++i) {
        const tlw_result result = check_stream(vectors[i], VECTOR_COMPONENTS);
        if (result != TLW_OK) {
            return result;
        }
    }
    return check_stream(&output->lattice, LATTICE_COMPONENTS);
}

static bool is_skinned(const tlw_blob_skinning* skinning) {
    bool any = false;
    for (int k = 0; k < 8; ++k) {
        any |= skinning->weights[k] > 0.0f;
    }
    return any;
}

static uint32_t groups_of(uint32_t count) {
    return count / TLW_LANES + (count % TLW_LANES != 0);
}

void tlw_embed_plan(tlw_embed* embed) {
    const tlw_blob_arrays* blob = embed->blob;
    const tlw_output* output = &embed->output;
    const bool has_gradients = output->normals.data || output->tangents.data;
    const bool has_vertices = output->positions.data || has_gradients || output->deltas.data;
    embed->first_vertex = output->first_vertex;
    embed->vertex_count = has_vertices ? vertices_of(blob, output) : 0;
    embed->vertex_groups = groups_of(embed->vertex_count);
    embed->group_count = embed->vertex_groups;
    if (output->lattice.data) {
        embed->group_count += groups_of(blob->lattice->voxel_count);
    }
    uint32_t skinned = 0;
    for (uint32_t v = 0; v < embed->vertex_count; ++v) {
        skinned += is_skinned(&blob->skinning[embed->first_vertex + v]);
    }
    const bool asks_delta =
        output->embedding == TLW_EMBED_DELTA ||
        (output->embedding == TLW_EMBED_AUTO && blob->lattice->has_artist_weights);
    const bool has_some = embed->vertex_count > 0;
    embed->is_delta = asks_delta && skinned > 0; // without artist weights only frames is possible
    embed->has_unskinned = embed->is_delta && skinned < embed->vertex_count;
    const bool uses_frames = !embed->is_delta || embed->has_unskinned;
    embed->wants_base = has_some && (output->positions.data || has_gradients);
    embed->wants_gradients = has_some && has_gradients;
    embed->wants_slopes = embed->wants_gradients && embed->is_delta;
    embed->wants_site_deltas =
        embed->wants_slopes || (embed->wants_gradients && output->deltas.data);
    embed->wants_frame_slopes = embed->wants_gradients && uses_frames;
    embed->wants_frames = (embed->wants_base && uses_frames) || output->lattice.data;
    // Slopes contain deltas, so an array of deltas is needed only without them.
    embed->wants_deltas =
        has_some && !embed->wants_gradients && (embed->is_delta || output->deltas.data);
}

static size_t line_of(size_t bytes) {
    return (bytes + TLW_CACHE_LINE - 1) / TLW_CACHE_LINE * TLW_CACHE_LINE;
}

static size_t rows_bytes(const tlw_blob_arrays* blob) {
    return line_of((size_t)blob->slot_count * sizeof(tlw_voxel_rows));
}

// Deltas and slopes share memory, because an array of deltas is needed only without slopes.
TLW_STATIC_ASSERT(8 * sizeof(float) <= sizeof(tlw_voxel_rows), "deltas fit where slopes lie");

size_t tlw_embed_scratch_bytes(const tlw_blob_arrays* blob, size_t site_stride) {
    return TLW_EMBED_SITE_ARRAYS * site_stride * sizeof(float) + 3 * rows_bytes(blob);
}

void tlw_embed_place(tlw_embed* embed, float* memory, size_t site_stride) {
    const size_t rows = rows_bytes(embed->blob);
    for (size_t i = 0; i < 3; ++i) {
        embed->mp[i] = memory + i * site_stride;
        embed->md[i] = memory + (3 + i) * site_stride;
    }
    unsigned char* at = (unsigned char*)(memory + TLW_EMBED_SITE_ARRAYS * site_stride);
    embed->slopes = (tlw_voxel_rows*)(void*)at;
    embed->deltas = (float(*)[8])(void*)at;
    embed->frames = (tlw_voxel_rows*)(void*)(at + rows);
    embed->frame_slopes = (tlw_voxel_rows*)(void*)(at + 2 * rows);
}

size_t tlw_embed_rows_used(const tlw_embed* embed) {
    const size_t rows = rows_bytes(embed->blob);
    return embed->wants_frame_slopes                       ? 3 * rows
           : embed->wants_frames                           ? 2 * rows
           : embed->wants_gradients || embed->wants_deltas ? rows
                                                           : 0;
}
