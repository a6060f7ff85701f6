// SPDX-License-Identifier: MIT
// Private to tools/sample: vectors and quaternions in double. Sine and cosine are written out here,
// because the last bits of libm's differ between systems.
#ifndef TLW_TOOLS_SAMPLE_VECTOR_H
#define TLW_TOOLS_SAMPLE_VECTOR_H

#include "platform/base.h"

#include <math.h>

typedef struct vec3 {
    double x, y, z;
} vec3;

typedef struct quat {
    double x, y, z, w;
} quat;

#define QUAT_IDENTITY ((quat){0.0, 0.0, 0.0, 1.0})

TLW_INLINE vec3 add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

TLW_INLINE vec3 subtract(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

TLW_INLINE vec3 scale(vec3 a, double s) {
    return (vec3){a.x * s, a.y * s, a.z * s};
}

TLW_INLINE double dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

TLW_INLINE vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TLW_INLINE double length(vec3 a) {
    return sqrt(dot(a, a));
}

TLW_INLINE vec3 normalise(vec3 a) {
    double l = length(a);
    return l > 0.0 ? scale(a, 1.0 / l) : (vec3){0.0, 1.0, 0.0};
}

TLW_INLINE vec3 mix(vec3 a, vec3 b, double t) {
    return add(scale(a, 1.0 - t), scale(b, t));
}

TLW_INLINE vec3 mirrored(vec3 a) {
    return (vec3){-a.x, a.y, a.z};
}

// 0 below `from`, 1 above `to`, a smooth step between.
TLW_INLINE double ramp(double from, double to, double x) {
    double t = (x - from) / (to - from);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return t * t * (3.0 - 2.0 * t);
}

// Sine of an angle in revolutions (1 is 360 degrees). The reduction to a quarter of a revolution is
// exact; the rest is a Taylor polynomial with an error below 1e-13.
TLW_INLINE double sine(double revolutions) {
    double t = revolutions - floor(revolutions + 0.5); // [-1/2, 1/2)
    t = t > 0.25 ? 0.5 - t : t < -0.25 ? -0.5 - t : t;
    double x = t * 6.283185307179586, x2 = x * x;
    double sum = 1.0;
    for (int n = 17; n >= 3; n -= 2) {
        sum = 1.0 - x2 / (double)(n * (n - 1)) * sum;
    }
    return x * sum;
}

TLW_INLINE double cosine(double revolutions) {
    return sine(revolutions + 0.25);
}

TLW_INLINE quat multiply(quat a, quat b) {
    return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

TLW_INLINE quat conjugate(quat a) {
    return (quat){-a.x, -a.y, -a.z, a.w};
}

TLW_INLINE double quat_dot(quat a, quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

TLW_INLINE quat quat_normalise(quat a) {
    double s = 1.0 / sqrt(quat_dot(a, a));
    return (quat){a.x * s, a.y * s, a.z * s, a.w * s};
}

TLW_INLINE vec3 rotate(quat r, vec3 v) {
    vec3 axis = {r.x, r.y, r.z};
    vec3 t = scale(cross(axis, v), 2.0);
    return add(add(v, scale(t, r.w)), cross(axis, t));
}

// The shortest rotation from unit vector `from` to unit vector `to`. Where they are opposite, 180
// degrees about z.
TLW_INLINE quat rotation_between(vec3 from, vec3 to) {
    double c = dot(from, to);
    if (c < -0.999999) {
        return (quat){0.0, 0.0, 1.0, 0.0};
    }
    vec3 axis = cross(from, to);
    return quat_normalise((quat){axis.x, axis.y, axis.z, 1.0 + c});
}

// A rotation in degrees about z (roll), then x (pitch), then y (yaw). Pitch above 0 leans forward,
// roll above 0 lifts the left side, yaw above 0 faces to the left.
TLW_INLINE quat rotation(double pitch, double yaw, double roll) {
    double h = 1.0 / 720.0;
    quat x = {sine(pitch * h), 0.0, 0.0, cosine(pitch * h)};
    quat y = {0.0, sine(yaw * h), 0.0, cosine(yaw * h)};
    quat z = {0.0, 0.0, sine(roll * h), cosine(roll * h)};
    return multiply(y, multiply(x, z));
}

#endif
