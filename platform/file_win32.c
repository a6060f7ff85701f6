// SPDX-License-Identifier: MIT
// Files on Win32: the primitives of file_system.h, and atomic replacement.
//
// A temporary file is open without sharing until it is renamed through its own handle, so that
// another process cannot delete it while its writer is alive.
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0A00
#include "platform/file.h"
#include "platform/file_system.h"
#include "platform/handlers.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

#define TRANSFER_BYTES_MAX ((size_t)1 << 30)
#define TEMPORARY_TRIES    1000

void tlw_system_error_text(int code, char* text, size_t bytes) {
    wchar_t wide[160];
    DWORD flags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
    DWORD length = FormatMessageW(flags, NULL, (DWORD)code, 0, wide, TLW_COUNT_OF(wide), NULL);
    while (length > 0 && (wide[length - 1] == L'\n' || wide[length - 1] == L'\r')) {
        wide[--length] = 0;
    }
    if (length == 0 ||
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)bytes, NULL, NULL) == 0) {
        snprintf(text, bytes, "error %d", code);
    }
}

static bool widen(const char* path, wchar_t wide[TLW_PATH_MAX]) {
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, TLW_PATH_MAX) > 0;
}

tlw_result tlw_system_open(const char* path, intptr_t* handle, uint64_t* size_hint,
                           tlw_file_error* error) {
    wchar_t wide[TLW_PATH_MAX];
    HANDLE file = INVALID_HANDLE_VALUE;
    if (widen(path, wide)) {
        DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
        file = CreateFileW(wide, GENERIC_READ, share, NULL, OPEN_EXISTING, 0, NULL);
    }
    if (file == INVALID_HANDLE_VALUE) {
        DWORD code = GetLastError();
        bool absent = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND;
        return tlw_file_fail(error, absent ? TLW_ERROR_NOT_FOUND : TLW_ERROR_CANNOT_READ, "read",
                             path, (int)code, "CreateFile");
    }
    LARGE_INTEGER size;
    *size_hint = GetFileSizeEx(file, &size) && size.QuadPart > 0 ? (uint64_t)size.QuadPart : 0;
    *handle = (intptr_t)file;
    return TLW_OK;
}

tlw_result tlw_system_read(intptr_t handle, const char* path, void* bytes, size_t size, size_t* got,
                           tlw_file_error* error) {
    DWORD wanted = (DWORD)(size < TRANSFER_BYTES_MAX ? size : TRANSFER_BYTES_MAX), count = 0;
    if (!ReadFile((HANDLE)handle, bytes, wanted, &count, NULL)) {
        DWORD code = GetLastError();
        if (code != ERROR_BROKEN_PIPE) { // the end of a pipe
            return tlw_file_fail(error, TLW_ERROR_CANNOT_READ, "read", path, (int)code, "ReadFile");
        }
    }
    *got = count;
    return TLW_OK;
}

void tlw_system_close(intptr_t handle) {
    CloseHandle((HANDLE)handle);
}

// What the system says of a file or a folder. False: there is none.
static bool look_up(const char* path, BY_HANDLE_FILE_INFORMATION* about, bool* is_device) {
    wchar_t wide[TLW_PATH_MAX];
    HANDLE file = INVALID_HANDLE_VALUE;
    if (widen(path, wide)) {
        const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
        file = CreateFileW(wide, FILE_READ_ATTRIBUTES, share, NULL, OPEN_EXISTING,
                           FILE_FLAG_BACKUP_SEMANTICS, NULL);
    }
    if (file == INVALID_HANDLE_VALUE) {
        return false;
    }
    *is_device = !GetFileInformationByHandle(file, about);
    CloseHandle(file);
    return true;
}

uint64_t tlw_file_stamp(const char* path) {
    BY_HANDLE_FILE_INFORMATION about;
    bool is_device;
    if (!look_up(path, &about, &is_device) || is_device) {
        return 0;
    }
    const uint64_t parts[] = {about.nFileSizeHigh,
                              about.nFileSizeLow,
                              about.nFileIndexHigh,
                              about.nFileIndexLow,
                              about.ftLastWriteTime.dwHighDateTime,
                              about.ftLastWriteTime.dwLowDateTime};
    return tlw_file_stamp_of(parts, TLW_COUNT_OF(parts));
}

