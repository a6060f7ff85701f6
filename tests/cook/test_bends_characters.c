// SPDX-License-Identifier: MIT
// Skinned volume as it is cooked (RULES 9.8 to 9.10), on whole characters: what holds for the
// lists, shares and field of every one, bends that are left out, and that nothing else of a blob
// depends on it.
#include "jobs/TaskScheduler_c.h"
#include "jobs/task_system.h"
#include "tests/cook/support/bend_view.h"

#include <math.h>
#include <stdlib.h>

// Lists, shares, field

// Every list ascends and names only what is there, and lanes without a voxel have nothing.
static void check_window(const tlw_cook* cook, uint32_t window) {
    const tlw_cook_bends* bends = &cook->bends;
    const tlw_blob_bend_window *first = &bends->windows[window], *end = first + 1;
    const uint32_t entries = end->first_entry - first->first_entry;
    for (uint32_t e = first->first_entry; e < end->first_entry; ++e) {
        uint32_t sum = 0;
        CHECK_LT(bends->entries[e], bends->count);
        CHECK(e == first->first_entry || bends->entries[e - 1] < bends->entries[e]);
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
            const uint32_t share = bends->shares[(size_t)e * TLW_BLOB_LANES + lane];
            CHECK_LE(share, 32768);
            CHECK(share == 0 || cook->order.windows[window].occupied >> lane & 1);
            sum += share;
        }
        CHECK_LT(0, sum);
    }
    for (uint32_t k = first->first_couple; k < end->first_couple; ++k) {
        const tlw_blob_bend_couple* couple = &bends->couples[k];
        bool is_somewhere = false;
        CHECK(couple->first < couple->second && couple->second < entries);
        CHECK(k == first->first_couple || bends->couples[k - 1].pair < couple->pair);
        CHECK_EQ(bends->pairs[couple->pair].first,
                 bends->entries[first->first_entry + couple->first]);
        CHECK_EQ(bends->pairs[couple->pair].second,
                 bends->entries[first->first_entry + couple->second]);
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
            const uint16_t* shares = bends->shares + (size_t)first->first_entry * TLW_BLOB_LANES;
            is_somewhere |= shares[couple->first * TLW_BLOB_LANES + lane] > 0 &&
                            shares[couple->second * TLW_BLOB_LANES + lane] > 0;
        }
        CHECK(is_somewhere);
    }
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        for (uint32_t a = 0; a < 3 && !(cook->order.windows[window].occupied >> lane & 1); ++a) {
            CHECK_EQ(bends->field[((size_t)window * 3 + a) * TLW_BLOB_LANES + lane], 0);
        }
    }
}

static bool has_couple(const tlw_cook* cook, uint32_t voxel, const voxel_view* view) {
    const tlw_cook_bends* bends = &cook->bends;
    const uint32_t window = cook->order.slot_of_voxel[voxel] / TLW_BLOB_LANES;
    for (uint32_t k = bends->windows[window].first_couple;
         k < bends->windows[window + 1].first_couple; ++k) {
        const tlw_blob_bend_pair pair = bends->pairs[bends->couples[k].pair];
        if (pair.first == view->bend[0] && pair.second == view->bend[1]) {
            return true;
        }
    }
    return false;
}

// a_1 of MODEL 3.12 at rest, where the axes are the grid's: how much the field spreads.
static double spread_of(const tlw_cook* cook, uint32_t voxel) {
    static const int faces[3][2] = {{TLW_STEP_LANE_MINUS, TLW_STEP_LANE_PLUS},
                                    {TLW_STEP_ROW_MINUS, TLW_STEP_ROW_PLUS},
                                    {TLW_STEP_PLANE_MINUS, TLW_STEP_PLANE_PLUS}};
    double sum = 0.0;
    for (uint32_t axis = 0; axis < 3; ++axis) { // of the grid
        const uint32_t a = (axis + 3 - cook->order.lane_axis) % 3;
        double end[2], count = 0.0;
        for (int side = 0; side < 2; ++side) {
            const bool is_linked = cook->links.masks[voxel] >> faces[axis][side] & 1;
            const uint32_t to =
                is_linked ? tlw_linked_voxel(cook, voxel, faces[axis][side]) : voxel;
            end[side] = (double)view_of(cook, to).field[a];
            count += is_linked;
        }
        sum += count > 0.0 ? (end[1] - end[0]) / count : 0.0;
    }
    return sum;
}

