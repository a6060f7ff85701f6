// SPDX-License-Identifier: MIT
// Stage write: everything that was cooked, as one blob (runtime/blob.h), ready for the passes. Two
// walks over the same list of sections: the first measures, the second fills.
#include "tools/cook/stages.h"

#include "platform/checked.h"

#include <stdlib.h>
#include <string.h>

#define VERTEX_JOINTS 8

// Bytes on a multiple of 64, as the validator and the runtime want them.
static uint8_t* allocate_blob(size_t size) {
    size_t padded;
    uint8_t* bytes = NULL;
    if (tlw_align_size(size, TLW_BLOB_ALIGNMENT, &padded)) {
        void* block = malloc(padded + TLW_BLOB_ALIGNMENT);
        if (block != NULL) {
            uintptr_t aligned =
                ((uintptr_t)block + TLW_BLOB_ALIGNMENT) & ~(uintptr_t)(TLW_BLOB_ALIGNMENT - 1);
            bytes = (uint8_t*)block + (aligned - (uintptr_t)block);
            memcpy(bytes - sizeof block, &block, sizeof block); // for the free, below the start
            memset(bytes, 0, size);
        }
    }
    return bytes;
}

void tlw_cook_free_blob(uint8_t* bytes) {
    if (bytes != NULL) {
        void* block;
        memcpy(&block, bytes - sizeof block, sizeof block);
        free(block);
    }
}

typedef struct blob_writer {
    tlw_cook* cook;
    uint8_t* bytes; // null while measuring
    uint64_t end;
    uint32_t section_count;
    tlw_blob_section sections[TLW_SECTION_COUNT];
    // The strings, gathered before anything is written.
    char* strings;
    uint32_t string_bytes, string_room;
} blob_writer;

// A section of `count` elements: its place in the blob, or null while measuring.
static void* add_section(blob_writer* w, tlw_blob_section_kind kind, uint64_t count,
                         uint32_t element_bytes) {
    const uint64_t offset = (w->end + TLW_BLOB_ALIGNMENT - 1) & ~(uint64_t)(TLW_BLOB_ALIGNMENT - 1);
    w->sections[w->section_count++] = (tlw_blob_section){
        .kind = (uint32_t)kind, .offset = offset, .count = count, .element_bytes = element_bytes};
    w->end = offset + count * element_bytes;
    return w->bytes ? w->bytes + offset : NULL;
}

static uint32_t add_string(blob_writer* w, const char* text) {
    const uint32_t length = (uint32_t)strlen(text) + 1, at = w->string_bytes;
    if (at + length > w->string_room) {
        const uint32_t room = (at + length) * 2;
        char* grown = realloc(w->strings, room);
        if (grown == NULL) {
            tlw_cook_fail(w->cook, TLW_ERROR_OUT_OF_MEMORY, "the system refuses %u bytes", room);
            return 0;
        }
        w->strings = grown;
        w->string_room = room;
    }
    memcpy(w->strings + at, text, length);
    w->string_bytes += length;
    return at;
}

// What several sections agree on.
typedef struct blob_facts {
    uint32_t* joint_name;
    uint32_t* joint_part;
    uint32_t* mesh_name;
    uint32_t layer_name[TLW_COOK_LAYERS_MAX];
    uint32_t part_count, mesh_count;
    uint64_t vertex_count, index_count;
    bool has_uvs;
} blob_facts;

