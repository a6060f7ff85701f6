// SPDX-License-Identifier: MIT
// Threads, and the two ways to wait: a futex-style wait on a 32-bit word, and a semaphore on top of
// it. POSIX (futex on Linux, a table of condition variables elsewhere) and Win32.
#ifndef TLW_PLATFORM_THREAD_H
#define TLW_PLATFORM_THREAD_H

#include "platform/atomic.h"
#include "platform/base.h"
#include "platform/result.h"

#if TLW_CPU_X64
#    include <xmmintrin.h> // _mm_pause
#endif

TLW_EXTERN_C_BEGIN

#define TLW_WAIT_FOREVER    UINT64_MAX
#define TLW_ANY_CORE        UINT32_MAX
#define TLW_THREAD_NAME_MAX 16 // with the final zero: what Linux keeps

typedef void tlw_thread_main(void* user);

typedef struct tlw_thread_def {
    tlw_thread_main* main;
    void* user;
    const char* name;   // cut to TLW_THREAD_NAME_MAX; null: none
    uint32_t core_hint; // a logical core to run on, or TLW_ANY_CORE; refused hints are ignored
    size_t stack_bytes; // 0: the system's default
    uint32_t cookie;
} tlw_thread_def;

tlw_thread_def tlw_default_thread_def(void);

// Caller's memory; must stay where it is until joined. Its content is the implementation's.
typedef struct tlw_thread {
    uint64_t handle;
    tlw_thread_main* main;
    void* user;
    char name[TLW_THREAD_NAME_MAX];
    uint32_t core_hint;
} tlw_thread;

// TLW_OK, TLW_ERROR_BAD_DEF, or TLW_ERROR_SYSTEM when there are no more threads to be had.
tlw_result tlw_thread_start(tlw_thread* thread, const tlw_thread_def* def);
void tlw_thread_join(tlw_thread* thread);

// Logical cores that this process may use (its affinity mask, not the machine's count); at least 1.
uint32_t tlw_core_count(void);
// Pins the calling thread; false if the system refuses.
bool tlw_thread_pin(uint32_t core);
uint64_t tlw_thread_current_id(void);
// The core that the caller runs on at this moment; TLW_ANY_CORE where the system does not say
// cheaply.
uint32_t tlw_thread_current_core(void);

// The cores that a thread may use.
typedef struct tlw_core_set {
    uint64_t words[16];
} tlw_core_set;

// Of the calling thread. False, and an empty set: unknown.
bool tlw_thread_get_cores(tlw_core_set* cores);
// Of any thread of this process, by its id: `cores` without `except`. False: refused, or nothing
// would be left.
bool tlw_thread_set_cores(uint64_t thread_id, const tlw_core_set* cores, uint32_t except);

void tlw_thread_yield(void);
void tlw_thread_sleep_ns(uint64_t ns);

// For the inside of a spin loop: tells the core that it is waiting.
TLW_FORCE_INLINE void tlw_cpu_pause(void) {
#if TLW_CPU_X64
    _mm_pause();
#elif TLW_CPU_ARM64 && TLW_HAS_GNU_EXTENSIONS
    __asm__ volatile("yield");
#endif
}

// Sleeps while *word == expected, until woken or timeout_ns has passed (TLW_WAIT_FOREVER: no
// limit). TLW_OK: woken, or *word differed, or for no reason at all: look again. TLW_ERROR_TIMEOUT
// otherwise. The comparison and going to sleep are one step against tlw_wake_*: a thread that
// changes *word and then wakes cannot slip between them.
tlw_result tlw_wait(tlw_atomic_u32* word, uint32_t expected, uint64_t timeout_ns);
void tlw_wake_one(tlw_atomic_u32* word);
void tlw_wake_all(tlw_atomic_u32* word);

// A counting semaphore that enters the system only to sleep and to wake a sleeper. It must outlive
// every call on it: a post still looks at it after a waiter has gone on.
typedef struct tlw_semaphore {
    tlw_atomic_u32 count;
    tlw_atomic_u32 sleepers;
} tlw_semaphore;

void tlw_semaphore_init(tlw_semaphore* semaphore, uint32_t count);
void tlw_semaphore_post(tlw_semaphore* semaphore, uint32_t count);
bool tlw_semaphore_try_wait(tlw_semaphore* semaphore);
// TLW_OK with one unit taken, or TLW_ERROR_TIMEOUT.
tlw_result tlw_semaphore_wait(tlw_semaphore* semaphore, uint64_t timeout_ns);

TLW_EXTERN_C_END

#endif
