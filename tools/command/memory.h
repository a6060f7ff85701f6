// SPDX-License-Identifier: MIT
// Growing memory from the heap, for tlw_file_read_def.grow and callbacks of its kind: grows `old`
// (null at first) to new_bytes and keeps its content; null where there is no memory, and `old` then
// stays valid. new_bytes 0 gives the memory back.
#ifndef TLW_TOOLS_COMMAND_MEMORY_H
#define TLW_TOOLS_COMMAND_MEMORY_H

#include "platform/base.h"

#include <stdlib.h>

TLW_EXTERN_C_BEGIN

// realloc: what it returns may also go to free. Inline, so that the tests of a build without tools
// have it too.
TLW_INLINE void* tlw_heap_grow(void* old, size_t old_bytes, size_t new_bytes, void* user) {
    (void)old_bytes;
    (void)user;
    if (new_bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_bytes);
}

// The same on multiples of TLW_HEAP_ALIGNMENT, which is what a blob needs. Only this function may
// give the memory back, and old_bytes is then not looked at.
#define TLW_HEAP_ALIGNMENT 64
void* tlw_heap_grow_aligned(void* old, size_t old_bytes, size_t new_bytes, void* user);

TLW_EXTERN_C_END

#endif
