// SPDX-License-Identifier: MIT
// Forces that are set from outside: picking by a ray, drags and pushes (MODEL 3.17).
#include "platform/fpu.h"
#include "runtime/lattice.h"
#include "runtime/step/matrix.h"
#include "runtime/world/world.h"

#include <float.h>
#include <string.h>

#define PLACE_MAX 1e18
#define SPEED_MAX 1e6f
#define HZ_MAX    1000.0f

static bool is_place(const double place[3]) {
    bool is_good = true;
    for (int i = 0; i < 3; ++i) {
        is_good = is_good && place[i] >= -PLACE_MAX && place[i] <= PLACE_MAX; // false for a NaN
    }
    return is_good;
}

static bool is_soft(const tlw_character* c, uint32_t slot) {
    return c->blob.slot_voxel[slot] != TLW_BLOB_NO_INDEX && c->blob.slot_layer[slot] != 0;
}

static double metres_of(const tlw_character* c) {
    return c->blob.lattice->voxel_metres * (double)c->scale_at_substep;
}

// A voxel's place relative to a place of the world, in voxels.
static void from_place(const tlw_character* c, uint32_t slot, const double place[3],
                       double out[3]) {
    const tlw_window_state* state = &c->states[c->is_odd][slot / TLW_LANES];
    for (int i = 0; i < 3; ++i) {
        out[i] = (double)state->p[i][slot % TLW_LANES] -
                 (place[i] - c->root_at_substep[i]) / metres_of(c);
    }
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// (1 - (distance/radius)^2)^2, 0 beyond the radius.
static double falloff(double distance2, double radius2) {
    const double left = 1.0 - distance2 / radius2;
    return left > 0.0 ? left * left : 0.0;
}

// ---- Picking

tlw_result tlw_character_pick(const tlw_world* world, tlw_character_id id, const double origin[3],
                              const float direction[3], tlw_pick* out) {
    TLW_ASSERT(origin != NULL && direction != NULL && out != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    TLW_FLOAT_SCOPE();
    double ray[3] = {(double)direction[0], (double)direction[1], (double)direction[2]};
    const double length2 = dot(ray, ray);
    if (!is_place(origin) || !(length2 > 1e-24 && length2 < 1e24)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const double by = tlw_inverse_sqrt_of(length2);
    for (int i = 0; i < 3; ++i) {
        ray[i] *= by;
    }
    uint32_t best = TLW_BLOB_NO_INDEX;
    double least = 0.0;
    for (uint32_t voxel = 0; voxel < c->blob.lattice->voxel_count; ++voxel) {
        const uint32_t slot = c->blob.voxel_slot[voxel];
        double from[3];
        from_place(c, slot, origin, from);
        const double along = dot(from, ray), aside2 = dot(from, from) - along * along;
        if (is_soft(c, slot) && along >= 0.0 && aside2 <= 1.0 &&
            (best == TLW_BLOB_NO_INDEX || along < least)) {
            best = voxel;
            least = along;
        }
    }
    if (best == TLW_BLOB_NO_INDEX) {
        return TLW_ERROR_NOT_FOUND;
    }
    const uint32_t slot = c->blob.voxel_slot[best];
    out->voxel = best;
    out->distance = (float)(least * metres_of(c));
    for (int i = 0; i < 3; ++i) {
        const float p = c->states[c->is_odd][slot / TLW_LANES].p[i][slot % TLW_LANES];
        out->position[i] = c->root_at_substep[i] + (double)p * metres_of(c);
    }
    return TLW_OK;
}

// ---- Drags

// Shortest ways over links at rest, from one voxel as far as `radius`, in voxels, by site. Voxels
// that are further away, or have no way, keep a length beyond the radius.
typedef struct way_map {
    const tlw_blob_arrays* blob;
    float* length;
    double radius;
    int32_t low[3], high[3]; // cells that a way can reach
} way_map;

static bool may_reach(const way_map* ways, const tlw_blob_window* window) {
    return window->cell[0] + (int32_t)TLW_LANES > ways->low[0] &&
           window->cell[0] <= ways->high[0] && window->cell[1] >= ways->low[1] &&
           window->cell[1] <= ways->high[1] && window->cell[2] >= ways->low[2] &&
           window->cell[2] <= ways->high[2];
}

static const float step_lengths[4] = {0.0f, 1.0f, 1.41421356f, 1.73205081f};

// The shortest way to a lane over one of its links.
static float best_way(const way_map* ways, const tlw_blob_window* window, uint32_t lane,
                      float best) {
    for (int step = 0; step < TLW_STEPS; ++step) {
        if (!(window->links[step] >> lane & 1)) {
            continue;
        }
        const int cell = tlw_cell_of_step(step);
        const size_t site = window->rows[cell / 3] + (size_t)lane + (size_t)(cell % 3) - 1;
        const float way = ways->length[site] + step_lengths[tlw_cell_distance(cell)];
        best = way < best ? way : best;
    }
    return best;
}

// Shortens ways until none gets shorter. A way grows by one link at least per round.
static void find_ways(const way_map* ways) {
    for (bool is_done = false; !is_done;) {
        is_done = true;
        for (uint32_t w = 0; w < ways->blob->window_count; ++w) {
            const tlw_blob_window* window = &ways->blob->windows[w];
            for (uint32_t lane = 0; may_reach(ways, window) && lane < TLW_LANES; ++lane) {
                float* length = &ways->length[window->rows[TLW_ROW_SELF] + lane];
                const float best =
                    window->occupied >> lane & 1 ? best_way(ways, window, lane, *length) : *length;
                if (best < *length && (double)best <= ways->radius) {
                    *length = best;
                    is_done = false;
                }
            }
        }
    }
}

static void weigh(tlw_character* c, const way_map* ways, tlw_drag_state* drag) {
    const double radius2 = ways->radius * ways->radius;
    drag->first_window = c->blob.window_count;
    drag->end_window = 0;
    for (uint32_t slot = 0; slot < c->blob.slot_count; ++slot) {
        const uint32_t w = slot / TLW_LANES, lane = slot % TLW_LANES;
        const tlw_blob_window* window = &c->blob.windows[w];
        drag->weights[slot] = 0.0f;
        if (!is_soft(c, slot) || !may_reach(ways, window)) {
            continue;
        }
        const double length = (double)ways->length[window->rows[TLW_ROW_SELF] + lane];
        drag->weights[slot] = (float)falloff(length * length, radius2);
        if (drag->weights[slot] > 0.0f) {
            drag->first_window = w < drag->first_window ? w : drag->first_window;
            drag->end_window = w + 1;
        }
    }
}

// The weights around a voxel. The lengths lie in the scratch of the first worker, at sites of
// voxels alone, so gaps between rows stay 0.
static void measure(tlw_world* world, tlw_character* c, tlw_drag_state* drag) {
    tlw_scratch_view view;
    tlw_substep substep;
    tlw_scratch_open(&world->scratch[0], c, &view, &substep);
    way_map ways = {.blob = &c->blob,
                    .length = substep.q,
                    .radius = (double)drag->how.radius /
                              (c->blob.lattice->voxel_metres * (double)c->now.root.scale)};
    const double most = ways.radius < 65536.0 ? ways.radius : 65536.0;
    const uint32_t lane = drag->slot % TLW_LANES;
    const tlw_blob_window* from = &c->blob.windows[drag->slot / TLW_LANES];
    for (int i = 0; i < 3; ++i) {
        const int32_t cell = from->cell[i] + (i == 0 ? (int32_t)lane : 0);
        ways.low[i] = cell - (int32_t)most;
        ways.high[i] = cell + (int32_t)most;
    }
    for (uint32_t slot = 0; slot < c->blob.slot_count; ++slot) {
        if (c->blob.slot_voxel[slot] != TLW_BLOB_NO_INDEX) {
            const uint32_t site = c->blob.windows[slot / TLW_LANES].rows[TLW_ROW_SELF];
            ways.length[site + slot % TLW_LANES] = FLT_MAX;
        }
    }
    ways.length[from->rows[TLW_ROW_SELF] + lane] = 0.0f;
    find_ways(&ways);
    weigh(c, &ways, drag);
}

// TLW_ERROR_CAPACITY if the character's def has no such drag.
static tlw_result find_drag(const tlw_world* world, tlw_character_id id, uint32_t drag,
                            tlw_character** out) {
    const tlw_result result = tlw_world_find(world, id, out);
    return result == TLW_OK && drag >= (*out)->drag_capacity ? TLW_ERROR_CAPACITY : result;
}

tlw_result tlw_character_set_drag(tlw_world* world, tlw_character_id id, uint32_t drag,
                                  const tlw_drag* how) {
    TLW_ASSERT(how != NULL);
    tlw_character* c;
    const tlw_result result = find_drag(world, id, drag, &c);
    if (result != TLW_OK) {
        return result;
    }
    TLW_FLOAT_SCOPE();
    if (how->voxel >= c->blob.lattice->voxel_count || !is_place(how->target) ||
        !is_soft(c, c->blob.voxel_slot[how->voxel]) ||
        !(how->radius > 0.0f && how->radius <= FLT_MAX) ||
        !(how->hz >= 0.0f && how->hz <= HZ_MAX)) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    tlw_drag_state* state = &c->drags[drag];
    const bool is_same =
        state->is_on && state->how.voxel == how->voxel && state->how.radius == how->radius;
    state->is_on = true;
    state->how = *how;
    state->slot = c->blob.voxel_slot[how->voxel];
    if (!is_same) {
        measure(world, c, state);
    }
    c->still_substeps = 0;
    return TLW_OK;
}

tlw_result tlw_character_end_drag(tlw_world* world, tlw_character_id id, uint32_t drag) {
    tlw_character* c;
    const tlw_result result = find_drag(world, id, drag, &c);
    if (result != TLW_OK) {
        return result;
    }
    c->drags[drag].is_on = false;
    c->still_substeps = 0;
    return TLW_OK;
}

// ---- Pushes

static void push_slot(tlw_character* c, uint32_t slot, const tlw_push* push, double radius2) {
    double away[3];
    from_place(c, slot, push->centre, away);
    const double distance2 = dot(away, away), weight = falloff(distance2, radius2);
    if (!(weight > 0.0)) {
        return;
    }
    const double by = distance2 > 1e-24 ? tlw_inverse_sqrt_of(distance2) : 0.0;
    const uint32_t w = slot / TLW_LANES, lane = slot % TLW_LANES;
    const double share = tlw_anchor_share(c->gains[w].anchor[lane]);
    for (int i = 0; i < 3; ++i) {
        const double metres = (double)push->velocity[i] + (double)push->outward * away[i] * by;
        c->velocity[w].v[i][lane] += (float)(weight * metres / (metres_of(c) * share));
    }
}

tlw_result tlw_character_push(tlw_world* world, tlw_character_id id, const tlw_push* push) {
    TLW_ASSERT(push != NULL);
    tlw_character* c;
    const tlw_result result = tlw_world_find(world, id, &c);
    if (result != TLW_OK) {
        return result;
    }
    TLW_FLOAT_SCOPE();
    bool is_good = is_place(push->centre) && push->radius > 0.0f && push->radius <= FLT_MAX &&
                   push->outward >= -SPEED_MAX && push->outward <= SPEED_MAX;
    for (int i = 0; i < 3; ++i) {
        is_good = is_good && push->velocity[i] >= -SPEED_MAX && push->velocity[i] <= SPEED_MAX;
    }
    if (!is_good) {
        return TLW_ERROR_BAD_ARGUMENT;
    }
    const double radius = (double)push->radius / metres_of(c);
    for (uint32_t slot = 0; slot < c->blob.slot_count; ++slot) {
        if (is_soft(c, slot)) {
            push_slot(c, slot, push, radius * radius);
        }
    }
    c->still_substeps = 0;
    return TLW_OK;
}
