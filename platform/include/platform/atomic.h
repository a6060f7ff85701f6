// SPDX-License-Identifier: MIT
// Atomic objects for structs in headers, which C11 and C++17 both understand. Our code uses acquire
// and release on objects and no stand-alone fences, because race detectors cannot see fences.
#ifndef TLW_PLATFORM_ATOMIC_H
#define TLW_PLATFORM_ATOMIC_H

#include "platform/base.h"

#if defined(__cplusplus)
#    include <atomic>
typedef std::atomic<uint32_t> tlw_atomic_u32;
typedef std::atomic<uint64_t> tlw_atomic_u64;
typedef std::atomic<void*> tlw_atomic_pointer;
#else
#    include <stdatomic.h>
typedef _Atomic uint32_t tlw_atomic_u32;
typedef _Atomic uint64_t tlw_atomic_u64;
typedef _Atomic(void*) tlw_atomic_pointer;
#endif

// A plain field that threads hand to each other by means of atomic objects. tests/model puts its
// own type here and looks for races on it.
#define TLW_SHARED(type) type

TLW_STATIC_ASSERT(sizeof(tlw_atomic_u32) == 4, "a futex word is 32 bits");
TLW_STATIC_ASSERT(sizeof(tlw_atomic_u64) == 8, "lock-free");

#endif
