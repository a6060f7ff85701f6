// SPDX-License-Identifier: MIT
// Muscles as the engine sees them: tensions in, elongations and lines out (MODEL 3.18, 3.19).
#include "platform/fpu.h"
#include "runtime/world/world.h"

// TLW_ERROR_BAD_ARGUMENT for a muscle that the blob does not have.
static tlw_result find_muscle(const tlw_world* world, tlw_character_id id, uint32_t muscle,
                              tlw_character** out) {
    const tlw_result result = tlw_world_find(world, id, out);
    if (result != TLW_OK) {
        return result;
    }
    return muscle < (*out)->blob.lattice->muscle_count ? TLW_OK : TLW_ERROR_BAD_ARGUMENT;
}

tlw_result tlw_character_set_tension(tlw_world* world, tlw_character_id id, uint32_t muscle,
                                     float tension) {
    tlw_character* c;
    const tlw_result result = find_muscle(world, id, muscle, &c);
    if (result != TLW_OK) {
        return result;
    }
    if (!(tension >= 0.0f && tension <= 1.0f)) { // also a NaN
        return TLW_ERROR_BAD_ARGUMENT;
    }
    if (tension != c->tensions[muscle]) {
        c->tensions[muscle] = tension;
        c->still_substeps = 0;
    }
    return TLW_OK;
}

tlw_result tlw_character_get_muscle(const tlw_world* world, tlw_character_id id, uint32_t muscle,
                                    tlw_muscle* out) {
    TLW_ASSERT(out != NULL);
    tlw_character* c;
    const tlw_result result = find_muscle(world, id, muscle, &c);
    if (result == TLW_OK) {
        const tlw_muscle_state* state = &c->muscle_states[muscle];
        *out =
            (tlw_muscle){state->tension, state->elongation, c->blob.muscles[muscle].vertex_count};
    }
    return result;
}

tlw_result tlw_character_get_line(const tlw_world* world, tlw_character_id id, uint32_t muscle,
                                  double (*places)[3], uint32_t count) {
    TLW_ASSERT(places != NULL);
    tlw_character* c;
    const tlw_result result = find_muscle(world, id, muscle, &c);
    if (result != TLW_OK) {
        return result;
    }
    if (count != c->blob.muscles[muscle].vertex_count) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    TLW_FLOAT_SCOPE();
    const double metres = c->blob.lattice->voxel_metres * (double)c->scale_at_substep;
    const tlw_line_row* rows = c->line_rows + c->blob.muscle_groups[muscle / TLW_LANES].first_row;
    for (uint32_t v = 0; v < count; ++v) {
        for (int i = 0; i < 3; ++i) {
            places[v][i] =
                c->root_at_substep[i] + (double)rows[v].x[i][muscle % TLW_LANES] * metres;
        }
    }
    return TLW_OK;
}
