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

// The words of a joint's name (RULES 8.6): moves *at to the next word at or after it and returns
// its length, 0 at the end of the name.
size_t tlw_next_word(const char* name, size_t* at);
// Whether these letters are `word`, which is in small letters. Case does not count.
bool tlw_is_word(const char* text, size_t length, const char* word);
// How many words of a name are left, right, l or r. Where it is one, `mirrored` is the name with
// the word for the other side (RULES 8.5); it has room for the name and TLW_MIRRORED_BYTES more, or
// is null.
#define TLW_MIRRORED_BYTES 2 // "right" is longer than "left", and the 0 at the end
uint32_t tlw_mirror_name(const char* name, char* mirrored);

#endif
