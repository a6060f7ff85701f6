// SPDX-License-Identifier: MIT
// Outputs (MODEL 5). Reads what the engine asked for (tlw_output) and the blob; decides whether it
// can be written, which arrays its embedding needs, and where they lie in scratch. Checking and
// planning run when an output is set, never in a step.
#include "runtime/output/embed.h"

#define OUTPUT_COOKIE 0x6f757470u

enum { VECTOR_COMPONENTS = 3, MATRIX_COMPONENTS = 12 };

tlw_output tlw_default_output(void) {
    return (tlw_output){.cookie = OUTPUT_COOKIE,
                        .embedding = TLW_EMBED_AUTO,
                        .normals_by = TLW_NORMALS_BY_GRADIENT,
                        .order = TLW_ORDER_SOURCE,
                        .smoothing = 0.25f,
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

// The embedding that AUTO stands for.
static tlw_embedding embedding_of(const tlw_blob_arrays* blob, const tlw_output* output) {
    return output->embedding != TLW_EMBED_AUTO ? output->embedding
           : blob->rbf                         ? TLW_EMBED_RBF
           : blob->lattice->has_artist_weights ? TLW_EMBED_FIT
                                               : TLW_EMBED_FRAMES;
}

static tlw_result check_streams(const tlw_output* output) {
    const struct {
        const tlw_stream* stream;
        uint32_t components;
    } all[] = {{&output->positions, VECTOR_COMPONENTS},    {&output->normals, VECTOR_COMPONENTS},
               {&output->tangents, VECTOR_COMPONENTS},     {&output->deltas, VECTOR_COMPONENTS},
               {&output->voxel_deltas, VECTOR_COMPONENTS}, {&output->lattice, MATRIX_COMPONENTS},
               {&output->voxel_fits, MATRIX_COMPONENTS}};
    for (size_t i = 0; i < TLW_COUNT_OF(all); ++i) {
        const tlw_result result = check_stream(all[i].stream, all[i].components);
        if (result != TLW_OK) {
            return result;
        }
    }
    return TLW_OK;
}

tlw_result tlw_output_check(const tlw_blob_arrays* blob, const tlw_output* output) {
    if (output->cookie != OUTPUT_COOKIE) {
        return TLW_ERROR_BAD_DEF;
    }
    const uint32_t all = blob->lattice->vertex_count;
    if ((uint32_t)output->embedding > TLW_EMBED_RBF ||
        (uint32_t)output->normals_by > TLW_NORMALS_BY_RING ||
        (uint32_t)output->order > TLW_ORDER_COOKED ||
        !(output->smoothing >= 0.0f && output->smoothing <= 1.0f) || output->first_vertex > all ||
        vertices_of(blob, output) > all - output->first_vertex) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const tlw_result result = check_streams(output);
    if (result != TLW_OK) {
        return result;
    }
    const bool lacks_rbf = output->embedding == TLW_EMBED_RBF && !blob->rbf;
    const bool lacks_rings = output->normals_by == TLW_NORMALS_BY_RING && !blob->ring_neighbour;
    return lacks_rbf || lacks_rings ? TLW_ERROR_UNSUPPORTED : TLW_OK;
}

// Groups that may have vertices of the output: in cooked order those of the range, in source order
// those of every mesh that the range meets.
static void plan_groups(tlw_embed* embed) {
    const tlw_blob_arrays* blob = embed->blob;
    const bool is_cooked = embed->output.order == TLW_ORDER_COOKED;
    uint32_t first = blob->lattice->group_count, end = 0;
    for (uint64_t m = 0; m < blob->mesh_count; ++m) {
        const tlw_blob_mesh* mesh = &blob->meshes[m];
        const uint32_t mesh_end = mesh->first_vertex + mesh->vertex_count;
        const uint32_t low =
            mesh->first_vertex > embed->first_vertex ? mesh->first_vertex : embed->first_vertex;
        const uint32_t high = mesh_end < embed->end_vertex ? mesh_end : embed->end_vertex;
        if (low >= high) {
            continue;
        }
        const uint32_t from = is_cooked ? low - mesh->first_vertex : 0;
        const uint32_t to = (is_cooked ? high : mesh_end) - mesh->first_vertex;
        first = first < mesh->first_group ? first : mesh->first_group + from / TLW_LANES;
        end = mesh->first_group + (to + TLW_LANES - 1) / TLW_LANES;
    }
    embed->first_group = first;
    embed->group_count = end > first ? end - first : 0;
}

// Which groups have lanes with and without artist weights.
static void plan_skinning(tlw_embed* embed, bool asks_frames) {
    const tlw_blob_arrays* blob = embed->blob;
    for (uint32_t g = 0; g < embed->group_count; ++g) {
        const uint32_t skinned = blob->groups[embed->first_group + g].skinned;
        embed->is_any_skinned |= !asks_frames && skinned != 0;
        embed->is_any_unskinned |= asks_frames || skinned != 0xffu;
    }
}

void tlw_embed_plan(tlw_embed* embed) {
    const tlw_blob_arrays* blob = embed->blob;
    const tlw_output* output = &embed->output;
    const tlw_embedding embedding = embedding_of(blob, output);
    const bool has_normals = output->normals.data || output->tangents.data;
    const bool has_vertices = output->positions.data || has_normals || output->deltas.data;
    const bool has_voxels =
        output->lattice.data || output->voxel_deltas.data || output->voxel_fits.data;
    embed->first_vertex = output->first_vertex;
    embed->end_vertex = output->first_vertex + (has_vertices ? vertices_of(blob, output) : 0);
    embed->is_any_skinned = embed->is_any_unskinned = false;
    plan_groups(embed);
    plan_skinning(embed, embedding == TLW_EMBED_FRAMES);
    embed->voxel_groups = has_voxels ? (blob->lattice->voxel_count + TLW_LANES - 1) / TLW_LANES : 0;

    const bool has_some = embed->group_count > 0, is_skinned = embed->is_any_skinned;
    embed->deviation = embedding == TLW_EMBED_FIT && is_skinned   ? TLW_DEVIATION_BY_FITS
                       : embedding == TLW_EMBED_RBF && is_skinned ? TLW_DEVIATION_BY_ROWS
                                                                  : TLW_DEVIATION_BY_DELTAS;
    const bool is_fit = embed->deviation == TLW_DEVIATION_BY_FITS;
    const bool is_rbf = embed->deviation == TLW_DEVIATION_BY_ROWS;
    embed->wants_anything = has_some || has_voxels || output->wants_bounds;
    embed->wants_base = has_some && (output->positions.data || has_normals);
    embed->wants_rings =
        has_some && has_normals && is_skinned && output->normals_by == TLW_NORMALS_BY_RING;
    embed->wants_gradients = has_some && has_normals && !embed->wants_rings;
    embed->wants_deviations = has_some && (embed->wants_rings || is_rbf);
    embed->wants_frames =
        (embed->wants_base && embed->is_any_unskinned) || output->lattice.data != NULL;
    embed->wants_frame_slopes = embed->wants_gradients && embed->is_any_unskinned;
    embed->wants_all_slopes = output->voxel_fits.data != NULL;
    embed->wants_fits = (has_some && is_fit) || output->voxel_fits.data;
    embed->wants_slopes = embed->wants_fits || (embed->wants_gradients && is_skinned);
    // Slopes hold deltas as well, unless they hold fits.
    const bool reads_deltas =
        has_some && !is_fit && !is_rbf &&
        (output->deltas.data || (is_skinned && (embed->wants_base || embed->wants_deviations)));
    const bool has_them_in_slopes = embed->wants_slopes && !embed->wants_fits &&
                                    embed->wants_gradients && is_skinned &&
                                    !embed->wants_deviations;
    embed->wants_deltas = (reads_deltas && !has_them_in_slopes) || (has_some && is_rbf) ||
                          output->voxel_deltas.data != NULL;
}

// ---- Scratch

static size_t line_of(size_t bytes) {
    return (bytes + TLW_CACHE_LINE - 1) / TLW_CACHE_LINE * TLW_CACHE_LINE;
}

// What an output may need beside site arrays: bytes of each.
typedef struct embed_sizes {
    size_t frames, frame_slopes, deltas; // where the substep's arrays lie
    size_t slopes, deviations, centres, coefficients, rows;
} embed_sizes;

static embed_sizes sizes_of(const tlw_blob_arrays* blob) {
    const size_t windows = blob->window_count, of_one = sizeof(tlw_deviation);
    embed_sizes out = {.frames = line_of(windows * sizeof(tlw_window_rows)),
                       .frame_slopes = line_of(windows * sizeof(tlw_window_slopes)),
                       .deltas = line_of(windows * sizeof(tlw_window_deltas)),
                       .slopes = line_of(windows * sizeof(tlw_window_slopes))};
    if (blob->ring_neighbour || blob->rbf) { // groups of 8 are loaded whole
        out.deviations = line_of(((size_t)blob->lattice->vertex_count + TLW_LANES) * of_one);
    }
    if (blob->rbf) {
        out.centres = line_of(blob->rbf->centre_count * of_one);
        out.coefficients = line_of(blob->rbf->coefficient_count * of_one);
        out.rows = line_of(blob->rbf->row_count * of_one);
    }
    return out;
}

// Where each array begins. Site arrays come first, as in a substep: m delta and m p where q and mq
// were, whose gaps are 0, and sums where lanes were. Slopes lie behind everything that a substep
// needs, so that the usual output leaves the gaps of `work` as they are.
static size_t place(tlw_embed* embed, unsigned char* memory, const tlw_blob_arrays* blob,
                    size_t site_stride) {
    const embed_sizes sizes = sizes_of(blob);
    const size_t array = site_stride * sizeof(float);
    const size_t rows = TLW_EMBED_SITE_ARRAYS * array;
    const size_t rows_end = rows + sizes.frames + sizes.frame_slopes + sizes.deltas;
    const size_t substep_end = TLW_SITE_ARRAYS * array;
    const size_t slopes = rows_end > substep_end ? rows_end : substep_end;
    const size_t deviations = slopes + sizes.slopes, centres = deviations + sizes.deviations;
    const size_t coefficients = centres + sizes.centres;
    const size_t first_rows = coefficients + sizes.coefficients;
    if (embed) {
        for (size_t i = 0; i < 3; ++i) {
            float* at = (float*)(void*)(memory + i * array);
            embed->md.value[i] = at;
            embed->mp.value[i] = at + 3 * site_stride;
            embed->md.sum[i] = at + 6 * site_stride;
            embed->md.difference[i] = at + 9 * site_stride;
            embed->mp.sum[i] = embed->mp.difference[i] = NULL;
        }
        embed->frames = (tlw_window_rows*)(void*)(memory + rows);
        embed->frame_slopes = (tlw_window_slopes*)(void*)(memory + rows + sizes.frames);
        embed->slopes = (tlw_window_slopes*)(void*)(memory + slopes);
        embed->deltas =
            (tlw_window_deltas*)(void*)(embed->wants_slopes
                                            ? memory + rows + sizes.frames + sizes.frame_slopes
                                            : memory + slopes);
        embed->deviations = (tlw_deviation*)(void*)(memory + deviations);
        embed->centres = (tlw_deviation*)(void*)(memory + centres);
        embed->coefficients = (tlw_deviation*)(void*)(memory + coefficients);
        embed->rows[0] = (tlw_deviation*)(void*)(memory + first_rows);
        embed->rows[1] = (tlw_deviation*)(void*)(memory + first_rows + sizes.rows);
    }
    return first_rows + 2 * sizes.rows;
}

TLW_STATIC_ASSERT(sizeof(tlw_window_deltas) <= sizeof(tlw_window_slopes),
                  "deltas fit where slopes lie");

size_t tlw_embed_scratch_bytes(const tlw_blob_arrays* blob, size_t site_stride) {
    return place(NULL, NULL, blob, site_stride);
}

void tlw_embed_place(tlw_embed* embed, float* memory, size_t site_stride) {
    (void)place(embed, (unsigned char*)memory, embed->blob, site_stride);
}

bool tlw_embed_uses_work(const tlw_embed* embed) {
    return embed->wants_frames || embed->wants_frame_slopes ||
           (embed->wants_deltas && embed->wants_slopes);
}
