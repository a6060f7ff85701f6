// SPDX-License-Identifier: MIT
// The cooking library against the oracle cooker on characters: the three samples, and the real
// characters in TLW_TEST_MODELS where that folder exists.
#include "tests/cook/support/agreement.h"
#include "tests/test.h"
#include "tools/asset/asset.h"
#include "tools/asset/to_cook.h"
#include "tools/sample/sample.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t check_asset(const char* name, tlw_asset* asset, uint32_t resolution) {
    static const tlw_cook_weights modes[] = {TLW_WEIGHTS_HEAT, TLW_WEIGHTS_DIFFUSION,
                                             TLW_WEIGHTS_GEODESIC, TLW_WEIGHTS_AUTO};
    tlw_asset_cook_options options = tlw_default_asset_cook_options();
    tlw_asset_cook cook;
    tlw_asset_error error;
    CHECK_EQ(tlw_asset_to_cook(asset, &options, &cook, &error), TLW_ASSET_OK);
    tlw_cook_recipe recipe = tlw_default_cook_recipe();
    uint32_t voxels = 0;
    for (size_t m = TLW_UNDER_SANITIZER ? 3 : 0; m < TLW_COUNT_OF(modes); ++m) {
        recipe.weights = modes[m];
        recipe.resolution = modes[m] == TLW_WEIGHTS_AUTO ? resolution : 20;
        voxels = check_agreement(name, &cook.input, &recipe);
    }
    tlw_asset_cook_free(&cook);
    tlw_asset_free(asset);
    return voxels;
}

TLW_TEST(library_and_oracle_agree_on_the_samples) {
    static const struct {
        tlw_sample_variant variant;
        const char* name;
        uint32_t resolution,
            expected; // voxels of the paper's character that it stands for (Table 1)
    } samples[] = {{TLW_SAMPLE_BUNNY, "bunny", 32, 3671},
                   {TLW_SAMPLE_STOUT, "stout", 16, 922},
                   {TLW_SAMPLE_THIN, "thin", 64, 4312}};
    for (size_t i = 0; i < TLW_COUNT_OF(samples); ++i) {
        tlw_sample_def def = tlw_default_sample_def(samples[i].variant);
        uint8_t* bytes;
        size_t size;
        CHECK_OK(tlw_sample_build(&def, &bytes, &size));
        tlw_asset_limits limits = tlw_default_asset_limits();
        tlw_asset* asset;
        tlw_asset_error error;
        CHECK_EQ(tlw_asset_load_memory(bytes, size, NULL, &limits, &asset, &error), TLW_ASSET_OK);
        free(bytes);
        const uint32_t voxels = check_asset(samples[i].name, asset, samples[i].resolution);
        CHECK_NEAR((double)voxels / samples[i].expected, 1.0, 0.1);
    }
}

TLW_TEST(library_and_oracle_agree_on_real_characters) {
    static const char* const names[] = {"Fox.glb", "RiggedFigure.glb"};
    for (size_t i = 0; i < TLW_COUNT_OF(names); ++i) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", TLW_TEST_MODELS, names[i]);
        tlw_asset_limits limits = tlw_default_asset_limits();
        tlw_asset* asset;
        tlw_asset_error error;
        const tlw_asset_code code = tlw_asset_load(path, &limits, &asset, &error);
        if (code == TLW_ASSET_CANNOT_READ) {
            tlw_test_skip(__FILE__, __LINE__, "the models are not here");
        }
        CHECK_EQ(code, TLW_ASSET_OK);
        CHECK_LT(1000u, check_asset(names[i], asset, 40));
    }
}
