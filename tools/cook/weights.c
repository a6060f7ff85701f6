// SPDX-License-Identifier: MIT
// Stages weights and reweigh (RULES 5): up to four joints and weights for every voxel, by which
// links are cut, and then those that stay. Artist weights are those of the closest point of the
// mesh; after the cut they are smoothed inside the lattice, from all joints. Geodesic weights
// follow from path lengths to the voxels that a joint's segments touch (Iwamoto et al. 2015, Eq. 1
// and 2, after Dionne and de Lasa 2013), and are computed again after the cut. Heat and diffusion
// weights are computed in heat.c, after the cut; the cut uses geodesic weights then. Smoothing and
// paths go joint by joint: smoothing is linear, so the weights of one joint are a field of their
// own, and the largest are kept on the way. Reads cook->welded, cook->surface, cook->voxels,
// cook->skeleton and cook->links; writes cook->weights.
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

// The joints of the closest point's three corners, ascending, each with its weight there.
typedef struct corner_joints {
    const tlw_influence *at[3], *end[3]; // what is left of each corner's list
    double share[3];
} corner_joints;

static corner_joints corners_of(const tlw_cook* cook, uint32_t voxel) {
    const tlw_cook_welded* welded = &cook->welded;
    const tlw_surface_point* point = &cook->surface[voxel];
    corner_joints c;
    for (int i = 0; i < 3; ++i) {
        const uint32_t vertex = welded->triangles[point->triangle][i];
        c.at[i] = welded->influences + welded->influence_begin[vertex];
        c.end[i] = welded->influences + welded->influence_begin[vertex + 1];
        c.share[i] = point->share[i];
    }
    return c;
}

static bool next_joint(corner_joints* c, tlw_influence* out) {
    uint32_t joint = TLW_NO_JOINT;
    for (int i = 0; i < 3; ++i) {
        joint = c->at[i] < c->end[i] && c->at[i]->joint < joint ? c->at[i]->joint : joint;
    }
    double part[3];
    for (int i = 0; i < 3; ++i) {
        const bool has_joint = c->at[i] < c->end[i] && c->at[i]->joint == joint;
        part[i] = has_joint ? c->share[i] * c->at[i]->weight : 0.0;
        c->at[i] += has_joint;
    }
    *out = (tlw_influence){joint, (part[0] + part[1]) + part[2]};
    return joint != TLW_NO_JOINT;
}

static void weigh_by_surface(const tlw_cook* cook, candidate_weights* rows) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        corner_joints corners = corners_of(cook, v);
        tlw_influence next;
        while (next_joint(&corners, &next)) {
            consider(&rows[v], next.joint, next.weight);
        }
    }
}

// A voxel with links through all six faces takes the mean of those six neighbours; the others keep
// their weight.
static double smoothed(const tlw_cook* cook, const double* from, uint32_t voxel) {
    const size_t row = (size_t)cook->grid.size.x, layer = row * (size_t)cook->grid.size.y;
    if ((cook->links.masks[voxel] & TLW_FACE_STEPS) != TLW_FACE_STEPS) {
        return from[voxel];
    }
    const uint32_t* at =
        cook->voxels.index + tlw_cook_cell(&cook->grid, cook->voxels.coordinates[voxel]);
    return (((((from[at[-1]] + from[at[1]]) + from[*(at - row)]) + from[at[row]]) +
             from[*(at - layer)]) +
            from[at[layer]]) /
           6.0;
}

void tlw_cook_smooth(const tlw_cook* cook, const double* from, double* to) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        to[v] = smoothed(cook, from, v);
    }
}

// The weights of all voxels before smoothing, joint by joint.
typedef struct joint_fields {
    size_t* begin; // joint_count + 1 offsets
    uint32_t* voxels;
    double* weights;
} joint_fields;

static tlw_result list_fields(tlw_cook* cook, joint_fields* list) {
    const uint32_t joints = cook->skeleton.joint_count;
    list->begin = tlw_cook_allocate(cook, (uint64_t)joints + 2, sizeof *list->begin);
    for (int pass = 0; pass < 2 && cook->error.result == TLW_OK; ++pass) {
        for (uint32_t v = 0; v < cook->voxels.count; ++v) {
            corner_joints corners = corners_of(cook, v);
            tlw_influence next;
            while (next_joint(&corners, &next)) {
                if (pass == 0) {
                    list->begin[next.joint + 2] += 1;
                } else {
                    const size_t place = list->begin[next.joint + 1]++;
                    list->voxels[place] = v;
                    list->weights[place] = next.weight;
                }
            }
        }
        for (uint32_t j = 0; j < joints && pass == 0; ++j) {
            list->begin[j + 2] += list->begin[j + 1];
        }
        if (pass == 0) {
            const uint64_t count = list->begin[joints + 1];
            list->voxels = tlw_cook_allocate(cook, count, sizeof *list->voxels);
            list->weights = tlw_cook_allocate(cook, count, sizeof *list->weights);
        }
    }
    return cook->error.result;
}

// Weights of one joint: a number per voxel, and which voxels may have one that is not 0. Most
// joints have few, and a pass of smoothing adds only their neighbours.
typedef struct sparse_field {
    double *from, *to;
    uint32_t* list;
    uint32_t count;
    uint8_t* is_listed;
} sparse_field;

static void list_voxel(sparse_field* field, uint32_t voxel) {
    if (!field->is_listed[voxel]) {
        field->is_listed[voxel] = 1;
        field->list[field->count++] = voxel;
    }
}

