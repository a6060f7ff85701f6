// SPDX-License-Identifier: MIT
// The built-in backend. Each thread writes events of 32 bytes into its own ring; this hot path
// takes no lock, allocates nothing and makes no system call. The collector moves the events into
// statistics and history. Reads tlw_cycles and writes only the memory that tlw_profiler_create was
// given.
#if defined(TLW_PROFILE_BACKEND)
#    undef TLW_PROFILE_BACKEND
#endif
#define TLW_PROFILE_BACKEND 1 // this file is the built-in backend, whatever the build chose

#include "profiling/profiler.h"

#include <string.h>

#include "platform/arena.h"
#include "platform/handlers.h"
#include "profiling/profiler_state.h"

#define PROFILER_DEF_COOKIE  0x70726F66u
#define MAX_THREADS          1024u
#define MAX_ENTRIES          (1u << 26) // per table; keeps products far from overflow
#define RECALIBRATE_AFTER_NS 1e8
#define TRACKS_PER_RING      4u // threads come and go, but their tracks stay

// The initial-exec model needs one instruction to reach it, also in position-independent code. The
// variable is small enough for the space that loaders reserve for libraries that are opened later.
#if TLW_OS_LINUX
#    define FAST_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) TLW_THREAD_LOCAL
#else
#    define FAST_THREAD_LOCAL TLW_THREAD_LOCAL
#endif

typedef struct thread_state {
    tlw_event_ring* ring; // null: not recording
    // Generation of the profiler that `ring` belongs to, or that refused this thread. It is
    // compared with current_generation before `ring` is touched.
    uint64_t generation;
    tlw_zone* innermost;
    char name[TLW_THREAD_NAME_MAX];
} thread_state;

static FAST_THREAD_LOCAL thread_state this_thread;

// The registry holds which profiler is installed. Its lock is taken when a thread uses a profiler
// for the first time, leaves one or installs one, and never by a zone.
static tlw_atomic_u32 registry_lock;
static tlw_profiler* installed;
static tlw_profiler* leaving; // uninstalled, but threads still hold its rings
static uint64_t last_generation;
// Generation of the installed profiler, or 0. The hot path reads nothing else of the registry.
static tlw_atomic_u64 current_generation;

static void lock_registry(void) {
    while (atomic_exchange_explicit(&registry_lock, 1, memory_order_acquire) != 0) {
        tlw_thread_yield();
    }
}

static void unlock_registry(void) {
    atomic_store_explicit(&registry_lock, 0, memory_order_release);
}

// ---- recording: the hot path

// False if the ring is full. It never waits, and never overwrites, because the collector may be
// reading.
static inline bool push_event(tlw_event_ring* ring, const tlw_event* event) {
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    if (TLW_UNLIKELY(head - ring->known_tail > ring->mask)) {
        ring->known_tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
        if (head - ring->known_tail > ring->mask) {
            // Only this thread writes it, so a load and a store are enough.
            uint64_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);
            atomic_store_explicit(&ring->dropped, dropped + 1, memory_order_relaxed);
            return false;
        }
    }
    ring->events[head & ring->mask] = *event;
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    return true;
}

static inline uint64_t span_and_kind(uint64_t span, tlw_event_kind kind) {
    return span << TLW_EVENT_KIND_BITS | (uint64_t)kind;
}

static bool announce_thread(thread_state* thread) {
    tlw_event event = {.cycles = tlw_thread_current_id(),
                       .span_and_kind = span_and_kind(0, TLW_EVENT_THREAD)};
    memcpy(event.thread, thread->name, sizeof event.thread);
    return push_event(thread->ring, &event);
}

// Call it with the registry's lock held. While a thread holds a ring, its profiler is installed or
// leaving, so its memory exists. If the caller forgot the threads it is neither, and the ring is
// not touched.
static void release_ring(thread_state* thread) {
    tlw_profiler* const known[] = {installed, leaving};
    for (size_t i = 0; i < TLW_COUNT_OF(known); ++i) {
        if (thread->ring && known[i] && known[i]->generation == thread->generation) {
            thread->ring->is_attached = false;
        }
    }
    thread->ring = NULL;
    thread->generation = 0;
}

static bool try_ring(thread_state* thread, tlw_event_ring* ring, bool drained_only) {
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    if (ring->is_attached || (drained_only && head != tail) || head - tail > ring->mask) {
        return false;
    }
    ring->known_tail = tail;
    thread->ring = ring;
    // The first event says which thread the following ones belong to. There is room for it, because
    // only this thread writes here.
    ring->is_attached = announce_thread(thread);
    return true;
}

static TLW_NOINLINE void meet_profiler(thread_state* thread) {
    lock_registry();
    release_ring(thread);
    if (installed) {
        thread->generation = installed->generation;
        // Empty rings first, so that events of a former owner can stay until they are collected.
        uint32_t count = installed->def.max_threads;
        bool found = false;
        for (uint32_t i = 0; i < 2 * count && !found; ++i) {
            found = try_ring(thread, &installed->rings[i % count], i < count);
        }
        if (!found) {
            atomic_fetch_add_explicit(&installed->refused_threads, 1, memory_order_relaxed);
        }
    }
    unlock_registry();
}

