// SPDX-License-Identifier: MIT
// Colliders, contacts, drags, pushes, wind, time scale and the pose filter as the public header
// promises them: mistakes have a named result and change nothing, sleepers wake when they should,
// and memory is what was asked for (MODEL 3.15 to 3.17, 4.7 to 4.10).
#include "runtime/world/world.h"
#include "tests/runtime/support/small_characters.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FRAME     (1.0 / 60.0)
#define COLLIDERS 3u
#define DRAGS     2u

static const float not_a_number = (float)NAN, endless = (float)INFINITY;

typedef struct touchable {
    tlw_world* world;
    fixture_character c;
    double voxel, middle[3]; // metres: a voxel, the middle of all voxels in the bind pose
} touchable;

static void add_character(touchable* t, uint32_t which, uint32_t drags, bool has_filter) {
    tlw_character_def def = tlw_default_character_def();
    size_t bytes;
    def.blob = small_blob(which);
    def.drag_capacity = drags;
    def.has_pose_filter = has_filter;
    CHECK_OK(tlw_character_bytes(&def, &bytes));
    t->c = (fixture_character){.which = which, .memory = sample_allocate(bytes)};
    CHECK_OK(tlw_character_create(t->world, &def, t->c.memory, bytes, &t->c.id));
    const tlw_blob_info info = small_info(which);
    t->voxel = info.voxel_metres;
    for (uint32_t v = 0; v < info.voxel_count; ++v) {
        tlw_voxel_state state;
        CHECK_OK(tlw_character_get_voxel(t->world, t->c.id, v, &state));
        for (int i = 0; i < 3; ++i) {
            t->middle[i] += (double)state.position[i] * t->voxel / info.voxel_count;
        }
    }
}

static touchable make_touchable(uint32_t contacts) {
    tlw_world_def def = fixture_world_def(2);
    def.collider_capacity = COLLIDERS;
    def.contact_capacity = contacts;
    touchable t = {.world = fixture_world(&def)};
    add_character(&t, SMALL_LARGE_ELL, DRAGS, true);
    return t;
}

static void free_touchable(touchable* t) {
    fixture_remove(t->world, &t->c);
    fixture_world_free(t->world);
}

static tlw_collider_def sphere_of(double radius) {
    tlw_collider_def def = tlw_default_collider_def();
    def.radii[0] = def.radii[1] = (float)radius;
    return def;
}

// A pose that is this many voxels above the middle of the body.
static tlw_collider_pose above(const touchable* t, double voxels) {
    tlw_collider_pose pose = tlw_default_collider_pose();
    memcpy(pose.position, t->middle, sizeof pose.position);
    pose.position[1] += voxels * t->voxel;
    return pose;
}

static tlw_collider_id add_sphere(const touchable* t, double voxels_above) {
    const tlw_collider_def def = sphere_of(2.0 * t->voxel);
    const tlw_collider_pose pose = above(t, voxels_above);
    tlw_collider_id id;
    CHECK_OK(tlw_collider_create(t->world, &def, &pose, &id));
    return id;
}

static const tlw_character* inside(const touchable* t) {
    return t->world->slots[t->c.id.index1 - 1].character;
}

