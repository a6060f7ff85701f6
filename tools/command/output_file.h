// SPDX-License-Identifier: MIT
// A file that a command writes. It is replaced as one step (platform/file.h), and every error is
// said on stderr. A command begins its files before it works, so that a path that cannot be written
// is reported at once; it commits them when everything went well, and abandons them in any case:
// that does nothing to a file that was committed or never begun.
#ifndef TLW_TOOLS_COMMAND_OUTPUT_FILE_H
#define TLW_TOOLS_COMMAND_OUTPUT_FILE_H

#include "platform/file.h"
#include "tools/command/command.h"
#include "tools/command/text.h"

TLW_EXTERN_C_BEGIN

// Zeroed at first. Large: keep it out of the stack.
typedef struct tlw_output_file {
    bool is_begun;
    tlw_file_writer writer;
} tlw_output_file;

// Each returns TLW_EXIT_OK, or TLW_EXIT_CANNOT_WRITE after saying why.

// `path` null: there is no such file to write, and nothing happens.
tlw_exit_code tlw_output_file_begin(const tlw_command* command, tlw_output_file* file,
                                    const char* path);
// Reports the first write that failed, too. A file that was not begun is left alone.
tlw_exit_code tlw_output_file_commit(const tlw_command* command, tlw_output_file* file);
// Commits several, all of them or none (tlw_file_writer_commit_all). At most
// TLW_OUTPUT_FILES_MAX; those that were not begun are left alone.
#define TLW_OUTPUT_FILES_MAX 8
tlw_exit_code tlw_output_files_commit(const tlw_command* command, tlw_output_file* files,
                                      size_t count);
// Writes the text and commits.
tlw_exit_code tlw_output_file_commit_text(const tlw_command* command, tlw_output_file* file,
                                          const tlw_text* text);
// For functions that commit the writer themselves: takes their result.
tlw_exit_code tlw_output_file_committed(const tlw_command* command, tlw_output_file* file,
                                        tlw_result result);
// Says "cannot write 'PATH': WHY" and abandons the file.
tlw_exit_code tlw_output_file_fail(const tlw_command* command, tlw_output_file* file,
                                   const char* why);
// Flushes stdout, and reports a write to it that failed.
tlw_exit_code tlw_output_flush(const tlw_command* command);

void tlw_output_file_abandon(tlw_output_file* file);

TLW_EXTERN_C_END

#endif
