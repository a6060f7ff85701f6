// SPDX-License-Identifier: MIT
// Private to runtime: vectors, quaternions and matrices of eight lanes, which every pass is built
// from. Names are short, because a pass consists mostly of calls to these. Every product is rounded
// before it is added, on every instruction set (MODEL 8).
#ifndef TLW_RUNTIME_PASSES_WIDE_H
#define TLW_RUNTIME_PASSES_WIDE_H

#include "platform/simd.h"
#include "runtime/blob.h"
#include "runtime/lattice.h"

// TLW_UNROLL stands before a loop with a small constant count whose contents gcc would consider too
// long to unroll. The scalar backend gains nothing from unrolling or inlining, and gcc would need
// minutes for it, so there neither is done.
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

// Prefetches into the L2 cache the lines that a later stage will read. Stages that compute much
// call this for stages that compute little, which would otherwise wait for memory: when many
// characters are stepped, the state of none is in a cache when its step begins.
TLW_FORCE_INLINE void fetch_lines(const void* from, size_t bytes) {
    for (size_t at = 0; at < bytes; at += TLW_CACHE_LINE) {
        __builtin_prefetch((const char*)from + at, 0, 2);
    }
}

typedef tlw_f8 f8;
typedef tlw_m8 m8;
typedef tlw_f8x3 f8x3;
typedef tlw_f8x4 f8x4; // a quaternion: x, y, z, w

// A 3x3 matrix by columns.
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

// a, shortened to the length `most` where it is longer.
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

// Eight lanes of a window's state, which is aligned.
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

// Eight sites of three arrays that lie `stride` apart. Loads need no alignment, stores do.
TLW_WIDE_HELPER f8x3 load3(const float* at, size_t stride) {
    return (f8x3){tlw_f8_load(at), tlw_f8_load(at + stride), tlw_f8_load(at + 2 * stride)};
}

TLW_WIDE_HELPER void store3(float* at, size_t stride, f8x3 value) {
    tlw_f8_store_aligned(at, value.x);
    tlw_f8_store_aligned(at + stride, value.y);
    tlw_f8_store_aligned(at + 2 * stride, value.z);
}

// The address of a row as a pointer whose origin the compiler cannot see. Loads around it then use
// this pointer plus a constant; without this, gcc computes every address anew (577 instead of 526
// instructions in stretch).
TLW_FORCE_INLINE const float* hold_row(const float* array, size_t row) {
    const float* at = array + row;
    __asm__("" : "+r"(at));
    return at;
}

// Eight sites of three arrays, beginning `along` lanes after a row pointer from hold_row.
TLW_WIDE_HELPER f8x3 load_along3(const float* row, size_t stride, int along) {
    return (f8x3){tlw_f8_load(row + along), tlw_f8_load(row + stride + along),
                  tlw_f8_load(row + 2 * stride + along)};
}

// Eight sites of three arrays that lie anywhere.
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

