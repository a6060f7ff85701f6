// SPDX-License-Identifier: MIT
// A profiler with a long history in memory from the heap, installed between begin and end.
#include "tools/command/trace.h"

#include "profiling/profiler.h"

#include <stdlib.h>

// A frame has a zone per block group, per pass and per character. The history holds 200 frames of
// one character, or 3 of a large crowd.
#define HISTORY_EVENTS (1u << 17)
#define RING_EVENTS    (1u << 16)

struct tlw_trace {
    void* block;
    tlw_profiler* profiler;
};

bool tlw_trace_is_possible(void) {
    return TLW_PROFILE_BACKEND == TLW_PROFILE_BUILTIN;
}

tlw_trace* tlw_trace_begin(double budget_ms) {
    tlw_profiler_def def = tlw_default_profiler_def();
    def.history_events = HISTORY_EVENTS;
    def.events_per_thread = RING_EVENTS;
    def.frame_budget_ms = budget_ms > 0.0 ? budget_ms : def.frame_budget_ms;
    size_t bytes;
    tlw_trace* trace = calloc(1, sizeof *trace);
    if (trace == NULL || tlw_profiler_bytes(&def, &bytes) != TLW_OK) {
        free(trace);
        return NULL;
    }
    trace->block = malloc(bytes + TLW_PROFILER_ALIGNMENT);
    if (trace->block) {
        const uintptr_t from = (uintptr_t)trace->block + TLW_PROFILER_ALIGNMENT - 1;
        void* memory = (void*)(from / TLW_PROFILER_ALIGNMENT * TLW_PROFILER_ALIGNMENT);
        if (tlw_profiler_create(&def, memory, bytes, &trace->profiler) == TLW_OK &&
            tlw_profiler_install(trace->profiler) == TLW_OK) {
            TLW_THREAD_NAME("main");
            TLW_FRAME_MARK(); // the first frame begins here
            return trace;
        }
    }
    free(trace->block);
    free(trace);
    return NULL;
}

static bool write_piece(const char* text, size_t bytes, void* user) {
    return tlw_file_writer_write(user, text, bytes) == TLW_OK;
}

tlw_trace_report tlw_trace_save(tlw_trace* trace, tlw_file_writer* writer) {
    tlw_profiler_health health;
    (void)tlw_profiler_collect(trace->profiler);
    tlw_profiler_get_health(trace->profiler, &health);
    return (tlw_trace_report){
        .is_written = tlw_profiler_write_trace(trace->profiler, write_piece, writer) == TLW_OK,
        .dropped_events = health.dropped_events,
        .forgotten_events = health.forgotten_events};
}

void tlw_trace_end(tlw_trace* trace) {
    if (trace == NULL) {
        return;
    }
    if (tlw_profiler_uninstall(trace->profiler) != TLW_OK) {
        tlw_profiler_forget_threads(trace->profiler);
    }
    free(trace->block);
    free(trace);
}
