// SPDX-License-Identifier: MIT
// Oracle cooker, vertices: stored weights, artist weights, groups, centres and rest shapes (RULES
// 10.5 to 10.8).
#include "tests/cook/oracle/oracle_mesh.h"
#include "tests/cook/oracle/oracle_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

oracle_followed oracle_round_weights(const uint32_t* index, const double* weight, uint32_t count) {
    oracle_followed out = {0};
    int64_t rounded[8], missing = ORACLE_WEIGHT_ONE;
    uint32_t largest = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const double scaled = ORACLE_WEIGHT_ONE * weight[k];
        rounded[k] = (int64_t)floor(scaled + 0.5);
        missing -= rounded[k];
        out.is_close = out.is_close || fabs(scaled + 0.5 - round(scaled + 0.5)) < 1e-8;
        largest = weight[k] > weight[largest] ? k : largest;
    }
    for (uint32_t k = 0; k < count; ++k) {
        out.is_close = out.is_close || (k != largest && missing != 0 &&
                                        fabs(weight[k] - weight[largest]) < ORACLE_SLACK);
    }
    for (uint32_t k = 0; k < count; ++k) {
        const int64_t w = rounded[k] + (k == largest ? missing : 0);
        if (w > 0) {
            out.index[out.count] = index[k];
            out.weight[out.count++] = (uint32_t)w;
        }
    }
    return out;
}

// RULES 10.6: takes the largest of what is left, up to eight times.
static oracle_followed artist_weights(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                                      uint32_t count, const uint32_t* joints,
                                      const float* weights) {
    bool* is_taken = oracle_allocate(count, sizeof *is_taken);
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t e = 0; e < recipe->excluded_joint_count; ++e) {
            is_taken[k] = is_taken[k] ||
                          strcmp(input->joints[joints[k]].name, recipe->excluded_joints[e]) == 0;
        }
    }
    uint32_t index[8], taken = 0;
    double weight[8], sum = 0;
    for (; taken < 8; ++taken) {
        uint32_t best = ORACLE_NONE;
        for (uint32_t k = 0; k < count; ++k) {
            if (!is_taken[k] && weights[k] > 0 &&
                (best == ORACLE_NONE || weights[k] > weights[best])) {
                best = k;
            }
        }
        if (best == ORACLE_NONE) {
            break;
        }
        is_taken[best] = true;
        index[taken] = joints[best];
        weight[taken] = (double)weights[best];
        sum += weight[taken];
    }
    free(is_taken);
    for (uint32_t k = 0; k < taken; ++k) {
        weight[k] /= sum;
    }
    return oracle_round_weights(index, weight, taken);
}

static double squared_from(const oracle_result* result, uint32_t voxel, const double point[3]) {
    double centre[3], d = 0;
    oracle_centre_of(&result->voxels[voxel], centre);
    for (int a = 0; a < 3; ++a) {
        const double gap = centre[a] - oracle_to_voxels(result, point[a], a);
        d += gap * gap;
    }
    return d;
}

// RULES 10.3: the seat of a joint or of an ancestor.
static uint32_t seat_of(const tlw_cook_input* input, const oracle_result* result, uint32_t joint) {
    for (uint32_t j = joint; j != TLW_NO_JOINT; j = input->joints[j].parent) {
        double least = INFINITY;
        for (int pass = 0; pass < 2; ++pass) {
            for (uint32_t v = 0; v < result->voxel_count; ++v) {
                const double d = squared_from(result, v, &input->joints[j].bind[12]);
                if (!result->touched[(size_t)v * input->joint_count + j]) {
                    continue;
                }
                if (pass == 0) {
                    least = fmin(least, d);
                } else if (d <= least + ORACLE_SLACK) {
                    return v;
                }
            }
        }
    }
    return ORACLE_NONE;
}

