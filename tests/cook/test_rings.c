// SPDX-License-Identifier: MIT
// Mesh graph and ring normals (RULES 10.9): neighbours, and coefficients that give the gradient of
// a field along the surface.
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/open_cook.h"
#include "tests/cook/support/sample_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RING TLW_BLOB_RING_NEIGHBOURS

static open_cook ring_cook(uint32_t resolution) {
    open_cook c = {.recipe = tlw_default_cook_recipe()};
    c.recipe.resolution = resolution;
    c.recipe.has_ring_normals = true;
    return c;
}

typedef struct ring {
    uint32_t cooked;
    uint32_t neighbour[RING];
    float weight[RING][2];
} ring;

// What the blob has for the lane of a group.
static ring ring_of(const tlw_cook* cook, uint32_t group, uint32_t lane) {
    ring out = {.cooked = cook->groups.list[group].first_vertex + lane};
    for (uint32_t k = 0; k < RING; ++k) {
        out.neighbour[k] = cook->rings.neighbours[((size_t)group * RING + k) * 8 + lane];
        for (uint32_t i = 0; i < 2; ++i) {
            out.weight[k][i] =
                cook->rings.weights[((size_t)group * 2 * RING + 2 * k + i) * 8 + lane];
        }
    }
    return out;
}

typedef void check_ring(const tlw_cook* cook, const ring* of, void* user);

static uint32_t for_each_ring(const tlw_cook* cook, check_ring* check, void* user) {
    uint32_t count = 0;
    for (uint32_t g = 0; g < cook->groups.count; ++g) {
        for (uint32_t lane = 0; lane < cook->groups.list[g].vertex_count; ++lane, ++count) {
            const ring of = ring_of(cook, g, lane);
            check(cook, &of, user);
        }
    }
    return count;
}

static const tlw_cook_source* source_of(const tlw_cook* cook, uint32_t vertex) {
    const tlw_cook_source* source = cook->sources.list;
    while (vertex - source->first_vertex >= source->mesh.vertex_count) {
        source += 1;
    }
    return source;
}

static bool is_edge(const tlw_cook_graph* graph, uint32_t a, uint32_t b) {
    for (uint32_t t = 0; t < graph->triangle_count; ++t) {
        bool has_a = false, has_b = false;
        for (int k = 0; k < 3; ++k) {
            has_a = has_a || graph->triangles[t][k] == a;
            has_b = has_b || graph->triangles[t][k] == b;
        }
        if (has_a && has_b) {
            return true;
        }
    }
    return false;
}

static void check_neighbours(const tlw_cook* cook, const ring* of, void* user) {
    const tlw_cook_graph* graph = &cook->graph;
    const uint32_t own = graph->welded_of[cook->groups.source_of[of->cooked]];
    const uint32_t edges = graph->edge_begin[own + 1] - graph->edge_begin[own];
    uint32_t last = 0;
    (void)user;
    for (uint32_t k = 0; k < RING; ++k) {
        if (k >= edges) {
            CHECK_EQ(of->neighbour[k], of->cooked);
            CHECK_EQ(of->weight[k][0], 0.0f);
            CHECK_EQ(of->weight[k][1], 0.0f);
            continue;
        }
        const uint32_t vertex = cook->groups.source_of[of->neighbour[k]];
        const uint32_t welded = graph->welded_of[vertex];
        CHECK_EQ(graph->first_of[welded], vertex);
        CHECK(k == 0 || welded > last);
        CHECK(is_edge(graph, own, welded));
        last = welded;
    }
}

TLW_TEST(rings_list_the_first_six_welded_neighbours_ascending) {
    static const scene_kind kinds[] = {SCENE_box,  SCENE_lump,     SCENE_split_lump,
                                       SCENE_legs, SCENE_triangle, SCENE_torn_lump};
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        scene* s = scene_make(kinds[i], 3);
        open_cook c = ring_cook(12);
        CHECK_OK(open_cook_run(&c, scene_input(s)));
        CHECK_EQ(for_each_ring(&c.cook, check_neighbours, NULL), c.cook.sources.vertex_count);
        open_cook_close(&c);
        scene_free(s);
    }
}

