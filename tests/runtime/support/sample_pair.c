// SPDX-License-Identifier: MIT
#include "tests/runtime/support/sample_pair.h"

#include "tests/test.h"
#include "tools/asset/to_cook.h"

sample_pair sample_pair_make(const char* sample, const char* clip, uint32_t resolution,
                             uint32_t region_width, const oracle_pair_def* def) {
    sample_pair p = {0};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 8; // only the file and its joints are wanted of the actor
    tlw_scene_error error;
    CHECK_EQ(tlw_actor_make(&p.actor, sample, &recipe, &error), TLW_SCENE_OK);
    CHECK_EQ(tlw_actor_find_clip(&p.actor, clip, &p.clip, &error), TLW_SCENE_OK);
    recipe.resolution = resolution;
    recipe.region_width = region_width;
    const tlw_asset_cook_options options = tlw_default_asset_cook_options();
    tlw_asset_cook from;
    tlw_asset_error asset_error;
    CHECK_EQ(tlw_asset_to_cook(p.actor.asset, &options, &from, &asset_error), TLW_ASSET_OK);
    p.d = pair_make(&from.input, &recipe, def);
    tlw_asset_cook_free(&from);
    CHECK_EQ(p.d->info.joint_count, p.actor.info.joint_count);
    return p;
}

void sample_pair_free(sample_pair* p) {
    pair_free(p->d);
    tlw_actor_free(&p->actor);
}

void sample_pair_pose(sample_pair* p, double seconds) {
    pair_rest_pose(p->d);
    tlw_actor_pose(&p->actor, p->clip, seconds, p->d->joints[0]);
}

bool sample_pair_is_belly(const sample_pair* p, uint32_t voxel) {
    static const double centre[3] = {0, 0.496, 0.0488}, radii[3] = {0.384, 0.32, 0.3652};
    const tlw_blob_cell* cell = &p->d->cells[voxel];
    const double at[3] = {cell->x, cell->y, cell->z};
    double sum = 0, x[3];
    for (int a = 0; a < 3; ++a) {
        x[a] = p->d->info.origin[a] + p->d->info.voxel_metres * (at[a] + 0.5) - centre[a];
        sum += x[a] * x[a] / (radii[a] * radii[a]);
    }
    return pair_layer(p->d, voxel) != 0 && sum < 1.1 && x[2] > 0.4 * radii[2];
}

oracle_vec sample_pair_belly_off(sample_pair* p) {
    oracle_vec sum = {0, 0, 0};
    uint32_t count = 0;
    pair_read(p->d);
    for (uint32_t i = 0; i < p->d->info.voxel_count; ++i) {
        if (sample_pair_is_belly(p, i)) {
            sum = vec_add(sum, pair_off(p->d, i));
            count += 1;
        }
    }
    CHECK_LT(30u, count);
    return vec_scale(sum, 1.0 / count);
}