// Each joint's part: that of the nearest joint at or above it that has one; 0: the character's.
// Parents may come after their children, so each way up is walked until it meets a joint whose part
// is known, and again to say so below: every joint is passed twice at most.
static void find_parts(const tlw_cook* cook, uint32_t* joint_part) {
    const tlw_cook_joint* joints = cook->input->joints;
    const uint32_t count = cook->input->joint_count;
    const uint32_t unknown = UINT32_MAX;
    for (uint32_t j = 0; j < count; ++j) {
        joint_part[j] = unknown;
    }
    for (uint32_t p = 0; p < cook->recipe->part_count; ++p) { // the first of a joint named twice
        const uint32_t joint =
            tlw_find_joint_name(cook->names, count, cook->recipe->parts[p].joint);
        joint_part[joint] = joint_part[joint] == unknown ? p + 1 : joint_part[joint];
    }
    for (uint32_t j = 0; j < count; ++j) {
        uint32_t up = j;
        while (up != TLW_NO_JOINT && joint_part[up] == unknown) {
            up = joints[up].parent;
        }
        const uint32_t part = up != TLW_NO_JOINT ? joint_part[up] : 0;
        for (up = j; up != TLW_NO_JOINT && joint_part[up] == unknown; up = joints[up].parent) {
            joint_part[up] = part;
        }
    }
}

static uint32_t source_count(const tlw_cook_input* input) {
    return input->mesh_count + input->points_count;
}

// Meshes and bound points as one list of vertex sources. False for a mesh that is ignored.
static bool get_source(const tlw_cook_input* input, uint32_t index, tlw_cook_mesh* out) {
    if (index < input->mesh_count) {
        *out = input->meshes[index];
        return out->role != TLW_ROLE_IGNORE;
    }
    const tlw_cook_points* points = &input->points[index - input->mesh_count];
    *out = (tlw_cook_mesh){.name = points->name,
                           .role = TLW_ROLE_RIDE,
                           .vertex_count = points->count,
                           .positions = points->positions,
                           .normals = points->normals,
                           .influence_count = points->influence_count,
                           .joints = points->joints,
                           .weights = points->weights};
    return true;
}

static tlw_result gather_facts(tlw_cook* cook, blob_writer* w, blob_facts* facts) {
    const tlw_cook_input* input = cook->input;
    facts->joint_name = tlw_cook_allocate(cook, input->joint_count, sizeof *facts->joint_name);
    facts->joint_part = tlw_cook_allocate(cook, input->joint_count, sizeof *facts->joint_part);
    facts->mesh_name = tlw_cook_allocate(cook, source_count(input), sizeof *facts->mesh_name);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    for (uint32_t j = 0; j < input->joint_count; ++j) {
        facts->joint_name[j] = add_string(w, input->joints[j].name);
    }
    find_parts(cook, facts->joint_part);
    for (uint32_t i = 0; i < cook->recipe->layer_count; ++i) {
        facts->layer_name[i] = add_string(w, cook->recipe->layers[i].name);
    }
    facts->part_count = cook->recipe->part_count + 1;
    for (uint32_t i = 0; i < source_count(input); ++i) {
        tlw_cook_mesh mesh;
        if (get_source(input, i, &mesh)) {
            facts->mesh_name[facts->mesh_count++] = add_string(w, mesh.name ? mesh.name : "");
            facts->vertex_count += mesh.vertex_count;
            facts->index_count += (uint64_t)mesh.triangle_count * 3;
            facts->has_uvs = facts->has_uvs || mesh.uvs != NULL;
        }
    }
    if (facts->vertex_count >= UINT32_MAX / 4 || facts->index_count >= UINT32_MAX / 4) {
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE, "%llu vertices to bind",
                             (unsigned long long)facts->vertex_count);
    }
    return cook->error.result;
}

static void write_lattice(blob_writer* w, const blob_facts* facts) {
    const tlw_cook* cook = w->cook;
    tlw_blob_lattice* l = add_section(w, TLW_SECTION_LATTICE, 1, sizeof *l);
    if (l == NULL) {
        return;
    }
    const double extent = cook->grid.extent / cook->grid.voxel;
    const double scale = (extent + 0.5) / 32.0; // the resolution is the extent and a half
    *l = (tlw_blob_lattice){
        .voxel_metres = cook->grid.voxel,
        .origin = {cook->grid.origin.x, cook->grid.origin.y, cook->grid.origin.z},
        .extent_voxels = extent,
        .size = {(uint32_t)cook->grid.size.x, (uint32_t)cook->grid.size.y,
                 (uint32_t)cook->grid.size.z},
        .lane_axis = cook->order.lane_axis,
        .voxel_count = cook->voxels.count,
        .slot_count = cook->order.slot_count,
        .window_count = cook->order.window_count,
        .joint_count = cook->input->joint_count,
        .layer_count = cook->recipe->layer_count,
        .part_count = facts->part_count,
        .region_width = cook->recipe->region_width,
        .neighbours = cook->recipe->neighbours,
        .vertex_count = (uint32_t)facts->vertex_count,
        .max_d_skin = cook->anatomy.max_d_skin,
        .anchor_hz = cook->recipe->anchor_hz,
        .stiffness_scale = (float)(scale * scale),
        .cost = (float)cook->order.window_count,
        .has_artist_weights = cook->has_artist_weights,
        .site_count = cook->order.site_count,
        .pair_count = cook->pairs.count,
        .region_count = cook->region_count,
        .influence_count = cook->influences.count,
    };
}

