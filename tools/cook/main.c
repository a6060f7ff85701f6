// SPDX-License-Identifier: MIT
// tallow-cook: the cooking library as a command for build steps. Reads a glTF (or a format that
// Assimp reads) and a recipe with the files that it extends; writes a blob and, on request, a
// depfile, a report and a picture. If one of these files cannot be written, none is.
#include "tools/cook/list.h"

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
            "       tallow-cook --list FILE.json [--shard I/N] [--summary FILE.json] [options]\n"
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
            "  --list FILE         cooks what has changed of many characters: JSON, whose array\n"
            "                      'characters' has a row for each, with input and output and, if\n"
            "                      wanted, recipe, report, picture and depfile; paths start from\n"
            "                      the list's folder\n"
            "  --shard I/N         with --list: share I of N, 1 to N, for a farm; default: 1/1\n"
            "  --summary FILE      with --list: what became of each row, as JSON\n"
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
    OPTION_LIST,
    OPTION_SHARD,
    OPTION_SUMMARY,
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
    [OPTION_LIST] = {.name = "--list", .takes = "a file"},
    [OPTION_SHARD] = {.name = "--shard", .takes = "I/N, two numbers from 1 to 65536"},
    [OPTION_SUMMARY] = {.name = "--summary", .takes = "a file"},
    [OPTION_THREADS] = {.name = "--threads", .takes = "1 to 256"},
    [OPTION_IMPORT_SECONDS] = {.name = "--import-seconds", .takes = "1 to 86400"},
    [OPTION_IMPORT_MB] = {.name = "--import-mb", .takes = "1 to 1048576"},
    [OPTION_QUIET] = {.name = "--quiet"},
    [OPTION_VERBOSE] = {.name = "-v", .other = "--verbose"},
};

// What does not belong together, or is missing, without a list and with one.
static tlw_exit_code check_one(const tlw_cook_arguments* a, const tlw_arguments* given) {
    if (given->is_given[OPTION_SHARD]) {
        return tlw_command_mistake(&command, "nothing to share: there is no --list, but", "--shard",
                                   "");
    }
    if (a->summary) {
        return tlw_command_mistake(&command, "nothing to sum up: there is no --list, but",
                                   "--summary", "");
    }
    if (a->input == NULL) {
        return tlw_command_mistake(&command, "there is no", "INPUT", "");
    }
    if (a->output == NULL && !a->is_dry_run) {
        return tlw_command_mistake(&command, "where to? there is no", "-o",
                                   "; --dry-run needs none");
    }
    return TLW_EXIT_OK;
}

static tlw_exit_code check_list(const tlw_cook_arguments* a, const tlw_arguments* given) {
    static const int of_one[] = {OPTION_RECIPE, OPTION_OUTPUT,  OPTION_DEPFILE,
                                 OPTION_REPORT, OPTION_PICTURE, OPTION_DRY_RUN};
    for (size_t i = 0; i < TLW_COUNT_OF(of_one); ++i) {
        if (given->is_given[of_one[i]]) {
            return tlw_command_mistake(&command, "the rows of a list say that, not",
                                       options[of_one[i]].name, "");
        }
    }
    return a->input
               ? tlw_command_mistake(&command, "the rows of a list say that, not", a->input, "")
               : TLW_EXIT_OK;
}

static tlw_exit_code check_arguments(const tlw_cook_arguments* a, const tlw_arguments* given) {
    if (!TLW_HAVE_PICTURES && a->picture) {
        return tlw_command_mistake(&command, "this build draws no pictures:", a->picture, "");
    }
    return a->list ? check_list(a, given) : check_one(a, given);
}

// Where an option's text goes; null: it takes none.
static const char** text_of(int which, tlw_cook_arguments* out) {
    switch (which) {
    case OPTION_RECIPE:
        return &out->recipe;
    case OPTION_OUTPUT:
        return &out->output;
    case OPTION_DEPFILE:
        return &out->depfile;
    case OPTION_REPORT:
        return &out->report;
    case OPTION_PICTURE:
        return &out->picture;
    case OPTION_EXPLAIN:
        return &out->explain;
    case OPTION_LIST:
        return &out->list;
    case OPTION_SUMMARY:
        return &out->summary;
    default:
        return NULL;
    }
}

static bool take_number(int which, const char* value, tlw_cook_arguments* out) {
    return which == OPTION_SHARD     ? tlw_shard_parse(value, &out->shard)
           : which == OPTION_THREADS ? tlw_parse_count(value, 1, THREADS_MAX, &out->threads)
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
        const char** text = text_of(which, out);
        if (text) {
            // An unset variable of a build system arrives as an empty name.
            if (a.value[0] == 0 && which != OPTION_EXPLAIN) {
                *code = tlw_arguments_refuse(&a, "");
                return false;
            }
            *text = a.value;
            continue;
        }
        switch (which) {
        case OPTION_DRY_RUN:
            out->is_dry_run = true;
            break;
        case OPTION_SHARD:
        case OPTION_THREADS:
        case OPTION_IMPORT_SECONDS:
        case OPTION_IMPORT_MB:
            if (!take_number(which, a.value, out)) {
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
    if (out->explain == NULL) {
        *code = check_arguments(out, &a);
    }
    return *code == TLW_EXIT_OK;
}

static tlw_exit_code claim_sources(const tlw_cook_run* run, void* claims) {
    return tlw_cook_claim_sources(claims, run);
}

int main(int argc, char** argv) {
    tlw_cook_claims claims = {0};
    tlw_cook_run run = {.command = &command,
                        .was_read = claim_sources,
                        .was_read_user = &claims,
                        .arguments.shard = {1, 1}};
    tlw_exit_code code;
    if (!parse_arguments(argc, argv, &run.arguments, &code)) {
        return code;
    }
    if (run.arguments.explain) {
        return tlw_cook_explain(run.arguments.explain) ? tlw_output_flush(&command)
                                                       : TLW_EXIT_USAGE;
    }
    if (run.arguments.list) {
        return tlw_cook_list(&command, &run.arguments);
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
