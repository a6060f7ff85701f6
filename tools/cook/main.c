// SPDX-License-Identifier: MIT
// tallow-cook: the cooking library as a command for build steps. Reads a glTF (or a format that
// Assimp reads) and a recipe with the files that it extends; writes a blob and, on request, a
// depfile, a report and a picture. If one of these files cannot be written, none is.
#include "tools/cook/command.h"

#include "jobs/task_system.h"
#include "platform/thread.h"
#include "tools/command/arguments.h"
#include "tools/command/memory.h"
#include "tools/command/number.h"
#include "tools/command/output_file.h"
#include "tools/command/progress.h"
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

// ---- Reading and cooking

static tlw_result load_file(const char* path, const void** bytes, size_t* size,
                            char why[TLW_RECIPE_WHY_BYTES], void* user) {
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.limit_bytes = TLW_RECIPE_BYTES_MAX;
    def.grow = tlw_heap_grow;
    uint8_t* read;
    tlw_file_error error;
    (void)user;
    const tlw_result result = tlw_file_read(&def, &read, size, &error);
    *bytes = result == TLW_OK ? read : NULL;
    snprintf(why, TLW_RECIPE_WHY_BYTES, "%s", result == TLW_OK ? "" : error.message);
    return result;
}

static void release_file(const void* bytes, size_t size, void* user) {
    tlw_heap_grow((void*)bytes, size, 0, user);
}

static tlw_exit_code read_recipe(tlw_cook_run* run) {
    static const tlw_recipe_loader loader = {load_file, release_file, NULL};
    run->recipe = tlw_default_recipe();
    if (run->arguments.recipe == NULL) {
        return TLW_EXIT_OK;
    }
    tlw_recipe_error error;
    const tlw_result result =
        tlw_recipe_read_file(run->arguments.recipe, &loader, &run->recipe, &error);
    if (result == TLW_OK) {
        return TLW_EXIT_OK;
    }
    const bool is_bad = result == TLW_ERROR_BAD_ARGUMENT || result == TLW_ERROR_TOO_LARGE;
    return tlw_command_fail(&command, is_bad ? TLW_EXIT_BAD_RECIPE : TLW_EXIT_CANNOT_READ, "%s",
                            error.message);
}

static tlw_exit_code load_asset(tlw_cook_run* run) {
    const tlw_asset_limits limits = tlw_default_asset_limits();
    tlw_asset_error error;
    const tlw_asset_code code = tlw_asset_load(run->arguments.input, &limits, &run->asset, &error);
    return code == TLW_ASSET_OK ? TLW_EXIT_OK
                                : tlw_command_fail(&command, tlw_asset_exit_code(code), "%s: %s",
                                                   run->arguments.input, error.message);
}

// A mistake of the recipe that shows only now: its place, if the recipe gives the key, otherwise
// the recipe's name and the key.
static tlw_exit_code blame_recipe(const tlw_cook_run* run, const char* key, const char* message) {
    const char* place = tlw_recipe_place(&run->recipe, key);
    const char* file = run->arguments.recipe ? run->arguments.recipe : run->arguments.input;
    return place ? tlw_command_fail(&command, TLW_EXIT_BAD_RECIPE, "%s: %s", place, message)
                 : tlw_command_fail(&command, TLW_EXIT_BAD_RECIPE, "%s: %s%s%s", file, key,
                                    key[0] ? ": " : "", message);
}

// The importer names its own options, "included[2]: ...". A recipe has other names for them.
static tlw_exit_code blame_option(const tlw_cook_run* run, const char* message) {
    static const char* const names[][2] = {{"roles", "meshes.roles"},
                                           {"included", "meshes.include"},
                                           {"excluded", "meshes.exclude"},
                                           {"paint", "paint"},
                                           {"metres_per_unit", "metres_per_unit"}};
    for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
        const size_t length = strlen(names[i][0]), end = strcspn(message, ":");
        if (strncmp(message, names[i][0], length) == 0 && strchr("[.:", message[length]) &&
            message[end] != 0) {
            char key[128];
            snprintf(key, sizeof key, "%s%.*s", names[i][1], (int)(end - length), message + length);
            return blame_recipe(run, key, message + end + (message[end + 1] == ' ' ? 2 : 1));
        }
    }
    return blame_recipe(run, "", message);
}

