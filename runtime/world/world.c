// SPDX-License-Identifier: MIT
// Worlds: tables and scratch in the engine's memory, slots, ids and generations (MODEL 6.1).
#include "runtime/world/world.h"

#include "platform/arena.h"
#include "platform/fpu.h"
#include "profiling/profile.h"
#include "runtime/instrument.h"

#include <string.h>

#define WORLD_COOKIE 0x574F5201u

tlw_world_def tlw_default_world_def(void) {
    return (tlw_world_def){.cookie = WORLD_COOKIE,
                           .character_capacity = 64,
                           .tasks = tlw_serial_task_system(),
                           .isa = tlw_isa_best(),
                           .budget_ms = 2.0,
                           .substep_seconds = 1.0 / TLW_REFERENCE_HZ};
}

static tlw_result check_def(const tlw_world_def* def) {
    TLW_FLOAT_SCOPE();
    if (def->cookie != WORLD_COOKIE) {
        return TLW_ERROR_BAD_DEF;
    }
    if (def->character_capacity == 0 || def->character_capacity > 1u << 24 ||
        def->scratch_bytes > SIZE_MAX / 4096 || def->tasks.enqueue == NULL ||
        def->tasks.finish == NULL || def->tasks.worker_count == 0 ||
        def->tasks.worker_count > 1024 ||
        !(def->substep_seconds >= 1.0 / 480.0 && def->substep_seconds <= 1.0 / 30.0) ||
        !(def->budget_ms >= 0.0) || !(def->split_cost >= 0.0f) ||
        def->collider_capacity > TLW_COLLIDERS_MAX || def->contact_capacity > TLW_CONTACTS_MAX) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    if ((uint32_t)def->isa >= TLW_ISA_COUNT || tlw_kernels_of(def->isa) == NULL ||
        !tlw_isa_is_supported(def->isa)) {
        return TLW_ERROR_UNSUPPORTED;
    }
    return TLW_OK;
}

// How many blocks a cooked character can have if it fits the scratch: all but its last block have
// 16 windows or more, and each of their sites has a float in every site array. The validator lets
// smaller blocks pass, so tlw_character_create compares.
static size_t block_capacity(const tlw_world_def* def) {
    const size_t block_bytes = (size_t)16 * TLW_LANES * TLW_SITE_ARRAYS * sizeof(float);
    return def->contact_capacity > 0 ? def->scratch_bytes / block_bytes + 1 : 0;
}

// Divides the memory for the world and its tables; the arrays' addresses go to `fields`.
static tlw_world* carve(tlw_arena* arena, const tlw_world_def* def, tlw_world* fields) {
    const size_t line = TLW_MEMORY_ALIGNMENT;
    const uint32_t workers = def->tasks.worker_count;
    tlw_world* world = tlw_arena_push_array(arena, 1, sizeof *world, line);
    fields->slots =
        tlw_arena_push_array(arena, def->character_capacity, sizeof *fields->slots, line);
    fields->order =
        tlw_arena_push_array(arena, def->character_capacity, sizeof *fields->order, line);
    fields->scratch = tlw_arena_push_array(arena, workers, sizeof *fields->scratch, line);
    // A worker adds to its row only once per character or task, so rows may share a cache line.
    fields->pass_ns = tlw_arena_push_array(arena, workers, sizeof *fields->pass_ns, line);
    const size_t characters = def->character_capacity;
    tlw_collider_set* set = &fields->colliders;
    set->capacity = def->collider_capacity;
    set->list = tlw_arena_push_array(arena, set->capacity, sizeof *set->list, line);
    fields->collider_last = tlw_arena_push_array(arena, characters * set->capacity,
                                                 sizeof *fields->collider_last, line);
    fields->contacts = tlw_arena_push_array(arena, characters * def->contact_capacity,
                                            sizeof *fields->contacts, line);
    fields->hits =
        tlw_arena_push_array(arena, workers * block_capacity(def), sizeof *fields->hits, line);
    fields->shapes =
        tlw_arena_push_array(arena, (size_t)workers * set->capacity, sizeof *fields->shapes, line);
    return world;
}

// Scratch lies after the tables; each worker's begins on a cache line of its own.
static size_t scratch_stride(const tlw_world_def* def) {
    return (def->scratch_bytes + TLW_MEMORY_ALIGNMENT - 1) / TLW_MEMORY_ALIGNMENT *
           TLW_MEMORY_ALIGNMENT;
}

tlw_result tlw_world_bytes(const tlw_world_def* def, size_t* bytes) {
    TLW_ASSERT(def != NULL && bytes != NULL);
    const tlw_result result = check_def(def);
    if (result != TLW_OK) {
        return result;
    }
    tlw_world fields;
    tlw_arena arena;
    tlw_arena_init_measuring(&arena, "world");
    (void)carve(&arena, def, &fields);
    (void)tlw_arena_push_array(&arena, def->tasks.worker_count, scratch_stride(def),
                               TLW_MEMORY_ALIGNMENT);
    *bytes = arena.high_water_bytes;
    return TLW_OK;
}

