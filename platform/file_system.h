// SPDX-License-Identifier: MIT
// What file.c needs from the operating system: file_posix.c and file_win32.c. Private to platform.
#ifndef TLW_PLATFORM_FILE_SYSTEM_H
#define TLW_PLATFORM_FILE_SYSTEM_H

#include "platform/file.h"

// Fills *error (null: does nothing) with "cannot <what> '<path>': <reason of code> (<call>)" and
// returns `result`.
tlw_result tlw_file_fail(tlw_file_error* error, tlw_result result, const char* what,
                         const char* path, int system_code, const char* call);

// The system's words for an error code.
void tlw_system_error_text(int code, char* text, size_t bytes);

// Opens for reading; *size_hint is what the system says of its length, 0 if nothing.
tlw_result tlw_system_open(const char* path, intptr_t* handle, uint64_t* size_hint,
                           tlw_file_error* error);
// At least one byte unless the file ends; *got 0 at its end.
tlw_result tlw_system_read(intptr_t handle, const char* path, void* bytes, size_t size, size_t* got,
                           tlw_file_error* error);
void tlw_system_close(intptr_t handle);

// Temporaries of one target share a prefix: ".tlw-" and a hash of the target's own name, so that
// the longest name that the file system takes still has one.
#define TLW_TEMPORARY_PREFIX_BYTES 24
void tlw_temporary_prefix(const char* target_name, char prefix[TLW_TEMPORARY_PREFIX_BYTES]);

#endif
