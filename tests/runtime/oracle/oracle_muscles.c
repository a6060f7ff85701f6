// SPDX-License-Identifier: MIT
// Oracle, muscles (MODEL 3.18, 3.19): moves the action lines, by one dense system per line and
// iteration, and makes of them m, by which bellies displace the place that tissue is drawn to.
// Reads the pose, tensions and gravity; writes the state of the muscles, and m.
#include "tests/runtime/oracle/oracle_private.h"

#include <string.h>

#define SPRING_HZ         12.0
#define ALONG_HZ          0.5
#define ACROSS_HZ         6.0
#define LINE_KEPT         0.3 // of the velocity relative to b, after 0.1 s
#define SHORTEST          1e-6
#define NEAR_CENTRE       1e-3 // phi
#define SIDE_REACH        2.0  // phi
#define STATIC_ITERATIONS 32
#define UNKNOWNS          (3 * ORACLE_LINE_VERTICES)
#define SHORTEST_E        0.65
#define LONGEST_E         1.5
#define FLEX_SHARE        0.3
#define THINNEST          0.6

static const double two_pi = 6.283185307179586476925;
static const double degrees_of_radian = 57.29577951308232;

static oracle_vec unit(oracle_vec a) {
    return vec_scale(a, 1 / vec_length(a));
}

// diag(a) b
static oracle_vec times(oracle_vec a, oracle_vec b) {
    return vec(a.x * b.x, a.y * b.y, a.z * b.z);
}

static double square_of_hz(const oracle* o, double hz) {
    const double angle = two_pi * hz * o->settings.h;
    return angle * angle;
}

// The larger of the engine's and of what a joint's angle gives.
static double tension_of(const oracle* o, const oracle_kept_pose* pose, uint32_t muscle) {
    const oracle_muscle_rest* rest = &o->input->muscles[muscle];
    double tension = o->muscles[muscle].set_tension;
    if (rest->flex_joint != ORACLE_NO_FLEX) {
        const uint32_t parent = o->input->parent[rest->flex_joint];
        const double angle =
            degrees_of_radian * quat_angle(oracle_joint_rotation(o, pose, parent),
                                           oracle_joint_rotation(o, pose, rest->flex_joint));
        const double share = (angle - rest->flex_from) / (rest->flex_to - rest->flex_from);
        tension = fmax(tension, fmax(0, fmin(1, share)));
    }
    return tension;
}

// A line while it is solved.
typedef struct line {
    const oracle* o;
    const oracle_muscle_rest* rest;
    oracle_vec y[ORACLE_LINE_VERTICES];
    oracle_vec b[ORACLE_LINE_VERTICES];
    oracle_quat Rb[ORACLE_LINE_VERTICES];
    oracle_vec ahead[ORACLE_LINE_VERTICES]; // x*; at rest G, the residual's part of it
    bool is_at_rest;
    // Fields at this moment.
    oracle_vec centre[ORACLE_LINE_FIELDS];
    oracle_quat axes[ORACLE_LINE_FIELDS];
    // The system.
    int first[ORACLE_LINE_VERTICES]; // unknown of a vertex; -1: it is not dynamic
    int unknowns;
    double A[UNKNOWNS][UNKNOWNS], r[UNKNOWNS];
    double last_step; // the longest |dy| of the last iteration
} line;

static void place_line(line* l, const oracle_kept_pose* pose) {
    const double whole = 1;
    l->unknowns = 0;
    for (uint32_t i = 0; i < l->rest->vertex_count; ++i) {
        const oracle_line_vertex* vertex = &l->rest->vertices[i];
        l->b[i] =
            oracle_blend_point(l->o, pose, vertex->place, vertex->joint, vertex->weight, 4, NULL);
        l->Rb[i] = oracle_blend_rotations(l->o, pose, vertex->joint, vertex->weight);
        l->first[i] = vertex->is_dynamic ? l->unknowns : -1;
        l->unknowns += vertex->is_dynamic ? 3 : 0;
    }
    for (uint32_t f = 0; f < l->rest->field_count; ++f) {
        const oracle_line_field* field = &l->rest->fields[f];
        l->centre[f] =
            oracle_blend_point(l->o, pose, field->centre, &field->joint, &whole, 1, NULL);
        l->axes[f] = oracle_joint_rotation(l->o, pose, field->joint);
    }
}

static double phi_of(const oracle_line_field* field, oracle_quat axes, oracle_vec z) {
    return vec_length(times(field->inverse, quat_unrotate(axes, z)));
}

