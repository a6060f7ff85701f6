// SPDX-License-Identifier: MIT
// The blob's validator: materials in physical units, and the windows that hold their voxels (MODEL
// 3.20, 9.3, RULES 8.9, 9.15). The windows follow from the voxels' materials and links, and are
// computed again. Freestanding; reads the blob, writes only the report.
#include "runtime/blob/validator.h"

// Both sections are there if some window holds a Lame voxel, and neither if none does.
static tlw_result check_presence(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    for (uint32_t kind = TLW_SECTION_LAME; kind <= TLW_SECTION_LAME_WINDOWS; ++kind) {
        const bool is_here = view->sections[kind] != NULL;
        if (l->lame_windows == 0 && is_here) {
            return fail(view, kind, 0, view->sections[kind]->offset, "absent without Lame voxels",
                        0, 1);
        }
        if (l->lame_windows > 0 && !is_here) {
            return fail(view, kind, 0, 0, "present with Lame voxels", 1, 0);
        }
    }
    return TLW_OK;
}

static bool is_lame_material(const blob_view* view, uint32_t material) {
    return ((const tlw_blob_lame*)first_of(view, TLW_SECTION_LAME))[material].density > 0.0f;
}

// Three numbers in their ranges, or three times 0.
static tlw_result check_material(const blob_view* view, uint32_t i) {
    const tlw_blob_section_kind kind = TLW_SECTION_LAME;
    const tlw_blob_lame* lame = (const tlw_blob_lame*)first_of(view, kind) + i;
    const bool is_none =
        bits_of(lame->young_kpa) == 0 && bits_of(lame->poisson) == 0 && bits_of(lame->density) == 0;
    const struct {
        const char* what;
        float value, low, high;
    } ranges[] = {
        {"Young's modulus, above 0, at most 1e6 kPa", lame->young_kpa, 1e-30f, TLW_LAME_YOUNG_MAX},
        {"Poisson ratio, 0 to 0.4999", lame->poisson, 0.0f, TLW_LAME_POISSON_MAX},
        {"density, 1 to 1e5 kg/m^3", lame->density, TLW_LAME_DENSITY_MIN, TLW_LAME_DENSITY_MAX}};
    for (uint32_t k = 0; k < TLW_COUNT_OF(ranges) && !is_none; ++k) {
        if (!(ranges[k].value >= ranges[k].low && ranges[k].value <= ranges[k].high)) {
            return fail_component(view, kind, i, k, ranges[k].what,
                                  float_bound(ranges[k].value, ranges[k].low, ranges[k].high),
                                  bits_of(ranges[k].value));
        }
    }
    const uint32_t layer = i % view->lattice->layer_count;
    if (layer == 0 && !is_none) {
        return fail_component(view, kind, i, 2, "bone is not lame", 0, bits_of(lame->density));
    }
    if (layer > 0 && is_none && is_lame_material(view, i - 1)) {
        return fail_component(view, kind, i, 2, "lame, as the layer inside it",
                              bits_of(lame[-1].density), 0);
    }
    return TLW_OK;
}

static bool is_lame_slot(const blob_view* view, uint64_t slot) {
    const uint32_t* voxels = first_of(view, TLW_SECTION_SLOT_VOXEL);
    const uint16_t* materials = first_of(view, TLW_SECTION_SLOT_MATERIAL);
    return voxels[slot] != TLW_BLOB_NO_INDEX && is_lame_material(view, materials[slot]);
}

// What LAME_WINDOWS should say of window w. `place` is that of the next window with a Lame voxel.
static tlw_blob_lame_window describe_window(const blob_view* view, uint32_t w,
                                            const surroundings* around, uint32_t place) {
    const tlw_blob_window* window = (const tlw_blob_window*)first_of(view, TLW_SECTION_WINDOWS) + w;
    tlw_blob_lame_window out = {0};
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        if (is_lame_slot(view, (uint64_t)w * LANES + lane)) {
            out.lanes = (uint8_t)(out.lanes | 1u << lane);
        }
        for (uint32_t left = TLW_FACE_STEPS; left != 0; left &= left - 1) {
            const int step = __builtin_ctz(left);
            if ((window->links[step] >> lane & 1) &&
                is_lame_slot(view, slot_at(around, lane, tlw_cell_of_step(step)))) {
                out.is_near = 1;
            }
        }
    }
    out.is_near = out.is_near || out.lanes != 0;
    out.place = out.lanes != 0 ? place : 0;
    return out;
}

static tlw_result check_window(const blob_view* view, uint32_t w,
                               const tlw_blob_lame_window* expected) {
    const tlw_blob_section_kind kind = TLW_SECTION_LAME_WINDOWS;
    const tlw_blob_lame_window* found = (const tlw_blob_lame_window*)first_of(view, kind) + w;
    const struct {
        const char* what;
        uint32_t expected, found;
    } numbers[] = {{"place among the windows with a Lame voxel", expected->place, found->place},
                   {"lanes that hold a Lame voxel", expected->lanes, found->lanes},
                   {"near a Lame voxel", expected->is_near, found->is_near},
                   {"reserved byte", 0, found->reserved[0]},
                   {"reserved byte", 0, found->reserved[1]}};
    for (uint32_t i = 0; i < TLW_COUNT_OF(numbers); ++i) {
        if (numbers[i].expected != numbers[i].found) {
            return fail_component(view, kind, w, i, numbers[i].what, numbers[i].expected,
                                  numbers[i].found);
        }
    }
    return TLW_OK;
}

tlw_result tlw_blob_check_lame(const blob_view* view) {
    const tlw_blob_lattice* l = view->lattice;
    tlw_result result = check_presence(view);
    if (result != TLW_OK || l->lame_windows == 0) {
        return result;
    }
    for (uint32_t i = 0; i < l->part_count * l->layer_count && result == TLW_OK; ++i) {
        result = check_material(view, i);
    }
    surroundings around = {{0}, {{0}}};
    uint32_t place = 0;
    for (uint32_t w = 0; w < l->window_count && result == TLW_OK; ++w) {
        tlw_blob_look_around(view, w, &around);
        const tlw_blob_lame_window expected = describe_window(view, w, &around, place);
        place += expected.lanes != 0;
        result = check_window(view, w, &expected);
    }
    return result == TLW_OK && place != l->lame_windows
               ? fail_at(view, TLW_SECTION_LATTICE, 0, "windows with a Lame voxel", place,
                         l->lame_windows)
               : result;
}
