// SPDX-License-Identifier: MIT
// Facts about the oracle's muscles (MODEL 3.18, 3.19) that were worked out by hand, on a capsule
// with one muscle beside its axis.
#include "tests/runtime/oracle/oracle_fixture.h"
#include "tests/runtime/oracle/oracle_private.h"
#include "tests/runtime/oracle/small_muscles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERTICES 7

static const double two_pi = 6.283185307179586476925;
static const double degree = 0.017453292519943295;

// The capsule's axis runs along z through x = y = 2.5, and joint 1 is at z = 7. The muscle lies 1.2
// in front of it (x), its last vertex on joint 1.
typedef struct muscled {
    fixture f;
    oracle_muscle_rest rest;
    oracle_voxel_bellies* bellies;
} muscled;

static const double stations[VERTICES] = {0.8, 2, 3.2, 4.4, 5.6, 6.6, 9};
static const double radii[VERTICES] = {0, 0.8, 1, 1, 0.75, 0.3, 0};

static void make_rest(muscled* m) {
    m->rest.vertex_count = VERTICES;
    for (uint32_t i = 0; i < VERTICES; ++i) {
        oracle_line_vertex* vertex = &m->rest.vertices[i];
        vertex->place = vec(3.7, 2.5, stations[i]);
        vertex->radius = radii[i];
        vertex->is_belly = i + 2 < VERTICES; // the last segment is a tendon
        vertex->joint[0] = i + 1 == VERTICES;
        vertex->weight[0] = 1;
    }
    small_muscle_finish(&m->rest);
}

static void start(muscled* m, oracle_preset preset) {
    m->bellies = small_bellies_make(m->f.small, &m->rest, 1, vec(2.5, 2.5, 0));
    m->f.small->input.muscle_count = 1;
    m->f.small->input.muscles = &m->rest;
    m->f.small->input.bellies = m->bellies;
    m->f.pose = small_input_rest_pose(m->f.small);
    const oracle_settings settings = oracle_preset_settings(preset);
    const oracle_pose pose = small_input_oracle_pose(&m->f.pose);
    m->f.o = oracle_create(&m->f.small->input, &settings, &pose);
    CHECK(m->f.o != NULL);
}

static muscled* muscled_make(void) {
    muscled* m = calloc(1, sizeof *m);
    CHECK(m != NULL);
    m->f.small = small_input_make(SMALL_INPUT_capsule, 3, 26);
    make_rest(m);
    start(m, ORACLE_PRESET_DEFAULT);
    return m;
}

static void muscled_free(muscled* m) {
    fixture_free(&m->f);
    free(m->bellies);
    free(m);
}

static double off_b(const muscled* m) {
    return largest_difference(m->f.o->muscles[0].x, m->f.o->muscles[0].b, VERTICES);
}

static double largest_m(const muscled* m) {
    double largest = 0;
    for (uint32_t i = 0; i < m->f.small->input.voxel_count; ++i) {
        largest = fmax(largest, vec_length(m->f.o->m[i]));
    }
    return largest;
}

// Moves joint 1 along the axis by this many voxels.
static void pull(muscled* m, double voxels) {
    m->f.pose = small_input_rest_pose(m->f.small);
    m->f.pose.joints[1].translation.z += voxels * m->f.small->input.voxel_metres;
}

static void run(muscled* m, double seconds) {
    for (int n = 0; n < (int)(seconds * 60 + 0.5); ++n) {
        fixture_step(&m->f, H);
    }
}

TLW_TEST(a_line_at_rest_stays_and_bellies_leave_tissue_where_it_is) {
    muscled* m = muscled_make();
    uint64_t random = 3;
    for (int round = 0; round < 4; ++round) {
        m->f.pose = small_input_rest_pose(m->f.small);
        if (round > 0) { // rigidly moved
            const oracle_quat turn = quat_exp(random_vec(&random, 1));
            for (int j = 0; j < SMALL_INPUT_JOINTS; ++j) {
                oracle_trs* joint = &m->f.pose.joints[j];
                joint->rotation = quat_mul(turn, joint->rotation);
                joint->translation = quat_rotate(turn, joint->translation);
            }
            m->f.pose.root_rotation = quat_exp(random_vec(&random, 1));
            m->f.pose.root_position = random_vec(&random, 10);
        }
        fixture_settle(&m->f);
        CHECK_LT(off_b(m), 1e-12);
        run(m, 0.2);
        CHECK_LT(off_b(m), 1e-12);
        CHECK_LT(largest_m(m), 1e-12);
        CHECK_NEAR(oracle_elongation(m->f.o, 0), 1, 1e-12);
        CHECK_LT(oracle_largest_deviation(m->f.o), 1e-12);
    }
    muscled_free(m);
}

