// SPDX-License-Identifier: MIT
// Private to runtime: the world. It holds characters in numbered slots, one scratch per worker, and
// the plan of the step that is under way (MODEL 6.1, 7.1).
#ifndef TLW_RUNTIME_WORLD_WORLD_H
#define TLW_RUNTIME_WORLD_WORLD_H

#include "platform/atomic.h"
#include "runtime/passes/kernels.h"
#include "runtime/step/scratch.h"
#include "runtime/tallow.h"
#include "runtime/world/character.h"
#include "runtime/world/colliders.h"

TLW_EXTERN_C_BEGIN

// An id is the slot's index plus 1, and the slot's generation when the character was created.
typedef struct tlw_world_slot {
    tlw_character* character; // null: free
    uint32_t generation;
} tlw_world_slot;

struct tlw_world {
    tlw_world_def def;
    const tlw_kernels* kernels;
    tlw_world_slot* slots;
    uint32_t character_count;
    size_t memory_bytes;

    // Per character, a row of each: where colliders were at its last substep, and what touched it.
    tlw_collider_set colliders;
    tlw_collider_pose* collider_last;
    tlw_contact* contacts;
    tlw_block_hits* hits;  // per worker: of each block
    size_t block_capacity; // blocks that a worker has hits for
    tlw_shape* shapes;     // per worker: the colliders of the substep under way

    // Per worker.
    tlw_scratch* scratch;
    uint64_t (*pass_ns)[TLW_PASS_COUNT];

    // The step under way (schedule.c).
    bool is_stepping;
    double dt;
    uint64_t begin_ns;
    uint32_t* order;             // slots of all characters, most expensive first
    uint32_t split_count;        // the first of the order, which are split among threads
    uint32_t task_count;         // the rest of the order, one task each
    uint32_t thread_count;       // tasks that take and help split characters
    tlw_atomic_u32 next_split;   // the first split character that nobody has taken
    void *split_handle, *handle; // the task system's, of the tasks under way
    tlw_world_report report;
};

// Whether memory from the caller is aligned and large enough.
TLW_INLINE tlw_result tlw_check_memory(const void* memory, size_t bytes, size_t needed) {
    if ((uintptr_t)memory % TLW_MEMORY_ALIGNMENT != 0) {
        return TLW_ERROR_MISALIGNED;
    }
    return bytes < needed ? TLW_ERROR_OUT_OF_MEMORY : TLW_OK;
}

// TLW_ERROR_STALE_ID unless the id names a living character.
tlw_result tlw_world_find(const tlw_world* world, tlw_character_id id, tlw_character** out);
// TLW_ERROR_CAPACITY if every slot is taken.
tlw_result tlw_world_find_free_slot(const tlw_world* world, uint32_t* out);
// Puts a character into a free slot and gives the slot its next generation.
tlw_character_id tlw_world_fill_slot(tlw_world* world, uint32_t slot, tlw_character* c);
// Points a new character to the world's colliders and to its own rows.
void tlw_world_give_colliders(tlw_world* world, uint32_t slot, tlw_character* c);
// Call this when a character is created: another blob may now lie where one lay before, and its
// gaps between rows are elsewhere.
void tlw_world_forget_blob(tlw_world* world, const void* blob);

TLW_EXTERN_C_END

#endif
