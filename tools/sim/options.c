// SPDX-License-Identifier: MIT
// The command line of tallow-sim.
#include "tools/sim/options.h"

#include "tools/scene/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_names(FILE* out, const char* what) {
    fprintf(out, "%s", what);
    for (int i = 0; i < TLW_PRESET_COUNT; ++i) {
        fprintf(out, "%s%s", i ? ", " : "", tlw_preset_name((tlw_preset)i));
    }
}

static void print_usage(FILE* out) {
    fprintf(out, "usage: tallow-sim BLOB --motion FILE.glb[:CLIP] --frames N [options]\n"
                 "  --motion FILE[:CLIP]  glTF whose nodes have the names of the blob's joints; "
                 "the clip loops\n"
                 "                        (default: the first)\n"
                 "  --frames N            1 to 1000000; frame 0 is the clip's first pose, at rest\n"
                 "  --hz F                frames a second, 1 to 1000 (default: 60)\n"
                 "  --workers N           threads, 1 to 256 (default: 1); results do not depend on "
                 "it\n"
                 "  --isa NAME            instruction set: scalar, sse2, avx2, neon (default: the "
                 "best)\n");
    print_names(out, "  --preset NAME         ");
    fprintf(out,
            " (default: cooked)\n"
            "  --hash                a line a frame, and one of all of them, instead of the table\n"
            "  --dump FILE           every voxel and vertex of every frame (tools/sim/README.md)\n"
            "  --picture FILE.png    a contact sheet: skinning alone, and tissue\n"
            "  --columns N           moments on it, 1 to 16 (default: 8)\n"
            "  --yaw DEGREES         where it is seen from: 0 is +z, 90 is +x (default: 30)\n"
            "exit codes: 0 ok, 2 usage, 3 cannot read, 4 bad asset or blob, 6 cannot write\n");
}

static int usage_error(const char* what, const char* argument) {
    fprintf(stderr, "tallow-sim: %s '%s'\n", what, argument);
    print_usage(stderr);
    return EXIT_USAGE;
}

static bool parse_count(const char* text, uint32_t most, uint32_t* out) {
    char* end;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != 0 || value < 1 || value > most) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool parse_real(const char* text, double low, double high, double* out) {
    char* end;
    const double value = strtod(text, &end);
    if (end == text || *end != 0 || !(value >= low && value <= high)) {
        return false;
    }
    *out = value;
    return true;
}

typedef enum option {
    OPTION_MOTION,
    OPTION_FRAMES,
    OPTION_HZ,
    OPTION_WORKERS,
    OPTION_ISA,
    OPTION_PRESET,
    OPTION_DUMP,
    OPTION_PICTURE,
    OPTION_COLUMNS,
    OPTION_YAW,
    OPTION_COUNT
} option;

static const struct {
    const char* name;
    const char* mistake; // what is said of a value that is none
} options[OPTION_COUNT] = {
    [OPTION_MOTION] = {"--motion", "--motion takes a file, not"},
    [OPTION_FRAMES] = {"--frames", "--frames takes 1 to 1000000, not"},
    [OPTION_HZ] = {"--hz", "--hz takes 1 to 1000, not"},
    [OPTION_WORKERS] = {"--workers", "--workers takes 1 to 256, not"},
    [OPTION_ISA] = {"--isa", "unknown instruction set"},
    [OPTION_PRESET] = {"--preset", "unknown preset"},
    [OPTION_DUMP] = {"--dump", "--dump takes a file, not"},
    [OPTION_PICTURE] = {"--picture", "--picture takes a file, not"},
    [OPTION_COLUMNS] = {"--columns", "--columns takes 1 to 16, not"},
    [OPTION_YAW] = {"--yaw", "--yaw takes -360 to 360, not"},
};

static bool take_value(option which, const char* value, sim_options* out) {
    switch (which) {
    case OPTION_MOTION:
        return tlw_motion_split(value, out->motion, sizeof out->motion, &out->clip);
    case OPTION_FRAMES:
        return parse_count(value, FRAMES_MAX, &out->frames);
    case OPTION_HZ:
        return parse_real(value, 1.0, 1000.0, &out->hz);
    case OPTION_WORKERS:
        return parse_count(value, WORKERS_MAX, &out->workers);
    case OPTION_ISA:
        return tlw_isa_from_name(value, &out->isa);
    case OPTION_PRESET:
        return tlw_preset_from_name(value, &out->preset);
    case OPTION_COLUMNS:
        return parse_count(value, COLUMNS_MAX, &out->columns);
    case OPTION_YAW:
        return parse_real(value, -360.0, 360.0, &out->yaw_degrees);
    default:
        *(which == OPTION_DUMP ? &out->dump : &out->picture) = value;
        return value[0] != 0;
    }
}

int tlw_sim_parse(int argc, char** argv, sim_options* out) {
    *out = (sim_options){.hz = 60.0,
                         .workers = 1,
                         .isa = tlw_isa_best(),
                         .preset = TLW_PRESET_COOKED,
                         .columns = 8,
                         .yaw_degrees = 30.0};
    bool is_given[OPTION_COUNT] = {0};
    for (int i = 1; i < argc; ++i) {
        const char* argument = argv[i];
        int which = 0;
        while (which < OPTION_COUNT && strcmp(argument, options[which].name) != 0) {
            ++which;
        }
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            print_usage(stdout);
            return -1;
        } else if (strcmp(argument, "--hash") == 0) {
            out->wants_hash = true;
        } else if (which < OPTION_COUNT) {
            if (i + 1 == argc) {
                return usage_error("something must follow", argument);
            }
            if (is_given[which]) {
                return usage_error("given twice:", argument);
            }
            is_given[which] = true;
            if (!take_value((option)which, argv[++i], out)) {
                return usage_error(options[which].mistake, argv[i]);
            }
        } else if (argument[0] == '-') {
            return usage_error("unknown option", argument);
        } else if (out->blob) {
            return usage_error("more than one blob:", argument);
        } else {
            out->blob = argument;
        }
    }
    if (out->blob == NULL) {
        return usage_error("a blob must be named:", "BLOB");
    }
    if (!is_given[OPTION_MOTION] || !is_given[OPTION_FRAMES]) {
        return usage_error("there is no", is_given[OPTION_MOTION] ? "--frames" : "--motion");
    }
    if (!tlw_isa_is_built(out->isa) || !tlw_isa_is_supported(out->isa)) {
        return usage_error("this machine or build does not run", tlw_isa_name(out->isa));
    }
    return EXIT_OK;
}
