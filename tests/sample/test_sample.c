// SPDX-License-Identifier: MIT
// The sample characters, read back from their bytes by an independent reader: a closed skin,
// plausible weights, a connected skeleton, five or six clips, the voxel counts of the paper's
// characters, and the same bytes on every machine.
#include "platform/file.h"
#include "tests/sample/count_voxels.h"
#include "tests/sample/read_glb.h"
#include "tests/test.h"
#include "tools/sample/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// FNV-1a, 64 bits. These change with shape, weights or clips and with nothing else: not with
// compiler, build type or CPU.
static const uint64_t golden_hashes[TLW_SAMPLE_VARIANT_COUNT] = {
    0x129b703838eff4a8u, 0x6c989074eedb8e02u, 0x1a9e676ed397af6au, 0xb231f4805cbebf9du};

typedef struct sample {
    uint8_t* bytes;
    size_t size;
    bool is_kept;
    glb file;
    accessor positions, normals, colours, joints, weights, indices, inverse_binds;
    uint32_t joint_count;
    const json* skin;
} sample;

static void open_sample(tlw_sample_variant variant, uint32_t resolution, sample* s) {
    // Samples at their own resolution are built once, because that takes seconds under an emulator.
    static uint8_t* built[TLW_SAMPLE_VARIANT_COUNT];
    static size_t built_size[TLW_SAMPLE_VARIANT_COUNT];
    tlw_sample_def def = tlw_default_sample_def(variant);
    def.resolution = resolution;
    s->is_kept = resolution == 0;
    if (s->is_kept && built[variant] == NULL) {
        CHECK_OK(tlw_sample_build(&def, &built[variant], &built_size[variant]));
    } else if (!s->is_kept) {
        CHECK_OK(tlw_sample_build(&def, &s->bytes, &s->size));
    }
    if (s->is_kept) {
        s->bytes = built[variant], s->size = built_size[variant];
    }
    tlw_read_glb(s->bytes, s->size, &s->file);
    const json* mesh = tlw_json_at(tlw_json_need(s->file.root, "meshes"), 0);
    const json* primitive = tlw_json_at(tlw_json_need(mesh, "primitives"), 0);
    const json* attributes = tlw_json_need(primitive, "attributes");
    s->positions = tlw_glb_accessor(&s->file, tlw_json_index(attributes, "POSITION"));
    s->normals = tlw_glb_accessor(&s->file, tlw_json_index(attributes, "NORMAL"));
    s->colours = tlw_glb_accessor(&s->file, tlw_json_index(attributes, "COLOR_0"));
    s->joints = tlw_glb_accessor(&s->file, tlw_json_index(attributes, "JOINTS_0"));
    s->weights = tlw_glb_accessor(&s->file, tlw_json_index(attributes, "WEIGHTS_0"));
    s->indices = tlw_glb_accessor(&s->file, tlw_json_index(primitive, "indices"));
    s->skin = tlw_json_at(tlw_json_need(s->file.root, "skins"), 0);
    s->joint_count = tlw_json_need(s->skin, "joints")->child_count;
    s->inverse_binds = tlw_glb_accessor(&s->file, tlw_json_index(s->skin, "inverseBindMatrices"));
}

static void close_sample(sample* s) {
    tlw_free_glb(&s->file);
    if (!s->is_kept) {
        free(s->bytes);
    }
}

static uint32_t index_at(const sample* s, uint32_t i) {
    return (uint32_t)tlw_accessor_value(&s->indices, i, 0);
}

static int compare_keys(const void* a, const void* b) {
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

static void check_closed(const sample* s) {
    size_t count = s->indices.count;
    uint64_t* forth = malloc(count * sizeof *forth);
    uint64_t* back = malloc(count * sizeof *back);
    CHECK(forth && back);
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t a = index_at(s, i), b = index_at(s, i % 3 == 2 ? i - 2 : i + 1);
        CHECK_LT(a, s->positions.count);
        forth[i] = a << 32 | b;
        back[i] = b << 32 | a;
    }
    qsort(forth, count, sizeof *forth, compare_keys);
    qsort(back, count, sizeof *back, compare_keys);
    for (size_t i = 0; i < count; ++i) {
        CHECK_EQ(forth[i], back[i]);               // each edge has its opposite
        CHECK(i == 0 || forth[i] != forth[i - 1]); // and only one
    }
    free(forth);
    free(back);
}

