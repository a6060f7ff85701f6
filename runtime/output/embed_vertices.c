// SPDX-License-Identifier: MIT
// Pass embed, stage vertices (MODEL 5.2 to 5.5, RULES 10): vertices of the output. Reads what the
// stages lattice and frames wrote, the joints, and the blob's skinning and bindings; writes the
// output streams, each element once and in order. runtime/output/embed.h has the equations: sums
// over up to 8 joints and 8 voxels per vertex.
//
// Why rows are gathered vertex by vertex: vertices that follow each other hang on different joints
// and voxels, so a vertex loads whole rows of its matrices and broadcasts its weights, and the sums
// of eight vertices are transposed once. Why two sums share a register: a row has four numbers and
// a register eight, so halves that would stay empty carry rows of another sum.
#include "platform/simd_math.h"
#include "runtime/output/embed.h"
#include "runtime/passes/wide.h"

// Records of eight vertices that follow each other.
typedef struct vertex_group {
    const tlw_blob_vertex* vertices;
    const tlw_blob_skinning* skinning;
    const tlw_blob_binding* bindings;
    uint32_t joints;  // the largest number of joints of a vertex, 1 to 8
    uint32_t skinned; // bit i: vertex i has artist weights, and is skinned by them
} vertex_group;

// Sums over joints and voxels for eight vertices, one vertex per row until they are transposed:
//     low   rows 0 and 1 of L          high  row 0 of the slope, or delta; row 2 of L
//     more  rows 1 and 2 of the slope
typedef struct vertex_sums {
    tlw_f8x8 low, high, more;
} vertex_sums;

// What voxels add to L.
typedef enum voxel_part { NOTHING, DELTAS, SLOPES } voxel_part;

TLW_FORCE_INLINE f8 keep_lower(f8 a) {
    return tlw_f8_keep(tlw_m8_from_bits(0x0fu), a);
}

TLW_FORCE_INLINE f8 keep_upper(f8 a) {
    return tlw_f8_keep(tlw_m8_from_bits(0xf0u), a);
}

// The first summand of weighted 3x4 matrices, in two loads that overlap: rows 0 and 1 in `low`,
// rows 1 and 2 in `high`. Callers drop the row that they do not need in the end.
TLW_FORCE_INLINE void set_rows(const float* rows, float weight, f8* low, f8* high) {
    const f8 w = all(weight);
    *low = mul(tlw_f8_load(rows), w);
    *high = mul(tlw_f8_load(rows + 4), w);
}

TLW_FORCE_INLINE void add_rows(const float* rows, float weight, f8* low, f8* high) {
    const f8 w = all(weight);
    *low = mad(tlw_f8_load(rows), w, *low);
    *high = mad(tlw_f8_load(rows + 4), w, *high);
}

// Several indices in one load, because loads are what limits this stage.
TLW_FORCE_INLINE uint64_t load_indices(const void* from) {
    uint64_t indices;
    __builtin_memcpy(&indices, from, sizeof indices);
    return indices;
}

TLW_FORCE_INLINE void sum_joints(const tlw_affine* rows, const tlw_blob_skinning* skinning,
                                 uint32_t count, f8* low, f8* high) {
    const uint64_t indices = load_indices(skinning->joints);
    set_rows(rows[indices & 0xffffu].row[0], skinning->weights[0], low, high);
    for (uint32_t k = 1; k < count && k < 4; ++k) {
        add_rows(rows[indices >> 16 * k & 0xffffu].row[0], skinning->weights[k], low, high);
    }
    for (uint32_t k = 4; k < count; ++k) {
        add_rows(rows[skinning->joints[k]].row[0], skinning->weights[k], low, high);
    }
    *high = keep_upper(*high);
}

// Even and odd summands apart: one chain of eight additions would take longer than all the rest of
// a vertex.
TLW_FORCE_INLINE void sum_slots(const tlw_voxel_rows* rows, const tlw_blob_binding* binding,
                                f8* low, f8* high) {
    const float* weights = binding->weights;
    uint64_t indices = load_indices(binding->slots);
    f8 odd_low, odd_high;
    set_rows(rows[(uint32_t)indices].row[0], weights[0], low, high);
    set_rows(rows[indices >> 32].row[0], weights[1], &odd_low, &odd_high);
    for (int k = 2; k < 8; k += 2) {
        indices = load_indices(&binding->slots[k]);
        add_rows(rows[(uint32_t)indices].row[0], weights[k], low, high);
        add_rows(rows[indices >> 32].row[0], weights[k + 1], &odd_low, &odd_high);
    }
    *low = add(*low, odd_low);
    *high = add(*high, odd_high);
}

