// SPDX-License-Identifier: MIT
// Checks the oracle cooker's vertices, groups, rings and radial basis functions (RULES 10.5 to
// 10.10) on shapes whose numbers can be worked out by hand: a box, a plate, a ball, a tube.
#include "tests/cook/oracle/oracle_mesh.h"
#include "tests/cook/support/oracle_checks.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t sum_of(const oracle_followed* followed) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < followed->count; ++k) {
        sum += followed->weight[k];
    }
    return sum;
}

TLW_TEST(rounded_weights_sum_to_one_and_the_largest_takes_the_rest) {
    const uint32_t index[8] = {7, 3, 9, 1, 0, 2, 4, 5};
    const oracle_followed thirds =
        oracle_round_weights(index, (double[]){1 / 3.0, 1 / 3.0, 1 / 3.0}, 3);
    CHECK_EQ(thirds.weight[0], 10922u); // 10923 each is one too many, and the first takes it
    CHECK_EQ(thirds.weight[1], 10923u);
    CHECK_EQ(thirds.weight[2], 10923u);
    CHECK(thirds.is_close);
    const oracle_followed tiny = oracle_round_weights(index, (double[]){1e-5, 1 - 2e-5, 1e-5}, 3);
    CHECK_EQ(tiny.count, 1u);
    CHECK_EQ(tiny.index[0], 3u);
    CHECK_EQ(tiny.weight[0], 32768u);
    uint64_t seed = 5;
    for (int n = 0; n < 1000; ++n) {
        double weight[8], sum = 0;
        for (int k = 0; k < 8; ++k) {
            weight[k] = pow((double)(tlw_test_random(&seed) >> 11) * 0x1p-53, 6);
            sum += weight[k];
        }
        for (int k = 0; k < 8; ++k) {
            weight[k] /= sum;
        }
        const oracle_followed some = oracle_round_weights(index, weight, 8);
        CHECK_EQ(sum_of(&some), 32768u);
        for (uint32_t k = 0; k < some.count; ++k) {
            CHECK_LT(0u, some.weight[k]);
        }
    }
}

static oracle_mesh cook_mesh(scene* s, const tlw_cook_recipe* recipe, oracle_result* result) {
    *result = cook_checked(s, recipe);
    oracle_mesh mesh;
    const char* wrong = oracle_cook_mesh(scene_input(s), recipe, result, &mesh);
    CHECK_STRING(wrong ? wrong : "", "");
    return mesh;
}

