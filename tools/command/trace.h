// SPDX-License-Identifier: MIT
// Records a stretch of a command's run with the built-in profiler, and writes what it saw as a
// trace that Perfetto and chrome://tracing open.
#ifndef TLW_TOOLS_COMMAND_TRACE_H
#define TLW_TOOLS_COMMAND_TRACE_H

#include "platform/file.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_trace tlw_trace;

// What became of a trace. Older events make room for newer ones.
typedef struct tlw_trace_report {
    bool is_written;
    uint64_t dropped_events, forgotten_events;
} tlw_trace_report;

// Whether this build's zones go to the built-in profiler. A trace of any other build is empty.
bool tlw_trace_is_possible(void);
// Installs a profiler. Null: no memory, or another one is installed. A budget of 0: the default
// one.
tlw_trace* tlw_trace_begin(double budget_ms);
// Writes the newest events that there was room for; the caller commits the file. Zones are named by
// pointers, so what they belong to (a scene and its characters) must still be there.
tlw_trace_report tlw_trace_save(tlw_trace* trace, tlw_file_writer* writer);
// When all threads that recorded have ended, or sleep. Null: nothing happens.
void tlw_trace_end(tlw_trace* trace);

TLW_EXTERN_C_END

#endif
