// SPDX-License-Identifier: MIT
// What a cook writes: the blob, and on request a depfile, a report and a picture.
#include "tools/cook/outputs.h"

#include "tools/command/output_file.h"
#if TLW_HAVE_PICTURES
#    include "tools/inspect/inspect.h"
#endif

#include <stdlib.h>
#include <string.h>

// In the order in which they are committed. The blob is last, so that a process that sees the new
// blob sees its files too.
enum { DEPFILE, REPORT, PICTURE, BLOB, FILE_COUNT };

typedef struct cook_files {
    tlw_text depfile;
    char* report;
    tlw_output_file files[FILE_COUNT];
} cook_files;

static bool write_piece(const void* bytes, size_t size, void* writer) {
    return tlw_file_writer_write(writer, bytes, size) == TLW_OK;
}

// Draws what was cooked into a file that was begun.
static tlw_exit_code draw(const tlw_cook_run* run, tlw_output_file* file) {
#if TLW_HAVE_PICTURES
    const tlw_cook_report* r = &run->output.report;
    const char* slash = strrchr(run->arguments.input, '/');
    char remark[160];
    tlw_inspect in;
    const bool is_large = r->voxel_metres >= 1.0; // a file in another unit than it says
    snprintf(remark, sizeof remark, "%u voxels of %.3g %s; %u links cut; %u parts", r->voxels,
             is_large ? r->voxel_metres : 1000.0 * r->voxel_metres, is_large ? "m" : "mm",
             r->cut_links, r->part_count);
    tlw_inspect_drawn drawn = TLW_DRAWN_NO_MEMORY;
    if (tlw_inspect_open(&in, run->output.blob)) {
        drawn = tlw_inspect_cooked(&in, slash ? slash + 1 : run->arguments.input, remark,
                                   write_piece, &file->writer);
    }
    tlw_inspect_close(&in);
    // A failed write shows in the commit.
    return drawn == TLW_DRAWN || drawn == TLW_DRAWN_NOT_WRITTEN
               ? TLW_EXIT_OK
               : tlw_output_file_fail(run->command, file,
                                      drawn == TLW_DRAWN_NO_MEMORY
                                          ? "out of memory"
                                          : "the grid is too large for a picture");
#else
    (void)run;
    (void)file;
    return TLW_EXIT_OK;
#endif
}

// All files are written before any is committed: if one cannot be written, the others stay as they
// were.
static tlw_exit_code write_files(const tlw_cook_run* run, cook_files* to) {
    const tlw_cook_arguments* arguments = &run->arguments;
    tlw_output_file* files = to->files;
    // A dry run leaves nothing that a build step would take for its result.
    const struct {
        const char* path;
        const void* bytes; // null: drawn
        size_t size;
    } contents[FILE_COUNT] = {
        [DEPFILE] = {arguments->is_dry_run ? NULL : arguments->depfile, to->depfile.bytes,
                     to->depfile.used},
        [REPORT] = {arguments->report, to->report, strlen(to->report)},
        [PICTURE] = {arguments->picture, NULL, 0},
        [BLOB] = {arguments->is_dry_run ? NULL : arguments->output, run->output.blob,
                  run->output.blob_bytes},
    };
    tlw_exit_code code = TLW_EXIT_OK;
    for (size_t i = 0; i < FILE_COUNT && code == TLW_EXIT_OK; ++i) {
        code = tlw_output_file_begin(run->command, &files[i], contents[i].path);
        if (files[i].is_begun && contents[i].bytes) { // the commit tells whether the write failed
            (void)write_piece(contents[i].bytes, contents[i].size, &files[i].writer);
        }
    }
    if (files[PICTURE].is_begun && code == TLW_EXIT_OK) {
        code = draw(run, &files[PICTURE]);
    }
    if (code == TLW_EXIT_OK) {
        code = tlw_output_files_commit(run->command, files, FILE_COUNT);
    }
    for (size_t i = 0; i < FILE_COUNT; ++i) {
        tlw_output_file_abandon(&files[i]);
    }
    return code;
}

tlw_exit_code tlw_cook_write_outputs(const tlw_cook_run* run) {
    const tlw_cook_arguments* arguments = &run->arguments;
    cook_files* to = calloc(1, sizeof *to); // too large for the stack
    if (to) {
        to->depfile = tlw_cook_make_depfile(run);
        to->report = tlw_cook_make_report(run);
    }
    tlw_exit_code code =
        to == NULL || to->depfile.out_of_memory || to->report == NULL
            ? tlw_command_fail(run->command, TLW_EXIT_CANNOT_WRITE, "out of memory")
            : write_files(run, to);
    if (code == TLW_EXIT_OK && (arguments->is_verbose || arguments->is_dry_run) &&
        !arguments->is_quiet) {
        printf("%s\n", to->report);
        code = tlw_output_flush(run->command);
    }
    if (to) {
        free(to->report);
        tlw_text_free(&to->depfile);
        free(to);
    }
    return code;
}