// Points in the middle of 2x2x2 voxel centres, given last first: the cooked order is Morton's.
TLW_TEST(groups_ascend_by_the_morton_code_of_their_blocks) {
    scene* s = make_box(0.5, 0.5, 0.5, 0);
    const double step = 1 / 7.5; // the edge of a voxel at resolution 8
    static const int cells[10][3] = {{2, 2, 2}, {1, 1, 1}, {0, 1, 1}, {1, 0, 1}, {0, 0, 1},
                                     {1, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    for (int k = 0; k < 10; ++k) {
        scene_add_socket(s, (cells[k][0] - 3) * step, (cells[k][1] - 3) * step,
                         (cells[k][2] - 3) * step);
    }
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 8;
    oracle_result r;
    oracle_mesh mesh = cook_mesh(s, &recipe, &r);
    const uint32_t first = mesh.vertex_count - 10;
    // The point of cell (k, k, k) lies in the block of cells k and k + 1. The codes of its cell
    // plus 1 (1, 2 or 3 on an axis) ascend by z, y, x within each level.
    static const uint32_t order[10] = {8, 7, 9, 6, 5, 4, 3, 2, 1, 0};
    for (uint32_t k = 0; k < 10; ++k) {
        CHECK_EQ(mesh.cooked[first + k], first + order[k]);
    }
    const oracle_group* last = &mesh.groups[mesh.group_count - 1];
    CHECK_EQ(last->vertex_count, 2u);
    CHECK_EQ(last->vertices[7], last->vertices[1]); // filled up by the last vertex
    CHECK_EQ(mesh.groups[mesh.group_count - 2].vertex_count, 8u);
    for (uint32_t g = 0; g < mesh.group_count; ++g) {
        const oracle_group* group = &mesh.groups[g];
        for (int lane = 0; lane < 8; ++lane) {
            uint32_t sum = 0;
            for (uint32_t k = 0; k < group->voxel_count; ++k) {
                CHECK(k == 0 || group->voxels[k - 1] < group->voxels[k]);
                sum += group->voxel_weights[k][lane];
            }
            CHECK_EQ(sum, 32768u);
        }
    }
    oracle_free_mesh(&mesh);
    oracle_free(&r);
    scene_free(s);
}

TLW_TEST(centres_inside_are_the_vertices_and_full_rest_shapes_are_three_halves) {
    scene* s = make_box(0.5, 0.5, 0.5, 0);
    scene_add_socket(s, 0.07, -0.11, 0.02);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 8;
    oracle_result r;
    oracle_mesh mesh = cook_mesh(s, &recipe, &r);
    const oracle_vertex* inside = &mesh.vertices[mesh.vertex_count - 1];
    CHECK_EQ(inside->voxels.count, 8u);
    CHECK_EQ(inside->joints.count, 0u);
    CHECK_EQ(mesh.vertices[0].joints.count, 1u);
    for (int a = 0; a < 3; ++a) {
        CHECK_NEAR(inside->xb[a], (double)inside->position[a], 4 * r.s / 32768);
    }
    uint32_t full = 0;
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        bool is_of_one_mass = bit_count(r.voxels[v].links) == 26;
        uint32_t list[26];
        for (uint32_t k = 0, n = oracle_neighbours(&r, 26, v, list); k < n; ++k) {
            is_of_one_mass =
                is_of_one_mass && (r.voxels[list[k]].layer == 0) == (r.voxels[v].layer == 0);
        }
        if (is_of_one_mass) { // 18 of 27 are off by 1 along an axis: the inverse of 18/27
            for (int k = 0; k < 6; ++k) {
                CHECK_NEAR(mesh.rest[v][k], k < 3 ? 1.5 : 0, 1e-12);
            }
            full += 1;
        }
    }
    CHECK_LT(0u, full);
    oracle_free_mesh(&mesh);
    oracle_free(&r);
    scene_free(s);
    s = scene_make(SCENE_plate, 0);
    recipe.resolution = 16;
    mesh = cook_mesh(s, &recipe, &r);
    for (uint32_t v = 0; v < r.voxel_count; ++v) {
        for (int k = 0; k < 6; ++k) {
            CHECK_EQ(mesh.rest[v][k], 0.0);
        }
    }
    oracle_free_mesh(&mesh);
    oracle_free(&r);
    scene_free(s);
}

TLW_TEST(graph_of_a_box_has_8_vertices_and_18_edges) {
    scene* s = scene_new();
    const uint32_t joint = scene_add_joint(s, TLW_NO_JOINT, 0, 0, 0);
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int f = 0; f < 6; ++f) { // every face has four vertices of its own
        uint32_t at[4];
        for (int k = 0; k < 4; ++k) {
            const int c = faces[f][k];
            at[k] = scene_add_vertex(s, c & 1 ? 1 : -0.0, c >> 1 & 1 ? 1 : 0, c >> 2 ? 1 : 0);
        }
        scene_add_triangle(s, at[0], at[1], at[2]);
        scene_add_triangle(s, at[0], at[2], at[3]);
    }
    scene_weigh_rigidly(s, 0, joint);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 8;
    recipe.has_ring_normals = true;
    oracle_result r;
    oracle_mesh mesh = cook_mesh(s, &recipe, &r);
    CHECK_EQ(mesh.vertex_count, 24u);
    CHECK_EQ(mesh.graph.count, 8u);
    CHECK_EQ(mesh.graph.triangle_count, 12u);
    CHECK_EQ(mesh.graph.edge_first[8], 36u);
    for (uint32_t v = 0; v < 24; ++v) { // no normals: neighbours, but no coefficients
        CHECK_LE(3u, mesh.vertices[v].ring_count);
        CHECK_EQ(mesh.vertices[v].ring_weight[0][0], 0.0);
    }
    oracle_free_mesh(&mesh);
    oracle_free(&r);
    scene_free(s);
}

// A mesh with normals, which scenes do not have.
typedef struct with_normals {
    tlw_cook_input input;
    tlw_cook_mesh mesh;
    float* normals;
} with_normals;

