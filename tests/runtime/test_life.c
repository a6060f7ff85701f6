// SPDX-License-Identifier: MIT
// The life of characters and worlds: they come and go, sleep and wake, are reset and teleported; a
// step has two halves; reports add up; calls during a step assert.
#include "platform/handlers.h"
#include "platform/thread.h"
#include "runtime/world/world.h"
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/small_blobs.h"
#include "tests/runtime/support/small_characters.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FRAME (1.0 / 60.0)

// A character moves the same alone and among others that come and go.
TLW_TEST(characters_that_come_and_go_do_not_affect_each_other) {
    const tlw_world_def def = fixture_world_def(6);
    tlw_world *alone = fixture_world(&def), *shared = fixture_world(&def);
    fixture_character a = fixture_add(alone, SMALL_LEGS, TLW_POSE_TRANSFORMS);
    fixture_character crowd[6] = {{.memory = NULL}};
    uint64_t random = 3;
    crowd[2] = fixture_add(shared, SMALL_LEGS, TLW_POSE_TRANSFORMS);
    uint32_t living = 1;
    for (int frame = 0; frame < 200; ++frame) {
        const uint32_t at = (uint32_t)(tlw_test_random(&random) % 6);
        if (at != 2 && crowd[at].memory == NULL) {
            crowd[at] = fixture_add(shared, (uint32_t)(tlw_test_random(&random) % SMALL_BLOB_COUNT),
                                    (tlw_pose_kind)(at % 3));
            living += 1;
        } else if (at != 2) {
            fixture_remove(shared, &crowd[at]);
            living -= 1;
        }
        CHECK_EQ(tlw_world_character_count(shared), living);
        const double x = 0.03 * sin(0.4 * frame);
        for (uint32_t i = 0; i < 6; ++i) {
            if (crowd[i].memory) {
                CHECK_OK(fixture_pose(shared, &crowd[i], x, false));
            }
        }
        CHECK_OK(fixture_pose(alone, &a, x, false));
        (void)tlw_world_step(alone, FRAME);
        (void)tlw_world_step(shared, FRAME);
        CHECK_EQ(fixture_hash(alone, &a), fixture_hash(shared, &crowd[2]));
        tlw_world_report report;
        tlw_world_get_report(shared, &report);
        CHECK_EQ(report.character_count, living);
    }
    for (uint32_t i = 0; i < 6; ++i) {
        if (crowd[i].memory) {
            fixture_remove(shared, &crowd[i]);
        }
    }
    CHECK_EQ(tlw_world_hash(shared), 0u);
    fixture_remove(alone, &a);
    fixture_world_free(alone);
    fixture_world_free(shared);
}

// Copies a blob to `place`, steps it a few times and returns the final hash.
static uint64_t live_at(tlw_world* world, void* place, uint32_t which) {
    const tlw_blob blob = small_blob(which);
    tlw_character_def def = tlw_default_character_def();
    size_t bytes;
    memcpy(place, blob.bytes, blob.size);
    CHECK_OK(tlw_blob_open(place, blob.size, TLW_BLOB_CHECK_ALL, &def.blob, NULL));
    CHECK_OK(tlw_character_bytes(&def, &bytes));
    void* memory = sample_allocate(bytes);
    fixture_character c = {.which = which, .kind = def.pose_kind, .memory = memory};
    CHECK_OK(tlw_character_create(world, &def, memory, bytes, &c.id));
    for (int frame = 0; frame < 12; ++frame) {
        CHECK_OK(fixture_pose(world, &c, 0.02 * (frame % 3), false));
        CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_NOT_FINITE, 0u);
    }
    const uint64_t hash = fixture_hash(world, &c);
    fixture_remove(world, &c);
    return hash;
}

