// SPDX-License-Identifier: MIT
// Holds the runtime to the same bits everywhere (MODEL 8): every frame of all scenarios against
// tests/golden/steps.txt, for any number of workers, for serial, jobs/ and hostile task systems,
// for split and whole characters, and for every instruction set, compiler and build type. A
// mismatch names the first frame and the first pass that differ. The pass comes from stages.txt,
// which holds too few bits to decide whether a frame is right and is only used to name it.
//
// After a change that is meant to change bits: tools/dev golden, look at the difference, commit.
// TLW_TEST_FULL=1 runs the whole matrix on all 600 frames, otherwise a part of it.
// TLW_TEST_TRACE=crowd:17 prints the hash of every stage of that frame, character by character.
#include "jobs/task_system.h"
#include "platform/file.h"
#include "platform/thread.h"
#include "runtime/blob.h"
#include "runtime/passes/kernels.h"
#include "tests/runtime/support/hostile_tasks.h"
#include "tests/runtime/support/scenarios.h"
#include "tests/runtime/support/stage_recorder.h"
#include "tests/test.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES          600u
#define FRAMES_PER_LINE 30u
#define GOLDEN_FILE     TLW_TEST_GOLDEN "/steps.txt"
#define STAGES_FILE     TLW_TEST_GOLDEN "/stages.txt"

// Frames of a run that is not the whole matrix: fewer in builds where a frame takes long.
#if !defined(TLW_TEST_FRAMES)
#    define TLW_TEST_FRAMES FRAMES
#endif

// 1: only the tests that use threads, for the race detector.
#if !defined(TLW_TEST_THREADS)
#    define TLW_TEST_THREADS 0
#endif

static bool is_set(const char* variable) {
    const char* value = getenv(variable);
    return value != NULL && strcmp(value, "1") == 0;
}

static uint32_t frames_to_run(void) {
    return is_set("TLW_TEST_FULL") || is_set("TLW_WRITE_GOLDEN") ? FRAMES : TLW_TEST_FRAMES;
}

// Configurations

typedef enum tasks_kind { TASKS_SERIAL, TASKS_JOBS, TASKS_HOSTILE, TASKS_EAGER } tasks_kind;

typedef struct configuration {
    tlw_isa isa;
    tasks_kind kind;
    uint32_t workers; // jobs: threads including the caller's; hostile: threads
    float split_cost; // 0: the world decides
} configuration;

// Splits every character if there is more than one worker.
#define SPLIT_ALL   1e-3f
#define SPLIT_NEVER FLT_MAX

typedef struct test_tasks {
    enkiTaskScheduler* scheduler;
    tlw_jobs_tasks* jobs;
    hostile* hostile;
    scenario_config config;
} test_tasks;

static void tasks_open(const configuration* c, test_tasks* out) {
    *out = (test_tasks){.config = {c->isa, tlw_serial_task_system(), c->split_cost, false}};
    if (c->kind == TASKS_JOBS) {
        out->scheduler = enkiNewTaskScheduler();
        CHECK(out->scheduler != NULL);
        enkiInitTaskSchedulerNumThreads(out->scheduler, c->workers);
        out->jobs = tlw_jobs_tasks_create(out->scheduler);
        CHECK(out->jobs != NULL);
        out->config.tasks = tlw_jobs_task_system(out->jobs);
        CHECK_EQ(out->config.tasks.worker_count, c->workers);
    } else if (c->kind != TASKS_SERIAL) {
        out->hostile =
            hostile_make(c->kind == TASKS_EAGER ? HOSTILE_EAGER : HOSTILE_LATE, c->workers);
        out->config.tasks = hostile_tasks(out->hostile);
        out->config.is_hostile = true;
    }
}

static void tasks_close(test_tasks* h) {
    if (h->jobs) {
        tlw_jobs_tasks_destroy(h->jobs);
        enkiDeleteTaskScheduler(h->scheduler);
    }
    if (h->hostile) {
        const bool has_fault = hostile_saw_fault(h->hostile);
        hostile_free(h->hostile);
        CHECK(!has_fault);
    }
}

static const char* name_of(const configuration* c, char* text, size_t room) {
    static const char* const kinds[] = {"serial", "jobs", "hostile", "eager"};
    snprintf(text, room, "%s, %s on %u, %s", tlw_isa_name(c->isa), kinds[c->kind], c->workers,
             c->split_cost == 0.0f          ? "split as the world sees fit"
             : c->split_cost == SPLIT_NEVER ? "never split"
                                            : "always split");
    return text;
}

// Golden hashes: a line holds 30 frames, with the full running hash after the last one and the
// lowest 16 bits of the running hash after each, so that the first frame that differs is known.

typedef struct golden {
    uint64_t full[FRAMES / FRAMES_PER_LINE];
    uint16_t frames[FRAMES];
} golden;

