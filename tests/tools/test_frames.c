// SPDX-License-Identifier: MIT
// tools/frames: the times of a frame add up, the budget gate fails on a slow pass and passes
// without it, and the report is well-formed. The clock counts its readings, so that the same work
// takes the same time in every run.
#include "platform/atomic.h"
#include "tests/test.h"
#include "tools/bench/frame_files.h"
#include "tools/bench/html_chart.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESOLUTION = 10, FRAMES = 10 };

typedef struct counting_clock {
    tlw_atomic_u64 now_ns; // workers read it too
    uint64_t step_ns;
} counting_clock;

static uint64_t read_counting_clock(void* user) {
    counting_clock* clock = user;
    return atomic_fetch_add_explicit(&clock->now_ns, clock->step_ns, memory_order_relaxed);
}

// Cooked once, because that takes longer than any test here.
static tlw_actor* shared_actor(void) {
    static tlw_actor actor;
    if (actor.blob_memory == NULL) {
        tlw_cook_recipe recipe = tlw_default_cook_recipe();
        recipe.resolution = RESOLUTION;
        tlw_scene_error error = {0};
        if (tlw_actor_make(&actor, "stout", &recipe, &error) != TLW_SCENE_OK) {
            tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
        }
    }
    return &actor;
}

static tlw_frames_def def_of(const char* scene, const tlw_actor* actor, counting_clock* clock) {
    tlw_frames_def def = tlw_default_frames_def(tlw_scene_entry_find(scene), actor);
    def.frame_count = FRAMES;
    def.warm_up_count = 2;
    def.character_count = def.character_count < 3 ? def.character_count : 3;
    atomic_store_explicit(&clock->now_ns, 0, memory_order_relaxed);
    clock->step_ns = 1000;
    def.clock = read_counting_clock;
    def.clock_user = clock;
    def.has_output = false;         // embedding vertices takes longest, and no test here needs them
    def.output.wants_bounds = true; // but every pass takes some time
    return def;
}

static tlw_frames measure(const tlw_frames_def* def) {
    tlw_frames frames;
    tlw_scene_error error = {0};
    if (tlw_frames_measure(def, &frames, &error) != TLW_SCENE_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s", error.message);
    }
    CHECK_EQ(frames.count, def->frame_count);
    return frames;
}

// ---- Statistics

TLW_TEST(percentile_is_the_smallest_sample_that_enough_do_not_exceed) {
    double samples[100];
    for (int i = 0; i < 100; ++i) {
        samples[i] = i + 1.0;
    }
    CHECK_EQ(tlw_percentile(samples, 100, 99.0), 99.0);
    CHECK_EQ(tlw_percentile(samples, 100, 50.0), 50.0);
    CHECK_EQ(tlw_percentile(samples, 100, 100.0), 100.0);
    CHECK_EQ(tlw_percentile(samples, 100, 0.001), 1.0);
    CHECK_EQ(tlw_percentile(samples, 20, 95.0), 19.0);
    CHECK_EQ(tlw_percentile(samples, 10, 99.9), 10.0);
    CHECK_EQ(tlw_percentile(samples, 1, 50.0), 1.0);
    CHECK_EQ(tlw_percentile(samples, 0, 50.0), 0.0);
}

// There is nothing to touch, and neither muscles nor Lame layers are cooked.
static bool has_work(tlw_pass pass) {
    return pass != TLW_PASS_CONTACT && pass != TLW_PASS_MUSCLES && pass != TLW_PASS_LAME;
}

TLW_TEST(frame_is_its_passes_and_what_is_outside_of_them) {
    tlw_actor* actor = shared_actor();
    counting_clock clock;
    const tlw_frames_def def = def_of("crowd", actor, &clock);
    tlw_frames f = measure(&def);
    for (uint32_t i = 0; i < f.count; ++i) {
        const tlw_frame* frame = &f.frames[i];
        double sum = frame->outside_ms, characters = 0.0, slowest = 0.0;
        for (int p = 0; p < TLW_PASS_COUNT; ++p) {
            CHECK_EQ(0.0 < frame->pass_ms[p], has_work((tlw_pass)p));
            sum += frame->pass_ms[p];
        }
        for (uint32_t c = 0; c < def.character_count; ++c) {
            const double ms = (double)f.character_ms[i * def.character_count + c];
            characters += ms;
            slowest = ms > slowest ? ms : slowest;
        }
        CHECK_NEAR(sum, frame->ms, 1e-9);
        CHECK_LE(characters, frame->ms);
        CHECK_NEAR(slowest, frame->slowest_ms, 1e-6);
        CHECK_EQ(frame->substeps, def.character_count);
        CHECK_LT(0, frame->scratch_bytes);
    }
    tlw_frames again = measure(&def);
    CHECK_EQ(again.total.median,
             f.total.median); // the clock counts work, so both runs take the same time
    tlw_frames_free(&again);
    tlw_frames_free(&f);
}

