// SPDX-License-Identifier: MIT
// Own limbs as they are cooked (RULES 9.11): capsules, which voxels they may touch, which joints
// are limbs, and that a character without them has nothing of them in its blob.
#include "tests/cook/support/bend_view.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t resolutions[] = {32, 48};
#define RESOLUTION_COUNT (TLW_UNDER_SANITIZER ? 1 : TLW_COUNT_OF(resolutions))

static tlw_cook_recipe limbs_at(uint32_t resolution) {
    tlw_cook_recipe recipe = recipe_of(resolution);
    recipe.has_limbs = true;
    return recipe;
}

// What the blob's arrays say of limbs and voxels

static tlw_blob_slot_limbs limbs_of(const tlw_cook* cook, uint32_t voxel) {
    return cook->limbs.of_slot[cook->order.slot_of_voxel[voxel]];
}

static double larger_radius(const tlw_blob_limb* limb) {
    return (double)fmaxf(limb->radius[0], limb->radius[1]);
}

// The limb of a joint, or null.
static const tlw_blob_limb* limb_of(const tlw_cook* cook, uint32_t joint) {
    for (uint32_t i = 0; i < cook->limbs.count; ++i) {
        if (cook->limbs.list[i].joint == joint) {
            return &cook->limbs.list[i];
        }
    }
    return NULL;
}

static const tlw_blob_limb* limb_named(const tlw_cook* cook, const char* name) {
    for (uint32_t j = 0; j < cook->input->joint_count; ++j) {
        if (strcmp(cook->input->joints[j].name, name) == 0) {
            return limb_of(cook, j);
        }
    }
    return NULL;
}

// Lattice axes, in voxels.
static void centre_of(const tlw_cook* cook, uint32_t voxel, double out[3]) {
    const tlw_int3 cell = tlw_cook_permute(cook->voxels.coordinates[voxel], cook->order.lane_axis);
    out[0] = cell.x + 0.5;
    out[1] = cell.y + 0.5;
    out[2] = cell.z + 0.5;
}

// How far a voxel is outside of a limb.
static double outside(const tlw_cook* cook, const tlw_blob_limb* limb, uint32_t voxel) {
    double x[3], along[3], dot = 0.0, squared = 0.0, away = 0.0;
    centre_of(cook, voxel, x);
    for (int a = 0; a < 3; ++a) {
        along[a] = (double)limb->ends[1][a] - (double)limb->ends[0][a];
        dot += (x[a] - (double)limb->ends[0][a]) * along[a];
        squared += along[a] * along[a];
    }
    const double t = squared > 1e-18 ? fmin(fmax(dot / squared, 0.0), 1.0) : 0.0;
    for (int a = 0; a < 3; ++a) {
        const double apart = x[a] - ((double)limb->ends[0][a] + t * along[a]);
        away += apart * apart;
    }
    return sqrt(away) - ((1.0 - t) * (double)limb->radius[0] + t * (double)limb->radius[1]);
}

static void check_near_place(const tlw_cook* cook, const float end[3], tlw_double3 place) {
    const tlw_double3 o = cook->grid.origin;
    const double s = cook->grid.voxel;
    const double want[3] = {(place.x - o.x) / s, (place.y - o.y) / s, (place.z - o.z) / s};
    for (uint32_t a = 0; a < 3; ++a) {
        CHECK_NEAR(end[a], want[(cook->order.lane_axis + a) % 3], 1e-5);
    }
}

static uint32_t count_of(const tlw_cook* cook, uint32_t joint) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        count += cook->weights[v].joint[0] == joint;
    }
    return count;
}

// Which voxels

