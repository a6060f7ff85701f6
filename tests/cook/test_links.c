// SPDX-License-Identifier: MIT
// Limbs apart and flesh whole (RULES 3.4, 5.2, 6 and 8): what the votes, the closest points and the
// cuts of a cook must come to, and the library's shortcuts against plain code.
#include "jobs/task_system.h"
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/sample_input.h"
#include "tests/test.h"
#include "tools/cook/stages.h"

#include <math.h>
#include <stdlib.h>

// A cook that stays open after its last stage, with the joint of each voxel as the cuts saw it.
typedef struct open_cook {
    tlw_task_system tasks;
    tlw_cook_recipe recipe;
    tlw_cook cook;
    uint32_t* joint;
} open_cook;

static void keep_joints(open_cook* c) {
    c->joint = calloc(c->cook.voxels.count, sizeof *c->joint);
    CHECK(c->joint != NULL);
    for (uint32_t v = 0; v < c->cook.voxels.count; ++v) {
        c->joint[v] = c->cook.weights[v].joint[0];
    }
}

static void cook_open(open_cook* c, const tlw_cook_input* input, uint32_t resolution) {
    c->tasks = tlw_serial_task_system();
    c->recipe.resolution = resolution;
    c->joint = NULL;
    c->cook = (tlw_cook){.input = input, .recipe = &c->recipe, .tasks = &c->tasks};
#define RUN_STAGE(name, function, shown, rule, cost)   \
    CHECK_OK(function(&c->cook));                      \
    if (c->joint == NULL && c->cook.weights != NULL) { \
        keep_joints(c);                                \
    }
    TLW_COOK_STAGES(RUN_STAGE)
#undef RUN_STAGE
}

static void cook_close(open_cook* c) {
    free(c->joint);
    tlw_cook_free_stages(&c->cook);
}

// Links that are left or were cut between voxels whose joints have different sides, not 0.
typedef struct link_counts {
    uint32_t left, cut;
} link_counts;

static link_counts count_between(const open_cook* c, const int* side_of_joint) {
    link_counts counts = {0, 0};
    for (uint32_t v = 0; v < c->cook.voxels.count; ++v) {
        for (uint32_t all = tlw_cook_all_links(&c->cook, v); all != 0; all &= all - 1) {
            const int step = __builtin_ctz(all);
            const uint32_t to = tlw_linked_voxel(&c->cook, v, step);
            const int a = side_of_joint[c->joint[v]], b = side_of_joint[c->joint[to]];
            if (v < to && a != 0 && b != 0 && a != b) {
                const bool is_left = c->cook.links.masks[v] >> step & 1;
                counts.left += is_left;
                counts.cut += !is_left;
            }
        }
    }
    return counts;
}

// root, hips, chest, then thigh, shin and foot of each leg
static const int leg_sides[9] = {0, 0, 0, -1, -1, -1, 1, 1, 1};

TLW_TEST(legs_that_nearly_touch_share_no_link) {
    static const uint32_t resolutions[] = {32, 48, 64};
    for (size_t i = 0; i < TLW_COUNT_OF(resolutions); ++i) {
        scene* s = scene_make(SCENE_legs, 0);
        open_cook c = {.recipe = tlw_default_cook_recipe()};
        cook_open(&c, scene_input(s), resolutions[i]);
        const link_counts counts = count_between(&c, leg_sides);
        CHECK_EQ(counts.left, 0);
        CHECK_LT(100u, counts.cut);
        cook_close(&c);
        scene_free(s);
    }
}

// Computed weights cross the gap between the legs, so the path decides alone (RULES 6.7).
TLW_TEST(shins_share_no_link_where_weights_are_computed) {
    static const tlw_cook_weights modes[] = {TLW_WEIGHTS_GEODESIC, TLW_WEIGHTS_HEAT};
    const int shins[9] = {0, 0, 0, 0, -1, 0, 0, 1, 0};
    for (size_t i = 0; i < TLW_COUNT_OF(modes); ++i) {
        for (uint32_t resolution = 32; resolution <= 48; resolution += 16) {
            scene* s = scene_make(SCENE_legs, 0);
            open_cook c = {.recipe = tlw_default_cook_recipe()};
            c.recipe.weights = modes[i];
            cook_open(&c, scene_input(s), resolution);
            const link_counts counts = count_between(&c, shins);
            CHECK_EQ(counts.left, 0);
            CHECK_LT(100u, counts.cut);
            cook_close(&c);
            scene_free(s);
        }
    }
}

TLW_TEST(flesh_of_the_samples_stays_whole) {
    for (int variant = 0; variant < TLW_SAMPLE_PAPER_COUNT; ++variant) {
        sample_input* sample = sample_input_make((tlw_sample_variant)variant);
        open_cook c = {.recipe = tlw_default_cook_recipe()};
        cook_open(&c, sample_input_get(sample), 32);
        CHECK_EQ(c.cook.links.cut_count, 0);
        cook_close(&c);
        sample_input_free(sample);
    }
}