// The path of what exists, with all links followed: "\\?\C:\folder\name".
static bool resolve_existing(const wchar_t* path, wchar_t resolved[TLW_PATH_MAX]) {
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE file =
        CreateFileW(path, 0, share, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        return false;
    }
    const DWORD length =
        GetFinalPathNameByHandleW(file, resolved, TLW_PATH_MAX, FILE_NAME_NORMALIZED);
    CloseHandle(file);
    return length > 0 && length < TLW_PATH_MAX;
}

// GetFullPathName takes "." and ".." out. Then names are cut off the end until what is left exists.
bool tlw_file_resolve(const char* path, char resolved[TLW_PATH_MAX]) {
    wchar_t wide[TLW_PATH_MAX], full[TLW_PATH_MAX], real[TLW_PATH_MAX];
    if (!widen(path, wide)) {
        return false;
    }
    const DWORD length = GetFullPathNameW(wide, TLW_PATH_MAX, full, NULL);
    if (length == 0 || length >= TLW_PATH_MAX) {
        return false;
    }
    memcpy(wide, full, (length + 1) * sizeof wide[0]);
    size_t end = length;
    while (!resolve_existing(wide, real)) {
        const DWORD code = GetLastError();
        if ((code != ERROR_FILE_NOT_FOUND && code != ERROR_PATH_NOT_FOUND) || end <= 3) {
            return false;
        }
        while (end > 3 && wide[end - 1] != L'\\') {
            end -= 1;
        }
        end -= end > 3; // the backslash; that of "C:\" stays
        wide[end] = 0;
    }
    const size_t used = wcslen(real), rest = length - end;
    if (used + rest >= TLW_PATH_MAX) {
        return false;
    }
    memcpy(real + used, full + end, (rest + 1) * sizeof real[0]);
    CharLowerW(real + used);
    return WideCharToMultiByte(CP_UTF8, 0, real, -1, resolved, TLW_PATH_MAX, NULL, NULL) > 0;
}

static tlw_result fail_write(tlw_file_writer* writer, DWORD code, const char* call) {
    if (writer->error.result != TLW_OK) {
        return writer->error.result; // the first error is reported
    }
    return tlw_file_fail(&writer->error, TLW_ERROR_CANNOT_WRITE, "write", writer->path, (int)code,
                         call);
}

static size_t folder_length(const char* path) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\' &&
           path[length - 1] != ':') {
        length -= 1;
    }
    return length;
}

tlw_file_identity tlw_file_identify(const char* path) {
    tlw_file_identity identity = {0};
    BY_HANDLE_FILE_INFORMATION about;
    char folder[TLW_PATH_MAX];
    const size_t length = folder_length(path);
    bool is_device = false;
    const bool exists = look_up(path, &about, &is_device);
    if (!exists) {
        if (path[length] == 0 || length >= TLW_PATH_MAX) {
            return identity;
        }
        snprintf(folder, sizeof folder, "%.*s", length > 0 ? (int)length : 1,
                 length > 0 ? path : ".");
        if (!look_up(folder, &about, &is_device)) {
            return identity;
        }
        identity.name = is_device ? 0 : tlw_file_name_hash(path + length, true);
    }
    const uint64_t device = about.dwVolumeSerialNumber;
    const uint64_t file = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow;
    if (is_device || (exists && (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY))) {
        return identity;
    }
    *(exists ? &identity.device : &identity.folder_device) = device;
    *(exists ? &identity.file : &identity.folder) = file;
    return identity;
}

