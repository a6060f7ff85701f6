// SPDX-License-Identifier: MIT
// A world with small characters, for tests of what the public header promises.
#ifndef TLW_TESTS_RUNTIME_BED_H
#define TLW_TESTS_RUNTIME_BED_H

#include "tests/runtime/cast.h"

// Of tests/cook/small_blobs.h; cooked once.
enum { SMALL_TRIANGLE, SMALL_TRIANGLE_WITH_ALL, SMALL_ELL, SMALL_LEGS, SMALL_LARGE_ELL };
tlw_tissue small_tissue(uint32_t which);
tlw_tissue_info small_info(uint32_t which);
// The most of any of them.
size_t small_scratch_bytes(void);

tlw_world_def bed_world_def(uint32_t capacity);
tlw_world* bed_world(const tlw_world_def* def);
void bed_free(tlw_world* world); // and its memory; characters' memory is freed by bed_remove

typedef struct bed_character {
    tlw_character_id id;
    uint32_t which;
    tlw_pose_kind kind;
    void* memory;
} bed_character;

bed_character bed_add(tlw_world* world, uint32_t which, tlw_pose_kind kind);
void bed_remove(tlw_world* world, bed_character* c);
// The bind pose, moved by x metres, root at rest.
tlw_result bed_pose(tlw_world* world, const bed_character* c, double x, bool is_jump);
tlw_root bed_root(void);
uint64_t bed_hash(const tlw_world* world, const bed_character* c);
tlw_step_flags bed_flags(const tlw_world* world, const bed_character* c);

#endif
