// SPDX-License-Identifier: MIT
// What action lines and bellies promise (MODEL 3.18, 3.19, 10), on the runtime alone: an arm of
// 1,800 voxels with a biceps, and with a triceps that a sphere at the elbow holds off. Lengths are
// in voxels, gravity is off unless a test sets it.
#include "platform/arena.h"
#include "runtime/blob.h"
#include "runtime/step/muscles.h"
#include "tests/helpers.h"
#include "tests/runtime/support/arm_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BICEPS, TRICEPS };

static void skip_where_slow(void) {
    if (TLW_UNDER_SANITIZER) {
        tlw_test_skip(__FILE__, __LINE__, "minutes under a sanitizer");
    }
}

// A turn about (1, 2, 3)/sqrt(14).
static void turn_root(arm_study* s, double radians) {
    const double by = sin(radians / 2) / sqrt(14);
    float* q = s->motion->root.rotation;
    q[0] = (float)by, q[1] = (float)(2 * by), q[2] = (float)(3 * by);
    q[3] = (float)cos(radians / 2);
}

// ---- The whole body

TLW_TEST(arm_with_muscles_stays_at_rest_and_in_any_rigid_pose) {
    arm_study at_rest, turned;
    arm_study_make(&at_rest, &(arm_study_def){.muscles = TLW_ARM_BOTH});
    arm_study_make(&turned, &(arm_study_def){.muscles = TLW_ARM_BOTH});
    arm_line drawn[2];
    (void)arm_study_line(&at_rest, BICEPS, drawn[BICEPS]);
    (void)arm_study_line(&at_rest, TRICEPS, drawn[TRICEPS]);
    double line = 0.0, off = 0.0, skin = 0.0;
    for (int round = 0; round < 4; ++round) {
        turn_root(&turned, 1.1 * round);
        for (int a = 0; a < 3; ++a) {
            turned.motion->root.position[a] = 100.0 * round * (a - 1);
        }
        arm_study_reset(&turned, 0.0);
        arm_study_hold(&turned, 30);
        line = fmax(line, arm_study_line_gap(&at_rest, &turned));
        skin = fmax(skin, arm_study_voxel_gap(&at_rest, &turned));
        off = fmax(off, tlw_motion_largest_deviation(turned.motion));
    }
    printf("    lines %.1e, voxels %.1e, off t %.1e\n", line, skin, off);
    CHECK_LT(line, 1e-5);
    CHECK_LT(skin, 1e-5);
    CHECK_LT(off, 1e-5);
    // What they are compared with is the recipe's line, around the elbow at the origin.
    CHECK_NEAR(drawn[BICEPS][2][0], (0.38 - 1.0) * TLW_ARM_UPPER_METRES / TLW_ARM_VOXEL_METRES,
               1e-4);
    CHECK_NEAR(drawn[BICEPS][2][2], 0.03 / TLW_ARM_VOXEL_METRES, 1e-4);
    arm_study_free(&at_rest);
    arm_study_free(&turned);
}

