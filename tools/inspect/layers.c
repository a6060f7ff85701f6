// SPDX-License-Identifier: MIT
// --layers: the layers side by side, innermost first. Each is drawn as shaded cubes in a 3/4 view,
// inside the faint shape of the whole character. The projection is parallel, so at most three faces
// of a cube are visible and each is a parallelogram; a depth buffer sorts them. The light on a face
// is a Lambert term times the share of the sky that its corners see.
#include "tools/inspect/inspect.h"

#include "tools/render/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_WIDTH 1600u
#define HEIGHT_MAX    1600u
#define SAMPLES       3 // along a side of a pixel
#define HEAD          34.0
#define FOOT          92.0
#define SKY_RAYS      48
#define SKY_STEPS     10

typedef struct vec {
    double x, y, z;
} vec;

typedef struct view {
    const tlw_inspect* in;
    vec right, up, toward; // axes of the picture; `toward` points to the eye
    double scale;          // pixels per voxel
    double centre_x, centre_y;
    int32_t low[3], high[3]; // bounds of the cells that have voxels, high excluded
    vec rays[SKY_RAYS];
} view;

typedef struct panel {
    uint32_t width, height; // samples
    float* depth;
    float* colour;       // 3 per sample, linear
    uint8_t* is_covered; // by any layer of the character
} panel;

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static void place_camera(view* v) {
    const double yaw = 0.56, pitch = 0.30; // about 32 and 17 degrees
    v->right = (vec){cos(yaw), 0.0, -sin(yaw)};
    v->up = (vec){-sin(yaw) * sin(pitch), cos(pitch), -cos(yaw) * sin(pitch)};
    v->toward = (vec){sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch)};
    for (int i = 0; i < SKY_RAYS; ++i) { // a golden spiral over the sphere
        const double y = 1.0 - (2.0 * i + 1.0) / SKY_RAYS, r = sqrt(1.0 - y * y);
        v->rays[i] = (vec){r * cos(2.399963 * i), y, r * sin(2.399963 * i)};
    }
}

static void find_bounds(view* v, double low[2], double high[2]) {
    for (int i = 0; i < 3; ++i) {
        v->low[i] = INT32_MAX;
        v->high[i] = 0;
    }
    for (uint32_t n = 0; n < v->in->lattice->voxel_count; ++n) {
        const tlw_blob_cell* c = &v->in->voxel_cell[n];
        const int32_t cell[3] = {c->x, c->y, c->z};
        for (int i = 0; i < 3; ++i) {
            v->low[i] = cell[i] < v->low[i] ? cell[i] : v->low[i];
            v->high[i] = cell[i] + 1 > v->high[i] ? cell[i] + 1 : v->high[i];
        }
    }
    low[0] = low[1] = 1e30;
    high[0] = high[1] = -1e30;
    for (uint32_t n = 0; n < v->in->lattice->voxel_count; ++n) {
        const tlw_blob_cell* c = &v->in->voxel_cell[n];
        const vec middle = {c->x + 0.5, c->y + 0.5, c->z + 0.5};
        const double at[2] = {dot(v->right, middle), dot(v->up, middle)};
        for (int i = 0; i < 2; ++i) {
            low[i] = fmin(low[i], at[i] - 0.87);
            high[i] = fmax(high[i], at[i] + 0.87);
        }
    }
}

static bool has_voxel(const view* v, uint32_t layer, vec at) {
    const uint32_t voxel = tlw_inspect_voxel_at(v->in, (int32_t)floor(at.x), (int32_t)floor(at.y),
                                                (int32_t)floor(at.z));
    return voxel != TLW_BLOB_NO_INDEX && tlw_inspect_layer(v->in, voxel) == layer;
}

