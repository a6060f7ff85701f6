// SPDX-License-Identifier: MIT
// Bends joints and measures the bends of the blob. Reads BENDS to FIELD of the blob and the voxels
// of the motion; writes pose_joints.
#include "tools/motion/bent.h"
#include "tools/motion/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE       0.017453292519943295
#define HOLD_SECONDS 5
#define HERTZ        60

// ---- Pose

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalise(double v[3]) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3 && length > 0; ++a) {
        v[a] /= length;
    }
}

// The place of a joint in the bind pose, and the axis that it bends about.
static void axis_of(const tlw_motion* motion, uint32_t joint, const tlw_bent_joint* bent,
                    double place[3], double axis[3]) {
    const tlw_blob* blob = &motion->own->blob;
    tlw_joint_info info = {0}, child = {0};
    TLW_IGNORE(tlw_blob_get_joint(blob, joint, &info));
    bool has_child = false;
    for (uint32_t j = 0; j < motion->own->joint_count && !has_child; ++j) {
        has_child = tlw_blob_get_joint(blob, j, &child) == TLW_OK && child.parent == joint;
    }
    if (!has_child) { // the bone goes on as the one before it
        tlw_joint_info parent = info;
        TLW_IGNORE(tlw_blob_get_joint(blob, info.parent, &parent));
        for (int a = 0; a < 3; ++a) {
            child.bind[12 + a] = 2 * info.bind[12 + a] - parent.bind[12 + a];
        }
    }
    double bone[3];
    for (int a = 0; a < 3; ++a) {
        place[a] = info.bind[12 + a];
        bone[a] = child.bind[12 + a] - info.bind[12 + a];
    }
    cross(bone, bent->towards, axis);
    const bool is_twist = bent->towards[0] == 0 && bent->towards[1] == 0 && bent->towards[2] == 0;
    memcpy(axis, is_twist ? bone : axis, 3 * sizeof *axis);
    normalise(axis);
}

// Turns the joint and all below it about an axis through a place, both of the current pose.
static void turn(tlw_motion* motion, uint32_t joint, const double place[3], const double axis[3],
                 double radians) {
    const double c = cos(radians), s = sin(radians);
    double r[3][3];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            r[i][k] = axis[i] * axis[k] * (1 - c) + (i == k ? c : 0);
        }
    }
    r[0][1] -= s * axis[2], r[0][2] += s * axis[1], r[1][0] += s * axis[2];
    r[1][2] -= s * axis[0], r[2][0] -= s * axis[1], r[2][1] += s * axis[0];
    for (uint32_t j = 0; j < motion->own->joint_count; ++j) {
        uint32_t above = j;
        tlw_joint_info info;
        while (above != TLW_NO_INDEX && above != joint &&
               tlw_blob_get_joint(&motion->own->blob, above, &info) == TLW_OK) {
            above = info.parent;
        }
        float* m = motion->pose_joints + (size_t)j * 16;
        for (int column = 0; column < 4 && above == joint; ++column) {
            double from[3];
            for (int a = 0; a < 3; ++a) {
                from[a] = (double)m[column * 4 + a] - (column == 3 ? place[a] : 0);
            }
            for (int a = 0; a < 3; ++a) {
                m[column * 4 + a] = (float)(r[a][0] * from[0] + r[a][1] * from[1] +
                                            r[a][2] * from[2] + (column == 3 ? place[a] : 0));
            }
        }
    }
}

void tlw_bent_set(tlw_motion* motion, const tlw_bent_joint* joints, uint32_t count, double share) {
    tlw_motion_pose(motion, TLW_ASSET_NONE, 0);
    // From the last to the first: each turns in the bind pose what is below it, and is then turned
    // itself by those above it.
    for (uint32_t i = count; i-- > 0;) {
        uint32_t joint;
        double place[3], axis[3];
        if (tlw_blob_find_joint(&motion->own->blob, joints[i].joint, &joint) == TLW_OK) {
            axis_of(motion, joint, &joints[i], place, axis);
            turn(motion, joint, place, axis, joints[i].degrees * DEGREE * share);
        }
    }
}

// ---- States

static bool set_volume(tlw_motion* motion, bool has_volume) {
    tlw_settings settings;
    if (tlw_character_get_settings(motion->world, motion->id, &settings) != TLW_OK) {
        return false;
    }
    settings.skinned_volume = has_volume;
    return tlw_character_set_settings(motion->world, motion->id, &settings) == TLW_OK;
}

