// SPDX-License-Identifier: MIT
// Stage paint (RULES 8.7): what artists painted on vertices, as a number per voxel, from the
// closest point of the mesh and smoothed like their weights. Reads cook->welded, cook->surface and
// cook->links, and frees the first two, which no later stage reads; writes cook->paint.
#include "tools/cook/stages.h"

#include <math.h>

// Nothing is painted there.
static const uint32_t unpainted[TLW_COOK_PAINTS] = {
    [TLW_PAINT_FAT] = 0,
    [TLW_PAINT_STIFFNESS] = TLW_PAINT_ONE / 2,
};

static tlw_result read_paint(tlw_cook* cook, int which) {
    const uint32_t count = cook->voxels.count;
    const double* painted = cook->welded.paint[which];
    uint32_t* rounded = tlw_cook_allocate(cook, count, sizeof *rounded);
    double* field = tlw_cook_allocate(cook, count, sizeof *field);
    double* smoothed = tlw_cook_allocate(cook, count, sizeof *smoothed);
    if (cook->error.result != TLW_OK) {
        return cook->error.result;
    }
    for (uint32_t v = 0; v < count; ++v) {
        const tlw_surface_point* s = &cook->surface[v];
        const uint32_t* vertex = cook->welded.triangles[s->triangle];
        field[v] = (s->share[0] * painted[vertex[0]] + s->share[1] * painted[vertex[1]]) +
                   s->share[2] * painted[vertex[2]];
    }
    for (uint32_t pass = 0; pass < cook->recipe->smoothing_passes; ++pass) {
        tlw_cook_smooth(cook, field, smoothed);
        double* swapped = field;
        field = smoothed;
        smoothed = swapped;
    }
    for (uint32_t v = 0; v < count; ++v) {
        const double value = field[v] < 0.0 ? 0.0 : field[v] > 1.0 ? 1.0 : field[v]; // rounding
        rounded[v] = (uint32_t)floor(value * TLW_PAINT_ONE + 0.5);
        cook->paint.voxels[which] += rounded[v] != unpainted[which];
    }
    cook->paint.of_voxel[which] = rounded;
    tlw_cook_free(cook, field);
    tlw_cook_free(cook, smoothed);
    return TLW_OK;
}

// No later stage reads the welded mesh: vertices are bound as the input has them.
static void free_welded(tlw_cook* cook) {
    tlw_cook_welded* welded = &cook->welded;
    tlw_cook_free(cook, welded->positions);
    tlw_cook_free(cook, welded->snapped);
    tlw_cook_free(cook, welded->influence_begin);
    tlw_cook_free(cook, welded->influences);
    tlw_cook_free(cook, welded->triangles);
    tlw_cook_free(cook, welded->next_side);
    tlw_cook_free(cook, cook->surface);
    welded->positions = NULL;
    welded->snapped = NULL;
    welded->influence_begin = NULL;
    welded->influences = NULL;
    welded->triangles = NULL;
    welded->next_side = NULL;
    cook->surface = NULL;
}

tlw_result tlw_cook_read_paint(tlw_cook* cook) {
    tlw_result result = TLW_OK;
    for (int i = 0; i < TLW_COOK_PAINTS && result == TLW_OK; ++i) {
        if (cook->welded.paint[i] != NULL) {
            result = read_paint(cook, i);
            tlw_cook_free(cook, cook->welded.paint[i]);
            cook->welded.paint[i] = NULL;
        }
    }
    free_welded(cook);
    return result;
}
