// SPDX-License-Identifier: MIT
// Stage rings (RULES 10.9): the neighbours and coefficients of ring normals.
#include "tools/cook/stages.h"

tlw_result tlw_cook_make_rings(tlw_cook* cook) {
    return cook->error.result;
}
