// SPDX-License-Identifier: MIT
// Cells of figures.
#include "tools/figures/draw.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN          1.08f
#define SMOOTHING_ROUND 6 // of the field that unevenness is measured against

const tlw_rgb tlw_draw_clay = {0.80f, 0.74f, 0.68f}, tlw_draw_ghost = {0.74f, 0.84f, 1.00f};

bool tlw_draw_camera(const tlw_draw_row* rows, uint32_t row_count, float yaw_degrees, float aspect,
                     tlw_render_camera* camera) {
    *camera = tlw_default_render_camera();
    camera->yaw_degrees = yaw_degrees;
    size_t count = 0;
    for (uint32_t r = 0; r < row_count; ++r) {
        count += (size_t)rows[r].take->shot_count * rows[r].take->actor->info.vertex_count * 2;
    }
    float* points = malloc((count + 1) * 3 * sizeof *points);
    if (points == NULL) {
        return false;
    }
    float* out = points;
    camera->ground = FLT_MAX;
    for (uint32_t r = 0; r < row_count; ++r) {
        const tlw_take* take = rows[r].take;
        for (uint32_t i = 0; i < take->shot_count; ++i) {
            const tlw_take_shot* shot = &take->shots[i];
            for (size_t v = 0; v < take->actor->info.vertex_count; ++v, out += 6) {
                for (size_t axis = 0; axis < 3; ++axis) {
                    out[axis] = shot->positions[v * 3 + axis] - shot->centre[axis];
                    out[3 + axis] = shot->skinned[v * 3 + axis] - shot->centre[axis];
                }
                camera->ground = fminf(camera->ground, shot->skinned[v * 3 + 1]);
            }
        }
    }
    tlw_render_fit(camera, points, (uint32_t)count, aspect);
    camera->height *= MARGIN;
    camera->has_ground = true;
    free(points);
    return true;
}

// ---- Unevenness: what is left of the deviation when its smooth part is taken away

// The mean over a vertex and its neighbours, a few times. `next` has room for 4 per vertex.
static void smooth(const uint32_t* indices, uint64_t index_count, uint32_t count, float* field,
                   float* next) {
    for (int round = 0; round < SMOOTHING_ROUND; ++round) {
        for (size_t v = 0; v < count; ++v) {
            memcpy(next + v * 4, field + v * 3, 3 * sizeof(float));
            next[v * 4 + 3] = 1.0f;
        }
        for (uint64_t t = 0; t + 2 < index_count; t += 3) {
            for (int k = 0; k < 3; ++k) {
                const size_t to = indices[t + (uint64_t)k];
                const size_t from = indices[t + (uint64_t)(k + 1) % 3];
                for (size_t axis = 0; axis < 3; ++axis) {
                    next[to * 4 + axis] += field[from * 3 + axis];
                    next[from * 4 + axis] += field[to * 3 + axis];
                }
                next[to * 4 + 3] += 1.0f;
                next[from * 4 + 3] += 1.0f;
            }
        }
        for (size_t v = 0; v < count; ++v) {
            for (size_t axis = 0; axis < 3; ++axis) {
                field[v * 3 + axis] = next[v * 4 + axis] / next[v * 4 + 3];
            }
        }
    }
}

static bool find_uneven(const tlw_take* take, const tlw_take_shot* shot, float* out) {
    const uint32_t count = take->actor->info.vertex_count;
    uint64_t index_count;
    const uint32_t* indices = tlw_actor_indices(take->actor, &index_count);
    float* field = malloc(((size_t)count * 3 + 1) * sizeof *field);
    float* next = malloc(((size_t)count * 4 + 1) * sizeof *next);
    const bool has_memory = field && next;
    if (has_memory) {
        for (size_t i = 0; i < (size_t)count * 3; ++i) {
            field[i] = shot->positions[i] - shot->skinned[i];
        }
        smooth(indices, index_count, count, field, next);
        for (size_t v = 0; v < count; ++v) {
            float squared = 0.0f;
            for (size_t axis = 0; axis < 3; ++axis) {
                const size_t at = v * 3 + axis;
                const float left = shot->positions[at] - shot->skinned[at] - field[at];
                squared += left * left;
            }
            out[v] = sqrtf(squared);
        }
    }
    free(field);
    free(next);
    return has_memory;
}

float tlw_draw_most_uneven(const tlw_take* take) {
    const uint32_t count = take->actor->info.vertex_count;
    float* uneven = malloc(((size_t)count + 1) * sizeof *uneven);
    float most = 0.0f;
    for (uint32_t i = 0; i < take->shot_count && uneven; ++i) {
        if (find_uneven(take, &take->shots[i], uneven)) {
            for (uint32_t v = 0; v < count; ++v) {
                most = fmaxf(most, uneven[v]);
            }
        }
    }
    free(uneven);
    return most;
}

// ---- Shots

static bool draw_voxels(const tlw_draw_row* row, const tlw_take_shot* shot,
                        const tlw_render_camera* camera, tlw_picture* picture,
                        tlw_render_area area) {
    enum { LAYERS_MAX = 8 };
    const uint32_t layers = row->take->actor->info.layer_count;
    const uint32_t shown = row->look == TLW_DRAW_BONE ? 1u : row->layers ? row->layers : ~0u;
    tlw_draw_cubes cubes[LAYERS_MAX] = {{0}};
    tlw_render_mesh meshes[LAYERS_MAX];
    bool is_good = true;
    uint32_t mesh_count = 0;
    for (uint32_t layer = 0; layer < layers && layer < LAYERS_MAX && is_good; ++layer) {
        if ((shown >> layer & 1u) == 0) {
            continue;
        }
        tlw_draw_cubes* c = &cubes[mesh_count];
        is_good = tlw_draw_make_cubes(row->take, shot, layer, row->cut, c);
        meshes[mesh_count++] = (tlw_render_mesh){.vertex_count = c->vertex_count,
                                                 .index_count = c->index_count,
                                                 .positions = c->positions,
                                                 .indices = c->indices,
                                                 .colour = tlw_layer_colour(layer, layers)};
    }
    is_good = is_good && tlw_render_draw_all(picture, area, camera, meshes, mesh_count);
    for (uint32_t i = 0; i < LAYERS_MAX; ++i) {
        tlw_draw_free_cubes(&cubes[i]);
    }
    return is_good;
}

