// SPDX-License-Identifier: MIT
// Tests of pass skin (runtime/passes/skin.c) and of what pose.c prepares for it: p_skin and Rb of
// every voxel against the sums of MODEL 3.2 in double precision, in poses whose joints are near
// each other and in poses where some quaternions point apart; how far a pose moves; signs of
// rotations.
#include "runtime/world/character.h"
#include "tests/runtime/support/sample_characters.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    tlw_blob_arrays blob;
    tlw_skin_entry* joints;
    double (*rotations)[4]; // of the joints, before signs were chosen
    tlw_window_pose* pose;
    size_t pose_bytes;
    uint64_t random;
} fixture;

static double between(fixture* f, double low, double high) {
    return low + (high - low) * ((double)(tlw_test_random(&f->random) >> 11) * 0x1p-53);
}

static void open_fixture(fixture* f, tlw_sample_variant variant, uint32_t resolution) {
    *f = (fixture){.random = 3};
    tlw_blob_arrays_open(sample_blob(sample_get(variant, resolution, 3))->bytes, &f->blob);
    const uint32_t joints = f->blob.lattice->joint_count;
    f->joints = sample_allocate(joints * sizeof *f->joints);
    f->rotations = sample_allocate(joints * sizeof *f->rotations);
    f->pose_bytes = f->blob.window_count * sizeof *f->pose;
    f->pose = sample_allocate(f->pose_bytes);
}

static void close_fixture(fixture* f) {
    sample_free(f->joints);
    sample_free(f->rotations);
    sample_free(f->pose);
}

static double dot4(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Places every joint at random, rotated by up to `angle`, with a quaternion of either sign.
static void pose_joints(fixture* f, double angle) {
    for (uint32_t j = 0; j < f->blob.lattice->joint_count; ++j) {
        tlw_skin_entry* joint = &f->joints[j];
        double axis[3], length2 = 0.0;
        for (int i = 0; i < 3; ++i) {
            axis[i] = between(f, -1.0, 1.0);
            length2 += axis[i] * axis[i];
        }
        const double half = 0.5 * between(f, 0.0, angle), side = between(f, -1.0, 1.0);
        for (int i = 0; i < 4; ++i) {
            const double r = i < 3 ? sin(half) * axis[i] / sqrt(length2) : cos(half);
            joint->rotation[i] = (float)(side < 0.0 ? -r : r);
            f->rotations[j][i] = (double)joint->rotation[i];
            for (int k = 0; k < 4; ++k) {
                joint->column[k][i] = i < 3 ? (float)between(f, -1.0, 1.0) : 0.0f;
            }
        }
    }
}

static void skin(const fixture* f, tlw_isa isa, bool chooses_signs, tlw_window_pose* pose) {
    memset(pose, 0xff, f->pose_bytes); // NaN, so that an empty lane that is not written shows
    const tlw_substep substep = {
        .blob = &f->blob, .pose = pose, .joints = f->joints, .has_opposed_pairs = chooses_signs};
    tlw_kernels_of(isa)->stages[TLW_STAGE_skin](&substep, 0, f->blob.block_count);
}

typedef struct expected {
    double place[3], rotation[4];
    double length;       // of the sum of rotations before it was normalised
    double smallest_dot; // smallest |dot| of a joint's rotation with the reference's
} expected;

static expected expect(const fixture* f, uint32_t voxel) {
    const tlw_blob_arrays* blob = &f->blob;
    const uint32_t slot = blob->voxel_slot[voxel], axis = blob->lattice->lane_axis;
    const tlw_blob_window* window = &blob->windows[slot / 8];
    const int cell[3] = {blob->voxel_cell[voxel].x, blob->voxel_cell[voxel].y,
                         blob->voxel_cell[voxel].z};
    const uint16_t* joints = blob->influence_joint + window->first_influence;
    const float* weights = blob->influence_weight + (size_t)window->first_influence * 8 + slot % 8;
    uint32_t largest = 0;
    for (uint32_t k = 1; k < window->influences; ++k) {
        largest = weights[k * 8] > weights[largest * 8] ? k : largest;
    }
    expected e = {.smallest_dot = 1.0};
    for (uint32_t k = 0; k < window->influences; ++k) {
        const tlw_skin_entry* joint = &f->joints[joints[k]];
        const double w = (double)weights[k * 8], *r = f->rotations[joints[k]];
        const double same = dot4(r, f->rotations[joints[largest]]);
        if (w == 0.0) {
            continue;
        }
        e.smallest_dot = fmin(e.smallest_dot, fabs(same));
        for (int i = 0; i < 4; ++i) {
            e.rotation[i] += same < 0.0 ? -w * r[i] : w * r[i];
        }
        for (int i = 0; i < 3; ++i) {
            e.place[i] += w * (double)joint->column[3][i];
            for (uint32_t n = 0; n < 3; ++n) {
                e.place[i] +=
                    w * (double)joint->column[n][i] * ((double)cell[(axis + n) % 3] + 0.5);
            }
        }
    }
    e.length = sqrt(dot4(e.rotation, e.rotation));
    for (int i = 0; i < 4; ++i) {
        e.rotation[i] /= e.length;
    }
    return e;
}

// Returns how many voxels' rotations were checked. A rotation whose sign rounding alone can decide
// is not checked.
static uint32_t check_pose(const fixture* f) {
    uint32_t checked = 0;
    for (uint32_t v = 0; v < f->blob.lattice->voxel_count; ++v) {
        const expected e = expect(f, v);
        const uint32_t slot = f->blob.voxel_slot[v], lane = slot % 8;
        const tlw_window_pose* pose = &f->pose[slot / 8];
        double rb[4];
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR((double)pose->skin[i][lane], e.place[i], 2e-5);
        }
        for (int i = 0; i < 4; ++i) {
            rb[i] = (double)pose->rb[i][lane];
        }
        CHECK_NEAR(dot4(rb, rb), 1.0, 1e-6);
        if (e.length > 0.05 && e.smallest_dot > 1e-5) {
            const double side =
                dot4(rb, e.rotation) < 0.0 ? -1.0 : 1.0; // r and -r are one rotation
            for (int i = 0; i < 4; ++i) {
                CHECK_NEAR(side * rb[i], e.rotation[i], 1e-5);
            }
            checked += 1;
        }
    }
    for (uint32_t s = 0; s < f->blob.slot_count; ++s) {
        for (int i = 0; i < 7 && f->blob.slot_voxel[s] == TLW_BLOB_NO_INDEX; ++i) {
            const tlw_window_pose* pose = &f->pose[s / 8];
            CHECK_EQ(i < 3 ? pose->skin[i][s % 8] : pose->rb[i - 3][s % 8], 0.0f);
        }
    }
    return checked;
}