// A game loads the blobs of a level where those of the last level were.
TLW_TEST(blob_loaded_where_another_was_steps_as_in_a_new_world) {
    static const uint32_t all[] = {SMALL_TRIANGLE, SMALL_TRIANGLE_WITH_ALL, SMALL_ELL, SMALL_LEGS,
                                   SMALL_LARGE_ELL};
    size_t most = 0;
    for (size_t i = 0; i < TLW_COUNT_OF(all); ++i) {
        const tlw_blob blob = small_blob(all[i]);
        most = blob.size > most ? blob.size : most;
    }
    void* place = sample_allocate(most);
    const tlw_world_def def = fixture_world_def(1);
    for (size_t i = 0; i < TLW_COUNT_OF(all); ++i) {
        tlw_world* own = fixture_world(&def);
        const uint64_t alone = live_at(own, place, all[i]);
        fixture_world_free(own);
        for (size_t before = 0; before < TLW_COUNT_OF(all); ++before) {
            tlw_world* world = fixture_world(&def);
            (void)live_at(world, place, all[before]);
            CHECK_EQ(live_at(world, place, all[i]), alone);
            fixture_world_free(world);
        }
    }
    sample_free(place);
}

// With neighbour sets other than 26, rest stays at rest and all instruction sets give the same.
TLW_TEST(every_neighbour_set_rests_and_moves_the_same_on_every_instruction_set) {
    static const uint32_t sets[] = {6, 14, 18, 20, 26};
    for (size_t i = 0; i < TLW_COUNT_OF(sets); ++i) {
        scene* s = scene_make(SCENE_ell, 0);
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        const tlw_cook_options options = tlw_default_cook_options();
        tlw_cook_output cooked;
        recipe.resolution = 12;
        recipe.neighbours = sets[i];
        CHECK_OK(tlw_cook_character(scene_input(s), &recipe, &options, &cooked));
        tlw_character_def def = tlw_default_character_def();
        CHECK_OK(
            tlw_blob_open(cooked.blob, cooked.blob_bytes, TLW_BLOB_CHECK_ALL, &def.blob, NULL));
        tlw_blob_info info;
        size_t bytes;
        CHECK_OK(tlw_blob_get_info(&def.blob, &info));
        CHECK_EQ(info.neighbours, sets[i]);
        CHECK_OK(tlw_character_bytes(&def, &bytes));
        uint64_t hashes[40] = {0};
        bool is_first = true;
        for (uint32_t isa = 0; isa < TLW_ISA_COUNT; ++isa) {
            if (!tlw_isa_is_built((tlw_isa)isa) || !tlw_isa_is_supported((tlw_isa)isa)) {
                continue;
            }
            tlw_world_def world_def = tlw_default_world_def();
            world_def.scratch_bytes = info.scratch_bytes;
            world_def.isa = (tlw_isa)isa;
            tlw_world* world = fixture_world(&world_def);
            tlw_character_id id;
            void* memory = sample_allocate(bytes);
            CHECK_OK(tlw_character_create(world, &def, memory, bytes, &id));
            for (int frame = 0; frame < 40; ++frame) {
                sample_joints joints;
                const double x = frame < 10 ? 0.0 : 0.4 * info.voxel_metres * (frame % 4);
                bind_pose(&def.blob, TLW_POSE_MATRICES, (const double[3]){x, 0.0, 0.0}, &joints);
                const tlw_pose pose = {&joints, info.joint_count, fixture_root(), false};
                CHECK_OK(tlw_character_set_pose(world, id, &pose));
                CHECK_EQ(tlw_world_step(world, FRAME), 0u);
                for (uint32_t v = 0; v < info.voxel_count && frame == 9; ++v) {
                    tlw_voxel_state state;
                    CHECK_OK(tlw_character_get_voxel(world, id, v, &state));
                    CHECK_NEAR(state.position[1], state.skinned[1], 1e-5);
                }
                const uint64_t hash = tlw_world_hash(world);
                CHECK_EQ(hash, is_first ? hash : hashes[frame]);
                hashes[frame] = hash;
            }
            is_first = false;
            fixture_world_free(world);
            sample_free(memory);
        }
        tlw_cook_output_free(&cooked);
        scene_free(s);
    }
}

