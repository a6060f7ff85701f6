// SPDX-License-Identifier: MIT
// Heat and diffusion weights (RULES 5.9 and 5.10, after Chen et al. 2013, Eq. 3 to 5): the value of
// each joint spreads from voxel to voxel over the links that the cut has left, sweep by sweep, all
// voxels at once (Jacobi). Called by the stage reweigh; heat.h says what is read and written.
//
// No joint's values depend on another's, so joints are swept in groups of eight, one group after
// the other: a voxel's eight values fill a cache line, and the eight sums stay in registers while
// the links are walked. (Joint by joint every link would be read eight times as often.) A sweep is
// divided among tasks by voxels: each voxel reads the last sweep and writes itself.
//
// All joints have the same number of sweeps, and only the last group tells how many that is. So
// every group first runs until it is settled by itself and keeps its values, as long as that takes
// less than half of the memory that the recipe allows, and then catches up with the slowest group.
// A group that had to let go of its values starts again. The bytes are the same either way.
#include "tools/cook/heat.h"

#include <math.h>
#include <string.h>

#define GROUP       8
#define SETTLED     1e-8 // no value changes by more
#define SWEEPS_MAX  2000
#define VALUE_STEPS 1048576.0 // 2^20
// For progress: half as many sweeps as a group usually has, and the shares of the time after which
// each group is settled, and all have had as many sweeps as the slowest.
#define SWEEPS_USUAL 100.0
#define SETTLING     0.6
#define SETTLED_ALL  0.9
#define VOXELS_A_JOB 512
// Smaller values become 0: they are on their way to denormal numbers, on which arithmetic is slow,
// and no weight sees them.
#define NO_VALUE 1e-280
// A link: the voxel that it leads to (a grid has at most 2^28 cells), and above it the length of
// the step, 1 to 3.
#define LINK_VOXEL_BITS 28
#define LINK_VOXEL_MASK ((1u << LINK_VOXEL_BITS) - 1)

typedef struct joint_values {
    double of[GROUP];
} joint_values;

// A sweep gives a voxel w = (sum t w / conductance + source) / scale, with the source only for the
// joints that are nearest to it.
typedef struct spread_voxel {
    size_t link_begin;  // its links end where those of the next voxel begin
    double conductance; // sum of t over its links; 0: the voxel keeps its values
    double share;       // p of each nearest joint: 1 over their number
    double source;      // H p
    double scale;       // 1 + H
} spread_voxel;

typedef struct spread {
    tlw_cook* cook;
    bool is_heat;
    uint32_t* joints; // those that touch voxels, ascending
    uint32_t joint_count, group_count;
    double *strength, *energy; // of these joints
    uint32_t* distance;        // heat: path length to the nearest touched voxel
    uint32_t* queue;
    spread_voxel* voxels; // count + 1
    uint32_t* links;
    // These belong to the group that is being swept.
    uint8_t* sources; // bit k: the group's joint k is one of the voxel's nearest
    joint_values *now, *next;
    double (*change)[GROUP]; // per worker
    // Per group, after the sweeps that it has done.
    joint_values** kept; // null: none were done, or its values were let go
    uint32_t* sweeps_done;
    double* last_change;
} spread;

// Preparation

static tlw_result list_joints(spread* s) {
    tlw_cook* cook = s->cook;
    const tlw_cook_recipe* recipe = cook->recipe;
    const uint32_t all = cook->skeleton.joint_count;
    double* strength = tlw_cook_allocate(cook, all, sizeof *strength);
    double* energy = tlw_cook_allocate(cook, all, sizeof *energy);
    s->joints = tlw_cook_allocate(cook, all, sizeof *s->joints);
    s->strength = strength;
    s->energy = energy;
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    for (uint32_t j = 0; j < all; ++j) {
        strength[j] = energy[j] = 1.0;
    }
    for (uint32_t i = 0; i < recipe->heat_count; ++i) {
        const uint32_t j = tlw_find_joint_name(cook->names, all, recipe->heat[i].joint);
        strength[j] = (double)recipe->heat[i].strength;
        energy[j] = (double)recipe->heat[i].energy;
    }
    for (uint32_t j = 0; j < all; ++j) { // in place: never more joints listed than looked at
        const tlw_cook_skeleton_joint* joint = &cook->skeleton.joints[j];
        if (joint->touched_begin != joint->touched_end) {
            strength[s->joint_count] = strength[j];
            energy[s->joint_count] = energy[j];
            s->joints[s->joint_count++] = j;
        }
    }
    s->group_count = (s->joint_count + GROUP - 1) / GROUP;
    return TLW_OK;
}