static with_normals add_normals(scene* s, bool is_ball) {
    with_normals w = {*scene_input(s), scene_input(s)->meshes[0], NULL};
    w.normals = calloc((size_t)w.mesh.vertex_count * 3, sizeof *w.normals);
    CHECK(w.normals != NULL);
    for (uint32_t v = 0; v < w.mesh.vertex_count; ++v) {
        for (uint32_t a = 0; a < 3; ++a) { // of any length
            w.normals[v * 3 + a] = is_ball ? w.mesh.positions[v * 3 + a] : a == 2 ? 0.5f : 0.0f;
        }
    }
    w.mesh.normals = w.normals;
    return w;
}

static oracle_mesh cook_with_normals(with_normals* w, const tlw_cook_recipe* recipe,
                                     oracle_result* r) {
    oracle_mesh mesh;
    w->input.meshes = &w->mesh;
    const char* wrong = oracle_cook(&w->input, recipe, r);
    CHECK_STRING(wrong ? wrong : "", "");
    wrong = oracle_cook_mesh(&w->input, recipe, r, &mesh);
    CHECK_STRING(wrong ? wrong : "", "");
    return mesh;
}

// Slope of a field with this gradient along the tangents of a vertex, by its ring.
static void slope(const oracle_mesh* mesh, const oracle_vertex* vertex, const double gradient[3],
                  double out[2]) {
    out[0] = out[1] = 0;
    for (uint32_t i = 0; i < vertex->ring_count; ++i) {
        const float* x = mesh->vertices[vertex->ring[i]].position;
        double rise = 0;
        for (int a = 0; a < 3; ++a) {
            rise += gradient[a] * ((double)x[a] - (double)vertex->position[a]);
        }
        out[0] += vertex->ring_weight[i][0] * rise;
        out[1] += vertex->ring_weight[i][1] * rise;
    }
}

TLW_TEST(rings_of_a_plate_have_the_slopes_of_a_linear_field) {
    enum { SIDE = 9 };
    scene* s = scene_new();
    const uint32_t joint = scene_add_joint(s, TLW_NO_JOINT, 0, 0, 0);
    for (int k = 0; k < SIDE * SIDE; ++k) {
        scene_add_vertex(s, k % SIDE * 0.1, k / SIDE * 0.1 + k % SIDE * 0.02, 0);
    }
    for (uint32_t k = 0; k < SIDE * (SIDE - 1); ++k) {
        if (k % SIDE < SIDE - 1) {
            scene_add_triangle(s, k, k + 1, k + SIDE);
            scene_add_triangle(s, k + 1, k + SIDE + 1, k + SIDE);
        }
    }
    scene_weigh_rigidly(s, 0, joint);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 16;
    recipe.has_ring_normals = true;
    with_normals w = add_normals(s, false);
    oracle_result r;
    oracle_mesh mesh = cook_with_normals(&w, &recipe, &r);
    for (uint32_t v = 0; v < SIDE * SIDE; ++v) {
        const oracle_vertex* vertex = &mesh.vertices[v];
        double found[2];
        slope(&mesh, vertex, (const double[]){3, -5, 1}, found); // t1 is x, t2 is y
        CHECK_NEAR(found[0], 3, 1e-9);
        CHECK_NEAR(found[1], -5, 1e-9);
        for (uint32_t i = 1; i < vertex->ring_count; ++i) {
            CHECK_LT(vertex->ring[i - 1], vertex->ring[i]);
        }
    }
    CHECK_EQ(mesh.vertices[SIDE + 1].ring_count, 6u);
    free(w.normals);
    oracle_free_mesh(&mesh);
    oracle_free(&r);
    scene_free(s);
}

// A ball of triangles with vertices of their own, on one joint or several.
static scene* make_ball(uint32_t subdivisions) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 0, 0, 0);
    scene_add_lump(s, (const double[]){0, 0, 0}, 1, 0, subdivisions, 1);
    scene_weigh_rigidly(s, 0, 0);
    return s;
}

static double distance(const double* a, const double* b) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void place_of(const oracle_mesh* mesh, uint32_t welded, double x[3]) {
    for (int a = 0; a < 3; ++a) {
        x[a] = (double)mesh->vertices[mesh->graph.first_of[welded]].position[a];
    }
}

