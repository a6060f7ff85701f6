// SPDX-License-Identifier: MIT
// Stage weight mode (RULES 5.8): artist weights, or how to compute them, decided once for the whole
// character. Reads the recipe and cook->welded; writes cook->weight_mode and
// cook->has_artist_weights.
#include "tools/cook/stages.h"

tlw_result tlw_cook_choose_weights(tlw_cook* cook) {
    bool has_weights = false;
    for (uint32_t t = 0; t < cook->welded.triangle_count && !has_weights; ++t) {
        has_weights = tlw_has_weights(&cook->welded, t);
    }
    if (cook->recipe->weights == TLW_WEIGHTS_ARTIST && !has_weights) {
        cook->is_about_recipe = true;
        tlw_cook_blame(cook, "weights");
        return tlw_cook_fail(cook, TLW_ERROR_BAD_ARGUMENT,
                             "the recipe asks for the artist's weights, but the mesh has none");
    }
    cook->weight_mode = cook->recipe->weights;
    if (cook->weight_mode == TLW_WEIGHTS_AUTO) {
        cook->weight_mode = has_weights ? TLW_WEIGHTS_ARTIST : TLW_WEIGHTS_HEAT;
    }
    cook->has_artist_weights = cook->weight_mode == TLW_WEIGHTS_ARTIST;
    return TLW_OK;
}