TLW_TEST(begin_and_end_are_a_step_in_two_halves) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world *one = fixture_world(&def), *two = fixture_world(&def);
    fixture_character a = fixture_add(one, SMALL_ELL, TLW_POSE_SKINNING);
    fixture_character b = fixture_add(two, SMALL_ELL, TLW_POSE_SKINNING);
    for (int frame = 0; frame < 20; ++frame) {
        CHECK_OK(fixture_pose(one, &a, 0.02 * (frame % 5), frame == 7));
        CHECK_OK(fixture_pose(two, &b, 0.02 * (frame % 5), frame == 7));
        const tlw_step_flags flags = tlw_world_step(one, FRAME);
        tlw_world_begin_step(two, FRAME);
        CHECK_EQ(tlw_world_end_step(two), flags);
        CHECK_EQ(tlw_world_hash(one), tlw_world_hash(two));
    }
    fixture_remove(one, &a);
    fixture_remove(two, &b);
    fixture_world_free(one);
    fixture_world_free(two);
}

// A task system with one thread that runs every item as soon as it is enqueued.
typedef struct prompt_tasks {
    tlw_thread thread;
    tlw_task* task;
    void* context;
    uint32_t count;
    tlw_atomic_u32 is_through;
} prompt_tasks;

static void run_promptly(void* user) {
    prompt_tasks* tasks = user;
    for (uint32_t i = 0; i < tasks->count; ++i) {
        tasks->task(i, i + 1, 1, tasks->context);
    }
    atomic_store(&tasks->is_through, 1);
}

static void* enqueue_promptly(tlw_task* task, uint32_t count, uint32_t min_range, void* context,
                              void* user) {
    prompt_tasks* tasks = user;
    (void)min_range;
    if (count == 0) {
        return NULL;
    }
    tasks->task = task;
    tasks->context = context;
    tasks->count = count;
    atomic_store(&tasks->is_through, 0);
    tlw_thread_def def = tlw_default_thread_def();
    def.main = run_promptly;
    def.user = tasks;
    CHECK_OK(tlw_thread_start(&tasks->thread, &def));
    return tasks;
}

static void finish_promptly(void* handle, void* user) {
    (void)user;
    tlw_thread_join(&((prompt_tasks*)handle)->thread);
}

// Both for split characters and for whole ones.
TLW_TEST(a_character_is_stepped_while_the_engine_does_other_work) {
    for (int is_split = 0; is_split < 2; ++is_split) {
        prompt_tasks tasks = {.count = 0};
        tlw_world_def def = fixture_world_def(1);
        def.tasks = (tlw_task_system){enqueue_promptly, finish_promptly, &tasks, 2};
        def.split_cost = is_split ? 1e-3f : FLT_MAX;
        tlw_world* world = fixture_world(&def);
        fixture_character c = fixture_add(world, SMALL_LARGE_ELL, TLW_POSE_MATRICES);
        for (int frame = 0; frame < 5; ++frame) {
            CHECK_OK(fixture_pose(world, &c, 0.02 * (frame % 3), false));
            tlw_world_begin_step(world, FRAME);
            for (int i = 0; i < 100000 && atomic_load(&tasks.is_through) == 0; ++i) {
                tlw_thread_sleep_ns(100000); // the other work
            }
            CHECK_EQ(atomic_load(&tasks.is_through), 1u);
            const tlw_character* character = world->slots[0].character;
            CHECK_EQ(character->report.substeps, 1u);
            CHECK_EQ(character->report.was_split, is_split != 0);
            const uint64_t hash = tlw_character_state_hash(character);
            CHECK_EQ(tlw_world_end_step(world), 0u);
            CHECK_EQ(fixture_hash(world, &c), hash);
        }
        fixture_remove(world, &c);
        fixture_world_free(world);
    }
}

// Asserts

static uint32_t asserts;
static char last_message[128];

static bool note_assert(const char* condition, const char* message, const char* file, int line,
                        void* user) {
    (void)condition;
    (void)file;
    (void)line;
    (void)user;
    asserts += 1;
    strncpy(last_message, message, sizeof last_message - 1);
    return false;
}

#if TLW_ENABLE_ASSERTS
#    define CHECK_ASSERTS(call, text)           \
        do {                                    \
            asserts = 0;                        \
            last_message[0] = 0;                \
            (void)(call);                       \
            CHECK_LT(0u, asserts);              \
            CHECK_CONTAINS(last_message, text); \
        } while (0)
#    define CHECK_ASSERTS_VOID(call, text)      \
        do {                                    \
            asserts = 0;                        \
            last_message[0] = 0;                \
            call;                               \
            CHECK_LT(0u, asserts);              \
            CHECK_CONTAINS(last_message, text); \
        } while (0)
