// SPDX-License-Identifier: MIT
// Own limbs as they are cooked (RULES 9.11): their capsules, and which voxels they may touch.
#include "tests/cook/support/limb_view.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t resolutions[] = {32, 48};
#define RESOLUTION_COUNT (TLW_UNDER_SANITIZER ? 1 : TLW_COUNT_OF(resolutions))
#define FIRST_SAMPLE     (TLW_UNDER_SANITIZER ? TLW_SAMPLE_THIN : 0) // the last and smallest

static double larger_radius(const tlw_blob_limb* limb) {
    return (double)fmaxf(limb->radius[0], limb->radius[1]);
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
    for (int variant = FIRST_SAMPLE; variant < TLW_SAMPLE_PAPER_COUNT; ++variant) {
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
    for (int variant = FIRST_SAMPLE; variant < TLW_SAMPLE_PAPER_COUNT; ++variant) {
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

// Where two limbs have different radii, voxels of the thicker one may be touched by the thinner
// one, and no voxel of the thinner one by the thicker.
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
    const tlw_cook_recipe recipe = limbs_at(32);
    character c;
    cook_sample(&c, TLW_SAMPLE_THIN, &recipe);
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

// A bar with two children, of which the second is as large as the first or larger, and a thick box
// that yields to the bar.
static scene* make_fork(double second) {
    scene* s = scene_new();
    const struct {
        double low[3], high[3];
        uint32_t parent;
    } boxes[] = {{{0.0, -0.15, -0.15}, {1.0, 0.15, 0.15}, TLW_NO_JOINT},
                 {{1.3, 0.5, -0.15}, {1.6, 0.8, 0.15}, 0},
                 {{1.3, -0.8, -0.15}, {1.3 + second, -0.5, 0.15}, 0},
                 {{3.0, -0.75, -0.75}, {4.5, 0.75, 0.75}, TLW_NO_JOINT}};
    for (uint32_t i = 0; i < TLW_COUNT_OF(boxes); ++i) {
        const uint32_t first = s->meshes[0].vertex_count;
        const double y = 0.5 * (boxes[i].low[1] + boxes[i].high[1]);
        scene_add_box(s, boxes[i].low, boxes[i].high);
        scene_weigh_rigidly(s, first, scene_add_joint(s, boxes[i].parent, boxes[i].low[0], y, 0.0));
    }
    return s;
}

TLW_TEST(a_limb_runs_to_its_largest_child_and_to_the_lower_of_two_that_are_equal) {
    const tlw_cook_recipe recipe = limbs_at(48);
    for (uint32_t child = 1; child <= 2; ++child) {
        character c;
        cook_scene(&c, make_fork(child == 1 ? 0.3 : 0.7), &recipe);
        const tlw_cook* cook = &c.open.cook;
        CHECK_EQ(count_of(cook, 1) < count_of(cook, 2), child == 2);
        CHECK_LE(count_of(cook, 1), count_of(cook, 2));
        CHECK(limb_of(cook, 0) != NULL);
        check_near_place(cook, limb_of(cook, 0)->ends[1], cook->skeleton.joints[child].position);
        free_character(&c);
    }
}
