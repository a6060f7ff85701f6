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

// What the surface is coloured by: enumerator, word, what the legend says of it.
#define TLW_VIEW_COLOURS(X)                                   \
    X(PLAIN, "plain", "clay")                                 \
    X(DEVIATION, "deviation", "off the skinned place")        \
    X(STRETCH, "stretch", "longer than at rest")              \
    X(VOLUME, "volume", "more volume than at rest")           \
    X(LAYER, "layer", "the outermost layer that it hangs on") \
    X(PART, "part", "the part whose parameters it has")       \
    X(CONTACT, "contact", "pushed away by what touches")      \
    X(MUSCLE, "muscle", "the muscles that move it, and how hard they are flexed")

typedef enum tlw_view_colour {
#define TLW_VIEW_COLOUR_ENUM(name, word, meaning) TLW_VIEW_COLOUR_##name,
    TLW_VIEW_COLOURS(TLW_VIEW_COLOUR_ENUM)
#undef TLW_VIEW_COLOUR_ENUM
        TLW_VIEW_COLOUR_COUNT
} tlw_view_colour;

// What a picture shows besides: field, word, key in the window, what it is.
#define TLW_VIEW_MARKS(X)                                                        \
    X(ghost, "ghost", "g", "a blue shell: skinning alone")                       \
    X(muscles, "muscles", "m", "action lines: red where short, blue where long") \
    X(skeleton, "skeleton", "k", "the joints of the pose")                       \
    X(limbs, "limbs", "l", "the body's own limbs, as tissue feels them")         \
    X(voxels, "voxels", "v", "voxels by layer, instead of the surface")          \
    X(skinning, "skinning", "s", "beside it: the artist's own skinning")

typedef struct tlw_view_shown {
    tlw_view_colour colour;
#define TLW_VIEW_MARK_FIELD(field, word, key, meaning) bool has_##field;
    TLW_VIEW_MARKS(TLW_VIEW_MARK_FIELD)
#undef TLW_VIEW_MARK_FIELD
} tlw_view_shown;

const char* tlw_view_colour_name(tlw_view_colour colour);
const char* tlw_view_colour_meaning(tlw_view_colour colour);

// Files that a character is made from, and its clip.
typedef struct tlw_view_source {
    char file[TLW_PATH_MAX];   // a blob or an asset
    const char* file_clip;     // named after the asset's colon; null: the first
    const char* recipe;        // null: none
    char motion[TLW_PATH_MAX]; // empty: the asset's own clips, or none
    const char* motion_clip;
} tlw_view_source;

typedef struct tlw_view_options {
    tlw_view_source sources[2];
    uint32_t source_count; // 2: side by side
    tlw_view_size size;
    bool has_camera; // only yaw, pitch and distance of it
    tlw_view_camera camera;
    tlw_view_shown shown;
    uint32_t cut_axis; // of voxels: 0 to 2
    float cut_share;   // of the extent that is kept; 1: all
    bool wants_hash;
    float text_scale; // of the window's letters; 0: what suits the screen
    bool has_voxel;
    uint32_t voxel;     // picked from the beginning
    const char* png;    // pattern of file names; null: a window
    const char* layout; // a file that the window writes for scripts, or null
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
// "AXIS,SHARE", such as "z,0.5"; sets the two fields of the cut.
bool tlw_view_parse_cut(const char* text, tlw_view_options* out);
// Words of TLW_VIEW_COLOURS, at most one, and of TLW_VIEW_MARKS, separated by commas; or "none".
bool tlw_view_parse_shown(const char* text, tlw_view_shown* out);

// Whether a pattern of file names has a place for one number and no other '%': "out_%04d.png". The
// width, which may be left out, is 1 to 9.
bool tlw_view_pattern_is_good(const char* pattern);
// The file name of a number, by a good pattern. False if there is not enough room.
bool tlw_view_pattern_path(const char* pattern, uint32_t number, char* path, size_t room);

#endif
