// SPDX-License-Identifier: MIT
// replace_file PATH BYTE PIECES: replaces PATH by PIECES pieces of 64 KiB that are full of BYTE.
// replace_faults.sh interrupts this program at every system call.
#include "platform/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    static uint8_t piece[64 * 1024];
    static tlw_file_writer writer;
    if (argc != 4) {
        return 2;
    }
    memset(piece, argv[2][0], sizeof piece);
    tlw_result result = tlw_file_writer_begin(&writer, argv[1]);
    if (result == TLW_OK) {
        for (int left = atoi(argv[3]); left > 0; --left) {
            (void)tlw_file_writer_write(&writer, piece, sizeof piece);
        }
        result = tlw_file_writer_commit(&writer);
    }
    if (result != TLW_OK) {
        fprintf(stderr, "%s\n", writer.error.message);
    }
    return result == TLW_OK ? 0 : 1;
}
