// SPDX-License-Identifier: MIT
// tallow-cook: the cooking library as a command for build steps. Reads a glTF (or a format that
// Assimp reads) and a recipe with the files that it extends; writes a blob and, on request, a
// depfile, a report and a picture. If one of these files cannot be written, none is.
#include "tools/cook/command.h"

#include "tools/command/arguments.h"
#include "tools/command/number.h"
#include "tools/command/output_file.h"
#if TLW_HAVE_PICTURES
#    include "tools/inspect/inspect.h"
#endif

#include <stdlib.h>
#include <string.h>

// ---- The command line

#define THREADS_MAX 256u

static void print_usage(FILE* out) {
    fprintf(out,
            "usage: tallow-cook INPUT [-r RECIPE] -o OUT.tlw [options]\n"
            "       tallow-cook INPUT [-r RECIPE] --dry-run [options]\n"
            "       tallow-cook --explain KEY\n"
            "  -r, --recipe FILE   what the artist chose (tools/recipe/README.md); default: none\n"
            "  -o, --output FILE   the blob\n"
            "  --depfile FILE      what the blob was made from, for Make and Ninja\n"
            "  --report FILE       counts, parts, cuts and remarks as JSON\n"
            "  --picture FILE      layers, parts and firm parts as PNG, with counts\n"
            "  --dry-run           do everything, report it, and write neither blob nor depfile\n"
            "  --explain KEY       what a key of recipes takes, its default, what it means and "
            "why;\n"
            "                      a prefix lists the keys below it, all explains every key\n"
            "  --threads N         1 to 256; default: one per core. The bytes do not depend on it\n"
            "  --quiet             errors only\n"
            "  -v, --verbose       print the report's numbers\n");
}

static const tlw_command command = {
    .name = "tallow-cook",
    .print_usage = print_usage,
    .exit_codes = TLW_EXIT_BIT(TLW_EXIT_OK) | TLW_EXIT_BIT(TLW_EXIT_USAGE) |
                  TLW_EXIT_BIT(TLW_EXIT_CANNOT_READ) | TLW_EXIT_BIT(TLW_EXIT_BAD_ASSET) |
                  TLW_EXIT_BIT(TLW_EXIT_BAD_RECIPE) | TLW_EXIT_BIT(TLW_EXIT_CANNOT_WRITE)};

enum {
    OPTION_RECIPE,
    OPTION_OUTPUT,
    OPTION_DEPFILE,
    OPTION_REPORT,
    OPTION_PICTURE,
    OPTION_DRY_RUN,
    OPTION_EXPLAIN,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_COUNT
};

static const tlw_option options[OPTION_COUNT] = {
    [OPTION_RECIPE] = {.name = "-r", .other = "--recipe", .takes = "a file"},
    [OPTION_OUTPUT] = {.name = "-o", .other = "--output", .takes = "a file"},
    [OPTION_DEPFILE] = {.name = "--depfile", .takes = "a file"},
    [OPTION_REPORT] = {.name = "--report", .takes = "a file"},
    [OPTION_PICTURE] = {.name = "--picture", .takes = "a file"},
    [OPTION_DRY_RUN] = {.name = "--dry-run"},
    [OPTION_EXPLAIN] = {.name = "--explain", .takes = "a key of recipes"},
    [OPTION_THREADS] = {.name = "--threads", .takes = "1 to 256"},
    [OPTION_QUIET] = {.name = "--quiet"},
    [OPTION_VERBOSE] = {.name = "-v", .other = "--verbose"},
};