// The calling thread's ring, or null if nothing is recorded. A relaxed load is enough: a new
// generation sends the thread to the registry's lock, and uninstall waits for threads that still
// read the old one.
static inline tlw_event_ring* current_ring(thread_state* thread) {
    uint64_t generation = atomic_load_explicit(&current_generation, memory_order_relaxed);
    if (TLW_UNLIKELY(thread->generation != generation)) {
        meet_profiler(thread);
    }
    return thread->ring;
}

void tlw_builtin_zone_begin(tlw_zone* zone, const tlw_zone_site* site) {
    thread_state* thread = &this_thread;
    if (!current_ring(thread)) {
        zone->generation = 0;
        return;
    }
    zone->site = site;
    zone->generation = thread->generation;
    zone->outer = thread->innermost;
    zone->extra = TLW_ZONE_HAS_NOTHING;
    thread->innermost = zone;
    zone->begin_cycles =
        tlw_cycles(); // read last, so that our own cost falls on the zone around it
}

static inline void record_zone(tlw_event_ring* ring, const tlw_zone_site* site, uint64_t begin,
                               uint64_t end, uint64_t value, tlw_event_kind kind) {
    // On machines whose cores differ, the counter can step back when a thread changes cores.
    tlw_event event = {.cycles = begin,
                       .span_and_kind = span_and_kind(end > begin ? end - begin : 0, kind),
                       .name = site,
                       .payload = value};
    push_event(ring, &event);
}

void tlw_builtin_zone_end(tlw_zone* zone) {
    if (zone->generation == 0) {
        return;
    }
    uint64_t end = tlw_cycles();
    thread_state* thread = &this_thread;
    thread->innermost = zone->outer;
    tlw_event_ring* ring = current_ring(thread);
    // With another generation the zone began under a profiler that is gone. It is not reported to
    // the next one.
    if (TLW_LIKELY(ring && thread->generation == zone->generation)) {
        if (TLW_UNLIKELY(zone->extra != TLW_ZONE_HAS_NOTHING)) {
            record_zone(ring, zone->site, zone->begin_cycles, end, zone->value,
                        zone->extra == TLW_ZONE_HAS_VALUE ? TLW_EVENT_ZONE_WITH_VALUE
                                                          : TLW_EVENT_ZONE_WITH_NAME);
        } else {
            record_zone(ring, zone->site, zone->begin_cycles, end, 0, TLW_EVENT_ZONE);
        }
    }
}

void tlw_builtin_zone_value(uint64_t value) {
    tlw_zone* zone = this_thread.innermost;
    if (zone) {
        zone->value = value;
        zone->extra = TLW_ZONE_HAS_VALUE;
    }
}

void tlw_builtin_zone_name(const char* text) {
    tlw_zone* zone = this_thread.innermost;
    if (zone) {
        zone->value = (uint64_t)(uintptr_t)text;
        zone->extra = TLW_ZONE_HAS_NAME;
    }
}

void tlw_profiler_record_zone(const tlw_zone_site* site, uint64_t begin_cycles,
                              uint64_t end_cycles) {
    TLW_ASSERT(site != NULL);
    tlw_event_ring* ring = current_ring(&this_thread);
    if (ring) {
        record_zone(ring, site, begin_cycles, end_cycles, 0, TLW_EVENT_ZONE);
    }
}

static void record_now(tlw_event_kind kind, const char* name, uint64_t payload) {
    tlw_event_ring* ring = current_ring(&this_thread);
    if (ring) {
        tlw_event event = {.cycles = tlw_cycles(),
                           .span_and_kind = span_and_kind(0, kind),
                           .name = name,
                           .payload = payload};
        push_event(ring, &event);
    }
}

void tlw_profiler_record_frame(uint64_t cycles) {
    tlw_event_ring* ring = current_ring(&this_thread);
    if (ring) {
        tlw_event event = {.cycles = cycles, .span_and_kind = span_and_kind(0, TLW_EVENT_FRAME)};
        push_event(ring, &event);
        // This thread holds a ring, so the profiler's memory stays.
        (void)tlw_profiler_collect(ring->profiler);
    }
}

void tlw_builtin_frame_mark(void) {
    tlw_profiler_record_frame(tlw_cycles());
}

void tlw_builtin_plot(const char* name, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    record_now(TLW_EVENT_PLOT, name, bits);
}

void tlw_builtin_message(const char* text) {
    record_now(TLW_EVENT_MESSAGE, text, 0);
}

void tlw_builtin_pool_alloc(const char* pool, const void* pointer, size_t bytes) {
    (void)pointer; // the sums need no addresses; only Tracy uses them
    record_now(TLW_EVENT_POOL_ALLOC, pool, bytes);
}