TLW_FORCE_INLINE f8 sum_deltas(const float (*deltas)[8], const tlw_blob_binding* binding) {
    const float* weights = binding->weights;
    uint64_t indices = load_indices(binding->slots);
    f8 even = mul(tlw_f8_load_aligned(deltas[(uint32_t)indices]), all(weights[0]));
    f8 odd = mul(tlw_f8_load_aligned(deltas[indices >> 32]), all(weights[1]));
    for (int k = 2; k < 8; k += 2) {
        indices = load_indices(&binding->slots[k]);
        even = mad(tlw_f8_load_aligned(deltas[(uint32_t)indices]), all(weights[k]), even);
        odd = mad(tlw_f8_load_aligned(deltas[indices >> 32]), all(weights[k + 1]), odd);
    }
    return add(even, odd);
}

TLW_FORCE_INLINE void add_voxel_part(const tlw_embed* e, const tlw_voxel_rows* slopes,
                                     const tlw_blob_binding* binding, voxel_part part, int i,
                                     vertex_sums* out) {
    if (part == DELTAS) {
        out->high.row[i] = add(out->high.row[i], sum_deltas((const float(*)[8])e->deltas, binding));
    }
    if (part == SLOPES) {
        f8 first, more;
        sum_slots(slopes, binding, &first, &more);
        out->high.row[i] = add(out->high.row[i], keep_lower(first));
        out->more.row[i] = more;
    }
}

// A vertex that follows voxels alone, in frames mode.
TLW_FORCE_INLINE void sum_by_frames(const tlw_embed* e, const vertex_group* group, voxel_part part,
                                    int i, vertex_sums* out) {
    sum_slots(e->frames, &group->bindings[i], &out->low.row[i], &out->high.row[i]);
    out->high.row[i] = keep_upper(out->high.row[i]);
    add_voxel_part(e, e->frame_slopes, &group->bindings[i], part, i, out);
}

TLW_FORCE_INLINE void sum_group_by_frames(const tlw_embed* e, const vertex_group* group,
                                          voxel_part part, vertex_sums* out) {
    for (int i = 0; i < TLW_LANES; ++i) {
        sum_by_frames(e, group, part, i, out);
    }
}

TLW_FORCE_INLINE void sum_group_by_joints(const tlw_embed* e, const vertex_group* group,
                                          uint32_t joints, voxel_part part, vertex_sums* out) {
    for (int i = 0; i < TLW_LANES; ++i) {
        sum_joints(e->joint_affines, &group->skinning[i], joints, &out->low.row[i],
                   &out->high.row[i]);
        add_voxel_part(e, e->slopes, &group->bindings[i], part, i, out);
    }
}

// The vertices of a group in delta mode that have no artist weights.
TLW_NOINLINE static void sum_unskinned(const tlw_embed* e, const vertex_group* group,
                                       voxel_part part, vertex_sums* out) {
    for (int i = 0; i < TLW_LANES; ++i) {
        if (group->skinned >> i & 1u) {
            continue;
        }
        if (part == DELTAS) {
            sum_by_frames(e, group, DELTAS, i, out);
        } else {
            sum_by_frames(e, group, SLOPES, i, out);
        }
    }
}

// All vertices of a group in delta mode.
TLW_FORCE_INLINE void sum_group(const tlw_embed* e, const vertex_group* group, voxel_part part,
                                vertex_sums* out) {
    switch (
        group->joints) { // constants unroll the loops; joints beyond a vertex's own have weight 0
    case 1:
    case 2:
        sum_group_by_joints(e, group, 2, part, out);
        break;
    case 3:
        sum_group_by_joints(e, group, 3, part, out);
        break;
    case 4:
        sum_group_by_joints(e, group, 4, part, out);
        break;
    default:
        sum_group_by_joints(e, group, 8, part, out);
        break;
    }
    if (TLW_UNLIKELY(group->skinned != 0xffu)) {
        sum_unskinned(e, group, part, out);
    }
}

// Finds group->joints and group->skinned.
TLW_FORCE_INLINE void classify_group(const tlw_embed* e, vertex_group* group) {
    group->skinned = 0;
    group->joints = 1;
    if (!e->is_delta) {
        return;
    }
    f8 weights[TLW_LANES];
    group->skinned = 0xffu;
    for (int i = 0; i < TLW_LANES; ++i) {
        weights[i] = tlw_f8_load(group->skinning[i].weights);
        if (e->has_unskinned && tlw_m8_none(tlw_f8_gt(weights[i], tlw_f8_zero()))) {
            group->skinned &= ~(1u << i);
        }
    }
    const f8 most = tlw_f8_max(
        tlw_f8_max(tlw_f8_max(weights[0], weights[1]), tlw_f8_max(weights[2], weights[3])),
        tlw_f8_max(tlw_f8_max(weights[4], weights[5]), tlw_f8_max(weights[6], weights[7])));
    const uint32_t used = tlw_m8_to_bits(tlw_f8_gt(most, tlw_f8_zero()));
    group->joints = 32u - (uint32_t)__builtin_clz(used | 1u);
}

