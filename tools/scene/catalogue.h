// SPDX-License-Identifier: MIT
// The table of scenes by name: which character, how many of it, which clip, and what happens to it.
// Bench, tests and pictures take scenes from here, so that the work that one of them measures can
// be looked at in another.
#ifndef TLW_TOOLS_SCENE_CATALOGUE_H
#define TLW_TOOLS_SCENE_CATALOGUE_H

#include "tools/scene/scene.h"

TLW_EXTERN_C_BEGIN

// name, sample, resolution, characters, clip, what it shows. With "mixed" each character plays the
// next clip of the list.
#define TLW_SCENE_TABLE(X)                                                                    \
    X("still", "stout", 32, 1, NULL, "stands still until it sleeps")                          \
    X("idle", "stout", 32, 1, "idle", "breathes and shifts its weight")                       \
    X("walk", "stout", 32, 1, "walk", "walks in place")                                       \
    X("dance", "stout", 32, 1, "dance", "sways and spins: what most figures are of")          \
    X("jump", "stout", 32, 1, "jump_and_land", "jumps and lands")                             \
    X("stop", "stout", 32, 1, "sudden_stop", "runs and stops dead")                           \
    X("ears", "bunny", 32, 1, "dance", "the rabbit dances: long thin parts")                  \
    X("hero", "stout", 64, 1, "dance", "one large character, split among workers")            \
    X("crowd", "stout", 16, 64, "mixed", "many characters, every clip, each at another time") \
    X("teleport", "stout", 32, 1, "dance", "put elsewhere every half second while it dances") \
    X("cuts", "stout", 32, 1, "dance", "a cut in the motion every half second")

typedef struct tlw_scene_entry {
    const char *name, *sample;
    uint32_t resolution, character_count;
    const char *clip, *what;
} tlw_scene_entry;

uint32_t tlw_scene_entry_count(void);
// Null for an index outside the table.
const tlw_scene_entry* tlw_scene_entry_at(uint32_t index);
// Null for an unknown name.
const tlw_scene_entry* tlw_scene_entry_find(const char* name);
// Writes "still, idle, ..."; cut where the room ends.
void tlw_scene_entry_names(char* text, size_t room);

// The default def with the entry's clip, number of characters and events. An actor that does not
// have the entry's clip plays its first one.
tlw_scene_def tlw_scene_entry_def(const tlw_scene_entry* entry, const tlw_actor* actor);

TLW_EXTERN_C_END

#endif
