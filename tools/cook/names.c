// SPDX-License-Identifier: MIT
// Joints by name: sorted once, then found by binary search; the words of a name (RULES 8.6),
// and the name of the other side (RULES 8.5).
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

static const char* const sides[2][2] = {{"left", "right"}, {"l", "r"}};

// The word for the other side, or null.
static const char* other_side(const char* text, size_t length) {
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) {
            if (tlw_is_word(text, length, sides[i][k])) {
                return sides[i][1 - k];
            }
        }
    }
    return NULL;
}

// A word is small, capital, or capital in its first letter only.
static void write_in_case(const char* word, const char* like, size_t like_length, char* to) {
    const size_t length = strlen(word);
    for (size_t i = 0; i < length; ++i) {
        const char c = like[i > 0 && like_length > 1];
        to[i] = c >= 'A' && c <= 'Z' ? (char)(word[i] - 'a' + 'A') : word[i];
    }
}

// Where the one word for a side stands in the name. Returns how many there are.
static uint32_t find_side(const char* name, size_t* start, size_t* length) {
    uint32_t count = 0;
    size_t at = 0;
    for (size_t word; (word = tlw_next_word(name, &at)) > 0; at += word) {
        if (other_side(name + at, word) != NULL) {
            *start = at;
            *length = word;
            count += 1;
        }
    }
    return count;
}

uint32_t tlw_mirror_name(const char* name, char* mirrored) {
    size_t start = 0, length = 0;
    const uint32_t count = find_side(name, &start, &length);
    if (count == 1 && mirrored != NULL) {
        const char* word = other_side(name + start, length);
        memcpy(mirrored, name, start);
        write_in_case(word, name + start, length, mirrored + start);
        strcpy(mirrored + start + strlen(word), name + start + length);
    }
    return count;
}
