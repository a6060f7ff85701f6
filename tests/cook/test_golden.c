// SPDX-License-Identifier: MIT
// Cooking gives the same bytes everywhere: one small blob is kept whole (tests/golden/ell.tlw), and
// one hash per sample (tests/golden/hashes.txt), for any number of threads, compiler, build type
// and CPU. After a change that is meant to change them: run TLW_WRITE_GOLDEN=1 test_golden, look at
// the difference, commit.
#include "jobs/task_system.h"
#include "platform/file.h"
#include "runtime/blob.h"
#include "tests/cook/support/blob_reader.h"
#include "tests/cook/support/cook_scenes.h"
#include "tests/cook/support/sample_input.h"
#include "tests/test.h"
#include "tools/command/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_writing(void) {
    const char* value = getenv("TLW_WRITE_GOLDEN");
    return value != NULL && strcmp(value, "1") == 0;
}

static uint8_t* read_golden(const char* name, size_t* size) {
    char path[TLW_PATH_MAX];
    tlw_file_error error;
    uint8_t* bytes = NULL;
    snprintf(path, sizeof path, "%s/%s", TLW_TEST_GOLDEN, name);
    tlw_file_read_def def = tlw_default_file_read_def();
    def.path = path;
    def.grow = tlw_heap_grow;
    if (tlw_file_read(&def, &bytes, size, &error) != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    return bytes;
}

static void write_golden(const char* name, const void* bytes, size_t size) {
    char path[TLW_PATH_MAX];
    tlw_file_error error;
    snprintf(path, sizeof path, "%s/%s", TLW_TEST_GOLDEN, name);
    if (tlw_file_replace(path, bytes, size, &error) != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
}

static void cook(const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                 const tlw_task_system* tasks, tlw_cook_output* out) {
    tlw_cook_options options = tlw_default_cook_options();
    if (tasks) {
        options.tasks = *tasks;
    }
    if (tlw_cook_character(input, recipe, &options, out) != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", out->error.message);
    }
}

TLW_TEST(golden_blob_is_what_cooking_gives_and_is_valid) {
    scene* s = scene_make(SCENE_ell, 0);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    tlw_cook_input input = *scene_input(s);
    tlw_cook_output out;
    recipe.resolution = 16;
    cook(&input, &recipe, NULL, &out);
    if (is_writing()) {
        write_golden("ell.tlw", out.blob, out.blob_bytes);
    }
    size_t size;
    uint8_t* bytes = read_golden("ell.tlw", &size);
    uint8_t* golden = blob_copy(bytes, size);
    tlw_blob_report report;
    if (tlw_blob_validate(golden, size, TLW_BLOB_CHECK_ALL, &report) != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "the fixture: %s, element %llu: %s",
                      tlw_blob_section_name(report.section), (unsigned long long)report.element,
                      report.what);
    }
    CHECK(blob_unsoundness(golden) == NULL);
    CHECK_EQ(out.blob_bytes, size);
    CHECK_BYTES(out.blob, golden, size);
    blob_free(golden);
    free(bytes);
    tlw_cook_output_free(&out);
    scene_free(s);
}

static const struct {
    const char* name;
    tlw_sample_variant variant;
    uint32_t resolution, region_width;
} golden_samples[] = {
    {"bunny_32", TLW_SAMPLE_BUNNY, 32, 3},
    {"stout_32", TLW_SAMPLE_STOUT, 32, 3},
    {"stout_16_width_2", TLW_SAMPLE_STOUT, 16, 2},
    {"thin_64", TLW_SAMPLE_THIN, 64, 3},
};

// Cooks on `threads` threads of jobs/; 0: serially, without jobs/.
static void cook_on(uint32_t threads, const tlw_cook_input* input, const tlw_cook_recipe* recipe,
                    tlw_cook_output* out) {
    if (threads == 0) {
        cook(input, recipe, NULL, out);
        return;
    }
    enkiTaskScheduler* scheduler = enkiNewTaskScheduler();
    CHECK(scheduler != NULL);
    enkiInitTaskSchedulerNumThreads(scheduler, threads);
    tlw_jobs_tasks* jobs = tlw_jobs_tasks_create(scheduler);
    CHECK(jobs != NULL);
    const tlw_task_system tasks = tlw_jobs_task_system(jobs);
    CHECK_EQ(tasks.worker_count, threads);
    cook(input, recipe, &tasks, out);
    tlw_jobs_tasks_destroy(jobs);
    enkiDeleteTaskScheduler(scheduler);
}

TLW_TEST(samples_cook_to_their_golden_hashes_on_1_2_and_8_threads) {
    char text[1024];
    int length = 0;
    for (size_t i = 0; i < TLW_COUNT_OF(golden_samples); ++i) {
        sample_input* sample = sample_input_make(golden_samples[i].variant);
        const tlw_cook_input* input = sample_input_get(sample);
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = golden_samples[i].resolution;
        recipe.region_width = golden_samples[i].region_width;
        tlw_cook_output first;
        cook_on(0, input, &recipe, &first);
        static const uint32_t threads[] = {0, 2, 8};
        // 8 threads for all samples; the others for every second one, so that the test stays short.
        for (size_t k = i % 2 == 0 ? 0 : 2; k < TLW_COUNT_OF(threads); ++k) {
            tlw_cook_output again;
            cook_on(threads[k], input, &recipe, &again);
            CHECK_EQ(again.blob_bytes, first.blob_bytes);
            CHECK_BYTES(again.blob, first.blob, first.blob_bytes);
            tlw_cook_output_free(&again);
        }
        length += snprintf(text + length, sizeof text - (size_t)length, "%s %016llx %zu bytes\n",
                           golden_samples[i].name,
                           (unsigned long long)tlw_xxh64(first.blob, first.blob_bytes, 0),
                           first.blob_bytes);
        tlw_cook_output_free(&first);
        sample_input_free(sample);
    }
    if (is_writing()) {
        write_golden("hashes.txt", text, (size_t)length);
    }
    size_t size;
    char* golden = (char*)read_golden("hashes.txt", &size);
    char* ended = calloc(1, size + 1);
    CHECK(ended != NULL);
    memcpy(ended, golden, size);
    CHECK_STRING(text, ended);
    free(ended);
    free(golden);
}
