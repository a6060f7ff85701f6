// SPDX-License-Identifier: MIT
// tallow-inspect's JSON, parsed by jansson and compared with the blob that it was made from. Links
// are read here a second time, window by window instead of voxel by voxel.
#include "tests/tools/inspect_fixture.h"

#include <math.h>

static bool refuse(const void* bytes, size_t size, void* user) {
    (void)bytes;
    (void)size;
    *(int*)user += 1;
    return false;
}

// By a search, independent of the table that tlw_inspect keeps.
static uint32_t voxel_of_site(const fixture* b, uint32_t site) {
    for (uint32_t w = 0; w < b->in.lattice->window_count; ++w) {
        if (site - b->in.windows[w].rows[4] < 8) {
            return b->in.slot_voxel[w * 8 + site % 8];
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "no window has site %u", site);
    return 0;
}

static void open_blob(fixture* b, uint32_t resolution, uint32_t region_width, uint32_t neighbours) {
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = resolution;
    recipe.region_width = region_width;
    recipe.neighbours = neighbours;
    const char* failure = sample_blob_cook("stout", &recipe, &b->output);
    CHECK_STRING(failure ? failure : "", "");
    CHECK(tlw_inspect_open(&b->in, b->output.blob));
}

static void open_fixture(fixture* b, uint32_t region_width, uint32_t neighbours) {
    *b = (fixture){0};
    open_blob(b, 10, region_width, neighbours);
    read_json(b);
    const tlw_blob_lattice* l = b->in.lattice;
    b->is_linked = calloc((size_t)l->voxel_count * l->voxel_count, 1);
    CHECK(b->is_linked != NULL);
    for (uint32_t w = 0; w < l->window_count; ++w) {
        const tlw_blob_window* window = &b->in.windows[w];
        for (uint32_t lane = 0; lane < 8; ++lane) {
            for (uint32_t k = 0; k < 26; ++k) {
                if (window->links[k] >> lane & 1) {
                    const uint32_t step = k + (k >= 13);
                    const size_t from = b->in.slot_voxel[w * 8 + lane];
                    const size_t to =
                        voxel_of_site(b, window->rows[step / 3] + lane + step % 3 - 1);
                    b->is_linked[from * l->voxel_count + to] = 1;
                }
            }
        }
    }
}

TLW_TEST(inspect_json_head_is_the_lattice_and_the_joints_to_the_bit) {
    fixture b;
    open_fixture(&b, 3, 26);
    const tlw_blob_lattice* l = b.in.lattice;
    CHECK_EQ(json_number_value(json_object_get(b.root, "voxel_size")), l->voxel_metres);
    json_t *origin = list_of(&b, "origin", 3), *size = list_of(&b, "size", 3);
    for (size_t i = 0; i < 3; ++i) {
        CHECK_EQ(real(origin, i), l->origin[i]);
        CHECK_EQ(integer(size, i), (json_int_t)l->size[i]);
    }
    CHECK_EQ(json_integer_value(json_object_get(b.root, "region_width")), 3);
    CHECK_EQ(json_integer_value(json_object_get(b.root, "neighbour_set")), 26);
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)b.in.header->content_hash);
    CHECK_STRING(json_string_value(json_object_get(b.root, "content_hash")), hash);
    json_t* layers = list_of(&b, "layers", l->layer_count);
    CHECK_STRING(json_string_value(json_array_get(layers, 0)), "bone");
    json_t* parts = list_of(&b, "parts", l->part_count);
    CHECK_LT(1, l->part_count); // the head, for one
    for (uint32_t p = 0; p < l->part_count; ++p) {
        const json_t* part = json_array_get(parts, p);
        const tlw_blob_part* wanted = &b.in.parts[p];
        const json_t* materials = json_object_get(part, "materials");
        CHECK_EQ(json_integer_value(json_object_get(part, "joint")),
                 p == 0 ? -1 : (json_int_t)wanted->joint);
        CHECK_EQ(json_integer_value(json_object_get(part, "voxels")), wanted->voxel_count);
        CHECK_STRING(json_string_value(json_object_get(part, "kind")),
                     tlw_part_kind_text((tlw_part_kind)wanted->kind));
        CHECK_EQ(json_array_size(materials), l->layer_count);
        for (uint32_t i = 0; i < l->layer_count; ++i) {
            const json_t* m = json_array_get(materials, i);
            const tlw_blob_material* material = &b.in.materials[p * l->layer_count + i];
            CHECK_EQ((float)json_number_value(json_object_get(m, "stiffness")),
                     material->stiffness);
            CHECK_EQ((float)json_number_value(json_object_get(m, "damping")), material->damping);
            CHECK_EQ((float)json_number_value(json_object_get(m, "anchor_hz")),
                     material->anchor_hz);
            CHECK_NEAR(json_number_value(json_object_get(m, "delta")),
                       exp(-pow(acos(-1.0) / 30.0 * (double)material->anchor_hz, 2.0)), 1e-12);
        }
    }
    CHECK_STRING(json_string_value(json_object_get(b.root, "skinning")), "linear");
    CHECK(json_object_get(b.root, "profiles") == NULL);
    json_t* joints = list_of(&b, "joints", l->joint_count);
    for (uint32_t j = 0; j < l->joint_count; ++j) {
        const json_t* joint = json_array_get(joints, j);
        const tlw_blob_joint* wanted = &b.in.joints[j];
        CHECK_STRING(json_string_value(json_object_get(joint, "name")),
                     b.in.strings + wanted->name);
        CHECK_EQ(json_integer_value(json_object_get(joint, "parent")),
                 wanted->parent == TLW_BLOB_NO_INDEX ? -1 : (json_int_t)wanted->parent);
        CHECK_EQ(json_is_true(json_object_get(joint, "kept")), wanted->is_kept == 1);
        for (size_t i = 0; i < 16; ++i) {
            CHECK_EQ(real(json_object_get(joint, "bind"), i), wanted->bind[i]);
        }
    }
    close_fixture(&b);
}