static uint64_t fold(uint64_t running, scenario_frame frame) {
    running = tlw_xxh64(&frame.state, sizeof frame.state, running);
    return tlw_xxh64(&frame.output, sizeof frame.output, running);
}

static bool parse_golden(const char* at, golden all[SCENARIO_COUNT]) {
    for (uint32_t p = 0; p < SCENARIO_COUNT; ++p) {
        for (uint32_t line = 0; line < FRAMES / FRAMES_PER_LINE; ++line) {
            char name[32];
            unsigned frame;
            unsigned long long full;
            int used = 0;
            if (sscanf(at, "%31s %u %llx%n", name, &frame, &full, &used) != 3 ||
                strcmp(name, scenario_name((scenario_id)p)) != 0 ||
                frame != (line + 1) * FRAMES_PER_LINE) {
                return false;
            }
            all[p].full[line] = full;
            at += used;
            for (uint32_t i = 0; i < FRAMES_PER_LINE; ++i, at += used) {
                unsigned digits;
                if (sscanf(at, "%4x%n", &digits, &used) != 1) {
                    return false;
                }
                all[p].frames[line * FRAMES_PER_LINE + i] = (uint16_t)digits;
            }
        }
    }
    return true;
}

static const golden* read_golden(void) {
    static golden all[SCENARIO_COUNT];
    static bool is_read;
    if (!is_read) {
        char* text = tlw_test_read_text(GOLDEN_FILE, NULL);
        is_read = parse_golden(text, all);
        free(text);
        if (!is_read) {
            tlw_test_fail(__FILE__, __LINE__, "%s is not what tools/dev golden writes",
                          GOLDEN_FILE);
        }
    }
    return all;
}

// Runs

// Every frame of the run that all other runs are compared with: one thread, the best instruction
// set.
static scenario_frame reference[SCENARIO_COUNT][FRAMES];
static const configuration plain = {TLW_ISA_COUNT, TASKS_SERIAL, 1, SPLIT_NEVER};

static configuration plain_here(void) {
    configuration c = plain;
    c.isa = tlw_isa_best();
    return c;
}

// Runs up to a frame and records that one. `planted` names a stage in which one bit is flipped
// there.
static recorder* record_frame(scenario_id which, const configuration* c, uint32_t frame,
                              const char* planted, scenario_frame* out) {
    test_tasks tasks;
    tasks_open(c, &tasks);
    scenario* s = scenario_open(which, &tasks.config);
    for (uint32_t i = 1; i < frame; ++i) {
        (void)scenario_advance(s, i);
    }
    recorder* r = recorder_start(s->world);
    if (planted) {
        recorder_plant(r, planted, 0);
    }
    const scenario_frame got = scenario_advance(s, frame);
    if (out) {
        *out = got;
    }
    recorder_stop(r, s->world);
    scenario_close(s);
    tasks_close(&tasks);
    return r;
}

// "frame 17, pass volume (stage volume_gradients, character 0, block 3)"
static void explain(scenario_id which, const configuration* a, const configuration* b,
                    uint32_t frame, const char* planted, char* text, size_t room) {
    recorder* x = record_frame(which, a, frame, NULL, NULL);
    recorder* y = record_frame(which, b, frame, planted, NULL);
    const recorder_difference d = recorder_compare(x, y);
    if (d.is_found) {
        snprintf(text, room, "frame %u, pass %s (stage %s, character %u, block %u, run %u)", frame,
                 d.pass, d.stage, d.character, d.block, d.run);
    } else {
        snprintf(text, room, "frame %u, pass EMBED, or between passes", frame);
    }
    recorder_free(x);
    recorder_free(y);
}

// Golden stages: the scenario's name on a line, then one line per frame with twelve bits of the
// hash after each stage and twelve of the output's. One stage in 4,096 that differ looks the same;
// then the next one is named.

#define STAGE_DIGITS 3u
#define STAGE_LINE   ((RECORDER_LIST_MAX + 1) * STAGE_DIGITS + 1)

static void write_stages(const recorder* r, scenario_frame frame, char text[STAGE_LINE]) {
    recorder_entry entries[RECORDER_LIST_MAX + 1];
    uint32_t count = recorder_list(r, entries);
    entries[count++].hash = frame.output;
    for (uint32_t i = 0; i < count; ++i) {
        snprintf(text + (size_t)i * STAGE_DIGITS, STAGE_DIGITS + 1, "%03x",
                 (unsigned)(entries[i].hash & 0xFFF));
    }
}

static void read_stages(scenario_id which, uint32_t frame, char text[STAGE_LINE]) {
    static char* file;
    file = file ? file : tlw_test_read_text(STAGES_FILE, NULL);
    const char* at = strstr(file, scenario_name(which));
    for (uint32_t i = 0; i < frame && at; ++i) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    const size_t length = at ? strspn(at, "0123456789abcdef") : 0;
    if (length == 0 || length >= STAGE_LINE || at[length] != '\n') {
        tlw_test_fail(__FILE__, __LINE__, "%s is not what tools/dev golden writes", STAGES_FILE);
    }
    memcpy(text, at, length);
    text[length] = 0;
}

