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

static const char* const sides[2][2] = {{"left", "right"}, {"l", "r"}};

// The word for the other side, or null.
static const char* other_side(const char* text, size_t length) {
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) {
            if (tlw_is_word(text, length, sides[i][k])) {
                return sides[i][1 - k];
            }
        }
    }
    return NULL;
}

// A word is small, capital, or capital in its first letter only.
static void write_in_case(const char* word, const char* like, size_t like_length, char* to) {
    const size_t length = strlen(word);
    for (size_t i = 0; i < length; ++i) {
        const char c = like[i > 0 && like_length > 1];
        to[i] = c >= 'A' && c <= 'Z' ? (char)(word[i] - 'a' + 'A') : word[i];
    }
}

// Where the one word for a side stands in the name. Returns how many there are.
static uint32_t find_side(const char* name, size_t* start, size_t* length) {
    uint32_t count = 0;
    size_t at = 0;
    for (size_t word; (word = tlw_next_word(name, &at)) > 0; at += word) {
        if (other_side(name + at, word) != NULL) {
            *start = at;
            *length = word;
            count += 1;
        }
    }
    return count;
}

static tlw_result find_mirror(tlw_cook* cook, uint32_t i) {
    const char* name = cook->recipe->parts[i].joint;
    size_t start = 0, length = 0;
    const uint32_t count = find_side(name, &start, &length);
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
    char* mirrored = tlw_cook_allocate(cook, strlen(name) + 2, 1); // right is longer than left
    if (mirrored == NULL) {
        return cook->error.result;
    }
    const char* word = other_side(name + start, length);
    memcpy(mirrored, name, start);
    write_in_case(word, name + start, length, mirrored + start);
    strcpy(mirrored + start + strlen(word), name + start + length);
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
