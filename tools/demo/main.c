// SPDX-License-Identifier: MIT
// tallow-demo FOLDER: Tallow at its job. A sample character, cooked in memory, dances for ten
// seconds and then runs and stops dead; another one flexes its arms (flex.h). Prints what every
// pass took of the frame budget and how far tissue was from skinning alone; leaves contact sheets,
// skinning alone above tissue, and a trace of the dance for Perfetto in FOLDER.
#include "platform/thread.h"
#include "profiling/profile.h"
#include "tools/command/arguments.h"
#include "tools/command/output_file.h"
#include "tools/command/trace.h"
#include "tools/demo/flex.h"
#include "tools/scene/film.h"
#include "tools/scene/scene.h"

#include <math.h>

#define CHARACTER   "bunny"
#define HZ          60.0
#define COLUMNS     8
#define CELL_WIDTH  200
#define CELL_HEIGHT 230

static void print_usage(FILE* out) {
    fprintf(out,
            "usage: tallow-demo FOLDER\n"
            "Shows a character dance and stop, with and without soft tissue, and another one flex\n"
            "its arms.\n"
            "  FOLDER  where to leave dance.png, flex.png and, if this build's zones go to the\n"
            "          built-in profiler, demo.trace.json\n");
}

static const tlw_command command = {
    .name = "tallow-demo",
    .print_usage = print_usage,
    .exit_codes = TLW_EXIT_BIT(TLW_EXIT_OK) | TLW_EXIT_BIT(TLW_EXIT_FAILED) |
                  TLW_EXIT_BIT(TLW_EXIT_USAGE) | TLW_EXIT_BIT(TLW_EXIT_CANNOT_WRITE)};

// One clip from its first frame on, and the moments of it that the contact sheet shows.
typedef struct act {
    const char *clip, *label;
    uint32_t frames;
    uint32_t shots[COLUMNS]; // frames, ascending
    float yaw_degrees;
    bool is_traced;
} act;

static const act acts[] = {
    // The second round of the clip: two beats of swaying, then a pirouette.
    {"dance", "dance", 601, {255, 270, 285, 300, 405, 420, 435, 450}, 20.0f, true},
    // The root stands still from frame 60 on.
    {"sudden_stop", "sudden stop", 150, {57, 60, 63, 67, 71, 78, 90, 148}, 75.0f, false},
};

enum { ACT_COUNT = (int)TLW_COUNT_OF(acts) };

typedef struct demo {
    tlw_actor actor;
    tlw_film film;
    tlw_output_file picture, flex, trace;
} demo;

static tlw_exit_code fail(const char* what) {
    return tlw_command_fail(&command, TLW_EXIT_FAILED, "%s", what);
}

