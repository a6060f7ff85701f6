// SPDX-License-Identifier: MIT
// Automatic muscles (RULES 9.13) on characters in motion: what they change, whether anything pops
// or is crushed, and whether tissue still comes to rest.
#include "tools/figures/figures.h"

#include "tools/motion/bent.h"
#include "tools/render/animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOTS = 3,
    SHOWN = 2,
    KINDS = 2,
    HOLD_FRAMES = 600,
    FRAMES_MAX = 512,
    COLUMNS = 9,
    TEXT = 80,
    NOTES = 4
};

#define BULGE   2.0f
#define CRUSHED 0.1 // of a voxel's volume
#define NAMES   184 // pixels of the first column

enum { CURLS = 4 };

#define CURL_SECONDS 2.0 // out and back

// The clip of RiggedFigure moves shoulders and head only, so its elbows and knees are curled.
static const tlw_bent_joint curls[CURLS] = {{"arm_joint_L_3", 110.0, {0, 0, 1}},
                                            {"arm_joint_R_3", 110.0, {0, 0, 1}},
                                            {"leg_joint_L_2", 90.0, {0, 0, -1}},
                                            {"leg_joint_R_2", 90.0, {0, 0, -1}}};

typedef struct subject {
    const char *sample, *file; // one of them is null
    uint32_t resolution;
    const char* clip; // null: curls
    float yaw;
    float height; // of a picture, in L
} subject;

static const subject subjects[] = {{NULL, "Fox.glb", 32, "Run", 62.0f, 0.5f},
                                   {"thin", NULL, 64, "dance", 25.0f, 0.36f},
                                   {"bunny", NULL, 32, "dance", 0.0f, 1.0f},
                                   {"stout", NULL, 32, "dance", 0.0f, 1.0f},
                                   {NULL, "RiggedFigure.glb", 32, NULL, 0.0f, 1.0f}};

enum { SUBJECTS = (int)TLW_COUNT_OF(subjects) };

static double curl_share(double seconds) {
    return 0.5 - 0.5 * cos(6.283185307179586 * seconds / CURL_SECONDS);
}

static void curl(tlw_motion* motion, uint32_t frame, void* user) {
    (void)user;
    tlw_bent_set(motion, curls, CURLS, curl_share(frame / TLW_TAKE_HZ));
}

// A character without and with muscles, which play the same frames.
typedef struct pair {
    const subject* subject;
    tlw_actor actors[KINDS];
    tlw_motion* motions[KINDS];
    float* positions[KINDS]; // 3 per vertex
    float *apart, *last;     // with less without, now and a frame ago
    float* before;           // without, a frame ago
    uint32_t clip, frames, vertices;
    // Shares of L: the largest and the mean difference, the largest change of one in a frame, and
    // how far a vertex moves in a frame at most without muscles.
    double largest, mean, change, moved;
    double voxels;            // the largest difference of a voxel, likewise
    double means[FRAMES_MAX]; // the mean difference in each frame
    uint32_t crushed[KINDS];
    double asleep_seconds[KINDS]; // after the clip has stopped; ten where it does not sleep
} pair;

static bool make_actor(tlw_figures* f, const subject* s, bool has_muscles, tlw_actor* out) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    tlw_cook_muscle automatic = tlw_default_cook_muscle(NULL);
    automatic.bulge = BULGE;
    recipe.resolution = s->resolution;
    recipe.muscles = &automatic;
    recipe.muscle_count = has_muscles ? 1 : 0;
    if (s->sample) {
        return tlw_actor_make(out, s->sample, &recipe, &f->error) == TLW_SCENE_OK;
    }
    char path[TLW_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", f->models ? f->models : ".", s->file);
    return tlw_actor_cook(out, path, &recipe, &f->error) == TLW_SCENE_OK;
}

static bool open_pair(tlw_figures* f, const subject* s, pair* p) {
    *p = (pair){.subject = s};
    for (int k = 0; k < KINDS; ++k) {
        if (!make_actor(f, s, k == 1, &p->actors[k])) {
            return false;
        }
        tlw_motion_def def = tlw_default_motion_def();
        def.actor = &p->actors[k];
        p->positions[k] = malloc((size_t)p->actors[k].info.vertex_count * 3 * sizeof(float) + 64);
        if (!p->positions[k] || tlw_motion_open(&def, &p->motions[k], &f->error) != TLW_SCENE_OK) {
            return false;
        }
        tlw_output output = tlw_default_output();
        output.positions.data = p->positions[k];
        TLW_IGNORE(tlw_character_set_output(p->motions[k]->world, p->motions[k]->id, &output));
    }
    p->vertices = p->actors[0].info.vertex_count;
    p->apart = calloc((size_t)p->vertices * 3 + 1, sizeof(float));
    p->last = calloc((size_t)p->vertices * 3 + 1, sizeof(float));
    p->before = calloc((size_t)p->vertices * 3 + 1, sizeof(float));
    p->clip = TLW_ASSET_NONE;
    return p->apart && p->last && p->before &&
           (s->clip == NULL ||
            tlw_actor_find_clip(&p->actors[0], s->clip, &p->clip, &f->error) == TLW_SCENE_OK);
}