// For example "pass VOLUME (stage volume_gradients, number 4 of the frame)", by comparing with
// the file's line for the frame.
static void name_pass(scenario_id which, uint32_t frame, const recorder* r, scenario_frame got,
                      char* text, size_t room) {
    char ours[STAGE_LINE], file[STAGE_LINE];
    recorder_entry entries[RECORDER_LIST_MAX];
    const uint32_t count = recorder_list(r, entries);
    write_stages(r, got, ours);
    read_stages(which, frame, file);
    uint32_t at = 0;
    while (at <= count && strncmp(ours + (size_t)at * STAGE_DIGITS,
                                  file + (size_t)at * STAGE_DIGITS, STAGE_DIGITS) == 0) {
        at += 1;
    }
    if (at < count) {
        snprintf(text, room, "pass %s (stage %s, number %u of the frame)", entries[at].pass,
                 entries[at].stage, at + 1);
    } else {
        snprintf(text, room, "%s",
                 strlen(file) > strlen(ours) ? "a stage that did not run"
                 : at == count               ? "pass EMBED"
                                             : "what is between passes");
    }
}

static void print_trace(scenario_id which, uint32_t frame) {
    const configuration c = plain_here();
    recorder* r = record_frame(which, &c, frame, NULL, NULL);
    printf("%s, frame %u, stage by stage:\n", scenario_name(which), frame);
    recorder_print(r);
    recorder_free(r);
}

static void run_reference(scenario_id which, uint32_t frames) {
    const golden* g = is_set("TLW_WRITE_GOLDEN") ? NULL : &read_golden()[which];
    const configuration c = plain_here();
    test_tasks tasks;
    tasks_open(&c, &tasks);
    scenario* s = scenario_open(which, &tasks.config);
    uint64_t running = 0;
    for (uint32_t i = 0; i < frames; ++i) {
        reference[which][i] = scenario_advance(s, i + 1);
        running = fold(running, reference[which][i]);
        const bool is_line = (i + 1) % FRAMES_PER_LINE == 0;
        if (g && ((uint16_t)running != g->frames[i] ||
                  (is_line && running != g->full[(i + 1) / FRAMES_PER_LINE - 1]))) {
            char where[128];
            scenario_frame got;
            recorder* r = record_frame(which, &c, i + 1, NULL, &got);
            name_pass(which, i + 1, r, got, where, sizeof where);
            recorder_free(r);
            tlw_test_fail(__FILE__, __LINE__,
                          "%s: frame %u is the first that is not the golden one, and in it %s. "
                          "Meant to be: tools/dev golden. Which character: TLW_TEST_TRACE=%s:%u, "
                          "here and with a build that is right",
                          scenario_name(which), i + 1, where, scenario_name(which), i + 1);
        }
    }
    scenario_close(s);
    tasks_close(&tasks);
}

static void need_reference(void) {
    static bool is_there;
    if (!is_there) {
        for (uint32_t p = 0; p < SCENARIO_COUNT; ++p) {
            run_reference((scenario_id)p, frames_to_run());
        }
        is_there = true;
    }
}

// How many of the scenario's characters must be split: those that cost more than half of a worker's
// share of the total, by the costs that the cooker wrote, and more than the least cost worth
// sharing.
static uint32_t splits_due(const scenario* s) {
    const uint32_t workers = s->config.tasks.worker_count;
    float total = 0.0f, limit = s->config.split_cost;
    uint32_t due = 0;
    for (uint32_t i = 0; i < s->capacity; ++i) {
        total +=
            s->characters[i].id.index1 != 0 ? sample_info(s->characters[i].sample)->cost : 0.0f;
    }
    if (limit == 0.0f) {
        const float share = total / (2.0f * (float)workers);
        limit = share > 256.0f ? share : 256.0f;
    }
    for (uint32_t i = 0; i < s->capacity; ++i) {
        due +=
            s->characters[i].id.index1 != 0 && sample_info(s->characters[i].sample)->cost > limit;
    }
    return workers > 1 ? due : 0;
}

static void compare_scenario(scenario_id which, const configuration* c, uint32_t frames) {
    test_tasks tasks;
    tasks_open(c, &tasks);
    scenario* s = scenario_open(which, &tasks.config);
    uint32_t bad = 0, due = 0;
    for (uint32_t i = 0; i < frames && bad == 0; ++i) {
        const scenario_frame got = scenario_advance(s, i + 1);
        bad = memcmp(&got, &reference[which][i], sizeof got) != 0 ? i + 1 : 0;
        due += splits_due(s);
    }
    const uint32_t splits = s->splits;
    scenario_close(s);
    tasks_close(&tasks);
    if (bad != 0) {
        char name[128], where[192];
        const configuration best = plain_here();
        explain(which, &best, c, bad, NULL, where, sizeof where);
        tlw_test_fail(__FILE__, __LINE__, "%s, %s: the first difference is in %s",
                      scenario_name(which), name_of(c, name, sizeof name), where);
    }
    CHECK_EQ(splits, due);
}