// What holds for every voxel, and what the voxels of a bend sum up to.
static void check_voxels(const tlw_cook* cook) {
    const tlw_cook_bends* bends = &cook->bends;
    double* volume = calloc(bends->count, sizeof *volume);
    double* slope = calloc(bends->count, sizeof *slope);
    double* depth = calloc(bends->count, sizeof *depth);
    uint32_t* voxels = calloc(bends->count, sizeof *voxels);
    CHECK(volume && slope && depth && voxels);
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const voxel_view view = view_of(cook, v);
        double sum = 0.0;
        CHECK_LE(view.count, TLW_BLOB_BENDS_PER_VOXEL);
        for (uint32_t i = 0; i < view.count; ++i) {
            sum += (double)view.share[i];
            volume[view.bend[i]] += (double)view.share[i];
            slope[view.bend[i]] +=
                (double)view.share[i] * (double)view.share[i] * spread_of(cook, v);
            if (view.share[i] >= 0.499f) {
                depth[view.bend[i]] = fmax(depth[view.bend[i]], (double)cook->anatomy.d_skin[v]);
            }
            voxels[view.bend[i]] += 1;
        }
        CHECK(view.count == 0 || bends->left_out > 0 || fabs(sum - 1.0) < 1e-6);
        CHECK_LE(sum, 1.0 + 1e-6);
        CHECK(view.count < 2 || has_couple(cook, v, &view));
        CHECK(!has_field(&view) || (view.count > 0 && cook->anatomy.layer[v] > 0));
        for (uint32_t a = 0; a < 3; ++a) {
            CHECK_LE(fabsf(view.field[a]), 1.0f);
        }
    }
    for (uint32_t i = 0; i < bends->count; ++i) {
        const tlw_blob_bend* bend = &bends->list[i];
        CHECK_EQ(bends->voxels[i], voxels[i]);
        CHECK_NEAR(bend->rest_volume, volume[i], 1e-6 * volume[i]);
        CHECK_EQ(bend->reach, (float)((double)cook->recipe->volume_reach * (depth[i] + 1.0)));
        CHECK_LE(0.01 * volume[i] * (1.0 - 1e-6), (double)bend->rest_slope);
        // Where bends were left out, the field has become smaller since.
        CHECK(bends->left_out > 0 ||
              fabs((double)bend->rest_slope - slope[i]) <= 1e-5 * slope[i] + 1e-9);
        for (uint32_t k = 0; k < i; ++k) { // no joint above it comes later
            uint32_t up = bends->list[k].joint;
            while (up != TLW_NO_JOINT && up != bend->joint) {
                up = cook->skeleton.joints[up].parent;
            }
            CHECK_EQ(up, TLW_NO_JOINT);
        }
    }
    free(volume);
    free(slope);
    free(depth);
    free(voxels);
}

static void check_bends(const tlw_cook* cook) {
    const tlw_cook_bends* bends = &cook->bends;
    CHECK_LT(0, bends->count);
    CHECK_EQ(bends->windows[cook->order.window_count].first_entry, bends->entry_count);
    CHECK_EQ(bends->windows[cook->order.window_count].first_couple, bends->couple_count);
    for (uint32_t w = 0; w < cook->order.window_count; ++w) {
        check_window(cook, w);
    }
    for (uint32_t i = 0; i < bends->pair_count; ++i) {
        const tlw_blob_bend_pair *pair = &bends->pairs[i], *before = pair - 1;
        CHECK_LT(pair->first, pair->second);
        CHECK_LT(pair->second, bends->count);
        CHECK(i == 0 || before->first < pair->first ||
              (before->first == pair->first && before->second < pair->second));
    }
    check_voxels(cook);
}

TLW_TEST(bends_of_samples_have_whole_shares_and_a_field_only_in_soft_voxels_with_a_share) {
    const tlw_cook_recipe recipe = recipe_of(TLW_UNDER_SANITIZER ? 20 : 32);
    for (int variant = 0; variant < TLW_SAMPLE_PAPER_COUNT; ++variant) {
        character c;
        cook_sample(&c, (tlw_sample_variant)variant, &recipe);
        check_bends(&c.open.cook);
        CHECK_LT(5, c.open.cook.bends.count);
        CHECK_LT(0, c.open.cook.bends.pair_count);
        free_character(&c);
    }
}

TLW_TEST(bends_of_scenes_have_whole_shares_and_a_field_only_in_soft_voxels_with_a_share) {
    static const scene_kind kinds[] = {SCENE_box,        SCENE_torus,           SCENE_lump,
                                       SCENE_split_lump, SCENE_unweighted_lump, SCENE_legs,
                                       SCENE_figure};
    for (size_t n = 0; n < TLW_COUNT_OF(kinds); ++n) {
        const tlw_cook_recipe recipe = recipe_of(24);
        character c;
        cook_scene(&c, scene_make(kinds[n], n), &recipe);
        check_bends(&c.open.cook);
        free_character(&c);
    }
}

