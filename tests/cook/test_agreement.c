// SPDX-License-Identifier: MIT
// The cooking library against the oracle cooker, stage by stage: exactly the same voxels, links,
// distances, layers, parts, blends, regions and neighbours, and the same weights to 1e-6, on every
// scene.
// Neighbours and regions are those of the written blob, as tallow-inspect reads them.
#include "tests/cook/oracle/oracle.h"
#include "tests/cook/support/agreement.h"
#include "tests/cook/support/cook_scenes.h"
#include "tests/test.h"
#include "tools/cook/stages.h"
#if TLW_TEST_INSPECT
#    include "tools/inspect/inspect.h"
#endif

#include <stdio.h>
#include <stdlib.h>

static void compare_voxels(const agreement* at, const tlw_cook* cook, const oracle_result* oracle) {
    AGREE(cook->welded.vertex_count, oracle->welded_vertex_count, 0);
    AGREE(cook->welded.triangle_count, oracle->triangle_count, 0);
    AGREE(cook->welded.open_edges, oracle->open_edge_count, 0);
    AGREE(cook->welded.non_manifold_edges, oracle->non_manifold_edge_count, 0);
    CHECK_EQ(cook->grid.voxel, oracle->s);
    CHECK_EQ(cook->grid.origin.x, oracle->origin[0]);
    CHECK_EQ(cook->grid.origin.y, oracle->origin[1]);
    CHECK_EQ(cook->grid.origin.z, oracle->origin[2]);
    AGREE(cook->grid.size.x, oracle->counts[0], 0);
    AGREE(cook->grid.size.y, oracle->counts[1], 1);
    AGREE(cook->grid.size.z, oracle->counts[2], 2);
    AGREE(cook->voxels.from_surface, oracle->conservative_count, 0);
    AGREE(cook->voxels.from_inside, oracle->solid_count, 0);
    AGREE(cook->voxels.from_vote, oracle->vote_count, 0);
    AGREE(cook->voxels.count, oracle->voxel_count, 0);
    for (uint32_t v = 0; v < oracle->voxel_count; ++v) {
        AGREE(cook->voxels.coordinates[v].x, oracle->voxels[v].cell[0], v);
        AGREE(cook->voxels.coordinates[v].y, oracle->voxels[v].cell[1], v);
        AGREE(cook->voxels.coordinates[v].z, oracle->voxels[v].cell[2], v);
    }
}

static void compare_skeleton(const agreement* at, const tlw_cook* cook,
                             const oracle_result* oracle) {
    AGREE(cook->skeleton.segment_count, oracle->segment_count, 0);
    for (uint32_t j = 0; j < oracle->joint_count; ++j) {
        AGREE(cook->skeleton.joints[j].is_kept, oracle->is_kept[j], j);
        uint32_t touched = 0;
        for (uint32_t v = 0; v < oracle->voxel_count; ++v) {
            touched += oracle->touched[(size_t)v * oracle->joint_count + j];
        }
        AGREE(cook->skeleton.joints[j].touched_end - cook->skeleton.joints[j].touched_begin,
              touched, j);
        for (uint32_t i = cook->skeleton.joints[j].touched_begin;
             i < cook->skeleton.joints[j].touched_end; ++i) {
            AGREE(oracle->touched[(size_t)cook->skeleton.touched[i] * oracle->joint_count + j], 1,
                  i);
        }
    }
    for (uint32_t s = 0; s < oracle->segment_count; ++s) {
        AGREE(cook->skeleton.segments[s].owner, oracle->segments[s].owner, s);
        AGREE(cook->skeleton.segments[s].child, oracle->segments[s].child, s);
    }
}

static double cooked_weight(const tlw_voxel_weights* weights, uint32_t joint) {
    for (int i = 0; i < TLW_VOXEL_JOINTS; ++i) {
        if (weights->joint[i] == joint && weights->weight[i] > 0.0) {
            return weights->weight[i];
        }
    }
    return 0.0;
}