void tlw_builtin_pool_free(const char* pool, const void* pointer, size_t bytes) {
    (void)pointer;
    record_now(TLW_EVENT_POOL_FREE, pool, bytes);
}

void tlw_builtin_thread_name(const char* name) {
    TLW_ASSERT(name != NULL);
    thread_state* thread = &this_thread;
    // Kept with the thread, so that a profiler that is installed later also gets it.
    size_t length = 0;
    while (length < sizeof thread->name - 1 && name[length] != 0) {
        length += 1;
    }
    memset(thread->name, 0, sizeof thread->name);
    memcpy(thread->name, name, length);

    tlw_event_ring* before = thread->ring;
    tlw_event_ring* ring = current_ring(thread);
    if (ring && ring == before) { // a ring that was attached just now has the name already
        announce_thread(thread);
    }
}

// ---- install and uninstall

tlw_result tlw_profiler_install(tlw_profiler* profiler) {
    TLW_ASSERT(profiler != NULL);
    lock_registry();
    tlw_result result = TLW_ERROR_BUSY;
    if (!installed && !leaving) {
        profiler->generation = ++last_generation;
        installed = profiler;
        atomic_store_explicit(&current_generation, profiler->generation, memory_order_release);
        result = TLW_OK;
    }
    unlock_registry();
    return result;
}

static uint32_t count_attached(const tlw_profiler* profiler) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < profiler->def.max_threads; ++i) {
        count += profiler->rings[i].is_attached;
    }
    return count;
}

tlw_result tlw_profiler_uninstall(tlw_profiler* profiler) {
    TLW_ASSERT(profiler != NULL);
    lock_registry();
    if (this_thread.generation == profiler->generation) {
        release_ring(&this_thread); // the calling thread is not inside a macro
    }
    if (installed == profiler) {
        installed = NULL;
        leaving = profiler;
        atomic_store_explicit(&current_generation, 0, memory_order_release);
    }
    tlw_result result = TLW_OK;
    if (leaving == profiler) {
        if (count_attached(profiler) > 0) {
            result = TLW_ERROR_BUSY;
        } else {
            leaving = NULL;
            tlw_arena_release(profiler, profiler->memory_bytes);
        }
    }
    unlock_registry();
    return result;
}

void tlw_profiler_forget_threads(tlw_profiler* profiler) {
    TLW_ASSERT(profiler != NULL);
    lock_registry();
    TLW_ASSERT_MESSAGE(installed != profiler, "uninstall it first");
    if (leaving == profiler) {
        for (uint32_t i = 0; i < profiler->def.max_threads; ++i) {
            profiler->rings[i].is_attached = false;
        }
        leaving = NULL;
        tlw_arena_release(profiler, profiler->memory_bytes);
    }
    unlock_registry();
}

void tlw_profiler_detach_thread(void) {
    lock_registry();
    release_ring(&this_thread);
    unlock_registry();
}

// ---- create

tlw_profiler_def tlw_default_profiler_def(void) {
    return (tlw_profiler_def){.max_threads = 32,
                              .events_per_thread = 4096,
                              .max_zones = 128,
                              .max_plots = 32,
                              .max_pools = 16,
                              .window = 256,
                              .history_events = 65536,
                              .frame_window = 512,
                              .max_worst_frames = 8,
                              .frame_budget_ms = 1000.0 / 60.0,
                              .calibrate_ns = 2000000,
                              .cookie = PROFILER_DEF_COOKIE};
}

static bool is_within(const char* setting, uint32_t value, uint32_t least, uint32_t most) {
    if (value >= least && value <= most) {
        return true;
    }
    tlw_log(TLW_LOG_ERROR, "tlw_profiler_def: %s is %u; it must be %u to %u", setting, value, least,
            most);
    return false;
}

static tlw_result check_def(const tlw_profiler_def* def) {
    if (def->cookie != PROFILER_DEF_COOKIE) {
        return TLW_ERROR_BAD_DEF;
    }
    bool ok = is_within("max_threads", def->max_threads, 1, MAX_THREADS) &&
              is_within("events_per_thread", def->events_per_thread, 8, MAX_ENTRIES) &&
              is_within("max_zones", def->max_zones, 1, MAX_ENTRIES / 8) &&
              is_within("max_plots", def->max_plots, 0, MAX_ENTRIES / 8) &&
              is_within("max_pools", def->max_pools, 0, MAX_ENTRIES / 8) &&
              is_within("window", def->window, 1, MAX_ENTRIES) &&
              is_within("history_events", def->history_events, 1, MAX_ENTRIES) &&
              is_within("frame_window", def->frame_window, 1, MAX_ENTRIES) &&
              is_within("max_worst_frames", def->max_worst_frames, 0, MAX_ENTRIES);
    if (ok && (def->events_per_thread & (def->events_per_thread - 1)) != 0) {
        tlw_log(TLW_LOG_ERROR, "tlw_profiler_def: events_per_thread is %u; it must be a power of 2",
                def->events_per_thread);
        ok = false;
    }
    if (ok && !(def->frame_budget_ms > 0.0 && __builtin_isfinite(def->frame_budget_ms))) {
        tlw_log(TLW_LOG_ERROR, "tlw_profiler_def: frame_budget_ms must be more than 0");
        ok = false;
    }
    return ok ? TLW_OK : TLW_ERROR_BAD_ARGUMENT;
}

