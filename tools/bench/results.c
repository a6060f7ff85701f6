// SPDX-License-Identifier: MIT
// Prints and records figures and tables, and makes the JSON of a run.
#include "tools/bench/results.h"

#include "platform/isa.h"
#include "tools/bench/machine.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// JSON has no infinity and no NaN; either less itself is NaN.
static const char* number_of(double value, char text[32]) {
    if (value - value == 0.0) {
        snprintf(text, 32, "%.9g", value);
    } else {
        strcpy(text, "null");
    }
    return text;
}

static const char* bool_of(bool value) {
    return value ? "true" : "false";
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The smallest sample that at least `part` of all samples do not exceed.
static double percentile(const double* sorted, size_t count, double part) {
    size_t rank = (size_t)ceil(part * (double)count);
    return sorted[rank > 0 ? rank - 1 : 0];
}

// ---- Figures

bool tlw_bench_is_quick(const tlw_bench* bench) {
    return bench->is_quick;
}

uint32_t tlw_bench_load(const tlw_bench* bench) {
    return bench->load;
}

static void keep_headline(tlw_bench* bench, const char* name, double value) {
    static const struct {
        const char *section, *name;
    } places[TLW_RESULTS_HEADLINE_COUNT] = {
#define PLACE(key, section, name) {section, name},
        TLW_RESULTS_HEADLINES(PLACE)
#undef PLACE
    };
    for (int i = 0; i < TLW_RESULTS_HEADLINE_COUNT; ++i) {
        if (strcmp(name, places[i].name) == 0 && strcmp(bench->section, places[i].section) == 0) {
            bench->headlines[i] = value;
        }
    }
}

// Ends a figure's line, and its entry in the JSON, with target and noise.
static void add_about(tlw_bench* bench, double value, const tlw_bench_about* about) {
    char number[32];
    if (about && about->bound != TLW_BENCH_NO_TARGET) {
        const bool is_most = about->bound == TLW_BENCH_AT_MOST;
        const bool is_met = is_most ? value <= about->target : value >= about->target;
        printf("  target %s %.4g: %s", is_most ? "<=" : ">=", about->target,
               is_met ? "met" : "MISSED");
        tlw_text_add(&bench->sections, ", \"target_%s\": %s, \"is_met\": %s",
                     is_most ? "at_most" : "at_least", number_of(about->target, number),
                     bool_of(is_met));
    }
    if (about && about->others >= 0.0) {
        const bool is_noisy = about->others > TLW_BENCH_NOISY;
        bench->is_noisy = bench->is_noisy || is_noisy;
        printf("  others %.0f%%%s", 100.0 * about->others, is_noisy ? ", noisy" : "");
        tlw_text_add(&bench->sections, ", \"others_share\": %s, \"noisy\": %s",
                     number_of(about->others, number), bool_of(is_noisy));
    }
    printf("\n");
    tlw_text_add(&bench->sections, "}");
    bench->section_has_entries = true;
}

// Prints an empty line between a table and the next row.
static void end_table(tlw_bench* bench) {
    if (bench->is_in_table) {
        printf("\n");
        bench->is_in_table = false;
    }
}

tlw_bench_summary tlw_bench_row(tlw_bench* bench, const char* name, const char* unit,
                                double* samples, size_t count) {
    return tlw_bench_row_about(bench, name, unit, samples, count, NULL);
}

tlw_bench_summary tlw_bench_row_about(tlw_bench* bench, const char* name, const char* unit,
                                      double* samples, size_t count, const tlw_bench_about* about) {
    tlw_bench_summary summary = {.count = count};
    if (count == 0) {
        return summary;
    }
    qsort(samples, count, sizeof *samples, compare_doubles);
    summary.min = samples[0];
    summary.median = percentile(samples, count, 0.5);
    summary.p95 = percentile(samples, count, 0.95);
    summary.p99 = percentile(samples, count, 0.99);
    summary.worst = samples[count - 1];
    end_table(bench);
    printf("  %-44s %10.4g %10.4g %10.4g %10.4g %10.4g  %s", name, summary.min, summary.median,
           summary.p95, summary.p99, summary.worst, unit);
    char n[5][32];
    tlw_text_add(
        &bench->sections,
        "%s\n      \"%s\": {\"unit\": \"%s\", \"samples\": %zu, \"min\": %s, \"median\": %s, "
        "\"p95\": %s, \"p99\": %s, \"worst\": %s",
        bench->section_has_entries ? "," : "", name, unit, count, number_of(summary.min, n[0]),
        number_of(summary.median, n[1]), number_of(summary.p95, n[2]), number_of(summary.p99, n[3]),
        number_of(summary.worst, n[4]));
    add_about(bench, summary.median, about);
    keep_headline(bench, name, summary.median);
    return summary;
}

void tlw_bench_value(tlw_bench* bench, const char* name, const char* unit, double value) {
    tlw_bench_value_about(bench, name, unit, value, NULL);
}

void tlw_bench_value_about(tlw_bench* bench, const char* name, const char* unit, double value,
                           const tlw_bench_about* about) {
    end_table(bench);
    printf("  %-44s %10.4g  %s", name, value, unit);
    char number[32];
    tlw_text_add(&bench->sections, "%s\n      \"%s\": {\"unit\": \"%s\", \"value\": %s",
                 bench->section_has_entries ? "," : "", name, unit, number_of(value, number));
    add_about(bench, value, about);
    keep_headline(bench, name, value);
}

// ---- Tables

static int column_width(const tlw_bench_cell* cell, bool is_first) {
    const int least = is_first && cell->text ? 22 : 8, head = (int)strlen(cell->key);
    return head > least ? head : least;
}

static void begin_table(tlw_bench* bench, const char* table, const tlw_bench_cell* cells,
                        size_t count) {
    tlw_text_add(&bench->tables, "%s  \"%s\": [", bench->table[0] ? "\n  ],\n" : "", table);
    snprintf(bench->table, sizeof bench->table, "%s", table);
    bench->is_in_table = true;
    printf("\n  %s\n ", table);
    for (size_t i = 0; i < count; ++i) {
        const int width = column_width(&cells[i], i == 0);
        printf(i == 0 && cells[i].text ? " %-*s" : " %*s", width, cells[i].key);
    }
    printf("\n");
}

void tlw_bench_table_row(tlw_bench* bench, const char* table, const tlw_bench_cell* cells,
                         size_t count) {
    const bool is_new = strcmp(bench->table, table) != 0;
    if (is_new) {
        begin_table(bench, table, cells, count);
    }
    tlw_text_add(&bench->tables, "%s\n    {", is_new ? "" : ",");
    printf(" ");
    for (size_t i = 0; i < count; ++i) {
        const int width = column_width(&cells[i], i == 0);
        char number[32];
        if (cells[i].text) {
            printf(i == 0 ? " %-*s" : " %*s", width, cells[i].text);
            tlw_text_add(&bench->tables, "%s\"%s\": \"%s\"", i ? ", " : "", cells[i].key,
                         cells[i].text);
        } else {
            if (cells[i].value - cells[i].value == 0.0) {
                printf(" %*.*f", width, cells[i].decimals, cells[i].value);
            } else {
                printf(" %*s", width, "-");
            }
            tlw_text_add(&bench->tables, "%s\"%s\": %s", i ? ", " : "", cells[i].key,
                         number_of(cells[i].value, number));
        }
    }
    printf("\n");
    tlw_text_add(&bench->tables, "}");
}

// ---- Words

void tlw_bench_fail(tlw_bench* bench, const char* format, ...) {
    bench->has_failed = true;
    va_list arguments;
    va_start(arguments, format);
    printf("  not measured: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

void tlw_bench_remark(tlw_bench* bench, const char* format, ...) {
    (void)bench;
    va_list arguments;
    va_start(arguments, format);
    printf("  ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

// ---- The run

void tlw_results_begin(tlw_bench* bench) {
    for (int i = 0; i < TLW_RESULTS_HEADLINE_COUNT; ++i) {
        bench->headlines[i] = NAN;
    }
}

void tlw_results_begin_section(tlw_bench* bench, const char* name, const char* what) {
    printf("%s: %s\n  %-44s %10s %10s %10s %10s %10s\n", name, what, "", "min", "median", "p95",
           "p99", "worst");
    tlw_text_add(&bench->sections, "%s\n    \"%s\": {", bench->section ? "," : "", name);
    bench->section = name;
    bench->section_has_entries = false;
    tlw_noise_cores_begin(&bench->cores);
}

void tlw_results_end_section(tlw_bench* bench) {
    char number[32];
    const double others = tlw_noise_cores_others(&bench->cores);
    end_table(bench);
    tlw_text_add(&bench->sections, "\n    }");
    tlw_text_add(&bench->others, "%s\n    \"%s\": %s", bench->others.used ? "," : "",
                 bench->section, number_of(others >= 0.0 ? others : NAN, number));
    if (others >= 0.0) {
        const bool is_noisy = others > TLW_BENCH_NOISY;
        bench->is_noisy = bench->is_noisy || is_noisy;
        printf("  others took %.0f%% of our cores during this section%s\n", 100.0 * others,
               is_noisy ? ": noisy" : "");
    }
    printf("\n");
    fflush(stdout);
}

static void add_head(const tlw_bench* bench, tlw_text* json) {
    const tlw_machine machine = tlw_machine_describe();
    const struct {
        const char *key, *value;
    } names[] = {{"format", TLW_RESULTS_FORMAT},
                 {"cpu", machine.cpu},
                 {"isa", tlw_isa_name(tlw_isa_best())},
                 {"system", machine.system},
                 {"compiler", machine.compiler},
                 {"build", machine.build},
                 {"commit", machine.commit}};
    tlw_text_add(json, "{");
    for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
        tlw_text_add(json, "\n  \"%s\": ", names[i].key);
        tlw_text_json(json, names[i].value);
        tlw_text_add(json, ",");
    }
    tlw_text_add(json, "\n  \"cores\": %u,\n  \"quick\": %s,\n  \"noisy\": %s,\n  \"load\": %u",
                 machine.cores, bool_of(bench->is_quick), bool_of(bench->is_noisy), bench->load);
    static const char* const keys[TLW_RESULTS_HEADLINE_COUNT] = {
#define KEY(key, section, name) #key,
        TLW_RESULTS_HEADLINES(KEY)
#undef KEY
    };
    for (int i = 0; i < TLW_RESULTS_HEADLINE_COUNT; ++i) {
        tlw_text_add(json, ",\n  \"%s\": ", keys[i]);
        tlw_text_json_number(json, bench->headlines[i]);
    }
    tlw_text_add(json, ",\n");
}

static void add_all(tlw_text* json, const tlw_text* text) {
    json->out_of_memory = json->out_of_memory || text->out_of_memory;
    if (text->used > 0) {
        tlw_text_add(json, "%.*s", (int)text->used, text->bytes);
    }
}

tlw_text tlw_results_json(const tlw_bench* bench) {
    tlw_text json = {0};
    add_head(bench, &json);
    if (bench->table[0]) {
        add_all(&json, &bench->tables);
        tlw_text_add(&json, "\n  ],\n");
    }
    tlw_text_add(&json, "  \"section_others_share\": {");
    add_all(&json, &bench->others);
    tlw_text_add(&json, "\n  },\n  \"sections\": {");
    add_all(&json, &bench->sections);
    tlw_text_add(&json, "\n  }\n}\n");
    return json;
}

void tlw_results_free(tlw_bench* bench) {
    tlw_text_free(&bench->sections);
    tlw_text_free(&bench->tables);
    tlw_text_free(&bench->others);
}
