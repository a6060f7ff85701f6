// SPDX-License-Identifier: MIT
// tallow-inspect: parses the command line, reads and validates the blob, then prints its summary or
// writes the files that were asked for. A file is replaced as a whole or not at all.
#include "tools/inspect/inspect.h"

#include "platform/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXIT_OK = 0,
    EXIT_USAGE = 2,
    EXIT_CANNOT_READ = 3,
    EXIT_BAD_ASSET = 4,
    EXIT_CANNOT_WRITE = 6
};

typedef struct options {
    const char *blob, *json, *slice, *slice_file, *layers;
    uint32_t axis, index;
    bool has_index;
} options;

static void print_usage(FILE* out) {
    fprintf(out,
            "usage: tallow-inspect BLOB [--json FILE] [--slice AXIS[:INDEX] FILE] [--layers FILE] "
            "[--help]\n"
            "Without an option: sections, counts, layers, memory needed, joints, hash.\n"
            "  --json FILE                  everything a second implementation needs to check us;\n"
            "                               - is the standard output\n"
            "  --slice AXIS[:INDEX] FILE    a PNG of the voxels of one index along x, y or z;\n"
            "                               without an index, the middle one\n"
            "  --layers FILE                a PNG of the layers side by side, innermost first\n"
            "exit codes: 0 ok, 2 usage, 3 cannot read, 4 bad asset, 6 cannot write\n");
}

static int usage_error(const char* what, const char* argument) {
    fprintf(stderr, "tallow-inspect: %s '%s'\n", what, argument);
    print_usage(stderr);
    return EXIT_USAGE;
}

static bool parse_slice(options* o, const char* text) {
    if (text[0] < 'x' || text[0] > 'z') {
        return false;
    }
    o->axis = (uint32_t)(text[0] - 'x');
    if (text[1] == 0) {
        return true;
    }
    if (text[1] != ':' || text[2] == 0 || strlen(text) > 8) {
        return false;
    }
    for (const char* at = text + 2; *at != 0; ++at) {
        if (*at < '0' || *at > '9') {
            return false;
        }
        o->index = o->index * 10 + (uint32_t)(*at - '0');
    }
    o->has_index = true;
    return true;
}

// EXIT_OK with *is_done set for --help.
static int parse(options* o, int argc, char** argv, bool* is_done) {
    for (int i = 1; i < argc; ++i) {
        const char* argument = argv[i];
        const bool is_slice = strcmp(argument, "--slice") == 0;
        const char** file = strcmp(argument, "--json") == 0     ? &o->json
                            : strcmp(argument, "--layers") == 0 ? &o->layers
                            : is_slice                          ? &o->slice_file
                                                                : NULL;
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            print_usage(stdout);
            *is_done = true;
            return EXIT_OK;
        } else if (file == NULL && argument[0] == '-') {
            return usage_error("unknown option", argument);
        } else if (file == NULL) {
            if (o->blob != NULL) {
                return usage_error("more than one blob:", argument);
            }
            o->blob = argument;
            continue;
        }
        if (*file != NULL) {
            return usage_error("given twice:", argument);
        }
        if (is_slice) {
            if (i + 1 == argc) {
                return usage_error("an axis and a file name must follow", argument);
            }
            o->slice = argv[++i];
            if (!parse_slice(o, o->slice)) {
                return usage_error("not x, y or z, or one of them with ':' and a number:",
                                   o->slice);
            }
        }
        if (i + 1 == argc) {
            return usage_error("a file name must follow", argv[i]);
        }
        *file = argv[++i];
    }
    if (o->blob == NULL) {
        return usage_error("a blob must be named:", "BLOB");
    }
    return EXIT_OK;
}

// Grows memory that begins on a multiple of 64, as the validator requires. The address that malloc
// returned is stored just before ours. There is always room for it: malloc returns a multiple of 16
// (of 8 where pointers have 4 bytes).
static void* grow_aligned(void* old, size_t old_bytes, size_t new_bytes, void* user) {
    (void)user;
    uint8_t* grown = NULL;
    if (new_bytes > 0) {
        uint8_t* block = new_bytes <= SIZE_MAX - TLW_BLOB_ALIGNMENT
                             ? malloc(new_bytes + TLW_BLOB_ALIGNMENT)
                             : NULL;
        if (block == NULL) {
            return NULL;
        }
        grown = block + TLW_BLOB_ALIGNMENT - (uintptr_t)block % TLW_BLOB_ALIGNMENT;
        memcpy(grown - sizeof block, &block, sizeof block);
        if (old != NULL) {
            memcpy(grown, old, old_bytes < new_bytes ? old_bytes : new_bytes);
        }
    }
    if (old != NULL) {
        void* block;
        memcpy(&block, (uint8_t*)old - sizeof block, sizeof block);
        free(block);
    }
    return grown;
}

