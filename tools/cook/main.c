// SPDX-License-Identifier: MIT
// tallow-cook: a shell over the cooking library for build steps. Reads a glTF (or what Assimp
// reads) and a recipe, writes a blob, and on request a depfile and a report; all of them or, on
// failure, none.
#include "jobs/task_system.h"
#include "platform/file.h"
#include "platform/thread.h"
#include "tools/asset/asset.h"
#include "tools/asset/to_cook.h"
#include "tools/cook/cook.h"
#include "tools/recipe/recipe.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if TLW_OS_WINDOWS
#    include <io.h>
#    define isatty _isatty
#    define fileno _fileno
#else
int isatty(int descriptor); // of POSIX, which -std=c11 hides
int fileno(FILE* file);
#endif

enum {
    EXIT_OK = 0,
    EXIT_USAGE = 2,
    EXIT_CANNOT_READ = 3,
    EXIT_BAD_ASSET = 4,
    EXIT_BAD_RECIPE = 5,
    EXIT_CANNOT_WRITE = 6
};

#define THREADS_MAX 256u

typedef struct cook_arguments {
    const char *input, *recipe, *output, *depfile, *report;
    uint32_t threads; // 0: as many as cores
    bool is_quiet, is_verbose;
} cook_arguments;

static void print_usage(FILE* out) {
    fprintf(
        out,
        "usage: tallow-cook INPUT [-r RECIPE] -o OUT.tlw [options]\n"
        "  -r, --recipe FILE   what the artist chose (tools/recipe/README.md); default: none\n"
        "  -o, --output FILE   the blob\n"
        "  --depfile FILE      what the blob was made from, for Make and Ninja\n"
        "  --report FILE       counts, cuts and remarks as JSON\n"
        "  --threads N         1 to 256; default: one a core. The bytes do not depend on it\n"
        "  --quiet             errors only\n"
        "  -v, --verbose       print the report's numbers\n"
        "exit codes: 0 ok, 2 usage, 3 cannot read, 4 bad asset, 5 bad recipe, 6 cannot write\n");
}

static int usage_error(const char* what, const char* argument) {
    fprintf(stderr, "tallow-cook: %s '%s'\n", what, argument);
    print_usage(stderr);
    return EXIT_USAGE;
}

static bool is_option(const char* argument, const char* name, const char* other) {
    return strcmp(argument, name) == 0 || (other && strcmp(argument, other) == 0);
}

static bool parse_threads(const char* text, uint32_t* out) {
    char* end;
    unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != 0 || value < 1 || value > THREADS_MAX) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

// EXIT_OK to go on; -1: help was asked for.
static int parse_arguments(int argc, char** argv, cook_arguments* out) {
    const struct {
        const char *name, *other;
        const char** value;
    } options[] = {{"-r", "--recipe", &out->recipe},
                   {"-o", "--output", &out->output},
                   {"--depfile", NULL, &out->depfile},
                   {"--report", NULL, &out->report}};
    for (int i = 1; i < argc; ++i) {
        const char** value = NULL;
        const bool wants_threads = is_option(argv[i], "--threads", NULL);
        for (size_t k = 0; k < TLW_COUNT_OF(options); ++k) {
            value =
                is_option(argv[i], options[k].name, options[k].other) ? options[k].value : value;
        }
        if (is_option(argv[i], "--help", "-h")) {
            print_usage(stdout);
            return -1;
        } else if (value || wants_threads) {
            if (i + 1 == argc) {
                return usage_error("something must follow", argv[i]);
            }
            const char* given = argv[++i];
            if (wants_threads && !parse_threads(given, &out->threads)) {
                return usage_error("--threads takes 1 to 256, not", given);
            }
            if (value) {
                *value = given;
            }
        } else if (is_option(argv[i], "--quiet", NULL)) {
            out->is_quiet = true;
        } else if (is_option(argv[i], "-v", "--verbose")) {
            out->is_verbose = true;
        } else if (argv[i][0] == '-') {
            return usage_error("unknown option", argv[i]);
        } else if (out->input) {
            return usage_error("one input, and then", argv[i]);
        } else {
            out->input = argv[i];
        }
    }
    if (out->input == NULL) {
        return usage_error("there is no", "INPUT");
    }
    if (out->output == NULL) {
        return usage_error("where to? there is no", "-o");
    }
    return EXIT_OK;
}

// What is shown while it runs, on a terminal only.
static void show_progress(const char* stage, double share, void* user) {
    (void)user;
    fprintf(stderr, "\r[%3.0f%%] %-24s", share * 100.0, stage);
    if (share >= 1.0) {
        fprintf(stderr, "\r%-32s\r", "");
    }
    fflush(stderr);
}

