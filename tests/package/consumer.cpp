// SPDX-License-Identifier: MIT
#include "runtime/tallow.h"

#include <cstdio>

int main() {
    tlw_task_system tasks = tlw_serial_task_system();
    tlw_version version = tlw_get_version();
    std::printf("C++ consumer of Tallow %u.%u.%u\n", version.major, version.minor, version.patch);
    return tasks.worker_count == 1 ? 0 : 1;
}