static void write_skeleton(blob_writer* w, const blob_facts* facts) {
    const tlw_cook_input* input = w->cook->input;
    uint8_t* strings = add_section(w, TLW_SECTION_STRINGS, w->string_bytes, 1);
    if (strings) {
        memcpy(strings, w->strings, w->string_bytes);
    }
    tlw_blob_joint* joints = add_section(w, TLW_SECTION_JOINTS, input->joint_count, sizeof *joints);
    for (uint32_t j = 0; joints && j < input->joint_count; ++j) {
        memcpy(joints[j].bind, input->joints[j].bind, sizeof joints[j].bind);
        joints[j].parent = input->joints[j].parent;
        joints[j].name = facts->joint_name[j];
        joints[j].part = facts->joint_part[j];
        joints[j].is_kept = w->cook->skeleton.joints[j].is_kept;
    }
}

static void widen_box(tlw_blob_joint_box* box, tlw_int3 cell) {
    const int16_t at[3] = {(int16_t)cell.x, (int16_t)cell.y, (int16_t)cell.z};
    const bool is_empty = box->low[0] > box->high[0];
    for (int i = 0; i < 3; ++i) {
        box->low[i] = is_empty || at[i] < box->low[i] ? at[i] : box->low[i];
        box->high[i] = is_empty || at[i] > box->high[i] ? at[i] : box->high[i];
    }
}

static void write_boxes_and_pairs(blob_writer* w) {
    const tlw_cook* cook = w->cook;
    const uint32_t joint_count = cook->input->joint_count;
    tlw_blob_joint_box* boxes = add_section(w, TLW_SECTION_JOINT_BOX, joint_count, sizeof *boxes);
    tlw_blob_joint_pair* pairs =
        add_section(w, TLW_SECTION_JOINT_PAIRS, cook->pairs.count, sizeof *pairs);
    if (pairs == NULL) {
        return;
    }
    for (uint32_t i = 0; i < cook->pairs.count; ++i) {
        const uint32_t pair = cook->pairs.list[i];
        pairs[i] = (tlw_blob_joint_pair){.joint = (uint16_t)(pair & 0xFFFF),
                                         .reference = (uint16_t)(pair >> 16)};
    }
    for (uint32_t j = 0; j < joint_count; ++j) {
        boxes[j] = (tlw_blob_joint_box){{0, 0, 0}, {-1, -1, -1}};
    }
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const tlw_int3 cell = tlw_cook_turn(cook->voxels.coordinates[v], cook->order.lane_axis);
        for (uint32_t k = 0; k < tlw_influence_count(cook, v); ++k) {
            widen_box(&boxes[cook->weights[v].joint[k]], cell);
        }
    }
}

static uint32_t part_of_voxel(const tlw_cook* cook, const blob_facts* facts, uint32_t voxel) {
    return facts->joint_part[cook->weights[voxel].joint[0]];
}

