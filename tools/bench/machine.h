// SPDX-License-Identifier: MIT
// What a figure was measured on, and who else was there.
#ifndef TLW_TOOLS_BENCH_MACHINE_H
#define TLW_TOOLS_BENCH_MACHINE_H

#include "platform/base.h"

#define TLW_MACHINE_NAME_MAX 96

// "Intel(R) Xeon(R) Processor @ 2.80GHz", as the CPU calls itself; "unknown" where it does not.
void tlw_machine_cpu(char name[TLW_MACHINE_NAME_MAX]);
// The same as a file's name: "intel-xeon-processor-2-80ghz".
void tlw_machine_file_name(const char* cpu, char name[TLW_MACHINE_NAME_MAX]);
// "gcc 12.2.0"
const char* tlw_machine_compiler(void);

// CPU seconds of all threads of this process, or of the caller alone, in nanoseconds.
double tlw_machine_cpu_ns(bool is_process);

// The cores that this process may use: how busy they are, and how much of that is our own doing.
typedef struct tlw_machine_watch {
    bool is_known;
    double own_ns;
    double busy, stolen, all; // the system's ticks
} tlw_machine_watch;

void tlw_machine_watch_begin(tlw_machine_watch* watch);
// Share of the cores' time that other processes and the hypervisor took since then; below 0: not
// known, or it was too short to tell.
double tlw_machine_watch_others(const tlw_machine_watch* watch);

#endif
