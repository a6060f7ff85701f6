// SPDX-License-Identifier: MIT
// Pass skin and the signs of rotations, against the sums of design.md in double precision, voxel by
// voxel: poses in which joints are near each other, and such in which some point apart.
#include "runtime/world/character.h"
#include "tests/runtime/support/sample_characters.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    tlw_blob_arrays body;
    tlw_skin_entry* joints;
    double (*rotations)[4]; // as they were before signs were chosen
    tlw_window_pose* pose;
    size_t pose_bytes;
    uint64_t random;
} fixture;

static double between(fixture* b, double low, double high) {
    return low + (high - low) * ((double)(tlw_test_random(&b->random) >> 11) * 0x1p-53);
}

static void open_bed(fixture* b, tlw_sample_variant variant, uint32_t resolution) {
    *b = (fixture){.random = 3};
    tlw_blob_arrays_open(sample_blob(sample_get(variant, resolution, 3))->bytes, &b->body);
    const uint32_t joints = b->body.lattice->joint_count;
    b->joints = sample_allocate(joints * sizeof *b->joints);
    b->rotations = sample_allocate(joints * sizeof *b->rotations);
    b->pose_bytes = b->body.window_count * sizeof *b->pose;
    b->pose = sample_allocate(b->pose_bytes);
}

static void close_bed(fixture* b) {
    sample_free(b->joints);
    sample_free(b->rotations);
    sample_free(b->pose);
}