static void check_poses(double angle, int count, bool chooses_signs) {
    for (int variant = 0; variant < TLW_SAMPLE_PAPER_COUNT; ++variant) {
        fixture f;
        open_fixture(&f, (tlw_sample_variant)variant, 20);
        for (int n = 0; n < count; ++n) {
            pose_joints(&f, angle);
            CHECK_EQ(tlw_pose_choose_signs(&f.blob, f.joints), chooses_signs);
            for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
                if (tlw_isa_is_built((tlw_isa)isa) && tlw_isa_is_supported((tlw_isa)isa)) {
                    skin(&f, (tlw_isa)isa, chooses_signs, f.pose);
                    CHECK_LT(f.blob.lattice->voxel_count * 9 / 10, check_pose(&f));
                }
            }
        }
        close_fixture(&f);
    }
}

TLW_TEST(skin_is_the_sum_over_a_voxels_joints) {
    check_poses(1.5, 10, false);
}

TLW_TEST(skin_chooses_signs_by_voxel_where_joints_point_apart) {
    check_poses(6.28, 10, true);
}

TLW_TEST(both_ways_to_skin_have_the_same_bits_where_no_joints_point_apart) {
    for (int variant = 0; variant < TLW_SAMPLE_PAPER_COUNT; ++variant) {
        fixture f;
        open_fixture(&f, (tlw_sample_variant)variant, 20);
        tlw_window_pose* other = sample_allocate(f.pose_bytes);
        for (int n = 0; n < 10; ++n) {
            pose_joints(&f, 1.5);
            CHECK(!tlw_pose_choose_signs(&f.blob, f.joints));
            for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
                if (tlw_isa_is_built((tlw_isa)isa) && tlw_isa_is_supported((tlw_isa)isa)) {
                    skin(&f, (tlw_isa)isa, false, f.pose);
                    skin(&f, (tlw_isa)isa, true, other);
                    CHECK_BYTES(f.pose, other, f.pose_bytes);
                }
            }
        }
        sample_free(other);
        close_fixture(&f);
    }
}

