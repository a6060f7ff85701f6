// SPDX-License-Identifier: MIT
// Holds runtime/asset.h to what it promises about an open blob, against the blob's own sections and
// against what was cooked; and tallow.h to its ids and to the joint that a bad pose names.
#include "runtime/blob.h"
#include "tests/runtime/support/small_characters.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

#define FRAME (1.0 / 60.0)

static const void* section(const tlw_blob* blob, tlw_blob_section_kind kind, uint64_t* count) {
    return tlw_blob_find(blob->bytes, kind, count);
}

TLW_TEST(joints_have_names_parents_and_binds_that_undo_their_inverses) {
    const tlw_blob blob = small_blob(SMALL_LEGS);
    uint64_t count;
    const tlw_blob_joint* joints = section(&blob, TLW_SECTION_JOINTS, &count);
    CHECK_LT(1u, (uint32_t)count);
    for (uint32_t j = 0; j < count; ++j) {
        tlw_joint_info info;
        CHECK_OK(tlw_blob_get_joint(&blob, j, &info));
        CHECK_STRING(info.name, tlw_blob_joint_name(&blob, j));
        CHECK_EQ(info.parent, joints[j].parent);
        CHECK_EQ(info.part, joints[j].part);
        CHECK_EQ(info.has_voxels, joints[j].is_kept != 0);
        CHECK_EQ(memcmp(info.bind, joints[j].bind, sizeof info.bind), 0);
        for (int column = 0; column < 4; ++column) {
            for (int row = 0; row < 4; ++row) {
                double sum = 0.0;
                for (int k = 0; k < 4; ++k) {
                    sum += info.inverse_bind[k * 4 + row] * info.bind[column * 4 + k];
                }
                CHECK_LT(fabs(sum - (row == column)), 1e-12);
            }
        }
        uint32_t found;
        CHECK_OK(tlw_blob_find_joint(&blob, info.name, &found));
        CHECK_EQ(found, j);
    }
    uint32_t found = 77;
    tlw_joint_info untouched = {.parent = 77};
    CHECK_RESULT(tlw_blob_find_joint(&blob, "nobody", &found), TLW_ERROR_NOT_FOUND);
    CHECK_RESULT(tlw_blob_get_joint(&blob, (uint32_t)count, &untouched), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_get_joint(&blob, TLW_NO_INDEX, &untouched), TLW_ERROR_BAD_ARGUMENT);
    CHECK_EQ(found, 77u);
    CHECK_EQ(untouched.parent, 77u);
}

TLW_TEST(joints_map_to_the_engines_by_name_and_the_first_missing_one_is_named) {
    const tlw_blob blob = small_blob(SMALL_LEGS);
    const uint32_t count = small_info(SMALL_LEGS).joint_count;
    const char* names[32] = {"camera", NULL};
    uint32_t map[32], missing = 77;
    CHECK_LT(count + 3, (uint32_t)TLW_COUNT_OF(names));
    for (uint32_t j = 0; j < count; ++j) { // the other way round, after two that are not the blob's
        names[2 + count - 1 - j] = tlw_blob_joint_name(&blob, j);
    }
    names[2 + count] = names[2]; // a second one of the same name does not count
    CHECK_OK(tlw_blob_map_joints(&blob, names, count + 3, map, &missing));
    CHECK_EQ(missing, 77u);
    for (uint32_t j = 0; j < count; ++j) {
        CHECK_EQ(map[j], 2 + count - 1 - j);
    }
    names[2 + count - 1 - 1] = "somebody else"; // joint 1
    CHECK_RESULT(tlw_blob_map_joints(&blob, names, count + 2, map, &missing), TLW_ERROR_NOT_FOUND);
    CHECK_EQ(missing, 1u);
    for (uint32_t j = 0; j < count; ++j) {
        CHECK_EQ(map[j], j == 1 ? TLW_NO_INDEX : 2 + count - 1 - j);
    }
    CHECK_RESULT(tlw_blob_map_joints(&blob, NULL, 0, map, NULL), TLW_ERROR_NOT_FOUND);
    CHECK_EQ(map[0], TLW_NO_INDEX);
}