static void compare(const configuration* c, uint32_t frames) {
    frames = frames < frames_to_run() ? frames : frames_to_run();
    for (uint32_t p = 0; p < SCENARIO_COUNT; ++p) {
        compare_scenario((scenario_id)p, c, frames);
    }
}

// Records every frame; `see` gets the line of stages of each.
static void record_scenario(scenario_id which, const configuration* c, uint32_t frames,
                            void (*see)(scenario_id which, uint32_t frame, const char* line)) {
    test_tasks tasks;
    tasks_open(c, &tasks);
    scenario* s = scenario_open(which, &tasks.config);
    for (uint32_t i = 1; i <= frames; ++i) {
        char line[STAGE_LINE];
        recorder* r = recorder_start(s->world);
        const scenario_frame got = scenario_advance(s, i);
        recorder_stop(r, s->world);
        write_stages(r, got, line);
        recorder_free(r);
        see(which, i, line);
    }
    scenario_close(s);
    tasks_close(&tasks);
}

static char stages_text[400000]; // the most that is worth keeping in a file that only names passes
static size_t stages_length;

static void keep_stages(scenario_id which, uint32_t frame, const char* line) {
    const size_t room = sizeof stages_text - stages_length;
    stages_length +=
        (size_t)snprintf(stages_text + stages_length, room, "%s%s%s\n",
                         frame == 1 ? scenario_name(which) : "", frame == 1 ? "\n" : "", line);
    CHECK_LT(stages_length, sizeof stages_text);
}

static void check_stages(scenario_id which, uint32_t frame, const char* line) {
    char golden_line[STAGE_LINE];
    read_stages(which, frame, golden_line);
    CHECK_STRING(line, golden_line);
}

// Tests, in this order: the files are written first where they are meant to be.

TLW_TEST(steps_are_the_golden_ones) {
    if (is_set("TLW_WRITE_GOLDEN")) {
        static char text[SCENARIO_COUNT * (FRAMES / FRAMES_PER_LINE) * 200];
        size_t length = 0;
        need_reference();
        for (uint32_t p = 0; p < SCENARIO_COUNT; ++p) {
            uint64_t running = 0;
            for (uint32_t line = 0; line < FRAMES / FRAMES_PER_LINE; ++line) {
                char digits[FRAMES_PER_LINE * 4 + 1];
                for (uint32_t i = 0; i < FRAMES_PER_LINE; ++i) {
                    running = fold(running, reference[p][line * FRAMES_PER_LINE + i]);
                    snprintf(digits + i * 4, 5, "%04x", (unsigned)(running & 0xFFFF));
                }
                length +=
                    (size_t)snprintf(text + length, sizeof text - length, "%s %u %016llx %s\n",
                                     scenario_name((scenario_id)p), (line + 1) * FRAMES_PER_LINE,
                                     (unsigned long long)running, digits);
            }
        }
        const configuration c = plain_here();
        for (uint32_t p = 0; p < SCENARIO_COUNT; ++p) {
            record_scenario((scenario_id)p, &c, FRAMES, keep_stages);
        }
        tlw_file_error error;
        if (tlw_file_replace(GOLDEN_FILE, text, length, &error) != TLW_OK ||
            tlw_file_replace(STAGES_FILE, stages_text, stages_length, &error) != TLW_OK) {
            tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
        }
        return;
    }
    need_reference();
}

// If stages.txt were wrong, a mismatch would be blamed on another pass.
TLW_TEST(stages_are_the_golden_ones) {
    if (TLW_TEST_THREADS) {
        tlw_test_skip(__FILE__, __LINE__, "this build runs only tests that use threads");
    }
    const uint32_t some = 1 + frames_to_run() / 8, frames = some < 22 ? some : 22;
    for (uint32_t isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (tlw_isa_is_built((tlw_isa)isa) && tlw_isa_is_supported((tlw_isa)isa)) {
            const configuration c = {(tlw_isa)isa, TASKS_SERIAL, 1, SPLIT_NEVER};
            for (uint32_t p = 0; p < SCENARIO_COUNT; ++p) {
                record_scenario((scenario_id)p, &c, is_set("TLW_TEST_FULL") ? FRAMES : frames,
                                check_stages);
            }
        }
    }
}