// Links as lists, in the order of the 26 steps, and the sums of t = 1 / (length + 1) over them.
static double link_share(uint32_t length) {
    return 1.0 / (sqrt((double)length) + 1.0); // faces, edges and corners: 1, sqrt 2, sqrt 3
}

static tlw_result list_links(spread* s) {
    tlw_cook* cook = s->cook;
    const uint32_t count = cook->voxels.count;
    uint64_t link_count = 0;
    for (uint32_t v = 0; v < count; ++v) {
        link_count += (uint64_t)__builtin_popcount(cook->links.masks[v]);
    }
    s->voxels = tlw_cook_allocate(cook, (uint64_t)count + 1, sizeof *s->voxels);
    s->links = tlw_cook_allocate(cook, link_count, sizeof *s->links);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    size_t at = 0;
    for (uint32_t v = 0; v < count; ++v) {
        s->voxels[v] = (spread_voxel){.link_begin = at, .scale = 1.0};
        for (uint32_t left = cook->links.masks[v]; left != 0; left &= left - 1) {
            const int step = __builtin_ctz(left);
            const uint32_t length = tlw_link_lengths[step];
            s->links[at++] = tlw_linked_voxel(cook, v, step) | length << LINK_VOXEL_BITS;
            s->voxels[v].conductance += link_share(length);
        }
    }
    s->voxels[count] = (spread_voxel){.link_begin = at};
    return TLW_OK;
}

// Marks the voxels that have the group's joint k among their nearest: the touched ones, and from
// them on every voxel that a step leads to whose path length is longer by just that step.
static void mark_nearest(spread* s, uint32_t group, uint32_t k) {
    const tlw_cook* cook = s->cook;
    const tlw_cook_skeleton_joint* joint = &cook->skeleton.joints[s->joints[group * GROUP + k]];
    const uint8_t bit = (uint8_t)(1u << k);
    uint32_t length = 0;
    for (uint32_t i = joint->touched_begin; i < joint->touched_end; ++i) {
        const uint32_t voxel = cook->skeleton.touched[i];
        if ((s->sources[voxel] & bit) == 0) {
            s->sources[voxel] |= bit;
            s->queue[length++] = voxel;
        }
    }
    for (uint32_t i = 0; i < length; ++i) {
        const uint32_t voxel = s->queue[i];
        for (size_t l = s->voxels[voxel].link_begin; l < s->voxels[voxel + 1].link_begin; ++l) {
            const uint32_t to = s->links[l] & LINK_VOXEL_MASK;
            const uint32_t step = s->links[l] >> LINK_VOXEL_BITS;
            if (s->distance[to] == s->distance[voxel] + step && (s->sources[to] & bit) == 0) {
                s->sources[to] |= bit;
                s->queue[length++] = to;
            }
        }
    }
}

static uint32_t joints_of_group(const spread* s, uint32_t group) {
    const uint32_t left = s->joint_count - group * GROUP;
    return left < GROUP ? left : GROUP;
}

static void mark_group(spread* s, uint32_t group) {
    memset(s->sources, 0, s->cook->voxels.count * sizeof *s->sources);
    for (uint32_t k = 0; k < joints_of_group(s, group); ++k) {
        mark_nearest(s, group, k);
    }
}