// What MODEL 5.4 makes of values at the centres, for one welded vertex.
static double interpolated(const oracle_mesh* mesh, uint32_t welded, const double* values) {
    const oracle_cooked_rbf* rbf = &mesh->rbf;
    const oracle_domain* domain = &rbf->domains[rbf->domain_of[welded]];
    double sum = 0;
    for (uint32_t t = rbf->row_first[welded]; t < rbf->row_first[welded + 1]; ++t) {
        double b = 0;
        for (uint32_t c = 0; c < domain->centre_count; ++c) {
            b += domain->inverse[(size_t)rbf->rows[t].coefficient * domain->centre_count + c] *
                 values[domain->first_centre + c];
        }
        sum += rbf->rows[t].weight * b;
    }
    return sum;
}

static void check_interpolation(const oracle_mesh* mesh) {
    const oracle_cooked_rbf* rbf = &mesh->rbf;
    double* ones = calloc(rbf->centre_count, sizeof *ones);
    double* linear = calloc(rbf->centre_count, sizeof *linear);
    CHECK(ones && linear);
    for (uint32_t c = 0; c < rbf->centre_count; ++c) {
        const double* x = rbf->centres[c].position;
        ones[c] = 1;
        linear[c] = 2 + 3 * x[0] - x[1] + 0.5 * x[2];
    }
    for (uint32_t v = 0; v < mesh->graph.count; ++v) {
        double x[3];
        place_of(mesh, v, x);
        CHECK_NEAR(interpolated(mesh, v, ones), 1, 1e-9);
        if (rbf->domains[rbf->domain_of[v]].term_count == 4) {
            CHECK_NEAR(interpolated(mesh, v, linear), 2 + 3 * x[0] - x[1] + 0.5 * x[2], 1e-9);
        }
    }
    free(ones);
    free(linear);
}

TLW_TEST(centres_of_a_ball_are_evenly_far_apart_and_interpolate_linear_fields) {
    scene* s = make_ball(4);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 16;
    recipe.embedding = TLW_COOK_EMBED_RBF;
    oracle_result r;
    oracle_mesh mesh = cook_mesh(s, &recipe, &r);
    const oracle_cooked_rbf* rbf = &mesh.rbf;
    CHECK_EQ(rbf->domain_count, 1u);
    CHECK_EQ(rbf->domains[0].term_count, 4u);
    CHECK_EQ(rbf->seam_count, 0u);
    CHECK_LE(256u, rbf->centre_count);
    CHECK_LE(rbf->centre_count, 512u);
    double least = INFINITY;
    for (uint32_t a = 0; a < rbf->centre_count; ++a) {
        for (uint32_t b = 0; b < a; ++b) {
            least = fmin(least, distance(rbf->centres[a].position, rbf->centres[b].position));
        }
    }
    CHECK_LE(rbf->radius, least);
    double farthest = 0;
    for (uint32_t v = 0; v < mesh.graph.count; ++v) {
        double nearest = INFINITY, x[3];
        place_of(&mesh, v, x);
        for (uint32_t c = 0; c < rbf->centre_count; ++c) {
            nearest = fmin(nearest, distance(rbf->centres[c].position, x));
        }
        farthest = fmax(farthest, nearest);
    }
    double area = 0; // of the triangles: about 1% less than the ball's
    for (uint32_t t = 0; t < mesh.graph.triangle_count; ++t) {
        double x[3][3], side[3];
        for (int k = 0; k < 3; ++k) {
            place_of(&mesh, mesh.graph.triangles[t][k], x[k]);
        }
        for (int k = 0; k < 3; ++k) {
            side[k] = distance(x[k], x[(k + 1) % 3]);
        }
        const double half = (side[0] + side[1] + side[2]) / 2; // Heron
        area += sqrt(half * (half - side[0]) * (half - side[1]) * (half - side[2]));
    }
    const double density = rbf->centre_count * rbf->radius * rbf->radius / area;
    printf("    %u centres, density %.3f, a vertex is at most %.2f r away, sigma %.2f r\n",
           rbf->centre_count, density, farthest / rbf->radius, rbf->domains[0].sigma / rbf->radius);
    CHECK_LT(0.55, density);
    CHECK_LT(density, 0.70);
    CHECK_LT(farthest, 1.5 * rbf->radius);
    check_interpolation(&mesh);
    oracle_free_mesh(&mesh);
    oracle_free(&r);
    scene_free(s);
}

