// SPDX-License-Identifier: MIT
// Figure 5 of Aubel and Thalmann 2000: a breast of about 900 voxels of 1 cm comes under gravity, as
// Lame layers (MODEL 3.20) and by shape matching; the same breast with its gravity in the scan
// (MODEL 3.17); and the table of what that costs beside the paper's own numbers.
#include "tools/figures/fat.h"

#include "platform/clock.h"
#include "tools/figures/touch.h"
#include "tools/motion/breast.h"
#include "tools/render/animation.h"

#include <math.h>
#include <stdlib.h>

enum { SHOTS = 4, FRAMES = 120, TURN = 60, PLOTS = 2, CAPTION = 64 };

#define G     9.81
#define MM    1000.0
#define CLOSE 0.05 // of the sag: within this the breast counts as at rest

static const double down[3] = {0, -1, 0}, up[3] = {0, 1, 0}, outwards[3] = {0, 0, 1};

// ---- A fall: what gravity does to one breast

typedef struct trial_def {
    bool is_lame;
    // The shape was modelled under gravity, which turns round at frame TURN. Otherwise gravity
    // begins with frame 1.
    bool is_scanned;
    const double* way;
} trial_def;

typedef struct trial {
    trial_def def;
    tlw_actor actor;
    tlw_take_def take;
    tlw_solids solids; // an arrow along gravity
    uint32_t soft;
    double sag[FRAMES + 1];    // along `way`, mean over the soft voxels, metres
    double volume[FRAMES + 1]; // mean of V - 1 over them
    double still;              // the largest deviation before TURN, metres
} trial;

// An arrow in front of the breast: a shaft, and a capsule that ends in a point.
static void point_arrow(const tlw_motion* motion, const double* way, tlw_solids* solids) {
    const double voxel = motion->voxel_metres;
    double tail[3] = {0.0, 0.0, 12.0 * voxel}, neck[3], tip[3];
    for (int axis = 0; axis < 3; ++axis) {
        tail[axis] -= 3.0 * voxel * way[axis];
        neck[axis] = tail[axis] + 4.0 * voxel * way[axis];
        tip[axis] = tail[axis] + 6.0 * voxel * way[axis];
    }
    tlw_solids_add_capsule(solids, tail, neck, 0.22 * voxel, tlw_touch_string);
    tlw_solid* head = tlw_solids_add_capsule(solids, neck, tip, 0.6 * voxel, tlw_touch_string);
    if (head) {
        head->shape.radii[1] = (float)(0.06 * voxel);
    }
}

static void pull(tlw_motion* motion, uint32_t frame, void* user) {
    trial* fall = user;
    const double* way = fall->def.way;
    if (fall->def.is_scanned && frame < TURN) {
        way = down;
    }
    const bool has_gravity = fall->def.is_scanned || frame > 0;
    tlw_settings settings;
    fall->solids.count = 0;
    if (has_gravity && tlw_character_get_settings(motion->world, motion->id, &settings) == TLW_OK) {
        for (int axis = 0; axis < 3; ++axis) {
            settings.gravity[axis] = (float)(G * way[axis]);
        }
        TLW_IGNORE(tlw_character_set_settings(motion->world, motion->id, &settings));
        point_arrow(motion, way, &fall->solids);
    }
}

static void measure(tlw_motion* motion, uint32_t frame, void* user) {
    trial* fall = user;
    double sag = 0.0, volume = 0.0;
    tlw_motion_read(motion);
    fall->soft = 0;
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        if (motion->layers[v] == 0 || motion->joints[v] != TLW_BREAST_JOINT) {
            continue;
        }
        fall->soft += 1;
        volume += tlw_motion_voxel_volume(motion, v, false) - 1.0;
        for (int axis = 0; axis < 3; ++axis) {
            sag += fall->def.way[axis] * ((double)motion->voxels[v].position[axis] -
                                          (double)motion->voxels[v].skinned[axis]);
        }
    }
    fall->sag[frame] = sag / fall->soft * motion->voxel_metres;
    fall->volume[frame] = volume / fall->soft;
    if (frame < TURN) {
        fall->still =
            fmax(fall->still, tlw_motion_largest_deviation(motion) * motion->voxel_metres);
    }
}

