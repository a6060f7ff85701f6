// SPDX-License-Identifier: MIT
// Action lines of a character's muscles as things to draw. A line is white where its muscle is as
// long as at rest, red where it is short and thick, blue where it is stretched; its dots are the
// vertices.
#ifndef TLW_TOOLS_SCENE_LINES_H
#define TLW_TOOLS_SCENE_LINES_H

#include "tools/render/render.h"
#include "tools/scene/scene.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_line {
    uint32_t vertex_count;
    float elongation; // length of its belly over that at rest
    float places[TLW_BLOB_LINE_VERTICES][3];
} tlw_line;

typedef struct tlw_lines {
    uint32_t count;
    tlw_line* list;
} tlw_lines;

// Copies the lines of character 0 as the last substep left them, in the world. False if out of
// memory; then, and without muscles, there are none.
bool tlw_lines_copy(tlw_lines* lines, const tlw_scene* scene);
void tlw_lines_free(tlw_lines* lines);

tlw_rgb tlw_line_colour(const tlw_line* line);
// The same for any muscle.
tlw_rgb tlw_elongation_colour(float elongation);
// Over everything that is in the area.
void tlw_lines_draw(const tlw_lines* lines, const tlw_render_camera* camera, tlw_picture* picture,
                    tlw_render_area area);

TLW_EXTERN_C_END

#endif
