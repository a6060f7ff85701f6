// SPDX-License-Identifier: MIT
// The monotonic clock of each system, and the calibration of the CPU's counter against it.
#define _POSIX_C_SOURCE 200809L
#include "platform/clock.h"

#if TLW_OS_WINDOWS
#    define WIN32_LEAN_AND_MEAN
#    include <windows.h>
#else
#    include <time.h>
#endif
#if TLW_CPU_X64
#    include <cpuid.h>
#endif

#if TLW_OS_WINDOWS
uint64_t tlw_clock_ns(void) {
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    // Split, because count * 1e9 would overflow after half an hour.
    uint64_t c = (uint64_t)count.QuadPart, f = (uint64_t)frequency.QuadPart;
    return c / f * 1000000000u + c % f * 1000000000u / f;
}
#else
uint64_t tlw_clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#endif

// Reads both clocks at one moment. Takes the closest of eight tries, because an interrupt can come
// between two reads.
static void read_both(uint64_t* cycles, uint64_t* ns) {
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 8; ++i) {
        uint64_t before = tlw_clock_ns();
        uint64_t c = tlw_cycles();
        uint64_t after = tlw_clock_ns();
        if (after - before < best) {
            best = after - before;
            *cycles = c;
            *ns = before + (after - before) / 2;
        }
    }
}

tlw_cycle_scale tlw_cycles_recalibrate(tlw_cycle_scale scale) {
    uint64_t cycles = scale.origin_cycles, ns = scale.origin_ns;
    read_both(&cycles, &ns);
    if (cycles > scale.origin_cycles && ns > scale.origin_ns) {
        scale.ns_per_cycle =
            (double)(ns - scale.origin_ns) / (double)(cycles - scale.origin_cycles);
    }
    return scale;
}

tlw_cycle_scale tlw_cycles_calibrate(uint64_t measure_ns) {
    tlw_cycle_scale scale = {.ns_per_cycle = 1.0};
    read_both(&scale.origin_cycles, &scale.origin_ns);
#if TLW_CPU_ARM64
    (void)measure_ns;
    uint64_t frequency;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    if (frequency != 0) {
        scale.ns_per_cycle = 1e9 / (double)frequency;
    }
    return scale;
#else
    while (tlw_clock_ns() - scale.origin_ns < measure_ns) {
    }
    return tlw_cycles_recalibrate(scale);
#endif
}

bool tlw_cycles_are_steady(void) {
#if TLW_CPU_X64
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
#else
    return true;
#endif
}
