// SPDX-License-Identifier: MIT
// Stage write (RULES 11): lays out everything that was cooked as one blob (runtime/blob.h), ready
// for the passes. Reads what all stages left; writes cook->blob. The table of sections is walked
// twice: once to place the sections, once to fill them by the function write_FIELD of each.
#include "tools/cook/stages.h"

#include "platform/checked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Zeroed bytes on a multiple of 64, which the validator and the runtime ask for.
static uint8_t* allocate_blob(size_t size) {
    size_t padded;
    uint8_t* bytes = NULL;
    if (tlw_align_size(size, TLW_BLOB_ALIGNMENT, &padded)) {
        void* memory = malloc(padded + TLW_BLOB_ALIGNMENT);
        if (memory != NULL) {
            uintptr_t aligned =
                ((uintptr_t)memory + TLW_BLOB_ALIGNMENT) & ~(uintptr_t)(TLW_BLOB_ALIGNMENT - 1);
            bytes = (uint8_t*)memory + (aligned - (uintptr_t)memory);
            memcpy(bytes - sizeof memory, &memory, sizeof memory); // for tlw_cook_free_blob
            memset(bytes, 0, size);
        }
    }
    return bytes;
}

void tlw_cook_free_blob(uint8_t* bytes) {
    if (bytes != NULL) {
        void* memory;
        memcpy(&memory, bytes - sizeof memory, sizeof memory);
        free(memory);
    }
}

typedef struct blob_writer {
    const tlw_cook* cook;
    tlw_blob_lattice lattice;
    // Offsets into the strings section: names of joints first, then layers, meshes, profiles.
    uint64_t layer_names, mesh_names, profile_names, muscle_names, string_bytes;
    uint64_t size; // of the blob, bytes
    uint32_t section_count;
    tlw_blob_section sections[TLW_SECTION_COUNT];
} blob_writer;

// Sections, each filled by a function named after its field. The memory is zeroed before.

static tlw_blob_lattice describe_lattice(const tlw_cook* cook) {
    const double extent = cook->grid.extent / cook->grid.voxel;
    const double scale = (extent + 0.5) / 32.0; // the extent is the resolution less a half
    return (tlw_blob_lattice){
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
        .part_count = cook->parts.count,
        .region_width = cook->recipe->region_width,
        .neighbours = cook->recipe->neighbours,
        .vertex_count = cook->sources.vertex_count,
        .max_d_skin = cook->anatomy.max_d_skin,
        .stiffness_scale = (float)(scale * scale),
        .cost = (float)cook->order.window_count,
        .has_artist_weights = cook->has_artist_weights,
        .site_count = cook->order.site_count,
        .pair_count = cook->pairs.count,
        .region_count = cook->region_count,
        .influence_count = cook->influences.count,
        .group_count = cook->groups.count,
        .skinning = (uint32_t)cook->recipe->skinning,
        .profile_count = cook->profiles.count + 1,
        .rest_gravity = {cook->recipe->rest_gravity[0], cook->recipe->rest_gravity[1],
                         cook->recipe->rest_gravity[2]},
        .limb_count = cook->limbs.count,
        .muscle_count = cook->muscles.count,
        .lame_windows = cook->lame.window_count,
    };
}

static void write_lattice(const blob_writer* w, tlw_blob_lattice* to) {
    *to = w->lattice;
}

static uint32_t name_bytes(const char* name) {
    return (name ? (uint32_t)strlen(name) : 0) + 1;
}

static uint8_t* write_name(uint8_t* to, const char* name) {
    memcpy(to, name ? name : "", name_bytes(name));
    return to + name_bytes(name);
}

static void write_strings(const blob_writer* w, uint8_t* to) {
    const tlw_cook* cook = w->cook;
    for (uint32_t j = 0; j < cook->input->joint_count; ++j) {
        to = write_name(to, cook->input->joints[j].name);
    }
    for (uint32_t i = 0; i < cook->recipe->layer_count; ++i) {
        to = write_name(to, cook->recipe->layers[i].name);
    }
    for (uint32_t i = 0; i < cook->sources.count; ++i) {
        to = write_name(to, cook->sources.list[i].mesh.name);
    }
    for (uint32_t i = 0; i < cook->profiles.count; ++i) {
        to = write_name(to, cook->recipe->profiles[i].name);
    }
    for (uint32_t i = 0; i < cook->muscles.count; ++i) {
        to = write_name(to, cook->muscles.names[i]);
    }
}