// Cooks the breast. Free it in either case.
static bool make_fall(tlw_figures* f, const trial_def* def, trial* out) {
    tlw_breast breast;
    *out = (trial){.def = *def};
    if (!tlw_breast_make(&breast, def->is_lame)) {
        tlw_breast_free(&breast);
        f->error = (tlw_scene_error){TLW_SCENE_CANNOT_READ, "out of memory for a breast"};
        return false;
    }
    breast.recipe.rest_gravity[1] = def->is_scanned ? (float)-G : 0.0f;
    const tlw_scene_code code =
        tlw_actor_cook_input(&out->actor, "breast", &breast.input, &breast.recipe, &f->error);
    tlw_breast_free(&breast);
    out->take = tlw_default_take_def(&out->actor);
    out->take.motion.has_limit = false;
    out->take.script = (tlw_take_script){pull, measure, out, &out->solids};
    return code == TLW_SCENE_OK;
}

// Seconds after which the sag stays within CLOSE of where it ends, from a frame on.
static double rest_seconds(const trial* fall, uint32_t from) {
    const double end = fall->sag[FRAMES];
    uint32_t at = from;
    for (uint32_t i = from; i <= FRAMES; ++i) {
        at = fabs(fall->sag[i] - end) > CLOSE * fabs(end) ? i + 1 : at;
    }
    return (at - from) / TLW_TAKE_HZ;
}

static uint32_t lowest_frame(const trial* fall, uint32_t from) {
    uint32_t lowest = from;
    for (uint32_t i = from; i <= FRAMES; ++i) {
        lowest = fall->sag[i] > fall->sag[lowest] ? i : lowest;
    }
    return lowest;
}

static double worst_volume(const trial* fall) {
    double worst = 0.0;
    for (uint32_t i = 0; i <= FRAMES; ++i) {
        worst = fmax(worst, fabs(fall->volume[i]));
    }
    return worst;
}

// ---- The picture

enum { LAME, MATCHING, SCANNED, SHOWN, LAME_OUT = SHOWN, MATCHING_OUT, FALLS };

static const trial_def falls[FALLS] = {[LAME] = {true, false, down},
                                       [MATCHING] = {false, false, down},
                                       [SCANNED] = {true, true, up},
                                       [LAME_OUT] = {true, false, outwards},
                                       [MATCHING_OUT] = {false, false, outwards}};

typedef struct rows {
    trial falls[FALLS];
    tlw_take takes[SHOWN];
    char texts[SHOWN][SHOTS][CAPTION];
    const char* captions[SHOWN][SHOTS];
} rows;

// The moments that a row shows: before gravity, on the way, lowest, at rest. The fall was played.
static void choose_moments(rows* r, uint32_t row, double seconds[SHOTS]) {
    const trial* fall = &r->falls[row];
    const uint32_t from = row == SCANNED ? TURN - 1 : 0, lowest = lowest_frame(fall, from);
    const uint32_t frames[SHOTS] = {row == SCANNED ? 0 : from, row == SCANNED ? from : lowest / 2,
                                    lowest, FRAMES};
    for (uint32_t i = 0; i < SHOTS; ++i) {
        char* text = r->texts[row][i];
        const double mm = MM * fall->sag[frames[i]];
        seconds[i] = frames[i] / TLW_TAKE_HZ;
        r->captions[row][i] = text;
        if (frames[i] <= from && row == SCANNED && i > 0) {
            snprintf(text, CAPTION, "1 s later: %.3f mm", MM * fall->still);
        } else if (frames[i] <= from) {
            snprintf(text, CAPTION, "%s", row == SCANNED ? "as scanned" : "before gravity");
        } else if (i + 1 == SHOTS) {
            snprintf(text, CAPTION, "at rest: %.1f mm", mm);
        } else {
            snprintf(text, CAPTION, "%.2f s: %.1f mm", (frames[i] - from) / TLW_TAKE_HZ, mm);
        }
    }
}

