// SPDX-License-Identifier: MIT
// Experiments on a character and the numbers that they give: how far tissue swings after a stop,
// how fast and how long, how much of a walk's bob reaches each place of the body, how far layers
// move apart. Figures, tests and viewers take their experiments from here, so that a number in one
// of them means the same in the others.
//
//     tlw_motion_def def = tlw_default_motion_def();
//     def.actor = &actor;
//     tlw_motion* motion;
//     tlw_motion_open(&def, &motion, &error);
//     const tlw_motion_experiment stop = tlw_default_motion_experiment(TLW_MOTION_STOP);
//     tlw_motion_numbers numbers;
//     tlw_motion_run(motion, &stop, NULL, &numbers, &error);
//     printf("%.1f%% of L\n", 100 * numbers.places[TLW_MOTION_BELLY].overshoot);
//     tlw_motion_close(motion);
//
// Lengths are shares of L, the character's longest extent, so that characters of any size and
// resolution compare; TLW_MOTION_MM turns a share into the millimetres of a character of 1.7 m.
#ifndef TLW_TOOLS_MOTION_MOTION_H
#define TLW_TOOLS_MOTION_MOTION_H

#include "tools/scene/actor.h"

#include <stdio.h>

TLW_EXTERN_C_BEGIN

#define TLW_MOTION_HEIGHT_MM 1700.0
// Millimetres on a character of 1.7 m.
#define TLW_MOTION_MM(share) ((share)*TLW_MOTION_HEIGHT_MM)

// ---- What is tried

// What the soft layers of every part that is not firm are made of; each layer keeps its place.
#define TLW_MOTION_LAYER_TABLE(X)                                                  \
    X(MULTI, "multi", "each layer has its own values")                             \
    X(SINGLE, "single", "every layer has those of muscle, the layer next to bone") \
    X(FAT, "fat", "every layer has those of fat, the layer below the skin")        \
    X(NO_SKIN, "no skin", "the outermost layer has those of fat, the others their own")

typedef enum tlw_motion_layers {
#define TLW_MOTION_LAYER_ENUM(id, name, what) TLW_MOTION_##id,
    TLW_MOTION_LAYER_TABLE(TLW_MOTION_LAYER_ENUM)
#undef TLW_MOTION_LAYER_ENUM
        TLW_MOTION_LAYERS_COUNT
} tlw_motion_layers;

const char* tlw_motion_layers_name(tlw_motion_layers layers);

// The defaults are those of tlw_default_motion_def.
typedef struct tlw_motion_def {
    const tlw_actor* actor;   // must be set; outlives the motion
    tlw_preset preset;        // TLW_PRESET_COOKED
    tlw_motion_layers layers; // TLW_MOTION_MULTI
    // False: firm parts take the materials of the whole character. Parts that the recipe set keep
    // theirs. True.
    bool has_firm_parts;
    // False: the volume pass moves nothing. The runtime has no switch for that; the motion steps a
    // copy of the blob whose volume weights are 0 (MODEL 3.5: w_j = 0 for every voxel). True.
    bool has_volume;
    bool has_limit; // false: a limit scale of 1e9 in every material, which is no limit; true
    // Not null: one material per layer of the blob, for all parts, firm ones among them. Layers and
    // firm parts above are then not looked at. Null.
    const tlw_material* materials;
    double substep_seconds; // 1/60
    // What the subject's world and character have room for, as in their defs; 0.
    uint32_t collider_capacity, contact_capacity, drag_capacity;
    bool has_pose_filter; // the filter of MODEL 4.10, with its default values; false
    // As in tlw_world_def, for reports: without a clock they show no times. Null, 0 (the default).
    tlw_clock* clock;
    double budget_ms;
    const tlw_task_system* tasks; // read by tlw_motion_open; null: everything runs on your thread
} tlw_motion_def;

tlw_motion_def tlw_default_motion_def(void);

// ---- Places of the body

// Soft voxels, each of the joint that has its largest weight (the first of equals). A word of a
// joint's name is a run of letters; a capital after a small letter begins a new one, and so does
// the last capital of a run that a small letter follows ("LHand" is "l", "hand"). A joint takes
// the place of the nearest joint upwards, itself among them, whose name has a word of the list.
//
//     belly     the trunk below the chest: joints named hip, pelvis, spine, torso, belly, waist,
//               abdomen or trunk, but of joints in a chain that share one of these words the first
//               two only (Spine2 of Spine, Spine1, Spine2 is the chest)
//     head      joints named head, skull, face or jaw, but not ears; without any, the highest leaf
//               joint below a neck
//     hand      joints named hand, wrist, finger, thumb or forearm, because many rigs have no joint
//               but the forearm's there; without any, the last joint of each chain whose names
//               have the word arm
//     thigh     joints named thigh or upleg; without any, the first joint of each chain whose
//               names have the word leg
//     foot      joints named foot, ankle, toe, paw or hoof; without any, the last joint of each
//               chain whose names have the word leg
//     belly fat the belly's voxels of the layers between muscle and skin
//     body      all soft voxels
#define TLW_MOTION_PLACE_TABLE(X) \
    X(BELLY, "belly")             \
    X(BELLY_FAT, "belly fat")     \
    X(HEAD, "head")               \
    X(HAND, "hand")               \
    X(THIGH, "thigh")             \
    X(FOOT, "foot")               \
    X(BODY, "body")

