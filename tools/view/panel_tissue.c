// SPDX-License-Identifier: MIT
// Sliders for materials, settings and muscles, with what the stop test measured beside them.
#include "tools/view/panel_tissue.h"

#include "platform/clock.h"

#include <stdio.h>
#include <string.h>

#define SAVED_SHOWN_NS 5000000000u

// ---- Choices and buttons

static void show_sides(tlw_view_app* app, tlw_ui* ui) {
    static const char* const names[] = {"A, on the left", "B, on the right"};
    uint32_t side = tlw_view_chosen_side(app);
    if (app->side_count > 1) {
        if (tlw_ui_choice(ui, "character", &side, names, 2)) {
            app->chosen = side;
        }
        tlw_ui_hint(ui, "whose values these are");
    }
}

static void show_presets(tlw_view_panels* panels, tlw_view_app* app, tlw_ui* ui) {
    enum { PROFILES_MOST = 256 };
    static const tlw_ui_range seconds = {0.0f, 5.0f, false, "%.1f s"};
    tlw_view_side* side = tlw_view_chosen(app);
    const tlw_blob* blob = &side->character.model->actor.blob;
    const uint32_t profiles = side->character.model->actor.info.profile_count;
    const char* names[PROFILES_MOST];
    uint32_t chosen = side->values.preset;
    names[0] = "cooked";
    for (uint32_t i = 1; i < TLW_PRESET_COUNT; ++i) {
        names[i] = tlw_preset_name((tlw_preset)i);
    }
    if (tlw_ui_choice(ui, "preset", &chosen, names, TLW_PRESET_COUNT)) {
        tlw_view_apply_preset(app, chosen);
    }
    if (profiles > 1) {
        chosen = side->values.profile;
        for (uint32_t i = 0; i < profiles && i < PROFILES_MOST; ++i) {
            names[i] = tlw_blob_profile_name(blob, i);
        }
        if (tlw_ui_choice(ui, "profile", &chosen, names,
                          profiles < PROFILES_MOST ? profiles : PROFILES_MOST)) {
            tlw_view_fade_to(app, chosen, panels->fade_seconds);
        }
        (void)tlw_ui_slider(ui, "fade", &panels->fade_seconds, &seconds);
    }
}

static void show_buttons(tlw_view_panels* panels, tlw_view_app* app, tlw_ui* ui) {
    tlw_view_side* side = tlw_view_chosen(app);
    // Good news are shown until they are not true any more, or were read.
    if (panels->has_saved &&
        (tlw_view_has_changes(app) || tlw_clock_ns() - panels->saved_ns > SAVED_SHOWN_NS)) {
        panels->has_saved = false;
        panels->saved[0] = 0;
    }
    if (tlw_ui_button_if(ui, "undo", tlw_view_history_can_undo(&side->history))) {
        tlw_view_undo(app);
    }
    tlw_ui_beside(ui);
    if (tlw_ui_button_if(ui, "redo", tlw_view_history_can_redo(&side->history))) {
        tlw_view_redo(app);
    }
    tlw_ui_beside(ui);
    if (tlw_ui_button_if(ui, "as cooked", !tlw_view_values_equal(&side->values, &side->cooked))) {
        tlw_view_reset_values(app);
    }
    tlw_ui_beside(ui);
    if (tlw_ui_button(ui, "save")) {
        tlw_view_save_recipe(panels, app);
    }
    tlw_ui_hint(ui, "writes the recipe with these values into this file");
    if (tlw_ui_text_field(ui, "recipe", side->save_path, sizeof side->save_path)) {
        side->is_replacing = false;
    }
    tlw_ui_hint(ui, "where the recipe is saved; another name saves it as another file");
    if (tlw_ui_button_if(ui, "stop test", !tlw_view_stop_runs(app->stop))) {
        tlw_view_begin_stop_test(app);
    }
    tlw_ui_hint(ui, "how each layer rings after the character runs and stops dead");
}

// ---- Materials

// A slider of a value; label is LAYER NAME.
static void show_value(tlw_view_app* app, tlw_ui* ui, const char* layer, const char* name,
                       float* value, const tlw_ui_range* range) {
    char label[128];
    snprintf(label, sizeof label, "%s %s", layer, name);
    const tlw_ui_edit edit = tlw_ui_slider(ui, label, value, range);
    if (edit != TLW_UI_KEPT) {
        tlw_view_set_values(app, edit == TLW_UI_DONE);
    }
}

