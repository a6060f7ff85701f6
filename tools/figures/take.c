// SPDX-License-Identifier: MIT
// Steps a subject of tools/motion frame by frame and copies what the runtime writes.
#include "tools/figures/take.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BELLY_SHARE 0.04 // of the vertices: those that are farthest to the front in the bind pose

tlw_take_def tlw_default_take_def(const tlw_actor* actor) {
    tlw_take_def def = {.motion = tlw_default_motion_def()};
    def.motion.actor = actor;
    return def;
}

// What a take needs while it is played.
typedef struct player {
    const tlw_take_def* def;
    tlw_take* take;
    tlw_motion* motion;
    uint32_t clip;
    float *positions, *normals, *deltas, *lattice;
    uint32_t* belly;
    uint32_t belly_count;
    uint64_t random;
    double noise[3];
    int64_t capture; // number of the last captured pose; -1: none
} player;

static tlw_scene_code fail(tlw_scene_error* error, tlw_scene_code code, const char* what) {
    error->code = code;
    snprintf(error->message, sizeof error->message, "%s", what);
    return code;
}

// About normal: the sum of twelve uniform numbers. No function of libm, so that every machine has
// the same noise.
static double random_normal(uint64_t* random) {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*random >> 11) * 0x1p-53;
    }
    return sum;
}

typedef struct front_vertex {
    float z;
    uint32_t vertex;
} front_vertex;

static int compare_front(const void* a, const void* b) {
    const front_vertex *left = a, *right = b;
    return left->z != right->z ? (left->z < right->z) - (left->z > right->z)
                               : (left->vertex > right->vertex) - (left->vertex < right->vertex);
}

// The vertices that are farthest to the front: a belly, where a character has one.
static bool find_belly(player* p) {
    const tlw_vertex* vertices = tlw_actor_vertices(p->take->actor);
    const uint32_t count = p->take->actor->info.vertex_count;
    front_vertex* order = malloc(((size_t)count + 1) * sizeof *order);
    p->belly_count = (uint32_t)(BELLY_SHARE * count) + 1;
    p->belly = malloc((size_t)p->belly_count * sizeof *p->belly);
    const bool has_memory = order && p->belly;
    if (has_memory) {
        for (uint32_t v = 0; v < count; ++v) {
            order[v] = (front_vertex){vertices[v].position[2], v};
        }
        qsort(order, count, sizeof *order, compare_front);
        p->belly_count = p->belly_count < count ? p->belly_count : count;
        for (uint32_t i = 0; i < p->belly_count; ++i) {
            p->belly[i] = order[i].vertex;
        }
    }
    free(order);
    return has_memory;
}

static void track_belly(player* p, uint32_t frame) {
    tlw_take_track* track = &p->take->track;
    const double* root = p->motion->root.position;
    double *skinned = track->skinned + (size_t)frame * 3,
           *tissue = track->tissue + (size_t)frame * 3;
    for (int axis = 0; axis < 3; ++axis) {
        double sum = 0.0, delta = 0.0;
        for (uint32_t i = 0; i < p->belly_count; ++i) {
            const size_t at = (size_t)p->belly[i] * 3 + (size_t)axis;
            sum += (double)p->positions[at];
            delta += (double)p->deltas[at];
        }
        tissue[axis] = sum / p->belly_count + root[axis];
        skinned[axis] = (sum - delta) / p->belly_count + root[axis];
    }
    track->frame_count = frame + 1;
}

static void set_pose(player* p, double seconds) {
    const tlw_take_def* def = p->def;
    double at = seconds;
    if (def->capture_hz > 0.0) {
        const int64_t capture = (int64_t)floor(seconds * def->capture_hz + 1e-6);
        at = (double)capture / def->capture_hz;
        for (int axis = 0; axis < 3 && capture != p->capture; ++axis) {
            p->noise[axis] = random_normal(&p->random) * def->noise * p->take->extent_metres;
        }
        p->capture = capture;
    }
    tlw_motion_pose(p->motion, p->clip, at);
    // In the joints, not in the root, because that is where captures have it and filters look.
    for (size_t i = 0; i < (size_t)p->take->actor->info.joint_count * 3; ++i) {
        p->motion->pose_joints[i / 3 * 16 + 12 + i % 3] += (float)p->noise[i % 3];
    }
    p->motion->root.position[1] = 0.0;
    if (def->is_bobbing) {
        const tlw_motion_experiment bob = tlw_default_motion_experiment(TLW_MOTION_BOB);
        p->motion->root.position[1] +=
            bob.amplitude * p->take->extent_metres * sin(6.283185307179586 * bob.hz * seconds);
    }
}

