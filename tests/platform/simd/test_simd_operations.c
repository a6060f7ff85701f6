// SPDX-License-Identifier: MIT
// Compares every wide operation, in every backend that this CPU supports, with an oracle that is
// written here lane by lane from the contract in platform/simd_operations.h, in double and libm
// where that is exact. The list of operations generates the table of oracles, so an operation
// without one does not compile.
#include "tests/platform/simd/float_bits.h"
#include "tests/platform/simd/simd_kernels.h"
#include "tests/test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tlw_simd_backend* tlw_simd_backend_at(size_t i) {
    static const tlw_simd_backend* const built[] = {
#define BUILT_BACKEND(enumerator, name) &tlw_simd_backend_of_##name,
        TLW_KERNEL_TABLE(BUILT_BACKEND)
#undef BUILT_BACKEND
            & tlw_simd_backend_of_count,
    };
    // Asked once: cpuid is slow, thousands of cycles on a virtual machine.
    static const tlw_simd_backend* supported[TLW_COUNT_OF(built) + 1];
    if (!supported[0]) {
        size_t count = 0;
        for (size_t k = 0; k < TLW_COUNT_OF(built); ++k) {
            if (tlw_isa_is_supported(built[k]->isa)) {
                supported[count++] = built[k];
            }
        }
    }
    return i < TLW_COUNT_OF(built) ? supported[i] : NULL;
}

