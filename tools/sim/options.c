// SPDX-License-Identifier: MIT
// The command line of tallow-sim.
#include "tools/sim/options.h"

#include "tools/command/arguments.h"
#include "tools/command/number.h"
#include "tools/export/export.h"
#include "tools/scene/embedding.h"
#include "tools/scene/motion.h"

#include <string.h>

#define FORCE_MAX 1e6 // as in tlw_settings

static void print_presets(FILE* out) {
    for (int i = 0; i < TLW_PRESET_COUNT; ++i) {
        fprintf(out, "%s%s", i ? ", " : "", tlw_preset_name((tlw_preset)i));
    }
}

static void print_usage(FILE* out) {
    fprintf(out, "usage: tallow-sim BLOB --motion FILE.glb[:CLIP] --frames N [options]\n"
                 "  --motion FILE[:CLIP]  glTF whose nodes have the names of the blob's joints; "
                 "the clip loops\n"
                 "                        (default: the first)\n"
                 "  --frames N            1 to 1000000, frames 0 to N-1: frame 0 is the clip's "
                 "first pose, at rest\n"
                 "                        (reset, then a step of 0 s); frame k is the pose at k/F "
                 "s, then a\n"
                 "                        step of 1/F s. All motion is in the joints, the root is "
                 "the identity\n"
                 "  --hz F                frames per second, 1 to 1000 (default: 60)\n"
                 "  --workers N           threads, 1 to 256 (default: 1); results do not depend on "
                 "it\n"
                 "  --isa NAME            instruction set: scalar, sse2, avx2, neon (default: the "
                 "best)\n");
    fprintf(out, "  --preset NAME         ");
    print_presets(out);
    fprintf(out,
            " (default: cooked)\n"
            "  --embedding NAME      how vertices follow voxels: " TLW_EMBEDDING_LIST "\n"
            "                        (default: auto)\n"
            "  --normals NAME        what normals are made from: " TLW_NORMAL_SOURCE_LIST
            " (default: gradient)\n"
            "  --order NAME          order of vertices: " TLW_VERTEX_ORDER_LIST
            " (default: source)\n"
            "  --smoothing X         of fit, 0 to 1 (default: 0.25)\n"
            "  --volume NAME         skinned volume: " TLW_VOLUME_LIST " (default: as cooked)\n"
            "  --fade NAME:SECONDS[@T]  to that profile of the recipe, beginning at T s (default: "
            "0)\n"
            "  --gravity X,Y,Z       m/s^2, in world axes (default: 0,0,0)\n"
            "  --wind X,Y,Z[:DRAG]   m/s, and how fast tissue takes it on, per metre (default: "
            "0.1)\n"
            "  --time-scale S        0 to 10 (default: 1)\n"
            "  --limbs NAME          limbs press into the rest of the body: on or off (default: as "
            "cooked)\n"
            "  --press METRES        a capsule goes that far into the front, in half a second\n"
            "  --filter              filters the poses, as one does with captured motion\n");
    fprintf(
        out,
        "  --tension NAME:T      flexes a muscle, T from 0 to 1; all or *: every muscle. May be "
        "repeated;\n"
        "                        of two that name a muscle the later one counts\n"
        "  --hash                a line per frame and one for all, instead of the table\n"
        "  --dump FILE           every voxel and vertex of every frame, instead of the table; "
        "little-endian:\n"
        "                        \"TLWDUMP1\", u32 frames, voxels, vertices, then per frame 3 "
        "floats per\n"
        "                        voxel and per vertex; model space, metres\n"
        "  --picture FILE.png    a contact sheet: skinning alone, and tissue\n"
        "  --lines               draws the action lines of muscles over the tissue in the "
        "picture: red\n"
        "                        where a muscle is short and thick, blue where it is "
        "stretched\n"
        "  --columns N           moments on it, 1 to 16 (default: 8)\n"
        "  --yaw DEGREES         where it is seen from: 0 is +z, 90 is +x (default: 30)\n");
    fprintf(
        out,
        "  --export FILE         for other programs, instead of the table: a point cache "
        "(FILE.pc2), or a\n"
        "                        mesh with a morph target per frame (FILE.glb); up to %d times\n"
        "  --export-every N      only frames 0, N, 2N, ... (default: 1)\n",
        EXPORTS_MAX);
}