#endif

TLW_TEST(calls_during_a_step_assert) {
#if TLW_ENABLE_ASSERTS
    tlw_set_assert_handler(note_assert, NULL);
    const tlw_world_def def = fixture_world_def(2);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    tlw_character_def character = tlw_default_character_def();
    character.blob = small_blob(SMALL_ELL);
    size_t bytes;
    CHECK_OK(tlw_character_bytes(&character, &bytes));
    void* memory = sample_allocate(bytes);
    tlw_character_id id;
    tlw_step_flags flags;
    tlw_world_report report;
    uint64_t hash;
    CHECK_ASSERTS(tlw_world_end_step(world), "no step is under way");
    tlw_world_begin_step(world, FRAME);
    CHECK_ASSERTS((void)!tlw_character_create(world, &character, memory, bytes, &id),
                  "during a step");
    world->is_stepping = true;
    CHECK_ASSERTS(fixture_pose(world, &c, 0.0, false), "during a step");
    CHECK_ASSERTS((void)!tlw_character_get_flags(world, c.id, &flags), "during a step");
    CHECK_ASSERTS((void)!tlw_character_hash(world, c.id, &hash), "during a step");
    CHECK_ASSERTS(tlw_character_is_valid(world, c.id), "during a step");
    CHECK_ASSERTS(tlw_world_hash(world), "during a step");
    CHECK_ASSERTS(tlw_world_character_count(world), "during a step");
    CHECK_ASSERTS_VOID(tlw_world_get_report(world, &report), "during a step");
    CHECK_ASSERTS_VOID(tlw_world_reset_report(world), "during a step");
    (void)tlw_world_end_step(world);
    world->is_stepping = true;
    CHECK_ASSERTS_VOID(tlw_world_destroy(world), "during a step");
    world->is_stepping = false;
    tlw_set_assert_handler(NULL, NULL);
    sample_free(world);
    sample_free(c.memory);
    sample_free(memory);
#else
    (void)note_assert;
    (void)last_message;
    (void)asserts;
    tlw_test_skip(__FILE__, __LINE__, "asserts are compiled out");
#endif
}

// Sleep

static void fall_asleep(tlw_world* world) {
    for (int frame = 0; frame < 600; ++frame) {
        if (tlw_world_step(world, FRAME) & TLW_STEP_ASLEEP) {
            return;
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "still awake after 10 s");
}

static void check_awake(tlw_world* world, const fixture_character* c) {
    CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_ASLEEP, 0u);
    tlw_character_report report;
    CHECK_OK(tlw_character_get_report(world, c->id, &report));
    CHECK_EQ(report.substeps, 1u);
}

TLW_TEST(character_sleeps_when_nothing_moves_and_wakes_when_something_does) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    int frames = 0;
    while ((tlw_world_step(world, FRAME) & TLW_STEP_ASLEEP) == 0) {
        frames += 1;
        CHECK_LT(frames, 70);
    }
    CHECK_LE(60, frames); // one second
    const uint64_t asleep = fixture_hash(world, &c);
    tlw_world_report report;
    CHECK_EQ(tlw_world_step(world, 0.7), TLW_STEP_ASLEEP); // a sleeper drops no time
    tlw_world_get_report(world, &report);
    CHECK_EQ(report.asleep_count, 1u);
    CHECK_EQ(report.substeps, 0u);
    CHECK_EQ(fixture_hash(world, &c), asleep);
    CHECK_OK(fixture_pose(world, &c, 0.0, false)); // the same pose again does not wake it
    CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_ASLEEP, TLW_STEP_ASLEEP);

    const float at[3] = {0.5f, 0.5f, 0.5f};
    const tlw_material material = {
        .stiffness = 1.0f, .damping = 0.2f, .anchor_hz = 3.0f, .limit_scale = 1.0f};
    const tlw_settings settings = {.gravity = {0.0f, -1.0f, 0.0f},
                                   .rotation_iterations = 2,
                                   .repeats = 1,
                                   .time_scale = 1.0f},
                       none = {.gravity = {0},
                               .rotation_iterations = 2,
                               .repeats = 1,
                               .time_scale = 1.0f};
    CHECK_OK(fixture_pose(world, &c, 0.01, false));
    check_awake(world, &c);
    CHECK_OK(tlw_character_set_material(world, c.id, TLW_ALL, TLW_ALL, &material));
    fall_asleep(world);
    CHECK_OK(tlw_character_set_voxel(world, c.id, 5, at, at));
    check_awake(world, &c);
    fall_asleep(world);
    CHECK_OK(tlw_character_set_material(world, c.id, TLW_ALL, TLW_ALL, &material));
    check_awake(world, &c);
    fall_asleep(world);
    CHECK_OK(tlw_character_set_settings(world, c.id, &settings));
    check_awake(world, &c);
    CHECK_OK(tlw_character_set_settings(world, c.id, &none));
    fall_asleep(world);
    CHECK_OK(tlw_character_reset(world, c.id));
    check_awake(world, &c);
    fall_asleep(world);
    CHECK_OK(fixture_pose(world, &c, 0.02, false)); // set while no time passes
    CHECK_EQ(tlw_world_step(world, 0.0) & TLW_STEP_ASLEEP, 0u);
    check_awake(world, &c);
    fixture_remove(world, &c);
    fixture_world_free(world);
}