typedef struct profiler_parts {
    tlw_profiler* profiler;
    tlw_event_ring* rings;
    tlw_event* events;
    tlw_name_entry* names;
    tlw_zone_record* zones;
    uint64_t* window_cycles;
    tlw_plot_record* plots;
    tlw_pool_record* pools;
    tlw_track* tracks;
    tlw_history_event* history;
    uint64_t* frame_window_cycles;
    tlw_frame_record* worst_frames;
    uint64_t* sort_scratch;
} profiler_parts;

// Four times the number of names: probes stay short, and there is room for literals with the same
// text at several addresses.
static uint32_t name_capacity(const tlw_profiler_def* def) {
    uint32_t least = 4 * (def->max_zones + def->max_plots + def->max_pools);
    uint32_t capacity = 16;
    while (capacity < least) {
        capacity *= 2;
    }
    return capacity;
}

// The same pushes measure and allocate. The widest alignment comes first. False if an array did not
// fit.
static bool push_parts(tlw_arena* arena, const tlw_profiler_def* def, profiler_parts* parts) {
    size_t threads = def->max_threads;
    size_t scratch = def->window > def->frame_window ? def->window : def->frame_window;
    return (parts->profiler = TLW_ARENA_PUSH(arena, tlw_profiler, 1)) &&
           (parts->rings = TLW_ARENA_PUSH(arena, tlw_event_ring, threads)) &&
           (parts->events = tlw_arena_push_array(arena, threads * def->events_per_thread,
                                                 sizeof(tlw_event), TLW_FALSE_SHARING_BYTES)) &&
           (parts->names = TLW_ARENA_PUSH(arena, tlw_name_entry, name_capacity(def))) &&
           (parts->zones = TLW_ARENA_PUSH(arena, tlw_zone_record, def->max_zones)) &&
           (parts->window_cycles =
                TLW_ARENA_PUSH(arena, uint64_t, (size_t)def->max_zones * def->window)) &&
           (parts->plots = TLW_ARENA_PUSH(arena, tlw_plot_record, def->max_plots)) &&
           (parts->pools = TLW_ARENA_PUSH(arena, tlw_pool_record, def->max_pools)) &&
           (parts->tracks = TLW_ARENA_PUSH(arena, tlw_track, TRACKS_PER_RING * threads)) &&
           (parts->history = TLW_ARENA_PUSH(arena, tlw_history_event, def->history_events)) &&
           (parts->frame_window_cycles = TLW_ARENA_PUSH(arena, uint64_t, def->frame_window)) &&
           (parts->worst_frames = TLW_ARENA_PUSH(arena, tlw_frame_record, def->max_worst_frames)) &&
           (parts->sort_scratch = TLW_ARENA_PUSH(arena, uint64_t, scratch));
}

tlw_result tlw_profiler_bytes(const tlw_profiler_def* def, size_t* bytes) {
    TLW_ASSERT(def != NULL && bytes != NULL);
    tlw_result result = check_def(def);
    if (result != TLW_OK) {
        return result;
    }
    tlw_arena arena;
    tlw_arena_init_measuring(&arena, "profiler");
    profiler_parts parts;
    if (!push_parts(&arena, def, &parts)) {
        return TLW_ERROR_OVERFLOW;
    }
    *bytes = arena.high_water_bytes;
    return TLW_OK;
}

