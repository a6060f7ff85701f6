// SPDX-License-Identifier: MIT
// Statistics of measured frames, and whether they fit a budget.
#include "tools/bench/frames.h"

#include <math.h>
#include <stdlib.h>

double tlw_percentile(const double* sorted, size_t count, double percent) {
    if (count == 0) {
        return 0.0;
    }
    // Slightly less, so that a rounding error does not make 95% of 20 samples the 20th sample.
    const size_t rank = (size_t)ceil(percent / 100.0 * (double)count - 1e-9);
    return sorted[rank == 0 ? 0 : rank > count ? count - 1 : rank - 1];
}

static int compare_doubles(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static tlw_bench_summary summary_of(double* samples, size_t count) {
    qsort(samples, count, sizeof *samples, compare_doubles);
    return (tlw_bench_summary){.count = count,
                               .min = tlw_percentile(samples, count, 0.0),
                               .median = tlw_percentile(samples, count, 50.0),
                               .p95 = tlw_percentile(samples, count, 95.0),
                               .p99 = tlw_percentile(samples, count, 99.0),
                               .worst = tlw_percentile(samples, count, 100.0)};
}

static double mean_of(const double* samples, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i) {
        sum += samples[i];
    }
    return count > 0 ? sum / (double)count : 0.0;
}

static void summarise_clean(tlw_frames* f, double* samples) {
    size_t count = 0;
    for (uint32_t i = 0; i < f->count; ++i) {
        if (f->def.worker_count == 1 && f->frames[i].is_clean) {
            samples[count++] = f->frames[i].ms;
        }
    }
    f->clean = summary_of(samples, count);
}

static void summarise_voxels(tlw_frames* f, double* samples) {
    size_t count = 0;
    for (uint32_t i = 0; i < f->count; ++i) {
        if (f->frames[i].voxel_substeps > 0) {
            samples[count++] = f->frames[i].ms * 1e6 / (double)f->frames[i].voxel_substeps;
        }
    }
    f->ns_per_voxel = summary_of(samples, count).median;
}

bool tlw_frames_summarise(tlw_frames* f) {
    const size_t characters = (size_t)f->count * f->def.character_count;
    double* samples = malloc((characters + f->count + 1) * sizeof *samples);
    if (samples == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < f->count; ++i) {
        samples[i] = f->frames[i].ms;
    }
    f->mean_ms = mean_of(samples, f->count);
    f->total = summary_of(samples, f->count);
    for (uint32_t i = 0; i < f->count; ++i) {
        samples[i] = f->frames[i].outside_ms;
    }
    f->outside_mean_ms = mean_of(samples, f->count);
    f->outside = summary_of(samples, f->count);
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        for (uint32_t i = 0; i < f->count; ++i) {
            samples[i] = f->frames[i].pass_ms[p];
        }
        f->pass_mean_ms[p] = mean_of(samples, f->count);
        f->passes[p] = summary_of(samples, f->count);
    }
    for (size_t i = 0; i < characters; ++i) {
        samples[i] = (double)f->character_ms[i];
    }
    f->character = summary_of(samples, characters);
    summarise_voxels(f, samples);
    summarise_clean(f, samples);
    free(samples);
    return true;
}

// The largest pass in the frames that are over budget: it has to become faster.
static void find_largest_pass(const tlw_frames* f, tlw_verdict* v) {
    double sums[TLW_PASS_COUNT] = {0}, all = 0.0;
    for (uint32_t i = 0; i < f->count; ++i) {
        if (v->over_count == 0 || f->frames[i].ms > f->def.budget_ms) {
            for (int p = 0; p < TLW_PASS_COUNT; ++p) {
                sums[p] += f->frames[i].pass_ms[p];
                all += f->frames[i].pass_ms[p];
            }
        }
    }
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        v->largest_pass = sums[p] > sums[v->largest_pass] ? (tlw_pass)p : v->largest_pass;
    }
    v->largest_share = all > 0.0 ? sums[v->largest_pass] / all : 0.0;
}

bool tlw_frames_judge(const tlw_frames* f, tlw_verdict* out) {
    *out = (tlw_verdict){.has_budget = f->def.budget_ms > 0.0};
    double* sorted = malloc((f->count + 1u) * sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < f->count; ++i) {
        sorted[i] = f->frames[i].ms;
        out->over_count += out->has_budget && sorted[i] > f->def.budget_ms;
        if (i == 0 || sorted[i] > out->worst_ms) {
            out->worst_ms = sorted[i];
            out->worst_frame = i;
        }
    }
    qsort(sorted, f->count, sizeof *sorted, compare_doubles);
    out->value_ms = tlw_percentile(sorted, f->count, f->def.percentile);
    out->is_met = !out->has_budget || out->value_ms <= f->def.budget_ms;
    free(sorted);
    find_largest_pass(f, out);
    return true;
}

void tlw_verdict_text(const tlw_frames* f, const tlw_verdict* v, char* text, size_t room) {
    if (!v->has_budget) {
        snprintf(text, room, "no budget was given");
        return;
    }
    snprintf(
        text, room,
        "%s budget: p%.6g %.4g ms of %.6g ms, %u of %u frames over; largest pass %s (%.0f%% of "
        "the passes), worst frame %u with %.4g ms%s",
        v->is_met ? "within" : "over", f->def.percentile, v->value_ms, f->def.budget_ms,
        v->over_count, f->count, tlw_pass_name(v->largest_pass), v->largest_share * 100.0,
        v->worst_frame, v->worst_ms, f->noise.is_noisy ? "; a noisy run" : "");
}
