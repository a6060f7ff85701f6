// SPDX-License-Identifier: MIT
// One call of tlw_world_step for one character: decides which substeps are due, at which poses, and
// whether each is ordinary or carried, then writes the output (MODEL 4, 5.1).
//
//     jump? -> [dropped time: carry] -> substeps -> output at this frame's pose
//
// A carried substep moves each voxel's deviation, relative velocity and Q over to the new pose. The
// ordinary substep that follows starts with its own v_skin plus that velocity.
#include "runtime/step/step.h"

#include "platform/fpu.h"
#include "profiling/profile.h"
#include "runtime/step/contact.h"
#include "runtime/step/filter.h"
#include "runtime/step/forces.h"
#include "runtime/step/lame.h"
#include "runtime/step/muscles.h"

#include <string.h>

// A substep is due even if this share of it is missing: four calls of 1/240 s make a substep on
// every machine, whatever their sum rounds to.
#define DUE_SLACK 1e-6

// At most this many substeps per call, or as many as there are in 0.1 s if that is more.
#define SUBSTEPS_MAX     6
#define SUBSTEPS_SECONDS 0.1
// A character sleeps after this long without motion. After 0.5 s a slow mode can still be 2.2e-4
// voxel off.
#define STILL_SECONDS 1.0
#define STILL_SPEED   3e-3 // slower than this is no motion, voxels per second: 5e-5 per 1/60 s
// Motion above these, in shares of the longest extent L, is a jump (MODEL 4.3).
#define ROOT_JUMP    0.25 // of the root, in a call of 1/60 s or less
#define ROOT_JUMP_HZ 60.0
#define POSE_JUMP    0.20 // of any voxel's skinned position relative to the root, of 1/24 s or less
#define POSE_JUMP_HZ 24.0
// The drawn deviation's lag shrinks by at most this share of the time (MODEL 5.1).
#define LAG_SHRINKS 0.05
// Every 8th substep restarts all rotations 5% back, which renormalises them.
#define BACK_SUBSTEPS 8

typedef struct step_context {
    tlw_character* c;
    const tlw_runner* runner;
    tlw_scratch* scratch;
    tlw_scratch_view view;
    tlw_substep substep;
    tlw_step_flags flags;
    bool joints_are_now; // the view's joints are at this frame's pose
    bool pose_is_now;    // the last substep was at this frame's pose
} step_context;

static void open_scratch(step_context* s) {
    tlw_scratch_open(s->scratch, s->c, &s->view, &s->substep);
}

// Makes joints at `share` of the way ready for skin: flips quaternions so that they can be blended,
// makes dual quaternions of them where the character is skinned so, and finds out what the stages
// must look at.
static void prepare_joints(step_context* s, double share, tlw_skin_entry* joints) {
    const tlw_character* c = s->c;
    s->substep.has_opposed_pairs = tlw_pose_choose_signs(&c->blob, joints);
    s->substep.has_turned_pairs =
        s->substep.bend_sums != NULL && tlw_pose_has_turned_pairs(&c->blob, joints);
    if (s->view.duals != NULL) {
        s->substep.has_stretch =
            tlw_pose_duals(&c->blob, c->binds, &c->last, &c->now, share, joints, s->view.duals);
    }
}

// Computes the skinning matrices at `share` of the way from the last call's pose to this one's.
static void set_pose_between(step_context* s, double share) {
    tlw_character* c = s->c;
    const bool is_now = share >= 1.0;
    if (!is_now || !s->joints_are_now) {
        tlw_pose_joints(&c->blob, c->binds, &c->last, &c->now, share, s->view.joints);
    }
    prepare_joints(s, share, s->view.joints);
    s->joints_are_now = s->pose_is_now = is_now;
}

// Runs skin alone, and bends where p_skin is to be corrected. No predict follows, so there is
// nothing to prefetch for it.
static void skin_into(step_context* s, tlw_window_pose* pose, bool corrects) {
    tlw_substep substep = s->substep;
    substep.pose = pose;
    substep.is_cold = false;
    if (corrects) {
        tlw_run_skin(s->runner, &substep);
    } else {
        tlw_run_stage(s->runner, TLW_STAGE_skin, &substep);
    }
}

