// SPDX-License-Identifier: MIT
// Joints by name: sorted once, then found by binary search; and the words of a name (RULES 8.6).
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

// ASCII only: what a letter is must not depend on the machine's language.
static bool is_small(char c) {
    return c >= 'a' && c <= 'z';
}
static bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}
static bool is_letter(char c) {
    return is_small(c) || is_capital(c);
}

// Whether a new word starts at name[at], which is a letter and follows one: at a capital after a
// small letter, and at the last of several capitals if a small letter follows it (L, Hand).
static bool is_split(const char* name, size_t at) {
    return is_capital(name[at]) && (is_small(name[at - 1]) || is_small(name[at + 1]));
}

size_t tlw_next_word(const char* name, size_t* at) {
    size_t start = *at;
    while (name[start] != 0 && !is_letter(name[start])) {
        start += 1;
    }
    size_t end = start;
    while (is_letter(name[end]) && (end == start || !is_split(name, end))) {
        end += 1;
    }
    *at = start;
    return end - start;
}

bool tlw_is_word(const char* text, size_t length, const char* word) {
    if (length != strlen(word)) {
        return false;
    }
    for (size_t i = 0; i < length; ++i) {
        if ((is_capital(text[i]) ? (char)(text[i] - 'A' + 'a') : text[i]) != word[i]) {
            return false;
        }
    }
    return true;
}
