// SPDX-License-Identifier: MIT
// A C++ program that includes the installed headers and links the libraries.
#include "runtime/tallow.h"

#include <cstdio>

#ifdef CONSUMER_COOKS
#    include "tools/cook/cook.h"
static bool cooks() {
    return tlw_default_cook_recipe().resolution == 48;
}
#else
static bool cooks() {
    return true;
}
#endif

int main() {
    tlw_task_system tasks = tlw_serial_task_system();
    tlw_version version = tlw_get_version();
    std::printf("C++ consumer of Tallow %u.%u.%u\n", version.major, version.minor, version.patch);
    return tasks.worker_count == 1 && cooks() ? 0 : 1;
}
