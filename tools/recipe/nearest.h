// SPDX-License-Identifier: MIT
// The known word that a person most likely meant.
#ifndef TLW_TOOLS_RECIPE_NEAREST_H
#define TLW_TOOLS_RECIPE_NEAREST_H

#include "platform/base.h"

typedef struct tlw_nearest {
    const char* word;
    const char* best; // null while nothing close was tried
    size_t distance;
} tlw_nearest;

// Keeps `known` if it is close to the word and closer than what was tried before.
void tlw_nearest_try(tlw_nearest* nearest, const char* known);

#endif