static void* heap_grow(void* old, size_t old_bytes, size_t new_bytes, void* user) {
    (void)old_bytes;
    (void)user;
    if (new_bytes == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_bytes);
}

static int read_recipe(const char* path, tlw_recipe* recipe) {
    *recipe = tlw_default_recipe();
    if (path == NULL) {
        return EXIT_OK;
    }
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.limit_bytes = TLW_RECIPE_BYTES_MAX;
    def.grow = heap_grow;
    uint8_t* bytes;
    size_t size;
    tlw_file_error file_error;
    const tlw_result read = tlw_file_read(&def, &bytes, &size, &file_error);
    if (read != TLW_OK) {
        fprintf(stderr, "tallow-cook: %s\n", file_error.message);
        return read == TLW_ERROR_TOO_LARGE ? EXIT_BAD_RECIPE : EXIT_CANNOT_READ;
    }
    tlw_recipe_error error;
    const tlw_result result = tlw_recipe_read(bytes, size, recipe, &error);
    free(bytes);
    if (result != TLW_OK) {
        fprintf(stderr, "tallow-cook: %s: %s\n", path, error.message);
        return EXIT_BAD_RECIPE;
    }
    return EXIT_OK;
}

// Roles and names of the recipe as the importer takes them.
static int convert(const tlw_asset* asset, const cook_arguments* arguments, tlw_recipe* recipe,
                   tlw_asset_cook* out) {
    tlw_asset_role* roles = calloc(recipe->role_count + 1, sizeof *roles);
    if (roles == NULL) {
        fprintf(stderr, "tallow-cook: out of memory\n");
        return EXIT_BAD_ASSET;
    }
    for (uint32_t i = 0; i < recipe->role_count; ++i) {
        roles[i] = (tlw_asset_role){recipe->roles[i].name, recipe->roles[i].role};
    }
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    options.roles = roles;
    options.role_count = recipe->role_count;
    options.included = recipe->included_meshes;
    options.included_count = recipe->included_mesh_count;
    options.excluded = recipe->excluded_meshes;
    options.excluded_count = recipe->excluded_mesh_count;
    options.metres_per_unit = recipe->metres_per_unit;
    tlw_asset_error error;
    const tlw_asset_code code = tlw_asset_to_cook(asset, &options, out, &error);
    free(roles);
    if (code != TLW_ASSET_OK) {
        fprintf(stderr, "tallow-cook: %s: %s\n",
                code == TLW_ASSET_BAD_OPTION ? arguments->recipe : arguments->input, error.message);
        return tlw_asset_exit_code(code);
    }
    tlw_recipe_error recipe_error;
    if (tlw_recipe_choose_joints(recipe, out->input.joints, out->input.joint_count,
                                 &recipe_error) != TLW_OK) {
        fprintf(stderr, "tallow-cook: %s: %s\n", arguments->recipe, recipe_error.message);
        return EXIT_BAD_RECIPE;
    }
    return EXIT_OK;
}

static int cook(const cook_arguments* arguments, const tlw_asset_cook* from,
                const tlw_recipe* recipe, tlw_cook_output* output) {
    tlw_cook_options options = tlw_default_cook_options();
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    tlw_jobs_tasks* jobs = NULL;
    if (scheduler) {
        enkiInitTaskSchedulerNumThreads(scheduler,
                                        arguments->threads ? arguments->threads : tlw_core_count());
        jobs = tlw_jobs_tasks_create(scheduler);
    }
    if (jobs) { // without, it cooks serially, to the same bytes
        options.tasks = tlw_jobs_task_system(jobs);
    }
    if (!arguments->is_quiet && isatty(fileno(stderr))) {
        options.progress = show_progress;
    }
    const tlw_result result = tlw_cook_character(&from->input, &recipe->cook, &options, output);
    if (jobs) {
        tlw_jobs_tasks_destroy(jobs);
    }
    if (scheduler) {
        enkiDeleteTaskScheduler(scheduler);
    }
    if (result == TLW_OK) {
        return EXIT_OK;
    }
    const bool is_of_recipe = output->error.is_of_recipe;
    fprintf(stderr, "tallow-cook: %s: %s\n",
            is_of_recipe && arguments->recipe ? arguments->recipe : arguments->input,
            output->error.message);
    return is_of_recipe ? EXIT_BAD_RECIPE : EXIT_BAD_ASSET;
}

// The report