// The triangles around every vertex form one fan: walking from triangle to triangle visits all of
// them.
static void check_fans(const sample* s) {
    uint32_t n = s->positions.count;
    uint32_t* degree = calloc(n, sizeof *degree);
    uint32_t* start = calloc(n, sizeof *start);
    CHECK(degree && start);
    for (uint32_t i = 0; i < s->indices.count; ++i) {
        ++degree[index_at(s, i)];
        start[index_at(s, i)] = i;
    }
    // Every edge with the corner that it leaves, in one word each, sorted for searching.
    CHECK_LT(n, 1u << 20);
    CHECK_LT(s->indices.count, 1u << 20);
    uint64_t* sorted = malloc(s->indices.count * sizeof *sorted);
    CHECK(sorted != NULL);
    for (uint32_t i = 0; i < s->indices.count; ++i) {
        uint64_t from = index_at(s, i), to = index_at(s, i % 3 == 2 ? i - 2 : i + 1);
        sorted[i] = from << 40 | to << 20 | i;
    }
    qsort(sorted, s->indices.count, sizeof *sorted, compare_keys);
    for (uint32_t v = 0; v < n; ++v) {
        CHECK(degree[v] >= 3);
        uint32_t corner = start[v], walked = 0;
        do {
            // The edge that enters v in this triangle leaves it in the neighbour.
            uint32_t before = corner % 3 == 0 ? corner + 2 : corner - 1;
            uint64_t key = (uint64_t)v << 40 | (uint64_t)index_at(s, before) << 20;
            size_t low = 0, high = s->indices.count;
            while (low < high) {
                size_t middle = (low + high) / 2;
                if (sorted[middle] < key) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            CHECK_LT(low, s->indices.count);
            CHECK_EQ(sorted[low] >> 20, key >> 20);
            corner = (uint32_t)(sorted[low] & 0xfffff);
            ++walked;
            CHECK_LE(walked, degree[v]);
        } while (corner != start[v]);
        CHECK_EQ(walked, degree[v]);
    }
    free(degree);
    free(start);
    free(sorted);
}

static void position_at(const sample* s, uint32_t v, double p[3]) {
    for (uint32_t k = 0; k < 3; ++k) {
        p[k] = tlw_accessor_value(&s->positions, v, k);
    }
}

// Triangles have an area and face outwards: the volume is positive and vertex normals agree with
// them.
static void check_orientation(const sample* s) {
    double volume = 0.0;
    uint32_t disagreeing = 0;
    for (uint32_t i = 0; i < s->indices.count; i += 3) {
        double p[3][3], n[3];
        for (uint32_t k = 0; k < 3; ++k) {
            position_at(s, index_at(s, i + k), p[k]);
        }
        double e[3], f[3];
        for (int k = 0; k < 3; ++k) {
            e[k] = p[1][k] - p[0][k];
            f[k] = p[2][k] - p[0][k];
        }
        n[0] = e[1] * f[2] - e[2] * f[1];
        n[1] = e[2] * f[0] - e[0] * f[2];
        n[2] = e[0] * f[1] - e[1] * f[0];
        CHECK(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0.0);
        volume += (p[0][0] * n[0] + p[0][1] * n[1] + p[0][2] * n[2]) / 6.0;
        double along = 0.0;
        for (uint32_t k = 0; k < 3; ++k) {
            along += n[k] * tlw_accessor_value(&s->normals, index_at(s, i), k);
        }
        disagreeing += along <= 0.0;
    }
    CHECK(volume > 0.01); // cubic metres
    CHECK_LE(disagreeing, s->indices.count / 3 / 500);
}

TLW_TEST(sample_skin_is_closed_manifold_and_faces_outwards) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        // The variant's own resolution and others: the polygoniser promises this at every
        // resolution.
        static const uint32_t resolutions[] = {0, 56};
        for (size_t r = 0; r < TLW_COUNT_OF(resolutions); ++r) {
            sample s;
            open_sample((tlw_sample_variant)v, resolutions[r], &s);
            check_closed(&s);
            check_fans(&s);
            check_orientation(&s);
            // One piece without handles: V - E + F = 2.
            int64_t faces = s.indices.count / 3;
            CHECK_EQ((int64_t)s.positions.count - faces / 2, (int64_t)2);
            if (resolutions[r] == 0) {
                CHECK_LE(6000u, s.positions.count);
                CHECK_LE(s.positions.count, 12000u);
                CHECK_LT(s.size, (size_t)2 << 20);
            }
            close_sample(&s);
        }
    }
}

