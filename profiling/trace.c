// SPDX-License-Identifier: MIT
// Writes the collected history in Chrome's trace event format, JSON that Perfetto and
// chrome://tracing open: X for zones, C for counters, i for instants, M for names. Numbers are
// formatted here and not by printf, whose decimal point depends on the locale.
#include <string.h>

#include "platform/handlers.h"
#include "profiling/profiler_state.h"

typedef struct trace_stream {
    tlw_trace_write* write;
    void* user;
    bool failed; // after the first failed write nothing more is written
    size_t used;
    char buffer[2048];
} trace_stream;

static void flush_stream(trace_stream* s) {
    if (!s->failed && s->used > 0) {
        s->failed = !s->write(s->buffer, s->used, s->user);
    }
    s->used = 0;
}

static void put_bytes(trace_stream* s, const char* text, size_t bytes) {
    while (bytes > 0) {
        size_t room = sizeof s->buffer - s->used;
        size_t part = bytes < room ? bytes : room;
        memcpy(s->buffer + s->used, text, part);
        s->used += part;
        text += part;
        bytes -= part;
        if (s->used == sizeof s->buffer) {
            flush_stream(s);
        }
    }
}

static void put(trace_stream* s, const char* text) {
    put_bytes(s, text, strlen(text));
}

static void put_unsigned(trace_stream* s, uint64_t value) {
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    put_bytes(s, digits + at, sizeof digits - at);
}