TLW_TEST(rings_of_lanes_without_a_vertex_repeat_the_last_one) {
    scene* s = scene_make(SCENE_triangle, 0);
    open_cook c = ring_cook(8);
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    CHECK_EQ(c.cook.groups.list[0].vertex_count, 3);
    for (uint32_t k = 0; k < RING; ++k) {
        for (uint32_t lane = 3; lane < 8; ++lane) {
            CHECK_EQ(c.cook.rings.neighbours[k * 8 + lane], c.cook.rings.neighbours[k * 8 + 2]);
        }
    }
    open_cook_close(&c);
    scene_free(s);
}

static void make_basis(const double n[3], double t1[3], double t2[3]) {
    const double s = n[2] < 0 ? -1 : 1, a = -1 / (s + n[2]), b = n[0] * n[1] * a;
    const double first[3] = {1 + s * n[0] * n[0] * a, s * b, -s * n[0]};
    const double second[3] = {b, s + n[1] * n[1] * a, -n[1]};
    memcpy(t1, first, sizeof first);
    memcpy(t2, second, sizeof second);
}

// A field that is linear along the tangent plane of the vertex: u = f1 (y.t1) + f2 (y.t2) + 3.
static void check_linear_field(const tlw_cook* cook, const ring* of, void* user) {
    static const double field[2] = {0.7, -1.3};
    const tlw_cook_graph* graph = &cook->graph;
    const uint32_t vertex = cook->groups.source_of[of->cooked];
    const tlw_cook_source* source = source_of(cook, vertex);
    const float* normal = source->mesh.normals + (size_t)(vertex - source->first_vertex) * 3;
    const double length =
        sqrt((double)normal[0] * (double)normal[0] + (double)normal[1] * (double)normal[1] +
             (double)normal[2] * (double)normal[2]);
    double n[3], t1[3], t2[3], gradient[2] = {0}, size = 0;
    for (int i = 0; i < 3; ++i) {
        n[i] = (double)normal[i] / length;
    }
    make_basis(n, t1, t2);
    const tlw_double3 at = graph->positions[graph->welded_of[vertex]];
    for (uint32_t k = 0; k < RING; ++k) {
        const tlw_double3 to =
            graph->positions[graph->welded_of[cook->groups.source_of[of->neighbour[k]]]];
        const double y[3] = {to.x - at.x, to.y - at.y, to.z - at.z};
        double e1 = 0, e2 = 0;
        for (int i = 0; i < 3; ++i) {
            e1 += y[i] * t1[i];
            e2 += y[i] * t2[i];
        }
        for (int i = 0; i < 2; ++i) {
            const double term = (double)of->weight[k][i] * (field[0] * e1 + field[1] * e2);
            gradient[i] += term;
            size += fabs(term);
        }
    }
    if (size > 0.0) {
        CHECK_NEAR(gradient[0], field[0], 1e-6 * (1 + size));
        CHECK_NEAR(gradient[1], field[1], 1e-6 * (1 + size));
        *(uint32_t*)user += 1;
    }
}

TLW_TEST(rings_give_the_gradient_of_a_field_that_is_linear_along_the_surface) {
    sample_input* sample = sample_input_make(TLW_SAMPLE_BUNNY);
    open_cook c = ring_cook(24);
    CHECK_OK(open_cook_run(&c, sample_input_get(sample)));
    uint32_t solved = 0;
    const uint32_t all = for_each_ring(&c.cook, check_linear_field, &solved);
    CHECK_EQ(solved + c.cook.rings.vertices_without, all);
    CHECK_LT(all * 99 / 100, solved); // nearly every vertex of a clean mesh has a ring
    open_cook_close(&c);
    sample_input_free(sample);
}

static void count_zeros(const tlw_cook* cook, const ring* of, void* user) {
    static const float zeros[RING][2] = {{0}};
    (void)cook;
    *(uint32_t*)user += memcmp(of->weight, zeros, sizeof zeros) == 0;
}

// A square and a far triangle without area. Each vertex has a normal of its own.
static scene* make_square(float normals[7][3]) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 0, 0, 0);
    static const double corners[7][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                         {0, 0, 2}, {1, 0, 2}, {2, 0, 2}};
    for (int i = 0; i < 7; ++i) {
        scene_add_vertex(s, corners[i][0], corners[i][1], corners[i][2]);
        normals[i][0] = normals[i][1] = 0.0f;
        normals[i][2] = 3.0f;
    }
    scene_add_triangle(s, 0, 1, 2);
    scene_add_triangle(s, 0, 2, 3);
    scene_add_triangle(s, 4, 5, 6);
    scene_weigh_rigidly(s, 0, 0);
    return s;
}

