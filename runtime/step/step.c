// SPDX-License-Identifier: MIT
// One call's worth of one character: which substeps, at which poses, ordinary or carried; then what
// is drawn (design.md, "Space and time").
//
//     jump? -> [dropped time: carry] -> substeps -> output at this frame's pose
//
// A carried substep puts what tissue is off, its relative velocity and Q on the new pose; the
// ordinary substep that follows starts with its own v_skin plus that velocity.
#include "runtime/step/step.h"

#include "platform/fpu.h"
#include "profiling/profile.h"

#include <string.h>

// A substep is due when so little of one is missing: four calls of 1/240 s make a substep on every
// machine, whatever their sum rounds to.
#define DUE_SLACK 1e-6

// At most this many substeps per call, or as many as there are in 4/60 s if that is more.
#define SUBSTEPS_MAX 4
// A character sleeps after this long without motion. After 0.5 s a slow mode can still be 2.2e-4
// voxel off.
#define STILL_SECONDS 1.0
#define STILL_SPEED   3e-3 // voxels per second: 5e-5 per substep of 1/60 s
#define ROOT_JUMP     0.25 // of L, in 1/60 s
#define POSE_JUMP     0.20 // of L, per call
// Every 8th substep restarts all rotations 5% back, which renormalises them.
#define BACK_SUBSTEPS 8

typedef struct step_context {
    tlw_character* c;
    const tlw_runner* runner;
    tlw_scratch* scratch;
    tlw_scratch_view view;
    tlw_substep substep;
    tlw_step_flags flags;
    bool joints_are_now; // the view's joints are those of this frame
    bool pose_is_now;    // the last substep's pose is also that of this frame
} step_context;

static void open_scratch(step_context* s) {
    tlw_scratch_open(s->scratch, s->c, &s->view, &s->substep);
}

static void set_pose_between(step_context* s, double share) {
    tlw_character* c = s->c;
    const bool is_now = share >= 1.0;
    if (!is_now || !s->joints_are_now) {
        tlw_pose_joints(&c->blob, c->binds, &c->last, &c->now, share, s->view.joints);
    }
    s->substep.has_opposed_pairs = tlw_pose_choose_signs(&c->blob, s->view.joints);
    s->joints_are_now = s->pose_is_now = is_now;
}

// Alone: no predict follows that would want anything fetched ahead.
static void skin_into(step_context* s, tlw_window_pose* pose) {
    tlw_substep substep = s->substep;
    substep.pose = pose;
    substep.is_cold = false;
    tlw_run_stage(s->runner, TLW_STAGE_skin, &substep);
}

// What was now's is last's: the buffers swap roles.
static void begin_moment(step_context* s) {
    tlw_character* c = s->c;
    c->is_odd = !c->is_odd;
    s->substep.now = c->states[c->is_odd];
    s->substep.last = c->states[!c->is_odd];
    s->substep.pose = c->poses[c->is_odd];
    s->substep.pose_last = c->poses[!c->is_odd];
}

// v becomes v - v_skin, for a substep that is carried.
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

