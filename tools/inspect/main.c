// SPDX-License-Identifier: MIT
// tallow-inspect: parses the command line, reads and validates the blob, then prints its summary or
// writes the files that were asked for. A file is replaced as a whole or not at all.
#include "tools/inspect/inspect.h"

#include "tools/command/arguments.h"
#include "tools/command/memory.h"
#include "tools/command/output_file.h"
#include "tools/cook/blob_report.h"

#include <inttypes.h>
#include <string.h>

// A picture of one index along an axis.
typedef struct slice_option {
    const char *text, *file; // null: not asked for
    uint32_t axis, index;
    bool has_index;
} slice_option;

typedef struct options {
    const char *blob, *json, *layers;
    slice_option slices[3]; // by tlw_inspect_look
} options;

static void print_usage(FILE* out) {
    fprintf(
        out,
        "usage: tallow-inspect BLOB [--json FILE] [--slice AXIS[:INDEX] FILE] "
        "[--bends AXIS[:INDEX] FILE] [--muscles AXIS[:INDEX] FILE] [--layers FILE] [--help]\n"
        "Without an option: sections, counts, layers, profiles, bends, muscles, memory needed, "
        "joints, "
        "hash.\n"
        "  --json FILE                  everything a second implementation needs to check us;\n"
        "                               - is the standard output\n"
        "  --slice AXIS[:INDEX] FILE    a PNG of the voxels of one index along x, y or z;\n"
        "                               without an index, the middle one\n"
        "  --bends AXIS[:INDEX] FILE    the same, coloured by bends, with the field along which\n"
        "                               skinned volume moves voxels\n"
        "  --muscles AXIS[:INDEX] FILE  the same, coloured by the muscles that move voxels, with\n"
        "                               their action lines\n"
        "  --layers FILE                a PNG of the layers side by side, innermost first\n");
}

static const tlw_command command = {
    .name = "tallow-inspect",
    .print_usage = print_usage,
    .exit_codes = TLW_EXIT_BIT(TLW_EXIT_OK) | TLW_EXIT_BIT(TLW_EXIT_USAGE) |
                  TLW_EXIT_BIT(TLW_EXIT_CANNOT_READ) | TLW_EXIT_BIT(TLW_EXIT_BAD_ASSET) |
                  TLW_EXIT_BIT(TLW_EXIT_CANNOT_WRITE)};

enum { OPTION_JSON, OPTION_SLICE, OPTION_BENDS, OPTION_MUSCLES, OPTION_LAYERS, OPTION_COUNT };

static const tlw_option option_table[OPTION_COUNT] = {
    [OPTION_JSON] = {.name = "--json", .takes = "a file", .missing = "a file name must follow"},
    [OPTION_SLICE] = {.name = "--slice",
                      .takes = "an axis",
                      .missing = "an axis and a file name must follow",
                      .mistake = "not x, y or z, or one of them with ':' and a number:"},
    [OPTION_BENDS] = {.name = "--bends",
                      .takes = "an axis",
                      .missing = "an axis and a file name must follow",
                      .mistake = "not x, y or z, or one of them with ':' and a number:"},
    [OPTION_MUSCLES] = {.name = "--muscles",
                        .takes = "an axis",
                        .missing = "an axis and a file name must follow",
                        .mistake = "not x, y or z, or one of them with ':' and a number:"},
    [OPTION_LAYERS] = {.name = "--layers", .takes = "a file", .missing = "a file name must follow"},
};

