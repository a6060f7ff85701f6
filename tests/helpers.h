// SPDX-License-Identifier: MIT
// Small helpers that need no test runner: for tests (test.h includes them), and for fuzzers, stress
// tests and other programs that have a main of their own and so cannot link test.c.
#ifndef TLW_TESTS_HELPERS_H
#define TLW_TESTS_HELPERS_H

#include "platform/base.h"

// 1 in a build with the address or the thread sanitizer, which make everything many times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define TLW_UNDER_SANITIZER 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define TLW_UNDER_SANITIZER 1
#    endif
#endif
#if !defined(TLW_UNDER_SANITIZER)
#    define TLW_UNDER_SANITIZER 0
#endif

// Deterministic random bits: a splitmix64 sequence from *state.
TLW_INLINE uint64_t tlw_test_random(uint64_t* state) {
    uint64_t x = (*state += 0x9E3779B97F4A7C15u);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

#endif