const tlw_command tlw_sim_command = {
    .name = "tallow-sim",
    .print_usage = print_usage,
    .exit_codes = TLW_EXIT_BIT(TLW_EXIT_OK) | TLW_EXIT_BIT(TLW_EXIT_USAGE) |
                  TLW_EXIT_BIT(TLW_EXIT_CANNOT_READ) | TLW_EXIT_BIT(TLW_EXIT_BAD_ASSET) |
                  TLW_EXIT_BIT(TLW_EXIT_CANNOT_WRITE)};

typedef enum option {
    OPTION_MOTION,
    OPTION_FRAMES,
    OPTION_HZ,
    OPTION_WORKERS,
    OPTION_ISA,
    OPTION_PRESET,
    OPTION_EMBEDDING,
    OPTION_NORMALS,
    OPTION_ORDER,
    OPTION_SMOOTHING,
    OPTION_VOLUME,
    OPTION_FADE,
    OPTION_GRAVITY,
    OPTION_WIND,
    OPTION_TIME_SCALE,
    OPTION_LIMBS,
    OPTION_PRESS,
    OPTION_FILTER,
    OPTION_TENSION,
    OPTION_DUMP,
    OPTION_PICTURE,
    OPTION_LINES,
    OPTION_COLUMNS,
    OPTION_YAW,
    OPTION_HASH,
    OPTION_EXPORT,
    OPTION_EXPORT_EVERY,
    OPTION_COUNT
} option;

static const tlw_option options[OPTION_COUNT] = {
    [OPTION_MOTION] = {.name = "--motion", .takes = "a file"},
    [OPTION_FRAMES] = {.name = "--frames", .takes = "1 to 1000000"},
    [OPTION_HZ] = {.name = "--hz", .takes = "1 to 1000"},
    [OPTION_WORKERS] = {.name = "--workers", .takes = "1 to 256"},
    [OPTION_ISA] = {.name = "--isa", .takes = "a name", .mistake = "unknown instruction set"},
    [OPTION_PRESET] = {.name = "--preset", .takes = "a name", .mistake = "unknown preset"},
    [OPTION_EMBEDDING] = {.name = "--embedding", .takes = TLW_EMBEDDING_LIST},
    [OPTION_NORMALS] = {.name = "--normals", .takes = TLW_NORMAL_SOURCE_LIST},
    [OPTION_ORDER] = {.name = "--order", .takes = TLW_VERTEX_ORDER_LIST},
    [OPTION_SMOOTHING] = {.name = "--smoothing", .takes = "0 to 1"},
    [OPTION_VOLUME] = {.name = "--volume", .takes = TLW_VOLUME_LIST},
    [OPTION_FADE] = {.name = "--fade", .takes = "NAME:SECONDS or NAME:SECONDS@T"},
    [OPTION_GRAVITY] = {.name = "--gravity", .takes = "X,Y,Z"},
    [OPTION_WIND] = {.name = "--wind", .takes = "X,Y,Z or X,Y,Z:DRAG"},
    [OPTION_TIME_SCALE] = {.name = "--time-scale", .takes = "0 to 10"},
    [OPTION_LIMBS] = {.name = "--limbs", .takes = "on or off"},
    [OPTION_PRESS] = {.name = "--press", .takes = "above 0 to 1000"},
    [OPTION_FILTER] = {.name = "--filter"},
    [OPTION_TENSION] = {.name = "--tension", .takes = "NAME:T with T from 0 to 1", .is_list = true},
    [OPTION_DUMP] = {.name = "--dump", .takes = "a file"},
    [OPTION_PICTURE] = {.name = "--picture", .takes = "a file"},
    [OPTION_LINES] = {.name = "--lines"},
    [OPTION_COLUMNS] = {.name = "--columns", .takes = "1 to 16"},
    [OPTION_YAW] = {.name = "--yaw", .takes = "-360 to 360"},
    [OPTION_HASH] = {.name = "--hash"},
    [OPTION_EXPORT] = {.name = "--export",
                       .takes = "a file that ends in " TLW_EXPORT_ENDINGS,
                       .is_list = true},
    [OPTION_EXPORT_EVERY] = {.name = "--export-every", .takes = "1 to 1000000"},
};