// How a field acts on a vertex: k, n, and x_f - y. False where it does not.
static bool field_acts(const line* l, uint32_t f, uint32_t i, double* k, oracle_vec* n,
                       oracle_vec* way) {
    const oracle_line_field* field = &l->rest->fields[f];
    const oracle_quat axes = l->axes[f];
    const oracle_vec c = l->centre[f];
    oracle_vec z = vec_sub(l->y[i], c);
    double phi = phi_of(field, axes, z);
    bool acts;
    if (field->reach > 0) {
        const double u = (phi - 1) / (field->reach - 1);
        acts = phi > 1 && phi < field->reach;
        *k = field->gain * (1 - u * u) * (1 - u * u);
    } else {
        acts = phi < 1;
        *k = field->gain;
        if (phi < NEAR_CENTRE) { // it has no direction of its own
            z = vec_sub(l->b[i], c);
            phi = phi_of(field, axes, z);
            if (phi < NEAR_CENTRE) {
                const double radius = 1 / vec_dot(field->inverse, field->first);
                z = quat_rotate(axes, vec_scale(field->first, radius));
                phi = 1;
            }
        }
        const oracle_vec s =
            quat_rotate(l->Rb[i], vec_sub(l->rest->vertices[i].place, field->centre));
        if (vec_dot(z, s) < 0 && phi < SIDE_REACH) {
            z = vec_add_scaled(z, -2 * vec_dot(z, s) / vec_dot(s, s), s);
            phi = phi_of(field, axes, z);
            acts = true;
        }
    }
    if (!acts) {
        return false;
    }
    const oracle_vec own = quat_unrotate(axes, z);
    *n = unit(quat_rotate(axes, times(field->inverse, times(field->inverse, own))));
    *way = vec_sub(vec_add_scaled(c, 1 / phi, z), l->y[i]);
    return true;
}

// Adds a block at a pair of vertices, unless one of them is not dynamic.
static void add_block(line* l, uint32_t i, uint32_t j, double factor, const oracle_mat* block) {
    for (int row = 0; row < 3 && l->first[i] >= 0 && l->first[j] >= 0; ++row) {
        for (int column = 0; column < 3; ++column) {
            l->A[l->first[i] + row][l->first[j] + column] += factor * block->m[row][column];
        }
    }
}

static void add_force(line* l, uint32_t i, double factor, oracle_vec force) {
    if (l->first[i] >= 0) {
        l->r[l->first[i]] += factor * force.x;
        l->r[l->first[i] + 1] += factor * force.y;
        l->r[l->first[i] + 2] += factor * force.z;
    }
}

// What a vertex has by itself: I, K, W, and their forces.
static void add_vertex(line* l, uint32_t i) {
    const oracle_line_vertex* vertex = &l->rest->vertices[i];
    const oracle_mat identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const double along = square_of_hz(l->o, ALONG_HZ), across = square_of_hz(l->o, ACROSS_HZ);
    const oracle_vec t = quat_rotate(l->Rb[i], vertex->tangent);
    oracle_mat K = {0};
    mat_add_scaled(&K, across, &identity);
    mat_add_outer(&K, along - across, t, t);
    add_block(l, i, i, 1, &K);
    add_force(l, i, 1, mat_apply(&K, vec_sub(l->b[i], l->y[i])));
    add_force(l, i, square_of_hz(l->o, SPRING_HZ), quat_rotate(l->Rb[i], vertex->balance));
    if (l->is_at_rest) {
        add_force(l, i, 1, l->ahead[i]);
    } else {
        add_block(l, i, i, 1, &identity);
        add_force(l, i, 1, vec_sub(l->ahead[i], l->y[i]));
    }
    for (uint32_t f = 0; f < l->rest->field_count; ++f) {
        double k;
        oracle_vec n, way;
        if (field_acts(l, f, i, &k, &n, &way)) {
            oracle_mat W = {0};
            mat_add_outer(&W, k, n, n);
            add_block(l, i, i, 1, &W);
            add_force(l, i, k * vec_dot(n, way), n);
        }
    }
}

// The spring between vertices s and s + 1.
static void add_segment(line* l, uint32_t s) {
    const oracle_line_vertex* vertex = &l->rest->vertices[s];
    const oracle_vec d = vec_sub(l->y[s + 1], l->y[s]);
    const double length = vec_length(d);
    const oracle_vec n =
        length < SHORTEST ? quat_rotate(l->Rb[s], unit(vec_sub(vertex[1].place, vertex[0].place)))
                          : vec_scale(d, 1 / length);
    const double k = square_of_hz(l->o, SPRING_HZ) * vertex->ratio;
    const double around = length > 0 ? fmax(0, 1 - vertex->slack / length) : 0;
    oracle_mat H = {{{k * around, 0, 0}, {0, k * around, 0}, {0, 0, k * around}}};
    mat_add_outer(&H, k * (1 - around), n, n);
    add_block(l, s, s, 1, &H);
    add_block(l, s + 1, s + 1, 1, &H);
    add_block(l, s, s + 1, -1, &H);
    add_block(l, s + 1, s, -1, &H);
    add_force(l, s, k * (length - vertex->slack), n);
    add_force(l, s + 1, -k * (length - vertex->slack), n);
}

