// SPDX-License-Identifier: MIT
// Describes the CPU, the system and the build.
#include "tools/bench/machine.h"

#include "platform/thread.h"
#include "tools/bench/commit.h" // written by the build

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#if TLW_CPU_X64
#    include <cpuid.h>
#endif
#if !TLW_OS_WINDOWS
#    include <sys/utsname.h>
#endif

// CPU brand strings are padded with blanks, sometimes at the front.
static void trim(char* text) {
    const size_t skip = strspn(text, " ");
    memmove(text, text + skip, strlen(text) - skip + 1);
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' '; --length) {
        text[length - 1] = 0;
    }
}

static void name_cpu(char* out, size_t room) {
    char name[49] = "";
#if TLW_CPU_X64
    unsigned r[12];
    for (unsigned i = 0; i < 3; ++i) {
        if (!__get_cpuid(0x80000002u + i, &r[i * 4], &r[i * 4 + 1], &r[i * 4 + 2], &r[i * 4 + 3])) {
            memset(r, 0, sizeof r);
            break;
        }
    }
    memcpy(name, r, 48);
#elif TLW_CPU_ARM64
    strcpy(name, "64-bit ARM");
#endif
    trim(name);
    snprintf(out, room, "%s", name[0] ? name : "unknown");
}

static void name_system(char* out, size_t room) {
#if TLW_OS_WINDOWS
    snprintf(out, room, "Windows");
#else
    struct utsname u;
    if (uname(&u) == 0) {
        // Only the digits and dots of the release: "6.1.0" of "6.1.0-18-amd64".
        snprintf(out, room, "%.24s %.*s %.16s", u.sysname, (int)strspn(u.release, "0123456789."),
                 u.release, u.machine);
    } else {
        snprintf(out, room, "unknown");
    }
#endif
}

tlw_machine tlw_machine_describe(void) {
    tlw_machine machine = {
        .cores = tlw_core_count(), .build = TLW_BUILD_NAME, .commit = TLW_COMMIT};
    name_cpu(machine.cpu, sizeof machine.cpu);
    name_system(machine.system, sizeof machine.system);
#if defined(__clang__)
    snprintf(machine.compiler, sizeof machine.compiler, "clang %d.%d.%d", __clang_major__,
             __clang_minor__, __clang_patchlevel__);
#else
    snprintf(machine.compiler, sizeof machine.compiler, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__,
             __GNUC_PATCHLEVEL__);
#endif
    return machine;
}

void tlw_machine_file_name(const char* cpu, char name[96]) {
    static const char* const left_out[] = {"(r)", "(tm)", "cpu "};
    char lower[96];
    size_t length = 0;
    for (; cpu[length] && length + 1 < sizeof lower; ++length) {
        lower[length] = (char)tolower((unsigned char)cpu[length]);
    }
    lower[length] = 0;
    size_t used = 0;
    for (const char* at = lower; *at;) {
        size_t skipped = 0;
        for (size_t i = 0; i < TLW_COUNT_OF(left_out) && skipped == 0; ++i) {
            const size_t size = strlen(left_out[i]);
            skipped = strncmp(at, left_out[i], size) == 0 ? size : 0;
        }
        if (skipped > 0) {
            at += skipped;
            continue;
        }
        const bool is_kept = isalnum((unsigned char)*at) != 0;
        if (is_kept || (used > 0 && name[used - 1] != '-')) {
            name[used++] = is_kept ? *at : '-';
        }
        at += 1;
    }
    used -= used > 0 && name[used - 1] == '-';
    name[used] = 0;
}