// NAME:SECONDS[@T]. The last colon and the @ after it count, so names may have both.
static bool take_fade(const char* value, sim_options* out) {
    char seconds[32];
    const char* colon = strrchr(value, ':');
    if (colon == NULL || colon == value || (size_t)(colon - value) >= sizeof out->fade) {
        return false;
    }
    const char* at = strchr(colon, '@');
    const size_t length = at ? (size_t)(at - colon - 1) : strlen(colon + 1);
    if (length >= sizeof seconds) {
        return false;
    }
    memcpy(seconds, colon + 1, length);
    seconds[length] = 0;
    memcpy(out->fade, value, (size_t)(colon - value));
    out->fade[colon - value] = 0;
    return tlw_parse_real(seconds, 0.0, 1e6, &out->fade_seconds) &&
           (at == NULL || tlw_parse_real(at + 1, 0.0, 1e6, &out->fade_at));
}

// NAME:T. The last colon counts, so names may have others.
static bool take_tension(const char* value, sim_options* out) {
    const char* colon = strrchr(value, ':');
    if (colon == NULL || colon == value || out->tension_count == TENSIONS_MAX) {
        return false;
    }
    sim_tension* to = &out->tensions[out->tension_count++];
    to->name = value;
    to->name_bytes = (int)(colon - value);
    return tlw_parse_real(colon + 1, 0.0, 1.0, &to->tension);
}

// X,Y,Z up to `end`.
static bool take_vector(const char* value, const char* end, double out[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        char text[32];
        const char* comma = axis < 2 ? strchr(value, ',') : end;
        const size_t length = comma && comma <= end ? (size_t)(comma - value) : sizeof text;
        if (length >= sizeof text) {
            return false;
        }
        memcpy(text, value, length);
        text[length] = 0;
        if (!tlw_parse_real(text, -FORCE_MAX, FORCE_MAX, &out[axis])) {
            return false;
        }
        value = comma + 1;
    }
    return true;
}

static bool take_wind(const char* value, sim_options* out) {
    const char* colon = strchr(value, ':');
    out->has_wind = true;
    return take_vector(value, colon ? colon : value + strlen(value), out->wind) &&
           (colon == NULL || tlw_parse_real(colon + 1, 0.0, FORCE_MAX, &out->wind_drag));
}

static bool take_switch(const char* value, sim_switch* out) {
    *out = strcmp(value, "on") == 0 ? SIM_ON : SIM_OFF;
    return *out == SIM_ON || strcmp(value, "off") == 0;
}

// False for an unknown ending.
static bool take_export(const char* value, sim_options* out) {
    if (out->export_count <= EXPORTS_MAX) { // one too many is named later, further ones are not
        out->exports[out->export_count++] = value;
    }
    return tlw_export_kind_of(value) != TLW_EXPORT_KIND_COUNT;
}

static bool take_value(option which, const char* value, sim_options* out) {
    switch (which) {
    case OPTION_MOTION:
        return tlw_motion_split(value, out->motion, sizeof out->motion, &out->clip);
    case OPTION_FRAMES:
        return tlw_parse_count(value, 1, FRAMES_MAX, &out->frames);
    case OPTION_HZ:
        return tlw_parse_real(value, 1.0, 1000.0, &out->hz);
    case OPTION_WORKERS:
        return tlw_parse_count(value, 1, WORKERS_MAX, &out->workers);
    case OPTION_ISA:
        return tlw_isa_from_name(value, &out->isa);
    case OPTION_PRESET:
        return tlw_preset_from_name(value, &out->preset);
    case OPTION_EMBEDDING:
        return tlw_embedding_from_name(value, &out->output.embedding);
    case OPTION_NORMALS:
        return tlw_normal_source_from_name(value, &out->output.normals_by);
    case OPTION_ORDER:
        return tlw_vertex_order_from_name(value, &out->output.order);
    case OPTION_SMOOTHING:
        return tlw_smoothing_from_text(value, &out->output.smoothing);
    case OPTION_VOLUME:
        return tlw_scene_volume_from_name(value, &out->volume);
    case OPTION_FADE:
        return take_fade(value, out);
    case OPTION_GRAVITY:
        out->has_gravity = true;
        return take_vector(value, value + strlen(value), out->gravity);
    case OPTION_WIND:
        return take_wind(value, out);
    case OPTION_TIME_SCALE:
        out->has_time_scale = true;
        return tlw_parse_real(value, 0.0, 10.0, &out->time_scale);
    case OPTION_LIMBS:
        return take_switch(value, &out->limbs);
    case OPTION_PRESS:
        return tlw_parse_positive(value, 1000.0, &out->press_metres);
    case OPTION_FILTER:
        out->has_filter = true;
        return true;
    case OPTION_TENSION:
        return take_tension(value, out);
    case OPTION_LINES:
        out->wants_lines = true;
        return true;
    case OPTION_COLUMNS:
        return tlw_parse_count(value, 1, COLUMNS_MAX, &out->columns);
    case OPTION_YAW:
        return tlw_parse_real(value, -360.0, 360.0, &out->yaw_degrees);
    case OPTION_DUMP:
        out->dump = value;
        return value[0] != 0;
    case OPTION_PICTURE:
        out->picture = value;
        return value[0] != 0;
    case OPTION_HASH:
        out->wants_hash = true;
        return true;
    case OPTION_EXPORT:
        return take_export(value, out);
    case OPTION_EXPORT_EVERY:
        return tlw_parse_count(value, 1, FRAMES_MAX, &out->export_every);
    case OPTION_COUNT:
        break;
    }
    return false;
}