// ---- How far poses move

// How far that corner of all joints' boxes moves which moves furthest.
static double furthest_corner(const fixture* f, const tlw_skin_entry* from) {
    double furthest = 0.0;
    for (uint32_t at = 0; at < 8 * f->blob.lattice->joint_count; ++at) {
        const tlw_blob_joint_box* box = &f->blob.joint_box[at / 8];
        double length2 = 0.0;
        for (int i = 0; i < 3; ++i) {
            double d = 0.0;
            for (int k = 0; k < 4; ++k) {
                const double x = k == 3 ? 1.0 : (at >> k & 1 ? box->high[k] : box->low[k]) + 0.5;
                d += x *
                     ((double)f->joints[at / 8].column[k][i] - (double)from[at / 8].column[k][i]);
            }
            length2 += d * d;
        }
        furthest = box->low[0] > box->high[0] ? furthest : fmax(furthest, sqrt(length2));
    }
    return furthest;
}

TLW_TEST(a_pose_moves_as_far_as_the_corner_that_moves_furthest) {
    fixture f;
    open_fixture(&f, TLW_SAMPLE_STOUT, 16);
    const uint32_t joints = f.blob.lattice->joint_count;
    tlw_skin_entry* from = sample_allocate(joints * sizeof *from);
    for (int n = 0; n < 200; ++n) {
        memcpy(from, f.joints, joints * sizeof *from);
        pose_joints(&f, 1.0);
        for (uint32_t j = 0; j < joints && n % 2; ++j) { // every other pose only shifts joints
            memcpy(f.joints[j].column, from[j].column, 3 * sizeof from[j].column[0]);
        }
        const double furthest = furthest_corner(&f, from);
        CHECK(tlw_pose_moves_far(&f.blob, from, f.joints, (float)(furthest * 0.9999)));
        CHECK(!tlw_pose_moves_far(&f.blob, from, f.joints, (float)(furthest * 1.0001)));
    }
    // A joint of a single voxel whose movement overflows moves far.
    tlw_blob_joint_box* boxes = sample_allocate(joints * sizeof *boxes);
    boxes[0] = (tlw_blob_joint_box){{3, 3, 3}, {3, 3, 3}};
    for (uint32_t j = 1; j < joints; ++j) {
        boxes[j] = (tlw_blob_joint_box){{0, 0, 0}, {-1, -1, -1}};
    }
    f.blob.joint_box = boxes;
    memcpy(f.joints, from, joints * sizeof *from);
    CHECK(!tlw_pose_moves_far(&f.blob, from, f.joints, 10.0f));
    f.joints[0].column[0][0] = 1e20f;
    CHECK(tlw_pose_moves_far(&f.blob, from, f.joints, 10.0f));
    sample_free(boxes);
    sample_free(from);
    close_fixture(&f);
}

// ---- Signs of rotations

typedef struct tree {
    tlw_blob_lattice lattice;
    tlw_blob_joint* joints;
    tlw_blob_joint_pair pair;
    tlw_blob_arrays blob;
} tree;

static void open_tree(tree* t, uint32_t count) {
    *t = (tree){.lattice = {.joint_count = count, .pair_count = 1}};
    t->joints = sample_allocate(count * sizeof *t->joints);
    t->blob =
        (tlw_blob_arrays){.lattice = &t->lattice, .joints = t->joints, .joint_pairs = &t->pair};
    for (uint32_t j = 0; j < count; ++j) {
        t->joints[j].parent = TLW_BLOB_NO_INDEX;
    }
}

static double same_of(const tlw_skin_entry* a, const tlw_skin_entry* b) {
    double same = 0.0;
    for (int i = 0; i < 4; ++i) {
        same += (double)a->rotation[i] * (double)b->rotation[i];
    }
    return same;
}

