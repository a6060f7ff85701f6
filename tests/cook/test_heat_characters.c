// SPDX-License-Identifier: MIT
// Heat, diffusion and geodesic weights on characters whose artist's weights are known (RULES 5):
// the mean deviation from the artist's skinning over all clips (support/skinning_deviation.h), in %
// of L at resolution 32. The samples are always here, the real characters only where a folder has
// them.
#include "tests/cook/support/skinning_deviation.h"
#include "tests/test.h"
#include "tools/asset/asset.h"
#include "tools/cook/cook.h"
#include "tools/sample/sample.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOMENTS = 8, CLIPS_MAX = 5 }; // moments per clip

static tlw_asset* load_model(const char* file) {
    char path[1024];
    tlw_asset* asset;
    tlw_asset_error error;
    snprintf(path, sizeof path, "%s/%s", TLW_TEST_MODELS, file);
    const tlw_asset_code code = tlw_asset_load(path, NULL, &asset, &error);
    if (code == TLW_ASSET_CANNOT_READ) {
        tlw_test_skip(__FILE__, __LINE__, "the models are not here");
    }
    CHECK_EQ(code, TLW_ASSET_OK);
    return asset;
}

static tlw_asset* load_sample(tlw_sample_variant variant) {
    const tlw_sample_def def = tlw_default_sample_def(variant);
    uint8_t* glb;
    size_t size;
    tlw_asset* asset;
    CHECK_OK(tlw_sample_build(&def, &glb, &size));
    CHECK_EQ(tlw_asset_load_memory(glb, size, NULL, NULL, &asset, NULL), TLW_ASSET_OK);
    free(glb);
    return asset;
}

typedef struct measured {
    double mean;               // % of L, over all clips
    double of_clip[CLIPS_MAX]; // % of L
    uint32_t sweeps;
} measured;

static measured measure(const char* name, const tlw_asset* asset, tlw_cook_weights weights,
                        const char* mode) {
    const tlw_asset_cook_options to_cook = tlw_default_asset_cook_options();
    const tlw_cook_options options = tlw_default_cook_options();
    tlw_asset_cook cook;
    tlw_cook_output out;
    CHECK_EQ(tlw_asset_to_cook(asset, &to_cook, &cook, NULL), TLW_ASSET_OK);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    recipe.resolution = 32;
    recipe.weights = weights;
    CHECK_OK(tlw_cook_character(&cook.input, &recipe, &options, &out));
    CHECK_EQ(out.report.weights, weights);
    measured m = {.sweeps = out.report.weight_sweeps};
    CHECK_LT(0u, asset->clip_count);
    CHECK_LE(asset->clip_count, (uint32_t)CLIPS_MAX);
    for (uint32_t clip = 0; clip < asset->clip_count; ++clip) {
        const skinning_deviation found = measure_skinning(asset, &cook, out.blob, clip, MOMENTS);
        m.of_clip[clip] = 100.0 * found.mean;
        m.mean += m.of_clip[clip] / asset->clip_count;
    }
    printf("%s at 32, %s: mean deviation %.3f%% of L, %u sweeps\n", name, mode, m.mean, m.sweeps);
    CHECK_LT(0.0, m.mean); // it was posed
    tlw_cook_output_free(&out);
    tlw_asset_cook_free(&cook);
    return m;
}

// Frees the asset.
static measured check_heat(const char* name, tlw_asset* asset, uint32_t diffusion_sweeps,
                           bool is_better) {
    const measured heat = measure(name, asset, TLW_WEIGHTS_HEAT, "heat");
    const measured diffusion = measure(name, asset, TLW_WEIGHTS_DIFFUSION, "diffusion");
    const measured geodesic = measure(name, asset, TLW_WEIGHTS_GEODESIC, "geodesic");
    CHECK(heat.mean < geodesic.mean || !is_better);
    CHECK_LT(heat.sweeps, 600u);
    CHECK_EQ(diffusion.sweeps, diffusion_sweeps);
    tlw_asset_free(asset);
    return heat;
}

TLW_TEST(heat_follows_the_artist_of_the_samples_more_closely_than_paths) {
    if (!TLW_UNDER_SANITIZER) { // half a minute there; the thin one is tested
        (void)check_heat("bunny", load_sample(TLW_SAMPLE_BUNNY), 8, true);
        (void)check_heat("stout", load_sample(TLW_SAMPLE_STOUT), 10, true);
    }
    (void)check_heat("thin", load_sample(TLW_SAMPLE_THIN), 4, true);
}

TLW_TEST(heat_follows_the_artist_of_the_fox_more_closely_than_paths) {
    tlw_asset* asset = load_model("Fox.glb");
    const uint32_t run = tlw_asset_find_clip(asset, "Run");
    CHECK_LT(run, asset->clip_count);
    const measured heat = check_heat("Fox", asset, 4, true);
    CHECK_LT(heat.of_clip[run], 0.80);
}

// Its limbs are thin, where heat and paths are alike.
TLW_TEST(heat_follows_the_artist_of_the_figure) {
    const measured heat = check_heat("RiggedFigure", load_model("RiggedFigure.glb"), 3, false);
    CHECK_LT(heat.mean, 0.12);
}