// Forces on every dynamic vertex, by the page and in the straight line's one dimension: springs,
// balance, and the 0.5 Hz that draw along the line to b.
TLW_TEST(a_straight_chain_that_is_pulled_shares_its_elongation_and_its_forces_balance) {
    muscled* m = muscled_make();
    const oracle_line_vertex* rest = m->rest.vertices;
    pull(m, 2);
    fixture_settle(&m->f);
    const oracle_muscle* muscle = &m->f.o->muscles[0];
    const double k = two_pi * 12 * H * two_pi * 12 * H, along = two_pi * 0.5 * H * two_pi * 0.5 * H;
    double stretched = 0, before = 0;
    for (uint32_t s = 0; s + 1 < VERTICES; ++s) {
        const oracle_vec d = vec_sub(muscle->x[s + 1], muscle->x[s]);
        const double force = k * rest[s].ratio * (d.z - rest[s].slack);
        CHECK_LT(fabs(d.x) + fabs(d.y), 1e-12);
        if (s > 0) {
            const double spring = force - before;
            const double held = along * (muscle->b[s].z - muscle->x[s].z);
            CHECK_NEAR(spring + k * rest[s].balance.z + held, 0, 1e-10);
        }
        // A segment of ratio r takes (l0/r)/(sum of l0/r) of the 2 voxels, but for what K holds.
        const double share = (rest[s].is_belly ? 1 : 1.0 / 20) * rest[s].length / (5.8 + 2.4 / 20);
        CHECK_NEAR(d.z - rest[s].length, 2 * share, 0.04);
        stretched += d.z - rest[s].length;
        before = force;
    }
    CHECK_NEAR(stretched, 2, 1e-12);
    CHECK_NEAR(oracle_elongation(m->f.o, 0), 1 + 2 * (5.8 / (5.8 + 0.12)) / 5.8, 1e-2);
    muscled_free(m);
}

TLW_TEST(a_line_that_arrives_by_motion_is_the_line_that_is_reset_there) {
    muscled* m = muscled_make();
    for (int angle = 1; angle <= 45; ++angle) {
        m->f.pose = small_input_rest_pose(m->f.small);
        small_input_bend(&m->f.pose, vec(0, angle * degree, 0));
        m->f.o->settings.gravity[2] = -9.81;
        fixture_step(&m->f, H);
    }
    run(m, 4);
    oracle_vec x[VERTICES];
    memcpy(x, m->f.o->muscles[0].x, sizeof x);
    CHECK_LT(0.2, off_b(m));
    fixture_settle(&m->f);
    CHECK_LT(largest_difference(x, m->f.o->muscles[0].x, VERTICES), 1e-9);
    fixture_step(&m->f, H); // a reset is at rest
    CHECK_LT(largest_difference(x, m->f.o->muscles[0].x, VERTICES), 1e-9);
    muscled_free(m);
}

static void add_sphere(muscled* m, oracle_vec centre, double radius, uint32_t joint) {
    m->rest.field_count = 1;
    m->rest.fields[0] = (oracle_line_field){.joint = joint,
                                            .centre = centre,
                                            .inverse = vec(1 / radius, 1 / radius, 1 / radius),
                                            .first = vec(1, 0, 0),
                                            .gain = 10};
}

// Distance of the nearest dynamic vertex from the sphere's centre, which stays at the origin of
// joint 0's motion.
static double nearest(const muscled* m) {
    const oracle_vec centre = vec_add(m->rest.fields[0].centre,
                                      vec_sub(m->f.o->muscles[0].b[0], m->rest.vertices[0].place));
    double least = HUGE_VAL;
    for (uint32_t i = 1; i + 1 < VERTICES; ++i) {
        least = fmin(least, vec_length(vec_sub(m->f.o->muscles[0].x[i], centre)));
    }
    return least;
}

