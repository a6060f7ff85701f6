// SPDX-License-Identifier: MIT
// No step may allocate, map memory or start a thread: 10,000 steps run while malloc, mmap and
// pthread_create are replaced by functions that end the process.
#define _GNU_SOURCE
#include "jobs/task_system.h"
#include "platform/atomic.h"
#include "tests/runtime/support/small_characters.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static tlw_atomic_u32 is_armed; // 1: abort; 2: count
static tlw_atomic_u32 call_count;

static void note(const char* call, size_t length) {
    const uint32_t armed = atomic_load_explicit(&is_armed, memory_order_relaxed);
    if (armed == 1) {
        (void)!write(2, call, length); // printf might allocate
        abort();
    }
    if (armed == 2) {
        atomic_fetch_add(&call_count, 1);
    }
}
#define NOTE(name) note("a step called " #name "\n", sizeof "a step called " #name)

#define ON_HEAP_CALL(name) NOTE(name)
#include "tests/replace_malloc.h"

// The linker redirects these calls to here (tests/runtime/CMakeLists.txt).
extern void* __real_mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset);
void* __wrap_mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset);
void* __wrap_mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
    NOTE(mmap);
    return __real_mmap(at, bytes, protection, flags, file, offset);
}
extern int __real_pthread_create(void* thread, const void* attributes, void* (*main)(void*),
                                 void* user);
int __wrap_pthread_create(void* thread, const void* attributes, void* (*main)(void*), void* user);
int __wrap_pthread_create(void* thread, const void* attributes, void* (*main)(void*), void* user) {
    NOTE(pthread_create);
    return __real_pthread_create(thread, attributes, main, user);
}

TLW_TEST(interposer_sees_calls) {
    atomic_store(&is_armed, 2);
    void* volatile block = malloc(10);
    free(block);
    atomic_store(&is_armed, 0);
    CHECK_EQ(atomic_load(&call_count), 2u);
}

// Everything that touches or pulls: colliders come and go, forces and filters too.
static void touch_all(tlw_world* world, const fixture_character* c, int step,
                      const tlw_collider_def* box, const tlw_collider_pose* place,
                      const tlw_pose_filter* filter, tlw_collider_id* collider) {
    const tlw_character_id id = c[step % 4].id;
    const tlw_drag drag = {(uint32_t)step % 50, {0.1, 0.2, 0.3}, 0.2f, 10.0f};
    const tlw_push push = {{0.0, 0.1, 0.0}, 0.5f, {0.1f, 0.0f, 0.0f}, 0.1f};
    const double origin[3] = {0.0, -5.0, 0.0};
    const float up[3] = {0.0f, 1.0f, 0.0f};
    tlw_settings settings;
    tlw_contact contacts[4];
    tlw_overlap overlap;
    tlw_pick pick;
    uint32_t count;
    switch (step % 20) {
    case 0:
        TLW_IGNORE(tlw_collider_destroy(world, *collider));
        TLW_IGNORE(tlw_collider_create(world, box, place, collider));
        break;
    case 3:
        TLW_IGNORE(tlw_collider_teleport(world, *collider, place));
        break;
    case 5:
        TLW_IGNORE(tlw_character_set_drag(world, id, 0, &drag));
        break;
    case 9:
        TLW_IGNORE(tlw_character_end_drag(world, id, 0));
        break;
    case 11:
        TLW_IGNORE(tlw_character_push(world, id, &push));
        break;
    case 13:
        TLW_IGNORE(tlw_character_set_pose_filter(world, id, step / 20 % 3 ? filter : NULL));
        break;
    case 15:
        TLW_IGNORE(tlw_character_get_settings(world, id, &settings));
        settings.wind[1] = 2.0f;
        settings.wind_drag = (float)(step / 20 % 3);
        settings.time_scale = 0.5f * (float)(step / 20 % 4);
        TLW_IGNORE(tlw_character_set_settings(world, id, &settings));
        break;
    default:
        TLW_IGNORE(tlw_collider_set_pose(world, *collider, place));
        break;
    }
    TLW_IGNORE(tlw_character_get_contacts(world, id, contacts, 4, &count));
    TLW_IGNORE(tlw_character_overlap(world, id, box, place, &overlap));
    TLW_IGNORE(tlw_character_pick(world, id, origin, up, &pick));
}