static void write_materials(blob_writer* w, const blob_facts* facts) {
    const tlw_cook* cook = w->cook;
    const tlw_cook_recipe* recipe = cook->recipe;
    tlw_blob_layer* layers =
        add_section(w, TLW_SECTION_LAYERS, recipe->layer_count, sizeof *layers);
    tlw_blob_part* parts = add_section(w, TLW_SECTION_PARTS, facts->part_count, sizeof *parts);
    tlw_blob_material* materials =
        add_section(w, TLW_SECTION_MATERIALS, (uint64_t)facts->part_count * recipe->layer_count,
                    sizeof *materials);
    if (materials == NULL) {
        return;
    }
    for (uint32_t i = 0; i < recipe->layer_count; ++i) {
        layers[i].name = facts->layer_name[i];
    }
    for (uint32_t p = 0; p < facts->part_count; ++p) {
        const tlw_cook_part* part = p > 0 ? &recipe->parts[p - 1] : NULL;
        parts[p].joint =
            part ? tlw_find_joint_name(cook->names, cook->input->joint_count, part->joint)
                 : TLW_BLOB_NO_INDEX;
        for (uint32_t i = 0; i < recipe->layer_count; ++i) {
            const tlw_cook_layer* layer = &recipe->layers[i];
            materials[p * recipe->layer_count + i] = (tlw_blob_material){
                part && part->stiffness[i] >= 0.0f ? part->stiffness[i] : layer->stiffness,
                part && part->damping[i] >= 0.0f ? part->damping[i] : layer->damping};
        }
    }
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        layers[cook->anatomy.layer[v]].voxel_count += 1;
        parts[part_of_voxel(cook, facts, v)].voxel_count += 1;
    }
}

static void write_windows(blob_writer* w) {
    const tlw_cook_order* order = &w->cook->order;
    tlw_blob_window* windows =
        add_section(w, TLW_SECTION_WINDOWS, order->window_count, sizeof *windows);
    const tlw_cook_influences* lists = &w->cook->influences;
    uint16_t* joints = add_section(w, TLW_SECTION_INFLUENCE_JOINT, lists->count, sizeof *joints);
    float* weights = add_section(w, TLW_SECTION_INFLUENCE_WEIGHT,
                                 (uint64_t)lists->count * TLW_BLOB_LANES, sizeof *weights);
    tlw_blob_block* blocks =
        add_section(w, TLW_SECTION_BLOCKS, (uint64_t)order->block_count + 1, sizeof *blocks);
    float* welded = add_section(w, TLW_SECTION_SITE_KIND, order->site_count, sizeof *welded);
    if (welded == NULL) {
        return;
    }
    memcpy(joints, lists->joints, lists->count * sizeof *joints);
    memcpy(weights, lists->weights, (size_t)lists->count * TLW_BLOB_LANES * sizeof *weights);
    memcpy(blocks, order->blocks, (order->block_count + 1) * sizeof *blocks);
    for (uint32_t i = 0; i < order->window_count; ++i) {
        const tlw_cook_window* from = &order->windows[i];
        tlw_blob_window* to = &windows[i];
        memcpy(to->rows, from->rows, sizeof to->rows);
        to->cell[0] = (int16_t)from->cell.x;
        to->cell[1] = (int16_t)from->cell.y;
        to->cell[2] = (int16_t)from->cell.z;
        to->occupied = from->occupied;
        memcpy(to->links, from->links, sizeof to->links);
        to->first_influence = from->first_influence;
        to->influences = from->influences;
        to->flags = from->flags;
    }
    for (uint32_t v = 0; v < w->cook->voxels.count; ++v) {
        welded[tlw_cook_site(order, order->slot_of_voxel[v])] =
            w->cook->anatomy.layer[v] == 0 ? TLW_SITE_BONE : TLW_SITE_SOFT;
    }
}

// design.md, cooking rule 9, and its Eq. 13.
static float limit_of(const tlw_cook* cook, uint32_t voxel) {
    const double by_extent =
        (double)cook->recipe->limit_extent * (cook->grid.extent / cook->grid.voxel);
    const double by_thickness =
        (double)cook->recipe->limit_thickness * ((double)cook->anatomy.thickness[voxel] + 1.0);
    return (float)(by_extent < by_thickness ? by_extent : by_thickness);
}