static bool play(tlw_figures* f, rows* r) {
    static const double last = FRAMES / TLW_TAKE_HZ;
    bool is_good = true;
    for (uint32_t i = 0; i < FALLS && is_good; ++i) {
        tlw_take whole = {0};
        is_good = make_fall(f, &falls[i], &r->falls[i]) &&
                  tlw_take_play(&whole, &r->falls[i].take, &last, 1, &f->error) == TLW_SCENE_OK;
        tlw_take_free(&whole);
        if (is_good && i < SHOWN) {
            double seconds[SHOTS];
            choose_moments(r, i, seconds);
            is_good = tlw_take_play(&r->takes[i], &r->falls[i].take, seconds, SHOTS, &f->error) ==
                      TLW_SCENE_OK;
        }
    }
    return is_good;
}

// Two plots in one row of the sheet: how far it sags, and what becomes of its volume.
static void draw_plots(rows* r, tlw_sheet* sheet) {
    static const char* const names[PLOTS][2] = {{"Lame: sag", "shape matching"},
                                                {"Lame: volume", "shape matching"}};
    static const char* const units[PLOTS] = {"mm", "%"};
    static const double factors[PLOTS] = {MM, 100.0};
    for (uint32_t p = 0; p < PLOTS; ++p) {
        tlw_plot_line lines[2];
        for (uint32_t i = 0; i < 2; ++i) {
            const trial* fall = &r->falls[i == 0 ? LAME : MATCHING];
            lines[i] = (tlw_plot_line){.values = p == 0 ? fall->sag : fall->volume,
                                       .count = FRAMES + 1,
                                       .stride = 1,
                                       .colour = tlw_plot_colour(i),
                                       .name = names[p][i]};
        }
        tlw_render_area area = tlw_sheet_cell(sheet, p * SHOTS / PLOTS, SHOWN);
        const tlw_render_area end = tlw_sheet_cell(sheet, (p + 1) * SHOTS / PLOTS - 1, SHOWN);
        area.width = end.x + end.width - area.x;
        tlw_plot_draw(&sheet->picture, area, lines, 2, 1.0 / TLW_TAKE_HZ, factors[p], units[p]);
    }
    tlw_sheet_row_label(sheet, SHOWN, "mean sag, and change of the volume, over 2 s");
}

static void draw_notes(const rows* r, float hot, tlw_sheet* sheet) {
    const trial *lame = &r->falls[LAME], *matching = &r->falls[MATCHING],
                *scanned = &r->falls[SCANNED];
    char text[160];
    snprintf(text, sizeof text,
             "Lame: within 5%% of rest after %.2f s; volume %+.2f%%, at most %.2f%%",
             rest_seconds(lame, 0), 100.0 * lame->volume[FRAMES], 100.0 * worst_volume(lame));
    tlw_sheet_note(sheet, 0, text);
    snprintf(text, sizeof text,
             "shape matching hangs on the anchor: %.1f times the sag, volume %+.1f%%",
             matching->sag[FRAMES] / lame->sag[FRAMES], 100.0 * matching->volume[FRAMES]);
    tlw_sheet_note(sheet, 1, text);
    snprintf(text, sizeof text, "gravity outwards: volume %+.1f%% (Lame), %+.1f%% (shape matching)",
             100.0 * r->falls[LAME_OUT].volume[FRAMES],
             100.0 * r->falls[MATCHING_OUT].volume[FRAMES]);
    tlw_sheet_note(sheet, 2, text);
    snprintf(text, sizeof text,
             "gravity in the scan: moves %.3f mm as scanned, %.2f times the sag upside down",
             MM * scanned->still, scanned->sag[FRAMES] / lame->sag[FRAMES]);
    tlw_sheet_note(sheet, 3, text);
    snprintf(text, sizeof text, "%.0f mm off where it is modelled; the line is the model",
             MM * (double)hot);
    tlw_sheet_heat_legend(sheet, tlw_draw_clay, "0", text);
}

