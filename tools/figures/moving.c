// SPDX-License-Identifier: MIT
// The moving picture of the README: the dance, then the sudden stop, skinning beside tissue. Each
// act fades into the next over its last frames; the first frames of the dance follow on the last
// ones of its clip, so that the picture loops without a seam.
#include "tools/figures/figures.h"

#include "platform/thread.h"
#include "tools/render/animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HZ = 20,
    FADE = 6,          // frames
    DANCE_FRAMES = 80, // one round of the clip
    STOP_FRAMES = 32,
    FRAMES = DANCE_FRAMES + STOP_FRAMES,
    THREADS_MAX = 16
};

#define WIDTH_SHARE 1.9f // of the picture, over the height
#define CAMERA_FROM 0.40 // seconds before and after, over which the camera's path is smoothed
#define TOLERANCE   7
#define COLOURS     56
#define DOTS        9 // on the ground, to each side

static const tlw_rgb ink = {0.93f, 0.94f, 0.97f}, faint = {0.60f, 0.65f, 0.73f};
static const tlw_rgb flesh = {0.86f, 0.72f, 0.62f};

// The times of an act begin FADE frames early: what it shows while the act before fades out.
typedef struct act {
    const char *clip, *label;
    double first_seconds; // of its first full frame
    uint32_t frames;
    float yaw_degrees, swing_degrees;
    tlw_take take;
    tlw_render_camera camera;
    float (*path)[3]; // of the camera's target, one per shot
} act;

typedef struct film {
    act acts[2];
    tlw_render_area halves[2];
    uint32_t width, height;
    float hot;
    double extent;
} film;

// ---- Acts

static tlw_scene_code play(tlw_figures* f, act* a, const tlw_actor* actor) {
    const uint32_t count = a->frames + FADE;
    double* seconds = malloc(count * sizeof *seconds);
    a->path = malloc(count * sizeof *a->path);
    if (seconds == NULL || a->path == NULL) {
        free(seconds);
        f->error.code = TLW_SCENE_CANNOT_READ;
        snprintf(f->error.message, sizeof f->error.message, "out of memory");
        return f->error.code;
    }
    for (uint32_t i = 0; i < count; ++i) {
        seconds[i] = a->first_seconds + ((double)i - FADE) / HZ;
    }
    tlw_take_def def = tlw_default_take_def(actor);
    def.clip = a->clip;
    const tlw_scene_code code = tlw_take_play(&a->take, &def, seconds, count, &f->error);
    free(seconds);
    return code;
}

// The camera follows the character as somebody does who knows where it will go: the mean of its
// place over a while before and after.
static void find_path(act* a) {
    const uint32_t count = a->take.shot_count;
    const int32_t reach = (int32_t)(CAMERA_FROM * HZ);
    for (uint32_t i = 0; i < count; ++i) {
        float sum[3] = {0.0f, 0.0f, 0.0f}, weight = 0.0f;
        for (int32_t k = -reach; k <= reach; ++k) {
            int32_t at = (int32_t)i + k;
            at = at < 0 ? 0 : at >= (int32_t)count ? (int32_t)count - 1 : at;
            const float share = 1.0f + cosf(3.14159265f * (float)k / (float)(reach + 1));
            for (int axis = 0; axis < 3; ++axis) {
                sum[axis] += share * a->take.shots[at].centre[axis];
            }
            weight += share;
        }
        for (int axis = 0; axis < 3; ++axis) {
            a->path[i][axis] = sum[axis] / weight;
        }
    }
}

static bool fit_camera(film* m, act* a) {
    const tlw_draw_row row = {.take = &a->take};
    const float aspect = (float)m->halves[0].width / (float)m->halves[0].height;
    if (!tlw_draw_camera(&row, 1, a->yaw_degrees, aspect, &a->camera)) {
        return false;
    }
    a->camera.height *= 1.22f; // room for labels, and for the lag of the camera
    a->camera.target[1] += 0.05f * a->camera.height;
    a->camera.pitch_degrees = 10.0f;
    return true;
}

// ---- Frames