TLW_TEST(signs_follow_parents_whatever_the_order_of_joints) {
    uint64_t random = 5;
    enum { JOINTS = 300 };
    for (int n = 0; n < 60; ++n) {
        tree t;
        open_tree(&t, JOINTS);
        uint32_t joint_of[JOINTS];
        tlw_test_number(joint_of, JOINTS, (tlw_test_order)(n % 3), &random);
        for (uint32_t i = 1; i < JOINTS; ++i) { // chains, and trees with one or more roots
            const uint32_t up = (uint32_t)(tlw_test_random(&random) % i);
            if (n < 30 || up % 40 != 1) {
                t.joints[joint_of[i]].parent = joint_of[n < 30 ? i - 1 : up];
            }
        }
        tlw_skin_entry* joints = sample_allocate(JOINTS * sizeof *joints);
        tlw_skin_entry* before = sample_allocate(JOINTS * sizeof *joints);
        for (uint32_t i = 0; i < JOINTS * 4; ++i) {
            joints[i / 4].rotation[i % 4] = (float)((double)tlw_test_random(&random) * 0x1p-63 - 1);
        }
        memcpy(before, joints, JOINTS * sizeof *joints);
        (void)tlw_pose_choose_signs(&t.blob, joints);
        uint32_t flipped = 0;
        for (uint32_t j = 0; j < JOINTS; ++j) {
            const bool is_flipped = joints[j].rotation[0] != before[j].rotation[0];
            for (int i = 0; i < 4; ++i) {
                CHECK_EQ(joints[j].rotation[i],
                         is_flipped ? -before[j].rotation[i] : before[j].rotation[i]);
            }
            if (t.joints[j].parent == TLW_BLOB_NO_INDEX) {
                CHECK(!is_flipped);
            } else {
                CHECK_LE(0.0, same_of(&joints[j], &joints[t.joints[j].parent]));
            }
            flipped += is_flipped;
        }
        CHECK_LT(JOINTS / 4, flipped);
        // Choosing again changes nothing.
        memcpy(before, joints, JOINTS * sizeof *joints);
        (void)tlw_pose_choose_signs(&t.blob, joints);
        CHECK_BYTES(joints, before, JOINTS * sizeof *joints);
        sample_free(before);
        sample_free(joints);
        sample_free(t.joints);
    }
}

// Every joint's parent is the next one. In quadratic time a call would visit two thousand million
// joints.
TLW_TEST(signs_of_a_chain_of_65535_joints_take_linear_time) {
    tree t;
    open_tree(&t, UINT16_MAX);
    tlw_skin_entry* joints = sample_allocate(UINT16_MAX * sizeof *joints);
    for (uint32_t j = 0; j < UINT16_MAX; ++j) {
        t.joints[j].parent = j + 1 < UINT16_MAX ? j + 1 : TLW_BLOB_NO_INDEX;
        joints[j].rotation[3] = j % 2 == 0 ? 1.0f : -1.0f;
    }
    for (int n = 0; n < 20; ++n) {
        CHECK(!tlw_pose_choose_signs(&t.blob, joints));
    }
    for (uint32_t j = 0; j < UINT16_MAX; ++j) {
        CHECK_EQ(joints[j].rotation[3], 1.0f); // the root's, which is the last
    }
    sample_free(joints);
    sample_free(t.joints);
}

// A parent and two children, rotated in opposite directions. Each child points along the parent.
TLW_TEST(signs_leave_a_pair_opposed_that_no_choice_of_signs_brings_together) {
    for (int degrees = 5; degrees < 180; degrees += 5) {
        tree t;
        open_tree(&t, 3);
        t.joints[1].parent = t.joints[2].parent = 0;
        tlw_skin_entry joints[3] = {0};
        const double half = degrees * 0.5 / 57.295779513082320877;
        for (int j = 0; j < 3; ++j) {
            joints[j].rotation[1] = (float)(j == 0 ? 0.0 : j == 1 ? sin(half) : -sin(half));
            joints[j].rotation[3] = (float)(j == 0 ? 1.0 : cos(half));
        }
        if (degrees == 90) { // at right angles: either sign is right
            sample_free(t.joints);
            continue;
        }
        t.pair = (tlw_blob_joint_pair){.joint = 1, .reference = 2};
        CHECK_EQ(tlw_pose_choose_signs(&t.blob, joints), degrees > 90);
        t.pair = (tlw_blob_joint_pair){.joint = 1, .reference = 0}; // a pair that voxels have
        CHECK(!tlw_pose_choose_signs(&t.blob, joints));
        sample_free(t.joints);
    }
}
