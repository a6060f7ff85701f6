// SPDX-License-Identifier: MIT
// Runs a fuzz target without libFuzzer, with any compiler: first on all files of a folder as they
// are, then on changed copies of them, which are the same in every run. Coverage does not guide it:
// it finds what breaks easily, and tools/dev fuzz finds the rest.
//
//     smoke_glb FOLDER COUNT [FIRST]   COUNT changed inputs, from number FIRST (0) on
//
// When an input ends the process, or takes longer than SECONDS_PER_INPUT, its number is printed and
// its bytes are in smoke_input.bin in the current folder.
#define _POSIX_C_SOURCE 200809L
#include "platform/base.h"
#include "tests/fuzz/change.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS_PER_INPUT 20

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// From the sanitizers' runtime library: their errors raise no signal that could be caught.
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

// The input that runs now, for the report.
static const uint8_t* now_bytes;
static size_t now_size;
static char now_name[64];

static void tell(void) {
    const int file = open("smoke_input.bin", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    bool is_kept = file >= 0 && write(file, now_bytes, now_size) == (ssize_t)now_size;
    static const char found[] = "fuzz smoke: found by ", kept[] = ", kept as smoke_input.bin\n";
    is_kept = write(STDERR_FILENO, found, sizeof found - 1) > 0 && is_kept;
    is_kept = write(STDERR_FILENO, now_name, strlen(now_name)) > 0 && is_kept;
    (void)!write(STDERR_FILENO, is_kept ? kept : "\n", is_kept ? sizeof kept - 1 : 1);
}

static void end(int signal_number) {
    tell();
    _exit(signal_number == SIGALRM ? 3 : 1);
}

static void run(const uint8_t* bytes, size_t size) {
    // In a block of its exact size, so that the address sanitizer sees a read beyond the end.
    uint8_t* copy = malloc(size > 0 ? size : 1);
    if (copy == NULL) {
        exit(1);
    }
    memcpy(copy, bytes, size);
    now_bytes = bytes;
    now_size = size;
    alarm(SECONDS_PER_INPUT);
    (void)LLVMFuzzerTestOneInput(copy, size);
    alarm(0);
    free(copy);
}

int main(int argument_count, char** arguments) {
    if (argument_count < 3 || argument_count > 4) {
        fprintf(stderr, "usage: smoke FOLDER COUNT [FIRST]\n");
        return 2;
    }
    const unsigned long long count = strtoull(arguments[2], NULL, 10);
    const unsigned long long first = argument_count > 3 ? strtoull(arguments[3], NULL, 10) : 0;
    struct sigaction action = {.sa_handler = end};
    for (size_t i = 0; i < 4; ++i) {
        sigaction((int[]){SIGABRT, SIGALRM, SIGSEGV, SIGFPE}[i], &action, NULL);
    }
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(tell);
    }
    if (!tlw_fuzz_read_seeds(arguments[1])) {
        return 1;
    }
    for (size_t i = 0; i < tlw_fuzz_seed_count(); ++i) {
        const tlw_fuzz_input seed = tlw_fuzz_seed(i);
        snprintf(now_name, sizeof now_name, "seed %zu", i);
        run(seed.bytes, seed.size);
    }
    for (unsigned long long n = first; n < first + count; ++n) {
        const tlw_fuzz_input in = tlw_fuzz_change(n);
        snprintf(now_name, sizeof now_name, "input %llu", n);
        run(in.bytes, in.size);
    }
    printf("%zu seeds and %llu changed inputs\n", tlw_fuzz_seed_count(), count);
    tlw_fuzz_free_seeds();
    return 0;
}
