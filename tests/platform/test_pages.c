// SPDX-License-Identifier: MIT
// Guard pages fault one byte beyond either end, and memory can be protected and opened again.
#define _POSIX_C_SOURCE 200809L
#include "platform/pages.h"
#include "tests/test.h"

#include <string.h>
#if TLW_OS_WINDOWS
#    define WIN32_LEAN_AND_MEAN
#    include <windows.h>
#else
#    include <unistd.h>
#endif

// Asks the system instead of provoking a fault: writing an unreadable address to a pipe gives
// EFAULT. (Not by ReadProcessMemory on Windows, because that of wine ignores the protection.)
static bool is_readable(const void* address) {
#if TLW_OS_WINDOWS
    MEMORY_BASIC_INFORMATION info;
    CHECK(VirtualQuery(address, &info, sizeof info) != 0);
    return info.State == MEM_COMMIT && info.Protect == PAGE_READWRITE;
#else
    int ends[2];
    CHECK_EQ(pipe(ends), 0);
    bool readable = write(ends[1], address, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return readable;
#endif
}

TLW_TEST(pages_fault_one_byte_beyond_either_end) {
    for (size_t bytes = 1; bytes < 3 * tlw_page_bytes(); bytes += 4000) {
        tlw_pages pages;
        CHECK_OK(tlw_pages_allocate(&pages, bytes));
        CHECK_LE(bytes, pages.bytes);
        CHECK_EQ(pages.bytes % tlw_page_bytes(), 0);
        CHECK(!is_readable(pages.base - 1));
        CHECK(is_readable(pages.base));
        CHECK(is_readable(pages.base + pages.bytes - 1));
        CHECK(!is_readable(pages.base + pages.bytes));
        for (size_t i = 0; i < pages.bytes; ++i) {
            CHECK_EQ(pages.base[i], 0);
        }
        memset(pages.base, 1, pages.bytes);
        tlw_pages_free(&pages);
    }
}

TLW_TEST(pages_place_a_block_at_the_end_guard_as_its_alignment_allows) {
    tlw_pages pages;
    CHECK_OK(tlw_pages_allocate(&pages, 5000));
    uint8_t* end = pages.base + pages.bytes;
    CHECK_EQ((uint8_t*)tlw_pages_at_end(&pages, 100, 1), end - 100);
    CHECK_EQ((uint8_t*)tlw_pages_at_end(&pages, 100, 64), end - 128);
    CHECK_EQ((uint8_t*)tlw_pages_at_end(&pages, pages.bytes, 64), pages.base);
    tlw_pages_free(&pages);
}

TLW_TEST(pages_can_be_closed_and_opened_again_with_their_content) {
    tlw_pages pages;
    CHECK_OK(tlw_pages_allocate(&pages, 1));
    pages.base[0] = 42;
    CHECK_OK(tlw_pages_protect(&pages, false));
    CHECK(!is_readable(pages.base));
    CHECK_OK(tlw_pages_protect(&pages, true));
    CHECK_EQ(pages.base[0], 42);
    tlw_pages_free(&pages);
    CHECK(pages.base == NULL);
}

TLW_TEST(pages_name_an_impossible_size) {
    tlw_pages pages;
    CHECK_RESULT(tlw_pages_allocate(&pages, SIZE_MAX), TLW_ERROR_OVERFLOW);
    CHECK_RESULT(tlw_pages_allocate(&pages, SIZE_MAX / 2), TLW_ERROR_OUT_OF_MEMORY);
}