static bool draw(const tlw_figures* f, rows* r, tlw_sheet* sheet) {
    static const char* const labels[SHOWN] = {
        [LAME] = "Lame layers: mu 1 kPa, lambda 200 kPa, 950 kg/m^3",
        [MATCHING] = "the same breast by shape matching, default fat and skin",
        [SCANNED] = "Lame layers, gravity in the scan; then gravity is turned upwards"};
    enum { NOTES = 4 };
    char remark[128];
    snprintf(remark, sizeof remark,
             "%u soft voxels of 1 cm, %.0f substeps per second, no limits; captions: mean sag",
             r->falls[LAME].soft, TLW_TAKE_HZ);
    const tlw_sheet_def def = {.columns = SHOTS,
                               .rows = SHOWN + 1,
                               .cell_width = f->cell_height * 224 / 180,
                               .cell_height = f->cell_height,
                               .title = "Aubel 2000, Figure 5: a breast under gravity",
                               .remark = remark,
                               .note_count = NOTES};
    const double target[3] = {0.0, -1.0 * TLW_BREAST_VOXEL_METRES, 4.5 * TLW_BREAST_VOXEL_METRES};
    const tlw_render_camera camera = tlw_touch_camera(&r->falls[LAME].actor, target, 1.35, 78, 6);
    tlw_draw_row drawn[SHOWN];
    float hot = 0.0f; // metres
    for (uint32_t i = 0; i < SHOWN; ++i) {
        drawn[i] = (tlw_draw_row){.take = &r->takes[i],
                                  .look = TLW_DRAW_TISSUE,
                                  .label = labels[i],
                                  .captions = r->captions[i],
                                  .camera = &camera};
        hot = i == MATCHING ? hot : fmaxf(hot, tlw_take_farthest(&r->takes[i]));
    }
    if (tlw_sheet_create(sheet, &def) != TLW_OK ||
        !tlw_draw_rows(drawn, SHOWN, 0, hot / (float)r->takes[LAME].extent_metres, sheet, 0)) {
        return false;
    }
    draw_plots(r, sheet);
    draw_notes(r, hot, sheet);
    return true;
}

tlw_exit_code tlw_figure_fat(tlw_figures* f, tlw_output_file* file) {
    rows* r = calloc(1, sizeof *r);
    if (r == NULL) {
        return tlw_figures_fail_memory(f);
    }
    tlw_sheet sheet = {0};
    tlw_exit_code code;
    if (!play(f, r)) {
        code = tlw_figures_fail(f);
    } else if (!draw(f, r, &sheet)) {
        code = tlw_figures_fail_memory(f);
    } else {
        code = tlw_output_file_committed(f->command, file,
                                         tlw_picture_commit_small(&sheet.picture, &file->writer));
    }
    tlw_sheet_free(&sheet);
    for (uint32_t i = 0; i < FALLS; ++i) {
        tlw_actor_free(&r->falls[i].actor);
        if (i < SHOWN) {
            tlw_take_free(&r->takes[i]);
        }
    }
    free(r);
    return code;
}

// ---- The table

enum { REPEATS = 9, TIMED = 60 }; // the first second, in which nothing falls asleep

// Numbers of section 5.3: one second of animation took about thirty seconds, with steps of at most
// 0.01 s, on an Octane with an R10000.
#define PAPER_VOXELS   904
#define PAPER_ANCHORED 254
#define PAPER_SECONDS  30.0
#define PAPER_COOK     12.0
#define PAPER_HZ       100.0
#define PAPER_REST     1.0

typedef struct cost {
    double cook_seconds, second; // of computing: the cooking, and a second of animation
} cost;

static bool time_fall(tlw_figures* f, trial* fall, cost* out) {
    tlw_motion* motion;
    if (tlw_motion_open(&fall->take.motion, &motion, &f->error) != TLW_SCENE_OK) {
        return false;
    }
    out->second = INFINITY;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        tlw_motion_reset(motion);
        pull(motion, 1, fall);
        tlw_motion_step(motion, 0.0);
        const uint64_t start = tlw_clock_ns();
        for (int i = 0; i < TIMED; ++i) {
            tlw_motion_step(motion, 1.0 / TLW_TAKE_HZ);
        }
        out->second = fmin(out->second, (double)(tlw_clock_ns() - start) * 1e-9);
    }
    tlw_motion_close(motion);
    return true;
}

