// SPDX-License-Identifier: MIT
// Runs an experiment on a subject, a frame per substep, and sums up what it shows.
#include "tools/motion/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TWO_PI 6.283185307179586

// Substeps from one measurement of volume and residual to the next.
enum { MEASURE_EVERY = 3 };

tlw_motion_experiment tlw_default_motion_experiment(tlw_motion_kind kind) {
    tlw_motion_experiment e = {.kind = kind,
                               .speed = 0.95,
                               .amplitude = 45.0 / TLW_MOTION_HEIGHT_MM,
                               .hz = 2.8,
                               .before_seconds = 3.0,
                               .measure_seconds = 1.5};
    switch (kind) {
    case TLW_MOTION_STOP:
        e.direction[2] = 1;
        break;
    case TLW_MOTION_BOB:
        e.direction[1] = 1;
        e.measure_seconds = 2.5;
        break;
    case TLW_MOTION_CLIP:
        e.before_seconds = 1.0;
        e.measure_seconds = 3.0;
        break;
    }
    return e;
}

static bool equals(const char* name, const char* word) {
    for (; *word; ++word, ++name) {
        if ((*name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name) != *word) {
            return false;
        }
    }
    return *name == 0;
}

tlw_motion_experiment tlw_motion_clip_experiment(const tlw_actor* actor) {
    static const char* const liveliest[] = {"run", "dance", "walk"};
    tlw_motion_experiment e = tlw_default_motion_experiment(TLW_MOTION_CLIP);
    const uint32_t count = actor->asset ? actor->asset->clip_count : 0;
    e.clip = count > 0 ? 0 : TLW_ASSET_NONE;
    for (size_t k = 0; k < TLW_COUNT_OF(liveliest); ++k) {
        for (uint32_t clip = 0; clip < count; ++clip) {
            if (equals(tlw_actor_clip_name(actor, clip), liveliest[k])) {
                e.clip = clip;
                return e;
            }
        }
    }
    return e;
}

// ---- Traces

void tlw_motion_trace_free(tlw_motion_trace* trace) {
    for (int place = 0; place < TLW_MOTION_PLACE_COUNT; ++place) {
        free(trace->means[place]);
    }
    free(trace->deviations);
    *trace = (tlw_motion_trace){0};
}

static bool make_trace(const tlw_motion* motion, uint32_t steps, tlw_motion_trace* trace) {
    *trace = (tlw_motion_trace){.step_count = steps,
                                .step_seconds = motion->def.substep_seconds,
                                .voxel_count = motion->voxel_count};
    trace->deviations = malloc(((size_t)steps * motion->voxel_count + 1) * 3 * sizeof(float));
    bool is_made = trace->deviations != NULL;
    for (int place = 0; place < TLW_MOTION_PLACE_COUNT; ++place) {
        trace->means[place] = malloc(((size_t)steps + 1) * 3 * sizeof(double));
        is_made = is_made && trace->means[place] != NULL;
    }
    return is_made;
}

static void keep(const tlw_motion* motion, uint32_t step, tlw_motion_trace* trace) {
    float* to = trace->deviations + (size_t)step * motion->voxel_count * 3;
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        double d[3];
        tlw_motion_deviation(motion, v, d);
        for (int a = 0; a < 3; ++a) {
            *to++ = (float)(d[a] / motion->extent_voxels);
        }
    }
    for (int place = 0; place < TLW_MOTION_PLACE_COUNT; ++place) {
        double mean[3];
        tlw_motion_mean_deviation(motion, (tlw_motion_place)place, mean);
        for (int a = 0; a < 3; ++a) {
            trace->means[place][3 * (size_t)step + (size_t)a] = mean[a] / motion->extent_voxels;
        }
    }
}

double tlw_motion_difference(const tlw_motion* motion, tlw_motion_place place,
                             const tlw_motion_trace* a, const tlw_motion_trace* b) {
    uint32_t count;
    const uint32_t* voxels = tlw_motion_place_voxels(motion, place, &count);
    const uint32_t steps = a->step_count < b->step_count ? a->step_count : b->step_count;
    double apart = 0, whole = 0;
    for (uint32_t step = 0; step < steps; ++step) {
        for (uint32_t i = 0; i < count; ++i) {
            const size_t at = 3 * ((size_t)step * motion->voxel_count + voxels[i]);
            for (size_t k = at; k < at + 3; ++k) {
                const double x = (double)a->deviations[k], y = (double)b->deviations[k];
                apart += (x - y) * (x - y);
                whole += x * x;
            }
        }
    }
    return whole > 0 ? sqrt(apart / whole) : 0;
}

// ---- Running