// H = 2 b / (d + 0.5)^2, with b the mean strength of the nearest joints, and the share of each of
// these joints, which is 1 over their number. Where no joint can be reached there is no heat.
static tlw_result set_heat(spread* s) {
    tlw_cook* cook = s->cook;
    const uint32_t count = cook->voxels.count;
    const tlw_result result = tlw_cook_path_lengths(cook, cook->links.masks, cook->skeleton.touched,
                                                    cook->skeleton.touched_count, s->distance);
    uint32_t* nearest = tlw_cook_allocate(cook, count, sizeof *nearest);
    if (result != TLW_OK || nearest == NULL) {
        return cook->error.result;
    }
    for (uint32_t g = 0; g < s->group_count; ++g) {
        mark_group(s, g);
        for (uint32_t v = 0; v < count; ++v) {
            for (uint32_t left = s->sources[v]; left != 0; left &= left - 1) {
                nearest[v] += 1;
                s->voxels[v].source += s->strength[g * GROUP + (uint32_t)__builtin_ctz(left)];
            }
        }
    }
    for (uint32_t v = 0; v < count; ++v) {
        if (nearest[v] > 0) {
            const double strength = s->voxels[v].source / nearest[v];
            const double d = (double)s->distance[v] + 0.5;
            const double heat = 2.0 * strength / (d * d);
            s->voxels[v].share = 1.0 / nearest[v];
            s->voxels[v].source = heat * s->voxels[v].share;
            s->voxels[v].scale = 1.0 + heat;
        }
    }
    tlw_cook_free(cook, nearest);
    return TLW_OK;
}

// Diffusion: sources keep their values, and every voxel that links lead to has one after as many
// sweeps as the farthest of them is links away.
static uint32_t fix_sources(spread* s) {
    const tlw_cook* cook = s->cook;
    uint32_t length = 0, begin = 0, sweeps = 0;
    memset(s->sources, 0, cook->voxels.count * sizeof *s->sources); // 1: reached
    for (uint32_t i = 0; i < cook->skeleton.touched_count; ++i) {
        const uint32_t voxel = cook->skeleton.touched[i];
        s->voxels[voxel].conductance = 0.0;
        if (s->sources[voxel] == 0) {
            s->sources[voxel] = 1;
            s->queue[length++] = voxel;
        }
    }
    for (uint32_t end = length; begin < end; end = length) {
        for (; begin < end; ++begin) {
            const spread_voxel* voxel = &s->voxels[s->queue[begin]];
            for (size_t l = voxel->link_begin; l < (voxel + 1)->link_begin; ++l) {
                const uint32_t to = s->links[l] & LINK_VOXEL_MASK;
                if (s->sources[to] == 0) {
                    s->sources[to] = 1;
                    s->queue[length++] = to;
                }
            }
        }
        sweeps += length > end;
    }
    return sweeps;
}

// Sweeps

static void sweep_voxels(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    const spread* s = context;
    const double share[4] = {0.0, link_share(1), link_share(2), link_share(3)};
    double change[GROUP];
    memcpy(change, s->change[worker], sizeof change);
    for (uint32_t v = begin; v < end; ++v) {
        const spread_voxel* voxel = &s->voxels[v];
        const joint_values* old = &s->now[v];
        joint_values* new = &s->next[v];
        if (!(voxel->conductance > 0.0)) {
            *new = *old;
            continue;
        }
        double sum[GROUP] = {0};
        for (size_t l = voxel->link_begin; l < (voxel + 1)->link_begin; ++l) {
            const double t = share[s->links[l] >> LINK_VOXEL_BITS];
            const joint_values* from = &s->now[s->links[l] & LINK_VOXEL_MASK];
            for (int k = 0; k < GROUP; ++k) {
                sum[k] += t * from->of[k];
            }
        }
        for (int k = 0; k < GROUP; ++k) {
            sum[k] /= voxel->conductance;
        }
        for (uint32_t left = s->sources[v]; left != 0; left &= left - 1) {
            sum[__builtin_ctz(left)] += voxel->source;
        }
        for (int k = 0; k < GROUP; ++k) {
            const double value = sum[k] / voxel->scale;
            const double kept = value < NO_VALUE ? 0.0 : value;
            const double by = fabs(kept - old->of[k]);
            change[k] = by > change[k] ? by : change[k];
            new->of[k] = kept;
        }
    }
    memcpy(s->change[worker], change, sizeof change);
}