TLW_TEST(worst_frames_are_the_longest_with_the_characters_of_that_frame) {
    tlw_actor* actor = shared_actor();
    counting_clock clock;
    tlw_frames_def def = def_of("crowd", actor, &clock);
    def.clock = NULL; // the platform's clock: frames differ
    tlw_frames f = measure(&def);
    CHECK_EQ(f.worst_count, TLW_FRAMES_WORST);
    CHECK_EQ(f.worst[0].ms, f.total.worst);
    for (uint32_t i = 0; i < f.worst_count; ++i) {
        const tlw_worst_of_frames* w = &f.worst[i];
        CHECK_EQ(w->ms, f.frames[w->frame].ms);
        CHECK(i == 0 || w->ms <= f.worst[i - 1].ms);
        for (uint32_t c = 0; c < def.character_count; ++c) {
            CHECK_EQ((float)w->characters[c].ms,
                     f.character_ms[w->frame * def.character_count + c]);
        }
    }
    tlw_frames_free(&f);
}

// ---- The gate

// Three passes of a substep run eight times instead of once; everything else is the same.
TLW_TEST(gate_closes_on_a_slow_pass_and_opens_without_it) {
    tlw_actor* actor = shared_actor();
    counting_clock clock;
    tlw_frames_def def = def_of("dance", actor, &clock);
    tlw_frames quick = measure(&def);
    def.budget_ms = quick.total.worst; // a budget that is met exactly
    tlw_verdict verdict;
    char text[512];
    tlw_frames_free(&quick);
    quick = measure(&def);
    CHECK(tlw_frames_judge(&quick, &verdict));
    CHECK(verdict.has_budget && verdict.is_met);
    CHECK_EQ(verdict.over_count, 0);
    tlw_verdict_text(&quick, &verdict, text, sizeof text);
    CHECK_CONTAINS(text, "within budget: p99 ");

    def.repeats = 8;
    tlw_frames slow = measure(&def);
    CHECK(tlw_frames_judge(&slow, &verdict));
    CHECK(verdict.has_budget && !verdict.is_met);
    CHECK_EQ(verdict.over_count, (uint32_t)FRAMES);
    CHECK_LT(4.0 * quick.passes[TLW_PASS_GOAL].median, slow.passes[TLW_PASS_GOAL].median);
    CHECK_EQ(slow.passes[TLW_PASS_SKIN].median, quick.passes[TLW_PASS_SKIN].median);
    CHECK(verdict.largest_pass == TLW_PASS_STRETCH || verdict.largest_pass == TLW_PASS_VOLUME ||
          verdict.largest_pass == TLW_PASS_REGIONS || verdict.largest_pass == TLW_PASS_GOAL);
    CHECK_EQ(verdict.worst_ms, slow.frames[verdict.worst_frame].ms);
    tlw_verdict_text(&slow, &verdict, text, sizeof text);
    CHECK_CONTAINS(text, "over budget: p99 ");
    CHECK_CONTAINS(text, tlw_pass_name(verdict.largest_pass));
    CHECK_CONTAINS(text, "worst frame ");
    tlw_frames_free(&quick);
    tlw_frames_free(&slow);
}

TLW_TEST(planted_time_is_booked_on_its_pass_and_closes_the_gate) {
    tlw_actor* actor = shared_actor();
    counting_clock clock;
    tlw_frames_def def = def_of("dance", actor, &clock);
    tlw_frames plain = measure(&def);
    def.budget_ms = plain.total.worst;
    def.plant_pass = TLW_PASS_VELOCITY;
    def.plant_us = 5000.0;
    tlw_frames f = measure(&def);
    tlw_verdict verdict;
    CHECK(tlw_frames_judge(&f, &verdict));
    CHECK(!verdict.is_met);
    CHECK_EQ(verdict.largest_pass, TLW_PASS_VELOCITY);
    CHECK_NEAR(f.passes[TLW_PASS_VELOCITY].median - plain.passes[TLW_PASS_VELOCITY].median, 5.0,
               0.01);
    CHECK_EQ(f.passes[TLW_PASS_GOAL].median, plain.passes[TLW_PASS_GOAL].median);
    tlw_frames_free(&plain);
    tlw_frames_free(&f);
}

