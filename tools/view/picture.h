// SPDX-License-Identifier: MIT
// Makes meshes, colours and marks of what the app shows, and lets the studio draw them: side by
// side in panes of one picture.
#ifndef TLW_TOOLS_VIEW_PICTURE_H
#define TLW_TOOLS_VIEW_PICTURE_H

#include "tools/view/app.h"
#include "tools/view/studio.h"

#define TLW_VIEW_PANES_MAX 3u

// A part of the picture that shows a character: its tissue, or its skinning alone.
typedef struct tlw_view_pane {
    tlw_view_area area; // of the picture
    uint32_t side;
    bool is_skinning;
} tlw_view_pane;

// Shares an area out among what is shown. Returns how many panes there are.
uint32_t tlw_view_panes(const tlw_view_app* app, tlw_view_area whole,
                        tlw_view_pane panes[TLW_VIEW_PANES_MAX]);
// The ray through a pixel of the picture, and whose tissue it may meet. False: it is in no pane of
// tissue.
bool tlw_view_ray_at(const tlw_view_app* app, tlw_view_area whole, const float pixel[2],
                     uint32_t* side, tlw_view_ray* ray);

// What pictures are made in.
typedef struct tlw_view_picture tlw_view_picture;

// Null: out of memory.
tlw_view_picture* tlw_view_picture_create(void);
void tlw_view_picture_free(tlw_view_picture* picture);

// Draws into an area of the studio's picture; `scale` is the size of letters and lines, 1 for small
// pictures. With `is_for_window` it goes to the window's framebuffer.
void tlw_view_draw(tlw_view_app* app, tlw_view_picture* picture, tlw_studio* studio,
                   tlw_view_area whole, float scale, bool is_for_window);

#endif
