// SPDX-License-Identifier: MIT
// Reads the command line: sections, or a scene and its options.
#include "tools/bench/options.h"

#include "tools/bench/load.h"
#include "tools/command/arguments.h"
#include "tools/command/number.h"
#include "tools/scene/embedding.h"
#include "tools/scene/motion.h"

#if defined(TLW_BENCH_HAS_STEP)
#    include "tools/bench/frames.h"
#    include "tools/scene/catalogue.h"
#endif

#include <string.h>

// enumerator, name, the value it takes or null, what is said where that is missing, what is said of
// a value that does not fit or null for the usual sentence, whether it goes with --scene only
#define OPTION_TABLE(X)                                                                            \
    X(QUICK, "--quick", NULL, NULL, NULL, false)                                                   \
    X(JSON, "--json", "a file", "a file name must follow", NULL, false)                            \
    X(LOAD, "--load", "1 to 256", "1 to 256 must follow", NULL, false)                             \
    X(SCENE, "--scene", "the name of a scene", "the name of a scene must follow", "unknown scene", \
      true)                                                                                        \
    X(CHARACTERS, "--characters", "1 to 10000", "1 to 10000 must follow", NULL, true)              \
    X(VOXELS, "--voxels", "8 to 256 voxels along the longest extent",                              \
      "8 to 256 voxels along the longest extent must follow", NULL, true)                          \
    X(WORKERS, "--workers", "1 to 256", "1 to 256 must follow", NULL, true)                        \
    X(FRAMES, "--frames", "1 to 100000", "1 to 100000 must follow", NULL, true)                    \
    X(ISA, "--isa", "an instruction set", "an instruction set must follow", NULL, true)            \
    X(EMBEDDING, "--embedding", TLW_EMBEDDING_LIST, TLW_EMBEDDING_LIST " must follow", NULL, true) \
    X(NORMALS, "--normals", TLW_NORMAL_SOURCE_LIST, TLW_NORMAL_SOURCE_LIST " must follow", NULL,   \
      true)                                                                                        \
    X(ORDER, "--order", TLW_VERTEX_ORDER_LIST, TLW_VERTEX_ORDER_LIST " must follow", NULL, true)   \
    X(SMOOTHING, "--smoothing", "0 to 1", "0 to 1 must follow", NULL, true)                        \
    X(VOLUME, "--volume", TLW_VOLUME_LIST, TLW_VOLUME_LIST " must follow", NULL, true)             \
    X(SKINNING, "--skinning", TLW_SKINNING_LIST, TLW_SKINNING_LIST " must follow", NULL, true)     \
    X(BLOB, "--blob", "a file", "a file must follow", NULL, true)                                  \
    X(MOTION, "--motion", "FILE.glb or FILE.glb:CLIP", "FILE.glb or FILE.glb:CLIP must follow",    \
      NULL, true)                                                                                  \
    X(CSV, "--csv", "a file", "a file must follow", NULL, true)                                    \
    X(TRACE, "--trace", "a file", "a file must follow", NULL, true)                                \
    X(HTML, "--html", "a file", "a file must follow", NULL, true)                                  \
    X(BUDGET, "--budget-ms", "a number above 0", "a number above 0 must follow", NULL, true)       \
    X(PERCENTILE, "--percentile", "a number above 0, up to 100",                                   \
      "a number above 0, up to 100 must follow", NULL, true)                                       \
    X(PLANT, "--plant", "PASS:MICROSECONDS", "PASS:MICROSECONDS must follow", NULL, true)

typedef enum option {
#define OPTION_ENUM(id, name, takes, missing, mistake, is_of_scene) OPTION_##id,
    OPTION_TABLE(OPTION_ENUM)
#undef OPTION_ENUM
        OPTION_COUNT
} option;

static const tlw_option table[OPTION_COUNT] = {
#define OPTION_ROW(id, name, takes, missing, mistake, is_of_scene) \
    {name, NULL, takes, missing, mistake, false},
    OPTION_TABLE(OPTION_ROW)
#undef OPTION_ROW
};