// What the output asks for: deltas alone, positions too, or everything.
typedef enum output_kind { OUTPUT_DELTAS, OUTPUT_POSITIONS, OUTPUT_GRADIENTS } output_kind;

// Eight vertices of the output.
typedef struct embedded {
    f8x3 position, normal, tangent, delta;
} embedded;

// a / |a|. Where a has no length, `otherwise`, the rest vector, so that shaders never meet a zero
// that the asset does not have.
TLW_FORCE_INLINE f8x3 normalise3(f8x3 a, f8x3 otherwise) {
    const f8 by = inverse_length(dot3(a, a));
    return select3(tlw_f8_gt(by, tlw_f8_zero()), scale3(a, by), otherwise);
}

// cof(a) b
TLW_FORCE_INLINE f8x3 cofactor_times(const f8x9* a, f8x3 b) {
    return mad3(cross3(a->c[0], a->c[1]), b.z,
                mad3(cross3(a->c[2], a->c[0]), b.y, scale3(cross3(a->c[1], a->c[2]), b.x)));
}

TLW_FORCE_INLINE f8x3 embed_deltas(const tlw_embed* e, const vertex_group* group) {
    tlw_f8x8 sum;
    for (int i = 0; i < TLW_LANES; ++i) {
        sum.row[i] = sum_deltas((const float(*)[8])e->deltas, &group->bindings[i]);
    }
    sum = tlw_f8x8_transpose(sum);
    return (f8x3){sum.row[0], sum.row[1], sum.row[2]};
}

// Rest position, normal and the tangent's x and y, one vertex per row. Loaded after the sums, which
// need all registers.
TLW_FORCE_INLINE void load_rest(const vertex_group* group, tlw_f8x8* rest) {
    for (int i = 0; i < TLW_LANES; ++i) {
        rest->row[i] = tlw_f8_load(group->vertices[i].position);
    }
}

// L x0, plus delta where the vertex is skinned.
TLW_FORCE_INLINE f8x3 position_of(const vertex_group* group, const vertex_sums* sums, f8x3 at,
                                  f8x3 delta) {
    const tlw_f8x8 *low = &sums->low, *high = &sums->high;
    const f8x3 base = {
        add(mad(low->row[2], at.z, mad(low->row[1], at.y, mul(low->row[0], at.x))), low->row[3]),
        add(mad(low->row[6], at.z, mad(low->row[5], at.y, mul(low->row[4], at.x))), low->row[7]),
        add(mad(high->row[6], at.z, mad(high->row[5], at.y, mul(high->row[4], at.x))),
            high->row[7])};
    return add3(base, keep3(tlw_m8_from_bits(group->skinned), delta));
}

TLW_FORCE_INLINE void embed_positions(const tlw_embed* e, const vertex_group* group,
                                      embedded* out) {
    vertex_sums sums;
    tlw_f8x8 rest;
    if (e->is_delta) {
        sum_group(e, group, DELTAS, &sums);
    } else if (e->wants_deltas) {
        sum_group_by_frames(e, group, DELTAS, &sums);
    } else {
        sum_group_by_frames(e, group, NOTHING, &sums);
    }
    load_rest(group, &rest);
    sums.low = tlw_f8x8_transpose(sums.low);
    sums.high = tlw_f8x8_transpose(sums.high);
    rest = tlw_f8x8_transpose(rest);
    out->delta = (f8x3){sums.high.row[0], sums.high.row[1], sums.high.row[2]};
    out->position =
        position_of(group, &sums, (f8x3){rest.row[0], rest.row[1], rest.row[2]}, out->delta);
}