static void measure_strings(blob_writer* w) {
    const tlw_cook* cook = w->cook;
    for (uint32_t j = 0; j < cook->input->joint_count; ++j) {
        w->string_bytes += name_bytes(cook->input->joints[j].name);
    }
    w->layer_names = w->string_bytes;
    for (uint32_t i = 0; i < cook->recipe->layer_count; ++i) {
        w->string_bytes += name_bytes(cook->recipe->layers[i].name);
    }
    w->mesh_names = w->string_bytes;
    for (uint32_t i = 0; i < cook->sources.count; ++i) {
        w->string_bytes += name_bytes(cook->sources.list[i].mesh.name);
    }
    w->profile_names = w->string_bytes;
    for (uint32_t i = 0; i < cook->profiles.count; ++i) {
        w->string_bytes += name_bytes(cook->recipe->profiles[i].name);
    }
    w->muscle_names = w->string_bytes;
    for (uint32_t i = 0; i < cook->muscles.count; ++i) {
        w->string_bytes += name_bytes(cook->muscles.names[i]);
    }
}

static void write_joints(const blob_writer* w, tlw_blob_joint* to) {
    const tlw_cook* cook = w->cook;
    uint32_t name = 0;
    for (uint32_t j = 0; j < cook->input->joint_count; ++j) {
        const tlw_cook_joint* joint = &cook->input->joints[j];
        memcpy(to[j].bind, joint->bind, sizeof to[j].bind);
        to[j].parent = joint->parent;
        to[j].name = name;
        to[j].part = cook->parts.of_joint[j];
        to[j].is_kept = cook->skeleton.joints[j].is_kept;
        name += name_bytes(joint->name);
    }
}

static void write_joint_box(const blob_writer* w, tlw_blob_joint_box* to) {
    memcpy(to, w->cook->boxes, w->lattice.joint_count * sizeof *to);
}

static void write_joint_pairs(const blob_writer* w, tlw_blob_joint_pair* to) {
    for (uint32_t i = 0; i < w->cook->pairs.count; ++i) {
        const uint32_t pair = w->cook->pairs.list[i];
        to[i] = (tlw_blob_joint_pair){.joint = (uint16_t)(pair & 0xFFFF),
                                      .reference = (uint16_t)(pair >> 16)};
    }
}

static void write_layers(const blob_writer* w, tlw_blob_layer* to) {
    uint32_t name = (uint32_t)w->layer_names;
    for (uint32_t i = 0; i < w->lattice.layer_count; ++i) {
        to[i] = (tlw_blob_layer){name, w->cook->anatomy.layer_voxels[i]};
        name += name_bytes(w->cook->recipe->layers[i].name);
    }
}

static void write_parts(const blob_writer* w, tlw_blob_part* to) {
    memcpy(to, w->cook->parts.list, w->lattice.part_count * sizeof *to);
}

static void write_materials(const blob_writer* w, tlw_blob_material* to) {
    memcpy(to, w->cook->parts.materials,
           (size_t)w->lattice.part_count * w->lattice.layer_count * sizeof *to);
}

static void write_windows(const blob_writer* w, tlw_blob_window* to) {
    for (uint32_t i = 0; i < w->lattice.window_count; ++i) {
        const tlw_cook_window* from = &w->cook->order.windows[i];
        memcpy(to[i].rows, from->rows, sizeof to[i].rows);
        to[i].first_influence = from->first_influence;
        to[i].cell[0] = (int16_t)from->cell.x;
        to[i].cell[1] = (int16_t)from->cell.y;
        to[i].cell[2] = (int16_t)from->cell.z;
        to[i].occupied = from->occupied;
        memcpy(to[i].links, from->links, sizeof to[i].links);
        to[i].influences = from->influences;
        to[i].flags = from->flags;
    }
}

static void write_influence_joint(const blob_writer* w, uint16_t* to) {
    memcpy(to, w->cook->influences.joints, w->lattice.influence_count * sizeof *to);
}

static void write_influence_weight(const blob_writer* w, float* to) {
    memcpy(to, w->cook->influences.weights,
           (size_t)w->lattice.influence_count * TLW_BLOB_LANES * sizeof *to);
}

static void write_blocks(const blob_writer* w, tlw_blob_block* to) {
    memcpy(to, w->cook->order.blocks, (w->cook->order.block_count + (size_t)1) * sizeof *to);
}

static uint32_t slot_of(const blob_writer* w, uint32_t voxel) {
    return w->cook->order.slot_of_voxel[voxel];
}

static void write_site_kind(const blob_writer* w, float* to) {
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        to[tlw_cook_site(&w->cook->order, slot_of(w, v))] =
            w->cook->anatomy.layer[v] == 0 ? TLW_SITE_BONE : TLW_SITE_SOFT;
    }
}

static void write_slot_voxel(const blob_writer* w, uint32_t* to) {
    memcpy(to, w->cook->order.voxel_of_slot, w->lattice.slot_count * sizeof *to);
}

static void write_slot_layer(const blob_writer* w, uint8_t* to) {
    memset(to, TLW_BLOB_EMPTY_LAYER, w->lattice.slot_count);
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        to[slot_of(w, v)] = w->cook->anatomy.layer[v];
    }
}

