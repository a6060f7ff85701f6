// SPDX-License-Identifier: MIT
// Loads and stores beside guard pages: an operation touches exactly the bytes that its contract
// names, and none on either side.
#define _GNU_SOURCE
#include "platform/pages.h"
#include "platform/result.h"
#include "tests/platform/simd/simd_kernels.h"
#include "tests/test.h"

#include <string.h>

#if !TLW_OS_WINDOWS
#    include <setjmp.h>
#    include <signal.h>
#endif

// Pages that may be touched, between two that may not. On Windows a fault is not caught: it ends
// the process, which fails the test too.
typedef struct guarded_page {
    tlw_pages pages;
    char* start;
    char* end;
#if !TLW_OS_WINDOWS
    struct sigaction old_segv, old_bus;
#endif
} guarded_page;

#if !TLW_OS_WINDOWS
static sigjmp_buf before_fault;

static void on_fault(int number) {
    (void)number;
    siglongjmp(before_fault, 1);
}
#endif

static guarded_page guard(void) {
    guarded_page page;
    memset(&page, 0, sizeof page);
    CHECK_OK(tlw_pages_allocate(&page.pages, tlw_page_bytes()));
    page.start = (char*)page.pages.base;
    page.end = page.start + page.pages.bytes;
#if !TLW_OS_WINDOWS
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_fault;
    sigaction(SIGSEGV, &action, &page.old_segv);
    sigaction(SIGBUS, &action, &page.old_bus);
#endif
    return page;
}

static void unguard(guarded_page* page) {
#if !TLW_OS_WINDOWS
    sigaction(SIGSEGV, &page->old_segv, NULL);
    sigaction(SIGBUS, &page->old_bus, NULL);
#endif
    tlw_pages_free(&page->pages);
}

static const tlw_simd_operation* find(const tlw_simd_backend* backend, const char* name) {
    for (size_t i = 0; i < backend->operation_count; ++i) {
        if (strcmp(backend->operations[i].name, name) == 0) {
            return &backend->operations[i];
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "no operation %s", name);
}

static bool faults(const tlw_simd_operation* operation, tlw_simd_call* call) {
#if !TLW_OS_WINDOWS
    if (sigsetjmp(before_fault, 1) != 0) {
        return true;
    }
#endif
    operation->run(call);
    return false;
}

static void must_not_fault(const tlw_simd_backend* backend, const char* name, char* at, int lanes,
                           uint32_t mask_bits) {
    tlw_simd_call call;
    memset(&call, 0, sizeof call);
    call.count = lanes;
    call.memory = at;
    const tlw_simd_operation* operation = find(backend, name);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 8 && strcmp(operation->arguments[k], "m8") == 0; ++i) {
            call.in[k][i] = (mask_bits >> i & 1) != 0 ? ~0u : 0;
        }
    }
    if (faults(operation, &call)) {
        tlw_test_fail(__FILE__, __LINE__, "%s%s of %d lanes, mask %02x, touches a guard page", name,
                      backend->name, lanes, mask_bits);
    }
}

TLW_TEST(partial_loads_and_stores_stay_off_the_guard_pages) {
    static const char* const counted[] = {"tlw_f8_load_first", "tlw_i8_load_first",
                                          "tlw_f8_store_first", "tlw_i8_store_first"};
    static const char* const masked[] = {"tlw_f8_load_masked", "tlw_f8_store_masked",
                                         "tlw_i8_store_masked"};
    guarded_page page = guard();
    for (size_t b = 0; tlw_simd_backend_at(b); ++b) {
        const tlw_simd_backend* backend = tlw_simd_backend_at(b);
        for (size_t k = 0; k < TLW_COUNT_OF(counted); ++k) {
            for (int lanes = 0; lanes <= 8; ++lanes) {
                must_not_fault(backend, counted[k], page.end - 4 * lanes, lanes, 0);
                must_not_fault(backend, counted[k], page.start, lanes, 0);
            }
        }
        for (size_t k = 0; k < TLW_COUNT_OF(masked); ++k) {
            for (uint32_t bits = 0; bits < 256; ++bits) {
                int first = 0, last = 7;
                while (first < 8 && (bits >> first & 1) == 0) {
                    first += 1;
                }
                while (last >= 0 && (bits >> last & 1) == 0) {
                    last -= 1;
                }
                must_not_fault(backend, masked[k], page.start - 4 * first, 0, bits);
                must_not_fault(backend, masked[k], page.end - 4 * (last + 1), 0, bits);
            }
        }
    }
    unguard(&page);
}

TLW_TEST(whole_loads_and_stores_stay_off_the_guard_pages) {
    static const struct {
        const char* name;
        int bytes;
    } whole[] = {
        {"tlw_f8_load", 32},     {"tlw_i8_load", 32},     {"tlw_f8_store", 32},
        {"tlw_i8_store", 32},    {"tlw_i8_load_u8", 8},   {"tlw_i8_load_s8", 8},
        {"tlw_i8_load_u16", 16}, {"tlw_i8_load_s16", 16}, {"tlw_i8_store_u16", 16},
        {"tlw_f8x3_load", 96},   {"tlw_f8x3_store", 96},  {"tlw_f8x4_load", 128},
        {"tlw_f8x4_store", 128}, {"tlw_f8_gather", 4},    {"tlw_f8x4_store_sums", 16},
    };
    guarded_page page = guard();
    for (size_t b = 0; tlw_simd_backend_at(b); ++b) {
        for (size_t k = 0; k < TLW_COUNT_OF(whole); ++k) {
            must_not_fault(tlw_simd_backend_at(b), whole[k].name, page.start, 0, 0);
            must_not_fault(tlw_simd_backend_at(b), whole[k].name, page.end - whole[k].bytes, 0, 0);
        }
    }
    unguard(&page);
}

TLW_TEST(guard_pages_catch_one_float_beyond) {
    if (TLW_OS_WINDOWS) {
        tlw_test_skip(__FILE__, __LINE__, "a fault is not caught on Windows");
    }
    guarded_page page = guard();
    for (size_t b = 0; tlw_simd_backend_at(b); ++b) {
        const tlw_simd_backend* backend = tlw_simd_backend_at(b);
        tlw_simd_call call;
        memset(&call, 0, sizeof call);
        call.memory = page.end - 28;
        CHECK(faults(find(backend, "tlw_f8_load"), &call));
        call.memory = page.start - 4;
        CHECK(faults(find(backend, "tlw_f8_store"), &call));
        call.count = 3;
        call.memory = page.end - 8;
        CHECK(faults(find(backend, "tlw_f8_load_first"), &call));
        CHECK(faults(find(backend, "tlw_f8_store_first"), &call));
    }
    unguard(&page);
}