// The shortest way from a voxel's anchor to an end of a segment of the limb's joint, in voxels: all
// ends tried, where the cooker knows which one a way has to pass.
static double way_to(const tlw_cook* cook, const tlw_ways* ways, const tlw_anchor* anchor,
                     uint32_t joint) {
    const tlw_cook_skeleton* skeleton = &cook->skeleton;
    const tlw_cook_segment* own = &skeleton->segments[anchor->segment];
    double best = INFINITY;
    for (uint32_t s = skeleton->joints[joint].segment_begin;
         s < skeleton->joints[joint].segment_end; ++s) {
        for (int i = 0; i < 4; ++i) {
            const uint32_t from = i & 1 ? own->child : own->owner;
            const uint32_t to = i & 2 ? skeleton->segments[s].child : joint;
            const tlw_double3 end = i & 1 ? own->end : own->start;
            if (from != TLW_NO_JOINT && to != TLW_NO_JOINT) {
                const double x = end.x - anchor->point.x, y = end.y - anchor->point.y,
                             z = end.z - anchor->point.z;
                best = fmin(best, sqrt(x * x + y * y + z * z) + tlw_way_between(ways, from, to));
            }
        }
    }
    return best / cook->grid.voxel;
}

// Every bit of a voxel against the four conditions. Radii of joints that are no limb are not
// stored, so whether those yield is left open.
static uint32_t check_voxel(const tlw_cook* cook, const tlw_ways* ways, uint32_t voxel) {
    const uint32_t own = cook->weights[voxel].joint[0];
    const tlw_blob_slot_limbs bits = limbs_of(cook, voxel);
    const tlw_blob_limb* own_limb = limb_of(cook, own);
    const tlw_anchor anchor = tlw_cook_find_anchor(cook, voxel);
    CHECK_EQ(bits.halves & ~bits.touches, 0);
    CHECK_EQ((uint64_t)bits.touches >> cook->limbs.count, 0);
    for (uint32_t i = 0; i < cook->limbs.count; ++i) {
        const tlw_blob_limb* limb = &cook->limbs.list[i];
        const double r = larger_radius(limb);
        const bool is_free = cook->anatomy.layer[voxel] > 0 && limb->joint != own &&
                             way_to(cook, ways, &anchor, limb->joint) >=
                                 1.5 * (r + anchor.away / cook->grid.voxel) - 1e-9 &&
                             outside(cook, limb, voxel) >= 1.0 - 1e-9;
        const bool touches = bits.touches >> i & 1, half = bits.halves >> i & 1;
        if (own_limb != NULL) {
            CHECK_EQ(touches, is_free && r <= larger_radius(own_limb));
            CHECK_EQ(half, touches && r == larger_radius(own_limb));
        }
        CHECK(is_free || !touches);
    }
    return (uint32_t)__builtin_popcount(bits.touches);
}

static void check_masks(tlw_cook* cook) {
    tlw_ways* ways = tlw_cook_make_ways(cook);
    uint32_t touched = 0, counted = 0;
    CHECK(ways != NULL);
    for (uint32_t v = 0; v < cook->voxels.count && cook->limbs.count > 0; ++v) {
        touched += check_voxel(cook, ways, v);
    }
    for (uint32_t slot = 0; slot < cook->order.slot_count && cook->limbs.count > 0; ++slot) {
        if (cook->order.voxel_of_slot[slot] == TLW_NO_VOXEL) {
            CHECK_EQ(cook->limbs.of_slot[slot].touches, 0);
            CHECK_EQ(cook->limbs.of_slot[slot].halves, 0);
        }
    }
    for (uint32_t i = 0; i < cook->limbs.count; ++i) {
        CHECK_LT(0, cook->limbs.voxels[i]); // one that touches nothing is dropped
        counted += cook->limbs.voxels[i];
    }
    CHECK_EQ(touched, counted);
    tlw_cook_free_ways(cook, ways);
}

TLW_TEST(limbs_of_samples_touch_the_soft_voxels_that_the_rule_names_and_no_bone_or_own_voxel) {
    const tlw_cook_recipe recipe = limbs_at(TLW_UNDER_SANITIZER ? 24 : 32);
    for (int variant = 0; variant < TLW_SAMPLE_VARIANT_COUNT; ++variant) {
        character c;
        cook_sample(&c, (tlw_sample_variant)variant, &recipe);
        CHECK_LT(10, c.open.cook.limbs.count);
        check_masks(&c.open.cook);
        free_character(&c);
    }
}