// The sample has firm parts, and so borders, and no paint. Sections that a blob lacks have no key.
TLW_TEST(inspect_json_has_second_materials_where_parts_touch) {
    fixture b;
    open_fixture(&b, 3, 26);
    const uint32_t count = b.in.lattice->voxel_count;
    const json_t* list = list_of(&b, "second_material", count);
    uint32_t blended = 0;
    for (uint32_t v = 0; v < count; ++v) {
        const tlw_blob_blend* wanted = &b.in.slot_blend[b.in.voxel_slot[v]];
        const json_t* found = json_array_get(list, v);
        CHECK_EQ(json_is_null(found), wanted->share == 0);
        if (wanted->share > 0) {
            CHECK_EQ(integer(found, 0), wanted->material);
            CHECK_EQ(real(found, 1), 0.25);
            blended += 1;
        }
    }
    CHECK_LT(20u, blended);
    CHECK(json_object_get(b.root, "stiffness_factor") == NULL);
    close_fixture(&b);
}

TLW_TEST(inspect_json_voxels_are_the_blobs_in_order_z_y_x) {
    fixture b;
    open_fixture(&b, 3, 26);
    const uint32_t count = b.in.lattice->voxel_count;
    json_t *voxels = list_of(&b, "voxels", count), *weights = list_of(&b, "weights", count);
    json_t *layer = list_of(&b, "layer", count), *part = list_of(&b, "part", count);
    json_t *d_bone = list_of(&b, "d_bone", count), *d_skin = list_of(&b, "d_skin", count);
    json_t *d_seg = list_of(&b, "d_seg", count), *limit = list_of(&b, "limit", count);
    json_t* volume = list_of(&b, "volume_weight", count);
    json_int_t last = -1;
    for (uint32_t v = 0; v < count; ++v) {
        const tlw_blob_cell* cell = &b.in.voxel_cell[v];
        const uint32_t slot = b.in.voxel_slot[v];
        const json_t* xyz = json_array_get(voxels, v);
        CHECK_EQ(integer(xyz, 0), (json_int_t)cell->x);
        CHECK_EQ(integer(xyz, 1), (json_int_t)cell->y);
        CHECK_EQ(integer(xyz, 2), (json_int_t)cell->z);
        const json_int_t place = (integer(xyz, 2) * 100 + integer(xyz, 1)) * 100 + integer(xyz, 0);
        CHECK_LT(last, place);
        last = place;
        CHECK_EQ(integer(layer, v), (json_int_t)b.in.slot_layer[slot]);
        CHECK_EQ(integer(d_bone, v),
                 cell->d_bone == UINT16_MAX ? (json_int_t)-1 : (json_int_t)cell->d_bone);
        CHECK_EQ(integer(d_skin, v),
                 cell->d_skin == UINT16_MAX ? (json_int_t)-1 : (json_int_t)cell->d_skin);
        CHECK_EQ(integer(d_seg, v),
                 cell->d_seg == UINT16_MAX ? (json_int_t)-1 : (json_int_t)cell->d_seg);
        CHECK_EQ((float)real(limit, v), b.in.slot_limit[slot]);
        CHECK_EQ((float)real(volume, v), b.in.slot_volume_weight[slot]);

        const json_t* pairs = json_array_get(weights, v);
        size_t at = 0;
        double most = 0.0, sum = 0.0;
        json_int_t largest = -1;
        const tlw_blob_window* window = &b.in.windows[slot / 8];
        for (uint32_t k = 0; k < window->influences; ++k) {
            const size_t i = (size_t)window->first_influence + k;
            const float weight = b.in.influence_weight[i * 8 + slot % 8];
            if (weight == 0.0f) {
                continue;
            }
            at += 1;
            sum += (double)weight;
            if ((double)weight > most) {
                most = (double)weight;
                largest = (json_int_t)b.in.influence_joint[i];
            }
            size_t found = 0;
            for (size_t n = 0; n < json_array_size(pairs); ++n) {
                const json_t* pair = json_array_get(pairs, n);
                found += integer(pair, 0) == (json_int_t)b.in.influence_joint[i] &&
                         (float)real(pair, 1) == weight;
            }
            CHECK_EQ(found, 1);
        }
        CHECK_EQ(json_array_size(pairs), at);
        for (size_t n = 1; n < at; ++n) { // largest first; of equal weights the lower joint first
            const json_t *a = json_array_get(pairs, n - 1), *z = json_array_get(pairs, n);
            CHECK_LE(real(z, 1), real(a, 1));
            CHECK(real(z, 1) < real(a, 1) || integer(a, 0) < integer(z, 0));
        }
        CHECK_NEAR(sum, 1.0, 1e-5);
        CHECK_EQ(integer(part, v), largest);
    }
    close_fixture(&b);
}

