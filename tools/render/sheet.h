// SPDX-License-Identifier: MIT
// A contact sheet: a picture with a title, a grid of cells, a caption below each cell, and a line
// at the foot. The caller draws the cells.
#ifndef TLW_TOOLS_RENDER_SHEET_H
#define TLW_TOOLS_RENDER_SHEET_H

#include "tools/render/render.h"

typedef struct tlw_sheet_def {
    uint32_t columns, rows;
    uint32_t cell_width, cell_height; // pixels
    const char* title;
    const char* remark;  // a smaller line below the title; null: none
    uint32_t note_count; // lines of text at the foot, above the legend
} tlw_sheet_def;

typedef struct tlw_sheet {
    tlw_sheet_def def;
    tlw_picture picture;
} tlw_sheet;

// TLW_ERROR_TOO_LARGE above TLW_PICTURE_SIDE_MAX pixels on a side, TLW_ERROR_OUT_OF_MEMORY. The
// def's texts are drawn at once and not needed afterwards.
tlw_result tlw_sheet_create(tlw_sheet* sheet, const tlw_sheet_def* def);
void tlw_sheet_free(tlw_sheet* sheet);

tlw_render_area tlw_sheet_cell(const tlw_sheet* sheet, uint32_t column, uint32_t row);
// Centred below the cell.
void tlw_sheet_caption(tlw_sheet* sheet, uint32_t column, uint32_t row, const char* text);
// Above the left end of a row.
void tlw_sheet_row_label(tlw_sheet* sheet, uint32_t row, const char* text);
// A line of text at the foot; lines count from 0.
void tlw_sheet_note(tlw_sheet* sheet, uint32_t line, const char* text);
// A text in one of `columns` equal columns of such a line, to the right of the first `from` pixels.
void tlw_sheet_note_at(tlw_sheet* sheet, uint32_t line, uint32_t column, uint32_t columns,
                       uint32_t from, const char* text);
// At the foot: the colours from `cold` to hot, with a label at each end.
void tlw_sheet_heat_legend(tlw_sheet* sheet, tlw_rgb cold, const char* low, const char* high);

#endif