TLW_TEST(limbs_of_scenes_touch_the_soft_voxels_that_the_rule_names_and_no_bone_or_own_voxel) {
    uint32_t limbs = 0;
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        const tlw_cook_recipe recipe = limbs_at(24);
        character c;
        cook_scene(&c, scene_make((scene_kind)kind, (uint64_t)kind), &recipe);
        check_masks(&c.open.cook);
        limbs += c.open.cook.limbs.count;
        free_character(&c);
    }
    CHECK_LT(10, limbs);
}

static void check_room(const tlw_cook* cook) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        for (uint32_t left = limbs_of(cook, v).touches; left != 0; left &= left - 1) {
            const tlw_blob_limb* limb = &cook->limbs.list[__builtin_ctz(left)];
            CHECK_LE(1.0 - 1e-9, outside(cook, limb, v));
        }
    }
}

TLW_TEST(limbs_leave_a_voxel_of_room_around_them_in_the_bind_pose) {
    for (int variant = 0; variant < TLW_SAMPLE_VARIANT_COUNT; ++variant) {
        sample_input* sample = sample_input_make((tlw_sample_variant)variant);
        for (uint32_t n = 0; n < RESOLUTION_COUNT; ++n) {
            open_cook open = {.recipe = limbs_at(resolutions[n])};
            CHECK_OK(open_cook_run(&open, sample_input_get(sample)));
            CHECK_LT(10, open.cook.limbs.count);
            check_room(&open.cook);
            open_cook_close(&open);
        }
        sample_input_free(sample);
    }
}

// Of two limbs with different radii, voxels of the thicker one yield and none of the thinner.
TLW_TEST(limbs_that_are_thinner_press_into_thicker_ones_and_never_the_other_way) {
    const tlw_cook_recipe recipe = limbs_at(32);
    character c;
    cook_scene(&c, scene_make(SCENE_figure, 0), &recipe);
    const tlw_cook* cook = &c.open.cook;
    uint32_t pressed = 0;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const tlw_blob_limb* own = limb_of(cook, cook->weights[v].joint[0]);
        for (uint32_t left = limbs_of(cook, v).touches; own && left != 0; left &= left - 1) {
            const tlw_blob_limb* limb = &cook->limbs.list[__builtin_ctz(left)];
            CHECK_LE(larger_radius(limb), larger_radius(own));
            pressed += larger_radius(limb) < larger_radius(own);
        }
    }
    CHECK_LT(100, pressed);
    free_character(&c);
}

// The stout sample mirrors itself, and so do its voxels.
static void check_mirrored(const tlw_cook* cook, const char* left, const char* right) {
    const tlw_blob_limb* pair[2] = {limb_named(cook, left), limb_named(cook, right)};
    uint32_t halves[2] = {0}, wholes = 0;
    CHECK(pair[0] != NULL && pair[1] != NULL);
    CHECK_EQ(pair[0]->radius[0], pair[1]->radius[0]);
    CHECK_EQ(pair[0]->radius[1], pair[1]->radius[1]);
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const tlw_blob_slot_limbs of = limbs_of(cook, v);
        for (int side = 0; side < 2; ++side) {
            const uint32_t other = (uint32_t)(pair[1 - side] - cook->limbs.list);
            if (cook->weights[v].joint[0] == pair[side]->joint) {
                halves[side] += of.halves >> other & 1;
                wholes += (of.touches & ~of.halves) >> other & 1;
            }
        }
    }
    CHECK_LT(0, halves[0]);
    CHECK_EQ(halves[0], halves[1]);
    CHECK_EQ(wholes, 0);
}

TLW_TEST(limbs_that_mirror_each_other_are_equal_and_press_by_half) {
    static const char* const names[][2] = {{"arm_l", "arm_r"},
                                           {"forearm_l", "forearm_r"},
                                           {"leg_l", "leg_r"},
                                           {"ear_tip_l", "ear_tip_r"}};
    sample_input* sample = sample_input_make(TLW_SAMPLE_STOUT);
    for (uint32_t n = 0; n < RESOLUTION_COUNT; ++n) {
        open_cook open = {.recipe = limbs_at(resolutions[n])};
        CHECK_OK(open_cook_run(&open, sample_input_get(sample)));
        for (size_t k = 0; k < TLW_COUNT_OF(names); ++k) {
            check_mirrored(&open.cook, names[k][0], names[k][1]);
        }
        open_cook_close(&open);
    }
    sample_input_free(sample);
}