tlw_result tlw_profiler_create(const tlw_profiler_def* def, void* memory, size_t bytes,
                               tlw_profiler** profiler) {
    TLW_ASSERT(def != NULL && profiler != NULL);
    tlw_result result = check_def(def);
    if (result != TLW_OK) {
        return result;
    }
    if (((uintptr_t)memory & (TLW_PROFILER_ALIGNMENT - 1)) != 0) {
        return TLW_ERROR_MISALIGNED;
    }
    tlw_arena arena;
    result = tlw_arena_init(&arena, "profiler", memory, bytes);
    if (result != TLW_OK) {
        return result;
    }
    profiler_parts parts;
    if (!push_parts(&arena, def, &parts)) {
        tlw_arena_release(memory, bytes);
        return TLW_ERROR_OUT_OF_MEMORY;
    }

    tlw_profiler* p = parts.profiler;
    memset(p, 0, sizeof *p);
    p->def = *def;
    p->memory_bytes = bytes;
    p->rings = parts.rings;
    memset(p->rings, 0, sizeof *p->rings * def->max_threads);
    for (uint32_t i = 0; i < def->max_threads; ++i) {
        p->rings[i].events = parts.events + (size_t)i * def->events_per_thread;
        p->rings[i].mask = def->events_per_thread - 1;
        p->rings[i].profiler = p;
    }
    p->names = parts.names;
    p->name_capacity = name_capacity(def);
    memset(p->names, 0, sizeof *p->names * p->name_capacity);
    p->zones = parts.zones;
    for (uint32_t i = 0; i < def->max_zones; ++i) {
        p->zones[i] =
            (tlw_zone_record){.window_cycles = parts.window_cycles + (size_t)i * def->window};
    }
    p->plots = parts.plots;
    p->pools = parts.pools;
    p->tracks = parts.tracks;
    p->max_tracks = TRACKS_PER_RING * def->max_threads;
    p->history = parts.history;
    p->frame_window_cycles = parts.frame_window_cycles;
    p->worst_frames = parts.worst_frames;
    p->sort_scratch = parts.sort_scratch;
    p->scale = tlw_cycles_calibrate(def->calibrate_ns);
    *profiler = p;
    return TLW_OK;
}

// ---- collecting

static bool try_begin_reading(tlw_profiler* profiler) {
    return atomic_exchange_explicit(&profiler->reading, 1, memory_order_acquire) == 0;
}

void tlw_profiler_begin_reading(tlw_profiler* profiler) {
    TLW_ASSERT(profiler != NULL);
    while (!try_begin_reading(profiler)) {
        tlw_thread_yield();
    }
}

void tlw_profiler_end_reading(tlw_profiler* profiler) {
    atomic_store_explicit(&profiler->reading, 0, memory_order_release);
}

static const char* record_name(const tlw_profiler* p, tlw_name_kind kind, uint32_t index) {
    return kind == TLW_NAME_ZONE   ? p->zones[index].site->name
           : kind == TLW_NAME_PLOT ? p->plots[index].statistics.name
                                   : p->pools[index].statistics.name;
}

// Searches by text. It runs once per address of a name, so a linear search is fast enough.
static uint32_t find_or_add_record(tlw_profiler* p, tlw_name_kind kind, const char* name,
                                   const tlw_zone_site* site) {
    uint32_t* count = kind == TLW_NAME_ZONE   ? &p->zone_count
                      : kind == TLW_NAME_PLOT ? &p->plot_count
                                              : &p->pool_count;
    uint32_t capacity = kind == TLW_NAME_ZONE   ? p->def.max_zones
                        : kind == TLW_NAME_PLOT ? p->def.max_plots
                                                : p->def.max_pools;
    for (uint32_t i = 0; i < *count; ++i) {
        if (strcmp(record_name(p, kind, i), name) == 0) {
            return i;
        }
    }
    if (*count == capacity) {
        return TLW_NO_RECORD;
    }
    uint32_t index = (*count)++;
    if (kind == TLW_NAME_ZONE) {
        p->zones[index].site = site;
    } else if (kind == TLW_NAME_PLOT) {
        p->plots[index] = (tlw_plot_record){.statistics = {.name = name}};
    } else {
        p->pools[index] = (tlw_pool_record){.statistics = {.name = name}};
    }
    return index;
}

uint32_t tlw_profiler_record_of(tlw_profiler* p, tlw_name_kind kind, const char* name,
                                const tlw_zone_site* site) {
    uint64_t hash = ((uint64_t)(uintptr_t)name + (uint64_t)kind) * 0x9E3779B97F4A7C15u;
    uint32_t at = (uint32_t)(hash >> 32) & (p->name_capacity - 1);
    while (p->names[at].name) {
        if (p->names[at].name == name && p->names[at].kind == (uint32_t)kind) {
            return p->names[at].index;
        }
        at = (at + 1) & (p->name_capacity - 1);
    }
    uint32_t index = find_or_add_record(p, kind, name, site);
    // A quarter stays free, so that every probe ends. Further names are searched by text each time.
    if (p->name_count < p->name_capacity / 4 * 3) {
        p->names[at] = (tlw_name_entry){.name = name, .kind = (uint32_t)kind, .index = index};
        p->name_count += 1;
    }
    return index;
}

static void remember(tlw_profiler* p, const tlw_event* event, uint32_t track) {
    tlw_history_event* place = &p->history[p->history_next];
    if (p->history_count == p->def.history_events) {
        p->forgotten_events += 1;
        const tlw_event* oldest = &place->event;
        tlw_event_kind kind = tlw_event_get_kind(oldest);
        if (kind == TLW_EVENT_POOL_ALLOC || kind == TLW_EVENT_POOL_FREE) {
            uint32_t pool = tlw_profiler_record_of(p, TLW_NAME_POOL, oldest->name, NULL);
            if (pool != TLW_NO_RECORD) {
                p->pools[pool].forgotten_bytes += kind == TLW_EVENT_POOL_ALLOC
                                                      ? (int64_t)oldest->payload
                                                      : -(int64_t)oldest->payload;
            }
        }
    }
    place->event = *event;
    place->track = track;
    place->order = p->history_order++;
    p->history_count += p->history_count < p->def.history_events;
    p->history_next = (p->history_next + 1) % p->def.history_events;
}

