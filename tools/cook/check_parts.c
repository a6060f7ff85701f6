// SPDX-License-Identifier: MIT
// Part of the stage check (RULES 8.5, 12): a part of the recipe. Every number, thresholds that
// ascend together with the layers' own, and the joint that the part is mirrored to. Reads the
// recipe and cook->names; writes cook->mirrors.
#include "tools/cook/stages.h"

#include <string.h>

static bool is_fraction(tlw_cook_fraction f) {
    return f.denominator > 0 && f.numerator <= f.denominator;
}

static tlw_result check_materials(tlw_cook* cook, uint32_t i) {
    const tlw_cook_recipe* r = cook->recipe;
    const tlw_cook_part* part = &r->parts[i];
    for (uint32_t k = 0; k < r->layer_count; ++k) {
        if (!(part->stiffness[k] <= 1e6f) || !(part->damping[k] <= 1.0f) ||
            !(part->anchor_hz[k] <= 1e6f)) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "part %u '%s', layer '%s': stiffness %g, damping %g, anchor_hz %g",
                                 i, part->joint, r->layers[k].name, (double)part->stiffness[k],
                                 (double)part->damping[k], (double)part->anchor_hz[k]);
        }
    }
    return TLW_OK;
}

static tlw_cook_fraction ratio_of(const tlw_cook* cook, uint32_t i, uint32_t layer) {
    const tlw_cook_fraction own = cook->recipe->parts[i].ratio[layer];
    return own.denominator > 0 ? own : cook->recipe->layers[layer].ratio;
}

static tlw_result check_thresholds(tlw_cook* cook, uint32_t i) {
    const tlw_cook_recipe* r = cook->recipe;
    const tlw_cook_part* part = &r->parts[i];
    if (part->bone_share.denominator > 0 && !is_fraction(part->bone_share)) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT, "part %u '%s': bone_share is %u / %u", i,
                             part->joint, part->bone_share.numerator, part->bone_share.denominator);
    }
    for (uint32_t k = 1; k + 2 < r->layer_count; ++k) {
        const tlw_cook_fraction b = ratio_of(cook, i, k);
        if (!is_fraction(b)) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "part %u '%s', layer '%s': ratio is %u / %u", i, part->joint,
                                 r->layers[k].name, b.numerator, b.denominator);
        }
        const tlw_cook_fraction a =
            k > 1 ? ratio_of(cook, i, k - 1) : (tlw_cook_fraction){0, 1}; // bone has none
        if (k > 1 &&
            (uint64_t)a.numerator * b.denominator >= (uint64_t)b.numerator * a.denominator) {
            return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                                 "part %u '%s': layers out of order: '%s' (%u / %u) does not come "
                                 "after '%s' (%u / %u)",
                                 i, part->joint, r->layers[k].name, b.numerator, b.denominator,
                                 r->layers[k - 1].name, a.numerator, a.denominator);
        }
    }
    if (!(part->limit_extent <= 1e6f) || !(part->limit_thickness <= 1e6f)) {
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "part %u '%s': limit_extent %g, limit_thickness %g", i, part->joint,
                             (double)part->limit_extent, (double)part->limit_thickness);
    }
    return TLW_OK;
}

// ---- Mirror

static tlw_result find_mirror(tlw_cook* cook, uint32_t i) {
    const char* name = cook->recipe->parts[i].joint;
    char* mirrored = tlw_cook_allocate(cook, strlen(name) + TLW_MIRRORED_BYTES, 1);
    if (mirrored == NULL) {
        return cook->error.result;
    }
    const uint32_t count = tlw_mirror_name(name, mirrored);
    if (count != 1) {
        tlw_cook_blame(cook, "parts[%u].mirror", i);
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             count == 0
                                 ? "part %u: '%s' cannot be mirrored: none of its words is left, "
                                   "right, l or r"
                                 : "part %u: '%s' cannot be mirrored: more than one of its words "
                                   "is left, right, l or r",
                             i, name);
    }
    cook->mirrors[i] = tlw_find_joint_name(cook->names, cook->input->joint_count, mirrored);
    if (cook->mirrors[i] == TLW_NO_JOINT) {
        tlw_cook_blame(cook, "parts[%u].mirror", i);
        tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND,
                      "part %u: '%s' cannot be mirrored: there is no joint '%s'", i, name,
                      mirrored);
    }
    tlw_cook_free(cook, mirrored);
    return cook->error.result;
}

tlw_result tlw_cook_check_part(tlw_cook* cook, uint32_t i) {
    const tlw_cook_part* part = &cook->recipe->parts[i];
    const char* joint = part->joint ? part->joint : "";
    if (tlw_find_joint_name(cook->names, cook->input->joint_count, joint) == TLW_NO_JOINT) {
        return tlw_cook_fail(cook, TLW_ERROR_NOT_FOUND, "part %u: there is no joint '%s'", i,
                             joint);
    }
    tlw_result result = check_materials(cook, i);
    if (result == TLW_OK) {
        result = check_thresholds(cook, i);
    }
    cook->mirrors[i] = TLW_NO_JOINT;
    if (result == TLW_OK && part->is_mirrored) {
        result = find_mirror(cook, i);
    }
    return result;
}
