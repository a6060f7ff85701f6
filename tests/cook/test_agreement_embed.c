// SPDX-License-Identifier: MIT
// The cooking library against the oracle cooker, for what the embedding needs (RULES 10.5 to
// 10.10): the same groups and weights, rest shapes, rings, domains, centres, systems, rows and
// seams, as the written blob has them.
#include "runtime/blob.h"
#include "tests/cook/oracle/oracle_mesh.h"
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/sample_input.h"
#include "tests/test.h"
#include "tools/cook/stages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Both cooks of one input.
typedef struct both {
    char name[64];
    tlw_task_system tasks;
    tlw_cook_recipe recipe;
    tlw_cook cook;
    const tlw_blob_lattice* lattice;
    oracle_result oracle;
    oracle_mesh mesh;
} both;

static const void* section(const both* b, tlw_blob_section_kind kind, uint64_t expected_count) {
    uint64_t count = 0;
    const void* found = tlw_blob_find(b->cook.blob, kind, &count);
    if (count != expected_count) {
        tlw_test_fail(__FILE__, __LINE__, "%s: %s has %llu elements, expected %llu", b->name,
                      tlw_blob_section_name(kind), (unsigned long long)count,
                      (unsigned long long)expected_count);
    }
    return found;
}

#define SECTION(b, kind, count) section(b, TLW_SECTION_##kind, count)

static bool is_near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance;
}

#define AGREE(condition, b, element)                                                        \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            tlw_test_fail(__FILE__, __LINE__, "%s, element %u: not " #condition, (b)->name, \
                          (unsigned)(element));                                             \
        }                                                                                   \
    } while (0)
#define AGREE_NEARLY(x, y, tolerance, b, element)                                               \
    do {                                                                                        \
        if (!is_near((double)(x), (double)(y), (tolerance))) {                                  \
            tlw_test_fail(__FILE__, __LINE__, "%s, element %u: " #x " is %.9g, " #y " is %.9g", \
                          (b)->name, (unsigned)(element), (double)(x), (double)(y));            \
        }                                                                                       \
    } while (0)

static void both_make(both* b, const char* name, const tlw_cook_input* input,
                      const tlw_cook_recipe* recipe) {
    *b = (both){.tasks = tlw_serial_task_system(), .recipe = *recipe};
    (void)snprintf(b->name, sizeof b->name, "%s at %u", name, recipe->resolution);
    const char* problem = oracle_cook(input, recipe, &b->oracle);
    if (problem == NULL) {
        problem = oracle_cook_mesh(input, recipe, &b->oracle, &b->mesh);
    }
    b->cook = (tlw_cook){.input = input, .recipe = &b->recipe, .tasks = &b->tasks};
    const tlw_result result = tlw_cook_run_stages(&b->cook);
    if (problem != NULL || result != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s: oracle says '%s', library '%s'", b->name,
                      problem ? problem : "ok", b->cook.error.message);
    }
    b->lattice = SECTION(b, LATTICE, 1);
}

static void both_free(both* b) {
    tlw_cook_free_stages(&b->cook);
    oracle_free_mesh(&b->mesh);
    oracle_free(&b->oracle);
}

// The weight that a list gives to an index in a lane; 0 if it is not listed.
static uint32_t weight_in(const uint32_t* list, uint32_t count, const uint32_t (*weights)[8],
                          uint32_t index, uint32_t lane) {
    for (uint32_t k = 0; k < count; ++k) {
        if (list[k] == index) {
            return weights[k][lane];
        }
    }
    return 0;
}

