// SPDX-License-Identifier: MIT
// Characters that stay open after they were cooked, what the lists of skinned volume say of a
// voxel, and sections of blobs, for the tests of bends, profiles and limbs.
#ifndef TLW_TESTS_COOK_SUPPORT_BEND_VIEW_H
#define TLW_TESTS_COOK_SUPPORT_BEND_VIEW_H

#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/open_cook.h"
#include "tests/cook/support/sample_input.h"
#include "tests/test.h"

#include <string.h>

// What the cook's lists say of a voxel.
typedef struct voxel_view {
    uint32_t count, bend[TLW_BLOB_BENDS_PER_WINDOW]; // elements of the list of bends, ascending
    float share[TLW_BLOB_BENDS_PER_WINDOW];
    float field[3]; // lattice axes
} voxel_view;

TLW_INLINE voxel_view view_of(const tlw_cook* cook, uint32_t voxel) {
    const tlw_cook_bends* bends = &cook->bends;
    const uint32_t slot = cook->order.slot_of_voxel[voxel];
    const uint32_t window = slot / TLW_BLOB_LANES, lane = slot % TLW_BLOB_LANES;
    voxel_view view = {.count = 0};
    for (uint32_t e = bends->windows[window].first_entry;
         e < bends->windows[window + 1].first_entry; ++e) {
        const float share =
            (float)bends->shares[(size_t)e * TLW_BLOB_LANES + lane] * TLW_BLOB_BEND_UNIT;
        if (share != 0.0f) {
            view.bend[view.count] = bends->entries[e];
            view.share[view.count++] = share;
        }
    }
    for (uint32_t a = 0; a < 3; ++a) {
        view.field[a] = (float)bends->field[((size_t)window * 3 + a) * TLW_BLOB_LANES + lane] *
                        TLW_BLOB_FIELD_UNIT;
    }
    return view;
}

TLW_INLINE bool has_field(const voxel_view* view) {
    return view->field[0] != 0.0f || view->field[1] != 0.0f || view->field[2] != 0.0f;
}

typedef struct character {
    scene* scene;
    sample_input* sample;
    open_cook open;
} character;

TLW_INLINE void cook_scene(character* c, scene* s, const tlw_cook_recipe* recipe) {
    *c = (character){.scene = s};
    c->open.recipe = *recipe;
    (void)open_cook_run(&c->open, scene_input(s));
    CHECK_STRING(c->open.cook.error.message, "");
}

TLW_INLINE void cook_sample(character* c, tlw_sample_variant variant,
                            const tlw_cook_recipe* recipe) {
    *c = (character){.sample = sample_input_make(variant)};
    c->open.recipe = *recipe;
    (void)open_cook_run(&c->open, sample_input_get(c->sample));
    CHECK_STRING(c->open.cook.error.message, "");
}

TLW_INLINE void free_character(character* c) {
    open_cook_close(&c->open);
    if (c->scene) {
        scene_free(c->scene);
    } else {
        sample_input_free(c->sample);
    }
}

TLW_INLINE tlw_cook_recipe recipe_of(uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    return recipe;
}

// The section of a blob; without elements if there is none.
TLW_INLINE tlw_blob_section find_section(const uint8_t* blob, tlw_blob_section_kind kind) {
    tlw_blob_header header;
    tlw_blob_section section;
    memcpy(&header, blob, sizeof header);
    for (uint32_t i = 0; i < header.section_count; ++i) {
        memcpy(&section, blob + sizeof header + i * sizeof section, sizeof section);
        if (section.kind == (uint32_t)kind) {
            return section;
        }
    }
    return (tlw_blob_section){.count = 0};
}

// Checks that two blobs have the same bytes in a section.
TLW_INLINE void check_same_section(const uint8_t* a, const uint8_t* b, tlw_blob_section_kind kind) {
    const tlw_blob_section in_a = find_section(a, kind), in_b = find_section(b, kind);
    CHECK_EQ(in_a.count, in_b.count);
    CHECK_BYTES(a + in_a.offset, b + in_b.offset, (size_t)(in_a.count * in_a.element_bytes));
}

#endif