TLW_TEST(sample_vertices_are_welded_and_normals_have_unit_length) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        sample s;
        open_sample((tlw_sample_variant)v, 0, &s);
        uint32_t n = s.positions.count;
        uint64_t* keys = malloc(n * sizeof *keys);
        CHECK(keys != NULL);
        for (uint32_t i = 0; i < n; ++i) {
            double squares = 0.0;
            keys[i] = 0;
            for (uint32_t k = 0; k < 3; ++k) {
                double x = tlw_accessor_value(&s.normals, i, k);
                squares += x * x;
                // Positions are multiples of 2^-16 m below 8 m: 20 bits each.
                double units = tlw_accessor_value(&s.positions, i, k) * 65536.0 + 524288.0;
                CHECK_EQ(units, floor(units));
                keys[i] = keys[i] << 20 | (uint64_t)units;
            }
            CHECK_NEAR(squares, 1.0, 1e-6);
        }
        qsort(keys, n, sizeof *keys, compare_keys);
        for (uint32_t i = 1; i < n; ++i) {
            CHECK(keys[i] != keys[i - 1]);
        }
        free(keys);
        close_sample(&s);
    }
}

TLW_TEST(sample_weights_are_sorted_and_add_up_to_exactly_one) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        sample s;
        open_sample((tlw_sample_variant)v, 0, &s);
        uint32_t blended = 0;
        for (uint32_t i = 0; i < s.positions.count; ++i) {
            double sum = 0.0, last = 1.0;
            for (uint32_t k = 0; k < 4; ++k) {
                double w = tlw_accessor_value(&s.weights, i, k);
                uint32_t joint = (uint32_t)tlw_accessor_value(&s.joints, i, k);
                CHECK(w >= 0.0);
                CHECK_LE(w, last);
                CHECK_LT(joint, s.joint_count);
                CHECK(w > 0.0 || joint == 0);
                for (uint32_t j = 0; j < k && w > 0.0; ++j) {
                    CHECK(joint != (uint32_t)tlw_accessor_value(&s.joints, i, j));
                }
                sum += w;
                last = w;
            }
            CHECK_EQ(sum, 1.0);
            blended += tlw_accessor_value(&s.weights, i, 1) > 0.0;
        }
        CHECK_LT(s.positions.count / 10, blended); // weights are smooth, not rigid
        close_sample(&s);
    }
}

static uint32_t joint_named(const sample* s, const char* name) {
    const json* nodes = tlw_json_need(s->file.root, "nodes");
    const json* joints = tlw_json_need(s->skin, "joints");
    for (uint32_t j = 0; j < s->joint_count; ++j) {
        const json* node = tlw_json_at(nodes, (uint32_t)tlw_json_at(joints, j)->number);
        if (strcmp(tlw_json_need(node, "name")->text, name) == 0) {
            return j;
        }
    }
    tlw_test_fail(__FILE__, __LINE__, "no joint is called %s", name);
}

static double weight_of(const sample* s, uint32_t vertex, uint32_t joint) {
    for (uint32_t k = 0; k < 4; ++k) {
        if ((uint32_t)tlw_accessor_value(&s->joints, vertex, k) == joint) {
            return tlw_accessor_value(&s->weights, vertex, k);
        }
    }
    return 0.0;
}

static bool is_ear(const sample* s, uint32_t joint) {
    static const char* const ears[] = {"ear_l", "ear_tip_l", "ear_r", "ear_tip_r"};
    bool is_one = false;
    for (size_t i = 0; i < TLW_COUNT_OF(ears); ++i) {
        is_one = is_one || joint == joint_named(s, ears[i]);
    }
    return is_one;
}

