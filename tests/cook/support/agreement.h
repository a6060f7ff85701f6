// SPDX-License-Identifier: MIT
// Cooks one input with the library and with the oracle and compares the two (test_agreement.c).
#ifndef TLW_TESTS_COOK_SUPPORT_AGREEMENT_H
#define TLW_TESTS_COOK_SUPPORT_AGREEMENT_H

#include "tools/cook/cook.h"

// Ends the test at the first difference. Returns the number of voxels, so that a test can check
// that it compared something.
uint32_t check_agreement(const char* name, const tlw_cook_input* input,
                         const tlw_cook_recipe* recipe);

#endif
