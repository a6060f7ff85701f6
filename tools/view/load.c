// SPDX-License-Identifier: MIT
// Reads the character that the command line names: a blob as it is, anything else by the cooker,
// whose messages and exit codes these are.
#include "tools/view/app.h"

#include "tools/cook/command.h"

#include <stdio.h>
#include <string.h>

static tlw_exit_code fail(const tlw_scene_error* error) {
    return tlw_command_fail(&tlw_view_command, tlw_scene_exit_code(error->code), "%s",
                            error->message);
}

// By its first bytes. A file that is none of both is told by its name.
static bool is_blob(const char* path) {
    char start[sizeof TLW_BLOB_MAGIC] = "";
    FILE* file = fopen(path, "rb");
    const size_t read = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    const char* ending = strrchr(path, '.');
    return (read == sizeof start - 1 && memcmp(start, TLW_BLOB_MAGIC, read) == 0) ||
           (ending && strcmp(ending, ".tlw") == 0);
}

static tlw_exit_code read_motion(const tlw_view_options* options, tlw_actor* actor) {
    tlw_asset* asset;
    tlw_asset_error error;
    const tlw_asset_code code = tlw_asset_load(options->motion, NULL, &asset, &error);
    if (code != TLW_ASSET_OK) {
        return tlw_command_fail(&tlw_view_command, tlw_asset_exit_code(code), "%s: %s",
                                options->motion, error.message);
    }
    tlw_scene_error scene_error;
    return tlw_actor_set_motion(actor, asset, options->motion, &scene_error) == TLW_SCENE_OK
               ? TLW_EXIT_OK
               : fail(&scene_error);
}

static tlw_exit_code cook(const tlw_view_options* options, tlw_actor* actor) {
    tlw_cook_run run = {.command = &tlw_view_command,
                        .arguments = {.input = options->file, .recipe = options->recipe}};
    tlw_scene_error error;
    tlw_exit_code code = tlw_cook_run_files(&run);
    if (code == TLW_EXIT_OK && tlw_actor_open(actor, options->file, run.output.blob,
                                              run.output.blob_bytes, &error) != TLW_SCENE_OK) {
        code = fail(&error);
    }
    if (code == TLW_EXIT_OK && options->motion[0] == 0) {
        tlw_asset* asset = run.asset;
        run.asset = NULL; // the actor owns it from now on
        if (tlw_actor_set_motion(actor, asset, options->file, &error) != TLW_SCENE_OK) {
            code = fail(&error);
        }
    }
    tlw_cook_run_free(&run);
    return code;
}

tlw_exit_code tlw_view_load(const tlw_view_options* options, tlw_actor* actor) {
    tlw_exit_code code;
    if (!is_blob(options->file)) {
        code = cook(options, actor);
    } else if (options->recipe) {
        code =
            tlw_command_mistake(&tlw_view_command, "a blob is cooked already; there is no use for",
                                options->recipe, "");
    } else {
        tlw_scene_error error;
        code = tlw_actor_read(actor, options->file, NULL, &error) == TLW_SCENE_OK ? TLW_EXIT_OK
                                                                                  : fail(&error);
    }
    return code == TLW_EXIT_OK && options->motion[0] ? read_motion(options, actor) : code;
}
