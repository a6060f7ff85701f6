// SPDX-License-Identifier: MIT
// What was cooked, in one picture for `tallow-cook --picture`: the body cut open from the front and
// from the side, in the colours of its layers, and whole from the front and from behind, in the
// colours of its parts; below, a legend with counts. Firm parts are blue, the recipe's parts have
// other colours, the rest of the character is grey.
#include "tools/inspect/inspect.h"

#include "runtime/asset.h"
#include "tools/render/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define PANELS      4u
#define MARGIN      28
#define HEAD        88 // title and remark
#define CAPTION     34
#define ROW         26 // of the legend
#define LEGEND_ROWS 12
#define WIDTH_MIN   1100u
#define PANEL_AREA  230000.0f // pixels
#define SIDE_MIN    200.0f
#define SIDE_MAX    760.0f
#define FACES_MAX   4000000u // of all meshes of a panel; a picture of more shows nothing more
#define EDGE_MIN    4.0f     // pixels of a voxel from which on cubes are told apart by an edge
#define FACE        0.44f    // half of the bright part of a face, in voxels
#define RAISED      0.505f   // how far that is from the centre, so that it covers the dark part

typedef enum look { LOOK_LAYERS, LOOK_PARTS } look;

typedef struct panel {
    look look;
    int cut_axis; // takes away the voxels beyond `cut` along it; -1: none
    float yaw_degrees;
    const char* caption;
} panel;

static const panel panels[PANELS] = {{LOOK_LAYERS, 2, 20.0f, "cut open, from the front"},
                                     {LOOK_LAYERS, 0, 68.0f, "cut open, from the side"},
                                     {LOOK_PARTS, -1, 28.0f, "parts, from the front"},
                                     {LOOK_PARTS, -1, 208.0f, "parts, from behind"}};

static const tlw_rgb ink = {0.88f, 0.90f, 0.94f}, faint_ink = {0.60f, 0.65f, 0.73f};

// The cubes of one colour: faces that are seen, dark, and on them a smaller bright one.
typedef struct cubes {
    float* positions;
    uint32_t* indices;
    uint32_t vertex_count, index_count;
} cubes;

typedef struct drawing {
    const tlw_inspect* in;
    tlw_picture picture;
    int32_t cut[3]; // last cell that stays along each axis
    uint32_t panel_width, panel_height;
    float voxel_pixels;
} drawing;

// Colours
// ------------------------------------------------------------------------------------------------

static bool is_firm(const tlw_blob_part* part) {
    return part->kind == TLW_PART_FIRM_RECIPE || part->kind == TLW_PART_FIRM_NAME ||
           part->kind == TLW_PART_FIRM_SHAPE;
}

static tlw_rgb part_colour(const tlw_inspect* in, uint32_t part) {
    static const tlw_rgb firm[] = {{0.30f, 0.52f, 0.90f}, {0.22f, 0.70f, 0.86f},
                                   {0.44f, 0.40f, 0.84f}, {0.55f, 0.72f, 0.96f},
                                   {0.16f, 0.42f, 0.66f}, {0.38f, 0.82f, 0.88f}};
    static const tlw_rgb own[] = {{0.93f, 0.58f, 0.20f}, {0.48f, 0.74f, 0.30f},
                                  {0.86f, 0.34f, 0.44f}, {0.90f, 0.80f, 0.28f},
                                  {0.72f, 0.42f, 0.74f}, {0.62f, 0.46f, 0.30f}};
    const bool is_blue = is_firm(&in->parts[part]);
    uint32_t before = 0; // parts of the same sort
    for (uint32_t p = 1; p < part; ++p) {
        before += is_firm(&in->parts[p]) == is_blue;
    }
    return part == 0 ? (tlw_rgb){0.74f, 0.72f, 0.70f}
           : is_blue ? firm[before % TLW_COUNT_OF(firm)]
                     : own[before % TLW_COUNT_OF(own)];
}

static uint32_t group_count(const tlw_inspect* in, look what) {
    return what == LOOK_LAYERS ? in->lattice->layer_count : in->lattice->part_count;
}

static uint32_t group_of(const tlw_inspect* in, look what, uint32_t voxel) {
    return what == LOOK_LAYERS ? tlw_inspect_layer(in, voxel)
                               : tlw_inspect_material_part(in, voxel);
}