static double dot4(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Every joint anywhere, turned by up to `angle`, its quaternion of either sign.
static void pose_joints(fixture* b, double angle) {
    for (uint32_t j = 0; j < b->body.lattice->joint_count; ++j) {
        tlw_skin_entry* joint = &b->joints[j];
        double axis[3], length2 = 0.0;
        for (int i = 0; i < 3; ++i) {
            axis[i] = between(b, -1.0, 1.0);
            length2 += axis[i] * axis[i];
        }
        const double half = 0.5 * between(b, 0.0, angle), side = between(b, -1.0, 1.0);
        for (int i = 0; i < 4; ++i) {
            const double q = i < 3 ? sin(half) * axis[i] / sqrt(length2) : cos(half);
            joint->rotation[i] = (float)(side < 0.0 ? -q : q);
            b->rotations[j][i] = (double)joint->rotation[i];
            for (int k = 0; k < 4; ++k) {
                joint->column[k][i] = i < 3 ? (float)between(b, -1.0, 1.0) : 0.0f;
            }
        }
    }
}

static void skin(const fixture* b, tlw_isa isa, bool has_turned_pairs, tlw_window_pose* pose) {
    memset(pose, 0xff, b->pose_bytes); // NaN: empty lanes are written too
    const tlw_substep substep = {
        .blob = &b->body, .pose = pose, .joints = b->joints, .has_turned_pairs = has_turned_pairs};
    tlw_kernels_of(isa)->stages[TLW_STAGE_skin](&substep, 0, b->body.block_count);
}

typedef struct expected {
    double place[3], rotation[4];
    double length;  // of the rotation before it was made 1
    double nearest; // of all dots with the reference, to 0
} expected;

static expected expect(const fixture* b, uint32_t voxel) {
    const tlw_blob_arrays* body = &b->body;
    const uint32_t slot = body->voxel_slot[voxel], axis = body->lattice->lane_axis;
    const tlw_blob_window* window = &body->windows[slot / 8];
    const int cell[3] = {body->voxel_cell[voxel].x, body->voxel_cell[voxel].y,
                         body->voxel_cell[voxel].z};
    const uint16_t* joints = body->influence_joint + window->first_influence;
    const float* weights = body->influence_weight + (size_t)window->first_influence * 8 + slot % 8;
    uint32_t largest = 0;
    for (uint32_t k = 1; k < window->influences; ++k) {
        largest = weights[k * 8] > weights[largest * 8] ? k : largest;
    }
    expected e = {.nearest = 1.0};
    for (uint32_t k = 0; k < window->influences; ++k) {
        const tlw_skin_entry* joint = &b->joints[joints[k]];
        const double w = (double)weights[k * 8], *q = b->rotations[joints[k]];
        const double same = dot4(q, b->rotations[joints[largest]]);
        if (w == 0.0) {
            continue;
        }
        e.nearest = fmin(e.nearest, fabs(same));
        for (int i = 0; i < 4; ++i) {
            e.rotation[i] += same < 0.0 ? -w * q[i] : w * q[i];
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

// How many voxels' rotations were looked at: not those that rounding alone can turn around.
static uint32_t check_pose(const fixture* b) {
    uint32_t looked_at = 0;
    for (uint32_t v = 0; v < b->body.lattice->voxel_count; ++v) {
        const expected e = expect(b, v);
        const uint32_t slot = b->body.voxel_slot[v], lane = slot % 8;
        const tlw_window_pose* pose = &b->pose[slot / 8];
        double rb[4];
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR((double)pose->skin[i][lane], e.place[i], 2e-5);
        }
        for (int i = 0; i < 4; ++i) {
            rb[i] = (double)pose->rb[i][lane];
        }
        CHECK_NEAR(dot4(rb, rb), 1.0, 1e-6);
        if (e.length > 0.05 && e.nearest > 1e-5) {
            const double side = dot4(rb, e.rotation) < 0.0 ? -1.0 : 1.0; // q and -q are one
            for (int i = 0; i < 4; ++i) {
                CHECK_NEAR(side * rb[i], e.rotation[i], 1e-5);
            }
            looked_at += 1;
        }
    }
    for (uint32_t s = 0; s < b->body.slot_count; ++s) {
        for (int i = 0; i < 7 && b->body.slot_voxel[s] == TLW_BLOB_NO_INDEX; ++i) {
            const tlw_window_pose* pose = &b->pose[s / 8];
            CHECK_EQ(i < 3 ? pose->skin[i][s % 8] : pose->rb[i - 3][s % 8], 0.0f);
        }
    }
    return looked_at;
}

static void check_poses(double angle, int count, bool has_turned_pairs) {
    for (int variant = 0; variant < TLW_SAMPLE_VARIANT_COUNT; ++variant) {
        fixture b;
        open_bed(&b, (tlw_sample_variant)variant, 20);
        for (int n = 0; n < count; ++n) {
            pose_joints(&b, angle);
            CHECK_EQ(tlw_pose_choose_signs(&b.body, b.joints), has_turned_pairs);
            for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
                if (tlw_isa_is_built((tlw_isa)isa) && tlw_isa_is_supported((tlw_isa)isa)) {
                    skin(&b, (tlw_isa)isa, has_turned_pairs, b.pose);
                    CHECK_LT(b.body.lattice->voxel_count * 9 / 10, check_pose(&b));
                }
            }
        }
        close_bed(&b);
    }
}

TLW_TEST(skin_is_the_sum_over_a_voxels_joints) {
    check_poses(1.5, 10, false);
}

TLW_TEST(skin_chooses_signs_by_voxel_where_joints_point_apart) {
    check_poses(6.28, 10, true);
}

TLW_TEST(both_ways_to_skin_have_the_same_bits_where_no_joints_point_apart) {
    for (int variant = 0; variant < TLW_SAMPLE_VARIANT_COUNT; ++variant) {
        fixture b;
        open_bed(&b, (tlw_sample_variant)variant, 20);
        tlw_window_pose* other = sample_allocate(b.pose_bytes);
        for (int n = 0; n < 10; ++n) {
            pose_joints(&b, 1.5);
            CHECK(!tlw_pose_choose_signs(&b.body, b.joints));
            for (int isa = 0; isa < TLW_ISA_COUNT; ++isa) {
                if (tlw_isa_is_built((tlw_isa)isa) && tlw_isa_is_supported((tlw_isa)isa)) {
                    skin(&b, (tlw_isa)isa, false, b.pose);
                    skin(&b, (tlw_isa)isa, true, other);
                    CHECK_BYTES(b.pose, other, b.pose_bytes);
                }
            }
        }
        sample_free(other);
        close_bed(&b);
    }
}

// How far poses move

// The corner that moves furthest, of all joints' boxes.
static double furthest_corner(const fixture* b, const tlw_skin_entry* from) {
    double furthest = 0.0;
    for (uint32_t at = 0; at < 8 * b->body.lattice->joint_count; ++at) {
        const tlw_blob_joint_box* box = &b->body.joint_box[at / 8];
        double length2 = 0.0;
        for (int i = 0; i < 3; ++i) {
            double d = 0.0;
            for (int k = 0; k < 4; ++k) {
                const double x = k == 3 ? 1.0 : (at >> k & 1 ? box->high[k] : box->low[k]) + 0.5;
                d += x *
                     ((double)b->joints[at / 8].column[k][i] - (double)from[at / 8].column[k][i]);
            }
            length2 += d * d;
        }
        furthest = box->low[0] > box->high[0] ? furthest : fmax(furthest, sqrt(length2));
    }
    return furthest;
}

TLW_TEST(a_pose_moves_as_far_as_the_corner_that_moves_furthest) {
    fixture b;
    open_bed(&b, TLW_SAMPLE_STOUT, 16);
    const uint32_t joints = b.body.lattice->joint_count;
    tlw_skin_entry* from = sample_allocate(joints * sizeof *from);
    for (int n = 0; n < 200; ++n) {
        memcpy(from, b.joints, joints * sizeof *from);
        pose_joints(&b, 1.0);
        for (uint32_t j = 0; j < joints && n % 2; ++j) { // every other pose only shifts joints
            memcpy(b.joints[j].column, from[j].column, 3 * sizeof from[j].column[0]);
        }
        const double furthest = furthest_corner(&b, from);
        CHECK(tlw_pose_moves_far(&b.body, from, b.joints, (float)(furthest * 0.9999)));
        CHECK(!tlw_pose_moves_far(&b.body, from, b.joints, (float)(furthest * 1.0001)));
    }
    // A joint of one voxel that moves beyond all numbers moves far.
    tlw_blob_joint_box* boxes = sample_allocate(joints * sizeof *boxes);
    boxes[0] = (tlw_blob_joint_box){{3, 3, 3}, {3, 3, 3}};
    for (uint32_t j = 1; j < joints; ++j) {
        boxes[j] = (tlw_blob_joint_box){{0, 0, 0}, {-1, -1, -1}};
    }
    b.body.joint_box = boxes;
    memcpy(b.joints, from, joints * sizeof *from);
    CHECK(!tlw_pose_moves_far(&b.body, from, b.joints, 10.0f));
    b.joints[0].column[0][0] = 1e20f;
    CHECK(tlw_pose_moves_far(&b.body, from, b.joints, 10.0f));
    sample_free(boxes);
    sample_free(from);
    close_bed(&b);
}

// Signs

typedef struct tree {
    tlw_blob_lattice lattice;
    tlw_blob_joint* joints;
    tlw_blob_joint_pair pair;
    tlw_blob_arrays body;
} tree;

static void open_tree(tree* t, uint32_t count) {
    *t = (tree){.lattice = {.joint_count = count, .pair_count = 1}};
    t->joints = sample_allocate(count * sizeof *t->joints);
    t->body =
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
        for (uint32_t i = 1; i < JOINTS; ++i) { // chains, and trees of one or more roots
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
        (void)tlw_pose_choose_signs(&t.body, joints);
        uint32_t turned = 0;
        for (uint32_t j = 0; j < JOINTS; ++j) {
            const bool is_turned = joints[j].rotation[0] != before[j].rotation[0];
            for (int i = 0; i < 4; ++i) {
                CHECK_EQ(joints[j].rotation[i],
                         is_turned ? -before[j].rotation[i] : before[j].rotation[i]);
            }
            if (t.joints[j].parent == TLW_BLOB_NO_INDEX) {
                CHECK(!is_turned);
            } else {
                CHECK_LE(0.0, same_of(&joints[j], &joints[t.joints[j].parent]));
            }
            turned += is_turned;
        }
        CHECK_LT(JOINTS / 4, turned);
        // Once more changes nothing.
        memcpy(before, joints, JOINTS * sizeof *joints);
        (void)tlw_pose_choose_signs(&t.body, joints);
        CHECK_BYTES(joints, before, JOINTS * sizeof *joints);
        sample_free(before);
        sample_free(joints);
        sample_free(t.joints);
    }
}

// Every joint's parent is the next: quadratic time would be two thousand million steps a call.
TLW_TEST(signs_of_a_chain_of_65535_joints_take_linear_time) {
    tree t;
    open_tree(&t, UINT16_MAX);
    tlw_skin_entry* joints = sample_allocate(UINT16_MAX * sizeof *joints);
    for (uint32_t j = 0; j < UINT16_MAX; ++j) {
        t.joints[j].parent = j + 1 < UINT16_MAX ? j + 1 : TLW_BLOB_NO_INDEX;
        joints[j].rotation[3] = j % 2 == 0 ? 1.0f : -1.0f;
    }
    for (int n = 0; n < 20; ++n) {
        CHECK(!tlw_pose_choose_signs(&t.body, joints));
    }
    for (uint32_t j = 0; j < UINT16_MAX; ++j) {
        CHECK_EQ(joints[j].rotation[3], 1.0f); // the root's, which is the last
    }
    sample_free(joints);
    sample_free(t.joints);
}

// A parent and two children, turned one way and the other: each points along the parent.
TLW_TEST(signs_leave_a_pair_turned_that_no_choice_of_signs_brings_together) {
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
        if (degrees == 90) { // across each other: either will do
            sample_free(t.joints);
            continue;
        }
        t.pair = (tlw_blob_joint_pair){.joint = 1, .reference = 2};
        CHECK_EQ(tlw_pose_choose_signs(&t.body, joints), degrees > 90);
        t.pair = (tlw_blob_joint_pair){.joint = 1, .reference = 0}; // of those that voxels have
        CHECK(!tlw_pose_choose_signs(&t.body, joints));
        sample_free(t.joints);
    }
}
