// SPDX-License-Identifier: MIT
// Worlds and characters of the small blobs, for tests of the public header.
#include "tests/runtime/support/small_characters.h"

#include "tests/cook/support/small_blobs.h"
#include "tests/test.h"

tlw_blob small_blob(uint32_t which) {
    static tlw_cook_output cooked[SMALL_BLOB_COUNT];
    static tlw_blob blobs[SMALL_BLOB_COUNT];
    if (blobs[which].bytes == NULL) {
        small_blob_cook(which, &cooked[which]);
        CHECK_OK(tlw_blob_open(cooked[which].blob, cooked[which].blob_bytes, TLW_BLOB_CHECK_ALL,
                               &blobs[which], NULL));
    }
    return blobs[which];
}

tlw_blob_info small_info(uint32_t which) {
    const tlw_blob blob = small_blob(which);
    tlw_blob_info info;
    CHECK_OK(tlw_blob_get_info(&blob, &info));
    CHECK_LE(info.joint_count, SAMPLE_JOINTS_MAX);
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

tlw_world_def fixture_world_def(uint32_t capacity) {
    tlw_world_def def = tlw_default_world_def();
    def.character_capacity = capacity;
    def.scratch_bytes = small_scratch_bytes();
    return def;
}

tlw_world* fixture_world(const tlw_world_def* def) {
    tlw_world* world;
    size_t bytes;
    CHECK_OK(tlw_world_bytes(def, &bytes));
    CHECK_OK(tlw_world_create(def, sample_allocate(bytes), bytes, &world));
    return world;
}

void fixture_world_free(tlw_world* world) {
    tlw_world_destroy(world);
    sample_free(world);
}

static fixture_character add(tlw_world* world, uint32_t which, tlw_pose_kind kind, bool has_all) {
    fixture_character c = {.which = which, .kind = kind};
    tlw_character_def def = tlw_default_character_def();
    size_t bytes;
    def.drag_capacity = has_all ? 8 : 0;
    def.has_pose_filter = has_all;
    def.blob = small_blob(which);
    def.pose_kind = kind;
    def.user_data = 40 + which;
    CHECK_OK(tlw_character_bytes(&def, &bytes));
    c.memory = sample_allocate(bytes);
    CHECK_OK(tlw_character_create(world, &def, c.memory, bytes, &c.id));
    return c;
}

fixture_character fixture_add(tlw_world* world, uint32_t which, tlw_pose_kind kind) {
    return add(world, which, kind, false);
}

fixture_character fixture_add_with_all(tlw_world* world, uint32_t which, tlw_pose_kind kind) {
    return add(world, which, kind, true);
}

void fixture_remove(tlw_world* world, fixture_character* c) {
    CHECK_OK(tlw_character_destroy(world, c->id));
    sample_free(c->memory);
    c->memory = NULL;
}

tlw_root fixture_root(void) {
    return (tlw_root){{0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}, 1.0f};
}

tlw_result fixture_pose(tlw_world* world, const fixture_character* c, double x, bool is_jump) {
    sample_joints joints;
    const tlw_blob blob = small_blob(c->which);
    bind_pose(&blob, c->kind, (const double[3]){x, 0.0, 0.0}, &joints);
    const tlw_pose pose = {&joints, small_info(c->which).joint_count, fixture_root(), is_jump};
    return tlw_character_set_pose(world, c->id, &pose);
}

uint64_t fixture_hash(const tlw_world* world, const fixture_character* c) {
    uint64_t hash;
    CHECK_OK(tlw_character_hash(world, c->id, &hash));
    return hash;
}

tlw_step_flags fixture_flags(const tlw_world* world, const fixture_character* c) {
    tlw_step_flags flags;
    CHECK_OK(tlw_character_get_flags(world, c->id, &flags));
    return flags;
}
