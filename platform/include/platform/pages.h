// SPDX-License-Identifier: MIT
// Virtual pages between two guard pages: an access one byte beyond either end faults. For tests,
// and for engines that want to protect their worlds in debug builds.
#ifndef TLW_PLATFORM_PAGES_H
#define TLW_PLATFORM_PAGES_H

#include "platform/base.h"
#include "platform/result.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_pages {
    uint8_t* base; // the first usable byte; the pages before and after the usable ones fault
    size_t bytes;  // a whole number of pages
} tlw_pages;

size_t tlw_page_bytes(void);

// At least `bytes`, zeroed. TLW_ERROR_OVERFLOW, or TLW_ERROR_OUT_OF_MEMORY.
tlw_result tlw_pages_allocate(tlw_pages* pages, size_t bytes);
void tlw_pages_free(tlw_pages* pages);

// The address at which a block of `bytes` must start so that it ends at the guard page after it, as
// closely as `alignment` allows. The block must fit.
void* tlw_pages_at_end(const tlw_pages* pages, size_t bytes, size_t alignment);

// Forbids or allows access to the usable pages.
tlw_result tlw_pages_protect(const tlw_pages* pages, bool is_accessible);

TLW_EXTERN_C_END

#endif
