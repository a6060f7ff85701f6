// SPDX-License-Identifier: MIT
// Nearest word by edit distance: insertions, deletions, replacements and swaps of two adjacent
// letters (optimal string alignment). Upper and lower case count as the same letter.
#include "tools/recipe/nearest.h"

#include <string.h>

#define WORD_MAX   64 // bytes; longer words get no suggestion
#define PREFIX_MIN 3

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t edit_distance(const char* a, size_t a_length, const char* b, size_t b_length) {
    size_t rows[3][WORD_MAX + 1];
    for (size_t j = 0; j <= b_length; ++j) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_length; ++i) {
        const size_t* before = rows[(i - 1) % 3];
        size_t* row = rows[i % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; ++j) {
            const char x = lower(a[i - 1]), y = lower(b[j - 1]);
            row[j] = least(before[j - 1] + (x != y), least(before[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2])) {
                row[j] = least(row[j], rows[(i - 2) % 3][j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

static bool starts_alike(const char* a, const char* b, size_t length) {
    for (size_t i = 0; i < length; ++i) {
        if (lower(a[i]) != lower(b[i])) {
            return false;
        }
    }
    return true;
}

void tlw_nearest_try(tlw_nearest* nearest, const char* known) {
    const size_t a = strlen(nearest->word), b = strlen(known);
    if (a == 0 || b == 0 || a > WORD_MAX || b > WORD_MAX) {
        return;
    }
    const size_t shorter = least(a, b), longer = a + b - shorter;
    const size_t distance = edit_distance(nearest->word, a, known, b);
    // Up to a third of the letters may be wrong. A word that begins like the known one is close too
    // ("damp" for "damping"), although more than a third is missing.
    const size_t limit = longer / 3 > 1 ? longer / 3 : 1;
    const bool is_close = (distance <= limit && distance < shorter) ||
                          (shorter >= PREFIX_MIN && starts_alike(nearest->word, known, shorter));
    if (is_close && (nearest->best == NULL || distance < nearest->distance)) {
        nearest->best = known;
        nearest->distance = distance;
    }
}
