// SPDX-License-Identifier: MIT
// Private to tools/sim: what pulls and presses at the character (MODEL 3.15 to 3.17, 4.9, 4.10).
#ifndef TLW_TOOLS_SIM_TOUCH_H
#define TLW_TOOLS_SIM_TOUCH_H

#include "tools/scene/scene.h"
#include "tools/scene/solids.h"
#include "tools/sim/options.h"

// A capsule across the front.
typedef struct sim_press {
    tlw_collider_id collider;
    tlw_collider_pose start; // where it touches
    tlw_solids solids;       // for pictures
} sim_press;

// What the world and its character need for the options.
void tlw_sim_touch_def(const sim_options* options, tlw_scene_def* def);
// Sets forces, limbs, time scale and filter of the character of a scene that was just opened.
tlw_exit_code tlw_sim_touch_begin(const sim_options* options, tlw_scene* scene);
// Puts the capsule before the character in its first pose, and moves it in, in frames that end at
// that time. Nothing without --press.
tlw_exit_code tlw_sim_press_begin(const sim_options* options, tlw_scene* scene, sim_press* press);
void tlw_sim_press_move(const sim_options* options, tlw_scene* scene, double seconds,
                        sim_press* press);

#endif
