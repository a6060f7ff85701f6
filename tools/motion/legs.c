// SPDX-License-Identifier: MIT
// A sample with its legs turned inwards, cooked anew: reads a blob by its public accessors, turns
// the joints of both legs about z, skins the rest shape by them and cooks the result.
#include "tools/motion/private.h"
#include "tools/motion/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is cooked. One mesh with eight joints per vertex.
typedef struct body {
    tlw_cook_joint* joints;
    double (*turns)[3]; // per joint: angle of its leg, and x and y of the joint that turns it
    float *positions, *normals, *weights;
    uint32_t* influences;
    tlw_vertex_skinning* skinning;
} body;

// Finds the leg that a joint belongs to.
static void find_turn(const tlw_actor* actor, uint32_t joint, double radians, double turn[3]) {
    for (tlw_joint_info info; tlw_blob_get_joint(&actor->blob, joint, &info) == TLW_OK;
         joint = info.parent) {
        const bool is_left = strcmp(info.name, "leg_l") == 0;
        if (is_left || strcmp(info.name, "leg_r") == 0) {
            turn[0] = is_left ? -radians : radians;
            turn[1] = info.bind[12];
            turn[2] = info.bind[13];
            return;
        }
    }
}

static void turn_direction(const double turn[3], double v[3]) {
    const double c = cos(turn[0]), s = sin(turn[0]), x = v[0], y = v[1];
    v[0] = c * x - s * y;
    v[1] = s * x + c * y;
}

static void turn_point(const double turn[3], double v[3]) {
    v[0] -= turn[1];
    v[1] -= turn[2];
    turn_direction(turn, v);
    v[0] += turn[1];
    v[1] += turn[2];
}

static void turn_joints(const tlw_actor* actor, double radians, body* b) {
    for (uint32_t j = 0; j < actor->info.joint_count; ++j) {
        tlw_joint_info info = {0};
        TLW_IGNORE(tlw_blob_get_joint(&actor->blob, j, &info));
        b->joints[j].name = info.name;
        b->joints[j].parent = info.parent;
        memcpy(b->joints[j].bind, info.bind, sizeof info.bind);
        find_turn(actor, j, radians, b->turns[j]);
        for (int column = 0; column < 3; ++column) {
            turn_direction(b->turns[j], b->joints[j].bind + column * 4);
        }
        turn_point(b->turns[j], b->joints[j].bind + 12);
    }
}

static void turn_vertices(const tlw_actor* actor, body* b) {
    for (uint32_t v = 0; v < actor->info.vertex_count; ++v) {
        const tlw_vertex* vertex = &actor->vertices[v];
        double position[3] = {0}, normal[3] = {0};
        for (size_t k = 0; k < 8; ++k) {
            const double weight = (double)b->skinning[v].weights[k];
            const double* turn = b->turns[b->skinning[v].joints[k]];
            double p[3], n[3];
            for (int axis = 0; axis < 3; ++axis) {
                p[axis] = (double)vertex->position[axis];
                n[axis] = (double)vertex->normal[axis];
            }
            turn_point(turn, p);
            turn_direction(turn, n);
            for (int axis = 0; axis < 3; ++axis) {
                position[axis] += weight * p[axis];
                normal[axis] += weight * n[axis];
            }
            b->influences[(size_t)v * 8 + k] = b->skinning[v].joints[k];
            b->weights[(size_t)v * 8 + k] = b->skinning[v].weights[k];
        }
        for (size_t axis = 0; axis < 3; ++axis) {
            b->positions[(size_t)v * 3 + axis] = (float)position[axis];
            b->normals[(size_t)v * 3 + axis] = (float)normal[axis];
        }
    }
}

static tlw_scene_code cook(const tlw_actor* actor, const body* b, const tlw_cook_recipe* recipe,
                           tlw_actor* out, tlw_scene_error* error) {
    uint64_t indices;
    const uint32_t* list = tlw_actor_indices(actor, &indices);
    const tlw_cook_mesh mesh = {.name = "body",
                                .vertex_count = actor->info.vertex_count,
                                .positions = b->positions,
                                .normals = b->normals,
                                .triangle_count = (uint32_t)(indices / 3),
                                .indices = list,
                                .influence_count = 8,
                                .joints = b->influences,
                                .weights = b->weights};
    const tlw_cook_input input = {.joints = b->joints,
                                  .joint_count = actor->info.joint_count,
                                  .meshes = &mesh,
                                  .mesh_count = 1};
    return tlw_actor_cook_input(out, actor->name, &input, recipe, error);
}

tlw_scene_code tlw_surface_close_legs(const tlw_actor* actor, double degrees,
                                      const tlw_cook_recipe* recipe, tlw_actor* out,
                                      tlw_scene_error* error) {
    const size_t vertices = (size_t)actor->info.vertex_count + 1;
    body b = {.joints = calloc(actor->info.joint_count + 1u, sizeof *b.joints),
              .turns = calloc(actor->info.joint_count + 1u, sizeof *b.turns),
              .positions = malloc(vertices * 3 * sizeof(float)),
              .normals = malloc(vertices * 3 * sizeof(float)),
              .weights = malloc(vertices * 8 * sizeof(float)),
              .influences = malloc(vertices * 8 * sizeof(uint32_t)),
              .skinning = malloc(vertices * sizeof *b.skinning)};
    *out = (tlw_actor){0};
    tlw_scene_code code;
    if (!b.joints || !b.turns || !b.positions || !b.normals || !b.weights || !b.influences ||
        !b.skinning ||
        tlw_blob_get_skinning(&actor->blob, TLW_ORDER_SOURCE, 0, actor->info.vertex_count,
                              b.skinning) != TLW_OK) {
        code = tlw_motion_fail_memory(error);
    } else {
        turn_joints(actor, degrees * 3.14159265358979323846 / 180.0, &b);
        turn_vertices(actor, &b);
        code = cook(actor, &b, recipe, out, error);
    }
    free(b.joints);
    free(b.turns);
    free(b.positions);
    free(b.normals);
    free(b.weights);
    free(b.influences);
    free(b.skinning);
    return code;
}
