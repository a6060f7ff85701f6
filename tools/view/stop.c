// SPDX-License-Identifier: MIT
// Runs the stop test of tools/motion for every part and layer at once.
#include "tools/view/stop.h"

#include "platform/thread.h"

#include <stdlib.h>
#include <string.h>

struct tlw_view_stop {
    bool has_thread;
    tlw_thread thread;
    tlw_atomic_u32 is_done;
    tlw_view_model* model; // while a test runs
    uint64_t stamp;        // of the model of the last numbers
    tlw_view_values values;
    tlw_view_stop_numbers numbers;
    bool is_good;
};

// ---- The test

// Row of each voxel: its part and layer; bone has none.
static uint32_t row_of(const tlw_motion* motion, uint32_t voxel, uint32_t layer_count) {
    tlw_joint_info joint;
    const uint32_t part =
        tlw_blob_get_joint(&motion->def.actor->blob, motion->joints[voxel], &joint) == TLW_OK
            ? joint.part
            : 0;
    return part * layer_count + motion->layers[voxel];
}

typedef struct table {
    uint32_t rows, layer_count, steps;
    uint32_t *row_of_voxel, *counts;
    double* means; // rows of `steps`
} table;

static void free_table(table* t) {
    free(t->row_of_voxel);
    free(t->counts);
    free(t->means);
}

static bool make_table(const tlw_motion* motion, uint32_t steps, table* t) {
    const tlw_blob_info* info = &motion->def.actor->info;
    *t = (table){.rows = info->part_count * info->layer_count,
                 .layer_count = info->layer_count,
                 .steps = steps};
    t->row_of_voxel = malloc((size_t)info->voxel_count * sizeof *t->row_of_voxel);
    t->counts = calloc(t->rows, sizeof *t->counts);
    t->means = calloc((size_t)t->rows * steps, sizeof *t->means);
    if (!t->row_of_voxel || !t->counts || !t->means) {
        return false;
    }
    for (uint32_t v = 0; v < info->voxel_count; ++v) {
        const uint32_t row = row_of(motion, v, t->layer_count);
        t->row_of_voxel[v] = row;
        if (motion->layers[v] != 0) {
            ++t->counts[row];
            ++t->counts[row / t->layer_count * t->layer_count];
        }
    }
    return true;
}

// Adds the deviations along the way, as shares of the extent.
static void add_step(const tlw_motion* motion, uint32_t step, const double direction[3], table* t) {
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        const tlw_voxel_state* s = &motion->voxels[v];
        if (motion->layers[v] == 0) {
            continue;
        }
        double along = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            along += direction[axis] * ((double)s->position[axis] - (double)s->skinned[axis]);
        }
        along /= motion->extent_voxels;
        const uint32_t row = t->row_of_voxel[v], whole = row / t->layer_count * t->layer_count;
        t->means[(size_t)row * t->steps + step] += along / t->counts[row];
        t->means[(size_t)whole * t->steps + step] += along / t->counts[whole];
    }
}

static bool run_test(tlw_motion* motion, tlw_motion_place_numbers* rows) {
    const tlw_motion_experiment e = tlw_default_motion_experiment(TLW_MOTION_STOP);
    const double h = motion->def.substep_seconds;
    const double speed = e.speed * motion->extent_voxels * motion->voxel_metres;
    const uint32_t before = (uint32_t)(e.before_seconds / h),
                   steps = (uint32_t)(e.measure_seconds / h);
    table t;
    if (!make_table(motion, steps, &t)) {
        free_table(&t);
        return false;
    }
    tlw_motion_reset(motion);
    for (uint32_t i = 0; i < before + steps; ++i) {
        const double seconds = (i < before ? i + 1 : before) * h;
        for (int axis = 0; axis < 3; ++axis) {
            motion->root.position[axis] = e.direction[axis] * speed * seconds;
        }
        tlw_motion_step(motion, h);
        if (i >= before) {
            tlw_motion_read(motion);
            add_step(motion, i - before, e.direction, &t);
        }
    }
    for (uint32_t r = 0; r < t.rows; ++r) {
        rows[r] = tlw_motion_ringing(t.means + (size_t)r * steps, steps, h);
    }
    free_table(&t);
    return true;
}