// Changes the profile in the frames where the def says so. False if the blob has no such profile.
static bool set_profile(player* p, uint32_t frame) {
    const tlw_take_def* def = p->def;
    tlw_motion* motion = p->motion;
    tlw_result result = TLW_OK;
    if (frame == 0 && def->profile != 0) {
        result = tlw_character_fade_to(motion->world, motion->id, def->profile, 0.0f);
    } else if (frame > 0 && frame == (uint32_t)(def->fade_at * TLW_TAKE_HZ + 0.5)) {
        result = tlw_character_fade_to(motion->world, motion->id, def->fade_profile,
                                       (float)def->fade_seconds);
    }
    return result == TLW_OK;
}

static bool shoot(player* p, double seconds, tlw_take_shot* shot) {
    const tlw_blob_info* info = &p->take->actor->info;
    const uint32_t count = info->vertex_count;
    const size_t bytes = (size_t)count * 3 * sizeof(float);
    const size_t lattice_bytes = (size_t)info->voxel_count * 12 * sizeof(float);
    const size_t joint_bytes = (size_t)info->joint_count * 16 * sizeof(float);
    *shot = (tlw_take_shot){.seconds = seconds,
                            .positions = malloc(bytes + 1),
                            .normals = malloc(bytes + 1),
                            .skinned = malloc(bytes + 1),
                            .deviation = malloc(bytes + 1),
                            .lattice = p->lattice ? malloc(lattice_bytes + 1) : NULL,
                            .joints = malloc(joint_bytes + 1)};
    if (!shot->positions || !shot->normals || !shot->skinned || !shot->deviation || !shot->joints ||
        (p->lattice && !shot->lattice)) {
        return false;
    }
    if (p->def->script.solids) {
        shot->solids = *p->def->script.solids;
    }
    memcpy(shot->normals, p->normals, bytes);
    memcpy(shot->joints, p->motion->pose_joints, joint_bytes);
    if (p->lattice) {
        memcpy(shot->lattice, p->lattice, lattice_bytes);
    }
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (int axis = 0; axis < 3; ++axis) {
        shot->root[axis] = (float)p->motion->root.position[axis];
    }
    for (uint32_t v = 0; v < count; ++v) {
        float squared = 0.0f;
        for (size_t at = (size_t)v * 3, axis = 0; axis < 3; ++at, ++axis) {
            shot->positions[at] = p->positions[at] + shot->root[axis];
            shot->skinned[at] = shot->positions[at] - p->deltas[at];
            squared += p->deltas[at] * p->deltas[at];
            low[axis] = fminf(low[axis], shot->skinned[at]);
            high[axis] = fmaxf(high[axis], shot->skinned[at]);
        }
        shot->deviation[v] = sqrtf(squared);
    }
    shot->centre[0] = 0.5f * (low[0] + high[0]);
    shot->centre[2] = 0.5f * (low[2] + high[2]);
    return true;
}

static bool allocate(player* p, uint32_t shot_count, uint32_t frame_count) {
    const tlw_blob_info* info = &p->take->actor->info;
    const size_t bytes = (size_t)info->vertex_count * 3 * sizeof(float) + 64;
    tlw_take* take = p->take;
    p->positions = malloc(bytes);
    p->normals = malloc(bytes);
    p->deltas = malloc(bytes);
    p->lattice =
        p->def->has_voxels ? malloc((size_t)info->voxel_count * 12 * sizeof(float) + 64) : NULL;
    take->shots = calloc((size_t)shot_count + 1, sizeof *take->shots);
    take->track.skinned = calloc((size_t)frame_count * 3 + 1, sizeof(double));
    take->track.tissue = calloc((size_t)frame_count * 3 + 1, sizeof(double));
    take->layers = malloc((size_t)info->voxel_count + 1);
    take->joints = malloc(((size_t)info->voxel_count + 1) * sizeof *take->joints);
    if (!p->positions || !p->normals || !p->deltas || (p->def->has_voxels && !p->lattice) ||
        !take->shots || !take->track.skinned || !take->track.tissue || !take->layers ||
        !take->joints) {
        return false;
    }
    memcpy(take->layers, p->motion->layers, info->voxel_count);
    memcpy(take->joints, p->motion->joints, info->voxel_count * sizeof *take->joints);
    tlw_output output = tlw_default_output();
    output.positions.data = p->positions;
    output.normals.data = p->normals;
    output.deltas.data = p->deltas;
    output.lattice.data = p->lattice;
    return tlw_character_set_output(p->motion->world, p->motion->id, &output) == TLW_OK;
}