static float volume_weight_of(const tlw_cook* cook, uint32_t voxel) {
    const uint32_t deepest = cook->anatomy.max_d_skin > 1 ? cook->anatomy.max_d_skin : 1;
    return cook->anatomy.layer[voxel] == 0
               ? 0.0f
               : (float)(1.0 - (double)cook->anatomy.d_skin[voxel] / (double)deepest);
}

static bool is_in_set(uint32_t neighbours, int step) {
    const uint8_t length = tlw_link_lengths[step];
    switch (neighbours) {
    case 6:
        return length == 1;
    case 14:
        return length != 2;
    case 18:
        return length != 3;
    case 20:
        return length != 1;
    default:
        return true;
    }
}

static uint8_t neighbour_count(const tlw_cook* cook, uint32_t voxel) {
    uint8_t count = 0;
    for (int step = 0; step < 26; ++step) {
        count = (uint8_t)(count + ((cook->links.masks[voxel] >> step & 1) &&
                                   is_in_set(cook->recipe->neighbours, step)));
    }
    return count;
}

static void sum_moments(const tlw_cook* cook, uint32_t voxel, int16_t sum[TLW_MOMENT_COUNT]) {
    memset(sum, 0, TLW_MOMENT_COUNT * sizeof *sum);
    for (int step = -1; step < 26; ++step) { // -1: the voxel itself
        if (step >= 0 && !(cook->links.masks[voxel] >> step & 1)) {
            continue;
        }
        const uint32_t other = step < 0 ? voxel : tlw_linked_voxel(cook, voxel, step);
        const tlw_int3 o = step < 0 ? (tlw_int3){0, 0, 0}
                                    : tlw_cook_turn(tlw_link_steps[step], cook->order.lane_axis);
        const int m = cook->anatomy.layer[other] == 0 ? TLW_BONE_MASS : 1;
        const int parts[TLW_MOMENT_COUNT] = {
            m * o.x,       m * o.y,       m * o.z,       m,
            m * o.x * o.x, m * o.y * o.y, m * o.z * o.z, m * o.x * o.y,
            m * o.x * o.z, m * o.y * o.z};
        for (int e = 0; e < TLW_MOMENT_COUNT; ++e) {
            sum[e] = (int16_t)(sum[e] + parts[e]);
        }
    }
}

// Face steps along x, y, z.
static const int face_minus[3] = {12, 10, 4}, face_plus[3] = {13, 15, 21};

// Of both sides along an axis that was turned.
static float volume_pair_of(const tlw_cook* cook, uint32_t voxel, uint32_t turned_axis) {
    const uint32_t axis = (cook->order.lane_axis + turned_axis) % 3;
    const int steps[2] = {face_minus[axis], face_plus[axis]};
    float sum = 0.0f;
    for (int i = 0; i < 2; ++i) {
        if (cook->links.masks[voxel] >> steps[i] & 1) {
            sum += volume_weight_of(cook, tlw_linked_voxel(cook, voxel, steps[i]));
        }
    }
    return sum;
}

// What is not linked on the one side only, the voxel stands for itself.
static int8_t volume_end_of(const tlw_cook* cook, uint32_t voxel, uint32_t turned_axis) {
    const uint32_t axis = (cook->order.lane_axis + turned_axis) % 3,
                   mask = cook->links.masks[voxel];
    return (int8_t)((int)(mask >> face_minus[axis] & 1) - (int)(mask >> face_plus[axis] & 1));
}

