// SPDX-License-Identifier: MIT
// The parts of reading and replacing files that are the same on every system.
#include "platform/file.h"

#include "platform/file_system.h"
#include "platform/handlers.h"

#include <stdio.h>
#include <string.h>

#define READ_COOKIE 0x52454144u
// If the system does not report a length, memory starts with this size and doubles.
#define FIRST_READ_BYTES ((size_t)64 * 1024)

tlw_result tlw_file_fail(tlw_file_error* error, tlw_result result, const char* what,
                         const char* path, int system_code, const char* call) {
    if (error) {
        char reason[160];
        tlw_system_error_text(system_code, reason, sizeof reason);
        error->result = result;
        error->system_code = system_code;
        snprintf(error->message, sizeof error->message, "cannot %s '%.256s': %s (%s)", what, path,
                 reason, call);
    }
    return result;
}

static tlw_result fail_plain(tlw_file_error* error, tlw_result result, const char* path,
                             size_t bytes) {
    if (error) {
        error->result = result;
        error->system_code = 0;
        snprintf(error->message, sizeof error->message, "cannot read '%.256s': %s (%zu bytes)",
                 path, tlw_result_meaning(result), bytes);
    }
    return result;
}

tlw_file_read_def tlw_default_file_read_def(void) {
    return (tlw_file_read_def){.limit_bytes = (size_t)1 << 30, .cookie = READ_COOKIE};
}

typedef struct read_buffer {
    const tlw_file_read_def* def;
    uint8_t* bytes;
    size_t capacity;
} read_buffer;

static bool grow(read_buffer* buffer, size_t bytes) {
    uint8_t* grown = buffer->def->grow(buffer->bytes, buffer->capacity, bytes, buffer->def->user);
    if (grown == NULL) {
        return false;
    }
    buffer->bytes = grown;
    buffer->capacity = bytes;
    return true;
}

tlw_result tlw_file_read(const tlw_file_read_def* def, uint8_t** bytes, size_t* size,
                         tlw_file_error* error) {
    TLW_ASSERT(def != NULL && bytes != NULL && size != NULL);
    *bytes = NULL;
    *size = 0;
    if (def->cookie != READ_COOKIE || def->path == NULL || def->grow == NULL) {
        return fail_plain(error, TLW_ERROR_BAD_DEF, def->path ? def->path : "", 0);
    }
    intptr_t handle;
    uint64_t size_hint;
    tlw_result result = tlw_system_open(def->path, &handle, &size_hint, error);
    if (result != TLW_OK) {
        return result;
    }
    read_buffer buffer = {.def = def};
    size_t used = 0;
    if (size_hint > def->limit_bytes) {
        result = fail_plain(error, TLW_ERROR_TOO_LARGE, def->path, def->limit_bytes);
    } else {
        // One byte more than the hint, so that the read that finds the end needs no more memory.
        size_t first = size_hint ? (size_t)size_hint + 1 : FIRST_READ_BYTES;
        result = grow(&buffer, first)
                     ? TLW_OK
                     : fail_plain(error, TLW_ERROR_OUT_OF_MEMORY, def->path, first);
    }
    while (result == TLW_OK) {
        if (used == buffer.capacity) {
            size_t larger = buffer.capacity > SIZE_MAX / 2 ? SIZE_MAX : buffer.capacity * 2;
            if (!grow(&buffer, larger)) {
                result = fail_plain(error, TLW_ERROR_OUT_OF_MEMORY, def->path, larger);
                break;
            }
        }
        size_t got;
        result = tlw_system_read(handle, def->path, buffer.bytes + used, buffer.capacity - used,
                                 &got, error);
        if (result != TLW_OK || got == 0) {
            break;
        }
        used += got;
        if (used > def->limit_bytes) {
            result = fail_plain(error, TLW_ERROR_TOO_LARGE, def->path, def->limit_bytes);
        }
    }
    tlw_system_close(handle);
    if (result != TLW_OK) {
        if (buffer.bytes) {
            def->grow(buffer.bytes, buffer.capacity, 0, def->user);
        }
        return result;
    }
    *bytes = buffer.bytes;
    *size = used;
    return TLW_OK;
}

