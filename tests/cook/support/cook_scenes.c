// SPDX-License-Identifier: MIT
// Small cook inputs for tests: how scenes are built, shapes, weights, and the ready scenes.
#include "tests/cook/support/cook_scenes.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_PI 3.14159265358979323846

static void* grow(void* memory, uint32_t* room, uint32_t count, size_t bytes) {
    if (count < *room) {
        return memory;
    }
    *room = *room == 0 ? 64 : *room * 2;
    memory = realloc(memory, *room * bytes);
    if (memory == NULL) {
        fputs("scenes: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static scene_mesh* last_mesh(scene* s) {
    return &s->meshes[s->mesh_count - 1];
}

// In [low, high).
static double random_between(uint64_t* state, double low, double high) {
    return low + (high - low) * ((double)(tlw_test_random(state) >> 11) / 9007199254740992.0);
}

// Building
// -----------------------------------------------------------------------------------------

scene* scene_new(void) {
    scene* s = calloc(1, sizeof *s);
    if (s == NULL) {
        abort();
    }
    scene_add_mesh(s, TLW_ROLE_VOXELISE);
    return s;
}

void scene_free(scene* s) {
    for (uint32_t m = 0; m < s->mesh_count; ++m) {
        free(s->meshes[m].positions);
        free(s->meshes[m].joints);
        free(s->meshes[m].weights);
        free(s->meshes[m].indices);
        for (int p = 0; p < TLW_COOK_PAINTS; ++p) {
            free(s->meshes[m].paint[p]);
        }
    }
    free(s->joints);
    free(s->joint_names);
    free(s->sockets);
    free(s);
}

void scene_add_mesh(scene* s, tlw_cook_role role) {
    if (s->mesh_count == SCENE_MESHES_MAX) {
        abort();
    }
    s->meshes[s->mesh_count++].role = role;
}

uint32_t scene_add_joint(scene* s, uint32_t parent, double x, double y, double z) {
    uint32_t room = s->joint_room;
    s->joints = grow(s->joints, &s->joint_room, s->joint_count, sizeof *s->joints);
    s->joint_names = grow(s->joint_names, &room, s->joint_count, sizeof *s->joint_names);
    snprintf(s->joint_names[s->joint_count], sizeof *s->joint_names, "joint%u", s->joint_count);
    s->joints[s->joint_count] =
        (tlw_cook_joint){NULL, parent, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}};
    return s->joint_count++;
}

uint32_t scene_add_vertex(scene* s, double x, double y, double z) {
    scene_mesh* mesh = last_mesh(s);
    uint32_t room_of_joints = mesh->vertex_room, room_of_weights = mesh->vertex_room;
    uint32_t n = mesh->vertex_count++;
    mesh->positions = grow(mesh->positions, &mesh->vertex_room, n, 3 * sizeof(float));
    mesh->joints = grow(mesh->joints, &room_of_joints, n, 4 * sizeof(uint32_t));
    mesh->weights = grow(mesh->weights, &room_of_weights, n, 4 * sizeof(float));
    const double p[3] = {x, y, z};
    for (uint32_t a = 0; a < 3; ++a) {
        mesh->positions[n * 3 + a] = (float)p[a];
    }
    for (uint32_t k = 0; k < 4; ++k) {
        mesh->joints[n * 4 + k] = 0;
        mesh->weights[n * 4 + k] = 0;
    }
    return n;
}

void scene_add_triangle(scene* s, uint32_t a, uint32_t b, uint32_t c) {
    scene_mesh* mesh = last_mesh(s);
    mesh->indices =
        grow(mesh->indices, &mesh->triangle_room, mesh->triangle_count, 3 * sizeof(uint32_t));
    uint32_t* to = &mesh->indices[mesh->triangle_count++ * 3];
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

void scene_add_socket(scene* s, double x, double y, double z) {
    s->sockets = grow(s->sockets, &s->socket_room, s->socket_count, 3 * sizeof(float));
    float* to = &s->sockets[s->socket_count++ * 3];
    to[0] = (float)x;
    to[1] = (float)y;
    to[2] = (float)z;
}

const tlw_cook_input* scene_input(scene* s) {
    for (uint32_t j = 0; j < s->joint_count; ++j) {
        s->joints[j].name = s->joint_names[j];
    }
    for (uint32_t m = 0; m < s->mesh_count; ++m) {
        const scene_mesh* from = &s->meshes[m];
        s->cook_meshes[m] = (tlw_cook_mesh){
            .name = m == 0 ? "body" : "extra",
            .role = from->role,
            .vertex_count = from->vertex_count,
            .positions = from->positions,
            .triangle_count = from->triangle_count,
            .indices = from->indices,
            .influence_count = from->has_weights ? 4 : 0,
            .joints = from->has_weights ? from->joints : NULL,
            .weights = from->has_weights ? from->weights : NULL,
            .paint = {from->paint[TLW_PAINT_FAT], from->paint[TLW_PAINT_STIFFNESS]},
        };
    }
    s->cook_points =
        (tlw_cook_points){.name = "sockets", .count = s->socket_count, .positions = s->sockets};
    s->input = (tlw_cook_input){
        .joints = s->joints,
        .joint_count = s->joint_count,
        .meshes = s->cook_meshes,
        .mesh_count = s->mesh_count,
        .points = s->socket_count > 0 ? &s->cook_points : NULL,
        .points_count = s->socket_count > 0 ? 1 : 0,
    };
    return &s->input;
}

#define KEEPS_SOLVER \
    { TLW_SOLVER_KEEP, TLW_COOK_KEEP, TLW_COOK_KEEP, TLW_COOK_KEEP }

tlw_cook_recipe scene_recipe(void) {
    return (tlw_cook_recipe){
        .resolution = 48,
        .region_width = 3,
        .neighbours = 26,
        .weights = TLW_WEIGHTS_AUTO,
        .smoothing_passes = 4,
        .layers = {{"bone", {0, 1}, 0, 0, 0, KEEPS_SOLVER},
                   {"muscle", {6, 10}, 2, 0.4f, 6, KEEPS_SOLVER},
                   {"fat", {1, 1}, 0.03f, 0.7f, 3.5f, KEEPS_SOLVER},
                   {"skin", {1, 1}, 0.6f, 0.65f, 3.5f, KEEPS_SOLVER}},
        .layer_count = 4,
        .bone_share = {34, 100},
        .bone_radius_voxels = -1,
        .is_firm_auto = false, // no part but those that a test asks for
        .limit_extent = 0.10f,
        .limit_thickness = 0.6f,
        .volume_reach = 0.5f,
        .max_voxels = 1u << 20,
        .max_memory_bytes = (uint64_t)1 << 32,
    };
}

// Shapes. Triangles are counter-clockwise seen from outside.
// -----------------------------------------------------------------------------------------

void scene_add_box(scene* s, const double low[3], const double high[3]) {
    uint32_t first = last_mesh(s)->vertex_count;
    for (int k = 0; k < 8; ++k) {
        scene_add_vertex(s, (k & 1) != 0 ? high[0] : low[0], (k & 2) != 0 ? high[1] : low[1],
                         (k & 4) != 0 ? high[2] : low[2]);
    }
    // -x, +x, -y, +y, -z, +z; two triangles each.
    static const uint32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int face = 0; face < 6; ++face) {
        const uint32_t* c = quads[face];
        scene_add_triangle(s, first + c[0], first + c[1], first + c[2]);
        scene_add_triangle(s, first + c[0], first + c[2], first + c[3]);
    }
}

void scene_add_torus(scene* s, double ring_radius, double tube_radius, uint32_t around,
                     uint32_t across) {
    uint32_t first = last_mesh(s)->vertex_count;
    for (uint32_t i = 0; i < around; ++i) {
        double a = 2 * SCENE_PI * i / around;
        for (uint32_t k = 0; k < across; ++k) {
            double b = 2 * SCENE_PI * k / across;
            double r = ring_radius + tube_radius * cos(b);
            scene_add_vertex(s, r * cos(a), r * sin(a), tube_radius * sin(b));
        }
    }
    for (uint32_t i = 0; i < around; ++i) {
        for (uint32_t k = 0; k < across; ++k) {
            uint32_t i1 = (i + 1) % around, k1 = (k + 1) % across;
            uint32_t a = first + i * across + k, b = first + i1 * across + k;
            uint32_t c = first + i1 * across + k1, d = first + i * across + k1;
            scene_add_triangle(s, a, b, c);
            scene_add_triangle(s, a, c, d);
        }
    }
}

static void normalise(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; ++a) {
        v[a] /= length;
    }
}

