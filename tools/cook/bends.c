// SPDX-License-Identifier: MIT
// Stage bends (RULES 9.8 to 9.10): what skinned volume needs. Reads cook->weights, links, anatomy
// and order; writes cook->bends.
#include "tools/cook/stages.h"

tlw_result tlw_cook_make_bends(tlw_cook* cook) {
    return cook->error.result;
}
