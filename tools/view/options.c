// SPDX-License-Identifier: MIT
// Reads the command line of tallow-view and names every mistake.
#include "tools/view/options.h"

#include "tools/command/arguments.h"
#include "tools/command/number.h"
#include "tools/scene/motion.h"

#include <stdlib.h>
#include <string.h>

#define SHOW_TAKES    "colours and marks that --help lists, or none"
#define PATTERN_TAKES "a pattern with one number, such as out_%04d.png"

static const char* const colour_names[] = {
#define COLOUR_NAME(name, word, meaning) word,
    TLW_VIEW_COLOURS(COLOUR_NAME)
#undef COLOUR_NAME
};

static const char* const colour_meanings[] = {
#define COLOUR_MEANING(name, word, meaning) meaning,
    TLW_VIEW_COLOURS(COLOUR_MEANING)
#undef COLOUR_MEANING
};

const char* tlw_view_colour_name(tlw_view_colour colour) {
    return colour_names[colour];
}

const char* tlw_view_colour_meaning(tlw_view_colour colour) {
    return colour_meanings[colour];
}

static void print_usage(FILE* out) {
    fprintf(
        out,
        "usage: tallow-view BLOB|ASSET[:CLIP] [-r RECIPE] [--motion FILE[:CLIP]] [options]\n"
        "       tallow-view ... --frames N --png out_%%04d.png [--every K] [options]\n"
        "Opens a window on a character in motion, with sliders for all that it is made of; with "
        "--png\n"
        "it writes pictures instead, and needs no display. An asset is cooked first, and moves "
        "by its\n"
        "own clips.\n"
        "  -r, --recipe FILE     the recipe of an asset (default: none)\n"
        "  --motion FILE[:CLIP]  another file with clips, for joints of the same names. A blob\n"
        "                        without it stands in its bind pose\n"
        "  --compare A B         two characters side by side, in step: two recipes of the asset, "
        "or,\n"
        "                        where none is named, two blobs or assets\n"
        "  --size WxH            pixels, 16 to 4096 each (default: 1280x720)\n"
        "  --camera YAW,PITCH,DISTANCE  degrees around the character, 0 is its front; degrees "
        "from\n"
        "                        above, -20 to 89; metres (default: 30,10 and a distance that "
        "fits)\n"
        "  --show LIST           what is seen (default: deviation), or none. Colours, of which "
        "one:\n");
    for (size_t i = 0; i < TLW_COUNT_OF(colour_names); ++i) {
        fprintf(out, "                          %-10s%s\n", colour_names[i], colour_meanings[i]);
    }
    fprintf(out, "                        And any of:\n");
#define MARK_LINE(field, word, key, meaning) \
    fprintf(out, "                          %-10s%s\n", word, meaning);
    TLW_VIEW_MARKS(MARK_LINE)
#undef MARK_LINE
    fprintf(out,
            "  --png PATTERN         file names, numbered from 0; %%04d is the number in four "
            "digits\n"
            "  --frames N            how many frames of 1/60 s are simulated, 1 to 1000000\n"
            "  --every K             a picture of every Kth frame, beginning with the first "
            "(default: 1)\n"
            "  --hash                print the hash of the state after the last frame\n"
            "  --cut AXIS,SHARE      where voxels are cut open: across x, y or z, and the share "
            "that is\n"
            "                        kept (default: z,1, which cuts nothing away)\n"
            "  --voxel N             a voxel that is watched: its region, links and weights\n"
            "  --text-scale S        size of the window's letters, 0.75 to 3 (default: by the "
            "screen)\n"
            "  --layout FILE         the window writes where its controls are, and its state, for "
            "scripts\n");
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
    OPTION_COMPARE,
    OPTION_HASH,
    OPTION_LAYOUT,
    OPTION_TEXT_SCALE,
    OPTION_VOXEL,
    OPTION_CUT,
    OPTION_COUNT
};