TLW_TEST(sample_weights_do_not_bleed_from_limb_to_limb) {
    static const char* const apart[][2] = {
        {"leg_l", "leg_r"},    {"shin_l", "shin_r"}, {"arm_l", "leg_l"},    {"forearm_l", "spine"},
        {"forearm_r", "hips"}, {"ear_l", "ear_r"},   {"ear_tip_l", "head"}, {"foot_l", "hips"}};
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        sample s;
        open_sample((tlw_sample_variant)v, 0, &s);
        for (size_t p = 0; p < TLW_COUNT_OF(apart); ++p) {
            uint32_t a = joint_named(&s, apart[p][0]), b = joint_named(&s, apart[p][1]);
            for (uint32_t i = 0; i < s.positions.count; ++i) {
                double both = fmin(weight_of(&s, i, a), weight_of(&s, i, b));
                if (both >= 0.05) {
                    tlw_test_fail(__FILE__, __LINE__, "%s: %s and %s share vertex %u: %g",
                                  tlw_sample_variant_name((tlw_sample_variant)v), apart[p][0],
                                  apart[p][1], i, both);
                }
            }
        }
        // Every joint but the root moves something by itself; athletic has no ears.
        for (uint32_t j = 0; j < s.joint_count; ++j) {
            double most = 0.0;
            for (uint32_t i = 0; i < s.positions.count; ++i) {
                most = fmax(most, weight_of(&s, i, j));
            }
            if (j == joint_named(&s, "root") || (v == TLW_SAMPLE_ATHLETIC && is_ear(&s, j))) {
                CHECK_EQ(most, 0.0);
            } else {
                CHECK_LT(0.6, most);
            }
        }
        close_sample(&s);
    }
}

typedef struct transform {
    double m[16]; // column-major
} transform;

static transform product(const transform* a, const transform* b) {
    transform out = {{0.0}};
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 4; ++r) {
            for (int k = 0; k < 4; ++k) {
                out.m[c * 4 + r] += a->m[k * 4 + r] * b->m[c * 4 + k];
            }
        }
    }
    return out;
}

static transform rotate_and_move(const double rotation[4], const double t[3]) {
    double x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
    return (transform){{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0,
                        2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
                        2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0, t[0],
                        t[1], t[2], 1}};
}

static transform node_transform(const json* node) {
    double t[3], rotation[4], length2 = 0.0;
    for (uint32_t k = 0; k < 4; ++k) {
        rotation[k] = tlw_json_at(tlw_json_need(node, "rotation"), k)->number;
        length2 += rotation[k] * rotation[k];
        if (k < 3) {
            t[k] = tlw_json_at(tlw_json_need(node, "translation"), k)->number;
        }
    }
    CHECK_NEAR(length2, 1.0, 1e-8);
    return rotate_and_move(rotation, t);
}

// Depth first from the scene's roots; fills reached[] for joints and compares with the bind pose.
static void visit(const sample* s, uint32_t index, const transform* parent, bool* reached,
                  uint32_t depth) {
    CHECK_LT(depth, 32u);
    const json* node = tlw_json_at(tlw_json_need(s->file.root, "nodes"), index);
    CHECK(node != NULL);
    if (tlw_json_get(node, "mesh") != NULL) {
        return;
    }
    transform local = node_transform(node), global = product(parent, &local);
    const json* joints = tlw_json_need(s->skin, "joints");
    for (uint32_t j = 0; j < s->joint_count; ++j) {
        if ((uint32_t)tlw_json_at(joints, j)->number != index) {
            continue;
        }
        CHECK(!reached[j]);
        reached[j] = true;
        transform inverse;
        for (uint32_t k = 0; k < 16; ++k) {
            inverse.m[k] = tlw_accessor_value(&s->inverse_binds, j, k);
        }
        transform rest = product(&global, &inverse);
        for (int k = 0; k < 16; ++k) {
            CHECK_NEAR(rest.m[k], k % 5 == 0 ? 1.0 : 0.0, 3e-7);
        }
    }
    const json* children = tlw_json_get(node, "children");
    for (const json* c = children ? children->child : NULL; c != NULL; c = c->next) {
        visit(s, (uint32_t)c->number, &global, reached, depth + 1);
    }
}

TLW_TEST(sample_joints_are_all_in_the_scene_and_rest_in_the_bind_pose) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        sample s;
        open_sample((tlw_sample_variant)v, 0, &s);
        CHECK_LE(14u, s.joint_count);
        CHECK_LE(s.joint_count, 20u);
        bool reached[64] = {false};
        transform identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
        const json* scene = tlw_json_at(tlw_json_need(s.file.root, "scenes"), 0);
        for (const json* n = tlw_json_need(scene, "nodes")->child; n != NULL; n = n->next) {
            visit(&s, (uint32_t)n->number, &identity, reached, 0);
        }
        for (uint32_t j = 0; j < s.joint_count; ++j) {
            CHECK(reached[j]);
        }
        close_sample(&s);
    }
}

