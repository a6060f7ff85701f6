// SPDX-License-Identifier: MIT
// Whether the centre of a cell is inside the mesh (RULES 3.4 to 3.6): six signed rays per cell, and
// the signed volume that finds meshes that are inside out. Used by the stage voxelise. Mesh
// coordinates are within [0, 2^20], so every product here fits into 64 bits; only the sum of all
// volumes needs more.
#include "tools/cook/stages.h"

#include <string.h>

// Rays run along `axis` through the centres of cells, at coordinates (u, v) on the two other axes,
// in cyclic order. A ray through an edge or a corner counts as moved by (e, e^2) along u and v, e
// infinitely small, so that it crosses each surface once (RULES 3.5): that decides the sign of a
// cross product that is zero.
static int64_t coordinate(const tlw_int3* v, int axis) {
    return axis == 0 ? v->x : axis == 1 ? v->y : v->z;
}

// The side of the edge a -> b that the ray lies on: +1, -1; 0 only for an edge that has no length
// when seen along the axis.
static int side_of_edge(int64_t au, int64_t av, int64_t bu, int64_t bv, int64_t u, int64_t v) {
    int64_t cross = (bu - au) * (v - av) - (bv - av) * (u - au);
    if (cross == 0) {
        cross = bv != av ? -(bv - av) : bu - au;
    }
    return (cross > 0) - (cross < 0);
}

// The sum of the signed volumes of the tetrahedra between the centre of the grid and each triangle.
// One volume is below 2^60, so the sum is kept in two halves.
static bool is_inside_out(const tlw_cook* cook) {
    const tlw_cook_welded* welded = &cook->welded;
    const int64_t half = TLW_SUBVOXELS / 2, low_part = 0xFFFFFFFF;
    const int64_t centre[3] = {half * cook->grid.size.x, half * cook->grid.size.y,
                               half * cook->grid.size.z};
    int64_t high = 0, low = 0;
    for (uint32_t t = 0; t < welded->triangle_count; ++t) {
        int64_t at[3][3];
        for (int i = 0; i < 3; ++i) {
            const tlw_int3* p = &welded->snapped[welded->triangles[t][i]];
            for (int axis = 0; axis < 3; ++axis) {
                at[i][axis] = coordinate(p, axis) - centre[axis];
            }
        }
        const int64_t volume = at[0][0] * (at[1][1] * at[2][2] - at[1][2] * at[2][1]) +
                               at[0][1] * (at[1][2] * at[2][0] - at[1][0] * at[2][2]) +
                               at[0][2] * (at[1][0] * at[2][1] - at[1][1] * at[2][0]);
        low += volume & low_part;
        high += (volume - (volume & low_part)) / (low_part + 1);
    }
    return high + low / (low_part + 1) < 0; // low is not negative
}

// Lines along one axis are cut into slabs of rows of constant v. A slab is one item of parallel
// work: its cells belong to no other.
#define SLABS 16

typedef struct casting {
    const tlw_cook* cook;
    int axis, axis_u, axis_v;
    int64_t size[3];         // of the grid
    size_t stride[3];        // between neighbouring cells
    int64_t rows;            // per slab
    size_t begin[SLABS + 1]; // of each slab's triangles in `list`
    uint32_t* list;
    // Per line: signed crossings by place. Place 2 k + 1 is the centre of cell k, and place 2 k is
    // between the centres of cells k - 1 and k.
    int32_t* crossings;
    uint8_t* is_crossed; // per line; only these have their crossings set to 0 and read
    uint8_t* rays_inside;
} casting;

static size_t places_of(int64_t length) {
    return (size_t)(2 * length + 1);
}

// Cells whose centres are between low and high; first > last where there is none.
typedef struct span {
    int64_t first, last;
} span;

static span centres_between(int64_t low, int64_t high, int64_t size) {
    const int64_t half = TLW_SUBVOXELS / 2;
    span s = {low <= half ? 0 : (low - half + TLW_SUBVOXELS - 1) / TLW_SUBVOXELS,
              high < half ? -1 : (high - half) / TLW_SUBVOXELS};
    s.last = s.last >= size ? size - 1 : s.last;
    return s;
}

