// SPDX-License-Identifier: MIT
// Makes muscles and bellies of small inputs.
#include "tests/runtime/oracle/small_muscles.h"

#include "tests/test.h"

#include <stdlib.h>

#define TENDON_RATIO 20.0

static double ratio_of(const oracle_line_vertex* vertex) {
    return vertex->is_belly ? 1 : TENDON_RATIO;
}

static oracle_vec direction(const oracle_line_vertex* vertex) {
    const oracle_vec d = vec_sub(vertex[1].place, vertex[0].place);
    return vec_scale(d, 1 / vec_length(d));
}

static void measure(oracle_muscle_rest* muscle) {
    const uint32_t segments = muscle->vertex_count - 1;
    oracle_line_vertex* v = muscle->vertices;
    double mean = 0;
    for (uint32_t s = 0; s < segments; ++s) {
        v[s].length = vec_length(vec_sub(v[s + 1].place, v[s].place));
        v[s + 1].arc = v[s].arc + v[s].length;
        mean += v[s].length / segments;
    }
    for (uint32_t s = 0; s < segments; ++s) {
        v[s].ratio = ratio_of(&v[s]) * mean / v[s].length;
        v[s].slack = v[s].length * (1 - 0.5 / ratio_of(&v[s]));
    }
    for (uint32_t i = 0; i <= segments; ++i) {
        const oracle_vec zero = {0, 0, 0};
        const oracle_vec before = i > 0 ? direction(&v[i - 1]) : zero;
        const oracle_vec after = i < segments ? direction(&v[i]) : zero;
        const oracle_vec sum = vec_add(before, after);
        v[i].tangent = vec_scale(sum, 1 / vec_length(sum));
        v[i].balance = zero;
        if (i > 0) {
            const double pull = v[i - 1].ratio * (v[i - 1].length - v[i - 1].slack);
            v[i].balance = vec_add_scaled(v[i].balance, pull, before);
        }
        if (i < segments) {
            const double pull = v[i].ratio * (v[i].length - v[i].slack);
            v[i].balance = vec_add_scaled(v[i].balance, -pull, after);
        }
    }
}

static void share_flex(oracle_muscle_rest* muscle) {
    const uint32_t segments = muscle->vertex_count - 1;
    oracle_line_vertex* v = muscle->vertices;
    double w[ORACLE_LINE_VERTICES], from = v[segments].arc, to = 0, top = 0, bottom = 0;
    for (uint32_t s = 0; s < segments; ++s) {
        if (v[s].is_belly) {
            from = fmin(from, v[s].arc);
            to = fmax(to, v[s + 1].arc);
        }
    }
    for (uint32_t i = 0; i <= segments; ++i) {
        const double z = (v[i].arc - from) / (to - from);
        w[i] = z > 0 && z < 1 ? pow(sin(3.14159265358979323846 * z), 4) : 0;
    }
    for (uint32_t s = 0; s < segments; ++s) {
        const double a = v[s].radius * v[s].radius, b = v[s + 1].radius * v[s + 1].radius;
        top += 0.5 * v[s].length * (a * w[s] + b * w[s + 1]);
        bottom += 0.5 * v[s].length * (a + b);
    }
    for (uint32_t i = 0; i <= segments; ++i) {
        v[i].flex = (w[i] - top / bottom) / (1 - top / bottom);
    }
}

void small_muscle_finish(oracle_muscle_rest* muscle) {
    const uint32_t n = muscle->vertex_count;
    CHECK_LE(3u, n);
    for (uint32_t i = 0; i < n; ++i) {
        oracle_line_vertex* vertex = &muscle->vertices[i];
        vertex->is_dynamic = i > 0 && i + 1 < n;
        vertex->radius = vertex->is_dynamic ? vertex->radius : 0;
        muscle->radius = fmax(muscle->radius, vertex->radius);
    }
    measure(muscle);
    share_flex(muscle);
    muscle->bulge = 1;
    muscle->flex_joint = ORACLE_NO_FLEX;
}

// Weights of the vertices around segment s at the parameter f.
static void weigh(const oracle_muscle_rest* muscle, uint32_t s, double f, oracle_belly* belly) {
    const double curve[4] = {(-f + 2 * f * f - f * f * f) / 2, (2 - 5 * f * f + 3 * f * f * f) / 2,
                             (f + 4 * f * f - 3 * f * f * f) / 2, (-f * f + f * f * f) / 2};
    const double linear[4] = {0, 1 - f, f, 0};
    belly->count = 4;
    for (uint32_t k = 0; k < 4; ++k) { // one vertex may be listed twice
        const uint32_t at = s + k < 1 ? 0 : s + k - 1;
        belly->vertex[k] = at < muscle->vertex_count ? at : muscle->vertex_count - 1;
        belly->curve[k] = curve[k];
        belly->linear[k] = linear[k];
    }
}

static oracle_belly belly_of(const oracle_muscle_rest* muscle, oracle_vec x, oracle_vec axis) {
    double least = HUGE_VAL, f = 0;
    uint32_t s = 0;
    oracle_vec X = {0, 0, 0};
    for (uint32_t k = 0; k + 1 < muscle->vertex_count; ++k) {
        const oracle_vec from = muscle->vertices[k].place;
        const oracle_vec d = vec_sub(muscle->vertices[k + 1].place, from);
        const double at = fmax(0, fmin(1, vec_dot(vec_sub(x, from), d) / vec_dot(d, d)));
        const oracle_vec near = vec_add_scaled(from, at, d);
        const double distance = vec_length(vec_sub(x, near));
        if (distance < least - 1e-9) {
            least = distance;
            f = at;
            s = k;
            X = near;
        }
    }
    oracle_belly belly = {0};
    const double r0 = muscle->vertices[s].radius, r1 = muscle->vertices[s + 1].radius;
    const double r = sqrt((1 - f) * r0 * r0 + f * r1 * r1);
    const oracle_vec t = direction(&muscle->vertices[s]);
    oracle_vec n = vec(X.x - axis.x, X.y - axis.y, 0);
    n = vec_add_scaled(n, -vec_dot(n, t), t);
    n = vec_scale(n, 1 / vec_length(n));
    oracle_vec o = vec_add_scaled(vec_sub(x, X), r, n);
    o = vec_add_scaled(o, -vec_dot(o, t), t);
    const double out = vec_dot(o, n), share = 2 * r * out / vec_dot(o, o);
    const double k = r < 1e-9 || out <= 0 ? 0 : fmin(1, share * share);
    const double kept = fmax(0, (k - 0.1) / 0.9);
    if (kept > 0) {
        belly.d = vec_scale(o, kept / (2 * r * r));
        belly.a = kept * r / muscle->radius;
        weigh(muscle, s, f, &belly);
    }
    return belly;
}

oracle_voxel_bellies* small_bellies_make(const small_input* small,
                                         const oracle_muscle_rest* muscles, uint32_t count,
                                         oracle_vec axis) {
    const uint32_t n = small->input.voxel_count;
    oracle_voxel_bellies* bellies = calloc(n, sizeof *bellies);
    CHECK(bellies != NULL);
    CHECK_LE(count, ORACLE_VOXEL_MUSCLES);
    for (uint32_t i = 0; i < n; ++i) {
        const int32_t* cell = small->input.cell[i];
        const oracle_vec x = {cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5};
        for (uint32_t k = 0; k < count && small->input.layer[i] != 0; ++k) {
            oracle_belly belly = belly_of(&muscles[k], x, axis);
            belly.muscle = k;
            if (belly.count > 0) {
                bellies[i].of[bellies[i].count++] = belly;
            }
        }
    }
    return bellies;
}
