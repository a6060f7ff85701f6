// SPDX-License-Identifier: MIT
// Samples bound to their lattices (RULES 5 and 10): exact at rest, and close to the artist's
// skinning when the lattice is posed by skinning alone. Prints the measured distances in % of L for
// each sample and clip.
#include "runtime/blob.h"
#include "tests/test.h"
#include "tools/asset/to_cook.h"
#include "tools/sample/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Binds of samples are rigid, so the inverse is that of a rotation and a translation.
static void skinning_matrix(const double* now, const double* bind, double* out) {
    double inverse[16] = {0};
    for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) {
            inverse[c * 4 + r] = bind[r * 4 + c];
            inverse[12 + r] -= bind[r * 4 + c] * bind[12 + c];
        }
    }
    inverse[15] = 1.0;
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 4; ++r) {
            out[c * 4 + r] = 0.0;
            for (int k = 0; k < 4; ++k) {
                out[c * 4 + r] += now[k * 4 + r] * inverse[c * 4 + k];
            }
        }
    }
}

static void add_skinned(const double* m, const float* x, double weight, double* out) {
    for (int r = 0; r < 3; ++r) {
        out[r] += weight * (m[r] * (double)x[0] + m[4 + r] * (double)x[1] +
                            m[8 + r] * (double)x[2] + m[12 + r]);
    }
}

typedef struct bound {
    const tlw_blob_lattice* lattice;
    const tlw_blob_vertex* vertices;
    const tlw_blob_skinning* skinning;
    const tlw_blob_binding* bindings;
    const tlw_blob_window* windows;
    const uint16_t* joints;
    const float* weights;
} bound;

static double distance_of(const bound* b, uint32_t v, const double* skin) {
    double artist[3] = {0}, lattice[3] = {0};
    const float* x = b->vertices[v].position;
    for (int i = 0; i < 8; ++i) {
        add_skinned(skin + (size_t)b->skinning[v].joints[i] * 16, x,
                    (double)b->skinning[v].weights[i], artist);
        const uint32_t slot = b->bindings[v].slots[i];
        const tlw_blob_window* window = &b->windows[slot / TLW_BLOB_LANES];
        for (uint32_t k = 0; k < window->influences && b->bindings[v].weights[i] > 0.0f; ++k) {
            const size_t at = (size_t)window->first_influence + k;
            add_skinned(skin + (size_t)b->joints[at] * 16, x,
                        (double)b->bindings[v].weights[i] *
                            (double)b->weights[at * TLW_BLOB_LANES + slot % TLW_BLOB_LANES],
                        lattice);
        }
    }
    return sqrt((artist[0] - lattice[0]) * (artist[0] - lattice[0]) +
                (artist[1] - lattice[1]) * (artist[1] - lattice[1]) +
                (artist[2] - lattice[2]) * (artist[2] - lattice[2]));
}

#define FRAMES_PER_CLIP 4

