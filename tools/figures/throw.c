// SPDX-License-Identifier: MIT
// A ball that is thrown at a belly. The tissue gives way to the ball (MODEL 3.15), and the ball,
// which is the game's own, is pushed back by what the contacts report.
#include "tools/figures/touch.h"

#include <math.h>
#include <stdlib.h>

enum { SHOTS = 4, FRAMES = 100 };

// The ball, in L and seconds: how fast it comes, and the acceleration per depth that throws it
// back.
#define SPEED   2.6
#define RADIUS  0.085
#define START   0.35
#define SPRING  900.0
#define GRAVITY 2.5

typedef struct ball {
    tlw_solids solids;
    tlw_collider_id collider;
    double position[3], velocity[3], extent;
    uint32_t voxel;               // of the belly, where it will hit
    double deviation[FRAMES + 1]; // of that voxel to the back, in L
    double depth[FRAMES + 1];     // of the contact, in L
    double speed;                 // at which they met, L per second
} ball;

static void begin(tlw_motion* motion, ball* b) {
    const float direction[3] = {0.0f, 0.0f, -1.0f};
    tlw_collider_def def = tlw_default_collider_def();
    tlw_collider_pose pose = tlw_default_collider_pose();
    tlw_pick pick = {0};
    b->extent = motion->extent_voxels * motion->voxel_metres;
    b->velocity[0] = b->speed = 0.0;
    tlw_touch_front(motion->def.actor, b->position);
    b->position[2] += START * b->extent;
    TLW_IGNORE(tlw_character_pick(motion->world, motion->id, b->position, direction, &pick));
    b->voxel = pick.voxel;
    b->velocity[2] = -SPEED * b->extent;
    // High enough to come down to the belly's height when it meets it.
    b->velocity[1] = GRAVITY * b->extent * (START - RADIUS) / SPEED * 0.5;
    def.radii[0] = def.radii[1] = (float)(RADIUS * b->extent);
    for (int axis = 0; axis < 3; ++axis) {
        pose.position[axis] = b->position[axis];
    }
    TLW_IGNORE(tlw_collider_create(motion->world, &def, &pose, &b->collider));
}

static void before(tlw_motion* motion, uint32_t frame, void* user) {
    ball* b = user;
    if (frame == 0) {
        begin(motion, b);
        return;
    }
    tlw_contact contact = {0};
    uint32_t count = 0;
    TLW_IGNORE(tlw_character_get_contacts(motion->world, motion->id, &contact, 1, &count));
    tlw_collider_pose pose = tlw_default_collider_pose();
    for (int axis = 0; axis < 3; ++axis) {
        const double push = count ? -(double)contact.normal[axis] * (double)contact.depth : 0.0;
        b->velocity[axis] += SPRING * push / TLW_TAKE_HZ;
        b->velocity[axis] -= (axis == 1 ? GRAVITY * b->extent : 0.0) / TLW_TAKE_HZ;
        b->position[axis] += b->velocity[axis] / TLW_TAKE_HZ;
        pose.position[axis] = b->position[axis];
    }
    TLW_IGNORE(tlw_collider_set_pose(motion->world, b->collider, &pose));
}

static void after(tlw_motion* motion, uint32_t frame, void* user) {
    static const double back[3] = {0.0, 0.0, -1.0};
    ball* b = user;
    tlw_contact contact = {0};
    uint32_t count = 0;
    TLW_IGNORE(tlw_character_get_contacts(motion->world, motion->id, &contact, 1, &count));
    b->deviation[frame] = tlw_touch_deviation(motion, b->voxel, back) / b->extent;
    b->depth[frame] = count ? (double)contact.depth / b->extent : 0.0;
    if (count && b->speed == 0.0) {
        b->speed = (double)contact.speed / b->extent;
    }
    b->solids.count = 0;
    tlw_solids_add_collider(&b->solids, motion->world, b->collider, tlw_touch_steel);
}

// The first frame in which it touches, that in which it is deepest, and the last one.
typedef struct hit {
    uint32_t first, deepest, last;
    uint32_t swing; // in which the belly is farthest out afterwards
} hit;