// The events that the scenarios exist for do happen in them.
TLW_TEST(scenarios_raise_every_flag_and_do_not_end_in_rest) {
    if (frames_to_run() < 150) {
        tlw_test_skip(__FILE__, __LINE__, "too few frames");
    }
    test_tasks tasks;
    const configuration c = plain_here();
    tasks_open(&c, &tasks);
    scenario* s = scenario_open(SCENARIO_odd_times, &tasks.config);
    for (uint32_t i = 1; i <= 150; ++i) {
        (void)scenario_advance(s, i);
    }
    // All flags there are but NOT_FINITE: the bits of a NaN are not the same everywhere.
    CHECK_EQ(s->flags_seen, 127u & ~(uint32_t)TLW_STEP_NOT_FINITE);
    scenario_close(s);
    need_reference();
    for (uint32_t which = 0; which < SCENARIO_COUNT; ++which) {
        for (uint32_t i = 1; i < 150 && which != SCENARIO_odd_times; ++i) {
            CHECK(reference[which][i].state != reference[which][i - 1].state);
        }
    }
    tasks_close(&tasks);
}

TLW_TEST(steps_are_the_same_on_every_instruction_set) {
    if (TLW_TEST_THREADS) {
        tlw_test_skip(__FILE__, __LINE__, "this build runs only tests that use threads");
    }
    need_reference();
    for (uint32_t isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (tlw_isa_is_built((tlw_isa)isa) && tlw_isa_is_supported((tlw_isa)isa)) {
            const configuration c = {(tlw_isa)isa, TASKS_SERIAL, 1, SPLIT_NEVER};
            compare(&c, is_set("TLW_TEST_FULL") ? FRAMES : 240);
        }
    }
}

// The scenarios write all streams at once; leaving some out takes other paths through the kernels.
#define DRAWN_STREAMS 7u
#define DRAWN_KINDS   (1u << DRAWN_STREAMS) // which streams
#define DRAWN_WAYS    16u                   // four embeddings, two kinds of normals, two orders

static uint64_t draw_hash(tlw_world* world, tlw_character_id id, uint32_t kinds, uint32_t way,
                          uint32_t voxels) {
    static float memory[DRAWN_STREAMS][12 * 1024];
    static const tlw_embedding embeddings[] = {TLW_EMBED_DELTA, TLW_EMBED_FRAMES, TLW_EMBED_FIT,
                                               TLW_EMBED_RBF};
    enum { VERTICES = 203 };
    tlw_output output = tlw_default_output();
    tlw_stream* const streams[DRAWN_STREAMS] = {
        &output.positions, &output.normals,    &output.tangents,    &output.deltas,
        &output.lattice,   &output.voxel_fits, &output.voxel_deltas};
    const uint32_t variant = (kinds + way) % 4; // packed or not, floats or halves
    CHECK_LE(voxels, 1024u);
    memset(memory, 0, sizeof memory);
    for (uint32_t i = 0; i < DRAWN_STREAMS; ++i) {
        const bool is_matrix = i == 4 || i == 5;
        *streams[i] =
            (tlw_stream){kinds >> i & 1 ? memory[i] : NULL, variant & 1 ? (is_matrix ? 52 : 20) : 0,
                         variant & 2 ? TLW_FORMAT_FLOAT16 : TLW_FORMAT_FLOAT32};
    }
    output.first_vertex = 13;
    output.vertex_count = VERTICES;
    output.embedding = embeddings[way % 4];
    output.normals_by = way & 4 ? TLW_NORMALS_BY_RING : TLW_NORMALS_BY_GRADIENT;
    output.order = way & 8 ? TLW_ORDER_COOKED : TLW_ORDER_SOURCE;
    CHECK_OK(tlw_character_set_output(world, id, &output));
    (void)tlw_world_step(world, 0.0);
    return tlw_xxh64(memory, sizeof memory, 0);
}

TLW_TEST(outputs_of_every_kind_are_the_same_on_every_instruction_set) {
    static uint64_t wanted[DRAWN_KINDS * DRAWN_WAYS];
    bool has_wanted = false;
    if (TLW_TEST_THREADS) {
        tlw_test_skip(__FILE__, __LINE__, "this build runs only tests that use threads");
    }
    for (uint32_t isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (!tlw_isa_is_built((tlw_isa)isa) || !tlw_isa_is_supported((tlw_isa)isa)) {
            continue;
        }
        const scenario_config config = {(tlw_isa)isa, tlw_serial_task_system(), SPLIT_NEVER, false};
        scenario* s = scenario_open(SCENARIO_stout_dance, &config);
        for (uint32_t i = 1; i <= 3; ++i) {
            (void)scenario_advance(s, i);
        }
        (void)tlw_world_step(s->world, 0.005);             // between two substeps
        const uint32_t step = TLW_UNDER_SANITIZER ? 7 : 1; // all ways all the same
        for (uint32_t i = 0; i < TLW_COUNT_OF(wanted); i += step) {
            const uint64_t hash =
                draw_hash(s->world, s->characters[0].id, i / DRAWN_WAYS, i % DRAWN_WAYS,
                          sample_info(s->characters[0].sample)->voxel_count);
            wanted[i] = has_wanted ? wanted[i] : hash;
            if (hash != wanted[i]) {
                tlw_test_fail(__FILE__, __LINE__, "%s draws streams %u, way %u otherwise",
                              tlw_isa_name((tlw_isa)isa), i / DRAWN_WAYS, i % DRAWN_WAYS);
            }
        }
        has_wanted = true;
        const tlw_output none = tlw_default_output();
        CHECK_OK(tlw_character_set_output(s->world, s->characters[0].id, &none));
        scenario_close(s);
    }
}

