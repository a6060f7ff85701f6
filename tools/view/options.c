// SPDX-License-Identifier: MIT
// Reads the command line of tallow-view and names every mistake.
#include "tools/view/options.h"

#include "tools/command/arguments.h"
#include "tools/command/number.h"
#include "tools/scene/motion.h"

#include <stdlib.h>
#include <string.h>

#define PATTERN_TAKES "a pattern with one number, such as out_%04d.png"

static void print_usage(FILE* out) {
    fprintf(
        out,
        "usage: tallow-view BLOB|ASSET[:CLIP] [-r RECIPE] [--motion FILE[:CLIP]] [options]\n"
        "       tallow-view ... --frames N --png out_%%04d.png [--every K] [options]\n"
        "Opens a window on a character in motion; with --png it writes pictures instead, and "
        "needs\n"
        "no display. An asset is cooked first, and moves by its own clips.\n"
        "  -r, --recipe FILE     the recipe of an asset (default: none)\n"
        "  --motion FILE[:CLIP]  another file with clips, for joints of the same names. A blob\n"
        "                        without it stands in its bind pose\n"
        "  --size WxH            pixels, 16 to 4096 each (default: 1280x720)\n"
        "  --camera YAW,PITCH,DISTANCE  degrees around the character, 0 is its front; degrees "
        "from\n"
        "                        above, -20 to 89; metres (default: 30,10 and a distance that "
        "fits)\n"
        "  --show LIST           of deviation (colours, with a legend), ghost (skinning alone) "
        "and\n"
        "                        muscles (their lines), or none (default: deviation)\n"
        "  --png PATTERN         file names, numbered from 0; %%04d is the number in four digits\n"
        "  --frames N            how many frames of 1/60 s are simulated, 1 to 1000000\n"
        "  --every K             a picture of every Kth frame, beginning with the first "
        "(default: 1)\n");
}

const tlw_command tlw_view_command = {
    .name = "tallow-view",
    .print_usage = print_usage,
    .exit_codes = TLW_EXIT_BIT(TLW_EXIT_OK) | TLW_EXIT_BIT(TLW_EXIT_FAILED) |
                  TLW_EXIT_BIT(TLW_EXIT_USAGE) | TLW_EXIT_BIT(TLW_EXIT_CANNOT_READ) |
                  TLW_EXIT_BIT(TLW_EXIT_BAD_ASSET) | TLW_EXIT_BIT(TLW_EXIT_BAD_RECIPE) |
                  TLW_EXIT_BIT(TLW_EXIT_CANNOT_WRITE)};

enum {
    OPTION_RECIPE,
    OPTION_MOTION,
    OPTION_SIZE,
    OPTION_CAMERA,
    OPTION_SHOW,
    OPTION_PNG,
    OPTION_FRAMES,
    OPTION_EVERY,
    OPTION_COUNT
};

static const tlw_option options[OPTION_COUNT] = {
    [OPTION_RECIPE] = {.name = "-r", .other = "--recipe", .takes = "a file"},
    [OPTION_MOTION] = {.name = "--motion", .takes = "a file"},
    [OPTION_SIZE] = {.name = "--size", .takes = "WxH, 16 to 4096 each"},
    [OPTION_CAMERA] = {.name = "--camera",
                       .takes = "YAW,PITCH,DISTANCE, -360 to 360, -20 to 89 and 0.05 to 1000"},
    [OPTION_SHOW] = {.name = "--show", .takes = "deviation, ghost and muscles, or none"},
    [OPTION_PNG] = {.name = "--png", .takes = PATTERN_TAKES},
    [OPTION_FRAMES] = {.name = "--frames", .takes = "1 to 1000000"},
    [OPTION_EVERY] = {.name = "--every", .takes = "1 to 1000000"},
};

// ---- Values

// Copies `text` up to `separator` and returns what follows it. Null if there is no separator or the
// part does not fit.
static const char* take_part(const char* text, char separator, char part[32]) {
    const char* end = strchr(text, separator);
    if (end == NULL || end - text >= 32) {
        return NULL;
    }
    memcpy(part, text, (size_t)(end - text));
    part[end - text] = 0;
    return end + 1;
}

bool tlw_view_parse_size(const char* text, tlw_view_size* out) {
    char width[32];
    tlw_view_size size;
    const char* height = take_part(text, 'x', width);
    if (!height || !tlw_parse_count(width, TLW_VIEW_SIDE_LEAST, TLW_VIEW_SIDE_MOST, &size.width) ||
        !tlw_parse_count(height, TLW_VIEW_SIDE_LEAST, TLW_VIEW_SIDE_MOST, &size.height)) {
        return false;
    }
    *out = size;
    return true;
}

bool tlw_view_parse_camera(const char* text, tlw_view_camera* out) {
    char yaw_text[32], pitch_text[32];
    double yaw, pitch, distance;
    const char* rest = take_part(text, ',', yaw_text);
    rest = rest ? take_part(rest, ',', pitch_text) : NULL;
    if (!rest || !tlw_parse_real(yaw_text, -360.0, 360.0, &yaw) ||
        !tlw_parse_real(pitch_text, (double)TLW_VIEW_PITCH_LOW, (double)TLW_VIEW_PITCH_HIGH,
                        &pitch) ||
        !tlw_parse_real(rest, (double)TLW_VIEW_DISTANCE_LEAST, (double)TLW_VIEW_DISTANCE_MOST,
                        &distance)) {
        return false;
    }
    out->yaw_degrees = (float)yaw;
    out->pitch_degrees = (float)pitch;
    out->distance = (float)distance;
    return true;
}

