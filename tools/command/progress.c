// SPDX-License-Identifier: MIT
// Progress on stderr, where that is a terminal.
#include "tools/command/progress.h"

#include <stdio.h>
#if TLW_OS_WINDOWS
#    include <io.h>
#    define isatty _isatty
#    define fileno _fileno
#else
int isatty(int descriptor); // of POSIX, which -std=c11 hides
int fileno(FILE* file);
#endif

bool tlw_progress_is_visible(void) {
    return isatty(fileno(stderr));
}

void tlw_progress_show(const char* stage, double share, void* user) {
    (void)user;
    fprintf(stderr, "\r[%3.0f%%] %-24s", share * 100.0, stage);
    if (share >= 1.0) {
        fprintf(stderr, "\r%-32s\r", "");
    }
    fflush(stderr);
}
