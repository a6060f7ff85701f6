// SPDX-License-Identifier: MIT
// Skinned volume as it is cooked (RULES 9.8 to 9.10): the limb, whose figures are known, and what
// holds for every character: shares, field, order, lists, bends that are left out, and that nothing
// else of a blob depends on it.
#include "jobs/TaskScheduler_c.h"
#include "jobs/task_system.h"
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/limb.h"
#include "tests/cook/support/open_cook.h"
#include "tests/cook/support/sample_input.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What the cook's lists say of a voxel.
typedef struct voxel_view {
    uint32_t count, bend[TLW_BLOB_BENDS_PER_WINDOW]; // elements of the list of bends, ascending
    float share[TLW_BLOB_BENDS_PER_WINDOW];
    float field[3]; // lattice axes
} voxel_view;

static voxel_view view_of(const tlw_cook* cook, uint32_t voxel) {
    const tlw_cook_bends* bends = &cook->bends;
    const uint32_t slot = cook->order.slot_of_voxel[voxel];
    const uint32_t window = slot / TLW_BLOB_LANES, lane = slot % TLW_BLOB_LANES;
    voxel_view view = {.count = 0};
    for (uint32_t e = bends->windows[window].first_entry;
         e < bends->windows[window + 1].first_entry; ++e) {
        const float share = bends->shares[(size_t)e * TLW_BLOB_LANES + lane];
        if (share != 0.0f) {
            view.bend[view.count] = bends->entries[e];
            view.share[view.count++] = share;
        }
    }
    for (uint32_t a = 0; a < 3; ++a) {
        view.field[a] = bends->field[((size_t)window * 3 + a) * TLW_BLOB_LANES + lane];
    }
    return view;
}

static bool has_field(const voxel_view* view) {
    return view->field[0] != 0.0f || view->field[1] != 0.0f || view->field[2] != 0.0f;
}

// The limb

TLW_TEST(a_limb_has_one_bend_with_known_volume_slope_and_reach) {
    limb* l = limb_make(2, NULL);
    CHECK_OK(limb_cook_bends(l));
    const tlw_cook_bends* bends = &l->cook.bends;
    CHECK_EQ(bends->count, 1);
    CHECK_EQ(bends->left_out, 0);
    CHECK_EQ(bends->list[0].joint, 1);
    CHECK_EQ(bends->voxels[0], l->cook.voxels.count);
    CHECK_EQ(bends->list[0].rest_volume, 1960.0f);
    CHECK_NEAR(bends->list[0].rest_slope, 162.151, 0.001); // of a second program
    CHECK_EQ(bends->list[0].reach, 2.5f);                  // half of a depth of 4, and 1
    CHECK_EQ(bends->pair_count, 0);
    CHECK_EQ(bends->couple_count, 0);
    limb_free(l);
}

TLW_TEST(bends_come_after_those_of_joints_above_whatever_the_order_of_the_input) {
    static const struct {
        uint32_t joint_of_bone[5], order[4];
    } rows[] = {{{0, 1, 2, 3, 4}, {1, 2, 3, 4}},
                {{4, 3, 2, 1, 0}, {3, 2, 1, 0}},
                {{2, 0, 3, 1, 4}, {0, 3, 1, 4}},
                {{3, 4, 0, 2, 1}, {4, 0, 2, 1}}};
    for (size_t n = 0; n < TLW_COUNT_OF(rows); ++n) {
        limb* l = limb_make(5, rows[n].joint_of_bone);
        CHECK_OK(limb_cook_bends(l));
        CHECK_EQ(l->cook.bends.count, 4);
        for (uint32_t i = 0; i < 4; ++i) {
            CHECK_EQ(l->cook.bends.list[i].joint, rows[n].order[i]);
        }
        limb_free(l);
    }
}

