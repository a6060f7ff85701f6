// SPDX-License-Identifier: MIT
// The shortest way between two joints along the skeleton (RULES 6.2): over kept segments, lines
// from any joint to its parent, and straight lines between children of one joint; roots count as
// children of one. Used by the stage cuts. Reads the input's joints and cook->skeleton.
//
// Kept joints are where such ways meet: every way from below a kept joint to anywhere else goes
// through it, because sibling lines and segments do not pass it by. Between a kept joint and its
// nearest kept ancestor nothing is shorter than the segment. So a way goes up by segments from both
// joints, to two kept joints below the same kept joint (or below none). Between those two there are
// only two ways that are not longer than another: by segments through the joint above, or up by
// lines to two children of one joint and straight across. Neither lists siblings. Each climb takes
// steps of powers of two, so that long chains cost no more than their logarithm.
#include "tools/cook/stages.h"

#include <math.h>

// A forest with jumps: 2^level parents up, and how long that way is.
typedef struct forest {
    uint32_t count, levels;
    uint32_t* depth; // number of ancestors
    uint32_t* up;    // [level * count + joint]; a root leads to itself
    double* length;
} forest;

struct tlw_ways {
    const tlw_cook_skeleton_joint* joints;
    forest kept;  // joints below their nearest kept ancestor
    forest lines; // joints below their parent
};

static double distance(tlw_double3 a, tlw_double3 b) {
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

static uint32_t parent_of(const tlw_cook* cook, bool is_kept, uint32_t joint) {
    return is_kept ? cook->skeleton.joints[joint].parent : cook->input->joints[joint].parent;
}

static uint32_t measure_depths(const tlw_cook* cook, bool is_kept, forest* f) {
    uint32_t deepest = 0;
    for (uint32_t j = 0; j < f->count; ++j) {
        // Up to a joint whose depth is known (only a root's is 0), then down again to set depths.
        uint32_t steps = 0, top = j;
        while (f->depth[top] == 0 && parent_of(cook, is_kept, top) != TLW_NO_JOINT) {
            top = parent_of(cook, is_kept, top);
            steps += 1;
        }
        uint32_t depth = f->depth[top] + steps;
        deepest = depth > deepest ? depth : deepest;
        for (uint32_t at = j; at != top; at = parent_of(cook, is_kept, at)) {
            f->depth[at] = depth--;
        }
    }
    return deepest;
}

static tlw_result make_forest(tlw_cook* cook, bool is_kept, forest* f) {
    const tlw_cook_skeleton_joint* joints = cook->skeleton.joints;
    f->count = cook->skeleton.joint_count;
    f->depth = tlw_cook_allocate(cook, f->count, sizeof *f->depth);
    if (f->depth == NULL) {
        return cook->error.result;
    }
    const uint32_t deepest = measure_depths(cook, is_kept, f);
    f->levels = 1;
    while (deepest >> f->levels != 0) {
        f->levels += 1;
    }
    const uint64_t room = (uint64_t)f->count * f->levels;
    f->up = tlw_cook_allocate(cook, room, sizeof *f->up);
    f->length = tlw_cook_allocate(cook, room, sizeof *f->length);
    for (uint32_t j = 0; j < f->count && cook->error.result == TLW_OK; ++j) {
        const uint32_t parent = parent_of(cook, is_kept, j);
        f->up[j] = parent != TLW_NO_JOINT ? parent : j;
        f->length[j] = distance(joints[j].position, joints[f->up[j]].position);
    }
    for (uint64_t i = f->count; i < room && cook->error.result == TLW_OK; ++i) {
        const uint64_t below = i - f->count, level_begin = below - below % f->count;
        const uint64_t half = level_begin + f->up[below];
        f->up[i] = f->up[half];
        f->length[i] = f->length[below] + f->length[half];
    }
    return cook->error.result;
}

// Two joints that have climbed, and how far.
typedef struct climb {
    uint32_t a, b;
    double length_a, length_b;
} climb;

// Climbs from both until they are one joint, or else two children of one joint or two roots.
static climb meet(const forest* f, uint32_t a, uint32_t b) {
    climb c = {a, b, 0.0, 0.0};
    for (uint32_t level = f->levels; level-- > 0;) {
        const size_t at = (size_t)level * f->count;
        if (f->depth[c.a] >= f->depth[c.b] + (1u << level)) {
            c.length_a += f->length[at + c.a];
            c.a = f->up[at + c.a];
        } else if (f->depth[c.b] >= f->depth[c.a] + (1u << level)) {
            c.length_b += f->length[at + c.b];
            c.b = f->up[at + c.b];
        }
    }
    for (uint32_t level = f->levels; level-- > 0 && c.a != c.b;) {
        const size_t at = (size_t)level * f->count;
        if (f->up[at + c.a] != f->up[at + c.b]) {
            c.length_a += f->length[at + c.a];
            c.length_b += f->length[at + c.b];
            c.a = f->up[at + c.a];
            c.b = f->up[at + c.b];
        }
    }
    return c;
}

double tlw_way_between(const tlw_ways* ways, uint32_t a, uint32_t b) {
    const climb up = meet(&ways->kept, a, b);
    if (up.a == up.b) {
        return up.length_a + up.length_b;
    }
    const tlw_double3 at_a = ways->joints[up.a].position, at_b = ways->joints[up.b].position;
    const uint32_t above = ways->joints[up.a].parent;
    const climb lines = meet(&ways->lines, up.a, up.b);
    double across = (lines.length_a + lines.length_b) +
                    distance(ways->joints[lines.a].position, ways->joints[lines.b].position);
    if (above != TLW_NO_JOINT) {
        const tlw_double3 through = ways->joints[above].position;
        const double by_segments = distance(at_a, through) + distance(through, at_b);
        across = by_segments < across ? by_segments : across;
    }
    return (up.length_a + up.length_b) + across;
}

tlw_ways* tlw_cook_make_ways(tlw_cook* cook) {
    tlw_ways* ways = tlw_cook_allocate(cook, 1, sizeof *ways);
    if (ways == NULL) {
        return NULL;
    }
    ways->joints = cook->skeleton.joints;
    if (make_forest(cook, true, &ways->kept) != TLW_OK ||
        make_forest(cook, false, &ways->lines) != TLW_OK) {
        return NULL; // the end of the cook frees what there is
    }
    return ways;
}

static void free_forest(tlw_cook* cook, forest* f) {
    tlw_cook_free(cook, f->depth);
    tlw_cook_free(cook, f->up);
    tlw_cook_free(cook, f->length);
}

void tlw_cook_free_ways(tlw_cook* cook, tlw_ways* ways) {
    if (ways != NULL) {
        free_forest(cook, &ways->kept);
        free_forest(cook, &ways->lines);
        tlw_cook_free(cook, ways);
    }
}
