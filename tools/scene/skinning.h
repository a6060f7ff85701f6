// SPDX-License-Identifier: MIT
// The words with which commands say how a character is skinned: whether skinned volume is on, and
// which skinning a sample is cooked with. A header by itself, because command lines are also read
// in builds without scenes.
#ifndef TLW_TOOLS_SCENE_SKINNING_H
#define TLW_TOOLS_SCENE_SKINNING_H

#include "runtime/asset.h"

#include <string.h>

// Whether characters keep the volume that bent joints lose (MODEL 3.12).
typedef enum tlw_scene_volume {
    TLW_SCENE_VOLUME_COOKED, // where the blob has it
    TLW_SCENE_VOLUME_ON,     // a blob without it is an error
    TLW_SCENE_VOLUME_OFF
} tlw_scene_volume;
#define TLW_VOLUME_LIST "on or off"

#define TLW_SKINNING_LIST "linear or dual"

// False for an unknown word; then *out stays.
TLW_INLINE bool tlw_scene_volume_from_name(const char* name, tlw_scene_volume* out) {
    const bool is_on = strcmp(name, "on") == 0;
    if (!is_on && strcmp(name, "off") != 0) {
        return false;
    }
    *out = is_on ? TLW_SCENE_VOLUME_ON : TLW_SCENE_VOLUME_OFF;
    return true;
}

TLW_INLINE bool tlw_skinning_from_name(const char* name, tlw_skinning* out) {
#define TLW_SKINNING_FROM(enumerator, text) \
    if (strcmp(name, text) == 0) {          \
        *out = TLW_SKINNING_##enumerator;   \
        return true;                        \
    }
    TLW_SKINNINGS(TLW_SKINNING_FROM)
#undef TLW_SKINNING_FROM
    return false;
}

// "unknown" for a value that is none.
TLW_INLINE const char* tlw_skinning_name(tlw_skinning of) {
#define TLW_SKINNING_TO(enumerator, text)  \
    if (of == TLW_SKINNING_##enumerator) { \
        return text;                       \
    }
    TLW_SKINNINGS(TLW_SKINNING_TO)
#undef TLW_SKINNING_TO
    return "unknown";
}

#endif