TLW_TEST(meshes_and_geometry_are_what_the_sections_hold) {
    const tlw_blob blob = small_blob(SMALL_TRIANGLE_WITH_ALL);
    const tlw_blob_info info = small_info(SMALL_TRIANGLE_WITH_ALL);
    uint64_t count, indices, uvs;
    const tlw_blob_mesh* meshes = section(&blob, TLW_SECTION_MESHES, &count);
    const uint32_t* index = section(&blob, TLW_SECTION_INDICES, &indices);
    const float* uv = section(&blob, TLW_SECTION_UVS, &uvs);
    CHECK_EQ(info.mesh_count, (uint32_t)count);
    uint32_t next = 0;
    for (uint32_t m = 0; m < count; ++m) {
        tlw_mesh_info mesh;
        CHECK_OK(tlw_blob_get_mesh(&blob, m, &mesh));
        CHECK_EQ(mesh.first_vertex, next);
        CHECK_EQ(mesh.vertex_count, meshes[m].vertex_count);
        CHECK_EQ(mesh.first_index, meshes[m].first_index);
        CHECK_EQ(mesh.index_count, meshes[m].index_count);
        CHECK_EQ(mesh.has_normals, meshes[m].has_normals != 0);
        CHECK_EQ(mesh.has_tangents, meshes[m].has_tangents != 0);
        CHECK_EQ(mesh.is_points, meshes[m].is_points != 0);
        uint32_t found;
        CHECK_OK(tlw_blob_find_mesh(&blob, mesh.name, &found));
        CHECK(found <= m);
        next += mesh.vertex_count;
    }
    CHECK_EQ(next, info.vertex_count);
    tlw_geometry geometry;
    CHECK_OK(tlw_blob_get_geometry(&blob, &geometry));
    CHECK_EQ(geometry.vertex_count, info.vertex_count);
    CHECK_EQ(geometry.index_count, (uint32_t)indices);
    CHECK(geometry.indices == index && geometry.uvs == uv);
    for (uint32_t v = 0; v < geometry.vertex_count; ++v) {
        CHECK_EQ(geometry.cooked_of[geometry.source_of[v]], v);
    }
    tlw_mesh_info mesh;
    uint32_t found;
    CHECK_RESULT(tlw_blob_get_mesh(&blob, info.mesh_count, &mesh), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_find_mesh(&blob, "", &found), TLW_ERROR_NOT_FOUND);
}

// The made-up normals and tangents of small_blobs.c: number i of a mesh is i % 4 / 4.
TLW_TEST(vertices_in_source_order_have_the_shape_that_was_cooked) {
    const tlw_blob blob = small_blob(SMALL_ELL);
    const uint32_t count = small_info(SMALL_ELL).vertex_count;
    tlw_geometry geometry;
    CHECK_OK(tlw_blob_get_geometry(&blob, &geometry));
    tlw_vertex* vertices = sample_allocate(count * sizeof *vertices);
    CHECK_OK(tlw_blob_get_vertices(&blob, TLW_ORDER_SOURCE, 0, count, vertices));
    uint32_t moved = 0; // vertices that have another place in the cooked order
    for (uint32_t m = 0; m < small_info(SMALL_ELL).mesh_count; ++m) {
        tlw_mesh_info mesh;
        CHECK_OK(tlw_blob_get_mesh(&blob, m, &mesh));
        CHECK_EQ(mesh.has_normals, !mesh.is_points);
        for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
            const tlw_vertex* vertex = &vertices[mesh.first_vertex + v];
            for (uint32_t c = 0; c < 4; ++c) {
                const float normal = mesh.is_points ? 0.0f : (float)((v * 3 + c) % 4) * 0.25f;
                const float tangent = mesh.is_points ? 0.0f : (float)(c % 4) * 0.25f;
                CHECK_EQ(vertex->tangent[c], tangent);
                CHECK(c == 3 || vertex->normal[c < 3 ? c : 0] == normal);
            }
            moved += geometry.source_of[mesh.first_vertex + v] != mesh.first_vertex + v;
        }
    }
    CHECK_LT(0u, moved);
    sample_free(vertices);
}

