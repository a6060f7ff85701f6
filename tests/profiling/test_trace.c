// SPDX-License-Identifier: MIT
// The trace is strict JSON and has what a viewer relies on. A JSON reader written here checks it,
// which tolerates nothing, unlike most libraries.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/thread.h"
#include "tests/profiling/profiling_fixture.h"

// ---- RFC 8259: a recogniser that reports the members of the objects that it reads

typedef struct trace_row {
    char phase[4], name[128], scope[4];
    double ts, dur;
    int tid;
    char thread_name[64];
    double value, bytes, number;
    bool has_value;
} trace_row;

typedef struct json_reader {
    const char* at;
    int depth;
    trace_row* rows;
    size_t row_count, row_capacity;
} json_reader;

static bool read_value(json_reader* r, const char* key, trace_row* row, bool in_args);

static void skip_space(json_reader* r) {
    while (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r') {
        r->at += 1;
    }
}

static bool read_hex4(json_reader* r, unsigned* code) {
    *code = 0;
    for (int i = 0; i < 4; ++i, ++r->at) {
        char c = *r->at;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                                : 16;
        if (digit == 16) {
            return false;
        }
        *code = *code * 16 + digit;
    }
    return true;
}

// Copies a string into `out`, truncated; escapes of other than ASCII become one '?'.
static bool read_string(json_reader* r, char* out, size_t capacity) {
    if (*r->at++ != '"') {
        return false;
    }
    size_t used = 0;
    while (*r->at != '"') {
        unsigned char c = (unsigned char)*r->at++;
        if (c < 0x20) { // control characters and the end
            return false;
        }
        if (c == '\\') {
            static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
            const char* plain = *r->at ? strchr(from, *r->at) : NULL;
            unsigned code;
            if (plain) {
                c = (unsigned char)to[plain - from];
                r->at += 1;
            } else if (*r->at++ == 'u' && read_hex4(r, &code)) {
                c = code < 0x80 ? (unsigned char)code : '?';
            } else {
                return false;
            }
        }
        if (used + 1 < capacity) {
            out[used++] = (char)c;
        }
    }
    r->at += 1;
    out[used] = 0;
    return true;
}

static bool read_digits(json_reader* r) {
    const char* start = r->at;
    while (*r->at >= '0' && *r->at <= '9') {
        r->at += 1;
    }
    return r->at > start;
}

static bool read_number(json_reader* r, double* value) {
    const char* start = r->at;
    r->at += *r->at == '-';
    if (*r->at == '0') {
        r->at += 1;
    } else if (!read_digits(r)) {
        return false;
    }
    if (*r->at == '.' && (++r->at, !read_digits(r))) {
        return false;
    }
    if (*r->at == 'e' || *r->at == 'E') {
        r->at += 1;
        r->at += *r->at == '+' || *r->at == '-';
        if (!read_digits(r)) {
            return false;
        }
    }
    *value = strtod(start, NULL);
    return true;
}

static bool read_list(json_reader* r, char end, bool is_object, bool are_rows, trace_row* row,
                      bool in_args) {
    r->at += 1;
    skip_space(r);
    if (*r->at == end) {
        r->at += 1;
        return true;
    }
    for (;;) {
        char key[64] = "";
        skip_space(r);
        if (is_object) {
            if (!read_string(r, key, sizeof key)) {
                return false;
            }
            skip_space(r);
            if (*r->at++ != ':') {
                return false;
            }
            skip_space(r);
        }
        trace_row* element = row;
        if (are_rows) {
            if (r->row_count == r->row_capacity) {
                r->row_capacity = r->row_capacity * 2 + 64;
                r->rows = realloc(r->rows, r->row_capacity * sizeof *r->rows);
            }
            element = &r->rows[r->row_count++];
            *element = (trace_row){0};
        }
        if (!read_value(r, key, element, in_args)) {
            return false;
        }
        skip_space(r);
        char next = *r->at++;
        if (next == end) {
            return true;
        }
        if (next != ',') {
            return false;
        }
    }
}

