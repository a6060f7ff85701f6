// SPDX-License-Identifier: MIT
// The command line of tallow-view.
#ifndef TLW_TOOLS_VIEW_OPTIONS_H
#define TLW_TOOLS_VIEW_OPTIONS_H

#include "platform/file.h"
#include "tools/command/command.h"
#include "tools/view/camera.h"

#define TLW_VIEW_FRAMES_MAX 1000000u
#define TLW_VIEW_SIDE_LEAST 16u
#define TLW_VIEW_SIDE_MOST  4096u

typedef struct tlw_view_size {
    uint32_t width, height;
} tlw_view_size;

// What a picture shows on top of the character.
typedef struct tlw_view_shown {
    bool has_deviation, has_ghost, has_muscles;
} tlw_view_shown;

typedef struct tlw_view_options {
    char file[TLW_PATH_MAX]; // a blob or an asset
    const char* file_clip;   // named after the asset's colon; null: the first
    const char* recipe;
    char motion[TLW_PATH_MAX]; // empty: the asset's own clips, or none
    const char* motion_clip;
    tlw_view_size size;
    bool has_camera; // only yaw, pitch and distance of it
    tlw_view_camera camera;
    tlw_view_shown shown;
    const char* png; // pattern of file names; null: a window
    uint32_t frames, every;
} tlw_view_options;

extern const tlw_command tlw_view_command;

// False: end with *code. Help was shown, or a mistake was named.
bool tlw_view_parse(int argc, char** argv, tlw_view_options* out, tlw_exit_code* code);

// Each returns false for a text that does not fit, and then leaves *out alone.
// "1280x720"
bool tlw_view_parse_size(const char* text, tlw_view_size* out);
// "YAW,PITCH,DISTANCE"; sets these three fields.
bool tlw_view_parse_camera(const char* text, tlw_view_camera* out);
// "deviation,ghost,muscles" in any order, or "none"
bool tlw_view_parse_shown(const char* text, tlw_view_shown* out);

// Whether a pattern of file names has a place for one number and no other '%': "out_%04d.png". The
// width, which may be left out, is 1 to 9.
bool tlw_view_pattern_is_good(const char* pattern);
// The file name of a number, by a good pattern. False if there is not enough room.
bool tlw_view_pattern_path(const char* pattern, uint32_t number, char* path, size_t room);

#endif
