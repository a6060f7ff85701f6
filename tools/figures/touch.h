// SPDX-License-Identifier: MIT
// What the figures of contact and forces share: places of a body, cameras near them, and the
// deepest vertex and voxel inside a solid.
#ifndef TLW_TOOLS_FIGURES_TOUCH_H
#define TLW_TOOLS_FIGURES_TOUCH_H

#include "tools/figures/figures.h"

extern const tlw_rgb tlw_touch_steel, tlw_touch_string;

// The edge of a voxel, in metres, and the share of L that a length in metres is.
double tlw_touch_voxel(const tlw_actor* actor);
double tlw_touch_share(const tlw_actor* actor, double metres);

// The vertex that is farthest to the front at rest: on a belly, where a character has one.
void tlw_touch_front(const tlw_actor* actor, double out[3]);

// A camera that looks at a place of the world; the picture's height is a share of L.
tlw_render_camera tlw_touch_camera(const tlw_actor* actor, const double target[3], double height,
                                   float yaw, float pitch);

// How deep the deepest vertex of a shot is inside its first solid, in metres; below 0: the nearest
// is that far outside.
double tlw_touch_deepest(const tlw_take* take, uint32_t shot);

// Where a voxel is along a direction, less where skinning has it, in metres.
double tlw_touch_deviation(const tlw_motion* motion, uint32_t voxel, const double along[3]);

#endif
