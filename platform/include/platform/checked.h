// SPDX-License-Identifier: MIT
// Checked arithmetic of sizes. Counts that come from a file or a caller are only multiplied and
// added with these functions. Each returns false on overflow and then leaves *out unchanged.
#ifndef TLW_PLATFORM_CHECKED_H
#define TLW_PLATFORM_CHECKED_H

#include "platform/base.h"

TLW_MUST_USE TLW_INLINE bool tlw_add_size(size_t a, size_t b, size_t* out) {
    if (b > SIZE_MAX - a) {
        return false;
    }
    *out = a + b;
    return true;
}

TLW_MUST_USE TLW_INLINE bool tlw_mul_size(size_t a, size_t b, size_t* out) {
    if (a != 0 && b > SIZE_MAX / a) {
        return false;
    }
    *out = a * b;
    return true;
}

TLW_MUST_USE TLW_INLINE bool tlw_add_u64(uint64_t a, uint64_t b, uint64_t* out) {
    if (b > UINT64_MAX - a) {
        return false;
    }
    *out = a + b;
    return true;
}

TLW_MUST_USE TLW_INLINE bool tlw_mul_u64(uint64_t a, uint64_t b, uint64_t* out) {
#if TLW_HAS_GNU_EXTENSIONS // a division of 64 bits is a library call on a CPU of 32
    uint64_t product;
    if (__builtin_mul_overflow(a, b, &product)) {
        return false;
    }
    *out = product;
    return true;
#else
    if (a != 0 && b > UINT64_MAX / a) {
        return false;
    }
    *out = a * b;
    return true;
#endif
}

// Converts a 64-bit count from a file to this machine's size_t, or to 32 bits.
TLW_MUST_USE TLW_INLINE bool tlw_size_from_u64(uint64_t value, size_t* out) {
    if (value > SIZE_MAX) {
        return false;
    }
    *out = (size_t)value;
    return true;
}

TLW_MUST_USE TLW_INLINE bool tlw_u32_from_u64(uint64_t value, uint32_t* out) {
    if (value > UINT32_MAX) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

TLW_INLINE bool tlw_is_power_of_two(size_t value) {
    return value != 0 && (value & (value - 1)) == 0;
}

// The next multiple of `alignment`, a power of two.
TLW_MUST_USE TLW_INLINE bool tlw_align_size(size_t value, size_t alignment, size_t* out) {
    size_t padded;
    if (!tlw_is_power_of_two(alignment) || !tlw_add_size(value, alignment - 1, &padded)) {
        return false;
    }
    *out = padded & ~(alignment - 1);
    return true;
}

#endif
