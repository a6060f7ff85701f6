// SPDX-License-Identifier: MIT
// Oracle, embedding (MODEL 5.2 to 5.6): positions, normals, tangents and deviations of render
// vertices and points from the output of the last call.
#include "tests/runtime/oracle/oracle_private.h"

#include <stdio.h>
#include <stdlib.h>

#define BONE_MASS 10.0

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count ? count : 1, bytes);
    if (!memory) {
        (void)fputs("oracle: out of memory\n", stderr);
        abort();
    }
    return memory;
}

// Moments of a field over a voxel and its linked neighbours: sum m (a - mean)(p0 - c0)^T.
typedef struct moments {
    oracle_mat A;
    oracle_vec mean;
} moments;

static moments moments_of(const oracle* o, uint32_t voxel, const oracle_vec* of,
                          const oracle_vec* less) {
    uint32_t members[27];
    uint32_t count = 0;
    members[count++] = voxel;
    for (int k = 0; k < 26; ++k) {
        if (o->linked[voxel][k] != ORACLE_NO_VOXEL) {
            members[count++] = o->linked[voxel][k];
        }
    }
    oracle_vec c0 = {0, 0, 0};
    moments out = {0};
    double mass = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t j = members[k];
        const double m = oracle_is_bone(o, j) ? BONE_MASS : 1;
        mass += m;
        c0 = vec_add_scaled(c0, m, o->rest[j]);
        out.mean = vec_add_scaled(out.mean, m, less ? vec_sub(of[j], less[j]) : of[j]);
    }
    c0 = vec_scale(c0, 1 / mass);
    out.mean = vec_scale(out.mean, 1 / mass);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t j = members[k];
        const oracle_vec a = less ? vec_sub(of[j], less[j]) : of[j];
        mat_add_outer(&out.A, oracle_is_bone(o, j) ? BONE_MASS : 1, vec_sub(a, out.mean),
                      vec_sub(o->rest[j], c0));
    }
    return out;
}

oracle_fit oracle_fit_voxel(const oracle* o, uint32_t voxel, double smoothing) {
    const moments rest = moments_of(o, voxel, o->rest, NULL);
    const double third = mat_trace(&rest.A) / 3;
    oracle_fit fit = {.delta = vec_sub(o->out_p[voxel], o->out_plain[voxel])};
    if (!(mat_determinant(&rest.A) > 1e-3 * third * third * third)) {
        const oracle_mat Rb = mat_of_quat(o->out_Rb[voxel]);
        fit.F = fit.D = mat_of_quat(o->out_R[voxel]);
        mat_add_scaled(&fit.D, -1, &Rb);
        fit.d = fit.delta;
        return fit;
    }
    const oracle_mat inverse = mat_inverse(&rest.A);
    const moments deviation = moments_of(o, voxel, o->out_p, o->out_plain);
    const moments place = moments_of(o, voxel, o->out_p, NULL);
    fit.D = mat_mul(&deviation.A, &inverse);
    fit.F = mat_mul(&place.A, &inverse);
    const oracle_vec c0 = vec_sub(rest.mean, o->rest[voxel]); // relative to its own centre
    const oracle_vec plane = vec_sub(deviation.mean, mat_apply(&fit.D, c0));
    fit.d = vec_add_scaled(fit.delta, smoothing, vec_sub(plane, fit.delta));
    return fit;
}

bool oracle_is_skinned(const oracle_bound_point* point) {
    for (int k = 0; k < 8; ++k) {
        if (point->skinning[k] != 0) {
            return true;
        }
    }
    return false;
}

oracle_embedding oracle_auto_embedding(bool has_rbf, bool has_artist_weights) {
    return has_rbf ? ORACLE_EMBED_RBF : has_artist_weights ? ORACLE_EMBED_FIT : ORACLE_EMBED_FRAMES;
}

oracle_vec oracle_direction(const oracle* o, oracle_vec a, oracle_vec rest) {
    const double length = vec_length(a);
    return length > 0 ? vec_scale(a, 1 / length) : quat_rotate(o->last.root_rotation, rest);
}

