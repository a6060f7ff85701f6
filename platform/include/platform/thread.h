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
#define TLW_THREAD_NAME_MAX 16 // with the final zero; Linux keeps no more

typedef void tlw_thread_main(void* user);

typedef struct tlw_thread_def {
    tlw_thread_main* main;
    void* user;
    const char* name;   // cut to TLW_THREAD_NAME_MAX; null: no name
    uint32_t core_hint; // a logical core to run on, or TLW_ANY_CORE; refused hints are ignored
    size_t stack_bytes; // 0: the system's default
    uint32_t cookie;
} tlw_thread_def;

tlw_thread_def tlw_default_thread_def(void);

// In the caller's memory; must not move until the thread is joined. The fields are private.
typedef struct tlw_thread {
    uint64_t handle;
    tlw_thread_main* main;
    void* user;
    char name[TLW_THREAD_NAME_MAX];
    uint32_t core_hint;
} tlw_thread;

// TLW_OK, TLW_ERROR_BAD_DEF, or TLW_ERROR_SYSTEM if the system cannot start another thread.
tlw_result tlw_thread_start(tlw_thread* thread, const tlw_thread_def* def);
void tlw_thread_join(tlw_thread* thread);

// Number of logical cores that this process may use (by its affinity mask); at least 1.
uint32_t tlw_core_count(void);
// Pins the calling thread; false if the system refuses.
bool tlw_thread_pin(uint32_t core);
uint64_t tlw_thread_current_id(void);
// The number of logical cores of the machine, also those that this process may not use; at least 1.
uint32_t tlw_system_core_count(void);
// How many threads of all programs run or wait for a core at this moment, the caller included; 0 if
// the system does not tell. Linux reads a small file for it, which takes a few microseconds.
uint32_t tlw_system_running_threads(void);
// The core on which the caller runs at this moment; TLW_ANY_CORE if the system cannot tell cheaply.
uint32_t tlw_thread_current_core(void);

// The cores that a thread may use.
typedef struct tlw_core_set {
    uint64_t words[16];
} tlw_core_set;

// The cores of the calling thread. False, with an empty set, if they are unknown.
bool tlw_thread_get_cores(tlw_core_set* cores);
// The same of any thread of this process, given by its id.
bool tlw_thread_get_cores_of(uint64_t thread_id, tlw_core_set* cores);
// Sets the cores of any thread of this process, given by its id, to `cores` without `except`. False
// if the system refuses or no core would be left.
bool tlw_thread_set_cores(uint64_t thread_id, const tlw_core_set* cores, uint32_t except);

void tlw_thread_yield(void);
void tlw_thread_sleep_ns(uint64_t ns);

// For spin loops: tells the core that it is waiting.
TLW_FORCE_INLINE void tlw_cpu_pause(void) {
#if TLW_CPU_X64
    _mm_pause();
#elif TLW_CPU_ARM64 && TLW_HAS_GNU_EXTENSIONS
    __asm__ volatile("yield");
#endif
}

// Sleeps while *word == expected, until the thread is woken or timeout_ns has passed
// (TLW_WAIT_FOREVER: no limit). TLW_OK: it was woken, or *word differed, or it woke for no reason;
// the caller looks again. TLW_ERROR_TIMEOUT otherwise. Comparing and going to sleep are atomic with
// respect to tlw_wake_*: a thread that changes *word and then wakes cannot come between them.
tlw_result tlw_wait(tlw_atomic_u32* word, uint32_t expected, uint64_t timeout_ns);
void tlw_wake_one(tlw_atomic_u32* word);
void tlw_wake_all(tlw_atomic_u32* word);

// A counting semaphore that calls the system only to sleep and to wake a sleeper. It must outlive
// every call on it, because a post still reads it after a waiter has continued.
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