// A vertex in everything that the blob has of it.
typedef struct whole_vertex {
    tlw_vertex shape;
    tlw_vertex_skinning skinning;
    tlw_vertex_binding binding;
} whole_vertex;

static whole_vertex vertex_at(const tlw_blob* blob, tlw_vertex_order order, uint32_t v) {
    whole_vertex out;
    memset(&out, 0, sizeof out);
    CHECK_OK(tlw_blob_get_vertices(blob, order, v, 1, &out.shape));
    CHECK_OK(tlw_blob_get_skinning(blob, order, v, 1, &out.skinning));
    CHECK_OK(tlw_blob_get_bindings(blob, order, v, 1, &out.binding));
    return out;
}

TLW_TEST(both_orders_have_the_same_vertices_and_any_range_is_part_of_the_whole) {
    for (uint32_t which = SMALL_TRIANGLE; which <= SMALL_LARGE_ELL; ++which) {
        const tlw_blob blob = small_blob(which);
        const uint32_t count = small_info(which).vertex_count;
        tlw_geometry geometry;
        CHECK_OK(tlw_blob_get_geometry(&blob, &geometry));
        tlw_vertex* shapes = sample_allocate(count * sizeof *shapes);
        tlw_vertex_skinning* skinning = sample_allocate(count * sizeof *skinning);
        tlw_vertex_binding* bindings = sample_allocate(count * sizeof *bindings);
        CHECK_OK(tlw_blob_get_vertices(&blob, TLW_ORDER_COOKED, 0, count, shapes));
        CHECK_OK(tlw_blob_get_skinning(&blob, TLW_ORDER_COOKED, 0, count, skinning));
        CHECK_OK(tlw_blob_get_bindings(&blob, TLW_ORDER_COOKED, 0, count, bindings));
        for (uint32_t v = 0; v < count; ++v) {
            const whole_vertex cooked = vertex_at(&blob, TLW_ORDER_COOKED, v);
            const whole_vertex source = vertex_at(&blob, TLW_ORDER_SOURCE, geometry.source_of[v]);
            CHECK_EQ(memcmp(&cooked, &source, sizeof cooked), 0);
            CHECK_EQ(memcmp(&cooked.shape, &shapes[v], sizeof *shapes), 0);
            CHECK_EQ(memcmp(&cooked.skinning, &skinning[v], sizeof *skinning), 0);
            CHECK_EQ(memcmp(&cooked.binding, &bindings[v], sizeof *bindings), 0);
        }
        CHECK_OK(tlw_blob_get_vertices(&blob, TLW_ORDER_SOURCE, count, 0, NULL));
        CHECK_OK(tlw_blob_get_skinning(&blob, TLW_ORDER_SOURCE, count, 0, NULL));
        CHECK_OK(tlw_blob_get_bindings(&blob, TLW_ORDER_COOKED, count, 0, NULL));
        const struct {
            uint32_t first, count;
            tlw_vertex_order order;
        } bad[] = {{1, count, TLW_ORDER_SOURCE},
                   {UINT32_MAX, 2, TLW_ORDER_COOKED},
                   {0, 1, (tlw_vertex_order)2}};
        for (size_t i = 0; i < TLW_COUNT_OF(bad); ++i) {
            CHECK_RESULT(
                tlw_blob_get_vertices(&blob, bad[i].order, bad[i].first, bad[i].count, shapes),
                TLW_ERROR_BAD_ARGUMENT);
            CHECK_RESULT(
                tlw_blob_get_skinning(&blob, bad[i].order, bad[i].first, bad[i].count, skinning),
                TLW_ERROR_BAD_ARGUMENT);
            CHECK_RESULT(
                tlw_blob_get_bindings(&blob, bad[i].order, bad[i].first, bad[i].count, bindings),
                TLW_ERROR_BAD_ARGUMENT);
        }
        sample_free(shapes);
        sample_free(skinning);
        sample_free(bindings);
    }
}