// The first voxel that is bone, or soft.
static uint32_t find_voxel(const touchable* t, bool is_bone) {
    const tlw_blob_arrays* blob = &inside(t)->blob;
    for (uint32_t v = 0; v < blob->lattice->voxel_count; ++v) {
        if ((blob->slot_layer[blob->voxel_slot[v]] == 0) == is_bone) {
            return v;
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "there is no such voxel");
}

static tlw_settings settings_of(const touchable* t) {
    tlw_settings settings;
    CHECK_OK(tlw_character_get_settings(t->world, t->c.id, &settings));
    return settings;
}

// The result is named, and nothing has changed.
#define REFUSED(call, expected)                       \
    do {                                              \
        const uint64_t hash_ = tlw_world_hash(world); \
        CHECK_RESULT(call, expected);                 \
        CHECK_EQ(tlw_world_hash(world), hash_);       \
    } while (0)

// ---- Defs

TLW_TEST(capacities_beyond_their_bounds_are_named) {
    tlw_world_def world = fixture_world_def(1);
    tlw_character_def character = tlw_default_character_def();
    size_t bytes;
    character.blob = small_blob(SMALL_ELL);
    world.collider_capacity = 64;
    world.contact_capacity = 16;
    CHECK_OK(tlw_world_bytes(&world, &bytes));
    world.collider_capacity = 65;
    CHECK_RESULT(tlw_world_bytes(&world, &bytes), TLW_ERROR_BAD_ARGUMENT);
    world.collider_capacity = 0;
    world.contact_capacity = 17;
    CHECK_RESULT(tlw_world_bytes(&world, &bytes), TLW_ERROR_BAD_ARGUMENT);
    world.contact_capacity = UINT32_MAX;
    CHECK_RESULT(tlw_world_bytes(&world, &bytes), TLW_ERROR_BAD_ARGUMENT);
    character.drag_capacity = 8;
    CHECK_OK(tlw_character_bytes(&character, &bytes));
    character.drag_capacity = 9;
    CHECK_RESULT(tlw_character_bytes(&character, &bytes), TLW_ERROR_BAD_ARGUMENT);
    character.drag_capacity = UINT32_MAX;
    CHECK_RESULT(tlw_character_bytes(&character, &bytes), TLW_ERROR_BAD_ARGUMENT);
}

// Every number of a collider's def that can be wrong, in a def that is good without it.
static void check_bad_shapes(const touchable* t) {
    tlw_world* world = t->world;
    const tlw_collider_pose pose = above(t, 0.0);
    const float bad[] = {not_a_number, endless, -endless, -1e-3f, 2e18f};
    for (size_t k = 0; k < TLW_COUNT_OF(bad); ++k) {
        for (int field = 0; field < 13; ++field) {
            tlw_collider_def def = sphere_of(t->voxel);
            float* const fields[13] = {
                &def.ends[0][0],      &def.ends[0][1],      &def.ends[0][2],      &def.ends[1][0],
                &def.ends[1][1],      &def.ends[1][2],      &def.radii[0],        &def.radii[1],
                &def.half_extents[0], &def.half_extents[1], &def.half_extents[2], &def.rounding,
                &def.friction};
            *fields[field] = bad[k];
            if (field < 6 && bad[k] == -1e-3f) {
                continue; // an end may be anywhere
            }
            tlw_collider_id id = {7, 7};
            tlw_overlap overlap;
            REFUSED(tlw_collider_create(world, &def, &pose, &id), TLW_ERROR_BAD_ARGUMENT);
            CHECK(tlw_collider_id_is_null(id));
            REFUSED(tlw_character_overlap(world, t->c.id, &def, &pose, &overlap),
                    TLW_ERROR_BAD_ARGUMENT);
        }
    }
}

TLW_TEST(colliders_that_are_not_usable_are_named_and_change_nothing) {
    touchable t = make_touchable(4);
    tlw_world* world = t.world;
    const tlw_collider_pose pose = above(&t, 0.0);
    tlw_collider_def def = sphere_of(t.voxel);
    tlw_collider_id id;
    tlw_overlap overlap;
    check_bad_shapes(&t);
    def.friction = 1.001f;
    REFUSED(tlw_collider_create(world, &def, &pose, &id), TLW_ERROR_BAD_ARGUMENT);
    def = sphere_of(t.voxel);
    def.kind = (tlw_collider_kind)3;
    REFUSED(tlw_collider_create(world, &def, &pose, &id), TLW_ERROR_BAD_ARGUMENT);
    def.kind = (tlw_collider_kind)-1;
    REFUSED(tlw_collider_create(world, &def, &pose, &id), TLW_ERROR_BAD_ARGUMENT);
    def = sphere_of(t.voxel);
    def.cookie ^= 1;
    REFUSED(tlw_collider_create(world, &def, &pose, &id), TLW_ERROR_BAD_DEF);
    REFUSED(tlw_character_overlap(world, t.c.id, &def, &pose, &overlap), TLW_ERROR_BAD_DEF);
    memset(&def, 0, sizeof def);
    REFUSED(tlw_collider_create(world, &def, &pose, &id), TLW_ERROR_BAD_DEF);
    CHECK_EQ(tlw_world_collider_count(world), 0u);
    free_touchable(&t);
}

TLW_TEST(poses_of_colliders_that_are_not_usable_are_named_and_change_nothing) {
    touchable t = make_touchable(4);
    tlw_world* world = t.world;
    const tlw_collider_def def = sphere_of(t.voxel);
    const tlw_collider_id good = add_sphere(&t, 5.0);
    const double places[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 2e18, -1e300};
    const float rotations[][4] = {{0, 0, 0, 0},
                                  {not_a_number, 0, 0, 1},
                                  {0, endless, 0, 1},
                                  {0, 0, 1e-20f, 0},
                                  {FLT_MAX, FLT_MAX, 0, 0}};
    for (size_t k = 0; k < TLW_COUNT_OF(places) + TLW_COUNT_OF(rotations); ++k) {
        tlw_collider_pose pose = above(&t, 3.0);
        if (k < TLW_COUNT_OF(places)) {
            pose.position[k % 3] = places[k];
        } else {
            memcpy(pose.rotation, rotations[k - TLW_COUNT_OF(places)], sizeof pose.rotation);
        }
        tlw_collider_id id;
        tlw_overlap overlap;
        REFUSED(tlw_collider_create(world, &def, &pose, &id), TLW_ERROR_BAD_POSE);
        REFUSED(tlw_collider_set_pose(world, good, &pose), TLW_ERROR_BAD_POSE);
        REFUSED(tlw_collider_teleport(world, good, &pose), TLW_ERROR_BAD_POSE);
        REFUSED(tlw_character_overlap(world, t.c.id, &def, &pose, &overlap), TLW_ERROR_BAD_POSE);
    }
    // A rotation of any other length is normalised.
    tlw_collider_pose pose = above(&t, 3.0), got;
    pose.rotation[1] = 3.0f;
    pose.rotation[3] = 4.0f;
    CHECK_OK(tlw_collider_set_pose(world, good, &pose));
    CHECK_OK(tlw_collider_get(world, good, NULL, &got));
    CHECK_NEAR(got.rotation[1], 0.6, 1e-7);
    CHECK_NEAR(got.rotation[3], 0.8, 1e-7);
    free_touchable(&t);
}

static void check_stale(tlw_world* world, tlw_collider_id id) {
    const tlw_collider_pose pose = tlw_default_collider_pose();
    tlw_collider_def def;
    tlw_collider_pose got;
    CHECK(!tlw_collider_is_valid(world, id));
    REFUSED(tlw_collider_destroy(world, id), TLW_ERROR_STALE_ID);
    REFUSED(tlw_collider_set_pose(world, id, &pose), TLW_ERROR_STALE_ID);
    REFUSED(tlw_collider_teleport(world, id, &pose), TLW_ERROR_STALE_ID);
    REFUSED(tlw_collider_get(world, id, &def, &got), TLW_ERROR_STALE_ID);
}

TLW_TEST(null_stale_and_foreign_ids_of_colliders_are_named_and_places_run_out) {
    touchable t = make_touchable(4);
    tlw_world* world = t.world;
    check_stale(world, (tlw_collider_id){0, 0});
    check_stale(world, (tlw_collider_id){1, 0});
    check_stale(world, (tlw_collider_id){1, 1});
    check_stale(world, (tlw_collider_id){COLLIDERS + 1, 1});
    check_stale(world, (tlw_collider_id){UINT32_MAX, UINT32_MAX});
    tlw_collider_id ids[COLLIDERS];
    for (uint32_t i = 0; i < COLLIDERS; ++i) {
        ids[i] = add_sphere(&t, 4.0 + i);
        CHECK(tlw_collider_is_valid(world, ids[i]));
        CHECK_EQ(tlw_world_collider_count(world), i + 1);
    }
    const tlw_collider_def def = sphere_of(t.voxel);
    const tlw_collider_pose pose = above(&t, 0.0);
    tlw_collider_id none = {3, 3};
    REFUSED(tlw_collider_create(world, &def, &pose, &none), TLW_ERROR_CAPACITY);
    CHECK(tlw_collider_id_is_null(none));
    CHECK_OK(tlw_collider_destroy(world, ids[1]));
    check_stale(world, ids[1]);
    const tlw_collider_id again = add_sphere(&t, 9.0);
    CHECK_EQ(again.index1, ids[1].index1); // the same place, another generation
    CHECK(!tlw_collider_id_equals(again, ids[1]));
    check_stale(world, ids[1]);
    CHECK(tlw_collider_is_valid(world, again));
    // Generations wrap around and are never 0.
    world->colliders.list[again.index1 - 1].generation = UINT32_MAX;
    const tlw_collider_id last = {again.index1, UINT32_MAX};
    CHECK_OK(tlw_collider_destroy(world, last));
    CHECK_EQ(add_sphere(&t, 9.0).generation, 1u);
    free_touchable(&t);
}

// A world without places has none, and a collider of another world is none of it.
TLW_TEST(a_world_without_places_for_colliders_says_so) {
    tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    const tlw_collider_def sphere = tlw_default_collider_def();
    const tlw_collider_pose pose = tlw_default_collider_pose();
    tlw_collider_id id;
    CHECK_RESULT(tlw_collider_create(world, &sphere, &pose, &id), TLW_ERROR_CAPACITY);
    check_stale(world, (tlw_collider_id){1, 1});
    CHECK_EQ(tlw_world_collider_count(world), 0u);
    fixture_world_free(world);
}

TLW_TEST(a_collider_is_got_as_it_was_made_and_posed) {
    touchable t = make_touchable(0);
    tlw_collider_def def = tlw_default_collider_def(), got;
    def.kind = TLW_COLLIDER_BOX;
    def.half_extents[1] = 0.25f;
    def.rounding = 0.125f;
    def.friction = 1.0f;
    def.mask = 6;
    tlw_collider_pose pose = above(&t, 50.0), at;
    tlw_collider_id id;
    CHECK_OK(tlw_collider_create(t.world, &def, &pose, &id));
    CHECK_OK(tlw_collider_get(t.world, id, &got, &at));
    CHECK_BYTES(&got, &def, sizeof def);
    CHECK_BYTES(&at, &pose, sizeof pose);
    pose = above(&t, 60.0);
    CHECK_OK(tlw_collider_set_pose(t.world, id, &pose));
    CHECK_OK(tlw_collider_get(t.world, id, NULL, &at)); // also before the next step
    CHECK_BYTES(&at, &pose, sizeof pose);
    CHECK_OK(tlw_collider_get(t.world, id, NULL, NULL));
    free_touchable(&t);
}

// ---- Forces

TLW_TEST(drags_that_are_not_usable_are_named_and_change_nothing) {
    touchable t = make_touchable(0);
    tlw_world* world = t.world;
    const tlw_drag good = {find_voxel(&t, false), {0.1, 0.2, 0.3}, 0.3f, 10.0f};
    CHECK_OK(tlw_character_set_drag(world, t.c.id, 0, &good));
#define BAD_DRAG(change)                                                                 \
    do {                                                                                 \
        tlw_drag bad = good;                                                             \
        change;                                                                          \
        REFUSED(tlw_character_set_drag(world, t.c.id, 0, &bad), TLW_ERROR_BAD_ARGUMENT); \
        REFUSED(tlw_character_set_drag(world, t.c.id, DRAGS, &bad), TLW_ERROR_CAPACITY); \
    } while (0)
    BAD_DRAG(bad.voxel = find_voxel(&t, true));
    BAD_DRAG(bad.voxel = small_info(t.c.which).voxel_count);
    BAD_DRAG(bad.voxel = UINT32_MAX);
    BAD_DRAG(bad.target[1] = (double)NAN);
    BAD_DRAG(bad.target[2] = (double)INFINITY);
    BAD_DRAG(bad.target[0] = -2e18);
    BAD_DRAG(bad.radius = 0.0f);
    BAD_DRAG(bad.radius = -1.0f);
    BAD_DRAG(bad.radius = not_a_number);
    BAD_DRAG(bad.radius = endless);
    BAD_DRAG(bad.hz = -0.1f);
    BAD_DRAG(bad.hz = 1001.0f);
    BAD_DRAG(bad.hz = not_a_number);
    REFUSED(tlw_character_set_drag(world, t.c.id, UINT32_MAX, &good), TLW_ERROR_CAPACITY);
    REFUSED(tlw_character_end_drag(world, t.c.id, DRAGS), TLW_ERROR_CAPACITY);
    REFUSED(tlw_character_end_drag(world, t.c.id, UINT32_MAX), TLW_ERROR_CAPACITY);
    tlw_drag widest = good; // what is just allowed
    widest.radius = FLT_MAX;
    widest.hz = 1000.0f;
    widest.target[0] = 1e18;
    CHECK_OK(tlw_character_set_drag(world, t.c.id, 1, &widest));
    CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_NOT_FINITE, 0u);
    CHECK_OK(tlw_character_end_drag(world, t.c.id, 1));
    CHECK_OK(tlw_character_end_drag(world, t.c.id, 1)); // once more does no harm
    fixture_remove(world, &t.c);
    memset(t.middle, 0, sizeof t.middle);
    add_character(&t, SMALL_ELL, 0, false);
    REFUSED(tlw_character_set_drag(world, t.c.id, 0, &good), TLW_ERROR_CAPACITY);
    free_touchable(&t);
}

