// SPDX-License-Identifier: MIT
// Reads buffer URIs: base64 data, or a file in the asset's folder or below it, and no other file.
// The name is checked after percent-decoding, and the file that it names after following links, so
// that neither can lead out of the folder.
#define _XOPEN_SOURCE 700
#include "platform/file.h"
#include "tools/asset/gltf.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if TLW_OS_WINDOWS
#    include <windows.h>
#else
#    include <sys/stat.h>
#endif

// Data
// ------------------------------------------------------------------------------------------------

static int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// RFC 4648: whole groups of four characters, padding only at the end, and zero bits after the last
// byte.
static bool decode_base64(tlw_gltf* g, const tlw_json* at, const char* text, tlw_gltf_buffer* out) {
    size_t length = strlen(text);
    if (length % 4 != 0) {
        return tlw_gltf_fail(g, at, "base64 of %zu characters, no multiple of 4", length);
    }
    size_t padding = 0;
    while (padding < 2 && padding < length && text[length - 1 - padding] == '=') {
        padding += 1;
    }
    uint8_t* bytes = tlw_gltf_allocate(g, at, TLW_SCRATCH, length / 4 * 3, 1);
    if (!bytes) {
        return false;
    }
    size_t size = 0;
    for (size_t i = 0; i < length; i += 4) {
        uint32_t group = 0;
        size_t characters = i + 4 == length ? 4 - padding : 4;
        for (size_t k = 0; k < 4; ++k) {
            int value = k < characters ? base64_value(text[i + k]) : 0;
            if (value < 0) {
                return tlw_gltf_fail(g, at, "base64 character %zu is 0x%02X", i + k,
                                     (unsigned)(unsigned char)text[i + k]);
            }
            group = group << 6 | (uint32_t)value;
        }
        uint32_t unused = characters == 2 ? 0xFFFFu : characters == 3 ? 0xFFu : 0u;
        if (group & unused) {
            return tlw_gltf_fail(g, at, "base64 has bits behind its last byte");
        }
        for (size_t k = 0; k + 1 < characters; ++k) {
            bytes[size++] = (uint8_t)(group >> (16 - 8 * k));
        }
    }
    *out = (tlw_gltf_buffer){bytes, size};
    return true;
}

static bool read_data(tlw_gltf* g, const tlw_json* at, const char* uri, tlw_gltf_buffer* out) {
    static const char* const prefixes[] = {"data:application/octet-stream;base64,",
                                           "data:application/gltf-buffer;base64,"};
    for (size_t i = 0; i < TLW_COUNT_OF(prefixes); ++i) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(uri, prefixes[i], length) == 0) {
            return decode_base64(g, at, uri + length, out);
        }
    }
    return tlw_gltf_fail(g, at,
                         "'%.60s...' is no base64 data of type application/octet-stream or "
                         "application/gltf-buffer",
                         uri);
}

// Files
// ------------------------------------------------------------------------------------------------

static int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Decodes once: a percent sign in the result is a percent sign. Returns what is wrong with the URI,
// or null.
static const char* decode_percent(const char* uri, char* path, size_t path_bytes) {
    size_t used = 0;
    for (const char* c = uri; *c; ++c) {
        char decoded = *c;
        if (*c == '%') {
            int high = hex_value(c[1]), low = high < 0 ? -1 : hex_value(c[2]);
            if (low < 0) {
                return "has a percent sign without two hex digits";
            }
            decoded = (char)(high * 16 + low);
            c += 2;
        }
        if (decoded == 0) {
            return "has a NUL in it";
        }
        if (used + 1 >= path_bytes) {
            return "is too long";
        }
        path[used++] = decoded;
    }
    path[used] = 0;
    return NULL;
}

// Says why a decoded path is refused, or null. A colon marks a scheme or a drive letter.
static const char* refusal(const char* path) {
    if (path[0] == 0) {
        return "is empty";
    }
    if (path[0] == '/') {
        return "is an absolute path";
    }
    for (const char* c = path; *c; ++c) {
        if (*c == '\\') {
            return "has a backslash";
        }
        if (*c == ':') {
            return "has a scheme or drive letter";
        }
    }
    for (const char* part = path; part;) {
        size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            return "goes up with '..'";
        }
        part = part[length] ? part + length + 1 : NULL;
    }
    return NULL;
}

#if TLW_OS_WINDOWS
// The path with all links followed, in the form "\\?\C:\...".
static bool resolve(const char* path, char out[TLW_PATH_MAX]) {
    WCHAR wide[TLW_PATH_MAX];
    if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, TLW_PATH_MAX)) {
        return false;
    }
    HANDLE file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        return false;
    }
    DWORD length = GetFinalPathNameByHandleW(file, wide, TLW_PATH_MAX, FILE_NAME_NORMALIZED);
    CloseHandle(file);
    return length > 0 && length < TLW_PATH_MAX &&
           WideCharToMultiByte(CP_UTF8, 0, wide, -1, out, TLW_PATH_MAX, NULL, NULL) > 0;
}

static bool is_regular(const char* path) {
    WCHAR wide[TLW_PATH_MAX];
    if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, TLW_PATH_MAX)) {
        return false;
    }
    DWORD attributes = GetFileAttributesW(wide);
    return attributes != INVALID_FILE_ATTRIBUTES &&
           !(attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE));
}
#else
static bool resolve(const char* path, char out[TLW_PATH_MAX]) {
    char* resolved = realpath(path, NULL);
    bool fits = resolved && strlen(resolved) < TLW_PATH_MAX;
    if (fits) {
        strcpy(out, resolved);
    }
    free(resolved);
    return fits;
}

