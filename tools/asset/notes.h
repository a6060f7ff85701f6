// SPDX-License-Identifier: MIT
// Private to tools/asset: notes of an asset or of a conversion. A file of a thousand meshes can
// have two thousand of them, so those of one kind are summed up: after TLW_NOTES_OF_A_KIND the last
// one ends with "; and 1996 more of these".
#ifndef TLW_TOOLS_ASSET_NOTES_H
#define TLW_TOOLS_ASSET_NOTES_H

#include "tools/asset/memory.h"

#define TLW_NOTES_OF_A_KIND 4
#define TLW_NOTE_KINDS_MAX  32
#define TLW_NOTES_MAX       (TLW_NOTES_OF_A_KIND * TLW_NOTE_KINDS_MAX)

typedef struct tlw_note_kind {
    const char* format;
    uint32_t count, kept;
    char* last; // the text of the last one that was kept, with room for the sum
    size_t last_bytes;
} tlw_note_kind;

typedef struct tlw_notes {
    tlw_asset_memory* memory;
    const char** texts; // TLW_NOTES_MAX
    uint32_t* count;
    tlw_note_kind kinds[TLW_NOTE_KINDS_MAX];
    uint32_t kind_count;
} tlw_notes;

// Notes with the same format are of one kind. Without memory for it a note is dropped.
void tlw_notes_add(tlw_notes* notes, const char* format, const char* text);

#endif