TLW_TEST(pushes_and_rays_that_are_not_usable_are_named_and_change_nothing) {
    touchable t = make_touchable(0);
    tlw_world* world = t.world;
    const tlw_push good = {
        {t.middle[0], t.middle[1], t.middle[2]}, (float)(3.0 * t.voxel), {0, 1, 0}, 1.0f};
    const float bad[] = {not_a_number, endless, -endless, 2e6f};
    for (size_t k = 0; k < TLW_COUNT_OF(bad); ++k) {
        for (int field = 0; field < 5; ++field) {
            tlw_push push = good;
            float* const fields[5] = {&push.velocity[0], &push.velocity[1], &push.velocity[2],
                                      &push.outward, &push.radius};
            *fields[field] = bad[k];
            if (field < 4 || bad[k] != 2e6f) { // a radius may be that large
                REFUSED(tlw_character_push(world, t.c.id, &push), TLW_ERROR_BAD_ARGUMENT);
            }
        }
        tlw_push push = good;
        push.centre[k % 3] = k == 3 ? 2e18 : (double)bad[k];
        REFUSED(tlw_character_push(world, t.c.id, &push), TLW_ERROR_BAD_ARGUMENT);
    }
    tlw_push push = good;
    push.radius = 0.0f;
    REFUSED(tlw_character_push(world, t.c.id, &push), TLW_ERROR_BAD_ARGUMENT);
    push.radius = -1.0f;
    REFUSED(tlw_character_push(world, t.c.id, &push), TLW_ERROR_BAD_ARGUMENT);
    const uint64_t before = tlw_world_hash(world);
    CHECK_OK(tlw_character_push(world, t.c.id, &good));
    CHECK(tlw_world_hash(world) != before);

    const double from[3] = {t.middle[0], t.middle[1] + 1.0, t.middle[2]},
                 nowhere[3] = {0.0, (double)NAN, 0.0};
    const float down[3] = {0, -2, 0}, up[3] = {0, 1, 0};
    const float no_ways[][3] = {{0, 0, 0}, {not_a_number, 0, 1}, {0, endless, 0}};
    tlw_pick pick;
    for (size_t k = 0; k < TLW_COUNT_OF(no_ways); ++k) {
        REFUSED(tlw_character_pick(world, t.c.id, from, no_ways[k], &pick), TLW_ERROR_BAD_ARGUMENT);
    }
    REFUSED(tlw_character_pick(world, t.c.id, nowhere, down, &pick), TLW_ERROR_BAD_ARGUMENT);
    REFUSED(tlw_character_pick(world, t.c.id, from, up, &pick), TLW_ERROR_NOT_FOUND);
    free_touchable(&t);
}