// After a reset a character is at rest as if it had always been there. A teleport moves all of its
// state and adds no motion.
TLW_TEST(a_fade_keeps_a_character_awake_and_then_lets_it_sleep) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_DUAL_ELL, TLW_POSE_MATRICES);
    fall_asleep(world);
    uint64_t last = fixture_hash(world, &c);
    CHECK_OK(tlw_character_fade_to(world, c.id, 1, 2.0f));
    for (int frame = 0; frame < 120; ++frame) {
        CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_ASLEEP, 0u);
        const uint64_t now = fixture_hash(world, &c); // nothing moves, but gains do
        CHECK(now != last);
        last = now;
    }
    int frames = 0;
    while ((tlw_world_step(world, FRAME) & TLW_STEP_ASLEEP) == 0) {
        frames += 1;
        CHECK_LT(frames, 70);
    }
    CHECK_LE(58, frames); // one second after it
    // Asleep it holds the materials of the profile, and a fade from there ends where it began.
    const uint64_t there = fixture_hash(world, &c);
    tlw_material material;
    CHECK_OK(tlw_character_get_material(world, c.id, 0, 1, &material));
    CHECK_EQ(material.anchor_hz, 40.0f);
    CHECK_OK(tlw_character_fade_to(world, c.id, 0, 0.25f));
    check_awake(world, &c);
    fall_asleep(world);
    CHECK(fixture_hash(world, &c) != there);
    CHECK_OK(tlw_character_fade_to(world, c.id, 1, 0.0f));
    check_awake(world, &c);
    fall_asleep(world);
    CHECK_OK(tlw_character_get_material(world, c.id, 0, 1, &material));
    CHECK_EQ(material.anchor_hz, 40.0f);
    fixture_remove(world, &c);
    fixture_world_free(world);
}

// Bends the character at its second joint, about the z axis. Its kind is TLW_POSE_SKINNING.
static void pose_bent(tlw_world* world, const fixture_character* c, double radians) {
    const tlw_blob blob = small_blob(c->which);
    const uint32_t count = small_info(c->which).joint_count;
    sample_joints joints;
    tlw_joint_info pivot;
    CHECK_OK(tlw_blob_get_joint(&blob, 1, &pivot));
    bind_pose(&blob, c->kind, (const double[3]){0}, &joints);
    const double x = pivot.bind[12], y = pivot.bind[13], cs = cos(radians), sn = sin(radians);
    for (uint32_t j = 1; j < count; ++j) {
        float* m = joints.matrices[j];
        m[0] = m[5] = (float)cs;
        m[1] = (float)sn;
        m[4] = (float)-sn;
        m[12] = (float)(x - cs * x + sn * y);
        m[13] = (float)(y - sn * x - cs * y);
    }
    const tlw_pose pose = {&joints, count, fixture_root(), false};
    CHECK_OK(tlw_character_set_pose(world, c->id, &pose));
}