// Left out

// A thick bar that becomes a sheet one voxel thick, all of it bone, so that the field vanishes in
// it. The last joint's bend lies in the sheet alone.
TLW_TEST(a_bend_whose_field_hardly_changes_its_volume_is_left_out_with_its_shares) {
    scene* s = scene_new();
    scene_add_box(s, (double[3]){-1.0, -0.2, -0.2}, (double[3]){0.0, 0.2, 0.2});
    scene_add_box(s, (double[3]){-0.1, -0.001, -0.2}, (double[3]){1.0, 0.001, 0.2});
    uint32_t above = TLW_NO_JOINT;
    for (int j = 0; j < 4; ++j) {
        above = scene_add_joint(s, above, -0.9 + 0.45 * j, 0, 0);
    }
    scene_add_joint(s, above, 0.8, 0, 0);
    tlw_cook_part sheet = tlw_default_cook_part("joint2");
    sheet.bone_radius_voxels = 100;
    tlw_cook_recipe recipe = recipe_of(40);
    recipe.weights = TLW_WEIGHTS_HEAT;
    recipe.parts = &sheet;
    recipe.part_count = 1;
    character c;
    cook_scene(&c, s, &recipe);
    const tlw_cook* cook = &c.open.cook;
    CHECK_LT(0, cook->bends.left_out);
    CHECK_EQ(cook->bends.left_out + cook->bends.count, 4);
    CHECK_EQ(cook->bends.list[0].joint, 1);
    uint32_t dropped = 0;
    for (uint32_t i = 0; i < cook->bends.count; ++i) {
        CHECK(cook->bends.list[i].joint != 4);
    }
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const voxel_view view = view_of(cook, v);
        dropped += view.count == 1 && view.share[0] < 0.999f;
    }
    CHECK_LT(0, dropped); // the other bend of a voxel does not take the share over
    check_bends(cook);
    free_character(&c);
}

// A bar between joints 0 and 1, and apart from it a soft sheet on joints 1 and 2, which share it
// but for the rim. The field of a sheet points aside at its rim, where this bend has hardly any
// weight.
static scene* make_bar_and_sheet(void) {
    enum { SIDE = 9 };
    scene* s = scene_new();
    scene_add_box(s, (double[3]){-1.0, -0.2, -0.2}, (double[3]){-0.2, 0.2, 0.2});
    scene_mesh* mesh = &s->meshes[0];
    const uint32_t first = mesh->vertex_count;
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        (void)scene_add_vertex(s, 0.125 * (i % SIDE), 0.0, -0.5 + 0.125 * (i / SIDE));
    }
    for (uint32_t i = 0; i < SIDE * (SIDE - 1); ++i) {
        const uint32_t at = first + i;
        if (i % SIDE < SIDE - 1) {
            scene_add_triangle(s, at, at + SIDE, at + 1);
            scene_add_triangle(s, at + 1, at + SIDE, at + SIDE + 1);
        }
    }
    scene_weigh_rigidly(s, 0, 0);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        const uint32_t x = (v - first) % SIDE, z = (v - first) / SIDE;
        const bool is_inner = x > 1 && x < SIDE - 2 && z > 1 && z < SIDE - 2;
        const bool is_bar = v < first;
        mesh->joints[4 * v] = is_bar ? 0 : 1;
        mesh->joints[4 * v + 1] = is_bar ? 1 : 2;
        const float second =
            is_bar ? (mesh->positions[3 * v] > -0.6f) * 1.0f : (is_inner ? 0.5f : 1e-4f);
        mesh->weights[4 * v] = 1.0f - second;
        mesh->weights[4 * v + 1] = second;
    }
    const uint32_t root = scene_add_joint(s, TLW_NO_JOINT, -0.9, 0, 0);
    scene_add_joint(s, scene_add_joint(s, root, -0.3, 0, 0), 0.5, 0, 0);
    return s;
}

TLW_TEST(voxels_that_lose_their_last_share_lose_their_field) {
    const tlw_cook_recipe recipe = recipe_of(64);
    character c;
    cook_scene(&c, make_bar_and_sheet(), &recipe);
    const tlw_cook* cook = &c.open.cook;
    CHECK_EQ(cook->bends.left_out, 1);
    CHECK_EQ(cook->bends.count, 1);
    CHECK_EQ(cook->bends.list[0].joint, 1);
    uint32_t soft = 0;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const voxel_view view = view_of(cook, v);
        if (cook->voxels.coordinates[v].x >= 32 && cook->anatomy.layer[v] > 0) {
            CHECK_EQ(view.count, 0);
            CHECK(!has_field(&view));
            soft += 1;
        }
    }
    CHECK_LT(500, soft);
    free_character(&c);
}