TLW_TEST(settings_of_contact_and_forces_out_of_range_are_named_and_change_nothing) {
    touchable t = make_touchable(0);
    tlw_world* world = t.world;
    tlw_settings good = settings_of(&t);
    good.wind[0] = 3.0f;
    good.wind_drag = 1.0f;
    good.time_scale = 0.5f;
    CHECK_OK(tlw_character_set_settings(world, t.c.id, &good));
#define BAD_SETTING(change, expected)                                       \
    do {                                                                    \
        tlw_settings bad = good;                                            \
        change;                                                             \
        REFUSED(tlw_character_set_settings(world, t.c.id, &bad), expected); \
    } while (0)
    BAD_SETTING(bad.time_scale = -0.1f, TLW_ERROR_BAD_ARGUMENT);
    BAD_SETTING(bad.time_scale = 10.1f, TLW_ERROR_BAD_ARGUMENT);
    BAD_SETTING(bad.time_scale = not_a_number, TLW_ERROR_BAD_ARGUMENT);
    BAD_SETTING(bad.wind[1] = not_a_number, TLW_ERROR_BAD_ARGUMENT);
    BAD_SETTING(bad.wind[2] = -2e6f, TLW_ERROR_BAD_ARGUMENT);
    BAD_SETTING(bad.wind_drag = -1.0f, TLW_ERROR_BAD_ARGUMENT);
    BAD_SETTING(bad.wind_drag = 2e6f, TLW_ERROR_BAD_ARGUMENT);
    BAD_SETTING(bad.wind_drag = not_a_number, TLW_ERROR_BAD_ARGUMENT);
    BAD_SETTING(bad.gravity[0] = endless, TLW_ERROR_BAD_ARGUMENT);
    BAD_SETTING(bad.own_limbs = true, TLW_ERROR_UNSUPPORTED);
    tlw_limb limb;
    REFUSED(tlw_character_get_limb(world, t.c.id, 0, &limb), TLW_ERROR_BAD_ARGUMENT);
    free_touchable(&t);
}

