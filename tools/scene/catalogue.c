// SPDX-License-Identifier: MIT
// Finds entries of the table of scenes and fills scene defs from them.
#include "tools/scene/catalogue.h"

#include <string.h>

#define EVENT_SECONDS 0.5
#define APART_SECONDS 0.137 // not a divisor of any clip's length, so that no two are in step

static const tlw_scene_entry entries[] = {
#define ENTRY(name, sample, resolution, characters, clip, what) \
    {name, sample, resolution, characters, clip, what},
    TLW_SCENE_TABLE(ENTRY)
#undef ENTRY
};

uint32_t tlw_scene_entry_count(void) {
    return (uint32_t)TLW_COUNT_OF(entries);
}

const tlw_scene_entry* tlw_scene_entry_at(uint32_t index) {
    return index < TLW_COUNT_OF(entries) ? &entries[index] : NULL;
}

const tlw_scene_entry* tlw_scene_entry_find(const char* name) {
    for (size_t i = 0; i < TLW_COUNT_OF(entries); ++i) {
        if (strcmp(entries[i].name, name) == 0) {
            return &entries[i];
        }
    }
    return NULL;
}

void tlw_scene_entry_names(char* text, size_t room) {
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < TLW_COUNT_OF(entries) && used + 1 < room; ++i) {
        const int length =
            snprintf(text + used, room - used, "%s%s", i ? ", " : "", entries[i].name);
        used += length > 0 ? (size_t)length : 0;
    }
}

static bool is_named(const tlw_scene_entry* entry, const char* name) {
    return strcmp(entry->name, name) == 0;
}

tlw_scene_def tlw_scene_entry_def(const tlw_scene_entry* entry, const tlw_actor* actor) {
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = actor;
    def.character_count = entry->character_count;
    def.apart_seconds = APART_SECONDS;
    def.is_still = entry->clip == NULL;
    def.mixes_clips = entry->clip && strcmp(entry->clip, "mixed") == 0;
    if (!def.is_still && !def.mixes_clips && actor->asset &&
        tlw_asset_find_clip(actor->asset, entry->clip) != TLW_ASSET_NONE) {
        def.clip = entry->clip;
    }
    def.teleport_seconds = is_named(entry, "teleport") ? EVENT_SECONDS : 0.0;
    def.cut_seconds = is_named(entry, "cuts") ? EVENT_SECONDS : 0.0;
    return def;
}