static const bool goes_with_scene[OPTION_COUNT] = {
#define OPTION_OF_SCENE(id, name, takes, missing, mistake, is_of_scene) is_of_scene,
    OPTION_TABLE(OPTION_OF_SCENE)
#undef OPTION_OF_SCENE
};

#define LIST_MAX       512u
#define RESOLUTION_MIN 8u
#define RESOLUTION_MAX 256u

// ---- Lists of what exists

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

static tlw_exit_code mistake(const char* what, const char* argument, const char* rest) {
    return tlw_command_mistake(&tlw_bench_command_line, what, argument, rest);
}

// Names the value that was read last, and lists the values that there are.
static tlw_exit_code refuse(const tlw_arguments* a) {
    char list[LIST_MAX], rest[LIST_MAX + 64] = "";
    if (a->which == OPTION_ISA) {
        list_isas(list, sizeof list);
        snprintf(rest, sizeof rest, "; this machine and build run: %s", list);
        tlw_isa isa;
        if (tlw_isa_from_name(a->value, &isa)) {
            return mistake("this machine or build does not run", a->value, rest);
        }
    } else if (a->which == OPTION_SCENE) {
        list_scenes(list, sizeof list);
        snprintf(rest, sizeof rest, "; there are: %s", list);
    } else if (a->which == OPTION_PLANT) {
        list_passes(list, sizeof list);
        snprintf(rest, sizeof rest, "; the passes are: %s", list);
    }
    return tlw_arguments_refuse(a, rest);
}

// ---- Values

