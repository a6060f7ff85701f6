// SPDX-License-Identifier: MIT
// The list of wide operations, each with its contract. It is included several times, with TLW_OP0,
// TLW_OP1, TLW_OP2, TLW_OP3 and TLW_OP8 defined by the includer: simd.h makes the declarations from
// it, simd_count.h the counting backend, and tests/platform/simd compares all backends. A line is
//
//     TLW_OP2(result kind, name, kinds of the 2 arguments, what it costs)
//
// Kinds (simd.h gives their C types) also say which arguments are legal:
//   f8 i8 m8 f8x3 f8x4 f8x8   wide values, any bits; in a mask a lane is all ones or all zeros
//   f32 i32 b1                one value
//   lane 0..7    lanes 0..8    shift 0..31    bits 0..255    index: i8 of indices into an array
//   floats ints u8s s8s u16s s16s         read from memory, aligned as their element is
//   out_floats out_ints out_u16s          written to memory, likewise
//   aligned_... and out_aligned_...       at a multiple of TLW_WIDE_ALIGNMENT
// Arguments are called a, b, c from left to right.

// Included without these macros, the file is an empty list.
#if !defined(TLW_OP0)
#    define TLW_OP0(result, name, cost)
#    define TLW_OP1(result, name, a, cost)
#    define TLW_OP2(result, name, a, b, cost)
#    define TLW_OP3(result, name, a, b, c, cost)
#    define TLW_OP8(result, name, each, cost)
#endif

// Making values.
TLW_OP0(f8, tlw_f8_zero, TLW_FREE)
TLW_OP0(i8, tlw_i8_zero, TLW_FREE)
TLW_OP1(f8, tlw_f8_set1, f32, TLW_FREE)
TLW_OP1(i8, tlw_i8_set1, i32, TLW_FREE)
// Lane 0 first.
TLW_OP8(f8, tlw_f8_set, f32, TLW_FREE)
TLW_OP8(i8, tlw_i8_set, i32, TLW_FREE)
// 0, 1, ... 7
TLW_OP0(f8, tlw_f8_iota, TLW_FREE)
TLW_OP0(i8, tlw_i8_iota, TLW_FREE)
// One lane; and a copy of a with lane b replaced by c. For tests and single lanes, too slow for
// loops.
TLW_OP2(f32, tlw_f8_get, f8, lane, TLW_FREE)
TLW_OP2(i32, tlw_i8_get, i8, lane, TLW_FREE)
TLW_OP3(f8, tlw_f8_with, f8, lane, f32, TLW_FREE)
TLW_OP3(i8, tlw_i8_with, i8, lane, i32, TLW_FREE)
// The same bits read as the other type.
TLW_OP1(i8, tlw_i8_from_bits_of, f8, TLW_FREE)
TLW_OP1(f8, tlw_f8_from_bits_of, i8, TLW_FREE)

// Loads and stores of all 8 lanes.
TLW_OP1(f8, tlw_f8_load, floats, TLW_LOADS(32))
TLW_OP1(f8, tlw_f8_load_aligned, aligned_floats, TLW_LOADS(32))
TLW_OP1(i8, tlw_i8_load, ints, TLW_LOADS(32))
TLW_OP1(i8, tlw_i8_load_aligned, aligned_ints, TLW_LOADS(32))
TLW_OP2(void, tlw_f8_store, out_floats, f8, TLW_STORES(32))
TLW_OP2(void, tlw_f8_store_aligned, out_aligned_floats, f8, TLW_STORES(32))
TLW_OP2(void, tlw_i8_store, out_ints, i8, TLW_STORES(32))
TLW_OP2(void, tlw_i8_store_aligned, out_aligned_ints, i8, TLW_STORES(32))
// Only the first b (or c) lanes. Memory of the other lanes is not accessed and need not exist;
// these lanes load as zero.
TLW_OP2(f8, tlw_f8_load_first, floats, lanes, TLW_LOADS(4 * b))
TLW_OP2(i8, tlw_i8_load_first, ints, lanes, TLW_LOADS(4 * b))
TLW_OP3(void, tlw_f8_store_first, out_floats, f8, lanes, TLW_STORES(4 * c))
TLW_OP3(void, tlw_i8_store_first, out_ints, i8, lanes, TLW_STORES(4 * c))
// The lanes that are set in the mask; otherwise as above.
TLW_OP2(f8, tlw_f8_load_masked, floats, m8, TLW_LOADS(4 * TLW_LANES_SET(b)))
TLW_OP3(void, tlw_f8_store_masked, out_floats, f8, m8, TLW_STORES(4 * TLW_LANES_SET(c)))
TLW_OP3(void, tlw_i8_store_masked, out_ints, i8, m8, TLW_STORES(4 * TLW_LANES_SET(c)))
// Lane i is a[b[i]].
TLW_OP2(f8, tlw_f8_gather, floats, index, TLW_LOADS(32))
// 8 narrow integers, zero- or sign-extended.
TLW_OP1(i8, tlw_i8_load_u8, u8s, TLW_LOADS(8))
TLW_OP1(i8, tlw_i8_load_s8, s8s, TLW_LOADS(8))
TLW_OP1(i8, tlw_i8_load_u16, u16s, TLW_LOADS(16))
TLW_OP1(i8, tlw_i8_load_s16, s16s, TLW_LOADS(16))
// The low 16 bits of each lane.
TLW_OP2(void, tlw_i8_store_u16, out_u16s, i8, TLW_STORES(16))
// 8 triples (24 floats) and 8 rows of 4 (32 floats), as one f8 per component.
TLW_OP1(f8x3, tlw_f8x3_load, floats, TLW_LOADS(96))
TLW_OP1(f8x4, tlw_f8x4_load, floats, TLW_LOADS(128))
TLW_OP2(void, tlw_f8x3_store, out_floats, f8x3, TLW_STORES(96))
TLW_OP2(void, tlw_f8x4_store, out_floats, f8x4, TLW_STORES(128))
// Lane j of row i becomes lane i of row j.
TLW_OP1(f8x8, tlw_f8x8_transpose, f8x8, TLW_OTHERS(64))

