// SPDX-License-Identifier: MIT
// Numbers of a character's Lame layers (MODEL 3.20), set and read by part and layer.
#include "platform/fpu.h"
#include "runtime/world/world.h"

void tlw_character_restore_lame(tlw_character* c) {
    for (uint32_t i = 0; c->lame.materials != NULL && i < tlw_material_count(&c->blob); ++i) {
        const tlw_blob_lame* cooked = &c->blob.lame[i];
        c->lame.materials[i] = (tlw_lame){cooked->young_kpa, cooked->poisson, cooked->density};
    }
    c->lame.is_stale = true;
}

static bool is_in_range(const tlw_lame* lame) { // false for a NaN
    return lame->young_kpa > 0.0f && lame->young_kpa <= TLW_LAME_YOUNG_MAX &&
           lame->poisson >= 0.0f && lame->poisson <= TLW_LAME_POISSON_MAX &&
           lame->density >= TLW_LAME_DENSITY_MIN && lame->density <= TLW_LAME_DENSITY_MAX;
}

static bool is_lame(const tlw_character* c, uint32_t material) {
    return c->lame.materials != NULL && c->lame.materials[material].density > 0.0f;
}

tlw_result tlw_character_set_lame(tlw_world* world, tlw_character_id id, uint32_t part,
                                  uint32_t layer, const tlw_lame* lame) {
    TLW_ASSERT(lame != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    TLW_FLOAT_SCOPE();
    const tlw_blob_lattice* l = c->blob.lattice;
    if ((part != TLW_ALL && part >= l->part_count) ||
        (layer != TLW_ALL && layer >= l->layer_count) || !is_in_range(lame)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < tlw_material_count(&c->blob); ++i) {
        if ((part == TLW_ALL || i / l->layer_count == part) &&
            (layer == TLW_ALL || i % l->layer_count == layer) && is_lame(c, i)) {
            c->lame.materials[i] = *lame;
            count += 1;
        }
    }
    if (count == 0) {
        return TLW_ERROR_UNSUPPORTED;
    }
    c->lame.is_stale = true;
    c->still_substeps = 0;
    return TLW_OK;
}

tlw_result tlw_character_get_lame(const tlw_world* world, tlw_character_id id, uint32_t part,
                                  uint32_t layer, tlw_lame* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    if (part >= c->blob.lattice->part_count || layer >= c->blob.lattice->layer_count) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const uint32_t material = part * c->blob.lattice->layer_count + layer;
    if (!is_lame(c, material)) {
        return TLW_ERROR_UNSUPPORTED;
    }
    *out = c->lame.materials[material];
    return TLW_OK;
}