static void set_vertex(const tlw_cook_input* input, const oracle_result* result,
                       const oracle_binding* binding, oracle_vertex* vertex) {
    const double position[3] = {(double)vertex->position[0], (double)vertex->position[1],
                                (double)vertex->position[2]};
    uint32_t seat = ORACLE_NONE;
    if (squared_from(result, binding->own, position) > 4 + ORACLE_SLACK &&
        vertex->joints.count > 0) {
        seat = seat_of(input, result, vertex->joints.index[0]);
    }
    const double whole = 1;
    vertex->voxels = seat == ORACLE_NONE
                         ? oracle_round_weights(binding->voxels, binding->weights, binding->count)
                         : oracle_round_weights(&seat, &whole, 1);
    for (uint32_t k = 0; k < vertex->voxels.count; ++k) {
        double centre[3];
        oracle_centre_of(&result->voxels[vertex->voxels.index[k]], centre);
        for (int a = 0; a < 3; ++a) {
            vertex->xb[a] += (double)vertex->voxels.weight[k] / ORACLE_WEIGHT_ONE *
                             (result->origin[a] + result->s * centre[a]);
        }
    }
}

void oracle_make_vertices(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                          const oracle_result* result, oracle_mesh* mesh) {
    mesh->vertices = oracle_allocate(result->binding_count, sizeof *mesh->vertices);
    for (uint32_t m = 0; m < input->mesh_count + input->points_count; ++m) {
        const bool is_mesh = m < input->mesh_count;
        const tlw_cook_mesh* given = is_mesh ? &input->meshes[m] : NULL;
        const tlw_cook_points* points = is_mesh ? NULL : &input->points[m - input->mesh_count];
        if (is_mesh && given->role == TLW_ROLE_IGNORE) {
            continue;
        }
        const uint32_t count = is_mesh ? given->vertex_count : points->count;
        const uint32_t influences = is_mesh ? given->influence_count : points->influence_count;
        const uint32_t* joints = is_mesh ? given->joints : points->joints;
        const float* weights = is_mesh ? given->weights : points->weights;
        const float* positions = is_mesh ? given->positions : points->positions;
        const float* normals = is_mesh ? given->normals : points->normals;
        for (uint32_t v = 0; v < count; ++v) {
            oracle_vertex* vertex = &mesh->vertices[mesh->vertex_count];
            vertex->source = mesh->source_count;
            vertex->has_triangles = is_mesh && given->triangle_count > 0;
            for (size_t a = 0; a < 3; ++a) {
                vertex->position[a] = positions[(size_t)v * 3 + a];
                vertex->normal[a] = normals ? normals[(size_t)v * 3 + a] : 0;
            }
            if (influences > 0) {
                const size_t first = (size_t)v * influences;
                vertex->joints =
                    artist_weights(input, recipe, influences, joints + first, weights + first);
            }
            set_vertex(input, result, &result->bindings[mesh->vertex_count], vertex);
            mesh->vertex_count += 1;
        }
        mesh->source_count += 1;
    }
}

// RULES 10.7

typedef struct place {
    uint32_t source;
    uint64_t block;
    uint32_t vertex;
} place;

static int compare_places(const void* a, const void* b) {
    const place *x = a, *y = b;
    if (x->source != y->source) {
        return x->source < y->source ? -1 : 1;
    }
    if (x->block != y->block) {
        return x->block < y->block ? -1 : 1;
    }
    return x->vertex < y->vertex ? -1 : 1;
}

static uint64_t block_of(const oracle_result* result, const oracle_vertex* vertex) {
    uint64_t code = 0;
    for (int a = 0; a < 3; ++a) {
        const double at = ((double)vertex->position[a] - result->origin[a]) / result->s - 0.5;
        const double held = fmin(fmax(floor(at), -1), (double)result->counts[a]);
        const uint64_t cell = (uint64_t)(int64_t)(held + 1);
        for (int bit = 0; bit < 20; ++bit) {
            code |= (cell >> bit & 1) << (3 * bit + a);
        }
    }
    return code;
}

// Adds a weight to the list at its place; a joint may be named twice by one vertex.
static void add_to_list(uint32_t* count, uint32_t list[64], uint32_t weights[64][8], uint32_t index,
                        uint32_t lane, uint32_t weight) {
    uint32_t at = 0;
    while (at < *count && list[at] < index) {
        at += 1;
    }
    if (at == *count || list[at] != index) {
        for (uint32_t k = *count; k > at; --k) {
            list[k] = list[k - 1];
            memcpy(weights[k], weights[k - 1], sizeof weights[k]);
        }
        list[at] = index;
        memset(weights[at], 0, sizeof weights[at]);
        *count += 1;
    }
    weights[at][lane] += weight;
}

