// SPDX-License-Identifier: MIT
// What tallow-view shows and how it goes on: one or two characters in step, their values, the
// camera and what touches them. The window and the run without one are two ways to call it; panels
// change its fields.
#ifndef TLW_TOOLS_VIEW_APP_H
#define TLW_TOOLS_VIEW_APP_H

#include "tools/view/hands.h"
#include "tools/view/load.h"
#include "tools/view/play.h"
#include "tools/view/stop.h"

#define TLW_VIEW_FRAMES_KEPT 240u // of graphs

// A character that is shown, and what is known of it.
typedef struct tlw_view_side {
    tlw_view_source source;
    tlw_view_loader* loader;   // null: it is a copy of the other side
    tlw_view_load_news news;   // while it is loading, and how the last loading went
    bool is_loading, is_asked; // to load again as soon as nothing else is being loaded
    bool has_character;
    tlw_view_character character;
    tlw_view_way way;
    tlw_view_values values; // as sliders have them
    tlw_view_values cooked; // as the blob and the recipe have them, also after saving
    tlw_settings plain;     // without a recipe's `view`
    tlw_view_history history;
    char save_path[TLW_PATH_MAX];   // where the recipe is saved
    char recipe_path[TLW_PATH_MAX]; // of the source, once it was saved as another file
    bool is_replacing;              // another file is there, and is replaced if asked once more
    char message[TLW_VIEW_MESSAGE_BYTES]; // what went wrong last; empty: nothing
} tlw_view_side;

// The last frames, as rings: element `next` comes next.
typedef struct tlw_view_frames {
    uint32_t count, next;
    float frame_ms[TLW_VIEW_FRAMES_KEPT]; // from one picture to the next
    float step_ms[TLW_VIEW_FRAMES_KEPT];  // of all worlds
    float pass_ms[TLW_PASS_COUNT][TLW_VIEW_FRAMES_KEPT];
} tlw_view_frames;

// A voxel that was picked, and a ring buffer of its deviation in the last sixtieths of a second.
typedef struct tlw_view_probe {
    bool is_there;
    uint32_t side, voxel;
    uint32_t count, next;
    double owed_seconds;                      // since the last sample
    float last[3];                            // deviation after the last step, mm
    float deviation_mm[TLW_VIEW_FRAMES_KEPT]; // along the direction of its last large deviation
    float vectors[TLW_VIEW_FRAMES_KEPT][3];
    double hertz, half_life_seconds; // 0: it does not ring
} tlw_view_probe;

typedef struct tlw_view_app {
    const tlw_view_options* options;
    tlw_view_side sides[TLW_VIEW_CHARACTERS];
    uint32_t side_count, chosen; // whose values the panels show
    tlw_view_play play;
    char clip[256]; // name of the one that plays; empty: none, or the first
    tlw_view_camera camera;
    bool has_framed; // the camera stands where the character fits
    float centre[2]; // x and z that the camera follows
    float ground, size;
    float hot; // deviation that has the darkest colour, metres
    tlw_view_shown shown;
    uint32_t cut_axis; // of voxels: 0 to 2
    float cut_share;   // of the extent that is kept; 1: all
    tlw_view_hands hands;
    tlw_view_probe probe;
    tlw_view_frames frames;
    tlw_view_stop* stop;
    uint32_t worker_count;
    struct enkiTaskScheduler* scheduler;
    struct tlw_jobs_tasks* tasks;
    tlw_task_system task_system;
    uint64_t watched_ns;     // when files were looked at last
    uint64_t reloads;        // characters that took the place of an earlier one
    uint64_t steps;          // since the beginning
    tlw_exit_code load_code; // of the last loading of the first character
    double budget_ms;
} tlw_view_app;

// The options outlive the app. Says what went wrong. Close the app also after a failure.
tlw_exit_code tlw_view_open(tlw_view_app* app, const tlw_view_options* options);
void tlw_view_close(tlw_view_app* app);

// Loads all characters and waits. Says what went wrong.
tlw_exit_code tlw_view_load_all(tlw_view_app* app);
// Takes what was loaded meanwhile, and begins to load what has changed. `now` is the clock's.
void tlw_view_look(tlw_view_app* app, uint64_t now_ns);
// Reads all files again.
void tlw_view_reload(tlw_view_app* app);
bool tlw_view_is_loading(const tlw_view_app* app);
bool tlw_view_has_character(const tlw_view_app* app);

// Begins the clip again, at rest.
void tlw_view_restart(tlw_view_app* app);
// One step of the motion.
void tlw_view_step(tlw_view_app* app, double dt);
// All steps that are due after so many seconds in the room.
void tlw_view_advance(tlw_view_app* app, double passed);
// One step, and then a pause.
void tlw_view_step_once(tlw_view_app* app);
void tlw_view_set_clip(tlw_view_app* app, uint32_t clip);
// Another clip, `by` places on in the list. Nothing without clips.
void tlw_view_change_clip(tlw_view_app* app, int by);
// Finds the deviation that has the darkest colour, from the characters' farthest ones.
void tlw_view_measure(tlw_view_app* app);
// The distance from which the first character fits into a picture of that size.
float tlw_view_fit(const tlw_view_app* app, uint32_t width, uint32_t height);
// Stands the camera where the characters fit.
void tlw_view_frame(tlw_view_app* app, uint32_t width, uint32_t height);

// A second character that begins as a copy of the first, or none.
void tlw_view_set_compared(tlw_view_app* app, bool is_compared);
// The side whose values the panels show: the first while the chosen one has no character.
uint32_t tlw_view_chosen_side(const tlw_view_app* app);
tlw_view_side* tlw_view_chosen(tlw_view_app* app);

// Sets the chosen side's values on its character; with `is_whole` they become a step of undo.
void tlw_view_set_values(tlw_view_app* app, bool is_whole);
void tlw_view_undo(tlw_view_app* app);
void tlw_view_redo(tlw_view_app* app);
// What the blob came with.
void tlw_view_reset_values(tlw_view_app* app);
void tlw_view_apply_preset(tlw_view_app* app, uint32_t preset);
// Whether some character has values that its recipe does not say. A copy of the other one has no
// recipe of its own.
bool tlw_view_has_changes(const tlw_view_app* app);
void tlw_view_fade_to(tlw_view_app* app, uint32_t profile, float seconds);
void tlw_view_begin_stop_test(tlw_view_app* app);

// Watches the voxel that the ray meets first.
void tlw_view_pick(tlw_view_app* app, uint32_t side, const tlw_view_ray* ray);

// What a step did, in milliseconds, for graphs. `frame_ms` is from one picture to the next.
void tlw_view_note_frame(tlw_view_app* app, float frame_ms);

// The hash of the state of all characters.
uint64_t tlw_view_hash(const tlw_view_app* app);

// The two ways to run. Each says what went wrong.
tlw_exit_code tlw_view_run_window(tlw_view_app* app);
tlw_exit_code tlw_view_run_windowless(tlw_view_app* app);

#endif