static void write_slot_material(const blob_writer* w, uint16_t* to) {
    const tlw_cook* cook = w->cook;
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        const uint32_t part = tlw_cook_part_of(cook, v);
        to[slot_of(w, v)] = (uint16_t)(part * w->lattice.layer_count + cook->anatomy.layer[v]);
    }
}

static void write_slot_blend(const blob_writer* w, tlw_blob_blend* to) {
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        to[slot_of(w, v)] = w->cook->blends.of_voxel[v];
    }
}

// 4^(2 v - 1) of a painted v (RULES 8.7), which is 2^(V/2^14 - 2) with V = 2^16 v: a product of the
// roots 2^(1/2), 2^(1/4), ... that the bits of V ask for. Square roots and products have the same
// bits on every machine; the library's power does not.
static float stiffness_factor(uint32_t painted) {
    const uint32_t fraction_bits = 14;
    double factor = (double)(1u << (painted >> fraction_bits)) / 4.0, root = 2.0;
    for (uint32_t bit = fraction_bits; bit-- > 0;) {
        root = sqrt(root);
        factor *= painted >> bit & 1 ? root : 1.0;
    }
    return (float)factor;
}

static void write_slot_stiffness(const blob_writer* w, float* to) {
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        to[slot_of(w, v)] = stiffness_factor(w->cook->paint.of_voxel[TLW_PAINT_STIFFNESS][v]);
    }
}

static void write_slot_limit(const blob_writer* w, float* to) {
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        to[slot_of(w, v)] = w->cook->anatomy.limit[v];
    }
}

static void write_slot_volume_weight(const blob_writer* w, float* to) {
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        to[slot_of(w, v)] = w->cook->volume.weight[v];
    }
}

static void write_slot_volume_pair(const blob_writer* w, float* to) {
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        for (uint32_t axis = 0; axis < 3; ++axis) {
            to[(size_t)axis * w->lattice.slot_count + slot_of(w, v)] =
                w->cook->volume.pair[v][axis];
        }
    }
}

static void write_slot_volume_end(const blob_writer* w, int8_t* to) {
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        for (uint32_t axis = 0; axis < 3; ++axis) {
            to[(size_t)axis * w->lattice.slot_count + slot_of(w, v)] = w->cook->volume.end[v][axis];
        }
    }
}

static void write_slot_neighbours(const blob_writer* w, uint8_t* to) {
    uint32_t set = 0; // steps of the recipe's neighbour set
    for (int step = 0; step < TLW_STEPS; ++step) {
        set |= tlw_neighbour_set_has(w->lattice.neighbours, tlw_link_lengths[step]) * 1u << step;
    }
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        to[slot_of(w, v)] = (uint8_t)__builtin_popcount(w->cook->links.masks[v] & set);
    }
}

static void write_slot_regions(const blob_writer* w, uint8_t* to) {
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        to[slot_of(w, v)] = w->lattice.region_width == 2
                                ? 8
                                : (uint8_t)(1 + __builtin_popcount(w->cook->links.masks[v]));
    }
}

static void write_slot_moment(const blob_writer* w, int16_t* to) {
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        for (uint32_t e = 0; e < TLW_MOMENT_COUNT; ++e) {
            to[(size_t)e * w->lattice.slot_count + slot_of(w, v)] = w->cook->moments[v][e];
        }
    }
}

static void write_slot_rest(const blob_writer* w, float* to) {
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        float rest[TLW_REST_COUNT];
        tlw_blob_rest_of(w->cook->moments[v], rest);
        for (uint32_t e = 0; e < TLW_REST_COUNT; ++e) {
            to[(size_t)e * w->lattice.slot_count + slot_of(w, v)] = rest[e];
        }
    }
}

// The slot of voxel i of a region, in the order of tlw_cook_region; UINT32_MAX where there is none.
static uint32_t slot_in_region(const blob_writer* w, uint32_t region, uint32_t i) {
    const uint32_t voxel = w->cook->regions[w->cook->region_order[region]].voxels[i];
    return voxel != TLW_NO_VOXEL ? slot_of(w, voxel) : UINT32_MAX;
}

static void write_slot_region(const blob_writer* w, uint32_t* to) {
    for (uint32_t r = 0; r < w->lattice.region_count; ++r) {
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t slot = slot_in_region(w, r, i);
            const size_t member = tlw_cook_permute_member(i, w->lattice.lane_axis);
            if (slot != UINT32_MAX) {
                to[member * w->lattice.slot_count + slot] = r;
            }
        }
    }
}

static void write_region_site(const blob_writer* w, uint32_t* to) {
    const uint64_t stride = tlw_blob_region_stride(&w->lattice);
    for (uint32_t r = 0; r < w->lattice.region_count; ++r) {
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t slot = slot_in_region(w, r, i);
            const uint32_t member = tlw_cook_permute_member(i, w->lattice.lane_axis);
            if (slot != UINT32_MAX) {
                to[member * stride + r] = tlw_cook_site(&w->cook->order, slot);
            }
        }
    }
}

