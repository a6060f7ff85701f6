// SPDX-License-Identifier: MIT
// Stage profiles (RULES 8.8): the materials of every profile. Reads the recipe and cook->parts;
// writes cook->profiles.
#include "tools/cook/stages.h"

tlw_result tlw_cook_make_profiles(tlw_cook* cook) {
    return cook->error.result;
}
