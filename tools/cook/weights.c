// SPDX-License-Identifier: MIT
// Stages weights and reweigh (RULES 5): up to four joints and weights for every voxel. Artist
// weights are those of the closest point of the mesh, smoothed inside the lattice. Geodesic weights
// follow from path lengths to the voxels that a joint's segments touch (Iwamoto et al. 2015, Eq. 1
// and 2, after Dionne and de Lasa 2013). Heat and diffusion weights are computed in heat.c, after
// the cut; the cut uses geodesic weights then. Artist and geodesic weights go joint by joint:
// smoothing is linear, so the weights of one joint are a field of their own, and the largest are
// kept on the way. Reads cook->welded, cook->voxels, cook->skeleton and cook->links; writes
// cook->weights.
#include "tools/cook/closest.h"
#include "tools/cook/heat.h"
#include "tools/cook/stages.h"

#include <math.h>

// While joints are gone through, eight candidates are kept and not only the four that stay: which
// of two almost equal weights is larger is decided at the end, on weights that sum to 1, in steps
// of 1e-8, ties to the lower joint (RULES 5.5).
#define CANDIDATES   8
#define WEIGHT_STEPS 1e8

typedef struct candidate_weights {
    double sum; // over all joints, candidates or not
    uint32_t joint[CANDIDATES];
    double weight[CANDIDATES];
} candidate_weights;

static void consider(candidate_weights* row, uint32_t joint, double weight) {
    row->sum += weight;
    if (!(weight > row->weight[CANDIDATES - 1])) {
        return;
    }
    int place = CANDIDATES - 1;
    while (place > 0 && weight > row->weight[place - 1]) {
        row->weight[place] = row->weight[place - 1];
        row->joint[place] = row->joint[place - 1];
        place -= 1;
    }
    row->weight[place] = weight;
    row->joint[place] = joint;
}

static tlw_voxel_weights choose_largest(const candidate_weights* row) {
    tlw_voxel_weights chosen = {{0}, {0}};
    double steps[TLW_VOXEL_JOINTS] = {0}, sum = 0.0;
    int count = 0;
    for (int i = 0; i < CANDIDATES && row->sum > 0.0; ++i) {
        const double weight = row->weight[i] / row->sum;
        const double step = floor(weight * WEIGHT_STEPS + 0.5);
        int place = count;
        while (place > 0 &&
               (step > steps[place - 1] ||
                (step == steps[place - 1] && row->joint[i] < chosen.joint[place - 1]))) {
            place -= 1;
        }
        if (step <= 0.0 || place == TLW_VOXEL_JOINTS) {
            continue;
        }
        count += count < TLW_VOXEL_JOINTS;
        for (int k = count - 1; k > place; --k) {
            steps[k] = steps[k - 1];
            chosen.joint[k] = chosen.joint[k - 1];
            chosen.weight[k] = chosen.weight[k - 1];
        }
        steps[place] = step;
        chosen.joint[place] = row->joint[i];
        chosen.weight[place] = weight;
    }
    for (int i = 0; i < count; ++i) {
        sum += chosen.weight[i];
    }
    for (int i = 0; i < count; ++i) {
        chosen.weight[i] /= sum;
    }
    return chosen;
}

// Artist

// The point of the mesh that is closest to a voxel: corners of its triangle and their shares.
typedef struct surface_point {
    uint32_t vertex[3];
    double share[3];
} surface_point;

typedef struct closest_task {
    const tlw_cook* cook;
    const tlw_closest* tree;
    surface_point* surface;
} closest_task;

static void find_closest(uint32_t begin, uint32_t end, uint32_t worker, void* context) {
    (void)worker;
    const closest_task* task = context;
    const tlw_cook* cook = task->cook;
    const double tie = TLW_SLACK * cook->grid.voxel * cook->grid.voxel;
    uint32_t last = UINT32_MAX; // most voxels lie beside the one before, so its triangle is near
    for (uint32_t v = begin; v < end; ++v) {
        tlw_double3 centre = tlw_cook_voxel_centre(&cook->grid, cook->voxels.coordinates[v]);
        tlw_closest_point found = tlw_closest_find(task->tree, centre, tie, last);
        last = found.triangle;
        for (int i = 0; i < 3; ++i) {
            task->surface[v].vertex[i] = cook->welded.triangles[found.triangle][i];
            task->surface[v].share[i] = found.share[i];
        }
    }
}

