// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 5.1 to 5.4 and 8.7: reads voxels and the welded mesh, writes the closest
// point of each voxel, its weights and paint, and smooths both.
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>

// Squared distance from p to the closed triangle, and where on it.
static double nearest_on_triangle(const double p[3], const double* const corner[3],
                                  double barycentric[3]) {
    double best = INFINITY;
    // The nearest point is on an edge, or inside, at the foot of p.
    for (int i = 0; i < 3; ++i) {
        double nearest[3], t;
        int next = (i + 1) % 3;
        double d = oracle_nearest_on_segment(p, corner[i], corner[next], nearest, &t);
        if (d < best) {
            best = d;
            barycentric[i] = 1 - t;
            barycentric[next] = t;
            barycentric[(i + 2) % 3] = 0;
        }
    }
    double e[3], f[3], w[3];
    for (int a = 0; a < 3; ++a) {
        e[a] = corner[1][a] - corner[0][a];
        f[a] = corner[2][a] - corner[0][a];
        w[a] = p[a] - corner[0][a];
    }
    double ee = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    double ff = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    double ef = e[0] * f[0] + e[1] * f[1] + e[2] * f[2];
    double ew = e[0] * w[0] + e[1] * w[1] + e[2] * w[2];
    double fw = f[0] * w[0] + f[1] * w[1] + f[2] * w[2];
    double det = ee * ff - ef * ef;
    if (det > 0) {
        double s = (ff * ew - ef * fw) / det;
        double t = (ee * fw - ef * ew) / det;
        if (s >= 0 && t >= 0 && s + t <= 1) {
            double nearest[3];
            for (int a = 0; a < 3; ++a) {
                nearest[a] = corner[0][a] + s * e[a] + t * f[a];
            }
            double d = oracle_squared_distance(p, nearest);
            if (d < best) {
                best = d;
                barycentric[0] = 1 - s - t;
                barycentric[1] = s;
                barycentric[2] = t;
            }
        }
    }
    return best;
}

// Squared distance from p to a triangle's bounding box: no part of the triangle is nearer.
static double box_distance(const double p[3], const double low[3], const double high[3]) {
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
        double d = p[a] < low[a] ? low[a] - p[a] : p[a] > high[a] ? p[a] - high[a] : 0;
        sum += d * d;
    }
    return sum;
}

// A triangle that closest points may lie on, with its bounds.
typedef struct oracle_candidate {
    uint32_t triangle;
    const double* corner[3];
    const int64_t* snapped[3];
    double low[3], high[3];
} oracle_candidate;

static bool is_usable(const oracle_work* work, uint32_t t) {
    const uint32_t* triangle = &work->triangles[t * 3];
    return work->is_weighted[triangle[0]] && work->is_weighted[triangle[1]] &&
           work->is_weighted[triangle[2]];
}

// The usable triangles, or all if none is usable (RULES 5.1 and 5.2).
static uint32_t find_candidates(const oracle_work* work, oracle_candidate* list) {
    bool has_usable = false;
    for (uint32_t t = 0; t < work->triangle_count; ++t) {
        has_usable = has_usable || is_usable(work, t);
    }
    uint32_t count = 0;
    for (uint32_t t = 0; t < work->triangle_count; ++t) {
        if (has_usable && !is_usable(work, t)) {
            continue;
        }
        oracle_candidate* to = &list[count++];
        to->triangle = t;
        for (uint32_t i = 0; i < 3; ++i) {
            to->corner[i] = &work->scaled[work->triangles[t * 3 + i] * 3];
            to->snapped[i] = &work->snapped[work->triangles[t * 3 + i] * 3];
        }
        for (int a = 0; a < 3; ++a) {
            to->low[a] = fmin(fmin(to->corner[0][a], to->corner[1][a]), to->corner[2][a]);
            to->high[a] = fmax(fmax(to->corner[0][a], to->corner[1][a]), to->corner[2][a]);
        }
    }
    return count;
}

// Whether the triangle has the centre behind it or in its plane.
static bool faces_away(const oracle_work* work, const oracle_candidate* c,
                       const int64_t centre[3]) {
    int side = oracle_sign(oracle_determinant(c->snapped[0], c->snapped[1], c->snapped[2], centre));
    return (work->is_inside_out ? -side : side) <= 0;
}

