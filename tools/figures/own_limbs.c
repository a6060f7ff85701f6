// SPDX-License-Identifier: MIT
// An arm that is turned into the trunk, with own limbs off and on (MODEL 3.16). Reads which limb
// may touch which voxel from the blob.
#include "tools/figures/touch.h"
#include "tools/motion/bent.h"

#include <math.h>
#include <string.h>

enum { ANGLES = 4, ROWS = 2, TURN_FRAMES = 40, HOLD_FRAMES = 80, CAPTION = 48 };
enum { STAGE_FRAMES = TURN_FRAMES + HOLD_FRAMES };

static const double degrees[ANGLES] = {40.0, 50.0, 60.0, 70.0};

typedef struct folded {
    tlw_solids solids;
    bool is_on;
    double inside[ANGLES]; // deepest voxel in a limb that may touch it, at the end of each stage,
                           // metres
    char texts[ANGLES][CAPTION];
    const char* captions[ANGLES];
} folded;

// Arms turn from one angle to the next, and wait there until tissue is still.
static double degrees_at(uint32_t frame) {
    const uint32_t stage = frame / STAGE_FRAMES, within = frame % STAGE_FRAMES;
    if (stage >= ANGLES) {
        return degrees[ANGLES - 1];
    }
    const double from = stage ? degrees[stage - 1] : 0.0;
    const double share = within < TURN_FRAMES ? within / (double)TURN_FRAMES : 1.0;
    return from + (degrees[stage] - from) * share;
}

// How deep a voxel is inside the limbs that may touch it; a voxel counts as a ball of a quarter.
static double deepest(tlw_motion* motion) {
    uint64_t count;
    const tlw_actor* actor = motion->def.actor;
    const tlw_blob_slot_limbs* limbs =
        tlw_blob_find(actor->blob_memory, TLW_SECTION_SLOT_LIMBS, &count);
    const uint32_t* slots = tlw_blob_find(actor->blob_memory, TLW_SECTION_VOXEL_SLOT, &count);
    double most = -INFINITY;
    tlw_motion_read(motion);
    for (uint32_t l = 0; l < actor->info.limb_count; ++l) {
        tlw_limb limb = {0};
        tlw_solids one = {0};
        TLW_IGNORE(tlw_character_get_limb(motion->world, motion->id, l, &limb));
        tlw_solids_add_limb(&one, &limb, tlw_touch_string);
        for (uint32_t v = 0; v < motion->voxel_count; ++v) {
            if (limbs[slots[v]].touches >> l & 1) {
                double at[3];
                for (int axis = 0; axis < 3; ++axis) {
                    at[axis] = (double)motion->voxels[v].position[axis] * motion->voxel_metres;
                }
                most = fmax(most, tlw_solid_depth(&one.list[0], at) + 0.25 * motion->voxel_metres);
            }
        }
    }
    return most;
}

static void before(tlw_motion* motion, uint32_t frame, void* user) {
    const folded* g = user;
    const double angle = degrees_at(frame);
    const tlw_bent_joint arms[] = {{"arm_l", angle, {0, -1, 0}}, {"arm_r", angle, {0, -1, 0}}};
    tlw_settings settings;
    if (frame == 0 && tlw_character_get_settings(motion->world, motion->id, &settings) == TLW_OK) {
        settings.own_limbs = g->is_on;
        TLW_IGNORE(tlw_character_set_settings(motion->world, motion->id, &settings));
    }
    tlw_bent_set(motion, arms, (uint32_t)TLW_COUNT_OF(arms), 1.0);
}

static void after(tlw_motion* motion, uint32_t frame, void* user) {
    folded* g = user;
    g->solids.count = 0;
    for (uint32_t l = 0; l < motion->def.actor->info.limb_count; ++l) {
        tlw_limb limb;
        if (tlw_character_get_limb(motion->world, motion->id, l, &limb) == TLW_OK &&
            strstr(tlw_blob_joint_name(&motion->def.actor->blob, limb.joint), "arm_l")) {
            tlw_solids_add_limb(&g->solids, &limb, tlw_touch_string)->is_line = true;
        }
    }
    if ((frame + 1) % STAGE_FRAMES == 0) {
        g->inside[frame / STAGE_FRAMES] = deepest(motion);
    }
}

static bool measure(tlw_figures* f, const tlw_take_def* def, folded* g) {
    const double last = (ANGLES * STAGE_FRAMES - 1) / TLW_TAKE_HZ;
    tlw_take take;
    const bool is_played = tlw_take_play(&take, def, &last, 1, &f->error) == TLW_SCENE_OK;
    for (int i = 0; i < ANGLES && is_played; ++i) {
        const double share = tlw_touch_share(take.actor, g->inside[i]);
        snprintf(g->texts[i], CAPTION, "%.0f deg: %.1f mm", degrees[i],
                 TLW_MOTION_MM(fmax(share, 0.0)));
        g->captions[i] = g->texts[i];
    }
    tlw_take_free(&take);
    return is_played;
}

static tlw_exit_code draw(tlw_figures* f, const tlw_actor* actor, tlw_output_file* file) {
    folded g[ROWS] = {{.is_on = false}, {.is_on = true}};
    double target[3], seconds[ANGLES];
    tlw_touch_front(actor, target);
    target[2] = 0.0;
    const tlw_render_camera camera = tlw_touch_camera(actor, target, 0.62, 58.0f, 10.0f);
    tlw_figure_sheet sheet = {.title = "Contact: an arm turned into the trunk",
                              .remark = "stout at 32; lines: the capsules of the arm's limbs",
                              .columns = ANGLES,
                              .row_count = ROWS,
                              .cell_aspect = 1.24f,
                              .legend = TLW_LEGEND_DEVIATION};
    for (uint32_t i = 0; i < ANGLES; ++i) {
        seconds[i] = ((i + 1) * STAGE_FRAMES - 1) / TLW_TAKE_HZ;
    }
    for (uint32_t r = 0; r < ROWS; ++r) {
        tlw_figure_row* row = &sheet.rows[r];
        *row = (tlw_figure_row){.take = tlw_default_take_def(actor),
                                .seconds = seconds,
                                .look = TLW_DRAW_TISSUE,
                                .label = r ? "own limbs on" : "own limbs off",
                                .camera = &camera,
                                .captions = g[r].captions};
        row->take.script = (tlw_take_script){before, after, &g[r], &g[r].solids};
        if (!measure(f, &row->take, &g[r])) {
            return tlw_figures_fail(f);
        }
    }
    tlw_figure_note(&sheet,
                    "mm: how deep the deepest voxel is inside a limb that may touch it; a voxel is "
                    "%.0f mm",
                    TLW_MOTION_MM(tlw_touch_share(actor, tlw_touch_voxel(actor))));
    return tlw_figures_draw(f, &sheet, file);
}

tlw_exit_code tlw_figure_folded(tlw_figures* f, tlw_output_file* file) {
    tlw_actor actor;
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 32;
    recipe.has_limbs = true;
    const tlw_exit_code code = tlw_actor_make(&actor, "stout", &recipe, &f->error) == TLW_SCENE_OK
                                   ? draw(f, &actor, file)
                                   : tlw_figures_fail(f);
    tlw_actor_free(&actor);
    return code;
}