TLW_TEST(gate_looks_at_the_percentile_that_was_asked_for) {
    tlw_frame frames[10] = {0};
    tlw_frames f = {.count = 10, .frames = frames};
    for (int i = 0; i < 10; ++i) {
        frames[i].ms = i < 9 ? 1.0 : 50.0;
        frames[i].pass_ms[i < 9 ? TLW_PASS_SKIN : TLW_PASS_EMBED] = frames[i].ms;
    }
    tlw_verdict verdict;
    f.def.budget_ms = 2.0;
    f.def.percentile = 90.0;
    CHECK(tlw_frames_judge(&f, &verdict));
    CHECK(verdict.is_met);
    CHECK_EQ(verdict.over_count, 1);
    f.def.percentile = 91.0;
    CHECK(tlw_frames_judge(&f, &verdict));
    CHECK(!verdict.is_met);
    CHECK_EQ(verdict.value_ms, 50.0);
    CHECK_EQ(verdict.largest_pass, TLW_PASS_EMBED); // of the frame that is over budget
    CHECK_EQ(verdict.worst_frame, 9);
}

// ---- Files

static size_t count_of(const char* text, const char* part) {
    size_t count = 0;
    for (const char* at = strstr(text, part); at; at = strstr(at + 1, part)) {
        count += 1;
    }
    return count;
}

static const char* end_text(tlw_text* text) {
    tlw_text_add(text, "%c", 0);
    CHECK(!text->out_of_memory);
    return text->bytes;
}

TLW_TEST(csv_has_a_row_per_frame_and_a_column_per_pass_and_character) {
    tlw_actor* actor = shared_actor();
    counting_clock clock;
    const tlw_frames_def def = def_of("crowd", actor, &clock);
    tlw_frames f = measure(&def);
    tlw_text text = {0};
    tlw_frames_to_csv(&f, &text);
    const char* csv = end_text(&text);
    const size_t columns = 10 + TLW_PASS_COUNT + def.character_count;
    CHECK_EQ(count_of(csv, "\n"), (size_t)FRAMES + 1);
    CHECK_EQ(count_of(csv, ","), (FRAMES + 1) * (columns - 1));
    CHECK(strncmp(csv, "frame,ms,skin_ms,", 17) == 0);
    CHECK_CONTAINS(csv, ",character_2_ms\n0,");
    tlw_text_free(&text);
    tlw_frames_free(&f);
}

// Every element that is opened is closed, in the right order; attributes are quoted.
static void check_nesting(const char* html) {
    char stack[64][24];
    int depth = 0;
    for (const char* at = strchr(html, '<'); at; at = strchr(at, '<')) {
        const char* end = strchr(at, '>');
        CHECK(end != NULL);
        if (at[1] != '!') {
            char name[24] = "";
            const bool is_closing = at[1] == '/';
            const char* from = at + 1 + is_closing;
            for (size_t i = 0; i + 1 < sizeof name && isalnum((unsigned char)from[i]); ++i) {
                name[i] = from[i];
                name[i + 1] = 0;
            }
            CHECK(name[0] != 0); // a bare '<' in text
            size_t quotes = 0;
            for (const char* c = at; c < end; ++c) {
                quotes += *c == '"';
                CHECK(c == at || *c != '<');
            }
            CHECK_EQ(quotes % 2, 0);
            if (is_closing) {
                CHECK_LT(0, depth);
                CHECK_STRING(name, stack[--depth]);
            } else if (end[-1] != '/') {
                CHECK_LT(depth, 64);
                memcpy(stack[depth++], name, sizeof name);
            }
            if (strcmp(name, "script") == 0 && !is_closing) {
                end = strstr(end, "</script>") - 1; // not markup
            }
        }
        at = end;
    }
    CHECK_EQ(depth, 0);
}