static void put_signed(trace_stream* s, int64_t value) {
    if (value < 0) {
        put(s, "-");
    }
    put_unsigned(s, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

static void put_microseconds(trace_stream* s, uint64_t ns) {
    char decimals[5] = {'.', (char)('0' + ns / 100 % 10), (char)('0' + ns / 10 % 10),
                        (char)('0' + ns % 10), 0};
    put_unsigned(s, ns / 1000);
    put(s, decimals);
}

// Writes integers exactly and other numbers with 12 digits, which is more than a plot can show.
// `value` must be finite, because JSON has no other numbers.
static void put_double(trace_stream* s, double value) {
    double size = value < 0 ? -value : value;
    if (size < 9e15 && (double)(int64_t)size == size) {
        put_signed(s, (int64_t)value);
        return;
    }
    int exponent = 0;
    while (size >= 10.0) {
        size /= 10.0;
        exponent += 1;
    }
    while (size < 1.0) {
        size *= 10.0;
        exponent -= 1;
    }
    uint64_t digits = (uint64_t)(size * 1e11 + 0.5);
    if (digits >= 1000000000000u) { // 9.999... was rounded up
        digits /= 10;
        exponent += 1;
    }
    char decimals[13] = {'.'};
    for (int i = 11; i > 0; --i) {
        decimals[i] = (char)('0' + digits % 10);
        digits /= 10;
    }
    put(s, value < 0 ? "-" : "");
    put_unsigned(s, digits);
    put(s, decimals);
    put(s, "e");
    put_signed(s, exponent);
}

// The number of bytes of the UTF-8 character at `text`, or 0 if it is not valid. Overlong forms,
// surrogates and code points beyond U+10FFFF are not valid.
static size_t utf8_length(const unsigned char* text) {
    unsigned char lead = text[0];
    size_t length = lead < 0x80                    ? 1
                    : lead >= 0xC2 && lead <= 0xDF ? 2
                    : lead >= 0xE0 && lead <= 0xEF ? 3
                    : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                   : 0;
    for (size_t i = 1; i < length; ++i) {
        unsigned char least = 0x80, most = 0xBF;
        if (i == 1) {
            least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
            most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        }
        if (text[i] < least || text[i] > most) { // also stops at the final zero
            return 0;
        }
    }
    return length;
}

static void put_string(trace_stream* s, const char* text) {
    static const char hex[] = "0123456789abcdef";
    const unsigned char* at = (const unsigned char*)text;
    put(s, "\"");
    while (*at) {
        size_t length = utf8_length(at);
        if (length == 0) {
            put(s, "\\ufffd"); // bytes that are not UTF-8 must not make the whole file invalid
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            char escaped[2] = {'\\', (char)*at};
            put_bytes(s, escaped, 2);
        } else if (*at < 0x20 || *at == 0x7F) {
            char escaped[6] = {'\\', 'u', '0', '0', hex[*at >> 4], hex[*at & 15]};
            put_bytes(s, escaped, 6);
        } else {
            put_bytes(s, (const char*)at, length);
        }
        at += length;
    }
    put(s, "\"");
}

// Nanoseconds since the profiler was created. Both ends of a zone are converted, and its length is
// their difference, so that rounding never moves a child outside its parent.
static uint64_t trace_ns(const tlw_profiler* p, uint64_t cycles) {
    uint64_t ns = tlw_cycles_to_clock_ns(p->scale, cycles);
    return ns > p->scale.origin_ns ? ns - p->scale.origin_ns : 0;
}

static void put_event_start(trace_stream* s, const char* phase, const char* name, uint64_t ns,
                            uint32_t track) {
    put(s, ",\n{\"ph\":\"");
    put(s, phase);
    put(s, "\",\"name\":");
    put_string(s, name);
    put(s, ",\"pid\":1,\"tid\":");
    put_unsigned(s, (uint64_t)track + 1);
    put(s, ",\"ts\":");
    put_microseconds(s, ns);
}

static void put_zone(trace_stream* s, const tlw_profiler* p, const tlw_history_event* entry) {
    const tlw_event* event = &entry->event;
    const tlw_zone_site* site = event->name;
    uint64_t begin = trace_ns(p, event->cycles);
    uint64_t end = trace_ns(p, event->cycles + tlw_event_get_span(event));
    const bool is_named = tlw_event_get_kind(event) == TLW_EVENT_ZONE_WITH_NAME;
    const char* name = is_named ? (const char*)(uintptr_t)event->payload : site->name;
    put_event_start(s, "X", name, begin, entry->track);
    put(s, ",\"dur\":");
    put_microseconds(s, end - begin);
    put(s, ",\"args\":{");
    if (is_named) {
        put(s, "\"zone\":");
        put_string(s, site->name);
        put(s, ",");
    }
    put(s, "\"site\":");
    put_string(s, site->file ? site->file : "");
    put(s, ",\"line\":");
    put_unsigned(s, site->line);
    if (tlw_event_get_kind(event) == TLW_EVENT_ZONE_WITH_VALUE) {
        put(s, ",\"value\":");
        put_unsigned(s, event->payload);
    }
    put(s, "}}");
}

static void put_plot(trace_stream* s, const tlw_profiler* p, const tlw_history_event* entry) {
    double value;
    memcpy(&value, &entry->event.payload, sizeof value);
    if (__builtin_isfinite(value)) {
        put_event_start(s, "C", entry->event.name, trace_ns(p, entry->event.cycles), entry->track);
        put(s, ",\"args\":{\"value\":");
        put_double(s, value);
        put(s, "}}");
    }
}

static void put_pool(trace_stream* s, tlw_profiler* p, const tlw_history_event* entry) {
    const tlw_event* event = &entry->event;
    uint32_t index = tlw_profiler_record_of(p, TLW_NAME_POOL, event->name, NULL);
    if (index != TLW_NO_RECORD) {
        tlw_pool_record* pool = &p->pools[index];
        pool->trace_bytes += tlw_event_get_kind(event) == TLW_EVENT_POOL_ALLOC
                                 ? (int64_t)event->payload
                                 : -(int64_t)event->payload;
        put_event_start(s, "C", event->name, trace_ns(p, event->cycles), entry->track);
        put(s, ",\"args\":{\"bytes\":");
        put_signed(s, pool->trace_bytes);
        put(s, "}}");
    }
}

static void put_event(trace_stream* s, tlw_profiler* p, const tlw_history_event* entry) {
    const tlw_event* event = &entry->event;
    switch (tlw_event_get_kind(event)) {
    case TLW_EVENT_ZONE:
    case TLW_EVENT_ZONE_WITH_VALUE:
    case TLW_EVENT_ZONE_WITH_NAME:
        put_zone(s, p, entry);
        break;
    case TLW_EVENT_FRAME:
        put_event_start(s, "i", "frame", trace_ns(p, event->cycles), entry->track);
        put(s, ",\"s\":\"p\",\"args\":{\"number\":");
        put_unsigned(s, event->payload);
        put(s, "}}");
        break;
    case TLW_EVENT_MESSAGE:
        put_event_start(s, "i", event->name, trace_ns(p, event->cycles), entry->track);
        put(s, ",\"s\":\"t\"}");
        break;
    case TLW_EVENT_PLOT:
        put_plot(s, p, entry);
        break;
    case TLW_EVENT_POOL_ALLOC:
    case TLW_EVENT_POOL_FREE:
        put_pool(s, p, entry);
        break;
    case TLW_EVENT_THREAD:
        break; // it became a track
    }
}

static void put_tracks(trace_stream* s, const tlw_profiler* p) {
    put(s, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"tallow\"}}");
    for (uint32_t i = 0; i < p->track_count; ++i) {
        if (p->tracks[i].name[0]) {
            put(s, ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":");
            put_unsigned(s, (uint64_t)i + 1);
            put(s, ",\"args\":{\"name\":");
            put_string(s, p->tracks[i].name);
            put(s, "}}");
        }
    }
}

static bool is_zone(const tlw_event* event) {
    tlw_event_kind kind = tlw_event_get_kind(event);
    return kind == TLW_EVENT_ZONE || kind == TLW_EVENT_ZONE_WITH_VALUE ||
           kind == TLW_EVENT_ZONE_WITH_NAME;
}

// Sorts by time, and a zone before the zones inside it: the longer one first, or, if the counter
// did not advance, the one that ended later. Other events keep the order in which they were
// recorded.
static bool is_earlier(const void* a, const void* b) {
    const tlw_history_event* left = a;
    const tlw_history_event* right = b;
    if (left->event.cycles != right->event.cycles) {
        return left->event.cycles < right->event.cycles;
    }
    uint64_t left_span = tlw_event_get_span(&left->event);
    uint64_t right_span = tlw_event_get_span(&right->event);
    if (left_span != right_span) {
        return left_span > right_span;
    }
    if (is_zone(&left->event) != is_zone(&right->event)) {
        return is_zone(&left->event);
    }
    int32_t order =
        (int32_t)(left->order - right->order); // may wrap around; the history is far shorter
    return is_zone(&left->event) ? order > 0 : order < 0;
}

tlw_result tlw_profiler_write_trace(tlw_profiler* p, tlw_trace_write* write, void* user) {
    TLW_ASSERT(write != NULL);
    tlw_profiler_begin_reading(p);
    uint32_t count = p->history_count;
    tlw_heap_sort(p->history, count, sizeof *p->history, is_earlier);
    p->history_next = count % p->def.history_events; // the oldest is first now
    for (uint32_t i = 0; i < p->pool_count; ++i) {
        p->pools[i].trace_bytes = p->pools[i].forgotten_bytes;
    }

    trace_stream stream = {.write = write, .user = user};
    put(&stream, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    put_tracks(&stream, p);
    for (uint32_t i = 0; i < count && !stream.failed; ++i) {
        put_event(&stream, p, &p->history[i]);
    }
    put(&stream, "\n]}\n");
    flush_stream(&stream);
    tlw_profiler_end_reading(p);
    return stream.failed ? TLW_ERROR_CANNOT_WRITE : TLW_OK;
}