// One sweep over all voxels. Returns the largest change of any value.
static double sweep(spread* s) {
    const tlw_task_system* tasks = s->cook->tasks;
    memset(s->change, 0, tasks->worker_count * sizeof *s->change);
    void* handle =
        tasks->enqueue(sweep_voxels, s->cook->voxels.count, VOXELS_A_JOB, s, tasks->user);
    if (handle) {
        tasks->finish(handle, tasks->user);
    }
    joint_values* swapped = s->now;
    s->now = s->next;
    s->next = swapped;
    double largest = 0.0;
    for (uint32_t w = 0; w < tasks->worker_count; ++w) {
        for (int k = 0; k < GROUP; ++k) {
            largest = fmax(largest, s->change[w][k]);
        }
    }
    return largest;
}

// Sets s->now to the values that a group starts from.
static void start_group(spread* s, uint32_t group) {
    const tlw_cook* cook = s->cook;
    memset(s->now, 0, cook->voxels.count * sizeof *s->now);
    if (s->is_heat) { // w = p
        for (uint32_t v = 0; v < cook->voxels.count; ++v) {
            for (uint32_t left = s->sources[v]; left != 0; left &= left - 1) {
                s->now[v].of[__builtin_ctz(left)] = s->voxels[v].share;
            }
        }
        return;
    }
    for (uint32_t k = 0; k < joints_of_group(s, group); ++k) {
        const tlw_cook_skeleton_joint* joint = &cook->skeleton.joints[s->joints[group * GROUP + k]];
        for (uint32_t i = joint->touched_begin; i < joint->touched_end; ++i) {
            s->now[cook->skeleton.touched[i]].of[k] = s->energy[group * GROUP + k];
        }
    }
}

// Sweeps a group until it has had `sweeps` sweeps and, if asked, is settled. Goes on from the
// values that it has kept, if any, and leaves its values in s->now.
static void run_group(spread* s, uint32_t group, uint32_t sweeps, bool until_settled) {
    if (s->is_heat) {
        mark_group(s, group);
    } else {
        memset(s->sources, 0, s->cook->voxels.count * sizeof *s->sources);
    }
    if (s->kept[group] != NULL) {
        tlw_cook_free(s->cook, s->now);
        s->now = s->kept[group];
        s->kept[group] = NULL;
    } else {
        start_group(s, group);
        s->sweeps_done[group] = 0;
        s->last_change[group] = INFINITY;
    }
    while (s->sweeps_done[group] < sweeps || (until_settled && s->last_change[group] > SETTLED &&
                                              s->sweeps_done[group] < SWEEPS_MAX)) {
        s->last_change[group] = sweep(s);
        s->sweeps_done[group] += 1;
        // Until it is settled nobody knows how many more: every sweep moves the bar, by less and
        // less.
        const double done = s->sweeps_done[group];
        tlw_cook_advance(s->cook, done / (until_settled ? done + SWEEPS_USUAL : (double)sweeps));
    }
}

// Lets a group keep its values, if there is room, and makes room for another group's.
static tlw_result keep_group(spread* s, uint32_t group) {
    tlw_cook* cook = s->cook;
    const uint64_t bytes = (uint64_t)cook->voxels.count * sizeof *s->now;
    if (cook->memory_bytes + bytes <= cook->recipe->max_memory_bytes / 2) {
        s->kept[group] = s->now;
        s->now = tlw_cook_allocate(cook, cook->voxels.count, sizeof *s->now);
    }
    return cook->error.result;
}

