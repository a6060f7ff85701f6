// SPDX-License-Identifier: MIT
// What the figures share: the table of them, the cast of characters, sheets made of rows of takes,
// and lines of numbers measured by tools/motion.
#ifndef TLW_TOOLS_FIGURES_FIGURES_H
#define TLW_TOOLS_FIGURES_FIGURES_H

#include "tools/command/output_file.h"
#include "tools/figures/draw.h"
#include "tools/figures/plot.h"

// name, function, whether it needs --models, what it shows. Numbers are those of figures and tables
// in Iwamoto et al. 2015; luo- are those of Luo et al. 2015, chen- those of Chen et al. 2013,
// aubel- those of Aubel and Thalmann 2000.
#define TLW_FIGURE_TABLE(X)                                                                        \
    X("moving", moving, false, "an animated picture: the dance and the sudden stop, side by side") \
    X("figure-4-10", layers, false, "Figures 4 and 10: layers, in a cut and in motion")            \
    X("figure-5", bone, false, "Figure 5: bone alone follows the skeleton; tissue is drawn to it") \
    X("figure-9", resolution, false, "Figure 9: low and normal resolution")                        \
    X("figure-11", pulled, false, "Figure 11: a belly that is picked, pulled and let go")          \
    X("figure-12", noisy, false, "Figure 12: a noisy capture at 30 Hz")                            \
    X("figure-13", skinning, false, "Figure 13: skinning alone, and tissue")                       \
    X("figure-14", stiffness, false, "Figure 14: one stiffness, normal and high, against layers")  \
    X("figure-15", skin, false, "Figure 15: without and with the skin layer")                      \
    X("table-1", sizes, false, "Table 1: the characters as voxels")                                \
    X("table-2", presets, false, "Table 2: the paper's four presets")                              \
    X("looks", looks, false, "the stop in three looks: default, athletic, heavy")                  \
    X("head", head, false, "a helmet on a head that stays firm, and on one that does not")         \
    X("pressed", pressed, false, "contact: a capsule that is pressed into a belly")                \
    X("sitting", seated, false, "contact: a character that sits down on a box")                    \
    X("thrown", thrown, false, "contact: a ball that is thrown at a belly")                        \
    X("limbs", folded, false,                                                                      \
      "contact: an arm that is turned into the trunk, own limbs off and on")                       \
    X("wind", blown, false, "forces: a wind from the front, and none")                             \
    X("luo-2", limbs, false, "Luo et al., Figure 2: one limb moves the other")                     \
    X("luo-3", seams, false, "Luo et al., Figure 3: seams between domains")                        \
    X("embedding", embeddings, false, "one jiggle in every embedding, in a raking light")          \
    X("chen-5", lattice, false, "Chen et al., Figure 5: skinning by the lattice alone")            \
    X("chen-8-12", correction, false, "Chen et al., Figures 8 and 12: volume of bent joints")      \
    X("chen-9", pushed, false, "Chen et al., Figure 9: a character that is pushed together")       \
    X("chen-10", deltas, false, "Chen et al., Figure 10: two deltas, and a fade between them")     \
    X("chen-11", resolutions, false, "Chen et al., Figure 11: one pose at four resolutions")       \
    X("bends", bends, false, "knees and an elbow: linear, corrected, dual, and with tissue")       \
    X("aubel-2", pectoral, false,                                                                  \
      "Aubel and Thalmann, Figure 2: a pectoral's line and its fields")                            \
    X("aubel-4", fusiform, false, "Aubel and Thalmann, Figure 4: volume of muscles that shorten")  \
    X("arm", girths, false, "muscles: girth of an arm over the elbow's angle, relaxed and flexed") \
    X("biceps", biceps, false,                                                                     \
      "muscles: an arm relaxed and flexed, bent by 0, 60 and 110 degrees")                         \
    X("aubel-5", fat, false,                                                                       \
      "Aubel and Thalmann, Figure 5: a breast under gravity, in two solvers")                      \
    X("auto", automatic, true, "automatic muscles on a fox and a figure, without and with")        \
    X("fox", fox, true, "a fox runs: its belly moves, its head does not")

typedef enum tlw_cast {
    TLW_CAST_BUNNY,
    TLW_CAST_STOUT,
    TLW_CAST_THIN,
    TLW_CAST_STOUT_LOW, // resolution 16, regions of width 2
    TLW_CAST_FOX,
    TLW_CAST_COUNT
} tlw_cast;