static int32_t as_int(uint32_t bits) {
    int32_t a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

// ---- the oracle: one result per lane -----------------------------------------------------------

#define A(i)  (call->in[0][i])
#define B(i)  (call->in[1][i])
#define C(i)  (call->in[2][i])
#define FA(i) as_float(A(i))
#define FB(i) as_float(B(i))
#define IA(i) as_int(A(i))
#define IB(i) as_int(B(i))

#define ORACLE(name) static void oracle_##name(tlw_simd_call* call)
#define ORACLE_LANES(name, bits_of_lane)                \
    ORACLE(name) {                                      \
        for (int i = 0; i < 8; ++i) {                   \
            call->out[0][i] = (uint32_t)(bits_of_lane); \
        }                                               \
    }                                                   \
    TLW_STATIC_ASSERT(1, "")

ORACLE_LANES(tlw_f8_zero, 0);
ORACLE_LANES(tlw_i8_zero, 0);
ORACLE_LANES(tlw_f8_set1, A(0));
ORACLE_LANES(tlw_i8_set1, A(0));
ORACLE_LANES(tlw_f8_set, A(i));
ORACLE_LANES(tlw_i8_set, A(i));
ORACLE_LANES(tlw_f8_iota, as_bits((float)i));
ORACLE_LANES(tlw_i8_iota, i);
ORACLE(tlw_f8_get) {
    call->out[0][0] = A(call->count);
}
ORACLE(tlw_i8_get) {
    call->out[0][0] = A(call->count);
}
ORACLE_LANES(tlw_f8_with, i == call->count ? C(0) : A(i));
ORACLE_LANES(tlw_i8_with, i == call->count ? C(0) : A(i));
ORACLE_LANES(tlw_i8_from_bits_of, A(i));
ORACLE_LANES(tlw_f8_from_bits_of, A(i));

ORACLE_LANES(tlw_f8_shift_in, i == 0 ? B(0) : A(i - 1));
ORACLE_LANES(tlw_f8_between, i % 4 < 2 ? A(i + 1) : B(i - 1));
ORACLE_LANES(tlw_f8_hold, A(i));

static uint32_t word_at(const tlw_simd_call* call, int i) {
    uint32_t word;
    memcpy(&word, (const char*)call->memory + 4 * (ptrdiff_t)i, sizeof word);
    return word;
}

static void set_word(const tlw_simd_call* call, int i, uint32_t word) {
    memcpy((char*)call->memory + 4 * (ptrdiff_t)i, &word, sizeof word);
}

ORACLE_LANES(tlw_f8_load, word_at(call, i));
ORACLE_LANES(tlw_i8_load, word_at(call, i));
ORACLE_LANES(tlw_f8_load_aligned, word_at(call, i));
ORACLE_LANES(tlw_i8_load_aligned, word_at(call, i));
ORACLE_LANES(tlw_f8_load_first, i < call->count ? word_at(call, i) : 0);
ORACLE_LANES(tlw_i8_load_first, i < call->count ? word_at(call, i) : 0);
ORACLE_LANES(tlw_f8_load_masked, B(i) ? word_at(call, i) : 0);
ORACLE_LANES(tlw_f8_gather, word_at(call, IB(i)));

#define ORACLE_STORE(name, lane_is_stored) \
    ORACLE(name) {                         \
        for (int i = 0; i < 8; ++i) {      \
            if (lane_is_stored) {          \
                set_word(call, i, B(i));   \
            }                              \
        }                                  \
    }                                      \
    TLW_STATIC_ASSERT(1, "")
ORACLE_STORE(tlw_f8_store, true);
ORACLE_STORE(tlw_i8_store, true);
ORACLE_STORE(tlw_f8_store_aligned, true);
ORACLE_STORE(tlw_i8_store_aligned, true);
ORACLE_STORE(tlw_f8_store_first, i < call->count);
ORACLE_STORE(tlw_i8_store_first, i < call->count);
ORACLE_STORE(tlw_f8_store_masked, C(i) != 0);
ORACLE_STORE(tlw_i8_store_masked, C(i) != 0);

// Little-endian, byte by byte.
static uint32_t byte_at(const tlw_simd_call* call, int i) {
    return ((const unsigned char*)call->memory)[i];
}

static uint32_t short_at(const tlw_simd_call* call, int i) {
    return byte_at(call, 2 * i) | byte_at(call, 2 * i + 1) << 8;
}

ORACLE_LANES(tlw_i8_load_u8, byte_at(call, i));
ORACLE_LANES(tlw_i8_load_s8, byte_at(call, i) | (byte_at(call, i) >= 128 ? 0xffffff00u : 0));
ORACLE_LANES(tlw_i8_load_u16, short_at(call, i));
ORACLE_LANES(tlw_i8_load_s16, short_at(call, i) | (short_at(call, i) >= 32768 ? 0xffff0000u : 0));
ORACLE(tlw_i8_store_u16) {
    for (int i = 0; i < 8; ++i) {
        ((unsigned char*)call->memory)[2 * i] = (unsigned char)(B(i) & 0xff);
        ((unsigned char*)call->memory)[2 * i + 1] = (unsigned char)(B(i) >> 8 & 0xff);
    }
}

static void load_rows(tlw_simd_call* call, int width) {
    for (int k = 0; k < 8 * width; ++k) {
        call->out[k % width][k / width] = word_at(call, k);
    }
}

static void store_rows(tlw_simd_call* call, int width) {
    for (int k = 0; k < 8 * width; ++k) {
        set_word(call, k, call->in[1 + k % width][k / width]);
    }
}

ORACLE(tlw_f8x3_load) {
    load_rows(call, 3);
}
ORACLE(tlw_f8x4_load) {
    load_rows(call, 4);
}
ORACLE(tlw_f8x3_store) {
    store_rows(call, 3);
}
ORACLE(tlw_f8x4_store) {
    store_rows(call, 4);
}
ORACLE(tlw_f8x8_transpose) {
    for (int k = 0; k < 64; ++k) {
        call->out[k % 8][k / 8] = call->in[k / 8][k % 8];
    }
}

// A double has more than twice the bits of a float plus two, so for each of these operations
// rounding to double and then to float gives the same as rounding once.
ORACLE_LANES(tlw_f8_add, as_bits((float)((double)FA(i) + (double)FB(i))));
ORACLE_LANES(tlw_f8_sub, as_bits((float)((double)FA(i) - (double)FB(i))));
ORACLE_LANES(tlw_f8_mul, as_bits((float)((double)FA(i) * (double)FB(i))));
ORACLE_LANES(tlw_f8_div, as_bits((float)((double)FA(i) / (double)FB(i))));
ORACLE_LANES(tlw_f8_sqrt, as_bits((float)sqrt((double)FA(i))));
// Volatile, so that the oracle rounds the product even in a build that contracts to fused
// operations.
static float product(float a, float b) {
    volatile float rounded = (float)((double)a * (double)b);
    return rounded;
}
ORACLE_LANES(tlw_f8_mul_then_add,
             as_bits((float)((double)product(FA(i), FB(i)) + (double)as_float(C(i)))));

static uint32_t min_of(uint32_t a, uint32_t b) {
    return as_float(a) < as_float(b) ? a : b;
}
static uint32_t max_of(uint32_t a, uint32_t b) {
    return as_float(a) > as_float(b) ? a : b;
}
ORACLE_LANES(tlw_f8_min, min_of(A(i), B(i)));
ORACLE_LANES(tlw_f8_max, max_of(A(i), B(i)));
ORACLE_LANES(tlw_f8_neg, A(i) ^ 0x80000000u);
ORACLE_LANES(tlw_f8_abs, A(i) & 0x7fffffffu);
ORACLE_LANES(tlw_f8_copysign, (A(i) & 0x7fffffffu) | (B(i) & 0x80000000u));
ORACLE_LANES(tlw_f8_xor_sign, A(i) ^ (B(i) & 0x80000000u));
ORACLE_LANES(tlw_f8_floor, as_bits(floorf(FA(i))));

// Decides ties by comparing the two neighbours, so that no rounding mode is involved.
static double nearest_even(double a) {
    const double below = floor(a), rest = a - below;
    if (!(fabs(a) < 0x1p52) || rest == 0) {
        return a;
    }
    const bool up = rest > 0.5 || (rest == 0.5 && fmod(below, 2.0) != 0);
    return copysign(up ? below + 1 : below, a);
}
ORACLE_LANES(tlw_f8_round, as_bits((float)nearest_even((double)FA(i))));

static int32_t to_int(double a) {
    return a >= -2147483648.0 && a <= 2147483647.0 ? (int32_t)a : INT32_MIN;
}
ORACLE_LANES(tlw_i8_truncate, to_int(trunc((double)FA(i))));
ORACLE_LANES(tlw_i8_round, to_int(nearest_even((double)FA(i))));
// By hand: keeps 24 bits and rounds by the bits that are dropped.
static uint32_t float_bits_of_int(int32_t a) {
    if (a == 0) {
        return 0;
    }
    const uint32_t sign = a < 0 ? 0x80000000u : 0;
    const uint64_t magnitude = a < 0 ? (uint64_t) - (int64_t)a : (uint64_t)a;
    uint32_t exponent = 0;
    while (magnitude >> (exponent + 1) != 0) {
        exponent += 1;
    }
    uint64_t fraction = magnitude << 32 >> exponent; // 1.32
    const uint64_t cut = fraction & 0x1ff, half = 0x100;
    fraction >>= 9;
    fraction += cut > half || (cut == half && (fraction & 1) != 0);
    return sign + ((exponent + 126) << 23) + (uint32_t)fraction;
}
ORACLE_LANES(tlw_f8_from_i8, float_bits_of_int(IA(i)));

static float sum_of(float a, float b) {
    return (float)((double)a + (double)b);
}
static uint32_t sum_of_lanes(const uint32_t* a) {
    float s[4];
    for (int i = 0; i < 4; ++i) {
        s[i] = sum_of(as_float(a[i]), as_float(a[i + 4]));
    }
    return as_bits(sum_of(sum_of(s[0], s[2]), sum_of(s[1], s[3])));
}
ORACLE(tlw_f8_sum_of_lanes) {
    call->out[0][0] = sum_of_lanes(call->in[0]);
}
ORACLE(tlw_f8x4_store_sums) {
    for (int i = 0; i < 4; ++i) {
        set_word(call, i, sum_of_lanes(call->in[1 + i]));
    }
}
static uint32_t extreme(const uint32_t* a, uint32_t (*of)(uint32_t, uint32_t)) {
    return of(of(of(a[0], a[4]), of(a[2], a[6])), of(of(a[1], a[5]), of(a[3], a[7])));
}
ORACLE(tlw_f8_min_of_lanes) {
    call->out[0][0] = extreme(call->in[0], min_of);
}
ORACLE(tlw_f8_max_of_lanes) {
    call->out[0][0] = extreme(call->in[0], max_of);
}

#define SET_IF(condition) ((condition) ? 0xffffffffu : 0u)
ORACLE_LANES(tlw_f8_lt, SET_IF(isless(FA(i), FB(i))));
ORACLE_LANES(tlw_f8_le, SET_IF(islessequal(FA(i), FB(i))));
ORACLE_LANES(tlw_f8_gt, SET_IF(isgreater(FA(i), FB(i))));
ORACLE_LANES(tlw_f8_ge, SET_IF(isgreaterequal(FA(i), FB(i))));
ORACLE_LANES(tlw_f8_eq, SET_IF(!isunordered(FA(i), FB(i)) && !islessgreater(FA(i), FB(i))));
ORACLE_LANES(tlw_f8_ne, SET_IF(isunordered(FA(i), FB(i)) || islessgreater(FA(i), FB(i))));
ORACLE_LANES(tlw_i8_eq, SET_IF((A(i) ^ B(i)) == 0));
ORACLE_LANES(tlw_i8_lt, SET_IF((int64_t)IA(i) - (int64_t)IB(i) < 0));
ORACLE_LANES(tlw_i8_gt, SET_IF((int64_t)IA(i) - (int64_t)IB(i) > 0));

ORACLE_LANES(tlw_m8_and, A(i) & B(i));
ORACLE_LANES(tlw_m8_or, A(i) | B(i));
ORACLE_LANES(tlw_m8_xor, A(i) ^ B(i));
ORACLE_LANES(tlw_m8_and_not, A(i) & ~B(i));
ORACLE_LANES(tlw_m8_not, ~A(i));
ORACLE_LANES(tlw_m8_from_bits, SET_IF((A(0) >> i & 1) != 0));
ORACLE_LANES(tlw_m8_first, SET_IF(i < call->count));
ORACLE_LANES(tlw_i8_from_mask, A(i));
static int lanes_set(const uint32_t* mask) {
    int set = 0;
    for (int i = 0; i < 8; ++i) {
        set += mask[i] != 0;
    }
    return set;
}
ORACLE(tlw_m8_to_bits) {
    call->out[0][0] = 0;
    for (int i = 7; i >= 0; --i) {
        call->out[0][0] = call->out[0][0] * 2 + (A(i) != 0);
    }
}
ORACLE(tlw_m8_any) {
    call->out[0][0] = lanes_set(call->in[0]) > 0;
}
ORACLE(tlw_m8_all) {
    call->out[0][0] = lanes_set(call->in[0]) == 8;
}
ORACLE(tlw_m8_none) {
    call->out[0][0] = lanes_set(call->in[0]) == 0;
}
ORACLE_LANES(tlw_f8_select, A(i) ? B(i) : C(i));
ORACLE_LANES(tlw_i8_select, A(i) ? B(i) : C(i));
ORACLE_LANES(tlw_f8_keep, A(i) ? B(i) : 0);
ORACLE_LANES(tlw_i8_keep, A(i) ? B(i) : 0);
ORACLE_LANES(tlw_f8_drop, A(i) ? 0 : B(i));

ORACLE_LANES(tlw_i8_add, A(i) + B(i));
ORACLE_LANES(tlw_i8_sub, A(i) - B(i));
ORACLE_LANES(tlw_i8_mul, (uint64_t)A(i) * B(i) & 0xffffffffu);
ORACLE_LANES(tlw_i8_min, IA(i) <= IB(i) ? A(i) : B(i));
ORACLE_LANES(tlw_i8_max, IA(i) >= IB(i) ? A(i) : B(i));
ORACLE_LANES(tlw_i8_and, A(i) & B(i));
ORACLE_LANES(tlw_i8_or, A(i) | B(i));
ORACLE_LANES(tlw_i8_xor, A(i) ^ B(i));
ORACLE_LANES(tlw_i8_shift_left, (uint64_t)A(i) << call->count & 0xffffffffu);
ORACLE_LANES(tlw_i8_shift_right, A(i) >> call->count);
ORACLE_LANES(tlw_i8_shift_right_signed,
             floor(ldexp((double)IA(i), -call->count)) < 0
                 ? (uint32_t)(int32_t)floor(ldexp((double)IA(i), -call->count))
                 : A(i) >> call->count);

static void (*const oracles[])(tlw_simd_call*) = {
#define TLW_OP0(result, name, cost)          oracle_##name,
#define TLW_OP1(result, name, a, cost)       oracle_##name,
#define TLW_OP2(result, name, a, b, cost)    oracle_##name,
#define TLW_OP3(result, name, a, b, c, cost) oracle_##name,
#define TLW_OP8(result, name, each, cost)    oracle_##name,
#include "platform/simd_operations.h"
};

// ---- the values --------------------------------------------------------------------------------

// Both signs of each are used.
static const uint32_t special_magnitudes[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00400000, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff,
    0x33800000, 0x34000000, 0x38800000, 0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff, 0x3f800000,
    0x3f800001, 0x3fbfffff, 0x3fc00000, 0x3fc00001, 0x40200000, 0x4a7fffff, 0x4a800000, 0x4a800001,
    0x4afffffd, 0x4affffff, 0x4b000000, 0x4b000001, 0x4b7fffff, 0x4b800000, 0x4b800001, 0x4effffff,
    0x4f000000, 0x4f000001, 0x4f7fffff, 0x4f800000, 0x5f000000, 0x7effffff, 0x7f7ffffe, 0x7f7fffff,
    0x7f800000, 0x7fc00000, 0x7fc12345, 0x7fffffff,
};
enum { SPECIALS = 2 * TLW_COUNT_OF(special_magnitudes) };

static uint32_t special(size_t i) {
    return special_magnitudes[i / 2] | (uint32_t)(i % 2) << 31;
}

// Any bits; a special value; or a float near 1 with few bits, so that exact sums, ties and equal
// values occur often.
static uint32_t random_word(uint64_t* state) {
    const uint64_t random = tlw_test_random(state);
    switch (random >> 60) {
    case 0:
    case 1:
    case 2:
        return special((random >> 32) % SPECIALS);
    case 3:
    case 4:
    case 5:
        return as_bits((float)((int32_t)(random & 0xff) - 128) * 0.25f);
    case 6:
        return (uint32_t)(random & 0x1ff) - 256;
    case 7:
        return as_bits((float)(int32_t)(random & 0xffffffff) * 0x1p-8f);
    default:
        return (uint32_t)random;
    }
}

// Fractions with all bits in use and similar exponents, so that fusing or reordering changes
// results.
static uint32_t near_one(uint64_t* state) {
    return (uint32_t)(tlw_test_random(state) & 0x81ffffff) + 0x3e800000u;
}

enum { MEMORY_WORDS = 96, MEMORY_START = 32 };

typedef struct memory {
    TLW_ALIGNAS(32) uint32_t word[MEMORY_WORDS];
} memory;

static bool takes(const tlw_simd_operation* operation, const char* kind) {
    for (int i = 0; i < 3; ++i) {
        if (strcmp(operation->arguments[i], kind) == 0) {
            return true;
        }
    }
    return false;
}

// Makes the arguments legal for the operation. Returns the byte offset of its memory.
static size_t fit_call(const tlw_simd_operation* operation, tlw_simd_call* call, uint64_t* state) {
    const uint64_t random = tlw_test_random(state);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 8; ++i) {
            uint32_t* word = &call->in[k][i];
            if (strcmp(operation->arguments[k], "m8") == 0) {
                // Sometimes all lanes or none.
                *word = random >> 60 == 0   ? 0
                        : random >> 60 == 1 ? ~0u
                                            : SET_IF((*word >> 3 & 1) != 0);
            } else if (strcmp(operation->arguments[k], "index") == 0) {
                *word = *word % 32 - 16;
            } else if (strcmp(operation->arguments[k], "bits") == 0) {
                *word &= 0xff;
            }
        }
    }
    call->count = takes(operation, "lane")    ? (int)(random % 8)
                  : takes(operation, "lanes") ? (int)(random % 9)
                                              : (int)(random % 32);
    const size_t shift = random >> 8 & 31;
    if (takes(operation, "floats") || takes(operation, "ints") || takes(operation, "out_floats") ||
        takes(operation, "out_ints")) {
        return 4 * (MEMORY_START + shift % 8);
    }
    if (takes(operation, "u8s") || takes(operation, "s8s")) {
        return 4 * MEMORY_START + shift;
    }
    if (takes(operation, "u16s") || takes(operation, "s16s") || takes(operation, "out_u16s")) {
        return 4 * MEMORY_START + shift / 2 * 2;
    }
    return 4 * MEMORY_START;
}

