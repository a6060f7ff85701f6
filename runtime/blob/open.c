// SPDX-License-Identifier: MIT
// Opens a blob: validation, then a cookie that marks it as open; and the figures that creating
// worlds and characters needs of it (MODEL 9). What else it holds is in describe.c and
// vertices.c.
#include "runtime/blob/open.h"

#include "runtime/blob/arrays.h"
#include "runtime/step/scratch.h"
#include "runtime/world/character.h"

#include <string.h>

#define OPEN_COOKIE 0x5455535349540001u

tlw_result tlw_blob_open(const void* bytes, size_t size, tlw_blob_trust trust, tlw_blob* out,
                         tlw_blob_report* report) {
    TLW_ASSERT(out != NULL);
    *out = (tlw_blob){0};
    const tlw_result result = tlw_blob_validate(bytes, size, trust, report);
    if (result == TLW_OK) {
        *out = (tlw_blob){bytes, size, OPEN_COOKIE};
    }
    return result;
}

bool tlw_blob_is_open(const tlw_blob* blob) {
    return blob->cookie == OPEN_COOKIE && blob->bytes != NULL;
}

tlw_result tlw_blob_get_info(const tlw_blob* blob, tlw_blob_info* out) {
    TLW_ASSERT(blob != NULL && out != NULL);
    if (!tlw_blob_is_open(blob)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    tlw_blob_arrays arrays;
    tlw_blob_arrays_open(blob->bytes, &arrays);
    const tlw_blob_lattice* l = arrays.lattice;
    *out = (tlw_blob_info){
        .voxel_count = l->voxel_count,
        .vertex_count = l->vertex_count,
        .joint_count = l->joint_count,
        .layer_count = l->layer_count,
        .part_count = l->part_count,
        .mesh_count = (uint32_t)arrays.mesh_count,
        .profile_count = l->profile_count,
        .skinning = (tlw_skinning)l->skinning,
        .region_width = l->region_width,
        .neighbours = l->neighbours,
        .has_artist_weights = l->has_artist_weights != 0,
        .has_ring_normals = arrays.ring_neighbour != NULL,
        .has_rbf = arrays.rbf != NULL,
        .limb_count = arrays.lattice->limb_count,
        .rest_gravity = {arrays.lattice->rest_gravity[0], arrays.lattice->rest_gravity[1],
                         arrays.lattice->rest_gravity[2]},
        .has_bends = arrays.bends != NULL,
        .muscle_count = l->muscle_count,
        .has_lame = l->lame_windows > 0,
        .voxel_metres = l->voxel_metres,
        .extent_voxels = l->extent_voxels,
        .origin = {l->origin[0], l->origin[1], l->origin[2]},
        .scratch_bytes = tlw_scratch_bytes(&arrays),
        .cost = l->cost,
    };
    return TLW_OK;
}
