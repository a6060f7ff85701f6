// SPDX-License-Identifier: MIT
// Stage sources (RULES 10.1): all vertices to bind as one list, meshes that are not ignored first,
// then point sets. Reads the input; writes cook->sources.
#include "tools/cook/stages.h"

#define VERTEX_JOINTS 8

static tlw_cook_mesh mesh_of_points(const tlw_cook_points* points) {
    return (tlw_cook_mesh){.name = points->name,
                           .role = TLW_ROLE_RIDE,
                           .vertex_count = points->count,
                           .positions = points->positions,
                           .normals = points->normals,
                           .influence_count = points->influence_count,
                           .joints = points->joints,
                           .weights = points->weights};
}

tlw_result tlw_cook_list_sources(tlw_cook* cook) {
    const tlw_cook_input* input = cook->input;
    tlw_cook_sources* sources = &cook->sources;
    const uint32_t all = input->mesh_count + input->points_count;
    sources->list = tlw_cook_allocate(cook, all, sizeof *sources->list);
    uint64_t vertices = 0, indices = 0;
    for (uint32_t i = 0; sources->list != NULL && i < all; ++i) {
        const bool is_points = i >= input->mesh_count;
        const tlw_cook_mesh mesh =
            is_points ? mesh_of_points(&input->points[i - input->mesh_count]) : input->meshes[i];
        if (mesh.role == TLW_ROLE_IGNORE) {
            continue;
        }
        sources->list[sources->count++] = (tlw_cook_source){.mesh = mesh,
                                                            .first_vertex = (uint32_t)vertices,
                                                            .first_index = (uint32_t)indices,
                                                            .is_points = is_points};
        sources->has_uvs = sources->has_uvs || mesh.uvs != NULL;
        vertices += mesh.vertex_count;
        indices += (uint64_t)mesh.triangle_count * 3;
    }
    if (vertices >= UINT32_MAX / 4 || indices >= UINT32_MAX / 4) {
        return tlw_cook_fail(cook, TLW_ERROR_TOO_LARGE, "%llu vertices to bind",
                             (unsigned long long)vertices);
    }
    sources->vertex_count = (uint32_t)vertices;
    sources->index_count = (uint32_t)indices;
    return cook->error.result;
}

// Largest first; the first of two equal weights goes first.
tlw_cook_followed tlw_cook_skinning(const tlw_cook* cook, const tlw_cook_source* source,
                                    uint32_t vertex) {
    const tlw_cook_mesh* mesh = &source->mesh;
    uint32_t joints[VERTEX_JOINTS] = {0};
    double kept[VERTEX_JOINTS] = {0}, sum = 0.0;
    for (uint32_t k = 0; k < mesh->influence_count; ++k) {
        const size_t at = (size_t)vertex * mesh->influence_count + k;
        const double weight = (double)mesh->weights[at];
        if (!(weight > kept[VERTEX_JOINTS - 1]) || cook->is_excluded[mesh->joints[at]]) {
            continue;
        }
        int place = VERTEX_JOINTS - 1;
        while (place > 0 && weight > kept[place - 1]) {
            kept[place] = kept[place - 1];
            joints[place] = joints[place - 1];
            place -= 1;
        }
        kept[place] = weight;
        joints[place] = mesh->joints[at];
    }
    for (int i = 0; i < VERTEX_JOINTS; ++i) {
        sum += kept[i];
    }
    if (!(sum > 0.0)) {
        return (tlw_cook_followed){.count = 0};
    }
    for (int i = 0; i < VERTEX_JOINTS; ++i) {
        kept[i] /= sum;
    }
    return tlw_cook_round_weights(joints, kept, VERTEX_JOINTS);
}
