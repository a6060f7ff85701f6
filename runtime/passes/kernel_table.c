// SPDX-License-Identifier: MIT
// The stage table as data, and the kernels of an instruction set (MODEL 3.1, 8).
#include "runtime/passes/kernels.h"

const tlw_stage_info tlw_stages[TLW_STAGE_COUNT] = {
#define STAGE(name, pass, phase, only, items, reads_neighbours, writes) \
    {#name,           TLW_PASS_##pass,   TLW_PHASE_##phase,             \
     TLW_ONLY_##only, TLW_ITEMS_##items, reads_neighbours,              \
     writes},
    TLW_STAGE_TABLE(STAGE)
#undef STAGE
};

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
