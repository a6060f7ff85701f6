// SPDX-License-Identifier: MIT
// exp, sin, cos, acos and half floats: within the errors that platform/simd_math.h states, measured
// against libm in double; the same bits from every backend; the documented edge cases. Tests a
// sample of all floats by default, and every float with TLW_TEST_FULL=1.
#include "tests/platform/simd/float_bits.h"
#include "tests/platform/simd/simd_kernels.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024 };

static bool full_run(void) {
    const char* full = getenv("TLW_TEST_FULL");
    return full && strcmp(full, "1") == 0;
}

static const char* const function_names[TLW_SIMD_FUNCTIONS] = {"exp", "sin", "cos", "acos"};
static double (*const exact[TLW_SIMD_FUNCTIONS])(double) = {exp, sin, cos, acos};

// Floats whose bits are `step` apart, from `first` on, wrapping around.
static void fill(float* in, uint64_t first, uint64_t step) {
    for (uint64_t i = 0; i < BLOCK; ++i) {
        in[i] = as_float((uint32_t)(first + i * step));
    }
}

// The error in units in the last place of the exact value as a float; for denormals the unit is the
// smallest denormal.
static double error_in_places(float got, double wanted) {
    int exponent;
    frexp(wanted, &exponent);
    const double place = ldexp(1.0, (exponent - 24 < -149) ? -149 : exponent - 24);
    return fabs((double)got - wanted) / place;
}

static const tlw_simd_backend* best_backend(void) {
    const tlw_simd_backend* best = tlw_simd_backend_at(0);
    for (size_t b = 0; tlw_simd_backend_at(b); ++b) {
        best = tlw_simd_backend_at(b)->isa > best->isa ? tlw_simd_backend_at(b) : best;
    }
    return best;
}

// Prints and checks the largest error over the floats from `low` <= 0 to `high` >= 0.
static void check_error(int function, float low, float high, double places) {
    static float in[BLOCK], out[BLOCK];
    const uint64_t step = full_run() ? 1 : 9973;
    double largest = 0;
    float where = 0;
    for (int sign = 0; sign < 2; ++sign) {
        const uint64_t last_bits = as_bits(sign ? -low : high);
        for (uint64_t first = 0; first <= last_bits; first += BLOCK * step) {
            for (uint64_t i = 0; i < BLOCK; ++i) {
                const uint64_t bits = first + i * step;
                in[i] = as_float((uint32_t)(bits < last_bits ? bits : last_bits));
                in[i] = sign ? -in[i] : in[i];
            }
            best_backend()->wide[function](in, out, BLOCK);
            for (int i = 0; i < BLOCK; ++i) {
                const double error = error_in_places(out[i], exact[function]((double)in[i]));
                if (error != error) {
                    tlw_test_fail(__FILE__, __LINE__, "%s of %a is %a", function_names[function],
                                  (double)in[i], (double)out[i]);
                }
                if (error > largest) {
                    largest = error;
                    where = in[i];
                }
            }
        }
    }
    printf("%s: at most %.3f units in the last place, at %a\n", function_names[function], largest,
           (double)where);
    CHECK_LE(largest, places);
}

TLW_TEST(exp_is_within_its_stated_error) {
    check_error(TLW_SIMD_EXP, -104.0f, 0x1.62e42ep+6f, 1.0);
}

TLW_TEST(sin_is_within_its_stated_error_up_to_8192) {
    check_error(TLW_SIMD_SIN, -8192.0f, 8192.0f, 1.02);
}

TLW_TEST(cos_is_within_its_stated_error_up_to_8192) {
    check_error(TLW_SIMD_COS, -8192.0f, 8192.0f, 1.02);
}

TLW_TEST(acos_is_within_its_stated_error) {
    check_error(TLW_SIMD_ACOS, -1.0f, 1.0f, 1.16);
}

TLW_TEST(every_backend_gives_the_same_bits_of_each_function) {
    static float in[BLOCK], expected[BLOCK], out[BLOCK];
    const uint64_t step = full_run() ? 1 : 65539;
    const uint64_t count = UINT64_C(1) << 32;
    for (int function = 0; function < TLW_SIMD_FUNCTIONS; ++function) {
        for (uint64_t first = 0; first < count; first += BLOCK * step) {
            fill(in, first, step);
            tlw_simd_backend_at(0)->wide[function](in, expected, BLOCK);
            for (size_t b = 1; tlw_simd_backend_at(b); ++b) {
                tlw_simd_backend_at(b)->wide[function](in, out, BLOCK);
                for (int i = 0; i < BLOCK; ++i) {
                    if (as_bits(out[i]) != as_bits(expected[i]) &&
                        !(isnan(out[i]) && isnan(expected[i]))) {
                        tlw_test_fail(__FILE__, __LINE__, "%s%s of %a is %08x, in%s %08x",
                                      function_names[function], tlw_simd_backend_at(b)->name,
                                      (double)in[i], as_bits(out[i]), tlw_simd_backend_at(0)->name,
                                      as_bits(expected[i]));
                    }
                }
            }
        }
    }
}

