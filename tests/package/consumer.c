// SPDX-License-Identifier: MIT
// A C program that uses the installed runtime, jobs and kernels.
#include "platform/arena.h"
#include "profiling/profile.h"
#include "runtime/tallow.h"

#include <stdio.h>

#if defined(CONSUMER_HAS_KERNELS) // only with CMake: pkg-config cannot compile kernels
#    include "kernel.h"

static int run_kernels(void) {
    int wrong = 0;
#    define CONSUMER_RUN(enumerator, name)                        \
        if (tlw_isa_is_supported(enumerator)) {                   \
            float a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {1.0f}; \
            consumer_add_##name(a, b);                            \
            wrong += a[0] != 2.0f || a[7] != 8.0f;                \
        }
    TLW_KERNEL_TABLE(CONSUMER_RUN)
    return wrong;
}
#else
static int run_kernels(void) {
    return 0;
}
#endif

int main(void) {
    TLW_ZONE("consumer");
    static uint8_t memory[64];
    tlw_arena arena;
    tlw_version version = tlw_get_version();
    if (tlw_arena_init(&arena, "consumer", memory, sizeof memory) != TLW_OK ||
        tlw_arena_push(&arena, sizeof memory, 1) == NULL || run_kernels() != 0) {
        return 1;
    }
    tlw_arena_release(memory, sizeof memory);
    printf("C consumer of Tallow %u.%u.%u\n", version.major, version.minor, version.patch);
    return 0;
}
