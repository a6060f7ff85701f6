// SPDX-License-Identifier: MIT
#include "tests/runtime/bodies.h"
#include "tests/test.h"

TLW_TEST(rest_stays) {
    test_body* b = body_make(BODY_capsule, 3, 26);
    body_pose pose = body_rest_pose(b);
    oracle_pose at = body_oracle_pose(&pose);
    oracle_settings settings = oracle_preset_settings(ORACLE_PRESET_DEFAULT);
    oracle* o = oracle_create(&b->body, &settings, &at);
    for (int k = 0; k < 60; ++k) {
        CHECK_EQ(oracle_step(o, 1.0 / 60, false), 0u);
    }
    CHECK_LT(oracle_largest_deviation(o), 1e-5);
    oracle_destroy(o);
    body_free(b);
}