// Root, gravity and velocities are turned; the elbow curls.
TLW_TEST(turned_arm_moves_as_the_arm_does) {
    arm_study a, b;
    arm_study_make(&a, &(arm_study_def){.muscles = TLW_ARM_BOTH});
    arm_study_make(&b, &(arm_study_def){.muscles = TLW_ARM_BOTH});
    const double gravity[3] = {1.0, -9.0, 3.0};
    double turned[3], line = 0.0, voxel = 0.0;
    uint64_t random = 3;
    turn_root(&b, 1.2);
    arm_study_reset(&b, 0.0);
    arm_study_rotate(b.motion->root.rotation, gravity, turned);
    arm_study_set_gravity(&a, gravity);
    arm_study_set_gravity(&b, turned);
    arm_study_set_tension(&a, BICEPS, 0.5f);
    arm_study_set_tension(&b, BICEPS, 0.5f);
    tlw_motion_read(a.motion);
    tlw_motion_read(b.motion);
    for (uint32_t v = 0; v < a.motion->voxel_count; ++v) {
        double pushed[3], as_turned[3];
        float va[3], vb[3];
        for (int k = 0; k < 3; ++k) {
            pushed[k] = 10.0 * arm_study_normal(&random);
        }
        arm_study_rotate(b.motion->root.rotation, pushed, as_turned);
        for (int k = 0; k < 3; ++k) {
            va[k] = (float)pushed[k];
            vb[k] = (float)as_turned[k];
        }
        CHECK_OK(tlw_character_set_voxel(a.motion->world, a.motion->id, v,
                                         a.motion->voxels[v].position, va));
        CHECK_OK(tlw_character_set_voxel(b.motion->world, b.motion->id, v,
                                         b.motion->voxels[v].position, vb));
    }
    for (int curl = 0; curl < 2; ++curl) {
        for (int part = 0; part < 6; ++part) {
            const double from = part < 3 ? 30.0 * part : 180.0 - 30.0 * part;
            const double to = part < 3 ? from + 30.0 : from - 30.0;
            arm_study_bend(&a, from, to, 10);
            arm_study_bend(&b, from, to, 10);
            line = fmax(line, arm_study_line_gap(&a, &b));
            voxel = fmax(voxel, arm_study_voxel_gap(&a, &b));
        }
    }
    printf("    lines differ by %.1e, voxels by %.1e\n", line, voxel);
    CHECK_LT(line, 1e-3);
    CHECK_LT(voxel, 1e-3);
    arm_study_free(&a);
    arm_study_free(&b);
}

TLW_TEST(walking_leaves_no_lag_in_lines_and_in_what_they_displace) {
    arm_study walks, stands;
    arm_study_make(&walks, &(arm_study_def){.muscles = TLW_ARM_BOTH});
    arm_study_make(&stands, &(arm_study_def){.muscles = TLW_ARM_BOTH});
    arm_study_reset(&walks, 60.0);
    arm_study_reset(&stands, 60.0);
    arm_study_hold(&walks, 10);
    arm_study_hold(&stands, 10);
    double early = 0.0;
    for (int frame = 0; frame < 240; ++frame) {
        walks.motion->root.position[1] += 30.0 * ARM_FRAME * walks.motion->voxel_metres;
        arm_study_hold(&walks, 1);
        arm_study_hold(&stands, 1);
        early = frame == 5 ? arm_study_line_gap(&walks, &stands) : early;
    }
    const double line = arm_study_line_gap(&walks, &stands);
    const double voxel = arm_study_voxel_gap(&walks, &stands);
    printf("    lines lag by %.2f when it begins, by %.1e after 4 s, voxels by %.1e\n", early, line,
           voxel);
    CHECK_LT(0.03, early);
    CHECK_LT(line, 1e-3);
    CHECK_LT(voxel, 1e-3);
    arm_study_free(&walks);
    arm_study_free(&stands);
}

// At 120 degrees tissue has two states, and so has the automatic muscle inside of the elbow, which
// buckles there: it is compared at 60 and 90 degrees only.
TLW_TEST(arm_that_arrives_by_motion_is_the_arm_that_is_reset_there) {
    skip_where_slow();
    static const tlw_arm_muscles kinds[] = {TLW_ARM_BOTH, TLW_ARM_AUTO};
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        arm_study moved, reset;
        arm_study_make(&moved, &(arm_study_def){.muscles = kinds[k]});
        arm_study_make(&reset, &(arm_study_def){.muscles = kinds[k]});
        const int most = kinds[k] == TLW_ARM_BOTH ? 120 : 90;
        for (int degrees = 60; degrees <= most; degrees += 30) {
            arm_study_reset(&moved, 0.0);
            arm_study_bend(&moved, 0.0, degrees, 30);
            arm_study_hold(&moved, 300);
            arm_study_reset(&reset, degrees);
            const double at_once = arm_study_line_gap(&moved, &reset);
            arm_study_hold(&reset, 300);
            const double line = arm_study_line_gap(&moved, &reset);
            const double voxel = arm_study_voxel_gap(&moved, &reset);
            printf("    %d degrees: lines %.1e at once, %.1e, voxels %.1e\n", degrees, at_once,
                   line, voxel);
            CHECK_LT(line, 1e-3);
            CHECK_LT(at_once, 1e-3);
            if (degrees <= 90) {
                CHECK_LT(voxel, 1e-3);
            }
        }
        arm_study_free(&moved);
        arm_study_free(&reset);
    }
}