static void close_pair(pair* p) {
    for (int k = 0; k < KINDS; ++k) {
        tlw_motion_close(p->motions[k]);
        tlw_actor_free(&p->actors[k]);
        free(p->positions[k]);
    }
    free(p->apart);
    free(p->last);
    free(p->before);
}

static double length_of(const float* a, const float* b) {
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double d = (double)a[axis] - (b ? (double)b[axis] : 0.0);
        squared += d * d;
    }
    return sqrt(squared);
}

static double extent_of(const pair* p) {
    return p->actors[0].info.extent_voxels * p->actors[0].info.voxel_metres;
}

static void compare_frame(pair* p, uint32_t frame) {
    const double extent = extent_of(p);
    double sum = 0.0;
    for (size_t v = 0; v < p->vertices; ++v) {
        const float* without = p->positions[0] + v * 3;
        float *apart = p->apart + v * 3, *last = p->last + v * 3;
        for (size_t axis = 0; axis < 3; ++axis) {
            apart[axis] = p->positions[1][v * 3 + axis] - without[axis];
        }
        const double length = length_of(apart, NULL) / extent;
        sum += length / p->vertices;
        p->largest = fmax(p->largest, length);
        if (frame > 0) {
            p->change = fmax(p->change, length_of(apart, last) / extent);
            p->moved = fmax(p->moved, length_of(without, p->before + v * 3) / extent);
        }
        memcpy(last, apart, 3 * sizeof *last);
        memcpy(p->before + v * 3, without, 3 * sizeof *without);
    }
    p->mean += sum / p->frames;
    p->means[frame] = sum;
}

static void compare_voxels(pair* p) {
    for (uint32_t v = 0; v < p->motions[0]->voxel_count; ++v) {
        const double apart =
            length_of(p->motions[1]->voxels[v].position, p->motions[0]->voxels[v].position);
        p->voxels = fmax(p->voxels, apart / p->motions[0]->extent_voxels);
    }
}

// For the voxels that were read last.
static uint32_t count_crushed(const tlw_motion* motion) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        count += motion->layers[v] != 0 && tlw_motion_voxel_volume(motion, v, false) < CRUSHED;
    }
    return count;
}

static void set_pose(const pair* p, tlw_motion* motion, uint32_t frame) {
    if (p->subject->clip) {
        tlw_motion_pose(motion, p->clip, frame / TLW_TAKE_HZ);
    } else {
        curl(motion, frame, NULL);
    }
}

// Plays the clip or the curls once, and then holds the last pose until the character sleeps.
static void measure(pair* p) {
    const double seconds =
        p->subject->clip ? tlw_actor_clip_seconds(&p->actors[0], p->clip) : CURL_SECONDS;
    p->frames = (uint32_t)(seconds * TLW_TAKE_HZ) + 1;
    p->frames = p->frames < FRAMES_MAX ? p->frames : FRAMES_MAX;
    for (uint32_t frame = 0; frame < p->frames; ++frame) {
        for (int k = 0; k < KINDS; ++k) {
            set_pose(p, p->motions[k], frame);
            if (frame == 0) {
                tlw_motion_settle(p->motions[k]);
            }
            tlw_motion_step(p->motions[k], frame == 0 ? 0.0 : 1.0 / TLW_TAKE_HZ);
            tlw_motion_read(p->motions[k]);
            p->crushed[k] += count_crushed(p->motions[k]);
        }
        compare_voxels(p);
        compare_frame(p, frame);
    }
    for (int k = 0; k < KINDS; ++k) {
        uint32_t held = 0;
        while (held < HOLD_FRAMES &&
               !(tlw_motion_step(p->motions[k], 1.0 / TLW_TAKE_HZ) & TLW_STEP_ASLEEP)) {
            held += 1;
        }
        p->asleep_seconds[k] = held / TLW_TAKE_HZ;
    }
}

// ---- The picture