TLW_TEST(a_line_keeps_out_of_a_sphere_and_on_its_own_side_of_it) {
    muscled* m = muscled_make();
    add_sphere(m, vec(2.5, 2.5, 6.4), 1.1, 0);
    double without = 0;
    for (int has = 0; has < 2; ++has) {
        m->rest.field_count = (uint32_t)has;
        m->f.pose = small_input_rest_pose(m->f.small);
        small_input_bend(&m->f.pose, vec(0, -90 * degree, 0)); // away from the muscle's side
        fixture_settle(&m->f);
        run(m, 1);
        if (has == 0) {
            without = nearest(m);
        }
    }
    CHECK_LT(without, 0.9);
    CHECK_LT(0.98, nearest(m)); // a tenth of the sphere's radius is what its gain of 10 yields
    for (uint32_t i = 1; i + 1 < VERTICES; ++i) {
        CHECK_LT(2.4, m->f.o->muscles[0].x[i].x - m->f.o->muscles[0].b[0].x + 3.7);
    }
    // Put through to the other side, a vertex comes back.
    oracle_vec x[VERTICES];
    memcpy(x, m->f.o->muscles[0].x, sizeof x);
    m->f.o->muscles[0].x[5].x -= 2.2;
    run(m, 3);
    CHECK_LT(largest_difference(x, m->f.o->muscles[0].x, VERTICES), 1e-6);
    muscled_free(m);
}

TLW_TEST(a_vertex_on_a_fields_centre_comes_back) {
    muscled* m = muscled_make();
    add_sphere(m, vec(2.5, 2.5, 5.6), 1.1, 0);
    for (int on_b = 0; on_b < 2; ++on_b) {
        if (on_b) { // b lies on the centre, too: along the first axis
            m->rest.fields[0].centre = m->rest.vertices[4].place;
        }
        m->f.pose = small_input_rest_pose(m->f.small);
        fixture_settle(&m->f);
        run(m, 3);
        const oracle_vec place = m->f.o->muscles[0].x[4];
        m->f.o->muscles[0].x[4] = vec_add(
            m->f.o->muscles[0].b[4], vec_sub(m->rest.fields[0].centre, m->rest.vertices[4].place));
        fixture_step(&m->f, H);
        const oracle_vec after = m->f.o->muscles[0].x[4];
        CHECK(vec_is_finite(after));
        if (on_b) {
            CHECK_LT(0.3, after.x - m->f.o->muscles[0].b[4].x);
        }
        run(m, 3);
        CHECK_LT(vec_length(vec_sub(m->f.o->muscles[0].x[4], place)), 1e-9);
    }
    muscled_free(m);
}

// k (1 - u^2)^2 between the surface and the reach. A vertex, whose other forces are known, ends
// where they balance.
TLW_TEST(an_attracting_field_draws_with_the_share_of_its_reach) {
    muscled* m = muscled_make();
    const uint32_t i = 3;
    add_sphere(m, vec(3.7, 4.5, stations[i]), 1, 0);
    m->rest.fields[0].reach = 3;
    m->rest.fields[0].gain = 4;
    fixture_settle(&m->f);
    run(m, 5);
    const oracle_muscle* muscle = &m->f.o->muscles[0];
    const oracle_vec c = vec_add(muscle->b[i], vec(0, 2, 0));
    const oracle_vec z = vec_sub(muscle->x[i], c);
    const double phi = vec_length(z), u = (phi - 1) / 2;
    const double k = 4 * (1 - u * u) * (1 - u * u);
    double force = k * (1 - phi) * z.y / phi; // along y
    const double across = two_pi * 6 * H * two_pi * 6 * H,
                 spring = two_pi * 12 * H * two_pi * 12 * H;
    force += across * (muscle->b[i].y - muscle->x[i].y);
    for (uint32_t s = i - 1; s <= i; ++s) {
        const oracle_vec d = vec_sub(muscle->x[s + 1], muscle->x[s]);
        const double length = vec_length(d);
        const double f = spring * m->rest.vertices[s].ratio * (length - m->rest.vertices[s].slack);
        force += (s == i ? 1 : -1) * f * d.y / length;
    }
    CHECK_LT(0.2, muscle->x[i].y - muscle->b[i].y);
    CHECK_NEAR(force, 0, 1e-9);
    muscled_free(m);
}

