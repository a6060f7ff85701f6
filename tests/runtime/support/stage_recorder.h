// SPDX-License-Identifier: MIT
// Which pass is the first to give other bits: kernels that run those of the world and keep a hash
// of what each stage left, block by block. A block sees its stages in the same order whoever runs
// them, so records of two configurations compare entry by entry.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_STAGE_RECORDER_H
#define TLW_TESTS_RUNTIME_SUPPORT_STAGE_RECORDER_H

#include "runtime/tallow.h"

typedef struct recorder recorder;

// From here on until recorder_stop, steps of this world are recorded; one at a time.
recorder* recorder_start(tlw_world* world);
void recorder_stop(recorder* r, tlw_world* world);
void recorder_free(recorder* r);

// A fault for tests of the tests: the n-th run of `stage` ("volume") on the last block of a
// character flips a bit.
void recorder_plant(recorder* r, const char* stage, uint32_t run);

typedef struct recorder_difference {
    bool is_found;
    const char *stage, *pass; // "volume_gradients", "VOLUME"
    uint32_t character;       // its slot
    uint32_t block;
    uint32_t run; // the how manieth of that block's stages of the frame
} recorder_difference;

recorder_difference recorder_compare(const recorder* a, const recorder* b);

// The stages of all characters in order, those that are in the same place and of the same kind
// hashed together: to keep.
#define RECORDER_LIST_MAX 256
typedef struct recorder_entry {
    const char *stage, *pass;
    uint64_t hash;
} recorder_entry;

uint32_t recorder_list(const recorder* r, recorder_entry out[RECORDER_LIST_MAX]);
// A line a stage, all blocks hashed together: to compare two builds.
void recorder_print(const recorder* r);

#endif