// The lists of a group, as the blob has them. `voxels` are by index, not by slot.
static oracle_group read_group(const both* b, const tlw_blob_group* group) {
    uint64_t counts[4];
    const uint32_t* slots = tlw_blob_find(b->cook.blob, TLW_SECTION_GROUP_VOXEL, &counts[0]);
    const uint16_t* weights =
        tlw_blob_find(b->cook.blob, TLW_SECTION_GROUP_VOXEL_WEIGHT, &counts[1]);
    const uint16_t* joints = tlw_blob_find(b->cook.blob, TLW_SECTION_GROUP_JOINT, &counts[2]);
    const uint16_t* joint_weights =
        tlw_blob_find(b->cook.blob, TLW_SECTION_GROUP_JOINT_WEIGHT, &counts[3]);
    const uint32_t* slot_voxel = SECTION(b, SLOT_VOXEL, b->lattice->slot_count);
    oracle_group out = {.vertex_count = group->vertex_count,
                        .voxel_count = group->voxel_count,
                        .joint_count = group->joint_count};
    CHECK_EQ(counts[1], 8 * counts[0]);
    CHECK_EQ(counts[3], 8 * counts[2]);
    CHECK_LE(group->first_voxel + group->voxel_count, counts[0]);
    CHECK_LE(group->first_joint + group->joint_count, counts[2]);
    for (uint32_t k = 0; k < out.voxel_count; ++k) {
        const size_t at = group->first_voxel + k;
        CHECK(k == 0 || slots[at - 1] < slots[at]);
        CHECK_LT(slots[at], b->lattice->slot_count);
        out.voxels[k] = slot_voxel[slots[at]];
        for (uint32_t lane = 0; lane < 8; ++lane) {
            out.voxel_weights[k][lane] = weights[8 * at + lane];
        }
    }
    for (uint32_t k = 0; k < out.joint_count; ++k) {
        const size_t at = group->first_joint + k;
        CHECK(k == 0 || joints[at - 1] < joints[at]);
        out.joints[k] = joints[at];
        for (uint32_t lane = 0; lane < 8; ++lane) {
            out.joint_weights[k][lane] = joint_weights[8 * at + lane];
        }
    }
    return out;
}

static void compare_lists(const both* b, uint32_t g, const oracle_group* found,
                          const oracle_group* expected) {
    bool is_close = false;
    for (uint32_t lane = 0; lane < 8; ++lane) {
        const oracle_vertex* vertex = &b->mesh.vertices[expected->vertices[lane]];
        // Where rounding is a matter of the last bit, weights may differ by their unit.
        const int64_t slack = vertex->voxels.is_close || vertex->joints.is_close;
        is_close = is_close || slack != 0;
        for (uint32_t k = 0; k < expected->voxel_count; ++k) {
            const int64_t own =
                weight_in(found->voxels, found->voxel_count,
                          (const uint32_t(*)[8])found->voxel_weights, expected->voxels[k], lane);
            AGREE(llabs(own - expected->voxel_weights[k][lane]) <= slack, b, g);
        }
        for (uint32_t k = 0; k < expected->joint_count; ++k) {
            const int64_t own =
                weight_in(found->joints, found->joint_count,
                          (const uint32_t(*)[8])found->joint_weights, expected->joints[k], lane);
            AGREE(llabs(own - expected->joint_weights[k][lane]) <= slack, b, g);
        }
    }
    AGREE(is_close || found->voxel_count == expected->voxel_count, b, g);
    AGREE(is_close || found->joint_count == expected->joint_count, b, g);
}

static void compare_groups(const both* b) {
    const oracle_mesh* mesh = &b->mesh;
    AGREE(b->lattice->vertex_count == mesh->vertex_count, b, 0);
    AGREE(b->lattice->group_count == mesh->group_count, b, 0);
    const tlw_blob_group* groups = SECTION(b, GROUPS, mesh->group_count);
    const float* positions = SECTION(b, GROUP_POSITION, 24ull * mesh->group_count);
    const uint32_t* source_of = SECTION(b, VERTEX_SOURCE, mesh->vertex_count);
    const uint32_t* cooked_of = SECTION(b, VERTEX_COOKED, mesh->vertex_count);
    bool is_skinned = false;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        is_skinned = is_skinned || mesh->vertices[v].joints.count > 0;
    }
    const float* centres = SECTION(b, GROUP_CENTRE, is_skinned ? 24ull * mesh->group_count : 0);
    const double extent = b->oracle.length * b->oracle.s;
    uint32_t first_vertex = 0;
    for (uint32_t g = 0; g < mesh->group_count; ++g) {
        const oracle_group* expected = &mesh->groups[g];
        const oracle_group found = read_group(b, &groups[g]);
        AGREE(groups[g].first_vertex == first_vertex, b, g);
        AGREE(found.vertex_count == expected->vertex_count, b, g);
        compare_lists(b, g, &found, expected);
        for (uint32_t lane = 0; lane < 8; ++lane) {
            const oracle_vertex* vertex = &mesh->vertices[expected->vertices[lane]];
            AGREE((groups[g].skinned >> lane & 1) == (vertex->joints.count > 0), b, g);
            if (lane < expected->vertex_count) {
                AGREE(source_of[first_vertex + lane] == expected->vertices[lane], b, g);
                AGREE(cooked_of[expected->vertices[lane]] == first_vertex + lane, b, g);
            }
            for (uint32_t a = 0; a < 3; ++a) {
                const size_t at = (3 * (size_t)g + a) * 8 + lane;
                AGREE(positions[at] == vertex->position[a], b, g);
                if (is_skinned) { // rounded to float; a close rounding moves it by 2^-15 voxel
                    const double slack = vertex->voxels.is_close ? b->oracle.s / 16384 : 0;
                    AGREE_NEARLY(centres[at], vertex->xb[a], 1e-7 * extent + slack, b, g);
                }
            }
        }
        first_vertex += expected->vertex_count;
    }
}

