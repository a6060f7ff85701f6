// SPDX-License-Identifier: MIT
// A capsule that is pressed into a belly, and a character that sits down on a box (MODEL 3.15).
#include "tools/figures/touch.h"
#include "tools/motion/bent.h"

#include <math.h>
#include <stdlib.h>

enum { SHOTS = 4, MOMENTS, CAPTION = 48, MOVE_FRAMES = 60, HOLD_FRAMES = 120, LATER_FRAMES = 60 };
enum { GONE = MOVE_FRAMES + HOLD_FRAMES, FRAMES = GONE + LATER_FRAMES };

// When a figure's moments are: it touches, it is half way, it is held until nothing moves, a frame
// after it has gone; and, for the numbers only, a second after that.
static const double seconds[MOMENTS] = {0.0, 0.5, (GONE - 1) / TLW_TAKE_HZ, GONE / TLW_TAKE_HZ,
                                        FRAMES / TLW_TAKE_HZ};

// Which share of the whole depth is pressed in a frame.
static double share_at(uint32_t frame) {
    return frame < MOVE_FRAMES ? frame / (double)MOVE_FRAMES : frame < GONE ? 1.0 : 0.0;
}

typedef struct press {
    tlw_solids solids;
    tlw_collider_id collider;
    tlw_collider_pose start; // where it just touches
    double depth;            // metres
} press;

// ---- Numbers, and captions that hold them

typedef struct press_texts {
    char texts[MOMENTS][CAPTION];
    const char* captions[MOMENTS];
    double inside[MOMENTS];    // deepest vertex, metres
    double deviation[MOMENTS]; // of the vertex that is farthest off, metres
} press_texts;

static double mm_of(const tlw_actor* actor, double metres) {
    return TLW_MOTION_MM(tlw_touch_share(actor, metres));
}

// "5.2 mm inside", or outside.
static const char* depth_text(const tlw_actor* actor, double depth, char text[CAPTION]) {
    snprintf(text, CAPTION, "%.1f mm %s", mm_of(actor, fabs(depth)),
             depth < 0.0 ? "outside" : "inside");
    return text;
}

static bool measure(tlw_figures* f, const tlw_take_def* def, const char* verb, double depth,
                    press_texts* out) {
    tlw_take take;
    const bool is_played = tlw_take_play(&take, def, seconds, MOMENTS, &f->error) == TLW_SCENE_OK;
    for (uint32_t i = 0; i < MOMENTS && is_played; ++i) {
        const double way = depth * share_at((uint32_t)(seconds[i] * TLW_TAKE_HZ + 0.5));
        const tlw_take_shot* shot = &take.shots[i];
        out->inside[i] = tlw_touch_deepest(&take, i);
        out->deviation[i] = 0.0;
        for (uint32_t v = 0; v < take.actor->info.vertex_count; ++v) {
            out->deviation[i] = fmax(out->deviation[i], (double)shot->deviation[v]);
        }
        if (i < SHOTS - 1) {
            snprintf(out->texts[i], sizeof out->texts[i], "%s %.0f mm", verb,
                     mm_of(take.actor, way));
        } else {
            snprintf(out->texts[i], sizeof out->texts[i], "gone for %.3f s",
                     seconds[i] - seconds[SHOTS - 2]);
        }
        out->captions[i] = out->texts[i];
    }
    tlw_take_free(&take);
    return is_played;
}

// ---- A capsule in the belly

#define CAPSULE_RADIUS 2.5 // voxels, as are all of these
#define CAPSULE_HALF   5.0
#define PRESS_DEPTH    3.0

static void press_before(tlw_motion* motion, uint32_t frame, void* user) {
    press* p = user;
    const double voxel = motion->voxel_metres;
    if (frame == 0) {
        tlw_collider_def def = tlw_default_collider_def();
        def.radii[0] = def.radii[1] = (float)(CAPSULE_RADIUS * voxel);
        def.ends[0][0] = (float)(-CAPSULE_HALF * voxel);
        def.ends[1][0] = (float)(CAPSULE_HALF * voxel);
        p->start = tlw_default_collider_pose();
        tlw_touch_front(motion->def.actor, p->start.position);
        p->start.position[0] = 0.0;
        p->start.position[2] += CAPSULE_RADIUS * voxel;
        p->depth = PRESS_DEPTH * voxel;
        TLW_IGNORE(tlw_collider_create(motion->world, &def, &p->start, &p->collider));
    }
    if (frame == GONE) {
        TLW_IGNORE(tlw_collider_destroy(motion->world, p->collider));
    } else if (frame < GONE) {
        tlw_collider_pose pose = p->start;
        pose.position[2] -= p->depth * share_at(frame);
        TLW_IGNORE(tlw_collider_set_pose(motion->world, p->collider, &pose));
    }
    p->solids.count = 0;
    tlw_solids_add_collider(&p->solids, motion->world, p->collider, tlw_touch_steel);
}

