// SPDX-License-Identifier: MIT
// For tests of the oracle itself: a small input, a pose for it and an oracle that runs on them.
#ifndef TLW_TESTS_RUNTIME_ORACLE_ORACLE_FIXTURE_H
#define TLW_TESTS_RUNTIME_ORACLE_ORACLE_FIXTURE_H

#include "tests/runtime/oracle/small_inputs.h"
#include "tests/test.h"

#define H (1.0 / 60.0) // seconds per substep

typedef struct fixture {
    small_input* small;
    small_input_pose pose; // the pose of the next step
    oracle* o;
} fixture;

TLW_INLINE fixture fixture_make(small_input_kind kind, uint32_t region_width, uint32_t neighbours,
                                oracle_preset preset) {
    fixture f = {.small = small_input_make(kind, region_width, neighbours)};
    f.pose = small_input_rest_pose(f.small);
    const oracle_settings settings = oracle_preset_settings(preset);
    const oracle_pose pose = small_input_oracle_pose(&f.pose);
    f.o = oracle_create(&f.small->input, &settings, &pose);
    CHECK(f.o != NULL);
    return f;
}

TLW_INLINE void fixture_free(fixture* f) {
    oracle_destroy(f->o);
    small_input_free(f->small);
}

TLW_INLINE unsigned fixture_step(fixture* f, double dt) {
    const oracle_pose pose = small_input_oracle_pose(&f->pose);
    CHECK(oracle_set_pose(f->o, &pose));
    return oracle_step(f->o, dt, false);
}

// At rest on the pose; the next substep is an ordinary one.
TLW_INLINE void fixture_settle(fixture* f) {
    const oracle_pose pose = small_input_oracle_pose(&f->pose);
    CHECK(oracle_set_pose(f->o, &pose));
    oracle_step(f->o, H, true);
    oracle_reset(f->o);
}

// Moves the root by this many voxels.
TLW_INLINE void fixture_move(fixture* f, oracle_vec voxels) {
    f->pose.root_position =
        vec_add_scaled(f->pose.root_position, f->small->input.voxel_metres, voxels);
}

TLW_INLINE double random_unit(uint64_t* state) { // [-1, 1)
    return (double)(tlw_test_random(state) >> 11) * 0x1p-52 - 1;
}

// Approximately normal, with sigma 1.
TLW_INLINE double random_normal(uint64_t* state) {
    double sum = 0;
    for (int k = 0; k < 12; ++k) {
        sum += 0.5 * random_unit(state);
    }
    return sum;
}

TLW_INLINE oracle_vec random_vec(uint64_t* state, double sigma) {
    const double x = random_normal(state), y = random_normal(state), z = random_normal(state);
    return vec(sigma * x, sigma * y, sigma * z);
}

TLW_INLINE void fixture_shake(fixture* f, uint64_t seed, double sigma) {
    for (uint32_t i = 0; i < f->small->input.voxel_count; ++i) {
        f->o->p[i] = vec_add(f->o->p[i], random_vec(&seed, sigma));
    }
}

TLW_INLINE double largest_difference(const oracle_vec* a, const oracle_vec* b, uint32_t count) {
    double largest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double d = vec_length(vec_sub(a[i], b[i]));
        largest = d > largest || d != d ? d : largest;
    }
    return largest;
}

TLW_INLINE double largest_output_deviation(const oracle* o) {
    return largest_difference(o->out_p, o->out_p_skin, o->input->voxel_count);
}

// The pose of a lively motion at a time: it sways, bends and twists, starting from the rest pose.
// It is smooth and stays well below a jump. Small inputs move less: they lie off the root's axis,
// so that a small rotation of the root already counts as a jump.
TLW_INLINE void fixture_dance(fixture* f, double time) {
    const double size = fmin(1, f->small->input.extent_voxels / 15);
    const oracle_vec sway = {2 * sin(5 * time), 1.5 * sin(3 * time), 1.2 * sin(7 * time)};
    const oracle_vec rotation = {0.2 * sin(2 * time), 0.3 * sin(time), 0.5 * sin(3 * time)};
    const oracle_vec bend = {0.6 * sin(4 * time), 0.3 * sin(2.5 * time), 0.7 * sin(3.3 * time)};
    f->pose = small_input_rest_pose(f->small);
    fixture_move(f, vec_scale(sway, size));
    f->pose.root_rotation = quat_exp(vec_scale(rotation, size));
    small_input_bend(&f->pose, bend);
}

#endif