static void compare_rest(const both* b) {
    const uint32_t n = b->lattice->slot_count, axis = b->lattice->lane_axis;
    const float* rest = SECTION(b, SLOT_REST, (uint64_t)TLW_REST_COUNT * n);
    const uint32_t* voxel_slot = SECTION(b, VOXEL_SLOT, b->lattice->voxel_count);
    const uint32_t* slot_voxel = SECTION(b, SLOT_VOXEL, n);
    const tlw_blob_window* windows = SECTION(b, WINDOWS, b->lattice->window_count);
    // The places of xx, yy, zz, xy, xz, yz in a symmetric matrix, and of the blob's numbers.
    static const uint32_t place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    static const uint32_t pairs[TLW_REST_COUNT][2] = {{0, 0}, {1, 1}, {2, 2},
                                                      {0, 1}, {0, 2}, {1, 2}};
    for (uint32_t v = 0; v < b->lattice->voxel_count; ++v) {
        for (uint32_t e = 0; e < TLW_REST_COUNT; ++e) {
            const uint32_t row = (axis + pairs[e][0]) % 3, column = (axis + pairs[e][1]) % 3;
            const double expected = b->mesh.rest[v][place[row][column]];
            AGREE_NEARLY(rest[(size_t)e * n + voxel_slot[v]], expected,
                         1e-6 * fmax(1, fabs(expected)), b, v);
        }
    }
    for (uint32_t w = 0; w < b->lattice->window_count; ++w) {
        bool is_bound = false;
        for (uint32_t lane = 0; lane < 8; ++lane) {
            const uint32_t voxel = slot_voxel[8 * w + lane];
            is_bound = is_bound || (voxel != TLW_BLOB_NO_INDEX && b->mesh.is_bound[voxel]);
        }
        AGREE(((windows[w].flags & TLW_WINDOW_IS_BOUND) != 0) == is_bound, b, w);
    }
}

static void compare_rings(const both* b) {
    const oracle_mesh* mesh = &b->mesh;
    const uint32_t* neighbours = SECTION(b, RING_NEIGHBOUR, 48ull * mesh->group_count);
    const float* weights = SECTION(b, RING_WEIGHT, 96ull * mesh->group_count);
    const uint32_t* cooked_of = SECTION(b, VERTEX_COOKED, mesh->vertex_count);
    for (uint32_t g = 0; g < mesh->group_count; ++g) {
        for (uint32_t lane = 0; lane < 8; ++lane) {
            const uint32_t v = mesh->groups[g].vertices[lane];
            const oracle_vertex* vertex = &mesh->vertices[v];
            for (uint32_t k = 0; k < ORACLE_RING; ++k) {
                const bool is_used = k < vertex->ring_count;
                const uint32_t to = neighbours[(6 * (size_t)g + k) * 8 + lane];
                AGREE(to == cooked_of[is_used ? vertex->ring[k] : v], b, v);
                for (uint32_t i = 0; i < 2; ++i) {
                    const double expected = is_used ? vertex->ring_weight[k][i] : 0;
                    AGREE_NEARLY(weights[(12 * (size_t)g + 2 * k + i) * 8 + lane], expected,
                                 1e-5 * fmax(1, fabs(expected)), b, v);
                }
            }
        }
    }
}

