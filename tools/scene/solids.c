// SPDX-License-Identifier: MIT
// Meshes of colliders (MODEL 3.15 has their geometry), and depths inside them.
#include "tools/scene/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum {
    AROUND = 32, // vertices of a capsule's ring
    RINGS = 18,  // of a capsule: half of them at each end
    GRID = 16    // squares along a face of a box
};

// ---- Lists

static tlw_solid* add(tlw_solids* solids, tlw_rgb colour) {
    if (solids->count == TLW_SOLIDS_MAX) {
        return NULL;
    }
    tlw_solid* solid = &solids->list[solids->count++];
    *solid = (tlw_solid){
        .shape = tlw_default_collider_def(), .pose = tlw_default_collider_pose(), .colour = colour};
    return solid;
}

tlw_solid* tlw_solids_add_capsule(tlw_solids* solids, const double from[3], const double to[3],
                                  double radius, tlw_rgb colour) {
    tlw_solid* solid = add(solids, colour);
    for (int axis = 0; axis < 3 && solid; ++axis) {
        solid->pose.position[axis] = from[axis];
        solid->shape.ends[1][axis] = (float)(to[axis] - from[axis]);
        solid->shape.radii[0] = solid->shape.radii[1] = (float)radius;
    }
    return solid;
}

tlw_solid* tlw_solids_add_collider(tlw_solids* solids, const tlw_world* world, tlw_collider_id id,
                                   tlw_rgb colour) {
    tlw_solid* solid = tlw_collider_is_valid(world, id) ? add(solids, colour) : NULL;
    if (solid) {
        TLW_IGNORE(tlw_collider_get(world, id, &solid->shape, &solid->pose)); // the id is good
    }
    return solid;
}

tlw_solid* tlw_solids_add_limb(tlw_solids* solids, const tlw_limb* limb, tlw_rgb colour) {
    tlw_solid* solid = tlw_solids_add_capsule(solids, limb->ends[0], limb->ends[1],
                                              (double)limb->radii[0], colour);
    if (solid) {
        solid->shape.radii[1] = limb->radii[1];
    }
    return solid;
}

// ---- Axes

static void rotate(const float q[4], const double v[3], double out[3]) {
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    const double t[3] = {2.0 * (y * v[2] - z * v[1]), 2.0 * (z * v[0] - x * v[2]),
                         2.0 * (x * v[1] - y * v[0])};
    const double turned[3] = {v[0] + w * t[0] + y * t[2] - z * t[1],
                              v[1] + w * t[1] + z * t[0] - x * t[2],
                              v[2] + w * t[2] + x * t[1] - y * t[0]};
    memcpy(out, turned, sizeof turned);
}

static void to_world(const tlw_solid* solid, const double local[3], double out[3]) {
    rotate(solid->pose.rotation, local, out);
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] += solid->pose.position[axis];
    }
}

static void to_local(const tlw_solid* solid, const double point[3], double out[3]) {
    float back[4];
    double from[3];
    for (int axis = 0; axis < 3; ++axis) {
        back[axis] = -solid->pose.rotation[axis];
        from[axis] = point[axis] - solid->pose.position[axis];
    }
    back[3] = solid->pose.rotation[3];
    rotate(back, from, out);
}

// ---- Depths

static double capsule_depth(const tlw_collider_def* shape, const double x[3]) {
    double axis[3], from[3], along = 0.0, length2 = 0.0, distance2 = 0.0;
    for (int a = 0; a < 3; ++a) {
        axis[a] = (double)shape->ends[1][a] - (double)shape->ends[0][a];
        from[a] = x[a] - (double)shape->ends[0][a];
        along += axis[a] * from[a];
        length2 += axis[a] * axis[a];
    }
    const double t = length2 > 0.0 ? fmin(fmax(along / length2, 0.0), 1.0) : 0.0;
    for (int a = 0; a < 3; ++a) {
        distance2 += (from[a] - t * axis[a]) * (from[a] - t * axis[a]);
    }
    return (double)shape->radii[0] + t * (double)(shape->radii[1] - shape->radii[0]) -
           sqrt(distance2);
}

