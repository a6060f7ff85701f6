// SPDX-License-Identifier: MIT
#include "tests/runtime/bed.h"

#include "tests/cook/small_blobs.h"
#include "tests/test.h"

tlw_tissue small_tissue(uint32_t which) {
    static tlw_cook_output cooked[SMALL_BLOB_COUNT];
    static tlw_tissue tissues[SMALL_BLOB_COUNT];
    if (tissues[which].bytes == NULL) {
        small_blob_cook(which, &cooked[which]);
        CHECK_OK(tlw_tissue_open(cooked[which].blob, cooked[which].blob_bytes, TLW_BLOB_CHECK_ALL,
                                 &tissues[which], NULL));
    }
    return tissues[which];
}

tlw_tissue_info small_info(uint32_t which) {
    const tlw_tissue tissue = small_tissue(which);
    tlw_tissue_info info;
    CHECK_OK(tlw_tissue_get_info(&tissue, &info));
    CHECK_LE(info.joint_count, CAST_JOINTS_MAX);
    return info;
}

size_t small_scratch_bytes(void) {
    size_t most = 0;
    for (uint32_t i = 0; i < SMALL_BLOB_COUNT; ++i) {
        const size_t bytes = small_info(i).scratch_bytes;
        most = bytes > most ? bytes : most;
    }
    return most;
}

tlw_world_def bed_world_def(uint32_t capacity) {
    tlw_world_def def = tlw_default_world_def();
    def.character_capacity = capacity;
    def.scratch_bytes = small_scratch_bytes();
    return def;
}

tlw_world* bed_world(const tlw_world_def* def) {
    tlw_world* world;
    size_t bytes;
    CHECK_OK(tlw_world_bytes(def, &bytes));
    CHECK_OK(tlw_world_create(def, cast_allocate(bytes), bytes, &world));
    return world;
}

void bed_free(tlw_world* world) {
    tlw_world_destroy(world);
    cast_free(world);
}

bed_character bed_add(tlw_world* world, uint32_t which, tlw_pose_kind kind) {
    bed_character c = {.which = which, .kind = kind};
    tlw_character_def def = tlw_default_character_def();
    size_t bytes;
    def.tissue = small_tissue(which);
    def.pose_kind = kind;
    def.user_data = 40 + which;
    CHECK_OK(tlw_character_bytes(&def, &bytes));
    c.memory = cast_allocate(bytes);
    CHECK_OK(tlw_character_create(world, &def, c.memory, bytes, &c.id));
    return c;
}

void bed_remove(tlw_world* world, bed_character* c) {
    CHECK_OK(tlw_character_destroy(world, c->id));
    cast_free(c->memory);
    c->memory = NULL;
}

tlw_root bed_root(void) {
    return (tlw_root){{0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f};
}

tlw_result bed_pose(tlw_world* world, const bed_character* c, double x, bool is_jump) {
    cast_joints joints;
    const tlw_tissue tissue = small_tissue(c->which);
    bind_pose(&tissue, c->kind, (const double[3]){x, 0.0, 0.0}, &joints);
    const tlw_pose pose = {&joints, small_info(c->which).joint_count, bed_root(), is_jump};
    return tlw_character_set_pose(world, c->id, &pose);
}

uint64_t bed_hash(const tlw_world* world, const bed_character* c) {
    uint64_t hash;
    CHECK_OK(tlw_character_hash(world, c->id, &hash));
    return hash;
}

tlw_step_flags bed_flags(const tlw_world* world, const bed_character* c) {
    tlw_step_flags flags;
    CHECK_OK(tlw_character_get_flags(world, c->id, &flags));
    return flags;
}