// The test above compares backends inside one executable; these hashes compare compilers, build
// types and CPUs. Changing a polynomial changes them; nothing else may.
TLW_TEST(functions_give_the_same_bits_on_every_compiler_and_cpu) {
    static const uint64_t golden[TLW_SIMD_FUNCTIONS] = {
        UINT64_C(0xc321c829f5a05ef2), UINT64_C(0xfb7c93c2bca6bf9c), UINT64_C(0x44497e880d3e4563),
        UINT64_C(0x1621d2c7ba4f8d05)};
    static float in[BLOCK], out[BLOCK];
    const uint64_t step = 65539;
    for (int function = 0; function < TLW_SIMD_FUNCTIONS; ++function) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a over words
        for (uint64_t first = 0; first < UINT64_C(1) << 32; first += BLOCK * step) {
            fill(in, first, step);
            best_backend()->wide[function](in, out, BLOCK);
            for (int i = 0; i < BLOCK; ++i) {
                const uint32_t bits = isnan(out[i]) ? 0x7fc00000u : as_bits(out[i]);
                hash = (hash ^ bits) * UINT64_C(0x100000001b3);
            }
        }
        if (hash != golden[function]) {
            tlw_test_fail(__FILE__, __LINE__, "%s: hash 0x%016llx, expected 0x%016llx",
                          function_names[function], (unsigned long long)hash,
                          (unsigned long long)golden[function]);
        }
    }
}

TLW_TEST(one_value_has_the_bits_of_a_lane) {
    static float in[BLOCK], out[BLOCK];
    for (size_t b = 0; tlw_simd_backend_at(b); ++b) {
        for (int function = 0; function < TLW_SIMD_FUNCTIONS; ++function) {
            fill(in, 12345, 4194301);
            tlw_simd_backend_at(b)->wide[function](in, out, BLOCK);
            for (int i = 0; i < BLOCK; ++i) {
                const float one = tlw_simd_backend_at(b)->one[function](in[i]);
                CHECK(as_bits(one) == as_bits(out[i]) || (isnan(one) && isnan(out[i])));
            }
        }
    }
}

static float best(int function, float x) {
    return best_backend()->one[function](x);
}

TLW_TEST(exp_overflows_to_infinity_and_underflows_through_denormals_to_zero) {
    CHECK_EQ(as_bits(best(TLW_SIMD_EXP, 0.0f)), as_bits(1.0f));
    CHECK_EQ(as_bits(best(TLW_SIMD_EXP, -0.0f)), as_bits(1.0f));
    CHECK_EQ(as_bits(best(TLW_SIMD_EXP, 0x1p-149f)), as_bits(1.0f));
    CHECK_EQ(best(TLW_SIMD_EXP, INFINITY), INFINITY);
    CHECK_EQ(best(TLW_SIMD_EXP, FLT_MAX), INFINITY);
    CHECK_EQ(best(TLW_SIMD_EXP, 88.73f), INFINITY);
    CHECK(isfinite(best(TLW_SIMD_EXP, 88.72f)));
    CHECK_EQ(as_bits(best(TLW_SIMD_EXP, -INFINITY)), 0);
    CHECK_EQ(as_bits(best(TLW_SIMD_EXP, -FLT_MAX)), 0);
    CHECK_EQ(as_bits(best(TLW_SIMD_EXP, -103.98f)), 0);
    CHECK_EQ(as_bits(best(TLW_SIMD_EXP, -103.97f)), 1);
    CHECK(isnan(best(TLW_SIMD_EXP, NAN)));
    CHECK(isnan(best(TLW_SIMD_EXP, -NAN)));
}

TLW_TEST(sin_and_cos_stay_in_bounds_for_every_finite_value) {
    static float in[BLOCK], out[BLOCK];
    const uint64_t step = full_run() ? 1 : 65537;
    for (int function = TLW_SIMD_SIN; function <= TLW_SIMD_COS; ++function) {
        for (uint64_t first = 0; first < UINT64_C(1) << 32; first += BLOCK * step) {
            fill(in, first, step);
            best_backend()->wide[function](in, out, BLOCK);
            for (int i = 0; i < BLOCK; ++i) {
                if (isfinite(in[i]) ? !(fabsf(out[i]) <= 1.0f) : !isnan(out[i])) {
                    tlw_test_fail(__FILE__, __LINE__, "%s of %a is %a", function_names[function],
                                  (double)in[i], (double)out[i]);
                }
            }
        }
    }
}

TLW_TEST(sin_is_odd_and_keeps_zeros_and_denormals) {
    CHECK_EQ(as_bits(best(TLW_SIMD_SIN, 0.0f)), 0);
    CHECK_EQ(as_bits(best(TLW_SIMD_SIN, -0.0f)), 0x80000000u);
    CHECK_EQ(as_bits(best(TLW_SIMD_SIN, 0x1p-149f)), 1);
    CHECK_EQ(as_bits(best(TLW_SIMD_SIN, -0x1.fp-130f)), as_bits(-0x1.fp-130f));
    CHECK_EQ(as_bits(best(TLW_SIMD_COS, 0x1p-149f)), as_bits(1.0f));
    uint64_t state = 3;
    for (int i = 0; i < 1000; ++i) {
        const float x = (float)(tlw_test_random(&state) >> 40) * 0x1p-11f;
        CHECK_EQ(as_bits(best(TLW_SIMD_SIN, x)) ^ 0x80000000u, as_bits(best(TLW_SIMD_SIN, -x)));
        CHECK_EQ(as_bits(best(TLW_SIMD_COS, x)), as_bits(best(TLW_SIMD_COS, -x)));
    }
}

