// SPDX-License-Identifier: MIT
// Fuzzes the arena with sequences of pushes, marks and rewinds: every block must lie inside the
// memory, be aligned and overlap no live block, and a push must be refused exactly when it does not
// fit.
#include "platform/arena.h"
#include "platform/handlers.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void ignore_log(tlw_log_level level, const char* text, void* user) {
    (void)level;
    (void)text;
    (void)user;
}

static void require(bool condition) {
    if (!condition) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static TLW_ALIGNAS(64) uint8_t memory[1024];
    static uint8_t owner[sizeof memory]; // which push owns a byte; the oracle
    tlw_arena_mark marks[16];
    size_t mark_count = 0, offset = size > 0 ? data[0] % 64u : 0;
    size_t capacity = sizeof memory - offset;
    tlw_arena arena;
    tlw_set_log_handler(ignore_log, NULL);
    memset(owner, 0, sizeof owner);
    require(tlw_arena_init(&arena, "fuzz", memory + offset, capacity) == TLW_OK);
    size_t top = 0;
    for (size_t i = 1; i + 2 < size; i += 3) {
        switch (data[i] % 4) {
        case 0:
        case 1: {
            size_t alignment = (size_t)1 << data[i + 1] % 7;
            size_t bytes = data[i] & 64 ? SIZE_MAX - data[i + 2] : data[i + 2];
            size_t start = top;
            while (((uintptr_t)(memory + offset) + start) % alignment != 0) {
                start += 1;
            }
            bool fits = start <= capacity && bytes <= capacity - start;
            uint8_t* block = tlw_arena_push(&arena, bytes, alignment);
            require((block != NULL) == fits);
            if (!fits) {
                require(arena.missing_bytes > 0 && arena.used_bytes == top);
                break;
            }
            require(block == memory + offset + start);
            for (size_t k = 0; k < bytes; ++k) {
                require(owner[offset + start + k] == 0);
                owner[offset + start + k] = 1;
            }
            memset(block, 0xCD, bytes);
            top = start + bytes;
            break;
        }
        case 2:
            if (mark_count < TLW_COUNT_OF(marks)) {
                marks[mark_count++] = tlw_arena_get_mark(&arena);
            }
            break;
        default:
            if (mark_count > 0) {
                top = marks[--mark_count];
                tlw_arena_rewind(&arena, top);
                memset(owner + offset + top, 0, capacity - top);
            }
        }
        require(arena.used_bytes == top && arena.high_water_bytes >= top);
    }
    tlw_arena_release(memory + offset, capacity);
    return 0;
}
