// SPDX-License-Identifier: MIT
// Which kernels an instruction set has, and the table of passes by name.
#include "runtime/passes.h"
#include "runtime/passes/kernels.h"

#define DECLARE(isa, name) extern const tlw_kernels tlw_kernels_##name;
TLW_KERNEL_TABLE(DECLARE)
#undef DECLARE

const tlw_kernels* tlw_kernels_of(tlw_isa isa) {
    switch (isa) {
#define KERNELS(isa, name) \
    case isa:              \
        return &tlw_kernels_##name;
        TLW_KERNEL_TABLE(KERNELS)
#undef KERNELS
    default:
        return NULL;
    }
}

static const char* const pass_names[TLW_PASS_COUNT] = {
#define NAME(name, text, colour, meaning) text,
    TLW_PASS_TABLE(NAME)
#undef NAME
};

const char* tlw_pass_name(tlw_pass pass) {
    return (uint32_t)pass < TLW_PASS_COUNT ? pass_names[pass] : "unknown";
}

uint32_t tlw_pass_colour(tlw_pass pass) {
    static const uint32_t colours[TLW_PASS_COUNT] = {
#define COLOUR(name, text, colour, meaning) colour,
        TLW_PASS_TABLE(COLOUR)
#undef COLOUR
    };
    return (uint32_t)pass < TLW_PASS_COUNT ? colours[pass] : 0;
}
