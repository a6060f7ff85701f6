// SPDX-License-Identifier: MIT
// Builds the small inputs of the runtime's oracle: voxels by a predicate, then links, layers,
// weights and regions by the plainest reading of RULES 6 to 9.
#include "tests/runtime/oracle/small_inputs.h"

#include "tests/test.h"

#include <stdlib.h>

#define VOXEL_METRES 0.05

typedef struct small_input_shape {
    const char* name;
    int size[3];
} small_input_shape;

static const small_input_shape shapes[SMALL_INPUT_COUNT] = {
    [SMALL_INPUT_single] = {"single", {1, 1, 1}},
    [SMALL_INPUT_pair] = {"pair", {1, 1, 2}},
    [SMALL_INPUT_rod] = {"rod", {1, 1, 9}},
    [SMALL_INPUT_boneless_rod] = {"boneless_rod", {1, 1, 9}},
    [SMALL_INPUT_plate] = {"plate", {7, 1, 9}},
    [SMALL_INPUT_box] = {"box", {5, 5, 7}},
    [SMALL_INPUT_ell] = {"ell", {8, 3, 8}},
    [SMALL_INPUT_capsule] = {"capsule", {5, 5, 14}},
};

const char* small_input_name(small_input_kind kind) {
    return shapes[kind].name;
}

static bool is_voxel(small_input_kind kind, int x, int y, int z) {
    if (kind == SMALL_INPUT_ell) {
        return x < 3 || z < 3;
    }
    if (kind == SMALL_INPUT_capsule) {
        const double dx = x - 2, dy = y - 2, dz = z < 2 ? z - 2 : z > 11 ? z - 11 : 0;
        return dx * dx + dy * dy + dz * dz <= 2.3 * 2.3;
    }
    return true;
}

static bool is_bone_cell(small_input_kind kind, int x, int y, int z) {
    switch (kind) {
    case SMALL_INPUT_pair:
        return z == 0;
    case SMALL_INPUT_rod:
        return z < 2;
    case SMALL_INPUT_plate:
        return x == 0;
    case SMALL_INPUT_box:
        return x == 2 && y == 2 && z > 0 && z < 6;
    case SMALL_INPUT_ell:
        return y == 1 && ((x == 1 && z > 0 && z < 7) || (z == 1 && x > 0 && x < 7));
    case SMALL_INPUT_capsule:
        return x == 2 && y == 2 && z > 0 && z < 13;
    default:
        return false;
    }
}

// The cut of the L at its inner corner, between the inner column of the upright and the foot.
static bool is_cut(small_input_kind kind, const int32_t a[3], const int32_t b[3]) {
    if (kind != SMALL_INPUT_ell) {
        return false;
    }
    const bool first = a[0] == 2 && a[2] == 2 && b[0] == 3;
    const bool second = b[0] == 2 && b[2] == 2 && a[0] == 3;
    return first || second;
}

uint32_t small_input_voxel_at(const small_input* small, int x, int y, int z) {
    for (uint32_t i = 0; i < small->input.voxel_count; ++i) {
        if (small->voxels.cell[i][0] == x && small->voxels.cell[i][1] == y &&
            small->voxels.cell[i][2] == z) {
            return i;
        }
    }
    return ORACLE_NO_VOXEL;
}

static uint32_t link_bit(const int32_t from[3], const int32_t to[3]) {
    const int place = (to[0] - from[0] + 1) + 3 * (to[1] - from[1] + 1) + 9 * (to[2] - from[2] + 1);
    return (uint32_t)(place < 13 ? place : place - 1);
}

static int largest_step(const int32_t a[3], const int32_t b[3]) {
    int largest = 0;
    for (int k = 0; k < 3; ++k) {
        largest = abs(a[k] - b[k]) > largest ? abs(a[k] - b[k]) : largest;
    }
    return largest;
}

