// SPDX-License-Identifier: MIT
// Opens study bodies and draws what is inside of them: lines as discs over the picture, sections
// and ellipsoids as meshes.
#include "tools/figures/muscled.h"

#include <math.h>
#include <stdlib.h>

#define TURN 6.283185307179586

enum { AROUND = 24, RINGS_BETWEEN = 8, ELLIPSOID_RINGS = 17 };

// ---- Bodies

bool tlw_muscled_open(tlw_figures* f, const char* name, const tlw_cook_input* input,
                      const tlw_cook_recipe* recipe, tlw_embedded* out) {
    *out = (tlw_embedded){0};
    tlw_motion_def def = tlw_default_motion_def();
    def.actor = &out->actor;
    return tlw_actor_cook_input(&out->actor, name, input, recipe, &f->error) == TLW_SCENE_OK &&
           tlw_surface_open(&out->surface, &out->actor, &f->error) == TLW_SCENE_OK &&
           tlw_motion_open(&def, &out->motion, &f->error) == TLW_SCENE_OK;
}

bool tlw_muscled_open_arm(tlw_figures* f, tlw_arm_muscles muscles, uint32_t only, float bulge,
                          tlw_embedded* out) {
    tlw_arm arm;
    *out = (tlw_embedded){0};
    bool is_good = tlw_arm_make(&arm, muscles);
    if (!is_good) {
        f->error.code = TLW_SCENE_CANNOT_READ;
        snprintf(f->error.message, sizeof f->error.message, "out of memory for an arm");
    }
    arm.muscles[0].bulge = arm.muscles[1].bulge = bulge;
    if (is_good && muscles == TLW_ARM_BOTH && only < 2) {
        arm.recipe.muscles = &arm.muscles[only];
        arm.recipe.muscle_count = 1;
    }
    is_good = is_good && tlw_muscled_open(f, "arm", &arm.input, &arm.recipe, out);
    tlw_arm_free(&arm);
    return is_good;
}

bool tlw_muscled_look(tlw_figures* f, tlw_embedded* body, const tlw_bent_joint* joints,
                      uint32_t count) {
    if (!tlw_muscle_look(&body->surface, body->motion, joints, count)) {
        f->error.code = TLW_SCENE_BAD;
        snprintf(f->error.message, sizeof f->error.message, "%s was not cooked for fit",
                 body->actor.name);
        return false;
    }
    return true;
}

tlw_render_mesh tlw_muscled_mesh(const tlw_embedded* body) {
    uint64_t count;
    tlw_render_mesh mesh = {.vertex_count = body->surface.vertex_count,
                            .positions = body->surface.positions,
                            .normals = body->surface.normals,
                            .indices = tlw_actor_indices(&body->actor, &count),
                            .colour = tlw_draw_clay};
    mesh.index_count = (uint32_t)count;
    return mesh;
}

// ---- Lines

static void draw_disc(const double place[3], const tlw_render_camera* camera, float radius,
                      tlw_rgb colour, tlw_picture* picture, tlw_render_area area) {
    const float point[3] = {(float)place[0], (float)place[1], (float)place[2]};
    float x, y;
    if (tlw_render_project(area, camera, point, &x, &y) && x >= (float)area.x &&
        y >= (float)area.y && x < (float)(area.x + area.width) &&
        y < (float)(area.y + area.height)) {
        tlw_picture_disc(picture, x, y, radius, colour, 0.9f);
    }
}

void tlw_muscled_draw_line(const tlw_muscle_sections* sections, const tlw_render_camera* camera,
                           tlw_rgb colour, tlw_picture* picture, tlw_render_area area) {
    enum { STEPS = 40 };
    for (uint32_t i = 0; i < sections->vertex_count; ++i) {
        const double *from = sections->vertices[i], *to = sections->vertices[i + 1];
        for (int k = 0; i + 1 < sections->vertex_count && k < STEPS; ++k) {
            double place[3];
            for (int a = 0; a < 3; ++a) {
                place[a] = from[a] + (to[a] - from[a]) * k / STEPS;
            }
            draw_disc(place, camera, 1.1f, colour, picture, area);
        }
        draw_disc(from, camera, 2.8f, colour, picture, area);
    }
}

// ---- Solids