// A pipe could block for ever, and a device could be endless.
static bool is_regular(const char* path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}
#endif

static bool is_below(const char* path, const char* folder) {
    size_t length = strlen(folder);
    while (length > 0 && (folder[length - 1] == '/' || folder[length - 1] == '\\')) {
        length -= 1; // the folder "/" becomes ""
    }
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\\');
}

static bool read_below_folder(tlw_gltf* g, const tlw_json* at, const char* uri,
                              tlw_gltf_buffer* out) {
    char path[TLW_PATH_MAX], joined[TLW_PATH_MAX], folder[TLW_PATH_MAX], file[TLW_PATH_MAX];
    const char* why = decode_percent(uri, path, sizeof path);
    if (why) {
        return tlw_gltf_fail(g, at, "'%.200s' %s", uri, why);
    }
    why = refusal(path);
    if (why) {
        return tlw_gltf_fail(g, at, "'%.200s' %s: only files below the asset's folder are read",
                             uri, why);
    }
    if (!g->folder) {
        return tlw_gltf_cannot_read(g, at, "'%.200s': an asset in memory has no folder", uri);
    }
    int length = snprintf(joined, sizeof joined, "%s/%s", g->folder, path);
    if (length < 0 || (size_t)length >= sizeof joined) {
        return tlw_gltf_fail(g, at, "'%.80s...' makes a path longer than %d bytes", uri,
                             TLW_PATH_MAX - 1);
    }
    if (!resolve(g->folder, folder) || !resolve(joined, file)) {
        return tlw_gltf_cannot_read(g, at, "cannot read '%.300s': %s", joined, strerror(errno));
    }
    if (!is_below(file, folder)) {
        return tlw_gltf_fail(g, at, "'%.200s' is a link that leads out of the asset's folder", uri);
    }
    if (!is_regular(file)) {
        return tlw_gltf_cannot_read(g, at, "cannot read '%.300s': it is no regular file", joined);
    }
    return tlw_gltf_read_file(g, at, joined, out);
}

bool tlw_uri_read(tlw_gltf* g, const tlw_json* at, const char* uri, uint64_t byte_length,
                  tlw_gltf_buffer* out) {
    bool is_read = strncmp(uri, "data:", 5) == 0 ? read_data(g, at, uri, out)
                                                 : read_below_folder(g, at, uri, out);
    if (is_read && out->size < byte_length) {
        return tlw_gltf_fail(g, at, "it holds %llu bytes, the buffer's byteLength is %llu",
                             (unsigned long long)out->size, (unsigned long long)byte_length);
    }
    return is_read;
}

// Memory for tlw_file_read, counted against the limit. The scratch list frees it.
static void* grow_scratch(void* old, size_t old_bytes, size_t new_bytes, void* user) {
    tlw_asset_memory* memory = user;
    if (new_bytes == 0) {
        return NULL;
    }
    void* bytes = tlw_asset_allocate(memory, TLW_SCRATCH, new_bytes, 1);
    if (bytes && old) {
        memcpy(bytes, old, old_bytes < new_bytes ? old_bytes : new_bytes);
    }
    return bytes;
}

bool tlw_gltf_read_file(tlw_gltf* g, const tlw_json* at, const char* path, tlw_gltf_buffer* out) {
    tlw_file_read_def def = tlw_default_file_read_def();
    tlw_file_error error;
    uint8_t* bytes;
    size_t size;
    uint64_t left = tlw_asset_memory_left(g->memory);
    def.path = path;
    def.limit_bytes = left < SIZE_MAX ? (size_t)left : SIZE_MAX;
    def.grow = grow_scratch;
    def.user = g->memory;
    if (tlw_file_read(&def, &bytes, &size, &error) != TLW_OK) {
        return tlw_gltf_cannot_read(g, at, "%s", error.message);
    }
    *out = (tlw_gltf_buffer){bytes, size};
    g->files[g->asset->file_count] = tlw_asset_copy_string(g->memory, path);
    if (!g->files[g->asset->file_count]) {
        return tlw_gltf_no_memory(g, at, strlen(path), 1);
    }
    g->asset->file_count += 1;
    return true;
}

bool tlw_gltf_list_pictures(tlw_gltf* g) {
    const tlw_json root = tlw_json_root(g);
    const tlw_json list = tlw_json_member(&root, "images");
    const size_t count = g->folder ? json_array_size(list.value) : 0; // 0 of what is no array
    const char** pictures = tlw_gltf_allocate(g, &list, TLW_KEPT, count, sizeof *pictures);
    for (size_t i = 0; pictures && i < count; ++i) {
        const tlw_json at = tlw_json_element(&list, i), uri_at = tlw_json_member(&at, "uri");
        char path[TLW_PATH_MAX], joined[TLW_PATH_MAX];
        const char* uri = json_string_value(uri_at.value);
        if (!uri || strncmp(uri, "data:", 5) == 0 || decode_percent(uri, path, sizeof path)) {
            continue;
        }
        const int length = path[0] == '/'
                               ? snprintf(joined, sizeof joined, "%s", path)
                               : snprintf(joined, sizeof joined, "%s/%s", g->folder, path);
        if (length < 0 || (size_t)length >= sizeof joined) {
            continue;
        }
        const char* copy = tlw_asset_copy_string(g->memory, joined);
        if (!copy) {
            return tlw_gltf_no_memory(g, &at, strlen(joined), 1);
        }
        pictures[g->asset->picture_count++] = copy;
    }
    g->asset->pictures = pictures;
    return pictures != NULL;
}