// The frames in which muscles change most, at least an eighth of all frames apart.
static void choose_moments(pair* p, double seconds[SHOTS]) {
    uint32_t frames[SHOTS], count = 0;
    while (count < SHOTS) {
        uint32_t best = 0, at = count;
        double most = -1.0;
        for (uint32_t i = 0; i < p->frames; ++i) {
            bool is_apart = true;
            for (uint32_t k = 0; k < count; ++k) {
                const uint32_t gap = i > frames[k] ? i - frames[k] : frames[k] - i;
                is_apart = is_apart && gap >= p->frames / (2 * SHOTS);
            }
            if (is_apart && p->means[i] > most) {
                most = p->means[i];
                best = i;
            }
        }
        for (; at > 0 && frames[at - 1] > best; --at) {
            frames[at] = frames[at - 1];
        }
        frames[at] = best;
        count += 1;
    }
    for (uint32_t i = 0; i < SHOTS; ++i) {
        seconds[i] = frames[i] / TLW_TAKE_HZ;
    }
}

// What is drawn as deviation, and as the outline beside it, is what there is without muscles.
static void show_difference(tlw_take takes[KINDS]) {
    for (uint32_t i = 0; i < SHOTS; ++i) {
        const tlw_take_shot* without = &takes[0].shots[i];
        for (int k = 0; k < KINDS; ++k) {
            tlw_take_shot* shot = &takes[k].shots[i];
            const uint32_t count = takes[k].actor->info.vertex_count;
            for (size_t v = 0; v < count; ++v) {
                shot->deviation[v] =
                    (float)length_of(shot->positions + v * 3, without->positions + v * 3);
            }
            memcpy(shot->skinned, without->positions, (size_t)count * 3 * sizeof(float));
        }
    }
}

static bool play(tlw_figures* f, pair* p, tlw_take takes[KINDS]) {
    double seconds[SHOTS];
    choose_moments(p, seconds);
    for (int k = 0; k < KINDS; ++k) {
        tlw_take_def def = tlw_default_take_def(&p->actors[k]);
        def.clip = p->subject->clip;
        def.script.before = p->subject->clip ? NULL : curl;
        if (tlw_take_play(&takes[k], &def, seconds, SHOTS, &f->error) != TLW_SCENE_OK) {
            return false;
        }
    }
    show_difference(takes);
    return true;
}

static void name_pair(const pair* p, char text[TEXT]) {
    snprintf(text, TEXT, "%s %u", p->actors[0].name, p->subject->resolution);
}

// Looks at the vertex that muscles move most.
static tlw_render_camera look_at(const pair* p, const tlw_take_shot* shot) {
    tlw_render_camera camera = tlw_default_render_camera();
    size_t most = 0;
    for (size_t v = 0; v < p->vertices; ++v) {
        most = shot->deviation[v] > shot->deviation[most] ? v : most;
    }
    memcpy(camera.target, shot->skinned + most * 3, sizeof camera.target);
    camera.yaw_degrees = p->subject->yaw;
    camera.height = p->subject->height * (float)extent_of(p);
    return camera;
}

static bool draw_pair(const pair* p, tlw_take takes[KINDS], float hot, tlw_sheet* sheet,
                      uint32_t first) {
    char text[160], name[TEXT];
    name_pair(p, name);
    snprintf(text, sizeof text, "%s, %s, without muscles", name, p->subject->clip);
    tlw_sheet_row_label(sheet, first, text);
    snprintf(text, sizeof text, "with %u automatic muscles, bulge %.0f",
             p->actors[1].info.muscle_count, (double)BULGE);
    tlw_sheet_row_label(sheet, first + 1, text);
    bool is_good = true;
    for (uint32_t i = 0; i < SHOTS && is_good; ++i) {
        const tlw_render_camera camera = look_at(p, &takes[1].shots[i]);
        for (uint32_t k = 0; k < KINDS && is_good; ++k) {
            const tlw_draw_row row = {
                .take = &takes[k], .look = TLW_DRAW_TISSUE, .camera = &camera};
            is_good = tlw_draw_shot(&row, &takes[k].shots[i], &camera, hot * (float)extent_of(p),
                                    &sheet->picture, tlw_sheet_cell(sheet, i, first + k));
        }
        snprintf(text, sizeof text, "%.2f s", takes[1].shots[i].seconds);
        tlw_sheet_caption(sheet, i, first + 1, text);
    }
    return is_good;
}

