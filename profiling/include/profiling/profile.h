// SPDX-License-Identifier: MIT
// Macros for zones, frame marks, plots, messages, thread names and memory pools, with three
// backends: none (no code at all), built-in (profiling/profiler.h) and Tracy (profile_tracy.c). A
// file writes TLW_ZONE("skin") and knows nothing else of profiling.
//
//     void skin(character* c) {
//         TLW_ZONE("skin");              // ends with the block, whichever way it is left
//         TLW_ZONE_NAME(c->name);        // the name that viewers show for the innermost zone
//         if (c->voxel_count == 0) {
//             return;
//         }
//         ...
//     }
//
// Names are string literals (the macros accept nothing else) and must outlive the capture, so a
// shared library with zones has to stay loaded until the trace is written. Thread names are copied.
// A TLW_ZONE_NAME may be any text that outlives the capture; it replaces the zone's value. A zone
// must not be left by longjmp, and not be entered by goto or by a case of a switch.
#ifndef TLW_PROFILING_PROFILE_H
#define TLW_PROFILING_PROFILE_H

#include "platform/base.h"

#define TLW_PROFILE_NONE    0
#define TLW_PROFILE_BUILTIN 1
#define TLW_PROFILE_TRACY   2

// Defined by the build (TLW_PROFILING). A file that is compiled without it is not profiled.
#if !defined(TLW_PROFILE_BACKEND)
#    define TLW_PROFILE_BACKEND TLW_PROFILE_NONE
#endif

TLW_EXTERN_C_BEGIN

// Where a zone is in the source. It has the same members as Tracy's source location, so that a
// pointer to it can be passed to Tracy's client; profile_tracy.c asserts this.
typedef struct tlw_zone_site {
    const char* name;
    const char* function;
    const char* file;
    uint32_t line;
    uint32_t colour; // 0xRRGGBB; 0: the viewer chooses
} tlw_zone_site;

// An element of a table of sites, such as the one that the pass table generates. The table has
// static storage; give its elements to TLW_ZONE_AT.
#define TLW_ZONE_SITE(name, rgb) \
    { "" name, "" name, __FILE__, (uint32_t)__LINE__, (uint32_t)(rgb) }

// An open zone, on the stack of the thread that opened it. The fields belong to the backend.
#if TLW_PROFILE_BACKEND == TLW_PROFILE_TRACY
typedef struct tlw_zone {
    struct tlw_zone* outer;
    uint64_t context[2];
} tlw_zone;
#else
typedef struct tlw_zone {
    const tlw_zone_site* site;
    struct tlw_zone* outer;
    uint64_t begin_cycles;
    uint64_t generation; // of the installed profiler; 0: none, and nothing is recorded
    uint64_t value;      // a value, or the address of a name
    uint64_t extra;      // tlw_zone_extra: what `value` is
} tlw_zone;

typedef enum tlw_zone_extra {
    TLW_ZONE_HAS_NOTHING,
    TLW_ZONE_HAS_VALUE,
    TLW_ZONE_HAS_NAME
} tlw_zone_extra;
#endif

#if TLW_PROFILE_BACKEND == TLW_PROFILE_NONE

// A static assert and not an empty statement, because it is a declaration as a real zone is. So
// code that compiles without profiling also compiles with it.
#    define TLW_ZONE(name) TLW_STATIC_ASSERT(sizeof("" name) > 1, "a zone needs a name")
#    define TLW_ZONE_COLOUR(name, rgb)                                   \
        TLW_STATIC_ASSERT(sizeof("" name) > sizeof((uint32_t)(rgb)) * 0, \
                          "a colour is a number 0xRRGGBB")
#    define TLW_ZONE_AT(site)                                         \
        TLW_STATIC_ASSERT(sizeof((site)->colour) == sizeof(uint32_t), \
                          "a pointer to a tlw_zone_site goes here")

// Compiled but never evaluated.
#    define TLW_ZONE_VALUE(value) ((void)sizeof((uint64_t)(value)))
#    define TLW_ZONE_NAME(text)   ((void)sizeof(*(text)))
#    define TLW_FRAME_MARK()      ((void)0)
#    define TLW_PLOT(name, value) ((void)sizeof("" name), (void)sizeof((double)(value)))
#    define TLW_MESSAGE(text)     ((void)sizeof("" text))
#    define TLW_THREAD_NAME(text) ((void)sizeof(*(text)))
#    define TLW_POOL_ALLOC(pool, pointer, bytes)                                  \
        ((void)sizeof("" pool), (void)sizeof((const void*)(pointer) == (void*)0), \
         (void)sizeof((size_t)(bytes)))