static double to_axis(tlw_double3 p, double x) {
    return sqrt((p.x - x) * (p.x - x) + p.y * p.y);
}

// Two thighs of radius 0.15 whose axes are 0.2 apart: each reaches 0.05 into the other.
TLW_TEST(thighs_that_overlap_each_keep_their_own_weights) {
    scene* s = scene_new();
    const uint32_t hips = scene_add_joint(s, TLW_NO_JOINT, 0, 0, 0.3);
    uint32_t thighs[2];
    for (int side = 0; side < 2; ++side) {
        const double x = side == 0 ? -0.1 : 0.1;
        thighs[side] = scene_add_joint(s, hips, x, 0, 0);
        const uint32_t first = s->meshes[0].vertex_count;
        scene_add_capsule(s, (double[3]){x, 0, -0.8}, (double[3]){x, 0, 0}, 0.15, 48);
        scene_weigh_rigidly(s, first, thighs[side]);
    }
    open_cook c = {.recipe = tlw_default_cook_recipe()};
    cook_open(&c, scene_input(s), 48);
    uint32_t checked = 0, near_the_other = 0;
    for (uint32_t v = 0; v < c.cook.voxels.count; ++v) {
        const tlw_double3 p = tlw_cook_voxel_centre(&c.cook.grid, c.cook.voxels.coordinates[v]);
        for (int side = 0; side < 2; ++side) {
            const double own = to_axis(p, side == 0 ? -0.1 : 0.1);
            const double other = to_axis(p, side == 0 ? 0.1 : -0.1);
            // Clearly inside its own thigh, clearly outside the other, and between their ends. What
            // it sees of the other faces it and does not count, so that the nearest point there is
            // on the horizon; its own skin is nearer.
            const double horizon = sqrt(other * other - 0.15 * 0.15);
            if (own < 0.145 && other > 0.155 && p.z > -0.75 && p.z < -0.05 &&
                0.15 - own < horizon - 0.02) {
                CHECK_EQ(c.joint[v], thighs[side]);
                checked += 1;
                near_the_other += other - 0.15 < 0.15 - own;
            }
        }
    }
    CHECK_LT(200u, checked);
    CHECK_LT(20u, near_the_other); // these took the other's weights
    cook_close(&c);
    scene_free(s);
}

static void turn_inside_out(scene* s) {
    for (uint32_t m = 0; m < s->mesh_count; ++m) {
        for (uint32_t t = 0; t < s->meshes[m].triangle_count; ++t) {
            uint32_t* corner = s->meshes[m].indices + (size_t)t * 3;
            const uint32_t swapped = corner[1];
            corner[1] = corner[2];
            corner[2] = swapped;
        }
    }
}

TLW_TEST(mesh_that_is_inside_out_cooks_to_the_same_voxels_links_and_weights) {
    static const scene_kind kinds[] = {SCENE_open_lump, SCENE_open_box, SCENE_split_lump,
                                       SCENE_legs};
    uint32_t votes = 0;
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        open_cook c[2] = {{.recipe = tlw_default_cook_recipe()},
                          {.recipe = tlw_default_cook_recipe()}};
        scene* s = scene_make(kinds[i], 3);
        cook_open(&c[0], scene_input(s), 24);
        turn_inside_out(s);
        cook_open(&c[1], scene_input(s), 24);
        const tlw_cook *a = &c[0].cook, *b = &c[1].cook;
        CHECK(!a->welded.is_inside_out);
        CHECK(b->welded.is_inside_out);
        CHECK_EQ(a->voxels.count, b->voxels.count);
        CHECK_EQ(a->voxels.from_vote, b->voxels.from_vote);
        votes += a->voxels.from_vote;
        for (uint32_t v = 0; v < a->voxels.count; ++v) {
            CHECK_EQ(a->links.masks[v], b->links.masks[v]);
            CHECK_EQ(a->weights[v].joint[0], b->weights[v].joint[0]);
            CHECK_NEAR(a->weights[v].weight[0], b->weights[v].weight[0], 1e-9);
        }
        cook_close(&c[0]);
        cook_close(&c[1]);
        scene_free(s);
    }
    CHECK_LT(100u, votes);
}