TLW_FORCE_INLINE void embed_gradients(const tlw_embed* e, const vertex_group* group,
                                      embedded* out) {
    vertex_sums sums;
    tlw_f8x8 rest;
    if (e->is_delta) {
        sum_group(e, group, SLOPES, &sums);
    } else {
        sum_group_by_frames(e, group, SLOPES, &sums);
    }
    load_rest(group, &rest);
    sums.low = tlw_f8x8_transpose(sums.low);
    sums.high = tlw_f8x8_transpose(sums.high);
    sums.more = tlw_f8x8_transpose(sums.more);
    rest = tlw_f8x8_transpose(rest);
    const tlw_f8x8 *l = &sums.low, *h = &sums.high, *m = &sums.more;
    out->delta = (f8x3){h->row[3], m->row[3], m->row[7]};
    out->position =
        position_of(group, &sums, (f8x3){rest.row[0], rest.row[1], rest.row[2]}, out->delta);
    const f8x9 gradient = {
        {{add(l->row[0], h->row[0]), add(l->row[4], m->row[0]), add(h->row[4], m->row[4])},
         {add(l->row[1], h->row[1]), add(l->row[5], m->row[1]), add(h->row[5], m->row[5])},
         {add(l->row[2], h->row[2]), add(l->row[6], m->row[2]), add(h->row[6], m->row[6])}}};
    const f8x3 normal = {rest.row[3], rest.row[4], rest.row[5]};
    out->normal = normalise3(cofactor_times(&gradient, normal), normal);
    out->tangent = zero3();
    if (e->output.tangents.data) {
        float z[TLW_LANES];
        for (int i = 0; i < TLW_LANES; ++i) {
            z[i] = group->vertices[i].tangent[2];
        }
        const f8x3 tangent = {rest.row[6], rest.row[7], tlw_f8_load(z)};
        const f8x3 deformed =
            mad3(gradient.c[2], tangent.z,
                 mad3(gradient.c[1], tangent.y, scale3(gradient.c[0], tangent.x)));
        out->tangent = normalise3(deformed, tangent);
    }
}

// ---- Streams

// One stream's elements of eight vertices that cannot be written in one go.
typedef struct elements {
    unsigned char* to;
    size_t stride, bytes; // per element; bytes is 6 or 12
    TLW_ALIGNAS(32) float floats[24];
    TLW_ALIGNAS(32) uint16_t halves[24];
} elements;

// True if all elements are written, false if `rest` is to be copied element by element.
TLW_FORCE_INLINE bool write_packed(const tlw_stream* stream, f8x3 value, uint64_t first,
                                   uint32_t count, elements* rest) {
    rest->bytes = stream->format == TLW_FORMAT_FLOAT32 ? 12 : 6;
    rest->stride = stream->stride_bytes ? stream->stride_bytes : rest->bytes;
    rest->to = (unsigned char*)stream->data + first * rest->stride;
    const bool is_packed = rest->stride == rest->bytes && count == TLW_LANES;
    if (is_packed && rest->bytes == 12) {
        tlw_f8x3_store((float*)(void*)rest->to, value);
        return true;
    }
    tlw_f8x3_store(rest->floats, value);
    if (rest->bytes == 6) {
        for (int i = 0; i < 24; i += TLW_LANES) {
            tlw_i8_store_u16(rest->halves + i,
                             tlw_i8_half_from_f8(tlw_f8_load_aligned(rest->floats + i)));
        }
        if (is_packed) {
            __builtin_memcpy(rest->to, rest->halves, sizeof rest->halves);
        }
    }
    return is_packed;
}

// Vertex by vertex, so that interleaved streams are written in order as well.
static void write_elements(const elements* streams, uint32_t stream_count, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t s = 0; s < stream_count; ++s) {
            unsigned char* to = streams[s].to + i * streams[s].stride;
            if (streams[s].bytes == 12) {
                __builtin_memcpy(to, streams[s].floats + 3 * i, 12);
            } else {
                __builtin_memcpy(to, streams[s].halves + 3 * i, 6);
            }
        }
    }
}

TLW_FORCE_INLINE void write_vertices(const tlw_embed* e, const embedded* group, output_kind kind,
                                     uint64_t first, uint32_t count) {
    const tlw_output* output = &e->output;
    elements rest[4];
    uint32_t left = 0;
    if (kind != OUTPUT_DELTAS && output->positions.data) {
        left += !write_packed(&output->positions, group->position, first, count, &rest[left]);
    }
    if (kind == OUTPUT_GRADIENTS && output->normals.data) {
        left += !write_packed(&output->normals, group->normal, first, count, &rest[left]);
    }
    if (kind == OUTPUT_GRADIENTS && output->tangents.data) {
        left += !write_packed(&output->tangents, group->tangent, first, count, &rest[left]);
    }
    if (output->deltas.data) {
        left += !write_packed(&output->deltas, group->delta, first, count, &rest[left]);
    }
    if (left) {
        write_elements(rest, left, count);
    }
}

