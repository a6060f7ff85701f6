// SPDX-License-Identifier: MIT
// An anchor in Hz from the delta of Chen et al. 2013, Eq. 16 (RULES 8.8, MODEL 3.14). Not a stage:
// whoever fills a recipe in from such deltas calls it.
#include "tools/cook/cook.h"

#include <math.h>

// -ln x for 0 < x <= 1. A logarithm of our own, because bits of the system's differ between
// machines. x is 2^-n m with m between sqrt(1/2) and sqrt(2), and ln m = 2 atanh s with
// s = (m - 1)/(m + 1), whose 12 terms are exact to the last bit but one for such m.
static double minus_log(double x) {
    const double log2 = 0x1.62e42fefa39efp-1, square_root_of_half = 0x1.6a09e667f3bcdp-1;
    double m = x, n = 0.0;
    while (m < square_root_of_half) {
        m *= 2.0;
        n += 1.0;
    }
    const double s = (m - 1.0) / (m + 1.0);
    double sum = 0.0;
    for (int i = 23; i > 0; i -= 2) {
        sum = sum * (s * s) + 1.0 / (double)i;
    }
    return n * log2 - 2.0 * s * sum;
}

float tlw_cook_anchor_of_delta(double delta) {
    const double per_radian = 0x1.3193d66ed2bfbp+3; // 60/(2 pi): substeps of 1/60 s
    if (!(delta > 0.0 && delta <= 1.0)) {
        return TLW_COOK_KEEP;
    }
    return (float)(per_radian * sqrt(minus_log(delta)));
}