TLW_TEST(inspect_json_regions_of_width_3_are_a_voxel_and_its_links) {
    fixture b;
    open_fixture(&b, 3, 26);
    const uint32_t count = b.in.lattice->voxel_count;
    json_t* regions = list_of(&b, "regions", count);
    for (uint32_t v = 0; v < count; ++v) {
        const json_t* region = json_array_get(regions, v);
        size_t at = 0;
        for (uint32_t other = 0; other < count; ++other) {
            if (other == v || b.is_linked[(size_t)v * count + other]) {
                CHECK_EQ(integer(region, at), (json_int_t)other);
                at += 1;
            }
        }
        CHECK_EQ(json_array_size(region), at);
    }
    close_fixture(&b);
}

TLW_TEST(inspect_json_regions_of_width_2_are_the_blobs_lists) {
    fixture b;
    open_fixture(&b, 2, 26);
    const uint32_t count = b.in.lattice->region_count, stride = (count + 7) / 8 * 8;
    json_t* regions = list_of(&b, "regions", count);
    CHECK_LT(0, count);
    for (size_t r = 0; r < count; ++r) {
        const json_t* region = json_array_get(regions, r);
        size_t members = 0;
        for (size_t i = 0; i < 8; ++i) {
            const uint32_t site = b.in.region_site[i * stride + r];
            if (site == 0) {
                continue;
            }
            members += 1;
            size_t found = 0;
            for (size_t k = 0; k < json_array_size(region); ++k) {
                found += integer(region, k) == (json_int_t)voxel_of_site(&b, site);
            }
            CHECK_EQ(found, 1);
        }
        CHECK_EQ(json_array_size(region), members);
        for (size_t k = 1; k < members; ++k) {
            CHECK_LT(integer(region, k - 1), integer(region, k));
        }
    }
    close_fixture(&b);
}

