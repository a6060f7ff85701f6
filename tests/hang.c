// SPDX-License-Identifier: MIT
// A test that hangs on purpose: the watchdog of test.c must name it and end the process.
#include "platform/thread.h"
#include "tests/test.h"

TLW_TEST(a_test_that_ends_in_time) {
    CHECK_OK(TLW_OK);
}

TLW_TEST(a_test_that_hangs) {
    for (;;) {
        tlw_thread_sleep_ns(1000000);
    }
}
