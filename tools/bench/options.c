// SPDX-License-Identifier: MIT
// Reads the command line: sections, or a scene and what goes with it.
#include "tools/bench/options.h"

#include "tools/scene/motion.h"

#if defined(TLW_BENCH_HAS_STEP)
#    include "tools/bench/frames.h"
#    include "tools/scene/catalogue.h"
#endif

#include <stdlib.h>
#include <string.h>

// What has a value: enumerator, name, what it takes, whether it goes with --scene only.
#define OPTION_TABLE(X)                                                     \
    X(JSON, "--json", "a file", false)                                      \
    X(SCENE, "--scene", "the name of a scene", true)                        \
    X(CHARACTERS, "--characters", "1 to 10000", true)                       \
    X(VOXELS, "--voxels", "8 to 256 voxels along the longest extent", true) \
    X(WORKERS, "--workers", "1 to 256", true)                               \
    X(FRAMES, "--frames", "1 to 100000", true)                              \
    X(ISA, "--isa", "an instruction set", true)                             \
    X(BLOB, "--blob", "a file", true)                                       \
    X(MOTION, "--motion", "FILE.glb or FILE.glb:CLIP", true)                \
    X(CSV, "--csv", "a file", true)                                         \
    X(TRACE, "--trace", "a file", true)                                     \
    X(HTML, "--html", "a file", true)                                       \
    X(BUDGET, "--budget-ms", "a number above 0", true)                      \
    X(PERCENTILE, "--percentile", "a number above 0, up to 100", true)      \
    X(PLANT, "--plant", "PASS:MICROSECONDS", true)

typedef enum option {
#define OPTION_ENUM(name, text, takes, is_of_scene) OPTION_##name,
    OPTION_TABLE(OPTION_ENUM)
#undef OPTION_ENUM
        OPTION_COUNT
} option;

static const struct {
    const char *name, *takes;
    bool is_of_scene;
} table[OPTION_COUNT] = {
#define OPTION_ROW(name, text, takes, is_of_scene) {text, takes, is_of_scene},
    OPTION_TABLE(OPTION_ROW)
#undef OPTION_ROW
};

#define LIST_MAX       512u
#define RESOLUTION_MIN 8u
#define RESOLUTION_MAX 256u

// ---- What there is

static void list_scenes(char* text, size_t room) {
#if defined(TLW_BENCH_HAS_STEP)
    tlw_scene_entry_names(text, room);
#else
    snprintf(text, room, "none, this build has no scenes");
#endif
}

static void list_isas(char* text, size_t room) {
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < TLW_ISA_COUNT && used < room; ++i) {
        if (tlw_isa_is_built((tlw_isa)i) && tlw_isa_is_supported((tlw_isa)i)) {
            used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "",
                                     tlw_isa_name((tlw_isa)i));
        }
    }
}

static void list_passes(char* text, size_t room) {
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < TLW_PASS_COUNT && used < room; ++i) {
        used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "",
                                 tlw_pass_name((tlw_pass)i));
    }
}

// ---- Mistakes

static int mistake(const char* what, const char* argument, const char* rest) {
    fprintf(stderr, "tallow-bench: %s '%s'%s\n", what, argument, rest);
    return EXIT_USAGE;
}

static int value_mistake(option which, const char* value) {
    char list[LIST_MAX], rest[LIST_MAX + 64], what[160];
    snprintf(what, sizeof what, "%s takes %s, not", table[which].name, table[which].takes);
    rest[0] = 0;
    if (which == OPTION_ISA) {
        list_isas(list, sizeof list);
        snprintf(rest, sizeof rest, "; this machine and build run: %s", list);
        tlw_isa isa;
        if (tlw_isa_from_name(value, &isa)) {
            return mistake("this machine or build does not run", value, rest);
        }
    } else if (which == OPTION_SCENE) {
        list_scenes(list, sizeof list);
        snprintf(rest, sizeof rest, "; there are: %s", list);
        return mistake("unknown scene", value, rest);
    } else if (which == OPTION_PLANT) {
        list_passes(list, sizeof list);
        snprintf(rest, sizeof rest, "; the passes are: %s", list);
    }
    return mistake(what, value, rest);
}

// ---- Values

static bool parse_count(const char* text, uint32_t least, uint32_t most, uint32_t* out) {
    char* end;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != 0 || value < least || value > most) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool parse_positive(const char* text, double most, double* out) {
    char* end;
    const double value = strtod(text, &end);
    if (end == text || *end != 0 || !(value > 0.0 && value <= most)) {
        return false;
    }
    *out = value;
    return true;
}

static bool parse_plant(const char* text, bench_options* out) {
    const char* colon = strchr(text, ':');
    for (int p = 0; colon && p < TLW_PASS_COUNT; ++p) {
        const char* name = tlw_pass_name((tlw_pass)p);
        if (strlen(name) == (size_t)(colon - text) && memcmp(name, text, strlen(name)) == 0) {
            out->plant_pass = (tlw_pass)p;
            return parse_positive(colon + 1, 1e9, &out->plant_us);
        }
    }
    return false;
}

static bool parse_isa(const char* text, tlw_isa* out) {
    return tlw_isa_from_name(text, out) && tlw_isa_is_built(*out) && tlw_isa_is_supported(*out);
}

static bool parse_scene(const char* text, bench_options* out) {
    out->scene = text;
#if defined(TLW_BENCH_HAS_STEP)
    return tlw_scene_entry_find(text) != NULL;
#else
    return false;
#endif
}

static bool parse_file(const char* text, const char** out) {
    *out = text;
    return text[0] != 0;
}

