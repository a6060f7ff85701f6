// SPDX-License-Identifier: MIT
// Threads that share one batch at a time and take its items from the end.
#include "tests/runtime/support/hostile_tasks.h"

#include "platform/fpu.h"
#include "platform/thread.h"

#include <stdio.h>
#include <stdlib.h>

#define THREADS_MAX 8

typedef struct batch {
    tlw_task* task;
    void* context;
    uint32_t count;
    bool is_used;
} batch;

typedef struct helper {
    struct hostile* owner;
    uint32_t index;
    uint32_t random; // decides which of its two workers is next
    tlw_thread thread;
} helper;

struct hostile {
    hostile_manner manner;
    uint32_t thread_count;
    batch batches[TLW_TASKS_IN_FLIGHT_MAX];
    helper helpers[THREADS_MAX];
    batch* now;          // the batch that is running
    tlw_atomic_u32 left; // how many of its items no helper has taken yet; taken from the end
    tlw_atomic_u32 busy; // how many helpers have not finished with it
    tlw_atomic_u32 call; // counts up whenever there is a batch to run
    tlw_atomic_u32 is_over;
    tlw_atomic_u32 faults;
};

static uint64_t get_word(void) {
#if TLW_CPU_X64
    return _mm_getcsr();
#elif TLW_CPU_ARM64
    uint64_t word;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
#else
    return 0;
#endif
}

uint64_t hostile_float_begin(void) {
    const uint64_t last = get_word();
#if TLW_CPU_X64
    _mm_setcsr(0x1F80u | 0x8040u | 0x2000u); // flush to zero, denormals are zero, round down
#elif TLW_CPU_ARM64
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0x01800000)); // flush to zero, round down
#endif
    return last;
}

void hostile_float_end(uint64_t last) {
    const tlw_float_control control = {last};
    tlw_float_control_restore(&control);
}

// The control word without the status flags that arithmetic sets.
static uint64_t modes_of(uint64_t word) {
#if TLW_CPU_X64
    return word & ~(uint64_t)0x3F;
#else
    return word;
#endif
}

static void take_items(helper* me) {
    hostile* h = me->owner;
    const batch* now = h->now;
    const uint64_t word = modes_of(get_word());
    for (;;) {
        uint32_t left = atomic_load(&h->left);
        while (left > 0 && !atomic_compare_exchange_weak(&h->left, &left, left - 1)) {
        }
        if (left == 0) {
            return;
        }
        // A thread has two worker indices of its own and switches between them at random.
        me->random = me->random * 1664525u + 1013904223u;
        const uint32_t worker = me->index + (me->random >> 31) * h->thread_count;
        now->task(left - 1, left, worker, now->context);
        if (modes_of(get_word()) != word) {
            atomic_fetch_add(&h->faults, 1);
        }
        if ((me->random >> 24 & 7) == 0) {
            tlw_thread_yield();
        }
    }
}

static void helper_main(void* user) {
    helper* me = user;
    hostile* h = me->owner;
    uint32_t seen = 0;
    (void)hostile_float_begin();
    for (;;) {
        while (atomic_load(&h->call) == seen) {
            (void)tlw_wait(&h->call, seen, TLW_WAIT_FOREVER);
        }
        seen += 1;
        if (atomic_load(&h->is_over)) {
            return;
        }
        take_items(me);
        if (atomic_fetch_sub(&h->busy, 1) == 1) {
            tlw_wake_all(&h->busy);
        }
    }
}

static void run_batch(hostile* h, batch* b) {
    h->now = b;
    atomic_store(&h->left, b->count);
    atomic_store(&h->busy, h->thread_count);
    atomic_fetch_add(&h->call, 1);
    tlw_wake_all(&h->call);
    for (uint32_t busy = atomic_load(&h->busy); busy > 0; busy = atomic_load(&h->busy)) {
        (void)tlw_wait(&h->busy, busy, TLW_WAIT_FOREVER);
    }
    b->is_used = false;
}

static void* enqueue(tlw_task* task, uint32_t count, uint32_t min_range, void* context,
                     void* user) {
    hostile* h = user;
    uint32_t free_batch = 0;
    while (free_batch < TLW_TASKS_IN_FLIGHT_MAX && h->batches[free_batch].is_used) {
        ++free_batch;
    }
    if (free_batch == TLW_TASKS_IN_FLIGHT_MAX || task == NULL || min_range == 0) {
        atomic_fetch_add(&h->faults, 1);
        return NULL;
    }
    batch* b = &h->batches[free_batch];
    *b = (batch){task, context, count, true};
    if (h->manner == HOSTILE_EAGER) {
        run_batch(h, b);
        return NULL;
    }
    return b;
}

static void finish(void* handle, void* user) {
    hostile* h = user;
    batch* b = handle;
    if (!b->is_used) {
        atomic_fetch_add(&h->faults, 1);
        return;
    }
    run_batch(h, b);
}

hostile* hostile_make(hostile_manner manner, uint32_t threads) {
    hostile* h = calloc(1, sizeof *h);
    if (h == NULL || threads == 0 || threads > THREADS_MAX) {
        abort();
    }
    h->manner = manner;
    h->thread_count = threads;
    for (uint32_t i = 0; i < threads; ++i) {
        h->helpers[i].owner = h;
        h->helpers[i].index = i;
        h->helpers[i].random = 7 * i + 1;
        tlw_thread_def def = tlw_default_thread_def();
        def.main = helper_main;
        def.user = &h->helpers[i];
        if (tlw_thread_start(&h->helpers[i].thread, &def) != TLW_OK) {
            fprintf(stderr, "hostile: no thread\n");
            abort();
        }
    }
    return h;
}

void hostile_free(hostile* h) {
    atomic_store(&h->is_over, 1);
    atomic_fetch_add(&h->call, 1);
    tlw_wake_all(&h->call);
    for (uint32_t i = 0; i < h->thread_count; ++i) {
        tlw_thread_join(&h->helpers[i].thread);
    }
    free(h);
}

tlw_task_system hostile_tasks(hostile* h) {
    return (tlw_task_system){enqueue, finish, h, 2 * h->thread_count};
}

bool hostile_saw_fault(const hostile* h) {
    return atomic_load((tlw_atomic_u32*)&h->faults) != 0;
}