// A joint between two bends that is no bend itself: nobody has weight for it, so it is not kept,
// and the joint below it has the one above it for its parent.
TLW_TEST(the_parent_of_a_bend_is_the_nearest_kept_joint_above) {
    limb* l = limb_make(3, NULL);
    l->skeleton_joints[1].is_kept = false;
    l->skeleton_joints[2].parent = 0;
    l->skeleton_joints[1].touched_end = l->skeleton_joints[1].touched_begin;
    CHECK_OK(limb_cook_bends(l));
    CHECK_EQ(l->cook.bends.count, 1);
    CHECK_EQ(l->cook.bends.list[0].joint, 2);
    CHECK_LT(1000, l->cook.bends.voxels[0]);
    limb_free(l);
}

TLW_TEST(a_reach_of_0_or_a_single_joint_has_no_bends) {
    limb *off = limb_make(2, NULL), *single = limb_make(1, NULL);
    off->recipe.volume_reach = 0.0f;
    CHECK_OK(limb_cook_bends(off));
    CHECK_OK(limb_cook_bends(single));
    CHECK_EQ(off->cook.bends.count, 0);
    CHECK(off->cook.bends.list == NULL && off->cook.bends.field == NULL);
    CHECK_EQ(single->cook.bends.count, 0);
    CHECK_EQ(single->cook.bends.left_out, 0);
    limb_free(off);
    limb_free(single);
}

TLW_TEST(the_reach_is_the_recipes_times_the_mean_depth) {
    limb* l = limb_make(2, NULL);
    l->recipe.volume_reach = 10.0f;
    CHECK_OK(limb_cook_bends(l));
    CHECK_EQ(l->cook.bends.list[0].reach, 50.0f);
    limb_free(l);
}

// Characters

typedef struct character {
    scene* scene;
    sample_input* sample;
    open_cook open;
} character;

static void cook_scene(character* c, scene* s, const tlw_cook_recipe* recipe) {
    *c = (character){.scene = s};
    c->open.recipe = *recipe;
    (void)open_cook_run(&c->open, scene_input(s));
    CHECK_STRING(c->open.cook.error.message, "");
}

static void cook_sample(character* c, tlw_sample_variant variant, const tlw_cook_recipe* recipe) {
    *c = (character){.sample = sample_input_make(variant)};
    c->open.recipe = *recipe;
    (void)open_cook_run(&c->open, sample_input_get(c->sample));
    CHECK_STRING(c->open.cook.error.message, "");
}

static void free_character(character* c) {
    open_cook_close(&c->open);
    if (c->scene) {
        scene_free(c->scene);
    } else {
        sample_input_free(c->sample);
    }
}

static tlw_cook_recipe recipe_of(uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    return recipe;
}