// u of delta and fit.
static oracle_vec deviation_of(const oracle* o, const oracle_fit* fits,
                               const oracle_bound_point* point, bool is_fit) {
    oracle_vec u = {0, 0, 0}, xb = {0, 0, 0};
    oracle_mat slope = {0};
    for (int k = 0; k < 8; ++k) {
        const double w = point->weight[k];
        if (w == 0) {
            continue;
        }
        const oracle_fit* fit = &fits[point->voxel[k]];
        const oracle_vec p0 = o->rest[point->voxel[k]];
        const oracle_vec fitted = vec_add_scaled(fit->d, -0.5, mat_apply(&fit->D, p0));
        u = vec_add_scaled(u, w, is_fit ? fitted : fit->delta);
        xb = vec_add_scaled(xb, w, p0);
        mat_add_scaled(&slope, w, &fit->D);
    }
    const oracle_vec along = vec_add_scaled(vec_of(point->rest), -0.5, xb);
    return is_fit ? vec_add(u, mat_apply(&slope, along)) : u;
}

// A point without artist weights (MODEL 5.3); also its gradient and its mean rotation.
static oracle_vec ride(const oracle* o, const oracle_fit* fits, const oracle_bound_point* point,
                       oracle_mat* gradient, oracle_mat* rotation) {
    oracle_vec x = {0, 0, 0};
    *gradient = *rotation = (oracle_mat){0};
    for (int k = 0; k < 8; ++k) {
        const double w = point->weight[k];
        if (w == 0) {
            continue;
        }
        const uint32_t j = point->voxel[k];
        const oracle_mat R = mat_of_quat(o->out_R[j]);
        const oracle_vec arm = vec_sub(vec_of(point->rest), o->rest[j]);
        x = vec_add_scaled(x, w, vec_add(o->out_p[j], mat_apply(&R, arm)));
        mat_add_scaled(gradient, w, &fits[j].F);
        mat_add_scaled(rotation, w, &R);
    }
    return x;
}

static void embed_point(const oracle* o, const oracle_embed_def* def, const oracle_fit* fits,
                        const oracle_vec* u, const oracle_bound_point* points, uint32_t i,
                        const oracle_embedded* out) {
    const oracle_bound_point* point = &points[i];
    const bool rides = def->embedding == ORACLE_EMBED_FRAMES || !oracle_is_skinned(point);
    oracle_mat gradient, L = {0};
    oracle_vec x;
    if (rides) {
        x = ride(o, fits, point, &gradient, &L);
    } else {
        x = oracle_skin_point(o, &o->last, vec_of(point->rest), point->joint, point->skinning, 8,
                              &L);
        x = vec_add(x, u[i]);
        gradient = L;
        for (int k = 0; k < 8; ++k) {
            if (point->weight[k] != 0) {
                mat_add_scaled(&gradient, point->weight[k], &fits[point->voxel[k]].D);
            }
        }
    }
    const oracle_vec n0 = vec_of(point->normal), t0 = vec_of(point->tangent);
    oracle_vec n = {0, 0, 0}, t = {0, 0, 0};
    if (def->rings && def->embedding != ORACLE_EMBED_FRAMES) {
        oracle_ring_frame(o, points, i, &def->rings[i], &L, rides ? NULL : u, &n, &t);
    } else {
        const oracle_mat cofactor = mat_cofactor(&gradient);
        n = oracle_direction(o, mat_apply(&cofactor, n0), n0);
        t = oracle_direction(o, mat_apply(&gradient, t0), t0);
    }
    if (out->positions) {
        out->positions[i] = x;
    }
    if (out->normals) {
        out->normals[i] = n;
    }
    if (out->tangents) {
        out->tangents[i] = t;
    }
    if (out->deltas) {
        out->deltas[i] = rides ? vec(0, 0, 0) : u[i];
    }
}

void oracle_embed(const oracle* o, const oracle_embed_def* def, const oracle_bound_point* points,
                  uint32_t count, const oracle_embedded* out) {
    const uint32_t n = o->input->voxel_count;
    oracle_fit* fits = allocate(n, sizeof *fits);
    oracle_vec* u = allocate(count, sizeof *u);
    for (uint32_t j = 0; j < n; ++j) {
        fits[j] = oracle_fit_voxel(o, j, def->smoothing);
    }
    if (def->embedding == ORACLE_EMBED_RBF) {
        oracle_vec* rows = allocate(def->rbf->row_count, sizeof *rows);
        oracle_rbf_deviations(o, def->rbf, rows);
        for (uint32_t i = 0; i < count; ++i) {
            u[i] = rows[def->rbf->point_row[i]];
        }
        free(rows);
    } else {
        for (uint32_t i = 0; i < count; ++i) {
            u[i] = deviation_of(o, fits, &points[i], def->embedding == ORACLE_EMBED_FIT);
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        embed_point(o, def, fits, u, points, i, out);
    }
    free(fits);
    free(u);
}