static json_t* names_of_cut(const tlw_asset_cook* from, const tlw_cook_cut_report* cut) {
    return json_pack("{s:s, s:s, s:i}", "joint_a", from->input.joints[cut->joint_a].name, "joint_b",
                     from->input.joints[cut->joint_b].name, "links", (int)cut->link_count);
}

static char* make_report(const tlw_asset_cook* from, const tlw_recipe* recipe,
                         const tlw_cook_output* output) {
    const tlw_cook_report* r = &output->report;
    json_t* layers = json_object();
    for (uint32_t i = 0; i < recipe->cook.layer_count; ++i) {
        json_object_set_new(layers, recipe->cook.layers[i].name,
                            json_integer((json_int_t)r->layer_voxels[i]));
    }
    json_t* cuts = json_array();
    for (uint32_t i = 0; i < r->cut_pair_count; ++i) {
        json_array_append_new(cuts, names_of_cut(from, &r->cuts[i]));
    }
    json_t* notes = json_array();
    for (uint32_t i = 0; i < from->report.note_count; ++i) {
        json_array_append_new(notes, json_string(from->report.notes[i]));
    }
    const struct {
        const char* key;
        uint64_t value;
    } counts[] = {{"welded_vertices", r->welded_vertices},
                  {"triangles", r->triangles},
                  {"collapsed_triangles", r->collapsed_triangles},
                  {"open_edges", r->open_edges},
                  {"non_manifold_edges", r->non_manifold_edges},
                  {"normalised_vertices", from->report.normalised_count},
                  {"unweighted_vertices", from->report.unweighted_count},
                  {"voxels", r->voxels},
                  {"voxels_touched", r->voxels_touched},
                  {"voxels_enclosed", r->voxels_enclosed},
                  {"voxels_voted", r->voxels_voted},
                  {"left_out_joints", r->left_out_joints},
                  {"boneless_components", r->boneless_components},
                  {"boneless_voxels", r->boneless_voxels},
                  {"cut_links", r->cut_links},
                  {"windows", r->windows},
                  {"slots", r->slots},
                  {"blob_bytes", output->blob_bytes},
                  {"peak_memory_bytes", r->peak_memory_bytes}};
    json_t* report = json_object();
    for (size_t i = 0; i < TLW_COUNT_OF(counts); ++i) {
        json_object_set_new(report, counts[i].key, json_integer((json_int_t)counts[i].value));
    }
    json_object_set_new(report, "voxel_size", json_real(r->voxel_metres));
    json_object_set_new(report, "weights",
                        json_string(r->has_artist_weights ? "artist" : "geodesic"));
    json_object_set_new(report, "layers", layers);
    json_object_set_new(report, "cuts", cuts);
    json_object_set_new(report, "notes", notes);
    char* text = json_dumps(report, JSON_INDENT(2));
    json_decref(report);
    return text;
}

// What an artist should look at, one line each.
static void print_remarks(const cook_arguments* arguments, const tlw_asset_cook* from,
                          const tlw_cook_output* output) {
    const tlw_cook_report* r = &output->report;
    const struct {
        uint64_t count;
        const char* what;
    } remarks[] = {
        {r->open_edges, "open edges: voxels inside were found by a vote of rays"},
        {r->non_manifold_edges, "edges with more than two triangles"},
        {from->report.normalised_count, "vertices whose weights did not sum to 1 were normalised"},
        {from->report.unweighted_count, "vertices without weights follow the root"},
        {r->boneless_voxels, "voxels of pieces without bone became bone"},
    };
    if (arguments->is_quiet) {
        return;
    }
    for (size_t i = 0; i < TLW_COUNT_OF(remarks); ++i) {
        if (remarks[i].count > 0) {
            fprintf(stderr, "tallow-cook: %s: %llu %s\n", arguments->input,
                    (unsigned long long)remarks[i].count, remarks[i].what);
        }
    }
    for (uint32_t i = 0; i < from->report.note_count; ++i) {
        fprintf(stderr, "tallow-cook: %s: %s\n", arguments->input, from->report.notes[i]);
    }
}

// The depfile

typedef struct text_buffer {
    char* text;
    size_t used, room;
    bool has_failed;
} text_buffer;

static void add_text(text_buffer* buffer, const char* text, size_t length) {
    if (buffer->used + length > buffer->room) {
        const size_t room = (buffer->used + length) * 2;
        char* grown = realloc(buffer->text, room);
        if (grown == NULL) {
            buffer->has_failed = true;
            return;
        }
        buffer->text = grown;
        buffer->room = room;
    }
    memcpy(buffer->text + buffer->used, text, length);
    buffer->used += length;
}

