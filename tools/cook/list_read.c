// SPDX-License-Identifier: MIT
// Reads a list of characters: JSON text to rows, and the checks that need all rows at once. Names
// every mistake before anything is cooked, because a farm's job that fails in its first second
// costs nothing.
#include "tools/cook/list.h"

#include "platform/file.h"
#include "tools/command/memory.h"
#include "tools/json/json.h"
#include "tools/recipe/nearest.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX      8
#define MISTAKES_SHOWN 20
#define MESSAGE_BYTES  1024
#define RECORD_ENDING  ".record"

typedef struct key_info {
    const char* name;
    bool is_required, is_written;
} key_info;

static const key_info keys[TLW_LIST_KEY_COUNT] = {
#define KEY(enumerator, key, is_required, is_written, meaning) \
    [enumerator] = {key, is_required, is_written},
    TLW_LIST_KEYS(KEY)
#undef KEY
};

const char* tlw_list_key_name(tlw_list_key key) {
    return keys[key].name;
}

bool tlw_list_key_is_written(tlw_list_key key) {
    return keys[key].is_written;
}

bool tlw_list_is_absolute(const char* path) {
    return path[0] == '/' ||
           (TLW_OS_WINDOWS && (path[0] == '\\' || (path[0] != 0 && path[1] == ':')));
}

typedef struct reader {
    const tlw_command* command;
    tlw_list* list;
    uint32_t mistakes;
    bool is_out_of_memory;
} reader;

// Says what is wrong with the value at `at`; null: with the list as a whole.
static void mistake(reader* r, const tlw_json* at, const char* format, ...) TLW_PRINTF(3, 4);
static void mistake(reader* r, const tlw_json* at, const char* format, ...) {
    char place[256] = "", text[MESSAGE_BYTES];
    const size_t length = tlw_json_write_path(at, place, sizeof place);
    va_list arguments;
    r->mistakes += 1;
    if (r->mistakes > MISTAKES_SHOWN) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tlw_command_fail(r->command, TLW_EXIT_USAGE, "%s: %s%s%s", r->list->path, place,
                     length > 0 ? ": " : "", text);
}

static void expected(reader* r, const tlw_json* at, const char* what) {
    char text[TLW_JSON_QUOTE_BYTES];
    const char* shown = NULL;
    if (at->value == NULL) {
        mistake(r, at, "missing; %s is expected", what);
        return;
    }
    shown = json_is_string(at->value) ? tlw_json_quote(json_string_value(at->value), text)
            : json_is_real(at->value) ? "a real number"
                                      : tlw_json_show(at->value, text);
    mistake(r, at, "%s is expected, not %s", what, shown);
}

// Rows
// ------------------------------------------------------------------------------------------------

static char* join(reader* r, const char* folder, const char* name, const char* ending) {
    const size_t bytes = strlen(folder) + strlen(name) + strlen(ending) + 1;
    char* joined = malloc(bytes);
    if (joined == NULL) {
        r->is_out_of_memory = true;
        return NULL;
    }
    snprintf(joined, bytes, "%s%s%s", folder, name, ending);
    return joined;
}

static void read_file_name(reader* r, const tlw_json* at, const key_info* key, tlw_list_row* row,
                           size_t index) {
    if (at->value == NULL && !key->is_required) {
        return;
    }
    if (!json_is_string(at->value) || json_string_length(at->value) == 0) {
        expected(r, at, "the name of a file");
        return;
    }
    const char* name = json_string_value(at->value);
    char* path = join(r, tlw_list_is_absolute(name) ? "" : r->list->folder, name, "");
    if (path == NULL) {
        return;
    }
    row->names[index] = name;
    row->paths[index] = path;
    if (strlen(path) + strlen(RECORD_ENDING) >= TLW_PATH_MAX) {
        mistake(r, at, "a path of %zu bytes; %zu is the limit", strlen(path),
                TLW_PATH_MAX - 1 - strlen(RECORD_ENDING));
    } else if (index == TLW_LIST_OUTPUT) {
        row->record = join(r, "", path, RECORD_ENDING);
    }
}

