// SPDX-License-Identifier: MIT
// Threads on POSIX. Waiting is in wait_linux.c (futex) or wait_table.c (condition variables).
#define _GNU_SOURCE
#include "platform/handlers.h"
#include "platform/thread_system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if TLW_OS_LINUX
#    include <sys/syscall.h>
#endif

TLW_STATIC_ASSERT(sizeof(pthread_t) <= sizeof(uint64_t), "tlw_thread.handle holds a pthread_t");

static void* thread_entry(void* argument) {
    tlw_thread* thread = argument;
#if TLW_OS_LINUX
    if (thread->name[0]) {
        pthread_setname_np(pthread_self(), thread->name);
    }
#endif
    if (thread->core_hint != TLW_ANY_CORE) {
        (void)tlw_thread_pin(thread->core_hint);
    }
    thread->main(thread->user);
    return NULL;
}

tlw_result tlw_thread_start(tlw_thread* thread, const tlw_thread_def* def) {
    const tlw_result result = tlw_thread_prepare(thread, def);
    if (result != TLW_OK) {
        return result;
    }
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return TLW_ERROR_SYSTEM;
    }
    int error = 0;
    if (def->stack_bytes != 0) {
        size_t smallest = (size_t)PTHREAD_STACK_MIN;
        size_t bytes = def->stack_bytes < smallest ? smallest : def->stack_bytes;
        error = pthread_attr_setstacksize(&attributes, bytes);
    }
    pthread_t handle;
    if (error == 0) {
        error = pthread_create(&handle, &attributes, thread_entry, thread);
    }
    pthread_attr_destroy(&attributes);
    if (error != 0) {
        return TLW_ERROR_SYSTEM;
    }
    memcpy(&thread->handle, &handle, sizeof handle);
    return TLW_OK;
}

void tlw_thread_join(tlw_thread* thread) {
    pthread_t handle;
    memcpy(&handle, &thread->handle, sizeof handle);
    int error = pthread_join(handle, NULL);
    TLW_ASSERT_MESSAGE(error == 0, "joining a thread that was not started");
    (void)error;
}

uint32_t tlw_core_count(void) {
#if TLW_OS_LINUX
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) {
        int count = CPU_COUNT(&mask);
        return count > 0 ? (uint32_t)count : 1;
    }
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

uint32_t tlw_system_core_count(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

uint32_t tlw_system_running_threads(void) {
    unsigned running = 0;
#if TLW_OS_LINUX
    // Three averages, then "running/existing" threads.
    char text[128];
    const int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        const ssize_t length = read(file, text, sizeof text - 1);
        close(file);
        text[length > 0 ? length : 0] = 0;
        if (sscanf(text, "%*s %*s %*s %u/", &running) != 1) {
            running = 0;
        }
    }
#endif
    return running;
}

bool tlw_thread_pin(uint32_t core) {
#if TLW_OS_LINUX
    if (core >= CPU_SETSIZE) {
        return false;
    }
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(core, &mask);
    return sched_setaffinity(0, sizeof mask, &mask) == 0;
#else
    (void)core;
    return false;
#endif
}

uint32_t tlw_thread_current_core(void) {
#if TLW_OS_LINUX
    int core = sched_getcpu();
    return core >= 0 ? (uint32_t)core : TLW_ANY_CORE;
#else
    return TLW_ANY_CORE;
#endif
}

#if TLW_OS_LINUX
TLW_STATIC_ASSERT(sizeof(tlw_core_set) == sizeof(cpu_set_t), "a core set is a cpu_set_t");
#endif

bool tlw_thread_get_cores(tlw_core_set* cores) {
    return tlw_thread_get_cores_of(0, cores); // 0: the calling thread
}

bool tlw_thread_get_cores_of(uint64_t thread_id, tlw_core_set* cores) {
    memset(cores, 0, sizeof *cores);
#if TLW_OS_LINUX
    cpu_set_t mask;
    if (sched_getaffinity((pid_t)thread_id, sizeof mask, &mask) == 0) {
        memcpy(cores, &mask, sizeof mask);
        return true;
    }
#else
    (void)thread_id;
#endif
    return false;
}

bool tlw_thread_set_cores(uint64_t thread_id, const tlw_core_set* cores, uint32_t except) {
#if TLW_OS_LINUX
    cpu_set_t mask;
    memcpy(&mask, cores, sizeof mask);
    if (except < CPU_SETSIZE) {
        CPU_CLR(except, &mask);
    }
    return CPU_COUNT(&mask) > 0 && sched_setaffinity((pid_t)thread_id, sizeof mask, &mask) == 0;
#else
    (void)thread_id;
    (void)cores;
    (void)except;
    return false;
#endif
}

uint64_t tlw_thread_current_id(void) {
#if TLW_OS_LINUX
    return (uint64_t)syscall(SYS_gettid);
#else
    pthread_t self = pthread_self();
    uint64_t id = 0;
    memcpy(&id, &self, sizeof self);
    return id;
#endif
}

void tlw_thread_yield(void) {
    sched_yield();
}

void tlw_thread_sleep_ns(uint64_t ns) {
    struct timespec left = {.tv_sec = (time_t)(ns / 1000000000u),
                            .tv_nsec = (long)(ns % 1000000000u)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}