static void take_zone(tlw_profiler* p, const tlw_event* event) {
    const tlw_zone_site* site = event->name;
    uint32_t index = tlw_profiler_record_of(p, TLW_NAME_ZONE, site->name, site);
    if (index == TLW_NO_RECORD) {
        p->unnamed_events += 1;
        return;
    }
    tlw_zone_record* zone = &p->zones[index];
    uint64_t span = tlw_event_get_span(event);
    zone->window_cycles[zone->count % p->def.window] = span;
    zone->count += 1;
    zone->total_cycles += span;
}

static void take_worst_frame(tlw_profiler* p, tlw_frame_record frame) {
    uint32_t at = p->worst_frame_count;
    while (at > 0 && p->worst_frames[at - 1].cycles < frame.cycles) {
        at -= 1;
    }
    if (at == p->def.max_worst_frames) {
        return;
    }
    uint32_t kept = p->worst_frame_count;
    if (kept == p->def.max_worst_frames) {
        kept -= 1; // drops the shortest
    }
    memmove(&p->worst_frames[at + 1], &p->worst_frames[at], sizeof frame * (kept - at));
    p->worst_frames[at] = frame;
    p->worst_frame_count = kept + 1;
}

static void take_frame(tlw_profiler* p, tlw_event* event) {
    if (p->frame_marks > 0 && event->cycles < p->last_mark_cycles) {
        return; // two threads mark frames, and a later mark was already handled
    }
    if (p->frame_marks > 0) {
        uint64_t cycles = event->cycles - p->last_mark_cycles;
        p->frame_window_cycles[p->frame_count % p->def.frame_window] = cycles;
        p->frame_count += 1;
        p->frame_total_cycles += cycles;
        p->frames_over_budget += tlw_cycles_to_ns(p->scale, cycles) > p->def.frame_budget_ms * 1e6;
        take_worst_frame(p, (tlw_frame_record){.begin_cycles = p->last_mark_cycles,
                                               .cycles = cycles,
                                               .number = p->frame_count});
    }
    p->frame_marks += 1;
    p->last_mark_cycles = event->cycles;
    event->payload = p->frame_marks; // for the trace: number of the frame that begins here
}

static void take_plot(tlw_profiler* p, const tlw_event* event) {
    uint32_t index = tlw_profiler_record_of(p, TLW_NAME_PLOT, event->name, NULL);
    if (index == TLW_NO_RECORD) {
        p->unnamed_events += 1;
        return;
    }
    tlw_plot_statistics* plot = &p->plots[index].statistics;
    double value;
    memcpy(&value, &event->payload, sizeof value);
    // A NaN is never the minimum or maximum, also if it came first.
    plot->min = plot->count == 0 || plot->min != plot->min || value < plot->min ? value : plot->min;
    plot->max = plot->count == 0 || plot->max != plot->max || value > plot->max ? value : plot->max;
    plot->last = value;
    plot->count += 1;
}

static void take_pool(tlw_profiler* p, const tlw_event* event) {
    uint32_t index = tlw_profiler_record_of(p, TLW_NAME_POOL, event->name, NULL);
    if (index == TLW_NO_RECORD) {
        p->unnamed_events += 1;
        return;
    }
    tlw_pool_statistics* pool = &p->pools[index].statistics;
    if (tlw_event_get_kind(event) == TLW_EVENT_POOL_ALLOC) {
        pool->bytes += (int64_t)event->payload;
        pool->allocations += 1;
    } else {
        pool->bytes -= (int64_t)event->payload;
        pool->frees += 1;
    }
    if (pool->bytes > pool->peak_bytes) {
        pool->peak_bytes = pool->bytes;
    }
}

static uint32_t take_thread(tlw_profiler* p, const tlw_event* event) {
    uint32_t index = 0;
    while (index < p->track_count && p->tracks[index].system_id != event->cycles) {
        index += 1;
    }
    if (index == p->track_count) {
        if (p->track_count < p->max_tracks) {
            p->track_count += 1;
        } else {
            index -= 1; // more threads than tracks: the last ones share a track
        }
        p->tracks[index] = (tlw_track){.system_id = event->cycles};
    }
    // Also if the name is empty, because systems reuse the number of a dead thread.
    memcpy(p->tracks[index].name, event->thread, sizeof event->thread);
    return index;
}

