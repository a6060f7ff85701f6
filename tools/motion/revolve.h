// SPDX-License-Identifier: MIT
// Closed meshes of revolution, of which the study bodies are made (arm.h, breast.h).
#ifndef TLW_TOOLS_MOTION_REVOLVE_H
#define TLW_TOOLS_MOTION_REVOLVE_H

#include "tools/cook/cook.h"

TLW_EXTERN_C_BEGIN

// A point of a profile: how far along the axis, and how far from it. The first and the last are on
// the axis, the others are not, and no two neighbours are equal.
typedef struct tlw_revolve_point {
    double along, radius;
} tlw_revolve_point;

// Arrays of a mesh with room for several surfaces. Weights are two per vertex, of joints 0 and 1.
typedef struct tlw_revolve {
    uint32_t vertex_count, triangle_count;
    float *positions, *normals, *weights;
    uint32_t *indices, *joints;
} tlw_revolve;

// False if out of memory. Free it also then. Every vertex follows joint 0.
bool tlw_revolve_create(tlw_revolve* mesh, uint32_t vertices, uint32_t triangles);
void tlw_revolve_free(tlw_revolve* mesh);
// How many vertices and triangles tlw_revolve_add adds.
uint32_t tlw_revolve_vertices(uint32_t points, uint32_t around);
uint32_t tlw_revolve_triangles(uint32_t points, uint32_t around);
// Adds the surface of a profile whose `along` first ascends, around model axis `axis`, with normals
// outwards.
void tlw_revolve_add(tlw_revolve* mesh, const tlw_revolve_point* points, uint32_t count,
                     uint32_t around, uint32_t axis);
// Gives a vertex this weight for joint 1 and the rest for joint 0.
void tlw_revolve_weigh(tlw_revolve* mesh, uint32_t vertex, double weight);
// The mesh for the cooker, whose arrays are those of `mesh`.
tlw_cook_mesh tlw_revolve_mesh(const tlw_revolve* mesh, const char* name);

TLW_EXTERN_C_END

#endif