static bool read_value(json_reader* r, const char* key, trace_row* row, bool in_args) {
    if (r->depth > 8) {
        return false;
    }
    bool ok = false;
    r->depth += 1;
    skip_space(r);
    if (*r->at == '{') {
        ok = read_list(r, '}', true, false, row, strcmp(key, "args") == 0);
    } else if (*r->at == '[') {
        ok = read_list(r, ']', false, strcmp(key, "traceEvents") == 0, row, false);
    } else if (*r->at == '"') {
        char text[128];
        ok = read_string(r, text, sizeof text);
        if (ok && row) {
            char* to = in_args ? (strcmp(key, "name") == 0 ? row->thread_name : NULL)
                       : strcmp(key, "ph") == 0   ? row->phase
                       : strcmp(key, "name") == 0 ? row->name
                       : strcmp(key, "s") == 0    ? row->scope
                                                  : NULL;
            size_t capacity = to == row->name          ? sizeof row->name
                              : to == row->thread_name ? sizeof row->thread_name
                                                       : sizeof row->phase;
            if (to) {
                size_t length = strlen(text) < capacity ? strlen(text) : capacity - 1;
                memcpy(to, text, length);
            }
        }
    } else {
        double value;
        ok = read_number(r, &value);
        if (ok && row) {
            if (!in_args) {
                row->ts = strcmp(key, "ts") == 0 ? value : row->ts;
                row->dur = strcmp(key, "dur") == 0 ? value : row->dur;
                row->tid = strcmp(key, "tid") == 0 ? (int)value : row->tid;
            } else {
                row->has_value = row->has_value || strcmp(key, "value") == 0;
                row->value = strcmp(key, "value") == 0 ? value : row->value;
                row->bytes = strcmp(key, "bytes") == 0 ? value : row->bytes;
                row->number = strcmp(key, "number") == 0 ? value : row->number;
            }
        }
    }
    r->depth -= 1;
    return ok;
}

static bool is_json(json_reader* r, const char* text) {
    r->at = text;
    if (!read_value(r, "", NULL, false)) {
        return false;
    }
    skip_space(r);
    return *r->at == 0;
}

static json_reader read_trace(profiling_fixture* fixture) {
    json_reader r = {0};
    CHECK_OK(tlw_profiler_collect(fixture->profiler));
    if (!is_json(&r, profiling_fixture_write_trace(fixture))) {
        tlw_test_fail(__FILE__, __LINE__, "not JSON, from here: %.60s", r.at);
    }
    return r;
}

static trace_row* find_row(json_reader* r, const char* phase, const char* name, size_t nth) {
    for (size_t i = 0; i < r->row_count; ++i) {
        trace_row* row = &r->rows[i];
        if (strcmp(row->phase, phase) == 0 && strcmp(row->name, name) == 0 && nth-- == 0) {
            return row;
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "no %s event '%s' in the trace", phase, name);
}

static size_t count_rows(const json_reader* r, const char* phase) {
    size_t count = 0;
    for (size_t i = 0; i < r->row_count; ++i) {
        count += strcmp(r->rows[i].phase, phase) == 0;
    }
    return count;
}

static bool lies_inside(const trace_row* child, const trace_row* parent) {
    // Both are whole nanoseconds printed as microseconds; half a nanosecond covers the error of
    // strtod.
    return child->tid == parent->tid && child->ts >= parent->ts - 0.0005 &&
           child->ts + child->dur <= parent->ts + parent->dur + 0.0005;
}

TLW_TEST(json_reader_of_these_tests_is_strict) {
    static const char* const good[] = {"{}", "[]", " {\"a\" : [1, -2.5e+3, \"x\\u00e9\\n\"] } ",
                                       "0", "-0.5"};
    static const char* const bad[] = {"",         "{",   "{\"a\":1,}", "[1,]",      "[1 2]",
                                      "01",       "1.",  ".5",         "+1",        "\"a",
                                      "1,5",      "NaN", "\"\n\"",     "\"\\x41\"", "{a:1}",
                                      "[1]extra", "1e",  "\"\\u12g4\""};
    for (size_t i = 0; i < TLW_COUNT_OF(good); ++i) {
        json_reader r = {0};
        if (!is_json(&r, good[i])) {
            tlw_test_fail(__FILE__, __LINE__, "refused %s", good[i]);
        }
    }
    for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
        json_reader r = {0};
        if (is_json(&r, bad[i])) {
            tlw_test_fail(__FILE__, __LINE__, "accepted %s", bad[i]);
        }
    }
}

// ---- what a viewer relies on

typedef struct two_threads {
    tlw_semaphore go;
    uint64_t value;
} two_threads;

static void nest_three_deep(uint64_t value) {
    for (int i = 0; i < 20; ++i) {
        TLW_ZONE("outer");
        TLW_ZONE_VALUE(value);
        for (int j = 0; j < 2; ++j) {
            TLW_ZONE("middle");
            TLW_ZONE("inner");
            TLW_MESSAGE("bottom");
        }
    }
}

