// SPDX-License-Identifier: MIT
// A scene, frame by frame: what every step took, pass by pass and character by character, what that
// amounts to, and whether it fits a budget. What --scene measures; files and report are made of it.
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
    const char* clip;       // null: the scene's
    uint32_t character_count, worker_count;
    uint32_t frame_count, warm_up_count;
    tlw_isa isa;
    bool is_drawn;                // positions and normals, as most engines ask for; true
    double budget_ms, percentile; // 0: no budget; percentile in (0, 100]
    uint32_t repeats;             // of the solver; 0: as it is
    tlw_clock* clock;             // null: the platform's
    void* clock_user;
    // For testing a gate: so long is spent in every frame, and booked on that pass. 0: not.
    double plant_us;
    tlw_pass plant_pass;
    tlw_file_writer* trace; // begun; null: none. The caller commits or abandons it.
} tlw_frames_def;

// One character of the scene, one worker, 300 frames after 30.
tlw_frames_def tlw_default_frames_def(const tlw_scene_entry* scene, const tlw_actor* actor);

typedef struct tlw_frame {
    double ms;                      // begin to end of the step
    double pass_ms[TLW_PASS_COUNT]; // summed over workers
    double outside_ms;              // workers x ms less all passes: poses, scheduling, waiting
    double slowest_ms;              // of its characters
    uint32_t slowest;
    uint32_t substeps, asleep_count;
    uint64_t voxel_substeps;
    tlw_step_flags flags;
    bool is_clean; // no other process was seen; of several workers it cannot be told: true
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
    float* character_ms; // frame by frame
    uint32_t worst_count;
    tlw_worst_of_frames worst[TLW_FRAMES_WORST]; // longest first
    tlw_bench_summary total, outside, character, passes[TLW_PASS_COUNT];
    tlw_bench_summary clean; // of one worker: frames in which no other process was seen
    double mean_ms, pass_mean_ms[TLW_PASS_COUNT], outside_mean_ms;
    double ns_per_voxel; // of the median frame that had a substep; 0: none had
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
// Fills everything that is made of `frames`; false: no memory.
bool tlw_frames_summarise(tlw_frames* frames);

typedef struct tlw_verdict {
    bool has_budget, is_met;
    double value_ms; // that percentile of the frames
    uint32_t over_count;
    tlw_pass largest_pass; // of the frames that are over, or of all where none is
    double largest_share;  // of all passes
    uint32_t worst_frame;
    double worst_ms;
} tlw_verdict;

// False: no memory.
bool tlw_frames_judge(const tlw_frames* frames, tlw_verdict* out);
// One line, as CI shows it.
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

// Short runs of the same scene: 1, 2, 4... characters, then 1, 2... workers. A point that would
// take long is left out.
tlw_scene_code tlw_frames_scale(const tlw_frames* frames, bool is_quick, tlw_scaling* out,
                                tlw_scene_error* error);

TLW_EXTERN_C_END

#endif
