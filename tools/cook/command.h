// SPDX-License-Identifier: MIT
// What commands that cook share: tallow-cook and tallow-view.
#ifndef TLW_TOOLS_COOK_COMMAND_H
#define TLW_TOOLS_COOK_COMMAND_H

#include "tools/asset/asset.h"
#include "tools/asset/to_cook.h"
#include "tools/command/command.h"
#include "tools/command/text.h"
#include "tools/cook/cook.h"
#include "tools/cook/shard.h"
#include "tools/recipe/recipe.h"

typedef struct tlw_cook_arguments {
    const char *input, *recipe, *output, *depfile, *report, *picture, *explain;
    const char *list, *summary;                // with a list: input, recipe and files are null
    tlw_shard shard;                           // of the list
    uint32_t threads;                          // 0: as many as cores
    uint32_t import_seconds, import_megabytes; // 0: tlw_default_asset_limits
    bool is_dry_run, is_quiet, is_verbose;
} tlw_cook_arguments;

// Everything that a cook reads and makes.
typedef struct tlw_cook_run {
    const tlw_command* command; // that says what went wrong
    // Gets the progress of cooking; null: it is shown on stderr.
    tlw_cook_progress* progress;
    // Is told each file that was read, with XXH64 of its bytes, also where the cook then fails; 0:
    // tlw_asset_importer read it. A path may come twice. Null: nobody asks.
    void (*note_file)(const char* path, uint64_t hash, void* user);
    void* user; // for progress and note_file
    // Called once the recipe and the asset were read, before anything is cooked; null, or it may
    // end the run with another code than TLW_EXIT_OK, after saying why.
    tlw_exit_code (*was_read)(const struct tlw_cook_run* run, void* user);
    void* was_read_user;
    tlw_cook_arguments arguments;
    tlw_recipe recipe;
    tlw_asset* asset;
    tlw_asset_cook from;
    tlw_cook_output output;
} tlw_cook_run;

// Reads the recipe and the asset that the arguments name, and cooks. Free the run also after a
// failure, about which everything has been said.
tlw_exit_code tlw_cook_run_files(tlw_cook_run* run);
// Reads the files without cooking, and calls was_read for each. The run has to be freed afterwards
// as usual.
tlw_exit_code tlw_cook_run_read(tlw_cook_run* run);
void tlw_cook_run_free(tlw_cook_run* run);

// What the report says, as JSON. The caller frees it; null if out of memory.
char* tlw_cook_make_report(const tlw_cook_run* run);
// What an artist should look at, on stderr, a line each.
void tlw_cook_print_remarks(const tlw_cook_run* run);
// Lists every file that was read, for Make and Ninja.
tlw_text tlw_cook_make_depfile(const tlw_cook_run* run);
// Prints what a key of recipes takes and means. False if there is no such key, after naming those
// that may have been meant on stderr.
bool tlw_cook_explain(const char* key);

#endif
