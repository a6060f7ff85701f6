// SPDX-License-Identifier: MIT
// The files of cooks, told apart by what the system says of them.
#include "tools/cook/claims.h"

#include "platform/file.h"

#include <stdlib.h>
#include <string.h>

struct tlw_cook_claim {
    tlw_file_identity identity;
    const char* what; // "the recipe", "-o"
    bool is_written;
    char* path; // as it was given
};

static tlw_exit_code refuse(const tlw_command* command, const struct tlw_cook_claim* written,
                            const struct tlw_cook_claim* other) {
    return other->is_written
               ? tlw_command_fail(command, TLW_EXIT_USAGE, "%s '%s' and %s '%s' are one file",
                                  written->what, written->path, other->what, other->path)
               : tlw_command_fail(command, TLW_EXIT_USAGE,
                                  "%s '%s' would overwrite %s '%s'; nothing was written",
                                  written->what, written->path, other->what, other->path);
}

// A new last element; null without memory.
static struct tlw_cook_claim* append(tlw_cook_claims* claims, const char* path) {
    if (claims->count == claims->capacity) {
        const size_t capacity = claims->capacity ? 2 * claims->capacity : 16;
        struct tlw_cook_claim* grown = realloc(claims->claims, capacity * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        claims->claims = grown;
        claims->capacity = capacity;
    }
    struct tlw_cook_claim* claim = &claims->claims[claims->count];
    claim->path = malloc(strlen(path) + 1);
    if (claim->path == NULL) {
        return NULL;
    }
    strcpy(claim->path, path);
    claims->count += 1;
    return claim;
}

// A path that is null is no file.
static tlw_exit_code add(tlw_cook_claims* claims, const tlw_command* command, const char* what,
                         const char* path, bool is_written) {
    if (path == NULL) {
        return TLW_EXIT_OK;
    }
    struct tlw_cook_claim* claim = append(claims, path);
    if (claim == NULL) {
        return tlw_command_fail(command, TLW_EXIT_CANNOT_READ, "%s: out of memory", path);
    }
    claim->what = what;
    claim->is_written = is_written;
    claim->identity = tlw_file_identify(path);
    const struct tlw_cook_claim added = *claim;
    // Files that are only read need no comparison with one another: an asset can name many
    // pictures.
    const size_t count = is_written ? claims->count - 1 : claims->written;
    for (size_t i = 0; i < count; ++i) {
        const struct tlw_cook_claim* before = &claims->claims[i];
        if (tlw_file_is_same(&before->identity, &added.identity)) {
            return is_written ? refuse(command, &added, before) : refuse(command, before, &added);
        }
    }
    if (is_written) {
        *claim = claims->claims[claims->written];
        claims->claims[claims->written++] = added;
    }
    return TLW_EXIT_OK;
}

tlw_exit_code tlw_cook_claim_arguments(tlw_cook_claims* claims, const tlw_cook_run* run) {
    const tlw_cook_arguments* arguments = &run->arguments;
    const struct {
        const char *what, *path;
        bool is_written;
    } files[] = {{"the input", arguments->input, false},  {"the recipe", arguments->recipe, false},
                 {"--depfile", arguments->depfile, true}, {"--report", arguments->report, true},
                 {"--picture", arguments->picture, true}, {"-o", arguments->output, true}};
    tlw_exit_code code = TLW_EXIT_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(files) && code == TLW_EXIT_OK; ++i) {
        code = add(claims, run->command, files[i].what, files[i].path, files[i].is_written);
    }
    return code;
}

tlw_exit_code tlw_cook_each_source(const tlw_cook_run* run, tlw_cook_source* call, void* user) {
    const struct {
        const char* what;
        const char* const* paths;
        uint32_t count;
    } lists[] = {{"a file of the recipe,", run->recipe.files, run->recipe.file_count},
                 {"a file of the asset,", run->asset->files, run->asset->file_count},
                 {"a picture of the asset,", run->asset->pictures, run->asset->picture_count}};
    tlw_exit_code code = TLW_EXIT_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(lists); ++i) {
        for (uint32_t k = 0; k < lists[i].count && code == TLW_EXIT_OK; ++k) {
            code = call(lists[i].what, lists[i].paths[k], user);
        }
    }
    return code;
}

typedef struct claiming {
    tlw_cook_claims* claims;
    const tlw_command* command;
} claiming;

static tlw_exit_code claim_source(const char* what, const char* path, void* user) {
    const claiming* c = user;
    return add(c->claims, c->command, what, path, false);
}

tlw_exit_code tlw_cook_claim_sources(tlw_cook_claims* claims, const tlw_cook_run* run) {
    // Another cook may have made or replaced them since.
    for (size_t i = 0; i < claims->written; ++i) {
        claims->claims[i].identity = tlw_file_identify(claims->claims[i].path);
    }
    claiming c = {claims, run->command};
    return tlw_cook_each_source(run, claim_source, &c);
}

void tlw_cook_claims_free(tlw_cook_claims* claims) {
    for (size_t i = 0; i < claims->count; ++i) {
        free(claims->claims[i].path);
    }
    free(claims->claims);
    *claims = (tlw_cook_claims){0};
}