// Every list ascends and names only what is there, and lanes without a voxel have nothing.
static void check_window(const tlw_cook* cook, uint32_t window) {
    const tlw_cook_bends* bends = &cook->bends;
    const tlw_blob_bend_window *first = &bends->windows[window], *end = first + 1;
    const uint32_t entries = end->first_entry - first->first_entry;
    for (uint32_t e = first->first_entry; e < end->first_entry; ++e) {
        float sum = 0.0f;
        CHECK_LT(bends->entries[e], bends->count);
        CHECK(e == first->first_entry || bends->entries[e - 1] < bends->entries[e]);
        for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
            const float share = bends->shares[(size_t)e * TLW_BLOB_LANES + lane];
            CHECK(share >= 0.0f && share <= 1.0f);
            CHECK(share == 0.0f || cook->order.windows[window].occupied >> lane & 1);
            sum += share;
        }
        CHECK(sum > 0.0f);
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
            const float* shares = bends->shares + (size_t)first->first_entry * TLW_BLOB_LANES;
            is_somewhere |= shares[couple->first * TLW_BLOB_LANES + lane] > 0.0f &&
                            shares[couple->second * TLW_BLOB_LANES + lane] > 0.0f;
        }
        CHECK(is_somewhere);
    }
    for (uint32_t lane = 0; lane < TLW_BLOB_LANES; ++lane) {
        for (uint32_t a = 0; a < 3 && !(cook->order.windows[window].occupied >> lane & 1); ++a) {
            CHECK_EQ(bends->field[((size_t)window * 3 + a) * TLW_BLOB_LANES + lane], 0.0f);
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
    double* thickness = calloc(bends->count, sizeof *thickness);
    uint32_t* voxels = calloc(bends->count, sizeof *voxels);
    CHECK(volume && slope && thickness && voxels);
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const voxel_view view = view_of(cook, v);
        double sum = 0.0;
        CHECK_LE(view.count, TLW_BLOB_BENDS_PER_VOXEL);
        for (uint32_t i = 0; i < view.count; ++i) {
            sum += (double)view.share[i];
            volume[view.bend[i]] += (double)view.share[i];
            slope[view.bend[i]] +=
                (double)view.share[i] * (double)view.share[i] * spread_of(cook, v);
            thickness[view.bend[i]] +=
                (double)view.share[i] * ((double)cook->anatomy.thickness[v] + 1.0);
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
        CHECK_NEAR(bend->reach, (double)cook->recipe->volume_reach * thickness[i] / volume[i],
                   1e-6 * (double)bend->reach);
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
    free(thickness);
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
    for (int variant = 0; variant < TLW_SAMPLE_VARIANT_COUNT; ++variant) {
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

// A body that mirrors itself at x = 0: a chest, and an arm to either side of two joints each.
static scene* make_mirrored(void) {
    scene* s = scene_new();
    scene_add_box(s, (double[3]){-1.0, -0.2, -0.2}, (double[3]){1.0, 0.2, 0.2});
    scene_add_box(s, (double[3]){-0.3, -0.7, -0.3}, (double[3]){0.3, 0.35, 0.3});
    const uint32_t chest = scene_add_joint(s, TLW_NO_JOINT, 0, 0, 0);
    const uint32_t left = scene_add_joint(s, chest, 0.35, 0, 0);
    const uint32_t right = scene_add_joint(s, chest, -0.35, 0, 0);
    scene_add_joint(s, left, 0.7, 0, 0);   // joint3
    scene_add_joint(s, right, -0.7, 0, 0); // joint4
    return s;
}

TLW_TEST(the_field_of_a_mirrored_body_is_mirrored) {
    static const uint32_t other[5] = {0, 2, 1, 4, 3};
    tlw_cook_recipe recipe = recipe_of(32);
    recipe.weights = TLW_WEIGHTS_HEAT;
    character c;
    cook_scene(&c, make_mirrored(), &recipe);
    const tlw_cook* cook = &c.open.cook;
    CHECK_EQ(cook->bends.count, 4);
    uint32_t compared = 0;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        tlw_int3 at = cook->voxels.coordinates[v];
        at.x = cook->grid.size.x - 1 - at.x;
        const uint32_t mirror = tlw_cook_voxel_at(cook, at);
        CHECK(mirror != TLW_NO_VOXEL);
        const voxel_view a = view_of(cook, v), b = view_of(cook, mirror);
        for (uint32_t k = 0; k < 3; ++k) {
            const bool is_x = (cook->order.lane_axis + k) % 3 == 0;
            CHECK_NEAR(a.field[k], is_x ? -b.field[k] : b.field[k], 1e-6);
        }
        CHECK_EQ(a.count, b.count);
        for (uint32_t i = 0; i < a.count; ++i) {
            const uint32_t joint = other[cook->bends.list[a.bend[i]].joint];
            for (uint32_t k = 0; k < b.count; ++k) {
                if (cook->bends.list[b.bend[k]].joint == joint) {
                    CHECK_NEAR(a.share[i], b.share[k], 1e-6);
                    compared += 1;
                }
            }
        }
    }
    CHECK_LT(1000, compared);
    free_character(&c);
}

// A slab five voxels thick along y. Its rim points the field aside, so voxels near it do not count.
TLW_TEST(the_field_vanishes_on_the_medial_axis_of_a_slab_and_points_outwards_beside_it) {
    scene* s = scene_new();
    scene_add_box(s, (double[3]){-1.0, -0.11, -0.6}, (double[3]){1.0, 0.11, 0.6});
    const uint32_t root = scene_add_joint(s, TLW_NO_JOINT, -0.5, 0, 0);
    scene_add_joint(s, root, 0, 0, 0);
    tlw_cook_recipe recipe = recipe_of(40);
    recipe.weights = TLW_WEIGHTS_HEAT;
    character c;
    cook_scene(&c, s, &recipe);
    const tlw_cook* cook = &c.open.cook;
    const uint32_t up = (1 + 3 - cook->order.lane_axis) % 3; // the lattice axis that is y
    uint32_t medial = 0, outside = 0;
    CHECK_EQ(cook->grid.size.y, 5);
    CHECK_EQ(cook->bends.count, 1);
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const tlw_int3 at = cook->voxels.coordinates[v];
        const bool is_far =
            at.x >= 8 && at.x < cook->grid.size.x - 8 && at.z >= 6 && at.z < cook->grid.size.z - 6;
        const voxel_view view = view_of(cook, v);
        if (!is_far || cook->anatomy.layer[v] == 0) {
            continue;
        }
        if (at.y == 2) {
            medial += 1;
            for (uint32_t a = 0; a < 3; ++a) {
                CHECK_NEAR(view.field[a], 0.0, 1e-12);
            }
        } else if (view.count > 0) {
            outside += 1;
            CHECK_LT(0.0f, at.y > 2 ? view.field[up] : -view.field[up]);
        }
    }
    CHECK_LT(100, medial);
    CHECK_LT(400, outside);
    free_character(&c);
}

// Sections of a blob

static tlw_blob_section find_section(const uint8_t* blob, tlw_blob_section_kind kind) {
    tlw_blob_header header;
    tlw_blob_section section;
    memcpy(&header, blob, sizeof header);
    for (uint32_t i = 0; i < header.section_count; ++i) {
        memcpy(&section, blob + sizeof header + i * sizeof section, sizeof section);
        if (section.kind == (uint32_t)kind) {
            return section;
        }
    }
    return (tlw_blob_section){.count = 0};
}

static uint64_t section_elements(const tlw_cook* cook, tlw_blob_section_kind kind) {
    return find_section(cook->blob, kind).count;
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
    CHECK_EQ(section_elements(&c.open.cook, TLW_SECTION_BENDS), 0);
    CHECK_EQ(section_elements(&c.open.cook, TLW_SECTION_FIELD), 0);
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
            CHECK_EQ(in_a.count, in_b.count);
            CHECK_BYTES(a + in_a.offset, b + in_b.offset,
                        (size_t)(in_a.count * in_a.element_bytes));
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

// Mistakes

static void check_mistake(const tlw_cook_recipe* recipe, const char* key, const char* message) {
    scene* s = scene_make(SCENE_box, 0);
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output out;
    CHECK_RESULT(tlw_cook_character(scene_input(s), recipe, &options, &out),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK(out.blob == NULL && out.error.is_of_recipe);
    CHECK_STRING(out.error.key, key);
    CHECK_STRING(out.error.message, message);
    tlw_cook_output_free(&out);
    scene_free(s);
}

TLW_TEST(a_reach_that_is_not_0_to_10_and_an_unknown_skinning_are_named) {
    tlw_cook_recipe recipe = recipe_of(16);
    recipe.volume_reach = -0.5f;
    check_mistake(&recipe, "volume.reach", "volume_reach is -0.5; it is 0 to 10");
    recipe.volume_reach = 10.5f;
    check_mistake(&recipe, "volume.reach", "volume_reach is 10.5; it is 0 to 10");
    recipe.volume_reach = INFINITY;
    check_mistake(&recipe, "volume.reach", "volume_reach is inf; it is 0 to 10");
    recipe.volume_reach = NAN;
    check_mistake(&recipe, "volume.reach", "volume_reach is nan; it is 0 to 10");
    recipe.volume_reach = 10.0f;
    recipe.skinning = (tlw_skinning)TLW_SKINNING_COUNT;
    check_mistake(&recipe, "skinning", "there is no skinning 2");
}
