// SPDX-License-Identifier: MIT
// Finds the known word that a person most likely meant, for "did you mean ...?".
#ifndef TLW_TOOLS_RECIPE_NEAREST_H
#define TLW_TOOLS_RECIPE_NEAREST_H

#include "platform/base.h"

typedef struct tlw_nearest {
    const char* word;
    const char* best; // null while nothing close was tried
    size_t distance;
} tlw_nearest;

// Call it for each known word. Keeps `known` in `best` if it is close to the word and closer than
// every word tried before.
void tlw_nearest_try(tlw_nearest* nearest, const char* known);

#endif