// To the pose between the last call's and this one's.
static void carry(step_context* s, double share, bool is_reset) {
    tlw_character* c = s->c;
    const tlw_root root = tlw_root_between(&c->last.root, &c->now.root, share);
    if (!c->starts_next && !is_reset) {
        make_relative(c);
    }
    set_pose_between(s, share);
    begin_moment(s);
    skin_into(s, s->substep.pose);
    s->substep.is_reset = is_reset;
    tlw_run_stage(s->runner, TLW_STAGE_carry, &s->substep);
    if (is_reset) {
        c->since_back = 0;
        const size_t regions = c->blob.region_stride;
        for (size_t i = 0; i < 4 * regions; ++i) {
            c->region_rotation[i] = i >= 3 * regions ? 1.0f : 0.0f;
        }
    }
    memcpy(c->root_at_substep, root.position, sizeof c->root_at_substep);
    memset(c->rebase, 0, sizeof c->rebase);
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
    const double gain = tlw_gain_of(2.0, repeats, h);
    for (int i = 0; i < 3; ++i) {
        c->rebase[i] = (float)((root.position[i] - c->root_at_substep[i]) * per_voxel);
        substep->rebase[i] = c->rebase[i];
        substep->gravity[i] = (float)(h * h * (double)c->settings.gravity[i] * per_voxel);
        c->root_at_substep[i] = root.position[i];
    }
    substep->stretch_gain = (float)gain;
    substep->volume_gain = (float)(0.5 * gain);
    substep->is_start = c->starts_next;
    substep->starts_back = c->since_back == 0;
    c->since_back = (uint8_t)((c->since_back + 1) % BACK_SUBSTEPS);
    c->starts_next = false;
    substep->may_be_off = c->may_be_off;
    c->may_be_off = false;
    set_pose_between(s, share);
    begin_moment(s);
    tlw_run_substep(s->runner, substep, repeats);

    float moved = 0.0f;
    bool is_finite = true;
    for (uint32_t b = 0; b < c->blob.block_count; ++b) {
        moved = s->view.results[b].moved > moved ? s->view.results[b].moved : moved;
        is_finite = is_finite && !s->view.results[b].not_finite;
    }
    c->still_substeps = moved < (float)(STILL_SPEED * h) ? c->still_substeps + 1 : 0;
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

// Whether some voxel's skinned place moves further than a blob does between two frames. The corners
// of what each joint moves tell it at once; only when those move far is every voxel looked at.
static bool jumps(step_context* s, double dt) {
    tlw_character* c = s->c;
    const tlw_blob_lattice* l = c->blob.lattice;
    const double per_voxel = 1.0 / (l->voxel_metres * (double)c->now.root.scale);
    const double times = dt * TLW_REFERENCE_HZ;
    const double far = ROOT_JUMP * l->extent_voxels * (times > 1.0 ? times : 1.0);
    double length2 = 0.0;
    for (int i = 0; i < 3; ++i) {
        const double d = (c->now.root.position[i] - c->last.root.position[i]) * per_voxel;
        length2 += d * d;
    }
    if (length2 > far * far) {
        return true;
    }
    const float limit = (float)(POSE_JUMP * l->extent_voxels);
    if (!c->has_last_joints) {
        tlw_pose_joints(&c->blob, c->binds, &c->last, &c->now, 0.0, c->last_joints);
    }
    tlw_pose_joints(&c->blob, c->binds, &c->last, &c->now, 1.0, s->view.joints);
    s->joints_are_now = true;
    if (!tlw_pose_moves_far(&c->blob, c->last_joints, s->view.joints, limit)) {
        return false;
    }
    tlw_window_pose* const before = (tlw_window_pose*)(void*)s->substep.lanes;
    s->substep.joints = c->last_joints;
    s->substep.has_opposed_pairs = tlw_pose_choose_signs(&c->blob, c->last_joints);
    skin_into(s, before);
    s->substep.joints = s->view.joints;
    set_pose_between(s, 1.0);
    skin_into(s, s->view.pose);
    s->pose_is_now = false;
    const bool is_far = is_far_apart(&c->blob, before, s->view.pose, limit);
    tlw_scratch_clear_lanes(&s->substep);
    return is_far;
}

// At the longest, of one call.
static double substeps_max(const tlw_character* c) {
    const double count =
        (double)(uint32_t)(SUBSTEPS_MAX / TLW_REFERENCE_HZ / c->substep_seconds + 0.5);
    return count > SUBSTEPS_MAX ? count : SUBSTEPS_MAX;
}

// Substeps of a call, and what remains of the time.
static void advance(step_context* s, double dt) {
    tlw_character* c = s->c;
    const double h = c->substep_seconds, most = substeps_max(c);
    const double total = c->accumulator + dt;
    double count = total / h + DUE_SLACK;
    count = count < 1e15 ? (double)(uint64_t)count : 1e15; // beyond, one more or less is nothing
    const double before = c->accumulator;
    double rest = total - count * h;
    rest = rest < 0.0 ? 0.0 : rest < h ? rest : 0.0;
    c->accumulator = rest;
    c->report.substeps = (uint32_t)(count > most ? most : count);

    const bool is_same = tlw_pose_is_equal(&c->last, &c->now, c->blob.lattice->joint_count);
    if (!is_same) {
        c->still_substeps = 0;
    }
    if (c->is_jump || (!is_same && jumps(s, dt))) {
        s->flags |= TLW_STEP_JUMPED;
        s->flags |= count > most ? TLW_STEP_DROPPED_TIME : 0;
        if (count >= 1.0) {
            carry(s, 1.0, false); // one is as good as many
        }
        c->carries_next = true;
        return;
    }
    const bool is_still = c->still_substeps >= (uint32_t)(STILL_SECONDS / h + 0.5);
    if (is_same && is_still && !c->carries_next && !c->starts_next) {
        s->flags |= TLW_STEP_ASLEEP;
        c->report.substeps = 0;
        return;
    }
    double k = 1.0;
    if (count > most) {
        s->flags |= TLW_STEP_DROPPED_TIME;
        k = count - most;
        carry(s, 1.0 - (most * h + rest) / dt, false);
        c->carries_next = false;
        k += 1.0;
    }
    for (; k <= count; k += 1.0) {
        // From the end where time was dropped, which may be as long as it likes. The last one of a
        // call without a rest is at this frame's pose to the bit.
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

// Of the blocks that were drawn.
static bool is_drawn_finite(const step_context* s) {
    for (uint32_t b = 0; b < s->c->blob.block_count; ++b) {
        if (s->view.results[b].not_finite) {
            return false;
        }
    }
    return true;
}

static void draw_lattice(step_context* s, tlw_embed* embed) {
    tlw_character* c = s->c;
    const tlw_window_pose* pose = c->poses[c->is_odd];
    if (!s->pose_is_now) {
        set_pose_between(s, 1.0);
        skin_into(s, s->view.pose);
        pose = s->view.pose;
    }
    // A sleeper shows where it came to rest.
    const bool is_asleep = (s->flags & TLW_STEP_ASLEEP) != 0;
    *embed = c->embed;
    embed->from = c->states[!c->is_odd];
    embed->to = c->states[c->is_odd];
    embed->pose_from = c->poses[!c->is_odd];
    embed->pose_to = c->poses[c->is_odd];
    embed->pose = pose;
    embed->blend = is_asleep ? 1.0f : (float)(c->accumulator / c->substep_seconds);
    embed->joint_affines = s->view.joint_affines;
    embed->results = s->view.results;
    memcpy(embed->root_rotation, c->now.root.rotation, sizeof embed->root_rotation);
    tlw_embed_place(embed, s->view.sites, s->view.site_stride);
    if (tlw_embed_rows_used(embed) > TLW_LANE_ARRAYS * s->view.site_stride * sizeof(float)) {
        s->scratch->cleared_for = NULL;
    }
    tlw_run_embed(s->runner, s->runner->kernels->embed_lattice, embed, c->blob.block_count);
}

// The pose of this call, which is now that of the view's joints, is where the next one comes from.
static void end_call(const step_context* s) {
    tlw_character* c = s->c;
    const size_t joints = c->blob.lattice->joint_count;
    memcpy(c->last.joints, c->now.joints, joints * sizeof *c->now.joints);
    c->last.root = c->now.root;
    memcpy(c->last_joints, s->view.joints, joints * sizeof *c->last_joints);
    c->has_last_joints = true;
}

// At this call's pose, at rest.
static void settle(step_context* s) {
    tlw_character* c = s->c;
    carry(s, 1.0, true);
    end_call(s);
    c->accumulator = 0.0;
    c->still_substeps = 0;
    c->is_jump = c->carries_next = false;
}

static void draw(step_context* s) {
    tlw_character* c = s->c;
    const tlw_kernels* k = s->runner->kernels;
    tlw_embed embed;
    draw_lattice(s, &embed);
    if (!is_drawn_finite(s)) { // what was set, and no ordinary substep has looked at
        s->flags |= TLW_STEP_NOT_FINITE;
        settle(s);
        draw_lattice(s, &embed);
    }
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
    // Centres, so far.
    const float half_diagonal = (float)(0.86602540378443865 * c->blob.lattice->voxel_metres);
    for (int i = 0; i < 3; ++i) {
        bounds->low[i] -= half_diagonal;
        bounds->high[i] += half_diagonal;
    }
    if (embed.wants_gradients) {
        tlw_run_embed(s->runner, k->embed_frames, &embed, c->blob.block_count);
    }
    if (embed.group_count > 0) {
        tlw_pose_affines(c->binds, &c->now, c->blob.lattice->joint_count, s->view.joint_affines);
        tlw_run_embed(s->runner, k->embed_vertices, &embed, embed.group_count);
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
    draw(&s);
    // Where no time passed the pose, and a jump with it, waits for a call that has some: tissue
    // must not be dragged there at once.
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
