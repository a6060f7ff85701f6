// SPDX-License-Identifier: MIT
// Makes the athletic sample, plays its clip `flex` twice, and draws both rounds (flex.h). In the
// second round the game tenses all muscles.
#include "tools/demo/flex.h"

#include "platform/thread.h"
#include "tools/recipe/recipe.h"
#include "tools/scene/film.h"
#include "tools/scene/scene.h"

#include <math.h>
#include <string.h>

#define CHARACTER   "athletic"
#define HZ          60.0
#define CELL_WIDTH  250
#define CELL_HEIGHT 190
#define JOINTS_MAX  32

// The sheet shows what is in this box: the chest, the head and the left arm, in metres.
static const float shown_low[3] = {-0.05f, 1.1f, -1.0f}, shown_high[3] = {0.9f, 1.7f, 1.0f};

// Frames of the clip at which the arms are raised, half bent, and wholly bent.
static const uint32_t moments[] = {46, 77, 120};
#define MOMENT_COUNT (uint32_t) TLW_COUNT_OF(moments)

static const struct {
    const char* name;
    float tension;
} rounds[] = {{"relaxed", 0.0f}, {"tensed", 1.0f}};
#define ROUND_COUNT (uint32_t) TLW_COUNT_OF(rounds)

static const struct {
    const char* name;
    float yaw_degrees;
} views[] = {{"from the front", 15.0f}, {"from behind", 150.0f}};
#define VIEW_COUNT (uint32_t) TLW_COUNT_OF(views)

typedef struct flex {
    const tlw_command* command;
    tlw_recipe recipe;
    tlw_actor actor;
    tlw_film film;
    tlw_scene* scene;
    uint32_t upper, lower, biceps; // joints of the left arm, and the muscle
} flex;

static tlw_exit_code fail(const flex* f, const char* what) {
    return tlw_command_fail(f->command, TLW_EXIT_FAILED, "%s: %s", CHARACTER, what);
}

static bool find_arm(flex* f) {
    const tlw_blob* blob = &f->actor.blob;
    return f->actor.info.joint_count <= JOINTS_MAX &&
           tlw_blob_find_joint(blob, "arm_l", &f->upper) == TLW_OK &&
           tlw_blob_find_joint(blob, "forearm_l", &f->lower) == TLW_OK &&
           tlw_blob_find_muscle(blob, "biceps_l", &f->biceps) == TLW_OK;
}

// A plane across the middle of the left upper arm, in the pose of the scene's moment.
typedef struct section {
    float centre[3], normal[3];
} section;

static section section_of(const flex* f) {
    float joints[JOINTS_MAX * 16];
    tlw_actor_pose(&f->actor, f->scene->clip, f->scene->seconds, joints);
    const float *a = joints + (size_t)f->upper * 16 + 12, *b = joints + (size_t)f->lower * 16 + 12;
    section s;
    float length = 0.0f;
    for (int i = 0; i < 3; ++i) {
        s.centre[i] = 0.5f * (a[i] + b[i]);
        s.normal[i] = b[i] - a[i];
        length += s.normal[i] * s.normal[i];
    }
    for (int i = 0; i < 3; ++i) {
        s.normal[i] /= sqrtf(length);
    }
    return s;
}

