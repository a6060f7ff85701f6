// SPDX-License-Identifier: MIT
// Stage rbf (RULES 10.10): radial basis functions in several domains.
#include "tools/cook/stages.h"

tlw_result tlw_cook_make_rbf(tlw_cook* cook) {
    return cook->error.result;
}
