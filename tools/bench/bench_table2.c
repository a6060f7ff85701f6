// SPDX-License-Identifier: MIT
// tallow-bench table2: frames a second of the stout sample, cooked to about the particles and bound
// to about the vertices of the second paper's Table 1 (Chen et al. 2013, a lattice-based
// framework for skinning; a Core 2 Quad Q6600, time step 16 ms, regions two cells wide, which is
// our d_r of 3: particles sit on the cells' corners). One core, one substep and all that is drawn;
// their frames were also shown on a screen, ours are not.
#include "tools/bench/measure.h"

#include <math.h>
#include <stdio.h>

#define PAPER_VERTICES 28059.0
#define PAPER_JOINTS   38.0

static const struct {
    double paper_particles, paper_fps;
} rows[] = {{1072, 215.294}, {1906, 134.181}, {2451, 99.436}, {3058, 81.633}};
#define ROWS TLW_COUNT_OF(rows)

// Cooks until a number is as near as it gets in a few tries.
#define TRIES_MAX       5
#define FIRST_MESH      96u // cells, polygonised
#define VOXELS_A_LENGTH 2.6 // voxels grow by this power of 1/size: a body has a skin

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
        voxel_metres *= pow(voxels / target, 1.0 / VOXELS_A_LENGTH);
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
        tlw_scene_def def = tlw_bench_scene_def(&made[i].actor);
        def.has_positions = def.has_normals = true;
        made[i].scene = tlw_bench_open(bench, &def);
        made[i].best.count = 0;
        if (made[i].scene == NULL) {
            return false;
        }
    }
    return true;
}

static double print_frame(tlw_bench* bench, size_t i, tlw_bench_contender* row) {
    char name[64];
    snprintf(name, sizeof name, "particles_%.0f_frame_ms", rows[i].paper_particles);
    const tlw_bench_about about = tlw_bench_noise(row->best.others);
    return tlw_bench_row_about(bench, name, "ms", row->best.frame_ms, row->best.count, &about)
        .median;
}

static void print_row(tlw_bench* bench, size_t i, const tlw_bench_contender* row, double ms) {
    const tlw_blob_info* info = &row->actor.info;
    const double fps = 1000.0 / ms;
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
    double ms[ROWS];
    if (is_made) {
        tlw_bench_measure_in_turns(bench, made, ROWS);
    }
    for (size_t i = 0; i < ROWS && is_made; ++i) {
        ms[i] = print_frame(bench, i, &made[i]);
    }
    for (size_t i = 0; i < ROWS && is_made; ++i) {
        print_row(bench, i, &made[i], ms[i]);
    }
    tlw_bench_close_contenders(made, ROWS);
}
