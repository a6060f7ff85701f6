// SPDX-License-Identifier: MIT
// tlw_wait and tlw_wake_* on Linux's futex, private to the process.
#define _GNU_SOURCE
#include "platform/thread.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long futex(tlw_atomic_u32* word, int operation, uint32_t value,
                  const struct timespec* limit) {
    return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, limit, NULL, 0);
}

tlw_result tlw_wait(tlw_atomic_u32* word, uint32_t expected, uint64_t timeout_ns) {
    struct timespec limit = {.tv_sec = (time_t)(timeout_ns / 1000000000u),
                             .tv_nsec = (long)(timeout_ns % 1000000000u)};
    bool forever = timeout_ns == TLW_WAIT_FOREVER;
    if (futex(word, FUTEX_WAIT, expected, forever ? NULL : &limit) != 0 && errno == ETIMEDOUT) {
        return TLW_ERROR_TIMEOUT;
    }
    return TLW_OK;
}

void tlw_wake_one(tlw_atomic_u32* word) {
    futex(word, FUTEX_WAKE, 1, NULL);
}

void tlw_wake_all(tlw_atomic_u32* word) {
    futex(word, FUTEX_WAKE, INT_MAX, NULL);
}
