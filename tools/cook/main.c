// SPDX-License-Identifier: MIT
// tallow-cook: the cooking library as a command for build steps. Reads a glTF (or a format that
// Assimp reads) and a recipe; writes a blob and, on request, a depfile and a report. If one of
// these files cannot be written, none is.
#include "jobs/task_system.h"
#include "platform/thread.h"
#include "runtime/asset.h"
#include "tools/asset/asset.h"
#include "tools/asset/to_cook.h"
#include "tools/command/arguments.h"
#include "tools/command/memory.h"
#include "tools/command/number.h"
#include "tools/command/output_file.h"
#include "tools/command/progress.h"
#include "tools/cook/cook.h"
#include "tools/recipe/recipe.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// ---- The command line

#define THREADS_MAX 256u

typedef struct cook_arguments {
    const char *input, *recipe, *output, *depfile, *report;
    uint32_t threads; // 0: as many as cores
    bool is_quiet, is_verbose;
} cook_arguments;

static void print_usage(FILE* out) {
    fprintf(out,
            "usage: tallow-cook INPUT [-r RECIPE] -o OUT.tlw [options]\n"
            "  -r, --recipe FILE   what the artist chose (tools/recipe/README.md); default: none\n"
            "  -o, --output FILE   the blob\n"
            "  --depfile FILE      what the blob was made from, for Make and Ninja\n"
            "  --report FILE       counts, parts, cuts and remarks as JSON\n"
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
    [OPTION_THREADS] = {.name = "--threads", .takes = "1 to 256"},
    [OPTION_QUIET] = {.name = "--quiet"},
    [OPTION_VERBOSE] = {.name = "-v", .other = "--verbose"},
};

// False: end with *code, everything has been said.
static bool parse_arguments(int argc, char** argv, cook_arguments* out, tlw_exit_code* code) {
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
    if (out->input == NULL) {
        *code = tlw_command_mistake(&command, "there is no", "INPUT", "");
    } else if (out->output == NULL) {
        *code = tlw_command_mistake(&command, "where to? there is no", "-o", "");
    }
    return *code == TLW_EXIT_OK;
}

// ---- Reading and cooking

static tlw_exit_code read_recipe(const char* path, tlw_recipe* recipe) {
    *recipe = tlw_default_recipe();
    if (path == NULL) {
        return TLW_EXIT_OK;
    }
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.limit_bytes = TLW_RECIPE_BYTES_MAX;
    def.grow = tlw_heap_grow;
    uint8_t* bytes;
    size_t size;
    tlw_file_error file_error;
    const tlw_result read = tlw_file_read(&def, &bytes, &size, &file_error);
    if (read != TLW_OK) {
        return tlw_command_fail(
            &command, read == TLW_ERROR_TOO_LARGE ? TLW_EXIT_BAD_RECIPE : TLW_EXIT_CANNOT_READ,
            "%s", file_error.message);
    }
    tlw_recipe_error error;
    const tlw_result result = tlw_recipe_read(bytes, size, recipe, &error);
    free(bytes);
    if (result != TLW_OK) {
        return tlw_command_fail(&command, TLW_EXIT_BAD_RECIPE, "%s: %s", path, error.message);
    }
    return TLW_EXIT_OK;
}

// Passes the recipe's roles and names to the importer, and its joints back to the recipe.
static tlw_exit_code convert(const tlw_asset* asset, const cook_arguments* arguments,
                             tlw_recipe* recipe, tlw_asset_cook* out) {
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
    tlw_asset_error error;
    const tlw_asset_code code = tlw_asset_to_cook(asset, &to_cook, out, &error);
    free(roles);
    if (code != TLW_ASSET_OK) {
        return tlw_command_fail(&command, tlw_asset_exit_code(code), "%s: %s",
                                code == TLW_ASSET_BAD_OPTION ? arguments->recipe : arguments->input,
                                error.message);
    }
    tlw_recipe_error recipe_error;
    if (tlw_recipe_choose_joints(recipe, out->input.joints, out->input.joint_count,
                                 &recipe_error) != TLW_OK) {
        return tlw_command_fail(&command, TLW_EXIT_BAD_RECIPE, "%s: %s", arguments->recipe,
                                recipe_error.message);
    }
    return TLW_EXIT_OK;
}

static tlw_exit_code cook(const cook_arguments* arguments, const tlw_asset_cook* from,
                          const tlw_recipe* recipe, tlw_cook_output* output) {
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
        tlw_cook_character(&from->input, &recipe->cook, &cook_options, output);
    if (jobs) {
        tlw_jobs_tasks_destroy(jobs);
    }
    if (scheduler) {
        enkiDeleteTaskScheduler(scheduler);
    }
    if (result == TLW_OK) {
        return TLW_EXIT_OK;
    }
    const bool is_of_recipe = output->error.is_of_recipe;
    return tlw_command_fail(
        &command, is_of_recipe ? TLW_EXIT_BAD_RECIPE : TLW_EXIT_BAD_ASSET, "%s: %s",
        is_of_recipe && arguments->recipe ? arguments->recipe : arguments->input,
        output->error.message);
}

// ---- The report

static json_t* names_of_cut(const tlw_asset_cook* from, const tlw_cook_cut_report* cut) {
    return json_pack("{s:s, s:s, s:i}", "joint_a", from->input.joints[cut->joint_a].name, "joint_b",
                     from->input.joints[cut->joint_b].name, "links", (int)cut->link_count);
}

// A float as the shortest decimal number, so that 0.1 does not become 0.100000001.
static json_t* real_of(float value) {
    char text[32];
    snprintf(text, sizeof text, "%.7g", (double)value);
    return json_real(strtod(text, NULL));
}

static const char* name_of_part(const tlw_asset_cook* from, const tlw_cook_part_report* part) {
    return part->joint == TLW_NO_JOINT ? "-" : from->input.joints[part->joint].name;
}

static json_t* describe_part(const tlw_asset_cook* from, const tlw_cook_recipe* recipe,
                             const tlw_cook_part_report* part) {
    json_t* layers = json_object();
    for (uint32_t i = 0; i < recipe->layer_count; ++i) {
        json_object_set_new(layers, recipe->layers[i].name,
                            json_pack("{s:o, s:o, s:o}", "stiffness", real_of(part->stiffness[i]),
                                      "damping", real_of(part->damping[i]), "anchor_hz",
                                      real_of(part->anchor_hz[i])));
    }
    return json_pack(
        "{s:o, s:i, s:s, s:o}", "joint",
        part->joint == TLW_NO_JOINT ? json_null() : json_string(name_of_part(from, part)), "voxels",
        (int)part->voxels, "kind", tlw_part_kind_text((tlw_part_kind)part->kind), "layers", layers);
}

static const char* const weights_words[] = {[TLW_WEIGHTS_ARTIST] = "artist",
                                            [TLW_WEIGHTS_HEAT] = "heat",
                                            [TLW_WEIGHTS_DIFFUSION] = "diffusion",
                                            [TLW_WEIGHTS_GEODESIC] = "geodesic"};

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
    json_t* parts = json_array();
    for (uint32_t i = 0; i < r->part_count; ++i) {
        json_array_append_new(parts, describe_part(from, &recipe->cook, &r->parts[i]));
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
    json_object_set_new(report, "weights", json_string(weights_words[r->weights]));
    json_object_set_new(report, "layers", layers);
    json_object_set_new(report, "parts", parts);
    json_object_set_new(report, "cuts", cuts);
    json_object_set_new(report, "notes", notes);
    char* text = json_dumps(report, JSON_INDENT(2));
    json_decref(report);
    return text;
}

// One line per part: what made it, and what its layers have.
static void print_parts(const cook_arguments* arguments, const tlw_asset_cook* from,
                        const tlw_cook_recipe* recipe, const tlw_cook_report* r) {
    for (uint32_t p = 1; p < r->part_count; ++p) {
        const tlw_cook_part_report* part = &r->parts[p];
        fprintf(stderr,
                "tallow-cook: %s: part from '%s': %s, %u voxels; stiffness, damping, anchor Hz:",
                arguments->input, name_of_part(from, part),
                tlw_part_kind_text((tlw_part_kind)part->kind), part->voxels);
        for (uint32_t i = 0; i < recipe->layer_count; ++i) {
            fprintf(stderr, "%s %.4g %.4g %.4g", i > 0 ? "," : "", (double)part->stiffness[i],
                    (double)part->damping[i], (double)part->anchor_hz[i]);
        }
        fprintf(stderr, "\n");
    }
}

// Warns of what an artist should look at, one line each.
static void print_remarks(const cook_arguments* arguments, const tlw_asset_cook* from,
                          const tlw_recipe* recipe, const tlw_cook_output* output) {
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
    print_parts(arguments, from, &recipe->cook, r);
    for (uint32_t i = 0; i < from->report.note_count; ++i) {
        fprintf(stderr, "tallow-cook: %s: %s\n", arguments->input, from->report.notes[i]);
    }
}

// ---- Files

// As Make and Ninja both read it: a backslash before a space or a hash, a dollar twice.
static void add_path(tlw_text* text, const char* path) {
    for (; *path; ++path) {
        const char* escape = *path == ' ' || *path == '#' ? "\\" : *path == '$' ? "$" : "";
        tlw_text_add(text, "%s%c", escape, *path);
    }
}

static tlw_text make_depfile(const cook_arguments* arguments, const tlw_asset* asset) {
    tlw_text text = {0};
    add_path(&text, arguments->output);
    tlw_text_add(&text, ":");
    for (uint32_t i = 0; i < asset->file_count; ++i) {
        tlw_text_add(&text, " \\\n  ");
        add_path(&text, asset->files[i]);
    }
    if (arguments->recipe) {
        tlw_text_add(&text, " \\\n  ");
        add_path(&text, arguments->recipe);
    }
    tlw_text_add(&text, "\n");
    return text;
}

// All files are begun before any is committed: if one cannot be written, the others stay as they
// were. The blob is committed last, so that a process that sees the new blob sees its files too.
static tlw_exit_code write_all(const cook_arguments* arguments, const tlw_asset* asset,
                               const tlw_asset_cook* from, const tlw_recipe* recipe,
                               const tlw_cook_output* output) {
    static tlw_output_file files[3];
    tlw_text depfile = make_depfile(arguments, asset);
    char* report = make_report(from, recipe, output);
    const struct {
        const char* path;
        const void* bytes;
        size_t size;
    } contents[TLW_COUNT_OF(files)] = {
        {arguments->depfile, depfile.bytes, depfile.used},
        {arguments->report, report, report ? strlen(report) : 0},
        {arguments->output, output->blob, output->blob_bytes},
    };
    tlw_exit_code code = depfile.out_of_memory || report == NULL
                             ? tlw_command_fail(&command, TLW_EXIT_CANNOT_WRITE, "out of memory")
                             : TLW_EXIT_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(files) && code == TLW_EXIT_OK; ++i) {
        code = tlw_output_file_begin(&command, &files[i], contents[i].path);
        if (files[i].is_begun) { // the commit tells whether the write failed
            (void)tlw_file_writer_write(&files[i].writer, contents[i].bytes, contents[i].size);
        }
    }
    for (size_t i = 0; i < TLW_COUNT_OF(files); ++i) {
        if (code == TLW_EXIT_OK) {
            code = tlw_output_file_commit(&command, &files[i]);
        }
        tlw_output_file_abandon(&files[i]);
    }
    if (code == TLW_EXIT_OK && arguments->is_verbose) {
        printf("%s\n", report);
    }
    free(report);
    tlw_text_free(&depfile);
    return code;
}