// ---- Garbage

// Puts every vertex off by a sigma of 10 and gives it a velocity with a sigma of 100.
static void spoil(arm_study* s, uint64_t* random) {
    const uint32_t rows = tlw_muscle_sizes_of(&s->c->blob).rows;
    for (uint32_t i = 0; i < rows; ++i) {
        for (int k = 0; k < 3 * TLW_LANES; ++k) {
            s->c->line_rows[i].x[k / TLW_LANES][k % TLW_LANES] +=
                (float)(10.0 * arm_study_normal(random));
            s->c->line_rows[i].v[k / TLW_LANES][k % TLW_LANES] =
                (float)(100.0 * arm_study_normal(random));
        }
    }
}

TLW_TEST(garbage_lines_stay_near_and_come_back_at_any_substep_tension_and_gravity) {
    skip_where_slow();
    static const double hertz[] = {30.0, 60.0, 240.0};
    uint64_t random = 21;
    double furthest = 0.0, left = 0.0;
    for (size_t k = 0; k < TLW_COUNT_OF(hertz); ++k) {
        const arm_study_def def = {.muscles = TLW_ARM_BOTH, .substep_seconds = 1.0 / hertz[k]};
        arm_study s, good;
        arm_study_make(&s, &def);
        arm_study_make(&good, &def);
        for (int round = 0; round < 6; ++round) {
            const double gravity[3] = {0.0, 0.0, arm_study_random(&random, -20.0, 20.0)};
            const double degrees = arm_study_random(&random, 0.0, 90.0);
            const float tension = (float)arm_study_random(&random, 0.0, 1.0);
            arm_study* const both[2] = {&s, &good};
            for (int i = 0; i < 2; ++i) {
                arm_study_set_gravity(both[i], gravity);
                arm_study_set_tension(both[i], TRICEPS, tension);
                arm_study_reset(both[i], degrees);
            }
            spoil(&s, &random);
            for (int frame = 0; frame < 240; ++frame) {
                arm_study_hold(&s, 1);
                if (frame < 20) {
                    furthest = fmax(furthest, arm_study_line_gap(&s, &good));
                }
            }
            left = fmax(left, arm_study_line_gap(&s, &good));
        }
        arm_study_free(&s);
        arm_study_free(&good);
    }
    printf("    as far as %.1f, %.1e left after 4 s\n", furthest, left);
    CHECK_LT(furthest, 100.0);
    CHECK_LT(left, 1e-3);
}