// Volume of sections by the trapezoid: r^2 over lengths at rest; r^2/e over the lengths of the
// line, where the muscle is; R^2 over lengths at rest, where bellies draw it.
typedef struct section_volumes {
    double at_rest, of_line, drawn;
} section_volumes;

static section_volumes sections_of(const muscled* m) {
    const oracle_muscle* muscle = &m->f.o->muscles[0];
    section_volumes sum = {0, 0, 0};
    for (uint32_t k = 0; k < 2 * (VERTICES - 1); ++k) {
        const uint32_t s = k / 2, i = s + k % 2; // half a segment
        const double r = m->rest.vertices[i].radius, l0 = 0.5 * m->rest.vertices[s].length;
        const double length = 0.5 * vec_length(vec_sub(muscle->x[s + 1], muscle->x[s]));
        sum.at_rest += l0 * r * r;
        sum.of_line += length * r * r / muscle->e[i];
        sum.drawn += l0 * muscle->R[i] * muscle->R[i];
    }
    return sum;
}

// Sections that are drawn at u have slid there from u - s(u), to first order: where the line is
// shorter by the share x throughout, they come out by 1/(1 - x^2) too large.
TLW_TEST(sections_keep_their_volume_where_the_belly_shortens_by_a_third) {
    muscled* m = muscled_make();
    for (int part = 1; part <= 4; ++part) {
        const double x = 0.3 * part / 4;
        pull(m, -5.8 * x);
        fixture_settle(&m->f);
        const section_volumes v = sections_of(m);
        CHECK_LT(fabs(v.of_line / v.at_rest - 1), 0.01);
        CHECK_NEAR(v.drawn / v.at_rest, 1 / (1 - x * x), 0.06);
        CHECK_NEAR(oracle_elongation(m->f.o, 0), 1 - x, 0.02);
    }
    CHECK_LT(1.05, m->f.o->muscles[0].R[2]); // it has slid, or 1/sqrt(0.7) = 1.195
    muscled_free(m);
}

// At rest e = 1 and s = 0: R^2 = r^2 (1 + 0.3 T phi), whose sum over the sections is that of r^2.
TLW_TEST(flexing_moves_volume_from_the_ends_to_the_middle_and_leaves_its_sum) {
    muscled* m = muscled_make();
    m->f.o->muscles[0].set_tension = 1;
    fixture_settle(&m->f);
    const oracle_muscle* muscle = &m->f.o->muscles[0];
    for (uint32_t i = 0; i < VERTICES; ++i) {
        const oracle_line_vertex* vertex = &m->rest.vertices[i];
        const double r = vertex->radius, R = sqrt(r * r * (1 + 0.3 * vertex->flex));
        CHECK_NEAR(muscle->R[i], R, 1e-12);
        CHECK_NEAR(muscle->B[i], 2 * r * (R - r), 1e-12);
    }
    const section_volumes v = sections_of(m);
    CHECK_NEAR(v.drawn, v.at_rest, 1e-12);
    CHECK_LT(1.05, muscle->R[3] / m->rest.vertices[3].radius);
    CHECK_LT(muscle->R[1], m->rest.vertices[1].radius);
    m->rest.bulge = 2; // thickens twice as much, thins as before
    const double thick = muscle->B[3], thin = muscle->B[1];
    fixture_settle(&m->f);
    CHECK_NEAR(muscle->B[3], 2 * thick, 1e-12);
    CHECK_EQ(muscle->B[1], thin);
    muscled_free(m);
}