// Sets the pose of a time since the start; a stop comes after before_seconds.
static void put(tlw_motion* motion, const tlw_motion_experiment* e, double seconds) {
    const double metres = motion->extent_voxels * motion->voxel_metres;
    double way = 0;
    switch (e->kind) {
    case TLW_MOTION_STOP:
        way = e->speed * fmin(seconds, e->before_seconds);
        break;
    case TLW_MOTION_BOB:
        way = e->amplitude * sin(TWO_PI * e->hz * seconds);
        break;
    case TLW_MOTION_CLIP:
        tlw_motion_pose(motion, e->clip, seconds);
        break;
    }
    for (int a = 0; a < 3; ++a) {
        motion->root.position[a] = metres * way * e->direction[a];
    }
}

static int ascending(const void* a, const void* b) {
    const float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

// Peak, rms and lag of a place, from the trace. `peaks` has room for all voxels.
static void sum_up(const tlw_motion* motion, tlw_motion_place place, const tlw_motion_trace* trace,
                   float* peaks, tlw_motion_place_numbers* out) {
    uint32_t count;
    const uint32_t* voxels = tlw_motion_place_voxels(motion, place, &count);
    double squares = 0, sum = 0;
    memset(peaks, 0, count * sizeof *peaks);
    for (uint32_t step = 0; step < trace->step_count; ++step) {
        const float* deviations = trace->deviations + 3 * (size_t)step * motion->voxel_count;
        for (uint32_t i = 0; i < count; ++i) {
            double square = 0;
            for (size_t a = 0; a < 3; ++a) {
                const double d = (double)deviations[3 * (size_t)voxels[i] + a];
                square += d * d;
            }
            const double length = sqrt(square);
            squares += square;
            sum += length;
            peaks[i] = length > (double)peaks[i] ? (float)length : peaks[i];
        }
    }
    if (count > 0 && trace->step_count > 0) {
        qsort(peaks, count, sizeof *peaks, ascending);
        out->peak = (double)peaks[(uint32_t)(0.9 * (count - 1) + 0.5)];
        out->rms = sqrt(squares / ((double)count * trace->step_count));
        out->lag = sum / ((double)count * trace->step_count);
    }
}

static void sum_up_all(const tlw_motion* motion, const tlw_motion_experiment* e,
                       const tlw_motion_trace* trace, float* peaks, double* along,
                       tlw_motion_numbers* out) {
    for (int place = 0; place < TLW_MOTION_PLACE_COUNT; ++place) {
        tlw_motion_place_numbers* numbers = &out->places[place];
        if (e->kind == TLW_MOTION_STOP) {
            for (uint32_t step = 0; step < trace->step_count; ++step) {
                along[step] = 0;
                for (size_t a = 0; a < 3; ++a) {
                    along[step] += trace->means[place][3 * (size_t)step + a] * e->direction[a];
                }
            }
            *numbers = tlw_motion_ringing(along, trace->step_count, trace->step_seconds);
        }
        sum_up(motion, (tlw_motion_place)place, trace, peaks, numbers);
    }
}

tlw_scene_code tlw_motion_run(tlw_motion* motion, const tlw_motion_experiment* experiment,
                              tlw_motion_trace* trace, tlw_motion_numbers* out,
                              tlw_scene_error* error) {
    const double h = motion->def.substep_seconds;
    const uint32_t before = (uint32_t)lround(experiment->before_seconds / h),
                   steps = (uint32_t)lround(experiment->measure_seconds / h);
    tlw_motion_trace local;
    tlw_motion_trace* kept = trace ? trace : &local;
    float* peaks = malloc(((size_t)motion->voxel_count + 1) * sizeof *peaks);
    double* along = malloc(((size_t)steps + 1) * sizeof *along);
    tlw_scene_code code = TLW_SCENE_OK;
    double measured = 0;
    *out = (tlw_motion_numbers){0};
    if (!make_trace(motion, steps, kept) || !peaks || !along) {
        tlw_motion_trace_free(kept);
        code = tlw_motion_fail_memory(error);
    } else {
        tlw_motion_reset(motion);
        put(motion, experiment, 0);
        tlw_motion_settle(motion);
        for (uint32_t k = 1; k <= before; ++k) {
            put(motion, experiment, k * h);
            tlw_motion_step(motion, h);
        }
        for (uint32_t k = 0; k < steps; ++k) {
            put(motion, experiment, (before + 1 + k) * h);
            tlw_motion_step(motion, h);
            tlw_motion_read(motion);
            keep(motion, k, kept);
            if (k % MEASURE_EVERY == 0) { // they take longer than the substep
                const double residual = tlw_motion_residual(motion);
                out->volume_error += tlw_motion_volume_error(motion);
                out->residual += residual * residual;
                measured += 1;
            }
        }
        out->volume_error /= measured > 0 ? measured : 1;
        out->residual = sqrt(out->residual / (measured > 0 ? measured : 1));
        out->flags = motion->flags_seen;
        sum_up_all(motion, experiment, kept, peaks, along, out);
        if (trace == NULL) {
            tlw_motion_trace_free(&local);
        }
    }
    free(peaks);
    free(along);
    return code;
}