// The sphere is around the elbow, the origin.
TLW_TEST(vertices_on_the_centre_of_a_field_come_back) {
    static const uint32_t first = 5, end = 8; // those near the elbow, one by one and all at once
    arm_study s, good;
    arm_study_make(&s, &(arm_study_def){.muscles = TLW_ARM_BOTH});
    arm_study_make(&good, &(arm_study_def){.muscles = TLW_ARM_BOTH});
    double most = 0.0, nearest = 1e9;
    for (int degrees = 0; degrees <= 120; degrees += 60) {
        arm_study_reset(&good, degrees);
        for (uint32_t which = first; which <= end; ++which) {
            arm_study_reset(&s, degrees);
            for (uint32_t i = first; i < end; ++i) {
                for (int a = 0; a < 3 && (i == which || which == end); ++a) {
                    s.c->line_rows[i].x[a][TRICEPS] = 0.0f;
                }
            }
            CHECK_LT(1.0, arm_study_line_gap(&s, &good));
            arm_study_hold(&s, 1);
            arm_line line;
            (void)arm_study_line(&s, TRICEPS, line);
            for (uint32_t i = first; i < end; ++i) { // from the centre
                const double origin[3] = {0.0, 0.0, 0.0};
                nearest = fmin(nearest, arm_study_distance(line[i], origin));
            }
            arm_study_hold(&s, 240);
            most = fmax(most, arm_study_line_gap(&s, &good));
        }
    }
    printf("    %.2f from the centre after a substep, %.1e left after 4 s\n", nearest, most);
    CHECK_LT(0.8, nearest);
    CHECK_LT(most, 1e-4);
    arm_study_free(&s);
    arm_study_free(&good);
}

// ---- How muscles shorten and stretch

TLW_TEST(biceps_shortens_and_triceps_stretches_by_what_the_elbow_turns) {
    arm_study s;
    arm_study_make(&s, &(arm_study_def){.muscles = TLW_ARM_BOTH});
    double last = 1.0;
    for (int degrees = 10; degrees <= 140; degrees += 10) {
        arm_study_reset(&s, degrees);
        const double biceps = arm_study_elongation(&s, BICEPS);
        const double triceps = arm_study_elongation(&s, TRICEPS);
        printf("    %d degrees: biceps %.3f, triceps %.3f\n", degrees, biceps, triceps);
        CHECK(degrees > 120 || last + 0.02 < triceps); // beyond it no longer stretches
        last = triceps;
        if (degrees == 90) {
            CHECK_NEAR(biceps, 0.70, 0.05);
        }
        if (degrees == 140) {
            CHECK_NEAR(triceps, 1.47, 0.05);
        }
    }
    arm_study_free(&s);
}

// ---- Volume of sections

// A muscle's line and what is between its vertices, by arc length at rest.
typedef struct sections {
    uint32_t count;
    double arc[TLW_ARM_VERTICES_MAX];
    double r2[TLW_ARM_VERTICES_MAX];    // r^2
    double m[TLW_ARM_VERTICES_MAX];     // r^2/e
    double slid[TLW_ARM_VERTICES_MAX];  // s of MODEL 3.19
    double drawn[TLW_ARM_VERTICES_MAX]; // R^2 of what the runtime's bellies draw
} sections;

// What bellies were drawn by in the last substep, which is still in the world's scratch.
static const tlw_belly_row* belly_rows(const arm_study* s) {
    const tlw_scratch* scratch = s->motion->world->scratch;
    tlw_arena arena;
    tlw_scratch_view view;
    CHECK_OK(tlw_arena_init(&arena, "scratch", scratch->memory, scratch->bytes));
    tlw_scratch_carve(&arena, &s->c->blob, &view);
    return view.belly_rows;
}