static bool allocate(tlw_muscled_solid* out, uint32_t rings, tlw_rgb colour) {
    const uint32_t vertices = rings * AROUND, indices = (rings - 1) * AROUND * 6;
    *out = (tlw_muscled_solid){.positions = calloc((size_t)vertices * 3, sizeof(float)),
                               .normals = calloc((size_t)vertices * 3, sizeof(float)),
                               .indices = calloc(indices, sizeof(uint32_t))};
    if (!out->positions || !out->normals || !out->indices) {
        return false;
    }
    uint32_t* to = out->indices;
    for (uint32_t ring = 0; ring + 1 < rings; ++ring) {
        for (uint32_t i = 0; i < AROUND; ++i) {
            const uint32_t a = ring * AROUND + i, b = ring * AROUND + (i + 1) % AROUND;
            const uint32_t corners[6] = {a, b, b + AROUND, a, b + AROUND, a + AROUND};
            for (int k = 0; k < 6; ++k) {
                *to++ = corners[k];
            }
        }
    }
    out->mesh = (tlw_render_mesh){.vertex_count = vertices,
                                  .index_count = indices,
                                  .positions = out->positions,
                                  .normals = out->normals,
                                  .indices = out->indices,
                                  .colour = colour};
    return true;
}

void tlw_muscled_free_solid(tlw_muscled_solid* solid) {
    free(solid->positions);
    free(solid->normals);
    free(solid->indices);
    *solid = (tlw_muscled_solid){0};
}

static void normalise(double v[3]) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3 && length > 0; ++a) {
        v[a] /= length;
    }
}

// A curve through four values, from b to c (Catmull-Rom).
static double curve(double a, double b, double c, double d, double t) {
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

// The line's place and the radius at a share of the way through segment s.
static double along(const tlw_muscle_sections* m, uint32_t s, double share, double place[3]) {
    const uint32_t last = m->vertex_count - 1;
    const uint32_t at[4] = {s > 0 ? s - 1 : 0, s, s + 1, s + 2 < last ? s + 2 : last};
    for (int a = 0; a < 3; ++a) {
        place[a] = curve(m->vertices[at[0]][a], m->vertices[at[1]][a], m->vertices[at[2]][a],
                         m->vertices[at[3]][a], share);
    }
    const double from = m->radii[s] * m->radii[s], to = m->radii[s + 1] * m->radii[s + 1];
    return sqrt(from + (to - from) * share);
}

bool tlw_muscled_tube(const tlw_muscle_sections* m, tlw_rgb colour, tlw_muscled_solid* out) {
    const uint32_t rings = (m->vertex_count - 1) * RINGS_BETWEEN + 1;
    if (!allocate(out, rings, colour)) {
        return false;
    }
    for (uint32_t ring = 0; ring < rings; ++ring) {
        const bool is_last = ring + 1 == rings;
        const uint32_t s = is_last ? m->vertex_count - 2 : ring / RINGS_BETWEEN;
        const double share = is_last ? 1.0 : ring % RINGS_BETWEEN / (double)RINGS_BETWEEN;
        double centre[3], tangent[3], next[3];
        const double radius = along(m, s, share, centre);
        along(m, s, is_last ? 1.0 - 1e-3 : share + 1e-3, next);
        for (int a = 0; a < 3; ++a) {
            tangent[a] = is_last ? centre[a] - next[a] : next[a] - centre[a];
        }
        normalise(tangent);
        // Two directions across the line; model y is never along it in these bodies' muscles.
        double across[3] = {tangent[2], 0, -tangent[0]};
        normalise(across);
        const double up[3] = {tangent[1] * across[2] - tangent[2] * across[1],
                              tangent[2] * across[0] - tangent[0] * across[2],
                              tangent[0] * across[1] - tangent[1] * across[0]};
        for (uint32_t i = 0; i < AROUND; ++i) {
            const double c = cos(TURN * i / AROUND), d = sin(TURN * i / AROUND);
            for (uint32_t a = 0; a < 3; ++a) {
                const double n = across[a] * c + up[a] * d;
                const size_t at = ((size_t)ring * AROUND + i) * 3 + a;
                out->normals[at] = (float)n;
                out->positions[at] = (float)(centre[a] + radius * n);
            }
        }
    }
    return true;
}

bool tlw_muscled_ellipsoid(const double centre[3], const double radii[3], tlw_rgb colour,
                           tlw_muscled_solid* out) {
    if (!allocate(out, ELLIPSOID_RINGS, colour)) {
        return false;
    }
    for (uint32_t ring = 0; ring < ELLIPSOID_RINGS; ++ring) {
        const double polar = TURN / 2 * ring / (ELLIPSOID_RINGS - 1);
        for (uint32_t i = 0; i < AROUND; ++i) {
            const double turn = -TURN * i / AROUND;
            const double unit[3] = {sin(polar) * cos(turn), cos(polar), sin(polar) * sin(turn)};
            double normal[3] = {unit[0] / radii[0], unit[1] / radii[1], unit[2] / radii[2]};
            normalise(normal);
            for (uint32_t a = 0; a < 3; ++a) {
                const size_t at = ((size_t)ring * AROUND + i) * 3 + a;
                out->positions[at] = (float)(centre[a] + radii[a] * unit[a]);
                out->normals[at] = (float)normal[a];
            }
        }
    }
    return true;
}
