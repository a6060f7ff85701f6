// SPDX-License-Identifier: MIT
// The built-in profiler: collects the events that the macros of profile.h record, keeps statistics
// and a bounded history, and writes the history as a trace. The caller gives all memory; the
// profiler has no thread of its own. README.md describes the rings and the collector.
#ifndef TLW_PROFILING_PROFILER_H
#define TLW_PROFILING_PROFILER_H

#include "platform/base.h"
#include "platform/clock.h"
#include "platform/result.h"
#include "profiling/profile.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_profiler tlw_profiler;

typedef struct tlw_profiler_def {
    // Threads that can record at the same time. A thread that finds no free ring is refused for
    // good.
    uint32_t max_threads;
    uint32_t events_per_thread; // a power of two; what a thread can record between two collections
    uint32_t max_zones;         // distinct zone names with statistics
    uint32_t max_plots;
    uint32_t max_pools;
    uint32_t window;         // newest samples per zone, for min, max and percentiles
    uint32_t history_events; // newest events kept for the trace
    uint32_t frame_window;   // newest frames, for min, max and percentiles
    uint32_t max_worst_frames;
    double frame_budget_ms;
    uint64_t calibrate_ns; // how long tlw_profiler_create compares the counter with the clock
    uint32_t cookie;
} tlw_profiler_def;

tlw_profiler_def tlw_default_profiler_def(void);

#define TLW_PROFILER_ALIGNMENT TLW_FALSE_SHARING_BYTES

// TLW_OK, TLW_ERROR_BAD_DEF, TLW_ERROR_BAD_ARGUMENT (a log line names the setting), or
// TLW_ERROR_OVERFLOW.
tlw_result tlw_profiler_bytes(const tlw_profiler_def* def, size_t* bytes);

// `memory` must be aligned to TLW_PROFILER_ALIGNMENT and have at least tlw_profiler_bytes(def)
// bytes. There is no destroy call: after an uninstall that returned TLW_OK the caller may free the
// memory.
tlw_result tlw_profiler_create(const tlw_profiler_def* def, void* memory, size_t bytes,
                               tlw_profiler** profiler);

// Starts recording by the macros of the built-in backend. A thread is attached by its first zone,
// plot, message or TLW_THREAD_NAME. TLW_ERROR_BUSY: a profiler is installed, or threads still hold
// rings of the one before.
tlw_result tlw_profiler_install(tlw_profiler* profiler);

// Stops recording. A thread returns its ring when it executes its next macro. Until all threads
// have, one of them may be in the middle of its last write, so the memory must stay:
// - TLW_OK: no thread holds a ring, and the memory may be freed. Collect first, to read the rest.
// - TLW_ERROR_BUSY: some threads still hold one. Call again later, or call
//   tlw_profiler_forget_threads if they sleep or have ended without detaching.
tlw_result tlw_profiler_uninstall(tlw_profiler* profiler);

// For an uninstall that stays busy. The caller promises that no attached thread is inside a macro
// at this moment. A thread that wakes later sees by its generation number that the profiler is
// gone, and does not touch it.
void tlw_profiler_forget_threads(tlw_profiler* profiler);

// Gives the calling thread's ring back for another thread to use. Call it where a thread ends and
// outside of any zone: its next macro, the end of a zone too, would attach it again.
void tlw_profiler_detach_thread(void);

// Moves the events of all threads into the statistics and the history. TLW_FRAME_MARK does this
// too. TLW_ERROR_BUSY: another thread is collecting or reading. Nothing is lost; the next call
// collects it.
tlw_result tlw_profiler_collect(tlw_profiler* profiler);

// Records a zone that was timed elsewhere, in counter values of tlw_cycles.
void tlw_profiler_record_zone(const tlw_zone_site* site, uint64_t begin_cycles,
                              uint64_t end_cycles);
// Records a frame mark at a given time.
void tlw_profiler_record_frame(uint64_t cycles);

