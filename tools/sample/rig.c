// SPDX-License-Identifier: MIT
// Stage 3 of a sample: the bind pose, and skin weights such as an artist would paint. Reads the
// shape and the mesh, writes the rig and the mesh's joints and weights. The joints of a limb share
// its skin by the position along the limb; limb and trunk share skin only near where they meet;
// four passes of smoothing over the mesh soften the seams.
#include "tools/sample/build.h"

#include <stdlib.h>
#include <string.h>

enum { SMOOTHING_PASSES = 4 };

// The joints of each part, from the trunk outwards. In units of the shape: how far beyond its own
// surface a part still influences skin (reach), and how wide the seam between its joints is (seam).
static const struct {
    sample_joint first;
    unsigned joint_count;
    double reach, seam;
} parts[PART_COUNT] = {
    [PART_TORSO] = {JOINT_hips, 3, 1.6, 2.6},  [PART_HEAD] = {JOINT_head, 1, 2.2, 1.0},
    [PART_EAR_L] = {JOINT_ear_l, 2, 0.9, 1.3}, [PART_EAR_R] = {JOINT_ear_r, 2, 0.9, 1.3},
    [PART_ARM_L] = {JOINT_arm_l, 2, 1.2, 1.3}, [PART_ARM_R] = {JOINT_arm_r, 2, 1.2, 1.3},
    [PART_LEG_L] = {JOINT_leg_l, 3, 1.0, 0.9}, [PART_LEG_R] = {JOINT_leg_r, 3, 1.0, 0.9},
};

void tlw_sample_make_rig(const sample_shape* shape, sample_rig* rig) {
    for (int j = 0; j < JOINT_COUNT; ++j) {
        sample_joint parent = tlw_sample_joint_parents[j];
        vec3 along = normalise(subtract(shape->ends[j], shape->joints[j]));
        rig->bind[j] =
            j == JOINT_root ? QUAT_IDENTITY : rotation_between((vec3){0.0, 1.0, 0.0}, along);
        quat to_parent = conjugate(rig->bind[parent]);
        quat local = j == JOINT_root ? rig->bind[j] : multiply(to_parent, rig->bind[j]);
        rig->local_rotation[j] =
            local.w < 0.0 ? (quat){-local.x, -local.y, -local.z, -local.w} : local;
        rig->local_translation[j] =
            rotate(to_parent, subtract(shape->joints[j], shape->joints[parent]));
    }
}

// Divides the part's share of the skin at p among its joints. `shared` is 1 where limb and trunk
// have half of the skin each. There only the limb's first joint takes part, so that the belly does
// not follow a foot below it.
static void add_chain(const sample_shape* shape, sample_part part, vec3 p, double share,
                      double shared, double* weights) {
    unsigned first = parts[part].first;
    for (unsigned k = 1; k < parts[part].joint_count; ++k) {
        vec3 before = normalise(subtract(shape->ends[first + k - 1], shape->joints[first + k - 1]));
        vec3 after = normalise(subtract(shape->ends[first + k], shape->joints[first + k]));
        // The seam's normal is nearer to the upper bone than the bisector of both bones: at the
        // ankle the bisector would cut into the shin.
        vec3 across = normalise(add(scale(before, 3.0), after));
        double width = parts[part].seam * shape->unit;
        double passed = ramp(-width, width, dot(subtract(p, shape->joints[first + k]), across));
        passed *= 1.0 - shared;
        weights[first + k - 1] += share * (1.0 - passed);
        share *= passed;
    }
    weights[first + parts[part].joint_count - 1] += share;
}

