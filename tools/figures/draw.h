// SPDX-License-Identifier: MIT
// Draws shots of takes into cells of a sheet, all from one camera that fits them all.
#ifndef TLW_TOOLS_FIGURES_DRAW_H
#define TLW_TOOLS_FIGURES_DRAW_H

#include "tools/figures/take.h"
#include "tools/render/sheet.h"

typedef enum tlw_draw_look {
    TLW_DRAW_SKINNING, // the mesh as skinning alone has it
    TLW_DRAW_TISSUE, // the simulated mesh, coloured by its deviation, with the outline of skinning
    TLW_DRAW_UNEVEN, // the simulated mesh, coloured by how uneven its deviation is
    TLW_DRAW_VOXELS, // voxels coloured by their layers
    TLW_DRAW_BONE    // bone voxels alone, in the outline of skinning
} tlw_draw_look;

typedef struct tlw_draw_row {
    const tlw_take* take;
    tlw_draw_look look;
    const char* label; // above the row; null: none
    bool has_times;    // a caption below each cell, unless there are others
    // A text below each cell, one per column; null: none.
    const char* const* captions;
    // Where all rows of a call are seen from, in the world; null: from where all fit.
    const tlw_render_camera* camera;
    uint32_t layers; // VOXELS: a bit per layer that is shown; 0: all
    char cut;        // VOXELS: 'z' or 'x' takes away the half in front of the middle; 0: none
} tlw_draw_row;

extern const tlw_rgb tlw_draw_clay, tlw_draw_ghost;

// One camera for all shots of all rows, with a margin.
bool tlw_draw_camera(const tlw_draw_row* rows, uint32_t row_count, float yaw_degrees, float aspect,
                     tlw_render_camera* camera);
// Draws one shot. A deviation of `hot` metres has the hottest colour.
bool tlw_draw_shot(const tlw_draw_row* row, const tlw_take_shot* shot,
                   const tlw_render_camera* camera, float hot, tlw_picture* picture,
                   tlw_render_area area);
// Draws rows [first, first + row_count) of a sheet: shot i of each take into column i. `hot` is a
// share of L.
bool tlw_draw_rows(const tlw_draw_row* rows, uint32_t row_count, float yaw_degrees, float hot,
                   tlw_sheet* sheet, uint32_t first);
// The largest unevenness of any vertex in any shot, in metres; 0 if out of memory.
float tlw_draw_most_uneven(const tlw_take* take);

// Voxels as cubes. Adds those of one layer to a mesh, whose arrays the caller frees (voxels.c).
typedef struct tlw_draw_cubes {
    float* positions;
    uint32_t* indices;
    uint32_t vertex_count, index_count;
} tlw_draw_cubes;

bool tlw_draw_make_cubes(const tlw_take* take, const tlw_take_shot* shot, uint32_t layer, char cut,
                         tlw_draw_cubes* out);
void tlw_draw_free_cubes(tlw_draw_cubes* cubes);

#endif
