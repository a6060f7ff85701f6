// SPDX-License-Identifier: MIT
// Oracle: presets, creation and destruction. Makes from the input the arrays that the substep
// reads: links, regions and inverse binds.
#include "tests/runtime/oracle/oracle.h"

#include "tests/runtime/oracle/oracle_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The oracle cannot go on without memory, or with an input that contradicts itself.
static _Noreturn void stop(const char* why) {
    fprintf(stderr, "oracle: %s\n", why);
    abort();
}

static void* allocate(size_t count, size_t bytes) {
    void* memory = calloc(count ? count : 1, bytes);
    if (!memory) {
        stop("no memory");
    }
    return memory;
}

oracle_settings oracle_preset_settings(oracle_preset preset) {
    // bone, muscle, fat, skin; those of bone are not read
    static const struct {
        double ks[ORACLE_LAYERS], kd[ORACLE_LAYERS], anchors[ORACLE_LAYERS];
    } presets[ORACLE_PRESET_COUNT] = {
        [ORACLE_PRESET_DEFAULT] = {{0, 2, 0.03, 0.6}, {0, 0.4, 0.7, 0.65}, {0, 6, 3.5, 3.5}},
        [ORACLE_PRESET_ATHLETIC] = {{0, 2.5, 0.3, 1.5}, {0, 0.3, 0.5, 0.5}, {0, 8, 5, 5}},
        [ORACLE_PRESET_HEAVY] = {{0, 1.5, 0.03, 0.4}, {0, 0.4, 0.6, 0.55}, {0, 5, 2.5, 2.5}},
        [ORACLE_PRESET_BUNNY] = {{0, 1.8, 0.5, 1.7}, {0, 0.6, 0.5, 0.4}, {0, 4, 1, 1}},
        [ORACLE_PRESET_SMURF] = {{0, 3.2, 1.2, 2.8}, {0, 0.4, 0.5, 0.7}, {0, 4, 1, 1}},
        [ORACLE_PRESET_BLOAT] = {{0, 3.3, 0.7, 3.0}, {0, 0.7, 0.5, 0.6}, {0, 4, 1, 1}},
        [ORACLE_PRESET_BLOAT_LOW] = {{0, 1.9, 0.9, 1.3}, {0, 0.6, 0.4, 0.3}, {0, 4, 1, 1}},
        [ORACLE_PRESET_CLASSIC] = {{0, 0.4, 0.1, 0.35}, {0, 0.54, 0.54, 0.54}, {0, 2, 2, 2}},
    };
    return (oracle_settings){.material_count = ORACLE_LAYERS,
                             .ks = presets[preset].ks,
                             .kd = presets[preset].kd,
                             .anchors = presets[preset].anchors,
                             .limit_scale = 1,
                             .iterations = 2,
                             .repeats = 1,
                             .h = 1.0 / 60.0,
                             .skinned_volume = true,
                             .own_limbs = true,
                             .collider_mask = UINT32_MAX,
                             .time_scale = 1};
}

// Numbers the steps x fastest, then y, then z, from (-1,-1,-1), and leaves out the centre.
void oracle_link_step(uint32_t k, int step[3]) {
    const int place = (int)(k < 13 ? k : k + 1);
    step[0] = place % 3 - 1;
    step[1] = place / 3 % 3 - 1;
    step[2] = place / 9 - 1;
}

uint32_t oracle_link_of(int dx, int dy, int dz) {
    const uint32_t place = (uint32_t)((dx + 1) + 3 * (dy + 1) + 9 * (dz + 1));
    return place < 13 ? place : place - 1;
}

static bool comes_before(const int32_t a[3], const int32_t b[3]) {
    return a[2] != b[2] ? a[2] < b[2] : a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
}