// The number of sweeps that settles all groups at once. In exact numbers a change never grows from
// one sweep to the next, because no row of the equation sums to more than 1, so the slowest group
// decides; the last bits of a change might still differ, so this is checked.
static tlw_result settle(spread* s, uint32_t* sweeps) {
    tlw_result result = TLW_OK;
    *sweeps = 0;
    const double part = SETTLING / s->group_count;
    for (uint32_t g = 0; g < s->group_count && result == TLW_OK; ++g) {
        tlw_cook_begin_part(s->cook, g * part, (g + 1) * part);
        run_group(s, g, 1, true);
        *sweeps = s->sweeps_done[g] > *sweeps ? s->sweeps_done[g] : *sweeps;
        result = keep_group(s, g);
    }
    const double level = (SETTLED_ALL - SETTLING) / s->group_count;
    for (uint32_t g = 0; g < s->group_count && result == TLW_OK;) {
        tlw_cook_begin_part(s->cook, SETTLING + g * level, SETTLING + (g + 1) * level);
        if (s->sweeps_done[g] != *sweeps) {
            run_group(s, g, *sweeps, false);
            result = keep_group(s, g);
        }
        g += 1;
        if (s->last_change[g - 1] > SETTLED && *sweeps < SWEEPS_MAX) {
            *sweeps += 1;
            g = 0;
        }
    }
    return result;
}

static tlw_result allocate(spread* s) {
    tlw_cook* cook = s->cook;
    const uint32_t count = cook->voxels.count;
    s->distance = tlw_cook_allocate(cook, count, sizeof *s->distance);
    s->queue = tlw_cook_allocate(cook, count, sizeof *s->queue);
    s->sources = tlw_cook_allocate(cook, count, sizeof *s->sources);
    s->now = tlw_cook_allocate(cook, count, sizeof *s->now);
    s->next = tlw_cook_allocate(cook, count, sizeof *s->next);
    s->change = tlw_cook_allocate(cook, cook->tasks->worker_count, sizeof *s->change);
    s->kept = tlw_cook_allocate(cook, s->group_count, sizeof(joint_values*));
    s->sweeps_done = tlw_cook_allocate(cook, s->group_count, sizeof *s->sweeps_done);
    s->last_change = tlw_cook_allocate(cook, s->group_count, sizeof *s->last_change);
    return cook->error.result;
}

static void release(spread* s) {
    void* const all[] = {s->joints, s->strength, s->energy,      s->distance,   s->queue,
                         s->voxels, s->links,    s->sources,     s->now,        s->next,
                         s->change, s->kept,     s->sweeps_done, s->last_change};
    for (size_t i = 0; i < TLW_COUNT_OF(all); ++i) {
        tlw_cook_free(s->cook, all[i]);
    }
}

double tlw_round_spread(double value) {
    return floor(value * VALUE_STEPS + 0.5) / VALUE_STEPS;
}

tlw_result tlw_cook_spread(tlw_cook* cook, tlw_take_value* take, void* user) {
    spread s = {.cook = cook, .is_heat = cook->weight_mode == TLW_WEIGHTS_HEAT};
    tlw_result result = list_joints(&s);
    result = result == TLW_OK ? list_links(&s) : result;
    result = result == TLW_OK ? allocate(&s) : result;
    if (result == TLW_OK && s.is_heat) {
        result = set_heat(&s);
        result = result == TLW_OK ? settle(&s, &cook->weight_sweeps) : result;
    } else if (result == TLW_OK) {
        cook->weight_sweeps = fix_sources(&s);
    }
    const double before = s.is_heat ? SETTLED_ALL : 0.0;
    const double part = (1.0 - before) / (s.group_count > 0 ? s.group_count : 1);
    for (uint32_t g = 0; g < s.group_count && result == TLW_OK; ++g) {
        tlw_cook_begin_part(cook, before + g * part, before + (g + 1) * part);
        run_group(&s, g, cook->weight_sweeps, false);
        for (uint32_t v = 0; v < cook->voxels.count; ++v) {
            for (uint32_t k = 0; k < joints_of_group(&s, g); ++k) {
                const double energy = s.is_heat ? s.energy[g * GROUP + k] : 1.0;
                if (s.now[v].of[k] > 0.0) {
                    take(v, s.joints[g * GROUP + k], energy * s.now[v].of[k], user);
                }
            }
        }
    }
    release(&s);
    return result;
}
