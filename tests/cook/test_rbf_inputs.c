// SPDX-License-Identifier: MIT
// Radial basis functions on unusual input (RULES 10.10): what is refused, what is left out, and
// what the smallest meshes come to; and the same bytes whatever the number of threads.
#include "jobs/task_system.h"
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/rbf_fixture.h"
#include "tests/cook/support/sample_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const tlw_blob_header* head_of(const tlw_cook_output* output) {
    return (const tlw_blob_header*)(const void*)output->blob;
}

static uint32_t count_sections(const tlw_cook_output* output, uint32_t first, uint32_t last) {
    const tlw_blob_section* sections = (const tlw_blob_section*)(head_of(output) + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < head_of(output)->section_count; ++i) {
        count += sections[i].kind >= first && sections[i].kind <= last;
    }
    return count;
}

static void cook_bytes(const tlw_cook_input* input, const tlw_cook_recipe* recipe, uint32_t threads,
                       tlw_cook_output* output) {
    tlw_cook_options options = tlw_default_cook_options();
    if (threads == 0) {
        CHECK_OK(tlw_cook_character(input, recipe, &options, output));
        return;
    }
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    CHECK(scheduler != NULL);
    enkiInitTaskSchedulerNumThreads(scheduler, threads);
    tlw_jobs_tasks* jobs = tlw_jobs_tasks_create(scheduler);
    CHECK(jobs != NULL);
    options.tasks = tlw_jobs_task_system(jobs);
    CHECK_OK(tlw_cook_character(input, recipe, &options, output));
    tlw_jobs_tasks_destroy(jobs);
    enkiDeleteTaskScheduler(scheduler);
}

TLW_TEST(rbf_and_rings_cook_to_the_same_bytes_again_and_on_any_number_of_threads) {
    sample_input* sample = sample_input_make(TLW_SAMPLE_STOUT);
    open_cook c = rbf_cook(32);
    c.recipe.has_ring_normals = true;
    tlw_cook_output first, other;
    cook_bytes(sample_input_get(sample), &c.recipe, 0, &first);
    for (uint32_t threads = 0; threads <= 4; threads += 2) {
        cook_bytes(sample_input_get(sample), &c.recipe, threads, &other);
        CHECK_EQ(first.blob_bytes, other.blob_bytes);
        CHECK_BYTES(first.blob, other.blob, first.blob_bytes);
        tlw_cook_output_free(&other);
    }
    CHECK_LT(0, first.report.domain_count);
    CHECK_LT(0, first.report.seam_vertices);
    CHECK(first.report.has_ring_normals);
    CHECK_EQ(count_sections(&first, TLW_SECTION_RING_NEIGHBOUR, TLW_SECTION_RING_WEIGHT), 2);
    CHECK_EQ(count_sections(&first, TLW_SECTION_RBF, TLW_SECTION_RBF_SEAM_WEIGHT), 11);
    tlw_cook_output_free(&first);
    sample_input_free(sample);
}

TLW_TEST(recipe_that_asks_for_nothing_leaves_the_blob_without_rings_and_rbf) {
    scene* s = scene_make(SCENE_box, 0);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 12;
    tlw_cook_output plain, rings, both;
    cook_bytes(scene_input(s), &recipe, 0, &plain);
    CHECK_EQ(count_sections(&plain, TLW_SECTION_RING_NEIGHBOUR, TLW_SECTION_RBF_SEAM_WEIGHT), 0);
    CHECK_EQ(plain.report.domain_count, 0);
    recipe.has_ring_normals = true;
    cook_bytes(scene_input(s), &recipe, 0, &rings);
    CHECK_EQ(count_sections(&rings, TLW_SECTION_RBF, TLW_SECTION_RBF_SEAM_WEIGHT), 0);
    CHECK_LT(plain.report.peak_memory_bytes, rings.report.peak_memory_bytes + 1);
    recipe.embedding = TLW_COOK_EMBED_RBF;
    cook_bytes(scene_input(s), &recipe, 0, &both);
    CHECK_LT(plain.blob_bytes, rings.blob_bytes);
    CHECK_LT(rings.blob_bytes, both.blob_bytes);
    tlw_cook_output_free(&plain);
    tlw_cook_output_free(&rings);
    tlw_cook_output_free(&both);
    scene_free(s);
}

static void check_refused(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                          tlw_result result, const char* key, const char* message) {
    tlw_cook_output output;
    tlw_cook_options options = tlw_default_cook_options();
    const tlw_result got = tlw_cook_character(input, recipe, &options, &output);
    CHECK_STRING(tlw_result_name(got), tlw_result_name(result));
    CHECK(output.error.is_of_recipe);
    CHECK_STRING(output.error.key, key);
    CHECK_CONTAINS(output.error.message, message);
    CHECK_EQ(output.blob, NULL);
    tlw_cook_output_free(&output);
}

