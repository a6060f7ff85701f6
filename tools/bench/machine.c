// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/bench/machine.h"

#include "platform/thread.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#if !TLW_OS_WINDOWS
#    include <unistd.h>
#endif
#if TLW_CPU_X64
#    include <cpuid.h>
#endif

// ---- Names

#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

const char* tlw_machine_compiler(void) {
#if defined(__clang__)
    return "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__);
#else
    return "gcc " TEXT(__GNUC__) "." TEXT(__GNUC_MINOR__) "." TEXT(__GNUC_PATCHLEVEL__);
#endif
}

void tlw_machine_cpu(char name[TLW_MACHINE_NAME_MAX]) {
    char text[TLW_MACHINE_NAME_MAX] = "";
#if TLW_CPU_X64
    uint32_t words[12];
    if ((uint32_t)__get_cpuid_max(0x80000000u, NULL) >= 0x80000004u) {
        for (uint32_t i = 0; i < 3; ++i) {
            uint32_t* w = words + i * 4;
            __get_cpuid(0x80000002u + i, &w[0], &w[1], &w[2], &w[3]);
        }
        memcpy(text, words, sizeof words);
    }
#elif TLW_CPU_ARM64
    strcpy(text, "64-bit ARM");
#endif
    // One space between words, none at the ends; nothing that JSON would have to escape.
    size_t used = 0;
    for (const char* at = text; *at; ++at) {
        const bool is_plain = *at > ' ' && *at <= '~' && *at != '"' && *at != '\\';
        if (is_plain || (used > 0 && name[used - 1] != ' ')) {
            name[used++] = is_plain ? *at : ' ';
        }
    }
    used -= used > 0 && name[used - 1] == ' ';
    name[used] = 0;
    if (used == 0) {
        strcpy(name, "unknown");
    }
}

void tlw_machine_file_name(const char* cpu, char name[TLW_MACHINE_NAME_MAX]) {
    static const char* const left_out[] = {"(r)", "(tm)", "cpu "};
    char lower[TLW_MACHINE_NAME_MAX];
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

// ---- Time

// A tick is 10 ms, and a tick too many or too few must not make a run noisy.
#define FEWEST_TICKS 60.0

double tlw_machine_cpu_ns(bool is_process) {
#if TLW_OS_WINDOWS
    (void)is_process;
    return (double)clock() * 1e9 / CLOCKS_PER_SEC;
#else
    struct timespec now;
    clock_gettime(is_process ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
#endif
}

// Linux: lines "cpu1 user nice system idle iowait irq softirq steal ..." of /proc/stat.
static bool read_ticks(tlw_machine_watch* watch) {
    tlw_core_set cores;
    FILE* file = tlw_thread_get_cores(&cores) ? fopen("/proc/stat", "r") : NULL;
    if (file == NULL) {
        return false;
    }
    char line[512];
    while (fgets(line, sizeof line, file)) {
        unsigned core;
        unsigned long long t[8];
        if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &core, &t[0], &t[1],
                   &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 9 ||
            core / 64 >= TLW_COUNT_OF(cores.words) || !(cores.words[core / 64] >> core % 64 & 1)) {
            continue;
        }
        const double busy = (double)(t[0] + t[1] + t[2] + t[5] + t[6]);
        watch->busy += busy;
        watch->stolen += (double)t[7];
        watch->all += busy + (double)(t[3] + t[4] + t[7]);
    }
    fclose(file);
    return watch->all > 0.0;
}

void tlw_machine_watch_begin(tlw_machine_watch* watch) {
    *watch = (tlw_machine_watch){0};
    watch->is_known = read_ticks(watch);
    watch->own_ns = tlw_machine_cpu_ns(true);
}

double tlw_machine_watch_others(const tlw_machine_watch* watch) {
#if TLW_OS_WINDOWS
    (void)watch;
    return -1.0;
#else
    tlw_machine_watch now;
    tlw_machine_watch_begin(&now);
    const double ticks = now.all - watch->all;
    if (!watch->is_known || !now.is_known || ticks < FEWEST_TICKS) {
        return -1.0;
    }
    const double own = (now.own_ns - watch->own_ns) * 1e-9 * (double)sysconf(_SC_CLK_TCK);
    const double others = now.busy - watch->busy - own + now.stolen - watch->stolen;
    return others > 0.0 ? others / ticks : 0.0;
#endif
}
