// SPDX-License-Identifier: MIT
// A world with small characters, for tests of what the public header promises.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_SMALL_CHARACTERS_H
#define TLW_TESTS_RUNTIME_SUPPORT_SMALL_CHARACTERS_H

#include "tests/runtime/support/sample_characters.h"

// The blobs of tests/cook/support/small_blobs.h, in its order; each is cooked once.
enum {
    SMALL_TRIANGLE,
    SMALL_TRIANGLE_WITH_ALL,
    SMALL_ELL,
    SMALL_LEGS,
    SMALL_LARGE_ELL,
    SMALL_MIXED_ELL,
    SMALL_DUAL_ELL,
    SMALL_LIMBS,
    SMALL_MUSCLES
};
tlw_blob small_blob(uint32_t which);
tlw_blob_info small_info(uint32_t which);
// The largest scratch_bytes of all of them.
size_t small_scratch_bytes(void);

tlw_world_def fixture_world_def(uint32_t capacity);
tlw_world* fixture_world(const tlw_world_def* def);
void fixture_world_free(
    tlw_world* world); // and its memory; characters' memory is freed by fixture_remove

typedef struct fixture_character {
    tlw_character_id id;
    uint32_t which;
    tlw_pose_kind kind;
    void* memory;
} fixture_character;

fixture_character fixture_add(tlw_world* world, uint32_t which, tlw_pose_kind kind);
// The same with places for every drag, and a pose filter.
fixture_character fixture_add_with_all(tlw_world* world, uint32_t which, tlw_pose_kind kind);
void fixture_remove(tlw_world* world, fixture_character* c);
// The bind pose, moved by x metres, root at rest.
tlw_result fixture_pose(tlw_world* world, const fixture_character* c, double x, bool is_jump);
tlw_root fixture_root(void);
uint64_t fixture_hash(const tlw_world* world, const fixture_character* c);
tlw_step_flags fixture_flags(const tlw_world* world, const fixture_character* c);

#endif
