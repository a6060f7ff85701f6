// SPDX-License-Identifier: MIT
// The oracle cooker, RULES 8.9: reads layers and parts of the recipe, writes which layers of which
// parts are lame, with their numbers, and which voxels are. Windows (RULES 9.15) are of the blob.
#include "tests/cook/oracle/oracle_private.h"

#define YOUNG_KPA 3.0f
#define POISSON   0.4975f
#define DENSITY   950.0f

// What is said of a layer: by the part, or else by part 0.
static float said(float of_part, float of_whole) {
    return of_part >= 0 ? of_part : of_whole;
}

static const char* make_part(const tlw_cook_recipe* recipe, const tlw_cook_part* given,
                             oracle_part* part) {
    float young = YOUNG_KPA, poisson = POISSON, density = DENSITY;
    for (uint32_t layer = 0; layer < recipe->layer_count; ++layer) {
        tlw_cook_lame lame = recipe->layers[layer].lame;
        if (given != NULL) {
            const tlw_cook_lame* own = &given->lame[layer];
            lame.solver = own->solver != TLW_SOLVER_KEEP ? own->solver : lame.solver;
            lame.young_kpa = said(own->young_kpa, lame.young_kpa);
            lame.poisson = said(own->poisson, lame.poisson);
            lame.density = said(own->density, lame.density);
        }
        const bool was_lame = layer > 0 && part->is_lame[layer - 1];
        if (was_lame && lame.solver == TLW_SOLVER_SHAPE) {
            return "a layer outside a Lame layer has another solver";
        }
        if (layer == 0 && lame.solver == TLW_SOLVER_LAME) {
            return "layer 0 is lame";
        }
        part->is_lame[layer] = was_lame || lame.solver == TLW_SOLVER_LAME;
        if (part->is_lame[layer]) {
            // What is not said is that of the layer inside it, the default for the first.
            young = said(lame.young_kpa, young);
            poisson = said(lame.poisson, poisson);
            density = said(lame.density, density);
            part->young_kpa[layer] = (double)young;
            part->poisson[layer] = (double)poisson;
            part->density[layer] = (double)density;
        }
    }
    return NULL;
}

const char* oracle_make_lame(oracle_work* work) {
    oracle_result* result = work->result;
    const char* error = NULL;
    for (uint32_t p = 0; p < result->part_count && error == NULL; ++p) {
        oracle_part* part = &result->parts[p];
        if (part->kind == ORACLE_PART_WHOLE) {
            error = make_part(work->recipe, NULL, part);
        } else if (part->kind == ORACLE_PART_RECIPE) {
            error = make_part(work->recipe, &work->recipe->parts[p - 1], part);
        }
    }
    for (uint32_t v = 0; v < result->voxel_count && error == NULL; ++v) {
        oracle_voxel* voxel = &result->voxels[v];
        voxel->is_lame = result->parts[voxel->part].is_lame[voxel->layer];
    }
    return error;
}
