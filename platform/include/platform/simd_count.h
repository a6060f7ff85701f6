// SPDX-License-Identifier: MIT
// The counting backend: the scalar backend, where each call also adds the cost stated in
// simd_operations.h to tlw_simd_count of the calling thread. For the bench only, never in a kernel
// that ships. Only included by simd.h.
#ifndef TLW_PLATFORM_SIMD_COUNT_H
#define TLW_PLATFORM_SIMD_COUNT_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_simd_counts {
    uint64_t flops;        // per lane: add, sub, mul, div, sqrt, min, max, round, floor, compare
    uint64_t divides;      // the divisions and square roots among them
    uint64_t others;       // per lane: integers, masks, selects, conversions, sign bits, transposes
    uint64_t bytes_loaded; // by wide loads and gathers
    uint64_t bytes_stored;
} tlw_simd_counts;

// Set it to zero, run a kernel, then read it.
extern __thread tlw_simd_counts tlw_simd_count;

TLW_EXTERN_C_END

#if defined(TLW_SIMD_COUNT)

#    include "platform/simd.h"

#    define TLW_SCALAR(name) name##_uncounted
#    include "platform/simd_scalar.h"

#    define TLW_FREE            (void)0
#    define TLW_FLOPS(count)    tlw_simd_count.flops += (count)
#    define TLW_DIVIDES(count)  tlw_simd_count.flops += (count), tlw_simd_count.divides += (count)
#    define TLW_OTHERS(count)   tlw_simd_count.others += (count)
#    define TLW_LOADS(bytes)    tlw_simd_count.bytes_loaded += (uint64_t)(bytes)
#    define TLW_STORES(bytes)   tlw_simd_count.bytes_stored += (uint64_t)(bytes)
#    define TLW_LANES_SET(mask) __builtin_popcount(tlw_m8_to_bits_uncounted(mask))

#    define TLW_OP0(result, name, cost)                 \
        TLW_FORCE_INLINE TLW_KIND_##result name(void) { \
            cost;                                       \
            return name##_uncounted();                  \
        }
#    define TLW_OP1(result, name, kind_a, cost)                        \
        TLW_FORCE_INLINE TLW_KIND_##result name(TLW_KIND_##kind_a a) { \
            cost;                                                      \
            return name##_uncounted(a);                                \
        }
#    define TLW_OP2(result, name, kind_a, kind_b, cost)                                     \
        TLW_FORCE_INLINE TLW_KIND_##result name(TLW_KIND_##kind_a a, TLW_KIND_##kind_b b) { \
            cost;                                                                           \
            return name##_uncounted(a, b);                                                  \
        }
#    define TLW_OP3(result, name, kind_a, kind_b, kind_c, cost)                           \
        TLW_FORCE_INLINE TLW_KIND_##result name(TLW_KIND_##kind_a a, TLW_KIND_##kind_b b, \
                                                TLW_KIND_##kind_c c) {                    \
            cost;                                                                         \
            return name##_uncounted(a, b, c);                                             \
        }
#    define TLW_OP8(result, name, kind, cost)                                                 \
        TLW_FORCE_INLINE TLW_KIND_##result name(                                              \
            TLW_KIND_##kind l0, TLW_KIND_##kind l1, TLW_KIND_##kind l2, TLW_KIND_##kind l3,   \
            TLW_KIND_##kind l4, TLW_KIND_##kind l5, TLW_KIND_##kind l6, TLW_KIND_##kind l7) { \
            cost;                                                                             \
            return name##_uncounted(l0, l1, l2, l3, l4, l5, l6, l7);                          \
        }
#    include "platform/simd_operations.h"

#    undef TLW_FREE
#    undef TLW_FLOPS
#    undef TLW_DIVIDES
#    undef TLW_OTHERS
#    undef TLW_LOADS
#    undef TLW_STORES
#    undef TLW_LANES_SET

#endif
#endif