static void compare_weights(const agreement* at, const tlw_cook* cook,
                            const oracle_result* oracle) {
    for (uint32_t v = 0; v < oracle->voxel_count; ++v) {
        const oracle_voxel* voxel = &oracle->voxels[v];
        double sum = 0.0;
        AGREE(cook->weights[v].joint[0], voxel->joint, v);
        for (uint32_t j = 0; j < oracle->joint_count; ++j) {
            AGREE_NEARLY(cooked_weight(&cook->weights[v], j), oracle_weight(voxel, j), 1e-6, v);
        }
        for (int i = 0; i < TLW_VOXEL_JOINTS; ++i) {
            sum += cook->weights[v].weight[i];
        }
        AGREE_NEARLY(sum, 1.0, 1e-12, v);
    }
}

static void compare_anatomy(const agreement* at, const tlw_cook* cook,
                            const oracle_result* oracle) {
    AGREE(cook->links.cut_pair_count, oracle->cut_count, 0);
    for (uint32_t i = 0; i < oracle->cut_count; ++i) {
        AGREE(cook->links.cuts[i].joint_a, oracle->cuts[i].joint_a, i);
        AGREE(cook->links.cuts[i].joint_b, oracle->cuts[i].joint_b, i);
        AGREE(cook->links.cuts[i].count, oracle->cuts[i].count, i);
    }
    AGREE(cook->anatomy.boneless_components, oracle->boneless_component_count, 0);
    for (uint32_t v = 0; v < oracle->voxel_count; ++v) {
        const oracle_voxel* voxel = &oracle->voxels[v];
        AGREE(cook->links.masks[v], voxel->links, v);
        AGREE(cook->anatomy.d_skin[v], voxel->d_skin, v);
        AGREE(cook->anatomy.d_seg[v], voxel->d_seg, v);
        AGREE(cook->anatomy.d_bone[v], voxel->d_bone, v);
        AGREE(cook->anatomy.layer[v], voxel->layer, v);
        AGREE(cook->anatomy.thickness[v], voxel->h, v);
    }
}

static void compare_parts(const agreement* at, const tlw_cook* cook, const oracle_result* oracle) {
    AGREE(cook->parts.count, oracle->part_count, 0);
    for (uint32_t j = 0; j < oracle->joint_count; ++j) {
        AGREE(cook->parts.of_joint[j], oracle->joint_part[j], j);
    }
    const uint32_t layers = cook->recipe->layer_count;
    for (uint32_t p = 0; p < oracle->part_count; ++p) {
        const oracle_part* part = &oracle->parts[p];
        AGREE(cook->parts.list[p].joint, part->joint, p);
        AGREE(cook->parts.list[p].kind, part->kind, p);
        AGREE(cook->parts.list[p].voxel_count, part->voxel_count, p);
        for (uint32_t layer = 0; layer < layers; ++layer) {
            const tlw_blob_material* material = &cook->parts.materials[p * layers + layer];
            AGREE_NEARLY(material->stiffness, part->stiffness[layer], 0.0, p);
            AGREE_NEARLY(material->damping, part->damping[layer], 0.0, p);
            AGREE_NEARLY(material->anchor_hz, part->anchor_hz[layer], 0.0, p);
        }
    }
    for (uint32_t v = 0; v < oracle->voxel_count; ++v) {
        AGREE_NEARLY(cook->anatomy.limit[v], (float)oracle->voxels[v].d_max, 0.0, v);
    }
}

// Regions of width 2, in the same order: cubes by z, y, x, pieces by their first voxel.
static void compare_cubes(const agreement* at, const tlw_cook* cook, const oracle_result* oracle) {
    if (cook->recipe->region_width != 2) {
        return;
    }
    AGREE(cook->region_count, oracle->cube_count, 0);
    for (uint32_t r = 0; r < oracle->cube_count; ++r) {
        const oracle_cube* cube = &oracle->cubes[r];
        for (int i = 0; i < 8; ++i) {
            const uint32_t voxel = cook->regions[r].voxels[i];
            const bool is_in = cube->mask >> i & 1;
            AGREE(voxel != TLW_NO_VOXEL, is_in, r);
            if (is_in) {
                AGREE(voxel,
                      oracle_voxel_at(oracle, cube->cell[0] + (i & 1), cube->cell[1] + (i >> 1 & 1),
                                      cube->cell[2] + (i >> 2 & 1)),
                      r);
            }
        }
    }
}

