// SPDX-License-Identifier: MIT
// Everything of a character that sliders change: materials of every part and layer, numbers of Lame
// layers, settings, tensions, the filter. Read from a character, set on one, kept for undo, and
// carried over to another character by the names of layers and parts.
#ifndef TLW_TOOLS_VIEW_VALUES_H
#define TLW_TOOLS_VIEW_VALUES_H

#include "tools/view/character.h"

#define TLW_VIEW_UNDO_MOST 256u

// One block of memory; rows have layer_count elements for each part, part 0 first.
typedef struct tlw_view_values {
    uint32_t part_count, layer_count, muscle_count;
    bool has_lame, has_filter;
    tlw_material* materials; // element part * layer_count + layer; layer 0 is not used
    tlw_lame* lame;          // young_kpa 0: that layer is not lame
    float* tensions;         // one per muscle
    tlw_settings settings;
    tlw_pose_filter filter;
    uint32_t preset, profile; // chosen last; 0: as it was cooked
} tlw_view_values;

// What the recipe's `view` may hold of settings and the filter: its key, and where it is in both.
typedef enum tlw_view_setting_kind {
    TLW_VIEW_FLOAT,
    TLW_VIEW_VECTOR,
    TLW_VIEW_INTEGER,
    TLW_VIEW_SWITCH
} tlw_view_setting_kind;

typedef struct tlw_view_setting {
    const char* key; // "view.gravity"
    tlw_view_setting_kind kind;
    size_t value, said; // offsets in tlw_view_values and tlw_recipe_view
} tlw_view_setting;

#define TLW_VIEW_SETTING_COUNT 12
extern const tlw_view_setting tlw_view_settings[TLW_VIEW_SETTING_COUNT];

// What the character has now. False if out of memory.
bool tlw_view_values_read(tlw_view_values* values, const tlw_view_character* from);
void tlw_view_values_free(tlw_view_values* values);
// What a recipe's `view` says, where it says anything that this character can have. What it names
// and the character does not have is said in `message`, which is empty otherwise.
void tlw_view_values_take(tlw_view_values* values, const tlw_view_model* model,
                          const tlw_recipe* recipe, char* message, size_t room);
// The materials of a profile, with the limits of the recipe's `view` for profile 0.
void tlw_view_values_set_profile(tlw_view_values* values, const tlw_view_model* model,
                                 uint32_t profile);
// Sets all of them. The first that is refused is named in `message`, and the rest are set.
bool tlw_view_values_apply(const tlw_view_values* values, const tlw_view_character* to,
                           char* message, size_t room);
// Both must be of one model, or `to` empty. False if out of memory; then nothing was copied.
bool tlw_view_values_copy(tlw_view_values* to, const tlw_view_values* from);
// Bit by bit.
bool tlw_view_values_equal(const tlw_view_values* a, const tlw_view_values* b);
// What somebody changed, on a new character: where `from` and `base` (what the old character was
// cooked with) differ, `to` takes the value of `from`, by the names of layers, of parts' joints and
// of muscles.
void tlw_view_values_carry(tlw_view_values* to, const tlw_view_model* to_model,
                           const tlw_view_values* from, const tlw_view_values* base,
                           const tlw_view_model* from_model);

tlw_material* tlw_view_material(const tlw_view_values* values, uint32_t part, uint32_t layer);
tlw_lame* tlw_view_lame(const tlw_view_values* values, uint32_t part, uint32_t layer);
// The name of a part: of its joint, or "whole character".
const char* tlw_view_part_name(const tlw_view_model* model, uint32_t part);

// States to go back to and forth. The present one is in it.
typedef struct tlw_view_history {
    tlw_view_values states[TLW_VIEW_UNDO_MOST];
    uint32_t count, at; // states[at] is the present
} tlw_view_history;

// Forgets all, and begins with a state. False if out of memory; then it is empty.
bool tlw_view_history_begin(tlw_view_history* history, const tlw_view_values* values);
void tlw_view_history_free(tlw_view_history* history);
// Keeps a state that differs from the present one, and forgets those that were undone. Without
// memory nothing is kept.
void tlw_view_history_keep(tlw_view_history* history, const tlw_view_values* values);
// Null: there is nothing to undo or to redo.
const tlw_view_values* tlw_view_history_undo(tlw_view_history* history);
const tlw_view_values* tlw_view_history_redo(tlw_view_history* history);
bool tlw_view_history_can_undo(const tlw_view_history* history);
bool tlw_view_history_can_redo(const tlw_view_history* history);

#endif