// Dots on the ground show that the character moves, and when it stops.
static void draw_ground(const film* m, const tlw_render_camera* camera, tlw_picture* picture,
                        tlw_render_area area) {
    const float step = 0.2f * (float)m->extent;
    const float x0 = floorf(camera->target[0] / step), z0 = floorf(camera->target[2] / step);
    for (int i = -DOTS; i <= DOTS; ++i) {
        for (int k = -DOTS; k <= DOTS; ++k) {
            const float p[3] = {(x0 + (float)i) * step, camera->ground, (z0 + (float)k) * step};
            const float dx = (p[0] - camera->target[0]) / step;
            const float dz = (p[2] - camera->target[2]) / step;
            const float far = sqrtf(dx * dx + dz * dz) / DOTS;
            float x, y;
            if (far < 1.0f && tlw_render_project(area, camera, p, &x, &y) &&
                x > (float)area.x + 2.0f && x < (float)(area.x + area.width) - 2.0f &&
                y < (float)(area.y + area.height)) {
                tlw_picture_disc(picture, x, y, 1.1f, faint, 0.5f * (1.0f - far));
            }
        }
    }
}

static bool draw_character(const film* m, const act* a, uint32_t shot, tlw_picture* picture) {
    const tlw_take_shot* s = &a->take.shots[shot];
    const uint32_t count = a->take.actor->info.vertex_count;
    const float turn = 6.2831853f * ((float)shot - FADE) / (float)a->frames;
    tlw_render_camera camera = a->camera;
    camera.yaw_degrees += a->swing_degrees * sinf(turn);
    for (int axis = 0; axis < 3; ++axis) {
        camera.target[axis] += a->path[shot][axis];
    }
    uint64_t index_count;
    tlw_render_mesh mesh = {.vertex_count = count,
                            .indices = tlw_actor_indices(a->take.actor, &index_count),
                            .colour = flesh};
    mesh.index_count = (uint32_t)index_count;
    float* normals = malloc(((size_t)count * 3 + 1) * sizeof *normals);
    float* heat = malloc(((size_t)count + 1) * sizeof *heat);
    bool is_good = normals && heat;
    for (uint32_t v = 0; v < count && is_good; ++v) {
        heat[v] = s->deviation[v] / m->hot;
    }
    for (uint32_t half = 0; half < 2 && is_good; ++half) {
        draw_ground(m, &camera, picture, m->halves[half]);
        mesh.positions = half ? s->positions : s->skinned;
        mesh.heat = half ? heat : NULL;
        mesh.normals = half ? s->normals : normals;
        is_good = (half || tlw_render_normals(s->positions, NULL, s->skinned, count, mesh.indices,
                                              mesh.index_count, normals)) &&
                  tlw_render_draw(picture, m->halves[half], &camera, &mesh);
    }
    free(normals);
    free(heat);
    return is_good;
}

static void fade(tlw_picture* picture, const tlw_picture* next, float share) {
    for (size_t i = 0; i < (size_t)picture->width * picture->height; ++i) {
        tlw_rgb *a = &picture->pixels[i], b = next->pixels[i];
        a->r += (b.r - a->r) * share;
        a->g += (b.g - a->g) * share;
        a->b += (b.b - a->b) * share;
    }
}

// On one thread, because letters are made in a buffer that all calls share.
static void draw_labels(const film* m, uint32_t number, tlw_picture* picture) {
    static const char* const labels[2] = {"skinning", "tissue"};
    const uint32_t which = number < DANCE_FRAMES ? 0 : 1;
    const uint32_t end = which ? FRAMES : DANCE_FRAMES;
    const int32_t scale = m->height >= 300 ? 3 : 2;
    for (int half = 0; half < 2; ++half) {
        const int32_t middle = (int32_t)(m->halves[half].x + m->halves[half].width / 2);
        tlw_picture_label(picture, middle - tlw_picture_label_width(scale, labels[half]) / 2, 14,
                          scale, labels[half], ink);
    }
    if (number + FADE < end) {
        const char* label = m->acts[which].label;
        tlw_picture_label(picture, (int32_t)m->width / 2 - tlw_picture_label_width(2, label) / 2,
                          (int32_t)m->height - 24, 2, label, faint);
    }
    tlw_picture_fill(picture, (int32_t)m->width / 2, 16, 1, (int32_t)m->height - 52, faint, 0.35f);
}

// Frame `number` of the picture. In the last frames of an act the next one shows through.
static bool draw_frame(const film* m, uint32_t number, tlw_picture* picture) {
    const uint32_t which = number < DANCE_FRAMES ? 0 : 1;
    const act *a = &m->acts[which], *next = &m->acts[1 - which];
    const uint32_t frame = which ? number - DANCE_FRAMES : number;
    const uint32_t left = a->frames - frame; // 1 in the last frame
    if (!tlw_picture_create(picture, m->width, m->height) ||
        !draw_character(m, a, FADE + frame, picture)) {
        return false;
    }
    bool is_good = true;
    if (left <= FADE) {
        tlw_picture other = {0};
        is_good = tlw_picture_create(&other, m->width, m->height) &&
                  draw_character(m, next, FADE - left, &other);
        const float share = (float)(FADE + 1 - left) / (float)(FADE + 1);
        if (is_good) {
            fade(picture, &other, share * share * (3.0f - 2.0f * share));
        }
        tlw_picture_free(&other);
    }
    return is_good;
}

