// SPDX-License-Identifier: MIT
// Samples bound to their lattices (RULES 5 and 10): exact at rest, and close to the artist's
// skinning when the lattice is posed by skinning alone. Prints the measured distances in % of L for
// each sample and clip.
#include "runtime/blob.h"
#include "tests/cook/support/skinning_deviation.h"
#include "tests/test.h"
#include "tools/asset/to_cook.h"
#include "tools/sample/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    const tlw_blob_lattice* lattice = tlw_blob_find(out.blob, TLW_SECTION_LATTICE, &count);
    count = lattice->vertex_count;
    CHECK_EQ(count, cook.input.meshes[0].vertex_count); // every vertex is bound
    tlw_blob blob;
    tlw_vertex* vertices = malloc(count * sizeof *vertices);
    tlw_vertex_binding* bindings = malloc(count * sizeof *bindings);
    CHECK(vertices != NULL && bindings != NULL);
    CHECK_OK(tlw_blob_open(out.blob, out.blob_bytes, TLW_BLOB_SKIP_CONTENT_HASH, &blob, NULL));
    CHECK_OK(tlw_blob_get_vertices(&blob, TLW_ORDER_SOURCE, 0, (uint32_t)count, vertices));
    CHECK_OK(tlw_blob_get_bindings(&blob, TLW_ORDER_SOURCE, 0, (uint32_t)count, bindings));
    // At rest p0 + (x0 - p0) is x0 for any voxels, if the weights sum to 1.
    for (uint32_t v = 0; v < count; ++v) {
        double sum = 0.0;
        for (int i = 0; i < 8; ++i) {
            sum += (double)bindings[v].weights[i];
        }
        CHECK_EQ(sum, 1.0);
        for (int axis = 0; axis < 3; ++axis) {
            const double x = (double)vertices[v].position[axis];
            const double source =
                (double)cook.input.meshes[0].positions[(size_t)v * 3 + (size_t)axis];
            CHECK_NEAR(x * sum / lattice->voxel_metres, source / lattice->voxel_metres, 1e-4);
        }
    }
    free(vertices);
    free(bindings);
    double mean = 0.0, farthest = 0.0;
    CHECK_LT(0u, asset->clip_count);
    for (uint32_t clip = 0; clip < asset->clip_count; ++clip) {
        const skinning_deviation found =
            measure_skinning(asset, &cook, out.blob, clip, FRAMES_PER_CLIP);
        printf("posed by skinning alone, %% of L: %s at 32, %s: mean %.4f, farthest %.3f\n",
               tlw_sample_variant_name(variant), asset->clips[clip].name, 100.0 * found.mean,
               100.0 * found.farthest);
        CHECK_LT(0.0, found.mean); // it was posed
        mean += found.mean / asset->clip_count;
        farthest = fmax(farthest, found.farthest);
    }
    printf("posed by skinning alone, %% of L: %s at 32, all clips: mean %.4f, farthest %.3f\n",
           tlw_sample_variant_name(variant), 100.0 * mean, 100.0 * farthest);
    CHECK_LE(mean, 0.004);
    tlw_cook_output_free(&out);
    tlw_asset_cook_free(&cook);
    tlw_asset_free(asset);
    free(glb);
}

TLW_TEST(samples_are_bound_exactly_and_the_lattice_alone_follows_the_artist) {
    for (int variant = 0; variant < TLW_SAMPLE_PAPER_COUNT; ++variant) {
        check_sample((tlw_sample_variant)variant);
    }
}
