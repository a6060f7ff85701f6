// SPDX-License-Identifier: MIT
// Small cook inputs for tests: shapes, a skeleton, and weights as an artist would paint them. Used
// by the oracle cooker's tests, by the tests that compare the library with it, and by tests that
// need a small blob.
#ifndef TLW_TESTS_COOK_SUPPORT_COOK_SCENES_H
#define TLW_TESTS_COOK_SUPPORT_COOK_SCENES_H

#include "tools/cook/cook.h"

// Ready scenes: name, description.
#define SCENE_KINDS(X)                                                                          \
    X(box, "a stout box on one chain of three joints")                                          \
    X(torus, "a ring on a chain of six joints that does not close")                             \
    X(rod, "a capsule, a few voxels thick")                                                     \
    X(thin_rod, "a capsule thinner than a voxel")                                               \
    X(plate, "a plate thinner than a voxel")                                                    \
    X(lump, "a random closed lump, its vertices split by face")                                 \
    X(split_lump,                                                                               \
      "five random lumps: two that overlap, one apart, one that rides, one that rides far off") \
    X(unweighted_lump, "a random closed lump without weights: geodesic")                        \
    X(open_lump, "a random lump with a hole of several voxels")                                 \
    X(torn_lump, "a random lump with many single triangles missing")                            \
    X(open_box, "a box without its lid")                                                        \
    X(ell, "two boxes that overlap as an L, a joint in each")                                   \
    X(legs, "a torso on two legs that nearly touch, below an unweighted root")                  \
    X(triangle, "one triangle")                                                                 \
    X(figure, "torso, head, arms and legs of capsules, end joints without weights")

typedef enum scene_kind {
#define SCENE_KIND_ENUM(name, text) SCENE_##name,
    SCENE_KINDS(SCENE_KIND_ENUM)
#undef SCENE_KIND_ENUM
        SCENE_KIND_COUNT
} scene_kind;

#define SCENE_MESHES_MAX 5

typedef struct scene_mesh {
    tlw_cook_role role;
    bool has_weights;
    uint32_t vertex_count, vertex_room;
    float* positions;              // 3 per vertex
    uint32_t* joints;              // 4 per vertex
    float* weights;                // 4 per vertex
    float* paint[TLW_COOK_PAINTS]; // one per vertex, or null
    uint32_t triangle_count, triangle_room;
    uint32_t* indices;
} scene_mesh;

// A scene owns all of its arrays. scene_input() is valid until the scene changes.
typedef struct scene {
    tlw_cook_input input;
    tlw_cook_mesh cook_meshes[SCENE_MESHES_MAX];
    tlw_cook_points cook_points;
    scene_mesh meshes[SCENE_MESHES_MAX];
    uint32_t mesh_count;
    tlw_cook_joint* joints;
    char (*joint_names)[16]; // "joint0", "joint1", ...
    uint32_t joint_count, joint_room;
    float* sockets; // 3 per point
    uint32_t socket_count, socket_room;
} scene;

const char* scene_name(scene_kind kind);
// The same seed gives the same scene. Seed 0 leaves it upright and centred; other seeds rotate and
// move it and, for lumps, change its shape.
scene* scene_make(scene_kind kind, uint64_t seed);
void scene_free(scene* s);
const tlw_cook_input* scene_input(scene* s);
// The default recipe, without the library's help.
tlw_cook_recipe scene_recipe(void);

// To build a scene by hand. A new scene has one mesh to voxelise; shapes go to the last mesh.
scene* scene_new(void);
void scene_add_mesh(scene* s, tlw_cook_role role);
uint32_t scene_add_joint(scene* s, uint32_t parent, double x, double y, double z);
uint32_t scene_add_vertex(scene* s, double x, double y, double z);
void scene_add_triangle(scene* s, uint32_t a, uint32_t b, uint32_t c);
void scene_add_socket(scene* s, double x, double y, double z);
void scene_add_box(scene* s, const double low[3], const double high[3]);
void scene_add_torus(scene* s, double ring_radius, double tube_radius, uint32_t around,
                     uint32_t across);
void scene_add_capsule(scene* s, const double from[3], const double to[3], double radius,
                       uint32_t around);
// A deformed sphere, split from an octahedron; every triangle has vertices of its own.
void scene_add_lump(scene* s, const double centre[3], double radius, double roughness,
                    uint32_t subdivisions, uint64_t seed);
// Removes triangles whose centre is within radius of the point.
void scene_remove_triangles(scene* s, double x, double y, double z, double radius);
// Gives the vertices from `first` to the end of the last mesh wholly to one joint.
void scene_weigh_rigidly(scene* s, uint32_t first, uint32_t joint);
// Gives the same vertices weights that fall off with the distance to each joint's bones. Joints
// marked false get none; null marks all.
void scene_weigh_by_distance(scene* s, uint32_t first, const bool* is_weighted);
// Gives all vertices of the last mesh, and none that come later, one value of a paint. A test may
// change single values in the mesh.
void scene_paint(scene* s, tlw_cook_paint paint, double value);
// Rotates, then moves, meshes, joints and sockets.
void scene_move(scene* s, const double axis_angle[3], const double offset[3]);

#endif