// A box whose mesh is the body of both joints: flesh that only `all` may cut.
TLW_TEST(forced_cut_opens_limbs_and_only_all_cuts_flesh) {
    static const tlw_cook_cut_kind kinds[] = {TLW_CUT_NEVER, TLW_CUT_FORCED, TLW_CUT_ALL};
    const int halves[3] = {-1, 1, 1};
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        const tlw_cook_cut cuts[] = {{"joint0", "joint1", kinds[i]},
                                     {"joint0", "joint2", kinds[i]}};
        scene* s = scene_make(SCENE_box, 0);
        open_cook c = {.recipe = tlw_default_cook_recipe()};
        c.recipe.cuts = cuts;
        c.recipe.cut_count = 2;
        cook_open(&c, scene_input(s), 16);
        const link_counts counts = count_between(&c, halves);
        CHECK_EQ(counts.left == 0, kinds[i] == TLW_CUT_ALL);
        CHECK_EQ(counts.cut == 0, kinds[i] != TLW_CUT_ALL);
        cook_close(&c);
        scene_free(s);
    }
    // The shins of two legs are apart whatever a recipe forces, and joined if it forbids cuts.
    const int shins[9] = {0, 0, 0, 0, -1, 0, 0, 1, 0};
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        const tlw_cook_cut cut = {"joint7", "joint4", kinds[i]};
        scene* s = scene_make(SCENE_legs, 0);
        open_cook c = {.recipe = tlw_default_cook_recipe()};
        c.recipe.cuts = &cut;
        c.recipe.cut_count = 1;
        cook_open(&c, scene_input(s), 32);
        const link_counts counts = count_between(&c, shins);
        CHECK_LT(50u, counts.left + counts.cut);
        CHECK_EQ(counts.left == 0, kinds[i] != TLW_CUT_NEVER);
        CHECK_EQ(counts.cut == 0, kinds[i] == TLW_CUT_NEVER);
        cook_close(&c);
        scene_free(s);
    }
}

TLW_TEST(shell_of_a_deep_body_is_never_bone) {
    static const scene_kind kinds[] = {SCENE_box, SCENE_lump, SCENE_ell, SCENE_figure};
    uint32_t touched = 0;
    for (int radius = -1; radius < 3; ++radius) {
        for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
            scene* s = scene_make(kinds[i], 0);
            open_cook c = {.recipe = tlw_default_cook_recipe()};
            c.recipe.bone_radius_voxels = radius;
            cook_open(&c, scene_input(s), 20);
            const tlw_cook_anatomy* anatomy = &c.cook.anatomy;
            CHECK_EQ(anatomy->boneless_components, 0);
            for (uint32_t v = 0; v < c.cook.voxels.count; ++v) {
                if (anatomy->d_skin[v] == 0 && anatomy->thickness[v] >= 2) {
                    CHECK(anatomy->layer[v] != 0);
                    touched += anatomy->d_seg[v] == 0;
                }
            }
            cook_close(&c);
            scene_free(s);
        }
    }
    CHECK_LT(0u, touched); // which would all be bone
}

// Plain code

// Every line of RULES 6.2, then Floyd and Warshall's algorithm.
static void plain_ways(const tlw_cook* cook, double* ways) {
    const uint32_t n = cook->input->joint_count;
    for (uint32_t a = 0; a < n; ++a) {
        for (uint32_t b = 0; b < n; ++b) {
            const tlw_cook_skeleton_joint *x = &cook->skeleton.joints[a],
                                          *y = &cook->skeleton.joints[b];
            const uint32_t above_a = cook->input->joints[a].parent,
                           above_b = cook->input->joints[b].parent;
            const bool is_line = above_a == b || above_b == a || above_a == above_b ||
                                 (x->is_kept && y->is_kept && (x->parent == b || y->parent == a));
            const double dx = x->position.x - y->position.x, dy = x->position.y - y->position.y,
                         dz = x->position.z - y->position.z;
            ways[a * n + b] = is_line ? sqrt(dx * dx + dy * dy + dz * dz) : INFINITY;
        }
    }
    for (uint32_t via = 0; via < n; ++via) {
        for (uint32_t a = 0; a < n; ++a) {
            for (uint32_t b = 0; b < n; ++b) {
                const double length = ways[a * n + via] + ways[via * n + b];
                ways[a * n + b] = length < ways[a * n + b] ? length : ways[a * n + b];
            }
        }
    }
}