// Used places come first, ascending; the others repeat the first one.
static void check_places(const uint32_t indices[8], const float weights[8], uint32_t count) {
    float sum = 0.0f;
    for (int k = 0; k < 8; ++k) {
        CHECK_LT(indices[k], count);
        CHECK(weights[k] >= 0.0f);
        CHECK(k == 0 || weights[k] == 0.0f || weights[k - 1] > 0.0f);
        CHECK(weights[k] > 0.0f || indices[k] == indices[0]);
        sum += weights[k];
    }
    CHECK(sum == 1.0f || sum == 0.0f); // exactly
}

TLW_TEST(bindings_and_skinning_name_what_is_there_and_weigh_1) {
    for (uint32_t which = SMALL_TRIANGLE; which <= SMALL_LARGE_ELL; ++which) {
        const tlw_blob blob = small_blob(which);
        const tlw_blob_info info = small_info(which);
        uint64_t count;
        const tlw_blob_cell* cells = section(&blob, TLW_SECTION_VOXEL_CELL, &count);
        const bool has_centres = section(&blob, TLW_SECTION_GROUP_CENTRE, &count) != NULL;
        uint32_t skinned = 0;
        for (uint32_t v = 0; v < info.vertex_count; ++v) {
            const whole_vertex vertex = vertex_at(&blob, TLW_ORDER_SOURCE, v);
            check_places(vertex.skinning.joints, vertex.skinning.weights, info.joint_count);
            check_places(vertex.binding.voxels, vertex.binding.weights, info.voxel_count);
            CHECK_LT(0.0f, vertex.binding.weights[0]);
            skinned += vertex.skinning.weights[0] > 0.0f;
            double centre[3] = {0.0};
            for (int k = 0; k < 8; ++k) {
                const tlw_blob_cell* cell = &cells[vertex.binding.voxels[k]];
                const double at[3] = {cell->x + 0.5, cell->y + 0.5, cell->z + 0.5};
                for (int axis = 0; axis < 3; ++axis) {
                    centre[axis] += (double)vertex.binding.weights[k] *
                                    (info.origin[axis] + info.voxel_metres * at[axis]);
                }
            }
            for (int axis = 0; axis < 3; ++axis) {
                CHECK_NEAR(vertex.binding.centre[axis], has_centres ? centre[axis] : 0.0, 1e-6);
                // Voxels lie around a vertex of the mesh, so their mean is not far from it.
                CHECK(vertex.skinning.weights[0] == 0.0f ||
                      fabs(centre[axis] - (double)vertex.shape.position[axis]) <
                          2.0 * info.voxel_metres);
            }
        }
        CHECK_EQ(skinned > 0, has_centres);
    }
}

TLW_TEST(rings_and_rbf_are_there_only_if_they_were_cooked) {
    for (uint32_t which = SMALL_TRIANGLE; which <= SMALL_LARGE_ELL; ++which) {
        const tlw_blob blob = small_blob(which);
        uint64_t count;
        CHECK_EQ(small_info(which).has_ring_normals,
                 section(&blob, TLW_SECTION_RING_NEIGHBOUR, &count) != NULL);
        CHECK_EQ(small_info(which).has_rbf, section(&blob, TLW_SECTION_RBF, &count) != NULL);
    }
}

TLW_TEST(bends_and_skinning_are_what_was_cooked) {
    for (uint32_t which = SMALL_TRIANGLE; which <= SMALL_DUAL_ELL; ++which) {
        const tlw_blob blob = small_blob(which);
        uint64_t count;
        CHECK_EQ(small_info(which).has_bends, section(&blob, TLW_SECTION_BENDS, &count) != NULL);
        CHECK_EQ(small_info(which).skinning,
                 which == SMALL_DUAL_ELL ? TLW_SKINNING_DUAL : TLW_SKINNING_LINEAR);
    }
    CHECK(small_info(SMALL_ELL).has_bends);       // on by default
    CHECK(!small_info(SMALL_TRIANGLE).has_bends); // one joint bends nothing
}

