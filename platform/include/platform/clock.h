// SPDX-License-Identifier: MIT
// Time: a monotonic clock in nanoseconds, and the CPU's own counter, which is cheap to read, for
// profiling zones.
#ifndef TLW_PLATFORM_CLOCK_H
#define TLW_PLATFORM_CLOCK_H

#include "platform/base.h"

#if TLW_CPU_X64 && TLW_HAS_GNU_EXTENSIONS
#    include <x86intrin.h>
#elif TLW_CPU_X64
#    include <intrin.h>
#endif

TLW_EXTERN_C_BEGIN

// Never goes back. The start is arbitrary.
uint64_t tlw_clock_ns(void);

// The raw counter: TSC on x86, CNTVCT on ARM, the monotonic clock elsewhere. The read does not
// serialise the CPU, so it is meant for zones of a hundred nanoseconds and more.
TLW_FORCE_INLINE uint64_t tlw_cycles(void) {
#if TLW_CPU_X64
    return __rdtsc();
#elif TLW_CPU_ARM64 && TLW_HAS_GNU_EXTENSIONS
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return tlw_clock_ns();
#endif
}

// Converts counter values to nanoseconds of tlw_clock_ns. It is a value and not a global: code that
// measures with the counter calibrates once and keeps it.
typedef struct tlw_cycle_scale {
    uint64_t origin_cycles;
    uint64_t origin_ns;
    double ns_per_cycle;
} tlw_cycle_scale;

// Compares both clocks for about measure_ns. On ARM it reads the frequency register instead. 2 ms
// is accurate to better than 1 part in 1,000, and 20 ms to better than 1 in 10,000.
tlw_cycle_scale tlw_cycles_calibrate(uint64_t measure_ns);

// A better scale from the same origin, without measuring time. The longer ago the origin is, the
// more exact it gets.
tlw_cycle_scale tlw_cycles_recalibrate(tlw_cycle_scale scale);

TLW_INLINE double tlw_cycles_to_ns(tlw_cycle_scale scale, uint64_t cycles) {
    return (double)cycles * scale.ns_per_cycle;
}

// A counter value as a time of tlw_clock_ns.
TLW_INLINE uint64_t tlw_cycles_to_clock_ns(tlw_cycle_scale scale, uint64_t cycles) {
    double since = (double)(int64_t)(cycles - scale.origin_cycles) * scale.ns_per_cycle;
    return scale.origin_ns + (uint64_t)(int64_t)since;
}

// Whether the counter runs at the same rate in every power state and on every core. If not, zone
// times are in cycles of varying length, and tools say so.
bool tlw_cycles_are_steady(void);

TLW_EXTERN_C_END

#endif
