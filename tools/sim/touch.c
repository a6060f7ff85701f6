// SPDX-License-Identifier: MIT
// Applies the options of contact and forces through the public interface of the runtime.
#include "tools/sim/touch.h"

#include <math.h>

#define PRESS_SECONDS 0.5
#define RADIUS        0.07 // of L, as the next one
#define HALF_LENGTH   0.15

void tlw_sim_touch_def(const sim_options* o, tlw_scene_def* def) {
    def->has_pose_filter = o->has_filter;
    if (o->press_metres > 0.0) {
        def->world.collider_capacity = 1;
        def->world.contact_capacity = 1;
    }
}

tlw_exit_code tlw_sim_touch_begin(const sim_options* o, tlw_scene* scene) {
    const tlw_actor* actor = scene->def.actor;
    const tlw_character_id id = scene->characters[0].id;
    if (o->limbs == SIM_ON && actor->info.limb_count == 0) {
        return tlw_command_fail(&tlw_sim_command, TLW_EXIT_USAGE,
                                "'%s' has no limbs, which need \"limbs\": true in the recipe",
                                actor->name);
    }
    tlw_settings settings;
    tlw_result result = tlw_character_get_settings(scene->world, id, &settings);
    for (int axis = 0; axis < 3; ++axis) {
        settings.gravity[axis] = o->has_gravity ? (float)o->gravity[axis] : settings.gravity[axis];
        settings.wind[axis] = o->has_wind ? (float)o->wind[axis] : settings.wind[axis];
    }
    settings.wind_drag = o->has_wind ? (float)o->wind_drag : settings.wind_drag;
    settings.time_scale = o->has_time_scale ? (float)o->time_scale : settings.time_scale;
    settings.own_limbs = o->limbs == SIM_AS_COOKED ? settings.own_limbs : o->limbs == SIM_ON;
    if (result == TLW_OK) {
        result = tlw_character_set_settings(scene->world, id, &settings);
    }
    if (result == TLW_OK && o->has_filter) {
        const tlw_pose_filter filter = tlw_default_pose_filter();
        result = tlw_character_set_pose_filter(scene->world, id, &filter);
    }
    return result == TLW_OK ? TLW_EXIT_OK
                            : tlw_command_fail(&tlw_sim_command, TLW_EXIT_BAD_ASSET, "%s: %s",
                                               actor->name, tlw_result_meaning(result));
}

// A ray from the front, at the height of the vertex that is foremost at rest, finds the first soft
// voxel in the pose of now.
static tlw_result find_front(const tlw_scene* scene, tlw_pick* out) {
    const tlw_actor* actor = scene->def.actor;
    const tlw_vertex* vertices = tlw_actor_vertices(actor);
    const double extent = actor->info.extent_voxels * actor->info.voxel_metres;
    const float back[3] = {0.0f, 0.0f, -1.0f};
    uint32_t front = 0;
    for (uint32_t v = 1; v < actor->info.vertex_count; ++v) {
        front = vertices[v].position[2] > vertices[front].position[2] ? v : front;
    }
    const double origin[3] = {(double)vertices[front].position[0],
                              (double)vertices[front].position[1],
                              (double)vertices[front].position[2] + extent};
    return tlw_character_pick(scene->world, scene->characters[0].id, origin, back, out);
}

tlw_exit_code tlw_sim_press_begin(const sim_options* o, tlw_scene* scene, sim_press* press) {
    if (!(o->press_metres > 0.0)) {
        return TLW_EXIT_OK;
    }
    const tlw_blob_info* info = &scene->def.actor->info;
    const double extent = info->extent_voxels * info->voxel_metres;
    tlw_collider_def def = tlw_default_collider_def();
    def.radii[0] = def.radii[1] = (float)(RADIUS * extent);
    def.ends[0][0] = (float)(-HALF_LENGTH * extent);
    def.ends[1][0] = (float)(HALF_LENGTH * extent);
    tlw_pick pick = {0};
    tlw_result result = find_front(scene, &pick);
    press->start = tlw_default_collider_pose();
    for (int axis = 0; axis < 3; ++axis) {
        press->start.position[axis] = pick.position[axis];
    }
    // A voxel's surface is a quarter of its edge from its centre.
    press->start.position[2] += RADIUS * extent + 0.25 * info->voxel_metres;
    if (result == TLW_OK) {
        result = tlw_collider_create(scene->world, &def, &press->start, &press->collider);
    }
    if (result != TLW_OK) {
        return tlw_command_fail(&tlw_sim_command, TLW_EXIT_BAD_ASSET,
                                "'%s' has nothing soft in front that could be pressed",
                                scene->def.actor->name);
    }
    tlw_sim_press_move(o, scene, 0.0, press);
    return TLW_EXIT_OK;
}

void tlw_sim_press_move(const sim_options* o, tlw_scene* scene, double seconds, sim_press* press) {
    if (!(o->press_metres > 0.0)) {
        return;
    }
    static const tlw_rgb steel = {0.48f, 0.58f, 0.72f};
    tlw_collider_pose pose = press->start;
    pose.position[2] -= o->press_metres * fmin(seconds / PRESS_SECONDS, 1.0);
    TLW_IGNORE(tlw_collider_set_pose(scene->world, press->collider, &pose)); // the id is our own
    press->solids.count = 0;
    tlw_solids_add_collider(&press->solids, scene->world, press->collider, steel);
}
