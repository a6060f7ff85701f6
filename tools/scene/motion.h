// SPDX-License-Identifier: MIT
// "FILE[:CLIP]", as commands take a motion. Alone in a header: command lines are also read in
// builds that have no scenes.
#ifndef TLW_TOOLS_SCENE_MOTION_H
#define TLW_TOOLS_SCENE_MOTION_H

#include "platform/base.h"

#include <string.h>

// The file's path, and the clip's name behind the colon or null. A colon with a separator behind it
// belongs to the path, and so does that of a drive. False: there is no path, or no room for it.
TLW_INLINE bool tlw_motion_split(const char* text, char* path, size_t room, const char** clip) {
    const char* colon = strrchr(text, ':');
    if (colon && (strpbrk(colon, "/\\") || colon == text + 1)) {
        colon = NULL;
    }
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    if (length == 0 || length >= room) {
        return false;
    }
    memcpy(path, text, length);
    path[length] = 0;
    *clip = colon ? colon + 1 : NULL;
    return true;
}

#endif
