// SPDX-License-Identifier: MIT
// How tissue rings after a stop: overshoot, frequency and half-life of its mean deviation along the
// motion. Reads one number per substep.
#include "tools/motion/motion.h"

#include <math.h>

// Peaks below this share of the first are left out: what is left then is no longer one mode.
#define LEAST_PEAK 0.02

// A peak of |mean| between three steps, by a parabola through them: its time in steps, and height.
static void fit_peak(const double y[3], double* offset, double* height) {
    const double bend = y[0] - 2 * y[1] + y[2];
    *offset = bend < 0 ? 0.5 * (y[0] - y[2]) / bend : 0;
    *height = y[1] - 0.25 * (y[0] - y[2]) * *offset;
}

static double half_life(const double* means, uint32_t count, double step_seconds) {
    double n = 0, sum_t = 0, sum_y = 0, sum_tt = 0, sum_ty = 0, first = 0;
    for (uint32_t k = 1; k + 1 < count; ++k) {
        const double y[3] = {fabs(means[k - 1]), fabs(means[k]), fabs(means[k + 1])};
        // Three of one sign, or the fold of |mean| at a zero would count.
        if (means[k - 1] * means[k + 1] <= 0 || y[1] < y[0] || y[1] <= y[2]) {
            continue;
        }
        double offset, height;
        fit_peak(y, &offset, &height);
        first = first > 0 ? first : height;
        if (height < LEAST_PEAK * first) {
            break;
        }
        const double t = (k + offset) * step_seconds, log_height = log2(height);
        n += 1;
        sum_t += t;
        sum_y += log_height;
        sum_tt += t * t;
        sum_ty += t * log_height;
    }
    const double spread = n * sum_tt - sum_t * sum_t;
    const double slope = spread > 0 ? (n * sum_ty - sum_t * sum_y) / spread : 0;
    return n >= 2 && slope < 0 ? -1 / slope : 0;
}

tlw_motion_place_numbers tlw_motion_ringing(const double* means, uint32_t count,
                                            double step_seconds) {
    tlw_motion_place_numbers r = {0};
    double zeros[2];
    int zero_count = 0;
    for (uint32_t k = 0; k < count; ++k) {
        r.overshoot = fmax(r.overshoot, means[k]);
        if (k > 0 && zero_count < 2 && means[k - 1] > 0 && means[k] <= 0) {
            zeros[zero_count++] = (k + means[k] / (means[k - 1] - means[k])) * step_seconds;
        }
    }
    r.hertz = zero_count == 2 ? 1 / (zeros[1] - zeros[0]) : 0;
    r.half_life_seconds = half_life(means, count, step_seconds);
    return r;
}
