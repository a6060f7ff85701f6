// SPDX-License-Identifier: MIT
// Joints by name: sorted once, then found by binary search.
#include "tools/cook/names.h"

#include <stdlib.h>
#include <string.h>

static int compare_joint_names(const void* a, const void* b) {
    const tlw_joint_name *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->joint > y->joint) - (x->joint < y->joint);
}

void tlw_sort_joint_names(const tlw_cook_joint* joints, uint32_t count, tlw_joint_name* sorted) {
    for (uint32_t j = 0; j < count; ++j) {
        sorted[j] = (tlw_joint_name){joints[j].name, j};
    }
    if (count > 0) {
        qsort(sorted, count, sizeof *sorted, compare_joint_names);
    }
}

uint32_t tlw_find_joint_name(const tlw_joint_name* sorted, uint32_t count, const char* name) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (strcmp(sorted[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && strcmp(sorted[low].name, name) == 0 ? sorted[low].joint : TLW_NO_JOINT;
}