// The share of the sky, weighted by cosine, that the layer's own cubes leave open.
static double open_sky(const view* v, uint32_t layer, vec at, vec normal) {
    double open = 0.0, all = 0.0;
    const vec start = {at.x + normal.x * 0.3, at.y + normal.y * 0.3, at.z + normal.z * 0.3};
    for (int i = 0; i < SKY_RAYS; ++i) {
        const vec ray = v->rays[i];
        const double share = dot(ray, normal);
        if (share < 0.1) {
            continue;
        }
        all += share;
        int step = 1;
        while (step <= SKY_STEPS &&
               !has_voxel(v, layer,
                          (vec){start.x + ray.x * 0.7 * step, start.y + ray.y * 0.7 * step,
                                start.z + ray.z * 0.7 * step})) {
            step += 1;
        }
        // A cube that is further away hides less.
        open += share * (step > SKY_STEPS ? 1.0 : 0.55 * (step - 1) / SKY_STEPS);
    }
    return open / all;
}

typedef struct face {
    vec corner, u, v, normal;
} face;

// The face of a cube towards +x, +y or +z: the three that the eye sees.
static face face_of(const tlw_blob_cell* c, int axis) {
    const vec x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const vec corner = {c->x + (axis == 0), c->y + (axis == 1), c->z + (axis == 2)};
    return axis == 0   ? (face){corner, z, y, x}
           : axis == 1 ? (face){corner, x, z, y}
                       : (face){corner, x, y, z};
}

static vec to_samples(const view* v, const panel* p, vec at) {
    return (vec){p->width * 0.5 + (dot(v->right, at) - v->centre_x) * v->scale * SAMPLES,
                 HEAD * SAMPLES + (v->centre_y - dot(v->up, at)) * v->scale * SAMPLES,
                 dot(v->toward, at)};
}

static double clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

// `shade` is the light at the corners (0, 0), (1, 0), (0, 1), (1, 1); null only marks the samples
// as covered.
static void fill_face(const view* v, panel* p, const face* f, const double* shade,
                      const float colour[3]) {
    const vec o = to_samples(v, p, f->corner);
    const vec u_end =
        to_samples(v, p, (vec){f->corner.x + f->u.x, f->corner.y + f->u.y, f->corner.z + f->u.z});
    const vec v_end =
        to_samples(v, p, (vec){f->corner.x + f->v.x, f->corner.y + f->v.y, f->corner.z + f->v.z});
    const vec a = {u_end.x - o.x, u_end.y - o.y, u_end.z - o.z};
    const vec b = {v_end.x - o.x, v_end.y - o.y, v_end.z - o.z};
    const double area = a.x * b.y - a.y * b.x;
    const double x_low = o.x + fmin(a.x, 0) + fmin(b.x, 0),
                 x_high = o.x + fmax(a.x, 0) + fmax(b.x, 0);
    const double y_low = o.y + fmin(a.y, 0) + fmin(b.y, 0),
                 y_high = o.y + fmax(a.y, 0) + fmax(b.y, 0);
    const int32_t x0 = (int32_t)clamp(x_low, 0, p->width),
                  x1 = (int32_t)clamp(x_high + 1, 0, p->width);
    const int32_t y0 = (int32_t)clamp(y_low, 0, p->height),
                  y1 = (int32_t)clamp(y_high + 1, 0, p->height);
    const double bevel = clamp(1.1 / v->scale, 0.05, 0.12);
    const double line = clamp((v->scale - 2.0) / 8.0, 0.0, 1.0) * 0.30;
    for (int32_t y = y0; y < y1; ++y) {
        for (int32_t x = x0; x < x1; ++x) {
            const double dx = x + 0.5 - o.x, dy = y + 0.5 - o.y;
            const double s = (dx * b.y - dy * b.x) / area, t = (a.x * dy - a.y * dx) / area;
            if (s < -1e-9 || s > 1 + 1e-9 || t < -1e-9 || t > 1 + 1e-9) {
                continue;
            }
            const size_t at = (size_t)y * p->width + (size_t)x;
            if (shade == NULL) {
                p->is_covered[at] = 1;
                continue;
            }
            const float depth = (float)(o.z + s * a.z + t * b.z);
            if (depth <= p->depth[at]) {
                continue;
            }
            p->depth[at] = depth;
            const double edge = fmin(fmin(s, 1 - s), fmin(t, 1 - t));
            const double light = ((shade[0] * (1 - s) + shade[1] * s) * (1 - t) +
                                  (shade[2] * (1 - s) + shade[3] * s) * t) *
                                 (edge < bevel ? 1.0 - line * (1.0 - edge / bevel) : 1.0);
            for (int i = 0; i < 3; ++i) {
                p->colour[at * 3 + (size_t)i] = colour[i] * (float)light;
            }
        }
    }
}

