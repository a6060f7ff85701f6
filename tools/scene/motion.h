// SPDX-License-Identifier: MIT
// Splits "FILE[:CLIP]", the way commands take a motion. A header by itself, because command lines
// are also read in builds without scenes.
#ifndef TLW_TOOLS_SCENE_MOTION_H
#define TLW_TOOLS_SCENE_MOTION_H

#include "platform/base.h"

#include <string.h>

// Copies the file's path and points *clip to the name after the last colon, or to null. A colon
// belongs to the path if a path separator follows or if it is that of a drive letter. False if the
// path is empty or longer than the room.
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