// Largest change of the length of a deviation since `before`, which it renews; voxels. Lengths,
// because a deviation turns with its joints.
static double change_of_deviations(const tlw_world* world, const fixture_character* c,
                                   double* before, double* skinned_by, double (*skinned)[3]) {
    double most = 0.0;
    *skinned_by = 0.0;
    for (uint32_t v = 0; v < small_info(c->which).voxel_count; ++v) {
        tlw_voxel_state state;
        CHECK_OK(tlw_character_get_voxel(world, c->id, v, &state));
        double length2 = 0.0, moved2 = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double d = (double)state.position[i] - (double)state.skinned[i];
            const double moved = (double)state.skinned[i] - skinned[v][i];
            length2 += d * d;
            moved2 += moved * moved;
            skinned[v][i] = (double)state.skinned[i];
        }
        most = fmax(most, fabs(sqrt(length2) - before[v]));
        *skinned_by = fmax(*skinned_by, sqrt(moved2));
        before[v] = sqrt(length2);
    }
    return most;
}

// Skinned volume moves p_skin by a part of a voxel. Where it is turned on or off the substep is
// carried: tissue goes along, and is not left behind to swing.
TLW_TEST(skinned_volume_switched_in_motion_kicks_nothing) {
    enum { OFF = 52, ON = 94, FRAMES = 136, VOXELS = 4096 }; // where it is bent most
    static double lengths[VOXELS], skinned[VOXELS][3];
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_LARGE_ELL, TLW_POSE_SKINNING);
    CHECK_LE(small_info(c.which).voxel_count, (uint32_t)VOXELS);
    double usual = 0.0, after = 0.0;
    for (int frame = 0; frame < FRAMES; ++frame) {
        double skinned_by;
        pose_bent(world, &c, 1.2 + 0.6 * sin(0.15 * frame));
        if (frame == OFF || frame == ON) {
            tlw_settings settings;
            CHECK_OK(tlw_character_get_settings(world, c.id, &settings));
            CHECK_EQ(settings.skinned_volume, frame == OFF);
            settings.skinned_volume = frame == ON;
            CHECK_OK(tlw_character_set_settings(world, c.id, &settings));
        }
        CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_NOT_FINITE, 0u);
        const double change = change_of_deviations(world, &c, lengths, &skinned_by, skinned);
        if (frame == OFF || frame == ON) {
            CHECK_LT(change, 1e-5);    // carried
            CHECK_LT(0.1, skinned_by); // and p_skin did jump, though the pose hardly moves
        } else if (frame >= 10 && frame < OFF) {
            usual = fmax(usual, change);
        } else if (frame > OFF) {
            after = fmax(after, change);
        }
    }
    CHECK_LT(0.0, usual);
    CHECK_LT(after, 1.1 * usual);
    fixture_remove(world, &c);
    fixture_world_free(world);
}

TLW_TEST(reset_and_teleport_kick_nothing) {
    const tlw_world_def def = fixture_world_def(2);
    tlw_world* world = fixture_world(&def);
    for (uint32_t which = SMALL_ELL; which <= SMALL_LARGE_ELL; ++which) {
        fixture_character a = fixture_add(world, which, TLW_POSE_MATRICES);
        const tlw_blob_info info = small_info(which);
        CHECK_OK(fixture_pose(world, &a, 100.0 * info.voxel_metres, false));
        CHECK_OK(tlw_character_reset(world, a.id));
        for (int frame = 0; frame < 5; ++frame) {
            CHECK_EQ(tlw_world_step(world, FRAME), 0u);
        }
        for (uint32_t v = 0; v < info.voxel_count; ++v) {
            tlw_voxel_state s;
            CHECK_OK(tlw_character_get_voxel(world, a.id, v, &s));
            for (int i = 0; i < 3; ++i) {
                CHECK_NEAR(s.position[i], s.skinned[i], 1e-4);
            }
        }
        // Teleported far away and rotated by 180 degrees about y: a deviation stays and is rotated.
        const float off[3] = {0.25f, 0.0f, -0.125f}, still[3] = {0.0f, 0.0f, 0.0f};
        tlw_voxel_state before, after;
        CHECK_OK(tlw_character_get_voxel(world, a.id, 1, &before));
        const float place[3] = {before.skinned[0] + off[0], before.skinned[1] + off[1],
                                before.skinned[2] + off[2]};
        CHECK_OK(tlw_character_set_voxel(world, a.id, 1, place, still));
        const double to[3] = {1e5, -3.0, 2e4};
        const float rotation[4] = {0.0f, 3.0f, 0.0f, 0.0f};
        CHECK_OK(tlw_character_teleport(world, a.id, to, rotation));
        CHECK_OK(tlw_character_get_voxel(world, a.id, 1, &after));
        CHECK_NEAR(after.position[0] - after.skinned[0], -off[0], 2e-5);
        CHECK_NEAR(after.position[2] - after.skinned[2], -off[2], 2e-5);
        CHECK_NEAR(after.skinned[0], -before.skinned[0], 2e-5);
        CHECK_EQ(tlw_world_step(world, FRAME), 0u); // no jump
        fixture_remove(world, &a);
    }
    fixture_world_free(world);
}

