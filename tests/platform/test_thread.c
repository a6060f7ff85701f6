// SPDX-License-Identifier: MIT
#include "platform/thread.h"
#include "tests/test.h"

static void post_all(void* user) {
    for (int i = 0; i < 1000; ++i) {
        tlw_semaphore_post(user, 1);
    }
}

TLW_TEST(semaphore_loses_no_post) {
    tlw_semaphore semaphore;
    tlw_semaphore_init(&semaphore, 0);
    tlw_thread thread;
    tlw_thread_def def = tlw_default_thread_def();
    def.main = post_all;
    def.user = &semaphore;
    CHECK_OK(tlw_thread_start(&thread, &def));
    for (int i = 0; i < 1000; ++i) {
        CHECK_OK(tlw_semaphore_wait(&semaphore, 10000000000u));
    }
    tlw_thread_join(&thread);
    CHECK(!tlw_semaphore_try_wait(&semaphore));
}
