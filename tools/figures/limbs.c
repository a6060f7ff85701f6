// SPDX-License-Identifier: MIT
// Figures 2 and 3 of Luo et al.: one limb moves another in a single system, and seams between
// domains before and after smoothing.
#include "tools/figures/embedding.h"

#include "tools/render/animation.h"

#include <math.h>
#include <stdlib.h>

// Where a joint is in the bind pose, metres.
static void place_of(const tlw_actor* actor, const char* name, double out[3]) {
    uint32_t joint = 0;
    tlw_joint_info info = {0};
    if (tlw_blob_find_joint(&actor->blob, name, &joint) == TLW_OK) {
        TLW_IGNORE(tlw_blob_get_joint(&actor->blob, joint, &info));
    }
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = info.bind[12 + axis];
    }
}

static tlw_render_camera look_at(const tlw_actor* actor, const double target[3], double height,
                                 float yaw) {
    tlw_render_camera camera = tlw_default_render_camera();
    camera.yaw_degrees = yaw;
    camera.pitch_degrees = 6.0f;
    camera.height = (float)(height * actor->info.extent_voxels * actor->info.voxel_metres);
    for (int axis = 0; axis < 3; ++axis) {
        camera.target[axis] = (float)target[axis];
    }
    return camera;
}

static tlw_exit_code commit(tlw_figures* f, tlw_sheet* sheet, tlw_output_file* file) {
    return tlw_output_file_committed(f->command, file,
                                     tlw_picture_commit_small(&sheet->picture, &file->writer));
}

// ---- Figure 2

#define HOT_SHARE 0.2 // of the limb's motion has the hottest colour

enum { SINGLE, DOMAINS, FIT, LIMB_COLUMNS };

static bool draw_limbs(tlw_figures* f, tlw_embedded* e, tlw_sheet* sheet) {
    static const char* const names[LIMB_COLUMNS] = {"a single system", "domains", "fit 0.25"};
    tlw_surface_limb leg = {0};
    bool is_good = tlw_surface_limb_open(&e->surface, e->motion, "leg_l", &leg);
    if (is_good) {
        tlw_surface_limb_move(&leg, e->motion);
    }
    double target[3], knee[3];
    place_of(&e->actor, "shin_l", knee);
    place_of(&e->actor, "shin_r", target);
    for (int axis = 0; axis < 3; ++axis) {
        target[axis] = 0.5 * (target[axis] + knee[axis]);
    }
    const tlw_render_camera camera = look_at(&e->actor, target, 0.44, -8.0f);
    const double whole =
        TLW_SURFACE_LIMB_SHIFT * e->actor.info.extent_voxels * e->actor.info.voxel_metres;
    for (uint32_t k = 0; k < LIMB_COLUMNS && is_good; ++k) {
        is_good =
            k == SINGLE
                ? tlw_surface_embed_single(&e->surface, e->motion)
                : tlw_embedded_show(
                      f, e,
                      &tlw_embedded_names[k == DOMAINS ? TLW_EMBEDDED_RBF : TLW_EMBEDDED_FIT].look);
        is_good = is_good && tlw_surface_geometric_normals(&e->surface, e->surface.positions,
                                                           e->surface.normals);
        if (is_good) {
            char text[96];
            snprintf(text, sizeof text, "%s: %.1f%%", names[k],
                     100.0 * tlw_surface_limb_leak(&e->surface, &leg, e->surface.deltas));
            tlw_sheet_caption(sheet, k, 0, text);
            is_good = tlw_embedded_draw(e, &camera, (float)(HOT_SHARE * whole), sheet, k, 0);
        }
    }
    tlw_surface_limb_close(&leg);
    return is_good;
}

tlw_exit_code tlw_figure_limbs(tlw_figures* f, tlw_output_file* file) {
    const tlw_sheet_def def = {.columns = LIMB_COLUMNS,
                               .rows = 1,
                               .cell_width = f->cell_height * 298 / 180,
                               .cell_height = f->cell_height * 3 / 2,
                               .title = "Luo et al., Figure 2: one limb moves the other",
                               .remark = "thin, legs close together; the left one moves by 0.05 L",
                               .note_count = 1};
    tlw_sheet sheet = {0};
    tlw_embedded e = {0};
    tlw_exit_code code;
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        code = tlw_figures_fail_memory(f);
    } else if (!tlw_embedded_make_legs(f, 32, &e) || !draw_limbs(f, &e, &sheet)) {
        code = tlw_figures_fail(f);
    } else {
        tlw_sheet_note(&sheet, 0,
                       "percent: most of its motion that reaches vertices more than 8 edges away");
        tlw_sheet_heat_legend(&sheet, tlw_draw_clay, "0", "20% of the leg's motion and more");
        code = commit(f, &sheet, file);
    }
    tlw_sheet_free(&sheet);
    tlw_embedded_free(&e);
    return code;
}

// ---- Figure 3

// A limb turns about an axis, the more the farther along it.
typedef struct turn {
    double origin[3], axis[3], along[3]; // shares of L; unit vectors
    double angle, width;                 // radians; the turn happens within this distance of origin
} turn;

static void turn_field(const double rest[3], void* user, double out[3]) {
    const turn* t = user;
    double from[3], along = 0.0, lengthwise = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        from[axis] = rest[axis] - t->origin[axis];
        along += from[axis] * t->along[axis];
        lengthwise += from[axis] * t->axis[axis];
    }
    const double share = fmin(fmax(0.5 + 0.5 * along / t->width, 0.0), 1.0);
    const double angle = t->angle * share * share * (3.0 - 2.0 * share);
    const double* a = t->axis;
    const double cross[3] = {a[1] * from[2] - a[2] * from[1], a[2] * from[0] - a[0] * from[2],
                             a[0] * from[1] - a[1] * from[0]};
    for (int axis = 0; axis < 3; ++axis) { // Rodrigues
        out[axis] =
            (cos(angle) - 1.0) * (from[axis] - a[axis] * lengthwise) + sin(angle) * cross[axis];
    }
}