// A voxel with links through all six faces takes the mean of those six neighbours; the others keep
// their weight. No link is cut yet, so a link is the same as a neighbour here (RULES 5.4).
static void smooth(const tlw_cook* cook, const double* from, double* to) {
    const size_t row = (size_t)cook->grid.size.x, layer = row * (size_t)cook->grid.size.y;
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        to[v] = from[v];
        if ((cook->links.masks[v] & TLW_FACE_STEPS) == TLW_FACE_STEPS) {
            const uint32_t* at =
                cook->voxels.index + tlw_cook_cell(&cook->grid, cook->voxels.coordinates[v]);
            to[v] = (((((from[at[-1]] + from[at[1]]) + from[*(at - row)]) + from[at[row]]) +
                      from[*(at - layer)]) +
                     from[at[layer]]) /
                    6.0;
        }
    }
}

static tlw_result find_surface(tlw_cook* cook, surface_point* surface) {
    tlw_closest tree;
    tlw_result result = tlw_closest_build(cook, &tree);
    if (result == TLW_OK) {
        closest_task task = {cook, &tree, surface};
        void* handle =
            cook->tasks->enqueue(find_closest, cook->voxels.count, 256, &task, cook->tasks->user);
        if (handle) {
            cook->tasks->finish(handle, cook->tasks->user);
        }
    }
    tlw_closest_free(cook, &tree);
    return result;
}

static tlw_result weigh_by_artist(tlw_cook* cook, candidate_weights* rows) {
    const uint32_t count = cook->voxels.count;
    const tlw_cook_welded* welded = &cook->welded;
    surface_point* surface = tlw_cook_allocate(cook, count, sizeof *surface);
    if (surface == NULL || find_surface(cook, surface) != TLW_OK) {
        return cook->error.result;
    }
    double* column = tlw_cook_allocate(cook, welded->vertex_count, sizeof *column);
    double* field = tlw_cook_allocate(cook, count, sizeof *field);
    double* smoothed = tlw_cook_allocate(cook, count, sizeof *smoothed);
    tlw_result result = cook->error.result;
    for (uint32_t j = 0; j < cook->skeleton.joint_count && result == TLW_OK; ++j) {
        if (!cook->skeleton.joints[j].is_kept) {
            continue;
        }
        for (uint32_t v = 0; v < welded->vertex_count; ++v) {
            column[v] = tlw_welded_weight(welded, v, j);
        }
        for (uint32_t v = 0; v < count; ++v) {
            const surface_point* s = &surface[v];
            field[v] = (s->share[0] * column[s->vertex[0]] + s->share[1] * column[s->vertex[1]]) +
                       s->share[2] * column[s->vertex[2]];
        }
        for (uint32_t pass = 0; pass < cook->recipe->smoothing_passes; ++pass) {
            smooth(cook, field, smoothed);
            double* swapped = field;
            field = smoothed;
            smoothed = swapped;
        }
        for (uint32_t v = 0; v < count; ++v) {
            consider(&rows[v], j, field[v]);
        }
    }
    tlw_cook_free(cook, column);
    tlw_cook_free(cook, field);
    tlw_cook_free(cook, smoothed);
    tlw_cook_free(cook, surface);
    return result;
}

// Geodesic

static double geodesic_weight(uint32_t distance) {
    const double a = 0.5, d = (double)distance + 0.5;
    const double length = (1.0 - a) * d + a * d * d;
    return 1.0 / (length * length);
}