// A sheet of two rows that show one scene from two sides, with captions below the second.
static tlw_figure_sheet two_sides(const tlw_actor* actor, const char* title, const char* remark,
                                  const tlw_render_camera cameras[2],
                                  void (*before)(tlw_motion*, uint32_t, void*), press* p,
                                  const press_texts* texts) {
    tlw_figure_sheet sheet = {.title = title,
                              .remark = remark,
                              .columns = SHOTS,
                              .row_count = 2,
                              .cell_aspect = 1.24f,
                              .legend = TLW_LEGEND_DEVIATION};
    for (uint32_t r = 0; r < 2; ++r) {
        sheet.rows[r] = (tlw_figure_row){.take = tlw_default_take_def(actor),
                                         .seconds = seconds,
                                         .look = TLW_DRAW_TISSUE,
                                         .group = r,
                                         .camera = &cameras[r]};
        sheet.rows[r].take.motion.collider_capacity = 1;
        sheet.rows[r].take.script = (tlw_take_script){before, NULL, p, &p->solids};
    }
    sheet.rows[1].captions = texts->captions;
    return sheet;
}

tlw_exit_code tlw_figure_pressed(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_STOUT);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    press p = {.depth = PRESS_DEPTH * tlw_touch_voxel(actor)};
    press_texts texts = {.captions = {NULL}};
    double target[3];
    tlw_touch_front(actor, target);
    target[2] *= 0.75;
    const tlw_render_camera cameras[2] = {tlw_touch_camera(actor, target, 0.55, 90.0f, 4.0f),
                                          tlw_touch_camera(actor, target, 0.55, 38.0f, 24.0f)};
    tlw_figure_sheet sheet =
        two_sides(actor, "Contact: a capsule in a belly", "stout at 32, from two sides", cameras,
                  press_before, &p, &texts);
    if (!measure(f, &sheet.rows[0].take, "pressed", p.depth, &texts)) {
        return tlw_figures_fail(f);
    }
    char depth[CAPTION];
    tlw_figure_note(
        &sheet,
        "held: the deepest vertex is %s; a voxel is %.0f mm. A second after it has gone, "
        "the belly is within %.1f mm of its place",
        depth_text(actor, texts.inside[SHOTS - 2], depth), mm_of(actor, tlw_touch_voxel(actor)),
        mm_of(actor, texts.deviation[SHOTS]));
    return tlw_figures_draw(f, &sheet, file);
}

// ---- Sitting

#define SEAT_DEPTH 3.0 // voxels
#define SEAT_STEP  0.05

static const tlw_bent_joint squat[] = {{"leg_l", 78.0, {0, 0, 1}},
                                       {"leg_r", 78.0, {0, 0, 1}},
                                       {"shin_l", 84.0, {0, 0, -1}},
                                       {"shin_r", 84.0, {0, 0, -1}}};

// Puts a box under the character that just touches it: it goes up until they overlap.
static void put_seat(tlw_motion* motion, press* p) {
    const double voxel = motion->voxel_metres;
    tlw_collider_def def = tlw_default_collider_def();
    def.kind = TLW_COLLIDER_BOX;
    def.rounding = (float)(2.0 * voxel);
    def.half_extents[0] = (float)(6.5 * voxel);
    def.half_extents[1] = (float)(1.5 * voxel);
    def.half_extents[2] = (float)(4.0 * voxel);
    p->start = tlw_default_collider_pose();
    p->start.position[1] = -8.0 * voxel;
    p->start.position[2] = -6.5 * voxel;
    tlw_overlap overlap = {0};
    while (overlap.voxel_count == 0 && p->start.position[1] < motion->extent_voxels * voxel) {
        p->start.position[1] += SEAT_STEP * voxel;
        TLW_IGNORE(tlw_character_overlap(motion->world, motion->id, &def, &p->start, &overlap));
    }
    p->start.position[1] -= SEAT_STEP * voxel;
    TLW_IGNORE(tlw_collider_create(motion->world, &def, &p->start, &p->collider));
}

static void sit_before(tlw_motion* motion, uint32_t frame, void* user) {
    press* p = user;
    tlw_bent_set(motion, squat, (uint32_t)TLW_COUNT_OF(squat), 1.0);
    if (frame == 0) {
        tlw_motion_settle(motion);
        tlw_motion_step(motion, 0.0);
        put_seat(motion, p);
    }
    if (frame == GONE) {
        TLW_IGNORE(tlw_collider_destroy(motion->world, p->collider));
    }
    motion->root.position[1] = -p->depth * (frame < GONE ? share_at(frame) : 1.0);
    p->solids.count = 0;
    tlw_solids_add_collider(&p->solids, motion->world, p->collider, tlw_touch_steel);
}

tlw_exit_code tlw_figure_seated(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_STOUT);
    if (actor == NULL) {
        return tlw_figures_fail(f);
    }
    press p = {.depth = SEAT_DEPTH * tlw_touch_voxel(actor)};
    press_texts texts = {.captions = {NULL}};
    double target[3];
    tlw_touch_front(actor, target);
    target[1] *= 0.8;
    target[2] = 0.0;
    const tlw_render_camera cameras[2] = {tlw_touch_camera(actor, target, 0.8, 90.0f, 3.0f),
                                          tlw_touch_camera(actor, target, 0.8, 145.0f, 8.0f)};
    tlw_figure_sheet sheet =
        two_sides(actor, "Contact: sitting down", "stout at 32 in a squat, lowered onto a box",
                  cameras, sit_before, &p, &texts);
    if (!measure(f, &sheet.rows[0].take, "lowered", p.depth, &texts)) {
        return tlw_figures_fail(f);
    }
    char depth[CAPTION];
    tlw_figure_note(&sheet, "seated: the deepest vertex is %s; a voxel is %.0f mm",
                    depth_text(actor, texts.inside[SHOTS - 2], depth),
                    mm_of(actor, tlw_touch_voxel(actor)));
    return tlw_figures_draw(f, &sheet, file);
}
