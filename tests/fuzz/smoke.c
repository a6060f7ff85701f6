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
#include "platform/file.h"
#include "tests/helpers.h"
#include "tools/command/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEEDS_MAX         64
#define INPUT_BYTES       (1u << 19)
#define SECONDS_PER_INPUT 20

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// From the sanitizers' runtime library: their errors raise no signal that could be caught.
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

typedef struct input {
    uint8_t* bytes;
    size_t size;
} input;

static input seeds[SEEDS_MAX];
static size_t seed_count;
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

// Changes

static size_t below(uint64_t* state, size_t bound) {
    return bound > 0 ? (size_t)(tlw_test_random(state) % bound) : 0;
}

// Replaces `removed` bytes by `count` others.
static void replace(input* in, size_t at, size_t removed, const uint8_t* bytes, size_t count) {
    if (in->size - removed + count > INPUT_BYTES) {
        return;
    }
    memmove(in->bytes + at + count, in->bytes + at + removed, in->size - at - removed);
    memcpy(in->bytes + at, bytes, count);
    in->size = in->size - removed + count;
}

static void put_number(input* in, uint64_t* state) {
    static const uint64_t numbers[] = {0,          1,          2,           7,
                                       0x7F,       0x80,       0xFF,        0x7FFF,
                                       0xFFFF,     0x10000,    1 << 20,     0x7FFFFFFF,
                                       0x80000000, 0xFFFFFFFF, 0x100000000, 0x7F800000,
                                       0x7FC00000, 0xFF800000, 0x3F800000,  0x7FF0000000000000,
                                       UINT64_MAX};
    uint64_t number = numbers[below(state, TLW_COUNT_OF(numbers))];
    const size_t width = (size_t)1 << below(state, 4);
    if (in->size < width) {
        return;
    }
    // Mostly at a place where a number may be.
    size_t at = below(state, in->size - width + 1);
    at -= below(state, 4) > 0 ? at % width : 0;
    for (size_t i = 0; i < width; ++i, number >>= 8) {
        in->bytes[at + i] = (uint8_t)number;
    }
}

static void put_text(input* in, uint64_t* state) {
    static const char* const words[] = {"0",     "1",          "-1",         "2",
                                        "65535", "4294967295", "4294967296", "18446744073709551616",
                                        "1e38",  "1e999",      "-0.0",       "0.5",
                                        "null",  "true",       "[]",         "{}",
                                        "[",     "]",          "{",          "}",
                                        ",",     ":",          "\"",         "\"\"",
                                        "..",    "%2e",        "\\u0000",    "\\ud800",
                                        "\xC3",  "nan"};
    char number[24];
    const char* word = words[below(state, TLW_COUNT_OF(words))];
    if (below(state, 3) == 0) { // a number of any length
        snprintf(number, sizeof number, "%llu",
                 (unsigned long long)(tlw_test_random(state) >> below(state, 64)));
        word = number;
    }
    // Replaces a number if one is near.
    size_t at = below(state, in->size + 1), removed = 0;
    for (size_t i = 0; i < 64 && at + i < in->size; ++i) {
        if (in->bytes[at + i] >= '0' && in->bytes[at + i] <= '9') {
            at += i;
            while (at + removed < in->size && in->bytes[at + removed] >= '0' &&
                   in->bytes[at + removed] <= '9') {
                removed += 1;
            }
            break;
        }
    }
    replace(in, at, removed, (const uint8_t*)word, strlen(word));
}

static void change(input* in, uint64_t* state) {
    const size_t at = below(state, in->size + 1), left = in->size - at;
    uint8_t bytes[64];
    switch (below(state, 9)) {
    case 0:
        if (left > 0) {
            in->bytes[at] ^= (uint8_t)(1u << below(state, 8));
        }
        return;
    case 1:
        if (left > 0) {
            in->bytes[at] = (uint8_t)tlw_test_random(state);
        }
        return;
    case 2:
        put_number(in, state);
        return;
    case 3:
    case 4:
        put_text(in, state);
        return;
    case 5:
        replace(in, at, below(state, left < 64 ? left + 1 : 64), bytes, 0);
        return;
    case 6: { // a run of one byte
        const size_t count = 1 + below(state, sizeof bytes);
        memset(bytes, (int)(tlw_test_random(state) & 0xFF), count);
        replace(in, at, 0, bytes, count);
        return;
    }
    case 7: { // a piece of any seed, replacing bytes or inserted
        const input* from = &seeds[below(state, seed_count)];
        const size_t start = below(state, from->size + 1);
        size_t count = below(state, 4) ? 256 : from->size;
        count = count < from->size - start ? count : from->size - start;
        count = below(state, count + 1);
        replace(in, at, below(state, 2) && count <= left ? count : 0, from->bytes + start, count);
        return;
    }
    default:
        if (below(state, 8) == 0) {
            in->size = at;
        }
    }
}

// Seeds

static int compare_names(const void* a, const void* b) {
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static bool read_seeds(const char* folder) {
    char* names[SEEDS_MAX];
    size_t count = 0;
    DIR* directory = opendir(folder);
    if (directory == NULL) {
        fprintf(stderr, "fuzz smoke: there is no folder '%s'\n", folder);
        return false;
    }
    for (const struct dirent* entry; (entry = readdir(directory)) != NULL && count < SEEDS_MAX;) {
        if (entry->d_name[0] != '.') {
            names[count] = strdup(entry->d_name);
            count += names[count] != NULL;
        }
    }
    closedir(directory);
    qsort(names, count, sizeof *names,
          compare_names); // the file system's order may differ between runs
    bool is_read = true;
    for (size_t i = 0; i < count; ++i) {
        char path[TLW_PATH_MAX];
        tlw_file_error error;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        tlw_file_read_def def = tlw_default_file_read_def();
        def.path = path;
        def.limit_bytes = INPUT_BYTES;
        def.grow = tlw_heap_grow;
        input* seed = &seeds[seed_count];
        if (is_read && tlw_file_read(&def, &seed->bytes, &seed->size, &error) != TLW_OK) {
            fprintf(stderr, "fuzz smoke: %s\n", error.message);
            is_read = false;
        }
        seed_count += is_read;
        free(names[i]);
    }
    return is_read;
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
    if (!read_seeds(arguments[1])) {
        return 1;
    }
    for (size_t i = 0; i < seed_count; ++i) {
        snprintf(now_name, sizeof now_name, "seed %zu", i);
        run(seeds[i].bytes, seeds[i].size);
    }
    const size_t given = seed_count;
    static uint8_t zeros[256];
    if (seed_count == 0) { // starts from an empty input
        seeds[seed_count++] = (input){zeros, sizeof zeros};
    }
    static uint8_t bytes[INPUT_BYTES];
    for (unsigned long long n = first; n < first + count; ++n) {
        uint64_t state = n;
        const input* from = &seeds[below(&state, seed_count)];
        input in = {bytes, from->size};
        memcpy(bytes, from->bytes, from->size);
        for (size_t i = 1 + below(&state, given > 0 ? 4 : 64); i > 0; --i) {
            change(&in, &state);
        }
        snprintf(now_name, sizeof now_name, "input %llu", n);
        run(in.bytes, in.size);
    }
    printf("%zu seeds and %llu changed inputs\n", given, count);
    for (size_t i = 0; i < given; ++i) {
        free(seeds[i].bytes);
    }
    return 0;
}