// How far a vertex is from where skinning alone would have it: the farthest one, in metres.
static float farthest_deviation(const tlw_scene* scene) {
    float most = 0.0f;
    for (uint32_t v = 0; v < scene->def.actor->info.vertex_count; ++v) {
        const float* d = scene->characters[0].deltas + (size_t)v * 3;
        most = fmaxf(most, sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    return most;
}

// Steps the scene from the act's first frame to its last, takes the shots, and prints the result.
static tlw_exit_code step_act(demo* d, const act* a, tlw_scene* scene) {
    float most = 0.0f, last = 0.0f;
    for (uint32_t frame = 0, shot = 0; frame < a->frames; ++frame) {
        if (frame == 0) {
            tlw_scene_start(scene);
        } else {
            tlw_scene_advance(scene, 1.0 / HZ);
        }
        TLW_FRAME_MARK();
        if (shot < COLUMNS && a->shots[shot] == frame) {
            if (!tlw_film_shoot(&d->film, scene)) {
                return fail("out of memory");
            }
            shot += 1;
        }
        last = farthest_deviation(scene);
        most = fmaxf(most, last);
    }
    char flags[256];
    tlw_scene_flag_names(scene->flags_seen, flags, sizeof flags);
    printf("\n%s, %u frames at %.0f Hz, %s, %u workers; flags: %s\n", a->label, a->frames - 1, HZ,
           tlw_isa_name(scene->def.world.isa), scene->def.worker_count, flags);
    tlw_scene_print_passes(scene, stdout);
    printf("  tissue was off by %.1f mm at the most, and by %.1f mm in the last frame\n",
           (double)most * 1e3, (double)last * 1e3);
    return TLW_EXIT_OK;
}

static tlw_exit_code play_act(demo* d, const act* a) {
    tlw_scene_error error;
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = &d->actor;
    def.clip = a->clip;
    def.worker_count = tlw_core_count();
    def.has_positions = def.has_normals = def.has_deltas = true;
    tlw_scene* scene;
    if (tlw_scene_open(&def, &scene, &error) != TLW_SCENE_OK) {
        return fail(error.message);
    }
    const bool is_traced = a->is_traced && d->trace.is_begun;
    tlw_trace* trace = is_traced ? tlw_trace_begin(scene->def.world.budget_ms) : NULL;
    tlw_exit_code code = is_traced && trace == NULL ? fail("out of memory") : step_act(d, a, scene);
    if (trace) { // while the scene is open: zones are named after its characters
        (void)tlw_trace_save(trace, &d->trace.writer); // the commit tells whether a write failed
    }
    tlw_scene_close(scene);
    tlw_trace_end(trace);
    return code;
}

static tlw_exit_code draw(demo* d, const char* remark) {
    const tlw_sheet_def def = {.columns = COLUMNS,
                               .rows = 2 * ACT_COUNT,
                               .cell_width = CELL_WIDTH,
                               .cell_height = CELL_HEIGHT,
                               .title = CHARACTER ": dance and sudden stop",
                               .remark = remark};
    tlw_sheet sheet;
    const float hot = tlw_film_farthest(&d->film);
    bool is_good = tlw_sheet_create(&sheet, &def) == TLW_OK;
    for (uint32_t i = 0; i < ACT_COUNT && is_good; ++i) {
        char label[64];
        is_good =
            tlw_film_draw(&d->film, i * COLUMNS, COLUMNS, acts[i].yaw_degrees, hot, &sheet, 2 * i);
        snprintf(label, sizeof label, "%s: skinning alone", acts[i].label);
        tlw_sheet_row_label(&sheet, 2 * i, label);
        snprintf(label, sizeof label, "%s: tissue", acts[i].label);
        tlw_sheet_row_label(&sheet, 2 * i + 1, label);
    }
    tlw_exit_code code;
    if (is_good) {
        tlw_film_legend(&sheet, hot);
        code = tlw_output_file_committed(&command, &d->picture,
                                         tlw_picture_commit(&sheet.picture, &d->picture.writer));
    } else {
        code = fail("out of memory");
    }
    tlw_sheet_free(&sheet);
    return code;
}

// All files are begun before anything runs, so that a folder that cannot be written is told at
// once.
static tlw_exit_code begin_files(demo* d, const char* folder) {
    char path[TLW_PATH_MAX];
    snprintf(path, sizeof path, "%s/dance.png", folder);
    tlw_exit_code code = tlw_output_file_begin(&command, &d->picture, path);
    if (code == TLW_EXIT_OK) {
        snprintf(path, sizeof path, "%s/flex.png", folder);
        code = tlw_output_file_begin(&command, &d->flex, path);
    }
    if (code == TLW_EXIT_OK && tlw_trace_is_possible()) {
        snprintf(path, sizeof path, "%s/demo.trace.json", folder);
        code = tlw_output_file_begin(&command, &d->trace, path);
    }
    return code;
}

static tlw_exit_code run(demo* d, const char* folder) {
    tlw_scene_error error;
    if (tlw_actor_make(&d->actor, CHARACTER, NULL, &error) != TLW_SCENE_OK) {
        return fail(error.message);
    }
    if (!tlw_film_create(&d->film, &d->actor, COLUMNS * ACT_COUNT)) {
        return fail("out of memory");
    }
    const tlw_blob_info* info = &d->actor.info;
    const tlw_version version = tlw_get_version();
    char remark[128];
    snprintf(remark, sizeof remark, "%u voxels of %.1f mm, %u vertices, %u joints",
             info->voxel_count, info->voxel_metres * 1e3, info->vertex_count, info->joint_count);
    printf("Tallow %u.%u.%u. %s, cooked in memory: %s\n", version.major, version.minor,
           version.patch, CHARACTER, remark);
    tlw_exit_code code = TLW_EXIT_OK;
    for (int i = 0; i < ACT_COUNT && code == TLW_EXIT_OK; ++i) {
        code = play_act(d, &acts[i]);
    }
    if (code == TLW_EXIT_OK) {
        code = draw(d, remark);
    }
    if (code == TLW_EXIT_OK) {
        code = tlw_demo_flex(&command, &d->flex);
    }
    if (code == TLW_EXIT_OK) {
        printf("\n%s/dance.png, %s/flex.png: skinning alone above tissue\n", folder, folder);
        if (d->trace.is_begun) {
            code = tlw_output_file_commit(&command, &d->trace);
            printf("%s/demo.trace.json: the dance; load it in Perfetto or chrome://tracing\n",
                   folder);
        }
    }
    return code;
}

int main(int argc, char** argv) {
    static demo d;
    const char* folder = NULL;
    tlw_arguments a = tlw_arguments_begin(&command, argc, argv, NULL, 0);
    for (int which; (which = tlw_arguments_next(&a)) != TLW_ARGUMENT_END;) {
        if (which == TLW_ARGUMENT_STOP) {
            return a.exit_code;
        }
        if (folder) {
            return tlw_command_mistake(&command, "more than one folder:", a.value, "");
        }
        folder = a.value;
    }
    if (folder == NULL) {
        return tlw_command_mistake(&command, "a folder must be named:", "FOLDER", "");
    }
    tlw_exit_code code = begin_files(&d, folder);
    if (code == TLW_EXIT_OK) {
        code = run(&d, folder);
    }
    tlw_output_file_abandon(&d.picture);
    tlw_output_file_abandon(&d.flex);
    tlw_output_file_abandon(&d.trace);
    tlw_film_free(&d.film);
    tlw_actor_free(&d.actor);
    return code;
}