// Swaps the roles of the two state buffers: what was this substep's is now the last one's.
static void begin_moment(step_context* s) {
    tlw_character* c = s->c;
    c->is_odd = !c->is_odd;
    s->substep.now = c->states[c->is_odd];
    s->substep.last = c->states[!c->is_odd];
    s->substep.pose = c->poses[c->is_odd];
    s->substep.pose_last = c->poses[!c->is_odd];
    s->substep.displacement = c->displacements[c->is_odd];
}

// Makes v relative to v_skin, which a carried substep wants.
static void make_relative(tlw_character* c) {
    const float inverse_h = 1.0f / (float)c->substep_seconds;
    for (uint32_t w = 0; w < c->blob.window_count; ++w) {
        const tlw_window_pose *now = &c->poses[c->is_odd][w], *last = &c->poses[!c->is_odd][w];
        for (int i = 0; i < 3 * TLW_LANES; ++i) {
            const int axis = i / TLW_LANES, lane = i % TLW_LANES;
            const float from = last->skin[axis][lane] - c->rebase[axis];
            if (c->blob.windows[w].occupied >> lane & 1) {
                c->velocity[w].v[axis][lane] -= (now->skin[axis][lane] - from) * inverse_h;
            }
        }
    }
}

// A carried substep, to `share` of the way from the last call's pose to this one's. A reset keeps
// nothing: all tissue goes to its skinned position, at rest.
static void carry(step_context* s, double share, bool is_reset) {
    tlw_character* c = s->c;
    const tlw_root root = tlw_root_between(&c->last.root, &c->now.root, share);
    if (!c->starts_next && !is_reset) {
        make_relative(c);
    }
    if (!is_reset) {
        tlw_character_advance_fade(c);
    }
    set_pose_between(s, share);
    begin_moment(s);
    tlw_muscles_move(c, s->runner, &s->view, &root, &s->substep, true);
    skin_into(s, s->substep.pose, true);
    s->substep.is_reset = is_reset;
    if (s->substep.displacement != NULL) {
        tlw_run_stage(s->runner, TLW_STAGE_seat, &s->substep);
    }
    tlw_run_stage(s->runner, TLW_STAGE_carry, &s->substep);
    if (is_reset) {
        c->since_back = 0;
        const size_t regions = c->blob.region_stride;
        for (size_t i = 0; i < 4 * regions; ++i) {
            c->region_rotation[i] = i >= 3 * regions ? 1.0f : 0.0f;
        }
    }
    memcpy(c->root_at_substep, root.position, sizeof c->root_at_substep);
    c->scale_at_substep = root.scale;
    memset(c->rebase, 0, sizeof c->rebase);
    tlw_contact_end(c, share, s->view.joints); // a jump is no sweep
    c->starts_next = true;
}

static void ordinary_substep(step_context* s, double share) {
    tlw_character* c = s->c;
    tlw_substep* substep = &s->substep;
    const tlw_blob_lattice* l = c->blob.lattice;
    const tlw_root root = tlw_root_between(&c->last.root, &c->now.root, share);
    const double per_voxel = 1.0 / (l->voxel_metres * (double)root.scale);
    const double h = c->substep_seconds;
    const uint32_t repeats = c->settings.repeats;
    for (int i = 0; i < 3; ++i) {
        c->rebase[i] = (float)((root.position[i] - c->root_at_substep[i]) * per_voxel);
        substep->rebase[i] = c->rebase[i];
        substep->gravity[i] = (float)(h * h * (double)c->settings.gravity[i] * per_voxel);
        c->root_at_substep[i] = root.position[i];
    }
    c->scale_at_substep = root.scale;
    substep->stretch_gain = (float)tlw_gain_of(2.0, repeats, h);
    substep->volume_gain = (float)(0.5 * tlw_gain_of(2.0, 1, h));
    substep->is_start = c->starts_next;
    substep->starts_back = c->since_back == 0;
    c->since_back = (uint8_t)((c->since_back + 1) % BACK_SUBSTEPS);
    c->starts_next = false;
    tlw_character_advance_fade(c);
    substep->may_be_off = c->may_be_off;
    c->may_be_off = false;
    set_pose_between(s, share);
    begin_moment(s);
    tlw_muscles_move(c, s->runner, &s->view, &root, substep, false);
    tlw_contact_prepare(c, share, &root, s->view.joints, s->view.limbs, s->scratch->shapes,
                        substep);
    tlw_lame_prepare(c, root.scale, substep);
    tlw_forces_prepare(c, &root, substep);
    substep->is_skinned = tlw_forces_has_drags(c);
    if (substep->is_skinned) { // a drag looks at how fast its voxel is skinned
        tlw_run_skin(s->runner, substep);
        tlw_forces_pull(c, &root, substep);
    }
    tlw_run_substep(s->runner, substep, repeats);
    tlw_contact_collect(c, substep);
    tlw_contact_end(c, share, s->view.joints);

    float moved = 0.0f;
    bool is_finite = true;
    for (uint32_t b = 0; b < c->blob.block_count; ++b) {
        moved = s->view.results[b].moved > moved ? s->view.results[b].moved : moved;
        is_finite = is_finite && !s->view.results[b].not_finite;
    }
    const float still = (float)(STILL_SPEED * h);
    const bool is_still = moved < still && !tlw_muscles_moved(c, still);
    c->still_substeps = is_still ? c->still_substeps + 1 : 0;
    if (!is_finite) {
        s->flags |= TLW_STEP_NOT_FINITE;
        c->still_substeps = 0;
        carry(s, share, true);
    }
}