static void write_slots(blob_writer* w, const blob_facts* facts) {
    const tlw_cook* cook = w->cook;
    const uint32_t slots = cook->order.slot_count;
    uint32_t* voxel = add_section(w, TLW_SECTION_SLOT_VOXEL, slots, sizeof *voxel);
    uint8_t* layer = add_section(w, TLW_SECTION_SLOT_LAYER, slots, sizeof *layer);
    uint16_t* material = add_section(w, TLW_SECTION_SLOT_MATERIAL, slots, sizeof *material);
    float* limit = add_section(w, TLW_SECTION_SLOT_LIMIT, slots, sizeof *limit);
    float* volume = add_section(w, TLW_SECTION_SLOT_VOLUME_WEIGHT, slots, sizeof *volume);
    float* pair = add_section(w, TLW_SECTION_SLOT_VOLUME_PAIR, (uint64_t)slots * 3, sizeof *pair);
    int8_t* end = add_section(w, TLW_SECTION_SLOT_VOLUME_END, (uint64_t)slots * 3, sizeof *end);
    uint8_t* neighbours = add_section(w, TLW_SECTION_SLOT_NEIGHBOURS, slots, sizeof *neighbours);
    uint8_t* regions = add_section(w, TLW_SECTION_SLOT_REGIONS, slots, sizeof *regions);
    int16_t* moments = add_section(w, TLW_SECTION_SLOT_MOMENT, (uint64_t)slots * TLW_MOMENT_COUNT,
                                   sizeof *moments);
    for (uint32_t s = 0; moments && s < slots; ++s) {
        const uint32_t v = voxel[s] = cook->order.voxel_of_slot[s];
        if (v == TLW_NO_VOXEL) {
            layer[s] = TLW_BLOB_EMPTY_LAYER;
            continue;
        }
        layer[s] = cook->anatomy.layer[v];
        material[s] =
            (uint16_t)(part_of_voxel(cook, facts, v) * cook->recipe->layer_count + layer[s]);
        limit[s] = limit_of(cook, v);
        volume[s] = volume_weight_of(cook, v);
        for (uint32_t axis = 0; axis < 3; ++axis) {
            pair[(size_t)axis * slots + s] = volume_pair_of(cook, v, axis);
            end[(size_t)axis * slots + s] = volume_end_of(cook, v, axis);
        }
        neighbours[s] = neighbour_count(cook, v);
        regions[s] = cook->recipe->region_width == 2
                         ? 8
                         : (uint8_t)(1 + __builtin_popcount(cook->links.masks[v]));
        int16_t sum[TLW_MOMENT_COUNT];
        sum_moments(cook, v, sum);
        for (uint32_t e = 0; e < TLW_MOMENT_COUNT; ++e) {
            moments[(size_t)e * slots + s] = sum[e];
        }
    }
}

static void write_regions(blob_writer* w) {
    const tlw_cook* cook = w->cook;
    const tlw_cook_order* order = &cook->order;
    const uint32_t count = cook->region_count;
    const uint64_t slots = cook->recipe->region_width == 2 ? order->slot_count : 0;
    const uint64_t stride = tlw_blob_region_stride(&(tlw_blob_lattice){.region_count = count});
    uint32_t* region_of = add_section(w, TLW_SECTION_SLOT_REGION, slots * 8, sizeof *region_of);
    uint32_t* sites = add_section(w, TLW_SECTION_REGION_SITE, stride * 8, sizeof *sites);
    uint32_t* first = add_section(w, TLW_SECTION_REGION_FIRST, count, sizeof *first);
    for (uint32_t r = 0; first && r < count; ++r) {
        first[r] = UINT32_MAX;
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t voxel = cook->regions[cook->region_order[r]].voxels[i];
            if (voxel == TLW_NO_VOXEL) {
                continue;
            }
            const uint32_t k = tlw_turned_member(i, order->lane_axis);
            const uint32_t slot = order->slot_of_voxel[voxel];
            sites[k * stride + r] = tlw_cook_site(order, slot);
            region_of[k * slots + slot] = r;
            first[r] = slot < first[r] ? slot : first[r];
        }
    }
}

static uint16_t narrow(uint32_t distance) {
    return distance < UINT16_MAX ? (uint16_t)distance : UINT16_MAX;
}

