// SPDX-License-Identifier: MIT
// Notes, and the sums of those of one kind.
#include "tools/asset/notes.h"

#include <stdio.h>
#include <string.h>

#define SUM_BYTES 32 // "; and 4294967295 more of these"

static tlw_note_kind* kind_of(tlw_notes* notes, const char* format) {
    for (uint32_t i = 0; i < notes->kind_count; ++i) {
        if (strcmp(notes->kinds[i].format, format) == 0) {
            return &notes->kinds[i];
        }
    }
    if (notes->kind_count == TLW_NOTE_KINDS_MAX) { // more kinds than the sources have
        return &notes->kinds[TLW_NOTE_KINDS_MAX - 1];
    }
    notes->kinds[notes->kind_count] = (tlw_note_kind){.format = format};
    return &notes->kinds[notes->kind_count++];
}

void tlw_notes_add(tlw_notes* notes, const char* format, const char* text) {
    tlw_note_kind* kind = kind_of(notes, format);
    kind->count += 1;
    if (kind->kept == TLW_NOTES_OF_A_KIND || *notes->count == TLW_NOTES_MAX) {
        if (kind->last) {
            snprintf(kind->last + kind->last_bytes, SUM_BYTES, "; and %u more of these",
                     kind->count - kind->kept);
        }
        return;
    }
    const size_t bytes = strlen(text);
    char* copy = tlw_asset_allocate(notes->memory, TLW_KEPT, bytes + SUM_BYTES, 1);
    if (copy) {
        memcpy(copy, text, bytes);
        tlw_asset_make_utf8(copy);
        kind->kept += 1;
        kind->last = copy;
        kind->last_bytes = bytes;
        notes->texts[*notes->count] = copy;
        *notes->count += 1;
    }
}