static void compare_bindings(const agreement* at, const tlw_cook* cook,
                             const oracle_result* oracle) {
    uint32_t index = 0;
    for (uint32_t m = 0; m < cook->input->mesh_count; ++m) {
        const tlw_cook_mesh* mesh = &cook->input->meshes[m];
        for (uint32_t v = 0; mesh->role != TLW_ROLE_IGNORE && v < mesh->vertex_count;
             ++v, ++index) {
            const float* p = mesh->positions + (size_t)v * 3;
            const tlw_cook_binding binding =
                tlw_cook_bind_point(cook, (tlw_double3){(double)p[0], (double)p[1], (double)p[2]});
            const oracle_binding* expected = &oracle->bindings[index];
            AGREE(binding.count, expected->count, index);
            for (uint32_t i = 0; i < binding.count; ++i) {
                AGREE(binding.voxel[i], expected->voxels[i], index);
                AGREE_NEARLY(binding.weight[i], expected->weights[i], 1e-9, index);
            }
        }
    }
}

#if TLW_TEST_INSPECT

static int compare_numbers(const void* a, const void* b) {
    const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

static void compare_lists(const agreement* at, uint32_t voxel, uint32_t* cooked, uint32_t count,
                          const uint32_t* expected, uint32_t expected_count) {
    qsort(cooked, count, sizeof *cooked, compare_numbers);
    AGREE(count, expected_count, voxel);
    for (uint32_t i = 0; i < count; ++i) {
        AGREE(cooked[i], expected[i], voxel);
    }
}

static void compare_around(const agreement* at, const tlw_inspect* in,
                           const oracle_result* oracle) {
    AGREE(in->lattice->voxel_count, oracle->voxel_count, 0);
    for (uint32_t v = 0; v < oracle->voxel_count; ++v) {
        uint32_t around[TLW_CELLS_AROUND], cooked[TLW_CELLS_AROUND], expected[TLW_STEPS], count = 0;
        tlw_inspect_around(in, v, around);
        for (uint32_t i = 0; i < TLW_CELLS_AROUND; ++i) {
            if (around[i] != TLW_BLOB_NO_INDEX && tlw_inspect_is_neighbour(in, i)) {
                cooked[count++] = around[i];
            }
        }
        compare_lists(at, v, cooked, count, expected,
                      oracle_neighbours(oracle, in->lattice->neighbours, v, expected));
        if (in->lattice->region_width == 3) {
            count = 0;
            for (uint32_t i = 0; i < TLW_CELLS_AROUND; ++i) {
                if (around[i] != TLW_BLOB_NO_INDEX) {
                    cooked[count++] = around[i];
                }
            }
            const uint32_t first = oracle->region_first[v];
            compare_lists(at, v, cooked, count, oracle->region_voxels + first,
                          oracle->region_first[v + 1] - first);
        }
    }
}

// The same numbers as the blob has them, per joint, part and slot.
static void compare_written_parts(const agreement* at, const tlw_cook* cook, const tlw_inspect* in,
                                  const oracle_result* oracle) {
    const uint32_t layers = in->lattice->layer_count;
    AGREE(in->lattice->part_count, oracle->part_count, 0);
    for (uint32_t j = 0; j < oracle->joint_count; ++j) {
        AGREE(in->joints[j].part, oracle->joint_part[j], j);
    }
    for (uint32_t p = 0; p < oracle->part_count; ++p) {
        AGREE(in->parts[p].joint, oracle->parts[p].joint, p);
        AGREE(in->parts[p].kind, oracle->parts[p].kind, p);
        AGREE(in->parts[p].voxel_count, oracle->parts[p].voxel_count, p);
        for (uint32_t layer = 0; layer < layers; ++layer) {
            const tlw_blob_material* material = &in->materials[p * layers + layer];
            AGREE_NEARLY(material->stiffness, oracle->parts[p].stiffness[layer], 0.0, p);
            AGREE_NEARLY(material->damping, oracle->parts[p].damping[layer], 0.0, p);
            AGREE_NEARLY(material->anchor_hz, oracle->parts[p].anchor_hz[layer], 0.0, p);
        }
    }
    for (uint32_t v = 0; v < oracle->voxel_count; ++v) {
        const oracle_voxel* voxel = &oracle->voxels[v];
        const uint32_t slot = cook->order.slot_of_voxel[v];
        AGREE(in->slot_material[slot], voxel->part * layers + voxel->layer, v);
        AGREE_NEARLY(in->slot_limit[slot], (float)voxel->d_max, 0.0, v);
    }
}

// Second materials and factors of stiffness, which a blob has only where they are used.
static void compare_mixtures(const agreement* at, const tlw_cook* cook, const tlw_inspect* in,
                             const oracle_result* oracle) {
    const uint32_t layers = in->lattice->layer_count;
    uint32_t blended = 0;
    for (uint32_t v = 0; v < oracle->voxel_count; ++v) {
        const oracle_voxel* voxel = &oracle->voxels[v];
        const uint32_t slot = cook->order.slot_of_voxel[v];
        const bool is_blended = voxel->other_part != ORACLE_NONE;
        blended += is_blended;
        if (in->slot_blend != NULL) {
            AGREE(in->slot_blend[slot].material,
                  is_blended ? voxel->other_part * layers + voxel->layer : 0, v);
            AGREE_NEARLY(in->slot_blend[slot].share / 65536.0, voxel->other_share, 0.0, v);
        }
        if (in->slot_stiffness != NULL) {
            AGREE_NEARLY(in->slot_stiffness[slot], voxel->stiffness_factor, 1e-6, v);
        } else {
            AGREE_NEARLY(voxel->stiffness_factor, 1.0, 0.0, v);
        }
    }
    AGREE(in->slot_blend != NULL, blended > 0, 0);
}

// Writes one blob per neighbour set and compares each.
static void compare_neighbours(const agreement* at, tlw_cook* cook, const oracle_result* oracle) {
    static const uint32_t sets[] = {
#    define NEIGHBOUR_SET(number, faces, edges, corners) number,
        TLW_NEIGHBOUR_SETS(NEIGHBOUR_SET)
#    undef NEIGHBOUR_SET
    };
    const tlw_cook_recipe* given = cook->recipe;
    tlw_cook_recipe recipe = *given;
    cook->recipe = &recipe;
    for (size_t s = 0; s < TLW_COUNT_OF(sets); ++s) {
        tlw_inspect in;
        recipe.neighbours = sets[s];
        CHECK_OK(tlw_cook_write(cook));
        CHECK_OK(tlw_blob_validate(cook->blob, cook->blob_bytes, TLW_BLOB_CHECK_ALL, NULL));
        CHECK(tlw_inspect_open(&in, cook->blob));
        AGREE(in.lattice->neighbours, sets[s], s);
        compare_around(at, &in, oracle);
        compare_written_parts(at, cook, &in, oracle);
        compare_mixtures(at, cook, &in, oracle);
        tlw_inspect_close(&in);
    }
    cook->recipe = given;
}

#endif

void cook_both(const agreement* at, const tlw_cook_input* input, const tlw_cook_recipe* recipe,
               tlw_cook* cook, oracle_result* oracle) {
    static tlw_task_system tasks;
    tasks = tlw_serial_task_system();
    *cook = (tlw_cook){.input = input, .recipe = recipe, .tasks = &tasks};
    const char* problem = oracle_cook(input, recipe, oracle);
    const tlw_result result = tlw_cook_run_stages(cook);
    if (problem != NULL || result != TLW_OK) {
        tlw_test_fail(__FILE__, __LINE__, "%s at %u: oracle says '%s', library '%s'", at->scene,
                      at->resolution, problem ? problem : "ok", cook->error.message);
    }
}

void free_both(tlw_cook* cook, oracle_result* oracle) {
    tlw_cook_free_stages(cook);
    oracle_free(oracle);
}

uint32_t check_agreement(const char* name, const tlw_cook_input* input,
                         const tlw_cook_recipe* given) {
    tlw_cook_recipe with_limbs = *given, *recipe = &with_limbs;
    recipe->has_limbs = true; // nothing else depends on them
    const agreement here = {name, recipe->resolution}, *at = &here;
    tlw_cook cook;
    oracle_result oracle;
    cook_both(at, input, recipe, &cook, &oracle);
    compare_voxels(at, &cook, &oracle);
    compare_skeleton(at, &cook, &oracle);
    compare_weights(at, &cook, &oracle);
    compare_anatomy(at, &cook, &oracle);
    compare_parts(at, &cook, &oracle);
    compare_cubes(at, &cook, &oracle);
    compare_bindings(at, &cook, &oracle);
    check_bend_agreement(at, &cook, &oracle);
    check_limb_agreement(at, &cook, &oracle);
    check_muscle_agreement(at, &cook, &oracle);
    check_lame_agreement(at, &cook, &oracle);
    check_profile_agreement(at, &cook, &oracle);
#if TLW_TEST_INSPECT
    compare_neighbours(at, &cook, &oracle);
#endif
    uint32_t voxels = cook.voxels.count;
    free_both(&cook, &oracle);
    return voxels;
}

static uint32_t check_scene(scene_kind kind, uint64_t seed, const tlw_cook_recipe* recipe) {
    scene* s = scene_make(kind, seed);
    const uint32_t voxels = check_agreement(scene_name(kind), scene_input(s), recipe);
    scene_free(s);
    return voxels;
}

static tlw_cook_recipe recipe_at(uint32_t resolution) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    return recipe;
}