// Finds the closest point of the lowest triangle at the least distance, within the slack; with
// `is_behind_only`, of triangles that face away. False if there is none.
static bool find_closest(const oracle_work* work, const oracle_candidate* list, uint32_t count,
                         const oracle_voxel* voxel, bool is_behind_only, oracle_closest* closest) {
    double p[3], barycentric[3], least = INFINITY;
    int64_t centre[3];
    oracle_centre_of(voxel, p);
    oracle_snapped_centre(voxel->cell, centre);
    for (int pass = 0; pass < 2; ++pass) {
        const double bound = pass == 0 ? 0 : ORACLE_SLACK;
        for (uint32_t c = 0; c < count; ++c) {
            if (box_distance(p, list[c].low, list[c].high) > least + bound ||
                (is_behind_only && !faces_away(work, &list[c], centre))) {
                continue;
            }
            double d = nearest_on_triangle(p, list[c].corner, barycentric);
            if (pass == 0) {
                least = fmin(least, d);
            } else if (d <= least + ORACLE_SLACK) {
                *closest = (oracle_closest){list[c].triangle,
                                            {barycentric[0], barycentric[1], barycentric[2]}};
                return true;
            }
        }
    }
    return false;
}

void oracle_find_closest(oracle_work* work) {
    oracle_result* result = work->result;
    oracle_candidate* list = oracle_allocate(work->triangle_count, sizeof *list);
    const uint32_t count = find_candidates(work, list);
    work->closest = oracle_allocate(result->voxel_count, sizeof *work->closest);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        if (!voxel->is_inside || !find_closest(work, list, count, voxel, true, &work->closest[v])) {
            find_closest(work, list, count, voxel, false, &work->closest[v]);
        }
        voxel->closest_triangle = work->closest[v].triangle;
    }
    free(list);
}

double* oracle_closest_weights(const oracle_work* work) {
    const oracle_result* result = work->result;
    const size_t n = result->joint_count;
    double* rows = oracle_allocate(result->voxel_count * n, sizeof(double));
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        const oracle_closest* at = &work->closest[v];
        for (uint32_t j = 0; j < n; ++j) {
            for (uint32_t i = 0; i < 3; ++i) {
                rows[v * n + j] +=
                    at->barycentric[i] *
                    work->vertex_weight[work->triangles[at->triangle * 3 + i] * n + j];
            }
        }
    }
    return rows;
}

void oracle_smooth(const oracle_work* work, double* rows, size_t width) {
    const oracle_result* result = work->result;
    static const uint32_t faces[6] = {12, 13, 10, 15, 4, 21}; // -x, +x, -y, +y, -z, +z
    double* last = oracle_allocate(result->voxel_count * width, sizeof(double));
    for (uint32_t pass = 0; pass < work->recipe->smoothing_passes; ++pass) {
        for (size_t i = 0; i < result->voxel_count * width; ++i) {
            last[i] = rows[i];
        }
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            uint32_t around[6];
            bool has_all = true;
            for (int face = 0; face < 6; ++face) {
                around[face] = oracle_linked(result, v, faces[face]);
                has_all = has_all && around[face] != ORACLE_NONE;
            }
            for (size_t k = 0; has_all && k < width; ++k) {
                double sum = 0;
                for (int face = 0; face < 6; ++face) {
                    sum += last[around[face] * width + k];
                }
                rows[v * width + k] = sum / 6;
            }
        }
    }
    free(last);
}

void oracle_make_paint(oracle_work* work) {
    oracle_result* result = work->result;
    double* value = oracle_allocate(result->voxel_count, sizeof(double));
    for (uint32_t m = 0; m < work->input->mesh_count; ++m) {
        for (int p = 0; p < TLW_COOK_PAINTS; ++p) {
            const tlw_cook_mesh* mesh = &work->input->meshes[m];
            result->is_painted[p] = result->is_painted[p] ||
                                    (mesh->role == TLW_ROLE_VOXELISE && mesh->paint[p] != NULL);
        }
    }
    for (uint32_t p = 0; p < TLW_COOK_PAINTS; ++p) {
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            const oracle_closest* at = &work->closest[v];
            value[v] = 0;
            for (uint32_t i = 0; i < 3; ++i) {
                value[v] +=
                    at->barycentric[i] *
                    work->vertex_paint[work->triangles[at->triangle * 3 + i] * TLW_COOK_PAINTS + p];
            }
        }
        oracle_smooth(work, value, 1);
        for (uint32_t v = 0; v < result->voxel_count; ++v) {
            result->voxels[v].paint[p] = (uint32_t)floor(value[v] * ORACLE_PAINT_ONE + 0.5);
        }
    }
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        double share = (double)voxel->paint[TLW_PAINT_STIFFNESS] / ORACLE_PAINT_ONE;
        voxel->stiffness_factor = pow(4, 2 * share - 1);
    }
    free(value);
}
