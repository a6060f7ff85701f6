// SPDX-License-Identifier: MIT
// A profiler with a long history, installed while frames are measured.
#include "tools/bench/frame_trace.h"

#include "profiling/profiler.h"

#include <stdlib.h>

// A zone a helping of blocks, a pass and a character: 200 frames of one, or 3 of a large crowd.
#define HISTORY_EVENTS (1u << 17)
#define RING_EVENTS    (1u << 16)

struct tlw_frame_trace {
    void* block;
    tlw_profiler* profiler;
};

bool tlw_frame_trace_is_there(void) {
    return TLW_PROFILE_BACKEND == TLW_PROFILE_BUILTIN;
}

tlw_frame_trace* tlw_frame_trace_begin(double budget_ms) {
    tlw_profiler_def def = tlw_default_profiler_def();
    def.history_events = HISTORY_EVENTS;
    def.events_per_thread = RING_EVENTS;
    def.frame_budget_ms = budget_ms > 0.0 ? budget_ms : def.frame_budget_ms;
    size_t bytes;
    tlw_frame_trace* trace = calloc(1, sizeof *trace);
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

tlw_frames_trace tlw_frame_trace_write(tlw_frame_trace* trace, tlw_file_writer* writer) {
    tlw_profiler_health health;
    (void)tlw_profiler_collect(trace->profiler);
    tlw_profiler_get_health(trace->profiler, &health);
    return (tlw_frames_trace){
        .is_written = tlw_profiler_write_trace(trace->profiler, write_piece, writer) == TLW_OK,
        .dropped_events = health.dropped_events,
        .forgotten_events = health.forgotten_events};
}

void tlw_frame_trace_end(tlw_frame_trace* trace) {
    if (trace == NULL) {
        return;
    }
    if (tlw_profiler_uninstall(trace->profiler) != TLW_OK) {
        tlw_profiler_forget_threads(trace->profiler);
    }
    free(trace->block);
    free(trace);
}
