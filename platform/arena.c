// SPDX-License-Identifier: MIT
// The fixed-memory arena of arena.h: pushes, measuring, marks. Under the address sanitizer, memory
// that is not handed out is poisoned, so that a read or write beyond a block ends the program.
#include "platform/arena.h"

#include "platform/checked.h"
#include "platform/handlers.h"

#if defined(__SANITIZE_ADDRESS__)
#    define IS_POISONED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define IS_POISONED 1
#    endif
#endif
#if defined(IS_POISONED)
#    include <sanitizer/asan_interface.h>
#    define POISON(memory, bytes)   __asan_poison_memory_region((memory), (bytes))
#    define UNPOISON(memory, bytes) __asan_unpoison_memory_region((memory), (bytes))
#else
#    define POISON(memory, bytes)   ((void)(memory), (void)(bytes))
#    define UNPOISON(memory, bytes) ((void)(memory), (void)(bytes))
#endif

// A measuring arena starts at address 0, which is a multiple of every alignment. This is added to
// the addresses that it returns, so that they are not null.
#define MEASURING_BASE ((uintptr_t)1 << 20)

tlw_result tlw_arena_init(tlw_arena* arena, const char* name, void* memory, size_t bytes) {
    TLW_ASSERT(arena != NULL);
    TLW_ASSERT(name != NULL);
    if (memory == NULL || bytes > SIZE_MAX - (uintptr_t)memory) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    *arena = (tlw_arena){.name = name, .base = memory, .capacity_bytes = bytes};
    POISON(memory, bytes);
    return TLW_OK;
}

void tlw_arena_release(void* memory, size_t bytes) {
    UNPOISON(memory, bytes);
}

void tlw_arena_init_measuring(tlw_arena* arena, const char* name) {
    TLW_ASSERT(arena != NULL);
    *arena = (tlw_arena){.name = name, .capacity_bytes = SIZE_MAX - MEASURING_BASE};
}

static void* push_failed(tlw_arena* arena, size_t bytes, size_t missing) {
    arena->missing_bytes = missing;
    arena->failure_count += 1;
    tlw_log(TLW_LOG_ERROR, "arena '%s' (%zu bytes, %zu used): %zu bytes do not fit, %zu missing",
            arena->name, arena->capacity_bytes, arena->used_bytes, bytes, missing);
    return NULL;
}

void* tlw_arena_push(tlw_arena* arena, size_t bytes, size_t alignment) {
    TLW_ASSERT(arena != NULL);
    if (!tlw_is_power_of_two(alignment)) {
        tlw_log(TLW_LOG_ERROR, "arena '%s': alignment %zu is not a power of two", arena->name,
                alignment);
        arena->failure_count += 1;
        arena->missing_bytes = 0;
        return NULL;
    }
    uintptr_t top = (uintptr_t)arena->base + arena->used_bytes;
    size_t padding = (size_t)(-top & (alignment - 1));
    size_t needed;
    if (!tlw_add_size(bytes, padding, &needed)) {
        return push_failed(arena, bytes, SIZE_MAX);
    }
    size_t left = arena->capacity_bytes - arena->used_bytes;
    if (needed > left) {
        return push_failed(arena, bytes, needed - left);
    }
    size_t offset = arena->used_bytes + padding;
    arena->used_bytes += needed;
    if (arena->used_bytes > arena->high_water_bytes) {
        arena->high_water_bytes = arena->used_bytes;
    }
    if (arena->base == NULL) {
        return (void*)(MEASURING_BASE + offset);
    }
    UNPOISON(arena->base + offset, bytes);
    return arena->base + offset;
}

void* tlw_arena_push_array(tlw_arena* arena, size_t count, size_t element_bytes, size_t alignment) {
    size_t bytes;
    if (!tlw_mul_size(count, element_bytes, &bytes)) {
        return push_failed(arena, SIZE_MAX, SIZE_MAX);
    }
    return tlw_arena_push(arena, bytes, alignment);
}

tlw_arena_mark tlw_arena_get_mark(const tlw_arena* arena) {
    TLW_ASSERT(arena != NULL);
    return arena->used_bytes;
}

void tlw_arena_rewind(tlw_arena* arena, tlw_arena_mark mark) {
    TLW_ASSERT(arena != NULL);
    TLW_ASSERT_MESSAGE(mark <= arena->used_bytes, "rewinding upwards");
    if (mark <= arena->used_bytes) {
        if (arena->base) {
            POISON(arena->base + mark, arena->used_bytes - mark);
        }
        arena->used_bytes = mark;
    }
}
