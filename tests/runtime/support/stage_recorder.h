// SPDX-License-Identifier: MIT
// Finds the first pass that gives other bits. While a world is recorded its kernels are replaced by
// ones that run the same stages and keep a hash of what each stage left on each block. A block sees
// its stages in the same order however many threads run them, so the records of two configurations
// compare entry by entry.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_STAGE_RECORDER_H
#define TLW_TESTS_RUNTIME_SUPPORT_STAGE_RECORDER_H

#include "runtime/tallow.h"

typedef struct recorder recorder;

// Records the steps of this world until recorder_stop. One recorder at a time.
recorder* recorder_start(tlw_world* world);
void recorder_stop(recorder* r, tlw_world* world);
void recorder_free(recorder* r);

// Plants a fault, to test the tests: run number `run`, from 0, of a stage ("volume") on the last
// block of a character flips a bit.
void recorder_plant(recorder* r, const char* stage, uint32_t run);

typedef struct recorder_difference {
    bool is_found;
    const char *stage, *pass; // "volume_gradients", "VOLUME"
    uint32_t character;       // its slot
    uint32_t block;
    uint32_t run; // number of the stage among all that ran on that block in this frame, from 0
} recorder_difference;

recorder_difference recorder_compare(const recorder* a, const recorder* b);

// The stages of all characters in the order of running, for golden files. Entries of several
// characters at the same place in their order and of the same stage become one, with their hashes
// combined.
#define RECORDER_LIST_MAX 256
typedef struct recorder_entry {
    const char *stage, *pass;
    uint64_t hash;
} recorder_entry;

uint32_t recorder_list(const recorder* r, recorder_entry out[RECORDER_LIST_MAX]);
// Prints a line per stage, with the hashes of all blocks combined, to compare two builds.
void recorder_print(const recorder* r);

#endif