static const tlw_option options[OPTION_COUNT] = {
    [OPTION_RECIPE] = {.name = "-r", .other = "--recipe", .takes = "a file"},
    [OPTION_MOTION] = {.name = "--motion", .takes = "a file"},
    [OPTION_SIZE] = {.name = "--size", .takes = "WxH, 16 to 4096 each"},
    [OPTION_CAMERA] = {.name = "--camera",
                       .takes = "YAW,PITCH,DISTANCE, -360 to 360, -20 to 89 and 0.05 to 1000"},
    [OPTION_SHOW] = {.name = "--show", .takes = SHOW_TAKES},
    [OPTION_PNG] = {.name = "--png", .takes = PATTERN_TAKES},
    [OPTION_FRAMES] = {.name = "--frames", .takes = "1 to 1000000"},
    [OPTION_EVERY] = {.name = "--every", .takes = "1 to 1000000"},
    [OPTION_COMPARE] = {.name = "--compare", .takes = "two recipes, blobs or assets"},
    [OPTION_HASH] = {.name = "--hash"},
    [OPTION_LAYOUT] = {.name = "--layout", .takes = "a file"},
    [OPTION_TEXT_SCALE] = {.name = "--text-scale", .takes = "0.75 to 3"},
    [OPTION_CUT] = {.name = "--cut", .takes = "AXIS,SHARE: x, y or z, and 0 to 1"},
    [OPTION_VOXEL] = {.name = "--voxel", .takes = "the number of a voxel, from 0"},
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
        !tlw_parse_real(rest, 0.0, (double)TLW_VIEW_DISTANCE_MOST, &distance) ||
        (float)distance < TLW_VIEW_DISTANCE_LEAST) { // as a double, 0.05 is less than 0.05f
        return false;
    }
    out->yaw_degrees = (float)yaw;
    out->pitch_degrees = (float)pitch;
    out->distance = (float)distance;
    return true;
}

bool tlw_view_parse_cut(const char* text, tlw_view_options* out) {
    char axis[32];
    double share;
    const char* rest = take_part(text, ',', axis);
    if (!rest || strlen(axis) != 1 || axis[0] < 'x' || axis[0] > 'z' ||
        !tlw_parse_real(rest, 0.0, 1.0, &share)) {
        return false;
    }
    out->cut_axis = (uint32_t)(axis[0] - 'x');
    out->cut_share = (float)share;
    return true;
}

// Whether the words from `at` on begin with this one; then it is passed.
static bool take_word(const char** at, const char* word) {
    const size_t length = strcspn(*at, ",");
    const bool is_it = strlen(word) == length && strncmp(*at, word, length) == 0;
    *at += is_it ? length : 0;
    return is_it;
}

static bool take_shown(const char** at, tlw_view_shown* shown, bool* has_colour) {
#define TAKE_MARK(field, word, key, meaning) \
    if (take_word(at, word)) {               \
        shown->has_##field = true;           \
        return true;                         \
    }
    TLW_VIEW_MARKS(TAKE_MARK)
#undef TAKE_MARK
    for (size_t i = 0; i < TLW_COUNT_OF(colour_names) && !*has_colour; ++i) {
        if (take_word(at, colour_names[i])) {
            shown->colour = (tlw_view_colour)i;
            *has_colour = true;
            return true;
        }
    }
    return false;
}

bool tlw_view_parse_shown(const char* text, tlw_view_shown* out) {
    tlw_view_shown shown = {0};
    bool has_colour = false;
    const char* at = text;
    if (strcmp(text, "none") != 0) {
        for (; take_shown(&at, &shown, &has_colour) && *at == ','; ++at) {
        }
        if (at == text || *at != 0 || at[-1] == ',') {
            return false;
        }
    }
    *out = shown;
    return true;
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
    tlw_view_source* source = &out->sources[0];
    switch (which) {
    case OPTION_RECIPE:
        source->recipe = value;
        return value[0] != 0;
    case OPTION_MOTION:
        return tlw_motion_split(value, source->motion, sizeof source->motion, &source->motion_clip);
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
    case OPTION_LAYOUT:
        out->layout = value;
        return value[0] != 0;
    case OPTION_TEXT_SCALE: {
        double scale = 0.0;
        const bool is_good = tlw_parse_real(value, 0.75, 3.0, &scale);
        out->text_scale = (float)scale;
        return is_good;
    }
    case OPTION_CUT:
        return tlw_view_parse_cut(value, out);
    case OPTION_VOXEL:
        out->has_voxel = true;
        return tlw_parse_count(value, 0, UINT32_MAX - 1, &out->voxel);
    case OPTION_HASH:
        out->wants_hash = true;
        return true;
    default:
        return tlw_parse_count(value, 1, TLW_VIEW_FRAMES_MAX, &out->every);
    }
}

// The window replaces the layout again and again.
static bool is_read(const tlw_view_source* source, const char* layout) {
    const char* const files[] = {source->file, source->recipe, source->motion};
    const tlw_file_identity written = tlw_file_identify(layout);
    bool is_one = false;
    for (size_t i = 0; i < TLW_COUNT_OF(files); ++i) {
        if (files[i] && files[i][0]) {
            const tlw_file_identity file = tlw_file_identify(files[i]);
            is_one = is_one || tlw_file_is_same(&file, &written);
        }
    }
    return is_one;
}

