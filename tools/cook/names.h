// SPDX-License-Identifier: MIT
// Joints by name, private to the cooking library and the recipe reader. Rigs of film characters and
// hostile files have tens of thousands of joints, and a recipe may name all of them: linear
// searches would take minutes.
#ifndef TLW_TOOLS_COOK_NAMES_H
#define TLW_TOOLS_COOK_NAMES_H

#include "tools/cook/cook.h"

typedef struct tlw_joint_name {
    const char* name;
    uint32_t joint;
} tlw_joint_name;

// Fills `sorted`, one per joint: by name, joints with the same name by index.
void tlw_sort_joint_names(const tlw_cook_joint* joints, uint32_t count, tlw_joint_name* sorted);
// The first joint with that name, or TLW_NO_JOINT.
uint32_t tlw_find_joint_name(const tlw_joint_name* sorted, uint32_t count, const char* name);

#endif