static void nest_on_a_thread(void* user) {
    two_threads* t = user;
    TLW_THREAD_NAME("second of these two threads");
    tlw_semaphore_wait(&t->go, TLW_WAIT_FOREVER);
    nest_three_deep(2);
    tlw_profiler_detach_thread();
}

TLW_TEST(trace_has_nested_zones_of_two_threads_each_inside_its_parent) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    two_threads t = {0};
    tlw_semaphore_init(&t.go, 0);
    tlw_thread thread;
    tlw_thread_def thread_def = tlw_default_thread_def();
    thread_def.main = nest_on_a_thread;
    thread_def.user = &t;
    TLW_THREAD_NAME("first");
    CHECK_OK(tlw_thread_start(&thread, &thread_def));
    tlw_semaphore_post(&t.go, 1);
    nest_three_deep(1);
    tlw_thread_join(&thread);

    json_reader r = read_trace(&fixture);
    int tids[2] = {0};
    for (size_t i = 0; i < r.row_count; ++i) {
        if (strcmp(r.rows[i].name, "thread_name") == 0) {
            tids[0] = strcmp(r.rows[i].thread_name, "first") == 0 ? r.rows[i].tid : tids[0];
            tids[1] =
                strcmp(r.rows[i].thread_name, "second of these") == 0 ? r.rows[i].tid : tids[1];
        }
    }
    CHECK(tids[0] != 0 && tids[1] != 0 && tids[0] != tids[1]);
    size_t count[2] = {0};
    double last_ts = 0;
    for (size_t i = 0; i < r.row_count; ++i) {
        trace_row* row = &r.rows[i];
        if (strcmp(row->phase, "M") != 0) {
            CHECK_LE(last_ts, row->ts);
            last_ts = row->ts;
        }
        if (strcmp(row->phase, "X") != 0) {
            continue;
        }
        CHECK(row->tid == tids[0] || row->tid == tids[1]);
        count[row->tid == tids[1]] += 1;
        if (strcmp(row->name, "outer") == 0) {
            CHECK_EQ((int)row->value, row->tid == tids[1] ? 2 : 1);
            continue;
        }
        // The parent comes before its children. It is the nearest row before them, unless zones of
        // length 0 lie in between, which happens where the counter is coarse.
        const char* parent = strcmp(row->name, "middle") == 0 ? "outer" : "middle";
        bool found = false;
        for (size_t j = i; j-- > 0 && !found;) {
            found = strcmp(r.rows[j].name, parent) == 0 && lies_inside(row, &r.rows[j]);
        }
        if (!found) {
            tlw_test_fail(__FILE__, __LINE__, "%s at %f for %f is inside no %s", row->name, row->ts,
                          row->dur, parent);
        }
    }
    CHECK_EQ(count[0], 20 * 5);
    CHECK_EQ(count[1], 20 * 5);
    free(r.rows);
    profiling_fixture_close(&fixture);
}

TLW_TEST(trace_keeps_parents_first_and_order_when_the_counter_stands_still) {
    static const tlw_zone_site outer = TLW_ZONE_SITE("outer", 0);
    static const tlw_zone_site inner = TLW_ZONE_SITE("inner", 0);
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    uint64_t now = tlw_cycles();
    for (int i = 0; i < 50; ++i) {
        tlw_profiler_record_zone(&inner, now, now);
        tlw_profiler_record_zone(&outer, now, now);
    }
    for (int i = 0; i < 50; ++i) {
        tlw_profiler_record_frame(now);
    }
    tlw_profiler_record_zone(&inner, now, now + 5);
    tlw_profiler_record_zone(&outer, now, now + 5);
    json_reader r = read_trace(&fixture);
    int zones = 0;
    for (size_t i = 0; i < r.row_count; ++i) {
        if (strcmp(r.rows[i].phase, "X") == 0) {
            CHECK_STRING(r.rows[i].name, zones++ % 2 == 0 ? "outer" : "inner");
        }
    }
    CHECK_EQ(zones, 102);
    for (int i = 0; i < 50; ++i) {
        CHECK_EQ((int)find_row(&r, "i", "frame", (size_t)i)->number, i + 1);
    }
    free(r.rows);
    profiling_fixture_close(&fixture);
}