// The functions below see what has been collected, and may be called from any thread while others
// record. Percentiles are nearest-rank: the smallest sample such that at least that share of all
// samples is not larger.
typedef struct tlw_time_statistics {
    uint32_t samples; // in the window
    double min_ns, max_ns, p50_ns, p95_ns, p99_ns;
} tlw_time_statistics;

// One per name: zones of the same name in different files, or in copies of one file compiled for
// several instruction sets, count as one zone.
typedef struct tlw_zone_statistics {
    const char* name;
    uint32_t colour;
    uint64_t count; // since tlw_profiler_create
    double total_ns;
    tlw_time_statistics window;
} tlw_zone_statistics;

uint32_t tlw_profiler_zone_count(tlw_profiler* profiler);
// In order of first appearance. TLW_ERROR_BAD_ARGUMENT: no zone of that index.
tlw_result tlw_profiler_zone(tlw_profiler* profiler, uint32_t index, tlw_zone_statistics* zone);
// TLW_ERROR_NOT_FOUND: no zone of that name has ended yet.
tlw_result tlw_profiler_find_zone(tlw_profiler* profiler, const char* name,
                                  tlw_zone_statistics* zone);

// A frame is the time between two marks, no matter which threads make them. The first frame, from
// the first mark to the second, has number 1.
typedef struct tlw_frame_statistics {
    uint64_t count;
    uint64_t over_budget; // frames longer than frame_budget_ms
    double budget_ms;
    double total_ns;
    tlw_time_statistics window;
} tlw_frame_statistics;

typedef struct tlw_worst_frame {
    uint64_t number;
    uint64_t begin_clock_ns; // a time of tlw_clock_ns
    double ns;
} tlw_worst_frame;

void tlw_profiler_frames(tlw_profiler* profiler, tlw_frame_statistics* frames);
// The longest frames since create, longest first; returns how many were written.
uint32_t tlw_profiler_worst_frames(tlw_profiler* profiler, tlw_worst_frame* list,
                                   uint32_t capacity);

typedef struct tlw_plot_statistics {
    const char* name;
    uint64_t count;
    double last, min, max;
} tlw_plot_statistics;

uint32_t tlw_profiler_plot_count(tlw_profiler* profiler);
tlw_result tlw_profiler_plot(tlw_profiler* profiler, uint32_t index, tlw_plot_statistics* plot);

typedef struct tlw_pool_statistics {
    const char* name;
    int64_t bytes; // allocated minus freed
    // Exact for a pool that one thread uses. With several threads, the operations of one collection
    // are added up thread by thread and not in order of time; the trace has them in order.
    int64_t peak_bytes;
    uint64_t allocations, frees;
} tlw_pool_statistics;

uint32_t tlw_profiler_pool_count(tlw_profiler* profiler);
tlw_result tlw_profiler_pool(tlw_profiler* profiler, uint32_t index, tlw_pool_statistics* pool);

// What was lost, and which setting to raise.
typedef struct tlw_profiler_health {
    uint64_t dropped_events;   // a ring was full: events_per_thread, or collect more often
    uint64_t unnamed_events;   // a table of names was full: max_zones, max_plots, max_pools
    uint64_t refused_threads;  // no ring was free: max_threads
    uint64_t forgotten_events; // pushed out of the history by newer ones: history_events
    uint32_t attached_threads;
    bool counter_is_steady;
    tlw_cycle_scale scale; // with which the statistics were converted
} tlw_profiler_health;

void tlw_profiler_get_health(tlw_profiler* profiler, tlw_profiler_health* health);

// False stops the export.
typedef bool tlw_trace_write(const char* text, size_t bytes, void* user);

// Writes the history as Chrome's trace JSON, which Perfetto opens: zones, frame marks, messages,
// plots and pools, in order of time. Independent of the locale. TLW_ERROR_CANNOT_WRITE: `write`
// returned false. Collection waits while it runs.
tlw_result tlw_profiler_write_trace(tlw_profiler* profiler, tlw_trace_write* write, void* user);

TLW_EXTERN_C_END

#endif