// A joint's angle of 0 to 180 degrees, by the share of the way between two.
TLW_TEST(tension_follows_the_larger_of_the_engine_and_the_angle) {
    muscled* m = muscled_make();
    const uint32_t parents[SMALL_INPUT_JOINTS] = {ORACLE_NO_PARENT, 0};
    m->f.small->input.parent = parents;
    m->rest.flex_joint = 1;
    m->rest.flex_from = 30;
    m->rest.flex_to = 90;
    static const double rows[][3] = {// angle, set, expected
                                     {0, 0, 0},     {20, 0.25, 0.25}, {60, 0.25, 0.5}, {60, 1, 1},
                                     {75, 0, 0.75}, {-75, 0, 0.75},   {120, 0, 1}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        m->f.pose = small_input_rest_pose(m->f.small);
        small_input_bend(&m->f.pose, vec(0.6 * rows[k][0] * degree, 0.8 * rows[k][0] * degree, 0));
        m->f.pose.root_rotation = quat_exp(vec(1, 2, 0.3));
        m->f.o->muscles[0].set_tension = rows[k][1];
        fixture_settle(&m->f);
        CHECK_NEAR(m->f.o->muscles[0].tension, rows[k][2], 1e-12);
    }
    muscled_free(m);
}

// G is h^2 (g - Rb g0)(1 - T)/voxel: the bind pose is still under its own gravity, and so is a
// tense line under any.
TLW_TEST(lines_sag_under_gravity_but_not_tense_ones_or_in_the_pose_of_their_sculpt) {
    static const struct {
        double tension, own, share;
    } rows[] = {{0, 0, 1}, {1, 0, 0}, {0, -9.81, 0}, {0.5, 0, 0.5}, {0, 9.81, 2}};
    double sag = 0;
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        muscled* m = muscled_make();
        m->f.small->input.rest_gravity[1] = rows[k].own;
        m->f.o->settings.gravity[1] = -9.81;
        m->f.o->muscles[0].set_tension = rows[k].tension;
        fixture_settle(&m->f);
        const double own = m->f.o->muscles[0].b[3].y - m->f.o->muscles[0].x[3].y;
        sag = k == 0 ? own : sag;
        CHECK_NEAR(own, rows[k].share * sag, 2e-3 * sag + 1e-12);
        run(m, 3);
        CHECK_NEAR(m->f.o->muscles[0].b[3].y - m->f.o->muscles[0].x[3].y, own, 1e-9);
        muscled_free(m);
    }
    CHECK_LT(0.001, sag);
}

TLW_TEST(all_of_m_reaches_the_tissue_and_the_output_is_drawn_with_it) {
    muscled* m = muscled_make();
    fixture plain = fixture_make(SMALL_INPUT_capsule, 3, 26, ORACLE_PRESET_DEFAULT);
    small_input_bend(&m->f.pose, vec(0, 60 * degree, 0));
    m->f.o->muscles[0].set_tension = 1;
    plain.pose = m->f.pose;
    fixture_settle(&m->f);
    fixture_settle(&plain);
    const uint32_t n = m->f.small->input.voxel_count;
    for (int step = 0; step < 360; ++step) {
        fixture_step(&m->f, H);
        fixture_step(&plain, H);
    }
    CHECK_LT(0.1, largest_m(m));
    for (uint32_t i = 0; i < n; ++i) {
        const oracle_vec p = vec_sub(m->f.o->p[i], m->f.o->m[i]);
        CHECK_LT(vec_length(vec_sub(p, plain.o->p[i])), 1e-9);
        const oracle_vec drawn = vec_sub(m->f.o->out_p[i], plain.o->out_p[i]);
        CHECK_LT(vec_length(vec_sub(drawn, m->f.o->m[i])), 1e-9);
        const oracle_vec delta = oracle_fit_voxel(m->f.o, i, 0).delta;
        CHECK_LT(vec_length(vec_sub(delta, vec_sub(m->f.o->p[i], plain.o->p_skin_prev[i]))), 1e-9);
    }
    fixture_free(&plain);
    muscled_free(m);
}