TLW_TEST(trace_times_are_the_counter_in_microseconds) {
    static const tlw_zone_site timed = TLW_ZONE_SITE("timed", 0);
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    tlw_profiler_health health;
    tlw_profiler_get_health(fixture.profiler, &health);
    uint64_t begin = health.scale.origin_cycles + 1000000, span = 123457;
    tlw_profiler_record_zone(&timed, begin, begin + span);
    json_reader r = read_trace(&fixture);
    tlw_profiler_get_health(fixture.profiler, &health);
    trace_row* row = find_row(&r, "X", "timed", 0);
    CHECK_NEAR(row->ts * 1000.0, tlw_cycles_to_ns(health.scale, 1000000), 1.01);
    CHECK_NEAR(row->dur * 1000.0, tlw_cycles_to_ns(health.scale, span), 1.01);
    free(r.rows);
    profiling_fixture_close(&fixture);
}

TLW_TEST(trace_has_frames_messages_plots_and_pools) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    static const double plotted[] = {0.5, -1234.0625, 1e300, 3e-9, 123456789.0, 0.1, 1e15, -0.0};
    for (size_t i = 0; i < TLW_COUNT_OF(plotted); ++i) {
        TLW_PLOT("load", plotted[i]);
    }
    TLW_PLOT("broken", (double)NAN);
    TLW_PLOT("broken", -(double)INFINITY);
    TLW_FRAME_MARK();
    TLW_MESSAGE("level loaded");
    char block[2];
    TLW_POOL_ALLOC("state", &block[0], 100);
    TLW_POOL_ALLOC("state", &block[1], 11);
    TLW_POOL_FREE("state", &block[0], 100);
    TLW_FRAME_MARK();
    json_reader r = read_trace(&fixture);
    for (size_t i = 0; i < TLW_COUNT_OF(plotted); ++i) {
        double size = plotted[i] < 0 ? -plotted[i] : plotted[i];
        CHECK_NEAR(find_row(&r, "C", "load", i)->value, plotted[i], size * 1e-11);
    }
    CHECK(strstr(fixture.trace, "broken") == NULL); // JSON has no such numbers
    CHECK_EQ((int)find_row(&r, "i", "frame", 0)->number, 1);
    CHECK_EQ((int)find_row(&r, "i", "frame", 1)->number, 2);
    CHECK_STRING(find_row(&r, "i", "frame", 0)->scope, "p");
    CHECK_STRING(find_row(&r, "i", "level loaded", 0)->scope, "t");
    CHECK_EQ((int)find_row(&r, "C", "state", 0)->bytes, 100);
    CHECK_EQ((int)find_row(&r, "C", "state", 1)->bytes, 111);
    CHECK_EQ((int)find_row(&r, "C", "state", 2)->bytes, 11);
    free(r.rows);
    profiling_fixture_close(&fixture);
}

TLW_TEST(trace_escapes_strings) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    TLW_MESSAGE("quote \" backslash \\ tab \t line \n bell \a end");
    TLW_MESSAGE("na\xC3\xAFve"); // UTF-8 goes through as it is
    TLW_MESSAGE("cut \xC3");     // a lead byte without continuation bytes
    TLW_MESSAGE("latin \xE9 overlong \xC0\xAF surrogate \xED\xA0\x80");
    json_reader r = read_trace(&fixture);
    find_row(&r, "i", "quote \" backslash \\ tab \t line \n bell \a end", 0);
    find_row(&r, "i", "na\xC3\xAFve", 0);
    find_row(&r, "i", "cut ?", 0);
    find_row(&r, "i", "latin ? overlong ?? surrogate ???", 0);
    CHECK_CONTAINS(fixture.trace, "\"cut \\ufffd\"");
    CHECK_CONTAINS(fixture.trace, "tab \\u0009 line \\u000a");
    free(r.rows);
    profiling_fixture_close(&fixture);
}