TLW_TEST(profiles_are_found_by_name_and_the_first_is_cooked) {
    for (uint32_t which = SMALL_TRIANGLE; which <= SMALL_DUAL_ELL; ++which) {
        static const char* const names[] = {"cooked", "tense", "held"};
        const tlw_blob blob = small_blob(which);
        const uint32_t count = which == SMALL_DUAL_ELL ? 3 : 1;
        CHECK_EQ(small_info(which).profile_count, count);
        for (uint32_t i = 0; i < TLW_COUNT_OF(names); ++i) {
            uint32_t found = 77;
            CHECK_STRING(tlw_blob_profile_name(&blob, i), i < count ? names[i] : "");
            if (i < count) {
                CHECK_OK(tlw_blob_find_profile(&blob, names[i], &found));
                CHECK_EQ(found, i);
            } else {
                CHECK_RESULT(tlw_blob_find_profile(&blob, names[i], &found), TLW_ERROR_NOT_FOUND);
                CHECK_EQ(found, 77u);
            }
        }
        uint32_t found;
        CHECK_RESULT(tlw_blob_find_profile(&blob, "", &found), TLW_ERROR_NOT_FOUND);
        CHECK_STRING(tlw_blob_profile_name(&blob, TLW_NO_INDEX), "");
    }
}

TLW_TEST(muscles_are_found_by_name_and_are_what_was_cooked) {
    static const char* const names[] = {"flexor", "extensor"};
    const tlw_blob blob = small_blob(SMALL_MUSCLES), none = small_blob(SMALL_ELL);
    tlw_muscle_info muscle;
    uint32_t found = 77;
    CHECK_EQ(small_info(SMALL_ELL).muscle_count, 0);
    CHECK_EQ(small_info(SMALL_MUSCLES).muscle_count, 2);
    CHECK(!small_info(SMALL_MUSCLES).has_lame);
    for (uint32_t i = 0; i < 2; ++i) {
        CHECK_OK(tlw_blob_find_muscle(&blob, names[i], &found));
        CHECK_EQ(found, i);
        CHECK_OK(tlw_blob_get_muscle(&blob, i, &muscle));
        CHECK_STRING(muscle.name, names[i]);
        CHECK_EQ(muscle.vertex_count, i == 0 ? 5 : 4);
        CHECK_EQ(muscle.flex_joint, i == 0 ? 2 : TLW_NO_INDEX);
        CHECK_NEAR(muscle.radius_metres, 0.15, 1e-6);
    }
    found = 77;
    CHECK_RESULT(tlw_blob_find_muscle(&blob, "biceps", &found), TLW_ERROR_NOT_FOUND);
    CHECK_RESULT(tlw_blob_find_muscle(&none, names[0], &found), TLW_ERROR_NOT_FOUND);
    CHECK_EQ(found, 77u);
    CHECK_RESULT(tlw_blob_get_muscle(&blob, 2, &muscle), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_get_muscle(&none, 0, &muscle), TLW_ERROR_BAD_ARGUMENT);
}

TLW_TEST(kinds_of_parts_have_texts) {
    CHECK_STRING(tlw_part_kind_text(TLW_PART_WHOLE), "whole character");
    CHECK_STRING(tlw_part_kind_text(TLW_PART_FIRM_NAME), "firm by name");
    CHECK_STRING(tlw_part_kind_text(TLW_PART_FIRM_SHAPE), "firm by shape");
    CHECK_STRING(tlw_part_kind_text(TLW_PART_KIND_COUNT), "unknown");
}

