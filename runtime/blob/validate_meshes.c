// SPDX-License-Identifier: MIT
// The blob's validator: meshes, which vertices, groups and indices are theirs, and texture
// coordinates (MODEL 9.3). Freestanding; reads the blob, writes only the report.
#include "runtime/blob/validator.h"

#include <float.h>

// The first vertex, index and group that no mesh has yet: those of meshes lie one after another.
typedef struct mesh_ends {
    uint64_t vertex, index, group;
} mesh_ends;

static tlw_result check_mesh(const blob_view* view, uint64_t m, mesh_ends* ends) {
    const tlw_blob_section_kind kind = TLW_SECTION_MESHES;
    const tlw_blob_mesh* mesh = (const tlw_blob_mesh*)first_of(view, kind) + m;
    const uint32_t* indices = first_of(view, TLW_SECTION_INDICES);
    const tlw_result result = check_name(view, kind, m, mesh->name);
    if (result != TLW_OK) {
        return result;
    }
    const uint32_t flags[] = {mesh->has_normals, mesh->has_tangents, mesh->is_points};
    for (uint32_t i = 0; i < TLW_COUNT_OF(flags); ++i) {
        if (flags[i] > 1) {
            return fail_component(view, kind, m, i, "flags, 0 or 1", 1, flags[i]);
        }
    }
    const struct {
        const char* what;
        uint64_t first, count; // the mesh's
        uint64_t room;         // all meshes'
        uint64_t* next;
    } lists[] = {
        {"vertices one after another", mesh->first_vertex, mesh->vertex_count,
         view->lattice->vertex_count, &ends->vertex},
        {"indices one after another", mesh->first_index, mesh->index_count,
         count_of(view, TLW_SECTION_INDICES), &ends->index},
        {"groups one after another", mesh->first_group,
         ((uint64_t)mesh->vertex_count + LANES - 1) / LANES, view->lattice->group_count,
         &ends->group},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(lists); ++i) {
        const uint64_t next = *lists[i].next;
        if (lists[i].first != next) {
            return fail_component(view, kind, m, 0, lists[i].what, next, lists[i].first);
        }
        if (lists[i].count > lists[i].room - next) {
            return fail_component(view, kind, m, 1, lists[i].what, lists[i].room - next,
                                  lists[i].count);
        }
        *lists[i].next += lists[i].count;
    }
    if (mesh->index_count % 3 != 0) {
        return fail_at(view, kind, m, "indices, a multiple of 3",
                       mesh->index_count - mesh->index_count % 3, mesh->index_count);
    }
    const uint64_t end_vertex = ends->vertex, end_index = ends->index;
    for (uint64_t at = mesh->first_index; at < end_index; ++at) {
        if (indices[at] < mesh->first_vertex || indices[at] >= end_vertex) {
            return fail_at(view, TLW_SECTION_INDICES, at, "vertex of its mesh",
                           integer_bound(indices[at], mesh->first_vertex, last_index(end_vertex)),
                           indices[at]);
        }
    }
    return TLW_OK;
}

tlw_result tlw_blob_check_meshes(const blob_view* view) {
    const uint64_t index_count = count_of(view, TLW_SECTION_INDICES);
    mesh_ends ends = {0, 0, 0};
    for (uint64_t m = 0; m < count_of(view, TLW_SECTION_MESHES); ++m) {
        const tlw_result result = check_mesh(view, m, &ends);
        if (result != TLW_OK) {
            return result;
        }
    }
    if (ends.vertex != view->lattice->vertex_count) {
        return fail_at(view, TLW_SECTION_LATTICE, 0, "vertices of all meshes", ends.vertex,
                       view->lattice->vertex_count);
    }
    if (ends.group != view->lattice->group_count) {
        return fail_at(view, TLW_SECTION_LATTICE, 0, "groups of all meshes", ends.group,
                       view->lattice->group_count);
    }
    if (ends.index != index_count) { // the rest would belong to no mesh, and was not checked
        return fail_at(view, TLW_SECTION_INDICES, ends.index, "indices of all meshes", ends.index,
                       index_count);
    }
    const float* uvs = first_of(view, TLW_SECTION_UVS);
    const uint64_t uv_count = count_of(view, TLW_SECTION_UVS);
    if (uvs && uv_count != (uint64_t)view->lattice->vertex_count * 2) {
        return fail_at(view, TLW_SECTION_UVS, 0, "two per vertex",
                       (uint64_t)view->lattice->vertex_count * 2, uv_count);
    }
    for (uint64_t i = 0; i < uv_count; ++i) {
        if (!is_finite(uvs[i])) {
            return fail_at(view, TLW_SECTION_UVS, i, "finite number",
                           float_bound(uvs[i], -FLT_MAX, FLT_MAX), bits_of(uvs[i]));
        }
    }
    return TLW_OK;
}
