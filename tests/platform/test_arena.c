// SPDX-License-Identifier: MIT
// The arena: marks, measuring, alignment, refusals and checked arithmetic. Memory lies between
// guard pages, so that one byte too many faults.
#include "platform/arena.h"
#include "platform/checked.h"
#include "platform/pages.h"
#include "tests/platform/captured_log.h"
#include "tests/test.h"

#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#    define IS_GUARDED true
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define IS_GUARDED true
#    endif
#endif
#if defined(IS_GUARDED)
#    include <sanitizer/asan_interface.h>
#else
#    define IS_GUARDED false
#endif

// Whether the address sanitizer would end the program if this byte was touched.
static bool is_guarded(const void* byte) {
#if IS_GUARDED
    return __asan_address_is_poisoned(byte);
#else
    (void)byte;
    return false;
#endif
}

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
    tlw_arena_release(memory, sizeof memory);
}

// The same pushes for measuring and for use: the measured bytes must be exactly those that are
// used.
static bool push_a_few(tlw_arena* arena, uint8_t** blocks, size_t* sizes) {
    static const struct {
        size_t bytes, alignment;
    } pushes[] = {{1, 1}, {24, 8}, {3, 2}, {100, 64}, {0, 16}, {7, 32}, {57, 1}};
    for (size_t i = 0; i < TLW_COUNT_OF(pushes); ++i) {
        blocks[i] = tlw_arena_push(arena, pushes[i].bytes, pushes[i].alignment);
        sizes[i] = pushes[i].bytes;
        if (blocks[i] == NULL) {
            return false;
        }
        CHECK_EQ((uintptr_t)blocks[i] % pushes[i].alignment, 0);
    }
    return true;
}

static size_t measured_bytes(void) {
    tlw_arena arena;
    uint8_t* blocks[8];
    size_t sizes[8];
    tlw_arena_init_measuring(&arena, "measuring");
    CHECK(push_a_few(&arena, blocks, sizes));
    return arena.high_water_bytes;
}

TLW_TEST(arena_fills_the_measured_bytes_between_guard_pages_and_not_one_more) {
    // The pushes above end on a multiple of 64: the start is aligned and the end touches the guard
    // page.
    const size_t bytes = measured_bytes();
    CHECK_EQ(bytes % 64, 0);
    tlw_pages pages;
    CHECK_OK(tlw_pages_allocate(&pages, bytes));
    uint8_t* starts[] = {tlw_pages_at_end(&pages, bytes, 64), pages.base};
    CHECK_EQ(starts[0] + bytes, pages.base + pages.bytes);
    for (size_t side = 0; side < 2; ++side) {
        tlw_arena arena;
        uint8_t* blocks[8];
        size_t sizes[8];
        CHECK_OK(tlw_arena_init(&arena, "guarded", starts[side], bytes));
        CHECK(push_a_few(&arena, blocks, sizes));
        for (size_t i = 0; i < 7; ++i) {
            memset(blocks[i], (int)i + 1, sizes[i]);
        }
        for (size_t i = 0; i < 7; ++i) {
            for (size_t k = 0; k < sizes[i]; ++k) {
                CHECK_EQ(blocks[i][k], i + 1);
            }
        }
        CHECK_EQ(arena.used_bytes, bytes);

        captured_log log;
        captured_log_begin(&log);
        CHECK_OK(tlw_arena_init(&arena, "one short", starts[side], bytes - 1));
        const bool fits = push_a_few(&arena, blocks, sizes);
        captured_log_end();
        CHECK(!fits);
        CHECK_EQ(arena.missing_bytes, 1);
        tlw_arena_release(starts[side], bytes);
    }
    tlw_pages_free(&pages);
}

TLW_TEST(
    arena_takes_n_bytes_right_aligned_at_a_guard_page_and_names_the_byte_that_n_minus_1_lacks) {
    for (size_t bytes = 1; bytes < 200; bytes += 13) {
        tlw_pages pages;
        CHECK_OK(tlw_pages_allocate(&pages, bytes));
        uint8_t* start = tlw_pages_at_end(&pages, bytes, 1);
        CHECK_EQ(start + bytes, pages.base + pages.bytes);
        tlw_arena arena;
        CHECK_OK(tlw_arena_init(&arena, "exact", start, bytes));
        uint8_t* block = tlw_arena_push(&arena, bytes, 1);
        CHECK_EQ(block, start);
        memset(block, 0xAB, bytes); // one byte further would fault

        captured_log log;
        captured_log_begin(&log);
        CHECK_OK(tlw_arena_init(&arena, "short", start, bytes - 1));
        void* refused = tlw_arena_push(&arena, bytes, 1);
        captured_log_end();
        CHECK(refused == NULL);
        CHECK_EQ(arena.missing_bytes, 1);
        CHECK_EQ(arena.failure_count, 1);
        CHECK_EQ(arena.used_bytes, 0);
        CHECK_EQ(log.count, 1);
        CHECK_CONTAINS(log.text, "arena 'short'");
        CHECK_CONTAINS(log.text, "1 missing");
        tlw_arena_release(start, bytes);
        tlw_pages_free(&pages);
    }
}

