// SPDX-License-Identifier: MIT
// Private to runtime: the lengths of the bends, from what the stages of pass bends measured
// (MODEL 3.12).
#ifndef TLW_RUNTIME_STEP_BENDS_H
#define TLW_RUNTIME_STEP_BENDS_H

#include "runtime/passes/kernels.h"

TLW_EXTERN_C_BEGIN

// Doubles that the solver needs.
TLW_INLINE size_t tlw_bend_work(const tlw_blob_arrays* blob) {
    return (size_t)blob->bend_count * 6 + blob->bend_pair_count;
}

// Reads bend_sums and couple_sums of the substep; writes lengths.
void tlw_solve_bends(const tlw_substep* substep);

TLW_EXTERN_C_END

#endif
