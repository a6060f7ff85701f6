// SPDX-License-Identifier: MIT
// Cooks the rows of a list: those in this process's share that are not up to date, one after the
// other, because a cook by itself keeps every thread busy and a shard's memory is then that of one
// character. What goes wrong with one row is said and counted, and the next row is cooked.
#include "tools/cook/list.h"

#include "platform/clock.h"
#include "platform/file.h"
#include "runtime/blob.h"
#include "tools/command/output_file.h"
#include "tools/cook/claims.h"
#include "tools/cook/outputs.h"
#include "tools/cook/record.h"

#include <stdlib.h>
#include <string.h>

// The first line that was said about the row that is being cooked: its cause of failure. A cook
// speaks from the thread that called it, and rows are cooked one after the other.
static char heard[TLW_COMMAND_LINE_BYTES];

static void hear(const char* line) {
    if (heard[0] == 0) {
        snprintf(heard, sizeof heard, "%s", line);
    }
}

typedef struct cooking {
    tlw_command command; // that hears what is said
    const tlw_cook_arguments* arguments;
    const tlw_list* list;
    tlw_output_file* file; // too large for the stack
} cooking;

static char* copy_text(const char* text) {
    char* copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

// One row
// ------------------------------------------------------------------------------------------------

// The record is begun before the cook, so that what cannot be recorded is not cooked in vain, and
// committed after all other files: what it says was then written.
static tlw_exit_code write_row(cooking* c, const tlw_cook_run* run, tlw_record* record) {
    if (record->changed) {
        return tlw_command_fail(&c->command, TLW_EXIT_CANNOT_READ,
                                "'%s' was changed while it was being read", record->changed);
    }
    // An old record may hold for the new files, of which one was damaged. A run that is killed
    // between them would then have left temporaries, and the row would be up to date.
    (void)tlw_file_remove(record->row->record);
    const tlw_exit_code code = tlw_cook_write_outputs(run);
    if (code != TLW_EXIT_OK) {
        return code;
    }
    tlw_text text = tlw_record_make(record, tlw_xxh64(run->output.blob, run->output.blob_bytes, 0));
    const tlw_exit_code recorded = tlw_output_file_commit_text(&c->command, c->file, &text);
    tlw_text_free(&text);
    return recorded;
}

// What a row reads besides the files that it names: no row may write that, nor the command.
typedef struct reading {
    const cooking* c;
    uint32_t row;
    tlw_cook_claims* claims; // null: only looks ahead
} reading;

static tlw_exit_code check_source(const char* what, const char* path, void* user) {
    const reading* r = user;
    char writer[TLW_LIST_WHAT_BYTES];
    return tlw_list_writes(r->c->list, path, writer)
               ? tlw_command_fail(&r->c->command, TLW_EXIT_USAGE,
                                  "%s: characters[%u] reads %s '%s'; %s would overwrite it",
                                  r->c->list->path, r->row, what, path, writer)
               : TLW_EXIT_OK;
}

static tlw_exit_code check_sources(const tlw_cook_run* run, void* user) {
    const reading* r = user;
    const tlw_exit_code code = r->claims ? tlw_cook_claim_sources(r->claims, run) : TLW_EXIT_OK;
    return code == TLW_EXIT_OK ? tlw_cook_each_source(run, check_source, user) : code;
}

static tlw_exit_code cook_row(cooking* c, const tlw_list_row* row, tlw_list_done* done) {
    tlw_record record = {.list = c->list, .row = row};
    tlw_cook_claims claims = {0};
    reading reads = {c, done->row, &claims};
    tlw_cook_run run = {.command = &c->command,
                        .note_file = tlw_record_note,
                        .user = &record,
                        .was_read = check_sources,
                        .was_read_user = &reads};
    run.arguments = *c->arguments;
    run.arguments.input = row->paths[TLW_LIST_INPUT];
    run.arguments.recipe = row->paths[TLW_LIST_RECIPE];
    run.arguments.output = row->paths[TLW_LIST_OUTPUT];
    run.arguments.report = row->paths[TLW_LIST_REPORT];
    run.arguments.picture = row->paths[TLW_LIST_PICTURE];
    run.arguments.depfile = row->paths[TLW_LIST_DEPFILE];
    run.arguments.is_verbose = false; // remarks of each row, but no reports on the output
    tlw_exit_code code = tlw_cook_claim_arguments(&claims, &run);
    if (code == TLW_EXIT_OK) {
        code = tlw_output_file_begin(&c->command, c->file, row->record);
    }
    if (code == TLW_EXIT_OK) {
        if (tlw_asset_importer(run.arguments.input)) { // noted again once it has been read
            tlw_record_note(run.arguments.input, 0, &record);
        }
        code = tlw_cook_run_files(&run);
    }
    if (code == TLW_EXIT_OK) {
        code = write_row(c, &run, &record);
    }
    if (code == TLW_EXIT_OK) {
        done->voxels = run.output.report.voxels;
        done->blob_bytes = run.output.blob_bytes;
        if (c->arguments->is_verbose) {
            tlw_cook_print_remarks(&run);
        }
    }
    tlw_output_file_abandon(c->file);
    tlw_cook_run_free(&run);
    tlw_cook_claims_free(&claims);
    tlw_record_free(&record);
    return code;
}

static void do_row(cooking* c, uint32_t index, tlw_list_done* done) {
    const tlw_list_row* row = &c->list->rows[index];
    const uint64_t start = tlw_clock_ns();
    char why[TLW_RECORD_WHY_BYTES];
    *done = (tlw_list_done){.row = index, .result = TLW_LIST_UP_TO_DATE};
    heard[0] = 0;
    if (!tlw_record_is_up_to_date(c->list, row, why)) {
        done->code = cook_row(c, row, done);
        done->result = done->code == TLW_EXIT_OK ? TLW_LIST_COOKED : TLW_LIST_FAILED;
        done->message = copy_text(done->code == TLW_EXIT_OK ? why : heard);
    }
    done->seconds = (double)(tlw_clock_ns() - start) * 1e-9;
}

// All rows
// ------------------------------------------------------------------------------------------------

// Whether a file begins as a summary does. What is no regular file, such as a pipe, is replaced by
// nobody, and opening it could wait for ever.
static bool is_summary_or_no_file(const char* path) {
    char bytes[sizeof TLW_LIST_SUMMARY_START] = "";
    const tlw_file_identity identity = tlw_file_identify(path);
    if ((identity.device | identity.file) == 0) {
        return true;
    }
    FILE* file = fopen(path, "rb");
    const size_t got = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    return got == sizeof bytes - 1 && strcmp(bytes, TLW_LIST_SUMMARY_START) == 0;
}

// Whether a file is there that this process would replace and that it may not have written. It may
// be what a row reads that has not been read yet.
static bool may_replace_a_source(const cooking* c) {
    const char* summary = c->arguments->summary;
    bool may = summary && !is_summary_or_no_file(summary);
    for (uint32_t i = 0; i < c->list->row_count && !may; ++i) {
        const tlw_list_row* row = &c->list->rows[i];
        const bool is_unknown = tlw_shard_has(&c->arguments->shard, row->names[TLW_LIST_OUTPUT]) &&
                                tlw_file_stamp(row->record) == 0;
        for (int key = 0; key < TLW_LIST_KEY_COUNT && is_unknown && !may; ++key) {
            may = tlw_list_key_is_written((tlw_list_key)key) && row->paths[key] &&
                  tlw_file_stamp(row->paths[key]) != 0;
        }
    }
    return may;
}

// Reads what all rows read, but for files of Assimp's formats, which name no others that we know
// of. What cannot be read is said when its row is cooked.
static tlw_exit_code look_ahead(const cooking* c) {
    tlw_exit_code worst = TLW_EXIT_OK;
    tlw_command silent = c->command;
    silent.is_silent = true;
    silent.hear = NULL;
    for (uint32_t i = 0; i < c->list->row_count; ++i) {
        char* const* paths = c->list->rows[i].paths;
        reading reads = {c, i, NULL};
        tlw_cook_run run = {.command = &silent, .was_read = check_sources, .was_read_user = &reads};
        run.arguments.input = paths[TLW_LIST_INPUT];
        run.arguments.recipe = paths[TLW_LIST_RECIPE];
        const tlw_exit_code code =
            tlw_asset_importer(run.arguments.input) ? TLW_EXIT_OK : tlw_cook_run_read(&run);
        worst = code == TLW_EXIT_USAGE ? code : worst;
        tlw_cook_run_free(&run);
    }
    return worst;
}

// Failures last, and otherwise in the order of the list.
static int compare_done(const void* a, const void* b) {
    const tlw_list_done *x = a, *y = b;
    const int x_last = x->result == TLW_LIST_FAILED, y_last = y->result == TLW_LIST_FAILED;
    return x_last != y_last ? x_last - y_last : (x->row > y->row) - (x->row < y->row);
}

static tlw_list_summary do_rows(cooking* c, tlw_list_done* done) {
    tlw_list_summary summary = {.list = c->list, .shard = c->arguments->shard, .done = done};
    for (uint32_t i = 0; i < c->list->row_count; ++i) {
        if (tlw_shard_has(&summary.shard, c->list->rows[i].names[TLW_LIST_OUTPUT])) {
            tlw_list_done* d = &done[summary.done_count++];
            do_row(c, i, d);
            summary.counts[d->result] += 1;
            summary.code = d->code > summary.code ? d->code : summary.code;
        }
    }
    qsort(done, summary.done_count, sizeof *done, compare_done);
    return summary;
}

static tlw_exit_code check_pictures(const tlw_command* command, const tlw_list* list) {
    for (uint32_t i = 0; i < list->row_count && !TLW_HAVE_PICTURES; ++i) {
        if (list->rows[i].names[TLW_LIST_PICTURE]) {
            return tlw_command_fail(command, TLW_EXIT_USAGE,
                                    "%s: characters[%u].picture: this build draws no pictures",
                                    list->path, i);
        }
    }
    return TLW_EXIT_OK;
}

static tlw_exit_code say_summary(cooking* c, const tlw_list_summary* summary,
                                 tlw_output_file* file) {
    tlw_exit_code code = TLW_EXIT_OK;
    if (file->is_begun) {
        tlw_text json = tlw_list_make_json(summary);
        code = tlw_output_file_commit_text(&c->command, file, &json);
        tlw_text_free(&json);
    }
    if (!c->arguments->is_quiet) {
        tlw_list_print_table(summary, stdout);
        const tlw_exit_code flushed = tlw_output_flush(&c->command);
        code = flushed > code ? flushed : code;
    }
    return code;
}

static tlw_exit_code cook_read_list(cooking* c) {
    tlw_output_file* files = calloc(2, sizeof *files); // of the summary, and of a row's record
    tlw_list_done* done = calloc((size_t)c->list->row_count + 1, sizeof *done);
    tlw_exit_code code = files && done ? TLW_EXIT_OK
                                       : tlw_command_fail(&c->command, TLW_EXIT_CANNOT_READ,
                                                          "%s: out of memory", c->list->path);
    if (code == TLW_EXIT_OK && may_replace_a_source(c)) {
        code = look_ahead(c);
    }
    if (code == TLW_EXIT_OK) {
        code = tlw_output_file_begin(&c->command, &files[0], c->arguments->summary);
    }
    if (code == TLW_EXIT_OK) {
        c->file = &files[1];
        const tlw_list_summary summary = do_rows(c, done);
        const tlw_exit_code said = say_summary(c, &summary, &files[0]);
        code = said > summary.code ? said : summary.code;
        for (uint32_t i = 0; i < summary.done_count; ++i) {
            free(done[i].message);
        }
    }
    if (files) {
        tlw_output_file_abandon(&files[0]);
    }
    free(files);
    free(done);
    return code;
}

tlw_exit_code tlw_cook_list(const tlw_command* command, const tlw_cook_arguments* arguments) {
    tlw_list list;
    tlw_exit_code code = tlw_list_read(command, arguments->list, arguments->summary, &list);
    if (code == TLW_EXIT_OK) {
        code = check_pictures(command, &list);
    }
    if (code == TLW_EXIT_OK) {
        cooking c = {.command = *command, .arguments = arguments, .list = &list};
        c.command.hear = hear;
        code = cook_read_list(&c);
    }
    tlw_list_free(&list);
    return code;
}