static void check_sample(tlw_sample_variant variant) {
    const tlw_sample_def def = tlw_default_sample_def(variant);
    uint8_t* glb;
    size_t size;
    tlw_asset* asset;
    tlw_asset_cook cook;
    CHECK_OK(tlw_sample_build(&def, &glb, &size));
    CHECK_EQ(tlw_asset_load_memory(glb, size, NULL, NULL, &asset, NULL), TLW_ASSET_OK);
    const tlw_asset_cook_options to_cook = tlw_default_asset_cook_options();
    CHECK_EQ(tlw_asset_to_cook(asset, &to_cook, &cook, NULL), TLW_ASSET_OK);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 32;
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_cook_output out;
    CHECK_OK(tlw_cook_character(&cook.input, &recipe, &options, &out));
    uint64_t count;
    bound b = {.lattice = tlw_blob_find(out.blob, TLW_SECTION_LATTICE, &count)};
    b.skinning = tlw_blob_find(out.blob, TLW_SECTION_SKINNING, &count);
    b.bindings = tlw_blob_find(out.blob, TLW_SECTION_BINDINGS, &count);
    b.windows = tlw_blob_find(out.blob, TLW_SECTION_WINDOWS, &count);
    b.joints = tlw_blob_find(out.blob, TLW_SECTION_INFLUENCE_JOINT, &count);
    b.weights = tlw_blob_find(out.blob, TLW_SECTION_INFLUENCE_WEIGHT, &count);
    b.vertices = tlw_blob_find(out.blob, TLW_SECTION_VERTICES, &count);
    CHECK_EQ(count, cook.input.meshes[0].vertex_count); // every vertex is bound
    // At rest p0 + (x0 - p0) is x0 for any voxels, if the weights sum to 1.
    for (uint32_t v = 0; v < count; ++v) {
        double sum = 0.0;
        for (int i = 0; i < 8; ++i) {
            sum += (double)b.bindings[v].weights[i];
        }
        CHECK_NEAR(sum, 1.0, 1e-6);
        for (int axis = 0; axis < 3; ++axis) {
            const double x = (double)b.vertices[v].position[axis];
            const double source =
                (double)cook.input.meshes[0].positions[(size_t)v * 3 + (size_t)axis];
            CHECK_NEAR(x * sum / b.lattice->voxel_metres, source / b.lattice->voxel_metres, 1e-4);
        }
    }
    tlw_asset_transform* pose = calloc(asset->node_count, sizeof *pose);
    double* globals = calloc(asset->node_count * 16, sizeof *globals);
    double* now = calloc(cook.input.joint_count * 16, sizeof *now);
    CHECK(pose != NULL && globals != NULL && now != NULL);
    const double extent = b.lattice->extent_voxels * b.lattice->voxel_metres;
    double mean = 0.0, farthest = 0.0;
    CHECK_LT(0u, asset->clip_count);
    for (uint32_t clip = 0; clip < asset->clip_count; ++clip) {
        double sum = 0.0, most = 0.0;
        for (int i = 0; i < FRAMES_PER_CLIP; ++i) {
            tlw_asset_evaluate_clip(
                asset, clip, asset->clips[clip].duration_seconds * i / FRAMES_PER_CLIP, pose);
            tlw_asset_global_matrices(asset, pose, globals);
            tlw_asset_cook_pose(&cook, globals, now);
            for (uint32_t j = 0; j < cook.input.joint_count; ++j) {
                double m[16];
                skinning_matrix(now + (size_t)j * 16, cook.input.joints[j].bind, m);
                memcpy(now + (size_t)j * 16, m, sizeof m);
            }
            for (uint32_t v = 0; v < count; ++v) {
                const double away = distance_of(&b, v, now) / extent;
                sum += away / (double)count / FRAMES_PER_CLIP;
                most = away > most ? away : most;
            }
        }
        printf("posed by skinning alone, %% of L: %s at 32, %s: mean %.4f, farthest %.3f\n",
               tlw_sample_variant_name(variant), asset->clips[clip].name, 100.0 * sum,
               100.0 * most);
        CHECK_LT(0.0, sum); // it was posed
        mean += sum / asset->clip_count;
        farthest = most > farthest ? most : farthest;
    }
    printf("posed by skinning alone, %% of L: %s at 32, all clips: mean %.4f, farthest %.3f\n",
           tlw_sample_variant_name(variant), 100.0 * mean, 100.0 * farthest);
    CHECK_LE(mean, 0.004);
    free(pose);
    free(globals);
    free(now);
    tlw_cook_output_free(&out);
    tlw_asset_cook_free(&cook);
    tlw_asset_free(asset);
    free(glb);
}

TLW_TEST(samples_are_bound_exactly_and_the_lattice_alone_follows_the_artist) {
    for (int variant = 0; variant < TLW_SAMPLE_VARIANT_COUNT; ++variant) {
        check_sample((tlw_sample_variant)variant);
    }
}