static void paint_vertex(const sample_shape* shape, vec3 p, double* weights) {
    double distance[PART_COUNT];
    int nearest = 0;
    for (int part = 0; part < PART_COUNT; ++part) {
        distance[part] = tlw_sample_part_distance(shape, (sample_part)part, p);
        nearest = distance[part] < distance[nearest] ? part : nearest;
    }
    double shares[PART_COUNT];
    for (int part = 0; part < PART_COUNT; ++part) {
        // The smaller reach of the two parts decides: the head influences the neck, not the ears.
        double reach = fmin(parts[part].reach, parts[nearest].reach) * shape->unit;
        double beyond = (distance[part] - distance[nearest]) / reach;
        shares[part] = 1.0 - ramp(0.0, 1.0, beyond);
    }
    for (int part = 0; part < PART_COUNT; ++part) {
        if (shares[part] > 0.0) {
            bool is_ear = part == PART_EAR_L || part == PART_EAR_R;
            double trunk = shares[is_ear ? PART_HEAD : PART_TORSO];
            double shared =
                part == PART_TORSO ? 0.0 : 2.0 * fmin(trunk, shares[part]) / (trunk + shares[part]);
            add_chain(shape, (sample_part)part, p, shares[part], shared, weights);
        }
    }
    double sum = 0.0;
    for (int j = 0; j < JOINT_COUNT; ++j) {
        sum += weights[j];
    }
    for (int j = 0; j < JOINT_COUNT; ++j) {
        weights[j] /= sum;
    }
}

static void smooth(const sample_mesh* mesh, double* weights, double* sums, double* counts) {
    size_t v = mesh->vertex_count;
    memset(sums, 0, v * JOINT_COUNT * sizeof *sums);
    memset(counts, 0, v * sizeof *counts);
    // In a closed mesh each edge occurs once in each direction, so each neighbour counts once.
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        size_t a = mesh->indices[i], b = mesh->indices[i % 3 == 2 ? i - 2 : i + 1];
        for (size_t j = 0; j < JOINT_COUNT; ++j) {
            sums[a * JOINT_COUNT + j] += weights[b * JOINT_COUNT + j];
        }
        counts[a] += 1.0;
    }
    for (size_t i = 0; i < v * JOINT_COUNT; ++i) {
        weights[i] = 0.5 * weights[i] + 0.5 * sums[i] / counts[i / JOINT_COUNT];
    }
}

// Keeps the four largest weights; of equal weights the one of the lower joint comes first. Weights
// are multiples of 2^-16, and the first takes the rounding error, so that the float32 weights sum
// to exactly 1. Weights below one percent are dropped.
static void keep_largest(double* weights, uint8_t joints_out[4], float weights_out[4]) {
    int chosen[4] = {0};
    double kept[4] = {0.0}, sum = 0.0;
    for (int k = 0; k < 4; ++k) {
        for (int j = 0; j < JOINT_COUNT; ++j) {
            if (weights[j] > kept[k]) {
                kept[k] = weights[j];
                chosen[k] = j;
            }
        }
        if (kept[k] < 0.01) {
            kept[k] = 0.0;
            chosen[k] = 0;
            break;
        }
        weights[chosen[k]] = 0.0;
        sum += kept[k];
    }
    double rest = 65536.0;
    for (int k = 3; k >= 0; --k) {
        double units = k == 0 ? rest : floor(kept[k] / sum * 65536.0);
        rest -= units;
        joints_out[k] = (uint8_t)chosen[k];
        weights_out[k] = (float)(units / 65536.0);
    }
}

tlw_result tlw_sample_make_weights(const sample_shape* shape, sample_mesh* mesh) {
    size_t v = mesh->vertex_count;
    double* weights = calloc(v * JOINT_COUNT, sizeof *weights);
    double* sums = malloc(v * JOINT_COUNT * sizeof *sums);
    double* counts = malloc(v * sizeof *counts);
    tlw_result result = TLW_ERROR_OUT_OF_MEMORY;
    if (weights && sums && counts) {
        for (size_t i = 0; i < v; ++i) {
            const float* p = mesh->positions + 3 * i;
            paint_vertex(shape, (vec3){(double)p[0], (double)p[1], (double)p[2]},
                         weights + i * JOINT_COUNT);
        }
        for (int pass = 0; pass < SMOOTHING_PASSES; ++pass) {
            smooth(mesh, weights, sums, counts);
        }
        for (size_t i = 0; i < v; ++i) {
            keep_largest(weights + i * JOINT_COUNT, mesh->joints + 4 * i, mesh->weights + 4 * i);
        }
        result = TLW_OK;
    }
    free(weights);
    free(sums);
    free(counts);
    return result;
}