static bool is_arithmetic(const tlw_simd_operation* operation) {
    return strncmp(operation->cost, "TLW_FLOPS", 9) == 0 ||
           strncmp(operation->cost, "TLW_DIVIDES", 11) == 0;
}

static bool is_nan(uint32_t bits) {
    return (bits & 0x7fffffffu) > 0x7f800000u;
}

static void report(const tlw_simd_operation* operation, const tlw_simd_backend* backend,
                   const tlw_simd_call* call, int row, int lane, uint32_t got, uint32_t expected) {
    const int at = lane & 7;
    tlw_test_fail(
        __FILE__, __LINE__,
        "%s%s: row %d lane %d is %08x, the oracle says %08x; a %08x b %08x c %08x in that "
        "lane, count %d",
        operation->name, backend->name, row, lane, got, expected, call->in[0][at], call->in[1][at],
        call->in[2][at], call->count);
}

// Static, because gcc for Windows does not align the stack to 32 bytes.
static memory initial_memory, expected_memory, backend_memory;

static void compare_call(size_t op, tlw_simd_call* call, size_t offset) {
    const tlw_simd_operation* operation = &tlw_simd_backend_at(0)->operations[op];
    tlw_simd_call expected = *call;
    expected_memory = initial_memory;
    expected.memory = (char*)expected_memory.word + offset;
    memset(expected.out, 0x5a, sizeof expected.out);
    oracles[op](&expected);

    // A NaN that arithmetic makes has any bits; one that is only moved keeps them.
    const bool stores = takes(operation, "out_floats");
    const bool any_nan = is_arithmetic(operation) && (operation->result[0] == 'f' || stores);
    for (size_t b = 0; tlw_simd_backend_at(b); ++b) {
        const tlw_simd_backend* backend = tlw_simd_backend_at(b);
        backend_memory = initial_memory;
        call->memory = (char*)backend_memory.word + offset;
        memset(call->out, 0x5a, sizeof call->out);
        backend->operations[op].run(call);
        if (memcmp(call->out, expected.out, sizeof call->out) != 0) {
            for (int row = 0; row < 8; ++row) {
                for (int i = 0; i < 8; ++i) {
                    const uint32_t got = call->out[row][i], wanted = expected.out[row][i];
                    if (got != wanted && !(any_nan && is_nan(got) && is_nan(wanted))) {
                        report(operation, backend, call, row, i, got, wanted);
                    }
                }
            }
        }
        if (memcmp(&backend_memory, &expected_memory, sizeof backend_memory) != 0) {
            for (int i = 0; i < MEMORY_WORDS; ++i) {
                const uint32_t got = backend_memory.word[i], wanted = expected_memory.word[i];
                if (got != wanted && !(any_nan && is_nan(got) && is_nan(wanted))) {
                    report(operation, backend, call, -1, i - (int)(offset / 4), got, wanted);
                }
            }
        }
    }
}