static tlw_rgb group_colour(const tlw_inspect* in, look what, uint32_t group) {
    return what == LOOK_LAYERS ? tlw_layer_colour(group, in->lattice->layer_count)
                               : part_colour(in, group);
}

// Cubes
// ------------------------------------------------------------------------------------------------

// Where most bone is cut open, so that the layers around it are seen.
static int32_t best_cut(const tlw_inspect* in, int axis) {
    const uint32_t size = in->lattice->size[axis];
    uint32_t* counts = calloc(size, sizeof *counts);
    int32_t best = (int32_t)size / 2;
    for (uint32_t v = 0; counts && v < in->lattice->voxel_count; ++v) {
        const tlw_blob_cell* c = &in->voxel_cell[v];
        const int32_t at = axis == 0 ? c->x : axis == 1 ? c->y : c->z;
        counts[at] += tlw_inspect_layer(in, v) == 0;
    }
    for (uint32_t i = 0; counts && i < size; ++i) {
        best = counts[i] > counts[best] ? (int32_t)i : best;
    }
    free(counts);
    return best;
}

static bool is_shown(const drawing* d, const panel* p, const int32_t cell[3]) {
    return (p->cut_axis < 0 || cell[p->cut_axis] <= d->cut[p->cut_axis]) &&
           tlw_inspect_voxel_at(d->in, cell[0], cell[1], cell[2]) != TLW_BLOB_NO_INDEX;
}

// A square of half the given width, `out` voxels from the centre of a cell towards a side.
static void add_square(cubes* to, const tlw_blob_lattice* l, const int32_t cell[3], int axis,
                       int side, float half, float out) {
    static const float corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const uint32_t triangles[2][6] = {{0, 2, 1, 0, 3, 2}, {0, 1, 2, 0, 2, 3}};
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int k = 0; k < 6; ++k) {
        to->indices[to->index_count++] = to->vertex_count + triangles[side > 0][k];
    }
    for (int k = 0; k < 4; ++k) {
        float at[3];
        at[axis] = (float)side * out;
        at[u] = corners[k][0] * half;
        at[v] = corners[k][1] * half;
        for (int i = 0; i < 3; ++i) {
            to->positions[(size_t)to->vertex_count * 3 + (size_t)i] =
                (float)(((double)cell[i] + 0.5 + (double)at[i]) * l->voxel_metres);
        }
        to->vertex_count += 1;
    }
}

static void get_cell(const tlw_inspect* in, uint32_t voxel, int32_t cell[3]) {
    const tlw_blob_cell* c = &in->voxel_cell[voxel];
    cell[0] = c->x;
    cell[1] = c->y;
    cell[2] = c->z;
}

// Whether the face of a voxel towards a neighbouring cell is seen.
static bool is_open(const drawing* d, const panel* p, const int32_t cell[3], int axis, int side) {
    int32_t next[3] = {cell[0], cell[1], cell[2]};
    next[axis] += side;
    return !is_shown(d, p, next);
}

static void count_faces(const drawing* d, const panel* p, uint32_t* faces) {
    for (uint32_t v = 0; v < d->in->lattice->voxel_count; ++v) {
        int32_t cell[3];
        get_cell(d->in, v, cell);
        for (int f = 0; f < 6 && is_shown(d, p, cell); ++f) {
            faces[group_of(d->in, p->look, v)] += is_open(d, p, cell, f / 2, f % 2 ? 1 : -1);
        }
    }
}

static void add_faces(const drawing* d, const panel* p, cubes* dark, cubes* bright) {
    for (uint32_t v = 0; v < d->in->lattice->voxel_count; ++v) {
        const uint32_t group = group_of(d->in, p->look, v);
        int32_t cell[3];
        get_cell(d->in, v, cell);
        for (int f = 0; f < 6 && is_shown(d, p, cell); ++f) {
            const int side = f % 2 ? 1 : -1;
            if (is_open(d, p, cell, f / 2, side)) {
                add_square(&dark[group], d->in->lattice, cell, f / 2, side, 0.5f, 0.5f);
                if (bright) {
                    add_square(&bright[group], d->in->lattice, cell, f / 2, side, FACE, RAISED);
                }
            }
        }
    }
}

static bool make_cubes(cubes* out, uint32_t faces) {
    out->positions = malloc(((size_t)faces * 12 + 1) * sizeof *out->positions);
    out->indices = malloc(((size_t)faces * 6 + 1) * sizeof *out->indices);
    return out->positions && out->indices;
}

