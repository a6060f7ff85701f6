// SPDX-License-Identifier: MIT
// How much of a run others took, so that a disturbed run can be called noisy. Others are processes
// that ran while this thread was ready, neighbours on the same core, and the hypervisor.
#ifndef TLW_TOOLS_BENCH_NOISE_H
#define TLW_TOOLS_BENCH_NOISE_H

#include "platform/base.h"

TLW_EXTERN_C_BEGIN

typedef struct tlw_noise {
    double others; // the largest of the next three, each a share from 0 to 1
    double of_time, of_core, stolen;
    bool is_noisy; // above TLW_BENCH_NOISY
} tlw_noise;

typedef struct tlw_noise_system {
    double busy_ns, stolen_ns; // of all cores, since the machine started
    double cores;              // of the machine, not only those of this process
    bool is_known;
} tlw_noise_system;

typedef struct tlw_noise_watch {
    uint32_t workers;
    double quiet; // what an undisturbed probe takes
    double cpu_ns, wall_ns, probe_ns;
    uint64_t frames;
    double cpu_before, wall_before, probe_before;
    double start_ns, start_process_ns;
    tlw_noise_system system;
} tlw_noise_watch;

// Takes some milliseconds to find out what an undisturbed probe takes.
void tlw_noise_begin(tlw_noise_watch* watch, uint32_t workers);
void tlw_noise_frame_begin(tlw_noise_watch* watch);
// Whether the frame was undisturbed. With several workers that is not known: true.
bool tlw_noise_frame_end(tlw_noise_watch* watch);
tlw_noise tlw_noise_end(const tlw_noise_watch* watch);

// CPU time of all threads of this process, or of the calling thread alone.
double tlw_noise_cpu_ns(bool is_process);
// How often a thread of this process was interrupted for another one that was ready (involuntary
// context switches); 0 where the system does not count them.
double tlw_noise_switches(void);
// A probe: the time of a fixed piece of work that keeps the core's multipliers busy. A neighbour on
// the same core slows it down, which no clock of this process would show.
double tlw_noise_probe_ns(void);

// The cores that this process may use: how busy they are, and how much of that is our own doing.
typedef struct tlw_noise_cores {
    bool is_known;
    double own_ns;
    double busy, stolen, all; // the system's ticks
} tlw_noise_cores;

void tlw_noise_cores_begin(tlw_noise_cores* watch);
// Share of those cores' time that other processes and the hypervisor took since then; below 0 if
// that is not known, or the time was too short to tell.
double tlw_noise_cores_others(const tlw_noise_cores* watch);

TLW_EXTERN_C_END

#endif