// As Make and Ninja both read it: a backslash before a space or a hash, a dollar twice.
static void add_path(text_buffer* buffer, const char* path) {
    for (; *path; ++path) {
        if (*path == ' ' || *path == '#') {
            add_text(buffer, "\\", 1);
        } else if (*path == '$') {
            add_text(buffer, "$", 1);
        }
        add_text(buffer, path, 1);
    }
}

static text_buffer make_depfile(const cook_arguments* arguments, const tlw_asset* asset) {
    text_buffer buffer = {0};
    add_path(&buffer, arguments->output);
    add_text(&buffer, ":", 1);
    for (uint32_t i = 0; i < asset->file_count; ++i) {
        add_text(&buffer, " \\\n  ", 5);
        add_path(&buffer, asset->files[i]);
    }
    if (arguments->recipe) {
        add_text(&buffer, " \\\n  ", 5);
        add_path(&buffer, arguments->recipe);
    }
    add_text(&buffer, "\n", 1);
    return buffer;
}

// All files are begun before any is committed: one that cannot be written leaves the others as they
// were. The blob comes last, so that whoever sees it sees what belongs to it.
static int write_all(const cook_arguments* arguments, const tlw_asset* asset,
                     const tlw_asset_cook* from, const tlw_recipe* recipe,
                     const tlw_cook_output* output) {
    static tlw_file_writer writers[3];
    text_buffer depfile = make_depfile(arguments, asset);
    char* report = make_report(from, recipe, output);
    const struct {
        const char* path;
        const void* bytes;
        size_t size;
    } files[3] = {{arguments->depfile, depfile.text, depfile.used},
                  {arguments->report, report, report ? strlen(report) : 0},
                  {arguments->output, output->blob, output->blob_bytes}};
    int result = depfile.has_failed || report == NULL ? EXIT_CANNOT_WRITE : EXIT_OK;
    size_t begun = 0;
    for (; begun < 3 && result == EXIT_OK; ++begun) {
        if (files[begun].path == NULL) {
            continue;
        }
        if (tlw_file_writer_begin(&writers[begun], files[begun].path) != TLW_OK) {
            fprintf(stderr, "tallow-cook: %s\n", writers[begun].error.message);
            result = EXIT_CANNOT_WRITE;
            break;
        }
        (void)tlw_file_writer_write(&writers[begun], files[begun].bytes, files[begun].size);
    }
    for (size_t i = 0; i < begun; ++i) {
        if (files[i].path == NULL) {
            continue;
        }
        if (result != EXIT_OK) {
            tlw_file_writer_abandon(&writers[i]);
        } else if (tlw_file_writer_commit(&writers[i]) != TLW_OK) {
            fprintf(stderr, "tallow-cook: %s\n", writers[i].error.message);
            result = EXIT_CANNOT_WRITE;
        }
    }
    if (result == EXIT_OK && arguments->is_verbose) {
        printf("%s\n", report);
    }
    free(report);
    free(depfile.text);
    return result;
}

int main(int argc, char** argv) {
    cook_arguments arguments = {0};
    int result = parse_arguments(argc, argv, &arguments);
    if (result != EXIT_OK) {
        return result < 0 ? EXIT_OK : result;
    }
    tlw_recipe recipe;
    tlw_asset* asset = NULL;
    tlw_asset_cook from = {0};
    tlw_cook_output output = {0};
    result = read_recipe(arguments.recipe, &recipe);
    if (result == EXIT_OK) {
        tlw_asset_limits limits = tlw_default_asset_limits();
        tlw_asset_error error;
        const tlw_asset_code code = tlw_asset_load(arguments.input, &limits, &asset, &error);
        if (code != TLW_ASSET_OK) {
            fprintf(stderr, "tallow-cook: %s: %s\n", arguments.input, error.message);
            result = tlw_asset_exit_code(code);
        }
    }
    if (result == EXIT_OK) {
        result = convert(asset, &arguments, &recipe, &from);
    }
    if (result == EXIT_OK) {
        result = cook(&arguments, &from, &recipe, &output);
    }
    if (result == EXIT_OK) {
        result = write_all(&arguments, asset, &from, &recipe, &output);
    }
    if (result == EXIT_OK) {
        print_remarks(&arguments, &from, &output);
    }
    tlw_cook_output_free(&output);
    tlw_asset_cook_free(&from);
    tlw_asset_free(asset);
    tlw_recipe_free(&recipe);
    return result;
}
