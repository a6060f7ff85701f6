// SPDX-License-Identifier: MIT
// Finds the kernels of an instruction set (MODEL 8).
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