static bool has_mode(const json* samplers, const char* mode) {
    for (const json* c = samplers->child; c != NULL; c = c->next) {
        if (strcmp(tlw_json_need(c, "interpolation")->text, mode) == 0) {
            return true;
        }
    }
    return false;
}

static double quat_difference(const accessor* a, uint32_t i, uint32_t j) {
    double same = 0.0, opposite = 0.0;
    for (uint32_t k = 0; k < a->width; ++k) {
        double x = tlw_accessor_value(a, i, k), y = tlw_accessor_value(a, j, k);
        same = fmax(same, fabs(x - y));
        opposite = fmax(opposite, fabs(x + y));
    }
    return a->width == 4 ? fmin(same, opposite) : same;
}

// Times ascend from 0, rotations have unit length and take the short way, and loops close.
static void check_sampler(const sample* s, const json* sampler, bool is_loop) {
    accessor times = tlw_glb_accessor(&s->file, tlw_json_index(sampler, "input"));
    accessor values = tlw_glb_accessor(&s->file, tlw_json_index(sampler, "output"));
    bool is_cubic = strcmp(tlw_json_need(sampler, "interpolation")->text, "CUBICSPLINE") == 0;
    uint32_t step = is_cubic ? 3 : 1, first = is_cubic ? 1 : 0;
    CHECK_EQ(values.count, times.count * step);
    CHECK_EQ(tlw_accessor_value(&times, 0, 0), 0.0);
    for (uint32_t k = 0; k < times.count; ++k) {
        double length2 = 0.0, along = 0.0;
        for (uint32_t c = 0; c < values.width; ++c) {
            double x = tlw_accessor_value(&values, k * step + first, c);
            CHECK(x - x == 0.0);
            length2 += x * x;
            along += k > 0 ? x * tlw_accessor_value(&values, (k - 1) * step + first, c) : 0.0;
        }
        if (values.width == 4) {
            CHECK_NEAR(length2, 1.0, 1e-6);
            CHECK(k == 0 || along > 0.5);
        }
        if (k > 0) {
            CHECK_LT(tlw_accessor_value(&times, k - 1, 0), tlw_accessor_value(&times, k, 0));
        }
    }
    if (is_loop) {
        CHECK_LT(quat_difference(&values, first, (times.count - 1) * step + first), 1e-6);
    }
}

TLW_TEST(sample_has_five_clips_that_use_every_interpolation_and_athletic_also_flexes) {
    static const struct {
        const char* name;
        const char* mode; // that it uses, besides LINEAR
        bool is_loop;
    } wanted[] = {{"idle", "STEP", true},           {"walk", "LINEAR", true},
                  {"dance", "LINEAR", true},        {"jump_and_land", "CUBICSPLINE", true},
                  {"sudden_stop", "LINEAR", false}, {"flex", "LINEAR", true}};
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        sample s;
        open_sample((tlw_sample_variant)v, 0, &s);
        const json* animations = tlw_json_need(s.file.root, "animations");
        const uint32_t count = v == TLW_SAMPLE_ATHLETIC ? 6 : 5;
        CHECK_EQ(animations->child_count, count);
        for (uint32_t a = 0; a < count; ++a) {
            const json* clip = tlw_json_at(animations, a);
            CHECK_STRING(tlw_json_need(clip, "name")->text, wanted[a].name);
            const json* samplers = tlw_json_need(clip, "samplers");
            CHECK(has_mode(samplers, "LINEAR"));
            CHECK(has_mode(samplers, wanted[a].mode));
            const json* channels = tlw_json_need(clip, "channels");
            for (const json* c = channels->child; c != NULL; c = c->next) {
                const json* sampler = tlw_json_at(samplers, tlw_json_index(c, "sampler"));
                CHECK(sampler != NULL);
                CHECK_LT(tlw_json_index(tlw_json_need(c, "target"), "node"), s.joint_count);
                check_sampler(&s, sampler, wanted[a].is_loop);
            }
        }
        close_sample(&s);
    }
}