static void step_many(const tlw_task_system* tasks, float split_cost, int steps) {
    tlw_world_def def = fixture_world_def(4);
    def.collider_capacity = 2;
    def.contact_capacity = 4;
    if (tasks) {
        def.tasks = *tasks;
    }
    def.split_cost = split_cost;
    tlw_world* world = fixture_world(&def);
    fixture_character c[4];
    float* vectors[4];
    for (uint32_t i = 0; i < 4; ++i) {
        static const uint32_t which[4] = {SMALL_TRIANGLE_WITH_ALL, SMALL_MUSCLES, SMALL_LIMBS,
                                          SMALL_DUAL_ELL};
        c[i] = fixture_add_with_all(world, which[i], (tlw_pose_kind)(i % 3));
        const tlw_blob_info info = small_info(c[i].which);
        vectors[i] = sample_allocate((size_t)info.vertex_count * 3 * sizeof(float));
        tlw_output output = tlw_default_output();
        output.normals.data = vectors[i];
        CHECK_OK(tlw_character_set_output(world, c[i].id, &output));
    }
    const float nudge[3] = {1.0f, 2.0f, 3.0f};
    const double home[3] = {0.0, 0.0, 0.0};
    const float upright[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    tlw_collider_def box = tlw_default_collider_def();
    tlw_collider_pose place = tlw_default_collider_pose();
    tlw_collider_id collider = {0, 0};
    box.kind = TLW_COLLIDER_BOX;
    box.half_extents[0] = box.half_extents[1] = 0.1f;
    const tlw_pose_filter filter = tlw_default_pose_filter();
    atomic_store(&is_armed, 1);
    for (int step = 0; step < steps; ++step) {
        place.position[0] = 0.01 * (step % 50);
        place.rotation[0] = 0.1f * (float)(step % 30);
        touch_all(world, c, step, &box, &place, &filter, &collider);
        for (uint32_t i = 0; i < 4; ++i) {
            (void)fixture_pose(world, &c[i], 0.001 * (step % 17), step % 101 == 0);
        }
        tlw_settings settings;
        TLW_IGNORE(tlw_character_set_tension(world, c[1].id, 0, 0.01f * (float)(step % 100)));
        switch (step % 500) {
        case 50: // volume that was off is on again in the next round
            TLW_IGNORE(tlw_character_get_settings(world, c[1].id, &settings));
            settings.skinned_volume = !settings.skinned_volume;
            TLW_IGNORE(tlw_character_set_settings(world, c[1].id, &settings));
            break;
        case 150:
            TLW_IGNORE(tlw_character_fade_to(world, c[3].id, (uint32_t)step / 500 % 3, 1.0f));
            break;
        case 100:
            TLW_IGNORE(tlw_character_reset(world, c[1].id));
            break;
        case 200:
            TLW_IGNORE(tlw_character_teleport(world, c[2].id, home, upright));
            break;
        case 300:
            TLW_IGNORE(tlw_character_set_voxel(world, c[3].id, 0, nudge, nudge));
            break;
        case 400:
            TLW_IGNORE(tlw_character_apply_preset(world, c[0].id, TLW_PRESET_BUNNY));
            break;
        default:
            break;
        }
        (void)tlw_world_step(world, step % 77 == 0 ? 0.3 : 1.0 / 75.0);
        (void)tlw_world_hash(world);
    }
    atomic_store(&is_armed, 0);
    for (uint32_t i = 0; i < 4; ++i) {
        fixture_remove(world, &c[i]);
        sample_free(vectors[i]);
    }
    fixture_world_free(world);
}

TLW_TEST(ten_thousand_steps_allocate_map_and_start_nothing) {
    step_many(NULL, 0.0f, 10000);
}

TLW_TEST(steps_as_jobs_allocate_map_and_start_nothing) {
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    CHECK(scheduler != NULL);
    enkiInitTaskSchedulerNumThreads(scheduler, 2);
    tlw_jobs_tasks* jobs = tlw_jobs_tasks_create(scheduler);
    CHECK(jobs != NULL);
    const tlw_task_system tasks = tlw_jobs_task_system(jobs);
    step_many(&tasks, 1e-3f, 1000);
    step_many(&tasks, 3e38f, 1000);
    tlw_jobs_tasks_destroy(jobs);
    enkiDeleteTaskScheduler(scheduler);
}
