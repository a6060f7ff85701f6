// SPDX-License-Identifier: MIT
// Private to tools/sim: what the command line says.
#ifndef TLW_TOOLS_SIM_OPTIONS_H
#define TLW_TOOLS_SIM_OPTIONS_H

#include "platform/file.h"
#include "runtime/tallow.h"
#include "tools/command/command.h"
#include "tools/scene/skinning.h"

#define FRAMES_MAX       1000000u
#define WORKERS_MAX      256u
#define COLUMNS_MAX      16u
#define PROFILE_NAME_MAX 256u
#define TENSIONS_MAX     64u
#define EXPORTS_MAX      8

typedef enum sim_switch { SIM_AS_COOKED, SIM_ON, SIM_OFF } sim_switch;

// What --tension says: the muscle's name as a part of the argument.
typedef struct sim_tension {
    const char* name;
    int name_bytes;
    double tension;
} sim_tension;

typedef struct sim_options {
    const char* blob;
    char motion[TLW_PATH_MAX];
    const char* clip; // the name after the colon; null: the first clip
    uint32_t frames;
    double hz;
    uint32_t workers;
    tlw_isa isa;
    tlw_preset preset;
    tlw_output output;           // how vertices are embedded; without streams
    tlw_scene_volume volume;     // whether skinned volume is on
    char fade[PROFILE_NAME_MAX]; // the profile that is faded to; empty: none
    double fade_seconds, fade_at;
    // Contact and forces (touch.h); what is not given stays as it is.
    double gravity[3], wind[3], wind_drag, time_scale;
    bool has_gravity, has_wind, has_time_scale, has_filter;
    sim_switch limbs;
    double press_metres; // 0: nothing is pressed
    sim_tension tensions[TENSIONS_MAX];
    uint32_t tension_count;
    bool wants_hash;
    const char *dump, *picture;
    bool wants_lines; // of muscles, in the picture
    uint32_t columns;
    double yaw_degrees;
    const char* exports[EXPORTS_MAX + 1]; // paths; one more than is allowed, to name it
    uint32_t export_count, export_every;
} sim_options;

extern const tlw_command tlw_sim_command;

// False: end with *code. Help was shown, or a mistake was named.
bool tlw_sim_parse(int argc, char** argv, sim_options* out, tlw_exit_code* code);

#endif
