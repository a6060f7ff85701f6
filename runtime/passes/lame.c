// SPDX-License-Identifier: MIT
// Pass lame (MODEL 3.20).
#include "runtime/passes/kernels.h"
#include "runtime/passes/wide.h"

void TLW_KERNEL(tlw_stage_lame_hold)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    (void)substep, (void)first, (void)end;
}

void TLW_KERNEL(tlw_stage_lame_spare)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    (void)substep, (void)first, (void)end;
}

void TLW_KERNEL(tlw_stage_lame_begin)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    (void)substep, (void)first, (void)end;
}

void TLW_KERNEL(tlw_stage_lame_shear)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    (void)substep, (void)first, (void)end;
}

void TLW_KERNEL(tlw_stage_lame_divergence)(const tlw_substep* substep, uint32_t first,
                                           uint32_t end) {
    (void)substep, (void)first, (void)end;
}

void TLW_KERNEL(tlw_stage_lame_bulk)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    (void)substep, (void)first, (void)end;
}

void TLW_KERNEL(tlw_stage_lame_end)(const tlw_substep* substep, uint32_t first, uint32_t end) {
    (void)substep, (void)first, (void)end;
}