// A teleport multiplies the last root rotation by another one; rounding errors of its length must
// not accumulate.
TLW_TEST(a_character_that_is_only_teleported_keeps_its_shape) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_LEGS, TLW_POSE_MATRICES);
    const tlw_blob_info info = small_info(SMALL_LEGS);
    float *first = sample_allocate(info.vertex_count * 3 * sizeof *first),
          *positions = sample_allocate(info.vertex_count * 3 * sizeof *positions);
    tlw_output output = tlw_default_output();
    output.positions.data = first;
    CHECK_OK(tlw_character_set_output(world, c.id, &output));
    (void)tlw_world_step(world, FRAME);
    output.positions.data = positions;
    CHECK_OK(tlw_character_set_output(world, c.id, &output));
    for (int n = 0; n < 200; ++n) {
        const double at[3] = {3.0 * n, 0.0, -n}, half = 0.5 * 0.37 * n;
        const float rotation[4] = {0.0f, (float)(0.6 * sin(half)), (float)(0.8 * sin(half)),
                                   (float)cos(half)};
        CHECK_OK(tlw_character_teleport(world, c.id, at, rotation));
        CHECK_EQ(tlw_world_step(world, FRAME) & ~(tlw_step_flags)TLW_STEP_ASLEEP, 0u);
        for (uint32_t i = 0; i < info.vertex_count * 3; ++i) {
            CHECK_NEAR(positions[i], first[i], 1e-3 * info.voxel_metres);
        }
    }
    sample_free(first);
    sample_free(positions);
    fixture_remove(world, &c);
    fixture_world_free(world);
}

// Reports

typedef struct fake_clock {
    uint64_t now, step;
} fake_clock;

static uint64_t tick(void* user) {
    fake_clock* clock = user;
    clock->now += clock->step;
    return clock->now;
}

