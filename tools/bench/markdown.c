// SPDX-License-Identifier: MIT
// tallow-bench table RESULTS.json [NAME...]: tables of a recorded run as Markdown, for READMEs.
// `figures` is a table of the most important single figures; any other name is a table of the
// results file. Without a name, all of them.
#include "tools/bench/commands.h"
#include "tools/bench/options.h"
#include "tools/bench/papers.h"
#include "tools/bench/results_file.h"

#include <math.h>
#include <string.h>

// A line of `figures`. Each '#' in `what` and then in `text` stands for the next of the figures:
// the median of a row, or a value.
typedef struct line {
    const char *what, *section, *text;
    const char* figures[3]; // the third column is the target of the first one in `text`
} line;

static const line lines[] = {
    {"substep of one character, one core",
     "step",
     "# ns per voxel; a scalar reference in the same run takes # times as long",
     {"step_ns_per_voxel", "step_speedup_over_reference", NULL}},
    {"skinned volume in it, the most of seven characters",
     "skinning",
     "# of a substep without it",
     {"bends_over_substep", NULL, NULL}},
    {"skinning by dual quaternions, the most of seven characters",
     "skinning",
     "# times the time of linear skinning",
     {"dual_over_linear_skin", NULL, NULL}},
    {"8 capsules that touch it, the most of four characters",
     "contact",
     "# times a substep without them",
     {"capsules_apart", NULL, NULL}},
    {"own limbs in a dance, the most of four characters",
     "contact",
     "# times a substep without them",
     {"limbs_dance", NULL, NULL}},
    {"one vertex of the output",
     "step",
     "# ns; # ns with its normal",
     {"embed_ns_per_vertex", "embed_normals_ns_per_vertex", NULL}},
    {"the same by delta, the cheapest embedding",
     "step",
     "# ns; a scalar reference in the same run takes # times as long",
     {"embed_delta_ns_per_vertex", "embed_delta_speedup", NULL}},
    {"the same with its normal",
     "step",
     "# ns; a scalar reference in the same run takes # times as long",
     {"embed_delta_normals_ns_per_vertex", "embed_delta_normals_speedup", NULL}},
    {"100 characters on 2 workers",
     "step",
     "# times as fast as on one thread",
     {"workers2_speedup_100_characters", NULL, NULL}},
    {"one character of # voxels on 2 workers",
     "step",
     "# times as fast as on one thread",
     {"large_voxels", "workers2_speedup_one_large", NULL}},
    {"a character with ten times the voxels",
     "step",
     "# times the time per voxel",
     {"large_over_small", NULL, NULL}},
    {"state of a character", "step", "# bytes per voxel", {"state_bytes_per_voxel", NULL, NULL}},
    {"scratch of a worker", "step", "# bytes per voxel", {"scratch_bytes_per_voxel", NULL, NULL}},
    {"blob without the render mesh",
     "step",
     "# bytes per voxel",
     {"blob_bytes_per_voxel", NULL, NULL}},
    {"a vertex in the blob", "step", "# bytes", {"blob_bytes_per_vertex", NULL, NULL}},
    {"scheduler: a loop of 200 us on 2 threads",
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
    {"begin and end of a zone, built-in profiler",
     "profiling",
     "# ns, where two reads of the counter take # ns; # ns with no profiler installed",
     {"builtin_pair", "two_counter_reads", "not_installed_pair"}},
};

// Three or four digits; of larger numbers all digits before the point, in groups.
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

// Returns the index of the next figure.
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
        if (figure == NULL) { // the section did not run, or the machine has one core
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

// What a column of the results file is called. A key that is not here is its own head: passes, and
// words such as "voxels".
static const struct {
    const char *key, *head;
} heads[] = {
    {"d_r", "region width"},
    {"ms", "ms per frame"},
    {"fps", "frames per second"},
    {"ratio", "times as fast"},
    {"paper_model", "paper's model"},
    {"paper_voxels", "paper's voxels"},
    {"paper_ms", "paper, ms"},
    {"paper_particles", "paper's particles"},
    {"paper_vertices", "paper's vertices"},
    {"paper_joints", "paper's joints"},
    {"paper_fps", "paper, frames per second"},
    {"divides", "divisions and roots"},
    {"bytes_loaded", "bytes loaded"},
    {"bytes_stored", "bytes stored"},
    {"gflop_s", "Gflop/s"},
    {"peak_share", "of peak flops"},
    {"gb_s", "GB/s"},
    {"l1_share", "of L1 rate"},
    {"l2_share", "of L2 rate"},
    {"dram_share", "of memory rate"},
    {"embed_us", "embed, us"},
    {"ns_per_voxel", "ns per voxel"},
    {"ns_per_vertex", "ns per vertex"},
    {"set", "instruction set"},
    {"least_ns_per_voxel", "least ns per voxel"},
    {"speedup_over_reference", "times as fast as the reference"},
    {"crowd_ns_per_voxel", "crowd, ns per voxel"},
    {"crowd_speedup", "crowd, times as fast"},
    {"one_large_ns_per_voxel", "one large, ns per voxel"},
    {"one_large_speedup", "one large, times as fast"},
};

// The sentence above a table. '#' stands for the CPU of the run, '@' for its instruction set.
static const struct {
    const char *table, *sentence;
} sentences[] = {
    {"table1", "Ours: one core, # with @. The paper's: " TLW_PAPER_TABLE1_CPU
               ". Neither includes mesh drawing; ours includes positions "
               "and normals of the vertices."},
    {"table2", "Ours: one core, # with @, without drawing. The paper's: " TLW_PAPER_TABLE2_CPU
               ", with drawing."},
    {"passes",
     "Nanoseconds, flops and bytes are per voxel and substep, on one core, # with @. Shares are "
     "of the best that the core was seen to do in the same run."},
    {"embed", "A frame of one character on one core, # with @, and the output in it."},
    {"scaling_isa", "One character at resolution 32 on one core, #."},
    {"scaling_workers", "A crowd of 100 characters at resolution 32, and one large character of "
                        "about 40,000 voxels, # with @."},
    {"scaling_characters", "Crowds of small characters on one core, # with @."},
    {"scaling_voxels", "One character at several resolutions on one core, # with @."},
};

static const char* head_of(const char* key) {
    for (size_t i = 0; i < TLW_COUNT_OF(heads); ++i) {
        if (strcmp(key, heads[i].key) == 0) {
            return heads[i].head;
        }
    }
    return key;
}

static void print_sentence(const json_t* root, const char* table) {
    for (size_t i = 0; i < TLW_COUNT_OF(sentences); ++i) {
        if (strcmp(table, sentences[i].table) != 0) {
            continue;
        }
        for (const char* at = sentences[i].sentence; *at; ++at) {
            if (*at == '#' || *at == '@') {
                printf("%s", tlw_results_string(root, *at == '#' ? "cpu" : "isa"));
            } else {
                putchar(*at);
            }
        }
        printf("\n\n");
    }
}

static void print_head(json_t* row) {
    const char* key;
    json_t* cell;
    printf("|");
    json_object_foreach(row, key, cell) {
        printf(" %s |", head_of(key));
    }
    printf("\n|");
    json_object_foreach(row, key, cell) {
        printf(" --- |");
    }
    printf("\n");
}

static void print_table(const json_t* root, const char* name) {
    const json_t* rows = json_object_get(root, name);
    print_sentence(root, name);
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
    if (strcmp(name, "figures") == 0) {
        print_run(root);
        print_figures(root);
    } else if (json_is_array(json_object_get(root, name))) {
        print_table(root, name);
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
            print_table(root, name);
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