// Carried tissue keeps what it was off t, and is drawn at once with the m of the new pose.
TLW_TEST(a_jump_keeps_the_deviation_from_t_and_takes_m_of_the_new_pose) {
    muscled* m = muscled_make();
    const uint32_t n = m->f.small->input.voxel_count;
    oracle_vec* e = calloc(n, sizeof *e);
    CHECK(e != NULL);
    fixture_shake(&m->f, 9, 0.05);
    fixture_step(&m->f, 1.4 * H); // so that the output lies between substeps
    for (uint32_t i = 0; i < n; ++i) {
        e[i] = quat_unrotate(m->f.o->Rb[i], vec_sub(m->f.o->p[i], m->f.o->p_skin_prev[i]));
    }
    small_input_bend(&m->f.pose, vec(0, 60 * degree, 0));
    const oracle_pose pose = small_input_oracle_pose(&m->f.pose);
    CHECK(oracle_set_pose(m->f.o, &pose));
    CHECK_EQ(oracle_step(m->f.o, H, true) & ORACLE_JUMPED, ORACLE_JUMPED);
    CHECK_LT(0.1, largest_m(m));
    for (uint32_t i = 0; i < n; ++i) {
        const oracle_vec d = vec_sub(m->f.o->p[i], m->f.o->p_skin_prev[i]);
        CHECK_LT(vec_length(vec_sub(d, quat_rotate(m->f.o->Rb[i], e[i]))), 1e-12);
        const oracle_vec drawn = vec_sub(m->f.o->out_p[i], m->f.o->out_p_skin[i]);
        CHECK_LT(vec_length(vec_sub(drawn, vec_add(d, m->f.o->m[i]))), 1e-12);
    }
    free(e);
    muscled_free(m);
}

TLW_TEST(garbage_lines_come_back_and_those_that_are_not_finite_start_on_b) {
    muscled* m = muscled_make();
    uint64_t random = 11;
    for (int round = 0; round < 20; ++round) {
        double farthest = 0;
        m->f.pose = small_input_rest_pose(m->f.small);
        fixture_settle(&m->f);
        for (uint32_t i = 0; i < VERTICES; ++i) {
            m->f.o->muscles[0].x[i] = vec_add(m->f.o->muscles[0].x[i], random_vec(&random, 10));
            m->f.o->muscles[0].v[i] = random_vec(&random, 100);
        }
        for (int step = 0; step < 300; ++step) {
            fixture_step(&m->f, H);
            farthest = fmax(farthest, off_b(m));
        }
        CHECK_LT(farthest, 100.0);
        CHECK_LT(off_b(m), 1e-3);
    }
    m->f.o->muscles[0].x[2].y = HUGE_VAL;
    CHECK_EQ(fixture_step(&m->f, H), 0u);
    CHECK_EQ(off_b(m), 0.0);
    muscled_free(m);
}

static double random_between(uint64_t* random, double low, double high) {
    return low + (high - low) * (0.5 + 0.5 * random_unit(random));
}

// Springs of 0.1 to 100 Hz, stiffness ratios of 1 to 10,000.
TLW_TEST(garbage_lines_of_any_springs_stay_finite_and_near) {
    muscled* m = muscled_make();
    oracle_line_vertex kept[VERTICES];
    uint64_t random = 5;
    double farthest = 0;
    memcpy(kept, m->rest.vertices, sizeof kept);
    for (int round = 0; round < 200; ++round) {
        const double hz = pow(10, random_between(&random, -1, 2));
        for (uint32_t s = 0; s + 1 < VERTICES; ++s) {
            const double ratio = pow(10, random_between(&random, 0, 4));
            m->rest.vertices[s].ratio = hz * hz / 144 * ratio;
            m->rest.vertices[s].slack = kept[s].length * (1 - 0.5 / ratio);
        }
        fixture_settle(&m->f);
        for (uint32_t i = 0; i < VERTICES; ++i) {
            m->f.o->muscles[0].x[i] = vec_add(m->f.o->muscles[0].x[i], random_vec(&random, 10));
            m->f.o->muscles[0].v[i] = random_vec(&random, 100);
        }
        for (int step = 0; step < 10; ++step) {
            fixture_step(&m->f, H);
            farthest = fmax(farthest, off_b(m));
            for (uint32_t i = 0; i < VERTICES; ++i) {
                CHECK(vec_is_finite(m->f.o->muscles[0].x[i]));
            }
        }
    }
    printf("    as far as %.1f\n", farthest);
    CHECK_LT(farthest, 100);
    muscled_free(m);
}