static void write_region_first(const blob_writer* w, uint32_t* to) {
    for (uint32_t r = 0; r < w->lattice.region_count; ++r) {
        to[r] = UINT32_MAX;
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t slot = slot_in_region(w, r, i);
            to[r] = slot < to[r] ? slot : to[r];
        }
    }
}

static void write_voxel_slot(const blob_writer* w, uint32_t* to) {
    memcpy(to, w->cook->order.slot_of_voxel, w->lattice.voxel_count * sizeof *to);
}

static uint16_t narrow(uint32_t distance) {
    return distance < UINT16_MAX ? (uint16_t)distance : UINT16_MAX;
}

static void write_voxel_cell(const blob_writer* w, tlw_blob_cell* to) {
    const tlw_cook_anatomy* anatomy = &w->cook->anatomy;
    for (uint32_t v = 0; v < w->lattice.voxel_count; ++v) {
        const tlw_int3 cell = w->cook->voxels.coordinates[v];
        to[v] = (tlw_blob_cell){.x = (int16_t)cell.x,
                                .y = (int16_t)cell.y,
                                .z = (int16_t)cell.z,
                                .d_skin = narrow(anatomy->d_skin[v]),
                                .d_bone = narrow(anatomy->d_bone[v]),
                                .d_seg = narrow(anatomy->d_seg[v]),
                                .thickness = narrow(anatomy->thickness[v])};
    }
}

static void write_meshes(const blob_writer* w, tlw_blob_mesh* to) {
    uint32_t name = (uint32_t)w->mesh_names, group = 0;
    for (uint32_t i = 0; i < w->cook->sources.count; ++i) {
        const tlw_cook_source* source = &w->cook->sources.list[i];
        to[i] = (tlw_blob_mesh){.name = name,
                                .first_vertex = source->first_vertex,
                                .vertex_count = source->mesh.vertex_count,
                                .first_group = group,
                                .first_index = source->first_index,
                                .index_count = source->mesh.triangle_count * 3,
                                .has_normals = source->mesh.normals != NULL,
                                .has_tangents = source->mesh.tangents != NULL,
                                .is_points = source->is_points};
        name += name_bytes(source->mesh.name);
        group += (source->mesh.vertex_count + 7) / TLW_BLOB_LANES;
    }
}

static void write_groups(const blob_writer* w, tlw_blob_group* to) {
    memcpy(to, w->cook->groups.list, w->lattice.group_count * sizeof *to);
}

static void write_group_voxel(const blob_writer* w, uint32_t* to) {
    memcpy(to, w->cook->groups.voxels, w->cook->groups.voxel_count * sizeof *to);
}

static void write_group_voxel_weight(const blob_writer* w, uint16_t* to) {
    memcpy(to, w->cook->groups.voxel_weights,
           (size_t)w->cook->groups.voxel_count * TLW_BLOB_LANES * sizeof *to);
}

static void write_group_joint(const blob_writer* w, uint16_t* to) {
    memcpy(to, w->cook->groups.joints, w->cook->groups.joint_count * sizeof *to);
}

static void write_group_joint_weight(const blob_writer* w, uint16_t* to) {
    memcpy(to, w->cook->groups.joint_weights,
           (size_t)w->cook->groups.joint_count * TLW_BLOB_LANES * sizeof *to);
}

// Calls write for every lane of every group: lanes after the last vertex repeat it.
typedef void write_lane(const blob_writer* w, const tlw_cook_source* source, uint32_t vertex,
                        float* to);

static void write_lanes(const blob_writer* w, uint32_t components, write_lane* write, float* to) {
    const tlw_cook_groups* groups = &w->cook->groups;
    uint32_t source = 0;
    for (uint32_t g = 0; g < groups->count; ++g) {
        const tlw_blob_group* group = &groups->list[g];
        const tlw_cook_source* list = w->cook->sources.list;
        while (group->first_vertex >= list[source].first_vertex + list[source].mesh.vertex_count) {
            source += 1;
        }
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
            const uint32_t last = group->vertex_count - 1u;
            const uint32_t cooked = group->first_vertex + (lane < last ? lane : last);
            write(w, &list[source], groups->source_of[cooked] - list[source].first_vertex,
                  to + (size_t)g * components * TLW_BLOB_LANES + lane);
        }
    }
}

static void write_numbers(const float* from, uint32_t components, uint32_t vertex, float* to) {
    for (uint32_t i = 0; from != NULL && i < components; ++i) {
        to[(size_t)i * TLW_BLOB_LANES] = from[(size_t)vertex * components + i];
    }
}

static void write_lane_position(const blob_writer* w, const tlw_cook_source* source,
                                uint32_t vertex, float* to) {
    (void)w;
    write_numbers(source->mesh.positions, 3, vertex, to);
}

