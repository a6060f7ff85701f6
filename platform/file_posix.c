// SPDX-License-Identifier: MIT
// Files on POSIX: the primitives of file_system.h, and atomic replacement.
//
// A temporary file is created exclusively, then locked (flock) until its process ends or it has
// become the target. A temporary file without a lock may be removed by any process, because its
// writer is dead. Between creation and lock another process may remove it; the writer then notices
// that its file has no name any more, and creates another.
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700
#include "platform/file.h"
#include "platform/file_system.h"
#include "platform/handlers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Linux transfers at most 2 GiB minus one page per call; other systems refuse more than INT_MAX.
#define TRANSFER_BYTES_MAX ((size_t)1 << 30)
#define TEMPORARY_TRIES    1000
#define LINKS_MAX          40 // that lead to one another; what Linux follows

void tlw_system_error_text(int code, char* text, size_t bytes) {
    if (strerror_r(code, text, bytes) != 0) {
        snprintf(text, bytes, "error %d", code);
    }
}

static int open_retrying(const char* path, int flags, mode_t mode) {
    int descriptor;
    do {
        descriptor = open(path, flags | O_CLOEXEC, mode);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

tlw_result tlw_system_open(const char* path, intptr_t* handle, uint64_t* size_hint,
                           tlw_file_error* error) {
    int descriptor = open_retrying(path, O_RDONLY, 0);
    if (descriptor < 0) {
        int code = errno;
        tlw_result result = code == ENOENT ? TLW_ERROR_NOT_FOUND : TLW_ERROR_CANNOT_READ;
        return tlw_file_fail(error, result, "read", path, code, "open");
    }
    struct stat status;
    *size_hint = 0;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        *size_hint = (uint64_t)status.st_size;
    }
    *handle = descriptor;
    return TLW_OK;
}

tlw_result tlw_system_read(intptr_t handle, const char* path, void* bytes, size_t size, size_t* got,
                           tlw_file_error* error) {
    size_t wanted = size < TRANSFER_BYTES_MAX ? size : TRANSFER_BYTES_MAX;
    ssize_t count;
    do {
        count = read((int)handle, bytes, wanted);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        return tlw_file_fail(error, TLW_ERROR_CANNOT_READ, "read", path, errno, "read");
    }
    *got = (size_t)count;
    return TLW_OK;
}

void tlw_system_close(intptr_t handle) {
    close((int)handle);
}

#if defined(__APPLE__) // which has other names for the times that POSIX.1-2008 asks for
#    define st_mtim st_mtimespec
#    define st_ctim st_ctimespec
#endif

uint64_t tlw_file_stamp(const char* path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        return 0;
    }
    const uint64_t parts[] = {(uint64_t)status.st_size,        (uint64_t)status.st_ino,
                              (uint64_t)status.st_mtim.tv_sec, (uint64_t)status.st_mtim.tv_nsec,
                              (uint64_t)status.st_ctim.tv_sec, (uint64_t)status.st_ctim.tv_nsec};
    return tlw_file_stamp_of(parts, TLW_COUNT_OF(parts));
}