static void draw_numbers(const pair* pairs, tlw_sheet* sheet) {
    static const char* const heads[2][COLUMNS] = {
        {"muscles", "skin is", "moved,", "voxels,", "in one", "limbs", "V < 0.1", "", "asleep,"},
        {"", "most", "mean", "most", "frame", "in one", "off", "on", "seconds"}};
    for (uint32_t row = 0; row < SUBJECTS + 2; ++row) {
        char texts[COLUMNS][TEXT], name[TEXT] = "";
        if (row >= 2) {
            const pair* p = &pairs[row - 2];
            name_pair(p, name);
            snprintf(texts[0], TEXT, "%u", p->actors[1].info.muscle_count);
            snprintf(texts[1], TEXT, "%.2f", 100.0 * p->largest);
            snprintf(texts[2], TEXT, "%.3f", 100.0 * p->mean);
            snprintf(texts[3], TEXT, "%.2f", 100.0 * p->voxels);
            snprintf(texts[4], TEXT, "%.2f", 100.0 * p->change);
            snprintf(texts[5], TEXT, "%.2f", 100.0 * p->moved);
            for (int k = 0; k < KINDS; ++k) {
                snprintf(texts[6 + k], TEXT, "%u", p->crushed[k]);
            }
            snprintf(texts[8], TEXT, "%.1f %.1f", p->asleep_seconds[0], p->asleep_seconds[1]);
        }
        tlw_sheet_note(sheet, row, name);
        for (uint32_t c = 0; c < COLUMNS; ++c) {
            tlw_sheet_note_at(sheet, row, c, COLUMNS, NAMES, row < 2 ? heads[row][c] : texts[c]);
        }
    }
    static const char* const notes[NOTES] = {
        "lengths: % of L; in one frame: how fast that changes, beside how fast limbs move",
        "V < 0.1: crushed voxels, summed over frames, muscles off, on; asleep: after a stop",
        "RiggedFigure curls; its mesh has no vertices where its muscles are thick",
        "no muscles where a segment would be below 0.25 voxel: knees of bunny and stout"};
    for (uint32_t i = 0; i < NOTES; ++i) {
        tlw_sheet_note(sheet, SUBJECTS + 2 + i, notes[i]);
    }
}

static bool draw(const tlw_figures* f, const pair* pairs, tlw_take takes[SHOWN][KINDS],
                 tlw_sheet* sheet) {
    const tlw_sheet_def def = {
        .columns = SHOTS,
        .rows = SHOWN * KINDS,
        .cell_width = f->cell_height * 312 / 180,
        .cell_height = f->cell_height * 150 / 180,
        .title = "Automatic muscles on real characters",
        .remark = "a Khronos sample model and one of ours; the line is the shape without muscles",
        .note_count = SUBJECTS + 2 + NOTES};
    float hot = 0.0f; // a share of L
    for (int i = 0; i < SHOWN; ++i) {
        hot = fmaxf(hot, tlw_take_farthest(&takes[i][1]) / (float)extent_of(&pairs[i]));
    }
    bool is_good = tlw_sheet_create(sheet, &def) == TLW_OK;
    for (uint32_t i = 0; i < SHOWN && is_good; ++i) {
        is_good = draw_pair(&pairs[i], takes[i], hot, sheet, i * KINDS);
    }
    if (is_good) {
        char text[96];
        draw_numbers(pairs, sheet);
        snprintf(text, sizeof text, "%.1f%% of L: how far muscles move the skin",
                 100.0 * (double)hot);
        tlw_sheet_heat_legend(sheet, tlw_draw_clay, "0", text);
    }
    return is_good;
}

tlw_exit_code tlw_figure_automatic(tlw_figures* f, tlw_output_file* file) {
    pair* pairs = calloc(SUBJECTS, sizeof *pairs);
    tlw_take takes[SHOWN][KINDS] = {{{0}}};
    tlw_sheet sheet = {0};
    bool is_good = pairs != NULL;
    f->error = (tlw_scene_error){TLW_SCENE_CANNOT_READ, "out of memory"};
    for (int i = 0; i < SUBJECTS && is_good; ++i) {
        is_good = open_pair(f, &subjects[i], &pairs[i]);
        if (is_good) {
            measure(&pairs[i]);
            is_good = i >= SHOWN || play(f, &pairs[i], takes[i]);
        }
    }
    tlw_exit_code code;
    if (is_good && draw(f, pairs, takes, &sheet)) {
        code = tlw_output_file_committed(f->command, file,
                                         tlw_picture_commit_small(&sheet.picture, &file->writer));
    } else {
        code = tlw_figures_fail(f);
    }
    tlw_sheet_free(&sheet);
    for (int i = 0; i < SUBJECTS; ++i) {
        for (int k = 0; k < KINDS && i < SHOWN; ++k) {
            tlw_take_free(&takes[i][k]);
        }
        if (pairs) {
            close_pair(&pairs[i]);
        }
    }
    free(pairs);
    return code;
}
