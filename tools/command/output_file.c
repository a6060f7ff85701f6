// SPDX-License-Identifier: MIT
// Files that are begun early, and committed or abandoned at the end.
#include "tools/command/output_file.h"

#include "platform/handlers.h"

tlw_exit_code tlw_output_file_begin(const tlw_command* command, tlw_output_file* file,
                                    const char* path) {
    if (path == NULL) {
        return TLW_EXIT_OK;
    }
    if (tlw_file_writer_begin(&file->writer, path) != TLW_OK) {
        return tlw_command_fail(command, TLW_EXIT_CANNOT_WRITE, "%s", file->writer.error.message);
    }
    file->is_begun = true;
    return TLW_EXIT_OK;
}

tlw_exit_code tlw_output_file_committed(const tlw_command* command, tlw_output_file* file,
                                        tlw_result result) {
    file->is_begun = false;
    return result == TLW_OK
               ? TLW_EXIT_OK
               : tlw_command_fail(command, TLW_EXIT_CANNOT_WRITE, "%s", file->writer.error.message);
}

tlw_exit_code tlw_output_file_commit(const tlw_command* command, tlw_output_file* file) {
    return file->is_begun
               ? tlw_output_file_committed(command, file, tlw_file_writer_commit(&file->writer))
               : TLW_EXIT_OK;
}

tlw_exit_code tlw_output_files_commit(const tlw_command* command, tlw_output_file* files,
                                      size_t count) {
    tlw_file_writer* writers[TLW_OUTPUT_FILES_MAX];
    size_t begun = 0, failed;
    TLW_ASSERT(count <= TLW_OUTPUT_FILES_MAX);
    for (size_t i = 0; i < count; ++i) {
        if (files[i].is_begun) {
            files[i].is_begun = false;
            writers[begun++] = &files[i].writer;
        }
    }
    return tlw_file_writer_commit_all(writers, begun, &failed) == TLW_OK
               ? TLW_EXIT_OK
               : tlw_command_fail(command, TLW_EXIT_CANNOT_WRITE, "%s",
                                  writers[failed]->error.message);
}

tlw_exit_code tlw_output_file_commit_text(const tlw_command* command, tlw_output_file* file,
                                          const tlw_text* text) {
    if (text->out_of_memory) {
        return tlw_output_file_fail(command, file, "out of memory");
    }
    if (text->used > 0) {
        (void)tlw_file_writer_write(&file->writer, text->bytes,
                                    text->used); // the commit reports a failed write
    }
    return tlw_output_file_commit(command, file);
}

tlw_exit_code tlw_output_file_fail(const tlw_command* command, tlw_output_file* file,
                                   const char* why) {
    tlw_output_file_abandon(file);
    return tlw_command_fail(command, TLW_EXIT_CANNOT_WRITE, "cannot write '%s': %s",
                            file->writer.path, why);
}

tlw_exit_code tlw_output_flush(const tlw_command* command) {
    return fflush(stdout) == 0 && !ferror(stdout)
               ? TLW_EXIT_OK
               : tlw_command_fail(command, TLW_EXIT_CANNOT_WRITE,
                                  "cannot write the standard output");
}

void tlw_output_file_abandon(tlw_output_file* file) {
    if (file->is_begun) {
        file->is_begun = false;
        tlw_file_writer_abandon(&file->writer);
    }
}