static void name_unknown_keys(reader* r, const tlw_json* row) {
    for (void* i = json_object_iter(row->value); i; i = json_object_iter_next(row->value, i)) {
        tlw_nearest nearest = {.word = json_object_iter_key(i)};
        char allowed[256] = "", guess[TLW_JSON_QUOTE_BYTES + 32] = "", quoted[TLW_JSON_QUOTE_BYTES];
        bool is_known = false;
        size_t used = 0;
        for (size_t k = 0; k < TLW_LIST_KEY_COUNT; ++k) {
            tlw_nearest_try(&nearest, keys[k].name);
            is_known |= strcmp(nearest.word, keys[k].name) == 0;
            used = tlw_json_append(allowed, sizeof allowed, used, "%s%s", k > 0 ? ", " : "",
                                   keys[k].name);
        }
        if (nearest.best) {
            snprintf(guess, sizeof guess, "; did you mean %s?",
                     tlw_json_quote(nearest.best, quoted));
        }
        if (!is_known) {
            const tlw_json at = tlw_json_member(row, nearest.word);
            mistake(r, &at, "unknown key%s%s allowed: %s", guess, guess[0] ? "" : ";", allowed);
        }
    }
}

static void read_rows(reader* r, const tlw_json* rows) {
    tlw_list* list = r->list;
    const size_t count = json_array_size(rows->value);
    if (!json_is_array(rows->value)) {
        expected(r, rows, "an array of rows");
        return;
    }
    if (count > TLW_LIST_ROWS_MAX) {
        mistake(r, rows, "%zu rows; %u is the limit", count, TLW_LIST_ROWS_MAX);
        return;
    }
    list->rows = calloc(count + 1, sizeof *list->rows);
    r->is_out_of_memory |= list->rows == NULL;
    for (size_t i = 0; i < count && !r->is_out_of_memory; ++i) {
        const tlw_json row = tlw_json_element(rows, i);
        list->row_count += 1;
        if (!json_is_object(row.value)) {
            expected(r, &row, "an object");
            continue;
        }
        name_unknown_keys(r, &row);
        for (size_t k = 0; k < TLW_LIST_KEY_COUNT; ++k) {
            const tlw_json at = tlw_json_member(&row, keys[k].name);
            read_file_name(r, &at, &keys[k], &list->rows[i], k);
        }
    }
}

// Files that would be written twice
// ------------------------------------------------------------------------------------------------

static const char record_name[] = "output" RECORD_ENDING;

// A file that somebody reads or writes.
typedef struct tlw_list_claim {
    char* resolved;
    const char* path;
    uint32_t row;     // row_count: a file of the list as a whole
    const char* what; // "output"
    bool is_written;
    uint32_t order;
} claim;

static void add_claim(reader* r, claim* claims, uint32_t* count, claim c) {
    static char resolved[TLW_PATH_MAX];
    if (c.path == NULL || r->is_out_of_memory) {
        return;
    }
    // What cannot be resolved cannot be written either, which its row will say.
    const char* text = tlw_file_resolve(c.path, resolved) ? resolved : c.path;
    c.resolved = join(r, "", text, "");
    c.order = *count;
    if (c.resolved) {
        claims[(*count)++] = c;
    }
}

// Compares names as a file system that ignores case does.
static int compare_texts(const char* a, const char* b) {
    const char capital = 'A', last = 'Z', to_small = 'a' - 'A';
    for (;; ++a, ++b) {
        const char x = (char)(*a >= capital && *a <= last ? *a + to_small : *a);
        const char y = (char)(*b >= capital && *b <= last ? *b + to_small : *b);
        if (x != y || x == 0) {
            return (x > y) - (x < y);
        }
    }
}

static int compare_claims(const void* a, const void* b) {
    const claim *x = a, *y = b;
    const int by_path = compare_texts(x->resolved, y->resolved);
    return by_path != 0 ? by_path : (x->order > y->order) - (x->order < y->order);
}