// Speed and standstill of the root in sudden_stop, from its translation track.
TLW_TEST(sample_root_runs_at_30_voxels_per_second_and_stops_dead) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        sample s;
        open_sample((tlw_sample_variant)v, 0, &s);
        double low[3] = {9.0, 9.0, 9.0}, high[3] = {-9.0, -9.0, -9.0}, longest = 0.0;
        for (uint32_t i = 0; i < s.positions.count; ++i) {
            double p[3];
            position_at(&s, i, p);
            for (int k = 0; k < 3; ++k) {
                low[k] = fmin(low[k], p[k]);
                high[k] = fmax(high[k], p[k]);
                longest = fmax(longest, high[k] - low[k]);
            }
        }
        CHECK_NEAR(low[1], 0.0, 0.005); // it stands on the ground
        const json* clip = tlw_json_at(tlw_json_need(s.file.root, "animations"), 4);
        bool is_found = false;
        for (const json* c = tlw_json_need(clip, "channels")->child; c != NULL; c = c->next) {
            const json* target = tlw_json_need(c, "target");
            if (tlw_json_index(target, "node") != joint_named(&s, "root") ||
                strcmp(tlw_json_need(target, "path")->text, "translation") != 0) {
                continue;
            }
            is_found = true;
            const json* sampler =
                tlw_json_at(tlw_json_need(clip, "samplers"), tlw_json_index(c, "sampler"));
            accessor times = tlw_glb_accessor(&s.file, tlw_json_index(sampler, "input"));
            accessor values = tlw_glb_accessor(&s.file, tlw_json_index(sampler, "output"));
            CHECK_EQ(times.count, 3u);
            double seconds = tlw_accessor_value(&times, 1, 0);
            double speed = tlw_accessor_value(&values, 1, 2) / seconds;
            CHECK_NEAR(speed / (longest / 31.5), 30.0, 1.0);
            CHECK_EQ(tlw_accessor_value(&values, 1, 2), tlw_accessor_value(&values, 2, 2));
        }
        CHECK(is_found);
        close_sample(&s);
    }
}

// A joint's translation or rotation in a clip of LINEAR channels; false if the clip has no channel
// for it.
static bool sample_channel(const sample* s, const json* clip, uint32_t node, const char* path,
                           double t, double* out) {
    for (const json* c = tlw_json_need(clip, "channels")->child; c != NULL; c = c->next) {
        const json* target = tlw_json_need(c, "target");
        if (tlw_json_index(target, "node") != node ||
            strcmp(tlw_json_need(target, "path")->text, path) != 0) {
            continue;
        }
        const json* sampler =
            tlw_json_at(tlw_json_need(clip, "samplers"), tlw_json_index(c, "sampler"));
        CHECK_STRING(tlw_json_need(sampler, "interpolation")->text, "LINEAR");
        accessor times = tlw_glb_accessor(&s->file, tlw_json_index(sampler, "input"));
        accessor values = tlw_glb_accessor(&s->file, tlw_json_index(sampler, "output"));
        uint32_t k = 0;
        while (k + 2 < times.count && tlw_accessor_value(&times, k + 1, 0) <= t) {
            ++k;
        }
        uint32_t next = times.count > 1 ? k + 1 : k;
        double from = tlw_accessor_value(&times, k, 0), to = tlw_accessor_value(&times, next, 0);
        double u = to > from ? (t - from) / (to - from) : 0.0;
        for (uint32_t i = 0; i < values.width; ++i) {
            out[i] = (1.0 - u) * tlw_accessor_value(&values, k, i) +
                     u * tlw_accessor_value(&values, next, i);
        }
        return true;
    }
    return false;
}

static transform joint_at(const sample* s, const json* clip, uint32_t node, double t) {
    const json* nodes = tlw_json_need(s->file.root, "nodes");
    transform global = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    while (true) {
        double translation[3], rotation[4];
        transform local = node_transform(tlw_json_at(nodes, node));
        if (sample_channel(s, clip, node, "rotation", t, rotation)) {
            local = rotate_and_move(rotation, (double[]){local.m[12], local.m[13], local.m[14]});
        }
        if (sample_channel(s, clip, node, "translation", t, translation)) {
            memcpy(local.m + 12, translation, sizeof translation);
        }
        global = product(&local, &global);
        uint32_t parent = 0;
        bool has_parent = false;
        for (const json* n = nodes->child; n != NULL && !has_parent; n = n->next, ++parent) {
            const json* children = tlw_json_get(n, "children");
            for (const json* c = children ? children->child : NULL; c != NULL; c = c->next) {
                has_parent = has_parent || (uint32_t)c->number == node;
            }
        }
        if (!has_parent) {
            return global;
        }
        node = parent - 1;
    }
}

