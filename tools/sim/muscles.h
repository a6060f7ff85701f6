// SPDX-License-Identifier: MIT
// Private to tools/sim: flexes muscles and watches how long they are (MODEL 3.18).
#ifndef TLW_TOOLS_SIM_MUSCLES_H
#define TLW_TOOLS_SIM_MUSCLES_H

#include "tools/scene/scene.h"
#include "tools/sim/options.h"

// Least and greatest elongation of every muscle since the first frame.
typedef struct sim_muscles {
    uint32_t count;
    float (*range)[2];
} sim_muscles;

// Sets the tensions of --tension. Names a muscle that is not there.
tlw_exit_code tlw_sim_muscles_begin(const sim_options* options, tlw_scene* scene);

// False if out of memory.
bool tlw_sim_muscles_create(sim_muscles* muscles, const tlw_actor* actor);
void tlw_sim_muscles_free(sim_muscles* muscles);
// After each frame.
void tlw_sim_muscles_watch(sim_muscles* muscles, const tlw_scene* scene);
// A line per muscle; nothing without muscles.
void tlw_sim_muscles_print(const sim_muscles* muscles, const tlw_scene* scene);

#endif