static void describe_claim(const tlw_list* list, const claim* c, char text[TLW_LIST_WHAT_BYTES]) {
    if (c->row < list->row_count) {
        snprintf(text, TLW_LIST_WHAT_BYTES, "characters[%u].%s", c->row, c->what);
    } else {
        snprintf(text, TLW_LIST_WHAT_BYTES, "%s", c->what);
    }
}

// Whether two claims on one file are a mistake. Two records are one where two outputs are, of which
// it is said.
static bool is_conflict(const claim* a, const claim* b) {
    if (!(a->is_written || b->is_written) || (a->what == record_name && b->what == record_name)) {
        return false;
    }
    if (strcmp(a->resolved, b->resolved) == 0) {
        return true;
    }
    const tlw_file_identity x = tlw_file_identify(a->path), y = tlw_file_identify(b->path);
    return tlw_file_is_same(&x, &y);
}

// The claims on one file, or on several whose names differ in case, in the order of the list. The
// later one is named. Hard links are no matter here: replacing one leaves the others.
static void check_file(reader* r, const claim* claims, size_t count) {
    char first[TLW_LIST_WHAT_BYTES], second[TLW_LIST_WHAT_BYTES];
    bool is_any_written = false;
    for (size_t i = 0; i < count; ++i) {
        is_any_written |= claims[i].is_written;
    }
    // Every row may read the same recipe, and all pairs of 65536 rows are many.
    for (size_t i = 1; i < count && is_any_written; ++i) {
        size_t other = 0;
        while (other < i && !is_conflict(&claims[i], &claims[other])) {
            other += 1;
        }
        if (other == i) {
            continue;
        }
        describe_claim(r->list, &claims[i], second);
        describe_claim(r->list, &claims[other], first);
        mistake(r, NULL, "%s: '%.300s' is the same file as %s, and %s", second, claims[i].path,
                first,
                claims[i].is_written && claims[other].is_written ? "both would be written"
                                                                 : "it would be written over");
    }
}

static void check_files(reader* r, const char* summary) {
    tlw_list* list = r->list;
    const size_t most = 2 + (size_t)list->row_count * (TLW_LIST_KEY_COUNT + 1);
    claim* claims = calloc(most, sizeof *claims);
    uint32_t count = 0;
    if (claims == NULL) {
        r->is_out_of_memory = true;
        return;
    }
    list->claims = claims;
    add_claim(r, claims, &count,
              (claim){.path = list->path, .row = list->row_count, .what = "the list"});
    add_claim(
        r, claims, &count,
        (claim){.path = summary, .row = list->row_count, .what = "--summary", .is_written = true});
    for (uint32_t i = 0; i < list->row_count; ++i) {
        for (size_t k = 0; k < TLW_LIST_KEY_COUNT; ++k) {
            add_claim(r, claims, &count,
                      (claim){.path = list->rows[i].paths[k],
                              .row = i,
                              .what = keys[k].name,
                              .is_written = keys[k].is_written});
        }
        add_claim(
            r, claims, &count,
            (claim){
                .path = list->rows[i].record, .row = i, .what = record_name, .is_written = true});
    }
    qsort(claims, count, sizeof *claims, compare_claims);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && compare_texts(claims[i].resolved, claims[end].resolved) == 0;) {
            end += 1;
        }
        check_file(r, claims + i, end - i);
    }
    list->claim_count = count;
}

bool tlw_list_writes(const tlw_list* list, const char* path, char what[TLW_LIST_WHAT_BYTES]) {
    char resolved[TLW_PATH_MAX];
    const claim read = {.resolved = resolved, .path = path};
    if (!tlw_file_resolve(path, resolved)) {
        return false;
    }
    uint32_t first = 0; // of those that are not before it
    for (uint32_t end = list->claim_count; first < end;) {
        const uint32_t middle = first + (end - first) / 2;
        const bool is_before = compare_texts(list->claims[middle].resolved, resolved) < 0;
        first = is_before ? middle + 1 : first;
        end = is_before ? end : middle;
    }
    for (uint32_t i = first;
         i < list->claim_count && compare_texts(list->claims[i].resolved, resolved) == 0; ++i) {
        if (is_conflict(&list->claims[i], &read)) {
            describe_claim(list, &list->claims[i], what);
            return true;
        }
    }
    return false;
}

