// SPDX-License-Identifier: MIT
// Private to runtime: vectors, quaternions and matrices of eight lanes, for the passes. Short
// names, because a pass is mostly these; every product is rounded before it is added.
#ifndef TLW_RUNTIME_PASSES_WIDE_H
#define TLW_RUNTIME_PASSES_WIDE_H

#include "platform/simd.h"

// Before a loop of a few constant turns whose blob gcc would find too long to unroll. One lane at a
// time nothing is gained, and gcc takes minutes.
#if defined(TLW_WIDE_SCALAR) || defined(TLW_WIDE_COUNT)
#    define TLW_WIDE_HELPER static TLW_NOINLINE __attribute__((unused))
#    define TLW_UNROLL
#elif defined(__clang__)
#    define TLW_WIDE_HELPER TLW_FORCE_INLINE
#    define TLW_UNROLL      _Pragma("unroll")
#else
#    define TLW_WIDE_HELPER TLW_FORCE_INLINE
#    define TLW_UNROLL      _Pragma("GCC unroll 32")
#endif

// Lines of memory that a later stage will want, to the second cache: a stage that computes much
// asks for them, so that one that computes little need not wait. Of many characters none is in a
// cache.
TLW_FORCE_INLINE void fetch_lines(const void* from, size_t bytes) {
    for (size_t at = 0; at < bytes; at += TLW_CACHE_LINE) {
        __builtin_prefetch((const char*)from + at, 0, 2);
    }
}

typedef tlw_f8 f8;
typedef tlw_m8 m8;
typedef tlw_f8x3 f8x3;
typedef tlw_f8x4 f8x4; // a quaternion: x, y, z, w

// Columns.
typedef struct f8x9 {
    f8x3 c[3];
} f8x9;

TLW_WIDE_HELPER f8 all(float a) {
    return tlw_f8_set1(a);
}

TLW_WIDE_HELPER f8 add(f8 a, f8 b) {
    return tlw_f8_add(a, b);
}

TLW_WIDE_HELPER f8 sub(f8 a, f8 b) {
    return tlw_f8_sub(a, b);
}

TLW_WIDE_HELPER f8 mul(f8 a, f8 b) {
    return tlw_f8_mul(a, b);
}

// a * b + c
TLW_WIDE_HELPER f8 mad(f8 a, f8 b, f8 c) {
    return tlw_f8_mul_then_add(a, b, c);
}

TLW_WIDE_HELPER f8x3 add3(f8x3 a, f8x3 b) {
    return (f8x3){add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)};
}

TLW_WIDE_HELPER f8x3 sub3(f8x3 a, f8x3 b) {
    return (f8x3){sub(a.x, b.x), sub(a.y, b.y), sub(a.z, b.z)};
}

TLW_WIDE_HELPER f8x3 scale3(f8x3 a, f8 by) {
    return (f8x3){mul(a.x, by), mul(a.y, by), mul(a.z, by)};
}

// a * by + c
TLW_WIDE_HELPER f8x3 mad3(f8x3 a, f8 by, f8x3 c) {
    return (f8x3){mad(a.x, by, c.x), mad(a.y, by, c.y), mad(a.z, by, c.z)};
}

TLW_WIDE_HELPER f8 dot3(f8x3 a, f8x3 b) {
    return mad(a.z, b.z, mad(a.y, b.y, mul(a.x, b.x)));
}

TLW_WIDE_HELPER f8x3 cross3(f8x3 a, f8x3 b) {
    return (f8x3){sub(mul(a.y, b.z), mul(a.z, b.y)), sub(mul(a.z, b.x), mul(a.x, b.z)),
                  sub(mul(a.x, b.y), mul(a.y, b.x))};
}

TLW_WIDE_HELPER f8x3 select3(m8 mask, f8x3 a, f8x3 b) {
    return (f8x3){tlw_f8_select(mask, a.x, b.x), tlw_f8_select(mask, a.y, b.y),
                  tlw_f8_select(mask, a.z, b.z)};
}

TLW_WIDE_HELPER f8x3 keep3(m8 mask, f8x3 a) {
    return (f8x3){tlw_f8_keep(mask, a.x), tlw_f8_keep(mask, a.y), tlw_f8_keep(mask, a.z)};
}

