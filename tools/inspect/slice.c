// SPDX-License-Identifier: MIT
// --slice, --bends and --muscles: the cells that share an index along one axis. A cell is a square
// in the colour of its layer, or in those of its bends, mixed by its shares (grey where it has
// none), with a line from its middle along the field; or in those of its muscles, mixed by how
// strongly each moves it, with action lines. A dark line is a face between two voxels that are not
// linked, because the cooker cut it. Joints are dots: bright within a voxel of the slice, faint in
// front of it or behind it.
#include "tools/inspect/inspect.h"

#include "tools/render/picture.h"

#include <inttypes.h>
#include <math.h>

#define PICTURE_SIDE 800u
#define MARGIN       28
#define LEGEND       40
#define WIDTH_MIN    580u // for the legend

typedef struct slice {
    const tlw_inspect* in;
    tlw_inspect_look look;
    uint32_t axis, across, up; // axes: `across` runs to the right of the picture, `up` upwards
    bool is_down;              // `up` runs downwards: a slice across y, seen from above
    uint32_t index;
    int32_t cell_pixels;
    int32_t left; // edge of the grid in the picture
    tlw_picture picture;
} slice;

static uint32_t voxel_at(const slice* s, int32_t across, int32_t up) {
    int32_t cell[3];
    cell[s->axis] = (int32_t)s->index;
    cell[s->across] = across;
    cell[s->up] = up;
    return tlw_inspect_voxel_at(s->in, cell[0], cell[1], cell[2]);
}

static int32_t left_of(const slice* s, int32_t across) {
    return s->left + across * s->cell_pixels;
}

static int32_t top_of(const slice* s, int32_t up) {
    const int32_t rows = (int32_t)s->in->lattice->size[s->up];
    return MARGIN + (s->is_down ? up : rows - 1 - up) * s->cell_pixels;
}

static tlw_rgb scaled(tlw_rgb colour, float factor) {
    return (tlw_rgb){colour.r * factor, colour.g * factor, colour.b * factor};
}

// Colours of bends and muscles: hues a golden section apart, so that those which follow each other
// differ most.
static tlw_rgb list_colour(uint32_t bend) {
    const double hue = 6.0 * fmod(0.61803398875 * bend, 1.0);
    const double channels[3] = {fabs(hue - 3.0) - 1.0, 2.0 - fabs(hue - 2.0),
                                2.0 - fabs(hue - 4.0)};
    float c[3];
    for (int i = 0; i < 3; ++i) {
        c[i] = (float)(0.40 + 0.50 * fmin(fmax(channels[i], 0.0), 1.0));
    }
    return (tlw_rgb){c[0], c[1], c[2]};
}

static tlw_rgb mixed(tlw_rgb colour, tlw_rgb none, tlw_rgb c, float share) {
    return (tlw_rgb){colour.r + share * (c.r - none.r), colour.g + share * (c.g - none.g),
                     colour.b + share * (c.b - none.b)};
}

// The product of |d| and the muscle's radius is 1 on its surface where it is thickest (RULES 9.14,
// before smoothing). There a voxel has the muscle's whole colour.
static tlw_rgb muscle_voxel_colour(const slice* s, uint32_t voxel) {
    const tlw_rgb none = {0.38f, 0.40f, 0.44f};
    tlw_inspect_belly bellies[TLW_BLOB_VOXEL_MUSCLES];
    const uint32_t count = tlw_inspect_bellies_of(s->in, voxel, bellies);
    float shares[TLW_BLOB_VOXEL_MUSCLES], sum = 0.0f;
    for (uint32_t k = 0; k < count; ++k) {
        const float* d = bellies[k].d;
        shares[k] = s->in->muscles[bellies[k].muscle].radius *
                    sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        sum += shares[k];
    }
    tlw_rgb colour = none;
    for (uint32_t k = 0; k < count; ++k) {
        colour = mixed(colour, none, list_colour(bellies[k].muscle), shares[k] / fmaxf(sum, 1.0f));
    }
    return colour;
}

