// SPDX-License-Identifier: MIT
// Compiled by tallow_kernels() of the installed package, once per instruction set.
#include "kernel.h"

#include "platform/simd.h"

void TLW_KERNEL(consumer_add)(float* a, const float* b) {
    tlw_f8_store(a, tlw_f8_add(tlw_f8_load(a), tlw_f8_load(b)));
}