// Panels
// ------------------------------------------------------------------------------------------------

static tlw_render_camera camera_of(const drawing* d, const panel* p, float aspect) {
    const tlw_blob_lattice* l = d->in->lattice;
    tlw_render_camera camera = tlw_default_render_camera();
    float corners[8][3];
    camera.yaw_degrees = p->yaw_degrees;
    camera.pitch_degrees = 12.0f;
    camera.field_degrees = 0.0f;
    camera.has_ground = true;
    for (int i = 0; i < 8; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            const double end = (i >> axis & 1) ? l->size[axis] : 0.0;
            corners[i][axis] = (float)(end * l->voxel_metres);
        }
    }
    tlw_render_fit(&camera, corners[0], 8, aspect);
    camera.height *= 1.04f;
    return camera;
}

static float aspect_of(const tlw_inspect* in) {
    const tlw_blob_lattice* l = in->lattice;
    const float across = (float)(l->size[0] + l->size[2]) * 0.75f, up = (float)l->size[1];
    const float aspect = across / (up + 0.25f * across);
    return aspect < 0.4f ? 0.4f : aspect > 2.2f ? 2.2f : aspect;
}

static tlw_inspect_drawn draw_panel(drawing* d, uint32_t index) {
    const panel* p = &panels[index];
    const uint32_t groups = group_count(d->in, p->look);
    const bool has_edges = d->voxel_pixels >= EDGE_MIN;
    uint32_t* faces = calloc(groups, sizeof *faces);
    cubes* sets = calloc((size_t)groups * 2, sizeof *sets);
    tlw_render_mesh* meshes = calloc((size_t)groups * 2, sizeof *meshes);
    tlw_inspect_drawn drawn = faces && sets && meshes ? TLW_DRAWN : TLW_DRAWN_NO_MEMORY;
    uint64_t all = 0;
    if (drawn == TLW_DRAWN) {
        count_faces(d, p, faces);
    }
    for (uint32_t g = 0; g < groups && drawn == TLW_DRAWN; ++g) {
        all += faces[g];
        drawn = all > FACES_MAX ? TLW_DRAWN_TOO_LARGE
                : make_cubes(&sets[g], faces[g]) &&
                        make_cubes(&sets[groups + g], has_edges ? faces[g] : 0)
                    ? TLW_DRAWN
                    : TLW_DRAWN_NO_MEMORY;
    }
    if (drawn == TLW_DRAWN) {
        add_faces(d, p, sets, has_edges ? sets + groups : NULL);
        for (uint32_t i = 0; i < groups * 2; ++i) {
            const tlw_rgb c = group_colour(d->in, p->look, i % groups);
            const float share = i < groups && has_edges ? 0.62f : 1.0f;
            meshes[i] = (tlw_render_mesh){.vertex_count = sets[i].vertex_count,
                                          .index_count = sets[i].index_count,
                                          .positions = sets[i].positions,
                                          .indices = sets[i].indices,
                                          .colour = {c.r * share, c.g * share, c.b * share}};
        }
        const uint32_t left = MARGIN + index * (d->panel_width + MARGIN);
        const tlw_render_area area = {left, HEAD, d->panel_width, d->panel_height};
        const tlw_render_camera camera =
            camera_of(d, p, (float)d->panel_width / (float)d->panel_height);
        drawn = tlw_render_draw_all(&d->picture, area, &camera, meshes, groups * 2)
                    ? TLW_DRAWN
                    : TLW_DRAWN_NO_MEMORY;
        const int32_t middle = (int32_t)(left + d->panel_width / 2);
        tlw_picture_label(&d->picture, middle - tlw_picture_label_width(2, p->caption) / 2,
                          (int32_t)(HEAD + d->panel_height) + 8, 2, p->caption, faint_ink);
    }
    for (uint32_t i = 0; sets && i < groups * 2; ++i) {
        free(sets[i].positions);
        free(sets[i].indices);
    }
    free(sets);
    free(faces);
    free(meshes);
    return drawn;
}

// Legend
// ------------------------------------------------------------------------------------------------

static void draw_entry(drawing* d, int32_t x, int32_t y, tlw_rgb colour, const char* text) {
    tlw_picture_fill(&d->picture, x, y, 15, 15, colour, 1.0f);
    tlw_picture_label(&d->picture, x + 24, y + 1, 2, text, ink);
}