static bool is_far_apart(const tlw_blob_arrays* blob, const tlw_window_pose* a,
                         const tlw_window_pose* b, float limit) {
    for (uint32_t w = 0; w < blob->window_count; ++w) {
        for (int lane = 0; lane < TLW_LANES; ++lane) {
            float moved2 = 0.0f;
            for (int i = 0; i < 3; ++i) {
                const float d = b[w].skin[i][lane] - a[w].skin[i][lane];
                moved2 += d * d;
            }
            if (moved2 > limit * limit) { // empty lanes are 0 in both
                return true;
            }
        }
    }
    return false;
}

// How far something may go in a call of dt, as a share of L: `share` in 1/hz s or less, more in a
// longer call.
static double jump_length(const tlw_character* c, double share, double hz, double dt) {
    const double times = dt * hz;
    return share * c->blob.lattice->extent_voxels * (times > 1.0 ? times : 1.0);
}

// Whether the root or some voxel's skinned position moves further than a character does between two
// frames. The corners of the joints' boxes mostly tell that no voxel does; only if one of them
// moves far is every voxel looked at.
static bool jumps(step_context* s, double dt) {
    tlw_character* c = s->c;
    const tlw_blob_lattice* l = c->blob.lattice;
    const double per_voxel = 1.0 / (l->voxel_metres * (double)c->now.root.scale);
    const double far = jump_length(c, ROOT_JUMP, ROOT_JUMP_HZ, dt);
    double length2 = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double d = (c->now.root.position[i] - c->last.root.position[i]) * per_voxel;
        length2 += d * d;
    }
    if (length2 > far * far) {
        return true;
    }
    // Beyond 1e18 voxels the square would overflow; a good pose is never that far.
    const double most = jump_length(c, POSE_JUMP, POSE_JUMP_HZ, dt);
    const float limit = (float)(most < 1e18 ? most : 1e18);
    if (!c->has_last_joints) {
        tlw_pose_joints(&c->blob, c->binds, &c->last, &c->now, 0.0, c->last_joints);
    }
    tlw_pose_joints(&c->blob, c->binds, &c->last, &c->now, 1.0, s->view.joints);
    s->joints_are_now = true;
    if (!tlw_pose_moves_far(&c->blob, c->last_joints, s->view.joints, limit)) {
        return false;
    }
    // The lane arrays are free until the first substep and have room for a pose.
    tlw_window_pose* const before = (tlw_window_pose*)(void*)s->substep.lanes;
    s->substep.joints = c->last_joints;
    prepare_joints(s, 0.0, c->last_joints);
    skin_into(s, before, false);
    s->substep.joints = s->view.joints;
    set_pose_between(s, 1.0);
    skin_into(s, s->view.pose, false);
    s->pose_is_now = false;
    const bool is_far = is_far_apart(&c->blob, before, s->view.pose, limit);
    tlw_scratch_clear_lanes(&s->substep);
    return is_far;
}

// The most substeps that one call makes.
static double substeps_max(const tlw_character* c) {
    const double count = (double)(uint32_t)(SUBSTEPS_SECONDS / c->substep_seconds + 0.5);
    return count > SUBSTEPS_MAX ? count : SUBSTEPS_MAX;
}

