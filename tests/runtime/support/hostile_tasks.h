// SPDX-License-Identifier: MIT
// A task system that does all that platform/task.h allows and nobody expects: nothing runs before
// it must, then the last item first, one at a time, on threads that are not the caller's, with
// changing workers, and with the float control word of an audio thread. Or everything at once, on
// another thread, before enqueue returns.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_HOSTILE_TASKS_H
#define TLW_TESTS_RUNTIME_SUPPORT_HOSTILE_TASKS_H

#include "platform/task.h"

typedef enum hostile_manner { HOSTILE_LATE, HOSTILE_EAGER } hostile_manner;

typedef struct hostile hostile;

// Threads are started here and joined by free. 2 workers a thread.
hostile* hostile_make(hostile_manner manner, uint32_t threads);
void hostile_free(hostile* h);
tlw_task_system hostile_tasks(hostile* h);
// Whether some task left the control word other than it was, or ranges were asked for that do not
// belong to a handle. Read after the last finish.
bool hostile_saw_fault(const hostile* h);

// The control word of a thread of ill will: rounds down, flushes denormals. For the caller's side.
uint64_t hostile_float_begin(void);
void hostile_float_end(uint64_t last);

#endif