static int steps_between(const int32_t a[3], const int32_t b[3]) {
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

static bool is_linked(const small_input* small, uint32_t i, uint32_t j) {
    return i != j && largest_step(small->voxels.cell[i], small->voxels.cell[j]) == 1 &&
           (small->voxels.links[i] >> link_bit(small->voxels.cell[i], small->voxels.cell[j]) & 1) !=
               0;
}

// Path lengths (RULES 7), by going over all pairs until nothing changes; there are few voxels.
static void measure(small_input* small, uint32_t* distance) {
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (uint32_t i = 0; i < small->input.voxel_count; ++i) {
            for (uint32_t j = 0; j < small->input.voxel_count; ++j) {
                const uint32_t step =
                    (uint32_t)steps_between(small->voxels.cell[i], small->voxels.cell[j]);
                if (distance[j] != UINT32_MAX && is_linked(small, i, j) &&
                    distance[j] + step < distance[i]) {
                    distance[i] = distance[j] + step;
                    is_changed = true;
                }
            }
        }
    }
}

static void make_links(small_input* small) {
    for (uint32_t i = 0; i < small->input.voxel_count; ++i) {
        for (uint32_t j = 0; j < small->input.voxel_count; ++j) {
            if (i != j && largest_step(small->voxels.cell[i], small->voxels.cell[j]) == 1 &&
                !is_cut(small->kind, small->voxels.cell[i], small->voxels.cell[j])) {
                small->voxels.links[i] |= 1u
                                          << link_bit(small->voxels.cell[i], small->voxels.cell[j]);
            }
        }
    }
}

// Layers: bone, skin on the surface, muscle beside bone, otherwise fat. Then d_skin, the volume
// weights of Eq. 13 and the limits by RULES 7 to 9.
static void make_layers(small_input* small) {
    const uint32_t n = small->input.voxel_count;
    const uint32_t faces = 1u << 4 | 1u << 10 | 1u << 12 | 1u << 13 | 1u << 15 | 1u << 21;
    uint32_t* d_bone = calloc(n, sizeof *d_bone);
    uint32_t* h = calloc(n, sizeof *h);
    CHECK(d_bone && h);
    for (uint32_t i = 0; i < n; ++i) {
        small->d_skin[i] = (small->voxels.links[i] & faces) == faces ? UINT32_MAX : 0;
        d_bone[i] = is_bone_cell(small->kind, small->voxels.cell[i][0], small->voxels.cell[i][1],
                                 small->voxels.cell[i][2])
                        ? 0
                        : UINT32_MAX;
    }
    measure(small, small->d_skin);
    measure(small, d_bone);
    uint32_t largest = 1;
    for (uint32_t i = 0; i < n; ++i) {
        largest = small->d_skin[i] > largest ? small->d_skin[i] : largest;
        h[i] = small->d_skin[i];
        small->voxels.layer[i] = (uint8_t)(d_bone[i] == 0          ? 0
                                           : small->d_skin[i] == 0 ? 3
                                           : d_bone[i] == 1        ? 1
                                                                   : 2);
        small->voxels.material[i] = small->voxels.layer[i];
    }
    for (uint32_t pass = 0; pass < largest; ++pass) {
        for (uint32_t i = 0; i < n; ++i) {
            for (uint32_t j = 0; j < n; ++j) {
                if (is_linked(small, i, j) && small->d_skin[j] > small->d_skin[i] && h[j] > h[i]) {
                    h[i] = h[j];
                }
            }
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        small->voxels.volume_weight[i] =
            small->voxels.layer[i] == 0 ? 0 : 1 - (double)small->d_skin[i] / largest;
        small->voxels.limit[i] = fmin(0.10 * small->input.extent_voxels, 0.6 * (h[i] + 1));
    }
    free(d_bone);
    free(h);
}

// Along the longest axis, z: joint 0 below the middle, joint 1 above it, a blend over three voxels.
static void make_weights(small_input* small) {
    const double middle = shapes[small->kind].size[2] * 0.5;
    for (uint32_t i = 0; i < small->input.voxel_count; ++i) {
        const double above = (small->voxels.cell[i][2] + 0.5 - middle) / 3 + 0.5;
        const double upper = small->kind == SMALL_INPUT_single ? 0 : fmax(0, fmin(1, above));
        const uint32_t first = upper > 0.5 ? 1 : 0; // largest first
        small->voxels.joint[i][0] = first;
        small->voxels.joint[i][1] = 1 - first;
        small->voxels.weight[i][0] = first ? upper : 1 - upper;
        small->voxels.weight[i][1] = first ? 1 - upper : upper;
        small->voxels.joint[i][2] = small->voxels.joint[i][3] =
            small->voxels.weight[i][1] == 0 ? UINT32_MAX : 0; // unused
    }
}

// Regions of width 2: in every 2x2x2 cube of cells, the voxels that links inside it join.
static void make_regions(small_input* small) {
    const int* size = shapes[small->kind].size;
    uint32_t count = 0;
    for (int z = -1; z < size[2]; ++z) {
        for (int y = -1; y < size[1]; ++y) {
            for (int x = -1; x < size[0]; ++x) {
                uint32_t voxels[8];
                for (int k = 0; k < 8; ++k) {
                    voxels[k] =
                        small_input_voxel_at(small, x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
                }
                for (int start = 0; start < 8; ++start) {
                    if (voxels[start] == ORACLE_NO_VOXEL) {
                        continue;
                    }
                    uint32_t* region = small->region[count++];
                    for (int k = 0; k < 8; ++k) {
                        region[k] = ORACLE_NO_VOXEL;
                    }
                    region[start] = voxels[start];
                    for (int pass = 0; pass < 8; ++pass) {
                        for (int from = 0; from < 8; ++from) {
                            for (int to = 0; to < 8; ++to) {
                                if (region[from] != ORACLE_NO_VOXEL &&
                                    voxels[to] != ORACLE_NO_VOXEL &&
                                    is_linked(small, region[from], voxels[to])) {
                                    region[to] = voxels[to];
                                }
                            }
                        }
                    }
                    for (int k = 0; k < 8; ++k) {
                        voxels[k] = region[k] == ORACLE_NO_VOXEL ? voxels[k] : ORACLE_NO_VOXEL;
                    }
                }
            }
        }
    }
    small->input.region_count = count;
}

static void set_matrix(double m[16], oracle_quat rotation, oracle_vec at) {
    const oracle_mat r = mat_of_quat(rotation);
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            m[4 * column + row] = r.m[row][column];
        }
        m[4 * column + 3] = 0;
    }
    m[12] = at.x, m[13] = at.y, m[14] = at.z, m[15] = 1;
}

