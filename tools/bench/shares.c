// SPDX-License-Identifier: MIT
// tallow-bench shares RESULTS.json FILE.png: draws a bar for each character of table 1. The bar is
// divided into passes, in the colours of the profiler's zones, each as wide as its share of the
// time.
#include "runtime/tallow.h"
#include "tools/bench/commands.h"
#include "tools/bench/options.h"
#include "tools/bench/results_file.h"
#include "tools/command/output_file.h"
#include "tools/render/picture.h"

#include <math.h>
#include <string.h>

#define WIDTH      1200
#define MARGIN     36
#define TOP        104
#define BAR_LEFT   296
#define BAR_WIDTH  (WIDTH - BAR_LEFT - MARGIN)
#define BAR_HEIGHT 56
#define BAR_PITCH  92
#define FOOT       84
#define SMALL      2
#define LARGE      3
#define LINE       10 // pixels of a line of letters at scale 1, with the gap to the next

static const tlw_rgb ink = {0.93f, 0.94f, 0.95f}, pale = {0.66f, 0.69f, 0.73f};

static tlw_rgb colour_of(const char* pass) {
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        if (strcmp(pass, tlw_pass_name((tlw_pass)p)) == 0) {
            const uint32_t c = tlw_pass_colour((tlw_pass)p);
            return (tlw_rgb){(float)(c >> 16 & 255) / 255.0f, (float)(c >> 8 & 255) / 255.0f,
                             (float)(c & 255) / 255.0f};
        }
    }
    return pale; // a pass that this version does not have
}

static tlw_rgb ink_on(tlw_rgb colour) {
    const float light = 0.3f * colour.r + 0.6f * colour.g + 0.1f * colour.b;
    return light > 0.45f ? (tlw_rgb){0.08f, 0.09f, 0.11f} : ink;
}

// Writes a label in the middle of a segment if it fits.
static void label_middle(tlw_picture* picture, int32_t x, int32_t width, int32_t y,
                         const char* text, tlw_rgb colour) {
    const int32_t needed = tlw_picture_label_width(SMALL, text);
    if (needed + 6 <= width) {
        tlw_picture_label(picture, x + (width - needed) / 2, y, SMALL, text, colour);
    }
}

static void draw_bar(tlw_picture* picture, json_t* shares, int32_t y) {
    const char* pass;
    json_t* share;
    double sum = 0.0;
    json_object_foreach(shares, pass, share) {
        if (!json_is_number(share)) {
            continue; // the character's name
        }
        const int32_t from = BAR_LEFT + (int32_t)lround(sum * BAR_WIDTH);
        sum += json_number_value(share);
        const int32_t width = BAR_LEFT + (int32_t)lround(sum * BAR_WIDTH) - from;
        const tlw_rgb colour = colour_of(pass);
        char percent[32];
        snprintf(percent, sizeof percent, "%.0f%%", 100.0 * json_number_value(share));
        tlw_picture_fill(picture, from, y, width > 1 ? width - 1 : width, BAR_HEIGHT, colour, 1.0f);
        label_middle(picture, from, width, y + BAR_HEIGHT / 2 - 2 * LINE + 2, pass, ink_on(colour));
        label_middle(picture, from, width, y + BAR_HEIGHT / 2 + 4, percent, ink_on(colour));
    }
}

static void draw_character(tlw_picture* picture, const json_t* row, int32_t y) {
    char text[80];
    tlw_picture_label(picture, MARGIN, y + 2, LARGE, tlw_results_string(row, "character"), ink);
    snprintf(text, sizeof text, "%.0f voxels, width %.0f", tlw_results_number(row, "voxels"),
             tlw_results_number(row, "d_r"));
    tlw_picture_label(picture, MARGIN, y + 32, SMALL, text, pale);
    snprintf(text, sizeof text, "%.3f ms per frame", tlw_results_number(row, "ms"));
    tlw_picture_label(picture, MARGIN, y + 54, SMALL, text, pale);
}

static void draw_legend(tlw_picture* picture, json_t* shares, int32_t y) {
    const char* pass;
    json_t* share;
    int32_t x = BAR_LEFT;
    json_object_foreach(shares, pass, share) {
        if (json_is_number(share)) {
            tlw_picture_fill(picture, x, y, 16, 16, colour_of(pass), 1.0f);
            tlw_picture_label(picture, x + 22, y + 1, SMALL, pass, ink);
            x += 22 + tlw_picture_label_width(SMALL, pass) + 12;
        }
    }
}

static bool draw(tlw_picture* picture, const json_t* root) {
    const json_t* rows = json_object_get(root, "table1");
    const json_t* shares = json_object_get(root, "table1_shares");
    const size_t count = json_array_size(rows);
    const int32_t foot = TOP + (int32_t)count * BAR_PITCH + 4;
    char text[160];
    if (!tlw_picture_create(picture, WIDTH, (uint32_t)(foot + FOOT - 40))) {
        return false;
    }
    tlw_picture_label(picture, MARGIN, 28, LARGE, "Where a frame's time goes, pass by pass", ink);
    snprintf(text, sizeof text, "%s, one core, %s, commit %s", tlw_results_string(root, "cpu"),
             tlw_results_string(root, "isa"), tlw_results_string(root, "commit"));
    tlw_picture_label(picture, MARGIN, 62, SMALL, text, pale);
    for (size_t i = 0; i < count; ++i) {
        const int32_t y = TOP + (int32_t)i * BAR_PITCH;
        draw_character(picture, json_array_get(rows, i), y);
        draw_bar(picture, json_array_get(shares, i), y + 4);
    }
    draw_legend(picture, json_array_get(shares, 0), foot);
    return true;
}

static tlw_exit_code write_picture(const json_t* root, const char* path) {
    static tlw_output_file file;
    tlw_exit_code code = tlw_output_file_begin(&tlw_bench_command_line, &file, path);
    if (code != TLW_EXIT_OK) {
        return code;
    }
    tlw_picture picture = {0};
    if (draw(&picture, root)) {
        code = tlw_output_file_committed(&tlw_bench_command_line, &file,
                                         tlw_picture_commit(&picture, &file.writer));
    } else {
        code = tlw_output_file_fail(&tlw_bench_command_line, &file, "out of memory");
    }
    tlw_picture_free(&picture);
    return code;
}

tlw_exit_code tlw_bench_shares_main(int argc, char** argv) {
    if (argc != 3) {
        return tlw_bench_command_usage(argv[0]);
    }
    json_t* root = tlw_results_read(argv[1]);
    if (root == NULL) {
        return TLW_EXIT_USAGE;
    }
    const size_t count = json_array_size(json_object_get(root, "table1"));
    const bool has_shares = count > 0 && count <= 16 &&
                            json_array_size(json_object_get(root, "table1_shares")) == count;
    const tlw_exit_code code = has_shares
                                   ? write_picture(root, argv[2])
                                   : tlw_command_fail(&tlw_bench_command_line, TLW_EXIT_USAGE,
                                                      "'%s' has no table1 with shares", argv[1]);
    json_decref(root);
    return code;
}
