// SPDX-License-Identifier: MIT
// tallow-sample: writes the sample characters as GLB files, and the recipe of those that have one,
// each file completely or not at all.
#include "tools/sample/sample.h"

#include "platform/file.h"
#include "tools/command/arguments.h"

#include <stdlib.h>
#include <string.h>

static void print_usage(FILE* out) {
    fprintf(
        out,
        "usage: tallow-sample [--variant NAME] [-o FILE] [--recipe FILE] [--all FOLDER] [--help]\n"
        "  --variant NAME  which character: ");
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        fprintf(out, "%s%s", v ? ", " : "", tlw_sample_variant_name((tlw_sample_variant)v));
    }
    fprintf(out,
            " (the first by default)\n"
            "  -o FILE         where to write it (NAME.glb by default)\n"
            "  --recipe FILE   where to write its recipe, with muscles; only athletic has one\n"
            "  --all FOLDER    all of them, FOLDER/NAME.glb, and recipes, FOLDER/NAME.json;\n"
            "                  the folder must exist\n");
}

static const tlw_command command = {
    .name = "tallow-sample",
    .print_usage = print_usage,
    .exit_codes = TLW_EXIT_BIT(TLW_EXIT_OK) | TLW_EXIT_BIT(TLW_EXIT_FAILED) |
                  TLW_EXIT_BIT(TLW_EXIT_USAGE) | TLW_EXIT_BIT(TLW_EXIT_CANNOT_WRITE)};

enum { OPTION_VARIANT, OPTION_OUTPUT, OPTION_RECIPE, OPTION_ALL, OPTION_COUNT };

static const tlw_option options[OPTION_COUNT] = {
    [OPTION_VARIANT] = {.name = "--variant",
                        .takes = "a name",
                        .missing = "a character's name must follow",
                        .mistake = "unknown variant"},
    [OPTION_OUTPUT] = {.name = "-o", .takes = "a file", .missing = "a file name must follow"},
    [OPTION_RECIPE] = {.name = "--recipe", .takes = "a file", .missing = "a file name must follow"},
    [OPTION_ALL] = {.name = "--all", .takes = "a folder", .missing = "a folder must follow"},
};

static bool find_variant(const char* name, tlw_sample_variant* variant) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        if (strcmp(name, tlw_sample_variant_name((tlw_sample_variant)v)) == 0) {
            *variant = (tlw_sample_variant)v;
            return true;
        }
    }
    return false;
}

static tlw_exit_code write_file(const char* path, const void* bytes, size_t size) {
    tlw_file_error error;
    return tlw_file_replace(path, bytes, size, &error) == TLW_OK
               ? TLW_EXIT_OK
               : tlw_command_fail(&command, TLW_EXIT_CANNOT_WRITE, "%s", error.message);
}

static tlw_exit_code write_variant(tlw_sample_variant variant, const char* path) {
    tlw_sample_def def = tlw_default_sample_def(variant);
    uint8_t* bytes;
    size_t size;
    tlw_result result = tlw_sample_build(&def, &bytes, &size);
    if (result != TLW_OK) {
        return tlw_command_fail(&command, TLW_EXIT_FAILED, "cannot build '%s': %s",
                                tlw_sample_variant_name(variant), tlw_result_meaning(result));
    }
    const tlw_exit_code code = write_file(path, bytes, size);
    free(bytes);
    return code;
}

// Writes FOLDER/NAME.glb of a variant, and FOLDER/NAME.json where it has a recipe.
static tlw_exit_code write_into(const char* folder, tlw_sample_variant variant) {
    char path[TLW_PATH_MAX];
    const char* name = tlw_sample_variant_name(variant);
    const int count = snprintf(path, sizeof path, "%s/%s.json", folder, name);
    if (count < 0 || (size_t)count >= sizeof path) {
        return tlw_command_fail(&command, TLW_EXIT_CANNOT_WRITE,
                                "cannot write '%s': the path is too long", folder);
    }
    const char* recipe = tlw_sample_recipe(variant);
    const tlw_exit_code code = recipe ? write_file(path, recipe, strlen(recipe)) : TLW_EXIT_OK;
    snprintf(path, sizeof path, "%s/%s.glb", folder, name);
    return code == TLW_EXIT_OK ? write_variant(variant, path) : code;
}

static tlw_exit_code write_all(const char* folder) {
    tlw_exit_code code = TLW_EXIT_OK;
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT && code == TLW_EXIT_OK; ++v) {
        code = write_into(folder, (tlw_sample_variant)v);
    }
    return code;
}

int main(int argc, char** argv) {
    tlw_sample_variant variant = (tlw_sample_variant)0;
    const char* path = NULL;
    const char* folder = NULL;
    const char* recipe_path = NULL;
    tlw_arguments a = tlw_arguments_begin(&command, argc, argv, options, OPTION_COUNT);
    a.may_repeat = true;
    for (int which; (which = tlw_arguments_next(&a)) != TLW_ARGUMENT_END;) {
        switch (which) {
        case OPTION_VARIANT:
            if (!find_variant(a.value, &variant)) {
                return tlw_arguments_refuse(&a, "");
            }
            break;
        case OPTION_OUTPUT:
            path = a.value;
            break;
        case OPTION_RECIPE:
            recipe_path = a.value;
            break;
        case OPTION_ALL:
            folder = a.value;
            break;
        case TLW_ARGUMENT_PLAIN:
            return tlw_command_mistake(&command, "unexpected argument", a.value, "");
        default:
            return a.exit_code;
        }
    }
    if (folder != NULL) {
        if (path != NULL || recipe_path != NULL || a.is_given[OPTION_VARIANT]) {
            return tlw_command_mistake(&command,
                                       "--all writes every variant; it cannot be joined by",
                                       path != NULL                 ? "-o"
                                       : a.is_given[OPTION_VARIANT] ? "--variant"
                                                                    : "--recipe",
                                       "");
        }
        return write_all(folder);
    }
    if (recipe_path != NULL) {
        const char* recipe = tlw_sample_recipe(variant);
        if (recipe == NULL) {
            return tlw_command_mistake(&command, "there is no recipe for",
                                       tlw_sample_variant_name(variant), "");
        }
        const tlw_exit_code code = write_file(recipe_path, recipe, strlen(recipe));
        if (code != TLW_EXIT_OK) {
            return code;
        }
    }
    char own_path[64];
    if (path == NULL) {
        snprintf(own_path, sizeof own_path, "%s.glb", tlw_sample_variant_name(variant));
        path = own_path;
    }
    return write_variant(variant, path);
}