static void compare_centres(const both* b) {
    const oracle_cooked_rbf* rbf = &b->mesh.rbf;
    const tlw_blob_binding* bindings = SECTION(b, RBF_CENTRE, rbf->centre_count);
    const uint32_t* slot_voxel = SECTION(b, SLOT_VOXEL, b->lattice->slot_count);
    for (uint32_t c = 0; c < rbf->centre_count; ++c) {
        const oracle_centre* centre = &rbf->centres[c];
        const tlw_double3 x = b->cook.rbf.positions[c];
        AGREE_NEARLY(x.x, centre->position[0], 1e-9, b, c);
        AGREE_NEARLY(x.y, centre->position[1], 1e-9, b, c);
        AGREE_NEARLY(x.z, centre->position[2], 1e-9, b, c);
        double sum = 0;
        for (uint32_t k = 0; k < centre->binding.count; ++k) {
            double weight = 0;
            for (int i = 0; i < 8; ++i) {
                if (slot_voxel[bindings[c].slots[i]] == centre->binding.voxels[k]) {
                    weight += (double)bindings[c].weights[i];
                }
            }
            AGREE_NEARLY(weight, centre->binding.weights[k], 1e-6, b, c);
            sum += weight;
        }
        AGREE_NEARLY(sum, 1, 1e-6, b, c);
    }
}

static uint32_t padded(uint32_t count) {
    return (count + 7) / 8 * 8;
}

static void compare_systems(const both* b) {
    const oracle_cooked_rbf* rbf = &b->mesh.rbf;
    const tlw_blob_rbf* head = SECTION(b, RBF, 1);
    const tlw_blob_rbf_domain* domains = SECTION(b, RBF_DOMAIN, rbf->domain_count);
    uint64_t inverse_count;
    const float* inverse = tlw_blob_find(b->cook.blob, TLW_SECTION_RBF_INVERSE, &inverse_count);
    uint32_t coefficients = 0;
    for (uint32_t d = 0; d < rbf->domain_count; ++d) {
        const oracle_domain* domain = &rbf->domains[d];
        const uint32_t n = domain->centre_count, length = n + domain->term_count;
        AGREE(domains[d].joint == domain->joint, b, d);
        AGREE(domains[d].first_centre == domain->first_centre, b, d);
        AGREE(domains[d].centre_count == n, b, d);
        AGREE(domains[d].term_count == domain->term_count, b, d);
        AGREE(domains[d].first_coefficient == coefficients, b, d);
        AGREE(domains[d].first_inverse + (uint64_t)n * padded(length) <= inverse_count, b, d);
        coefficients += padded(length);
        double largest = 0;
        for (size_t k = 0; k < (size_t)length * n; ++k) {
            largest = fmax(largest, fabs(domain->inverse[k]));
        }
        for (uint32_t c = 0; c < n; ++c) {
            for (uint32_t i = 0; i < padded(length); ++i) {
                const float found =
                    inverse[domains[d].first_inverse + (size_t)c * padded(length) + i];
                const double expected = i < length ? domain->inverse[(size_t)i * n + c] : 0;
                AGREE_NEARLY(found, expected, 1e-4 * fabs(expected) + 1e-6 * largest, b, d);
            }
        }
    }
    AGREE(head->coefficient_count == coefficients, b, 0);
}

static void compare_rows(const both* b) {
    const oracle_mesh* mesh = &b->mesh;
    const oracle_cooked_rbf* rbf = &mesh->rbf;
    const uint32_t n = mesh->graph.count;
    const tlw_blob_rbf_domain* domains = SECTION(b, RBF_DOMAIN, rbf->domain_count);
    const uint32_t* first = SECTION(b, RBF_ROW_FIRST, n + 1ull);
    const uint16_t* index = SECTION(b, RBF_ROW_INDEX, rbf->row_first[n]);
    const float* weight = SECTION(b, RBF_ROW_WEIGHT, rbf->row_first[n]);
    for (uint32_t v = 0; v <= n; ++v) {
        AGREE(first[v] == rbf->row_first[v], b, v);
        for (uint32_t t = rbf->row_first[v]; v < n && t < rbf->row_first[v + 1]; ++t) {
            const oracle_row_term* expected = &rbf->rows[t];
            AGREE(index[t] == domains[rbf->domain_of[v]].first_coefficient + expected->coefficient,
                  b, v);
            AGREE_NEARLY(weight[t], expected->weight, 1e-6 * fmax(1, fabs(expected->weight)), b, v);
        }
    }
    const uint32_t* source_of = SECTION(b, VERTEX_SOURCE, mesh->vertex_count);
    const uint32_t* vertex_row = SECTION(b, RBF_VERTEX_ROW, mesh->vertex_count);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        AGREE(vertex_row[v] == mesh->graph.welded_of[source_of[v]], b, v);
    }
}