// False: end with *code, everything has been said.
static bool parse_arguments(int argc, char** argv, tlw_cook_arguments* out, tlw_exit_code* code) {
    tlw_arguments a = tlw_arguments_begin(&command, argc, argv, options, OPTION_COUNT);
    a.may_repeat = true; // build systems append options
    *code = TLW_EXIT_OK;
    for (int which; (which = tlw_arguments_next(&a)) != TLW_ARGUMENT_END;) {
        switch (which) {
        case OPTION_RECIPE:
            out->recipe = a.value;
            break;
        case OPTION_OUTPUT:
            out->output = a.value;
            break;
        case OPTION_DEPFILE:
            out->depfile = a.value;
            break;
        case OPTION_REPORT:
            out->report = a.value;
            break;
        case OPTION_PICTURE:
            if (!TLW_HAVE_PICTURES) {
                *code = tlw_command_mistake(&command, "this build draws no pictures:", a.value, "");
                return false;
            }
            out->picture = a.value;
            break;
        case OPTION_DRY_RUN:
            out->is_dry_run = true;
            break;
        case OPTION_EXPLAIN:
            out->explain = a.value;
            break;
        case OPTION_THREADS:
            if (!tlw_parse_count(a.value, 1, THREADS_MAX, &out->threads)) {
                *code = tlw_arguments_refuse(&a, "");
                return false;
            }
            break;
        case OPTION_QUIET:
            out->is_quiet = true;
            break;
        case OPTION_VERBOSE:
            out->is_verbose = true;
            break;
        case TLW_ARGUMENT_PLAIN:
            if (out->input) {
                *code = tlw_command_mistake(&command, "one input, and then", a.value, "");
                return false;
            }
            out->input = a.value;
            break;
        default:
            *code = a.exit_code;
            return false;
        }
    }
    if (out->explain != NULL) {
        return true;
    }
    if (out->input == NULL) {
        *code = tlw_command_mistake(&command, "there is no", "INPUT", "");
    } else if (out->output == NULL && !out->is_dry_run) {
        *code =
            tlw_command_mistake(&command, "where to? there is no", "-o", "; --dry-run needs none");
    }
    return *code == TLW_EXIT_OK;
}

// ---- Files

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
               : tlw_output_file_fail(&command, file,
                                      drawn == TLW_DRAWN_NO_MEMORY
                                          ? "out of memory"
                                          : "the grid is too large for a picture");
#else
    (void)run;
    (void)file;
    return TLW_EXIT_OK;
#endif
}

// All files are begun before any is committed: if one cannot be written, the others stay as they
// were. The blob is committed last, so that a process that sees the new blob sees its files too.
static tlw_exit_code write_all(const tlw_cook_run* run) {
    enum { DEPFILE, REPORT, PICTURE, BLOB, FILE_COUNT };
    static tlw_output_file files[FILE_COUNT];
    const tlw_cook_arguments* arguments = &run->arguments;
    tlw_text depfile = tlw_cook_make_depfile(run);
    char* report = tlw_cook_make_report(run);
    // A dry run leaves nothing that a build step would take for its result.
    const struct {
        const char* path;
        const void* bytes; // null: drawn
        size_t size;
    } contents[FILE_COUNT] = {
        [DEPFILE] = {arguments->is_dry_run ? NULL : arguments->depfile, depfile.bytes,
                     depfile.used},
        [REPORT] = {arguments->report, report, report ? strlen(report) : 0},
        [PICTURE] = {arguments->picture, NULL, 0},
        [BLOB] = {arguments->is_dry_run ? NULL : arguments->output, run->output.blob,
                  run->output.blob_bytes},
    };
    tlw_exit_code code = depfile.out_of_memory || report == NULL
                             ? tlw_command_fail(&command, TLW_EXIT_CANNOT_WRITE, "out of memory")
                             : TLW_EXIT_OK;
    for (size_t i = 0; i < FILE_COUNT && code == TLW_EXIT_OK; ++i) {
        code = tlw_output_file_begin(&command, &files[i], contents[i].path);
        if (files[i].is_begun && contents[i].bytes) { // the commit tells whether the write failed
            (void)write_piece(contents[i].bytes, contents[i].size, &files[i].writer);
        }
    }
    if (files[PICTURE].is_begun && code == TLW_EXIT_OK) {
        code = draw(run, &files[PICTURE]);
    }
    for (size_t i = 0; i < FILE_COUNT; ++i) {
        if (code == TLW_EXIT_OK) {
            code = tlw_output_file_commit(&command, &files[i]);
        }
        tlw_output_file_abandon(&files[i]);
    }
    if (code == TLW_EXIT_OK && (arguments->is_verbose || arguments->is_dry_run) &&
        !arguments->is_quiet) {
        printf("%s\n", report);
        code = tlw_output_flush(&command);
    }
    free(report);
    tlw_text_free(&depfile);
    return code;
}

int main(int argc, char** argv) {
    tlw_cook_run run = {.command = &command};
    tlw_exit_code code;
    if (!parse_arguments(argc, argv, &run.arguments, &code)) {
        return code;
    }
    if (run.arguments.explain) {
        return tlw_cook_explain(run.arguments.explain) ? tlw_output_flush(&command)
                                                       : TLW_EXIT_USAGE;
    }
    code = tlw_cook_run_files(&run);
    if (code == TLW_EXIT_OK) {
        code = write_all(&run);
    }
    if (code == TLW_EXIT_OK) {
        tlw_cook_print_remarks(&run);
    }
    tlw_cook_run_free(&run);
    return code;
}
