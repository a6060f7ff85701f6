// SPDX-License-Identifier: MIT
// The voxels of a character as a mesh of cubes, coloured by layer. Only faces that no neighbour
// hides are made. A cutting plane leaves out what lies beyond it, so that the layers inside show.
// Needs no GPU. Calls come from one thread at a time.
//
//     tlw_view_voxels* voxels = tlw_view_voxels_create(&def);
//     tlw_view_voxels_cut(voxels, 0, 0.5f);         // if the plane was moved
//     tlw_view_voxels_place(voxels, lattice, root); // in every frame
//     ... draw voxels->vertex_count, ->positions, ->normals, ->colours, ->indices
//     tlw_view_voxels_free(voxels);
#ifndef TLW_TOOLS_VIEW_VOXELS_H
#define TLW_TOOLS_VIEW_VOXELS_H

#include "platform/base.h"

#define TLW_VIEW_VOXELS_STAMPS (UINT64_C(1) << 32)

// The arrays are the caller's, and are read during tlw_view_voxels_create only.
typedef struct tlw_view_voxels_def {
    uint32_t voxel_count;
    const int16_t* cells;  // x, y, z of each voxel in the grid; two voxels never share a cell
    const uint8_t* layers; // of each voxel, below layer_count
    uint32_t layer_count;
    double origin[3]; // the least corner of cell 0, 0, 0 at rest, metres
    double voxel_metres;
} tlw_view_voxels_def;

// The mesh, as tlw_studio_mesh takes it. Every face has four vertices of its own.
typedef struct tlw_view_voxels {
    uint32_t vertex_count, index_count;
    float *positions, *normals; // 3 per vertex; normals of length 1, outwards
    uint8_t* colours;           // 4 per vertex, sRGB
    uint32_t* indices;          // 3 per triangle, counterclockwise from outside
    // Another number for each set of faces of any such mesh, above TLW_VIEW_VOXELS_STAMPS: indices
    // and colours are the same as long as this is.
    uint64_t stamp;
} tlw_view_voxels;

// The colour of a layer, in sRGB from 0 to 1. People who see two hues only tell neighbouring layers
// apart.
void tlw_view_voxels_colour(uint32_t layer, uint32_t layer_count, float rgb[3]);

// All voxels, at rest. Null if out of memory.
tlw_view_voxels* tlw_view_voxels_create(const tlw_view_voxels_def* def);
// Null: nothing happens.
void tlw_view_voxels_free(tlw_view_voxels* voxels);

// Leaves out voxels whose middle lies beyond a plane of the character at rest: across axis 0, 1 or
// 2, at a share of the way from the voxels' least side, 0, to their greatest, 1. Share 1 leaves
// nothing out. The same plane as before costs nothing. Call tlw_view_voxels_place afterwards.
void tlw_view_voxels_cut(tlw_view_voxels* voxels, int axis, float share);

// Puts the cubes where the voxels are. `lattice` has a matrix for each voxel, 3 rows of 4, from
// places at rest to places relative to `root`, all in metres (TLW_EMBED_FRAMES,
// tlw_output.lattice); null: at rest.
void tlw_view_voxels_place(tlw_view_voxels* voxels, const float* lattice, const float root[3]);

#endif