static void write_voxels(blob_writer* w) {
    const tlw_cook* cook = w->cook;
    const uint32_t count = cook->voxels.count;
    uint32_t* slot = add_section(w, TLW_SECTION_VOXEL_SLOT, count, sizeof *slot);
    tlw_blob_cell* cells = add_section(w, TLW_SECTION_VOXEL_CELL, count, sizeof *cells);
    for (uint32_t v = 0; cells && v < count; ++v) {
        const tlw_int3 c = cook->voxels.coordinates[v];
        slot[v] = cook->order.slot_of_voxel[v];
        cells[v] = (tlw_blob_cell){.x = (int16_t)c.x,
                                   .y = (int16_t)c.y,
                                   .z = (int16_t)c.z,
                                   .d_skin = narrow(cook->anatomy.d_skin[v]),
                                   .d_bone = narrow(cook->anatomy.d_bone[v]),
                                   .d_seg = narrow(cook->anatomy.d_seg[v]),
                                   .thickness = narrow(cook->anatomy.thickness[v])};
    }
}

// The eight largest, largest first, normalised; all zero where the vertex has none.
static tlw_blob_skinning skinning_of(const tlw_cook* cook, const tlw_cook_mesh* mesh,
                                     uint32_t vertex) {
    tlw_blob_skinning out = {{0}, {0}};
    double kept[VERTEX_JOINTS] = {0}, sum = 0.0;
    for (uint32_t k = 0; k < mesh->influence_count; ++k) {
        const size_t at = (size_t)vertex * mesh->influence_count + k;
        const double weight = (double)mesh->weights[at];
        if (!(weight > kept[VERTEX_JOINTS - 1]) || cook->is_excluded[mesh->joints[at]]) {
            continue;
        }
        int place = VERTEX_JOINTS - 1;
        while (place > 0 && weight > kept[place - 1]) {
            kept[place] = kept[place - 1];
            out.joints[place] = out.joints[place - 1];
            place -= 1;
        }
        kept[place] = weight;
        out.joints[place] = (uint16_t)mesh->joints[at];
    }
    for (int i = 0; i < VERTEX_JOINTS; ++i) {
        sum += kept[i];
    }
    for (int i = 0; i < VERTEX_JOINTS && sum > 0.0; ++i) {
        out.weights[i] = (float)(kept[i] / sum);
    }
    return out;
}

static tlw_blob_binding binding_of(const tlw_cook* cook, const float* position) {
    const tlw_cook_binding binding = tlw_cook_bind_point(
        cook, (tlw_double3){(double)position[0], (double)position[1], (double)position[2]});
    tlw_blob_binding out;
    for (uint32_t i = 0; i < 8;
         ++i) { // unused places name a voxel of their own, so that none is special
        const uint32_t from = i < binding.count ? i : 0;
        out.slots[i] = cook->order.slot_of_voxel[binding.voxel[from]];
        out.weights[i] = i < binding.count ? (float)binding.weight[i] : 0.0f;
    }
    return out;
}

static void write_meshes(blob_writer* w, const blob_facts* facts) {
    const tlw_cook* cook = w->cook;
    tlw_blob_mesh* meshes = add_section(w, TLW_SECTION_MESHES, facts->mesh_count, sizeof *meshes);
    tlw_blob_vertex* vertices =
        add_section(w, TLW_SECTION_VERTICES, facts->vertex_count, sizeof *vertices);
    tlw_blob_skinning* skinning =
        add_section(w, TLW_SECTION_SKINNING, facts->vertex_count, sizeof *skinning);
    tlw_blob_binding* bindings =
        add_section(w, TLW_SECTION_BINDINGS, facts->vertex_count, sizeof *bindings);
    uint32_t* indices = add_section(w, TLW_SECTION_INDICES, facts->index_count, sizeof *indices);
    float* uvs = facts->has_uvs
                     ? add_section(w, TLW_SECTION_UVS, facts->vertex_count * 2, sizeof *uvs)
                     : NULL;
    uint32_t at = 0, first_vertex = 0, first_index = 0;
    for (uint32_t i = 0; meshes && i < source_count(cook->input); ++i) {
        tlw_cook_mesh mesh;
        if (!get_source(cook->input, i, &mesh)) {
            continue;
        }
        meshes[at] = (tlw_blob_mesh){.name = facts->mesh_name[at],
                                     .first_vertex = first_vertex,
                                     .vertex_count = mesh.vertex_count,
                                     .first_index = first_index,
                                     .index_count = mesh.triangle_count * 3,
                                     .has_normals = mesh.normals != NULL,
                                     .has_tangents = mesh.tangents != NULL,
                                     .is_points = i >= cook->input->mesh_count};
        for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
            tlw_blob_vertex* vertex = &vertices[first_vertex + v];
            memcpy(vertex->position, mesh.positions + (size_t)v * 3, sizeof vertex->position);
            if (mesh.normals) {
                memcpy(vertex->normal, mesh.normals + (size_t)v * 3, sizeof vertex->normal);
            }
            if (mesh.tangents) {
                memcpy(vertex->tangent, mesh.tangents + (size_t)v * 4, sizeof vertex->tangent);
            }
            if (mesh.uvs) {
                memcpy(uvs + (size_t)(first_vertex + v) * 2, mesh.uvs + (size_t)v * 2,
                       2 * sizeof *uvs);
            }
            skinning[first_vertex + v] = skinning_of(cook, &mesh, v);
            bindings[first_vertex + v] = binding_of(cook, vertex->position);
        }
        for (uint32_t k = 0; k < mesh.triangle_count * 3; ++k) {
            indices[first_index + k] = first_vertex + mesh.indices[k];
        }
        first_vertex += mesh.vertex_count;
        first_index += mesh.triangle_count * 3;
        at += 1;
    }
}

