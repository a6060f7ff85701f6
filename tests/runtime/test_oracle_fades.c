// SPDX-License-Identifier: MIT
// Facts about the oracle's fades (MODEL 3.14) that were worked out by hand.
#include "tests/runtime/oracle/oracle_fixture.h"

#include <string.h>

// Two sets of materials; those of bone are not read.
typedef struct material_set {
    double ks[ORACLE_LAYERS], kd[ORACLE_LAYERS], anchors[ORACLE_LAYERS], limits[ORACLE_LAYERS];
} material_set;

static const material_set soft = {
    {0, 2, 0.03, 0.6}, {0, 0.4, 0.7, 0.65}, {0, 2, 2, 2}, {0, 1, 1, 1}};
static const material_set firm = {
    {0, 2.5, 0.3, 1.5}, {0, 0.3, 0.5, 0.5}, {0, 40, 40, 40}, {0, 0.5, 0.7, 0.3}};

static void use(oracle* o, const material_set* set) {
    o->settings.ks = set->ks;
    o->settings.kd = set->kd;
    o->settings.anchors = set->anchors;
    o->settings.limit_scales = set->limits;
}

static fixture soft_fixture(small_input_kind kind) {
    fixture f = fixture_make(kind, 3, 26, ORACLE_PRESET_DEFAULT);
    use(f.o, &soft);
    return f;
}

static void fade(oracle* o, const material_set* to, double seconds) {
    oracle_begin_fade(o, seconds);
    use(o, to);
}

// Gains of a material of `set`, without a fade.
static oracle_gains gains_of(fixture* f, const material_set* set, uint32_t voxel) {
    const oracle_settings before = f->o->settings;
    const bool was_fading = f->o->is_fading;
    use(f->o, set);
    f->o->is_fading = false;
    const oracle_gains gains = oracle_gains_of(f->o, voxel);
    f->o->settings = before;
    f->o->is_fading = was_fading;
    return gains;
}

static void check_between(const oracle_gains* now, const oracle_gains* from, const oracle_gains* to,
                          double left) {
    CHECK_NEAR(now->goal, to->goal + left * (from->goal - to->goal), 1e-12);
    CHECK_NEAR(now->anchor, to->anchor + left * (from->anchor - to->anchor), 1e-12);
    CHECK_NEAR(now->kept, to->kept + left * (from->kept - to->kept), 1e-12);
    CHECK_NEAR(now->limit, to->limit + left * (from->limit - to->limit), 1e-12);
}

// x_n = target + (x_0 - target) exp(-3 n h/seconds), and from the last substep on the target.
TLW_TEST(gains_follow_the_closed_form_and_end_exactly) {
    static const struct {
        double seconds;
        uint32_t substeps; // the first that ends at or after `seconds`
    } rows[] = {{0.5, 30}, {0.51, 31}, {0.1, 6}, {0.001, 1}};
    for (size_t k = 0; k < TLW_COUNT_OF(rows); ++k) {
        fixture f = soft_fixture(SMALL_INPUT_capsule);
        fixture_step(&f, H);
        fade(f.o, &firm, rows[k].seconds);
        for (uint32_t n = 1; n <= rows[k].substeps + 1; ++n) {
            CHECK_EQ(f.o->is_fading, n <= rows[k].substeps);
            fixture_dance(&f, n * H);
            fixture_step(&f, H);
            const double left = n >= rows[k].substeps ? 0 : exp(-3.0 * n * H / rows[k].seconds);
            for (uint32_t i = 0; i < f.small->input.voxel_count; ++i) {
                const oracle_gains from = gains_of(&f, &soft, i), to = gains_of(&f, &firm, i);
                check_between(&f.o->gains[i], &from, &to, left);
                if (left == 0) {
                    CHECK_EQ(memcmp(&f.o->gains[i], &to, sizeof to), 0);
                }
            }
        }
        fixture_free(&f);
    }
}

TLW_TEST(a_fade_of_no_time_is_a_change_of_materials) {
    fixture a = soft_fixture(SMALL_INPUT_capsule), b = soft_fixture(SMALL_INPUT_capsule);
    const uint32_t n = a.small->input.voxel_count;
    for (int k = 1; k <= 40; ++k) {
        fixture_dance(&a, k * H);
        fixture_dance(&b, k * H);
        if (k == 20) {
            fade(a.o, &firm, 0);
            use(b.o, &firm);
        }
        fixture_step(&a, H);
        fixture_step(&b, H);
        CHECK_EQ(largest_difference(a.o->p, b.o->p, n), 0.0);
        CHECK_EQ(largest_difference(a.o->v, b.o->v, n), 0.0);
    }
    fixture_free(&a);
    fixture_free(&b);
}