// Whether the pose that was set is a jump from the last call's. Where poses are filtered, one that
// is none becomes the filtered one.
static bool take_pose(step_context* s, double dt, bool* is_same) {
    tlw_character* c = s->c;
    const uint32_t joints = c->blob.lattice->joint_count;
    tlw_filter_take_set(c);
    *is_same = tlw_pose_is_equal(&c->last, &c->now, joints);
    const bool is_jump = c->is_jump || (!*is_same && jumps(s, dt));
    if (is_jump) {
        tlw_filter_restart(c);
    } else if (c->filter.is_on) {
        tlw_filter_advance(c, dt);
        s->joints_are_now = false;
        *is_same = tlw_pose_is_equal(&c->last, &c->now, joints);
    }
    return is_jump;
}

// Where a call ends before it is known whether the character sleeps.
static void wake_by_colliders(tlw_character* c) {
    if (tlw_contact_wakes(c)) {
        c->still_substeps = 0;
    }
}

// With a time scale of 0 nothing moves by itself. The output draws what there is on this call's
// pose, and when time goes on tissue is put there, not dragged (MODEL 4.9).
static void hold(step_context* s, bool is_jump, bool is_same) {
    tlw_character* c = s->c;
    s->flags |= is_jump ? TLW_STEP_JUMPED : 0;
    c->carries_next = c->carries_next || is_jump || !is_same;
    wake_by_colliders(c);
    c->slept = true; // colliders that move meanwhile do not sweep
}

// Runs the substeps of a call, and keeps the time that is left for the next one.
static void advance(step_context* s, double caller_dt) {
    tlw_character* c = s->c;
    bool is_same;
    const bool is_jump = take_pose(s, caller_dt, &is_same);
    const double dt = caller_dt * (double)c->settings.time_scale;
    if (!(dt > 0.0)) {
        hold(s, is_jump, is_same);
        return;
    }
    const double h = c->substep_seconds, most = substeps_max(c);
    const double total = c->accumulator + dt;
    double count = total / h + DUE_SLACK;
    count =
        count < 1e15 ? (double)(uint64_t)count : 1e15; // beyond that, 1 more or less is rounding
    const double before = c->accumulator;
    double rest = total - count * h;
    rest = rest < 0.0 ? 0.0 : rest < h ? rest : 0.0;
    c->accumulator = rest;
    c->lag = c->lag - LAG_SHRINKS * dt > rest ? c->lag - LAG_SHRINKS * dt : rest;
    c->report.substeps = (uint32_t)(count > most ? most : count);
    if (!is_same) {
        c->still_substeps = 0;
    }
    if (is_jump) {
        s->flags |= TLW_STEP_JUMPED;
        s->flags |= count > most ? TLW_STEP_DROPPED_TIME : 0;
        if (count >= 1.0) {
            carry(s, 1.0, false); // one carried substep does as much as many
            c->contact_count = 0;
        }
        c->carries_next = true;
        wake_by_colliders(c);
        return;
    }
    const bool is_still = c->still_substeps >= (uint32_t)(STILL_SECONDS / h + 0.5);
    if (is_same && is_still && !c->carries_next && !c->starts_next && !tlw_character_is_fading(c) &&
        !tlw_contact_wakes(c)) {
        s->flags |= TLW_STEP_ASLEEP;
        c->report.substeps = 0;
        c->slept = true;
        return;
    }
    c->contact_count = count >= 1.0 ? 0 : c->contact_count;
    double k = 1.0;
    if (count > most) {
        s->flags |= TLW_STEP_DROPPED_TIME;
        k = count - most;
        carry(s, 1.0 - (most * h + rest) / dt, false);
        c->carries_next = false;
        k += 1.0;
    }
    for (; k <= count; k += 1.0) {
        // Where time was dropped, count back from the end, because dt may be huge. The last substep
        // of a call that leaves no time is at this frame's pose to the bit.
        const double share = k >= count && rest == 0.0 ? 1.0
                             : count > most            ? 1.0 - ((count - k) * h + rest) / dt
                                                       : (k * h - before) / dt;
        if (c->carries_next) {
            carry(s, share, false);
            c->carries_next = false;
        } else {
            ordinary_substep(s, share);
        }
    }
}