static uint32_t zeros_of_square(float normals[7][3], bool has_normals, scene* s) {
    tlw_cook_input input = *scene_input(s);
    tlw_cook_mesh mesh = input.meshes[0];
    mesh.normals = has_normals ? normals[0] : NULL;
    input.meshes = &mesh;
    open_cook c = ring_cook(4);
    CHECK_OK(open_cook_run(&c, &input));
    uint32_t zeros = 0;
    for_each_ring(&c.cook, count_zeros, &zeros);
    CHECK_EQ(zeros, c.cook.rings.vertices_without);
    open_cook_close(&c);
    return zeros;
}

TLW_TEST(rings_are_0_without_a_normal_and_where_neighbours_lie_in_a_line) {
    float normals[7][3];
    scene* s = make_square(normals);
    CHECK_EQ(zeros_of_square(normals, true, s), 3); // the triangle that is a line
    normals[1][2] = 0.0f;
    CHECK_EQ(zeros_of_square(normals, true, s), 4);
    normals[2][0] = 3.0f; // steep, and still a plane that the ring spans
    CHECK_EQ(zeros_of_square(normals, true, s), 4);
    normals[2][2] = 0.0f; // the ring is seen from its edge
    CHECK_EQ(zeros_of_square(normals, true, s), 5);
    CHECK_EQ(zeros_of_square(normals, false, s), 7);
    scene_free(s);
}

TLW_TEST(rings_reach_across_meshes_that_touch) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, 0, 0, 0);
    scene_add_vertex(s, 0, 0, 0);
    scene_add_vertex(s, 1, 0, 0);
    scene_add_vertex(s, 0, 1, 0);
    scene_add_triangle(s, 0, 1, 2);
    scene_weigh_rigidly(s, 0, 0);
    scene_add_mesh(s, TLW_ROLE_RIDE);
    scene_add_vertex(s, 1, 0, 0);
    scene_add_vertex(s, 0, 1, -0.0);
    scene_add_vertex(s, 1, 1, 0);
    scene_add_triangle(s, 0, 2, 1);
    scene_weigh_rigidly(s, 0, 0);
    scene_add_socket(s, 1, 0, 0); // a point at a vertex
    scene_add_socket(s, 5, 5, 5); // one of no triangle
    open_cook c = ring_cook(4);
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    const tlw_cook_graph* graph = &c.cook.graph;
    CHECK_EQ(graph->count, 5);
    static const uint32_t welded[] = {0, 1, 2, 1, 2, 3, 1, 4};
    CHECK_BYTES(graph->welded_of, welded, sizeof welded);
    static const uint32_t first[] = {0, 1, 2, 5, 7};
    CHECK_BYTES(graph->first_of, first, sizeof first);
    static const uint32_t begin[] = {0, 2, 5, 8, 10, 10};
    CHECK_BYTES(graph->edge_begin, begin, sizeof begin);
    static const uint32_t ends[] = {1, 2, 0, 2, 3, 0, 1, 3, 1, 2};
    CHECK_BYTES(graph->edge_ends, ends, sizeof ends);
    for_each_ring(&c.cook, check_neighbours, NULL);
    open_cook_close(&c);
    scene_free(s);
}

TLW_TEST(rings_are_left_out_without_artist_weights_or_unless_asked_for) {
    scene* s = scene_make(SCENE_unweighted_lump, 1);
    open_cook c = ring_cook(12);
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    CHECK_EQ(c.cook.rings.neighbours, NULL);
    CHECK_EQ(c.cook.graph.welded_of, NULL);
    open_cook_close(&c);
    tlw_cook_output output;
    tlw_cook_options options = tlw_default_cook_options();
    CHECK_OK(tlw_cook_character(scene_input(s), &c.recipe, &options, &output));
    CHECK(!output.report.has_ring_normals);
    tlw_cook_output_free(&output);
    scene_free(s);
    s = scene_make(SCENE_box, 1);
    CHECK_OK(tlw_cook_character(scene_input(s), &c.recipe, &options, &output));
    CHECK(output.report.has_ring_normals);
    CHECK_EQ(output.report.vertices_unringed, // it has no normals
             s->meshes[0].vertex_count + s->socket_count);
    tlw_cook_output_free(&output);
    c = ring_cook(12);
    c.recipe.has_ring_normals = false;
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    CHECK_EQ(c.cook.rings.neighbours, NULL);
    CHECK_EQ(c.cook.graph.welded_of, NULL);
    open_cook_close(&c);
    scene_free(s);
}
