// SPDX-License-Identifier: MIT
#include "tests/runtime/oracle/small_bodies.h"

#include "tests/test.h"

#include <stdlib.h>

#define VOXEL_METRES 0.05

typedef struct body_shape {
    const char* name;
    int size[3];
} body_shape;

static const body_shape shapes[BODY_KIND_COUNT] = {
    [BODY_single] = {"single", {1, 1, 1}}, [BODY_pair] = {"pair", {1, 1, 2}},
    [BODY_rod] = {"rod", {1, 1, 9}},       [BODY_boneless_rod] = {"boneless_rod", {1, 1, 9}},
    [BODY_plate] = {"plate", {7, 1, 9}},   [BODY_box] = {"box", {5, 5, 7}},
    [BODY_ell] = {"ell", {8, 3, 8}},       [BODY_capsule] = {"capsule", {5, 5, 14}},
};

const char* body_name(body_kind kind) {
    return shapes[kind].name;
}

static bool is_voxel(body_kind kind, int x, int y, int z) {
    if (kind == BODY_ell) {
        return x < 3 || z < 3;
    }
    if (kind == BODY_capsule) {
        const double dx = x - 2, dy = y - 2, dz = z < 2 ? z - 2 : z > 11 ? z - 11 : 0;
        return dx * dx + dy * dy + dz * dz <= 2.3 * 2.3;
    }
    return true;
}

static bool is_bone_cell(body_kind kind, int x, int y, int z) {
    switch (kind) {
    case BODY_pair:
        return z == 0;
    case BODY_rod:
        return z < 2;
    case BODY_plate:
        return x == 0;
    case BODY_box:
        return x == 2 && y == 2 && z > 0 && z < 6;
    case BODY_ell:
        return y == 1 && ((x == 1 && z > 0 && z < 7) || (z == 1 && x > 0 && x < 7));
    case BODY_capsule:
        return x == 2 && y == 2 && z > 0 && z < 13;
    default:
        return false;
    }
}

// The ell's inner corner: between the upright's inner column and the foot.
static bool is_cut(body_kind kind, const int32_t a[3], const int32_t b[3]) {
    if (kind != BODY_ell) {
        return false;
    }
    const bool first = a[0] == 2 && a[2] == 2 && b[0] == 3;
    const bool second = b[0] == 2 && b[2] == 2 && a[0] == 3;
    return first || second;
}

