// SPDX-License-Identifier: MIT
// The shaders of tallow-view, in GLSL 3.30. Colours are linear; the picture they are drawn into
// encodes them as sRGB.
#ifndef TLW_TOOLS_VIEW_SHADERS_H
#define TLW_TOOLS_VIEW_SHADERS_H

// Depth as a light sees it.
extern const char *const tlw_shader_depth_vertex, *const tlw_shader_depth_fragment;
// The gradient behind everything: one triangle that covers the picture.
extern const char *const tlw_shader_backdrop_vertex, *const tlw_shader_backdrop_fragment;
// The ground around the character, which takes shadows.
extern const char *const tlw_shader_ground_vertex, *const tlw_shader_ground_fragment;
// Bodies.
extern const char *const tlw_shader_body_vertex, *const tlw_shader_body_fragment;
// Glass: lit, more opaque at its edges.
extern const char *const tlw_shader_glass_vertex, *const tlw_shader_glass_fragment;
// A ghost: a shell that one sees at its edges.
extern const char *const tlw_shader_ghost_vertex, *const tlw_shader_ghost_fragment;
// Lines, letters and the legend, in pixels.
extern const char *const tlw_shader_overlay_vertex, *const tlw_shader_overlay_fragment;

// The same for drivers that draw on the CPU: vertices are lit, and colours are encoded as sRGB.
extern const char *const tlw_shader_fast_backdrop_vertex, *const tlw_shader_fast_backdrop_fragment;
extern const char *const tlw_shader_fast_ground_vertex, *const tlw_shader_fast_ground_fragment;
extern const char *const tlw_shader_fast_body_vertex, *const tlw_shader_fast_body_fragment;
extern const char *const tlw_shader_fast_glass_vertex, *const tlw_shader_fast_glass_fragment;
extern const char *const tlw_shader_fast_ghost_vertex, *const tlw_shader_fast_ghost_fragment;
extern const char *const tlw_shader_fast_overlay_vertex, *const tlw_shader_fast_overlay_fragment;

#endif