static tlw_exit_code check_exports(const sim_options* o, const bool* is_given) {
    if (o->export_count > EXPORTS_MAX) {
        return tlw_command_mistake(
            &tlw_sim_command,
            "more than " TLW_STRING(EXPORTS_MAX) " files to export:", o->exports[EXPORTS_MAX], "");
    }
    for (uint32_t i = 0; i < o->export_count; ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            if (strcmp(o->exports[i], o->exports[k]) == 0) {
                return tlw_command_mistake(&tlw_sim_command, "exported twice:", o->exports[i], "");
            }
        }
    }
    if (is_given[OPTION_EXPORT_EVERY] && o->export_count == 0) {
        return tlw_command_mistake(&tlw_sim_command, "option", "--export-every",
                                   " goes with --export");
    }
    if (o->export_count > 0 && o->output.order != TLW_ORDER_SOURCE) {
        return tlw_command_mistake(&tlw_sim_command, "option", "--export",
                                   " goes with vertices in the order of the source");
    }
    return TLW_EXIT_OK;
}

// What is missing, or cannot be done here.
static tlw_exit_code check(const sim_options* o, const bool* is_given) {
    if (o->blob == NULL) {
        return tlw_command_mistake(&tlw_sim_command, "a blob must be named:", "BLOB", "");
    }
    if (!is_given[OPTION_MOTION] || !is_given[OPTION_FRAMES]) {
        return tlw_command_mistake(&tlw_sim_command, "there is no",
                                   is_given[OPTION_MOTION] ? "--frames" : "--motion", "");
    }
    if (o->picture && o->output.order != TLW_ORDER_SOURCE) {
        return tlw_command_mistake(&tlw_sim_command, "option", "--picture",
                                   " goes with vertices in the order of the source");
    }
    if (o->wants_lines && o->picture == NULL) {
        return tlw_command_mistake(&tlw_sim_command, "option", "--lines", " goes with --picture");
    }
    if (!tlw_isa_is_built(o->isa) || !tlw_isa_is_supported(o->isa)) {
        return tlw_command_mistake(&tlw_sim_command, "this machine or build does not run",
                                   tlw_isa_name(o->isa), "");
    }
    return check_exports(o, is_given);
}

bool tlw_sim_parse(int argc, char** argv, sim_options* out, tlw_exit_code* code) {
    *out = (sim_options){.hz = 60.0,
                         .workers = 1,
                         .isa = tlw_isa_best(),
                         .preset = TLW_PRESET_COOKED,
                         .output = tlw_default_output(),
                         .wind_drag = 0.1,
                         .columns = 8,
                         .yaw_degrees = 30.0,
                         .export_every = 1};
    tlw_arguments a = tlw_arguments_begin(&tlw_sim_command, argc, argv, options, OPTION_COUNT);
    for (int which; (which = tlw_arguments_next(&a)) != TLW_ARGUMENT_END;) {
        if (which == TLW_ARGUMENT_STOP) {
            *code = a.exit_code;
            return false;
        }
        if (which == TLW_ARGUMENT_PLAIN) {
            if (out->blob) {
                *code = tlw_command_mistake(&tlw_sim_command, "more than one blob:", a.value, "");
                return false;
            }
            out->blob = a.value;
        } else if (!take_value((option)which, a.value, out)) {
            *code = tlw_arguments_refuse(&a, "");
            return false;
        }
    }
    *code = check(out, a.is_given);
    return *code == TLW_EXIT_OK;
}
