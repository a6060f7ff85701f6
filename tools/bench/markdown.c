// SPDX-License-Identifier: MIT
// tallow-bench table RESULTS.json [NAME...]: tables of a run as Markdown, for READMEs: `figures`, a
// line for each that we live by, and any table of the file by its name. All of it by default.
#include "tools/bench/commands.h"
#include "tools/bench/options.h"
#include "tools/bench/results_file.h"

#include <math.h>
#include <string.h>

// A '#' in the text stands for the next of the figures: a row's median, or a value.
typedef struct line {
    const char *what, *section, *text;
    const char* figures[3]; // the first one's target is told
} line;

static const line lines[] = {
    {"substep of one character, one core",
     "step",
     "# ns a voxel; a scalar reference in the same run takes # times as long",
     {"step_ns_per_voxel", "step_speedup_over_reference", NULL}},
    {"vertex, drawn",
     "step",
     "# ns; # ns with its normal",
     {"embed_ns_per_vertex", "embed_normals_ns_per_vertex", NULL}},
    {"100 characters on 2 workers",
     "step",
     "# times as fast as without",
     {"workers2_speedup_100_characters", NULL, NULL}},
    {"one of # voxels on 2 workers",
     "step",
     "# times as fast as without",
     {"large_voxels", "workers2_speedup_one_large", NULL}},
    {"one of ten times the voxels",
     "step",
     "# times the time a voxel",
     {"large_over_small", NULL, NULL}},
    {"state of a character", "step", "# bytes a voxel", {"state_bytes_per_voxel", NULL, NULL}},
    {"scratch of a worker", "step", "# bytes a voxel", {"scratch_bytes_per_voxel", NULL, NULL}},
    {"blob without the render mesh",
     "step",
     "# bytes a voxel",
     {"blob_bytes_per_voxel", NULL, NULL}},
    {"scheduler, 200 us loop on 2 threads",
     "jobs",
     "# times as fast as serial",
     {"loop_200us_speedup_2_threads", NULL, NULL}},
    {"cook at resolution 32",
     "cook",
     "# ms, # voxels, # MB",
     {"stout_resolution_32", "stout_resolution_32_voxels", "stout_resolution_32_memory"}},
    {"cook at resolution 64",
     "cook",
     "# ms, # voxels, # MB",
     {"stout_resolution_64", "stout_resolution_64_voxels", "stout_resolution_64_memory"}},
    {"cook at resolution 128",
     "cook",
     "# ms, # voxels, # MB",
     {"stout_resolution_128", "stout_resolution_128_voxels", "stout_resolution_128_memory"}},
    {"zone pair of the built-in profiler",
     "profiling",
     "# ns; # ns for two reads of the counter; # ns with none installed",
     {"builtin_pair", "two_counter_reads", "not_installed_pair"}},
};

// Three or four digits, or all of those before the point, in groups.
static void print_number(double value) {
    if (!(value - value == 0.0)) {
        printf("-");
    } else if (fabs(value) >= 999.5 || value == floor(value)) {
        char digits[32];
        const int length = snprintf(digits, sizeof digits, "%.0f", value);
        for (int i = 0; i < length && i < (int)sizeof digits; ++i) {
            const bool is_group = i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-';
            printf("%s%c", is_group ? "," : "", digits[i]);
        }
    } else {
        printf(fabs(value) < 10.0 ? "%.3g" : "%.4g", value);
    }
}

static double number_of(const json_t* figure) {
    const double median = tlw_results_number(figure, "median");
    return median - median == 0.0 ? median : tlw_results_number(figure, "value");
}

static const json_t* find_figure(const json_t* root, const char* section, const char* name) {
    return json_object_get(json_object_get(json_object_get(root, "sections"), section), name);
}

// Returns how many figures it has printed.
static int print_text(const json_t* root, const line* l, const char* text, int next) {
    for (; *text; ++text) {
        if (*text == '#' && next < (int)TLW_COUNT_OF(l->figures) && l->figures[next]) {
            print_number(number_of(find_figure(root, l->section, l->figures[next++])));
        } else {
            putchar(*text);
        }
    }
    return next;
}

