// SPDX-License-Identifier: MIT
// What figures and tables of embeddings share: a sample cooked for every one of them, and cells
// that show what one of them writes.
#ifndef TLW_TOOLS_FIGURES_EMBEDDING_H
#define TLW_TOOLS_FIGURES_EMBEDDING_H

#include "tools/figures/figures.h"
#include "tools/motion/surface.h"

typedef struct tlw_embedded {
    tlw_actor actor;
    tlw_motion* motion;
    tlw_surface surface;
} tlw_embedded;

tlw_cook_recipe tlw_embedded_recipe(uint32_t resolution);
// False after a failure, which is in figures->error. Free it in either case.
bool tlw_embedded_make(tlw_figures* figures, const char* sample, const tlw_cook_recipe* recipe,
                       tlw_embedded* out);
// The thin sample with a coarser mesh and its legs close together.
bool tlw_embedded_make_legs(tlw_figures* figures, uint32_t resolution, tlw_embedded* out);
void tlw_embedded_free(tlw_embedded* embedded);

// Embeds; false and an error where the blob has not what the look needs.
bool tlw_embedded_show(tlw_figures* figures, tlw_embedded* embedded, const tlw_surface_look* look);
bool tlw_embedded_show_geometric(tlw_figures* figures, tlw_embedded* embedded,
                                 const tlw_surface_look* look);

// Draws what was embedded last. `hot` is the deviation in metres with the hottest colour; 0: clay.
bool tlw_embedded_draw(const tlw_embedded* embedded, const tlw_render_camera* camera, float hot,
                       tlw_sheet* sheet, uint32_t column, uint32_t row);

// All looks that the pictures and tables compare.
typedef struct tlw_embedded_name {
    const char* name;
    tlw_surface_look look;
} tlw_embedded_name;

enum {
    TLW_EMBEDDED_DELTA,
    TLW_EMBEDDED_FIT,
    TLW_EMBEDDED_PLANE,
    TLW_EMBEDDED_RBF,
    TLW_EMBEDDED_COUNT
};
extern const tlw_embedded_name tlw_embedded_names[TLW_EMBEDDED_COUNT];

// Tables, as Markdown, to stdout.
tlw_exit_code tlw_figures_print_systems(tlw_figures* figures);    // rbf_table.c
tlw_exit_code tlw_figures_print_embeddings(tlw_figures* figures); // embedding_table.c

#endif
