// SPDX-License-Identifier: MIT
// The record of a row of a list: what its files were made from, and what they were. It lies beside
// the blob, and tells whether the row has to be cooked again. Only contents count: hashes of all
// files that were read and written, the row's own text, and which cooker it was. So a file that was
// only touched is not cooked again, and one that was damaged is.
#ifndef TLW_TOOLS_COOK_RECORD_H
#define TLW_TOOLS_COOK_RECORD_H

#include "tools/command/text.h"
#include "tools/cook/list.h"

// This cooker: the version of Tallow, and a hash of the sources that decide what a cook writes.
const char* tlw_record_cooker(void);

// What is noted while a row is cooked. Zeroed at first, but for list and row.
typedef struct tlw_record {
    const tlw_list* list;
    const tlw_list_row* row;
    struct tlw_record_file* files;
    uint32_t count, capacity;
    const char* changed; // a file that had two contents while it was read; null: none had
    bool is_out_of_memory;
} tlw_record;

// XXH64 of a file's bytes. False: it cannot be read, or is no regular file: nobody may be there to
// write into a pipe.
bool tlw_record_hash_file(const char* path, uint64_t* hash);
// As tlw_cook_run.note_file; `record` is a tlw_record. The file is read for a hash of 0.
void tlw_record_note(const char* path, uint64_t hash, void* record);
// The record's text, once all files of the row are written; `blob_hash` is XXH64 of the blob that
// was cooked. The caller frees it. It has no hash of a file that was written but cannot be read,
// such as a pipe: the row is then cooked again next time.
tlw_text tlw_record_make(const tlw_record* record, uint64_t blob_hash);
void tlw_record_free(tlw_record* record);

#define TLW_RECORD_WHY_BYTES 512

// Whether the row's record says that all its files are what a cook would write now. If not, `why`
// gets the reason, "'hero.glb' has changed".
bool tlw_record_is_up_to_date(const tlw_list* list, const tlw_list_row* row,
                              char why[TLW_RECORD_WHY_BYTES]);

#endif