static void smooth_field(const tlw_cook* cook, sparse_field* field) {
    const uint32_t before = field->count;
    for (uint32_t i = 0; i < before && field->count < cook->voxels.count; ++i) {
        const uint32_t v = field->list[i];
        for (uint32_t left = cook->links.masks[v] & TLW_FACE_STEPS; left != 0; left &= left - 1) {
            list_voxel(field, tlw_linked_voxel(cook, v, __builtin_ctz(left)));
        }
    }
    for (uint32_t i = 0; i < field->count; ++i) {
        field->to[field->list[i]] = smoothed(cook, field->from, field->list[i]);
    }
    double* swapped = field->from;
    field->from = field->to;
    field->to = swapped;
}

static tlw_result smooth_surface(tlw_cook* cook, candidate_weights* rows) {
    const uint32_t count = cook->voxels.count;
    joint_fields all = {0};
    sparse_field field = {.from = tlw_cook_allocate(cook, count, sizeof *field.from),
                          .to = tlw_cook_allocate(cook, count, sizeof *field.to),
                          .list = tlw_cook_allocate(cook, count, sizeof *field.list),
                          .is_listed = tlw_cook_allocate(cook, count, sizeof *field.is_listed)};
    const tlw_result result = list_fields(cook, &all);
    for (uint32_t j = 0; j < cook->skeleton.joint_count && result == TLW_OK; ++j) {
        field.count = 0;
        for (size_t i = all.begin[j]; i < all.begin[j + 1]; ++i) {
            list_voxel(&field, all.voxels[i]);
            field.from[all.voxels[i]] = all.weights[i];
        }
        for (uint32_t pass = 0; pass < cook->recipe->smoothing_passes; ++pass) {
            smooth_field(cook, &field);
        }
        for (uint32_t i = 0; i < field.count; ++i) {
            const uint32_t v = field.list[i];
            consider(&rows[v], j, field.from[v]);
            field.from[v] = field.to[v] = 0.0;
            field.is_listed[v] = 0;
        }
        tlw_cook_advance(cook, (double)(j + 1) / (double)cook->skeleton.joint_count);
    }
    tlw_cook_free(cook, all.begin);
    tlw_cook_free(cook, all.voxels);
    tlw_cook_free(cook, all.weights);
    tlw_cook_free(cook, field.from);
    tlw_cook_free(cook, field.to);
    tlw_cook_free(cook, field.list);
    tlw_cook_free(cook, field.is_listed);
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

// The largest of each voxel's candidates.
static void take_largest(tlw_cook* cook, const candidate_weights* rows) {
    for (uint32_t v = 0; v < cook->voxels.count; ++v) {
        cook->weights[v] = choose_largest(&rows[v]);
        if (!(cook->weights[v].weight[0] > 0.0)) {
            cook->weights[v] = (tlw_voxel_weights){{nearest_joint(cook, v)}, {1.0}};
        }
    }
}

static void take_heat(uint32_t voxel, uint32_t joint, double value, void* user) {
    consider((candidate_weights*)user + voxel, joint, tlw_round_spread(value));
}

static void take_diffusion(uint32_t voxel, uint32_t joint, double value, void* user) {
    consider((candidate_weights*)user + voxel, joint, value);
}

// Heat is about 1 in every voxel, so its values are rounded as they come. Those of diffusion shrink
// with every link from the bones; they are divided by their sum first, or they would round to 0.
static tlw_result weigh_by_spread(tlw_cook* cook, candidate_weights* rows) {
    if (cook->weight_mode == TLW_WEIGHTS_HEAT) {
        return tlw_cook_spread(cook, take_heat, rows);
    }
    const tlw_result result = tlw_cook_spread(cook, take_diffusion, rows);
    for (uint32_t v = 0; v < cook->voxels.count && result == TLW_OK; ++v) {
        const double sum = rows[v].sum;
        rows[v].sum = 0.0;
        for (int i = 0; i < CANDIDATES && sum > 0.0; ++i) {
            rows[v].weight[i] = tlw_round_spread(rows[v].weight[i] / sum);
            rows[v].sum += rows[v].weight[i];
        }
    }
    return result;
}

// Heat, diffusion, or paths: all computed weights are geodesic before the cut (RULES 5.9).
static tlw_result weigh_by_bones(tlw_cook* cook, candidate_weights* rows, bool is_after_cut) {
    return is_after_cut && cook->weight_mode != TLW_WEIGHTS_GEODESIC ? weigh_by_spread(cook, rows)
                                                                     : weigh_by_paths(cook, rows);
}

static tlw_result weigh(tlw_cook* cook, bool is_after_cut) {
    candidate_weights* rows = tlw_cook_allocate(cook, cook->voxels.count, sizeof *rows);
    tlw_result result = cook->error.result;
    if (result == TLW_OK && !cook->has_artist_weights) {
        result = weigh_by_bones(cook, rows, is_after_cut);
    } else if (result == TLW_OK && is_after_cut) {
        result = smooth_surface(cook, rows);
    } else if (result == TLW_OK) {
        weigh_by_surface(cook, rows);
    }
    if (result == TLW_OK) {
        take_largest(cook, rows);
    }
    tlw_cook_free(cook, rows);
    return result;
}

tlw_result tlw_cook_weigh(tlw_cook* cook) {
    cook->weights = tlw_cook_allocate(cook, cook->voxels.count, sizeof *cook->weights);
    return cook->weights != NULL ? weigh(cook, false) : cook->error.result;
}

tlw_result tlw_cook_reweigh(tlw_cook* cook) {
    return weigh(cook, true);
}