static hit find_hit(const ball* b) {
    hit h = {.first = FRAMES};
    for (uint32_t i = 0; i <= FRAMES; ++i) {
        h.first = b->depth[i] > 0.0 && h.first == FRAMES ? i : h.first;
        h.last = b->depth[i] > 0.0 ? i : h.last;
        h.deepest = b->depth[i] > b->depth[h.deepest] ? i : h.deepest;
    }
    h.swing = h.last;
    for (uint32_t i = h.last; i <= FRAMES; ++i) {
        h.swing = b->deviation[i] < b->deviation[h.swing] ? i : h.swing;
    }
    return h;
}

static void note(tlw_figure_sheet* sheet, const ball* b, const hit* h) {
    uint32_t calm = h->last;
    for (uint32_t i = h->last; i <= FRAMES; ++i) {
        calm = fabs(b->deviation[i]) > 0.1 * b->depth[h->deepest] ? i + 1 : calm;
    }
    tlw_figure_note(
        sheet, "it comes at %.1f m/s, sinks in by %.0f mm, and leaves after %.2f s at %.1f m/s",
        TLW_MOTION_MM(b->speed) * 1e-3, TLW_MOTION_MM(b->depth[h->deepest]),
        (h->last - h->first + 1) / TLW_TAKE_HZ, TLW_MOTION_MM(b->velocity[2] / b->extent) * 1e-3);
    tlw_figure_note(sheet,
                    "the belly swings out by %.0f mm behind it; less than a tenth is left after "
                    "%.2f s",
                    TLW_MOTION_MM(-b->deviation[h->swing]), (calm - h->last) / TLW_TAKE_HZ);
}

tlw_exit_code tlw_figure_thrown(tlw_figures* f, tlw_output_file* file) {
    const tlw_actor* actor = tlw_figures_actor(f, TLW_CAST_STOUT);
    ball* b = actor ? calloc(1, sizeof *b) : NULL;
    if (b == NULL) {
        return actor ? tlw_figures_fail_memory(f) : tlw_figures_fail(f);
    }
    tlw_figure_sheet sheet = {.title = "Contact: a ball is thrown at a belly",
                              .remark =
                                  "stout at 32; the ball is thrown back by what contacts report",
                              .columns = SHOTS,
                              .row_count = 1,
                              .cell_aspect = 1.24f,
                              .legend = TLW_LEGEND_DEVIATION,
                              .lines = {{.values = b->deviation,
                                         .count = FRAMES + 1,
                                         .stride = 1,
                                         .colour = tlw_plot_colour(1),
                                         .name = "belly"}},
                              .line_count = 1,
                              .line_seconds = 1.0 / TLW_TAKE_HZ,
                              .line_factor = TLW_MOTION_HEIGHT_MM,
                              .line_unit = "mm of a character of 1.7 m",
                              .line_label = "how far the belly is pushed in where the ball hits"};
    double target[3], seconds[SHOTS] = {0.0};
    tlw_touch_front(actor, target);
    target[2] *= 1.15;
    const tlw_render_camera camera = tlw_touch_camera(actor, target, 0.75, 66.0f, 8.0f);
    tlw_figure_row* row = &sheet.rows[0];
    *row = (tlw_figure_row){.take = tlw_default_take_def(actor),
                            .seconds = seconds,
                            .look = TLW_DRAW_TISSUE,
                            .camera = &camera};
    row->take.motion.collider_capacity = 1;
    row->take.motion.contact_capacity = 1;
    row->take.script = (tlw_take_script){before, after, b, &b->solids};
    const double last = FRAMES / TLW_TAKE_HZ;
    tlw_take whole;
    const bool is_played = tlw_take_play(&whole, &row->take, &last, 1, &f->error) == TLW_SCENE_OK;
    tlw_take_free(&whole);
    tlw_exit_code code = is_played ? TLW_EXIT_OK : tlw_figures_fail(f);
    if (is_played) {
        const hit h = find_hit(b);
        const uint32_t frames[SHOTS] = {h.first - 2, h.deepest, h.last + 1, h.swing};
        char texts[SHOTS][32];
        const char* captions[SHOTS];
        for (int i = 0; i < SHOTS; ++i) {
            seconds[i] = frames[i] / TLW_TAKE_HZ;
            snprintf(texts[i], sizeof texts[i], "%.2f s", seconds[i]);
            captions[i] = texts[i];
        }
        row->captions = captions;
        note(&sheet, b, &h);
        code = tlw_figures_draw(f, &sheet, file);
    }
    free(b);
    return code;
}
