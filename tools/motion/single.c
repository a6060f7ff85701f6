// SPDX-License-Identifier: MIT
// One system for the whole body, as Figure 2 of Luo et al. has it beside several.
#include "tools/motion/surface.h"
#include "tools/motion/systems.h"

#include <stdlib.h>

// Values at the centres are delta's, as they are for the systems of the blob.
static void apply(tlw_surface* s, tlw_systems* systems, uint32_t centre_count, float (*values)[3],
                  float (*out)[3]) {
    const uint32_t* centres = tlw_systems_centres(systems);
    for (uint32_t c = 0; c < centre_count; ++c) {
        for (size_t axis = 0; axis < 3; ++axis) {
            values[c][axis] = s->deltas[(size_t)s->first_of[centres[c]] * 3 + axis];
        }
    }
    tlw_systems_apply(systems, (const float(*)[3])values, out);
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        for (size_t axis = 0; axis < 3; ++axis) {
            const size_t at = (size_t)v * 3 + axis;
            s->deltas[at] = out[s->welded_of[v]][axis];
            s->positions[at] = s->skinned[at] + s->deltas[at];
        }
    }
}

bool tlw_surface_embed_single(tlw_surface* s, tlw_motion* motion) {
    uint64_t count;
    const tlw_blob_rbf* head = tlw_blob_find(s->actor->blob_memory, TLW_SECTION_RBF, &count);
    const tlw_surface_look delta = {.embedding = TLW_EMBED_DELTA};
    if (!s->actor->info.has_rbf || !tlw_surface_embed(s, motion, &delta)) {
        return false;
    }
    const size_t room = (size_t)s->welded_count + 1;
    double(*points)[3] = calloc(room, sizeof *points);
    float(*values)[3] = calloc(room, sizeof *values);
    float(*out)[3] = calloc(room, sizeof *out);
    tlw_systems* systems = NULL;
    if (points && values && out) {
        for (uint32_t w = 0; w < s->welded_count; ++w) {
            for (size_t axis = 0; axis < 3; ++axis) {
                points[w][axis] =
                    (double)tlw_actor_vertices(s->actor)[s->first_of[w]].position[axis];
            }
        }
        const tlw_systems_def def = {.point_count = s->welded_count,
                                     .points = (const double(*)[3])points,
                                     .centre_count = head->centre_count};
        systems = tlw_systems_make(&def);
    }
    if (systems) {
        apply(s, systems, head->centre_count, values, out);
    }
    const bool is_good = systems != NULL;
    tlw_systems_free(systems);
    free(points);
    free(values);
    free(out);
    return is_good;
}
