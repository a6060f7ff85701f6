// SPDX-License-Identifier: MIT
// Records of rows, as JSON:
//
//     {"cooker": "0.1.0 1f0e...", "row": {"input": "hero.glb", "output": "hero.tlw"},
//      "read": {"hero.glb": "d55208a74497e7ac"}, "wrote": {"output": "0123456789abcdef"}}
//
// Names of files are relative to the list's folder, so that a record holds for every machine that
// sees the folder, wherever it is mounted.
#include "tools/cook/record.h"

#include "platform/file.h"
#include "runtime/blob.h"
#include "tools/command/memory.h"
#include "tools/cook/cooker.h" // written by the build
#include "tools/json/json.h"

#include <stdlib.h>
#include <string.h>

#define HASH_BYTES       17
#define RECORD_BYTES_MAX ((size_t)16 << 20)
#define RECORD_DEPTH_MAX 4

typedef struct tlw_record_file {
    char* path;
    uint64_t hash;
} tlw_record_file;

const char* tlw_record_cooker(void) {
    return TLW_COOKER;
}

bool tlw_record_hash_file(const char* path, uint64_t* hash) {
    tlw_file_read_def def = tlw_default_file_read_def();
    uint8_t* bytes;
    size_t size;
    const tlw_file_identity identity = tlw_file_identify(path);
    if ((identity.device | identity.file) == 0) { // a pipe would wait for somebody to write
        return false;
    }
    def.path = path;
    def.limit_bytes = SIZE_MAX / 2;
    def.grow = tlw_heap_grow;
    if (tlw_file_read(&def, &bytes, &size, NULL) != TLW_OK) {
        return false;
    }
    *hash = tlw_xxh64(bytes, size, 0);
    free(bytes);
    return true;
}

static const char* write_hash(uint64_t hash, char text[HASH_BYTES]) {
    snprintf(text, HASH_BYTES, "%016llx", (unsigned long long)hash);
    return text;
}

// Noting
// ------------------------------------------------------------------------------------------------

// A path as the record names it: without the list's folder.
static const char* name_of(const tlw_list* list, const char* path) {
    const size_t length = strlen(list->folder);
    const char* name = strncmp(path, list->folder, length) == 0 ? path + length : path;
    return strncmp(name, "./", 2) == 0 ? name + 2 : name;
}