static void show_ringing(const tlw_view_app* app, tlw_ui* ui, bool is_current, uint32_t part,
                         uint32_t layer) {
    const tlw_view_stop_numbers* numbers = tlw_view_stop_poll(app->stop);
    if (numbers == NULL || part >= numbers->part_count || layer >= numbers->layer_count) {
        return;
    }
    const tlw_motion_place_numbers* n = &numbers->rows[(size_t)part * numbers->layer_count + layer];
    const char* old = is_current ? "" : " (before the last change)";
    if (n->hertz > 0.0) {
        tlw_ui_note(ui, "%.2f Hz, half-life %.0f ms, swings %.1f %%%s", n->hertz,
                    n->half_life_seconds * 1e3, n->overshoot * 100.0, old);
    } else {
        tlw_ui_note(ui, "does not ring%s", old);
    }
}

static void show_layer(tlw_view_app* app, tlw_ui* ui, uint32_t part, uint32_t layer,
                       bool is_current) {
    static const tlw_ui_range stiffness = {0.0f, 10.0f, false, "%.3g"},
                              damping = {0.0f, 1.0f, false, "%.3f"},
                              anchor = {0.0f, 20.0f, false, "%.2f Hz"},
                              limit = {0.0f, 4.0f, false, "%.2f"},
                              young = {0.1f, 1000.0f, true, "%.3g kPa"},
                              poisson = {0.0f, 0.4999f, false, "%.4f"},
                              density = {100.0f, 3000.0f, false, "%.0f kg/m^3"};
    tlw_view_side* side = tlw_view_chosen(app);
    const char* name = tlw_blob_layer_name(&side->character.model->actor.blob, layer);
    tlw_material* material = tlw_view_material(&side->values, part, layer);
    tlw_lame* lame = tlw_view_lame(&side->values, part, layer);
    if (lame->young_kpa > 0.0f) {
        show_value(app, ui, name, "Young", &lame->young_kpa, &young);
        show_value(app, ui, name, "Poisson", &lame->poisson, &poisson);
        show_value(app, ui, name, "density", &lame->density, &density);
    } else {
        show_value(app, ui, name, "stiffness", &material->stiffness, &stiffness);
        show_value(app, ui, name, "anchor", &material->anchor_hz, &anchor);
    }
    show_value(app, ui, name, "damping", &material->damping, &damping);
    show_value(app, ui, name, "limit", &material->limit_scale, &limit);
    show_ringing(app, ui, is_current, part, layer);
}

static void show_materials(tlw_view_app* app, tlw_ui* ui) {
    const tlw_view_side* side = tlw_view_chosen(app);
    const tlw_view_model* model = side->character.model;
    (void)tlw_view_stop_poll(app->stop); // a test that is done ends before anything is said of it
    const bool is_current = tlw_view_stop_is_of(app->stop, model, &side->values);
    if (tlw_view_stop_runs(app->stop)) {
        tlw_ui_note(ui, "the stop test runs");
    }
    for (uint32_t p = 0; p < side->values.part_count; ++p) {
        tlw_part_info part;
        const char* name = tlw_view_part_name(model, p);
        if (tlw_blob_get_part(&model->actor.blob, p, &part) != TLW_OK || part.voxel_count == 0) {
            continue;
        }
        if (tlw_ui_section(ui, name, p == 0)) {
            tlw_ui_push(ui, name);
            if (p > 0) {
                tlw_ui_note(ui, "%s, %u voxels", tlw_part_kind_text(part.kind), part.voxel_count);
            }
            for (uint32_t l = 1; l < side->values.layer_count; ++l) {
                show_layer(app, ui, p, l, is_current);
            }
            tlw_ui_pop(ui);
        }
    }
}

// ---- Settings

static void keep(tlw_view_app* app, tlw_ui_edit edit) {
    if (edit != TLW_UI_KEPT) {
        tlw_view_set_values(app, edit == TLW_UI_DONE);
    }
}

