// SPDX-License-Identifier: MIT
// Private to profiling: the state of the built-in profiler, which profiler.c fills and trace.c
// writes as a trace.
#ifndef TLW_PROFILING_PROFILER_STATE_H
#define TLW_PROFILING_PROFILER_STATE_H

#include "platform/atomic.h"
#include "platform/thread.h"
#include "profiling/profiler.h"

typedef enum tlw_event_kind {
    TLW_EVENT_ZONE,
    TLW_EVENT_ZONE_WITH_VALUE,
    TLW_EVENT_ZONE_WITH_NAME, // the name's address is the payload
    TLW_EVENT_FRAME,
    TLW_EVENT_PLOT,
    TLW_EVENT_MESSAGE,
    TLW_EVENT_POOL_ALLOC,
    TLW_EVENT_POOL_FREE,
    // The thread whose events follow in this ring: system id in `cycles`, name in `thread`.
    TLW_EVENT_THREAD,
} tlw_event_kind;

#define TLW_EVENT_KIND_BITS 8

typedef struct tlw_event {
    uint64_t cycles;        // counter value at the begin
    uint64_t span_and_kind; // span in cycles << TLW_EVENT_KIND_BITS | kind
    union {
        struct {
            const void* name; // a tlw_zone_site for zones, a literal otherwise
            uint64_t payload; // value, frame number, bits of a double, or bytes
        };
        char thread[TLW_THREAD_NAME_MAX];
    };
} tlw_event;

// Half a cache line: each zone end writes one event, and two events share a line.
TLW_STATIC_ASSERT(sizeof(tlw_event) == 32, "an event is half a cache line");

static inline tlw_event_kind tlw_event_get_kind(const tlw_event* event) {
    return (tlw_event_kind)(event->span_and_kind & ((1u << TLW_EVENT_KIND_BITS) - 1));
}

static inline uint64_t tlw_event_get_span(const tlw_event* event) {
    return event->span_and_kind >> TLW_EVENT_KIND_BITS;
}

// A ring has one producer, the thread that holds it, and one consumer, the collector. `head` and
// `tail` count events and never wrap around; an event's index is its count & mask.
typedef struct tlw_event_ring {
    // Used by the producer.
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) tlw_atomic_u64 head;
    uint64_t known_tail; // an earlier tail; the real one is only read when the ring seems full
    uint64_t mask;
    tlw_event* events;
    struct tlw_profiler* profiler;
    tlw_atomic_u64 dropped;
    // Used by the collector.
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) tlw_atomic_u64 tail;
    uint32_t track;
    // Used by the registry, under its lock.
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) bool is_attached;
} tlw_event_ring;

typedef struct tlw_history_event {
    tlw_event event;
    uint32_t track;
    // Order of collection. Counters are coarse on some machines, so that times are often equal.
    uint32_t order;
} tlw_history_event;

// A line of the trace: one system thread. A ring may pass to another thread, a track does not.
typedef struct tlw_track {
    uint64_t system_id;
    char name[TLW_THREAD_NAME_MAX];
} tlw_track;

typedef struct tlw_zone_record {
    const tlw_zone_site* site; // the first one seen with this name
    uint64_t count;
    uint64_t total_cycles;
    uint64_t* window_cycles; // sample i is at i % window
} tlw_zone_record;

typedef struct tlw_plot_record {
    tlw_plot_statistics statistics;
} tlw_plot_record;

typedef struct tlw_pool_record {
    tlw_pool_statistics statistics;
    int64_t forgotten_bytes; // sum of events that left the history; the trace starts from it
    int64_t trace_bytes;     // running sum while a trace is written
} tlw_pool_record;

typedef enum tlw_name_kind { TLW_NAME_ZONE, TLW_NAME_PLOT, TLW_NAME_POOL } tlw_name_kind;

// Maps a literal's address to its record. Equal literals at different addresses have an entry each
// and share the record.
typedef struct tlw_name_entry {
    const char* name; // null: free
    uint32_t kind;
    uint32_t index;
} tlw_name_entry;

#define TLW_NO_RECORD UINT32_MAX

typedef struct tlw_frame_record {
    uint64_t begin_cycles;
    uint64_t cycles;
    uint64_t number;
} tlw_frame_record;

struct tlw_profiler {
    tlw_profiler_def def;
    uint64_t generation; // of the latest install
    size_t memory_bytes; // from the profiler on: what tlw_profiler_create was given
    tlw_event_ring* rings;

    // Everything below belongs to the thread that holds this: the collector or one reader.
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) tlw_atomic_u32 reading;
    tlw_cycle_scale scale;

    tlw_name_entry* names;
    uint32_t name_capacity; // a power of two
    uint32_t name_count;
    tlw_zone_record* zones;
    uint32_t zone_count;
    tlw_plot_record* plots;
    uint32_t plot_count;
    tlw_pool_record* pools;
    uint32_t pool_count;
    tlw_track* tracks;
    uint32_t track_count;
    uint32_t max_tracks;

    tlw_history_event* history; // the first history_count elements are in use
    uint32_t history_count;
    uint32_t history_next; // index for the next event; the oldest once all are in use
    uint32_t history_order;
    uint64_t forgotten_events;
    uint64_t* sort_scratch;

    uint64_t frame_marks;
    uint64_t last_mark_cycles;
    uint64_t frame_count;
    uint64_t frame_total_cycles;
    uint64_t frames_over_budget;
    uint64_t* frame_window_cycles;
    tlw_frame_record* worst_frames; // longest first
    uint32_t worst_frame_count;

    uint64_t unnamed_events;
    tlw_atomic_u64 refused_threads;
};

void tlw_profiler_begin_reading(tlw_profiler* profiler);
void tlw_profiler_end_reading(tlw_profiler* profiler);
// The record of a name, which is created if it is new. TLW_NO_RECORD if the table is full.
uint32_t tlw_profiler_record_of(tlw_profiler* profiler, tlw_name_kind kind, const char* name,
                                const tlw_zone_site* site);

// Sorts in place and without allocating, which libc's qsort may do. Items have at most 64 bytes.
void tlw_heap_sort(void* items, size_t count, size_t item_bytes,
                   bool (*comes_before)(const void* a, const void* b));

#endif
