// SPDX-License-Identifier: MIT
// Files: read whole, and replaced whole. Paths are UTF-8 on every system.
#ifndef TLW_PLATFORM_FILE_H
#define TLW_PLATFORM_FILE_H

#include "platform/base.h"
#include "platform/result.h"

TLW_EXTERN_C_BEGIN

#define TLW_PATH_MAX 4096

// What went wrong, for a person: "cannot write 'out/a.tlw': No space left on device (write)".
typedef struct tlw_file_error {
    tlw_result result;
    int system_code; // errno or GetLastError
    char message[512];
} tlw_file_error;

// Memory for tlw_file_read: grows `old` (null at first) to new_bytes, keeping old_bytes of content;
// null if it cannot. new_bytes 0 gives it back.
typedef void* tlw_file_grow(void* old, size_t old_bytes, size_t new_bytes, void* user);

typedef struct tlw_file_read_def {
    const char* path;
    size_t limit_bytes; // a larger file is TLW_ERROR_TOO_LARGE
    tlw_file_grow* grow;
    void* user;
    uint32_t cookie;
} tlw_file_read_def;

tlw_file_read_def tlw_default_file_read_def(void);

// Reads all of it: regular files, pipes, whatever delivers bytes and then ends; short reads and
// interrupted calls are taken care of. On TLW_OK *bytes is the caller's (non-null even when *size
// is 0); on failure everything has been given back and *error says why. `error` may be null.
tlw_result tlw_file_read(const tlw_file_read_def* def, uint8_t** bytes, size_t* size,
                         tlw_file_error* error);

// Replaces a file as one step. At any moment, also if the process is killed or a call fails, `path`
// is the complete old file (or still absent) or the complete new one. The bytes go to a temporary
// file in the same folder, are synced, and are renamed over `path`. The old file's read, write and
// execute bits stay, its owner does not. A killed run leaves its temporary behind: the next
// replacement of the same path removes it, and never one that a living process is writing. A device
// or a pipe is written to directly. On POSIX a link is followed to its target; one that leads
// nowhere is refused. A file without write permission is refused, although renaming would work:
// version control marks files that way.
tlw_result tlw_file_replace(const char* path, const void* bytes, size_t size,
                            tlw_file_error* error);

// The same in pieces. After a failed write the rest is ignored and the commit returns the first
// error. Every begin that returned TLW_OK is ended by exactly one commit or abandon.
typedef struct tlw_file_writer {
    intptr_t handle;
    bool is_direct; // a device or pipe: no temporary, no rename
    char path[TLW_PATH_MAX];
    char temporary[TLW_PATH_MAX];
    tlw_file_error error;
} tlw_file_writer;

tlw_result tlw_file_writer_begin(tlw_file_writer* writer, const char* path);
tlw_result tlw_file_writer_write(tlw_file_writer* writer, const void* bytes, size_t size);
tlw_result tlw_file_writer_commit(tlw_file_writer* writer);
void tlw_file_writer_abandon(tlw_file_writer* writer);

TLW_EXTERN_C_END

#endif