TLW_TEST(rbf_without_artist_weights_is_refused_by_name) {
    scene* s = scene_make(SCENE_unweighted_lump, 0);
    open_cook c = rbf_cook(12);
    check_refused(scene_input(s), &c.recipe, TLW_ERROR_BAD_ARGUMENT, "embedding",
                  "radial basis functions need the artist's weights, but no vertex has any; skin "
                  "the mesh, or use \"fit\"");
    scene_free(s);
}

TLW_TEST(rbf_settings_out_of_range_are_refused_by_name) {
    scene* s = scene_make(SCENE_box, 0);
    open_cook c = rbf_cook(12);
    c.recipe.seam_passes = 17;
    check_refused(scene_input(s), &c.recipe, TLW_ERROR_BAD_ARGUMENT, "",
                  "seam_passes is 17; it is 0 to 16");
    c.recipe.seam_passes = 16;
    c.recipe.embedding = (tlw_cook_embedding)2;
    check_refused(scene_input(s), &c.recipe, TLW_ERROR_BAD_ARGUMENT, "", "there is no embedding 2");
    scene_free(s);
}

// Every limit from nothing to enough either works or is named; none crashes or leaks.
TLW_TEST(rbf_and_rings_respect_the_limit_of_memory) {
    scene* s = scene_make(SCENE_ell, 0);
    open_cook c = rbf_cook(8);
    c.recipe.has_ring_normals = true;
    tlw_cook_output output;
    cook_bytes(scene_input(s), &c.recipe, 0, &output);
    const uint64_t enough = output.report.peak_memory_bytes + output.blob_bytes;
    tlw_cook_output_free(&output);
    const tlw_cook_options options = tlw_default_cook_options();
    uint32_t refused = 0;
    for (uint64_t limit = 1000; limit < enough; limit += enough / 97) {
        c.recipe.max_memory_bytes = limit;
        const tlw_result result = tlw_cook_character(scene_input(s), &c.recipe, &options, &output);
        CHECK(result == TLW_OK || result == TLW_ERROR_TOO_LARGE);
        CHECK(result == TLW_OK || output.error.message[0] != 0);
        refused += result != TLW_OK;
        tlw_cook_output_free(&output);
    }
    CHECK_LT(50, refused);
    scene_free(s);
}

// Small meshes

TLW_TEST(rbf_of_a_single_triangle_lies_in_a_plane_and_has_constant_terms_only) {
    scene* s = scene_make(SCENE_triangle, 0);
    open_cook c = rbf_cook(8);
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    for (uint32_t d = 0; d < c.cook.rbf.head.domain_count; ++d) {
        CHECK_EQ(c.cook.rbf.domains[d].term_count, 1);
    }
    CHECK_LE(256, c.cook.rbf.head.centre_count);
    CHECK_LE(c.cook.rbf.head.centre_count, 512);
    open_cook_close(&c);
    tlw_cook_output output;
    cook_bytes(scene_input(s), &c.recipe, 0, &output); // the validator agrees
    tlw_cook_output_free(&output);
    scene_free(s);
}

TLW_TEST(rbf_of_one_joint_is_one_domain_without_seams) {
    scene* s = scene_new();
    static const double low[3] = {0, 0, 0}, high[3] = {1, 2, 1};
    scene_add_joint(s, TLW_NO_JOINT, 0.5, 1, 0.5);
    scene_add_box(s, low, high);
    scene_weigh_rigidly(s, 0, 0);
    open_cook c = rbf_cook(16);
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    CHECK_EQ(c.cook.rbf.head.domain_count, 1);
    CHECK_EQ(c.cook.rbf.head.seam_count, 0);
    CHECK_EQ(c.cook.rbf.merged, 0);
    CHECK_EQ(c.cook.rbf.domains[0].term_count, 4);
    open_cook_close(&c);
    tlw_cook_output output;
    cook_bytes(scene_input(s), &c.recipe, 0, &output);
    CHECK_EQ(output.report.domain_count, 1);
    CHECK_EQ(output.report.domains[0].joint, 0);
    CHECK_LE(256, output.report.domains[0].centres);
    tlw_cook_output_free(&output);
    scene_free(s);
}