TLW_TEST(inspect_json_neighbours_are_the_links_of_every_set) {
    static const struct {
        uint32_t set;
        bool has[4]; // [number of axes that a step moves along]
    } sets[] = {{6, {false, true, false, false}},
                {14, {false, true, false, true}},
                {18, {false, true, true, false}},
                {20, {false, false, true, true}},
                {26, {false, true, true, true}}};
    for (size_t s = 0; s < TLW_COUNT_OF(sets); ++s) {
        fixture b;
        open_fixture(&b, 3, sets[s].set);
        const uint32_t count = b.in.lattice->voxel_count;
        json_t* neighbours = list_of(&b, "neighbours", count);
        for (uint32_t v = 0; v < count; ++v) {
            const json_t* list = json_array_get(neighbours, v);
            const tlw_blob_cell* here = &b.in.voxel_cell[v];
            size_t at = 0;
            for (uint32_t other = 0; other < count; ++other) {
                const tlw_blob_cell* there = &b.in.voxel_cell[other];
                const int axes =
                    (here->x != there->x) + (here->y != there->y) + (here->z != there->z);
                if (b.is_linked[(size_t)v * count + other] && sets[s].has[axes]) {
                    CHECK_EQ(integer(list, at), (json_int_t)other);
                    at += 1;
                }
            }
            CHECK_EQ(json_array_size(list), at);
        }
        close_fixture(&b);
    }
}

TLW_TEST(inspect_json_bindings_are_the_blobs_without_zeros) {
    fixture b;
    open_fixture(&b, 3, 26);
    CHECK_EQ(b.in.mesh_count, 1u);
    json_t* bindings = list_of(&b, "bindings", b.in.lattice->vertex_count);
    for (uint32_t x = 0; x < b.in.lattice->vertex_count; ++x) {
        const json_t* pairs = json_array_get(bindings, x);
        // Group and lane of the only mesh.
        const uint32_t group = b.in.vertex_cooked[x] / 8, lane = b.in.vertex_cooked[x] % 8;
        size_t at = 0;
        for (uint32_t i = 0; i < b.in.groups[group].voxel_count; ++i) {
            const size_t element = (size_t)b.in.groups[group].first_voxel + i;
            const uint16_t weight = b.in.group_voxel_weight[element * 8 + lane];
            if (weight == 0) {
                continue;
            }
            const json_t* pair = json_array_get(pairs, at++);
            CHECK_EQ(integer(pair, 0), (json_int_t)b.in.slot_voxel[b.in.group_voxel[element]]);
            CHECK_EQ((float)real(pair, 1), (float)weight / 32768.0f);
        }
        CHECK_EQ(json_array_size(pairs), at);
    }
    json_t* meshes = list_of(&b, "meshes", (size_t)b.in.mesh_count);
    CHECK_EQ(json_integer_value(json_object_get(json_array_get(meshes, 0), "vertex_count")),
             (json_int_t)b.in.meshes[0].vertex_count);
    close_fixture(&b);
}

static double figure(const json_t* object, const char* key) {
    CHECK(json_is_number(json_object_get(object, key)));
    return json_number_value(json_object_get(object, key));
}

