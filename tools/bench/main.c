// SPDX-License-Identifier: MIT
// tallow-bench: parses the command line, runs the sections asked for, prints their tables and
// writes their figures as JSON.
#include "tools/bench/bench.h"

#include "platform/file.h"
#include "platform/isa.h"
#include "platform/thread.h"
#include "tools/bench/options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct section {
    const char* name;
    const char* what;
    void (*run)(tlw_bench* bench);
} section;

static const section sections[] = {
#define SECTION(name, what) {#name, what, tlw_bench_section_##name},
    TLW_BENCH_SECTIONS(SECTION)
#undef SECTION
};

struct tlw_bench {
    bool is_quick;
    bool section_has_entries; // of the section under way, in the JSON
    bool has_sections;
    bool out_of_memory;
    bool has_failed;
    bool is_noisy;
    char* json;
    size_t json_used, json_capacity;
};

static void json_add(tlw_bench* bench, const char* format, ...) TLW_PRINTF(2, 3);

static void json_add(tlw_bench* bench, const char* format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text) {
        bench->out_of_memory = true;
        return;
    }
    if (bench->json_used + (size_t)length > bench->json_capacity) {
        size_t capacity = (bench->json_used + (size_t)length) * 2 + 4096;
        char* grown = realloc(bench->json, capacity);
        if (grown == NULL) {
            bench->out_of_memory = true;
            return;
        }
        bench->json = grown;
        bench->json_capacity = capacity;
    }
    memcpy(bench->json + bench->json_used, text, (size_t)length);
    bench->json_used += (size_t)length;
}

