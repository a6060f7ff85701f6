// SPDX-License-Identifier: MIT
// tallow-bench compare OLD.json NEW.json: prints the ratio new/old of every figure that both files
// have. A figure is worse when it moved the wrong way by more than the band. A row is worse when
// both its median and its best sample did: a disturbance moves only the median, a slower program
// both.
#include "tools/bench/commands.h"
#include "tools/bench/options.h"
#include "tools/bench/results_file.h"
#include "tools/command/number.h"

#include <math.h>
#include <string.h>

#define BAND_PERCENT     10.0
#define BAND_PERCENT_MAX 999.0
#define NOISY_BAND       2.0 // times the band, where either figure or run was noisy

typedef enum direction { LESS_IS_BETTER, MORE_IS_BETTER, NO_DIRECTION } direction;

typedef struct comparison {
    double band; // a share
    bool is_noisy_run;
    size_t figures, worse, better, missing;
} comparison;

static bool is_one_of(const char* text, const char* const* list, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(text, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

// The target says which way is better; without a target the unit does. Counts and percentages have
// no better way. A time without samples is computed from other figures, which are judged
// themselves.
static direction direction_of(const json_t* figure) {
    static const char* const times[] = {"ns", "us", "ms", "s"};
    static const char* const less[] = {"bytes", "MB"};
    static const char* const more[] = {"x", "fps", "GB/s", "Gflop/s"};
    if (json_object_get(figure, "target_at_most")) {
        return LESS_IS_BETTER;
    }
    if (json_object_get(figure, "target_at_least")) {
        return MORE_IS_BETTER;
    }
    const char* unit = tlw_results_string(figure, "unit");
    if (is_one_of(unit, times, TLW_COUNT_OF(times))) {
        return json_object_get(figure, "median") ? LESS_IS_BETTER : NO_DIRECTION;
    }
    return is_one_of(unit, less, TLW_COUNT_OF(less))   ? LESS_IS_BETTER
           : is_one_of(unit, more, TLW_COUNT_OF(more)) ? MORE_IS_BETTER
                                                       : NO_DIRECTION;
}

// Above 0: worse by that share. Below 0: better.
static double worse_by(double old, double new, direction way) {
    return way == LESS_IS_BETTER ? new / old - 1.0 : old / new - 1.0;
}

static bool is_noisy(const json_t* figure) {
    return json_is_true(json_object_get(figure, "noisy"));
}

static void compare_figure(comparison* all, const char* section, const char* name,
                           const json_t* old, const json_t* new) {
    const bool is_row = json_object_get(old, "median") != NULL;
    const direction way = direction_of(new);
    const char* middle = is_row ? "median" : "value";
    const char* best = !is_row ? "value" : way == MORE_IS_BETTER ? "worst" : "min";
    const double a = tlw_results_number(old, middle), b = tlw_results_number(new, middle);
    if (!(a > 0.0) || !(b > 0.0)) {
        return;
    }
    const bool noisy = all->is_noisy_run || is_noisy(old) || is_noisy(new);
    const double band = all->band * (noisy ? NOISY_BAND : 1.0);
    const double by = worse_by(a, b, way);
    const double best_by =
        worse_by(tlw_results_number(old, best), tlw_results_number(new, best), way);
    const char* verdict = "";
    if (way != NO_DIRECTION && by > band && best_by > band) {
        all->worse += 1;
        verdict = "WORSE";
    } else if (way != NO_DIRECTION && by < -band && best_by < -band) {
        all->better += 1;
        verdict = "better";
    }
    all->figures += 1;
    printf("  %-12s %-44s %12.5g %12.5g %8.3f  %-4s %s%s\n", section, name, a, b, b / a,
           tlw_results_string(new, "unit"), verdict, noisy ? " (noisy)" : "");
}

// How many figures of the old file are missing in sections that the new file has.
static size_t count_missing(json_t* old_sections, const json_t* new_sections) {
    const char *section, *name;
    json_t *figures, *old;
    size_t missing = 0;
    json_object_foreach(old_sections, section, figures) {
        const json_t* new_figures = json_object_get(new_sections, section);
        json_object_foreach(figures, name, old) {
            missing += new_figures && !json_object_get(new_figures, name);
        }
    }
    return missing;
}

static void compare_all(comparison* all, json_t* old_sections, json_t* new_sections) {
    const char *section, *name;
    json_t *figures, *new;
    printf("  %-12s %-44s %12s %12s %8s\n", "section", "figure", "old", "new", "ratio");
    json_object_foreach(new_sections, section, figures) {
        const json_t* old_figures = json_object_get(old_sections, section);
        json_object_foreach(figures, name, new) {
            const json_t* old = json_object_get(old_figures, name);
            if (old) {
                compare_figure(all, section, name, old, new);
            }
        }
    }
    all->missing = count_missing(old_sections, new_sections);
}

// Says what makes the two runs hard to compare; they are compared all the same.
static void print_runs(const json_t* old, const json_t* new) {
    static const char* const keys[] = {"cpu", "isa", "compiler", "commit"};
    for (size_t i = 0; i < TLW_COUNT_OF(keys); ++i) {
        const char *a = tlw_results_string(old, keys[i]), *b = tlw_results_string(new, keys[i]);
        const bool is_same = strcmp(a, b) == 0;
        printf("%-9s %s%s%s%s\n", keys[i], a, is_same ? "" : " -> ", is_same ? "" : b,
               is_same || i == 3 ? "" : "   (not the same: ratios are of more than the program)");
    }
    const long long before = json_integer_value(json_object_get(old, "load"));
    const long long after = json_integer_value(json_object_get(new, "load"));
    if (before != after) {
        printf(
            "busy processes beside the section jobs: %lld -> %lld   (not the same: ratios are of "
            "more than the program)\n",
            before, after);
    }
    if (json_is_true(json_object_get(old, "quick")) ||
        json_is_true(json_object_get(new, "quick"))) {
        printf("a quick run is among them: few samples\n");
    }
}

static tlw_exit_code compare_files(const char* old_path, const char* new_path, double band) {
    json_t* old = tlw_results_read(old_path);
    json_t* new = old ? tlw_results_read(new_path) : NULL;
    tlw_exit_code code = TLW_EXIT_USAGE;
    if (new) {
        comparison all = {.band = band, .is_noisy_run = is_noisy(old) || is_noisy(new)};
        print_runs(old, new);
        compare_all(&all, json_object_get(old, "sections"), json_object_get(new, "sections"));
        if (all.figures == 0) {
            tlw_command_fail(&tlw_bench_command_line, code,
                             "'%s' and '%s' have no figure in common", old_path, new_path);
        } else {
            printf("%zu figures, %zu worse and %zu better beyond %.3g%%%s\n", all.figures,
                   all.worse, all.better, band * 100.0,
                   all.is_noisy_run ? " (a noisy run: twice that)" : "");
            if (all.missing > 0) {
                printf("%zu figures of '%s' are not in '%s'\n", all.missing, old_path, new_path);
            }
            code = all.worse > 0 ? TLW_EXIT_FAILED : TLW_EXIT_OK;
        }
    }
    json_decref(new);
    json_decref(old);
    return code;
}

tlw_exit_code tlw_bench_compare_main(int argc, char** argv) {
    const char* paths[2];
    int count = 0;
    double percent = BAND_PERCENT;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--band") == 0 && i + 1 < argc) {
            if (!tlw_parse_real(argv[++i], 0.0, BAND_PERCENT_MAX, &percent)) {
                return tlw_command_mistake(&tlw_bench_command_line,
                                           "--band takes a percentage, not", argv[i], "");
            }
        } else if (argv[i][0] == '-' || count == 2) {
            return tlw_bench_command_usage(argv[0]);
        } else {
            paths[count++] = argv[i];
        }
    }
    return count == 2 ? compare_files(paths[0], paths[1], percent * 0.01)
                      : tlw_bench_command_usage(argv[0]);
}