int main(int argc, char** argv) {
    cook_arguments arguments = {0};
    tlw_exit_code code;
    if (!parse_arguments(argc, argv, &arguments, &code)) {
        return code;
    }
    tlw_recipe recipe;
    tlw_asset* asset = NULL;
    tlw_asset_cook from = {0};
    tlw_cook_output output = {0};
    code = read_recipe(arguments.recipe, &recipe);
    if (code == TLW_EXIT_OK) {
        tlw_asset_limits limits = tlw_default_asset_limits();
        tlw_asset_error error;
        const tlw_asset_code loaded = tlw_asset_load(arguments.input, &limits, &asset, &error);
        if (loaded != TLW_ASSET_OK) {
            code = tlw_command_fail(&command, tlw_asset_exit_code(loaded), "%s: %s",
                                    arguments.input, error.message);
        }
    }
    if (code == TLW_EXIT_OK) {
        code = convert(asset, &arguments, &recipe, &from);
    }
    if (code == TLW_EXIT_OK) {
        code = cook(&arguments, &from, &recipe, &output);
    }
    if (code == TLW_EXIT_OK) {
        code = write_all(&arguments, asset, &from, &recipe, &output);
    }
    if (code == TLW_EXIT_OK) {
        print_remarks(&arguments, &from, &recipe, &output);
    }
    tlw_cook_output_free(&output);
    tlw_asset_cook_free(&from);
    tlw_asset_free(asset);
    tlw_recipe_free(&recipe);
    return code;
}
