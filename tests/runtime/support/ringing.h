// SPDX-License-Identifier: MIT
// Measures how tissue rings after a stop, from its mean deviation along the motion per substep.
#ifndef TLW_TESTS_RUNTIME_SUPPORT_RINGING_H
#define TLW_TESTS_RUNTIME_SUPPORT_RINGING_H

#include "platform/base.h"

#include <math.h>

typedef struct ringing {
    double overshoot;        // the largest deviation, voxels
    double seconds_to_tenth; // until the deviation stays below 10% of the overshoot
    double hertz;            // from the first two downward zero crossings; 0 without them
} ringing;

TLW_INLINE ringing measure_ringing(const double* means, int count, double substep_seconds) {
    ringing r = {0};
    for (int k = 0; k < count; ++k) {
        r.overshoot = fmax(r.overshoot, means[k]);
    }
    for (int k = count - 1; k >= 0; --k) {
        if (fabs(means[k]) > 0.1 * r.overshoot) {
            r.seconds_to_tenth = (k + 2) * substep_seconds;
            break;
        }
    }
    double zeros[2];
    int zero_count = 0;
    for (int k = 1; k < count && zero_count < 2; ++k) {
        if (means[k - 1] > 0 && means[k] <= 0) {
            zeros[zero_count++] = (k + means[k] / (means[k - 1] - means[k])) * substep_seconds;
        }
    }
    r.hertz = zero_count == 2 ? 1 / (zeros[1] - zeros[0]) : 0;
    return r;
}

#endif
