// SPDX-License-Identifier: MIT
// The serial task system: runs each task at once on the calling thread.
#include "platform/task.h"

static void* serial_enqueue(tlw_task* task, uint32_t count, uint32_t min_range, void* context,
                            void* user) {
    (void)min_range;
    (void)user;
    if (count > 0) {
        task(0, count, 0, context);
    }
    return NULL;
}

static void serial_finish(void* handle, void* user) {
    (void)handle;
    (void)user;
}

tlw_task_system tlw_serial_task_system(void) {
    return (tlw_task_system){.enqueue = serial_enqueue, .finish = serial_finish, .worker_count = 1};
}