static void find_sections(const arm_study* s, uint32_t muscle, const arm_line rest, sections* out) {
    arm_line now;
    double length[TLW_ARM_VERTICES_MAX + 1] = {0}, length0[TLW_ARM_VERTICES_MAX + 1] = {0};
    out->count = arm_study_line(s, muscle, now);
    for (uint32_t i = 1; i < out->count; ++i) { // segments before a vertex
        length[i] = arm_study_distance(now[i - 1], now[i]);
        length0[i] = arm_study_distance(rest[i - 1], rest[i]);
    }
    for (uint32_t i = 0; i < out->count; ++i) {
        const tlw_line_row* row = &s->c->line_rows[i];
        const tlw_blob_muscle_row* from = &s->c->blob.muscle_rows[i];
        const double r = (double)from->radius[muscle];
        const double e = (length[i] + length[i + 1]) / (length0[i] + length0[i + 1]);
        float rb[4];
        double t0[3], t[3];
        for (int a = 0; a < 4; ++a) {
            rb[a] = row->rb[a][muscle];
        }
        for (int a = 0; a < 3; ++a) {
            t0[a] = (double)from->tangent[a][muscle];
        }
        arm_study_rotate(rb, t0, t);
        out->arc[i] = i > 0 ? out->arc[i - 1] + length0[i] : 0.0;
        out->r2[i] = r * r;
        out->m[i] = r * r / fmin(1.5, fmax(0.65, e));
        // B = 2 r (R - r)
        const double b = (double)belly_rows(s)[i].b[muscle];
        out->drawn[i] = r > 0.0 ? (r + b / (2.0 * r)) * (r + b / (2.0 * r)) : 0.0;
        out->slid[i] = 0.0;
        for (int a = 0; a < 3; ++a) {
            out->slid[i] += t[a] * ((double)row->x[a][muscle] - (double)row->b[a][muscle]);
        }
    }
}

// Linear between vertices, constant beyond the ends.
static double value_at(const sections* of, const double* values, double at) {
    for (uint32_t i = 0; i + 1 < of->count; ++i) {
        if (at < of->arc[i + 1]) {
            const double f = fmax(0.0, (at - of->arc[i]) / (of->arc[i + 1] - of->arc[i]));
            return (1.0 - f) * values[i] + f * values[i + 1];
        }
    }
    return values[of->count - 1];
}

// Volumes over that at rest: of the sections where they slid to, v + s(v) = u; and of those that
// are drawn, which take s(u) for s(v).
static void measure_volumes(const sections* of, double* slid, double* drawn) {
    enum { STEPS = 50 };
    double at_rest = 0.0;
    *slid = *drawn = 0.0;
    for (uint32_t i = 1; i < of->count; ++i) {
        const double length = of->arc[i] - of->arc[i - 1];
        *drawn += 0.5 * length * (of->drawn[i - 1] + of->drawn[i]);
        for (int k = 0; k < STEPS; ++k) {
            const double u = of->arc[i - 1] + (k + 0.5) / STEPS * length;
            double v = u;
            for (int n = 0; n < 40; ++n) {
                v = 0.5 * (v + u - value_at(of, of->slid, v));
            }
            *slid += length / STEPS * value_at(of, of->m, v);
            at_rest += length / STEPS * value_at(of, of->r2, u);
        }
    }
    *slid /= at_rest;
    *drawn /= at_rest;
}

TLW_TEST(sections_keep_their_volume_while_a_muscle_shortens_and_stretches) {
    arm_study s;
    arm_line rest[2];
    arm_study_make(&s, &(arm_study_def){.muscles = TLW_ARM_BOTH});
    (void)arm_study_line(&s, BICEPS, rest[BICEPS]);
    (void)arm_study_line(&s, TRICEPS, rest[TRICEPS]);
    for (int degrees = 30; degrees <= 120; degrees += 30) {
        double slid[2], drawn[2];
        arm_study_reset(&s, degrees);
        arm_study_hold(&s, 1);
        for (uint32_t m = 0; m < 2; ++m) {
            sections of;
            find_sections(&s, m, rest[m], &of);
            measure_volumes(&of, &slid[m], &drawn[m]);
            slid[m] -= 1.0;
            drawn[m] -= 1.0;
            printf("    %d degrees, %s: e %.3f, volume %+.1f%%, as drawn %+.1f%%\n", degrees,
                   m == BICEPS ? "biceps" : "triceps", arm_study_elongation(&s, m), 100 * slid[m],
                   100 * drawn[m]);
        }
        CHECK_LT(fabs(slid[BICEPS]), 0.06);
        CHECK_LT(fabs(slid[TRICEPS]), 0.08);
        CHECK_LT(fabs(drawn[BICEPS]), 0.10);
        CHECK_LT(fabs(drawn[TRICEPS]), 0.18);
    }
    arm_study_free(&s);
}