// 1/|a| from |a|^2; 0 where a has no length, as in an empty lane.
TLW_WIDE_HELPER f8 inverse_length(f8 squared) {
    const m8 has_length = tlw_f8_gt(squared, all(1e-30f));
    return tlw_f8_keep(has_length, tlw_f8_div(all(1.0f), tlw_f8_sqrt(squared)));
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

// The quaternion of the opposite rotation, for unit quaternions.
TLW_FORCE_INLINE f8x4 conjugate4(f8x4 a) {
    return (f8x4){tlw_f8_neg(a.x), tlw_f8_neg(a.y), tlw_f8_neg(a.z), a.w};
}

// b rotated by a = (u, w): b + 2 w (u x b) + 2 u x (u x b)
TLW_WIDE_HELPER f8x3 rotate3(f8x4 a, f8x3 b) {
    const f8x3 u = {a.x, a.y, a.z};
    f8x3 t = cross3(u, b);
    t = add3(t, t);
    return add3(mad3(t, a.w, b), cross3(u, t));
}

// b rotated by the opposite of a.
TLW_WIDE_HELPER f8x3 unrotate3(f8x4 a, f8x3 b) {
    return rotate3((f8x4){tlw_f8_neg(a.x), tlw_f8_neg(a.y), tlw_f8_neg(a.z), a.w}, b);
}

// The matrix of the unit quaternion r. `one` is 1 in lanes that hold a rotation; where r and `one`
// are both 0, as in empty lanes, so is the matrix.
TLW_WIDE_HELPER f8x9 matrix_where(f8x4 r, f8 one) {
    const f8 x2 = add(r.x, r.x), y2 = add(r.y, r.y), z2 = add(r.z, r.z);
    const f8 xx = mul(r.x, x2), yy = mul(r.y, y2), zz = mul(r.z, z2);
    const f8 xy = mul(r.x, y2), xz = mul(r.x, z2), yz = mul(r.y, z2);
    const f8 wx = mul(r.w, x2), wy = mul(r.w, y2), wz = mul(r.w, z2), from_xx = sub(one, xx);
    return (f8x9){{{sub(sub(one, yy), zz), add(xy, wz), sub(xz, wy)},
                   {sub(xy, wz), sub(from_xx, zz), add(yz, wx)},
                   {add(xz, wy), sub(yz, wx), sub(from_xx, yy)}}};
}

TLW_WIDE_HELPER f8x9 matrix_of(f8x4 r) {
    return matrix_where(r, all(1.0f));
}

// a^T b
TLW_WIDE_HELPER f8x9 transposed_times(f8x9 a, f8x9 b) {
    f8x9 out;
    TLW_UNROLL for (int i = 0; i < 3; ++i) {
        out.c[i] = (f8x3){dot3(a.c[0], b.c[i]), dot3(a.c[1], b.c[i]), dot3(a.c[2], b.c[i])};
    }
    return out;
}

// Where the rotation of a region starts in a substep: Q, its rotation relative to the pose, taken
// 5% back towards no rotation (MODEL 3.6).
//
//     normalise(0.95 Q + 0.05 (0, 0, 0, 1)),  the sign of Q chosen so that Q.w >= 0
//
// Without the 5% the twist of rods, which their voxels do not determine, drifts for good. For a
// unit Q the length to divide by depends on Q.w alone, and a cubic in 1 - |Q.w| gives 0.95 over
// that length within 1e-6, without a root or a division. A Q that rounding left a little off unit
// length comes nearer to it with every start.
TLW_WIDE_HELPER f8x4 start_rotation(f8x4 r) {
    const f8 e = sub(all(1.0f), tlw_f8_abs(r.w));
    const f8 share =
        mad(e, mad(e, mad(e, all(0.000289619f), all(0.003201629f)), all(0.045125755f)), all(0.95f));
    f8x4 start = scale4(r, tlw_f8_copysign(share, r.w));
    start.w = mad(share, all(0.05f / 0.95f), start.w);
    return start;
}

// Mass

// The parabola in a site's kind through the three masses of a fit: 0 where the site is empty, 1 for
// soft tissue, TLW_BONE_MASS for bone.
#define TLW_MASS_SQUARE     (TLW_BONE_MASS / 2 - 1)
#define TLW_MASS_LINEAR     (2 - TLW_BONE_MASS / 2)
#define TLW_MASS_OF_KIND(k) ((k) * (TLW_MASS_SQUARE * (k) + TLW_MASS_LINEAR))
TLW_STATIC_ASSERT(TLW_MASS_OF_KIND((int)TLW_SITE_EMPTY) == 0, "nothing weighs nothing");
TLW_STATIC_ASSERT(TLW_MASS_OF_KIND((int)TLW_SITE_SOFT) == 1, "soft tissue weighs 1");
TLW_STATIC_ASSERT(TLW_MASS_OF_KIND((int)TLW_SITE_BONE) == TLW_BONE_MASS, "bone's mass");

// Mass in a region's fit by what is at a site (TLW_SITE_EMPTY, _SOFT, _BONE). A polynomial and not
// a select: it is exact, it is three operations on every instruction set, where SSE2, which has no
// blend, needs a comparison and three more for a select, and it keeps no mask alive.
TLW_FORCE_INLINE f8 mass_of_kind(f8 kind) {
    return mul(kind, mad(kind, all((float)TLW_MASS_SQUARE), all((float)TLW_MASS_LINEAR)));
}

// q as stretch left it. Tissue weighs 1, so for it mass times q is q itself; bone, for which the
// product is not, does not move and has its q still.
TLW_FORCE_INLINE f8x3 stretched3(const float* mq, const float* q, size_t stride,
                                 const float* kind) {
    const m8 is_bone = tlw_f8_eq(tlw_f8_load_aligned(kind), all(TLW_SITE_BONE));
    return select3(is_bone, load3(q, stride), load3(mq, stride));
}

#endif
