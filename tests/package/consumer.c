// SPDX-License-Identifier: MIT
#include "platform/arena.h"
#include "runtime/tallow.h"

#include <stdio.h>

int main(void) {
    static uint8_t memory[64];
    tlw_arena arena;
    tlw_version version = tlw_get_version();
    if (tlw_arena_init(&arena, "consumer", memory, sizeof memory) != TLW_OK ||
        tlw_arena_push(&arena, sizeof memory, 1) == NULL) {
        return 1;
    }
    printf("C consumer of Tallow %u.%u.%u\n", version.major, version.minor, version.patch);
    return 0;
}