static void fill_group(const oracle_mesh* mesh, oracle_group* group) {
    for (uint32_t lane = 0; lane < 8; ++lane) {
        const oracle_vertex* vertex = &mesh->vertices[group->vertices[lane]];
        for (uint32_t k = 0; k < vertex->voxels.count; ++k) {
            add_to_list(&group->voxel_count, group->voxels, group->voxel_weights,
                        vertex->voxels.index[k], lane, vertex->voxels.weight[k]);
        }
        for (uint32_t k = 0; k < vertex->joints.count; ++k) {
            add_to_list(&group->joint_count, group->joints, group->joint_weights,
                        vertex->joints.index[k], lane, vertex->joints.weight[k]);
        }
    }
}

void oracle_make_groups(const oracle_result* result, oracle_mesh* mesh) {
    const uint32_t n = mesh->vertex_count;
    place* places = oracle_allocate(n, sizeof *places);
    for (uint32_t v = 0; v < n; ++v) {
        places[v] = (place){mesh->vertices[v].source, block_of(result, &mesh->vertices[v]), v};
    }
    qsort(places, n, sizeof *places, compare_places);
    mesh->cooked = oracle_allocate(n, sizeof *mesh->cooked);
    mesh->groups = oracle_allocate(n, sizeof *mesh->groups);
    mesh->is_bound = oracle_allocate(result->voxel_count, sizeof *mesh->is_bound);
    for (uint32_t first = 0; first < n;) {
        oracle_group* group = &mesh->groups[mesh->group_count++];
        uint32_t end = first;
        while (end < n && end - first < 8 && places[end].source == places[first].source) {
            mesh->cooked[end] = places[end].vertex;
            group->vertices[end - first] = places[end].vertex;
            end += 1;
        }
        group->vertex_count = end - first;
        for (uint32_t lane = group->vertex_count; lane < 8; ++lane) {
            group->vertices[lane] = places[end - 1].vertex;
        }
        fill_group(mesh, group);
        for (uint32_t k = 0; k < group->voxel_count; ++k) {
            mesh->is_bound[group->voxels[k]] = true;
        }
        first = end;
    }
    free(places);
}

// RULES 10.8: the inverse of A0/(sum m) over a voxel and its linked neighbours, bone mass 10.
static void rest_of(const oracle_result* result, uint32_t voxel, double out[6]) {
    uint32_t list[27];
    const uint32_t count = oracle_neighbours(result, 26, voxel, list) + 1;
    list[count - 1] = voxel;
    double mass = 0, c[3] = {0}, A[3][3] = {{0}};
    for (uint32_t k = 0; k < count; ++k) {
        const double m = result->voxels[list[k]].layer == 0 ? 10 : 1;
        mass += m;
        for (int a = 0; a < 3; ++a) {
            c[a] += m * result->voxels[list[k]].cell[a];
        }
    }
    for (uint32_t k = 0; k < count; ++k) {
        const oracle_voxel* v = &result->voxels[list[k]];
        for (int a = 0; a < 9; ++a) {
            A[a / 3][a % 3] += (v->layer == 0 ? 10 : 1) * (v->cell[a / 3] - c[a / 3] / mass) *
                               (v->cell[a % 3] - c[a % 3] / mass) / mass;
        }
    }
    const double xx = A[1][1] * A[2][2] - A[1][2] * A[2][1];
    const double xy = A[0][2] * A[2][1] - A[0][1] * A[2][2];
    const double xz = A[0][1] * A[1][2] - A[0][2] * A[1][1];
    const double determinant = A[0][0] * xx + A[1][0] * xy + A[2][0] * xz;
    const double third = (A[0][0] + A[1][1] + A[2][2]) / 3;
    memset(out, 0, 6 * sizeof *out);
    if (determinant > 1e-3 * third * third * third) { // a single voxel has 0 on both sides
        out[0] = xx / determinant;
        out[1] = (A[0][0] * A[2][2] - A[0][2] * A[2][0]) / determinant;
        out[2] = (A[0][0] * A[1][1] - A[0][1] * A[1][0]) / determinant;
        out[3] = xy / determinant;
        out[4] = xz / determinant;
        out[5] = (A[0][2] * A[1][0] - A[0][0] * A[1][2]) / determinant;
    }
}

void oracle_make_rest(const oracle_result* result, oracle_mesh* mesh) {
    mesh->rest = oracle_allocate(result->voxel_count, sizeof *mesh->rest);
    for (uint32_t v = 0; v < result->voxel_count; ++v) {
        rest_of(result, v, mesh->rest[v]);
    }
}