TLW_TEST(sample_feet_on_the_ground_stay_where_they_are) {
    static const char* const feet[] = {"foot_l", "foot_r"};
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        sample s;
        open_sample((tlw_sample_variant)v, 0, &s);
        const json* clip = tlw_json_at(tlw_json_need(s.file.root, "animations"), 4);
        CHECK_STRING(tlw_json_need(clip, "name")->text, "sudden_stop");
        for (size_t f = 0; f < TLW_COUNT_OF(feet); ++f) {
            uint32_t joint = joint_named(&s, feet[f]);
            double ground = 9.0, planted = 0.0;
            for (int k = 0; k <= 80; ++k) {
                ground = fmin(ground, joint_at(&s, clip, joint, k / 32.0).m[13]);
            }
            transform last = joint_at(&s, clip, joint, 0.0);
            for (int k = 1; k <= 80; ++k) {
                transform now = joint_at(&s, clip, joint, k / 32.0);
                if (last.m[13] < ground + 0.0005 && now.m[13] < ground + 0.0005) {
                    CHECK_NEAR(now.m[12], last.m[12], 0.002);
                    CHECK_NEAR(now.m[14], last.m[14], 0.002);
                    planted += 1.0;
                }
                last = now;
            }
            CHECK_LT(30.0, planted);
        }
        close_sample(&s);
    }
}

// The angle between the forearm and the line on from the upper arm, in degrees.
static double elbow_at(const sample* s, const json* clip, double t) {
    const transform upper = joint_at(s, clip, joint_named(s, "arm_l"), t);
    const transform lower = joint_at(s, clip, joint_named(s, "forearm_l"), t);
    double cosine = 0.0; // of both bones, which lie along y
    for (int k = 0; k < 3; ++k) {
        cosine += upper.m[4 + k] * lower.m[4 + k];
    }
    return acos(fmin(1.0, cosine)) * 57.29577951308232;
}

// The bind pose has an elbow of 7 degrees.
TLW_TEST(athletic_sample_raises_its_arms_and_bends_its_elbows_by_110_degrees) {
    sample s;
    open_sample(TLW_SAMPLE_ATHLETIC, 0, &s);
    const json* clip = tlw_json_at(tlw_json_need(s.file.root, "animations"), 5);
    CHECK_STRING(tlw_json_need(clip, "name")->text, "flex");
    CHECK_NEAR(elbow_at(&s, clip, 2.0), 110.0, 8.0);
    CHECK_LT(elbow_at(&s, clip, 0.75), 10.0);
    CHECK_LT(elbow_at(&s, clip, 0.0), 30.0);
    const transform shoulder = joint_at(&s, clip, joint_named(&s, "arm_l"), 2.0);
    const transform elbow = joint_at(&s, clip, joint_named(&s, "forearm_l"), 2.0);
    CHECK_NEAR(elbow.m[13], shoulder.m[13], 0.05); // arms are level
    close_sample(&s);
}

TLW_TEST(only_the_athletic_sample_has_a_recipe) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        CHECK((tlw_sample_recipe((tlw_sample_variant)v) != NULL) == (v == TLW_SAMPLE_ATHLETIC));
    }
    CHECK(tlw_sample_recipe(TLW_SAMPLE_VARIANT_COUNT) == NULL);
}

static uint32_t voxels_at(const sample* s, uint32_t resolution) {
    float* positions = malloc(3 * (size_t)s->positions.count * sizeof *positions);
    uint32_t* indices = malloc((size_t)s->indices.count * sizeof *indices);
    CHECK(positions && indices);
    for (uint32_t i = 0; i < s->positions.count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            positions[3 * (size_t)i + k] = (float)tlw_accessor_value(&s->positions, i, k);
        }
    }
    for (uint32_t i = 0; i < s->indices.count; ++i) {
        indices[i] = index_at(s, i);
    }
    uint32_t count = tlw_count_voxels(positions, s->positions.count, indices, s->indices.count / 3,
                                      resolution, NULL, NULL);
    free(positions);
    free(indices);
    return count;
}