static bool make_room(tlw_record* record) {
    if (record->count == record->capacity) {
        const uint32_t capacity = record->capacity * 2 + 8;
        tlw_record_file* grown = realloc(record->files, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        record->files = grown;
        record->capacity = capacity;
    }
    return true;
}

void tlw_record_note(const char* path, uint64_t hash, void* user) {
    tlw_record* record = user;
    if (hash == 0 && !tlw_record_hash_file(path, &hash)) {
        return; // the cook says why it cannot be read
    }
    for (uint32_t i = 0; i < record->count; ++i) {
        // By name, because one file can be read as "base.json" and as "./base.json", and a record
        // with a name twice would be damaged.
        if (strcmp(name_of(record->list, record->files[i].path), name_of(record->list, path)) ==
            0) {
            if (record->files[i].hash != hash) {
                record->changed = record->files[i].path;
            }
            return;
        }
    }
    char* copy = malloc(strlen(path) + 1);
    if (copy == NULL || !make_room(record)) {
        free(copy);
        record->is_out_of_memory = true;
        return;
    }
    strcpy(copy, path);
    record->files[record->count++] = (tlw_record_file){copy, hash};
}

void tlw_record_free(tlw_record* record) {
    for (uint32_t i = 0; i < record->count; ++i) {
        free(record->files[i].path);
    }
    free(record->files);
    *record = (tlw_record){0};
}

// Writing
// ------------------------------------------------------------------------------------------------

static void add_member(tlw_text* text, const char* key, const char* value, bool* is_first) {
    tlw_text_add(text, *is_first ? "\n    " : ",\n    ");
    tlw_text_json(text, key);
    tlw_text_add(text, ": ");
    tlw_text_json(text, value);
    *is_first = false;
}

// A depfile spells paths as the list's own path does, so that it depends on that.
static bool depends_on_folder(const tlw_list_row* row) {
    return row->paths[TLW_LIST_DEPFILE] != NULL;
}

static uint64_t hash_folder(const tlw_list* list) {
    return tlw_xxh64(list->folder, strlen(list->folder), 0);
}

static void add_row(tlw_text* text, const tlw_list_row* row) {
    bool is_first = true;
    tlw_text_add(text, "  \"row\": {");
    for (int key = 0; key < TLW_LIST_KEY_COUNT; ++key) {
        if (row->names[key]) {
            add_member(text, tlw_list_key_name((tlw_list_key)key), row->names[key], &is_first);
        }
    }
    tlw_text_add(text, "\n  },\n");
}

// What was written is read back, but for the blob, whose bytes are known. A row that writes to a
// pipe or a device, which cannot be read back, is cooked every time.
static void add_wrote(tlw_text* text, const tlw_list_row* row, uint64_t blob_hash) {
    bool is_first = true;
    tlw_text_add(text, "  \"wrote\": {");
    for (int key = 0; key < TLW_LIST_KEY_COUNT; ++key) {
        char hex[HASH_BYTES];
        uint64_t hash = blob_hash;
        if (row->names[key] == NULL || !tlw_list_key_is_written((tlw_list_key)key)) {
            continue;
        }
        if (key != TLW_LIST_OUTPUT && !tlw_record_hash_file(row->paths[key], &hash)) {
            continue;
        }
        add_member(text, tlw_list_key_name((tlw_list_key)key), write_hash(hash, hex), &is_first);
    }
    tlw_text_add(text, "\n  }\n}\n");
}

tlw_text tlw_record_make(const tlw_record* record, uint64_t blob_hash) {
    tlw_text text = {.out_of_memory = record->is_out_of_memory};
    char hex[HASH_BYTES];
    bool is_first = true;
    const char* importer = tlw_asset_importer(record->row->paths[TLW_LIST_INPUT]);
    tlw_text_add(&text, "{\n  \"cooker\": \"%s\",\n", TLW_COOKER);
    if (importer) {
        tlw_text_add(&text, "  \"importer\": \"%s\",\n", importer);
    }
    if (depends_on_folder(record->row)) {
        tlw_text_add(&text, "  \"folder\": \"%s\",\n", write_hash(hash_folder(record->list), hex));
    }
    add_row(&text, record->row);
    tlw_text_add(&text, "  \"read\": {");
    for (uint32_t i = 0; i < record->count; ++i) {
        add_member(&text, name_of(record->list, record->files[i].path),
                   write_hash(record->files[i].hash, hex), &is_first);
    }
    tlw_text_add(&text, "\n  },\n");
    add_wrote(&text, record->row, blob_hash);
    return text;
}

// Comparing
// ------------------------------------------------------------------------------------------------

static json_t* load(const char* path, char why[TLW_RECORD_WHY_BYTES]) {
    tlw_file_read_def def = tlw_default_file_read_def();
    tlw_file_error error;
    uint8_t* bytes;
    size_t size;
    def.path = path;
    def.limit_bytes = RECORD_BYTES_MAX;
    def.grow = tlw_heap_grow;
    const tlw_result result = tlw_file_read(&def, &bytes, &size, &error);
    if (result != TLW_OK) {
        snprintf(why, TLW_RECORD_WHY_BYTES, "%s",
                 result == TLW_ERROR_NOT_FOUND ? "there is no record" : error.message);
        return NULL;
    }
    json_t* root = NULL;
    if (tlw_json_scan((const char*)bytes, size, RECORD_DEPTH_MAX).too_deep == size) {
        root = json_loadb((const char*)bytes, size, JSON_REJECT_DUPLICATES, NULL);
    }
    free(bytes);
    if (!json_is_object(root)) {
        snprintf(why, TLW_RECORD_WHY_BYTES, "the record is damaged");
        json_decref(root);
        return NULL;
    }
    return root;
}

// Whether a member is this text; null: whether there is none.
static bool is_text(const json_t* object, const char* key, const char* text) {
    const char* value = json_string_value(json_object_get(object, key));
    return text && value ? strcmp(text, value) == 0 : text == NULL && value == NULL;
}

static bool is_same_row(const json_t* record, const tlw_list_row* row) {
    const json_t* names = json_object_get(record, "row");
    for (int key = 0; key < TLW_LIST_KEY_COUNT; ++key) {
        if (!is_text(names, tlw_list_key_name((tlw_list_key)key), row->names[key])) {
            return false;
        }
    }
    return true;
}

// Whether a file still has the content whose hash the record holds under `key`.
static bool is_same_file(const json_t* hashes, const char* key, const char* path, const char* name,
                         char why[TLW_RECORD_WHY_BYTES]) {
    char hex[HASH_BYTES];
    uint64_t hash;
    if (!tlw_record_hash_file(path, &hash)) {
        snprintf(why, TLW_RECORD_WHY_BYTES, "'%.256s' cannot be read or is no regular file", name);
        return false;
    }
    if (!is_text(hashes, key, write_hash(hash, hex))) {
        snprintf(why, TLW_RECORD_WHY_BYTES, "'%.256s' has changed", name);
        return false;
    }
    return true;
}

static bool are_written_the_same(const json_t* record, const tlw_list_row* row,
                                 char why[TLW_RECORD_WHY_BYTES]) {
    const json_t* wrote = json_object_get(record, "wrote");
    for (int i = 0; i < TLW_LIST_KEY_COUNT; ++i) {
        const tlw_list_key key = (tlw_list_key)i;
        if (row->names[key] && tlw_list_key_is_written(key) &&
            !is_same_file(wrote, tlw_list_key_name(key), row->paths[key], row->names[key], why)) {
            return false;
        }
    }
    return true;
}

static bool are_read_the_same(const json_t* record, const tlw_list* list,
                              char why[TLW_RECORD_WHY_BYTES]) {
    json_t* read = json_object_get(record, "read");
    if (json_object_size(read) == 0) {
        snprintf(why, TLW_RECORD_WHY_BYTES, "the record is damaged");
        return false;
    }
    for (void* i = json_object_iter(read); i; i = json_object_iter_next(read, i)) {
        char path[TLW_PATH_MAX];
        const char* name = json_object_iter_key(i);
        const int length = snprintf(path, sizeof path, "%s%s",
                                    tlw_list_is_absolute(name) ? "" : list->folder, name);
        if (length < 0 || (size_t)length >= sizeof path) {
            snprintf(why, TLW_RECORD_WHY_BYTES, "the record is damaged");
            return false;
        }
        if (!is_same_file(read, name, path, name, why)) {
            return false;
        }
    }
    return true;
}

bool tlw_record_is_up_to_date(const tlw_list* list, const tlw_list_row* row,
                              char why[TLW_RECORD_WHY_BYTES]) {
    char hex[HASH_BYTES];
    json_t* record = load(row->record, why);
    bool is_same = false;
    if (record == NULL) {
        return false;
    }
    if (!is_text(record, "cooker", TLW_COOKER)) {
        snprintf(why, TLW_RECORD_WHY_BYTES, "another cooker made it");
    } else if (!is_text(record, "importer", tlw_asset_importer(row->paths[TLW_LIST_INPUT]))) {
        snprintf(why, TLW_RECORD_WHY_BYTES, "another version of the importer read it");
    } else if (!is_same_row(record, row)) {
        snprintf(why, TLW_RECORD_WHY_BYTES, "its row has changed");
    } else if (!is_text(record, "folder",
                        depends_on_folder(row) ? write_hash(hash_folder(list), hex) : NULL)) {
        snprintf(why, TLW_RECORD_WHY_BYTES,
                 "the list is named by another path, and so is all in "
                 "the depfile");
    } else {
        is_same = are_written_the_same(record, row, why) && are_read_the_same(record, list, why);
    }
    json_decref(record);
    return is_same;
}