TLW_TEST(acos_clamps_and_keeps_nan) {
    CHECK_EQ(as_bits(best(TLW_SIMD_ACOS, 1.0f)), 0);
    CHECK_EQ(as_bits(best(TLW_SIMD_ACOS, 1.5f)), 0);
    CHECK_EQ(as_bits(best(TLW_SIMD_ACOS, INFINITY)), 0);
    CHECK_EQ(as_bits(best(TLW_SIMD_ACOS, -1.0f)), as_bits(0x1.921fb6p+1f));
    CHECK_EQ(as_bits(best(TLW_SIMD_ACOS, -INFINITY)), as_bits(0x1.921fb6p+1f));
    CHECK_EQ(as_bits(best(TLW_SIMD_ACOS, 0.0f)), as_bits(0x1.921fb6p+0f));
    CHECK(isnan(best(TLW_SIMD_ACOS, NAN)));
}

// The value of a half by its definition.
static double value_of_half(uint32_t half) {
    const int exponent = (int)(half >> 10 & 31), fraction = (int)(half & 1023);
    const double magnitude = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                             : exponent == 0 ? ldexp(fraction, -24)
                                             : ldexp(1024 + fraction, exponent - 25);
    return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TLW_TEST(halves_become_floats_exactly_and_come_back) {
    static uint16_t in[BLOCK], back[BLOCK];
    static float out[BLOCK];
    for (size_t b = 0; tlw_simd_backend_at(b); ++b) {
        for (uint32_t first = 0; first < 65536; first += BLOCK) {
            for (uint32_t i = 0; i < BLOCK; ++i) {
                in[i] = (uint16_t)(first + i);
            }
            tlw_simd_backend_at(b)->float_from_half(in, out, BLOCK);
            tlw_simd_backend_at(b)->half_from_float(out, back, BLOCK);
            for (int i = 0; i < BLOCK; ++i) {
                const double value = value_of_half(in[i]);
                if (value != value) {
                    CHECK(isnan(out[i]));
                    CHECK_EQ(back[i], 0x7e00);
                } else {
                    CHECK_EQ(as_bits(out[i]), as_bits((float)value));
                    CHECK_EQ(back[i], in[i]);
                }
            }
        }
    }
}

// By search: finds the largest half that is not above the magnitude, then takes the nearer of it
// and the next one.
static uint32_t nearest_half(float a) {
    if (isnan(a)) {
        return 0x7e00;
    }
    const uint32_t sign = as_bits(a) >> 31 << 15;
    const double magnitude = fabs((double)a);
    uint32_t low = 0, high = 0x7c00;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        *(value_of_half(middle) <= magnitude ? &low : &high) = middle;
    }
    // The bits of infinity are where 2^16 would be.
    const double above = high == 0x7c00 ? 65536.0 : value_of_half(high);
    const double to_low = magnitude - value_of_half(low), to_high = above - magnitude;
    const bool up = to_high < to_low || (to_high == to_low && (low & 1) != 0);
    return sign | (up ? high : low);
}

TLW_TEST(floats_become_the_nearest_half) {
    static float in[BLOCK];
    static uint16_t out[BLOCK];
    const uint64_t step = full_run() ? 13 : 80021;
    for (size_t b = 0; tlw_simd_backend_at(b); ++b) {
        // All floats, then those around every second boundary between halves.
        for (uint64_t first = 0; first < UINT64_C(1) << 32; first += BLOCK * step) {
            fill(in, first, step);
            tlw_simd_backend_at(b)->half_from_float(in, out, BLOCK);
            for (int i = 0; i < BLOCK; ++i) {
                if (out[i] != nearest_half(in[i])) {
                    tlw_test_fail(__FILE__, __LINE__, "%s: %a is %04x, nearest %04x",
                                  tlw_simd_backend_at(b)->name, (double)in[i], out[i],
                                  nearest_half(in[i]));
                }
            }
        }
        for (uint32_t half = 0; half < 0x7c00; half += 2 * BLOCK / 8) {
            for (uint32_t i = 0; i < BLOCK; ++i) {
                const uint32_t low = half + i / 4;
                const double above = low + 1 >= 0x7c00 ? 65536.0 : value_of_half(low + 1);
                const float middle = (float)((value_of_half(low < 0x7c00 ? low : 0) + above) / 2);
                in[i] = as_float(as_bits(middle) + i % 3 - 1);
            }
            tlw_simd_backend_at(b)->half_from_float(in, out, BLOCK);
            for (int i = 0; i < BLOCK; ++i) {
                CHECK_EQ(out[i], nearest_half(in[i]));
            }
        }
    }
}
