// SPDX-License-Identifier: MIT
// The counters of the counting backend. tallow_kernels_for_isa(target count ...) links this file.
// It is in none of the archives, because their only globals are the assert and log handlers.
#include "platform/simd_count.h"

__thread tlw_simd_counts tlw_simd_count;