// Capsules

// 0.85 of the mean distance of the shell voxels of each half, in units of 2^-10.
static void check_radii(const tlw_cook* cook, const tlw_blob_limb* limb) {
    double sum[2] = {0};
    uint32_t count[2] = {0};
    const tlw_blob_limb axis = {.ends = {{limb->ends[0][0], limb->ends[0][1], limb->ends[0][2]},
                                         {limb->ends[1][0], limb->ends[1][1], limb->ends[1][2]}}};
    tlw_blob_limb ramp = axis; // its radius is the parameter on the axis
    ramp.radius[1] = 1.0f;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        if (cook->weights[v].joint[0] == limb->joint && cook->anatomy.d_skin[v] == 0) {
            const double distance = outside(cook, &axis, v);
            const int half = distance - outside(cook, &ramp, v) < 0.5 - 1e-9 ? 0 : 1;
            sum[half] += distance;
            count[half] += 1;
        }
    }
    for (int end = 0; end < 2; ++end) {
        const int half = count[end] > 0 ? end : 1 - end;
        // Ends are floats here and are not there, which may change the last unit.
        CHECK_NEAR(limb->radius[end], 0.85 * sum[half] / count[half], 0.6 / 1024.0);
        CHECK_EQ(limb->radius[end] * 1024.0f, floorf(limb->radius[end] * 1024.0f));
    }
}

// The kept child with the most voxels; TLW_NO_JOINT if none has any.
static uint32_t largest_child(const tlw_cook* cook, uint32_t joint) {
    uint32_t most = 0, best = TLW_NO_JOINT;
    for (uint32_t j = 0; j < cook->skeleton.joint_count; ++j) {
        const tlw_cook_skeleton_joint* child = &cook->skeleton.joints[j];
        if (child->is_kept && child->parent == joint && count_of(cook, j) > most) {
            most = count_of(cook, j);
            best = j;
        }
    }
    return best;
}

// One and a half times the way from the joint to the mean of its voxels.
static tlw_double3 end_of_leaf(const tlw_cook* cook, uint32_t joint) {
    const tlw_double3 at = cook->skeleton.joints[joint].position;
    const double count = count_of(cook, joint);
    tlw_double3 mean = {0, 0, 0};
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        const tlw_double3 x = tlw_cook_voxel_centre(&cook->grid, cook->voxels.coordinates[v]);
        if (cook->weights[v].joint[0] == joint) {
            mean.x += x.x / count;
            mean.y += x.y / count;
            mean.z += x.z / count;
        }
    }
    return (tlw_double3){at.x + 1.5 * (mean.x - at.x), at.y + 1.5 * (mean.y - at.y),
                         at.z + 1.5 * (mean.z - at.z)};
}

TLW_TEST(limbs_run_to_the_child_with_most_voxels_and_leaves_1_5_times_towards_their_mean) {
    const tlw_cook_recipe recipe = limbs_at(TLW_UNDER_SANITIZER ? 16 : 32);
    for (int variant = 0; variant < TLW_SAMPLE_VARIANT_COUNT; ++variant) {
        character c;
        cook_sample(&c, (tlw_sample_variant)variant, &recipe);
        const tlw_cook* cook = &c.open.cook;
        uint32_t leaves = 0;
        for (uint32_t i = 0; i < cook->limbs.count; ++i) {
            const tlw_blob_limb* limb = &cook->limbs.list[i];
            const uint32_t child = largest_child(cook, limb->joint);
            check_near_place(cook, limb->ends[0], cook->skeleton.joints[limb->joint].position);
            check_near_place(cook, limb->ends[1],
                             child != TLW_NO_JOINT ? cook->skeleton.joints[child].position
                                                   : end_of_leaf(cook, limb->joint));
            check_radii(cook, limb);
            CHECK_LE(8, count_of(cook, limb->joint));
            CHECK(i == 0 || cook->limbs.list[i - 1].joint < limb->joint);
            CHECK(cook->skeleton.joints[limb->joint].is_kept);
            leaves += child == TLW_NO_JOINT;
        }
        CHECK_LT(3, leaves);
        CHECK_LT(leaves, cook->limbs.count);
        free_character(&c);
    }
}