// The validator accepts blocks that are smaller than the cooker's. A character with more of them
// than the world has hits for would write beyond them.
TLW_TEST(character_with_more_blocks_than_contacts_are_kept_for_is_refused) {
    for (uint32_t contacts = 0; contacts < 2; ++contacts) {
        touchable t = make_touchable(contacts);
        const uint32_t blocks = inside(&t)->blob.block_count;
        CHECK_LE(blocks, contacts > 0 ? t.world->block_capacity : blocks);
        tlw_character_def def = tlw_default_character_def();
        size_t bytes;
        tlw_character_id id;
        def.blob = small_blob(t.c.which);
        CHECK_OK(tlw_character_bytes(&def, &bytes));
        void* memory = sample_allocate(bytes);
        t.world->block_capacity = blocks - 1;
        const tlw_result result = tlw_character_create(t.world, &def, memory, bytes, &id);
        CHECK_EQ(result, contacts > 0 ? TLW_ERROR_SMALL_SCRATCH : TLW_OK);
        t.world->block_capacity = blocks;
        if (contacts > 0) {
            CHECK_OK(tlw_character_create(t.world, &def, memory, bytes, &id));
        }
        CHECK_OK(tlw_character_destroy(t.world, id));
        sample_free(memory);
        free_touchable(&t);
    }
}

TLW_TEST(joints_of_another_number_are_refused) {
    touchable t = make_touchable(0);
    float joints[4][16];
    CHECK_RESULT(tlw_character_get_joints(t.world, t.c.id, joints, 0), TLW_ERROR_BAD_ARGUMENT);
    free_touchable(&t);
}