static int read_blob(const char* path, uint8_t** bytes) {
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.grow = grow_aligned;
    size_t size;
    tlw_file_error error;
    if (tlw_file_read(&def, bytes, &size, &error) != TLW_OK) {
        fprintf(stderr, "tallow-inspect: %s\n", error.message);
        return EXIT_CANNOT_READ;
    }
    tlw_blob_report report;
    const tlw_result result = tlw_blob_validate(*bytes, size, TLW_BLOB_CHECK_ALL, &report);
    if (result == TLW_ERROR_BAD_BLOB) {
        char component[32] = "";
        if (report.component != 0) {
            snprintf(component, sizeof component, ", component %" PRIu32, report.component);
        }
        fprintf(stderr,
                "tallow-inspect: bad blob '%s': %s, element %" PRIu64 "%s, byte %" PRIu64
                ": %s: expected %" PRIu64 " (0x%" PRIx64 "), found %" PRIu64 " (0x%" PRIx64 ")\n",
                path,
                report.section < TLW_SECTION_COUNT ? tlw_blob_section_name(report.section)
                                                   : "header or table",
                report.element, component, report.offset, report.what, report.expected,
                report.expected, report.found, report.found);
    } else if (result != TLW_OK) {
        fprintf(stderr, "tallow-inspect: bad blob '%s': %s\n", path, tlw_result_meaning(result));
    }
    if (result != TLW_OK) {
        grow_aligned(*bytes, size, 0, NULL);
        return EXIT_BAD_ASSET;
    }
    return EXIT_OK;
}

static bool write_file(const void* bytes, size_t size, void* writer) {
    return tlw_file_writer_write(writer, bytes, size) == TLW_OK;
}

static bool write_stream(const void* bytes, size_t size, void* stream) {
    return fwrite(bytes, 1, size, stream) == size;
}

static int write_json_to_stdout(const tlw_inspect* in) {
    if (!tlw_inspect_json(in, write_stream, stdout) || fflush(stdout) != 0) {
        fprintf(stderr, "tallow-inspect: cannot write the standard output\n");
        return EXIT_CANNOT_WRITE;
    }
    return EXIT_OK;
}

typedef enum output { OUTPUT_JSON, OUTPUT_SLICE, OUTPUT_LAYERS } output;

static int write_output(const tlw_inspect* in, const options* o, output what, const char* path) {
    static tlw_file_writer writer;
    if (tlw_file_writer_begin(&writer, path) != TLW_OK) {
        fprintf(stderr, "tallow-inspect: %s\n", writer.error.message);
        return EXIT_CANNOT_WRITE;
    }
    const tlw_inspect_drawn drawn =
        what == OUTPUT_SLICE    ? tlw_inspect_slice(in, o->axis, o->index, write_file, &writer)
        : what == OUTPUT_LAYERS ? tlw_inspect_layers(in, write_file, &writer)
        : tlw_inspect_json(in, write_file, &writer) ? TLW_DRAWN
                                                    : TLW_DRAWN_NOT_WRITTEN;
    if (drawn == TLW_DRAWN_TOO_LARGE || drawn == TLW_DRAWN_NO_MEMORY) {
        tlw_file_writer_abandon(&writer);
        fprintf(stderr, "tallow-inspect: cannot write '%s': %s\n", path,
                drawn == TLW_DRAWN_NO_MEMORY ? "out of memory"
                                             : "the grid is too large for a picture");
        return EXIT_CANNOT_WRITE;
    }
    if (tlw_file_writer_commit(&writer) != TLW_OK) { // reports the first failed write
        fprintf(stderr, "tallow-inspect: %s\n", writer.error.message);
        return EXIT_CANNOT_WRITE;
    }
    return EXIT_OK;
}

static int run(const tlw_inspect* in, options* o) {
    if (o->slice != NULL) {
        const uint32_t size = in->lattice->size[o->axis];
        if (!o->has_index) {
            o->index = size / 2;
        } else if (o->index >= size) {
            char what[96];
            snprintf(what, sizeof what, "the blob has layers %c:0 to %c:%" PRIu32 ", not",
                     "xyz"[o->axis], "xyz"[o->axis], size - 1);
            return usage_error(what, o->slice);
        }
    }
    const bool is_json_to_stdout = o->json != NULL && strcmp(o->json, "-") == 0;
    int status = EXIT_OK;
    if (o->json == NULL && o->slice == NULL && o->layers == NULL) {
        tlw_inspect_summary(in, o->blob, stdout);
        if (fflush(stdout) != 0 || ferror(stdout)) {
            fprintf(stderr, "tallow-inspect: cannot write the standard output\n");
            status = EXIT_CANNOT_WRITE;
        }
    }
    if (o->json != NULL) {
        status = is_json_to_stdout ? write_json_to_stdout(in)
                                   : write_output(in, o, OUTPUT_JSON, o->json);
    }
    if (status == EXIT_OK && o->slice != NULL) {
        status = write_output(in, o, OUTPUT_SLICE, o->slice_file);
    }
    if (status == EXIT_OK && o->layers != NULL) {
        status = write_output(in, o, OUTPUT_LAYERS, o->layers);
    }
    return status;
}

int main(int argc, char** argv) {
    options o = {0};
    bool is_done = false;
    int status = parse(&o, argc, argv, &is_done);
    if (status != EXIT_OK || is_done) {
        return status;
    }
    uint8_t* bytes;
    status = read_blob(o.blob, &bytes);
    if (status != EXIT_OK) {
        return status;
    }
    tlw_inspect in;
    if (tlw_inspect_open(&in, bytes)) {
        status = run(&in, &o);
    } else {
        fprintf(stderr, "tallow-inspect: cannot read '%s': out of memory\n", o.blob);
        status = EXIT_CANNOT_READ;
    }
    tlw_inspect_close(&in);
    grow_aligned(bytes, 0, 0, NULL);
    return status;
}