TLW_TEST(rbf_vertices_that_are_not_skinned_have_no_domain_and_no_row) {
    scene* s = scene_make(SCENE_figure, 0);
    const uint32_t count = s->meshes[0].vertex_count;
    for (uint32_t v = 0; v < count; v += 5) { // some of every limb
        memset(s->meshes[0].weights + (size_t)v * 4, 0, 4 * sizeof(float));
    }
    open_cook c = rbf_cook(16);
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    const tlw_cook_rbf* rbf = &c.cook.rbf;
    uint32_t without = 0;
    for (uint32_t v = 0; v < c.cook.graph.count; ++v) {
        const bool has_row = rbf->row_first[v] < rbf->row_first[v + 1];
        CHECK_EQ(has_row, rbf->domain_of[v] != TLW_RBF_NO_DOMAIN);
        if (c.cook.graph.first_of[v] < count) { // of the body
            CHECK_EQ(has_row, c.cook.graph.first_of[v] % 5 != 0);
            without += !has_row;
        }
    }
    CHECK_LT(0, without);
    for (uint32_t i = 0; i < rbf->seams[rbf->head.seam_count].first; ++i) {
        CHECK(rbf->domain_of[rbf->seam_rows[i]] != TLW_RBF_NO_DOMAIN);
    }
    open_cook_close(&c);
    tlw_cook_output output;
    cook_bytes(scene_input(s), &c.recipe, 0, &output);
    tlw_cook_output_free(&output);
    scene_free(s);
}

// Points have no area: each joint's domain is a constant at the point nearest to their mean.
TLW_TEST(rbf_of_skinned_points_alone_has_one_centre_per_domain) {
    scene* s = scene_make(SCENE_unweighted_lump, 0);
    tlw_cook_input input = *scene_input(s);
    static const float positions[] = {0, 0, 0, 0.1f, 0, 0, 0.3f, 0, 0, 0, 0.2f, 0};
    static const uint32_t joints[] = {0, 0, 0, 1};
    static const float weights[] = {1, 1, 1, 1};
    const tlw_cook_points points = {.name = "sockets",
                                    .count = 4,
                                    .positions = positions,
                                    .influence_count = 1,
                                    .joints = joints,
                                    .weights = weights};
    input.points = &points;
    input.points_count = 1;
    CHECK_LE(2, input.joint_count);
    open_cook c = rbf_cook(12);
    c.recipe.has_ring_normals = true;
    CHECK_OK(open_cook_run(&c, &input));
    const tlw_cook_rbf* rbf = &c.cook.rbf;
    CHECK_EQ(rbf->head.domain_count, 2);
    CHECK_EQ(rbf->head.centre_count, 2);
    CHECK_EQ(rbf->positions[0].x, (double)0.1f); // the mean is 0.133
    CHECK_EQ(rbf->positions[1].y, (double)0.2f);
    const double values[2] = {3.0, -5.0};
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t vertex = c.cook.graph.welded_of[c.cook.sources.vertex_count - 4 + i];
        CHECK_NEAR(rbf_value(rbf, vertex, values), i < 3 ? 3.0 : -5.0, 1e-6);
    }
    open_cook_close(&c);
    tlw_cook_output output;
    cook_bytes(&input, &c.recipe, 0, &output);
    tlw_cook_output_free(&output);
    scene_free(s);
}

// Domains

// A strip of squares along x, wide enough for centres; the joint of each column of vertices.
static scene* make_strip(const uint32_t* joint_of_column, uint32_t columns, uint32_t joint_count) {
    scene* s = scene_new();
    for (uint32_t j = 0; j < joint_count; ++j) {
        scene_add_joint(s, j == 0 ? TLW_NO_JOINT : 0, j, 0, 0);
    }
    for (uint32_t i = 0; i < columns; ++i) {
        const uint32_t first = scene_add_vertex(s, i, 0, 0);
        scene_add_vertex(s, i, 4, 0);
        scene_weigh_rigidly(s, first, joint_of_column[i]);
        if (i > 0) {
            scene_add_triangle(s, first - 2, first, first + 1);
            scene_add_triangle(s, first - 2, first + 1, first - 1);
        }
    }
    return s;
}

// 20 columns of joint 2, one of joint 3, 18 of joint 1, one of joint 0.
static scene* make_marked_strip(void) {
    uint32_t columns[40];
    for (uint32_t i = 0; i < 40; ++i) {
        columns[i] = i < 20 ? 2 : i == 20 ? 3 : i < 39 ? 1 : 0;
    }
    return make_strip(columns, 40, 4);
}

TLW_TEST(rbf_small_domains_join_the_neighbour_of_most_edges_and_the_lowest_joint_names_it) {
    // The last column's joint 0 joins joint 1 and names both. Joint 3 has one column between them
    // and joint 2, with three edges to either; the lower one takes it.
    scene* s = make_marked_strip();
    open_cook c = rbf_cook(20);
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    const tlw_cook_rbf* rbf = &c.cook.rbf;
    CHECK_EQ(rbf->merged, 2);
    CHECK_EQ(rbf->head.domain_count, 2);
    CHECK_EQ(rbf->domains[0].joint, 0);
    CHECK_EQ(rbf->domains[1].joint, 2);
    CHECK_EQ(rbf->domain_of[39], 2);
    CHECK_EQ(rbf->domain_of[40], 0);
    CHECK_EQ(rbf->domain_of[79], 0);
    open_cook_close(&c);
    scene_free(s);
}