static tlw_rgb voxel_colour(const slice* s, uint32_t voxel) {
    if (s->look == TLW_LOOK_MUSCLES) {
        return muscle_voxel_colour(s, voxel);
    }
    if (s->look == TLW_LOOK_LAYERS) {
        return tlw_layer_colour(tlw_inspect_layer(s->in, voxel), s->in->lattice->layer_count);
    }
    const tlw_rgb none = {0.38f, 0.40f, 0.44f};
    const tlw_inspect_bends bends = tlw_inspect_bends_of(s->in, voxel);
    tlw_rgb colour = none;
    for (uint32_t k = 0; k < bends.count; ++k) {
        colour = mixed(colour, none, list_colour(bends.bend[k]), bends.share[k]);
    }
    return colour;
}

static void draw_cells(slice* s) {
    const tlw_blob_lattice* l = s->in->lattice;
    const int32_t size = s->cell_pixels;
    const tlw_rgb grid = {0.75f, 0.80f, 0.90f};
    for (int32_t up = 0; up < (int32_t)l->size[s->up]; ++up) {
        for (int32_t across = 0; across < (int32_t)l->size[s->across]; ++across) {
            const uint32_t voxel = voxel_at(s, across, up);
            const int32_t x = left_of(s, across), y = top_of(s, up);
            if (voxel == TLW_BLOB_NO_INDEX) {
                if (size >= 6) { // the lines would cover smaller cells
                    tlw_picture_fill(&s->picture, x, y, size, 1, grid, 0.045f);
                    tlw_picture_fill(&s->picture, x, y + 1, 1, size - 1, grid, 0.045f);
                }
                continue;
            }
            const tlw_rgb colour = voxel_colour(s, voxel);
            tlw_picture_fill(&s->picture, x, y, size, size, colour, 1.0f);
            if (size >= 6) {
                tlw_picture_fill(&s->picture, x, y, size, 1, scaled(colour, 0.80f), 1.0f);
                tlw_picture_fill(&s->picture, x, y + 1, 1, size - 1, scaled(colour, 0.80f), 1.0f);
            }
        }
    }
}

// Draws the cut faces between each voxel and the next one along both axes of the picture.
static void draw_cuts(slice* s) {
    static const uint32_t weight[3] = {1, 3, 9};
    const tlw_rgb cut = {0.08f, 0.03f, 0.05f};
    const int32_t thick = s->cell_pixels >= 18 ? 4 : s->cell_pixels >= 8 ? 3 : 1;
    const tlw_blob_lattice* l = s->in->lattice;
    for (int32_t up = 0; up < (int32_t)l->size[s->up]; ++up) {
        for (int32_t across = 0; across < (int32_t)l->size[s->across]; ++across) {
            const uint32_t voxel = voxel_at(s, across, up);
            if (voxel == TLW_BLOB_NO_INDEX) {
                continue;
            }
            uint32_t around[TLW_CELLS_AROUND];
            tlw_inspect_around(s->in, voxel, around);
            if (voxel_at(s, across + 1, up) != TLW_BLOB_NO_INDEX &&
                around[TLW_CELL_SELF + weight[s->across]] == TLW_BLOB_NO_INDEX) {
                tlw_picture_fill(&s->picture, left_of(s, across + 1) - thick / 2,
                                 top_of(s, up) - thick / 2, thick, s->cell_pixels + thick, cut,
                                 1.0f);
            }
            if (voxel_at(s, across, up + 1) != TLW_BLOB_NO_INDEX &&
                around[TLW_CELL_SELF + weight[s->up]] == TLW_BLOB_NO_INDEX) {
                const int32_t y = top_of(s, up) + (s->is_down ? s->cell_pixels : 0);
                tlw_picture_fill(&s->picture, left_of(s, across) - thick / 2, y - thick / 2,
                                 s->cell_pixels + thick, thick, cut, 1.0f);
            }
        }
    }
}