static void take_event(tlw_profiler* p, tlw_event_ring* ring, tlw_event* event) {
    switch (tlw_event_get_kind(event)) {
    case TLW_EVENT_ZONE:
    case TLW_EVENT_ZONE_WITH_VALUE:
    case TLW_EVENT_ZONE_WITH_NAME:
        take_zone(p, event);
        break;
    case TLW_EVENT_FRAME:
        take_frame(p, event);
        break;
    case TLW_EVENT_PLOT:
        take_plot(p, event);
        break;
    case TLW_EVENT_POOL_ALLOC:
    case TLW_EVENT_POOL_FREE:
        take_pool(p, event);
        break;
    case TLW_EVENT_MESSAGE:
        break;
    case TLW_EVENT_THREAD:
        ring->track = take_thread(p, event);
        return;
    }
    remember(p, event, ring->track);
}

tlw_result tlw_profiler_collect(tlw_profiler* profiler) {
    TLW_ASSERT(profiler != NULL);
    if (!try_begin_reading(profiler)) {
        return TLW_ERROR_BUSY;
    }
    // Not while the origin is so recent that the scale from create, or from ARM's frequency
    // register, is better.
    uint64_t age_cycles = tlw_cycles() - profiler->scale.origin_cycles;
    if (tlw_cycles_to_ns(profiler->scale, age_cycles) > RECALIBRATE_AFTER_NS) {
        profiler->scale = tlw_cycles_recalibrate(profiler->scale);
    }
    for (uint32_t i = 0; i < profiler->def.max_threads; ++i) {
        tlw_event_ring* ring = &profiler->rings[i];
        uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
        uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
        for (; tail != head; ++tail) {
            // A named copy, because race detectors do not see a copy made for an argument.
            tlw_event event = ring->events[tail & ring->mask];
            take_event(profiler, ring, &event);
        }
        atomic_store_explicit(&ring->tail, tail, memory_order_release);
    }
    tlw_profiler_end_reading(profiler);
    return TLW_OK;
}

// ---- reading

void tlw_heap_sort(void* items, size_t count, size_t item_bytes,
                   bool (*comes_before)(const void* a, const void* b)) {
    uint8_t* base = items;
    uint8_t spare[64];
    TLW_ASSERT(item_bytes <= sizeof spare);
    // The first half of the rounds builds a heap from the back. The second half moves its top, the
    // last in order, to the end.
    for (size_t step = count / 2 + count; step-- > 1;) {
        size_t at = step >= count ? step - count : 0;
        size_t end = step >= count ? count : step;
        if (step < count) {
            memcpy(spare, base + end * item_bytes, item_bytes);
            memcpy(base + end * item_bytes, base, item_bytes);
        } else {
            memcpy(spare, base + at * item_bytes, item_bytes);
        }
        // Sifts `spare` down from `at` among the first `end` items.
        for (size_t child; (child = 2 * at + 1) < end; at = child) {
            if (child + 1 < end &&
                comes_before(base + child * item_bytes, base + (child + 1) * item_bytes)) {
                child += 1;
            }
            if (!comes_before(spare, base + child * item_bytes)) {
                break;
            }
            memcpy(base + at * item_bytes, base + child * item_bytes, item_bytes);
        }
        memcpy(base + at * item_bytes, spare, item_bytes);
    }
}

static bool is_shorter(const void* a, const void* b) {
    return *(const uint64_t*)a < *(const uint64_t*)b;
}

// Nearest rank: the ceil(share * count)-th smallest sample.
static double percentile(const tlw_profiler* p, const uint64_t* sorted, uint32_t count,
                         uint32_t percent) {
    uint64_t rank = ((uint64_t)count * percent + 99) / 100;
    return tlw_cycles_to_ns(p->scale, sorted[rank - 1]);
}

static tlw_time_statistics summarise(tlw_profiler* p, const uint64_t* window_cycles, uint64_t total,
                                     uint32_t window) {
    uint32_t count = total < window ? (uint32_t)total : window;
    tlw_time_statistics statistics = {.samples = count};
    if (count > 0) {
        uint64_t* sorted = p->sort_scratch;
        memcpy(sorted, window_cycles, sizeof *sorted * count);
        tlw_heap_sort(sorted, count, sizeof *sorted, is_shorter);
        statistics.min_ns = tlw_cycles_to_ns(p->scale, sorted[0]);
        statistics.max_ns = tlw_cycles_to_ns(p->scale, sorted[count - 1]);
        statistics.p50_ns = percentile(p, sorted, count, 50);
        statistics.p95_ns = percentile(p, sorted, count, 95);
        statistics.p99_ns = percentile(p, sorted, count, 99);
    }
    return statistics;
}

static uint32_t read_count(tlw_profiler* profiler, const uint32_t* count) {
    tlw_profiler_begin_reading(profiler);
    uint32_t result = *count;
    tlw_profiler_end_reading(profiler);
    return result;
}

uint32_t tlw_profiler_zone_count(tlw_profiler* profiler) {
    return read_count(profiler, &profiler->zone_count);
}