small_input* small_input_make(small_input_kind kind, uint32_t region_width, uint32_t neighbours) {
    const int* size = shapes[kind].size;
    const size_t room = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    small_input* small = calloc(1, sizeof *small);
    CHECK(small != NULL);
    small->kind = kind;
    small->voxels = voxel_arrays_make(room);
    small->d_skin = calloc(room, sizeof *small->d_skin);
    small->region = calloc(8 * room, sizeof *small->region);
    CHECK(small->d_skin && small->region);
    for (int z = 0; z < size[2]; ++z) {
        for (int y = 0; y < size[1]; ++y) {
            for (int x = 0; x < size[0]; ++x) {
                if (is_voxel(kind, x, y, z)) {
                    int32_t* cell = small->voxels.cell[small->input.voxel_count++];
                    cell[0] = x, cell[1] = y, cell[2] = z;
                }
            }
        }
    }
    const int longest = size[0] > size[2] ? size[0] : size[2];
    const oracle_vec origin = {-0.5 * VOXEL_METRES * size[0], 0.3, -0.1};
    small->input.extent_voxels = longest - 0.5;
    make_links(small);
    make_layers(small);
    make_weights(small);
    if (region_width == 2) {
        make_regions(small);
    }
    // Joints on the axis, the second one rotated, so that inverse binds matter.
    const oracle_vec foot =
        vec_add(origin, vec(0.5 * VOXEL_METRES * size[0], 0.5 * VOXEL_METRES * size[1], 0));
    set_matrix(small->bind[0], QUAT_IDENTITY, foot);
    set_matrix(small->bind[1], quat_exp(vec(0.3, -0.8, 0.5)),
               vec_add(foot, vec(0, 0, 0.5 * VOXEL_METRES * size[2])));

    voxel_arrays_show(&small->voxels, &small->input);
    small->input.neighbours = neighbours;
    small->input.region_width = region_width;
    small->input.region = (const uint32_t(*)[8])small->region;
    small->input.joint_count = SMALL_INPUT_JOINTS;
    small->input.bind = (const double(*)[16])small->bind;
    small->input.voxel_metres = VOXEL_METRES;
    small->input.origin[0] = origin.x, small->input.origin[1] = origin.y,
    small->input.origin[2] = origin.z;
    small->input.stiffness_scale = 1;
    return small;
}