// A field of length 1 is a line of 1.5 cells. Smaller cells than 8 pixels have no room for it.
static void draw_field(slice* s) {
    const tlw_blob_lattice* l = s->in->lattice;
    const tlw_rgb line = {0.97f, 0.97f, 0.93f};
    for (uint32_t v = 0; v < l->voxel_count && s->cell_pixels >= 8; ++v) {
        const tlw_blob_cell* c = &s->in->voxel_cell[v];
        const int32_t cell[3] = {c->x, c->y, c->z};
        if (cell[s->axis] != (int32_t)s->index) {
            continue;
        }
        float field[3];
        tlw_inspect_field_of(s->in, v, field);
        const float reach = 1.5f * (float)s->cell_pixels;
        const float dx = reach * field[s->across],
                    dy = (s->is_down ? reach : -reach) * field[s->up];
        const float x = (float)left_of(s, cell[s->across]) + 0.5f * (float)s->cell_pixels;
        const float y = (float)top_of(s, cell[s->up]) + 0.5f * (float)s->cell_pixels;
        const int dots = (int)(2.0f * sqrtf(dx * dx + dy * dy));
        for (int i = 0; i <= dots && dots > 1; ++i) {
            const float share = (float)i / (float)dots;
            tlw_picture_disc(&s->picture, x + share * dx, y + share * dy, i == 0 ? 2.0f : 0.9f,
                             line, 0.9f);
        }
    }
}

// Where a place, in voxels from the grid's lowest corner, appears.
static void project(const slice* s, const float place[3], float* x, float* y) {
    const float size = (float)s->cell_pixels, rows = (float)s->in->lattice->size[s->up];
    *x = (float)s->left + place[s->across] * size;
    *y = (float)MARGIN + (s->is_down ? place[s->up] : rows - place[s->up]) * size;
}

// Bright within a voxel of the slice, faint in front of it or behind it. Dots are vertices.
static void draw_lines(slice* s) {
    const tlw_rgb rim = {0.07f, 0.09f, 0.13f}, line = {0.97f, 0.97f, 0.93f};
    for (uint32_t m = 0; m < s->in->lattice->muscle_count; ++m) {
        for (uint32_t v = 0; v + 1 < s->in->muscles[m].vertex_count; ++v) {
            const tlw_inspect_vertex a = tlw_inspect_vertex_of(s->in, m, v),
                                     b = tlw_inspect_vertex_of(s->in, m, v + 1);
            float from[2], to[2];
            project(s, a.place, &from[0], &from[1]);
            project(s, b.place, &to[0], &to[1]);
            const float dx = to[0] - from[0], dy = to[1] - from[1];
            const int steps = (int)fminf(2.0f * sqrtf(dx * dx + dy * dy), 8192.0f);
            for (int i = 0; i <= steps; ++i) {
                const float share = (float)i / fmaxf((float)steps, 1.0f);
                const float depth =
                    a.place[s->axis] + share * (b.place[s->axis] - a.place[s->axis]);
                const bool is_near = fabsf(depth - (float)s->index - 0.5f) <= 1.0f;
                const float x = from[0] + share * dx, y = from[1] + share * dy;
                const bool is_vertex = i == 0 || i == steps;
                if (is_vertex) {
                    tlw_picture_disc(&s->picture, x, y, 4.0f, rim, is_near ? 1.0f : 0.35f);
                }
                tlw_picture_disc(&s->picture, x, y, is_vertex ? 3.0f : 1.0f, line,
                                 is_near ? 0.95f : 0.20f);
            }
        }
    }
}

static void draw_joints(slice* s) {
    const tlw_blob_lattice* l = s->in->lattice;
    const tlw_rgb rim = {0.07f, 0.09f, 0.13f}, dot = {0.36f, 0.80f, 0.95f};
    for (int pass = 0; pass < 2; ++pass) { // joints in the slice are drawn last, on top
        for (uint32_t j = 0; j < l->joint_count; ++j) {
            double cell[3];
            for (int i = 0; i < 3; ++i) {
                cell[i] = (s->in->joints[j].bind[12 + i] - l->origin[i]) / l->voxel_metres;
            }
            const bool is_inside = fabs(cell[s->axis] - (double)s->index - 0.5) <= 1.0;
            if (is_inside != (pass == 1)) {
                continue;
            }
            const float x = (float)(s->left + cell[s->across] * s->cell_pixels);
            const double row = s->is_down ? cell[s->up] : (double)l->size[s->up] - cell[s->up];
            const float y = (float)(MARGIN + row * s->cell_pixels);
            tlw_picture_disc(&s->picture, x, y, is_inside ? 7.5f : 5.0f, rim,
                             is_inside ? 1.0f : 0.35f);
            tlw_picture_disc(&s->picture, x, y, is_inside ? 5.0f : 3.0f, dot,
                             is_inside ? 1.0f : 0.45f);
        }
    }
}