TLW_TEST(library_and_oracle_agree_on_every_scene) {
    uint32_t voxels = 0;
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        for (uint32_t resolution = 7; resolution <= 24; resolution += 17) {
            tlw_cook_recipe recipe = recipe_at(resolution);
            voxels += check_scene((scene_kind)kind, 0, &recipe);
        }
    }
    CHECK_LT(10000u, voxels);
}

TLW_TEST(library_and_oracle_agree_on_rotated_and_reshaped_scenes) {
    uint32_t voxels = 0;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
            tlw_cook_recipe recipe = recipe_at(13);
            voxels += check_scene((scene_kind)kind, seed, &recipe);
        }
    }
    CHECK_LT(10000u, voxels);
}

TLW_TEST(library_and_oracle_agree_in_geodesic_mode_with_other_layers_and_a_bone_radius) {
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        tlw_cook_recipe recipe = recipe_at(16);
        recipe.weights = TLW_WEIGHTS_GEODESIC;
        recipe.bone_radius_voxels = kind % 2 ? 1 : -1;
        recipe.region_width = 2;
        recipe.layer_count = 2 + (uint32_t)kind % 4;
        for (uint32_t i = 1; i + 1 < recipe.layer_count; ++i) {
            recipe.layers[i].ratio = (tlw_cook_fraction){i + 1, recipe.layer_count + 1};
        }
        CHECK_LT(0u, check_scene((scene_kind)kind, 5, &recipe));
    }
}