// Length of the folder part of a path, with its slash; 0 for the current folder.
static size_t folder_length(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

// Resolves the longest beginning of a path that exists; *rest is the index of what is after it.
static bool resolve_beginning(const char* path, char resolved[TLW_PATH_MAX], size_t* rest) {
    char beginning[TLW_PATH_MAX];
    size_t end = strlen(path);
    strcpy(beginning, path);
    for (;;) {
        char* real = realpath(end > 0 ? beginning : ".", NULL);
        if (real) {
            const int length = snprintf(resolved, TLW_PATH_MAX, "%s", real);
            free(real);
            *rest = end;
            return length < TLW_PATH_MAX;
        }
        if (errno != ENOENT || end == 0) {
            return false;
        }
        while (end > 0 && beginning[end - 1] == '/') {
            end -= 1;
        }
        while (end > 0 && beginning[end - 1] != '/') {
            end -= 1;
        }
        beginning[end] = 0;
    }
}

// Adds the name at `name` to the path of a folder.
static bool add_name(char folder[TLW_PATH_MAX], const char* name, size_t length) {
    if (length == 1 && name[0] == '.') {
        return true;
    }
    if (length == 2 && memcmp(name, "..", 2) == 0) {
        char* slash = strrchr(folder, '/');
        slash[slash == folder] = 0;
        return true;
    }
    size_t used = strlen(folder);
    used -= used == 1; // the root ends with a slash of its own
    const int written = snprintf(folder + used, TLW_PATH_MAX - used, "/%.*s", (int)length, name);
    return written > 0 && (size_t)written < TLW_PATH_MAX - used;
}

// Puts the target of a link in front of the names after it.
static bool follow_link(const char* link, const char* rest, char path[TLW_PATH_MAX]) {
    char target[TLW_PATH_MAX], joined[TLW_PATH_MAX];
    const ssize_t length = readlink(link, target, sizeof target);
    if (length <= 0 || (size_t)length >= sizeof target) {
        return false;
    }
    target[length] = 0;
    const size_t folder = target[0] == '/' ? 0 : folder_length(link);
    const int written =
        snprintf(joined, sizeof joined, "%.*s%s%s", (int)folder, link, target, rest);
    if (written < 0 || (size_t)written >= sizeof joined) {
        return false;
    }
    strcpy(path, joined);
    return true;
}

// A link that leads nowhere is followed too, because what it names may yet be made.
bool tlw_file_resolve(const char* path, char resolved[TLW_PATH_MAX]) {
    TLW_ASSERT(path != NULL && resolved != NULL);
    char left[TLW_PATH_MAX];
    size_t at;
    if (path[0] == 0 || strlen(path) >= TLW_PATH_MAX) {
        return false;
    }
    strcpy(left, path);
    for (int links = 0; links < LINKS_MAX; ++links) {
        bool is_link = false;
        if (!resolve_beginning(left, resolved, &at)) {
            return false;
        }
        while (left[at] && !is_link) {
            const size_t length = strcspn(left + at, "/");
            struct stat status;
            if (length > 0 && !add_name(resolved, left + at, length)) {
                return false;
            }
            at += length + (left[at + length] == '/');
            is_link = lstat(resolved, &status) == 0 && S_ISLNK(status.st_mode);
        }
        if (!is_link) {
            return true;
        }
        if (!follow_link(resolved, left + at - (left[at - 1] == '/'), left)) {
            return false;
        }
    }
    return false;
}

static tlw_result fail_write(tlw_file_writer* writer, int code, const char* call) {
    if (writer->error.result != TLW_OK) {
        return writer->error.result; // the first error is reported
    }
    return tlw_file_fail(&writer->error, TLW_ERROR_CANNOT_WRITE, "write", writer->path, code, call);
}

static void folder_of(const char* path, char folder[TLW_PATH_MAX]) {
    size_t length = folder_length(path);
    if (length == 0) {
        memcpy(folder, ".", 2);
    } else {
        memcpy(folder, path, length);
        folder[length] = 0;
    }
}

// True if it changed a letter.
static bool swap_case(char* name) {
    bool is_changed = false;
    for (; *name; ++name) {
        if ((*name | 32) >= 'a' && (*name | 32) <= 'z') {
            *name ^= 32;
            is_changed = true;
        }
    }
    return is_changed;
}

// Whether a folder has an entry that is spelled like this.
static bool lists(const char* folder, const char* name) {
    DIR* listing = opendir(folder);
    bool is_listed = false;
    for (struct dirent* entry; listing && !is_listed && (entry = readdir(listing)) != NULL;) {
        is_listed = strcmp(entry->d_name, name) == 0;
    }
    if (listing) {
        closedir(listing);
    }
    return is_listed;
}

// Whether a path leads to the same file when its last name is spelled in the other case: that is
// its file, or there is a file although no such name is listed. False for a name without letters.
static bool is_found_in_other_case(const char* folder, const char* path) {
    struct stat one, other;
    char swapped[TLW_PATH_MAX];
    strcpy(swapped, path);
    char* name = swapped + folder_length(swapped);
    return swap_case(name) && lstat(path, &one) == 0 && lstat(swapped, &other) == 0 &&
           ((one.st_ino == other.st_ino && one.st_dev == other.st_dev) || !lists(folder, name));
}

// Whether names in a folder that differ only in case are one file. No system call tells that
// everywhere, so this tries the name of an entry. An empty folder is taken to be like its parent.
static bool ignores_case(const char* folder) {
    char path[TLW_PATH_MAX], parent[TLW_PATH_MAX];
    DIR* listing = opendir(folder);
    path[0] = 0;
    for (struct dirent* entry; listing && !path[0] && (entry = readdir(listing)) != NULL;) {
        char swapped[sizeof entry->d_name];
        strcpy(swapped, entry->d_name);
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!swap_case(swapped) || length < 0 || (size_t)length >= sizeof path) {
            path[0] = 0;
        }
    }
    if (listing) {
        closedir(listing);
    }
    if (path[0]) {
        return is_found_in_other_case(folder, path);
    }
    if (!tlw_file_resolve(folder, path)) {
        return false;
    }
    folder_of(path, parent);
    return is_found_in_other_case(parent, path);
}

