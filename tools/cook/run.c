// SPDX-License-Identifier: MIT
// From files to a blob in memory, for commands that cook: reads a recipe with the files that it
// extends and an asset, and cooks. Says what went wrong under the name of the command.
#include "tools/cook/command.h"

#include "jobs/task_system.h"
#include "platform/file.h"
#include "platform/thread.h"
#include "runtime/blob.h"
#include "tools/command/memory.h"
#include "tools/command/progress.h"

#include <stdlib.h>
#include <string.h>

static tlw_result load_file(const char* path, const void** bytes, size_t* size,
                            char why[TLW_RECIPE_WHY_BYTES], void* user) {
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.limit_bytes = TLW_RECIPE_BYTES_MAX;
    def.grow = tlw_heap_grow;
    uint8_t* read;
    tlw_file_error error;
    const tlw_cook_run* run = user;
    const tlw_result result = tlw_file_read(&def, &read, size, &error);
    if (result == TLW_OK && run->note_file) {
        run->note_file(path, tlw_xxh64(read, *size, 0), run->user);
    }
    *bytes = result == TLW_OK ? read : NULL;
    snprintf(why, TLW_RECIPE_WHY_BYTES, "%s", result == TLW_OK ? "" : error.message);
    return result;
}

static void release_file(const void* bytes, size_t size, void* user) {
    tlw_heap_grow((void*)bytes, size, 0, user);
}

static tlw_exit_code read_recipe(tlw_cook_run* run) {
    const tlw_recipe_loader loader = {load_file, release_file, run};
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
    return tlw_command_fail(run->command, is_bad ? TLW_EXIT_BAD_RECIPE : TLW_EXIT_CANNOT_READ, "%s",
                            error.message);
}

static tlw_exit_code load_asset(tlw_cook_run* run) {
    tlw_asset_limits limits = tlw_default_asset_limits();
    if (run->arguments.import_seconds > 0) {
        limits.import_seconds = run->arguments.import_seconds;
    }
    if (run->arguments.import_megabytes > 0) {
        limits.import_bytes = (uint64_t)run->arguments.import_megabytes << 20;
    }
    tlw_asset_error error;
    const tlw_asset_code code = tlw_asset_load(run->arguments.input, &limits, &run->asset, &error);
    for (uint32_t i = 0; code == TLW_ASSET_OK && run->note_file && i < run->asset->file_count;
         ++i) {
        run->note_file(run->asset->files[i], run->asset->file_hashes[i], run->user);
    }
    return code == TLW_ASSET_OK ? TLW_EXIT_OK
                                : tlw_command_fail(run->command, tlw_asset_exit_code(code),
                                                   "%s: %s", run->arguments.input, error.message);
}

static tlw_exit_code tell_what_was_read(tlw_cook_run* run) {
    return run->was_read ? run->was_read(run, run->was_read_user) : TLW_EXIT_OK;
}

// A mistake of the recipe that shows only now: its place, if the recipe gives the key, otherwise
// the recipe's name and the key.
static tlw_exit_code blame_recipe(const tlw_cook_run* run, const char* key, const char* message) {
    const char* place = tlw_recipe_place(&run->recipe, key);
    const char* file = run->arguments.recipe ? run->arguments.recipe : run->arguments.input;
    return place ? tlw_command_fail(run->command, TLW_EXIT_BAD_RECIPE, "%s: %s", place, message)
                 : tlw_command_fail(run->command, TLW_EXIT_BAD_RECIPE, "%s: %s%s%s", file, key,
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
        return tlw_command_fail(run->command, TLW_EXIT_BAD_ASSET, "out of memory");
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
        return tlw_command_fail(run->command, tlw_asset_exit_code(code), "%s: %s",
                                run->arguments.input, error.message);
    }
    tlw_recipe_error recipe_error;
    if (tlw_recipe_choose_joints(recipe, run->from.input.joints, run->from.input.joint_count,
                                 &recipe_error) != TLW_OK) {
        return tlw_command_fail(run->command, TLW_EXIT_BAD_RECIPE, "%s", recipe_error.message);
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
    char before[512];
    snprintf(before, sizeof before, "%s: %s", run->command->name, arguments->input);
    tlw_progress shown = tlw_progress_begin(before);
    if (run->progress) {
        cook_options.progress = run->progress;
        cook_options.user = run->user;
    } else if (!arguments->is_quiet) {
        cook_options.progress = tlw_progress_show;
        cook_options.user = &shown;
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
                               : tlw_command_fail(run->command, TLW_EXIT_BAD_ASSET, "%s: %s",
                                                  arguments->input, error->message);
}

typedef tlw_exit_code step(tlw_cook_run* run);

static tlw_exit_code take_steps(tlw_cook_run* run, step* const* steps, size_t count) {
    tlw_exit_code code = TLW_EXIT_OK;
    for (size_t i = 0; i < count && code == TLW_EXIT_OK; ++i) {
        code = steps[i](run);
    }
    return code;
}

tlw_exit_code tlw_cook_run_read(tlw_cook_run* run) {
    static step* const steps[] = {read_recipe, load_asset, tell_what_was_read};
    return take_steps(run, steps, TLW_COUNT_OF(steps));
}

tlw_exit_code tlw_cook_run_files(tlw_cook_run* run) {
    static step* const steps[] = {tlw_cook_run_read, convert, cook};
    return take_steps(run, steps, TLW_COUNT_OF(steps));
}

void tlw_cook_run_free(tlw_cook_run* run) {
    tlw_cook_output_free(&run->output);
    tlw_asset_cook_free(&run->from);
    tlw_asset_free(run->asset);
    tlw_recipe_free(&run->recipe);
}