TLW_TEST(library_and_oracle_agree_on_forced_and_forbidden_cuts_and_excluded_joints) {
    const tlw_cook_cut cuts[] = {{"joint2", "joint1", TLW_CUT_NEVER},
                                 {"joint2", "joint3", TLW_CUT_NEVER},
                                 {"joint1", "joint2", TLW_CUT_FORCED}};
    const char* const excluded[] = {"joint1"};
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        scene* s = scene_make((scene_kind)kind, 2);
        const uint32_t joints = scene_input(s)->joint_count;
        scene_free(s);
        if (joints < 4) {
            continue;
        }
        tlw_cook_recipe recipe = recipe_at(12);
        recipe.cuts = cuts;
        recipe.cut_count = TLW_COUNT_OF(cuts);
        CHECK_LT(0u, check_scene((scene_kind)kind, 2, &recipe));
        recipe.excluded_joints = excluded;
        recipe.excluded_joint_count = 1;
        CHECK_LT(0u, check_scene((scene_kind)kind, 2, &recipe));
    }
}

// Names of both lists and of neither, with parts and firm joints on some of them; every third round
// has no names, so that shapes decide.
TLW_TEST(library_and_oracle_agree_on_parts_and_firm_joints) {
    static const char* const words[] = {"Head", "LHand",   "tail", "FEET", "spine",    "jaw",
                                        "hair", "rollToe", "arm",  "paws", "chestFat", "Handle"};
    uint64_t random = 17;
    uint32_t kinds[5] = {0};
    for (uint32_t round = 0; round < 6; ++round) {
        for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
            scene* s = scene_make((scene_kind)kind, round % 2);
            const uint32_t count = s->joint_count;
            for (uint32_t j = 0; j < count; ++j) {
                const char* word = round % 3 == 0 || tlw_test_random(&random) % 2 == 0
                                       ? "joint"
                                       : words[tlw_test_random(&random) % TLW_COUNT_OF(words)];
                snprintf(s->joint_names[j], sizeof *s->joint_names, "%s%u", word, j % 1000u);
            }
            tlw_cook_recipe recipe = recipe_at(9 + round);
            const uint32_t first = (uint32_t)(tlw_test_random(&random) % count);
            tlw_cook_part parts[3];
            for (int k = 0; k < 3; ++k) {
                // Three joints, but every other time the third part is on the first one's joint.
                const uint32_t joint = k == 2 && kind % 2 == 0 ? first : first + (uint32_t)k;
                parts[k] = tlw_default_cook_part(s->joint_names[joint % count]);
                for (int layer = 0; layer < TLW_COOK_LAYERS_MAX; ++layer) {
                    parts[k].stiffness[layer] = (float)(tlw_test_random(&random) % 3) - 1.0f;
                    parts[k].damping[layer] = 0.5f * (float)(tlw_test_random(&random) % 3) - 0.5f;
                    parts[k].anchor_hz[layer] = 4.0f * (float)(tlw_test_random(&random) % 3) - 4.0f;
                }
            }
            const char* const firm[2] = {s->joint_names[first],
                                         s->joint_names[(first + 1) % count]};
            recipe.parts = parts;
            recipe.part_count = round % 4 < count ? round % 4 : count; // the library's limit
            recipe.is_firm_auto = round < 4;
            recipe.firm_joints = firm;
            recipe.firm_joint_count = count > 1 ? 2 : 1;
            CHECK_LT(0u, check_agreement(scene_name((scene_kind)kind), scene_input(s), &recipe));
            oracle_result oracle;
            CHECK(oracle_cook(scene_input(s), &recipe, &oracle) == NULL);
            for (uint32_t p = 0; p < oracle.part_count; ++p) {
                kinds[oracle.parts[p].kind] += 1;
            }
            oracle_free(&oracle);
            scene_free(s);
        }
    }
    for (int kind = 0; kind < 5; ++kind) { // each was compared
        CHECK_LT(3u, kinds[kind]);
    }
}

