// SPDX-License-Identifier: MIT
// How tissue rings after a stop: overshoot, frequency and half-life of its mean deviation along the
// motion. Reads one number per substep.
#include "tools/motion/motion.h"

#include <math.h>

// A peak of |mean| between three steps, by a parabola through them: its time in steps, and height.
static void fit_peak(const double y[3], double* offset, double* height) {
    const double bend = y[0] - 2 * y[1] + y[2];
    *offset = bend < 0 ? 0.5 * (y[0] - y[2]) / bend : 0;
    *height = y[1] - 0.25 * (y[0] - y[2]) * *offset;
}

tlw_motion_place_numbers tlw_motion_ringing(const double* means, uint32_t count,
                                            double step_seconds) {
    tlw_motion_place_numbers r = {0};
    double times[2], heights[2];
    int peaks = 0;
    for (uint32_t k = 0; k < count; ++k) {
        r.overshoot = fmax(r.overshoot, means[k]);
    }
    for (uint32_t k = 1; k + 1 < count && peaks < 2; ++k) {
        const double y[3] = {fabs(means[k - 1]), fabs(means[k]), fabs(means[k + 1])};
        // All three of one sign, or the fold of |mean| at a zero would count.
        if (means[k - 1] * means[k + 1] > 0 && y[1] >= y[0] && y[1] > y[2]) {
            double offset;
            fit_peak(y, &offset, &heights[peaks]);
            times[peaks++] = (k + offset) * step_seconds;
        }
    }
    if (peaks == 2) {
        const double half_period = times[1] - times[0];
        r.hertz = 0.5 / half_period;
        r.half_life_seconds =
            heights[1] < heights[0] ? half_period / log2(heights[0] / heights[1]) : 0;
    }
    return r;
}