static float to_linear(float value) {
    return powf(value, 2.2f);
}

static void draw_voxels(const view* v, panel* p, uint32_t layer) {
    const vec sun = {-0.36, 0.77, 0.53};
    const tlw_rgb base = tlw_layer_colour(layer, v->in->lattice->layer_count);
    const float colour[3] = {to_linear(base.r), to_linear(base.g), to_linear(base.b)};
    for (uint32_t n = 0; n < v->in->lattice->voxel_count; ++n) {
        const bool is_own = tlw_inspect_layer(v->in, n) == layer;
        const tlw_blob_cell* c = &v->in->voxel_cell[n];
        for (int axis = 0; axis < 3; ++axis) {
            const face f = face_of(c, axis);
            const vec next = {c->x + f.normal.x, c->y + f.normal.y, c->z + f.normal.z};
            const uint32_t other =
                tlw_inspect_voxel_at(v->in, (int32_t)next.x, (int32_t)next.y, (int32_t)next.z);
            if (other == TLW_BLOB_NO_INDEX) {
                fill_face(v, p, &f, NULL, NULL);
            }
            if (!is_own ||
                (other != TLW_BLOB_NO_INDEX && tlw_inspect_layer(v->in, other) == layer)) {
                continue;
            }
            const double direct = fmax(dot(sun, f.normal), 0.0);
            double shade[4];
            for (int k = 0; k < 4; ++k) {
                const double s = k & 1, t = k >> 1;
                const vec corner = {f.corner.x + f.u.x * s + f.v.x * t,
                                    f.corner.y + f.u.y * s + f.v.y * t,
                                    f.corner.z + f.u.z * s + f.v.z * t};
                const double sky = open_sky(v, layer, corner, f.normal);
                shade[k] =
                    (0.34 + 0.10 * f.normal.y) * sky + 0.86 * direct * (0.35 + 0.65 * sky) + 0.05;
            }
            fill_face(v, p, &f, shade, colour);
        }
    }
}

// Averages the samples of each pixel and blends the result over the picture.
static void compose(const panel* p, tlw_picture* picture, uint32_t left) {
    const tlw_rgb ghost = {0.62f, 0.70f, 0.85f};
    for (uint32_t y = 0; y < p->height / SAMPLES; ++y) {
        for (uint32_t x = 0; x < p->width / SAMPLES; ++x) {
            float sum[3] = {0, 0, 0}, solid = 0, covered = 0;
            for (uint32_t k = 0; k < SAMPLES * SAMPLES; ++k) {
                const size_t at =
                    (size_t)(y * SAMPLES + k / SAMPLES) * p->width + x * SAMPLES + k % SAMPLES;
                covered += p->is_covered[at];
                if (p->depth[at] > -1e30f) {
                    solid += 1;
                    for (size_t i = 0; i < 3; ++i) {
                        sum[i] += p->colour[at * 3 + i];
                    }
                }
            }
            const float all = SAMPLES * SAMPLES;
            tlw_picture_blend(picture, (int32_t)(left + x), (int32_t)y, ghost,
                              0.13f * covered / all);
            if (solid > 0) {
                const tlw_rgb colour = {powf(sum[0] / solid, 1 / 2.2f),
                                        powf(sum[1] / solid, 1 / 2.2f),
                                        powf(sum[2] / solid, 1 / 2.2f)};
                tlw_picture_blend(picture, (int32_t)(left + x), (int32_t)y, colour, solid / all);
            }
        }
    }
}