static void fill_zone(tlw_profiler* p, uint32_t index, tlw_zone_statistics* out) {
    const tlw_zone_record* zone = &p->zones[index];
    *out = (tlw_zone_statistics){.name = zone->site->name,
                                 .colour = zone->site->colour,
                                 .count = zone->count,
                                 .total_ns = tlw_cycles_to_ns(p->scale, zone->total_cycles),
                                 .window =
                                     summarise(p, zone->window_cycles, zone->count, p->def.window)};
}

tlw_result tlw_profiler_zone(tlw_profiler* profiler, uint32_t index, tlw_zone_statistics* zone) {
    TLW_ASSERT(zone != NULL);
    tlw_profiler_begin_reading(profiler);
    bool found = index < profiler->zone_count;
    if (found) {
        fill_zone(profiler, index, zone);
    }
    tlw_profiler_end_reading(profiler);
    return found ? TLW_OK : TLW_ERROR_BAD_ARGUMENT;
}

tlw_result tlw_profiler_find_zone(tlw_profiler* profiler, const char* name,
                                  tlw_zone_statistics* zone) {
    TLW_ASSERT(name != NULL && zone != NULL);
    tlw_profiler_begin_reading(profiler);
    uint32_t index = 0;
    while (index < profiler->zone_count && strcmp(profiler->zones[index].site->name, name) != 0) {
        index += 1;
    }
    bool found = index < profiler->zone_count;
    if (found) {
        fill_zone(profiler, index, zone);
    }
    tlw_profiler_end_reading(profiler);
    return found ? TLW_OK : TLW_ERROR_NOT_FOUND;
}

void tlw_profiler_frames(tlw_profiler* p, tlw_frame_statistics* frames) {
    TLW_ASSERT(frames != NULL);
    tlw_profiler_begin_reading(p);
    *frames = (tlw_frame_statistics){
        .count = p->frame_count,
        .over_budget = p->frames_over_budget,
        .budget_ms = p->def.frame_budget_ms,
        .total_ns = tlw_cycles_to_ns(p->scale, p->frame_total_cycles),
        .window = summarise(p, p->frame_window_cycles, p->frame_count, p->def.frame_window)};
    tlw_profiler_end_reading(p);
}

uint32_t tlw_profiler_worst_frames(tlw_profiler* p, tlw_worst_frame* list, uint32_t capacity) {
    TLW_ASSERT(list != NULL || capacity == 0);
    tlw_profiler_begin_reading(p);
    uint32_t count = p->worst_frame_count < capacity ? p->worst_frame_count : capacity;
    for (uint32_t i = 0; i < count; ++i) {
        const tlw_frame_record* frame = &p->worst_frames[i];
        list[i] = (tlw_worst_frame){.number = frame->number,
                                    .begin_clock_ns =
                                        tlw_cycles_to_clock_ns(p->scale, frame->begin_cycles),
                                    .ns = tlw_cycles_to_ns(p->scale, frame->cycles)};
    }
    tlw_profiler_end_reading(p);
    return count;
}

uint32_t tlw_profiler_plot_count(tlw_profiler* profiler) {
    return read_count(profiler, &profiler->plot_count);
}

tlw_result tlw_profiler_plot(tlw_profiler* profiler, uint32_t index, tlw_plot_statistics* plot) {
    TLW_ASSERT(plot != NULL);
    tlw_profiler_begin_reading(profiler);
    bool found = index < profiler->plot_count;
    if (found) {
        *plot = profiler->plots[index].statistics;
    }
    tlw_profiler_end_reading(profiler);
    return found ? TLW_OK : TLW_ERROR_BAD_ARGUMENT;
}

uint32_t tlw_profiler_pool_count(tlw_profiler* profiler) {
    return read_count(profiler, &profiler->pool_count);
}

tlw_result tlw_profiler_pool(tlw_profiler* profiler, uint32_t index, tlw_pool_statistics* pool) {
    TLW_ASSERT(pool != NULL);
    tlw_profiler_begin_reading(profiler);
    bool found = index < profiler->pool_count;
    if (found) {
        *pool = profiler->pools[index].statistics;
    }
    tlw_profiler_end_reading(profiler);
    return found ? TLW_OK : TLW_ERROR_BAD_ARGUMENT;
}

void tlw_profiler_get_health(tlw_profiler* p, tlw_profiler_health* health) {
    TLW_ASSERT(health != NULL);
    lock_registry();
    uint32_t attached = count_attached(p);
    unlock_registry();
    tlw_profiler_begin_reading(p);
    *health = (tlw_profiler_health){
        .unnamed_events = p->unnamed_events,
        .refused_threads = atomic_load_explicit(&p->refused_threads, memory_order_relaxed),
        .forgotten_events = p->forgotten_events,
        .attached_threads = attached,
        .counter_is_steady = tlw_cycles_are_steady(),
        .scale = p->scale};
    for (uint32_t i = 0; i < p->def.max_threads; ++i) {
        health->dropped_events += atomic_load_explicit(&p->rings[i].dropped, memory_order_relaxed);
    }
    tlw_profiler_end_reading(p);
}
