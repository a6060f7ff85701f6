// SPDX-License-Identifier: MIT
// Stage 2 of a sample: polygonises the implicit surface to a closed mesh by dual marching cubes
// (G. Nielson, "Dual Marching Cubes", IEEE Visualization 2004). Reads the shape, writes positions,
// normals, uvs, colours and triangles of the mesh. Each sheet of the surface in a cell gets a
// vertex and each grid edge that the surface crosses gets a quad, so that two sheets in one cell
// stay apart. Vertices are then moved onto the surface.
#include "tools/sample/build.h"

#include <stdlib.h>
#include <string.h>

// Corner c of a cell is at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4 a + k runs along axis a.
static const uint8_t edge_corners[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                            {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
static const uint8_t face_corners[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                           {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};

// For each of the 256 patterns of inside corners: the number of sheets, and for each crossed edge
// the sheet that it belongs to.
typedef struct sheet_table {
    uint8_t count[256];
    uint8_t of_edge[256][12];
} sheet_table;

static uint8_t edge_between(uint8_t a, uint8_t b) {
    for (uint8_t e = 0; e < 12; ++e) {
        if ((edge_corners[e][0] == a && edge_corners[e][1] == b) ||
            (edge_corners[e][0] == b && edge_corners[e][1] == a)) {
            return e;
        }
    }
    return 0;
}

static void join_edges(uint8_t group[12], uint8_t a, uint8_t b) {
    uint8_t from = group[a] > group[b] ? group[a] : group[b];
    uint8_t to = group[a] > group[b] ? group[b] : group[a];
    for (int e = 0; e < 12; ++e) {
        group[e] = group[e] == from ? to : group[e];
    }
}

// On each face of a cell the surface goes around each inside corner. This also decides the
// ambiguous case of two inside corners on a diagonal, and in the same way for both cells of the
// face, so that their sheets fit together.
static void make_sheet_table(sheet_table* table) {
    for (unsigned mask = 0; mask < 256; ++mask) {
        uint8_t group[12];
        for (uint8_t e = 0; e < 12; ++e) {
            group[e] = e;
        }
        for (int f = 0; f < 6; ++f) {
            const uint8_t* c = face_corners[f];
            uint8_t crossed[4];
            int crossed_count = 0;
            for (int i = 0; i < 4; ++i) {
                if ((mask >> c[i] & 1) != (mask >> c[(i + 1) & 3] & 1)) {
                    crossed[crossed_count++] = edge_between(c[i], c[(i + 1) & 3]);
                }
            }
            if (crossed_count == 2) {
                join_edges(group, crossed[0], crossed[1]);
            }
            for (int i = 0; i < 4 && crossed_count == 4; ++i) {
                if (mask >> c[i] & 1) {
                    join_edges(group, edge_between(c[(i + 3) & 3], c[i]),
                               edge_between(c[i], c[(i + 1) & 3]));
                }
            }
        }
        uint8_t count = 0;
        for (uint8_t e = 0; e < 12; ++e) {
            bool is_crossed = (mask >> edge_corners[e][0] & 1) != (mask >> edge_corners[e][1] & 1);
            if (!is_crossed) {
                table->of_edge[mask][e] = 0xff;
            } else if (group[e] == e) {
                table->of_edge[mask][e] = count++;
            } else {
                table->of_edge[mask][e] = table->of_edge[mask][group[e]];
            }
        }
        table->count[mask] = count;
    }
}

typedef struct field_grid {
    uint32_t n[3]; // corners per axis
    double cell;   // edge length
    vec3 origin;
    double* values; // one per corner
    // One per cell, at the index of its lowest corner.
    uint32_t* first_vertex;
    uint8_t* masks; // bit c is set if corner c is inside
} field_grid;

static size_t corner_index(const field_grid* g, uint32_t x, uint32_t y, uint32_t z) {
    return ((size_t)z * g->n[1] + y) * g->n[0] + x;
}

static size_t corner_offset(const field_grid* g, uint8_t corner) {
    return corner_index(g, corner & 1u, corner >> 1 & 1u, corner >> 2 & 1u);
}

static vec3 corner_point(const field_grid* g, uint32_t x, uint32_t y, uint32_t z) {
    return add(g->origin, (vec3){(double)x * g->cell, (double)y * g->cell, (double)z * g->cell});
}

static vec3 gradient(const sample_shape* shape, vec3 p, double step) {
    vec3 dx = {step, 0.0, 0.0}, dy = {0.0, step, 0.0}, dz = {0.0, 0.0, step};
    double s = 0.5 / step;
    return (vec3){
        (tlw_sample_field(shape, add(p, dx)) - tlw_sample_field(shape, subtract(p, dx))) * s,
        (tlw_sample_field(shape, add(p, dy)) - tlw_sample_field(shape, subtract(p, dy))) * s,
        (tlw_sample_field(shape, add(p, dz)) - tlw_sample_field(shape, subtract(p, dz))) * s};
}

static double kept_within(double x, double low, double cell) {
    return fmin(fmax(x, low + 0.03 * cell), low + 0.97 * cell);
}

// Moves p onto the surface by Newton's method, but not out of its cell, because in a crease the
// vertices of several cells would otherwise meet at one point.
static vec3 pulled_to_surface(const sample_shape* shape, vec3 p, vec3 low, double cell) {
    for (int i = 0; i < 3; ++i) {
        vec3 g = gradient(shape, p, 0.05 * cell);
        double g2 = dot(g, g);
        if (g2 > 1e-6) {
            vec3 step = scale(g, -tlw_sample_field(shape, p) / g2);
            double l = length(step), most = 0.25 * cell;
            p = add(p, l > most ? scale(step, most / l) : step);
        }
        p = (vec3){kept_within(p.x, low.x, cell), kept_within(p.y, low.y, cell),
                   kept_within(p.z, low.z, cell)};
    }
    return p;
}

// The mean of the points at which the sheet crosses the cell's edges.
static vec3 sheet_centre(const field_grid* g, const sheet_table* table, uint32_t x, uint32_t y,
                         uint32_t z, uint8_t sheet) {
    size_t base = corner_index(g, x, y, z);
    uint8_t mask = g->masks[base];
    vec3 sum = {0.0, 0.0, 0.0};
    double count = 0.0;
    for (int e = 0; e < 12; ++e) {
        if (table->of_edge[mask][e] != sheet) {
            continue;
        }
        uint8_t a = edge_corners[e][0], b = edge_corners[e][1];
        double fa = g->values[base + corner_offset(g, a)];
        double fb = g->values[base + corner_offset(g, b)];
        vec3 pa = corner_point(g, x + (a & 1u), y + (a >> 1 & 1u), z + (a >> 2 & 1u));
        vec3 pb = corner_point(g, x + (b & 1u), y + (b >> 1 & 1u), z + (b >> 2 & 1u));
        sum = add(sum, mix(pa, pb, fa / (fa - fb)));
        count += 1.0;
    }
    return scale(sum, 1.0 / count);
}

static double snapped(double metres) {
    return floor(metres * 65536.0 + 0.5) / 65536.0;
}

static vec3 vertex_position(const sample_mesh* mesh, uint32_t v) {
    const float* p = mesh->positions + 3 * (size_t)v;
    return (vec3){(double)p[0], (double)p[1], (double)p[2]};
}

static uint8_t colour_byte(double x) {
    x = x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
    return (uint8_t)(x * 255.0 + 0.5);
}

static void place_vertex(const sample_shape* shape, const field_grid* g, const double bounds[4],
                         vec3 p, vec3 cell, sample_mesh* mesh, uint32_t v) {
    p = pulled_to_surface(shape, p, cell, g->cell);
    p = (vec3){snapped(p.x), snapped(p.y), snapped(p.z)};
    vec3 normal = normalise(gradient(shape, p, 0.1 * g->cell));
    vec3 colour = tlw_sample_colour(shape, p, normal);
    size_t i = v;
    mesh->positions[3 * i + 0] = (float)p.x;
    mesh->positions[3 * i + 1] = (float)p.y;
    mesh->positions[3 * i + 2] = (float)p.z;
    mesh->normals[3 * i + 0] = (float)normal.x;
    mesh->normals[3 * i + 1] = (float)normal.y;
    mesh->normals[3 * i + 2] = (float)normal.z;
    // Projected from the front. In glTF, v grows downwards.
    mesh->uvs[2 * i + 0] = (float)((p.x - bounds[0]) / (bounds[1] - bounds[0]));
    mesh->uvs[2 * i + 1] = (float)((bounds[3] - p.y) / (bounds[3] - bounds[2]));
    mesh->colours[4 * i + 0] = colour_byte(colour.x);
    mesh->colours[4 * i + 1] = colour_byte(colour.y);
    mesh->colours[4 * i + 2] = colour_byte(colour.z);
    mesh->colours[4 * i + 3] = 255;
}

static void add_triangle(sample_mesh* mesh, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t* out = mesh->indices + 3 * (size_t)mesh->triangle_count++;
    out[0] = a, out[1] = b, out[2] = c;
}

static uint32_t sheet_vertex(const field_grid* g, const sheet_table* table, uint32_t x, uint32_t y,
                             uint32_t z, int edge) {
    size_t cell = corner_index(g, x, y, z);
    return g->first_vertex[cell] + table->of_edge[g->masks[cell]][edge];
}

// The quad around the grid edge that starts at corner (x, y, z) and runs along `axis`.
static void add_quad(const field_grid* g, const sheet_table* table, uint32_t x, uint32_t y,
                     uint32_t z, int axis, bool is_inside_first, sample_mesh* mesh) {
    uint32_t at[3] = {x, y, z};
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    // Counter-clockwise seen from the far end of the edge.
    static const uint32_t back[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
    uint32_t corner[4];
    for (int i = 0; i < 4; ++i) {
        uint32_t cell[3] = {at[0], at[1], at[2]};
        cell[u] -= back[i][0];
        cell[v] -= back[i][1];
        // The number of this edge in the cell: the low bit belongs to the lower of the other two
        // axes.
        uint32_t low = u < v ? back[i][0] : back[i][1];
        uint32_t high = u < v ? back[i][1] : back[i][0];
        corner[i] =
            sheet_vertex(g, table, cell[0], cell[1], cell[2], axis * 4 + (int)(low + 2 * high));
    }
    if (!is_inside_first) {
        uint32_t swapped = corner[1];
        corner[1] = corner[3], corner[3] = swapped;
    }
    vec3 d02 = subtract(vertex_position(mesh, corner[0]), vertex_position(mesh, corner[2]));
    vec3 d13 = subtract(vertex_position(mesh, corner[1]), vertex_position(mesh, corner[3]));
    if (dot(d02, d02) <= dot(d13, d13)) {
        add_triangle(mesh, corner[0], corner[1], corner[2]);
        add_triangle(mesh, corner[0], corner[2], corner[3]);
    } else {
        add_triangle(mesh, corner[1], corner[2], corner[3]);
        add_triangle(mesh, corner[1], corner[3], corner[0]);
    }
}

static int compare_keys(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// TLW_OK if each edge occurs exactly once in each direction and each triangle has an area.
static tlw_result check_closed(const sample_mesh* mesh) {
    size_t count = 3 * (size_t)mesh->triangle_count;
    uint64_t* keys = malloc(2 * count * sizeof *keys + 1);
    if (keys == NULL) {
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    uint64_t* opposite = keys + count;
    bool is_closed = count > 0;
    for (size_t t = 0; t < count; t += 3) {
        const uint32_t* tri = mesh->indices + t;
        for (size_t k = 0; k < 3; ++k) {
            uint64_t a = tri[k], b = tri[(k + 1) % 3];
            keys[t + k] = a << 32 | b;
            opposite[t + k] = b << 32 | a;
        }
        vec3 p = vertex_position(mesh, tri[0]);
        vec3 area = cross(subtract(vertex_position(mesh, tri[1]), p),
                          subtract(vertex_position(mesh, tri[2]), p));
        is_closed = is_closed && dot(area, area) > 0.0;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    qsort(opposite, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; ++i) {
        is_closed = is_closed && keys[i] == opposite[i] && (i == 0 || keys[i] != keys[i - 1]);
    }
    free(keys);
    return is_closed ? TLW_OK : TLW_ERROR_UNSUPPORTED;
}

void tlw_sample_free_mesh(sample_mesh* mesh) {
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->uvs);
    free(mesh->colours);
    free(mesh->joints);
    free(mesh->weights);
    free(mesh->indices);
    *mesh = (sample_mesh){0};
}

static bool allocate_mesh(sample_mesh* mesh, uint32_t vertex_count, uint32_t triangle_count) {
    size_t v = vertex_count, t = triangle_count;
    mesh->vertex_count = vertex_count;
    mesh->positions = calloc(3 * v + 1, sizeof(float));
    mesh->normals = calloc(3 * v + 1, sizeof(float));
    mesh->uvs = calloc(2 * v + 1, sizeof(float));
    mesh->colours = calloc(4 * v + 1, 1);
    mesh->joints = calloc(4 * v + 1, 1);
    mesh->weights = calloc(4 * v + 1, sizeof(float));
    mesh->indices = calloc(3 * t + 1, sizeof(uint32_t));
    return mesh->positions && mesh->normals && mesh->uvs && mesh->colours && mesh->joints &&
           mesh->weights && mesh->indices;
}

static uint32_t clamped_corner(double x, uint32_t count) {
    return x < 0.0 ? 0 : x > (double)(count - 1) ? count - 1 : (uint32_t)x;
}

// Evaluates the field at the corners that the primitive and its fillet can reach, and two cells
// further, so that both ends of every crossed edge are evaluated. Other corners keep FAR_OUTSIDE:
// they are outside and not next to the surface.
#define FAR_OUTSIDE 1e30
static void fill_near(const sample_shape* shape, const sample_primitive* primitive, field_grid* g) {
    vec3 low = {1e30, 1e30, 1e30}, high = {-1e30, -1e30, -1e30};
    tlw_sample_primitive_bounds(primitive, &low, &high);
    double margin = primitive->blend / g->cell + 2.0;
    double from[3] = {(low.x - g->origin.x) / g->cell, (low.y - g->origin.y) / g->cell,
                      (low.z - g->origin.z) / g->cell};
    double to[3] = {(high.x - g->origin.x) / g->cell, (high.y - g->origin.y) / g->cell,
                    (high.z - g->origin.z) / g->cell};
    uint32_t first[3], last[3];
    for (int k = 0; k < 3; ++k) {
        first[k] = clamped_corner(from[k] - margin, g->n[k]);
        last[k] = clamped_corner(to[k] + margin + 1.0, g->n[k]);
    }
    for (uint32_t z = first[2]; z <= last[2]; ++z) {
        for (uint32_t y = first[1]; y <= last[1]; ++y) {
            for (uint32_t x = first[0]; x <= last[0]; ++x) {
                double* value = &g->values[corner_index(g, x, y, z)];
                if (*value == FAR_OUTSIDE) {
                    *value = tlw_sample_field(shape, corner_point(g, x, y, z));
                }
            }
        }
    }
}

static void fill_grid(const sample_shape* shape, field_grid* g, const sheet_table* table,
                      uint32_t* vertex_count, uint32_t* quad_count) {
    for (uint32_t i = 0; i < shape->primitive_count; ++i) {
        fill_near(shape, &shape->primitives[i], g);
    }
    *vertex_count = *quad_count = 0;
    for (uint32_t z = 0; z + 1 < g->n[2]; ++z) {
        for (uint32_t y = 0; y + 1 < g->n[1]; ++y) {
            for (uint32_t x = 0; x + 1 < g->n[0]; ++x) {
                size_t base = corner_index(g, x, y, z);
                unsigned mask = 0;
                for (uint8_t c = 0; c < 8; ++c) {
                    mask |= (g->values[base + corner_offset(g, c)] < 0.0 ? 1u : 0u) << c;
                }
                g->masks[base] = (uint8_t)mask;
                g->first_vertex[base] = *vertex_count;
                *vertex_count += table->count[mask];
                for (int axis = 0; axis < 3; ++axis) {
                    *quad_count += (mask & 1u) != (mask >> (1u << axis) & 1u);
                }
            }
        }
    }
}

static void fill_mesh(const sample_shape* shape, const field_grid* g, const sheet_table* table,
                      sample_mesh* mesh) {
    vec3 low, high;
    tlw_sample_bounds(shape, &low, &high);
    // 2 cm more, because fillets reach beyond their primitives.
    double bounds[4] = {low.x - 0.02, high.x + 0.02, low.y - 0.02, high.y + 0.02};
    for (uint32_t z = 0; z + 1 < g->n[2]; ++z) {
        for (uint32_t y = 0; y + 1 < g->n[1]; ++y) {
            for (uint32_t x = 0; x + 1 < g->n[0]; ++x) {
                size_t base = corner_index(g, x, y, z);
                for (uint8_t s = 0; s < table->count[g->masks[base]]; ++s) {
                    place_vertex(shape, g, bounds, sheet_centre(g, table, x, y, z, s),
                                 corner_point(g, x, y, z), mesh, g->first_vertex[base] + s);
                }
            }
        }
    }
    for (uint32_t z = 1; z + 1 < g->n[2]; ++z) {
        for (uint32_t y = 1; y + 1 < g->n[1]; ++y) {
            for (uint32_t x = 1; x + 1 < g->n[0]; ++x) {
                unsigned mask = g->masks[corner_index(g, x, y, z)];
                for (int axis = 0; axis < 3; ++axis) {
                    bool here = mask & 1u, there = mask >> (1u << axis) & 1u;
                    if (here != there) {
                        add_quad(g, table, x, y, z, axis, here, mesh);
                    }
                }
            }
        }
    }
}

tlw_result tlw_sample_polygonise(const sample_shape* shape, uint32_t resolution,
                                 sample_mesh* mesh) {
    *mesh = (sample_mesh){0};
    vec3 low, high;
    tlw_sample_bounds(shape, &low, &high);
    field_grid g = {.cell = shape->extent / (double)resolution};
    // Three cells of margin, so that each crossed edge has four cells around it.
    g.origin = subtract(low, scale((vec3){1.0, 1.0, 1.0}, 3.0 * g.cell));
    vec3 size = subtract(high, low);
    g.n[0] = (uint32_t)(size.x / g.cell) + 8;
    g.n[1] = (uint32_t)(size.y / g.cell) + 8;
    g.n[2] = (uint32_t)(size.z / g.cell) + 8;
    size_t corners = (size_t)g.n[0] * g.n[1] * g.n[2];
    g.values = malloc(corners * sizeof *g.values);
    g.first_vertex = calloc(corners, sizeof *g.first_vertex);
    g.masks = calloc(corners, 1);
    sheet_table* table = malloc(sizeof *table);

    tlw_result result = TLW_ERROR_OUT_OF_MEMORY;
    if (g.values && g.first_vertex && g.masks && table) {
        make_sheet_table(table);
        for (size_t i = 0; i < corners; ++i) {
            g.values[i] = FAR_OUTSIDE;
        }
        uint32_t vertex_count, quad_count;
        fill_grid(shape, &g, table, &vertex_count, &quad_count);
        if (allocate_mesh(mesh, vertex_count, 2 * quad_count)) {
            fill_mesh(shape, &g, table, mesh);
            result = check_closed(mesh);
        }
    }
    free(g.values);
    free(g.first_vertex);
    free(g.masks);
    free(table);
    if (result != TLW_OK) {
        tlw_sample_free_mesh(mesh);
    }
    return result;
}