// Shifts by one lane: b, a[0], ... a[6].
TLW_OP2(f8, tlw_f8_shift_in, f8, f32, TLW_OTHERS(8))
// a[1], a[2], b[1], b[2], a[5], a[6], b[5], b[6]: if a holds eight elements in a row, and b eight
// that begin two further on, these are the elements between the two.
TLW_OP2(f8, tlw_f8_between, f8, f8, TLW_OTHERS(8))
// The same value, forced to stay in a register, because gcc tends to load it again at its next use.
TLW_OP1(f8, tlw_f8_hold, f8, TLW_FREE)

// Arithmetic, each operation rounded to nearest even as IEEE 754 says, denormals kept.
TLW_OP2(f8, tlw_f8_add, f8, f8, TLW_FLOPS(8))
TLW_OP2(f8, tlw_f8_sub, f8, f8, TLW_FLOPS(8))
TLW_OP2(f8, tlw_f8_mul, f8, f8, TLW_FLOPS(8))
TLW_OP2(f8, tlw_f8_div, f8, f8, TLW_DIVIDES(8))
TLW_OP1(f8, tlw_f8_sqrt, f8, TLW_DIVIDES(8))
// a * b, rounded, then + c, rounded: never fused.
TLW_OP3(f8, tlw_f8_mul_then_add, f8, f8, f8, TLW_FLOPS(16))
// Exactly a < b ? a : b and a > b ? a : b: if either is a NaN, and for two zeros of any signs, the
// result is b.
TLW_OP2(f8, tlw_f8_min, f8, f8, TLW_FLOPS(8))
TLW_OP2(f8, tlw_f8_max, f8, f8, TLW_FLOPS(8))
// These change sign bits only, also of NaNs: flip it; clear it; take it from b; flip it where b's
// is set.
TLW_OP1(f8, tlw_f8_neg, f8, TLW_OTHERS(8))
TLW_OP1(f8, tlw_f8_abs, f8, TLW_OTHERS(8))
TLW_OP2(f8, tlw_f8_copysign, f8, f8, TLW_OTHERS(8))
TLW_OP2(f8, tlw_f8_xor_sign, f8, f8, TLW_OTHERS(8))
// Rounding to an integer as a float: down; to nearest, halves to even. Zeros, and values that
// become zero, keep their sign. A NaN stays a NaN.
TLW_OP1(f8, tlw_f8_floor, f8, TLW_FLOPS(8))
TLW_OP1(f8, tlw_f8_round, f8, TLW_FLOPS(8))

// Conversions. To integers: towards zero; to nearest, halves to even. NaN and values that do not
// fit give INT32_MIN. To floats: to nearest, halves to even.
TLW_OP1(i8, tlw_i8_truncate, f8, TLW_OTHERS(8))
TLW_OP1(i8, tlw_i8_round, f8, TLW_OTHERS(8))
TLW_OP1(f8, tlw_f8_from_i8, i8, TLW_OTHERS(8))