// Which joints

// Boxes apart from each other, each the voxels of a joint in its floor: `tall` or `low` ones.
static scene* make_boxes(uint32_t count, const bool* is_low) {
    scene* s = scene_new();
    for (uint32_t i = 0; i < count; ++i) {
        const double x = (double)(i % 6), y = (double)(i / 6), height = is_low[i] ? 0.5 : 0.9;
        const uint32_t first = s->meshes[0].vertex_count;
        scene_add_box(s, (double[3]){x, y, 0.0}, (double[3]){x + 0.5, y + 0.5, height});
        scene_weigh_rigidly(s, first, scene_add_joint(s, TLW_NO_JOINT, x + 0.25, y + 0.25, 0.0));
    }
    return s;
}

TLW_TEST(limbs_are_the_32_joints_with_most_voxels_ties_to_the_lower_in_ascending_order) {
    enum { BOXES = 36 };
    static const uint32_t low[] = {3, 10, 17, 24, 30};
    bool is_low[BOXES] = {false};
    for (size_t i = 0; i < TLW_COUNT_OF(low); ++i) {
        is_low[low[i]] = true;
    }
    const tlw_cook_recipe recipe = limbs_at(32);
    character c;
    cook_scene(&c, make_boxes(BOXES, is_low), &recipe);
    const tlw_cook* cook = &c.open.cook;
    CHECK_EQ(count_of(cook, 3), count_of(cook, 10));
    CHECK_LE(8, count_of(cook, 3));
    CHECK_LT(count_of(cook, 3), count_of(cook, 0));
    CHECK_EQ(cook->limbs.count, 32);
    CHECK(limb_of(cook, 3) != NULL);
    for (size_t i = 1; i < TLW_COUNT_OF(low); ++i) {
        CHECK(limb_of(cook, low[i]) == NULL);
    }
    for (uint32_t i = 1; i < cook->limbs.count; ++i) {
        CHECK_LT(cook->limbs.list[i - 1].joint, cook->limbs.list[i].joint);
    }
    free_character(&c);
}

// A joint that is far outside would give ends and radii that floats do not hold.
TLW_TEST(limbs_are_none_of_joints_that_lie_too_far_outside) {
    static const double away[] = {1e4, 1e7, 1e18};
    const bool is_low[6] = {false};
    for (size_t n = 0; n < TLW_COUNT_OF(away); ++n) {
        const tlw_cook_options options = tlw_default_cook_options();
        const tlw_cook_recipe recipe = limbs_at(32);
        scene* s = make_boxes(6, is_low);
        tlw_cook_output out;
        s->joints[2].bind[13] = away[n];
        CHECK_OK(tlw_cook_character(scene_input(s), &recipe, &options, &out));
        CHECK_LT(0, out.report.limb_count);
        for (uint32_t i = 0; i < out.report.limb_count; ++i) {
            CHECK(out.report.limbs[i].joint != 2);
            CHECK_LT(out.report.limbs[i].radius[0], 4.0);
        }
        tlw_cook_output_free(&out);
        scene_free(s);
    }
}

// Blobs

TLW_TEST(a_character_without_limbs_has_no_section_of_them_and_the_bytes_of_a_recipe_that_says_so) {
    tlw_cook_recipe recipe = recipe_of(24);
    character silent, off;
    cook_scene(&silent, scene_make(SCENE_figure, 0), &recipe);
    recipe.has_limbs = false;
    cook_scene(&off, scene_make(SCENE_figure, 0), &recipe);
    const uint8_t* blob = silent.open.cook.blob;
    CHECK_EQ(find_section(blob, TLW_SECTION_LIMBS).count, 0);
    CHECK_EQ(find_section(blob, TLW_SECTION_SLOT_LIMBS).count, 0);
    CHECK_EQ(silent.open.cook.limbs.of_slot, NULL);
    CHECK_EQ(silent.open.cook.blob_bytes, off.open.cook.blob_bytes);
    CHECK_BYTES(blob, off.open.cook.blob, off.open.cook.blob_bytes);
    free_character(&silent);
    free_character(&off);
}