// Under the address sanitizer only what pushes have handed out may be touched, and after the
// release all of it again. In other builds nothing is checked, and all of it always.
TLW_TEST(arena_guards_what_it_has_not_handed_out_from_the_sanitizer) {
    static TLW_ALIGNAS(64) uint8_t memory[256];
    tlw_arena arena;
    CHECK_OK(tlw_arena_init(&arena, "guarded", memory, sizeof memory));
    CHECK_EQ(is_guarded(memory), IS_GUARDED);
    uint8_t* odd = tlw_arena_push(&arena, 13, 1);
    uint8_t* next = tlw_arena_push(&arena, 64, 64);
    CHECK_EQ(next, memory + 64);
    for (size_t i = 0; i < sizeof memory; ++i) {
        const bool is_handed_out = i < 13 || (i >= 64 && i < 128);
        CHECK_EQ(is_guarded(memory + i), IS_GUARDED && !is_handed_out);
    }
    memset(odd, 1, 13);
    memset(next, 1, 64);
    tlw_arena_rewind(&arena, 16);
    CHECK_EQ(is_guarded(memory + 12), false);
    CHECK_EQ(is_guarded(memory + 64), IS_GUARDED);
    CHECK_EQ(memory + 16, (uint8_t*)tlw_arena_push(&arena, 8, 1));
    CHECK_EQ(is_guarded(memory + 23), false);
    CHECK_EQ(is_guarded(memory + 24), IS_GUARDED);
    tlw_arena_release(memory, sizeof memory);
    for (size_t i = 0; i < sizeof memory; ++i) {
        CHECK(!is_guarded(memory + i));
    }
}

TLW_TEST(arena_counts_padding_among_the_missing_bytes) {
    TLW_ALIGNAS(64) uint8_t memory[128];
    captured_log log;
    captured_log_begin(&log);
    tlw_arena arena;
    CHECK_OK(tlw_arena_init(&arena, "padded", memory, 80));
    CHECK(tlw_arena_push(&arena, 1, 1) != NULL);
    CHECK(tlw_arena_push(&arena, 32, 64) == NULL); // needs 63 of padding + 32; only 79 are left
    captured_log_end();
    CHECK_EQ(arena.missing_bytes, 16);
    CHECK_EQ(arena.used_bytes, 1);
    CHECK(tlw_arena_push(&arena, 79, 1) != NULL);
    tlw_arena_release(memory, 80);
}

TLW_TEST(arena_refuses_sizes_that_overflow_and_alignments_that_are_no_power_of_two) {
    TLW_ALIGNAS(64) uint8_t memory[64];
    captured_log log;
    captured_log_begin(&log);
    tlw_arena arena;
    CHECK_OK(tlw_arena_init(&arena, "hostile", memory, sizeof memory));
    CHECK(tlw_arena_push(&arena, 1, 1) != NULL);
    CHECK(tlw_arena_push(&arena, SIZE_MAX, 1) == NULL);
    CHECK(tlw_arena_push(&arena, SIZE_MAX, 64) == NULL);
    CHECK(tlw_arena_push_array(&arena, SIZE_MAX / 2, 3, 1) == NULL);
    CHECK_EQ(arena.missing_bytes, SIZE_MAX);
    CHECK(tlw_arena_push(&arena, 1, 0) == NULL);
    CHECK(tlw_arena_push(&arena, 1, 3) == NULL);
    CHECK_CONTAINS(log.text, "alignment 3");
    CHECK_EQ(arena.failure_count, 5);
    CHECK_EQ(arena.used_bytes, 1);
    CHECK_RESULT(tlw_arena_init(&arena, "null", NULL, 1), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_arena_init(&arena, "wraps", memory, SIZE_MAX), TLW_ERROR_BAD_ARGUMENT);
    captured_log_end();
    tlw_arena_release(memory, sizeof memory);
}

TLW_TEST(checked_arithmetic_answers_false_exactly_where_the_true_result_does_not_fit) {
    static const size_t values[] = {
        0, 1, 2, 3, 5, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, SIZE_MAX / 3, SIZE_MAX / 2 + 1};
    for (size_t i = 0; i < TLW_COUNT_OF(values); ++i) {
        for (size_t k = 0; k < TLW_COUNT_OF(values); ++k) {
            size_t a = values[i], b = values[k], out = 77;
            bool fits = b <= SIZE_MAX - a;
            CHECK_EQ(tlw_add_size(a, b, &out), fits);
            CHECK_EQ(out, fits ? a + b : 77);
            out = 77;
            fits = a == 0 || b <= SIZE_MAX / a;
            CHECK_EQ(tlw_mul_size(a, b, &out), fits);
            CHECK_EQ(out, fits ? a * b : 77);
            uint64_t wide = 77;
            fits = a == 0 || b <= UINT64_MAX / a;
            CHECK_EQ(tlw_mul_u64(a, b, &wide), fits);
            wide = 77;
            CHECK_EQ(tlw_add_u64(a, b, &wide), b <= UINT64_MAX - a);
        }
    }
    size_t aligned = 0;
    CHECK(tlw_align_size(65, 64, &aligned));
    CHECK_EQ(aligned, 128);
    CHECK(tlw_align_size(128, 64, &aligned));
    CHECK_EQ(aligned, 128);
    CHECK(!tlw_align_size(SIZE_MAX, 64, &aligned));
    CHECK(!tlw_align_size(5, 12, &aligned));
    uint32_t narrow = 7;
    CHECK(!tlw_u32_from_u64((uint64_t)UINT32_MAX + 1, &narrow));
    CHECK_EQ(narrow, 7);
    CHECK(tlw_u32_from_u64(UINT32_MAX, &narrow));
    CHECK_EQ(narrow, UINT32_MAX);
}