static tlw_result weigh_by_paths(tlw_cook* cook, candidate_weights* rows) {
    const uint32_t count = cook->voxels.count;
    uint32_t* distance = tlw_cook_allocate(cook, count, sizeof *distance);
    tlw_result result = cook->error.result;
    for (uint32_t j = 0; j < cook->skeleton.joint_count && result == TLW_OK; ++j) {
        const tlw_cook_skeleton_joint* joint = &cook->skeleton.joints[j];
        if (joint->touched_begin == joint->touched_end) {
            continue;
        }
        result = tlw_cook_path_lengths(cook, cook->links.masks,
                                       cook->skeleton.touched + joint->touched_begin,
                                       joint->touched_end - joint->touched_begin, distance);
        for (uint32_t v = 0; v < count && result == TLW_OK; ++v) {
            if (distance[v] != TLW_UNREACHED) {
                consider(&rows[v], j, geodesic_weight(distance[v]));
            }
        }
    }
    tlw_cook_free(cook, distance);
    return result;
}

// For a voxel that no path joins to a segment: the owner of the nearest segment in a straight line.
static uint32_t nearest_joint(const tlw_cook* cook, uint32_t voxel) {
    const tlw_double3 centre = tlw_cook_voxel_centre(&cook->grid, cook->voxels.coordinates[voxel]);
    const double slack = TLW_SLACK * cook->grid.voxel * cook->grid.voxel;
    double best = INFINITY;
    uint32_t joint = 0;
    for (uint32_t s = 0; s < cook->skeleton.segment_count; ++s) {
        const double squared = tlw_squared_to_segment(&cook->skeleton.segments[s], centre);
        if (squared < best - slack) {
            best = squared;
            joint = cook->skeleton.segments[s].owner;
        }
    }
    return joint;
}

// Heat, diffusion, or paths: all computed weights are geodesic before the cut (RULES 5.9).

static void take_spread(uint32_t voxel, uint32_t joint, double value, void* user) {
    consider((candidate_weights*)user + voxel, joint, tlw_round_spread(value));
}

static tlw_result weigh_by_bones(tlw_cook* cook, candidate_weights* rows, bool is_after_cut) {
    return is_after_cut && cook->weight_mode != TLW_WEIGHTS_GEODESIC
               ? tlw_cook_spread(cook, take_spread, rows)
               : weigh_by_paths(cook, rows);
}

static tlw_result weigh(tlw_cook* cook, bool is_after_cut) {
    const uint32_t count = cook->voxels.count;
    candidate_weights* rows = tlw_cook_allocate(cook, count, sizeof *rows);
    tlw_result result = cook->error.result;
    if (result == TLW_OK) {
        result = cook->has_artist_weights ? weigh_by_artist(cook, rows)
                                          : weigh_by_bones(cook, rows, is_after_cut);
    }
    for (uint32_t v = 0; v < count && result == TLW_OK; ++v) {
        cook->weights[v] = choose_largest(&rows[v]);
        if (!(cook->weights[v].weight[0] > 0.0)) {
            cook->weights[v] = (tlw_voxel_weights){{nearest_joint(cook, v)}, {1.0}};
        }
    }
    tlw_cook_free(cook, rows);
    return result;
}

// No later stage reads the welded mesh: vertices are bound as the input has them.
static void free_welded(tlw_cook* cook) {
    tlw_cook_welded* welded = &cook->welded;
    tlw_cook_free(cook, welded->positions);
    tlw_cook_free(cook, welded->influence_begin);
    tlw_cook_free(cook, welded->influences);
    tlw_cook_free(cook, welded->triangles);
    welded->positions = NULL;
    welded->influence_begin = NULL;
    welded->influences = NULL;
    welded->triangles = NULL;
}

tlw_result tlw_cook_weigh(tlw_cook* cook) {
    cook->weights = tlw_cook_allocate(cook, cook->voxels.count, sizeof *cook->weights);
    const tlw_result result = cook->weights != NULL ? weigh(cook, false) : cook->error.result;
    free_welded(cook);
    return result;
}

tlw_result tlw_cook_reweigh(tlw_cook* cook) {
    return cook->has_artist_weights ? TLW_OK : weigh(cook, true);
}
