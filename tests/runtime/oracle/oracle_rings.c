// SPDX-License-Identifier: MIT
// Oracle, ring normals (MODEL 5.6): the normal and the tangent of a point from the deviations of
// its mesh neighbours.
#include "tests/runtime/oracle/oracle_private.h"

// t1 and t2 with t1 x t2 = n (Duff et al. 2017).
static void tangents_of(oracle_vec n, oracle_vec* t1, oracle_vec* t2) {
    const double s = n.z < 0 ? -1 : 1, a = -1 / (s + n.z), b = n.x * n.y * a;
    *t1 = vec(1 + s * n.x * n.x * a, s * b, -s * n.x);
    *t2 = vec(b, s + n.y * n.y * a, -n.y);
}

void oracle_ring_frame(const oracle* o, const oracle_bound_point* points, uint32_t point,
                       const oracle_ring* ring, const oracle_mat* L, const oracle_vec* u,
                       oracle_vec* normal, oracle_vec* tangent) {
    const oracle_vec n0 = vec_of(points[point].normal), t0 = vec_of(points[point].tangent);
    const double length = vec_length(n0);
    *normal = vec(0, 0, 0);
    if (!(length > 0)) { // no ring has coefficients here
        *tangent = oracle_direction(o, mat_apply(L, t0), t0);
        return;
    }
    oracle_vec t1, t2, g[2] = {{0, 0, 0}, {0, 0, 0}};
    tangents_of(vec_scale(n0, 1 / length), &t1, &t2);
    for (int i = 0; i < 6 && u; ++i) {
        for (int k = 0; k < 2; ++k) {
            if (ring->weight[i][k] != 0) {
                g[k] = vec_add_scaled(g[k], ring->weight[i][k],
                                      vec_sub(u[ring->neighbour[i]], u[point]));
            }
        }
    }
    const oracle_vec e1 = vec_add(mat_apply(L, t1), g[0]), e2 = vec_add(mat_apply(L, t2), g[1]);
    *normal = oracle_direction(o, vec_cross(e1, e2), n0);
    oracle_vec t = vec_add_scaled(mat_apply(L, t0), vec_dot(t0, t1), g[0]);
    t = vec_add_scaled(t, vec_dot(t0, t2), g[1]);
    *tangent = oracle_direction(o, t, t0);
}
