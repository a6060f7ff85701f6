// SPDX-License-Identifier: MIT
// tlw_wait and tlw_wake_* for POSIX systems without a futex: a small table of mutexes and condition
// variables, chosen by the word's address. Words that share a slot also wake each other's waiters,
// which the contract of tlw_wait allows.
//
// No wake-up is lost: the comparison is made under the slot's mutex, and a waking thread takes that
// mutex after it has changed the word. So it either finds the waiter asleep, or the waiter compares
// later and sees the change.
#define _POSIX_C_SOURCE 200809L
#include "platform/thread.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define SLOT_COUNT 64

typedef struct wait_slot {
    TLW_ALIGNAS(TLW_FALSE_SHARING_BYTES) pthread_mutex_t mutex;
    pthread_cond_t changed;
} wait_slot;

static wait_slot slots[SLOT_COUNT];
static pthread_once_t slots_once = PTHREAD_ONCE_INIT;

static void make_slots(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    for (int i = 0; i < SLOT_COUNT; ++i) {
        pthread_mutex_init(&slots[i].mutex, NULL);
        pthread_cond_init(&slots[i].changed, &attributes);
    }
    pthread_condattr_destroy(&attributes);
}

static wait_slot* slot_of(const tlw_atomic_u32* word) {
    pthread_once(&slots_once, make_slots);
    uint64_t address = (uint64_t)(uintptr_t)word;
    return &slots[(address * 0x9E3779B97F4A7C15u) >> 58];
}

// About the year 2200. A later time counts as no limit, and the sum cannot overflow.
#define LONGEST_SECONDS 6000000000u

tlw_result tlw_wait(tlw_atomic_u32* word, uint32_t expected, uint64_t timeout_ns) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t seconds = timeout_ns / 1000000000u;
    until.tv_sec += (time_t)(seconds < LONGEST_SECONDS ? seconds : LONGEST_SECONDS);
    until.tv_nsec += (long)(timeout_ns % 1000000000u);
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec += 1;
        until.tv_nsec -= 1000000000;
    }
    wait_slot* slot = slot_of(word);
    tlw_result result = TLW_OK;
    pthread_mutex_lock(&slot->mutex);
    if (atomic_load(word) == expected) {
        int error = timeout_ns == TLW_WAIT_FOREVER
                        ? pthread_cond_wait(&slot->changed, &slot->mutex)
                        : pthread_cond_timedwait(&slot->changed, &slot->mutex, &until);
        result = error == ETIMEDOUT ? TLW_ERROR_TIMEOUT : TLW_OK;
    }
    pthread_mutex_unlock(&slot->mutex);
    return result;
}

// Waiters of different words cannot be told apart, so both functions wake the whole slot.
static void wake_slot(tlw_atomic_u32* word) {
    wait_slot* slot = slot_of(word);
    pthread_mutex_lock(&slot->mutex);
    pthread_cond_broadcast(&slot->changed);
    pthread_mutex_unlock(&slot->mutex);
}

void tlw_wake_one(tlw_atomic_u32* word) {
    wake_slot(word);
}

void tlw_wake_all(tlw_atomic_u32* word) {
    wake_slot(word);
}