tlw_file_identity tlw_file_identify(const char* path) {
    tlw_file_identity identity = {0};
    struct stat status;
    char resolved[TLW_PATH_MAX], folder[TLW_PATH_MAX];
    const bool exists = stat(path, &status) == 0;
    if (exists ? !S_ISREG(status.st_mode) : errno != ENOENT) {
        return identity;
    }
    if (exists) {
        identity.device = (uint64_t)status.st_dev;
        identity.file = (uint64_t)status.st_ino;
    }
    const size_t length = strlen(path);
    if (length == 0 || length >= TLW_PATH_MAX || path[length - 1] == '/' ||
        !tlw_file_resolve(path, resolved)) {
        return identity;
    }
    folder_of(resolved, folder);
    if (stat(folder, &status) == 0) {
        identity.folder_device = (uint64_t)status.st_dev;
        identity.folder = (uint64_t)status.st_ino;
        identity.name =
            tlw_file_name_hash(resolved + folder_length(resolved), ignores_case(folder));
    }
    return identity;
}

bool tlw_file_remove(const char* path) {
    TLW_ASSERT(path != NULL);
    return unlink(path) == 0 || errno == ENOENT;
}

// Removes temporary files of this target whose writers are dead.
static void sweep_strays(const char* path) {
    char folder[TLW_PATH_MAX], prefix[TLW_TEMPORARY_PREFIX_BYTES];
    folder_of(path, folder);
    tlw_temporary_prefix(path + folder_length(path), prefix);
    DIR* listing = opendir(folder);
    if (listing == NULL) {
        return;
    }
    int folder_descriptor = dirfd(listing);
    for (struct dirent* entry; (entry = readdir(listing)) != NULL;) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0) {
            continue;
        }
        int descriptor =
            openat(folder_descriptor, entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor < 0) {
            continue;
        }
        // Between opening and locking, the file may have become the target, and its name may belong
        // to another file.
        struct stat opened, named;
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &opened) == 0 &&
            fstatat(folder_descriptor, entry->d_name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
            opened.st_ino == named.st_ino && opened.st_dev == named.st_dev) {
            unlinkat(folder_descriptor, entry->d_name, 0);
        }
        close(descriptor);
    }
    closedir(listing);
}

// True if the file was created. False with errno EEXIST means that another name should be tried,
// with any other errno that it cannot work.
static bool create_temporary(tlw_file_writer* writer) {
    int descriptor = open_retrying(writer->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor < 0) {
        return false;
    }
    // A file system without locks refuses. That is harmless, because other processes cannot lock,
    // and so not remove, the file there either.
    while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
    }
    struct stat status;
    if (fstat(descriptor, &status) == 0 && status.st_nlink == 0) {
        close(descriptor);
        errno = EEXIST;
        return false;
    }
    writer->handle = descriptor;
    return true;
}