static double box_depth(const tlw_collider_def* shape, const double x[3]) {
    double outside2 = 0.0, nearest = -INFINITY;
    for (int a = 0; a < 3; ++a) {
        const double over = fabs(x[a]) - (double)shape->half_extents[a];
        outside2 += over > 0.0 ? over * over : 0.0;
        nearest = fmax(nearest, over);
    }
    return (double)shape->rounding - (outside2 > 0.0 ? sqrt(outside2) : nearest);
}

double tlw_solid_depth(const tlw_solid* solid, const double point[3]) {
    double x[3];
    to_local(solid, point, x);
    return solid->shape.kind == TLW_COLLIDER_BOX ? box_depth(&solid->shape, x)
                                                 : capsule_depth(&solid->shape, x);
}

// ---- Meshes

static void put(const tlw_solid* solid, tlw_solid_mesh* mesh, const double at[3],
                const double normal[3]) {
    double place[3], turned[3];
    to_world(solid, at, place);
    rotate(solid->pose.rotation, normal, turned);
    const size_t to = (size_t)mesh->vertex_count++ * 3;
    for (size_t axis = 0; axis < 3; ++axis) {
        mesh->positions[to + axis] = (float)place[axis];
        mesh->normals[to + axis] = (float)turned[axis];
    }
}

// Two triangles between rows of `stride` vertices. Counterclockwise from outside, or the renderer
// would turn the normals over.
static void put_square(tlw_solid_mesh* mesh, uint32_t first, uint32_t next, uint32_t stride) {
    const uint32_t corners[6] = {first, next, first + stride, first + stride, next, next + stride};
    memcpy(mesh->indices + mesh->index_count, corners, sizeof corners);
    mesh->index_count += 6;
}

static void make_capsule(const tlw_solid* solid, tlw_solid_mesh* mesh) {
    const tlw_collider_def* shape = &solid->shape;
    double axis[3] = {0.0, 0.0, 0.0}, length = 0.0;
    for (int a = 0; a < 3; ++a) {
        axis[a] = (double)shape->ends[1][a] - (double)shape->ends[0][a];
        length += axis[a] * axis[a];
    }
    for (int a = 0; a < 3; ++a) {
        axis[a] = length > 0.0 ? axis[a] / sqrt(length) : a == 1 ? 1.0 : 0.0;
    }
    const int least = fabs(axis[0]) < 0.6 ? 0 : 1;
    double side[3] = {-axis[0] * axis[least], -axis[1] * axis[least], -axis[2] * axis[least]};
    side[least] += 1.0;
    const double by = 1.0 / sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]);
    const double other[3] = {by * (axis[1] * side[2] - axis[2] * side[1]),
                             by * (axis[2] * side[0] - axis[0] * side[2]),
                             by * (axis[0] * side[1] - axis[1] * side[0])};
    for (uint32_t ring = 0; ring < RINGS; ++ring) {
        // From the pole of end 0 to its equator, then from the equator of end 1 to its pole.
        const uint32_t end = ring >= RINGS / 2, step = ring - end * (RINGS / 2);
        const double angle = (end + (double)step / (RINGS / 2 - 1)) * 0.5 * PI;
        for (uint32_t i = 0; i <= AROUND; ++i) {
            const double turn = 2.0 * PI * i / AROUND;
            double at[3], normal[3];
            for (int a = 0; a < 3; ++a) {
                const double out = cos(turn) * side[a] * by + sin(turn) * other[a];
                normal[a] = sin(angle) * out - cos(angle) * axis[a];
                at[a] = (double)shape->ends[end][a] + (double)shape->radii[end] * normal[a];
            }
            put(solid, mesh, at, normal);
        }
    }
    for (uint32_t ring = 0; ring + 1 < RINGS; ++ring) {
        for (uint32_t i = 0; i < AROUND; ++i) {
            const uint32_t first = ring * (AROUND + 1) + i;
            put_square(mesh, first, first + 1, AROUND + 1);
        }
    }
}