TLW_TEST(inspect_json_has_bytes_per_vertex_and_mean_lengths_of_lists) {
    fixture b;
    open_fixture(&b, 3, 26);
    const json_t* vertices = json_object_get(b.root, "vertices");
    const tlw_blob_lattice* l = b.in.lattice;
    double voxels = 0.0, joints = 0.0;
    for (uint32_t g = 0; g < l->group_count; ++g) {
        voxels += b.in.groups[g].voxel_count;
        joints += b.in.groups[g].joint_count;
    }
    CHECK_EQ(figure(vertices, "count"), l->vertex_count);
    CHECK_NEAR(figure(vertices, "voxels_per_group"), voxels / l->group_count, 1e-12);
    CHECK_NEAR(figure(vertices, "joints_per_group"), joints / l->group_count, 1e-12);
    // A group of 16 bytes, 20 per voxel and 18 per joint of its lists, positions, normals and
    // centres of 96 each; two orders.
    CHECK(b.in.group_normal != NULL && b.in.group_tangent == NULL && b.in.group_centre != NULL);
    const double bytes =
        l->group_count * (16.0 + 3 * 96.0) + 20.0 * voxels + 18.0 * joints + 8.0 * l->vertex_count;
    CHECK_NEAR(figure(vertices, "bytes_per_vertex"), bytes / l->vertex_count, 1e-9);
    CHECK(json_is_false(json_object_get(vertices, "ring_normals")));
    CHECK(json_is_false(json_object_get(vertices, "rbf")));
    close_fixture(&b);
    // Without vertices there is no mean; with rings and rbf both are said to be there.
    fixture other = {0};
    open_blob(&other, 10, 3, 26);
    tlw_blob_lattice bare = *other.in.lattice;
    const tlw_blob_rbf rbf = {0};
    bare.vertex_count = bare.group_count = 0;
    other.in.lattice = &bare;
    other.in.ring_neighbour = other.in.vertex_source;
    other.in.rbf = &rbf;
    const tlw_inspect_vertices found = tlw_inspect_vertices_of(&other.in);
    CHECK_EQ(found.bytes_per_vertex, 0.0);
    CHECK_EQ(found.voxels_per_group, 0.0);
    CHECK(found.has_rings && found.has_rbf);
    tlw_inspect_close(&other.in);
    tlw_cook_output_free(&other.output);
}

TLW_TEST(inspect_json_escapes_names_that_are_no_text) {
    fixture b;
    open_fixture(&b, 3, 26);
    static char strings[65536];
    uint64_t bytes;
    const void* from = tlw_blob_find(b.output.blob, TLW_SECTION_STRINGS, &bytes);
    memcpy(strings, from, (size_t)bytes);
    memcpy(strings + b.in.layers[0].name, "\"\\\xC0\x1B", 4); // over "bone"
    b.in.strings = strings;
    text t = {0};
    CHECK(tlw_inspect_json(&b.in, append, &t));
    json_error_t error;
    json_t* root = json_loadb(t.bytes, t.size, 0, &error);
    free(t.bytes);
    CHECK_STRING(root ? "" : error.text, "");
    CHECK_STRING(json_string_value(json_array_get(json_object_get(root, "layers"), 0)),
                 "\"\\\xEF\xBF\xBD\x1B");
    json_decref(root);
    close_fixture(&b);
}

// Sums over the lists of voxels, against what the blob says of each bend.
TLW_TEST(inspect_json_bends_are_the_sums_of_the_voxels_shares) {
    fixture b;
    open_fixture(&b, 3, 26);
    const uint32_t voxels = b.in.lattice->voxel_count, lane_axis = b.in.lattice->lane_axis;
    json_t* bends = list_of(&b, "bends", b.in.bend_count);
    json_t *shares = list_of(&b, "bend_shares", voxels), *field = list_of(&b, "field", voxels);
    CHECK_LT(1, b.in.bend_count);
    double sums[64] = {0.0};
    uint32_t counts[64] = {0}, moved = 0, pairs[64][64] = {{0}};
    CHECK_LT(b.in.bend_count, 64);
    for (uint32_t v = 0; v < voxels; ++v) {
        const json_t* list = json_array_get(shares, v);
        CHECK_LE(json_array_size(list), 2);
        for (size_t k = 0; k < json_array_size(list); ++k) {
            const size_t bend = (size_t)integer(json_array_get(list, k), 0);
            const double share = real(json_array_get(list, k), 1);
            CHECK(share > 0.0);
            CHECK(k == 0 || share <= real(json_array_get(list, 0), 1)); // largest first
            sums[bend] += share;
            counts[bend] += 1;
        }
        if (json_array_size(list) == 2) {
            const size_t x = (size_t)integer(json_array_get(list, 0), 0),
                         y = (size_t)integer(json_array_get(list, 1), 0);
            pairs[x < y ? x : y][x < y ? y : x] = 1;
        }
        const uint32_t slot = b.in.voxel_slot[v];
        for (uint32_t a = 0; a < 3; ++a) {
            const float f = (float)b.in.field[(slot / 8 * 3 + a) * 8 + slot % 8] / 16384.0f;
            CHECK_EQ((float)real(json_array_get(field, v), (lane_axis + a) % 3), f);
            moved += f != 0.0f;
        }
    }
    CHECK_LT(0, moved);
    uint32_t listed = 0;
    for (uint32_t i = 0; i < b.in.bend_count; ++i) {
        const json_t* bend = json_array_get(bends, i);
        CHECK_EQ(json_integer_value(json_object_get(bend, "joint")), b.in.bends[i].joint);
        CHECK_EQ(json_integer_value(json_object_get(bend, "voxels")), counts[i]);
        CHECK_NEAR(json_number_value(json_object_get(bend, "rest_volume")), sums[i],
                   1e-6 * sums[i]);
        CHECK_EQ((float)json_number_value(json_object_get(bend, "rest_slope")),
                 b.in.bends[i].rest_slope);
        CHECK_EQ((float)json_number_value(json_object_get(bend, "reach")), b.in.bends[i].reach);
        for (uint32_t k = 0; k < b.in.bend_count; ++k) {
            listed += pairs[i][k];
        }
    }
    json_t* pair_list = list_of(&b, "bend_pairs", listed);
    for (size_t i = 0; i < listed; ++i) {
        const json_t* pair = json_array_get(pair_list, i);
        CHECK_EQ(pairs[integer(pair, 0)][integer(pair, 1)], 1);
    }
    close_fixture(&b);
}