typedef enum tlw_motion_place {
#define TLW_MOTION_PLACE_ENUM(id, name) TLW_MOTION_##id,
    TLW_MOTION_PLACE_TABLE(TLW_MOTION_PLACE_ENUM)
#undef TLW_MOTION_PLACE_ENUM
        TLW_MOTION_PLACE_COUNT
} tlw_motion_place;

const char* tlw_motion_place_name(tlw_motion_place place);

// ---- Subjects

// A character in a world of its own.
typedef struct tlw_motion {
    tlw_motion_def def;
    tlw_world* world;
    tlw_character_id id; // for outputs and anything else of the public interface
    uint32_t voxel_count;
    double extent_voxels;   // L
    double voxel_metres;    // edge of a voxel
    const uint8_t* layers;  // of each voxel; 0 is bone
    const uint32_t* joints; // of each voxel: the joint of its largest weight
    // Element 27 * voxel + cell: the voxel in a cell around it along x, y and z
    // (runtime/lattice.h), TLW_NO_INDEX where there is no link.
    const uint32_t* around;
    tlw_voxel_state* voxels;   // as tlw_motion_read found them
    float* pose_joints;        // 16 floats per joint: the pose that tlw_motion_step sets
    tlw_root root;             // likewise
    bool is_jump;              // likewise; false after each step
    tlw_step_flags flags_seen; // flags of all steps since the last reset
    struct tlw_motion_private* own;
} tlw_motion;

// On failure *out is null and the error, which may be null, says why. Close takes null.
tlw_scene_code tlw_motion_open(const tlw_motion_def* def, tlw_motion** out, tlw_scene_error* error);
void tlw_motion_close(tlw_motion* motion);

// Voxels of a place, ascending; *count may be 0.
const uint32_t* tlw_motion_place_voxels(const tlw_motion* motion, tlw_motion_place place,
                                        uint32_t* count);

// The bind pose with the root at the origin, at rest.
void tlw_motion_reset(tlw_motion* motion);
// Puts the character on pose_joints and root, at rest, and forgets flags_seen.
void tlw_motion_settle(tlw_motion* motion);
// Sets the joints of a clip at a time for the next step; TLW_ASSET_NONE is the bind pose.
void tlw_motion_pose(tlw_motion* motion, uint32_t clip, double seconds);
// Sets the pose and steps the world by dt.
tlw_step_flags tlw_motion_step(tlw_motion* motion, double dt);
// Reads all voxels.
void tlw_motion_read(tlw_motion* motion);

// Numbers of the voxels that were read. Mean of p - p_skin over a place, in voxels; 0 if it has
// none.
void tlw_motion_mean_deviation(const tlw_motion* motion, tlw_motion_place place, double mean[3]);
// The largest |p - p_skin|, in voxels.
double tlw_motion_largest_deviation(const tlw_motion* motion);
// V of a voxel as MODEL 3.5 has it, 1 at rest; of its skinned place and that of its neighbours, or
// of where they are.
double tlw_motion_voxel_volume(const tlw_motion* motion, uint32_t voxel, bool is_skinned);
// Mean |V - 1| over the soft voxels.
double tlw_motion_volume_error(const tlw_motion* motion);
// How uneven the surface is: root mean square over the voxels of the outermost layer of the
// distance between a voxel and its place in the rigid fit of its region (MODEL 3.6, R of the
// runtime), in voxels.
double tlw_motion_residual(const tlw_motion* motion);

// ---- Experiments

// STOP  the root moves along an axis at a constant speed until nothing lags any more, and stops
//       dead
// BOB   the root moves up and down
// CLIP  a clip plays in place
typedef enum tlw_motion_kind { TLW_MOTION_STOP, TLW_MOTION_BOB, TLW_MOTION_CLIP } tlw_motion_kind;

typedef struct tlw_motion_experiment {
    tlw_motion_kind kind;
    double direction[3];    // STOP: +z, the way that characters face. BOB: +y
    double speed;           // STOP: L per second, 0.95
    double amplitude, hz;   // BOB: in L, 45 mm of 1.7 m; 2.8 Hz
    uint32_t clip;          // CLIP: 0, the first
    double before_seconds;  // moves before it is measured: 3, CLIP 1
    double measure_seconds; // 1.5, BOB 2.5 (7 periods), CLIP 3
} tlw_motion_experiment;