static tlw_scene_code play(player* p, const double* seconds, uint32_t shot_count,
                           tlw_scene_error* error) {
    const double last = shot_count > 0 ? seconds[shot_count - 1] : 0.0;
    const uint32_t frames = (uint32_t)(last * TLW_TAKE_HZ + 0.5) + 1;
    if (!allocate(p, shot_count, frames) || !find_belly(p)) {
        return fail(error, TLW_SCENE_CANNOT_READ, "out of memory");
    }
    for (uint32_t frame = 0; frame < frames; ++frame) {
        const double at = frame / TLW_TAKE_HZ;
        set_pose(p, at);
        if (!set_profile(p, frame)) {
            return fail(error, TLW_SCENE_BAD, "a take asks for a profile that the blob lacks");
        }
        if (p->def->script.before) {
            p->def->script.before(p->motion, frame, p->def->script.user);
        }
        if (frame == 0) { // at rest in the first pose
            tlw_motion_step(p->motion, 0.0);
            TLW_IGNORE(tlw_character_reset(p->motion->world, p->motion->id)); // the id is good
            tlw_motion_step(p->motion, 0.0);
        } else {
            tlw_motion_step(p->motion, 1.0 / TLW_TAKE_HZ);
        }
        track_belly(p, frame);
        if (p->def->script.after) {
            p->def->script.after(p->motion, frame, p->def->script.user);
        }
        tlw_take* take = p->take;
        while (take->shot_count < shot_count &&
               (uint32_t)(seconds[take->shot_count] * TLW_TAKE_HZ + 0.5) == frame) {
            take->shot_count += 1;
            if (!shoot(p, at, &take->shots[take->shot_count - 1])) {
                return fail(error, TLW_SCENE_CANNOT_READ, "out of memory");
            }
        }
    }
    return p->take->shot_count == shot_count
               ? TLW_SCENE_OK
               : fail(error, TLW_SCENE_BAD, "times of a take are below 0 or do not ascend");
}

tlw_scene_code tlw_take_play(tlw_take* take, const tlw_take_def* def, const double* seconds,
                             uint32_t shot_count, tlw_scene_error* error) {
    const tlw_actor* actor = def->motion.actor;
    *take = (tlw_take){.actor = actor,
                       .extent_metres = actor->info.extent_voxels * actor->info.voxel_metres};
    player p = {.def = def, .take = take, .clip = TLW_ASSET_NONE, .random = 12, .capture = -1};
    tlw_scene_code code =
        def->clip ? tlw_actor_find_clip(actor, def->clip, &p.clip, error) : TLW_SCENE_OK;
    if (code == TLW_SCENE_OK) {
        code = tlw_motion_open(&def->motion, &p.motion, error);
    }
    if (code == TLW_SCENE_OK) {
        code = play(&p, seconds, shot_count, error);
    }
    tlw_motion_close(p.motion);
    free(p.positions);
    free(p.normals);
    free(p.deltas);
    free(p.lattice);
    free(p.belly);
    return code;
}

void tlw_take_free(tlw_take* take) {
    for (uint32_t i = 0; i < take->shot_count; ++i) {
        tlw_take_shot* shot = &take->shots[i];
        free(shot->positions);
        free(shot->normals);
        free(shot->skinned);
        free(shot->deviation);
        free(shot->lattice);
        free(shot->joints);
    }
    free(take->shots);
    free(take->track.skinned);
    free(take->track.tissue);
    free(take->layers);
    free(take->joints);
    *take = (tlw_take){0};
}

float tlw_take_farthest(const tlw_take* take) {
    float farthest = 0.0f;
    for (uint32_t i = 0; i < take->shot_count; ++i) {
        for (uint32_t v = 0; v < take->actor->info.vertex_count; ++v) {
            farthest = fmaxf(farthest, take->shots[i].deviation[v]);
        }
    }
    return farthest;
}
