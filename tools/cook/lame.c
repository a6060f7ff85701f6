// SPDX-License-Identifier: MIT
// Stage lame (RULES 8.9, 9.15): materials in physical units, and which windows hold voxels of such
// a material or are next to one. Reads the recipe, cook->parts, cook->weights, the layers,
// cook->links and cook->order; writes cook->lame. After Aubel and Thalmann 2000, "Realistic
// deformation of human body shapes".
#include "tools/cook/stages.h"

static bool is_lame(const tlw_cook* cook, uint32_t voxel) {
    const uint32_t material =
        tlw_cook_part_of(cook, voxel) * cook->recipe->layer_count + cook->anatomy.layer[voxel];
    return cook->lame.materials[material].density > 0.0f;
}

static void list_materials(const tlw_cook* cook, tlw_blob_lame* materials) {
    const uint32_t layers = cook->recipe->layer_count;
    for (uint32_t i = 0; i < (cook->recipe->part_count + 1) * layers; ++i) {
        materials[i] = tlw_cook_lame_of(cook->recipe, i / layers, i % layers);
    } // firm parts come after those, and are never lame
}

static uint32_t count_voxels(const tlw_cook* cook) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        count += is_lame(cook, v);
    }
    return count;
}

static void mark_windows(tlw_cook* cook) {
    tlw_cook_lame_layers* lame = &cook->lame;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const uint32_t slot = cook->order.slot_of_voxel[v];
        tlw_blob_lame_window* window = &lame->windows[slot / TLW_BLOB_LANES];
        uint32_t faces[6];
        const uint32_t count = tlw_cook_linked_faces(cook, v, faces);
        if (is_lame(cook, v)) {
            window->lanes = (uint8_t)(window->lanes | 1u << slot % TLW_BLOB_LANES);
            window->is_near = 1;
        }
        for (uint32_t i = 0; i < count; ++i) {
            if (is_lame(cook, faces[i])) {
                window->is_near = 1;
            }
        }
    }
    for (uint32_t w = 0; w < cook->order.window_count; ++w) {
        if (lame->windows[w].lanes != 0) {
            lame->windows[w].place = lame->window_count++;
        }
    }
}

tlw_result tlw_cook_make_lame(tlw_cook* cook) {
    const uint64_t materials = (uint64_t)cook->parts.count * cook->recipe->layer_count;
    tlw_cook_lame_layers* lame = &cook->lame;
    lame->materials = tlw_cook_allocate(cook, materials, sizeof *lame->materials);
    if (lame->materials == NULL) {
        return cook->error.result;
    }
    list_materials(cook, lame->materials);
    lame->voxels = count_voxels(cook);
    if (lame->voxels == 0) {
        tlw_cook_free(cook, lame->materials);
        lame->materials = NULL;
        return TLW_OK;
    }
    lame->windows = tlw_cook_allocate(cook, cook->order.window_count, sizeof *lame->windows);
    if (lame->windows != NULL) {
        mark_windows(cook);
    }
    return cook->error.result;
}