// A dy = r by elimination; A is symmetric and positive, so nothing has to be exchanged.
static void solve(line* l) {
    for (int p = 0; p < l->unknowns; ++p) {
        for (int row = p + 1; row < l->unknowns; ++row) {
            const double factor = l->A[row][p] / l->A[p][p];
            for (int column = p; factor != 0 && column < l->unknowns; ++column) {
                l->A[row][column] -= factor * l->A[p][column];
            }
            l->r[row] -= factor * l->r[p];
        }
    }
    for (int row = l->unknowns - 1; row >= 0; --row) {
        for (int column = row + 1; column < l->unknowns; ++column) {
            l->r[row] -= l->A[row][column] * l->r[column];
        }
        l->r[row] /= l->A[row][row];
    }
}

static void iterate(line* l, uint32_t count) {
    for (uint32_t iteration = 0; iteration < count; ++iteration) {
        memset(l->A, 0, sizeof l->A);
        memset(l->r, 0, sizeof l->r);
        for (uint32_t i = 0; i < l->rest->vertex_count; ++i) {
            add_vertex(l, i);
        }
        for (uint32_t s = 0; s + 1 < l->rest->vertex_count; ++s) {
            add_segment(l, s);
        }
        solve(l);
        l->last_step = 0;
        for (uint32_t i = 0; i < l->rest->vertex_count; ++i) {
            if (l->first[i] >= 0) {
                const oracle_vec dy = vec_of(&l->r[l->first[i]]);
                l->y[i] = vec_add(l->y[i], dy);
                l->last_step = fmax(l->last_step, vec_length(dy));
            }
        }
    }
}

// Where the iterations start from, and x* (at rest: G).
static void start_line(line* l, const oracle_muscle* muscle, const oracle_kept_pose* pose,
                       oracle_vec root_displacement) {
    const oracle* o = l->o;
    const double h = o->settings.h;
    for (uint32_t i = 0; i < l->rest->vertex_count; ++i) {
        const oracle_vec G =
            vec_scale(oracle_gravity(o, pose->root_scale, l->Rb[i]), h * h * (1 - muscle->tension));
        l->y[i] = l->b[i];
        l->ahead[i] = G;
        if (!l->is_at_rest && l->first[i] >= 0) {
            const oracle_vec x = vec_sub(muscle->x[i], root_displacement);
            const oracle_vec b_last = vec_sub(muscle->b[i], root_displacement);
            const oracle_vec off = quat_unrotate(muscle->Rb[i], vec_sub(x, b_last));
            const oracle_vec moved =
                o->starts ? vec_sub(l->b[i], b_last) : vec_scale(muscle->v[i], h); // h v
            l->y[i] = vec_add(l->b[i], quat_rotate(l->Rb[i], off));
            l->ahead[i] = vec_add(vec_add(x, moved), G);
        }
    }
}

// v = v_b + 0.3^(h/0.1) ((y - x)/h - v_b), x = y. Not finite: on b, at rest.
static void end_line(const line* l, oracle_muscle* muscle, oracle_vec root_displacement) {
    const double h = l->o->settings.h, kept = pow(LINE_KEPT, h / 0.1);
    bool is_finite = true;
    for (uint32_t i = 0; i < l->rest->vertex_count; ++i) {
        const oracle_vec x = vec_sub(muscle->x[i], root_displacement);
        const oracle_vec b_last = vec_sub(muscle->b[i], root_displacement);
        const oracle_vec v_b = vec_scale(vec_sub(l->b[i], b_last), 1 / h);
        const oracle_vec v = vec_scale(vec_sub(l->y[i], x), 1 / h);
        const bool is_free = !l->is_at_rest && l->first[i] >= 0;
        muscle->v[i] = is_free ? vec_add_scaled(v_b, kept, vec_sub(v, v_b)) : v_b;
        muscle->x[i] = l->y[i];
        is_finite = is_finite && vec_is_finite(muscle->x[i]) && vec_is_finite(muscle->v[i]);
    }
    for (uint32_t i = 0; i < l->rest->vertex_count; ++i) {
        if (!is_finite) {
            const oracle_vec b_last = vec_sub(muscle->b[i], root_displacement);
            muscle->x[i] = l->b[i];
            muscle->v[i] = vec_scale(vec_sub(l->b[i], b_last), 1 / h);
        }
        muscle->b[i] = l->b[i];
        muscle->Rb[i] = l->Rb[i];
    }
}

static double length_of_segment(const oracle_muscle* muscle, uint32_t s) {
    return vec_length(vec_sub(muscle->x[s + 1], muscle->x[s]));
}