typedef struct tlw_figures {
    const tlw_command* command;
    const char* models;   // folder, or null
    uint32_t cell_height; // pixels
    tlw_actor actors[TLW_CAST_COUNT];
    bool is_made[TLW_CAST_COUNT];
    tlw_scene_error error;
} tlw_figures;

typedef tlw_exit_code tlw_figure_make(tlw_figures* figures, tlw_output_file* file);
#define TLW_FIGURE_DECLARE(name, function, needs_models, what) \
    tlw_figure_make tlw_figure_##function;
TLW_FIGURE_TABLE(TLW_FIGURE_DECLARE)
#undef TLW_FIGURE_DECLARE

// The character, cooked at its first use. Null after a failure, which is in figures->error.
const tlw_actor* tlw_figures_actor(tlw_figures* figures, tlw_cast cast);
// Says what figures->error holds and returns its exit code.
tlw_exit_code tlw_figures_fail(tlw_figures* figures);
tlw_exit_code tlw_figures_fail_memory(tlw_figures* figures);

// ---- Sheets

enum {
    TLW_FIGURE_ROWS = 6,
    TLW_FIGURE_NOTES = 4,
    TLW_FIGURE_LINES = 4,
    TLW_FIGURE_COLUMNS = 9,
    TLW_FIGURE_SHOTS = 8
};

typedef struct tlw_figure_row {
    tlw_take_def take;
    const double* seconds; // a time per column
    tlw_draw_look look;
    const char* label;
    uint32_t group; // rows of a group stand one below the other and share a camera
    float yaw_degrees;
    // As in tlw_draw_row. Rows of a group have the same camera.
    uint32_t layers;
    char cut;
    const char* const* captions;
    const tlw_render_camera* camera;
} tlw_figure_row;

typedef enum tlw_figure_legend {
    TLW_LEGEND_NONE,
    TLW_LEGEND_DEVIATION,
    TLW_LEGEND_UNEVEN
} tlw_figure_legend;

typedef struct tlw_figure_sheet {
    const char *title, *remark;
    uint32_t columns, row_count, note_count, line_count;
    float cell_aspect; // width over height; 0: 0.87
    tlw_figure_legend legend;
    tlw_figure_row rows[TLW_FIGURE_ROWS];
    char notes[TLW_FIGURE_NOTES][256]; // broken into lines where they are drawn
    // A table of numbers below the notes: a label and a text per column.
    uint32_t number_count;
    char numbers[TLW_FIGURE_ROWS][TLW_FIGURE_COLUMNS + 1][40];
    // A plot below the rows, if line_count is not 0.
    tlw_plot_line lines[TLW_FIGURE_LINES];
    double line_seconds, line_factor;
    const char *line_unit, *line_label;
} tlw_figure_sheet;

void tlw_figure_note(tlw_figure_sheet* sheet, const char* format, ...) TLW_PRINTF(2, 3);
// Plays all takes, draws the sheet and commits the file.
tlw_exit_code tlw_figures_draw(tlw_figures* figures, const tlw_figure_sheet* sheet,
                               tlw_output_file* file);

// Moments of the samples' clips that show most: the second round of the dance, with its pirouette,
// and the stop, where the root stands still from 1 s on.
extern const double tlw_figure_dance[TLW_FIGURE_SHOTS], tlw_figure_stop[TLW_FIGURE_SHOTS];

// ---- Numbers

typedef struct tlw_figure_numbers {
    tlw_motion_numbers stop, clip;
    tlw_motion_trace stop_trace;          // free it
    double bob_head, bob_belly, bob_hand; // peaks in the bob
} tlw_figure_numbers;

// Runs the stop, the bob and the liveliest clip. Numbers are zero after a failure.
bool tlw_figures_measure(tlw_figures* figures, const tlw_motion_def* def, tlw_figure_numbers* out);
void tlw_figure_numbers_free(tlw_figure_numbers* numbers);
// A row of the sheet's table of numbers. Lengths are millimetres of a character of 1.7 m.
void tlw_figure_note_numbers(tlw_figure_sheet* sheet, const char* label,
                             const tlw_figure_numbers* numbers);
// The belly along the stop, as a line of the sheet's plot.
void tlw_figure_line_stop(tlw_figure_sheet* sheet, const char* name,
                          const tlw_figure_numbers* numbers);

#endif
