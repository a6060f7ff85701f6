// SPDX-License-Identifier: MIT
// The sample characters as cook input, straight from the stages that make them. There is no file
// and no JSON on the way, so that cross builds, which have no JSON library, cook them too.
#ifndef TLW_TESTS_COOK_SUPPORT_SAMPLE_INPUT_H
#define TLW_TESTS_COOK_SUPPORT_SAMPLE_INPUT_H

#include "tools/cook/cook.h"
#include "tools/sample/sample.h"

typedef struct sample_input sample_input;

sample_input* sample_input_make(tlw_sample_variant variant);
void sample_input_free(sample_input* sample);
const tlw_cook_input* sample_input_get(const sample_input* sample);

#endif
