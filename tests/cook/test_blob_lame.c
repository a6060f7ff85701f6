// SPDX-License-Identifier: MIT
// The blob's validator on Lame layers: one planted error per rule (MODEL 3.20, 9.3, RULES 8.9,
// 9.15).
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/damaged_blobs.h"
#include "tests/cook/support/planted_numbers.h"
#include "tests/test.h"

#include <string.h>

enum { LAYERS = 4, FAT = 2 };

// A box whose part of joint 1 has fat and skin as Lame layers.
static uint8_t* cook_lame(tlw_cook_output* out, size_t* size) {
    const tlw_cook_options options = tlw_default_cook_options();
    scene* s = scene_make(SCENE_box, 0);
    tlw_cook_part part = tlw_default_cook_part("joint1");
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 40;
    recipe.is_firm_auto = false;
    recipe.parts = &part;
    recipe.part_count = 1;
    part.lame[FAT].solver = TLW_SOLVER_LAME;
    (void)tlw_cook_character(scene_input(s), &recipe, &options, out);
    CHECK_STRING(out->error.message, "");
    scene_free(s);
    *size = out->blob_bytes;
    return out->blob;
}

// The first window with these: a Lame voxel or none, near or not.
static uint32_t find_window(uint8_t* blob, bool has_lame, bool is_near) {
    const tlw_blob_lattice* l = first_of(blob, TLW_SECTION_LATTICE);
    const tlw_blob_lame_window* windows = first_of(blob, TLW_SECTION_LAME_WINDOWS);
    for (uint32_t w = 0; w < l->window_count; ++w) {
        if ((windows[w].lanes != 0) == has_lame && windows[w].is_near == is_near) {
            return w;
        }
    }
    tlw_test_fail(HERE, "there is no such window");
    return 0;
}

#define MATERIAL(element_, field, value_, what_, component_) \
    FIELD(LAME, tlw_blob_lame, LAYERS + (element_), field, value_, what_, component_)
#define WINDOW(element_, field, value_, what_, component_) \
    FIELD(LAME_WINDOWS, tlw_blob_lame_window, element_, field, value_, what_, component_)

TLW_TEST(blob_report_names_every_planted_error_of_lame_layers) {
    static const char young[] = "Young's modulus, above 0, at most 1e6 kPa";
    static const char poisson[] = "Poisson ratio, 0 to 0.4999",
                      density[] = "density, 1 to 1e5 kg/m^3";
    tlw_cook_output out;
    size_t size;
    uint8_t* blob = cook_lame(&out, &size);
    const tlw_blob_lattice* l = first_of(blob, TLW_SECTION_LATTICE);
    const tlw_blob_lame_window* windows = first_of(blob, TLW_SECTION_LAME_WINDOWS);
    const uint32_t with = find_window(blob, true, true), near = find_window(blob, false, true),
                   far = find_window(blob, false, false);
    CHECK_LT(1, l->lame_windows);
    const planted_number errors[] = {
        MATERIAL(FAT, young_kpa, NAN_32, young, 0),
        MATERIAL(FAT, young_kpa, 0, young, 0),
        MATERIAL(FAT, young_kpa, 0x49742401, young, 0), // after 1e6
        MATERIAL(FAT, poisson, MINUS_1, poisson, 1),
        MATERIAL(FAT, poisson, HALF_32, poisson, 1),
        MATERIAL(FAT, density, 0, density, 2),
        MATERIAL(FAT, density, INF_32, density, 2),
        MATERIAL(FAT, density, HALF_32, density, 2),
        MATERIAL(1, young_kpa, ONE_32, density, 2), // half a material
        WINDOW(with, place, 77777, "place among the windows with a Lame voxel", 0),
        WINDOW(near, place, 1, "place among the windows with a Lame voxel", 0),
        WINDOW(with, lanes, (uint64_t)(windows[with].lanes ^ 1u), "lanes that hold a Lame voxel",
               1),
        WINDOW(near, lanes, 1, "lanes that hold a Lame voxel", 1),
        WINDOW(far, is_near, 1, "near a Lame voxel", 2),
        WINDOW(near, is_near, 0, "near a Lame voxel", 2),
        WINDOW(with, is_near, 255, "near a Lame voxel", 2),
        WINDOW(far, reserved, 1, "reserved byte", 3),
        WINDOW(far, reserved, 256, "reserved byte", 4),
        FIELD(LATTICE, tlw_blob_lattice, 0, lame_windows, UINT32_MAX, "windows with a Lame voxel",
              0),
        FIELD(LATTICE, tlw_blob_lattice, 0, lame_windows, l->lame_windows - 1,
              "windows with a Lame voxel", 0),
        LEADS_TO(LATTICE, 0, offsetof(tlw_blob_lattice, lame_windows), 4, 0, LAME,
                 "absent without Lame voxels", 0),
    };
    check_planted_numbers(blob, size, errors, TLW_COUNT_OF(errors));
    tlw_cook_output_free(&out);
}

TLW_TEST(blob_rejects_lame_bone_and_a_layer_that_is_not_lame_outside_one) {
    tlw_cook_output out;
    size_t size;
    tlw_blob_report report;
    uint8_t* blob = cook_lame(&out, &size);
    tlw_blob_lame* lame = first_of(blob, TLW_SECTION_LAME);
    const tlw_blob_lame fat = lame[LAYERS + FAT];
    lame[LAYERS] = fat;
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_LAME, "bone is not lame", &report, HERE);
    CHECK_EQ(report.element, LAYERS);
    memset(&lame[LAYERS], 0, sizeof *lame);
    memset(&lame[LAYERS + FAT + 1], 0, sizeof *lame);
    blob_set_content_hash(blob, size);
    check_report(blob, size, TLW_SECTION_LAME, "lame, as the layer inside it", &report, HERE);
    CHECK_EQ(report.element, LAYERS + FAT + 1);
    tlw_cook_output_free(&out);
}

TLW_TEST(blob_has_lame_materials_and_windows_or_neither) {
    static const tlw_blob_section_kind kinds[] = {TLW_SECTION_LAME, TLW_SECTION_LAME_WINDOWS};
    tlw_cook_output out;
    size_t size, new_size;
    tlw_blob_report report;
    uint8_t* blob = cook_lame(&out, &size);
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        const uint32_t kind = (uint32_t)kinds[i];
        uint8_t* other = rebuild(blob, kind, UINT32_MAX, 0, &new_size);
        check_report(other, new_size, kind, "present with Lame voxels", &report, HERE);
        blob_free(other);
        other = rebuild(blob, UINT32_MAX, kind, entry_of(blob, kind)->count + 1, &new_size);
        check_report(other, new_size, kind, "element count", &report, HERE);
        blob_free(other);
    }
    tlw_cook_output_free(&out);
}