// A triangle as the rays along the axis see it.
typedef struct seen_triangle {
    int64_t a[3], u[3], v[3];
    int64_t area; // twice the signed area. Its sign says which way the triangle faces.
    span cells_u, cells_v;
} seen_triangle;

static bool see_triangle(const casting* c, uint32_t triangle, seen_triangle* t) {
    const tlw_cook_welded* welded = &c->cook->welded;
    int64_t low_u = INT64_MAX, high_u = INT64_MIN, low_v = INT64_MAX, high_v = INT64_MIN;
    for (int i = 0; i < 3; ++i) {
        const tlw_int3* p = &welded->snapped[welded->triangles[triangle][i]];
        t->a[i] = coordinate(p, c->axis);
        const int64_t u = t->u[i] = coordinate(p, c->axis_u);
        const int64_t v = t->v[i] = coordinate(p, c->axis_v);
        low_u = u < low_u ? u : low_u;
        high_u = u > high_u ? u : high_u;
        low_v = v < low_v ? v : low_v;
        high_v = v > high_v ? v : high_v;
    }
    t->cells_u = centres_between(low_u, high_u, c->size[c->axis_u]);
    t->cells_v = centres_between(low_v, high_v, c->size[c->axis_v]);
    t->area = (t->u[1] - t->u[0]) * (t->v[2] - t->v[0]) - (t->v[1] - t->v[0]) * (t->u[2] - t->u[0]);
    return t->cells_u.first <= t->cells_u.last && t->cells_v.first <= t->cells_v.last &&
           t->area != 0;
}

// Counts one crossing on the line through a row and a column of cells.
static void cross_line(const casting* c, const seen_triangle* t, int64_t cell_u, int64_t cell_v) {
    const int64_t half = TLW_SUBVOXELS / 2;
    const int64_t ray_u = cell_u * TLW_SUBVOXELS + half, ray_v = cell_v * TLW_SUBVOXELS + half;
    int sides = 0;
    for (int i = 0; i < 3; ++i) {
        const int k = i == 2 ? 0 : i + 1;
        sides += side_of_edge(t->u[i], t->v[i], t->u[k], t->v[k], ray_u, ray_v);
    }
    if (sides != 3 && sides != -3) {
        return;
    }
    // Where along the axis the plane is crossed, as a fraction over the area.
    const int64_t weight1 =
        (ray_u - t->u[0]) * (t->v[2] - t->v[0]) - (ray_v - t->v[0]) * (t->u[2] - t->u[0]);
    const int64_t weight2 =
        (t->u[1] - t->u[0]) * (ray_v - t->v[0]) - (t->v[1] - t->v[0]) * (ray_u - t->u[0]);
    int64_t at = t->a[0] * t->area + weight1 * (t->a[1] - t->a[0]) + weight2 * (t->a[2] - t->a[0]);
    int64_t area = t->area;
    int32_t facing = 1;
    if (area < 0) {
        at = -at;
        area = -area;
        facing = -1;
    }
    facing = c->cook->welded.is_inside_out ? -facing : facing;
    const int64_t length = c->size[c->axis], step = TLW_SUBVOXELS * area;
    const int64_t beyond = at - half * area; // the centre of the first cell
    int64_t place = beyond < 0 ? 0 : 2 * (beyond / step) + (beyond % step == 0 ? 1 : 2);
    place = place > 2 * length ? 2 * length : place;
    const size_t line = (size_t)(cell_v * c->size[c->axis_u] + cell_u);
    int32_t* crossings = c->crossings + line * places_of(length);
    if (!c->is_crossed[line]) {
        c->is_crossed[line] = 1;
        memset(crossings, 0, places_of(length) * sizeof *crossings);
    }
    crossings[place] += facing;
}

// Both rays of each cell of a line. A ray leaves through a triangle that faces along it, so the ray
// ahead sums the crossings after its centre, and the ray behind those before it, reversed. One at
// the centre itself counts for neither.
static void ask_line(const casting* c, int64_t cell_u, int64_t cell_v) {
    const int64_t length = c->size[c->axis];
    const size_t line = (size_t)(cell_v * c->size[c->axis_u] + cell_u);
    if (!c->is_crossed[line]) {
        return;
    }
    const int32_t* crossings = c->crossings + line * places_of(length);
    int32_t before = 0, after = 0;
    for (size_t i = 0; i < places_of(length); ++i) {
        after += crossings[i];
    }
    uint8_t* rays = c->rays_inside + (size_t)cell_u * c->stride[c->axis_u] +
                    (size_t)cell_v * c->stride[c->axis_v];
    for (int64_t k = 0; k < length; ++k, rays += c->stride[c->axis]) {
        before += crossings[2 * k];
        after -= crossings[2 * k] + crossings[2 * k + 1];
        *rays = (uint8_t)(*rays + (after > 0) + (before < 0));
        before += crossings[2 * k + 1];
    }
}