static void write_lane_normal(const blob_writer* w, const tlw_cook_source* source, uint32_t vertex,
                              float* to) {
    (void)w;
    write_numbers(source->mesh.normals, 3, vertex, to);
}

static void write_lane_tangent(const blob_writer* w, const tlw_cook_source* source, uint32_t vertex,
                               float* to) {
    (void)w;
    write_numbers(source->mesh.tangents, 4, vertex, to);
}

// xb (RULES 10.8)
static void write_lane_centre(const blob_writer* w, const tlw_cook_source* source, uint32_t vertex,
                              float* to) {
    const tlw_cook* cook = w->cook;
    const tlw_cook_followed* binding = &cook->bindings[source->first_vertex + vertex];
    double sum[3] = {0};
    for (uint32_t i = 0; i < binding->count; ++i) {
        const uint32_t voxel = cook->order.voxel_of_slot[binding->index[i]];
        const tlw_double3 centre =
            tlw_cook_voxel_centre(&cook->grid, cook->voxels.coordinates[voxel]);
        sum[0] += binding->weight[i] * centre.x;
        sum[1] += binding->weight[i] * centre.y;
        sum[2] += binding->weight[i] * centre.z;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        to[(size_t)i * TLW_BLOB_LANES] = (float)(sum[i] / TLW_BLOB_WEIGHT_ONE);
    }
}

static void write_group_position(const blob_writer* w, float* to) {
    write_lanes(w, 3, write_lane_position, to);
}

static void write_group_normal(const blob_writer* w, float* to) {
    write_lanes(w, 3, write_lane_normal, to);
}

static void write_group_tangent(const blob_writer* w, float* to) {
    write_lanes(w, 4, write_lane_tangent, to);
}

static void write_group_centre(const blob_writer* w, float* to) {
    write_lanes(w, 3, write_lane_centre, to);
}

static void write_vertex_source(const blob_writer* w, uint32_t* to) {
    memcpy(to, w->cook->groups.source_of, w->lattice.vertex_count * sizeof *to);
}

static void write_vertex_cooked(const blob_writer* w, uint32_t* to) {
    memcpy(to, w->cook->groups.cooked_of, w->lattice.vertex_count * sizeof *to);
}

static void write_ring_neighbour(const blob_writer* w, uint32_t* to) {
    memcpy(to, w->cook->rings.neighbours, (size_t)w->lattice.group_count * 48 * sizeof *to);
}

static void write_ring_weight(const blob_writer* w, float* to) {
    memcpy(to, w->cook->rings.weights, (size_t)w->lattice.group_count * 96 * sizeof *to);
}

static void write_rbf(const blob_writer* w, tlw_blob_rbf* to) {
    *to = w->cook->rbf.head;
}

// Sections of rbf that are copied as they are; their lengths are those of rbf_elements.
static uint64_t rbf_elements(const tlw_cook_rbf* rbf, tlw_blob_section_kind kind) {
    const tlw_blob_rbf* head = &rbf->head;
    if (head->domain_count == 0) {
        return 0;
    }
    switch (kind) {
    case TLW_SECTION_RBF:
        return 1;
    case TLW_SECTION_RBF_DOMAIN:
        return head->domain_count;
    case TLW_SECTION_RBF_CENTRE:
        return head->centre_count;
    case TLW_SECTION_RBF_INVERSE:
        return rbf->inverse_count;
    case TLW_SECTION_RBF_ROW_FIRST:
        return (uint64_t)head->row_count + 1;
    case TLW_SECTION_RBF_ROW_INDEX:
    case TLW_SECTION_RBF_ROW_WEIGHT:
        return rbf->row_first[head->row_count];
    case TLW_SECTION_RBF_SEAM:
        return (uint64_t)head->seam_count + 1;
    case TLW_SECTION_RBF_SEAM_ROW:
    case TLW_SECTION_RBF_SEAM_WEIGHT:
        return rbf->seams[head->seam_count].first;
    default:
        return 0;
    }
}