// ---- A character without muscles

static void cook(tlw_arm_muscles muscles, bool has_list, tlw_cook_output* out, tlw_blob* blob) {
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_arm arm;
    CHECK(tlw_arm_make(&arm, muscles));
    if (!has_list) {
        arm.recipe.muscles = NULL;
    }
    CHECK_OK(tlw_cook_character(&arm.input, &arm.recipe, &options, out));
    CHECK_OK(tlw_blob_open(out->blob, out->blob_bytes, TLW_BLOB_CHECK_ALL, blob, NULL));
    tlw_arm_free(&arm);
}

static size_t bytes_of(const tlw_blob* blob) {
    tlw_character_def def = tlw_default_character_def();
    def.blob = *blob;
    size_t bytes;
    CHECK_OK(tlw_character_bytes(&def, &bytes));
    return bytes;
}

static size_t whole_lines(size_t bytes) {
    return (bytes + TLW_MEMORY_ALIGNMENT - 1) / TLW_MEMORY_ALIGNMENT * TLW_MEMORY_ALIGNMENT;
}

TLW_TEST(muscles_cost_a_character_without_them_no_byte) {
    tlw_cook_output none, empty, both;
    tlw_blob blob_none, blob_empty, blob_both;
    cook(TLW_ARM_BARE, false, &none, &blob_none);
    cook(TLW_ARM_BARE, true, &empty, &blob_empty);
    cook(TLW_ARM_BOTH, true, &both, &blob_both);
    CHECK_EQ(none.blob_bytes, empty.blob_bytes);
    CHECK_BYTES(none.blob, empty.blob, none.blob_bytes);
    static const tlw_blob_section_kind kinds[] = {
        TLW_SECTION_MUSCLES,       TLW_SECTION_MUSCLE_GROUPS, TLW_SECTION_MUSCLE_ROWS,
        TLW_SECTION_MUSCLE_FIELDS, TLW_SECTION_BELLY_WINDOWS, TLW_SECTION_BELLY_ENTRY,
        TLW_SECTION_BELLY_SHAPE,   TLW_SECTION_BELLY_WEIGHT,  TLW_SECTION_LAME,
        TLW_SECTION_LAME_WINDOWS};
    for (size_t k = 0; k < TLW_COUNT_OF(kinds); ++k) {
        uint64_t count = 0;
        (void)tlw_blob_find(none.blob, kinds[k], &count);
        CHECK_EQ(count, 0u);
    }
    // What the muscles add is their own and nothing else.
    tlw_blob_arrays arrays;
    tlw_blob_arrays_open(blob_both.bytes, &arrays);
    const size_t added = 2 * whole_lines(arrays.window_count * sizeof(tlw_window_displacement)) +
                         whole_lines(tlw_muscle_sizes_of(&arrays).rows * sizeof(tlw_line_row)) +
                         whole_lines(2 * sizeof(float)) +
                         2 * sizeof(tlw_muscle_state); // the last array ends the memory
    CHECK_EQ(bytes_of(&blob_both), whole_lines(bytes_of(&blob_none)) + added);
    tlw_blob_info a, b;
    CHECK_OK(tlw_blob_get_info(&blob_none, &a));
    CHECK_OK(tlw_blob_get_info(&blob_both, &b));
    CHECK_EQ(a.muscle_count, 0u);
    printf("    %zu bytes without, %zu more with two muscles; scratch %zu and %zu\n",
           bytes_of(&blob_none), added, (size_t)a.scratch_bytes, (size_t)b.scratch_bytes);
    CHECK_LT(a.scratch_bytes, b.scratch_bytes);
    tlw_cook_output_free(&none);
    tlw_cook_output_free(&empty);
    tlw_cook_output_free(&both);
}