bool tlw_view_parse_shown(const char* text, tlw_view_shown* out) {
    tlw_view_shown shown = {0};
    if (strcmp(text, "none") == 0) {
        *out = shown;
        return true;
    }
    const struct {
        const char* name;
        bool* is_shown;
    } words[] = {{"deviation", &shown.has_deviation},
                 {"ghost", &shown.has_ghost},
                 {"muscles", &shown.has_muscles}};
    for (const char* at = text;; ++at) {
        const size_t length = strcspn(at, ",");
        bool is_known = false;
        for (size_t i = 0; i < TLW_COUNT_OF(words); ++i) {
            if (strlen(words[i].name) == length && strncmp(at, words[i].name, length) == 0) {
                *words[i].is_shown = is_known = true;
            }
        }
        if (!is_known) {
            return false;
        }
        at += length;
        if (*at == 0) {
            *out = shown;
            return true;
        }
    }
}

// ---- Patterns of file names

// Finds "%d", "%4d" or "%04d" at a '%'. Returns what follows it, or null.
static const char* read_place(const char* at, int* digits, bool* has_zeros) {
    ++at;
    *has_zeros = *at == '0';
    at += *has_zeros ? 1 : 0;
    *digits = *at >= '1' && *at <= '9' ? *at - '0' : 0;
    at += *digits ? 1 : 0;
    return *at == 'd' && (*digits > 0 || !*has_zeros) ? at + 1 : NULL;
}

bool tlw_view_pattern_is_good(const char* pattern) {
    int digits;
    bool has_zeros;
    const char* at = strchr(pattern, '%');
    at = at ? read_place(at, &digits, &has_zeros) : NULL;
    return at && strchr(at, '%') == NULL;
}

bool tlw_view_pattern_path(const char* pattern, uint32_t number, char* path, size_t room) {
    int digits = 0;
    bool has_zeros = false;
    char text[32];
    const char* at = strchr(pattern, '%');
    const char* rest = read_place(at, &digits, &has_zeros);
    snprintf(text, sizeof text, has_zeros ? "%0*u" : "%*u", digits, number);
    const int written = snprintf(path, room, "%.*s%s%s", (int)(at - pattern), pattern, text, rest);
    return written >= 0 && (size_t)written < room;
}

// ---- The command line

static bool take_value(int which, const char* value, tlw_view_options* out) {
    switch (which) {
    case OPTION_RECIPE:
        out->recipe = value;
        return value[0] != 0;
    case OPTION_MOTION:
        return tlw_motion_split(value, out->motion, sizeof out->motion, &out->motion_clip);
    case OPTION_SIZE:
        return tlw_view_parse_size(value, &out->size);
    case OPTION_CAMERA:
        out->has_camera = true;
        return tlw_view_parse_camera(value, &out->camera);
    case OPTION_SHOW:
        return tlw_view_parse_shown(value, &out->shown);
    case OPTION_PNG:
        out->png = value;
        return tlw_view_pattern_is_good(value);
    case OPTION_FRAMES:
        return tlw_parse_count(value, 1, TLW_VIEW_FRAMES_MAX, &out->frames);
    default:
        return tlw_parse_count(value, 1, TLW_VIEW_FRAMES_MAX, &out->every);
    }
}

// What is missing, or does not go together.
static tlw_exit_code check(const tlw_view_options* o, const bool* is_given) {
    if (o->file[0] == 0) {
        return tlw_command_mistake(&tlw_view_command,
                                   "a blob or an asset must be named:", "BLOB|ASSET", "");
    }
    if (is_given[OPTION_PNG] && !is_given[OPTION_FRAMES]) {
        return tlw_command_mistake(&tlw_view_command, "there is no", "--frames", "");
    }
    if (!is_given[OPTION_PNG] && (is_given[OPTION_FRAMES] || is_given[OPTION_EVERY])) {
        return tlw_command_mistake(&tlw_view_command, "option",
                                   is_given[OPTION_FRAMES] ? "--frames" : "--every",
                                   " goes with --png");
    }
    return TLW_EXIT_OK;
}

bool tlw_view_parse(int argc, char** argv, tlw_view_options* out, tlw_exit_code* code) {
    *out = (tlw_view_options){.size = {1280, 720},
                              .camera = {.yaw_degrees = 30.0f, .pitch_degrees = 10.0f},
                              .shown = {.has_deviation = true},
                              .every = 1};
    tlw_arguments a = tlw_arguments_begin(&tlw_view_command, argc, argv, options, OPTION_COUNT);
    for (int which; (which = tlw_arguments_next(&a)) != TLW_ARGUMENT_END;) {
        if (which == TLW_ARGUMENT_STOP) {
            *code = a.exit_code;
            return false;
        }
        if (which == TLW_ARGUMENT_PLAIN) {
            if (out->file[0]) {
                *code =
                    tlw_command_mistake(&tlw_view_command, "more than one character:", a.value, "");
                return false;
            }
            if (!tlw_motion_split(a.value, out->file, sizeof out->file, &out->file_clip)) {
                *code = tlw_command_mistake(&tlw_view_command, "no file's name:", a.value, "");
                return false;
            }
        } else if (!take_value(which, a.value, out)) {
            *code = tlw_arguments_refuse(&a, "");
            return false;
        }
    }
    *code = check(out, a.is_given);
    return *code == TLW_EXIT_OK;
}
