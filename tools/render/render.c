// SPDX-License-Identifier: MIT
// The rasteriser. Triangles fill a buffer of depth, normal and heat with 3x3 samples per pixel;
// afterwards each sample is lit from that buffer. Works in the camera's space: x right, y up, z
// towards the eye. Areas are clipped to the picture.
#include "tools/render/render.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 3 // per side of a pixel
#define RADIANS 0.017453293f

typedef struct vec3 {
    float x, y, z;
} vec3;

static vec3 add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static vec3 subtract(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec3 scale(vec3 a, float s) {
    return (vec3){a.x * s, a.y * s, a.z * s};
}

static float dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vec3 normalise(vec3 a) {
    const float length = sqrtf(dot(a, a));
    return length > 0.0f ? scale(a, 1.0f / length) : (vec3){0.0f, 0.0f, 1.0f};
}

static vec3 load(const float* p) {
    return (vec3){p[0], p[1], p[2]};
}

static bool is_finite(vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static float mix(float a, float b, float share) {
    return a + (b - a) * share;
}

static float clamp(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

static float smooth(float from, float to, float x) {
    const float t = clamp((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// ---- Cameras

tlw_render_camera tlw_default_render_camera(void) {
    return (tlw_render_camera){
        .height = 2.0f, .yaw_degrees = 30.0f, .pitch_degrees = 12.0f, .field_degrees = 20.0f};
}

// The projection from model space to samples.
typedef struct view {
    vec3 right, up, back; // the camera's axes in model space
    vec3 target;
    float distance; // from the eye to the target; 0: a parallel projection
    float samples_per_metre;
    float middle_x, middle_y; // where the target appears, in samples
} view;

static void set_axes(view* v, const tlw_render_camera* camera) {
    const float yaw = camera->yaw_degrees * RADIANS, pitch = camera->pitch_degrees * RADIANS;
    v->right = (vec3){cosf(yaw), 0.0f, -sinf(yaw)};
    v->up = (vec3){-sinf(yaw) * sinf(pitch), cosf(pitch), -cosf(yaw) * sinf(pitch)};
    v->back = (vec3){sinf(yaw) * cosf(pitch), sinf(pitch), cosf(yaw) * cosf(pitch)};
    v->target = load(camera->target);
    v->distance = camera->field_degrees > 0.0f
                      ? 0.5f * camera->height / tanf(0.5f * camera->field_degrees * RADIANS)
                      : 0.0f;
}

static vec3 to_axes(const view* v, vec3 p) {
    const vec3 d = subtract(p, v->target);
    return (vec3){dot(d, v->right), dot(d, v->up), dot(d, v->back)};
}

// How much larger a thing at depth z appears than at the target's depth. 0 for points at the eye or
// behind it, which cannot be drawn.
static float enlarged(const view* v, float z) {
    if (v->distance <= 0.0f) {
        return 1.0f;
    }
    const float left = v->distance - z;
    return left > 0.02f * v->distance ? v->distance / left : 0.0f;
}

typedef struct extent {
    float low[3], high[3];
} extent;

// The extent of the points along the camera's axes, as they appear at the target's depth. False if
// there are no points.
static bool measure(const view* v, const float* positions, uint32_t count, extent* out) {
    bool is_any = false;
    for (uint32_t i = 0; i < count; ++i) {
        const vec3 p = to_axes(v, load(positions + (size_t)i * 3));
        const float near = enlarged(v, p.z);
        if (!is_finite(p) || near <= 0.0f) {
            continue;
        }
        const float at[3] = {p.x * near, p.y * near, p.z};
        for (int axis = 0; axis < 3; ++axis) {
            out->low[axis] = is_any ? fminf(out->low[axis], at[axis]) : at[axis];
            out->high[axis] = is_any ? fmaxf(out->high[axis], at[axis]) : at[axis];
        }
        is_any = true;
    }
    return is_any;
}

void tlw_render_fit(tlw_render_camera* camera, const float* positions, uint32_t count,
                    float aspect) {
    const float field = camera->field_degrees;
    // The first round uses a parallel projection, which does not depend on the distance. Four more
    // rounds with perspective converge.
    for (int round = 0; round < 5; ++round) {
        tlw_render_camera from = *camera;
        from.field_degrees = round == 0 ? 0.0f : field;
        view v;
        extent e;
        set_axes(&v, &from);
        if (!measure(&v, positions, count, &e)) {
            return;
        }
        const vec3 middle =
            add(add(scale(v.right, 0.5f * (e.low[0] + e.high[0])),
                    scale(v.up, 0.5f * (e.low[1] + e.high[1]))),
                round == 0 ? scale(v.back, 0.5f * (e.low[2] + e.high[2])) : (vec3){0});
        camera->target[0] += middle.x;
        camera->target[1] += middle.y;
        camera->target[2] += middle.z;
        camera->height = fmaxf(fmaxf(e.high[1] - e.low[1], (e.high[0] - e.low[0]) / aspect), 1e-6f);
        if (round == 0) { // puts the eye outside the points
            camera->height = fmaxf(camera->height, e.high[2] - e.low[2]);
        }
    }
}

float tlw_render_aspect(const tlw_render_camera* camera, const float* positions, uint32_t count) {
    tlw_render_camera fitted = *camera;
    tlw_render_fit(&fitted, positions, count, 1.0f);
    view v;
    extent e;
    set_axes(&v, &fitted);
    if (!measure(&v, positions, count, &e)) {
        return 1.0f;
    }
    return fmaxf(e.high[0] - e.low[0], 1e-6f) / fmaxf(e.high[1] - e.low[1], 1e-6f);
}

// ---- The buffer

typedef struct sample {
    float depth; // towards the eye; -FLT_MAX: empty
    float heat;
    uint32_t mesh; // whose colour it has
    vec3 normal;
} sample;

typedef struct canvas {
    view view;
    uint32_t width, height; // samples
    sample* samples;
    bool is_raking;
} canvas;

static bool create_canvas(canvas* c, tlw_render_area area, const tlw_render_camera* camera) {
    *c = (canvas){.width = area.width * SAMPLES,
                  .height = area.height * SAMPLES,
                  .is_raking = camera->is_raking};
    set_axes(&c->view, camera);
    c->view.samples_per_metre = (float)c->height / camera->height;
    c->view.middle_x = 0.5f * (float)c->width;
    c->view.middle_y = 0.5f * (float)c->height;
    const size_t count = (size_t)c->width * c->height;
    c->samples = malloc((count + 1) * sizeof *c->samples);
    for (size_t i = 0; c->samples && i < count; ++i) {
        c->samples[i] = (sample){.depth = -FLT_MAX};
    }
    return c->samples != NULL;
}

typedef struct corner {
    float x, y; // samples
    float z;    // towards the eye, metres
    float near; // result of enlarged(): proportional to 1 / depth
    float heat;
    uint32_t mesh;
    vec3 normal;
} corner;

static bool project(const view* v, vec3 p, corner* out) {
    const vec3 at = to_axes(v, p);
    out->near = enlarged(v, at.z);
    out->z = at.z;
    out->x = v->middle_x + at.x * out->near * v->samples_per_metre;
    out->y = v->middle_y - at.y * out->near * v->samples_per_metre;
    return is_finite(at) && out->near > 0.0f && fabsf(out->x) < 1e6f && fabsf(out->y) < 1e6f;
}

bool tlw_render_project(tlw_render_area area, const tlw_render_camera* camera, const float point[3],
                        float* x, float* y) {
    view v;
    corner at;
    set_axes(&v, camera);
    v.samples_per_metre = (float)area.height / camera->height;
    v.middle_x = 0.5f * (float)area.width;
    v.middle_y = 0.5f * (float)area.height;
    const bool is_seen = project(&v, load(point), &at);
    *x = (float)area.x + at.x;
    *y = (float)area.y + at.y;
    return is_seen;
}

static float edge(const corner* a, const corner* b, float x, float y) {
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static void fill_triangle(canvas* c, const corner* a, const corner* b, const corner* d) {
    const float area = edge(a, b, d->x, d->y);
    if (!(fabsf(area) > 1e-12f)) {
        return;
    }
    const float low_x = fminf(a->x, fminf(b->x, d->x)), high_x = fmaxf(a->x, fmaxf(b->x, d->x));
    const float low_y = fminf(a->y, fminf(b->y, d->y)), high_y = fmaxf(a->y, fmaxf(b->y, d->y));
    const int32_t x0 = (int32_t)fmaxf(low_x, 0.0f), y0 = (int32_t)fmaxf(low_y, 0.0f);
    const int32_t x1 = (int32_t)fminf(high_x, (float)c->width - 1.0f);
    const int32_t y1 = (int32_t)fminf(high_y, (float)c->height - 1.0f);
    for (int32_t y = y0; y <= y1; ++y) {
        for (int32_t x = x0; x <= x1; ++x) {
            const float px = (float)x + 0.5f, py = (float)y + 0.5f;
            const float u = edge(b, d, px, py) / area, v = edge(d, a, px, py) / area;
            const float w = edge(a, b, px, py) / area;
            if (u < 0.0f || v < 0.0f || w < 0.0f) {
                continue;
            }
            // Perspective-correct interpolation: values divided by the depth are linear on screen.
            const float wa = u * a->near, wb = v * b->near, wd = w * d->near;
            const float sum = 1.0f / (wa + wb + wd);
            const float z = (wa * a->z + wb * b->z + wd * d->z) * sum;
            sample* s = &c->samples[(size_t)y * c->width + (size_t)x];
            if (z <= s->depth) {
                continue;
            }
            s->depth = z;
            s->mesh = a->mesh;
            s->heat = (wa * a->heat + wb * b->heat + wd * d->heat) * sum;
            s->normal = scale(
                add(add(scale(a->normal, wa), scale(b->normal, wb)), scale(d->normal, wd)), sum);
        }
    }
}

static vec3 normal_to_axes(const view* v, vec3 n) {
    return (vec3){dot(n, v->right), dot(n, v->up), dot(n, v->back)};
}

// Loads the three corners of triangle t. False for an index out of range or a position that is not
// finite.
static bool load_triangle(const tlw_render_mesh* mesh, uint32_t t, uint32_t at[3], vec3 p[3]) {
    for (uint32_t k = 0; k < 3; ++k) {
        at[k] = mesh->indices[(size_t)t * 3 + k];
        if (at[k] >= mesh->vertex_count) {
            return false;
        }
        p[k] = load(mesh->positions + (size_t)at[k] * 3);
        if (!is_finite(p[k])) {
            return false;
        }
    }
    return true;
}

static void fill_mesh(canvas* c, const tlw_render_mesh* mesh, uint32_t number) {
    for (uint32_t t = 0; t < mesh->index_count / 3; ++t) {
        uint32_t at[3];
        vec3 p[3];
        corner corners[3];
        if (!load_triangle(mesh, t, at, p)) {
            continue;
        }
        const vec3 flat = normalise(cross(subtract(p[1], p[0]), subtract(p[2], p[0])));
        // Triangles seen from the back (an open mesh, or one that is inside out) are lit from
        // there.
        const vec3 middle = to_axes(&c->view, scale(add(add(p[0], p[1]), p[2]), 1.0f / 3.0f));
        const vec3 to_eye = c->view.distance > 0.0f
                                ? subtract((vec3){0.0f, 0.0f, c->view.distance}, middle)
                                : (vec3){0.0f, 0.0f, 1.0f};
        const float side = dot(normal_to_axes(&c->view, flat), to_eye) < 0.0f ? -1.0f : 1.0f;
        bool is_seen = true;
        for (int k = 0; k < 3; ++k) {
            vec3 n = mesh->normals ? load(mesh->normals + (size_t)at[k] * 3) : (vec3){0};
            n = is_finite(n) && dot(n, n) > 0.0f ? normalise(n) : flat;
            is_seen = project(&c->view, p[k], &corners[k]) && is_seen;
            corners[k].normal = scale(normal_to_axes(&c->view, n), side);
            corners[k].heat = mesh->heat ? mesh->heat[at[k]] : 0.0f;
            corners[k].mesh = number;
        }
        if (is_seen) {
            fill_triangle(c, &corners[0], &corners[1], &corners[2]);
        }
    }
}

// ---- Light

static float to_linear(float srgb) {
    return srgb <= 0.04045f ? srgb / 12.92f : powf((srgb + 0.055f) / 1.055f, 2.4f);
}

static float to_srgb(float linear) {
    const float x = clamp(linear, 0.0f, 1.0f);
    return x <= 0.0031308f ? x * 12.92f : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
}

static vec3 rgb_to_linear(tlw_rgb c) {
    return (vec3){to_linear(c.r), to_linear(c.g), to_linear(c.b)};
}

tlw_rgb tlw_render_heat_colour(tlw_rgb cold, float heat) {
    static const tlw_rgb warm[] = {{0.960f, 0.800f, 0.420f},
                                   {0.945f, 0.530f, 0.230f},
                                   {0.850f, 0.225f, 0.220f},
                                   {0.620f, 0.080f, 0.330f}};
    const int last = (int)TLW_COUNT_OF(warm);
    const float at = clamp(isfinite(heat) ? heat : 0.0f, 0.0f, 1.0f) * (float)last;
    const int below = at >= (float)last ? last - 1 : (int)at;
    const float share = at - (float)below;
    const tlw_rgb a = below == 0 ? cold : warm[below - 1], b = warm[below];
    return (tlw_rgb){mix(a.r, b.r, share), mix(a.g, b.g, share), mix(a.b, b.b, share)};
}

// The share of the sky that nearby surfaces leave open (ambient occlusion): looks at three samples
// in each of eight directions and takes how steeply the surface rises above the tangent plane.
static float open_sky(const canvas* c, uint32_t x, uint32_t y, float reach) {
    static const float directions[8][2] = {{1.0f, 0.0f},      {0.707f, 0.707f}, {0.0f, 1.0f},
                                           {-0.707f, 0.707f}, {-1.0f, 0.0f},    {-0.707f, -0.707f},
                                           {0.0f, -1.0f},     {0.707f, -0.707f}};
    const sample* s = &c->samples[(size_t)y * c->width + x];
    const float metre = 1.0f / (c->view.samples_per_metre * enlarged(&c->view, s->depth));
    float hidden = 0.0f;
    for (int d = 0; d < 8; ++d) {
        float steepest = 0.0f;
        for (int step = 1; step <= 3; ++step) {
            // The distances vary from sample to sample, so that no pattern shows.
            const float far = reach * ((float)step - 0.6f + 0.2f * (float)((x + y * 2) % 4)) / 3.0f;
            const float dx = directions[d][0] * far, dy = directions[d][1] * far;
            const int32_t sx = (int32_t)((float)x + dx / metre + 0.5f);
            const int32_t sy = (int32_t)((float)y - dy / metre + 0.5f);
            if (sx < 0 || sy < 0 || sx >= (int32_t)c->width || sy >= (int32_t)c->height) {
                break;
            }
            const float depth = c->samples[(size_t)sy * c->width + (size_t)sx].depth;
            if (depth == -FLT_MAX) {
                continue;
            }
            const vec3 to = {dx, dy, depth - s->depth};
            const float length = sqrtf(dot(to, to));
            const float rise = dot(to, s->normal) / (length + 1e-9f);
            steepest = fmaxf(steepest, rise * (1.0f - smooth(reach, 2.5f * reach, length)));
        }
        hidden += steepest;
    }
    return 1.0f - hidden / 8.0f;
}

static vec3 light_sample(const canvas* c, uint32_t x, uint32_t y, vec3 colour, float reach) {
    static const vec3 key_light = {-0.42f, 0.62f, 0.66f}, fill_light = {0.80f, 0.12f, 0.58f};
    static const vec3 raking_light = {-0.89f, 0.43f, 0.14f};
    const vec3 n = normalise(c->samples[(size_t)y * c->width + x].normal);
    if (c->is_raking) {
        const float grazing = 0.06f + 1.25f * fmaxf(dot(n, raking_light), 0.0f);
        return (vec3){colour.x * grazing, colour.y * grazing, colour.z * grazing};
    }
    const float sky = open_sky(c, x, y, reach);
    const float key = fmaxf(dot(n, key_light), 0.0f);
    const float fill = 0.5f + 0.5f * dot(n, fill_light);
    const float facing = clamp(n.z, 0.0f, 1.0f);
    const float rim = (1.0f - facing) * (1.0f - facing) * (1.0f - facing);
    const float above = 0.5f + 0.5f * n.y;
    // The key light is warm, the sky cool.
    const vec3 light = {(0.20f + 0.20f * above) * sky + 0.86f * key * (0.45f + 0.55f * sky) +
                            0.20f * fill * fill * sky,
                        (0.21f + 0.21f * above) * sky + 0.81f * key * (0.45f + 0.55f * sky) +
                            0.21f * fill * fill * sky,
                        (0.24f + 0.25f * above) * sky + 0.72f * key * (0.45f + 0.55f * sky) +
                            0.25f * fill * fill * sky};
    const float edge_light = 0.22f * rim * above * sky;
    return (vec3){colour.x * light.x + edge_light * 0.85f, colour.y * light.y + edge_light * 0.93f,
                  colour.z * light.z + edge_light * 1.05f};
}

// ---- The ground

// One pass of a moving average along the rows or the columns.
static void blur(float* values, float* line, uint32_t count, size_t stride, uint32_t lines,
                 size_t line_stride, int32_t radius) {
    for (uint32_t l = 0; l < lines; ++l) {
        float* v = values + l * line_stride;
        float sum = 0.0f;
        for (int32_t i = -radius; i <= radius; ++i) {
            sum += i >= 0 && i < (int32_t)count ? v[(size_t)i * stride] : 0.0f;
        }
        for (int32_t i = 0; i < (int32_t)count; ++i) {
            line[i] = sum / (float)(2 * radius + 1);
            const int32_t in = i + radius + 1, out = i - radius;
            sum += in < (int32_t)count ? v[(size_t)in * stride] : 0.0f;
            sum -= out >= 0 ? v[(size_t)out * stride] : 0.0f;
        }
        for (uint32_t i = 0; i < count; ++i) {
            v[i * stride] = line[i];
        }
    }
}

// Fills what the mesh covers of the ground, seen along the key light.
static void shadow_mesh(canvas* flat, const tlw_render_camera* camera,
                        const tlw_render_mesh* mesh) {
    for (uint32_t t = 0; t < mesh->index_count / 3; ++t) {
        uint32_t at[3];
        vec3 p[3];
        corner corners[3];
        bool is_seen = load_triangle(mesh, t, at, p);
        for (int k = 0; k < 3 && is_seen; ++k) {
            // A steep light relative to the camera: the shadow falls to the right and back.
            const float above = p[k].y - camera->ground;
            const vec3 lean =
                subtract(scale(flat->view.right, 0.28f), scale(flat->view.back, 0.22f));
            const vec3 down = {p[k].x + lean.x * above, camera->ground, p[k].z + lean.z * above};
            is_seen = project(&flat->view, down, &corners[k]);
            corners[k].normal = (vec3){0};
            corners[k].heat = 0.0f;
            corners[k].mesh = 0;
        }
        if (is_seen) {
            fill_triangle(flat, &corners[0], &corners[1], &corners[2]);
        }
    }
}

// The meshes projected onto the ground along the key light and blurred, one number per pixel. Null
// if out of memory.
static float* make_shadow(const canvas* c, const tlw_render_camera* camera,
                          const tlw_render_mesh* meshes, uint32_t mesh_count) {
    const uint32_t width = c->width / SAMPLES, height = c->height / SAMPLES;
    canvas flat = *c;
    flat.width = width;
    flat.height = height;
    flat.view.samples_per_metre /= SAMPLES;
    flat.view.middle_x /= SAMPLES;
    flat.view.middle_y /= SAMPLES;
    const size_t count = (size_t)width * height;
    float* shadow = malloc((count + 1) * sizeof *shadow);
    float* line = malloc((size_t)(width + height) * sizeof *line);
    flat.samples = malloc((count + 1) * sizeof *flat.samples);
    if (shadow && line && flat.samples) {
        for (size_t i = 0; i < count; ++i) {
            flat.samples[i] = (sample){.depth = -FLT_MAX};
        }
        for (uint32_t i = 0; i < mesh_count; ++i) {
            shadow_mesh(&flat, camera, &meshes[i]);
        }
        for (size_t i = 0; i < count; ++i) {
            shadow[i] = flat.samples[i].depth > -FLT_MAX ? 1.0f : 0.0f;
        }
        const int32_t radius = (int32_t)(0.018f * (float)height) + 1;
        for (int pass = 0; pass < 3; ++pass) {
            blur(shadow, line, width, 1, height, width, radius);
            blur(shadow, line, height, width, width, 1, (radius + 1) / 2);
        }
    } else {
        free(shadow);
        shadow = NULL;
    }
    free(flat.samples);
    free(line);
    return shadow;
}

// ---- Drawing

static tlw_render_area inside(const tlw_picture* picture, tlw_render_area area) {
    area.width = area.x >= picture->width               ? 0
                 : area.width > picture->width - area.x ? picture->width - area.x
                                                        : area.width;
    area.height = area.y >= picture->height                ? 0
                  : area.height > picture->height - area.y ? picture->height - area.y
                                                           : area.height;
    return area;
}

static void compose(const canvas* c, const tlw_render_mesh* meshes, const float* shadow,
                    tlw_picture* picture, tlw_render_area area, float reach) {
    for (uint32_t y = 0; y < area.height; ++y) {
        for (uint32_t x = 0; x < area.width; ++x) {
            tlw_rgb* pixel = &picture->pixels[(size_t)(area.y + y) * picture->width + area.x + x];
            // The shadow fades towards the border, so that it is not cut off there.
            const float border =
                (float)(x < area.width - x ? x : area.width - x) / (float)area.width;
            const float shade =
                shadow ? 0.62f * shadow[(size_t)y * area.width + x] * smooth(0.0f, 0.14f, border)
                       : 0.0f;
            const vec3 behind = scale(rgb_to_linear(*pixel), 1.0f - shade);
            vec3 sum = {0};
            for (uint32_t k = 0; k < SAMPLES * SAMPLES; ++k) {
                const uint32_t sx = x * SAMPLES + k % SAMPLES, sy = y * SAMPLES + k / SAMPLES;
                const sample* s = &c->samples[(size_t)sy * c->width + sx];
                sum = add(sum, s->depth == -FLT_MAX
                                   ? behind
                                   : light_sample(c, sx, sy,
                                                  rgb_to_linear(tlw_render_heat_colour(
                                                      meshes[s->mesh].colour, s->heat)),
                                                  reach));
            }
            sum = scale(sum, 1.0f / (SAMPLES * SAMPLES));
            *pixel = (tlw_rgb){to_srgb(sum.x), to_srgb(sum.y), to_srgb(sum.z)};
        }
    }
}

bool tlw_render_draw(tlw_picture* picture, tlw_render_area area, const tlw_render_camera* camera,
                     const tlw_render_mesh* mesh) {
    return tlw_render_draw_all(picture, area, camera, mesh, 1);
}

bool tlw_render_draw_all(tlw_picture* picture, tlw_render_area area,
                         const tlw_render_camera* camera, const tlw_render_mesh* meshes,
                         uint32_t mesh_count) {
    canvas c;
    area = inside(picture, area);
    if (!create_canvas(&c, area, camera)) {
        return false;
    }
    float* shadow = camera->has_ground ? make_shadow(&c, camera, meshes, mesh_count) : NULL;
    const bool has_memory = shadow || !camera->has_ground;
    if (has_memory) {
        for (uint32_t i = 0; i < mesh_count; ++i) {
            fill_mesh(&c, &meshes[i], i);
        }
        compose(&c, meshes, shadow, picture, area, 0.06f * camera->height);
    }
    free(shadow);
    free(c.samples);
    return has_memory;
}

bool tlw_render_outline(tlw_picture* picture, tlw_render_area area, const tlw_render_camera* camera,
                        const tlw_render_mesh* mesh, tlw_rgb colour, float width) {
    canvas c;
    area = inside(picture, area);
    if (!create_canvas(&c, area, camera)) {
        return false;
    }
    fill_mesh(&c, mesh, 0);
    const int32_t reach = (int32_t)(0.5f * width * SAMPLES + 0.5f);
    for (uint32_t y = 0; y < area.height; ++y) {
        for (uint32_t x = 0; x < area.width; ++x) {
            uint32_t lit = 0;
            for (uint32_t k = 0; k < SAMPLES * SAMPLES; ++k) {
                const int32_t sx = (int32_t)(x * SAMPLES + k % SAMPLES);
                const int32_t sy = (int32_t)(y * SAMPLES + k / SAMPLES);
                uint32_t within = 0, all = 0;
                for (int32_t v = sy - reach; v <= sy + reach; ++v) {
                    for (int32_t u = sx - reach; u <= sx + reach; ++u) {
                        if (u >= 0 && v >= 0 && u < (int32_t)c.width && v < (int32_t)c.height) {
                            all += 1;
                            within += c.samples[(size_t)v * c.width + (size_t)u].depth > -FLT_MAX;
                        }
                    }
                }
                lit += within > 0 && within < all;
            }
            if (lit > 0) {
                tlw_picture_blend(picture, (int32_t)(area.x + x), (int32_t)(area.y + y), colour,
                                  0.85f * (float)lit / (SAMPLES * SAMPLES));
            }
        }
    }
    free(c.samples);
    return true;
}
