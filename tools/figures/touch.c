// SPDX-License-Identifier: MIT
// Places, cameras and depths for figures of contact and forces.
#include "tools/figures/touch.h"

#include <math.h>

const tlw_rgb tlw_touch_steel = {0.48f, 0.58f, 0.72f}, tlw_touch_string = {0.42f, 0.85f, 0.60f};

double tlw_touch_voxel(const tlw_actor* actor) {
    return actor->info.voxel_metres;
}

double tlw_touch_share(const tlw_actor* actor, double metres) {
    return metres / (actor->info.extent_voxels * actor->info.voxel_metres);
}

void tlw_touch_front(const tlw_actor* actor, double out[3]) {
    const tlw_vertex* vertices = tlw_actor_vertices(actor);
    uint32_t front = 0;
    for (uint32_t v = 1; v < actor->info.vertex_count; ++v) {
        front = vertices[v].position[2] > vertices[front].position[2] ? v : front;
    }
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = (double)vertices[front].position[axis];
    }
}

tlw_render_camera tlw_touch_camera(const tlw_actor* actor, const double target[3], double height,
                                   float yaw, float pitch) {
    tlw_render_camera camera = tlw_default_render_camera();
    camera.yaw_degrees = yaw;
    camera.pitch_degrees = pitch;
    camera.height = (float)(height * actor->info.extent_voxels * actor->info.voxel_metres);
    for (int axis = 0; axis < 3; ++axis) {
        camera.target[axis] = (float)target[axis];
    }
    return camera;
}

double tlw_touch_deepest(const tlw_take* take, uint32_t shot) {
    const tlw_take_shot* s = &take->shots[shot];
    double deepest = -INFINITY;
    for (size_t v = 0; v < take->actor->info.vertex_count && s->solids.count > 0; ++v) {
        const double at[3] = {(double)s->positions[v * 3], (double)s->positions[v * 3 + 1],
                              (double)s->positions[v * 3 + 2]};
        deepest = fmax(deepest, tlw_solid_depth(&s->solids.list[0], at));
    }
    return deepest;
}

double tlw_touch_deviation(const tlw_motion* motion, uint32_t voxel, const double along[3]) {
    tlw_voxel_state state = {0};
    double sum = 0.0;
    TLW_IGNORE(tlw_character_get_voxel(motion->world, motion->id, voxel, &state));
    for (int axis = 0; axis < 3; ++axis) {
        sum += ((double)state.position[axis] - (double)state.skinned[axis]) * along[axis];
    }
    return sum * motion->voxel_metres;
}