#    define TLW_POOL_FREE(pool, pointer, bytes) TLW_POOL_ALLOC(pool, pointer, bytes)

#else

#    if TLW_PROFILE_BACKEND == TLW_PROFILE_BUILTIN
#        define TLW_PROFILE_CALL_(function) tlw_builtin_##function
#    elif TLW_PROFILE_BACKEND == TLW_PROFILE_TRACY
#        define TLW_PROFILE_CALL_(function) tlw_tracy_##function
#    else
#        error "TLW_PROFILE_BACKEND is 0 (none), 1 (built-in) or 2 (Tracy)"
#    endif

// The functions that the macros call. They are deliberately not inline: a zone then adds two calls
// to the profiled code and no thread-local access, which also keeps thread-locals out of C++ and
// plugins.
void TLW_PROFILE_CALL_(zone_begin)(tlw_zone* zone, const tlw_zone_site* site);
void TLW_PROFILE_CALL_(zone_end)(tlw_zone* zone);
void TLW_PROFILE_CALL_(zone_value)(uint64_t value);
void TLW_PROFILE_CALL_(zone_name)(const char* text);
void TLW_PROFILE_CALL_(frame_mark)(void);
void TLW_PROFILE_CALL_(plot)(const char* name, double value);
void TLW_PROFILE_CALL_(message)(const char* text);
void TLW_PROFILE_CALL_(thread_name)(const char* name);
void TLW_PROFILE_CALL_(pool_alloc)(const char* pool, const void* pointer, size_t bytes);
void TLW_PROFILE_CALL_(pool_free)(const char* pool, const void* pointer, size_t bytes);

// Uses __COUNTER__ and not __LINE__, so that several zones on one line have different names.
#    define TLW_ZONE(name)             TLW_ZONE_SITED_("" name, 0, __COUNTER__)
#    define TLW_ZONE_COLOUR(name, rgb) TLW_ZONE_SITED_("" name, rgb, __COUNTER__)
#    define TLW_ZONE_AT(site)          TLW_ZONE_OPEN_(site, __COUNTER__)
#    define TLW_ZONE_SITED_(name, rgb, number)                              \
        static const tlw_zone_site TLW_CONCAT(tlw_zone_site_, number) = {   \
            name, __func__, __FILE__, (uint32_t)__LINE__, (uint32_t)(rgb)}; \
        TLW_ZONE_OPEN_(&TLW_CONCAT(tlw_zone_site_, number), number)

#    if defined(__cplusplus)
#        define TLW_ZONE_OPEN_(site, number) \
            const tlw_zone_scope TLW_CONCAT(tlw_zone_, number)(site)
#    else
#        define TLW_ZONE_OPEN_(site, number)                      \
            __attribute__((cleanup(TLW_PROFILE_CALL_(zone_end)))) \
            tlw_zone TLW_CONCAT(tlw_zone_, number);               \
            TLW_PROFILE_CALL_(zone_begin)(&TLW_CONCAT(tlw_zone_, number), site)
#    endif

#    define TLW_ZONE_VALUE(value) TLW_PROFILE_CALL_(zone_value)((uint64_t)(value))
#    define TLW_ZONE_NAME(text)   TLW_PROFILE_CALL_(zone_name)(text)
#    define TLW_FRAME_MARK()      TLW_PROFILE_CALL_(frame_mark)()
#    define TLW_PLOT(name, value) TLW_PROFILE_CALL_(plot)("" name, (double)(value))
#    define TLW_MESSAGE(text)     TLW_PROFILE_CALL_(message)("" text)
#    define TLW_THREAD_NAME(text) TLW_PROFILE_CALL_(thread_name)(text)
#    define TLW_POOL_ALLOC(pool, pointer, bytes) \
        TLW_PROFILE_CALL_(pool_alloc)("" pool, pointer, (size_t)(bytes))
#    define TLW_POOL_FREE(pool, pointer, bytes) \
        TLW_PROFILE_CALL_(pool_free)("" pool, pointer, (size_t)(bytes))

#endif

TLW_EXTERN_C_END

#if defined(__cplusplus) && TLW_PROFILE_BACKEND != TLW_PROFILE_NONE
class tlw_zone_scope {
  public:
    explicit tlw_zone_scope(const tlw_zone_site* site) {
        TLW_PROFILE_CALL_(zone_begin)(&zone, site);
    }
    ~tlw_zone_scope() { TLW_PROFILE_CALL_(zone_end)(&zone); }
    tlw_zone_scope(const tlw_zone_scope&) = delete;
    tlw_zone_scope& operator=(const tlw_zone_scope&) = delete;

  private:
    mutable tlw_zone zone;
};
#endif

#endif