// The list
// ------------------------------------------------------------------------------------------------

static bool parse(reader* r, const char* text, size_t size) {
    const char* path = r->list->path;
    json_error_t error;
    if (tlw_json_scan(text, size, DEPTH_MAX).too_deep < size) {
        mistake(r, NULL, "nested deeper than %d", DEPTH_MAX);
        return false;
    }
    r->list->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (r->list->root == NULL && json_error_code(&error) == json_error_out_of_memory) {
        r->is_out_of_memory = true;
    } else if (r->list->root == NULL) {
        r->mistakes += 1;
        tlw_command_fail(r->command, TLW_EXIT_USAGE, "%s:%d:%d: %s", path, error.line, error.column,
                         error.text);
    }
    return r->list->root != NULL;
}

static void read_root(reader* r) {
    const tlw_json root = {.value = r->list->root};
    if (!json_is_object(root.value)) {
        expected(r, &root, "an object with the array 'characters'");
        return;
    }
    const tlw_json rows = tlw_json_member(&root, "characters");
    for (void* i = json_object_iter(root.value); i; i = json_object_iter_next(root.value, i)) {
        const tlw_json at = tlw_json_member(&root, json_object_iter_key(i));
        if (strcmp(at.key, rows.key) != 0) {
            mistake(r, &at, "unknown key; allowed: %s", rows.key);
        }
    }
    read_rows(r, &rows);
}

static bool find_folder(reader* r) {
    const char* path = r->list->path;
    size_t length = 0;
    for (size_t i = 0; path[i]; ++i) {
        if (path[i] == '/' || (TLW_OS_WINDOWS && path[i] == '\\')) {
            length = i + 1;
        }
    }
    r->list->folder = join(r, path, "", "");
    if (r->list->folder) {
        r->list->folder[length] = 0;
    }
    return r->list->folder != NULL;
}

tlw_exit_code tlw_list_read(const tlw_command* command, const char* path, const char* summary,
                            tlw_list* out) {
    tlw_file_read_def def = tlw_default_file_read_def();
    tlw_file_error error;
    uint8_t* bytes;
    size_t size;
    reader r = {.command = command, .list = out};
    *out = (tlw_list){.path = path};
    def.path = path;
    def.limit_bytes = TLW_LIST_BYTES_MAX;
    def.grow = tlw_heap_grow;
    if (tlw_file_read(&def, &bytes, &size, &error) != TLW_OK) {
        return tlw_command_fail(command, TLW_EXIT_CANNOT_READ, "%s", error.message);
    }
    if (find_folder(&r) && parse(&r, (const char*)bytes, size)) {
        read_root(&r);
    }
    free(bytes);
    if (r.mistakes == 0 && !r.is_out_of_memory) {
        check_files(&r, summary);
    }
    if (r.mistakes > MISTAKES_SHOWN) {
        tlw_command_fail(command, TLW_EXIT_USAGE, "%s: and %u mistakes more", path,
                         r.mistakes - MISTAKES_SHOWN);
    }
    return r.is_out_of_memory
               ? tlw_command_fail(command, TLW_EXIT_CANNOT_READ, "%s: out of memory", path)
           : r.mistakes > 0 ? TLW_EXIT_USAGE
                            : TLW_EXIT_OK;
}

void tlw_list_free(tlw_list* list) {
    for (uint32_t i = 0; i < list->row_count; ++i) {
        for (size_t k = 0; k < TLW_LIST_KEY_COUNT; ++k) {
            free(list->rows[i].paths[k]);
        }
        free(list->rows[i].record);
    }
    for (uint32_t i = 0; i < list->claim_count; ++i) {
        free(list->claims[i].resolved);
    }
    free(list->claims);
    free(list->rows);
    free(list->folder);
    json_decref(list->root);
    *list = (tlw_list){0};
}
