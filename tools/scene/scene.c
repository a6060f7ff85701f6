// SPDX-License-Identifier: MIT
// Creates the world and the characters of a scene in memory from the heap, sets poses and steps.
#include "tools/scene/scene.h"

#include "jobs/task_system.h"
#include "platform/clock.h"

#include <stdlib.h>
#include <string.h>

#define SCENE_COOKIE 0x5343454Eu

typedef struct tlw_scene_private {
    void* blocks; // a list linked by the first word of each block
    float* joints;
    enkiTaskScheduler* scheduler;
    tlw_jobs_tasks* jobs;
    uint64_t place, cuts; // teleports and cuts so far
} tlw_scene_private;

static uint64_t read_clock(void* user) {
    (void)user;
    return tlw_clock_ns();
}

tlw_scene_def tlw_default_scene_def(void) {
    tlw_scene_def def = {.cookie = SCENE_COOKIE,
                         .character_count = 1,
                         .preset = TLW_PRESET_COOKED,
                         .world = tlw_default_world_def(),
                         .worker_count = 1,
                         .output = tlw_default_output()};
    def.world.clock = read_clock;
    return def;
}

static tlw_scene_code fail(tlw_scene_error* error, tlw_scene_code code, const char* what,
                           tlw_result result) {
    if (error) {
        error->code = code;
        snprintf(error->message, sizeof error->message, "%s: %s", what, tlw_result_meaning(result));
    }
    return code;
}

// Zeroed and aligned to TLW_MEMORY_ALIGNMENT; freed with the scene. Null if there is no memory.
static void* allocate(tlw_scene* scene, size_t bytes) {
    void* block =
        bytes < SIZE_MAX / 2 ? calloc(1, bytes + sizeof(void*) + TLW_MEMORY_ALIGNMENT) : NULL;
    if (block == NULL) {
        return NULL;
    }
    memcpy(block, &scene->own->blocks, sizeof(void*));
    scene->own->blocks = block;
    const uintptr_t free_from = (uintptr_t)block + sizeof(void*) + TLW_MEMORY_ALIGNMENT - 1;
    return (void*)(free_from / TLW_MEMORY_ALIGNMENT * TLW_MEMORY_ALIGNMENT);
}

static bool make_stream(tlw_scene* scene, bool is_wanted, uint32_t count, uint32_t components,
                        float** data, tlw_stream* stream) {
    if (is_wanted) {
        *data = allocate(scene, (size_t)count * components * sizeof(float));
        stream->data = *data;
    }
    return !is_wanted || *data != NULL;
}

static tlw_result set_volume(tlw_scene* scene, tlw_character_id id) {
    tlw_settings settings;
    tlw_result result = tlw_character_get_settings(scene->world, id, &settings);
    if (result == TLW_OK && scene->def.volume != TLW_SCENE_VOLUME_COOKED) {
        settings.skinned_volume = scene->def.volume == TLW_SCENE_VOLUME_ON;
        result = tlw_character_set_settings(scene->world, id, &settings);
    }
    return result;
}