static void compare_seams(const both* b) {
    const oracle_cooked_rbf* rbf = &b->mesh.rbf;
    const uint32_t count = rbf->seam_first[rbf->seam_count];
    const tlw_blob_rbf_seam* seams = SECTION(b, RBF_SEAM, rbf->seam_count + 1ull);
    const uint32_t* rows = SECTION(b, RBF_SEAM_ROW, count);
    const float* weights = SECTION(b, RBF_SEAM_WEIGHT, count);
    for (uint32_t i = 0; i < rbf->seam_count; ++i) {
        AGREE(seams[i].row == rbf->seams[i], b, i);
        AGREE(seams[i].first == rbf->seam_first[i], b, i);
    }
    AGREE(seams[rbf->seam_count].row == b->mesh.graph.count, b, rbf->seam_count);
    AGREE(seams[rbf->seam_count].first == count, b, rbf->seam_count);
    for (uint32_t k = 0; k < count; ++k) {
        AGREE(rows[k] == rbf->seam_neighbours[k], b, k);
        AGREE_NEARLY(weights[k], rbf->seam_weights[k], 1e-6, b, k);
    }
}

static void compare_rbf(const both* b) {
    const oracle_cooked_rbf* rbf = &b->mesh.rbf;
    const tlw_blob_rbf* head = SECTION(b, RBF, 1);
    printf("    %s: %u domains, %u centres, r %.3f voxels, %u joints merged, %u of %u in seams\n",
           b->name, rbf->domain_count, rbf->centre_count, rbf->radius / b->oracle.s,
           rbf->merged_count, rbf->seam_count, b->mesh.graph.count);
    AGREE_NEARLY(head->radius, rbf->radius, 1e-6 * rbf->radius, b, 0);
    AGREE_NEARLY(head->seam_share, rbf->seam_share, 1e-6, b, 0);
    AGREE(head->seam_passes == b->recipe.seam_passes, b, 0);
    AGREE(head->domain_count == rbf->domain_count, b, 0);
    AGREE(head->centre_count == rbf->centre_count, b, 0);
    AGREE(head->row_count == b->mesh.graph.count, b, 0);
    AGREE(head->seam_count == rbf->seam_count, b, 0);
    compare_centres(b);
    compare_systems(b);
    compare_rows(b);
    compare_seams(b);
}

static tlw_cook_recipe recipe_at(uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    return recipe;
}

static void check(const char* name, const tlw_cook_input* input, const tlw_cook_recipe* recipe) {
    both b;
    both_make(&b, name, input, recipe);
    compare_groups(&b);
    compare_rest(&b);
    if (b.mesh.has_rings) {
        compare_rings(&b);
    }
    if (b.mesh.has_rbf) {
        compare_rbf(&b);
    }
    both_free(&b);
}

static const struct {
    tlw_sample_variant variant;
    const char* name;
    uint32_t resolution;
} samples[] = {{TLW_SAMPLE_STOUT, "stout", 16},
               {TLW_SAMPLE_THIN, "thin", 40},
               {TLW_SAMPLE_BUNNY, "bunny", 24}};

static void check_samples(const tlw_cook_recipe* recipe) {
    const size_t count = TLW_UNDER_SANITIZER ? 1 : TLW_COUNT_OF(samples);
    for (size_t i = 0; i < count; ++i) {
        sample_input* sample = sample_input_make(samples[i].variant);
        tlw_cook_recipe own = *recipe;
        own.resolution = samples[i].resolution;
        check(samples[i].name, sample_input_get(sample), &own);
        sample_input_free(sample);
    }
}

TLW_TEST(library_and_oracle_agree_on_groups_of_every_scene) {
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        for (uint64_t seed = 0; seed < 2; ++seed) {
            scene* s = scene_make((scene_kind)kind, seed);
            const tlw_cook_recipe recipe = recipe_at(seed == 0 ? 12 : 21);
            check(scene_name((scene_kind)kind), scene_input(s), &recipe);
            scene_free(s);
        }
    }
}

TLW_TEST(library_and_oracle_agree_on_groups_of_the_samples) {
    const tlw_cook_recipe recipe = recipe_at(0);
    check_samples(&recipe);
}

