// SPDX-License-Identifier: MIT
// Lists of characters to cook, for `tallow-cook --list`: what a row can say, reading a list, and
// cooking it.
#ifndef TLW_TOOLS_COOK_LIST_H
#define TLW_TOOLS_COOK_LIST_H

#include "tools/command/text.h"
#include "tools/cook/command.h"

#define TLW_LIST_BYTES_MAX (64u << 20)
#define TLW_LIST_ROWS_MAX  65536u

// enumerator, key, whether every row has it, whether the cook writes that file, what it is
#define TLW_LIST_KEYS(X)                                                \
    X(TLW_LIST_INPUT, "input", true, false, "the asset")                \
    X(TLW_LIST_RECIPE, "recipe", false, false, "what the artist chose") \
    X(TLW_LIST_OUTPUT, "output", true, true, "the blob")                \
    X(TLW_LIST_REPORT, "report", false, true, "as --report")            \
    X(TLW_LIST_PICTURE, "picture", false, true, "as --picture")         \
    X(TLW_LIST_DEPFILE, "depfile", false, true, "as --depfile")

typedef enum tlw_list_key {
#define TLW_LIST_ENUM(enumerator, key, is_required, is_written, meaning) enumerator,
    TLW_LIST_KEYS(TLW_LIST_ENUM)
#undef TLW_LIST_ENUM
        TLW_LIST_KEY_COUNT
} tlw_list_key;

typedef struct tlw_list_row {
    const char* names[TLW_LIST_KEY_COUNT]; // as the list gives them; null: the row has no such key
    char* paths[TLW_LIST_KEY_COUNT];       // the same with the list's folder before them
    char* record;                          // beside the output: what it was made from (record.h)
} tlw_list_row;

typedef struct tlw_list {
    const char* path;
    char* folder; // of the list, with its slash; "" for the current one
    tlw_list_row* rows;
    uint32_t row_count;
    struct tlw_list_claim* claims; // every file that a row or the command reads or writes
    uint32_t claim_count;
    struct json_t* root; // holds the names
} tlw_list;

// The keys of a row, for messages, reports and records.
const char* tlw_list_key_name(tlw_list_key key);
bool tlw_list_key_is_written(tlw_list_key key);
// Whether a path does not depend on the list's folder.
bool tlw_list_is_absolute(const char* path);

// Reads a list and checks every row, without opening any file that a row names: unknown and missing
// keys, and files that would be written twice or over what a row reads, whatever links lead there.
// `summary` is another file that will be written, or null. Says every mistake with its row and key,
// and returns TLW_EXIT_USAGE if there was one, or TLW_EXIT_CANNOT_READ. `path` must outlive the
// list. Free the list also after a failure.
tlw_exit_code tlw_list_read(const tlw_command* command, const char* path, const char* summary,
                            tlw_list* out);
void tlw_list_free(tlw_list* list);

#define TLW_LIST_WHAT_BYTES 48

// Whether a row or the command will write this file; `what` then gets which, "characters[3].output"
// or "--summary".
bool tlw_list_writes(const tlw_list* list, const char* path, char what[TLW_LIST_WHAT_BYTES]);

// Cooks
// ------------------------------------------------------------------------------------------------

#define TLW_LIST_RESULTS(X)              \
    X(TLW_LIST_UP_TO_DATE, "up to date") \
    X(TLW_LIST_COOKED, "cooked")         \
    X(TLW_LIST_FAILED, "failed")

typedef enum tlw_list_result {
#define TLW_LIST_RESULT_ENUM(enumerator, text) enumerator,
    TLW_LIST_RESULTS(TLW_LIST_RESULT_ENUM)
#undef TLW_LIST_RESULT_ENUM
        TLW_LIST_RESULT_COUNT
} tlw_list_result;

// What became of a row.
typedef struct tlw_list_done {
    uint32_t row;
    tlw_list_result result;
    tlw_exit_code code;
    double seconds;
    uint32_t voxels;     // 0 unless it was cooked
    uint64_t blob_bytes; // likewise
    char* message;       // why it was cooked, or what went wrong; may be null
} tlw_list_done;

typedef struct tlw_list_summary {
    const tlw_list* list;
    tlw_shard shard;
    const tlw_list_done* done; // failures last
    uint32_t done_count;
    uint32_t counts[TLW_LIST_RESULT_COUNT];
    tlw_exit_code code; // the worst of all rows
} tlw_list_summary;

#define TLW_LIST_SUMMARY_START "{\n  \"list\": "

void tlw_list_print_table(const tlw_list_summary* summary, FILE* out);
// As JSON; the caller frees it.
tlw_text tlw_list_make_json(const tlw_list_summary* summary);

// Cooks the rows of the arguments' list that are in the arguments' share and not up to date, one
// after the other. Returns the largest exit code of a row, which is that of the worst failure.
tlw_exit_code tlw_cook_list(const tlw_command* command, const tlw_cook_arguments* arguments);

#endif
