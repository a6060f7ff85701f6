// SPDX-License-Identifier: MIT
// What the studio keeps, and the passes of one view in each quality. Only the studio includes this.
#ifndef TLW_TOOLS_VIEW_PASSES_H
#define TLW_TOOLS_VIEW_PASSES_H

#include "tools/view/shade.h"
#include "tools/view/slots.h"
#include "tools/view/studio.h"

#define TLW_KEY_MAP_SIDE      1024
#define TLW_SKY_MAP_SIDE      256
#define TLW_KEY_MAP_SIDE_FAST 256
#define TLW_GROUND_REACH      1.5f // in sizes of the character
#define TLW_SHADOW_REACH      0.75f

// name, shaders of that name
// The formatter folds these lines anew each time.
// clang-format off
#define TLW_STUDIO_PROGRAMS(X) \
    X(depth) \
    X(backdrop) \
    X(ground) \
    X(body) \
    X(glass) \
    X(ghost) \
    X(overlay) \
    X(fast_backdrop) \
    X(fast_ground) \
    X(fast_body) \
    X(fast_glass) \
    X(fast_ghost) \
    X(fast_overlay)
// clang-format on

struct tlw_studio {
    struct {
#define TLW_PROGRAM_FIELD(name) GLuint name;
        TLW_STUDIO_PROGRAMS(TLW_PROGRAM_FIELD)
#undef TLW_PROGRAM_FIELD
    } programs;
    tlw_gl_shadow key, sky, fast_key;
    GLuint shade_texture; // grey, of the ground
    tlw_shade shade;
    GLuint letters_texture; // grey: coverage of letters, and full texels for what has none
    uint64_t letters_stamp; // of those that it has
    tlw_gl_target target;
    tlw_slots slots[TLW_STUDIO_VIEWS_MAX];
    GLuint overlay_array, overlay;
    GLuint empty_array; // for what shaders make of vertex numbers alone
    tlw_studio_quality quality;
};

typedef struct tlw_studio_lights {
    float key[3], fill[3], rim[3];  // towards them
    float key_map[16], sky_map[16]; // from the world to 0 to 1 in the map
} tlw_studio_lights;

// What the passes of a view share.
typedef struct tlw_pass_view {
    const tlw_studio_view* def;
    const tlw_slots* slots;
    GLuint framebuffer; // that the view is drawn into
    GLint bottom;       // its first row there, counted from the bottom
    bool is_first;      // of the picture
    float camera[16];
    float eye[3];
    tlw_studio_lights lights;
} tlw_pass_view;

// ---- Parts of both qualities (passes.c)

tlw_pass_view tlw_pass_begin(const tlw_studio* s, const tlw_studio_view* def,
                             const tlw_slots* slots, GLuint framebuffer);
// Clears a whole framebuffer to a dark colour.
void tlw_pass_clear(GLuint framebuffer);
// Binds the framebuffer, and lets nothing be drawn outside of the view. The first view clears all:
// what no view covers is dark, because a window has its panels there, which are translucent. A
// driver that draws on the CPU clears whole framebuffers at once, and rectangles pixel by pixel.
void tlw_pass_begin_picture(const tlw_studio* s, const tlw_pass_view* v);
// Draws depth as a light sees it. Returns in `to_map` the way from the world to 0 to 1 in the map.
void tlw_pass_draw_shadow(const tlw_studio* s, const tlw_pass_view* v, const tlw_gl_shadow* shadow,
                          const float towards[3], float to_map[16]);
// Draws the meshes of one look with the program in use, of closed ones only what faces the viewer.
void tlw_pass_draw_meshes(const tlw_pass_view* v, tlw_studio_look look);
// Draws only depth, with the same positions as the program that follows.
void tlw_pass_draw_depth(const tlw_studio* s, const tlw_pass_view* v, tlw_studio_look look);
// Sets the camera, the eye and the directions of the lights.
void tlw_pass_set_lights(GLuint program, const tlw_pass_view* v);
// In front of bodies and ground. The far side of each mesh is drawn before its near side.
void tlw_pass_draw_glass(GLuint program, const tlw_pass_view* v);
// Over everything, but only the nearest surface: its depth is drawn first.
void tlw_pass_draw_ghosts(const tlw_studio* s, GLuint program, const tlw_pass_view* v);
void tlw_pass_draw_overlay(const tlw_studio* s, GLuint program, const tlw_pass_view* v);

// ---- A view, whole

void tlw_pass_draw_full(tlw_studio* s, tlw_pass_view* v);
void tlw_pass_draw_fast(tlw_studio* s, tlw_pass_view* v);

#endif
