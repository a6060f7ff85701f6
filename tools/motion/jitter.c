// SPDX-License-Identifier: MIT
// Noise in a captured pose: how much of it is seen on tissue, against plain skinning. Reads the
// lattice that the runtime draws (MODEL 5.1), not its state, because the output decides which
// moment is shown.
#include "tools/motion/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tlw_motion_jitter_def tlw_default_motion_jitter_def(void) {
    return (tlw_motion_jitter_def){
        .capture_hz = 30, .draw_hz = 60, .noise = 20 / TLW_MOTION_HEIGHT_MM, .seconds = 4};
}

// A normal number of mean 0 and deviation 1: the sum of twelve even ones, less 6.
static double normal(uint64_t* state) {
    double sum = -6;
    for (int k = 0; k < 12; ++k) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*state >> 11) * 0x1p-53;
    }
    return sum;
}

typedef struct track {
    double* places; // 3 per voxel and frame of the last three frames
    double squares;
} track;

// Adds the change of velocity over the last three frames.
static void add_change(track* t, uint32_t points, uint32_t frame) {
    const size_t n = (size_t)points * 3;
    const double *now = t->places + frame % 3 * n, *last = t->places + (frame + 2) % 3 * n,
                 *before = t->places + (frame + 1) % 3 * n;
    for (size_t k = 0; k < n && frame >= 2; ++k) {
        const double change = now[k] - 2 * last[k] + before[k];
        t->squares += change * change;
    }
}

static void put_frame(const tlw_motion* motion, const float* lattice, uint32_t frame, track* t) {
    uint32_t count;
    const uint32_t* voxels = tlw_motion_place_voxels(motion, TLW_MOTION_BELLY, &count);
    double* to = t->places + (size_t)(frame % 3) * count * 3;
    for (uint32_t i = 0; i < count; ++i) {
        double x[4] = {0, 0, 0, 1};
        tlw_actor_voxel_centre(motion->def.actor, voxels[i], x);
        for (size_t row = 0; row < 3; ++row) {
            const float* m = lattice + (size_t)voxels[i] * 12 + row * 4;
            double y = motion->root.position[row];
            for (size_t a = 0; a < 4; ++a) {
                y += (double)m[a] * x[a];
            }
            *to++ = y;
        }
    }
    add_change(t, count, frame);
}

typedef struct take {
    tlw_motion* motion;
    float* lattice;
    track track;
} take;

static bool begin(take* t, tlw_motion* motion) {
    uint32_t count;
    tlw_motion_place_voxels(motion, TLW_MOTION_BELLY, &count);
    t->motion = motion;
    t->lattice = calloc((size_t)motion->voxel_count * 12, sizeof *t->lattice);
    t->track.places = calloc((size_t)count * 9 + 1, sizeof *t->track.places);
    tlw_output output = tlw_default_output();
    output.lattice.data = t->lattice;
    return t->lattice && t->track.places &&
           tlw_character_set_output(motion->world, motion->id, &output) == TLW_OK;
}

static void end(take* t) {
    const tlw_output nothing = tlw_default_output();
    if (t->motion) {
        TLW_IGNORE(tlw_character_set_output(t->motion->world, t->motion->id, &nothing));
    }
    free(t->lattice);
    free(t->track.places);
}

// Moves the whole skeleton, which is to move the joints that have no parent.
static void add_to_joints(tlw_motion* motion, const double by[3]) {
    for (size_t joint = 0; joint < motion->own->joint_count; ++joint) {
        for (size_t a = 0; a < 3; ++a) {
            motion->pose_joints[joint * 16 + 12 + a] += (float)by[a];
        }
    }
}

static void shoot(take* takes, const tlw_motion_jitter_def* def) {
    const double metres = takes[0].motion->extent_voxels * takes[0].motion->voxel_metres;
    const uint32_t frames = (uint32_t)lround(def->seconds * def->draw_hz);
    uint64_t random = 7;
    double captured = -1, error[3] = {0, 0, 0};
    for (uint32_t frame = 0; frame < frames; ++frame) {
        const double now = floor(frame / def->draw_hz * def->capture_hz + 1e-6);
        for (int a = 0; a < 3 && now > captured; ++a) {
            error[a] = def->noise * metres * normal(&random);
        }
        captured = now;
        for (int k = 0; k < 2; ++k) {
            tlw_motion* motion = takes[k].motion;
            tlw_motion_pose(motion, def->clip, captured / def->capture_hz);
            if (def->is_in_joints) {
                add_to_joints(motion, error);
            } else {
                memcpy(motion->root.position, error, sizeof error);
            }
            if (frame == 0) {
                tlw_motion_settle(motion);
            }
            tlw_motion_step(motion, 1 / def->draw_hz);
            put_frame(motion, takes[k].lattice, frame, &takes[k].track);
        }
    }
}

// Plain skinning is drawn by a second subject that has no freedom, a limit of 0: state has p_skin
// of the last substep only, not of the frame.
tlw_scene_code tlw_motion_jitter(tlw_motion* motion, const tlw_motion_jitter_def* def, double* out,
                                 tlw_scene_error* error) {
    const tlw_material fixed = {.limit_scale = 0};
    tlw_material materials[TLW_BLOB_LAYERS_MAX];
    for (size_t l = 0; l < TLW_BLOB_LAYERS_MAX; ++l) {
        materials[l] = fixed;
    }
    tlw_motion_def skinned_def = motion->def;
    skinned_def.materials = materials;
    skinned_def.has_limit = true;
    skinned_def.has_pose_filter = false;
    tlw_motion* skinned;
    tlw_scene_code code = tlw_motion_open(&skinned_def, &skinned, error);
    *out = 0;
    if (code != TLW_SCENE_OK) {
        return code;
    }
    take takes[2] = {{0}};
    if (!begin(&takes[0], motion) || !begin(&takes[1], skinned)) {
        code = tlw_motion_fail_memory(error);
    } else {
        tlw_motion_reset(motion);
        shoot(takes, def);
        const double plain = takes[1].track.squares;
        *out = plain > 0 ? sqrt(takes[0].track.squares / plain) : 0;
    }
    end(&takes[0]);
    end(&takes[1]);
    tlw_motion_close(skinned);
    return code;
}
