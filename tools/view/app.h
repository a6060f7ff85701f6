// SPDX-License-Identifier: MIT
// A character in motion and what is shown of it: loads, steps, and draws by a studio. The window
// and the windowless run are two ways to call it.
#ifndef TLW_TOOLS_VIEW_APP_H
#define TLW_TOOLS_VIEW_APP_H

#include "tools/scene/lines.h"
#include "tools/scene/scene.h"
#include "tools/view/options.h"
#include "tools/view/studio.h"

typedef struct tlw_view_app {
    const tlw_view_options* options;
    tlw_actor actor;
    tlw_scene* scene;
    tlw_view_camera camera;
    tlw_view_shown shown;
    float ground, size;   // height of the ground, and the character's extent at the start, metres
    float centre[2];      // x and z that the camera follows
    float *skinned, *own; // 3 per vertex: positions by skinning; normals of a blob that has none
    float* deviation;     // one per vertex, metres
    uint8_t* colours;     // 4 per vertex
    float *rest, *rest_normals;
    float farthest; // deviation of any vertex since the start
    float hot;      // deviation that has the hottest colour
    tlw_lines lines;
    tlw_overlay overlay;
    // The tissue that the mouse pulls.
    bool is_pulling;
    tlw_drag drag;
} tlw_view_app;

// Reads or cooks the character and starts its clip. Says what went wrong. Close the app also after
// a failure.
tlw_exit_code tlw_view_open(tlw_view_app* app, const tlw_view_options* options);
void tlw_view_close(tlw_view_app* app);

// The character that the options name (load.c). Free the actor also after a failure.
tlw_exit_code tlw_view_load(const tlw_view_options* options, tlw_actor* actor);

// Begins the clip again, at rest.
void tlw_view_start(tlw_view_app* app);
void tlw_view_advance(tlw_view_app* app, double seconds);
// Another clip, `by` places on in the list, from its beginning. Nothing without clips.
void tlw_view_change_clip(tlw_view_app* app, int by);

// Takes hold of the tissue under a pixel. False if there is none.
bool tlw_view_grab(tlw_view_app* app, tlw_view_size size, const float pixel[2]);
// Moves what was taken hold of, in the plane of the picture.
void tlw_view_pull(tlw_view_app* app, tlw_view_size size, const float pixel[2]);
void tlw_view_let_go(tlw_view_app* app);

void tlw_view_draw(tlw_view_app* app, tlw_studio* studio, tlw_view_size size);

// The two ways to run. Each says what went wrong.
tlw_exit_code tlw_view_run_window(tlw_view_app* app);
tlw_exit_code tlw_view_run_windowless(tlw_view_app* app);

#endif