// ---- Threads: each draws every n-th frame

typedef struct worker {
    const film* film;
    uint32_t number;
    tlw_picture picture;
    bool is_good;
} worker;

static void work(void* user) {
    worker* w = user;
    w->is_good = draw_frame(w->film, w->number, &w->picture);
}

static bool draw_frames(const film* m, tlw_animation* animation) {
    const uint32_t cores = tlw_core_count();
    const uint32_t width = cores < 1 ? 1 : cores > THREADS_MAX ? THREADS_MAX : cores;
    bool is_good = true;
    for (uint32_t first = 0; first < FRAMES && is_good; first += width) {
        worker workers[THREADS_MAX] = {{0}};
        tlw_thread threads[THREADS_MAX];
        bool is_started[THREADS_MAX] = {false};
        const uint32_t count = FRAMES - first < width ? FRAMES - first : width;
        for (uint32_t i = 0; i < count; ++i) {
            workers[i] = (worker){.film = m, .number = first + i};
            tlw_thread_def def = tlw_default_thread_def();
            def.main = work;
            def.user = &workers[i];
            is_started[i] = i > 0 && tlw_thread_start(&threads[i], &def) == TLW_OK;
        }
        for (uint32_t i = 0; i < count; ++i) {
            if (is_started[i]) {
                tlw_thread_join(&threads[i]);
            } else {
                work(&workers[i]);
            }
        }
        for (uint32_t i = 0; i < count; ++i) {
            if (workers[i].is_good) {
                draw_labels(m, workers[i].number, &workers[i].picture);
            }
            is_good =
                is_good && workers[i].is_good && tlw_animation_add(animation, &workers[i].picture);
            tlw_picture_free(&workers[i].picture);
        }
    }
    return is_good;
}

static tlw_exit_code make_film(tlw_figures* f, film* m, tlw_output_file* file) {
    const tlw_animation_def def = {.width = m->width,
                                   .height = m->height,
                                   .frame_capacity = FRAMES,
                                   .frames_per_second = HZ,
                                   .colours = COLOURS,
                                   .tolerance = TOLERANCE};
    tlw_animation* animation = tlw_animation_begin(&def);
    tlw_exit_code code;
    if (animation && draw_frames(m, animation)) {
        code = tlw_output_file_committed(f->command, file,
                                         tlw_animation_commit(animation, &file->writer));
    } else {
        code = tlw_figures_fail_memory(f);
    }
    tlw_animation_free(animation);
    return code;
}

tlw_exit_code tlw_figure_moving(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_BUNNY);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    film m = {.acts = {{.clip = "dance",
                        .label = "dance",
                        .first_seconds = 4.0, // the second round, which no first pose disturbs
                        .frames = DANCE_FRAMES,
                        .yaw_degrees = 22.0f,
                        .swing_degrees = 14.0f},
                       {.clip = "sudden_stop",
                        .label = "sudden stop",
                        .first_seconds = 0.5,
                        .frames = STOP_FRAMES,
                        .yaw_degrees = 62.0f,
                        .swing_degrees = 5.0f}},
              .height = f->cell_height * 23 / 18,
              .extent = actor->info.extent_voxels * actor->info.voxel_metres};
    m.width = (uint32_t)((float)m.height * WIDTH_SHARE) / 2 * 2;
    m.halves[0] = (tlw_render_area){0, 0, m.width / 2, m.height};
    m.halves[1] = (tlw_render_area){m.width / 2, 0, m.width / 2, m.height};
    tlw_exit_code code = TLW_EXIT_OK;
    for (int i = 0; i < 2 && code == TLW_EXIT_OK; ++i) {
        if (play(f, &m.acts[i], actor) != TLW_SCENE_OK) {
            code = tlw_figures_fail(f);
        } else if (!fit_camera(&m, &m.acts[i])) {
            code = tlw_figures_fail_memory(f);
        } else {
            find_path(&m.acts[i]);
            m.hot = fmaxf(m.hot, 1.1f * tlw_take_farthest(&m.acts[i].take));
        }
    }
    if (code == TLW_EXIT_OK) {
        code = make_film(f, &m, file);
    }
    for (int i = 0; i < 2; ++i) {
        tlw_take_free(&m.acts[i].take);
        free(m.acts[i].path);
    }
    return code;
}
