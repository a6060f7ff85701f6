// SPDX-License-Identifier: MIT
// The Tracy backend, the only file that includes Tracy's header. It uses functions and macros that
// exist since v0.9. Where functions changed their arguments since then (messages, named memory) it
// uses the macros, which did not change.
#include <string.h>

#include "profiling/profile.h"

#include <tracy/TracyC.h>

#if TLW_PROFILE_BACKEND != TLW_PROFILE_TRACY
#    error "this file belongs to builds with TLW_PROFILING=tracy"
#endif
#if !defined(TRACY_ENABLE)
#    error "this Tracy client was built without TRACY_ENABLE: it has no zones to give"
#endif

typedef struct ___tracy_source_location_data tracy_site;

#define SAME_PLACE(ours, theirs)                                                                 \
    TLW_STATIC_ASSERT(offsetof(tlw_zone_site, ours) == offsetof(tracy_site, theirs) &&           \
                          sizeof(((tlw_zone_site*)0)->ours) == sizeof(((tracy_site*)0)->theirs), \
                      "tlw_zone_site is Tracy's source location: " #ours)
SAME_PLACE(name, name);
SAME_PLACE(function, function);
SAME_PLACE(file, file);
SAME_PLACE(line, line);
SAME_PLACE(colour, color);
TLW_STATIC_ASSERT(sizeof(tlw_zone_site) == sizeof(tracy_site), "and no more");
TLW_STATIC_ASSERT(sizeof(TracyCZoneCtx) <= sizeof(((tlw_zone*)0)->context),
                  "a zone has room for Tracy's context, also with TRACY_ON_DEMAND");

static TLW_THREAD_LOCAL tlw_zone* innermost;

void tlw_tracy_zone_begin(tlw_zone* zone, const tlw_zone_site* site) {
    TracyCZoneCtx context = ___tracy_emit_zone_begin((const tracy_site*)(const void*)site, 1);
    memcpy(zone->context, &context, sizeof context);
    zone->outer = innermost;
    innermost = zone;
}

static TracyCZoneCtx context_of(const tlw_zone* zone) {
    TracyCZoneCtx context;
    memcpy(&context, zone->context, sizeof context);
    return context;
}

void tlw_tracy_zone_end(tlw_zone* zone) {
    innermost = zone->outer;
    TracyCZoneEnd(context_of(zone));
}

void tlw_tracy_zone_value(uint64_t value) {
    if (innermost) {
        TracyCZoneValue(context_of(innermost), value);
    }
}

void tlw_tracy_zone_name(const char* text) {
    if (innermost) {
        TracyCZoneName(context_of(innermost), text, strlen(text)); // copies it
    }
}

void tlw_tracy_frame_mark(void) {
    TracyCFrameMark;
}

void tlw_tracy_plot(const char* name, double value) {
    TracyCPlot(name, value);
}

void tlw_tracy_message(const char* text) {
    TracyCMessageL(text);
}

void tlw_tracy_thread_name(const char* name) {
    TracyCSetThreadName(name); // copies it
}

void tlw_tracy_pool_alloc(const char* pool, const void* pointer, size_t bytes) {
    TracyCAllocN(pointer, bytes, pool);
}

void tlw_tracy_pool_free(const char* pool, const void* pointer, size_t bytes) {
    (void)bytes; // Tracy looks the pointer up, and ends the capture if it is unknown
    TracyCFreeN(pointer, pool);
}