// Every lead byte, with continuation bytes at and beyond the ends of their ranges, and cut short.
// The first byte of what is not UTF-8 becomes U+FFFD, and the bytes after it are looked at on their
// own.
TLW_TEST(trace_takes_no_utf8_with_a_wrong_continuation_byte) {
    static const struct {
        const char *text, *written;
    } texts[] = {
        {"\xC2\x80\xDF\xBF.", "\xC2\x80\xDF\xBF."},
        {"\xC2\x7F.", "\\ufffd\\u007f."},
        {"\xC2\xC0.", "\\ufffd\\ufffd."},
        {"\xE0\xA0\x80\xEF\xBF\xBF.", "\xE0\xA0\x80\xEF\xBF\xBF."},
        {"\xE0\x9F\x80.", "\\ufffd\\ufffd\\ufffd."},
        {"\xED\x9F\xBF.", "\xED\x9F\xBF."},
        {"\xE2\x82.", "\\ufffd\\ufffd."},
        {"\xE2\x82\x7E.", "\\ufffd\\ufffd~."},
        {"\xE2\x82\x7F.", "\\ufffd\\ufffd\\u007f."},
        {"\xE2\x82\xC0.", "\\ufffd\\ufffd\\ufffd."},
        {"\xE2\x82", "\\ufffd\\ufffd"},
        {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF.", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF."},
        {"\xF0\x8F\x80\x80.", "\\ufffd\\ufffd\\ufffd\\ufffd."},
        {"\xF4\x90\x80\x80.", "\\ufffd\\ufffd\\ufffd\\ufffd."},
        {"\xF0\x9F\x98\x7E.", "\\ufffd\\ufffd\\ufffd~."},
        {"\xF0\x9F\x98\xC0.", "\\ufffd\\ufffd\\ufffd\\ufffd."},
        {"\xF5\x80\x80\x80.", "\\ufffd\\ufffd\\ufffd\\ufffd."},
    };
    for (size_t i = 0; i < TLW_COUNT_OF(texts); ++i) {
        tlw_profiler_def def = profiling_fixture_def();
        profiling_fixture fixture = profiling_fixture_open(&def);
        tlw_builtin_message(texts[i].text);
        CHECK_OK(tlw_profiler_collect(fixture.profiler));
        char expected[64];
        snprintf(expected, sizeof expected, "\"name\":\"%s\"", texts[i].written);
        CHECK_CONTAINS(profiling_fixture_write_trace(&fixture), expected);
        profiling_fixture_close(&fixture);
    }
}

TLW_TEST(history_keeps_the_newest_and_pool_counters_start_where_it_starts) {
    tlw_profiler_def def = profiling_fixture_def();
    def.history_events = 10;
    profiling_fixture fixture = profiling_fixture_open(&def);
    char block[64];
    for (size_t i = 0; i < 25; ++i) {
        TLW_POOL_ALLOC("state", &block[i], 1000 + i);
    }
    int expected = 0;
    for (int i = 0; i < 25; ++i) {
        expected += 1000 + i;
    }
    for (int again = 0; again < 2; ++again) { // writing a trace changes nothing
        json_reader r = read_trace(&fixture);
        CHECK_EQ((int)find_row(&r, "C", "state", 9)->bytes, expected);
        CHECK_EQ((int)find_row(&r, "C", "state", 0)->bytes, expected - (9 * 1000 + 9 * 20));
        CHECK_EQ(count_rows(&r, "C"), 10);
        free(r.rows);
    }
    // Writing a trace does not change which events are the oldest either.
    TLW_POOL_FREE("state", &block[0], 1000);
    TLW_POOL_FREE("state", &block[1], 1001);
    json_reader r = read_trace(&fixture);
    CHECK_EQ((int)find_row(&r, "C", "state", 9)->bytes, expected - 2001);
    CHECK_EQ((int)find_row(&r, "C", "state", 7)->bytes, expected);
    CHECK_EQ((int)find_row(&r, "C", "state", 0)->bytes, expected - (7 * 1000 + 7 * 21));
    CHECK_EQ(count_rows(&r, "C"), 10);
    tlw_profiler_health health;
    tlw_profiler_get_health(fixture.profiler, &health);
    CHECK_EQ(health.forgotten_events, 17);
    free(r.rows);
    profiling_fixture_close(&fixture);
}

typedef struct picky_file {
    size_t room, offered_after_refusal;
    bool refused;
} picky_file;

static bool write_until_full(const char* text, size_t bytes, void* user) {
    picky_file* file = user;
    (void)text;
    file->offered_after_refusal += file->refused ? 1 : 0;
    if (bytes > file->room) {
        file->refused = true;
        return false;
    }
    file->room -= bytes;
    return true;
}

TLW_TEST(trace_stops_when_the_writer_refuses) {
    tlw_profiler_def def = profiling_fixture_def();
    profiling_fixture fixture = profiling_fixture_open(&def);
    for (int i = 0; i < 200; ++i) {
        TLW_ZONE("zone");
    }
    CHECK_OK(tlw_profiler_collect(fixture.profiler));
    for (size_t room = 0; room < 8192; room += 2048) {
        picky_file file = {.room = room};
        CHECK_RESULT(tlw_profiler_write_trace(fixture.profiler, write_until_full, &file),
                     TLW_ERROR_CANNOT_WRITE);
        CHECK_EQ(file.offered_after_refusal, 0);
    }
    profiling_fixture_close(&fixture);
}