TLW_WIDE_HELPER f8x3 drop3(m8 mask, f8x3 a) {
    return (f8x3){tlw_f8_drop(mask, a.x), tlw_f8_drop(mask, a.y), tlw_f8_drop(mask, a.z)};
}

// No longer than `most`.
TLW_WIDE_HELPER f8x3 within3(f8x3 a, f8 most) {
    const f8 length2 = dot3(a, a);
    const m8 is_long = tlw_f8_gt(length2, mul(most, most));
    return tlw_m8_any(is_long)
               ? select3(is_long, scale3(a, tlw_f8_div(most, tlw_f8_sqrt(length2))), a)
               : a;
}

TLW_WIDE_HELPER f8x3 zero3(void) {
    return (f8x3){tlw_f8_zero(), tlw_f8_zero(), tlw_f8_zero()};
}

TLW_WIDE_HELPER f8x3 all3(const float a[3]) {
    return (f8x3){all(a[0]), all(a[1]), all(a[2])};
}

// Eight lanes of a window's state.
TLW_WIDE_HELPER f8x3 load_window3(const float a[3][8]) {
    return (f8x3){tlw_f8_load_aligned(a[0]), tlw_f8_load_aligned(a[1]), tlw_f8_load_aligned(a[2])};
}

TLW_WIDE_HELPER void store_window3(float a[3][8], f8x3 value) {
    tlw_f8_store_aligned(a[0], value.x);
    tlw_f8_store_aligned(a[1], value.y);
    tlw_f8_store_aligned(a[2], value.z);
}

TLW_WIDE_HELPER f8x4 load_window4(const float a[4][8]) {
    return (f8x4){tlw_f8_load_aligned(a[0]), tlw_f8_load_aligned(a[1]), tlw_f8_load_aligned(a[2]),
                  tlw_f8_load_aligned(a[3])};
}

TLW_WIDE_HELPER void store_window4(float a[4][8], f8x4 value) {
    tlw_f8_store_aligned(a[0], value.x);
    tlw_f8_store_aligned(a[1], value.y);
    tlw_f8_store_aligned(a[2], value.z);
    tlw_f8_store_aligned(a[3], value.w);
}

// Three arrays, `stride` apart.
TLW_WIDE_HELPER f8x3 load3(const float* at, size_t stride) {
    return (f8x3){tlw_f8_load(at), tlw_f8_load(at + stride), tlw_f8_load(at + 2 * stride)};
}

TLW_WIDE_HELPER void store3(float* at, size_t stride, f8x3 value) {
    tlw_f8_store_aligned(at, value.x);
    tlw_f8_store_aligned(at + stride, value.y);
    tlw_f8_store_aligned(at + 2 * stride, value.z);
}

// A row of an array, which the compiler cannot see through: loads around it are then this pointer
// and a constant. Left to itself it adds up every address anew.
TLW_FORCE_INLINE const float* hold_row(const float* array, size_t row) {
    const float* at = array + row;
    __asm__("" : "+r"(at));
    return at;
}

// Three arrays, `stride` apart, so many lanes off a row that is held.
TLW_WIDE_HELPER f8x3 load_along3(const float* row, size_t stride, int along) {
    return (f8x3){tlw_f8_load(row + along), tlw_f8_load(row + stride + along),
                  tlw_f8_load(row + 2 * stride + along)};
}

// Three arrays anywhere.
TLW_WIDE_HELPER f8x3 load_sites(float* const a[3], size_t at) {
    return (f8x3){tlw_f8_load(a[0] + at), tlw_f8_load(a[1] + at), tlw_f8_load(a[2] + at)};
}

TLW_WIDE_HELPER void store_sites(float* const a[3], size_t at, f8x3 value) {
    tlw_f8_store_aligned(a[0] + at, value.x);
    tlw_f8_store_aligned(a[1] + at, value.y);
    tlw_f8_store_aligned(a[2] + at, value.z);
}

// Quaternions

TLW_WIDE_HELPER f8 dot4(f8x4 a, f8x4 b) {
    return mad(a.w, b.w, mad(a.z, b.z, mad(a.y, b.y, mul(a.x, b.x))));
}

