// SPDX-License-Identifier: MIT
// An blob blob: what it holds, its arrays for the passes, and the scratch that stepping it takes.
#include "runtime/step/scratch.h"
#include "runtime/world/character.h"

#include <string.h>

#define OPEN_COOKIE 0x5455535349540001u

tlw_result tlw_blob_open(const void* bytes, size_t size, tlw_blob_trust trust, tlw_blob* out,
                         tlw_blob_report* report) {
    TLW_ASSERT(out != NULL);
    *out = (tlw_blob){0};
    const tlw_result result = tlw_blob_validate(bytes, size, trust, report);
    if (result == TLW_OK) {
        *out = (tlw_blob){bytes, size, OPEN_COOKIE};
    }
    return result;
}

static bool is_open(const tlw_blob* blob) {
    return blob->cookie == OPEN_COOKIE && blob->bytes != NULL;
}

void tlw_blob_arrays_open(const void* blob, tlw_blob_arrays* out) {
    uint64_t count, blocks;
    *out = (tlw_blob_arrays){
        .bytes = blob,
        .lattice = tlw_blob_find(blob, TLW_SECTION_LATTICE, &count),
        .joints = tlw_blob_find(blob, TLW_SECTION_JOINTS, &count),
        .joint_boxes = tlw_blob_find(blob, TLW_SECTION_JOINT_BOX, &count),
        .joint_pairs = tlw_blob_find(blob, TLW_SECTION_JOINT_PAIRS, &count),
        .layers = tlw_blob_find(blob, TLW_SECTION_LAYERS, &count),
        .parts = tlw_blob_find(blob, TLW_SECTION_PARTS, &count),
        .materials = tlw_blob_find(blob, TLW_SECTION_MATERIALS, &count),
        .windows = tlw_blob_find(blob, TLW_SECTION_WINDOWS, &count),
        .influence_joint = tlw_blob_find(blob, TLW_SECTION_INFLUENCE_JOINT, &count),
        .influence_weight = tlw_blob_find(blob, TLW_SECTION_INFLUENCE_WEIGHT, &count),
        .blocks = tlw_blob_find(blob, TLW_SECTION_BLOCKS, &blocks),
        .site_kind = tlw_blob_find(blob, TLW_SECTION_SITE_KIND, &count),
        .slot_material = tlw_blob_find(blob, TLW_SECTION_SLOT_MATERIAL, &count),
        .slot_limit = tlw_blob_find(blob, TLW_SECTION_SLOT_LIMIT, &count),
        .slot_volume_weight = tlw_blob_find(blob, TLW_SECTION_SLOT_VOLUME_WEIGHT, &count),
        .slot_volume_pair = tlw_blob_find(blob, TLW_SECTION_SLOT_VOLUME_PAIR, &count),
        .slot_volume_end = tlw_blob_find(blob, TLW_SECTION_SLOT_VOLUME_END, &count),
        .slot_neighbours = tlw_blob_find(blob, TLW_SECTION_SLOT_NEIGHBOURS, &count),
        .slot_regions = tlw_blob_find(blob, TLW_SECTION_SLOT_REGIONS, &count),
        .slot_moment = tlw_blob_find(blob, TLW_SECTION_SLOT_MOMENT, &count),
        .slot_region = tlw_blob_find(blob, TLW_SECTION_SLOT_REGION, &count),
        .region_site = tlw_blob_find(blob, TLW_SECTION_REGION_SITE, &count),
        .region_first = tlw_blob_find(blob, TLW_SECTION_REGION_FIRST, &count),
        .slot_voxel = tlw_blob_find(blob, TLW_SECTION_SLOT_VOXEL, &count),
        .voxel_slot = tlw_blob_find(blob, TLW_SECTION_VOXEL_SLOT, &count),
        .voxel_cell = tlw_blob_find(blob, TLW_SECTION_VOXEL_CELL, &count),
        .vertices = tlw_blob_find(blob, TLW_SECTION_VERTICES, &count),
        .skinning = tlw_blob_find(blob, TLW_SECTION_SKINNING, &count),
        .bindings = tlw_blob_find(blob, TLW_SECTION_BINDINGS, &count),
        .strings = tlw_blob_find(blob, TLW_SECTION_STRINGS, &count),
    };
    out->meshes = tlw_blob_find(blob, TLW_SECTION_MESHES, &out->mesh_count);
    out->block_count = (uint32_t)blocks - 1;
    out->window_count = out->lattice->window_count;
    out->slot_count = out->lattice->slot_count;
    out->site_count = out->lattice->site_count;
    out->region_stride = (uint32_t)tlw_blob_region_stride(out->lattice);
}

tlw_result tlw_blob_get_info(const tlw_blob* blob, tlw_blob_info* out) {
    TLW_ASSERT(blob != NULL && out != NULL);
    if (!is_open(blob)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    tlw_blob_arrays arrays;
    tlw_blob_arrays_open(blob->bytes, &arrays);
    const tlw_blob_lattice* l = arrays.lattice;
    *out = (tlw_blob_info){
        .voxel_count = l->voxel_count,
        .vertex_count = l->vertex_count,
        .joint_count = l->joint_count,
        .layer_count = l->layer_count,
        .part_count = l->part_count,
        .mesh_count = (uint32_t)arrays.mesh_count,
        .region_width = l->region_width,
        .neighbours = l->neighbours,
        .has_artist_weights = l->has_artist_weights != 0,
        .voxel_metres = l->voxel_metres,
        .extent_voxels = l->extent_voxels,
        .origin = {l->origin[0], l->origin[1], l->origin[2]},
        .scratch_bytes = tlw_scratch_bytes(&arrays),
        .cost = l->cost,
    };
    return TLW_OK;
}

static const char* name_of(const tlw_blob* blob, tlw_blob_section_kind kind, uint32_t index) {
    uint64_t count, bytes;
    if (!is_open(blob)) {
        return "";
    }
    const char* strings = tlw_blob_find(blob->bytes, TLW_SECTION_STRINGS, &bytes);
    const void* list = tlw_blob_find(blob->bytes, kind, &count);
    if (index >= count) {
        return "";
    }
    return strings + (kind == TLW_SECTION_JOINTS ? ((const tlw_blob_joint*)list)[index].name
                                                 : ((const tlw_blob_layer*)list)[index].name);
}

const char* tlw_blob_joint_name(const tlw_blob* blob, uint32_t joint) {
    TLW_ASSERT(blob != NULL);
    return name_of(blob, TLW_SECTION_JOINTS, joint);
}

const char* tlw_blob_layer_name(const tlw_blob* blob, uint32_t layer) {
    TLW_ASSERT(blob != NULL);
    return name_of(blob, TLW_SECTION_LAYERS, layer);
}