static void draw_legend(slice* s) {
    const tlw_blob_lattice* l = s->in->lattice;
    const tlw_rgb bright = {0.90f, 0.92f, 0.95f}, dim = {0.60f, 0.65f, 0.73f};
    const int32_t y = (int32_t)s->picture.height - LEGEND;
    char place[64];
    snprintf(place, sizeof place, "%c %" PRIu32 " of %" PRIu32, "xyz"[s->axis], s -> index,
             l -> size[s->axis]);
    const int32_t width = tlw_picture_label_width(2, place);
    const int32_t right = (int32_t)s->picture.width - MARGIN - width;
    tlw_picture_label(&s->picture, right, y + 2, 2, place, dim);
    const bool is_bends = s->look == TLW_LOOK_BENDS, is_muscles = s->look == TLW_LOOK_MUSCLES;
    const uint64_t count = is_bends     ? s->in->bend_count
                           : is_muscles ? l->muscle_count
                                        : l->layer_count;
    int32_t x = MARGIN;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t text = is_bends     ? s->in->joints[s->in->bends[i].joint].name
                              : is_muscles ? s->in->muscles[i].name
                                           : s->in->layers[i].name;
        const char* name = s->in->strings + text;
        const int32_t end = x + 22 + tlw_picture_label_width(2, name);
        if (end > right - 12) {
            break;
        }
        tlw_picture_fill(
            &s->picture, x, y, 15, 15,
            is_bends || is_muscles ? list_colour(i) : tlw_layer_colour(i, l->layer_count), 1.0f);
        tlw_picture_label(&s->picture, x + 22, y + 2, 2, name, bright);
        x = end + 22;
    }
}

tlw_inspect_drawn tlw_inspect_slice(const tlw_inspect* in, tlw_inspect_look look, uint32_t axis,
                                    uint32_t index, tlw_inspect_write* write, void* user) {
    // A character that faces +z is seen from its right, from above (it faces down), from the front.
    static const uint32_t across[3] = {2, 0, 0}, up[3] = {1, 2, 1};
    slice s = {.in = in,
               .look = look,
               .axis = axis,
               .across = across[axis],
               .up = up[axis],
               .is_down = axis == 1,
               .index = index};
    const uint32_t columns = in->lattice->size[s.across], rows = in->lattice->size[s.up];
    const uint32_t longest = columns > rows ? columns : rows;
    if (longest > TLW_PICTURE_SIDE_MAX - 2 * MARGIN - LEGEND) {
        return TLW_DRAWN_TOO_LARGE;
    }
    s.cell_pixels = longest < PICTURE_SIDE ? (int32_t)(PICTURE_SIDE / longest) : 1;
    const uint32_t grid = columns * (uint32_t)s.cell_pixels;
    const uint32_t width = grid + 2 * MARGIN > WIDTH_MIN ? grid + 2 * MARGIN : WIDTH_MIN;
    s.left = (int32_t)(width - grid) / 2;
    if (!tlw_picture_create(&s.picture, width,
                            rows * (uint32_t)s.cell_pixels + MARGIN + 20 + LEGEND)) {
        return TLW_DRAWN_NO_MEMORY;
    }
    draw_cells(&s);
    draw_cuts(&s);
    if (look == TLW_LOOK_BENDS) {
        draw_field(&s);
    }
    if (look == TLW_LOOK_MUSCLES) {
        draw_lines(&s);
    }
    draw_joints(&s);
    draw_legend(&s);
    const tlw_inspect_drawn drawn = tlw_inspect_draw(&s.picture, write, user);
    tlw_picture_free(&s.picture);
    return drawn;
}