// A sheet of bone alone: all of its bends are left out, and the blob has no section of theirs.
TLW_TEST(a_character_all_of_whose_bends_are_left_out_has_none) {
    tlw_cook_recipe recipe = recipe_of(24);
    recipe.bone_radius_voxels = 100;
    character c;
    cook_scene(&c, scene_make(SCENE_plate, 0), &recipe);
    CHECK_EQ(c.open.cook.bends.count, 0);
    CHECK_LT(0, c.open.cook.bends.left_out);
    CHECK_EQ(find_section(c.open.cook.blob, TLW_SECTION_BENDS).count, 0);
    CHECK_EQ(find_section(c.open.cook.blob, TLW_SECTION_FIELD).count, 0);
    free_character(&c);
}

// Blobs

TLW_TEST(nothing_else_of_a_blob_depends_on_bends) {
    tlw_cook_recipe recipe = recipe_of(24);
    character with, without;
    cook_sample(&with, TLW_SAMPLE_BUNNY, &recipe);
    recipe.volume_reach = 0.0f;
    cook_sample(&without, TLW_SAMPLE_BUNNY, &recipe);
    const uint8_t *a = with.open.cook.blob, *b = without.open.cook.blob;
    for (int kind = 0; kind < TLW_SECTION_COUNT; ++kind) {
        const tlw_blob_section in_a = find_section(a, (tlw_blob_section_kind)kind);
        const tlw_blob_section in_b = find_section(b, (tlw_blob_section_kind)kind);
        if (kind >= TLW_SECTION_BENDS && kind <= TLW_SECTION_FIELD) {
            CHECK_LT(0, in_a.count);
            CHECK_EQ(in_b.count, 0);
        } else {
            check_same_section(a, b, (tlw_blob_section_kind)kind);
        }
    }
    free_character(&with);
    free_character(&without);
}

TLW_TEST(bends_do_not_depend_on_threads) {
    sample_input* sample = sample_input_make(TLW_SAMPLE_STOUT);
    const tlw_cook_recipe recipe = recipe_of(24);
    tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output serial, parallel;
    CHECK_OK(tlw_cook_character(sample_input_get(sample), &recipe, &options, &serial));
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    CHECK(scheduler != NULL);
    enkiInitTaskSchedulerNumThreads(scheduler, 4);
    tlw_jobs_tasks* jobs = tlw_jobs_tasks_create(scheduler);
    options.tasks = tlw_jobs_task_system(jobs);
    CHECK_OK(tlw_cook_character(sample_input_get(sample), &recipe, &options, &parallel));
    CHECK_LT(0, serial.report.bend_count);
    CHECK_EQ(serial.blob_bytes, parallel.blob_bytes);
    CHECK_BYTES(serial.blob, parallel.blob, serial.blob_bytes);
    tlw_jobs_tasks_destroy(jobs);
    enkiDeleteTaskScheduler(scheduler);
    tlw_cook_output_free(&serial);
    tlw_cook_output_free(&parallel);
    sample_input_free(sample);
}

TLW_TEST(the_report_lists_the_bends_of_the_blob) {
    sample_input* sample = sample_input_make(TLW_SAMPLE_BUNNY);
    const tlw_cook_recipe recipe = recipe_of(24);
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output out;
    CHECK_OK(tlw_cook_character(sample_input_get(sample), &recipe, &options, &out));
    const tlw_blob_section section = find_section(out.blob, TLW_SECTION_BENDS);
    CHECK_LT(0, out.report.bend_count);
    CHECK_EQ(out.report.bend_count, section.count);
    CHECK_EQ(out.report.profile_count, 1);
    for (uint32_t i = 0; i < out.report.bend_count; ++i) {
        tlw_blob_bend bend;
        memcpy(&bend, out.blob + section.offset + i * sizeof bend, sizeof bend);
        CHECK_EQ(out.report.bends[i].joint, bend.joint);
        CHECK_EQ(out.report.bends[i].volume, (double)bend.rest_volume);
        CHECK_EQ(out.report.bends[i].reach, (double)bend.reach);
        CHECK_LE(bend.rest_volume, (float)out.report.bends[i].voxels);
    }
    tlw_cook_output_free(&out);
    sample_input_free(sample);
}