// Whether the output of all blocks is finite.
static bool is_output_finite(const step_context* s) {
    for (uint32_t b = 0; b < s->c->blob.block_count; ++b) {
        if (s->view.results[b].not_finite) {
            return false;
        }
    }
    return true;
}

// Writes the lattice: the first of the output's stages.
static void write_lattice(step_context* s, tlw_embed* embed) {
    tlw_character* c = s->c;
    const bool is_now = s->pose_is_now;
    const tlw_window_pose* pose = c->poses[c->is_odd];
    if (!is_now) {
        set_pose_between(s, 1.0);
        skin_into(s, s->view.pose, true);
        pose = s->view.pose;
    }
    // A sleeping character is shown where it came to rest, and one with muscles as a carried
    // substep left it: between the moments before and after a jump m would be of no pose
    // (MODEL 3.19).
    const bool is_last = (s->flags & TLW_STEP_ASLEEP) != 0 || (c->line_rows && c->starts_next);
    *embed = c->embed;
    embed->from = c->states[!c->is_odd];
    embed->to = c->states[c->is_odd];
    embed->pose_from = c->poses[!c->is_odd];
    embed->pose_to = c->poses[c->is_odd];
    embed->pose = pose;
    // Poses of substeps have m in them, those that skin has just made have not.
    embed->displacement_from = c->displacements[!c->is_odd];
    embed->displacement_to = c->displacements[c->is_odd];
    embed->displacement = is_now ? c->displacements[c->is_odd] : NULL;
    embed->blend = is_last ? 1.0f : (float)(1.0 - (c->lag - c->accumulator) / c->substep_seconds);
    embed->joint_affines = s->view.joint_affines;
    embed->joint_duals = s->view.joint_duals;
    embed->corrections = s->substep.corrections;
    embed->results = s->view.results;
    memcpy(embed->root_rotation, c->now.root.rotation, sizeof embed->root_rotation);
    tlw_embed_place(embed, s->view.sites, s->view.site_stride);
    if (tlw_embed_uses_work(embed)) {
        s->scratch->cleared_for = NULL;
    }
    tlw_run_embed(s->runner, s->runner->kernels->embed_lattice, embed, c->blob.block_count);
}

// Makes the next call start from this call's pose, which the view's joints are at by now.
static void end_call(const step_context* s) {
    tlw_character* c = s->c;
    const size_t joints = c->blob.lattice->joint_count;
    memcpy(c->last.joints, c->now.joints, joints * sizeof *c->now.joints);
    c->last.root = c->now.root;
    memcpy(c->last_joints, s->view.joints, joints * sizeof *c->last_joints);
    c->has_last_joints = true;
}

// Resets the character to this call's pose.
static void settle(step_context* s) {
    tlw_character* c = s->c;
    tlw_filter_take_set(c);
    tlw_filter_restart(c);
    c->contact_count = 0;
    carry(s, 1.0, true);
    end_call(s);
    c->accumulator = c->lag = 0.0;
    c->still_substeps = 0;
    c->is_jump = c->carries_next = false;
}

// Bounds of the voxels' centres, grown by half the diagonal of a voxel.
static void set_bounds(step_context* s) {
    tlw_character* c = s->c;
    tlw_bounds* bounds = &c->bounds;
    memcpy(bounds->low, s->view.results[0].low, sizeof bounds->low);
    memcpy(bounds->high, s->view.results[0].high, sizeof bounds->high);
    for (uint32_t b = 1; b < c->blob.block_count; ++b) {
        const tlw_block_result* r = &s->view.results[b];
        for (int i = 0; i < 3; ++i) {
            bounds->low[i] = r->low[i] < bounds->low[i] ? r->low[i] : bounds->low[i];
            bounds->high[i] = r->high[i] > bounds->high[i] ? r->high[i] : bounds->high[i];
        }
    }
    const float half_diagonal = (float)(0.86602540378443865 * c->blob.lattice->voxel_metres);
    for (int i = 0; i < 3; ++i) {
        bounds->low[i] -= half_diagonal;
        bounds->high[i] += half_diagonal;
    }
}

static uint32_t items_of(uint32_t count, uint32_t per_item) {
    return count / per_item + (count % per_item != 0);
}

