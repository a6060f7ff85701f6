// SPDX-License-Identifier: MIT
// A small profiler in its own memory for one test, and its trace in memory. Selects the built-in
// backend before it includes profile.h, so that these tests run whatever backend the build is
// configured for.
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
    char* trace; // zero-terminated; set when the trace is written
    size_t trace_bytes;
} profiling_fixture;

// Small tables, so that tests can fill them.
tlw_profiler_def profiling_fixture_def(void);
// Creates and installs a profiler.
profiling_fixture profiling_fixture_open(const tlw_profiler_def* def);
// Uninstalls it, forgets threads that ended without detaching, and frees its memory.
void profiling_fixture_close(profiling_fixture* fixture);
const char* profiling_fixture_write_trace(profiling_fixture* fixture);

// Memory with the alignment that a profiler needs.
void* profiling_fixture_allocate(size_t bytes);
void profiling_fixture_free(void* memory);

#endif
