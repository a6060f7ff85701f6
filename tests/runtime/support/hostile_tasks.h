// SPDX-License-Identifier: MIT
// A task system that does everything that platform/task.h allows and nobody expects. LATE runs
// nothing before finish; then it runs the last item first, one item at a time, on threads other
// than the caller's, with changing worker indices and with the float control word of an audio
// thread. EAGER runs everything on other threads before enqueue returns.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_HOSTILE_TASKS_H
#define TLW_TESTS_RUNTIME_SUPPORT_HOSTILE_TASKS_H

#include "platform/task.h"

typedef enum hostile_manner { HOSTILE_LATE, HOSTILE_EAGER } hostile_manner;

typedef struct hostile hostile;

// Starts the threads; hostile_free joins them. Each thread stands for 2 workers.
hostile* hostile_make(hostile_manner manner, uint32_t threads);
void hostile_free(hostile* h);
tlw_task_system hostile_tasks(hostile* h);
// Whether a task left a changed control word, or the runtime broke the rules of enqueue and finish.
// Read it after the last finish.
bool hostile_saw_fault(const hostile* h);

// Sets a control word that rounds down and flushes denormals; for the calling thread.
uint64_t hostile_float_begin(void);
void hostile_float_end(uint64_t last);

#endif
