// SPDX-License-Identifier: MIT
// Skinned volume (MODEL 3.12) over the oracle cooker's bends, against figures that an earlier
// implementation measured on a limb of voxels, and against what must hold for every pose.
#include "tests/cook/support/bend_body.h"
#include "tests/cook/support/bend_volume.h"
#include "tests/cook/support/oracle_checks.h"
#include "tests/test.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const bend_motion rest = {{0, 0, 0, 1}, {0, 0, 0}};
static const double elbow[3] = {20, 4.5, 4.5};

static double random_number(uint64_t* state) { // from -1 to 1
    return (double)(tlw_test_random(state) >> 11) * 0x1p-52 - 1;
}

// Chen et al. 2013, Eq. 7, as it is printed, from the six differences to the neighbours.
static double eight_terms(const double plus[3][3], const double minus[3][3]) {
    const double *xp = plus[0], *yp = plus[1], *zp = plus[2];
    const double *xm = minus[0], *ym = minus[1], *zm = minus[2];
    return bend_triple(xp, yp, zp) + bend_triple(xp, ym, zm) + bend_triple(xm, yp, zm) +
           bend_triple(xm, ym, zp) + bend_triple(zp, yp, xm) + bend_triple(zp, ym, xp) +
           bend_triple(zm, yp, xp) + bend_triple(zm, ym, xm);
}

TLW_TEST(eight_terms_of_the_paper_are_one_triple_product) {
    uint64_t random = 3;
    for (int round = 0; round < 1000; ++round) {
        double plus[3][3], minus[3][3], axes[3][3], by_choice = 0;
        for (int axis = 0; axis < 3; ++axis) {
            for (int a = 0; a < 3; ++a) {
                plus[axis][a] = random_number(&random);
                minus[axis][a] = random_number(&random);
                axes[axis][a] = (plus[axis][a] - minus[axis][a]) / 2;
            }
        }
        // The same by signs: one neighbour of each axis, minus for an odd number of minus sides.
        for (int choice = 0; choice < 8; ++choice) {
            const bool x = choice & 1, y = choice >> 1 & 1, z = choice >> 2 & 1;
            const double term =
                bend_triple(x ? minus[0] : plus[0], y ? minus[1] : plus[1], z ? minus[2] : plus[2]);
            by_choice += (x + y + z) % 2 == 0 ? term : -term;
        }
        const double volume = bend_triple(axes[0], axes[1], axes[2]);
        CHECK_NEAR(eight_terms(plus, minus) / 8, volume, 1e-12);
        CHECK_NEAR(by_choice / 8, volume, 1e-12);
    }
}

static bend_body* cook_limb(void) {
    bend_body* b = bend_body_limb();
    oracle_make_bends(&b->work);
    return b;
}

TLW_TEST(limb_has_one_bend_over_all_of_its_voxels) {
    bend_body* b = cook_limb();
    const oracle_result* r = &b->result;
    CHECK_EQ(r->voxel_count, 40 * 49);
    CHECK_EQ(r->bend_count, 1);
    CHECK_EQ(r->bends[0].joint, 1);
    CHECK_EQ(r->bends[0].voxel_count, r->voxel_count);
    CHECK_EQ(r->bends[0].volume, 1960.0);
    CHECK_NEAR(r->bends[0].slope, 162.15, 0.01);
    CHECK_NEAR(r->bends[0].reach, 2.5, 1e-6); // every cell can step up to a depth of 4
    uint32_t bone = 0;
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        const oracle_voxel* voxel = &r->voxels[v];
        // The limb is its own mirror image along all three axes.
        const oracle_voxel* images[3] = {
            voxel_in(r, 39 - voxel->cell[0], voxel->cell[1], voxel->cell[2]),
            voxel_in(r, voxel->cell[0], 8 - voxel->cell[1], voxel->cell[2]),
            voxel_in(r, voxel->cell[0], voxel->cell[1], 8 - voxel->cell[2])};
        CHECK_EQ(voxel->shares[0], 1.0);
        for (int axis = 0; axis < 3; ++axis) {
            for (int a = 0; a < 3; ++a) {
                CHECK_NEAR(images[axis]->field[a], a == axis ? -voxel->field[a] : voxel->field[a],
                           1e-6);
            }
        }
        if (voxel->layer == 0) {
            ++bone;
            CHECK_EQ(voxel->field[1], 0.0);
        }
    }
    CHECK_LT(39u, bone);
    bend_body_free(b);
}

// By how much the volume of cells 10 to 39 differs from that at rest: half of the first bone, and
// all of the second.
static double change_of_volume(const oracle_result* r, const bend_state* state,
                               const double (*positions)[3]) {
    double volume = 0;
    uint32_t count = 0;
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        if (r->voxels[v].cell[0] >= 10) {
            volume += bend_voxel_volume(r, state, positions, v);
            ++count;
        }
    }
    return volume / count - 1;
}

typedef struct limb_figures {
    double length, before, after;
} limb_figures;

