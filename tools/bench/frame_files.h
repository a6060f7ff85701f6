// SPDX-License-Identifier: MIT
// Measured frames as CSV, JSON and HTML. README.md says what every column and key is.
#ifndef TLW_TOOLS_BENCH_FRAME_FILES_H
#define TLW_TOOLS_BENCH_FRAME_FILES_H

#include "tools/bench/frames.h"
#include "tools/bench/machine.h"
#include "tools/command/text.h"

// Everything that a report is made of.
typedef struct tlw_frames_result {
    tlw_frames frames;
    tlw_verdict verdict;
    tlw_scaling scaling;
    tlw_machine machine;
    bool is_quick;
} tlw_frames_result;

void tlw_frames_to_csv(const tlw_frames* frames, tlw_text* out);
void tlw_frames_to_json(const tlw_frames_result* result, tlw_text* out);
void tlw_frames_to_html(const tlw_frames_result* result, tlw_text* out);

#endif