static void sweep_strays(const char* path) {
    size_t folder = folder_length(path);
    char prefix[TLW_TEMPORARY_PREFIX_BYTES], pattern[TLW_PATH_MAX];
    wchar_t wide[TLW_PATH_MAX];
    tlw_temporary_prefix(path + folder, prefix);
    int length = snprintf(pattern, sizeof pattern, "%.*s%s*", (int)folder, path, prefix);
    if (length < 0 || length >= (int)sizeof pattern || !widen(pattern, wide)) {
        return;
    }
    WIN32_FIND_DATAW found;
    HANDLE search = FindFirstFileW(wide, &found);
    if (search == INVALID_HANDLE_VALUE) {
        return;
    }
    do {
        char name[MAX_PATH * 4], stray[TLW_PATH_MAX];
        if (WideCharToMultiByte(CP_UTF8, 0, found.cFileName, -1, name, sizeof name, NULL, NULL) >
            0) {
            length = snprintf(stray, sizeof stray, "%.*s%s", (int)folder, path, name);
            if (length > 0 && length < (int)sizeof stray && widen(stray, wide)) {
                DeleteFileW(wide); // fails while its writer is alive
            }
        }
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

static tlw_result open_temporary(tlw_file_writer* writer) {
    size_t folder = folder_length(writer->path);
    char prefix[TLW_TEMPORARY_PREFIX_BYTES];
    wchar_t wide[TLW_PATH_MAX];
    tlw_temporary_prefix(writer->path + folder, prefix);
    for (int i = 0; i < TEMPORARY_TRIES; ++i) {
        int length = snprintf(writer->temporary, TLW_PATH_MAX, "%.*s%s%lu-%d.tmp", (int)folder,
                              writer->path, prefix, (unsigned long)GetCurrentProcessId(), i);
        if (length < 0 || length >= TLW_PATH_MAX || !widen(writer->temporary, wide)) {
            return fail_write(writer, ERROR_FILENAME_EXCED_RANGE, "CreateFile");
        }
        HANDLE file = CreateFileW(wide, GENERIC_WRITE | DELETE, 0, NULL, CREATE_NEW, 0, NULL);
        if (file != INVALID_HANDLE_VALUE) {
            writer->handle = (intptr_t)file;
            return TLW_OK;
        }
        if (GetLastError() != ERROR_FILE_EXISTS) {
            break;
        }
    }
    return fail_write(writer, GetLastError(), "CreateFile");
}

bool tlw_file_remove(const char* path) {
    TLW_ASSERT(path != NULL);
    wchar_t wide[TLW_PATH_MAX];
    if (!widen(path, wide)) {
        return false;
    }
    return DeleteFileW(wide) || GetLastError() == ERROR_FILE_NOT_FOUND ||
           GetLastError() == ERROR_PATH_NOT_FOUND; // its folder does not exist either
}

tlw_result tlw_file_writer_begin(tlw_file_writer* writer, const char* path) {
    TLW_ASSERT(writer != NULL && path != NULL);
    writer->handle = (intptr_t)INVALID_HANDLE_VALUE;
    writer->is_direct = false;
    writer->temporary[0] = 0;
    writer->old_handle = (intptr_t)INVALID_HANDLE_VALUE;
    writer->backup[0] = 0;
    writer->error = (tlw_file_error){.result = TLW_OK};
    wchar_t wide[TLW_PATH_MAX];
    size_t length = strlen(path);
    if (length == 0 || length >= TLW_PATH_MAX || !widen(path, wide)) {
        writer->path[0] = 0;
        return fail_write(writer, ERROR_INVALID_NAME, "path");
    }
    memcpy(writer->path, path, length + 1);
    DWORD attributes = GetFileAttributesW(wide);
    bool exists = attributes != INVALID_FILE_ATTRIBUTES;
    if (exists && (attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY))) {
        return fail_write(writer, ERROR_ACCESS_DENIED, "GetFileAttributes");
    }
    HANDLE device = INVALID_HANDLE_VALUE;
    if (exists) {
        device = CreateFileW(wide, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                             OPEN_EXISTING, 0, NULL);
    }
    if (device != INVALID_HANDLE_VALUE) {
        if (GetFileType(device) != FILE_TYPE_DISK) {
            writer->is_direct = true;
            writer->handle = (intptr_t)device;
            return TLW_OK;
        }
        CloseHandle(device);
    }
    sweep_strays(writer->path);
    return open_temporary(writer);
}

tlw_result tlw_file_writer_write(tlw_file_writer* writer, const void* bytes, size_t size) {
    const uint8_t* at = bytes;
    while (size > 0 && writer->error.result == TLW_OK) {
        DWORD wanted = (DWORD)(size < TRANSFER_BYTES_MAX ? size : TRANSFER_BYTES_MAX), count = 0;
        if (!WriteFile((HANDLE)writer->handle, at, wanted, &count, NULL) || count == 0) {
            return fail_write(writer, GetLastError(), "WriteFile");
        }
        at += count;
        size -= count;
    }
    return writer->error.result;
}

static void close_writer(tlw_file_writer* writer) {
    CloseHandle((HANDLE)writer->handle);
    writer->handle = (intptr_t)INVALID_HANDLE_VALUE;
}

void tlw_file_writer_abandon(tlw_file_writer* writer) {
    if ((HANDLE)writer->handle == INVALID_HANDLE_VALUE) {
        return;
    }
    close_writer(writer);
    wchar_t wide[TLW_PATH_MAX];
    if (!writer->is_direct && widen(writer->temporary, wide)) {
        DeleteFileW(wide);
    }
}

// Renames the open temporary over the target.
static bool rename_by_handle(tlw_file_writer* writer) {
    union {
        FILE_RENAME_INFO info;
        uint8_t room[sizeof(FILE_RENAME_INFO) + TLW_PATH_MAX * sizeof(wchar_t)];
    } request;
    wchar_t given[TLW_PATH_MAX];
    memset(&request, 0, sizeof request);
    // Some systems would take a relative name as relative to the temporary file's folder.
    if (!widen(writer->path, given)) {
        return false;
    }
    DWORD length = GetFullPathNameW(given, TLW_PATH_MAX, request.info.FileName, NULL);
    if (length == 0 || length >= TLW_PATH_MAX) {
        return false;
    }
    request.info.ReplaceIfExists = TRUE;
    request.info.FileNameLength = length * (DWORD)sizeof(wchar_t);
    return SetFileInformationByHandle((HANDLE)writer->handle, FileRenameInfo, &request,
                                      sizeof request) != 0;
}

tlw_result tlw_system_sync(tlw_file_writer* writer) {
    if (writer->is_direct) {
        close_writer(writer);
    } else if (writer->error.result == TLW_OK && !FlushFileBuffers((HANDLE)writer->handle)) {
        (void)fail_write(writer, GetLastError(), "FlushFileBuffers");
    }
    return writer->error.result;
}

// Nothing holds the second name: a handle without sharing would keep the target from being
// replaced. So another process that replaces the same file may sweep it.
void tlw_system_keep_old(tlw_file_writer* writer) {
    size_t folder = folder_length(writer->path);
    char prefix[TLW_TEMPORARY_PREFIX_BYTES];
    wchar_t from[TLW_PATH_MAX], to[TLW_PATH_MAX];
    tlw_temporary_prefix(writer->path + folder, prefix);
    int length = snprintf(writer->backup, TLW_PATH_MAX, "%.*s%s%lu.old", (int)folder, writer->path,
                          prefix, (unsigned long)GetCurrentProcessId());
    if (length < 0 || length >= TLW_PATH_MAX || !widen(writer->path, from) ||
        !widen(writer->backup, to) || !CreateHardLinkW(to, from, NULL)) {
        writer->backup[0] = 0;
    }
}

tlw_result tlw_system_publish(tlw_file_writer* writer) {
    return rename_by_handle(writer)
               ? TLW_OK
               : fail_write(writer, GetLastError(), "SetFileInformationByHandle");
}

void tlw_system_take_back(tlw_file_writer* writer) {
    wchar_t from[TLW_PATH_MAX], to[TLW_PATH_MAX];
    close_writer(writer); // it would let nobody replace the file
    if (!widen(writer->path, to)) {
        return;
    }
    if (writer->backup[0] == 0) {
        DeleteFileW(to);
    } else if (widen(writer->backup, from) && MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING)) {
        writer->backup[0] = 0;
    }
}

tlw_result tlw_system_finish(tlw_file_writer* writer) {
    close_writer(writer);
    return writer->error.result;
}

void tlw_system_forget_old(tlw_file_writer* writer) {
    wchar_t wide[TLW_PATH_MAX];
    if (writer->backup[0] && widen(writer->backup, wide)) {
        DeleteFileW(wide);
    }
    writer->backup[0] = 0;
}
