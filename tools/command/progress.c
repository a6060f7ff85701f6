// SPDX-License-Identifier: MIT
// Progress on stderr.
#include "tools/command/progress.h"

#include "platform/clock.h"

#if TLW_OS_WINDOWS
#    include <io.h>
#    define isatty _isatty
#    define fileno _fileno
#else
int isatty(int descriptor); // of POSIX, which -std=c11 hides
int fileno(FILE* file);
#endif

#define SILENCE_NS 5000000000u // a cook that is over sooner needs no lines in a log

tlw_progress tlw_progress_begin(const char* before) {
    const uint64_t now = tlw_clock_ns();
    return (tlw_progress){before, stderr, isatty(fileno(stderr)) != 0, tlw_clock_ns, now, now};
}

static void show_line(tlw_progress* p, const char* stage, double share) {
    const uint64_t now = p->clock_ns();
    if (share < 1.0 && now - p->said_ns >= SILENCE_NS) {
        p->said_ns = now;
        fprintf(p->out, "%s: %.0f%%, %s, %.0f s\n", p->before, share * 100.0, stage,
                (double)(now - p->began_ns) * 1e-9);
        fflush(p->out);
    }
}

void tlw_progress_show(const char* stage, double share, void* user) {
    tlw_progress* p = user;
    if (!p->is_terminal) {
        show_line(p, stage, share);
        return;
    }
    fprintf(p->out, "\r[%3.0f%%] %-24s", share * 100.0, stage);
    if (share >= 1.0) {
        fprintf(p->out, "\r%-32s\r", "");
    }
    fflush(p->out);
}
