// SPDX-License-Identifier: MIT
// Reads whole files and replaces whole files. Paths are UTF-8 on every system.
#ifndef TLW_PLATFORM_FILE_H
#define TLW_PLATFORM_FILE_H

#include "platform/base.h"
#include "platform/result.h"

TLW_EXTERN_C_BEGIN

#define TLW_PATH_MAX 4096

// What went wrong, with a message for people, such as
// "cannot write 'out/a.tlw': No space left on device (write)".
typedef struct tlw_file_error {
    tlw_result result;
    int system_code; // errno or GetLastError
    char message[512];
} tlw_file_error;

// Memory for tlw_file_read: grows `old` (null at first) to new_bytes and keeps old_bytes of
// content. Null if it cannot; `old` then stays valid. new_bytes 0 frees the memory.
typedef void* tlw_file_grow(void* old, size_t old_bytes, size_t new_bytes, void* user);

typedef struct tlw_file_read_def {
    const char* path;
    size_t limit_bytes; // a larger file is TLW_ERROR_TOO_LARGE
    tlw_file_grow* grow;
    void* user;
    uint32_t cookie;
} tlw_file_read_def;

tlw_file_read_def tlw_default_file_read_def(void);

// Reads the whole file. Works for regular files, pipes and everything that delivers bytes and then
// ends; handles short reads and interrupted calls. On TLW_OK the caller owns *bytes, which is
// non-null even if *size is 0. On failure all memory has been freed and *error, which may be null,
// says why.
tlw_result tlw_file_read(const tlw_file_read_def* def, uint8_t** bytes, size_t* size,
                         tlw_file_error* error);

// Tells whether a file has changed since: a number made of its size, its time of change and which
// file it is. Another number means that the file should be read again; the same number, that it
// need not be. 0 if there is no such file.
uint64_t tlw_file_stamp(const char* path);

// Which file a path leads to, with links followed: the file, if there is one, and its name in its
// folder. All are 0 for what is no regular file and for a path whose folder does not exist.
typedef struct tlw_file_identity {
    uint64_t device, file; // 0 if there is none yet
    uint64_t folder_device, folder;
    uint64_t name; // a hash, equal for names that are one file in that folder
} tlw_file_identity;

// However two paths of a file are spelled, they are the same; so are paths that would make one
// file. Some file systems give a file another number for each spelling, so that a name counts too.
tlw_file_identity tlw_file_identify(const char* path);
// False also if one of them is 0.
bool tlw_file_is_same(const tlw_file_identity* a, const tlw_file_identity* b);

// Where a path leads: absolute, with every link followed and without "." and "..", so that two
// paths of one file resolve to the same text. Nothing needs to exist there; what does not, is taken
// as it is written (on Windows in lower case). Returns false if a folder on the way cannot be
// looked at, if links lead in a circle, or if the result has TLW_PATH_MAX bytes or more.
bool tlw_file_resolve(const char* path, char resolved[TLW_PATH_MAX]);

// Removes a file; of a link, the link. False if it is still there.
bool tlw_file_remove(const char* path);

// Replaces a file completely or not at all. At any moment, also if the process is killed or a call
// fails, `path` is either the complete old file (or still absent) or the complete new one. The
// bytes are written to a temporary file in the same folder, synced, and renamed to `path`. The old
// file's read, write and execute bits are kept, its owner is not. A killed run leaves its temporary
// file behind. The next replacement of the same path removes it, but never one that a living
// process is writing. A device or a pipe is written to directly. On POSIX a link is followed to its
// target; a link that leads nowhere is refused. A file without write permission is refused although
// renaming would work, because version control systems protect files that way.
tlw_result tlw_file_replace(const char* path, const void* bytes, size_t size,
                            tlw_file_error* error);

// The same in pieces. After a failed write, later writes are ignored and the commit returns the
// first error. Each begin that returned TLW_OK must be followed by exactly one commit or abandon.
typedef struct tlw_file_writer {
    intptr_t handle;
    bool is_direct; // a device or pipe: no temporary, no rename
    char path[TLW_PATH_MAX];
    char temporary[TLW_PATH_MAX];
    intptr_t old_handle;       // while several files are committed: keeps the backup's lock
    char backup[TLW_PATH_MAX]; // a second name of the old file meanwhile; empty: there is none
    tlw_file_error error;
} tlw_file_writer;

tlw_result tlw_file_writer_begin(tlw_file_writer* writer, const char* path);
tlw_result tlw_file_writer_write(tlw_file_writer* writer, const void* bytes, size_t size);
tlw_result tlw_file_writer_commit(tlw_file_writer* writer);
// Commits several files, all of them or none, in their order. All are synced before the first is
// renamed, so that a full disk changes nothing. If a rename fails, the files before it get their
// old content back; where the file system has no hard links they are removed instead, so that no
// new file stands beside old ones. The file that failed and those after it are as they were. A
// process that is killed between two renames leaves the first files new and the others old, each of
// them complete; the last file is the one to judge by. On failure *failed, which may be null, is
// the index of the writer with the error.
tlw_result tlw_file_writer_commit_all(tlw_file_writer* const* writers, size_t count,
                                      size_t* failed);
void tlw_file_writer_abandon(tlw_file_writer* writer);

TLW_EXTERN_C_END

#endif
