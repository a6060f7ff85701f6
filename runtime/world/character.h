// SPDX-License-Identifier: MIT
// Private to runtime: a character, everything that it keeps from one step to the next (MODEL 2).
#ifndef TLW_RUNTIME_WORLD_CHARACTER_H
#define TLW_RUNTIME_WORLD_CHARACTER_H

#include "runtime/output/embed.h"
#include "runtime/passes/kernels.h"
#include "runtime/passes/lines.h"
#include "runtime/step/pose.h"
#include "runtime/step/team.h"
#include "runtime/tallow.h"

TLW_EXTERN_C_BEGIN

// A fade of the gains to what the materials say (MODEL 3.14).
typedef struct tlw_fade {
    double seconds; // how long it takes; 0: none is running
    double elapsed; // of them
} tlw_fade;

// Where a limb was at the last substep: world axes, in voxels, relative to the root of then.
typedef struct tlw_limb_place {
    double ends[2][3];
    double rotation[4];
} tlw_limb_place;

// Bounds of where skinning can put voxels: world axes, in voxels, relative to the root.
typedef struct tlw_hull {
    bool is_known;
    float low[3], high[3];
} tlw_hull;

// A pull on the tissue around a voxel (MODEL 3.17).
typedef struct tlw_drag_state {
    bool is_on;
    tlw_drag how;
    uint32_t slot;
    uint32_t first_window, end_window; // that have weights
    float* weights;                    // w by slot
} tlw_drag_state;

// What the pose filter keeps of a joint, relative to its parent (MODEL 4.10).
typedef struct tlw_filter_joint {
    double translation[3], rotation[4]; // filtered
    double speed[3], turn[3];
} tlw_filter_joint;

typedef struct tlw_filter {
    bool is_on;
    tlw_pose_filter how;
    tlw_filter_joint* joints; // null: the character has none
    tlw_joint_pose* set;      // the joints that were set, not filtered
    uint32_t* order;          // joints, parents before their children
} tlw_filter;

// A muscle as the last substep left it.
typedef struct tlw_muscle_state {
    float tension;    // T
    float elongation; // of its belly
} tlw_muscle_state;

// Lame layers (MODEL 3.20). All null where the blob has none.
typedef struct tlw_lame_layers {
    tlw_lame* materials;           // [part_count][layer_count]; all 0: not lame
    tlw_lame_window* coefficients; // by the place of LAME_WINDOWS
    uint32_t* windows;             // which window has a place
    uint32_t* block_places;        // per block: the first place in it; and the end
    bool is_stale;                 // coefficients and what follows are of other materials
    float scale;                   // the root's, that they are for
    uint32_t iterations;           // m1, and the bounds of the spectrum in the first solve
    double high, low;
} tlw_lame_layers;

typedef struct tlw_character {
    tlw_blob_arrays blob;

    // State of the last two substeps: [is_odd] is the later one, [!is_odd] the one before.
    tlw_window_pose* poses[2];
    tlw_window_state* states[2];
    tlw_window_velocity* velocity;
    bool is_odd;
    uint8_t since_back;     // substeps since all rotations were restarted 5% back
    float* region_rotation; // Q of regions of width 2: [4][region_stride]

    // Muscles (MODEL 3.18, 3.19); null without.
    tlw_window_displacement* displacements[2]; // m, of the moments that `poses` has
    tlw_line_row* line_rows;                   // by MUSCLE_ROWS
    float* tensions;                           // per muscle: what the engine set
    tlw_muscle_state* muscle_states;           // per muscle
    float line_moved; // largest component of a vertex's motion in the last substep, relative to b
    float belly_reach[2]; // no |m| is larger: now, and at the moment before

    // Poses of the last call and of this one.
    tlw_joint_bind* binds;
    tlw_pose_moment last, now;
    tlw_skin_entry* last_joints; // skinning matrices of `last`
    bool has_last_joints;        // false: last_joints must be computed again
    tlw_pose_kind pose_kind;
    tlw_pose_problem bad_pose; // of the pose that was refused last

    tlw_material* materials; // [part_count][layer_count]
    tlw_window_gains* gains; // what the materials come to in one substep; during a fade, on the way
    float limit_most;        // largest limit of a slot
    tlw_fade fade;
    tlw_lame_layers lame;
    tlw_settings settings;

    // Contact (MODEL 3.15, 3.16).
    const struct tlw_collider_set* colliders; // the world's
    tlw_collider_pose* collider_last;         // per collider: where it was at the last substep
    tlw_limb_place* limb_last;
    tlw_contact* contacts; // of the last call that had a substep, deepest first
    uint32_t contact_capacity, contact_count;
    tlw_hull hull; // of the last substep
    bool slept;    // in the last call: collider_last is older than the colliders' own last poses
    bool has_touch_bounds;
    float touch_low[3], touch_high[3]; // of p, if has_touch_bounds

    tlw_drag_state* drags;
    float* drag_weights; // of all drags
    uint32_t drag_capacity;
    tlw_filter filter;

    double root_at_substep[3]; // root position that the later state is relative to
    float scale_at_substep;    // and the root's scale
    float rebase[3];           // how far it is from that of the state before, in voxels
    double accumulator;        // time since the last substep
    double lag;                // how much older than the pose the drawn deviation is (MODEL 5.1)
    double substep_seconds;    // as in the world's def
    uint32_t still_substeps;   // how many in a row moved nothing
    tlw_step_flags pending;    // raised between steps, reported by the next one
    bool is_jump;              // the caller said so, for the next call
    bool carries_next;         // the next call's first substep is carried: there was a jump
    bool starts_next;          // the next ordinary substep starts with its own v_skin
    bool may_be_off;           // a p may be beyond its limit: a position or a limit was set

    tlw_embed embed; // the output, and what was planned for it
    tlw_bounds bounds;
    tlw_character_report report;
    const char* name;
    const void* memory;
    size_t memory_bytes;
    tlw_team team;
} tlw_character;

TLW_INLINE uint32_t tlw_material_count(const tlw_blob_arrays* blob) {
    return blob->lattice->part_count * blob->lattice->layer_count;
}

// Sets stiffness, damping and anchor of every material. Limits are part of TLW_PRESET_COOKED only.
void tlw_character_set_preset(tlw_character* c, tlw_preset preset);
// G(k) = 1 - exp(-(k/n) (h/h_ref)^2), the share of a correction that one of n repeats applies in a
// substep of length h (MODEL 3.10).
double tlw_gain_of(double k, uint32_t repeats, double h);
// What the stored velocity of a slot is relative to: v_skin of the last substep, or 0 after a
// carried substep, when it is relative already.
double tlw_character_velocity_base(const tlw_character* c, uint32_t slot, int axis);
// max(1 - a, 1/2): the stored relative velocity times this is the voxel's own (MODEL 3.9). `kept`
// is 1 - a.
TLW_INLINE double tlw_anchor_share(float kept) {
    return kept > 0.5f ? (double)kept : 0.5;
}
// Makes the numbers of Lame layers those of the blob.
void tlw_character_restore_lame(tlw_character* c);
// Computes the gains again after materials or settings have changed, keeps what moves at its speed,
// ends a fade and wakes the character.
void tlw_character_update_gains(tlw_character* c);
TLW_INLINE bool tlw_character_is_fading(const tlw_character* c) {
    return c->fade.seconds > 0.0;
}
// A running fade's share of one substep.
void tlw_character_advance_fade(tlw_character* c);
uint64_t tlw_character_state_hash(const tlw_character* c);

TLW_EXTERN_C_END

#endif
