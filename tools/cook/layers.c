// SPDX-License-Identifier: MIT
// Stage layers (RULES 8): bone, skin and the layers between them, by integer fractions of path
// lengths; a connected component without bone becomes bone. Iwamoto et al. 2015, 4, have the
// layers; the thresholds are ours, and those of the voxel's part (8.5); painted fat lowers one
// (8.7). Reads cook->links, cook->parts, cook->weights, cook->paint, d_skin, d_seg and thickness;
// writes d_bone, layer and layer_voxels of cook->anatomy.
#include "tools/cook/stages.h"

// A shell voxel of a body this deep is never bone: rigid spots would show on crowns and tips.
#define DEEP_SHELL 2

static const tlw_cook_thresholds* thresholds_of(const tlw_cook* cook, uint32_t voxel) {
    return &cook->parts.thresholds[tlw_cook_part_of(cook, voxel)];
}

static bool is_bone(const tlw_cook_thresholds* by, uint32_t d_seg, uint32_t d_skin) {
    if (d_seg == TLW_UNREACHED) {
        return false;
    }
    if (by->bone_radius_voxels >= 0) {
        return d_seg <= (uint32_t)by->bone_radius_voxels;
    }
    const uint64_t sum = (uint64_t)d_seg + d_skin;
    return d_seg <= sum * by->bone_share.numerator / by->bone_share.denominator;
}

// Marks every voxel that links connect to a bone voxel. Voxels that stay unmarked become bone,
// component by component.
static tlw_result give_bone(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    uint8_t* has_bone = tlw_cook_allocate(cook, count, sizeof *has_bone);
    uint32_t* stack = tlw_cook_allocate(cook, count, sizeof *stack);
    tlw_result result = cook->error.result;
    uint32_t depth = 0, next = 0;
    for (uint32_t v = 0; v < count && result == TLW_OK; ++v) {
        if (cook->anatomy.layer[v] == 0) {
            has_bone[v] = 1;
            stack[depth++] = v;
        }
    }
    while (result == TLW_OK) {
        while (depth > 0) {
            const uint32_t v = stack[--depth];
            for (uint32_t left = cook->links.masks[v]; left != 0; left &= left - 1) {
                const uint32_t to = tlw_linked_voxel(cook, v, __builtin_ctz(left));
                if (!has_bone[to]) {
                    has_bone[to] = 1;
                    stack[depth++] = to;
                    // After the first flood, every voxel that is reached becomes bone.
                    cook->anatomy.boneless_voxels += cook->anatomy.boneless_components > 0;
                    if (cook->anatomy.boneless_components > 0) {
                        cook->anatomy.layer[to] = 0;
                    }
                }
            }
        }
        while (next < count && has_bone[next]) {
            next += 1;
        }
        if (next == count) {
            break;
        }
        cook->anatomy.boneless_components += 1;
        cook->anatomy.boneless_voxels += 1;
        cook->anatomy.layer[next] = 0;
        has_bone[next] = 1;
        stack[depth++] = next;
    }
    tlw_cook_free(cook, has_bone);
    tlw_cook_free(cook, stack);
    return result;
}

static uint8_t layer_of(const tlw_cook* cook, uint32_t voxel) {
    const uint32_t last = cook->recipe->layer_count - 1;
    const uint32_t d_bone = cook->anatomy.d_bone[voxel], d_skin = cook->anatomy.d_skin[voxel];
    const uint32_t* fat = cook->paint.of_voxel[TLW_PAINT_FAT];
    if (d_skin == 0 || last == 1) {
        return (uint8_t)last;
    }
    uint32_t layer = 1;
    while (layer + 1 < last) {
        const tlw_cook_fraction ratio = thresholds_of(cook, voxel)->ratio[layer];
        // Only the ratio of muscle, the first after bone, shrinks with painted fat.
        const uint32_t share =
            layer == 1 && fat != NULL ? TLW_PAINT_ONE - fat[voxel] : TLW_PAINT_ONE;
        if ((tlw_wide_int)d_bone * ratio.denominator * TLW_PAINT_ONE <=
            (tlw_wide_int)ratio.numerator * share * ((uint64_t)d_bone + d_skin)) {
            break;
        }
        layer += 1;
    }
    return (uint8_t)layer;
}

tlw_result tlw_cook_make_layers(tlw_cook* cook) {
    const uint32_t count = cook->voxels.count;
    tlw_cook_anatomy* anatomy = &cook->anatomy;
    anatomy->layer = tlw_cook_allocate(cook, count, sizeof *anatomy->layer);
    anatomy->d_bone = tlw_cook_allocate(cook, count, sizeof *anatomy->d_bone);
    uint32_t* bone = tlw_cook_allocate(cook, count, sizeof *bone);
    tlw_result result = cook->error.result;
    for (uint32_t v = 0; v < count && result == TLW_OK; ++v) {
        const bool is_deep_shell = anatomy->d_skin[v] == 0 && anatomy->thickness[v] >= DEEP_SHELL;
        anatomy->layer[v] = is_deep_shell ||
                            !is_bone(thresholds_of(cook, v), anatomy->d_seg[v], anatomy->d_skin[v]);
    }
    if (result == TLW_OK) {
        result = give_bone(cook);
    }
    if (result == TLW_OK) {
        uint32_t bone_count = 0;
        for (uint32_t v = 0; v < count; ++v) {
            if (anatomy->layer[v] == 0) {
                bone[bone_count++] = v;
            }
        }
        result = tlw_cook_path_lengths(cook, cook->links.masks, bone, bone_count, anatomy->d_bone);
    }
    for (uint32_t v = 0; v < count && result == TLW_OK; ++v) {
        if (anatomy->layer[v] != 0) {
            anatomy->layer[v] = layer_of(cook, v);
        }
        anatomy->layer_voxels[anatomy->layer[v]] += 1;
    }
    tlw_cook_free(cook, bone);
    return result;
}
