// SPDX-License-Identifier: MIT
// Creates and installs a small profiler, and takes down what a failed test left installed.
#include "tests/profiling/profiling_fixture.h"

#include <stdlib.h>
#include <string.h>

// The profiler of a test that failed in the middle: one failed test must not fail all later ones.
static tlw_profiler* left_installed;

void* profiling_fixture_allocate(size_t bytes) {
    // aligned_alloc is not available everywhere. The address of the block is stored before the
    // aligned memory, and the block ends where that ends, so that the sanitizer sees a write beyond
    // it.
    uint8_t* block = malloc(bytes + TLW_PROFILER_ALIGNMENT + sizeof(void*));
    uintptr_t end = (uintptr_t)block + TLW_PROFILER_ALIGNMENT + sizeof(void*);
    uint8_t* aligned =
        block + ((end & ~(uintptr_t)(TLW_PROFILER_ALIGNMENT - 1)) - (uintptr_t)block);
    memcpy(aligned - sizeof(void*), &block, sizeof(void*));
    memset(aligned, 0xCD, bytes); // a profiler must not rely on zeros
    return aligned;
}

void profiling_fixture_free(void* memory) {
    left_installed =
        (void*)left_installed == memory ? NULL : left_installed; // it starts its memory
    void* block;
    memcpy(&block, (uint8_t*)memory - sizeof(void*), sizeof(void*));
    free(block);
}

tlw_profiler_def profiling_fixture_def(void) {
    tlw_profiler_def def = tlw_default_profiler_def();
    def.max_threads = 4;
    def.events_per_thread = 1024;
    def.max_zones = 16;
    def.max_plots = 4;
    def.max_pools = 4;
    def.window = 64;
    def.history_events = 4096;
    def.frame_window = 32;
    def.max_worst_frames = 4;
    return def;
}

static void uninstall(tlw_profiler* profiler) {
    if (tlw_profiler_uninstall(profiler) != TLW_OK) {
        tlw_profiler_forget_threads(profiler);
    }
    left_installed = NULL;
}

profiling_fixture profiling_fixture_open(const tlw_profiler_def* def) {
    if (left_installed) {
        uninstall(left_installed);
    }
    profiling_fixture fixture = {0};
    CHECK_OK(tlw_profiler_bytes(def, &fixture.bytes));
    fixture.memory = profiling_fixture_allocate(fixture.bytes);
    CHECK_OK(tlw_profiler_create(def, fixture.memory, fixture.bytes, &fixture.profiler));
    CHECK_OK(tlw_profiler_install(fixture.profiler));
    left_installed = fixture.profiler;
    return fixture;
}

void profiling_fixture_close(profiling_fixture* fixture) {
    uninstall(fixture->profiler);
    profiling_fixture_free(fixture->memory);
    free(fixture->trace);
    *fixture = (profiling_fixture){0};
}

static bool append(const char* text, size_t bytes, void* user) {
    profiling_fixture* fixture = user;
    fixture->trace = realloc(fixture->trace, fixture->trace_bytes + bytes + 1);
    memcpy(fixture->trace + fixture->trace_bytes, text, bytes);
    fixture->trace_bytes += bytes;
    fixture->trace[fixture->trace_bytes] = 0;
    return true;
}

const char* profiling_fixture_write_trace(profiling_fixture* fixture) {
    fixture->trace_bytes = 0;
    CHECK_OK(tlw_profiler_write_trace(fixture->profiler, append, fixture));
    return fixture->trace;
}
