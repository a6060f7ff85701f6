// SPDX-License-Identifier: MIT
// Private to the two scalar references of the bench: vectors, rotations and matrices, one at a
// time.
#ifndef TLW_TOOLS_BENCH_REFERENCE_MATH_H
#define TLW_TOOLS_BENCH_REFERENCE_MATH_H

#include "platform/base.h"
#include "runtime/lattice.h"

typedef struct vec3 {
    float x, y, z;
} vec3;

typedef struct quat {
    float x, y, z, w;
} quat;

typedef struct mat3 {
    vec3 c[3]; // columns
} mat3;

// By step (runtime/lattice.h), with axes x, y, z.
static const vec3 offsets[TLW_STEPS] = {
    {-1, -1, -1}, {0, -1, -1}, {1, -1, -1}, {-1, 0, -1}, {0, 0, -1}, {1, 0, -1}, {-1, 1, -1},
    {0, 1, -1},   {1, 1, -1},  {-1, -1, 0}, {0, -1, 0},  {1, -1, 0}, {-1, 0, 0}, {1, 0, 0},
    {-1, 1, 0},   {0, 1, 0},   {1, 1, 0},   {-1, -1, 1}, {0, -1, 1}, {1, -1, 1}, {-1, 0, 1},
    {0, 0, 1},    {1, 0, 1},   {-1, 1, 1},  {0, 1, 1},   {1, 1, 1}};

TLW_INLINE vec3 add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

TLW_INLINE vec3 sub(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

TLW_INLINE vec3 scale(vec3 a, float by) {
    return (vec3){a.x * by, a.y * by, a.z * by};
}

TLW_INLINE vec3 add_scaled(vec3 a, vec3 b, float by) {
    return (vec3){a.x + b.x * by, a.y + b.y * by, a.z + b.z * by};
}

TLW_INLINE float dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

TLW_INLINE vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TLW_INLINE quat multiply(quat a, quat b) {
    return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                  a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

TLW_INLINE mat3 matrix_of(quat a) {
    const float x2 = a.x + a.x, y2 = a.y + a.y, z2 = a.z + a.z;
    const float xx = a.x * x2, yy = a.y * y2, zz = a.z * z2, xy = a.x * y2, xz = a.x * z2,
                yz = a.y * z2, wx = a.w * x2, wy = a.w * y2, wz = a.w * z2;
    return (mat3){{{1.0f - yy - zz, xy + wz, xz - wy},
                   {xy - wz, 1.0f - xx - zz, yz + wx},
                   {xz + wy, yz - wx, 1.0f - xx - yy}}};
}

#endif
