// SPDX-License-Identifier: MIT
// Steps a character and brings its output into the world, where camera, ground and colliders are.
#include "tools/view/character.h"

#include "platform/clock.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t read_clock(void* user) {
    (void)user;
    return tlw_clock_ns();
}

static bool make_room(tlw_view_character* c) {
    const size_t vertices = c->model->actor.info.vertex_count;
    float** const rows[] = {&c->positions,     &c->normals,     &c->skinned,
                            &c->out_positions, &c->out_normals, &c->out_deltas};
    for (size_t i = 0; i < TLW_COUNT_OF(rows); ++i) {
        *rows[i] = calloc(vertices * 3 + 1, sizeof(float));
        if (*rows[i] == NULL) {
            return false;
        }
    }
    c->deviation = calloc(vertices + 1, sizeof(float));
    c->lattice = calloc((size_t)c->model->actor.info.voxel_count * 12 + 1, sizeof(float));
    return c->deviation && c->lattice;
}

static tlw_result set_output(tlw_view_character* c) {
    tlw_output output = tlw_default_output();
    output.positions.data = c->out_positions;
    output.normals.data = c->model->has_normals ? c->out_normals : NULL;
    output.deltas.data = c->out_deltas;
    output.lattice.data = c->lattice;
    return tlw_character_set_output(c->motion->world, c->motion->id, &output);
}

bool tlw_view_character_open(tlw_view_character* c, tlw_view_model* model,
                             const tlw_task_system* tasks, double budget_ms, char* message,
                             size_t room) {
    *c = (tlw_view_character){.model = tlw_view_model_share(model)};
    tlw_motion_def def = tlw_default_motion_def();
    tlw_scene_error error;
    def.actor = &model->actor;
    def.collider_capacity = TLW_VIEW_COLLIDERS;
    def.contact_capacity = TLW_VIEW_CONTACTS;
    def.drag_capacity = 1;
    def.has_pose_filter = true;
    def.clock = read_clock;
    def.budget_ms = budget_ms;
    def.tasks = tasks;
    if (!make_room(c)) {
        snprintf(message, room, "cannot show '%s': out of memory", model->actor.name);
        return false;
    }
    if (tlw_motion_open(&def, &c->motion, &error) != TLW_SCENE_OK) {
        snprintf(message, room, "%s", error.message);
        return false;
    }
    // The filter is off until somebody switches it on.
    const tlw_result filtered =
        tlw_character_set_pose_filter(c->motion->world, c->motion->id, NULL);
    const tlw_result result = filtered == TLW_OK ? set_output(c) : filtered;
    if (result != TLW_OK) {
        snprintf(message, room, "cannot show '%s': %s", model->actor.name,
                 tlw_result_meaning(result));
    }
    return result == TLW_OK;
}

void tlw_view_character_close(tlw_view_character* c) {
    tlw_motion_close(c->motion);
    tlw_view_model_release(c->model);
    free(c->positions);
    free(c->normals);
    free(c->skinned);
    free(c->deviation);
    free(c->lattice);
    free(c->out_positions);
    free(c->out_normals);
    free(c->out_deltas);
    *c = (tlw_view_character){0};
}

// ---- Output

static void place_vertices(tlw_view_character* c) {
    const double* root = c->motion->root.position;
    const float shift[3] = {(float)root[0], (float)root[1], (float)root[2]};
    for (int axis = 0; axis < 3; ++axis) {
        c->low[axis] = FLT_MAX;
        c->high[axis] = -FLT_MAX;
    }
    for (size_t v = 0; v < c->model->actor.info.vertex_count; ++v) {
        float squared = 0.0f;
        for (size_t axis = 0, at = v * 3; axis < 3; ++axis, ++at) {
            const float delta = c->out_deltas[at];
            c->positions[at] = c->out_positions[at] + shift[axis];
            c->skinned[at] = c->positions[at] - delta;
            c->low[axis] = fminf(c->low[axis], c->skinned[at]);
            c->high[axis] = fmaxf(c->high[axis], c->skinned[at]);
            squared += delta * delta;
        }
        c->deviation[v] = sqrtf(squared);
        c->farthest = fmaxf(c->farthest, c->deviation[v]);
    }
    for (int axis = 0; axis < 3; ++axis) {
        c->middle[axis] = 0.5f * (c->low[axis] + c->high[axis]);
    }
}

static void take_output(tlw_view_character* c) {
    place_vertices(c);
    if (c->model->has_normals) {
        memcpy(c->normals, c->out_normals,
               (size_t)c->model->actor.info.vertex_count * 3 * sizeof(float));
    } else {
        // Out of memory: the normals stay those of the last picture.
        (void)tlw_render_normals(c->model->rest, NULL, c->positions,
                                 c->model->actor.info.vertex_count, c->model->indices,
                                 c->model->index_count, c->normals);
    }
    if (tlw_character_get_contacts(c->motion->world, c->motion->id, c->contacts, TLW_VIEW_CONTACTS,
                                   &c->contact_count) != TLW_OK) {
        c->contact_count = 0;
    }
    c->contact_count = c->contact_count < TLW_VIEW_CONTACTS ? c->contact_count : TLW_VIEW_CONTACTS;
}

void tlw_view_character_settle(tlw_view_character* c) {
    c->farthest = 0.0f;
    tlw_motion_settle(c->motion);
    (void)tlw_view_character_step(c, 0.0);
}

tlw_step_flags tlw_view_character_step(tlw_view_character* c, double dt) {
    const tlw_step_flags flags = tlw_motion_step(c->motion, dt);
    take_output(c);
    return flags;
}

void tlw_view_character_read(tlw_view_character* c) {
    tlw_motion_read(c->motion);
}

void tlw_view_character_place(const tlw_view_character* c, uint32_t voxel, bool is_skinned,
                              float place[3]) {
    const tlw_motion* m = c->motion;
    const tlw_voxel_state* state = &m->voxels[voxel];
    for (int axis = 0; axis < 3; ++axis) {
        const float at = is_skinned ? state->skinned[axis] : state->position[axis];
        place[axis] = (float)(m->root.position[axis] + (double)at * m->voxel_metres);
    }
}

uint64_t tlw_view_character_hash(const tlw_view_character* c) {
    uint64_t hash = 0;
    return tlw_character_hash(c->motion->world, c->motion->id, &hash) == TLW_OK ? hash : 0;
}