// The biceps and the triceps of tools/motion/arm.c, with the capsule's joint 1 for an elbow: where
// a vertex is along the bones, 14 voxels above it and 13.5 below, and in front of their axis.
typedef struct arm_vertex {
    double along, front, radius;
    double lower; // weight of joint 1
    bool is_belly;
} arm_vertex;

static muscled* arm_make(const arm_vertex* from, uint32_t count) {
    muscled* m = calloc(1, sizeof *m);
    CHECK(m != NULL);
    m->f.small = small_input_make(SMALL_INPUT_capsule, 3, 26);
    m->rest.vertex_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        oracle_line_vertex* vertex = &m->rest.vertices[i];
        vertex->place = vec(2.5 + from[i].front, 2.5, 7 + from[i].along);
        vertex->radius = 1.83 * from[i].radius;
        vertex->is_belly = from[i].is_belly;
        vertex->joint[1] = 1;
        vertex->weight[0] = 1 - from[i].lower;
        vertex->weight[1] = from[i].lower;
    }
    small_muscle_finish(&m->rest);
    start(m, ORACLE_PRESET_DEFAULT);
    return m;
}

// Three curls of 1 s to 120 degrees. The triceps is 0.012 apart, but for the substep of each curl
// in which it comes off the sphere.
TLW_TEST(two_iterations_of_a_line_are_as_good_as_sixteen) {
    static const arm_vertex biceps[] = {{-14, 2.5, 0, 0, false},     {-11.2, 2.5, 0.8, 0, true},
                                        {-8.68, 2.5, 1, 0, true},    {-6.16, 2.5, 1, 0, true},
                                        {-3.64, 2.5, 0.75, 0, true}, {-1.4, 2.5, 0.3, 0, false},
                                        {1.62, 1.67, 0, 1, false}};
    static const arm_vertex triceps[] = {
        {-12.88, -2.5, 0, 0, false}, {-10.08, -2.5, 0.8, 0, true}, {-7.56, -2.5, 1, 0, true},
        {-5.04, -2.5, 1, 0, true},   {-2.52, -2.5, 0.75, 0, true}, {-1.4, -2.5, 0.3, 0, false},
        {0, -2.5, 0, 0.5, false},    {1.35, -2.5, 0, 1, false},    {2.7, -2.25, 0, 1, false}};
    for (int has_field = 0; has_field < 2; ++has_field) {
        muscled* both[2];
        double gap = 0, off = 0;
        int jolts = 0;
        for (int k = 0; k < 2; ++k) {
            both[k] = has_field ? arm_make(triceps, TLW_COUNT_OF(triceps))
                                : arm_make(biceps, TLW_COUNT_OF(biceps));
            if (has_field) {
                add_sphere(both[k], vec(2.5, 2.5, 7), 2.25, 1);
            }
        }
        const uint32_t count = both[0]->rest.vertex_count;
        both[1]->f.o->settings.line_iterations = 16;
        for (int step = 1; step <= 180; ++step) {
            const double angle = 60 * degree * (1 - cos(two_pi * step * H));
            for (int k = 0; k < 2; ++k) {
                both[k]->f.pose = small_input_rest_pose(both[k]->f.small);
                small_input_bend(&both[k]->f.pose, vec(0, angle, 0));
                fixture_step(&both[k]->f, H);
            }
            const oracle_muscle *two = both[0]->f.o->muscles, *many = both[1]->f.o->muscles;
            const double now = largest_difference(two->x, many->x, count);
            gap = fmax(gap, now);
            jolts += now > 0.06;
            off = fmax(off, largest_difference(two->x, two->b, count));
        }
        printf("    %s: %.1e, lines up to %.2f off b; %d substeps above 0.06\n",
               has_field ? "triceps" : "biceps", gap, off, jolts);
        CHECK_LT(0.3, off);
        CHECK_LT(gap, has_field ? 0.2 : 0.02);
        CHECK_LE(jolts, 3);
        muscled_free(both[0]);
        muscled_free(both[1]);
    }
}