TLW_TEST(layers_and_parts_are_found_by_name) {
    for (uint32_t which = SMALL_TRIANGLE; which <= SMALL_LARGE_ELL; ++which) {
        const tlw_blob blob = small_blob(which);
        const tlw_blob_info info = small_info(which);
        uint32_t sum = 0, found;
        for (uint32_t i = 0; i < info.layer_count; ++i) {
            tlw_layer_info layer;
            CHECK_OK(tlw_blob_get_layer(&blob, i, &layer));
            CHECK_STRING(layer.name, tlw_blob_layer_name(&blob, i));
            CHECK_OK(tlw_blob_find_layer(&blob, layer.name, &found));
            CHECK_EQ(found, i);
            sum += layer.voxel_count;
        }
        CHECK_EQ(sum, info.voxel_count);
        sum = 0;
        for (uint32_t i = 0; i < info.part_count; ++i) {
            tlw_part_info part;
            CHECK_OK(tlw_blob_get_part(&blob, i, &part));
            sum += part.voxel_count;
            CHECK_EQ(part.joint == TLW_NO_INDEX, i == 0);
            CHECK_EQ(part.kind == TLW_PART_WHOLE, i == 0);
            CHECK_LT(part.kind, TLW_PART_KIND_COUNT);
            if (i > 0) {
                CHECK_OK(tlw_blob_find_part(&blob, tlw_blob_joint_name(&blob, part.joint), &found));
                CHECK_EQ(found, i);
            }
        }
        CHECK_EQ(sum, info.voxel_count);
        tlw_layer_info layer;
        tlw_part_info part;
        CHECK_RESULT(tlw_blob_get_layer(&blob, info.layer_count, &layer), TLW_ERROR_BAD_ARGUMENT);
        CHECK_RESULT(tlw_blob_get_part(&blob, info.part_count, &part), TLW_ERROR_BAD_ARGUMENT);
        CHECK_RESULT(tlw_blob_find_layer(&blob, "cartilage", &found), TLW_ERROR_NOT_FOUND);
        CHECK_RESULT(tlw_blob_find_part(&blob, "nobody", &found), TLW_ERROR_NOT_FOUND);
    }
}

TLW_TEST(a_blob_that_was_not_opened_describes_nothing) {
    tlw_blob none = small_blob(SMALL_ELL);
    none.cookie ^= 1;
    tlw_joint_info joint;
    tlw_mesh_info mesh;
    tlw_layer_info layer;
    tlw_part_info part;
    tlw_geometry geometry;
    uint32_t found, map[1];
    CHECK_RESULT(tlw_blob_get_joint(&none, 0, &joint), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_get_mesh(&none, 0, &mesh), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_get_layer(&none, 0, &layer), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_get_part(&none, 0, &part), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_get_geometry(&none, &geometry), TLW_ERROR_BAD_ARGUMENT);
    tlw_vertex vertex;
    tlw_vertex_skinning skinning;
    tlw_vertex_binding binding;
    CHECK_RESULT(tlw_blob_get_vertices(&none, TLW_ORDER_SOURCE, 0, 1, &vertex),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_get_skinning(&none, TLW_ORDER_SOURCE, 0, 1, &skinning),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_get_bindings(&none, TLW_ORDER_SOURCE, 0, 1, &binding),
                 TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_find_joint(&none, "joint0", &found), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_find_part(&none, "joint0", &found), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_map_joints(&none, NULL, 0, map, NULL), TLW_ERROR_BAD_ARGUMENT);
    CHECK_RESULT(tlw_blob_find_profile(&none, "cooked", &found), TLW_ERROR_BAD_ARGUMENT);
    CHECK_STRING(tlw_blob_profile_name(&none, 0), "");
    CHECK_STRING(tlw_blob_joint_name(&none, 0), "");
}

TLW_TEST(an_old_blob_says_that_it_must_be_cooked_again) {
    const tlw_blob good = small_blob(SMALL_ELL);
    uint8_t* bytes = sample_allocate(good.size);
    memcpy(bytes, good.bytes, good.size);
    ((tlw_blob_header*)bytes)->format_version -= 1;
    tlw_blob old;
    tlw_blob_report report;
    CHECK_RESULT(tlw_blob_open(bytes, good.size, TLW_BLOB_CHECK_ALL, &old, &report),
                 TLW_ERROR_OLD_BLOB);
    CHECK(strstr(tlw_result_meaning(TLW_ERROR_OLD_BLOB), "cook it again") != NULL);
    CHECK_EQ(report.expected, TLW_BLOB_FORMAT_VERSION);
    CHECK_EQ(report.found, TLW_BLOB_FORMAT_VERSION - 1);
    CHECK_STRING(tlw_blob_section_name(report.section), "header or table");
    sample_free(bytes);
}