TLW_TEST(sample_voxel_counts_are_those_that_the_header_states) {
    static const struct {
        tlw_sample_variant variant;
        uint32_t resolution;
        double voxels;
    } wanted[] = {{TLW_SAMPLE_BUNNY, 32, 3671.0},
                  {TLW_SAMPLE_STOUT, 32, 4798.0},
                  {TLW_SAMPLE_STOUT, 16, 922.0},
                  {TLW_SAMPLE_THIN, 64, 4312.0},
                  {TLW_SAMPLE_ATHLETIC, 48, 3473.0}};
    for (size_t i = 0; i < TLW_COUNT_OF(wanted); ++i) {
        sample s;
        open_sample(wanted[i].variant, 0, &s);
        CHECK_NEAR(voxels_at(&s, wanted[i].resolution), wanted[i].voxels, 0.1 * wanted[i].voxels);
        close_sample(&s);
    }
}

// Checks the counter itself on boxes whose voxels can be counted by hand.
TLW_TEST(voxel_counter_counts_touching_faces_and_hollow_insides) {
    static const uint32_t indices[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    static const struct {
        double size[3];
        uint32_t resolution, voxels;
    } boxes[] = {
        {{7.5, 7.5, 7.5}, 8, 8 * 8 * 8}, // faces a quarter of a voxel inside the grid
        {{7.5, 2.5, 1.5}, 8, 8 * 3 * 2},
        {{7.5, 2.0, 1.0}, 8, 8 * 3 * 2}, // floor(2) + 1 = 3 voxels, faces in the outer ones
    };
    for (size_t b = 0; b < TLW_COUNT_OF(boxes); ++b) {
        float positions[24];
        for (uint32_t v = 0; v < 8; ++v) {
            for (uint32_t k = 0; k < 3; ++k) {
                positions[3 * v + k] = (v >> k & 1u) ? (float)boxes[b].size[k] : 0.0f;
            }
        }
        CHECK_EQ(tlw_count_voxels(positions, 8, indices, 12, boxes[b].resolution, NULL, NULL),
                 boxes[b].voxels);
    }
}

static uint64_t hash_of(const uint8_t* bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

TLW_TEST(sample_bytes_are_the_same_twice_and_everywhere) {
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        sample first;
        open_sample((tlw_sample_variant)v, 0, &first);
        tlw_sample_def def = tlw_default_sample_def((tlw_sample_variant)v);
        uint8_t* again;
        size_t size;
        CHECK_OK(tlw_sample_build(&def, &again, &size));
        CHECK_EQ(size, first.size);
        CHECK_BYTES(again, first.bytes, size);
        free(again);
        CHECK_EQ(hash_of(first.bytes, size), golden_hashes[v]);
        close_sample(&first);
    }
}

static void* refuse(void* old, size_t old_bytes, size_t new_bytes, void* user) {
    (void)old_bytes;
    (void)new_bytes;
    ++*(int*)user;
    return old; // null: nothing was given before
}

TLW_TEST(sample_build_names_what_is_wrong_with_its_def) {
    uint8_t* bytes;
    size_t size;
    tlw_sample_def def = tlw_default_sample_def(TLW_SAMPLE_BUNNY);
    def.cookie = 0;
    CHECK_RESULT(tlw_sample_build(&def, &bytes, &size), TLW_ERROR_BAD_DEF);
    CHECK(bytes == NULL);
    def = tlw_default_sample_def(TLW_SAMPLE_VARIANT_COUNT);
    CHECK_RESULT(tlw_sample_build(&def, &bytes, &size), TLW_ERROR_BAD_ARGUMENT);
    def = tlw_default_sample_def(TLW_SAMPLE_BUNNY);
    def.resolution = TLW_SAMPLE_RESOLUTION_MAX + 1;
    CHECK_RESULT(tlw_sample_build(&def, &bytes, &size), TLW_ERROR_BAD_ARGUMENT);
    def.resolution = TLW_SAMPLE_RESOLUTION_MIN - 1;
    CHECK_RESULT(tlw_sample_build(&def, &bytes, &size), TLW_ERROR_BAD_ARGUMENT);
    def.resolution = TLW_SAMPLE_RESOLUTION_MIN;
    int asked = 0;
    def.grow = refuse;
    def.user = &asked;
    CHECK_RESULT(tlw_sample_build(&def, &bytes, &size), TLW_ERROR_OUT_OF_MEMORY);
    CHECK_EQ(asked, 1);
    CHECK(bytes == NULL && size == 0);
    CHECK(tlw_sample_variant_name(TLW_SAMPLE_VARIANT_COUNT) == NULL);
}