// With the materials of the character alone: gravity and wind would bend what rings.
static void test(void* user) {
    tlw_view_stop* stop = user;
    tlw_view_character c = {0};
    char ignored[256];
    const size_t rows = (size_t)stop->numbers.part_count * stop->numbers.layer_count;
    memset(stop->numbers.rows, 0, rows * sizeof *stop->numbers.rows);
    tlw_view_values values = {0};
    tlw_motion_def def = tlw_default_motion_def();
    def.actor = &stop->model->actor;
    c.model = stop->model;
    stop->is_good = tlw_motion_open(&def, &c.motion, NULL) == TLW_SCENE_OK &&
                    tlw_view_values_copy(&values, &stop->values);
    if (stop->is_good) {
        memset(values.settings.gravity, 0, sizeof values.settings.gravity);
        memset(values.settings.wind, 0, sizeof values.settings.wind);
        values.settings.time_scale = 1.0f;
        values.has_filter = false;
        // A motion has no filter, which is then refused, and stays off.
        (void)tlw_view_values_apply(&values, &c, ignored, sizeof ignored);
        stop->is_good = run_test(c.motion, stop->numbers.rows);
    }
    tlw_view_values_free(&values);
    tlw_motion_close(c.motion);
    atomic_store_explicit(&stop->is_done, 1, memory_order_release);
}

// ---- Its thread

tlw_view_stop* tlw_view_stop_create(void) {
    return calloc(1, sizeof(tlw_view_stop));
}

static void join(tlw_view_stop* stop) {
    if (stop->has_thread) {
        tlw_thread_join(&stop->thread);
        stop->has_thread = false;
    }
    if (stop->model) {
        tlw_view_model_release(stop->model);
        stop->model = NULL;
    }
}

void tlw_view_stop_free(tlw_view_stop* stop) {
    if (stop) {
        join(stop);
        tlw_view_values_free(&stop->values);
        free(stop->numbers.rows);
        free(stop);
    }
}

void tlw_view_stop_forget(tlw_view_stop* stop) {
    join(stop);
    stop->is_good = false;
    atomic_store_explicit(&stop->is_done, 0, memory_order_relaxed);
    tlw_view_values_free(&stop->values);
}

bool tlw_view_stop_runs(const tlw_view_stop* stop) {
    return stop->model != NULL;
}

void tlw_view_stop_begin(tlw_view_stop* stop, tlw_view_model* model,
                         const tlw_view_values* values) {
    if (tlw_view_stop_runs(stop)) {
        return;
    }
    tlw_view_stop_forget(stop);
    const size_t rows = (size_t)values->part_count * values->layer_count;
    free(stop->numbers.rows);
    stop->numbers = (tlw_view_stop_numbers){.part_count = values->part_count,
                                            .layer_count = values->layer_count,
                                            .rows = calloc(rows + 1, sizeof *stop->numbers.rows)};
    if (stop->numbers.rows == NULL || !tlw_view_values_copy(&stop->values, values)) {
        return;
    }
    stop->model = tlw_view_model_share(model);
    stop->stamp = model->stamp;
    tlw_thread_def def = tlw_default_thread_def();
    def.main = test;
    def.user = stop;
    def.name = "stop test";
    stop->has_thread = tlw_thread_start(&stop->thread, &def) == TLW_OK;
    if (!stop->has_thread) { // then the window stands still meanwhile
        test(stop);
    }
}

const tlw_view_stop_numbers* tlw_view_stop_poll(tlw_view_stop* stop) {
    if (stop->model && atomic_load_explicit(&stop->is_done, memory_order_acquire) != 0) {
        join(stop);
    }
    return stop->model == NULL && stop->is_good ? &stop->numbers : NULL;
}

bool tlw_view_stop_is_of(const tlw_view_stop* stop, const tlw_view_model* model,
                         const tlw_view_values* values) {
    return !tlw_view_stop_runs(stop) && stop->is_good && stop->stamp == model->stamp &&
           stop->values.materials && tlw_view_values_equal(&stop->values, values);
}
