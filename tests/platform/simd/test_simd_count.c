// SPDX-License-Identifier: MIT
// The counting backend counts the operations and bytes of a kernel; a partial load counts only what
// it reads.
#include "platform/simd_count.h"
#include "tests/platform/simd/simd_kernels.h"
#include "tests/test.h"

#include <string.h>

TLW_TEST(count_backend_counts_the_work_of_a_kernel) {
    TLW_ALIGNAS(32) static float a[16], b[16], out[16];
    memset(&tlw_simd_count, 0, sizeof tlw_simd_count);
    tlw_simd_backend_of_count.sample(a, b, out, 16);
    CHECK_EQ(tlw_simd_count.flops, 2 * 4 * 8); // mul, add, sqrt, compare
    CHECK_EQ(tlw_simd_count.divides, 2 * 8);
    CHECK_EQ(tlw_simd_count.others, 2 * 8); // select
    CHECK_EQ(tlw_simd_count.bytes_loaded, 2 * 64);
    CHECK_EQ(tlw_simd_count.bytes_stored, 2 * 32);
}

TLW_TEST(count_backend_counts_the_bytes_of_partial_lanes) {
    static float memory[8];
    tlw_simd_call call;
    memset(&call, 0, sizeof call);
    call.memory = memory;
    call.count = 3;
    call.in[2][1] = call.in[2][6] = ~0u;
    memset(&tlw_simd_count, 0, sizeof tlw_simd_count);
    for (size_t i = 0; i < tlw_simd_backend_of_count.operation_count; ++i) {
        const tlw_simd_operation* operation = &tlw_simd_backend_of_count.operations[i];
        if (strcmp(operation->name, "tlw_f8_load_first") == 0 ||
            strcmp(operation->name, "tlw_f8_store_masked") == 0) {
            operation->run(&call);
        }
    }
    CHECK_EQ(tlw_simd_count.bytes_loaded, 3 * 4);
    CHECK_EQ(tlw_simd_count.bytes_stored, 2 * 4);
    CHECK_EQ(tlw_simd_count.flops, 0);
}