// Each part is mixed into all bits (the finaliser of MurmurHash3, whose every bit depends on every
// bit), so that a change of one of them is a change of the stamp.
uint64_t tlw_file_stamp_of(const uint64_t* parts, size_t count) {
    uint64_t stamp = 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < count; ++i) {
        stamp = (stamp ^ parts[i]) + 0x9E3779B97F4A7C15u;
        stamp = (stamp ^ stamp >> 33) * 0xFF51AFD7ED558CCDu;
        stamp = (stamp ^ stamp >> 33) * 0xC4CEB9FE1A85EC53u;
        stamp ^= stamp >> 33;
    }
    return stamp ? stamp : 1;
}

tlw_result tlw_file_replace(const char* path, const void* bytes, size_t size,
                            tlw_file_error* error) {
    tlw_file_writer writer;
    tlw_result result = tlw_file_writer_begin(&writer, path);
    if (result == TLW_OK) {
        (void)tlw_file_writer_write(&writer, bytes, size); // the commit returns its error
        result = tlw_file_writer_commit(&writer);
    }
    if (error) {
        *error = writer.error;
    }
    return result;
}

// Takes back the files that were published, and leaves all others as they were.
static void undo(tlw_file_writer* const* writers, size_t count, size_t published) {
    for (size_t i = 0; i < count; ++i) {
        if (i < published && !writers[i]->is_direct) {
            tlw_system_take_back(writers[i]);
        } else {
            tlw_file_writer_abandon(writers[i]);
        }
        tlw_system_forget_old(writers[i]);
    }
}

tlw_result tlw_file_writer_commit_all(tlw_file_writer* const* writers, size_t count,
                                      size_t* failed) {
    tlw_result result = TLW_OK;
    size_t at, ignored;
    failed = failed ? failed : &ignored;
    for (at = 0; at < count && result == TLW_OK; ++at) {
        *failed = at;
        result = tlw_system_sync(writers[at]);
    }
    if (result != TLW_OK) {
        undo(writers, count, 0);
        return result;
    }
    // The last needs none: if it cannot be published, it is still there.
    for (at = 0; at + 1 < count; ++at) {
        if (!writers[at]->is_direct) {
            tlw_system_keep_old(writers[at]);
        }
    }
    for (at = 0; at < count && result == TLW_OK; ++at) {
        *failed = at;
        result = writers[at]->is_direct ? TLW_OK : tlw_system_publish(writers[at]);
    }
    if (result != TLW_OK) {
        undo(writers, count, *failed);
        return result;
    }
    for (at = 0; at < count; ++at) {
        const tlw_result finished =
            writers[at]->is_direct ? TLW_OK : tlw_system_finish(writers[at]);
        *failed = result == TLW_OK ? at : *failed;
        result = result == TLW_OK ? finished : result;
    }
    for (at = 0; at < count; ++at) {
        tlw_system_forget_old(writers[at]);
    }
    return result;
}

tlw_result tlw_file_writer_commit(tlw_file_writer* writer) {
    TLW_ASSERT(writer != NULL);
    return tlw_file_writer_commit_all(&writer, 1, NULL);
}

bool tlw_file_is_same(const tlw_file_identity* a, const tlw_file_identity* b) {
    const bool is_file = (a->device | a->file) != 0;
    return (is_file && a->device == b->device && a->file == b->file) ||
           (a->name != 0 && a->name == b->name && a->folder_device == b->folder_device &&
            a->folder == b->folder);
}

uint64_t tlw_file_name_hash(const char* name, bool ignores_case) {
    uint64_t hash = 0xCBF29CE484222325u; // FNV-1a
    for (const char* c = name; *c; ++c) {
        const bool is_capital = ignores_case && *c >= 'A' && *c <= 'Z';
        hash = (hash ^ (uint8_t)(is_capital ? *c + ('a' - 'A') : *c)) * 0x100000001B3u;
    }
    return hash ? hash : 1;
}

void tlw_temporary_prefix(const char* target_name, char prefix[TLW_TEMPORARY_PREFIX_BYTES]) {
    snprintf(prefix, TLW_TEMPORARY_PREFIX_BYTES, ".tlw-%016llx-",
             (unsigned long long)tlw_file_name_hash(target_name, false));
}
