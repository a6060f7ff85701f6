// SPDX-License-Identifier: MIT
// For the oracle cooker's own tests: cooks scenes and checks what holds for every cooked character.
#include "tests/cook/support/oracle_checks.h"

#include "tests/test.h"

#include <stdlib.h>

uint32_t bit_count(uint32_t bits) {
    return (uint32_t)__builtin_popcount(bits);
}

static void check_voxel(const oracle_result* r, const tlw_cook_recipe* recipe, uint32_t v) {
    const oracle_voxel* voxel = &r->voxels[v];
    CHECK_EQ(oracle_voxel_at(r, voxel->cell[0], voxel->cell[1], voxel->cell[2]), v);

    double sum = 0;
    for (int k = 0; k < 4; ++k) {
        sum += voxel->weights[k];
        CHECK_EQ(voxel->joints[k] == ORACLE_NONE, voxel->weights[k] == 0);
        CHECK(voxel->joints[k] == ORACLE_NONE || r->is_kept[voxel->joints[k]]);
        CHECK(k == 0 || voxel->weights[k] <= voxel->weights[k - 1] + 1e-7);
    }
    CHECK_NEAR(sum, 1, 1e-12);
    CHECK_EQ(voxel->joint, voxel->joints[0]);
    CHECK_EQ(voxel->part, r->joint_part[voxel->joint]);

    CHECK_EQ(voxel->links & ~voxel->all_links, 0);
    bool has_outside = false;
    uint32_t members = 1;
    for (uint32_t bit = 0; bit < 26; ++bit) {
        int32_t offset[3];
        oracle_offset(bit, offset);
        uint32_t other = oracle_voxel_at(r, voxel->cell[0] + offset[0], voxel->cell[1] + offset[1],
                                         voxel->cell[2] + offset[2]);
        int steps = abs(offset[0]) + abs(offset[1]) + abs(offset[2]);
        bool is_linked = (voxel->links >> bit & 1) != 0;
        CHECK_EQ((voxel->all_links >> bit & 1) != 0, other != ORACLE_NONE);
        if (is_linked) {
            const oracle_voxel* at = &r->voxels[other];
            CHECK((at->links >> (25 - bit) & 1) != 0);
            CHECK_LE((int64_t)voxel->d_skin, (int64_t)at->d_skin + steps);
            CHECK_LE((int64_t)voxel->d_bone, (int64_t)at->d_bone + steps);
            CHECK_EQ(voxel->component, at->component);
            members += 1;
        }
        has_outside = has_outside || (steps == 1 && !is_linked);
    }
    CHECK_EQ(voxel->is_shell, has_outside);
    CHECK_EQ(voxel->d_skin == 0, voxel->is_shell);

    const uint32_t skin = recipe->layer_count - 1;
    CHECK_EQ(voxel->layer == 0, voxel->d_bone == 0);
    CHECK_LE(voxel->layer, skin);
    CHECK(!voxel->is_shell || voxel->layer == 0 || voxel->layer == skin);
    CHECK(voxel->is_shell || voxel->layer < skin || skin == 1);
    CHECK_LE(voxel->d_skin, voxel->h);
    CHECK_LT(0, voxel->d_max);
    CHECK(voxel->eq13 >= 0 && voxel->eq13 <= 1);

    if (recipe->region_width == 3) {
        bool has_centre = false;
        for (uint32_t k = r->region_first[v]; k < r->region_first[v + 1]; ++k) {
            has_centre = has_centre || r->region_voxels[k] == v;
            CHECK(k == r->region_first[v] || r->region_voxels[k - 1] < r->region_voxels[k]);
        }
        CHECK(has_centre);
        CHECK_EQ(r->region_first[v + 1] - r->region_first[v], members);
    }
    CHECK_EQ(r->neighbour_first[v + 1] - r->neighbour_first[v],
             bit_count(voxel->links & oracle_neighbour_bits(recipe->neighbours)));
}

// Each firm part is made by its topmost joint, and every voxel is in one part.
static void check_parts(const oracle_result* r) {
    CHECK_LT(0, r->part_count);
    CHECK_EQ(r->parts[0].kind, ORACLE_PART_WHOLE);
    uint32_t voxels = 0;
    for (uint32_t p = 0; p < r->part_count; ++p) {
        const oracle_part* part = &r->parts[p];
        voxels += part->voxel_count;
        CHECK_EQ(part->kind == ORACLE_PART_WHOLE, p == 0);
        CHECK_EQ(part->joint == ORACLE_NONE, p == 0);
        if (part->kind >= ORACLE_PART_FIRM_RECIPE) {
            CHECK_EQ(r->joint_part[part->joint], p);
            CHECK(r->parts[p - 1].kind <= ORACLE_PART_RECIPE ||
                  r->parts[p - 1].joint < part->joint);
        }
    }
    CHECK_EQ(voxels, r->voxel_count);
}

