// SPDX-License-Identifier: MIT
// Private to the cooking library: what stages do with tlw_double3.
#ifndef TLW_TOOLS_COOK_VECTORS_H
#define TLW_TOOLS_COOK_VECTORS_H

#include "tools/cook/stages.h"

#include <math.h>

TLW_INLINE double tlw_dot3(tlw_double3 a, tlw_double3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

TLW_INLINE tlw_double3 tlw_minus3(tlw_double3 a, tlw_double3 b) {
    return (tlw_double3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// a + s b
TLW_INLINE tlw_double3 tlw_add3(tlw_double3 a, double s, tlw_double3 b) {
    return (tlw_double3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

TLW_INLINE tlw_double3 tlw_cross3(tlw_double3 a, tlw_double3 b) {
    return (tlw_double3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TLW_INLINE double tlw_length3(tlw_double3 a) {
    return sqrt(tlw_dot3(a, a));
}

// Divided by its length. False, and 0, where it is shorter than `least`.
TLW_INLINE bool tlw_normalise3(tlw_double3* a, double least) {
    const double length = tlw_length3(*a);
    const bool has_length = length >= least && length > 0.0;
    *a = has_length ? (tlw_double3){a->x / length, a->y / length, a->z / length}
                    : (tlw_double3){0.0, 0.0, 0.0};
    return has_length;
}

// Without its part along t, which has length 1.
TLW_INLINE tlw_double3 tlw_across3(tlw_double3 a, tlw_double3 t) {
    return tlw_add3(a, -tlw_dot3(a, t), t);
}

#endif
