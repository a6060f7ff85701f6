// SPDX-License-Identifier: MIT
// Pass contact (MODEL 3.15).
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

void TLW_KERNEL(tlw_stage_contact)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    (void)substep;
    (void)first;
    (void)end;
}
