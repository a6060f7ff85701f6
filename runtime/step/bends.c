// SPDX-License-Identifier: MIT
// Solves for the lengths of the bends (MODEL 3.12): four sweeps, one damped step for each bend,
// from l = 0. Reads what stage measure left for each window, and the bends of the blob; writes
// lengths.
//
//     r = A_0 - V0 + sum J l_other + A_1 l + A_2 l^2 + A_3 l^3,   g = max(dr/dl, 0)
//     l <- l - r g / (g^2 + (A_1rest/8)^2),   |l| <= reach
//
// Why no root of the cubic: the nearest one jumps when cells turn inside out. A damped step is
// short where the slope has gone.
//
// Pairs are sorted by their first bend, so each sweep goes through them once: a bend pulls the
// lengths of later bends from the last sweep, and pushes its own new one to them for this sweep.
#include "runtime/step/bends.h"

#include <string.h>

#define SWEEPS 4
// Lengths are brought towards 0 by this, in voxels: what rounding leaves of a rigid pose.
#define REST_LENGTH 1e-4

// The solver's memory.
typedef struct solver {
    double (*a)[4];  // A_0 to A_3 of each bend
    double* lengths; // l
    double* pushed;  // sum of J l over earlier bends, in this sweep
    double* j;       // of each pair
} solver;

static solver open_solver(const tlw_substep* s) {
    const size_t bends = s->blob->bend_count;
    memset(s->bend_work, 0, tlw_bend_work(s->blob) * sizeof *s->bend_work);
    double* const lengths = s->bend_work + 4 * bends;
    return (solver){(double(*)[4])s->bend_work, lengths, lengths + bends, lengths + 2 * bends};
}

// Adds up windows in their order.
static void add_windows(const tlw_substep* s, const solver* to) {
    const tlw_blob_arrays* blob = s->blob;
    const tlw_blob_bend_window* end = &blob->bend_windows[blob->window_count];
    for (uint32_t i = 0; i < end->first_entry; ++i) {
        double* a = to->a[blob->bend_entry[i]];
        const float* from = s->bend_sums[i].a;
        for (int m = 0; m < 4; ++m) {
            a[m] += (double)from[m];
        }
    }
    for (uint32_t i = 0; i < end->first_couple; ++i) {
        to->j[blob->bend_couple[i].pair] += (double)s->couple_sums[i];
    }
}

// One step of a bend, with what other bends add to its residual.
static double step_of(const tlw_blob_bend* bend, const double a[4], double l, double others) {
    const double r = a[0] - (double)bend->rest_volume + others + l * (a[1] + l * (a[2] + l * a[3]));
    const double slope = a[1] + l * (2.0 * a[2] + l * 3.0 * a[3]);
    const double g = slope > 0.0 ? slope : 0.0, floor = (double)bend->rest_slope / 8.0;
    const double next = l - r * g / (g * g + floor * floor), reach = (double)bend->reach;
    // A pose may be so far apart that volumes are not finite: it is not corrected.
    return next > reach ? reach : next < -reach ? -reach : next == next ? next : 0.0;
}

static void sweep(const tlw_blob_arrays* blob, const solver* s) {
    uint32_t pair = 0;
    memset(s->pushed, 0, blob->bend_count * sizeof *s->pushed);
    for (uint32_t k = 0; k < blob->bend_count; ++k) {
        double others = s->pushed[k];
        uint32_t end = pair;
        for (; end < blob->bend_pair_count && blob->bend_pairs[end].first == k; ++end) {
            others += s->j[end] * s->lengths[blob->bend_pairs[end].second];
        }
        s->lengths[k] = step_of(&blob->bends[k], s->a[k], s->lengths[k], others);
        for (; pair < end; ++pair) {
            s->pushed[blob->bend_pairs[pair].second] += s->j[pair] * s->lengths[k];
        }
    }
}

void tlw_solve_bends(const tlw_substep* substep) {
    const tlw_blob_arrays* blob = substep->blob;
    const solver s = open_solver(substep);
    add_windows(substep, &s);
    for (int i = 0; i < SWEEPS; ++i) {
        sweep(blob, &s);
    }
    for (uint32_t k = 0; k < blob->bend_count; ++k) {
        const double l = s.lengths[k];
        substep->lengths[k] = (float)(l > REST_LENGTH    ? l - REST_LENGTH
                                      : l < -REST_LENGTH ? l + REST_LENGTH
                                                         : 0.0);
    }
}