static limb_figures move_limb(const oracle_result* r, const double axis[3], double degrees) {
    const bend_motion motions[2] = {rest, bend_motion_about(axis, degrees * pi / 180, elbow)};
    bend_state state = bend_evaluate(r, motions);
    const limb_figures figures = {state.length[0],
                                  change_of_volume(r, &state, (const double(*)[3])state.skinned),
                                  change_of_volume(r, &state, (const double(*)[3])state.corrected)};
    bend_state_free(&state);
    return figures;
}

TLW_TEST(limb_that_bends_or_twists_keeps_its_volume_as_measured) {
    static const struct {
        double degrees, length, before, after; // of a bend
        double twist_length, twist_before, twist_after;
    } table[] = {{30, 0.0529, -0.00580, -0.00012, 0.1009, -0.01103, -0.00019},
                 {60, 0.2041, -0.02166, -0.00044, 0.3885, -0.04124, -0.00069},
                 {90, 0.4286, -0.04339, -0.00091, 0.8162, -0.08272, -0.00144},
                 {120, 0.6820, -0.06524, -0.00143, 1.3079, -0.12462, -0.00231},
                 {150, 0.9024, -0.08146, -0.00187, 1.7626, -0.15604, -0.00312}};
    static const double bend_axis[3] = {0, 0, 1}, twist_axis[3] = {1, 0, 0};
    bend_body* b = cook_limb();
    for (size_t i = 0; i < TLW_COUNT_OF(table); ++i) {
        const limb_figures bent = move_limb(&b->result, bend_axis, table[i].degrees);
        CHECK_NEAR(bent.length, table[i].length, 1e-4);
        CHECK_NEAR(bent.before, table[i].before, 1e-5);
        CHECK_NEAR(bent.after, table[i].after, 1e-5);
        const limb_figures twisted = move_limb(&b->result, twist_axis, table[i].degrees);
        CHECK_NEAR(twisted.length, table[i].twist_length, 1e-4);
        CHECK_NEAR(twisted.before, table[i].twist_before, 1e-5);
        CHECK_NEAR(twisted.after, table[i].twist_after, 1e-5);
    }
    bend_body_free(b);
}

// 0.2726, less the 1e-4 that every length loses.
TLW_TEST(limb_has_one_length_whichever_way_it_bends) {
    static const double axes[4][3] = {{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}};
    bend_body* b = cook_limb();
    const double first = move_limb(&b->result, axes[0], 70).length;
    CHECK_NEAR(first, 0.2726 - 1e-4, 6e-5);
    for (int i = 1; i < 4; ++i) {
        CHECK_NEAR(move_limb(&b->result, axes[i], 70).length, first, 1e-6);
    }
    bend_body_free(b);
}

// Random joint rotations about random points; then the same pose, moved as a whole.
static void check_rigid_motion(const oracle_result* r, uint64_t* random, double spread) {
    bend_motion motions[32], moved[32];
    CHECK_LE(r->joint_count, TLW_COUNT_OF(motions));
    double around[3], centre[3], length = 0;
    for (int a = 0; a < 3; ++a) {
        around[a] = random_number(random);
        centre[a] = 10 * random_number(random);
        length += around[a] * around[a];
    }
    for (int a = 0; a < 3; ++a) {
        around[a] /= sqrt(length);
    }
    const bend_motion whole = bend_motion_about(around, 2, centre);
    for (uint32_t j = 0; j < r->joint_count; ++j) {
        double axis[3] = {0, 0, 0}, point[3];
        axis[j % 3] = 1;
        for (int a = 0; a < 3; ++a) {
            point[a] = r->counts[a] * (0.5 + 0.25 * random_number(random));
        }
        motions[j] = bend_motion_about(axis, spread * random_number(random), point);
        moved[j] = bend_motion_after(whole, motions[j]);
    }
    bend_state state = bend_evaluate(r, motions), other = bend_evaluate(r, moved);
    double largest = 0;
    for (uint32_t k = 0; k < r->bend_count; ++k) {
        CHECK_NEAR(state.length[k], other.length[k], 1e-12);
        largest = fmax(largest, fabs(state.length[k]));
    }
    CHECK_LT(0.01, largest);
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        double expected[3];
        bend_motion_apply(&whole, state.corrected[v], expected);
        for (int a = 0; a < 3; ++a) {
            CHECK_NEAR(other.corrected[v][a], expected[a], 2e-13);
        }
    }
    bend_state_free(&state);
    bend_state_free(&other);
}

TLW_TEST(rigid_motion_of_a_pose_moves_the_result_rigidly) {
    uint64_t random = 11;
    bend_body* b = cook_limb();
    for (int round = 0; round < 4; ++round) {
        check_rigid_motion(&b->result, &random, 1.5);
    }
    bend_body_free(b);
    static const scene_kind kinds[] = {SCENE_figure, SCENE_torus, SCENE_legs};
    for (size_t i = 0; i < TLW_COUNT_OF(kinds); ++i) {
        scene* s = scene_make(kinds[i], 0);
        oracle_result r = cook_at(s, 18);
        CHECK_LT(0u, r.bend_count);
        check_rigid_motion(&r, &random, 0.5);
        oracle_free(&r);
        scene_free(s);
    }
}