tlw_result tlw_world_create(const tlw_world_def* def, void* memory, size_t bytes, tlw_world** out) {
    TLW_ASSERT(def != NULL && memory != NULL && out != NULL);
    *out = NULL;
    size_t needed;
    tlw_result result = tlw_world_bytes(def, &needed);
    result = result == TLW_OK ? tlw_check_memory(memory, bytes, needed) : result;
    if (result != TLW_OK) {
        return result;
    }
    tlw_world fields = {.def = *def, .kernels = tlw_kernels_of(def->isa), .memory_bytes = needed};
    tlw_arena arena;
    memset(memory, 0, needed);
    (void)tlw_arena_init(&arena, "world", memory, needed);
    tlw_world* world = carve(&arena, def, &fields);
    const size_t stride = scratch_stride(def);
    uint8_t* scratch =
        tlw_arena_push_array(&arena, def->tasks.worker_count, stride, TLW_MEMORY_ALIGNMENT);
    fields.block_capacity = block_capacity(def);
    for (uint32_t i = 0; i < def->tasks.worker_count; ++i) {
        fields.scratch[i] = (tlw_scratch){.memory = scratch + i * stride,
                                          .bytes = stride,
                                          .shapes = fields.shapes + i * def->collider_capacity};
        if (def->contact_capacity > 0) {
            fields.scratch[i].hits = fields.hits + i * fields.block_capacity;
        }
    }
    *world = fields;
    world->report.budget_ms = def->budget_ms;
    world->report.memory_bytes = needed;
    *out = world;
    TLW_POOL_ALLOC("tallow world", memory, needed);
    return TLW_OK;
}

static void empty_slot(tlw_world* world, uint32_t slot) {
    tlw_character* c = world->slots[slot].character;
    world->slots[slot].character = NULL;
    world->character_count -= 1;
    tlw_arena_release(c, c->memory_bytes);
}

void tlw_world_destroy(tlw_world* world) {
    TLW_ASSERT(world != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    TLW_POOL_FREE("tallow world", world, world->memory_bytes);
    for (uint32_t i = 0; i < world->def.character_capacity; ++i) {
        if (world->slots[i].character) {
            empty_slot(world, i);
        }
    }
    tlw_arena_release(world, world->memory_bytes);
}

void tlw_world_use_kernels(tlw_world* world, const tlw_kernels* kernels) {
    TLW_ASSERT(world != NULL && kernels != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    world->kernels = kernels;
}

// ---- Slots and ids

tlw_result tlw_world_find(const tlw_world* world, tlw_character_id id, tlw_character** out) {
    TLW_ASSERT(world != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    *out = NULL;
    if (id.index1 == 0 || id.index1 > world->def.character_capacity) {
        return TLW_ERROR_STALE_ID;
    }
    const tlw_world_slot* slot = &world->slots[id.index1 - 1];
    if (slot->character == NULL || slot->generation != id.generation) {
        return TLW_ERROR_STALE_ID;
    }
    *out = slot->character;
    return TLW_OK;
}

tlw_result tlw_world_find_free_slot(const tlw_world* world, uint32_t* out) {
    for (uint32_t i = 0; i < world->def.character_capacity; ++i) {
        if (world->slots[i].character == NULL) {
            *out = i;
            return TLW_OK;
        }
    }
    return TLW_ERROR_CAPACITY;
}

tlw_character_id tlw_world_fill_slot(tlw_world* world, uint32_t slot, tlw_character* c) {
    tlw_world_slot* s = &world->slots[slot];
    s->character = c;
    s->generation += 1;
    s->generation += s->generation == 0; // 0 is the null id's
    world->character_count += 1;
    return (tlw_character_id){slot + 1, s->generation};
}

void tlw_world_give_colliders(tlw_world* world, uint32_t slot, tlw_character* c) {
    const uint32_t colliders = world->colliders.capacity, contacts = world->def.contact_capacity;
    c->colliders = &world->colliders;
    c->collider_last = world->collider_last + (size_t)slot * colliders;
    c->contacts = world->contacts + (size_t)slot * contacts;
    c->contact_capacity = contacts;
}

tlw_result tlw_character_destroy(tlw_world* world, tlw_character_id id) {
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result == TLW_OK) {
        empty_slot(world, id.index1 - 1);
    }
    return result;
}

bool tlw_character_is_valid(const tlw_world* world, tlw_character_id id) {
    tlw_character* c;
    return tlw_world_find(world, id, &c) == TLW_OK;
}

void tlw_world_forget_blob(tlw_world* world, const void* blob) {
    for (uint32_t i = 0; i < world->def.tasks.worker_count; ++i) {
        tlw_scratch* scratch = &world->scratch[i];
        scratch->cleared_for = scratch->cleared_for == blob ? NULL : scratch->cleared_for;
    }
}

uint32_t tlw_world_character_count(const tlw_world* world) {
    TLW_ASSERT(world != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    return world->character_count;
}

uint64_t tlw_world_hash(const tlw_world* world) {
    TLW_ASSERT(world != NULL);
    TLW_ASSERT_MESSAGE(!world->is_stepping, "during a step");
    uint64_t hash = 0;
    for (uint32_t i = 0; i < world->def.character_capacity; ++i) {
        if (world->slots[i].character) {
            const uint64_t one = tlw_character_state_hash(world->slots[i].character);
            hash = tlw_xxh64(&one, sizeof one, hash);
        }
    }
    return hash;
}