static void cast_slabs(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    (void)worker;
    const casting* c = context;
    for (uint32_t slab = begin; slab < end; ++slab) {
        const int64_t first = slab * c->rows;
        int64_t last = first + c->rows - 1;
        last = last >= c->size[c->axis_v] ? c->size[c->axis_v] - 1 : last;
        for (size_t i = c->begin[slab]; i < c->begin[slab + 1]; ++i) {
            seen_triangle t;
            see_triangle(c, c->list[i], &t);
            const int64_t from = t.cells_v.first > first ? t.cells_v.first : first;
            const int64_t to = t.cells_v.last < last ? t.cells_v.last : last;
            for (int64_t v = from; v <= to; ++v) {
                for (int64_t u = t.cells_u.first; u <= t.cells_u.last; ++u) {
                    cross_line(c, &t, u, v);
                }
            }
        }
        for (int64_t v = first; v <= last; ++v) {
            for (int64_t u = 0; u < c->size[c->axis_u]; ++u) {
                ask_line(c, u, v);
            }
        }
    }
}

// Lists the triangles that each slab's lines may cross; most triangles lie between lines.
static tlw_result list_triangles(tlw_cook* cook, casting* c) {
    seen_triangle t;
    memset(c->begin, 0, sizeof c->begin);
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < cook->welded.triangle_count; ++i) {
            if (!see_triangle(c, i, &t)) {
                continue;
            }
            for (int64_t s = t.cells_v.first / c->rows; s <= t.cells_v.last / c->rows; ++s) {
                if (pass == 0) {
                    c->begin[s + 1] += 1;
                } else {
                    c->list[c->begin[s]++] = i; // begin becomes end
                }
            }
        }
        if (pass == 0) {
            for (int s = 0; s < SLABS; ++s) {
                c->begin[s + 1] += c->begin[s];
            }
            c->list = tlw_cook_allocate(cook, c->begin[SLABS], sizeof *c->list);
            if (c->list == NULL) {
                return cook->error.result;
            }
        }
    }
    memmove(c->begin + 1, c->begin, SLABS * sizeof *c->begin);
    c->begin[0] = 0;
    return TLW_OK;
}

tlw_result tlw_cook_cast_rays(tlw_cook* cook, uint8_t* rays_inside) {
    const tlw_int3 n = cook->grid.size;
    casting c = {.cook = cook,
                 .size = {n.x, n.y, n.z},
                 .stride = {1, (size_t)n.x, (size_t)n.x * (size_t)n.y},
                 .rays_inside = rays_inside};
    cook->welded.is_inside_out = is_inside_out(cook);
    for (int axis = 0; axis < 3 && cook->error.result == TLW_OK; ++axis) {
        c.axis = axis;
        c.axis_u = (axis + 1) % 3;
        c.axis_v = (axis + 2) % 3;
        c.rows = (c.size[c.axis_v] + SLABS - 1) / SLABS;
        const uint64_t lines = (uint64_t)c.size[c.axis_u] * (uint64_t)c.size[c.axis_v];
        c.is_crossed = tlw_cook_allocate(cook, lines, sizeof *c.is_crossed);
        c.crossings = tlw_cook_allocate(cook, lines * places_of(c.size[axis]), sizeof *c.crossings);
        if (cook->error.result == TLW_OK && list_triangles(cook, &c) == TLW_OK) {
            tlw_cook_begin_part(cook, axis / 3.0, (axis + 1) / 3.0);
            tlw_cook_run_task(cook, cast_slabs, SLABS, 1, &c);
            tlw_cook_free(cook, c.list);
        }
        tlw_cook_free(cook, c.crossings);
        tlw_cook_free(cook, c.is_crossed);
    }
    return cook->error.result;
}