static void cross(const double a[3], const double b[3], double to[3]) {
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

void scene_add_capsule(scene* s, const double from[3], const double to[3], double radius,
                       uint32_t around) {
    double axis[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    normalise(axis);
    double other[3] = {fabs(axis[0]) < 0.5, fabs(axis[0]) >= 0.5, 0}, u[3], v[3];
    cross(axis, other, u);
    normalise(u);
    cross(axis, u, v);
    // Rings of vertices: half a sphere at each end, a few straight ones between.
    const uint32_t cap = around / 4 + 1, straight = around / 2;
    uint32_t ring_count = 0;
    uint32_t first = scene_add_vertex(s, from[0] - radius * axis[0], from[1] - radius * axis[1],
                                      from[2] - radius * axis[2]);
    for (uint32_t ring = 1; ring < 2 * cap + straight; ++ring) {
        double angle, share;
        if (ring <= cap) {
            angle = -SCENE_PI / 2 + SCENE_PI / 2 * ring / cap;
            share = 0;
        } else if (ring < cap + straight) {
            angle = 0;
            share = (double)(ring - cap) / straight;
        } else {
            angle = SCENE_PI / 2 * (ring - cap - straight) / cap;
            share = 1;
        }
        for (uint32_t k = 0; k < around; ++k) {
            double around_angle = 2 * SCENE_PI * k / around, p[3];
            for (int a = 0; a < 3; ++a) {
                p[a] = from[a] + share * (to[a] - from[a]) + radius * sin(angle) * axis[a] +
                       radius * cos(angle) * (cos(around_angle) * u[a] + sin(around_angle) * v[a]);
            }
            scene_add_vertex(s, p[0], p[1], p[2]);
        }
        ++ring_count;
    }
    uint32_t last = scene_add_vertex(s, to[0] + radius * axis[0], to[1] + radius * axis[1],
                                     to[2] + radius * axis[2]);
    for (uint32_t k = 0; k < around; ++k) {
        uint32_t k1 = (k + 1) % around;
        scene_add_triangle(s, first, first + 1 + k1, first + 1 + k);
        for (uint32_t ring = 0; ring + 1 < ring_count; ++ring) {
            uint32_t low = first + 1 + ring * around, high = low + around;
            scene_add_triangle(s, low + k, low + k1, high + k1);
            scene_add_triangle(s, low + k, high + k1, high + k);
        }
        uint32_t top = first + 1 + (ring_count - 1) * around;
        scene_add_triangle(s, top + k, top + k1, last);
    }
}

typedef struct lump_shape {
    double centre[3], radius;
    double wave[6][3], phase[6], height[6];
} lump_shape;

static uint32_t lump_vertex(scene* s, const lump_shape* shape, const double direction[3]) {
    double r = 1;
    for (int w = 0; w < 6; ++w) {
        r += shape->height[w] *
             sin(shape->wave[w][0] * direction[0] + shape->wave[w][1] * direction[1] +
                 shape->wave[w][2] * direction[2] + shape->phase[w]);
    }
    r *= shape->radius;
    return scene_add_vertex(s, shape->centre[0] + r * direction[0],
                            shape->centre[1] + r * direction[1],
                            shape->centre[2] + r * direction[2]);
}

// Two corners give the same middle bit for bit, whichever comes first, so that faces, which share
// no vertex, can be welded.
static void lump_face(scene* s, const lump_shape* shape, const double a[3], const double b[3],
                      const double c[3], uint32_t subdivisions) {
    if (subdivisions == 0) {
        uint32_t ia = lump_vertex(s, shape, a);
        uint32_t ib = lump_vertex(s, shape, b);
        uint32_t ic = lump_vertex(s, shape, c);
        scene_add_triangle(s, ia, ib, ic);
        return;
    }
    double ab[3], bc[3], ca[3];
    for (int k = 0; k < 3; ++k) {
        ab[k] = a[k] + b[k];
        bc[k] = b[k] + c[k];
        ca[k] = c[k] + a[k];
    }
    normalise(ab);
    normalise(bc);
    normalise(ca);
    lump_face(s, shape, a, ab, ca, subdivisions - 1);
    lump_face(s, shape, ab, b, bc, subdivisions - 1);
    lump_face(s, shape, ca, bc, c, subdivisions - 1);
    lump_face(s, shape, ab, bc, ca, subdivisions - 1);
}

void scene_add_lump(scene* s, const double centre[3], double radius, double roughness,
                    uint32_t subdivisions, uint64_t seed) {
    lump_shape shape = {{centre[0], centre[1], centre[2]}, radius, {{0}}, {0}, {0}};
    uint64_t state = seed * 77 + 5;
    for (int w = 0; w < 6; ++w) {
        shape.height[w] = random_between(&state, 0, roughness);
        shape.phase[w] = random_between(&state, 0, 2 * SCENE_PI);
        for (int a = 0; a < 3; ++a) {
            shape.wave[w][a] = random_between(&state, -5, 5);
        }
    }
    // Starts from an octahedron.
    static const double corner[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                        {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    for (int k = 0; k < 8; ++k) {
        const double* x = corner[k & 1];
        const double* y = corner[2 + (k >> 1 & 1)];
        const double* z = corner[4 + (k >> 2 & 1)];
        bool is_odd = ((k & 1) + (k >> 1 & 1) + (k >> 2 & 1)) % 2 == 1;
        lump_face(s, &shape, x, is_odd ? y : z, is_odd ? z : y, subdivisions);
    }
}

void scene_remove_triangles(scene* s, double x, double y, double z, double radius) {
    scene_mesh* mesh = last_mesh(s);
    const double at[3] = {x, y, z};
    uint32_t kept = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        double d = 0;
        for (uint32_t a = 0; a < 3; ++a) {
            double centre = 0;
            for (uint32_t i = 0; i < 3; ++i) {
                centre += (double)mesh->positions[mesh->indices[t * 3 + i] * 3 + a] / 3;
            }
            d += (centre - at[a]) * (centre - at[a]);
        }
        if (d > radius * radius) {
            memmove(&mesh->indices[kept++ * 3], &mesh->indices[t * 3], 3 * sizeof(uint32_t));
        }
    }
    mesh->triangle_count = kept;
}

// Weights
// -----------------------------------------------------------------------------------------

void scene_weigh_rigidly(scene* s, uint32_t first, uint32_t joint) {
    scene_mesh* mesh = last_mesh(s);
    mesh->has_weights = true;
    for (uint32_t v = first; v < mesh->vertex_count; ++v) {
        mesh->joints[v * 4] = joint;
        mesh->weights[v * 4] = 1;
    }
}

static double distance_to_bone(const double p[3], const double* a, const double* b) {
    double along = 0, length = 0, d = 0;
    for (int k = 0; k < 3; ++k) {
        along += (p[k] - a[k]) * (b[k] - a[k]);
        length += (b[k] - a[k]) * (b[k] - a[k]);
    }
    double t = length > 0 ? fmin(fmax(along / length, 0), 1) : 0;
    for (int k = 0; k < 3; ++k) {
        double gap = p[k] - a[k] - t * (b[k] - a[k]);
        d += gap * gap;
    }
    return sqrt(d);
}

void scene_weigh_by_distance(scene* s, uint32_t first, const bool* is_weighted) {
    scene_mesh* mesh = last_mesh(s);
    mesh->has_weights = true;
    for (uint32_t v = first; v < mesh->vertex_count; ++v) {
        double p[3], weight[4] = {0}, sum = 0;
        uint32_t joint[4] = {0};
        for (uint32_t a = 0; a < 3; ++a) {
            p[a] = (double)mesh->positions[v * 3 + a];
        }
        for (uint32_t j = 0; j < s->joint_count; ++j) {
            if (is_weighted != NULL && !is_weighted[j]) {
                continue;
            }
            const double* at = &s->joints[j].bind[12];
            double nearest = distance_to_bone(p, at, at);
            for (uint32_t child = 0; child < s->joint_count; ++child) {
                if (s->joints[child].parent == j) {
                    nearest = fmin(nearest, distance_to_bone(p, at, &s->joints[child].bind[12]));
                }
            }
            double w = 1 / (1e-6 + nearest * nearest * nearest * nearest);
            uint32_t id = j;
            for (int k = 0; k < 4; ++k) { // keeps the four largest
                if (w > weight[k]) {
                    double smaller = weight[k];
                    uint32_t smaller_id = joint[k];
                    weight[k] = w;
                    joint[k] = id;
                    w = smaller;
                    id = smaller_id;
                }
            }
        }
        for (int k = 1; k < 4; ++k) { // an artist's brush ends somewhere
            weight[k] = weight[k] < 0.02 * weight[0] ? 0 : weight[k];
        }
        for (int k = 0; k < 4; ++k) {
            sum += weight[k];
        }
        for (uint32_t k = 0; k < 4; ++k) {
            mesh->joints[v * 4 + k] = joint[k];
            mesh->weights[v * 4 + k] = (float)(weight[k] / sum);
        }
    }
}

void scene_paint(scene* s, tlw_cook_paint paint, double value) {
    scene_mesh* mesh = last_mesh(s);
    free(mesh->paint[paint]);
    mesh->paint[paint] = calloc(mesh->vertex_count + 1, sizeof(float));
    if (mesh->paint[paint] == NULL) {
        abort();
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        mesh->paint[paint][v] = (float)value;
    }
}

// Ready scenes
// -----------------------------------------------------------------------------------------

static void rotate(double p[3], const double axis[3], double angle, const double offset[3]) {
    double crossed[3], along = axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
    cross(axis, p, crossed);
    for (int a = 0; a < 3; ++a) {
        p[a] = p[a] * cos(angle) + crossed[a] * sin(angle) + axis[a] * along * (1 - cos(angle)) +
               offset[a];
    }
}

static void rotate_floats(float* p, const double axis[3], double angle, const double offset[3]) {
    double moved[3] = {(double)p[0], (double)p[1], (double)p[2]};
    rotate(moved, axis, angle, offset);
    for (int a = 0; a < 3; ++a) {
        p[a] = (float)moved[a];
    }
}

void scene_move(scene* s, const double axis_angle[3], const double offset[3]) {
    double axis[3] = {axis_angle[0], axis_angle[1], axis_angle[2]};
    double angle = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (angle > 0) {
        normalise(axis);
    }
    for (uint32_t m = 0; m < s->mesh_count; ++m) {
        for (uint32_t v = 0; v < s->meshes[m].vertex_count; ++v) {
            rotate_floats(&s->meshes[m].positions[v * 3], axis, angle, offset);
        }
    }
    for (uint32_t k = 0; k < s->socket_count; ++k) {
        rotate_floats(&s->sockets[k * 3], axis, angle, offset);
    }
    const double none[3] = {0, 0, 0};
    for (uint32_t j = 0; j < s->joint_count; ++j) {
        for (int column = 0; column < 4; ++column) {
            rotate(&s->joints[j].bind[column * 4], axis, angle, column == 3 ? offset : none);
        }
    }
}

static void add_chain(scene* s, uint32_t count, const double from[3], const double to[3]) {
    for (uint32_t k = 0; k < count; ++k) {
        double t = (double)k / count;
        scene_add_joint(s, k == 0 ? TLW_NO_JOINT : s->joint_count - 1,
                        from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]),
                        from[2] + t * (to[2] - from[2]));
    }
}

static void make_lump(scene* s, uint64_t seed) {
    scene_add_lump(s, (double[3]){0, 0, 0}, 1, 0.12, 4, seed);
    uint64_t state = seed + 1000;
    add_chain(s, 4, (double[3]){0, 0, -0.6},
              (double[3]){random_between(&state, -0.3, 0.3), 0.1, 0.8});
    scene_add_joint(s, 1, 0.4, random_between(&state, -0.2, 0.2), 0);
}

// One limb, with weights for the joints given by the bits of a mask.
static void add_limb(scene* s, double x0, double y0, double z0, double x1, double y1, double z1,
                     double radius, uint32_t joint_bits) {
    bool is_weighted[32];
    for (int j = 0; j < 32; ++j) {
        is_weighted[j] = (joint_bits >> j & 1) != 0;
    }
    uint32_t first = last_mesh(s)->vertex_count;
    scene_add_capsule(s, (double[3]){x0, y0, z0}, (double[3]){x1, y1, z1}, radius, 16);
    scene_weigh_by_distance(s, first, is_weighted);
}

static void make_legs(scene* s) {
    uint32_t root = scene_add_joint(s, TLW_NO_JOINT, 0, 0, -1.5); // below the feet, unweighted
    uint32_t hips = scene_add_joint(s, root, 0, 0, 0.1);
    uint32_t chest = scene_add_joint(s, hips, 0, 0, 0.5);
    add_limb(s, 0, 0, 0.2, 0, 0, 0.7, 0.33, 1u << hips | 1u << chest);
    for (int side = -1; side <= 1; side += 2) {
        uint32_t thigh = scene_add_joint(s, hips, side * 0.16, 0, 0);
        uint32_t shin = scene_add_joint(s, thigh, side * 0.16, 0.02, -0.6);
        uint32_t foot = scene_add_joint(s, shin, side * 0.16, 0, -1.1);
        // The gap of 0.02 is less than a voxel at every resolution up to 64.
        add_limb(s, side * 0.16, 0, -1.1, side * 0.16, 0, 0, 0.15,
                 1u << hips | 1u << thigh | 1u << shin | 1u << foot);
    }
}

static void make_figure(scene* s) {
    uint32_t root = scene_add_joint(s, TLW_NO_JOINT, 0, 0, -1);
    uint32_t hips = scene_add_joint(s, root, 0, 0, 0);
    uint32_t chest = scene_add_joint(s, hips, 0, 0, 0.3);
    uint32_t neck = scene_add_joint(s, chest, 0, 0, 0.62);
    scene_add_joint(s, neck, 0, 0, 0.95); // an exporter's end joint: no weights
    add_limb(s, 0, 0, 0.05, 0, 0, 0.45, 0.2, 1u << hips | 1u << chest | 1u << neck);
    add_limb(s, 0, 0, 0.6, 0, 0.02, 0.78, 0.14, 1u << chest | 1u << neck);
    for (int side = -1; side <= 1; side += 2) {
        uint32_t arm = scene_add_joint(s, chest, side * 0.2, 0, 0.5);
        uint32_t hand = scene_add_joint(s, arm, side * 0.5, 0, 0.45);
        uint32_t thigh = scene_add_joint(s, hips, side * 0.12, 0, -0.05);
        uint32_t shin = scene_add_joint(s, thigh, side * 0.12, 0.02, -0.45);
        scene_add_joint(s, shin, side * 0.12, 0, -0.9);
        add_limb(s, side * 0.15, 0, 0.5, side * 0.75, 0, 0.42, 0.06,
                 1u << chest | 1u << arm | 1u << hand);
        add_limb(s, side * 0.12, 0, -0.85, side * 0.12, 0, 0, 0.105,
                 1u << hips | 1u << thigh | 1u << shin);
    }
    scene_add_mesh(s, TLW_ROLE_RIDE); // an eye
    scene_add_lump(s, (double[3]){0.05, -0.13, 0.75}, 0.03, 0, 2, 0);
    scene_weigh_rigidly(s, 0, neck);
}

static const struct {
    const char* name;
} kinds[] = {
#define SCENE_KIND_NAME(name, text) {#name},
    SCENE_KINDS(SCENE_KIND_NAME)
#undef SCENE_KIND_NAME
};

const char* scene_name(scene_kind kind) {
    return kinds[kind].name;
}

scene* scene_make(scene_kind kind, uint64_t seed) {
    scene* s = scene_new();
    uint64_t state = seed;
    switch (kind) {
    case SCENE_box:
        scene_add_box(s, (double[3]){-1, -0.4, -0.3}, (double[3]){1, 0.4, 0.3});
        add_chain(s, 3, (double[3]){-0.8, 0, 0}, (double[3]){0.8, 0, 0});
        scene_weigh_by_distance(s, 0, NULL);
        break;
    case SCENE_torus:
        scene_add_torus(s, 0.8, 0.25, 32, 16);
        for (uint32_t k = 0; k < 6; ++k) {
            double angle = 2 * SCENE_PI * k / 6;
            scene_add_joint(s, k == 0 ? TLW_NO_JOINT : k - 1, 0.8 * cos(angle), 0.8 * sin(angle),
                            0);
        }
        scene_weigh_by_distance(s, 0, NULL);
        break;
    case SCENE_rod:
    case SCENE_thin_rod:
        scene_add_capsule(s, (double[3]){0, 0, -1}, (double[3]){0, 0, 1},
                          kind == SCENE_rod ? 0.12 : 0.01, 12);
        add_chain(s, 3, (double[3]){0, 0, -0.9}, (double[3]){0, 0, 0.9});
        scene_weigh_by_distance(s, 0, NULL);
        break;
    case SCENE_plate:
        scene_add_box(s, (double[3]){-1, -0.7, -0.004}, (double[3]){1, 0.7, 0.004});
        add_chain(s, 2, (double[3]){-0.8, 0, 0}, (double[3]){0.8, 0, 0});
        scene_weigh_by_distance(s, 0, NULL);
        break;
    case SCENE_lump:
        make_lump(s, seed);
        scene_weigh_by_distance(s, 0, NULL);
        break;
    case SCENE_split_lump:
        make_lump(s, seed);
        scene_weigh_by_distance(s, 0, NULL);
        scene_add_mesh(s, TLW_ROLE_VOXELISE); // overlaps the first
        scene_add_lump(s, (double[3]){0.9, 0, 0}, 0.4, 0.1, 3, seed + 7);
        scene_weigh_by_distance(s, 0, NULL);
        scene_add_mesh(s, TLW_ROLE_VOXELISE); // stands alone
        scene_add_lump(s, (double[3]){-2, 0, 0}, 0.3, 0.1, 3, seed + 8);
        scene_weigh_by_distance(s, 0, NULL);
        scene_add_mesh(s, TLW_ROLE_RIDE); // partly in no voxel
        scene_add_lump(s, (double[3]){0, 0, 1}, 0.5, 0.1, 2, seed + 9);
        scene_add_mesh(s, TLW_ROLE_RIDE); // far from all voxels: rides with its joint
        scene_add_lump(s, (double[3]){0, 0, 3}, 0.5, 0.1, 2, seed + 10);
        scene_weigh_rigidly(s, 0, 1);
        break;
    case SCENE_unweighted_lump:
        make_lump(s, seed);
        break;
    case SCENE_open_lump:
        make_lump(s, seed);
        scene_weigh_by_distance(s, 0, NULL);
        scene_remove_triangles(s, 0, 0, 1, 0.45);
        break;
    case SCENE_torn_lump:
        make_lump(s, seed);
        scene_weigh_by_distance(s, 0, NULL);
        for (int k = 0; k < 12; ++k) {
            double at[3];
            for (int a = 0; a < 3; ++a) {
                at[a] = random_between(&state, -1, 1);
            }
            normalise(at);
            scene_remove_triangles(s, at[0], at[1], at[2], 0.12);
        }
        break;
    case SCENE_open_box:
        scene_add_box(s, (double[3]){-0.5, -0.5, -0.5}, (double[3]){0.5, 0.5, 0.5});
        scene_remove_triangles(s, 0, 0, 0.5, 0.3); // both triangles of the lid
        add_chain(s, 1, (double[3]){0, 0, -0.2}, (double[3]){0, 0, 0.2});
        scene_weigh_by_distance(s, 0, NULL);
        break;
    case SCENE_ell:
        scene_add_box(s, (double[3]){0, 0, 0}, (double[3]){2, 0.5, 0.5});
        scene_add_box(s, (double[3]){0, 0, 0.1}, (double[3]){0.5, 0.5, 1.7});
        scene_add_joint(s, TLW_NO_JOINT, 1.7, 0.25, 0.25);
        scene_add_joint(s, 0, 0.3, 0.25, 0.25);
        scene_add_joint(s, 1, 0.25, 0.25, 1.5);
        scene_weigh_by_distance(s, 0, NULL);
        break;
    case SCENE_legs:
        make_legs(s);
        break;
    case SCENE_triangle:
        scene_add_vertex(s, 0, 0, 0);
        scene_add_vertex(s, 1, 0, 0);
        scene_add_vertex(s, 0, 1, 0);
        scene_add_triangle(s, 0, 1, 2);
        scene_add_joint(s, TLW_NO_JOINT, 0.25, 0.25, 0);
        scene_weigh_by_distance(s, 0, NULL);
        break;
    case SCENE_figure:
    case SCENE_KIND_COUNT:
        make_figure(s);
        break;
    }
    scene_add_socket(s, 0.1, 0.05, 0.02);
    scene_add_socket(s, 40, -3, 0);
    if (seed != 0) {
        double axis_angle[3], offset[3];
        for (int a = 0; a < 3; ++a) {
            axis_angle[a] = random_between(&state, -2, 2);
            offset[a] = random_between(&state, -3, 3);
        }
        scene_move(s, axis_angle, offset);
    }
    return s;
}