static scene* make_tube(uint32_t around) {
    scene* s = scene_new();
    const uint32_t low = scene_add_joint(s, TLW_NO_JOINT, 0, 0, -1);
    scene_add_joint(s, low, 0, 0, 0);
    scene_add_capsule(s, (const double[]){0, 0, -1}, (const double[]){0, 0, 1}, 0.35, around);
    weigh_by_side(s, 2, 0.0, 0, 1);
    return s;
}

TLW_TEST(a_tube_of_two_joints_has_a_domain_for_each_and_a_seam_between) {
    scene* s = make_tube(24);
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 20;
    recipe.embedding = TLW_COOK_EMBED_RBF;
    oracle_result r;
    oracle_mesh mesh = cook_mesh(s, &recipe, &r);
    const oracle_cooked_rbf* rbf = &mesh.rbf;
    const oracle_graph* graph = &mesh.graph;
    CHECK_EQ(rbf->domain_count, 2u);
    CHECK_EQ(rbf->merged_count, 0u);
    for (uint32_t c = 0; c < rbf->centre_count; ++c) {
        const uint32_t first = rbf->domains[1].first_centre;
        CHECK_EQ(rbf->centres[c].domain, (uint32_t)(c >= first));
    }
    check_interpolation(&mesh);
    // Steps from the border by hand: 1 at ends of edges between domains, then 2 and 3.
    uint32_t seams = 0;
    for (uint32_t v = 0; v < graph->count; ++v) {
        const uint32_t joint = mesh.vertices[graph->first_of[v]].joints.index[0];
        CHECK_EQ(rbf->domains[rbf->domain_of[v]].joint, joint);
        bool is_near = false;
        for (uint32_t i = graph->edge_first[v]; i < graph->edge_first[v + 1]; ++i) {
            const uint32_t a = graph->edge_ends[i];
            is_near = is_near || rbf->domain_of[a] != rbf->domain_of[v];
            for (uint32_t k = graph->edge_first[a]; k < graph->edge_first[a + 1]; ++k) {
                const uint32_t b = graph->edge_ends[k];
                is_near = is_near || rbf->domain_of[b] != rbf->domain_of[a];
                for (uint32_t n = graph->edge_first[b]; n < graph->edge_first[b + 1]; ++n) {
                    is_near = is_near || rbf->domain_of[graph->edge_ends[n]] != rbf->domain_of[b];
                }
            }
        }
        if (is_near) {
            CHECK_LT(seams, rbf->seam_count);
            CHECK_EQ(rbf->seams[seams++], v);
        }
    }
    CHECK_EQ(seams, rbf->seam_count);
    CHECK_LT(0u, seams);
    for (uint32_t i = 0; i < rbf->seam_count; ++i) {
        double sum = 0;
        for (uint32_t k = rbf->seam_first[i]; k < rbf->seam_first[i + 1]; ++k) {
            CHECK_LT(0, rbf->seam_weights[k]);
            sum += rbf->seam_weights[k];
        }
        CHECK_NEAR(sum, 1, 1e-12);
    }
    CHECK_LT(0, rbf->seam_share);
    CHECK_LE(rbf->seam_share, 0.75);
    oracle_free_mesh(&mesh);
    oracle_free(&r);
    scene_free(s);
}

// A third joint that has only the few vertices of the top joins the one below it.
TLW_TEST(a_domain_with_few_centres_joins_its_neighbour) {
    scene* s = make_tube(24);
    scene_add_joint(s, 1, 0, 0, 1.3);
    scene_mesh* given = &s->meshes[0];
    for (uint32_t v = 0; v < given->vertex_count; ++v) {
        if (given->positions[v * 3 + 2] > 1.32f) {
            given->joints[v * 4] = 2;
        }
    }
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = 20;
    recipe.embedding = TLW_COOK_EMBED_RBF;
    oracle_result r;
    oracle_mesh mesh = cook_mesh(s, &recipe, &r);
    CHECK_EQ(mesh.rbf.domain_count, 2u);
    CHECK_EQ(mesh.rbf.merged_count, 1u);
    CHECK_EQ(mesh.rbf.domains[1].joint, 1u);
    check_interpolation(&mesh);
    oracle_free_mesh(&mesh);
    oracle_free(&r);
    scene_free(s);
}
