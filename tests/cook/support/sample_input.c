// SPDX-License-Identifier: MIT
// The sample characters as cook input: runs the sample's stages and hands their arrays to the
// cooker.
#include "tests/cook/support/sample_input.h"

#include "tests/test.h"
#include "tools/sample/build.h"

#include <stdlib.h>

struct sample_input {
    tlw_cook_input input;
    tlw_cook_mesh cook_mesh;
    tlw_cook_joint joints[JOINT_COUNT];
    sample_mesh mesh;
    uint32_t* mesh_joints;
};

static void set_bind(double* m, quat rotation, vec3 at) {
    const double x = rotation.x, y = rotation.y, z = rotation.z, w = rotation.w;
    const double rows[3][4] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), at.x},
        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), at.y},
        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), at.z}};
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            m[column * 4 + row] = rows[row][column];
        }
        m[column * 4 + 3] = column == 3;
    }
}

sample_input* sample_input_make(tlw_sample_variant variant) {
    sample_input* s = calloc(1, sizeof *s);
    sample_shape shape;
    sample_rig rig;
    CHECK(s != NULL);
    tlw_sample_make_shape(variant, &shape);
    CHECK_OK(tlw_sample_polygonise(&shape, shape.resolution, &s->mesh));
    tlw_sample_make_rig(&shape, &rig);
    CHECK_OK(tlw_sample_make_weights(&shape, &s->mesh));
    for (uint32_t j = 0; j < JOINT_COUNT; ++j) {
        const uint32_t parent = (uint32_t)tlw_sample_joint_parents[j];
        s->joints[j].name = tlw_sample_joint_names[j];
        s->joints[j].parent = parent == j ? TLW_NO_JOINT : parent;
        set_bind(s->joints[j].bind, rig.bind[j], shape.joints[j]);
    }
    const size_t influences = (size_t)s->mesh.vertex_count * 4;
    s->mesh_joints = malloc(influences * sizeof *s->mesh_joints);
    CHECK(s->mesh_joints != NULL);
    for (size_t i = 0; i < influences; ++i) {
        s->mesh_joints[i] = s->mesh.joints[i];
    }
    s->cook_mesh = (tlw_cook_mesh){.name = tlw_sample_variant_name(variant),
                                   .role = TLW_ROLE_VOXELISE,
                                   .vertex_count = s->mesh.vertex_count,
                                   .positions = s->mesh.positions,
                                   .normals = s->mesh.normals,
                                   .uvs = s->mesh.uvs,
                                   .triangle_count = s->mesh.triangle_count,
                                   .indices = s->mesh.indices,
                                   .influence_count = 4,
                                   .joints = s->mesh_joints,
                                   .weights = s->mesh.weights};
    s->input = (tlw_cook_input){
        .joints = s->joints, .joint_count = JOINT_COUNT, .meshes = &s->cook_mesh, .mesh_count = 1};
    return s;
}

void sample_input_free(sample_input* s) {
    tlw_sample_free_mesh(&s->mesh);
    free(s->mesh_joints);
    free(s);
}

const tlw_cook_input* sample_input_get(const sample_input* s) {
    return &s->input;
}
