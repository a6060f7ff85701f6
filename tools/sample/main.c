// SPDX-License-Identifier: MIT
// tallow-sample: writes the sample characters as GLB files, each as one step.
#include "tools/sample/sample.h"

#include "platform/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_CANNOT_WRITE = 6 };

static void print_usage(FILE* out) {
    fprintf(out, "usage: tallow-sample [--variant NAME] [-o FILE] [--all FOLDER] [--help]\n"
                 "  --variant NAME  which character: ");
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        fprintf(out, "%s%s", v ? ", " : "", tlw_sample_variant_name((tlw_sample_variant)v));
    }
    fprintf(out, " (the first by default)\n"
                 "  -o FILE         where to write it (NAME.glb by default)\n"
                 "  --all FOLDER    all of them, FOLDER/NAME.glb; the folder must exist\n");
}

static int usage_error(const char* what, const char* argument) {
    fprintf(stderr, "tallow-sample: %s '%s'\n", what, argument);
    print_usage(stderr);
    return EXIT_USAGE;
}

static bool find_variant(const char* name, tlw_sample_variant* variant) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        if (strcmp(name, tlw_sample_variant_name((tlw_sample_variant)v)) == 0) {
            *variant = (tlw_sample_variant)v;
            return true;
        }
    }
    return false;
}

static int write_variant(tlw_sample_variant variant, const char* path) {
    tlw_sample_def def = tlw_default_sample_def(variant);
    uint8_t* bytes;
    size_t size;
    tlw_result result = tlw_sample_build(&def, &bytes, &size);
    if (result != TLW_OK) {
        fprintf(stderr, "tallow-sample: cannot build '%s': %s\n", tlw_sample_variant_name(variant),
                tlw_result_meaning(result));
        return EXIT_FAILED;
    }
    tlw_file_error error;
    result = tlw_file_replace(path, bytes, size, &error);
    free(bytes);
    if (result != TLW_OK) {
        fprintf(stderr, "tallow-sample: %s\n", error.message);
        return EXIT_CANNOT_WRITE;
    }
    return EXIT_OK;
}

static int write_all(const char* folder) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        char path[TLW_PATH_MAX];
        const char* name = tlw_sample_variant_name((tlw_sample_variant)v);
        int count = snprintf(path, sizeof path, "%s/%s.glb", folder, name);
        if (count < 0 || (size_t)count >= sizeof path) {
            fprintf(stderr, "tallow-sample: cannot write '%s': the path is too long\n", folder);
            return EXIT_CANNOT_WRITE;
        }
        int status = write_variant((tlw_sample_variant)v, path);
        if (status != EXIT_OK) {
            return status;
        }
    }
    return EXIT_OK;
}

int main(int argc, char** argv) {
    tlw_sample_variant variant = (tlw_sample_variant)0;
    const char* variant_option = NULL;
    const char* path = NULL;
    const char* folder = NULL;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_usage(stdout);
            return EXIT_OK;
        }
        bool is_variant = strcmp(argv[i], "--variant") == 0;
        bool is_all = strcmp(argv[i], "--all") == 0;
        if (!is_variant && !is_all && strcmp(argv[i], "-o") != 0) {
            return usage_error(argv[i][0] == '-' ? "unknown option" : "unexpected argument",
                               argv[i]);
        }
        if (i + 1 == argc) {
            return usage_error(is_variant ? "a character's name must follow"
                               : is_all   ? "a folder must follow"
                                          : "a file name must follow",
                               argv[i]);
        }
        const char* value = argv[++i];
        if (is_variant) {
            variant_option = value;
            if (!find_variant(value, &variant)) {
                return usage_error("unknown variant", value);
            }
        } else if (is_all) {
            folder = value;
        } else {
            path = value;
        }
    }
    if (folder != NULL) {
        if (path != NULL || variant_option != NULL) {
            return usage_error("--all writes every variant; it cannot be joined by",
                               path != NULL ? "-o" : "--variant");
        }
        return write_all(folder);
    }
    char own_path[64];
    if (path == NULL) {
        snprintf(own_path, sizeof own_path, "%s.glb", tlw_sample_variant_name(variant));
        path = own_path;
    }
    return write_variant(variant, path);
}