// Whether the text has "nan" or "inf" as words, as printf would write them.
static void check_numbers(const char* html) {
    static const char* const words[] = {"nan", "inf", "infinity"};
    for (size_t w = 0; w < TLW_COUNT_OF(words); ++w) {
        const size_t length = strlen(words[w]);
        for (const char* at = strstr(html, words[w]); at; at = strstr(at + 1, words[w])) {
            CHECK(isalpha((unsigned char)at[-1]) || isalpha((unsigned char)at[length]));
        }
    }
}

static void check_report(const char* html, const tlw_frames* f) {
    const size_t points = tlw_chart_points(f->count);
    check_nesting(html);
    check_numbers(html);
    CHECK(strstr(html, "http") == NULL && strstr(html, "src=") == NULL);
    CHECK(strstr(html, "@import") == NULL && strstr(html, "<link") == NULL);
    CHECK_EQ(count_of(html, "class=\"hit\""), 2 * points);
    // The frames' line has `points` points, and every pass and the time outside of them has a
    // layer.
    const char* line = strstr(html, "class=\"line\" points=\"");
    CHECK(line != NULL);
    size_t commas = 0;
    for (line = strstr(line, "points=\"") + 8; *line != '"'; ++line) {
        commas += *line == ',';
    }
    CHECK_EQ(commas, points);
    CHECK_EQ(count_of(html, "class=\"layer"), (size_t)TLW_PASS_COUNT + 1);
    size_t counted = 0;
    for (const char* at = strstr(html, "data-count=\""); at; at = strstr(at + 1, "data-count=\"")) {
        counted += strtoul(at + 12, NULL, 10);
    }
    CHECK_EQ(counted, (size_t)f->count);
    CHECK_EQ(count_of(html, "<details"), (size_t)f->worst_count);
    for (int p = 0; p < TLW_PASS_COUNT; ++p) {
        char row[64];
        snprintf(row, sizeof row, "</i>%s</td>", tlw_pass_name((tlw_pass)p));
        CHECK_CONTAINS(html, row);
    }
}

static tlw_frames_result result_of(const tlw_frames* f) {
    tlw_frames_result r = {.frames = *f, .machine = tlw_machine_describe()};
    CHECK(tlw_frames_judge(f, &r.verdict));
    return r;
}

static void check_report_of(const tlw_frames_result* r) {
    tlw_text text = {0};
    tlw_frames_to_html(r, &text);
    check_report(end_text(&text), &r->frames);
    tlw_text_free(&text);
}

TLW_TEST(report_is_well_formed_and_has_a_point_per_frame) {
    tlw_actor* actor = shared_actor();
    counting_clock clock;
    tlw_frames_def def = def_of("crowd", actor, &clock);
    def.character_count = 6; // more than the report lists one by one
    def.budget_ms = 1.0;
    def.plant_pass = TLW_PASS_GOAL;
    def.plant_us = 100.0;
    tlw_frames f = measure(&def);
    tlw_frames_result r = result_of(&f);
    tlw_scene_error error = {0};
    CHECK_EQ(tlw_frames_scale(&f, true, &r.scaling, &error), TLW_SCENE_OK);
    CHECK_LE(2, r.scaling.character_points);
    CHECK_LE(2, r.scaling.worker_points);
    check_report_of(&r);
    // As a JSON parser sees it: balanced brackets, and no word that JSON does not have.
    tlw_text text = {0};
    tlw_frames_to_json(&r, &text);
    const char* json = end_text(&text);
    check_numbers(json);
    CHECK_EQ(count_of(json, "{"), count_of(json, "}"));
    CHECK_EQ(count_of(json, "["), count_of(json, "]"));
    tlw_text_free(&text);
    tlw_frames_free(&f);
}

TLW_TEST(report_of_a_clock_that_stands_still_has_only_finite_numbers) {
    tlw_actor* actor = shared_actor();
    counting_clock clock;
    tlw_frames_def def = def_of("still", actor, &clock);
    clock.step_ns = 0;
    def.frame_count = 1;
    def.budget_ms = 1e-9;
    tlw_frames f = measure(&def);
    CHECK_EQ(f.total.worst, 0.0);
    tlw_frames_result r = result_of(&f);
    r.scaling = (tlw_scaling){.character_points = 1,
                              .worker_points = 1,
                              .characters = {{1, 0.0}},
                              .workers = {{1, 0.0}},
                              .crowd = 1,
                              .is_measured = true};
    check_report_of(&r);
    tlw_frames_free(&f);
}

