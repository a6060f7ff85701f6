// SPDX-License-Identifier: MIT
// Figure 11: a belly is picked by a ray, pulled outwards by a drag and let go (MODEL 3.17).
#include "tools/figures/touch.h"

#include <math.h>
#include <stdlib.h>

enum { SHOTS = 4, PULL_FRAMES = 45, HOLD_FRAMES = 120, AFTER_FRAMES = 75 };
enum { RELEASE = HOLD_FRAMES, FRAMES = RELEASE + AFTER_FRAMES };

#define PULL   0.1 // of L
#define RADIUS 0.25
#define HZ     10.0f

typedef struct pull {
    tlw_solids solids;
    tlw_pick pick;
    double extent;
    double way[FRAMES + 1], reached[FRAMES + 1]; // of the target and of the voxel, in L
} pull;

static const double forward[3] = {0.0, 0.0, 1.0};

// How far the target is from where the voxel was picked, in metres.
static double target_way(const pull* p, uint32_t frame) {
    const double share = frame < PULL_FRAMES ? frame / (double)PULL_FRAMES : 1.0;
    return frame < RELEASE ? PULL * p->extent * share * share * (3.0 - 2.0 * share) : 0.0;
}

static void before(tlw_motion* motion, uint32_t frame, void* user) {
    pull* p = user;
    p->solids.count = 0;
    if (frame == 0) {
        double origin[3];
        const float direction[3] = {0.0f, 0.0f, -1.0f};
        tlw_touch_front(motion->def.actor, origin);
        p->extent = motion->extent_voxels * motion->voxel_metres;
        origin[2] += p->extent;
        TLW_IGNORE(tlw_character_pick(motion->world, motion->id, origin, direction, &p->pick));
    }
    if (frame == RELEASE) {
        TLW_IGNORE(tlw_character_end_drag(motion->world, motion->id, 0));
    } else if (frame > 0 && frame < RELEASE) {
        tlw_drag drag = {.voxel = p->pick.voxel, .radius = (float)(RADIUS * p->extent), .hz = HZ};
        for (int axis = 0; axis < 3; ++axis) {
            drag.target[axis] = p->pick.position[axis] + target_way(p, frame) * forward[axis];
        }
        TLW_IGNORE(tlw_character_set_drag(motion->world, motion->id, 0, &drag));
    }
}

static void after(tlw_motion* motion, uint32_t frame, void* user) {
    pull* p = user;
    const double out = tlw_touch_deviation(motion, p->pick.voxel, forward);
    p->way[frame] = target_way(p, frame) / p->extent;
    p->reached[frame] = out / p->extent;
    if (frame > 0 && frame < RELEASE) { // the hand, and the string that it pulls by
        double from[3], to[3];
        for (int axis = 0; axis < 3; ++axis) {
            from[axis] = p->pick.position[axis] + out * forward[axis];
            to[axis] = p->pick.position[axis] + target_way(p, frame) * forward[axis];
        }
        tlw_solids_add_capsule(&p->solids, to, to, 0.022 * p->extent, tlw_touch_string);
        tlw_solids_add_capsule(&p->solids, from, to, 0.006 * p->extent, tlw_touch_string);
    }
}

static void note(tlw_figure_sheet* sheet, const pull* p) {
    double back = 0.0;
    uint32_t back_at = RELEASE, calm_at = RELEASE;
    const double pulled = p->reached[RELEASE - 1];
    for (uint32_t i = RELEASE; i <= FRAMES; ++i) {
        if (p->reached[i] < back) {
            back = p->reached[i];
            back_at = i;
        }
        calm_at = fabs(p->reached[i]) > 0.1 * pulled ? i + 1 : calm_at;
    }
    tlw_figure_note(
        sheet,
        "a pull of %.0f mm at %.0f Hz over a radius of %.0f mm reaches %.0f mm, %.0f%% of "
        "the way",
        TLW_MOTION_MM(PULL), (double)HZ, TLW_MOTION_MM(RADIUS), TLW_MOTION_MM(pulled),
        100.0 * pulled / p->way[RELEASE - 1]);
    tlw_figure_note(
        sheet,
        "let go, it swings %.0f mm to the other side after %.2f s, and less than a tenth "
        "is left after %.2f s",
        TLW_MOTION_MM(-back), (back_at - RELEASE + 1) / TLW_TAKE_HZ,
        (calm_at - RELEASE) / TLW_TAKE_HZ);
}

tlw_exit_code tlw_figure_pulled(tlw_figures* f, tlw_output_file* file) {
    static const double later[SHOTS] = {0.0, 0.0, 0.1, 0.5}; // seconds after it was let go
    const double let_go = (RELEASE - 1) / TLW_TAKE_HZ;
    double seconds[SHOTS] = {0.0, let_go};
    char texts[SHOTS][32] = {"before", "pulled"};
    const char* captions[SHOTS] = {texts[0], texts[1], texts[2], texts[3]};
    for (int i = 2; i < SHOTS; ++i) {
        seconds[i] = let_go + later[i];
        snprintf(texts[i], sizeof texts[i], "%.1f s later", later[i]);
    }
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_STOUT);
    pull* p = actor ? calloc(1, sizeof *p) : NULL;
    if (p == NULL) {
        return actor ? tlw_figures_fail_memory(f) : tlw_figures_fail(f);
    }
    tlw_figure_sheet sheet = {.title = "Figure 11: a belly that is pulled",
                              .remark = "stout at 32; picked by a ray, dragged, let go",
                              .columns = SHOTS,
                              .row_count = 1,
                              .cell_aspect = 1.24f,
                              .legend = TLW_LEGEND_DEVIATION,
                              .rows = {{.take = tlw_default_take_def(actor),
                                        .seconds = seconds,
                                        .look = TLW_DRAW_TISSUE,
                                        .captions = captions}},
                              .lines = {{.values = p->way,
                                         .count = FRAMES + 1,
                                         .stride = 1,
                                         .colour = tlw_plot_colour(2),
                                         .name = "target"},
                                        {.values = p->reached,
                                         .count = FRAMES + 1,
                                         .stride = 1,
                                         .colour = tlw_plot_colour(1),
                                         .name = "voxel"}},
                              .line_count = 2,
                              .line_seconds = 1.0 / TLW_TAKE_HZ,
                              .line_factor = TLW_MOTION_HEIGHT_MM,
                              .line_unit = "mm of a character of 1.7 m",
                              .line_label = "how far the picked voxel is pulled out"};
    tlw_take_def* def = &sheet.rows[0].take;
    double target[3];
    tlw_touch_front(actor, target);
    target[2] *= 0.7;
    const tlw_render_camera camera = tlw_touch_camera(actor, target, 0.7, 62.0f, 10.0f);
    sheet.rows[0].camera = &camera;
    def->motion.drag_capacity = 1;
    def->script = (tlw_take_script){before, after, p, &p->solids};
    const double last = FRAMES / TLW_TAKE_HZ;
    tlw_take whole;
    const bool is_played = tlw_take_play(&whole, def, &last, 1, &f->error) == TLW_SCENE_OK;
    tlw_take_free(&whole);
    tlw_exit_code code;
    if (is_played) {
        note(&sheet, p);
        code = tlw_figures_draw(f, &sheet, file);
    } else {
        code = tlw_figures_fail(f);
    }
    free(p);
    return code;
}