// Passes the recipe's roles and names to the importer, and its joints back to the recipe.
static tlw_exit_code convert(tlw_cook_run* run) {
    tlw_recipe* recipe = &run->recipe;
    tlw_asset_role* roles = calloc(recipe->role_count + 1, sizeof *roles);
    if (roles == NULL) {
        return tlw_command_fail(&command, TLW_EXIT_BAD_ASSET, "out of memory");
    }
    for (uint32_t i = 0; i < recipe->role_count; ++i) {
        roles[i] = (tlw_asset_role){recipe->roles[i].name, recipe->roles[i].role};
    }
    tlw_asset_cook_options to_cook = tlw_default_asset_cook_options();
    to_cook.roles = roles;
    to_cook.role_count = recipe->role_count;
    to_cook.included = recipe->included_meshes;
    to_cook.included_count = recipe->included_mesh_count;
    to_cook.excluded = recipe->excluded_meshes;
    to_cook.excluded_count = recipe->excluded_mesh_count;
    to_cook.metres_per_unit = recipe->metres_per_unit;
    for (int i = 0; i < TLW_COOK_PAINTS; ++i) {
        to_cook.paint[i] = recipe->paint[i];
    }
    tlw_asset_error error;
    const tlw_asset_code code = tlw_asset_to_cook(run->asset, &to_cook, &run->from, &error);
    free(roles);
    if (code == TLW_ASSET_BAD_OPTION) {
        return blame_option(run, error.message);
    }
    if (code != TLW_ASSET_OK) {
        return tlw_command_fail(&command, tlw_asset_exit_code(code), "%s: %s", run->arguments.input,
                                error.message);
    }
    tlw_recipe_error recipe_error;
    if (tlw_recipe_choose_joints(recipe, run->from.input.joints, run->from.input.joint_count,
                                 &recipe_error) != TLW_OK) {
        return tlw_command_fail(&command, TLW_EXIT_BAD_RECIPE, "%s", recipe_error.message);
    }
    return TLW_EXIT_OK;
}

static tlw_exit_code cook(tlw_cook_run* run) {
    const tlw_cook_arguments* arguments = &run->arguments;
    tlw_cook_options cook_options = tlw_default_cook_options();
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    tlw_jobs_tasks* jobs = NULL;
    if (scheduler) {
        enkiInitTaskSchedulerNumThreads(scheduler,
                                        arguments->threads ? arguments->threads : tlw_core_count());
        jobs = tlw_jobs_tasks_create(scheduler);
    }
    if (jobs) { // without a scheduler it cooks serially, to the same bytes
        cook_options.tasks = tlw_jobs_task_system(jobs);
    }
    if (!arguments->is_quiet && tlw_progress_is_visible()) {
        cook_options.progress = tlw_progress_show;
    }
    const tlw_result result =
        tlw_cook_character(&run->from.input, &run->recipe.cook, &cook_options, &run->output);
    if (jobs) {
        tlw_jobs_tasks_destroy(jobs);
    }
    if (scheduler) {
        enkiDeleteTaskScheduler(scheduler);
    }
    if (result == TLW_OK) {
        return TLW_EXIT_OK;
    }
    const tlw_cook_error* error = &run->output.error;
    return error->is_of_recipe ? blame_recipe(run, error->key, error->message)
                               : tlw_command_fail(&command, TLW_EXIT_BAD_ASSET, "%s: %s",
                                                  arguments->input, error->message);
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
    static tlw_exit_code (*const steps[])(tlw_cook_run * run) = {read_recipe, load_asset, convert,
                                                                 cook};
    tlw_cook_run run = {.asset = NULL};
    tlw_exit_code code;
    if (!parse_arguments(argc, argv, &run.arguments, &code)) {
        return code;
    }
    if (run.arguments.explain) {
        return tlw_cook_explain(run.arguments.explain) ? tlw_output_flush(&command)
                                                       : TLW_EXIT_USAGE;
    }
    for (size_t i = 0; i < TLW_COUNT_OF(steps) && code == TLW_EXIT_OK; ++i) {
        code = steps[i](&run);
    }
    if (code == TLW_EXIT_OK) {
        code = write_all(&run);
    }
    if (code == TLW_EXIT_OK) {
        tlw_cook_print_remarks(&run);
    }
    tlw_cook_output_free(&run.output);
    tlw_asset_cook_free(&run.from);
    tlw_asset_free(run.asset);
    tlw_recipe_free(&run.recipe);
    return code;
}
