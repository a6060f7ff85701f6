// SPDX-License-Identifier: MIT
// What the materials of Lame layers come to in a substep (MODEL 3.20). Reads the character's
// materials in physical units and the blob; writes the coefficients of windows, the number of
// iterations and the bounds of the first solve.
#include "runtime/step/lame.h"

// Floats see no difference between numbers beyond this, and 0 would mean that there is no link.
#define COEFFICIENT_MAX 1e12
#define COEFFICIENT_MIN 1e-30
#define ITERATIONS_MIN  2u
#define ITERATIONS_MAX  8u

// Arrays by site, while coefficients are computed: c, and C times the square of the coefficient of
// each axis.
enum { SITE_C, SITE_BULK };

void tlw_lame_init(tlw_character* c) {
    const tlw_blob_arrays* blob = &c->blob;
    for (uint32_t b = 0; c->lame.windows != NULL && b < blob->block_count; ++b) {
        c->lame.block_places[b + 1] = c->lame.block_places[b];
        for (uint32_t w = blob->blocks[b].first_window; w < blob->blocks[b + 1].first_window; ++w) {
            if (blob->lame_windows[w].lanes != 0) {
                c->lame.windows[c->lame.block_places[b + 1]++] = w;
            }
        }
    }
}

static float within(double value) {
    return (float)(value < COEFFICIENT_MIN   ? COEFFICIENT_MIN
                   : value > COEFFICIENT_MAX ? COEFFICIENT_MAX
                                             : value);
}

// c and C of a material.
typedef struct moduli {
    float shear, bulk;
} moduli;

static moduli moduli_of(const tlw_character* c, const tlw_lame* lame, double scale) {
    const double young = 1000.0 * (double)lame->young_kpa, nu = (double)lame->poisson;
    const double mu = young / (2.0 * (1.0 + nu));
    const double lambda = young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    const double edge = c->blob.lattice->voxel_metres * scale, h = c->substep_seconds;
    const double unit = h / edge * (h / edge) / (double)lame->density;
    return (moduli){within(unit * mu), within(unit * (lambda + mu))};
}

static float* at_site(const tlw_substep* s, size_t array, uint32_t w) {
    return s->work + array * s->stride + s->blob->windows[w].rows[4];
}

// The coefficient of an axis in the divergence at a voxel (MODEL 3.5).
static float axis_coefficient(const tlw_blob_arrays* blob, uint32_t slot, uint32_t axis) {
    return blob->slot_volume_end[(size_t)axis * blob->slot_count + slot] != 0 ? 1.0f : 0.5f;
}

// Leaves what the neighbours of a window's voxels need to know of them at its sites.
static void spread_window(const tlw_character* c, uint32_t w, double scale, const tlw_substep* s) {
    const tlw_blob_arrays* blob = &c->blob;
    for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
        const uint32_t slot = w * TLW_LANES + lane;
        moduli m = {0.0f, 0.0f};
        if (blob->lame_windows[w].lanes >> lane & 1) {
            m = moduli_of(c, &c->lame.materials[blob->slot_material[slot]], scale);
        }
        at_site(s, SITE_C, w)[lane] = m.shear;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            const float coefficient = axis_coefficient(blob, slot, axis);
            at_site(s, SITE_BULK + axis, w)[lane] = m.bulk * coefficient * coefficient;
        }
    }
}

// The sites beside lane 0 of a window, in the order of tlw_lame_window.shear, and the steps there.
static const int face_steps[6] = {TLW_STEP_LANE_MINUS, TLW_STEP_LANE_PLUS,   TLW_STEP_ROW_MINUS,
                                  TLW_STEP_ROW_PLUS,   TLW_STEP_PLANE_MINUS, TLW_STEP_PLANE_PLUS};

static void find_faces(const tlw_blob_window* window, uint32_t faces[6]) {
    const uint32_t* rows = window->rows;
    const uint32_t sites[6] = {rows[4] - 1, rows[4] + 1, rows[3], rows[5], rows[1], rows[7]};
    for (int i = 0; i < 6; ++i) {
        faces[i] = sites[i];
    }
}

