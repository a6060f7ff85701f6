// SPDX-License-Identifier: MIT
// Reads a GLB file for tests (read_glb.h). Every offset is checked: a reader that reads beyond the
// end would accept a bad file.
#include "tests/sample/read_glb.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

enum { JSON_NODES_MAX = 65536 };

typedef struct parser {
    const char* at;
    const char* end;
    json* nodes;
    uint32_t used;
} parser;

static void skip_space(parser* p) {
    while (p->at < p->end &&
           (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r')) {
        ++p->at;
    }
}

static char peek(parser* p) {
    skip_space(p);
    CHECK(p->at < p->end);
    return *p->at;
}

static void expect(parser* p, char c) {
    CHECK_EQ(peek(p), c);
    ++p->at;
}

static void parse_string(parser* p, char* out, size_t capacity) {
    expect(p, '"');
    size_t used = 0;
    while (p->at < p->end && *p->at != '"') {
        CHECK(*p->at != '\\'); // our names need no escapes
        CHECK_LT(used + 1, capacity);
        out[used++] = *p->at++;
    }
    out[used] = 0;
    expect(p, '"');
}

static json* parse_value(parser* p) {
    CHECK_LT(p->used, JSON_NODES_MAX);
    json* value = &p->nodes[p->used++];
    char c = peek(p);
    if (c == '{' || c == '[') {
        char close = c == '{' ? '}' : ']';
        value->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
        ++p->at;
        json** last = &value->child;
        while (peek(p) != close) {
            if (value->child_count > 0) {
                expect(p, ',');
            }
            char key[32] = "";
            if (c == '{') {
                skip_space(p);
                parse_string(p, key, sizeof key);
                expect(p, ':');
            }
            *last = parse_value(p);
            memcpy((*last)->key, key, sizeof key);
            last = &(*last)->next;
            ++value->child_count;
        }
        ++p->at;
    } else if (c == '"') {
        value->kind = JSON_STRING;
        parse_string(p, value->text, sizeof value->text);
    } else if (c == 't') {
        value->kind = JSON_BOOL;
        value->number = 1.0;
        CHECK(p->end - p->at >= 4 && memcmp(p->at, "true", 4) == 0);
        p->at += 4;
    } else {
        char number[64] = "";
        size_t used = 0;
        while (p->at < p->end && strchr("+-.0123456789eE", *p->at) != NULL) {
            CHECK_LT(used + 1, sizeof number);
            number[used++] = *p->at++;
        }
        CHECK(used > 0);
        char* number_end;
        value->kind = JSON_NUMBER;
        value->number = strtod(number, &number_end);
        CHECK_EQ(*number_end, (char)0);
    }
    return value;
}

static uint32_t u32_at(const uint8_t* bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void tlw_read_glb(const uint8_t* bytes, size_t size, glb* out) {
    CHECK(size >= 20);
    CHECK_EQ(u32_at(bytes), 0x46546C67u); // "glTF"
    CHECK_EQ(u32_at(bytes + 4), 2u);
    CHECK_EQ(u32_at(bytes + 8), size);
    size_t json_size = u32_at(bytes + 12);
    CHECK_EQ(u32_at(bytes + 16), 0x4E4F534Au); // "JSON"
    CHECK_EQ(json_size % 4, 0u);
    CHECK(28 + json_size <= size);
    const uint8_t* chunk = bytes + 20 + json_size;
    CHECK_EQ(u32_at(chunk + 4), 0x004E4942u); // "BIN"
    CHECK_EQ(u32_at(chunk), size - 28 - json_size);
    out->binary = chunk + 8;
    out->binary_size = u32_at(chunk);

    parser p = {.at = (const char*)bytes + 20, .end = (const char*)bytes + 20 + json_size};
    p.nodes = calloc(JSON_NODES_MAX, sizeof *p.nodes);
    CHECK(p.nodes != NULL);
    out->nodes = p.nodes;
    out->root = parse_value(&p);
    skip_space(&p);
    CHECK(p.at == p.end);
}

void tlw_free_glb(glb* g) {
    free(g->nodes);
    g->nodes = NULL;
}

const json* tlw_json_get(const json* object, const char* key) {
    for (const json* c = object->child; c != NULL; c = c->next) {
        if (strcmp(c->key, key) == 0) {
            return c;
        }
    }
    return NULL;
}

const json* tlw_json_at(const json* array, uint32_t index) {
    const json* c = array->child;
    for (uint32_t i = 0; i < index && c != NULL; ++i) {
        c = c->next;
    }
    return c;
}

const json* tlw_json_need(const json* object, const char* key) {
    const json* found = tlw_json_get(object, key);
    if (found == NULL) {
        tlw_test_fail(__FILE__, __LINE__, "the JSON has no \"%s\"", key);
    }
    return found;
}

uint32_t tlw_json_index(const json* object, const char* key) {
    return (uint32_t)tlw_json_need(object, key)->number;
}

static size_t size_or_zero(const json* object, const char* key) {
    const json* found = tlw_json_get(object, key);
    return found ? (size_t)found->number : 0;
}

accessor tlw_glb_accessor(const glb* g, uint32_t index) {
    static const struct {
        const char* name;
        uint32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const json* a = tlw_json_at(tlw_json_need(g->root, "accessors"), index);
    CHECK(a != NULL);
    accessor out = {.count = tlw_json_index(a, "count"),
                    .component = tlw_json_index(a, "componentType")};
    for (size_t i = 0; i < TLW_COUNT_OF(types); ++i) {
        if (strcmp(tlw_json_need(a, "type")->text, types[i].name) == 0) {
            out.width = types[i].width;
        }
    }
    CHECK(out.width > 0);
    const json* normalised = tlw_json_get(a, "normalized");
    out.is_normalised = normalised != NULL && normalised->number != 0.0;
    const json* view =
        tlw_json_at(tlw_json_need(g->root, "bufferViews"), tlw_json_index(a, "bufferView"));
    CHECK(view != NULL);
    size_t size = out.component == 5121 ? 1 : out.component == 5123 ? 2 : 4;
    out.stride = size * out.width;
    size_t in_view = size_or_zero(a, "byteOffset"), start = size_or_zero(view, "byteOffset");
    CHECK_LE(in_view + out.stride * out.count, size_or_zero(view, "byteLength"));
    CHECK_LE(start + size_or_zero(view, "byteLength"), g->binary_size);
    CHECK_EQ((start + in_view) % size, 0u);
    out.bytes = g->binary + start + in_view;
    return out;
}

double tlw_accessor_value(const accessor* a, uint32_t element, uint32_t component) {
    CHECK(element < a->count && component < a->width);
    const uint8_t* at = a->bytes + element * a->stride;
    if (a->component == 5126) {
        uint32_t bits = u32_at(at + 4 * (size_t)component);
        float value;
        memcpy(&value, &bits, 4);
        return (double)value;
    }
    if (a->component == 5125) {
        return (double)u32_at(at + 4 * (size_t)component);
    }
    if (a->component == 5123) {
        return (double)(at[2 * component] | at[2 * component + 1] << 8);
    }
    return (double)at[component] / (a->is_normalised ? 255.0 : 1.0);
}
