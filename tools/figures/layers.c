// SPDX-License-Identifier: MIT
// Figures 4, 10 and 5: what the body is made of, and what follows the skeleton.
#include "tools/figures/figures.h"

#include <stdio.h>

#define YAW 20.0f

static tlw_figure_row voxel_row(const tlw_actor* actor, const double* seconds, const char* label) {
    tlw_figure_row row = {.take = tlw_default_take_def(actor),
                          .seconds = seconds,
                          .look = TLW_DRAW_VOXELS,
                          .label = label,
                          .yaw_degrees = YAW};
    row.take.clip = "dance";
    row.take.has_voxels = true;
    return row;
}

typedef struct census {
    uint32_t counts[8];                    // voxels of each layer
    double fat[TLW_MOTION_PLACE_COUNT];    // share of a place's soft voxels
    double muscle[TLW_MOTION_PLACE_COUNT]; // likewise
} census;

static double share_of(const tlw_motion* motion, tlw_motion_place place, uint32_t layer) {
    uint32_t count, found = 0;
    const uint32_t* voxels = tlw_motion_place_voxels(motion, place, &count);
    for (uint32_t i = 0; i < count; ++i) {
        found += motion->layers[voxels[i]] == layer;
    }
    return count > 0 ? (double)found / count : 0.0;
}

// What layers the voxels have. False if there is no memory for a character.
static bool count_layers(tlw_figures* f, const tlw_actor* actor, census* out) {
    tlw_motion_def def = tlw_default_motion_def();
    def.actor = actor;
    tlw_motion* motion;
    if (tlw_motion_open(&def, &motion, &f->error) != TLW_SCENE_OK) {
        return false;
    }
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        out->counts[motion->layers[v] & 7] += 1;
    }
    for (int place = 0; place < TLW_MOTION_PLACE_COUNT; ++place) {
        out->muscle[place] = share_of(motion, (tlw_motion_place)place, 1);
        out->fat[place] = share_of(motion, (tlw_motion_place)place, 2);
    }
    tlw_motion_close(motion);
    return true;
}

tlw_exit_code tlw_figure_layers(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_BUNNY);
    census c = {.counts = {0}};
    if (actor == NULL || !count_layers(f, actor, &c)) {
        return tlw_figures_fail(f);
    }
    static const double seconds[6] = {0.0, 4.25, 4.5, 4.75, 5.0, 5.25};
    static const char letters[4] = {'a', 'b', 'c', 'd'};
    char labels[5][96];
    tlw_figure_sheet sheet = {.title = "Figures 4 and 10: layers, in a cut and in motion",
                              .remark = "bunny at resolution 32, the dance; voxels where the "
                                        "runtime puts them",
                              .columns = 6,
                              .row_count = 5};
    snprintf(labels[0], sizeof labels[0],
             "Figure 4: the front half taken away. Bone ivory, muscle red, fat yellow, skin brown");
    sheet.rows[0] = voxel_row(actor, seconds, labels[0]);
    sheet.rows[0].cut = 'z';
    for (uint32_t layer = 0; layer < 4; ++layer) {
        snprintf(labels[layer + 1], sizeof labels[0], "Figure 10 (%c): %s, %u voxels",
                 letters[layer], tlw_blob_layer_name(&actor->blob, layer), c.counts[layer]);
        sheet.rows[layer + 1] = voxel_row(actor, seconds, labels[layer + 1]);
        sheet.rows[layer + 1].layers = 1u << layer;
    }
    tlw_figure_note(
        &sheet,
        "fat is %.0f%% of the belly's soft voxels and %.0f%% of the hands'; muscle %.0f%% and "
        "%.0f%%; the rest is skin. A part that is thin has no room for fat",
        100.0 * c.fat[TLW_MOTION_BELLY], 100.0 * c.fat[TLW_MOTION_HAND],
        100.0 * c.muscle[TLW_MOTION_BELLY], 100.0 * c.muscle[TLW_MOTION_HAND]);
    return tlw_figures_draw(f, &sheet, file);
}

tlw_exit_code tlw_figure_bone(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_BUNNY);
    census c = {.counts = {0}};
    if (actor == NULL || !count_layers(f, actor, &c)) {
        return tlw_figures_fail(f);
    }
    // Facing us: a cut from behind shows nothing.
    static const double seconds[TLW_FIGURE_SHOTS] = {4.0, 4.25, 4.5, 4.75, 5.0, 5.25, 5.5, 5.75};
    tlw_figure_sheet sheet = {.title = "Figure 5: bone alone follows the skeleton",
                              .remark = "bunny at resolution 32, the dance",
                              .columns = TLW_FIGURE_SHOTS,
                              .row_count = 3,
                              .legend = TLW_LEGEND_DEVIATION};
    sheet.rows[0] = voxel_row(
        actor, seconds, "bone voxels, where skinning puts them; the line is the skinned surface");
    sheet.rows[0].look = TLW_DRAW_BONE;
    sheet.rows[1] = voxel_row(
        actor, seconds, "all voxels, the front half taken away: tissue is drawn to the bones");
    sheet.rows[1].cut = 'z';
    sheet.rows[2] = voxel_row(actor, seconds, "the surface that rides on them");
    sheet.rows[2].look = TLW_DRAW_TISSUE;
    tlw_figure_note(
        &sheet, "%u of %u voxels are bone, %.0f%%; they are exactly at their skinned places",
        c.counts[0], actor->info.voxel_count, 100.0 * c.counts[0] / actor->info.voxel_count);
    return tlw_figures_draw(f, &sheet, file);
}
