// SPDX-License-Identifier: MIT
// The float control word: results promise the same bits, so a task rounds to nearest with denormals
// on and exceptions masked, whatever its thread was set to, and puts the caller's word back.
#ifndef TLW_PLATFORM_FPU_H
#define TLW_PLATFORM_FPU_H

#include "platform/base.h"

#if TLW_CPU_X64
#    include <xmmintrin.h>
#endif

typedef struct tlw_float_control {
    uint64_t word;
} tlw_float_control;

// Sets ours; returns what was there, for tlw_float_control_restore.
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

// Ours until the block is left.
#define TLW_FLOAT_SCOPE()                                       \
    __attribute__((cleanup(tlw_float_control_restore), unused)) \
    const tlw_float_control tlw_float_scope_ = tlw_float_control_set()

#endif