// Radial basis functions, up to the deviations of rows.
static void write_rows(const step_context* s, tlw_embed* embed) {
    const tlw_kernels* k = s->runner->kernels;
    const tlw_blob_rbf* rbf = s->c->blob.rbf;
    tlw_run_embed(s->runner, k->embed_centres, embed,
                  items_of(rbf->centre_count, TLW_EMBED_CENTRES_PER_ITEM));
    tlw_run_embed(s->runner, k->embed_coefficients, embed, rbf->domain_count);
    tlw_run_embed(s->runner, k->embed_rows, embed,
                  items_of(rbf->row_count, TLW_EMBED_ROWS_PER_ITEM));
    const uint32_t seams = items_of(rbf->seam_count, TLW_EMBED_ROWS_PER_ITEM);
    for (embed->seam_pass = 0; seams > 0 && embed->seam_pass < rbf->seam_passes;
         ++embed->seam_pass) {
        tlw_run_embed(s->runner, k->embed_seams, embed, seams);
    }
}

// What moves vertices: the joints at this frame's pose, in model space.
static void pose_vertices(const step_context* s, tlw_embed* embed) {
    const tlw_character* c = s->c;
    if (embed->joint_duals == NULL) {
        tlw_pose_affines(c->binds, &c->now, c->blob.lattice->joint_count, s->view.joint_affines);
    } else {
        const tlw_dual_flags flags =
            tlw_pose_dual_affines(&c->blob, c->binds, &c->now, s->view.joints, s->view.joint_duals,
                                  s->view.joint_affines);
        embed->has_stretch = flags.has_stretch;
        embed->may_point_apart = flags.may_point_apart;
    }
}

static void write_output(step_context* s) {
    tlw_character* c = s->c;
    const tlw_kernels* k = s->runner->kernels;
    tlw_embed embed;
    if (!c->embed.wants_anything) {
        if (!s->pose_is_now) { // end_call keeps the joints of this call's pose
            set_pose_between(s, 1.0);
        }
        return;
    }
    write_lattice(s, &embed);
    if (!is_output_finite(s)) { // state that was set, and that no substep has checked
        s->flags |= TLW_STEP_NOT_FINITE;
        settle(s);
        write_lattice(s, &embed);
    }
    set_bounds(s);
    if (embed.wants_slopes || embed.wants_frame_slopes) {
        tlw_run_embed(s->runner, k->embed_frames, &embed, c->blob.block_count);
    }
    if (embed.wants_deviations) {
        if (embed.deviation == TLW_DEVIATION_BY_ROWS) {
            write_rows(s, &embed);
        }
        tlw_run_embed(s->runner, k->embed_deviations, &embed, c->blob.lattice->group_count);
    }
    if (embed.group_count > 0 || embed.voxel_groups > 0) {
        pose_vertices(s, &embed);
        tlw_run_embed(s->runner, k->embed_vertices, &embed, embed.group_count + embed.voxel_groups);
    }
}

tlw_step_flags tlw_step_flags_of_time(double dt) {
    if (dt > 0.0 && dt < 1e30) {
        return 0;
    }
    return dt == 0.0 ? TLW_STEP_NO_TIME : TLW_STEP_BAD_DT;
}

tlw_step_flags tlw_character_step(tlw_character* c, tlw_scratch* scratch, const tlw_runner* runner,
                                  double dt) {
    TLW_FLOAT_SCOPE();
    TLW_ZONE("character");
    TLW_ZONE_NAME(c->name);
    step_context s = {.c = c, .runner = runner, .scratch = scratch, .flags = c->pending};
    c->pending = 0;
    c->report.substeps = 0;
    open_scratch(&s);
    const bool has_time = tlw_step_flags_of_time(dt) == 0;
    if (has_time) {
        advance(&s, dt);
    } else {
        s.flags |= tlw_step_flags_of_time(dt);
    }
    write_output(&s);
    // If no time passed, the pose, and a jump with it, waits for a call in which some does: the
    // tissue must not be dragged there in no time.
    if (has_time) {
        c->is_jump = false;
        end_call(&s);
    }
    return s.flags;
}

void tlw_character_settle(tlw_character* c, tlw_scratch* scratch, const tlw_runner* runner) {
    TLW_FLOAT_SCOPE();
    step_context s = {.c = c, .runner = runner, .scratch = scratch};
    open_scratch(&s);
    settle(&s);
}