// By default the world decides. It splits neither the small characters of a crowd nor a world of
// small ones.
TLW_TEST(world_splits_the_large_one_of_a_crowd_and_no_other) {
    if (TLW_TEST_THREADS) {
        tlw_test_skip(__FILE__, __LINE__, "this build runs only tests that use threads");
    }
    for (uint32_t workers = 1; workers <= 8; ++workers) {
        scenario_config config = {tlw_isa_best(), tlw_serial_task_system(),
                                  tlw_default_world_def().split_cost, false};
        config.tasks.worker_count = workers; // the serial system is worker 0 of any number
        scenario* s = scenario_open(SCENARIO_crowd, &config);
        (void)scenario_advance(s, 1);
        tlw_world_report world;
        tlw_world_get_report(s->world, &world);
        CHECK_EQ(world.character_count, SCENARIO_CHARACTERS_MAX);
        CHECK_EQ(world.split_count, workers > 1 ? 1u : 0u);
        for (uint32_t i = 0; i < SCENARIO_CHARACTERS_MAX; ++i) {
            tlw_character_report one;
            CHECK_OK(tlw_character_get_report(s->world, s->characters[i].id, &one));
            CHECK_EQ(one.was_split, workers > 1 && i == 0);
        }
        scenario_close(s);
        s = scenario_open(SCENARIO_odd_times, &config);
        (void)scenario_advance(s, 1);
        CHECK_EQ(s->splits, 0u);
        scenario_close(s);
    }
}

TLW_TEST(steps_are_the_same_for_any_number_of_workers) {
    static const struct {
        uint32_t workers;
        float split_cost;
        uint32_t frames;
    } cut[] = {
        {1, SPLIT_ALL, 60},  {2, SPLIT_ALL, 240},  {2, 0.0f, 240},       {3, SPLIT_ALL, 60},
        {4, 0.0f, 120},      {4, SPLIT_NEVER, 60}, {5, SPLIT_ALL, 30},   {6, SPLIT_ALL, 30},
        {7, 0.0f, 30},       {8, SPLIT_ALL, 60},   {8, SPLIT_NEVER, 60}, {16, SPLIT_ALL, 20},
        {32, SPLIT_ALL, 20},
    };
    need_reference();
    for (size_t i = 0; i < TLW_COUNT_OF(cut); ++i) {
        const configuration c = {tlw_isa_best(), TASKS_JOBS, cut[i].workers, cut[i].split_cost};
        compare(&c, cut[i].frames);
    }
}

TLW_TEST(steps_are_the_same_with_hostile_tasks) {
    static const struct {
        tasks_kind kind;
        uint32_t threads;
        float split_cost;
        uint32_t frames;
    } cut[] = {
        {TASKS_HOSTILE, 1, SPLIT_ALL, 60},   {TASKS_HOSTILE, 3, SPLIT_ALL, 60},
        {TASKS_HOSTILE, 3, SPLIT_NEVER, 60}, {TASKS_HOSTILE, 2, 0.0f, 120},
        {TASKS_EAGER, 2, SPLIT_ALL, 30},     {TASKS_EAGER, 4, SPLIT_NEVER, 60},
    };
    need_reference();
    for (size_t i = 0; i < TLW_COUNT_OF(cut); ++i) {
        const configuration c = {tlw_isa_best(), cut[i].kind, cut[i].threads, cut[i].split_cost};
        compare(&c, cut[i].frames);
    }
}

// Events that do not occur in the first frames of the scenarios: jumps, dropped time, bad poses,
// garbage and resets. In the crowd every 20th frame is run, and in each of these a character is
// created or destroyed.
static const struct {
    scenario_id scenario;
    uint32_t frames, stride;
} events[] = {
    {SCENARIO_odd_times, 62, 1}, {SCENARIO_crowd, 16, 20}, {SCENARIO_thin_muscles, 20, 1}};
#define EVENT_FRAMES_MAX 62

static void scenario_events(size_t which, const configuration* c, scenario_frame* out) {
    test_tasks tasks;
    tasks_open(c, &tasks);
    scenario* s = scenario_open(events[which].scenario, &tasks.config);
    for (uint32_t i = 0; i < events[which].frames; ++i) {
        out[i] = scenario_advance(s, (i + 1) * events[which].stride);
    }
    scenario_close(s);
    tasks_close(&tasks);
}

