// SPDX-License-Identifier: MIT
// How sections time characters. Things that are compared are measured in turns, round by round, and
// the best round of each counts. Frames in which another process ran, or kept the core busy, are
// left out where enough others are left. So a machine that is busy for a second spoils no ratio; a
// machine that is always busy does, and the run is called noisy.
#ifndef TLW_TOOLS_BENCH_MEASURE_H
#define TLW_TOOLS_BENCH_MEASURE_H

#include "platform/thread.h"
#include "tools/bench/bench.h"
#include "tools/scene/scene.h"

#define TLW_BENCH_FRAME_SECONDS (1.0 / 60.0)
#define TLW_BENCH_FRAMES_MAX    240u
#define TLW_BENCH_ROUNDS_MAX    45u
#define TLW_BENCH_ITERATIONS    2u // of the region's rotation

// Keeps the calling thread on its core.
typedef struct tlw_bench_core {
    tlw_core_set cores;
    bool is_pinned;
} tlw_bench_core;

void tlw_bench_pin(tlw_bench_core* core);
void tlw_bench_unpin(tlw_bench_core* core);

// Watches whether other processes disturb frames on one thread.
typedef struct tlw_bench_watch {
    double cpu, wall, probes;
    size_t frames;
    double cpu_before, wall_before, probe_before;
} tlw_bench_watch;

void tlw_bench_watch_begin(tlw_bench_watch* watch);
// Returns the frame's nanoseconds on this thread, and whether it had the core to itself.
double tlw_bench_watch_end(tlw_bench_watch* watch, bool* is_clean);
// Share of the time, or of the core, that other processes took.
double tlw_bench_watch_others(const tlw_bench_watch* watch);

// The frames of the best round of one scene.
typedef struct tlw_bench_measured {
    double frame_ms[TLW_BENCH_FRAMES_MAX]; // a whole step of the world
    double step[TLW_BENCH_FRAMES_MAX];     // all but embed; nanoseconds per voxel and substep
    double passes[TLW_PASS_COUNT][TLW_BENCH_FRAMES_MAX]; // the same for each pass
    bool is_clean[TLW_BENCH_FRAMES_MAX];
    size_t count;  // 0: no round yet
    double median; // of frame_ms
    double others;
} tlw_bench_measured;

// Leaves out disturbed frames, and keeps the round if it is better.
void tlw_bench_keep_round(tlw_bench_measured* best, tlw_bench_measured* now);
// Measures a round of frames of a scene whose tasks run on this thread, and keeps it if it is
// better.
void tlw_bench_measure(tlw_scene* scene, size_t frames, tlw_bench_measured* best);

// A row of a table whose rows are measured in turns.
typedef struct tlw_bench_contender {
    char name[64]; // of the row of its frame times
    tlw_actor actor;
    tlw_scene* scene;
    tlw_bench_measured best;
    double ms; // median of the frame times of the best round
} tlw_bench_contender;

// Opens the actor's scene with positions and normals as output. False: the failure has been
// reported.
bool tlw_bench_open_contender(tlw_bench* bench, tlw_bench_contender* contender);
// Measures all of them in turns, then reports the frame times of the best round of each as a row in
// milliseconds.
void tlw_bench_measure_in_turns(tlw_bench* bench, tlw_bench_contender* of, size_t count);
void tlw_bench_close_contenders(tlw_bench_contender* of, size_t count);

// Scenes of which a ratio is wanted. Each has a turn of `frames` frames in every round, so that all
// meet the same disturbances. A turn is long enough for a busy machine to disturb it, but machines
// are busy for a while and quiet for a while: the cores are probed around every turn, and rounds go
// on until enough of them were clean, or too many were not.
typedef struct tlw_bench_turns {
    tlw_scene* scene;
    size_t frames;
} tlw_bench_turns;

#define TLW_BENCH_THINGS_MAX 8u
#define TLW_BENCH_PATIENCE   8u // most rounds to try for each round that is wanted

// Nanoseconds per voxel and substep: of this thread's CPU time, or of the clock if there are
// workers.
typedef struct tlw_bench_rounds {
    double ns[TLW_BENCH_THINGS_MAX][TLW_BENCH_ROUNDS_MAX * TLW_BENCH_PATIENCE];
    size_t count; // rounds in `ns`: clean ones, or the least disturbed where too few are clean
    size_t clean, taken;
    double others; // share that others took in these rounds, or the share of disturbed rounds
} tlw_bench_rounds;

// Takes rounds until `wanted` were clean. With --quick it takes two, clean or not.
void tlw_bench_take_rounds(const tlw_bench* bench, const tlw_bench_turns* of, size_t count,
                           bool is_wall, size_t wanted, tlw_bench_rounds* rounds);

// Characters. tlw_bench_fail reports a character that cannot be made.
bool tlw_bench_make_actor(tlw_bench* bench, const char* sample, const tlw_cook_recipe* recipe,
                          tlw_actor* actor);
// A sample at a resolution, with defaults for everything else.
bool tlw_bench_make_sample(tlw_bench* bench, const char* sample, uint32_t resolution,
                           tlw_actor* actor);
// One dancing character, tasks on this thread, no output.
tlw_scene_def tlw_bench_scene_def(const tlw_actor* actor);
// Opens and starts the scene. Null: the failure has been reported.
tlw_scene* tlw_bench_open(tlw_bench* bench, const tlw_scene_def* def);

tlw_bench_about tlw_bench_target(tlw_bench_bound bound, double target, double others);
tlw_bench_about tlw_bench_noise(double others);

#endif
