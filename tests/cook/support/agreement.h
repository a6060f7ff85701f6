// SPDX-License-Identifier: MIT
// Cooks one input with the library and with the oracle and compares the two (test_agreement.c).
#ifndef TLW_TESTS_COOK_SUPPORT_AGREEMENT_H
#define TLW_TESTS_COOK_SUPPORT_AGREEMENT_H

#include "tests/cook/oracle/oracle.h"
#include "tests/cook/support/cook_scenes.h"
#include "tools/cook/cook.h"
#include "tools/cook/stages.h"

// What is cooked, for messages.
typedef struct agreement {
    const char* scene;
    uint32_t resolution;
} agreement;

// Ends the test at the first difference. Returns the number of voxels, so that a test can check
// that it compared something.
uint32_t check_agreement(const char* name, const tlw_cook_input* input,
                         const tlw_cook_recipe* recipe);
// Cooks with both; the test fails if either does not. Free both with free_both.
void cook_both(const agreement* at, const tlw_cook_input* input, const tlw_cook_recipe* recipe,
               tlw_cook* cook, oracle_result* oracle);
void free_both(tlw_cook* cook, oracle_result* oracle);
// What check_agreement compares of RULES 8.8 and 9.8 to 9.10 (test_agreement_bends.c).
void check_bend_agreement(const agreement* at, const tlw_cook* cook, const oracle_result* oracle);
void check_profile_agreement(const agreement* at, const tlw_cook* cook,
                             const oracle_result* oracle);
// What it compares of RULES 9.11 (test_agreement_limbs.c).
void check_limb_agreement(const agreement* at, const tlw_cook* cook, const oracle_result* oracle);
// What it compares of RULES 8.9 and 9.12 to 9.15 (test_agreement_muscles.c).
void check_muscle_agreement(const agreement* at, const tlw_cook* cook, const oracle_result* oracle);
void check_lame_agreement(const agreement* at, const tlw_cook* cook, const oracle_result* oracle);

// Checks that name the scene and the element; `at` is an agreement.
#define AGREE(a, b, index)                                                                   \
    do {                                                                                     \
        if ((uint64_t)(a) != (uint64_t)(b)) {                                                \
            tlw_test_fail(__FILE__, __LINE__,                                                \
                          "%s at %u, element %u: " #a " is %llu, " #b " is %llu", at->scene, \
                          at->resolution, (unsigned)(index), (unsigned long long)(a),        \
                          (unsigned long long)(b));                                          \
        }                                                                                    \
    } while (0)
#define AGREE_NEARLY(a, b, tolerance, index)                                                 \
    do {                                                                                     \
        double difference = (double)(a) - (double)(b);                                       \
        if (!(difference <= (tolerance) && difference >= -(tolerance))) {                    \
            tlw_test_fail(__FILE__, __LINE__,                                                \
                          "%s at %u, element %u: " #a " is %.9g, " #b " is %.9g", at->scene, \
                          at->resolution, (unsigned)(index), (double)(a), (double)(b));      \
        }                                                                                    \
    } while (0)

#endif