static void weigh_lane(const tlw_character* c, uint32_t place, uint32_t lane,
                       const tlw_substep* s) {
    const uint32_t w = c->lame.windows[place], slot = w * TLW_LANES + lane;
    const tlw_blob_window* window = &c->blob.windows[w];
    tlw_lame_window* to = &c->lame.coefficients[place];
    const float own = at_site(s, SITE_C, w)[lane];
    uint32_t faces[6];
    double shear = 1.0, bulk[3];
    find_faces(window, faces);
    for (uint32_t axis = 0; axis < 3; ++axis) { // its own stencil, where it is an end itself
        const bool is_end = c->blob.slot_volume_end[(size_t)axis * c->blob.slot_count + slot] != 0;
        bulk[axis] = 1.0 + (is_end ? (double)at_site(s, SITE_BULK + axis, w)[lane] : 0.0);
    }
    for (uint32_t i = 0; i < 6; ++i) {
        if (!(window->links[face_steps[i]] >> lane & 1)) {
            to->shear[i][lane] = 0.0f;
            continue;
        }
        const float other = s->work[SITE_C * s->stride + faces[i] + lane];
        to->shear[i][lane] = other > 0.0f ? 0.5f * (own + other) : own;
        shear += (double)to->shear[i][lane];
        bulk[i / 2] += (double)s->work[(SITE_BULK + i / 2) * s->stride + faces[i] + lane];
    }
    to->shear_inverse[lane] = (float)(1.0 / shear);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        to->bulk_inverse[axis][lane] = (float)(1.0 / bulk[axis]);
    }
    const float along_lane = axis_coefficient(&c->blob, slot, 0); // 1/2 or 1: exact
    to->bulk[lane] = at_site(s, SITE_BULK, w)[lane] / (along_lane * along_lane);
}

// m1, and the bounds of the spectrum, by the largest c.
static void choose_iterations(tlw_character* c, double most) {
    const double wanted2 = 1.25 * 1.25 * (1.0 + 12.0 * most);
    uint32_t count = ITERATIONS_MIN;
    while (count < ITERATIONS_MAX && (double)(count * count) < wanted2) {
        count += 1;
    }
    const double high = (1.0 + 12.0 * most) / (1.0 + 6.0 * most), by_c = 1.0 / (1.0 + 6.0 * most);
    const double by_count = high / ((double)(count * count) / 2.0 + 1.0);
    c->lame.iterations = count;
    c->lame.high = high;
    c->lame.low = by_c > by_count ? by_c : by_count;
}

static void weigh(tlw_character* c, double scale, const tlw_substep* s) {
    const tlw_blob_arrays* blob = &c->blob;
    float most = 0.0f;
    for (uint32_t w = 0; w < blob->window_count; ++w) {
        if (blob->lame_windows[w].is_near) {
            spread_window(c, w, scale, s);
        }
    }
    for (uint32_t place = 0; place < blob->lattice->lame_windows; ++place) {
        const uint32_t w = c->lame.windows[place];
        for (uint32_t lane = 0; lane < TLW_LANES; ++lane) {
            if (blob->lame_windows[w].lanes >> lane & 1) {
                const float own = at_site(s, SITE_C, w)[lane];
                weigh_lane(c, place, lane, s);
                most = own > most ? own : most;
            }
        }
    }
    choose_iterations(c, (double)most);
}

void tlw_lame_prepare(tlw_character* c, float scale, tlw_substep* substep) {
    if (c->lame.windows == NULL) {
        return;
    }
    if (c->lame.is_stale || c->lame.scale != scale) {
        weigh(c, (double)scale, substep);
        c->lame.is_stale = false;
        c->lame.scale = scale;
    }
    substep->lame = (tlw_lame_solve){.coefficients = c->lame.coefficients,
                                     .windows = c->lame.windows,
                                     .block_places = c->lame.block_places,
                                     .shear_iterations = c->lame.iterations,
                                     .shear_high = c->lame.high,
                                     .shear_low = c->lame.low};
}
