// SPDX-License-Identifier: MIT
#include "platform/arena.h"
#include "tests/test.h"

TLW_TEST(arena_rewinds_to_a_mark_and_keeps_its_high_water) {
    TLW_ALIGNAS(64) uint8_t memory[256];
    tlw_arena arena;
    CHECK_OK(tlw_arena_init(&arena, "test", memory, sizeof memory));
    CHECK(TLW_ARENA_PUSH(&arena, uint32_t, 4) != NULL);
    tlw_arena_mark mark = tlw_arena_get_mark(&arena);
    void* first = tlw_arena_push(&arena, 100, 16);
    tlw_arena_rewind(&arena, mark);
    CHECK_EQ(tlw_arena_push(&arena, 50, 16), first);
    CHECK_EQ(arena.used_bytes, 66);
    CHECK_EQ(arena.high_water_bytes, 116);
}
