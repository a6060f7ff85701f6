// SPDX-License-Identifier: MIT
// Names of instruction sets, and the questions to the CPU about what it supports.
#include "platform/isa.h"

#include <string.h>

#if TLW_CPU_X64
#    include <cpuid.h>
#endif

static const char* const isa_names[TLW_ISA_COUNT] = {
#define ISA_NAME(enumerator, name) #name,
    TLW_ISA_TABLE(ISA_NAME)
#undef ISA_NAME
};

const char* tlw_isa_name(tlw_isa isa) {
    return (unsigned)isa < TLW_ISA_COUNT ? isa_names[isa] : "unknown";
}

bool tlw_isa_from_name(const char* name, tlw_isa* out) {
    for (unsigned i = 0; i < TLW_ISA_COUNT; ++i) {
        if (strcmp(name, isa_names[i]) == 0) {
            *out = (tlw_isa)i;
            return true;
        }
    }
    return false;
}

#if TLW_CPU_X64
// Whether the CPU has AVX2 and the operating system saves the wide registers.
static bool has_avx2(void) {
    unsigned a, b, c, d;
    const unsigned osxsave_and_avx = (1u << 27) | (1u << 28);
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & osxsave_and_avx) != osxsave_and_avx) {
        return false;
    }
    unsigned saved_low, saved_high;
    __asm__ volatile("xgetbv" : "=a"(saved_low), "=d"(saved_high) : "c"(0));
    if ((saved_low & 6u) != 6u) {
        return false;
    }
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 5)) != 0;
}
#endif

bool tlw_isa_is_supported(tlw_isa isa) {
    switch (isa) {
    case TLW_ISA_SCALAR:
        return true;
    case TLW_ISA_SSE2:
        return TLW_CPU_X64;
#if TLW_CPU_X64
    case TLW_ISA_AVX2:
        return has_avx2();
#endif
    case TLW_ISA_NEON:
        return TLW_CPU_ARM64;
    default:
        return false;
    }
}

bool tlw_isa_is_built(tlw_isa isa) {
    static const bool is_built[TLW_ISA_COUNT] = {
#define ISA_BUILT(enumerator, name) [enumerator] = true,
        TLW_KERNEL_TABLE(ISA_BUILT)
#undef ISA_BUILT
    };
    return (unsigned)isa < TLW_ISA_COUNT && is_built[isa];
}

tlw_isa tlw_isa_best(void) {
    tlw_isa best = TLW_ISA_COUNT;
    for (unsigned i = 0; i < TLW_ISA_COUNT; ++i) {
        if (tlw_isa_is_built((tlw_isa)i) && tlw_isa_is_supported((tlw_isa)i)) {
            best = (tlw_isa)i;
        }
    }
    return best;
}