TLW_WIDE_HELPER f8x4 scale4(f8x4 a, f8 by) {
    return (f8x4){mul(a.x, by), mul(a.y, by), mul(a.z, by), mul(a.w, by)};
}

// 1/|a|; 0 of what has no length: an empty lane's.
TLW_WIDE_HELPER f8 inverse_length(f8 squared) {
    const m8 is_some = tlw_f8_gt(squared, all(1e-30f));
    return tlw_f8_keep(is_some, tlw_f8_div(all(1.0f), tlw_f8_sqrt(squared)));
}

TLW_WIDE_HELPER f8x4 normalise4(f8x4 a) {
    return scale4(a, inverse_length(dot4(a, a)));
}

TLW_WIDE_HELPER f8x4 multiply4(f8x4 a, f8x4 b) {
    return (f8x4){sub(mad(a.y, b.z, mad(a.x, b.w, mul(a.w, b.x))), mul(a.z, b.y)),
                  sub(mad(a.z, b.x, mad(a.y, b.w, mul(a.w, b.y))), mul(a.x, b.z)),
                  sub(mad(a.x, b.y, mad(a.z, b.w, mul(a.w, b.z))), mul(a.y, b.x)),
                  sub(sub(sub(mul(a.w, b.w), mul(a.x, b.x)), mul(a.y, b.y)), mul(a.z, b.z))};
}

// b turned by a: b + 2 w (u x b) + 2 u x (u x b)
TLW_WIDE_HELPER f8x3 rotate3(f8x4 a, f8x3 b) {
    const f8x3 u = {a.x, a.y, a.z};
    f8x3 t = cross3(u, b);
    t = add3(t, t);
    return add3(mad3(t, a.w, b), cross3(u, t));
}

// b turned back.
TLW_WIDE_HELPER f8x3 unrotate3(f8x4 a, f8x3 b) {
    return rotate3((f8x4){tlw_f8_neg(a.x), tlw_f8_neg(a.y), tlw_f8_neg(a.z), a.w}, b);
}

// The matrix of a unit quaternion, `one` being 1; 0 in lanes where both are 0.
TLW_WIDE_HELPER f8x9 matrix_where(f8x4 q, f8 one) {
    const f8 x2 = add(q.x, q.x), y2 = add(q.y, q.y), z2 = add(q.z, q.z);
    const f8 xx = mul(q.x, x2), yy = mul(q.y, y2), zz = mul(q.z, z2);
    const f8 xy = mul(q.x, y2), xz = mul(q.x, z2), yz = mul(q.y, z2);
    const f8 wx = mul(q.w, x2), wy = mul(q.w, y2), wz = mul(q.w, z2), from_xx = sub(one, xx);
    return (f8x9){{{sub(sub(one, yy), zz), add(xy, wz), sub(xz, wy)},
                   {sub(xy, wz), sub(from_xx, zz), add(yz, wx)},
                   {add(xz, wy), sub(yz, wx), sub(from_xx, yy)}}};
}

TLW_WIDE_HELPER f8x9 matrix_of(f8x4 q) {
    return matrix_where(q, all(1.0f));
}

// a^T b
TLW_WIDE_HELPER f8x9 transposed_times(f8x9 a, f8x9 b) {
    f8x9 out;
    TLW_UNROLL for (int i = 0; i < 3; ++i) {
        out.c[i] = (f8x3){dot3(a.c[0], b.c[i]), dot3(a.c[1], b.c[i]), dot3(a.c[2], b.c[i])};
    }
    return out;
}

// How Q of the last substep starts the next where it starts back: 5% of the way to no deviation, so
// that the twist of rods does not drift for good (design.md, "Rotation"). Of a unit Q the length to
// divide by depends on Q.w alone, and a cubic has its inverse, times 0.95, to 1e-6; a length that
// rounding left off 1 comes nearer to it from substep to substep.
TLW_WIDE_HELPER f8x4 start_rotation(f8x4 q) {
    const f8 e = sub(all(1.0f), tlw_f8_abs(q.w));
    const f8 share =
        mad(e, mad(e, mad(e, all(0.000289619f), all(0.003201629f)), all(0.045125755f)), all(0.95f));
    f8x4 start = scale4(q, tlw_f8_copysign(share, q.w));
    start.w = mad(share, all(0.05f / 0.95f), start.w);
    return start;
}

#endif