static tlw_result open_temporary(tlw_file_writer* writer) {
    size_t folder = folder_length(writer->path);
    char prefix[TLW_TEMPORARY_PREFIX_BYTES];
    tlw_temporary_prefix(writer->path + folder, prefix);
    for (int i = 0; i < TEMPORARY_TRIES; ++i) {
        int length = snprintf(writer->temporary, TLW_PATH_MAX, "%.*s%s%ld-%d.tmp", (int)folder,
                              writer->path, prefix, (long)getpid(), i);
        if (length < 0 || length >= TLW_PATH_MAX) {
            return fail_write(writer, ENAMETOOLONG, "open");
        }
        if (create_temporary(writer)) {
            return TLW_OK;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return fail_write(writer, errno, "open");
}

tlw_result tlw_file_writer_begin(tlw_file_writer* writer, const char* path) {
    TLW_ASSERT(writer != NULL && path != NULL);
    writer->handle = -1;
    writer->is_direct = false;
    writer->temporary[0] = 0;
    writer->old_handle = -1;
    writer->backup[0] = 0;
    writer->error = (tlw_file_error){.result = TLW_OK};
    size_t length = strlen(path);
    if (length == 0 || length >= TLW_PATH_MAX) {
        writer->path[0] = 0;
        return fail_write(writer, length == 0 ? ENOENT : ENAMETOOLONG, "path");
    }
    memcpy(writer->path, path, length + 1);

    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists) {
        const int code = errno;
        // Only a file that does not exist is created. A link that leads nowhere is refused.
        if (code != ENOENT || lstat(path, &old) == 0) {
            return fail_write(writer, code, "stat");
        }
    }
    if (exists && S_ISDIR(old.st_mode)) {
        return fail_write(writer, EISDIR, "stat");
    }
    if (exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) {
        return fail_write(writer, errno, "access");
    }
    if (exists && !S_ISREG(old.st_mode)) {
        writer->is_direct = true;
        writer->handle = open_retrying(path, O_WRONLY, 0);
        return writer->handle < 0 ? fail_write(writer, errno, "open") : TLW_OK;
    }
    if (exists) {
        char resolved[PATH_MAX];
        if (realpath(path, resolved) == NULL || strlen(resolved) >= TLW_PATH_MAX) {
            return fail_write(writer, errno, "realpath");
        }
        strcpy(writer->path, resolved);
    }
    sweep_strays(writer->path);
    tlw_result result = open_temporary(writer);
    if (result == TLW_OK && exists && fchmod((int)writer->handle, old.st_mode & 0777) != 0) {
        result = fail_write(writer, errno, "fchmod");
        tlw_file_writer_abandon(writer);
    }
    return result;
}

tlw_result tlw_file_writer_write(tlw_file_writer* writer, const void* bytes, size_t size) {
    const uint8_t* at = bytes;
    while (size > 0 && writer->error.result == TLW_OK) {
        ssize_t count =
            write((int)writer->handle, at, size < TRANSFER_BYTES_MAX ? size : TRANSFER_BYTES_MAX);
        if (count > 0) {
            at += count;
            size -= (size_t)count;
        } else if (count == 0 || errno != EINTR) {
            return fail_write(writer, count == 0 ? EIO : errno, "write");
        }
    }
    return writer->error.result;
}

void tlw_file_writer_abandon(tlw_file_writer* writer) {
    if (writer->handle < 0) {
        return;
    }
    if (!writer->is_direct) {
        unlink(writer->temporary);
    }
    close((int)writer->handle);
    writer->handle = -1;
}

static int fsync_retrying(int descriptor) {
    int result;
    do {
        result = fsync(descriptor);
    } while (result != 0 && errno == EINTR);
    return result;
}

// Syncs the folder: only then does the new name survive a power failure.
static tlw_result sync_folder(tlw_file_writer* writer) {
    char folder[TLW_PATH_MAX];
    folder_of(writer->path, folder);
    int descriptor = open_retrying(folder, O_RDONLY | O_DIRECTORY, 0);
    if (descriptor < 0) {
        return TLW_OK; // a folder that may be written to but not read cannot be synced
    }
    tlw_result result = TLW_OK;
    if (fsync_retrying(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP) {
        result = fail_write(writer, errno, "fsync of the folder, after the file was replaced");
    }
    close(descriptor);
    return result;
}

tlw_result tlw_system_sync(tlw_file_writer* writer) {
    if (writer->is_direct) {
        if (close((int)writer->handle) != 0 && errno != EINTR) {
            (void)fail_write(writer, errno, "close");
        }
        writer->handle = -1;
    } else if (writer->error.result == TLW_OK && fsync_retrying((int)writer->handle) != 0) {
        (void)fail_write(writer, errno, "fsync");
    }
    return writer->error.result;
}

void tlw_system_keep_old(tlw_file_writer* writer) {
    // The lock tells other processes that the second name is in use, as that of a temporary does. A
    // file that may not be read is kept without.
    writer->old_handle = open_retrying(writer->path, O_RDONLY | O_NOFOLLOW, 0);
    if (writer->old_handle >= 0) {
        (void)flock((int)writer->old_handle, LOCK_EX | LOCK_NB);
    }
    size_t folder = folder_length(writer->path);
    char prefix[TLW_TEMPORARY_PREFIX_BYTES];
    tlw_temporary_prefix(writer->path + folder, prefix);
    for (int i = 0; i < TEMPORARY_TRIES; ++i) {
        int length = snprintf(writer->backup, TLW_PATH_MAX, "%.*s%s%ld-%d.old", (int)folder,
                              writer->path, prefix, (long)getpid(), i);
        bool is_kept =
            length >= 0 && length < TLW_PATH_MAX && link(writer->path, writer->backup) == 0;
        if (is_kept || errno != EEXIST) {
            writer->backup[0] = is_kept ? writer->backup[0] : (char)0;
            return;
        }
    }
    writer->backup[0] = 0;
}

// Renamed while open, because closing would release the lock and another process could remove the
// file.
tlw_result tlw_system_publish(tlw_file_writer* writer) {
    return rename(writer->temporary, writer->path) == 0 ? TLW_OK
                                                        : fail_write(writer, errno, "rename");
}

void tlw_system_take_back(tlw_file_writer* writer) {
    if (writer->backup[0] == 0) {
        unlink(writer->path);
    } else if (rename(writer->backup, writer->path) == 0) {
        writer->backup[0] = 0;
    }
    close((int)writer->handle);
    writer->handle = -1;
}

tlw_result tlw_system_finish(tlw_file_writer* writer) {
    close((int)writer->handle);
    writer->handle = -1;
    return sync_folder(writer);
}

void tlw_system_forget_old(tlw_file_writer* writer) {
    if (writer->backup[0]) {
        unlink(writer->backup);
        writer->backup[0] = 0;
    }
    if (writer->old_handle >= 0) {
        close((int)writer->old_handle);
        writer->old_handle = -1;
    }
}