// Sums and extremes of all lanes in one fixed order, op being +, min or max as above:
// s[i] = a[i] op a[i + 4];  (s[0] op s[2]) op (s[1] op s[3])
TLW_OP1(f32, tlw_f8_sum_of_lanes, f8, TLW_FLOPS(7))
TLW_OP1(f32, tlw_f8_min_of_lanes, f8, TLW_FLOPS(7))
TLW_OP1(f32, tlw_f8_max_of_lanes, f8, TLW_FLOPS(7))
// The sums of x, y, z and w: 4 floats.
TLW_OP2(void, tlw_f8x4_store_sums, out_floats, f8x4, TLW_FLOPS(28); TLW_STORES(16))

// Comparisons. With a NaN all are false except ne, which is true.
TLW_OP2(m8, tlw_f8_lt, f8, f8, TLW_FLOPS(8))
TLW_OP2(m8, tlw_f8_le, f8, f8, TLW_FLOPS(8))
TLW_OP2(m8, tlw_f8_gt, f8, f8, TLW_FLOPS(8))
TLW_OP2(m8, tlw_f8_ge, f8, f8, TLW_FLOPS(8))
TLW_OP2(m8, tlw_f8_eq, f8, f8, TLW_FLOPS(8))
TLW_OP2(m8, tlw_f8_ne, f8, f8, TLW_FLOPS(8))
TLW_OP2(m8, tlw_i8_eq, i8, i8, TLW_OTHERS(8))
TLW_OP2(m8, tlw_i8_lt, i8, i8, TLW_OTHERS(8))
TLW_OP2(m8, tlw_i8_gt, i8, i8, TLW_OTHERS(8))

// Masks.
TLW_OP2(m8, tlw_m8_and, m8, m8, TLW_OTHERS(8))
TLW_OP2(m8, tlw_m8_or, m8, m8, TLW_OTHERS(8))
TLW_OP2(m8, tlw_m8_xor, m8, m8, TLW_OTHERS(8))
// a and not b
TLW_OP2(m8, tlw_m8_and_not, m8, m8, TLW_OTHERS(8))
TLW_OP1(m8, tlw_m8_not, m8, TLW_OTHERS(8))
// Bit i is lane i.
TLW_OP1(m8, tlw_m8_from_bits, bits, TLW_OTHERS(8))
TLW_OP1(bits, tlw_m8_to_bits, m8, TLW_OTHERS(8))
// The first a lanes set.
TLW_OP1(m8, tlw_m8_first, lanes, TLW_OTHERS(8))
// -1 where set, 0 elsewhere.
TLW_OP1(i8, tlw_i8_from_mask, m8, TLW_FREE)
TLW_OP1(b1, tlw_m8_any, m8, TLW_OTHERS(8))
TLW_OP1(b1, tlw_m8_all, m8, TLW_OTHERS(8))
TLW_OP1(b1, tlw_m8_none, m8, TLW_OTHERS(8))
// a ? b : c, per lane
TLW_OP3(f8, tlw_f8_select, m8, f8, f8, TLW_OTHERS(8))
TLW_OP3(i8, tlw_i8_select, m8, i8, i8, TLW_OTHERS(8))
// a ? b : +0, per lane
TLW_OP2(f8, tlw_f8_keep, m8, f8, TLW_OTHERS(8))
TLW_OP2(i8, tlw_i8_keep, m8, i8, TLW_OTHERS(8))
// a ? +0 : b, per lane
TLW_OP2(f8, tlw_f8_drop, m8, f8, TLW_OTHERS(8))

// Integers wrap around.
TLW_OP2(i8, tlw_i8_add, i8, i8, TLW_OTHERS(8))
TLW_OP2(i8, tlw_i8_sub, i8, i8, TLW_OTHERS(8))
TLW_OP2(i8, tlw_i8_mul, i8, i8, TLW_OTHERS(8))
TLW_OP2(i8, tlw_i8_min, i8, i8, TLW_OTHERS(8))
TLW_OP2(i8, tlw_i8_max, i8, i8, TLW_OTHERS(8))
TLW_OP2(i8, tlw_i8_and, i8, i8, TLW_OTHERS(8))
TLW_OP2(i8, tlw_i8_or, i8, i8, TLW_OTHERS(8))
TLW_OP2(i8, tlw_i8_xor, i8, i8, TLW_OTHERS(8))
// Shifts every lane by the same count; to the right with zeros, and with copies of the sign.
TLW_OP2(i8, tlw_i8_shift_left, i8, shift, TLW_OTHERS(8))
TLW_OP2(i8, tlw_i8_shift_right, i8, shift, TLW_OTHERS(8))
TLW_OP2(i8, tlw_i8_shift_right_signed, i8, shift, TLW_OTHERS(8))

#undef TLW_OP0
#undef TLW_OP1
#undef TLW_OP2
#undef TLW_OP3
#undef TLW_OP8
