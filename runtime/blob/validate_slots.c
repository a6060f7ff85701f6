// SPDX-License-Identifier: MIT
// The blob's validator: voxels, their cells and slots, and what a slot holds by itself: layer,
// materials, limit, volume weight (MODEL 9.3). Freestanding; reads the blob, writes only the
// report.
#include "runtime/blob/validator.h"

#include <float.h>

// Slots and voxels name each other, and cells are inside the grid.
tlw_result tlw_blob_check_places(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    const uint32_t* voxel_of = first_of(view, TLW_SECTION_SLOT_VOXEL);
    const uint32_t* slot_of = first_of(view, TLW_SECTION_VOXEL_SLOT);
    const tlw_blob_cell* cells = first_of(view, TLW_SECTION_VOXEL_CELL);
    for (uint32_t v = 0; v < l->voxel_count; ++v) {
        if (slot_of[v] >= l->slot_count) {
            return fail_at(view, TLW_SECTION_VOXEL_SLOT, v, "slot", last_index(l->slot_count),
                           slot_of[v]);
        }
        if (voxel_of[slot_of[v]] != v) {
            return fail_at(view, TLW_SECTION_VOXEL_SLOT, v, "a slot that names it", v,
                           voxel_of[slot_of[v]]);
        }
        const int16_t cell[3] = {cells[v].x, cells[v].y, cells[v].z};
        for (uint32_t axis = 0; axis < 3; ++axis) {
            if (cell[axis] < 0 || (uint32_t)cell[axis] >= l->size[axis]) {
                return fail_component(view, TLW_SECTION_VOXEL_CELL, v, axis, "a cell of the grid",
                                      cell[axis] < 0 ? 0 : last_index(l->size[axis]),
                                      (uint16_t)cell[axis]);
            }
        }
        if (cells[v].reserved != 0) {
            return fail_at(view, TLW_SECTION_VOXEL_CELL, v, "reserved field", 0, cells[v].reserved);
        }
    }
    for (uint32_t s = 0; s < l->slot_count; ++s) {
        const uint32_t voxel = voxel_of[s];
        if (voxel == TLW_BLOB_NO_INDEX) {
            continue;
        }
        if (voxel >= l->voxel_count) {
            return fail_at(view, TLW_SECTION_SLOT_VOXEL, s, "voxel", last_index(l->voxel_count),
                           voxel);
        }
        if (slot_of[voxel] != s) {
            return fail_at(view, TLW_SECTION_SLOT_VOXEL, s, "a voxel that names it", s,
                           slot_of[voxel]);
        }
    }
    return TLW_OK;
}

static tlw_result check_slot(const blob_view* view, uint32_t s, bool is_empty) {
    const tlw_blob_lattice* l = view->lattice;
    const uint32_t layer = ((const uint8_t*)first_of(view, TLW_SECTION_SLOT_LAYER))[s];
    const uint32_t material = ((const uint16_t*)first_of(view, TLW_SECTION_SLOT_MATERIAL))[s];
    const float limit = ((const float*)first_of(view, TLW_SECTION_SLOT_LIMIT))[s];
    const float volume = ((const float*)first_of(view, TLW_SECTION_SLOT_VOLUME_WEIGHT))[s];
    if (is_empty ? layer != TLW_BLOB_EMPTY_LAYER : layer >= l->layer_count) {
        return fail_at(view, TLW_SECTION_SLOT_LAYER, s, "layer",
                       is_empty ? TLW_BLOB_EMPTY_LAYER : last_index(l->layer_count), layer);
    }
    // The material of the same part that has the right layer.
    const uint32_t material_count = l->part_count * l->layer_count;
    const uint32_t near = material < material_count ? material : material_count - 1;
    const uint32_t expected = is_empty ? 0 : near - near % l->layer_count + layer;
    if (material != expected) {
        return fail_at(view, TLW_SECTION_SLOT_MATERIAL, s, "material of its layer", expected,
                       material);
    }
    if (!is_finite(limit) || limit < 0.0f || (is_empty && limit > 0.0f)) {
        return fail_at(view, TLW_SECTION_SLOT_LIMIT, s, "limit, 0 or more; 0 where empty",
                       float_bound(limit, 0.0f, is_empty ? 0.0f : FLT_MAX), bits_of(limit));
    }
    const float most = is_empty || layer == 0 ? 0.0f : 1.0f;
    if (!(volume >= 0.0f && volume <= most)) {
        return fail_at(view, TLW_SECTION_SLOT_VOLUME_WEIGHT, s,
                       "weight, 0 to 1; 0 for bone and where empty",
                       float_bound(volume, 0.0f, most), bits_of(volume));
    }
    return TLW_OK;
}

