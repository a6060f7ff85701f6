// SPDX-License-Identifier: MIT
// Stage borders (RULES 8.5): where two parts touch, materials blend, so that no edge shows. A voxel
// beside another part has a quarter of that part's material. Reads cook->links, cook->parts,
// cook->weights and the layers; writes cook->blends.
#include "tools/cook/stages.h"

// Half a voxel from the border, on a line over a path length of 2 across it.
#define BORDER_SHARE (TLW_BLOB_SHARE_ONE / 4)

// The part that most of the voxel's linked faces lead to, other than its own; of several the
// lowest. Its own if there is none.
static uint32_t part_beside(const tlw_cook* cook, uint32_t voxel) {
    const uint32_t own = tlw_cook_part_of(cook, voxel);
    uint32_t beside[6], count = 0, best = own, most = 0;
    for (uint32_t left = cook->links.masks[voxel] & TLW_FACE_STEPS; left != 0; left &= left - 1) {
        beside[count++] =
            tlw_cook_part_of(cook, tlw_linked_voxel(cook, voxel, __builtin_ctz(left)));
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t faces = 0;
        for (uint32_t k = 0; k < count; ++k) {
            faces += beside[k] == beside[i];
        }
        if (beside[i] != own && (faces > most || (faces == most && beside[i] < best))) {
            best = beside[i];
            most = faces;
        }
    }
    return best;
}

tlw_result tlw_cook_blend_borders(tlw_cook* cook) {
    const uint32_t layers = cook->recipe->layer_count;
    tlw_cook_blends* blends = &cook->blends;
    blends->of_voxel = tlw_cook_allocate(cook, cook->voxels.count, sizeof *blends->of_voxel);
    for (uint32_t v = 0; blends->of_voxel != NULL && v < cook->voxels.count; ++v) {
        const uint32_t layer = cook->anatomy.layer[v];
        const uint32_t part = layer > 0 ? part_beside(cook, v) : 0; // bone does not blend
        if (layer > 0 && part != tlw_cook_part_of(cook, v)) {
            blends->of_voxel[v] = (tlw_blob_blend){(uint16_t)(part * layers + layer), BORDER_SHARE};
            blends->count += 1;
        }
    }
    return cook->error.result;
}