// Each face of the box with its rounding is a grid, whose points are drawn in to the rounding's
// distance from the box without it.
static void make_box(const tlw_solid* solid, tlw_solid_mesh* mesh) {
    const tlw_collider_def* shape = &solid->shape;
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        const uint32_t first = mesh->vertex_count;
        for (uint32_t i = 0; i < (GRID + 1) * (GRID + 1); ++i) {
            const double share[2] = {2.0 * (i % (GRID + 1)) / GRID - 1.0,
                                     2.0 * (i / (GRID + 1)) / GRID - 1.0};
            double at[3], normal[3], length = 0.0;
            at[axis] = face % 2 ? 1.0 : -1.0;
            at[u] = share[0];
            at[v] = share[1];
            for (int a = 0; a < 3; ++a) {
                const double half = (double)shape->half_extents[a];
                at[a] *= half + (double)shape->rounding;
                const double inner = fmin(fmax(at[a], -half), half);
                normal[a] = at[a] - inner;
                at[a] = inner;
                length += normal[a] * normal[a];
            }
            for (int a = 0; a < 3; ++a) {
                normal[a] /= length > 0.0 ? sqrt(length) : 1.0;
                at[a] += (double)shape->rounding * normal[a];
            }
            put(solid, mesh, at, normal);
        }
        for (uint32_t i = 0; i < GRID * GRID; ++i) {
            const uint32_t at = first + i % GRID + i / GRID * (GRID + 1);
            put_square(mesh, at + (face % 2 ? 0 : 1), at + (face % 2 ? 1 : 0), GRID + 1);
        }
    }
}

bool tlw_solid_make_mesh(const tlw_solid* solid, tlw_solid_mesh* out) {
    const bool is_box = solid->shape.kind == TLW_COLLIDER_BOX;
    const size_t vertices = is_box ? 6 * (GRID + 1) * (GRID + 1) : (size_t)RINGS * (AROUND + 1);
    const size_t squares = is_box ? 6 * GRID * GRID : (size_t)(RINGS - 1) * AROUND;
    *out = (tlw_solid_mesh){.positions = malloc(vertices * 3 * sizeof(float)),
                            .normals = malloc(vertices * 3 * sizeof(float)),
                            .indices = malloc(squares * 6 * sizeof(uint32_t))};
    if (!out->positions || !out->normals || !out->indices) {
        return false;
    }
    if (is_box) {
        make_box(solid, out);
    } else {
        make_capsule(solid, out);
    }
    return true;
}

void tlw_solid_free_mesh(tlw_solid_mesh* mesh) {
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->indices);
    *mesh = (tlw_solid_mesh){0};
}

bool tlw_solids_draw(const tlw_solids* list, const tlw_render_mesh* mesh,
                     const tlw_render_camera* camera, tlw_picture* picture, tlw_render_area area) {
    tlw_solid_mesh made[TLW_SOLIDS_MAX] = {{0}};
    tlw_render_mesh meshes[TLW_SOLIDS_MAX + 1] = {*mesh}, lines[TLW_SOLIDS_MAX];
    uint32_t mesh_count = 1, line_count = 0;
    bool is_good = true;
    for (uint32_t i = 0; i < list->count && is_good; ++i) {
        const tlw_solid* solid = &list->list[i];
        is_good = tlw_solid_make_mesh(solid, &made[i]);
        const tlw_render_mesh drawn = {.vertex_count = made[i].vertex_count,
                                       .index_count = made[i].index_count,
                                       .positions = made[i].positions,
                                       .normals = made[i].normals,
                                       .indices = made[i].indices,
                                       .colour = solid->colour};
        if (solid->is_line) {
            lines[line_count++] = drawn;
        } else {
            meshes[mesh_count++] = drawn;
        }
    }
    is_good = is_good && tlw_render_draw_all(picture, area, camera, meshes, mesh_count);
    for (uint32_t i = 0; i < line_count && is_good; ++i) {
        is_good = tlw_render_outline(picture, area, camera, &lines[i], lines[i].colour, 1.0f);
    }
    for (uint32_t i = 0; i < list->count; ++i) {
        tlw_solid_free_mesh(&made[i]);
    }
    return is_good;
}
