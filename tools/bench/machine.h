// SPDX-License-Identifier: MIT
// What a figure was measured on, and what it was built with. Figures mean little without it.
#ifndef TLW_TOOLS_BENCH_MACHINE_H
#define TLW_TOOLS_BENCH_MACHINE_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_machine {
    char cpu[96];    // the CPU's brand string, or "unknown"
    uint32_t cores;  // that this process may use
    char system[64]; // kind and version of the operating system; never the host's name
    char compiler[96];
    const char* build;  // CMake's build type, and the profiler's backend
    const char* commit; // with "+" where files had changed; "unknown" outside of a checkout
} tlw_machine;

tlw_machine tlw_machine_describe(void);
// A file name made from a CPU's name: "intel-xeon-processor-2-80ghz".
void tlw_machine_file_name(const char* cpu, char name[96]);

TLW_EXTERN_C_END

#endif