static float distance(const float* a, const float* b) {
    const float d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// The length of the skin's cut by the plane, near its centre: the girth of the arm, in metres. Of
// the positions less `share` of how far tissue is off: 0 with muscles, 1 by skinning alone.
static float girth(const flex* f, const section* s, float share) {
    const tlw_scene_character* c = &f->scene->characters[0];
    uint64_t index_count;
    const uint32_t* indices = tlw_actor_indices(&f->actor, &index_count);
    float sum = 0.0f;
    for (uint64_t t = 0; t < index_count; t += 3) {
        float p[3][3], height[3], cut[2][3];
        bool is_near = true;
        for (int k = 0; k < 3; ++k) {
            const size_t at = (size_t)indices[t + (uint64_t)k] * 3;
            height[k] = 0.0f;
            for (int i = 0; i < 3; ++i) {
                p[k][i] = c->positions[at + (size_t)i] - share * c->deltas[at + (size_t)i];
                height[k] += (p[k][i] - s->centre[i]) * s->normal[i];
            }
            is_near = is_near && distance(p[k], s->centre) < 0.16f;
        }
        int found = 0;
        for (int k = 0; k < 3 && is_near; ++k) {
            const int next = (k + 1) % 3;
            if ((height[k] < 0.0f) != (height[next] < 0.0f)) {
                const float u = height[k] / (height[k] - height[next]);
                for (int i = 0; i < 3; ++i) {
                    cut[found][i] = p[k][i] + u * (p[next][i] - p[k][i]);
                }
                ++found;
            }
        }
        sum += found == 2 ? distance(cut[0], cut[1]) : 0.0f;
    }
    return sum;
}

static float farthest(const flex* f) {
    static const float zero[3];
    float most = 0.0f;
    for (uint32_t v = 0; v < f->actor.info.vertex_count; ++v) {
        most = fmaxf(most, distance(f->scene->characters[0].deltas + (size_t)v * 3, zero));
    }
    return most;
}

static tlw_exit_code take_moment(flex* f, const char* round) {
    tlw_muscle muscle;
    if (tlw_character_get_muscle(f->scene->world, f->scene->characters[0].id, f->biceps, &muscle) !=
        TLW_OK) {
        return fail(f, "the biceps cannot be read");
    }
    const section s = section_of(f);
    const float alone = girth(f, &s, 1.0f), with = girth(f, &s, 0.0f);
    printf("  %-8s %5.2f s %11.2f %8.2f %9.1f cm %9.1f cm %+7.1f%% %9.1f mm\n", round,
           f->scene->seconds, (double)muscle.elongation, (double)muscle.tension,
           (double)alone * 100, (double)with * 100, (double)(with / alone - 1) * 100,
           (double)farthest(f) * 1e3);
    f->film.note = round;
    return tlw_film_shoot(&f->film, f->scene) ? TLW_EXIT_OK : fail(f, "out of memory");
}

static tlw_exit_code play(flex* f) {
    printf("  %-8s %7s %11s %8s %12s %12s %8s %12s\n", "", "", "elongation", "tension", "skinning",
           "muscles", "", "farthest");
    tlw_exit_code code = TLW_EXIT_OK;
    for (uint32_t r = 0; r < ROUND_COUNT; ++r) {
        tlw_scene_start(f->scene);
        for (uint32_t m = 0; m < f->actor.info.muscle_count; ++m) {
            if (tlw_character_set_tension(f->scene->world, f->scene->characters[0].id, m,
                                          rounds[r].tension) != TLW_OK) {
                return fail(f, "a muscle cannot be tensed");
            }
        }
        for (uint32_t frame = 1, shot = 0; shot < MOMENT_COUNT; ++frame) {
            tlw_scene_advance(f->scene, 1.0 / HZ);
            if (frame == moments[shot]) {
                ++shot;
                code = take_moment(f, rounds[r].name);
                if (code != TLW_EXIT_OK) {
                    return code;
                }
            }
        }
    }
    return code;
}

static tlw_exit_code draw(flex* f, const char* remark, tlw_output_file* picture) {
    const uint32_t columns = MOMENT_COUNT * ROUND_COUNT;
    const tlw_sheet_def def = {.columns = columns,
                               .rows = 2 * VIEW_COUNT,
                               .cell_width = CELL_WIDTH,
                               .cell_height = CELL_HEIGHT,
                               .title = CHARACTER ": muscles, relaxed and tensed",
                               .remark = remark};
    tlw_sheet sheet;
    const float hot = tlw_film_farthest(&f->film);
    bool is_good = tlw_sheet_create(&sheet, &def) == TLW_OK;
    for (uint32_t v = 0; v < VIEW_COUNT && is_good; ++v) {
        char label[64];
        is_good = tlw_film_draw(&f->film, 0, columns, views[v].yaw_degrees, hot, &sheet, 2 * v);
        snprintf(label, sizeof label, "%s: skinning alone", views[v].name);
        tlw_sheet_row_label(&sheet, 2 * v, label);
        snprintf(label, sizeof label, "%s: muscles", views[v].name);
        tlw_sheet_row_label(&sheet, 2 * v + 1, label);
    }
    tlw_exit_code code;
    if (is_good) {
        tlw_film_legend(&sheet, hot);
        code = tlw_output_file_committed(f->command, picture,
                                         tlw_picture_commit(&sheet.picture, &picture->writer));
    } else {
        code = fail(f, "out of memory");
    }
    tlw_sheet_free(&sheet);
    return code;
}

static tlw_exit_code run(flex* f, tlw_output_file* picture) {
    tlw_recipe_error recipe_error;
    tlw_scene_error error;
    const char* text = tlw_sample_recipe(TLW_SAMPLE_ATHLETIC);
    if (tlw_recipe_read(text, strlen(text), &f->recipe, &recipe_error) != TLW_OK) {
        return fail(f, recipe_error.message);
    }
    if (tlw_actor_make(&f->actor, CHARACTER, &f->recipe.cook, &error) != TLW_SCENE_OK) {
        return fail(f, error.message);
    }
    if (!find_arm(f)) {
        return fail(f, "there is no left arm with a biceps");
    }
    if (!tlw_film_create(&f->film, &f->actor, MOMENT_COUNT * ROUND_COUNT)) {
        return fail(f, "out of memory");
    }
    memcpy(f->film.fits_low, shown_low, sizeof shown_low);
    memcpy(f->film.fits_high, shown_high, sizeof shown_high);
    tlw_scene_def def = tlw_default_scene_def();
    def.actor = &f->actor;
    def.clip = "flex";
    def.worker_count = tlw_core_count();
    def.has_positions = def.has_normals = def.has_deltas = true;
    if (tlw_scene_open(&def, &f->scene, &error) != TLW_SCENE_OK) {
        return fail(f, error.message);
    }
    const tlw_blob_info* info = &f->actor.info;
    char remark[128];
    snprintf(remark, sizeof remark, "%u voxels of %.1f mm, %u vertices, %u muscles",
             info->voxel_count, info->voxel_metres * 1e3, info->vertex_count, info->muscle_count);
    printf("\n%s, cooked in memory: %s\n", CHARACTER, remark);
    printf("  girth of the left upper arm, elongation and tension of its biceps, and the farthest "
           "vertex:\n");
    const tlw_exit_code code = play(f);
    return code == TLW_EXIT_OK ? draw(f, remark, picture) : code;
}

tlw_exit_code tlw_demo_flex(const tlw_command* command, tlw_output_file* picture) {
    flex f = {.command = command};
    const tlw_exit_code code = run(&f, picture);
    tlw_scene_close(f.scene);
    tlw_film_free(&f.film);
    tlw_actor_free(&f.actor);
    tlw_recipe_free(&f.recipe);
    return code;
}