TLW_TEST(pose_filters_that_are_not_usable_are_named_and_change_nothing) {
    touchable t = make_touchable(0);
    tlw_world* world = t.world;
    const tlw_pose_filter good = tlw_default_pose_filter();
    CHECK_OK(tlw_character_set_pose_filter(world, t.c.id, &good));
    const float bad[] = {-1.0f, not_a_number, endless};
    for (size_t k = 0; k < TLW_COUNT_OF(bad); ++k) {
        for (int field = 0; field < 3; ++field) {
            tlw_pose_filter filter = good;
            *(field == 0   ? &filter.cutoff_hz
              : field == 1 ? &filter.hz_per_speed
                           : &filter.hz_per_turn) = bad[k];
            REFUSED(tlw_character_set_pose_filter(world, t.c.id, &filter), TLW_ERROR_BAD_ARGUMENT);
        }
    }
    tlw_pose_filter filter = good;
    filter.cutoff_hz = 0.0f;
    REFUSED(tlw_character_set_pose_filter(world, t.c.id, &filter), TLW_ERROR_BAD_ARGUMENT);
    filter = (tlw_pose_filter){FLT_MAX, FLT_MAX, FLT_MAX}; // filters nothing
    CHECK_OK(tlw_character_set_pose_filter(world, t.c.id, &filter));
    CHECK_OK(fixture_pose(world, &t.c, 0.01, false));
    CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_NOT_FINITE, 0u);
    CHECK_OK(tlw_character_set_pose_filter(world, t.c.id, NULL));
    CHECK_OK(tlw_character_set_pose_filter(world, t.c.id, NULL));
    fixture_remove(world, &t.c);
    memset(t.middle, 0, sizeof t.middle);
    add_character(&t, SMALL_ELL, 0, false);
    REFUSED(tlw_character_set_pose_filter(world, t.c.id, &good), TLW_ERROR_UNSUPPORTED);
    REFUSED(tlw_character_set_pose_filter(world, t.c.id, NULL), TLW_ERROR_UNSUPPORTED);
    free_touchable(&t);
}

TLW_TEST(stale_characters_are_named_by_every_call_of_contact_and_forces) {
    touchable t = make_touchable(4);
    tlw_world* world = t.world;
    const tlw_character_id ids[] = {{0, 0}, {1, 0}, {2, 1}, {1, 99}, {UINT32_MAX, 1}};
    const tlw_collider_def def = sphere_of(1.0);
    const tlw_collider_pose pose = tlw_default_collider_pose();
    const tlw_drag drag = {0, {0, 0, 0}, 1.0f, 1.0f};
    const tlw_push push = {{0, 0, 0}, 1.0f, {0, 0, 0}, 0.0f};
    const double origin[3] = {0, 0, 0};
    const float way[3] = {0, 0, 1};
    for (size_t k = 0; k < TLW_COUNT_OF(ids); ++k) {
        tlw_contact contacts[2];
        uint32_t count;
        tlw_overlap overlap;
        tlw_limb limb;
        tlw_pick pick;
        const tlw_character_id id = ids[k];
        REFUSED(tlw_character_get_contacts(world, id, contacts, 2, &count), TLW_ERROR_STALE_ID);
        REFUSED(tlw_character_overlap(world, id, &def, &pose, &overlap), TLW_ERROR_STALE_ID);
        REFUSED(tlw_character_get_limb(world, id, 0, &limb), TLW_ERROR_STALE_ID);
        REFUSED(tlw_character_pick(world, id, origin, way, &pick), TLW_ERROR_STALE_ID);
        REFUSED(tlw_character_set_drag(world, id, 0, &drag), TLW_ERROR_STALE_ID);
        REFUSED(tlw_character_end_drag(world, id, 0), TLW_ERROR_STALE_ID);
        REFUSED(tlw_character_push(world, id, &push), TLW_ERROR_STALE_ID);
        REFUSED(tlw_character_set_pose_filter(world, id, NULL), TLW_ERROR_STALE_ID);
    }
    free_touchable(&t);
}

// ---- Sleep

