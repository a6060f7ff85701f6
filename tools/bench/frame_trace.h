// SPDX-License-Identifier: MIT
// The built-in profiler around a scene's frames, and what it saw as a trace for Perfetto.
#ifndef TLW_TOOLS_BENCH_FRAME_TRACE_H
#define TLW_TOOLS_BENCH_FRAME_TRACE_H

#include "tools/bench/frames.h"

typedef struct tlw_frame_trace tlw_frame_trace;

// Whether this build's zones go where a trace can be made of them.
bool tlw_frame_trace_is_there(void);
// Installs a profiler. Null: no memory, or another one is installed.
tlw_frame_trace* tlw_frame_trace_begin(double budget_ms);
// The newest events that there was room for. What the names belong to must still be there.
tlw_frames_trace tlw_frame_trace_write(tlw_frame_trace* trace, tlw_file_writer* writer);
// When all threads that recorded have ended, or sleep. Null: nothing.
void tlw_frame_trace_end(tlw_frame_trace* trace);

#endif
