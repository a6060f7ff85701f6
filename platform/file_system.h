// SPDX-License-Identifier: MIT
// Private to platform: what file.c needs from the operating system, implemented by file_posix.c and
// file_win32.c.
#ifndef TLW_PLATFORM_FILE_SYSTEM_H
#define TLW_PLATFORM_FILE_SYSTEM_H

#include "platform/file.h"

// Fills *error, unless it is null, with "cannot <what> '<path>': <reason> (<call>)" and returns
// `result`. The reason is the system's text for system_code.
tlw_result tlw_file_fail(tlw_file_error* error, tlw_result result, const char* what,
                         const char* path, int system_code, const char* call);

// The system's text for an error code.
void tlw_system_error_text(int code, char* text, size_t bytes);

// Opens for reading. *size_hint is the length that the system reports, or 0 if it reports none.
tlw_result tlw_system_open(const char* path, intptr_t* handle, uint64_t* size_hint,
                           tlw_file_error* error);
// Reads at least one byte, unless the file ends. At its end *got is 0.
tlw_result tlw_system_read(intptr_t handle, const char* path, void* bytes, size_t size, size_t* got,
                           tlw_file_error* error);
void tlw_system_close(intptr_t handle);

// A stamp of what the system says of a file; never 0.
uint64_t tlw_file_stamp_of(const uint64_t* parts, size_t count);

// The steps of tlw_file_writer_commit_all. A writer whose handle is closed is left alone by
// tlw_file_writer_abandon.

// The bytes are on the disk. A device or a pipe is closed.
tlw_result tlw_system_sync(tlw_file_writer* writer);
// Gives the old file a second name, if there is an old file and the file system allows it.
void tlw_system_keep_old(tlw_file_writer* writer);
// The temporary becomes the target and stays open.
tlw_result tlw_system_publish(tlw_file_writer* writer);
// Takes that back: the old file is the target again, or there is none. Closes the writer.
void tlw_system_take_back(tlw_file_writer* writer);
// Closes the writer and syncs the folder.
tlw_result tlw_system_finish(tlw_file_writer* writer);
// Removes the second name of the old file.
void tlw_system_forget_old(tlw_file_writer* writer);

// A hash of a name (FNV-1a), for files that do not exist yet; never 0.
uint64_t tlw_file_name_hash(const char* name, bool ignores_case);

// All temporary files of one target share a prefix: ".tlw-" and a hash of the target's name. A
// hash, so that even the longest name that the file system allows can have a temporary file.
#define TLW_TEMPORARY_PREFIX_BYTES 24
void tlw_temporary_prefix(const char* target_name, char prefix[TLW_TEMPORARY_PREFIX_BYTES]);

#endif