TLW_TEST(reports_add_up_with_a_test_clock) {
    for (int is_split = 0; is_split < 2; ++is_split) {
        fake_clock clock = {1000, 10};
        tlw_world_def def = fixture_world_def(2);
        def.clock = tick;
        def.clock_user = &clock;
        def.budget_ms = 0.004; // 4,000 ns
        def.tasks.worker_count = is_split ? 2 : 1;
        def.split_cost = is_split ? 1e-3f : FLT_MAX;
        tlw_world* world = fixture_world(&def);
        fixture_character a = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
        fixture_character b = fixture_add(world, SMALL_LEGS, TLW_POSE_MATRICES);
        tlw_world_report r;
        tlw_world_get_report(world, &r);
        CHECK_EQ(r.step_count, 0u);
        CHECK_EQ(r.worst[0].step, 0u);
        uint64_t wall = 0, pass_ns[TLW_PASS_COUNT] = {0}, longest = 0;
        uint32_t over = 0;
        for (uint32_t step = 1; step <= 12; ++step) {
            clock.step = 10 + 37 * step % 11 * 20; // some steps take long
            const uint64_t begin = clock.now;
            CHECK_OK(fixture_pose(world, &a, 0.01 * step, false));
            (void)tlw_world_step(world, FRAME);
            tlw_world_get_report(world, &r);
            // The first reading of the clock begins the step, the last one ends it.
            CHECK_EQ(r.wall_ns, clock.now - begin - clock.step);
            wall += r.wall_ns;
            longest = r.wall_ns > longest ? r.wall_ns : longest;
            over += r.wall_ns > 4000;
            uint64_t sum = 0;
            tlw_character_report ra, rb;
            CHECK_OK(tlw_character_get_report(world, a.id, &ra));
            CHECK_OK(tlw_character_get_report(world, b.id, &rb));
            for (uint32_t p = 0; p < TLW_PASS_COUNT; ++p) {
                CHECK_EQ(r.pass_ns[p], ra.pass_ns[p] + rb.pass_ns[p]);
                // Nothing is output, there is nothing to touch, no muscle and no Lame layer.
                const bool is_idle = p == TLW_PASS_EMBED || p == TLW_PASS_CONTACT ||
                                     p == TLW_PASS_MUSCLES || p == TLW_PASS_LAME;
                CHECK_EQ(0u < ra.pass_ns[p], !is_idle);
                pass_ns[p] += r.pass_ns[p];
                CHECK_EQ(r.total_pass_ns[p], pass_ns[p]);
                sum += r.pass_ns[p];
            }
            CHECK_LT(sum, r.wall_ns);
            CHECK_LT(0u, ra.step_ns);
            CHECK_EQ(ra.was_split, is_split != 0);
            CHECK_EQ(ra.user_data, 40u + SMALL_ELL);
            CHECK_EQ(ra.substeps, 1u);
            CHECK_EQ(r.step_count, step);
            CHECK_EQ(r.total_wall_ns, wall);
            CHECK_EQ(r.over_budget_count, over);
            CHECK_EQ(r.split_count, is_split ? 2u : 0u);
            CHECK_EQ(r.substeps, 2u);
            CHECK_EQ(r.voxel_substeps,
                     small_info(SMALL_ELL).voxel_count + small_info(SMALL_LEGS).voxel_count);
            CHECK_EQ(r.budget_ms, 0.004);
        }
        CHECK_LT(0u, over);
        CHECK_LT(over, 12u);
        CHECK_EQ(r.worst[0].wall_ns, longest);
        for (int i = 1; i < TLW_WORST_FRAMES; ++i) {
            CHECK_LE(r.worst[i].wall_ns, r.worst[i - 1].wall_ns);
            CHECK_LT(0u, r.worst[i].step);
            CHECK(r.worst[i].step != r.worst[i - 1].step);
        }
        const tlw_world_report before = r;
        tlw_world_reset_report(world);
        tlw_world_get_report(world, &r);
        CHECK_EQ(r.total_wall_ns, 0u);
        CHECK_EQ(r.total_pass_ns[TLW_PASS_GOAL], 0u);
        CHECK_EQ(r.over_budget_count, 0u);
        CHECK_EQ(r.worst[0].step, 0u);
        CHECK_EQ(r.step_count, 12u);
        CHECK_EQ(r.wall_ns, before.wall_ns); // for the last step, not a total
        CHECK_EQ(r.character_count, 2u);
        CHECK_EQ(r.scratch_high_water_bytes, before.scratch_high_water_bytes);
        fixture_remove(world, &a);
        fixture_remove(world, &b);
        fixture_world_free(world);
    }
}

TLW_TEST(without_a_clock_times_are_zero) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    (void)tlw_world_step(world, FRAME);
    tlw_world_report r;
    tlw_world_get_report(world, &r);
    CHECK_EQ(r.wall_ns + r.total_wall_ns + r.over_budget_count + r.worst[0].step, 0u);
    CHECK_EQ(r.step_count, 1u);
    fixture_remove(world, &c);
    fixture_world_free(world);
}

TLW_TEST(passes_have_names_and_colours) {
    CHECK_STRING(tlw_pass_name(TLW_PASS_REGIONS), "regions");
    CHECK_STRING(tlw_pass_name(TLW_PASS_COUNT), "unknown");
    CHECK_STRING(tlw_pass_name((tlw_pass)-1), "unknown");
    CHECK_EQ(tlw_pass_colour(TLW_PASS_SKIN), 0x4e79a7u);
    CHECK_EQ(tlw_pass_colour(TLW_PASS_COUNT), 0u);
}
