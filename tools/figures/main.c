// SPDX-License-Identifier: MIT
// tallow-figures: draws the figures of Iwamoto et al. 2015 that show motion, and a few of our own,
// on sample characters; prints the table of numbers behind them.
#include "tools/command/arguments.h"
#include "tools/command/number.h"
#include "tools/figures/embedding.h"
#include "tools/figures/fat.h"

#include <string.h>

static const struct figure {
    const char* name;
    tlw_figure_make* make;
    bool needs_models;
    const char* what;
} figures[] = {
#define FIGURE(name, function, needs_models, what) \
    {name, tlw_figure_##function, needs_models, what},
    TLW_FIGURE_TABLE(FIGURE)
#undef FIGURE
};

enum { FIGURE_COUNT = (int)TLW_COUNT_OF(figures), HEIGHT_MIN = 24, HEIGHT_MAX = 400 };

static void print_usage(FILE* out) {
    fprintf(
        out,
        "usage: tallow-figures NAME... -o FOLDER\n"
        "       tallow-figures --list\n"
        "       tallow-figures --table\n"
        "       tallow-figures --embedding-table\n"
        "       tallow-figures --rbf-table\n"
        "       tallow-figures --fat-table\n"
        "Draws figures as FOLDER/NAME.png, with the numbers of what they show.\n"
        "  NAME                a figure, or 'all': every one that can be made\n"
        "  -o, --output FOLDER where the pictures go\n"
        "  --list              names the figures and says what each shows\n"
        "  --table             prints the study's table: samples at resolution 32 and 48\n"
        "  --embedding-table   prints creases, seams and normals of the embeddings on the samples\n"
        "  --rbf-table         prints Table 1 of Luo et al. on a body of ours, timed on this "
        "machine\n"
        "  --fat-table         prints what a breast of 1 cm voxels costs, beside the numbers of\n"
        "                      Aubel and Thalmann\n"
        "  --models FOLDER     glTF sample models (Fox.glb, CesiumMan.glb, ...): for the\n"
        "                      figures 'fox' and 'auto', and more rows of the table\n"
        "  --height PIXELS     of a cell, %d to %d; 180\n",
        HEIGHT_MIN, HEIGHT_MAX);
}

static const tlw_command command = {
    .name = "tallow-figures",
    .print_usage = print_usage,
    .exit_codes = TLW_EXIT_BIT(TLW_EXIT_OK) | TLW_EXIT_BIT(TLW_EXIT_FAILED) |
                  TLW_EXIT_BIT(TLW_EXIT_USAGE) | TLW_EXIT_BIT(TLW_EXIT_CANNOT_READ) |
                  TLW_EXIT_BIT(TLW_EXIT_BAD_ASSET) | TLW_EXIT_BIT(TLW_EXIT_CANNOT_WRITE)};

enum {
    OPTION_OUTPUT,
    OPTION_LIST,
    OPTION_TABLE,
    OPTION_EMBEDDINGS,
    OPTION_SYSTEMS,
    OPTION_FAT,
    OPTION_MODELS,
    OPTION_HEIGHT,
    OPTION_COUNT
};

static const tlw_option options[OPTION_COUNT] = {
    [OPTION_OUTPUT] = {.name = "--output", .other = "-o", .takes = "a folder"},
    [OPTION_LIST] = {.name = "--list"},
    [OPTION_TABLE] = {.name = "--table"},
    [OPTION_EMBEDDINGS] = {.name = "--embedding-table"},
    [OPTION_SYSTEMS] = {.name = "--rbf-table"},
    [OPTION_FAT] = {.name = "--fat-table"},
    [OPTION_MODELS] = {.name = "--models", .takes = "a folder"},
    [OPTION_HEIGHT] = {.name = "--height", .takes = "24 to 400"}};

// What the command line asks for.
typedef struct request {
    bool is_wanted[FIGURE_COUNT], is_all, is_list, is_table, is_embeddings, is_systems, is_fat;
    const char* folder;
} request;

static tlw_exit_code refuse_name(const char* name) {
    char known[512];
    size_t used = 0;
    for (int i = 0; i < FIGURE_COUNT && used < sizeof known; ++i) {
        const int length = snprintf(known + used, sizeof known - used, "%s%s",
                                    i ? ", " : "; there are: all, ", figures[i].name);
        used += length > 0 ? (size_t)length : 0;
    }
    return tlw_command_mistake(&command, "unknown figure", name, known);
}

static bool want(request* r, const char* name) {
    if (strcmp(name, "all") == 0) {
        r->is_all = true;
        return true;
    }
    for (int i = 0; i < FIGURE_COUNT; ++i) {
        if (strcmp(name, figures[i].name) == 0) {
            r->is_wanted[i] = true;
            return true;
        }
    }
    return false;
}

// ---- What it does

static tlw_exit_code make(tlw_figures* f, const request* r, const struct figure* figure) {
    static tlw_output_file file;
    char path[TLW_PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.png", r->folder, figure->name);
    memset(&file, 0, sizeof file);
    tlw_exit_code code = tlw_output_file_begin(&command, &file, path);
    if (code == TLW_EXIT_OK) {
        code = figure->make(f, &file);
    }
    tlw_output_file_abandon(&file);
    if (code == TLW_EXIT_OK) {
        printf("%s: %s\n", path, figure->what);
        fflush(stdout);
    }
    return code;
}

static tlw_exit_code make_all(tlw_figures* f, const request* r) {
    tlw_exit_code code = TLW_EXIT_OK;
    for (int i = 0; i < FIGURE_COUNT && code == TLW_EXIT_OK; ++i) {
        const bool is_possible = f->models || !figures[i].needs_models;
        if (r->is_wanted[i] || (r->is_all && is_possible)) {
            code = make(f, r, &figures[i]);
        }
    }
    return code;
}

static tlw_exit_code add_row(tlw_figures* f, const tlw_actor* actor, uint32_t resolution,
                             tlw_motion_row* row) {
    if (tlw_motion_measure(actor, TLW_PRESET_COOKED, row, &f->error) != TLW_SCENE_OK) {
        return tlw_figures_fail(f);
    }
    snprintf(row->name, sizeof row->name, "%s %u", actor->name, resolution);
    return TLW_EXIT_OK;
}

// Whether a model of that name is in the folder; then its path.
static bool find_model(const tlw_figures* f, const char* name, char* path, size_t room) {
    snprintf(path, room, "%s/%s.glb", f->models ? f->models : "", name);
    FILE* file = f->models ? fopen(path, "rb") : NULL;
    if (file) {
        fclose(file);
    }
    return file != NULL;
}

static tlw_exit_code print_table(tlw_figures* f) {
    static const char* const names[] = {"stout",        "bunny", "thin",     "CesiumMan",
                                        "RiggedFigure", "Fox",   "BrainStem"};
    static const uint32_t resolutions[] = {32, 48};
    enum { SAMPLES = 3, ROWS = (int)(TLW_COUNT_OF(names) * TLW_COUNT_OF(resolutions)) };
    static tlw_motion_row rows[ROWS];
    uint32_t count = 0;
    tlw_exit_code code = TLW_EXIT_OK;
    for (size_t i = 0; i < TLW_COUNT_OF(names) && code == TLW_EXIT_OK; ++i) {
        char path[TLW_PATH_MAX];
        if (i >= SAMPLES && !find_model(f, names[i], path, sizeof path)) {
            continue;
        }
        for (size_t k = 0; k < TLW_COUNT_OF(resolutions) && code == TLW_EXIT_OK; ++k) {
            tlw_cook_recipe recipe = tlw_default_cook_recipe();
            recipe.resolution = resolutions[k];
            tlw_actor actor;
            const tlw_scene_code made = i < SAMPLES
                                            ? tlw_actor_make(&actor, names[i], &recipe, &f->error)
                                            : tlw_actor_cook(&actor, path, &recipe, &f->error);
            code = made == TLW_SCENE_OK ? add_row(f, &actor, resolutions[k], &rows[count])
                                        : tlw_figures_fail(f);
            count += code == TLW_EXIT_OK;
            tlw_actor_free(&actor);
        }
    }
    if (code == TLW_EXIT_OK) {
        tlw_motion_print_table(rows, count, stdout);
        code = tlw_output_flush(&command);
    }
    return code;
}

static tlw_exit_code print_list(void) {
    for (int i = 0; i < FIGURE_COUNT; ++i) {
        printf("%-12s %s%s\n", figures[i].name, figures[i].what,
               figures[i].needs_models ? " (needs --models)" : "");
    }
    return tlw_output_flush(&command);
}

static tlw_exit_code run(tlw_figures* f, const request* r) {
    bool is_any = r->is_all;
    for (int i = 0; i < FIGURE_COUNT; ++i) {
        is_any = is_any || r->is_wanted[i];
        if (r->is_wanted[i] && figures[i].needs_models && f->models == NULL) {
            return tlw_command_mistake(&command, "--models must be given for", figures[i].name, "");
        }
    }
    const bool is_tables = r->is_table || r->is_embeddings || r->is_systems || r->is_fat;
    if (!is_any && !r->is_list && !is_tables) {
        return tlw_command_mistake(&command, "a figure must be named:", "NAME", "");
    }
    if (is_any && r->folder == NULL) {
        return tlw_command_mistake(&command, "there is no", "--output", "");
    }
    tlw_exit_code code = r->is_list ? print_list() : TLW_EXIT_OK;
    if (code == TLW_EXIT_OK) {
        code = make_all(f, r);
    }
    if (code == TLW_EXIT_OK && r->is_table) {
        code = print_table(f);
    }
    if (code == TLW_EXIT_OK && r->is_embeddings) {
        code = tlw_figures_print_embeddings(f);
    }
    if (code == TLW_EXIT_OK && r->is_systems) {
        code = tlw_figures_print_systems(f);
    }
    return code == TLW_EXIT_OK && r->is_fat ? tlw_figures_print_fat(f) : code;
}

int main(int argc, char** argv) {
    static tlw_figures f = {.command = &command, .cell_height = 180};
    static request r;
    tlw_arguments a = tlw_arguments_begin(&command, argc, argv, options, OPTION_COUNT);
    for (int which; (which = tlw_arguments_next(&a)) != TLW_ARGUMENT_END;) {
        switch (which) {
        case OPTION_OUTPUT:
            r.folder = a.value;
            break;
        case OPTION_LIST:
            r.is_list = true;
            break;
        case OPTION_TABLE:
            r.is_table = true;
            break;
        case OPTION_EMBEDDINGS:
            r.is_embeddings = true;
            break;
        case OPTION_SYSTEMS:
            r.is_systems = true;
            break;
        case OPTION_FAT:
            r.is_fat = true;
            break;
        case OPTION_MODELS:
            f.models = a.value;
            break;
        case OPTION_HEIGHT:
            if (!tlw_parse_count(a.value, HEIGHT_MIN, HEIGHT_MAX, &f.cell_height)) {
                return tlw_arguments_refuse(&a, "");
            }
            break;
        case TLW_ARGUMENT_PLAIN:
            if (!want(&r, a.value)) {
                return refuse_name(a.value);
            }
            break;
        default:
            return a.exit_code;
        }
    }
    const tlw_exit_code code = run(&f, &r);
    for (int i = 0; i < TLW_CAST_COUNT; ++i) {
        if (f.is_made[i]) {
            tlw_actor_free(&f.actors[i]);
        }
    }
    return code;
}