// What the blob says, read in other words: the sums over voxels, and ends that are joints' places.
TLW_TEST(inspect_json_has_limbs_and_rest_gravity) {
    fixture b = {0};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 20; // whose lane axis is not x
    recipe.has_limbs = true;
    recipe.rest_gravity[1] = -9.81f;
    const char* failure = sample_blob_cook("stout", &recipe, &b.output);
    CHECK_STRING(failure ? failure : "", "");
    CHECK(tlw_inspect_open(&b.in, b.output.blob));
    read_json(&b);
    const tlw_blob_lattice* l = b.in.lattice;
    CHECK_LT(1, l->limb_count);
    CHECK_LT(0, l->lane_axis);
    const json_t* gravity = list_of(&b, "rest_gravity", 3);
    CHECK_EQ(real(gravity, 0), 0.0);
    CHECK_EQ((float)real(gravity, 1), -9.81f);
    uint32_t voxels[TLW_BLOB_LIMBS_MAX] = {0}, halves = 0;
    const json_t* touching = list_of(&b, "touching_limbs", l->voxel_count);
    for (uint32_t v = 0; v < l->voxel_count; ++v) {
        const json_t* list = json_array_get(touching, v);
        const tlw_blob_slot_limbs masks = b.in.slot_limbs[b.in.voxel_slot[v]];
        uint32_t bits = 0, by_half = 0;
        for (size_t i = 0; i < json_array_size(list); ++i) {
            const json_t* entry = json_array_get(list, i);
            const uint32_t limb = (uint32_t)integer(entry, 0);
            CHECK_LT(limb, l->limb_count);
            bits |= 1u << limb;
            by_half |= json_number_value(json_array_get(entry, 1)) == 0.5 ? 1u << limb : 0;
            voxels[limb] += 1;
        }
        CHECK_EQ(bits, masks.touches);
        CHECK_EQ(by_half, masks.halves);
        halves += by_half != 0;
    }
    CHECK_LT(0, halves); // arms and legs of a sample are twins
    const json_t* limbs = list_of(&b, "limbs", l->limb_count);
    for (uint32_t i = 0; i < l->limb_count; ++i) {
        const json_t *limb = json_array_get(limbs, i), *ends = json_object_get(limb, "ends");
        const json_t* radius = json_object_get(limb, "radius");
        const uint32_t joint = (uint32_t)json_integer_value(json_object_get(limb, "joint"));
        CHECK_EQ(joint, b.in.limbs[i].joint);
        CHECK_EQ(json_integer_value(json_object_get(limb, "voxels")), voxels[i]);
        double length = 0.0;
        for (size_t axis = 0; axis < 3; ++axis) {
            const double start = real(json_array_get(ends, 0), axis);
            const double along = real(json_array_get(ends, 1), axis) - start;
            const double place = b.in.joints[joint].bind[12 + axis] - l->origin[axis];
            CHECK_NEAR(start, place / l->voxel_metres, 1e-4);
            length += along * along;
        }
        CHECK_NEAR(json_number_value(json_object_get(limb, "length")), sqrt(length), 1e-6);
        for (size_t k = 0; k < 2; ++k) {
            CHECK_EQ((float)real(radius, k), b.in.limbs[i].radius[k]);
        }
    }
    FILE* file = tmpfile();
    CHECK(file != NULL);
    tlw_inspect_summary(&b.in, "hero.tlw", file);
    char summary[16384] = "", line[128];
    rewind(file);
    summary[fread(summary, 1, sizeof summary - 1, file)] = 0;
    fclose(file);
    CHECK_CONTAINS(summary, "\nmodelled under a gravity of (0, -9.81, 0) m/s^2\n");
    CHECK_CONTAINS(summary, "\nown limbs, with radii ");
    const tlw_blob_limb* first = &b.in.limbs[0];
    snprintf(line, sizeof line, "\n  %-24s%10u ", b.in.strings + b.in.joints[first->joint].name,
             voxels[0]);
    CHECK_CONTAINS(summary, line);
    snprintf(line, sizeof line, " %10.4g %10.4g\n", (double)first->radius[0],
             (double)first->radius[1]);
    CHECK_CONTAINS(summary, line);
    close_fixture(&b);
}