#define WRITE_RBF(KIND, field, from, type)                                            \
    static void write_##field(const blob_writer* w, type* to) {                       \
        memcpy(to, w->cook->rbf.from,                                                 \
               (size_t)rbf_elements(&w->cook->rbf, TLW_SECTION_##KIND) * sizeof *to); \
    }
WRITE_RBF(RBF_DOMAIN, rbf_domain, domains, tlw_blob_rbf_domain)
WRITE_RBF(RBF_CENTRE, rbf_centre, centres, tlw_blob_binding)
WRITE_RBF(RBF_INVERSE, rbf_inverse, inverse, float)
WRITE_RBF(RBF_ROW_FIRST, rbf_row_first, row_first, uint32_t)
WRITE_RBF(RBF_ROW_INDEX, rbf_row_index, row_index, uint16_t)
WRITE_RBF(RBF_ROW_WEIGHT, rbf_row_weight, row_weight, float)
WRITE_RBF(RBF_SEAM, rbf_seam, seams, tlw_blob_rbf_seam)
WRITE_RBF(RBF_SEAM_ROW, rbf_seam_row, seam_rows, uint32_t)
WRITE_RBF(RBF_SEAM_WEIGHT, rbf_seam_weight, seam_weights, float)
#undef WRITE_RBF

static void write_rbf_vertex_row(const blob_writer* w, uint32_t* to) {
    for (uint32_t v = 0; v < w->lattice.vertex_count; ++v) {
        to[v] = w->cook->graph.welded_of[w->cook->groups.source_of[v]];
    }
}

static void write_profiles(const blob_writer* w, tlw_blob_profile* to) {
    uint32_t name = (uint32_t)w->profile_names;
    for (uint32_t i = 0; i < w->cook->profiles.count; ++i) {
        to[i].name = name;
        name += name_bytes(w->cook->recipe->profiles[i].name);
    }
}

static void write_profile_materials(const blob_writer* w, tlw_blob_profile_material* to) {
    memcpy(to, w->cook->profiles.materials,
           (size_t)w->cook->profiles.count * w->lattice.part_count * w->lattice.layer_count *
               sizeof *to);
}

static uint64_t bend_elements(const blob_writer* w, tlw_blob_section_kind kind) {
    const tlw_cook_bends* bends = &w->cook->bends;
    if (bends->count == 0) {
        return 0;
    }
    switch (kind) {
    case TLW_SECTION_BENDS:
        return bends->count;
    case TLW_SECTION_BEND_PAIRS:
        return bends->pair_count;
    case TLW_SECTION_BEND_WINDOWS:
        return (uint64_t)w->lattice.window_count + 1;
    case TLW_SECTION_BEND_ENTRY:
        return bends->entry_count;
    case TLW_SECTION_BEND_SHARE:
        return (uint64_t)bends->entry_count * TLW_BLOB_LANES;
    case TLW_SECTION_BEND_COUPLE:
        return bends->couple_count;
    case TLW_SECTION_FIELD:
        return (uint64_t)w->lattice.slot_count * 3;
    default:
        return 0;
    }
}

#define WRITE_BEND(KIND, field, from, type)                                \
    static void write_##field(const blob_writer* w, type* to) {            \
        memcpy(to, w->cook->bends.from,                                    \
               (size_t)bend_elements(w, TLW_SECTION_##KIND) * sizeof *to); \
    }
WRITE_BEND(BENDS, bends, list, tlw_blob_bend)
WRITE_BEND(BEND_PAIRS, bend_pairs, pairs, tlw_blob_bend_pair)
WRITE_BEND(BEND_WINDOWS, bend_windows, windows, tlw_blob_bend_window)
WRITE_BEND(BEND_ENTRY, bend_entry, entries, uint16_t)
WRITE_BEND(BEND_SHARE, bend_share, shares, uint16_t)
WRITE_BEND(BEND_COUPLE, bend_couple, couples, tlw_blob_bend_couple)
WRITE_BEND(FIELD, field, field, int16_t)
#undef WRITE_BEND

static void write_limbs(const blob_writer* w, tlw_blob_limb* to) {
    memcpy(to, w->cook->limbs.list, w->cook->limbs.count * sizeof *to);
}

static void write_slot_limbs(const blob_writer* w, tlw_blob_slot_limbs* to) {
    memcpy(to, w->cook->limbs.of_slot, w->lattice.slot_count * sizeof *to);
}

static uint64_t muscle_elements(const blob_writer* w, tlw_blob_section_kind kind) {
    const tlw_cook_muscles* muscles = &w->cook->muscles;
    if (muscles->count == 0) {
        return 0;
    }
    switch (kind) {
    case TLW_SECTION_MUSCLES:
        return muscles->count;
    case TLW_SECTION_MUSCLE_GROUPS:
        return (uint64_t)muscles->group_count + 1;
    case TLW_SECTION_MUSCLE_ROWS:
        return muscles->row_count;
    case TLW_SECTION_MUSCLE_FIELDS:
        return muscles->field_count;
    case TLW_SECTION_BELLY_WINDOWS:
        return (uint64_t)w->lattice.window_count + 1;
    case TLW_SECTION_BELLY_ENTRY:
    case TLW_SECTION_BELLY_SHAPE:
        return muscles->entry_count;
    case TLW_SECTION_BELLY_WEIGHT:
        return muscles->weight_count;
    default:
        return 0;
    }
}

static void write_muscles(const blob_writer* w, tlw_blob_muscle* to) {
    uint32_t name = (uint32_t)w->muscle_names;
    for (uint32_t i = 0; i < w->cook->muscles.count; ++i) {
        to[i] = w->cook->muscles.list[i];
        to[i].name = name;
        name += name_bytes(w->cook->muscles.names[i]);
    }
}

#define WRITE_MUSCLE(KIND, field, from, type)                                \
    static void write_##field(const blob_writer* w, type* to) {              \
        memcpy(to, w->cook->muscles.from,                                    \
               (size_t)muscle_elements(w, TLW_SECTION_##KIND) * sizeof *to); \
    }
WRITE_MUSCLE(MUSCLE_GROUPS, muscle_groups, groups, tlw_blob_muscle_group)
WRITE_MUSCLE(MUSCLE_ROWS, muscle_rows, rows, tlw_blob_muscle_row)
WRITE_MUSCLE(MUSCLE_FIELDS, muscle_fields, fields, tlw_blob_muscle_field)
WRITE_MUSCLE(BELLY_WINDOWS, belly_windows, windows, uint32_t)
WRITE_MUSCLE(BELLY_ENTRY, belly_entry, entries, tlw_blob_belly_entry)
WRITE_MUSCLE(BELLY_SHAPE, belly_shape, shapes, tlw_blob_belly_shape)
WRITE_MUSCLE(BELLY_WEIGHT, belly_weight, weights, tlw_blob_belly_weight)
#undef WRITE_MUSCLE

static void write_lame(const blob_writer* w, tlw_blob_lame* to) {
    memcpy(to, w->cook->lame.materials,
           (size_t)w->lattice.part_count * w->lattice.layer_count * sizeof *to);
}

static void write_lame_windows(const blob_writer* w, tlw_blob_lame_window* to) {
    memcpy(to, w->cook->lame.windows, w->lattice.window_count * sizeof *to);
}

static void write_indices(const blob_writer* w, uint32_t* to) {
    for (uint32_t i = 0; i < w->cook->sources.count; ++i) {
        const tlw_cook_source* source = &w->cook->sources.list[i];
        for (uint32_t k = 0; k < source->mesh.triangle_count * 3; ++k) {
            to[source->first_index + k] = source->first_vertex + source->mesh.indices[k];
        }
    }
}

static void write_uvs(const blob_writer* w, float* to) {
    for (uint32_t i = 0; i < w->cook->sources.count; ++i) {
        const tlw_cook_source* source = &w->cook->sources.list[i];
        if (source->mesh.uvs) {
            memcpy(to + (size_t)source->first_vertex * 2, source->mesh.uvs,
                   (size_t)source->mesh.vertex_count * 2 * sizeof *to);
        }
    }
}

// Layout

// Elements of a section whose count the lattice does not tell, or that may be absent.
static uint64_t any_elements(const blob_writer* w, tlw_blob_section_kind kind) {
    switch (kind) {
    case TLW_SECTION_STRINGS:
        return w->string_bytes;
    case TLW_SECTION_BLOCKS:
        return (uint64_t)w->cook->order.block_count + 1;
    case TLW_SECTION_SLOT_BLEND:
        return w->cook->blends.count > 0 ? w->lattice.slot_count : 0;
    case TLW_SECTION_SLOT_STIFFNESS:
        return w->cook->paint.voxels[TLW_PAINT_STIFFNESS] > 0 ? w->lattice.slot_count : 0;
    case TLW_SECTION_MESHES:
        return w->cook->sources.count;
    case TLW_SECTION_GROUP_VOXEL:
        return w->cook->groups.voxel_count;
    case TLW_SECTION_GROUP_VOXEL_WEIGHT:
        return (uint64_t)w->cook->groups.voxel_count * TLW_BLOB_LANES;
    case TLW_SECTION_GROUP_JOINT:
        return w->cook->groups.joint_count;
    case TLW_SECTION_GROUP_JOINT_WEIGHT:
        return (uint64_t)w->cook->groups.joint_count * TLW_BLOB_LANES;
    case TLW_SECTION_GROUP_NORMAL:
        return w->cook->groups.has_normals ? (uint64_t)w->lattice.group_count * 24 : 0;
    case TLW_SECTION_GROUP_TANGENT:
        return w->cook->groups.has_tangents ? (uint64_t)w->lattice.group_count * 32 : 0;
    case TLW_SECTION_GROUP_CENTRE:
        return w->cook->groups.is_skinned ? (uint64_t)w->lattice.group_count * 24 : 0;
    case TLW_SECTION_INDICES:
        return w->cook->sources.index_count;
    case TLW_SECTION_UVS:
        return w->cook->sources.has_uvs ? (uint64_t)w->lattice.vertex_count * 2 : 0;
    case TLW_SECTION_RING_NEIGHBOUR:
        return w->cook->rings.neighbours != NULL ? (uint64_t)w->lattice.group_count * 48 : 0;
    case TLW_SECTION_RING_WEIGHT:
        return w->cook->rings.weights != NULL ? (uint64_t)w->lattice.group_count * 96 : 0;
    case TLW_SECTION_PROFILES:
        return w->cook->profiles.count;
    case TLW_SECTION_PROFILE_MATERIALS:
        return (uint64_t)w->cook->profiles.count * w->lattice.part_count * w->lattice.layer_count;
    case TLW_SECTION_BENDS:
    case TLW_SECTION_BEND_PAIRS:
    case TLW_SECTION_BEND_WINDOWS:
    case TLW_SECTION_BEND_ENTRY:
    case TLW_SECTION_BEND_SHARE:
    case TLW_SECTION_BEND_COUPLE:
    case TLW_SECTION_FIELD:
        return bend_elements(w, kind);
    case TLW_SECTION_LIMBS:
        return w->cook->limbs.count;
    case TLW_SECTION_SLOT_LIMBS:
        return w->cook->limbs.count > 0 ? w->lattice.slot_count : 0;
    case TLW_SECTION_MUSCLES:
    case TLW_SECTION_MUSCLE_GROUPS:
    case TLW_SECTION_MUSCLE_ROWS:
    case TLW_SECTION_MUSCLE_FIELDS:
    case TLW_SECTION_BELLY_WINDOWS:
    case TLW_SECTION_BELLY_ENTRY:
    case TLW_SECTION_BELLY_SHAPE:
    case TLW_SECTION_BELLY_WEIGHT:
        return muscle_elements(w, kind);
    case TLW_SECTION_LAME:
        return w->cook->lame.voxels > 0 ? w->lattice.part_count * w->lattice.layer_count : 0;
    case TLW_SECTION_LAME_WINDOWS:
        return w->cook->lame.voxels > 0 ? w->lattice.window_count : 0;
    case TLW_SECTION_RBF_VERTEX_ROW:
        return w->cook->rbf.head.domain_count > 0 ? w->lattice.vertex_count : 0;
    default:
        return rbf_elements(&w->cook->rbf, kind);
    }
}

// The table of sections. Optional sections without elements are left out.
static void lay_out(blob_writer* w) {
    uint64_t counts[TLW_SECTION_COUNT];
    for (uint32_t i = 0; i < TLW_SECTION_COUNT; ++i) {
        const tlw_blob_section_kind kind = (tlw_blob_section_kind)i;
        counts[i] = tlw_blob_section_elements(kind, &w->lattice);
        if (counts[i] == TLW_BLOB_ANY_COUNT || tlw_blob_is_optional(kind)) {
            counts[i] = any_elements(w, kind);
        }
        if (counts[i] == 0 && tlw_blob_is_optional(kind)) {
            counts[i] = TLW_BLOB_ABSENT;
        }
    }
    w->size = tlw_blob_lay_out(counts, w->sections, &w->section_count);
}

static void fill_section(const blob_writer* w, const tlw_blob_section* section, void* to) {
    switch ((tlw_blob_section_kind)section->kind) {
#define WRITE_SECTION(name, field, type, count) \
    case TLW_SECTION_##name:                    \
        write_##field(w, to);                   \
        break;
        TLW_BLOB_SECTIONS(WRITE_SECTION)
#undef WRITE_SECTION
    case TLW_SECTION_COUNT:
        break;
    }
}

static void fill_blob(const blob_writer* w, uint8_t* bytes) {
    tlw_blob_header* header = (tlw_blob_header*)(void*)bytes;
    memcpy(header->magic, TLW_BLOB_MAGIC, sizeof header->magic);
    header->format_version = TLW_BLOB_FORMAT_VERSION;
    header->byte_order = TLW_BLOB_BYTE_ORDER;
    header->layout_hash = tlw_blob_layout_hash();
    header->total_bytes = w->size;
    header->section_count = w->section_count;
    header->lattice_count = 1;
    memcpy(header + 1, w->sections, w->section_count * sizeof *w->sections);
    for (uint32_t i = 0; i < w->section_count; ++i) {
        fill_section(w, &w->sections[i], bytes + w->sections[i].offset);
    }
    header->content_hash = tlw_xxh64(header + 1, (size_t)w->size - sizeof *header, 0);
}

tlw_result tlw_cook_write(tlw_cook* cook) {
    blob_writer w = {.cook = cook, .lattice = describe_lattice(cook)};
    const uint64_t limit = cook->recipe->max_memory_bytes; // of stages and blob together
    measure_strings(&w);
    lay_out(&w);
    tlw_cook_free_blob(cook->blob);
    cook->blob = NULL;
    if (w.string_bytes > UINT32_MAX || w.size > limit - cook->memory_bytes) {
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE,
                             "a blob of %llu bytes passes the limit of %llu bytes",
                             (unsigned long long)w.size, (unsigned long long)limit);
    }
    cook->blob =
        tlw_size_from_u64(w.size, &cook->blob_bytes) ? allocate_blob(cook->blob_bytes) : NULL;
    if (cook->blob == NULL) {
        return tlw_cook_fail(cook, TLW_ERROR_OUT_OF_MEMORY, "no memory for a blob of %llu bytes",
                             (unsigned long long)w.size);
    }
    fill_blob(&w, cook->blob);
    return TLW_OK;
}
