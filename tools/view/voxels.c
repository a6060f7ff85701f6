// SPDX-License-Identifier: MIT
// Cubes of voxels. Faces are numbered -x, +x, -y, +y, -z, +z; corner i of a cube has bit 0 for x,
// bit 1 for y, bit 2 for z.
#include "tools/view/voxels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FACES 6
#define NONE  UINT32_MAX
#define DIM   0.88f // of every other voxel's colour, so that neighbours are told apart

// The four corners of each face, counterclockwise from outside.
static const uint8_t corners_of[FACES][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                             {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

typedef struct voxels {
    tlw_view_voxels mesh; // first, as callers have its address
    uint32_t count;
    int16_t* cells;          // 3 per voxel
    uint32_t (*next)[FACES]; // the voxel beyond each face, or NONE
    uint8_t (*shades)[4];    // colour of each voxel
    uint8_t* shown;          // of each voxel, bit f: face f is in the mesh
    double origin[3], metres;
    int16_t least[3];  // cell of any voxel, by axis
    uint32_t sides[3]; // cells from the least to the greatest, by axis
    int axis;          // of the plane
    uint32_t kept;     // cells along it
} voxels;

// ---- Neighbours

typedef struct place {
    uint64_t key;
    uint32_t voxel;
} place;

static uint64_t key_of(int x, int y, int z) {
    const int offset = 32769; // one more than the greatest, for neighbours of the least
    return ((uint64_t)(x + offset) << 40) | ((uint64_t)(y + offset) << 20) | (uint64_t)(z + offset);
}

static int compare_places(const void* left, const void* right) {
    const uint64_t a = ((const place*)left)->key, b = ((const place*)right)->key;
    return a < b ? -1 : a > b;
}

static uint32_t find(const place* places, uint32_t count, uint64_t key) {
    const place wanted = {.key = key};
    const place* found = count ? bsearch(&wanted, places, count, sizeof wanted, compare_places) : 0;
    return found ? found->voxel : NONE;
}

static bool find_neighbours(voxels* v) {
    place* places = malloc(((size_t)v->count + 1) * sizeof *places);
    if (places == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < v->count; ++i) {
        const int16_t* c = v->cells + (size_t)i * 3;
        places[i] = (place){key_of(c[0], c[1], c[2]), i};
    }
    qsort(places, v->count, sizeof *places, compare_places);
    for (uint32_t i = 0; i < v->count; ++i) {
        for (int face = 0; face < FACES; ++face) {
            int at[3] = {v->cells[i * 3], v->cells[i * 3 + 1], v->cells[i * 3 + 2]};
            at[face / 2] += face % 2 ? 1 : -1;
            v->next[i][face] = find(places, v->count, key_of(at[0], at[1], at[2]));
        }
    }
    free(places);
    return true;
}

// ---- Faces

static uint64_t last_stamp = TLW_VIEW_VOXELS_STAMPS;

static bool is_kept(const voxels* v, uint32_t voxel) {
    return (uint32_t)(v->cells[(size_t)voxel * 3 + (size_t)v->axis] - v->least[v->axis]) < v->kept;
}

static void add_face(tlw_view_voxels* mesh, const uint8_t shade[4]) {
    static const uint8_t triangles[6] = {0, 1, 2, 0, 2, 3};
    for (int k = 0; k < 6; ++k) {
        mesh->indices[mesh->index_count++] = mesh->vertex_count + triangles[k];
    }
    for (int k = 0; k < 4; ++k) {
        memcpy(mesh->colours + (size_t)mesh->vertex_count++ * 4, shade, 4);
    }
}

static void find_faces(voxels* v) {
    v->mesh.vertex_count = v->mesh.index_count = 0;
    v->mesh.stamp = ++last_stamp;
    for (uint32_t i = 0; i < v->count; ++i) {
        v->shown[i] = 0;
        for (int face = 0; is_kept(v, i) && face < FACES; ++face) {
            const uint32_t next = v->next[i][face];
            if (next == NONE || !is_kept(v, next)) {
                v->shown[i] |= (uint8_t)(1u << face);
                add_face(&v->mesh, v->shades[i]);
            }
        }
    }
}

void tlw_view_voxels_cut(tlw_view_voxels* mesh, int axis, float share) {
    voxels* v = (voxels*)mesh;
    const float cells = share * (float)v->sides[axis];
    const uint32_t kept = share >= 1.0f  ? v->sides[axis]
                          : cells > 0.5f ? (uint32_t)(cells + 0.5f)
                                         : 0;
    if (axis != v->axis || kept != v->kept) {
        v->axis = axis;
        v->kept = kept;
        find_faces(v);
    }
}

// ---- Making it

// The colours of Okabe and Ito, which people with any common colour blindness tell apart.
void tlw_view_voxels_colour(uint32_t layer, uint32_t layer_count, float rgb[3]) {
    static const uint8_t bone[3] = {240, 232, 214}, skin[3] = {204, 121, 167};
    static const uint8_t between[][3] = {{213, 94, 0},  {240, 228, 66}, {0, 114, 178},
                                         {230, 159, 0}, {0, 158, 115},  {86, 180, 233}};
    const uint8_t* colour = layer == 0 ? bone
                            : layer + 1 == layer_count
                                ? skin
                                : between[(layer - 1) % TLW_COUNT_OF(between)];
    for (int i = 0; i < 3; ++i) {
        rgb[i] = (float)colour[i] / 255.0f;
    }
}

static void set_shades(voxels* v, const tlw_view_voxels_def* def) {
    for (uint32_t i = 0; i < v->count; ++i) {
        const int16_t* c = v->cells + (size_t)i * 3;
        const float dim = (c[0] + c[1] + c[2]) & 1 ? DIM : 1.0f;
        float rgb[3];
        tlw_view_voxels_colour(def->layers[i], def->layer_count, rgb);
        for (int k = 0; k < 3; ++k) {
            v->shades[i][k] = (uint8_t)(rgb[k] * dim * 255.0f + 0.5f);
        }
        v->shades[i][3] = 255;
    }
}

static void measure(voxels* v) {
    for (int axis = 0; axis < 3 && v->count > 0; ++axis) {
        int16_t least = INT16_MAX, greatest = INT16_MIN;
        for (uint32_t i = 0; i < v->count; ++i) {
            const int16_t at = v->cells[(size_t)i * 3 + (size_t)axis];
            least = at < least ? at : least;
            greatest = at > greatest ? at : greatest;
        }
        v->least[axis] = least;
        v->sides[axis] = (uint32_t)(greatest - least) + 1;
    }
}

// A cut shows at most one face more of each voxel than there are without it.
static bool make_room(voxels* v) {
    size_t faces = v->count;
    for (uint32_t i = 0; i < v->count; ++i) {
        for (int face = 0; face < FACES; ++face) {
            faces += v->next[i][face] == NONE;
        }
    }
    tlw_view_voxels* m = &v->mesh;
    m->positions = malloc((faces * 12 + 1) * sizeof *m->positions);
    m->normals = malloc((faces * 12 + 1) * sizeof *m->normals);
    m->colours = malloc(faces * 16 + 1);
    m->indices = malloc((faces * 6 + 1) * sizeof *m->indices);
    return m->positions && m->normals && m->colours && m->indices;
}

tlw_view_voxels* tlw_view_voxels_create(const tlw_view_voxels_def* def) {
    const size_t room = (size_t)def->voxel_count + 1;
    voxels* v = calloc(1, sizeof *v);
    if (v == NULL) {
        return NULL;
    }
    v->count = def->voxel_count;
    v->metres = def->voxel_metres;
    memcpy(v->origin, def->origin, sizeof v->origin);
    v->cells = malloc(room * 3 * sizeof *v->cells);
    v->next = malloc(room * sizeof *v->next);
    v->shades = malloc(room * sizeof *v->shades);
    v->shown = malloc(room);
    if (v->cells && v->next && v->shades && v->shown) {
        if (v->count > 0) { // no voxels: def->cells may be null
            memcpy(v->cells, def->cells, (size_t)v->count * 3 * sizeof *v->cells);
        }
        if (find_neighbours(v) && make_room(v)) {
            static const float nowhere[3] = {0.0f, 0.0f, 0.0f};
            set_shades(v, def);
            measure(v);
            v->kept = v->sides[0];
            find_faces(v);
            tlw_view_voxels_place(&v->mesh, NULL, nowhere);
            return &v->mesh;
        }
    }
    tlw_view_voxels_free(&v->mesh);
    return NULL;
}

void tlw_view_voxels_free(tlw_view_voxels* mesh) {
    voxels* v = (voxels*)mesh;
    if (v) {
        free(v->cells);
        free(v->next);
        free(v->shades);
        free(v->shown);
        free(v->mesh.positions);
        free(v->mesh.normals);
        free(v->mesh.colours);
        free(v->mesh.indices);
        free(v);
    }
}

// ---- Placing it

// A cube in the world: its middle, and its half edges along the grid's axes.
typedef struct cube {
    float middle[3], half[3][3];
} cube;

static cube cube_of(const voxels* v, uint32_t voxel, const float* matrix, const float root[3]) {
    static const float still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const float* m = matrix ? matrix : still;
    const float half = 0.5f * (float)v->metres;
    cube c;
    float at[3];
    for (int axis = 0; axis < 3; ++axis) {
        at[axis] = (float)(v->origin[axis] +
                           (v->cells[(size_t)voxel * 3 + (size_t)axis] + 0.5) * v->metres);
    }
    for (int row = 0; row < 3; ++row, m += 4) {
        c.middle[row] = m[0] * at[0] + m[1] * at[1] + m[2] * at[2] + m[3] + root[row];
        for (int axis = 0; axis < 3; ++axis) {
            c.half[axis][row] = half * m[axis];
        }
    }
    return c;
}

// Outwards from the face, across the two edges that it has.
static void normal_of(const cube* c, int face, float normal[3]) {
    const float *a = c->half[(face / 2 + 1) % 3], *b = c->half[(face / 2 + 2) % 3];
    const float cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                            a[0] * b[1] - a[1] * b[0]};
    const float length = sqrtf(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
    const float scale = (face % 2 ? 1.0f : -1.0f) / (length > 0.0f ? length : 1.0f);
    for (int i = 0; i < 3; ++i) {
        normal[i] = scale * cross[i];
    }
}

void tlw_view_voxels_place(tlw_view_voxels* mesh, const float* lattice, const float root[3]) {
    const voxels* v = (const voxels*)mesh;
    float *position = mesh->positions, *normal = mesh->normals;
    for (uint32_t i = 0; i < v->count; ++i) {
        if (v->shown[i] == 0) {
            continue;
        }
        const cube c = cube_of(v, i, lattice ? lattice + (size_t)i * 12 : NULL, root);
        for (int face = 0; face < FACES; ++face) {
            float outwards[3];
            if ((v->shown[i] & 1u << face) == 0) {
                continue;
            }
            normal_of(&c, face, outwards);
            for (int k = 0; k < 4; ++k, position += 3, normal += 3) {
                const int corner = corners_of[face][k];
                for (int row = 0; row < 3; ++row) {
                    position[row] = c.middle[row] +
                                    (corner & 1 ? c.half[0][row] : -c.half[0][row]) +
                                    (corner & 2 ? c.half[1][row] : -c.half[1][row]) +
                                    (corner & 4 ? c.half[2][row] : -c.half[2][row]);
                }
                memcpy(normal, outwards, sizeof outwards);
            }
        }
    }
}