static void fall_asleep(const touchable* t) {
    for (int frame = 0; frame < 900; ++frame) {
        if (tlw_world_step(t->world, FRAME) & TLW_STEP_ASLEEP) {
            return;
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "still awake after 15 s");
}

static bool is_awake_in_next_step(const touchable* t) {
    return (tlw_world_step(t->world, FRAME) & TLW_STEP_ASLEEP) == 0;
}

TLW_TEST(a_sleeper_wakes_when_a_collider_near_it_comes_moves_or_goes) {
    touchable t = make_touchable(4);
    tlw_collider_pose pose;
    fall_asleep(&t);
    const tlw_collider_id id = add_sphere(&t, 3.0);
    CHECK(is_awake_in_next_step(&t)); // created
    fall_asleep(&t);
    pose = above(&t, 3.5);
    CHECK_OK(tlw_collider_set_pose(t.world, id, &pose));
    CHECK(is_awake_in_next_step(&t)); // moved
    fall_asleep(&t);
    CHECK_OK(tlw_collider_set_pose(t.world, id, &pose));
    CHECK(!is_awake_in_next_step(&t)); // it stays where it is
    pose = above(&t, 400.0);
    CHECK_OK(tlw_collider_set_pose(t.world, id, &pose));
    CHECK(is_awake_in_next_step(&t)); // moved away: the dent must not stay
    fall_asleep(&t);
    pose = above(&t, 3.0);
    CHECK_OK(tlw_collider_teleport(t.world, id, &pose));
    CHECK(is_awake_in_next_step(&t)); // teleported to it
    fall_asleep(&t);
    pose = above(&t, 500.0);
    CHECK_OK(tlw_collider_teleport(t.world, id, &pose));
    CHECK(is_awake_in_next_step(&t)); // and away
    fall_asleep(&t);
    pose = above(&t, 3.0);
    CHECK_OK(tlw_collider_teleport(t.world, id, &pose));
    fall_asleep(&t);
    CHECK_OK(tlw_collider_destroy(t.world, id));
    CHECK(is_awake_in_next_step(&t)); // destroyed
    free_touchable(&t);
}

TLW_TEST(a_sleeper_sleeps_on_when_a_collider_far_away_or_of_another_mask_comes_moves_or_goes) {
    touchable t = make_touchable(4);
    tlw_settings settings = settings_of(&t);
    settings.collider_mask = 6;
    CHECK_OK(tlw_character_set_settings(t.world, t.c.id, &settings));
    for (int other_mask = 0; other_mask < 2; ++other_mask) {
        const double where = other_mask ? 3.0 : 300.0;
        tlw_collider_def def = sphere_of(2.0 * t.voxel);
        tlw_collider_pose pose = above(&t, where);
        tlw_collider_id id;
        def.mask = other_mask ? 9 : UINT32_MAX;
        fall_asleep(&t);
        CHECK_OK(tlw_collider_create(t.world, &def, &pose, &id));
        CHECK(!is_awake_in_next_step(&t));
        pose = above(&t, where + 0.5);
        CHECK_OK(tlw_collider_set_pose(t.world, id, &pose));
        CHECK(!is_awake_in_next_step(&t));
        pose = above(&t, where + 1.0);
        CHECK_OK(tlw_collider_teleport(t.world, id, &pose));
        CHECK(!is_awake_in_next_step(&t));
        CHECK_OK(tlw_collider_destroy(t.world, id));
        CHECK(!is_awake_in_next_step(&t));
    }
    free_touchable(&t);
}

// A collider that comes nearer in many calls touches a sleeper in the first call that it is near.
TLW_TEST(a_sleeper_is_not_passed_through) {
    touchable t = make_touchable(4);
    const tlw_collider_id id = add_sphere(&t, 61.0);
    fall_asleep(&t);
    for (double y = 60.0; y > 30.0; y -= 1.0) {
        const tlw_collider_pose pose = above(&t, y);
        CHECK_OK(tlw_collider_set_pose(t.world, id, &pose));
        CHECK(!is_awake_in_next_step(&t));
    }
    const tlw_collider_pose pose = above(&t, 0.0); // 31 voxels in one call
    tlw_contact contact;
    uint32_t count;
    CHECK_OK(tlw_collider_set_pose(t.world, id, &pose));
    CHECK(is_awake_in_next_step(&t));
    CHECK_OK(tlw_character_get_contacts(t.world, t.c.id, &contact, 1, &count));
    CHECK_EQ(count, 1u);
    CHECK_LT(0.0f, contact.speed);
    free_touchable(&t);
}

TLW_TEST(a_sleeper_wakes_by_every_force_and_setting) {
    touchable t = make_touchable(0);
    tlw_world* world = t.world;
    const tlw_character_id id = t.c.id;
    const tlw_drag drag = {find_voxel(&t, false),
                           {t.middle[0], t.middle[1], t.middle[2]},
                           (float)(2.0 * t.voxel),
                           5.0f};
    const tlw_push push = {
        {t.middle[0], t.middle[1], t.middle[2]}, (float)(3.0 * t.voxel), {0, 0.1f, 0}, 0.0f};
    const tlw_pose_filter filter = tlw_default_pose_filter();
    tlw_settings settings = settings_of(&t);
    fall_asleep(&t);
    CHECK_OK(tlw_character_set_drag(world, id, 0, &drag));
    CHECK(is_awake_in_next_step(&t));
    fall_asleep(&t);
    CHECK_OK(tlw_character_end_drag(world, id, 0));
    CHECK(is_awake_in_next_step(&t));
    fall_asleep(&t);
    CHECK_OK(tlw_character_push(world, id, &push));
    CHECK(is_awake_in_next_step(&t));
    fall_asleep(&t);
    CHECK_OK(tlw_character_set_pose_filter(world, id, &filter));
    CHECK(is_awake_in_next_step(&t));
    fall_asleep(&t); // a filtered pose that stands is the same to the bit
    settings.wind[0] = 2.0f;
    settings.wind_drag = 1.0f;
    CHECK_OK(tlw_character_set_settings(world, id, &settings));
    CHECK(is_awake_in_next_step(&t));
    settings.wind_drag = 0.0f;
    CHECK_OK(tlw_character_set_settings(world, id, &settings));
    fall_asleep(&t);
    settings.collider_mask = 1;
    CHECK_OK(tlw_character_set_settings(world, id, &settings));
    CHECK(is_awake_in_next_step(&t));
    fall_asleep(&t);
    settings.time_scale = 0.5f;
    CHECK_OK(tlw_character_set_settings(world, id, &settings));
    CHECK(is_awake_in_next_step(&t));
    free_touchable(&t);
}

// ---- What touched

TLW_TEST(contacts_stay_while_asleep_and_go_with_a_reset) {
    touchable t = make_touchable(2);
    const tlw_collider_id id = add_sphere(&t, 3.0);
    tlw_contact before, after;
    uint32_t count;
    fall_asleep(&t);
    CHECK_OK(tlw_character_get_contacts(t.world, t.c.id, &before, 1, &count));
    CHECK_EQ(count, 1u);
    CHECK(tlw_collider_id_equals(before.collider, id));
    CHECK_EQ(before.limb, TLW_NO_INDEX);
    CHECK_LT(0.0f, before.depth);
    for (int frame = 0; frame < 5; ++frame) {
        CHECK(!is_awake_in_next_step(&t));
    }
    CHECK_OK(tlw_character_get_contacts(t.world, t.c.id, &after, 1, &count));
    CHECK_EQ(count, 1u);
    CHECK_BYTES(&before, &after, sizeof after);
    // Without room only the number is told; a call without a substep keeps what there is.
    CHECK_OK(tlw_character_get_contacts(t.world, t.c.id, NULL, 0, &count));
    CHECK_EQ(count, 1u);
    CHECK_OK(tlw_character_reset(t.world, t.c.id));
    CHECK_OK(tlw_character_get_contacts(t.world, t.c.id, &after, 1, &count));
    CHECK_EQ(count, 0u);
    CHECK_OK(tlw_collider_destroy(t.world, id)); // the last one: no substep has contacts now
    CHECK(is_awake_in_next_step(&t));
    CHECK_OK(tlw_character_get_contacts(t.world, t.c.id, &after, 1, &count));
    CHECK_EQ(count, 0u);
    free_touchable(&t);
}

TLW_TEST(the_last_collider_that_goes_leaves_no_contact) {
    touchable t = make_touchable(4);
    const tlw_collider_id id = add_sphere(&t, 3.0);
    tlw_contact contact;
    uint32_t count;
    (void)tlw_world_step(t.world, FRAME);
    CHECK_OK(tlw_character_get_contacts(t.world, t.c.id, &contact, 1, &count));
    CHECK_EQ(count, 1u);
    CHECK_OK(tlw_collider_destroy(t.world, id));
    CHECK(!tlw_collider_is_valid(t.world, contact.collider));
    (void)tlw_world_step(t.world, FRAME);
    CHECK_OK(tlw_character_get_contacts(t.world, t.c.id, &contact, 1, &count));
    CHECK_EQ(count, 0u);
    free_touchable(&t);
}

TLW_TEST(a_contact_capacity_of_0_keeps_none_and_changes_no_motion) {
    uint64_t hashes[2];
    for (uint32_t k = 0; k < 2; ++k) {
        touchable t = make_touchable(k * 4);
        uint32_t count;
        (void)add_sphere(&t, 3.0);
        for (int frame = 0; frame < 10; ++frame) {
            (void)tlw_world_step(t.world, FRAME);
        }
        CHECK_OK(tlw_character_get_contacts(t.world, t.c.id, NULL, 0, &count));
        CHECK_EQ(count, k);
        hashes[k] = tlw_world_hash(t.world);
        free_touchable(&t);
    }
    CHECK_EQ(hashes[0], hashes[1]);
}

// With fewer places than things that touch, the deepest are kept.
TLW_TEST(the_deepest_contacts_are_kept_where_there_are_few_places) {
    tlw_contact all[COLLIDERS], few[COLLIDERS];
    uint32_t count;
    for (uint32_t capacity = 1; capacity <= COLLIDERS; ++capacity) {
        touchable t = make_touchable(COLLIDERS + 1 - capacity); // all of them first
        for (uint32_t i = 0; i < COLLIDERS; ++i) {
            (void)add_sphere(&t, 2.5 - 2.0 * i);
        }
        for (int frame = 0; frame < 5; ++frame) {
            (void)tlw_world_step(t.world, FRAME);
        }
        CHECK_OK(tlw_character_get_contacts(t.world, t.c.id, few, COLLIDERS, &count));
        CHECK_EQ(count, COLLIDERS + 1 - capacity);
        if (capacity == 1) {
            memcpy(all, few, sizeof all);
        }
        for (uint32_t i = 0; i < count; ++i) {
            CHECK_BYTES(&few[i], &all[i], sizeof few[i]);
        }
        free_touchable(&t);
    }
}
