// SPDX-License-Identifier: MIT
// tallow-bench table2: frames per second of the stout sample, cooked to about as many voxels as
// there are particles in Table 1 of Chen et al. 2013 (papers.h), and bound to about as many
// vertices. Its time step is 16 ms, and its regions are two cells wide with particles on the cells'
// corners, which is our region width of 3. One core, one substep, positions and normals as output;
// the paper's frames were also shown on a screen, ours are not.
#include "tools/bench/measure.h"
#include "tools/bench/papers.h"

#include <math.h>
#include <stdio.h>

#define PAPER_VERTICES 28059.0
#define PAPER_JOINTS   38.0

static const struct {
    double paper_particles, paper_fps;
} rows[] = {{1072, 215.294}, {1906, 134.181}, {2451, 99.436}, {3058, 81.633}};
#define ROWS TLW_COUNT_OF(rows)

// Cooks again with another voxel size until the number of voxels is near enough, at most TRIES_MAX
// times. Their number grows as the 2.6th power of 1/size, not the third, because a surface adds to
// it.
#define TRIES_MAX    5
#define FIRST_MESH   96u // cells that the first mesh is polygonised with
#define VOXELS_POWER 2.6

static bool make(tlw_bench* bench, uint32_t mesh_resolution, double voxel_metres,
                 tlw_actor* actor) {
    tlw_sample_def def = tlw_default_sample_def(TLW_SAMPLE_STOUT);
    def.resolution = mesh_resolution;
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = voxel_metres > 0.0 ? 0 : 16;
    recipe.voxel_metres = voxel_metres;
    tlw_scene_error error;
    if (tlw_actor_make_from(actor, &def, &recipe, &error) != TLW_SCENE_OK) {
        tlw_bench_fail(bench, "%s", error.message);
        return false;
    }
    return true;
}

// Vertices grow with the square of the mesh's resolution.
static uint32_t find_mesh(tlw_bench* bench, double* voxel_metres, double* voxels) {
    uint32_t resolution = FIRST_MESH;
    for (int i = 0; i < 2; ++i) {
        tlw_actor actor;
        const bool is_made = make(bench, resolution, 0.0, &actor);
        const double vertices = actor.info.vertex_count;
        *voxel_metres = actor.info.voxel_metres;
        *voxels = actor.info.voxel_count;
        tlw_actor_free(&actor);
        if (!is_made) {
            return 0;
        }
        resolution = (uint32_t)lround(resolution * sqrt(PAPER_VERTICES / vertices));
    }
    return resolution;
}

static bool make_particles(tlw_bench* bench, uint32_t mesh, double target, double voxel_metres,
                           double voxels, tlw_actor* actor) {
    double nearest = INFINITY, tolerance = tlw_bench_is_quick(bench) ? 0.1 : 0.01;
    *actor = (tlw_actor){0};
    for (int i = 0; i < TRIES_MAX && nearest > tolerance; ++i) {
        voxel_metres *= pow(voxels / target, 1.0 / VOXELS_POWER);
        tlw_actor now;
        if (!make(bench, mesh, voxel_metres, &now)) {
            tlw_actor_free(&now);
            return false;
        }
        voxels = now.info.voxel_count;
        const double off = fabs(voxels / target - 1.0);
        if (off < nearest) {
            nearest = off;
            tlw_actor_free(actor);
            *actor = now;
        } else {
            tlw_actor_free(&now);
        }
    }
    return true;
}

static bool open_rows(tlw_bench* bench, tlw_bench_contender* made) {
    double voxel_metres, voxels;
    const uint32_t mesh = find_mesh(bench, &voxel_metres, &voxels);
    for (size_t i = 0; i < ROWS; ++i) {
        if (mesh == 0 || !make_particles(bench, mesh, rows[i].paper_particles, voxel_metres, voxels,
                                         &made[i].actor)) {
            return false;
        }
        snprintf(made[i].name, sizeof made[i].name, "particles_%.0f_frame_ms",
                 rows[i].paper_particles);
        if (!tlw_bench_open_contender(bench, &made[i])) {
            return false;
        }
    }
    return true;
}

static void print_row(tlw_bench* bench, size_t i, const tlw_bench_contender* row) {
    const tlw_blob_info* info = &row->actor.info;
    const double fps = 1000.0 / row->ms;
    const tlw_bench_cell cells[] = {
        {.key = "paper_particles", .value = rows[i].paper_particles},
        {.key = "voxels", .value = info->voxel_count},
        {.key = "vertices", .value = info->vertex_count},
        {.key = "joints", .value = info->joint_count},
        {.key = "fps", .value = fps, .decimals = 0},
        {.key = "paper_vertices", .value = PAPER_VERTICES},
        {.key = "paper_joints", .value = PAPER_JOINTS},
        {.key = "paper_fps", .value = rows[i].paper_fps, .decimals = 1},
        {.key = "ratio", .value = fps / rows[i].paper_fps, .decimals = 1},
    };
    tlw_bench_table_row(bench, "table2", cells, TLW_COUNT_OF(cells));
}

void tlw_bench_section_table2(tlw_bench* bench) {
    static tlw_bench_contender made[ROWS];
    const bool is_made = open_rows(bench, made);
    if (is_made) {
        tlw_bench_remark(bench, "the paper measured on an %s", TLW_PAPER_TABLE2_CPU);
        tlw_bench_measure_in_turns(bench, made, ROWS);
    }
    for (size_t i = 0; i < ROWS && is_made; ++i) {
        print_row(bench, i, &made[i]);
    }
    tlw_bench_close_contenders(made, ROWS);
}
