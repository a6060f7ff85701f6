// SPDX-License-Identifier: MIT
// tallow-cook: the cooking library as a command for build steps. Reads a glTF (or a format that
// Assimp reads) and a recipe with the files that it extends; writes a blob and, on request, a
// depfile, a report and a picture. If one of these files cannot be written, none is.
#include "tools/cook/command.h"

#include "tools/command/arguments.h"
#include "tools/command/number.h"
#include "tools/command/output_file.h"
#include "tools/cook/claims.h"
#include "tools/cook/outputs.h"

#define THREADS_MAX        256u
#define IMPORT_SECONDS_MAX 86400u
#define IMPORT_MB_MAX      1048576u

static void print_usage(FILE* out) {
    fprintf(out,
            "usage: tallow-cook INPUT [-r RECIPE] -o OUT.tlw [options]\n"
            "       tallow-cook INPUT [-r RECIPE] --dry-run [options]\n"
            "       tallow-cook --explain KEY\n"
            "  -r, --recipe FILE   what the artist chose; default: none\n"
            "  -o, --output FILE   the blob\n"
            "  --depfile FILE      what the blob was made from, for Make and Ninja\n"
            "  --report FILE       counts, parts, cuts and remarks as JSON\n"
            "  --picture FILE      layers, parts and firm parts as PNG, with counts\n"
            "  --dry-run           do everything, report it, and write neither blob nor depfile\n"
            "  --explain KEY       what a key of recipes takes, its default, what it means and "
            "why;\n"
            "                      a prefix lists the keys below it, all explains every key\n"
            "  --threads N         1 to 256; default: one per core. The bytes do not depend on it\n"
            "  --import-seconds S  how long reading an FBX or Collada file may take; default: 60\n"
            "  --import-mb M       and how many MB of memory (Linux); default: 2048\n"
            "  --quiet             errors only\n"
            "  -v, --verbose       print the report's numbers\n"
            "recipes are described in " TLW_DOC_FOLDER "/RECIPE.md beside the folder of this\n"
            "program, and for editors in " TLW_DATA_FOLDER "/recipe.schema.json\n");
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
    OPTION_IMPORT_SECONDS,
    OPTION_IMPORT_MB,
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
    [OPTION_IMPORT_SECONDS] = {.name = "--import-seconds", .takes = "1 to 86400"},
    [OPTION_IMPORT_MB] = {.name = "--import-mb", .takes = "1 to 1048576"},
    [OPTION_QUIET] = {.name = "--quiet"},
    [OPTION_VERBOSE] = {.name = "-v", .other = "--verbose"},
};

static bool take_count(int which, const char* value, tlw_cook_arguments* out) {
    return which == OPTION_THREADS ? tlw_parse_count(value, 1, THREADS_MAX, &out->threads)
           : which == OPTION_IMPORT_SECONDS
               ? tlw_parse_count(value, 1, IMPORT_SECONDS_MAX, &out->import_seconds)
               : tlw_parse_count(value, 1, IMPORT_MB_MAX, &out->import_megabytes);
}

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
        case OPTION_IMPORT_SECONDS:
        case OPTION_IMPORT_MB:
            if (!take_count(which, a.value, out)) {
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

static tlw_exit_code claim_sources(const tlw_cook_run* run, void* claims) {
    return tlw_cook_claim_sources(claims, run);
}

int main(int argc, char** argv) {
    tlw_cook_claims claims = {0};
    tlw_cook_run run = {.command = &command, .was_read = claim_sources, .was_read_user = &claims};
    tlw_exit_code code;
    if (!parse_arguments(argc, argv, &run.arguments, &code)) {
        return code;
    }
    if (run.arguments.explain) {
        return tlw_cook_explain(run.arguments.explain) ? tlw_output_flush(&command)
                                                       : TLW_EXIT_USAGE;
    }
    code = tlw_cook_claim_arguments(&claims, &run);
    if (code == TLW_EXIT_OK) {
        code = tlw_cook_run_files(&run);
    }
    if (code == TLW_EXIT_OK) {
        code = tlw_cook_write_outputs(&run);
    }
    if (code == TLW_EXIT_OK) {
        tlw_cook_print_remarks(&run);
    }
    tlw_cook_run_free(&run);
    tlw_cook_claims_free(&claims);
    return code;
}
