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
#define COLLIDERS   4u
#define CONTACTS    6u

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
    def.drag_capacity = below(9);
    def.has_pose_filter = below(2) == 0;
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

// Colliders that there are or were.
static tlw_collider_id collider_ids[COLLIDERS];

static tlw_collider_id any_collider(void) {
    return below(12) == 0 ? (tlw_collider_id){below(COLLIDERS + 2), below(4)}
                          : collider_ids[below(COLLIDERS)];
}

static tlw_collider_def any_shape(void) {
    tlw_collider_def def = tlw_default_collider_def();
    def.kind = (tlw_collider_kind)below(3);
    for (int i = 0; i < 2; ++i) {
        def.radii[i] = fabsf(any_float());
        def.ends[i][below(3)] = any_float();
    }
    def.half_extents[below(3)] = fabsf(any_float());
    def.rounding = 0.1f * (float)below(5);
    def.friction = below(4) ? 0.3f * (float)below(4) : any_float();
    def.mask = below(3) ? UINT32_MAX : below(4);
    def.cookie ^= below(30) == 0;
    return def;
}

static tlw_collider_pose any_place(void) {
    tlw_collider_pose pose = tlw_default_collider_pose();
    for (int i = 0; i < 3; ++i) {
        pose.position[i] = (double)any_float() * (below(20) == 0 ? 1e6 : 0.5);
    }
    for (int i = 0; i < 4 && below(3) == 0; ++i) {
        pose.rotation[i] = any_float();
    }
    return pose;
}

static void call_any_collider(tlw_world* world) {
    const tlw_collider_id id = any_collider();
    const tlw_collider_def def = any_shape();
    const tlw_collider_pose pose = any_place();
    tlw_collider_def got;
    tlw_collider_pose at;
    switch (below(6)) {
    case 0: {
        tlw_collider_id created;
        if (tlw_collider_create(world, &def, &pose, &created) == TLW_OK) {
            collider_ids[created.index1 - 1] = created;
        } else {
            CHECK(tlw_collider_id_is_null(created));
        }
        break;
    }
    case 1:
        TLW_IGNORE(below(3) ? TLW_OK : tlw_collider_destroy(world, id));
        break;
    case 2:
        TLW_IGNORE(tlw_collider_teleport(world, id, &pose));
        break;
    case 3:
        CHECK_EQ(tlw_collider_get(world, id, &got, &at) == TLW_OK,
                 tlw_collider_is_valid(world, id));
        CHECK_LE(tlw_world_collider_count(world), COLLIDERS);
        break;
    default:
        TLW_IGNORE(tlw_collider_set_pose(world, id, &pose));
        break;
    }
}

static void call_any_force(tlw_world* world, tlw_character_id id) {
    const tlw_collider_pose place = any_place();
    const tlw_drag drag = {below(400),
                           {place.position[0], place.position[1], place.position[2]},
                           any_float(),
                           below(3) ? 10.0f : any_float()};
    const tlw_push push = {{place.position[0], place.position[1], place.position[2]},
                           any_float(),
                           {any_float(), any_float(), any_float()},
                           any_float()};
    tlw_pose_filter filter = tlw_default_pose_filter();
    switch (below(5)) {
    case 0:
        TLW_IGNORE(tlw_character_set_drag(world, id, below(9), &drag));
        break;
    case 1:
        TLW_IGNORE(tlw_character_end_drag(world, id, below(9)));
        break;
    case 2:
        TLW_IGNORE(tlw_character_push(world, id, &push));
        break;
    case 3:
        filter.cutoff_hz = any_float();
        filter.hz_per_turn = any_float();
        TLW_IGNORE(tlw_character_set_pose_filter(world, id, below(3) ? &filter : NULL));
        break;
    default: {
        tlw_settings settings;
        if (tlw_character_get_settings(world, id, &settings) == TLW_OK) {
            settings.time_scale = any_float();
            settings.wind_drag = any_float();
            settings.collider_mask = below(2) ? UINT32_MAX : below(4);
            TLW_IGNORE(tlw_character_set_settings(world, id, &settings));
        }
        break;
    }
    }
}

// What is asked about contact must be finite, whatever was done before.
static void ask_any(const tlw_world* world, tlw_character_id id) {
    const tlw_collider_def def = any_shape();
    const tlw_collider_pose pose = any_place();
    const float along[3] = {any_float(), any_float(), any_float()};
    tlw_contact contacts[CONTACTS];
    tlw_overlap overlap;
    tlw_limb limb;
    tlw_pick pick;
    uint32_t count;
    if (tlw_character_get_contacts(world, id, contacts, CONTACTS, &count) == TLW_OK) {
        CHECK_LE(count, CONTACTS);
        for (uint32_t i = 0; i < count; ++i) {
            CHECK(isfinite(contacts[i].depth) && isfinite(contacts[i].normal[0]));
            CHECK(i == 0 || contacts[i].depth <= contacts[i - 1].depth);
        }
    }
    if (tlw_character_overlap(world, id, &def, &pose, &overlap) == TLW_OK &&
        overlap.voxel_count > 0) {
        CHECK(overlap.depth >= 0.0f);
    }
    TLW_IGNORE(tlw_character_pick(world, id, pose.position, along, &pick));
    TLW_IGNORE(tlw_character_get_limb(world, id, below(4), &limb));
}

static void call_any(tlw_world* world, fixture_character* characters, void* room,
                     size_t room_bytes) {
    const tlw_character_id id = any_id(characters);
    fixture_character* c = &characters[below(CAPACITY)];
    const bool is_living = c->memory != NULL;
    float three[4] = {any_float(), any_float(), any_float(), any_float()};
    switch (below(24)) {
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
                                       .own_limbs = below(2) == 0,
                                       .collider_mask = below(4),
                                       .time_scale = below(3) == 0 ? any_float() : 1.0f,
                                       .wind = {three[3], any_float(), any_float()},
                                       .wind_drag = below(2) ? any_float() : 0.0f};
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
    case 15:
    case 16:
        call_any_collider(world);
        break;
    case 17:
    case 18:
        call_any_force(world, id);
        break;
    case 19:
        ask_any(world, id);
        break;
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
    CHECK_OK(tlw_character_set_settings(world, c->id, &settings)); // no collider touches it
    for (uint32_t d = 0; d < 8; ++d) {
        TLW_IGNORE(tlw_character_end_drag(world, c->id, d)); // it may have fewer
    }
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
    tlw_world_def def = fixture_world_def(CAPACITY - 1); // one less than the test asks for
    def.collider_capacity = COLLIDERS;
    def.contact_capacity = CONTACTS;
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