TLW_TEST(shortest_ways_are_those_over_all_lines) {
    enum { JOINTS = 40, ROUNDS = 300 };
    static tlw_cook_joint joints[JOINTS];
    static double plain[JOINTS * JOINTS];
    uint64_t random = 5;
    for (int round = 0; round < ROUNDS; ++round) {
        tlw_cook_skeleton_joint skeleton[JOINTS] = {0};
        const tlw_cook_input input = {.joints = joints, .joint_count = JOINTS};
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        tlw_cook cook = {.input = &input,
                         .recipe = &recipe,
                         .skeleton = {.joints = skeleton, .joint_count = JOINTS}};
        const uint64_t reach = 1 + tlw_test_random(&random) % 6; // low: long chains
        for (uint32_t j = 0; j < JOINTS; ++j) {
            const uint64_t back = 1 + tlw_test_random(&random) % (reach * reach);
            joints[j].parent = back <= j ? j - (uint32_t)back : TLW_NO_JOINT;
            skeleton[j].is_kept = tlw_test_random(&random) % 3 != 0;
            skeleton[j].position = (tlw_double3){(double)(tlw_test_random(&random) % 64),
                                                 (double)(tlw_test_random(&random) % 64),
                                                 (double)(tlw_test_random(&random) % 64)};
            const uint32_t up = joints[j].parent; // parents come first here
            skeleton[j].parent =
                up == TLW_NO_JOINT || skeleton[up].is_kept ? up : skeleton[up].parent;
        }
        plain_ways(&cook, plain);
        tlw_ways* ways = tlw_cook_make_ways(&cook);
        CHECK(ways != NULL);
        for (uint32_t a = 0; a < JOINTS; ++a) {
            for (uint32_t b = 0; b < JOINTS; ++b) {
                if (skeleton[a].is_kept && skeleton[b].is_kept) {
                    CHECK_NEAR(tlw_way_between(ways, a, b), plain[a * JOINTS + b], 1e-9);
                }
            }
        }
        tlw_cook_free_ways(&cook, ways);
        CHECK_EQ(cook.memory_bytes, 0);
    }
}

static int32_t random_coordinate(uint64_t* random) {
    const uint64_t bits = tlw_test_random(random);
    // Often on the border of a cell, where a touch is a matter of one unit.
    return (int32_t)(bits % 8 * TLW_SUBVOXELS + (bits >> 32) % 3 * (bits >> 40) % 512);
}

TLW_TEST(segment_touches_the_boxes_that_a_triangle_of_two_corners_touches) {
    uint64_t random = 11;
    uint32_t touches = 0;
    for (int round = 0; round < 200000; ++round) {
        tlw_int3 p[2], cell[2];
        for (int i = 0; i < 2; ++i) {
            p[i] = (tlw_int3){random_coordinate(&random), random_coordinate(&random),
                              random_coordinate(&random)};
        }
        cell[0] = (tlw_int3){(int32_t)(tlw_test_random(&random) % 7),
                             (int32_t)(tlw_test_random(&random) % 7),
                             (int32_t)(tlw_test_random(&random) % 7)};
        cell[1] = (tlw_int3){cell[0].x + (int32_t)(tlw_test_random(&random) % 2),
                             cell[0].y + (int32_t)(tlw_test_random(&random) % 2),
                             cell[0].z + (int32_t)(tlw_test_random(&random) % 2)};
        const tlw_int3 corners[3] = {p[0], p[1], p[1]};
        const bool expected = tlw_triangle_touches_box(corners, cell[0], cell[1]);
        CHECK_EQ(tlw_segment_touches_box(p[0], p[1], cell[0], cell[1]), expected);
        touches += expected;
    }
    CHECK_LT(10000u, touches);
    CHECK_LT(touches, 190000u);
}

// Threads

static void cook_on(uint32_t threads, const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                    tlw_cook_output* out) {
    tlw_cook_options options = tlw_default_cook_options();
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    CHECK(scheduler != NULL);
    enkiInitTaskSchedulerNumThreads(scheduler, threads);
    tlw_jobs_tasks* jobs = tlw_jobs_tasks_create(scheduler);
    CHECK(jobs != NULL);
    options.tasks = tlw_jobs_task_system(jobs);
    CHECK_OK(tlw_cook_character(input, recipe, &options, out));
    tlw_jobs_tasks_destroy(jobs);
    enkiDeleteTaskScheduler(scheduler);
}

TLW_TEST(random_meshes_cook_to_the_same_bytes_on_any_number_of_threads) {
    static const scene_kind kinds[] = {SCENE_lump, SCENE_split_lump, SCENE_open_lump,
                                       SCENE_torn_lump, SCENE_figure};
    static const uint32_t threads[] = {2, 3, 8};
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
            scene* s = scene_make(kinds[i], seed);
            tlw_cook_recipe recipe = tlw_default_cook_recipe();
            recipe.resolution = 28;
            const tlw_cook_options options = tlw_default_cook_options();
            tlw_cook_output first, again;
            CHECK_OK(tlw_cook_character(scene_input(s), &recipe, &options, &first));
            cook_on(threads[(seed + i) % TLW_COUNT_OF(threads)], scene_input(s), &recipe, &again);
            CHECK_EQ(again.blob_bytes, first.blob_bytes);
            CHECK_BYTES(again.blob, first.blob, first.blob_bytes);
            tlw_cook_output_free(&first);
            tlw_cook_output_free(&again);
            scene_free(s);
        }
    }
}
