// SPDX-License-Identifier: MIT
// A fixed-memory arena: push, mark, rewind. The caller owns the memory; there is no fallback to a
// heap. Not thread-safe: one arena has one user at a time.
#ifndef TLW_PLATFORM_ARENA_H
#define TLW_PLATFORM_ARENA_H

#include "platform/base.h"
#include "platform/result.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_arena {
    const char* name; // not copied: a literal, or something that outlives the arena
    uint8_t* base;    // null in a measuring arena
    size_t capacity_bytes;
    size_t used_bytes;
    size_t high_water_bytes; // the most that was ever used; rewinding does not lower it
    size_t missing_bytes;    // of the last failed push; 0 if it failed because of its alignment
    size_t failure_count;    // pushes that were refused
} tlw_arena;

// `memory` may have any alignment, because pushes align absolute addresses. If the bytes needed
// should not depend on the address, pass memory aligned to the largest alignment that is pushed.
tlw_result tlw_arena_init(tlw_arena* arena, const char* name, void* memory, size_t bytes);

// Gives memory that an arena had back to its owner, with the address and bytes of tlw_arena_init.
// In builds with the address sanitizer, bytes that no push has handed out, or that a rewind has
// taken back, may not be touched before this. In other builds it does nothing.
void tlw_arena_release(void* memory, size_t bytes);

// Measures instead of allocating: after the same pushes, high_water_bytes is exactly the number of
// bytes that an arena in aligned memory needs. Pushes return a non-null address that must not be
// used.
void tlw_arena_init_measuring(tlw_arena* arena, const char* name);

// `alignment` is a power of two. Null if the bytes do not fit or the alignment is not a power of
// two. missing_bytes then says how many more bytes would have been enough, a log line says so too,
// and the arena is otherwise unchanged. Zero bytes give a valid address to which nothing may be
// written. The memory is not cleared.
void* tlw_arena_push(tlw_arena* arena, size_t bytes, size_t alignment);

// As tlw_arena_push, for `count` elements of `element_bytes`; the product is checked.
void* tlw_arena_push_array(tlw_arena* arena, size_t count, size_t element_bytes, size_t alignment);

#define TLW_ARENA_PUSH(arena, type, count) \
    ((type*)tlw_arena_push_array((arena), (count), sizeof(type), TLW_ALIGNOF(type)))

typedef size_t tlw_arena_mark;

// A rewind frees everything that was pushed after the mark. Marks nest: rewinding to a mark
// invalidates the marks taken after it. Rewinding upwards asserts and is ignored.
tlw_arena_mark tlw_arena_get_mark(const tlw_arena* arena);
void tlw_arena_rewind(tlw_arena* arena, tlw_arena_mark mark);

TLW_EXTERN_C_END

#endif
