// SPDX-License-Identifier: MIT
// Time: a monotonic clock in nanoseconds, and the CPU's own counter for zones that must cost
// little.
#ifndef TLW_PLATFORM_CLOCK_H
#define TLW_PLATFORM_CLOCK_H

#include "platform/base.h"

#if TLW_CPU_X64 && TLW_HAS_GNU_EXTENSIONS
#    include <x86intrin.h>
#elif TLW_CPU_X64
#    include <intrin.h>
#endif

TLW_EXTERN_C_BEGIN

// Never goes back; starts anywhere.
uint64_t tlw_clock_ns(void);

// The raw counter: TSC on x86, CNTVCT on ARM, the monotonic clock elsewhere. Not serialising: it is
// meant for zones of a hundred nanoseconds and more.
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

// How counter values become nanoseconds of tlw_clock_ns. A value, not a global: whoever measures
// with the counter calibrates once and keeps it.
typedef struct tlw_cycle_scale {
    uint64_t origin_cycles;
    uint64_t origin_ns;
    double ns_per_cycle;
} tlw_cycle_scale;

// Compares both clocks over about measure_ns; reads the frequency register instead where the CPU
// has one (ARM). 2 ms gives better than 1 part in 1,000; 20 ms better than 1 in 10,000.
tlw_cycle_scale tlw_cycles_calibrate(uint64_t measure_ns);

// A better scale from the same origin, for free: the longer ago the origin, the more exact.
tlw_cycle_scale tlw_cycles_recalibrate(tlw_cycle_scale scale);

TLW_INLINE double tlw_cycles_to_ns(tlw_cycle_scale scale, uint64_t cycles) {
    return (double)cycles * scale.ns_per_cycle;
}

// A counter value as a time of tlw_clock_ns.
TLW_INLINE uint64_t tlw_cycles_to_clock_ns(tlw_cycle_scale scale, uint64_t cycles) {
    double since = (double)(int64_t)(cycles - scale.origin_cycles) * scale.ns_per_cycle;
    return scale.origin_ns + (uint64_t)(int64_t)since;
}

// Whether the counter runs at one rate in every power state and on every core. Without it, zone
// times are cycles of a varying length: tools say so.
bool tlw_cycles_are_steady(void);

TLW_EXTERN_C_END

#endif