static void write_all(blob_writer* w, const blob_facts* facts) {
    const uint32_t count = TLW_SECTION_COUNT - (facts->has_uvs ? 0 : 1);
    w->end = sizeof(tlw_blob_header) + (uint64_t)count * sizeof(tlw_blob_section);
    w->section_count = 0;
    write_lattice(w, facts);
    write_skeleton(w, facts);
    write_boxes_and_pairs(w);
    write_materials(w, facts);
    write_windows(w);
    write_slots(w, facts);
    write_regions(w);
    write_voxels(w);
    write_meshes(w, facts);
}

tlw_result tlw_cook_write(tlw_cook* cook, uint8_t** bytes, size_t* size) {
    blob_writer w = {.cook = cook};
    blob_facts facts = {0};
    tlw_result result = gather_facts(cook, &w, &facts);
    if (result == TLW_OK) {
        write_all(&w, &facts);
        const uint64_t limit = cook->recipe->max_memory_bytes; // stages and blob together
        if (w.end > limit - cook->memory_bytes) {
            result = tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                                   "a blob of %llu bytes passes the limit of %llu bytes",
                                   (unsigned long long)w.end, (unsigned long long)limit);
        } else {
            w.bytes = tlw_size_from_u64(w.end, size) ? allocate_blob(*size) : NULL;
        }
        if (result == TLW_OK && w.bytes == NULL) {
            result = tlw_cook_fail(cook, TLW_ERROR_OUT_OF_MEMORY,
                                   "no memory for a blob of %llu bytes", (unsigned long long)w.end);
        }
    }
    if (result == TLW_OK) {
        write_all(&w, &facts);
        tlw_blob_header* header = (tlw_blob_header*)w.bytes;
        memcpy(header->magic, TLW_BLOB_MAGIC, sizeof header->magic);
        header->format_version = TLW_BLOB_FORMAT_VERSION;
        header->byte_order = TLW_BLOB_BYTE_ORDER;
        header->layout_hash = tlw_blob_layout_hash();
        header->total_bytes = *size;
        header->section_count = w.section_count;
        header->lattice_count = 1;
        memcpy(header + 1, w.sections, w.section_count * sizeof *w.sections);
        header->content_hash = tlw_xxh64(header + 1, *size - sizeof *header, 0);
        *bytes = w.bytes;
    }
    tlw_cook_free(cook, facts.joint_name, cook->input->joint_count, sizeof *facts.joint_name);
    tlw_cook_free(cook, facts.joint_part, cook->input->joint_count, sizeof *facts.joint_part);
    tlw_cook_free(cook, facts.mesh_name, source_count(cook->input), sizeof *facts.mesh_name);
    free(w.strings);
    return result;
}
