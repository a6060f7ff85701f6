// SPDX-License-Identifier: MIT
// The clock never goes back, agrees with sleeping and with the calibrated cycle counter.
#include "platform/clock.h"
#include "platform/thread.h"
#include "tests/test.h"

TLW_TEST(clock_never_goes_back) {
    uint64_t last = tlw_clock_ns();
    for (int i = 0; i < 100000; ++i) {
        uint64_t now = tlw_clock_ns();
        CHECK_LE(last, now);
        last = now;
    }
}

TLW_TEST(clock_and_sleep_agree) {
    uint64_t start = tlw_clock_ns();
    tlw_thread_sleep_ns(20000000);
    uint64_t slept = tlw_clock_ns() - start;
    // The shortest is promised; a busy machine may sleep longer. Windows timers end up to a tick
    // early.
    CHECK_LE(TLW_OS_WINDOWS ? 10000000u : 20000000u, slept);
}

TLW_TEST(cycle_counter_agrees_with_the_clock_once_calibrated) {
    tlw_cycle_scale scale = tlw_cycles_calibrate(20000000);
    CHECK_LT(0.0, scale.ns_per_cycle);
    // The best of a few: another process can run between the reads of the two clocks.
    double worst_best = 1e9;
    for (int i = 0; i < 10; ++i) {
        uint64_t ns = tlw_clock_ns(), cycles = tlw_cycles();
        tlw_thread_sleep_ns(5000000);
        uint64_t cycles_spent = tlw_cycles() - cycles, ns_spent = tlw_clock_ns() - ns;
        double error = tlw_cycles_to_ns(scale, cycles_spent) / (double)ns_spent - 1.0;
        error = error < 0 ? -error : error;
        worst_best = error < worst_best ? error : worst_best;
    }
    CHECK_LT(worst_best, 0.01);
    uint64_t now = tlw_clock_ns();
    uint64_t same = tlw_cycles_to_clock_ns(scale, tlw_cycles());
    double apart = (double)same - (double)now;
    CHECK_NEAR(apart, 0.0, 50e6);
    tlw_cycle_scale better = tlw_cycles_recalibrate(scale);
    CHECK_EQ(better.origin_cycles, scale.origin_cycles);
    CHECK_NEAR(better.ns_per_cycle / scale.ns_per_cycle, 1.0, 0.01);
}

TLW_TEST(counter_values_before_the_origin_become_earlier_times) {
    tlw_cycle_scale scale = {.origin_cycles = 1000, .origin_ns = 5000, .ns_per_cycle = 2.0};
    CHECK_EQ(tlw_cycles_to_clock_ns(scale, 1100), 5200);
    CHECK_EQ(tlw_cycles_to_clock_ns(scale, 900), 4800);
}