// A_1 at rest: the divergence of the field, with the voxel itself for an end that is missing.
static double rest_slope(const small_input* small, uint32_t voxel) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double* ends[2] = {NULL, NULL};
        for (int side = 0; side < 2; ++side) {
            int at[3];
            for (int k = 0; k < 3; ++k) {
                at[k] = small->voxels.cell[voxel][k] + (k == axis) * (2 * side - 1);
            }
            const uint32_t j = small_input_voxel_at(small, at[0], at[1], at[2]);
            ends[side] =
                j != ORACLE_NO_VOXEL && is_linked(small, voxel, j) ? small->voxels.field[j] : NULL;
        }
        const double* own = small->voxels.field[voxel];
        const double* low = ends[0] ? ends[0] : own;
        const double* high = ends[1] ? ends[1] : own;
        sum += (ends[0] && ends[1] ? 0.5 : 1) * (high[axis] - low[axis]);
    }
    return sum;
}

void small_input_add_bend(small_input* small, double reach) {
    const int* size = shapes[small->kind].size;
    small->bends[0] = (oracle_bend_rest){.reach = reach};
    for (uint32_t i = 0; i < small->input.voxel_count; ++i) {
        const double x = small->voxels.cell[i][0] + 0.5 - 0.5 * size[0],
                     y = small->voxels.cell[i][1] + 0.5 - 0.5 * size[1];
        const double both = small->voxels.weight[i][0] * small->voxels.weight[i][1];
        const double length = (1 + small->d_skin[i]) * fmax(sqrt(x * x + y * y), 1);
        const bool is_soft = small->voxels.layer[i] != 0;
        small->voxels.field[i][0] = is_soft ? 4 * both * x / length : 0;
        small->voxels.field[i][1] = is_soft ? 4 * both * y / length : 0;
        small->voxels.bend_share[i][0] = both > 0;
    }
    for (uint32_t i = 0; i < small->input.voxel_count; ++i) {
        if (small->voxels.bend_share[i][0] > 0) {
            small->bends[0].rest_volume += 1;
            small->bends[0].rest_slope += rest_slope(small, i);
        }
    }
    CHECK_LT(0.01 * small->bends[0].rest_volume, small->bends[0].rest_slope); // RULES 9.10
    small->input.bend_count = 1;
    small->input.bends = small->bends;
}

void small_input_free(small_input* small) {
    voxel_arrays_free(&small->voxels);
    free(small->d_skin);
    free(small->region);
    free(small);
}

small_input_pose small_input_rest_pose(const small_input* small) {
    small_input_pose pose = {.root_rotation = QUAT_IDENTITY, .root_scale = 1};
    for (int j = 0; j < SMALL_INPUT_JOINTS; ++j) {
        const double* m = small->bind[j];
        const oracle_mat r = mat_of_columns(vec_of(m), vec_of(m + 4), vec_of(m + 8));
        pose.joints[j] = (oracle_trs){vec_of(m + 12), quat_of_mat(&r), vec(1, 1, 1), vec(0, 0, 0)};
    }
    return pose;
}

void small_input_bend(small_input_pose* pose, oracle_vec rotation) {
    pose->joints[1].rotation = quat_mul(quat_exp(rotation), pose->joints[1].rotation);
}

oracle_pose small_input_oracle_pose(const small_input_pose* pose) {
    const oracle_quat r = pose->root_rotation;
    return (oracle_pose){
        .kind = ORACLE_POSE_TRS,
        .trs = pose->joints,
        .root_position = {pose->root_position.x, pose->root_position.y, pose->root_position.z},
        .root_rotation = {r.x, r.y, r.z, r.w},
        .root_scale = pose->root_scale};
}