static void check_invariants(const oracle_result* r, const tlw_cook_recipe* recipe) {
    CHECK_EQ(r->voxel_count, r->conservative_count + r->solid_count + r->vote_count);
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        check_voxel(r, recipe, v);
    }
    check_parts(r);
    // Every voxel is in eight cubes, in one piece of each.
    if (recipe->region_width == 2) {
        uint32_t members = 0;
        for (uint32_t w = 0; w < r->cube_count; ++w) {
            members += bit_count(r->cubes[w].mask);
        }
        CHECK_EQ(members, r->voxel_count * 8);
    }
    // Layers go outwards: of two voxels of a part that are equally far from the skin, the one that
    // is farther from bone is in the same layer or in one further out, if paint does not say
    // otherwise.
    for (uint32_t a = 0; a < r->voxel_count; a += 7) {
        for (uint32_t b = 0; b < r->voxel_count; b += 11) {
            const oracle_voxel *i = &r->voxels[a], *j = &r->voxels[b];
            if (i->part == j->part && i->paint[TLW_PAINT_FAT] == j->paint[TLW_PAINT_FAT] &&
                i->d_skin == j->d_skin && i->d_bone > j->d_bone) {
                CHECK_LE(j->layer, i->layer);
            }
        }
    }
    for (uint32_t k = 0; k < r->binding_count; ++k) {
        const oracle_binding* binding = &r->bindings[k];
        double sum = 0;
        for (uint32_t i = 0; i < binding->count; ++i) {
            CHECK_LT(binding->voxels[i], r->voxel_count);
            CHECK_LT(0, binding->weights[i]);
            CHECK(i == 0 || binding->voxels[i - 1] < binding->voxels[i]);
            sum += binding->weights[i];
        }
        CHECK_NEAR(sum, 1, 1e-12);
    }
}

oracle_result cook_checked(scene* s, const tlw_cook_recipe* recipe) {
    oracle_result r;
    const char* error = oracle_cook(scene_input(s), recipe, &r);
    CHECK_STRING(error == NULL ? "" : error, "");
    check_invariants(&r, recipe);
    return r;
}

oracle_result cook_at(scene* s, uint32_t resolution) {
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = resolution;
    return cook_checked(s, &recipe);
}

oracle_result cook_geodesic(scene* s, uint32_t resolution) {
    tlw_cook_recipe recipe = scene_recipe();
    recipe.resolution = resolution;
    recipe.weights = TLW_WEIGHTS_GEODESIC;
    return cook_checked(s, &recipe);
}

const oracle_voxel* voxel_in(const oracle_result* r, int32_t x, int32_t y, int32_t z) {
    uint32_t v = oracle_voxel_at(r, x, y, z);
    CHECK(v != ORACLE_NONE);
    return &r->voxels[v];
}

uint32_t count_layer(const oracle_result* r, uint32_t layer) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < r->voxel_count; ++v) {
        count += r->voxels[v].layer == layer;
    }
    return count;
}

scene* make_box(double x, double y, double z, double joint_x) {
    scene* s = scene_new();
    scene_add_joint(s, TLW_NO_JOINT, joint_x, 0, 0);
    scene_add_box(s, (double[3]){-x, -y, -z}, (double[3]){x, y, z});
    scene_weigh_rigidly(s, 0, 0);
    return s;
}

// A block's corners are those of a box; only faces without a solid block behind them are added.
void add_blocks(scene* s, const double* const lines[3], const uint32_t counts[3],
                const char* solid) {
    static const uint32_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    uint32_t at[3];
    for (at[2] = 0; at[2] < counts[2]; ++at[2]) {
        for (at[1] = 0; at[1] < counts[1]; ++at[1]) {
            for (at[0] = 0; at[0] < counts[0]; ++at[0]) {
                if (solid[(at[2] * counts[1] + at[1]) * counts[0] + at[0]] != '#') {
                    continue;
                }
                uint32_t corner[8];
                for (uint32_t k = 0; k < 8; ++k) {
                    corner[k] = scene_add_vertex(s, lines[0][at[0] + (k & 1)],
                                                 lines[1][at[1] + (k >> 1 & 1)],
                                                 lines[2][at[2] + (k >> 2 & 1)]);
                }
                for (uint32_t face = 0; face < 6; ++face) {
                    uint32_t next[3] = {at[0], at[1], at[2]};
                    next[face / 2] += face % 2 == 0 ? UINT32_MAX : 1; // wraps below 0
                    if (next[face / 2] < counts[face / 2] &&
                        solid[(next[2] * counts[1] + next[1]) * counts[0] + next[0]] == '#') {
                        continue;
                    }
                    const uint32_t* c = quads[face];
                    scene_add_triangle(s, corner[c[0]], corner[c[1]], corner[c[2]]);
                    scene_add_triangle(s, corner[c[0]], corner[c[2]], corner[c[3]]);
                }
            }
        }
    }
}

void weigh_by_side(scene* s, uint32_t axis, double border, uint32_t below, uint32_t above) {
    scene_mesh* mesh = &s->meshes[s->mesh_count - 1];
    mesh->has_weights = true;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
        mesh->joints[v * 4] = (double)mesh->positions[v * 3 + axis] < border ? below : above;
        mesh->weights[v * 4] = 1;
    }
}

void turn_inside_out(scene* s) {
    for (uint32_t m = 0; m < s->mesh_count; ++m) {
        for (uint32_t t = 0; t < s->meshes[m].triangle_count; ++t) {
            uint32_t* triangle = &s->meshes[m].indices[t * 3];
            uint32_t first = triangle[0];
            triangle[0] = triangle[1];
            triangle[1] = first;
        }
    }
}
