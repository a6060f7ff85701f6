// SPDX-License-Identifier: MIT
// Ten seconds of dance against a budget, then a sudden stop; a contact sheet of both, skinning
// alone above tissue.
#include "tools/demo/dance.h"

#include "platform/thread.h"
#include "tools/scene/film.h"
#include "tools/scene/scene.h"

#include <math.h>
#include <stdlib.h>

#define CHARACTER   "bunny"
#define HZ          60.0
#define COLUMNS     8
#define CELL_WIDTH  200
#define CELL_HEIGHT 230

typedef struct part {
    const char *clip, *label;
    uint32_t frames;
    uint32_t shots[COLUMNS]; // frames, ascending
    float yaw_degrees;
} part;

static const part parts[] = {
    // The second round: two beats of swaying, then the turn.
    {"dance", "dance", 601, {255, 270, 285, 300, 405, 420, 435, 450}, 20.0f},
    // The root stands still from frame 60 on.
    {"sudden_stop", "sudden stop", 150, {57, 60, 63, 67, 71, 78, 90, 148}, 75.0f},
};

enum { PART_COUNT = (int)TLW_COUNT_OF(parts) };

static int fail(const char* what, int exit_code) {
    fprintf(stderr, "tallow-demo: %s\n", what);
    return exit_code;
}

static float farthest_off(const tlw_scene* scene) {
    float most = 0.0f;
    for (uint32_t v = 0; v < scene->def.actor->info.vertex_count; ++v) {
        const float* d = scene->characters[0].deltas + (size_t)v * 3;
        most = fmaxf(most, sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    return most;
}

// The part from its first frame to its last. *most and *last: how far a vertex is off, metres.
static int play(const tlw_actor* actor, const part* p, tlw_film* film, float* most, float* last) {
    tlw_scene_error error;
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = actor;
    def.clip = p->clip;
    def.worker_count = tlw_core_count();
    def.has_positions = def.has_normals = def.has_deltas = true;
    tlw_scene* scene;
    if (tlw_scene_open(&def, &scene, &error) != TLW_SCENE_OK) {
        return fail(error.message, tlw_scene_exit_code(error.code));
    }
    bool is_kept = true;
    *most = *last = 0.0f;
    for (uint32_t frame = 0, shot = 0; frame < p->frames; ++frame) {
        if (frame == 0) {
            tlw_scene_start(scene);
        } else {
            tlw_scene_advance(scene, 1.0 / HZ);
        }
        if (shot < COLUMNS && p->shots[shot] == frame) {
            is_kept = tlw_film_shoot(film, scene) && is_kept;
            shot += 1;
        }
        *last = farthest_off(scene);
        *most = fmaxf(*most, *last);
    }
    char flags[256];
    tlw_scene_flag_names(scene->flags_seen, flags, sizeof flags);
    printf("\n%s, %u frames at %.0f Hz, %s, %u workers; flags: %s\n", p->label, p->frames - 1, HZ,
           tlw_isa_name(def.world.isa), def.worker_count, flags);
    tlw_scene_print_passes(scene, stdout);
    tlw_scene_close(scene);
    return is_kept ? 0 : fail("out of memory", 1);
}

static int draw(const tlw_film* film, const char* folder, const char* remark) {
    const tlw_sheet_def def = {.columns = COLUMNS,
                               .rows = 2 * PART_COUNT,
                               .cell_width = CELL_WIDTH,
                               .cell_height = CELL_HEIGHT,
                               .title = CHARACTER ": dance and sudden stop",
                               .remark = remark};
    static tlw_file_writer writer;
    char path[TLW_PATH_MAX];
    snprintf(path, sizeof path, "%s/dance.png", folder);
    if (tlw_file_writer_begin(&writer, path) != TLW_OK) {
        return fail(writer.error.message, 6);
    }
    tlw_sheet sheet;
    const float hot = tlw_film_farthest(film);
    bool is_good = tlw_sheet_create(&sheet, &def) == TLW_OK;
    for (uint32_t i = 0; i < PART_COUNT && is_good; ++i) {
        char label[64];
        is_good =
            tlw_film_draw(film, i * COLUMNS, COLUMNS, parts[i].yaw_degrees, hot, &sheet, 2 * i);
        snprintf(label, sizeof label, "%s: skinning alone", parts[i].label);
        tlw_sheet_row_label(&sheet, 2 * i, label);
        snprintf(label, sizeof label, "%s: tissue", parts[i].label);
        tlw_sheet_row_label(&sheet, 2 * i + 1, label);
    }
    if (!is_good) {
        tlw_file_writer_abandon(&writer);
        tlw_sheet_free(&sheet);
        return fail("out of memory", 1);
    }
    tlw_film_legend(&sheet, hot);
    const bool is_written = tlw_picture_commit(&sheet.picture, &writer) == TLW_OK;
    tlw_sheet_free(&sheet);
    if (!is_written) {
        return fail(writer.error.message, 6);
    }
    printf("\n%s: skinning alone above tissue\n", path);
    return 0;
}

int tlw_demo_dance(const char* folder) {
    tlw_actor actor;
    tlw_film film = {0};
    tlw_scene_error error;
    float most[PART_COUNT] = {0}, last[PART_COUNT] = {0};
    int status = 0;
    if (tlw_actor_make(&actor, CHARACTER, NULL, &error) != TLW_SCENE_OK) {
        status = fail(error.message, tlw_scene_exit_code(error.code));
    } else if (!tlw_film_create(&film, &actor, COLUMNS * PART_COUNT)) {
        status = fail("out of memory", 1);
    }
    char remark[128] = "";
    if (status == 0) {
        snprintf(remark, sizeof remark, "%u voxels of %.1f mm, %u vertices, %u joints",
                 actor.info.voxel_count, actor.info.voxel_metres * 1e3, actor.info.vertex_count,
                 actor.info.joint_count);
        printf("%s, cooked in memory: %s\n", CHARACTER, remark);
    }
    for (int i = 0; i < PART_COUNT && status == 0; ++i) {
        status = play(&actor, &parts[i], &film, &most[i], &last[i]);
        printf("  tissue was off by %.1f mm at the most, and by %.1f mm in the last frame\n",
               (double)most[i] * 1e3, (double)last[i] * 1e3);
    }
    if (status == 0) {
        status = draw(&film, folder, remark);
    }
    tlw_film_free(&film);
    tlw_actor_free(&actor);
    return status;
}
