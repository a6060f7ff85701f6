// SPDX-License-Identifier: MIT
// The test framework. Each TLW_TEST registers itself, so that no list is kept by hand. Native
// builds run on cmocka; where TLW_TEST_FALLBACK is defined (cross builds) they run on a small
// runner with the same output. A failed check prints file, line and both values and ends that test.
//
//     TLW_TEST(arena_names_the_bytes_that_are_missing) {
//         CHECK_EQ(arena.missing_bytes, 1);
//     }
#ifndef TLW_TESTS_TEST_H
#define TLW_TESTS_TEST_H

#include "platform/base.h"
#include "tests/helpers.h"

typedef struct tlw_test_case {
    const char* name;
    void (*run)(void);
    const char* file;
    int line;
    struct tlw_test_case* next;
} tlw_test_case;

void tlw_test_register(tlw_test_case* test);
// Does not return: ends the running test as failed. Only for the thread that runs the test.
_Noreturn void tlw_test_fail(const char* file, int line, const char* format, ...) TLW_PRINTF(3, 4);
// Does not return: ends the running test as skipped, for tests that this machine or build cannot
// run.
_Noreturn void tlw_test_skip(const char* file, int line, const char* reason);
// A folder for files of the tests; it is empty when the executable starts and removed when it ends.
const char* tlw_test_folder(void);
// All bytes of a file and a zero; the caller frees them. `size`, unless null, receives the number
// of bytes without the zero. Fails the running test if the file cannot be read.
char* tlw_test_read_text(const char* path, size_t* size);
// Writes the numbers below `count`, each once, in the given order.
typedef enum tlw_test_order {
    TLW_TEST_FORWARD,
    TLW_TEST_BACKWARD,
    TLW_TEST_SHUFFLED
} tlw_test_order;
void tlw_test_number(uint32_t* out, uint32_t count, tlw_test_order order, uint64_t* random);

#define TLW_TEST(test_name)                                                            \
    static void test_name(void);                                                       \
    __attribute__((constructor)) static void TLW_CONCAT(register_, test_name)(void) {  \
        static tlw_test_case test = {#test_name, test_name, __FILE__, __LINE__, NULL}; \
        tlw_test_register(&test);                                                      \
    }                                                                                  \
    static void test_name(void)

void tlw_check_int(const char* file, int line, const char* what, int64_t a, int64_t b);
void tlw_check_uint(const char* file, int line, const char* what, uint64_t a, uint64_t b);
void tlw_check_double(const char* file, int line, const char* what, double a, double b);
void tlw_check_pointer(const char* file, int line, const char* what, const void* a, const void* b);
void tlw_check_near(const char* file, int line, const char* what, double a, double b,
                    double tolerance);
void tlw_check_order(const char* file, int line, const char* what, long double a, long double b,
                     bool may_be_equal);
void tlw_check_string(const char* file, int line, const char* what, const char* a, const char* b);
void tlw_check_contains(const char* file, int line, const char* text, const char* part);
void tlw_check_bytes(const char* file, int line, const char* what, const void* a, const void* b,
                     size_t bytes);

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            tlw_test_fail(__FILE__, __LINE__, "%s is false", #condition); \
        }                                                                 \
    } while (0)

// For integers, enums, bools, floats (by value) and pointers.
#define CHECK_EQ(a, b)                            \
    _Generic((a), float                           \
             : tlw_check_double, double           \
             : tlw_check_double, char             \
             : tlw_check_int, signed char         \
             : tlw_check_int, short               \
             : tlw_check_int, int                 \
             : tlw_check_int, long                \
             : tlw_check_int, long long           \
             : tlw_check_int, bool                \
             : tlw_check_uint, unsigned char      \
             : tlw_check_uint, unsigned short     \
             : tlw_check_uint, unsigned           \
             : tlw_check_uint, unsigned long      \
             : tlw_check_uint, unsigned long long \
             : tlw_check_uint, default            \
             : tlw_check_pointer)(__FILE__, __LINE__, #a " == " #b, a, b)

// Each side is evaluated once, because it may be a call that changes something. A long double holds
// every 64-bit integer on the machines that we support.
#define CHECK_LE(a, b) \
    tlw_check_order(__FILE__, __LINE__, #a " <= " #b, (long double)(a), (long double)(b), true)
#define CHECK_LT(a, b) \
    tlw_check_order(__FILE__, __LINE__, #a " < " #b, (long double)(a), (long double)(b), false)
#define CHECK_NEAR(a, b, tolerance) \
    tlw_check_near(__FILE__, __LINE__, #a " ~ " #b, (double)(a), (double)(b), (double)(tolerance))
#define CHECK_STRING(a, b)         tlw_check_string(__FILE__, __LINE__, #a " == " #b, a, b)
#define CHECK_CONTAINS(text, part) tlw_check_contains(__FILE__, __LINE__, text, part)
#define CHECK_BYTES(a, b, bytes)   tlw_check_bytes(__FILE__, __LINE__, #a " == " #b, a, b, bytes)
#define CHECK_OK(call)             tlw_check_string(__FILE__, __LINE__, #call, tlw_result_name(call), "TLW_OK")
#define CHECK_RESULT(call, expected) \
    tlw_check_string(__FILE__, __LINE__, #call, tlw_result_name(call), #expected)

#endif
