// SPDX-License-Identifier: MIT
// Deltas of Chen et al. 2013 as anchors (RULES 8.8): known values, the way back by MODEL 3.14, and
// numbers that are no delta.
#include "tests/test.h"
#include "tools/cook/cook.h"

#include <float.h>
#include <math.h>

// Bit for bit: blobs must not depend on a machine's logarithm.
TLW_TEST(deltas_become_the_anchors_of_the_model) {
    static const struct {
        double delta;
        float anchor_hz;
    } cases[] = {{1.0, 0.0f},           {0.9, 0x1.8cc0cap+1f}, {0.874, 0x1.c09074p+1f},
                 {0.7, 0x1.6cfee2p+2f}, {0.5, 0x1.fcd1e4p+2f}, {0.2, 0x1.83aaacp+3f}};
    CHECK_NEAR(tlw_cook_anchor_of_delta(0.9), 3.10, 0.005);
    CHECK_NEAR(tlw_cook_anchor_of_delta(0.7), 5.70, 0.005);
    CHECK_NEAR(tlw_cook_anchor_of_delta(0.874), 3.5, 0.01);
    for (size_t i = 0; i < TLW_COUNT_OF(cases); ++i) {
        const float got = tlw_cook_anchor_of_delta(cases[i].delta);
        CHECK_BYTES(&got, &cases[i].anchor_hz, sizeof got);
    }
}

// The anchor leaves exp(-(2 pi f/60)^2) of a deviation, which is the delta again.
TLW_TEST(anchors_of_deltas_leave_the_delta_of_a_deviation) {
    const double radians = 2.0 * 3.14159265358979323846 / 60.0;
    float before = FLT_MAX;
    for (int i = 1; i <= 10000; ++i) {
        const double delta = i / 10000.0;
        const float anchor_hz = tlw_cook_anchor_of_delta(delta);
        const double angle = radians * (double)anchor_hz;
        CHECK_NEAR(exp(-angle * angle), delta, 2e-6 * delta);
        CHECK_LT(anchor_hz, before);
        before = anchor_hz;
    }
}

// Down to the smallest double, every anchor is one that a recipe may have.
TLW_TEST(anchors_of_tiny_deltas_follow_the_logarithm) {
    for (double delta = 0.7; delta > 0.0; delta *= 0.37) {
        const double want = 60.0 / (2.0 * 3.14159265358979323846) * sqrt(-log(delta));
        const double got = (double)tlw_cook_anchor_of_delta(delta);
        CHECK_NEAR(got, want, 1e-7 * want);
        CHECK_LT(got, 261.0);
    }
}

TLW_TEST(numbers_that_are_no_delta_keep_the_anchor) {
    static const double bad[] = {0.0, -0.0, -0.5, 1.0000001, 1e300, (double)INFINITY, (double)NAN};
    for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
        CHECK_EQ(tlw_cook_anchor_of_delta(bad[i]), (float)TLW_COOK_KEEP);
    }
}
