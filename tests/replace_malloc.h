// SPDX-License-Identifier: MIT
// Replaces malloc and its relatives by functions that call ON_HEAP_CALL(name) first, a macro that
// the including file defines. For glibc without sanitizers; include it in one file of an
// executable.
#ifndef TLW_TESTS_REPLACE_MALLOC_H
#define TLW_TESTS_REPLACE_MALLOC_H

#include <errno.h>
#include <stdlib.h>

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* memory, size_t bytes);
extern void* __libc_memalign(size_t align, size_t bytes);
extern void __libc_free(void* memory);

void* malloc(size_t bytes) {
    ON_HEAP_CALL(malloc);
    return __libc_malloc(bytes);
}

void* calloc(size_t count, size_t bytes) {
    ON_HEAP_CALL(calloc);
    return __libc_calloc(count, bytes);
}

void* realloc(void* memory, size_t bytes) {
    ON_HEAP_CALL(realloc);
    return __libc_realloc(memory, bytes);
}

void* aligned_alloc(size_t align, size_t bytes) {
    ON_HEAP_CALL(aligned_alloc);
    return __libc_memalign(align, bytes);
}

int posix_memalign(void** out, size_t align, size_t bytes) {
    ON_HEAP_CALL(posix_memalign);
    *out = __libc_memalign(align, bytes);
    return *out ? 0 : ENOMEM;
}

void free(void* memory) {
    ON_HEAP_CALL(free);
    __libc_free(memory);
}

#endif
