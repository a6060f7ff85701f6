// SPDX-License-Identifier: MIT
// Measures muscles. Reads the drawn surface, the lines of the character and MUSCLE_ROWS of the
// blob; writes numbers (MODEL 3.19).
#include "tools/motion/muscles.h"
#include "tools/motion/private.h"

#include <math.h>

#define PI             3.14159265358979323846
#define SMOOTHING      0.25f // of fit, the default
#define ELONGATION_MIN 0.65  // MODEL 3.19
#define ELONGATION_MAX 1.5

bool tlw_muscle_look(tlw_surface* surface, tlw_motion* motion, const tlw_bent_joint* joints,
                     uint32_t count) {
    static const tlw_surface_look look = {.embedding = TLW_EMBED_FIT, .smoothing = SMOOTHING};
    tlw_bent_set(motion, joints, count, 1.0);
    TLW_IGNORE(tlw_bent_skin(motion, false)); // false only where the blob has no bends
    return tlw_surface_embed(surface, motion, &look);
}

// ---- The surface

static void corner(const tlw_surface* s, uint32_t triangle, int k, double out[3]) {
    const float* p = s->positions + (size_t)s->first_of[s->triangles[triangle][k]] * 3;
    for (int a = 0; a < 3; ++a) {
        out[a] = (double)p[a];
    }
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The sum of the tetrahedra from the origin to every triangle.
double tlw_muscle_enclosed(const tlw_surface* s) {
    double sum = 0;
    for (uint32_t t = 0; t < s->triangle_count; ++t) {
        double a[3], b[3], c[3];
        corner(s, t, 0, a);
        corner(s, t, 1, b);
        corner(s, t, 2, c);
        const double normal[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2],
                                  b[0] * c[1] - b[1] * c[0]};
        sum += dot(a, normal);
    }
    return sum / 6;
}

// The length of the plane's cut through a triangle. `off` has its corners' distances to the plane.
static double cut_length(const double corners[3][3], const double off[3]) {
    double ends[2][3];
    int count = 0;
    for (int k = 0; k < 3 && count < 2; ++k) {
        const int next = (k + 1) % 3;
        if ((off[k] < 0) != (off[next] < 0)) {
            const double share = off[k] / (off[k] - off[next]);
            for (int a = 0; a < 3; ++a) {
                ends[count][a] = corners[k][a] + share * (corners[next][a] - corners[k][a]);
            }
            count += 1;
        }
    }
    if (count < 2) {
        return 0;
    }
    const double d[3] = {ends[1][0] - ends[0][0], ends[1][1] - ends[0][1], ends[1][2] - ends[0][2]};
    return sqrt(dot(d, d));
}

double tlw_muscle_girth(const tlw_surface* s, uint32_t joint, const double place[3],
                        const double across[3]) {
    double sum = 0;
    for (uint32_t t = 0; t < s->triangle_count; ++t) {
        double corners[3][3], off[3];
        bool is_of_joint = true;
        for (int k = 0; k < 3; ++k) {
            corner(s, t, k, corners[k]);
            off[k] = dot(corners[k], across) - dot(place, across);
            is_of_joint = is_of_joint && s->joint_of[s->triangles[t][k]] == joint;
        }
        sum += is_of_joint ? cut_length((const double(*)[3])corners, off) : 0;
    }
    return sum;
}

// ---- Muscles

static double distance(const double a[3], const double b[3]) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

bool tlw_muscle_measure(const tlw_motion* motion, uint32_t muscle, tlw_muscle_sections* out) {
    tlw_muscle about;
    uint64_t count;
    const uint8_t* blob = motion->def.actor->blob_memory;
    const tlw_blob_muscle_group* groups = tlw_blob_find(blob, TLW_SECTION_MUSCLE_GROUPS, &count);
    const tlw_blob_muscle_row* rows = tlw_blob_find(blob, TLW_SECTION_MUSCLE_ROWS, &count);
    *out = (tlw_muscle_sections){0};
    if (tlw_character_get_muscle(motion->world, motion->id, muscle, &about) != TLW_OK ||
        tlw_character_get_line(motion->world, motion->id, muscle, out->vertices,
                               about.vertex_count) != TLW_OK) {
        return false;
    }
    out->vertex_count = about.vertex_count;
    out->elongation = (double)about.elongation;
    const tlw_blob_muscle_row* row = rows + groups[muscle / TLW_LANES].first_row;
    const uint32_t lane = muscle % TLW_LANES, segments = about.vertex_count - 1;
    double rest[TLW_MUSCLE_VERTICES_MAX], length[TLW_MUSCLE_VERTICES_MAX];
    for (uint32_t s = 0; s < segments; ++s) {
        rest[s] = (double)row[s].length[lane] * motion->voxel_metres;
        length[s] = distance(out->vertices[s], out->vertices[s + 1]);
    }
    for (uint32_t i = 0; i <= segments; ++i) {
        const double rest_around = (i > 0 ? rest[i - 1] : 0) + (i < segments ? rest[i] : 0);
        const double around = (i > 0 ? length[i - 1] : 0) + (i < segments ? length[i] : 0);
        const double e = fmin(fmax(around / rest_around, ELONGATION_MIN), ELONGATION_MAX);
        const double r = (double)row[i].radius[lane] * motion->voxel_metres;
        out->radii[i] = r / sqrt(e);
        out->rest += 0.5 * PI * r * r * rest_around;
        out->volume += 0.5 * PI * r * r / e * around;
    }
    return true;
}

uint32_t tlw_muscle_inverted(const tlw_motion* motion) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        count += tlw_motion_voxel_volume(motion, v, false) < 0;
    }
    return count;
}