// Children before parents, and each joint left out in turn, so that its children hang on the joint
// above.
TLW_TEST(library_and_oracle_agree_on_joints_listed_the_other_way_round) {
    for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
        scene* s = scene_make((scene_kind)kind, 1);
        tlw_cook_input input = *scene_input(s);
        const uint32_t count = input.joint_count;
        tlw_cook_joint* joints = calloc(count, sizeof *joints);
        tlw_cook_mesh* meshes = calloc(input.mesh_count, sizeof *meshes);
        CHECK(joints != NULL && meshes != NULL);
        for (uint32_t j = 0; j < count; ++j) {
            joints[j] = input.joints[count - 1 - j];
            joints[j].parent =
                joints[j].parent == TLW_NO_JOINT ? TLW_NO_JOINT : count - 1 - joints[j].parent;
        }
        for (uint32_t m = 0; m < input.mesh_count; ++m) {
            meshes[m] = input.meshes[m];
            const size_t pairs = (size_t)meshes[m].vertex_count * meshes[m].influence_count;
            uint32_t* reversed = calloc(pairs + 1, sizeof *reversed);
            CHECK(reversed != NULL);
            for (size_t i = 0; i < pairs; ++i) {
                reversed[i] = count - 1 - meshes[m].joints[i];
            }
            meshes[m].joints = reversed;
        }
        input.joints = joints;
        input.meshes = meshes;
        for (uint32_t j = 0; count > 1 && j < count; ++j) {
            tlw_cook_recipe recipe = recipe_at(10);
            recipe.excluded_joints = &joints[j].name;
            recipe.excluded_joint_count = 1;
            CHECK_LT(0u, check_agreement(scene_name((scene_kind)kind), &input, &recipe));
        }
        for (uint32_t m = 0; m < input.mesh_count; ++m) {
            free((void*)meshes[m].joints);
        }
        free(joints);
        free(meshes);
        scene_free(s);
    }
}
