// SPDX-License-Identifier: MIT
// How much time is due, and the pose at a time: the clip, its way over the ground, and the noise of
// a capture.
#include "tools/view/play.h"

#include <math.h>
#include <stdlib.h>

#define DUE_MOST  0.1  // seconds that one picture makes up for after a pause of the program
#define SAMPLES   16   // of a clip, to see which joint moves
#define WAY_LEAST 0.02 // of the character's extent: below that a clip ends where it began

tlw_view_play tlw_default_view_play(void) {
    return (tlw_view_play){.speed = 1.0};
}

double tlw_view_play_step(const tlw_view_play* play) {
    return 1.0 / (play->limit_hz > 0 ? (double)play->limit_hz : TLW_VIEW_STEP_HZ);
}

uint32_t tlw_view_play_due(tlw_view_play* play, double passed, double* dt) {
    const double due = play->speed * fmin(fmax(passed, 0.0), DUE_MOST);
    *dt = due;
    if (play->is_paused || due <= 0.0) {
        play->owed = 0.0;
        return 0;
    }
    if (play->limit_hz == 0) {
        return 1;
    }
    *dt = tlw_view_play_step(play);
    play->owed = fmin(play->owed + due, DUE_MOST * play->speed + *dt);
    const uint32_t count = (uint32_t)floor(play->owed / *dt + 1e-9);
    play->owed = fmax(play->owed - count * *dt, 0.0);
    return count;
}

// ---- The way

static double squared_way(const float* from, const float* to) {
    const double x = (double)(to[12] - from[12]), z = (double)(to[14] - from[14]);
    return x * x + z * z;
}

// Joints whose parent was looked at are looked at after it: the first that moves is the topmost.
static uint32_t find_mover(const tlw_actor* actor, const float* reach, double least) {
    uint32_t best = TLW_NO_INDEX, best_depth = UINT32_MAX;
    for (uint32_t j = 0; j < actor->info.joint_count; ++j) {
        tlw_joint_info info;
        uint32_t depth = 0;
        for (uint32_t at = j; tlw_blob_get_joint(&actor->blob, at, &info) == TLW_OK &&
                              info.parent != TLW_NO_INDEX && depth < actor->info.joint_count;
             at = info.parent) {
            ++depth;
        }
        if ((double)reach[j] > least * least && depth < best_depth) {
            best = j;
            best_depth = depth;
        }
    }
    return best;
}

tlw_view_way tlw_view_find_way(const tlw_actor* actor, uint32_t clip) {
    tlw_view_way way = {
        .clip = clip, .joint = TLW_NO_INDEX, .seconds = tlw_actor_clip_seconds(actor, clip)};
    const size_t joints = actor->info.joint_count;
    float* poses = calloc(joints * 48 + joints, sizeof(float)); // first, last, any; reach
    if (poses == NULL || clip == TLW_ASSET_NONE || way.seconds <= 0.0) {
        free(poses);
        return way;
    }
    float *first = poses, *last = poses + joints * 16, *any = last + joints * 16,
          *reach = any + joints * 16;
    // A clip loops, so its end is asked for just before it.
    tlw_actor_pose(actor, clip, 0.0, first);
    tlw_actor_pose(actor, clip, way.seconds * (1.0 - 1e-9), last);
    for (int i = 1; i <= SAMPLES; ++i) {
        tlw_actor_pose(actor, clip, way.seconds * i / (SAMPLES + 1.0), any);
        for (size_t j = 0; j < joints; ++j) {
            reach[j] = fmaxf(reach[j], (float)squared_way(first + j * 16, any + j * 16));
        }
    }
    const double least = WAY_LEAST * actor->info.extent_voxels * actor->info.voxel_metres;
    way.joint = find_mover(actor, reach, least);
    if (way.joint != TLW_NO_INDEX) {
        const float *from = first + (size_t)way.joint * 16, *to = last + (size_t)way.joint * 16;
        const bool is_away = squared_way(from, to) > least * least;
        for (int axis = 0; axis < 3; ++axis) {
            way.start[axis] = (double)from[12 + axis];
            way.length[axis] = is_away && axis != 1 ? (double)(to[12 + axis] - from[12 + axis]) : 0;
        }
    }
    free(poses);
    return way;
}

// ---- The pose

// A number from 0 to 1 for each whole number.
static double random_share(uint64_t number) {
    number = (number + 1) * 0x9E3779B97F4A7C15u;
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9u;
    number = (number ^ number >> 27) * 0x94D049BB133111EBu;
    return (double)((number ^ number >> 31) >> 11) * 0x1p-53;
}

// Normal, of mean 0 and deviation 1: the sum of twelve even ones, less 6. The same for a capture at
// any time, so that characters in step see the same noise.
static double random_normal(uint64_t capture, uint64_t axis) {
    double sum = -6.0;
    for (uint64_t k = 0; k < 12; ++k) {
        sum += random_share((capture * 3 + axis) * 12 + k);
    }
    return sum;
}

static void move_joints(tlw_motion* motion, const double by[3]) {
    for (size_t j = 0; j < motion->def.actor->info.joint_count; ++j) {
        for (size_t axis = 0; axis < 3; ++axis) {
            motion->pose_joints[j * 16 + 12 + axis] += (float)by[axis];
        }
    }
}

void tlw_view_pose(const tlw_view_play* play, const tlw_view_way* way, tlw_motion* motion) {
    const double capture = floor(play->seconds * TLW_VIEW_CAPTURE_HZ + 1e-6);
    const double at = play->noise_mm > 0.0f ? capture / TLW_VIEW_CAPTURE_HZ : play->seconds;
    const double rounds = way->seconds > 0.0 ? floor(at / way->seconds) : 0.0;
    tlw_motion_pose(motion, way->clip, at);
    motion->root = tlw_default_pose().root;
    if (way->joint != TLW_NO_INDEX && play->is_in_place) {
        const float* joint = motion->pose_joints + (size_t)way->joint * 16;
        const double back[3] = {way->start[0] - (double)joint[12], 0.0,
                                way->start[2] - (double)joint[14]};
        move_joints(motion, back);
    } else {
        for (int axis = 0; axis < 3; ++axis) {
            motion->root.position[axis] = rounds * way->length[axis];
        }
    }
    if (play->noise_mm > 0.0f) {
        const double metres = (double)play->noise_mm / TLW_MOTION_HEIGHT_MM *
                              motion->extent_voxels * motion->voxel_metres;
        double error[3];
        for (uint64_t axis = 0; axis < 3; ++axis) {
            error[axis] = metres * random_normal((uint64_t)capture, axis);
        }
        move_joints(motion, error);
    }
}