TLW_TEST(steps_are_the_same_where_time_jumps_and_characters_come_and_go) {
    static const configuration threaded[] = {{TLW_ISA_COUNT, TASKS_JOBS, 2, SPLIT_ALL},
                                             {TLW_ISA_COUNT, TASKS_JOBS, 3, 0.0f}};
    if (frames_to_run() < 20 && !TLW_TEST_THREADS) {
        tlw_test_skip(__FILE__, __LINE__, "too few frames");
    }
    for (size_t which = 0; which < TLW_COUNT_OF(events); ++which) {
        scenario_frame wanted[EVENT_FRAMES_MAX], got[EVENT_FRAMES_MAX];
        const configuration best = plain_here();
        scenario_events(which, &best, wanted);
        for (size_t i = 0; i < TLW_COUNT_OF(threaded); ++i) {
            configuration c = threaded[i];
            c.isa = tlw_isa_best();
            scenario_events(which, &c, got);
            for (uint32_t k = 0; k < events[which].frames; ++k) {
                char name[128];
                if (memcmp(&got[k], &wanted[k], sizeof got[k]) != 0) {
                    tlw_test_fail(__FILE__, __LINE__, "%s, %s: step %u is the first that differs",
                                  scenario_name(events[which].scenario),
                                  name_of(&c, name, sizeof name), k + 1);
                }
            }
        }
    }
}

TLW_TEST(steps_are_the_same_in_the_whole_matrix) {
    static const uint32_t workers[] = {1, 2, 3, 4, 5, 6, 7, 8, 16, 32};
    static const float splits[] = {SPLIT_ALL, 0.0f, SPLIT_NEVER};
    if (!is_set("TLW_TEST_FULL")) {
        tlw_test_skip(__FILE__, __LINE__, "TLW_TEST_FULL=1 is not set");
    }
    need_reference();
    for (uint32_t isa = 0; isa < TLW_ISA_COUNT; ++isa) {
        if (!tlw_isa_is_built((tlw_isa)isa) || !tlw_isa_is_supported((tlw_isa)isa)) {
            continue;
        }
        for (size_t s = 0; s < TLW_COUNT_OF(splits); ++s) {
            for (size_t w = 0; w < TLW_COUNT_OF(workers); ++w) {
                const configuration c = {(tlw_isa)isa, TASKS_JOBS, workers[w], splits[s]};
                compare(&c, FRAMES);
            }
            for (uint32_t threads = 1; threads <= 4; ++threads) {
                const configuration late = {(tlw_isa)isa, TASKS_HOSTILE, threads, splits[s]};
                const configuration eager = {(tlw_isa)isa, TASKS_EAGER, threads, splits[s]};
                compare(&late, FRAMES);
                compare(&eager, FRAMES);
            }
            printf("%s, splits %zu: the same\n", tlw_isa_name((tlw_isa)isa), s);
            fflush(stdout);
        }
    }
}

// Tests of the diagnosis itself: a bit that is flipped in one stage of one frame is traced to that
// stage, by comparing two configurations and by the golden file alone.
typedef struct fault {
    scenario_id scenario;
    tasks_kind kind;
    uint32_t frame;
    tlw_stage stage;
} fault;

static const fault chosen_faults[] = {
    {SCENARIO_stout_dance, TASKS_SERIAL, 5, TLW_STAGE_skin},
    {SCENARIO_stout_dance, TASKS_JOBS, 2, TLW_STAGE_predict},
    {SCENARIO_stout_dance, TASKS_HOSTILE, 3, TLW_STAGE_stretch},
    {SCENARIO_thin_jump, TASKS_JOBS, 5, TLW_STAGE_volume_gradients},
    {SCENARIO_thin_jump, TASKS_SERIAL, 5, TLW_STAGE_volume},
    {SCENARIO_bunny_walk, TASKS_JOBS, 3, TLW_STAGE_regions},
    {SCENARIO_bunny_walk, TASKS_SERIAL, 3, TLW_STAGE_stretch},
    {SCENARIO_bunny_walk, TASKS_HOSTILE, 3, TLW_STAGE_goal},
    {SCENARIO_bunny_stop, TASKS_SERIAL, 2, TLW_STAGE_limit},
    {SCENARIO_bunny_stop, TASKS_JOBS, 2, TLW_STAGE_velocity},
    {SCENARIO_odd_times, TASKS_SERIAL, 20, TLW_STAGE_carry},
    {SCENARIO_stout_width_2, TASKS_JOBS, 6, TLW_STAGE_regions2},
    {SCENARIO_stout_width_2, TASKS_SERIAL, 6, TLW_STAGE_goal2},
    {SCENARIO_stout_touched, TASKS_JOBS, 6, TLW_STAGE_contact},
    {SCENARIO_crowd, TASKS_JOBS, 240, TLW_STAGE_stretch}, // one enters
};

