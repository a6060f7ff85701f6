// SPDX-License-Identifier: MIT
// The surface between two neighbouring voxels (RULES 6, tests 2 and 3): whether it separates them,
// and whether skin joins them. Used by the stage cuts. Reads cook->welded, cook->voxels,
// cook->surface and cook->tree. Exact in snapped integers, which are within [0, 2^20] here.
#include "tools/cook/closest.h"
#include "tools/cook/stages.h"

struct tlw_skin {
    tlw_cook* cook;
    tlw_closest own;         // over all triangles, where cook->tree has only some of them
    const tlw_closest* tree; // over all triangles
    uint32_t* walked;        // per triangle: the last walk that came by
    uint32_t* stack;
    uint32_t walk; // walks so far
};

tlw_skin* tlw_cook_make_skin(tlw_cook* cook) {
    const uint32_t triangles = cook->welded.triangle_count;
    tlw_skin* skin = tlw_cook_allocate(cook, 1, sizeof *skin);
    if (skin == NULL) {
        return NULL;
    }
    skin->cook = cook;
    skin->walked = tlw_cook_allocate(cook, triangles, sizeof *skin->walked);
    skin->stack = tlw_cook_allocate(cook, triangles, sizeof *skin->stack);
    skin->tree = cook->tree;
    if (cook->error.result == TLW_OK && cook->tree->triangle_count != triangles) {
        tlw_closest_build(cook, false, &skin->own);
        skin->tree = &skin->own;
    }
    return cook->error.result == TLW_OK ? skin : NULL;
}

void tlw_cook_free_skin(tlw_cook* cook, tlw_skin* skin) {
    if (skin != NULL) {
        tlw_closest_free(cook, &skin->own);
        tlw_cook_free(cook, skin->walked);
        tlw_cook_free(cook, skin->stack);
        tlw_cook_free(cook, skin);
    }
}

typedef struct wide3 {
    int64_t x, y, z;
} wide3;

static wide3 minus(tlw_int3 a, tlw_int3 b) {
    return (wide3){(int64_t)a.x - b.x, (int64_t)a.y - b.y, (int64_t)a.z - b.z};
}

static int sign_of_volume(wide3 a, wide3 b, wide3 c) {
    const int64_t volume = (a.y * b.z - a.z * b.y) * c.x + (a.z * b.x - a.x * b.z) * c.y +
                           (a.x * b.y - a.y * b.x) * c.z;
    return (volume > 0) - (volume < 0);
}

typedef struct centre_line {
    const tlw_cook_welded* welded;
    tlw_int3 from, to; // centres of the two voxels
} centre_line;

// Whether the closed triangle meets the closed line. One in a plane with it does not count.
static bool meets_line(uint32_t triangle, const void* user) {
    const centre_line* line = user;
    tlw_int3 corner[3];
    for (int i = 0; i < 3; ++i) {
        corner[i] = line->welded->snapped[line->welded->triangles[triangle][i]];
    }
    const wide3 ab = minus(corner[1], corner[0]), ac = minus(corner[2], corner[0]);
    const int from = sign_of_volume(ab, ac, minus(line->from, corner[0]));
    const int to = sign_of_volume(ab, ac, minus(line->to, corner[0]));
    if (from == to) { // both on one side, or both in the plane
        return false;
    }
    // The plane is met in one point, which is in the triangle if no two edges see it on
    // different sides.
    const wide3 along = minus(line->to, line->from);
    bool has_left = false, has_right = false;
    for (int i = 0; i < 3; ++i) {
        const int side = sign_of_volume(minus(corner[i], line->from),
                                        minus(corner[i == 2 ? 0 : i + 1], line->from), along);
        has_left |= side > 0;
        has_right |= side < 0;
    }
    return !(has_left && has_right);
}

static double lower(double a, double b) {
    return a < b ? a : b;
}

static double higher(double a, double b) {
    return a > b ? a : b;
}

bool tlw_skin_is_between(const tlw_skin* skin, uint32_t i, uint32_t j) {
    const tlw_cook* cook = skin->cook;
    const bool is_touched_i = cook->voxels.is_touched[i], is_touched_j = cook->voxels.is_touched[j];
    // The line runs inside the two voxels: a triangle that meets it touches one of them.
    if (is_touched_i == is_touched_j) {
        return is_touched_i;
    }
    const tlw_int3 cell_i = cook->voxels.coordinates[i], cell_j = cook->voxels.coordinates[j];
    const centre_line line = {&cook->welded, tlw_cook_snapped_centre(cell_i),
                              tlw_cook_snapped_centre(cell_j)};
    const tlw_double3 a = tlw_cook_voxel_centre(&cook->grid, cell_i),
                      b = tlw_cook_voxel_centre(&cook->grid, cell_j);
    // Snapping moves a corner by half a unit, so the box that is searched is two units wider.
    const double wider = cook->grid.voxel * 2.0 / TLW_SUBVOXELS;
    const tlw_double3 low = {lower(a.x, b.x) - wider, lower(a.y, b.y) - wider,
                             lower(a.z, b.z) - wider};
    const tlw_double3 high = {higher(a.x, b.x) + wider, higher(a.y, b.y) + wider,
                              higher(a.z, b.z) + wider};
    return tlw_closest_any(skin->tree, low, high, meets_line, &line);
}

// A walk from triangle to triangle over edges that touch the box around both voxels. Sides on one
// edge form a ring, so that one step along it is enough: the next triangle takes the next step.
bool tlw_skin_joins(tlw_skin* skin, uint32_t i, uint32_t j) {
    const tlw_cook* cook = skin->cook;
    const tlw_cook_welded* welded = &cook->welded;
    const tlw_int3 a = cook->voxels.coordinates[i], b = cook->voxels.coordinates[j];
    const tlw_int3 low = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
    const tlw_int3 high = {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z};
    const uint32_t goal = cook->surface[j].triangle;
    uint32_t depth = 0;
    skin->walk += 1;
    skin->stack[depth++] = cook->surface[i].triangle;
    skin->walked[cook->surface[i].triangle] = skin->walk;
    while (depth > 0) {
        const uint32_t triangle = skin->stack[--depth];
        if (triangle == goal) {
            return true;
        }
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t next = welded->next_side[triangle * 3 + k] / 3;
            if (skin->walked[next] != skin->walk &&
                tlw_segment_touches_box(welded->snapped[welded->triangles[triangle][k]],
                                        welded->snapped[welded->triangles[triangle][(k + 1) % 3]],
                                        low, high)) {
                skin->walked[next] = skin->walk;
                skin->stack[depth++] = next;
            }
        }
    }
    return false;
}
