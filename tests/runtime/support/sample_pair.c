// SPDX-License-Identifier: MIT
// Makes a sample pair: the file and clips from tools/scene, the character cooked once more at the
// test's resolution.
#include "tests/runtime/support/sample_pair.h"

#include "tests/test.h"
#include "tools/asset/to_cook.h"

sample_pair sample_pair_make(const char* sample, const char* clip, uint32_t resolution,
                             uint32_t region_width, const oracle_pair_def* def) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.region_width = region_width;
    return sample_pair_cook(sample, clip, &recipe, def);
}

sample_pair sample_pair_cook(const char* sample, const char* clip, const tlw_cook_recipe* recipe,
                             const oracle_pair_def* def) {
    sample_pair s = {0};
    tlw_cook_recipe coarse = tlw_default_cook_recipe();
    coarse.resolution = 8; // the actor is only used for its file and its joints
    tlw_scene_error error;
    CHECK_EQ(tlw_actor_make(&s.actor, sample, &coarse, &error), TLW_SCENE_OK);
    CHECK_EQ(tlw_actor_find_clip(&s.actor, clip, &s.clip, &error), TLW_SCENE_OK);
    const tlw_asset_cook_options options = tlw_default_asset_cook_options();
    tlw_asset_cook from;
    tlw_asset_error asset_error;
    CHECK_EQ(tlw_asset_to_cook(s.actor.asset, &options, &from, &asset_error), TLW_ASSET_OK);
    s.pair = pair_make(&from.input, recipe, def);
    tlw_asset_cook_free(&from);
    CHECK_EQ(s.pair->info.joint_count, s.actor.info.joint_count);
    return s;
}

void sample_pair_free(sample_pair* s) {
    pair_free(s->pair);
    tlw_actor_free(&s->actor);
}

void sample_pair_pose(sample_pair* s, double seconds) {
    pair_rest_pose(s->pair);
    tlw_actor_pose(&s->actor, s->clip, seconds, s->pair->joints[0]);
}

bool sample_pair_is_belly(const sample_pair* s, uint32_t voxel) {
    static const double centre[3] = {0, 0.496, 0.0488}, radii[3] = {0.384, 0.32, 0.3652};
    const tlw_blob_cell* cell = &s->pair->cells[voxel];
    const double at[3] = {cell->x, cell->y, cell->z};
    double sum = 0, x[3];
    for (int a = 0; a < 3; ++a) {
        x[a] = s->pair->info.origin[a] + s->pair->info.voxel_metres * (at[a] + 0.5) - centre[a];
        sum += x[a] * x[a] / (radii[a] * radii[a]);
    }
    return pair_layer(s->pair, voxel) != 0 && sum < 1.1 && x[2] > 0.4 * radii[2];
}

oracle_vec sample_pair_belly_deviation(sample_pair* s) {
    oracle_vec sum = {0, 0, 0};
    uint32_t count = 0;
    pair_read(s->pair);
    for (uint32_t i = 0; i < s->pair->info.voxel_count; ++i) {
        if (sample_pair_is_belly(s, i)) {
            sum = vec_add(sum, pair_deviation(s->pair, i));
            count += 1;
        }
    }
    CHECK_LT(30u, count);
    return vec_scale(sum, 1.0 / count);
}