TLW_TEST(report_escapes_names_that_look_like_markup) {
    counting_clock clock;
    tlw_actor odd = *shared_actor();
    snprintf(odd.name, sizeof odd.name, "<b>&\"'\x01\xff</b>\xc3\xa9");
    const tlw_frames_def def = def_of("dance", &odd, &clock);
    tlw_frames f = measure(&def);
    const tlw_frames_result r = result_of(&f);
    tlw_text text = {0};
    tlw_frames_to_html(&r, &text);
    const char* html = end_text(&text);
    check_report(html, &f);
    CHECK_CONTAINS(html, "&lt;b&gt;&amp;&quot;&#39;??&lt;/b&gt;\xc3\xa9");
    CHECK(strstr(html, "<b>&") == NULL);
    tlw_text_free(&text);
    tlw_frames_to_json(&r, &text);
    CHECK_CONTAINS(end_text(&text), "\"character\": \"<b>&\\\"'\\u0001?</b>\xc3\xa9\"");
    tlw_text_free(&text);
    tlw_frames_free(&f);
}

TLW_TEST(noisy_run_is_called_noisy_wherever_it_is_told) {
    tlw_actor* actor = shared_actor();
    counting_clock clock;
    tlw_frames_def def = def_of("dance", actor, &clock);
    def.budget_ms = 1000.0;
    tlw_frames f = measure(&def);
    for (int noisy = 0; noisy < 2; ++noisy) {
        f.noise = (tlw_noise){.others = noisy ? 0.125 : 0.01, .is_noisy = noisy == 1};
        const tlw_frames_result r = result_of(&f);
        char line[512];
        tlw_verdict_text(&f, &r.verdict, line, sizeof line);
        CHECK_EQ(strstr(line, "noisy") != NULL, noisy == 1);
        tlw_text text = {0};
        tlw_frames_to_html(&r, &text);
        CHECK_CONTAINS(end_text(&text),
                       noisy ? "noisy: others took 12.5%" : "quiet: others took 1.0%");
        tlw_text_free(&text);
        tlw_frames_to_json(&r, &text);
        CHECK_CONTAINS(end_text(&text), noisy ? "\"noisy\": true" : "\"noisy\": false");
        tlw_text_free(&text);
    }
    tlw_frames_free(&f);
}

// With more frames than points, frames are grouped and each group shows its worst, so no spike is
// lost.
TLW_TEST(report_of_many_frames_keeps_every_spike) {
    enum { MANY = 2500 };
    tlw_frames f = {.count = MANY, .frames = calloc(MANY, sizeof *f.frames)};
    CHECK(f.frames != NULL);
    f.frames[1777].ms = 3.0;
    CHECK_LE(tlw_chart_points(MANY), TLW_CHART_POINTS);
    uint32_t spikes = 0, last = 0;
    for (uint32_t point = 0; point < tlw_chart_points(MANY); ++point) {
        const uint32_t frame = tlw_chart_frame(&f, point);
        CHECK(point == 0 || frame > last);
        CHECK_LT(frame, MANY);
        spikes += frame == 1777;
        last = frame;
    }
    CHECK_EQ(spikes, 1);
    CHECK_EQ(tlw_chart_points(TLW_CHART_POINTS), TLW_CHART_POINTS);
    CHECK_EQ(tlw_chart_points(1), 1);
    free(f.frames);
}

TLW_TEST(axis_steps_are_round_and_labels_tell_them_apart) {
    CHECK_NEAR(tlw_chart_step(1.0, 5), 0.2, 1e-12);
    CHECK_NEAR(tlw_chart_step(0.0123, 5), 0.005, 1e-12);
    CHECK_NEAR(tlw_chart_step(900.0, 10), 100.0, 1e-9);
    CHECK_EQ(tlw_chart_step(0.0, 5), 1.0);
    CHECK_EQ(tlw_chart_decimals(0.2), 1);
    CHECK_EQ(tlw_chart_decimals(0.005), 3);
    CHECK_EQ(tlw_chart_decimals(50.0), 0);
    char text[32];
    CHECK_STRING(tlw_thousands(1234567, text), "1,234,567");
    CHECK_STRING(tlw_thousands(999, text), "999");
}