TLW_TEST(every_backend_lists_the_same_operations) {
    CHECK(tlw_simd_backend_at(0) != NULL);
    for (size_t b = 0; tlw_simd_backend_at(b); ++b) {
        CHECK_EQ(tlw_simd_backend_at(b)->operation_count, TLW_COUNT_OF(oracles));
    }
}

TLW_TEST(operations_give_the_bits_of_the_oracle_on_special_values) {
    uint64_t state = 1;
    for (size_t op = 0; op < TLW_COUNT_OF(oracles); ++op) {
        for (size_t pair = 0; pair < SPECIALS * SPECIALS; pair += 8) {
            tlw_simd_call call;
            for (size_t i = 0; i < 8; ++i) {
                call.in[0][i] = special((pair + i) / SPECIALS);
                call.in[1][i] = special((pair + i) % SPECIALS);
                call.in[2][i] = special(tlw_test_random(&state) % SPECIALS);
                for (size_t k = 3; k < 8; ++k) {
                    call.in[k][i] = (uint32_t)(8 * k + i);
                }
            }
            const size_t offset = fit_call(&tlw_simd_backend_at(0)->operations[op], &call, &state);
            compare_call(op, &call, offset);
        }
    }
}

TLW_TEST(operations_give_the_bits_of_the_oracle_on_random_values) {
    const char* full = getenv("TLW_TEST_FULL");
    const int calls = full && strcmp(full, "1") == 0 ? 200000 : 4000;
    uint64_t state = 2;
    for (size_t op = 0; op < TLW_COUNT_OF(oracles); ++op) {
        for (int n = 0; n < calls; ++n) {
            tlw_simd_call call;
            for (int k = 0; k < 64; ++k) {
                call.in[k / 8][k % 8] = n % 4 == 1 ? near_one(&state) : random_word(&state);
            }
            if (n % 8 == 0) {
                for (int i = 0; i < MEMORY_WORDS; ++i) {
                    initial_memory.word[i] = random_word(&state);
                }
            }
            const size_t offset = fit_call(&tlw_simd_backend_at(0)->operations[op], &call, &state);
            compare_call(op, &call, offset);
        }
    }
}
