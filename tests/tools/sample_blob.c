// SPDX-License-Identifier: MIT
// Builds the cook input of a sample once per process, and cooks it as often as asked.
#include "tests/tools/sample_blob.h"

#include "tools/asset/to_cook.h"
#include "tools/sample/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char failure[512];

// Building a sample takes longer than cooking it at a low resolution.
static const tlw_asset_cook* built_once(tlw_sample_variant variant) {
    static tlw_asset_cook built[TLW_SAMPLE_VARIANT_COUNT];
    static bool is_built[TLW_SAMPLE_VARIANT_COUNT];
    if (is_built[variant]) {
        return &built[variant];
    }
    const tlw_sample_def def = tlw_default_sample_def(variant);
    uint8_t* glb;
    size_t size;
    const tlw_result result = tlw_sample_build(&def, &glb, &size);
    if (result != TLW_OK) {
        snprintf(failure, sizeof failure, "%s", tlw_result_meaning(result));
        return NULL;
    }
    tlw_asset* asset;
    tlw_asset_error error;
    tlw_asset_code code = tlw_asset_load_memory(glb, size, NULL, NULL, &asset, &error);
    free(glb);
    if (code == TLW_ASSET_OK) {
        const tlw_asset_cook_options options = tlw_default_asset_cook_options();
        code = tlw_asset_to_cook(asset, &options, &built[variant], &error);
        tlw_asset_free(asset);
    }
    if (code != TLW_ASSET_OK) {
        snprintf(failure, sizeof failure, "%s", error.message);
        return NULL;
    }
    is_built[variant] = true;
    return &built[variant];
}

const char* sample_blob_cook(const char* variant, const tlw_cook_recipe* recipe,
                             tlw_cook_output* output) {
    *output = (tlw_cook_output){0};
    for (int v = 0; v < TLW_SAMPLE_VARIANT_COUNT; ++v) {
        if (strcmp(variant, tlw_sample_variant_name((tlw_sample_variant)v)) != 0) {
            continue;
        }
        const tlw_asset_cook* cook = built_once((tlw_sample_variant)v);
        if (cook == NULL) {
            return failure;
        }
        const tlw_cook_options options = tlw_default_cook_options();
        return tlw_cook_character(&cook->input, recipe, &options, output) == TLW_OK
                   ? NULL
                   : output->error.message;
    }
    return "no such variant";
}