static void show_forces(tlw_view_app* app, tlw_ui* ui) {
    static const tlw_ui_range gravity = {-30.0f, 30.0f, false, "%.2f m/s^2"},
                              wind = {-30.0f, 30.0f, false, "%.1f m/s"},
                              drag = {0.0f, 5.0f, false, "%.2f per m"},
                              time = {0.0f, 4.0f, false, "%.2f times"};
    static const char* const axes[] = {"x", "y", "z"};
    tlw_settings* s = &tlw_view_chosen(app)->values.settings;
    char label[32];
    keep(app, tlw_ui_slider(ui, "gravity", &s->gravity[1], &gravity));
    tlw_ui_hint(ui, "upwards; -9.81 is the Earth's");
    for (int axis = 0; axis < 3; axis += 2) {
        snprintf(label, sizeof label, "gravity %s", axes[axis]);
        keep(app, tlw_ui_slider(ui, label, &s->gravity[axis], &gravity));
    }
    for (int axis = 0; axis < 3; ++axis) {
        snprintf(label, sizeof label, "wind %s", axes[axis]);
        keep(app, tlw_ui_slider(ui, label, &s->wind[axis], &wind));
    }
    keep(app, tlw_ui_slider(ui, "wind drag", &s->wind_drag, &drag));
    tlw_ui_hint(ui, "how fast tissue takes on the wind; 0: there is none");
    keep(app, tlw_ui_slider(ui, "time scale", &s->time_scale, &time));
    tlw_ui_hint(ui, "of the tissue, while the clip goes on as it does");
}

static void show_solver(tlw_view_app* app, tlw_ui* ui) {
    static const tlw_ui_range cutoff = {0.1f, 20.0f, true, "%.2f Hz"},
                              more = {0.0f, 20.0f, false, "%.2f"};
    tlw_view_side* side = tlw_view_chosen(app);
    const tlw_blob_info* info = &side->character.model->actor.info;
    tlw_settings* s = &side->values.settings;
    keep(app, tlw_ui_slider_int(ui, "rotation iterations", &s->rotation_iterations, 1, 4));
    keep(app, tlw_ui_slider_int(ui, "repeats", &s->repeats, 1, 8));
    if (info->has_bends && tlw_ui_toggle(ui, "skinned volume", &s->skinned_volume)) {
        tlw_view_set_values(app, true);
    }
    if (info->limb_count > 0 && tlw_ui_toggle(ui, "own limbs", &s->own_limbs)) {
        tlw_view_set_values(app, true);
    }
    if (tlw_ui_toggle(ui, "pose filter", &side->values.has_filter)) {
        tlw_view_set_values(app, true);
    }
    tlw_ui_hint(ui, "for captured poses that tremble; the noise slider makes some");
    if (side->values.has_filter) {
        keep(app, tlw_ui_slider(ui, "cutoff", &side->values.filter.cutoff_hz, &cutoff));
        keep(app, tlw_ui_slider(ui, "per speed", &side->values.filter.hz_per_speed, &more));
        keep(app, tlw_ui_slider(ui, "per turn", &side->values.filter.hz_per_turn, &more));
    }
}

static void show_muscles(tlw_view_app* app, tlw_ui* ui) {
    static const tlw_ui_range tension = {0.0f, 1.0f, false, "%.2f"};
    tlw_view_side* side = tlw_view_chosen(app);
    for (uint32_t m = 0; m < side->values.muscle_count; ++m) {
        tlw_muscle_info muscle;
        if (tlw_blob_get_muscle(&side->character.model->actor.blob, m, &muscle) == TLW_OK) {
            keep(app, tlw_ui_slider(ui, muscle.name, &side->values.tensions[m], &tension));
        }
    }
}

void tlw_view_show_tissue(tlw_view_panels* panels, tlw_view_app* app, tlw_ui* ui) {
    show_sides(app, ui);
    show_presets(panels, app, ui);
    show_buttons(panels, app, ui);
    show_materials(app, ui);
    if (tlw_view_chosen(app)->values.muscle_count > 0 && tlw_ui_section(ui, "Flex", false)) {
        tlw_ui_push(ui, "Flex");
        show_muscles(app, ui);
        tlw_ui_pop(ui);
    }
    if (tlw_ui_section(ui, "Forces", false)) {
        show_forces(app, ui);
    }
    if (tlw_ui_section(ui, "Solver and poses", false)) {
        show_solver(app, ui);
    }
}