static void print_target(const json_t* figure) {
    const double most = tlw_results_number(figure, "target_at_most");
    const double least = tlw_results_number(figure, "target_at_least");
    if (most - most == 0.0) {
        printf("at most ");
        print_number(most);
    } else if (least - least == 0.0) {
        printf("at least ");
        print_number(least);
    }
}

static void print_figures(const json_t* root) {
    printf("| what | figure | target |\n| --- | --- | --- |\n");
    for (size_t i = 0; i < TLW_COUNT_OF(lines); ++i) {
        const line* l = &lines[i];
        const bool is_second = strchr(l->what, '#') != NULL;
        const json_t* figure = find_figure(root, l->section, l->figures[is_second]);
        if (figure == NULL) { // that section did not run, or this machine has one core
            continue;
        }
        printf("| ");
        const int next = print_text(root, l, l->what, 0);
        printf(" | ");
        print_text(root, l, l->text, next);
        printf(" | ");
        print_target(figure);
        printf(" |\n");
    }
}

// Columns are headed by their keys.
static void print_head(json_t* row) {
    const char* key;
    json_t* cell;
    printf("|");
    json_object_foreach(row, key, cell) {
        printf(" %s |", key);
    }
    printf("\n|");
    json_object_foreach(row, key, cell) {
        printf(" --- |");
    }
    printf("\n");
}

static void print_table(const json_t* rows) {
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        json_t* row = json_array_get(rows, i);
        const char* key;
        json_t* cell;
        if (i == 0) {
            print_head(row);
        }
        printf("|");
        json_object_foreach(row, key, cell) {
            printf(" ");
            if (json_is_string(cell)) {
                printf("%s", json_string_value(cell));
            } else {
                print_number(json_is_number(cell) ? json_number_value(cell) : (double)NAN);
            }
            printf(" |");
        }
        printf("\n");
    }
}

static void print_run(const json_t* root) {
    printf("%s, %.0f core%s, %s; %s; commit %s%s%s\n\n", tlw_results_string(root, "cpu"),
           tlw_results_number(root, "cores"), tlw_results_number(root, "cores") == 1.0 ? "" : "s",
           tlw_results_string(root, "isa"), tlw_results_string(root, "compiler"),
           tlw_results_string(root, "commit"),
           json_is_true(json_object_get(root, "quick")) ? "; a quick run" : "",
           json_is_true(json_object_get(root, "noisy")) ? "; **a noisy run**" : "");
}

static bool print_named(const json_t* root, const char* name) {
    const json_t* table = json_object_get(root, name);
    if (strcmp(name, "figures") == 0) {
        print_run(root);
        print_figures(root);
    } else if (json_is_array(table)) {
        print_table(table);
    } else {
        tlw_command_mistake(&tlw_bench_command_line, "there is no table", name, " in that file");
        return false;
    }
    return true;
}

static void print_all(json_t* root) {
    const char* name;
    json_t* table;
    print_named(root, "figures");
    json_object_foreach(root, name, table) {
        if (json_is_array(table)) {
            printf("\n%s\n\n", name);
            print_table(table);
        }
    }
}

tlw_exit_code tlw_bench_table_main(int argc, char** argv) {
    if (argc < 2) {
        return tlw_bench_command_usage(argv[0]);
    }
    json_t* root = tlw_results_read(argv[1]);
    if (root == NULL) {
        return TLW_EXIT_USAGE;
    }
    if (argc == 2) {
        print_all(root);
    }
    tlw_exit_code code = TLW_EXIT_OK;
    for (int i = 2; i < argc && code == TLW_EXIT_OK; ++i) {
        printf("%s", i > 2 ? "\n" : "");
        code = print_named(root, argv[i]) ? TLW_EXIT_OK : TLW_EXIT_USAGE;
    }
    json_decref(root);
    return code;
}
