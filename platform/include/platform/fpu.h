// SPDX-License-Identifier: MIT
// The floating-point control word. Results have the same bits everywhere (MODEL 8), so each task
// sets rounding to nearest, denormals on and exceptions masked, whatever its thread was set to, and
// restores the caller's word afterwards.
#ifndef TLW_PLATFORM_FPU_H
#define TLW_PLATFORM_FPU_H

#include "platform/base.h"

#if TLW_CPU_X64
#    include <xmmintrin.h>
#endif

typedef struct tlw_float_control {
    uint64_t word;
} tlw_float_control;

// Sets our control word and returns the one before, for tlw_float_control_restore.
TLW_INLINE tlw_float_control tlw_float_control_set(void) {
    tlw_float_control last = {0};
#if TLW_CPU_X64
    last.word = _mm_getcsr();
    if (last.word != 0x1F80u) {
        _mm_setcsr(0x1F80u);
    }
#elif TLW_CPU_ARM64
    __asm__ volatile("mrs %0, fpcr" : "=r"(last.word));
    if (last.word != 0) {
        __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    }
#endif
    return last;
}

TLW_INLINE void tlw_float_control_restore(const tlw_float_control* last) {
#if TLW_CPU_X64
    _mm_setcsr((unsigned)last->word);
#elif TLW_CPU_ARM64
    __asm__ volatile("msr fpcr, %0" : : "r"(last->word));
#else
    (void)last;
#endif
}

// Sets our control word until the block is left.
#define TLW_FLOAT_SCOPE()                                       \
    __attribute__((cleanup(tlw_float_control_restore), unused)) \
    const tlw_float_control tlw_float_scope_ = tlw_float_control_set()

#endif