tlw_motion_experiment tlw_default_motion_experiment(tlw_motion_kind kind);
// CLIP, with the liveliest clip that the actor has: named run, dance, walk (any case), or the
// first one.
tlw_motion_experiment tlw_motion_clip_experiment(const tlw_actor* actor);

// What an experiment showed, step by step; steps are substeps. Free it with tlw_motion_trace_free.
typedef struct tlw_motion_trace {
    uint32_t step_count;
    double step_seconds;
    // Element 3 * step: mean deviation in shares of L.
    double* means[TLW_MOTION_PLACE_COUNT];
    // Deviation of each voxel in shares of L, element 3 * (step * voxel_count + voxel).
    float* deviations;
    uint32_t voxel_count;
} tlw_motion_trace;

void tlw_motion_trace_free(tlw_motion_trace* trace);

typedef struct tlw_motion_place_numbers {
    // STOP only; 0 otherwise. The largest mean deviation along the motion, in L.
    double overshoot;
    // Both are measured on the first two peaks of |mean| after the stop, which are half a period
    // apart. A parabola through three steps places each peak. The half-life is the time in which a
    // line through the logarithms of their heights falls by half. Later peaks are not looked at,
    // because what is left then is often another mode. 0 with fewer than two peaks.
    double hertz, half_life_seconds;
    // Each voxel's largest |deviation|, 90th percentile over the voxels of the place, in L.
    double peak;
    // Root mean square of |deviation| over voxels and time, in L.
    double rms;
    // Mean of |deviation| over voxels and time, in L.
    double lag;
} tlw_motion_place_numbers;

typedef struct tlw_motion_numbers {
    tlw_motion_place_numbers places[TLW_MOTION_PLACE_COUNT];
    double volume_error; // tlw_motion_volume_error, mean over time, every third substep
    double residual;     // tlw_motion_residual, root mean square over the same
    tlw_step_flags flags;
} tlw_motion_numbers;

// Resets the character, runs the experiment with a frame per substep, and measures. `trace` may be
// null; it is overwritten, not freed.
tlw_scene_code tlw_motion_run(tlw_motion* motion, const tlw_motion_experiment* experiment,
                              tlw_motion_trace* trace, tlw_motion_numbers* out,
                              tlw_scene_error* error);

// Overshoot, frequency and half-life of a mean deviation after a stop; `means` has `count` values
// along the motion.
tlw_motion_place_numbers tlw_motion_ringing(const double* means, uint32_t count,
                                            double step_seconds);
// Root mean square of the difference of two traces of the same experiment over the voxels of a
// place, divided by that of `a`; `motion` is one of them.
double tlw_motion_difference(const tlw_motion* motion, tlw_motion_place place,
                             const tlw_motion_trace* a, const tlw_motion_trace* b);

// Noise in a captured pose: poses of a clip are captured at capture_hz, each with an error of
// `noise` (in L; normal, per axis) in the root's position, and held until the next one; frames are
// drawn at draw_hz. The jitter of a track of points is the root mean square of the change of
// their velocity from frame to frame. Over the belly, as drawn, in the world.
typedef struct tlw_motion_jitter_def {
    uint32_t clip;
    double capture_hz, draw_hz; // 30, 60
    double noise;               // 20 mm of 1.7 m
    bool is_in_joints;          // the error is in the joints, where the pose filter finds it; false
    double seconds;             // 4
} tlw_motion_jitter_def;

tlw_motion_jitter_def tlw_default_motion_jitter_def(void);
// Jitter of the drawn tissue divided by that of plain skinning.
tlw_scene_code tlw_motion_jitter(tlw_motion* motion, const tlw_motion_jitter_def* def, double* out,
                                 tlw_scene_error* error);

// ---- The table

// All numbers of one character, preset and resolution.
typedef struct tlw_motion_row {
    char name[96];                         // "stout 32"
    tlw_motion_numbers stop, bob, clip;    // multi
    double belly_single, belly_fat_single; // overshoot multi/single
    double hand_lag, hand_lag_soft; // lag in the clip multi/all fat: with firm parts, without
    double residual;                // without/with the skin's values
    double volume;                  // error with/without the pass
    double difference;              // rms multi - single
} tlw_motion_row;

// Runs all experiments on an actor with a preset.
tlw_scene_code tlw_motion_measure(const tlw_actor* actor, tlw_preset preset, tlw_motion_row* out,
                                  tlw_scene_error* error);
// Prints rows as a Markdown table.
void tlw_motion_print_table(const tlw_motion_row* rows, uint32_t count, FILE* out);

TLW_EXTERN_C_END

#endif
