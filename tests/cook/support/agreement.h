// SPDX-License-Identifier: MIT
// The cooking library against the oracle on one input; see test_agreement.c.
#ifndef TLW_TESTS_COOK_SUPPORT_AGREEMENT_H
#define TLW_TESTS_COOK_SUPPORT_AGREEMENT_H

#include "tools/cook/cook.h"

// Ends the test at the first difference. Returns the voxels, so that a test can say that it looked
// at something.
uint32_t check_agreement(const char* name, const tlw_cook_input* input,
                         const tlw_cook_recipe* recipe);

#endif