bool tlw_bent_skin(tlw_motion* motion, bool has_volume) {
    const bool is_set = set_volume(motion, has_volume);
    tlw_motion_settle(motion);
    tlw_motion_step(motion, 0.0);
    tlw_motion_read(motion);
    return is_set;
}

void tlw_bent_hold(tlw_motion* motion, const tlw_bent_joint* joints, uint32_t count,
                   bool has_volume) {
    TLW_IGNORE(set_volume(motion, has_volume && motion->def.actor->info.has_bends));
    tlw_motion_reset(motion);
    for (int frame = 1; frame <= HOLD_SECONDS * HERTZ; ++frame) {
        tlw_bent_set(motion, joints, count, frame < HERTZ ? frame / (double)HERTZ : 1.0);
        tlw_motion_step(motion, 1.0 / HERTZ);
    }
    tlw_motion_read(motion);
}

// ---- Numbers

// What the blob has about bends.
typedef struct bends {
    const tlw_blob_bend* bends;
    const tlw_blob_window* windows;
    const tlw_blob_bend_window* lists;
    const uint16_t *entries, *influences;
    const uint16_t* shares;
    const int16_t* field;
    const float* weights;
    const uint32_t* slots;
    uint32_t count, found; // of the joint asked for; count: none
    uint32_t joint, parent, lane_axis;
} bends;

static bool open_bends(const tlw_motion* motion, const char* joint, bends* out) {
    tlw_blob_contents c;
    tlw_blob_find_all(motion->def.actor->blob_memory, &c);
    const tlw_blob_lattice* lattice = c.first[TLW_SECTION_LATTICE];
    *out = (bends){.bends = c.first[TLW_SECTION_BENDS],
                   .windows = c.first[TLW_SECTION_WINDOWS],
                   .lists = c.first[TLW_SECTION_BEND_WINDOWS],
                   .entries = c.first[TLW_SECTION_BEND_ENTRY],
                   .influences = c.first[TLW_SECTION_INFLUENCE_JOINT],
                   .shares = c.first[TLW_SECTION_BEND_SHARE],
                   .field = c.first[TLW_SECTION_FIELD],
                   .weights = c.first[TLW_SECTION_INFLUENCE_WEIGHT],
                   .slots = c.first[TLW_SECTION_VOXEL_SLOT],
                   .count = (uint32_t)c.count[TLW_SECTION_BENDS],
                   .lane_axis = lattice->lane_axis};
    tlw_joint_info info;
    if (tlw_blob_find_joint(&motion->own->blob, joint, &out->joint) != TLW_OK ||
        tlw_blob_get_joint(&motion->own->blob, out->joint, &info) != TLW_OK) {
        return false;
    }
    out->parent = info.parent;
    while (out->found < out->count && out->bends[out->found].joint != out->joint) {
        out->found += 1;
    }
    return out->found < out->count;
}

static double share_at(const bends* b, uint32_t entry, uint32_t lane) {
    return b->shares[(size_t)entry * TLW_LANES + lane] * (double)TLW_BLOB_BEND_UNIT;
}

// The share of a voxel in the bend.
static double share_of(const bends* b, uint32_t voxel) {
    const uint32_t window = b->slots[voxel] / TLW_LANES, lane = b->slots[voxel] % TLW_LANES;
    for (uint32_t i = b->lists[window].first_entry; i < b->lists[window + 1].first_entry; ++i) {
        if (b->entries[i] == b->found) {
            return share_at(b, i, lane);
        }
    }
    return 0;
}

static double weight_of(const bends* b, uint32_t voxel, uint32_t joint) {
    const tlw_blob_window* window = &b->windows[b->slots[voxel] / TLW_LANES];
    for (uint32_t i = 0; i < window->influences; ++i) {
        const size_t at = window->first_influence + i;
        if (b->influences[at] == joint) {
            return (double)b->weights[at * TLW_LANES + b->slots[voxel] % TLW_LANES];
        }
    }
    return 0;
}

bool tlw_bent_measure(const tlw_motion* motion, const char* joint, tlw_bent_numbers* out) {
    *out = (tlw_bent_numbers){0};
    bends b;
    if (!open_bends(motion, joint, &b)) {
        return false;
    }
    double sum = 0, crease = 0;
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        const double share = share_of(&b, v);
        const double pi = weight_of(&b, v, b.joint) * weight_of(&b, v, b.parent);
        const double skinned = tlw_motion_voxel_volume(motion, v, true);
        const double volume = tlw_motion_voxel_volume(motion, v, false);
        sum += share;
        crease += pi;
        out->voxel_count += share > 0;
        out->skinned += share * skinned;
        out->volume += share * volume;
        out->skinned_crease += pi * skinned;
        out->volume_crease += pi * volume;
        out->skinned_inverted += share >= 0.5 && skinned < 0;
        out->inverted += share >= 0.5 && volume < 0;
    }
    out->skinned = out->skinned / sum - 1;
    out->volume = out->volume / sum - 1;
    out->skinned_crease = out->skinned_crease / crease - 1;
    out->volume_crease = out->volume_crease / crease - 1;
    out->reach = (double)b.bends[b.found].reach;
    return true;
}

