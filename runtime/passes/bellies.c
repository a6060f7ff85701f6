// SPDX-License-Identifier: MIT
// Pass muscles, its stages over voxels (MODEL 3.19).
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

void TLW_KERNEL(tlw_stage_bellies)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    (void)substep, (void)first, (void)end;
}

void TLW_KERNEL(tlw_stage_stand)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    (void)substep, (void)first, (void)end;
}

void TLW_KERNEL(tlw_stage_seat)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    (void)substep, (void)first, (void)end;
}