// JSON has no infinity and no NaN: both differ from themselves by no zero.
static const char* json_number(double value, char text[32]) {
    if (value - value == 0.0) {
        snprintf(text, 32, "%.9g", value);
    } else {
        strcpy(text, "null");
    }
    return text;
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

bool tlw_bench_is_quick(const tlw_bench* bench) {
    return bench->is_quick;
}

// The end of a figure's line, and of its entry in the JSON.
static void add_about(tlw_bench* bench, double value, const tlw_bench_about* about) {
    char number[32];
    if (about && about->bound != TLW_BENCH_NO_TARGET) {
        const bool is_most = about->bound == TLW_BENCH_AT_MOST;
        const bool is_met = is_most ? value <= about->target : value >= about->target;
        printf("  target %s %.4g: %s", is_most ? "<=" : ">=", about->target,
               is_met ? "met" : "MISSED");
        json_add(bench, ", \"target_%s\": %s, \"is_met\": %s", is_most ? "at_most" : "at_least",
                 json_number(about->target, number), is_met ? "true" : "false");
    }
    if (about && about->others >= 0.0) {
        const bool is_noisy = about->others > TLW_BENCH_NOISY;
        bench->is_noisy = bench->is_noisy || is_noisy;
        printf("  others %.0f%%%s", 100.0 * about->others, is_noisy ? ", noisy" : "");
        json_add(bench, ", \"others_share\": %s, \"noisy\": %s", json_number(about->others, number),
                 is_noisy ? "true" : "false");
    }
    printf("\n");
    json_add(bench, "}");
    bench->section_has_entries = true;
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
    printf("  %-44s %10.4g %10.4g %10.4g %10.4g %10.4g  %s", name, summary.min, summary.median,
           summary.p95, summary.p99, summary.worst, unit);
    char n[5][32];
    json_add(bench,
             "%s\n      \"%s\": {\"unit\": \"%s\", \"samples\": %zu, \"min\": %s, \"median\": %s, "
             "\"p95\": %s, \"p99\": %s, \"worst\": %s",
             bench->section_has_entries ? "," : "", name, unit, count,
             json_number(summary.min, n[0]), json_number(summary.median, n[1]),
             json_number(summary.p95, n[2]), json_number(summary.p99, n[3]),
             json_number(summary.worst, n[4]));
    add_about(bench, summary.median, about);
    return summary;
}

void tlw_bench_value(tlw_bench* bench, const char* name, const char* unit, double value) {
    tlw_bench_value_about(bench, name, unit, value, NULL);
}

void tlw_bench_value_about(tlw_bench* bench, const char* name, const char* unit, double value,
                           const tlw_bench_about* about) {
    printf("  %-44s %10.4g  %s", name, value, unit);
    char number[32];
    json_add(bench, "%s\n      \"%s\": {\"unit\": \"%s\", \"value\": %s",
             bench->section_has_entries ? "," : "", name, unit, json_number(value, number));
    add_about(bench, value, about);
}

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

static void print_usage(FILE* out) {
    fprintf(out, "usage: tallow-bench [SECTION...] [--quick] [--json FILE] [--help]\n"
                 "sections (all of them when none is named):\n");
    for (size_t i = 0; i < TLW_COUNT_OF(sections); ++i) {
        fprintf(out, "  %-10s %s\n", sections[i].name, sections[i].what);
    }
    tlw_bench_print_scene_usage(out);
}

static int usage_error(const char* what, const char* argument) {
    fprintf(stderr, "tallow-bench: %s '%s'\n", what, argument);
    print_usage(stderr);
    return EXIT_USAGE;
}

static const section* find_section(const char* name) {
    for (size_t i = 0; i < TLW_COUNT_OF(sections); ++i) {
        if (strcmp(name, sections[i].name) == 0) {
            return &sections[i];
        }
    }
    return NULL;
}

static void run_section(tlw_bench* bench, const section* s) {
    printf("%s: %s\n  %-44s %10s %10s %10s %10s %10s\n", s->name, s->what, "", "min", "median",
           "p95", "p99", "worst");
    json_add(bench, "%s\n    \"%s\": {", bench->has_sections ? "," : "", s->name);
    bench->has_sections = true;
    bench->section_has_entries = false;
    s->run(bench);
    json_add(bench, "\n    }");
    printf("\n");
}

static int write_json(tlw_bench* bench, tlw_file_writer* writer) {
    if (bench->out_of_memory) {
        fprintf(stderr, "tallow-bench: cannot write '%s': out of memory\n", writer->path);
        tlw_file_writer_abandon(writer);
        return EXIT_CANNOT_WRITE;
    }
    (void)tlw_file_writer_write(writer, bench->json, bench->json_used); // the commit tells
    if (tlw_file_writer_commit(writer) != TLW_OK) {
        fprintf(stderr, "tallow-bench: %s\n", writer->error.message);
        return EXIT_CANNOT_WRITE;
    }
    return EXIT_OK;
}

int main(int argc, char** argv) {
    tlw_bench bench = {0};
    bench_options options;
    const int status = tlw_bench_parse(argc, argv, &options);
    if (status != EXIT_OK) {
        return status;
    }
    if (options.wants_help) {
        print_usage(stdout);
        return EXIT_OK;
    }
    if (options.scene) {
        return tlw_bench_scene(&options);
    }
    const char* json_path = options.json;
    bench.is_quick = options.is_quick;
    bool is_wanted[TLW_COUNT_OF(sections)] = {0};
    for (uint32_t i = 0; i < options.section_count; ++i) {
        const section* s = find_section(options.sections[i]);
        if (s == NULL) {
            return usage_error("unknown section", options.sections[i]);
        }
        is_wanted[s - sections] = true;
    }
    const bool any_wanted = options.section_count > 0;

    // Opened before anything is measured: nobody waits ten minutes for a path that cannot be
    // written.
    static tlw_file_writer writer;
    if (json_path && tlw_file_writer_begin(&writer, json_path) != TLW_OK) {
        fprintf(stderr, "tallow-bench: %s\n", writer.error.message);
        return EXIT_CANNOT_WRITE;
    }

    const char* isa = tlw_isa_name(tlw_isa_best());
    printf("tallow-bench: %u cores, best instruction set %s%s\n\n", tlw_core_count(), isa,
           tlw_cycles_are_steady() ? "" : ", cycle counter not steady: zone times are approximate");
    json_add(&bench, "{\n  \"cores\": %u,\n  \"isa\": \"%s\",\n  \"quick\": %s,\n  \"sections\": {",
             tlw_core_count(), isa, bench.is_quick ? "true" : "false");
    for (size_t i = 0; i < TLW_COUNT_OF(sections); ++i) {
        if (!any_wanted || is_wanted[i]) {
            run_section(&bench, &sections[i]);
        }
    }
    json_add(&bench, "\n  },\n  \"noisy\": %s\n}\n", bench.is_noisy ? "true" : "false");
    if (bench.is_noisy) {
        printf("a noisy run: other processes took more than %.0f%% of the time of some figures\n",
               100.0 * TLW_BENCH_NOISY);
    }
    int result = json_path ? write_json(&bench, &writer) : EXIT_OK;
    free(bench.json);
    return result == EXIT_OK && bench.has_failed ? EXIT_NOT_MEASURED : result;
}
