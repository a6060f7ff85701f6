// SPDX-License-Identifier: MIT
// Private to tools/sim: the files of --export (tools/export).
#ifndef TLW_TOOLS_SIM_EXPORTS_H
#define TLW_TOOLS_SIM_EXPORTS_H

#include "tools/export/export.h"
#include "tools/scene/scene.h"
#include "tools/sim/options.h"

typedef struct sim_exports {
    tlw_export* files[EXPORTS_MAX];
    uint32_t count;
} sim_exports;

bool tlw_sim_exports_have_normals(const sim_options* options);
// Begins all files, before anything is stepped. Names what cannot be written.
tlw_exit_code tlw_sim_exports_begin(const sim_options* options, const tlw_scene* scene,
                                    sim_exports* exports);
// Adds the scene's last frame to each.
void tlw_sim_exports_add(sim_exports* exports, const tlw_scene* scene);
tlw_exit_code tlw_sim_exports_commit(sim_exports* exports);
// Leaves alone what was committed.
void tlw_sim_exports_abandon(sim_exports* exports);

#endif