// One box, whose joint has nothing to touch but itself.
TLW_TEST(a_character_whose_limbs_may_touch_nothing_has_no_section_of_them) {
    const bool is_low[1] = {false};
    const tlw_cook_recipe recipe = limbs_at(16);
    character c;
    cook_scene(&c, make_boxes(1, is_low), &recipe);
    CHECK_EQ(c.open.cook.limbs.count, 0);
    CHECK_EQ(c.open.cook.limbs.of_slot, NULL);
    CHECK_EQ(find_section(c.open.cook.blob, TLW_SECTION_LIMBS).count, 0);
    CHECK_EQ(find_section(c.open.cook.blob, TLW_SECTION_SLOT_LIMBS).count, 0);
    free_character(&c);
}

TLW_TEST(nothing_else_of_a_blob_depends_on_limbs) {
    const tlw_cook_recipe on = limbs_at(24), off = recipe_of(24);
    character with, without;
    cook_scene(&with, scene_make(SCENE_figure, 0), &on);
    cook_scene(&without, scene_make(SCENE_figure, 0), &off);
    const uint8_t *a = with.open.cook.blob, *b = without.open.cook.blob;
    for (int kind = 0; kind < TLW_SECTION_COUNT; ++kind) {
        const tlw_blob_section in_a = find_section(a, (tlw_blob_section_kind)kind);
        const tlw_blob_section in_b = find_section(b, (tlw_blob_section_kind)kind);
        if (kind == TLW_SECTION_LIMBS || kind == TLW_SECTION_SLOT_LIMBS) {
            CHECK_LT(0, in_a.count);
            CHECK_EQ(in_b.count, 0);
        } else if (kind == TLW_SECTION_LATTICE) { // which counts them
            tlw_blob_lattice lattice = *(const tlw_blob_lattice*)(const void*)(a + in_a.offset);
            CHECK_EQ(lattice.limb_count, with.open.cook.limbs.count);
            lattice.limb_count = 0;
            CHECK_BYTES(&lattice, b + in_b.offset, sizeof lattice);
        } else {
            CHECK_EQ(in_a.count, in_b.count);
            CHECK_BYTES(a + in_a.offset, b + in_b.offset,
                        (size_t)(in_a.count * in_a.element_bytes));
        }
    }
    free_character(&with);
    free_character(&without);
}

TLW_TEST(the_report_of_a_cook_has_the_limbs_of_its_blob) {
    scene* s = scene_make(SCENE_figure, 0);
    const tlw_cook_options options = tlw_default_cook_options();
    const tlw_cook_recipe recipe = limbs_at(24);
    tlw_cook_output out;
    CHECK_OK(tlw_cook_character(scene_input(s), &recipe, &options, &out));
    const tlw_blob_section section = find_section(out.blob, TLW_SECTION_LIMBS);
    const tlw_blob_limb* limbs = (const tlw_blob_limb*)(const void*)(out.blob + section.offset);
    CHECK_LT(0, out.report.limb_count);
    CHECK_EQ(section.count, out.report.limb_count);
    for (uint32_t i = 0; i < out.report.limb_count; ++i) {
        const tlw_cook_limb_report* limb = &out.report.limbs[i];
        const double x = (double)limbs[i].ends[1][0] - (double)limbs[i].ends[0][0],
                     y = (double)limbs[i].ends[1][1] - (double)limbs[i].ends[0][1],
                     z = (double)limbs[i].ends[1][2] - (double)limbs[i].ends[0][2];
        CHECK_EQ(limb->joint, limbs[i].joint);
        CHECK_EQ(limb->radius[0], (double)limbs[i].radius[0]);
        CHECK_EQ(limb->radius[1], (double)limbs[i].radius[1]);
        CHECK_NEAR(limb->length, sqrt(x * x + y * y + z * z), 1e-9);
        CHECK_LT(0, limb->voxels);
        CHECK_LE(limb->voxels, out.report.voxels);
    }
    tlw_cook_output_free(&out);
    CHECK_EQ(out.report.limbs, NULL);
    scene_free(s);
}
