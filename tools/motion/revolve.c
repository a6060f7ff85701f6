// SPDX-License-Identifier: MIT
// Makes meshes of revolution: a vertex at each pole, rings of vertices between them.
#include "tools/motion/revolve.h"

#include <math.h>
#include <stdlib.h>

#define TURN 6.283185307179586

bool tlw_revolve_create(tlw_revolve* mesh, uint32_t vertices, uint32_t triangles) {
    *mesh = (tlw_revolve){.positions = calloc((size_t)vertices * 3, sizeof(float)),
                          .normals = calloc((size_t)vertices * 3, sizeof(float)),
                          .weights = calloc((size_t)vertices * 2, sizeof(float)),
                          .indices = calloc((size_t)triangles * 3, sizeof(uint32_t)),
                          .joints = calloc((size_t)vertices * 2, sizeof(uint32_t))};
    return mesh->positions && mesh->normals && mesh->weights && mesh->indices && mesh->joints;
}

void tlw_revolve_free(tlw_revolve* mesh) {
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->weights);
    free(mesh->indices);
    free(mesh->joints);
    *mesh = (tlw_revolve){0};
}

uint32_t tlw_revolve_vertices(uint32_t points, uint32_t around) {
    return 2 + (points - 2) * around;
}

uint32_t tlw_revolve_triangles(uint32_t points, uint32_t around) {
    return 2 * around * (points - 2);
}

void tlw_revolve_weigh(tlw_revolve* mesh, uint32_t vertex, double weight) {
    mesh->joints[vertex * 2] = 0;
    mesh->joints[vertex * 2 + 1] = 1;
    mesh->weights[vertex * 2] = (float)(1 - weight);
    mesh->weights[vertex * 2 + 1] = (float)weight;
}

// Adds a vertex: point k of the profile, turned by a share of the whole turn. Its normal stands on
// the line between the points before and after it.
static uint32_t add_vertex(tlw_revolve* mesh, const tlw_revolve_point* points, uint32_t count,
                           uint32_t k, double share, uint32_t axis) {
    const tlw_revolve_point *before = &points[k > 0 ? k - 1 : k],
                            *after = &points[k + 1 < count ? k + 1 : k];
    const bool is_pole = k == 0 || k + 1 == count;
    double normal[2] = {before->radius - after->radius, after->along - before->along};
    if (is_pole) {
        normal[0] = k == 0 ? -1 : 1;
        normal[1] = 0;
    }
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
    const double c = cos(TURN * share), s = sin(TURN * share);
    const uint32_t vertex = mesh->vertex_count++, b = (axis + 1) % 3, d = (axis + 2) % 3;
    float *position = mesh->positions + (size_t)vertex * 3,
          *out = mesh->normals + (size_t)vertex * 3;
    position[axis] = (float)points[k].along;
    position[b] = (float)(points[k].radius * c);
    position[d] = (float)(points[k].radius * s);
    out[axis] = (float)(normal[0] / length);
    out[b] = (float)(normal[1] / length * c);
    out[d] = (float)(normal[1] / length * s);
    tlw_revolve_weigh(mesh, vertex, 0);
    return vertex;
}

static void add_triangle(tlw_revolve* mesh, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t* to = mesh->indices + (size_t)mesh->triangle_count++ * 3;
    to[0] = a, to[1] = b, to[2] = c;
}

void tlw_revolve_add(tlw_revolve* mesh, const tlw_revolve_point* points, uint32_t count,
                     uint32_t around, uint32_t axis) {
    const uint32_t first = add_vertex(mesh, points, count, 0, 0, axis);
    for (uint32_t k = 1; k + 1 < count; ++k) {
        for (uint32_t i = 0; i < around; ++i) {
            add_vertex(mesh, points, count, k, (double)i / around, axis);
        }
    }
    const uint32_t last = add_vertex(mesh, points, count, count - 1, 0, axis);
    const uint32_t rings = count - 2;
    for (uint32_t i = 0; i < around; ++i) {
        const uint32_t next = (i + 1) % around, end = first + 1 + (rings - 1) * around;
        add_triangle(mesh, first, first + 1 + next, first + 1 + i);
        for (uint32_t k = 0; k + 1 < rings; ++k) {
            const uint32_t low = first + 1 + k * around, high = low + around;
            add_triangle(mesh, low + i, low + next, high + next);
            add_triangle(mesh, low + i, high + next, high + i);
        }
        add_triangle(mesh, end + i, end + next, last);
    }
}

tlw_cook_mesh tlw_revolve_mesh(const tlw_revolve* mesh, const char* name) {
    return (tlw_cook_mesh){.name = name,
                           .role = TLW_ROLE_VOXELISE,
                           .vertex_count = mesh->vertex_count,
                           .positions = mesh->positions,
                           .normals = mesh->normals,
                           .triangle_count = mesh->triangle_count,
                           .indices = mesh->indices,
                           .influence_count = 2,
                           .joints = mesh->joints,
                           .weights = mesh->weights};
}