static double share_of(const tlw_inspect* in, uint32_t voxels) {
    return 100.0 * voxels / in->lattice->voxel_count;
}

static uint32_t legend_rows(const tlw_inspect* in) {
    const uint32_t layers = in->lattice->layer_count;
    const uint32_t parts = (in->lattice->part_count + 1) / 2;
    const uint32_t rows = layers > parts ? layers : parts;
    return rows < LEGEND_ROWS ? rows : LEGEND_ROWS;
}

static void draw_legend(drawing* d) {
    const tlw_inspect* in = d->in;
    const uint32_t rows = legend_rows(in), parts = in->lattice->part_count;
    const uint32_t shown = parts <= 2 * rows ? parts : 2 * rows - 1;
    const int32_t top = (int32_t)(HEAD + d->panel_height) + CAPTION + 8;
    const int32_t column = ((int32_t)d->picture.width - 2 * MARGIN) / 3;
    char text[128];
    for (uint32_t i = 0; i < in->lattice->layer_count; ++i) {
        snprintf(text, sizeof text, "%.20s: %" PRIu32 " voxels, %.0f%%",
                 in->strings + in->layers[i].name, in->layers[i].voxel_count,
                 share_of(in, in->layers[i].voxel_count));
        draw_entry(d, MARGIN, top + (int32_t)i * ROW, tlw_layer_colour(i, in->lattice->layer_count),
                   text);
    }
    for (uint32_t i = 0; i < shown; ++i) {
        const tlw_blob_part* part = &in->parts[i];
        if (i == 0) {
            snprintf(text, sizeof text, "the rest: %" PRIu32 " voxels", part->voxel_count);
        } else {
            snprintf(text, sizeof text, "%.20s: %s, %" PRIu32 " voxels",
                     in->strings + in->joints[part->joint].name,
                     tlw_part_kind_text((tlw_part_kind)part->kind), part->voxel_count);
        }
        draw_entry(d, MARGIN + column * (int32_t)(1 + i / rows), top + (int32_t)(i % rows) * ROW,
                   part_colour(in, i), text);
    }
    if (shown < parts) {
        snprintf(text, sizeof text, "and %" PRIu32 " more parts", parts - shown);
        tlw_picture_label(&d->picture, MARGIN + column * 2 + 24,
                          top + (int32_t)(rows - 1) * ROW + 1, 2, text, faint_ink);
    }
}

tlw_inspect_drawn tlw_inspect_cooked(const tlw_inspect* in, const char* title, const char* remark,
                                     tlw_inspect_write* write, void* user) {
    drawing d = {.in = in};
    const float aspect = aspect_of(in);
    float height = sqrtf(PANEL_AREA / aspect), width = height * aspect;
    height = height > SIDE_MAX ? SIDE_MAX : height;
    width = width < SIDE_MIN ? SIDE_MIN : width;
    d.panel_width = (uint32_t)width;
    d.panel_height = (uint32_t)height;
    const uint32_t all = PANELS * (d.panel_width + MARGIN) + MARGIN;
    const uint32_t legend = CAPTION + 8 + legend_rows(in) * ROW + MARGIN;
    if (!tlw_picture_create(&d.picture, all > WIDTH_MIN ? all : WIDTH_MIN,
                            HEAD + d.panel_height + legend)) {
        return TLW_DRAWN_NO_MEMORY;
    }
    for (int axis = 0; axis < 3; ++axis) {
        d.cut[axis] = best_cut(in, axis);
    }
    const tlw_render_camera camera = camera_of(&d, &panels[0], width / height);
    d.voxel_pixels = (float)in->lattice->voxel_metres / camera.height * height;
    tlw_picture_label(&d.picture, MARGIN, 22, 3, title, ink);
    tlw_picture_label(&d.picture, MARGIN, 58, 2, remark, faint_ink);
    tlw_inspect_drawn drawn = TLW_DRAWN;
    for (uint32_t i = 0; i < PANELS && drawn == TLW_DRAWN; ++i) {
        drawn = draw_panel(&d, i);
    }
    if (drawn == TLW_DRAWN) {
        draw_legend(&d);
        drawn = tlw_inspect_draw(&d.picture, write, user);
    }
    tlw_picture_free(&d.picture);
    return drawn;
}