// What is missing, or does not go together.
static tlw_exit_code check(const tlw_view_options* o, const bool* is_given) {
    static const int for_pictures[] = {OPTION_FRAMES, OPTION_EVERY, OPTION_HASH};
    if (o->sources[0].file[0] == 0 && !is_given[OPTION_COMPARE]) {
        return tlw_command_mistake(&tlw_view_command,
                                   "a blob or an asset must be named:", "BLOB|ASSET", "");
    }
    if (is_given[OPTION_COMPARE] && is_given[OPTION_RECIPE]) {
        return tlw_command_mistake(&tlw_view_command, "option", "-r",
                                   " does not go with --compare, which names two recipes");
    }
    if (is_given[OPTION_PNG] && !is_given[OPTION_FRAMES]) {
        return tlw_command_mistake(&tlw_view_command, "there is no", "--frames", "");
    }
    for (size_t i = 0; i < TLW_COUNT_OF(for_pictures) && !is_given[OPTION_PNG]; ++i) {
        if (is_given[for_pictures[i]]) {
            return tlw_command_mistake(&tlw_view_command, "option", options[for_pictures[i]].name,
                                       " goes with --png");
        }
    }
    static const int for_windows[] = {OPTION_LAYOUT, OPTION_TEXT_SCALE};
    for (size_t i = 0; i < TLW_COUNT_OF(for_windows) && is_given[OPTION_PNG]; ++i) {
        if (is_given[for_windows[i]]) {
            return tlw_command_mistake(&tlw_view_command, "option", options[for_windows[i]].name,
                                       " goes with a window");
        }
    }
    return TLW_EXIT_OK;
}

// Two recipes of the asset that was named, or two characters. False: a mistake was named.
static bool compare(const char* const values[2], tlw_view_options* out, tlw_exit_code* code) {
    const bool has_file = out->sources[0].file[0] != 0;
    out->source_count = 2;
    out->sources[1] = out->sources[0];
    for (int i = 0; i < 2; ++i) {
        tlw_view_source* source = &out->sources[i];
        if (has_file) {
            source->recipe = values[i];
        } else if (!tlw_motion_split(values[i], source->file, sizeof source->file,
                                     &source->file_clip)) {
            *code = tlw_command_mistake(&tlw_view_command, "no file's name:", values[i], "");
            return false;
        }
    }
    return true;
}

bool tlw_view_parse(int argc, char** argv, tlw_view_options* out, tlw_exit_code* code) {
    const char* compared[2] = {NULL, NULL};
    *out = (tlw_view_options){.source_count = 1,
                              .size = {1280, 720},
                              .camera = {.yaw_degrees = 30.0f, .pitch_degrees = 10.0f},
                              .shown = {.colour = TLW_VIEW_COLOUR_DEVIATION},
                              .cut_axis = 2,
                              .cut_share = 1.0f,
                              .every = 1};
    tlw_view_source* source = &out->sources[0];
    tlw_arguments a = tlw_arguments_begin(&tlw_view_command, argc, argv, options, OPTION_COUNT);
    for (int which; (which = tlw_arguments_next(&a)) != TLW_ARGUMENT_END;) {
        if (which == TLW_ARGUMENT_STOP) {
            *code = a.exit_code;
            return false;
        }
        if (which == TLW_ARGUMENT_PLAIN) {
            if (source->file[0]) {
                *code =
                    tlw_command_mistake(&tlw_view_command, "more than one character:", a.value, "");
                return false;
            }
            if (!tlw_motion_split(a.value, source->file, sizeof source->file, &source->file_clip)) {
                *code = tlw_command_mistake(&tlw_view_command, "no file's name:", a.value, "");
                return false;
            }
        } else if (which == OPTION_COMPARE) {
            compared[0] = a.value;
            if (!tlw_arguments_second_value(&a, "--compare takes two files, not only")) {
                *code = a.exit_code;
                return false;
            }
            compared[1] = a.value;
        } else if (!take_value(which, a.value, out)) {
            *code = tlw_arguments_refuse(&a, "");
            return false;
        }
    }
    *code = check(out, a.is_given);
    if (*code != TLW_EXIT_OK || (compared[0] && !compare(compared, out, code))) {
        return false;
    }
    for (uint32_t i = 0; i < out->source_count && out->layout && *code == TLW_EXIT_OK; ++i) {
        *code = is_read(&out->sources[i], out->layout)
                    ? tlw_command_mistake(&tlw_view_command,
                                          "--layout would replace what is read:", out->layout, "")
                    : TLW_EXIT_OK;
    }
    return *code == TLW_EXIT_OK;
}