// The runtime writes normals of the simulated mesh only; those of skinning are computed.
static bool skinned_normals(const tlw_take* take, const tlw_take_shot* shot, float* normals) {
    const uint32_t count = take->actor->info.vertex_count;
    const tlw_vertex* vertices = tlw_actor_vertices(take->actor);
    uint64_t index_count;
    const uint32_t* indices = tlw_actor_indices(take->actor, &index_count);
    float* rest = malloc(((size_t)count * 3 + 1) * sizeof *rest);
    float* rest_normals = malloc(((size_t)count * 3 + 1) * sizeof *rest_normals);
    bool is_good = rest && rest_normals;
    for (size_t v = 0; v < count && is_good; ++v) {
        memcpy(rest + v * 3, vertices[v].position, 3 * sizeof(float));
        memcpy(rest_normals + v * 3, vertices[v].normal, 3 * sizeof(float));
    }
    is_good = is_good && tlw_render_normals(rest, rest_normals, shot->skinned, count, indices,
                                            (uint32_t)index_count, normals);
    free(rest);
    free(rest_normals);
    return is_good;
}

static bool draw_mesh(const tlw_draw_row* row, const tlw_take_shot* shot,
                      const tlw_render_camera* camera, float hot, tlw_picture* picture,
                      tlw_render_area area, float* work) {
    const tlw_take* take = row->take;
    const uint32_t count = take->actor->info.vertex_count;
    uint64_t index_count;
    tlw_render_mesh skinned = {.vertex_count = count,
                               .positions = shot->skinned,
                               .indices = tlw_actor_indices(take->actor, &index_count),
                               .colour = tlw_draw_clay};
    skinned.index_count = (uint32_t)index_count;
    if (row->look == TLW_DRAW_SKINNING) {
        skinned.normals = work;
        return skinned_normals(take, shot, work) &&
               tlw_solids_draw(&shot->solids, &skinned, camera, picture, area);
    }
    if (row->look == TLW_DRAW_BONE) {
        return draw_voxels(row, shot, camera, picture, area) &&
               tlw_render_outline(picture, area, camera, &skinned, tlw_draw_ghost, 1.0f);
    }
    bool is_good = true;
    if (row->look == TLW_DRAW_UNEVEN) {
        is_good = find_uneven(take, shot, work);
    } else {
        memcpy(work, shot->deviation, count * sizeof *work);
    }
    for (uint32_t v = 0; v < count; ++v) {
        work[v] = hot > 0.0f ? work[v] / hot : 0.0f;
    }
    tlw_render_mesh soft = skinned;
    soft.positions = shot->positions;
    soft.normals = shot->normals;
    soft.heat = work;
    return is_good && tlw_solids_draw(&shot->solids, &soft, camera, picture, area) &&
           (row->look == TLW_DRAW_UNEVEN ||
            tlw_render_outline(picture, area, camera, &skinned, tlw_draw_ghost, 1.0f));
}

bool tlw_draw_shot(const tlw_draw_row* row, const tlw_take_shot* shot,
                   const tlw_render_camera* camera, float hot, tlw_picture* picture,
                   tlw_render_area area) {
    tlw_render_camera moved = *camera;
    for (int axis = 0; axis < 3 && row->camera == NULL; ++axis) {
        moved.target[axis] += shot->centre[axis];
    }
    if (row->look == TLW_DRAW_VOXELS) {
        return draw_voxels(row, shot, &moved, picture, area);
    }
    float* work = malloc(((size_t)row->take->actor->info.vertex_count * 3 + 1) * sizeof *work);
    const bool is_good = work && draw_mesh(row, shot, &moved, hot, picture, area, work);
    free(work);
    return is_good;
}

bool tlw_draw_rows(const tlw_draw_row* rows, uint32_t row_count, float yaw_degrees, float hot,
                   tlw_sheet* sheet, uint32_t first) {
    tlw_render_camera camera;
    const float aspect = (float)sheet->def.cell_width / (float)sheet->def.cell_height;
    bool is_good = true;
    if (row_count > 0 && rows[0].camera) {
        camera = *rows[0].camera;
    } else {
        is_good = tlw_draw_camera(rows, row_count, yaw_degrees, aspect, &camera);
    }
    for (uint32_t r = 0; r < row_count && is_good; ++r) {
        const tlw_take* take = rows[r].take;
        if (rows[r].label) {
            tlw_sheet_row_label(sheet, first + r, rows[r].label);
        }
        for (uint32_t i = 0; i < take->shot_count && i < sheet->def.columns && is_good; ++i) {
            const tlw_take_shot* shot = &take->shots[i];
            is_good = tlw_draw_shot(&rows[r], shot, &camera, hot * (float)take->extent_metres,
                                    &sheet->picture, tlw_sheet_cell(sheet, i, first + r));
            if (rows[r].captions) {
                tlw_sheet_caption(sheet, i, first + r, rows[r].captions[i]);
            } else if (rows[r].has_times) {
                char caption[32];
                snprintf(caption, sizeof caption, "%.2f s", shot->seconds);
                tlw_sheet_caption(sheet, i, first + r, caption);
            }
        }
    }
    return is_good;
}