static tlw_result create_character(tlw_scene* scene, tlw_scene_character* c) {
    const tlw_scene_def* def = &scene->def;
    const tlw_blob_info* info = &def->actor->info;
    tlw_character_def character = tlw_default_character_def();
    character.blob = def->actor->blob;
    character.preset = def->preset;
    character.drag_capacity = def->drag_capacity;
    character.has_pose_filter = def->has_pose_filter;
    snprintf(c->name, sizeof c->name, "%s %u", def->actor->name, (unsigned)(c - scene->characters));
    character.name = c->name;
    tlw_result result = tlw_character_bytes(&character, &c->memory_bytes);
    if (result != TLW_OK) {
        return result;
    }
    tlw_output output = def->output;
    c->memory = allocate(scene, c->memory_bytes);
    if (c->memory == NULL ||
        !make_stream(scene, def->has_positions, info->vertex_count, 3, &c->positions,
                     &output.positions) ||
        !make_stream(scene, def->has_normals, info->vertex_count, 3, &c->normals,
                     &output.normals) ||
        !make_stream(scene, def->has_deltas, info->vertex_count, 3, &c->deltas, &output.deltas) ||
        !make_stream(scene, def->has_lattice, info->voxel_count, 12, &c->lattice,
                     &output.lattice) ||
        !make_stream(scene, def->has_voxel_deltas, info->voxel_count, 3, &c->voxel_deltas,
                     &output.voxel_deltas) ||
        !make_stream(scene, def->has_voxel_fits, info->voxel_count, 12, &c->voxel_fits,
                     &output.voxel_fits)) {
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    result = tlw_character_create(scene->world, &character, c->memory, c->memory_bytes, &c->id);
    if (result == TLW_OK) {
        result = set_volume(scene, c->id);
    }
    return result == TLW_OK ? tlw_character_set_output(scene->world, c->id, &output) : result;
}

static tlw_result start_scheduler(tlw_scene* scene) {
    tlw_scene_private* own = scene->own;
    if (scene->def.worker_count == 0) {
        return TLW_OK;
    }
    own->scheduler = enkiNewTaskScheduler();
    if (own->scheduler == NULL) {
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    enkiInitTaskSchedulerNumThreads(own->scheduler, scene->def.worker_count);
    own->jobs = tlw_jobs_tasks_create(own->scheduler);
    if (own->jobs == NULL) {
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    scene->def.world.tasks = tlw_jobs_task_system(own->jobs);
    return TLW_OK;
}

static tlw_result create_world(tlw_scene* scene) {
    tlw_world_def* world = &scene->def.world;
    world->character_capacity = scene->character_count;
    world->scratch_bytes = scene->def.actor->info.scratch_bytes;
    tlw_result result = start_scheduler(scene);
    if (result != TLW_OK) {
        return result;
    }
    result = tlw_world_bytes(world, &scene->world_bytes);
    if (result != TLW_OK) {
        return result;
    }
    void* memory = allocate(scene, scene->world_bytes);
    return memory ? tlw_world_create(world, memory, scene->world_bytes, &scene->world)
                  : TLW_ERROR_OUT_OF_MEMORY;
}

static tlw_scene_code refuse(const tlw_scene_def* def, const char* what, const char* needed,
                             tlw_scene_error* error) {
    if (error) {
        error->code = TLW_SCENE_UNSUPPORTED;
        snprintf(error->message, sizeof error->message, "'%s' has no %s, which %s",
                 def->actor->name, what, needed);
    }
    return TLW_SCENE_UNSUPPORTED;
}

// Names what is asked for and the recipe did not; the runtime only says that it is missing.
static tlw_scene_code check_recipe(const tlw_scene_def* def, tlw_scene_error* error) {
    const tlw_blob_info* info = &def->actor->info;
    const bool lacks_rbf = def->output.embedding == TLW_EMBED_RBF && !info->has_rbf;
    const bool lacks_rings =
        def->output.normals_by == TLW_NORMALS_BY_RING && !info->has_ring_normals;
    if (def->volume == TLW_SCENE_VOLUME_ON && !info->has_bends) {
        return refuse(def, "bends", "need \"volume\" in the recipe", error);
    }
    if (lacks_rbf) {
        return refuse(def, "radial basis functions",
                      "need artist weights and, in the recipe, \"embedding\": \"rbf\"", error);
    }
    return lacks_rings
               ? refuse(def, "ring normals",
                        "need artist weights and, in the recipe, \"ring_normals\": true", error)
               : TLW_SCENE_OK;
}

tlw_scene_code tlw_scene_open(const tlw_scene_def* def, tlw_scene** out, tlw_scene_error* error) {
    *out = NULL;
    if (def->cookie != SCENE_COOKIE) {
        return fail(error, TLW_SCENE_BAD, "scene", TLW_ERROR_BAD_DEF);
    }
    const tlw_scene_code possible = check_recipe(def, error);
    if (possible != TLW_SCENE_OK) {
        return possible;
    }
    uint32_t clip;
    const tlw_scene_code found = tlw_actor_find_clip(def->actor, def->clip, &clip, error);
    if (found != TLW_SCENE_OK) {
        return found;
    }
    tlw_scene* scene = calloc(1, sizeof *scene);
    tlw_scene_private* own = calloc(1, sizeof *own);
    if (scene == NULL || own == NULL) {
        free(scene);
        free(own);
        return fail(error, TLW_SCENE_CANNOT_READ, def->actor->name, TLW_ERROR_OUT_OF_MEMORY);
    }
    scene->def = *def;
    scene->clip = clip;
    scene->character_count = def->character_count;
    scene->own = own;
    scene->characters = allocate(scene, def->character_count * sizeof *scene->characters);
    own->joints = allocate(scene, (size_t)def->actor->info.joint_count * 16 * sizeof(float));
    tlw_result result =
        scene->characters && own->joints ? create_world(scene) : TLW_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < def->character_count && result == TLW_OK; ++i) {
        result = create_character(scene, &scene->characters[i]);
    }
    if (result != TLW_OK) {
        tlw_scene_close(scene);
        return fail(error,
                    result == TLW_ERROR_UNSUPPORTED     ? TLW_SCENE_UNSUPPORTED
                    : result == TLW_ERROR_OUT_OF_MEMORY ? TLW_SCENE_CANNOT_READ
                                                        : TLW_SCENE_BAD,
                    def->actor->name, result);
    }
    *out = scene;
    return TLW_SCENE_OK;
}

void tlw_scene_close(tlw_scene* scene) {
    if (scene == NULL) {
        return;
    }
    if (scene->world) {
        tlw_world_destroy(scene->world);
    }
    if (scene->own->jobs) {
        tlw_jobs_tasks_destroy(scene->own->jobs);
    }
    if (scene->own->scheduler) {
        enkiDeleteTaskScheduler(scene->own->scheduler);
    }
    while (scene->own->blocks) {
        void* block = scene->own->blocks;
        memcpy(&scene->own->blocks, block, sizeof(void*));
        free(block);
    }
    free(scene->own);
    free(scene);
}

static uint32_t clip_of(const tlw_scene* scene, uint32_t character) {
    const tlw_actor* actor = scene->def.actor;
    return scene->def.mixes_clips && scene->clip != TLW_ASSET_NONE
               ? (scene->clip + character) % actor->asset->clip_count
               : scene->clip;
}

// Teleports alternate between the origin and a place a kilometre away, rotated by 180 degrees.
static tlw_root root_at(uint64_t place) {
    tlw_root root = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .scale = 1.0f};
    if (place % 2 == 1) {
        root.position[0] = 1000.0;
        root.rotation[1] = 1.0f;
        root.rotation[3] = 0.0f;
    }
    return root;
}

static uint64_t events_until(double seconds, double every) {
    return every > 0.0 ? (uint64_t)(seconds / every + 1e-9) : 0;
}

void tlw_scene_pose(tlw_scene* scene, double seconds) {
    const tlw_scene_def* def = &scene->def;
    const uint64_t place = events_until(seconds, def->teleport_seconds);
    const uint64_t cuts = events_until(seconds, def->cut_seconds);
    tlw_pose pose = {.joints = scene->own->joints,
                     .joint_count = def->actor->info.joint_count,
                     .root = root_at(place),
                     .is_jump = cuts != scene->own->cuts};
    for (uint32_t i = 0; i < scene->character_count; ++i) {
        const uint32_t clip = clip_of(scene, i);
        const double cut = 0.5 * tlw_actor_clip_seconds(def->actor, clip) * (double)(cuts % 2);
        const double at = def->is_still ? 0.0 : seconds + i * def->apart_seconds + cut;
        const tlw_character_id id = scene->characters[i].id;
        tlw_actor_pose(def->actor, clip, at, scene->own->joints);
        if (place != scene->own->place) {
            TLW_IGNORE(
                tlw_character_teleport(scene->world, id, pose.root.position, pose.root.rotation));
        }
        TLW_IGNORE(tlw_character_set_pose(scene->world, id, &pose)); // a mistake shows in the flags
    }
    scene->own->place = place;
    scene->own->cuts = cuts;
}

static tlw_step_flags step(tlw_scene* scene, double dt) {
    const tlw_step_flags flags = tlw_world_step(scene->world, dt);
    tlw_world_report report;
    tlw_world_get_report(scene->world, &report);
    scene->flags_seen |= flags;
    scene->substeps += report.substeps;
    return flags;
}

void tlw_scene_start(tlw_scene* scene) {
    scene->seconds = 0.0;
    tlw_scene_pose(scene, 0.0);
    for (uint32_t i = 0; i < scene->character_count; ++i) {
        TLW_IGNORE(tlw_character_reset(scene->world, scene->characters[i].id)); // the id is our own
    }
    step(scene, 0.0);
    tlw_world_reset_report(scene->world);
    tlw_world_report report;
    tlw_world_get_report(scene->world, &report);
    scene->first_step = report.step_count;
    scene->flags_seen = 0;
    scene->substeps = 0;
}

tlw_step_flags tlw_scene_advance(tlw_scene* scene, double dt) {
    scene->seconds += dt;
    tlw_scene_pose(scene, scene->seconds);
    return step(scene, dt);
}