// Ten influences, one of them of an excluded joint and some of weight 0; eight stay.
TLW_TEST(library_and_oracle_agree_on_many_weights_and_excluded_joints) {
    enum { MANY = 10 };
    scene* s = scene_make(SCENE_figure, 0);
    tlw_cook_input input = *scene_input(s);
    tlw_cook_mesh mesh = input.meshes[0];
    const size_t count = (size_t)mesh.vertex_count * MANY;
    uint32_t* joints = calloc(count, sizeof *joints);
    float* weights = calloc(count, sizeof *weights);
    CHECK(joints && weights);
    uint64_t seed = 3;
    for (size_t k = 0; k < count; ++k) {
        const double share = (double)(tlw_test_random(&seed) >> 11) * 0x1p-53;
        joints[k] = (uint32_t)(k % MANY);
        weights[k] = k % 7 == 0 ? 0 : (float)(share * share);
    }
    CHECK_LE((uint32_t)MANY, input.joint_count);
    mesh.influence_count = MANY;
    mesh.joints = joints;
    mesh.weights = weights;
    input.meshes = &mesh;
    input.mesh_count = 1;
    const char* const excluded[] = {"joint3"};
    tlw_cook_recipe recipe = recipe_at(16);
    recipe.excluded_joints = excluded;
    recipe.excluded_joint_count = 1;
    check("figure with ten weights", &input, &recipe);
    free(joints);
    free(weights);
    scene_free(s);
}

TLW_TEST(library_and_oracle_agree_on_rings) {
    tlw_cook_recipe recipe = recipe_at(0);
    recipe.has_ring_normals = true;
    check_samples(&recipe);
    scene* s = scene_make(SCENE_split_lump, 0); // without normals: neighbours alone
    recipe.resolution = 16;
    check("split_lump", scene_input(s), &recipe);
    scene_free(s);
}

TLW_TEST(library_and_oracle_agree_on_radial_basis_functions) {
    static const scene_kind kinds[] = {SCENE_box,        SCENE_torus, SCENE_lump,
                                       SCENE_split_lump, SCENE_legs,  SCENE_figure};
    tlw_cook_recipe recipe = recipe_at(20);
    recipe.embedding = TLW_COOK_EMBED_RBF;
    recipe.seam_passes = 7;
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        for (uint64_t seed = 0; seed < 2; ++seed) {
            scene* s = scene_make(kinds[k], seed);
            check(scene_name(kinds[k]), scene_input(s), &recipe);
            scene_free(s);
        }
    }
    check_samples(&recipe);
}

// Vertices without weights in the middle of the mesh, and triangles without area.
TLW_TEST(library_and_oracle_agree_on_rbf_where_vertices_are_not_skinned) {
    for (uint32_t stride = 2; stride <= 40; stride += 19) {
        scene* s = scene_make(SCENE_figure, 1);
        scene_mesh* given = &s->meshes[0];
        for (uint32_t v = 0; v < given->vertex_count; ++v) {
            if (v % stride == 0 || (v > 100 && v < 160)) {
                memset(given->weights + v * 4ull, 0, 4 * sizeof *given->weights);
            }
        }
        const float* x = given->positions;
        const uint32_t middle = scene_add_vertex(s, 0.5 * ((double)x[33] + (double)x[36]),
                                                 0.5 * ((double)x[34] + (double)x[37]),
                                                 0.5 * ((double)x[35] + (double)x[38]));
        scene_add_triangle(s, 11, middle, 12);
        scene_add_triangle(s, 11, 12, 12);
        tlw_cook_recipe recipe = recipe_at(16);
        recipe.embedding = TLW_COOK_EMBED_RBF;
        recipe.has_ring_normals = true;
        check("figure without some weights", scene_input(s), &recipe);
        scene_free(s);
    }
}

TLW_TEST(library_and_oracle_both_refuse_rbf_without_artist_weights) {
    scene* s = scene_make(SCENE_unweighted_lump, 0);
    tlw_cook_recipe recipe = recipe_at(12);
    recipe.embedding = TLW_COOK_EMBED_RBF;
    oracle_result oracle;
    oracle_mesh mesh;
    CHECK(oracle_cook(scene_input(s), &recipe, &oracle) == NULL);
    CHECK(oracle_cook_mesh(scene_input(s), &recipe, &oracle, &mesh) != NULL);
    tlw_cook_output output;
    const tlw_cook_options options = tlw_default_cook_options();
    CHECK(tlw_cook_character(scene_input(s), &recipe, &options, &output) != TLW_OK);
    CHECK(output.error.is_of_recipe);
    tlw_cook_output_free(&output);
    oracle_free_mesh(&mesh);
    oracle_free(&oracle);
    scene_free(s);
}