uint32_t body_voxel_at(const test_body* b, int x, int y, int z) {
    for (uint32_t i = 0; i < b->body.voxel_count; ++i) {
        if (b->cell[i][0] == x && b->cell[i][1] == y && b->cell[i][2] == z) {
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

static bool is_linked(const test_body* b, uint32_t i, uint32_t j) {
    return i != j && largest_step(b->cell[i], b->cell[j]) == 1 &&
           (b->links[i] >> link_bit(b->cell[i], b->cell[j]) & 1) != 0;
}

// Rule 7, by going over all pairs until nothing changes: the bodies are small.
static void measure(test_body* b, uint32_t* distance) {
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (uint32_t i = 0; i < b->body.voxel_count; ++i) {
            for (uint32_t j = 0; j < b->body.voxel_count; ++j) {
                const uint32_t step = (uint32_t)steps_between(b->cell[i], b->cell[j]);
                if (distance[j] != UINT32_MAX && is_linked(b, i, j) &&
                    distance[j] + step < distance[i]) {
                    distance[i] = distance[j] + step;
                    is_changed = true;
                }
            }
        }
    }
}

static void make_links(test_body* b) {
    for (uint32_t i = 0; i < b->body.voxel_count; ++i) {
        for (uint32_t j = 0; j < b->body.voxel_count; ++j) {
            if (i != j && largest_step(b->cell[i], b->cell[j]) == 1 &&
                !is_cut(b->kind, b->cell[i], b->cell[j])) {
                b->links[i] |= 1u << link_bit(b->cell[i], b->cell[j]);
            }
        }
    }
}

// Layers 1 and 2 by the distance to bone; rules 7 to 9 for d_skin, Eq. 13 and limits.
static void make_layers(test_body* b) {
    const uint32_t n = b->body.voxel_count;
    const uint32_t faces = 1u << 4 | 1u << 10 | 1u << 12 | 1u << 13 | 1u << 15 | 1u << 21;
    uint32_t* d_bone = calloc(n, sizeof *d_bone);
    uint32_t* h = calloc(n, sizeof *h);
    CHECK(d_bone && h);
    for (uint32_t i = 0; i < n; ++i) {
        b->d_skin[i] = (b->links[i] & faces) == faces ? UINT32_MAX : 0;
        d_bone[i] =
            is_bone_cell(b->kind, b->cell[i][0], b->cell[i][1], b->cell[i][2]) ? 0 : UINT32_MAX;
    }
    measure(b, b->d_skin);
    measure(b, d_bone);
    uint32_t largest = 1;
    for (uint32_t i = 0; i < n; ++i) {
        largest = b->d_skin[i] > largest ? b->d_skin[i] : largest;
        h[i] = b->d_skin[i];
        b->layer[i] = (uint8_t)(d_bone[i] == 0      ? 0
                                : b->d_skin[i] == 0 ? 3
                                : d_bone[i] == 1    ? 1
                                                    : 2);
        b->material[i] = b->layer[i];
    }
    for (uint32_t pass = 0; pass < largest; ++pass) {
        for (uint32_t i = 0; i < n; ++i) {
            for (uint32_t j = 0; j < n; ++j) {
                if (is_linked(b, i, j) && steps_between(b->cell[i], b->cell[j]) == 1 &&
                    b->d_skin[j] > b->d_skin[i] && h[j] > h[i]) {
                    h[i] = h[j];
                }
            }
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        b->volume_weight[i] = b->layer[i] == 0 ? 0 : 1 - (double)b->d_skin[i] / largest;
        b->limit[i] = fmin(0.10 * b->body.extent_voxels, 0.75 * (h[i] + 1));
    }
    free(d_bone);
    free(h);
}

// Along the longest axis, z: joint 0 below, joint 1 above the middle, a blend over three voxels.
static void make_weights(test_body* b) {
    const double middle = shapes[b->kind].size[2] * 0.5;
    for (uint32_t i = 0; i < b->body.voxel_count; ++i) {
        const double above = (b->cell[i][2] + 0.5 - middle) / 3 + 0.5;
        const double upper = b->kind == BODY_single ? 0 : fmax(0, fmin(1, above));
        const uint32_t first = upper > 0.5 ? 1 : 0; // largest first
        b->joint[i][0] = first;
        b->joint[i][1] = 1 - first;
        b->weight[i][0] = first ? upper : 1 - upper;
        b->weight[i][1] = first ? 1 - upper : upper;
        b->joint[i][2] = b->joint[i][3] = b->weight[i][1] == 0 ? UINT32_MAX : 0; // unused
    }
}

// Every 2x2x2 window with a voxel; what links inside it join is one region.
static void make_windows(test_body* b) {
    const int* size = shapes[b->kind].size;
    uint32_t count = 0;
    for (int z = -1; z < size[2]; ++z) {
        for (int y = -1; y < size[1]; ++y) {
            for (int x = -1; x < size[0]; ++x) {
                uint32_t voxels[8];
                for (int k = 0; k < 8; ++k) {
                    voxels[k] = body_voxel_at(b, x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
                }
                for (int start = 0; start < 8; ++start) {
                    if (voxels[start] == ORACLE_NO_VOXEL) {
                        continue;
                    }
                    uint32_t* region = b->region[count++];
                    for (int k = 0; k < 8; ++k) {
                        region[k] = ORACLE_NO_VOXEL;
                    }
                    region[start] = voxels[start];
                    for (int pass = 0; pass < 8; ++pass) {
                        for (int from = 0; from < 8; ++from) {
                            for (int to = 0; to < 8; ++to) {
                                if (region[from] != ORACLE_NO_VOXEL &&
                                    voxels[to] != ORACLE_NO_VOXEL &&
                                    is_linked(b, region[from], voxels[to])) {
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
    b->body.region_count = count;
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

test_body* body_make(body_kind kind, uint32_t region_width, uint32_t neighbours) {
    const int* size = shapes[kind].size;
    const size_t room = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    test_body* b = calloc(1, sizeof *b);
    CHECK(b != NULL);
    b->kind = kind;
    b->cell = calloc(room, sizeof *b->cell);
    b->layer = calloc(room, sizeof *b->layer);
    b->material = calloc(room, sizeof *b->material);
    b->joint = calloc(room, sizeof *b->joint);
    b->weight = calloc(room, sizeof *b->weight);
    b->links = calloc(room, sizeof *b->links);
    b->limit = calloc(room, sizeof *b->limit);
    b->volume_weight = calloc(room, sizeof *b->volume_weight);
    b->d_skin = calloc(room, sizeof *b->d_skin);
    b->region = calloc(8 * room, sizeof *b->region);
    CHECK(b->cell && b->layer && b->material && b->joint && b->weight && b->links && b->limit);
    CHECK(b->volume_weight && b->d_skin && b->region);
    for (int z = 0; z < size[2]; ++z) {
        for (int y = 0; y < size[1]; ++y) {
            for (int x = 0; x < size[0]; ++x) {
                if (is_voxel(kind, x, y, z)) {
                    int32_t* cell = b->cell[b->body.voxel_count++];
                    cell[0] = x, cell[1] = y, cell[2] = z;
                }
            }
        }
    }
    const int longest = size[0] > size[2] ? size[0] : size[2];
    const oracle_vec origin = {-0.5 * VOXEL_METRES * size[0], 0.3, -0.1};
    b->body.extent_voxels = longest - 0.5;
    make_links(b);
    make_layers(b);
    make_weights(b);
    if (region_width == 2) {
        make_windows(b);
    }
    // Joints on the axis, the second turned, so that inverse binds matter.
    const oracle_vec foot =
        vec_add(origin, vec(0.5 * VOXEL_METRES * size[0], 0.5 * VOXEL_METRES * size[1], 0));
    set_matrix(b->bind[0], QUAT_IDENTITY, foot);
    set_matrix(b->bind[1], quat_exp(vec(0.3, -0.8, 0.5)),
               vec_add(foot, vec(0, 0, 0.5 * VOXEL_METRES * size[2])));

    b->body.cell = (const int32_t(*)[3])b->cell;
    b->body.layer = b->layer;
    b->body.material = b->material;
    b->body.joint = (const uint32_t(*)[4])b->joint;
    b->body.weight = (const double(*)[4])b->weight;
    b->body.links = b->links;
    b->body.limit = b->limit;
    b->body.volume_weight = b->volume_weight;
    b->body.neighbours = neighbours;
    b->body.region_width = region_width;
    b->body.region = (const uint32_t(*)[8])b->region;
    b->body.joint_count = BODY_JOINTS;
    b->body.bind = (const double(*)[16])b->bind;
    b->body.voxel_metres = VOXEL_METRES;
    b->body.origin[0] = origin.x, b->body.origin[1] = origin.y, b->body.origin[2] = origin.z;
    b->body.stiffness_scale = 1;
    return b;
}

void body_free(test_body* b) {
    free(b->cell);
    free(b->layer);
    free(b->material);
    free(b->joint);
    free(b->weight);
    free(b->links);
    free(b->limit);
    free(b->volume_weight);
    free(b->d_skin);
    free(b->region);
    free(b);
}

body_pose body_rest_pose(const test_body* b) {
    body_pose pose = {.root_rotation = QUAT_IDENTITY, .root_scale = 1};
    for (int j = 0; j < BODY_JOINTS; ++j) {
        const double* m = b->bind[j];
        const oracle_mat r = mat_of_columns(vec_of(m), vec_of(m + 4), vec_of(m + 8));
        pose.joints[j] = (oracle_trs){vec_of(m + 12), quat_of_mat(&r), vec(1, 1, 1), vec(0, 0, 0)};
    }
    return pose;
}

void body_bend(body_pose* pose, oracle_vec turn) {
    pose->joints[1].rotation = quat_mul(quat_exp(turn), pose->joints[1].rotation);
}

oracle_pose body_oracle_pose(const body_pose* pose) {
    const oracle_quat q = pose->root_rotation;
    return (oracle_pose){
        .kind = ORACLE_POSE_TRS,
        .trs = pose->joints,
        .root_position = {pose->root_position.x, pose->root_position.y, pose->root_position.z},
        .root_rotation = {q.x, q.y, q.z, q.w},
        .root_scale = pose->root_scale};
}