// The chosen faults, then one in every stage that none of them is in: a new stage needs no row.
#define FAULT_COUNT (TLW_COUNT_OF(chosen_faults) + TLW_STAGE_COUNT)
static bool get_fault(size_t i, fault* out) {
    if (i < TLW_COUNT_OF(chosen_faults)) {
        *out = chosen_faults[i];
        return true;
    }
    const tlw_stage stage = (tlw_stage)(i - TLW_COUNT_OF(chosen_faults));
    for (size_t k = 0; k < TLW_COUNT_OF(chosen_faults); ++k) {
        if (chosen_faults[k].stage == stage) {
            return false;
        }
    }
    static const scenario_id scenarios[] = {[TLW_ONLY_ALL] = SCENARIO_stout_dance,
                                            [TLW_ONLY_WIDTH_3] = SCENARIO_stout_dance,
                                            [TLW_ONLY_WIDTH_2] = SCENARIO_stout_width_2,
                                            [TLW_ONLY_BELLIES] = SCENARIO_thin_muscles,
                                            [TLW_ONLY_LAME] = SCENARIO_thin_muscles};
    *out = (fault){scenarios[tlw_stages[stage].only], TASKS_JOBS, 6, stage};
    if (tlw_stages[stage].phase == TLW_PHASE_CARRIED) { // there is a jump in this frame
        out->scenario = SCENARIO_thin_muscles;
        out->frame = 14;
    }
    return true;
}

static uint32_t frames_of_faults(void) {
    return frames_to_run() < 20 ? 20 : frames_to_run();
}

TLW_TEST(first_frame_and_pass_that_differ_are_named) {
    if (TLW_UNDER_SANITIZER) {
        tlw_test_skip(__FILE__, __LINE__, "other builds test what this test says of itself");
    }
    fault f;
    for (size_t i = 0; i < FAULT_COUNT; ++i) {
        if (!get_fault(i, &f) || f.frame > frames_of_faults()) {
            continue;
        }
        static const char* const passes[] = {
#define PASS(name, pass, ...) [TLW_STAGE_##name] = #pass,
            TLW_STAGE_TABLE(PASS)
#undef PASS
        };
        const configuration a = plain_here();
        const configuration b = {tlw_isa_best(), f.kind, 2, SPLIT_ALL};
        char where[192], expected[128];
        explain(f.scenario, &a, &b, f.frame, NULL, where, sizeof where);
        CHECK_CONTAINS(where, "pass EMBED"); // without a fault no pass before it is named
        explain(f.scenario, &a, &b, f.frame, tlw_stages[f.stage].name, where, sizeof where);
        snprintf(expected, sizeof expected, "frame %u, pass %s (stage %s, character ", f.frame,
                 passes[f.stage], tlw_stages[f.stage].name);
        CHECK_CONTAINS(where, expected);
    }
}

TLW_TEST(pass_that_differs_is_named_by_the_golden_file_alone) {
    if (TLW_TEST_THREADS) {
        tlw_test_skip(__FILE__, __LINE__, "this build runs only tests that use threads");
    }
    fault f;
    for (size_t i = 0; i < FAULT_COUNT; ++i) {
        if (!get_fault(i, &f) || f.frame > 20) {
            continue;
        }
        const configuration c = plain_here();
        const char* stage = tlw_stages[f.stage].name;
        char expected[64];
        snprintf(expected, sizeof expected, "(stage %s, number ", stage);
        for (int is_planted = 0; is_planted < 2; ++is_planted) {
            scenario_frame got;
            recorder* r = record_frame(f.scenario, &c, f.frame, is_planted ? stage : NULL, &got);
            char where[128];
            name_pass(f.scenario, f.frame, r, got, where, sizeof where);
            CHECK_CONTAINS(where, is_planted ? expected : "between passes");
            got.output ^= is_planted ? 0 : 1;
            name_pass(f.scenario, f.frame, r, got, where, sizeof where);
            CHECK_CONTAINS(where, is_planted ? expected : "pass EMBED");
            recorder_free(r);
        }
    }
}

TLW_TEST(trace_of_a_frame_where_it_is_asked_for) {
    const char* asked = getenv("TLW_TEST_TRACE");
    char name[32];
    unsigned frame;
    if (asked == NULL || sscanf(asked, "%31[a-z_0-9]:%u", name, &frame) != 2) {
        tlw_test_skip(__FILE__, __LINE__, "TLW_TEST_TRACE=SCENARIO:FRAME is not set");
    }
    for (uint32_t p = 0; p < SCENARIO_COUNT; ++p) {
        if (strcmp(name, scenario_name((scenario_id)p)) == 0) {
            print_trace((scenario_id)p, frame);
            return;
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "no scenario '%s'", name);
}