// Rounding leaves some 1e-15, which the last line of the solve takes away.
TLW_TEST(rest_and_rigid_poses_have_lengths_of_exactly_0) {
    scene* s = scene_make(SCENE_figure, 0);
    oracle_result r = cook_at(s, 20);
    static const double axis[3] = {0.6, 0, 0.8}, point[3] = {3, -20, 7};
    for (int round = 0; round < 2; ++round) {
        bend_motion motions[32];
        CHECK_LE(r.joint_count, TLW_COUNT_OF(motions));
        for (uint32_t j = 0; j < r.joint_count; ++j) {
            motions[j] = round == 0 ? rest : bend_motion_about(axis, 2.5, point);
        }
        bend_state state = bend_evaluate(&r, motions);
        for (uint32_t k = 0; k < r.bend_count; ++k) {
            CHECK_EQ(state.length[k], 0.0);
        }
        for (uint32_t v = 0; v < r.voxel_count; ++v) {
            CHECK_NEAR(bend_voxel_volume(&r, &state, (const double(*)[3])state.skinned, v), 1,
                       1e-12);
        }
        bend_state_free(&state);
    }
    oracle_free(&r);
    scene_free(s);
}

// f is 4 cos(angle/2) from 151 degrees on, so the field fades out before Rb turns round.
TLW_TEST(field_fades_where_two_joints_are_nearly_opposite) {
    static const double axis[3] = {0, 0, 1};
    static const double degrees[] = {150, 151.1, 160, 175, 180, 190};
    bend_body* b = cook_limb();
    for (size_t i = 0; i < TLW_COUNT_OF(degrees); ++i) {
        const double radians = degrees[i] * pi / 180;
        const bend_motion motions[2] = {rest, bend_motion_about(axis, radians, elbow)};
        bend_state state = bend_evaluate(&b->result, motions);
        const double expected = fmin(1, 4 * fabs(cos(radians / 2)));
        uint32_t blended = 0;
        for (uint32_t v = 0; v < b->result.voxel_count; ++v) {
            const bool has_both = b->result.voxels[v].joints[1] != ORACLE_NONE;
            const double factor = has_both ? expected : 1; // the ends follow one joint alone
            blended += has_both;
            CHECK_NEAR(state.factor[v], factor, 1e-12);
            const double* f = b->result.voxels[v].field;
            const double* moved = state.v[v];
            CHECK_NEAR(moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2],
                       factor * factor * (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), 1e-12);
        }
        CHECK_LT(1000u, blended);
        bend_state_free(&state);
    }
    bend_body_free(b);
}

// Mean error of the bends' volumes over all bends, by volume.
static double mean_error(const oracle_result* r, const bend_state* state,
                         const double (*positions)[3]) {
    double volumes[32] = {0}, error = 0, sum = 0;
    CHECK_LE(r->bend_count, TLW_COUNT_OF(volumes));
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        for (int k = 0; k < 2 && r->voxels[v].bends[k] != ORACLE_NONE; ++k) {
            volumes[r->voxels[v].bends[k]] +=
                r->voxels[v].shares[k] * bend_voxel_volume(r, state, positions, v);
        }
    }
    for (uint32_t k = 0; k < r->bend_count; ++k) {
        error += fabs(volumes[k] - r->bends[k].volume);
        sum += r->bends[k].volume;
    }
    return error / sum;
}

// A box of wide weights. Without J each bend would give back the whole of what both lose.
TLW_TEST(bends_that_share_voxels_give_back_their_volume_together) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    scene* s = scene_make(SCENE_box, 0);
    oracle_result r = cook_at(s, 24);
    bend_motion motions[32];
    CHECK_LE(r.joint_count, TLW_COUNT_OF(motions));
    CHECK_LT(0u, r.bend_pair_count);
    for (int axis = 0; axis < 3; ++axis) {
        for (uint32_t j = 0; j < r.joint_count; ++j) { // parents come first in this scene
            const tlw_cook_joint* joint = &scene_input(s)->joints[j];
            double point[3];
            for (int a = 0; a < 3; ++a) {
                point[a] = (joint->bind[12 + a] - r.origin[a]) / r.s;
            }
            const bend_motion own = bend_motion_about(axes[axis], 0.8, point);
            motions[j] = joint->parent == TLW_NO_JOINT
                             ? rest
                             : bend_motion_after(motions[joint->parent], own);
        }
        bend_state state = bend_evaluate(&r, motions);
        const double before = mean_error(&r, &state, (const double(*)[3])state.skinned);
        const double after = mean_error(&r, &state, (const double(*)[3])state.corrected);
        CHECK_LT(10 * after, before); // 19% to 0.6%; without J to 11%
        bend_state_free(&state);
    }
    oracle_free(&r);
    scene_free(s);
}
