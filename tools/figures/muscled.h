// SPDX-License-Identifier: MIT
// What the figures of muscles share: study bodies, and cells with action lines, sections and
// ellipsoids in them.
#ifndef TLW_TOOLS_FIGURES_MUSCLED_H
#define TLW_TOOLS_FIGURES_MUSCLED_H

#include "tools/figures/embedding.h"
#include "tools/motion/arm.h"
#include "tools/motion/muscles.h"

// Cooks a study body. False after a failure, which is in figures->error. Free it in either case.
bool tlw_muscled_open(tlw_figures* figures, const char* name, const tlw_cook_input* input,
                      const tlw_cook_recipe* recipe, tlw_embedded* out);
// The study arm with the muscles that are asked for, all of that bulge. `only` is the one of
// TLW_ARM_BOTH that is kept: 0 the biceps, 1 the triceps, 2 both.
bool tlw_muscled_open_arm(tlw_figures* figures, tlw_arm_muscles muscles, uint32_t only, float bulge,
                          tlw_embedded* out);
// At rest with these joints bent, and drawn.
bool tlw_muscled_look(tlw_figures* figures, tlw_embedded* body, const tlw_bent_joint* joints,
                      uint32_t count);

// Draws the line over what is in the cell: thick where a vertex is.
void tlw_muscled_draw_line(const tlw_muscle_sections* sections, const tlw_render_camera* camera,
                           tlw_rgb colour, tlw_picture* picture, tlw_render_area area);

// Meshes that the caller frees with tlw_muscled_free_solid; false if out of memory.
typedef struct tlw_muscled_solid {
    tlw_render_mesh mesh;
    float *positions, *normals;
    uint32_t* indices;
} tlw_muscled_solid;

// The muscle as its sections have it: a tube around its line.
bool tlw_muscled_tube(const tlw_muscle_sections* sections, tlw_rgb colour, tlw_muscled_solid* out);
// An ellipsoid, its axes along the model's.
bool tlw_muscled_ellipsoid(const double centre[3], const double radii[3], tlw_rgb colour,
                           tlw_muscled_solid* out);
void tlw_muscled_free_solid(tlw_muscled_solid* solid);

// The body's mesh without its own colours.
tlw_render_mesh tlw_muscled_mesh(const tlw_embedded* body);

#endif