TLW_TEST(inspect_json_has_profiles_and_dual_skinning_and_no_key_for_volume_that_was_not_cooked) {
    fixture b = {0};
    tlw_cook_profile_part numbers = tlw_default_cook_profile_part("head");
    numbers.anchor_hz[2] = 40.0f;
    numbers.limit_scale[3] = 0.25f;
    const tlw_cook_profile profile = {"tense", &numbers, 1};
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 10;
    recipe.volume_reach = 0.0f;
    recipe.skinning = TLW_SKINNING_DUAL;
    recipe.profiles = &profile;
    recipe.profile_count = 1;
    const char* failure = sample_blob_cook("stout", &recipe, &b.output);
    CHECK_STRING(failure ? failure : "", "");
    CHECK(tlw_inspect_open(&b.in, b.output.blob));
    read_json(&b);
    const tlw_blob_lattice* l = b.in.lattice;
    CHECK_STRING(json_string_value(json_object_get(b.root, "skinning")), "dual");
    static const char* const absent[] = {"bends",        "bend_pairs", "bend_shares",
                                         "field",        "limbs",      "touching_limbs",
                                         "rest_gravity", "muscles",    "bellies"};
    for (size_t i = 0; i < TLW_COUNT_OF(absent); ++i) {
        CHECK(json_object_get(b.root, absent[i]) == NULL);
    }
    const json_t* written = json_array_get(list_of(&b, "profiles", 1), 0);
    const json_t* parts = json_object_get(written, "parts");
    CHECK_STRING(json_string_value(json_object_get(written, "name")), "tense");
    CHECK_EQ(json_array_size(parts), l->part_count);
    uint32_t changed = 0;
    for (uint32_t p = 0; p < l->part_count; ++p) {
        CHECK_EQ(json_array_size(json_array_get(parts, p)), l->layer_count);
        for (uint32_t i = 0; i < l->layer_count; ++i) {
            const json_t* m = json_array_get(json_array_get(parts, p), i);
            const tlw_blob_profile_material* wanted =
                &b.in.profile_materials[p * l->layer_count + i];
            const float hz = (float)json_number_value(json_object_get(m, "anchor_hz"));
            const float scale = (float)json_number_value(json_object_get(m, "limit_scale"));
            CHECK_EQ(hz, wanted->anchor_hz);
            CHECK_EQ(scale, wanted->limit_scale);
            CHECK_EQ((float)json_number_value(json_object_get(m, "stiffness")), wanted->stiffness);
            CHECK_EQ((float)json_number_value(json_object_get(m, "damping")), wanted->damping);
            changed += (uint32_t)(hz == 40.0f) + (uint32_t)(scale == 0.25f);
        }
    }
    CHECK_EQ(changed, 2); // both in the head alone
    FILE* file = tmpfile();
    CHECK(file != NULL);
    tlw_inspect_summary(&b.in, "hero.tlw", file);
    char summary[16384] = "";
    rewind(file);
    summary[fread(summary, 1, sizeof summary - 1, file)] = 0;
    fclose(file);
    static const char* const lines[] = {"dual skinning\n", "\nno skinned volume\n",
                                        "\nno own limbs\n", "\nno muscles\n", "\n  tense\n"};
    for (size_t i = 0; i < TLW_COUNT_OF(lines); ++i) {
        CHECK_CONTAINS(summary, lines[i]);
    }
    CHECK_CONTAINS(summary, "40 (0.000) x1, 2 0.1 12 (0.206) x0.25\n");
    close_fixture(&b);
}

