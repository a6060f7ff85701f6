// SPDX-License-Identifier: MIT
// Measures a scene frame by frame: what every step took, per pass and per character, the statistics
// of that, and whether it fits a budget. This is what --scene measures, and what the files and the
// report are made from.
//
//     catalogue -> tlw_frames_measure -> tlw_frames -> table, CSV, JSON, HTML, verdict
#ifndef TLW_TOOLS_BENCH_FRAMES_H
#define TLW_TOOLS_BENCH_FRAMES_H

#include "platform/file.h"
#include "tools/bench/bench.h"
#include "tools/bench/noise.h"
#include "tools/command/trace.h"
#include "tools/scene/catalogue.h"

TLW_EXTERN_C_BEGIN

#define TLW_FRAME_HZ          60.0
#define TLW_FRAMES_MAX        100000u
#define TLW_FRAMES_CHARACTERS 10000u
#define TLW_FRAMES_WORKERS    256u
#define TLW_FRAMES_WORST      5u

typedef struct tlw_frames_def {
    uint32_t cookie;
    const tlw_scene_entry* scene;
    const tlw_actor* actor; // outlives the result
    const char* clip;       // null: the scene's clip
    uint32_t character_count, worker_count;
    uint32_t frame_count, warm_up_count;
    tlw_isa isa;
    bool has_output;              // positions and normals, as most engines ask for; true
    tlw_output output;            // how they are embedded; without streams
    tlw_scene_volume volume;      // whether skinned volume is on; cooked
    double budget_ms, percentile; // 0: no budget; percentile in (0, 100]
    uint32_t repeats;             // of the solver; 0: as the character has it
    tlw_clock* clock;             // null: the platform's
    void* clock_user;
    // To test a gate: this time is spent in every frame and counted for that pass. 0: none.
    double plant_us;
    tlw_pass plant_pass;
    tlw_file_writer* trace; // begun; null: none. The caller commits or abandons it.
} tlw_frames_def;

// The scene's number of characters, one worker, 300 frames after 30 that warm up.
tlw_frames_def tlw_default_frames_def(const tlw_scene_entry* scene, const tlw_actor* actor);

typedef struct tlw_frame {
    double ms;                      // begin to end of the step
    double pass_ms[TLW_PASS_COUNT]; // summed over workers
    double outside_ms;              // workers x ms less all passes: poses, scheduling, waiting
    double slowest_ms;              // the slowest character's step
    uint32_t slowest;
    uint32_t substeps, asleep_count;
    uint64_t voxel_substeps;
    tlw_step_flags flags;
    bool is_clean; // no other process was seen; always true with several workers, which hide it
    size_t scratch_bytes;
} tlw_frame;

// A character in one of the worst frames.
typedef struct tlw_frame_character {
    double ms, pass_ms[TLW_PASS_COUNT];
    bool was_split;
} tlw_frame_character;

typedef struct tlw_worst_of_frames {
    uint32_t frame;
    double ms;
    tlw_frame_character* characters;
} tlw_worst_of_frames;

typedef struct tlw_frames {
    tlw_frames_def def;
    const char* clip;
    uint32_t count;
    tlw_frame* frames;
    float* character_ms; // [frame][character]
    uint32_t worst_count;
    tlw_worst_of_frames worst[TLW_FRAMES_WORST]; // longest first
    tlw_bench_summary total, outside, character, passes[TLW_PASS_COUNT];
    tlw_bench_summary clean; // with one worker: of the frames in which no other process was seen
    double mean_ms, pass_mean_ms[TLW_PASS_COUNT], outside_mean_ms;
    double ns_per_voxel; // median over frames that had a substep; 0: none had
    tlw_noise noise;
    bool is_pinned;
    size_t world_bytes, character_bytes, scratch_bytes; // of one character; of one worker
    tlw_trace_report trace;
} tlw_frames;

// Free it in either case.
tlw_scene_code tlw_frames_measure(const tlw_frames_def* def, tlw_frames* out,
                                  tlw_scene_error* error);
void tlw_frames_free(tlw_frames* frames);

// ---- Statistics (frame_stats.c)

// The smallest sample that at least `percent` of all samples do not exceed. `sorted` is ascending.
double tlw_percentile(const double* sorted, size_t count, double percent);
// Fills every field that is computed from `frames`. False: no memory.
bool tlw_frames_summarise(tlw_frames* frames);

typedef struct tlw_verdict {
    bool has_budget, is_met;
    double value_ms; // that percentile of the frames
    uint32_t over_count;
    tlw_pass largest_pass; // in the frames that are over budget, or in all where none is
    double largest_share;  // of the time of all passes
    uint32_t worst_frame;
    double worst_ms;
} tlw_verdict;

// False: no memory.
bool tlw_frames_judge(const tlw_frames* frames, tlw_verdict* out);
// The verdict as one line for a log.
void tlw_verdict_text(const tlw_frames* frames, const tlw_verdict* verdict, char* text,
                      size_t room);

// ---- Scaling (frame_scaling.c)

#define TLW_SCALING_POINTS 12u

typedef struct tlw_scaling_point {
    uint32_t count; // of characters, or of workers
    double ms;      // median frame
} tlw_scaling_point;

typedef struct tlw_scaling {
    uint32_t character_points, worker_points;
    tlw_scaling_point characters[TLW_SCALING_POINTS], workers[TLW_SCALING_POINTS];
    uint32_t crowd; // characters that the workers shared
    bool is_measured;
} tlw_scaling;

// Short runs of the same scene with 1, 2, 4, ... characters, then with 1, 2, ... workers. A point
// that would take too long is left out.
tlw_scene_code tlw_frames_scale(const tlw_frames* frames, bool is_quick, tlw_scaling* out,
                                tlw_scene_error* error);

TLW_EXTERN_C_END

#endif