TLW_TEST(ids_compare_and_survive_as_a_number) {
    const tlw_world_def def = fixture_world_def(4);
    tlw_world* world = fixture_world(&def);
    fixture_character a = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    fixture_character b = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    const tlw_character_id null = {0, 0};
    CHECK(tlw_character_id_is_null(null) && !tlw_character_id_is_null(a.id));
    CHECK(tlw_character_id_equals(a.id, a.id) && !tlw_character_id_equals(a.id, b.id));
    CHECK_EQ(tlw_character_id_store(null), 0u);
    CHECK(tlw_character_id_store(a.id) != tlw_character_id_store(b.id));
    CHECK(tlw_character_id_equals(tlw_character_id_load(tlw_character_id_store(b.id)), b.id));
    const uint64_t stored = tlw_character_id_store(a.id);
    fixture_remove(world, &a);
    a = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES); // in the place of the first
    CHECK(!tlw_character_is_valid(world, tlw_character_id_load(stored)));
    CHECK(!tlw_character_id_equals(tlw_character_id_load(stored), a.id));
    fixture_remove(world, &a);
    fixture_remove(world, &b);
    fixture_world_free(world);
}

TLW_TEST(a_bad_pose_names_its_joint_or_the_root) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_LEGS, TLW_POSE_MATRICES);
    const uint32_t count = small_info(SMALL_LEGS).joint_count;
    tlw_pose_problem problem;
    CHECK_OK(tlw_character_get_pose_problem(world, c.id, &problem));
    CHECK(problem.what == NULL);
    float* joints = sample_allocate(count * 16 * sizeof *joints);
    for (uint32_t bad = 0; bad < count; ++bad) {
        for (uint32_t i = 0; i < count * 16; ++i) {
            joints[i] = i % 16 % 5 == 0 ? 1.0f : 0.0f;
        }
        tlw_pose pose = {.joints = joints, .joint_count = count, .root = fixture_root()};
        CHECK_OK(tlw_character_set_pose(world, c.id, &pose));
        joints[bad * 16 + 12] = NAN;
        CHECK_RESULT(tlw_character_set_pose(world, c.id, &pose), TLW_ERROR_BAD_POSE);
        CHECK_OK(tlw_character_get_pose_problem(world, c.id, &problem));
        CHECK_EQ(problem.joint, bad);
        CHECK(strstr(problem.what, "not finite") != NULL);
        joints[bad * 16 + 12] = 0.0f;
        joints[bad * 16] = 0.0f; // the x axis has no length
        CHECK_RESULT(tlw_character_set_pose(world, c.id, &pose), TLW_ERROR_BAD_POSE);
        CHECK_OK(tlw_character_get_pose_problem(world, c.id, &problem));
        CHECK_EQ(problem.joint, bad);
        CHECK_STRING(problem.what, "axes without a volume");
    }
    joints[(count - 1) * 16] = 1.0f;
    tlw_pose pose = tlw_default_pose();
    pose.joints = joints;
    pose.joint_count = count;
    CHECK_OK(tlw_character_set_pose(world, c.id, &pose));
    pose.root.scale = 0.0f;
    CHECK_RESULT(tlw_character_set_pose(world, c.id, &pose), TLW_ERROR_BAD_POSE);
    CHECK_OK(tlw_character_get_pose_problem(world, c.id, &problem));
    CHECK_EQ(problem.joint, TLW_NO_INDEX);
    CHECK(strstr(problem.what, "scale") != NULL);
    CHECK_EQ(tlw_world_step(world, FRAME) & TLW_STEP_BAD_POSE, (uint32_t)TLW_STEP_BAD_POSE);
    CHECK_RESULT(tlw_character_get_pose_problem(world, (tlw_character_id){9, 9}, &problem),
                 TLW_ERROR_STALE_ID);
    sample_free(joints);
    fixture_remove(world, &c);
    fixture_world_free(world);
}

TLW_TEST(a_dt_of_1e30_is_too_long_and_1e29_is_not) {
    const tlw_world_def def = fixture_world_def(1);
    tlw_world* world = fixture_world(&def);
    fixture_character c = fixture_add(world, SMALL_ELL, TLW_POSE_MATRICES);
    CHECK_EQ(tlw_world_step(world, 1e300), (uint32_t)TLW_STEP_BAD_DT);
    CHECK_EQ(tlw_world_step(world, 1e30), (uint32_t)TLW_STEP_BAD_DT);
    CHECK_EQ(tlw_world_step(world, 1e29) & TLW_STEP_BAD_DT, 0u);
    fixture_remove(world, &c);
    fixture_world_free(world);
}