typedef struct bend {
    const char *limb, *joint; // from the first on the mesh follows; turned at the second
    bool is_twist;
    double degrees;
    float yaw;
    const char* label;
} bend;

static const bend bends[] = {
    {"arm_l", "forearm_l", true, 80.0, 0.0f, "an elbow twists by 80 degrees"},
    {"leg_l", "shin_l", false, 50.0, 75.0f, "a knee bends by 50 degrees"}};

static turn make_turn(const tlw_actor* actor, const bend* b) {
    const tlw_blob_info* info = &actor->info;
    turn t = {.angle = b->degrees * 3.14159265358979323846 / 180.0, .width = 0.035};
    double from[3], at[3], length = 0.0;
    place_of(actor, b->limb, from);
    place_of(actor, b->joint, at);
    for (int axis = 0; axis < 3; ++axis) {
        t.along[axis] = at[axis] - from[axis];
        length += t.along[axis] * t.along[axis];
        t.origin[axis] = (at[axis] - info->origin[axis]) / info->voxel_metres / info->extent_voxels;
    }
    for (int axis = 0; axis < 3; ++axis) {
        t.along[axis] /= sqrt(length);
        t.axis[axis] = b->is_twist ? t.along[axis] : axis == 0 ? 1.0 : 0.0;
    }
    return t;
}

// The crease of seams of the limb alone; those elsewhere do not move.
static double limb_crease(const tlw_surface* s, const tlw_surface_limb* limb) {
    tlw_surface of_limb = *s;
    of_limb.edges = malloc(((size_t)s->edge_count + 1) * sizeof *of_limb.edges);
    of_limb.edge_count = 0;
    for (uint32_t e = 0; of_limb.edges && e < s->edge_count; ++e) {
        if (limb->edges_to[s->edges[e].ends[0]] == 0 && limb->edges_to[s->edges[e].ends[1]] == 0) {
            of_limb.edges[of_limb.edge_count++] = s->edges[e];
        }
    }
    const double crease = tlw_surface_crease(&of_limb, TLW_SURFACE_SEAM_EDGES);
    free(of_limb.edges);
    return crease;
}

static bool draw_bend(tlw_figures* f, tlw_embedded* e, const bend* b, const char* name,
                      const tlw_surface_look* look, tlw_sheet* sheet, uint32_t column,
                      uint32_t row) {
    tlw_surface_limb limb = {0};
    turn t = make_turn(&e->actor, b);
    double target[3];
    place_of(&e->actor, b->joint, target);
    const tlw_render_camera camera = look_at(&e->actor, target, 0.2, b->yaw);
    bool is_good = tlw_surface_limb_open(&e->surface, e->motion, b->limb, &limb);
    if (is_good) {
        tlw_surface_impose(e->motion, turn_field, &t, limb.is_moved);
        is_good = tlw_embedded_show_geometric(f, e, look);
    }
    if (is_good) {
        char text[64];
        snprintf(text, sizeof text, "%s: %.1f", name, limb_crease(&e->surface, &limb));
        tlw_sheet_caption(sheet, column, row, text);
        is_good = tlw_embedded_draw(e, &camera, 0.0f, sheet, column, row);
    }
    tlw_surface_limb_close(&limb);
    return is_good;
}

enum { SEAM_COLUMNS = 3 };

static bool draw_seams(tlw_figures* f, tlw_sheet* sheet) {
    static const char* const names[SEAM_COLUMNS] = {"no passes", "5 passes", "fit 0.25"};
    bool is_good = true;
    for (uint32_t k = 0; k < SEAM_COLUMNS && is_good; ++k) {
        tlw_cook_recipe recipe = tlw_embedded_recipe(48);
        recipe.seam_passes = k == 0 ? 0 : 5;
        tlw_embedded e;
        is_good = tlw_embedded_make(f, "thin", &recipe, &e);
        const int look = k == 2 ? TLW_EMBEDDED_FIT : TLW_EMBEDDED_RBF;
        for (uint32_t r = 0; r < TLW_COUNT_OF(bends) && is_good; ++r) {
            tlw_sheet_row_label(sheet, r, bends[r].label);
            is_good =
                draw_bend(f, &e, &bends[r], names[k], &tlw_embedded_names[look].look, sheet, k, r);
        }
        tlw_embedded_free(&e);
    }
    return is_good;
}

tlw_exit_code tlw_figure_seams(tlw_figures* f, tlw_output_file* file) {
    const tlw_sheet_def def = {.columns = SEAM_COLUMNS,
                               .rows = TLW_COUNT_OF(bends),
                               .cell_width = f->cell_height * 298 / 180,
                               .cell_height = f->cell_height,
                               .title = "Luo et al., Figure 3: seams between domains",
                               .remark = "rbf on the thin sample at 48, before and after smoothing",
                               .note_count = 1};
    tlw_sheet sheet = {0};
    tlw_exit_code code;
    if (tlw_sheet_create(&sheet, &def) != TLW_OK) {
        code = tlw_figures_fail_memory(f);
    } else if (!draw_seams(f, &sheet)) {
        code = tlw_figures_fail(f);
    } else {
        tlw_sheet_note(&sheet, 0,
                       "degrees: rms change of the angles at the limb's seam edges against rest");
        code = commit(f, &sheet, file);
    }
    tlw_sheet_free(&sheet);
    return code;
}