static bool take_value(option which, const char* value, bench_options* out) {
    switch (which) {
    case OPTION_JSON:
        return parse_file(value, &out->json);
    case OPTION_SCENE:
        return parse_scene(value, out);
    case OPTION_CHARACTERS:
        return parse_count(value, 1, 10000, &out->characters);
    case OPTION_VOXELS:
        return parse_count(value, RESOLUTION_MIN, RESOLUTION_MAX, &out->resolution);
    case OPTION_WORKERS:
        return parse_count(value, 1, 256, &out->workers);
    case OPTION_FRAMES:
        return parse_count(value, 1, 100000, &out->frames);
    case OPTION_ISA:
        return parse_isa(value, &out->isa);
    case OPTION_BLOB:
        return parse_file(value, &out->blob);
    case OPTION_MOTION:
        return tlw_motion_split(value, out->motion, sizeof out->motion, &out->clip);
    case OPTION_CSV:
        return parse_file(value, &out->csv);
    case OPTION_TRACE:
        return parse_file(value, &out->trace);
    case OPTION_HTML:
        return parse_file(value, &out->html);
    case OPTION_BUDGET:
        return parse_positive(value, 1e9, &out->budget_ms);
    case OPTION_PERCENTILE:
        return parse_positive(value, 100.0, &out->percentile);
    case OPTION_PLANT:
        return parse_plant(value, out);
    case OPTION_COUNT:
        break;
    }
    return false;
}

// What goes with what.
static int check_together(const bench_options* o, const bool* is_given) {
    if (o->scene == NULL) {
        for (int i = 0; i < OPTION_COUNT; ++i) {
            if (is_given[i] && table[i].is_of_scene) {
                char list[LIST_MAX], rest[LIST_MAX + 64];
                list_scenes(list, sizeof list);
                snprintf(rest, sizeof rest, " goes with --scene NAME; there are: %s", list);
                return mistake("option", table[i].name, rest);
            }
        }
        return EXIT_OK;
    }
    if (o->section_count > 0) {
        return mistake("a scene is measured alone, without section", o->sections[0], "");
    }
    if (is_given[OPTION_MOTION] && !is_given[OPTION_BLOB]) {
        return mistake("option", "--motion", " goes with --blob FILE: samples bring their own");
    }
    if (is_given[OPTION_VOXELS] && is_given[OPTION_BLOB]) {
        return mistake("option", "--voxels", " goes without --blob: a blob has its voxels");
    }
    if (is_given[OPTION_PERCENTILE] && !is_given[OPTION_BUDGET]) {
        return mistake("option", "--percentile", " goes with --budget-ms X");
    }
    return EXIT_OK;
}

static int take_argument(int argc, char** argv, int* i, bool* is_given, bench_options* out) {
    const char* argument = argv[*i];
    int which = 0;
    while (which < OPTION_COUNT && strcmp(argument, table[which].name) != 0) {
        ++which;
    }
    if (which == OPTION_COUNT) {
        if (argument[0] == '-') {
            return mistake("unknown option", argument, "; tallow-bench --help lists them");
        }
        if (out->section_count < BENCH_SECTIONS_MAX) {
            out->sections[out->section_count++] = argument;
        }
        return EXIT_OK;
    }
    if (*i + 1 == argc) {
        char what[160];
        snprintf(what, sizeof what, "%s must follow", table[which].takes);
        return mistake(which == OPTION_JSON ? "a file name must follow" : what, argument, "");
    }
    if (is_given[which]) {
        return mistake("given twice:", argument, "");
    }
    is_given[which] = true;
    *i += 1;
    return take_value((option)which, argv[*i], out) ? EXIT_OK
                                                    : value_mistake((option)which, argv[*i]);
}

int tlw_bench_parse(int argc, char** argv, bench_options* out) {
    *out = (bench_options){.workers = 1, .isa = tlw_isa_best(), .percentile = 99.0};
    bool is_given[OPTION_COUNT] = {0};
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            out->wants_help = true;
            return EXIT_OK;
        }
        if (strcmp(argv[i], "--quick") == 0) {
            out->is_quick = true;
            continue;
        }
        const int status = take_argument(argc, argv, &i, is_given, out);
        if (status != EXIT_OK) {
            return status;
        }
    }
    return check_together(out, is_given);
}

void tlw_bench_print_scene_usage(FILE* out) {
    fprintf(out,
            "or: tallow-bench --scene NAME [options]\n"
            "  --characters N        how many of it (default: the scene's)\n"
            "  --voxels RES          resolution of the sample (default: the scene's)\n"
            "  --workers N           threads (default: 1)\n"
            "  --frames N            measured, after a warm-up (default: 300)\n"
            "  --isa NAME            scalar, sse2, avx2 or neon (default: the best)\n"
            "  --blob FILE           a cooked character instead of the sample\n"
            "  --motion FILE[:CLIP]  glTF that moves it; without, it stands still\n"
            "  --json, --csv, --html, --trace FILE\n"
            "                        figures, a row a frame, a report, a trace for Perfetto\n"
            "  --budget-ms X         exit code 1 when that percentile of the frames is over\n"
            "  --percentile P        (default: 99)\n"
            "  --plant PASS:US       spends so many microseconds a frame in a pass: tests a gate\n"
            "scenes:\n");
#if defined(TLW_BENCH_HAS_STEP)
    for (uint32_t i = 0; i < tlw_scene_entry_count(); ++i) {
        fprintf(out, "  %-10s %s\n", tlw_scene_entry_at(i)->name, tlw_scene_entry_at(i)->what);
    }
#else
    fprintf(out, "  none: this build has no scenes\n");
#endif
    fprintf(out, "exit codes: 0 ok, 1 over budget or not measured, 2 bad input, 6 cannot write\n");
}