TLW_FORCE_INLINE void embed_group(const tlw_embed* e, vertex_group* group, output_kind kind,
                                  uint64_t first, uint32_t count) {
    embedded out;
    if (kind == OUTPUT_DELTAS) {
        out.delta = embed_deltas(e, group);
    } else if (kind == OUTPUT_POSITIONS) {
        classify_group(e, group);
        embed_positions(e, group, &out);
    } else {
        classify_group(e, group);
        embed_gradients(e, group, &out);
    }
    write_vertices(e, &out, kind, first, count);
}

typedef struct group_records {
    tlw_blob_vertex vertices[TLW_LANES];
    tlw_blob_skinning skinning[TLW_LANES];
    tlw_blob_binding bindings[TLW_LANES];
} group_records;

// Fewer than eight vertices as eight, by repeating the last one.
static void fill_group(const tlw_blob_arrays* blob, size_t first, uint32_t count,
                       group_records* to) {
    for (uint32_t i = 0; i < TLW_LANES; ++i) {
        const size_t v = first + (i < count ? i : count - 1);
        to->vertices[i] = blob->vertices[v];
        to->skinning[i] = blob->skinning[v];
        to->bindings[i] = blob->bindings[v];
    }
}

TLW_FORCE_INLINE void embed_groups(const tlw_embed* e, output_kind kind, uint32_t first,
                                   uint32_t end) {
    const tlw_blob_arrays* blob = e->blob;
    group_records records;
    const uint32_t last = end < e->vertex_groups ? end : e->vertex_groups;
    for (uint32_t g = first; g < last; ++g) {
        const uint32_t at = g * TLW_LANES, left = e->vertex_count - at;
        const size_t v = (size_t)e->first_vertex + at;
        const uint32_t count = left < TLW_LANES ? left : TLW_LANES;
        vertex_group group = {.vertices = blob->vertices + v,
                              .skinning = blob->skinning + v,
                              .bindings = blob->bindings + v};
        if (count < TLW_LANES) {
            fill_group(blob, v, count, &records);
            group = (vertex_group){.vertices = records.vertices,
                                   .skinning = records.skinning,
                                   .bindings = records.bindings};
        }
        embed_group(e, &group, kind, at, count);
    }
}

// One function for each kind: in one function they would share registers and spill them.
TLW_NOINLINE static void embed_with_deltas(const tlw_embed* e, uint32_t first, uint32_t end) {
    embed_groups(e, OUTPUT_DELTAS, first, end);
}

TLW_NOINLINE static void embed_with_positions(const tlw_embed* e, uint32_t first, uint32_t end) {
    embed_groups(e, OUTPUT_POSITIONS, first, end);
}

TLW_NOINLINE static void embed_with_gradients(const tlw_embed* e, uint32_t first, uint32_t end) {
    embed_groups(e, OUTPUT_GRADIENTS, first, end);
}

// The lattice stream: a 3x4 matrix per voxel, which is its frame M.
static void write_lattice(const tlw_embed* e, uint64_t first, uint64_t end) {
    const tlw_stream* stream = &e->output.lattice;
    const size_t element = stream->format == TLW_FORMAT_FLOAT32 ? 48 : 24;
    const size_t stride = stream->stride_bytes ? stream->stride_bytes : element;
    unsigned char* to = (unsigned char*)stream->data + first * stride;
    for (uint64_t v = first; v < end; ++v, to += stride) {
        const float* from = e->frames[e->blob->voxel_slot[v]].row[0];
        if (element == 48) {
            __builtin_memcpy(to, from, 48);
        } else {
            uint16_t halves[16]; // rows 0 and 1, then row 2
            tlw_i8_store_u16(halves, tlw_i8_half_from_f8(tlw_f8_load(from)));
            tlw_i8_store_u16(halves + 4, tlw_i8_half_from_f8(tlw_f8_load(from + 4)));
            __builtin_memcpy(to, halves, 24);
        }
    }
}

void TLW_KERNEL(tlw_embed_vertices)(const tlw_embed* e, uint32_t first, uint32_t end) {
    if (e->wants_gradients) {
        embed_with_gradients(e, first, end);
    } else if (e->wants_base) {
        embed_with_positions(e, first, end);
    } else if (e->wants_deltas) {
        embed_with_deltas(e, first, end);
    }
    if (end > e->vertex_groups) {
        const uint32_t from = first > e->vertex_groups ? first - e->vertex_groups : 0;
        const uint64_t last = (uint64_t)(end - e->vertex_groups) * TLW_LANES;
        const uint64_t count = e->blob->lattice->voxel_count;
        write_lattice(e, (uint64_t)from * TLW_LANES, last < count ? last : count);
    }
}