// By bisection, because voxels are sorted by z, y, x.
static uint32_t find_voxel(const oracle_input* input, const int32_t cell[3]) {
    uint32_t low = 0, high = input->voxel_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (comes_before(input->cell[middle], cell)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool is_there = low < input->voxel_count && !comes_before(cell, input->cell[low]);
    return is_there ? low : ORACLE_NO_VOXEL;
}

static void make_links(oracle* o) {
    const oracle_input* input = o->input;
    for (uint32_t i = 0; i < input->voxel_count; ++i) {
        if (i > 0 && !comes_before(input->cell[i - 1], input->cell[i])) {
            stop("voxels are not in order");
        }
        o->rest[i] = vec(input->cell[i][0] + 0.5, input->cell[i][1] + 0.5, input->cell[i][2] + 0.5);
        for (uint32_t k = 0; k < 26; ++k) {
            o->linked[i][k] = ORACLE_NO_VOXEL;
            if ((input->links[i] >> k & 1) == 0) {
                continue;
            }
            int step[3];
            oracle_link_step(k, step);
            const int32_t cell[3] = {input->cell[i][0] + step[0], input->cell[i][1] + step[1],
                                     input->cell[i][2] + step[2]};
            o->linked[i][k] = find_voxel(input, cell);
            if (o->linked[i][k] == ORACLE_NO_VOXEL ||
                (input->links[o->linked[i][k]] >> (25 - k) & 1) == 0) {
                stop("a link leads nowhere, or only one way");
            }
        }
    }
}

// The sum of the outward normals of a voxel's faces that have no voxel behind them (MODEL 3.17).
static void find_open_faces(oracle* o) {
    for (uint32_t i = 0; i < o->input->voxel_count; ++i) {
        double sum[3] = {0, 0, 0};
        for (int face = 0; face < 6; ++face) {
            const int axis = face / 2, side = face % 2 ? 1 : -1;
            int32_t cell[3];
            memcpy(cell, o->input->cell[i], sizeof cell);
            cell[axis] += side;
            sum[axis] += find_voxel(o->input, cell) == ORACLE_NO_VOXEL ? side : 0;
        }
        o->open_faces[i] = vec_of(sum);
    }
}

// Lists the voxels of every region, its centre included, and then the regions of every voxel.
static void make_regions(oracle* o) {
    const oracle_input* input = o->input;
    const uint32_t n = input->voxel_count;
    o->region_count = input->region_width == 3 ? n : input->region_count;
    o->region_first = allocate(o->region_count + 1, sizeof *o->region_first);
    o->region_voxels = allocate((size_t)o->region_count * 27, sizeof *o->region_voxels);
    o->region_guide = allocate(o->region_count, sizeof *o->region_guide);
    uint32_t count = 0;
    for (uint32_t r = 0; r < o->region_count; ++r) {
        o->region_first[r] = count;
        if (input->region_width == 3) {
            o->region_voxels[count++] = r;
            for (uint32_t k = 0; k < 26; ++k) {
                if (o->linked[r][k] != ORACLE_NO_VOXEL) {
                    o->region_voxels[count++] = o->linked[r][k];
                }
            }
        } else {
            for (uint32_t k = 0; k < 8; ++k) {
                if (input->region[r][k] != ORACLE_NO_VOXEL) {
                    o->region_voxels[count++] = input->region[r][k];
                }
            }
        }
        if (count == o->region_first[r]) {
            stop("a region without voxels");
        }
        o->region_guide[r] = o->region_voxels[o->region_first[r]]; // the centre, or the first
    }
    o->region_first[o->region_count] = count;

    o->holding_first = allocate(n + 1, sizeof *o->holding_first);
    o->holding = allocate(count, sizeof *o->holding);
    uint32_t held = 0;
    uint32_t* holders = allocate(n, sizeof *holders);
    for (uint32_t k = 0; k < count; ++k) {
        holders[o->region_voxels[k]] += 1;
    }
    for (uint32_t i = 0; i < n; ++i) {
        o->holding_first[i] = held;
        held += holders[i];
        holders[i] = o->holding_first[i];
    }
    o->holding_first[n] = held;
    for (uint32_t r = 0; r < o->region_count; ++r) {
        for (uint32_t k = o->region_first[r]; k < o->region_first[r + 1]; ++k) {
            o->holding[holders[o->region_voxels[k]]++] = r;
        }
    }
    free(holders);

    o->region_rest = allocate(o->region_count, sizeof *o->region_rest);
    for (uint32_t r = 0; r < o->region_count; ++r) {
        oracle_region_matrix(o, o->rest, r, &o->region_rest[r]); // c0 is c of the rest positions
    }
}

static void make_joints(oracle* o) {
    o->joints = allocate(o->input->joint_count, sizeof *o->joints);
    for (uint32_t j = 0; j < o->input->joint_count; ++j) {
        const double* m = o->input->bind[j];
        oracle_trs trs;
        if (!oracle_decompose(m, &trs)) {
            stop("a bind matrix without an inverse");
        }
        const oracle_mat linear =
            mat_of_columns(vec_of(m), vec_of(m + 4), vec_of(m + 8)); // x = linear y + move
        o->joints[j].unbind = mat_inverse(&linear);
        o->joints[j].unbind_move = vec_scale(mat_apply(&o->joints[j].unbind, vec_of(m + 12)), -1);
        o->joints[j].bind_move = trs.translation;
        o->joints[j].bind_rotation = trs.rotation;
        const oracle_mat stretch = oracle_stretch_of(&trs);
        o->joints[j].unbind_stretch = mat_inverse(&stretch);
    }
}

oracle* oracle_create(const oracle_input* input, const oracle_settings* settings,
                      const oracle_pose* pose) {
    oracle* o = allocate(1, sizeof *o);
    const uint32_t n = input->voxel_count;
    o->input = input;
    o->settings = *settings;
    o->rest = allocate(n, sizeof *o->rest);
    o->linked = allocate(n, sizeof *o->linked);
    o->open_faces = allocate(n, sizeof *o->open_faces);
    make_links(o);
    find_open_faces(o);
    make_regions(o);
    make_joints(o);

    oracle_vec** vectors[] = {&o->p,          &o->v,          &o->p_skin_prev, &o->v_skin,
                              &o->d0,         &o->d1,         &o->goal,        &o->last_p_skin,
                              &o->out_p_skin, &o->out_plain,  &o->out_p,       &o->work_p,
                              &o->work_delta, &o->work_field, &o->left_p,      &o->m,
                              &o->work_m,     &o->lame_d,     &o->lame_target, &o->lame_step};
    for (size_t k = 0; k < TLW_COUNT_OF(vectors); ++k) {
        *vectors[k] = allocate(n, sizeof **vectors[k]);
    }
    for (int k = 0; k < ORACLE_STAGE_COUNT; ++k) {
        o->stage[k] = allocate(n, sizeof *o->stage[k]);
    }
    oracle_quat** rotations[] = {&o->Rb, &o->R, &o->Q0, &o->Q1, &o->out_Rb, &o->out_R, &o->work_Rb};
    for (size_t k = 0; k < TLW_COUNT_OF(rotations); ++k) {
        *rotations[k] = allocate(n, sizeof **rotations[k]);
    }
    o->region_R = allocate(o->region_count, sizeof *o->region_R);
    o->region_Q = allocate(o->region_count, sizeof *o->region_Q);
    o->region_A = allocate(o->region_count, sizeof *o->region_A);
    o->region_c = allocate(o->region_count, sizeof *o->region_c);
    o->volume = allocate(n, sizeof *o->volume);
    o->volume_floor = allocate(n, sizeof *o->volume_floor);
    oracle_measure_rest_volume(o);
    o->bend_length = allocate(input->bend_count, sizeof *o->bend_length);
    o->had_skinned_volume = settings->skinned_volume;
    o->gains = allocate(n, sizeof *o->gains);
    o->share = allocate(n, sizeof *o->share);
    o->left_limit = allocate(n, sizeof *o->left_limit);
    o->touches = allocate(n, sizeof *o->touches);
    o->muscles = allocate(input->muscle_count, sizeof *o->muscles);
    o->divergence = allocate(n, sizeof *o->divergence);
    for (int k = 0; k < ORACLE_DRAGS_MAX; ++k) {
        o->drags[k].weight = allocate(n, sizeof *o->drags[k].weight);
    }
    o->filter.joints = allocate(input->joint_count, sizeof *o->filter.joints);
    oracle_follow_materials(o);
    o->last.joints = allocate(input->joint_count, sizeof *o->last.joints);
    o->now.joints = allocate(input->joint_count, sizeof *o->now.joints);
    o->between.joints = allocate(input->joint_count, sizeof *o->between.joints);
    o->set.joints = allocate(input->joint_count, sizeof *o->set.joints);

    if (!oracle_keep_pose(o, pose, &o->last) || !oracle_keep_pose(o, pose, &o->now) ||
        !oracle_keep_pose(o, pose, &o->set)) {
        oracle_destroy(o);
        return NULL;
    }
    oracle_reset(o);
    return o;
}

void oracle_destroy(oracle* o) {
    if (!o) {
        return;
    }
    void* memory[] = {o->rest,
                      o->linked,
                      o->region_first,
                      o->region_voxels,
                      o->region_guide,
                      o->region_rest,
                      o->holding,
                      o->joints,
                      o->holding_first,
                      o->p,
                      o->v,
                      o->p_skin_prev,
                      o->v_skin,
                      o->d0,
                      o->d1,
                      o->goal,
                      o->last_p_skin,
                      o->out_p_skin,
                      o->out_plain,
                      o->out_p,
                      o->work_p,
                      o->work_delta,
                      o->work_field,
                      o->Rb,
                      o->R,
                      o->Q0,
                      o->Q1,
                      o->out_Rb,
                      o->out_R,
                      o->work_Rb,
                      o->region_R,
                      o->region_Q,
                      o->region_A,
                      o->region_c,
                      o->volume,
                      o->volume_floor,
                      o->bend_length,
                      o->gains,
                      o->share,
                      o->last.joints,
                      o->now.joints,
                      o->between.joints,
                      o->set.joints,
                      o->filter.joints,
                      o->open_faces,
                      o->left_p,
                      o->left_limit,
                      o->touches,
                      o->m,
                      o->work_m,
                      o->lame_d,
                      o->lame_target,
                      o->lame_step,
                      o->muscles,
                      o->divergence};
    for (size_t k = 0; k < TLW_COUNT_OF(memory); ++k) {
        free(memory[k]);
    }
    for (int k = 0; k < ORACLE_STAGE_COUNT; ++k) {
        free(o->stage[k]);
    }
    for (int k = 0; k < ORACLE_DRAGS_MAX; ++k) {
        free(o->drags[k].weight);
    }
    free(o);
}