static void print_costs(const trial* all, const cost* costs) {
    const double rest[2] = {rest_seconds(&all[LAME], 0), rest_seconds(&all[MATCHING], 0)};
    printf("A breast of 1 cm voxels under gravity, one thread; a second of animation is the least "
           "of %d.\n\n"
           "| | Aubel and Thalmann 2000, Octane, R10000 | ours, Lame layers | ours, shape matching "
           "|\n| --- | --- | --- | --- |\n",
           REPEATS);
    printf("| soft voxels | %d (%d anchored) | %u | %u |\n", PAPER_VOXELS, PAPER_ANCHORED,
           all[LAME].soft, all[MATCHING].soft);
    printf("| preparing, s | %.0f | %.2f | %.2f |\n", PAPER_COOK, costs[LAME].cook_seconds,
           costs[MATCHING].cook_seconds);
    printf("| steps per second of animation | %.0f or more | %.0f | %.0f |\n", PAPER_HZ,
           TLW_TAKE_HZ, TLW_TAKE_HZ);
    printf("| at rest after, s of animation | %.0f | %.2f | %.2f |\n", PAPER_REST, rest[LAME],
           rest[MATCHING]);
    printf("| computing until then | %.0f s | %.2f ms | %.2f ms |\n", PAPER_SECONDS * PAPER_REST,
           1e3 * costs[LAME].second * rest[LAME], 1e3 * costs[MATCHING].second * rest[MATCHING]);
    printf("| voxels times seconds of animation, per second of computing | %.0f | %.0f | %.0f |\n",
           PAPER_VOXELS / PAPER_SECONDS, all[LAME].soft / costs[LAME].second,
           all[MATCHING].soft / costs[MATCHING].second);
    printf("| voxels times steps, per second of computing | %.0f at steps of 0.01 s | %.0f | %.0f "
           "|\n",
           PAPER_VOXELS * PAPER_HZ / PAPER_SECONDS,
           all[LAME].soft * TLW_TAKE_HZ / costs[LAME].second,
           all[MATCHING].soft * TLW_TAKE_HZ / costs[MATCHING].second);
    printf("| mean sag, mm | | %.1f | %.1f |\n", MM * all[LAME].sag[FRAMES],
           MM * all[MATCHING].sag[FRAMES]);
    printf("| volume | | %+.2f%% | %+.2f%% |\n", 100.0 * all[LAME].volume[FRAMES],
           100.0 * all[MATCHING].volume[FRAMES]);
}

tlw_exit_code tlw_figures_print_fat(tlw_figures* f) {
    static const double last = FRAMES / TLW_TAKE_HZ;
    enum { KINDS = 2 };
    TLW_STATIC_ASSERT((int)LAME < (int)KINDS && (int)MATCHING < (int)KINDS, "both are timed");
    trial* all = calloc(KINDS, sizeof *all);
    cost costs[KINDS] = {{0}};
    if (all == NULL) {
        return tlw_figures_fail_memory(f);
    }
    bool is_good = true;
    for (int i = 0; i < KINDS && is_good; ++i) {
        tlw_take take = {0};
        const uint64_t start = tlw_clock_ns();
        is_good = make_fall(f, &falls[i], &all[i]);
        costs[i].cook_seconds = (double)(tlw_clock_ns() - start) * 1e-9;
        is_good = is_good &&
                  tlw_take_play(&take, &all[i].take, &last, 1, &f->error) == TLW_SCENE_OK &&
                  time_fall(f, &all[i], &costs[i]);
        tlw_take_free(&take);
    }
    if (is_good) {
        print_costs(all, costs);
    }
    for (int i = 0; i < KINDS; ++i) {
        tlw_actor_free(&all[i].actor);
    }
    free(all);
    return is_good ? tlw_output_flush(f->command) : tlw_figures_fail(f);
}
