// SPDX-License-Identifier: MIT
// Joints by name. Rigs of film characters and hostile files have tens of thousands of joints, and a
// recipe may name all of them: looking each up by going through the list would take minutes.
// Private to the cooking library and the recipe's reader.
#ifndef TLW_TOOLS_COOK_NAMES_H
#define TLW_TOOLS_COOK_NAMES_H

#include "tools/cook/cook.h"

typedef struct tlw_joint_name {
    const char* name;
    uint32_t joint;
} tlw_joint_name;

// Fills `sorted`, one for each joint: by name, those of one name by joint.
void tlw_sort_joint_names(const tlw_cook_joint* joints, uint32_t count, tlw_joint_name* sorted);
// The first joint of that name, or TLW_NO_JOINT.
uint32_t tlw_find_joint_name(const tlw_joint_name* sorted, uint32_t count, const char* name);

#endif