// The second material is that of the same layer in another part. Bone does not blend.
static tlw_result check_blend(const blob_view* view, uint32_t s, bool is_empty) {
    const tlw_blob_lattice* l = view->lattice;
    const tlw_blob_blend blend = ((const tlw_blob_blend*)first_of(view, TLW_SECTION_SLOT_BLEND))[s];
    const uint32_t layer = ((const uint8_t*)first_of(view, TLW_SECTION_SLOT_LAYER))[s];
    const uint32_t own = ((const uint16_t*)first_of(view, TLW_SECTION_SLOT_MATERIAL))[s];
    const uint32_t most = is_empty || layer == 0 ? 0 : TLW_BLOB_SHARE_MAX;
    if (blend.share > most) {
        return fail_at(view, TLW_SECTION_SLOT_BLEND, s,
                       "share, at most a half; 0 for bone and where empty", most, blend.share);
    }
    if (blend.share == 0) {
        return blend.material == 0 ? TLW_OK
                                   : fail_at(view, TLW_SECTION_SLOT_BLEND, s,
                                             "material 0 without a share", 0, blend.material);
    }
    const uint32_t material_count = l->part_count * l->layer_count;
    const uint32_t near = blend.material < material_count ? blend.material : material_count - 1;
    const uint32_t expected = near - near % l->layer_count + layer;
    if (blend.material != expected) {
        return fail_at(view, TLW_SECTION_SLOT_BLEND, s, "second material of its layer", expected,
                       blend.material);
    }
    if (blend.material == own) {
        return fail_at(view, TLW_SECTION_SLOT_BLEND, s, "second material of another part",
                       own >= l->layer_count ? own - l->layer_count : own + l->layer_count, own);
    }
    return TLW_OK;
}

static tlw_result check_stiffness(const blob_view* view, uint32_t s, bool is_empty) {
    const float factor = ((const float*)first_of(view, TLW_SECTION_SLOT_STIFFNESS))[s];
    const float low = is_empty ? 0.0f : 0.25f, high = is_empty ? 0.0f : 4.0f;
    if (!(factor >= low && factor <= high)) {
        return fail_at(view, TLW_SECTION_SLOT_STIFFNESS, s, "factor, 1/4 to 4; 0 where empty",
                       float_bound(factor, low, high), bits_of(factor));
    }
    return TLW_OK;
}

tlw_result tlw_blob_check_slots(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    const uint32_t* voxel_of = first_of(view, TLW_SECTION_SLOT_VOXEL);
    const uint8_t* slot_layers = first_of(view, TLW_SECTION_SLOT_LAYER);
    const tlw_blob_layer* layers = first_of(view, TLW_SECTION_LAYERS);
    uint32_t layer_voxels[TLW_BLOB_LAYERS_MAX] = {0};
    for (uint32_t s = 0; s < l->slot_count; ++s) {
        const bool is_empty = voxel_of[s] == TLW_BLOB_NO_INDEX;
        tlw_result result = check_slot(view, s, is_empty);
        if (result == TLW_OK && view->sections[TLW_SECTION_SLOT_BLEND] != NULL) {
            result = check_blend(view, s, is_empty);
        }
        if (result == TLW_OK && view->sections[TLW_SECTION_SLOT_STIFFNESS] != NULL) {
            result = check_stiffness(view, s, is_empty);
        }
        if (result != TLW_OK) {
            return result;
        }
        if (!is_empty) {
            layer_voxels[slot_layers[s]] += 1;
        }
    }
    for (uint32_t i = 0; i < l->layer_count; ++i) {
        if (layers[i].voxel_count != layer_voxels[i]) {
            return fail_at(view, TLW_SECTION_LAYERS, i, "voxel count", layer_voxels[i],
                           layers[i].voxel_count);
        }
    }
    return TLW_OK;
}