static bool parse_plant(const char* text, bench_options* out) {
    const char* colon = strchr(text, ':');
    for (int p = 0; colon && p < TLW_PASS_COUNT; ++p) {
        const char* name = tlw_pass_name((tlw_pass)p);
        if (strlen(name) == (size_t)(colon - text) && memcmp(name, text, strlen(name)) == 0) {
            out->plant_pass = (tlw_pass)p;
            return tlw_parse_positive(colon + 1, 1e9, &out->plant_us);
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
    case OPTION_QUICK:
        out->is_quick = true;
        return true;
    case OPTION_JSON:
        return parse_file(value, &out->json);
    case OPTION_LOAD:
        return tlw_parse_count(value, 1, TLW_LOAD_MAX, &out->load);
    case OPTION_SCENE:
        return parse_scene(value, out);
    case OPTION_CHARACTERS:
        return tlw_parse_count(value, 1, 10000, &out->characters);
    case OPTION_VOXELS:
        return tlw_parse_count(value, RESOLUTION_MIN, RESOLUTION_MAX, &out->resolution);
    case OPTION_WORKERS:
        return tlw_parse_count(value, 1, 256, &out->workers);
    case OPTION_FRAMES:
        return tlw_parse_count(value, 1, 100000, &out->frames);
    case OPTION_ISA:
        return parse_isa(value, &out->isa);
    case OPTION_EMBEDDING:
        return tlw_embedding_from_name(value, &out->output.embedding);
    case OPTION_NORMALS:
        return tlw_normal_source_from_name(value, &out->output.normals_by);
    case OPTION_ORDER:
        return tlw_vertex_order_from_name(value, &out->output.order);
    case OPTION_SMOOTHING:
        return tlw_smoothing_from_text(value, &out->output.smoothing);
    case OPTION_VOLUME:
        return tlw_scene_volume_from_name(value, &out->volume);
    case OPTION_SKINNING:
        return tlw_skinning_from_name(value, &out->skinning);
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
        return tlw_parse_positive(value, 1e9, &out->budget_ms);
    case OPTION_PERCENTILE:
        return tlw_parse_positive(value, 100.0, &out->percentile);
    case OPTION_PLANT:
        return parse_plant(value, out);
    case OPTION_COUNT:
        break;
    }
    return false;
}

// Which options go together.
static tlw_exit_code check_together(const bench_options* o, const bool* is_given) {
    const bool is_jobs_alone = o->section_count == 1 && strcmp(o->sections[0], "jobs") == 0;
    if (is_given[OPTION_LOAD] && (o->scene || !is_jobs_alone)) {
        return mistake("option", "--load", " goes with the section jobs alone");
    }
    if (o->scene == NULL) {
        for (int i = 0; i < OPTION_COUNT; ++i) {
            if (is_given[i] && goes_with_scene[i]) {
                char list[LIST_MAX], rest[LIST_MAX + 64];
                list_scenes(list, sizeof list);
                snprintf(rest, sizeof rest, " goes with --scene NAME; there are: %s", list);
                return mistake("option", table[i].name, rest);
            }
        }
        return TLW_EXIT_OK;
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
    if (is_given[OPTION_SKINNING] && is_given[OPTION_BLOB]) {
        return mistake("option", "--skinning", " goes without --blob: a blob is cooked for one");
    }
    if (is_given[OPTION_PERCENTILE] && !is_given[OPTION_BUDGET]) {
        return mistake("option", "--percentile", " goes with --budget-ms X");
    }
    return TLW_EXIT_OK;
}

bool tlw_bench_parse(int argc, char** argv, bench_options* out, tlw_exit_code* code) {
    *out = (bench_options){
        .workers = 1, .isa = tlw_isa_best(), .output = tlw_default_output(), .percentile = 99.0};
    tlw_arguments a = tlw_arguments_begin(&tlw_bench_command_line, argc, argv, table, OPTION_COUNT);
    for (int which; (which = tlw_arguments_next(&a)) != TLW_ARGUMENT_END;) {
        if (which == TLW_ARGUMENT_STOP) {
            *code = a.exit_code;
            return false;
        }
        if (which == TLW_ARGUMENT_PLAIN) {
            if (out->section_count < BENCH_SECTIONS_MAX) {
                out->sections[out->section_count++] = a.value;
            }
        } else if (!take_value((option)which, a.value, out)) {
            *code = refuse(&a);
            return false;
        }
    }
    *code = check_together(out, a.is_given);
    return *code == TLW_EXIT_OK;
}

void tlw_bench_print_scene_usage(FILE* out) {
    fprintf(out,
            "or: tallow-bench --scene NAME [options]\n"
            "  --characters N        how many of it (default: the scene's)\n"
            "  --voxels RES          resolution of the sample (default: the scene's)\n"
            "  --workers N           threads (default: 1)\n"
            "  --frames N            measured, after a warm-up (default: 300)\n"
            "  --isa NAME            scalar, sse2, avx2 or neon (default: the best)\n"
            "  --embedding NAME      " TLW_EMBEDDING_LIST " (default: auto)\n"
            "  --normals NAME        made from: " TLW_NORMAL_SOURCE_LIST " (default: gradient)\n"
            "  --order NAME          of vertices: " TLW_VERTEX_ORDER_LIST " (default: source)\n"
            "  --smoothing X         of fit, 0 to 1 (default: 0.25)\n"
            "                        samples are cooked with what rbf and rings need\n"
            "  --volume NAME         skinned volume: " TLW_VOLUME_LIST " (default: as cooked)\n"
            "  --skinning NAME       of the sample: " TLW_SKINNING_LIST " (default: linear)\n"
            "  --blob FILE           a cooked character instead of the sample\n"
            "  --motion FILE[:CLIP]  glTF that moves it; without, it stands still\n"
            "  --json, --csv, --html, --trace FILE\n"
            "                        figures, a row per frame, a report, a trace for Perfetto\n"
            "  --budget-ms X         exit code 1 when that percentile of the frames is over\n"
            "  --percentile P        (default: 99)\n"
            "  --plant PASS:US       spends US microseconds per frame in a pass: tests a gate\n"
            "scenes:\n");
#if defined(TLW_BENCH_HAS_STEP)
    for (uint32_t i = 0; i < tlw_scene_entry_count(); ++i) {
        fprintf(out, "  %-10s %s\n", tlw_scene_entry_at(i)->name, tlw_scene_entry_at(i)->what);
    }
#else
    fprintf(out, "  none: this build has no scenes\n");
#endif
}
