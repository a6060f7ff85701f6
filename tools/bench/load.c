// SPDX-License-Identifier: MIT
// Busy processes by fork. Each holds the reading end of a pipe whose writing end only the bench
// has: the system closes that with the bench, also if it is killed.
#define _POSIX_C_SOURCE 200809L
#include "tools/bench/load.h"

#include "platform/clock.h"

#if TLW_OS_WINDOWS

bool tlw_load_begin(tlw_load* load, uint32_t count) {
    *load = (tlw_load){.count = 0};
    return count == 0;
}

void tlw_load_end(tlw_load* load) {
    (void)load;
}

#else

#    include <fcntl.h>
#    include <sys/wait.h>
#    include <unistd.h>

#    define LOOK_NS 1000000u

static void spin_until_closed(int end_to_read) {
    char byte;
    uint64_t next = 0;
    for (;;) {
        const uint64_t now = tlw_clock_ns();
        if (now >= next) {
            next = now + LOOK_NS;
            // Nothing is ever written. 0 is the end of the pipe; -1 that it is still open.
            if (read(end_to_read, &byte, 1) == 0) {
                _exit(0);
            }
        }
    }
}

static void close_on_exec(int file) {
    (void)fcntl(file, F_SETFD, FD_CLOEXEC);
}

bool tlw_load_begin(tlw_load* load, uint32_t count) {
    *load = (tlw_load){.count = 0};
    if (count == 0) {
        return true;
    }
    if (count > TLW_LOAD_MAX || pipe(load->pipe) != 0) {
        return false;
    }
    load->is_open = true;
    close_on_exec(load->pipe[0]);
    close_on_exec(load->pipe[1]);
    (void)fcntl(load->pipe[0], F_SETFL, O_NONBLOCK);
    while (load->count < count) {
        const pid_t process = fork();
        if (process == 0) {
            close(load->pipe[1]);
            spin_until_closed(load->pipe[0]);
        }
        if (process < 0) {
            tlw_load_end(load);
            return false;
        }
        load->processes[load->count++] = (int)process;
    }
    return true;
}

void tlw_load_end(tlw_load* load) {
    if (load->is_open) {
        close(load->pipe[1]);
        close(load->pipe[0]);
    }
    for (uint32_t i = 0; i < load->count; ++i) {
        (void)waitpid((pid_t)load->processes[i], NULL, 0);
    }
    *load = (tlw_load){.count = 0};
}

#endif
