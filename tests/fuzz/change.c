// SPDX-License-Identifier: MIT
// Changed copies of the files of a folder.
#define _POSIX_C_SOURCE 200809L
#include "tests/fuzz/change.h"

#include "platform/file.h"
#include "tests/helpers.h"
#include "tools/command/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS_MAX 64

typedef tlw_fuzz_input input;

static input seeds[SEEDS_MAX];
static size_t seed_count;

// Changes

static size_t below(uint64_t* state, size_t bound) {
    return bound > 0 ? (size_t)(tlw_test_random(state) % bound) : 0;
}

// Without seeds, zeros are what inputs are made from.
static const input* any_seed(uint64_t* state) {
    static uint8_t zeros[256];
    static const input empty = {zeros, sizeof zeros};
    const size_t which = below(state, seed_count > 0 ? seed_count : 1);
    return seed_count > 0 ? &seeds[which] : &empty;
}

// Replaces `removed` bytes by `count` others.
static void replace(input* in, size_t at, size_t removed, const uint8_t* bytes, size_t count) {
    if (in->size - removed + count > TLW_FUZZ_INPUT_BYTES) {
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
        const input* from = any_seed(state);
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

// Changes that keep the form of a file, so that what is read after it is reached

static bool is_text(const input* in) {
    return memchr(in->bytes, 0, in->size) == NULL;
}

static bool is_word(uint8_t c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '+' || c == '/';
}

// A number of a text, from a random place on; *count is 0 if there is none.
static size_t find_number(const input* in, uint64_t* state, size_t* count) {
    for (size_t at = below(state, in->size); at < in->size; ++at) {
        const bool is_start = at == 0 || !is_word(in->bytes[at - 1]);
        size_t end = at;
        while (end < in->size && in->bytes[end] && strchr("-.0123456789", in->bytes[end])) {
            end += 1;
        }
        if (is_start && end > at && (end == in->size || !is_word(in->bytes[end]))) {
            *count = end - at;
            return at;
        }
    }
    *count = 0;
    return 0;
}

// What stands in quotes, from a random place on; *count is 0 if there is none.
static size_t find_quoted(const input* in, uint64_t* state, size_t* count) {
    for (size_t at = 1 + below(state, in->size); at + 1 < in->size; ++at) {
        const bool is_start = in->bytes[at] == '"' && is_word(in->bytes[at + 1]) &&
                              strchr("{[,:= \n\t", in->bytes[at - 1]);
        const uint8_t* end = is_start ? memchr(in->bytes + at + 1, '"', in->size - at - 1) : NULL;
        if (end) {
            *count = (size_t)(end - in->bytes) - at - 1;
            return at + 1;
        }
    }
    *count = 0;
    return 0;
}

static void change_text(input* in, uint64_t* state) {
    static const char* const numbers[] = {"0",    "1",   "2",     "3",     "7",          "-1",
                                          "0.25", "8",   "1e-30", "1e38",  "-0.5",       "100",
                                          "5126", "255", "65535", "1e999", "4294967295", "5121"};
    size_t count, other_count;
    if (below(state, 4) > 0) {
        const char* number = numbers[below(state, TLW_COUNT_OF(numbers))];
        const size_t at = find_number(in, state, &count);
        if (count > 0) {
            replace(in, at, count, (const uint8_t*)number, strlen(number));
        }
        return;
    }
    uint8_t bytes[64];
    const size_t from = find_quoted(in, state, &count), to = find_quoted(in, state, &other_count);
    if (count > 0 && count <= sizeof bytes && other_count > 0) {
        memcpy(bytes, in->bytes + from, count);
        replace(in, to, other_count, bytes, count);
    }
}

static void change_gently(input* in, uint64_t* state) {
    if (is_text(in)) {
        change_text(in, state);
    } else if (below(state, 2) == 0) {
        put_number(in, state);
    } else { // a digit of the text in it
        for (size_t at = below(state, in->size); at < in->size; ++at) {
            if (in->bytes[at] >= '0' && in->bytes[at] <= '9') {
                in->bytes[at] = (uint8_t)('0' + below(state, 10));
                return;
            }
        }
    }
}

// Seeds

static int compare_names(const void* a, const void* b) {
    return strcmp(*(char* const*)a, *(char* const*)b);
}

bool tlw_fuzz_read_seeds(const char* folder) {
    char* names[SEEDS_MAX];
    size_t count = 0;
    DIR* directory = opendir(folder);
    if (directory == NULL) {
        fprintf(stderr, "fuzz: there is no folder '%s'\n", folder);
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
        def.limit_bytes = TLW_FUZZ_INPUT_BYTES;
        def.grow = tlw_heap_grow;
        input* seed = &seeds[seed_count];
        if (is_read && tlw_file_read(&def, &seed->bytes, &seed->size, &error) != TLW_OK) {
            fprintf(stderr, "fuzz: %s\n", error.message);
            is_read = false;
        }
        seed_count += is_read;
        free(names[i]);
    }
    return is_read;
}

size_t tlw_fuzz_seed_count(void) {
    return seed_count;
}

tlw_fuzz_input tlw_fuzz_seed(size_t index) {
    return seeds[index];
}

static input changed(unsigned long long number, void (*one)(input*, uint64_t*)) {
    static uint8_t bytes[TLW_FUZZ_INPUT_BYTES];
    uint64_t state = number;
    const input* from = any_seed(&state);
    input in = {bytes, from->size};
    memcpy(bytes, from->bytes, from->size);
    for (size_t i = 1 + below(&state, seed_count > 0 ? 4 : 64); i > 0; --i) {
        one(&in, &state);
    }
    return in;
}

tlw_fuzz_input tlw_fuzz_change(unsigned long long number) {
    return changed(number, change);
}

tlw_fuzz_input tlw_fuzz_change_gently(unsigned long long number) {
    return changed(number, change_gently);
}

void tlw_fuzz_free_seeds(void) {
    for (size_t i = 0; i < seed_count; ++i) {
        free(seeds[i].bytes);
    }
    seed_count = 0;
}