double oracle_elongation(const oracle* o, uint32_t muscle) {
    const oracle_muscle_rest* rest = &o->input->muscles[muscle];
    double now = 0, at_rest = 0;
    for (uint32_t s = 0; s + 1 < rest->vertex_count; ++s) {
        if (rest->vertices[s].is_belly) {
            now += length_of_segment(&o->muscles[muscle], s);
            at_rest += rest->vertices[s].length;
        }
    }
    return now / at_rest;
}

// Linear between vertices, constant beyond the ends.
static double at_arc(const oracle_muscle_rest* rest, const double* values, double arc) {
    const oracle_line_vertex* vertices = rest->vertices;
    if (arc <= vertices[0].arc) {
        return values[0];
    }
    for (uint32_t s = 0; s + 1 < rest->vertex_count; ++s) {
        if (arc <= vertices[s + 1].arc) {
            const double f = (arc - vertices[s].arc) / (vertices[s + 1].arc - vertices[s].arc);
            return (1 - f) * values[s] + f * values[s + 1];
        }
    }
    return values[rest->vertex_count - 1];
}

// What a line comes to at its vertices (MODEL 3.19).
static void bulge(const oracle_muscle_rest* rest, oracle_muscle* muscle) {
    double M[ORACLE_LINE_VERTICES];
    for (uint32_t i = 0; i < rest->vertex_count; ++i) {
        const oracle_line_vertex* vertex = &rest->vertices[i];
        double now = 0, at_rest = 0;
        for (uint32_t s = i > 0 ? i - 1 : 0; s <= i && s + 1 < rest->vertex_count; ++s) {
            now += length_of_segment(muscle, s);
            at_rest += rest->vertices[s].length;
        }
        muscle->e[i] = fmax(SHORTEST_E, fmin(LONGEST_E, now / at_rest));
        M[i] = vertex->radius * vertex->radius / muscle->e[i] *
               (1 + FLEX_SHARE * muscle->tension * vertex->flex);
    }
    for (uint32_t i = 0; i < rest->vertex_count; ++i) {
        const oracle_line_vertex* vertex = &rest->vertices[i];
        const oracle_vec t = quat_rotate(muscle->Rb[i], vertex->tangent);
        const oracle_vec off = vec_sub(muscle->x[i], muscle->b[i]);
        const double s = vec_dot(off, t), r = vertex->radius;
        const double R = fmax(THINNEST * r, sqrt(fmax(0, at_arc(rest, M, vertex->arc - s))));
        const oracle_vec n = quat_rotate(muscle->Rb[i], vertex->outward);
        const oracle_vec across = vec_add_scaled(off, -s, t);
        const oracle_vec c = vec_add_scaled(across, -fmin(0, vec_dot(across, n)), n);
        const double most = rest->radius / 2, length = vec_length(c);
        muscle->R[i] = R;
        muscle->B[i] = 2 * r * (R - r) * (R > r ? rest->bulge : 1);
        muscle->c[i] = length > most ? vec_scale(c, most / length) : c;
    }
}

void oracle_move_lines(oracle* o, const oracle_kept_pose* pose, oracle_vec root_displacement,
                       bool is_at_rest) {
    static line l; // large; tests run one after the other
    const uint32_t iterations = o->settings.line_iterations ? o->settings.line_iterations : 2;
    for (uint32_t k = 0; k < o->input->muscle_count; ++k) {
        oracle_muscle* muscle = &o->muscles[k];
        l.o = o;
        l.rest = &o->input->muscles[k];
        l.is_at_rest = is_at_rest;
        muscle->tension = tension_of(o, pose, k);
        place_line(&l, pose);
        start_line(&l, muscle, pose, root_displacement);
        iterate(&l, is_at_rest ? STATIC_ITERATIONS : iterations);
        o->line_restless = is_at_rest ? fmax(o->line_restless, l.last_step) : o->line_restless;
        end_line(&l, muscle, root_displacement);
        bulge(l.rest, muscle);
    }
}

// m = sum over the voxel's muscles of Rb B(u) d + a c(u)
void oracle_displace(const oracle* o, const oracle_quat* Rb, oracle_vec* m) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        const oracle_voxel_bellies* bellies = &o->input->bellies[i];
        m[i] = vec(0, 0, 0);
        for (uint32_t k = 0; k < bellies->count; ++k) {
            const oracle_belly* belly = &bellies->of[k];
            const oracle_muscle* muscle = &o->muscles[belly->muscle];
            double B = 0;
            oracle_vec c = {0, 0, 0};
            for (uint32_t n = 0; n < belly->count; ++n) {
                B += belly->curve[n] * muscle->B[belly->vertex[n]];
                c = vec_add_scaled(c, belly->linear[n], muscle->c[belly->vertex[n]]);
            }
            m[i] = vec_add_scaled(m[i], B, quat_rotate(Rb[i], belly->d));
            m[i] = vec_add_scaled(m[i], belly->a, c);
        }
    }
}