// A soft shadow on the ground; without it the character seems to float.
static void draw_ground(const view* v, tlw_picture* picture, uint32_t left, uint32_t width) {
    const panel unit = {.width = width * SAMPLES};
    const vec foot = to_samples(
        v, &unit, (vec){(v->low[0] + v->high[0]) * 0.5, v->low[1], (v->low[2] + v->high[2]) * 0.5});
    const double across =
        hypot((v->high[0] - v->low[0]) * v->right.x, (v->high[2] - v->low[2]) * v->right.z);
    const double rx = clamp(across * 0.55 * v->scale, 20.0, width * 0.48), ry = rx * 0.36;
    const tlw_rgb dark = {0.02f, 0.025f, 0.04f};
    for (uint32_t y = 0; y < picture->height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            const double dx = (x - foot.x / SAMPLES) / rx, dy = (y - foot.y / SAMPLES) / ry;
            const double far = dx * dx + dy * dy;
            if (far < 1.0) {
                tlw_picture_blend(picture, (int32_t)(left + x), (int32_t)y, dark,
                                  (float)((1 - far) * (1 - far) * 0.55));
            }
        }
    }
}

static void draw_caption(const view* v, tlw_picture* picture, uint32_t layer, uint32_t left,
                         uint32_t width) {
    const tlw_blob_lattice* l = v->in->lattice;
    const char* name = v->in->strings + v->in->layers[layer].name;
    char count[64];
    snprintf(count, sizeof count, "%" PRIu32 " voxels", v->in->layers[layer].voxel_count);
    const int32_t middle = (int32_t)(left + width / 2), y = (int32_t)picture->height - 66;
    // Lighter than the layer, because thin strokes look darker.
    tlw_rgb colour = tlw_layer_colour(layer, l->layer_count);
    colour = (tlw_rgb){colour.r * 0.7f + 0.3f, colour.g * 0.7f + 0.3f, colour.b * 0.7f + 0.3f};
    tlw_picture_label(picture, middle - tlw_picture_label_width(3, name) / 2, y, 3, name, colour);
    tlw_picture_label(picture, middle - tlw_picture_label_width(2, count) / 2, y + 33, 2, count,
                      (tlw_rgb){0.60f, 0.65f, 0.73f});
}

static bool draw_panel(const view* v, tlw_picture* picture, uint32_t layer, uint32_t left,
                       uint32_t width) {
    panel p = {.width = width * SAMPLES, .height = picture->height * SAMPLES};
    const size_t count = (size_t)p.width * p.height;
    p.depth = malloc(count * sizeof *p.depth);
    p.colour = malloc(count * 3 * sizeof *p.colour);
    p.is_covered = calloc(count, 1);
    const bool has_memory = p.depth && p.colour && p.is_covered;
    if (has_memory) {
        for (size_t i = 0; i < count; ++i) {
            p.depth[i] = -INFINITY;
        }
        draw_ground(v, picture, left, width);
        draw_voxels(v, &p, layer);
        compose(&p, picture, left);
        draw_caption(v, picture, layer, left, width);
    }
    free(p.depth);
    free(p.colour);
    free(p.is_covered);
    return has_memory;
}

tlw_inspect_drawn tlw_inspect_layers(const tlw_inspect* in, tlw_inspect_write* write, void* user) {
    view v = {.in = in};
    place_camera(&v);
    double low[2], high[2];
    find_bounds(&v, low, high);
    const uint32_t panels = in->lattice->layer_count, width = PICTURE_WIDTH / panels;
    v.scale =
        fmin(width * 0.92 / (high[0] - low[0]), (HEIGHT_MAX - HEAD - FOOT) / (high[1] - low[1]));
    v.centre_x = (low[0] + high[0]) / 2;
    v.centre_y = high[1];
    const double height = (high[1] - low[1]) * v.scale + HEAD + FOOT;
    tlw_picture picture;
    if (!tlw_picture_create(&picture, width * panels, (uint32_t)height)) {
        return TLW_DRAWN_NO_MEMORY;
    }
    tlw_inspect_drawn drawn = TLW_DRAWN;
    for (uint32_t layer = 0; layer < panels && drawn == TLW_DRAWN; ++layer) {
        drawn =
            draw_panel(&v, &picture, layer, layer * width, width) ? TLW_DRAWN : TLW_DRAWN_NO_MEMORY;
    }
    if (drawn == TLW_DRAWN) {
        drawn = tlw_inspect_draw(&picture, write, user);
    }
    tlw_picture_free(&picture);
    return drawn;
}
