// SPDX-License-Identifier: MIT
// Pages with guard pages, by mmap or VirtualAlloc.
#define _DEFAULT_SOURCE
#include "platform/pages.h"

#include "platform/checked.h"
#include "platform/handlers.h"

#if TLW_OS_WINDOWS
#    define WIN32_LEAN_AND_MEAN
#    include <windows.h>
#else
#    include <sys/mman.h>
#    include <unistd.h>
#endif

#if TLW_OS_WINDOWS
size_t tlw_page_bytes(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

static void* reserve(size_t bytes) {
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
}

static void release(void* address, size_t bytes) {
    (void)bytes;
    VirtualFree(address, 0, MEM_RELEASE);
}

static bool protect(void* address, size_t bytes, bool is_accessible) {
    DWORD old;
    return VirtualProtect(address, bytes, is_accessible ? PAGE_READWRITE : PAGE_NOACCESS, &old) !=
           0;
}
#else
size_t tlw_page_bytes(void) {
    long bytes = sysconf(_SC_PAGESIZE);
    return bytes > 0 ? (size_t)bytes : 4096;
}

static void* reserve(size_t bytes) {
    void* address = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return address == MAP_FAILED ? NULL : address;
}

static void release(void* address, size_t bytes) {
    munmap(address, bytes);
}

static bool protect(void* address, size_t bytes, bool is_accessible) {
    return mprotect(address, bytes, is_accessible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}
#endif

tlw_result tlw_pages_allocate(tlw_pages* pages, size_t bytes) {
    TLW_ASSERT(pages != NULL);
    *pages = (tlw_pages){0};
    size_t page = tlw_page_bytes(), usable, all;
    if (!tlw_align_size(bytes ? bytes : 1, page, &usable) ||
        !tlw_add_size(usable, 2 * page, &all)) {
        return TLW_ERROR_OVERFLOW;
    }
    uint8_t* reserved = reserve(all);
    if (reserved == NULL) {
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    if (!protect(reserved + page, usable, true)) {
        release(reserved, all);
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    *pages = (tlw_pages){.base = reserved + page, .bytes = usable};
    return TLW_OK;
}

void tlw_pages_free(tlw_pages* pages) {
    TLW_ASSERT(pages != NULL);
    if (pages->base) {
        size_t page = tlw_page_bytes();
        release(pages->base - page, pages->bytes + 2 * page);
    }
    *pages = (tlw_pages){0};
}

void* tlw_pages_at_end(const tlw_pages* pages, size_t bytes, size_t alignment) {
    TLW_ASSERT(pages != NULL && bytes <= pages->bytes && tlw_is_power_of_two(alignment));
    return pages->base + ((pages->bytes - bytes) & ~(alignment - 1));
}

tlw_result tlw_pages_protect(const tlw_pages* pages, bool is_accessible) {
    TLW_ASSERT(pages != NULL);
    return protect(pages->base, pages->bytes, is_accessible) ? TLW_OK : TLW_ERROR_SYSTEM;
}
