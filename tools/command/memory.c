// SPDX-License-Identifier: MIT
// Growing aligned memory from the heap.
#include "tools/command/memory.h"

#include <stdlib.h>
#include <string.h>

// malloc's address is kept in the bytes just before the aligned one. There is room for it: malloc's
// address is a multiple of 16 (of 8 where pointers have 4 bytes), and the aligned one lies at least
// that far after it.
void* tlw_heap_grow_aligned(void* old, size_t old_bytes, size_t new_bytes, void* user) {
    (void)user;
    uint8_t* grown = NULL;
    if (new_bytes > 0) {
        uint8_t* block = new_bytes <= SIZE_MAX - TLW_HEAP_ALIGNMENT
                             ? malloc(new_bytes + TLW_HEAP_ALIGNMENT)
                             : NULL;
        if (block == NULL) {
            return NULL;
        }
        grown = block + TLW_HEAP_ALIGNMENT - (uintptr_t)block % TLW_HEAP_ALIGNMENT;
        memcpy(grown - sizeof block, &block, sizeof block);
        if (old != NULL) {
            memcpy(grown, old, old_bytes < new_bytes ? old_bytes : new_bytes);
        }
    }
    if (old != NULL) {
        void* block;
        memcpy(&block, (uint8_t*)old - sizeof block, sizeof block);
        free(block);
    }
    return grown;
}