// F of a voxel in the world's axes at rest.
static void field_of(const bends* b, uint32_t voxel, double out[3]) {
    const uint32_t window = b->slots[voxel] / TLW_LANES, lane = b->slots[voxel] % TLW_LANES;
    const int16_t* field = b->field + (size_t)window * 3 * TLW_LANES + lane;
    for (uint32_t a = 0; a < 3; ++a) {
        out[(a + b->lane_axis) % 3] = field[a * TLW_LANES] * (double)TLW_BLOB_FIELD_UNIT;
    }
}

bool tlw_bent_field(const tlw_motion* motion, const char* joint, double* out) {
    bends b;
    if (!open_bends(motion, joint, &b)) {
        return false;
    }
    for (uint32_t v = 0; v < motion->voxel_count; ++v) {
        double field[3];
        const double share = share_of(&b, v);
        field_of(&b, v, field);
        for (int a = 0; a < 3; ++a) {
            field[a] *= share;
        }
        tlw_motion_rotate(motion->voxels[v].skinned_rotation, field, out + (size_t)v * 3);
    }
    return true;
}

// What is known about the lengths from one voxel: p_skin moved by the sum of C l along v. Adds this
// to the normal equations of least squares, which have a row per bend and a column for the right
// side.
static void add_equation(const bends* b, const tlw_motion* motion, uint32_t voxel,
                         const float plain[3], double* rows) {
    const tlw_voxel_state* state = &motion->voxels[voxel];
    const uint32_t window = b->slots[voxel] / TLW_LANES, lane = b->slots[voxel] % TLW_LANES;
    const size_t width = (size_t)b->count + 1;
    double field[3], turned[3], along = 0, squares = 0;
    field_of(b, voxel, field);
    tlw_motion_rotate(state->skinned_rotation, field, turned);
    for (int a = 0; a < 3; ++a) {
        along += ((double)state->skinned[a] - (double)plain[a]) * turned[a];
        squares += turned[a] * turned[a];
    }
    for (uint32_t i = b->lists[window].first_entry; i < b->lists[window + 1].first_entry; ++i) {
        const double share = share_at(b, i, lane);
        double* row = rows + b->entries[i] * width;
        row[b->count] += share * along;
        for (uint32_t k = b->lists[window].first_entry; k < b->lists[window + 1].first_entry; ++k) {
            row[b->entries[k]] += share * share_at(b, k, lane) * squares;
        }
    }
}

// Gauss and Jordan; the matrix is symmetric and positive definite, so no row need be exchanged.
static double solve(double* rows, uint32_t count, uint32_t wanted) {
    const size_t width = (size_t)count + 1;
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t i = 0; i < count; ++i) {
            const double factor = i == k ? 0 : rows[i * width + k] / rows[k * width + k];
            for (size_t c = k; c < width && factor != 0; ++c) {
                rows[i * width + c] -= factor * rows[k * width + c];
            }
        }
    }
    return rows[wanted * width + count] / rows[wanted * width + wanted];
}

double tlw_bent_length(tlw_motion* motion, const char* joint) {
    bends b;
    if (!open_bends(motion, joint, &b) || !tlw_bent_skin(motion, false)) {
        return 0;
    }
    float* plain = malloc(((size_t)motion->voxel_count * 3 + 1) * sizeof *plain);
    double* rows = calloc((size_t)b.count * (b.count + 1), sizeof *rows);
    double length = 0;
    if (plain && rows) {
        for (uint32_t v = 0; v < motion->voxel_count; ++v) {
            memcpy(plain + (size_t)v * 3, motion->voxels[v].skinned, 3 * sizeof *plain);
        }
        TLW_IGNORE(tlw_bent_skin(motion, true));
        for (uint32_t v = 0; v < motion->voxel_count; ++v) {
            add_equation(&b, motion, v, plain + (size_t)v * 3, rows);
        }
        length = solve(rows, b.count, b.found);
    }
    free(plain);
    free(rows);
    return length;
}
