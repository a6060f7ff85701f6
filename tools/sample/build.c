// SPDX-License-Identifier: MIT
// Runs the stages of a sample in order (build.h lists them): shape, mesh, rig and weights, clips,
// GLB. Reads a tlw_sample_def, writes the bytes of a GLB file.
#include "tools/sample/build.h"

#include "tools/command/memory.h"

#include <stdlib.h>

#define SAMPLE_DEF_COOKIE 0x53414d50u

static const char* const variant_names[TLW_SAMPLE_VARIANT_COUNT] = {
#define VARIANT_NAME(id, name) name,
    TLW_SAMPLE_VARIANTS(VARIANT_NAME)
#undef VARIANT_NAME
};

const char* tlw_sample_variant_name(tlw_sample_variant variant) {
    return (unsigned)variant < TLW_SAMPLE_VARIANT_COUNT ? variant_names[variant] : NULL;
}

tlw_sample_def tlw_default_sample_def(tlw_sample_variant variant) {
    return (tlw_sample_def){.variant = variant, .grow = tlw_heap_grow, .cookie = SAMPLE_DEF_COOKIE};
}

tlw_result tlw_sample_build(const tlw_sample_def* def, uint8_t** bytes, size_t* size) {
    *bytes = NULL;
    *size = 0;
    if (def->cookie != SAMPLE_DEF_COOKIE || def->grow == NULL) {
        return TLW_ERROR_BAD_DEF;
    }
    if ((unsigned)def->variant >= TLW_SAMPLE_VARIANT_COUNT ||
        (def->resolution != 0 && (def->resolution < TLW_SAMPLE_RESOLUTION_MIN ||
                                  def->resolution > TLW_SAMPLE_RESOLUTION_MAX))) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    sample_shape shape;
    sample_mesh mesh;
    sample_rig rig;
    tlw_sample_make_shape(def->variant, &shape);
    tlw_result result =
        tlw_sample_polygonise(&shape, def->resolution ? def->resolution : shape.resolution, &mesh);
    if (result != TLW_OK) {
        return result;
    }
    tlw_sample_make_rig(&shape, &rig);
    sample_clip* clips = malloc(CLIP_COUNT * sizeof *clips);
    result = clips ? tlw_sample_make_weights(&shape, &mesh) : TLW_ERROR_OUT_OF_MEMORY;
    if (result == TLW_OK) {
        for (int c = 0; c < tlw_sample_clip_count(def->variant); ++c) {
            tlw_sample_make_clip(&shape, &rig, (sample_clip_id)c, &clips[c]);
        }
        result = tlw_sample_write_glb(def, &shape, &mesh, &rig, clips, bytes, size);
    }
    free(clips);
    tlw_sample_free_mesh(&mesh);
    return result;
}
