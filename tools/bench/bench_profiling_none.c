// SPDX-License-Identifier: MIT
// The zone pair of bench_profiling.c with the none backend: it must cost what an empty loop costs.
#if defined(TLW_PROFILE_BACKEND)
#    undef TLW_PROFILE_BACKEND
#endif
#define TLW_PROFILE_BACKEND 0

#include "profiling/profile.h"
#include "tools/bench/bench.h"

void tlw_bench_none_pairs(uint64_t count);

void tlw_bench_none_pairs(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
        TLW_ZONE("pair");
        TLW_ZONE_VALUE(i);
        tlw_bench_keep(&i);
    }
}