// The place that the next substep predicts does not depend on whether it fades: q = p + h v with
// the v that was there.
TLW_TEST(a_fade_leaves_velocities_alone) {
    fixture a = soft_fixture(SMALL_INPUT_capsule), b = soft_fixture(SMALL_INPUT_capsule);
    const uint32_t n = a.small->input.voxel_count;
    for (int k = 1; k <= 20; ++k) {
        fixture_dance(&a, k * H);
        fixture_dance(&b, k * H);
        if (k == 20) {
            fade(a.o, &firm, 0.05);
        }
        fixture_step(&a, H);
        fixture_step(&b, H);
    }
    CHECK_EQ(
        largest_difference(a.o->stage[ORACLE_STAGE_PREDICT], b.o->stage[ORACLE_STAGE_PREDICT], n),
        0.0);
    CHECK_LT(1e-3, largest_difference(a.o->p, b.o->p, n));
    // A switch divides v - v_skin by another share.
    use(b.o, &firm);
    fixture_step(&b, H);
    CHECK_EQ(b.o->share[0], 0.5);
    fixture_free(&a);
    fixture_free(&b);
}

TLW_TEST(another_fade_begins_where_gains_are) {
    fixture f = soft_fixture(SMALL_INPUT_capsule);
    fade(f.o, &firm, 0.5);
    for (int n = 0; n < 10; ++n) {
        fixture_step(&f, H);
    }
    const oracle_gains from = f.o->gains[0], to = gains_of(&f, &soft, 0);
    fade(f.o, &soft, 0.2);
    for (int n = 1; n < 12; ++n) {
        fixture_step(&f, H);
        check_between(&f.o->gains[0], &from, &to, exp(-3.0 * n * H / 0.2));
    }
    fixture_step(&f, H);
    CHECK_EQ(f.o->is_fading, false);
    fixture_free(&f);
}

TLW_TEST(carried_substeps_count_and_a_reset_ends_a_fade) {
    fixture f = soft_fixture(SMALL_INPUT_capsule);
    fade(f.o, &firm, 0.5);
    const oracle_gains from = gains_of(&f, &soft, 0), to = gains_of(&f, &firm, 0);
    const oracle_pose pose = small_input_oracle_pose(&f.pose);
    CHECK(oracle_set_pose(f.o, &pose));
    oracle_step(f.o, H, true);
    CHECK_EQ(f.o->carried_count, 1);
    check_between(&f.o->gains[0], &from, &to, exp(-3 * H / 0.5));
    oracle_reset(f.o);
    CHECK_EQ(f.o->is_fading, false);
    fixture_step(&f, H);
    CHECK_EQ(memcmp(&f.o->gains[0], &to, sizeof to), 0);
    fixture_free(&f);
}

TLW_TEST(a_fade_keeps_a_character_awake) {
    fixture f = soft_fixture(SMALL_INPUT_capsule);
    fade(f.o, &firm, 1);
    for (int n = 0; n < 59; ++n) {
        fixture_step(&f, H);
        CHECK_EQ(f.o->quiet_substeps, 0);
    }
    fixture_step(&f, H); // the last of the fade
    fixture_step(&f, H);
    CHECK_EQ(f.o->quiet_substeps, 2);
    fixture_free(&f);
}

// One mass on an anchor is a linear map of x = p - p_skin and its velocity u in every substep:
// x' = (1 - a)(x + h u), u' = K/max(1 - a, 1/2) (x' - x)/h. Its determinant is
// K (1 - a)/max(1 - a, 1/2), at most K, whatever 1 - a and K the fade has reached.
TLW_TEST(a_mass_on_an_anchor_that_fades_gains_no_energy) {
    fixture a = soft_fixture(SMALL_INPUT_single), b = soft_fixture(SMALL_INPUT_single);
    a.o->settings.is_limit_off = b.o->settings.is_limit_off = true;
    fixture_step(&a, H);
    fixture_step(&b, H);
    double largest = 0;
    for (int n = 0; n < 80; ++n) {
        if (n == 5 || n == 40) { // there, and back before it has arrived and after
            fade(a.o, n == 5 ? &firm : &soft, n == 5 ? 0.7 : 0.4);
            fade(b.o, n == 5 ? &firm : &soft, n == 5 ? 0.7 : 0.4);
        }
        a.o->p[0] = vec_add(a.o->p_skin_prev[0], vec(1, 0, 0));
        a.o->v[0] = a.o->v_skin[0];
        b.o->p[0] = b.o->p_skin_prev[0];
        b.o->v[0] = vec_add(b.o->v_skin[0], vec(1 / H, 0, 0));
        fixture_step(&a, H);
        fixture_step(&b, H);
        const oracle_vec x[2] = {vec_sub(a.o->p[0], a.o->p_skin_prev[0]),
                                 vec_sub(b.o->p[0], b.o->p_skin_prev[0])};
        const oracle_vec u[2] = {vec_sub(a.o->v[0], a.o->v_skin[0]),
                                 vec_sub(b.o->v[0], b.o->v_skin[0])};
        const double determinant = (x[0].x * u[1].x - x[1].x * u[0].x) * H;
        const oracle_gains* gains = &a.o->gains[0];
        CHECK_NEAR(determinant, gains->kept * gains->anchor / fmax(gains->anchor, 0.5), 1e-9);
        CHECK_LE(determinant, gains->kept + 1e-9);
        largest = fmax(largest, determinant);
    }
    CHECK_LT(largest, 0.95);
    fixture_free(&a);
    fixture_free(&b);
}