// A vertex belongs to the domain of the largest sum, not to that of the largest joint.
TLW_TEST(rbf_weights_are_added_up_by_merged_domain) {
    scene* s = make_marked_strip();
    scene_mesh* mesh = &s->meshes[0];
    for (uint32_t k = 0; k < 3; ++k) { // 0.4 of joint 2, and 0.3 each of joints 0 and 1
        static const uint32_t joints[] = {2, 0, 1};
        static const float weights[] = {0.4f, 0.3f, 0.3f};
        mesh->joints[38 * 4 + k] = joints[k];
        mesh->weights[38 * 4 + k] = weights[k];
    }
    open_cook c = rbf_cook(20);
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    CHECK_EQ(c.cook.rbf.domain_of[38], 0);
    CHECK_EQ(c.cook.rbf.domain_of[39], 2);
    open_cook_close(&c);
    scene_free(s);
}

// The flesh of one joint, and as many single triangles, each of a joint of its own.
static scene* make_islands(uint32_t count) {
    scene* s = scene_new();
    for (uint32_t j = 0; j < count; ++j) {
        const uint32_t first = scene_add_vertex(s, j % 30, j / 30, 0);
        scene_add_vertex(s, j % 30 + 0.5, j / 30, 0);
        scene_add_vertex(s, j % 30, j / 30 + 0.5, 0);
        scene_add_triangle(s, first, first + 1, first + 2);
        scene_add_joint(s, j == 0 ? TLW_NO_JOINT : 0, j % 30, j / 30, 0);
        scene_weigh_rigidly(s, first, j);
    }
    return s;
}

TLW_TEST(rbf_islands_are_domains_of_their_own_up_to_512) {
    scene* s = make_islands(512);
    open_cook c = rbf_cook(30);
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    CHECK_EQ(c.cook.rbf.head.domain_count, 512);
    CHECK_EQ(c.cook.rbf.head.centre_count, 512);
    CHECK_EQ(c.cook.rbf.head.coefficient_count, 512 * 8);
    CHECK_EQ(c.cook.rbf.head.seam_count, 0);
    open_cook_close(&c);
    scene_free(s);
    s = make_islands(513);
    check_refused(scene_input(s), &c.recipe, TLW_ERROR_TOO_LARGE, "embedding",
                  "radial basis functions need more than 512 centres");
    scene_free(s);
}

TLW_TEST(rbf_of_a_mesh_far_larger_than_the_body_is_refused_in_time) {
    scene* s = scene_make(SCENE_box, 0);
    static const double low[3] = {-1e6, -1e6, -1e6}, high[3] = {1e6, 1e6, 1e6};
    scene_add_mesh(s, TLW_ROLE_RIDE);
    scene_add_box(s, low, high);
    scene_weigh_rigidly(s, 0, 0);
    open_cook c = rbf_cook(12);
    check_refused(scene_input(s), &c.recipe, TLW_ERROR_TOO_LARGE, "embedding",
                  "a mesh that rides is far larger than the body");
    scene_free(s);
}

// Cotangents

TLW_TEST(rbf_seam_weights_are_cotangents_and_triangles_without_area_add_nothing) {
    static const uint32_t columns[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    scene* s = make_strip(columns, TLW_COUNT_OF(columns), 2);
    // Three points of the upper border in a line.
    scene_add_triangle(s, 13, 15, 17);
    open_cook c = rbf_cook(16);
    CHECK_OK(open_cook_run(&c, scene_input(s)));
    const tlw_cook_rbf* rbf = &c.cook.rbf;
    CHECK_EQ(rbf->head.domain_count, 2);
    uint32_t seam = 0;
    while (seam < rbf->head.seam_count && rbf->seams[seam].row != 14) {
        seam += 1;
    }
    CHECK_LT(seam, rbf->head.seam_count);
    // Vertex 14, at (7, 0), has edges to 12, 15, 16 and 17, and that from 12 to 15 is opposite.
    // Triangles are 1 wide and 4 high: cot 4 across the lower and upper edge, 1/4 beside it, and 0
    // opposite to the diagonals, whose weight is the least one.
    const uint32_t first = rbf->seams[seam].first;
    static const uint32_t rows[] = {12, 15, 16, 17};
    CHECK_EQ(rbf->seams[seam + 1].first - first, 4);
    CHECK_BYTES(rbf->seam_rows + first, rows, sizeof rows);
    const double weights[] = {4, 0.25 + 0.25, 4, 1e-6};
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(rbf->seam_weights[first + (uint32_t)i], weights[i] / 8.500001, 1e-7);
    }
    for (uint32_t i = 0; i < rbf->seams[rbf->head.seam_count].first; ++i) {
        CHECK(isfinite(rbf->seam_weights[i]));
    }
    open_cook_close(&c);
    scene_free(s);
}
