// SPDX-License-Identifier: MIT
// Reads the thread's and the process's CPU time, a probe of the core, and on Linux /proc/stat.
#define _DEFAULT_SOURCE // getrusage
#include "tools/bench/noise.h"

#include "platform/thread.h"
#include "tools/bench/bench.h"

#include <stdio.h>
#include <time.h>
#if !TLW_OS_WINDOWS
#    include <sys/resource.h>
#    include <unistd.h>
#endif

double tlw_noise_cpu_ns(bool is_process) {
#if TLW_OS_WINDOWS
    (void)is_process;
    return (double)clock() * 1e9 / CLOCKS_PER_SEC;
#else
    struct timespec now;
    clock_gettime(is_process ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
#endif
}

double tlw_noise_switches(void) {
#if TLW_OS_WINDOWS
    return 0.0;
#else
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_nivcsw : 0.0;
#endif
}

double tlw_noise_probe_ns(void) {
    enum { LANES = 64, ROUNDS = 400 };
    float x[LANES];
    for (int i = 0; i < LANES; ++i) {
        x[i] = (float)i * 0.01f;
    }
    const uint64_t start = tlw_clock_ns();
    for (int k = 0; k < ROUNDS; ++k) {
        for (int i = 0; i < LANES; ++i) {
            x[i] = x[i] * 0.99f + 0.01f;
        }
        tlw_bench_keep(x);
    }
    return (double)(tlw_clock_ns() - start);
}

static tlw_noise_system read_system(void) {
    tlw_noise_system system = {0};
#if TLW_OS_LINUX
    FILE* file = fopen("/proc/stat", "r");
    double user, nice, kernel, idle, waiting, irq, soft_irq, stolen;
    if (file) {
        system.is_known = fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &kernel,
                                 &idle, &waiting, &irq, &soft_irq, &stolen) == 8;
        fclose(file);
    }
    if (system.is_known) {
        const double tick_ns = 1e9 / (double)sysconf(_SC_CLK_TCK);
        system.busy_ns = (user + nice + kernel + irq + soft_irq) * tick_ns;
        system.stolen_ns = stolen * tick_ns;
        system.cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
    }
#endif
    return system;
}

void tlw_noise_begin(tlw_noise_watch* watch, uint32_t workers) {
    *watch = (tlw_noise_watch){.workers = workers, .quiet = tlw_noise_probe_ns()};
    for (int i = 0; i < 500 && workers == 1; ++i) {
        const double now = tlw_noise_probe_ns();
        watch->quiet = now < watch->quiet ? now : watch->quiet;
    }
    watch->start_ns = (double)tlw_clock_ns();
    watch->start_process_ns = tlw_noise_cpu_ns(true);
    watch->system = read_system();
}

void tlw_noise_frame_begin(tlw_noise_watch* watch) {
    watch->probe_before = watch->workers == 1 ? tlw_noise_probe_ns() : watch->quiet;
    watch->cpu_before = tlw_noise_cpu_ns(false);
    watch->wall_before = (double)tlw_clock_ns();
}

bool tlw_noise_frame_end(tlw_noise_watch* watch) {
    const double wall = (double)tlw_clock_ns() - watch->wall_before;
    const double cpu = tlw_noise_cpu_ns(false) - watch->cpu_before;
    const double after = watch->workers == 1 ? tlw_noise_probe_ns() : watch->quiet;
    watch->wall_ns += wall;
    watch->cpu_ns += cpu;
    watch->probe_ns += watch->probe_before + after;
    watch->frames += 1;
    return watch->workers > 1 || (cpu > 0.98 * wall && watch->probe_before < 1.1 * watch->quiet &&
                                  after < 1.1 * watch->quiet);
}

static double share(double part, double whole) {
    const double value = whole > 0.0 ? part / whole : 0.0;
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

tlw_noise tlw_noise_end(const tlw_noise_watch* watch) {
    tlw_noise noise = {0};
    const tlw_noise_system now = read_system();
    const double wall = (double)tlw_clock_ns() - watch->start_ns;
    if (watch->workers == 1) {
        noise.of_time = share(watch->wall_ns - watch->cpu_ns, watch->wall_ns);
        noise.of_core =
            share(watch->probe_ns - watch->quiet * 2.0 * (double)watch->frames, watch->probe_ns);
    }
    // The system counts in ticks of 10 ms, too coarse for shorter runs.
    if (now.is_known && watch->system.is_known && wall > 0.2e9) {
        noise.stolen = share(now.stolen_ns - watch->system.stolen_ns, wall * now.cores);
        // Others disturb the workers only where no free core is left for them.
        const double own = tlw_noise_cpu_ns(true) - watch->start_process_ns;
        const double their_cores = (now.busy_ns - watch->system.busy_ns - own) / wall;
        const double free_cores = larger(now.cores - watch->workers, 0.0);
        if (watch->workers > 1) {
            noise.of_time = share(their_cores - free_cores, watch->workers);
        }
    }
    noise.others = larger(larger(noise.of_time, noise.of_core), noise.stolen);
    noise.is_noisy = noise.others > TLW_BENCH_NOISY;
    return noise;
}

// ---- Our cores

// A tick is 10 ms. One tick too many or too few must not make a run noisy.
#define FEWEST_TICKS 60.0

// Linux: lines "cpu1 user nice system idle iowait irq softirq steal ..." of /proc/stat.
static bool read_ticks(tlw_noise_cores* watch) {
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

void tlw_noise_cores_begin(tlw_noise_cores* watch) {
    *watch = (tlw_noise_cores){0};
    watch->is_known = read_ticks(watch);
    watch->own_ns = tlw_noise_cpu_ns(true);
}

double tlw_noise_cores_others(const tlw_noise_cores* watch) {
#if TLW_OS_WINDOWS
    (void)watch;
    return -1.0;
#else
    tlw_noise_cores now;
    tlw_noise_cores_begin(&now);
    const double ticks = now.all - watch->all;
    if (!watch->is_known || !now.is_known || ticks < FEWEST_TICKS) {
        return -1.0;
    }
    const double own = (now.own_ns - watch->own_ns) * 1e-9 * (double)sysconf(_SC_CLK_TCK);
    const double others = now.busy - watch->busy - own + now.stolen - watch->stolen;
    return others > 0.0 ? others / ticks : 0.0;
#endif
}
