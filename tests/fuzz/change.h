// SPDX-License-Identifier: MIT
// Changed copies of the files of a folder, the same ones in every run: for smoke.c, which runs them
// through a fuzz target, and for hostile.c, which writes them as files.
#ifndef TLW_TESTS_FUZZ_CHANGE_H
#define TLW_TESTS_FUZZ_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TLW_FUZZ_INPUT_BYTES (1u << 19)

typedef struct tlw_fuzz_input {
    uint8_t* bytes;
    size_t size;
} tlw_fuzz_input;

// Reads all files of a folder. False after saying why on stderr.
bool tlw_fuzz_read_seeds(const char* folder);
size_t tlw_fuzz_seed_count(void);
tlw_fuzz_input tlw_fuzz_seed(size_t index);
// The changed input of a number, which is made from one to four changes of a seed; without seeds,
// from up to 64 changes of zeros. Valid until the next one is made.
tlw_fuzz_input tlw_fuzz_change(unsigned long long number);
// As that, but with other numbers and names in the same form: most of them are still read as files
// of their format, and are wrong further on.
tlw_fuzz_input tlw_fuzz_change_gently(unsigned long long number);
void tlw_fuzz_free_seeds(void);

#endif
