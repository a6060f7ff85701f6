// SPDX-License-Identifier: MIT
// Makes random calls with random arguments, good and bad, from a fixed seed: none may crash,
// results must be named, a bad call must change nothing, and good state must stay finite. Above all
// for the address sanitizer.
#include "platform/clock.h"
#include "tests/cook/support/small_blobs.h"
#include "tests/runtime/support/small_characters.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY    5u
#define SECONDS     3.0
#define CALLS       60000
#define CALLS_LEAST 1000

static uint64_t state = 20240611;

static uint32_t below(uint32_t count) {
    return (uint32_t)(tlw_test_random(&state) % count);
}

// Most of these are ordinary numbers.
static float any_float(void) {
    static const float odd[] = {0.0f,     -0.0f, 1e-45f, -1e-38f, FLT_MAX,
                                -FLT_MAX, 1e18f, 1.0f,   -1.0f,   0.5f};
    switch (below(12)) {
    case 0:
        return (float)NAN;
    case 1:
        return below(2) ? (float)INFINITY : -(float)INFINITY;
    case 2:
        return odd[below(TLW_COUNT_OF(odd))];
    case 3: {
        const uint32_t bits = (uint32_t)tlw_test_random(&state);
        float value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    default:
        return (float)below(4001) / 1000.0f - 2.0f;
    }
}

static tlw_character_id any_id(const fixture_character* characters) {
    if (below(12) == 0) {
        return (tlw_character_id){below(CAPACITY + 3), below(4)};
    }
    return characters[below(CAPACITY)].id;
}

static void set_any_pose(tlw_world* world, const fixture_character* c) {
    sample_joints joints;
    const tlw_blob blob = small_blob(c->which);
    const uint32_t count = small_info(c->which).joint_count;
    const double offset[3] = {(double)below(100) * 0.001, 0.0, (double)below(100) * 0.001};
    bind_pose(&blob, c->kind, offset, &joints);
    for (uint32_t i = below(6); i > 3; --i) {
        ((float*)&joints)[below(count * 10)] = any_float();
    }
    tlw_pose pose = {&joints, count, fixture_root(), below(20) == 0};
    for (int i = 0; i < 3 && below(4) == 0; ++i) {
        pose.root.position[i] = below(3) ? (double)any_float() : (double)any_float() * 1e5;
    }
    for (int i = 0; i < 4 && below(4) == 0; ++i) {
        pose.root.rotation[i] = any_float();
    }
    pose.root.scale = below(8) == 0 ? any_float() : 1.0f;
    pose.joint_count = below(30) == 0 ? below(64) : count;
    if (pose.joint_count > SAMPLE_JOINTS_MAX || below(50) == 0) {
        pose.joints = NULL;
    }
    const tlw_result result = tlw_character_set_pose(world, c->id, &pose);
    CHECK(result == TLW_OK || result == TLW_ERROR_BAD_POSE || result == TLW_ERROR_BAD_ARGUMENT ||
          result == TLW_ERROR_STALE_ID);
}

static void create_any(tlw_world* world, fixture_character* c) {
    tlw_character_def def = tlw_default_character_def();
    const uint32_t which = below(SMALL_BLOB_COUNT);
    size_t bytes;
    def.blob = small_blob(which);
    CHECK_OK(tlw_character_bytes(&def, &bytes));
    void* memory = sample_allocate(bytes);
    def.pose_kind = (tlw_pose_kind)below(4);
    def.preset = (tlw_preset)below(TLW_PRESET_COUNT + 1);
    def.cookie ^= below(20) == 0;
    const size_t given = bytes - (below(20) == 0 ? 1 : 0);
    const size_t off = below(20) == 0 ? 16 : 0;
    tlw_character_id id;
    const tlw_result result = tlw_character_create(world, &def, (uint8_t*)memory + off, given, &id);
    if (result != TLW_OK) {
        CHECK_EQ(id.index1, 0u);
        sample_free(memory);
        return;
    }
    *c = (fixture_character){id, which, def.pose_kind, memory};
}

static void set_any_output(tlw_world* world, const fixture_character* c, void* room,
                           size_t room_bytes) {
    const tlw_blob_info info = small_info(c->which);
    tlw_output output = tlw_default_output();
    tlw_stream* streams[] = {&output.positions, &output.normals, &output.tangents, &output.deltas,
                             &output.lattice};
    const size_t share = room_bytes / TLW_COUNT_OF(streams) / 64 * 64;
    output.embedding = (tlw_embedding)below(4);
    output.first_vertex = below(4) == 0 ? below(info.vertex_count + 2) : 0;
    output.vertex_count = below(4) == 0 ? below(info.vertex_count + 2) : UINT32_MAX;
    for (size_t i = 0; i < TLW_COUNT_OF(streams); ++i) {
        if (below(3) != 0) {
            streams[i]->data = (uint8_t*)room + i * share + below(10) / 9;
            streams[i]->format = (tlw_format)(below(20) == 0 ? 2 : below(2));
            streams[i]->stride_bytes = below(3) == 0 ? below(80) : 0;
        }
    }
    TLW_IGNORE(tlw_character_set_output(world, c->id, &output)); // any result is allowed
}

static void call_any(tlw_world* world, fixture_character* characters, void* room,
                     size_t room_bytes) {
    const tlw_character_id id = any_id(characters);
    fixture_character* c = &characters[below(CAPACITY)];
    const bool is_living = c->memory != NULL;
    float three[4] = {any_float(), any_float(), any_float(), any_float()};
    switch (below(18)) {
    case 0:
        if (!is_living) {
            create_any(world, c);
        }
        break;
    case 1:
        if (is_living && below(4) == 0) {
            fixture_remove(world, c);
            c->id = below(2) ? c->id : (tlw_character_id){0, 0};
        }
        break;
    case 2: {
        tlw_material material;
        for (size_t k = 0; k < sizeof material / sizeof(float); ++k) {
            ((float*)&material)[k] = any_float();
        }
        TLW_IGNORE(tlw_character_set_material(world, id, below(3) ? TLW_ALL : below(4),
                                              below(3) ? TLW_ALL : below(9), &material));
        break;
    }
    case 3: {
        const tlw_settings settings = {.gravity = {three[0], three[1], three[2]},
                                       .rotation_iterations = below(6),
                                       .repeats = below(10),
                                       .skinned_volume = below(2) == 0,
                                       .time_scale = 1.0f};
        TLW_IGNORE(tlw_character_set_settings(world, id, &settings));
        break;
    }
    case 4:
        TLW_IGNORE(tlw_character_apply_preset(world, id, (tlw_preset)below(TLW_PRESET_COUNT + 2)));
        break;
    case 5:
        if (is_living) {
            set_any_output(world, c, room, room_bytes);
        }
        break;
    case 6: {
        const double at[3] = {(double)three[0], (double)three[1] * 1e3, (double)three[2]};
        const float rotation[4] = {any_float(), any_float(), any_float(), any_float()};
        TLW_IGNORE(tlw_character_teleport(world, id, at, rotation));
        break;
    }
    case 7:
        TLW_IGNORE(tlw_character_reset(world, id));
        break;
    case 8:
        TLW_IGNORE(tlw_character_set_voxel(world, id, below(400), three, three + 1));
        break;
    case 9: {
        tlw_voxel_state voxel;
        tlw_bounds bounds;
        tlw_character_report report;
        tlw_world_report world_report;
        uint64_t hash;
        TLW_IGNORE(tlw_character_get_voxel(world, id, below(400), &voxel));
        TLW_IGNORE(tlw_character_get_bounds(world, id, &bounds));
        TLW_IGNORE(tlw_character_get_report(world, id, &report));
        TLW_IGNORE(tlw_character_hash(world, id, &hash));
        tlw_world_get_report(world, &world_report);
        if (below(10) == 0) {
            tlw_world_reset_report(world);
        }
        break;
    }
    case 10: {
        const double times[] = {0.0, -1.0, (double)NAN, 1e9, 1.0 / 24.0, 1e-9, 1e300, 0.5};
        (void)tlw_world_step(world, times[below(TLW_COUNT_OF(times))]);
        break;
    }
    case 11: {
        // Whether it has bends is not looked at: without, nothing changes.
        tlw_settings settings;
        if (tlw_character_get_settings(world, id, &settings) == TLW_OK) {
            settings.skinned_volume = !settings.skinned_volume;
            TLW_IGNORE(tlw_character_set_settings(world, id, &settings));
        }
        break;
    }
    case 12: {
        uint64_t before = 0, after = 0;
        const bool is_known = tlw_character_hash(world, id, &before) == TLW_OK;
        const tlw_result result = tlw_character_fade_to(world, id, below(5), three[0]);
        CHECK(result == (is_known ? TLW_OK : TLW_ERROR_STALE_ID) ||
              result == TLW_ERROR_BAD_ARGUMENT);
        if (is_known && result != TLW_OK) {
            TLW_IGNORE(tlw_character_hash(world, id, &after));
            CHECK_EQ(before, after);
        }
        break;
    }
    case 13:
    case 14:
        (void)tlw_world_step(world, (double)(1 + below(40)) / 1000.0);
        break;
    default:
        if (is_living) {
            set_any_pose(world, c);
        }
        break;
    }
}

// After all that, a good pose and a reset must make the character as good as new.
static void check_sound(tlw_world* world, const fixture_character* c) {
    CHECK_OK(fixture_pose(world, c, 0.0, true));
    const tlw_settings settings = {
        .gravity = {0.0f, 0.0f, 0.0f}, .rotation_iterations = 2, .repeats = 1, .time_scale = 1.0f};
    CHECK_OK(tlw_character_set_settings(world, c->id, &settings));
    CHECK_OK(tlw_character_apply_preset(world, c->id, TLW_PRESET_COOKED));
    CHECK_OK(tlw_character_reset(world, c->id));
    for (int i = 0; i < 3; ++i) {
        (void)tlw_world_step(world, 1.0 / 60.0);
    }
    for (uint32_t v = 0; v < small_info(c->which).voxel_count; ++v) {
        tlw_voxel_state voxel;
        CHECK_OK(tlw_character_get_voxel(world, c->id, v, &voxel));
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(voxel.position[i], voxel.skinned[i], 1e-2);
        }
    }
}

TLW_TEST(random_calls_with_random_arguments_do_no_harm) {
    const tlw_world_def def = fixture_world_def(CAPACITY - 1); // one less than the test asks for
    tlw_world* world = fixture_world(&def);
    const size_t room_bytes = 8u << 20;
    void* room = sample_allocate(room_bytes);
    fixture_character characters[CAPACITY] = {{.memory = NULL}};
    const uint64_t until = tlw_clock_ns() + (uint64_t)(SECONDS * 1e9);
    // CALLS_LEAST calls on any machine; more while there is time.
    for (int calls = 0; calls < CALLS && (calls < CALLS_LEAST || tlw_clock_ns() < until); ++calls) {
        call_any(world, characters, room, room_bytes);
    }
    for (uint32_t i = 0; i < CAPACITY; ++i) {
        if (characters[i].memory) {
            check_sound(world, &characters[i]);
        }
    }
    for (uint32_t i = 0; i < CAPACITY; ++i) {
        if (characters[i].memory) {
            fixture_remove(world, &characters[i]);
        }
    }
    fixture_world_free(world);
    sample_free(room);
}
