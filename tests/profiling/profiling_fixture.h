// SPDX-License-Identifier: MIT
// A small profiler in memory of its own for one test, and a trace kept in memory. Tests of the
// built-in backend choose it before anything else, so that they run in every configuration.
#ifndef TLW_TESTS_PROFILING_PROFILING_FIXTURE_H
#define TLW_TESTS_PROFILING_PROFILING_FIXTURE_H

#if defined(TLW_PROFILE_BACKEND)
#    undef TLW_PROFILE_BACKEND
#endif
#define TLW_PROFILE_BACKEND 1

#include "profiling/profile.h"
#include "profiling/profiler.h"
#include "tests/test.h"

typedef struct profiling_fixture {
    tlw_profiler* profiler;
    void* memory;
    size_t bytes;
    char* trace; // zero-terminated, after profiling_bed_write_trace
    size_t trace_bytes;
} profiling_fixture;

// Few and small tables, so that tests reach their ends.
tlw_profiler_def profiling_bed_def(void);
// Created and installed.
profiling_fixture profiling_bed_open(const tlw_profiler_def* def);
// Uninstalls, forgets threads that ended without detaching, frees.
void profiling_bed_close(profiling_fixture* fixture);
const char* profiling_bed_write_trace(profiling_fixture* fixture);

// Aligned for a profiler.
void* profiling_bed_allocate(size_t bytes);
void profiling_bed_free(void* memory);

#endif
