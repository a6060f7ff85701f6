// SPDX-License-Identifier: MIT
// replace_file BYTE PIECES PATH...: replaces each PATH, all of them or none, by PIECES pieces of
// 64 KiB that are full of BYTE. replace_faults.sh interrupts this program at every system call.
#include "platform/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 4

int main(int argc, char** argv) {
    static uint8_t piece[64 * 1024];
    static tlw_file_writer writers[FILES_MAX];
    tlw_file_writer* all[FILES_MAX];
    size_t count = argc > 3 ? (size_t)argc - 3 : 0, failed = 0;
    if (count == 0 || count > FILES_MAX) {
        return 2;
    }
    memset(piece, argv[1][0], sizeof piece);
    tlw_result result = TLW_OK;
    size_t begun = 0;
    for (; begun < count && result == TLW_OK; ++begun) {
        all[begun] = &writers[begun];
        failed = begun;
        result = tlw_file_writer_begin(all[begun], argv[3 + begun]);
        for (int left = atoi(argv[2]); left > 0 && result == TLW_OK; --left) {
            (void)tlw_file_writer_write(all[begun], piece, sizeof piece); // the commit returns it
        }
    }
    if (result == TLW_OK) {
        result = tlw_file_writer_commit_all(all, count, &failed);
    } else {
        for (size_t i = 0; i + 1 < begun; ++i) {
            tlw_file_writer_abandon(all[i]);
        }
    }
    if (result != TLW_OK) {
        fprintf(stderr, "%s\n", writers[failed].error.message);
    }
    return result == TLW_OK ? 0 : 1;
}