static bool parse_slice(slice_option* o, const char* text) {
    o->text = text;
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

// False: end with *code, everything has been said.
static bool parse(options* o, int argc, char** argv, tlw_exit_code* code) {
    tlw_arguments a = tlw_arguments_begin(&command, argc, argv, option_table, OPTION_COUNT);
    slice_option* slice;
    *code = TLW_EXIT_OK;
    for (int which; (which = tlw_arguments_next(&a)) != TLW_ARGUMENT_END;) {
        switch (which) {
        case OPTION_JSON:
            o->json = a.value;
            break;
        case OPTION_LAYERS:
            o->layers = a.value;
            break;
        case OPTION_SLICE:
        case OPTION_BENDS:
        case OPTION_MUSCLES:
            slice = &o->slices[which == OPTION_SLICE   ? TLW_LOOK_LAYERS
                               : which == OPTION_BENDS ? TLW_LOOK_BENDS
                                                       : TLW_LOOK_MUSCLES];
            if (!parse_slice(slice, a.value)) {
                *code = tlw_arguments_refuse(&a, "");
                return false;
            }
            if (!tlw_arguments_second_value(&a, "a file name must follow")) {
                *code = a.exit_code;
                return false;
            }
            slice->file = a.value;
            break;
        case TLW_ARGUMENT_PLAIN:
            if (o->blob != NULL) {
                *code = tlw_command_mistake(&command, "more than one blob:", a.value, "");
                return false;
            }
            o->blob = a.value;
            break;
        default:
            *code = a.exit_code;
            return false;
        }
    }
    if (o->blob == NULL) {
        *code = tlw_command_mistake(&command, "a blob must be named:", "BLOB", "");
    }
    return *code == TLW_EXIT_OK;
}

TLW_STATIC_ASSERT(TLW_HEAP_ALIGNMENT % TLW_BLOB_ALIGNMENT == 0, "blobs lie on the aligned heap");

static tlw_exit_code read_blob(const char* path, uint8_t** bytes) {
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.grow = tlw_heap_grow_aligned;
    size_t size;
    tlw_file_error error;
    if (tlw_file_read(&def, bytes, &size, &error) != TLW_OK) {
        return tlw_command_fail(&command, TLW_EXIT_CANNOT_READ, "%s", error.message);
    }
    tlw_blob_report report;
    const tlw_result result = tlw_blob_validate(*bytes, size, TLW_BLOB_CHECK_ALL, &report);
    if (result != TLW_OK) {
        char text[TLW_BLOB_REPORT_TEXT_BYTES];
        tlw_heap_grow_aligned(*bytes, size, 0, NULL);
        return tlw_command_fail(&command, TLW_EXIT_BAD_ASSET, "bad blob '%s': %s", path,
                                tlw_blob_report_text(&report, text));
    }
    return TLW_EXIT_OK;
}

static bool write_file(const void* bytes, size_t size, void* writer) {
    return tlw_file_writer_write(writer, bytes, size) == TLW_OK;
}

static bool write_stream(const void* bytes, size_t size, void* stream) {
    return fwrite(bytes, 1, size, stream) == size;
}

// The first ones have the numbers of tlw_inspect_look.
typedef enum output {
    OUTPUT_SLICE,
    OUTPUT_BENDS,
    OUTPUT_MUSCLES,
    OUTPUT_JSON,
    OUTPUT_LAYERS
} output;

static tlw_exit_code write_output(const tlw_inspect* in, const options* o, output what,
                                  const char* path) {
    static tlw_output_file file;
    if (tlw_output_file_begin(&command, &file, path) != TLW_EXIT_OK) {
        return TLW_EXIT_CANNOT_WRITE;
    }
    tlw_file_writer* writer = &file.writer;
    const tlw_inspect_drawn drawn =
        what <= OUTPUT_MUSCLES ? tlw_inspect_slice(in, (tlw_inspect_look)what, o->slices[what].axis,
                                                   o->slices[what].index, write_file, writer)
        : what == OUTPUT_LAYERS                    ? tlw_inspect_layers(in, write_file, writer)
        : tlw_inspect_json(in, write_file, writer) ? TLW_DRAWN
                                                   : TLW_DRAWN_NOT_WRITTEN;
    if (drawn == TLW_DRAWN_TOO_LARGE || drawn == TLW_DRAWN_NO_MEMORY) {
        return tlw_output_file_fail(
            &command, &file,
            drawn == TLW_DRAWN_NO_MEMORY ? "out of memory" : "the grid is too large for a picture");
    }
    return tlw_output_file_commit(&command, &file); // reports the first failed write, too
}

// Gives a slice without an index the middle one, and refuses one that the blob does not have.
static tlw_exit_code find_slice(const tlw_inspect* in, slice_option* o) {
    const uint32_t size = in->lattice->size[o->axis];
    if (!o->has_index) {
        o->index = size / 2;
    } else if (o->index >= size) {
        char what[96];
        snprintf(what, sizeof what, "the blob has layers %c:0 to %c:%" PRIu32 ", not",
                 "xyz"[o->axis], "xyz"[o->axis], size - 1);
        return tlw_command_mistake(&command, what, o->text, "");
    }
    return TLW_EXIT_OK;
}

static tlw_exit_code find_slices(const tlw_inspect* in, options* o) {
    const bool is_there[] = {true, in->bends != NULL, in->muscles != NULL};
    static const char* const missing[] = {
        "", "the blob has no skinned volume:", "the blob has no muscles:"};
    tlw_exit_code code = TLW_EXIT_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(o->slices) && code == TLW_EXIT_OK; ++i) {
        if (o->slices[i].text != NULL) {
            code = is_there[i] ? find_slice(in, &o->slices[i])
                               : tlw_command_mistake(&command, missing[i], o->slices[i].text, "");
        }
    }
    return code;
}

static tlw_exit_code run(const tlw_inspect* in, options* o) {
    tlw_exit_code code = find_slices(in, o);
    bool has_slices = false;
    for (size_t i = 0; i < TLW_COUNT_OF(o->slices); ++i) {
        has_slices = has_slices || o->slices[i].text != NULL;
    }
    if (code != TLW_EXIT_OK) {
        return code;
    }
    if (o->json == NULL && !has_slices && o->layers == NULL) {
        tlw_inspect_summary(in, o->blob, stdout);
        code = tlw_output_flush(&command);
    }
    if (o->json != NULL && strcmp(o->json, "-") == 0) {
        (void)tlw_inspect_json(in, write_stream, stdout); // a failed write shows in the flush
        code = tlw_output_flush(&command);
    } else if (o->json != NULL) {
        code = write_output(in, o, OUTPUT_JSON, o->json);
    }
    for (size_t i = 0; i < TLW_COUNT_OF(o->slices); ++i) {
        if (code == TLW_EXIT_OK && o->slices[i].text != NULL) {
            code = write_output(in, o, (output)i, o->slices[i].file);
        }
    }
    if (code == TLW_EXIT_OK && o->layers != NULL) {
        code = write_output(in, o, OUTPUT_LAYERS, o->layers);
    }
    return code;
}

int main(int argc, char** argv) {
    options o = {0};
    tlw_exit_code code;
    if (!parse(&o, argc, argv, &code)) {
        return code;
    }
    uint8_t* bytes;
    code = read_blob(o.blob, &bytes);
    if (code != TLW_EXIT_OK) {
        return code;
    }
    tlw_inspect in;
    if (tlw_inspect_open(&in, bytes)) {
        code = run(&in, &o);
    } else {
        code = tlw_command_fail(&command, TLW_EXIT_CANNOT_READ, "cannot read '%s': out of memory",
                                o.blob);
    }
    tlw_inspect_close(&in);
    tlw_heap_grow_aligned(bytes, 0, 0, NULL);
    return code;
}
