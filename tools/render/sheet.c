// SPDX-License-Identifier: MIT
// The layout of contact sheets.
#include "tools/render/sheet.h"

#define MARGIN       28
#define TITLE_SCALE  3
#define TEXT_SCALE   2
#define HEAD         84 // title and remark
#define ROW_HEAD     30 // a row's label
#define CAPTION      24
#define FOOT         56
#define NOTE         24
#define GAP          6
#define LEGEND_WIDTH 220
#define WIDTH_MIN    960 // for title and legend

static const tlw_rgb ink = {0.88f, 0.90f, 0.94f}, faint_ink = {0.60f, 0.65f, 0.73f};

static uint64_t row_pitch(const tlw_sheet_def* def) {
    return ROW_HEAD + (uint64_t)def->cell_height + CAPTION;
}

tlw_result tlw_sheet_create(tlw_sheet* sheet, const tlw_sheet_def* def) {
    *sheet = (tlw_sheet){.def = *def};
    const uint64_t cells = 2 * MARGIN + (uint64_t)def->columns * (def->cell_width + GAP) - GAP;
    const uint64_t width = cells < WIDTH_MIN ? WIDTH_MIN : cells;
    const uint64_t height =
        HEAD + def->rows * row_pitch(def) + (uint64_t)def->note_count * NOTE + FOOT;
    if (def->columns == 0 || def->rows == 0 || width > TLW_PICTURE_SIDE_MAX ||
        height > TLW_PICTURE_SIDE_MAX) {
        return TLW_ERROR_TOO_LARGE;
    }
    if (!tlw_picture_create(&sheet->picture, (uint32_t)width, (uint32_t)height)) {
        return TLW_ERROR_OUT_OF_MEMORY;
    }
    tlw_picture_label(&sheet->picture, MARGIN, 22, TITLE_SCALE, def->title ? def->title : "", ink);
    tlw_picture_label(&sheet->picture, MARGIN, 56, TEXT_SCALE, def->remark ? def->remark : "",
                      faint_ink);
    sheet->def.title = sheet->def.remark = NULL;
    return TLW_OK;
}

void tlw_sheet_free(tlw_sheet* sheet) {
    tlw_picture_free(&sheet->picture);
}

tlw_render_area tlw_sheet_cell(const tlw_sheet* sheet, uint32_t column, uint32_t row) {
    const tlw_sheet_def* def = &sheet->def;
    return (tlw_render_area){MARGIN + column * (def->cell_width + GAP),
                             (uint32_t)(HEAD + row * row_pitch(def) + ROW_HEAD), def->cell_width,
                             def->cell_height};
}

void tlw_sheet_caption(tlw_sheet* sheet, uint32_t column, uint32_t row, const char* text) {
    const tlw_render_area cell = tlw_sheet_cell(sheet, column, row);
    const int32_t width = tlw_picture_label_width(TEXT_SCALE, text);
    tlw_picture_label(&sheet->picture, (int32_t)(cell.x + cell.width / 2) - width / 2,
                      (int32_t)(cell.y + cell.height) + 2, TEXT_SCALE, text, faint_ink);
}

void tlw_sheet_row_label(tlw_sheet* sheet, uint32_t row, const char* text) {
    const tlw_render_area cell = tlw_sheet_cell(sheet, 0, row);
    tlw_picture_label(&sheet->picture, (int32_t)cell.x, (int32_t)cell.y - ROW_HEAD + 6, TEXT_SCALE,
                      text, ink);
}

static int32_t note_y(const tlw_sheet* sheet, uint32_t line) {
    return (int32_t)(sheet->picture.height - FOOT - (sheet->def.note_count - line) * NOTE) + 10;
}

void tlw_sheet_note(tlw_sheet* sheet, uint32_t line, const char* text) {
    tlw_picture_label(&sheet->picture, MARGIN, note_y(sheet, line), TEXT_SCALE, text, ink);
}

void tlw_sheet_note_at(tlw_sheet* sheet, uint32_t line, uint32_t column, uint32_t columns,
                       uint32_t from, const char* text) {
    const uint32_t inner = sheet->picture.width - 2 * MARGIN;
    const uint32_t x = MARGIN + from + (inner > from ? (inner - from) * column / columns : 0);
    tlw_picture_label(&sheet->picture, (int32_t)x, note_y(sheet, line), TEXT_SCALE, text,
                      faint_ink);
}

void tlw_sheet_heat_legend(tlw_sheet* sheet, tlw_rgb cold, const char* low, const char* high) {
    const int32_t y = (int32_t)sheet->picture.height - FOOT + 16;
    int32_t x = MARGIN;
    tlw_picture_label(&sheet->picture, x, y, TEXT_SCALE, low, faint_ink);
    x += tlw_picture_label_width(TEXT_SCALE, low) + 12;
    for (int32_t i = 0; i < LEGEND_WIDTH; ++i) {
        tlw_picture_fill(&sheet->picture, x + i, y, 1, 16,
                         tlw_render_heat_colour(cold, (float)i / (LEGEND_WIDTH - 1)), 1.0f);
    }
    tlw_picture_label(&sheet->picture, x + LEGEND_WIDTH + 12, y, TEXT_SCALE, high, faint_ink);
}