TLW_TEST(inspect_draws_bends_unlike_layers) {
    fixture b = {0};
    open_blob(&b, 10, 3, 26);
    text pictures[2] = {{0}};
    for (int look = 0; look < 2; ++look) {
        CHECK_EQ(tlw_inspect_slice(&b.in, (tlw_inspect_look)look, 2, b.in.lattice->size[2] / 2,
                                   append, &pictures[look]),
                 TLW_DRAWN);
        CHECK_BYTES(pictures[look].bytes, "\x89PNG", 4);
    }
    CHECK(pictures[0].size != pictures[1].size ||
          memcmp(pictures[0].bytes, pictures[1].bytes, pictures[0].size) != 0);
    free(pictures[0].bytes);
    free(pictures[1].bytes);
    close_fixture(&b);
}

TLW_TEST(inspect_stops_at_the_first_write_that_fails) {
    fixture b = {0};
    open_blob(&b, 10, 3, 26);
    int calls = 0;
    CHECK(!tlw_inspect_json(&b.in, refuse, &calls));
    CHECK_EQ(calls, 1);
    CHECK_EQ(tlw_inspect_slice(&b.in, TLW_LOOK_LAYERS, 2, 3, refuse, &calls),
             TLW_DRAWN_NOT_WRITTEN);
    CHECK_EQ(tlw_inspect_layers(&b.in, refuse, &calls), TLW_DRAWN_NOT_WRITTEN);
    CHECK_EQ(tlw_inspect_cooked(&b.in, "title", "remark", refuse, &calls), TLW_DRAWN_NOT_WRITTEN);
    CHECK_EQ(calls, 4);
    close_fixture(&b);
}

TLW_TEST(inspect_refuses_a_picture_of_a_grid_without_bounds) {
    fixture b = {0};
    open_blob(&b, 10, 3, 26);
    tlw_blob_lattice lattice = *b.in.lattice; // the validator allows an empty grid to be large
    lattice.size[0] = INT16_MAX;
    b.in.lattice = &lattice;
    int calls = 0;
    CHECK_EQ(tlw_inspect_slice(&b.in, TLW_LOOK_LAYERS, 2, 3, refuse, &calls), TLW_DRAWN_TOO_LARGE);
    CHECK_EQ(calls, 0);
    close_fixture(&b);
}

// The picture of a cook has the colours of the parts that voxels have.
TLW_TEST(inspect_finds_as_many_voxels_of_each_part_as_the_blob_says) {
    fixture b = {0};
    open_blob(&b, 16, 3, 26);
    const uint32_t parts = b.in.lattice->part_count;
    CHECK_LT(1, parts); // the sample's head, hands and feet are firm
    for (uint32_t p = 0; p < parts; ++p) {
        uint32_t count = 0;
        for (uint32_t v = 0; v < b.in.lattice->voxel_count; ++v) {
            count += tlw_inspect_material_part(&b.in, v) == p;
        }
        CHECK_EQ(count, b.in.parts[p].voxel_count);
    }
    close_fixture(&b);
}

TLW_TEST(inspect_draws_a_cook_with_its_texts) {
    fixture b = {0};
    open_blob(&b, 8, 3, 26);
    text pictures[2] = {{0}};
    for (int i = 0; i < 2; ++i) {
        CHECK_EQ(tlw_inspect_cooked(&b.in, i == 0 ? "hero" : "villain", "12 voxels", append,
                                    &pictures[i]),
                 TLW_DRAWN);
        CHECK_BYTES(pictures[i].bytes, "\x89PNG", 4);
    }
    CHECK(pictures[0].size != pictures[1].size ||
          memcmp(pictures[0].bytes, pictures[1].bytes, pictures[0].size) != 0);
    free(pictures[0].bytes);
    free(pictures[1].bytes);
    close_fixture(&b);
}
